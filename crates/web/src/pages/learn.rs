//! Set, learnt step by step: each task is done by pressing, and each press is checked (TUTOR-1, -2).

use super::strategy;
use crate::route::Route;
use crate::screens::race::{FEATURES, why_no_set};
use crate::ui::Show;
use crate::{lang, t, ui};
use cards::{Deck, Point};
use leptos::prelude::*;
use pattern::finder::{is_set, split_features, third};
use rulebook::Family;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    /// The card whose feature has this value.
    Value(usize, u8),
    /// Whether the three cards are a Set.
    IsSet,
    /// A feature that is two and one.
    Split,
    /// The card that makes a Set with the first two.
    Third,
    /// A Set of these cards.
    Find,
}

/// A task: the step that it belongs to, what is asked, and the cards.
struct Task(&'static str, Ask, &'static str);

const TASKS: &[Task] = &[
    Task("features", Ask::Value(0, 2), "0111 1111 2111"),
    Task("features", Ask::Value(1, 1), "1002 1102 1202"),
    Task("features", Ask::Value(2, 1), "2200 2210 2220"),
    Task("features", Ask::Value(3, 2), "0120 0121 0122"),
    Task("right", Ask::IsSet, "0000 1000 2000"),
    Task("right", Ask::IsSet, "0012 1002 2022"),
    Task("right", Ask::IsSet, "0000 1111 2222"),
    Task("wrong", Ask::IsSet, "1001 1011 1121"),
    Task("wrong", Ask::IsSet, "0022 0122 0202"),
    Task("wrong", Ask::IsSet, "0121 1101 2101"),
    Task("two_one", Ask::Split, "0000 1111 2212"),
    Task("two_one", Ask::Split, "0010 1020 1000"),
    Task("two_one", Ask::Split, "2101 2111 2021"),
    Task("third", Ask::Third, "0000 0001 1002 0002 0012 0102"),
    Task("third", Ask::Third, "0110 1110 2210 2100 0010 2110"),
    Task("third", Ask::Third, "0201 1012 2120 2220 2210 1120"),
    Task("quick", Ask::Find, "0000 0101 1102 2001 1200 2200 0202 1001 2102"),
    Task("quick", Ask::Find, "0001 1100 2202 0102 1002 2000 0200 1201 2101"),
    Task("full", Ask::Find, "0012 0100 0101 0112 0120 0212 1100 1112 1122 1220 2012 2101"),
    Task("full", Ask::Find, "0121 1012 2220 0010 1201 2102 0222 1110 2011 0202 1021 2200"),
];

/// What was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Press {
    Cards(Vec<Point>),
    Answer(bool),
    Feature(usize),
}

impl Task {
    fn deck(&self) -> Deck {
        if self.0 == "quick" { Deck::D27 } else { Deck::D81 }
    }
    fn cards(&self) -> Vec<Point> {
        self.deck().parse_all(self.2).unwrap_or_default()
    }
    /// How many cards are pressed before they are judged.
    fn wants(&self) -> usize {
        if self.1 == Ask::Find { 3 } else { 1 }
    }
    /// The cards that are shown but not to be pressed.
    fn given(&self) -> usize {
        match self.1 {
            Ask::IsSet | Ask::Split => 3,
            Ask::Third => 2,
            Ask::Value(..) | Ask::Find => 0,
        }
    }
    fn question(&self) -> String {
        match self.1 {
            Ask::Value(feature, _) => t!(&format!("learn.ask_{}", FEATURES[feature])),
            Ask::IsSet => t!("learn.ask_set"),
            Ask::Split => t!("learn.ask_split"),
            Ask::Third => t!("learn.ask_third"),
            Ask::Find => t!("learn.ask_find"),
        }
    }

    /// Whether a press is right, and what is said of it.
    fn judge(&self, press: &Press) -> (bool, String) {
        let (deck, cards) = (self.deck(), self.cards());
        match (self.1, press) {
            (Ask::Value(feature, value), Press::Cards(picked)) => {
                let digit = picked.first().map_or(0, |&card| deck.code(card)[feature]);
                let word = ui::card_word(FEATURES[feature], digit, "");
                (
                    digit == value,
                    if digit == value { t!("learn.good") } else { t!("learn.bad_value", value = word) },
                )
            }
            (Ask::IsSet, Press::Answer(yes)) => {
                let three = [cards[0], cards[1], cards[2]];
                let set = is_set(three[0], three[1], three[2]);
                let why = if set { why_set(deck, three) } else { why_no_set(deck, three) };
                let text = match (set, *yes) {
                    (true, true) => t!("learn.good_set", why = why),
                    (true, false) => t!("learn.bad_set", why = why),
                    (false, false) => t!("learn.good_no", why = why),
                    (false, true) => t!("learn.bad_no", why = why),
                };
                (set == *yes, text)
            }
            (Ask::Split, Press::Feature(feature)) => {
                let three = [cards[0], cards[1], cards[2]];
                let splits = split_features(4, three) >> feature & 1 == 1;
                if splits {
                    (true, t!("learn.good_no", why = why_no_set(deck, three)))
                } else {
                    (false, t!("learn.bad_split", why = feature_text(deck, three, *feature)))
                }
            }
            (Ask::Third, Press::Cards(picked)) => {
                let three = [cards[0], cards[1], picked.first().copied().unwrap_or(cards[0])];
                if third(cards[0], cards[1]) == three[2] {
                    (true, t!("learn.good_set", why = why_set(deck, three)))
                } else {
                    (false, t!("learn.bad_third", why = why_no_set(deck, three)))
                }
            }
            (Ask::Find, Press::Cards(picked)) => match picked[..] {
                [a, b, c] if is_set(a, b, c) => (true, t!("learn.good_set", why = why_set(deck, [a, b, c]))),
                [a, b, c] => (false, t!("learn.bad_no", why = why_no_set(deck, [a, b, c]))),
                _ => (false, t!("learn.bad")),
            },
            _ => (false, t!("learn.bad")),
        }
    }
}

/// "number: all equal".
fn feature_text(deck: Deck, cards: [Point; 3], feature: usize) -> String {
    let [a, b, _] = cards.map(|card| deck.code(card)[feature]);
    let name = t!(&format!("verdict.features.{}", FEATURES[feature]));
    if a == b { t!("learn.all_equal", feature = name) } else { t!("learn.all_different", feature = name) }
}

/// Why three cards are a Set, feature by feature.
fn why_set(deck: Deck, cards: [Point; 3]) -> String {
    lang::divided(&(0..4).map(|feature| feature_text(deck, cards, feature)).collect::<Vec<_>>())
}

/// A card to be pressed: what is picked and what was picked wrongly is marked, and what is `lit`.
pub(super) fn card(
    deck: Deck,
    point: Point,
    [picked, wrong]: [RwSignal<Vec<Point>>; 2],
    lit: impl Fn() -> bool + Send + Sync + 'static,
    press: impl Fn() + 'static,
) -> impl IntoView {
    let is_picked = move || picked.with(|p| p.contains(&point));
    view! {
        <button
            class="pcard"
            class:picked=is_picked
            class:lit=lit
            class:wrong=move || wrong.with(|w| w.contains(&point))
            data-testid="card"
            data-card=deck.text(point)
            aria-label=ui::pattern_name(deck, point)
            aria-pressed=move || is_picked().to_string()
            on:click=move |_| press()
        >{ui::pattern_card(deck, point)}</button>
    }
}

/// Where somebody is in the tutorial.
#[derive(Clone, Copy)]
struct Lesson {
    /// Which task, counted from 0; all are done after the last.
    at: RwSignal<usize>,
    /// What was said to the last press, and whether that was the answer.
    said: RwSignal<Option<(bool, String)>>,
    picked: RwSignal<Vec<Point>>,
    /// What was pressed wrongly, until the next press.
    wrong: RwSignal<Vec<Point>>,
    voice: ui::Voice,
}

impl Lesson {
    fn solved(self) -> bool {
        self.said.with(|said| said.as_ref().is_some_and(|said| said.0))
    }

    /// The task that still wants an answer.
    fn asked(self) -> Option<&'static Task> {
        TASKS.get(self.at.get_untracked()).filter(|_| !untrack(|| self.solved()))
    }

    fn press(self, press: Press) {
        let Some(task) = self.asked() else { return };
        let judged = task.judge(&press);
        self.voice.say(judged.1.clone());
        if !judged.0 {
            self.wrong.set(self.picked.get_untracked());
            self.picked.update(Vec::clear);
        }
        self.said.set(Some(judged));
    }

    fn touch(self, card: Point) {
        let Some(task) = self.asked() else { return };
        self.wrong.update(Vec::clear);
        ui::toggle(self.picked, card);
        if self.picked.with_untracked(Vec::len) == task.wants() {
            self.press(Press::Cards(self.picked.get_untracked()));
        }
    }

    fn turn_to(self, n: usize) {
        self.at.set(n);
        self.said.set(None);
        self.picked.set(Vec::new());
        self.wrong.set(Vec::new());
    }

    /// A card that is only looked at.
    fn given(deck: Deck, point: Point) -> impl IntoView {
        view! { <span class="pcard" role="img" aria-label=ui::pattern_name(deck, point)>{ui::pattern_card(deck, point)}</span> }
    }

    fn card(self, deck: Deck, point: Point) -> impl IntoView {
        card(deck, point, [self.picked, self.wrong], || false, move || self.touch(point))
    }

    /// The buttons of a task that is answered without cards.
    fn answers(self, task: &Task) -> AnyView {
        match task.1 {
            Ask::IsSet => view! {
                <button data-testid="answer-yes" on:click=move |_| self.press(Press::Answer(true))>{t!("learn.yes")}</button>
                <button data-testid="answer-no" on:click=move |_| self.press(Press::Answer(false))>{t!("learn.no")}</button>
            }
            .into_any(),
            Ask::Split => (0..4usize)
                .map(|f| view! {
                    <button data-testid=format!("feature-{f}") on:click=move |_| self.press(Press::Feature(f))>{t!(&format!("verdict.features.{}", FEATURES[f]))}</button>
                })
                .collect_view()
                .into_any(),
            _ => ().into_any(),
        }
    }

    fn task(self, task: &Task) -> impl IntoView {
        let (deck, cards) = (task.deck(), task.cards());
        let steps = TASKS.iter().map(|task| task.0).fold(Vec::new(), |mut steps, step| {
            if steps.last() != Some(&step) {
                steps.push(step);
            }
            steps
        });
        let step = steps.iter().position(|step| *step == task.0).unwrap_or(0);
        let (fixed, open) = cards.split_at(task.given());
        view! {
            <p class="quiet">{t!("learn.step", n = step + 1, of = steps.len())}</p>
            <h2>{t!(&format!("learn.{}", task.0))}</h2>
            <p class="learn-ask" data-testid="learn-ask">{task.question()}</p>
            <div class="learn-cards">{fixed.iter().map(|&c| Self::given(deck, c)).collect_view()}</div>
            <div class="learn-cards">{open.iter().map(|&c| self.card(deck, c)).collect_view()}</div>
            <p class="row">{self.answers(task)}</p>
        }
    }
}

/// The tutorial.
#[component]
pub fn Learn() -> impl IntoView {
    let lesson = Lesson {
        at: RwSignal::new(0),
        said: RwSignal::new(None),
        picked: RwSignal::new(Vec::new()),
        wrong: RwSignal::new(Vec::new()),
        voice: ui::voice(),
    };
    let Lesson { at, said, .. } = lesson;
    view! {
        <div class="page narrow learn" data-testid="learn">
            <h1>{t!("learn.title")}</h1>
            {move || match TASKS.get(at.get()) {
                Some(task) => view! {
                    <progress max=TASKS.len().to_string() value=move || at.get().to_string() aria-label=move || t!("learn.progress", n = at.get() + 1, of = TASKS.len())></progress>
                    {lesson.task(task)}
                }
                .into_any(),
                None => view! {
                    <p data-testid="learn-done">{t!("learn.done")}</p>
                    <p class="row">
                        <a class="button primary" href=Route::Practice.path()>{t!("practice.title")}</a>
                        <a class="button" href=Route::Today.path()>{t!("today.title")}</a>
                        <a class="button" data-testid="to-strategy" href=strategy::path(Family::Pattern)>{strategy::name(Family::Pattern)}</a>
                        <button on:click=move |_| lesson.turn_to(0)>{t!("learn.again")}</button>
                    </p>
                }
                .into_any(),
            }}
            <p class="learn-said" role="status" data-testid="learn-said" class:good=move || lesson.solved() class:hidden=move || said.with(Option::is_none)>
                {move || said.get().map(|s| s.1)}
            </p>
            <Show when=move || lesson.solved()>
                <button class="primary big" data-testid="learn-next" on:click=move |_| lesson.turn_to(at.get_untracked() + 1)>{t!("learn.next")}</button>
            </Show>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every press that a task takes.
    fn presses(task: &Task) -> Vec<Press> {
        let cards = task.cards();
        match task.1 {
            Ask::IsSet => [true, false].map(Press::Answer).to_vec(),
            Ask::Split => (0..4).map(Press::Feature).collect(),
            Ask::Value(..) | Ask::Third => {
                cards[task.given()..].iter().map(|&c| Press::Cards(vec![c])).collect()
            }
            Ask::Find => {
                let mut all = Vec::new();
                for (i, &a) in cards.iter().enumerate() {
                    for (j, &b) in cards.iter().enumerate().skip(i + 1) {
                        all.extend(cards[j + 1..].iter().map(|&c| Press::Cards(vec![a, b, c])));
                    }
                }
                all
            }
        }
    }

    #[test]
    fn every_task_can_be_solved_and_be_got_wrong() {
        let mut steps = Vec::new();
        for task in TASKS {
            let judged: Vec<(bool, String)> = presses(task).iter().map(|press| task.judge(press)).collect();
            let right = judged.iter().filter(|j| j.0).count();
            assert!(right > 0 && right < judged.len(), "{}: {right} of {}", task.2, judged.len());
            if !matches!(task.1, Ask::Find | Ask::Split) {
                assert_eq!(right, 1, "{}: one answer", task.2);
            }
            assert!(judged.iter().all(|j| !j.1.contains("learn.")), "{judged:?}");
            if !steps.contains(&task.0) {
                steps.push(task.0);
            }
        }
        assert_eq!(steps, ["features", "right", "wrong", "two_one", "third", "quick", "full"], "TUTOR-1");
        let right = |step: &'static str| TASKS.iter().filter(move |t| t.0 == step);
        assert!(right("right").all(|t| t.judge(&Press::Answer(true)).0));
        assert!(right("wrong").all(|t| t.judge(&Press::Answer(false)).0));
    }

    #[test]
    fn a_wrong_answer_names_the_feature() {
        let task = &TASKS[7];
        assert_eq!(
            task.judge(&Press::Answer(true)),
            (false, "It is no Set: colour: two red, one green.".to_owned())
        );
    }
}
