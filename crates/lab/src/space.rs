//! The affine geometry AG(n,3), n = 1 to 4: points, thirds, sets of points.
//!
//! A point is the number of its coordinates read in base 3, as a pattern card is (pattern/CARD-2). Three different
//! points are a *line* (a Set) iff they sum to zero; `third(a,b) = -(a+b)` completes the line through two.

/// A set of up to 81 points.
pub type PointSet = u128;

/// AG(n,3) with its tables.
#[derive(Clone, Debug)]
pub struct Space {
    dim: u32,
    size: usize,
    third: Box<[[u8; 81]; 81]>,
    /// `plus[a][b]`: the sum as vectors.
    plus: Box<[[u8; 81]; 81]>,
}

impl Space {
    /// AG(`dim`,3).
    ///
    /// # Panics
    /// If `dim` is not 1 to 4.
    #[must_use]
    pub fn new(dim: u32) -> Space {
        assert!((1..=4).contains(&dim), "dimension 1 to 4");
        let size = 3usize.pow(dim);
        let (mut third, mut plus) = (Box::new([[0; 81]; 81]), Box::new([[0; 81]; 81]));
        for a in 0..81usize {
            for b in 0..81usize {
                let (mut sum, mut opposite, mut place) = (0, 0, 1);
                for _ in 0..4 {
                    let digit = (a / place % 3 + b / place % 3) % 3;
                    sum += digit * place;
                    opposite += (3 - digit) % 3 * place;
                    place *= 3;
                }
                plus[a][b] = sum as u8;
                third[a][b] = opposite as u8;
            }
        }
        Space { dim, size, third, plus }
    }

    /// n.
    #[must_use]
    pub fn dim(&self) -> u32 {
        self.dim
    }

    /// Number of points, 3^n.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// All points.
    #[must_use]
    pub fn all(&self) -> PointSet {
        (1 << self.size) - 1
    }

    /// The point that completes the line through two different points (PAT-THIRD).
    #[inline]
    #[must_use]
    pub fn third(&self, a: u8, b: u8) -> u8 {
        self.third[a as usize][b as usize]
    }

    /// `a + b` as vectors.
    #[inline]
    #[must_use]
    pub fn plus(&self, a: u8, b: u8) -> u8 {
        self.plus[a as usize][b as usize]
    }

    /// `-a` as a vector.
    #[inline]
    #[must_use]
    pub fn minus(&self, a: u8) -> u8 {
        self.third[a as usize][0]
    }

    /// Order of the affine group AGL(n,3): 3^n (3^n - 1)(3^n - 3) ... (3^n - 3^(n-1)).
    #[must_use]
    pub fn group_order(&self) -> u64 {
        self.completions(0) * self.size as u64
    }

    /// In how many ways `rank` independent vectors can be completed to an ordered basis.
    #[must_use]
    pub fn completions(&self, rank: u32) -> u64 {
        (rank..self.dim).map(|i| self.size as u64 - 3u64.pow(i)).product()
    }
}

/// The points of a set, ascending.
pub fn points(mut set: PointSet) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let point = set.trailing_zeros() as u8;
            set &= set - 1;
            point
        })
    })
}
