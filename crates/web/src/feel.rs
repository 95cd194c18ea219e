//! What a moment sounds and feels like: tones and the rustle of cards, and on a phone a touch of the motor. One list for every table.

use crate::dom;
use crate::prefs::prefs;
use leptos::prelude::*;

/// A moment that is heard, and by some felt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It is this person's turn.
    Turn,
    /// This person found what was sought.
    Found,
    /// Somebody else did.
    FoundByOther,
    /// This person claimed wrongly.
    Wrong,
    /// Somebody else did.
    WrongByOther,
    /// Somebody else called.
    Called,
    /// A card was drawn or thrown.
    Card,
    /// Cards were laid on the table.
    Laid,
}

impl Moment {
    /// Tones one after another: hertz and milliseconds of each.
    const fn tones(self) -> &'static [(f32, u32)] {
        match self {
            Moment::Turn => &[(523.0, 110), (659.0, 150)],
            Moment::Found => &[(659.0, 90), (880.0, 90), (1175.0, 160)],
            Moment::FoundByOther => &[(587.0, 90), (659.0, 120)],
            Moment::Wrong | Moment::WrongByOther => &[(233.0, 140), (185.0, 200)],
            Moment::Called => &[(784.0, 70)],
            Moment::Card | Moment::Laid => &[],
        }
    }

    /// How often a card rustles.
    const fn rustles(self) -> u32 {
        match self {
            Moment::Card => 1,
            Moment::Laid => 3,
            _ => 0,
        }
    }

    /// How long the motor runs, in milliseconds: only for what this person did or must do.
    const fn shakes(self) -> u32 {
        match self {
            Moment::Turn => 40,
            Moment::Found => 60,
            Moment::Wrong => 160,
            _ => 0,
        }
    }
}

/// Milliseconds after which a moment is heard: what is seen of it begins first.
const AFTER: i32 = 20;

/// Lets this person hear and feel it, as far as they like.
pub fn feel(moment: Moment) {
    let prefs = prefs().get_untracked();
    dom::after(AFTER, move || {
        if prefs.sound {
            dom::tones(moment.tones());
            dom::rustle(moment.rustles());
        }
        if prefs.vibration && moment.shakes() > 0 {
            dom::vibrate(moment.shakes());
        }
    });
}

/// A sample, for whoever just switched it on.
pub fn sample() {
    dom::tones(Moment::Found.tones());
    dom::rustle(1);
}
