//! The six properties of SuperSETs, on cards that can be pressed.

use super::{Spaces, any_of, card, drawn, drawn_corners, row_of, section, whole};
use crate::screens::race::FEATURES;
use crate::{t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder::{completers, is_set, plane, split_features, super_set, third};

const DECK: Deck = Deck::D81;

/// What four cards are.
#[derive(Clone, Debug, PartialEq)]
enum Four {
    /// They hold a Set, these three.
    Set([Point; 3]),
    /// A SuperSET: its pairs and the card that joins them.
    Super([Point; 2], [Point; 2], Point),
    /// Neither; the features that split three-and-one.
    Neither(Vec<usize>),
}

fn what(four: [Point; 4]) -> Four {
    let mut set = None;
    pattern::finder::sets(&four, |found| set = Some(found));
    if let Some(set) = set {
        return Four::Set(set);
    }
    if let Some((one, other, joint)) = super_set(four) {
        return Four::Super(one, other, joint);
    }
    Four::Neither((0..4).filter(|&feature| three_and_one(four, feature)).collect())
}

/// Whether three of the four are alike in a feature, and one is not.
fn three_and_one(four: [Point; 4], feature: usize) -> bool {
    let digits = four.map(|card| DECK.code(card)[feature]);
    (0..3).any(|digit| digits.iter().filter(|one| **one == digit).count() == 3)
}

/// The three ways to split four cards into pairs.
fn splits([a, b, c, d]: [Point; 4]) -> [([Point; 2], [Point; 2]); 3] {
    [([a, b], [c, d]), ([a, c], [b, d]), ([a, d], [b, c])]
}

/// Twelve cards to choose from: the nine of a plane, and three that lie elsewhere, no two of which make a Set with one of it.
#[derive(Clone, Debug, PartialEq)]
struct Pool {
    plane: [Point; 9],
    all: Vec<Point>,
}

impl Pool {
    fn new() -> Pool {
        let [a, b, c] = drawn_corners();
        let plane = plane(a, b, c);
        let mut all = plane.to_vec();
        while all.len() < 12 {
            let one = drawn(DECK, 1)[0];
            if !all.contains(&one) {
                all.push(one);
            }
        }
        for n in (1..all.len()).rev() {
            all.swap(n, any_of(n + 1));
        }
        Pool { plane, all }
    }

    /// Cards that show a property.
    fn example(&self, property: usize) -> Vec<Point> {
        let at = self.plane;
        match property {
            // The corners of the square: two diagonals meet in its middle.
            1 => vec![at[0], at[2], at[6], at[8]],
            2 => vec![at[1], at[3], at[5], at[7]],
            3 => vec![at[0], at[1], at[2], at[3]],
            4 => self.three_and_one().unwrap_or_else(|| self.all[..4].to_vec()),
            5 => vec![at[0], at[1], at[3]],
            _ => vec![at[4], at[5], at[7]],
        }
    }

    /// Four cards without a Set of which a feature is split three-and-one.
    fn three_and_one(&self) -> Option<Vec<Point>> {
        let n = self.all.len();
        let fours = (3..n).flat_map(move |d| {
            (2..d).flat_map(move |c| (1..c).flat_map(move |b| (0..b).map(move |a| [a, b, c, d])))
        });
        let split = |four: &[Point; 4]| matches!(what(*four), Four::Neither(by) if !by.is_empty());
        fours.map(|places| places.map(|n| self.all[n])).find(split).map(|four| four.to_vec())
    }
}

/// Two pairs and the card that each of them wants.
fn split_row((one, other): ([Point; 2], [Point; 2])) -> impl IntoView {
    let thirds = [third(one[0], one[1]), third(other[0], other[1])];
    let same = thirds[0] == thirds[1];
    let pair = |pair: [Point; 2], wants: Point| {
        view! { <span class="maths-pair">{pair.map(|one| card(DECK, one)).collect_view()}<span class="wants" aria-label=t!("maths.joint.wants")>"→"</span>{card(DECK, wants)}</span> }
    };
    view! {
        <div class="maths-split" class:joined=same data-testid="joint-split" data-joined=same.to_string()>
            {pair(one, thirds[0])}
            {pair(other, thirds[1])}
        </div>
    }
}

fn told(chosen: &[Point]) -> AnyView {
    match *chosen {
        [a, b, c] if is_set(a, b, c) => view! { <p>{t!("maths.joint.is_set")}</p> }.into_any(),
        [a, b, c] => {
            let four = completers([a, b, c]).unwrap_or([a, b, c]);
            let joints = [third(b, c), third(a, c), third(a, b)];
            let split = split_features(4, [a, b, c]);
            let features: Vec<String> = FEATURES
                .iter()
                .enumerate()
                .filter(|(n, _)| split >> n & 1 == 1)
                .map(|(_, name)| t!(&format!("verdict.features.{name}")))
                .collect();
            view! {
                <p>{t!("maths.joint.no_set", features = features.join(", "))}</p>
                <p>{t!("maths.joint.completers")}</p>
                <div data-testid="joint-completers">{row_of(DECK, &four)}</div>
                <p>{t!("maths.joint.joints")}</p>
                {row_of(DECK, &joints)}
            }
            .into_any()
        }
        [a, b, c, d] => {
            let four = [a, b, c, d];
            let verdict = match what(four) {
                Four::Set(set) => view! { <p data-testid="joint-what" data-what="set"><strong>{t!("maths.joint.holds_set")}</strong></p>{row_of(DECK, &set)} }.into_any(),
                Four::Super(_, _, joint) => view! { <p data-testid="joint-what" data-what="super"><strong>{t!("maths.joint.is_super")}</strong></p>{row_of(DECK, &[joint])} }.into_any(),
                Four::Neither(by) => {
                    let features: Vec<String> = by.iter().map(|n| t!(&format!("verdict.features.{}", FEATURES[*n]))).collect();
                    view! {
                        <p data-testid="joint-what" data-what="neither"><strong>{t!("maths.joint.neither")}</strong> " "
                        {(!features.is_empty()).then(|| t!("maths.joint.three_one", features = features.join(", ")))}</p>
                    }
                    .into_any()
                }
            };
            view! { {verdict} <p>{t!("maths.joint.splits")}</p> {splits(four).map(split_row).collect_view()} }
                .into_any()
        }
        _ => view! { <p class="quiet">{t!("maths.joint.choose")}</p> }.into_any(),
    }
}

#[component]
pub fn Joint(spaces: Spaces) -> impl IntoView {
    let pool = RwSignal::new(Pool::new());
    let chosen = RwSignal::new(Vec::<Point>::new());
    let press = move |one: Point| {
        ui::toggle(chosen, one);
        chosen.update(|chosen| {
            if chosen.len() > 4 {
                chosen.remove(0);
            }
        });
    };
    let board = move || {
        pool.get()
            .all
            .into_iter()
            .map(|one| {
                let is_chosen = move || chosen.with(|chosen| chosen.contains(&one));
                view! {
                    <button class="cap-card" class:chosen=is_chosen aria-pressed=move || is_chosen().to_string() aria-label=ui::pattern_name(DECK, one) data-testid="joint-card" on:click=move |_| press(one)>
                        {ui::pattern_card(DECK, one)}
                    </button>
                }
            })
            .collect_view()
    };
    let [.., counts] = spaces;
    let properties = (1..=6).map(|n| {
        view! {
            <li>{t!(&format!("maths.joint.property_{n}"))} " " <button class="small" data-testid=format!("property-{n}") on:click=move |_| chosen.set(pool.read_untracked().example(n))>{t!("maths.show")}</button></li>
        }
    });
    let counted = move || {
        counts.get().and_then(Result::ok).map(|of| {
            view! { <p data-testid="joint-counts">{t!("maths.joint.counts", all = whole(of.with_set + of.supers + of.neither), sets = whole(of.with_set), supers = whole(of.supers), neither = whole(of.neither))}</p> }
        })
    };
    section(
        "joint",
        view! {
            <p>{t!("maths.joint.lead")}</p>
            <div class="row">
                <button class="small" data-testid="joint-other" on:click=move |_| { chosen.set(vec![]); pool.set(Pool::new()) }>{t!("maths.joint.other")}</button>
                <button class="small" data-testid="joint-clear" on:click=move |_| chosen.set(vec![])>{t!("maths.clear")}</button>
            </div>
            <div class="maths-board">{board}</div>
            <div aria-live="polite" data-testid="joint-told">{move || chosen.with(|chosen| told(chosen))}</div>
            <ol class="properties">{properties.collect_view()}</ol>
            {counted}
            <p>{t!("maths.joint.plane")}</p>
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cards: &str, expected: &str) {
        let cards = DECK.parse_all(cards).unwrap();
        let four = [cards[0], cards[1], cards[2], cards[3]];
        let said = match what(four) {
            Four::Set(_) => "set".to_owned(),
            Four::Super(_, _, joint) => format!("super {}", DECK.text(joint)),
            Four::Neither(by) => format!("neither {by:?}"),
        };
        assert_eq!(said, expected);
    }

    #[test]
    fn four_cards_are_one_of_three_things() {
        // Pattern rulebook, 5.9.
        check("0111 0002 2212 2021", "super 1010");
        check("0000 0111 0222 1000", "set");
        check("0000 0001 0010 0100", "neither [1, 2, 3]");
        check("0000 0011 1101 2110", "neither []");
    }

    /// In a plane four cards hold a Set or are a SuperSET; and each of the examples shows what it is to show.
    #[test]
    fn a_plane_knows_no_third_thing() {
        let square = plane(Point(0), Point(44), Point(17));
        let (mut sets, mut supers) = (0, 0);
        for places in 0u16..512 {
            if places.count_ones() != 4 {
                continue;
            }
            let cards: Vec<Point> = (0..9).filter(|n| places >> n & 1 == 1).map(|n| square[n]).collect();
            match what([cards[0], cards[1], cards[2], cards[3]]) {
                Four::Set(_) => sets += 1,
                Four::Super(..) => supers += 1,
                Four::Neither(_) => panic!("{cards:?}"),
            }
        }
        assert_eq!((sets, supers), (72, 54));
        let pool = Pool { plane: square, all: square.into_iter().chain([1, 5, 40].map(Point)).collect() };
        let four = |n: usize| {
            let cards = pool.example(n);
            what([cards[0], cards[1], cards[2], cards[3]])
        };
        assert!(matches!(four(1), Four::Super(_, _, joint) if joint == square[4]));
        assert!(matches!(four(2), Four::Super(..)) && matches!(four(3), Four::Set(_)));
        assert!(matches!(four(4), Four::Neither(by) if !by.is_empty()));
        let three = pool.example(5);
        assert_eq!(
            completers([three[0], three[1], three[2]])
                .map(|found| found.iter().all(|card| square.contains(card))),
            Some(true)
        );
    }
}
