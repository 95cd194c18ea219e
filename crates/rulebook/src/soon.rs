//! The contract family's engine is not there yet: types without values in its place, and no match can be opened.

use game::written::{Mismatch, Opening, Written};
use game::{Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

macro_rules! none {
    ($($name:ident)*) => { $(
        /// Not there yet.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum $name {}
    )* };
}
none!(Match Command Event Notice View);

const SOON: &str = "this game cannot be played yet";

impl game::View for View {
    type Command = Command;
    type Notice = Notice;
    fn observe(&mut self, _: &Notice) {
        match *self {}
    }
    fn commands(&self, _: Millis) -> Coverage<Command> {
        match *self {}
    }
    fn awaited(&self) -> bool {
        match *self {}
    }
    fn outcome(&self) -> Option<&Outcome> {
        match *self {}
    }
}

impl Game for Match {
    type Rules = contract::Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;
    fn open(_: Arc<contract::Rules>, _: u8) -> Result<Match, Refusal> {
        Err(SOON.into())
    }
    fn rules(&self) -> &Arc<contract::Rules> {
        match *self {}
    }
    fn seats(&self) -> u8 {
        match *self {}
    }
    fn status(&self) -> Status {
        match *self {}
    }
    fn alarm(&self) -> Option<Alarm> {
        match *self {}
    }
    fn decide(&self, _: Millis, _: &Input<Command>, _: &mut impl Extend<Event>) -> Result<(), Refusal> {
        match *self {}
    }
    fn evolve(&mut self, _: &Event) {
        match *self {}
    }
    fn view(&self, _: Viewer) -> View {
        match *self {}
    }
    fn notice(&self, _: &Event, _: Viewer) -> Option<Notice> {
        match *self {}
    }
    fn imagine(view: &View, _: &mut impl Chance) -> Match {
        match *view {}
    }
    fn census(&self) -> Vec<u16> {
        match *self {}
    }
}

impl Written for Match {
    type Setup = toml::Table;
    fn open_at(_: Arc<contract::Rules>, _: u8, _: Opening) -> Result<Match, Vec<String>> {
        Err(vec![SOON.to_owned()])
    }
    fn set_up(_: Arc<contract::Rules>, _: u8, _: Opening, _: toml::Table) -> Result<Match, Vec<String>> {
        Err(vec![SOON.to_owned()])
    }
    fn read_command(&self, _: Seat, _: &str) -> Result<Command, Refusal> {
        match *self {}
    }
    fn write_command(&self, _: &Command) -> String {
        match *self {}
    }
    fn write_event(&self, _: &Event) -> String {
        match *self {}
    }
    fn check(&self, _: &str) -> Result<(), Result<Mismatch, String>> {
        match *self {}
    }
    fn undecided(&self) -> SeatSet {
        match *self {}
    }
    fn turn_order(&self) -> Vec<Seat> {
        match *self {}
    }
    fn position(&self) -> String {
        match *self {}
    }
}
