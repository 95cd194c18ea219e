//! How a bot plays SETup: which card it lays, and what it sees in those of others.

use super::{PatternBot, act, between, exponential, pick};
use crate::Thought;
use ::pattern::finder::{is_set, third};
use ::pattern::roster::Stage;
use ::pattern::{Command, setup_game};
use cards::Point;
use game::{Chance, Millis, Viewer};

/// What it makes of the card that was laid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    card: Point,
    since: Millis,
    stands: Millis,
    finds: Option<(Millis, [Point; 2])>,
}

impl PatternBot {
    pub(super) fn setup(
        &mut self,
        view: &setup_game::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<Command>> {
        let Viewer::Seat(seat) = view.who else { return None };
        let (rules, state) = (&view.rules, &view.state);
        match state.roster.stage {
            Stage::Between if !state.roster.ready.has(seat) => {
                return Some(Thought::after(Command::Ready, between(1_500, 4_000, chance)));
            }
            Stage::Playing if !state.roster.retired(seat) => {}
            _ => return None,
        }
        if state.undecided().has(seat) {
            let look = self.look_at(state, at, chance)?;
            if let Some((due, [a, b])) = look.finds.filter(|(due, _)| *due < look.stands) {
                return act(Command::Challenge([a, b]), at, due);
            }
            return act(Command::Pass, at, look.stands);
        }
        if state.turn != seat {
            return None;
        }
        let hand = state.hands[seat.index()].cards();
        let risk = |card: Point, chance: &mut dyn Chance| {
            let pairs = state
                .table
                .iter()
                .enumerate()
                .flat_map(|(i, &a)| state.table[i + 1..].iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| is_set(a, b, card) && !self.level.happens(450.0, 40.0, chance)).count()
        };
        let mut best: Option<(usize, i32, u32, Point)> = None;
        for &card in hand {
            // A beginner looks at this card alone; others also at what is left for the next turn.
            let ahead = i32::from(self.level.looks_ahead()) * Self::ahead(state, hand, card);
            let rated = (risk(card, chance), ahead, chance.below(1 << 20), card);
            if best.is_none_or(|b| rated < b) {
                best = Some(rated);
            }
        }
        let (_, _, _, card) = best?;
        let thinks = at.after(between(1_500, 5_000, chance));
        let may = if state.may_play(rules, at) { at } else { state.window_ends(rules) };
        act(Command::Play(card), at, thinks.max(may))
    }

    /// How bad the table is for the next turn once a card is played: each card left in hand that would complete a Set then
    /// counts against it, and each of the cards that others may hold for it.
    fn ahead(state: &setup_game::State, hand: &[Point], card: Point) -> i32 {
        let mut dead: Vec<Point> = state.table.iter().map(|&a| third(a, card)).collect();
        let pairs = state.table.iter().enumerate();
        dead.extend(pairs.flat_map(|(i, &a)| state.table[i + 1..].iter().map(move |&b| third(a, b))));
        dead.sort_unstable();
        dead.dedup();
        dead.retain(|x| !state.table.contains(x) && *x != card);
        let own = dead.iter().filter(|x| hand.contains(x)).count() as i32;
        let others = dead.len() as i32 - own;
        20 * own - others
    }

    /// What it makes of the card played last.
    fn look_at(&mut self, state: &setup_game::State, at: Millis, chance: &mut dyn Chance) -> Option<Look> {
        let last = state.last?;
        if let Some(look) = self.looking.filter(|look| look.card == last.card && look.since == last.at) {
            return Some(look);
        }
        let mut finds: Option<(Millis, [Point; 2])> = None;
        let table = &state.table;
        for (i, &a) in table.iter().enumerate() {
            for &b in &table[i + 1..] {
                if is_set(a, b, last.card) {
                    let mean = self.level.between(8_000.0, 3_000.0);
                    let due = at.after(800 + exponential(mean, chance));
                    if finds.is_none_or(|(known, _)| due < known) {
                        finds = Some((due, [a, b]));
                    }
                }
            }
        }
        // A beginner now and then sees what is not there.
        let hasty = finds.is_none() && table.len() > 2 && self.level.happens(30.0, 5.0, chance);
        if hasty {
            let others: Vec<Point> = table.iter().copied().filter(|&card| card != last.card).collect();
            let (a, b) = (pick(&others, chance)?, pick(&others, chance)?);
            if a != b {
                finds = Some((at.after(2_500), [a, b]));
            }
        }
        let stands = at.after(if table.len() < 3 { 600 } else { between(3_000, 4_800, chance) });
        self.looking = Some(Look { card: last.card, since: last.at, stands, finds });
        self.looking
    }
}
