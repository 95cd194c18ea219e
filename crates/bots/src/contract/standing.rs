//! The score of the match: how likely players are to be ahead of each other at its end, and so whose points matter.

use super::{Level, Mind};
use game::Seat;

/// What one round may still move between two players, in cards of the pack.
const SPREAD: f64 = 2.6;
/// Rounds that the end of the match still counts as: so that points count a little beside places.
const LEAST: f64 = 0.05;

impl Mind<'_> {
    /// Rounds to come after this one, at most.
    fn rounds_left(&self) -> f64 {
        let most = self.view.compiled.most_deals();
        most.saturating_sub(usize::from(self.view.flow.finished) + 1) as f64
    }

    /// How likely somebody is ahead in the end who is so many points better, with so many rounds to come (logistic).
    fn ahead_with(&self, by: f64, rounds: f64) -> f64 {
        let scale = f64::from(self.mean_cost().abs()).max(2.0) * SPREAD;
        let spread = scale * rounds.sqrt();
        1.0 / (1.0 + (-by / spread).exp())
    }

    /// How likely somebody is ahead at the end of the match who is so many points better after this round.
    pub(super) fn ahead(&self, by: f64) -> f64 {
        self.ahead_with(by, self.rounds_left() + LEAST)
    }

    /// How much it matters what a player scores in this round beside what others do: 1 where all of them stand alike. It is the less the surer it is
    /// who of the two will be ahead in the end. For those who weigh points by the match in mind anyway it is 1.
    pub(super) fn rivalry(&self, rival: Seat) -> f64 {
        let rivals = self.rivals.get_or_init(|| self.rivalries());
        rivals.get(rival.index()).copied().unwrap_or(1.0)
    }

    fn rivalries(&self) -> Vec<f64> {
        let (flow, seats) = (&self.view.flow, usize::from(self.view.flow.seats));
        let weighs = match self.level {
            Level::Easy | Level::Steady | Level::Counting => false,
            Level::Keen => true,
            Level::Strong => self.played_law().is_none(),
        };
        if !weighs || self.view.compiled.per_player() {
            return vec![1.0; seats];
        }
        let me = self.seat.index();
        // The round under way moves as much as each of those to come.
        let rounds = self.rounds_left() + 1.0;
        let open = |seat: usize| {
            let ahead = self.ahead_with(f64::from(flow.scores[seat] - flow.scores[me]), rounds);
            if seat == me { 0.0 } else { ahead * (1.0 - ahead) }
        };
        let all: f64 = (0..seats).map(open).sum();
        if all <= 0.0 {
            return vec![1.0; seats];
        }
        (0..seats).map(|seat| (seats - 1) as f64 * open(seat) / all).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::watched;
    use super::*;
    use ::contract::Rules;
    use std::sync::Arc;

    /// How much the others' points matter to seat 0 of three who have so many points, in the last of seven rounds or in the first.
    fn check(level: Level, scores: [i32; 3], last: bool, expected: &str) {
        let views = watched::views(&Arc::new(Rules::contract(3)), 3, 1, 60);
        let mut views = views.into_iter().map(|(view, ..)| view);
        let mut view = views.rfind(|view| view.seat == Some(Seat(0))).expect("seat 0 moves");
        view.flow.scores.iter_mut().zip(scores).for_each(|(score, points)| *score = points);
        if last {
            view.flow.finished = 6;
        }
        let mind = Mind::new(&view, level).expect("a seat");
        let matter = [1, 2].map(|seat| format!("{:.1}", mind.rivalry(Seat(seat))));
        assert_eq!(matter.join(" "), expected, "{level:?} {scores:?}");
    }

    #[test]
    fn the_points_of_those_matter_who_may_still_come_out_on_either_side() {
        check(Level::Keen, [100, 100, 100], true, "1.0 1.0");
        check(Level::Keen, [100, 110, 300], true, "2.0 0.0");
        check(Level::Keen, [300, 100, 290], true, "0.0 2.0");
        check(Level::Keen, [100, 110, 160], false, "1.0 1.0");
        check(Level::Counting, [100, 110, 300], true, "1.0 1.0");
        check(Level::Strong, [100, 110, 300], true, "1.0 1.0");
    }
}
