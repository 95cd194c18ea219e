//! Windows in which several seats are asked about one card, and who has it.

use crate::compiled::CompiledRules;
use crate::rules::Tie;
use crate::sealed::{Call, Sealed};
use crate::state::Flow;
use game::{Seat, SeatSet};

/// A window in which several seats are asked about one card.
pub(crate) struct Window {
    /// From whom on turn order counts.
    pub first: Seat,
    pub asked: SeatSet,
    pub tie: Tie,
    /// Whether it asks for Shanghai claims; else about an offer.
    pub claims: bool,
    /// Whether it closes, so that who is undecided passes.
    pub last: bool,
}

impl Sealed {
    /// Who has the card, once that is certain: `Some(None)` if nobody.
    pub(crate) fn settled(
        &self,
        compiled: &CompiledRules,
        flow: &Flow,
        window: &Window,
    ) -> Option<Option<Seat>> {
        let &Window { first, asked, tie, claims, last } = window;
        let mut soonest: Option<Seat> = None;
        let mut open = false;
        for seat in flow.order(compiled, first).filter(|&s| asked.has(s)) {
            let own = &self.own[seat.index()];
            let answer = if claims {
                match own.call {
                    Call::Open => None,
                    Call::Pass => Some(false),
                    Call::Claim(_) => Some(true),
                }
            } else {
                own.answer
            };
            match answer {
                Some(true) => match tie {
                    // The best-placed undecided seat can no longer beat this one.
                    Tie::TurnOrder if open && !last => return None,
                    Tie::TurnOrder => return Some(Some(seat)),
                    Tie::FirstCall => {
                        let earlier = |s: Seat| self.since[s.index()] < self.since[seat.index()];
                        if !soonest.is_some_and(earlier) {
                            soonest = Some(seat);
                        }
                    }
                },
                Some(false) => {}
                None => open = true,
            }
        }
        match soonest {
            Some(seat) => Some(Some(seat)),
            None if open && !last => None,
            None => Some(None),
        }
    }
}
