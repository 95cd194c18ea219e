//! Players of Contract Rummy.
//!
//! They know nothing but their view, and of the game nothing but its rules as data: what the contract is, who may take,
//! buy, claim or lay off, is asked of the view's judge, so that any rule file can be played.
//!
//! - [`Easy`] plays as a beginner does: it takes the discard only if that brings the contract nearer or fits on the
//!   table, asks out of turn only where no turn brings enough cards or cards are what wins, melds at once, lays off what it can and sheds
//!   the dearest card outside its plan.
//! - [`Steady`] asks out of turn, too, and buys: for what brings the contract nearer and is worth what it costs in points, in cards and of
//!   the takes that a match allows. It knows what can still come, and once down it keeps what will fit on the table.
//! - [`Counting`] counts how many unseen cards would help after each discard, and what others have picked up. It is for measurements:
//!   what those above it have beside that.
//! - [`Keen`] counts, remembers the whole discard pile, and weighs takes and discards by what was learned of hands like those that they lead
//!   to; under rarer rules by how many cards go by until its contract lies.
//! - [`Strong`] deals the hidden cards in mind and plays the round to its end, once for each choice, before it throws or takes.
//! - [`Between`] plays now like one of them and now like the next: one number from 0 to 100.

mod advice;
mod before;
mod between;
mod discard;
mod draw;
mod keen;
pub mod learning;
mod melds;
mod signs;
mod standing;
mod strong;
mod value;
#[cfg(test)]
mod watched;

pub use self::advice::{Advice, Offered, Played, Reason, Weighed, Words};
pub use self::between::Between;
pub use self::signs::{SIGNS, Signs};

use crate::{Bot, Thought};
use ::contract::meld::{Kind, Law, Wanted};
use ::contract::rules::{LayoffWhen, NotDownCards, Reclaim};
use ::contract::solver::{Counts, Gauge, presence, size};
use ::contract::state::Phase;
use ::contract::{Command, View};
use cards::Face;
use game::{Chance, Millis, Seat, View as _};
use std::cell::{OnceCell, RefCell};

macro_rules! rungs {
    ($($(#[$doc:meta])* $bot:ident, $name:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $bot;

            impl Bot<View> for $bot {
                fn name(&self) -> &str {
                    $name
                }

                fn think(&mut self, view: &View, _: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
                    Mind::new(view, Level::$bot)?.think(chance)
                }

                fn advise(&self, view: &View) -> Option<crate::Advice> {
                    advice::advise(view, Level::$bot, $name).map(crate::Advice::Contract)
                }
            }
        )*
    };
}

rungs! {
    /// The beginner.
    Easy, "easy/4";
    /// The player who takes what is worth it.
    Steady, "steady/4";
    /// The player who counts, and nothing more: for measurements.
    Counting, "counting/1";
    /// The player who counts, has learned what hands are worth, and expects.
    Keen, "keen/4";
    /// The player who plays the round on in mind.
    Strong, "strong/9";
}

/// What [`Strong`] would do if it saw the hands of all seats, and nothing more than it sees otherwise: for measurements of what knowing
/// them is worth. No player may have it.
#[must_use]
pub fn open_handed(view: &View, hands: Vec<Counts>, chance: &mut dyn Chance) -> Option<Command> {
    let mind = Mind { open: Some(hands), ..Mind::new(view, Level::Strong)? };
    Some(mind.think(chance)?.command)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Easy,
    Steady,
    Counting,
    Keen,
    Strong,
}

/// Cards in hand from which on nobody takes more.
const FULL: usize = 22;
/// Cards beside the contract that a take may bring a hand to, with the card to be drawn.
const BESIDE: usize = 7;

/// What a bot sees, with what it works out from that.
struct Mind<'a> {
    view: &'a View,
    level: Level,
    seat: Seat,
    hand: Counts,
    /// The contracts it may be after: the number to name in the command, where one is picked, and the law.
    aims: Vec<(Option<u16>, &'a Law)>,
    /// What measures distances for each aim: from what is laid in this turn, and from what is laid after a take.
    gauges: [OnceCell<Vec<Gauge>>; 2],
    here: OnceCell<u8>,
    /// What further melds are judged by, where the game has them.
    further: OnceCell<Option<Law>>,
    mean_cost: OnceCell<i32>,
    /// For each seat how much its points matter.
    rivals: OnceCell<Vec<f64>>,
    notes: RefCell<Notes>,
    /// The hands of all, where they lie open for a measurement.
    open: Option<Vec<Counts>>,
}

/// What came of weighing, for whoever asks why.
#[derive(Default)]
struct Notes {
    /// The discards that were compared, the best first.
    ranked: Vec<Face>,
    /// What the network says of each discard, in points, the best first; and by how many a take is better than letting the card lie.
    valued: Vec<(f32, Face)>,
    valued_take: Option<f32>,
    /// Cards that go by until the contract lies, after each discard.
    walked: Vec<(Face, f32)>,
    /// The same with the top discard let lie and taken.
    waits: Option<[f32; 2]>,
    /// What came of playing on in mind, by what was tried.
    played: Vec<(strong::Choice, Played)>,
}

impl<'a> Mind<'a> {
    fn new(view: &'a View, level: Level) -> Option<Mind<'a>> {
        let seat = view.seat?;
        let left = view.contracts_left();
        let number = |at: u16| view.compiled.picks().then(|| view.compiled.round(at).number);
        let aims = if left.is_empty() {
            vec![(number(view.contract()), view.law())]
        } else {
            left.iter().map(|&at| (number(at), &view.compiled.laws[usize::from(at)])).collect()
        };
        Some(Mind {
            view,
            level,
            seat,
            hand: *view.hand.counts(),
            aims,
            gauges: Default::default(),
            here: OnceCell::new(),
            further: OnceCell::new(),
            mean_cost: OnceCell::new(),
            rivals: OnceCell::new(),
            notes: RefCell::default(),
            open: None,
        })
    }

    fn think(&self, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        let view = self.view;
        let own = view.flow.turn == self.seat;
        // Where takes stay open while P0 plays, one may ask without being waited for.
        let open = view.flow.phase == Phase::Play
            && !own
            && view.own.answer.is_none()
            && view.judge(&Command::Take).is_ok();
        if !view.awaited() && !open {
            return None;
        }
        let (wish, pause) = match view.flow.phase {
            Phase::Deal | Phase::Over => return None,
            Phase::Cut => (self.cut(), 1_500),
            Phase::Choose => (self.choose(), 1_500),
            Phase::Name => (self.name(), 1_500),
            Phase::Pass => (self.pass_on(), 2_500),
            Phase::Pick { claimer } => {
                let of = view.flow.sizes[claimer.index()].max(1);
                (Command::Pick { place: 1 + chance.below(u32::from(of)) as u16 }, 1_500)
            }
            Phase::Start if own => (self.draw(chance), 600),
            Phase::Start | Phase::Offer { .. } => (self.answer(), 350),
            Phase::Play if own => self.play(chance),
            Phase::Play => match self.answer() {
                Command::Take => (Command::Take, 350),
                _ => return None,
            },
            Phase::Shanghai { .. } => (self.claim(), 500),
        };
        let command = if view.judge(&wish).is_ok() { wish } else { self.anything(chance)? };
        // A person needs a moment, sometimes two.
        let after_ms = pause + chance.below(pause) + chance.below(2) * chance.below(pause);
        Some(Thought::after(command, after_ms))
    }

    /// Some legal command, the least harmful first, for when the plan was refused.
    fn anything(&self, chance: &mut dyn Chance) -> Option<Command> {
        let commands = self.view.commands(Millis(0)).commands;
        let harm = |command: &Command| match command {
            Command::LayOff { .. } | Command::Meld { .. } => 0,
            Command::Pass | Command::Stand(_) => 1,
            Command::DrawStock | Command::DrawPush => 2,
            Command::DrawDiscard => 3,
            Command::Discard { card, shanghai } => {
                1_000 - i64::from(self.law().values[card.index()]) - i64::from(*shanghai)
            }
            Command::Hold => 2_000,
            Command::Reclaim { .. } => 3_000,
            Command::Undo => 9_000,
            _ => 4_000,
        };
        let least = commands.iter().map(harm).min()?;
        let best: Vec<&Command> = commands.iter().filter(|c| harm(c) == least).collect();
        Some(best[chance.below(best.len() as u32) as usize].clone())
    }

    fn law(&self) -> &'a Law {
        self.view.law()
    }

    fn down(&self) -> bool {
        self.view.flow.down.has(self.seat)
    }

    /// What measures distances: from the contracts as they would be laid in this turn or the next, or after a take out of
    /// turn. Where the whole hand must go, it says how large the hand is by then.
    fn gauges(&self, taken: bool) -> &[Gauge] {
        self.gauges[usize::from(taken)].get_or_init(|| {
            let playing = self.view.flow.phase == Phase::Play && self.view.flow.turn == self.seat;
            let drawn = if playing { 0 } else { self.per_draw() };
            let penalty = 1 + usize::from(self.view.round().settings.take.penalty);
            let cards = size(&self.hand) + drawn + if taken { penalty } else { 0 };
            let left = self.left();
            self.aims.iter().map(|(_, law)| Gauge::among(law, cards, &left)).collect()
        })
    }

    /// How many of each face can still be had: a natural that lies in a meld stays there. A beginner does not count.
    fn left(&self) -> Counts {
        let deck = &self.view.compiled.rules.settings.deck;
        if self.level == Level::Easy {
            return [u8::MAX; Face::COUNT];
        }
        let mut left: Counts = [deck.decks; Face::COUNT];
        left[Face::JOKER.index()] = deck.jokers;
        let law = self.law();
        let melds = || self.view.board.melds.iter().map(|table| &table.meld);
        let (wild, natural): (Vec<_>, Vec<_>) = melds()
            .flat_map(|meld| meld.cards.iter().map(move |&placed| (meld, placed)))
            .partition(|(_, placed)| law.is_wild(placed.card));
        for (_, placed) in natural {
            left[placed.card.index()] = left[placed.card.index()].saturating_sub(1);
        }
        for (meld, placed) in wild {
            // A wild comes back for the card that it stands for, where there is one.
            let gives = law.reclaim == Reclaim::All || law.reclaim == Reclaim::Run && meld.is_run();
            let whole = law.reclaims_jokers_only && !placed.card.is_joker();
            let there = |face: Face| left[face.index()] > 0;
            let comes = if meld.is_run() {
                there(placed.stands)
            } else {
                law.pack.faces().any(|face| law.belongs(meld, face) && there(face))
            };
            if !gives || whole || !comes {
                left[placed.card.index()] = left[placed.card.index()].saturating_sub(1);
            }
        }
        left
    }

    /// How far the hand is from the nearest contract now.
    fn here(&self) -> u8 {
        *self.here.get_or_init(|| self.distance(&self.hand))
    }

    /// How far a hand is from the nearest contract.
    fn distance(&self, hand: &Counts) -> u8 {
        let near = self.gauges(false).iter().map(|gauge| gauge.distance(hand)).min();
        near.unwrap_or(Gauge::NEVER)
    }

    /// The faces that bring a hand so far from the nearest contract nearer, a bit each.
    fn helpful(&self, hand: &Counts, distance: u8) -> u64 {
        self.gauges(false).iter().fold(0, |set, gauge| set | gauge.helpful(hand, distance))
    }

    /// The faces of which one can go from a hand so far from the nearest contract, and it is no further, a bit each.
    fn spare(&self, hand: &Counts, distance: u8) -> u64 {
        self.gauges(false).iter().fold(0, |set, gauge| set | gauge.spare(hand, distance))
    }

    /// Whether a hand is at most so far from a contract.
    fn within(&self, hand: &Counts, distance: u8) -> bool {
        self.gauges(false).iter().any(|gauge| gauge.within(hand, distance))
    }

    /// Whether one more card brings the hand nearer. Only then is a discard worth having: so whoever takes one is nearer
    /// each time, and no card goes round for ever.
    fn nearer_with(&self, card: Face) -> bool {
        self.here().checked_sub(1).is_some_and(|nearer| self.within(&self.with(card), nearer))
    }

    /// Whether a take out of turn brings the hand nearer. Where the whole hand must go, each penalty card that comes with
    /// it needs a place, too.
    fn nearer_by_take(&self, card: Face) -> bool {
        if !self.law().all {
            return self.nearer_with(card);
        }
        let hand = self.with(card);
        let gauges = self.gauges(true);
        self.here()
            .checked_sub(1)
            .is_some_and(|nearer| gauges.iter().any(|gauge| gauge.within(&hand, nearer)))
    }

    /// How many copies nobody has seen of the faces that bring a hand nearer.
    fn helpers(&self, hand: &Counts, distance: u8) -> i32 {
        let faces = self.helpful(hand, distance);
        let seen = self.seen();
        let deck = &self.view.compiled.rules.settings.deck;
        (0..Face::COUNT)
            .filter(|i| faces >> i & 1 != 0)
            .map(|i| {
                let copies = if i == 0 { deck.jokers } else { deck.decks };
                i32::from(copies.saturating_sub(seen[i]))
            })
            .sum()
    }

    /// The cards whose places are known: one's own, those on the table, the top discard, discards that others took and hold, what
    /// was passed on and is still held;
    /// for keen those in the pile, too.
    fn seen(&self) -> Counts {
        let mut seen = self.hand;
        let view = self.view;
        // Where everybody may look through the discards, the pile ends with the top card.
        let top = view.flow.top.filter(|_| view.pile.is_empty());
        let melded = view.board.melds.iter().flat_map(|m| m.meld.faces());
        let held = self.placed();
        let remembers = self.level >= Level::Keen && self.has_what_it_sees() && view.pile.is_empty();
        let piled = view.board.piled().filter(|_| remembers);
        let top = top.filter(|_| !remembers);
        for face in melded.chain(view.pile.iter().copied()).chain(piled).chain(top).chain(held) {
            seen[face.index()] += 1;
        }
        seen
    }

    /// Cards of an opponent's hand that this seat knows to be there: what everybody saw them take, and what it passed on to them
    /// itself, as far as they still hold it.
    fn held(&self, seat: Seat) -> impl Iterator<Item = Face> {
        let view = self.view;
        let gets = view.flow.passes_to(&view.compiled, self.seat) == seat && !view.flow.passed.has(self.seat);
        let given = if gets { &*view.passed.given } else { &[] };
        view.board.known(seat).chain(given.iter().copied())
    }

    /// The cards outside of its hand that this seat can place though they do not lie open: those that others hold, and what it
    /// passed on.
    fn placed(&self) -> impl Iterator<Item = Face> {
        let view = self.view;
        let others = (0..view.flow.seats).map(Seat).filter(|&seat| seat != self.seat);
        others.flat_map(|seat| view.board.known(seat)).chain(view.passed.given.iter().copied())
    }

    /// The cards that nobody sees: not in this hand, on the table, in the pile, or known to be held.
    fn unseen(&self) -> Vec<Face> {
        let view = self.view;
        let mut seen = self.hand;
        let melded = view.board.melds.iter().flat_map(|m| m.meld.faces());
        let piled: Vec<Face> =
            if view.pile.is_empty() { view.board.piled().collect() } else { view.pile.clone() };
        for face in melded.chain(piled).chain(self.placed()) {
            seen[face.index()] += 1;
        }
        let mut unseen = Vec::new();
        for &face in &view.compiled.cards {
            if seen[face.index()] > 0 {
                seen[face.index()] -= 1;
            } else {
                unseen.push(face);
            }
        }
        unseen
    }

    fn with(&self, card: Face) -> Counts {
        let mut hand = self.hand;
        hand[card.index()] += 1;
        hand
    }

    /// Whether a card fits on a meld of the table where this seat may lay it off.
    fn fits(&self, card: Face) -> bool {
        let melds = &self.view.board.melds;
        self.view.round().settings.layoff.when != LayoffWhen::Never
            && melds.iter().any(|m| self.onto(m.owner) && self.law().fit(&m.meld, card).any())
    }

    /// Whether a card fits on a meld of the table, whoever may lay it off there.
    fn fits_for_somebody(&self, card: Face) -> bool {
        self.view.board.melds.iter().any(|m| self.law().fit(&m.meld, card).any())
    }

    fn onto(&self, owner: Seat) -> bool {
        use ::contract::rules::LayoffOnto;
        match self.view.round().settings.layoff.onto {
            LayoffOnto::All => true,
            LayoffOnto::Own => owner == self.seat,
            LayoffOnto::Team => self.view.flow.partners(&self.view.compiled, owner, self.seat),
        }
    }

    /// What a draw from the discard pile brings, as far as it is remembered: the top discard last.
    fn pile(&self) -> Vec<Face> {
        let view = self.view;
        let mut cards: Vec<Face> =
            if view.pile.is_empty() { view.board.piled().collect() } else { view.pile.clone() };
        let most = view.round().settings.draw.pile.into();
        if most > 0 {
            cards.drain(..cards.len().saturating_sub(most));
        }
        cards
    }

    /// What a card left in hand costs: less than nothing where the highest total wins.
    fn cost(&self, card: Face) -> i32 {
        let cards = match self.view.round().settings.score.not_down_cards {
            NotDownCards::Twice if !self.down() => 2,
            NotDownCards::Not if !self.down() => 0,
            _ => 1,
        };
        i32::from(self.law().values[card.index()]) * cards * self.sign()
    }

    /// 1 where points are bad, -1 where they are good.
    fn sign(&self) -> i32 {
        if self.view.compiled.rules.settings.score.low_wins { 1 } else { -1 }
    }

    /// Twice what a card of the pack costs on average.
    fn mean_cost(&self) -> i32 {
        *self.mean_cost.get_or_init(|| {
            let faces = self.law().pack.faces();
            let (sum, count) = faces.fold((0, 0), |(sum, count), face| (sum + self.cost(face), count + 1));
            2 * sum / count.max(1)
        })
    }

    /// Whether what is held is worth more than going out: then nothing is laid, and dear cards are kept. That is so only
    /// where the highest total wins and going out does not earn enough.
    fn hoards(&self) -> bool {
        let set = &self.view.compiled.rules.settings;
        let held = self.sign() * self.law().points_of(&self.hand);
        !set.score.low_wins && !self.view.compiled.per_player() && held < self.sign() * set.score.winner
    }
}

/// How two cards may come to lie in one meld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kin {
    /// In a group: they are of one rank.
    Group,
    /// In a run: they are of one suit, at most two ranks apart, round the corner if that is shorter.
    Run,
}

/// How two cards go with each other in a meld, if they do: jokers go with all, and are none's kin.
fn kin(law: &Law, a: Face, b: Face) -> Option<Kin> {
    if a.is_joker() || b.is_joker() {
        return None;
    }
    let apart = a.rank().abs_diff(b.rank());
    match apart.min(law.ranks.saturating_sub(apart)) {
        0 => Some(Kin::Group),
        1 | 2 if a.suit() == b.suit() => Some(Kin::Run),
        _ => None,
    }
}

/// How many slots of a contract may be filled by melds of such a kind.
fn slots(contract: &Wanted, is: fn(Kind) -> bool) -> usize {
    contract.iter().filter(|slot| slot.iter().any(|want| is(want.kind))).count()
}

/// The faces in hand, each once.
fn faces(hand: &Counts) -> Vec<Face> {
    let present = presence(hand);
    let mut naturals = present & !1;
    let mut faces = Vec::with_capacity(present.count_ones() as usize);
    while naturals != 0 {
        faces.extend(Face::from_index(naturals.trailing_zeros() as usize));
        naturals &= naturals - 1;
    }
    if present & 1 != 0 {
        faces.push(Face::JOKER);
    }
    faces
}

/// Cards that must be in hand to lay the cheapest contract of a law.
fn cards_needed(law: &Law) -> usize {
    law.contracts
        .iter()
        .map(|slots| {
            let least =
                |slot: &::contract::meld::Choice| slot.iter().map(|w| usize::from(w.size)).min().unwrap_or(0);
            slots.iter().map(least).sum::<usize>() + usize::from(law.keep_one)
        })
        .min()
        .unwrap_or(0)
}
