//! Odds in play: deals of any race are played beside the page, and what comes of them is drawn while they are.

use super::chart;
use crate::latest::{Latest, Turn};
use crate::pages::figures::{against, percent, whole};
use crate::worker_client::WorkerClient;
use crate::{dom, games, t};
use leptos::prelude::*;
use worker::{Ask, Choose, Estimate, FreshRow, MetRow, PlayRow, RaceRow};

/// The game that is offered first.
const USUAL: &str = "set-classic";

/// How long the deals between two pictures take, in milliseconds.
const BETWEEN: f64 = 250.0;

/// Deals after which a simulation rests; it can be gone on with.
const ENOUGH: u64 = 500_000;

/// Layouts that a stage or a size must have been met in before it is told.
const FEW: u64 = 20;

/// What is to be simulated.
#[derive(Clone, PartialEq)]
struct Wanted {
    game: String,
    players: Option<u8>,
    choose: Choose,
}

#[derive(Clone, Copy)]
struct Page {
    wanted: RwSignal<Wanted>,
    row: RwSignal<Option<Result<PlayRow, String>>>,
    /// The estimate for the usual layout after so many deals.
    course: RwSignal<Vec<(u64, Estimate)>>,
    fresh: RwSignal<Vec<FreshRow>>,
    running: RwSignal<bool>,
    worker: StoredValue<Option<WorkerClient>, LocalStorage>,
    latest: Latest,
}

impl Page {
    fn new() -> Page {
        let wanted = Wanted { game: USUAL.to_owned(), players: None, choose: Choose::Random };
        Page {
            wanted: RwSignal::new(wanted),
            row: RwSignal::new(None),
            course: RwSignal::new(Vec::new()),
            fresh: RwSignal::new(Vec::new()),
            running: RwSignal::new(false),
            worker: StoredValue::new_local(None),
            latest: Latest::new(),
        }
    }

    /// Ends what is under way, in the middle of a deal if need be.
    fn end(self) {
        if let Some(old) = self.worker.try_update_value(Option::take).flatten() {
            old.end();
        }
    }

    /// Something else is wanted: all so far is forgotten.
    fn forget(self) {
        let _ = self.latest.ask();
        self.end();
        self.running.set(false);
        self.row.set(None);
        self.course.set(Vec::new());
    }

    /// Plays, from the beginning or where it rested, until it is told to rest or has played enough.
    fn play(self) {
        let turn = self.latest.ask();
        self.running.set(true);
        leptos::task::spawn_local(async move {
            if let Err(why) = self.play_on(turn).await
                && turn.holds()
            {
                self.row.set(Some(Err(why)));
            }
            if turn.holds() {
                self.running.set(false);
            }
        });
    }

    async fn play_on(self, turn: Turn) -> Result<(), String> {
        let worker = match self.worker.try_get_value().flatten() {
            Some(worker) => worker,
            None => {
                let worker = WorkerClient::start()?;
                self.worker.set_value(Some(worker.clone()));
                let Wanted { game, players, choose } = self.wanted.get_untracked();
                let seed = (js_sys::Math::random() * 1e9) as u64;
                worker.ask::<PlayRow, ()>(&Ask::Simulate { game, players, choose, seed }).await?;
                worker
            }
        };
        let start = self.row.with_untracked(|row| row.as_ref().map_or(0, deals));
        let mut at_once = 20;
        loop {
            let began = dom::now();
            let row = worker.ask::<PlayRow, ()>(&Ask::Deals(at_once)).await?;
            if !turn.holds() {
                return Ok(());
            }
            let took = (dom::now() - began).max(1.0);
            // As many as fill the time between two pictures; no more than twice as many as before.
            at_once = ((at_once as f64 * BETWEEN / took) as u64).clamp(1, (at_once * 2).min(10_000));
            let done = row.deals;
            self.note(&row);
            self.row.set(Some(Ok(row)));
            if done >= start + ENOUGH || !self.running.get_untracked() {
                return Ok(());
            }
            while !dom::visible() {
                dom::sleep(1000).await;
                if !turn.holds() {
                    return Ok(());
                }
            }
        }
    }

    /// What the button does next.
    fn label(self) -> String {
        let played = self.row.with(Option::is_some);
        match (self.running.get(), played) {
            (true, _) => t!("odds.rest"),
            (false, true) => t!("odds.go_on"),
            (false, false) => t!("odds.play"),
        }
    }

    /// Notes where the estimate is, at numbers of deals that grow by powers.
    fn note(self, row: &PlayRow) {
        let Some(met) = usual(row) else { return };
        let (deals, none) = (row.deals, met.none);
        self.course.update(|course| {
            let crowded = course.iter().rev().nth(1).is_some_and(|(n, _)| deals < n + n / 20);
            if crowded {
                course.pop();
            }
            course.push((deals, none));
        });
    }
}

fn deals(row: &Result<PlayRow, String>) -> u64 {
    row.as_ref().map_or(0, |row| row.deals)
}

/// What is known of layouts of the usual size.
fn usual(row: &PlayRow) -> Option<&MetRow> {
    row.by_layout.iter().find(|met| met.of == row.usual)
}

/// Odds in play.
#[component]
pub fn InPlay() -> impl IntoView {
    let page = Page::new();
    let races = RwSignal::new(Vec::<RaceRow>::new());
    on_cleanup(move || page.end());
    // What takes long to count keeps nobody waiting who plays: it has a worker of its own, for each game that is asked about.
    let asked = Memo::new(move |_| page.wanted.with(|wanted| wanted.game.clone()));
    let latest = Latest::new();
    let counting = StoredValue::new_local(None::<WorkerClient>);
    let stop_counting = move || {
        if let Some(old) = counting.try_update_value(Option::take).flatten() {
            old.end();
        }
    };
    on_cleanup(stop_counting);
    Effect::new(move || {
        let game = asked.get();
        let turn = latest.ask();
        page.fresh.set(Vec::new());
        stop_counting();
        leptos::task::spawn_local(async move {
            let Ok(worker) = WorkerClient::start() else { return };
            counting.set_value(Some(worker.clone()));
            if races.with_untracked(Vec::is_empty)
                && let Ok(rows) = worker.ask(&Ask::<()>::Races).await
            {
                let _ = races.try_set(rows);
            }
            if let Ok(rows) = worker.ask(&Ask::<()>::Fresh { game }).await
                && turn.holds()
            {
                page.fresh.set(rows);
            }
        });
    });
    let want = move |change: &dyn Fn(&mut Wanted)| {
        page.forget();
        page.wanted.update(|wanted| change(wanted));
    };
    let name = |id: &str| {
        games::all().into_iter().find(|game| game.id == id).map_or_else(|| id.to_owned(), |game| game.name)
    };
    let games = move || {
        let chosen = asked.get();
        let rows = races.get();
        let ids: Vec<String> = if rows.is_empty() {
            vec![chosen.clone()]
        } else {
            rows.into_iter().map(|row| row.game).collect()
        };
        ids.into_iter()
            .map(|id| view! { <option value=id.clone() selected=id == chosen>{name(&id)}</option> })
            .collect_view()
    };
    let players = move || {
        let row = races.with(|rows| rows.iter().find(|row| row.game == asked.get()).cloned());
        let (fewest, most) = row.map_or((1, 1), |row| (row.fewest, row.most));
        (fewest..=most).map(|n| view! { <option value=n.to_string()>{n}</option> }).collect_view()
    };
    let press = move |_| {
        if page.running.get_untracked() { page.running.set(false) } else { page.play() }
    };
    view! {
        <section class="panel" data-testid="in-play">
            <h2>{t!("odds.in_play")}</h2>
            <p>{t!("odds.in_play_lead")}</p>
            <div class="row">
                <label class="labelled">
                    <span>{t!("solve.game")}</span>
                    <select data-testid="play-game" on:change=move |e| want(&|wanted| {
                        wanted.game = event_target_value(&e);
                        wanted.players = None;
                    })>{games}</select>
                </label>
                <label class="labelled">
                    <span>{t!("odds.players")}</span>
                    <select data-testid="play-players" on:change=move |e| want(&|wanted| wanted.players = event_target_value(&e).parse().ok())>{players}</select>
                </label>
                <label class="labelled">
                    <span>{t!("odds.choose")}</span>
                    <select data-testid="play-choose" on:change=move |e| want(&|wanted| {
                        wanted.choose = if event_target_value(&e) == "first" { Choose::First } else { Choose::Random };
                    })>
                        <option value="random">{t!("odds.choose_random")}</option>
                        <option value="first">{t!("odds.choose_first")}</option>
                    </select>
                </label>
                <button class="primary" data-testid="play-deals" on:click=press>{move || page.label()}</button>
            </div>
            <div data-testid="play-answer">
                {move || page.row.get().map(|row| match row {
                    Err(why) => view! { <p class="refusal">{why}</p> }.into_any(),
                    Ok(row) => told(&row, &page.course.read(), &page.fresh.read()),
                })}
            </div>
        </section>
    }
}

/// An estimate with its interval, in per cent.
fn share(e: Estimate) -> String {
    t!("odds.interval", value = percent(e.value), low = percent(e.low), high = percent(e.high))
}

/// An estimated mean with its interval.
fn mean(e: Estimate) -> String {
    let figure = |value: f64| dom::number(value, 2);
    t!("odds.interval", value = figure(e.value), low = figure(e.low), high = figure(e.high))
}

fn met_against(met: &MetRow) -> String {
    if met.none.value == 0.0 { t!("odds.all_so_far") } else { against(met.none.value) }
}

fn fresh_against(fresh: &FreshRow) -> String {
    let odds = against(fresh.none);
    if fresh.exact || fresh.none == 0.0 { odds } else { t!("odds.about", odds = odds) }
}

fn told(row: &PlayRow, course: &[(u64, Estimate)], fresh: &[FreshRow]) -> AnyView {
    let fresh_of = |cards: u64| fresh.iter().find(|fresh| fresh.cards as u64 == cards);
    let known = fresh_of(row.usual);
    let headline = usual(row).map(|met| {
        view! {
            <p class="big-figure"><strong data-testid="play-none">{percent(met.none.value)}</strong> " " {t!("odds.play_none", n = row.usual)}</p>
            <p data-testid="play-against">
                {t!("odds.play_against", odds = met_against(met))} " "
                {known.map(|known| t!("odds.fresh_against", odds = fresh_against(known)))}
            </p>
            {chart::course(course, known.map(|known| known.none), t!("odds.course", n = row.usual), t!("odds.deals_axis"))}
            <p class="quiet">{t!("odds.course_note")}</p>
        }
    });
    let enough = |met: &&MetRow| met.layouts >= FEW;
    let layouts = row.by_layout.iter().filter(enough).map(|met| {
        let fresh = fresh_of(met.of).map(fresh_against).unwrap_or_default();
        view! { <tr><td class="number">{met.of}</td><td class="number">{whole(met.layouts)}</td><td class="number">{share(met.none)}</td><td class="number">{met_against(met)}</td><td class="number">{fresh}</td></tr> }
    });
    let stages: Vec<(u64, Estimate)> =
        row.by_stage.iter().filter(enough).map(|met| (met.of, met.none)).collect();
    let left: Vec<(u64, Estimate)> = row.left.iter().map(|(cards, share)| (*cards as u64, *share)).collect();
    let left_rows = left.iter().map(|(cards, part)| view! { <tr><td class="number">{*cards}</td><td class="number">{share(*part)}</td></tr> }).collect_view();
    view! {
        <p data-testid="play-count" data-deals=row.deals.to_string()>{t!("odds.played", n = whole(row.deals))}</p>
        {headline}
        <p>{t!("odds.extended", share = share(row.extended), mean = mean(row.extra_deals))} " " {t!("odds.claims_mean", mean = mean(row.claims))}</p>
        <h3>{t!("odds.by_layout")}</h3>
        <div class="scroll" tabindex="0" role="group" aria-label=t!("odds.by_layout")><table class="figures" data-testid="play-layouts">
            <thead><tr><th scope="col" class="number">{t!("odds.on_table")}</th><th scope="col" class="number">{t!("odds.layouts")}</th><th scope="col" class="number">{t!("odds.without")}</th><th scope="col" class="number">{t!("odds.odds")}</th><th scope="col" class="number">{t!("odds.if_fresh")}</th></tr></thead>
            <tbody>{layouts.collect_view()}</tbody>
        </table></div>
        {(stages.len() > 1).then(|| view! {
            <h3>{t!("odds.by_stage")}</h3>
            <p>{t!("odds.by_stage_lead", n = row.usual)}</p>
            {chart::bars(&stages, known.map(|known| known.none), t!("odds.by_stage"), t!("odds.stage_axis"))}
        })}
        <h3>{t!("odds.left")}</h3>
        {chart::bars(&left, None, t!("odds.left"), t!("odds.left_axis"))}
        <div class="scroll" tabindex="0" role="group" aria-label=t!("odds.left")><table class="figures" data-testid="play-left">
            <thead><tr><th scope="col" class="number">{t!("odds.left_axis")}</th><th scope="col" class="number">{t!("odds.of_deals")}</th></tr></thead>
            <tbody>{left_rows}</tbody>
        </table></div>
        <p class="quiet">{t!("odds.again")} " " <code>{row.command.clone()}</code></p>
    }
    .into_any()
}
