//! Not written yet: no race can be opened.
use super::{Event, Notice, Race, View};
use crate::command::Command;
use crate::rules::Rules;
use crate::written::Setup;
use game::written::{Mismatch, Opening, Written};
use game::{Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, Viewer};
use std::sync::Arc;

const NOT_YET: &str = "this game cannot be played yet";

impl Game for Race {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(_: Arc<Rules>, _: u8) -> Result<Self, Refusal> {
        Err(NOT_YET.into())
    }
    fn rules(&self) -> &Arc<Rules> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn seats(&self) -> u8 {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn status(&self) -> Status {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn alarm(&self) -> Option<Alarm> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn decide(&self, _: Millis, _: &Input<Command>, _: &mut impl Extend<Event>) -> Result<(), Refusal> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn evolve(&mut self, event: &Event) {
        {
            let _ = event;
            unreachable!()
        }
    }
    fn view(&self, _: Viewer) -> View {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        {
            let _ = event;
            unreachable!()
        }
    }
    fn imagine(view: &View, _: &mut impl Chance) -> Self {
        {
            let _ = view;
            unreachable!()
        }
    }
    fn census(&self) -> Vec<u16> {
        {
            let _ = &self;
            unreachable!()
        }
    }
}

impl Written for Race {
    type Setup = Setup;

    fn open_at(_: Arc<Rules>, _: u8, _: Opening) -> Result<Self, Vec<String>> {
        Err(vec![NOT_YET.into()])
    }
    fn set_up(_: Arc<Rules>, _: u8, _: Opening, _: Setup) -> Result<Self, Vec<String>> {
        Err(vec![NOT_YET.into()])
    }
    fn read_command(&self, _: Seat, _: &str) -> Result<Command, Refusal> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn write_command(&self, _: &Command) -> String {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn write_event(&self, event: &Event) -> String {
        {
            let _ = event;
            unreachable!()
        }
    }
    fn check(&self, _: &str) -> Result<(), Result<Mismatch, String>> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn undecided(&self) -> SeatSet {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn turn_order(&self) -> Vec<Seat> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn position(&self) -> String {
        {
            let _ = &self;
            unreachable!()
        }
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        {
            let _ = notice;
            unreachable!()
        }
    }
    fn commands(&self, _: Millis) -> Coverage<Command> {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn awaited(&self) -> bool {
        {
            let _ = &self;
            unreachable!()
        }
    }
    fn outcome(&self) -> Option<&Outcome> {
        {
            let _ = &self;
            unreachable!()
        }
    }
}
