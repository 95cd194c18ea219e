//! The law kit: one set of tests for every game.
//!
//! [`check`] plays one random match and watches every law at every step. A game's own tests call it for each preset with
//! many seeds. The laws, by the name that a failure carries:
//!
//! | law | what must hold |
//! | --- | --- |
//! | `offered` | a command that a view offers at a time is accepted at that time |
//! | `admitted` | a view admits an act if and only if the truth accepts it |
//! | `closed` | an act that a view says is closed is refused, citing the rules that the view cites |
//! | `refused` | a refusal adds no event, says why in words and, for a well-formed act, cites a rule id |
//! | `silent` | an accepted input gives at least one event |
//! | `fold` | a viewer's view, folded from its notices, equals the view of the truth after every event |
//! | `imagine` | `view(imagine(v)) == v` |
//! | `log` | the events alone, written as JSON and read back, rebuild the match |
//! | `again` | the same inputs give the same events |
//! | `stuck` | a match that is not over waits for chance, a seat or an alarm, and an awaited seat has a command or a clock |
//! | `cards` | cards are conserved |
//! | `answer` | only a proper answer to the need that was stated is accepted |
//! | `ends` | a random match ends within the bound |
//! | `text` | what is offered survives being written as JSON and read back |
//!
//! The kit itself is tested with a toy game into which faults are planted.

use crate::chance::{Chance, Draw, SplitMix};
use crate::{
    Coverage, Game, Input, Millis, Need, Presence, Refusal, Seat, SeatSet, Status, Timing, View, Viewer,
};
use std::fmt;
use std::sync::Arc;

/// Most draws and alarms at one moment: with more the match would never wait for anybody.
const MOST_AT_ONCE: usize = 10_000;

/// How a random match is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of every choice.
    pub seed: u64,
    /// Most inputs before the match must be over.
    pub most_inputs: usize,
    /// Check `imagine` and all offers only at every n-th input (1: always).
    pub every: usize,
    /// One input in so many is a coming or going; 0: nobody comes or goes.
    pub presence: u32,
    /// One step in so many lets the next alarm ring although somebody could act; 0: never.
    pub dawdle: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { seed: 1, most_inputs: 20_000, every: 7, presence: 0, dawdle: 25 }
    }
}

/// A law that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Name of the law.
    pub law: &'static str,
    /// Number of inputs accepted before.
    pub step: usize,
    /// What was seen.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law `{}` broken after {} inputs: {}", self.law, self.step, self.what)
    }
}

impl std::error::Error for Broken {}

/// What a random match came to.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The match at its end.
    pub game: G,
    /// Every accepted input with its time.
    pub inputs: Vec<(Millis, Input<G::Command>)>,
    /// Every event.
    pub events: Vec<G::Event>,
}

/// A choice by chance alone among the commands offered.
pub fn any_command<V: View>(
    _: &V,
    coverage: Coverage<V::Command>,
    chance: &mut SplitMix,
) -> Option<V::Command> {
    let mut commands = coverage.commands;
    (!commands.is_empty()).then(|| commands.swap_remove(chance.below(commands.len() as u32) as usize))
}

/// Plays one random match to its end and checks every law on the way. `choose` picks a command for a seat from its
/// view and what that offers; [`any_command`] will do where chance alone brings a match to its end.
///
/// # Errors
/// The first law that did not hold.
///
/// # Panics
/// If the rules cannot be opened with so many seats.
pub fn check<G: Game>(
    rules: &Arc<G::Rules>,
    seats: u8,
    plan: &Plan,
    choose: &mut impl FnMut(&G::View, Coverage<G::Command>, &mut SplitMix) -> Option<G::Command>,
) -> Result<Played<G>, Broken> {
    let game = G::open(rules.clone(), seats).unwrap_or_else(|r| panic!("{seats} seats: {r}"));
    check_from(game, plan, choose)
}

/// As [`check`], from a position.
///
/// # Errors
/// The first law that did not hold.
pub fn check_from<G: Game>(
    game: G,
    plan: &Plan,
    choose: &mut impl FnMut(&G::View, Coverage<G::Command>, &mut SplitMix) -> Option<G::Command>,
) -> Result<Played<G>, Broken> {
    let mut run = Run::new(game, plan.seed);
    while !matches!(run.game.status(), Status::Over(_)) {
        if run.inputs.len() >= plan.most_inputs {
            return Err(run.broken("ends", format!("not over after {} inputs", plan.most_inputs)));
        }
        run.turn(plan, choose)?;
    }
    run.replayed()?;
    Ok(Played { game: run.game, inputs: run.inputs, events: run.events })
}

/// A match that is watched: whatever comes in goes past the laws. [`check`] drives one by chance; whoever has inputs of
/// their own hands them to [`Run::attempt`].
pub struct Run<G: Game> {
    start: G,
    game: G,
    chance: SplitMix,
    now: Millis,
    folded: Vec<(Viewer, G::View)>,
    census: Vec<u16>,
    away: Vec<bool>,
    gone: Vec<bool>,
    inputs: Vec<(Millis, Input<G::Command>)>,
    events: Vec<G::Event>,
    /// Something offered earlier, tried again later: usually stale by then.
    stale: Option<(Seat, G::Command)>,
}

impl<G: Game> Run<G> {
    /// Watches `game` from here on. `seed` is that of the kit's own choices.
    #[must_use]
    pub fn new(game: G, seed: u64) -> Self {
        let seats = game.seats();
        let viewers = (0..seats).map(|s| Viewer::Seat(Seat(s))).chain([Viewer::Table]);
        Run {
            folded: viewers.map(|who| (who, game.view(who))).collect(),
            census: game.census(),
            start: game.clone(),
            game,
            chance: SplitMix(seed),
            now: Millis(0),
            away: vec![false; usize::from(seats)],
            gone: vec![false; usize::from(seats)],
            inputs: Vec::new(),
            events: Vec::new(),
            stale: None,
        }
    }

    /// The truth now.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Hands in any input at all, at `at` or at the time of the one before if that is later. An accepted one is applied;
    /// gives why a refused one was.
    ///
    /// # Errors
    /// The first law that did not hold.
    pub fn attempt(&mut self, at: Millis, input: Input<G::Command>) -> Result<Result<(), Refusal>, Broken> {
        self.now = self.now.max(at);
        let (mut out, mut again) = (Vec::new(), Vec::new());
        let judged = self.game.decide(self.now, &input, &mut out);
        if self.game.decide(self.now, &input, &mut again) != judged || again != out {
            return Err(self.broken("again", format!("{input:?} was judged in two ways")));
        }
        self.admitted(&input, judged.is_ok())?;
        match judged {
            Ok(()) => self.must_accept("again", input).map(Ok),
            Err(refusal) if !out.is_empty() || refusal.words().len() < 5 => {
                Err(self.broken("refused", format!("{input:?}: {refusal:?}, with {} events", out.len())))
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Answers whatever chance is asked, and rings what is due, until the match waits for a seat or for time.
    ///
    /// # Errors
    /// The first law that did not hold.
    pub fn settle(&mut self) -> Result<(), Broken> {
        for _ in 0..MOST_AT_ONCE {
            if let Status::Chance(need) = self.game.status() {
                let draw = self.chance.answer(&need);
                self.must_accept("answer", Input::Draw(draw))?;
            } else if let Some(alarm) = self.game.alarm().filter(|alarm| alarm.due <= self.now) {
                self.must_accept("stuck", Input::Ring(alarm.id))?;
            } else {
                return Ok(());
            }
        }
        Err(self.broken("stuck", format!("chance and alarms go on for ever at {} ms", self.now.0)))
    }

    /// A view knows whether its seat's act is accepted.
    fn admitted(&self, input: &Input<G::Command>, accepted: bool) -> Result<(), Broken> {
        let Input::Play(seat, command, _) = input else { return Ok(()) };
        if seat.0 >= self.game.seats() {
            return Ok(());
        }
        match self.game.view(Viewer::Seat(*seat)).admits(self.now, command) {
            Some(admitted) if admitted != accepted => {
                let what = format!("seat {seat}: {command:?}: admitted {admitted}, accepted {accepted}");
                Err(self.broken("admitted", what))
            }
            _ => Ok(()),
        }
    }

    /// What a view says is closed is refused for that reason, by those rules and what else forbids the act itself.
    fn closed(&self, seat: Seat, view: &G::View) -> Result<(), Broken> {
        for (command, said) in view.closed(self.now) {
            let input = Input::Play(seat, command, Timing::at(self.now));
            let told = self.game.decide(self.now, &input, &mut Vec::new());
            let as_said =
                |told: &Refusal| told.say == said.say && said.rules.iter().all(|rule| told.cites(rule));
            if !told.as_ref().is_err_and(as_said) {
                let what = format!("{input:?} is said to be refused: {said}; the truth says {told:?}");
                return Err(self.broken("closed", what));
            }
        }
        Ok(())
    }

    fn broken(&self, law: &'static str, what: impl Into<String>) -> Broken {
        Broken { law, step: self.inputs.len(), what: what.into() }
    }

    /// One input: chance, an alarm, somebody coming or going, or a command.
    fn turn(
        &mut self,
        plan: &Plan,
        choose: &mut impl FnMut(&G::View, Coverage<G::Command>, &mut SplitMix) -> Option<G::Command>,
    ) -> Result<(), Broken> {
        let waiting = match self.game.status() {
            Status::Over(_) => return Ok(()),
            // People come and go while chance is asked, too.
            Status::Chance(_) if plan.presence > 0 && self.chance.below(plan.presence) == 0 => {
                return self.come_or_go();
            }
            Status::Chance(need) => return self.answer(&need),
            Status::Seats(seats) => seats,
        };
        self.must_refuse("answer", &Input::Draw(Draw::Pick(0)))?;
        self.now = self.now.after(self.chance.below(400));
        if let Some(alarm) = self.game.alarm()
            && self.now >= alarm.due
        {
            return self.must_accept("stuck", Input::Ring(alarm.id));
        }
        if plan.presence > 0 && self.chance.below(plan.presence) == 0 {
            return self.come_or_go();
        }
        let thorough = self.inputs.len().is_multiple_of(plan.every);
        if thorough {
            self.imagined()?;
            self.nobody_is_stuck(waiting)?;
        }
        self.stale_or_foreign()?;
        let mut seats: Vec<Seat> = (0..self.game.seats()).map(Seat).collect();
        self.chance.shuffle(&mut seats);
        // Awaited seats first: a race lets everybody act at any time, a turn only one.
        seats.sort_by_key(|&s| !waiting.has(s));
        let dawdles = plan.dawdle > 0 && self.game.alarm().is_some() && self.chance.below(plan.dawdle) == 0;
        for seat in seats {
            if dawdles {
                break;
            }
            let view = self.game.view(Viewer::Seat(seat));
            let coverage = view.commands(self.now);
            if thorough {
                self.closed(seat, &view)?;
                self.all_accepted(seat, &coverage.commands)?;
            }
            if let Some(command) = choose(&view, coverage, &mut self.chance) {
                if self.chance.below(4) == 0 {
                    self.stale = Some((seat, command.clone()));
                }
                return self.must_accept("offered", Input::Play(seat, command, Timing::at(self.now)));
            }
        }
        self.nobody_acts(waiting)
    }

    /// Chance answers, after an improper answer was refused.
    fn answer(&mut self, need: &Need) -> Result<(), Broken> {
        let improper = match self.chance.answer(need) {
            Draw::Pick(_) | Draw::Noise(_) => Draw::Order(vec![0, 0]),
            Draw::Order(_) => Draw::Pick(0),
        };
        self.must_refuse("answer", &Input::Draw(improper))?;
        let draw = self.chance.answer(need);
        self.must_accept("answer", Input::Draw(draw))
    }

    /// Whoever is awaited can do something, or a clock runs.
    fn nobody_is_stuck(&self, waiting: SeatSet) -> Result<(), Broken> {
        for seat in waiting.iter() {
            let view = self.game.view(Viewer::Seat(seat));
            if view.awaited() && self.game.alarm().is_none() && view.commands(self.now).commands.is_empty() {
                let what = format!("seat {seat} is awaited, has no command and no clock");
                return Err(self.broken("stuck", what));
            }
        }
        Ok(())
    }

    /// Each command that a view offers is read as it is written, and would be accepted.
    fn all_accepted(&self, seat: Seat, commands: &[G::Command]) -> Result<(), Broken> {
        for command in commands {
            let text = serde_json_round_trip(command);
            if text.as_ref() != Ok(command) {
                return Err(self.broken("text", format!("{command:?} reads back as {text:?}")));
            }
            let mut out = Vec::new();
            let input = Input::Play(seat, command.clone(), Timing::at(self.now));
            if let Err(refusal) = self.game.decide(self.now, &input, &mut out) {
                let what = format!("seat {seat}: {command:?} was refused: {refusal}");
                return Err(self.broken("offered", what));
            }
        }
        Ok(())
    }

    /// Everybody declined to act: the clock runs out, or else any command at all is looked for.
    fn nobody_acts(&mut self, waiting: SeatSet) -> Result<(), Broken> {
        if let Some(alarm) = self.game.alarm() {
            self.now = self.now.max(alarm.due);
            return self.must_accept("stuck", Input::Ring(alarm.id));
        }
        let any = waiting.iter().find_map(|seat| {
            let view = self.game.view(Viewer::Seat(seat));
            any_command(&view, view.commands(self.now), &mut self.chance).map(|c| (seat, c))
        });
        let Some((seat, command)) = any else {
            let what = format!("waits for {waiting:?}, who can do nothing; no alarm");
            return Err(self.broken("stuck", what));
        };
        self.must_accept("offered", Input::Play(seat, command, Timing::at(self.now)))
    }

    fn come_or_go(&mut self) -> Result<(), Broken> {
        let seat = Seat(self.chance.below(u32::from(self.game.seats())) as u8);
        let at = seat.index();
        let leaves = self.chance.below(10) == 0;
        let presence = match (self.gone[at], self.away[at]) {
            (true, _) => Presence::Joined,
            (false, true) if leaves => Presence::Left,
            (false, true) => Presence::Back,
            (false, false) if leaves => Presence::Left,
            (false, false) => Presence::Dropped,
        };
        let mut out = Vec::new();
        let input = Input::Presence(seat, presence);
        // Whether a seat may be joined in mid-match is the game's to say.
        if self.game.decide(self.now, &input, &mut out).is_ok() {
            self.gone[at] = presence == Presence::Left;
            self.away[at] = presence == Presence::Dropped;
            self.must_accept("offered", input)?;
        }
        Ok(())
    }

    /// A command of another moment or another seat: it may be fine by chance, but a refusal must be a proper one.
    fn stale_or_foreign(&mut self) -> Result<(), Broken> {
        let Some((seat, command)) = self.stale.take() else { return Ok(()) };
        let foreign = seat.step(1 + self.chance.below(3) as i32, self.game.seats());
        for who in [seat, foreign] {
            self.proper(&Input::Play(who, command.clone(), Timing::at(self.now)))?;
        }
        self.proper(&Input::Ring(u32::MAX)).map(|_| ())
    }

    /// If `input` is refused, then properly.
    fn proper(&self, input: &Input<G::Command>) -> Result<bool, Broken> {
        let mut out = Vec::new();
        let judged = self.game.decide(self.now, input, &mut out);
        if judged.is_err() || !out.is_empty() {
            self.admitted(input, judged.is_ok())?;
        }
        match judged {
            Ok(()) if out.is_empty() => {
                Err(self.broken("silent", format!("{input:?} was accepted without an event")))
            }
            Ok(()) => Ok(true),
            Err(refusal) => {
                let uncited = matches!(input, Input::Play(..)) && refusal.rules.is_empty();
                if !out.is_empty() || uncited || refusal.words().len() < 5 {
                    let what = format!("{input:?}: {refusal:?}, with {} events", out.len());
                    return Err(self.broken("refused", what));
                }
                Ok(false)
            }
        }
    }

    fn must_refuse(&self, law: &'static str, input: &Input<G::Command>) -> Result<(), Broken> {
        match self.proper(input)? {
            true => Err(self.broken(law, format!("{input:?} was accepted"))),
            false => Ok(()),
        }
    }

    fn must_accept(&mut self, law: &'static str, input: Input<G::Command>) -> Result<(), Broken> {
        let mut out = Vec::new();
        if let Err(refusal) = self.game.decide(self.now, &input, &mut out) {
            return Err(self.broken(law, format!("{input:?} was refused: {refusal}")));
        }
        if out.is_empty() {
            return Err(self.broken("silent", format!("{input:?} was accepted without an event")));
        }
        self.admitted(&input, true)?;
        for event in &out {
            for (who, view) in &mut self.folded {
                if let Some(notice) = self.game.notice(event, *who) {
                    view.observe(&notice);
                }
            }
            self.game.evolve(event);
            for (who, view) in &self.folded {
                let truth = self.game.view(*who);
                if *view != truth {
                    let what = format!(
                        "{who:?} after {event:?}:\n folded {view:?}\n truth  {truth:?}\n{}",
                        differ(view, &truth)
                    );
                    return Err(self.broken("fold", what));
                }
            }
        }
        let census = self.game.census();
        if !self.census.is_empty() && census != self.census {
            return Err(self.broken("cards", format!("{input:?} led from {:?} to {census:?}", self.census)));
        }
        self.census = census;
        self.inputs.push((self.now, input));
        self.events.append(&mut out);
        Ok(())
    }

    fn imagined(&mut self) -> Result<(), Broken> {
        for (who, view) in &self.folded {
            let imagined = G::imagine(view, &mut self.chance).view(*who);
            if imagined != *view {
                let what =
                    format!("{who:?}:\n view {view:?}\n imagined {imagined:?}\n{}", differ(view, &imagined));
                return Err(self.broken("imagine", what));
            }
        }
        Ok(())
    }

    /// The log alone rebuilds the match, and the inputs give the same log again.
    ///
    /// # Errors
    /// The first law that did not hold.
    pub fn replayed(&self) -> Result<(), Broken> {
        let mut by_log = self.start.clone();
        for event in &self.events {
            match serde_json_round_trip(event) {
                Ok(read) if read == *event => by_log.evolve(&read),
                other => return Err(self.broken("log", format!("{event:?} reads back as {other:?}"))),
            }
        }
        for (who, view) in &self.folded {
            if by_log.view(*who) != *view {
                return Err(self.broken("log", format!("{who:?} sees another match after a replay")));
            }
        }
        if by_log.status() != self.game.status() || by_log.census() != self.census {
            return Err(self.broken("log", "another state after a replay"));
        }
        let (mut again, mut events) = (self.start.clone(), Vec::new());
        for (at, input) in &self.inputs {
            if let Err(refusal) = crate::step(&mut again, *at, input, &mut events) {
                return Err(self.broken("again", format!("{input:?} was refused the second time: {refusal}")));
            }
        }
        if events != self.events {
            return Err(self.broken("again", "the same inputs gave other events"));
        }
        Ok(())
    }
}

fn serde_json_round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> Result<T, String> {
    let text = serde_json::to_string(value).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| format!("{e} in {text}"))
}

/// Where two values that should be equal begin to differ, for the eye.
fn differ(left: &impl fmt::Debug, right: &impl fmt::Debug) -> String {
    let (left, right) = (format!("{left:?}"), format!("{right:?}"));
    let at = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let from = (at.saturating_sub(60)..=at).find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text[from..].chars().take(160).collect::<String>()
    };
    format!(" first difference: …{}…\n             against: …{}…", around(&left), around(&right))
}

#[cfg(test)]
mod tests;
