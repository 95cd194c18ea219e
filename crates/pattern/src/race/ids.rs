//! Which rule ids a refusal cites: those of the game, those it inherits, those of the machinery. They follow from
//! what the rules say, never from a preset's name.

use crate::rules::{
    DealStyle, Dealer, End, Grouping, Mechanism, Multiplicity, NoClaimAction, Pattern, Penalty, Removed,
    Rules, Sources, Tie, To,
};
use cards::Deck;

pub(crate) type Ids = Vec<&'static str>;

/// What a rule of a game may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// The shape of a claim and what it is made of.
    Claim,
    /// That a call comes before the claim, and locks.
    Call,
    /// What a wrong claim brings.
    Wrong,
    /// The agreement that there is no claim.
    NoClaim,
    /// How a deal ends.
    End,
}

/// What applies to some games, and the rules that say so about each topic; a game's own stand before those it inherits.
type Cited = (fn(&Rules) -> bool, &'static [(Topic, &'static [&'static str])]);

/// All that is cited of the games' own rules, in the order in which it is.
const CITED: &[Cited] = {
    use Topic::{Call, Claim, End as Ending, NoClaim, Wrong};
    &[
        (
            |r| r.mechanism == Mechanism::Scout,
            &[
                (Claim, &["SCOUT-2"]),
                (Call, &["SCOUT-2"]),
                (Wrong, &["SCOUT-8"]),
                (NoClaim, &["SCOUT-11"]),
                (Ending, &["SCOUT-11"]),
            ],
        ),
        (
            |r| r.to == To::Discard,
            &[
                (Claim, &["TWTY-3"]),
                (Wrong, &["TWTY-5"]),
                (NoClaim, &["TWTY-12", "A-41"]),
                (Ending, &["TWTY-8"]),
            ],
        ),
        (
            |r| r.sources == Sources::Hand && r.to != To::Discard,
            &[
                (Claim, &["HANDS-2"]),
                (Call, &["HANDS-7"]),
                (Wrong, &["HANDS-7"]),
                (NoClaim, &["HANDS-5"]),
                (Ending, &["HANDS-6"]),
            ],
        ),
        (|r| r.hand > 0 && r.private_hands(), &[(Claim, &["HANDS-4", "A-31"])]),
        (|r| r.removed == Removed::One, &[(Claim, &["CPLX-1", "CPLX-2", "A-32"])]),
        (
            |r| r.sources == Sources::Previous,
            &[
                (Claim, &["CHAIN-2", "CHAIN-3"]),
                (Call, &["CHAIN-1"]),
                (Wrong, &["CHAIN-9"]),
                (NoClaim, &["CHAIN-7"]),
                (Ending, &["CHAIN-11"]),
            ],
        ),
        (|r| r.pattern == Pattern::Super && r.pairing == Grouping::Declared, &[(Claim, &["SUPW-1", "A-22"])]),
        (
            |r| r.pattern == Pattern::Super,
            &[
                (Claim, &["SUPH-2", "SUPH-3", "PAT-SUPER"]),
                (Call, &["SUPH-1"]),
                (NoClaim, &["SUPH-6"]),
                (Ending, &["SUPH-7"]),
            ],
        ),
        (
            |r| r.pattern == Pattern::Ultra1,
            &[(Claim, &["ULTRA-2", "PAT-ULTRA"]), (NoClaim, &["ULTRA-4"]), (Ending, &["ULTRA-6"])],
        ),
        (
            |r| r.pattern == Pattern::Ultra2,
            &[(Claim, &["ULT9-2", "PAT-ULTRA"]), (NoClaim, &["ULT9-4"]), (Ending, &["ULT9-5"])],
        ),
        (
            |r| r.multiplicity == Multiplicity::Double,
            &[(Claim, &["DBL-1", "DBL-3", "PAT-DOUBLE"]), (NoClaim, &["DBL-5"]), (Ending, &["DBL-6"])],
        ),
        (
            |r| r.multiplicity == Multiplicity::Eight,
            &[
                (Claim, &["EIGHT-2", "EIGHT-3", "PAT-EIGHT", "A-29", "A-30"]),
                (NoClaim, &["EIGHT-5"]),
                (Ending, &["EIGHT-5"]),
            ],
        ),
        (
            |r| r.multiplicity != Multiplicity::Single && (r.pattern != Pattern::Set || r.deck != Deck::D81),
            &[(Claim, &["MIX-1"])],
        ),
        (|r| r.deck == Deck::D243, &[(Claim, &["MEGA-1", "MIX-2"]), (NoClaim, &["MEGA-4", "MEGA-6"])]),
        (|r| r.deck == Deck::D27, &[(Claim, &["QUICK-1", "QUICK-2", "A-51"]), (NoClaim, &["QUICK-3"])]),
        (
            |r| r.end == End::Goal,
            &[(Call, &["TRIAL-1"]), (Wrong, &["TRIAL-3"]), (NoClaim, &["TRIAL-1"]), (Ending, &["TRIAL-2"])],
        ),
        (
            |r| r.solo(),
            &[
                (Claim, &["SOLO-1"]),
                (Call, &["SOLO-4"]),
                (Wrong, &["SOLO-4"]),
                (NoClaim, &["SOLO-2"]),
                (Ending, &["SOLO-3"]),
            ],
        ),
        (
            |r| r.deal_style == DealStyle::Progressive,
            &[
                (Claim, &["SETW-3"]),
                (Call, &["SETW-1", "SETW-2"]),
                (Wrong, &["SETW-6"]),
                (NoClaim, &["SETW-4"]),
                (Ending, &["SETW-5"]),
            ],
        ),
        (
            |r| r.tie == Tie::Shared || r.penalty == Penalty::HeapSet || r.dealer == Dealer::SitsOut,
            &[
                (Claim, &["SETT-3"]),
                (Call, &["SETT-6", "SETT-7"]),
                (Wrong, &["SETT-5"]),
                (NoClaim, &["SETT-9"]),
                (Ending, &["SETT-10"]),
            ],
        ),
        (|r| r.no_claim_action == NoClaimAction::Extra3, &[(NoClaim, &["CORE-18"])]),
        (|r| r.pattern == Pattern::Set, &[(Claim, &["PAT-SET"])]),
        (
            |_| true,
            &[
                (Claim, &["SET-2"]),
                (Call, &["SET-3"]),
                (Wrong, &["SET-5"]),
                (NoClaim, &["SET-6"]),
                (Ending, &["SET-7"]),
            ],
        ),
    ]
};

impl Rules {
    /// The rule ids of this game about `topic`, its own first.
    pub(crate) fn ids(&self, topic: Topic) -> Ids {
        let applying = CITED.iter().filter(|(applies, _)| applies(self)).flat_map(|(_, of)| *of);
        applying.filter(|(about, _)| *about == topic).flat_map(|(_, ids)| ids.iter().copied()).collect()
    }

    /// For a claim that has not this game's shape.
    pub(crate) fn shape_ids(&self) -> Ids {
        let mut ids = self.ids(Topic::Claim);
        ids.extend(["Q-01", "Q-28"]);
        ids
    }

    /// For a claim of a card that does not lie open to the seat.
    pub(crate) fn gone_ids(&self) -> Ids {
        let mut ids = self.ids(Topic::Claim);
        ids.extend(["CORE-7", "Q-01"]);
        if self.sources == Sources::Previous {
            ids.extend(["CHAIN-5", "A-19"]);
        }
        ids
    }

    /// Whether simultaneous calls are shared.
    pub(crate) fn ties(&self) -> bool {
        self.tie == Tie::Shared && self.tie_window_ms > 0
    }
}
