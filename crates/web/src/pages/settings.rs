//! Preferences.

use crate::prefs::{COACHED, Hand, Keys, Look, Motion, Overlay, Palette, Prefs, Theme, prefs};
use crate::soon::below;
use crate::{dom, feel, t, ui};
use cards::{Deck, Face, Pack, Point};
use leptos::prelude::*;

/// A row of choices, one of which holds.
fn choice(
    name: &'static str,
    values: Vec<&'static str>,
    get: fn(&Prefs) -> &'static str,
    set: fn(&mut Prefs, &str),
) -> impl IntoView {
    let prefs = prefs();
    view! {
        <fieldset class="choice" data-testid=format!("settings-{name}")>
            <legend>{t!(&format!("settings.{name}.title"))}</legend>
            <div class="segments">
                {values
                    .into_iter()
                    .map(|value| {
                        view! {
                            <label>
                                <input
                                    type="radio"
                                    name=name
                                    value=value
                                    prop:checked=move || get(&prefs.get()) == value
                                    on:change=move |_| prefs.update(|p| set(p, value))
                                />
                                <span>{t!(&format!("settings.{name}.{value}"))}</span>
                            </label>
                        }
                    })
                    .collect_view()}
            </div>
        </fieldset>
    }
}

/// A switch.
fn switch(name: &'static str, get: fn(&Prefs) -> bool, set: fn(&mut Prefs, bool)) -> impl IntoView {
    let prefs = prefs();
    view! {
        <label class="switch" data-testid=format!("settings-{name}")>
            <input
                type="checkbox"
                role="switch"
                prop:checked=move || get(&prefs.get())
                on:change=move |event| {
                    let on = event_target_checked(&event);
                    prefs.update(|p| set(p, on));
                }
            />
            <span>{t!(&format!("settings.{name}"))}</span>
        </label>
    }
}

/// The rows of one's own layout of keys, to be written.
fn own_keys() -> impl IntoView {
    let prefs = prefs();
    let own = Memo::new(move |_| prefs.with(|prefs| prefs.keys == Keys::Own));
    let refused = RwSignal::new(false);
    let row = move |n: usize| {
        let change = move |event| {
            let letters = prefs.with_untracked(|prefs| {
                prefs.own_keys.with_row(n, dom::small_letters(&event_target_value(&event)).trim())
            });
            refused.set(letters.is_none());
            if let Some(letters) = letters {
                prefs.update(|prefs| prefs.own_keys = letters);
            }
        };
        view! {
            <label class="labelled">
                <span>{t!("settings.own_row", n = n + 1)}</span>
                <input type="text" maxlength="10" autocapitalize="off" autocomplete="off" spellcheck="false" data-testid="own-keys" prop:value=move || prefs.with(|prefs| prefs.own_keys.rows()[n].clone()) on:change=change/>
            </label>
        }
    };
    view! {
        <ui::Show when=move || own.get()>
            <div class="row">{(0..3).map(row).collect_view()}</div>
            <p class="refusal" role="status">{move || refused.get().then(|| t!("settings.own_refused"))}</p>
        </ui::Show>
    }
}

/// The languages, one of which is spoken. Another comes with the page, so that is loaded anew.
fn languages() -> impl IntoView {
    let chosen = dom::chosen_language().unwrap_or_default();
    let auto = (String::new(), t!("settings.language.auto"));
    let values = std::iter::once(auto).chain(dom::languages());
    view! {
        <fieldset class="choice" data-testid="settings-language">
            <legend>{t!("settings.language.title")}</legend>
            <div class="segments">
                {values
                    .map(|(id, name)| {
                        let lang = (!id.is_empty()).then(|| id.clone());
                        let choose = lang.clone();
                        let checked = chosen == id;
                        view! {
                            <label>
                                <input
                                    type="radio"
                                    name="language"
                                    value=id
                                    prop:checked=checked
                                    on:change=move |_| dom::choose_language(choose.as_deref())
                                />
                                <span lang=lang>{name}</span>
                            </label>
                        }
                    })
                    .collect_view()}
            </div>
            {(dom::page_language() != "en").then(|| view! { <p class="quiet">{t!("settings.language.partly")}</p> })}
        </fieldset>
    }
}

/// The app kept on this device, for playing without a network.
fn offline() -> impl IntoView {
    let told = RwSignal::new(String::new());
    let keep = move |_| {
        told.set(t!("settings.offline.keeping"));
        leptos::task::spawn_local(async move {
            let kept =
                if dom::keep_app().await { "settings.offline.kept" } else { "settings.offline.failed" };
            let _ = told.try_set(t!(kept));
        });
    };
    view! {
        <section class="panel" data-testid="settings-offline">
            <h2>{t!("settings.offline.title")}</h2>
            <p>{t!("settings.offline.text")}</p>
            {if dom::may_keep_app() {
                view! { <button class="small" data-testid="keep-app" on:click=keep>{t!("settings.offline.keep")}</button> }.into_any()
            } else {
                view! { <p class="quiet">{t!("settings.offline.insecure")}</p> }.into_any()
            }}
            <p class="quiet" role="status" data-testid="app-kept">{move || told.get()}</p>
        </section>
    }
}

/// How the pattern cards look, and the keys that press them.
fn pattern() -> impl IntoView {
    let prefs = prefs();
    view! {
        <section class="panel">
            <h2>{t!("settings.pattern_title")}</h2>
            <div class="sample" aria-hidden="true">
                {[5, 40, 75]
                    .map(|i| view! { <span class="sample-pattern">{ui::pattern_card(Deck::D81, Point(i))}</span> })
                    .collect_view()}
            </div>
            {choice("palette", Palette::ALL.iter().map(|v| v.id()).collect(), |p| p.palette.id(), |p, v| p.palette = Palette::from_id(v).unwrap_or_default())}
            {choice("overlay", Overlay::ALL.iter().map(|v| v.id()).collect(), |p| p.overlay.id(), |p, v| p.overlay = Overlay::from_id(v).unwrap_or_default())}
            {choice("keys", Keys::ALL.iter().map(|v| v.id()).collect(), |p| p.keys.id(), |p, v| {
                let before = p.letters();
                p.keys = Keys::from_id(v).unwrap_or_default();
                // One's own layout begins with the one that was chosen before, until it is written.
                if p.keys == Keys::Own && Keys::ALL.iter().any(|keys| p.own_keys == keys.letters()) {
                    p.own_keys = before;
                }
            })}
            {own_keys()}
            <p class="quiet">{move || t!("settings.keys_hint", keys = prefs.get().letters().rows()[0].chars().take(4).map(dom::capital).collect::<String>())}</p>
            {switch("show_keys", |p| p.show_keys, |p, on| p.show_keys = on)}
        </section>
    }
}

/// How the playing cards look, and what is done for this person.
fn playing() -> impl IntoView {
    let pack = Pack::standard();
    view! {
        <section class="panel">
            <h2>{t!("settings.playing_title")}</h2>
            <div class="sample" aria-hidden="true">
                {["7C", "8D", "QH", "AS"]
                    .map(|text| {
                        let face: Face = text.parse().unwrap_or(Face::JOKER);
                        view! { <span class="sample-playing">{ui::playing_card(&pack, face)}</span> }
                    })
                    .collect_view()}
            </div>
            {switch("four_colour", |p| p.four_colour, |p, on| p.four_colour = on)}
            {switch("coach", |p| p.coach, |p, on| { p.coach = on; dom::store(COACHED, &0u32) })}
            {switch("confirm_discard", |p| p.confirm_discard, |p, on| p.confirm_discard = on)}
        </section>
    }
}

#[component]
pub fn Settings() -> impl IntoView {
    view! {
        <div class="page narrow" data-testid="settings">
            <h1>{t!("nav.settings")}</h1>
            <p>{t!("settings.lead")}</p>
            <section class="panel">
                {languages()}
                {choice("theme", Theme::ALL.iter().map(|v| v.id()).collect(), |p| p.theme.id(), |p, v| p.theme = Theme::from_id(v).unwrap_or_default())}
                {choice("motion", Motion::ALL.iter().map(|v| v.id()).collect(), |p| p.motion.id(), |p, v| p.motion = Motion::from_id(v).unwrap_or_default())}
                {choice("look", Look::ALL.iter().map(|v| v.id()).collect(), |p| p.look.id(), |p, v| p.look = Look::from_id(v).unwrap_or_default())}
                {choice("hand", Hand::ALL.iter().map(|v| v.id()).collect(), |p| p.hand.id(), |p, v| p.hand = Hand::from_id(v).unwrap_or_default())}
                {switch("sound", |p| p.sound, |p, on| p.sound = on)}
                {switch("vibration", |p| p.vibration, |p, on| p.vibration = on)}
                <button class="small" on:click=move |_| feel::sample()>{t!("settings.try_sound")}</button>
            </section>
            {below(|| view! {
                {pattern()}
                {below(|| view! {
                    {playing()}
                    {offline()}
                    <crate::pages::games::Identity/>
                }.into_any())}
            }.into_any())}
        </div>
    }
}
