//! Commands of a seat, in both notations, at positions of every game.

use crate::{texts, work};
use bots::Bot;
use game::chance::SplitMix;
use game::laws::Run;
use game::written::Written;
use game::{Chance, Game, Input, Millis, Presence, Seat, Status, Timing, Viewer};
use rulebook::{Command, Family, Loaded, Match, NoFiles, Source, View};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Most lines of one input.
const LINES: usize = 24;

/// Most alarms that one line waits for.
const RINGS: usize = 50;

/// How many moves bots have made when the input begins.
const MOVES: [u16; 8] = [0, 2, 6, 14, 30, 60, 100, 160];

/// Bytes of memory for judging one command, whatever it is, and for each byte of it.
const WORK: (usize, usize) = (64 << 20, 16 << 10);

/// Most that one command may bring about: events, and bytes of them as JSON.
const BROUGHT: (usize, usize) = (600, 256 << 10);

/// Commands of the Set family: see [`contract`].
///
/// # Panics
/// If a law is broken.
pub fn pattern(bytes: &[u8]) {
    commands(Family::Pattern, bytes);
}

/// Commands of the Contract Rummy family. Four bytes say which game, how many seats, how far it is and by which dice; each
/// line after them is a seat and what it does, in JSON or in notation, or what `wait`, `leave`, `back`, `quit` and `join` say.
///
/// What is refused changes nothing and says why; what is accepted keeps the laws, and so does what follows from it; a
/// command that is written down and read back does the same.
///
/// # Panics
/// If a law is broken.
pub fn contract(bytes: &[u8]) {
    commands(Family::Contract, bytes);
}

fn commands(family: Family, bytes: &[u8]) {
    let Some(([game, seats, moves, dice], text)) = bytes.split_first_chunk::<4>() else { return };
    let Some(text) = texts::text(text) else { return };
    let position = position(family, *game, *seats, *moves, *dice % 2);
    let mut run = Run::new(position.game, u64::from(*dice));
    let mut now = position.at;
    for line in text.lines().take(LINES) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (word, rest) = (word.trim(), rest.trim());
        let most = work::most(WORK.0, WORK.1, line.len());
        work::within("a line", most, || match word {
            "wait" => wait(&mut run, &mut now, rest.parse().unwrap_or(0)),
            "leave" | "back" | "quit" | "join" => presence(&mut run, now, word, rest),
            _ => {
                if let Ok(seat) = word.parse::<u8>() {
                    command(&mut run, now, Seat(seat), rest);
                }
            }
        });
        run.settle().unwrap_or_else(|broken| panic!("{broken}"));
    }
    run.replayed().unwrap_or_else(|broken| panic!("{broken}"));
}

fn wait(run: &mut Run<Match>, now: &mut Millis, millis: u32) {
    let end = now.after(millis.min(3_600_000));
    for _ in 0..RINGS {
        let Some(alarm) = run.game().alarm().filter(|alarm| alarm.due <= end) else { break };
        *now = alarm.due.max(*now);
        let rang = run.attempt(*now, Input::Ring(alarm.id)).unwrap_or_else(|broken| panic!("{broken}"));
        rang.unwrap_or_else(|why| panic!("the alarm that was due was refused: {why}"));
        run.settle().unwrap_or_else(|broken| panic!("{broken}"));
    }
    *now = run.game().alarm().map_or(end, |alarm| end.min(alarm.due)).max(*now);
}

fn presence(run: &mut Run<Match>, now: Millis, word: &str, seat: &str) {
    let Ok(seat) = seat.parse() else { return };
    let presence = match word {
        "leave" => Presence::Dropped,
        "back" => Presence::Back,
        "quit" => Presence::Left,
        _ => Presence::Joined,
    };
    attempt(run, now, Input::Presence(Seat(seat), presence));
}

fn command(run: &mut Run<Match>, now: Millis, seat: Seat, text: &str) {
    let read = if text.starts_with(['{', '"']) {
        let Some(command) = texts::json::<Command>(text) else { return };
        command
    } else {
        match run.game().read_command(seat, text) {
            Ok(command) => command,
            Err(why) => return assert!(why.words().len() > 5, "{why:?}"),
        }
    };
    texts::written(&read);
    let before = run.game().clone();
    let events = attempt(run, now, Input::Play(seat, read.clone(), Timing::at(now)));
    // In notation it is the same command: it brings the same about, or is refused as well.
    let written = before.write_command(&read);
    if let Some(events) = events {
        let again = before.read_command(seat, &written);
        let again = again.unwrap_or_else(|why| panic!("`{written}` was accepted and cannot be read: {why}"));
        let mut brought = Vec::new();
        before
            .decide(now, &Input::Play(seat, again, Timing::at(now)), &mut brought)
            .unwrap_or_else(|why| panic!("{read:?} is accepted, `{written}` is not: {why}"));
        assert_eq!(events, brought, "{read:?} and `{written}` are not the same");
    } else if let Ok(again) = before.read_command(seat, &written) {
        assert_eq!(before.write_command(&again), written, "{read:?}");
    }
}

/// Hands the input in, and gives what it brought about if it was accepted.
fn attempt(run: &mut Run<Match>, now: Millis, input: Input<Command>) -> Option<Vec<rulebook::Event>> {
    let viewers = || (0..run.game().seats()).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Table]);
    let before: Vec<View> = viewers().map(|who| run.game().view(who)).collect();
    let truth = run.game().clone();
    let tried = run.attempt(now, input.clone()).unwrap_or_else(|broken| panic!("{broken}"));
    if tried.is_err() {
        let viewers = (0..run.game().seats()).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Table]);
        assert!(
            viewers.zip(before).all(|(who, view)| run.game().view(who) == view),
            "a refusal changed something"
        );
        return None;
    }
    let mut events = Vec::new();
    truth.decide(now, &input, &mut events).expect("it was accepted a moment ago");
    let bytes: usize =
        events.iter().map(|event| serde_json::to_string(event).expect("plain data").len()).sum();
    assert!(events.len() <= BROUGHT.0 && bytes <= BROUGHT.1, "{} events, {bytes} bytes", events.len());
    Some(events)
}

/// A match that bots have begun.
#[derive(Clone)]
struct Position {
    game: Match,
    at: Millis,
}

type Place = (&'static str, u8, u16, u8);

/// A game in which everybody is asked for something before the first turn, beside the built-in ones: its name is none of theirs.
const ASKED: (&str, &str) = (
    "asked",
    "id = \"asked\"\nname = \"Asked\"\nbase = \"contract\"\npass.cards = 3\nwild.named = true\ngame.choice = \"last-loser\"\n",
);

/// The game with this name.
fn game(id: &str) -> Option<Loaded> {
    let own = || rulebook::load(Source::Text { name: "asked.toml", text: ASKED.1 }, None, &NoFiles).ok();
    if id == ASKED.0 { own() } else { rulebook::preset(id).ok() }
}

/// The games of a family, each with the fewest and the most seats.
fn games(family: Family) -> &'static [(&'static str, [u8; 3])] {
    type Games = Vec<(&'static str, [u8; 3])>;
    static GAMES: LazyLock<[Games; 2]> = LazyLock::new(|| {
        [Family::Pattern, Family::Contract].map(|family| {
            let ids = rulebook::presets().into_iter().chain([ASKED.0]);
            let all = ids.filter_map(|id| Some((id, game(id)?.info)));
            all.filter(|(_, info)| info.family == family)
                .map(|(id, info)| {
                    let (min, max) = (info.players_min, info.players_max);
                    (id, [min, min + (max - min) / 2, max.min(6).max(min)])
                })
                .collect()
        })
    });
    &GAMES[usize::from(family == Family::Contract)]
}

/// The position that four bytes name; each is played to once.
fn position(family: Family, game: u8, seats: u8, moves: u8, dice: u8) -> Position {
    static PLAYED: LazyLock<Mutex<HashMap<Place, Position>>> = LazyLock::new(Mutex::default);
    let games = games(family);
    let (id, numbers) = games[usize::from(game) % games.len()];
    let place = (id, numbers[usize::from(seats) % 3], MOVES[usize::from(moves) % MOVES.len()], dice);
    let mut played = PLAYED.lock().unwrap_or_else(PoisonError::into_inner);
    played.entry(place).or_insert_with(|| play(place)).clone()
}

/// Lets bots play so many moves.
fn play((id, seats, moves, dice): Place) -> Position {
    let rules = game(id).and_then(|loaded| loaded.rules(seats).ok()).expect("a game that can be played");
    let mut chance = SplitMix(u64::from(dice) + 1);
    let mut game = Match::open(rules.clone(), seats).expect("as many as it says");
    let mut bots: Vec<Box<dyn Bot<View>>> =
        (0..seats).map(|_| bots::make("easy", &rules).expect("a kind of bot")).collect();
    let (mut at, mut made) = (Millis(0), 0);
    let step = |game: &mut Match, at, input| game::step(game, at, &input, &mut Vec::new()).is_ok();
    // Some bots only look on: time passes then.
    for _ in 0..20 * usize::from(moves) + 20 {
        match game.status() {
            Status::Over(_) => break,
            Status::Chance(need) => {
                let draw = chance.answer(&need);
                assert!(step(&mut game, at, Input::Draw(draw)), "{id}: a draw was refused");
                continue;
            }
            Status::Seats(_) if made >= moves => break,
            Status::Seats(_) => {}
        }
        let thoughts = (0..seats).map(Seat).filter_map(|seat| {
            let view = game.view(Viewer::Seat(seat));
            let thought = bots[seat.index()].think(&view, at, &mut chance)?;
            Some((at.after(thought.after_ms), seat, thought.command))
        });
        let first = thoughts.min_by_key(|(when, ..)| *when);
        match (first, game.alarm()) {
            (Some((when, seat, command)), alarm) if alarm.is_none_or(|alarm| when < alarm.due) => {
                at = at.max(when);
                let done = step(&mut game, at, Input::Play(seat, command, Timing::at(at)));
                made += u16::from(done);
            }
            (_, Some(alarm)) => {
                at = at.max(alarm.due);
                assert!(step(&mut game, at, Input::Ring(alarm.id)), "{id}: an alarm was refused");
            }
            (_, None) => at = at.after(1000),
        }
    }
    Position { game, at }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Before the first turn the contract is picked, the wild named and cards passed on: all of it is tried with the last of the games.
    #[test]
    fn the_phases_before_the_first_turn_are_tried() {
        let last = games(Family::Contract).len() as u8 - 1;
        let phase = |moves: u8| match &position(Family::Contract, last, 0, moves, 0).game {
            Match::Contract(game, _) => (game.flow().phase.word(), game.flow().passed.len()),
            Match::Pattern(..) => unreachable!("it is a game of Contract Rummy"),
        };
        // The contract, the wild, three hands passed on; the sixth move is the first of the first turn.
        assert_eq!([phase(0), phase(1), phase(2)], [("choose", 0), ("pass", 0), ("offer", 0)]);
    }
}
