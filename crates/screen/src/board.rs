//! What is going on in the games of the Set family in which nobody races: in a sentence.

use crate::{Desk, card};
use cards::Deck;
use pattern::roster::Stage;
use pattern::{Act, Offers, View, memory, puzzle, setup_game};
use words::{Tongue, said};

/// The deck of a game.
#[must_use]
pub fn deck(view: &View) -> Deck {
    match view {
        View::Race(view) => view.rules.deck,
        View::Memory(view) => view.rules.deck,
        View::Setup(view) => view.rules.deck,
        View::Puzzle(view) => view.rules.deck,
        View::Trial(view) => view.rules.deck,
    }
}

/// Columns for so many cards in reading order, on a wide and on a tall screen.
#[must_use]
pub fn columns(count: usize) -> (usize, usize) {
    match count {
        0..=4 => (count.max(1), count.clamp(1, 3)),
        5..=21 => (count.div_ceil(3), 3),
        22..=36 => (count.div_ceil(5), 4),
        _ => (9, count.div_ceil(12).max(6)),
    }
}

/// What asks for a hint: with its price, where it has one.
#[must_use]
pub fn hint_words(tongue: &dyn Tongue, offers: &Offers) -> String {
    match offers.get(Act::Hint) {
        Some(Ok(open)) if open.points < 0 => said!(tongue, "race.hint_costs", n = -open.points),
        _ => said!(tongue, "race.hint"),
    }
}

/// What is going on in a game of memory.
#[must_use]
pub fn memory(desk: Desk<'_>, state: &memory::State) -> String {
    let tongue = desk.tongue;
    if state.roster.stage == Stage::Over {
        return said!(tongue, "table.match_over");
    }
    let flips = |n: usize| {
        if desk.me == Some(state.turn) {
            said!(tongue, "memory.flip", n = n)
        } else {
            said!(tongue, "table.wait", name = desk.name(state.turn))
        }
    };
    match &state.last {
        Some(last) if state.up.is_empty() => {
            let right = said!(tongue, "verdict.right", name = desk.name_or_you(last.seat));
            if last.right { format!("{right} {}", flips(0)) } else { flips(0) }
        }
        _ if state.reveal_until.is_some() => said!(tongue, "memory.no_set"),
        _ => flips(state.up.len()),
    }
}

/// What has happened last in a game of SETup.
#[must_use]
pub fn setup_last(desk: Desk<'_>, view: &setup_game::View) -> Option<String> {
    let (tongue, state) = (desk.tongue, &view.state);
    if let Some(challenge) = state.challenged {
        let name = desk.name_or_you(challenge.seat);
        return Some(if challenge.right {
            said!(tongue, "setup.challenge_right", name = name, by = desk.name(challenge.by))
        } else {
            said!(tongue, "setup.challenge_wrong", name = name)
        });
    }
    state.last.map(|last| {
        let card = card::pattern_name(tongue, view.rules.deck, last.card);
        said!(tongue, "setup.played", name = desk.name_or_you(last.seat), card = card)
    })
}

/// What is going on in a game of SETup.
#[must_use]
pub fn setup(desk: Desk<'_>, view: &setup_game::View) -> String {
    let (tongue, state) = (desk.tongue, &view.state);
    let last = setup_last(desk, view).unwrap_or_default();
    if state.challenged.is_some() {
        return last;
    }
    let next = if state.roster.stage == Stage::Over {
        said!(tongue, "table.match_over")
    } else if desk.me == Some(state.turn) {
        said!(tongue, "setup.place")
    } else {
        said!(tongue, "table.wait", name = desk.name(state.turn))
    };
    format!("{last} {next}")
}

/// What is going on in a puzzle.
#[must_use]
pub fn puzzle(desk: Desk<'_>, view: &puzzle::View) -> String {
    match &view.state.last {
        Some((claim, finding)) => {
            let name = desk.me.map_or_else(String::new, |me| desk.name_or_you(me));
            crate::verdict::finding_text(desk.tongue, *finding, claim, 1, view.rules.deck, &name)
        }
        None => said!(desk.tongue, "puzzle.task", n = view.state.total),
    }
}
