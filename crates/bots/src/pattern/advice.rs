//! What a bot of the Set family would do in somebody's place, and why: what it would look at, what it would find, and how long that
//! would take.
//!
//! It looks many times at what lies there, each time as it would at the table, with chances that are always the same: the same
//! view brings the same advice. The sentences are keys of the language files (`crates/web/lang/rules`, table `set_advice`).

use super::scan::Scan;
use super::{Claim, Command, PatternBot, View};
use ::pattern::finder::{Open, Sought, is_set};
use ::pattern::race::Phase;
use ::pattern::roster::Stage;
use ::pattern::rules::{Entry, Mechanism, NoClaim};
use ::pattern::{memory, puzzle, race, setup_game};
use cards::{Deck, Point};
use game::chance::SplitMix;
use game::{Millis, Say, Viewer, say};
use serde::{Deserialize, Serialize};

/// How often it looks.
const LOOKS: u64 = 48;
/// Pairs that are told of.
const TOLD: usize = 6;

/// What a bot would do now in the place of whoever sees a view, and why.
pub type Advice = crate::Advised<Command, Reason>;

/// Why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It would find this.
    Found(Found),
    /// There is nothing to be found: so many seconds until it is sure of that.
    Nothing {
        /// Seconds that it looks, on average.
        seconds: f32,
    },
    /// It turns up a card of a slot that it has seen, which goes with others that it has seen; or one that it has not.
    Turned {
        /// What lies there, where that was seen.
        card: Option<Point>,
        /// Cards that were seen and lie face down.
        known: u8,
    },
    /// It places a card: pairs of the table that make a Set with it.
    Placed {
        /// So many pairs.
        pairs: u8,
    },
    /// Two cards make a Set with the one that was placed, or no two do.
    Judged {
        /// The card that was placed.
        card: Point,
        /// Whether two of the table make a Set with it.
        completes: bool,
    },
}

/// What is found by looking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// What is found first most often.
    pub claim: Claim,
    /// How often it is found first, of one.
    pub first: f32,
    /// Claims that could be made, up to some hundreds.
    pub claims: u16,
    /// Seconds until something is claimed, on average, from when the cards lie.
    pub seconds: f32,
    /// The first pairs that are compared, in one of the looks.
    pub looked: Vec<[Point; 2]>,
    /// How many pairs are compared until something is found, on average.
    pub pairs: f32,
    /// Features in which the cards of its first pattern are not all alike: the more, the longer it is looked for.
    pub differing: u8,
}

/// What is seen of one of the looks.
struct Look {
    claim: Claim,
    due: Millis,
    pairs: Vec<[Point; 2]>,
}

impl PatternBot {
    /// What this bot would do for whoever sees the view; none where nothing is waited for, or where it has nothing to say.
    pub(super) fn advised(&self, view: &View) -> Option<Advice> {
        let (command, reason) = match view {
            View::Race(view) => self.advised_race(view)?,
            View::Trial(view) => self.advised_race(view.board.as_ref()?)?,
            View::Puzzle(view) => self.advised_puzzle(view)?,
            View::Memory(view) => self.advised_memory(view)?,
            View::Setup(view) => self.advised_setup(view)?,
        };
        Some(Advice { bot: self.name.clone(), command, reason })
    }

    /// A bot of its level that has seen nothing yet.
    fn fresh(&self) -> PatternBot {
        PatternBot { name: self.name.clone(), adapts: self.adapts, ..PatternBot::new(self.level) }
    }

    /// What comes of looking, as often as it looks.
    fn looks(
        &self,
        open: Millis,
        find: impl Fn(&mut PatternBot, &mut SplitMix) -> Option<(Claim, Millis)>,
    ) -> Vec<Look> {
        let look = |seed| {
            let (mut bot, mut chance) = (self.fresh(), SplitMix(seed));
            let (claim, due) = find(&mut bot, &mut chance)?;
            Some(Look { pairs: bot.scan.compared(due), claim, due: Millis(due.since(open)) })
        };
        (0..LOOKS).filter_map(look).collect()
    }

    fn advised_race(&self, view: &race::View) -> Option<(Command, Reason)> {
        let seat = view.seat()?;
        let (rules, state) = (&view.rules, &view.state);
        let me = &state.players[seat.index()];
        let mine = state.call.is_some_and(|call| call.callers.has(seat)) && view.mine.answer.is_none();
        let open = match state.phase {
            Phase::Open | Phase::Dealing => true,
            Phase::Called | Phase::Tie => mine,
            _ => false,
        };
        let plays = me.here() && state.shuffling.is_none() && state.picking.is_none();
        if !open || !plays || !state.players_in(rules).has(seat) {
            return None;
        }
        let at = state.open_at;
        let looks = self.looks(at, |bot, chance| bot.look(view, seat, at, chance));
        let Some(found) = found(rules.deck, &looks, view.claims(400).len()) else {
            let may = rules.no_claim != NoClaim::Auto && state.phase == Phase::Open && !state.flags.has(seat);
            return may.then(|| (Command::NoSet, self.nothing()));
        };
        let calls = rules.entry == Entry::Call && !mine || rules.mechanism == Mechanism::Scout;
        let command = if calls { Command::Call } else { Command::claim(found.claim.clone()) };
        Some((command, Reason::Found(found)))
    }

    /// As long as it looks until it is sure that there is nothing.
    fn nothing(&self) -> Reason {
        Reason::Nothing { seconds: (1.5 * self.level.between(15.0, 5.0)) as f32 }
    }

    fn advised_puzzle(&self, view: &puzzle::View) -> Option<(Command, Reason)> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        if state.roster.stage != Stage::Playing || state.roster.retired(seat) {
            return None;
        }
        let open = Open::layout(state.layout.iter().map(|&card| (0, card)));
        let mut claims = Sought::from(&**rules).list(&open, 400);
        claims.retain(|claim| !state.found.contains(claim));
        let lit = |card: Point| state.hints.contains(&card);
        let at = Millis(0);
        let looks = self.looks(at, |bot, chance| {
            bot.find(rules.deck, &state.layout, claims.clone(), (at, at), &lit, &|_| false, chance)
        });
        let found = found(rules.deck, &looks, claims.len())?;
        Some((Command::claim(found.claim.clone()), Reason::Found(found)))
    }

    /// As if it had forgotten nothing.
    fn advised_memory(&self, view: &memory::View) -> Option<(Command, Reason)> {
        let state = &view.state;
        let mut bot = self.fresh();
        bot.known = state.seen.iter().map(|seen| seen.map(|card| (card, Millis(u32::MAX)))).collect();
        let command = bot.memory(view, Millis(0), &mut SplitMix(state.seen.len() as u64))?.command;
        let down: Vec<usize> = state.face_down().map(usize::from).collect();
        let known = down.iter().filter(|&&slot| state.seen[slot].is_some()).count() as u8;
        let card = match command {
            Command::Flip(slot) => state.seen[usize::from(slot) - 1],
            Command::Declare => None,
            _ => return None,
        };
        Some((command, Reason::Turned { card, known }))
    }

    fn advised_setup(&self, view: &setup_game::View) -> Option<(Command, Reason)> {
        let table = &view.state.table;
        let pairs = |card: Point| {
            let pairs =
                table.iter().enumerate().flat_map(|(i, &a)| table[i + 1..].iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| a != card && b != card && is_set(a, b, card)).count() as u8
        };
        let command = self.fresh().setup(view, Millis(0), &mut SplitMix(table.len() as u64))?.command;
        let reason = match (&command, view.state.last) {
            (Command::Play(card), _) => Reason::Placed { pairs: pairs(*card) },
            (Command::Pass | Command::Challenge(_), Some(last)) => {
                Reason::Judged { card: last.card, completes: matches!(command, Command::Challenge(_)) }
            }
            _ => return None,
        };
        Some((command, reason))
    }
}

/// What is told of the looks; none where nothing was found.
fn found(deck: Deck, looks: &[Look], claims: usize) -> Option<Found> {
    let often = |claim: &Claim| looks.iter().filter(|look| look.claim == *claim).count();
    let most = looks.iter().map(|look| often(&look.claim)).max()?;
    let best = looks.iter().find(|look| often(&look.claim) == most)?;
    let mean = |of: &dyn Fn(&Look) -> f64| looks.iter().map(of).sum::<f64>() / looks.len() as f64;
    let group: Vec<Vec<u8>> = best.claim.groups().next()?.iter().map(|&card| deck.code(card)).collect();
    let features = group.first().map_or(0, Vec::len);
    let alike = |feature: &usize| group.iter().all(|code| code[*feature] == group[0][*feature]);
    // The look of this claim that took about as long as they take on average.
    let typical = mean(&|look| look.pairs.len() as f64);
    let told = looks.iter().filter(|look| look.claim == best.claim);
    let told = told.min_by(|a, b| {
        let off = |look: &Look| (look.pairs.len() as f64 - typical).abs();
        off(a).total_cmp(&off(b))
    })?;
    Some(Found {
        claim: best.claim.clone(),
        first: most as f32 / looks.len() as f32,
        claims: u16::try_from(claims).unwrap_or(u16::MAX),
        seconds: (mean(&|look| f64::from(look.due.0)) / 1_000.0) as f32,
        looked: told.pairs.iter().copied().take(TOLD).collect(),
        pairs: typical as f32,
        differing: (0..features).filter(|feature| !alike(feature)).count() as u8,
    })
}

impl Scan {
    /// The pairs that were compared before something is claimed at this time.
    fn compared(&self, due: Millis) -> Vec<[Point; 2]> {
        self.tried.iter().filter(|tried| tried.at <= due).map(|tried| tried.pair).collect()
    }
}

impl Advice {
    /// The cards that it would claim, place or show.
    #[must_use]
    pub fn cards(&self) -> &[Point] {
        match (&self.command, &self.reason) {
            (Command::Call, Reason::Found(found)) => found.claim.cards(),
            (Command::Claim { groups, .. }, _) => groups.cards(),
            (Command::Play(card), _) => std::slice::from_ref(card),
            (Command::Challenge(pair), _) => pair,
            _ => &[],
        }
    }

    /// What it would do, in a sentence; `card` says how a card is called.
    #[must_use]
    pub fn action(&self, card: &dyn Fn(Point) -> String) -> Say {
        let cards = |cards: &[Point]| cards.iter().map(|&c| card(c)).collect::<Vec<_>>().join(" ");
        let claimed = |claim: &Claim| claim.groups().map(cards).collect::<Vec<_>>().join(" · ");
        match (&self.command, &self.reason) {
            (Command::Call, Reason::Found(found)) => say!("set_advice.call", cards = claimed(&found.claim)),
            (Command::Claim { groups, .. }, _) => say!("set_advice.claim_set", cards = claimed(groups)),
            (Command::NoSet, _) => say!("set_advice.no_set"),
            (Command::Flip(slot), _) => say!("set_advice.flip", n = *slot),
            (Command::Declare, _) => say!("set_advice.declare"),
            (Command::Play(placed), _) => say!("set_advice.place", card = card(*placed)),
            (Command::Challenge(pair), _) => say!("set_advice.challenge", cards = cards(pair)),
            (Command::Pass, _) => say!("set_advice.stands"),
            // Nothing else is advised.
            _ => Say::new(""),
        }
    }

    /// Why, in sentences: what weighs most first.
    #[must_use]
    pub fn reasons(&self, card: &dyn Fn(Point) -> String) -> Vec<Say> {
        match &self.reason {
            Reason::Found(found) => found.reasons(card),
            Reason::Nothing { seconds } => vec![say!("set_advice.sure", n = rounded(*seconds))],
            Reason::Turned { card: Some(seen), .. } => vec![say!("set_advice.turned", card = card(*seen))],
            Reason::Turned { card: None, known } => vec![say!("set_advice.unturned", n = *known)],
            Reason::Placed { pairs: 0 } => vec![say!("set_advice.safe_place")],
            Reason::Placed { pairs } => vec![say!("set_advice.unsafe_place", n = *pairs)],
            Reason::Judged { card: placed, completes: true } => {
                vec![say!("set_advice.makes_set", card = card(*placed))]
            }
            Reason::Judged { card: placed, completes: false } => {
                vec![say!("set_advice.makes_none", card = card(*placed))]
            }
        }
    }
}

impl Found {
    fn reasons(&self, card: &dyn Fn(Point) -> String) -> Vec<Say> {
        let pair = |pair: &[Point; 2]| format!("{} {}", card(pair[0]), card(pair[1]));
        let mut told = Vec::new();
        let looked: Vec<String> = self.looked.iter().map(pair).collect();
        if !looked.is_empty() {
            told.push(say!("set_advice.looked", pairs = looked.join(" · ")));
        }
        told.push(say!("set_advice.found", n = rounded(self.seconds), m = rounded(self.pairs)));
        if self.claims > 1 {
            let percent = rounded(100.0 * self.first);
            told.push(say!("set_advice.found_first", n = self.claims, m = percent));
        }
        told.push(say!("set_advice.differing", n = self.differing));
        told
    }
}

/// A number for people: what is measured on average is not told more exactly.
fn rounded(number: f32) -> i64 {
    number.round() as i64
}
