//! What lies open on the table: the part of a match that truth and views share.

use crate::event::{Before, Event};
use crate::meld::{Law, Meld};
use crate::rules::{self, GameEnd, LimitPer, Progress, RoundRules, Rules, Settings};
use cards::{Face, Pack};
use game::{Millis, Outcome, Presence, Seat, SeatSet};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Length of the tables that have an entry for each seat. Entries of seats there are not stay at their defaults.
pub const MOST: usize = Seat::MOST as usize;

/// The rules of a match with what follows from them, worked out once.
#[derive(Debug)]
pub struct CompiledRules {
    /// The rules.
    pub rules: Arc<Rules>,
    /// For each round of the rules what melds are judged by.
    pub laws: Vec<Law>,
    /// The make-up of a pack.
    pub pack: Pack,
    /// Every card, in canonical order.
    pub cards: Vec<Face>,
    /// The rounds that are played, as places in the rules' list.
    pub played: Vec<usize>,
}

impl CompiledRules {
    /// Works out what follows from the rules.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> CompiledRules {
        CompiledRules {
            laws: (0..rules.rounds.len()).map(|round| rules.law(round)).collect(),
            pack: rules.pack(),
            cards: rules.cards(),
            played: rules.played(),
            rules,
        }
    }

    /// A round of the rules.
    #[must_use]
    pub fn round(&self, at: u16) -> &RoundRules {
        &self.rules.rounds[usize::from(at)]
    }

    /// What holds in a round.
    #[must_use]
    pub fn set(&self, at: u16) -> &Settings {
        &self.rules.rounds[usize::from(at)].settings
    }

    /// Whether each player goes on to the next contract alone.
    #[must_use]
    pub fn per_player(&self) -> bool {
        self.rules.settings.game.progress == Progress::PerPlayer
    }

    /// Whether the first melder of a round picks its contract.
    #[must_use]
    pub fn chosen(&self) -> bool {
        self.rules.settings.game.choice == rules::ContractChoice::FirstMelder
    }

    /// Most deals of a match.
    #[must_use]
    pub fn most_deals(&self) -> usize {
        let game = &self.rules.settings.game;
        match (self.per_player(), game.max_rounds) {
            (false, _) => self.played.len(),
            (true, 0) => 3 * self.played.len(),
            (true, most) => usize::from(most),
        }
    }
}

impl PartialEq for CompiledRules {
    fn eq(&self, other: &CompiledRules) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) || self.rules == other.rules
    }
}

/// The rules as a match or a view carries them; in JSON they are the rules alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedRules(pub Arc<CompiledRules>);

impl std::ops::Deref for SharedRules {
    type Target = CompiledRules;
    fn deref(&self) -> &CompiledRules {
        &self.0
    }
}

impl Serialize for SharedRules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rules.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(SharedRules(Arc::new(CompiledRules::new(Arc::new(Rules::deserialize(deserializer)?)))))
    }
}

impl JsonSchema for SharedRules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Rules::schema_name()
    }
    fn schema_id() -> std::borrow::Cow<'static, str> {
        Rules::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Rules::json_schema(generator)
    }
}

/// A hand: how many cards of each face.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    counts: [u8; Face::COUNT],
    len: u16,
}

impl Default for Hand {
    fn default() -> Self {
        Hand { counts: [0; Face::COUNT], len: 0 }
    }
}

impl Hand {
    /// Number of cards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }
    /// Whether no card is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// How many cards of a face.
    #[must_use]
    pub const fn count(&self, face: Face) -> u8 {
        self.counts[face.index()]
    }
    /// How many of each face, by [`Face::index`].
    #[must_use]
    pub const fn counts(&self) -> &[u8; Face::COUNT] {
        &self.counts
    }
    /// Puts a card in.
    pub const fn add(&mut self, face: Face) {
        self.counts[face.index()] += 1;
        self.len += 1;
    }
    /// Takes a card out; false if there is none.
    pub const fn remove(&mut self, face: Face) -> bool {
        let count = &mut self.counts[face.index()];
        if *count == 0 {
            return false;
        }
        *count -= 1;
        self.len -= 1;
        true
    }
    /// The faces held, each once, in canonical order: suit by suit, ranks ascending, the joker last.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        (1..Face::COUNT).chain([0]).filter(|&i| self.counts[i] > 0).filter_map(Face::from_index)
    }
    /// Every card held, in canonical order.
    pub fn cards(&self) -> impl Iterator<Item = Face> + '_ {
        self.faces().flat_map(|face| std::iter::repeat_n(face, usize::from(self.count(face))))
    }
    /// The card at a place, from 0, in canonical order.
    #[must_use]
    pub fn nth(&self, place: usize) -> Option<Face> {
        self.cards().nth(place)
    }
}

impl FromIterator<Face> for Hand {
    fn from_iter<I: IntoIterator<Item = Face>>(cards: I) -> Hand {
        let mut hand = Hand::default();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

/// In JSON a hand is the list of its cards.
impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Face>::deserialize(deserializer)?;
        if cards.iter().any(|c| Face::from_index(c.index()) != Some(*c)) || cards.len() > 255 {
            return Err(serde::de::Error::custom("a hand is a list of at most 255 cards"));
        }
        Ok(cards.into_iter().collect())
    }
}

impl JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContractHand".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Face>::json_schema(generator)
    }
}

/// Where a round stands (section 2.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoundPhase")]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the deal: chance decides.
    #[default]
    Deal,
    /// The cut before the deal is waited for.
    Cut,
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

impl Phase {
    /// The word for it in scenarios.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Deal => "deal",
            Phase::Cut => "cut",
            Phase::Start => "start",
            Phase::Offer => "offer",
            Phase::Play => "play",
            Phase::Shanghai => "shanghai",
            Phase::Pick => "pick",
            Phase::Over => "over",
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

/// Everything small that is public. Copied when a decision looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractFlow")]
pub struct Flow {
    /// Number of seats.
    pub seats: u8,
    /// Where the round stands.
    pub phase: Phase,
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
    /// The contract of this round, as a place in the rules' list, where the first melder picks it and has.
    pub contract: Option<u16>,
    /// Contracts that have been used, one bit for each round of the rules, where the first melder picks.
    pub used: u64,
    /// How many contracts each seat has laid, where each goes on alone.
    pub progress: [u8; MOST],
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
    /// Who is asked: the offer's or the claim's seats. Never who is still undecided.
    pub asked: SeatSet,
    /// Who may still ask for the card that was on top, while P0 plays.
    pub open: SeatSet,
    /// Who has asked early, where that is shown.
    pub shown: SeatSet,
    /// Who claimed the discard.
    pub claimer: Option<Seat>,
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
            first_dealer: Seat(0),
            dealer: Seat(0),
            turn: Seat(0),
            turns: 0,
            idle: 0,
            sizes: [0; MOST],
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
            asked: SeatSet::NONE,
            open: SeatSet::NONE,
            shown: SeatSet::NONE,
            claimer: None,
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
        if compiled.per_player() {
            let at = usize::from(self.progress[seat.index()]).min(compiled.played.len() - 1);
            return compiled.played[at] as u16;
        }
        self.contract.unwrap_or(self.round)
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
        self.pile > 0 && !self.protected && !down
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
        let used = match take.limit_per {
            LimitPer::Round => 0,
            LimitPer::Game => self.takes_before[seat.index()],
        } + u16::from(self.takes[seat.index()]);
        (take.limit > 0).then(|| u16::from(take.limit).saturating_sub(used))
    }

    /// Number of sides: two where partners sit in every other seat, otherwise each seat is one.
    #[must_use]
    pub fn sides(&self, compiled: &CompiledRules) -> u8 {
        if compiled.rules.settings.players.teams == 2 { 2 } else { self.seats }
    }

    /// Whether two seats are of one side.
    #[must_use]
    pub fn partners(&self, compiled: &CompiledRules, a: Seat, b: Seat) -> bool {
        a == b || self.sides(compiled) == 2 && a.0 % 2 == b.0 % 2
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
        let finished = usize::from(self.finished);
        let total = compiled.played.len();
        if compiled.per_player() {
            let done = |seat: u8| usize::from(self.progress[usize::from(seat)]) >= total;
            let over = match compiled.rules.settings.game.end {
                GameEnd::FirstFinisher => (0..self.seats).any(done),
                GameEnd::AfterRounds => (0..self.seats).all(done),
            };
            return over || finished >= compiled.most_deals();
        }
        if compiled.chosen() {
            return finished >= total;
        }
        compiled.played.last().is_none_or(|&last| usize::from(self.round) >= last)
    }

    fn clock(&mut self, until: Option<Millis>) {
        self.until = until;
        self.alarm = self.alarm.wrapping_add(1);
    }

    /// The turn is at an end.
    fn end_turn(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.asked = SeatSet::NONE;
        self.open = SeatSet::NONE;
        self.next = Next::Nothing;
        self.clock(None);
    }

    fn pop_discard(&mut self, top: Option<Face>) {
        self.pile -= 1;
        self.top = top;
        self.thrower = None;
        self.shown = SeatSet::NONE;
    }

    /// Takes in what an event changes here. Looks at nothing that is hidden, so that views do the same.
    pub fn apply(&mut self, compiled: &CompiledRules, event: &Event) {
        let turn = self.turn.index();
        match event {
            Event::Dealer { seat, .. } => {
                self.first_dealer = *seat;
                self.waiting = Waiting::Nothing;
            }
            Event::Round { round, deal, dealer, until } => {
                self.begin_round(compiled, *round, *deal, *dealer);
                self.clock(*until);
            }
            Event::Aimed { aim } => {
                self.waiting = Waiting::Noise(*aim);
                self.clock(None);
            }
            Event::Cut { points, .. } => {
                let cutter = self.cutter(compiled);
                self.scores[cutter.index()] += points;
                self.phase = Phase::Deal;
                self.waiting = Waiting::Shuffle;
                self.clock(None);
            }
            Event::Dealt { top, .. } => self.dealt(compiled, *top),
            Event::Turn { seat, protected, claimable, idle, until } => {
                self.turn = *seat;
                self.protected = *protected;
                self.idle = *idle;
                self.begin_turn(compiled);
                self.claimable = *claimable;
                self.clock(*until);
            }
            Event::Declined { left, open } => {
                self.left = *left;
                self.forced = false;
                self.waived = self.supply(compiled) == 0;
                self.open = *open;
                self.asked = SeatSet::NONE;
                self.clock(None);
            }
            Event::Offer { asked, until } => {
                self.phase = Phase::Offer;
                self.asked = *asked;
                self.shown = SeatSet::NONE;
                self.clock(*until);
            }
            Event::Answered { seat, take } => {
                let shown = self.set(compiled).take.early_asks == rules::EarlyAsks::Shown;
                if shown && self.phase == Phase::Start {
                    if *take {
                        self.shown.add(*seat);
                    } else {
                        self.shown.remove(*seat);
                    }
                }
            }
            Event::Took { seat, top, owed, .. } => {
                let take = &self.set(compiled).take;
                self.pop_discard(*top);
                self.sizes[seat.index()] += 1;
                self.takes[seat.index()] = self.takes[seat.index()].saturating_add(1);
                self.scores[seat.index()] += take.points;
                self.kitty += i32::from(take.pennies);
                self.last_taker = Some(*seat);
                if *seat != self.turn {
                    self.takers.add(*seat);
                }
                self.taker = Some(*seat);
                self.owed = *owed;
                self.next = if self.open.is_empty() { Next::Offer } else { Next::Discard };
                self.open = SeatSet::NONE;
                self.asked = SeatSet::NONE;
                if *seat == self.turn {
                    self.left = None;
                } else {
                    self.clock(None);
                }
            }
            Event::Penalty { seat, .. } => self.paid(compiled, *seat),
            Event::Remake { draw } => {
                self.waiting = Waiting::Remake;
                if *draw {
                    self.next = Next::Draw;
                }
            }
            Event::Remade { .. } => self.remade(),
            Event::Back { forced, until } => {
                self.phase = Phase::Start;
                self.forced = *forced;
                self.next = Next::Nothing;
                self.asked = SeatSet::NONE;
                self.left = None;
                self.claimable = false;
                self.clock(*until);
            }
            Event::Drew { discard, top, until, .. } => {
                if *discard {
                    self.pop_discard(*top);
                    self.sizes[turn] += 1;
                    self.phase = Phase::Play;
                    self.open = SeatSet::NONE;
                    self.asked = SeatSet::NONE;
                    self.next = Next::Nothing;
                    self.left = None;
                    self.clock(*until);
                } else {
                    self.drew_stock(*until);
                }
            }
            Event::Pushed { to, top, .. } => self.pushed(*to, *top),
            Event::Melded { contract, melds } => {
                let cards: usize = melds.iter().map(Meld::len).sum();
                self.sizes[turn] -= cards as u16;
                self.acted = true;
                if let Some(contract) = contract {
                    self.down.add(self.turn);
                    self.fresh = true;
                    if compiled.chosen() {
                        self.contract = Some(*contract);
                    }
                }
            }
            Event::LaidOff { cards, .. } => {
                self.sizes[turn] -= cards.len() as u16;
                self.acted = true;
            }
            Event::Reclaimed { .. } => self.acted = true,
            Event::Undone { before } => self.undo(before),
            Event::Discarded { card, protect } => {
                self.sizes[turn] -= 1;
                self.pile += 1;
                self.top = Some(*card);
                self.thrower = Some(self.turn);
                self.discarder = self.turn;
                self.protected = *protect;
                self.shown = SeatSet::NONE;
                self.end_turn();
            }
            Event::Held => {
                self.protected = false;
                self.thrower = None;
                self.end_turn();
            }
            Event::Claims { asked, until } => {
                self.phase = Phase::Shanghai;
                self.asked = *asked;
                self.clock(*until);
            }
            Event::Unclaimed => {
                self.asked = SeatSet::NONE;
                self.claimable = false;
                self.clock(None);
            }
            Event::Claimed { seat, top, until, .. } => {
                self.phase = Phase::Pick;
                self.pop_discard(*top);
                self.asked = SeatSet::NONE;
                self.claimer = Some(*seat);
                self.acted = true;
                self.clock(*until);
            }
            Event::PickedPlace { place } => {
                self.waiting = Waiting::Place(*place);
                self.clock(None);
            }
            Event::Picked { .. } => self.picked(),
            Event::TimedOut { seat } => {
                self.timed_out |= *seat == self.turn && matches!(self.phase, Phase::Start | Phase::Play);
            }
            Event::RoundOver { winner, points } => {
                for (seat, points) in points.iter().enumerate() {
                    self.scores[seat] += points;
                    self.points[seat] = *points;
                }
                if let Some(winner) = winner {
                    self.won[winner.index()] += 1;
                }
                self.finished += 1;
                for seat in 0..usize::from(self.seats) {
                    self.takes_before[seat] += u16::from(self.takes[seat]);
                    if self.down.has(Seat(seat as u8)) {
                        self.progress[seat] = self.progress[seat].saturating_add(1);
                    }
                }
                self.used |= self.contract.map_or(0, |c| 1 << c);
                self.phase = Phase::Deal;
                self.next = Next::Nothing;
                self.waiting = Waiting::Nothing;
                self.asked = SeatSet::NONE;
                self.open = SeatSet::NONE;
                self.clock(None);
            }
            Event::Over(_) => self.phase = Phase::Over,
            Event::Presence { seat, presence, until } => {
                self.away.remove(*seat);
                self.gone.remove(*seat);
                match presence {
                    Presence::Dropped => self.away.add(*seat),
                    Presence::Left => self.gone.add(*seat),
                    Presence::Back | Presence::Joined => {}
                }
                if *until != self.until {
                    self.clock(*until);
                }
            }
            Event::Stands { .. } | Event::Called { .. } | Event::Withheld { .. } => {}
        }
    }

    /// A round begins.
    fn begin_round(&mut self, compiled: &CompiledRules, round: u16, deal: u16, dealer: Seat) {
        let cut = &compiled.set(round).cut;
        let cuts = cut.on && cut.mode != rules::CutMode::Off;
        *self = Flow {
            round,
            deal,
            dealer,
            phase: if cuts { Phase::Cut } else { Phase::Deal },
            waiting: if cuts { Waiting::Nothing } else { Waiting::Shuffle },
            finished: self.finished,
            used: self.used,
            progress: self.progress,
            first_dealer: self.first_dealer,
            takes_before: self.takes_before,
            scores: self.scores,
            points: self.points,
            won: self.won,
            kitty: self.kitty,
            away: self.away,
            gone: self.gone,
            alarm: self.alarm,
            ..Flow::new(self.seats)
        };
        self.turn = self.step(compiled, dealer, 1);
    }

    /// Every hand is dealt, and the upcard turned.
    fn dealt(&mut self, compiled: &CompiledRules, top: Option<Face>) {
        let round = compiled.round(self.round);
        let seats = usize::from(self.seats);
        self.sizes[..seats].fill(u16::from(round.deal));
        self.pile = u16::from(top.is_some());
        self.top = top;
        self.stock = compiled.cards.len() as u16 - u16::from(round.deal) * u16::from(self.seats) - self.pile;
        self.waiting = Waiting::Nothing;
    }

    fn begin_turn(&mut self, compiled: &CompiledRules) {
        self.phase = Phase::Start;
        self.fresh = false;
        self.acted = false;
        self.forced = false;
        self.waived = false;
        self.timed_out = false;
        self.left = None;
        self.claimer = None;
        self.asked = SeatSet::NONE;
        self.shown = SeatSet::NONE;
        if self.set(compiled).take.repeat_scope == rules::RepeatScope::Turn {
            self.last_taker = None;
            self.takers = SeatSet::NONE;
        }
    }

    /// A penalty card has been paid.
    fn paid(&mut self, compiled: &CompiledRules, seat: Seat) {
        self.stock -= 1;
        self.sizes[seat.index()] += 1;
        self.owed -= 1;
        self.kitty += i32::from(self.set(compiled).take.penalty_pennies);
    }

    /// The stock has been remade.
    fn remade(&mut self) {
        self.stock += self.pile - 1;
        self.pile = 1;
        self.recycles += 1;
        self.waiting = Waiting::Nothing;
    }

    /// P0 has drawn from the stock.
    fn drew_stock(&mut self, until: Option<Millis>) {
        self.stock -= 1;
        self.sizes[self.turn.index()] += 1;
        self.phase = Phase::Play;
        self.next = Next::Nothing;
        self.asked = SeatSet::NONE;
        self.shown = SeatSet::NONE;
        self.left = None;
        self.claimable = false;
        self.clock(until);
    }

    /// The top discard and a stock card have been pushed.
    fn pushed(&mut self, to: Seat, top: Option<Face>) {
        self.pop_discard(top);
        self.stock -= 1;
        self.sizes[to.index()] += 2;
    }

    /// The discarder has got a card of the claimer's hand.
    fn picked(&mut self) {
        let claimer = self.claimer.unwrap_or(self.turn);
        let picker = self.discarder;
        self.sizes[claimer.index()] -= 1;
        self.sizes[picker.index()] += 1;
        self.picks += 1;
        self.waiting = Waiting::Nothing;
        self.clock(None);
    }

    /// What a play that was taken back had changed here.
    fn undo(&mut self, before: &Before) {
        let turn = self.turn.index();
        self.sizes[turn] = self.sizes[turn] + before.back.len() as u16 - u16::from(before.wild.is_some());
        if !before.down {
            self.down.remove(self.turn);
            self.fresh = false;
        }
        self.contract = before.contract;
        self.acted = before.acted;
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractBoard")]
pub struct Board {
    /// Melds on the table, in the order laid.
    pub melds: Vec<TableMeld>,
    /// Wilds that P0 took back and must lay before the turn ends.
    pub pending: Vec<Face>,
    /// Who took what from the discard pile in this round.
    pub taken: Vec<Taken>,
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

impl Board {
    /// Takes in an event; asked with the flow as it was before it.
    pub fn apply(&mut self, compiled: &CompiledRules, flow: &Flow, event: &Event) {
        match event {
            Event::Dealer { cards, .. } => self.high_cards.clone_from(cards),
            Event::Round { .. } => {
                self.melds.clear();
                self.pending.clear();
                self.taken.clear();
                self.undo.clear();
                self.cut = None;
            }
            Event::Cut { depth, .. } => self.cut = Some(*depth),
            Event::Took { seat, card, .. } => {
                let way = if *seat == flow.turn { Way::Buy } else { Way::Take };
                self.taken.push(Taken { seat: *seat, card: *card, way, gone: false });
            }
            Event::Drew { discard: true, card, .. } => {
                self.taken.push(Taken { seat: flow.turn, card: *card, way: Way::Draw, gone: false });
            }
            Event::Pushed { to, discard, .. } => {
                self.taken.push(Taken { seat: *to, card: *discard, way: Way::Push, gone: false });
            }
            // Which card it was, only two know.
            Event::Picked { .. } => {
                let lost = self.taken.iter_mut().filter(|taken| Some(taken.seat) == flow.claimer);
                lost.for_each(|taken| taken.gone = true);
            }
            Event::Melded { melds, .. } => {
                let faces = melds.iter().flat_map(Meld::faces);
                self.remember(compiled, flow, faces.collect(), None);
                let owner = flow.turn;
                let used = melds.iter().flat_map(Meld::faces);
                for face in used {
                    // A wild that had to be used has been (`wild.reclaim_use = any-meld`).
                    if let Some(at) = self.pending.iter().position(|&p| p == face) {
                        self.pending.swap_remove(at);
                    }
                }
                self.melds.extend(melds.iter().map(|meld| TableMeld { owner, meld: meld.clone() }));
                melds.iter().flat_map(Meld::faces).for_each(|card| self.parted(owner, card));
            }
            Event::LaidOff { on, cards, meld } => {
                self.remember(compiled, flow, cards.clone(), None);
                for card in cards {
                    if let Some(at) = self.pending.iter().position(|p| p == card) {
                        self.pending.swap_remove(at);
                    }
                    self.parted(flow.turn, *card);
                }
                self.replace(*on, meld);
            }
            Event::Reclaimed { from, card, wild, meld, pending } => {
                self.remember(compiled, flow, vec![*card], Some(*wild));
                if *pending {
                    self.pending.push(*wild);
                }
                self.parted(flow.turn, *card);
                self.replace(*from, meld);
            }
            Event::Undone { before } => {
                self.undo.pop();
                self.melds.clone_from(&before.melds);
                self.pending.clone_from(&before.pending);
                for &card in &before.back {
                    let back =
                        |taken: &&mut Taken| taken.gone && (taken.seat, taken.card) == (flow.turn, card);
                    if let Some(taken) = self.taken.iter_mut().find(back) {
                        taken.gone = false;
                    }
                }
            }
            Event::Discarded { .. } | Event::Held => {
                if let Event::Discarded { card, .. } = event {
                    self.parted(flow.turn, *card);
                }
                self.undo.clear();
                self.pending.clear();
            }
            Event::Claimed { seat, on, meld, .. } => {
                if let Some(card) = flow.top {
                    self.taken.push(Taken { seat: *seat, card, way: Way::Claim, gone: true });
                }
                self.replace(*on, meld);
            }
            Event::RoundOver { winner, points } => {
                let seats = usize::from(flow.seats);
                self.undo.clear();
                self.sheet.push(SheetRound {
                    round: flow.contract.unwrap_or(flow.round),
                    winner: *winner,
                    points: points.clone(),
                    takes: flow.takes[..seats].to_vec(),
                    scores: (0..seats).map(|s| flow.scores[s] + points[s]).collect(),
                });
            }
            Event::Over(outcome) => self.outcome = Some(outcome.clone()),
            _ => {}
        }
    }

    /// A seat has laid or thrown a card: if it took one like it from the pile, that may be the one.
    fn parted(&mut self, seat: Seat, card: Face) {
        let held = |taken: &&mut Taken| !taken.gone && (taken.seat, taken.card) == (seat, card);
        if let Some(taken) = self.taken.iter_mut().find(held) {
            taken.gone = true;
        }
    }

    /// The cards that everybody knows a seat to hold: discards that it took and has not laid or thrown since.
    pub fn known(&self, seat: Seat) -> impl Iterator<Item = Face> + '_ {
        self.taken.iter().filter(move |taken| taken.seat == seat && !taken.gone).map(|taken| taken.card)
    }

    fn replace(&mut self, number: u16, meld: &Meld) {
        self.melds[usize::from(number) - 1].meld.clone_from(meld);
    }

    fn remember(&mut self, compiled: &CompiledRules, flow: &Flow, back: Vec<Face>, wild: Option<Face>) {
        if compiled.rules.settings.table.undo == rules::Undo::UntilDiscard {
            self.undo.push(Before {
                melds: self.melds.clone(),
                pending: self.pending.clone(),
                down: flow.down.has(flow.turn),
                contract: flow.contract,
                back,
                wild,
                acted: flow.acted,
            });
        }
    }

    /// The meld with this number.
    #[must_use]
    pub fn meld(&self, number: u16) -> Option<&TableMeld> {
        self.melds.get(usize::from(number).checked_sub(1)?)
    }
}

/// The cards that an event brings into hands or takes from them: each seat, card, and whether it comes. Asked with the
/// flow as it was before it. The deal is not among them.
pub(crate) fn hand_moves(flow: &Flow, event: &Event, mut moved: impl FnMut(Seat, Face, bool)) {
    let turn = flow.turn;
    match event {
        Event::Took { seat, card, .. } | Event::Penalty { seat, card } => moved(*seat, *card, true),
        Event::Drew { card, .. } => moved(turn, *card, true),
        Event::Pushed { to, discard, card, .. } => {
            moved(*to, *discard, true);
            moved(*to, *card, true);
        }
        Event::Melded { melds, .. } => {
            melds.iter().flat_map(Meld::faces).for_each(|card| moved(turn, card, false));
        }
        Event::LaidOff { cards, .. } => cards.iter().for_each(|&card| moved(turn, card, false)),
        Event::Reclaimed { card, wild, .. } => {
            moved(turn, *card, false);
            moved(turn, *wild, true);
        }
        Event::Undone { before } => {
            before.back.iter().for_each(|&card| moved(turn, card, true));
            before.wild.iter().for_each(|&card| moved(turn, card, false));
        }
        Event::Discarded { card, .. } => moved(turn, *card, false),
        Event::Picked { card } => {
            if let Some(claimer) = flow.claimer {
                moved(claimer, *card, false);
            }
            moved(flow.discarder, *card, true);
        }
        _ => {}
    }
}

/// What an event does to the discard pile, its top card last.
pub(crate) fn pile_moves(pile: &mut Vec<Face>, event: &Event) {
    match event {
        Event::Round { .. } => pile.clear(),
        Event::Dealt { top, .. } => pile.extend(top),
        Event::Discarded { card, .. } => pile.push(*card),
        Event::Took { .. }
        | Event::Drew { discard: true, .. }
        | Event::Pushed { .. }
        | Event::Claimed { .. } => {
            pile.pop();
        }
        Event::Remade { .. } => {
            let top = pile.pop();
            pile.clear();
            pile.extend(top);
        }
        _ => {}
    }
}
