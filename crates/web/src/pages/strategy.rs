//! How to play well, for each family: what helps at the table, taught on positions that can be tried.

use super::learn;
use crate::route::Route;
use crate::{dom, t, ui};
use cards::{Deck, Face, Pack, Point};
use leptos::prelude::*;
use pattern::finder::{is_set, third};
use rulebook::Family;

/// A part of the advice, by the key of its words, and the position that shows it.
struct Part(&'static str, Option<Position>);

/// Something to try.
enum Position {
    /// The card that makes a Set with the first two.
    Third(&'static str),
    /// A Set of these cards, if there is one.
    Find(&'static str),
    /// The one card that is right, out of a hand or of others.
    Choose(Choose),
}

/// A position of Contract Rummy of which one card is to be chosen.
struct Choose {
    round: u8,
    hand: &'static str,
    /// What lies on the table.
    melds: &'static [&'static str],
    /// What may be chosen, where it is not a card of the hand.
    of: Option<&'static str>,
    right: &'static str,
}

const PATTERN: &[Part] = &[
    Part("third", Some(Position::Third("0110 1221 2012 0002 2002 2001 2022 2102"))),
    Part("alike", Some(Position::Find("2000 0021 1112 0201 2222 0010 1002 1020 2012 0012 2201 2122"))),
    Part("differ", Some(Position::Find("0100 0010 0102 1200 2202 1221 1110 0001 1022 1010 2222 0011"))),
    Part("nothing", Some(Position::Find("0001 0011 0022 0102 0112 0201 1020 1110 1111 1220 2100 2220"))),
    Part("table", None),
];

/// Games of the Set family of which a sentence is said.
const PATTERN_GAMES: [&str; 8] =
    ["chain", "complex", "superset-h", "memory", "scout", "setup", "twenty", "daily-puzzle"];

const CONTRACT: &[Part] = &[
    Part(
        "near",
        Some(Position::Choose(Choose {
            round: 2,
            hand: "8C 8D 3H 4H 6H KS QC JD 2S AC",
            melds: &[],
            of: Some("JS 5H KD"),
            right: "5H",
        })),
    ),
    Part(
        "throw",
        Some(Position::Choose(Choose {
            round: 1,
            hand: "7C 7D QH QS 3H 4H 9D 2C KS AD 5S",
            melds: &[],
            of: None,
            right: "AD",
        })),
    ),
    Part(
        "next",
        Some(Position::Choose(Choose {
            round: 2,
            hand: "3C 3D 3S 5C 6C 8C KH 9S 2S 4D 6D",
            melds: &["R[9H TH JH QH]", "G[5S 5D 5H]"],
            of: None,
            right: "9S",
        })),
    ),
    Part("ask", None),
    Part("down", None),
    Part(
        "out",
        Some(Position::Choose(Choose {
            round: 2,
            hand: "8H 9H KC",
            melds: &["R[4H 5H 6H 7H]", "G[9C 9D 9S]"],
            of: None,
            right: "KC",
        })),
    ),
];

/// Games of the Contract Rummy family of which a sentence is said.
const CONTRACT_GAMES: [&str; 4] = ["may-i", "shanghai", "progressive", "carioca"];

/// The advice for a family, by its name.
#[component]
pub fn Strategy(family: String) -> impl IntoView {
    let family = if family == Family::Pattern.name() { Family::Pattern } else { Family::Contract };
    let (parts, games, first) = match family {
        Family::Pattern => (PATTERN, &PATTERN_GAMES[..], "set-classic"),
        Family::Contract => (CONTRACT, &CONTRACT_GAMES[..], "contract"),
    };
    let lead = match family {
        Family::Pattern => t!("strategy.lead_pattern"),
        Family::Contract => t!("strategy.lead_contract"),
    };
    let part = |part: &'static Part| {
        let Part(key, position) = part;
        view! {
            <section class="panel learn" id=*key data-testid=format!("advice-{key}")>
                <h2>{t!(&format!("strategy.{key}.title"))}</h2>
                <p>{t!(&format!("strategy.{key}.text"))}</p>
                {position.as_ref().map(|position| tried(key, position))}
            </section>
        }
    };
    let game = |id: &&'static str| {
        let path = Route::RuleSheet((*id).to_owned()).path();
        view! { <li>{t!(&format!("strategy.game.{id}"))} " " <a href=path>{t!("strategy.rules")}</a></li> }
    };
    let practise = match family {
        Family::Pattern => view! {
            <a class="button" href=Route::Practice.path()>{t!("practice.title")}</a> " "
            <a class="button" href=Route::Today.path()>{t!("today.title")}</a> " "
        }
        .into_any(),
        Family::Contract => ().into_any(),
    };
    let other = match family {
        Family::Pattern => Family::Contract,
        Family::Contract => Family::Pattern,
    };
    request_animation_frame(dom::to_anchor);
    view! {
        <div class="page narrow prose" data-testid="strategy">
            <p class="crumbs"><a href="/rules">{t!("nav.rules")}</a></p>
            <h1>{name(family)}</h1>
            <p>{lead} " " <a href="/about#people">{t!("strategy.sources")}</a></p>
            {parts.iter().map(part).collect_view()}
            <section class="panel" data-testid="advice-games">
                <h2>{t!("strategy.games")}</h2>
                <ul>{games.iter().map(game).collect_view()}</ul>
            </section>
            <p class="row">
                <a class="button primary" href=Route::New(first.to_owned()).path()>{t!("rules.play")}</a> " "
                {practise}
                <a class="button" href=path(other)>{name(other)}</a>
            </p>
        </div>
    }
}

/// Where the advice for a family stands.
pub(super) fn path(family: Family) -> String {
    Route::Strategy(family.name().to_owned()).path()
}

/// What the page for a family is called.
pub(super) fn name(family: Family) -> String {
    match family {
        Family::Pattern => t!("strategy.pattern"),
        Family::Contract => t!("strategy.contract"),
    }
}

fn tried(key: &'static str, position: &'static Position) -> AnyView {
    match position {
        Position::Third(cards) | Position::Find(cards) => {
            looked_for(key, cards, matches!(position, Position::Third(_)))
        }
        Position::Choose(choose) => chosen(key, choose),
    }
}

/// What was said to the last press: whether it was right, and why.
type Said = RwSignal<Option<(bool, String)>>;

/// Where it is said.
fn answer(key: &str, said: Said) -> impl IntoView + use<> {
    let right = move || said.with(|said| said.as_ref().is_some_and(|said| said.0));
    view! {
        <p class="learn-said" role="status" data-testid=format!("said-{key}") class:good=right class:hidden=move || said.with(Option::is_none)>
            {move || said.get().map(|said| said.1)}
        </p>
    }
}

fn solver(path: String) -> impl IntoView {
    view! { <p><a href=path>{t!("strategy.try")}</a></p> }
}

/// Cards of Set: the third of two that are given, or three of all.
fn looked_for(key: &'static str, text: &'static str, third_of_two: bool) -> AnyView {
    let deck = Deck::D81;
    let cards = deck.parse_all(text).unwrap_or_default();
    let (given, open) = cards.split_at(if third_of_two { 2 } else { 0 });
    let given = given.to_vec();
    let (picked, wrong) = (RwSignal::new(Vec::<Point>::new()), RwSignal::new(Vec::<Point>::new()));
    let said: Said = RwSignal::new(None);
    let good = move || t!(&format!("strategy.{key}.good"));
    let shown = given
        .iter()
        .map(|&c| view! { <span class="pcard" role="img" aria-label=ui::pattern_name(deck, c)>{ui::pattern_card(deck, c)}</span> })
        .collect_view();
    let touch = move |card: Point| {
        wrong.update(Vec::clear);
        ui::toggle(picked, card);
        let now = picked.get_untracked();
        let judged = match (&given[..], &now[..]) {
            (&[a, b], &[c]) if third(a, b) == c => Some((true, good())),
            (&[_, _], &[_]) => Some((false, t!("strategy.third.bad"))),
            ([], &[a, b, c]) if is_set(a, b, c) => Some((true, good())),
            ([], &[_, _, _]) => Some((false, t!("strategy.no_set"))),
            _ => None,
        };
        if let Some(judged) = judged {
            if !judged.0 {
                wrong.set(now);
            }
            picked.update(Vec::clear);
            said.set(Some(judged));
        }
    };
    let none = move |_| {
        said.set(Some(match has_set(text) {
            true => (false, t!("strategy.one_there")),
            false => (true, good()),
        }));
    };
    let buttons = open
        .iter()
        .map(|&point| {
            let touch = touch.clone();
            learn::card(deck, point, [picked, wrong], || false, move || touch(point))
        })
        .collect_view();
    view! {
        <p class="learn-ask">{t!(&format!("strategy.{key}.ask"))}</p>
        <div class="learn-cards">{shown}</div>
        <div class="learn-cards">{buttons}</div>
        {(!third_of_two).then(|| view! { <p class="row"><button data-testid=format!("none-{key}") on:click=none>{t!("strategy.none_there")}</button></p> })}
        {answer(key, said)}
        {solver(format!("/solve/set-classic?cards={}", dom::in_address(text)))}
    }
    .into_any()
}

fn has_set(text: &str) -> bool {
    let cards = Deck::D81.parse_all(text).unwrap_or_default();
    let pairs = cards.iter().enumerate().flat_map(|(n, a)| cards[n + 1..].iter().map(move |b| (*a, *b)));
    pairs.into_iter().any(|(a, b)| cards.contains(&third(a, b)))
}

/// One card of a position of Contract Rummy.
fn chosen(key: &'static str, choose: &'static Choose) -> AnyView {
    let pack = StoredValue::new(Pack::standard());
    let faces = move |text: &str| pack.with_value(|pack| pack.parse_all(text)).unwrap_or_default();
    let picture = move |face: Face| pack.with_value(|pack| ui::playing_card(pack, face));
    let name = move |face: Face| pack.with_value(|pack| ui::playing_name(pack, face));
    let said: Said = RwSignal::new(None);
    let last = RwSignal::new(None::<usize>);
    let looked_at = move |text: &str| {
        let faces = faces(text).into_iter();
        faces
            .map(|face| view! { <span class="mcard" role="img" aria-label=name(face)>{picture(face)}</span> })
            .collect_view()
    };
    let melds = choose.melds.iter().map(|meld| {
        let inside = meld.trim_end_matches(']').get(2..).unwrap_or_default();
        view! { <div class="solve-hand">{looked_at(inside)}</div> }
    });
    let right = faces(choose.right).first().copied();
    let buttons = faces(choose.of.unwrap_or(choose.hand)).into_iter().enumerate().map(|(n, face)| {
        let press = move |_| {
            let right = Some(face) == right;
            let why = if right { "good" } else { "bad" };
            last.set(Some(n));
            said.set(Some((right, t!(&format!("strategy.{key}.{why}")))));
        };
        let text = pack.with_value(|pack| pack.text(face));
        view! {
            // The letters of the picture are drawn twice: what the button is called stands in it, and not over them.
            <button class="solve-held" class:chosen=move || last.get() == Some(n) aria-pressed=move || (last.get() == Some(n)).to_string() data-testid="advice-card" data-face=text on:click=press>{picture(face)}<span class="offscreen">{name(face)}</span></button>
        }
    });
    let address = [
        ("round", choose.round.to_string()),
        ("hand", choose.hand.to_owned()),
        ("melds", choose.melds.join("; ")),
    ];
    let query = address.map(|(name, text)| format!("{name}={}", dom::in_address(&text))).join("&");
    view! {
        {melds.collect_view()}
        {choose.of.map(|_| view! { <div class="solve-hand">{looked_at(choose.hand)}</div> })}
        <p class="learn-ask">{t!(&format!("strategy.{key}.ask"))}</p>
        <div class="solve-hand">{buttons.collect_view()}</div>
        {answer(key, said)}
        {solver(format!("/solve/contract?{query}"))}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::solve::{Question, Solver};
    use serde_json::{Value, json};

    /// What the engine says of a hand of Contract Rummy.
    fn ask(question: Question, round: u8, hand: &str, melds: &[&str]) -> Value {
        let mut query = json!({ "round": round, "hand": hand });
        if !melds.is_empty() {
            query["melds"] = json!(melds);
        }
        Solver::new(rulebook::preset("contract").unwrap()).answer(question, query).unwrap()
    }

    fn distance(choose: &Choose, hand: &str) -> u64 {
        ask(Question::Missing, choose.round, hand, &[])["distance"].as_u64().unwrap()
    }

    fn without(hand: &str, card: &str) -> String {
        hand.split(' ').filter(|other| *other != card).collect::<Vec<_>>().join(" ")
    }

    /// What a card costs (CR-SCO-1).
    fn cost(card: &str) -> u32 {
        match &card[..1] {
            "A" => 15,
            "K" | "Q" | "J" | "T" => 10,
            pips => pips.parse().unwrap(),
        }
    }

    fn of(key: &str) -> &'static Choose {
        let part = CONTRACT.iter().find(|part| part.0 == key).unwrap();
        let Some(Position::Choose(choose)) = &part.1 else { panic!("{key} has no hand") };
        choose
    }

    #[test]
    fn each_position_teaches_what_is_said_of_it() {
        // Only the right card of the pile brings the hand nearer, and two are lacking before.
        let near = of("near");
        assert_eq!(distance(near, near.hand), 2);
        for card in near.of.unwrap().split(' ') {
            let after = distance(near, &format!("{} {card}", near.hand));
            assert_eq!(after, if card == near.right { 1 } else { 2 }, "{card}");
        }
        // What goes is the dearest of what the contract does not need, and of that what nobody can lay off.
        for choose in [of("throw"), of("next")] {
            let before = distance(choose, choose.hand);
            let fits = |card: &str| {
                let hand = format!("{card} 2D");
                !choose.melds.is_empty()
                    && ask(Question::LayOff, choose.round, &hand, choose.melds)["plays"] != json!([])
            };
            let free = |card: &&str| distance(choose, &without(choose.hand, card)) == before && !fits(card);
            let mut free: Vec<&str> = choose.hand.split(' ').filter(free).collect();
            free.sort_by_key(|card| cost(card));
            assert_eq!(free.pop(), Some(choose.right), "{free:?}");
            assert!(cost(free.last().unwrap()) < cost(choose.right), "{free:?}");
        }
        let next = of("next");
        assert!(next.hand.split(' ').any(|card| cost(card) > cost(next.right)), "a dearer one is kept");
        // All can be laid off but the card that is thrown.
        let out = of("out");
        assert_eq!(ask(Question::LayOff, out.round, out.hand, out.melds)["left"], json!(out.right));

        let cards = |key: &str| {
            let part = PATTERN.iter().find(|part| part.0 == key).unwrap();
            let Some(Position::Third(text) | Position::Find(text)) = part.1 else { panic!("{key}") };
            (text, Deck::D81.parse_all(text).unwrap())
        };
        let differ = |a: Point, b: Point| {
            let [a, b] = [a, b].map(|card| Deck::D81.code(card));
            (0..4).filter(|&n| a[n] != b[n]).count()
        };
        // The other cards differ from the third one in a single feature.
        let (_, third_of) = cards("third");
        let wanted = third(third_of[0], third_of[1]);
        let apart: Vec<usize> = third_of[2..].iter().map(|&card| differ(card, wanted)).collect();
        assert_eq!(apart.iter().filter(|n| **n == 0).count(), 1);
        assert!(apart.iter().all(|n| *n <= 1), "{apart:?}");
        let sets = |cards: &[Point]| {
            let mut found = Vec::new();
            for (n, &a) in cards.iter().enumerate() {
                for (m, &b) in cards.iter().enumerate().skip(n + 1) {
                    found.extend(cards[m + 1..].iter().filter(|&&c| is_set(a, b, c)).map(|&c| [a, b, c]));
                }
            }
            found
        };
        // One Set of red ovals among seven red cards; one Set that differs in everything; none.
        let (text, alike) = cards("alike");
        let colour = |card: Point| Deck::D81.code(card)[1];
        assert_eq!(alike.iter().filter(|card| colour(**card) == 0).count(), 7);
        let [set] = sets(&alike)[..] else { panic!("{text}") };
        assert!(set.iter().all(|card| colour(*card) == 0) && differ(set[0], set[1]) == 2 && has_set(text));
        let (text, all_differ) = cards("differ");
        let [set] = sets(&all_differ)[..] else { panic!("{text}") };
        assert!(differ(set[0], set[1]) == 4 && has_set(text));
        let (text, nothing) = cards("nothing");
        assert!(sets(&nothing).is_empty() && !has_set(text));
        assert_eq!(nothing.iter().filter(|card| Deck::D81.code(**card)[0] == 2).count(), 2, "three symbols");
    }

    #[test]
    fn every_game_that_is_advised_on_is_there() {
        for id in PATTERN_GAMES.iter().chain(&CONTRACT_GAMES) {
            assert!(rulebook::presets().contains(id), "{id}");
            assert!(crate::lang::look_up(&format!("strategy.game.{id}")).is_some(), "{id} has no sentence");
        }
        for Part(key, position) in PATTERN.iter().chain(CONTRACT) {
            let mut said = vec!["title", "text"];
            if position.is_some() {
                said.extend(["ask", "good"]);
            }
            if matches!(position, Some(Position::Choose(_) | Position::Third(_))) {
                said.push("bad");
            }
            for word in said {
                let key = format!("strategy.{key}.{word}");
                assert!(crate::lang::look_up(&key).is_some(), "{key} is not said");
            }
        }
    }
}
