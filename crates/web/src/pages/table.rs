//! A table: people gather, play, and look at the end; with the host's controls, spectators and quick phrases.

use crate::api::{self, guest};
use crate::desk::{Desk, Rests};
use crate::feel::{Moment, feel};
use crate::later::{self, Later, later};
use crate::live::{self, Link, Live, Room};
use crate::pages::name::NameForm;
use crate::prefs::prefs;
use crate::route::Route;
use crate::screens::Family;
use crate::ui::Show;
use crate::{dom, games, t, ui};
use game::{Seat, View as _, Viewer};
use leptos::{ev, html, prelude::*};
use wire::api::TableSummary;
use wire::{Act, Occupant, Phrase, SeatState, Stage, TableState};

/// The table with this id.
pub fn table<F: Family>(id: String) -> AnyView {
    let live = Live::<F>::open(&id);
    let room = live.room;
    provide_context(room);
    let summary = RwSignal::new(None::<Result<TableSummary, String>>);
    let home = id == live::HOME;
    let path = format!("/api/tables/{id}");
    leptos::task::spawn_local(async move {
        let answer = if home {
            // If there is none, the table says why.
            api::json::<Option<TableSummary>>(&dom::home_summary().await).transpose()
        } else {
            Some(api::get::<TableSummary>(&path).await)
        };
        let _ = summary.try_set(answer);
    });
    let day = Signal::derive(move || summary.with(|s| s.as_ref().and_then(|s| s.as_ref().ok()?.day.clone())));
    let id = StoredValue::new(id);
    let me = Signal::derive(move || room.seat());
    let desk = Desk {
        me,
        people: Signal::derive(move || room.people()),
        clock: room.clock,
        send: Callback::new(move |command| live.command(command)),
        rests: Rests { now: room.rest(), go_on: Callback::new(move |()| room.act(Act::GoOn)) },
        refused: room.refused.into(),
        live: true,
        of_day: Signal::derive(move || day.with(Option::is_some)),
    };
    let stage = Memo::new(move |_| room.table.with(|t| t.as_ref().map(|t| t.stage)));
    let title = Memo::new(move |_| summary.with(|s| s.as_ref().and_then(|s| s.as_ref().ok()).map(title_of)));
    let awaited = Memo::new(move |_| {
        stage.get() == Some(Stage::Playing)
            && me.get().is_some()
            && desk.rests.now.get().is_none()
            && live.scene.with(|view| view.awaited() && F::has_turns(view)).unwrap_or(false)
    });
    // "Your turn" stands in the title and may sound.
    Effect::new(move |before: Option<bool>| {
        let mine = awaited.get();
        let name = title.get().unwrap_or_else(|| t!("table.title"));
        dom::set_title(&if mine {
            format!("● {} · {name}", t!("table.your_turn"))
        } else {
            format!("{name} · Parlour")
        });
        if mine && before == Some(false) {
            ui::voice().say(t!("table.your_turn"));
            feel(Moment::Turn);
        }
        mine
    });
    if home {
        Effect::new(move || {
            let (title, over) = (title.get(), stage.get() == Some(Stage::Over));
            if over || title.is_some() {
                dom::goes_on_at_home(room.family.name(), title.filter(|_| !over).as_deref());
            }
        });
    }
    let paused = Memo::new(move |_| {
        let stands = |t: &TableState| t.stage == Stage::Playing && live::paused_words(t).is_some();
        room.table.with(|t| t.as_ref().is_some_and(stands))
    });
    let begins = begin_with_bots(room);
    later::fetch_soon::<F>();
    view! {
        <div class="table-page" data-testid="table" data-rest="" data-stage=move || match stage.get() {
            Some(Stage::Lobby) => "lobby",
            Some(Stage::Playing) => "playing",
            Some(Stage::Over) => "over",
            None => "none",
        } data-paused=move || paused.get().then_some("")>
            {table_bar::<F>(id, title, day)}
            <Connection/>
            {move || {
                let fault = summary.with(|s| match s {
                    Some(Err(why)) if stage.get().is_none() => Some(why.clone()),
                    _ => None,
                });
                fault.map(|why| view! {
                    <div class="page narrow"><h1>{t!("table.gone")}</h1><p class="refusal" role="alert" data-testid="table-fault">{why}</p><p><a class="button" href="/">{t!("nowhere.back")}</a></p></div>
                })
            }}
            <Show when=move || stage.get() == Some(Stage::Lobby) && !begins.get()>
                <Gathering id=id summary=summary/>
            </Show>
            <Show when=move || stage.get() == Some(Stage::Over)>
                {later::<F>(move || Later::Ended { id, scene: live.scene, day, home })}
            </Show>
            // Without a connection nothing can be done, nor in a race that is paused. It groups nothing for who listens.
            <fieldset class="wired" role="none" disabled=move || !room.link.get().carries() || paused.get() && room.family == rulebook::Family::Pattern>
                <legend hidden="">{t!("table.title")}</legend>
                <Show when=move || stage.get() != Some(Stage::Lobby)>
                    {move || live.scene.screen(desk, live.heard.into())}
                </Show>
            </fieldset>
            <Bubbles/>
        </div>
    }
    .into_any()
}

/// Begins a match at once where its host comes to a table with nobody but bots: there is nobody to wait for. Gives whether
/// it is about to.
fn begin_with_bots(room: Room) -> Memo<bool> {
    // The match that was last looked at, and whether it was begun: how many refusals there had been then.
    let looked = RwSignal::new(None::<(u32, Option<u32>)>);
    let gathers = Memo::new(move |_| {
        let game = |table: &TableState| (table.stage == Stage::Lobby).then_some(table.game);
        room.table.with(|table| table.as_ref().and_then(game))
    });
    Effect::new(move || {
        let Some(game) = gathers.get().filter(|_| room.link.get() == Link::Up) else { return };
        if looked.get_untracked().is_some_and(|(last, _)| last == game) {
            return;
        }
        let is_bot = |seat: &SeatState| matches!(seat.who, Some(Occupant::Bot { .. }));
        let people = |table: &TableState| table.seats.iter().filter(|seat| !is_bot(seat)).count();
        let alone = room.table.with_untracked(|table| table.as_ref().map(people)) == Some(1);
        let begins = alone && untrack(|| room.host.get() && room.seat().is_some());
        looked.set(Some((game, begins.then(|| room.refused.with_untracked(|refused| refused.0)))));
        if begins {
            room.act(Act::Start);
        }
    });
    Memo::new(move |_| match looked.get() {
        Some((last, begun)) if Some(last) == gathers.get() => {
            begun.is_some_and(|before| room.refused.with(|refused| refused.0 == before))
        }
        _ => true,
    })
}

/// The strip above a table: what is played, how the connection is, the menu.
fn table_bar<F: Family>(
    id: StoredValue<String>,
    title: Memo<Option<String>>,
    day: Signal<Option<String>>,
) -> AnyView {
    let room: Room = expect_context();
    let menu = NodeRef::<html::Dialog>::new();
    let opened = RwSignal::new(false);
    let open = move |_| {
        opened.set(true);
        if let Some(menu) = menu.get() {
            let _ = menu.show_modal();
        }
    };
    let close = move || {
        if let Some(menu) = menu.get() {
            menu.close();
        }
    };
    let name = move || title.get().unwrap_or_else(|| t!("table.title"));
    let comes = id.with_value(|id| id != live::HOME);
    let gathers =
        Memo::new(move |_| room.table.with(|t| t.as_ref().map_or(comes, |t| t.stage == Stage::Lobby)));
    let watching = move || room.table.with(|t| t.as_ref().map_or(0, |t| t.watching));
    let playing = move || room.table.with(|t| t.as_ref().is_some_and(|t| t.stage == Stage::Playing));
    let paused = move || room.table.with(|t| t.as_ref().and_then(live::paused_words));
    view! {
        <div class="table-bar">
            // Where people gather the page below has the title.
            {move || if gathers.get() {
                view! { <strong class="table-title">{name}</strong> }.into_any()
            } else {
                view! { <h1 class="table-title">{name}</h1> }.into_any()
            }}
            <Show when=move || room.viewer.get() == Viewer::Table && room.table.with(Option::is_some)>
                <span class="tag" data-testid="spectating">{t!("table.spectating")}</span>
            </Show>
            <Show when=move || { watching() > 0 }>
                <span class="quiet" data-testid="watching">{move || t!("table.watching", n = watching())}</span>
            </Show>
            <span class="gap"></span>
            <Mute/>
            <Phrases/>
            <button class="small" data-testid="menu" aria-haspopup="dialog" on:click=open>{t!("table.menu")}</button>
        </div>
        {move || paused().filter(|_| playing()).map(|why| view! {
            <div class="paused" role="status" data-testid="paused">
                <span>{why}</span>
                <Show when=move || room.host.get()>
                    <button class="small primary" data-testid="resume" on:click=move |_| room.act(Act::Resume)>{t!("table.resume")}</button>
                </Show>
            </div>
        })}
        <dialog node_ref=menu class="menu" aria-label=t!("table.menu") data-testid="menu-dialog">
            <div class="row spread">
                <h2>{t!("table.menu")}</h2>
                <button class="plain" aria-label=t!("ui.close") data-testid="menu-close" on:click=move |_| close()>"×"</button>
            </div>
            <Show when=move || opened.get()>
                {later::<F>(move || Later::Menu { id, day, close: Callback::new(move |()| close()) })}
            </Show>
        </dialog>
    }
    .into_any()
}

/// Switches the sounds off and on, where they are heard.
#[component]
fn Mute() -> impl IntoView {
    let prefs = prefs();
    let on = move || prefs.with(|prefs| prefs.sound);
    view! {
        <button
            class="plain"
            data-testid="mute"
            aria-pressed=move || (!on()).to_string()
            aria-label=t!("table.mute")
            title=t!("table.mute")
            on:click=move |_| prefs.update(|prefs| prefs.sound = !prefs.sound)
        >
            <svg class="speaker" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path class="horn" d="M3 9H7L12 4V20L7 15H3Z"/>
                {move || if on() {
                    view! { <path d="M15 9Q17.500 12 15 15M17.500 6Q22.500 12 17.500 18"/> }
                } else {
                    view! { <path d="M16 9L22 15M22 9L16 15"/> }
                }}
            </svg>
        </button>
    }
}

/// A line while the connection is not there.
#[component]
fn Connection() -> impl IntoView {
    let room: Room = expect_context();
    view! {
        {move || match room.link.get() {
            Link::Up | Link::Moving => ().into_any(),
            // The table of a page that was left for this one stands already.
            Link::Opening if room.table.with(Option::is_some) => ().into_any(),
            Link::Opening => view! { <p class="connection quiet" role="status">{t!("net.opening")}</p> }.into_any(),
            Link::Lost => view! { <p class="connection" role="status" data-testid="reconnecting">{t!("net.lost")}</p> }.into_any(),
            Link::Closed(why) => view! {
                <p class="connection" role="alert" data-testid="closed">{why} " " <a href="/">{t!("nowhere.back")}</a></p>
            }
            .into_any(),
        }}
    }
}

/// Selects what stands in a field, so that it can be copied by hand.
fn select_all(event: ev::FocusEvent) {
    event_target::<web_sys::HtmlInputElement>(&event).select();
}

/// The invite link, with a button that copies it and its QR code.
#[component]
pub fn Invite(
    id: StoredValue<String>,
    #[prop(optional)] in_menu: bool,
    /// Whether the QR code is open from the beginning.
    #[prop(optional)]
    whole: bool,
) -> impl IntoView {
    let url = move || format!("{}{}", dom::origin(), Route::Table(id.get_value()).path());
    let field = match (in_menu, whole) {
        (true, _) => "invite-menu",
        (_, true) => "invite-whole",
        _ => "invite",
    };
    let voice = ui::voice();
    let qr = RwSignal::new(String::new());
    // Fetched by who wants to see it, and once.
    let load_qr = move |_| {
        if !qr.with_untracked(String::is_empty) {
            return;
        }
        leptos::task::spawn_local(async move {
            let path = format!("/api/tables/{}/qr.svg", id.get_value());
            match api::get_text(&path).await {
                Ok(svg) => {
                    let _ = qr.try_set(svg);
                }
                Err(why) => voice.fail(why),
            }
        });
    };
    view! {
        <section class="invite">
            <label for=field>{t!("table.invite")}</label>
            <div class="row">
                <input id=field type="text" readonly data-testid=field value=url on:focus=select_all/>
                <button data-testid="copy-invite" on:click=move |_| voice.copy(url())>{t!("ui.copy")}</button>
            </div>
            <details open=whole on:toggle=load_qr>
                <summary data-testid=if whole { "qr-whole" } else { "qr" }>{t!("table.qr")}</summary>
                <div class="qr" role="img" aria-label=t!("table.qr_label") inner_html=move || qr.get()></div>
            </details>
        </section>
    }
}

/// What a tab keeps while a page is opened anew: the seat that is wanted, and the table that friends are invited to.
const WANTED: &str = "parlour.wanted-seat";
pub const INVITES: &str = "parlour.invites";

/// Takes a seat, with a name that is made up where there is none. The socket knows its guest from when it was opened: so the page is opened
/// anew then.
fn sit(room: Room, seat: Seat) {
    let guest = guest();
    if untrack(|| guest.name()).is_some() {
        return room.act(Act::Sit { seat });
    }
    let voice = ui::voice();
    leptos::task::spawn_local(async move {
        match guest.have_a_name().await {
            Ok(()) => {
                dom::leave_in_tab(WANTED, &seat.0);
                dom::reload();
            }
            Err(why) => voice.fail(why),
        }
    });
}

/// Sits down where that was wanted before the page was opened anew.
fn sit_as_wanted(room: Room) {
    let Some(seat) = dom::take_from_tab::<u8>(WANTED).map(Seat) else { return };
    let wanted = RwSignal::new(true);
    Effect::new(move || {
        let free =
            room.table.with(|t| t.as_ref().and_then(|t| Some(t.seats.get(seat.index())?.who.is_none())));
        if let (true, Some(free), Link::Up) = (wanted.get_untracked(), free, room.link.get()) {
            wanted.set(false);
            if free && room.seat().is_none() {
                room.act(Act::Sit { seat });
            }
        }
    });
}

/// Whether a match could begin for who sits there: the host is ready by starting. Names tell people at a table apart.
fn is_ready(table: &TableState, seat: &SeatState) -> bool {
    seat.ready || matches!(&seat.who, Some(Occupant::Person { name, .. }) if *name == table.host)
}

/// Every seat: who has it, and what this person may do about it.
#[component]
pub fn Seats() -> impl IntoView {
    let room: Room = expect_context();
    let count = Memo::new(move |_| room.table.with(|t| t.as_ref().map_or(0, |t| t.seats.len())));
    let bots = RwSignal::new(Vec::<String>::new());
    // Only the host is offered bots.
    let hosts = Memo::new(move |_| room.host.get());
    Effect::new(move || {
        if hosts.get() {
            leptos::task::spawn_local(async move {
                // Without an answer people can still sit down; who comes back to the page asks again.
                if games::fetch_bots().await.is_ok() {
                    let _ = bots.try_set(games::bots(room.family));
                }
            });
        }
    });
    let row = move |n: usize| {
        let seat = Seat(n as u8);
        let state = Memo::new(move |_| {
            room.table.with(|t| t.as_ref().and_then(|t| t.seats.get(n).cloned()).unwrap_or_default())
        });
        let mine = move || room.seat() == Some(seat);
        let ready =
            move || room.table.with(|t| t.as_ref().is_some_and(|t| state.with(|seat| is_ready(t, seat))));
        let gathering = move || room.table.with(|t| t.as_ref().is_some_and(|t| t.stage == Stage::Lobby));
        let who = move || state.with(|s| s.who.clone());
        let seated = move || room.seat().is_some();
        let free = move || who().is_none();
        let bot =
            move || matches!(who(), Some(Occupant::Bot { .. } | Occupant::Person { bot_plays: true, .. }));
        let chosen = RwSignal::new(None::<String>);
        let add = move |_| {
            let kind = chosen.get_untracked().or_else(|| bots.with_untracked(|b| b.first().cloned()));
            if let Some(kind) = kind {
                room.act(Act::Bot { seat, kind });
            }
        };
        view! {
            <li class="seat" class:me=mine data-testid=format!("seat-{n}")>
                <span class="who">
                    <span class="name" dir="auto">{move || matches!(who(), Some(Occupant::Bot { .. })).then(|| ui::bot_face(seat))}{move || who().map_or_else(|| t!("table.free"), |w| live::occupant_name(&w, seat))}</span>
                    <Show when=mine><span class="tag">{t!("table.you")}</span></Show>
                    <Show when=move || matches!(who(), Some(Occupant::Person { bot_plays: true, .. }))><span class="tag warn">{t!("table.bot_plays")}</span></Show>
                    <Show when=move || !free() && !state.with(|s| s.connected)><span class="tag warn">{t!("table.away")}</span></Show>
                    <Show when=move || gathering() && !free() && !bot()>
                        <span class="tag" class:ready=ready>{move || if ready() { t!("table.is_ready") } else { t!("table.not_ready") }}</span>
                    </Show>
                </span>
                <Show when=move || gathering() && matches!(who(), Some(Occupant::Bot { .. }))>
                    <small class="quiet plays">{move || match who() {
                        Some(Occupant::Bot { kind }) => games::bot_plays(room.family, &kind),
                        _ => String::new(),
                    }}</small>
                </Show>
                <span class="row">
                    <Show when=move || free() && !seated() && !room.kept_out.get()>
                        <button class="small primary" data-testid=format!("sit-{n}") on:click=move |_| sit(room, seat)>{t!("table.sit")}</button>
                    </Show>
                    <Show when=move || hosts.get() && bots.with(|b| !b.is_empty()) && (free() || (!gathering() && !mine() && !bot()))>
                        <select class="small" aria-label=t!("table.bot_level") on:change=move |e| chosen.set(Some(event_target_value(&e)))>
                            {move || bots.get()
                                .into_iter()
                                .map(|kind| view! { <option value=kind.clone()>{games::bot_label(&kind)}</option> })
                                .collect_view()}
                        </select>
                        <button class="small" data-testid=format!("add-bot-{n}") on:click=add>{t!("table.add_bot")}</button>
                    </Show>
                    <Show when=move || room.host.get() && bot()>
                        <button class="small" data-testid=format!("person-{n}") on:click=move |_| room.act(Act::Person { seat })>{t!("table.to_person")}</button>
                    </Show>
                    <Show when=move || room.host.get() && !mine() && !free() && !bot()>
                        <button class="small danger" data-testid=format!("remove-{n}") on:click=move |_| room.act(Act::Remove { seat })>{t!("table.remove")}</button>
                    </Show>
                </span>
            </li>
        }
    };
    view! { <ul class="seats" data-testid="seats-list">{move || (0..count.get()).map(row).collect_view()}</ul> }
}

/// Quick phrases.
#[component]
fn Phrases() -> impl IntoView {
    let room: Room = expect_context();
    let open = RwSignal::new(false);
    let handle = window_event_listener(ev::keydown, move |e| {
        if e.key() == "Escape" {
            open.set(false);
        }
    });
    let beside = window_event_listener(ev::pointerdown, move |e| {
        if open.get_untracked() && !dom::is_inside(&e, ".phrases") {
            open.set(false);
        }
    });
    on_cleanup(move || {
        handle.remove();
        beside.remove();
    });
    view! {
        <Show when=move || room.seat().is_some()>
            <div class="phrases">
                <button class="small" data-testid="phrases" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|o| *o = !*o)>{t!("table.say")}</button>
                <Show when=move || open.get()>
                    <div class="phrase-list" role="group" aria-label=t!("table.say")>
                        {Phrase::ALL.into_iter().map(|phrase| view! {
                            <button class="small" on:click=move |_| { room.act(Act::Say(phrase)); open.set(false) }>{live::phrase_words(phrase)}</button>
                        }).collect_view()}
                    </div>
                </Show>
            </div>
        </Show>
    }
}

/// What was said lately.
#[component]
fn Bubbles() -> impl IntoView {
    let room: Room = expect_context();
    view! {
        <div class="bubbles" aria-hidden="true" data-testid="bubbles">
            <For each=move || room.said.get() key=|b| b.n let:bubble>
                <p class="bubble"><strong>{room.name(bubble.seat)}</strong> " " {live::phrase_words(bubble.phrase)}</p>
            </For>
        </div>
    }
}

/// What is played at a table, in the language of the page unless people named it.
fn title_of(table: &TableSummary) -> String {
    crate::lang::told(table.say.as_ref(), &table.title)
}

/// The link and its QR code over the whole screen, for who has opened a table for friends.
#[component]
fn InviteFriends(id: StoredValue<String>) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        if let Some(dialog) = dialog.get() {
            let _ = dialog.show_modal();
        }
    });
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    view! {
        <dialog node_ref=dialog class="invite-friends" aria-label=t!("table.invite") data-testid="invite-friends">
            <h2>{t!("table.invite_friends")}</h2>
            <Invite id=id whole=true/>
            <button class="primary big" data-testid="invite-close" autofocus on:click=close>{t!("table.to_seats")}</button>
        </dialog>
    }
}

/// Before the match: seats, invitation, ready, start.
#[component]
fn Gathering(
    id: StoredValue<String>,
    summary: RwSignal<Option<Result<TableSummary, String>>>,
) -> impl IntoView {
    let room: Room = expect_context();
    let guest = guest();
    let preset = move || {
        summary.with(|s| {
            s.as_ref().and_then(|s| s.as_ref().ok()).map(|s| s.preset.clone()).filter(|p| !p.is_empty())
        })
    };
    let nameless = move || guest.0.with(|me| me.as_ref().is_some_and(|me| me.name.is_none()));
    let ready = move || {
        room.seat().is_some_and(|me| {
            room.table
                .with(|t| t.as_ref().and_then(|t| t.seats.get(me.index()).map(|s| s.ready)).unwrap_or(false))
        })
    };
    let missing = move || {
        room.table.with(|t| t.as_ref().map_or(0, |t| t.seats.iter().filter(|s| s.who.is_none()).count()))
    };
    let sits = move || room.table.with(|t| t.as_ref().map_or(0, |t| t.seats.len())) - missing();
    let title = move || summary.with(|s| s.as_ref().and_then(|s| s.as_ref().ok()).map(title_of));
    // Fewest and most who can play, where fewer sit there.
    let too_few = move || {
        let players = summary.with(|s| s.as_ref().and_then(|s| s.as_ref().ok()?.players));
        players.filter(|(least, _)| sits() < usize::from(*least))
    };
    let unready = move || {
        room.table.with(|t| {
            t.as_ref().map_or(0, |t| t.seats.iter().filter(|s| s.who.is_some() && !is_ready(t, s)).count())
        })
    };
    sit_as_wanted(room);
    view! {
        {(dom::take_from_tab::<String>(INVITES) == Some(id.get_value())).then(|| view! { <InviteFriends id=id/> })}
        <div class="page narrow gathering" data-testid="gathering">
            <h1>{move || title().unwrap_or_default()}</h1>
            <p>{move || preset().map(|id| view! { <a href=Route::RuleSheet(id).path()>{t!("game.rules")}</a> })}</p>
            <Show when=nameless>
                // The socket knows its guest from when it was opened: after naming, the page is opened anew.
                <section class="panel"><NameForm then=Callback::new(|()| dom::reload())/></section>
            </Show>
            <section class="panel">
                <h2>{t!("table.who_plays")}</h2>
                <Seats/>
                <p class="quiet" aria-live="polite" data-testid="waiting">
                    {move || match (missing(), unready()) {
                        _ if too_few().is_some() => too_few().map(|(least, most)| {
                            let game = title().unwrap_or_default();
                            if least == most {
                                t!("table.too_few_for", game = game, n = least, sits = sits())
                            } else {
                                t!("table.too_few", game = game, least = least, most = most, sits = sits())
                            }
                        }).unwrap_or_default(),
                        (0, 0) => t!("table.all_ready"),
                        (0, n) => t!("table.wait_ready", n = n),
                        (n, 0) => t!("table.start_without", n = n),
                        (n, _) => t!("table.wait_seats", n = n),
                    }}
                </p>
                {ui::refused(room.family, room.refused.into())}
                <Show when=move || room.kept_out.get()>
                    <p class="notice" data-testid="kept-out">{t!("table.you_removed")}</p>
                </Show>
                <div class="row">
                    // The host is ready by starting.
                    <Show when=move || room.seat().is_some() && !room.host.get()>
                        <button class="big" class:primary=move || !ready() data-testid="ready" aria-pressed=move || ready().to_string() on:click=move |_| room.act(Act::Ready { ready: !ready() })>
                            {move || if ready() { t!("table.unready") } else { t!("table.ready") }}
                        </button>
                    </Show>
                    <Show when=move || room.host.get()>
                        <button class="primary big" data-testid="start" disabled=move || too_few().is_some() on:click=move |_| room.act(Act::Start)>
                            {move || if missing() == 0 { t!("table.start") } else { t!("table.start_with", n = sits()) }}
                        </button>
                    </Show>
                    <Show when=move || room.seat().is_some()>
                        <button data-testid="stand-up" on:click=move |_| room.act(Act::Stand)>{t!("table.stand")}</button>
                    </Show>
                </div>
            </section>
            <section class="panel"><Invite id=id/></section>
        </div>
    }
}
