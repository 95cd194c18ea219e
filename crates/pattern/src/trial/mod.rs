//! The live trial (TRIAL-4): everybody plays the same shuffle on a board of their own, and sees how far the others are.
//!
//! Each board is a race for one; this module only deals the same to all, keeps the progress that everybody may see, and
//! ends the match when every board is done or too few are left. Nobody sees a card of another board: whoever is behind would learn from it
//! what comes, and so those who only watch see no board at all.

mod apply;
mod decide;
mod event;
mod notation;
mod state;
mod view;

pub use event::{Event, Notice};
pub use state::{Done, Racer, State};
pub use view::View;

use crate::command::Command;
use crate::frame::presence::Held;
use crate::race::Race;
use crate::rules::{Mechanism, Players, Rules};
use game::{Alarm, Chance, Game, Input, Millis, Refusal, Seat, SeatSet, Status, Viewer, say};
use std::sync::Arc;

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
        self.boards.get(seat.index()).ok_or_else(|| say!("no.seat", n = seat).into())
    }

    /// The seats whose boards are not done.
    fn racing(&self) -> SeatSet {
        let racers = self.state.racers.iter().enumerate();
        racers.filter(|(_, racer)| racer.done.is_none()).map(|(seat, _)| Seat(seat as u8)).collect()
    }

    /// The board that rings next.
    fn bell(&self) -> Option<(Seat, Alarm)> {
        if self.state.started_at.is_none() || self.state.outcome.is_some() {
            return None;
        }
        let alarms = self.racing().iter().filter_map(|seat| Some((seat, self.boards[seat.index()].alarm()?)));
        alarms.min_by_key(|(_, alarm)| alarm.due)
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
        View::of(self, who)
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
        view.imagined(chance)
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        for board in &self.boards {
            census.iter_mut().zip(board.census()).for_each(|(sum, n)| *sum += n);
        }
        census
    }
}
