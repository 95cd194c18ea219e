//! A board to practise on: wrong picks are explained, and times are counted by the number of features that differ, so that
//! one sees where one is slow. Kept in this browser alone.

use super::learn::card;
use crate::screens::race::why_no_set;
use crate::{dom, t, ui};
use cards::{Deck, Point};
use game::Chance;
use leptos::prelude::*;
use pattern::finder::{is_set, sets};
use serde::{Deserialize, Serialize};

const KEY: &str = "parlour.practice";
/// Times kept for each number of features.
const KEPT: usize = 40;
/// Times of a kind before anything is said about it.
const ENOUGH: usize = 3;

/// Milliseconds of the last finds, by the number of features that differ, from 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Times([Vec<u32>; 4]);

impl Times {
    fn count(&mut self, differ: usize, millis: u32) {
        let kind = &mut self.0[differ.clamp(1, 4) - 1];
        if kind.len() == KEPT {
            kind.remove(0);
        }
        kind.push(millis);
    }

    fn mean(&self, differ: usize) -> Option<f64> {
        let kind = &self.0[differ - 1];
        (!kind.is_empty()).then(|| kind.iter().map(|&ms| f64::from(ms)).sum::<f64>() / kind.len() as f64)
    }

    /// The kind with the longest mean, once two kinds have been found often enough.
    fn slowest(&self) -> Option<usize> {
        let known: Vec<usize> = (1..=4).filter(|n| self.0[n - 1].len() >= ENOUGH).collect();
        let mean = |n: &usize| self.mean(*n).unwrap_or(0.0);
        (known.len() > 1).then(|| known.into_iter().max_by(|a, b| mean(a).total_cmp(&mean(b))))?
    }
}

/// In how many features the cards of a Set differ.
fn differ(deck: Deck, set: [Point; 3]) -> usize {
    let [a, b, _] = set.map(|card| deck.code(card));
    a.iter().zip(&b).filter(|(a, b)| a != b).count()
}

/// The cards of a deck; those of the quick one are solid (QUICK-1).
fn cards_of(deck: Deck) -> impl Iterator<Item = Point> {
    let held = move |&card: &Point| deck != Deck::D27 || deck.code(card)[2] == 0;
    (0..deck.points()).map(|i| Point(i as u8)).filter(held)
}

/// The first Set of a board.
fn first_set(cards: &[Point]) -> Option<[Point; 3]> {
    let mut first = None;
    sets(cards, |set| first = first.or(Some(set)));
    first
}

/// Puts other cards where `gone` lay (or lays a board, if it is empty), so that there is a Set.
fn lay(deck: Deck, size: usize, board: &[Point], gone: &[Point], chance: &mut impl Chance) -> Vec<Point> {
    loop {
        let mut stock: Vec<Point> = cards_of(deck).filter(|card| !board.contains(card)).collect();
        chance.shuffle(&mut stock);
        let mut next = board.to_vec();
        next.truncate(size);
        for card in &mut next {
            if gone.contains(card)
                && let Some(new) = stock.pop()
            {
                *card = new;
            }
        }
        while next.len() < size
            && let Some(new) = stock.pop()
        {
            next.push(new);
        }
        if first_set(&next).is_some() {
            return next;
        }
    }
}

struct Dice;

impl Chance for Dice {
    fn below(&mut self, bound: u32) -> u32 {
        (js_sys::Math::random() * f64::from(bound)) as u32
    }
}

/// The board that somebody practises on.
#[derive(Clone, Copy)]
struct Board {
    deck: RwSignal<Deck>,
    cards: RwSignal<Vec<Point>>,
    picked: RwSignal<Vec<Point>>,
    /// A Set that was shown on request.
    lit: RwSignal<Vec<Point>>,
    /// What was picked wrongly, until the next press.
    wrong: RwSignal<Vec<Point>>,
    said: RwSignal<(bool, String)>,
    times: RwSignal<Times>,
    /// Since when this board is looked at; none if the page was hidden meanwhile, so that no time is counted.
    since: StoredValue<Option<f64>>,
    voice: ui::Voice,
}

impl Board {
    fn new() -> Board {
        Board {
            deck: RwSignal::new(Deck::D81),
            cards: RwSignal::new(lay(Deck::D81, 12, &[], &[], &mut Dice)),
            picked: RwSignal::new(Vec::new()),
            lit: RwSignal::new(Vec::new()),
            wrong: RwSignal::new(Vec::new()),
            said: RwSignal::new((true, t!("learn.ask_find"))),
            times: RwSignal::new(dom::load::<Times>(KEY).unwrap_or_default()),
            since: StoredValue::new(Some(dom::now())),
            voice: ui::voice(),
        }
    }

    fn tell(self, good: bool, text: String) {
        self.voice.say(text.clone());
        self.said.set((good, text));
    }

    /// Puts others in the place of the cards that are `gone`.
    fn replace(self, gone: &[Point]) {
        let deck = self.deck.get_untracked();
        let size = if deck == Deck::D27 { 9 } else { 12 };
        let next = self.cards.with_untracked(|cards| lay(deck, size, cards, gone, &mut Dice));
        self.cards.set(next);
        self.picked.set(Vec::new());
        self.lit.set(Vec::new());
        self.since.set_value(Some(dom::now()));
    }

    fn judge(self, set: [Point; 3]) {
        let deck = self.deck.get_untracked();
        if !is_set(set[0], set[1], set[2]) {
            self.wrong.set(self.picked.get_untracked());
            self.picked.set(Vec::new());
            return self.tell(false, t!("practice.no", why = why_no_set(deck, set)));
        }
        let n = differ(deck, set);
        match self.since.get_value().filter(|_| self.lit.with_untracked(Vec::is_empty)) {
            Some(since) => {
                let millis = (dom::now() - since).clamp(0.0, 3_600_000.0);
                self.times.update(|times| times.count(n, millis as u32));
                dom::store(KEY, &self.times.get_untracked());
                self.tell(true, t!("practice.found", time = seconds(millis), n = n));
            }
            None => self.tell(true, t!("practice.shown", n = n)),
        }
        self.replace(&set);
    }

    fn touch(self, card: Point) {
        self.wrong.set(Vec::new());
        ui::toggle(self.picked, card);
        if let [a, b, c] = self.picked.get_untracked()[..] {
            self.judge([a, b, c]);
        }
    }

    fn show(self) {
        self.wrong.set(Vec::new());
        if let Some(set) = self.cards.with_untracked(|cards| first_set(cards)) {
            self.lit.set(set.to_vec());
            self.tell(true, t!("practice.shown", n = differ(self.deck.get_untracked(), set)));
        }
    }

    fn choose(self, deck: Deck) {
        self.deck.set(deck);
        self.cards.set(Vec::new());
        self.replace(&[]);
        self.said.set((true, t!("learn.ask_find")));
    }

    fn choice(self, deck: Deck, id: &'static str, text: String) -> impl IntoView {
        view! {
            <button class="small" data-testid=id aria-pressed=move || (self.deck.get() == deck).to_string() on:click=move |_| self.choose(deck)>{text}</button>
        }
    }

    /// The cards that lie, each with its deck.
    fn laid(self) -> Vec<(Deck, Point)> {
        let deck = self.deck.get_untracked();
        self.cards.get().into_iter().map(|card| (deck, card)).collect()
    }

    fn card(self, point: Point) -> impl IntoView {
        let lit = move || self.lit.with(|lit| lit.contains(&point));
        let press = move || self.touch(point);
        card(self.deck.get_untracked(), point, [self.picked, self.wrong], lit, press)
    }
}

/// The practice board.
#[component]
pub fn Practice() -> impl IntoView {
    let board = Board::new();
    let Board { said, times, .. } = board;
    let hidden = dom::on_visibility(move || {
        if !dom::visible() {
            board.since.set_value(None);
        }
    });
    on_cleanup(move || hidden.remove());
    view! {
        <div class="page narrow learn practice" data-testid="practice">
            <h1>{t!("practice.title")}</h1>
            <p>{t!("practice.lead")}</p>
            <p class="row" role="group" aria-label=t!("practice.deck")>
                {board.choice(Deck::D27, "practice-quick", t!("practice.quick"))}
                {board.choice(Deck::D81, "practice-full", t!("practice.full"))}
            </p>
            <p class="learn-said" role="status" data-testid="practice-said" class:good=move || said.with(|s| s.0)>{move || said.get().1}</p>
            <div class="learn-cards">
                // The same number is another card in another deck.
                <For each=move || board.laid() key=|(deck, card)| (*deck, card.0) let:((_, card))>{board.card(card)}</For>
            </div>
            <p class="row"><button data-testid="practice-show" on:click=move |_| board.show()>{t!("practice.show")}</button></p>
            <h2>{t!("practice.times")}</h2>
            {move || times.with(plot)}
            <p data-testid="practice-slow">{move || times.with(|t| match t.slowest() {
                Some(n) => t!("practice.slow", n = n),
                None => t!("practice.even"),
            })}</p>
            <button class="small" data-testid="practice-forget" on:click=move |_| { dom::forget(KEY); times.set(Times::default()) }>{t!("practice.forget")}</button>
        </div>
    }
}

/// Seconds with one digit after the point.
fn seconds(millis: f64) -> String {
    dom::number(millis / 1000.0, 1)
}

/// Mean times as bars.
fn plot(times: &Times) -> AnyView {
    let most = (1..=4).filter_map(|n| times.mean(n)).fold(0.0, f64::max);
    if most == 0.0 {
        return view! { <p class="quiet">{t!("practice.none")}</p> }.into_any();
    }
    let bars = (1..=4usize).filter_map(|n| Some((n, times.mean(n)?))).map(|(n, mean)| {
        let (x, height) = (n as f64 * 70.0 - 50.0, (mean / most * 110.0).max(2.0));
        let label = t!("practice.bar", n = n, time = seconds(mean), count = times.0[n - 1].len());
        view! {
            <g>
                <title>{label}</title>
                <rect x=x.to_string() y=(130.0 - height).to_string() width="40" height=height.to_string() rx="4"></rect>
                <text x=(x + 20.0).to_string() y=(124.0 - height).to_string()>{seconds(mean)}</text>
            </g>
        }
    });
    let said: Vec<String> = (1..=4usize)
        .filter_map(|n| {
            Some(t!("practice.bar", n = n, time = seconds(times.mean(n)?), count = times.0[n - 1].len()))
        })
        .collect();
    let names =
        (1..=4).map(|n| view! { <text x=(n * 70 - 30).to_string() y="148">{n}</text> }).collect_view();
    view! {
        <svg class="plot" viewBox="0 0 300 172" role="img" aria-label=said.join(". ") data-testid="practice-plot">
            {bars.collect_view()}
            <line x1="10" x2="290" y1="130" y2="130"></line>
            {names}
            <text x="150" y="167" class="axis">{t!("practice.axis")}</text>
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::chance::SplitMix;

    #[test]
    fn times_say_where_one_is_slow() {
        let mut times = Times::default();
        assert_eq!(times.slowest(), None);
        for ms in [1000, 2000, 3000] {
            times.count(1, ms);
        }
        assert_eq!(
            (times.slowest(), times.mean(1), times.mean(4)),
            (None, Some(2000.0), None),
            "nothing to compare with"
        );
        for ms in [9000, 9000, 9000] {
            times.count(4, ms);
        }
        assert_eq!(times.slowest(), Some(4));
        for _ in 0..KEPT {
            times.count(4, 500);
        }
        assert_eq!((times.slowest(), times.0[3].len()), (Some(1), KEPT), "old times are forgotten");
    }

    #[test]
    fn there_is_always_a_set_to_find() {
        let mut chance = SplitMix(7);
        for (deck, size) in [(Deck::D27, 9), (Deck::D81, 12)] {
            let mut board = lay(deck, size, &[], &[], &mut chance);
            for _ in 0..200 {
                let set = first_set(&board).expect("a Set");
                assert!((1..=4).contains(&differ(deck, set)));
                let next = lay(deck, size, &board, &set, &mut chance);
                assert!(set.iter().all(|card| !next.contains(card)), "what was found goes");
                let stay = board.iter().zip(&next).filter(|(a, b)| a == b).count();
                assert_eq!((next.len(), stay), (size, size - 3), "the others stay where they are");
                board = next;
            }
        }
    }
}
