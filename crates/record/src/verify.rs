//! Judging records again: `parlour verify`.
//!
//! A record is believed in nothing that can be found out. Every input is judged by the rules of this program, whatever
//! program the record names, and only what they decide is ever applied; so a record cannot bring the rules into a state
//! that no match has. What is left open at the end is said: [`Verified::open`]. What no replay can find out, and why, stands
//! in docs/record.md.

use crate::entry::{Cause, ENGINE, Entry, EntryOf, HeaderOf, Note, SHUFFLE, Sitter, SitterKind};
use crate::fair::{self, Bytes32, DealKey, Why};
use crate::name;
use crate::replay::{self, Lines, Wrong};
use game::{Draw, Game, Input, Millis, Need, Presence, Seat, Status, Timing};
use std::collections::BTreeMap;
use std::fmt;

/// The first version of the format that binds the header and stamps each act with its arrival.
const BINDS: u32 = 2;

/// What [`verify`] found in a record in which nothing is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many entries.
    pub entries: usize,
    /// How many inputs this program judged again, and decided just what stands there.
    pub judged: usize,
    /// How many draws follow from the seeds.
    pub draws: usize,
    /// Seats of people that had no part in a deal, in the order of the deals.
    pub absent: Vec<Absent>,
    /// How the match came to its end; none if the record does not go so far.
    pub end: Option<End>,
    /// Other programs that the record names as its judges.
    pub engines: Vec<String>,
    /// Where this program first decides differently from another one that the record names.
    pub differs: Option<Wrong>,
    /// How many inputs were not judged: those from there on.
    pub unjudged: usize,
    /// How many draws could not be checked, because their deal's seed is not shown or the shuffle is not fair.
    pub unchecked: usize,
    /// Deals that were drawn from and of which the server did not show its seed to the players.
    pub unshown: Vec<u16>,
    /// The header is not bound to the deals: an older program opened the match.
    pub unbound: bool,
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By its rules.
    Played,
    /// By agreement, without a result.
    Agreed,
}

/// A seat of a person whose seed is in no card of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Deal of the match, from 1.
    pub deal: u16,
    /// Which seat.
    pub seat: Seat,
    /// Who sat there.
    pub name: String,
    /// Why.
    pub why: Why,
}

impl Verified {
    /// Whether every input was judged, every draw checked and the match played to its end.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.differs.is_none() && self.open().is_empty()
    }

    /// What was not judged or checked, each in a few words; empty if that is nothing.
    #[must_use]
    pub fn open(&self) -> Vec<String> {
        let mut open = Vec::new();
        let mut note = |holds: bool, text: &dyn Fn() -> String| {
            if holds {
                open.push(text());
            }
        };
        note(self.unjudged > 0, &|| format!("{} inputs were not judged", self.unjudged));
        note(self.end.is_none(), &|| "the match does not come to its end".to_owned());
        note(self.unchecked > 0, &|| format!("{} draws have no seeds to check them by", self.unchecked));
        note(!self.unshown.is_empty(), &|| {
            format!("the server's seed of {} was not shown", deals(&self.unshown))
        });
        note(self.unbound, &|| {
            "nothing binds the header to the deals, as in all records of version 1".to_owned()
        });
        open
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { entries, judged, draws, .. } = self;
        write!(f, "{entries} entries, {judged} inputs judged again, {draws} draws follow from the seeds")?;
        if self.end == Some(End::Agreed) {
            f.write_str(", ended by agreement")?;
        }
        if !self.engines.is_empty() {
            write!(f, ", recorded by {}", self.engines.join(" and "))?;
        }
        for (seat, name, why, deals) in by_seat(&self.absent) {
            write!(f, "; seat {seat} ({name}) {why} in {deals}")?;
        }
        Ok(())
    }
}

/// Who had no part in which deals, a line for each seat, name and reason.
#[must_use]
pub fn by_seat(absent: &[Absent]) -> Vec<(Seat, &str, Why, String)> {
    let mut lines: BTreeMap<(u8, Why, &str), Vec<u16>> = BTreeMap::new();
    for Absent { deal, seat, name, why } in absent {
        lines.entry((seat.0, *why, name)).or_default().push(*deal);
    }
    lines.into_iter().map(|((seat, why, name), list)| (Seat(seat), name, why, deals(&list))).collect()
}

/// `deal 2`, `deals 2, 3`.
fn deals(deals: &[u16]) -> String {
    let list: Vec<String> = deals.iter().map(u16::to_string).collect();
    format!("deal{} {}", if deals.len() == 1 { "" } else { "s" }, list.join(", "))
}

/// Replays a record and checks everything that can be checked.
///
/// # Errors
/// The first line that is wrong. Where the record says that another program judged, and this one decides differently, that
/// is no error but stands in [`Verified::differs`]: either the rules have changed since, or the record was changed.
pub fn verify<G: Game>(text: &str) -> Result<Verified, Wrong> {
    let lines = Lines::of(text)?;
    let (&(first, header), rest) = lines.all.split_first().expect("a header was found");
    let wrong = |text: String| Err(Wrong { line: first, text });
    let named = |key: &str| lines.header.get(key).and_then(|name| name.as_str()).unwrap_or_default();
    let hash = name::bound(named("match"));
    if lines.schema >= BINDS || hash.is_some() {
        match hash {
            Some(hash) if hash == name::hash(&lines.header) => {}
            Some(_) => return wrong("the header is not the one that the name of the match binds".to_owned()),
            None => return wrong("the name of the match binds no header".to_owned()),
        }
    }
    // What another program wrote may be beyond this one, which is not the same as wrong.
    let beyond = |text: String| {
        let engines = vec![named("engine").to_owned()];
        let differs = Some(Wrong { line: first, text });
        Ok(Verified { engines, differs, unjudged: rest.len(), ..Verified::default() })
    };
    let another = named("engine") != ENGINE;
    let header: HeaderOf<G> = match lines.read_whole(header, another) {
        Ok(header) => header,
        Err(text) if another => return beyond(text),
        Err(text) => return wrong(text),
    };
    let game = match replay::open::<G>(&header) {
        Ok(game) => game,
        Err(text) if another => return beyond(text),
        Err(text) => return wrong(text),
    };
    // The server's seeds first: a draw can be checked only with the seed that is shown later.
    let entries: Vec<(usize, Result<EntryOf<G>, String>)> =
        rest.iter().map(|&(line, text)| (line, lines.read_whole(text, another))).collect();
    let (mut commits, mut servers) = (BTreeMap::new(), BTreeMap::new());
    for note in entries.iter().filter_map(|(_, entry)| entry.as_ref().ok()).flat_map(|entry| &entry.notes) {
        match note {
            Note::Commit { deal, hash } => {
                commits.entry(*deal).or_insert(*hash);
            }
            // One that is not what it should be is wrong on its own line.
            Note::Secret { deal, seed } | Note::Reveal { deal, seed }
                if commits.get(deal) == Some(&fair::commitment(seed)) =>
            {
                servers.insert(*deal, *seed);
            }
            _ => {}
        }
    }
    let mut judge = Judge::new(&header, lines.schema, game, servers);
    judge.found.unbound = hash.is_none();
    for (n, (line, entry)) in entries.iter().enumerate() {
        match entry {
            Ok(entry) => judge.take(*line, entry).map_err(|text| Wrong { line: *line, text })?,
            Err(text) if judge.another() => {
                judge.found.differs.get_or_insert(Wrong { line: *line, text: text.clone() });
                judge.found.unjudged += entries.len() - n;
                break;
            }
            Err(text) => return Err(Wrong { line: *line, text: text.clone() }),
        }
    }
    judge.found.entries = rest.len();
    judge.done()
}

/// A match as far as its record was judged.
struct Judge<'a, G: Game> {
    header: &'a HeaderOf<G>,
    /// Version of the format in which the record was written.
    schema: u32,
    /// The truth now; none once this program decided differently from the one that the record names.
    game: Option<G>,
    census: Vec<u16>,
    ply: u32,
    at: Millis,
    /// The program that judges from here on, as the record says.
    engine: &'a str,
    sitters: Vec<Sitter>,
    /// Last command of each client of each seat.
    commands: BTreeMap<(u8, u32), u64>,
    /// What was taken off each seat's way in the deal that is played, in milliseconds.
    off: Vec<u32>,
    /// Whether acts count from when they were made.
    adjusted: bool,
    deal: u16,
    seeds: Seeds,
    found: Verified,
}

impl<'a, G: Game> Judge<'a, G> {
    fn new(header: &'a HeaderOf<G>, schema: u32, game: G, servers: BTreeMap<u16, Bytes32>) -> Judge<'a, G> {
        let census = game.census();
        let mut judge = Judge {
            header,
            schema,
            census,
            ply: 0,
            at: Millis(0),
            engine: "",
            sitters: header.seats.clone(),
            commands: BTreeMap::new(),
            off: vec![0; header.seats.len()],
            adjusted: game.ping_adjusted(),
            deal: 0,
            seeds: Seeds { fair: header.shuffle == SHUFFLE, servers, deals: BTreeMap::new() },
            found: Verified::default(),
            game: Some(game),
        };
        judge.judged_by(&header.engine);
        judge
    }

    /// Whether the record says that another program judges here.
    fn another(&self) -> bool {
        self.engine != ENGINE
    }

    fn judged_by(&mut self, engine: &'a str) {
        self.engine = engine;
        if self.another() && !self.found.engines.iter().any(|known| known == engine) {
            self.found.engines.push(engine.to_owned());
        }
    }

    fn seat(&self, seat: Seat) -> Result<usize, String> {
        if seat.index() < self.sitters.len() {
            Ok(seat.index())
        } else {
            Err(format!("there is no seat {seat}"))
        }
    }

    /// Takes in the next entry, checking it.
    fn take(&mut self, line: usize, entry: &'a Entry<G::Command, G::Event>) -> Result<(), String> {
        if entry.ply != self.ply + 1 {
            return Err(format!("entry {} follows entry {}", entry.ply, self.ply));
        }
        if entry.at < self.at {
            return Err(format!("the time goes back from {} to {} ms", self.at.0, entry.at.0));
        }
        if entry.input.is_none() && !entry.events.is_empty() {
            return Err("there are events, but nothing that brought them about".to_owned());
        }
        if entry.input.is_none() && entry.notes.is_empty() {
            return Err("nothing stands in this entry".to_owned());
        }
        self.cause(entry)?;
        for note in &entry.notes {
            self.note(line, entry, note)?;
        }
        if let Some(input) = &entry.input {
            if self.found.end.is_some() {
                return Err("the match was over before this".to_owned());
            }
            self.input(entry, input)?;
            if let Input::Draw(draw) = input {
                self.draw(entry, draw)?;
            }
            match self.rules(entry, input) {
                Some(Ok(())) => self.found.judged += 1,
                Some(Err(text)) if self.another() => {
                    self.found.differs.get_or_insert(Wrong { line, text });
                    self.found.unjudged += 1;
                    self.game = None;
                }
                Some(Err(text)) => return Err(text),
                None => self.found.unjudged += 1,
            }
        }
        self.ply = entry.ply;
        self.at = entry.at;
        Ok(())
    }

    /// Whether who brought the entry about could.
    fn cause(&self, entry: &Entry<G::Command, G::Event>) -> Result<(), String> {
        let sits = entry.notes.iter().find_map(|note| match note {
            Note::Sits { seat, who } => Some((*seat, &who.kind)),
            _ => None,
        });
        let bot = matches!(sits, Some((_, SitterKind::Bot(_))));
        match (&entry.cause, &entry.input) {
            (Cause::Seat { seat, .. }, Some(Input::Play(played, ..))) if seat != played => {
                return Err(format!("seat {seat} acted, but seat {played} played"));
            }
            (Cause::Host | Cause::Keeper, Some(Input::Play(played, ..))) => {
                return Err(format!("seat {played} played without acting"));
            }
            (Cause::Seat { .. }, Some(Input::Play(..))) => {}
            (Cause::Host, Some(Input::Draw(_) | Input::Ring(_))) => {}
            (Cause::Seat { .. } | Cause::Keeper, Some(Input::Draw(_) | Input::Ring(_))) => {
                return Err("somebody acted where chance or the clock should".to_owned());
            }
            (cause, Some(Input::Presence(seat, presence))) => {
                let place = self.seat(*seat)?;
                let nobody = self.sitters[place].kind == SitterKind::Empty;
                let can = match (presence, cause) {
                    (Presence::Dropped | Presence::Back, Cause::Host) => sits.is_none(),
                    (Presence::Joined, Cause::Host) => matches!(sits, Some((_, SitterKind::Person))),
                    (Presence::Joined, Cause::Keeper) => bot,
                    (Presence::Left, Cause::Host) => nobody && sits.is_none(),
                    (Presence::Left, Cause::Keeper) => matches!(sits, Some((_, SitterKind::Empty))),
                    (Presence::Left, Cause::Seat { seat: own, bot: false, .. }) => {
                        own == seat && matches!(sits, Some((_, SitterKind::Empty)))
                    }
                    _ => false,
                };
                if !can {
                    return Err(format!("seat {seat} does not come or go like this"));
                }
            }
            (Cause::Seat { seat, bot: back, .. }, None) => match sits {
                // Somebody takes their seat back from a bot, or leaves it to one for good.
                Some((own, SitterKind::Person)) if own == *seat && *back => {}
                Some((own, SitterKind::Bot(_))) if own == *seat && !*back => {}
                _ => return Err(format!("seat {seat} acted, but did nothing")),
            },
            (Cause::Host | Cause::Keeper, None) => {
                let took = entry.notes.iter().any(|note| matches!(note, Note::Took { .. }));
                if sits.is_some() && !bot && !took {
                    return Err("somebody sits down without being let in".to_owned());
                }
            }
        }
        Ok(())
    }

    fn note(
        &mut self,
        line: usize,
        entry: &'a Entry<G::Command, G::Event>,
        note: &'a Note<G::Command>,
    ) -> Result<(), String> {
        let (cause, input) = (&entry.cause, &entry.input);
        let belongs = match note {
            Note::Commit { .. }
            | Note::Secret { .. }
            | Note::ClientCommit { .. }
            | Note::Unbound { .. }
            | Note::Open { .. }
            | Note::Missing { .. }
            | Note::Reveal { .. } => *cause == Cause::Host && matches!(input, None | Some(Input::Draw(_))),
            Note::Took { .. } => *cause == Cause::Host && input.is_none(),
            Note::Ended => *cause == Cause::Keeper && input.is_none(),
            Note::Asked { .. } => matches!(input, Some(Input::Draw(_))),
            Note::Lost { .. } => matches!(input, Some(Input::Play(..))) && self.adjusted,
            Note::Sits { seat, .. } => match input {
                None => true,
                Some(Input::Presence(who, Presence::Joined | Presence::Left)) => who == seat,
                _ => false,
            },
            Note::Stood { .. } => true,
        };
        if !belongs {
            return Err("a note stands where it does not belong".to_owned());
        }
        match note {
            Note::Commit { .. }
            | Note::Secret { .. }
            | Note::ClientCommit { .. }
            | Note::Unbound { .. }
            | Note::Open { .. }
            | Note::Missing { .. } => {
                if self.found.end.is_some() {
                    return Err("the match was over before this".to_owned());
                }
                self.seeds.note(line, self.sitters.len(), note)?;
            }
            Note::Reveal { .. } => self.seeds.note(line, self.sitters.len(), note)?,
            Note::Sits { seat, who } => {
                let place = self.seat(*seat)?;
                self.sitters[place] = who.clone();
            }
            Note::Took { engine } => self.judged_by(engine),
            Note::Ended => {
                if self.found.end.replace(End::Agreed).is_some() {
                    return Err("the match was over before this".to_owned());
                }
            }
            Note::Lost { seat, timing, .. } => {
                let winner = match input {
                    Some(Input::Play(_, _, winner)) => winner.adjusted(),
                    _ => Millis(0),
                };
                self.timing(entry.at, *seat, *timing)?;
                if timing.adjusted() < winner {
                    return Err(format!(
                        "the claim of seat {seat} lost, although it was made before the other"
                    ));
                }
            }
            Note::Asked { .. } | Note::Stood { .. } => {}
        }
        Ok(())
    }

    /// What can be said of an input without the rules.
    fn input(
        &mut self,
        entry: &Entry<G::Command, G::Event>,
        input: &Input<G::Command>,
    ) -> Result<(), String> {
        if let Cause::Seat { seat, command, client, bot } = entry.cause {
            let place = self.seat(seat)?;
            let played = matches!(input, Input::Play(..));
            let sitter = &self.sitters[place].kind;
            let sits = match sitter {
                SitterKind::Bot(_) => bot,
                SitterKind::Person => !bot,
                SitterKind::Empty => false,
            };
            if played && !sits {
                return Err(format!("in seat {seat} there is {}", if bot { "no bot" } else { "no person" }));
            }
            if bot || !played {
                if command != 0 || client != 0 {
                    return Err("only what people do has a number".to_owned());
                }
            } else {
                let last = self.commands.entry((seat.0, client)).or_default();
                if command <= *last {
                    return Err(format!("command {command} of seat {seat} follows command {last}"));
                }
                *last = command;
            }
        }
        match input {
            Input::Play(seat, _, timing) => self.timing(entry.at, *seat, *timing),
            Input::Presence(seat, _) => self.seat(*seat).map(|_| ()),
            Input::Draw(_) | Input::Ring(_) => Ok(()),
        }
    }

    /// Whether an act that counts at `at` can have come like this.
    fn timing(&mut self, at: Millis, seat: Seat, timing: Timing) -> Result<(), String> {
        let place = self.seat(seat)?;
        let Timing { arrival, adjustment } = timing;
        let held = self.adjusted || self.schema < BINDS;
        if arrival > at || arrival != at && !held {
            return Err(format!("what came at {} ms cannot count at {} ms", arrival.0, at.0));
        }
        if adjustment == 0 {
            return Ok(());
        }
        self.off[place] += u32::from(adjustment);
        if !self.adjusted
            || adjustment > Timing::MOST_OFF
            || self.off[place] > u32::from(Timing::MOST_OFF_IN_DEAL)
        {
            return Err(format!("{adjustment} ms may not be taken off the way of seat {seat}"));
        }
        Ok(())
    }

    /// Judges an input by the rules, and applies what they decide if that is what stands there. None if the truth is not
    /// known any more.
    fn rules(
        &mut self,
        entry: &Entry<G::Command, G::Event>,
        input: &Input<G::Command>,
    ) -> Option<Result<(), String>> {
        let game = self.game.as_mut()?;
        let strict = !self.adjusted && self.schema >= BINDS;
        Some(decided(game, self.at, strict, entry, input).and_then(|()| {
            for event in &entry.events {
                game.evolve(event);
                if game.census() != self.census {
                    return Err("cards were lost or came from nowhere".to_owned());
                }
            }
            if matches!(game.status(), Status::Over(_)) {
                self.found.end = Some(End::Played);
            }
            Ok(())
        }))
    }

    /// Whether what was drawn follows from the seeds.
    fn draw(&mut self, entry: &Entry<G::Command, G::Event>, draw: &Draw) -> Result<(), String> {
        let mut asked = entry.notes.iter().filter_map(asked);
        let (Some(need), None) = (asked.next(), asked.next()) else {
            return Err("the record does not say what was drawn for".to_owned());
        };
        // What was asked stands in the record, too: one of no places has no answer, and of many cards only one as long.
        answers(draw, need)?;
        let deal = fair::deal(need);
        if deal != self.deal {
            self.deal = deal;
            self.off.fill(0);
        }
        let (name, sitters) = (&self.header.id, &self.sitters);
        match self.seeds.draw(name, sitters, need, &mut self.found.absent)? {
            None => self.found.unchecked += 1,
            Some(right) if right == *draw => self.found.draws += 1,
            Some(_) => return Err(format!("this is not what the seeds of deal {deal} give")),
        }
        Ok(())
    }

    fn done(mut self) -> Result<Verified, Wrong> {
        self.found.unshown = self.seeds.done()?;
        Ok(self.found)
    }
}

fn asked<C>(note: &Note<C>) -> Option<&Need> {
    if let Note::Asked { need } = note { Some(need) } else { None }
}

fn answers(draw: &Draw, need: &Need) -> Result<(), String> {
    if draw.answers(need) { Ok(()) } else { Err(format!("what was drawn is no answer to {need:?}")) }
}

/// Whether the rules decide just what stands in the entry; `at` is the time of the entry before.
fn decided<G: Game>(
    game: &G,
    at: Millis,
    strict: bool,
    entry: &Entry<G::Command, G::Event>,
    input: &Input<G::Command>,
) -> Result<(), String> {
    match input {
        Input::Ring(id) => match game.alarm() {
            // Nothing holds an alarm up where nothing waits for claims that are under way.
            Some(alarm) if alarm.id == *id && strict && alarm.due.max(at) != entry.at => {
                return Err(format!("the alarm {id} was due at {} ms", alarm.due.max(at).0));
            }
            Some(alarm) if alarm.id == *id && alarm.due <= entry.at => {}
            _ => return Err(format!("no alarm {id} was due at {} ms", entry.at.0)),
        },
        Input::Draw(draw) => {
            let Status::Chance(need) = game.status() else {
                return Err("chance was not asked anything".to_owned());
            };
            if let Some(said) = entry.notes.iter().find_map(asked)
                && *said != need
            {
                return Err(format!("chance was asked {need:?}, not {said:?}"));
            }
            answers(draw, &need)?;
        }
        Input::Play(..) | Input::Presence(..) => {}
    }
    let mut events = Vec::new();
    for note in &entry.notes {
        if let Note::Lost { seat, command, timing } = note {
            let claim = Input::Play(*seat, command.clone(), *timing);
            let judged = game.decide(entry.at, &claim, &mut events);
            judged.map_err(|refusal| format!("the claim of seat {seat} could not have won: {refusal}"))?;
            events.clear();
        }
    }
    game.decide(entry.at, input, &mut events)
        .map_err(|refusal| format!("the rules refuse this: {refusal}"))?;
    if events == entry.events {
        return Ok(());
    }
    let same = events.iter().zip(&entry.events).take_while(|(a, b)| a == b).count();
    let show = |event: Option<&G::Event>| {
        event.map_or("nothing more".to_owned(), |e| {
            serde_json::to_string(e).unwrap_or_else(|_| format!("{e:?}"))
        })
    };
    Err(format!(
        "by the rules event {} is {}, the record says {}",
        same + 1,
        show(events.get(same)),
        show(entry.events.get(same))
    ))
}

/// The seeds of all deals.
struct Seeds {
    /// Whether draws come from seeds at all.
    fair: bool,
    /// The server's, wherever in the record they are shown.
    servers: BTreeMap<u16, Bytes32>,
    deals: BTreeMap<u16, Deal>,
}

/// The seeds of one deal.
struct Deal {
    /// Line on which the server bound itself, and to what.
    commit: (usize, Bytes32),
    /// Whether the log keeps the server's seed.
    secret: bool,
    /// Line on which commitments were closed.
    closed: Option<usize>,
    clients: BTreeMap<u8, Bytes32>,
    unbound: Vec<u8>,
    opened: BTreeMap<u8, Bytes32>,
    missing: Vec<u8>,
    revealed: bool,
    drawn: bool,
    key: Option<DealKey>,
}

impl Seeds {
    fn note<C>(&mut self, line: usize, seats: usize, note: &Note<C>) -> Result<(), String> {
        if !self.fair {
            return Err("there are seeds, but the header names a shuffle without any".to_owned());
        }
        if let Note::Commit { deal, hash } = *note {
            let new = Deal {
                commit: (line, hash),
                secret: false,
                closed: None,
                clients: BTreeMap::new(),
                unbound: Vec::new(),
                opened: BTreeMap::new(),
                missing: Vec::new(),
                revealed: false,
                drawn: false,
                key: None,
            };
            return match self.deals.insert(deal, new) {
                None => Ok(()),
                Some(_) => Err(format!("the server bound itself for deal {deal} twice")),
            };
        }
        let (Note::Secret { deal, .. }
        | Note::Reveal { deal, .. }
        | Note::ClientCommit { deal, .. }
        | Note::Unbound { deal, .. }
        | Note::Open { deal, .. }
        | Note::Missing { deal, .. }) = *note
        else {
            return Ok(());
        };
        if let Note::ClientCommit { seat, .. }
        | Note::Unbound { seat, .. }
        | Note::Open { seat, .. }
        | Note::Missing { seat, .. } = note
            && seat.index() >= seats
        {
            return Err(format!("there is no seat {seat}"));
        }
        let Some(d) = self.deals.get_mut(&deal) else {
            return Err(format!("there is a seed for deal {deal}, for which the server was not bound"));
        };
        match *note {
            Note::Secret { seed, .. } | Note::Reveal { seed, .. }
                if fair::commitment(&seed) != d.commit.1 =>
            {
                Err(format!("the server shows another seed for deal {deal} than it was bound to"))
            }
            Note::Secret { .. } if std::mem::replace(&mut d.secret, true) => {
                Err(format!("the server's seed of deal {deal} is kept twice"))
            }
            Note::Reveal { .. } if std::mem::replace(&mut d.revealed, true) => {
                Err(format!("the server's seed of deal {deal} is shown twice"))
            }
            Note::ClientCommit { seat, .. } | Note::Unbound { seat, .. }
                if d.drawn
                    || *d.closed.get_or_insert(line) != line
                    || d.clients.contains_key(&seat.0)
                    || d.unbound.contains(&seat.0) =>
            {
                Err(format!("it was settled before whether seat {seat} is bound for deal {deal}"))
            }
            Note::ClientCommit { seat, hash, .. } => {
                d.clients.insert(seat.0, hash);
                Ok(())
            }
            Note::Unbound { seat, .. } => {
                d.unbound.push(seat.0);
                Ok(())
            }
            Note::Open { seat, .. } | Note::Missing { seat, .. }
                if d.drawn || d.opened.contains_key(&seat.0) || d.missing.contains(&seat.0) =>
            {
                Err(format!("it was settled before what seat {seat} opens for deal {deal}"))
            }
            Note::Open { seat, seed, .. } if d.clients.get(&seat.0) != Some(&fair::commitment(&seed)) => {
                Err(format!("seat {seat} opened another seed for deal {deal} than it was bound to"))
            }
            Note::Open { seat, seed, .. } => {
                d.opened.insert(seat.0, seed);
                Ok(())
            }
            Note::Missing { seat, .. } if !d.clients.contains_key(&seat.0) => {
                Err(format!("seat {seat} was bound to no seed for deal {deal} that could be missing"))
            }
            Note::Missing { seat, .. } => {
                d.missing.push(seat.0);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What the seeds give for `need`; none if they are not known. With the first draw of a deal it is settled who has no
    /// part in it.
    fn draw(
        &mut self,
        name: &str,
        sitters: &[Sitter],
        need: &Need,
        absent: &mut Vec<Absent>,
    ) -> Result<Option<Draw>, String> {
        if !self.fair {
            return Ok(None);
        }
        let deal = fair::deal(need);
        let Some(d) = self.deals.get_mut(&deal) else {
            return Err(format!("deal {deal} was drawn before the server was bound to a seed"));
        };
        if d.revealed {
            return Err(format!("deal {deal} was drawn from after its seed was shown"));
        }
        if !std::mem::replace(&mut d.drawn, true) {
            for (seat, sitter) in (0..).zip(sitters) {
                let (bound, opened) = (d.clients.contains_key(&seat), d.opened.contains_key(&seat));
                if bound && !opened && !d.missing.contains(&seat) {
                    return Err(format!(
                        "it is not said what became of the seed of seat {seat} for deal {deal}"
                    ));
                }
                let person = sitter.kind == SitterKind::Person;
                let Some(why) = Why::of(bound, opened, d.unbound.contains(&seat), person) else { continue };
                absent.push(Absent { deal, seat: Seat(seat), name: sitter.name.clone(), why });
            }
        }
        let Some(server) = self.servers.get(&deal) else { return Ok(None) };
        let key = d.key.get_or_insert_with(|| {
            let seats = 0..sitters.len() as u8;
            let clients: Vec<_> = seats.map(|seat| d.opened.get(&seat).copied()).collect();
            DealKey::new(name, deal, server, &clients)
        });
        Ok(Some(key.answer(need)))
    }

    /// Deals that were drawn from and never shown.
    fn done(&self) -> Result<Vec<u16>, Wrong> {
        if self.deals.values().any(|d| d.secret)
            && let Some((deal, d)) = self.deals.iter().find(|(_, d)| !d.secret)
        {
            let text = format!("the log keeps the server's seeds, but not that of deal {deal}");
            return Err(Wrong { line: d.commit.0, text });
        }
        Ok(self.deals.iter().filter(|(_, d)| d.drawn && !d.revealed).map(|(deal, _)| *deal).collect())
    }
}
