//! What happened, and what a viewer learns of it.

use crate::command::Standing;
use crate::meld::{End, Meld};
use crate::state::Before;
use cards::Face;
use game::{Millis, Outcome, Presence, Seat, SeatSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened. `until` is when the clock of what now begins runs out, in match time; none if it has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Who deals first.
    Dealer {
        /// The dealer.
        seat: Seat,
        /// The cards drawn for it, where the highest deals; in seat order, those of a tie after them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<Face>,
    },
    /// A round begins; nothing is dealt yet.
    Round {
        /// Its place in the rules' list of rounds, from 0.
        round: u16,
        /// Number of the deal in the match, for chance.
        deal: u16,
        /// Who deals.
        dealer: Seat,
        /// Until when the cut is waited for.
        until: Option<Millis>,
    },
    /// The cutter has aimed; chance decides the rest.
    Aimed {
        /// Cards aimed at; none where chance alone decides.
        aim: Option<u16>,
    },
    /// The cut.
    Cut {
        /// Cards in the packet lifted.
        depth: u16,
        /// What it earns the cutter; 0 if it was not exact.
        points: i32,
    },
    /// The cards are dealt: one at a time in turn direction from the player after the dealer, then the upcard.
    Dealt {
        /// The whole pack, top first.
        deck: Vec<Face>,
        /// The card turned up.
        top: Option<Face>,
    },
    /// Somebody is asked for the contract of the round (HR-PICK-2).
    Choose {
        /// Who.
        seat: Seat,
        /// Until when.
        until: Option<Millis>,
    },
    /// The contract of the round is picked (HR-PICK-2).
    Chose {
        /// Its place in the rules' list of rounds, from 0.
        contract: u16,
    },
    /// The dealer is asked for the rank that is wild in the round (HR-WILD-4).
    Naming {
        /// Who.
        seat: Seat,
        /// Until when.
        until: Option<Millis>,
    },
    /// The dealer has named it (HR-WILD-4).
    Named {
        /// Its place in the pack, from 1.
        rank: u8,
    },
    /// Somebody loses a turn (HR-SKIP-2).
    Skipped {
        /// Who.
        seat: Seat,
    },
    /// Everybody is asked for the cards to pass on (HR-PASS-1).
    Passing {
        /// Until when.
        until: Option<Millis>,
    },
    /// A seat has chosen the cards that it passes on: they lie on the table, face down (HR-PASS-1).
    Gave {
        /// Who.
        seat: Seat,
        /// To whom.
        to: Seat,
        /// The cards. Private.
        cards: Vec<Face>,
        /// Until when the others must have chosen.
        until: Option<Millis>,
    },
    /// All have chosen: everybody takes up what was passed on (HR-PASS-1).
    PassedOn,
    /// A turn begins.
    Turn {
        /// Whose.
        seat: Seat,
        /// Whether the discard pile is closed for this turn (SH-CALL-1).
        protected: bool,
        /// Whether the discard may be claimed once the player to play has declined it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        claimable: bool,
        /// Turns in a row in which nothing happened while the stock was empty for good.
        idle: u8,
        /// Until when.
        until: Option<Millis>,
    },
    /// P0 declined the top discard.
    Declined {
        /// Milliseconds left on the turn clock, which now stands still.
        left: Option<u32>,
        /// Seats that may ask for it while P0 plays; none otherwise.
        open: SeatSet,
    },
    /// The top discard is offered.
    Offer {
        /// To whom: one simultaneous, secret choice.
        asked: SeatSet,
        /// Until when.
        until: Option<Millis>,
    },
    /// A seat answered an offer. Private.
    Answered {
        /// Who.
        seat: Seat,
        /// Whether it asks for the card.
        take: bool,
    },
    /// A seat set its standing answer. Private.
    Stands {
        /// Who.
        seat: Seat,
        /// What it is now.
        standing: Option<Standing>,
    },
    /// A seat got the top discard out of turn, or bought it in its own.
    Took {
        /// Who.
        seat: Seat,
        /// The card.
        card: Face,
        /// The card that shows now.
        top: Option<Face>,
        /// Penalty cards that follow.
        owed: u8,
    },
    /// A stock card that comes with a take.
    Penalty {
        /// Who gets it.
        seat: Seat,
        /// The card. Private.
        card: Face,
    },
    /// The stock is empty: the discard pile but for its top card is to be shuffled.
    Remake {
        /// Whether P0 then draws; else penalty cards are paid.
        draw: bool,
    },
    /// The new stock.
    Remade {
        /// Its cards, top first. Hidden.
        cards: Vec<Face>,
    },
    /// P0 is asked again about the top discard.
    Back {
        /// Whether nothing but taking it is left.
        forced: bool,
        /// Until when.
        until: Option<Millis>,
    },
    /// P0 drew, and may play.
    Drew {
        /// From the discard pile; else from the stock.
        discard: bool,
        /// The card. Private if it came from the stock.
        card: Face,
        /// The discard that shows now.
        top: Option<Face>,
        /// Until when.
        until: Option<Millis>,
    },
    /// The discard and a stock card were pushed to another player.
    Pushed {
        /// To whom.
        to: Seat,
        /// The discard.
        discard: Face,
        /// The stock card. Private.
        card: Face,
        /// The discard that shows now.
        top: Option<Face>,
    },
    /// P0 laid melds.
    Melded {
        /// The place in the rules' list of rounds of the contract laid; none for further melds once down.
        contract: Option<u16>,
        /// The melds, every card in its place.
        melds: Vec<Meld>,
    },
    /// P0 laid off.
    LaidOff {
        /// Number of the meld.
        on: u16,
        /// The cards.
        cards: Vec<Face>,
        /// The meld as it is now.
        meld: Meld,
    },
    /// P0 took a wild back.
    Reclaimed {
        /// Number of the meld.
        from: u16,
        /// The card put in its place.
        card: Face,
        /// The wild.
        wild: Face,
        /// The meld as it is now.
        meld: Meld,
        /// Whether the wild must be laid before the turn ends.
        pending: bool,
    },
    /// P0 took back the last play.
    Undone {
        /// How things were before it.
        before: Box<Before>,
    },
    /// P0's last act of the turn waits until the card that stayed open is settled. Private.
    Withheld {
        /// The discard; none if P0 holds.
        card: Option<Face>,
        /// Whether Shanghai is called to protect it.
        protect: bool,
    },
    /// P0 discarded.
    Discarded {
        /// The card.
        card: Face,
        /// Whether Shanghai was called to protect it.
        protect: bool,
    },
    /// P0 ended the turn without a discard.
    Held,
    /// The discard may be claimed.
    Claims {
        /// By whom.
        asked: SeatSet,
        /// Until when.
        until: Option<Millis>,
    },
    /// A seat decided about the claim. Private.
    Called {
        /// Who.
        seat: Seat,
        /// The meld it claims the card for; none for a pass.
        claim: Option<Claim>,
    },
    /// Nobody claimed the discard.
    Unclaimed,
    /// The discard was claimed: it lies on a meld, and the discarder is to pick from the claimer's hand.
    Claimed {
        /// By whom.
        seat: Seat,
        /// Number of the meld.
        on: u16,
        /// The meld as it is now.
        meld: Meld,
        /// The discard that shows now.
        top: Option<Face>,
        /// Until when the pick is waited for.
        until: Option<Millis>,
    },
    /// The discarder chose a place of the offered hand.
    PickedPlace {
        /// The place, from 1.
        place: u16,
    },
    /// The discarder got a card of the claimer's hand.
    Picked {
        /// The card. Only the two know it.
        card: Face,
    },
    /// The clock of a seat ran out: the rules move for it.
    TimedOut {
        /// Whose.
        seat: Seat,
    },
    /// The round is over and scored.
    RoundOver {
        /// Who went out; none if the round was blocked.
        winner: Option<Seat>,
        /// Points of each seat.
        points: Vec<i32>,
    },
    /// The match is over.
    Over(Outcome),
    /// Somebody came or went.
    Presence {
        /// Which seat.
        seat: Seat,
        /// How.
        presence: Presence,
        /// The clock of what is under way from now on.
        until: Option<Millis>,
    },
}

/// A Shanghai claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ShanghaiClaim")]
pub struct Claim {
    /// Number of the meld that the card is laid on.
    pub on: u16,
    /// Which end of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// What a viewer learns of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractNotice")]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// All of it: it is public, or the viewer's own.
    Open(Event),
    /// The cards were dealt.
    Dealt {
        /// The viewer's own hand; empty for the table.
        hand: Vec<Face>,
        /// The card turned up.
        top: Option<Face>,
    },
    /// Somebody has chosen the cards to pass on.
    Gave {
        /// Who.
        seat: Seat,
        /// To whom.
        to: Seat,
        /// Until when the others must have chosen.
        until: Option<Millis>,
    },
    /// All have chosen, and the viewer takes up what was passed on.
    Got {
        /// By whom.
        from: Seat,
        /// The cards.
        cards: Vec<Face>,
    },
    /// Somebody got a stock card with a take.
    Penalty {
        /// Who.
        seat: Seat,
    },
    /// The stock was remade.
    Remade,
    /// P0 drew from the stock.
    Drew {
        /// Until when P0 may play.
        until: Option<Millis>,
    },
    /// The discard and a stock card were pushed to another player.
    Pushed {
        /// To whom.
        to: Seat,
        /// The discard.
        discard: Face,
        /// The discard that shows now.
        top: Option<Face>,
    },
    /// The discarder got a card of the claimer's hand.
    Picked,
    /// The round is over and scored; all hands are shown.
    RoundOver {
        /// Who went out; none if the round was blocked.
        winner: Option<Seat>,
        /// Points of each seat.
        points: Vec<i32>,
        /// What each seat held.
        hands: Vec<Vec<Face>>,
    },
}
