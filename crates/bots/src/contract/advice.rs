//! What a bot would do in somebody's place, and why: what it weighed, as data and in sentences.
//!
//! It is asked with the view of whoever wants to know and sees nothing else. The sentences are keys of the language files
//! (`crates/web/lang/rules`, table `advice`).

use super::strong::{BEFORE, Choice};
use super::{Level, Mind};
use ::contract::meld::DeclaredMeld;
use ::contract::solver::{Counts, Gauge, without};
use ::contract::state::Phase;
use ::contract::{Command, View};
use cards::Face;
use game::chance::SplitMix;
use game::{Say, Seat, say};
use serde::{Deserialize, Serialize};

/// What a bot would do now in the place of whoever sees a view, and why.
pub type Advice = crate::Advised<Command, Reason>;

/// Why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Melds are laid as soon as they can be.
    Meld {
        /// Whether it is one more, after the contract.
        further: bool,
        /// Points that are left in hand then.
        left: i32,
    },
    /// A card fits on the table.
    LayOff {
        /// Points that it counts no more.
        points: i32,
    },
    /// A wild may be had for the card that it stands for.
    Reclaim,
    /// A card must be thrown.
    Throw {
        /// Cards that are missing from the contract now; none if none would do.
        missing: Option<u8>,
        /// Whether the contract lies.
        down: bool,
        /// What was compared: the choice, and the next best.
        weighed: Vec<Weighed>,
    },
    /// A card may be taken: in turn, out of turn, or onto a meld.
    Card(Offered),
    /// Something is named or picked: cards that are missing from the contract then.
    Named {
        /// What is named, where it is a rank.
        rank: Option<String>,
        /// Cards that are missing then; none if none would do.
        missing: Option<u8>,
    },
    /// These are missed least.
    PassOn,
    /// There is nothing to weigh.
    Nothing,
}

/// A card that could be thrown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// The card.
    pub card: Face,
    /// Cards that are missing from the contract without it; none if none would do, and once down.
    pub missing: Option<u8>,
    /// Unseen cards that would then bring the hand nearer; 0 once down.
    pub helpers: u16,
    /// What it costs to hold it at the end of the round, in points.
    pub points: i32,
    /// Cards that others picked up, still hold, and could lay with it: who, and which.
    pub near: Vec<(Seat, Face)>,
    /// Whether it fits on a meld of the table.
    pub fits: bool,
    /// What was learned of hands like the one that is left: by how many points the round ends better than after the throw that looks
    /// worst of those that were compared so, if that was looked at.
    pub learned: Option<f32>,
    /// Cards that go by on average until the contract lies, if that was looked at.
    pub waits: Option<f32>,
    /// What came of playing on in mind, if that was done.
    pub played: Option<Played>,
}

/// What came of playing a round to its end in mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// How often it was played.
    pub rounds: u32,
    /// What the own seat had in points for the round, on average.
    pub points: f32,
    /// How many of the others are likely to be behind at the end of the match: a share, 0 to 1.
    pub ahead_of: f32,
}

impl Played {
    /// One round more.
    pub(super) fn add(&mut self, points: i32, ahead_of: f64) {
        self.rounds += 1;
        self.points += (points as f32 - self.points) / self.rounds as f32;
        self.ahead_of += (ahead_of as f32 - self.ahead_of) / self.rounds as f32;
    }
}

/// A card that could be taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    /// The card on top of the discard pile; none if there is none.
    pub card: Option<Face>,
    /// Whether it would be taken.
    pub taken: bool,
    /// Whether the contract lies.
    pub down: bool,
    /// Whether the card fits on a meld of the table.
    pub fits: bool,
    /// Cards that are missing from the contract without it and with it; none if none would do.
    pub missing: [Option<u8>; 2],
    /// Cards that come with it as a penalty.
    pub penalty: u8,
    /// What it costs in points.
    pub price: i32,
    /// By how many points the round ends better with it than without it, by what was learned of such hands, if that was looked at.
    pub learned: Option<f32>,
    /// Cards that go by on average until the contract lies, without it and with it, if that was looked at.
    pub waits: Option<[f32; 2]>,
    /// What came of playing on in mind, without it and with it, if that was done.
    pub played: Option<[Played; 2]>,
}

/// How cards and players are called where advice is read.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// A card.
    pub card: &'a dyn Fn(Face) -> String,
    /// Who sits in a seat.
    pub name: &'a dyn Fn(Seat) -> String,
}

impl Words<'_> {
    fn cards(&self, cards: impl IntoIterator<Item = Face>) -> String {
        cards.into_iter().map(self.card).collect::<Vec<_>>().join(" ")
    }

    fn melds(&self, melds: &[DeclaredMeld]) -> String {
        melds.iter().map(|meld| self.cards(meld.faces())).collect::<Vec<_>>().join(" · ")
    }
}

/// What a bot of this level would do for whoever sees the view; none where nobody waits for them.
pub(crate) fn advise(view: &View, level: Level, bot: &str) -> Option<Advice> {
    let mind = Mind::new(view, level)?;
    let mut chance = SplitMix(u64::from(view.flow.turns) << 16 | u64::from(view.flow.finished));
    let command = mind.think(&mut chance)?.command;
    let reason = mind.reason(&command);
    Some(Advice { bot: bot.to_owned(), command, reason })
}

/// Discards that are told of beside the chosen one.
const TOLD: usize = 3;

impl Mind<'_> {
    /// Cards that are missing from the contract.
    fn missing(&self, hand: &Counts) -> Option<u8> {
        Some(self.distance(hand)).filter(|&near| near != Gauge::NEVER)
    }

    /// Why it would do this.
    fn reason(&self, command: &Command) -> Reason {
        let value = |card: Face| i32::from(self.law().values[card.index()]);
        let laid =
            |melds: &[DeclaredMeld]| -> Vec<Face> { melds.iter().flat_map(DeclaredMeld::faces).collect() };
        match command {
            Command::Meld { melds, .. } => Reason::Meld {
                further: self.down(),
                left: self.law().points_of(&without(&self.hand, &laid(melds))),
            },
            Command::LayOff { cards, .. } => {
                Reason::LayOff { points: cards.iter().map(|said| value(said.card)).sum() }
            }
            Command::Reclaim { .. } => Reason::Reclaim,
            Command::Discard { card, .. } => self.thrown(*card),
            Command::DrawDiscard | Command::Buy | Command::Take | Command::Shanghai { .. } => {
                self.offered(true)
            }
            Command::DrawStock | Command::DrawPush | Command::Pass => self.offered(false),
            Command::PassOn { .. } => Reason::PassOn,
            Command::Contract { .. } => Reason::Named { rank: None, missing: self.missing(&self.hand) },
            Command::Wild { rank } => {
                Reason::Named { rank: Some(self.law().rank_text(*rank)), missing: self.missing(&self.hand) }
            }
            _ => Reason::Nothing,
        }
    }

    fn thrown(&self, card: Face) -> Reason {
        let notes = self.notes.borrow();
        let others = notes.ranked.iter().copied().filter(|&other| other != card).take(TOLD);
        let down = self.down();
        let worst = notes.valued.last().map_or(0.0, |&(points, _)| points);
        let weighed = std::iter::once(card).chain(others).map(|card| {
            let rest = without(&self.hand, &[card]);
            let missing = (!down).then(|| self.missing(&rest)).flatten();
            let helpers = missing.filter(|&n| n > 0).map_or(0, |n| self.helpers(&rest, n));
            let tried = |(choice, _): &&(Choice, Played)| *choice == Choice::Throw(card);
            Weighed {
                card,
                missing,
                helpers: u16::try_from(helpers).unwrap_or(0),
                points: self.cost(card),
                near: self.near(card),
                fits: self.fits_for_somebody(card),
                learned: notes
                    .valued
                    .iter()
                    .find(|(_, looked)| *looked == card)
                    .map(|&(points, _)| points - worst),
                waits: notes.walked.iter().find(|(looked, _)| *looked == card).map(|&(_, waits)| waits),
                played: notes.played.iter().find(tried).map(|&(_, played)| played),
            }
        });
        let weighed = weighed.collect();
        Reason::Throw { missing: if down { None } else { self.missing(&self.hand) }, down, weighed }
    }

    /// Cards that others picked up, still hold, and could lay with this one.
    fn near(&self, card: Face) -> Vec<(Seat, Face)> {
        let taken = self.view.board.taken.iter();
        let held = taken.filter(|t| t.seat != self.seat && !t.gone && !self.view.flow.down.has(t.seat));
        let mut near: Vec<(Seat, Face)> =
            held.filter(|t| self.goes_with(card, t.card) > 0).map(|t| (t.seat, t.card)).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    fn offered(&self, taken: bool) -> Reason {
        let Some(card) = self.view.flow.top else {
            return Reason::Card(Offered {
                card: None,
                taken,
                down: self.down(),
                fits: false,
                missing: [None; 2],
                penalty: 0,
                price: 0,
                learned: None,
                waits: None,
                played: None,
            });
        };
        let take = &self.view.round().settings.take;
        let asked = !matches!(self.view.flow.phase, Phase::Start | Phase::Shanghai { .. });
        let notes = self.notes.borrow();
        let played = |taken: bool| {
            let tried = notes.played.iter().find(|(choice, _)| *choice == Choice::Take(taken));
            tried.map(|&(_, played)| played)
        };
        Reason::Card(Offered {
            card: Some(card),
            taken,
            down: self.down(),
            fits: self.fits(card),
            missing: [self.missing(&self.hand), self.missing(&self.with(card))],
            penalty: if asked { take.penalty } else { 0 },
            price: if asked { take.points } else { 0 },
            learned: notes.valued_take,
            waits: notes.waits,
            played: played(false).zip(played(true)).map(|(without, with)| [without, with]),
        })
    }
}

/// A number for people: what is measured on average is not told more exactly.
fn rounded(number: f32) -> i64 {
    number.round() as i64
}

impl Advice {
    /// What it would do, in a sentence.
    #[must_use]
    pub fn action(&self, words: Words<'_>) -> Say {
        let top = || match &self.reason {
            Reason::Card(offered) => offered.card.map(words.card).unwrap_or_default(),
            _ => String::new(),
        };
        match &self.command {
            Command::Discard { card, .. } => say!("advice.throw", card = (words.card)(*card)),
            Command::Hold => say!("advice.hold"),
            Command::DrawDiscard => say!("advice.draw_discard", card = top()),
            Command::DrawStock => say!("advice.draw_stock"),
            Command::DrawPush => say!("advice.push", card = top()),
            Command::Buy => say!("advice.buy", card = top()),
            Command::Take => say!("advice.take", card = top()),
            Command::Pass => say!("advice.pass", card = top()),
            Command::Shanghai { on, .. } => say!("advice.claim", card = top(), n = *on),
            Command::Meld { melds, .. } => say!("advice.meld", melds = words.melds(melds)),
            Command::LayOff { cards, on, .. } => {
                say!("advice.lay_off", cards = words.cards(cards.iter().map(|said| said.card)), n = *on)
            }
            Command::Reclaim { card, from } => {
                say!("advice.reclaim", card = (words.card)(*card), n = *from)
            }
            Command::PassOn { cards } => say!("advice.pass_on", cards = words.cards(cards.iter().copied())),
            Command::Contract { number } => say!("advice.contract", n = *number),
            Command::Wild { .. } => match &self.reason {
                Reason::Named { rank: Some(rank), .. } => say!("advice.wild", rank = rank.clone()),
                _ => say!("advice.any"),
            },
            _ => say!("advice.any"),
        }
    }

    /// Why, in sentences: what weighs most first.
    #[must_use]
    pub fn reasons(&self, words: Words<'_>) -> Vec<Say> {
        match &self.reason {
            Reason::Meld { further: true, left } => vec![say!("advice.further", n = *left)],
            Reason::Meld { left, .. } => vec![say!("advice.complete", n = *left)],
            Reason::LayOff { points } => vec![say!("advice.sheds", n = *points)],
            Reason::Reclaim => vec![say!("advice.wild_back")],
            Reason::Throw { missing, down, weighed } => thrown(*missing, *down, weighed, words),
            Reason::Card(offered) => offered.reasons(words),
            Reason::Named { missing, .. } => match missing {
                Some(n) => vec![say!("advice.nearest", n = *n)],
                None => vec![say!("advice.hopeless")],
            },
            Reason::PassOn => vec![say!("advice.missed_least")],
            Reason::Nothing => vec![say!("advice.nothing")],
        }
    }
}

fn thrown(missing: Option<u8>, down: bool, weighed: &[Weighed], words: Words<'_>) -> Vec<Say> {
    let [first, others @ ..] = weighed else { return Vec::new() };
    let mut told = Vec::new();
    match first.missing {
        _ if down => told.push(say!("advice.down")),
        None => told.push(say!("advice.hopeless")),
        Some(0) if missing == Some(0) => told.push(say!("advice.still_complete")),
        Some(n) if Some(n) == missing => told.push(say!("advice.still", n = n)),
        Some(n) => told.push(say!("advice.step_back", n = n)),
    }
    if first.missing.is_some_and(|n| n > 0) {
        told.push(say!("advice.helpers", n = first.helpers));
    }
    if let Some(played) = first.played.filter(|played| played.rounds > 0) {
        let points = rounded(played.points);
        told.push(say!("advice.played", rounds = played.rounds, n = points));
        let other = others.iter().find_map(|other| Some((other.card, other.played?)));
        if let Some((card, other)) = other.filter(|(_, other)| other.rounds > 0) {
            told.push(say!("advice.played_other", card = (words.card)(card), n = rounded(other.points)));
        }
    }
    let learned = |one: &Weighed| Some((one.card, rounded(first.learned? - one.learned?)));
    if let Some((card, by)) = others.iter().find_map(learned).filter(|&(_, by)| by > 0) {
        told.push(say!("advice.learned", card = (words.card)(card), n = by));
    }
    // The imagined deals alone would have it otherwise.
    let ends =
        |one: &Weighed| one.played.filter(|played| played.rounds > 0).map(|played| rounded(played.points));
    let better = |one: &Weighed| ends(one).zip(ends(first)).is_some_and(|(other, first)| other < first);
    if first.learned.is_some() && others.iter().any(better) {
        told.push(say!("advice.together", n = BEFORE as i64));
    }
    if let Some(waits) = first.waits {
        told.push(say!("advice.waits", n = rounded(waits)));
        if let Some((card, other)) = others.iter().find_map(|other| Some((other.card, other.waits?))) {
            told.push(say!("advice.waits_other", card = (words.card)(card), n = rounded(other)));
        }
    }
    told.push(say!("advice.points", n = first.points));
    if first.near.is_empty() {
        told.push(say!("advice.safe"));
    }
    for &(seat, card) in first.near.iter().take(2) {
        told.push(say!("advice.near", name = (words.name)(seat), card = (words.card)(card)));
    }
    if first.fits {
        told.push(say!("advice.fits"));
    }
    told
}

impl Offered {
    fn reasons(&self, words: Words<'_>) -> Vec<Say> {
        let Some(card) = self.card else { return vec![say!("advice.no_discard")] };
        let card = || (words.card)(card);
        let mut told = Vec::new();
        if self.fits && self.down {
            told.push(say!("advice.fits"));
        } else if self.down {
            told.push(say!("advice.fits_nowhere", card = card()));
        }
        let [before, with] = self.missing;
        let nearer = with.is_some_and(|with| before.is_none_or(|before| with < before));
        match (before, with) {
            _ if self.down => {}
            (_, Some(0)) if nearer => told.push(say!("advice.completes", card = card())),
            (Some(before), Some(with)) if nearer => {
                told.push(say!("advice.nearer", card = card(), n = with, m = before));
            }
            (Some(0), _) => told.push(say!("advice.no_nearer_complete", card = card())),
            (Some(n), _) => told.push(say!("advice.no_nearer", card = card(), n = n)),
            _ => told.push(say!("advice.hopeless")),
        }
        let mut imagined_otherwise = false;
        if let Some([without, with]) = self.played.filter(|played| played[0].rounds > 0) {
            let (n, m) = (rounded(with.points), rounded(without.points));
            told.push(say!("advice.played_take", rounds = with.rounds, n = n, m = m));
            imagined_otherwise = if self.taken { m < n } else { n < m };
        }
        match self.learned.map(rounded) {
            Some(by) if by > 0 => told.push(say!("advice.learned_take", n = by)),
            Some(by) if by < 0 => told.push(say!("advice.learned_pass", n = -by)),
            _ => {}
        }
        if imagined_otherwise && self.learned.is_some() {
            told.push(say!("advice.together", n = BEFORE as i64));
        }
        if let Some([without, with]) = self.waits {
            told.push(say!("advice.waits_take", n = rounded(with), m = rounded(without)));
        }
        if self.penalty > 0 {
            told.push(say!("advice.penalty", n = self.penalty));
        }
        if self.price != 0 {
            told.push(say!("advice.price", n = self.price));
        }
        if nearer && !self.taken && !self.down {
            told.push(say!("advice.not_worth"));
        }
        told
    }
}
