//! Sets of points of AG(n,3) up to affine maps, by canonical forms.
//!
//! **Definition.** Two sets are *equivalent* if an element of G = AGL(n,3) maps one onto the other. The class of X has
//! |G| / |Stab X| members, so counts of sets follow from one representative of each class with the order of its
//! stabiliser.
//!
//! **Frames.** A *frame* of X is an ordered sequence of affinely independent points of X that spans the same flat as X.
//! For a frame (p0 .. pr) there is exactly one affine map from that flat to the standard one that sends p0 to 0 and each
//! pi - p0 to the i-th unit vector. The image of X under it is a set of coordinate vectors. If F(X) is a non-empty family
//! of frames that is defined in terms that affine maps preserve (g F(X) = F(gX)), then the least image over F(X), as
//! a number whose bits are the points, is the same for equivalent sets and different for others: a *canonical form*.
//! Two frames in F(X) with the same image differ by exactly one element of Stab X restricted to the flat; hence the number
//! of frames that attain the least image, times the number of ways to complete a frame of the flat to one of the space, is
//! |Stab X|.
//!
//! **Which frames.** The smaller F(X), the faster. Points of X are coloured by what affine maps preserve: how often each
//! point of the space is the third of a pair of X, and so on, refined a few times. Then p0 is taken from the least colours,
//! and each next point is among those independent of the earlier ones whose (colour, colours of its thirds with the
//! earlier ones) is least. Colours are 64-bit sums; should two that differ in meaning collide, F(X) merely grows.
//!
//! **Generation.** Let a property be *hereditary*: subsets of good sets are good. Any good set X of size k+1 has a
//! point t of greatest colour; X - t is good, so some representative S of size k is g(X - t), and S + g(t) is equivalent to X
//! with g(t) of greatest colour in it. So it is enough to extend each representative by those points p that have the
//! greatest colour in S + p, and to keep one of each canonical form. Most extensions fail the colour test, which is cheap.

use crate::space::{PointSet, Space, points};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// One class of equivalent sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its canonical form, which is one of its members.
    pub set: PointSet,
    /// Order of the stabiliser of a member in the affine group.
    pub stabiliser: u64,
}

/// What is preserved of a set under affine maps, point by point; computed for one set at a time.
struct Colours {
    members: [u8; 81],
    count: usize,
    /// Colour of each point of the space as a third of pairs.
    thirds: [u64; 81],
    /// Colour of each member, by its place in `members`.
    colour: [u64; 81],
}

#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Colours {
    fn new() -> Colours {
        Colours { members: [0; 81], count: 0, thirds: [0; 81], colour: [0; 81] }
    }

    fn load(&mut self, set: PointSet) {
        self.count = 0;
        for point in points(set) {
            self.members[self.count] = point;
            self.count += 1;
        }
    }

    /// First colours: a point's thirds with the other members, each by how many pairs it is the third of.
    fn first(&mut self, space: &Space) {
        let members = &self.members[..self.count];
        let mut pairs = [0u8; 81];
        for (i, &a) in members.iter().enumerate() {
            for &b in &members[..i] {
                pairs[usize::from(space.third(a, b))] += 1;
            }
        }
        // Being a member is preserved too.
        let mut weight = [0u64; 81];
        for (w, &n) in weight.iter_mut().zip(&pairs) {
            *w = WEIGHTS[usize::from(n)];
        }
        for &a in members {
            weight[usize::from(a)] ^= 0x5851_f42d_4c95_7f2d;
        }
        self.colour[..self.count].fill(0);
        for i in 0..self.count {
            for j in 0..i {
                let w = weight[usize::from(space.third(self.members[i], self.members[j]))];
                self.colour[i] = self.colour[i].wrapping_add(w);
                self.colour[j] = self.colour[j].wrapping_add(w);
            }
        }
        self.thirds = weight;
    }

    /// Colours each third by the colours of its pairs, and each member by those of its thirds and partners.
    fn refine(&mut self, space: &Space) {
        let members = &self.members[..self.count];
        let mut thirds = self.thirds;
        for (i, &a) in members.iter().enumerate() {
            for (j, &b) in members[..i].iter().enumerate() {
                let at = usize::from(space.third(a, b));
                thirds[at] = thirds[at].wrapping_add(mix(self.colour[i].wrapping_add(self.colour[j])));
            }
        }
        let old = self.colour;
        for i in 0..self.count {
            for j in 0..i {
                let third = thirds[usize::from(space.third(members[i], members[j]))];
                self.colour[i] = self.colour[i].wrapping_add(mix(third ^ old[j].rotate_left(17)));
                self.colour[j] = self.colour[j].wrapping_add(mix(third ^ old[i].rotate_left(17)));
            }
        }
        self.thirds = thirds;
    }
}

/// Weights of being the third of n pairs; any numbers with different sums for different multisets will do.
const WEIGHTS: [u64; 41] = {
    let mut weights = [0; 41];
    let mut n = 0;
    while n < 41 {
        let x = (n as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d);
        weights[n] = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 8;
        n += 1;
    }
    weights
};

/// Computes canonical forms; holds scratch space.
pub struct Canon<'s> {
    space: &'s Space,
    colours: Colours,
}

impl<'s> Canon<'s> {
    /// For sets of points of `space`.
    #[must_use]
    pub fn new(space: &'s Space) -> Self {
        Canon { space, colours: Colours::new() }
    }

    /// The class of `set`.
    #[must_use]
    pub fn class(&mut self, set: PointSet) -> Class {
        self.colours.load(set);
        self.colours.first(self.space);
        self.colours.refine(self.space);
        self.least_image(set)
    }

    /// The class of `set` if `point`, a member, has the greatest colour in it.
    fn class_if_greatest(&mut self, set: PointSet, point: u8) -> Option<Class> {
        self.colours.load(set);
        self.colours.first(self.space);
        let count = self.colours.count;
        let at = self.colours.members[..count].iter().position(|&m| m == point)?;
        let first = self.colours.colour;
        if first[..count].iter().any(|&c| c > first[at]) {
            return None;
        }
        // Where first colours tie, the refined ones decide: they are preserved just the same.
        self.colours.refine(self.space);
        let refined = &self.colours.colour;
        if (0..count).any(|i| first[i] == first[at] && refined[i] > refined[at]) {
            return None;
        }
        Some(self.least_image(set))
    }

    fn least_image(&mut self, set: PointSet) -> Class {
        let mut search = Search {
            space: self.space,
            colours: &self.colours,
            set,
            best: PointSet::MAX,
            attained: 0,
            coordinates: [0; 81],
            frame: [0; 5],
        };
        let rank = search.start();
        Class {
            set: search.best,
            stabiliser: search.attained * self.space.completions(rank) * search.translations(),
        }
    }
}

struct Search<'a> {
    space: &'a Space,
    colours: &'a Colours,
    set: PointSet,
    best: PointSet,
    attained: u64,
    /// The point with these coordinates in the present frame.
    coordinates: [u8; 81],
    frame: [u8; 5],
}

impl Search<'_> {
    /// Looks through the frames; the number of independent vectors in each.
    fn start(&mut self) -> u32 {
        let members = &self.colours.members[..self.colours.count];
        if members.is_empty() {
            (self.best, self.attained) = (0, 1);
            return 0;
        }
        // The rarest colour, then the least.
        let colour = &self.colours.colour[..self.colours.count];
        let key = |c: u64| (colour.iter().filter(|&&d| d == c).count(), c);
        let least = colour.iter().map(|&c| key(c)).min().unwrap_or_default().1;
        let mut rank = 0;
        for (i, &point) in members.iter().enumerate() {
            if colour[i] == least {
                self.coordinates[0] = point;
                self.frame[0] = point;
                let mut keys = [0u64; 81];
                keys[..colour.len()].copy_from_slice(colour);
                self.note(0, &mut keys);
                rank = self.extend(0, 1 << point, &keys);
            }
        }
        rank
    }

    /// An empty set is fixed by translations too; any other has its first point fixed by the frame.
    fn translations(&self) -> u64 {
        if self.set == 0 { self.space.size() as u64 } else { 1 }
    }

    /// Adds to each member's key the colour of its third with the frame's newest point.
    fn note(&self, depth: usize, keys: &mut [u64; 81]) {
        let newest = self.frame[depth];
        for (i, &point) in self.colours.members[..self.colours.count].iter().enumerate() {
            if point != newest {
                let third = self.colours.thirds[usize::from(self.space.third(newest, point))];
                keys[i] = mix(keys[i] ^ third.rotate_left(depth as u32 * 7 + 3));
            }
        }
    }

    fn extend(&mut self, depth: usize, span: PointSet, keys: &[u64; 81]) -> u32 {
        let members = &self.colours.members;
        let count = self.colours.count;
        let free = |i: usize| span >> members[i] & 1 == 0;
        let Some(least) = (0..count).filter(|&i| free(i)).map(|i| keys[i]).min() else {
            self.compare(depth);
            return depth as u32;
        };
        let width = 3usize.pow(depth as u32);
        let mut rank = 0;
        for i in 0..count {
            if !free(i) || keys[i] != least {
                continue;
            }
            let point = members[i];
            let step = self.space.plus(point, self.space.minus(self.frame[0]));
            let mut spanned = span;
            for at in 0..width {
                let once = self.space.plus(self.coordinates[at], step);
                let twice = self.space.plus(once, step);
                self.coordinates[at + width] = once;
                self.coordinates[at + 2 * width] = twice;
                spanned |= 1 << once | 1 << twice;
            }
            self.frame[depth + 1] = point;
            if depth as u32 + 1 == self.space.dim() {
                self.compare(depth + 1);
                rank = depth as u32 + 1;
                continue;
            }
            let mut next = *keys;
            self.note(depth + 1, &mut next);
            rank = self.extend(depth + 1, spanned, &next);
        }
        rank
    }

    fn compare(&mut self, depth: usize) {
        let width = 3usize.pow(depth as u32);
        let mut image: PointSet = 0;
        // From the highest coordinates down, so that the first difference decides.
        for at in (0..width).rev() {
            image |= (self.set >> self.coordinates[at] & 1) << at;
            if at & 15 == 0 && image > self.best {
                return;
            }
        }
        if image < self.best {
            (self.best, self.attained) = (image, 1);
        } else if image == self.best {
            self.attained += 1;
        }
    }
}

/// A property of sets of points, as the points that may be added to a good set.
pub trait Hereditary {
    /// Whether *every* subset of a good set is good. If only some subset one point smaller is sure to be good, say
    /// `false`: then every extension is tried, which takes longer.
    const EVERY_SUBSET: bool = true;

    /// The points outside `set`, a good set, that leave it good when added.
    fn extensions(&self, space: &Space, set: PointSet) -> PointSet;
}

impl<F: Fn(&Space, PointSet) -> PointSet> Hereditary for F {
    fn extensions(&self, space: &Space, set: PointSet) -> PointSet {
        self(space, set)
    }
}

/// Point sets are well mixed already: one multiplication is hash enough.
#[derive(Default)]
pub(crate) struct SetHasher(u64);

impl Hasher for SetHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = mix(self.0 ^ u64::from(b));
        }
    }
    fn write_u128(&mut self, n: u128) {
        self.0 = mix(n as u64 ^ mix((n >> 64) as u64));
    }
}

pub(crate) type SetMap<T> = HashMap<PointSet, T, BuildHasherDefault<SetHasher>>;

/// The classes of good sets one point larger than those of `level`.
#[must_use]
pub fn next_level<P: Hereditary>(space: &Space, level: &[Class], property: &P) -> Vec<Class> {
    let mut canon = Canon::new(space);
    let mut found: SetMap<u64> = SetMap::default();
    for class in level {
        for point in points(property.extensions(space, class.set)) {
            let set = class.set | 1 << point;
            let extended =
                if P::EVERY_SUBSET { canon.class_if_greatest(set, point) } else { Some(canon.class(set)) };
            if let Some(class) = extended {
                found.insert(class.set, class.stabiliser);
            }
        }
    }
    let mut level: Vec<Class> =
        found.into_iter().map(|(set, stabiliser)| Class { set, stabiliser }).collect();
    level.sort_unstable_by_key(|class| class.set);
    level
}

/// The classes of good sets of sizes 0 to `most`, smallest first; ends with the last size that has any.
#[must_use]
pub fn levels(space: &Space, most: usize, property: &impl Hereditary) -> Vec<Vec<Class>> {
    let mut levels = vec![vec![Class { set: 0, stabiliser: space.group_order() }]];
    while levels.len() <= most {
        let next = next_level(space, &levels[levels.len() - 1], property);
        if next.is_empty() {
            break;
        }
        levels.push(next);
    }
    levels
}

/// Number of sets in a class.
#[must_use]
pub fn members(space: &Space, class: &Class) -> u64 {
    space.group_order() / class.stabiliser
}
