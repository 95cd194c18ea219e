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

impl Rules {
    /// The rule ids of this game about `topic`, its own first.
    pub(crate) fn ids(&self, topic: Topic) -> Ids {
        use Topic::{Call, Claim, End as Ending, NoClaim, Wrong};
        let mut ids = Ids::new();
        let mut add = |applies: bool, of: &[(Topic, &[&'static str])]| {
            if applies {
                let found = of.iter().filter(|(t, _)| *t == topic);
                ids.extend(found.flat_map(|(_, ids)| ids.iter().copied()));
            }
        };
        let heap =
            self.tie == Tie::Shared || self.penalty == Penalty::HeapSet || self.dealer == Dealer::SitsOut;
        let many = self.multiplicity != Multiplicity::Single;
        let (twenty, hands) =
            (self.to == To::Discard, self.sources == Sources::Hand && self.to != To::Discard);
        let mega = self.deck == Deck::D243;
        add(
            self.mechanism == Mechanism::Scout,
            &[
                (Claim, &["SCOUT-2"]),
                (Call, &["SCOUT-2"]),
                (Wrong, &["SCOUT-8"]),
                (NoClaim, &["SCOUT-11"]),
                (Ending, &["SCOUT-11"]),
            ],
        );
        add(
            twenty,
            &[
                (Claim, &["TWTY-3"]),
                (Wrong, &["TWTY-5"]),
                (NoClaim, &["TWTY-12", "A-41"]),
                (Ending, &["TWTY-8"]),
            ],
        );
        add(
            hands,
            &[
                (Claim, &["HANDS-2"]),
                (Call, &["HANDS-7"]),
                (Wrong, &["HANDS-7"]),
                (NoClaim, &["HANDS-5"]),
                (Ending, &["HANDS-6"]),
            ],
        );
        add(self.hand > 0 && self.private_hands(), &[(Claim, &["HANDS-4", "A-31"])]);
        add(self.removed == Removed::One, &[(Claim, &["CPLX-1", "CPLX-2", "A-32"])]);
        add(
            self.sources == Sources::Previous,
            &[
                (Claim, &["CHAIN-2", "CHAIN-3"]),
                (Call, &["CHAIN-1"]),
                (Wrong, &["CHAIN-9"]),
                (NoClaim, &["CHAIN-7"]),
                (Ending, &["CHAIN-11"]),
            ],
        );
        add(
            self.pattern == Pattern::Super && self.pairing == Grouping::Declared,
            &[(Claim, &["SUPW-1", "A-22"])],
        );
        add(
            self.pattern == Pattern::Super,
            &[
                (Claim, &["SUPH-2", "SUPH-3", "PAT-SUPER"]),
                (Call, &["SUPH-1"]),
                (NoClaim, &["SUPH-6"]),
                (Ending, &["SUPH-7"]),
            ],
        );
        add(
            self.pattern == Pattern::Ultra1,
            &[(Claim, &["ULTRA-2", "PAT-ULTRA"]), (NoClaim, &["ULTRA-4"]), (Ending, &["ULTRA-6"])],
        );
        add(
            self.pattern == Pattern::Ultra2,
            &[(Claim, &["ULT9-2", "PAT-ULTRA"]), (NoClaim, &["ULT9-4"]), (Ending, &["ULT9-5"])],
        );
        add(
            self.multiplicity == Multiplicity::Double,
            &[(Claim, &["DBL-1", "DBL-3", "PAT-DOUBLE"]), (NoClaim, &["DBL-5"]), (Ending, &["DBL-6"])],
        );
        add(
            self.multiplicity == Multiplicity::Eight,
            &[
                (Claim, &["EIGHT-2", "EIGHT-3", "PAT-EIGHT", "A-29", "A-30"]),
                (NoClaim, &["EIGHT-5"]),
                (Ending, &["EIGHT-5"]),
            ],
        );
        add(many && (self.pattern != Pattern::Set || mega || self.deck == Deck::D27), &[(Claim, &["MIX-1"])]);
        add(mega, &[(Claim, &["MEGA-1", "MIX-2"]), (NoClaim, &["MEGA-4", "MEGA-6"])]);
        add(self.deck == Deck::D27, &[(Claim, &["QUICK-1", "QUICK-2", "A-51"]), (NoClaim, &["QUICK-3"])]);
        add(
            self.end == End::Goal,
            &[(Call, &["TRIAL-1"]), (Wrong, &["TRIAL-3"]), (NoClaim, &["TRIAL-1"]), (Ending, &["TRIAL-2"])],
        );
        add(
            self.solo(),
            &[
                (Claim, &["SOLO-1"]),
                (Call, &["SOLO-4"]),
                (Wrong, &["SOLO-4"]),
                (NoClaim, &["SOLO-2"]),
                (Ending, &["SOLO-3"]),
            ],
        );
        add(
            self.deal_style == DealStyle::Progressive,
            &[
                (Claim, &["SETW-3"]),
                (Call, &["SETW-1", "SETW-2"]),
                (Wrong, &["SETW-6"]),
                (NoClaim, &["SETW-4"]),
                (Ending, &["SETW-5"]),
            ],
        );
        add(
            heap,
            &[
                (Claim, &["SETT-3"]),
                (Call, &["SETT-6", "SETT-7"]),
                (Wrong, &["SETT-5"]),
                (NoClaim, &["SETT-9"]),
                (Ending, &["SETT-10"]),
            ],
        );
        add(self.no_claim_action == NoClaimAction::Extra3, &[(NoClaim, &["CORE-18"])]);
        add(self.pattern == Pattern::Set, &[(Claim, &["PAT-SET"])]);
        add(
            true,
            &[
                (Claim, &["SET-2"]),
                (Call, &["SET-3"]),
                (Wrong, &["SET-5"]),
                (NoClaim, &["SET-6"]),
                (Ending, &["SET-7"]),
            ],
        );
        ids
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
