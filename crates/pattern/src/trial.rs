//! The live trial (TRIAL-4): everybody plays the same shuffle on a board of their own, and sees how far the others are.
//!
//! Each board is a race for one; this module only deals the same to all, keeps the progress that everybody may see, and
//! ends the match when every board is done. Nobody sees a card of another board: whoever is behind would learn from it
//! what comes, and so those who only watch see no board at all.

use crate::command::Command;
use crate::race::{self, DealEnd, Held, Race};
use crate::rules::{Mechanism, Players, Rules};
use crate::written::Setup;
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Presence, Refusal, Seat, SeatSet, Status, Viewer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How far somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialRacer")]
pub struct Racer {
    /// Whether somebody holds the seat.
    pub held: Held,
    /// Sets found.
    pub sets: u16,
    /// Wrong claims.
    pub errors: u16,
    /// When the own board was done, and whether the goal was reached.
    pub done: Option<Done>,
}

/// How somebody's board ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialDone")]
pub struct Done {
    /// When.
    pub at: Millis,
    /// Whether the goal was reached (TRIAL-2).
    pub goal: bool,
}

impl Racer {
    /// Takes in what happened on the own board.
    fn apply(&mut self, event: &race::Event) {
        match *event {
            race::Event::Judged { ref verdict, .. } if verdict.finding.right() => {
                self.sets += u16::from(verdict.sets);
            }
            race::Event::Judged { .. } => self.errors += 1,
            race::Event::Away { at, .. } => self.held = Held::Away { since: at },
            race::Event::Back { .. } => self.held = Held::Here,
            race::Event::Retired { .. } => self.held = Held::Retired,
            race::Event::DealOver { at, why, .. } => {
                self.done = Some(Done { at, goal: matches!(why, DealEnd::Goal | DealEnd::NoClaim) });
            }
            // Who leaves before the deal has no deal that ends.
            race::Event::Ended { at, .. } => self.done = self.done.or(Some(Done { at, goal: false })),
            _ => {}
        }
    }

    fn after(mut self, event: &race::Event) -> Racer {
        self.apply(event);
        self
    }
}

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialState")]
pub struct State {
    /// The players.
    pub racers: Vec<Racer>,
    /// When the boards were dealt.
    pub started_at: Option<Millis>,
    /// How the match ended.
    pub outcome: Option<Outcome>,
}

impl State {
    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Started { at } => self.started_at = Some(at),
            Event::Board { seat, ref event } => self.racers[seat.index()].apply(event),
            Event::Presence { at, seat, presence } => {
                self.racers[seat.index()].held = match presence {
                    Presence::Dropped => Held::Away { since: at },
                    Presence::Back | Presence::Joined => Held::Here,
                    Presence::Left => Held::Retired,
                };
            }
            Event::Ended { ref outcome, .. } => self.outcome = Some(outcome.clone()),
        }
    }

    /// Milliseconds that a racer who reached the goal took, with what errors add (TRIAL-3).
    #[must_use]
    pub fn result(&self, rules: &Rules, seat: Seat) -> Option<u32> {
        let racer = self.racers.get(seat.index())?;
        let done = racer.done.filter(|done| done.goal)?;
        let errors = u32::from(racer.errors) * u32::from(rules.wrong_penalty_s) * 1000;
        Some(done.at.since(self.started_at.unwrap_or(Millis(0))).saturating_add(errors))
    }

    /// Final places: who reached the goal by their time, then the others by their Sets; equal results share.
    fn ranking(&self, rules: &Rules) -> Outcome {
        let key = |seat: usize| match self.result(rules, Seat(seat as u8)) {
            Some(millis) => (0, i64::from(millis)),
            None => {
                let racer = &self.racers[seat];
                (1 + u8::from(racer.held == Held::Retired), -i64::from(racer.sets))
            }
        };
        let seats = 0..self.racers.len();
        let place = |seat| 1 + seats.clone().filter(|&other| key(other) < key(seat)).count() as u8;
        let places: Vec<u8> = seats.clone().map(place).collect();
        let won = |seat: &usize| places[*seat] == 1 && key(*seat).0 == 0;
        let winners: SeatSet = seats.filter(won).map(|seat| Seat(seat as u8)).collect();
        let ranked = self.racers.len() > 1 && !winners.is_empty();
        let scores = self.racers.iter().map(|racer| i32::from(racer.sets)).collect();
        Outcome { winners, scores, places, ranked, settlement: Vec::new() }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialEvent")]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // held in lists as long as one input
pub enum Event {
    /// The deck was shuffled for all.
    Started {
        /// When.
        at: Millis,
    },
    /// Something happened on somebody's board, where they have seat 0.
    Board {
        /// Whose.
        seat: Seat,
        /// What.
        event: race::Event,
    },
    /// Somebody whose board is done comes or goes.
    Presence {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// How.
        presence: Presence,
    },
    /// All boards are done.
    Ended {
        /// When.
        at: Millis,
        /// How.
        outcome: Outcome,
    },
}

/// What a viewer learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialNotice")]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // as above
pub enum Notice {
    /// What everybody learns.
    Shared(Event),
    /// Something happened on the own board.
    Own(race::Notice),
    /// How far somebody else is now.
    Progress {
        /// Who.
        seat: Seat,
        /// How far.
        racer: Racer,
    },
}

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TrialView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// How far everybody is.
    pub state: State,
    /// The own board; none for those who watch.
    pub board: Option<race::View>,
}

/// The truth.
#[derive(Clone, Debug)]
pub struct Trial {
    rules: Arc<Rules>,
    state: State,
    boards: Vec<Race>,
    /// Events so far: tells alarms apart.
    plies: u32,
}

const ALONE: Seat = Seat(0);

impl Rules {
    /// The rules of one board of a live trial.
    fn of_board(&self) -> Rules {
        Rules { mechanism: Mechanism::Race, players: Players { min: 1, max: 1 }, ..self.clone() }
    }
}

impl Trial {
    fn with(rules: Arc<Rules>, boards: Vec<Race>) -> Trial {
        let racer = Racer { held: Held::Here, sets: 0, errors: 0, done: None };
        let state = State { racers: vec![racer; boards.len()], started_at: None, outcome: None };
        Trial { rules, state, boards, plies: 0 }
    }

    fn of(&self, seat: Seat) -> Result<&Race, Refusal> {
        self.boards.get(seat.index()).ok_or_else(|| format!("there is no seat {seat}").into())
    }

    /// The seats whose boards are not done.
    fn racing(&self) -> SeatSet {
        let racers = self.state.racers.iter().enumerate();
        racers.filter(|(_, racer)| racer.done.is_none()).map(|(seat, _)| Seat(seat as u8)).collect()
    }

    /// The board that rings next.
    fn bell(&self) -> Option<(Seat, Alarm)> {
        self.state.started_at?;
        let alarms = self.racing().iter().filter_map(|seat| Some((seat, self.boards[seat.index()].alarm()?)));
        alarms.min_by_key(|(_, alarm)| alarm.due)
    }

    /// Judges an input on a board.
    fn on_board(
        &self,
        at: Millis,
        seat: Seat,
        input: &Input<Command>,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let mut own = Vec::new();
        self.of(seat)?.decide(at, input, &mut own)?;
        events.extend(own.into_iter().map(|event| Event::Board { seat, event }));
        Ok(())
    }

    fn presence(
        &self,
        at: Millis,
        seat: Seat,
        presence: Presence,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let held = self.state.racers.get(seat.index()).map(|racer| (racer.held, racer.done));
        match (presence, held) {
            (_, None) => Err(format!("there is no seat {seat}").into()),
            (_, Some((Held::Retired, _))) => {
                Err(Refusal::new(&["LEAVE-2", "LEAVE-7"], "this seat is out of the match"))
            }
            (_, Some((_, None))) => self.on_board(at, seat, &Input::Presence(ALONE, presence), events),
            (Presence::Dropped, Some((Held::Away { .. }, _))) => {
                Err(Refusal::new(&["LEAVE-1"], "that player is not connected anyway"))
            }
            (Presence::Back | Presence::Joined, Some((Held::Here, _))) => {
                Err(Refusal::new(&["LEAVE-7"], "that seat is taken"))
            }
            (_, Some(_)) => {
                events.push(Event::Presence { at, seat, presence });
                Ok(())
            }
        }
    }

    fn play(
        &self,
        at: Millis,
        seat: Seat,
        input: &Input<Command>,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        match self.state.racers.get(seat.index()) {
            None => Err(Refusal::new(&["Q-15"], format!("there is no seat {seat}"))),
            Some(racer) if racer.done.is_some() => {
                Err(Refusal::new(&["TRIAL-4", "CORE-3"], "your board is done: the others play theirs"))
            }
            Some(_) => self.on_board(at, seat, input, events),
        }
    }

    fn judge(&self, at: Millis, input: &Input<Command>) -> Result<Vec<Event>, Refusal> {
        if self.state.outcome.is_some() {
            return Err(Refusal::new(&["CORE-3"], "the match is over"));
        }
        let mut events = Vec::new();
        match input {
            Input::Play(seat, command, timing) => {
                let input = Input::Play(ALONE, command.clone(), *timing);
                self.play(at, *seat, &input, &mut events)?;
            }
            Input::Draw(_) if self.state.started_at.is_none() => {
                events.push(Event::Started { at });
                for seat in self.racing().iter() {
                    self.on_board(at, seat, input, &mut events)?;
                }
            }
            Input::Draw(_) => return Err("nothing is drawn now".into()),
            Input::Ring(id) => match self.bell() {
                Some((seat, alarm)) if *id == self.plies && alarm.due <= at => {
                    self.on_board(at, seat, &Input::Ring(alarm.id), &mut events)?;
                }
                _ => return Err("this alarm is not due".into()),
            },
            Input::Presence(seat, presence) => self.presence(at, *seat, *presence, &mut events)?,
        }
        let mut after = self.state.clone();
        events.iter().for_each(|event| after.apply(event));
        if after.racers.iter().all(|racer| racer.done.is_some()) {
            events.push(Event::Ended { at, outcome: after.ranking(&self.rules) });
        }
        Ok(events)
    }
}

impl Game for Trial {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        if let Some(fault) = rules.check(seats).into_iter().next() {
            return Err(fault.into());
        }
        let alone = Arc::new(rules.of_board());
        let boards = (0..seats).map(|_| Race::open(alone.clone(), 1)).collect::<Result<_, _>>()?;
        Ok(Trial::with(rules, boards))
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.boards.len() as u8
    }

    fn status(&self) -> Status {
        if let Some(outcome) = &self.state.outcome {
            return Status::Over(outcome.clone());
        }
        let racing = self.racing();
        match (self.state.started_at, racing.iter().next()) {
            (None, Some(first)) => self.boards[first.index()].status(),
            _ => Status::Seats(racing),
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.bell().map(|(_, alarm)| Alarm { id: self.plies, due: alarm.due })
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        out.extend(self.judge(at, input)?);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        self.plies += 1;
        if let Event::Board { seat, event } = event {
            self.boards[seat.index()].evolve(event);
        }
        self.state.apply(event);
    }

    fn view(&self, who: Viewer) -> View {
        let board = match who {
            Viewer::Seat(seat) => self.boards.get(seat.index()).map(|race| race.view(Viewer::Seat(ALONE))),
            Viewer::Table => None,
        };
        View { who, rules: self.rules.clone(), state: self.state.clone(), board }
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        let Event::Board { seat, event } = event else { return Some(Notice::Shared(event.clone())) };
        if who.is(*seat) {
            return self.boards[seat.index()].notice(event, Viewer::Seat(ALONE)).map(Notice::Own);
        }
        let racer = self.state.racers[seat.index()];
        let after = racer.after(event);
        (after != racer).then_some(Notice::Progress { seat: *seat, racer: after })
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        let alone = Arc::new(view.rules.of_board());
        let board = |seat: u8, chance: &mut _| match &view.board {
            Some(own) if view.who.is(Seat(seat)) => Race::imagine(own, chance),
            _ => Race::open(alone.clone(), 1).expect("rules that are played already"),
        };
        let boards = (0..view.state.racers.len() as u8).map(|seat| board(seat, chance)).collect();
        Trial { rules: view.rules.clone(), state: view.state.clone(), boards, plies: 0 }
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        for board in &self.boards {
            census.iter_mut().zip(board.census()).for_each(|(sum, n)| *sum += n);
        }
        census
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        match notice {
            Notice::Shared(event) => self.state.apply(event),
            Notice::Own(event) => {
                if let (Some(board), Viewer::Seat(seat)) = (&mut self.board, self.who) {
                    board.observe(event);
                    self.state.racers[seat.index()].apply(event);
                }
            }
            Notice::Progress { seat, racer } => self.state.racers[seat.index()] = *racer,
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        match &self.board {
            Some(board) if self.state.outcome.is_none() => board.commands(at),
            _ => Coverage::default(),
        }
    }

    fn awaited(&self) -> bool {
        self.state.outcome.is_none() && self.board.as_ref().is_some_and(race::View::awaited)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }
}

impl Written for Trial {
    type Setup = Setup;

    fn open_at(rules: Arc<Rules>, seats: u8, _: Opening) -> Result<Self, Vec<String>> {
        Trial::open(rules, seats).map_err(|refusal| vec![refusal.to_string()])
    }

    fn set_up(rules: Arc<Rules>, seats: u8, _: Opening, setup: Setup) -> Result<Self, Vec<String>> {
        let alone = Arc::new(rules.of_board());
        let opening = Opening { round: 1, dealer: ALONE };
        let (scores, collected) = (setup.scores.clone(), setup.collected.clone());
        let many = |what: &str, given: usize| {
            (given > usize::from(seats)).then(|| format!("{what}: {given} are given for {seats} seats"))
        };
        let faults: Vec<String> =
            many("scores", scores.len()).into_iter().chain(many("collected", collected.len())).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let boards = (0..usize::from(seats)).map(|seat| {
            let own = Setup {
                scores: scores.get(seat).copied().into_iter().collect(),
                collected: collected.get(seat).copied().into_iter().collect(),
                ..setup.clone()
            };
            Race::set_up(alone.clone(), 1, opening, own)
        });
        let boards = boards.collect::<Result<Vec<Race>, _>>()?;
        let sets: Vec<u16> = boards.iter().map(|board| board.state().players[0].sets).collect();
        let mut trial = Trial::with(rules, boards);
        for (racer, sets) in trial.state.racers.iter_mut().zip(sets) {
            racer.sets = sets;
        }
        trial.state.started_at = Some(Millis(0));
        Ok(trial)
    }

    fn read_command(&self, seat: Seat, text: &str) -> Result<Command, Refusal> {
        self.of(seat)?.read_command(ALONE, text)
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        match event {
            Event::Started { .. } => "the same cards for everybody".into(),
            Event::Board { seat, event } => {
                format!("board of {seat}: {}", self.boards[seat.index()].write_event(event))
            }
            Event::Presence { seat, presence, .. } => match presence {
                Presence::Dropped => format!("{seat} lost the connection"),
                Presence::Back | Presence::Joined => format!("{seat} is back"),
                Presence::Left => format!("{seat} has left"),
            },
            Event::Ended { outcome, .. } => {
                let winners: Vec<String> = outcome.winners.iter().map(|seat| seat.to_string()).collect();
                format!("the match is over, won by {}", winners.join(" and "))
            }
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        self.check_at(Millis(0), statement)
    }

    /// `board N: ...`, `slots N: ...`, `stock N: ...`, `taken N: ...`, `score N: ...`, `errors N: ...`, `locked N` are
    /// about the board of seat N; `scores ...` and `points ...` name all; `phase` is that of whoever still plays. What
    /// names no seat is about every board.
    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let on = |seat: &str| -> Result<&Race, Result<Mismatch, String>> {
            let seat = seat.trim().parse().ok().map(Seat).filter(|seat| seat.0 < self.seats());
            let seat = seat.ok_or_else(|| Err(format!("`{statement}` names no seat of this table")))?;
            Ok(&self.boards[seat.index()])
        };
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let values: Vec<&str> = rest.split_whitespace().collect();
        match (word, statement.split_once(':'), statement.rsplit_once(char::is_whitespace)) {
            ("scores" | "points", _, _) if values.len() == self.boards.len() => {
                let mut each = self.boards.iter().zip(values);
                each.try_for_each(|(board, value)| board.check_at(at, &format!("{word} {value}")))
            }
            ("phase", _, _) if !self.racing().is_empty() => {
                self.racing().iter().try_for_each(|seat| self.boards[seat.index()].check_at(at, statement))
            }
            (_, Some((about, value)), _) if about.contains(char::is_whitespace) => {
                let (word, seat) = about.split_once(char::is_whitespace).unwrap_or((about, ""));
                match word {
                    "board" | "slots" => on(seat)?.check_at(at, &format!("{word}: {value}")),
                    "stock" => on(seat)?.check_at(at, &format!("stock {}", value.trim())),
                    _ => on(seat)?.check_at(at, &format!("{word} 0: {value}")),
                }
            }
            (_, None, Some((what @ ("locked" | "not locked"), seat))) => {
                on(seat)?.check_at(at, &format!("{what} 0"))
            }
            _ => self.boards.iter().try_for_each(|board| board.check_at(at, statement)),
        }
    }

    fn undecided(&self) -> SeatSet {
        self.racing()
    }

    fn turn_order(&self) -> Vec<Seat> {
        (0..self.seats()).map(Seat).collect()
    }

    fn position(&self) -> String {
        let boards = self.boards.iter().enumerate();
        boards.map(|(seat, board)| format!("{seat}: {}", board.position())).collect::<Vec<_>>().join("\n")
    }
}
