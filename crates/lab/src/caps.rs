//! Caps: sets of points without a line, that is, cards without a Set (pattern rulebook, 5.3).

use crate::classes::{Canon, Class, SetMap, levels, members};
use crate::space::{PointSet, Space, points};

/// The caps of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapCount {
    /// Points in each.
    pub size: usize,
    /// How many there are.
    pub caps: u128,
    /// How many classes under the affine group.
    pub classes: usize,
    /// How many are complete: no point can be added.
    pub complete: u128,
    /// How many classes of complete ones.
    pub complete_classes: usize,
}

/// The points that can be added to the cap `set` without making a line.
#[must_use]
pub fn safe(space: &Space, set: PointSet) -> PointSet {
    let mut taken = set;
    let mut earlier = 0;
    for a in points(set) {
        for b in points(earlier) {
            taken |= 1 << space.third(a, b);
        }
        earlier |= 1 << a;
    }
    space.all() & !taken
}

/// Whether no three points of `set` are a line.
#[must_use]
pub fn is_cap(space: &Space, set: PointSet) -> bool {
    points(set).all(|a| points(set & ((1 << a) - 1)).all(|b| set >> space.third(a, b) & 1 == 0))
}

/// The classes of caps of AG(n,3), by size from 0.
#[must_use]
pub fn classes(space: &Space) -> Vec<Vec<Class>> {
    levels(space, space.size(), &safe)
}

/// The caps of AG(n,3), counted exactly by size.
#[must_use]
pub fn count(space: &Space) -> Vec<CapCount> {
    classes(space)
        .iter()
        .enumerate()
        .map(|(size, level)| {
            let complete = level.iter().filter(|class| safe(space, class.set) == 0);
            CapCount {
                size,
                caps: level.iter().map(|class| u128::from(members(space, class))).sum(),
                classes: level.len(),
                complete: complete.clone().map(|class| u128::from(members(space, class))).sum(),
                complete_classes: complete.count(),
            }
        })
        .collect()
}

/// How many caps of each size hold the cap `set`; entry k is for size k. None if `set` is no cap.
///
/// Let u(D, C) be the number of safe points that take a representative of class D into class C. Walks upward from the
/// class of `set`, weighted by u, count the orders in which points can be added; each cap of size k that holds `set` is
/// met in (k - |set|)! of them. So one pass over the classes answers it, without looking at a single cap.
#[must_use]
pub fn extending(space: &Space, set: PointSet) -> Option<Vec<u128>> {
    if !is_cap(space, set) {
        return None;
    }
    let mut canon = Canon::new(space);
    let mut orders: SetMap<u128> = SetMap::default();
    orders.insert(canon.class(set).set, 1);
    let mut counts = vec![0; set.count_ones() as usize];
    let mut arrangements: u128 = 1;
    for added in 1.. {
        counts.push(orders.values().sum::<u128>() / arrangements);
        let mut next: SetMap<u128> = SetMap::default();
        for (&representative, &ways) in &orders {
            for point in points(safe(space, representative)) {
                *next.entry(canon.class(representative | 1 << point).set).or_default() += ways;
            }
        }
        if next.is_empty() {
            break;
        }
        orders = next;
        arrangements *= added;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::choose;
    use game::chance::{Chance, SplitMix};
    use proptest::prelude::*;

    /// Size, caps, classes, complete caps, their classes.
    fn table(dim: u32) -> Vec<(usize, u128, usize, u128, usize)> {
        count(&Space::new(dim))
            .iter()
            .map(|c| (c.size, c.caps, c.classes, c.complete, c.complete_classes))
            .collect()
    }

    #[test]
    fn small_spaces() {
        let caps = |dim| table(dim).iter().map(|c| c.1).collect::<Vec<_>>();
        assert_eq!(caps(1), [1, 3, 3]);
        assert_eq!(caps(2), [1, 9, 36, 72, 54]);
        assert_eq!(caps(3), [1, 27, 351, 2808, 14742, 50544, 107_406, 126_360, 63180, 2106]);
        assert_eq!(table(2)[4].3, 54);
        assert_eq!((table(3)[8].3, table(3)[9].3), (44226, 2106));
    }

    /// The rulebook's table 5.3, with the sizes it leaves open.
    #[test]
    fn caps_of_81_cards() {
        let expected = [
            (0, 1, 1, 0, 0),
            (1, 81, 1, 0, 0),
            (2, 3240, 1, 0, 0),
            (3, 84240, 1, 0, 0),
            (4, 1_579_500, 2, 0, 0),
            (5, 22_441_536, 3, 0, 0),
            (6, 247_615_056, 7, 0, 0),
            (7, 2_144_076_480, 11, 0, 0),
            (8, 14_587_567_020, 33, 0, 0),
            (9, 77_541_824_880, 91, 0, 0),
            (10, 318_294_370_368, 267, 0, 0),
            (11, 991_227_481_920, 670, 0, 0),
            (12, 2_284_535_476_080, 1437, 0, 0),
            (13, 3_764_369_026_080, 2225, 0, 0),
            (14, 4_217_827_554_720, 2489, 0, 0),
            (15, 2_970_003_246_912, 1756, 27_293_760, 1),
            (16, 1_141_342_138_404, 748, 76_932_580_140, 74),
            (17, 176_310_866_160, 143, 94_450_056_480, 67),
            (18, 6_482_268_000, 20, 6_352_622_640, 18),
            (19, 13_646_880, 1, 0, 0),
            (20, 682_344, 1, 682_344, 1),
        ];
        assert_eq!(table(4), expected);
    }

    /// Counted another way: caps extended point by point in rising order, no symmetry used.
    fn direct(space: &Space, set: PointSet, above: u8, left: usize) -> u128 {
        if left == 0 {
            return 1;
        }
        let later = safe(space, set) >> above << above;
        if left == 1 {
            return u128::from(later.count_ones());
        }
        points(later).map(|p| direct(space, set | 1 << p, p + 1, left - 1)).sum()
    }

    #[test]
    fn direct_search_agrees() {
        for dim in 1..=3 {
            let space = Space::new(dim);
            for (size, caps, ..) in table(dim) {
                assert_eq!(direct(&space, 0, 0, size), caps, "AG({dim},3), {size}");
            }
        }
        let space = Space::new(4);
        // Every cap has some pair; all pairs are alike: caps through 0 and 1, scaled.
        for (size, caps, ..) in table(4).into_iter().take(8).skip(2) {
            let through = extending_directly(&space, 0b11, size - 2);
            assert_eq!(through * 3240, caps * choose(size as u64, 2), "{size}");
        }
    }

    /// Caps of `more` points more than `set` that hold it, by search.
    fn extending_directly(space: &Space, set: PointSet, more: usize) -> u128 {
        direct(space, set, 0, more)
    }

    #[test]
    fn each_set_is_extended_as_often_as_search_says() {
        let space = Space::new(4);
        // The 12-card cap of the rulebook's test vectors (5.9).
        let deck = cards::Deck::D81;
        let cards = deck.parse_all("0001 0011 0022 0102 0112 0201 1020 1110 1111 1220 2100 2220").unwrap();
        let set = cards.iter().fold(0, |set: PointSet, p| set | 1 << p.0);
        let ours = extending(&space, set).unwrap();
        for (size, &caps) in ours.iter().enumerate().skip(12) {
            assert_eq!(caps, extending_directly(&space, set, size - 12), "{size}");
        }
        assert!(ours.len() > 12 && extending(&space, 0b111).is_none());
    }

    /// The share of random layouts that are caps, within five standard deviations.
    #[test]
    fn random_layouts_agree() {
        let space = Space::new(4);
        let (mut chance, samples) = (SplitMix(11), 40_000);
        for (size, caps, ..) in table(4).into_iter().filter(|c| (3..=14).contains(&c.0)) {
            let p = caps as f64 / choose(81, size as u64) as f64;
            let mut seen = 0;
            for _ in 0..samples {
                let mut set: PointSet = 0;
                while (set.count_ones() as usize) < size {
                    set |= 1 << chance.below(81);
                }
                seen += u32::from(is_cap(&space, set));
            }
            let deviation = (p * (1.0 - p) * f64::from(samples)).sqrt();
            assert!(
                (f64::from(seen) - p * f64::from(samples)).abs() < 5.0 * deviation + 1.0,
                "{size}: {seen}"
            );
        }
    }

    /// A random affine map: images of 0 and of the unit vectors.
    fn affine(space: &Space, chance: &mut SplitMix) -> [u8; 81] {
        loop {
            let mut map = [0u8; 81];
            map[0] = chance.below(81) as u8;
            let (mut width, mut seen) = (1, 1u128 << map[0]);
            for _ in 0..4 {
                let step = chance.below(81) as u8;
                for at in 0..width {
                    map[at + width] = space.plus(map[at], step);
                    map[at + 2 * width] = space.plus(map[at + width], step);
                    seen |= 1 << map[at + width] | 1 << map[at + 2 * width];
                }
                width *= 3;
            }
            if seen == space.all() {
                return map;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn affine_images_have_one_canonical_form(seed: u64, size in 0usize..25) {
            let space = Space::new(4);
            let mut chance = SplitMix(seed);
            let mut set: PointSet = 0;
            while (set.count_ones() as usize) < size {
                set |= 1 << chance.below(81);
            }
            let map = affine(&space, &mut chance);
            let image = points(set).fold(0, |all: PointSet, p| all | 1 << map[usize::from(p)]);
            let mut canon = Canon::new(&space);
            let class = canon.class(set);
            prop_assert_eq!(class, canon.class(image));
            // The canonical form is a member of its class.
            prop_assert_eq!(canon.class(class.set), class);
            prop_assert_eq!(class.set.count_ones(), set.count_ones());
        }
    }

    /// Every subset of AG(2,3), by brute force over all 432 affine maps: classes and stabilisers.
    #[test]
    fn classes_of_the_plane_by_brute_force() {
        let space = Space::new(2);
        let mut maps = Vec::new();
        for origin in 0..9u8 {
            for a in 1..9u8 {
                for b in 1..9u8 {
                    if b == a || b == space.plus(a, a) {
                        continue;
                    }
                    let at = |x: u8, y: u8| {
                        let times = |v: u8, n: u8| (0..n).fold(0, |sum, _| space.plus(sum, v));
                        space.plus(origin, space.plus(times(a, x), times(b, y)))
                    };
                    maps.push((0..9u8).map(|p| at(p % 3, p / 3)).collect::<Vec<_>>());
                }
            }
        }
        assert_eq!(maps.len() as u64, space.group_order());
        let mut canon = Canon::new(&space);
        for set in 0..512 as PointSet {
            let class = canon.class(set);
            let fixed =
                maps.iter().filter(|map| points(set).all(|p| set >> map[usize::from(p)] & 1 == 1)).count();
            assert_eq!(class.stabiliser, fixed as u64, "{set:b}");
            assert!(maps.iter().any(|map| points(set).all(|p| class.set >> map[usize::from(p)] & 1 == 1)));
        }
    }
}
