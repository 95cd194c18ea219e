//! A match as a game, and its view: each question goes to its room.

use crate::command::Command;
use crate::event::{Event, Notice};
use crate::rules::{FirstDealer, Rules};
use crate::state::Phase;
use crate::truth::Match;
use crate::view::View;
use game::{Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, Status, Viewer};
use std::sync::Arc;

impl Game for Match {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Match, Refusal> {
        Match::playable(&rules, seats)?;
        let mut game = Match::new(rules, seats, false);
        if game.compiled.rules.settings.deal.first_dealer == FirstDealer::Seat1 {
            let first = game.compiled.played[0];
            let deal = game.compiled.rules.rounds[first].number;
            game.begin(first, deal, Seat(0));
        }
        Ok(game)
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.compiled.0.rules
    }

    fn seats(&self) -> u8 {
        self.flow.seats
    }

    fn status(&self) -> Status {
        if let Some(need) = self.need() {
            return Status::Chance(need);
        }
        match &self.board.outcome {
            Some(outcome) => Status::Over(outcome.clone()),
            None => Status::Seats(self.missing()),
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.next_alarm()
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        self.decide_input(at, input, out)
    }

    fn evolve(&mut self, event: &Event) {
        self.apply(event);
    }

    fn view(&self, who: Viewer) -> View {
        self.view_of(who)
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        self.notice_of(event, who)
    }

    fn ran_out(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::TimedOut { seat } => Some(*seat),
            _ => None,
        }
    }

    fn between_rounds(&self) -> bool {
        // The cut comes before the deal, too.
        self.flow.finished > 0 && matches!(self.flow.phase, Phase::Deal | Phase::Cut)
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Match {
        view.imagined(chance)
    }

    fn census(&self) -> Vec<u16> {
        self.counted()
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.take_in(notice);
    }

    fn commands(&self, _: Millis) -> Coverage<Command> {
        self.all_commands()
    }

    fn closed(&self, _: Millis) -> Vec<(Command, Refusal)> {
        self.offers().map_or_else(Vec::new, |offers| offers.closed())
    }

    fn admits(&self, _: Millis, command: &Command) -> Option<bool> {
        Some(self.offered(command))
    }

    fn awaited(&self) -> bool {
        self.is_awaited()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.board.outcome.as_ref()
    }
}
