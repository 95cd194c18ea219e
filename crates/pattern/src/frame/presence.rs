//! Coming and going at a table (LEAVE-1 to LEAVE-7). Every mechanism asks here what it means.

use crate::rules::Rules;
use game::{Millis, Presence, Refusal, Say, say};
use serde::{Deserialize, Serialize};

/// Whether somebody holds a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SeatHeld")]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// By a connected player.
    Here,
    /// By a player whose connection was lost (LEAVE-1).
    Away {
        /// When it was lost.
        since: Millis,
    },
    /// By nobody any more (LEAVE-2).
    Retired,
}

/// LEAVE-1: after this long without a connection nobody waits for a seat's consent, in milliseconds.
const PATIENCE: u32 = 15_000;

impl Held {
    /// From when the others no longer wait for the consent of a player who is away; none if it is waited for, or there is
    /// nobody to wait for.
    pub(crate) fn unneeded_from(self) -> Option<Millis> {
        match self {
            Held::Away { since } => Some(since.after(PATIENCE)),
            Held::Here | Held::Retired => None,
        }
    }

    /// Whether the others wait for the seat's consent at `at` (LEAVE-1, Q-15).
    pub(crate) fn needed(self, at: Millis) -> bool {
        self != Held::Retired && self.unneeded_from().is_none_or(|from| at < from)
    }

    /// When the grace of a player who is away is over (LEAVE-2).
    pub(crate) fn grace_ends(self, rules: &Rules) -> Option<Millis> {
        match self {
            Held::Away { since } => Some(since.after(u32::from(rules.grace_s) * 1000)),
            Held::Here | Held::Retired => None,
        }
    }
}

/// What a coming or going does to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Its player's connection is lost.
    Away,
    /// Its player is there again.
    Back,
    /// It is out of the match.
    Retired,
    /// A retired player is there again and comes in with the next deal, or is gone again before it.
    Returning(bool),
    /// A retired seat is taken: by the player who had it (`again`), or by a new one.
    Joined { again: bool },
}

/// A seat, as far as coming and going are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub held: Held,
    /// Whether its retired player is there again and waits for the next deal.
    pub returning: bool,
    /// Whether cards are dealt, so that nobody comes in.
    pub dealt: bool,
}

impl Place {
    /// Judges a coming or going.
    ///
    /// # Errors
    /// If it is none, or the seat is not free to be taken.
    pub fn change(self, rules: &Rules, presence: Presence) -> Result<Change, Refusal> {
        let refuse = |ids: &[&'static str], say: Say| Err(Refusal::new(ids, say));
        match (presence, self.held) {
            (Presence::Dropped, Held::Here) => Ok(Change::Away),
            (Presence::Dropped, Held::Away { .. }) => refuse(&["LEAVE-1"], say!("no.lost_already")),
            (Presence::Left, Held::Here | Held::Away { .. }) => Ok(Change::Retired),
            (Presence::Dropped | Presence::Left, Held::Retired) if self.returning => {
                Ok(Change::Returning(false))
            }
            (Presence::Dropped | Presence::Left, Held::Retired) => refuse(&["LEAVE-2"], say!("no.out")),
            (Presence::Back | Presence::Joined, Held::Away { .. }) => Ok(Change::Back),
            (Presence::Back | Presence::Joined, Held::Here) => {
                refuse(&["LEAVE-7"], say!("no.somebody_sits_there"))
            }
            (Presence::Back | Presence::Joined, Held::Retired) if !rules.late_join => {
                refuse(&["LEAVE-7", "Q-26"], say!("no.has_begun"))
            }
            (Presence::Back, Held::Retired) if self.returning => {
                refuse(&["LEAVE-7"], say!("no.waits_already"))
            }
            (Presence::Back, Held::Retired) if self.dealt => Ok(Change::Returning(true)),
            (Presence::Joined, Held::Retired) if self.dealt => {
                refuse(&["LEAVE-7"], say!("no.join_between_deals"))
            }
            (Presence::Back | Presence::Joined, Held::Retired) => {
                Ok(Change::Joined { again: presence == Presence::Back })
            }
        }
    }
}
