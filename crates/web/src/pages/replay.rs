//! A finished match, entry by entry: the record is folded beside the page by the same engine that played it.

use crate::desk::{Clock, Desk, Person, Rests};
use crate::latest::Latest;
use crate::live::occupant_name;
use crate::scene::Scene;
use crate::screens::Family;
use crate::worker_client::WorkerClient;
use crate::{api, dom, lang, t, ui};
use game::{Refusal, Seat, View as _, Viewer};
use leptos::{ev, prelude::*};
use rulebook::Only;
use screen::people::time_text;
use std::sync::Arc;
use wire::Occupant;
use worker::{Ask, Moment, Opened, Shown, Story, Verified};

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

/// What came of judging the match again, and whose seeds are in no card of a deal.
fn judged(found: Verified) -> AnyView {
    let Verified { wrong, judged, draws, missing, absent, open } = found;
    if let Some(text) = wrong {
        return view! { <p class="refusal">{t!("replay.wrong", text = text)}</p> }.into_any();
    }
    view! {
        <p>{t!("replay.verified", judged = judged, draws = draws)}</p>
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

    /// The buttons that move it from one of these moments to the next, and what is shown, if it is one.
    fn moments(self, moments: Vec<Moment>, name: Callback<Seat, String>) -> impl IntoView {
        let moments = StoredValue::new(moments);
        let moment = Memo::new(move |_| {
            let at = self.at.get();
            moments.with_value(|all| all.iter().find(|moment| moment.after == at).copied())
        });
        let go = move |find: fn(&[Moment], usize) -> Option<usize>| {
            self.go_where(moments.with_value(|all| find(all, self.at.get_untracked())));
        };
        let text = move |moment: Moment| {
            let name = moment.seat.map(|seat| name.run(seat)).unwrap_or_default();
            t!(&format!("replay.moment.{}", moment.what.id()), name = name)
        };
        view! {
            <span class="row moments">
                <button class="small" aria-label=t!("replay.moment_before") title=t!("replay.moment_before") data-testid="moment-before" on:click=move |_| go(moment_before)>"◀◀"</button>
                <button class="small" aria-label=t!("replay.moment_next") title=t!("replay.moment_next") data-testid="moment-next" on:click=move |_| go(moment_after)>"▶▶"</button>
                <span aria-live="polite" data-testid="moment">{move || moment.get().map(text)}</span>
            </span>
        }
    }

    /// The buttons that move it.
    fn controls(self) -> impl IntoView {
        let Place { at, length, playing } = self;
        view! {
            <button class="small" aria-label=t!("replay.first") data-testid="replay-first" on:click=move |_| self.go(0)>"|◀"</button>
            <button class="small" aria-label=t!("replay.previous") data-testid="replay-previous" on:click=move |_| self.step(-1)>"◀"</button>
            <button class="small primary" data-testid="replay-play" aria-pressed=move || playing.get().to_string() on:click=move |_| self.play_or_stop()>
                {move || if playing.get() { t!("replay.stop") } else { t!("replay.play") }}
            </button>
            <button class="small" aria-label=t!("replay.next") data-testid="replay-next" on:click=move |_| self.step(1)>"▶"</button>
            <button class="small" aria-label=t!("replay.last") data-testid="replay-last" on:click=move |_| self.end()>"▶|"</button>
            <input
                type="range"
                min="0"
                max=length.to_string()
                aria-label=t!("replay.place")
                prop:value=move || at.get().to_string()
                on:input=move |e| self.go(event_target_value(&e).parse().unwrap_or(0))
            />
        }
    }
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
    let fault = RwSignal::new(String::new());
    let latest = Latest::new();
    let verified = RwSignal::new(None::<Result<Verified, String>>);
    let solver = RwSignal::new(None::<String>);
    let judge = worker.clone();
    Effect::new(move || {
        let (after, who) = (place.at.get(), who.get());
        let ask = Ask::Frame { after, who };
        let turn = latest.ask();
        solver.set(None);
        let worker = worker.clone();
        leptos::task::spawn_local(async move {
            let answer = worker.ask::<Shown<Only<F::View>, ()>, ()>(&ask).await;
            // Somebody who steps on quickly sees the last frame only.
            if !turn.holds() {
                return;
            }
            match answer {
                Ok(Shown { view: shown, at: time, .. }) => {
                    let places = dom::Places::now();
                    clock.set(time, false);
                    scene.show(Arc::from(shown));
                    places.play();
                }
                Err(why) => return fault.set(why),
            }
            if let Ok(path) = worker.ask(&Ask::<()>::Handover { after, who }).await
                && turn.holds()
            {
                solver.set(path);
            }
        });
    });
    // The first position is shown before the whole match is judged.
    Effect::new(move |asked: Option<bool>| {
        if asked == Some(true) || scene.with(|_| ()).is_none() {
            return asked.unwrap_or_default();
        }
        let judge = judge.clone();
        leptos::task::spawn_local(async move {
            let answer = judge.ask(&Ask::<()>::Verify).await;
            let _ = verified.try_set(Some(answer));
        });
        true
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
    };
    let outcome = Memo::new(move |_| scene.with(|view| view.outcome().cloned()).flatten());
    let seats = names.len();
    view! {
        <div class="replay-bar" role="group" aria-label=t!("replay.controls")>
            {place.controls()}
            <span class="quiet" data-testid="replay-at">{move || format!("{} / {length} · {}", place.at.get(), time_text(clock.now().0))}</span>
            <label class="row">
                <span class="quiet">{t!("replay.eyes")}</span>
                <select data-testid="replay-eyes" on:change=move |e| who.set(event_target_value(&e).parse().map_or(Viewer::Table, |n| Viewer::Seat(Seat(n))))>
                    <option value="">{t!("replay.table")}</option>
                    {(0..seats).map(|n| view! { <option value=n.to_string()>{names[n].clone()}</option> }).collect_view()}
                </select>
            </label>
            {place.moments(moments, Callback::new(move |seat| desk.name(seat)))}
            {move || solver.get().map(|path| view! { <a href=path target="_blank" data-testid="to-solver">{t!("replay.solver")}</a> })}
        </div>
        <p class="refusal" role="alert" class:hidden=move || fault.with(String::is_empty)>{move || fault.get()}</p>
        {move || outcome.get().map(|outcome| view! {
            <section class="panel ended"><crate::pages::summary::Outcome outcome=outcome name=Callback::new(move |seat| desk.name(seat)) me=None/></section>
        })}
        {move || scene.screen(desk, Signal::stored(Vec::new()))}
        <section class="panel quiet" data-testid="verified">{move || match verified.get() {
            None => t!("replay.verifying").into_any(),
            Some(Ok(found)) => judged(found),
            Some(Err(why)) => view! { <p class="refusal">{why}</p> }.into_any(),
        }}</section>
    }
    .into_any()
}
