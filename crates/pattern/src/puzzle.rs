//! The puzzle (M5): a fixed layout, all of whose Sets are to be found (DAILY-1 to DAILY-6).
//!
//! The layout is made by chance: the deck is shuffled again and again until its first cards hold exactly as many Sets as
//! the rules say (about 43 times for six in twelve). Nothing is removed, so everything on the table is public.

use crate::claim::Claim;
use crate::command::Command;
use crate::company::{Best, Cause, Company, DealEnd, Happening, Stage};
use crate::finder::{Kind, Open, PointSet};
use crate::paper::{Checked, Paper, Statement, opened, same};
use crate::race::Finding;
use crate::rules::{Hints, Rules};
use crate::written::Setup;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{
    Alarm, Chance, Coverage, Draw, Game, Input, Millis, Outcome, Presence, Refusal, Seat, SeatSet, Status,
    Viewer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What everybody may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleState")]
pub struct State {
    /// The player, and how far the match is.
    pub company: Company,
    /// The layout.
    pub layout: Vec<Point>,
    /// How many claims it holds.
    pub total: u16,
    /// Those found so far, in order; each canonical.
    pub found: Vec<Claim>,
    /// Wrong claims (DAILY-2).
    pub errors: u16,
    /// The last claim and how it was judged.
    pub last: Option<(Claim, Finding)>,
    /// Cards that hints have shown since the last find.
    pub hints: Vec<Point>,
    /// When the layout was first shown: the clock runs from there (DAILY-3).
    pub started_at: Millis,
    /// When the last claim was found, or the game ended without.
    pub ended_at: Option<Millis>,
    /// What was not found; empty before the end (DAILY-6).
    pub missed: Vec<Claim>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleEvent")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something about the table rather than the cards.
    Table(Happening),
    /// A shuffle did not give the number of Sets that is wanted; nobody learns of it.
    Discarded {
        /// Which shuffle, from 0.
        nth: u16,
    },
    /// The layout.
    Shown {
        /// When.
        at: Millis,
        /// Its cards.
        layout: Vec<Point>,
        /// How many claims it holds.
        total: u16,
    },
    /// A claim was judged.
    Judged {
        /// When.
        at: Millis,
        /// The claim, canonical if it is right.
        claim: Claim,
        /// How.
        finding: Finding,
    },
    /// A claim that was found before; it changes nothing.
    Repeated {
        /// When.
        at: Millis,
        /// The claim.
        claim: Claim,
    },
    /// A hint.
    Hinted {
        /// When.
        at: Millis,
        /// A card of a claim that is still to be found.
        card: Point,
        /// What it does to the score.
        points: i32,
    },
    /// The solution, once the game is over: what was not found.
    Solved {
        /// When.
        at: Millis,
        /// The claims.
        missed: Vec<Claim>,
    },
}

/// What a viewer learns.
pub type Notice = Event;

/// What a viewer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PuzzleView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table.
    pub state: State,
}

/// The truth.
#[derive(Clone, Debug)]
pub struct Puzzle {
    rules: Arc<Rules>,
    state: State,
    /// Shuffles that were discarded.
    shuffles: u16,
    /// The slots of a written position.
    slots: Vec<Option<Point>>,
}

/// Groups ascending, and cards ascending in each, pairs found.
fn canonical(kind: Kind, open: &Open, claim: &Claim) -> Claim {
    let named = PointSet::of(claim.cards());
    let sorted = |claim: &Claim| {
        let mut groups: Vec<Vec<Point>> = claim.groups().map(<[Point]>::to_vec).collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort();
        groups
    };
    // The list is in canonical order already; what is looked for is the member with the same groups.
    let wanted = sorted(claim);
    let within = Open::layout(open.all().and(&named).iter().map(|card| (0, card)));
    kind.list(&within, usize::MAX).into_iter().find(|c| sorted(c) == wanted).unwrap_or_else(|| claim.clone())
}

impl State {
    fn new(company: Company) -> State {
        State {
            company,
            layout: Vec::new(),
            total: 0,
            found: Vec::new(),
            errors: 0,
            last: None,
            hints: Vec::new(),
            started_at: Millis(0),
            ended_at: None,
            missed: Vec::new(),
        }
    }

    fn open(&self) -> Open {
        Open::layout(self.layout.iter().map(|&card| (0, card)))
    }

    /// Milliseconds from the first display to the end, or to `at` while it runs (DAILY-3).
    #[must_use]
    pub fn elapsed(&self, at: Millis) -> u32 {
        self.ended_at.unwrap_or(at).since(self.started_at)
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Table(ref happening) => {
                self.company.apply(happening);
                match *happening {
                    Happening::DealOver { at, .. } => self.ended_at = Some(at),
                    Happening::Begun => *self = State::new(self.company.clone()),
                    _ => {}
                }
            }
            Event::Discarded { .. } => {}
            Event::Shown { at, ref layout, total } => {
                self.company.stage = Stage::Playing;
                self.company.acted_at = at;
                self.layout.clone_from(layout);
                self.total = total;
                self.started_at = at;
            }
            Event::Judged { at, ref claim, finding } => {
                self.company.acted_at = at;
                self.last = Some((claim.clone(), finding));
                if finding.right() {
                    self.found.push(claim.clone());
                    self.hints.clear();
                    self.score(1);
                } else {
                    self.errors += 1;
                }
            }
            Event::Repeated { at, .. } => self.company.acted_at = at,
            Event::Hinted { at, card, points } => {
                self.company.acted_at = at;
                self.hints.push(card);
                self.score(points);
            }
            Event::Solved { ref missed, .. } => self.missed.clone_from(missed),
        }
    }

    fn score(&mut self, points: i32) {
        let member = &mut self.company.players[0];
        member.score += points;
        member.points += points;
    }
}

impl Puzzle {
    fn bell(&self) -> Option<(Alarm, Cause)> {
        self.state.company.alarms(&self.rules).min().map(|(due, cause)| {
            let kind = match cause {
                Cause::Grace(_) => 0,
                Cause::Next => 1,
                Cause::Abandon => 2,
            };
            (Alarm { id: due.0.wrapping_mul(16) | kind, due }, cause)
        })
    }

    /// The claims that are still to be found, in canonical order.
    fn unfound(&self) -> Vec<Claim> {
        let mut all = Kind::from(&*self.rules).list(&self.state.open(), usize::MAX);
        all.retain(|claim| !self.state.found.contains(claim));
        all
    }

    fn phase(&self) -> &'static str {
        match self.state.company.stage {
            Stage::Choosing | Stage::Shuffling | Stage::Between => "dealing",
            Stage::Playing => "open",
            Stage::Over => "over",
        }
    }

    /// How the game ends: won if everything was found.
    fn ending(&self, at: Millis, why: DealEnd) -> Vec<Event> {
        let mut events = vec![Event::Table(Happening::DealOver { at, why })];
        let missed = self.unfound();
        if !missed.is_empty() {
            events.push(Event::Solved { at, missed });
        }
        let finished = why == DealEnd::Finished;
        let mut outcome = self.state.company.outcome(Best::Highest, finished);
        if !finished {
            outcome.winners = SeatSet::NONE;
        }
        events.push(Event::Table(Happening::Ended { at, outcome }));
        events
    }

    fn play(&self, at: Millis, seat: Seat, command: &Command) -> Result<Vec<Event>, Refusal> {
        let state = &self.state;
        state.company.may_act(seat, "DAILY-3")?;
        if state.company.stage != Stage::Playing {
            return Err(Refusal::new(&["DAILY-1", "CORE-3"], "the layout is not there yet"));
        }
        match command {
            Command::Claim { leaves: Some(_), .. } => {
                Err(Refusal::new(&["DAILY-2", "Q-01"], "in a puzzle no card leaves the layout"))
            }
            Command::Claim { groups, leaves: None } => self.claim(at, groups),
            Command::GiveUp => Ok(self.ending(at, DealEnd::GaveUp)),
            Command::Hint => self.hint(at),
            _ => Err(Refusal::new(
                &["DAILY-1", "DAILY-2", "4.1"],
                "in a puzzle a player claims Sets, and nothing else",
            )),
        }
    }

    fn claim(&self, at: Millis, claim: &Claim) -> Result<Vec<Event>, Refusal> {
        let (kind, open) = (Kind::from(&*self.rules), self.state.open());
        let judged = kind.judge(&open, claim).map_err(|mut refusal| {
            refusal.rules.insert(0, "DAILY-1".into());
            refusal
        })?;
        if !judged.finding.right() {
            return Ok(vec![Event::Judged { at, claim: claim.clone(), finding: judged.finding }]);
        }
        let claim = canonical(kind, &open, &judged.claim);
        if self.state.found.contains(&claim) {
            return Ok(vec![Event::Repeated { at, claim }]);
        }
        let event = Event::Judged { at, claim, finding: judged.finding };
        let mut events = vec![event.clone()];
        if self.state.found.len() + 1 == usize::from(self.state.total) {
            let mut after = self.clone();
            after.evolve(&event);
            events.extend(after.ending(at, DealEnd::Finished));
        }
        Ok(events)
    }

    fn hint(&self, at: Millis) -> Result<Vec<Event>, Refusal> {
        let points = match self.rules.hints {
            Hints::Off => return Err(Refusal::new(&["A-50"], "hints are off at this table")),
            Hints::CostPoint => -1,
            Hints::Free => 0,
        };
        let unfound = self.unfound();
        let first =
            unfound.first().and_then(|claim| claim.cards().iter().find(|c| !self.state.hints.contains(c)));
        match first {
            Some(&card) => Ok(vec![Event::Hinted { at, card, points }]),
            None => Err(Refusal::new(&["A-50"], "all cards of a Set are shown already")),
        }
    }

    fn draw(&self, at: Millis, draw: &Draw) -> Result<Vec<Event>, Refusal> {
        let Status::Chance(need) = self.status() else { return Err("nothing is drawn now".into()) };
        let Draw::Order(order) = draw else { return Err("the deck is to be shuffled".into()) };
        if !draw.answers(&need) {
            return Err("this is no order of the deck".into());
        }
        let deck: Vec<Point> = self.rules.cards().collect();
        let layout: Vec<Point> =
            order.iter().take(usize::from(self.rules.base)).map(|&i| deck[usize::from(i)]).collect();
        let open = Open::layout(layout.iter().map(|&card| (0, card)));
        let total = Kind::from(&*self.rules).count(&open);
        if total == u64::from(self.rules.puzzle_sets) {
            Ok(vec![Event::Shown { at, layout, total: total as u16 }])
        } else {
            Ok(vec![Event::Discarded { nth: self.shuffles }])
        }
    }

    fn presence(&self, at: Millis, seat: Seat, presence: Presence) -> Result<Vec<Event>, Refusal> {
        let happening = self.state.company.presence(&self.rules, at, seat, presence)?;
        let leaves = matches!(happening, Happening::Retired { .. });
        let event = Event::Table(happening);
        if !leaves {
            return Ok(vec![event]);
        }
        let mut after = self.clone();
        after.evolve(&event);
        let mut events = vec![event];
        events.extend(after.ending(at, DealEnd::TooFew));
        Ok(events)
    }
}

impl Game for Puzzle {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        if let Some(fault) = rules.check(seats).into_iter().next() {
            return Err(fault.into());
        }
        let state = State::new(Company::new(seats));
        Ok(Puzzle { rules, state, shuffles: 0, slots: Vec::new() })
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.company.seats()
    }

    fn status(&self) -> Status {
        let common = self.state.company.status(self.rules.deck.size() as u16, self.shuffles);
        common.unwrap_or(Status::Seats(SeatSet::one(Seat(0))))
    }

    fn alarm(&self) -> Option<Alarm> {
        if matches!(self.status(), Status::Chance(_)) {
            return None;
        }
        self.bell().map(|(alarm, _)| alarm)
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let events = match input {
            Input::Play(seat, command, _) => self.play(at, *seat, command),
            Input::Draw(draw) => self.draw(at, draw),
            Input::Ring(id) => match self.bell().filter(|(alarm, _)| alarm.id == *id && alarm.due <= at) {
                Some((_, Cause::Grace(seat))) => self.presence(at, seat, Presence::Left),
                Some((_, Cause::Abandon)) => Ok(self.ending(at, DealEnd::Abandoned)),
                Some((_, Cause::Next)) | None => Err("this alarm is not due".into()),
            },
            Input::Presence(seat, presence) => self.presence(at, *seat, *presence),
        }?;
        out.extend(events);
        Ok(())
    }

    fn evolve(&mut self, event: &Event) {
        match event {
            Event::Discarded { nth } => self.shuffles = nth + 1,
            Event::Shown { layout, .. } => self.slots = layout.iter().map(|&card| Some(card)).collect(),
            _ => {}
        }
        self.state.apply(event);
    }

    fn view(&self, who: Viewer) -> View {
        View { who, rules: self.rules.clone(), state: self.state.clone() }
    }

    fn notice(&self, event: &Event, _: Viewer) -> Option<Notice> {
        (!matches!(event, Event::Discarded { .. })).then(|| event.clone())
    }

    fn imagine(view: &View, _: &mut impl Chance) -> Self {
        let slots = view.state.layout.iter().map(|&card| Some(card)).collect();
        Puzzle { rules: view.rules.clone(), state: view.state.clone(), shuffles: 0, slots }
    }

    fn census(&self) -> Vec<u16> {
        // The deck is whole before and after the layout is shown, which never loses a card.
        let mut census = vec![0; self.rules.deck.points()];
        let shown = PointSet::of(&self.state.layout);
        let rest = self.rules.cards().filter(|&card| !shown.has(card));
        rest.chain(self.state.layout.iter().copied()).for_each(|card| census[usize::from(card.0)] += 1);
        census
    }
}

impl Written for Puzzle {
    type Setup = Setup;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut puzzle = Puzzle::open(rules, seats).map_err(|refusal| vec![refusal.to_string()])?;
        let mut faults = Vec::new();
        puzzle.state.company = opened(seats, opening, &mut faults);
        if faults.is_empty() { Ok(puzzle) } else { Err(faults) }
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Setup) -> Result<Self, Vec<String>> {
        let mut puzzle = Puzzle::open(rules.clone(), seats).map_err(|refusal| vec![refusal.to_string()])?;
        let mut paper = Paper::new(&rules);
        let company = paper.company(seats, opening, &setup);
        let slots = paper.slots(setup.board.as_deref().unwrap_or_default());
        paper.refuse(&[
            ("hands", setup.hands.iter().any(|hand| !hand.trim().is_empty())),
            ("previous", setup.previous.iter().any(|set| !set.trim().is_empty())),
            ("heap", setup.heap.is_some()),
            ("discard", setup.discard.is_some()),
            ("turn", setup.turn.is_some_and(|turn| turn > 0)),
        ]);
        if let Some(phase) = setup.phase.as_deref().filter(|&phase| phase != "open") {
            paper.faults.push(format!("phase: `{phase}` is none of this game: leave it out"));
        }
        let layout: Vec<Point> = slots.iter().flatten().copied().collect();
        let open = Open::layout(layout.iter().map(|&card| (0, card)));
        let total = Kind::from(&*rules).count(&open);
        if total == 0 {
            paper.faults.push("board: it holds no Set, so there is nothing to find".into());
        }
        if !paper.faults.is_empty() {
            return Err(paper.faults);
        }
        puzzle.state.company = company;
        puzzle.state.layout = layout;
        puzzle.state.total = u16::try_from(total).unwrap_or(u16::MAX);
        puzzle.slots = slots;
        Ok(puzzle)
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|fault| {
            let rules: &[_] = if text.trim_start().starts_with("claim") { &["DAILY-1", "Q-01"] } else { &[] };
            Refusal::new(rules, fault)
        })
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        let deck = self.rules.deck;
        match event {
            Event::Table(happening) => Company::write(happening),
            Event::Discarded { .. } => "shuffled again".into(),
            Event::Shown { layout, total, .. } => format!("{total} to be found in {}", deck.text_all(layout)),
            Event::Judged { claim, finding, .. } => {
                format!("0 claim {}: {}", claim.text(deck), if finding.right() { "right" } else { "wrong" })
            }
            Event::Repeated { claim, .. } => format!("0 claim {}: found before", claim.text(deck)),
            Event::Hinted { card, .. } => format!("hint: {}", deck.text(*card)),
            Event::Solved { missed, .. } => {
                let missed: Vec<String> = missed.iter().map(|claim| claim.text(deck)).collect();
                format!("not found: {}", missed.join(", "))
            }
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let it = Statement::read(self.rules.deck, statement);
        let state = &self.state;
        if let Some(checked) = it.about_company(&state.company, self.phase()) {
            return checked;
        }
        let lost = state.company.stage == Stage::Over && state.found.len() < usize::from(state.total);
        let checked: Checked = match (it.word, it.negated) {
            ("errors", false) => {
                it.the_seat(1)?;
                same(it.rest.into(), state.errors.to_string())
            }
            ("turn", false) => same(it.rest.into(), "0".into()),
            ("await", false) => it.seat_set(self.undecided()),
            ("board", false) => it.multiset(state.layout.iter().copied()),
            ("slots", false) => it.slots(&self.slots),
            ("stock", false) => it.pile(&[]),
            ("heap" | "discard" | "hand", false) => it.multiset([]),
            ("locked" | "frozen", _) => it.holds(it.the_seat(1)?, false),
            ("lost", _) => {
                let say = |lost: bool| if lost { "lost" } else { "not lost" }.to_string();
                same(say(!it.negated), say(lost))
            }
            _ => it.unknown(),
        };
        checked
    }

    fn undecided(&self) -> SeatSet {
        match self.status() {
            Status::Seats(seats) => seats,
            _ => SeatSet::NONE,
        }
    }

    fn turn_order(&self) -> Vec<Seat> {
        vec![Seat(0)]
    }

    fn position(&self) -> String {
        let (deck, state) = (self.rules.deck, &self.state);
        format!(
            "phase {} · found {} of {} · errors {}\nboard {}",
            self.phase(),
            state.found.len(),
            state.total,
            state.errors,
            deck.text_all(&state.layout)
        )
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        self.state.apply(notice);
    }

    fn commands(&self, _: Millis) -> Coverage<Command> {
        let state = &self.state;
        let mut commands = Vec::new();
        if let Viewer::Seat(seat) = self.who
            && state.company.stage == Stage::Playing
            && state.company.acts(seat)
        {
            let all = Kind::from(&*self.rules).list(&state.open(), usize::MAX);
            let unfound = all.into_iter().filter(|claim| !state.found.contains(claim));
            commands.extend(unfound.map(Command::claim));
            commands.push(Command::GiveUp);
        }
        // Wrong claims are legal, too.
        Coverage { complete: commands.is_empty(), commands }
    }

    fn awaited(&self) -> bool {
        self.who.is(Seat(0)) && self.state.company.stage == Stage::Playing
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.company.outcome.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Deals, Mechanism, Players};
    use cards::Deck;
    use game::laws::{Plan, any_command, check};

    #[test]
    fn the_laws_hold() {
        let daily = Rules {
            mechanism: Mechanism::Puzzle,
            players: Players { min: 1, max: 1 },
            deals: Deals::Count(1),
            ..Rules::default()
        };
        let basic = Rules { deck: Deck::D27, base: 9, puzzle_sets: 4, ..daily.clone() };
        for (rules, most) in [(daily, 6), (basic, 4)] {
            let rules = Arc::new(rules);
            for seed in 0..6 {
                let plan = Plan { seed, presence: if seed % 2 == 0 { 0 } else { 60 }, ..Plan::default() };
                match check::<Puzzle>(&rules, 1, &plan, &mut any_command) {
                    Err(broken) => panic!("seed {seed}: {broken}"),
                    Ok(played) => {
                        assert_eq!(played.game.state.total, most);
                        let found = played.game.state.found.len() + played.game.state.missed.len();
                        assert_eq!(found, usize::from(most));
                    }
                }
            }
        }
    }
}
