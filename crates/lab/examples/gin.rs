//! A check of the method on a game that others know: gin rummy. The search of `strong` (worlds that fit what was seen, the same ones for
//! every choice, rounds played to their end, choices that fall behind given up) plays the simple player that OpenSpiel published
//! (`open_spiel/bots/gin_rummy/simple_gin_rummy_bot`).
//!
//! ```text
//! cargo run --release -p parlour-lab --example gin -- --deals 200 --worlds 128 --seed 1
//! ```
//!
//! `--sees 1` lets the search see the other's hand, `--sees 2` the order of the stock, too: what a search that plays
//! on in a copy of the true position sees.
//!
//! Rules as there: ten cards each, the first upcard is offered to both, knocking with ten points or fewer, the hand is drawn when two
//! cards are left in the stock. Nobody lays off (the published player never does). Each deal is played both ways round.

use game::chance::{Chance, SplitMix};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

/// Cards are bits: thirteen of each suit, from the ace.
type Cards = u64;

/// Points up to which one may knock.
const KNOCK: u8 = 10;
/// Points for gin, and for an undercut.
const BONUS: i32 = 25;
/// Cards left in the stock at which a hand is drawn.
const WALL: usize = 2;
/// Worlds after which choices that are plainly worse are given up.
const LOOKS: u32 = 10;
/// Standard errors that a choice must be worse by to be given up, and better by to overrule the first.
const PRUNED: f64 = 1.5;
const SURE: f64 = 0.5;
/// Discards that are tried.
const TRIED: usize = 5;
/// Guesses at a hand that are tried before the first world, and between two.
const BEFORE: usize = 600;
const BETWEEN: usize = 12;
/// How often a player does something else than the simple one would.
const STRAYS: f64 = 0.05;

fn points(card: u32) -> u8 {
    (card % 13 + 1).min(10) as u8
}

fn each(mut cards: Cards) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros();
        cards &= cards.wrapping_sub(1);
        (card < 52).then_some(card)
    })
}

/// Deadwood: its points, and which cards it is.
type Dead = (u8, Cards);

/// Mixes hands: they come from no stranger.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// The least deadwood of hands, remembered.
#[derive(Default)]
struct Melds(HashMap<Cards, Dead, BuildHasherDefault<Mixer>>);

impl Melds {
    fn dead(&mut self, hand: Cards) -> Dead {
        if let Some(&dead) = self.0.get(&hand) {
            return dead;
        }
        if self.0.len() > 2_000_000 {
            self.0.clear();
        }
        let dead = least(hand);
        self.0.insert(hand, dead);
        dead
    }

    /// Deadwood of eleven cards once the dearest of it is thrown.
    fn thrown(&mut self, hand: Cards) -> u8 {
        let (dead, cards) = self.dead(hand);
        dead - each(cards).map(points).max().unwrap_or(0)
    }

    /// The card that the simple player throws: the dearest of the deadwood, else one that breaks no meld.
    fn throw(&mut self, hand: Cards) -> u32 {
        let (_, dead) = self.dead(hand);
        let whole = |card: &u32| least(hand & !(1 << card)).0 == 0;
        let dearest = each(dead).max_by_key(|&card| points(card));
        dearest.or_else(|| each(hand).find(whole)).unwrap_or_else(|| hand.trailing_zeros())
    }

    /// Whether the simple player takes the upcard.
    fn takes(&mut self, hand: Cards, up: u32) -> bool {
        let with = hand | 1 << up;
        self.thrown(with) <= KNOCK || self.dead(with).1 >> up & 1 == 0
    }
}

/// The least deadwood: the lowest card lies in no meld, begins a run, or lies in a set with cards of higher suits.
fn least(hand: Cards) -> Dead {
    if hand == 0 {
        return (0, 0);
    }
    let card = hand.trailing_zeros();
    let (dead, cards) = least(hand & !(1 << card));
    let mut best = (dead + points(card), cards | 1 << card);
    let mut consider = |meld: Cards| {
        let found = least(hand & !meld);
        if found.0 < best.0 {
            best = found;
        }
    };
    let mut run: Cards = 1 << card;
    for next in card + 1..(card / 13 + 1) * 13 {
        if hand >> next & 1 == 0 {
            break;
        }
        run |= 1 << next;
        if run.count_ones() >= 3 {
            consider(run);
        }
    }
    let others: Vec<u32> = (1..4).map(|n| card + 13 * n).filter(|&c| c < 52 && hand >> c & 1 == 1).collect();
    let set: Cards = others.iter().fold(1 << card, |set, other| set | 1 << other);
    if others.len() >= 2 {
        consider(set);
    }
    if others.len() == 3 {
        others.iter().for_each(|other| consider(set & !(1 << other)));
    }
    best
}

/// A hand of gin rummy under way. `up` is the upcard.
#[derive(Clone)]
struct Hand {
    hands: [Cards; 2],
    stock: Vec<u32>,
    up: Option<u32>,
    turn: usize,
    /// Cards that lie in the discard pile below the upcard.
    gone: Cards,
    /// Seats that may still take the first upcard before anybody draws.
    offers: u8,
}

#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Up,
    Stock,
    Throw(u32),
    Knock(u32),
}

impl Hand {
    fn dealt(seed: u64, dealer: usize) -> Hand {
        let mut cards: Vec<u32> = (0..52).collect();
        SplitMix(seed).shuffle(&mut cards);
        let mut deal = |n: usize| cards.split_off(cards.len() - n);
        let hand = |cards: Vec<u32>| cards.iter().fold(0, |hand, card| hand | 1 << card);
        let hands = [hand(deal(10)), hand(deal(10))];
        let up = deal(1).pop();
        Hand { hands, stock: cards, up, turn: 1 - dealer, gone: 0, offers: 2 }
    }

    /// What the simple player does.
    fn simple(&self, melds: &mut Melds) -> Choice {
        let hand = self.hands[self.turn];
        match self.up {
            None if melds.thrown(hand) <= KNOCK => Choice::Knock(melds.throw(hand)),
            None => Choice::Throw(melds.throw(hand)),
            Some(up) if melds.takes(hand, up) => Choice::Up,
            Some(_) => Choice::Stock,
        }
    }

    /// Does it. Gives the points of seat 0 once it is over, less than 0 where the other has them; 0 if it is drawn.
    fn does(&mut self, choice: Choice, melds: &mut Melds) -> Option<i32> {
        let me = self.turn;
        match choice {
            Choice::Up => {
                let up = self.up.take().expect("an upcard");
                self.hands[me] |= 1 << up;
                self.offers = 0;
            }
            Choice::Stock if self.offers > 1 => {
                self.offers -= 1;
                self.turn = 1 - me;
            }
            Choice::Stock if self.offers == 1 => {
                // Both passed: the first draws.
                self.offers = 0;
                self.turn = 1 - me;
                return self.does(Choice::Stock, melds);
            }
            Choice::Stock => {
                if self.stock.len() <= WALL {
                    return Some(0);
                }
                self.gone |= 1 << self.up.take().expect("an upcard");
                self.hands[me] |= 1 << self.stock.pop().expect("more than the wall");
            }
            Choice::Throw(card) => {
                self.hands[me] &= !(1 << card);
                self.up = Some(card);
                self.turn = 1 - me;
            }
            Choice::Knock(card) => {
                let knocker = melds.dead(self.hands[me] & !(1 << card)).0;
                let other = melds.dead(self.hands[1 - me]).0;
                let (knocker, other) = (i32::from(knocker), i32::from(other));
                let won = match knocker {
                    0 => other + BONUS,
                    _ if knocker < other => other - knocker,
                    _ => other - knocker - BONUS,
                };
                return Some(if me == 0 { won } else { -won });
            }
        }
        None
    }

    /// Played to its end by two simple players.
    fn finish(mut self, first: Choice, melds: &mut Melds) -> i32 {
        let mut choice = first;
        loop {
            if let Some(won) = self.does(choice, melds) {
                return won;
            }
            choice = self.simple(melds);
        }
    }

    /// The same with another order of the stock.
    fn with_stock_shuffled(&self, chance: &mut SplitMix) -> Hand {
        let mut world = self.clone();
        chance.shuffle(&mut world.stock);
        world
    }
}

/// What everybody saw of a turn.
#[derive(Clone, Copy)]
struct Turn {
    /// The upcard that could be taken, and whether it was.
    up: u32,
    took: bool,
    /// Whether a card of the stock was drawn.
    drew: bool,
    /// What was thrown; none where the first upcard was passed on.
    threw: Option<u32>,
}

/// What everybody saw of the turns of each player.
#[derive(Default)]
struct Seen([Vec<Turn>; 2]);

impl Seen {
    /// Somebody is about to do this.
    fn note(&mut self, hand: &Hand, choice: Choice) {
        let turn = |seat: usize, took, drew| {
            let up = hand.up.expect("an upcard");
            (seat, Turn { up, took, drew, threw: None })
        };
        let (seat, turn) = match choice {
            Choice::Up => turn(hand.turn, true, false),
            // The one who passes last makes the first draw.
            Choice::Stock if hand.offers == 1 => {
                let (seat, passed) = turn(hand.turn, false, false);
                self.0[seat].push(passed);
                turn(1 - hand.turn, false, true)
            }
            Choice::Stock => turn(hand.turn, false, hand.offers == 0),
            Choice::Throw(card) => {
                self.0[hand.turn].last_mut().expect("a card was drawn").threw = Some(card);
                return;
            }
            Choice::Knock(_) => return,
        };
        self.0[seat].push(turn);
    }
}

/// A guess at what a player was dealt and drew: it fits all that was seen of their turns, and the more likely it is that the simple player
/// would have done the same with it the more often it is met (Metropolis: Journal of Chemical Physics 21, 1953).
struct Guess<'a> {
    turns: &'a [Turn],
    /// The ten cards dealt, then a card for each draw, then those that lie in the stock.
    cards: Vec<u32>,
    drawn: usize,
    strays: u32,
}

impl<'a> Guess<'a> {
    /// None where the cards that were thrown do not go into a hand.
    fn new(hand: &Hand, turns: &'a [Turn], melds: &mut Melds, chance: &mut SplitMix) -> Option<Guess<'a>> {
        let me = hand.turn;
        let drawn = turns.iter().filter(|turn| turn.drew).count();
        let up = hand.up.map_or(0, |up| 1 << up);
        // What this player threw they took, or it was theirs from the beginning, or is one of those that they drew.
        let (mut taken, mut thrown, mut known): (Cards, Cards, Cards) = (0, 0, 0);
        let mut origins = Vec::with_capacity(turns.len());
        for turn in turns {
            if turn.took {
                taken |= 1 << turn.up;
            }
            known |= taken;
            let card = turn.threw.filter(|card| taken >> card & 1 == 0);
            thrown |= card.map_or(0, |card| 1 << card);
            taken &= !turn.threw.map_or(0, |card| 1 << card);
            origins.push((card, turn.drew));
        }
        let hidden = !(hand.hands[me] | hand.gone | up | known | thrown) & ((1 << 52) - 1);
        let mut others: Vec<u32> = each(hidden).collect();
        chance.shuffle(&mut others);
        let mut own = vec![None; 10 + drawn];
        let mut draws = 10;
        let mut dealt = 0;
        for (card, drew) in origins {
            if card.is_some() {
                let at = if drew { draws } else { dealt };
                *own.get_mut(at).filter(|_| drew || at < 10)? = card;
                dealt += usize::from(!drew);
            }
            draws += usize::from(drew);
        }
        let mut cards = Vec::with_capacity(own.len() + others.len());
        for card in own {
            cards.push(card.or_else(|| others.pop())?);
        }
        cards.extend(others);
        let mut guess = Guess { turns, cards, drawn, strays: 0 };
        guess.strays = guess.told(melds)?.0;
        Some(guess)
    }

    /// How often the simple player would have done something else, and what is left in hand. None where a card was thrown that nobody had.
    fn told(&self, melds: &mut Melds) -> Option<(u32, Cards)> {
        let mut hand = self.cards[..10].iter().fold(0, |hand, card| hand | 1 << card);
        let mut draws = self.cards[10..10 + self.drawn].iter();
        let mut strays = 0;
        for turn in self.turns {
            strays += u32::from(melds.takes(hand, turn.up) != turn.took);
            if turn.took {
                hand |= 1 << turn.up;
            } else if turn.drew {
                hand |= 1 << draws.next()?;
            }
            if let Some(card) = turn.threw {
                if hand >> card & 1 == 0 {
                    return None;
                }
                strays += u32::from(melds.thrown(hand) <= KNOCK || melds.throw(hand) != card);
                hand &= !(1 << card);
            }
        }
        Some((strays, hand))
    }

    /// Tries so many exchanges of two cards.
    fn moves(&mut self, times: usize, melds: &mut Melds, chance: &mut SplitMix) {
        let own = 10 + self.drawn;
        for _ in 0..times {
            let (one, other) =
                (chance.below(own as u32) as usize, chance.below(self.cards.len() as u32) as usize);
            self.cards.swap(one, other);
            let stands = self.told(melds).filter(|&(strays, _)| {
                let more = strays as i32 - self.strays as i32;
                more <= 0 || f64::from(chance.below(1 << 20)) < STRAYS.powi(more) * f64::from(1 << 20)
            });
            match stands {
                Some((strays, _)) => self.strays = strays,
                None => self.cards.swap(one, other),
            }
        }
    }

    /// A position with this guess in it: the stock in another order.
    fn world(&self, hand: &Hand, melds: &mut Melds, chance: &mut SplitMix) -> Hand {
        let mut world = hand.clone();
        let held = self.told(melds).expect("a guess that fits").1;
        world.hands[1 - hand.turn] = held;
        world.stock = self.cards[10 + self.drawn..].to_vec();
        chance.shuffle(&mut world.stock);
        world
    }
}

/// The player that plays on in so many worlds.
struct Search {
    worlds: u32,
    /// Whether it sees the other's hand (1), and the order of the stock (2).
    sees: u64,
    melds: Melds,
}

impl Search {
    /// What comes into question, what the simple player does first.
    fn choices(&mut self, hand: &Hand) -> Vec<Choice> {
        let first = hand.simple(&mut self.melds);
        let mut choices = vec![first];
        match first {
            Choice::Up | Choice::Stock => choices.extend([Choice::Up, Choice::Stock]),
            Choice::Throw(_) | Choice::Knock(_) => {
                let cards = hand.hands[hand.turn];
                let mut ranked: Vec<(u8, std::cmp::Reverse<u8>, u32)> = each(cards)
                    .map(|card| {
                        (self.melds.dead(cards & !(1 << card)).0, std::cmp::Reverse(points(card)), card)
                    })
                    .collect();
                ranked.sort_unstable();
                choices.extend(ranked.iter().take(TRIED).map(|&(_, _, card)| Choice::Throw(card)));
            }
        }
        let mut known = Vec::new();
        choices.retain(|choice| {
            !known.contains(choice) && {
                known.push(*choice);
                true
            }
        });
        choices
    }

    fn choose(&mut self, hand: &Hand, seen: &Seen, chance: &mut SplitMix) -> Choice {
        let choices = self.choices(hand);
        let seat = hand.turn;
        let mine = |won: i32| f64::from(if seat == 0 { won } else { -won });
        let mut live: Vec<(Choice, f64, f64)> = choices.iter().map(|&choice| (choice, 0.0, 0.0)).collect();
        let turns = &seen.0[1 - seat];
        let mut guess = (self.sees == 0)
            .then(|| Guess::new(hand, turns, &mut self.melds, chance).expect("cards that were seen"));
        if let Some(guess) = &mut guess {
            guess.moves(BEFORE, &mut self.melds, chance);
        }
        let mut n = 0;
        while n < self.worlds && live.len() > 1 {
            let world = match &mut guess {
                Some(guess) => {
                    guess.moves(BETWEEN, &mut self.melds, chance);
                    guess.world(hand, &mut self.melds, chance)
                }
                None if self.sees == 1 => hand.with_stock_shuffled(chance),
                None => hand.clone(),
            };
            n += 1;
            let base = mine(world.clone().finish(live[0].0, &mut self.melds));
            for (choice, sum, squares) in &mut live[1..] {
                let by = mine(world.clone().finish(*choice, &mut self.melds)) - base;
                *sum += by;
                *squares += by * by;
            }
            if n % LOOKS == 0 {
                let first = live.remove(0);
                live.retain(|&(_, sum, squares)| {
                    let (mean, error) = estimate(sum, squares, n);
                    mean > -PRUNED * error
                });
                live.insert(0, first);
            }
        }
        let found = live[1..].iter().map(|&(choice, sum, squares)| (choice, estimate(sum, squares, n)));
        let surely = found.filter(|(_, (mean, error))| *mean > SURE * error);
        surely.max_by(|a, b| a.1.0.total_cmp(&b.1.0)).map_or(live[0].0, |(choice, _)| choice)
    }
}

/// Mean and standard error.
fn estimate(sum: f64, squares: f64, n: u32) -> (f64, f64) {
    let n = f64::from(n.max(2));
    let mean = sum / n;
    (mean, ((squares / n - mean * mean).max(1e-12) / (n - 1.0)).sqrt())
}

/// A number after a word of the command line.
fn asked(word: &str, usual: u64) -> u64 {
    let mut words = std::env::args().skip_while(|arg| arg != word);
    match (words.next(), words.next()) {
        (Some(_), Some(number)) => number.parse().unwrap_or_else(|why| panic!("{word}: {why}")),
        _ => usual,
    }
}

fn main() {
    let (deals, worlds, seed) = (asked("--deals", 200), asked("--worlds", 128), asked("--seed", 1));
    let mut search = Search { worlds: worlds as u32, sees: asked("--sees", 0), melds: Melds::default() };
    let (mut shares, mut decisions, mut drawn, mut points) = (Vec::new(), 0_u32, 0_u32, 0);
    let started = Instant::now();
    for deal in 0..deals {
        let mut share = 0.0;
        for searcher in 0..2 {
            let at = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(deal);
            let mut hand = Hand::dealt(at, (deal % 2) as usize);
            let mut chance = SplitMix(at ^ 0x5eed);
            let mut seen = Seen::default();
            let won = loop {
                let choice = if hand.turn == searcher {
                    decisions += 1;
                    search.choose(&hand, &seen, &mut chance)
                } else {
                    hand.simple(&mut search.melds)
                };
                seen.note(&hand, choice);
                if let Some(won) = hand.does(choice, &mut search.melds) {
                    break if searcher == 0 { won } else { -won };
                }
            };
            drawn += u32::from(won == 0);
            points += won;
            share += f64::from(1 + won.signum()) / 4.0;
        }
        shares.push(share);
    }
    let n = shares.len().max(2) as f64;
    let mean = shares.iter().sum::<f64>() / n;
    let spread = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (spread / n).sqrt();
    let ms = started.elapsed().as_secs_f64() * 1_000.0 / f64::from(decisions.max(1));
    println!(
        "search in {worlds} worlds against the simple player: {:.3} of {} hands won ({:.3} to {:.3}), {drawn} drawn, {:.1} points a hand; {ms:.1} ms a decision",
        mean,
        2 * deals,
        mean - half,
        mean + half,
        f64::from(points) / (2.0 * n)
    );
}
