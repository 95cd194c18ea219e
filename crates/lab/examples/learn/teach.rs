//! Gradient descent for a network of three layers (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).

use bots::contract::{SIGNS, Signs};
use game::chance::{Chance as _, SplitMix};
use std::fmt::Write as _;

/// A decision: what is seen after each choice, and what each came to.
pub type Decision = Vec<(Signs, f32)>;

/// Nodes of the two hidden layers.
const NODES: [usize; 2] = [32, 16];
/// Decisions after which the weights are moved.
const BATCH: usize = 64;
/// One part of so many is held back, to see how well others are told: the last decisions, of the game that was named last.
const HELD_BACK: usize = 20;
/// What is kept of the mean of the slopes, and of the mean of their squares, from one batch to the next.
const KEPT: [f32; 2] = [0.9, 0.999];

/// What was learned.
pub struct Taught {
    /// The weights, as the program reads them.
    pub weights: String,
    /// From how much, and how well, in a line.
    pub said: String,
}

/// A layer with what it needs to learn.
struct Layer {
    ins: usize,
    outs: usize,
    weights: Vec<f32>,
    /// Slopes of the batch so far, their mean and the mean of their squares.
    slopes: Vec<f32>,
    mean: Vec<f32>,
    squares: Vec<f32>,
}

impl Layer {
    /// Weights about as large as keep what goes through a layer as large as it was (He and others, 2015).
    fn new(ins: usize, outs: usize, chance: &mut SplitMix) -> Layer {
        let scale = 1.73 * (2.0 / ins as f32).sqrt();
        let mut share = || chance.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5;
        let mut weight = |i: usize| {
            // Four chances together are nearly normal.
            if i % (ins + 1) == ins { 0.0 } else { (0..4).map(|_| share()).sum::<f32>() * scale }
        };
        let count = (ins + 1) * outs;
        let weights = (0..count).map(&mut weight).collect();
        let none = || vec![0.0; count];
        Layer { ins, outs, weights, slopes: none(), mean: none(), squares: none() }
    }

    fn forward(&self, comes: &[f32], goes: &mut [f32], cut: bool) {
        for (row, goes) in self.weights.chunks(self.ins + 1).zip(goes) {
            // Several sums at once are quicker than one.
            let mut sums = [0.0; 8];
            for (weights, comes) in row[..self.ins].chunks(8).zip(comes.chunks(8)) {
                for ((sum, weight), value) in sums.iter_mut().zip(weights).zip(comes) {
                    *sum += weight * value;
                }
            }
            let sum = sums.iter().sum::<f32>() + row[self.ins];
            *goes = if cut { sum.max(0.0) } else { sum };
        }
    }

    /// Adds the slopes that come of these of what goes out; `back` gets those of what came in.
    fn backward(&mut self, comes: &[f32], out: &[f32], back: &mut [f32]) {
        let wide = self.ins + 1;
        back.fill(0.0);
        for (i, &slope) in out.iter().enumerate().take(self.outs).filter(|(_, slope)| **slope != 0.0) {
            let row = i * wide;
            for (back, weight) in back.iter_mut().zip(&self.weights[row..row + self.ins]) {
                *back += slope * weight;
            }
            for (sum, value) in self.slopes[row..row + wide].iter_mut().zip(comes.iter().chain(&[1.0])) {
                *sum += slope * value;
            }
        }
    }

    /// Moves the weights by the slopes of a batch, the `n`-th.
    fn step(&mut self, rate: f32, n: i32) {
        let [mean_grown, squares_grown] = KEPT.map(|kept| 1.0 - kept.powi(n));
        for i in 0..self.weights.len() {
            let slope = self.slopes[i] / BATCH as f32;
            self.mean[i] += (1.0 - KEPT[0]) * (slope - self.mean[i]);
            self.squares[i] += (1.0 - KEPT[1]) * (slope * slope - self.squares[i]);
            let size = (self.squares[i] / squares_grown).sqrt() + 1e-8;
            self.weights[i] -= rate * self.mean[i] / mean_grown / size;
            self.slopes[i] = 0.0;
        }
    }
}

/// What went through the nodes for one choice.
#[derive(Clone)]
struct Through {
    first: [f32; NODES[0]],
    second: [f32; NODES[1]],
    value: [f32; 1],
}

struct Learner {
    layers: [Layer; 3],
    /// For each choice of the decision that is looked at.
    through: Vec<Through>,
}

impl Learner {
    /// Puts a decision through: what each choice is told to be better by than the mean of all.
    fn told(&mut self, decision: &Decision) -> Vec<f32> {
        let none = Through { first: [0.0; NODES[0]], second: [0.0; NODES[1]], value: [0.0; 1] };
        self.through.resize(decision.len(), none);
        for ((signs, _), through) in decision.iter().zip(&mut self.through) {
            self.layers[0].forward(signs, &mut through.first, true);
            self.layers[1].forward(&through.first, &mut through.second, true);
            self.layers[2].forward(&through.second, &mut through.value, false);
        }
        let values = || self.through.iter().map(|through| through.value[0]);
        let mean = values().sum::<f32>() / decision.len() as f32;
        values().map(|value| value - mean).collect()
    }

    /// Learns from a decision, and says by how much it was mistaken: the sum of the squares.
    fn learn(&mut self, decision: &Decision) -> f64 {
        let told = self.told(decision);
        let (mut signs_back, mut first_back, mut second_back) =
            ([0.0; SIGNS], [0.0; NODES[0]], [0.0; NODES[1]]);
        let mut sum = 0.0;
        for (((signs, came), told), through) in decision.iter().zip(told).zip(&self.through) {
            let by = told - came;
            sum += f64::from(by * by);
            let slope = [2.0 * by / decision.len() as f32];
            self.layers[2].backward(&through.second, &slope, &mut second_back);
            cut(&mut second_back, &through.second);
            self.layers[1].backward(&through.first, &second_back, &mut first_back);
            cut(&mut first_back, &through.first);
            self.layers[0].backward(signs, &first_back, &mut signs_back);
        }
        sum
    }
}

/// Nothing goes back through a node that let nothing through.
fn cut(slopes: &mut [f32], went: &[f32]) {
    slopes.iter_mut().zip(went).filter(|(_, went)| **went <= 0.0).for_each(|(slope, _)| *slope = 0.0);
}

/// How well decisions are told: the mean square of the mistakes, and what the choices told to be best came to, in cards of mean cost, beside
/// the first ones.
fn tested(learner: &mut Learner, held_back: &[Decision]) -> (f64, f64) {
    let (mut squares, mut better, mut choices) = (0.0, 0.0, 0.0);
    for decision in held_back {
        let told = learner.told(decision);
        for ((_, came), told) in decision.iter().zip(&told) {
            squares += f64::from(told - came).powi(2);
            choices += 1.0;
        }
        let best = (0..told.len()).max_by(|&a, &b| told[a].total_cmp(&told[b])).unwrap_or(0);
        better += f64::from(decision[best].1 - decision[0].1);
    }
    (squares / choices, better / held_back.len() as f64)
}

/// Teaches a network what came of the choices of all these decisions.
///
/// # Errors
/// If there are too few of them.
pub fn teach(decisions: &mut [Decision], epochs: usize, rate: f32, seed: u64) -> Result<Taught, String> {
    // What each choice came to beside the others of its decision is learned: how good the hands were is not.
    for decision in decisions.iter_mut() {
        let mean = decision.iter().map(|(_, came)| came).sum::<f32>() / decision.len() as f32;
        decision.iter_mut().for_each(|(_, came)| *came -= mean);
    }
    let all = decisions.len();
    let (learned, held_back) = decisions.split_at_mut(all - all / HELD_BACK);
    let steps = epochs * (learned.len() / BATCH);
    if steps == 0 || held_back.is_empty() {
        return Err(format!("{all} decisions are too few to learn from"));
    }
    let mut chance = SplitMix(seed);
    let layers = [
        Layer::new(SIGNS, NODES[0], &mut chance),
        Layer::new(NODES[0], NODES[1], &mut chance),
        Layer::new(NODES[1], 1, &mut chance),
    ];
    let mut learner = Learner { layers, through: Vec::new() };
    let (mut n, mut said) = (0, String::new());
    for epoch in 1..=epochs {
        for i in (1..learned.len()).rev() {
            learned.swap(i, (chance.bits() % (i as u64 + 1)) as usize);
        }
        let (mut squares, mut choices) = (0.0, 0);
        for batch in learned.chunks_exact(BATCH) {
            for decision in batch {
                squares += learner.learn(decision);
                choices += decision.len();
            }
            n += 1;
            let now = rate * (1.0 - n as f32 / steps as f32) + 1e-5;
            learner.layers.iter_mut().for_each(|layer| layer.step(now, n));
        }
        let (left, better) = tested(&mut learner, held_back);
        let of = squares / f64::from(choices as u32);
        said = format!(
            "{all} decisions; mistaken by {left:.3} of the last twentieth, which was held back (mean square), {of:.3} of the others; chosen so, {better:.3} cards better than the first choice"
        );
        eprintln!("epoch {epoch}: {said}");
    }
    let mut layers = Vec::new();
    for layer in &learner.layers {
        let mut rows = String::new();
        for row in layer.weights.chunks(layer.ins + 1) {
            let words: Vec<String> = row.iter().map(|weight| format!("{weight:.4}")).collect();
            let _ = writeln!(rows, "{}", words.join(" "));
        }
        layers.push(rows);
    }
    Ok(Taught { weights: layers.join("\n"), said })
}
