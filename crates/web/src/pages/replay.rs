//! A finished match, entry by entry: the record is folded by the same engine that played it.

use crate::desk::{Clock, Desk, Person, time_text};
use crate::{api, dom, screens, t};
use game::{Game, Millis, Seat, View as _, Viewer};
use leptos::{ev, prelude::*};
use record::{EntryOf, HeaderOf};
use std::sync::Arc;

type Match = rulebook::Match;

/// How many entries lie between two positions that are kept, so that going back is quick.
const STRIDE: usize = 32;

/// A record and positions of its match.
struct Film {
    header: HeaderOf<Match>,
    /// Entries that changed something.
    entries: Vec<EntryOf<Match>>,
    /// The position before entry 0, `STRIDE`, twice `STRIDE`, ...
    kept: Vec<Match>,
}

impl Film {
    /// Reads a record and folds it once.
    fn read(text: &str) -> Result<Film, String> {
        let broken = |line: usize| t!("replay.broken", n = line + 1);
        let mut lines = text.lines().filter(|l| !l.trim().is_empty()).enumerate();
        let (_, first) = lines.next().ok_or_else(|| broken(0))?;
        let header: HeaderOf<Match> = serde_json::from_str(first).map_err(|_| broken(0))?;
        let mut film = Film { header, entries: Vec::new(), kept: Vec::new() };
        let mut position = Match::open(Arc::new(film.header.rules.clone()), film.header.seats.len() as u8)
            .map_err(|refusal| refusal.text)?;
        for (n, line) in lines {
            let entry: EntryOf<Match> = serde_json::from_str(line).map_err(|_| broken(n))?;
            if entry.events.is_empty() {
                continue;
            }
            if film.entries.len().is_multiple_of(STRIDE) {
                film.kept.push(position.clone());
            }
            for event in &entry.events {
                position.evolve(event);
            }
            film.entries.push(entry);
        }
        if film.kept.is_empty() {
            film.kept.push(position);
        }
        Ok(film)
    }

    /// The position after so many entries, as `who` sees it.
    fn view(&self, after: usize, who: Viewer) -> rulebook::View {
        let from = (after / STRIDE).min(self.kept.len() - 1);
        let mut position = self.kept[from].clone();
        for entry in &self.entries[from * STRIDE..after.min(self.entries.len())] {
            for event in &entry.events {
                position.evolve(event);
            }
        }
        position.view(who)
    }

    fn at(&self, after: usize) -> Millis {
        after.checked_sub(1).and_then(|n| self.entries.get(n)).map_or(Millis(0), |e| e.at)
    }
}

#[component]
pub fn Replay(id: String) -> impl IntoView {
    let film = RwSignal::new_local(None::<Result<Film, String>>);
    let path = format!("/api/matches/{id}/record");
    leptos::task::spawn_local(async move {
        let read = api::get_text(&path).await.and_then(|text| Film::read(&text));
        let _ = film.try_set(Some(read));
    });
    let ready = Memo::new(move |_| film.with(|f| matches!(f, Some(Ok(_)))));
    view! {
        <div class="replay" data-testid="replay">
            <Show when=move || ready.get() fallback=move || view! {
                <div class="page narrow">
                    <h1>{t!("replay.title")}</h1>
                    {move || film.with(|f| match f {
                        Some(Err(why)) => view! { <p class="refusal">{why.clone()}</p> }.into_any(),
                        _ => view! { <p class="quiet">{t!("ui.loading")}</p> }.into_any(),
                    })}
                </div>
            }>
                <Player film=film/>
            </Show>
        </div>
    }
}

#[component]
fn Player(film: RwSignal<Option<Result<Film, String>>, LocalStorage>) -> impl IntoView {
    let with = move |f: &dyn Fn(&Film) -> usize| {
        film.with(|film| match film {
            Some(Ok(film)) => f(film),
            _ => 0,
        })
    };
    let length = with(&|f| f.entries.len());
    let people: Vec<Person> = film.with_untracked(|film| match film {
        Some(Ok(film)) => film
            .header
            .seats
            .iter()
            .map(|s| Person {
                name: s.name.clone(),
                bot: matches!(s.kind, record::SitterKind::Bot(_)),
                here: true,
                taken: true,
            })
            .collect(),
        _ => Vec::new(),
    });
    let names: Vec<String> = people.iter().map(|p| p.name.clone()).collect();
    let who = RwSignal::new(Viewer::Table);
    let at = RwSignal::new(0usize);
    let playing = RwSignal::new(false);
    let clock = Clock::new();
    let view = RwSignal::new(None::<Arc<rulebook::View>>);
    Effect::new(move || {
        let (n, who) = (at.get(), who.get());
        let shown = film.with(|film| match film {
            Some(Ok(film)) => Some((film.view(n, who), film.at(n))),
            _ => None,
        });
        if let Some((shown, time)) = shown {
            let places = dom::Places::now();
            clock.set(time, false);
            view.set(Some(Arc::new(shown)));
            places.play();
        }
    });
    let go = move |to: i64| {
        let to = to.clamp(0, length as i64) as usize;
        if at.get_untracked() != to {
            at.set(to);
        }
    };
    let step = move |by: i64| go(at.get_untracked() as i64 + by);
    let timer = set_interval_with_handle(
        move || {
            if playing.get_untracked() {
                step(1);
                if at.get_untracked() == length {
                    playing.set(false);
                }
            }
        },
        std::time::Duration::from_millis(900),
    );
    let keys = window_event_listener(ev::keydown, move |e| {
        if dom::typing() {
            return;
        }
        match e.key().as_str() {
            "ArrowLeft" => step(-1),
            "ArrowRight" => step(1),
            "Home" => go(0),
            "End" => go(length as i64),
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
    let desk = Desk {
        me: Signal::derive(move || match who.get() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Table => None,
        }),
        people: Signal::stored(people),
        clock,
        send: Callback::new(|_| {}),
        refused: Signal::stored((0, String::new())),
        live: false,
    };
    let outcome = Memo::new(move |_| view.with(|v| v.as_ref().and_then(|v| v.outcome().cloned())));
    let kind = Memo::new(move |_| view.with(|v| v.as_ref().map(|v| screens::kind(v))));
    let seats = names.len();
    view! {
        <div class="replay-bar" role="group" aria-label=t!("replay.controls")>
            <button class="small" aria-label=t!("replay.first") data-testid="replay-first" on:click=move |_| go(0)>"⏮"</button>
            <button class="small" aria-label=t!("replay.previous") data-testid="replay-previous" on:click=move |_| step(-1)>"◀"</button>
            <button class="small primary" data-testid="replay-play" aria-pressed=move || playing.get().to_string() on:click=move |_| {
                if at.get_untracked() == length {
                    go(0);
                }
                playing.update(|p| *p = !*p);
            }>{move || if playing.get() { t!("replay.stop") } else { t!("replay.play") }}</button>
            <button class="small" aria-label=t!("replay.next") data-testid="replay-next" on:click=move |_| step(1)>"▶"</button>
            <button class="small" aria-label=t!("replay.last") data-testid="replay-last" on:click=move |_| go(length as i64)>"⏭"</button>
            <input
                type="range"
                min="0"
                max=length.to_string()
                aria-label=t!("replay.place")
                prop:value=move || at.get().to_string()
                on:input=move |e| go(event_target_value(&e).parse().unwrap_or(0))
            />
            <span class="quiet" data-testid="replay-at">{move || format!("{} / {length} · {}", at.get(), time_text(clock.now().0))}</span>
            <label class="row">
                <span class="quiet">{t!("replay.eyes")}</span>
                <select on:change=move |e| who.set(event_target_value(&e).parse().map_or(Viewer::Table, |n| Viewer::Seat(Seat(n))))>
                    <option value="">{t!("replay.table")}</option>
                    {(0..seats).map(|n| view! { <option value=n.to_string()>{names[n].clone()}</option> }).collect_view()}
                </select>
            </label>
        </div>
        {move || outcome.get().map(|outcome| view! {
            <section class="panel ended"><crate::pages::summary::Outcome outcome=outcome name=Callback::new(move |seat| desk.name(seat))/></section>
        })}
        {move || kind.get().map(|_| screens::screen(desk, view, Signal::stored(Vec::new())))}
    }
}
