//! Small things that every page uses: what is announced, short messages, card pictures, confirmations.

use crate::art;
use crate::dom;
use crate::lang::PAGE;
use cards::{Deck, Face, Pack, Point};
use game::{Refusal, Seat};
use leptos::children::{ChildrenFn, ViewFn};
use leptos::prelude::*;
use rulebook::Family;

/// Says things to everybody: to eyes as a short message, to screen readers through a live region.
#[derive(Clone, Copy)]
pub struct Voice {
    said: RwSignal<(u32, String)>,
    toasts: RwSignal<Vec<Toast>>,
}

#[derive(Clone, PartialEq)]
struct Toast {
    id: u32,
    text: String,
    bad: bool,
}

/// Makes the voice of the app.
pub fn provide_voice() -> Voice {
    let voice = Voice { said: RwSignal::new((0, String::new())), toasts: RwSignal::new(Vec::new()) };
    provide_context(voice);
    voice
}

/// The voice of the app.
#[must_use]
pub fn voice() -> Voice {
    expect_context()
}

impl Voice {
    /// Announces to screen readers.
    pub fn say(self, text: impl Into<String>) {
        let text = text.into();
        // Two messages close together would overwrite one another: the second is added to the first.
        self.said.update(|(n, said)| {
            *n += 1;
            if said.is_empty() { *said = text } else { *said = format!("{said} {text}") }
        });
        let n = self.said.get_untracked().0;
        dom::after(1200, move || {
            if self.said.try_get_untracked().is_some_and(|s| s.0 == n) {
                self.said.try_update(|s| s.1.clear());
            }
        });
    }

    /// Shows a short message and announces it.
    pub fn tell(self, text: impl Into<String>) {
        self.show(text.into(), false);
    }

    /// Shows a message about something that went wrong, and announces it.
    pub fn fail(self, text: impl Into<String>) {
        self.show(text.into(), true);
    }

    /// Copies a text, and says whether that worked.
    pub fn copy(self, text: String) {
        leptos::task::spawn_local(async move {
            if dom::copy(&text).await {
                self.tell(crate::t!("ui.copied"));
            } else {
                self.fail(crate::t!("ui.copy_failed"));
            }
        });
    }

    fn show(self, text: String, bad: bool) {
        self.say(text.clone());
        let mut id = 0;
        self.toasts.update(|list| {
            id = list.last().map_or(0, |t| t.id + 1);
            list.retain(|t| t.text != text);
            list.push(Toast { id, text, bad });
            if list.len() > 3 {
                list.remove(0);
            }
        });
        dom::after(if bad { 7000 } else { 4000 }, move || {
            self.toasts.try_update(|list| list.retain(|t| t.id != id));
        });
    }
}

/// The live region and the short messages. Stands once in the page.
#[component]
pub fn Messages() -> impl IntoView {
    let voice = voice();
    view! {
        <div class="offscreen" role="status" aria-live="polite" data-testid="announcer">
            {move || voice.said.get().1}
        </div>
        <div class="toasts" data-testid="toasts">
            <For each=move || voice.toasts.get() key=|t| (t.id, t.text.clone()) let:toast>
                <div class="toast" class:bad=toast.bad data-testid="toast">
                    <span>{toast.text.clone()}</span>
                    <button
                        class="plain"
                        aria-label=crate::t!("ui.dismiss")
                        on:click=move |_| voice.toasts.update(|list| list.retain(|t| t.id != toast.id))
                    >"×"</button>
                </div>
            </For>
        </div>
    }
}

/// Why something is not possible, with links to the first `most` of the rules behind it. They open beside the game.
pub fn refusal(family: Family, why: &Refusal, most: usize) -> AnyView {
    let rules = why.rules.iter().take(most).map(|rule| {
        view! {
            " "
            <a class="rule" target="_blank" data-testid="rule" href=format!("/rulebook/{}#{rule}", family.name())>
                {rule.to_string()}
            </a>
        }
    });
    view! { <span>{crate::lang::refusal(why)}</span> {rules.collect_view()} }.into_any()
}

/// Why the last act was refused.
pub fn refused(family: Family, refused: Signal<(u32, Refusal)>) -> AnyView {
    // In a race there is no time to read, and one line to write in.
    let most = if family == Family::Pattern { 1 } else { 3 };
    view! {
        <p class="refusal" role="alert" data-testid="refusal" class:hidden=move || refused.with(|r| r.1.is_empty())>
            {move || refused.with(|r| refusal(family, &r.1, most))}
        </p>
    }
    .into_any()
}

/// Whether something is to be shown.
pub struct When(Box<dyn Fn() -> bool + Send + Sync>);

impl<F: Fn() -> bool + Send + Sync + 'static> From<F> for When {
    fn from(when: F) -> When {
        When(Box::new(when))
    }
}

/// Shows its children as long as something holds. The framework's own is compiled anew for every use, of which a program has
/// dozens; this one is there once.
#[component(transparent)]
pub fn Show(
    #[prop(into)] when: When,
    children: ChildrenFn,
    #[prop(optional, into)] fallback: ViewFn,
) -> impl IntoView {
    let when = ArcMemo::new(move |_| (when.0)());
    (move || if when.get() { children() } else { fallback.run() }).into_any()
}

/// Picks a card, or no longer.
pub fn toggle<T: PartialEq + Send + Sync + 'static>(picked: RwSignal<Vec<T>>, card: T) {
    picked.update(|picked| screen::pick::toggle(picked, card));
}

/// What stands where something is on its way. Meanwhile nothing stands below it, which would be pushed about.
#[must_use]
pub fn loading() -> AnyView {
    view! { <p class="quiet loading" role="status">{crate::t!("ui.loading")}</p> }.into_any()
}

/// A pattern card's picture.
pub fn pattern_card(deck: Deck, point: Point) -> AnyView {
    view! {
        <svg
            class="card pattern"
            viewBox="0 0 150 100"
            aria-hidden="true"
            focusable="false"
            inner_html=art::pattern::face(deck, point)
        ></svg>
    }
    .into_any()
}

/// The face of the bot in this seat.
pub fn bot_face(seat: Seat) -> AnyView {
    view! {
        <svg class="bot-face" viewBox="0 0 48 48" aria-hidden="true" focusable="false" inner_html=art::bot::face(seat.0)></svg>
    }
    .into_any()
}

/// Who sits in this seat, as a picture in the colour of the seat: the face of a bot, or the first letter of a name.
pub fn portrait(seat: Seat, name: &str, bot: bool) -> AnyView {
    let face = if bot { bot_face(seat) } else { name.chars().next().map(dom::capital).into_any() };
    view! { <span class=format!("portrait s{}", seat.0) aria-hidden="true">{face}</span> }.into_any()
}

/// The back of a pattern card.
pub fn pattern_back() -> AnyView {
    view! {
        <svg class="card pattern" viewBox="0 0 150 100" aria-hidden="true" focusable="false" inner_html=art::back(150, 100)></svg>
    }
    .into_any()
}

/// A playing card's picture.
pub fn playing_card(pack: &Pack, face: Face) -> AnyView {
    view! {
        <svg
            class="card playing"
            viewBox="0 0 100 140"
            aria-hidden="true"
            focusable="false"
            inner_html=art::playing::face(pack, face)
        ></svg>
    }
    .into_any()
}

/// The back of a playing card.
pub fn playing_back() -> AnyView {
    view! {
        <svg class="card playing" viewBox="0 0 100 140" aria-hidden="true" focusable="false" inner_html=art::back(100, 140)></svg>
    }
    .into_any()
}

/// How words go with a noun of `[card.gender]`, so many of it: its gender, with an s if there are more than one.
#[must_use]
pub fn form(noun: &str, count: usize) -> String {
    screen::card::form(PAGE, noun, count)
}

/// A word of a pattern card's feature in this form.
#[must_use]
pub fn card_word(feature: &str, digit: u8, form: &str) -> String {
    screen::card::word(PAGE, feature, digit, form)
}

/// Spoken name of a pattern card (CARD-3): "one purple striped squiggle".
#[must_use]
pub fn pattern_name(deck: Deck, point: Point) -> String {
    screen::card::pattern_name(PAGE, deck, point)
}

/// Spoken name of a rank, as packs write it: "seven".
#[must_use]
pub fn rank_name(rank: &str) -> String {
    screen::card::rank_name(PAGE, rank)
}

/// Spoken name of a playing card: "seven of hearts".
#[must_use]
pub fn playing_name(pack: &Pack, face: Face) -> String {
    screen::card::playing_name(PAGE, pack, face)
}

/// How a playing card is written in running text: `7♥`.
#[must_use]
pub fn playing_short(pack: &Pack, face: Face) -> String {
    screen::card::playing_short(PAGE, pack, face)
}
