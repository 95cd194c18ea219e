//! What `strong` adds: it plays the round on, many times over, before it throws a card or lets one lie.
//!
//! The cards that it cannot see are dealt in every way that fits what everybody knows ([`Rollouts::world`]); through each such world the
//! round is played to its end by players who go by distance and points alone, once for each choice and always over the same worlds. What
//! counts is how likely each opponent is to be behind at the end of the match. The choice of `keen` stands unless another is
//! better by more than chance would make it.

use super::{BESIDE, FULL, Mind, Played, cards_needed, faces, size};
use ::contract::meld::{End, Kind, Law, Meld, Suits, Wanted};
use ::contract::rules::{
    DrawMode, LayoffOnto, LayoffWhen, LimitPer, MeldExtra, NotDownCards, OutDiscard, RunAce, WildPlace,
};
use ::contract::solver::{Counts, Gauge, Solver};
use cards::Face;
use game::Seat;
use game::chance::{Chance as _, SplitMix};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Worlds that a decision is played on in at most.
const WORLDS: usize = 150;
/// Hands that are looked at for one decision at most: a bound on its time.
const WORK: usize = 20_000;
/// Hands that one counts as where the contract has three runs or more, which are searched so much longer.
const THREE_RUNS: usize = 6;
/// Worlds after which choices that are plainly worse are given up, again and again.
const LOOKS: usize = 10;
/// Standard errors that a choice must be worse by to be given up.
const PRUNED: f64 = 1.5;
/// Standard errors that a choice must be better by to overrule the first.
const SURE: f64 = 0.5;
/// Discards that are tried: those that look best.
const TRIED: usize = 5;
/// Turns of each seat after which a round that goes on is broken off.
const TURNS: usize = 14;
/// Cards that an opponent has seen for each turn, and the most that a hand is chosen from beside those held: so many make hands as near
/// to their contracts as those of players are.
const SEEN: (usize, usize) = (17, 10);
/// Turns of the table in which what opponents threw or left lying tells what they do not need.
const REMEMBERED: usize = 2;
/// Hands that are dealt to an opponent until one needs nothing of that.
const DEALT: usize = 4;
/// What one round may still move between two players, in cards of the pack.
const SPREAD: f64 = 2.6;
/// Rounds that the end of the match still counts as: so that points count a little beside places.
const LEAST: f64 = 0.05;
/// What keeping a card back is worth for each other of its rank, and for each of its suit at most two ranks away, in points.
const GOES_WITH: [i32; 2] = [6, 4];

/// A choice that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// To throw this card.
    Throw(Face),
    /// To take the discard out of turn, or let it lie.
    Take(bool),
}

/// Mixes the counts of a hand: they come from no stranger.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        self.0 ^= self.0 >> 29;
    }
}

type Table<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A way to lay the contract.
struct Laid {
    melds: Vec<(Meld, u64)>,
    left: Counts,
}

/// What nobody sees: hands, and for each seat the cards that it will draw and be fined with.
struct World {
    hands: Vec<Counts>,
    draws: Vec<Vec<Face>>,
    fines: Vec<Vec<Face>>,
}

/// A player of a round that is played on.
#[derive(Clone)]
struct Player {
    hand: Counts,
    cards: usize,
    /// Cards that are missing from the contract, and the faces that bring it nearer.
    distance: u8,
    helps: u64,
    down: bool,
    /// Whether the contract was laid in this turn.
    fresh: bool,
    takes: u16,
    /// Cards drawn and fined with so far.
    drawn: usize,
    fined: usize,
    /// What takes have cost, in points.
    price: i32,
}

/// A round under way.
#[derive(Clone)]
struct Round<'a> {
    world: &'a World,
    players: Vec<Player>,
    /// The melds with the faces that fit on each, and all of these faces.
    table: Vec<(Meld, u64)>,
    fits: u64,
    top: Option<Face>,
    thrower: usize,
    turn: usize,
}

impl Round<'_> {
    /// Whether a card fits on a meld that lies on the table.
    fn has_place_for(&self, card: Face) -> bool {
        self.fits >> card.index() & 1 != 0
    }
}

/// Plays rounds on.
pub(super) struct Rollouts<'a> {
    mind: &'a Mind<'a>,
    law: &'a Law,
    gauge: Gauge,
    solver: Solver<'a>,
    seats: usize,
    me: usize,
    /// Cards that the contract needs, and of what kinds.
    need: usize,
    groups: bool,
    runs: bool,
    /// What was worked out, by hand: faces that help, the card to throw, the way to lay.
    helped: Table<Counts, u64>,
    thrown: Table<(Counts, bool), Face>,
    laid: Table<Counts, Option<Rc<Laid>>>,
    /// Hands looked at, and what each counts as.
    worked: usize,
    each: usize,
}

impl<'a> Rollouts<'a> {
    /// None where the round has rules that are not played on.
    pub(super) fn new(mind: &'a Mind<'a>) -> Option<Rollouts<'a>> {
        let view = mind.view;
        let set = &view.round().settings;
        let [(_, law)] = mind.aims[..] else { return None };
        // Only these are gauged in microseconds.
        let common = law.wild == 1
            && law.skips == 0
            && law.ace != RunAce::Corner
            && !law.distinct_suits
            && law.contracts.iter().flatten().flatten().all(|want| {
                want.suits == Suits::One && !want.distinct && want.rank == 0 && want.kind != Kind::Flush
            });
        let plain = common
            && !law.all
            && law.opening == 0
            && !view.compiled.per_player()
            && !view.compiled.picks()
            && set.draw.mode == DrawMode::StockOrDiscard
            && set.draw.cards == 1
            && set.draw.pile == 1
            && set.layoff.onto == LayoffOnto::All
            && !set.layoff.all_down
            && set.meld.extra == MeldExtra::None
            && matches!(set.out.discard, OutDiscard::Required | OutDiscard::Optional)
            && view.compiled.rules.settings.players.teams == 0
            && view.compiled.rules.settings.score.low_wins
            && view.board.pending.is_empty();
        if !plain {
            return None;
        }
        let exact = Law { exact: true, ..law.clone() };
        let runs = |slots: &Wanted| {
            slots.iter().filter(|slot| slot.iter().any(|want| want.kind == Kind::Run)).count()
        };
        let most_runs = law.contracts.iter().map(runs).max().unwrap_or(0);
        let wanted =
            |kind: fn(Kind) -> bool| law.contracts.iter().flatten().flatten().any(|want| kind(want.kind));
        Some(Rollouts {
            mind,
            law,
            gauge: Gauge::new(&exact, size(&mind.hand)),
            solver: Solver::new(law).with_budget(5_000),
            seats: usize::from(view.flow.seats),
            me: mind.seat.index(),
            need: cards_needed(law),
            groups: wanted(|kind| kind != Kind::Run),
            runs: wanted(|kind| kind == Kind::Run),
            helped: Table::default(),
            thrown: Table::default(),
            laid: Table::default(),
            worked: 0,
            each: if most_runs >= 3 { THREE_RUNS } else { 1 },
        })
    }

    fn next(&self, seat: usize) -> usize {
        self.mind.view.flow.step(&self.mind.view.compiled, Seat(seat as u8), 1).index()
    }

    fn helps(&mut self, hand: &Counts, distance: u8) -> u64 {
        if distance == 0 {
            return 0;
        }
        if let Some(&helps) = self.helped.get(hand) {
            return helps;
        }
        self.worked += self.each;
        let helps = self.gauge.helpful(hand, distance);
        self.helped.insert(*hand, helps);
        helps
    }

    /// The cards that nobody sees: not in this hand, on the table, in the pile, or known to be held.
    fn unseen(&self) -> Vec<Face> {
        let view = self.mind.view;
        let mut seen = self.mind.hand;
        let melded = view.board.melds.iter().flat_map(|m| m.meld.faces());
        let piled: Vec<Face> =
            if view.pile.is_empty() { view.board.piled().collect() } else { view.pile.clone() };
        let others = (0..self.seats).filter(|&seat| seat != self.me);
        let held = others.flat_map(|seat| view.board.known(Seat(seat as u8)));
        for face in melded.chain(piled).chain(held) {
            seen[face.index()] += 1;
        }
        let mut unseen = Vec::new();
        let mut left = seen;
        for &face in &view.compiled.cards {
            if left[face.index()] > 0 {
                left[face.index()] -= 1;
            } else {
                unseen.push(face);
            }
        }
        unseen
    }

    /// Cards that each opponent is known not to need: what they threw of late, and what they left lying in their turn.
    fn unneeded(&self) -> Vec<Vec<Face>> {
        let board = &self.mind.view.board;
        let mut unneeded = vec![Vec::new(); self.seats];
        let recent = board.thrown.iter().rev().take(REMEMBERED * self.seats);
        let mut top = true;
        for thrown in recent.filter(|thrown| !thrown.gone) {
            let offered = std::mem::take(&mut top);
            let Some(seat) = thrown.seat else { continue };
            unneeded[seat.index()].push(thrown.card);
            // What lies on top may not have been offered yet.
            if !offered {
                unneeded[self.next(seat.index())].push(thrown.card);
            }
        }
        unneeded
    }

    /// A hand that an opponent may hold: what is best kept of as many cards more as there have been turns.
    fn deal(&mut self, seat: usize, hidden: &mut Vec<Face>, chance: &mut SplitMix) -> Counts {
        let view = self.mind.view;
        let seen = (usize::from(view.flow.turns) * SEEN.0 / (10 * self.seats)).min(SEEN.1);
        let cards = usize::from(view.flow.sizes[seat]);
        let down = view.flow.down.has(Seat(seat as u8));
        let mut hand = [0; Face::COUNT];
        let mut held = 0;
        for face in view.board.known(Seat(seat as u8)).take(cards) {
            hand[face.index()] += 1;
            held += 1;
        }
        let known = hand;
        let more = if down { 0 } else { seen };
        while held < cards + more {
            let Some(face) = hidden.pop() else { break };
            hand[face.index()] += 1;
            held += 1;
        }
        let mut back = Vec::new();
        let mut distance = if held > cards { self.gauge.distance(&hand) } else { 0 };
        while held > cards {
            let looked = if distance == 0 { Face::JOKER } else { self.throw_of(&hand, distance, false) };
            let free = |face: &Face| hand[face.index()] > known[face.index()];
            let face = if distance > 0 && free(&looked) {
                looked
            } else {
                // Who could have laid would have, and what everybody knows stays: any other card goes.
                let all: Vec<Face> = faces(&hand).into_iter().filter(free).collect();
                if all.is_empty() {
                    break;
                }
                distance = 0;
                all[chance.below(all.len() as u32) as usize]
            };
            hand[face.index()] -= 1;
            if distance == 0 {
                distance = self.gauge.distance(&hand);
            }
            back.push(face);
            held -= 1;
        }
        hidden.splice(0..0, back);
        hand
    }

    /// One way in which the hidden cards may lie.
    fn world(&mut self, unseen: &[Face], unneeded: &[Vec<Face>], chance: &mut SplitMix) -> World {
        let view = self.mind.view;
        let mut hidden = unseen.to_vec();
        chance.shuffle(&mut hidden);
        if let Some(open) = &self.mind.open {
            return self.stocked(self.revealed(open, &mut hidden), hidden);
        }
        let mut hands = vec![[0; Face::COUNT]; self.seats];
        let first = chance.below(self.seats as u32) as usize;
        let seats = self.seats;
        for seat in (first..seats).chain(0..first) {
            if seat == self.me {
                hands[seat] = self.mind.hand;
                continue;
            }
            let mut best: Option<(usize, Counts, Vec<Face>)> = None;
            for _ in 0..DEALT {
                let mut rest = hidden.clone();
                chance.shuffle(&mut rest);
                let hand = self.deal(seat, &mut rest, chance);
                let conflicts = if view.flow.down.has(Seat(seat as u8)) || unneeded[seat].is_empty() {
                    0
                } else {
                    let distance = self.gauge.distance(&hand);
                    let helps = self.helps(&hand, distance);
                    unneeded[seat].iter().filter(|face| helps >> face.index() & 1 != 0).count()
                };
                if best.as_ref().is_none_or(|best| conflicts < best.0) {
                    best = Some((conflicts, hand, rest));
                }
                if conflicts == 0 {
                    break;
                }
            }
            if let Some((_, hand, rest)) = best {
                hands[seat] = hand;
                hidden = rest;
            }
        }
        chance.shuffle(&mut hidden);
        self.stocked(hands, hidden)
    }

    /// The hands as they are, which are no longer hidden.
    fn revealed(&self, open: &[Counts], hidden: &mut Vec<Face>) -> Vec<Counts> {
        for seat in (0..self.seats).filter(|&seat| seat != self.me) {
            let mut held = open[seat];
            for face in self.mind.view.board.known(Seat(seat as u8)) {
                held[face.index()] = held[face.index()].saturating_sub(1);
            }
            hidden.retain(|face| {
                let lies = held[face.index()] == 0;
                held[face.index()] -= u8::from(!lies);
                lies
            });
        }
        open.to_vec()
    }

    /// A world with these hands: what else is hidden will be drawn, each seat from a stock of its own.
    fn stocked(&self, hands: Vec<Counts>, hidden: Vec<Face>) -> World {
        let mut draws = vec![Vec::new(); self.seats];
        let mut fines = vec![Vec::new(); self.seats];
        for (i, face) in hidden.into_iter().enumerate() {
            let seat = i % self.seats;
            if i / self.seats % 4 == 3 { fines[seat].push(face) } else { draws[seat].push(face) }
        }
        World { hands, draws, fines }
    }

    fn start<'w>(&mut self, world: &'w World) -> Round<'w> {
        let view = self.mind.view;
        let flow = &view.flow;
        let mut players = Vec::new();
        for seat in 0..self.seats {
            let hand = world.hands[seat];
            let down = flow.down.has(Seat(seat as u8));
            let distance = if down { 0 } else { self.gauge.distance(&hand) };
            let helps = self.helps(&hand, distance);
            players.push(Player {
                hand,
                cards: size(&hand),
                distance,
                helps,
                down,
                fresh: false,
                takes: flow.takes[seat].into(),
                drawn: 0,
                fined: 0,
                price: 0,
            });
        }
        let table: Vec<(Meld, u64)> =
            view.board.melds.iter().map(|m| (m.meld.clone(), self.mask(&m.meld))).collect();
        let fits = table.iter().fold(0, |set, (_, mask)| set | mask);
        Round {
            world,
            players,
            table,
            fits,
            top: flow.top,
            thrower: flow.discarder.index(),
            turn: flow.turn.index(),
        }
    }

    /// The faces that fit on a meld.
    fn mask(&self, meld: &Meld) -> u64 {
        let law = self.law;
        let of_rank = |rank: u8| (0..law.suits).fold(0, |set, suit| set | 1 << Face::new(suit, rank).index());
        let mut asked = if law.place == WildPlace::Fixed {
            law.wild
                | if meld.is_run() {
                    let ends = [End::Low, End::High].into_iter().filter_map(|end| law.beyond(meld, end));
                    ends.fold(0, |set, face| set | of_rank(face.rank()))
                } else {
                    of_rank(meld.low)
                }
        } else {
            law.pack.faces().fold(law.wild, |set, face| set | 1 << face.index())
        };
        let mut fits = 0;
        while asked != 0 {
            let i = asked.trailing_zeros() as usize;
            asked &= asked - 1;
            if let Some(face) = Face::from_index(i)
                && law.fit(meld, face).any()
            {
                fits |= 1 << i;
            }
        }
        fits
    }

    fn gain(&mut self, player: &mut Player, card: Face) {
        player.hand[card.index()] += 1;
        player.cards += 1;
        if !player.down && player.helps >> card.index() & 1 != 0 {
            player.distance -= 1;
            player.helps = self.helps(&player.hand, player.distance);
        }
    }

    fn lose(&mut self, player: &mut Player, card: Face) {
        player.hand[card.index()] -= 1;
        player.cards -= 1;
    }

    /// What a player who is not down throws: the dearest card that the contract can do without, and that goes least with others.
    fn throw_of(&mut self, hand: &Counts, distance: u8, urgent: bool) -> Face {
        if let Some(&face) = self.thrown.get(&(*hand, urgent)) {
            return face;
        }
        self.worked += self.each;
        let all = faces(hand);
        let worth = |card: Face| {
            let value = i32::from(self.law.values[card.index()]);
            let mut kept = 0;
            for &other in &all {
                let count = i32::from(hand[other.index()]) - i32::from(other == card);
                if count == 0 || self.law.is_wild(other) {
                    continue;
                }
                let apart = other.rank().abs_diff(card.rank());
                if self.groups && apart == 0 {
                    kept += GOES_WITH[0] * count;
                } else if self.runs
                    && other.suit() == card.suit()
                    && (1..=2).contains(&apart.min(self.law.ranks.saturating_sub(apart)))
                {
                    kept += GOES_WITH[1];
                }
            }
            let wild = if self.law.is_wild(card) { 120 } else { 0 };
            (if urgent { 2 * value } else { value }) - kept - wild
        };
        let mut ranked: Vec<(i32, Face)> = all.iter().map(|&card| (worth(card), card)).collect();
        ranked.sort_by_key(|&(worth, card)| (std::cmp::Reverse(worth), card));
        let spare = |&&(_, card): &&(i32, Face)| {
            let mut rest = *hand;
            rest[card.index()] -= 1;
            self.gauge.within(&rest, distance)
        };
        let face = ranked.iter().find(spare).or(ranked.first()).map_or(Face::JOKER, |&(_, card)| card);
        self.thrown.insert((*hand, urgent), face);
        face
    }

    fn lay(&mut self, hand: &Counts) -> Option<Rc<Laid>> {
        if let Some(laid) = self.laid.get(hand) {
            return laid.clone();
        }
        self.worked += 4 * self.each;
        let laid = self.solver.best(hand).answer.map(|answer| {
            let melds = answer.melds.into_iter().map(|meld| {
                let mask = self.mask(&meld);
                (meld, mask)
            });
            Rc::new(Laid { melds: melds.collect(), left: answer.left })
        });
        self.laid.insert(*hand, laid.clone());
        laid
    }

    /// Whether somebody takes the top discard out of turn.
    fn takes(&self, round: &Round<'_>, seat: usize) -> bool {
        let player = &round.players[seat];
        let take = &self.mind.view.round().settings.take;
        let Some(top) = round.top else { return false };
        if player.down || player.helps >> top.index() & 1 == 0 || player.cards > FULL {
            return false;
        }
        if player.distance == 1 {
            // To lay the contract saves half of the hand.
            let dear = take.points > 0 && 2 * take.points > self.law.points_of(&player.hand);
            return !dear && self.may_take(player);
        }
        let late = round.players.iter().any(|other| other.down && other.cards <= 3);
        let more = 2 + usize::from(take.penalty);
        !late && take.points == 0 && player.cards + more <= self.need + BESIDE && self.may_take(player)
    }

    fn may_take(&self, player: &Player) -> bool {
        let take = &self.mind.view.round().settings.take;
        take.on && (take.limit == 0 || take.limit_per == LimitPer::Game || player.takes < take.limit.into())
    }

    /// Gives the top discard to who takes it out of turn.
    fn take(&mut self, round: &mut Round<'_>, seat: usize) {
        let take = &self.mind.view.round().settings.take;
        let Some(top) = round.top.take() else { return };
        let mut player = round.players[seat].clone();
        self.gain(&mut player, top);
        for _ in 0..take.penalty {
            let fines = &round.world.fines[seat];
            if let Some(&card) = fines.get(player.fined) {
                player.fined += 1;
                self.gain(&mut player, card);
            }
        }
        player.takes += 1;
        player.price += take.points;
        round.players[seat] = player;
    }

    /// The top discard goes to the first who takes it; `mine` is what this seat does if it is asked.
    fn offer(&mut self, round: &mut Round<'_>, mine: Option<bool>) {
        let mut seat = self.next(round.turn);
        while seat != round.turn {
            let asks = match mine {
                Some(mine) if seat == self.me => mine,
                _ => seat != round.thrower && self.takes(round, seat),
            };
            if asks {
                self.take(round, seat);
                return;
            }
            seat = self.next(seat);
        }
    }

    fn stock(&mut self, round: &mut Round<'_>) {
        let seat = round.turn;
        let draws = &round.world.draws[seat];
        let mut player = round.players[seat].clone();
        if !draws.is_empty() {
            let card = draws[player.drawn % draws.len()];
            player.drawn += 1;
            self.gain(&mut player, card);
        }
        round.players[seat] = player;
    }

    fn wants(&self, round: &Round<'_>) -> bool {
        let Some(top) = round.top else { return false };
        let player = &round.players[round.turn];
        if player.down {
            let set = &self.mind.view.round().settings;
            return set.draw.discard_when_down
                && set.layoff.when != LayoffWhen::Never
                && round.has_place_for(top);
        }
        player.helps >> top.index() & 1 != 0
    }

    /// From the draw on. True once somebody is out.
    fn turn(&mut self, round: &mut Round<'_>) -> bool {
        if self.wants(round) {
            if let Some(top) = round.top.take() {
                let mut player = round.players[round.turn].clone();
                self.gain(&mut player, top);
                round.players[round.turn] = player;
            }
        } else {
            self.offer(round, None);
            self.stock(round);
        }
        self.play(round)
    }

    /// From the play on. True once somebody is out.
    fn play(&mut self, round: &mut Round<'_>) -> bool {
        let set = &self.mind.view.round().settings;
        let seat = round.turn;
        let mut player = round.players[seat].clone();
        player.fresh = false;
        if !player.down
            && player.distance == 0
            && let Some(laid) = self.lay(&player.hand)
        {
            player.hand = laid.left;
            player.cards = size(&laid.left);
            player.down = true;
            player.fresh = true;
            player.helps = 0;
            for (meld, mask) in &laid.melds {
                round.table.push((meld.clone(), *mask));
                round.fits |= mask;
            }
        }
        let may = set.layoff.when == LayoffWhen::SameTurn
            || set.layoff.when == LayoffWhen::NextTurn && !player.fresh;
        if player.down && may {
            self.shed(round, &mut player);
        }
        if player.cards > 0 {
            let card = self.throws(round, &player);
            self.lose(&mut player, card);
            round.top = self.lies(round, card);
            round.thrower = seat;
            if !player.down {
                player.helps = self.helps(&player.hand, player.distance);
            }
        }
        let out = player.cards == 0;
        round.players[seat] = player;
        round.turn = self.next(seat);
        out
    }

    /// What the others may take of a card that was thrown. Where Shanghai can be called, whoever throws what fits on a meld calls it:
    /// then nobody takes the card (SH-CALL-1).
    fn lies(&self, round: &Round<'_>, card: Face) -> Option<Face> {
        let protected = self.mind.view.round().settings.shanghai.on && round.has_place_for(card);
        (!protected).then_some(card)
    }

    fn throws(&mut self, round: &Round<'_>, player: &Player) -> Face {
        if !player.down {
            let urgent = round.players.iter().any(|other| other.down);
            let face = self.throw_of(&player.hand, player.distance, urgent);
            return face;
        }
        let worth = |card: &Face| {
            let kept = if round.has_place_for(*card) { 30 } else { 0 };
            i32::from(self.law.values[card.index()]) - kept
        };
        faces(&player.hand).into_iter().max_by_key(worth).unwrap_or(Face::JOKER)
    }

    /// Lays off whatever fits.
    fn shed(&mut self, round: &mut Round<'_>, player: &mut Player) {
        let least = usize::from(self.law.keep_one);
        while player.cards > least {
            let fitting = faces(&player.hand).into_iter().filter(|&card| round.has_place_for(card));
            let Some(card) = fitting.max_by_key(|card| self.law.values[card.index()]) else { return };
            let Some(at) = round.table.iter().position(|(_, mask)| mask >> card.index() & 1 != 0) else {
                return;
            };
            let fit = self.law.fit(&round.table[at].0, card);
            let end = fit.both_ends().then_some(End::High);
            match self.law.lay_off(&round.table[at].0, &[card.into()], end) {
                Ok(meld) => {
                    let mask = self.mask(&meld);
                    round.table[at] = (meld, mask);
                    self.lose(player, card);
                }
                Err(_) => round.table[at].1 &= !(1 << card.index()),
            }
            round.fits = round.table.iter().fold(0, |set, (_, mask)| set | mask);
        }
    }

    /// What each seat has in points once a round is over.
    fn points(&self, round: &Round<'_>, winner: Option<usize>) -> Vec<i32> {
        let score = &self.mind.view.round().settings.score;
        (0..self.seats)
            .map(|seat| {
                let player = &round.players[seat];
                let held = self.law.points_of(&player.hand);
                if winner == Some(seat) {
                    return score.winner + player.price;
                }
                let not_down = match score.not_down_cards {
                    NotDownCards::Once => held,
                    NotDownCards::Twice => 2 * held,
                    NotDownCards::Not => 0,
                };
                player.price + if player.down { held } else { not_down + score.not_down }
            })
            .collect()
    }

    /// How many opponents are likely to be behind at the end of the match, of one.
    fn worth(&self, points: &[i32]) -> f64 {
        let view = self.mind.view;
        let flow = &view.flow;
        let left = view.compiled.most_deals().saturating_sub(usize::from(flow.finished) + 1);
        let scale = f64::from(self.mind.mean_cost().abs()).max(2.0) * SPREAD;
        let spread = scale * (left as f64 + LEAST).sqrt();
        let mine = f64::from(flow.scores[self.me] + points[self.me]);
        let others = (0..self.seats).filter(|&seat| seat != self.me);
        let ahead: f64 = others
            .map(|seat| {
                let by = f64::from(flow.scores[seat] + points[seat]) - mine;
                1.0 / (1.0 + (-by / spread).exp())
            })
            .sum();
        ahead / (self.seats - 1) as f64
    }

    /// What a choice is worth in one world, which is noted.
    fn rollout(&mut self, start: &Round<'_>, choice: Choice) -> f64 {
        let (points, _, _) = self.played(start, choice);
        let worth = self.worth(&points);
        let mut notes = self.mind.notes.borrow_mut();
        if let Some((_, played)) = notes.played.iter_mut().find(|(tried, _)| *tried == choice) {
            played.add(points[self.me], worth);
        }
        worth
    }

    /// One round from a choice on.
    fn played(&mut self, start: &Round<'_>, choice: Choice) -> (Vec<i32>, usize, Option<usize>) {
        let mut round = start.clone();
        let me = self.me;
        let out;
        match choice {
            Choice::Throw(card) => {
                let mut player = round.players[me].clone();
                self.lose(&mut player, card);
                player.distance += u8::from(!self.gauge.within(&player.hand, player.distance));
                player.helps = self.helps(&player.hand, player.distance);
                out = player.cards == 0;
                round.players[me] = player;
                round.top = self.lies(&round, card);
                round.thrower = me;
                round.turn = self.next(me);
            }
            Choice::Take(mine) => {
                self.offer(&mut round, Some(mine));
                self.stock(&mut round);
                out = self.play(&mut round);
            }
        }
        let mut last = None;
        if out {
            last =
                Some(if matches!(choice, Choice::Throw(_)) { me } else { self.mind.view.flow.turn.index() });
        }
        let mut turns = 0;
        while last.is_none() && turns < TURNS * self.seats {
            let seat = round.turn;
            if self.turn(&mut round) {
                last = Some(seat);
            }
            turns += 1;
        }
        (self.points(&round, last), turns, last)
    }

    /// The best of the choices, the first of which stands unless another is surely better.
    pub(super) fn best(&mut self, choices: &[Choice]) -> Option<Choice> {
        let &first = choices.first()?;
        if choices.len() < 2 {
            return Some(first);
        }
        let view = self.mind.view;
        let unseen = self.unseen();
        let unneeded = self.unneeded();
        let mut chance = SplitMix(u64::from(view.flow.turns) << 32 | u64::from(view.flow.stock));
        self.mind.notes.borrow_mut().played =
            choices.iter().map(|&choice| (choice, Played::default())).collect();
        let mut live: Vec<(Choice, f64, f64)> = choices.iter().map(|&choice| (choice, 0.0, 0.0)).collect();
        let mut n = 0;
        while n < WORLDS && self.worked < WORK && live.len() > 1 {
            let world = self.world(&unseen, &unneeded, &mut chance);
            let start = self.start(&world);
            n += 1;
            let base = self.rollout(&start, live[0].0);
            for (choice, sum, squares) in &mut live[1..] {
                let by = self.rollout(&start, *choice) - base;
                *sum += by;
                *squares += by * by;
            }
            if n % LOOKS == 0 {
                // What is plainly worse is not tried any longer.
                let first = live.remove(0);
                live.retain(|&(_, sum, squares)| {
                    let (mean, error) = estimate(sum, squares, n);
                    mean > -PRUNED * error
                });
                live.insert(0, first);
            }
        }
        let surely = |&(_, (mean, error)): &(Choice, (f64, f64))| mean > SURE * error;
        let others = live[1..].iter().map(|&(choice, sum, squares)| (choice, estimate(sum, squares, n)));
        let best = others.filter(surely).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
        Some(best.map_or(first, |(choice, _)| choice))
    }
}

/// Mean and standard error.
fn estimate(sum: f64, squares: f64, n: usize) -> (f64, f64) {
    let n = n.max(2) as f64;
    let mean = sum / n;
    (mean, ((squares / n - mean * mean).max(1e-12) / (n - 1.0)).sqrt())
}

impl Mind<'_> {
    /// Whether it takes the top discard out of turn, where `first` is what comes to mind; none where it goes by that.
    pub(super) fn strong_take(&self, first: bool) -> Option<bool> {
        let choices = [Choice::Take(first), Choice::Take(!first)];
        Some(Rollouts::new(self)?.best(&choices)? == Choice::Take(true))
    }

    /// The card to throw, of those that look best with the best first; none where it goes by that.
    pub(super) fn strong_throw(&self, ranked: &[Face]) -> Option<Face> {
        let choices: Vec<Choice> = ranked.iter().take(TRIED).map(|&card| Choice::Throw(card)).collect();
        match Rollouts::new(self)?.best(&choices)? {
            Choice::Throw(card) => Some(card),
            Choice::Take(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Keen, Level, Mind, Steady, Strong};
    use super::*;
    use crate::Bot;
    use ::contract::{Command, Match, Rules, View};
    use game::chance::Chance;
    use game::{Game, Input, Millis, Status, Timing, Viewer};
    use std::sync::Arc;

    /// What seats are to throw from, in a match of three: the view, what `steady` does, and the hands of all.
    fn views(rules: &Arc<Rules>, inputs: usize) -> Vec<(View, Command, Vec<Counts>)> {
        let mut game = Match::open(rules.clone(), 3).expect("three may play");
        let (mut chance, mut events, mut views) = (SplitMix(3), Vec::new(), Vec::new());
        for _ in 0..inputs {
            let input = match game.status() {
                Status::Over(_) => break,
                Status::Chance(need) => Input::Draw(chance.answer(&need)),
                Status::Seats(_) => {
                    let mut thoughts = (0..3).map(Seat).filter_map(|seat| {
                        let view = game.view(Viewer::Seat(seat));
                        let thought = Steady.think(&view, Millis(0), &mut chance)?;
                        Some((view, seat, thought.command))
                    });
                    let (view, seat, command) = thoughts.next().expect("somebody moves");
                    drop(thoughts);
                    if matches!(command, Command::Discard { .. }) {
                        let hands = (0..3).map(|seat| *game.hand(Seat(seat)).counts()).collect();
                        views.push((view, command.clone(), hands));
                    }
                    Input::Play(seat, command, Timing::at(Millis(0)))
                }
            };
            game::step(&mut game, Millis(0), &input, &mut events).expect("a legal command");
        }
        views
    }

    #[test]
    fn worlds_hold_every_card_once_and_what_everybody_knows() {
        let (mut tried, mut known) = (0, 0);
        for (view, ..) in views(&Arc::new(Rules::contract(3)), 400) {
            let mind = Mind::new(&view, Level::Strong).expect("a seat");
            let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
            let (unseen, unneeded) = (rollouts.unseen(), rollouts.unneeded());
            let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
            let mut counts = [0u8; Face::COUNT];
            let stocks = world.draws.iter().chain(&world.fines).flatten().copied();
            let public = view.board.melds.iter().flat_map(|m| m.meld.faces()).chain(view.board.piled());
            stocks.chain(public).for_each(|face| counts[face.index()] += 1);
            for (seat, hand) in (0..).zip(&world.hands) {
                assert_eq!(size(hand), usize::from(view.flow.sizes[usize::from(seat)]), "seat {seat}");
                hand.iter().zip(&mut counts).for_each(|(&held, all)| *all += held);
                for face in view.board.known(Seat(seat)).filter(|_| Seat(seat) != mind.seat) {
                    assert!(hand[face.index()] > 0, "seat {seat} took {face:?} and holds it");
                    known += 1;
                }
            }
            let cards = ::contract::solver::counts_of(view.compiled.cards.iter().copied());
            assert_eq!(counts, cards, "every card of the pack lies somewhere");
            tried += 1;
        }
        assert!(tried > 40 && known > 20, "{tried} worlds with {known} known cards");
    }

    #[test]
    fn open_hands_are_those_of_every_world_and_the_rest_is_drawn() {
        let mut tried = 0;
        for (view, _, hands) in views(&Arc::new(Rules::contract(3)), 300) {
            let mind = Mind { open: Some(hands.clone()), ..Mind::new(&view, Level::Strong).expect("a seat") };
            let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
            let (unseen, unneeded) = (rollouts.unseen(), rollouts.unneeded());
            let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
            assert_eq!(world.hands, hands);
            let stocks = world.draws.iter().chain(&world.fines).map(Vec::len).sum::<usize>();
            assert_eq!(stocks, usize::from(view.flow.stock), "the stock is what nobody holds");
            tried += 1;
        }
        assert!(tried > 40, "only {tried} worlds");
    }

    #[test]
    fn a_card_of_the_plan_is_not_thrown_for_one_that_is_of_no_use() {
        let (mut kept, mut asked) = (0, 0);
        for (view, ..) in views(&Arc::new(Rules::contract(3)), 400) {
            let mind = Mind::new(&view, Level::Strong).expect("a seat");
            if mind.down() || mind.here() != 1 {
                continue;
            }
            let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
            let needed = |card: &Face| {
                let mut rest = mind.hand;
                rest[card.index()] -= 1;
                !mind.within(&rest, 1)
            };
            let (plan, useless): (Vec<Face>, Vec<Face>) = faces(&mind.hand).into_iter().partition(needed);
            let ([plan, ..], [.., useless]) = (&plan[..], &useless[..]) else { continue };
            let best = rollouts.best(&[Choice::Throw(*plan), Choice::Throw(*useless)]);
            kept += usize::from(best == Some(Choice::Throw(*useless)));
            asked += 1;
            if asked == 12 {
                break;
            }
        }
        assert!(asked == 12 && kept >= 10, "the plan was kept {kept} of {asked} times");
    }

    #[test]
    fn where_shanghai_is_called_nobody_takes_what_fits_on_a_meld() {
        let mut rules = Rules::contract(3);
        rules.rounds.iter_mut().for_each(|round| round.settings.shanghai.on = true);
        let (mut fitting, mut others) = (0, 0);
        for (view, ..) in views(&Arc::new(rules), 600) {
            let mind = Mind::new(&view, Level::Strong).expect("a seat");
            let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
            let (unseen, unneeded) = (rollouts.unseen(), rollouts.unneeded());
            let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
            let round = rollouts.start(&world);
            for card in faces(&mind.hand) {
                let fits = view.board.melds.iter().any(|m| rollouts.law.fit(&m.meld, card).any());
                assert_eq!(rollouts.lies(&round, card), (!fits).then_some(card));
                *if fits { &mut fitting } else { &mut others } += 1;
            }
        }
        assert!(fitting > 10 && others > 100, "{fitting} cards fit, {others} do not");
    }

    /// The same view is thought about alike, and where the rules are not played on in mind it is keen who plays.
    #[test]
    fn the_same_view_gives_the_same_move_and_other_rules_those_of_keen() {
        let think = |bot: &mut dyn Bot<View>, view: &View| {
            bot.think(view, Millis(0), &mut SplitMix(5)).map(|thought| thought.command)
        };
        for (view, ..) in views(&Arc::new(Rules::contract(3)), 30) {
            assert_eq!(think(&mut Strong, &view), think(&mut Strong, &view));
        }
        let mut rules = Rules::contract(3);
        rules.rounds.iter_mut().for_each(|round| round.settings.meld.extra = MeldExtra::AfterContract);
        for (view, ..) in views(&Arc::new(rules), 100) {
            assert!(Rollouts::new(&Mind::new(&view, Level::Strong).expect("a seat")).is_none());
            assert_eq!(think(&mut Strong, &view), think(&mut Keen, &view));
        }
    }
}
