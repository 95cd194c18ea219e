//! The laws of a table, on a toy game. Each test names the invariant that it guards (see the crate's page).

mod breaks;
mod clock;
mod crowd;
mod fair;
mod hold;
mod log;
mod memory;
mod people;
mod rest;
mod rig;
mod secrecy;
mod sleep;
mod strange;
mod toy;
mod trial;
mod wakes;

use bots::{Bot, Thought};
use game::{Chance, Millis, Seat, View as _};
use rig::{Peer, Rig};
use std::sync::Arc;
use table::BotMaker;
use toy::{Command, Rules, Toy, ToyView};
use wire::Act;

/// Does what is offered first, 700 ms after it may.
struct Eager;

impl Bot<ToyView> for Eager {
    fn name(&self) -> &str {
        "eager/1"
    }
    fn think(&mut self, view: &ToyView, _: Millis, _: &mut dyn Chance) -> Option<Thought<Command>> {
        toy::passing(toy::Where::Thinking);
        let command =
            view.commands(Millis(0)).commands.into_iter().find(|c| !matches!(c, Command::Take(_)))?;
        Some(Thought::after(command, 700))
    }
}

fn bots() -> Arc<BotMaker<Toy>> {
    Arc::new(|kind, _| (kind == "easy").then(|| Box::new(Eager) as Box<dyn Bot<ToyView>>))
}

fn rig(rules: Rules, seats: u8) -> Rig<Toy> {
    Rig::new(rules, seats, bots(), 11)
}

fn two() -> (Rig<Toy>, Peer<Toy>, Peer<Toy>) {
    let (rig, mut ann, mut bob) = (rig(Rules::default(), 2), Peer::new("ann"), Peer::new("bob"));
    rig.start(&mut [&mut ann, &mut bob]);
    (rig, ann, bob)
}

/// Ann plays with a bot.
fn with_a_bot(rig: &Rig<Toy>) -> Peer<Toy> {
    let mut ann = Peer::new("ann");
    ann.open(&rig.table);
    ann.pump(rig.host_now());
    ann.client.act(Act::Sit { seat: Seat(0) });
    ann.client.act(Act::Bot { seat: Seat(1), kind: "easy".to_owned() });
    ann.client.act(Act::Start);
    ann
}

/// What the seat to play may do first.
fn turn(peer: &Peer<Toy>) -> Option<Command> {
    let view = peer.client.view()?;
    let commands = view.commands(Millis(0)).commands;
    commands.into_iter().find(|c| matches!(c, Command::Play(_) | Command::Seal(_)))
}
