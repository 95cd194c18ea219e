//! What lies open on the table: the part of a match that truth and views share.

use crate::compiled::CompiledRules;
use crate::hand::Hand;
use crate::meld::{Law, Meld};
use crate::rules::{self, GameEnd, LimitPer, Settings};
use cards::Face;
use game::{Millis, Outcome, Seat, SeatSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Length of the tables that have an entry for each seat. Entries of seats there are not stay at their defaults.
pub const MOST: usize = Seat::MOST as usize;

/// Where a round stands (section 2.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Before the deal: chance decides.
    #[default]
    Deal,
    /// The cut before the deal is waited for.
    Cut,
    /// The cards are dealt, and whoever picks the contract of the round decides (HR-PICK-2).
    Choose,
    /// The dealer names the rank that is wild in the round (HR-WILD-4).
    Name,
    /// Everybody chooses the cards to pass on (HR-PASS-1).
    Pass,
    /// P0 decides about the top discard.
    Start,
    /// The others are asked about the top discard.
    Offer {
        /// Who is asked. Never who is still undecided; nobody once it is settled.
        asked: SeatSet,
    },
    /// P0 plays.
    Play,
    /// The others may claim the discard.
    Shanghai {
        /// Who is asked, likewise.
        asked: SeatSet,
    },
    /// The discarder picks from the claimer's hand.
    Pick {
        /// Who claimed the discard.
        claimer: Seat,
    },
    /// The match is over.
    Over,
}

impl Phase {
    /// The word for it in scenarios.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Deal => "deal",
            Phase::Cut => "cut",
            Phase::Choose => "choose",
            Phase::Name => "name",
            Phase::Pass => "pass",
            Phase::Start => "start",
            Phase::Offer { .. } => "offer",
            Phase::Play => "play",
            Phase::Shanghai { .. } => "shanghai",
            Phase::Pick { .. } => "pick",
            Phase::Over => "over",
        }
    }

    /// Who is asked about the top discard: nobody where it is not offered, and cannot be claimed.
    #[must_use]
    pub const fn asked(self) -> SeatSet {
        match self {
            Phase::Offer { asked } | Phase::Shanghai { asked } => asked,
            _ => SeatSet::NONE,
        }
    }

    /// Who claimed the discard and now offers a hand to pick from.
    #[must_use]
    pub const fn claimer(self) -> Option<Seat> {
        match self {
            Phase::Pick { claimer } => Some(claimer),
            _ => None,
        }
    }
}

/// The name of a phase in JSON, where what belongs to it stands beside it.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoundPhase")]
#[serde(rename_all = "snake_case")]
enum PhaseName {
    /// Before the deal: chance decides.
    #[default]
    Deal,
    /// The cut before the deal is waited for.
    Cut,
    /// The cards are dealt, and whoever picks the contract of the round decides (HR-PICK-2).
    Choose,
    /// The dealer names the rank that is wild in the round (HR-WILD-4).
    Name,
    /// Everybody chooses the cards to pass on (HR-PASS-1).
    Pass,
    /// P0 decides about the top discard.
    Start,
    /// The others are asked about the top discard.
    Offer,
    /// P0 plays.
    Play,
    /// The others may claim the discard.
    Shanghai,
    /// The discarder picks from the claimer's hand.
    Pick,
    /// The match is over.
    Over,
}

impl From<Phase> for PhaseName {
    fn from(phase: Phase) -> PhaseName {
        match phase {
            Phase::Deal => PhaseName::Deal,
            Phase::Cut => PhaseName::Cut,
            Phase::Choose => PhaseName::Choose,
            Phase::Name => PhaseName::Name,
            Phase::Pass => PhaseName::Pass,
            Phase::Start => PhaseName::Start,
            Phase::Offer { .. } => PhaseName::Offer,
            Phase::Play => PhaseName::Play,
            Phase::Shanghai { .. } => PhaseName::Shanghai,
            Phase::Pick { .. } => PhaseName::Pick,
            Phase::Over => PhaseName::Over,
        }
    }
}

/// What chance is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AwaitedChance")]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// For none.
    #[default]
    Nothing,
    /// Who deals first, or the cards by which that is found.
    Dealer,
    /// What is added to the aim of a cut; or, without an aim, to the exact depth.
    Noise(Option<u16>),
    /// The shuffle before the deal.
    Shuffle,
    /// The shuffle that makes a new stock.
    Remake,
    /// Which card lies at the place picked.
    Place(u16),
}

fn nobody(seats: &SeatSet) -> bool {
    seats.is_empty()
}

/// What goes on once the penalty cards of a take are paid and the stock is remade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AfterTake")]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Nothing is under way.
    #[default]
    Nothing,
    /// The card beneath is offered.
    Offer,
    /// P0 draws from the stock.
    Draw,
    /// P0's discard, which was held back while the card beneath it was settled.
    Discard,
}

/// Makes [`Flow`], and how it is written in JSON: there the data of a phase stand beside its name.
macro_rules! flow {
    ($(#[$meta:meta])* pub struct Flow { $($(#[$doc:meta])* pub $name:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct Flow {
            /// Where the round stands.
            pub phase: Phase,
            $($(#[$doc])* pub $name: $type,)*
        }

        /// Everything small that is public.
        #[derive(Default, Serialize, JsonSchema)]
        #[schemars(rename = "ContractFlow")]
        struct FlowJson {
            /// Where the round stands.
            phase: PhaseName,
            /// Who is asked: the offer's or the claim's seats. Never who is still undecided.
            asked: SeatSet,
            /// Who claimed the discard.
            claimer: Option<Seat>,
            $($(#[$doc])* $name: $type,)*
        }

        game::option::fields! { FlowJson { phase asked claimer $($name)* } strict = false }

        impl From<Flow> for FlowJson {
            fn from(flow: Flow) -> FlowJson {
                let (asked, claimer) = (flow.phase.asked(), flow.phase.claimer());
                FlowJson { phase: flow.phase.into(), asked, claimer, $($name: flow.$name,)* }
            }
        }

        impl TryFrom<FlowJson> for Flow {
            type Error = &'static str;

            fn try_from(json: FlowJson) -> Result<Flow, &'static str> {
                let asked = json.asked;
                let phase = match json.phase {
                    PhaseName::Deal => Phase::Deal,
                    PhaseName::Cut => Phase::Cut,
                    PhaseName::Choose => Phase::Choose,
                    PhaseName::Name => Phase::Name,
                    PhaseName::Pass => Phase::Pass,
                    PhaseName::Start => Phase::Start,
                    PhaseName::Offer => Phase::Offer { asked },
                    PhaseName::Play => Phase::Play,
                    PhaseName::Shanghai => Phase::Shanghai { asked },
                    PhaseName::Pick => Phase::Pick { claimer: json.claimer.ok_or("missing claimer")? },
                    PhaseName::Over => Phase::Over,
                };
                Ok(Flow { phase, $($name: json.$name,)* })
            }
        }

        impl JsonSchema for Flow {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                FlowJson::schema_name()
            }
            fn schema_id() -> std::borrow::Cow<'static, str> {
                FlowJson::schema_id()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                FlowJson::json_schema(generator)
            }
        }
    };
}

flow! {
    /// Everything small that is public. Copied when a decision looks ahead.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(try_from = "FlowJson", into = "FlowJson")]
    pub struct Flow {
        /// Number of seats.
        pub seats: u8,
        /// What chance is waited for.
        pub waiting: Waiting,
        /// What is under way meanwhile.
        pub next: Next,
        /// The round, as a place in the rules' list.
        pub round: u16,
        /// Number of the deal for chance: the round's number, or counted on from it where contracts are repeated.
        pub deal: u16,
        /// Rounds finished in this match.
        pub finished: u16,
        /// The contract of this round, as a place in the rules' list, where somebody picks it and has.
        pub contract: Option<u16>,
        /// Contracts that have been used, one bit for each round of the rules, where somebody picks.
        pub used: u64,
        /// How many contracts each seat has laid, where each goes on alone.
        pub progress: [u8; MOST],
        /// Which contracts each seat has laid in rounds before, one bit for each round of the rules, where the order is free.
        pub laid: [u64; MOST],
        /// The contract that each seat has laid in this round, where the order is free.
        pub picked: [Option<u16>; MOST],
        /// Who dealt the first round of the match.
        pub first_dealer: Seat,
        /// Who deals.
        pub dealer: Seat,
        /// P0: whose turn it is.
        pub turn: Seat,
        /// Turns finished in this round.
        pub turns: u16,
        /// Turns in a row in which nothing happened while the stock was empty for good.
        pub idle: u8,
        /// Number of cards in each hand.
        pub sizes: [u16; MOST],
        /// The rank that the upcard or the dealer has made wild in this round, as its place from 1 (HR-WILD-3, HR-WILD-4).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub wild: Option<u8>,
        /// Who has lost a turn and had none since (HR-SKIP-2).
        #[serde(default, skip_serializing_if = "nobody")]
        pub skipped: SeatSet,
        /// Whose cards to pass on lie on the table, face down, while others still choose (HR-PASS-1).
        #[serde(default, skip_serializing_if = "nobody")]
        pub passed: SeatSet,
        /// Number of cards in the stock.
        pub stock: u16,
        /// Number of cards in the discard pile.
        pub pile: u16,
        /// The top discard.
        pub top: Option<Face>,
        /// Takes of each seat in this round.
        pub takes: [u8; MOST],
        /// Takes of each seat in rounds before.
        pub takes_before: [u16; MOST],
        /// Who is down.
        pub down: SeatSet,
        /// Whether P0 laid the contract in this turn.
        pub fresh: bool,
        /// Whether anything was melded, laid off, reclaimed or claimed since P0's turn began.
        pub acted: bool,
        /// Who threw the top discard, as long as it was the last thing thrown.
        pub thrower: Option<Seat>,
        /// Who discarded last.
        pub discarder: Seat,
        /// Who took the card that lay on the one now offered, where that bars them.
        pub last_taker: Option<Seat>,
        /// Who took a card within the scope of `take.repeat`.
        pub takers: SeatSet,
        /// The taker who is still to get penalty cards.
        pub taker: Option<Seat>,
        /// How many.
        pub owed: u8,
        /// Whether the pile is closed for this turn (SH-CALL-1).
        pub protected: bool,
        /// Whether the top discard may still be claimed once P0 has declined it (`shanghai.beats_draw = false`).
        pub claimable: bool,
        /// Whether P0 has nothing left but to take the top discard.
        pub forced: bool,
        /// Whether P0 declined although the stock could not supply a card.
        pub waived: bool,
        /// Who may still ask for the card that was on top, while P0 plays.
        pub open: SeatSet,
        /// Who has asked early, where that is shown.
        pub shown: SeatSet,
        /// When the clock of what is under way runs out.
        pub until: Option<Millis>,
        /// Number of that clock.
        pub alarm: u32,
        /// Milliseconds left on the turn clock while it stands still.
        pub left: Option<u32>,
        /// Whether this turn's clock ran out.
        pub timed_out: bool,
        /// Reshuffles in this round.
        pub recycles: u16,
        /// Blind picks in this round.
        pub picks: u16,
        /// Scores.
        pub scores: [i32; MOST],
        /// Points of the last round that ended.
        pub points: [i32; MOST],
        /// Rounds won.
        pub won: [u8; MOST],
        /// Pennies in the kitty.
        pub kitty: i32,
        /// Whose connection is lost.
        pub away: SeatSet,
        /// Who has left.
        pub gone: SeatSet,
    }
}

impl Flow {
    /// A match of so many seats about to find its first dealer.
    #[must_use]
    pub fn new(seats: u8) -> Flow {
        Flow {
            seats,
            phase: Phase::Deal,
            waiting: Waiting::Dealer,
            next: Next::Nothing,
            round: 0,
            deal: 1,
            finished: 0,
            contract: None,
            used: 0,
            progress: [0; MOST],
            laid: [0; MOST],
            picked: [None; MOST],
            first_dealer: Seat(0),
            dealer: Seat(0),
            turn: Seat(0),
            turns: 0,
            idle: 0,
            sizes: [0; MOST],
            wild: None,
            skipped: SeatSet::NONE,
            passed: SeatSet::NONE,
            stock: 0,
            pile: 0,
            top: None,
            takes: [0; MOST],
            takes_before: [0; MOST],
            down: SeatSet::NONE,
            fresh: false,
            acted: false,
            thrower: None,
            discarder: Seat(0),
            last_taker: None,
            takers: SeatSet::NONE,
            taker: None,
            owed: 0,
            protected: false,
            claimable: false,
            forced: false,
            waived: false,
            open: SeatSet::NONE,
            shown: SeatSet::NONE,
            until: None,
            alarm: 0,
            left: None,
            timed_out: false,
            recycles: 0,
            picks: 0,
            scores: [0; MOST],
            points: [0; MOST],
            won: [0; MOST],
            kitty: 0,
            away: SeatSet::NONE,
            gone: SeatSet::NONE,
        }
    }

    /// The seat `steps` further on in turn direction.
    #[must_use]
    pub fn step(&self, compiled: &CompiledRules, seat: Seat, steps: i32) -> Seat {
        match compiled.rules.settings.players.direction {
            rules::Direction::Cw => seat.step(steps, self.seats),
            rules::Direction::Ccw => seat.step(-steps, self.seats),
        }
    }

    /// All seats in turn order, `first` first.
    pub fn order<'a>(&'a self, compiled: &'a CompiledRules, first: Seat) -> impl Iterator<Item = Seat> + 'a {
        (0..i32::from(self.seats)).map(move |steps| self.step(compiled, first, steps))
    }

    /// The player at the dealer's right, who cuts (LV-2).
    #[must_use]
    pub fn cutter(&self, compiled: &CompiledRules) -> Seat {
        self.step(compiled, self.dealer, -1)
    }

    /// Who picks the contract of the round, where that is not the first melder (HR-PICK-2): the dealer; or who did worst in the
    /// round before, of several whoever plays first, and in the first round the dealer.
    #[must_use]
    pub fn chooser(&self, compiled: &CompiledRules) -> Seat {
        let last_loser = compiled.rules.settings.game.choice == rules::ContractChoice::LastLoser;
        if !last_loser || self.finished == 0 {
            return self.dealer;
        }
        // Where the highest total wins, the fewest points are the worst.
        let sign = if compiled.rules.settings.score.low_wins { 1 } else { -1 };
        let lost = |seat: Seat| sign * self.points[seat.index()];
        let first = self.step(compiled, self.dealer, 1);
        let order = self.order(compiled, first);
        order.reduce(|a, b| if lost(b) > lost(a) { b } else { a }).unwrap_or(self.dealer)
    }

    /// How many cards everybody passes on in this round (HR-PASS-1): never more than are dealt.
    #[must_use]
    pub fn passes(&self, compiled: &CompiledRules) -> u16 {
        let round = compiled.round(self.round);
        u16::from(round.settings.pass.cards.min(round.deal))
    }

    /// Who has still to choose the cards to pass on; nobody in another phase.
    #[must_use]
    pub fn passing(&self) -> SeatSet {
        if self.phase == Phase::Pass { SeatSet::all(self.seats).minus(self.passed) } else { SeatSet::NONE }
    }

    /// To whom a seat passes cards on (HR-PASS-1). Left and right are those of whoever sits at the table, whichever way is played.
    #[must_use]
    pub fn passes_to(&self, compiled: &CompiledRules, seat: Seat) -> Seat {
        seat.step(self.pass_steps(compiled), self.seats)
    }

    /// From whom a seat gets the cards that are passed on.
    #[must_use]
    pub fn passed_by(&self, compiled: &CompiledRules, seat: Seat) -> Seat {
        seat.step(-self.pass_steps(compiled), self.seats)
    }

    /// How many seats further to the left cards are passed on.
    fn pass_steps(&self, compiled: &CompiledRules) -> i32 {
        match self.set(compiled).pass.to {
            rules::PassTo::Left => 1,
            rules::PassTo::Right => -1,
            rules::PassTo::Across => i32::from(self.seats / 2),
            rules::PassTo::Partner => i32::from(self.sides(compiled)),
            rules::PassTo::Alternate => {
                let at = usize::from(self.round);
                // Where the list of rounds is played through, a match that was written down may begin in its middle.
                let listed = !(compiled.per_player() || compiled.chosen() || compiled.goes_round());
                let place = compiled.played.iter().position(|&played| played == at).filter(|_| listed);
                if place.unwrap_or(self.finished.into()).is_multiple_of(2) { 1 } else { -1 }
            }
        }
    }

    /// The depth of an exact cut (LV-3): the cards of all hands and the upcard.
    #[must_use]
    pub fn exact_cut(&self, compiled: &CompiledRules) -> u16 {
        let round = compiled.round(self.round);
        u16::from(self.seats) * u16::from(round.deal) + u16::from(round.settings.deal.upcard)
    }

    /// What holds in this round.
    #[must_use]
    pub fn set<'a>(&self, compiled: &'a CompiledRules) -> &'a Settings {
        compiled.set(self.round)
    }

    /// The round whose contract a seat is after, as a place in the rules' list.
    #[must_use]
    pub fn contract_of(&self, compiled: &CompiledRules, seat: Seat) -> u16 {
        if compiled.any_order() {
            let picked = self.picked[seat.index()];
            let next = || self.contracts_left(compiled, seat).first().copied();
            return picked.or_else(next).unwrap_or(*compiled.played.last().unwrap_or(&0) as u16);
        }
        if compiled.per_player() {
            let at = usize::from(self.progress[seat.index()]).min(compiled.played.len() - 1);
            return compiled.played[at] as u16;
        }
        self.contract.unwrap_or(self.round)
    }

    /// The contracts among which a seat may pick, as places in the rules' list; empty where there is no choice or it has been
    /// made.
    #[must_use]
    pub fn contracts_left(&self, compiled: &CompiledRules, seat: Seat) -> Vec<u16> {
        let used = if compiled.any_order() && self.picked[seat.index()].is_none() {
            self.laid[seat.index()]
        } else if compiled.chosen() && self.contract.is_none() {
            self.used
        } else {
            return Vec::new();
        };
        compiled.played.iter().map(|&at| at as u16).filter(|&at| used >> at & 1 == 0).collect()
    }

    /// What a seat's melds are judged by.
    #[must_use]
    pub fn law<'a>(&self, compiled: &'a CompiledRules, seat: Seat) -> &'a Law {
        &compiled.laws[usize::from(self.contract_of(compiled, seat))]
    }

    /// What holds for a seat's contract.
    #[must_use]
    pub fn own_set<'a>(&self, compiled: &'a CompiledRules, seat: Seat) -> &'a Settings {
        compiled.set(self.contract_of(compiled, seat))
    }

    /// Whether a seat was down before this turn began.
    #[must_use]
    pub fn down_before(&self, seat: Seat) -> bool {
        self.down.has(seat) && !(self.fresh && seat == self.turn)
    }

    /// Cards of the pile that a remade stock would have, if it can be remade.
    #[must_use]
    pub fn recyclable(&self, compiled: &CompiledRules, pile: u16) -> u16 {
        let stock = &self.set(compiled).stock;
        let may = stock.recycle == rules::Recycle::KeepTop && !self.used_up(compiled);
        if may { pile.saturating_sub(1) } else { 0 }
    }

    /// Whether the reshuffles that the creator allows are used up.
    #[must_use]
    pub fn used_up(&self, compiled: &CompiledRules) -> bool {
        let most = u16::from(self.set(compiled).stock.max_recycles);
        most > 0 && self.recycles >= most
    }

    /// Stock cards that can be had, the stock being remade if need be.
    #[must_use]
    pub fn supply(&self, compiled: &CompiledRules) -> u16 {
        self.stock + self.recyclable(compiled, self.pile)
    }

    /// Whether a draw from the stock comes with the top discard being pushed to the next player.
    #[must_use]
    pub fn pushes(&self, compiled: &CompiledRules) -> bool {
        self.set(compiled).draw.mode == rules::DrawMode::Push && self.pile > 0
    }

    /// Stock cards that a draw from the stock takes: one, and one more that is pushed on with the discard.
    #[must_use]
    pub fn per_draw(&self, compiled: &CompiledRules) -> u16 {
        1 + u16::from(self.pushes(compiled))
    }

    /// Whether the stock, remade if need be, has the cards for a draw.
    #[must_use]
    pub fn can_draw(&self, compiled: &CompiledRules) -> bool {
        self.supply(compiled) >= self.per_draw(compiled)
    }

    /// Whether P0 may take the top discard as the draw.
    #[must_use]
    pub fn may_take(&self, compiled: &CompiledRules) -> bool {
        let down = self.down.has(self.turn) && !self.set(compiled).draw.discard_when_down;
        let kept = self.wild_lies(compiled) || self.skip_lies(compiled);
        self.pile > 0 && !self.protected && !down && !kept
    }

    /// Whether the card that P0 draws from the discard pile may not go back at once, asked before it is in hand: not where
    /// the hand holds its face, and not where it comes with others (HR-DRAW-2).
    pub(crate) fn bars_back(&self, hand: &Hand, card: Face) -> bool {
        self.phase == Phase::Start && hand.count(card) == 0
    }

    /// Whether the top discard is a wild that nobody may take (HR-WILD-1).
    #[must_use]
    pub fn wild_lies(&self, compiled: &CompiledRules) -> bool {
        let law = &compiled.laws[usize::from(self.round)];
        !self.set(compiled).discard.wild_taken && self.top.is_some_and(|top| law.is_wild(top))
    }

    /// Whether the top discard makes somebody lose a turn, so that nobody may take it (HR-SKIP-3).
    #[must_use]
    pub fn skip_lies(&self, compiled: &CompiledRules) -> bool {
        self.top.is_some_and(|top| compiled.laws[usize::from(self.round)].is_skip(top))
    }

    /// Who loses a turn by the last discard of P0, where that makes somebody lose one (HR-SKIP-2): the next player, but for who has
    /// lost one and had none since.
    pub(crate) fn loser(&self, compiled: &CompiledRules) -> Option<Seat> {
        let next = self.step(compiled, self.turn, 1);
        (!self.skipped.has(next)).then_some(next)
    }

    /// Whether lay-offs wait for somebody who is not down yet (HR-LAY-1); nobody waits for who has left for good.
    #[must_use]
    pub fn waits_for_all(&self, set: &Settings) -> bool {
        set.layoff.all_down
            && (0..self.seats).map(Seat).any(|seat| !self.down.has(seat) && !self.gone.has(seat))
    }

    /// Whether P0 may leave the top discard. Where reshuffles are limited and used up this is legal without a card to draw
    /// as well, and blocks the round.
    #[must_use]
    pub fn may_decline(&self, compiled: &CompiledRules) -> bool {
        let may_block = self.used_up(compiled) && self.stock == 0 && !self.pushes(compiled);
        !self.forced && (self.can_draw(compiled) || may_block)
    }

    /// Penalty cards that can be paid if the top discard is taken.
    #[must_use]
    pub fn payable(&self, compiled: &CompiledRules) -> u16 {
        self.stock + self.recyclable(compiled, self.pile.saturating_sub(1))
    }

    /// Takes that a seat has left; none if there is no limit.
    #[must_use]
    pub fn takes_left(&self, compiled: &CompiledRules, seat: Seat) -> Option<u16> {
        let take = &self.set(compiled).take;
        if !take.on {
            return Some(0);
        }
        (take.limit > 0).then(|| u16::from(take.limit).saturating_sub(self.takes_counted(compiled, seat)))
    }

    /// Takes of a seat that count against the limit: those of the round, or of the match.
    #[must_use]
    pub fn takes_counted(&self, compiled: &CompiledRules, seat: Seat) -> u16 {
        let before = match self.set(compiled).take.limit_per {
            LimitPer::Round => 0,
            LimitPer::Game => self.takes_before[seat.index()],
        };
        before + u16::from(self.takes[seat.index()])
    }

    /// Number of sides: two or three where partners sit in every second or third seat, otherwise each seat is one.
    #[must_use]
    pub fn sides(&self, compiled: &CompiledRules) -> u8 {
        match compiled.rules.settings.players.teams {
            0 => self.seats,
            teams => teams,
        }
    }

    /// Whether two seats are of one side.
    #[must_use]
    pub fn partners(&self, compiled: &CompiledRules, a: Seat, b: Seat) -> bool {
        let sides = self.sides(compiled);
        a.0 % sides == b.0 % sides
    }

    /// The sum of something over the seats of a seat's side.
    pub(crate) fn of_side(&self, compiled: &CompiledRules, seat: Seat, of: impl Fn(usize) -> i32) -> i32 {
        (0..self.seats)
            .filter(|&other| self.partners(compiled, seat, Seat(other)))
            .map(|s| of(usize::from(s)))
            .sum()
    }

    /// What counts for a seat: its own score, or that of the partners together.
    #[must_use]
    pub fn score(&self, compiled: &CompiledRules, seat: Seat) -> i32 {
        self.of_side(compiled, seat, |s| self.scores[s])
    }

    /// Whether the match ends with the round that is over, given the progress made in it.
    #[must_use]
    pub fn last_round(&self, compiled: &CompiledRules) -> bool {
        let target = i32::from(compiled.rules.settings.game.target);
        if target > 0 && (0..self.seats).any(|seat| self.score(compiled, Seat(seat)) >= target) {
            return true;
        }
        let finished = usize::from(self.finished);
        let total = compiled.played.len();
        if compiled.per_player() {
            let done = |seat: u8| usize::from(self.progress[usize::from(seat)]) >= total;
            let over = match compiled.rules.settings.game.end {
                GameEnd::FirstFinisher | GameEnd::FinisherTotal => (0..self.seats).any(done),
                GameEnd::AfterRounds => (0..self.seats).all(done),
            };
            return over || finished >= compiled.most_deals();
        }
        if compiled.chosen() || compiled.goes_round() {
            return finished >= compiled.most_deals();
        }
        compiled.played.last().is_none_or(|&last| usize::from(self.round) >= last)
    }
}

/// A meld on the table and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableMeld {
    /// Who laid it.
    pub owner: Seat,
    /// The meld.
    pub meld: Meld,
}

/// How a card left the discard pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscardWay")]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// As the draw.
    Draw,
    /// By a take out of turn.
    Take,
    /// Bought in one's own turn.
    Buy,
    /// By a Shanghai claim.
    Claim,
    /// Pushed by the player before.
    Push,
}

/// One line of the public log of who took what from the discard pile (RF-5, A-38).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TakenDiscard")]
pub struct Taken {
    /// Who.
    pub seat: Seat,
    /// What.
    pub card: Face,
    /// How.
    pub way: Way,
    /// Whether the card has left that hand since, or may have: then nobody can say any more who holds it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// One line of the public log of what came to lie on the discard pile: what somebody at the table could remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ThrownCard")]
pub struct Thrown {
    /// Who threw it; none for a card turned up at the deal, and in a position that was written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// What.
    pub card: Face,
    /// Whether it has left the pile since: taken, claimed or shuffled into a new stock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// A line of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScoreSheetRound")]
pub struct SheetRound {
    /// The round, as a place in the rules' list; for contracts picked, that of the contract.
    pub round: u16,
    /// Who won it; none if it was blocked.
    pub winner: Option<Seat>,
    /// Points of each seat.
    pub points: Vec<i32>,
    /// Takes of each seat.
    pub takes: Vec<u8>,
    /// Total of each seat after it.
    pub scores: Vec<i32>,
}

/// Everything larger that is public.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ContractBoard")]
pub struct Board {
    /// Melds on the table, in the order laid.
    pub melds: Vec<TableMeld>,
    /// Wilds that P0 took back and must lay before the turn ends.
    pub pending: Vec<Face>,
    /// Who took what from the discard pile in this round.
    pub taken: Vec<Taken>,
    /// What came to lie on the discard pile in this round, oldest first: the last [`Board::THROWN`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thrown: Vec<Thrown>,
    /// The score sheet.
    pub sheet: Vec<SheetRound>,
    /// What each seat held when the last round ended.
    pub shown: Vec<Vec<Face>>,
    /// The last cut: its depth.
    pub cut: Option<u16>,
    /// The cards drawn for the first deal, where the highest deals.
    pub high_cards: Vec<Face>,
    /// What can be taken back in this turn, oldest first.
    pub undo: Vec<Before>,
    /// How the match ended.
    pub outcome: Option<Outcome>,
}

game::option::fields! {
    Board { melds pending taken thrown sheet shown cut high_cards undo outcome } strict = false
}

impl Board {
    /// The cards that everybody knows a seat to hold: discards that it took and has not laid or thrown since.
    pub fn known(&self, seat: Seat) -> impl Iterator<Item = Face> + '_ {
        self.taken.iter().filter(move |taken| taken.seat == seat && !taken.gone).map(|taken| taken.card)
    }

    /// Discards of a round that are remembered at most.
    pub const THROWN: usize = 120;

    /// The cards that are remembered to lie in the discard pile, its top card last. Those that were thrown long ago may be
    /// missing beneath.
    pub fn piled(&self) -> impl Iterator<Item = Face> + '_ {
        self.thrown.iter().filter(|thrown| !thrown.gone).map(|thrown| thrown.card)
    }

    /// The meld with this number.
    #[must_use]
    pub fn meld(&self, number: u16) -> Option<&TableMeld> {
        self.melds.get(usize::from(number).checked_sub(1)?)
    }
}

/// What was on the table before a play that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BeforePlay")]
pub struct Before {
    /// The melds.
    pub melds: Vec<TableMeld>,
    /// Wilds that must still be laid.
    pub pending: Vec<Face>,
    /// Whether P0 was down.
    pub down: bool,
    /// The contract that had been picked, where the first melder chooses.
    pub contract: Option<u16>,
    /// Cards that go back to hand.
    pub back: Vec<Face>,
    /// A wild that goes back to its meld.
    pub wild: Option<Face>,
    /// Whether anything had happened in this turn.
    pub acted: bool,
}
