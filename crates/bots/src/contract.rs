//! Players of Contract Rummy.
//!
//! They know nothing but their view, and of the game nothing but its rules as data: what the contract is, who may take,
//! buy, claim or lay off, is asked of the view's judge, so that any rule file can be played.
//!
//! - [`Easy`] plays as a beginner does: it takes the discard only if that brings the contract nearer or fits on the
//!   table, never asks out of turn, melds at once, lays off what it can and sheds the dearest card outside its plan.
//! - [`Steady`] counts: how many cards its hand is from the contract after each discard, how many cards would help and what
//!   can still come, what the others have picked up, and what a take costs. Once down it keeps what will fit on the table.
//! - [`Keen`] remembers the whole discard pile, too, and expects: how many cards go by until its contract lies, after each take and
//!   each discard.
//! - [`Strong`] deals the hidden cards in mind and plays the round to its end, once for each choice, before it throws or takes.
//! - [`Between`] plays now like one of them and now like the next: one number from 0 to 100.

mod advice;
mod between;
mod keen;
mod strong;

pub use self::advice::{Advice, Offered, Played, Reason, Weighed, Words};
pub use self::between::Between;

use crate::{Bot, Thought};
use ::contract::meld::{End, Kind, Law, Meld, Suits, Want};
use ::contract::rules::{
    DiscardWild, DrawMode, LayoffWhen, LimitPer, MeldExtra, NotDownCards, OutDiscard, Reclaim, ReclaimUse,
};
use ::contract::solver::{Answer, Counts, Gauge, Play, Rights, Solver, shed};
use ::contract::state::Phase;
use ::contract::{Command, View};
use cards::Face;
use game::{Chance, Millis, Seat, View as _};
use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;

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
    Easy, "easy/3";
    /// The player who counts.
    Steady, "steady/3";
    /// The player who expects.
    Keen, "keen/1";
    /// The player who plays the round on in mind.
    Strong, "strong/3";
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
    Keen,
    Strong,
}

/// Cards more than were dealt from which on a hand has grown.
const GROWN: u16 = 1;
/// Cards to draw, for each player, that a take leaves.
const SPARED: u16 = 3;
/// Cards in hand from which on nobody takes more.
const FULL: usize = 22;
/// Cards beside the contract that a take may bring a hand to, with the card to be drawn.
const BESIDE: usize = 7;
/// Ways to lay a contract that are compared by what can be laid off after them.
const COMPARED: usize = 48;
/// Cards that are weighed for each one that is passed on: those that look least of use.
const PASSED: usize = 6;
/// What it is worth to keep a card that can be laid off once 0, 1, 2, ... others lie beside it.
const KEPT: [i32; 4] = [16, 12, 8, 4];
/// What a turn that the next player loses is worth, in points.
const SKIP: i32 = 10;
/// Turns of each player after which it is plain that somebody waits for cards that others hold.
const LONG: u16 = 15;
/// Turns of each player after which even a card of the plan is given up now and then.
const ENDLESS: u16 = 60;

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
    notes: RefCell<Notes>,
    /// The hands of all, where they lie open for a measurement.
    open: Option<Vec<Counts>>,
}

/// What came of weighing, for whoever asks why.
#[derive(Default)]
struct Notes {
    /// The discards that were compared, the best first.
    ranked: Vec<Face>,
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
            Phase::Start if own => (self.draw(chance), 1_000),
            Phase::Start | Phase::Offer { .. } => (self.answer(), 700),
            Phase::Play if own => self.play(chance),
            Phase::Play => match self.answer() {
                Command::Take => (Command::Take, 700),
                _ => return None,
            },
            Phase::Shanghai { .. } => (self.claim(), 900),
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
        *self.here.get_or_init(|| {
            let near = self.gauges(false).iter().map(|gauge| gauge.distance(&self.hand)).min();
            near.unwrap_or(Gauge::NEVER)
        })
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
        let faces = self.gauges(false).iter().fold(0, |set, gauge| set | gauge.helpful(hand, distance));
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
        let others = (0..view.flow.seats).map(Seat).filter(|&seat| seat != self.seat);
        let given = view.passed.given.iter().copied();
        let held = others.flat_map(|seat| view.board.known(seat)).chain(given);
        let remembers = self.level >= Level::Keen && self.has_what_it_sees() && view.pile.is_empty();
        let piled = view.board.piled().filter(|_| remembers);
        let top = top.filter(|_| !remembers);
        for face in melded.chain(view.pile.iter().copied()).chain(piled).chain(top).chain(held) {
            seen[face.index()] += 1;
        }
        seen
    }

    fn with(&self, card: Face) -> Counts {
        let mut hand = self.hand;
        hand[card.index()] += 1;
        hand
    }

    /// The contract that the hand is nearest to, of several the first.
    fn choose(&self) -> Command {
        let distances = self.gauges(false).iter().map(|gauge| gauge.distance(&self.hand));
        let near = self.aims.iter().zip(distances).min_by_key(|&(_, distance)| distance);
        Command::Contract { number: near.and_then(|((number, _), _)| *number).unwrap_or(1) }
    }

    /// The rank, of those in hand, that as a wild brings the hand nearest; of several the one of which it holds the most.
    fn name(&self) -> Command {
        let (law, left) = (self.law(), self.left());
        let suits = self.view.compiled.rules.settings.deck.suits.len() as u8;
        let faces = |rank: u8| (0..suits).map(move |suit| Face::new(suit, rank));
        let held = |rank: u8| faces(rank).map(|face| u16::from(self.hand[face.index()])).sum::<u16>();
        let distance = |rank: u8| {
            let wild = faces(rank).fold(law.wild, |set, face| set | 1 << face.index());
            let law = Law { wild, ..law.clone() };
            Gauge::among(&law, size(&self.hand) + self.per_draw(), &left).distance(&self.hand)
        };
        let ranks = 1..=law.pack.ranks.len() as u8;
        let may = |rank: &u8| !law.is_skip(Face::new(0, *rank));
        let held = ranks.filter(may).map(|rank| (rank, held(rank))).filter(|&(_, held)| held > 0);
        let best = held.min_by_key(|&(rank, held)| (distance(rank), Reverse(held)));
        Command::Wild { rank: best.map_or(1, |(rank, _)| rank) }
    }

    /// The cards that the hand misses least, one after the other: those without which it is no further from its contract, of
    /// them the dear ones; for one who counts, too, those after which most cards still help. Wilds go last.
    fn pass_on(&self) -> Command {
        let (flow, plans) = (&self.view.flow, !self.hoards() && !self.hopeless());
        let distance = |hand: &Counts| {
            let near = self.gauges(false).iter().map(|gauge| gauge.distance(hand)).min();
            near.filter(|_| plans).unwrap_or(0)
        };
        let mut rest = self.hand;
        let mut cards = Vec::new();
        for _ in 0..flow.passes(&self.view.compiled) {
            let without = |card: Face| {
                let mut rest = rest;
                rest[card.index()] -= 1;
                rest
            };
            let worth = |card: Face| {
                let wild = if self.law().is_wild(card) { 1_000 } else { 0 };
                self.cost(card) - 100 * i32::from(distance(&without(card))) - wild
            };
            let mut ranked: Vec<(i32, Face)> =
                faces(&rest).into_iter().map(|card| (worth(card), card)).collect();
            ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
            if self.level != Level::Easy && plans {
                ranked.truncate(PASSED);
                for (worth, card) in &mut ranked {
                    let rest = without(*card);
                    *worth += 2 * self.helpers(&rest, distance(&rest));
                }
                ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
            }
            let Some(&(_, card)) = ranked.first() else { break };
            rest = without(card);
            cards.push(card);
        }
        Command::PassOn { cards }
    }

    fn cut(&self) -> Command {
        let round = self.view.round();
        let hands = u16::from(self.view.flow.seats) * u16::from(round.deal);
        Command::Cut { aim: hands + u16::from(round.settings.deal.upcard) }
    }

    /// Whether a card fits on a meld of the table where this seat may lay it off.
    fn fits(&self, card: Face) -> bool {
        let melds = &self.view.board.melds;
        self.view.round().settings.layoff.when != LayoffWhen::Never
            && melds.iter().any(|m| self.onto(m.owner) && self.law().fit(&m.meld, card).any())
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

    /// Whether what lies on the discard pile is worth having as the draw.
    fn wants(&self, cards: &[Face]) -> bool {
        let mut hand = self.hand;
        cards.iter().for_each(|card| hand[card.index()] += 1);
        if self.down() {
            // What fits nowhere is left in hand.
            let fitting = cards.iter().filter(|&&card| self.fits(card)).count();
            return fitting > 0 && cards.len() <= 2 * fitting
                || self.extra(&hand).is_some() && self.extra(&self.hand).is_none();
        }
        if self.counts_short() {
            return self.laid(&hand) > self.laid(&self.hand);
        }
        let nearer = |nearer: u8| self.within(&hand, nearer);
        let completes = || nearer(0);
        self.here().checked_sub(1).is_some_and(nearer)
            && (cards.len() <= 1 || !self.crowded(cards.len()) || completes())
    }

    /// Whether the melds of the contract are in hand and do not count enough to go down with.
    fn counts_short(&self) -> bool {
        let can = |law: &Law| Solver::new(law).with_budget(50_000).feasible(&self.hand) == Some(true);
        !self.down()
            && self.law().opening > 0
            && self.here() == 0
            && !self.aims.iter().any(|(_, law)| can(law))
    }

    /// The most that a contract laid from a hand counts.
    fn laid(&self, hand: &Counts) -> i32 {
        let counts = |law: &Law| {
            let law = Law { opening: 0, ..law.clone() };
            let best = Solver::new(&law).with_budget(50_000).best(hand).answer;
            best.map_or(0, |answer| law.points_of(hand) - answer.points)
        };
        self.aims.iter().map(|(_, law)| counts(law)).max().unwrap_or(0)
    }

    /// START: the discard, a buy, or the stock.
    fn draw(&self, chance: &mut dyn Chance) -> Command {
        let view = self.view;
        let pushes =
            view.round().settings.draw.mode == DrawMode::Push && view.judge(&Command::DrawPush).is_ok();
        let other = if pushes { Command::DrawPush } else { Command::DrawStock };
        if view.flow.top.is_none() {
            return other;
        }
        let discard = view.judge(&Command::DrawDiscard).is_ok();
        let pile = self.pile();
        let wanted = if self.hoards() || self.hopeless() {
            2 * pile.iter().map(|&card| self.cost(card)).sum::<i32>() < self.mean_cost()
        } else {
            self.wants(&pile)
        };
        if self.level != Level::Easy && wanted && !self.down() && view.judge(&Command::Buy).is_ok() {
            // A buy adds a card to the hand: worth it where the contract needs more cards than the turns bring.
            if self.short() && self.worth_its_price() {
                return Command::Buy;
            }
        }
        if discard && (wanted || pushes && pile.len() == 1 && self.spares_the_next(chance)) {
            Command::DrawDiscard
        } else {
            other
        }
    }

    /// Whether a useless discard is taken rather than pushed on. What is pushed comes back, with a stock card each time, until
    /// nobody can go out any more: so hands that have grown are spared mostly, and those of players who are down.
    fn spares_the_next(&self, chance: &mut dyn Chance) -> bool {
        let flow = &self.view.flow;
        let next = flow.step(&self.view.compiled, self.seat, 1);
        let grown = flow.sizes[next.index()] > u16::from(self.view.round().deal) + GROWN;
        // With few cards left, one that fits takes this hand out.
        let nearly_out = self.down() && size(&self.hand) <= 2;
        (grown || flow.down.has(next)) && !nearly_out && chance.below(4) > 0
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
        let faces = self.law().pack.faces();
        let (sum, count) = faces.fold((0, 0), |(sum, count), face| (sum + self.cost(face), count + 1));
        2 * sum / count.max(1)
    }

    /// Whether what is held is worth more than going out: then nothing is laid, and dear cards are kept. That is so only
    /// where the highest total wins and going out does not earn enough.
    fn hoards(&self) -> bool {
        let set = &self.view.compiled.rules.settings;
        let held = self.sign() * self.law().points_of(&self.hand);
        !set.score.low_wins && !self.view.compiled.per_player() && held < self.sign() * set.score.winner
    }

    /// Whether no cards to come can make the contract any more: what it needs lies on the table, or wilds that it does not take
    /// and that may not be thrown fill the hand, which cannot grow.
    fn hopeless(&self) -> bool {
        if !self.down() && self.here() == Gauge::NEVER {
            return true;
        }
        let set = &self.view.round().settings;
        let several = set.draw.cards > 1 || set.draw.pile != 1;
        let grows = set.take.on || set.draw.mode == DrawMode::Push || several;
        if grows || set.discard.wild == DiscardWild::Allowed || self.down() {
            return false;
        }
        let playing = self.view.flow.phase == Phase::Play && self.view.flow.turn == self.seat;
        let cards = size(&self.hand) + usize::from(!playing);
        self.aims.iter().all(|(_, law)| {
            // A rank that is wild may lie in its own place where it counts as natural there.
            let bound = |i: &usize| law.wild >> i & 1 != 0 && (*i == 0 || !law.natural_in_place);
            let wilds: usize = (0..Face::COUNT).filter(bound).map(|i| usize::from(self.hand[i])).sum();
            let room =
                |want: &Want| want.wilds.min(law.wild_cap).min(want.size.saturating_sub(law.min_naturals));
            let most = |slots: &::contract::meld::Wanted| -> usize {
                slots
                    .iter()
                    .map(|slot| slot.iter().map(|want| usize::from(room(want))).max().unwrap_or(0))
                    .sum()
            };
            let taken = law.contracts.iter().map(most).max().unwrap_or(0);
            cards - wilds.saturating_sub(taken) < cards_needed(law)
        })
    }

    /// Whether a take leaves so few cards to draw that soon only what nobody can use goes round.
    fn drains(&self, penalty: u8) -> bool {
        let flow = &self.view.flow;
        flow.supply(&self.view.compiled) < 1 + u16::from(penalty) + SPARED * u16::from(flow.seats)
    }

    /// Whether a take leaves so many cards beside the contract that being rid of them takes longer than the take saves.
    fn crowds(&self, penalty: u8) -> bool {
        // With the card taken and the one to be drawn.
        self.crowded(1 + self.per_draw() + usize::from(penalty))
    }

    /// Whether so many cards more are too many beside the contract.
    fn crowded(&self, more: usize) -> bool {
        let need = self.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0);
        size(&self.hand) + more > need + BESIDE
    }

    /// Cards that a draw from the stock brings.
    fn per_draw(&self) -> usize {
        self.view.round().settings.draw.cards.into()
    }

    /// Whether no turn brings so many cards as the contract needs.
    fn short(&self) -> bool {
        let need = self.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0);
        size(&self.hand) + self.per_draw() < need
    }

    /// Whether a card that brings the contract nearer is worth what a take costs in points, and one of the takes that the
    /// match allows.
    fn worth_its_price(&self) -> bool {
        let (view, flow) = (self.view, &self.view.flow);
        let take = &view.round().settings.take;
        let completes = self.here() == 1;
        // To be nearer saves a card or two of those left in hand; to lay the contract saves half of them.
        let saves = if completes {
            self.sign() * self.law().points_of(&self.hand) / 2
        } else {
            3 * self.mean_cost() / 4
        };
        if take.points * self.sign() > saves.max(0) {
            return false;
        }
        if take.limit == 0 || take.limit_per != LimitPer::Game || completes {
            return true;
        }
        // What is left is shared out among the rounds to come.
        let seat = self.seat.index();
        let left = u16::from(take.limit).saturating_sub(flow.takes_before[seat]);
        let rounds = view.compiled.most_deals().saturating_sub(usize::from(flow.finished)).max(1) as u16;
        u16::from(flow.takes[seat]) < left.div_ceil(rounds)
    }

    /// OFFER: ask or pass.
    fn answer(&self) -> Command {
        let first = self.first_answer();
        let Some(top) = self.view.flow.top else { return first };
        let weighs = self.level == Level::Strong
            && matches!(self.view.flow.phase, Phase::Offer { .. })
            && !self.down()
            && !self.hoards()
            && self.here() > 1
            && size(&self.hand) <= FULL
            && self.view.judge(&Command::Take).is_ok()
            && self.nearer_with(top);
        match weighs.then(|| self.strong_take(first == Command::Take)).flatten() {
            Some(true) => Command::Take,
            Some(false) => Command::Pass,
            None => first,
        }
    }

    /// What comes to mind first when a discard is offered.
    fn first_answer(&self) -> Command {
        let Some(top) = self.view.flow.top else { return Command::Pass };
        // A beginner asks only where there is no other way to enough cards.
        let asks = self.level != Level::Easy || self.short();
        if !asks || self.down() || self.view.judge(&Command::Take).is_err() {
            return Command::Pass;
        }
        let set = &self.view.round().settings;
        if self.hoards() {
            let gained = 2 * self.cost(top) + i32::from(set.take.penalty) * self.mean_cost();
            return if gained + 2 * set.take.points * self.sign() < 0 {
                Command::Take
            } else {
                Command::Pass
            };
        }
        if self.level >= Level::Keen && !self.short() && size(&self.hand) <= FULL {
            match self.keen_take(top) {
                Some(true) => return Command::Take,
                Some(false) => return Command::Pass,
                None => {}
            }
        }
        let nearer = if self.short() { self.nearer_with(top) } else { self.nearer_by_take(top) };
        if !nearer || !self.worth_its_price() {
            return Command::Pass;
        }
        if self.here() > 1 && (self.drains(set.take.penalty) || self.crowds(set.take.penalty)) {
            return Command::Pass;
        }
        // When somebody is about to go out, cards in hand are points lost.
        let others = self.view.flow.down.without(self.seat);
        let nearest = others.iter().map(|s| self.view.flow.sizes[s.index()]).min();
        let late = nearest.is_some_and(|cards| cards <= 3);
        let full = size(&self.hand) > FULL;
        if late && self.here() > 1 || full { Command::Pass } else { Command::Take }
    }

    /// SHANGHAI: lay the discard on a meld, if it fits.
    fn claim(&self) -> Command {
        let steady = self.level != Level::Easy && !self.hoards();
        let Some(top) = self.view.flow.top.filter(|_| steady) else { return Command::Pass };
        // A card of ours goes to the discarder: better so than not, unless it might be one we need.
        let picked = self.view.round().settings.shanghai.penalty == 0;
        if picked && !self.down() && self.here() <= 1 {
            return Command::Pass;
        }
        for (on, table) in (1..).zip(&self.view.board.melds) {
            let fit = self.law().fit(&table.meld, top);
            let end = fit.both_ends().then_some(End::High);
            let claim = Command::Shanghai { on, end };
            if fit.any() && self.view.judge(&claim).is_ok() {
                return claim;
            }
        }
        Command::Pass
    }

    /// PLAY: the contract, then lay-offs, then the discard.
    fn play(&self, chance: &mut dyn Chance) -> (Command, u32) {
        if self.hoards() {
            return (self.discard(chance), 1_600);
        }
        if !self.down() {
            if let Some(command) = self.contract() {
                return (command, 3_000);
            }
            if let Some(command) = self.early_reclaim() {
                return (command, 1_500);
            }
        } else if self.view.board.pending.is_empty()
            && let Some(melds) = self.extra(&self.hand)
        {
            let command = Command::Meld { contract: None, melds: melds.iter().map(Meld::said).collect() };
            if self.view.judge(&command).is_ok() {
                return (command, 2_500);
            }
        }
        if let Some(command) = self.lay_off() {
            return (command, 1_200);
        }
        (self.discard(chance), 1_600)
    }

    /// The contract that leaves the least in hand, if there is one; for one who counts, once what fits on the table is laid off.
    fn contract(&self) -> Option<Command> {
        let mut answers = Vec::new();
        for &(contract, law) in &self.aims {
            let solver = Solver::new(law).with_budget(200_000);
            let Some(best) = solver.best(&self.hand).answer else { continue };
            let mut ways = vec![best];
            if self.level != Level::Easy && !law.all {
                ways.extend(solver.all(&self.hand, COMPARED).0);
            }
            answers.extend(ways.into_iter().map(|answer| {
                let left =
                    if self.level == Level::Easy { answer.points } else { self.left_later(law, &answer) };
                let melds = answer.melds.iter().map(Meld::said).collect();
                ((left, answer.points), Command::Meld { contract, melds })
            }));
        }
        answers.sort_by_key(|(points, _)| *points);
        answers.into_iter().map(|(_, command)| command).find(|command| self.view.judge(command).is_ok())
    }

    /// What is left of a hand, in points, once a contract lies and all that fits on the table has been laid off.
    fn left_later(&self, law: &Law, answer: &Answer) -> i32 {
        let set = &self.view.round().settings;
        if set.layoff.when == LayoffWhen::Never {
            return answer.points;
        }
        let own = answer.melds.iter().map(|meld| (self.seat, meld));
        let table: Vec<(Seat, &Meld)> =
            self.view.board.melds.iter().map(|m| (m.owner, &m.meld)).chain(own).collect();
        let melds: Vec<Meld> = table.iter().map(|&(_, meld)| meld.clone()).collect();
        let onto = |i: usize| self.onto(table[i].0);
        let rights = Rights {
            lay_off: true,
            reclaim: false,
            keep_wilds: false,
            keep_one: law.keep_one,
            budget: 1_000,
        };
        shed(law, rights, &answer.left, &[], &melds, &onto, &|_| false).points
    }

    /// A wild taken back before the contract is laid, where the game lets one keep it and it helps.
    fn early_reclaim(&self) -> Option<Command> {
        let wild = &self.view.round().settings.wild;
        if self.level == Level::Easy || wild.reclaim_use != ReclaimUse::Keep {
            return None;
        }
        let nearer = self.here().checked_sub(1)?;
        for (from, table) in (1..).zip(&self.view.board.melds) {
            for card in faces(&self.hand) {
                let Ok(taken) = self.law().reclaim(&table.meld, card) else { continue };
                let mut after = self.with(taken.wild);
                after[card.index()] -= 1;
                let command = Command::Reclaim { card, from };
                if self.within(&after, nearer) && self.view.judge(&command).is_ok() {
                    return Some(command);
                }
            }
        }
        None
    }

    /// A further meld from this hand, once down, where the game has them.
    fn extra(&self, hand: &Counts) -> Option<Vec<Meld>> {
        let set = &self.view.round().settings;
        if set.meld.extra != MeldExtra::AfterContract || !self.down() {
            return None;
        }
        let want = |kind, size| Want { kind, size, wilds: 255, distinct: false, suits: Suits::One, rank: 0 };
        let one = |want: Want| vec![std::iter::once(want).collect()];
        let law = Law {
            contracts: vec![one(want(Kind::Run, set.run.min)), one(want(Kind::Group, set.group.min))],
            exact: false,
            all: false,
            gap: 0,
            overlap: true,
            per_suit: 255,
            distinct_ranks: false,
            ..self.law().clone()
        };
        Some(Solver::new(&law).with_budget(50_000).best(hand).answer?.melds)
    }

    /// The next play of the lay-offs and reclaims that shed the most.
    fn lay_off(&self) -> Option<Command> {
        let view = self.view;
        let set = &view.round().settings;
        let barred = !self.down()
            || view.flow.fresh && set.layoff.when != LayoffWhen::SameTurn
            || view.flow.waits_for_all(set);
        if view.board.melds.is_empty() || barred && view.board.pending.is_empty() {
            return None;
        }
        let melds: Vec<Meld> = view.board.melds.iter().map(|m| m.meld.clone()).collect();
        let onto = |i: usize| self.onto(view.board.melds[i].owner);
        // Whose wilds may be taken back, and when, the judge knows.
        let may_reclaim = |i: usize| {
            faces(&self.hand)
                .into_iter()
                .any(|card| view.judge(&Command::Reclaim { card, from: i as u16 + 1 }).is_ok())
        };
        let reclaimable: Vec<bool> = (0..melds.len()).map(may_reclaim).collect();
        for reclaim in [true, false] {
            let rights = Rights {
                lay_off: true,
                reclaim: reclaim && reclaimable.iter().any(|&r| r),
                keep_wilds: set.wild.reclaim_use == ReclaimUse::Keep,
                // Where only a discard takes out, a card is kept for it.
                keep_one: self.law().keep_one || set.out.discard == OutDiscard::Float,
                budget: 3_000,
            };
            let plan =
                shed(self.law(), rights, &self.hand, &view.board.pending, &melds, &onto, &|i| reclaimable[i]);
            // Who may not discard the last card keeps one that fits rather than one that does not: with another that fits
            // the hand is empty.
            let forbidden = set.out.discard == OutDiscard::Forbidden;
            if forbidden && plan.plays.len() == 1 && size(&plan.left) == 1 && view.board.pending.is_empty() {
                return None;
            }
            for play in plan.plays {
                let command = match play {
                    Play::LayOff { card, meld, end } => {
                        Command::LayOff { cards: vec![card], on: meld as u16 + 1, end }
                    }
                    Play::Reclaim { card, meld } => Command::Reclaim { card, from: meld as u16 + 1 },
                };
                if view.judge(&command).is_ok() {
                    return Some(command);
                }
            }
            if !rights.reclaim {
                break;
            }
        }
        None
    }

    /// What to throw, or to hold.
    fn discard(&self, chance: &mut dyn Chance) -> Command {
        let law = self.law();
        let legal: Vec<Face> = faces(&self.hand)
            .into_iter()
            .filter(|&card| self.view.judge(&Command::Discard { card, shanghai: false }).is_ok())
            .collect();
        let value = |card: Face| self.cost(card);
        let down = self.down();
        let forbidden = self.view.round().settings.out.discard == OutDiscard::Forbidden;
        let without = |card: Face| {
            let mut rest = self.hand;
            rest[card.index()] -= 1;
            rest
        };
        let hoards = self.hoards();
        let hopeless = self.hopeless();
        let here = if down || hoards || hopeless { 0 } else { self.here() };
        // In a long round each waits for what another keeps: what is of no use goes in any order, so that all of it comes
        // round, and much later even a card that would have been kept.
        let turns = self.view.flow.turns / u16::from(self.view.flow.seats.max(1));
        let long = turns >= if hopeless { 2 * LONG } else { LONG };
        if long && !down && !hoards && chance.below(2) == 0 {
            let gives_up = hopeless || turns >= ENDLESS && chance.below(8) == 0;
            let may = |&card: &Face| !law.is_wild(card) && (gives_up || self.within(&without(card), here));
            let any: Vec<Face> = legal.iter().copied().filter(may).collect();
            if !any.is_empty() {
                let card = any[chance.below(any.len() as u32) as usize];
                return Command::Discard { card, shanghai: false };
            }
        }
        let chances = if down { self.chances() } else { [0; Face::COUNT] };
        let short = !hoards && !hopeless && self.counts_short();
        let worth = |card: Face| -> i32 {
            let rest = without(card);
            if hoards || hopeless {
                return value(card);
            }
            if short {
                // Dear cards make dear melds.
                return 4 * self.laid(&rest) - i32::from(law.values[card.index()]);
            }
            // What is thrown may be what somebody waits for; what fits on the table is laid off sooner or later.
            let wild = if law.is_wild(card) { 60 } else { 0 };
            if down {
                let useful = if forbidden && self.fits(card) { 60 } else { 0 };
                let careful = |worth: i32| if self.level == Level::Easy { 0 } else { worth };
                let kept = careful(chances[card.index()] + self.danger(card) - self.skips_by(card));
                return value(card) - wild - useful - kept;
            }
            // Throwing a card takes the hand a step away or leaves it where it is.
            let distance = i32::from(!self.within(&rest, here));
            match self.level {
                Level::Easy => value(card) - 100 * distance,
                Level::Steady | Level::Keen | Level::Strong => {
                    let urgent = !self.view.flow.down.is_empty();
                    let relief = if urgent { 2 * value(card) } else { value(card) };
                    relief - 80 * distance - 2 * wild - self.danger(card) + self.skips_by(card)
                }
            }
        };
        let mut ranked: Vec<(i32, Face)> = legal.iter().map(|&card| (worth(card), card)).collect();
        ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
        let plans = !down && !hoards && !hopeless && !short;
        if let Some(weighed) =
            (self.level >= Level::Keen && plans).then(|| self.keen_discards(&ranked)).flatten()
        {
            ranked = weighed;
        } else if self.level != Level::Easy && plans {
            // Among those that look best, the one after which most cards help.
            let floor = ranked.first().map_or(0, |&(worth, _)| worth - 40);
            ranked.truncate(6);
            for (worth, card) in &mut ranked {
                if *worth >= floor {
                    let rest = without(*card);
                    let away = u8::from(!self.within(&rest, here));
                    *worth += 2 * self.helpers(&rest, here + away);
                }
            }
            ranked.sort_by_key(|&(worth, card)| (Reverse(worth), card));
        }
        let looked: Vec<Face> = ranked.iter().map(|&(_, card)| card).collect();
        let Some(&(mut card)) = looked.first() else { return Command::Hold };
        if self.level == Level::Strong && plans {
            card = self.strong_throw(&looked).unwrap_or(card);
        }
        self.notes.borrow_mut().ranked = looked;
        let protect = Command::Discard { card, shanghai: true };
        if self.level != Level::Easy && self.view.judge(&protect).is_ok() {
            return protect;
        }
        Command::Discard { card, shanghai: false }
    }

    /// How much it is worth to a player who is down to keep a card for a later turn, by its face: more the fewer cards must be
    /// laid off before it, and nothing where no card can ever lie beside it. Where there are further melds, what goes with
    /// another card of the hand is kept, too.
    fn chances(&self) -> [i32; Face::COUNT] {
        let law = self.law();
        let deck = &self.view.compiled.rules.settings.deck;
        let mut chances = [0; Face::COUNT];
        let mut laid: Counts = [0; Face::COUNT];
        for placed in self.view.board.melds.iter().flat_map(|m| &m.meld.cards) {
            laid[placed.card.index()] += 1;
        }
        for table in self.view.board.melds.iter().filter(|m| self.onto(m.owner)) {
            if !table.meld.is_run() {
                for face in faces(&self.hand) {
                    if law.fit(&table.meld, face).any() {
                        chances[face.index()] = KEPT[0];
                    }
                }
                continue;
            }
            for end in [End::Low, End::High] {
                let mut meld = table.meld.clone();
                for kept in KEPT {
                    let Some(next) = law.beyond(&meld, end) else { break };
                    let worth = &mut chances[next.index()];
                    *worth = kept.max(*worth);
                    // A card of which every copy lies elsewhere never comes here.
                    let gone = laid[next.index()] >= deck.decks;
                    let Some(longer) =
                        (!gone).then(|| law.lay_off(&meld, &[next.into()], Some(end)).ok()).flatten()
                    else {
                        break;
                    };
                    meld = longer;
                }
            }
        }
        if self.view.round().settings.meld.extra == MeldExtra::AfterContract {
            for card in faces(&self.hand) {
                let near = |other: Face| match (other.rank() == card.rank(), other.suit() == card.suit()) {
                    (true, same) => !(same && law.distinct_suits),
                    (false, same) => same && other.rank().abs_diff(card.rank()) <= 2,
                };
                let mut others = self.hand;
                others[card.index()] -= 1;
                let natural = |&other: &Face| !law.is_wild(other);
                let pairs = faces(&others).into_iter().filter(natural).filter(|&other| near(other)).count();
                chances[card.index()] += 4 * pairs.min(3) as i32;
            }
        }
        chances
    }

    /// What it is worth that a discard makes the next player lose a turn: much where that player is down, less than nothing where
    /// it would be thrown for nothing (HR-SKIP-2).
    fn skips_by(&self, card: Face) -> i32 {
        if !self.law().is_skip(card) {
            return 0;
        }
        let flow = &self.view.flow;
        let other = |seat: &Seat| !flow.partners(&self.view.compiled, self.seat, *seat);
        match self.view.loses_turn(card).filter(other) {
            None => -SKIP,
            Some(next) if flow.down.has(next) => 2 * SKIP,
            Some(_) => SKIP,
        }
    }

    /// How well a card goes with another in a meld: 0 where it does not.
    fn goes_with(&self, card: Face, other: Face) -> i32 {
        if other.is_joker() || card.is_joker() {
            return 0;
        }
        let apart = other.rank().abs_diff(card.rank());
        let apart = apart.min(self.law().ranks - apart.min(self.law().ranks));
        match (other.rank() == card.rank(), other.suit() == card.suit()) {
            (true, _) => 4,
            (false, true) if apart <= 2 => 3,
            _ => 0,
        }
    }

    /// How likely a discard helps somebody: what the others took from the pile lies near it.
    fn danger(&self, card: Face) -> i32 {
        let view = self.view;
        let next = view.flow.step(&view.compiled, self.seat, 1);
        let taken: i32 = view
            .board
            .taken
            .iter()
            .filter(|t| t.seat != self.seat && !t.gone && !view.flow.down.has(t.seat))
            .map(|t| self.goes_with(card, t.card) * if t.seat == next { 2 } else { 1 })
            .sum();
        let fits = i32::from(view.board.melds.iter().any(|m| self.law().fit(&m.meld, card).any()));
        taken.min(24) + 3 * fits
    }
}

/// Number of cards.
fn size(hand: &Counts) -> usize {
    hand.iter().map(|&n| usize::from(n)).sum()
}

/// The faces in hand, each once.
fn faces(hand: &Counts) -> Vec<Face> {
    (1..Face::COUNT).chain([0]).filter(|&i| hand[i] > 0).filter_map(Face::from_index).collect()
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
