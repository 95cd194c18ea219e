//! Players of Contract Rummy.
//!
//! Both know nothing but their view, and of the game nothing but its rules as data: what the contract is, who may take,
//! buy, claim or lay off, is asked of the view's judge, so that any rule file can be played.
//!
//! - [`Easy`] plays as a beginner does: it takes the discard only if that brings the contract nearer or fits on the
//!   table, never asks out of turn, melds at once, lays off what it can and sheds the dearest card outside its plan.
//! - [`Steady`] counts: how many cards its hand is from the contract after each discard, how many cards would help, what
//!   the others have picked up, and what a take costs.

use crate::{Bot, Thought};
use ::contract::meld::{Kind, Law, Meld, Suits, Want};
use ::contract::rules::{DrawMode, MeldExtra, OutDiscard, ReclaimUse};
use ::contract::solver::{Counts, Gauge, Play, Rights, Solver, shed};
use ::contract::table::Phase;
use ::contract::{Command, View};
use cards::Face;
use game::{Chance, Millis, Seat, View as _};
use std::cell::OnceCell;

/// The beginner.
#[derive(Clone, Copy, Debug, Default)]
pub struct Easy;

/// The player who counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steady;

impl Bot<View> for Easy {
    fn name(&self) -> &str {
        "easy/1"
    }

    fn think(&mut self, view: &View, _: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        Mind::new(view)?.think(Level::Easy, chance)
    }
}

impl Bot<View> for Steady {
    fn name(&self) -> &str {
        "steady/1"
    }

    fn think(&mut self, view: &View, _: Millis, chance: &mut dyn Chance) -> Option<Thought<Command>> {
        Mind::new(view)?.think(Level::Steady, chance)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Easy,
    Steady,
}

/// What a bot sees, with what it works out from that.
struct Mind<'a> {
    view: &'a View,
    seat: Seat,
    hand: Counts,
    /// The contracts it may be after: the number to name in the command, where one is picked, and the law.
    aims: Vec<(Option<u16>, &'a Law)>,
    /// What measures distances: hands of one card fewer than now, of as many, and of one more, for each aim.
    gauges: [OnceCell<Vec<Gauge>>; 3],
    here: OnceCell<u8>,
}

impl<'a> Mind<'a> {
    fn new(view: &'a View) -> Option<Mind<'a>> {
        let seat = view.seat?;
        let left = view.contracts_left();
        let number = |at: u16| view.book.chosen().then(|| view.book.round(at).number);
        let aims = if left.is_empty() {
            vec![(number(view.contract()), view.law())]
        } else {
            left.iter().map(|&at| (number(at), &view.book.laws[usize::from(at)])).collect()
        };
        Some(Mind {
            view,
            seat,
            hand: *view.hand.counts(),
            aims,
            gauges: Default::default(),
            here: OnceCell::new(),
        })
    }

    fn think(&self, level: Level, chance: &mut dyn Chance) -> Option<Thought<Command>> {
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
            Phase::Pick => {
                let of = view.flow.claimer.map_or(1, |c| view.flow.sizes[c.index()]).max(1);
                (Command::Pick { place: 1 + chance.below(u32::from(of)) as u16 }, 1_500)
            }
            Phase::Start if own => (self.draw(level), 1_000),
            Phase::Start | Phase::Offer => (self.answer(level), 700),
            Phase::Play if own => self.play(level),
            Phase::Play => match self.answer(level) {
                Command::Take => (Command::Take, 700),
                _ => return None,
            },
            Phase::Shanghai => (self.claim(level), 900),
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

    /// The gauges for hands of the size of this one, which is the bot's own but for one card.
    fn gauges(&self, hand: &Counts) -> &[Gauge] {
        let (own, cards) = (size(&self.hand), size(hand));
        let at = if cards < own {
            0
        } else if cards == own {
            1
        } else {
            2
        };
        self.gauges[at].get_or_init(|| self.aims.iter().map(|(_, law)| Gauge::new(law, cards)).collect())
    }

    /// How far a hand is from the nearest contract.
    fn distance(&self, hand: &Counts) -> u8 {
        self.gauges(hand).iter().map(|gauge| gauge.distance(hand)).min().unwrap_or(0)
    }

    /// How far the hand is from the nearest contract now.
    fn here(&self) -> u8 {
        *self.here.get_or_init(|| self.distance(&self.hand))
    }

    /// Whether a hand is at most so far from a contract.
    fn within(&self, hand: &Counts, distance: u8) -> bool {
        self.gauges(hand).iter().any(|gauge| gauge.within(hand, distance))
    }

    /// Whether one more card brings the hand nearer.
    fn nearer_with(&self, card: Face) -> bool {
        self.here().checked_sub(1).is_some_and(|nearer| self.within(&self.with(card), nearer))
    }

    /// How many copies nobody has seen of the faces that bring a hand nearer.
    fn helpers(&self, hand: &Counts, distance: u8) -> i32 {
        let faces = self.gauges(hand).iter().fold(0, |set, gauge| set | gauge.helpful(hand, distance));
        let seen = self.seen();
        let deck = &self.view.book.rules.settings.deck;
        (0..Face::COUNT)
            .filter(|i| faces >> i & 1 != 0)
            .map(|i| {
                let copies = if i == 0 { deck.jokers } else { deck.decks };
                i32::from(copies.saturating_sub(seen[i]))
            })
            .sum()
    }

    /// The cards whose places are known: one's own, those on the table, the top discard.
    fn seen(&self) -> Counts {
        let mut seen = self.hand;
        for face in self.view.board.melds.iter().flat_map(|m| m.meld.faces()).chain(self.view.flow.top) {
            seen[face.index()] += 1;
        }
        seen
    }

    fn with(&self, card: Face) -> Counts {
        let mut hand = self.hand;
        hand[card.index()] += 1;
        hand
    }

    fn cut(&self) -> Command {
        let round = self.view.round();
        let hands = u16::from(self.view.flow.seats) * u16::from(round.deal);
        Command::Cut { aim: hands + u16::from(round.settings.deal.upcard) }
    }

    /// Whether a card fits on a meld of the table where this seat may lay it off.
    fn fits(&self, card: Face) -> bool {
        (1..)
            .zip(&self.view.board.melds)
            .any(|(_, m)| self.onto(m.owner) && self.law().fit(&m.meld, card).any())
    }

    fn onto(&self, owner: Seat) -> bool {
        use ::contract::rules::LayoffOnto;
        match self.view.round().settings.layoff.onto {
            LayoffOnto::All => true,
            LayoffOnto::Own => owner == self.seat,
            LayoffOnto::Team => self.view.flow.partners(&self.view.book, owner, self.seat),
        }
    }

    /// Whether the top discard is worth having as the draw.
    fn wants(&self, card: Face) -> bool {
        if self.down() {
            return self.fits(card)
                || self.extra(&self.with(card)).is_some() && self.extra(&self.hand).is_none();
        }
        let law = self.law();
        // Where the whole hand must go, another card must find a place, too; what is in the way goes with the discard.
        let helps = if law.all { self.within(&self.with(card), self.here()) } else { self.nearer_with(card) };
        law.is_wild(card) || helps
    }

    /// START: the discard, a buy, or the stock.
    fn draw(&self, level: Level) -> Command {
        let view = self.view;
        let other =
            if view.round().settings.draw.mode == DrawMode::Push && view.judge(&Command::DrawPush).is_ok() {
                Command::DrawPush
            } else {
                Command::DrawStock
            };
        let Some(top) = view.flow.top else { return other };
        let discard = view.judge(&Command::DrawDiscard).is_ok();
        let wanted = self.wants(top);
        if level == Level::Steady && wanted && !self.down() && view.judge(&Command::Buy).is_ok() {
            // A buy adds a card to the hand: worth it where the contract needs more cards than the turns bring.
            let cards = size(&self.hand);
            let need = self.aims.iter().map(|(_, law)| cards_needed(law)).min().unwrap_or(0);
            if cards + 1 < need {
                return Command::Buy;
            }
        }
        if discard && wanted { Command::DrawDiscard } else { other }
    }

    /// OFFER: ask or pass.
    fn answer(&self, level: Level) -> Command {
        let Some(top) = self.view.flow.top.filter(|_| level == Level::Steady) else { return Command::Pass };
        if self.down() || self.view.judge(&Command::Take).is_err() {
            return Command::Pass;
        }
        let law = self.law();
        let set = &self.view.round().settings;
        let here = self.here();
        if here == 0 || !self.nearer_with(top) {
            return Command::Pass;
        }
        let there = here - 1;
        // Penalty cards must be shed again. In a whole-hand round each of them is a step back.
        let penalty = if law.all { u8::from(set.take.penalty > 0) } else { 0 };
        // When somebody is about to go out, cards in hand are points lost.
        let others = self.view.flow.down.without(self.seat);
        let nearest = others.iter().map(|s| self.view.flow.sizes[s.index()]).min();
        let late = nearest.is_some_and(|cards| cards <= 3);
        let cards = size(&self.hand);
        let full = cards > 22;
        if there + penalty >= here || late && there > 0 || full { Command::Pass } else { Command::Take }
    }

    /// SHANGHAI: lay the discard on a meld, if it fits.
    fn claim(&self, level: Level) -> Command {
        let Some(top) = self.view.flow.top.filter(|_| level == Level::Steady) else { return Command::Pass };
        // A card of ours goes to the discarder: better so than not, unless it might be one we need.
        if !self.down() && self.here() <= 1 {
            return Command::Pass;
        }
        for (on, table) in (1..).zip(&self.view.board.melds) {
            let fit = self.law().fit(&table.meld, top);
            let end = fit.both_ends().then_some(::contract::meld::End::High);
            let claim = Command::Shanghai { on, end };
            if fit.any() && self.view.judge(&claim).is_ok() {
                return claim;
            }
        }
        Command::Pass
    }

    /// PLAY: the contract, then lay-offs, then the discard.
    fn play(&self, level: Level) -> (Command, u32) {
        if !self.down() {
            if let Some(command) = self.contract() {
                return (command, 3_000);
            }
            if let Some(command) = self.early_reclaim(level) {
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
        (self.discard(level), 1_600)
    }

    /// The contract that leaves the least in hand, if there is one.
    fn contract(&self) -> Option<Command> {
        let mut answers: Vec<_> = self
            .aims
            .iter()
            .filter_map(|&(contract, law)| {
                let answer = Solver::new(law).with_budget(200_000).best(&self.hand).answer?;
                let melds = answer.melds.iter().map(Meld::said).collect();
                Some((answer.points, Command::Meld { contract, melds }))
            })
            .collect();
        answers.sort_by_key(|(points, _)| *points);
        answers.into_iter().map(|(_, command)| command).find(|command| self.view.judge(command).is_ok())
    }

    /// A wild taken back before the contract is laid, where the game lets one keep it and it helps.
    fn early_reclaim(&self, level: Level) -> Option<Command> {
        let wild = &self.view.round().settings.wild;
        if level == Level::Easy || wild.reclaim_use != ReclaimUse::Keep {
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
        let want = |kind, size| Want { kind, size, wilds: 255, distinct: false, suits: Suits::One };
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
        let barred = !self.down() || view.flow.fresh && !self.law().same_turn;
        if view.board.melds.is_empty() || barred && view.board.pending.is_empty() {
            return None;
        }
        let set = &view.round().settings;
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
                keep_one: self.law().keep_one,
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
    fn discard(&self, level: Level) -> Command {
        let law = self.law();
        let legal: Vec<Face> = faces(&self.hand)
            .into_iter()
            .filter(|&card| self.view.judge(&Command::Discard { card, shanghai: false }).is_ok())
            .collect();
        let value = |card: Face| i32::from(law.values[card.index()]);
        let down = self.down();
        let forbidden = self.view.round().settings.out.discard == OutDiscard::Forbidden;
        let without = |card: Face| {
            let mut rest = self.hand;
            rest[card.index()] -= 1;
            rest
        };
        // How far the hand is after the best discard. Where the whole hand must go, that is one card fewer in the way.
        let nearer = self.here().checked_sub(1).filter(|_| law.all && !down);
        let here = nearer.filter(|&d| legal.iter().any(|&card| self.within(&without(card), d)));
        let here = here.unwrap_or_else(|| if down { 0 } else { self.here() });
        let worth = |card: Face| -> i32 {
            let rest = without(card);
            // What is thrown may be what somebody waits for; what fits on the table is laid off sooner or later.
            let wild = if law.is_wild(card) { 60 } else { 0 };
            if down {
                let useful = if forbidden && self.fits(card) { 60 } else { 0 };
                return value(card)
                    - wild
                    - useful
                    - if level == Level::Easy { 0 } else { self.danger(card) };
            }
            // Throwing a card takes the hand a step away or leaves it where it is.
            let distance = i32::from(!self.within(&rest, here));
            match level {
                Level::Easy => value(card) - 100 * distance,
                Level::Steady => {
                    let urgent = !self.view.flow.down.is_empty();
                    let relief = if urgent { 2 * value(card) } else { value(card) };
                    relief - 80 * distance - 2 * wild - self.danger(card)
                }
            }
        };
        let mut ranked: Vec<(i32, Face)> = legal.iter().map(|&card| (worth(card), card)).collect();
        ranked.sort_by_key(|&(worth, card)| (std::cmp::Reverse(worth), card));
        if level == Level::Steady && !down {
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
            ranked.sort_by_key(|&(worth, card)| (std::cmp::Reverse(worth), card));
        }
        let Some(&(_, card)) = ranked.first() else { return Command::Hold };
        let protect = Command::Discard { card, shanghai: true };
        if level == Level::Steady && self.view.judge(&protect).is_ok() {
            return protect;
        }
        Command::Discard { card, shanghai: false }
    }

    /// How likely a discard helps somebody: what the others took from the pile lies near it.
    fn danger(&self, card: Face) -> i32 {
        let view = self.view;
        let next = view.flow.step(&view.book, self.seat, 1);
        let near = |other: Face| {
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
        };
        let taken: i32 = view
            .board
            .taken
            .iter()
            .filter(|t| t.seat != self.seat && !view.flow.down.has(t.seat))
            .map(|t| near(t.card) * if t.seat == next { 2 } else { 1 })
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
