//! What a bot would do in one's place, and why: for practice, where nobody but bots sits at the table.

use super::Rummy;
use crate::prefs::ADVISER;
use crate::ui::Show;
use crate::worker_client::WorkerClient;
use crate::{dom, games, lang, t, ui};
use contract::{Command, View};
use leptos::prelude::*;
use rulebook::{Family, Only};
use worker::Ask;
use worker::rummy::{Advice, Reason, Weighed, Words};

/// What came of asking.
#[derive(Clone, PartialEq)]
enum Told {
    /// Nobody has asked since the view changed.
    Nothing,
    /// It is being thought about.
    Thinking,
    /// What the bot would do; none where nothing is to be decided.
    Advice(Option<Box<Advice>>),
    /// It could not be asked.
    Fault(String),
}

/// What the own seat has asked.
#[derive(Clone, Copy)]
pub struct Adviser {
    told: RwSignal<Told>,
    bot: RwSignal<String>,
    /// Those that can be asked, the weakest first, once they are known.
    bots: RwSignal<Vec<String>>,
    /// Counts questions: an answer to an earlier one is not shown.
    asked: StoredValue<u32>,
    worker: StoredValue<Option<WorkerClient>, LocalStorage>,
}

impl Adviser {
    /// Nobody has asked yet.
    pub(super) fn new() -> Adviser {
        Adviser {
            told: RwSignal::new(Told::Nothing),
            bot: RwSignal::new(dom::load(ADVISER).unwrap_or_default()),
            bots: RwSignal::new(Vec::new()),
            asked: StoredValue::new(0),
            worker: StoredValue::new_local(None),
        }
    }

    /// Whether an answer, or that it is awaited, is shown.
    pub(super) fn open(self) -> bool {
        self.told.with(|told| *told != Told::Nothing)
    }

    pub(super) fn close(self) {
        self.asked.update_value(|n| *n += 1);
        if self.told.with_untracked(|told| *told != Told::Nothing) {
            self.told.set(Told::Nothing);
        }
    }

    /// Asks the chosen bot about the view as it is now: beside the page, so that nothing is held up.
    pub(super) fn ask(self, rummy: Rummy) {
        self.asked.update_value(|n| *n += 1);
        let number = self.asked.get_value();
        self.told.set(Told::Thinking);
        let view = rummy.view.with_untracked(View::clone);
        leptos::task::spawn_local(async move {
            let told = match self.answer(view).await {
                Ok(advice) => Told::Advice(advice),
                Err(why) => Told::Fault(why),
            };
            if self.asked.try_get_value() == Some(number) {
                let _ = self.told.try_set(told);
            }
        });
    }

    async fn answer(self, view: View) -> Result<Option<Box<Advice>>, String> {
        games::fetch_bots().await?;
        let bots = games::bots(Family::Contract);
        if self.bot.try_with_untracked(|bot| !bots.contains(bot)).unwrap_or_default() {
            let _ = self.bot.try_set(bots.last().cloned().unwrap_or_default());
        }
        let _ = self.bots.try_set(bots);
        let worker = match self.worker.try_get_value().flatten() {
            Some(worker) => worker,
            None => {
                let worker = WorkerClient::start()?;
                let _ = self.worker.try_set_value(Some(worker.clone()));
                worker
            }
        };
        let bot = self.bot.try_get_untracked().unwrap_or_default();
        let ask: Ask<Only<Command>, Only<View>> = Ask::Advise { bot, view: Box::new(Only(view)) };
        worker.ask_with(&ask).await
    }
}

/// The button that asks, where that is allowed.
#[component]
pub fn AskAdvice() -> impl IntoView {
    let rummy: Rummy = expect_context();
    view! {
        <Show when=move || rummy.desk.practises()>
            <button class="small" data-testid="ask-advice" disabled=move || !rummy.decides() on:click=move |_| rummy.adviser.ask(rummy)>
                {t!("rummy.advice")} " " <kbd aria-hidden="true">"H"</kbd>
            </button>
        </Show>
    }
}

/// What was answered, over the table.
#[component]
pub fn AdviceShown() -> impl IntoView {
    let rummy: Rummy = expect_context();
    let Adviser { told, bot, bots, .. } = rummy.adviser;
    let voice = ui::voice();
    // What is decided anew is asked anew. (Not beside the button, which goes with the turn.)
    let moment = Memo::new(move |_| {
        rummy.view.with(|s| (s.flow.deal, s.flow.turns, s.flow.phase, s.hand.len(), s.board.melds.len()))
    });
    let asked = moment.get_untracked();
    Effect::new(move || {
        if moment.get() != asked {
            rummy.adviser.close();
        }
    });
    Effect::new(move || {
        if let Told::Advice(Some(advice)) = told.get() {
            voice.say(action(rummy, &advice));
        }
    });
    let choose = move |event| {
        bot.set(event_target_value(&event));
        dom::store(ADVISER, &bot.get_untracked());
        rummy.adviser.ask(rummy);
    };
    let body = move || match told.get() {
        Told::Nothing => ().into_any(),
        Told::Thinking => {
            view! { <p class="quiet" data-testid="advice-thinks">{t!("rummy.advice_thinks")}</p> }.into_any()
        }
        Told::Fault(why) => view! { <p class="refusal" role="alert">{why}</p> }.into_any(),
        Told::Advice(None) => view! { <p data-testid="advice-none">{t!("rummy.advice_none")}</p> }.into_any(),
        Told::Advice(Some(advice)) => answered(rummy, &advice),
    };
    view! {
        <section class="coach advice" aria-label=t!("rummy.advice") data-testid="advice">
            <p class="row">
                <label>
                    {t!("rummy.advice_of")} " "
                    <select class="small" data-testid="advice-bot" on:change=choose>
                        {move || bots.get().into_iter().map(|kind| {
                            let (label, value) = (games::bot_label(&kind), kind.clone());
                            view! { <option value=value prop:selected=move || bot.with(|bot| *bot == kind)>{label}</option> }
                        }).collect_view()}
                    </select>
                </label>
                <button class="plain small" data-testid="advice-close" on:click=move |_| rummy.adviser.close()>{t!("rummy.advice_close")}</button>
            </p>
            {body}
        </section>
    }
}

/// Does something with how cards and players are called here.
fn with_words<T>(rummy: Rummy, f: impl FnOnce(Words<'_>) -> T) -> T {
    untrack(|| f(Words { card: &|face| rummy.text(face), name: &|seat| rummy.desk.name(seat) }))
}

fn action(rummy: Rummy, advice: &Advice) -> String {
    with_words(rummy, |words| lang::tell(&advice.action(words))).unwrap_or_default()
}

fn answered(rummy: Rummy, advice: &Advice) -> AnyView {
    let reasons: Vec<String> =
        with_words(rummy, |words| advice.reasons(words)).iter().filter_map(lang::tell).collect();
    view! {
        <h2 data-testid="advice-does">{action(rummy, advice)}</h2>
        <ul class="reasons" data-testid="advice-why">
            {reasons.into_iter().map(|reason| view! { <li>{reason}</li> }).collect_view()}
        </ul>
        {match &advice.reason {
            Reason::Throw { down, weighed, .. } if weighed.len() > 1 => compared(rummy, *down, weighed),
            _ => ().into_any(),
        }}
    }
    .into_any()
}

/// What was compared, a row for each card that could be thrown.
fn compared(rummy: Rummy, down: bool, weighed: &[Weighed]) -> AnyView {
    let number = |number: Option<f32>| number.map(|n| n.round().to_string()).unwrap_or_default();
    let waits = weighed.iter().any(|card| card.waits.is_some());
    let played = weighed.iter().any(|card| card.played.is_some());
    let rows = weighed.iter().map(|card| {
        let missing = card.missing.map(|n| n.to_string()).unwrap_or_default();
        let end = card.played.filter(|played| played.rounds > 0).map(|played| played.points);
        let cells = [
            (!down, missing),
            (!down, card.helpers.to_string()),
            (true, card.points.to_string()),
            (waits, number(card.waits)),
            (played, number(end)),
        ];
        let name = rummy.text(card.card);
        view! {
            <tr>
                <th scope="row">{name}</th>
                {cells.into_iter().filter(|(shown, _)| *shown).map(|(_, cell)| view! { <td>{cell}</td> }).collect_view()}
            </tr>
        }
    });
    let heads = [
        (true, t!("rummy.advice_card")),
        (!down, t!("rummy.advice_missing")),
        (!down, t!("rummy.advice_helpers")),
        (true, t!("rummy.advice_points")),
        (waits, t!("rummy.advice_waits")),
        (played, t!("rummy.advice_played")),
    ];
    view! {
        <table class="compared" data-testid="advice-compared">
            <caption>{t!("rummy.advice_compared")}</caption>
            <thead><tr>{heads.into_iter().filter(|(shown, _)| *shown).map(|(_, head)| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}
