//! Everything that forbids an act, gathered so that the refusal can cite it all (Q-13).

use crate::{Refusal, Say};

/// What forbids an act: the first reason in words, and the rules of all.
///
/// ```
/// use game::{Objections, say};
/// let mut no = Objections::new();
/// no.when(true, &["RF-1"], || say!("no.not_your_turn"));
/// no.when(false, &["RF-3"], || say!("no.over"));
/// no.object(&["RF-2"], say!("no.over"));
/// assert_eq!(no.settle().unwrap_err().rules, ["RF-1", "RF-2"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Objections(Option<Refusal>);

impl Objections {
    /// Nothing forbids it.
    #[must_use]
    pub const fn new() -> Objections {
        Objections(None)
    }

    /// Whether nothing forbids it so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Objects where it is forbidden.
    #[inline(always)]
    pub fn when(&mut self, forbidden: bool, rules: &[&'static str], say: impl FnOnce() -> Say) {
        if forbidden {
            self.object(rules, say());
        }
    }

    /// Objects, by these rules.
    #[cold]
    pub fn object(&mut self, rules: &[&'static str], say: Say) {
        self.0.get_or_insert_with(|| Refusal::new(&[], say)).cite(rules.iter().copied());
    }

    /// Takes in what something else refuses the act for; what it comes to if it does not.
    #[inline(always)]
    pub fn also<T>(&mut self, judged: Result<T, Refusal>) -> Option<T> {
        match judged {
            Ok(value) => return Some(value),
            Err(refusal) => self.add(refusal),
        }
        None
    }

    /// Takes in a refusal.
    #[cold]
    pub fn add(&mut self, refusal: Refusal) {
        match &mut self.0 {
            Some(first) => first.cite(refusal.rules),
            None => self.0 = Some(refusal),
        }
    }

    /// Rules that forbid the act as well, if anything does.
    pub fn cite(&mut self, rules: &[&'static str]) {
        if let Some(refusal) = &mut self.0 {
            refusal.cite(rules.iter().copied());
        }
    }

    /// `Ok` if nothing forbids it.
    ///
    /// # Errors
    /// What forbids it.
    #[inline(always)]
    pub fn settle(self) -> Result<(), Refusal> {
        self.allow(Some(()))
    }

    /// What was judged, where nothing forbids it. Whatever could not be judged is to be forbidden by something.
    ///
    /// # Errors
    /// What forbids it.
    #[inline(always)]
    pub fn allow<T>(self, judged: Option<T>) -> Result<T, Refusal> {
        debug_assert!(self.0.is_some() || judged.is_some(), "not judged, and not forbidden");
        match (self.0, judged) {
            (None, Some(judged)) => Ok(judged),
            (refusal, _) => Err(refusal.unwrap_or_default()),
        }
    }
}
