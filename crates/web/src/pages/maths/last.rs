//! Why three cards can never be left at the end: a deal to play through, with the sum of the cards that are left.

use super::{row_of, section};
use crate::screens::race::FEATURES;
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder;

/// What a claim is, and which of its cards leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A Set, which leaves whole.
    Set,
    /// A Set with one card of the one before; the two from the table leave.
    Chain,
    /// A SuperSET, which leaves whole.
    Super,
    /// A Set of which one card leaves.
    Complex,
}

impl Way {
    const ALL: [(Way, &str); 4] =
        [(Way::Set, "set"), (Way::Chain, "chain"), (Way::Super, "super"), (Way::Complex, "complex")];

    /// How many cards are pressed.
    fn cards(self) -> usize {
        if self == Way::Super { 4 } else { 3 }
    }
}

/// Three cards that are not what can be left: 0000, 0111 and 1222.
const EXAMPLE: [u8; 3] = [0, 13, 53];

/// A deal under way.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    deck: Deck,
    way: Way,
    base: usize,
    lying: Vec<Point>,
    /// The next to be laid last.
    stock: Vec<Point>,
    /// The Set before, in a chain.
    previous: Vec<Point>,
    claims: usize,
}

impl Table {
    fn new(deck: Deck, way: Way, stock: Vec<Point>) -> Table {
        let base = match (deck, way) {
            (_, Way::Super) | (Deck::D27, _) => 9,
            (Deck::D81, _) => 12,
            (Deck::D243, _) => 18,
        };
        let mut table = Table { deck, way, base, lying: vec![], stock, previous: vec![], claims: 0 };
        table.refill();
        table
    }

    /// Lays cards up to the usual number, and three more as long as nothing can be claimed.
    fn refill(&mut self) {
        while !self.stock.is_empty() && (self.lying.len() < self.base || self.claims().is_empty()) {
            let wanted = if self.lying.len() < self.base { self.base - self.lying.len() } else { 3 };
            for _ in 0..wanted {
                self.lying.extend(self.stock.pop());
            }
        }
    }

    /// What can be pressed: the cards on the table, and in a chain those of the Set before.
    fn open(&self) -> Vec<Point> {
        [&self.lying[..], &self.previous[..]].concat()
    }

    /// All claims.
    fn claims(&self) -> Vec<Vec<Point>> {
        let open = self.open();
        let mut found = Vec::new();
        if self.way == Way::Super {
            let n = open.len();
            for (a, b) in (1..n).flat_map(|b| (0..b).map(move |a| (a, b))) {
                for (c, d) in (b + 1..n).flat_map(|d| (b + 1..d).map(move |c| (c, d))) {
                    let four = [open[a], open[b], open[c], open[d]];
                    if finder::super_set(four).is_some() {
                        found.push(four.to_vec());
                    }
                }
            }
        } else {
            finder::sets(&open, |set| {
                if self.fits(&set) {
                    found.push(set.to_vec());
                }
            });
        }
        found
    }

    /// One of the claims by chance, its cards in any order: whoever always takes the first leaves cards of one kind behind.
    fn any(&self, mut below: impl FnMut(usize) -> usize) -> Option<Vec<Point>> {
        let mut claims = self.claims();
        if claims.is_empty() {
            return None;
        }
        let mut claim = claims.swap_remove(below(claims.len()));
        let turned = below(claim.len());
        claim.rotate_left(turned);
        Some(claim)
    }

    /// Whether these cards are a claim.
    fn fits(&self, cards: &[Point]) -> bool {
        let links = cards.iter().filter(|card| self.previous.contains(card)).count();
        match *cards {
            [a, b, c] if self.way != Way::Super => {
                finder::is_set(a, b, c) && links == usize::from(!self.previous.is_empty())
            }
            [a, b, c, d] if self.way == Way::Super => finder::super_set([a, b, c, d]).is_some(),
            _ => false,
        }
    }

    /// Takes a claim; whether it was one.
    fn take(&mut self, cards: &[Point]) -> bool {
        if !self.fits(cards) {
            return false;
        }
        // In the complex game the first card that was pressed leaves.
        let leave = if self.way == Way::Complex { &cards[..1] } else { cards };
        self.lying.retain(|card| !leave.contains(card));
        if self.way == Way::Chain {
            self.previous = cards.to_vec();
        }
        self.claims += 1;
        self.refill();
        true
    }

    fn over(&self) -> bool {
        self.stock.is_empty() && self.claims().is_empty()
    }

    /// The digits of some cards, added up modulo 3.
    fn sum(&self, cards: &[Point]) -> Vec<u8> {
        let digits = self.deck.digits();
        (0..digits)
            .map(|n| (cards.iter().map(|&card| u32::from(self.deck.code(card)[n])).sum::<u32>() % 3) as u8)
            .collect()
    }

    /// The sum of all cards that have not left.
    fn left(&self) -> Vec<u8> {
        self.sum(&[&self.lying[..], &self.stock[..]].concat())
    }
}

/// A shuffled deck.
fn shuffled(deck: Deck) -> Vec<Point> {
    super::drawn(deck, deck.size())
}

fn text(sum: &[u8]) -> String {
    sum.iter().map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ")
}

/// The sums of what lies there and of what is to come, feature by feature.
fn sums(table: &Table) -> AnyView {
    let heads = FEATURES[..table.deck.digits()].iter().map(|feature| {
        view! { <th scope="col" class="number">{t!(&format!("verdict.features.{feature}"))}</th> }
    });
    let line = |label: String, sum: Vec<u8>, id: &'static str| {
        let sum_text = text(&sum);
        let cells = sum.into_iter().map(|digit| view! { <td class="number">{digit}</td> });
        view! { <tr data-testid=id data-sum=sum_text><th scope="row">{label}</th>{cells.collect_view()}</tr> }
    };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t!("maths.last.title")><table class="figures">
            <thead><tr><th scope="col">{t!("maths.last.sum")}</th>{heads.collect_view()}</tr></thead>
            <tbody>
                {line(t!("maths.last.lying", n = table.lying.len()), table.sum(&table.lying), "last-lying")}
                {line(t!("maths.last.stock", n = table.stock.len()), table.sum(&table.stock), "last-stock")}
                {line(t!("maths.last.both"), table.left(), "last-both")}
            </tbody>
        </table></div>
    }
    .into_any()
}

/// How far it is, in words.
fn said(table: &Table, wrong: bool) -> String {
    let zero = table.left().iter().all(|digit| *digit == 0);
    if table.over() {
        return t!("maths.last.over", n = table.lying.len(), sum = text(&table.left()));
    }
    if wrong {
        return t!("maths.last.wrong");
    }
    match (table.claims, zero) {
        (0, _) => t!("maths.last.fresh"),
        (claims, true) => t!("maths.last.still", n = claims),
        (claims, false) => t!("maths.last.moved", n = claims, sum = text(&table.left())),
    }
}

#[component]
pub fn Last() -> impl IntoView {
    let deck = RwSignal::new(Deck::D81);
    let way = RwSignal::new(Way::Set);
    let table = RwSignal::new(Table::new(Deck::D81, Way::Set, shuffled(Deck::D81)));
    let picked = RwSignal::new(Vec::<Point>::new());
    let wrong = RwSignal::new(false);
    let begin = move || {
        picked.set(vec![]);
        wrong.set(false);
        let deck = deck.get_untracked();
        table.set(Table::new(deck, way.get_untracked(), shuffled(deck)));
    };
    let press = move |card: Point| {
        ui::toggle(picked, card);
        let cards = picked.get_untracked();
        if cards.len() == table.with_untracked(|table| table.way.cards()) {
            let right = table.try_update(|table| table.take(&cards)).unwrap_or_default();
            wrong.set(!right);
            picked.set(vec![]);
        }
    };
    let take = move |all: bool| {
        picked.set(vec![]);
        wrong.set(false);
        table.update(|table| {
            while let Some(claim) = table.any(super::any_of) {
                table.take(&claim);
                if !all {
                    break;
                }
            }
        });
    };
    let cards = move || {
        let now = table.get();
        let open = now.open();
        let linked = now.lying.len();
        let board = open
            .into_iter()
            .enumerate()
            .map(|(n, card)| {
                let chosen = move || picked.with(|picked| picked.contains(&card));
                let link = n >= linked;
                view! {
                    <button class="cap-card" class:chosen=chosen class:link=link aria-pressed=move || chosen().to_string() aria-label=ui::pattern_name(now.deck, card) data-testid="last-card" on:click=move |_| press(card)>
                        {ui::pattern_card(now.deck, card)}
                    </button>
                }
            })
            .collect_view();
        view! { <div class="maths-board">{board}</div> }
    };
    let sums = move || table.with(sums);
    let said = move || table.with(|table| said(table, wrong.get()));
    let why = move || {
        let key = Way::ALL.into_iter().find(|(one, _)| *one == way.get()).map_or("set", |(_, key)| key);
        t!(&format!("maths.last.why_{key}"))
    };
    let size = |deck: Deck| t!("odds.cards", n = deck.size());
    let decks = [Deck::D81, Deck::D27, Deck::D243];
    section(
        "last",
        view! {
            <p>{t!("maths.last.lead")}</p>
            <div class="row">
                <label class="labelled">
                    <span>{t!("odds.deck")}</span>
                    <select data-testid="last-deck" on:change=move |e| {
                        let size = event_target_value(&e).parse().unwrap_or(81);
                        deck.set(decks.into_iter().find(|deck| deck.size() == size).unwrap_or(Deck::D81));
                        begin();
                    }>{decks.map(|deck| view! { <option value=deck.size().to_string()>{size(deck)}</option> }).collect_view()}</select>
                </label>
                <label class="labelled">
                    <span>{t!("maths.last.way")}</span>
                    <select data-testid="last-way" on:change=move |e| {
                        let key = event_target_value(&e);
                        way.set(Way::ALL.into_iter().find(|(_, one)| *one == key).map_or(Way::Set, |(way, _)| way));
                        begin();
                    }>{Way::ALL.map(|(_, key)| view! { <option value=key>{t!(&format!("maths.last.way_{key}"))}</option> }).collect_view()}</select>
                </label>
            </div>
            <div class="row">
                <button class="small" data-testid="last-take" disabled=move || table.with(Table::over) on:click=move |_| take(false)>{t!("maths.last.take")}</button>
                <button class="small" data-testid="last-play" disabled=move || table.with(Table::over) on:click=move |_| take(true)>{t!("maths.last.play")}</button>
                <button class="small" data-testid="last-deal" on:click=move |_| begin()>{t!("maths.last.deal")}</button>
            </div>
            <p aria-live="polite" data-testid="last-said">{said}</p>
            {sums}
            {cards}
            <h3>{t!("maths.why")}</h3>
            <p data-testid="last-why">{why}</p>
            <div class:hidden=move || way.get() != Way::Set>
                <p>{t!("maths.last.so")}</p>
                {row_of(Deck::D81, &EXAMPLE.map(Point))}
                <p class="quiet">{t!("maths.last.example")}</p>
            </div>
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::chance::{Chance, SplitMix};

    fn played(deck: Deck, way: Way, seed: u64) -> Table {
        let mut dice = SplitMix(seed);
        let mut left: Vec<Point> = (0..deck.size()).map(|n| Point(n as u8)).collect();
        let mut stock = Vec::new();
        while !left.is_empty() {
            stock.push(left.swap_remove(dice.below(left.len() as u32) as usize));
        }
        let mut table = Table::new(deck, way, stock);
        while let Some(claim) = table.any(|n| dice.below(n as u32) as usize) {
            assert!(table.take(&claim));
            if way == Way::Set {
                assert!(table.left().iter().all(|digit| *digit == 0), "what is left adds up to nothing");
            }
        }
        assert!(table.over());
        table
    }

    /// Pattern rulebook, 5.7: never three, and what is left adds up to nothing; where cards leave otherwise, both fail.
    #[test]
    fn three_cards_are_left_only_where_no_whole_sets_leave() {
        let mut failed = [0; 3];
        for seed in 0..40 {
            for deck in [Deck::D27, Deck::D81, Deck::D243] {
                let left = played(deck, Way::Set, seed).lying.len();
                assert!(left.is_multiple_of(3) && left != 3, "{deck:?}: {left}");
            }
            for (n, way) in [Way::Chain, Way::Super, Way::Complex].into_iter().enumerate() {
                let table = played(Deck::D81, way, seed);
                failed[n] += usize::from(table.left().iter().any(|digit| *digit > 0));
                // After the first claim of a chain two cards leave each time.
                assert!(way != Way::Chain || table.lying.len().is_multiple_of(2));
            }
        }
        assert!(failed.iter().all(|&n| n > 20), "{failed:?}");
    }

    #[test]
    fn what_is_no_claim_takes_nothing() {
        let mut table = played(Deck::D27, Way::Set, 1);
        let before = table.clone();
        assert!(!table.take(&[Point(0), Point(1), Point(3)]));
        assert_eq!(table, before);
    }
}
