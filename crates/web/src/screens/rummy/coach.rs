//! Explains the game at the table to whoever learns it: one thing at a time, when it comes up, and each once. What it says
//! is of the game that is played: its contract, what asking costs, what the table is called to.

use super::Rummy;
use super::bar::{cost, question};
use super::panels::contract_words;
use crate::prefs::{COACHED, prefs};
use crate::route::Route;
use crate::ui::Show;
use crate::{dom, t, ui};
use cards::Face;
use contract::solver::Solver;
use contract::state::Phase;
use leptos::prelude::*;

/// What is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lesson {
    Aim,
    Score,
    Lay,
    Prepare,
    Offer,
    Draw,
    Joker,
    LayOff,
    Collect,
    Discard,
    Done,
}

impl Lesson {
    /// Those that come up at the same time in this order; the last when all others, or enough of them, are known.
    const ALL: [Lesson; 11] = {
        use Lesson::*;
        [Aim, Score, Lay, Prepare, Offer, Draw, Joker, LayOff, Collect, Discard, Done]
    };

    const fn bit(self) -> u32 {
        1 << self as u32
    }

    const fn id(self) -> &'static str {
        match self {
            Lesson::Aim => "aim",
            Lesson::Score => "score",
            Lesson::Lay => "lay",
            Lesson::Prepare => "prepare",
            Lesson::Offer => "offer",
            Lesson::Draw => "draw",
            Lesson::Joker => "joker",
            Lesson::LayOff => "lay_off",
            Lesson::Collect => "collect",
            Lesson::Discard => "discard",
            Lesson::Done => "done",
        }
    }

    /// Whether it is learnt by doing it, and not by reading it only.
    const fn is_done(self) -> bool {
        matches!(
            self,
            Lesson::Lay | Lesson::Prepare | Lesson::Offer | Lesson::Draw | Lesson::LayOff | Lesson::Discard
        )
    }

    /// Whether now is the moment to explain it to one who knows these.
    fn fits(self, rummy: Rummy, known: u32) -> bool {
        let playing = || rummy.playing();
        let wild = |face: Face| rummy.with_law(|law| law.is_wild(face));
        match self {
            Lesson::Aim => rummy.phase() != Phase::Over,
            Lesson::Score => rummy.view.with(|s| !s.board.sheet.is_empty()),
            Lesson::Lay => playing() && rummy.whole().is_some(),
            Lesson::Prepare => playing() && !rummy.down() && holds_contract(rummy),
            Lesson::Offer => matches!(question(rummy), "offer" | "open") && !rummy.threw(),
            Lesson::Draw => question(rummy) == "start",
            Lesson::Joker => playing() && rummy.view.with(|s| s.hand.cards().any(wild)),
            Lesson::LayOff => {
                let places =
                    |offers: &contract::Offers| offers.lay_off.as_ref().is_ok_and(|at| !at.is_empty());
                playing() && rummy.down() && rummy.offers.with(|offers| offers.as_ref().is_some_and(places))
            }
            Lesson::Collect => playing() && !rummy.down(),
            Lesson::Discard => playing(),
            // Nobody waits for a joker or for an offer that may not come; but who never laid a contract has not seen the half of it.
            Lesson::Done => {
                let seen = Lesson::Score.bit() | Lesson::Lay.bit() | Lesson::LayOff.bit();
                known & seen == seen
            }
        }
    }
}

/// Whether the hand can lay the contract.
fn holds_contract(rummy: Rummy) -> bool {
    rummy.view.with(|s| {
        rummy.with_law(|law| Solver::new(law).with_budget(20_000).feasible(s.hand.counts()) == Some(true))
    })
}

/// What is explained now, under the melds.
#[component]
pub fn Coach() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let (prefs, voice) = (prefs(), ui::voice());
    let known = RwSignal::new(dom::load::<u32>(COACHED).unwrap_or_default());
    let learn = move |lesson: Lesson| {
        known.update(|known| *known |= lesson.bit());
        dom::store(COACHED, &known.get_untracked());
        if lesson == Lesson::Done {
            prefs.update(|prefs| prefs.coach = false);
        }
    };
    let lesson = Memo::new(move |_| {
        let known = known.get();
        let fits = |lesson: &Lesson| known & lesson.bit() == 0 && lesson.fits(rummy, known);
        (prefs.get().coach && rummy.desk.playing()).then(|| Lesson::ALL.into_iter().find(fits)).flatten()
    });
    Effect::new(move |before: Option<Option<Lesson>>| {
        let now = lesson.get();
        rummy.explained.set(now.is_some());
        if let Some(Some(before)) = before
            && Some(before) != now
            && before.is_done()
            && !untrack(|| before.fits(rummy, known.get_untracked()))
        {
            learn(before);
        }
        if let Some(now) = now.filter(|now| before != Some(Some(*now))) {
            voice.say(text(rummy, now));
        }
        now
    });
    on_cleanup(move || _ = rummy.explained.try_set(false));
    let count = move || (known.get() & (Lesson::Done.bit() - 1)).count_ones();
    view! {
        <Show when=move || lesson.get().is_some()>
            <section class="coach" aria-label=t!("coach.label") data-testid="coach" data-lesson=move || lesson.get().map(Lesson::id)>
                <h2>{move || lesson.get().map(|lesson| t!(&format!("coach.{}.title", lesson.id())))}</h2>
                <p>{move || lesson.get().map(|lesson| text(rummy, lesson))}</p>
                <p class="row">
                    <button class="small primary" data-testid="coach-go-on" on:click=move |_| if let Some(lesson) = lesson.get_untracked() { learn(lesson) }>{t!("coach.go_on")}</button>
                    <button class="plain small" data-testid="coach-enough" on:click=move |_| prefs.update(|prefs| prefs.coach = false)>{t!("coach.enough")}</button>
                    <span class="quiet count">{move || t!("coach.count", n = count(), of = Lesson::ALL.len() - 1)}</span>
                    <Show when=move || lesson.get() == Some(Lesson::Done)>
                        <a href=Route::RuleSheet(rummy.view.with_untracked(|s| s.compiled.rules.id.clone())).path() target="_blank">{t!("game.rules")}</a>
                    </Show>
                </p>
            </section>
        </Show>
    }
}

/// What is said of it, at this table.
fn text(rummy: Rummy, lesson: Lesson) -> String {
    untrack(|| {
        let top = rummy.view.with(|s| s.flow.top).map(|card| rummy.text(card)).unwrap_or_default();
        let text = t!(
            &format!("coach.{}.text", lesson.id()),
            contract = rummy.with_law(contract_words),
            card = top,
            cost = cost(rummy, |offers| &offers.take),
            take = rummy.view.with(|s| s.flow.set(&s.compiled).take.label.clone()),
        );
        let last = if lesson == Lesson::Done { last_round(rummy) } else { None };
        last.map_or_else(|| text.clone(), |last| format!("{text} {last}"))
    })
}

/// What the last round asks for, which whoever learns has not come to yet.
fn last_round(rummy: Rummy) -> Option<String> {
    rummy.view.with(|s| {
        let place = *s.compiled.played.last()?;
        let contract = contract_words(s.compiled.laws.get(place)?);
        let whole = s.compiled.rules.rounds.get(place)?.settings.meld.all;
        Some(if whole {
            t!("coach.last_whole", contract = contract)
        } else {
            t!("coach.last", contract = contract)
        })
    })
}
