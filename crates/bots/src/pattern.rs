//! Players of the Set family.
//!
//! What makes a person slow is finding, not deciding. So a bot draws for every pattern it can see how long it would take
//! to find just that one, and the patterns race: more of them on the table are found sooner. Mean times by the number
//! of features that differ, for one Set among twelve cards, are those of Taatgen, van Oploo, Braaksma and Niemantsverdriet
//! (ICCM 2003). What was drawn stays drawn while the pattern lies there, so others' acts do not start the search anew.
//!
//! In memory a bot forgets, in setup it overlooks, each by its level. It never keeps others waiting for an agreement
//! (BOT-2): where it finds nothing, or all others agree, it agrees.

use crate::{Bot, Thought};
use ::pattern::finder::{Open, Sought, is_set, split_features, third};
use ::pattern::memory::Slot;
use ::pattern::race::{self, Lock, Phase};
use ::pattern::roster::Stage;
use ::pattern::rules::{Entry, Grouping, Mechanism, MemoryEnd, Multiplicity, Pattern, Sources, Tie, To};
use ::pattern::{Claim, Command, View, memory, puzzle, setup_game};
use cards::Point;
use game::{Chance, Millis, Seat, Viewer};

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// A beginner.
    Easy,
    /// An experienced player.
    Medium,
    /// A quick one who forgets little.
    Hard,
}

impl Level {
    /// All, the weakest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// Mean milliseconds to find a Set that is alone among twelve cards and differs in `features` features.
    fn mean(self, features: usize) -> f64 {
        let (table, scale) = match self {
            Level::Easy => ([29.0, 69.0, 89.0, 86.0, 95.0], 1.0),
            Level::Medium => ([33.0, 29.0, 61.0, 50.0, 60.0], 1.0),
            Level::Hard => ([33.0, 29.0, 61.0, 50.0, 60.0], 0.4),
        };
        table[features.clamp(1, 5) - 1] * scale * 1000.0
    }

    /// One of three values.
    fn of<T>(self, easy: T, medium: T, hard: T) -> T {
        match self {
            Level::Easy => easy,
            Level::Medium => medium,
            Level::Hard => hard,
        }
    }
}

/// A player of any game of the family.
#[derive(Clone, Debug)]
pub struct PatternBot {
    level: Level,
    /// When each pattern in sight will be found: its cards and the time.
    finds: Vec<(Vec<Point>, Millis)>,
    /// When the next slip comes: a claim that is nearly right.
    slip: Option<Millis>,
    /// Its wrong claims of this deal, as it last saw them.
    errors: u16,
    /// What it called for.
    meant: Option<Claim>,
    /// Layout on which it began to look for nothing, and when it will be sure.
    sure: Option<(u32, Millis)>,
    /// Memory: what it remembers of each slot, and until when.
    known: Vec<Option<(Point, Millis)>>,
    /// Setup: the card it looks at, when it lets it stand, and what it will have found when.
    looking: Option<Look>,
    /// Scout: the search it slips in, by its end, and the card it takes for one of the Set, if any, with the time.
    hasty: Option<(Millis, Option<(Point, Millis)>)>,
}

#[derive(Clone, Copy, Debug)]
struct Look {
    card: Point,
    since: Millis,
    stands: Millis,
    finds: Option<(Millis, [Point; 2])>,
}

/// A time from an exponential distribution with this mean, in milliseconds, at most an hour.
fn exponential(mean: f64, chance: &mut dyn Chance) -> u32 {
    let u = f64::from(chance.below(1 << 24) + 1) / f64::from(1 << 24);
    (-u.ln() * mean).min(3_600_000.0) as u32
}

/// A time between two bounds, in milliseconds.
fn between(low: u32, high: u32, chance: &mut dyn Chance) -> u32 {
    low + chance.below(high - low)
}

fn pick<T: Copy>(from: &[T], chance: &mut dyn Chance) -> Option<T> {
    (!from.is_empty()).then(|| from[chance.below(from.len() as u32) as usize])
}

/// How soon a thought at `at` is carried out if it is meant for `due`.
fn act(command: Command, at: Millis, due: Millis) -> Option<Thought<Command>> {
    Some(Thought::after(command, due.since(at)))
}

impl PatternBot {
    /// A bot of this level.
    #[must_use]
    pub fn new(level: Level) -> PatternBot {
        PatternBot {
            level,
            finds: Vec::new(),
            slip: None,
            errors: 0,
            meant: None,
            sure: None,
            known: Vec::new(),
            looking: None,
            hasty: None,
        }
    }

    // The race and scout.

    /// Draws when each pattern in sight is found, keeping what was drawn before, and returns the claim found first.
    fn look(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<(Claim, Millis)> {
        let (rules, state) = (&view.rules, &view.state);
        let mut claims = view.claims(400);
        let hand = state.players[seat.index()].hand.cards();
        if rules.to == To::Discard {
            // A Set of table cards alone empties nobody's hand (TWTY-8).
            claims.retain(|claim| claim.cards().iter().any(|card| hand.contains(card)));
        }
        let mut groups: Vec<Vec<Point>> =
            claims.iter().flat_map(|c| c.groups().map(<[Point]>::to_vec)).collect();
        groups.sort();
        groups.dedup();
        self.finds.retain(|(cards, _)| groups.contains(cards));
        let cards = state.board.len() as f64 + hand.len() as f64;
        let crowd = (cards / 12.0).clamp(0.5, 2.0);
        for group in groups {
            if self.finds.iter().any(|(cards, _)| *cards == group) {
                continue;
            }
            let code = |card: Point| rules.deck.code(card);
            let differing = code(group[0]).iter().zip(code(group[1])).filter(|(a, b)| **a != *b).count();
            let kind = match rules.pattern {
                Pattern::Set => 1.0,
                Pattern::Super => 1.3,
                Pattern::Ultra1 | Pattern::Ultra2 => 1.2,
            };
            let own = group.iter().filter(|card| hand.contains(card)).count();
            let near = if group.iter().any(|card| state.lit.contains(card)) { 0.25 } else { 1.0 };
            let mean = self.level.mean(differing) * crowd * kind * near * 0.85f64.powi(own as i32);
            // Nobody finds anything within a second.
            let time = 1_000 + exponential(mean - 1_000.0, chance);
            self.finds.push((group, at.after(time)));
        }
        let due = |group: &[Point]| self.finds.iter().find(|(cards, _)| cards == group).map(|(_, due)| *due);
        claims
            .into_iter()
            .filter_map(|claim| {
                // Several patterns are found when the last of them is.
                let due = claim.groups().filter_map(due).max()?;
                Some((claim, due))
            })
            .min_by_key(|(_, due)| *due)
    }

    /// Three cards that a hasty eye takes for a Set: one feature alone splits two-and-one.
    fn mistake(view: &race::View, chance: &mut dyn Chance) -> Option<Claim> {
        let cards: Vec<Point> = view.state.board.cards().collect();
        (0..60).find_map(|_| {
            let (a, b, c) = (pick(&cards, chance)?, pick(&cards, chance)?, pick(&cards, chance)?);
            let split = split_features(view.rules.deck.digits(), [a, b, c]);
            (a != b && b != c && a != c && split.count_ones() == 1).then(|| Claim::one(&[a, b, c]))
        })
    }

    /// Whether this game lets it make such mistakes.
    fn slips(view: &race::View) -> bool {
        let rules = &view.rules;
        rules.pattern == Pattern::Set
            && rules.multiplicity == Multiplicity::Single
            && rules.sources != Sources::Previous
    }

    fn race(&mut self, view: &race::View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let seat = view.seat()?;
        let (rules, state) = (&view.rules, &view.state);
        let me = &state.players[seat.index()];
        if !me.here() || state.shuffling.is_some() || state.picking.is_some() {
            return None;
        }
        if std::mem::replace(&mut self.errors, me.errors) != me.errors {
            // It has slipped. A table may be quicker than it is, so the time alone does not tell.
            self.slip = None;
        }
        match state.phase {
            Phase::Shuffling | Phase::Over => None,
            Phase::Between => {
                self.finds.clear();
                if !state.graduating.is_empty() && !state.graduating.has(seat) {
                    return act(Command::Graduate, at, at.after(between(500, 2_000, chance)));
                }
                let ready = !state.ready.has(seat);
                ready.then(|| Thought::after(Command::Ready, between(1_500, 4_000, chance)))
            }
            Phase::Open | Phase::Dealing => self.open(view, seat, at, chance),
            Phase::Tie | Phase::Called => {
                let call = state.call?;
                if call.callers.has(seat) {
                    if view.mine.answer.is_some() {
                        return None;
                    }
                    return self.answer(view, at, call.deadline, chance);
                }
                let (claim, due) = self.look(view, seat, at, chance)?;
                let window = call.since.after(u32::from(rules.tie_window_ms));
                let ties = state.phase == Phase::Tie && rules.tie == Tie::Shared && due < window;
                if !ties || !state.players_in(rules).has(seat) || me.lock.holds(at) {
                    return None;
                }
                self.meant = Some(claim);
                act(Command::Call, at, due)
            }
            Phase::Scout => self.scout(view, seat, at, chance),
        }
    }

    fn open(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let (rules, state) = (&view.rules, &view.state);
        if !state.players_in(rules).has(seat) {
            return None;
        }
        let free = match state.players[seat.index()].lock {
            Lock::Until(end) => Some(end.max(state.open_at).max(at)),
            Lock::NextClaim => None,
        };
        let found = self.look(view, seat, at, chance);
        // One that others came before is forgotten.
        let slip = self.slip.filter(|&slip| slip >= at).unwrap_or_else(|| {
            // Finds for each slip, which comes as much later as finding takes longer.
            let finds = self.level.of(15.0, 40.0, 200.0);
            let find = found.as_ref().map_or(30_000, |(_, due)| due.since(at).max(5_000));
            at.after(exponential(finds * f64::from(find), chance))
        });
        self.slip = Some(slip);
        let mut best: Option<Thought<Command>> = None;
        let mut consider = |thought: Option<Thought<Command>>| {
            if let Some(thought) = thought
                && best.as_ref().is_none_or(|b| thought.after_ms < b.after_ms)
            {
                best = Some(thought);
            }
        };
        if let Some(free) = free {
            let slips = Self::slips(view) && found.as_ref().is_none_or(|(_, due)| slip < *due);
            let next =
                if slips { Self::mistake(view, chance).map(|claim| (claim, slip)) } else { found.clone() };
            if let Some((claim, due)) = next {
                let command = match rules.entry {
                    Entry::Call => Command::Call,
                    Entry::Tap => Command::claim(claim.clone()),
                };
                self.meant = Some(claim);
                let (after_ms, least_ms) = (due.max(free).since(at), free.since(at));
                consider(Some(Thought { command, after_ms, least_ms }));
            }
        }
        consider(self.flag(view, seat, at, found.is_some(), chance));
        best
    }

    /// BOT-2: agrees that there is nothing once it is sure, or once everybody else is.
    fn flag(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        found: bool,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let (rules, state) = (&view.rules, &view.state);
        let asked = rules.no_claim != ::pattern::rules::NoClaim::Auto && !state.certain(rules);
        if !asked || state.phase != Phase::Open || state.flags.has(seat) {
            return None;
        }
        let others = view.needed(at).without(seat);
        let alone = !others.is_empty() && state.flags.contains_all(others);
        let sure = match self.sure {
            Some((layout, sure)) if layout == state.layout => sure,
            _ => {
                let look = self.level.of(15_000, 9_000, 5_000);
                let sure = at.after(between(look, 2 * look, chance));
                self.sure = Some((state.layout, sure));
                sure
            }
        };
        match (found, alone) {
            (false, _) => act(Command::NoSet, at, sure),
            (true, true) => act(Command::NoSet, at, sure.min(at.after(between(2_000, 5_000, chance)))),
            (true, false) => None,
        }
    }

    /// After its call: the claim it had in mind, or the seal.
    fn answer(
        &mut self,
        view: &race::View,
        at: Millis,
        deadline: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let rules = &view.rules;
        let cards = |claim: &Claim| claim.cards().to_vec();
        let mine = view.seat().map_or(&[][..], |seat| view.state.players[seat.index()].hand.cards());
        let previous = view.seat().map_or(&[][..], |seat| &view.state.players[seat.index()].previous[..]);
        let there = |claim: &Claim| {
            cards(claim).iter().all(|c| view.state.board.has(*c) || mine.contains(c) || previous.contains(c))
        };
        let meant = self.meant.clone().filter(there).or_else(|| view.claims(1).pop());
        let patterns = meant.as_ref().map_or(1, |claim| claim.len() as u32);
        let after = between(700, 1_400, chance) * patterns;
        let due = at.after(after.min(deadline.since(at) / 2));
        let Some(claim) = meant else { return act(Command::Cancel, at, due) };
        if rules.mechanism != Mechanism::Scout {
            return act(Command::claim(claim), at, due);
        }
        let cards: [Point; 3] = claim.cards().try_into().ok()?;
        // The more other Sets run through the card shown, the less the search tells.
        let decoys = |card: &Point| {
            let others: Vec<Point> = view.state.board.cards().filter(|c| c != card).collect();
            others.iter().filter(|&&x| others.contains(&third(*card, x))).count()
        };
        let points = match self.level {
            Level::Easy => pick(&cards, chance)?,
            _ => cards.into_iter().max_by_key(decoys)?,
        };
        act(Command::Seal { cards, points }, at, due)
    }

    fn scout(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let search = view.state.search.as_ref()?;
        if let Some(showing) = search.showing {
            let shown = third(search.points, showing.named);
            let there = view.state.board.has(shown);
            let shows = showing.scout == seat && there;
            return shows.then(|| Thought::after(Command::Show(shown), between(600, 1_500, chance)));
        }
        let out = search.failed.has(seat) || view.mine.passed || !search.scouts.has(seat);
        if out || !view.state.players_in(&view.rules).has(seat) {
            return None;
        }
        let board: Vec<Point> = view.state.board.cards().collect();
        // One card of the Set is known, so the rest is found sooner.
        let mut best: Option<(Point, Millis)> = None;
        for (i, &x) in board.iter().enumerate() {
            let y = third(search.points, x);
            if x == search.points || !board[i + 1..].contains(&y) {
                continue;
            }
            let mut cards = vec![search.points, x, y];
            cards.sort_unstable();
            let due = match self.finds.iter().find(|(known, _)| *known == cards) {
                Some((_, due)) => *due,
                None => {
                    let code = |card: Point| view.rules.deck.code(card);
                    let differing = code(x).iter().zip(code(y)).filter(|(a, b)| **a != *b).count();
                    let due = at.after(800 + exponential(self.level.mean(differing) * 0.3, chance));
                    self.finds.push((cards, due));
                    due
                }
            };
            // What was in sight before the search may have been found already.
            let due = due.min(search.deadline);
            if best.is_none_or(|(_, b)| due < b) {
                best = Some((if chance.below(2) == 0 { x } else { y }, due));
            }
        }
        let gives_up = Millis(at.0 + search.deadline.since(at) * 2 / 3);
        let slip = match self.hasty {
            Some((end, slip)) if end == search.deadline => slip,
            _ => {
                let slip = self.scouts_wrongly(view, search.points, &board, chance);
                let slip = slip.map(|card| (card, at.after(1_500 + exponential(4_000.0, chance))));
                self.hasty = Some((search.deadline, slip));
                slip
            }
        };
        let best = [best, slip].into_iter().flatten().min_by_key(|(_, due)| *due);
        match best {
            Some((card, due)) if due < gives_up => act(Command::Scout(card), at, due.max(at.after(500))),
            _ => act(Command::Pass, at, gives_up),
        }
    }

    /// Now and then, a card that seems to make a Set with the one shown: one feature of the three splits two-and-one.
    fn scouts_wrongly(
        &self,
        view: &race::View,
        shown: Point,
        board: &[Point],
        chance: &mut dyn Chance,
    ) -> Option<Point> {
        if chance.below(100) >= self.level.of(15, 6, 2) {
            return None;
        }
        (0..60).find_map(|_| {
            let (x, y) = (pick(board, chance)?, pick(board, chance)?);
            let split = split_features(view.rules.deck.digits(), [shown, x, y]);
            let nearly = x != y && x != shown && y != shown && split.count_ones() == 1;
            (nearly && !board.contains(&third(shown, x))).then_some(x)
        })
    }

    // The puzzle.

    /// The Sets not yet found are found one after the other, each in a time of its own.
    fn puzzle(
        &mut self,
        view: &puzzle::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        if state.roster.stage != Stage::Playing || state.roster.retired(seat) {
            return None;
        }
        let open = Open::layout(state.layout.iter().map(|&card| (0, card)));
        let claims = Sought::from(&**rules).list(&open, 400);
        let crowd = (state.layout.len() as f64 / 12.0).clamp(0.5, 2.0);
        let mut best: Option<(Claim, Millis)> = None;
        for claim in claims.into_iter().filter(|claim| !state.found.contains(claim)) {
            let mut cards = claim.cards().to_vec();
            cards.sort_unstable();
            let due = match self.finds.iter().find(|(known, _)| *known == cards) {
                Some((_, due)) => *due,
                None => {
                    let code = |card: Point| rules.deck.code(card);
                    let differing =
                        code(cards[0]).iter().zip(code(cards[1])).filter(|(a, b)| **a != *b).count();
                    let mean = self.level.mean(differing) * crowd;
                    let due = at.after(1_000 + exponential(mean - 1_000.0, chance));
                    self.finds.push((cards, due));
                    due
                }
            };
            if best.as_ref().is_none_or(|(_, known)| due < *known) {
                best = Some((claim, due));
            }
        }
        let (claim, due) = best?;
        act(Command::claim(claim), at, due)
    }

    // Memory.

    fn memory(
        &mut self,
        view: &memory::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        self.remember(state, at, chance);
        match state.roster.stage {
            Stage::Between if !state.roster.ready.has(seat) => {
                return Some(Thought::after(Command::Ready, between(1_500, 4_000, chance)));
            }
            Stage::Playing if !state.roster.retired(seat) => {}
            _ => return None,
        }
        let known: Vec<(u8, Point)> = (0u8..)
            .zip(&self.known)
            .filter_map(|(slot, known)| known.map(|(card, _)| (slot, card)))
            .filter(|(slot, _)| state.slots[usize::from(*slot)] == Slot::Down)
            .collect();
        let up = state.cards_up();
        let open =
            Open::layout(known.iter().map(|(_, card)| *card).chain(up.iter().copied()).map(|card| (0, card)));
        let sought = Sought { grouping: Grouping::Auto, pairing: Grouping::Auto, ..Sought::from(&**rules) };
        let whole = sought
            .list(&open, 2_000)
            .into_iter()
            .find(|claim| up.iter().all(|card| claim.cards().contains(card)));
        let declares = rules.memory_end == MemoryEnd::Declare && up.is_empty() && !state.declared.has(seat);
        if declares {
            let others = state.roster.needed(at).without(seat);
            let agree = !others.is_empty() && state.declared.contains_all(others);
            let all_known = known.len() == state.face_down().count();
            if whole.is_none() && (agree || all_known) {
                return Some(Thought::after(Command::Declare, between(1_500, 4_000, chance)));
            }
        }
        if state.turn != seat || !state.may_flip() {
            return None;
        }
        let from_memory = whole.and_then(|claim| {
            known
                .iter()
                .find(|(_, card)| claim.cards().contains(card) && !up.contains(card))
                .map(|(slot, _)| *slot)
        });
        let unknown: Vec<u8> =
            state.face_down().filter(|slot| !known.iter().any(|(known, _)| known == slot)).collect();
        let down: Vec<u8> = state.face_down().collect();
        let slot = match from_memory {
            Some(slot) => slot,
            None => pick(&unknown, chance).or_else(|| pick(&down, chance))?,
        };
        Some(Thought::after(Command::Flip(slot + 1), between(700, 2_000, chance)))
    }

    /// Takes in what lies face up and forgets what has faded.
    fn remember(&mut self, state: &memory::State, at: Millis, chance: &mut dyn Chance) {
        let mean = self.level.of(40_000.0, 180_000.0, 1_200_000.0);
        self.known.resize(state.slots.len(), None);
        for (known, slot) in self.known.iter_mut().zip(&state.slots) {
            match *slot {
                Slot::Up(card) if known.is_none_or(|(old, _)| old != card) => {
                    *known = Some((card, at.after(2_000 + exponential(mean, chance))));
                }
                Slot::Empty => *known = None,
                _ => {}
            }
        }
        // A slot that was filled anew holds something else.
        for (known, seen) in self.known.iter_mut().zip(&state.seen) {
            if known.is_some_and(|(card, until)| *seen != Some(card) || until < at) {
                *known = None;
            }
        }
    }

    // Setup.

    fn setup(
        &mut self,
        view: &setup_game::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        match state.roster.stage {
            Stage::Between if !state.roster.ready.has(seat) => {
                return Some(Thought::after(Command::Ready, between(1_500, 4_000, chance)));
            }
            Stage::Playing if !state.roster.retired(seat) => {}
            _ => return None,
        }
        if state.undecided().has(seat) {
            let look = self.look_at(state, at, chance)?;
            if let Some((due, [a, b])) = look.finds.filter(|(due, _)| *due < look.stands) {
                return act(Command::Challenge([a, b]), at, due);
            }
            return act(Command::Pass, at, look.stands);
        }
        if state.turn != seat {
            return None;
        }
        let hand = state.hands[seat.index()].cards();
        let risk = |card: Point, chance: &mut dyn Chance| {
            let pairs = state
                .table
                .iter()
                .enumerate()
                .flat_map(|(i, &a)| state.table[i + 1..].iter().map(move |&b| (a, b)));
            pairs
                .filter(|&(a, b)| is_set(a, b, card) && chance.below(100) >= self.level.of(45, 15, 2))
                .count()
        };
        let mut best: Option<(usize, i32, u32, Point)> = None;
        for &card in hand {
            // A beginner looks at this card alone; others also at what is left for the next turn.
            let ahead = self.level.of(0, 1, 1) * Self::ahead(state, hand, card);
            let rated = (risk(card, chance), ahead, chance.below(1 << 20), card);
            if best.is_none_or(|b| rated < b) {
                best = Some(rated);
            }
        }
        let (_, _, _, card) = best?;
        let thinks = at.after(between(1_500, 5_000, chance));
        let may = if state.may_play(rules, at) { at } else { state.window_ends(rules) };
        act(Command::Play(card), at, thinks.max(may))
    }

    /// How bad the table is for the next turn once a card is played: each card left in hand that would complete a Set then
    /// counts against it, and each of the cards that others may hold for it.
    fn ahead(state: &setup_game::State, hand: &[Point], card: Point) -> i32 {
        let mut dead: Vec<Point> = state.table.iter().map(|&a| third(a, card)).collect();
        let pairs = state.table.iter().enumerate();
        dead.extend(pairs.flat_map(|(i, &a)| state.table[i + 1..].iter().map(move |&b| third(a, b))));
        dead.sort_unstable();
        dead.dedup();
        dead.retain(|x| !state.table.contains(x) && *x != card);
        let own = dead.iter().filter(|x| hand.contains(x)).count() as i32;
        let others = dead.len() as i32 - own;
        20 * own - others
    }

    /// What it makes of the card played last.
    fn look_at(&mut self, state: &setup_game::State, at: Millis, chance: &mut dyn Chance) -> Option<Look> {
        let last = state.last?;
        if let Some(look) = self.looking.filter(|look| look.card == last.card && look.since == last.at) {
            return Some(look);
        }
        let mut finds: Option<(Millis, [Point; 2])> = None;
        let table = &state.table;
        for (i, &a) in table.iter().enumerate() {
            for &b in &table[i + 1..] {
                if is_set(a, b, last.card) {
                    let mean = self.level.of(9_000.0, 4_500.0, 2_200.0);
                    let due = at.after(800 + exponential(mean, chance));
                    if finds.is_none_or(|(known, _)| due < known) {
                        finds = Some((due, [a, b]));
                    }
                }
            }
        }
        // A beginner now and then sees what is not there.
        let hasty = finds.is_none() && table.len() > 2 && chance.below(100) < self.level.of(3, 1, 0);
        if hasty {
            let others: Vec<Point> = table.iter().copied().filter(|&card| card != last.card).collect();
            let (a, b) = (pick(&others, chance)?, pick(&others, chance)?);
            if a != b {
                finds = Some((at.after(2_500), [a, b]));
            }
        }
        let stands = at.after(if table.len() < 3 { 600 } else { between(3_000, 4_800, chance) });
        self.looking = Some(Look { card: last.card, since: last.at, stands, finds });
        self.looking
    }
}

impl Bot<View> for PatternBot {
    fn name(&self) -> &str {
        self.level.of("easy/2", "medium/2", "hard/2")
    }

    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        match view {
            View::Race(view) => self.race(view, at, chance),
            View::Trial(view) => self.race(view.board.as_ref()?, at, chance),
            View::Memory(view) => self.memory(view, at, chance),
            View::Setup(view) => self.setup(view, at, chance),
            View::Puzzle(view) => self.puzzle(view, at, chance),
        }
    }
}
