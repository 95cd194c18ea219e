//! The lobby: a name, open tables, games to play.

use crate::api::{self, guest};
use crate::later::LookLoader;
use crate::pages::first::{self, Dealt, Look};
use crate::pages::name::NameForm;
use crate::pages::table::INVITES;
use crate::prefs::{COACHED, prefs};
use crate::route::{Route, navigator};
use crate::soon::{below, soon};
use crate::ui::Show;
use crate::{art, dom, games, lang, t, ui};
use leptos::prelude::*;
use rulebook::{Family, Info};
use std::collections::BTreeSet;
use wire::Stage;
use wire::api::{GameChoice, NewTable, PlayedGame, PlayedGames, TableSummary};

/// The games that have a door of their own.
const DOORS: [&str; 2] = ["set-classic", "contract"];
/// Games that whoever is new may begin with, besides those; what was begun here stands before them, and the others are behind a search.
const FIRST: [&str; 8] =
    ["quick", "memory", "chain", "daily-basic", "may-i", "liverpool", "shanghai", "progressive"];

/// The first cards of the table that is on its way.
#[derive(Clone, Copy)]
struct Shown(RwSignal<Option<Dealt>>);

#[component]
pub fn Lobby() -> impl IntoView {
    let guest = guest();
    let known = move || guest.0.with(|me| me.as_ref().is_some_and(|me| me.name.is_some()));
    let asked = move || guest.0.with(Option::is_some);
    let renaming = RwSignal::new(false);
    let offline = RwSignal::new(api::is_unreached());
    let dealt = Shown(RwSignal::new(None));
    provide_context(dealt);
    let shown = Memo::new(move |_| dealt.0.get().filter(|_| guest.is_opening()));
    let (mut first, begun) = games::favourites_first();
    first.truncate(begun);
    first.extend(FIRST.iter().filter_map(|id| games::all().into_iter().find(|info| info.id == *id)));
    first.retain(|info| !DOORS.contains(&&*info.id));
    let mut seen = BTreeSet::new();
    first.retain(|info| seen.insert(info.id.clone()));
    first.truncate(FIRST.len());
    view! {
        {move || shown.get().map(first::picture)}
        // What lies below the cards is not there for the keyboard.
        <div class="page lobby" data-testid="lobby" inert=move || shown.with(Option::is_some)>
            <h1>{move || match guest.name() {
                Some(name) => t!("lobby.hello", name = name),
                None => t!("lobby.welcome"),
            }}</h1>
            // Whoever cannot reach the house reads that first, in the place of what it is.
            <Show when=move || offline.get() fallback=|| view! { <p class="lead">{t!("lobby.lead")}</p> }>
                <p class="offline" role="status" data-testid="offline">{t!("lobby.offline")}</p>
            </Show>
            <div class="doors">
                <Play game=DOORS[0].to_owned() how=How::Door(2) class="door">
                    {set(SETS[0])}
                </Play>
                <Play game=DOORS[1].to_owned() how=How::Door(3) class="door">
                    {melds([(2, 12), (0, 12), (3, 12)])}
                </Play>
                <a class="door" data-testid="to-today" href=Route::Today.path()>
                    {set(SETS[1])}
                    <strong>{t!("today.title")}</strong>
                    <span class="quiet">{t!("lobby.today")}</span>
                </a>
            </div>
            <div class="row go-on"><GoOn/></div>
            <div class="row friends">
                <span class="quiet">{t!("lobby.friends")}</span>
                <Play game=DOORS[0].to_owned() how=How::Friends class="small"/>
                <Play game=DOORS[1].to_owned() how=How::Friends class="small"/>
            </div>
            <nav class="row alone" aria-label=t!("lobby.alone")>
                <a class="button small" data-testid="to-learn" href=Route::Learn.path()>{t!("learn.title")}</a>
                <a class="button small" data-testid="to-practice" href=Route::Practice.path()>{t!("practice.title")}</a>
                <Play game=DOORS[1].to_owned() how=How::Learn class="small"/>
                // Its place is kept until it is known what it says.
                <Show when=move || !asked() || !renaming.get()>
                    <button class="plain small" data-testid="rename" style:visibility=move || if asked() { "visible" } else { "hidden" } on:click=move |_| { renaming.set(true); dom::after(0, || dom::focus("#name")) }>
                        {move || if known() { t!("lobby.rename") } else { t!("name.choose") }}
                    </button>
                </Show>
            </nav>
            <Show when=move || asked() && renaming.get()>
                <NameForm then=Callback::new(move |()| { renaming.set(false); dom::after(0, || dom::focus("[data-testid='rename']")) })/>
            </Show>
            {below(move || view! {
                <OpenTables offline=offline/>
                <h2>{t!("lobby.begin")}</h2>
                <ul class="games">{first.iter().cloned().map(tile).collect_view()}</ul>
                {below(|| AllGames().into_any())}
            }.into_any())}
        </div>
    }
}

/// The Sets on the doors.
const SETS: [[u8; 3]; 2] = [[64, 13, 43], [26, 77, 47]];

/// A Set, as a picture.
fn set(cards: [u8; 3]) -> impl IntoView {
    let card = |point| view! { <span>{ui::pattern_card(cards::Deck::D81, cards::Point(point))}</span> };
    view! { <span class="fan" aria-hidden="true">{cards.map(card).collect_view()}</span> }
}

/// Playing cards beside each other, as a picture.
fn melds(cards: [(u8, u8); 3]) -> impl IntoView {
    let pack = cards::Pack::standard();
    let card = |(suit, rank)| view! { <span>{ui::playing_card(&pack, cards::Face::new(suit, rank))}</span> };
    view! { <span class="fan" aria-hidden="true">{cards.map(card).collect_view()}</span> }
}

/// A game that is offered.
fn tile(info: Info) -> impl IntoView {
    let path = Route::New(info.id.clone()).path();
    let rules = Route::RuleSheet(info.id.clone()).path();
    view! {
        <li class="game" data-testid=format!("game-{}", info.id)>
            {(!info.picture.is_empty()).then(|| {
                let [width, height] = art::game::EXTENT;
                view! { <svg class="game-picture" viewBox=format!("0 0 {width} {height}") aria-hidden="true" focusable="false" inner_html=art::game::picture(&info.picture)></svg> }
            })}
            <a class="game-name" href=path>{info.name.clone()}</a>
            <p>{info.summary.clone()}</p>
            <p class="quiet">
                {games::players(&info)}
                {games::minutes(&info).map(|minutes| format!(" · {minutes}"))}
                {(!info.difficulty.is_empty()).then(|| format!(" · {}", games::difficulty(&info.difficulty)))}
            </p>
            <p class="row">
                <Play game=info.id.clone() how=How::Tile(info.offered_seats().saturating_sub(1)) class="small"/>
                <a href=rules>{t!("game.rules")}</a>
            </p>
        </li>
    }
}

/// The minutes that somebody may have, to choose from.
const TIMES: [u16; 5] = [5, 15, 30, 60, 120];

/// Every game, by family, and those only that are looked for.
#[component]
fn AllGames() -> impl IntoView {
    let wanted = RwSignal::new(String::new());
    let (people, difficulty) = (RwSignal::new(None::<u8>), RwSignal::new(None::<usize>));
    let time = RwSignal::new(None::<u16>);
    let all = games::favourites_first().0;
    let (count, most) = (all.len(), all.iter().map(|info| info.players_max).max().unwrap_or(1));
    let all = StoredValue::new(all);
    let found = move |family: Family| -> Vec<Info> {
        let wanted = dom::small_letters(wanted.get().trim());
        let is_it = |info: &Info| {
            let said = dom::small_letters(&format!("{} {} {}", info.name, info.id, info.summary));
            let seats = info.players_min..=info.players_max;
            info.family == family
                && said.contains(&wanted)
                && people.get().is_none_or(|n| seats.contains(&n))
                && time.get().is_none_or(|most| (1..=most).contains(&info.minutes))
                && difficulty.get().is_none_or(|n| games::DIFFICULTIES[n].1.contains(&&*info.difficulty))
        };
        all.with_value(|all| all.iter().filter(|info| is_it(info)).cloned().collect())
    };
    let list = move |family: Family, name: String| {
        let found = Memo::new(move |_| found(family));
        view! {
            <Show when=move || found.with(|found| !found.is_empty())>
                <h3>{name.clone()}</h3>
                <ul class="games">{move || found.get().into_iter().map(tile).collect_view()}</ul>
            </Show>
        }
    };
    let nothing = move || found(Family::Pattern).is_empty() && found(Family::Contract).is_empty();
    view! {
        <details class="all-games" data-testid="all-games" aria-labelledby="all-games">
            <summary><h2 id="all-games">{t!("lobby.all", n = count)}</h2></summary>
            <input
                type="search"
                data-testid="search"
                aria-label=t!("lobby.search")
                placeholder=t!("lobby.search")
                on:input=move |e| wanted.set(event_target_value(&e))
            />
            <div class="row filters">
                <label class="row">
                    <span>{t!("lobby.people")}</span>
                    <select data-testid="filter-people" on:change=move |e| people.set(event_target_value(&e).parse().ok())>
                        <option value="">{t!("lobby.any")}</option>
                        {(1..=most).map(|n| view! { <option value=n.to_string()>{n}</option> }).collect_view()}
                    </select>
                </label>
                <label class="row">
                    <span>{t!("lobby.time")}</span>
                    <select data-testid="filter-time" on:change=move |e| time.set(event_target_value(&e).parse().ok())>
                        <option value="">{t!("lobby.any")}</option>
                        {TIMES.map(|n| view! { <option value=n.to_string()>{t!("lobby.up_to", n = n)}</option> }).collect_view()}
                    </select>
                </label>
                <label class="row">
                    <span>{t!("lobby.difficulty")}</span>
                    <select data-testid="filter-difficulty" on:change=move |e| difficulty.set(event_target_value(&e).parse().ok().filter(|n| *n < games::DIFFICULTIES.len()))>
                        <option value="">{t!("lobby.any")}</option>
                        {games::DIFFICULTIES.iter().enumerate().map(|(n, (word, _))| view! { <option value=n.to_string()>{games::difficulty(word)}</option> }).collect_view()}
                    </select>
                </label>
            </div>
            <Show when=nothing><p class="quiet" role="status">{t!("lobby.nothing")}</p></Show>
            {soon(move || list(Family::Pattern, t!("family.pattern")).into_any())}
            {soon(move || list(Family::Contract, t!("family.contract")).into_any())}
        </details>
    }
}

/// Most unfinished matches at tables of the server that the first page shows; the others stand among one's games.
const GOES_ON: usize = 3;

/// The matches that this person has not finished.
#[component]
fn GoOn() -> impl IntoView {
    let guest = guest();
    let open = RwSignal::new(Vec::<PlayedGame>::new());
    Effect::new(move |asked: Option<bool>| {
        let asks = guest.name().is_some();
        if asks && asked != Some(true) {
            leptos::task::spawn_local(async move {
                // Without an answer there is nothing to go on with, and the page of one's games says why.
                let mut played =
                    api::get::<PlayedGames>("/api/me/games").await.map_or(vec![], |played| played.games);
                played.retain(|game| game.outcome.is_none());
                let _ = open.try_set(played);
            });
        }
        asks
    });
    let link = |id: &'static str, path: String, game: String| {
        view! { <a class="button primary" data-testid=id href=path>{t!("lobby.go_on", game = game)}</a> }
    };
    let at_home = [Family::Pattern, Family::Contract].into_iter().filter_map(move |family| {
        let title = dom::on_at_home(family.name())?;
        Some(link("go-on-home", Route::Home(family.name().to_owned()).path(), title))
    });
    view! {
        {move || {
            let go_on = |game: PlayedGame| {
                let title = lang::told(game.say.as_ref(), &game.title);
                link("go-on", Route::Table(game.table).path(), title)
            };
            open.get().into_iter().take(GOES_ON).map(go_on).collect_view()
        }}
        <Show when=move || open.with(|open| open.len() > GOES_ON)>
            <a class="button small" data-testid="go-on-others" href=Route::Games.path()>{t!("nav.games")}</a>
        </Show>
        {at_home.collect_view()}
    }
}

/// How a table is opened at one press: against so many bots, where the match begins at once, or for friends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// From a large picture.
    Door(u8),
    /// From the games that are shown.
    Tile(u8),
    /// Explained as it is played.
    Learn,
    Friends,
}

impl How {
    fn bots(self) -> u8 {
        match self {
            How::Door(bots) | How::Tile(bots) => bots,
            How::Learn => 2,
            How::Friends => 0,
        }
    }
}

/// One press opens a table.
#[component]
fn Play(
    game: String,
    how: How,
    class: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let (guest, go, voice, prefs) = (guest(), navigator(), ui::voice(), prefs());
    let busy = RwSignal::new(false);
    let (Shown(dealt), look) = (expect_context(), StoredValue::new_local(None::<Look>));
    let Some(info) = games::all().into_iter().find(|g| g.id == game) else { return ().into_any() };
    let Some(weakest) = games::bots(info.family).into_iter().next() else { return ().into_any() };
    let family = info.family;
    let loader = (how != How::Friends).then(expect_context::<LookLoader>);
    let preset = GameChoice::Preset(game.clone());
    let start = move |_| {
        if untrack(|| guest.is_opening()) {
            return;
        }
        dealt.set(None);
        let departures = dom::departures();
        let waits = move || busy.try_get_untracked() == Some(true) && departures == dom::departures();
        if let Some(loader) = loader.filter(|_| dom::lacks(family.name())) {
            dom::hold_ahead();
            leptos::task::spawn_local(async move { drop((loader.fetch)().await) });
        }
        let seats = if how == How::Friends { 4 } else { how.bots() + 1 };
        let bots = vec![weakest.clone(); usize::from(how.bots())];
        let mut table = NewTable::private(preset.clone(), seats, bots);
        if how == How::Learn {
            // Whoever reads is waited for.
            table.options.insert("take.seconds".to_owned(), 0.into());
            table.rest_s = Some(u8::MAX);
            dom::store(COACHED, &0u32);
            prefs.update(|prefs| prefs.coach = true);
        }
        leptos::task::spawn_local(async move {
            // Who plays against bots alone sees the first cards while the rest is waited for.
            let meanwhile = |id: &str| {
                let Some(loader) = loader else { return };
                let looking = (loader.look)(id.to_owned(), dealt);
                leptos::task::spawn_local(async move {
                    // Where it does not come, or too late, one waits without it.
                    match looking.await {
                        Ok(Some(found)) if waits() => drop(look.try_set_value(Some(found))),
                        _ => dom::let_ahead(),
                    }
                });
            };
            let made = guest.open_table(&table, family, busy, meanwhile).await;
            let look = look.try_update_value(Option::take).flatten();
            dom::let_ahead();
            match made {
                Ok(Some(made)) => {
                    look.into_iter().for_each(Look::leave);
                    if let (How::Friends, Route::Table(id)) = (how, &made) {
                        dom::leave_in_tab(INVITES, id);
                    }
                    go(made);
                }
                Ok(None) => {}
                Err(why) => voice.fail(why),
            }
        });
    };
    let whole = (matches!(how, How::Tile(_))).then(|| t!("lobby.play", game = info.name));
    let (id, label) = match how {
        How::Learn => (format!("learn-{game}"), view! { {t!("lobby.learn", game = info.name)} }.into_any()),
        How::Friends => (format!("friends-{game}"), view! { {info.name} }.into_any()),
        How::Tile(_) => (format!("play-{game}"), view! { {t!("lobby.play_at_once")} }.into_any()),
        How::Door(n) => {
            let label = view! {
                <strong>{t!("lobby.play", game = info.name)}</strong>
                <span class="quiet">{t!("lobby.against", n = n)}</span>
            };
            (format!("quick-{game}"), label.into_any())
        }
    };
    view! {
        <button class=class data-testid=id aria-label=whole data-ahead=family.name() disabled=move || guest.is_opening() aria-busy=move || busy.get().then_some("true") on:click=start>
            {children.map(|children| children())}
            {label}
        </button>
    }
    .into_any()
}

/// The public tables.
#[component]
fn OpenTables(
    /// Whether the server is not reached.
    offline: RwSignal<bool>,
) -> impl IntoView {
    let tables = RwSignal::new(None::<Vec<TableSummary>>);
    let fault = RwSignal::new(String::new());
    // What the page was asked for with, and the next page is: the first has nothing.
    let (after, next) = (RwSignal::new(None::<String>), RwSignal::new(None::<String>));
    let load = move || {
        let asked = after.get_untracked();
        let path = match &asked {
            Some(place) => format!("/api/tables?after={place}"),
            None => "/api/tables".to_owned(),
        };
        leptos::task::spawn_local(async move {
            let answer = api::get::<wire::api::Lobby>(&path).await;
            let _ = offline.try_set(api::is_unreached());
            match answer {
                // Somebody may have turned the page meanwhile.
                Ok(lobby) if after.try_get_untracked() == Some(asked) => {
                    let _ = tables.try_set(Some(lobby.tables));
                    let _ = next.try_set(lobby.next);
                    let _ = fault.try_set(String::new());
                }
                Ok(_) => {}
                Err(why) => {
                    let _ = fault.try_set(if api::is_unreached() { String::new() } else { why });
                }
            }
        });
    };
    // After the last page comes the first.
    let turn = move |_| {
        after.set(next.get_untracked());
        load();
    };
    load();
    let again = set_interval_with_handle(
        move || {
            if dom::visible() {
                load();
            }
        },
        std::time::Duration::from_secs(5),
    );
    on_cleanup(move || {
        if let Ok(again) = again {
            again.clear();
        }
    });
    let row = |table: TableSummary| {
        let free = table.seats.iter().filter(|s| s.is_none()).count();
        let names: Vec<String> = table.seats.iter().flatten().map(|s| s.name.clone()).collect();
        let state = match table.stage {
            Stage::Lobby if free > 0 => t!("lobby.free", n = free),
            Stage::Lobby => t!("lobby.full"),
            Stage::Playing => t!("lobby.playing"),
            Stage::Over => t!("lobby.over"),
        };
        view! {
            <li data-testid="open-table">
                <a href=Route::Table(table.id.clone()).path()>
                    <strong>{lang::told(table.say.as_ref(), &table.title)}</strong>
                    <span class="quiet">{names.join(", ")}</span>
                    <span class="tag">{state}</span>
                </a>
            </li>
        }
    };
    let shows =
        move || after.with(Option::is_some) || tables.with(|t| t.as_ref().is_some_and(|t| !t.is_empty()));
    view! {
        <Show when=move || !offline.get() && (shows() || !fault.with(String::is_empty))>
        <section aria-labelledby="open-tables">
            <h2 id="open-tables">{t!("lobby.tables")}</h2>
            <ul class="tables" data-testid="open-tables">
                {move || tables.get().unwrap_or_default().into_iter().map(row).collect_view()}
            </ul>
            <Show when=move || next.with(Option::is_some) || after.with(Option::is_some)>
                <button class="small" data-testid="more-tables" on:click=turn>
                    {move || if next.with(Option::is_some) { t!("lobby.more") } else { t!("lobby.first") }}
                </button>
            </Show>
            <Show when=move || !fault.with(String::is_empty)><p class="refusal">{move || fault.get()}</p></Show>
        </section>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::SETS;

    #[test]
    fn what_is_on_the_doors_are_sets() {
        for cards in SETS {
            let [one, two, three] = cards.map(cards::Point);
            assert_eq!(pattern::finder::third(one, two), three, "{cards:?}");
        }
    }
}
