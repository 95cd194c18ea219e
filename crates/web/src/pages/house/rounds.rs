//! The contracts of house rules, round by round: their melds are pressed together, and whoever knows the notation writes them.

use super::Desk;
use crate::pages::options::{self, Numbers, stepper};
use crate::ui::Show;
use crate::{dom, lang, t, ui};
use contract::meld::{Kind, Suits};
use contract::rules::{Choice, Slot};
use game::{Say, say};
use leptos::prelude::*;
use rulebook::Family;
use rulebook::house::DraftRound;
use serde_json::{Map, Value};
use wire::api::OptionShown;

/// All contracts of a round: of these one is laid.
type Contracts = Vec<Vec<Choice>>;
const KINDS: [Kind; 4] = [Kind::Group, Kind::Run, Kind::Pair, Kind::Flush];
/// Melds and contracts of a round that are shown to be pressed: what a stranger's code asks for may be any number.
const MOST: usize = 60;
/// The option that a round has a field of its own for in rule files.
const DEALT: &str = "deal.cards";

/// The rounds of a draft.
#[derive(Clone, Copy)]
struct Rounds {
    desk: Desk,
    now: Memo<Vec<DraftRound>>,
    /// Which of them is open.
    open: RwSignal<Option<usize>>,
}

/// One of them, counted from 0.
#[derive(Clone, Copy)]
struct Round {
    all: Rounds,
    at: usize,
    /// None where the text is no contract, or longer than anybody would press.
    contracts: Memo<Option<Contracts>>,
}

/// Where something stands in the contracts of a round: which contract, which meld of it, which of the things that it may be.
type Place = [usize; 3];

/// The contracts, round by round.
pub fn rounds(desk: Desk) -> AnyView {
    let now = Memo::new(move |_| desk.rounds());
    let all = Rounds { desk, now, open: RwSignal::new(None) };
    let how_many = Memo::new(move |_| now.with(Vec::len));
    view! {
        <section class="panel rounds" class:hidden=move || how_many.get() == 0 || desk.own.with(Option::is_some)>
            <h2>{t!("house.contracts")}</h2>
            <ol class="plain-list">{move || (0..how_many.get()).map(|at| all.round(at)).collect_view()}</ol>
            <button
                data-testid="house-more"
                on:click=move |_| {
                    let last = untrack(move || how_many.get());
                    all.change(last, |list| {
                        let contract = list.last().map_or_else(|| "G3 G3".into(), |round| round.contract.clone());
                        list.push(DraftRound { contract, ..DraftRound::default() });
                    });
                }
            >{t!("house.more")}</button>
        </section>
    }
    .into_any()
}

impl Rounds {
    /// Changes the rounds, opens one of them and goes there with the keyboard.
    fn change(self, open: usize, with: impl FnOnce(&mut Vec<DraftRound>)) {
        let mut list = self.now.get_untracked();
        with(&mut list);
        self.desk.change(|draft| draft.rounds = Some(list));
        self.open.set(Some(open));
        focus(format!("[data-testid='house-edit-{}']", open + 1));
    }

    /// An option of the game that the draft begins from.
    fn option(self, key: &str) -> Option<OptionShown> {
        self.desk
            .base
            .with_untracked(|base| base.as_ref()?.options.iter().find(|option| option.key == key).cloned())
    }

    /// What a round asks for in words, as the server says; none while what it has read is another contract.
    fn said(self, at: usize) -> Option<String> {
        let of = |list: &Vec<DraftRound>| list.get(at).and_then(DraftRound::contracts);
        self.desk.read.with(|read| {
            let meaning = &read.as_ref()?.meaning;
            let own = meaning.draft.as_ref().and_then(|draft| draft.rounds.as_ref());
            let read = own.map_or_else(|| self.desk.base.with(|base| of(&base.as_ref()?.rounds)), of);
            (read.is_some() && read == self.now.with(of))
                .then(|| meaning.rounds.get(at).map(|round| lang::sentence(&round.contract)))
                .flatten()
        })
    }

    /// What can be done to one round, under a line that says what it asks for.
    fn round(self, at: usize) -> AnyView {
        let now = self.now;
        let contracts = Memo::new(move |_| {
            let mut contracts = now.with(|list| list.get(at).and_then(DraftRound::contracts))?;
            tidy(&mut contracts);
            (fields(&contracts) <= MOST).then_some(contracts)
        });
        let round = Round { all: self, at, contracts };
        let shown = Memo::new(move |_| self.open.get() == Some(at));
        let asks = move || {
            self.desk.words.track();
            self.said(at).unwrap_or_else(|| round.text(|r| r.contract.clone()))
        };
        view! {
            <li>
                <details aria-label=t!("house.contract_of", n = at + 1) prop:open=move || shown.get()>
                    <summary
                        data-testid=format!("house-edit-{}", at + 1)
                        on:click=move |e| {
                            e.prevent_default();
                            self.open.update(|open| *open = (*open != Some(at)).then_some(at));
                        }
                    ><span class="quiet">{at + 1}</span> <span>{asks}</span></summary>
                    <Show when=move || shown.get()>{round.body()}</Show>
                </details>
            </li>
        }
        .into_any()
    }
}

/// Leaves out melds that may be nothing, and contracts without melds beside others.
fn tidy(contracts: &mut Contracts) {
    contracts.iter_mut().for_each(|melds| melds.retain(|meld| !meld.0.is_empty()));
    let nothing = contracts.iter().all(Vec::is_empty);
    contracts.retain(|melds| nothing || !melds.is_empty());
    if nothing {
        contracts.truncate(1);
    }
}

/// How many fields contracts have, and things around them.
fn fields(contracts: &[Vec<Choice>]) -> usize {
    contracts.len() + contracts.iter().flatten().map(|meld| meld.0.len()).sum::<usize>()
}

/// The things that the meld in this place may be.
fn slots_at(contracts: &mut Contracts, [contract, meld, _]: Place) -> Option<&mut Vec<Slot>> {
    Some(&mut contracts.get_mut(contract)?.get_mut(meld)?.0)
}

/// Moves the keyboard to what a change has made.
fn focus(selector: String) {
    dom::after(0, move || dom::focus(&selector));
}

/// A meld of another kind, with what can be kept of it.
fn of_kind(slot: &Slot, kind: Kind) -> Slot {
    let ranked = matches!(kind, Kind::Group | Kind::Pair);
    Slot {
        kind,
        size: match kind {
            Kind::Pair => 2,
            _ if slot.kind == Kind::Pair => 3,
            _ => slot.size.max(kind.least()),
        },
        wilds: slot.wilds,
        distinct: slot.distinct && ranked,
        suits: Suits::One,
        rank: slot.rank.clone().filter(|_| ranked),
    }
}

/// What a meld becomes when one more is asked for, where there is none like it.
fn first() -> Slot {
    Slot { kind: Kind::Group, size: 3, wilds: None, distinct: false, suits: Suits::One, rank: None }
}

/// How a slot binds the suits, and the words for it.
fn suits_of(kind: Kind) -> Vec<(Suits, bool, Option<Say>)> {
    match kind {
        Kind::Group | Kind::Pair => {
            vec![(Suits::One, false, None), (Suits::One, true, Some(say!("want.distinct")))]
        }
        Kind::Run => vec![
            (Suits::One, false, None),
            (Suits::Free, false, Some(say!("want.any_suits"))),
            (Suits::Colour, false, Some(say!("want.one_colour"))),
            (Suits::Alternate, false, Some(say!("want.alternating"))),
        ],
        Kind::Flush => vec![(Suits::One, false, None), (Suits::Colour, false, Some(say!("want.one_colour")))],
    }
}

/// The words for what a slot says of wilds (flags `c` and `w1` to `w9`).
fn wilds_said(most: u8) -> Say {
    if most == 0 { say!("want.clean") } else { say!("want.wilds", n = most) }
}

fn spoken(said: Say) -> String {
    lang::tell(&said).unwrap_or_default()
}

/// A list of words to choose from, under its name.
fn select(
    id: String,
    label: String,
    words: Vec<String>,
    current: Memo<usize>,
    choose: impl Fn(usize) + 'static,
) -> AnyView {
    let options = words.into_iter().enumerate().map(|(n, said)| {
        view! { <option value=n.to_string() prop:selected=move || current.get() == n>{said}</option> }
    });
    let chosen = move |e: leptos::ev::Event| {
        if let Ok(n) = event_target_value(&e).parse() {
            choose(n);
        }
    };
    view! {
        <div class="option">
            <label for=id.clone()>{label}</label>
            <select id=id.clone() data-testid=id on:change=chosen>{options.collect_view()}</select>
        </div>
    }
    .into_any()
}

impl Round {
    /// Something of this round's text.
    fn text(self, of: impl FnOnce(&DraftRound) -> String) -> String {
        self.all.now.with(|list| list.get(self.at).map(of).unwrap_or_default())
    }

    fn write(self, with: impl FnOnce(&mut DraftRound)) {
        let mut list = self.all.now.get_untracked();
        if let Some(round) = list.get_mut(self.at) {
            with(round);
        }
        self.all.desk.change(|draft| draft.rounds = Some(list));
    }

    /// Whether so many fields more can be shown.
    fn has_room(self, more: usize) -> bool {
        self.contracts.with(|all| all.as_ref().is_some_and(|all| fields(all) + more <= MOST))
    }

    /// Changes the contracts.
    fn change(self, with: impl FnOnce(&mut Contracts)) {
        let Some(mut contracts) = self.contracts.get_untracked() else { return };
        with(&mut contracts);
        tidy(&mut contracts);
        self.write(|round| round.contract = DraftRound::contract_text(&contracts));
    }

    fn slot(self, [contract, meld, choice]: Place) -> Option<Slot> {
        self.contracts.with(|all| all.as_ref()?.get(contract)?.get(meld)?.0.get(choice).cloned())
    }

    fn set(self, place: Place, with: impl FnOnce(&mut Slot)) {
        self.change(|all| {
            if let Some(slot) = slots_at(all, place).and_then(|slots| slots.get_mut(place[2])) {
                with(slot);
            }
        });
    }

    fn id(self, what: &str, [contract, meld, choice]: Place) -> String {
        format!("house-{what}-{}-{}-{}-{}", self.at + 1, contract + 1, meld + 1, choice + 1)
    }

    fn focus(self, what: &str, place: Place) {
        focus(format!("#{}", self.id(what, place)));
    }

    fn body(self) -> AnyView {
        // Only another number of contracts, melds or choices makes other fields: else the keyboard would lose its place.
        let shape = Memo::new(move |_| {
            let sizes = |melds: &Vec<Choice>| melds.iter().map(|meld| meld.0.len()).collect::<Vec<usize>>();
            self.contracts.with(|all| all.as_ref().map(|all| all.iter().map(sizes).collect::<Vec<_>>()))
        });
        let round = self.at + 1;
        let melds = move || {
            let shape = shape.get().unwrap_or_default();
            let lists = shape.into_iter().enumerate().map(|(contract, sizes)| self.contract(contract, sizes));
            lists.collect_view()
        };
        view! {
            <div class="round-body">
                {melds}
                <div class="row">
                    <button class="small" data-testid=format!("house-or-contract-{round}") class:hidden=move || shape.with(Option::is_none) disabled=move || !self.has_room(self.fields_of_last()) on:click=move |_| self.another_contract()>{t!("house.or_contract")}</button>
                </div>
                {self.own()}
                <div class="option">
                    <label for=format!("house-text-{round}")>{t!("house.written")}</label>
                    <input
                        id=format!("house-text-{round}")
                        type="text"
                        data-testid=format!("house-contract-{round}")
                        prop:value=move || self.text(|r| r.contract.clone())
                        on:change=move |e| self.write(|r| r.contract = event_target_value(&e))
                    />
                    <p class="quiet">{t!("house.slots")}</p>
                </div>
                <div class="row">
                    <button
                        class="small"
                        data-testid=format!("house-earlier-{round}")
                        disabled=self.at == 0
                        on:click=move |_| self.all.change(self.at - 1, |list| list.swap(self.at - 1, self.at))
                    >{t!("house.earlier")}</button>
                    <button
                        class="small"
                        data-testid=format!("house-less-{round}")
                        disabled=move || self.all.now.with(|list| list.len() < 2)
                        on:click=move |_| self.remove()
                    >{t!("house.less", n = round)}</button>
                </div>
            </div>
        }
        .into_any()
    }

    fn remove(self) {
        self.all.change(self.at, |list| {
            list.remove(self.at);
        });
        // Nobody asks for the next one to be open.
        self.all.open.set(None);
        let left = self.all.now.with_untracked(Vec::len);
        focus(format!("[data-testid='house-edit-{}']", (self.at + 1).min(left)));
    }

    /// Another contract to choose from, like the last one.
    fn another_contract(self) {
        let last = |all: &Contracts| all.last().cloned().filter(|melds| !melds.is_empty());
        self.change(|all| all.push(last(all).unwrap_or_else(|| vec![Choice(vec![first()])])));
        self.focus("kind", [self.last(), 0, 0]);
    }

    /// One contract: its melds, and one more.
    fn contract(self, contract: usize, sizes: Vec<usize>) -> AnyView {
        let or = (contract > 0).then(|| view! { <p class="quiet">{t!("ui.or")}</p> });
        let many = sizes.len();
        let more = move |_: leptos::ev::MouseEvent| {
            self.change(|all| {
                if let Some(melds) = all.get_mut(contract) {
                    melds.push(melds.last().cloned().unwrap_or_else(|| Choice(vec![first()])));
                }
            });
            self.focus("kind", [contract, many, 0]);
        };
        let melds = sizes.into_iter().enumerate().map(|(meld, choices)| {
            let slots = (0..choices).map(|choice| self.meld([contract, meld, choice], choices));
            slots.collect_view()
        });
        view! {
            {or}
            {melds.collect_view()}
            <div class="row">
                <button class="small" id=self.id("add", [contract, 0, 0]) data-testid=self.id("add", [contract, 0, 0]) disabled=move || !self.has_room(Choice::MOST) on:click=more>{t!("house.meld_more")}</button>
            </div>
        }
        .into_any()
    }

    /// One meld, or one of the things that it may be.
    fn meld(self, place: Place, choices: usize) -> AnyView {
        let [contract, meld, choice] = place;
        let kind = Memo::new(move |_| self.slot(place).map_or(Kind::Group, |slot| slot.kind));
        let kinds = KINDS.map(|one| {
            view! { <option value=one.letter().to_string() prop:selected=move || kind.get() == one>{dom::capitalized(&spoken(one.say()))}</option> }
        });
        let choose = move |e: leptos::ev::Event| {
            if let Some(kind) = event_target_value(&e).chars().next().and_then(Kind::from_letter) {
                self.set(place, |slot| *slot = of_kind(slot, kind));
            }
        };
        let size = move || {
            let kind = kind.get();
            let get = move || self.slot(place).map(|slot| i64::from(slot.size));
            let set = move |n: i64| {
                let size = n.clamp(kind.least().into(), Slot::LARGEST.into()) as u8;
                self.set(place, |slot| slot.size = size);
            };
            let numbers = Numbers::of(kind.least().into(), Slot::LARGEST.into());
            (kind != Kind::Pair).then(|| stepper(self.id("size", place), t!("house.size"), numbers, get, set))
        };
        let remove = move |_: leptos::ev::MouseEvent| {
            self.change(|all| {
                if let Some(slots) = slots_at(all, place).filter(|slots| choice < slots.len()) {
                    slots.remove(choice);
                }
            });
            self.focus("add", [contract.min(self.last()), 0, 0]);
        };
        let label = t!("house.meld_of", n = meld + 1, round = self.at + 1);
        view! {
            <div class="meld-rule" class:other={choice > 0} role="group" aria-label=label>
                {(choice > 0).then(|| view! { <span class="quiet">{t!("ui.or")}</span> })}
                <select id=self.id("kind", place) data-testid=self.id("kind", place) aria-label=t!("house.kind") on:change=choose>{kinds}</select>
                {size}
                <button class="plain small" aria-label=t!("house.meld_less", n = meld + 1) data-testid=self.id("out", place) on:click=remove>"✕"</button>
                {self.finer(place, kind, choices)}
            </div>
        }
        .into_any()
    }

    /// How many fields the last contract has, and things around it.
    fn fields_of_last(self) -> usize {
        let last = |all: &Contracts| fields(&all[all.len().saturating_sub(1)..]);
        self.contracts.with(|all| all.as_ref().map_or(0, last))
    }

    /// Which contract is the last.
    fn last(self) -> usize {
        self.contracts.with_untracked(|all| all.as_ref().map_or(0, |all| all.len().saturating_sub(1)))
    }

    /// What few houses change of a meld: its wilds, suits and rank, and what else may lie in its place.
    fn finer(self, place: Place, kind: Memo<Kind>, choices: usize) -> AnyView {
        let [contract, meld, choice] = place;
        let says = move || {
            let Some(slot) = self.slot(place) else { return String::new() };
            let suits = suits_of(slot.kind).into_iter();
            let suits =
                suits.filter(|(suits, distinct, _)| (*suits, *distinct) == (slot.suits, slot.distinct));
            let rank = slot.rank.as_deref().map(|rank| say!("want.of_rank", rank = ui::rank_name(rank)));
            let said: Vec<String> = suits
                .filter_map(|(.., said)| said)
                .chain(slot.wilds.map(wilds_said))
                .chain(rank)
                .map(spoken)
                .collect();
            if said.is_empty() { t!("house.finer") } else { said.join(", ") }
        };
        let or = move |_: leptos::ev::MouseEvent| {
            self.change(|all| {
                let Some(slots) = slots_at(all, place) else { return };
                let Some(like) = slots.get(choice).cloned() else { return };
                let other =
                    if slots.iter().any(|slot| slot.kind == Kind::Run) { Kind::Group } else { Kind::Run };
                slots.push(of_kind(&like, other));
            });
            self.focus("kind", [contract, meld, choices]);
        };
        view! {
            <details aria-label=t!("house.finer")>
                <summary>{says}</summary>
                {self.wilds(place)}
                {move || self.suits(place, kind.get())}
                {move || matches!(kind.get(), Kind::Group | Kind::Pair).then(|| self.rank(place))}
                <button class="small" id=self.id("or", place) disabled=move || { choices >= Choice::MOST || !self.has_room(1) } on:click=or>{t!("house.or_meld")}</button>
            </details>
        }
        .into_any()
    }

    fn wilds(self, place: Place) -> AnyView {
        let current = Memo::new(move |_| {
            self.slot(place).and_then(|slot| slot.wilds).map_or(0, |most| usize::from(most) + 1)
        });
        let choose =
            move |n: usize| self.set(place, |slot| slot.wilds = n.checked_sub(1).map(|most| most as u8));
        let said = (0..=9).map(|most| spoken(wilds_said(most)));
        let all = std::iter::once(t!("house.as_always")).chain(said).collect();
        select(self.id("wilds", place), t!("group.wild"), all, current, choose)
    }

    fn suits(self, place: Place, kind: Kind) -> AnyView {
        let current = Memo::new(move |_| {
            let slot = self.slot(place).map(|slot| (slot.suits, slot.distinct));
            let of = |(suits, distinct, _): &(Suits, bool, _)| Some((*suits, *distinct)) == slot;
            suits_of(kind).iter().position(of).unwrap_or_default()
        });
        let choose = move |n: usize| {
            if let Some((suits, distinct, _)) = suits_of(kind).get(n) {
                self.set(place, |slot| (slot.suits, slot.distinct) = (*suits, *distinct));
            }
        };
        let said =
            suits_of(kind).into_iter().map(|(.., said)| said.map_or_else(|| t!("house.as_always"), spoken));
        select(self.id("suits", place), t!("house.suits"), said.collect(), current, choose)
    }

    fn rank(self, place: Place) -> AnyView {
        let slot = move || self.slot(place);
        // Those of the pack, and what somebody has written.
        let mut ranks = self.all.option("wild.ranks").map(|option| option.names).unwrap_or_default();
        if let Some(own) = untrack(slot).filter(|slot| !ranks.iter().any(|rank| slot.names(rank))) {
            ranks.extend(own.rank);
        }
        let all = std::iter::once(t!("house.as_always"))
            .chain(ranks.iter().map(|rank| ui::rank_name(rank)))
            .collect();
        let ranks = StoredValue::new(ranks);
        let current = Memo::new(move |_| {
            let named = slot();
            let is = |rank: &String| named.as_ref().is_some_and(|slot| slot.names(rank));
            ranks.with_value(|ranks| ranks.iter().position(is)).map_or(0, |n| n + 1)
        });
        let choose = move |n: usize| {
            let rank = n.checked_sub(1).and_then(|n| ranks.with_value(|ranks| ranks.get(n).cloned()));
            self.set(place, |slot| slot.rank = rank);
        };
        select(self.id("rank", place), t!("house.rank"), all, current, choose)
    }

    /// What holds in this round alone: how many cards are dealt, and whatever else may differ from one round to the next.
    fn own(self) -> AnyView {
        let (all, desk) = (self.all, self.all.desk);
        let set = Callback::new(move |(key, value): options::Choice| {
            self.write(|round| match (key.as_str(), value) {
                (DEALT, Some(Value::String(text))) => round.deal = text,
                (DEALT, value) => round.deal = value.map(|value| value.to_string()).unwrap_or_default(),
                (_, value) => options::put(&mut round.set, (key, value)),
            });
        });
        let chosen = move |told: &[OptionShown]| options::Chosen {
            options: Memo::new(move |_| {
                all.now.with(|list| {
                    let Some(round) = list.get(self.at) else { return Map::new() };
                    let dealt = round.dealt().map(|dealt| (DEALT.to_owned(), dealt));
                    round.set.clone().into_iter().chain(dealt).collect()
                })
            })
            .into(),
            set,
            faults: desk.faults().into(),
            game: StoredValue::new(options::Game {
                held: options::held(told),
                rounds: Signal::stored(0),
                seats: None,
                round: Some(self.at + 1),
            }),
        };
        // What holds in the house holds in each of its rounds.
        let house = Memo::new(move |_| desk.draft.with(|draft| draft.options.clone()));
        let fields = move || {
            let mut told =
                desk.base.with(|base| base.as_ref().map(|base| base.options.clone())).unwrap_or_default();
            for option in &mut told {
                if let Some(own) = house.with(|house| house.get(&option.key).cloned()) {
                    option.default = own;
                }
            }
            let chosen = chosen(&told);
            told.retain(|option| !option.whole_match);
            let (dealt, rest): (Vec<_>, Vec<_>) = told.into_iter().partition(|option| option.key == DEALT);
            let dealt = dealt.into_iter().map(|option| options::field(Family::Contract, option, chosen));
            let rest = move || options::grouped(Family::Contract, rest.clone(), chosen);
            view! { {dealt.collect_view()} {options::folded(t!("house.round_only"), rest)} }
        };
        view! { <div class="options" data-testid=format!("house-own-{}", self.at + 1)>{fields}</div> }
            .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meld_of_another_kind_keeps_what_it_can() {
        let check = |slot: &str, kind: Kind, other: &str| {
            let found = of_kind(&slot.parse().unwrap(), kind);
            assert_eq!(found.to_string(), other, "{slot}");
            assert_eq!(found.to_string().parse(), Ok(found), "{slot} becomes what can be read");
        };
        check("G3", Kind::Run, "R3");
        check("G3w1s=A", Kind::Run, "R3w1");
        check("G3w1s=A", Kind::Pair, "P2w1s=A");
        check("P2c", Kind::Group, "G3c");
        check("R7k", Kind::Flush, "F7");
        check("G1", Kind::Run, "R2");
    }
}
