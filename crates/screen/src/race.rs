//! What is going on in a race, in a line: who has called, who sees no Set, how the last claim was judged, what is looked for.

use crate::pick::Picker;
use crate::verdict::verdict_text;
use crate::{Desk, card};
use cards::Point;
use game::{Millis, Seat, SeatSet};
use pattern::Offers;
use pattern::race::{DealEnd, Lock, Phase, State, View};
use pattern::rules::{Multiplicity, Pattern, Rules, Sources};
use words::{Tongue, said};

/// The line above a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banner {
    /// By what tests and styles know it: `call`, `flags`, `right`, `wrong`, `idle`.
    pub kind: &'static str,
    /// The line.
    pub text: String,
    /// Until when it stands, where a clock runs.
    pub due: Option<Millis>,
}

/// Who sees no Set and who is still looking, and since when each has changed last: the table tells that as it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    votes: [SeatSet; 2],
    since: [Millis; 2],
}

impl Raised {
    /// As it is at `now`, after how it was before.
    #[must_use]
    pub fn after(before: Option<&Raised>, state: &State, now: Millis) -> Raised {
        let votes = [state.flags, state.looking];
        let since = |n: usize| match before {
            Some(before) if votes[n].minus(before.votes[n]).is_empty() => before.since[n],
            _ => now,
        };
        Raised { votes, since: [since(0), since(1)] }
    }
}

/// The race in a view: the match itself, or the own board of a live trial.
#[must_use]
pub fn race_in(view: &pattern::View) -> Option<&View> {
    match view {
        pattern::View::Race(race) => Some(race),
        pattern::View::Trial(trial) => trial.board.as_ref(),
        _ => None,
    }
}

/// A seat's cards that may be claimed besides the layout: its hand, or its previous Set.
#[must_use]
pub fn own_cards(view: &View, me: Option<Seat>) -> Vec<Point> {
    let Some(player) = me.and_then(|me| view.state.players.get(me.index())) else { return Vec::new() };
    match view.rules.sources {
        Sources::Hand => player.hand.cards().to_vec(),
        Sources::Previous => player.previous.clone(),
        Sources::Layout => Vec::new(),
    }
}

/// Whether a seat may not call or claim just now, and for how many seconds more: 0 where not a clock frees it but a Set.
#[must_use]
pub fn locked(view: &View, me: Option<Seat>, at: Millis) -> Option<u32> {
    match view.state.players.get(me?.index())?.lock {
        Lock::Until(end) if at < end => Some(end.since(at).div_ceil(1000)),
        Lock::NextClaim => Some(0),
        Lock::Until(_) => None,
    }
}

/// That a seat is locked, in words.
#[must_use]
pub fn locked_words(tongue: &dyn Tongue, seconds: u32) -> String {
    if seconds > 0 { said!(tongue, "race.locked", n = seconds) } else { said!(tongue, "race.locked_claim") }
}

/// What stands above the layout.
#[must_use]
pub fn banner(
    desk: Desk<'_>,
    view: &View,
    picker: &Picker,
    offers: &Offers,
    raised: &Raised,
    at: Millis,
) -> Banner {
    let (tongue, state, deck) = (desk.tongue, &view.state, view.rules.deck);
    if let Some(call) = state.call {
        let mine = desk.me.is_some_and(|me| call.callers.has(me));
        let text = if mine {
            picker.hint(tongue, view.rules.claim_shape(), offers)
        } else {
            said!(tongue, "race.calls", name = desk.names(call.callers.iter()))
        };
        return Banner { kind: "call", text, due: call.deadline };
    }
    if let Some(search) = &state.search {
        let card = card::pattern_name(tongue, deck, search.points);
        let (text, due) = match search.showing {
            Some(showing) if desk.me == Some(showing.scout) => {
                let named = card::pattern_name(tongue, deck, showing.named);
                (said!(tongue, "scout.show_now", a = card, b = named), showing.deadline)
            }
            Some(showing) => {
                (said!(tongue, "scout.showing", name = desk.name(showing.scout)), showing.deadline)
            }
            None if desk.me == Some(search.finder) => {
                (said!(tongue, "scout.wait", card = card), search.deadline)
            }
            None => {
                let finder = desk.name_or_you(search.finder);
                (said!(tongue, "scout.search", name = finder, card = card), search.deadline)
            }
        };
        return Banner { kind: "call", text, due: Some(due) };
    }
    if let Some((text, due)) = vote(desk, view, raised, at) {
        return Banner { kind: "flags", text, due };
    }
    if let Some(first) = state.last.first() {
        let told = |verdict| verdict_text(tongue, verdict, deck, &desk.name_or_you(verdict.seat));
        let text = state.last.iter().map(told).collect::<Vec<_>>().join(" ");
        return Banner { kind: if first.finding.right() { "right" } else { "wrong" }, text, due: None };
    }
    let text = match state.phase {
        Phase::Shuffling | Phase::Dealing => said!(tongue, "race.dealing"),
        _ => {
            let own = !own_cards(view, desk.me).is_empty();
            said!(tongue, "race.find", pattern = pattern_words(tongue, &view.rules, own))
        }
    };
    Banner { kind: "idle", text, due: None }
}

/// Whose word is missing while somebody says that there is no Set, in words, and when silence counts as agreement (CORE-17).
fn vote(desk: Desk<'_>, view: &View, raised: &Raised, at: Millis) -> Option<(String, Option<Millis>)> {
    let (tongue, state, rules) = (desk.tongue, &view.state, &view.rules);
    if state.phase != Phase::Open || state.flags.is_empty() {
        return None;
    }
    let missing = state.needed(rules, at).minus(state.flags);
    if missing.is_empty() {
        return None;
    }
    let [flagged, looked] = raised.since;
    let (idle, lapse) = (rules.idle_vote_s.millis(), rules.refusal_lapse_s.millis());
    let looking = missing.and(state.looking);
    let mut due = idle.map(|idle| flagged.after(idle));
    if !looking.is_empty() {
        due = due.zip(lapse).map(|(due, lapse)| due.max(looked.after(lapse)));
    }
    let text = match desk.me {
        Some(me) if missing.has(me) && !looking.has(me) => {
            said!(tongue, "race.vote_you", names = desk.names(state.flags.iter()), n = state.flags.len())
        }
        _ if !looking.is_empty() => {
            said!(tongue, "race.vote_looking", names = desk.names(looking.iter()), n = looking.len())
        }
        _ => said!(tongue, "race.vote_others", names = desk.names(missing.iter())),
    };
    let ends = due.map(|_| said!(tongue, "race.vote_silence")).unwrap_or_default();
    Some((format!("{text} {ends}"), due))
}

/// What is looked for, in words, with or without cards of one's own.
#[must_use]
pub fn pattern_words(tongue: &dyn Tongue, rules: &Rules, own: bool) -> String {
    let key = match (rules.pattern, rules.multiplicity) {
        (_, Multiplicity::Eight) => "eight",
        (Pattern::Set, Multiplicity::Double) => "double",
        (Pattern::Super, Multiplicity::Double) => "double_super",
        (Pattern::Ultra1 | Pattern::Ultra2, Multiplicity::Double) => "double_ultra",
        (Pattern::Super, _) => "super",
        (Pattern::Ultra1, _) => "ultra",
        (Pattern::Ultra2, _) => "ultra9",
        (Pattern::Set, _) if own && rules.sources == Sources::Previous => "chain",
        (Pattern::Set, _) if rules.sources == Sources::Hand => "hands",
        (Pattern::Set, _) => "set",
    };
    said!(tongue, &format!("race.pattern.{key}"))
}

/// What calls, in a word.
#[must_use]
pub fn call_words(tongue: &dyn Tongue, rules: &Rules) -> String {
    match rules.pattern {
        Pattern::Super => said!(tongue, "race.call_super"),
        _ => said!(tongue, "race.call"),
    }
}

/// What says that nothing lies there, in a word.
#[must_use]
pub fn none_words(tongue: &dyn Tongue, rules: &Rules) -> String {
    match (rules.pattern, rules.multiplicity) {
        (Pattern::Set, Multiplicity::Single) => said!(tongue, "race.no_set"),
        _ => said!(tongue, "race.none"),
    }
}

/// Why a deal ended, in words.
#[must_use]
pub fn deal_end_words(tongue: &dyn Tongue, end: DealEnd) -> String {
    let key = match end {
        DealEnd::NoClaim => "no_claim",
        DealEnd::Agreed => "agreed",
        DealEnd::HandEmpty => "hand_empty",
        DealEnd::Goal => "goal",
        DealEnd::Stuck => "stuck",
        DealEnd::GaveUp => "gave_up",
        DealEnd::TooFew => "too_few",
        DealEnd::Abandoned => "abandoned",
    };
    said!(tongue, &format!("race.end.{key}"))
}
