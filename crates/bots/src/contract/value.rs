//! What a hand is worth, as a small network says that has learned it.
//!
//! Its weights (`value.txt`) were learned from choices that were played to the end of their rounds (`learning.rs`), by
//! `crates/lab/examples/learn/main.rs`; the head of the file says from which games, how many and by what command.

use super::Mind;
use super::signs::{Eye, SIGNS, Signs};
use cards::Face;
use std::str::FromStr;
use std::sync::LazyLock;

/// Discards that are weighed: those that look best at first.
pub(super) const WEIGHED: usize = 6;

/// Layers of nodes: what goes below 0 counts as 0 in all but the last, which has one node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    /// For each layer a row of weights for each node: one for each number that comes in, and a constant.
    layers: Vec<Vec<Vec<f32>>>,
}

impl Network {
    /// By how many cards of mean cost the others end the round behind whoever sees this. What it says is meant for comparing choices of
    /// one decision: it has not learned how good a round is altogether.
    fn value(&self, signs: &Signs) -> f32 {
        let mut values = signs.to_vec();
        for (left, layer) in (0..self.layers.len()).rev().zip(&self.layers) {
            let node = |row: &Vec<f32>| {
                let sum: f32 = row.iter().zip(&values).map(|(weight, value)| weight * value).sum();
                let sum = sum + row.last().copied().unwrap_or_default();
                if left > 0 { sum.max(0.0) } else { sum }
            };
            values = layer.iter().map(node).collect();
        }
        values.first().copied().unwrap_or_default()
    }
}

impl FromStr for Network {
    type Err = &'static str;

    /// A row of weights in each line, an empty line between layers; lines that begin with `#` say something to people.
    fn from_str(text: &str) -> Result<Network, &'static str> {
        let mut layers = vec![Vec::new()];
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if line.is_empty() {
                layers.push(Vec::new());
                continue;
            }
            let row: Result<Vec<f32>, _> = line.split(' ').map(str::parse).collect();
            let row = row.map_err(|_| "a weight is no number")?;
            layers.last_mut().ok_or("no layer")?.push(row);
        }
        let mut wide = SIGNS;
        for layer in &layers {
            if layer.iter().any(|row| row.len() != wide + 1) {
                return Err("a row has too few weights, or too many");
            }
            wide = layer.len();
        }
        if wide == 1 { Ok(Network { layers }) } else { Err("the last layer has one row") }
    }
}

/// Players at the largest tables that it has learned from.
const MOST_SEATS: u8 = 5;

static NETWORK: LazyLock<Network> =
    LazyLock::new(|| include_str!("value.txt").parse().expect("the file that is built in holds a network"));

impl Mind<'_> {
    /// What says how much hands are worth; none under rules that were not learned, and at larger tables.
    pub(super) fn network(&self) -> Option<&'static Network> {
        (self.view.flow.seats <= MOST_SEATS && self.learned_law().is_some()).then(|| &*NETWORK)
    }

    /// The cards that look best by what the hand is worth once they are thrown, in points: the best first. None under rules that were
    /// not learned.
    pub(super) fn valued(&self, ranked: &[Face]) -> Option<Vec<(f32, Face)>> {
        let network = self.network()?;
        let eye = Eye::new(self);
        let worth = |&card: &Face| (self.unit() * network.value(&eye.thrown(card)), card);
        let mut valued: Vec<(f32, Face)> = ranked.iter().take(WEIGHED).map(worth).collect();
        valued.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.notes.borrow_mut().valued.clone_from(&valued);
        Some(valued)
    }

    /// How much more it is worth to take the top discard out of turn, at its price, than to let it lie, in points; none under rules that were not
    /// learned, or where the card brings the hand no nearer.
    pub(super) fn valued_take(&self, top: Face) -> Option<f32> {
        let network = self.network()?;
        if !self.nearer_with(top) {
            return None;
        }
        let eye = Eye::new(self);
        let [without, with] = [eye.waiting(), eye.taken(top)];
        let price = self.view.round().settings.take.points as f32;
        let more = self.unit() * (network.value(&with) - network.value(&without)) - price;
        self.notes.borrow_mut().valued_take = Some(more);
        Some(more)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Level, faces, watched};
    use super::*;
    use ::contract::solver::without;
    use ::contract::{Command, Rules};
    use std::sync::Arc;

    /// What seats that were to throw or were offered a card saw, in a match.
    fn minds(seats: u8, check: impl Fn(&Mind<'_>, &Command)) {
        for (view, command, _) in watched::views(&Arc::new(Rules::contract(seats)), seats, 8, 1_500) {
            let mind = Mind::new(&view, Level::Keen).expect("a seat");
            if !mind.down() && mind.network().is_some() {
                check(&mind, &command);
            }
        }
    }

    #[test]
    fn signs_are_small_numbers_and_the_same_view_has_the_same() {
        let seen = std::cell::Cell::new(0);
        for seats in 3..=5 {
            minds(seats, |mind, _| {
                let eye = Eye::new(mind);
                let card = faces(&mind.hand)[0];
                let signs = [eye.waiting(), eye.thrown(card), eye.taken(card)];
                let small = |sign: &f32| sign.is_finite() && (-3.0..=12.0).contains(sign);
                assert!(signs.iter().flatten().all(small), "{signs:?}");
                assert_eq!(Eye::new(mind).taken(card), signs[2]);
                seen.set(seen.get() + 1);
            });
        }
        assert!(seen.get() > 1_000, "{} views", seen.get());
    }

    #[test]
    fn a_card_that_is_needed_is_worth_keeping() {
        let [kept, asked] = [0, 0].map(std::cell::Cell::new);
        minds(3, |mind, command| {
            let here = mind.here();
            if !matches!(command, Command::Discard { .. }) || here == 0 || here > 2 {
                return;
            }
            let needed = |card: &Face| !mind.within(&without(&mind.hand, &[*card]), here);
            let natural = faces(&mind.hand).into_iter().filter(|&card| !mind.law().is_wild(card));
            let (plan, useless): (Vec<Face>, Vec<Face>) = natural.partition(needed);
            let ([plan, ..], [useless, ..]) = (&plan[..], &useless[..]) else { return };
            let valued = mind.valued(&[*plan, *useless]).expect("these rules were learned");
            kept.set(kept.get() + u32::from(valued[0].1 == *useless));
            asked.set(asked.get() + 1);
        });
        let (kept, asked) = (kept.get(), asked.get());
        assert!(asked > 60 && 10 * kept >= 8 * asked, "kept {kept} times of {asked}");
    }

    #[test]
    fn the_weights_are_those_of_a_network() {
        let widths: Vec<usize> = NETWORK.layers.iter().map(Vec::len).collect();
        assert_eq!(widths, [32, 16, 1]);
    }

    #[test]
    fn a_network_that_fits_nothing_is_refused() {
        let row = |n: usize| vec!["1"; n].join(" ");
        let check = |text: &str, why: &str| assert_eq!(text.parse::<Network>(), Err(why), "{text:.20}");
        check("", "the last layer has one row");
        check(&row(SIGNS), "a row has too few weights, or too many");
        check("one two", "a weight is no number");
        check(&format!("{}\n{}", row(SIGNS + 1), row(SIGNS + 1)), "the last layer has one row");
        let two: Network = format!("# a head\n{}\n\n-2 1", row(SIGNS + 1)).parse().expect("two layers");
        assert_eq!(two.value(&[0.0; SIGNS]), -1.0, "-2 times the constant 1, and 1");
        assert_eq!(two.value(&[-1.0; SIGNS]), 1.0, "what is below 0 counts as 0 but in the last layer");
    }
}
