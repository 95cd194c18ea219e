//! A match inside the browser, to look at a screen with: the engine deals, and the other seats do anything that is legal.
//! No server is asked and nothing is kept.

use crate::desk::{Clock, Desk, Person};
use crate::{dom, screens, t, ui};
use game::{Chance, Game, Input, Millis, Seat, Status, Timing, View as _, Viewer};
use leptos::prelude::*;
use std::sync::Arc;

type Match = rulebook::Match;

struct Dice;

impl Chance for Dice {
    fn below(&mut self, bound: u32) -> u32 {
        (js_sys::Math::random() * f64::from(bound)) as u32
    }
}

struct Host {
    game: Match,
    n: u32,
}

/// A match of this game against seats that play at random.
#[component]
pub fn Demo(game: String) -> impl IntoView {
    let fault =
        |why: String| view! { <div class="page narrow"><p class="refusal">{why}</p></div> }.into_any();
    let Some(loaded) = crate::games::load(&game) else { return fault(t!("new.unknown", game = game)) };
    let seats = 4.clamp(loaded.info.players_min, loaded.info.players_max);
    let opened = match loaded.rules(seats) {
        Ok(rules) => Match::open(rules, seats).map_err(|r| r.text),
        Err(faults) => Err(faults.to_string()),
    };
    let host = match opened {
        Ok(game) => StoredValue::new_local(Host { game, n: 0 }),
        Err(why) => return fault(why),
    };
    let me = Viewer::Seat(Seat(0));
    let started = dom::now();
    let clock = Clock::new();
    let view = RwSignal::new(None::<Arc<rulebook::View>>);
    let heard = RwSignal::new(Vec::<(u32, Arc<rulebook::Notice>)>::new());
    let refused = RwSignal::new((0u32, String::new()));
    let voice = ui::voice();
    let at = move || Millis((dom::now() - started) as u32);
    let apply = move |input: Input<rulebook::Command>| -> Result<(), String> {
        let mut lines = Vec::new();
        let done = host.try_update_value(|host| {
            let mut events = Vec::new();
            host.game.decide(at(), &input, &mut events).map_err(|r| r.text)?;
            for event in &events {
                if let Some(notice) = host.game.notice(event, me) {
                    host.n += 1;
                    lines.push((host.n, Arc::new(notice)));
                }
                host.game.evolve(event);
            }
            Ok::<_, String>(host.game.view(me))
        });
        let Some(done) = done else { return Ok(()) };
        let places = dom::Places::now();
        let _ = view.try_set(Some(Arc::new(done?)));
        heard.try_update(|h| h.extend(lines));
        clock.set(at(), true);
        places.play();
        Ok(())
    };
    // Whatever happens by itself: chance, alarms, and one act of another seat.
    let step = move || {
        for _ in 0..16 {
            let status = host.try_with_value(|h| h.game.status());
            let Some(Status::Chance(need)) = status else { break };
            let _ = apply(Input::Draw(Dice.answer(&need)));
        }
        let Some((alarm, status, views)) = host.try_with_value(|h| {
            let views: Vec<rulebook::View> = (1..seats).map(|n| h.game.view(Viewer::Seat(Seat(n)))).collect();
            (h.game.alarm(), h.game.status(), views)
        }) else {
            return;
        };
        if matches!(status, Status::Over(_)) {
            return;
        }
        if let Some(alarm) = alarm.filter(|a| a.due <= at()) {
            let _ = apply(Input::Ring(alarm.id));
            return;
        }
        let racing = views.iter().any(|v| matches!(v, rulebook::View::Pattern(pattern::View::Race(_))));
        if racing && Dice.below(8) > 0 {
            return;
        }
        for (n, seen) in views.iter().enumerate() {
            if !seen.awaited() {
                continue;
            }
            let commands = seen.commands(at()).commands;
            if commands.is_empty() {
                continue;
            }
            let pick = commands[Dice.below(commands.len() as u32) as usize].clone();
            let _ = apply(Input::Play(Seat(n as u8 + 1), pick, Timing::at(at())));
            return;
        }
    };
    step();
    step();
    let timer = set_interval_with_handle(step, std::time::Duration::from_millis(900));
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let send = Callback::new(move |command: rulebook::Command| {
        let done = apply(Input::Play(Seat(0), command, Timing::at(at())));
        let text = done.err().unwrap_or_default();
        if !text.is_empty() {
            voice.say(text.clone());
        }
        refused.update(|r| *r = (r.0 + 1, text));
    });
    let people =
        (0..seats).map(|n| Person { name: t!("table.seat", n = n + 1), bot: n > 0, here: true, taken: true });
    let desk = Desk {
        me: Signal::stored(Some(Seat(0))),
        people: Signal::stored(people.collect()),
        clock,
        send,
        refused: refused.into(),
        live: true,
    };
    let kind = Memo::new(move |_| view.with(|v| v.as_ref().map(|v| screens::kind(v))));
    view! {
        <div class="table-page" data-testid="demo">
            {move || kind.get().map(|_| screens::screen(desk, view, heard.into()))}
        </div>
    }
    .into_any()
}
