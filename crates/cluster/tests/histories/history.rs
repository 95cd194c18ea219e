//! What clients did and what they were told, in the order in which it happened, and whether that is linearizable.
//!
//! It is judged by the checker of `todc-utils`: the algorithm of Wing and Gong as Lowe improved it, which remembers where it has
//! been. (`stateright` has one that does not, and takes time without end where something is unknown.)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use todc_utils::{Action, History as Actions, Specification, WGLChecker};

/// A value that clients write and read: a number, 0 at first. Each is judged by itself, since what is linearizable for each
/// is so for all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register {
    pub partition: u16,
    pub key: u32,
}

/// What a client asks for. No two ever write the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Write(u64),
    Read,
    /// To write a value if another one is there.
    Swap {
        from: u64,
        to: u64,
    },
}

/// What it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It is written; a swap was done.
    Written,
    /// What was read. A swap was not done, since this is there.
    Read(u64),
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Invoked(usize, Register, Asked),
    Returned(usize, Answered),
}

/// A history. What is invoked and never returns is unknown: it may have been done, or be done at any time.
#[derive(Default)]
pub struct History(Mutex<(usize, Vec<Event>)>);

/// What happened to a register, with its answer.
#[derive(Clone, Copy, Debug)]
enum Step {
    Write(u64),
    Read(u64),
    Swap {
        from: u64,
        to: u64,
    },
    /// A swap that may have been done or not.
    PerhapsSwap {
        from: u64,
        to: u64,
    },
}

/// How a register behaves.
struct Behaviour;

impl Specification for Behaviour {
    type State = u64;
    type Operation = Step;

    fn init() -> u64 {
        0
    }

    fn apply(step: &Step, state: &u64) -> (bool, u64) {
        match *step {
            Step::Write(value) => (true, value),
            Step::Read(value) => (value == *state, *state),
            Step::Swap { from, to } => (from == *state, to),
            Step::PerhapsSwap { from, to } => (true, if from == *state { to } else { *state }),
        }
    }
}

/// What was found out of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    pub registers: usize,
    pub operations: usize,
    pub unknown: usize,
    /// Registers that behaved like none.
    pub wrong: Vec<Register>,
}

impl History {
    /// A client asks for something. Gives the number of that.
    pub fn invoked(&self, register: Register, asked: Asked) -> usize {
        let (next, events) = &mut *self.0.lock().expect("nobody breaks down");
        *next += 1;
        events.push(Event::Invoked(*next, register, asked));
        *next
    }

    /// It is told what became of it.
    pub fn returned(&self, number: usize, answered: Answered) {
        self.0.lock().expect("nobody breaks down").1.push(Event::Returned(number, answered));
    }

    pub fn judge(&self) -> Judged {
        let events = self.0.lock().expect("nobody breaks down").1.clone();
        let mut answers: BTreeMap<usize, Answered> = BTreeMap::new();
        let mut all: BTreeMap<Register, Vec<Event>> = BTreeMap::new();
        let mut registers: BTreeMap<usize, Register> = BTreeMap::new();
        for event in events {
            let register = match event {
                Event::Invoked(number, register, _) => {
                    registers.insert(number, register);
                    register
                }
                Event::Returned(number, answered) => {
                    answers.insert(number, answered);
                    registers[&number]
                }
            };
            all.entry(register).or_default().push(event);
        }
        let mut judged = Judged { registers: all.len(), operations: registers.len(), ..Judged::default() };
        judged.unknown = registers.len() - answers.len();
        for (register, events) in &all {
            if !linearizable(events, &answers) {
                judged.wrong.push(*register);
            }
        }
        judged
    }

    /// What happened to a register, for people.
    pub fn told(&self, register: Register) -> String {
        let events = self.0.lock().expect("nobody breaks down").1.clone();
        let numbers: BTreeSet<usize> = events
            .iter()
            .filter_map(|event| match event {
                Event::Invoked(number, of, _) if *of == register => Some(*number),
                _ => None,
            })
            .collect();
        let of = events.iter().filter(|event| match event {
            Event::Invoked(number, ..) | Event::Returned(number, _) => numbers.contains(number),
        });
        of.map(|event| match event {
            Event::Invoked(number, _, asked) => format!("{number}: {asked:?}\n"),
            Event::Returned(number, answered) => format!("{number}: … {answered:?}\n"),
        })
        .collect()
    }
}

fn linearizable(events: &[Event], answers: &BTreeMap<usize, Answered>) -> bool {
    // Values that somebody has seen.
    let mut seen = BTreeSet::new();
    for event in events {
        if let Event::Invoked(number, _, asked) = event {
            match (asked, answers.get(number)) {
                (_, Some(Answered::Read(value))) => drop(seen.insert(*value)),
                (Asked::Swap { from, .. }, Some(Answered::Written)) => drop(seen.insert(*from)),
                (Asked::Swap { from, .. }, None) => drop(seen.insert(*from)),
                _ => {}
            }
        }
    }
    let step = |number: usize, asked: Asked| match (asked, answers.get(&number)) {
        (Asked::Write(value), Some(Answered::Written)) => Some(Step::Write(value)),
        (Asked::Swap { from, to }, Some(Answered::Written)) => Some(Step::Swap { from, to }),
        (_, Some(Answered::Read(value))) => Some(Step::Read(*value)),
        (Asked::Read, Some(Answered::Written)) => panic!("a read does not write"),
        // What nobody has seen may have been done at the end, or not at all: it changes nothing.
        (Asked::Write(value), None) => seen.contains(&value).then_some(Step::Write(value)),
        (Asked::Swap { from, to }, None) => seen.contains(&to).then_some(Step::PerhapsSwap { from, to }),
        (Asked::Read, None) => None,
    };
    let (mut actions, mut open, mut places) = (Vec::new(), Vec::new(), BTreeMap::new());
    for event in events {
        match *event {
            Event::Invoked(number, _, asked) => {
                let Some(step) = step(number, asked) else { continue };
                let place = places.len();
                places.insert(number, (place, step));
                actions.push((place, Action::Call(step)));
                if !answers.contains_key(&number) {
                    open.push((place, Action::Response(step)));
                }
            }
            Event::Returned(number, _) => {
                let (place, step) = places[&number];
                actions.push((place, Action::Response(step)));
            }
        }
    }
    actions.extend(open);
    actions.is_empty() || WGLChecker::<Behaviour>::is_linearizable(Actions::from_actions(actions))
}

/// Histories of one register: each line is a client, `w1` writes 1, `r1` reads 1, `s12` puts 2 in the place of 1, `s1=3` would
/// but finds 3; it lasts as long as the dots go, and for ever if there is a `?`.
fn history(lines: &[&str]) -> History {
    let (register, history) = (Register { partition: 0, key: 0 }, History::default());
    let mut open: BTreeMap<usize, (usize, Answered)> = BTreeMap::new();
    let length = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    for at in 0..=length {
        for (client, line) in lines.iter().enumerate() {
            let ends = line.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace);
            if ends && let Some((number, answered)) = open.remove(&client) {
                history.returned(number, answered);
            }
        }
        for (client, line) in lines.iter().enumerate() {
            let begins = at == 0 || line.as_bytes().get(at - 1).is_some_and(u8::is_ascii_whitespace);
            let word = line.get(at..).and_then(|rest| rest.split_whitespace().next());
            let Some(word) = word.filter(|_| begins && !line[at..].starts_with(' ')) else { continue };
            let digits: Vec<u64> =
                word.bytes().filter(u8::is_ascii_digit).map(|b| u64::from(b - b'0')).collect();
            let (asked, answered) = match (word.as_bytes()[0], digits.as_slice()) {
                (b'w', [value]) => (Asked::Write(*value), Answered::Written),
                (b'r', [value]) => (Asked::Read, Answered::Read(*value)),
                (b's', [from, there]) if word.contains('=') => {
                    (Asked::Swap { from: *from, to: 9 }, Answered::Read(*there))
                }
                (b's', [from, to]) => (Asked::Swap { from: *from, to: *to }, Answered::Written),
                other => panic!("{word}: {other:?}"),
            };
            let number = history.invoked(register, asked);
            if !word.contains('?') {
                open.insert(client, (number, answered));
            }
        }
    }
    history
}

#[test]
fn the_checker_tells_histories_that_may_be_from_those_that_may_not() {
    for (right, lines) in [
        (true, &["w1. r1"][..]),
        (false, &["w1. r0"]),
        (true, &["w1....... r1", "  r0 r1"]),
        // Who comes later sees no less.
        (false, &["w1.......", "  r1 r0"]),
        (true, &["w1...", "w2... r1"]),
        (false, &["w1. w2. r1"]),
        // Nobody knows: it may be done late, or never.
        (true, &["w1?", "    r0 r1"]),
        (true, &["w1?", "    r0 r0"]),
        (false, &["w1?", "    r1 r0"]),
        (false, &["    w1?", "r1"]),
        // One of two who ask for the same.
        (true, &["s01. r1", "s0=1"]),
        (false, &["s01.", "s02."]),
        (false, &["s01. s0=0"]),
        (true, &["s01?", "     s02. r2"]),
        (false, &["s01?", "     s02. r1"]),
        (true, &["s01?", "     s0=1 r1"]),
    ] {
        let judged = history(lines).judge();
        assert_eq!(judged.wrong.is_empty(), right, "{lines:#?}");
    }
}
