//! What everybody may see of a race, and what happens in it.
//!
//! [`State`] is the shared half of truth and view: the truth holds one with every hand in it, a view one with the hidden
//! hands counted only. Both change by [`State::apply`] alone, so that what a viewer folds is what the truth shows.

use super::board::Board;
use crate::claim::{Claim, Few};
use crate::frame::presence::Held;
use crate::rules::Rules;
use arrayvec::ArrayVec;
use cards::Point;
use game::{Millis, Outcome, Seat, SeatSet};
use serde::{Deserialize, Serialize};

/// Where a match stands (CORE-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RacePhase")]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The deck is being shuffled; written `dealing`.
    Shuffling,
    /// Cards are laid one at a time (SETW-1).
    Dealing,
    /// Open to calls, claims and flags.
    Open,
    /// The window in which others may call, too (SETT-6).
    Tie,
    /// A call stands.
    Called,
    /// A sealed Set is searched (SCOUT-3).
    Scout,
    /// A deal is over and the next has not begun.
    Between,
    /// The match has ended.
    Over,
}

/// Until when a seat may not call or claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SeatLock")]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// Not locked, once this time has come.
    Until(Millis),
    /// Until the next right claim.
    NextClaim,
}

impl Lock {
    /// Not locked.
    pub const NONE: Lock = Lock::Until(Millis(0));

    /// Whether it holds at `at`.
    #[must_use]
    pub fn holds(self, at: Millis) -> bool {
        match self {
            Lock::Until(end) => at < end,
            Lock::NextClaim => true,
        }
    }
}

/// Personal cards: seen, or only counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceHand")]
#[serde(untagged)]
pub enum Hand {
    /// How many there are.
    Hidden(u8),
    /// Which they are, in the order in which they came.
    Seen(Vec<Point>),
}

impl Hand {
    /// How many cards.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Hand::Hidden(n) => usize::from(*n),
            Hand::Seen(cards) => cards.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cards that are seen; none of a hidden hand.
    #[must_use]
    pub fn cards(&self) -> &[Point] {
        match self {
            Hand::Hidden(_) => &[],
            Hand::Seen(cards) => cards,
        }
    }

    /// The same, counted only.
    #[must_use]
    pub fn hidden(&self) -> Hand {
        Hand::Hidden(self.len() as u8)
    }

    /// Takes in `cards`, which may be hidden.
    pub(crate) fn add(&mut self, cards: &Hand) {
        match (&mut *self, cards) {
            (Hand::Seen(own), Hand::Seen(new)) => own.extend_from_slice(new),
            (Hand::Hidden(n), new) => *n += new.len() as u8,
            (Hand::Seen(_), new) => *self = Hand::Hidden((self.len() + new.len()) as u8),
        }
    }

    /// Gives up `card`, which is known to be here.
    pub(crate) fn remove(&mut self, card: Point) {
        match self {
            Hand::Hidden(n) => *n = n.saturating_sub(1),
            Hand::Seen(cards) => cards.retain(|&c| c != card),
        }
    }
}

/// What everybody knows of a seat.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RacePlayer")]
pub struct Player {
    /// Whether somebody holds it.
    pub held: Held,
    /// Score of the match so far.
    pub score: i32,
    /// What this deal has changed of it.
    pub points: i32,
    /// Wrong claims of this deal, calls that ran out or were cancelled included.
    pub errors: u16,
    /// Patterns claimed rightly in this deal.
    pub sets: u16,
    /// Collected Sets that may still be paid with (SETT-5).
    pub sets_held: u16,
    /// Cards that left the layout for this seat in this deal, in order.
    pub taken: Vec<Point>,
    /// Personal cards.
    pub hand: Hand,
    /// The previous Set, or two of them one after the other (CHAIN-5).
    pub previous: Vec<Point>,
    /// whether the next claim may leave the chain.
    pub unlinked: bool,
    /// Until when no call or claim is allowed.
    pub lock: Lock,
    /// SCOUT-8: frozen since then.
    pub frozen: Option<Millis>,
    /// calls on the present layout that ran out, were cancelled, or ended as the connection was lost.
    pub wasted: u8,
}

copied!(Player {
    held,
    score,
    points,
    errors,
    sets,
    sets_held,
    taken,
    hand,
    previous,
    unlinked,
    lock,
    frozen,
    wasted
});

impl Player {
    /// Seconds of lockout that follow one more call that comes to nothing on the present layout, at least.
    pub(super) fn wasted_lockout(&self) -> u32 {
        match self.wasted {
            0 => 0,
            before => (2u32 << (before - 1).min(5)).min(60),
        }
    }

    pub(crate) fn new() -> Player {
        Player {
            held: Held::Here,
            score: 0,
            points: 0,
            errors: 0,
            sets: 0,
            sets_held: 0,
            taken: Vec::new(),
            hand: Hand::Seen(Vec::new()),
            previous: Vec::new(),
            unlinked: false,
            lock: Lock::NONE,
            frozen: None,
            wasted: 0,
        }
    }

    /// Whether the seat is out of the match (LEAVE-2).
    #[must_use]
    pub fn retired(&self) -> bool {
        self.held == Held::Retired
    }

    /// Whether the player is connected.
    #[must_use]
    pub fn here(&self) -> bool {
        self.held == Held::Here
    }
}

/// A call that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceCall")]
pub struct Call {
    /// Who called: one, or several in a tie. Who of several has answered is not told.
    pub callers: SeatSet,
    /// When the first called, fairness-adjusted.
    pub since: Millis,
    /// When the claim must be there; none without a clock (CORE-6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Millis>,
    /// Whether cards were still being laid (SETW-2).
    pub while_dealing: bool,
}

/// A scout search (SCOUT-3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ScoutSearch")]
pub struct Search {
    /// Whose Set is searched.
    pub finder: Seat,
    /// The card pointed at.
    pub points: Point,
    /// Who may search. Who of them has passed is not told.
    pub scouts: SeatSet,
    /// Who has failed and is out of this search (SCOUT-6).
    pub failed: SeatSet,
    /// When the window ends (SCOUT-7).
    pub deadline: Millis,
    /// A scout who must now show the third card: who, the card named, until when (SCOUT-5).
    pub showing: Option<Showing>,
}

/// A scout who named a card and must show the third one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ScoutShowing")]
pub struct Showing {
    /// Who.
    pub scout: Seat,
    /// The card named.
    pub named: Point,
    /// Until when.
    pub deadline: Millis,
}

/// How a claim was judged, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ClaimFinding")]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Right.
    Right {
        /// The joint of a SuperSET (the first of two).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joint: Option<Point>,
    },
    /// Right, but tied with another claim for a card: nobody scores (SETT-7).
    Clash,
    /// A group is no Set: bit `n` says that feature `n` splits two-and-one (CORE-8).
    Split {
        /// Which group of the claim, from 0.
        group: u8,
        /// The features.
        features: u8,
    },
    /// A group's cards are a Set, but its places in the zones are not (ULTRA-2, ULT9-2).
    Places {
        /// Which group of the claim, from 0.
        group: u8,
    },
    /// A group is no SuperSET, or its pairs are the wrong ones (PAT-SUPER, SUPW-1).
    NoSuper {
        /// Which group of the claim, from 0.
        group: u8,
    },
    /// Two patterns share a card (PAT-DOUBLE).
    Overlap,
    /// The cards cannot be split into the patterns claimed (DBL-3).
    NoSplit,
    /// The Sets cover fewer than eight cards, or one adds none where each must (PAT-EIGHT, A-30).
    TooFew,
    /// Not exactly one card of the previous Set (CHAIN-3).
    Link,
    /// No personal card where one is needed.
    NoPersonal,
    /// The clock ran out (CORE-6).
    Timeout,
    /// The clock ran out where that is no error.
    Lapsed,
    /// The call was withdrawn (CORE-6).
    Cancelled,
}

impl Finding {
    /// Whether it is right and counts.
    #[must_use]
    pub const fn right(self) -> bool {
        matches!(self, Finding::Right { .. })
    }
}

/// A claim, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ClaimVerdict")]
pub struct Verdict {
    /// Whose claim.
    pub seat: Seat,
    /// Right or wrong, and why.
    pub finding: Finding,
    /// What was claimed; nothing if a call ran out or was cancelled.
    #[serde(default, skip_serializing_if = "Claim::is_empty")]
    pub claim: Claim,
    /// What it does to the score.
    pub points: i32,
    /// Patterns it counts as (TRIAL-2).
    pub sets: u8,
    /// The cards that leave the layout, the hand or, as a link, nowhere.
    #[serde(default, skip_serializing_if = "few_is_empty")]
    pub taken: Few<12>,
    /// A wrong claim: until when its seat may not call.
    pub lock: Lock,
    /// A wrong claim: the collected Set that pays (SETT-5); may be unknown in a written position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pays: Option<Few<3>>,
    /// A wrong claim: whether a personal card is drawn (TWTY-5).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draws: bool,
}

fn few_is_empty<const N: usize>(few: &Few<N>) -> bool {
    few.is_empty()
}

/// A card laid from the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "LaidCard")]
pub struct Placed {
    /// Which zone.
    pub zone: u8,
    /// Which slot of it.
    pub slot: u8,
    /// The card.
    pub card: Point,
}

/// Why cards are laid or drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "LayingReason")]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// To fill what a claim has emptied (CORE-12).
    Refill,
    /// Nobody could claim (CORE-18).
    Extra,
    /// The layout is dealt one by one (SETW-1).
    Dealing,
    /// A wrong claim (TWTY-5).
    Penalty,
    /// Asked for (TWTY-6).
    Asked,
}

/// What is shuffled into the stock in mid-deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "StockShuffle")]
#[serde(rename_all = "snake_case")]
pub enum Shuffle {
    /// The discard pile, because the stock ran out (TWTY-7).
    Pile,
    /// The layout that was replaced (TWTY-12), and the pile with it if `pile`.
    Swept {
        /// Whether the discard pile goes in, too.
        pile: bool,
    },
    /// The hand of a player who left (LEAVE-4).
    Hand(Seat),
}

/// Why a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceDealEnded")]
#[serde(rename_all = "snake_case")]
pub enum DealEnd {
    /// The stock is empty and nobody has a claim (CORE-21).
    NoClaim,
    /// The stock is empty and all agreed that nobody has a claim (CORE-22).
    Agreed,
    /// A hand is empty (TWTY-8).
    HandEmpty,
    /// The goal is reached (TRIAL-2).
    Goal,
    /// No claim while there is stock: a strict solitaire is lost (SOLO-2).
    Stuck,
    /// The player gave up.
    GaveUp,
    /// Too few players are left (LEAVE-6).
    TooFew,
    /// Nobody acted for long.
    Abandoned,
}

/// A claim that lay open and was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MissedClaim")]
pub struct Missed {
    /// The cards.
    pub claim: Claim,
    /// When it came to lie open.
    pub from: Millis,
    /// When a card of it left, or the deal ended.
    pub until: Millis,
}

/// Something that happened. The log holds it whole. A viewer's notice is the same with what is hidden from that viewer
/// left out: the order of the stock, cards of hidden hands, sealed answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Chance named the first dealer.
    FirstDealer(Seat),
    /// The deck was shuffled and the first cards dealt.
    Dealt {
        /// When.
        at: Millis,
        /// What is left as stock, top first; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stock: Vec<Point>,
        /// How many that is.
        left: u16,
        /// The layout, zone by zone.
        // In a place of its own: events are handed about, and few are so large.
        board: Box<Board>,
        /// The personal cards, seat by seat.
        hands: Vec<Hand>,
        /// When calls open (CORE-14).
        open_at: Millis,
    },
    /// Cards were laid from the stock.
    Laid {
        /// When.
        at: Millis,
        /// Why.
        why: Why,
        /// Which, from the top of the stock.
        cards: ArrayVec<Placed, 12>,
        /// When calls open (CORE-14).
        open_at: Millis,
    },
    /// A seat drew personal cards from the stock.
    Drew {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Why.
        why: Why,
        /// Which; counted only for those who do not see the hand.
        cards: Hand,
    },
    /// A seat called.
    Called {
        /// When.
        at: Millis,
        /// When, for a tie: fairness-adjusted.
        adjusted: Millis,
        /// Who.
        seat: Seat,
        /// When the claim must be there; none without a clock (CORE-6).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<Millis>,
    },
    /// The tie window is over: nobody else may call.
    WindowClosed,
    /// One of several callers answered; only that seat learns it.
    Answered {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The claim; none: the call is withdrawn.
        claim: Option<Claim>,
    },
    /// A call ended without penalty because its caller is gone (LEAVE-3).
    CallClosed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A claim was right, but chance picks the card that leaves.
    Picking {
        /// When.
        at: Millis,
        /// Whose.
        seat: Seat,
        /// Which claim.
        claim: Claim,
    },
    /// A claim was judged.
    Judged {
        /// When.
        at: Millis,
        /// How.
        verdict: Verdict,
    },
    /// Tied claims were judged (SETT-6).
    TieJudged {
        /// When.
        at: Millis,
        /// How, in the order of the seats.
        verdicts: Vec<Verdict>,
        /// Cards that go to the heap.
        heaped: Vec<Point>,
    },
    /// A "no set" flag was raised or lowered (CORE-15).
    Flag {
        /// When.
        at: Millis,
        /// Whose.
        seat: Seat,
        /// Raised or lowered.
        up: bool,
    },
    /// A seat is still looking (CORE-17).
    Looking {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// All flags dropped: a claim exists (CORE-16).
    FlagsDropped {
        /// When.
        at: Millis,
    },
    /// The layout was removed, to be replaced (TWTY-12).
    Swept {
        /// When.
        at: Millis,
    },
    /// Cards are to be shuffled into the stock.
    Shuffling(Shuffle),
    /// Cards were shuffled into the stock.
    Shuffled {
        /// Which.
        what: Shuffle,
        /// The stock, top first; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stock: Vec<Point>,
        /// How many that is.
        left: u16,
    },
    /// The remaining cards were laid out evenly.
    Regrouped {
        /// When.
        at: Millis,
        /// The new layout.
        board: Box<Board>,
        /// When calls open.
        open_at: Millis,
    },
    /// A card of a claim was lit because the table was stuck (CORE-19).
    Lit {
        /// When.
        at: Millis,
        /// Which.
        card: Point,
    },
    /// A seat had a hint.
    Hinted {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The card; only that seat learns it.
        card: Option<Point>,
        /// What it does to the score.
        points: i32,
    },
    /// A seat asked for a personal card (TWTY-6); it is drawn next.
    Asked {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A seat committed a Set and points at a card (SCOUT-2).
    Sealed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The Set; only that seat learns it.
        cards: Option<[Point; 3]>,
        /// The card pointed at.
        points: Point,
        /// Who may search.
        scouts: SeatSet,
        /// When the window ends.
        deadline: Millis,
    },
    /// A scout named a card that is not known to be in the Set, and must show the third one (SCOUT-5).
    Named {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Which card.
        card: Point,
        /// Until when.
        deadline: Millis,
    },
    /// A scout gave up; only that seat learns it.
    Passed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A scout failed (SCOUT-6).
    ScoutFailed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The card shown, if any.
        shown: Option<Point>,
        /// The card lost, if one was held (SCOUT-10).
        loses: Option<Point>,
    },
    /// A search is over and the seal is opened.
    Resolved {
        /// When.
        at: Millis,
        /// The finder, the sealed cards, and whether they are a Set.
        verdict: Verdict,
        /// What the finder takes.
        finder_takes: ArrayVec<Point, 3>,
        /// The scout whose act ended it, and what that scout takes.
        scout: Option<(Seat, ArrayVec<Point, 3>)>,
        /// The card that the finder loses (SCOUT-8, SCOUT-10).
        loses: Option<Point>,
        /// Whether the finder is frozen (SCOUT-8).
        freezes: bool,
        /// Who is thawed.
        thaws: SeatSet,
    },
    /// Frozen seats thaw (SCOUT-8, Q-18).
    Thawed {
        /// When.
        at: Millis,
    },
    /// Locks until the next claim end because nobody is left to make one.
    Unlocked {
        /// When.
        at: Millis,
    },
    /// A connection was lost (LEAVE-1).
    Away {
        /// When.
        at: Millis,
        /// Whose.
        seat: Seat,
    },
    /// A player is back.
    Back {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A seat was retired (LEAVE-2).
    Retired {
        /// When.
        at: Millis,
        /// Which.
        seat: Seat,
    },
    /// A player took an empty seat (LEAVE-7).
    Joined {
        /// When.
        at: Millis,
        /// Which seat.
        seat: Seat,
        /// Whether it is the player who had left, who keeps the score.
        again: bool,
    },
    /// A retired player is there again and comes in with the next deal, or is gone again before it (LEAVE-7).
    Returning {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Whether the player is there.
        here: bool,
    },
    /// A deal is over.
    DealOver {
        /// When.
        at: Millis,
        /// Why.
        why: DealEnd,
        /// Who emptied a hand, and what that scores (TWTY-8).
        bonus: Option<(Seat, i32)>,
        /// Others who emptied theirs in the same moment (SETT-6), and what that scores them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<(Seat, i32)>,
        /// what was missed, where it is shown.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missed: Vec<Missed>,
    },
    /// The next deal is waited for.
    Next {
        /// Its number.
        deal: u16,
        /// Who deals.
        dealer: Seat,
        /// When it begins by itself.
        until: Millis,
    },
    /// A seat is ready for it.
    Ready {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A seat votes for the whole deck (QUICK-4).
    Graduating {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// All did: from now on it is played with the whole deck.
    Graduated,
    /// The next deal begins: the deck is to be shuffled.
    Begun,
    /// The match has ended.
    Ended {
        /// When.
        at: Millis,
        /// Whether a solo game is lost (SOLO-2).
        lost: bool,
        /// How.
        outcome: Outcome,
    },
}

/// What everybody may see; see the module's page.
#[derive(Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceState")]
pub struct State {
    /// Where the match stands.
    pub phase: Phase,
    /// Number of the deal, from 1; between deals already the next one's.
    pub deal: u16,
    /// Who deals it.
    pub dealer: Seat,
    /// Who has dealt so far (SET-8).
    pub dealt: SeatSet,
    /// The seats.
    pub players: Vec<Player>,
    /// The layout.
    pub board: Board,
    /// Counts every change of the layout, so that what was meant for an earlier one can be dropped.
    pub layout: u32,
    /// When it last changed.
    pub layout_at: Millis,
    /// Cards in the stock.
    pub stock: u16,
    /// Cards out of play that score for nobody.
    pub heap: Vec<Point>,
    /// The discard pile, top last (TWTY-4).
    pub pile: Vec<Point>,
    /// A layout that was removed and is still to be shuffled back (TWTY-12).
    pub swept: Vec<Point>,
    /// What is being shuffled into the stock.
    pub shuffling: Option<Shuffle>,
    /// The claim from which chance picks the card that leaves.
    pub picking: Option<(Seat, Claim)>,
    /// When calls open (CORE-14).
    pub open_at: Millis,
    /// When the next card is laid, while they are laid one by one (SETW-1).
    pub next_card_at: Option<Millis>,
    /// The call that stands.
    pub call: Option<Call>,
    /// A scout search.
    pub search: Option<Search>,
    /// Raised "no set" flags (CORE-15).
    pub flags: SeatSet,
    /// Seats that are still looking (CORE-17).
    pub looking: SeatSet,
    /// Whether it was told that the present layout holds a claim (CORE-16).
    pub told: bool,
    /// Cards lit on the present layout (CORE-19).
    pub lit: Vec<Point>,
    /// The last judgement: one verdict, or one for each tied caller.
    pub last: Vec<Verdict>,
    /// Who claimed last rightly, for `chain_scope = table`.
    pub last_right: Option<Seat>,
    /// Extra deals of this deal (ULT9-4).
    pub extras: u16,
    /// Whether the cards were regrouped in this deal.
    pub regrouped: bool,
    /// Retired players who are there again and come in with the next deal (LEAVE-7).
    pub returning: SeatSet,
    /// Between deals: who is ready.
    pub ready: SeatSet,
    /// Between deals: who votes for the whole deck (QUICK-4).
    pub graduating: SeatSet,
    /// Between deals: when the next begins by itself.
    pub next_at: Option<Millis>,
    /// How the last deal ended.
    pub deal_end: Option<DealEnd>,
    /// What was missed in the last deal, where it is shown.
    pub missed: Vec<Missed>,
    /// When the first card lay open, for results that are times (TRIAL-3).
    pub started_at: Millis,
    /// When the match ended.
    pub ended_at: Option<Millis>,
    /// Whether a solo game is lost (SOLO-2).
    pub lost: bool,
    /// How the match ended.
    pub outcome: Option<Outcome>,
}

copied!(State {
    phase,
    deal,
    dealer,
    dealt,
    players,
    board,
    layout,
    layout_at,
    stock,
    heap,
    pile,
    swept,
    shuffling,
    picking,
    open_at,
    next_card_at,
    call,
    search,
    flags,
    looking,
    told,
    lit,
    last,
    last_right,
    extras,
    regrouped,
    returning,
    ready,
    graduating,
    next_at,
    deal_end,
    missed,
    started_at,
    ended_at,
    lost,
    outcome
});

impl State {
    pub(crate) fn new(rules: &Rules, seats: u8) -> State {
        State {
            phase: Phase::Shuffling,
            deal: 1,
            dealer: Seat(0),
            dealt: SeatSet::NONE,
            players: vec![Player::new(); usize::from(seats)],
            board: Board::empty(rules),
            layout: 0,
            layout_at: Millis(0),
            stock: rules.deck.size() as u16,
            heap: Vec::new(),
            pile: Vec::new(),
            swept: Vec::new(),
            shuffling: None,
            picking: None,
            open_at: Millis(0),
            next_card_at: None,
            call: None,
            search: None,
            flags: SeatSet::NONE,
            looking: SeatSet::NONE,
            told: false,
            lit: Vec::new(),
            last: Vec::new(),
            last_right: None,
            extras: 0,
            regrouped: false,
            returning: SeatSet::NONE,
            ready: SeatSet::NONE,
            graduating: SeatSet::NONE,
            next_at: None,
            deal_end: None,
            missed: Vec::new(),
            started_at: Millis(0),
            ended_at: None,
            lost: false,
            outcome: None,
        }
    }
}
