//! Players of the Set family.
//!
//! What makes a person slow is finding, not deciding. So a bot looks as people do (`pattern/scan.rs`): it compares two cards
//! after the other, similar ones first, until what belongs to them is noticed. How long that takes by the number of features
//! that differ is fitted to Taatgen, van Oploo, Braaksma and Niemantsverdriet (ICCM 2003); [`Level`] is one number.
//!
//! Now and then a bot claims what is only nearly right, whatever is claimed in the game. In memory it forgets, in setup it
//! overlooks, each by its level. It never keeps others waiting for an agreement (BOT-2): where it finds nothing, or all others
//! agree, it agrees.

mod advice;
mod scan;

pub use self::advice::{Advice, Found, Reason};

use self::scan::{Scan, Sight};
use crate::{Bot, Thought};
use ::pattern::finder::{Open, Sought, is_set, split_features, third};
use ::pattern::memory::Slot;
use ::pattern::race::{self, Lock, Phase};
use ::pattern::roster::Stage;
use ::pattern::rules::{Entry, Grouping, Mechanism, MemoryEnd, Tie, To};
use ::pattern::{Claim, Command, View, memory, puzzle, setup_game};
use cards::{Deck, Point};
use game::{Chance, Millis, Seat, Viewer};

/// How well a bot plays, as one number from 0 to 100. `easy` to `hard` are names of some of them ([`Level::NAMED`]).
///
/// What people are known to need lies at two of the numbers: beginners' times at `easy`, those of experts at `hard`. Between and
/// beyond them everything grows by equal factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// A beginner.
    pub const EASY: Level = Level(25);
    /// Somebody who plays now and then.
    pub const CASUAL: Level = Level(37);
    /// An experienced player.
    pub const MEDIUM: Level = Level(50);
    /// One with much practice.
    pub const SKILLED: Level = Level(63);
    /// An expert.
    pub const HARD: Level = Level(75);

    /// Those that have names, the weakest first.
    pub const NAMED: [(&'static str, Level); 5] = [
        ("easy", Level::EASY),
        ("casual", Level::CASUAL),
        ("medium", Level::MEDIUM),
        ("skilled", Level::SKILLED),
        ("hard", Level::HARD),
    ];

    /// The level of this number, up to 100.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number <= 100 { Some(Level(number)) } else { None }
    }

    /// Its number, 0 to 100.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// A value that is `easy` for beginners, `hard` for experts, and changes by equal factors between and beyond them.
    fn between(self, easy: f64, hard: f64) -> f64 {
        let span = f64::from(Level::HARD.0 - Level::EASY.0);
        easy * (hard / easy).powf((f64::from(self.0) - f64::from(Level::EASY.0)) / span)
    }

    /// Mean milliseconds to find a Set that is alone among twelve cards and differs in `features` features. Published are
    /// 29, 69, 89, 86 s of beginners and 33, 29, 61, 50 s of experts for one to four (Taatgen and others 2003); these are the
    /// nearest that never fall with the features, set apart a little where they would be equal. Five are read off the slope.
    fn mean(self, features: usize) -> f64 {
        const BEGINNERS: [f64; 5] = [29.0, 69.0, 86.0, 89.0, 95.0];
        const EXPERTS: [f64; 5] = [30.0, 32.0, 54.0, 57.0, 60.0];
        let at = features.clamp(1, 5) - 1;
        self.between(BEGINNERS[at], EXPERTS[at]) * 1000.0
    }

    /// How much two cards that differ in so many features draw the eye together, against two that differ in four.
    fn similar(self, differing: usize) -> f64 {
        // A little more than times tell: two cards compared a moment ago are not compared again, however alike they are.
        (self.mean(4) / self.mean(differing)).powf(1.15)
    }

    /// Milliseconds to compare two cards and look for what belongs to them.
    fn compare(self) -> f64 {
        self.between(2_100.0, 1_330.0)
    }

    /// How often what belongs to two cards is noticed where it lies.
    fn notice(self) -> f64 {
        self.between(0.62, 0.66).min(1.0)
    }

    /// How much less often two cards lead to a pattern of four: their meeting card has to be kept in mind while two others are
    /// tried.
    fn four(self) -> f64 {
        self.between(0.05, 0.06)
    }

    /// How many pairs it knows to have just compared.
    fn span(self) -> usize {
        self.between(5.0, 12.0) as usize
    }

    /// Milliseconds until cards that were laid are perceived.
    fn perceive(self) -> f64 {
        self.between(720.0, 480.0)
    }

    /// Milliseconds to press once something is seen.
    fn press(self) -> f64 {
        self.between(740.0, 540.0)
    }

    /// How many claims it finds for each one that is only nearly right.
    fn finds_a_slip(self) -> f64 {
        self.between(28.0, 50.0)
    }

    /// Whether it looks beyond the card at hand.
    fn looks_ahead(self) -> bool {
        self.0 >= 40
    }

    /// Whether something happens that happens to beginners in so many of a thousand cases, and to experts in so many.
    fn happens(self, easy: f64, hard: f64, chance: &mut dyn Chance) -> bool {
        f64::from(chance.below(1_000)) < self.between(easy, hard)
    }
}

/// A player of any game of the family.
#[derive(Clone, Debug)]
pub struct PatternBot {
    name: String,
    level: Level,
    /// Whether its level follows the match.
    adapts: Option<Adapts>,
    /// Where its eyes have been.
    scan: Scan,
    /// Scout: when each Set through the card shown will be found.
    shown: Vec<(Vec<Point>, Millis)>,
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

/// How a level follows a match.
#[derive(Clone, Copy, Debug)]
struct Adapts {
    /// The level at which it would play if the scores were equal.
    about: i32,
    /// The own score and the best other one when it last changed.
    scores: (i32, i32),
}

#[derive(Clone, Copy, Debug)]
struct Look {
    card: Point,
    since: Millis,
    stands: Millis,
    finds: Option<(Millis, [Point; 2])>,
}

/// Milliseconds that a bot looks on, once it is all but sure that there is nothing, for what it has not found.
const PATIENCE: u32 = 120_000;

/// Changes when the play of these bots does.
const VERSION: u8 = 3;

/// The score of the seat whose view it is, and the best other one; none where nobody else plays, or for the table.
fn standing(view: &View) -> Option<(i32, i32)> {
    let of = |who: Viewer, scores: Vec<i32>| {
        let Viewer::Seat(seat) = who else { return None };
        let others = scores.iter().enumerate().filter(|(i, _)| *i != seat.index());
        Some((*scores.get(seat.index())?, others.map(|(_, &score)| score).max()?))
    };
    match view {
        View::Race(view) => of(view.who, view.state.players.iter().map(|player| player.score).collect()),
        View::Memory(view) => of(view.who, view.state.roster.players.iter().map(|p| p.score).collect()),
        View::Setup(view) => of(view.who, view.state.roster.players.iter().map(|p| p.score).collect()),
        View::Trial(_) | View::Puzzle(_) => None,
    }
}

/// A claim with one of its cards made another.
fn swapped(claim: &Claim, at: usize, card: Point) -> Option<Claim> {
    let mut cards = claim.cards().to_vec();
    *cards.get_mut(at)? = card;
    let mut rest = &cards[..];
    let mut swapped = Claim::new();
    for group in claim.groups() {
        let (this, others) = rest.split_at(group.len());
        swapped.push(this)?;
        rest = others;
    }
    if claim.paired() {
        swapped.set_paired();
    }
    Some(swapped)
}

/// A claim that a hasty eye takes for a right one: one card of a right claim is taken for another that is like it. `wrong` says
/// whether a claim may be made and is wrong.
fn nearly(
    deck: Deck,
    claims: &[Claim],
    cards: &[Point],
    wrong: impl Fn(&Claim) -> bool,
    chance: &mut dyn Chance,
) -> Option<Claim> {
    (0..60).find_map(|_| {
        let claim = &claims[chance.below(u32::try_from(claims.len()).ok().filter(|&n| n > 0)?) as usize];
        let at = chance.below(claim.cards().len() as u32) as usize;
        let (old, new) = (claim.cards()[at], pick(cards, chance)?);
        let differing = deck.code(old).iter().zip(deck.code(new)).filter(|(a, b)| **a != *b).count();
        let swapped = (differing > 0 && differing < 3).then(|| swapped(claim, at, new))??;
        wrong(&swapped).then_some(swapped)
    })
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
        let named = Level::NAMED.iter().find(|(_, known)| *known == level);
        let name = named.map_or_else(|| level.number().to_string(), |(name, _)| (*name).to_owned());
        PatternBot {
            name: format!("{name}/{VERSION}"),
            level,
            adapts: None,
            scan: Scan::default(),
            shown: Vec::new(),
            slip: None,
            errors: 0,
            meant: None,
            sure: None,
            known: Vec::new(),
            looking: None,
            hasty: None,
        }
    }

    /// A bot that begins with experience, and plays better or worse as the match goes: as well as whoever does best against it.
    #[must_use]
    pub fn adaptive() -> PatternBot {
        let bot = PatternBot::new(Level::MEDIUM);
        PatternBot {
            name: format!("adaptive/{VERSION}"),
            adapts: Some(Adapts { about: Level::MEDIUM.0.into(), scores: (0, 0) }),
            ..bot
        }
    }

    /// Follows the match once somebody has scored: the further ahead it stands the worse it plays, and the other way about. What
    /// level that is from changes slowly, towards whoever does best against it.
    fn adapt(&mut self, view: &View) {
        let (Some(adapts), Some(scores)) = (&mut self.adapts, standing(view)) else { return };
        if scores == adapts.scores {
            return;
        }
        let behind = scores.1 - scores.0;
        adapts.scores = scores;
        adapts.about = (adapts.about + 3 * behind.signum()).clamp(5, 95);
        let number = (adapts.about + 8 * behind).clamp(0, 100);
        self.level = Level(number as u8);
    }

    // The race and scout.

    /// Looks on until a claim is found, and returns the one found first with the time when it is made.
    fn look(
        &mut self,
        view: &race::View,
        seat: Seat,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<(Claim, Millis)> {
        let (rules, state) = (&view.rules, &view.state);
        let mut claims = view.claims(400);
        let player = &state.players[seat.index()];
        let hand = player.hand.cards();
        if rules.to == To::Discard {
            // A Set of table cards alone empties nobody's hand (TWTY-8).
            claims.retain(|claim| claim.cards().iter().any(|card| hand.contains(card)));
        }
        let mut cards: Vec<Point> = state.board.cards().collect();
        cards.extend(hand.iter().chain(&player.previous));
        cards.extend(claims.iter().flat_map(Claim::cards));
        cards.sort_unstable();
        cards.dedup();
        let own = |card: Point| hand.contains(&card) || player.previous.contains(&card);
        let lit = |card: Point| state.lit.contains(&card) || view.mine.hints.contains(&card);
        self.find(rules.deck, &cards, claims, (at, state.open_at), &lit, &own, chance)
    }

    /// The claim found first of these among these cards. They are seen at one time, and lie from another on.
    #[expect(clippy::too_many_arguments, reason = "all of what lies before the eyes")]
    fn find(
        &mut self,
        deck: Deck,
        cards: &[Point],
        claims: Vec<Claim>,
        (at, open): (Millis, Millis),
        lit: &dyn Fn(Point) -> bool,
        own: &dyn Fn(Point) -> bool,
        chance: &mut dyn Chance,
    ) -> Option<(Claim, Millis)> {
        let sorted = |group: &[Point]| {
            let mut cards = group.to_vec();
            cards.sort_unstable();
            cards
        };
        let mut groups: Vec<Vec<Point>> = claims.iter().flat_map(|c| c.groups().map(sorted)).collect();
        groups.sort();
        groups.dedup();
        let level = self.level;
        let sight = Sight { deck, cards, groups: &groups, lit, own };
        self.scan.see(&sight, at, open, level, chance);
        // Several patterns are found when the last of them is.
        let due = |scan: &Scan, claim: &Claim| {
            claim
                .groups()
                .map(|group| scan.due(&sorted(group), level))
                .try_fold(Millis(0), |last, due| Some(last.max(due?)))
        };
        self.scan.look(&sight, level, chance, |scan| claims.iter().any(|claim| due(scan, claim).is_some()));
        let scan = &self.scan;
        claims
            .into_iter()
            .filter_map(|claim| Some((due(scan, &claim)?, claim)))
            .min_by_key(|(due, _)| *due)
            .map(|(due, claim)| (claim, due))
    }

    /// A claim that is nearly right.
    fn mistake(view: &race::View, seat: Seat, chance: &mut dyn Chance) -> Option<Claim> {
        let player = &view.state.players[seat.index()];
        let cards: Vec<Point> = view.state.board.cards().chain(player.hand.cards().iter().copied()).collect();
        let wrong = |claim: &Claim| view.judged(claim).is_some_and(|finding| !finding.right());
        nearly(view.rules.deck, &view.claims(60), &cards, wrong, chance).or_else(|| {
            // Where there is none: one feature alone of three cards splits two-and-one.
            (0..60).find_map(|_| {
                let (a, b, c) = (pick(&cards, chance)?, pick(&cards, chance)?, pick(&cards, chance)?);
                let split = split_features(view.rules.deck.digits(), [a, b, c]);
                let claim = (split.count_ones() == 1).then(|| Claim::one(&[a, b, c]))?;
                wrong(&claim).then_some(claim)
            })
        })
    }

    /// When the next slip comes: as much later as finding takes longer.
    fn next_slip(&self, at: Millis, found: Option<Millis>, chance: &mut dyn Chance) -> Millis {
        let find = found.map_or(30_000, |due| due.since(at).max(5_000));
        at.after(exponential(self.level.finds_a_slip() * f64::from(find), chance))
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
                self.scan.clear();
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
        let due = found.as_ref().map(|(_, due)| *due);
        let slip = self.slip.filter(|&slip| slip >= at).unwrap_or_else(|| self.next_slip(at, due, chance));
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
            let slips = due.is_none_or(|due| slip < due);
            let mut mistake = || Self::mistake(view, seat, chance).map(|claim| (claim, slip));
            let next = if slips { mistake().or_else(|| found.clone()) } else { found.clone() };
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
                let look = self.level.between(15_000.0, 5_000.0) as u32;
                let sure = at.after(between(look, 2 * look, chance));
                self.sure = Some((state.layout, sure));
                sure
            }
        };
        match (found, alone) {
            (false, _) => act(Command::NoSet, at, sure),
            (true, true) => act(Command::NoSet, at, sure.min(at.after(between(2_000, 5_000, chance)))),
            // Whoever has looked for so long without finding anything gives up, whatever there is.
            (true, false) => act(Command::NoSet, at, sure.after(PATIENCE)),
        }
    }

    /// After its call: the claim it had in mind, or the seal.
    fn answer(
        &mut self,
        view: &race::View,
        at: Millis,
        deadline: Option<Millis>,
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
        let due = at.after(deadline.map_or(after, |end| after.min(end.since(at) / 2)));
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
        let points = if self.level.looks_ahead() {
            cards.into_iter().max_by_key(decoys)?
        } else {
            pick(&cards, chance)?
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
        if self.hasty.is_none_or(|(end, _)| end != search.deadline) {
            self.shown.clear();
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
            let due = match self.shown.iter().find(|(known, _)| *known == cards) {
                Some((_, due)) => *due,
                None => {
                    let code = |card: Point| view.rules.deck.code(card);
                    let differing = code(x).iter().zip(code(y)).filter(|(a, b)| **a != *b).count();
                    // What was seen before the search is known.
                    let seen = self.scan.has_seen(&cards, at);
                    let looks = if seen { 0 } else { exponential(self.level.mean(differing) * 0.3, chance) };
                    let due = at.after(800 + looks);
                    self.shown.push((cards, due));
                    due
                }
            };
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
        if !self.level.happens(150.0, 30.0, chance) {
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
        let sought = Sought::from(&**rules);
        let mut claims = sought.list(&open, 400);
        claims.retain(|claim| !state.found.contains(claim));
        if std::mem::replace(&mut self.errors, state.errors) != state.errors {
            self.slip = None;
        }
        let lit = |card: Point| state.hints.contains(&card);
        let found = self.find(rules.deck, &state.layout, claims.clone(), (at, at), &lit, &|_| false, chance);
        let due = found.as_ref().map(|(_, due)| *due);
        let slip = self.slip.filter(|&slip| slip >= at).unwrap_or_else(|| self.next_slip(at, due, chance));
        self.slip = Some(slip);
        let wrong = |claim: &Claim| sought.judge(&open, claim).is_ok_and(|judged| !judged.finding.right());
        if due.is_none_or(|due| slip < due)
            && let Some(claim) = nearly(rules.deck, &claims, &state.layout, wrong, chance)
        {
            return act(Command::claim(claim), at, slip);
        }
        let (claim, due) = found?;
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
        let mean = self.level.between(20_000.0, 300_000.0);
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
            pairs.filter(|&(a, b)| is_set(a, b, card) && !self.level.happens(450.0, 40.0, chance)).count()
        };
        let mut best: Option<(usize, i32, u32, Point)> = None;
        for &card in hand {
            // A beginner looks at this card alone; others also at what is left for the next turn.
            let ahead = i32::from(self.level.looks_ahead()) * Self::ahead(state, hand, card);
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
                    let mean = self.level.between(8_000.0, 3_000.0);
                    let due = at.after(800 + exponential(mean, chance));
                    if finds.is_none_or(|(known, _)| due < known) {
                        finds = Some((due, [a, b]));
                    }
                }
            }
        }
        // A beginner now and then sees what is not there.
        let hasty = finds.is_none() && table.len() > 2 && self.level.happens(30.0, 5.0, chance);
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
        &self.name
    }

    fn think(&mut self, view: &View, at: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        self.adapt(view);
        match view {
            View::Race(view) => self.race(view, at, chance),
            View::Trial(view) => self.race(view.board.as_ref()?, at, chance),
            View::Memory(view) => self.memory(view, at, chance),
            View::Setup(view) => self.setup(view, at, chance),
            View::Puzzle(view) => self.puzzle(view, at, chance),
        }
    }

    fn advise(&self, view: &View) -> Option<crate::Advice> {
        self.advised(view).map(crate::Advice::Pattern)
    }
}
