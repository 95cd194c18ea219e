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
use contract::meld::{Kind, Law};
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
    Group,
    Run,
    Done,
}

impl Lesson {
    /// Those that come up at the same time in this order; the last when all others, or enough of them, are known.
    const ALL: [Lesson; 13] = {
        use Lesson::*;
        [Aim, Score, Lay, Prepare, Offer, Draw, Group, Run, Joker, LayOff, Collect, Discard, Done]
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
            Lesson::Group => "group",
            Lesson::Run => "run",
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
            Lesson::Group => playing() && !rummy.down() && asks_for(rummy, Kind::Group).is_some(),
            Lesson::Run => playing() && !rummy.down() && asks_for(rummy, Kind::Run).is_some(),
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
                let kinds = [(Lesson::Group, Kind::Group), (Lesson::Run, Kind::Run)];
                let open = |(lesson, kind): (Lesson, Kind)| known & lesson.bit() == 0 && comes(rummy, kind);
                known & seen == seen && !kinds.into_iter().any(open)
            }
        }
    }
}

/// The fewest cards of a meld of this kind that a contract asks for, if it asks for one.
fn fewest(law: &Law, kind: Kind) -> Option<u8> {
    let wants = law.contracts.iter().flatten().flatten();
    wants.filter(|want| want.kind == kind).map(|want| want.size).min()
}

/// The same of the contract of this round.
fn asks_for(rummy: Rummy, kind: Kind) -> Option<u8> {
    rummy.with_law(|law| fewest(law, kind))
}

/// Whether a contract of this match asks for a meld of this kind.
fn comes(rummy: Rummy, kind: Kind) -> bool {
    rummy.view.with(|s| {
        let laws = s.compiled.played.iter().filter_map(|place| s.compiled.laws.get(*place));
        laws.into_iter().any(|law| fewest(law, kind).is_some())
    })
}

/// Cards of the hand with which a meld of this kind begins: the most there are.
fn begun(rummy: Rummy, kind: Kind) -> Vec<Face> {
    let naturals = |law: &Law| {
        rummy.view.with(|s| s.hand.cards().filter(|face| !law.is_wild(*face)).collect::<Vec<_>>())
    };
    let mut cards = rummy.with_law(naturals);
    cards::list::sort_by_key(&mut cards, |face| (face.suit(), face.rank()));
    cards.dedup();
    let (mut best, mut now) = (Vec::new(), Vec::<Face>::new());
    for face in &cards {
        match kind {
            Kind::Group => now = cards.iter().filter(|other| other.rank() == face.rank()).copied().collect(),
            _ => {
                let follows = |last: &Face| last.suit() == face.suit() && last.rank() + 1 == face.rank();
                if !now.last().is_some_and(follows) {
                    now.clear();
                }
                now.push(*face);
            }
        }
        if now.len() > best.len() {
            best.clone_from(&now);
        }
    }
    best
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
        rummy.explained.set(now.map(Lesson::id));
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
    on_cleanup(move || _ = rummy.explained.try_set(None));
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
        let kind = match lesson {
            Lesson::Group => Some(Kind::Group),
            Lesson::Run => Some(Kind::Run),
            _ => None,
        };
        let top = rummy.view.with(|s| s.flow.top).map(|card| rummy.text(card)).unwrap_or_default();
        let text = t!(
            &format!("coach.{}.text", lesson.id()),
            contract = rummy.with_law(contract_words),
            card = top,
            cost = cost(rummy, |offers| &offers.take),
            take = rummy.view.with(|s| s.flow.set(&s.compiled).take.label.clone()),
            n = kind.and_then(|kind| asks_for(rummy, kind)).unwrap_or_default(),
        );
        let more = match (lesson, kind) {
            (Lesson::Done, _) => last_round(rummy),
            (_, Some(kind)) => {
                let cards = begun(rummy, kind);
                (cards.len() > 1).then(|| t!("coach.held", cards = rummy.texts(&cards)))
            }
            _ => None,
        };
        more.map_or_else(|| text.clone(), |more| format!("{text} {more}"))
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
