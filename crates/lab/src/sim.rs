//! Simulation: many deals of a game through the real engine, and what came of them.
//!
//! Everything is counted in whole numbers and merged in the order of the deals, so a seed gives the same answer on any number
//! of threads.

use crate::matches::{Unfinished, draw, seed_of};
use crate::stats::Sums;
use cards::Point;
use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Seat, Status, Timing};
use pattern::race::{self, Phase, Race, Why};
use pattern::rules::{Deals, Entry, HandVisibility, Lockout, Mechanism, NoClaim, Removed, Sources, Tie};
use pattern::{Claim, Command, Event, Match, Rules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which claim is taken where there are several. What is left over, and so the odds in play, depends on it (pattern rulebook, 5.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choose {
    /// Any of them, each equally likely.
    #[default]
    Random,
    /// The first that is found by looking through the cards in the order in which they were laid.
    First,
}

impl std::str::FromStr for Choose {
    type Err = String;
    fn from_str(text: &str) -> Result<Choose, String> {
        match text {
            "random" => Ok(Choose::Random),
            "first" => Ok(Choose::First),
            _ => Err(format!("`{text}` is no way to choose: random or first")),
        }
    }
}

/// How many layouts held a claim, and how many held none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SomeNone {
    /// With a claim.
    pub some: u64,
    /// Without.
    pub none: u64,
}

impl SomeNone {
    fn add(&mut self, some: bool) {
        *(if some { &mut self.some } else { &mut self.none }) += 1;
    }
}

/// What came of some deals of a pattern game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternTally {
    /// Deals played.
    pub deals: u64,
    /// Right claims of a deal.
    pub claims: Sums,
    /// Extra deals of a deal (CORE-18).
    pub extra_deals: Sums,
    /// Deals with an extra deal.
    pub extended: u64,
    /// Deals by the cards that were left on the table.
    pub left: BTreeMap<usize, u64>,
    /// Layouts by their size, while stock remained.
    pub by_layout: BTreeMap<usize, SomeNone>,
    /// Layouts of the usual size by the claims made before, while stock remained.
    pub by_stage: BTreeMap<u64, SomeNone>,
    /// Deals by the most cards that lay on the table.
    pub most: BTreeMap<usize, u64>,
    /// Points of each seat.
    pub points: Vec<Sums>,
    /// Solo games lost (SOLO-2).
    pub lost: u64,
    /// Inputs accepted.
    pub inputs: u64,
}

impl PatternTally {
    /// Takes in what another has counted.
    pub fn merge(&mut self, other: &PatternTally) {
        self.deals += other.deals;
        self.claims.merge(&other.claims);
        self.extra_deals.merge(&other.extra_deals);
        self.extended += other.extended;
        for (ours, theirs) in [(&mut self.left, &other.left), (&mut self.most, &other.most)] {
            for (&size, n) in theirs {
                *ours.entry(size).or_default() += n;
            }
        }
        for (&size, n) in &other.by_layout {
            let ours = self.by_layout.entry(size).or_default();
            ours.some += n.some;
            ours.none += n.none;
        }
        for (&stage, n) in &other.by_stage {
            let ours = self.by_stage.entry(stage).or_default();
            ours.some += n.some;
            ours.none += n.none;
        }
        self.points.resize(self.points.len().max(other.points.len()), Sums::default());
        for (ours, theirs) in self.points.iter_mut().zip(&other.points) {
            ours.merge(theirs);
        }
        self.lost += other.lost;
        self.inputs += other.inputs;
    }
}

/// The fewest that can play a game. Races can be played alone for practice.
#[must_use]
pub fn fewest(loaded: &rulebook::Loaded) -> u8 {
    let alone = loaded.rules(1).is_ok_and(|rules| matches!(&*rules, rulebook::Rules::Pattern(_)));
    if alone { 1 } else { loaded.info.players_min }
}

/// The rules as they are simulated: one deal, claims by tap, extra deals by the server, no waiting. What the rulebook
/// forbids to be automatic (private hands) stays by agreement.
#[must_use]
pub fn without_waiting(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    rules.deals = Deals::Count(1);
    rules.entry = Entry::Tap;
    rules.tie = Tie::First;
    rules.settle_ms = 0;
    rules.lockout_s = Some(Lockout::Seconds(0));
    rules.deal_style = pattern::rules::DealStyle::AtOnce;
    rules.show_missed = pattern::rules::ShowMissed::Never;
    if !(rules.sources == Sources::Hand && rules.hand_visibility == HandVisibility::Private) {
        rules.no_claim = NoClaim::Auto;
    }
    rules
}

/// Inputs after which a deal is given up as endless.
const MOST: u64 = 20_000;

/// Plays one deal of a race: whoever can claim does, a random seat first; where nobody can, all agree.
///
/// # Errors
/// If the rules refuse so many seats, or the deal does not end.
pub fn race_deal(
    rules: &Arc<Rules>,
    seats: u8,
    choose: Choose,
    seed: u64,
    tally: &mut PatternTally,
) -> Result<(), Unfinished> {
    let unfinished = |what: String| Unfinished { what };
    if !matches!(rules.mechanism, Mechanism::Race | Mechanism::Scout) {
        return Err(unfinished("this game is no race".to_owned()));
    }
    let mut race = Race::open(rules.clone(), seats).map_err(|r| unfinished(r.to_string()))?;
    let mut chance = SplitMix(seed_of(seed, 1));
    let usual = usize::from(rules.base) * usize::from(rules.zones);
    let (mut now, mut events): (Millis, Vec<race::Event>) = (Millis(0), Vec::new());
    let (mut claims, mut extras, mut most) = (0i64, 0i64, 0);
    let mut order = Order::default();
    for input_number in 0..MOST {
        let input = match race.status() {
            Status::Over(outcome) => {
                tally.deals += 1;
                tally.claims.add(claims);
                tally.extra_deals.add(extras);
                tally.extended += u64::from(extras > 0);
                *tally.left.entry(race.state().board.len()).or_default() += 1;
                *tally.most.entry(most).or_default() += 1;
                tally.lost += u64::from(race.state().lost);
                tally.inputs += input_number;
                tally.points.resize(tally.points.len().max(usize::from(seats)), Sums::default());
                for (sums, &score) in tally.points.iter_mut().zip(&outcome.scores) {
                    sums.add(score.into());
                }
                return Ok(());
            }
            Status::Chance(need) => Input::Draw(draw(seed, &need)),
            Status::Seats(_) => {
                if race.state().open_at > now {
                    now = race.state().open_at;
                }
                let first = (choose == Choose::First).then_some(&order);
                match act(&race, seats, first, &mut chance) {
                    Some((seat, command)) => Input::Play(seat, command, Timing::at(now)),
                    None => {
                        let alarm = race.alarm().ok_or_else(|| unfinished("nobody can act".to_owned()))?;
                        now = now.max(alarm.due);
                        Input::Ring(alarm.id)
                    }
                }
            }
        };
        events.clear();
        race.decide_quickly(now, &input, &mut events).map_err(|r| unfinished(format!("{input:?}: {r}")))?;
        for event in &events {
            if choose == Choose::First {
                order.watch(event);
            }
            match event {
                // Where nobody can claim, three more cards are laid, or all are replaced (TWTY-12).
                race::Event::Laid { why: Why::Extra, .. } | race::Event::Swept { .. } => {
                    extras += 1;
                    let before = race.state().board.len();
                    tally.by_layout.entry(before).or_default().add(false);
                    if before == usual && race.state().stock > 0 {
                        tally.by_stage.entry(claims as u64).or_default().add(false);
                    }
                }
                race::Event::Judged { verdict, .. } if verdict.finding.right() => claims += 1,
                _ => {}
            }
            race.evolve(event);
            most = most.max(race.state().board.len());
        }
        // What lies there now is what somebody can claim from; layouts without a claim were counted when they grew.
        if !events.is_empty()
            && race.state().phase == Phase::Open
            && race.state().stock > 0
            && matches!(input, Input::Play(_, Command::Claim { .. } | Command::NoSet, _) | Input::Draw(_))
        {
            let size = race.state().board.len();
            let some = (0..seats).any(|s| race.random_claim(Seat(s), &mut SplitMix(0)).is_some());
            if some {
                tally.by_layout.entry(size).or_default().add(true);
                if size == usual {
                    tally.by_stage.entry(claims as u64).or_default().add(true);
                }
            }
        }
    }
    Err(unfinished(format!("a deal was not over after {MOST} inputs")))
}

/// When each card was laid.
struct Order {
    laid: u16,
    of: [u16; 243],
}

impl Default for Order {
    fn default() -> Order {
        Order { laid: 0, of: [0; 243] }
    }
}

impl Order {
    fn note(&mut self, card: Point) {
        self.laid += 1;
        self.of[usize::from(card.0)] = self.laid;
    }

    fn watch(&mut self, event: &race::Event) {
        match event {
            race::Event::Dealt { board, hands, .. } => {
                hands.iter().flat_map(|hand| hand.cards()).for_each(|&card| self.note(card));
                board.cards().for_each(|card| self.note(card));
            }
            race::Event::Laid { cards, .. } => cards.iter().for_each(|placed| self.note(placed.card)),
            race::Event::Drew { cards, .. } => cards.cards().iter().for_each(|&card| self.note(card)),
            _ => {}
        }
    }

    /// Whoever tries the oldest card with each other, and these with each further one, meets this claim first.
    fn first(&self, claims: Vec<Claim>) -> Option<Claim> {
        claims.into_iter().min_by_key(|claim| {
            let mut places: Vec<u16> =
                claim.cards().iter().map(|card| self.of[usize::from(card.0)]).collect();
            places.sort_unstable();
            places
        })
    }
}

/// What somebody does now: a claim of a random seat, the first by `order` or any; else a flag where one is still to be raised.
fn act(race: &Race, seats: u8, order: Option<&Order>, chance: &mut SplitMix) -> Option<(Seat, Command)> {
    let first = if seats > 1 { chance.below(u32::from(seats)) as i32 } else { 0 };
    let round = || (0..i32::from(seats)).map(move |i| Seat(0).step(first + i, seats));
    for seat in round() {
        let claim = match order {
            Some(order) => order.first(race.claims(seat)),
            None => race.random_claim(seat, chance),
        };
        if let Some(groups) = claim {
            let cards = groups.cards();
            let choice = race.rules().removed == Removed::One;
            let leaves = choice.then(|| cards[chance.below(cards.len() as u32) as usize]);
            return Some((seat, Command::Claim { groups, leaves }));
        }
    }
    let flags = race.state().flags;
    let votes = race.rules().no_claim != NoClaim::Auto && race.state().phase == Phase::Open;
    let voter = round().find(|&seat| !flags.has(seat)).filter(|_| votes);
    voter.map(|seat| (seat, Command::NoSet))
}

/// What came of some matches of a pattern game with a flow of its own (memory, setup, scout, the puzzle), played by bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnTally {
    /// Matches played.
    pub matches: u64,
    /// Their length in seconds of match time.
    pub seconds: Sums,
    /// How often things happened in a match, each by its name.
    pub counts: BTreeMap<&'static str, Sums>,
    /// Final score of each seat.
    pub points: Vec<Sums>,
    /// Matches won (alone or shared) by each seat.
    pub won: Vec<u64>,
    /// Inputs accepted.
    pub inputs: u64,
}

impl OwnTally {
    /// Takes in what another has counted.
    pub fn merge(&mut self, other: &OwnTally) {
        self.matches += other.matches;
        self.seconds.merge(&other.seconds);
        for (name, sums) in &other.counts {
            self.counts.entry(name).or_default().merge(sums);
        }
        self.points.resize(self.points.len().max(other.points.len()), Sums::default());
        for (ours, theirs) in self.points.iter_mut().zip(&other.points) {
            ours.merge(theirs);
        }
        self.won.resize(self.won.len().max(other.won.len()), 0);
        for (ours, theirs) in self.won.iter_mut().zip(&other.won) {
            *ours += theirs;
        }
        self.inputs += other.inputs;
    }
}

/// The rules of a game with a flow of its own as they are simulated: one deal of it.
#[must_use]
pub fn one_deal(rules: &Rules) -> Rules {
    let show_missed = pattern::rules::ShowMissed::Never;
    Rules { deals: Deals::Count(1), show_missed, ..rules.clone() }
}

/// What is counted in a game with a flow of its own; each is told, also where it never happens.
#[must_use]
pub fn counted(rules: &Rules) -> &'static [&'static str] {
    use pattern::rules::Mechanism as M;
    match rules.mechanism {
        M::Race => &[],
        M::Scout => &["Sets found", "taken whole by the finder", "searches that failed", "extra deals"],
        M::Memory => &["cards turned up", "Sets taken", "turns without a Set", "turns that ran out"],
        M::Setup => &["cards played", "right challenges", "wrong challenges"],
        M::Puzzle => &["right claims", "wrong claims", "claims named again", SET_ASIDE],
        M::Trial => &["right claims", "wrong claims"],
    }
}

/// Shuffles whose layout has not the number of Sets that a puzzle is to have.
const SET_ASIDE: &str = "shuffles set aside";

/// What an event is counted as.
fn named(event: &Event) -> Option<&'static str> {
    use pattern::{memory, puzzle, setup_game, trial};
    Some(match event {
        Event::Trial(trial::Event::Board { event: race::Event::Judged { verdict, .. }, .. }) => {
            if verdict.finding.right() { "right claims" } else { "wrong claims" }
        }
        Event::Race(race::Event::Resolved { verdict, .. }) if !verdict.finding.right() => return None,
        Event::Race(race::Event::Resolved { finder_takes, .. }) if finder_takes.len() == 3 => {
            "taken whole by the finder"
        }
        Event::Race(race::Event::Resolved { .. }) => "Sets found",
        Event::Race(race::Event::ScoutFailed { .. }) => "searches that failed",
        Event::Race(race::Event::Laid { why: Why::Extra, .. }) => "extra deals",
        Event::Memory(memory::Event::Flipped { .. }) => "cards turned up",
        Event::Memory(memory::Event::Taken { .. }) => "Sets taken",
        Event::Memory(memory::Event::Wrong { .. }) => "turns without a Set",
        Event::Memory(memory::Event::RanOut { .. }) => "turns that ran out",
        Event::Setup(setup_game::Event::Played { .. }) => "cards played",
        Event::Setup(setup_game::Event::Challenged { challenge, .. }) if challenge.right => {
            "right challenges"
        }
        Event::Setup(setup_game::Event::Challenged { .. }) => "wrong challenges",
        Event::Puzzle(puzzle::Event::Discarded { .. }) => SET_ASIDE,
        Event::Puzzle(puzzle::Event::Judged { finding, .. }) if finding.right() => "right claims",
        Event::Puzzle(puzzle::Event::Judged { .. }) => "wrong claims",
        Event::Puzzle(puzzle::Event::Repeated { .. }) => "claims named again",
        _ => return None,
    })
}

/// Plays one match of a pattern game with a flow of its own.
///
/// # Errors
/// If the rules refuse so many seats, or the match does not end.
pub fn own_match(
    rules: &Arc<Rules>,
    players: &mut [Box<dyn bots::Bot<pattern::View>>],
    seed: u64,
    tally: &mut OwnTally,
) -> Result<(), Unfinished> {
    let mut counts: BTreeMap<&'static str, i64> = counted(rules).iter().map(|&name| (name, 0)).collect();
    let mut count = |name: &'static str| *counts.entry(name).or_default() += 1;
    let played = crate::matches::play::<Match>(
        rules,
        players,
        seed,
        MOST,
        &mut |_, _, events| {
            for event in events {
                if let Some(name) = named(event) {
                    count(name);
                    if name == "taken whole by the finder" {
                        count("Sets found");
                    }
                }
            }
        },
        &mut |_, _| (),
    )?;
    tally.matches += 1;
    tally.inputs += played.inputs;
    tally.seconds.add(i64::from(played.length.0 / 1000));
    for (name, n) in counts {
        tally.counts.entry(name).or_default().add(n);
    }
    let seats = played.outcome.scores.len();
    tally.points.resize(tally.points.len().max(seats), Sums::default());
    tally.won.resize(tally.won.len().max(seats), 0);
    for (i, &score) in played.outcome.scores.iter().enumerate() {
        tally.points[i].add(score.into());
        tally.won[i] += u64::from(played.outcome.winners.has(Seat(i as u8)));
    }
    Ok(())
}

/// What came of some matches of a contract game, round by round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractTally {
    /// Matches played.
    pub matches: u64,
    /// By place in the rule file.
    pub rounds: Vec<RoundTally>,
    /// Final score of each seat.
    pub scores: Vec<Sums>,
    /// Points of a round by distance from the dealer: entry 0 plays first.
    pub by_place: Vec<Sums>,
    /// Matches won (alone or shared) by each seat.
    pub won: Vec<u64>,
    /// Inputs accepted, and those of them that were passes.
    pub inputs: u64,
    /// Passes among them.
    pub passes: u64,
}

/// What came of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundTally {
    /// Times it was played.
    pub played: u64,
    /// Seats dealt in, over all times.
    pub seats: u64,
    /// Seats that laid the contract.
    pub met: u64,
    /// The same, deal by deal: the seats of one deal share its cards, so it is the deals that are counted as independent.
    pub met_of_deal: Sums,
    /// Own turns until a seat laid it, of those that did.
    pub turns: Sums,
    /// Turns of each seat until the round ended.
    pub length: Sums,
    /// Rounds in which nobody went out.
    pub blocked: u64,
    /// Points of a seat.
    pub points: Sums,
    /// Takes of a seat.
    pub takes: Sums,
}

impl ContractTally {
    /// Takes in what another has counted.
    pub fn merge(&mut self, other: &ContractTally) {
        self.matches += other.matches;
        self.inputs += other.inputs;
        self.passes += other.passes;
        self.rounds.resize(self.rounds.len().max(other.rounds.len()), RoundTally::default());
        for (ours, theirs) in self.rounds.iter_mut().zip(&other.rounds) {
            ours.played += theirs.played;
            ours.seats += theirs.seats;
            ours.met += theirs.met;
            ours.blocked += theirs.blocked;
            ours.met_of_deal.merge(&theirs.met_of_deal);
            ours.turns.merge(&theirs.turns);
            ours.length.merge(&theirs.length);
            ours.points.merge(&theirs.points);
            ours.takes.merge(&theirs.takes);
        }
        for (ours, theirs) in [(&mut self.scores, &other.scores), (&mut self.by_place, &other.by_place)] {
            ours.resize(ours.len().max(theirs.len()), Sums::default());
            for (ours, theirs) in ours.iter_mut().zip(theirs) {
                ours.merge(theirs);
            }
        }
        self.won.resize(self.won.len().max(other.won.len()), 0);
        for (ours, theirs) in self.won.iter_mut().zip(&other.won) {
            *ours += theirs;
        }
    }
}

/// Follows the events of one contract match.
#[derive(Debug, Default)]
pub struct ContractWatch {
    tally: ContractTally,
    round: usize,
    dealer: Seat,
    turn: Seat,
    turns: Vec<i64>,
    takes: Vec<i64>,
    met: i64,
}

impl ContractWatch {
    /// For a match of `seats`.
    #[must_use]
    pub fn new(seats: u8) -> ContractWatch {
        let none = vec![0; usize::from(seats)];
        ContractWatch { turns: none.clone(), takes: none, ..ContractWatch::default() }
    }

    /// Takes in an accepted input with what followed; `before` is the match as it was.
    pub fn watch(
        &mut self,
        before: &contract::Match,
        input: &Input<contract::Command>,
        events: &[contract::Event],
    ) {
        use contract::Event as E;
        if self.tally.inputs == 0 {
            // Where no chance names the dealer the first round begins with the match.
            let flow = before.flow();
            (self.round, self.dealer, self.turn) = (flow.round.into(), flow.dealer, flow.turn);
            self.tally.rounds.resize(self.round + 1, RoundTally::default());
            if flow.phase == contract::state::Phase::Start {
                self.turns[self.turn.index()] = 1;
            }
        }
        self.tally.inputs += 1;
        self.tally.passes += u64::from(matches!(input, Input::Play(_, contract::Command::Pass, _)));
        for event in events {
            match event {
                E::Round { round, dealer, .. } => {
                    (self.round, self.dealer) = (usize::from(*round), *dealer);
                    self.turns.fill(0);
                    self.takes.fill(0);
                    self.met = 0;
                    let rounds = &mut self.tally.rounds;
                    rounds.resize(rounds.len().max(self.round + 1), RoundTally::default());
                }
                E::Turn { seat, .. } => {
                    self.turn = *seat;
                    self.turns[seat.index()] += 1;
                }
                E::Took { seat, .. } => self.takes[seat.index()] += 1,
                E::Melded { contract: Some(_), .. } => {
                    let round = &mut self.tally.rounds[self.round];
                    round.met += 1;
                    self.met += 1;
                    round.turns.add(self.turns[self.turn.index()]);
                }
                E::RoundOver { winner, points } => {
                    let seats = points.len() as u8;
                    let round = &mut self.tally.rounds[self.round];
                    round.played += 1;
                    round.seats += u64::from(seats);
                    round.blocked += u64::from(winner.is_none());
                    round.met_of_deal.add(self.met);
                    self.tally.by_place.resize(points.len(), Sums::default());
                    for (i, &p) in points.iter().enumerate() {
                        round.points.add(p.into());
                        round.length.add(self.turns[i]);
                        round.takes.add(self.takes[i]);
                        let place = Seat(i as u8).step(-1 - i32::from(self.dealer.0), seats);
                        self.tally.by_place[place.index()].add(p.into());
                    }
                }
                E::Over(outcome) => {
                    self.tally.matches += 1;
                    self.tally.scores.resize(outcome.scores.len(), Sums::default());
                    self.tally.won.resize(outcome.scores.len(), 0);
                    for (i, &score) in outcome.scores.iter().enumerate() {
                        self.tally.scores[i].add(score.into());
                        self.tally.won[i] += u64::from(outcome.winners.has(Seat(i as u8)));
                    }
                }
                _ => {}
            }
        }
    }

    /// What came of it.
    #[must_use]
    pub fn tally(self) -> ContractTally {
        self.tally
    }
}

/// Inputs after which a contract match is given up as endless.
const MOST_OF_MATCH: u64 = 1_000_000;

/// Plays one contract match and tells what came of it, round by round. Each accepted input is shown to `also`, with the state
/// before it and what followed.
///
/// # Errors
/// If the rules refuse so many seats, or the match does not end.
pub fn contract_match(
    rules: &Arc<contract::Rules>,
    players: &mut [Box<dyn bots::Bot<contract::View>>],
    seed: u64,
    also: &mut impl FnMut(&contract::Match, &Input<contract::Command>, &[contract::Event]),
) -> Result<ContractTally, Unfinished> {
    let mut watch = ContractWatch::new(players.len() as u8);
    let mut seen = |game: &contract::Match, input: &Input<contract::Command>, events: &[contract::Event]| {
        also(game, input, events);
        watch.watch(game, input, events);
    };
    crate::matches::play(rules, players, seed, MOST_OF_MATCH, &mut seen, &mut |_, _| ())?;
    Ok(watch.tally())
}

/// Whether the draw of the player to play leaves a discard lying that completes the contract; none where none does, or where
/// the contract can be laid without it.
#[must_use]
pub fn leaves_completing(game: &contract::Match, input: &Input<contract::Command>) -> Option<bool> {
    use contract::Command as C;
    let Input::Play(seat, command, _) = input else { return None };
    let drawn = matches!(command, C::DrawDiscard | C::Buy);
    if !drawn && !matches!(command, C::DrawStock | C::DrawPush) {
        return None;
    }
    let view = game.view(game::Viewer::Seat(*seat));
    let top = view.flow.top.filter(|_| !view.flow.down.has(*seat))?;
    let mut hand = *view.hand.counts();
    // Where the first to meld picks the contract, any that is left.
    let left = view.contracts_left();
    let aims = if left.is_empty() { vec![view.contract()] } else { left };
    let laws = || aims.iter().map(|&at| &view.compiled.laws[usize::from(at)]);
    let can = |hand: &contract::solver::Counts| {
        laws().any(|law| contract::solver::Solver::new(law).feasible(hand) == Some(true))
    };
    if view.judge(&C::DrawDiscard).is_err() || can(&hand) {
        return None;
    }
    hand[top.index()] += 1;
    can(&hand).then_some(!drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;
    use rulebook::{NoFiles, Source};

    fn rules(preset: &str, seats: u8) -> Arc<Rules> {
        let loaded = rulebook::load(Source::Preset(preset), None, &NoFiles).unwrap();
        match &*loaded.rules(seats).unwrap() {
            rulebook::Rules::Pattern(rules) => Arc::new(without_waiting(rules)),
            rulebook::Rules::Contract(_) => panic!("{preset} is no pattern game"),
        }
    }

    fn tally(preset: &str, seats: u8, deals: u64) -> PatternTally {
        chosen(preset, seats, deals, Choose::Random)
    }

    fn chosen(preset: &str, seats: u8, deals: u64, choose: Choose) -> PatternTally {
        let rules = rules(preset, seats);
        let mut tally = PatternTally::default();
        for i in 0..deals {
            race_deal(&rules, seats, choose, seed_of(5, i), &mut tally)
                .unwrap_or_else(|e| panic!("{preset}: {e}"));
        }
        tally
    }

    /// Random play against the rulebook's 5.8: means within five standard errors of the sample and the last printed digit.
    #[track_caller]
    fn check(
        preset: &str,
        seats: u8,
        deals: u64,
        claims: f64,
        extra_deals: f64,
        left: std::ops::RangeInclusive<usize>,
    ) {
        let tally = tally(preset, seats, deals);
        let close = |sums: &Sums, published: f64, digit: f64| {
            let slack = 5.0 * sums.error() + digit / 2.0;
            assert!(
                (sums.mean() - published).abs() <= slack,
                "{preset}: {} not {published} +- {slack}",
                sums.mean()
            );
        };
        let digit = |value: f64| if value >= 20.0 && value.fract() == 0.0 { 1.0 } else { 0.11 };
        close(&tally.claims, claims, digit(claims));
        close(&tally.extra_deals, extra_deals, digit(extra_deals));
        assert!(tally.left.keys().all(|n| left.contains(n)), "{preset}: {:?}", tally.left);
    }

    #[test]
    fn the_classic_game() {
        check("set-classic", 1, 400, 24.43, 1.54, 0..=18);
        let tally = tally("set-classic", 1, 400);
        assert!(tally.left.keys().all(|n| n % 3 == 0 && *n != 3), "5.7: {:?}", tally.left);
        let twelve = tally.by_layout[&12];
        let (odds, n) = (twelve.none as f64 / (twelve.some + twelve.none) as f64, twelve.some + twelve.none);
        let published = 1.0 / 15.08;
        assert!((odds - published).abs() < 5.0 * (published / n as f64).sqrt(), "{odds}");
    }

    /// 5.6: who always takes the first Set found leaves others behind than who takes any.
    #[test]
    fn the_odds_in_play_depend_on_the_choice() {
        for (choose, published) in [(Choose::Random, 14.08), (Choose::First, 14.99)] {
            let tally = chosen("set-classic", 1, 2_000, choose);
            let twelve = tally.by_layout[&12];
            let share = twelve.none as f64 / (twelve.some + twelve.none) as f64;
            let range = wilson(twelve.none, twelve.some + twelve.none);
            let expected = 1.0 / (published + 1.0);
            assert!((share - expected).abs() < 1.3 * (range.high - range.low), "{choose:?}: {share}");
            let stock: f64 = tally.extended as f64 / tally.deals as f64;
            assert!((0.6..0.8).contains(&stock), "5.6: at least one extra deal in 68.6 %: {stock}");
        }
    }

    #[test]
    fn the_other_races() {
        check("quick", 1, 400, 7.7, 0.0035, 0..=9);
        check("superset-h", 1, 60, 19.2, 0.001, 1..=9);
        check("ultra", 1, 100, 22.4, 2.4, 3..=30);
        check("ultra9", 1, 100, 19.0, 2.6, 9..=45);
        check("mega", 1, 40, 76.5, 37.0, 0..=24);
        check("double", 1, 60, 12.0, 5.7, 3..=15);
        check("complex", 1, 60, 68.0, 19.4, 4..=20);
        check("chain", 2, 100, 36.9, 0.20, 0..=15);
        check("chain", 3, 60, 36.9, 0.05, 0..=15);
    }

    #[test]
    fn eights() {
        check("eight", 1, 40, 8.2, 0.56, 0..=20);
    }

    #[test]
    fn games_with_a_flow_of_their_own() {
        for (preset, seats, some) in [
            ("memory", 2, "Sets taken"),
            ("setup", 3, "right challenges"),
            ("scout", 3, "Sets found"),
            ("scout", 3, "searches that failed"),
            ("daily-puzzle", 1, SET_ASIDE),
            ("daily-puzzle", 1, "right claims"),
        ] {
            let loaded = rulebook::load(Source::Preset(preset), None, &NoFiles).unwrap();
            let rulebook::Rules::Pattern(rules) = &*loaded.rules(seats).unwrap() else { panic!("{preset}") };
            let rules = Arc::new(one_deal(rules));
            let mut tally = OwnTally::default();
            for i in 0..4 {
                let bot = || bots::of_pattern("medium").expect("a bot");
                let mut players: Vec<_> = (0..seats).map(|_| bot()).collect();
                own_match(&rules, &mut players, seed_of(3, i), &mut tally)
                    .unwrap_or_else(|e| panic!("{preset}: {e}"));
            }
            assert_eq!((tally.matches, tally.points.len()), (4, usize::from(seats)), "{preset}");
            assert!(tally.counts[some].mean() > 0.0, "{preset}: {tally:?}");
            let mut names: Vec<_> = counted(&rules).to_vec();
            names.sort_unstable();
            assert_eq!(tally.counts.keys().copied().collect::<Vec<_>>(), names, "{preset}");
        }
    }

    /// TWTY-12: six cards from which nobody can claim are replaced, which is what three more are elsewhere.
    #[test]
    fn replaced_layouts_count_as_those_without_a_claim() {
        let tally = tally("twenty", 3, 40);
        let six = tally.by_layout[&6];
        assert!(
            six.none > 0 && six.some > six.none && tally.extra_deals.sum == i128::from(six.none),
            "{six:?}"
        );
    }

    #[test]
    fn private_hands_agree_instead() {
        let tally = tally("hands", 2, 20);
        assert!(tally.claims.mean() > 20.0, "{tally:?}");
    }

    #[test]
    fn merged_tallies_do_not_depend_on_the_split() {
        let rules = rules("set-classic", 1);
        let deal = |i| {
            let mut tally = PatternTally::default();
            race_deal(&rules, 1, Choose::Random, seed_of(1, i), &mut tally).unwrap();
            tally
        };
        let merged = |threads| {
            let mut all = PatternTally::default();
            for tally in crate::matches::spread(30, threads, deal, || true) {
                all.merge(&tally);
            }
            all
        };
        assert_eq!(merged(1), merged(2));
    }
}
