//! The newest answer wins: who asks anew no longer wants what was asked before.

use leptos::prelude::*;

/// Questions of one kind.
#[derive(Clone, Copy)]
pub struct Latest(StoredValue<u32>);

/// The turn of one question: it holds until the next is asked, or whoever asks has gone.
#[derive(Clone, Copy)]
pub struct Turn {
    latest: StoredValue<u32>,
    number: u32,
}

impl Latest {
    /// Nothing is asked yet.
    #[must_use]
    pub fn new() -> Latest {
        Latest(StoredValue::new(0))
    }

    /// Begins a question, and with it ends the turn of every earlier one.
    #[must_use]
    pub fn ask(self) -> Turn {
        self.0.update_value(|n| *n += 1);
        Turn { latest: self.0, number: self.0.try_get_value().unwrap_or_default() }
    }
}

impl Turn {
    /// Whether the answer is still wanted.
    #[must_use]
    pub fn holds(self) -> bool {
        self.latest.try_get_value() == Some(self.number)
    }
}
