//! Memory (M3): in turn, face-down slots.
//!
//! Everything that happens is seen by everybody except which card lies where: that is in the truth alone, so a
//! [`View`] is the same for all, and a notice is the event without the order of the shuffle.

use crate::claim::Claim;
use crate::command::Command;
use crate::company::{Best, Cause, Company, DealEnd, Happening, Stage};
use crate::finder::{Kind, Open, PointSet};
use crate::paper::{Checked, Paper, Statement, opened, same, seats_text};
use crate::rules::{FlipOnTimeout, Grouping, MemoryEnd, MemoryLayout, Rules, Score};
use crate::written::Setup;
use arrayvec::ArrayVec;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Coverage, Draw, Game, Input, Millis, Need, Outcome, Presence, Refusal, Seat, SeatSet,
    Status, Viewer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most cards that are turned up in a turn: two SuperSETs.
const MOST_UP: usize = 8;

/// A place of the layout as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemorySlot")]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// No card; it stays empty in a full layout (MEM-7).
    Empty,
    /// A card face down.
    Down,
    /// A card face up.
    Up(Point),
}

/// What a turn brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryTurned")]
pub struct Turned {
    /// Whose turn.
    pub seat: Seat,
    /// The cards in the order in which they were turned up.
    pub cards: ArrayVec<Point, MOST_UP>,
    /// Whether they were collected.
    pub right: bool,
}

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryState")]
pub struct State {
    /// Who sits there, scores, deals.
    pub company: Company,
    /// The layout, row by row.
    pub slots: Vec<Slot>,
    /// What has lain face up in a slot since it was filled. A person may have forgotten it: screens do not show it, and
    /// bots forget some of it.
    pub seen: Vec<Option<Point>>,
    /// Cards in the stock.
    pub stock: u16,
    /// Whose turn it is.
    pub turn: Seat,
    /// Slots turned up in this turn, in order, from 0.
    pub up: ArrayVec<u8, MOST_UP>,
    /// When the clock for the next card runs out (MEM-6).
    pub deadline: Option<Millis>,
    /// No Set: until when the cards stay up (MEM-5).
    pub reveal_until: Option<Millis>,
    /// Turns in a row that ran out.
    pub timed_out: u16,
    /// Whether chance turns up what is missing.
    pub filling: bool,
    /// How often chance has turned up a card in this deal.
    pub picks: u16,
    /// Who has declared that no Set is left (MEM-10).
    pub declared: SeatSet,
    /// Whether the last declaration was false.
    pub declared_falsely: bool,
    /// The last turn.
    pub last: Option<Turned>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// The deck was shuffled and laid out face down.
    Dealt {
        /// When.
        at: Millis,
        /// The cards, the first slot's first, then the stock from its top; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<Point>,
        /// How many lie in slots.
        laid: u8,
        /// How many are left as stock.
        left: u16,
        /// Who begins.
        turn: Seat,
    },
    /// A card was turned up.
    Flipped {
        /// When.
        at: Millis,
        /// Whose turn it is.
        seat: Seat,
        /// The slot, from 1.
        slot: u8,
        /// The card.
        card: Point,
        /// Whether chance turned it up because the clock had run out.
        by_chance: bool,
    },
    /// The cards turned up are right and were collected (MEM-4).
    Taken {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// The cards.
        cards: ArrayVec<Point, MOST_UP>,
        /// Points for them.
        points: i32,
        /// Whose turn is next.
        next: Seat,
    },
    /// They are not, and stay up for a while (MEM-5).
    Wrong {
        /// When.
        at: Millis,
        /// Until when they stay up.
        until: Millis,
    },
    /// The cards were turned down again and the turn passes (MEM-5).
    TurnedDown {
        /// When.
        at: Millis,
        /// Whose turn is next.
        next: Seat,
    },
    /// The clock ran out (MEM-6).
    RanOut {
        /// When.
        at: Millis,
        /// Whose turn it was.
        seat: Seat,
        /// Whether chance now turns up what is missing; else the turn ends.
        filling: bool,
    },
    /// Face-down cards were laid from the stock.
    Laid {
        /// When.
        at: Millis,
        /// In which slots, from 1.
        slots: Vec<u8>,
        /// Whether they are extra cards because no Set was left (MEM-8).
        extra: bool,
    },
    /// A seat declared that no Set is left (MEM-10).
    Declared {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// All declared it, and it is not so.
    DeclaredFalsely {
        /// When.
        at: Millis,
    },
}

/// What a viewer learns: the event without the order of the cards.
pub type Notice = Event;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MemoryView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table.
    pub state: State,
}

/// The truth.
#[derive(Clone, Debug)]
pub struct Memory {
    rules: Arc<Rules>,
    state: State,
    /// The card in each slot.
    cards: Vec<Option<Point>>,
    /// The stock, top last.
    stock: Vec<Point>,
    /// Cards that a written position leaves out.
    aside: Vec<Point>,
}

/// Cards that a turn turns up (MEM-3; six in double-memory).
fn needed(rules: &Rules) -> usize {
    let kind = Kind::from(rules);
    kind.size() * if rules.multiplicity == crate::rules::Multiplicity::Double { 2 } else { 1 }
}

/// How many cards are laid out: the whole deck, or as many as the rules say (MEM-2).
fn base(rules: &Rules) -> usize {
    match rules.memory_layout {
        MemoryLayout::Full(_) => rules.deck.size(),
        MemoryLayout::Slots(slots) => usize::from(slots).min(rules.deck.size()),
    }
}

/// Cards turned up in one go are told apart by the server (double-memory: "must split into two Sets").
fn kind(rules: &Rules) -> Kind {
    Kind { grouping: Grouping::Auto, pairing: Grouping::Auto, ..Kind::from(rules) }
}

impl State {
    fn new(rules: &Rules, company: Company) -> State {
        State {
            turn: company.after(company.dealer),
            company,
            slots: Vec::new(),
            seen: Vec::new(),
            stock: rules.deck.size() as u16,
            up: ArrayVec::new(),
            deadline: None,
            reveal_until: None,
            timed_out: 0,
            filling: false,
            picks: 0,
            declared: SeatSet::NONE,
            declared_falsely: false,
            last: None,
        }
    }

    fn clock(&mut self, rules: &Rules, at: Millis) {
        self.deadline = (rules.flip_timeout_s > 0).then(|| at.after(u32::from(rules.flip_timeout_s) * 1000));
    }

    fn turn_down(&mut self) {
        for slot in self.up.drain(..) {
            self.slots[usize::from(slot)] = Slot::Down;
        }
        self.reveal_until = None;
        self.filling = false;
    }

    /// The slots with a card face down, from 0.
    pub fn face_down(&self) -> impl Iterator<Item = u8> + '_ {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| **slot == Slot::Down).map(|(i, _)| i as u8)
    }

    /// Whether a card may be turned up now by the seat whose turn it is.
    #[must_use]
    pub fn may_flip(&self) -> bool {
        self.company.stage == Stage::Playing && self.reveal_until.is_none() && !self.filling
    }

    fn apply(&mut self, rules: &Rules, event: &Event) {
        if let Event::Declared { at, .. } | Event::Flipped { at, by_chance: false, .. } = *event {
            self.company.acted_at = at;
        }
        match *event {
            Event::Table(ref happening) => {
                self.company.apply(happening);
                match *happening {
                    Happening::Retired { seat, .. } => self.declared.remove(seat),
                    Happening::DealOver { .. } => {
                        self.turn_down();
                        self.deadline = None;
                        self.declared = SeatSet::NONE;
                    }
                    Happening::Begun => *self = State::new(rules, self.company.clone()),
                    _ => {}
                }
            }
            Event::Dealt { at, laid, left, turn, .. } => {
                self.company.stage = Stage::Playing;
                self.company.acted_at = at;
                self.slots = vec![Slot::Down; usize::from(laid)];
                self.seen = vec![None; usize::from(laid)];
                self.stock = left;
                self.turn = turn;
                self.clock(rules, at);
            }
            Event::Flipped { at, slot, card, by_chance, .. } => {
                let slot = slot - 1;
                self.slots[usize::from(slot)] = Slot::Up(card);
                self.seen[usize::from(slot)] = Some(card);
                self.up.push(slot);
                self.picks += u16::from(by_chance);
                self.clock(rules, at);
            }
            Event::Taken { at, seat, ref cards, points, next } => {
                for slot in self.up.drain(..) {
                    self.slots[usize::from(slot)] = Slot::Empty;
                    self.seen[usize::from(slot)] = None;
                }
                let member = &mut self.company.players[seat.index()];
                member.taken.extend_from_slice(cards);
                member.score += points;
                member.points += points;
                self.last = Some(Turned { seat, cards: cards.clone(), right: true });
                if !self.filling {
                    self.timed_out = 0;
                }
                self.filling = false;
                self.turn = next;
                self.declared = SeatSet::NONE;
                self.clock(rules, at);
            }
            Event::Wrong { until, .. } => {
                self.last = Some(Turned { seat: self.turn, cards: self.cards_up(), right: false });
                if !self.filling {
                    self.timed_out = 0;
                }
                self.filling = false;
                self.reveal_until = Some(until);
                self.deadline = None;
            }
            Event::TurnedDown { at, next } => {
                self.turn_down();
                self.turn = next;
                self.clock(rules, at);
            }
            Event::RanOut { filling, .. } => {
                self.timed_out += 1;
                self.filling = filling;
                self.deadline = None;
            }
            Event::Laid { ref slots, .. } => {
                for &slot in slots {
                    let slot = usize::from(slot) - 1;
                    if self.slots.len() <= slot {
                        self.slots.resize(slot + 1, Slot::Empty);
                        self.seen.resize(slot + 1, None);
                    }
                    self.slots[slot] = Slot::Down;
                    self.seen[slot] = None;
                    self.stock -= 1;
                }
                self.declared = SeatSet::NONE;
            }
            Event::Declared { seat, .. } => {
                self.declared.add(seat);
                self.declared_falsely = false;
            }
            Event::DeclaredFalsely { .. } => {
                self.declared = SeatSet::NONE;
                self.declared_falsely = true;
            }
        }
    }

    /// The cards turned up in this turn.
    #[must_use]
    pub fn cards_up(&self) -> ArrayVec<Point, MOST_UP> {
        let card = |slot: &u8| match self.slots[usize::from(*slot)] {
            Slot::Up(card) => Some(card),
            _ => None,
        };
        self.up.iter().filter_map(card).collect()
    }
}

/// Why an alarm rings; the order settles which of two goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bell {
    Reveal,
    Flip,
    Company(Cause),
}

impl Memory {
    fn bell(&self) -> Option<(Alarm, Bell)> {
        let state = &self.state;
        let playing = state.company.stage == Stage::Playing;
        let own = [(state.reveal_until, Bell::Reveal), (state.deadline, Bell::Flip)];
        let own = own.into_iter().filter_map(|(due, bell)| due.filter(|_| playing).map(|due| (due, bell)));
        let common = state.company.alarms(&self.rules).map(|(due, cause)| (due, Bell::Company(cause)));
        own.chain(common).min().map(|(due, bell)| {
            let kind = match bell {
                Bell::Reveal => 0,
                Bell::Flip => 1,
                Bell::Company(Cause::Next) => 2,
                Bell::Company(Cause::Abandon) => 3,
                Bell::Company(Cause::Grace(seat)) => 4 + u32::from(seat.0),
            };
            (Alarm { id: due.0.wrapping_mul(16) | kind, due }, bell)
        })
    }

    fn laid(&self) -> impl Iterator<Item = Point> + '_ {
        self.cards.iter().filter_map(|&card| card)
    }

    /// Whether the layout holds what is looked for.
    fn some_left(&self) -> bool {
        kind(&self.rules).exists(&Open::layout(self.laid().map(|card| (0, card))))
    }

    fn phase(&self) -> &'static str {
        match self.state.company.stage {
            Stage::Choosing | Stage::Shuffling | Stage::Between => "dealing",
            Stage::Playing => "turn",
            Stage::Over => "over",
        }
    }
}

/// A decision on its way: what was decided so far has been applied, so that what follows is judged on what is so then.
struct Draft {
    game: Memory,
    events: Vec<Event>,
}

impl Draft {
    fn emit(&mut self, event: Event) {
        self.game.evolve(&event);
        self.events.push(event);
    }

    fn table(&mut self, happening: Happening) {
        self.emit(Event::Table(happening));
    }

    fn close(&mut self, at: Millis, why: DealEnd) {
        let closing = self.game.state.company.close(&self.game.rules, at, why, Best::Highest);
        closing.into_iter().for_each(|happening| self.table(happening));
    }

    fn play(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        self.game.state.company.may_act(seat, "MEM-8")?;
        match command {
            Command::Flip(slot) => self.flip(at, seat, *slot),
            Command::Declare => self.declare(at, seat),
            Command::Ready => {
                let ready = self.game.state.company.judge_ready(at, seat)?;
                self.table(ready);
                self.begin();
                Ok(())
            }
            _ => Err(Refusal::new(&["MEM-3", "4.1"], "in memory a player turns up cards, one after another")),
        }
    }

    /// Begins the next deal if nobody is waited for.
    fn begin(&mut self) {
        let company = &self.game.state.company;
        if company.stage == Stage::Between && company.unready().is_empty() && !company.ready.is_empty() {
            self.table(Happening::Begun);
        }
    }

    fn flip(&mut self, at: Millis, seat: Seat, slot: u8) -> Result<(), Refusal> {
        let state = &self.game.state;
        if state.company.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-3", "CORE-3"], "no cards lie there yet"));
        }
        let mut rules = Vec::new();
        let mut why = Vec::new();
        if seat != state.turn {
            rules.extend(["MEM-1", "MEM-3"]);
            why.push(format!("it is the turn of seat {}", state.turn));
        }
        if state.reveal_until.is_some() {
            rules.push("MEM-5");
            why.push("the cards of the last turn are still up".into());
        }
        match slot.checked_sub(1).and_then(|slot| state.slots.get(usize::from(slot))) {
            Some(Slot::Down) => {}
            Some(Slot::Up(_)) => {
                rules.push("MEM-3");
                why.push(format!("the card in slot {slot} is up already"));
            }
            Some(Slot::Empty) => {
                rules.extend(["MEM-7", "MEM-3"]);
                why.push(format!("slot {slot} is empty"));
            }
            None => {
                rules.extend(["MEM-2", "MEM-3"]);
                why.push(format!(
                    "there is no slot {slot}: they are numbered from 1 to {}",
                    state.slots.len()
                ));
            }
        }
        if !rules.is_empty() {
            rules.dedup();
            return Err(Refusal::new(&rules, why.join("; ")));
        }
        self.turn_up(at, slot - 1, false);
        Ok(())
    }

    fn turn_up(&mut self, at: Millis, slot: u8, by_chance: bool) {
        let seat = self.game.state.turn;
        let card = self.game.cards[usize::from(slot)].expect("a face-down slot holds a card");
        self.emit(Event::Flipped { at, seat, slot: slot + 1, card, by_chance });
        if self.game.state.up.len() == needed(&self.game.rules) {
            self.judge(at);
        }
    }

    fn judge(&mut self, at: Millis) {
        let (rules, state) = (self.game.rules.clone(), &self.game.state);
        let (seat, cards) = (state.turn, state.cards_up());
        let open = Open::layout(cards.iter().map(|&card| (0, card)));
        let groups = match kind(&rules).judge(&open, &Claim::one(&cards)) {
            Ok(judged) if judged.finding.right() => judged.claim.len(),
            _ => 0,
        };
        if groups == 0 {
            self.emit(Event::Wrong { at, until: at.after(u32::from(rules.reveal_ms)) });
            if self.game.state.timed_out >= 2 * self.game.state.company.remaining().len() as u16 {
                self.close(at, DealEnd::TimedOut);
            } else if rules.reveal_ms == 0 {
                self.pass_on(at);
            }
            return;
        }
        let points = match rules.score {
            Score::Claims => 1,
            Score::Cards => cards.len() as i32,
            _ => groups as i32,
        };
        let next = if rules.extra_turn { seat } else { state.company.after(seat) };
        self.emit(Event::Taken { at, seat, cards, points, next });
        self.refill(at);
        if !self.settle(at)
            && self.game.state.timed_out >= 2 * self.game.state.company.remaining().len() as u16
        {
            self.close(at, DealEnd::TimedOut);
        }
    }

    /// Turns the cards down and passes the turn on.
    fn pass_on(&mut self, at: Millis) {
        let company = &self.game.state.company;
        let next = company.after(self.game.state.turn);
        self.emit(Event::TurnedDown { at, next });
    }

    /// CORE-12: fills the layout up to its base, lowest emptied slot first.
    fn refill(&mut self, at: Millis) {
        let game = &self.game;
        if !matches!(game.rules.memory_layout, MemoryLayout::Slots(_)) {
            return;
        }
        let missing = base(&game.rules).saturating_sub(game.laid().count()).min(game.stock.len());
        let empty = game.cards.iter().enumerate().filter(|(_, card)| card.is_none());
        let slots: Vec<u8> = empty.take(missing).map(|(i, _)| i as u8 + 1).collect();
        if !slots.is_empty() {
            self.emit(Event::Laid { at, slots, extra: false });
        }
    }

    /// MEM-8: adds cards or ends the deal while no Set is left; whether the deal ended. With `memory_end = declare` only
    /// what everybody can see is acted on: that too few cards are left for a turn.
    fn settle(&mut self, at: Millis) -> bool {
        let declare = self.game.rules.memory_end == MemoryEnd::Declare;
        loop {
            let game = &self.game;
            let too_few = game.laid().count() < needed(&game.rules);
            if !too_few && (declare || game.some_left()) {
                return false;
            }
            if game.stock.is_empty() {
                self.close(at, DealEnd::Finished);
                return true;
            }
            self.extra(at);
        }
    }

    /// MEM-8, Q-09: three more, in new slots after the last.
    fn extra(&mut self, at: Millis) {
        let (slots, count) = (self.game.cards.len(), self.game.stock.len().min(3));
        let slots = (slots..slots + count).map(|slot| slot as u8 + 1).collect();
        self.emit(Event::Laid { at, slots, extra: true });
    }

    fn declare(&mut self, at: Millis, seat: Seat) -> Result<(), Refusal> {
        let state = &self.game.state;
        if self.game.rules.memory_end == MemoryEnd::Auto {
            return Err(Refusal::new(
                &["MEM-8", "MEM-10", "A-21"],
                "here the server sees when no Set is left",
            ));
        }
        if state.company.stage != Stage::Playing {
            return Err(Refusal::new(&["MEM-10", "CORE-3"], "no deal is being played"));
        }
        if state.declared.has(seat) {
            return Err(Refusal::new(&["MEM-10", "Q-04"], "you have declared that already"));
        }
        if !state.up.is_empty() {
            return Err(Refusal::new(&["MEM-10", "MEM-5"], "wait until no card lies face up"));
        }
        self.emit(Event::Declared { at, seat });
        self.agreed(at);
        Ok(())
    }

    /// what follows once everybody who is needed has declared.
    fn agreed(&mut self, at: Millis) {
        let state = &self.game.state;
        let needed = state.company.needed(at);
        if state.declared.is_empty() || !state.declared.contains_all(needed) {
            return;
        }
        if self.game.some_left() {
            self.emit(Event::DeclaredFalsely { at });
        } else if self.game.stock.is_empty() {
            self.close(at, DealEnd::Finished);
        } else {
            self.extra(at);
        }
    }

    fn draw(&mut self, at: Millis, draw: &Draw) -> Result<(), Refusal> {
        let Status::Chance(need) = self.game.status() else {
            return Err("nothing is drawn now".into());
        };
        if !draw.answers(&need) {
            return Err("this is no answer to what chance was asked".into());
        }
        match (need, draw) {
            (Need::Dealer { .. }, _) => {
                let dealer = self.game.state.company.first_dealer(draw).ok_or("there is no such seat")?;
                self.table(dealer);
            }
            (Need::Pick { .. }, Draw::Pick(nth)) => {
                let slot =
                    self.game.state.face_down().nth(usize::from(*nth)).expect("the answer is in range");
                self.turn_up(at, slot, true);
            }
            (_, Draw::Order(order)) => {
                let deck: Vec<Point> = self.game.rules.cards().collect();
                let cards: Vec<Point> = order.iter().map(|&i| deck[usize::from(i)]).collect();
                let laid = base(&self.game.rules);
                let company = &self.game.state.company;
                let turn = company.after(company.dealer);
                let left = (cards.len() - laid) as u16;
                self.emit(Event::Dealt { at, cards, laid: laid as u8, left, turn });
                self.settle(at);
            }
            _ => return Err("this is no answer to what chance was asked".into()),
        }
        Ok(())
    }

    fn ring(&mut self, at: Millis, id: u32) -> Result<(), Refusal> {
        let Some((_, bell)) = self.game.bell().filter(|(alarm, _)| alarm.id == id && alarm.due <= at) else {
            return Err("this alarm is not due".into());
        };
        match bell {
            Bell::Reveal => self.pass_on(at),
            Bell::Flip => {
                let seat = self.game.state.turn;
                let filling = self.game.rules.flip_on_timeout == FlipOnTimeout::Random;
                self.emit(Event::RanOut { at, seat, filling });
                if !filling {
                    if self.game.state.timed_out >= 2 * self.game.state.company.remaining().len() as u16 {
                        self.close(at, DealEnd::TimedOut);
                    } else {
                        self.pass_on(at);
                    }
                }
            }
            Bell::Company(Cause::Grace(seat)) => self.retire(at, seat),
            Bell::Company(Cause::Next) => self.table(Happening::Begun),
            Bell::Company(Cause::Abandon) => self.close(at, DealEnd::Abandoned),
        }
        Ok(())
    }

    fn retire(&mut self, at: Millis, seat: Seat) {
        self.table(Happening::Retired { at, seat });
        let state = &self.game.state;
        if state.company.too_few(&self.game.rules) {
            if state.company.stage == Stage::Between {
                let outcome = state.company.outcome(Best::Highest, false);
                self.table(Happening::Ended { at, outcome });
            } else if matches!(state.company.stage, Stage::Playing) {
                self.close(at, DealEnd::TooFew);
            }
        } else if state.company.stage == Stage::Playing {
            if state.turn == seat {
                self.pass_on(at);
            }
            self.agreed(at);
        } else {
            self.begin();
        }
    }

    fn presence(&mut self, at: Millis, seat: Seat, presence: Presence) -> Result<(), Refusal> {
        let happening = self.game.state.company.presence(&self.game.rules, at, seat, presence)?;
        if let Happening::Retired { .. } = happening {
            self.retire(at, seat);
        } else {
            self.table(happening);
        }
        Ok(())
    }
}

impl Game for Memory {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        let state = State::new(&rules, Company::new(seats));
        Ok(Memory { rules, state, cards: Vec::new(), stock: Vec::new(), aside: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.company.seats()
    }

    fn status(&self) -> Status {
        let state = &self.state;
        if let Some(status) = state.company.status(self.rules.deck.size() as u16, 0) {
            return status;
        }
        if state.filling {
            let of = state.face_down().count() as u16;
            return Status::Chance(Need::Pick { deal: state.company.deal, nth: state.picks, of });
        }
        Status::Seats(if state.reveal_until.is_some() { SeatSet::NONE } else { SeatSet::one(state.turn) })
    }

    fn alarm(&self) -> Option<Alarm> {
        if matches!(self.status(), Status::Chance(_)) {
            return None;
        }
        self.bell().map(|(alarm, _)| alarm)
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let mut draft = Draft { game: self.clone(), events: Vec::new() };
        match input {
            Input::Play(seat, command, _) => draft.play(at, *seat, command),
            Input::Draw(draw) => draft.draw(at, draw),
            Input::Ring(id) => draft.ring(at, *id),
            Input::Presence(seat, presence) => draft.presence(at, *seat, *presence),
        }?;
        out.extend(draft.events);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        match event {
            Event::Dealt { cards, laid, .. } => {
                let (slots, stock) = cards.split_at(usize::from(*laid));
                self.cards = slots.iter().map(|&card| Some(card)).collect();
                self.stock = stock.iter().rev().copied().collect();
            }
            Event::Taken { .. } => {
                for &slot in &self.state.up {
                    self.cards[usize::from(slot)] = None;
                }
            }
            Event::Laid { slots, .. } => {
                for &slot in slots {
                    let slot = usize::from(slot) - 1;
                    if self.cards.len() <= slot {
                        self.cards.resize(slot + 1, None);
                    }
                    self.cards[slot] = self.stock.pop();
                }
            }
            Event::Table(Happening::Begun) => {
                self.cards.clear();
                self.stock.clear();
                self.aside.clear();
            }
            _ => {}
        }
        self.state.apply(&self.rules, event);
    }

    fn view(&self, who: Viewer) -> View {
        View { who, rules: self.rules.clone(), state: self.state.clone() }
    }

    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        let mut notice = event.clone();
        if let Event::Dealt { cards, .. } = &mut notice {
            cards.clear();
        }
        Some(notice)
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        let state = &view.state;
        let mut known = PointSet::EMPTY;
        state.seen.iter().flatten().for_each(|&card| known.add(card));
        state.company.players.iter().flat_map(|member| &member.taken).for_each(|&card| known.add(card));
        let mut rest: Vec<Point> = view.rules.cards().filter(|&card| !known.has(card)).collect();
        chance.shuffle(&mut rest);
        let card = |(i, slot): (usize, &Slot)| match (slot, state.seen[i]) {
            (Slot::Empty, _) => None,
            (_, Some(card)) => Some(card),
            _ => rest.pop(),
        };
        let cards = state.slots.iter().enumerate().map(card).collect();
        let dealt = matches!(state.company.stage, Stage::Playing);
        let stock =
            rest.split_off(rest.len() - if dealt { usize::from(state.stock).min(rest.len()) } else { 0 });
        Memory { rules: view.rules.clone(), state: state.clone(), cards, stock, aside: rest }
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        let taken = self.state.company.players.iter().flat_map(|member| member.taken.iter().copied());
        let placed =
            self.laid().chain(self.stock.iter().copied()).chain(self.aside.iter().copied()).chain(taken);
        if self.cards.is_empty() && self.stock.is_empty() {
            // Between two deals all cards are in the dealer's hands.
            self.rules.cards().for_each(|card| census[usize::from(card.0)] = 1);
        } else {
            placed.for_each(|card| census[usize::from(card.0)] += 1);
        }
        census
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::RanOut { seat, .. } => Some(*seat),
            _ => None,
        }
    }
}

impl Written for Memory {
    type Setup = Setup;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let company = opened(seats, opening, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let state = State::new(&rules, company);
        Ok(Memory { rules, state, cards: Vec::new(), stock: Vec::new(), aside: Vec::new() })
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Setup) -> Result<Self, Vec<String>> {
        let mut paper = Paper::new(&rules);
        let company = paper.company(seats, opening, &setup);
        let cards = paper.slots(setup.board.as_deref().unwrap_or_default());
        let stock = paper.stock(setup.stock.as_deref().unwrap_or_default());
        let turn = setup.turn.map(|seat| paper.seat("turn", seat, seats));
        paper.refuse(&[
            ("hands", setup.hands.iter().any(|hand| !hand.trim().is_empty())),
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
        ]);
        if let Some(phase) = setup.phase.as_deref().filter(|phase| !["open", "turn"].contains(phase)) {
            paper.faults.push(format!("phase: `{phase}` is none of this game: leave it out"));
        }
        let aside = paper.unnamed();
        if !paper.faults.is_empty() {
            return Err(paper.faults);
        }
        let mut state = State::new(&rules, company);
        state.slots =
            cards.iter().map(|card| if card.is_some() { Slot::Down } else { Slot::Empty }).collect();
        state.seen = vec![None; cards.len()];
        state.stock = stock.len() as u16;
        state.turn = turn.unwrap_or(state.turn);
        state.clock(&rules, Millis(0));
        let stock = stock.into_iter().rev().collect();
        Ok(Memory { rules, state, cards, stock, aside })
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = if text.trim_start().starts_with("flip") { &["MEM-3", "MEM-2"] } else { &[] };
            Refusal::new(rules, fault)
        })
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        let deck = self.rules.deck;
        match event {
            Event::Table(happening) => Company::write(happening),
            Event::Dealt { laid, left, turn, .. } => {
                format!("{laid} cards lie face down, {left} are in the stock, {turn} begins")
            }
            Event::Flipped { seat, slot, card, by_chance, .. } => {
                format!(
                    "{seat} flip {slot}: {}{}",
                    deck.text(*card),
                    if *by_chance { ", by chance" } else { "" }
                )
            }
            Event::Taken { seat, cards, .. } => format!("{seat} collects {}", deck.text_all(cards)),
            Event::Wrong { .. } => "not right".into(),
            Event::TurnedDown { next, .. } => format!("turned down, {next} is next"),
            Event::RanOut { seat, .. } => format!("the clock of {seat} ran out"),
            Event::Laid { slots, extra, .. } => {
                let slots: Vec<String> = slots.iter().map(ToString::to_string).collect();
                format!("{} cards in slots {}", if *extra { "extra" } else { "new" }, slots.join(" "))
            }
            Event::Declared { seat, .. } => format!("{seat} declare"),
            Event::DeclaredFalsely { .. } => "not so: something is left".into(),
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        if let Some(checked) = it.about_company(&self.state.company, self.phase()) {
            return checked;
        }
        let stock: Vec<Point> = self.stock.iter().rev().copied().collect();
        let checked: Checked = match (it.word, it.negated) {
            ("turn", false) => same(it.rest.into(), self.state.turn.to_string()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(self.laid()),
            ("slots", false) => it.slots(&self.cards),
            ("stock", false) => it.pile(&stock),
            ("flags", false) => it.seat_set(self.state.declared),
            ("errors", false) => same(it.rest.into(), "0".into()),
            ("hand", false) => {
                it.the_seat(self.seats())?;
                it.multiset([])
            }
            ("heap" | "discard", false) => it.multiset([]),
            ("locked" | "frozen", _) => it.holds(it.the_seat(self.seats())?, false),
            _ => it.unknown(),
        };
        checked
    }

    fn undecided(&self) -> SeatSet {
        match self.status() {
            Status::Seats(seats) => seats,
            _ => SeatSet::NONE,
        }
    }

    fn turn_order(&self) -> Vec<Seat> {
        let (first, seats) = (self.state.turn, self.seats());
        (0..seats).map(|steps| first.step(i32::from(steps), seats)).collect()
    }

    fn position(&self) -> String {
        let (deck, state) = (self.rules.deck, &self.state);
        let slot = |(i, card): (usize, &Option<Point>)| match (card, state.slots[i]) {
            (None, _) => "--".to_string(),
            (Some(card), Slot::Up(_)) => format!("{}*", deck.text(*card)),
            (Some(card), _) => deck.text(*card),
        };
        let slots: Vec<String> = self.cards.iter().enumerate().map(slot).collect();
        let scores: Vec<String> = state.company.players.iter().map(|m| m.score.to_string()).collect();
        format!(
            "phase {} · turn {} · scores {}\nslots (* face up): {}\nstock {} · declared {}",
            self.phase(),
            state.turn,
            scores.join(" "),
            slots.join(" "),
            self.stock.len(),
            seats_text(state.declared)
        )
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.state.apply(&self.rules, notice);
    }

    fn commands(&self, _: Millis) -> Coverage<Command> {
        let state = &self.state;
        let mut commands = Vec::new();
        if let Viewer::Seat(seat) = self.who
            && state.company.acts(seat)
        {
            match state.company.stage {
                Stage::Playing => {
                    if state.turn == seat && state.may_flip() {
                        commands.extend(state.face_down().map(|slot| Command::Flip(slot + 1)));
                    }
                    let declares = self.rules.memory_end == MemoryEnd::Declare;
                    if declares && state.up.is_empty() && !state.declared.has(seat) {
                        commands.push(Command::Declare);
                    }
                }
                Stage::Between if !state.company.ready.has(seat) => commands.push(Command::Ready),
                _ => {}
            }
        }
        Coverage { commands, complete: true }
    }

    fn awaited(&self) -> bool {
        let Viewer::Seat(seat) = self.who else { return false };
        match self.state.company.stage {
            Stage::Playing => self.state.turn == seat && self.state.may_flip(),
            Stage::Between => self.state.company.unready().has(seat),
            _ => false,
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.company.outcome.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Feature, Mechanism, MiniFixed, Multiplicity, Players};
    use cards::Deck;
    use game::chance::SplitMix;
    use game::laws::{Plan, check};

    fn rules() -> Rules {
        Rules {
            mechanism: Mechanism::Memory,
            players: Players { min: 1, max: 8 },
            deck: Deck::D27,
            mini_fixed: MiniFixed { feature: Feature::Shading, value: 0 },
            deals: crate::rules::Deals::Count(1),
            ..Rules::default()
        }
    }

    /// Knows every card: turns up what is right two times in three.
    fn knowing(view: &View, coverage: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
        if chance.below(3) > 0 && view.state.company.stage == Stage::Playing && view.state.may_flip() {
            let up = view.state.cards_up();
            let seen: Vec<Point> = view.state.seen.iter().flatten().copied().collect();
            let open = Open::layout(seen.iter().map(|&card| (0, card)));
            let kind = kind(&view.rules);
            let found =
                kind.list(&open, 500).into_iter().find(|c| up.iter().all(|card| c.cards().contains(card)));
            if let Some(claim) = found {
                let next = claim.cards().iter().find(|card| !up.contains(card));
                let slot = next.and_then(|card| view.state.seen.iter().position(|seen| seen == &Some(*card)));
                let flip = slot.map(|slot| Command::Flip(slot as u8 + 1));
                if flip.as_ref().is_some_and(|flip| coverage.commands.contains(flip)) {
                    return flip;
                }
            }
        }
        game::laws::any_command(view, coverage, chance)
    }

    #[test]
    fn the_laws_hold() {
        let variants = [
            rules(),
            Rules { deck: Deck::D81, memory_layout: MemoryLayout::Slots(12), ..rules() },
            Rules {
                memory_end: MemoryEnd::Declare,
                extra_turn: false,
                deals: crate::rules::Deals::Count(2),
                ..rules()
            },
            Rules { multiplicity: Multiplicity::Double, flip_on_timeout: FlipOnTimeout::Random, ..rules() },
            Rules {
                reveal_ms: 0,
                deck: Deck::D81,
                memory_layout: MemoryLayout::Slots(12),
                memory_end: MemoryEnd::Declare,
                ..rules()
            },
        ];
        for (i, rules) in variants.into_iter().enumerate() {
            let rules = Arc::new(rules);
            for seed in 0..6 {
                let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
                let seats = 1 + (seed % 4) as u8;
                if let Err(broken) = check::<Memory>(&rules, seats, &plan, &mut knowing) {
                    panic!("variant {i}, seed {seed}, {seats} seats: {broken}");
                }
            }
        }
    }
}
