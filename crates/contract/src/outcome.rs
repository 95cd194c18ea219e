//! How a match ends: places, ties, settlement and kitty (RF-12, A-33, A-34, PR-SET).

use crate::compiled::CompiledRules;
use crate::rules::{GameEnd, Kitty, ScoreTies};
use crate::state::Flow;
use game::{Outcome, Seat, SeatSet};

/// The outcome of a match whose last round is scored in `flow`.
pub(crate) fn outcome(compiled: &CompiledRules, flow: &Flow) -> Outcome {
    let seats = usize::from(flow.seats);
    let set = &compiled.rules.settings;
    let total = |seat: usize| flow.score(compiled, Seat(seat as u8));
    let of_side = |seat: usize, of: &dyn Fn(usize) -> i32| flow.of_side(compiled, Seat(seat as u8), of);
    let sign = if set.score.low_wins { 1 } else { -1 };
    // Smaller is better, entry by entry.
    let key = |seat: usize| -> [i32; 3] {
        let finisher = compiled.per_player() && set.game.end == GameEnd::FirstFinisher;
        let progress = if finisher { -of_side(seat, &|s| i32::from(flow.progress[s])) } else { 0 };
        let tie = match set.score.ties {
            ScoreTies::Share => 0,
            ScoreTies::RoundsWon => -of_side(seat, &|s| i32::from(flow.won[s])),
            ScoreTies::LastRound => sign * of_side(seat, &|s| flow.points[s]),
        };
        [progress, sign * total(seat), tie]
    };
    let places: Vec<u8> =
        (0..seats).map(|seat| 1 + (0..seats).filter(|&s| key(s) < key(seat)).count() as u8).collect();
    let winners: SeatSet = (0..flow.seats).map(Seat).filter(|s| places[s.index()] == 1).collect();
    let settlement = if set.money.on { settlement(compiled, flow, &places) } else { Vec::new() };
    Outcome { winners, scores: (0..seats).map(total).collect(), places, ranked: true, settlement }
}

/// Pennies won and paid at the end: place payments and the kitty (PR-SET-2, PR-SET-3, A-34, Q-07).
fn settlement(compiled: &CompiledRules, flow: &Flow, places: &[u8]) -> Vec<i32> {
    let money = &compiled.rules.settings.money;
    let seats = places.len();
    // What place k, from 0, has: the winner receives what the others pay.
    let pays = |place: usize| -> i32 {
        match money.schedule.get(&flow.seats) {
            Some(list) => list.get(place - 1).copied().unwrap_or(0),
            None => money.step * place as i32,
        }
    };
    let amount = |place: usize| if place == 0 { (1..seats).map(pays).sum() } else { -pays(place) };
    let mut pennies = vec![0; seats];
    let tied = |place: u8| -> Vec<usize> { in_order(compiled, flow, places, place) };
    for place in 1..=seats as u8 {
        let group = tied(place);
        let from = usize::from(place) - 1;
        share(&mut pennies, &group, (from..from + group.len()).map(amount).sum());
    }
    let winners = tied(1);
    let second = if winners.len() == 1 { tied(2) } else { Vec::new() };
    let third = if money.kitty == Kitty::TwoThirds && !second.is_empty() { flow.kitty / 3 } else { 0 };
    share(&mut pennies, &winners, flow.kitty - third);
    share(&mut pennies, &second, third);
    pennies
}

/// The seats of a place: more rounds won first, then from the first dealer's left on.
fn in_order(compiled: &CompiledRules, flow: &Flow, places: &[u8], place: u8) -> Vec<usize> {
    let first = flow.step(compiled, flow.first_dealer, 1);
    let mut group: Vec<usize> =
        flow.order(compiled, first).map(Seat::index).filter(|&seat| places[seat] == place).collect();
    group.sort_by_key(|&seat| std::cmp::Reverse(flow.won[seat]));
    group
}

/// Shares pennies evenly; what is left over goes penny by penny to the first of the group.
fn share(pennies: &mut [i32], group: &[usize], sum: i32) {
    let Ok(number) = i32::try_from(group.len()) else { return };
    if number == 0 {
        return;
    }
    let (each, rest) = (sum.div_euclid(number), sum.rem_euclid(number));
    for (i, &seat) in (0..).zip(group) {
        pennies[seat] += each + i32::from(i < rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{MoneyRules, Rules};
    use std::sync::Arc;

    /// Totals, rounds won and kitty to pennies, with seat 0 at the first dealer's left.
    fn check(money: MoneyRules, totals: &[i32], won: &[u8], kitty: i32, expected: &[i32]) {
        let mut rules = Rules::contract(totals.len() as u8);
        rules.settings.money = MoneyRules { on: true, ..money };
        let compiled = CompiledRules::new(Arc::new(rules));
        let mut flow = Flow::new(totals.len() as u8);
        flow.first_dealer = Seat(flow.seats - 1);
        flow.scores[..totals.len()].copy_from_slice(totals);
        flow.won[..won.len()].copy_from_slice(won);
        flow.kitty = kitty;
        assert_eq!(outcome(&compiled, &flow).settlement, expected, "{totals:?}");
    }

    #[test]
    fn settlements_of_the_rulebook() {
        let money = MoneyRules::default();
        let thirds = MoneyRules { kitty: Kitty::TwoThirds, ..MoneyRules::default() };
        check(money.clone(), &[1, 2, 3, 4], &[], 0, &[12, -2, -4, -6]); // PR-SET-2
        check(money.clone(), &[1, 2, 3, 4, 5, 6], &[], 0, &[30, -2, -4, -6, -8, -10]);
        check(money.clone(), &[210, 250, 250, 400], &[], 7, &[19, -3, -3, -6]);
        check(thirds, &[210, 250, 250, 400], &[], 7, &[17, -2, -2, -6]);
        check(money.clone(), &[1, 1, 3, 4], &[], 0, &[5, 5, -4, -6]);
        check(money.clone(), &[9, 9, 9, 20, 30], &[1, 5, 5, 2, 2], 0, &[4, 5, 5, -6, -8]);
        let list = MoneyRules { schedule: [(3, vec![1, 5])].into(), ..money };
        check(list, &[1, 2, 3], &[], 0, &[6, -1, -5]);
    }
}
