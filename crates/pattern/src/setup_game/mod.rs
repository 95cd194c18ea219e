//! Setup, the game (M4): in turn, a card from a private hand is placed; whoever completes a Set that another sees takes
//! the whole table (SETUP-1 to SETUP-14).

mod alarms;
mod apply;
mod decide;
mod event;
mod judge;
mod notation;
mod settle;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use event::{Event, Notice};
pub use state::{Challenged, Played, State};
pub use view::View;

use crate::command::Command;
use crate::frame::alarms::alarm_in;
use crate::frame::draft::{Draft, Seated};
use crate::frame::roster::{Best, DealEnd, Happening, Roster, Stage};
use crate::rules::{Order, Rules};
use cards::Point;
use game::{Alarm, Chance, Game, Input, Millis, Refusal, Seat, SeatSet, Status, Viewer};
use std::sync::Arc;

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

impl SetupGame {
    pub(super) fn phase(&self) -> &'static str {
        self.state.roster.stage.phase("turn")
    }
}

impl Game for SetupGame {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        let state = State::new(Roster::new(seats));
        Ok(SetupGame { rules, state, stock: Vec::new(), aside: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.roster.seats()
    }

    fn status(&self) -> Status {
        let state = &self.state;
        let common = state.roster.status(self.rules.deck.size() as u16, 0);
        common.unwrap_or_else(|| {
            let turn = if state.all_played() { SeatSet::NONE } else { SeatSet::one(state.turn) };
            Status::Seats(state.undecided().or(turn))
        })
    }

    fn alarm(&self) -> Option<Alarm> {
        alarm_in(&self.status(), self.bell())
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let mut draft = Draft::of(self);
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
        self.take_in(event);
    }

    fn view(&self, who: Viewer) -> View {
        View::of(self, who)
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        Some(event.seen_by(who, self.rules.private_hands()))
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        view.imagined(chance)
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        let state = &self.state;
        let hands = state.hands.iter().flat_map(|hand| hand.cards());
        let taken = state.roster.players.iter().flat_map(|member| member.taken.iter());
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

    fn contest(&self, command: &Command) -> game::Contest {
        // SETUP-4: a direct race, the first valid challenge counts.
        match command {
            Command::Challenge(_) => game::Contest::Claim,
            _ => game::Contest::None,
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

impl Seated for SetupGame {
    const BEST: Best = Best::Lowest;

    fn roster(&self) -> &Roster {
        &self.state.roster
    }

    fn told(happening: Happening) -> Event {
        Event::Table(happening)
    }

    fn retire(draft: &mut Draft<SetupGame>, at: Millis, seat: Seat) {
        draft.table(Happening::Retired { at, seat });
        if draft.game.state.roster.stage == Stage::Playing && !draft.game.state.hands[seat.index()].is_empty()
        {
            draft.emit(Event::HandedIn { seat });
        }
        let state = &draft.game.state;
        match state.roster.stage {
            Stage::Playing if state.roster.too_few(&draft.game.rules) => draft.close(at, DealEnd::TooFew),
            Stage::Playing => {
                if state.turn == seat && !state.all_played() {
                    draft.skip(at);
                }
                // Only cards of the hand just handed in can be left: nobody draws them any more.
                draft.over_if_decided(at);
            }
            Stage::Over => {}
            _ if state.roster.too_few(&draft.game.rules) => draft.end(at),
            _ => draft.go_on_without(at, seat),
        }
    }
}
