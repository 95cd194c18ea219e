//! Setup, the game (M4): in turn, a card from a private hand is placed; whoever completes a Set that another sees takes
//! the whole table (SETUP-1 to SETUP-14).

use crate::command::Command;
use crate::company::{Best, Cause, Company, DealEnd, Happening, Stage};
use crate::finder::{PointSet, is_set};
use crate::paper::{Checked, Paper, Statement, opened, same, seats_text};
use crate::race::Hand;
use crate::rules::{FalseChallenge, Order, Rules};
use crate::written::Setup;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Coverage, Draw, Game, Input, Millis, Outcome, Presence, Refusal, Seat, SeatSet, Status,
    Viewer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The card played last, as long as it may be challenged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupPlayed")]
pub struct Played {
    /// Who played it.
    pub seat: Seat,
    /// The card; it is the last one of the table.
    pub card: Point,
    /// When it was played.
    pub at: Millis,
}

/// A challenge that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupChallenged")]
pub struct Challenged {
    /// Who challenged.
    pub seat: Seat,
    /// The two cards named.
    pub named: [Point; 2],
    /// The card challenged, and who played it.
    pub card: Point,
    /// Who played it.
    pub by: Seat,
    /// Whether the three are a Set.
    pub right: bool,
}

/// What everybody may see; hidden hands are counted only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupState")]
pub struct State {
    /// Who sits there, piles of penalty cards, deals. Scores count penalty cards: fewest is best.
    pub company: Company,
    /// The hands, the card held longest first.
    pub hands: Vec<Hand>,
    /// The table, in the order played.
    pub table: Vec<Point>,
    /// Cards in the stock.
    pub stock: u16,
    /// Whose turn it is; with the last card of the deal played, whose it would be.
    pub turn: Seat,
    /// Since when.
    pub turn_since: Millis,
    /// The card that may be challenged.
    pub last: Option<Played>,
    /// Who lets it stand.
    pub passed: SeatSet,
    /// Who challenged it falsely and may not again (SETUP-8).
    pub locked: SeatSet,
    /// The last challenge.
    pub challenged: Option<Challenged>,
}

/// What happened. A viewer's notice is the same with what is hidden from that viewer left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// The deck was shuffled and the hands were dealt.
    Dealt {
        /// When.
        at: Millis,
        /// The stock, top first; hidden from everybody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stock: Vec<Point>,
        /// How many that is.
        left: u16,
        /// The hands, seat by seat.
        hands: Vec<Hand>,
        /// Who begins.
        turn: Seat,
    },
    /// A card was played.
    Played {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Which.
        card: Point,
        /// Whether the clock played it (SETUP-7).
        by_clock: bool,
        /// Whose turn is next.
        next: Seat,
    },
    /// The card played was replaced from the stock.
    Drew {
        /// Who.
        seat: Seat,
        /// Which; counted only for the others.
        card: Hand,
    },
    /// A seat lets the card stand.
    Passed {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A challenge was judged. Right: whoever played the card takes the table (SETUP-5).
    Challenged {
        /// When.
        at: Millis,
        /// How.
        challenge: Challenged,
        /// The penalty card that a false challenge costs.
        penalty: Option<Point>,
        /// Whether the challenger is locked out for this card.
        locks: bool,
    },
    /// The hand of a retired seat was put under the stock (LEAVE-4).
    HandedIn {
        /// Whose.
        seat: Seat,
    },
    /// The turn passes from a retired seat, or from one without cards.
    Skipped {
        /// When.
        at: Millis,
        /// To whom.
        next: Seat,
    },
}

/// What a viewer learns: the event without the order of the stock and the others' cards.
pub type Notice = Event;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetupView")]
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
pub struct SetupGame {
    rules: Arc<Rules>,
    /// With every hand in it.
    state: State,
    /// The stock, top last.
    stock: Vec<Point>,
    /// Cards that a written position leaves out.
    aside: Vec<Point>,
}

impl State {
    fn new(company: Company) -> State {
        let seats = usize::from(company.seats());
        State {
            turn: company.after(company.dealer),
            company,
            hands: vec![Hand::Seen(Vec::new()); seats],
            table: Vec::new(),
            stock: 0,
            turn_since: Millis(0),
            last: None,
            passed: SeatSet::NONE,
            locked: SeatSet::NONE,
            challenged: None,
        }
    }

    /// Whether every card is played, so that only the last window is open (SETUP-10).
    #[must_use]
    pub fn all_played(&self) -> bool {
        self.company.stage == Stage::Playing && self.hands.iter().all(Hand::is_empty)
    }

    /// When the next card may be played, or the last window closes, unless all pass before (SETUP-7).
    #[must_use]
    pub fn window_ends(&self, rules: &Rules) -> Millis {
        let seconds = if self.all_played() { rules.window_last_s } else { rules.window_min_s };
        self.last.map_or(self.turn_since, |last| last.at.after(u32::from(seconds) * 1000))
    }

    /// The seats that may still challenge the last card or let it stand.
    #[must_use]
    pub fn undecided(&self) -> SeatSet {
        let Some(last) = self.last else { return SeatSet::NONE };
        self.company.remaining().without(last.seat).minus(self.passed).minus(self.locked)
    }

    /// Whether a card may be played at `at`: the shortest window is over, or all others let the last card stand.
    #[must_use]
    pub fn may_play(&self, rules: &Rules, at: Millis) -> bool {
        at >= self.window_ends(rules) || self.undecided().and(self.company.needed(at)).is_empty()
    }

    /// The next seat after `seat` that has cards to play.
    fn next_with_cards(&self, seat: Seat) -> Seat {
        let seats = self.company.seats();
        (1..=i32::from(seats))
            .map(|steps| seat.step(steps, seats))
            .find(|&s| !self.company.retired(s) && !self.hands[s.index()].is_empty())
            .unwrap_or_else(|| self.company.after(seat))
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Table(ref happening) => {
                self.company.apply(happening);
                match happening {
                    Happening::DealOver { .. } => self.last = None,
                    Happening::Begun => *self = State::new(self.company.clone()),
                    _ => {}
                }
            }
            Event::Dealt { at, left, ref hands, turn, .. } => {
                self.company.stage = Stage::Playing;
                self.company.acted_at = at;
                self.hands.clone_from(hands);
                self.stock = left;
                self.turn = turn;
                self.turn_since = at;
            }
            Event::Played { at, seat, card, by_clock, next } => {
                self.hands[seat.index()].remove(card);
                self.table.push(card);
                self.last = Some(Played { seat, card, at });
                self.passed = SeatSet::NONE;
                self.locked = SeatSet::NONE;
                self.turn = next;
                self.turn_since = at;
                if !by_clock {
                    self.company.acted_at = at;
                }
            }
            Event::Drew { seat, ref card } => {
                self.hands[seat.index()].add(card);
                self.stock -= 1;
            }
            Event::Passed { at, seat } => {
                self.passed.add(seat);
                self.company.acted_at = at;
            }
            Event::Challenged { at, challenge, penalty, locks } => {
                self.company.acted_at = at;
                self.challenged = Some(challenge);
                let mut take = |seat: Seat, cards: &mut Vec<Point>| {
                    let member = &mut self.company.players[seat.index()];
                    member.score += cards.len() as i32;
                    member.points += cards.len() as i32;
                    member.taken.append(cards);
                };
                if challenge.right {
                    take(challenge.by, &mut self.table);
                    self.last = None;
                    self.turn_since = at;
                }
                if let Some(card) = penalty {
                    take(challenge.seat, &mut vec![card]);
                    self.stock -= 1;
                }
                if locks {
                    self.locked.add(challenge.seat);
                }
            }
            Event::HandedIn { seat } => {
                let hand = &mut self.hands[seat.index()];
                self.stock += hand.len() as u16;
                *hand = match hand {
                    Hand::Hidden(_) => Hand::Hidden(0),
                    Hand::Seen(_) => Hand::Seen(Vec::new()),
                };
            }
            Event::Skipped { at, next } => {
                self.turn = next;
                self.turn_since = at;
            }
        }
    }
}

/// Why an alarm rings; the order settles which of two goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bell {
    /// The last window closes.
    Last,
    /// A turn runs out.
    Turn,
    Company(Cause),
}

impl SetupGame {
    fn bell(&self) -> Option<(Alarm, Bell)> {
        let (state, rules) = (&self.state, &self.rules);
        let own = match (state.company.stage, state.all_played()) {
            (Stage::Playing, true) => Some((state.window_ends(rules), Bell::Last)),
            (Stage::Playing, false) if rules.turn_timeout_s > 0 => {
                let due = state.turn_since.after(u32::from(rules.turn_timeout_s) * 1000);
                // Even the clock waits for the challenge window.
                Some((due.max(state.window_ends(rules)), Bell::Turn))
            }
            _ => None,
        };
        let common = state.company.alarms(rules).map(|(due, cause)| (due, Bell::Company(cause)));
        own.into_iter().chain(common).min().map(|(due, bell)| {
            let kind = match bell {
                Bell::Last => 0,
                Bell::Turn => 1,
                Bell::Company(Cause::Next) => 2,
                Bell::Company(Cause::Abandon) => 3,
                Bell::Company(Cause::Grace(seat)) => 4 + u32::from(seat.0),
            };
            (Alarm { id: due.0.wrapping_mul(16) | kind, due }, bell)
        })
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
    game: SetupGame,
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
        let closing = self.game.state.company.close(&self.game.rules, at, why, Best::Lowest);
        closing.into_iter().for_each(|happening| self.table(happening));
    }

    fn act(&mut self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        let state = &self.game.state;
        state.company.may_act(seat, "SETUP-10")?;
        if let Command::Ready = command {
            let ready = state.company.judge_ready(at, seat)?;
            self.table(ready);
            self.begin();
            return Ok(());
        }
        if !matches!(command, Command::Play(_) | Command::Challenge(_) | Command::Pass) {
            return Err(Refusal::new(
                &["SETUP-3", "SETUP-4", "4.1"],
                "here a player plays a card, challenges the last one, or passes",
            ));
        }
        if state.company.stage != Stage::Playing {
            return Err(Refusal::new(&["SETUP-3", "CORE-3"], "no deal is being played"));
        }
        match *command {
            Command::Play(card) => self.play(at, seat, card),
            Command::Challenge(named) => self.challenge(at, seat, named),
            _ => self.pass(at, seat),
        }
    }

    /// Begins the next deal if nobody is waited for.
    fn begin(&mut self) {
        let company = &self.game.state.company;
        if company.stage == Stage::Between && company.unready().is_empty() && !company.ready.is_empty() {
            self.table(Happening::Begun);
        }
    }

    fn play(&mut self, at: Millis, seat: Seat, card: Point) -> Result<(), Refusal> {
        let (state, rules) = (&self.game.state, &self.game.rules);
        let (mut ids, mut why) = (Vec::new(), Vec::new());
        if seat != state.turn {
            ids.push("SETUP-3");
            why.push(format!("it is the turn of seat {}", state.turn));
        }
        if !state.hands[seat.index()].cards().contains(&card) {
            ids.extend(["SETUP-3", "SETUP-2"]);
            why.push(format!("you do not hold {}", rules.deck.text(card)));
        }
        if !state.may_play(rules, at) {
            ids.extend(["SETUP-7", "A-37"]);
            why.push("the others may still challenge the last card".into());
        }
        if !ids.is_empty() {
            ids.dedup();
            return Err(Refusal::new(&ids, why.join("; ")));
        }
        self.lay(at, seat, card, false);
        Ok(())
    }

    fn lay(&mut self, at: Millis, seat: Seat, card: Point, by_clock: bool) {
        let draws = self.game.state.stock > 0;
        let state = &mut self.game.state;
        // Whose turn is next depends on who has cards once this one is replaced.
        let alone = !draws && state.hands[seat.index()].len() == 1;
        let mut next = state.next_with_cards(seat);
        if next == seat && alone {
            next = state.company.after(seat);
        }
        self.emit(Event::Played { at, seat, card, by_clock, next });
        if let Some(&card) = self.game.stock.last() {
            self.emit(Event::Drew { seat, card: Hand::Seen(vec![card]) });
        }
        self.over_if_decided(at);
    }

    /// SETUP-7: the last window closes early once nobody may challenge any more.
    fn over_if_decided(&mut self, at: Millis) {
        let state = &self.game.state;
        if state.all_played() && state.undecided().and(state.company.needed(at)).is_empty() {
            self.close(at, DealEnd::Finished);
        }
    }

    fn challenge(&mut self, at: Millis, seat: Seat, named: [Point; 2]) -> Result<(), Refusal> {
        let (state, rules) = (&self.game.state, &self.game.rules);
        let refuse = |ids: &[&'static str], text: String| Err(Refusal::new(ids, text));
        let Some(last) = state.last else {
            return refuse(&["SETUP-4", "SETUP-6", "SETUP-7"], "there is no card to challenge".into());
        };
        if seat == last.seat {
            return refuse(&["SETUP-4"], "nobody challenges the own card".into());
        }
        if state.locked.has(seat) {
            return refuse(
                &["SETUP-8", "A-38"],
                "after a false challenge you are locked out for this card".into(),
            );
        }
        if state.passed.has(seat) {
            return refuse(&["SETUP-7", "SETUP-4"], "you have let this card stand".into());
        }
        if let Some(&card) = named.iter().find(|card| !state.table.contains(card)) {
            return refuse(
                &["SETUP-4", "Q-01"],
                format!("{} does not lie on the table", rules.deck.text(card)),
            );
        }
        if named[0] == named[1] || named.contains(&last.card) {
            return refuse(
                &["SETUP-4", "SETUP-6", "Q-01"],
                "name two other cards that form a Set with the one just played".into(),
            );
        }
        let right = is_set(named[0], named[1], last.card);
        let challenge = Challenged { seat, named, card: last.card, by: last.seat, right };
        let takes_one = !right && rules.false_challenge == FalseChallenge::TakeOne;
        let penalty = self.game.stock.last().copied().filter(|_| takes_one);
        let locks = !right && rules.false_challenge == FalseChallenge::Lockout;
        self.emit(Event::Challenged { at, challenge, penalty, locks });
        if right && self.game.state.all_played() {
            self.close(at, DealEnd::Finished);
        } else {
            self.over_if_decided(at);
        }
        Ok(())
    }

    fn pass(&mut self, at: Millis, seat: Seat) -> Result<(), Refusal> {
        let state = &self.game.state;
        let refuse = |text: &str| Err(Refusal::new(&["SETUP-7", "SETUP-4"], text));
        let Some(last) = state.last else { return refuse("there is no card to let stand") };
        if seat == last.seat {
            return refuse("it is your own card");
        }
        if state.passed.has(seat) {
            return refuse("you have let this card stand already");
        }
        self.emit(Event::Passed { at, seat });
        self.over_if_decided(at);
        Ok(())
    }

    fn draw(&mut self, at: Millis, draw: &Draw) -> Result<(), Refusal> {
        let Status::Chance(need) = self.game.status() else {
            return Err("nothing is drawn now".into());
        };
        if !draw.answers(&need) {
            return Err("this is no answer to what chance was asked".into());
        }
        if let Draw::Order(order) = draw {
            let deck: Vec<Point> = self.game.rules.cards().collect();
            let mut cards = order.iter().map(|&i| deck[usize::from(i)]);
            let company = &self.game.state.company;
            let mut hands = vec![Vec::new(); self.game.state.hands.len()];
            let turn = company.after(company.dealer);
            for round in 0..usize::from(self.game.rules.hand) * hands.len() {
                // One at a time, from the dealer's left; a seat that nobody holds gets nothing.
                let seat = company.dealer.step(1 + (round % hands.len()) as i32, company.seats());
                if !company.retired(seat) {
                    hands[seat.index()].extend(cards.next());
                }
            }
            let stock: Vec<Point> = cards.collect();
            let hands = hands.into_iter().map(Hand::Seen).collect();
            self.emit(Event::Dealt { at, left: stock.len() as u16, stock, hands, turn });
        } else {
            let dealer = self.game.state.company.first_dealer(draw).ok_or("there is no such seat")?;
            self.table(dealer);
        }
        Ok(())
    }

    fn ring(&mut self, at: Millis, id: u32) -> Result<(), Refusal> {
        let Some((_, bell)) = self.game.bell().filter(|(alarm, _)| alarm.id == id && alarm.due <= at) else {
            return Err("this alarm is not due".into());
        };
        match bell {
            Bell::Last => self.close(at, DealEnd::Finished),
            Bell::Turn => {
                let seat = self.game.state.turn;
                match self.game.state.hands[seat.index()].cards().first() {
                    Some(&card) => self.lay(at, seat, card, true),
                    None => self.skip(at),
                }
            }
            Bell::Company(Cause::Grace(seat)) => self.retire(at, seat),
            Bell::Company(Cause::Next) => self.table(Happening::Begun),
            Bell::Company(Cause::Abandon) => self.close(at, DealEnd::Abandoned),
        }
        Ok(())
    }

    fn skip(&mut self, at: Millis) {
        let next = self.game.state.next_with_cards(self.game.state.turn);
        self.emit(Event::Skipped { at, next });
    }

    fn retire(&mut self, at: Millis, seat: Seat) {
        self.table(Happening::Retired { at, seat });
        if self.game.state.company.stage == Stage::Playing && !self.game.state.hands[seat.index()].is_empty()
        {
            self.emit(Event::HandedIn { seat });
        }
        let state = &self.game.state;
        match state.company.stage {
            Stage::Playing if state.company.too_few(&self.game.rules) => self.close(at, DealEnd::TooFew),
            Stage::Playing => {
                if state.turn == seat && !state.all_played() {
                    self.skip(at);
                }
                // Only cards of the hand just handed in can be left: nobody draws them any more.
                self.over_if_decided(at);
            }
            Stage::Between if state.company.too_few(&self.game.rules) => {
                let outcome = state.company.outcome(Best::Lowest, false);
                self.table(Happening::Ended { at, outcome });
            }
            _ => self.begin(),
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

impl Game for SetupGame {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        let state = State::new(Company::new(seats));
        Ok(SetupGame { rules, state, stock: Vec::new(), aside: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.company.seats()
    }

    fn status(&self) -> Status {
        let state = &self.state;
        let common = state.company.status(self.rules.deck.size() as u16, 0);
        common.unwrap_or_else(|| {
            let turn = if state.all_played() { SeatSet::NONE } else { SeatSet::one(state.turn) };
            Status::Seats(state.undecided().or(turn))
        })
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
            Input::Play(seat, command, _) => draft.act(at, *seat, command),
            Input::Draw(draw) => draft.draw(at, draw),
            Input::Ring(id) => draft.ring(at, *id),
            Input::Presence(seat, presence) => draft.presence(at, *seat, *presence),
        }?;
        out.extend(draft.events);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        match event {
            Event::Dealt { stock, .. } => {
                self.stock = stock.iter().rev().copied().collect();
                self.aside.clear();
            }
            Event::Drew { .. } | Event::Challenged { penalty: Some(_), .. } => {
                self.stock.pop();
            }
            Event::HandedIn { seat } => {
                // Under the stock, the card held longest uppermost.
                let mut stock: Vec<Point> = self.state.hands[seat.index()].cards().to_vec();
                stock.reverse();
                stock.append(&mut self.stock);
                self.stock = stock;
            }
            Event::Table(Happening::Begun) => {
                self.stock.clear();
                self.aside.clear();
            }
            _ => {}
        }
        self.state.apply(event);
    }

    fn view(&self, who: Viewer) -> View {
        let mut state = self.state.clone();
        for (i, hand) in state.hands.iter_mut().enumerate() {
            if self.rules.private_hands() && !who.is(Seat(i as u8)) {
                *hand = hand.hidden();
            }
        }
        View { who, rules: self.rules.clone(), state }
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        let mut notice = event.clone();
        let hides = |seat: Seat| self.rules.private_hands() && !who.is(seat);
        match &mut notice {
            Event::Dealt { stock, hands, .. } => {
                stock.clear();
                for (i, hand) in hands.iter_mut().enumerate() {
                    if hides(Seat(i as u8)) {
                        *hand = hand.hidden();
                    }
                }
            }
            Event::Drew { seat, card } if hides(*seat) => *card = card.hidden(),
            // The next deal begins with empty hands, which nobody hides: the views are built anew with it.
            _ => {}
        }
        Some(notice)
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        let mut state = view.state.clone();
        let mut known = PointSet::of(&state.table);
        let taken = state.company.players.iter().flat_map(|member| member.taken.iter());
        taken.chain(state.hands.iter().flat_map(|hand| hand.cards())).for_each(|&card| known.add(card));
        let mut rest: Vec<Point> = view.rules.cards().filter(|&card| !known.has(card)).collect();
        chance.shuffle(&mut rest);
        for hand in &mut state.hands {
            if let Hand::Hidden(count) = *hand {
                *hand = Hand::Seen(rest.split_off(rest.len().saturating_sub(usize::from(count))));
            }
        }
        let stock = rest.split_off(rest.len().saturating_sub(usize::from(state.stock)));
        SetupGame { rules: view.rules.clone(), state, stock, aside: rest }
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        let state = &self.state;
        let hands = state.hands.iter().flat_map(|hand| hand.cards());
        let taken = state.company.players.iter().flat_map(|member| member.taken.iter());
        let placed = hands.chain(taken).chain(&state.table).chain(&self.stock).chain(&self.aside);
        let mut count = 0;
        for &card in placed {
            census[usize::from(card.0)] += 1;
            count += 1;
        }
        if count == 0 {
            // Between two deals all cards are in the dealer's hands.
            self.rules.cards().for_each(|card| census[usize::from(card.0)] = 1);
        }
        census
    }

    fn race(&self, command: &Command) -> game::Race {
        // SETUP-4: a direct race, the first valid challenge counts.
        match command {
            Command::Challenge(_) => game::Race::Claim,
            _ => game::Race::None,
        }
    }

    fn ping_adjusted(&self) -> bool {
        self.rules.order == Order::PingAdjusted
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::Played { seat, by_clock: true, .. } => Some(*seat),
            _ => None,
        }
    }
}

impl Written for SetupGame {
    type Setup = Setup;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let company = opened(seats, opening, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(SetupGame { rules, state: State::new(company), stock: Vec::new(), aside: Vec::new() })
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Setup) -> Result<Self, Vec<String>> {
        let mut paper = Paper::new(&rules);
        let mut state = State::new(paper.company(seats, opening, &setup));
        state.table = paper.slots(setup.board.as_deref().unwrap_or_default()).into_iter().flatten().collect();
        if setup.hands.len() > usize::from(seats) {
            paper.faults.push(format!("hands: there are {seats} seats"));
        }
        for (hand, text) in state.hands.iter_mut().zip(&setup.hands) {
            *hand = Hand::Seen(paper.cards("hands", text));
        }
        let stock = paper.stock(setup.stock.as_deref().unwrap_or_default());
        state.stock = stock.len() as u16;
        state.turn = match setup.turn {
            Some(turn) => paper.seat("turn", turn, seats),
            None => state.turn,
        };
        paper.refuse(&[
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
            ("collected", setup.collected.iter().any(|&sets| sets > 0)),
        ]);
        if let Some(phase) = setup.phase.as_deref().filter(|phase| !["open", "turn"].contains(phase)) {
            paper.faults.push(format!("phase: `{phase}` is none of this game: leave it out"));
        }
        if state.hands.iter().all(Hand::is_empty) {
            paper.faults.push("hands: somebody must hold a card".into());
        } else if state.hands[state.turn.index()].is_empty() {
            paper.faults.push(format!("turn: seat {} holds no card to play", state.turn));
        }
        let aside = paper.unnamed();
        if !paper.faults.is_empty() {
            return Err(paper.faults);
        }
        let stock = stock.into_iter().rev().collect();
        Ok(SetupGame { rules, state, stock, aside })
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = match text.split_whitespace().next() {
                Some("play") => &["SETUP-3"],
                Some("challenge") => &["SETUP-4", "Q-01"],
                _ => &[],
            };
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
            Event::Dealt { left, turn, .. } => {
                format!("the hands are dealt, {left} in the stock, {turn} begins")
            }
            Event::Played { seat, card, by_clock, .. } => {
                format!("{seat} play {}{}", deck.text(*card), if *by_clock { ", by the clock" } else { "" })
            }
            Event::Drew { seat, .. } => format!("{seat} draws"),
            Event::Passed { seat, .. } => format!("{seat} pass"),
            Event::Challenged { challenge, penalty, .. } => {
                let what = match (challenge.right, penalty) {
                    (true, _) => format!("right, {} takes the table", challenge.by),
                    (false, Some(card)) => format!("wrong, and takes {}", deck.text(*card)),
                    (false, None) => "wrong".into(),
                };
                format!("{} challenge {}: {what}", challenge.seat, deck.text_all(&challenge.named))
            }
            Event::HandedIn { seat } => format!("the hand of {seat} goes under the stock"),
            Event::Skipped { next, .. } => format!("{next} is next"),
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        let state = &self.state;
        if let Some(checked) = it.about_company(&state.company, self.phase()) {
            return checked;
        }
        let stock: Vec<Point> = self.stock.iter().rev().copied().collect();
        let table: Vec<Option<Point>> = state.table.iter().map(|&card| Some(card)).collect();
        let checked: Checked = match (it.word, it.negated) {
            ("turn", false) => same(it.rest.into(), state.turn.to_string()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(state.table.iter().copied()),
            ("slots", false) => it.slots(&table),
            ("top", false) => it.sequence(state.table.last().map_or(&[], std::slice::from_ref)),
            ("stock", false) => it.pile(&stock),
            ("hand", false) => {
                let seat = it.the_seat(self.seats())?;
                it.multiset(state.hands[seat.index()].cards().iter().copied())
            }
            ("heap" | "discard", false) => it.multiset([]),
            ("locked", _) => {
                let seat = it.the_seat(self.seats())?;
                it.holds(seat, state.locked.has(seat))
            }
            ("frozen", _) => it.holds(it.the_seat(self.seats())?, false),
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
        let scores: Vec<String> = state.company.players.iter().map(|m| m.score.to_string()).collect();
        let mut text = format!(
            "phase {} · turn {} · penalty cards {}\ntable: {}\nstock {} · let it stand {} · locked {}",
            self.phase(),
            state.turn,
            scores.join(" "),
            deck.text_all(&state.table),
            self.stock.len(),
            seats_text(state.passed),
            seats_text(state.locked)
        );
        for (i, hand) in state.hands.iter().enumerate() {
            text.push_str(&format!("\nhand {i}: {}", deck.text_all(hand.cards())));
        }
        text
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        let hidden = matches!(notice, Event::Table(Happening::Begun)) && self.rules.private_hands();
        self.state.apply(notice);
        if hidden {
            for (i, hand) in self.state.hands.iter_mut().enumerate() {
                if !self.who.is(Seat(i as u8)) {
                    *hand = hand.hidden();
                }
            }
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        let (state, rules) = (&self.state, &self.rules);
        let mut commands = Vec::new();
        let mut complete = true;
        if let Viewer::Seat(seat) = self.who
            && state.company.acts(seat)
        {
            match state.company.stage {
                Stage::Playing => {
                    if state.turn == seat && state.may_play(rules, at) {
                        commands.extend(
                            state.hands[seat.index()].cards().iter().map(|&card| Command::Play(card)),
                        );
                    }
                    if state.undecided().has(seat) {
                        commands.push(Command::Pass);
                        let last = state.last.expect("somebody is undecided about a card").card;
                        for (i, &a) in state.table.iter().enumerate() {
                            let others = state.table[i + 1..].iter().filter(|&&b| is_set(a, b, last));
                            commands.extend(others.map(|&b| Command::Challenge([a, b])));
                        }
                        // False challenges are legal, too.
                        complete = state.table.len() < 3;
                    } else if state.last.is_some_and(|last| last.seat != seat) && !state.passed.has(seat) {
                        commands.push(Command::Pass);
                    }
                }
                Stage::Between if !state.company.ready.has(seat) => commands.push(Command::Ready),
                _ => {}
            }
        }
        Coverage { commands, complete }
    }

    fn awaited(&self) -> bool {
        let Viewer::Seat(seat) = self.who else { return false };
        let state = &self.state;
        match state.company.stage {
            Stage::Playing => state.turn == seat && !state.all_played() || state.undecided().has(seat),
            Stage::Between => state.company.unready().has(seat),
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
    use crate::rules::{Deals, Mechanism, Players};
    use game::laws::{Plan, any_command, check};

    #[test]
    fn the_laws_hold() {
        let rules = Rules {
            mechanism: Mechanism::Setup,
            players: Players { min: 2, max: 8 },
            hand: 4,
            deals: Deals::Count(1),
            ..Rules::default()
        };
        let variants = [
            rules.clone(),
            Rules {
                window_min_s: 0,
                false_challenge: FalseChallenge::TakeOne,
                deals: Deals::Count(2),
                ..rules.clone()
            },
            Rules { hand_visibility: crate::rules::HandVisibility::Public, ..rules },
        ];
        for (i, rules) in variants.into_iter().enumerate() {
            let rules = Arc::new(rules);
            for seed in 0..6 {
                let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
                let seats = 2 + (seed % 3) as u8;
                let mut choose =
                    |view: &View, coverage: Coverage<Command>, chance: &mut game::chance::SplitMix| {
                        // Now and then something that is false but legal.
                        let state = &view.state;
                        if let (Viewer::Seat(seat), [.., a, b, _]) = (view.who, state.table.as_slice())
                            && state.undecided().has(seat)
                            && chance.below(20) == 0
                        {
                            return Some(Command::Challenge([*a, *b]));
                        }
                        any_command(view, coverage, chance)
                    };
                if let Err(broken) = check::<SetupGame>(&rules, seats, &plan, &mut choose) {
                    panic!("variant {i}, seed {seed}, {seats} seats: {broken}");
                }
            }
        }
    }
}
