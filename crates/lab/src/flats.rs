//! Lines, planes and directions of AG(n,3), and what four points can be: exact numbers (pattern rulebook, 5.1 and 5.2).

use crate::lines::choose;
use crate::space::Space;
use serde::Serialize;

/// How many there are of what a space is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Points: cards.
    pub points: u64,
    /// Lines: Sets.
    pub lines: u64,
    /// Lines through a point.
    pub lines_through: u64,
    /// Planes.
    pub planes: u64,
    /// Planes through a point.
    pub planes_through: u64,
    /// Planes that hold a line.
    pub planes_on_line: u64,
    /// Directions of lines: the points of the projective space one dimension below.
    pub directions: u64,
    /// Lines of one direction, which cover each point once.
    pub parallel: u64,
    /// Sets of directions of the lines of a plane: the lines of that projective space.
    pub pencils: u64,
    /// Four points that hold a line.
    pub with_line: u64,
    /// Four points of a plane without a line: SuperSETs (PAT-SUPER).
    pub supers: u64,
    /// Four points that lie in no plane.
    pub neither: u64,
}

/// The numbers of a space of two dimensions or more; of a line alone those of planes are 0.
#[must_use]
pub fn counts(space: &Space) -> Counts {
    let points = space.size() as u64;
    let directions = (points - 1) / 2;
    let lines = points * directions / 3;
    // An ordered triple that is no line spans a plane, and each plane has 9 * 8 * 6 of them.
    let planes = points * (points - 1) * (points - 3) / (9 * 8 * 6);
    let quads = choose(points, 4) as u64;
    let with_line = lines * (points - 3);
    // Of the 126 quadruples of a plane 72 hold one of its 12 lines.
    let supers = planes * 54;
    Counts {
        points,
        lines,
        lines_through: directions,
        planes,
        planes_through: planes * 9 / points,
        planes_on_line: (points - 3) / 6,
        directions,
        parallel: points / 3,
        // Two directions span a plane, which has four.
        pencils: directions * (directions - 1) / 12,
        with_line,
        supers,
        neither: quads - with_line - supers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Everything listed and counted one by one.
    fn check(dim: u32) {
        let space = Space::new(dim);
        let of = counts(&space);
        let all = || 0..space.size() as u8;
        let line = |a: u8, b: u8| 1u128 << a | 1 << b | 1 << space.third(a, b);
        let lines: BTreeSet<u128> =
            all().flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| line(a, b)).collect();
        assert_eq!(lines.len() as u64, of.lines);
        assert_eq!(lines.iter().filter(|line| *line & 1 == 1).count() as u64, of.lines_through);
        let (mut planes, mut quads) = (BTreeSet::new(), [0u64; 3]);
        for a in all() {
            for b in 0..a {
                for c in (0..b).filter(|&c| c != space.third(a, b)) {
                    // The thirds of all pairs, until nothing new comes.
                    let mut plane = 1u128 << a | 1 << b | 1 << c;
                    while plane.count_ones() < 9 {
                        let members: Vec<u8> = crate::space::points(plane).collect();
                        for (i, &p) in members.iter().enumerate() {
                            members[..i].iter().for_each(|&q| plane |= 1 << space.third(p, q));
                        }
                    }
                    planes.insert(plane);
                }
                for c in 0..b {
                    for d in 0..c {
                        let third = |p, q| space.third(p, q);
                        let joined = [
                            third(a, b) == third(c, d),
                            third(a, c) == third(b, d),
                            third(a, d) == third(b, c),
                        ];
                        let joined = joined.iter().filter(|joined| **joined).count();
                        let set = 1u128 << a | 1 << b | 1 << c | 1 << d;
                        let holds = crate::lines::lines_in(&space, set) > 0;
                        assert!(
                            joined <= 1 && !(holds && joined == 1),
                            "one split at most, and no Set in it"
                        );
                        quads[if holds { 0 } else { 2 - joined }] += 1;
                    }
                }
            }
        }
        assert_eq!(planes.len() as u64, of.planes);
        assert_eq!(planes.iter().filter(|plane| *plane & 1 == 1).count() as u64, of.planes_through);
        let first = lines.first().copied().unwrap_or_default();
        let on_line = planes.iter().filter(|plane| *plane & first == first).count() as u64;
        assert_eq!(on_line, of.planes_on_line);
        assert_eq!(quads, [of.with_line, of.supers, of.neither]);
        // Lines are parallel if one is the other, moved.
        let mut parallel: BTreeMap<BTreeSet<u8>, u64> = BTreeMap::new();
        for line in &lines {
            let [p, q] = [0, 1].map(|n| crate::space::points(*line).nth(n).unwrap());
            let step = space.plus(q, space.minus(p));
            *parallel.entry([step, space.minus(step)].into()).or_default() += 1;
        }
        assert_eq!(parallel.len() as u64, of.directions);
        assert!(parallel.values().all(|&n| n == of.parallel));
        let directions_of = |plane: u128| {
            let members: Vec<u8> = crate::space::points(plane).collect();
            members[1..]
                .iter()
                .map(|&q| {
                    let step = space.plus(q, space.minus(members[0]));
                    step.min(space.minus(step))
                })
                .collect::<BTreeSet<u8>>()
        };
        let pencils: BTreeSet<BTreeSet<u8>> = planes.iter().map(|plane| directions_of(*plane)).collect();
        assert!(pencils.iter().all(|pencil| pencil.len() == 4));
        assert_eq!(pencils.len() as u64, of.pencils);
    }

    #[test]
    fn what_a_space_is_made_of_is_counted_one_by_one() {
        check(2);
        check(3);
        check(4);
        let all = counts(&Space::new(4));
        assert_eq!((all.lines, all.planes, all.supers, all.directions), (1080, 1170, 63_180, 40), "5.1, 5.2");
    }
}
