//! What a bot would do in one's place, and why: for practice, where nobody but bots sits at the table.

use crate::prefs::ADVISER;
use crate::scene::Sight;
use crate::screens::Family;
use crate::worker_client::WorkerClient;
use crate::{dom, games, t, ui};
use leptos::prelude::*;
use rulebook::{Only, Part};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::Ask;

/// A table whose person can ask. (Each screen says in its own way what was answered.)
pub trait Advises: Copy + Send + Sync + 'static {
    /// Its family.
    type Family: Family<View: Clone + Serialize>;
    /// What is answered.
    type Advice: DeserializeOwned + Clone + PartialEq + Send + Sync + 'static;
    /// What tells a moment from the next one, for which is asked anew.
    type Moment: PartialEq + Send + Sync + 'static;

    /// What this person has asked.
    fn adviser(self) -> Adviser<Self::Advice>;

    /// What is asked about.
    fn sight(self) -> Sight<Self::Family, <Self::Family as Family>::View>;

    /// The moment of a view.
    fn moment(view: &<Self::Family as Family>::View) -> Self::Moment;

    /// What the bot would do, to be read aloud.
    fn spoken(self, advice: &Self::Advice) -> String;

    /// What it would do, in a line.
    fn action(self, advice: &Self::Advice) -> AnyView;

    /// Why: what weighs most first.
    fn reasons(self, advice: &Self::Advice) -> Vec<AnyView>;

    /// What else there is to be seen of it.
    fn more(self, advice: &Self::Advice) -> AnyView {
        let _ = advice;
        ().into_any()
    }
}

/// What came of asking.
#[derive(Clone, PartialEq)]
enum Told<A> {
    /// Nobody has asked since the moment changed.
    Nothing,
    /// It is being thought about.
    Thinking,
    /// What the bot would do; none where nothing is to be decided.
    Advice(Option<Box<A>>),
    /// It could not be asked.
    Fault(String),
}

/// What the own seat has asked.
pub struct Adviser<A: 'static> {
    told: RwSignal<Told<A>>,
    bot: RwSignal<String>,
    /// Those that can be asked, the weakest first, once they are known.
    bots: RwSignal<Vec<String>>,
    /// Where little room is, the reasons wait to be asked for; who has asked once wants them the next time, too.
    whole: RwSignal<bool>,
    /// Counts questions: an answer to an earlier one is not shown.
    asked: RwSignal<u32>,
    worker: StoredValue<Option<WorkerClient>, LocalStorage>,
}

impl<A> Clone for Adviser<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Adviser<A> {}

impl<A: DeserializeOwned + Clone + PartialEq + Send + Sync> Adviser<A> {
    /// Nobody has asked yet.
    pub fn new() -> Adviser<A> {
        Adviser {
            told: RwSignal::new(Told::Nothing),
            bot: RwSignal::new(String::new()),
            bots: RwSignal::new(Vec::new()),
            whole: RwSignal::new(false),
            asked: RwSignal::new(0),
            worker: StoredValue::new_local(None),
        }
    }

    /// Whether an answer, or that it is awaited, is shown.
    pub fn open(self) -> bool {
        self.told.with(|told| *told != Told::Nothing)
    }

    /// Reads what is advised, if anything is.
    pub fn advises(self, read: impl FnOnce(&A) -> bool) -> bool {
        self.told.with(|told| if let Told::Advice(Some(advice)) = told { read(advice) } else { false })
    }

    /// Asks. Where the answer is shown it is worked out, too: whoever never asks need not have loaded that.
    pub fn ask(self) {
        self.told.set(Told::Thinking);
        self.asked.update(|n| *n += 1);
    }

    fn close(self) {
        self.told.set(Told::Nothing);
        self.asked.update(|n| *n += 1);
    }

    async fn answer<V: Part + Serialize>(self, view: V) -> Result<Option<Box<A>>, String> {
        games::fetch_bots().await?;
        let bots = games::bots(V::FAMILY);
        if self.bot.try_with_untracked(|bot| !bots.contains(bot)).unwrap_or_default() {
            let last = dom::load(&asked_last::<V>()).filter(|bot| bots.contains(bot));
            let _ = self.bot.try_set(last.or_else(|| bots.last().cloned()).unwrap_or_default());
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
        let ask: Ask<(), Only<V>> = Ask::Advise { bot, view: Box::new(Only(view)) };
        let answer = worker.ask_with(&ask).await;
        if answer.is_err() {
            // The next question is for another one.
            let _ = self.worker.try_set_value(None);
        }
        answer
    }
}

/// Where the browser keeps which bot of a family was asked last.
fn asked_last<V: Part>() -> String {
    format!("{ADVISER}.{}", V::FAMILY.name())
}

/// What stands around an answer, and closes it.
pub fn frame<A: DeserializeOwned + Clone + PartialEq + Send + Sync>(
    adviser: Adviser<A>,
    label: String,
    inner: AnyView,
) -> AnyView {
    let thinks = move || adviser.told.with(|told| *told == Told::Thinking);
    view! {
        <section class="coach advice" aria-label=label data-testid="advice">
            <button class="plain small" data-testid="advice-close" on:click=move |_| adviser.close()>{t!("hint.close")}</button>
            {inner}
            {move || thinks().then(|| view! { <p class="quiet" data-testid="advice-thinks">{t!("hint.thinks")}</p> })}
        </section>
    }
    .into_any()
}

/// Asks the chosen bot about the view as it is now: beside the page, so that nothing is held up.
fn answer<T: Advises>(table: T, number: u32) {
    let adviser = table.adviser();
    let view = table.sight().with_untracked(Clone::clone);
    leptos::task::spawn_local(async move {
        let told = match adviser.answer(view).await {
            Ok(advice) => Told::Advice(advice),
            Err(why) => Told::Fault(why),
        };
        if adviser.asked.try_get_untracked() == Some(number) {
            let _ = adviser.told.try_set(told);
        }
    });
}

/// What was answered, and whom else one may ask: what stands in the [`frame`].
pub fn shown<T: Advises>(table: T) -> AnyView {
    let adviser = table.adviser();
    let Adviser { told, bot, bots, whole, asked, .. } = adviser;
    let voice = ui::voice();
    // What is decided anew is asked anew. (Not beside the button, which goes with the turn.)
    let moment = Memo::new(move |_| table.sight().with(T::moment));
    Effect::new(move || {
        let number = asked.get();
        if told.with_untracked(|told| *told == Told::Thinking) {
            answer(table, number);
        }
    });
    Effect::new(move |before: Option<()>| {
        moment.with(|_| ()); // (a memo that is only tracked is never worked out)
        if before.is_some() {
            adviser.close();
        }
    });
    // That there is nothing to decide is true until anything happens.
    Effect::new(move |before: Option<()>| {
        table.sight().with(|_| ());
        if before.is_some() && told.with_untracked(|told| *told == Told::Advice(None)) {
            adviser.close();
        }
    });
    Effect::new(move || {
        if let Told::Advice(Some(advice)) = told.get() {
            voice.say(untrack(|| table.spoken(&advice)));
        }
    });
    let choose = move |event| {
        bot.set(event_target_value(&event));
        dom::store(&asked_last::<<T::Family as Family>::View>(), &bot.get_untracked());
        adviser.ask();
    };
    let why = move || {
        let answered = told.with(|told| matches!(told, Told::Advice(Some(_))));
        answered.then(|| view! {
            <button class="plain small unfolds" data-testid="advice-unfold" aria-expanded=move || whole.get().to_string() on:click=move |_| whole.update(|whole| *whole = !*whole)>{t!("hint.why")}</button>
        })
    };
    let body = move || match told.get() {
        Told::Nothing | Told::Thinking => ().into_any(),
        Told::Fault(why) => view! { <p class="refusal" role="alert">{why}</p> }.into_any(),
        Told::Advice(None) => view! { <p data-testid="advice-none">{t!("hint.none")}</p> }.into_any(),
        Told::Advice(Some(advice)) => untrack(|| {
            view! {
                <h2 data-testid="advice-does">{table.action(&advice)}</h2>
                <ul class="reasons" class:folded=move || !whole.get() data-testid="advice-why">
                    {table.reasons(&advice).into_iter().map(|reason| view! { <li>{reason}</li> }).collect_view()}
                </ul>
                {table.more(&advice)}
            }
            .into_any()
        }),
    };
    view! {
        <p class="row">
            <label>
                {t!("hint.of")} " "
                <select class="small" data-testid="advice-bot" on:change=choose>
                    {move || bots.get().into_iter().map(|kind| {
                        let (label, value) = (games::bot_label(&kind), kind.clone());
                        view! { <option value=value prop:selected=move || bot.with(|bot| *bot == kind)>{label}</option> }
                    }).collect_view()}
                </select>
            </label>
            {why}
        </p>
        {body}
    }
    .into_any()
}
