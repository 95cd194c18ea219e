//! The scenario runner: plays a position and a script written in docs/notation.md, section 3, and says whether it holds.

use crate::fair::{Bytes32, Solo};
use game::written::{Mismatch, Opening, Written};
use game::{Input, Millis, Presence, Refusal, Seat, SeatSet, Status, Timing};
use rulebook::Files;
use serde::Deserialize;
use std::fmt;
use std::sync::Arc;
use toml::Spanned;

/// A scenario file, read but not yet played.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// A preset id, or the path of a rule file, relative to the scenario.
    pub game: String,
    /// Number of seats; none for the fewest the game allows.
    pub seats: Option<u8>,
    /// Round or deal, from 1.
    pub round: u16,
    /// Who deals; none for the last seat, so that seat 0 begins.
    pub dealer: Option<Seat>,
    /// What the table's creator set: option names, dotted or nested.
    pub options: toml::Table,
    /// The written-down position; none where the cards are dealt.
    pub setup: Option<toml::Table>,
    /// The server's seed that all chance comes from.
    pub seed: Bytes32,
    /// What happens.
    pub script: Vec<Line>,
}

/// One line of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What it says, without comment.
    pub text: String,
    act: Act,
}

#[derive(Clone, Debug, PartialEq)]
enum Act {
    Command { expect: Expect, who: Who, text: String },
    Presence { expect: Expect, seat: Seat, way: Way },
    Wait(u32),
    State(String),
}

/// What is expected of an act: none that it is accepted, else that it is refused, and the rules to be cited.
type Expect = Option<Vec<String>>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    Seat(Seat),
    /// `*`: each seat awaited when the line begins, in turn order.
    Awaited,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Leave,
    Quit,
    Join,
}

/// Why a scenario could not be played at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Line of the scenario file, from 1, where one can be named.
    pub line: Option<usize>,
    /// What is wrong, in words.
    pub text: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for Unreadable {}

/// The first line that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line of the scenario file, from 1; 0 if the position could not be set up.
    pub line: usize,
    /// The line as written.
    pub text: String,
    /// What it expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The position then, in notation; empty if there is none.
    pub position: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: String,
    seats: Option<u8>,
    round: Option<u16>,
    dealer: Option<u8>,
    seed: Option<Bytes32>,
    #[serde(default)]
    options: toml::Table,
    setup: Option<toml::Table>,
    #[serde(default)]
    play: Play,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    script: Option<Spanned<String>>,
}

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// What is wrong with the file, and on which line.
    pub fn parse(text: &str) -> Result<Scenario, Unreadable> {
        if text.len() > MOST_BYTES {
            return Err(Unreadable {
                line: None,
                text: format!("the file has {} bytes: a scenario has at most {MOST_BYTES}", text.len()),
            });
        }
        let line_of = |at: usize| 1 + text[..at].matches('\n').count();
        let file: File = toml::from_str(text).map_err(|error| Unreadable {
            line: error.span().map(|span| line_of(span.start)),
            text: error.message().to_owned(),
        })?;
        let seat = |n: u8| {
            (n < Seat::MOST)
                .then_some(Seat(n))
                .ok_or_else(|| Unreadable { line: None, text: format!("there is no seat {n}") })
        };
        let script = match file.play.script {
            None => Vec::new(),
            Some(script) => {
                let start = script.span().start;
                // A line break that follows the opening quotes is not part of the text.
                let body = &text[start..];
                let broken =
                    ["'''\n", "'''\r\n", "\"\"\"\n", "\"\"\"\r\n"].iter().any(|q| body.starts_with(q));
                let first = line_of(start) + usize::from(broken);
                script
                    .get_ref()
                    .lines()
                    .enumerate()
                    .filter_map(|(n, line)| Line::parse(first + n, line).transpose())
                    .collect::<Result<_, _>>()?
            }
        };
        Ok(Scenario {
            game: file.game,
            seats: file.seats,
            round: file.round.unwrap_or(1),
            dealer: file.dealer.map(seat).transpose()?,
            options: file.options,
            setup: file.setup,
            seed: file.seed.unwrap_or_default(),
            script,
        })
    }
}

impl Line {
    fn parse(number: usize, line: &str) -> Result<Option<Line>, Unreadable> {
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            return Ok(None);
        }
        let unreadable = |why: String| Unreadable { line: Some(number), text: why };
        let act = match text.strip_prefix('=') {
            Some(statement) if statement.trim().is_empty() => {
                return Err(unreadable("`=` states nothing: write what is to be so after it".to_owned()));
            }
            Some(statement) => Act::State(statement.trim().to_owned()),
            None => Act::parse(text).map_err(unreadable)?,
        };
        Ok(Some(Line { number, text: text.to_owned(), act }))
    }
}

impl Act {
    fn parse(text: &str) -> Result<Act, String> {
        let (expect, rest) = match text.strip_prefix('!') {
            None => (None, text),
            Some(rest) => {
                let (ids, rest) = match rest.chars().next() {
                    Some(c) if c.is_ascii_alphabetic() => {
                        rest.split_once(char::is_whitespace).unwrap_or((rest, ""))
                    }
                    _ => ("", rest),
                };
                let ids = ids.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
                (Some(ids), rest.trim_start())
            }
        };
        let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let rest = rest.trim();
        let seat = |word: &str| {
            word.parse().ok().filter(|&n| n < Seat::MOST).map(Seat).ok_or_else(|| {
                format!("`{word}` is no seat: a line begins with a seat from 0, `*`, `=`, `!`, wait, leave, quit or join")
            })
        };
        let way = match word {
            "wait" if expect.is_none() => {
                let millis =
                    rest.parse().map_err(|_| format!("`wait {rest}`: write how many milliseconds"))?;
                return Ok(Act::Wait(millis));
            }
            "leave" => Way::Leave,
            "quit" => Way::Quit,
            "join" => Way::Join,
            _ => {
                let who = if word == "*" { Who::Awaited } else { Who::Seat(seat(word)?) };
                return Ok(Act::Command { expect, who, text: rest.to_owned() });
            }
        };
        Ok(Act::Presence { expect, seat: seat(rest)?, way })
    }
}

/// Reads and plays a scenario file with the rules that it names. `files` finds rule files by their path relative to the
/// scenario.
///
/// # Errors
/// The file, or a rule file it names, cannot be read.
pub fn run(text: &str, files: &dyn Files) -> Result<Result<(), Failure>, Unreadable> {
    Ok(end(text, files)?.map(drop))
}

/// The same, with the match as it stands at the end of the script.
///
/// # Errors
/// The file, or a rule file it names, cannot be read.
pub fn end(text: &str, files: &dyn Files) -> Result<Result<rulebook::Match, Failure>, Unreadable> {
    let scenario = Scenario::parse(text)?;
    let path = scenario.game.ends_with(".toml") || scenario.game.contains('/');
    let source =
        if path { rulebook::Source::File(&scenario.game) } else { rulebook::Source::Preset(&scenario.game) };
    let loaded = match rulebook::load(source, Some(&scenario.options), files) {
        Ok(loaded) => loaded,
        Err(faults) if faults.missing => return Err(Unreadable { line: None, text: faults.to_string() }),
        Err(faults) => return Ok(Err(no_position("rules that can be played", faults.to_string()))),
    };
    let seats = scenario.seats.unwrap_or(loaded.info.players_min);
    match loaded.rules(seats) {
        Ok(rules) => Ok(play::<rulebook::Match>(&scenario, rules, seats)),
        Err(faults) => Ok(Err(no_position("rules that can be played", faults.to_string()))),
    }
}

fn no_position(expected: &str, found: String) -> Failure {
    Failure { line: 0, text: String::new(), expected: expected.to_owned(), found, position: String::new() }
}

/// Plays a scenario under `rules`, whatever game it names, and gives the match as it stands then.
///
/// # Errors
/// The first line that does not hold.
pub fn play<G>(scenario: &Scenario, rules: Arc<G::Rules>, seats: u8) -> Result<G, Failure>
where
    G: Written<Position = toml::Table>,
{
    if seats == 0 || seats > Seat::MOST {
        return Err(no_position(&format!("1 to {} seats", Seat::MOST), format!("{seats} seats")));
    }
    let dealer = scenario.dealer.unwrap_or(Seat(seats - 1));
    if dealer.0 >= seats {
        return Err(no_position("a dealer who sits at the table", format!("seat {dealer} of {seats}")));
    }
    let opening = Opening { round: scenario.round, dealer };
    let opened = match &scenario.setup {
        Some(setup) => G::set_up(rules, seats, opening, setup.clone()),
        None => G::open_at(rules, seats, opening),
    };
    let game = opened.map_err(|faults| no_position("a position that can be played", faults.join("\n")))?;
    let mut host = Host {
        game,
        now: Millis(0),
        chance: Solo::new("scenario", scenario.seed, seats),
        away: SeatSet::NONE,
        rings: 0,
    };
    host.settle().map_err(|found| Failure {
        position: host.game.position(),
        ..no_position("chance and alarms to be taken", found)
    })?;
    for line in &scenario.script {
        host.line(&line.act).map_err(|Mismatch { expected, found }| Failure {
            line: line.number,
            text: line.text.clone(),
            expected: in_words(expected),
            found: in_words(found),
            position: host.game.position(),
        })?;
    }
    Ok(host.game)
}

/// Runs a match as a server would, on a clock that the script moves.
struct Host<G> {
    game: G,
    now: Millis,
    chance: Solo,
    /// Seats whose connection is lost.
    away: SeatSet,
    /// Alarms and draws so far.
    rings: usize,
}

/// So many alarms and draws in one script are no game but a fault, or a wait of months.
const MOST_RINGS: usize = 100_000;
/// Bytes of a scenario file at most.
const MOST_BYTES: usize = 1 << 20;

impl<G: Written> Host<G> {
    fn input(&mut self, input: &Input<G::Command>) -> Result<(), Refusal> {
        game::step(&mut self.game, self.now, input, &mut Vec::new())
    }

    /// Answers chance, and rings every alarm that is due, until the match waits for somebody or for time.
    fn settle(&mut self) -> Result<(), String> {
        while self.rings < MOST_RINGS {
            self.rings += 1;
            if let Status::Chance(need) = self.game.status() {
                let draw = self.chance.answer(&need);
                self.input(&Input::Draw(draw))
                    .map_err(|r| format!("the draw for {need:?} was refused: {r}"))?;
            } else {
                match self.game.alarm() {
                    Some(alarm) if alarm.due <= self.now => self
                        .input(&Input::Ring(alarm.id))
                        .map_err(|r| format!("the alarm due at {} ms was refused: {r}", alarm.due.0))?,
                    _ => return Ok(()),
                }
            }
        }
        Err(format!("at {} ms {MOST_RINGS} alarms and draws have come: no match takes so many", self.now.0))
    }

    fn wait(&mut self, millis: u32) -> Result<(), String> {
        let end = self.now.after(millis);
        self.settle()?;
        while let Some(alarm) = self.game.alarm().filter(|alarm| alarm.due <= end) {
            self.now = alarm.due;
            self.settle()?;
        }
        self.now = end;
        Ok(())
    }

    fn line(&mut self, act: &Act) -> Result<(), Mismatch> {
        let fault = |found| Mismatch { expected: "chance and alarms to be taken".to_owned(), found };
        match act {
            Act::Wait(millis) => self.wait(*millis).map_err(fault),
            Act::State(statement) => self.state(statement),
            Act::Presence { expect, seat, way } => {
                let tried = self.presence(*seat, *way);
                judge(expect, &tried.map(|()| format!("seat {seat} accepted")))?;
                self.settle().map_err(fault)
            }
            Act::Command { expect, who: Who::Seat(seat), text } => {
                let tried = self.command(*seat, text);
                judge(expect, &tried)?;
                self.settle().map_err(fault)
            }
            Act::Command { expect, who: Who::Awaited, text } => {
                let awaited = self.game.undecided();
                if awaited.is_empty() {
                    return Err(Mismatch {
                        expected: "seats whose decision is missing".to_owned(),
                        found: "nobody is awaited".to_owned(),
                    });
                }
                for seat in self.game.turn_order().into_iter().filter(|&s| awaited.has(s)) {
                    if self.game.undecided().has(seat) {
                        let tried = self.command(seat, text);
                        judge(expect, &tried)
                            .map_err(|m| Mismatch { found: format!("seat {seat}: {}", m.found), ..m })?;
                        self.settle().map_err(fault)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn command(&mut self, seat: Seat, text: &str) -> Result<String, Refusal> {
        if seat.0 >= self.game.seats() {
            return Err(game::say!("no.seat", n = seat).into());
        }
        let command = self.game.read_command(seat, text)?;
        let written = self.game.write_command(&command);
        self.input(&Input::Play(seat, command, Timing::at(self.now)))?;
        Ok(format!("accepted: {seat} {written}"))
    }

    fn presence(&mut self, seat: Seat, way: Way) -> Result<(), Refusal> {
        if seat.0 >= self.game.seats() {
            return Err(game::say!("no.seat", n = seat).into());
        }
        match way {
            Way::Leave => {
                self.input(&Input::Presence(seat, Presence::Dropped))?;
                self.away.add(seat);
            }
            Way::Quit => {
                self.input(&Input::Presence(seat, Presence::Left))?;
                self.away.remove(seat);
            }
            // Who comes back within the grace has the seat still; after it, or after quitting, the seat is taken anew.
            Way::Join if self.away.has(seat) => {
                self.input(&Input::Presence(seat, Presence::Back))
                    .or_else(|_| self.input(&Input::Presence(seat, Presence::Joined)))?;
                self.away.remove(seat);
            }
            Way::Join => self.input(&Input::Presence(seat, Presence::Joined))?,
        }
        Ok(())
    }

    fn state(&mut self, statement: &str) -> Result<(), Mismatch> {
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let outcome = match self.game.status() {
            Status::Over(outcome) => Some(outcome),
            _ => None,
        };
        let compare = |expected: SeatSet, found: SeatSet| {
            let text = |set: SeatSet| format!("{word} {}", seats_text(set));
            if expected == found {
                Ok(())
            } else {
                Err(Mismatch { expected: text(expected), found: text(found) })
            }
        };
        match word {
            "await" => compare(seats(rest)?, self.game.undecided()),
            "over" if rest.is_empty() => outcome.map(|_| ()).ok_or_else(|| Mismatch {
                expected: "over".to_owned(),
                found: "the match is not over".to_owned(),
            }),
            "winner" | "winners" => match outcome {
                Some(outcome) => compare(seats(rest)?, outcome.winners),
                None => Err(Mismatch {
                    expected: statement.to_owned(),
                    found: "the match is not over".to_owned(),
                }),
            },
            _ => self.game.check_at(self.now, statement).map_err(|wrong| {
                wrong.unwrap_or_else(|why| Mismatch { expected: statement.to_owned(), found: why })
            }),
        }
    }
}

/// A side of a comparison as a person reads it: of an empty line they would see nothing at all.
fn in_words(side: String) -> String {
    if side.trim().is_empty() { "nothing".to_owned() } else { side }
}

/// Whether an act was accepted or refused as expected.
fn judge(expect: &Expect, tried: &Result<String, Refusal>) -> Result<(), Mismatch> {
    let found = || match tried {
        Ok(text) => text.clone(),
        Err(refusal) => format!("refused: {refusal}"),
    };
    match (expect, tried) {
        (None, Ok(_)) => Ok(()),
        (None, Err(_)) => Err(Mismatch { expected: "accepted".to_owned(), found: found() }),
        (Some(ids), Err(refusal)) if ids.iter().all(|id| refusal.cites(id)) => Ok(()),
        (Some(ids), _) if ids.is_empty() => Err(Mismatch { expected: "refused".to_owned(), found: found() }),
        (Some(ids), _) => {
            Err(Mismatch { expected: format!("refused, citing {}", ids.join(" and ")), found: found() })
        }
    }
}

/// Reads `1 2`, or `--` for nobody.
fn seats(text: &str) -> Result<SeatSet, Mismatch> {
    text.split_whitespace()
        .filter(|&word| word != "--")
        .map(|word| {
            word.parse().ok().filter(|&n| n < Seat::MOST).map(Seat).ok_or_else(|| Mismatch {
                expected: "seats, from 0, or `--` for nobody".to_owned(),
                found: format!("`{word}`"),
            })
        })
        .collect()
}

fn seats_text(set: SeatSet) -> String {
    if set.is_empty() {
        return "--".to_owned();
    }
    set.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
}
