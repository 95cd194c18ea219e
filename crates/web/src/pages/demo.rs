//! A match inside the browser, to look at a screen with: beside the page the engine deals, and the other seats do anything
//! that is legal. No server is asked and nothing is kept.

use crate::desk::{Clock, Desk, Person, Rests};
use crate::scene::Scene;
use crate::screens::Family;
use crate::worker_client::WorkerClient;
use crate::{dom, t, ui};
use game::{Millis, Refusal, Seat};
use leptos::prelude::*;
use rulebook::Only;
use std::sync::Arc;
use worker::{Ask, Shown};

/// A match of this game against seats that play at random; four seats unless said otherwise.
pub fn demo<F: Family>(game: String, seats: Option<u8>) -> AnyView {
    let scene = Scene::<F>::new();
    let heard = RwSignal::new(Vec::<(u32, Arc<F::Notice>)>::new());
    let refused = RwSignal::new((0u32, Refusal::default()));
    let fault = RwSignal::new(String::new());
    let count = RwSignal::new(0u8);
    let clock = Clock::new();
    let voice = ui::voice();
    let started = dom::now();
    let at = move || Millis((dom::now() - started) as u32);
    let worker = match WorkerClient::start() {
        Ok(worker) => StoredValue::new_local(worker),
        Err(why) => return view! { <div class="page narrow"><p class="refusal">{why}</p></div> }.into_any(),
    };
    let ask = move |question: Ask<Only<F::Command>>, mine: bool| {
        let Some(worker) = worker.try_get_value() else { return };
        leptos::task::spawn_local(async move {
            match worker.ask::<Shown<Only<F::View>, Only<F::Notice>>, _>(&question).await {
                Ok(Shown { view: shown, at, heard: news, refused: why, seats: n, .. }) => {
                    let _ = count.try_set(n);
                    let places = dom::Places::now();
                    if !scene.show(Arc::from(shown)) {
                        return; // the page was left
                    }
                    heard.update(|heard| {
                        for notice in news {
                            heard.push((heard.len() as u32 + 1, Arc::new(notice.0)));
                        }
                    });
                    clock.set(at, true);
                    places.play();
                    if mine {
                        if !why.is_empty() {
                            voice.say(crate::lang::refusal(&why));
                        }
                        refused.update(|r| *r = (r.0 + 1, why));
                    }
                }
                Err(why) => {
                    let _ = fault.try_set(why);
                }
            }
        });
    };
    ask(Ask::Demo { game, seats, seed: (js_sys::Math::random() * 4e9) as u64 }, false);
    let timer = set_interval_with_handle(
        move || ask(Ask::Step { at: at() }, false),
        std::time::Duration::from_millis(900),
    );
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let send = Callback::new(move |command| ask(Ask::Play { command: Only(command), at: at() }, true));
    let people = Signal::derive(move || {
        (0..count.get())
            .map(|n| Person {
                name: t!("table.seat", n = n + 1),
                bot: n > 0,
                person: n == 0,
                here: true,
                taken: true,
            })
            .collect()
    });
    let desk = Desk {
        me: Signal::stored(Some(Seat(0))),
        people,
        clock,
        send,
        rests: Rests::never(),
        refused: refused.into(),
        live: true,
        of_day: Signal::stored(false),
    };
    view! {
        <div class="table-page" data-testid="demo">
            <div class="table-bar"><h1 class="table-title">{t!("table.title")}</h1></div>
            <p class="refusal" role="alert" class:hidden=move || fault.with(String::is_empty)>{move || fault.get()}</p>
            {move || scene.screen(desk, heard.into())}
        </div>
    }
    .into_any()
}
