//! Puzzles (M5): a fixed layout in which all Sets are to be found.
//!
//! Not written yet: the types have no values, so no match of this kind can be opened.

use crate::command::Command;
use crate::rules::Rules;
use crate::written::Setup;
use game::written::{Mismatch, Opening, Written};
use game::{Alarm, Chance, Coverage, Game, Input, Millis, Outcome, Refusal, Seat, SeatSet, Status, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The truth.
#[derive(Clone, Debug)]
pub enum Puzzle {}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Event {}

/// What a viewer learns.
pub type Notice = Event;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub enum View {}

const NOT_YET: &str = "this game cannot be played yet";

impl Game for Puzzle {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(_: Arc<Rules>, _: u8) -> Result<Self, Refusal> {
        Err(NOT_YET.into())
    }
    fn rules(&self) -> &Arc<Rules> {
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
    fn evolve(&mut self, event: &Event) {
        match *event {}
    }
    fn view(&self, _: Viewer) -> View {
        match *self {}
    }
    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        match *event {}
    }
    fn imagine(view: &View, _: &mut impl Chance) -> Self {
        match *view {}
    }
    fn census(&self) -> Vec<u16> {
        match *self {}
    }
}

impl Written for Puzzle {
    type Setup = Setup;

    fn open_at(_: Arc<Rules>, _: u8, _: Opening) -> Result<Self, Vec<String>> {
        Err(vec![NOT_YET.into()])
    }
    fn set_up(_: Arc<Rules>, _: u8, _: Opening, _: Setup) -> Result<Self, Vec<String>> {
        Err(vec![NOT_YET.into()])
    }
    fn read_command(&self, _: Seat, _: &str) -> Result<Command, Refusal> {
        match *self {}
    }
    fn write_command(&self, _: &Command) -> String {
        match *self {}
    }
    fn write_event(&self, event: &Event) -> String {
        match *event {}
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

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        match *notice {}
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
