//! A finished match, entry by entry: the record is folded beside the page by the same engine that played it.

use crate::desk::{Clock, Desk, Person, Rests, Who};
use crate::latest::Latest;
use crate::live::occupant_name;
use crate::pages::summary;
use crate::scene::Scene;
use crate::screens::Family;
use crate::worker_client::WorkerClient;
use crate::{api, dom, lang, t, ui};
use game::{Outcome, Refusal, Seat, View as _, Viewer};
use leptos::{ev, prelude::*};
use rulebook::Only;
use screen::people::time_text;
use std::sync::Arc;
use wire::Occupant;
use worker::{Ask, MOST_OPEN, Moment, OpenClaims, Opened, Shown, Story, Verified};

/// A record that is open beside the page.
#[derive(Clone)]
struct Film {
    worker: WorkerClient,
    length: usize,
    people: Vec<Person>,
    moments: Vec<Moment>,
}

async fn open(path: String) -> Result<Film, String> {
    let worker = WorkerClient::start()?;
    let record = api::get_text(&path).await?;
    let Opened { entries, seats } = worker.ask(&Ask::<()>::Record(record)).await?;
    // A record knows a bot by its kind; it is called here as it was at the table.
    let person = |(n, (name, bot)): (usize, (String, bool))| {
        let name = if bot { occupant_name(&Occupant::Bot { kind: name }, Seat(n as u8)) } else { name };
        Person { name, bot, here: true, person: !bot, taken: true }
    };
    let Story { moments, .. } = worker.ask(&Ask::<()>::Story).await?;
    let people = seats.into_iter().enumerate().map(person).collect();
    Ok(Film { worker, length: entries, people, moments })
}

/// The match with this id.
pub fn replay<F: Family>(id: String) -> AnyView {
    let film = RwSignal::new_local(None::<Result<Film, String>>);
    leptos::task::spawn_local(async move {
        let opened = open(format!("/api/matches/{id}/record")).await;
        let _ = film.try_set(Some(opened));
    });
    view! {
        <div class="replay" data-testid="replay">
            {move || film.with(|film| match film {
                Some(Ok(film)) => player::<F>(film.clone()),
                waiting => view! {
                    <div class="page narrow">
                        <h1>{t!("replay.title")}</h1>
                        {match waiting {
                            Some(Err(why)) => view! { <p class="refusal">{why.clone()}</p> }.into_any(),
                            _ => ui::loading(),
                        }}
                    </div>
                }
                .into_any(),
            })}
        </div>
    }
    .into_any()
}

/// What came of judging the match again, once it is there.
type Judgement = RwSignal<Option<Result<Verified, String>>>;

/// Judges the match again beside the page, after the first position is shown. That a record is wrong is said at once.
fn verify<F: Family>(worker: WorkerClient, scene: Scene<F>) -> Judgement {
    let verified = RwSignal::new(None);
    let voice = ui::voice();
    Effect::new(move |asked: Option<bool>| {
        if asked == Some(true) || scene.with(|_| ()).is_none() {
            return asked.unwrap_or_default();
        }
        let worker = worker.clone();
        leptos::task::spawn_local(async move {
            let answer = worker.ask(&Ask::<()>::Verify).await;
            if let Ok(Verified { wrong: Some(text), .. }) = &answer {
                voice.fail(t!("replay.wrong", text = text));
            }
            let _ = verified.try_set(Some(answer));
        });
        true
    });
    verified
}

/// The same in a sign.
fn mark(verified: Judgement) -> &'static str {
    verified.with(|found| match found {
        None => "…",
        Some(Ok(Verified { wrong: None, .. })) => "✓",
        Some(_) => "!",
    })
}

/// What came of judging the match again, and whose seeds are in no card of a deal.
fn judged(found: Verified) -> AnyView {
    let Verified { wrong, judged, draws, missing, absent, open } = found;
    if let Some(text) = wrong {
        return view! { <p class="refusal">{t!("replay.wrong", text = text)}</p> }.into_any();
    }
    view! {
        <p>{t!("replay.verified", judged = judged)}</p>
        {(draws > 0).then(|| view! { <p>{t!("replay.drawn", draws = draws)}</p> })}
        {(missing > 0).then(|| view! { <p>{t!("replay.absent", n = missing)}</p> })}
        {absent.into_iter().map(|line| view! { <p data-testid="without-seed">{line}</p> }).collect_view()}
        {(!open.is_empty()).then(|| view! { <p>{t!("replay.open", text = lang::divided(&open))}</p> })}
    }
    .into_any()
}

/// Where somebody is in a record, and how it goes on.
#[derive(Clone, Copy)]
struct Place {
    at: RwSignal<usize>,
    length: usize,
    playing: RwSignal<bool>,
}

impl Place {
    fn new(length: usize) -> Place {
        Place { at: RwSignal::new(0), length, playing: RwSignal::new(false) }
    }

    fn go(self, to: i64) {
        let to = to.clamp(0, self.length as i64) as usize;
        if self.at.get_untracked() != to {
            self.at.set(to);
        }
    }

    fn step(self, by: i64) {
        self.go(self.at.get_untracked() as i64 + by);
    }

    /// Goes to a place, if there is one.
    fn go_where(self, to: Option<usize>) {
        if let Some(to) = to {
            self.playing.set(false);
            self.go(to as i64);
        }
    }

    fn end(self) {
        self.go(self.length as i64);
    }

    /// Plays on from here, or from the start if this is the end; or stops.
    fn play_or_stop(self) {
        if self.at.get_untracked() == self.length {
            self.go(0);
        }
        self.playing.update(|playing| *playing = !*playing);
    }

    /// Lets time and keys move it, as long as the page is there.
    fn moves(self) {
        let tick = move || {
            if self.playing.get_untracked() {
                self.step(1);
                if self.at.get_untracked() == self.length {
                    self.playing.set(false);
                }
            }
        };
        let timer = set_interval_with_handle(tick, std::time::Duration::from_millis(900));
        let keys = window_event_listener(ev::keydown, move |e| {
            if dom::typing() {
                return;
            }
            match e.key().as_str() {
                "ArrowLeft" => self.step(-1),
                "ArrowRight" => self.step(1),
                "Home" => self.go(0),
                "End" => self.end(),
                _ => return,
            }
            e.prevent_default();
        });
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
            keys.remove();
        });
    }

    /// The buttons that move it, by steps and from one of these moments to the next, and the slider.
    fn controls(self, moments: StoredValue<Vec<Moment>>, clock: Clock) -> impl IntoView {
        let Place { at, length, playing } = self;
        let go = move |find: fn(&[Moment], usize) -> Option<usize>| {
            self.go_where(moments.with_value(|all| find(all, at.get_untracked())));
        };
        let word = move || if playing.get() { t!("replay.stop") } else { t!("replay.play") };
        view! {
            <div class="replay-keys" role="group" aria-label=t!("replay.controls")>
                {key("replay-first", t!("replay.first"), "|◄", move || self.go(0))}
                {key("moment-before", t!("replay.moment_before"), "◄◄", move || go(moment_before))}
                {key("replay-previous", t!("replay.previous"), "‹", move || self.step(-1))}
                // Its words say what a press does: it is no switch that stays down.
                <button class="primary" data-testid="replay-play" aria-label=word title=word on:click=move |_| self.play_or_stop()>
                    {move || if playing.get() { "■" } else { "►" }}
                </button>
                {key("replay-next", t!("replay.next"), "›", move || self.step(1))}
                {key("moment-next", t!("replay.moment_next"), "►►", move || go(moment_after))}
                {key("replay-last", t!("replay.last"), "►|", move || self.end())}
            </div>
            <div class="replay-line">
                <input
                    type="range"
                    min="0"
                    max=length.to_string()
                    aria-label=t!("replay.place")
                    prop:value=move || at.get().to_string()
                    on:input=move |e| self.go(event_target_value(&e).parse().unwrap_or(0))
                />
                <span data-testid="replay-at">{move || format!("{} / {length} · {}", at.get(), time_text(clock.now().0))}</span>
            </div>
        }
    }
}

/// A button that moves the place.
fn key(id: &'static str, word: String, sign: &'static str, press: impl Fn() + 'static) -> AnyView {
    view! { <button aria-label=word.clone() title=word data-testid=id on:click=move |_| press()>{sign}</button> }
        .into_any()
}

/// The moment at this place, if it is one.
fn moment_at(moments: StoredValue<Vec<Moment>>, at: usize) -> Option<Moment> {
    moments.with_value(|all| all.iter().find(|moment| moment.after == at).copied())
}

/// Where the last moment before this place is.
fn moment_before(moments: &[Moment], at: usize) -> Option<usize> {
    moments.iter().rev().map(|moment| moment.after).find(|&after| after < at)
}

/// Where the first moment after this place is.
fn moment_after(moments: &[Moment], at: usize) -> Option<usize> {
    moments.iter().map(|moment| moment.after).find(|&after| after > at)
}

fn player<F: Family>(film: Film) -> AnyView {
    let Film { worker, length, people, moments } = film;
    let names: Vec<String> = people.iter().map(|p| p.name.clone()).collect();
    let who = RwSignal::new(Viewer::Table);
    let place = Place::new(length);
    let clock = Clock::new();
    let scene = Scene::<F>::new();
    let heard = RwSignal::new(Vec::new());
    let open = RwSignal::new(None::<OpenClaims>);
    let voice = ui::voice();
    let latest = Latest::new();
    let verified = verify(worker.clone(), scene);
    let solver = RwSignal::new(None::<String>);
    Effect::new(move || {
        let (after, who) = (place.at.get(), who.get());
        let ask = Ask::Frame { after, who };
        let turn = latest.ask();
        solver.set(None);
        let worker = worker.clone();
        leptos::task::spawn_local(async move {
            let answer = worker.ask::<Shown<Only<F::View>, Only<F::Notice>>, ()>(&ask).await;
            // Somebody who steps on quickly sees the last frame only.
            if !turn.holds() {
                return;
            }
            match answer {
                Ok(Shown { view: shown, at: time, heard: news, before, open: claims, .. }) => {
                    let places = dom::Places::now();
                    let news = news.into_iter().map(|notice| Arc::new(notice.0));
                    batch(|| {
                        clock.set(time, false);
                        open.set(claims);
                        scene.show(Arc::from(shown));
                        heard.set((before + 1..).zip(news).collect());
                    });
                    places.play();
                }
                Err(why) => return voice.fail(why),
            }
            if let Ok(path) = worker.ask(&Ask::<()>::Handover { after, who }).await
                && turn.holds()
            {
                solver.set(path);
            }
        });
    });
    place.moves();
    let desk = Desk {
        me: Signal::derive(move || match who.get() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Table => None,
        }),
        people: Signal::stored(people),
        clock,
        send: Callback::new(|_| {}),
        rests: Rests::never(),
        refused: Signal::stored((0, Refusal::default())),
        live: false,
        of_day: Signal::stored(false),
    };
    let outcome = Memo::new(move |_| scene.with(|view| view.outcome().cloned()).flatten());
    let moments = StoredValue::new(moments);
    let moment = move || {
        let moment = moment_at(moments, place.at.get())?;
        let name = moment.seat.map(|seat| desk.name(seat)).unwrap_or_default();
        Some(t!(&format!("replay.moment.{}", moment.what.id()), name = name))
    };
    let seats = names.len();
    view! {
        <h1 class="offscreen">{t!("replay.title")}</h1>
        {place.controls(moments, clock)}
        <div class="replay-bar">
            // Whatever is told here, its line has its height.
            <div class="told" class:over=move || outcome.with(Option::is_some) aria-live="polite">
                <span data-testid="moment">{moment}</span>
                {move || outcome.get().map(|outcome| ended(outcome, desk.who()))}
            </div>
            <label>
                <span class="quiet words">{t!("replay.eyes")}</span>
                <select data-testid="replay-eyes" on:change=move |e| who.set(event_target_value(&e).parse().map_or(Viewer::Table, |n| Viewer::Seat(Seat(n))))>
                    <option value="">{t!("replay.table")}</option>
                    {(0..seats).map(|n| view! { <option value=n.to_string()>{names[n].clone()}</option> }).collect_view()}
                </select>
            </label>
            <details name="replay">
                <summary title=t!("replay.more") data-testid="replay-more">
                    <span aria-hidden="true">{move || mark(verified)}</span>
                    <span class="words">{t!("replay.more")}</span>
                </summary>
                <div class="panel">
                    {move || open.with(|open| open.as_ref().map(|open| claimable(scene, open)))}
                    {move || solver.get().map(|path| view! { <p><a href=path target="_blank" data-testid="to-solver">{t!("replay.solver")}</a></p> })}
                    <section class="quiet" data-testid="verified">{move || match verified.get() {
                        None => t!("replay.verifying").into_any(),
                        Some(Ok(found)) => judged(found),
                        Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
                    }}</section>
                </div>
            </details>
        </div>
        {move || scene.screen(desk, heard.into())}
    }
    .into_any()
}

/// Who won, and at a press who came where: the cards stay in sight.
fn ended(outcome: Outcome, who: Who) -> AnyView {
    view! {
        <details name="replay">
            <summary data-testid="outcome">{summary::headline(&outcome, who, None)}</summary>
            <div class="panel">{summary::places(outcome, who, None)}</div>
        </details>
    }
    .into_any()
}

/// What could be claimed at the place that is shown.
fn claimable<F: Family>(scene: Scene<F>, open: &OpenClaims) -> AnyView {
    let count = if open.count < MOST_OPEN { open.count.to_string() } else { format!("{MOST_OPEN}+") };
    view! {
        <h2 data-testid="open-count">{t!("replay.claimable", n = count)}</h2>
        {untrack(|| scene.with(|view| F::claims(view, &open.cards)))}
        {(open.cards.len() < open.count).then_some("…")}
    }
    .into_any()
}
