//! The games and their rule sheets.

use super::strategy;
use crate::route::Route;
use crate::soon::{at_once, below};
use crate::{api, dom, games, lang, t, ui};
use cards::Point;
use contract::meld::DeclaredCard;
use leptos::prelude::*;
use rulebook::{Family, Picture, Sheet, Shown, Shows, markdown};
use wire::api::{GameSheet, PublishedGame, PublishedRules};

#[component]
pub fn Rules() -> impl IntoView {
    let list = |family: Family| {
        games::all()
            .into_iter()
            .filter(|g| g.family == family)
            .map(|info| {
                view! {
                    <li>
                        <a href=Route::RuleSheet(info.id.clone()).path()>{info.name.clone()}</a>
                        <span class="quiet">" " {info.summary.clone()}</span>
                    </li>
                }
            })
            .collect_view()
    };
    let book = |family: Family| {
        let path = Route::Rulebook(family.name().to_owned()).path();
        view! {
            <p>
                <a data-testid=format!("rulebook-{}", family.name()) href=path>{t!("rules.book")}</a> " · "
                <a data-testid=format!("to-strategy-{}", family.name()) href=strategy::path(family)>{strategy::name(family)}</a>
            </p>
        }
    };
    let published = RwSignal::new(PublishedRules::default());
    leptos::task::spawn_local(async move {
        // Without an answer they are not listed: nothing on this page hangs on them.
        if let Ok(rules) = api::get("/api/rules").await {
            let _ = published.try_set(rules);
        }
    });
    let played = |game: PublishedGame| {
        let path = Route::House(game.code).path();
        let said =
            |part: &str, english| lang::look_up(&format!("played.{}.{part}", game.id)).unwrap_or(english);
        view! { <li><a href=path data-testid="published">{said("name", game.name)}</a> " " <span class="quiet">{said("summary", game.summary)}</span></li> }
    };
    view! {
        <div class="page narrow prose" data-testid="rules">
            <h1>{t!("rules.title")}</h1>
            <p><a class="button" data-testid="house-link" href=Route::House(String::new()).path()>{t!("house.title")}</a> " " {t!("house.invite")}</p>
            <h2>{t!("family.pattern")}</h2>
            <ul class="plain-list">{list(Family::Pattern)}</ul>
            {book(Family::Pattern)}
            {below(move || view! {
                <h2>{t!("family.contract")}</h2>
                <ul class="plain-list">{list(Family::Contract)}</ul>
                {book(Family::Contract)}
                {below(move || view! {
                    <h2>{t!("rules.families")}</h2>
                    <p>{t!("rules.families_lead")}</p>
                    <ul class="plain-list">{move || published.get().games.into_iter().map(played).collect_view()}</ul>
                    {below(print)}
                }.into_any())}
            }.into_any())}
        </div>
    }
}

/// What can be printed: cards and work sheets.
fn print() -> AnyView {
    view! {
        <h2>{t!("print.title")}</h2>
        <p>{t!("print.lead")}</p>
        <ul class="plain-list" data-testid="print">
            {["d81", "d27", "d243"].map(|deck| view! {
                <li>
                    <a href=format!("/print/{deck}.pdf") target="_blank" data-testid=format!("print-{deck}")>{t!(&format!("print.{deck}"))}</a>
                    " · "
                    <a href=format!("/print/{deck}.pdf?backs=1") target="_blank">{t!("print.backs")}</a>
                </li>
            }).collect_view()}
        </ul>
        <h2>{t!("print.sheets")}</h2>
        <p>{t!("print.sheets_lead")}</p>
        {work_sheets()}
    }
    .into_any()
}

/// The kinds of work sheets, by the names that they are asked for by (`print::worksheet::Kind::ALL`).
const SHEETS: [&str; 12] = [
    "warmup",
    "find",
    "complete",
    "count",
    "square",
    "joint",
    "split",
    "completers",
    "code",
    "direction",
    "left",
    "cap",
];

/// Where the work sheets of a kind and level are.
pub(super) fn sheet(kind: &str, level: u8) -> String {
    format!("/print/sheets/{kind}.pdf?level={level}&language={}", dom::page_language())
}

/// Links to work sheets of each kind and level, with the seed and number of pages that are chosen.
fn work_sheets() -> impl IntoView {
    let (seed, pages) = (RwSignal::new(String::new()), RwSignal::new(1_u8));
    let set_seed =
        move |e| seed.set(event_target_value(&e).chars().filter(char::is_ascii_digit).take(15).collect());
    let set_pages = move |e| pages.set(event_target_value(&e).parse().unwrap_or(1).clamp(1, 10));
    let path = move |kind: &str, level: u8| {
        let seed = seed.with(|seed| if seed.is_empty() { String::new() } else { format!("&seed={seed}") });
        format!("{}&pages={}{seed}", sheet(kind, level), pages.get())
    };
    view! {
        <p class="row" id="work-sheets">
            <label class="labelled"><span>{t!("print.pages")}</span><input type="number" min="1" max="10" data-testid="sheet-pages" prop:value=move || pages.get().to_string() on:change=set_pages/></label>
            <label class="labelled"><span>{t!("print.seed")}</span><input type="text" inputmode="numeric" autocomplete="off" data-testid="sheet-seed" prop:value=move || seed.get() on:input=set_seed/></label>
        </p>
        <ul class="plain-list" data-testid="work-sheets">
            {SHEETS.map(|kind| view! {
                <li>
                    {t!(&format!("print.sheet.{kind}"))}
                    {[1, 2, 3].map(|level| view! {
                        " · "
                        <a href=move || path(kind, level) target="_blank" data-testid=format!("sheet-{kind}-{level}")>{t!("print.level", n = level)}</a>
                    }).collect_view()}
                </li>
            }).collect_view()}
        </ul>
    }
}

/// The rule sheet of a game, written from its rules as data.
#[component]
pub fn RuleSheet(game: String) -> impl IntoView {
    let sheet = RwSignal::new(None::<Result<GameSheet, String>>);
    leptos::task::spawn_local(async move {
        let asked = games::sheet(&game).await;
        lang::fetch_sheets().await;
        let _ = sheet.try_set(Some(asked));
    });
    let body = move || match sheet.get() {
        None => ui::loading(),
        Some(Ok(sheet)) => {
            let text = lang::sheet(&sheet.told, &sheet.sheet);
            view! {
                {illustrated(&sheet.told, &text)}
                <p class="row">
                    <a class="button" download=format!("{}.md", sheet.info.id) data-testid="sheet-markdown" href=dom::text_file(&text)>{t!("rules.markdown")}</a> " "
                    <a class="button" href=strategy::path(sheet.info.family)>{strategy::name(sheet.info.family)}</a> " "
                    <a class="button primary" href=Route::New(sheet.info.id).path()>{t!("rules.play")}</a>
                </p>
            }
            .into_any()
        }
        Some(Err(why)) => view! { <h1>{t!("nav.rules")}</h1><p class="refusal">{why}</p> }.into_any(),
    };
    view! {
        <div class="page narrow prose" data-testid="rule-sheet">
            <p class="crumbs"><a href="/rules">{t!("nav.rules")}</a></p>
            {body}
        </div>
    }
}

/// A rule sheet, with its pictures where they belong.
pub(super) fn illustrated(told: &Sheet, text: &str) -> AnyView {
    let parts = lang::sheet_parts(told, text).into_iter().map(|(text, shown)| {
        view! {
            <div inner_html=markdown::html(&text)></div>
            {(!shown.is_empty()).then(|| view! { <div class="pictures" data-testid="pictures">{shown.iter().map(picture).collect_view()}</div> })}
        }
    });
    view! { <div class="sheet">{parts.collect_view()}</div> }.into_any()
}

/// A picture of a rule sheet: cards, and what they are.
fn picture(shown: &Picture) -> AnyView {
    let one =
        |name: String, card: AnyView| view! { <span class="pcard" role="img" aria-label=name>{card}</span> };
    let row = |cards: Vec<_>| view! { <p class="row">{cards}</p> };
    let rows = match &shown.cards {
        Shown::Pattern { deck, groups } => {
            let card = |card: &Point| one(ui::pattern_name(*deck, *card), ui::pattern_card(*deck, *card));
            groups.iter().map(|cards| row(cards.iter().map(card).collect())).collect_view()
        }
        Shown::Playing { pack, melds } => {
            let name = |card: &DeclaredCard| {
                let own = ui::playing_name(pack, card.card);
                card.stands.map_or(own.clone(), |stands| {
                    t!("rules.stands", wild = own, card = ui::playing_name(pack, stands))
                })
            };
            let card = |card: &DeclaredCard| one(name(card), ui::playing_card(pack, card.card));
            melds.iter().map(|cards| row(cards.iter().map(card).collect())).collect_view()
        }
    };
    let told = match shown.shows {
        Shows::Contract(round) => t!("rules.laid", n = round),
        Shows::Group => t!("rules.group"),
        Shows::Run => t!("rules.run"),
        Shows::Pair => t!("rules.pair"),
        Shows::Wild => t!("rules.wild"),
        Shows::Different => t!("rules.all_different"),
        Shows::Alike(features) => t!("rules.one_different", n = features),
        Shows::NoSet => t!("rules.no_set"),
        Shows::Super => t!("rules.super"),
        Shows::Two => t!("rules.two"),
        Shows::Chain => t!("rules.chain"),
    };
    view! { <figure>{rows}<figcaption>{told}</figcaption></figure> }.into_any()
}

/// Bytes that a part of a page has at least.
const PART: usize = 8_000;

/// A long page in parts, divided before headings, which are made one after another.
fn in_parts(html: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let heading =
            |(at, _): &(usize, &str)| *at >= PART && matches!(rest.as_bytes().get(at + 2), Some(b'2' | b'3'));
        let end = rest.match_indices("<h").find(heading).map_or(rest.len(), |(at, _)| at);
        let (part, after) = rest.split_at(end);
        parts.push(part.to_owned());
        rest = after;
    }
    parts
}

/// The rulebook of a family: every rule by its id, to which the refusals at a table lead.
#[component]
pub fn Rulebook(family: String) -> impl IntoView {
    let text = RwSignal::new(None::<Result<String, String>>);
    leptos::task::spawn_local(async move {
        let asked = api::get_text(&format!("/rulebook/{family}.md")).await;
        if dom::anchor().is_some() {
            at_once();
        }
        let _ = text.try_set(Some(asked));
        // The browser looked for the rule in the address when the page was still empty.
        dom::next_frame(dom::to_anchor);
    });
    let body = move || match text.get() {
        None => ui::loading(),
        Some(Ok(text)) => {
            let part = |html: String| {
                below(move || view! { <div class="sheet book" inner_html=html.clone()></div> }.into_any())
            };
            in_parts(&markdown::book(&text)).into_iter().map(part).collect_view().into_any()
        }
        Some(Err(why)) => view! { <h1>{t!("nav.rules")}</h1><p class="refusal">{why}</p> }.into_any(),
    };
    view! {
        <div class="page narrow prose" data-testid="rulebook">
            <p class="crumbs"><a href="/rules">{t!("nav.rules")}</a></p>
            {body}
        </div>
    }
}
