//! The table: everybody with what they laid, the piles in the middle, and what lies before the own seat.

use super::{Rummy, advice, coach, meld, panels, stage};
use crate::prefs::prefs;
use crate::soon::soon;
use crate::ui::Show;
use crate::{dom, t};
use cards::Face;
use contract::View;
use contract::state::{MOST, Phase};
use game::Seat;
use leptos::prelude::*;

/// Most backs that a hand shows; how many cards it has stands beside them.
const MOST_BACKS: i64 = 16;

/// Everything that lies on the table.
#[component]
pub fn Felt() -> impl IntoView {
    let rummy: Rummy = expect_context();
    // What is dragged, else what is selected.
    let chosen = Memo::new(move |_| {
        let dragged = rummy.drag.faces(rummy);
        if dragged.is_empty() { rummy.hand.chosen().iter().map(|c| c.face).collect() } else { dragged }
    });
    // Of the melds that take the chosen cards one comes into sight.
    Effect::new(move || {
        if !rummy.hand.selected.with(Vec::is_empty) {
            dom::next_frame(|| dom::reveal(".players", ".players .tmeld.target"));
        }
    });
    // Who sits here and how many they are, as one number: each type that is remembered makes the program larger.
    let seating = Memo::new(move |_| {
        let seats = rummy.view.with(|s| usize::from(s.flow.seats));
        seats * MOST + rummy.me().map_or(0, |seat| 1 + seat.index())
    });
    let me = move || {
        let _ = seating.get();
        untrack(|| rummy.me())
    };
    // The others in the order of play, from the left hand of whoever sits here.
    let others = move || {
        let me = me();
        rummy.view.with_untracked(|s| {
            let first = me.unwrap_or(Seat(0));
            let seats = (0..s.flow.seats).map(|n| s.flow.step(&s.compiled, first, n.into()));
            seats.filter(|seat| Some(*seat) != me).collect::<Vec<_>>()
        })
    };
    let bare = Memo::new(move |_| rummy.view.with(|s| s.board.melds.is_empty()));
    let classes = Memo::new(move |_| classes(rummy, &others(), bare.get()));
    let prefs = prefs();
    let coached = Memo::new(move |_| prefs.get().coach);
    let other = move |(at, seat): (usize, Seat)| {
        view! {
            <li
                class="player"
                class:turn=move || has_turn(rummy, seat)
                style:--at=at.to_string()
                data-testid=format!("player-{}", seat.0)
                aria-current=move || has_turn(rummy, seat).then_some("true")
            >
                {plate(rummy, seat)}
                {laid(rummy, seat, chosen)}
            </li>
        }
    };
    let own = move |seat: Seat| {
        view! {
            <div
                class="player me"
                class:turn=move || has_turn(rummy, seat)
                data-testid=format!("player-{}", seat.0)
                aria-current=move || has_turn(rummy, seat).then_some("true")
            >
                {plate(rummy, seat)}
                {laid(rummy, seat, chosen)}
                <stage::Stage/>
            </div>
        }
    };
    let players = move || {
        view! {
            <ul class="players" data-testid="players" style:--of=move || others().len().to_string()>
                {move || others().into_iter().enumerate().map(other).collect_view()}
            </ul>
        }
        .into_any()
    };
    let middle = move || {
        view! {
            <Show when=move || bare.get()>
                <Show when=move || rummy.reading.get() fallback=|| view! { <p class="quiet melds-none">{t!("meld.none")}</p> }>
                    {panels::reading(rummy)}
                </Show>
            </Show>
            <div class="middle">
                <panels::Piles/>
                <panels::Contract/>
            </div>
            <Show when=move || is_advised(rummy) fallback=move || view! { <Show when=move || coached.get()><coach::Coach/></Show> }>
                {advice::shown(rummy)}
            </Show>
            {move || me().map(own)}
        }
        .into_any()
    };
    view! {
        <section
            class=move || classes.get()
            data-lesson=move || rummy.explained.get()
            aria-label=t!("meld.title")
            data-testid="melds"
        >
            {soon(players)} {soon(middle)}
        </section>
    }
}

/// What the styles know the felt by: how many others sit there, how many melds one of them has laid at most, from one each, and
/// what stands on it beside the cards.
fn classes(rummy: Rummy, others: &[Seat], bare: bool) -> String {
    let laid = others.iter().map(|seat| laid_by(rummy, *seat).len()).max().unwrap_or_default();
    let advised = is_advised(rummy);
    let flags = [
        ("watched", rummy.me().is_none()),
        ("rests", rummy.rests().is_some()),
        ("reading", bare && rummy.reading.get()),
        ("prepared", stage::is_begun(rummy)),
        ("advised", advised),
        ("coached", advised || rummy.explained.get().is_some()),
    ];
    let mut classes = "felt".to_owned();
    for (what, many) in [("others", others.len()), ("laid", laid)] {
        (1..=many).for_each(|n| classes.push_str(&format!(" {what}-{n}")));
    }
    for (flag, _) in flags.into_iter().filter(|(_, is)| *is) {
        classes.push(' ');
        classes.push_str(flag);
    }
    classes
}

/// Whether advice is shown on the felt.
fn is_advised(rummy: Rummy) -> bool {
    rummy.desk.practises() && rummy.adviser.open()
}

/// The numbers of the melds that a seat has laid.
fn laid_by(rummy: Rummy, seat: Seat) -> Vec<u16> {
    rummy.view.with(|s| {
        let melds = 1..=s.board.melds.len() as u16;
        melds.filter(|n| s.board.meld(*n).is_some_and(|m| m.owner == seat)).collect()
    })
}

/// Whether it is a seat's turn.
fn has_turn(rummy: Rummy, seat: Seat) -> bool {
    rummy.rests().is_none()
        && rummy.view.with(|s| match s.flow.phase {
            Phase::Over => false,
            Phase::Cut => s.flow.cutter(&s.compiled) == seat,
            Phase::Choose => s.flow.chooser(&s.compiled) == seat,
            Phase::Name => s.flow.dealer == seat,
            Phase::Pass => s.flow.passing().has(seat),
            _ => s.flow.turn == seat,
        })
}

/// The melds that a seat has laid.
fn laid(rummy: Rummy, seat: Seat, chosen: Memo<Vec<Face>>) -> impl IntoView {
    // Not how many lie there in all: in a replay one goes from a table to another where as many are, of others.
    let own = Memo::new(move |_| laid_by(rummy, seat));
    view! {
        <div class=format!("laid s{}", seat.0) class:of-2=move || { own.with(Vec::len) >= 2 } class:of-3=move || { own.with(Vec::len) >= 3 }>
            {move || own.get().into_iter().map(|n| meld::one(rummy, n, chosen)).collect_view()}
        </div>
    }
}

/// The backs of so many cards, each with twice its place from the middle of the fan.
fn fan(cards: i64) -> impl IntoView {
    let back = |at: i64| view! { <i style:--twice=(2 * at + 1 - cards).to_string()></i> };
    (0..cards).map(back).collect_view()
}

/// What is said on a seat's plate.
#[derive(Clone, Copy, PartialEq)]
struct Plate {
    points: i32,
    cards: i64,
    down: bool,
    dealer: bool,
    asked: bool,
    passed: bool,
    shown: bool,
    away: bool,
    gone: bool,
    /// The side, where there are teams.
    team: Option<u8>,
    /// The number of its own contract, where everybody goes on alone.
    contract: Option<u16>,
    takes: i64,
    /// Most takes; less than none where nothing can be taken, none for no limit.
    limit: i64,
}

impl Plate {
    fn of(view: &View, seat: Seat) -> Plate {
        let (flow, compiled, n) = (&view.flow, &view.compiled, seat.index());
        let take = &flow.set(compiled).take;
        let teams = compiled.rules.settings.players.teams > 0;
        let contract = || compiled.round(flow.contract_of(compiled, seat)).number;
        Plate {
            points: flow.score(compiled, seat),
            cards: flow.sizes[n].into(),
            down: flow.down.has(seat),
            dealer: flow.dealer == seat,
            asked: flow.phase.asked().has(seat),
            passed: flow.passed.has(seat),
            shown: flow.shown.has(seat),
            away: flow.away.has(seat),
            gone: flow.gone.has(seat),
            team: teams.then(|| seat.0 % flow.sides(compiled)),
            contract: compiled.per_player().then(contract),
            takes: flow.takes_counted(compiled, seat).into(),
            limit: if take.on { take.limit.into() } else { -1 },
        }
    }

    /// Whether something is said that is about the discard.
    fn flagged(self) -> bool {
        self.asked || self.passed || self.shown
    }
}

/// Who sits there: how many cards, which score, who is down.
fn plate(rummy: Rummy, seat: Seat) -> impl IntoView {
    let desk = rummy.desk;
    let n = seat.0;
    // Read once a change: most of what changes at a table leaves most plates as they are.
    let plate = Memo::new(move |_| rummy.view.with(|view| Plate::of(view, seat)));
    let ours = move |me| rummy.view.with(|s| s.flow.partners(&s.compiled, me, seat));
    let partner = move || desk.me.get().is_some_and(|me| me != seat && ours(me));
    let backs = Memo::new(move |_| plate.get().cards.clamp(0, MOST_BACKS));
    let takes = move || {
        let Plate { takes, limit, .. } = plate.get();
        match (takes, limit) {
            (_, -1) | (0, 0) => None,
            (n, 0) => Some(t!("rummy.takes", n = n)),
            (n, most) => Some(t!("rummy.takes_of", n = n, most = most)),
        }
    };
    view! {
        <div class=format!("plate s{n}") class:flagged=move || plate.get().flagged()>
            {move || desk.who().portrait(seat)}
            <span class="name" dir="auto">{move || desk.plate(seat)}</span>
            <span class="points" data-testid=format!("score-{n}")>{move || plate.get().points}</span>
            <span class="count">
                <span class="backs" aria-hidden="true" title=t!("rummy.cards") style:--cards=move || backs.get().to_string()>{move || fan(backs.get())}</span>
                <span data-testid=format!("cards-{n}")>{move || plate.get().cards}</span>
                <span class="offscreen">{t!("rummy.cards")}</span>
            </span>
            <span class="tags">
                <Show when=move || plate.get().down><span class="tag ready">{t!("rummy.is_down")}</span></Show>
                <Show when=move || plate.get().dealer><span class="tag">{t!("table.dealer")}</span></Show>
                <Show when=move || plate.get().asked><span class="tag flag">{t!("rummy.is_asked")}</span></Show>
                <Show when=move || plate.get().passed><span class="tag flag">{t!("rummy.has_passed")}</span></Show>
                <Show when=move || plate.get().shown><span class="tag flag">{t!("rummy.asks")}</span></Show>
                <Show when=move || plate.get().away><span class="tag warn">{t!("table.away")}</span></Show>
                <Show when=move || plate.get().gone><span class="tag warn">{t!("rummy.gone")}</span></Show>
                {move || plate.get().team.map(|team| view! {
                    <span class="tag" data-testid=format!("team-{n}")>{move || if partner() { t!("rummy.partner") } else { t!("rummy.team", n = team + 1) }}</span>
                })}
                {move || plate.get().contract.map(|number| view! {
                    <span class="tag" data-testid=format!("contract-of-{n}") title=t!("rummy.own_contract")>{t!("rummy.contract_n", n = number)}</span>
                })}
                {move || takes().map(|takes| view! { <span class="tag">{takes}</span> })}
            </span>
        </div>
    }
}
