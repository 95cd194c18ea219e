//! House rules: pick a game, change what your house plays otherwise, see at once what that means, keep it, pass it on,
//! and open a table. The server reads the rules, or without a network the engine beside this page; this page holds a draft and
//! shows what is said of it.
//!
//! Drafts are kept in this browser under their names, as codes. Who wants them elsewhere passes on the code or the file.

mod rounds;

use crate::api::{self, guest};
use crate::latest::{Latest, Turn};
use crate::pages::options::{self, Chosen};
use crate::pages::rules::illustrated;
use crate::route::navigator;
use crate::soon::{below, soon};
use crate::ui::Show;
use crate::worker_client::WorkerClient;
use crate::{dom, games, lang, t, ui};
use game::Sentence;
use leptos::prelude::*;
use rulebook::Family;
use rulebook::house::{Draft, DraftRound, Told};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use wire::api::{GameChoice, GameSheet, HouseRules, NewTable, OptionShown, ReadRules, RulesRead};
use worker::Ask;

/// Where the house rules of this browser are kept.
const KEPT: &str = "parlour.house";
/// How long typing rests before the server is asked, in milliseconds.
const REST: i32 = 250;
/// Options that stand above the groups, because people ask for them.
const FIRST: [&str; 13] = [
    "take.limit",
    "take.penalty",
    "layoff.when",
    "meld.size",
    "run.ace",
    "run.gap",
    "out.discard",
    "deck.jokers",
    "wild.ranks",
    "deal.cards",
    "no_claim",
    "penalty",
    "base",
];

/// House rules that are kept in this browser.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Kept {
    name: String,
    code: String,
}

/// All that the page holds.
#[derive(Clone, Copy)]
struct Desk {
    draft: RwSignal<Draft>,
    /// Rules that are not a change of a built-in game: they can be played and passed on, but not changed here.
    own: RwSignal<Option<String>>,
    read: RwSignal<Option<RulesRead>>,
    /// The game that the draft begins from.
    base: RwSignal<Option<GameSheet>>,
    seats: RwSignal<u8>,
    fault: RwSignal<String>,
    /// Changes once the words of contracts and rule sheets are there.
    words: RwSignal<bool>,
    /// Questions to the server: what the rules mean.
    latest: Latest,
}

impl Desk {
    /// Asks the server what the rules mean, once typing rests.
    fn ask(self) {
        let turn = self.latest.ask();
        dom::after(REST, move || {
            if !turn.holds() {
                return;
            }
            let rules = match self.own.get_untracked() {
                Some(text) => HouseRules::File(text),
                None => HouseRules::Draft(self.draft.get_untracked()),
            };
            leptos::task::spawn_local(async move {
                if let Some(read) = self.answer(turn, rules).await {
                    self.read.set(Some(read));
                }
            });
        });
    }

    /// What rules mean; none where that is not asked any more, or could not be said: then why stands on the page.
    async fn answer(self, turn: Turn, rules: HouseRules) -> Option<RulesRead> {
        let seats = self.seats.try_get_untracked()?;
        let answer = read(&ReadRules { rules, seats }).await;
        if !turn.holds() {
            return None;
        }
        self.fault.set(answer.as_ref().err().cloned().unwrap_or_default());
        answer.ok()
    }

    /// The rounds: its own, or those of the game that it begins from.
    fn rounds(self) -> Vec<DraftRound> {
        let own = self.draft.with(|draft| draft.rounds.clone());
        own.or_else(|| self.base.with(|base| base.as_ref().map(|base| base.rounds.clone())))
            .unwrap_or_default()
    }

    /// What is wrong with the rules, as the server says.
    fn faults(self) -> Memo<Vec<Told>> {
        Memo::new(move |_| {
            self.read.with(|read| read.as_ref().map(|read| read.meaning.faults.clone()).unwrap_or_default())
        })
    }

    fn change(self, with: impl FnOnce(&mut Draft)) {
        self.draft.update(with);
        self.ask();
    }

    /// Begins from a built-in game.
    fn begin(self, game: String) {
        self.own.set(None);
        self.change(|draft| {
            draft.base = game;
            draft.options = Map::new();
            draft.rounds = None;
        });
        self.fetch();
    }

    /// Fetches what can be set in the base.
    fn fetch(self) {
        let id = self.draft.with_untracked(|d| d.base.clone());
        leptos::task::spawn_local(async move {
            match api::get::<GameSheet>(&format!("/api/games/{id}")).await {
                Ok(sheet) if self.draft.try_with_untracked(|d| d.base == id) == Some(true) => {
                    let (min, max) = (sheet.info.players_min, sheet.info.players_max);
                    self.seats.update(|s| *s = (*s).clamp(min, max));
                    self.base.set(Some(sheet));
                }
                Ok(_) => {}
                Err(why) => {
                    let _ = self.fault.try_set(why);
                }
            }
        });
    }

    /// Takes rules that came as a code or as a file.
    fn import(self, text: String) {
        let text = text.trim().to_owned();
        let code = text.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("parlour"));
        let rules = if code { HouseRules::Code(text) } else { HouseRules::File(text) };
        let turn = self.latest.ask();
        leptos::task::spawn_local(async move {
            let Some(read) = self.answer(turn, rules).await else { return };
            match read.meaning.draft.clone() {
                Some(mut draft) => {
                    draft.name = name(&read).unwrap_or(draft.name);
                    self.own.set(None);
                    self.draft.set(draft);
                    self.fetch();
                }
                None => self.own.set(Some(read.rules.clone())),
            }
            self.read.set(Some(read));
        });
    }

    /// The name of the rules, as far as the server could read them.
    fn name(self) -> String {
        let own = self.read.with(|read| read.as_ref().and_then(name));
        own.unwrap_or_else(|| self.draft.with(|d| d.name.clone()))
    }

    fn code(self) -> String {
        self.read.with(|r| r.as_ref().map(|r| r.code.clone()).unwrap_or_default())
    }

    fn playable(self) -> bool {
        self.read.with(|r| r.as_ref().is_some_and(|r| r.meaning.game.is_some()))
    }
}

/// What the game is called whose rules were read, as its sheet has it over all: what families play is named in every language. None
/// where it cannot be played.
fn name(read: &RulesRead) -> Option<String> {
    let game = read.meaning.game.as_ref()?;
    Some(lang::told(read.meaning.told.lines.first().map(|line| &line.say), &game.name))
}

/// Asks the server what rules mean; without one the engine beside this page says it.
async fn read(asked: &ReadRules) -> Result<RulesRead, String> {
    match api::post("/api/rules/read", asked).await {
        Err(why) if api::is_unreached() => {
            let Ok(worker) = WorkerClient::start() else { return Err(why) };
            let read: Result<RulesRead, Sentence> = worker.ask(&Ask::<()>::Rules(asked.clone())).await?;
            match read {
                Ok(read) => Ok(read),
                Err(Sentence { text, say }) => {
                    lang::fetch_sheets().await;
                    Err(lang::told(Some(&say), &text))
                }
            }
        }
        answered => answered,
    }
}

#[component]
pub fn House(code: String) -> impl IntoView {
    let desk = Desk {
        draft: RwSignal::new(Draft {
            name: t!("house.first_name"),
            base: "contract".into(),
            ..Draft::default()
        }),
        own: RwSignal::new(None),
        read: RwSignal::new(None),
        base: RwSignal::new(None),
        seats: RwSignal::new(4),
        fault: RwSignal::new(String::new()),
        words: lang::sheets(),
        latest: Latest::new(),
    };
    if code.is_empty() {
        desk.fetch();
        desk.ask();
    } else {
        desk.import(code);
    }
    // What the base says comes after the page: nothing that stands here already makes room for it.
    let waits = Memo::new(move |before| {
        let nothing = desk.base.with(Option::is_none) && desk.own.with(Option::is_none);
        before != Some(&false) && nothing && desk.fault.with(String::is_empty)
    });
    view! {
        <div class="page" data-testid="house">
            <p class="crumbs"><a href="/rules">{t!("nav.rules")}</a></p>
            <h1>{t!("house.title")}</h1>
            <p>{t!("house.lead")}</p>
            <p class="refusal" role="alert" data-testid="house-fault">{move || desk.fault.get()}</p>
            <div class="house">
                <div>
                    {begin(desk)} {soon(move || kept(desk))}
                    <Show when=move || !waits.get() fallback=|| view! { <div class="waits"></div> }>{rounds::rounds(desk)} {below(move || settings(desk))}</Show>
                </div>
                <div class="house-meaning">
                    {meaning(desk)}
                    {below(move || view! { {share(desk)} {open(desk)} {sheet(desk)} }.into_any())}
                </div>
            </div>
        </div>
    }
}

/// Which game, and what the house calls it.
fn begin(desk: Desk) -> AnyView {
    let of = |family: Family| {
        let all = games::all().into_iter().filter(|g| g.family == family);
        all.map(|g| {
            let id = g.id.clone();
            view! { <option value=g.id prop:selected=move || desk.draft.with(|d| d.base == id)>{g.name}</option> }
        })
        .collect_view()
    };
    view! {
        <section class="panel">
            <div class="option">
                <label for="house-base">{t!("house.base")}</label>
                <select id="house-base" data-testid="house-base" on:change=move |e| desk.begin(event_target_value(&e))>
                    <optgroup label=t!("family.contract")>{of(Family::Contract)}</optgroup>
                    <optgroup label=t!("family.pattern")>{of(Family::Pattern)}</optgroup>
                </select>
            </div>
            <div class="option">
                <label for="house-name">{t!("house.name")}</label>
                <input
                    id="house-name"
                    type="text"
                    maxlength="60"
                    data-testid="house-name"
                    prop:value=move || desk.draft.with(|d| d.name.clone())
                    on:input=move |e| desk.change(|d| d.name = event_target_value(&e))
                />
            </div>
            <p class="quiet" class:hidden=move || desk.own.with(Option::is_none)>{t!("house.own")}</p>
        </section>
    }
    .into_any()
}

/// What this browser keeps, and what comes from elsewhere.
fn kept(desk: Desk) -> AnyView {
    let list = RwSignal::new(dom::load::<Vec<Kept>>(KEPT).unwrap_or_default());
    let text = RwSignal::new(String::new());
    let keep = move |_| {
        let (name, code) = (desk.name(), desk.code());
        list.update(|list| {
            list.retain(|k| k.name != name);
            list.insert(0, Kept { name, code });
        });
        list.with_untracked(|list| dom::store(KEPT, list));
    };
    let row = move |kept: Kept| {
        let (name, code) = (kept.name.clone(), kept.code);
        view! {
            <li class="row">
                <button class="plain" data-testid="house-kept" on:click=move |_| desk.import(code.clone())>{kept.name}</button>
                <button
                    class="plain small"
                    aria-label=t!("house.forget", name = name)
                    on:click=move |_| {
                        list.update(|list| list.retain(|k| k.name != name));
                        list.with_untracked(|list| dom::store(KEPT, list));
                    }
                >"✕"</button>
            </li>
        }
    };
    let file = move |e: leptos::ev::Event| {
        leptos::task::spawn_local(async move {
            if let Some(text) = dom::picked_text(e).await {
                desk.import(text);
            }
        });
    };
    view! {
        <section class="panel">
            <h2>{t!("house.kept")}</h2>
            <ul class="plain-list">{move || list.get().into_iter().map(row).collect_view()}</ul>
            <button data-testid="house-keep" disabled=move || desk.code().is_empty() on:click=keep>{t!("house.keep")}</button>
            <details>
                <summary data-testid="house-import-open">{t!("house.import")}</summary>
                <label for="house-code">{t!("house.paste")}</label>
                <textarea id="house-code" rows="4" data-testid="house-import-text" on:input=move |e| text.set(event_target_value(&e))></textarea>
                <div class="row">
                    <button data-testid="house-import" on:click=move |_| desk.import(text.get_untracked())>{t!("house.take_over")}</button>
                    <label class="button">{t!("house.file")}<input type="file" class="offscreen" accept=".toml,text/plain" on:change=file/></label>
                </div>
            </details>
        </section>
    }
    .into_any()
}

/// Every option, in groups.
fn settings(desk: Desk) -> AnyView {
    let rounds = Memo::new(move |_| desk.rounds().len());
    let chosen = move |options: &[OptionShown]| Chosen {
        options: Memo::new(move |_| desk.draft.with(|d| d.options.clone())).into(),
        set: Callback::new(move |new| desk.change(|d| options::put(&mut d.options, new))),
        faults: desk.faults().into(),
        game: StoredValue::new(options::Game {
            held: options::held(options),
            rounds: rounds.into(),
            seats: None,
            round: None,
        }),
    };
    let groups = move || {
        let told = desk.base.with(|b| b.as_ref().map(|b| (b.info.family, b.options.clone())));
        let (family, told) = told.unwrap_or((Family::Contract, Vec::new()));
        let chosen = chosen(&told);
        let (top, rest): (Vec<_>, Vec<_>) = told.into_iter().partition(|o| FIRST.contains(&o.key.as_str()));
        view! {
            {top.into_iter().map(|o| options::field(family, o, chosen)).collect_view()}
            {options::grouped(family, rest, chosen)}
        }
    };
    view! {
        <section class="panel options" class:hidden=move || desk.own.with(Option::is_some)>
            <h2>{t!("new.options")}</h2>
            {groups}
        </section>
    }
    .into_any()
}

/// A fault or a warning in words.
fn told(told: Told) -> AnyView {
    let line = told.line.map(|n| t!("house.line", n = n)).unwrap_or_default();
    view! { <p>{line} {lang::sentence(&told.reason)} ". " <strong>{lang::sentence(&told.remedy)}</strong> " " <span class="quiet">"(" {told.check} ")"</span></p> }
        .into_any()
}

/// What the rules mean, as the server says.
fn meaning(desk: Desk) -> AnyView {
    let body = move || {
        desk.words.track();
        let Some(read) = desk.read.get() else {
            return view! { <p class="quiet">{t!("house.asking")}</p> }.into_any();
        };
        let found = read.meaning;
        let rounds = found.rounds.into_iter().filter(|r| r.played).map(|r| {
            let label = lang::look_up(&format!("rule.label.{}", r.label)).unwrap_or(r.label);
            let takes = match r.takes {
                None => t!("house.never"),
                Some(0) => String::new(),
                Some(n) => t!("house.needs", n = n),
            };
            view! {
                <tr data-testid=format!("house-round-{}", r.number)>
                    <th scope="row">{r.number}</th>
                    <td>{lang::sentence(&r.contract)} <span class="quiet">" " {label}</span></td>
                    <td class="number">{r.deal}</td>
                    <td class="number">{r.need}</td>
                    <td>{takes}</td>
                </tr>
            }
        });
        let rounds = rounds.collect_view();
        let none = rounds.is_empty();
        let seats = found.tables.into_iter().map(|t| {
            let says = if t.fault.is_empty() {
                if t.cards > 0 { t!("house.cards_in_all", n = t.cards) } else { t!("house.can_play") }
            } else {
                lang::sentence(&t.fault)
            };
            view! { <li data-testid=format!("house-seats-{}", t.seats)>{t!("house.with", n = t.seats)} " " {says}</li> }
        });
        let seats = seats.collect_view();
        let (faultless, unwarned) = (found.faults.is_empty(), found.warnings.is_empty());
        view! {
            <div class="refusal" role="alert" data-testid="house-faults" class:hidden=faultless>
                {found.faults.into_iter().map(told).collect_view()}
            </div>
            <div class="notes" class:hidden=unwarned>{found.warnings.into_iter().map(told).collect_view()}</div>
            <div class="table-scroll" class:hidden=none>
                <table class="house-rounds">
                    <thead><tr><td></td><th scope="col">{t!("house.contract")}</th><th scope="col">{t!("house.dealt")}</th><th scope="col">{t!("house.needed")}</th><td></td></tr></thead>
                    <tbody>{rounds}</tbody>
                </table>
            </div>
            <ul class="plain-list quiet">{seats}</ul>
        }
        .into_any()
    };
    view! { <section class="panel" aria-live="polite" data-testid="house-meaning"><h2>{t!("house.means")}</h2>{body}</section> }.into_any()
}

/// Code and file.
fn share(desk: Desk) -> AnyView {
    let voice = ui::voice();
    let copy = move |_| voice.copy(untrack(|| desk.code()));
    view! {
        <section class="panel" class:hidden=move || desk.code().is_empty()>
            <h2>{t!("house.share")}</h2>
            <p class="quiet">{t!("house.share_help")}</p>
            <textarea readonly rows="3" data-testid="house-share-code" aria-label=t!("house.code") prop:value=move || desk.code()></textarea>
            <div class="row">
                <button data-testid="house-copy" on:click=copy>{t!("ui.copy")}</button>
                <a class="button" download="" data-testid="house-toml" href=move || format!("/api/rules/{}/rules.toml?download", desk.code())>{t!("house.toml")}</a>
            </div>
        </section>
    }
    .into_any()
}

/// A table with these rules.
fn open(desk: Desk) -> AnyView {
    let bots = RwSignal::new(true);
    let busy = RwSignal::new(false);
    let (guest, go) = (guest(), navigator());
    let create = move |_| {
        let Some(read) = desk.read.get_untracked() else { return };
        let seats = desk.seats.get_untracked();
        let family = read.meaning.game.as_ref().map_or(Family::Contract, |g| g.family);
        let weakest = games::bots(family).into_iter().next().unwrap_or_default();
        let bots = if bots.get_untracked() { vec![weakest; usize::from(seats) - 1] } else { Vec::new() };
        let table = NewTable::private(GameChoice::Rules(read.rules), seats, bots);
        leptos::task::spawn_local(async move {
            let made = guest.open_table(&table, family, busy, |_| {}).await;
            match made {
                Ok(made) => made.into_iter().for_each(go),
                Err(why) => {
                    let _ = desk.fault.try_set(why);
                }
            }
        });
    };
    let seats = move || {
        let tables = desk.read.with(|r| r.as_ref().map(|r| r.meaning.tables.clone()).unwrap_or_default());
        tables
            .into_iter()
            .map(|t| {
                let n = t.seats;
                view! { <option value=n.to_string() disabled=!t.fault.is_empty() prop:selected=move || desk.seats.get() == n>{n}</option> }
            })
            .collect_view()
    };
    let possible = move || {
        desk.read.with(|r| {
            r.as_ref().is_some_and(|r| {
                r.meaning.tables.iter().any(|t| t.seats == desk.seats.get() && t.fault.is_empty())
            })
        })
    };
    view! {
        <section class="panel" class:hidden=move || !desk.playable()>
            <h2>{t!("new.title_short")}</h2>
            <div class="option">
                <label for="house-seats">{t!("new.seats")}</label>
                <select
                    id="house-seats"
                    data-testid="house-seats"
                    on:change=move |e| {
                        if let Ok(n) = event_target_value(&e).parse() {
                            desk.seats.set(n);
                            desk.ask();
                        }
                    }
                >{seats}</select>
            </div>
            <div class="option">
                <label for="house-bots">{t!("house.bots")}</label>
                <input id="house-bots" type="checkbox" role="switch" data-testid="house-bots" prop:checked=move || bots.get() on:change=move |e| bots.set(event_target_checked(&e))/>
            </div>
            <button class="primary" data-testid="house-create" aria-busy=move || busy.get().then_some("true") disabled=move || busy.get() || !possible() on:click=create>{t!("new.create")}</button>
        </section>
    }
    .into_any()
}

/// The rule sheet.
fn sheet(desk: Desk) -> AnyView {
    let text = move || {
        desk.words.track();
        desk.read
            .with(|r| r.as_ref().map(|r| lang::sheet(&r.meaning.told, &r.meaning.sheet)).unwrap_or_default())
    };
    let shown = move || {
        desk.words.track();
        desk.read.with(|r| {
            r.as_ref().map(|r| illustrated(&r.meaning.told, &lang::sheet(&r.meaning.told, &r.meaning.sheet)))
        })
    };
    let opened = RwSignal::new(false);
    let id = move || {
        desk.read
            .with(|r| r.as_ref().and_then(|r| Some(r.meaning.game.as_ref()?.id.clone())).unwrap_or_default())
    };
    view! {
        <details class="panel" data-testid="house-sheet" class:hidden=move || !desk.playable() on:toggle=move |_| opened.set(true)>
            <summary>{t!("house.sheet")}</summary>
            <Show when=move || opened.get()>
                <p><a download=move || format!("{}.md", id()) href=move || dom::text_file(&text())>{t!("rules.markdown")}</a></p>
                {shown}
            </Show>
        </details>
    }
    .into_any()
}
