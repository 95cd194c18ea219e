//! A small game with everything that a table must cope with: hidden hands, turns on a clock, a race for open cards, a
//! sealed choice, chance in each deal, coming and going.
//!
//! Twenty cards; each deal gives three to each seat and four to the board. Seats play a card in turn; anybody may take a
//! card from the board at any time (a point). When all hands are empty everybody seals a guess; then the next of two deals.

use game::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a break is planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Where {
    Opening,
    Judging,
    Ringing,
    TakingIn,
    Showing,
    Thinking,
    Sending,
}

thread_local! {
    /// Where to break down next, and how often.
    static BREAK: std::cell::Cell<Option<(Where, u32)>> = const { std::cell::Cell::new(None) };
}

/// From now on this breaks down so often; then all is well again.
pub fn plant(place: Where, times: u32) {
    BREAK.set(Some((place, times)));
}

/// How often a break is still to come.
pub fn planted() -> u32 {
    BREAK.get().map_or(0, |(_, times)| times)
}

pub fn passing(place: Where) {
    if let Some((planted, times)) = BREAK.get()
        && planted == place
        && times > 0
    {
        BREAK.set(Some((place, times - 1)));
        panic!("planted in {place:?}");
    }
}

pub const CARDS: u16 = 20;
pub const TURN: u32 = 5000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// `order = ping_adjusted`.
    pub adjusted: bool,
    /// Planted leak: everybody learns which card a seat sealed.
    pub leak: bool,
    /// Planted: what is dealt is thrown away, and dealt anew for ever.
    pub endless: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    Play(u16),
    Take(u16),
    Call,
    Flag,
    Seal(u16),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Dealt(Vec<u16>),
    Played(Seat, u16, Millis, bool),
    Taken(Seat, u16),
    Called(Seat),
    Flagged(Seat),
    Sealed(Seat, u16),
    Opened(Millis),
    Presence(Seat, Presence),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    Dealt { hand: Vec<u16>, board: Vec<u16> },
    Played(Seat, u16),
    Taken(Seat, u16, Option<u16>),
    Called(Seat),
    Flagged(Seat),
    Sealed(u16),
    Leaked(Seat, u16),
    Opened(Vec<u16>),
    Presence(Seat, Presence),
}

#[derive(Clone, Debug)]
pub struct Toy {
    rules: Arc<Rules>,
    seats: u8,
    pub deal: u16,
    pub hands: Vec<Vec<u16>>,
    pub board: Vec<u16>,
    stock: Vec<u16>,
    pub gone: Vec<u16>,
    pub points: Vec<i32>,
    turn: Seat,
    since: Millis,
    turns: u32,
    called: bool,
    sealed: Vec<Option<u16>>,
    dealt: bool,
    absent: SeatSet,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToyView {
    pub who: Option<Seat>,
    pub hand: Vec<u16>,
    pub board: Vec<u16>,
    pub points: Vec<i32>,
    pub played: Vec<u16>,
    pub sealed: Option<u16>,
    pub called: bool,
    pub turn: Option<Seat>,
    pub left: u8,
    pub seats: u8,
    pub deal: u16,
    pub absent: SeatSet,
    pub over: Option<Outcome>,
}

impl Toy {
    fn sealing(&self) -> bool {
        self.dealt && self.hands.iter().all(Vec::is_empty)
    }
    fn outcome(&self) -> Outcome {
        let best = self.points.iter().max().copied().unwrap_or(0);
        Outcome {
            winners: (0..self.seats).map(Seat).filter(|s| self.points[s.index()] == best).collect(),
            scores: self.points.clone(),
            places: self
                .points
                .iter()
                .map(|p| 1 + self.points.iter().filter(|q| *q > p).count() as u8)
                .collect(),
            ranked: true,
            settlement: Vec::new(),
        }
    }
}

impl View for ToyView {
    type Command = Command;
    type Notice = Notice;
    fn observe(&mut self, notice: &Notice) {
        match notice {
            Notice::Dealt { hand, board } => {
                self.deal += 1;
                self.hand.clone_from(hand);
                self.board.clone_from(board);
                self.played.clear();
                self.turn = Some(Seat(0));
                self.left = 3 * self.seats;
                self.called = false;
            }
            Notice::Played(seat, card) => {
                self.hand.retain(|c| c != card);
                self.played.push(*card);
                self.left -= 1;
                self.turn = (self.left > 0).then(|| seat.step(1, self.seats));
            }
            Notice::Taken(seat, card, new) => {
                self.board.retain(|c| c != card);
                self.board.extend(new);
                self.points[seat.index()] += 1;
                self.called = false;
            }
            Notice::Called(_) => self.called = true,
            Notice::Flagged(_) | Notice::Leaked(..) => {}
            Notice::Sealed(card) => self.sealed = Some(*card),
            Notice::Opened(_) => {
                self.sealed = None;
                if self.deal == 2 {
                    let best = self.points.iter().max().copied().unwrap_or(0);
                    self.over = Some(Outcome {
                        winners: (0..self.seats)
                            .map(Seat)
                            .filter(|s| self.points[s.index()] == best)
                            .collect(),
                        scores: self.points.clone(),
                        places: self
                            .points
                            .iter()
                            .map(|p| 1 + self.points.iter().filter(|q| *q > p).count() as u8)
                            .collect(),
                        ranked: true,
                        settlement: Vec::new(),
                    });
                }
            }
            Notice::Presence(seat, presence) => match presence {
                Presence::Back | Presence::Joined => self.absent.remove(*seat),
                Presence::Dropped | Presence::Left => self.absent.add(*seat),
            },
        }
    }
    fn commands(&self, _: Millis) -> Coverage<Command> {
        let mut commands = Vec::new();
        if self.over.is_none() && self.who.is_some() && self.deal > 0 {
            if self.left == 0 {
                if self.sealed.is_none() {
                    commands.extend((0..3).map(Command::Seal));
                }
            } else {
                commands.extend(self.board.iter().map(|c| Command::Take(*c)));
                if self.awaited() {
                    commands.extend(self.hand.iter().map(|c| Command::Play(*c)));
                }
            }
        }
        Coverage { commands, complete: false }
    }
    fn awaited(&self) -> bool {
        self.over.is_none()
            && self.who.is_some()
            && (self.turn == self.who || self.deal > 0 && self.left == 0 && self.sealed.is_none())
    }
    fn outcome(&self) -> Option<&Outcome> {
        self.over.as_ref()
    }
}

impl Game for Toy {
    type Rules = Rules;
    type View = ToyView;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        passing(Where::Opening);
        if !(1..=5).contains(&seats) {
            return Err(Refusal::in_words(&["TOY-SEATS"], "one to five may play"));
        }
        let n = usize::from(seats);
        Ok(Toy {
            rules,
            seats,
            deal: 0,
            hands: vec![Vec::new(); n],
            board: Vec::new(),
            // The pack, as yet in nobody's order.
            stock: (0..CARDS).collect(),
            gone: Vec::new(),
            points: vec![0; n],
            turn: Seat(0),
            since: Millis(0),
            turns: 0,
            called: false,
            sealed: vec![None; n],
            dealt: false,
            absent: SeatSet::NONE,
        })
    }
    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }
    fn seats(&self) -> u8 {
        self.seats
    }
    fn status(&self) -> Status {
        if self.deal == 2 && !self.dealt {
            return Status::Over(self.outcome());
        }
        if !self.dealt {
            return Status::Chance(Need::Shuffle { deal: self.deal + 1, nth: 0, cards: CARDS });
        }
        if self.sealing() {
            return Status::Seats(
                (0..self.seats).map(Seat).filter(|s| self.sealed[s.index()].is_none()).collect(),
            );
        }
        Status::Seats(SeatSet::all(self.seats))
    }
    fn alarm(&self) -> Option<Alarm> {
        (self.dealt && !self.sealing()).then(|| Alarm { id: self.turns, due: self.since.after(TURN) })
    }
    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let no = |text: &str| Err(Refusal::in_words(&["TOY-1"], text));
        let playing = self.dealt && !self.sealing();
        match input {
            Input::Draw(draw) => {
                let Status::Chance(need) = self.status() else { return no("nothing is to be drawn") };
                let Draw::Order(order) = draw else { return no("that is no shuffle") };
                if !draw.answers(&need) {
                    return no("that is no shuffle");
                }
                out.extend([Event::Dealt(order.clone())]);
            }
            Input::Play(seat, command, _) => match command {
                Command::Play(card) => {
                    passing(Where::Judging);
                    if !playing || self.turn != *seat || !self.hands[seat.index()].contains(card) {
                        return no("that card is not yours to play now");
                    }
                    out.extend([Event::Played(*seat, *card, at, false)]);
                }
                Command::Take(card) => {
                    if !playing || !self.board.contains(card) {
                        return no("that card is not on the board");
                    }
                    out.extend([Event::Taken(*seat, *card)]);
                }
                Command::Call if playing && !self.called => out.extend([Event::Called(*seat)]),
                Command::Flag if playing => out.extend([Event::Flagged(*seat)]),
                Command::Call | Command::Flag => return no("not now"),
                Command::Seal(card) => {
                    if !self.sealing() || self.sealed[seat.index()].is_some() {
                        return no("nothing is to be sealed");
                    }
                    out.extend([Event::Sealed(*seat, *card)]);
                    if self.sealed.iter().flatten().count() + 1 == self.sealed.len() {
                        out.extend([Event::Opened(at)]);
                    }
                }
            },
            Input::Ring(id) => {
                passing(Where::Ringing);
                if self.alarm().is_none_or(|a| a.id != *id) {
                    return no("no such alarm");
                }
                let lowest = self.hands[self.turn.index()].iter().min().copied().unwrap_or(0);
                out.extend([Event::Played(self.turn, lowest, at, true)]);
            }
            Input::Presence(seat, presence) => out.extend([Event::Presence(*seat, *presence)]),
        }
        Ok(())
    }
    fn evolve(&mut self, event: &Event) {
        match event {
            Event::Dealt(order) => {
                let mut cards = order.clone();
                self.gone.clear();
                self.deal += 1;
                self.dealt = true;
                for hand in &mut self.hands {
                    *hand = cards.split_off(cards.len() - 3);
                }
                self.board = cards.split_off(cards.len() - 4);
                self.stock = cards;
                self.turn = Seat(0);
                self.turns += 1;
                self.called = false;
                if self.rules.endless {
                    self.deal -= 1;
                    self.dealt = false;
                }
            }
            Event::Played(seat, card, at, _) => {
                passing(Where::TakingIn);
                self.hands[seat.index()].retain(|c| c != card);
                self.gone.push(*card);
                self.turn = seat.step(1, self.seats);
                self.since = *at;
                self.turns += 1;
            }
            Event::Taken(seat, card) => {
                self.board.retain(|c| c != card);
                self.gone.push(*card);
                self.board.extend(self.stock.pop());
                self.points[seat.index()] += 1;
                self.called = false;
            }
            Event::Called(_) => self.called = true,
            Event::Flagged(_) => {}
            Event::Sealed(seat, card) => self.sealed[seat.index()] = Some(*card),
            Event::Opened(at) => {
                self.sealed.fill(None);
                self.dealt = false;
                self.since = *at;
            }
            Event::Presence(seat, presence) => match presence {
                Presence::Back | Presence::Joined => self.absent.remove(*seat),
                Presence::Dropped | Presence::Left => self.absent.add(*seat),
            },
        }
    }
    fn view(&self, who: Viewer) -> ToyView {
        passing(Where::Showing);
        let seat = if let Viewer::Seat(s) = who { Some(s) } else { None };
        let left = self.hands.iter().map(Vec::len).sum::<usize>() as u8;
        let played = self.gone.clone();
        ToyView {
            who: seat,
            hand: seat.map_or(Vec::new(), |s| self.hands[s.index()].clone()),
            board: self.board.clone(),
            points: self.points.clone(),
            played: if self.dealt || self.deal > 0 { played } else { Vec::new() },
            sealed: seat.and_then(|s| self.sealed[s.index()]),
            called: self.called,
            turn: (left > 0).then_some(self.turn),
            left,
            seats: self.seats,
            deal: self.deal,
            absent: self.absent,
            over: if let Status::Over(o) = self.status() { Some(o) } else { None },
        }
    }
    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        Some(match event {
            Event::Dealt(order) => {
                let mut dealt = self.clone();
                dealt.evolve(event);
                let hand = match who {
                    Viewer::Seat(s) => dealt.hands[s.index()].clone(),
                    Viewer::Table => Vec::new(),
                };
                debug_assert_eq!(order.len(), usize::from(CARDS));
                Notice::Dealt { hand, board: dealt.board }
            }
            Event::Played(seat, card, ..) => Notice::Played(*seat, *card),
            Event::Taken(seat, card) => Notice::Taken(*seat, *card, self.stock.last().copied()),
            Event::Called(seat) => Notice::Called(*seat),
            Event::Flagged(seat) => Notice::Flagged(*seat),
            Event::Sealed(seat, card) if who.is(*seat) => Notice::Sealed(*card),
            Event::Sealed(seat, card) if self.rules.leak => Notice::Leaked(*seat, *card),
            Event::Sealed(..) => return None,
            Event::Opened(_) => Notice::Opened(self.sealed.iter().flatten().copied().collect()),
            Event::Presence(seat, presence) => Notice::Presence(*seat, *presence),
        })
    }
    fn contest(&self, command: &Command) -> Contest {
        match command {
            Command::Take(_) => Contest::Claim,
            Command::Call => Contest::Call,
            Command::Flag => Contest::Layout,
            Command::Play(_) | Command::Seal(_) => Contest::None,
        }
    }
    fn changes_layout(&self, event: &Event) -> bool {
        matches!(event, Event::Taken(..) | Event::Dealt(_))
    }
    fn ping_adjusted(&self) -> bool {
        self.rules.adjusted
    }
    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::Played(seat, _, _, true) => Some(*seat),
            _ => None,
        }
    }
    fn between_rounds(&self) -> bool {
        self.deal == 1 && !self.dealt
    }
    fn imagine(_: &ToyView, _: &mut impl Chance) -> Self {
        unreachable!("a table never imagines")
    }
    fn census(&self) -> Vec<u16> {
        let mut counts = vec![0; usize::from(CARDS)];
        let hands = self.hands.iter().flatten();
        for card in hands.chain(&self.board).chain(&self.stock).chain(&self.gone) {
            counts[usize::from(*card)] += 1;
        }
        counts
    }
}
