//! Whole matches of bots through the real engine, on simulated time.

use bots::Bot;
use game::chance::{Chance, Draw, Need, SplitMix};
use game::{Game, Input, Millis, Outcome, Seat, Status, Timing, View, Viewer};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A number for each need of a match, so that the deals of a seed are the same whatever the players did before: the
/// order of deal 3 does not depend on how many cards were reshuffled in deal 2.
#[must_use]
pub fn draw(seed: u64, need: &Need) -> Draw {
    let (kind, deal, nth) = match *need {
        Need::Dealer { .. } => (1, 0, 0),
        Need::Shuffle { deal, nth, .. } => (2, deal, nth),
        Need::Pick { deal, nth, .. } => (3, deal, nth),
        Need::Cut { deal, .. } => (4, deal, 0),
    };
    let label = u64::from(deal) << 32 | u64::from(nth) << 8 | kind;
    let mut mixer = SplitMix(label);
    let mut chance = SplitMix(seed ^ mixer.bits());
    chance.answer(need)
}

/// The seed of the `index`-th match of a simulation, so that any thread can play any of them.
#[must_use]
pub fn seed_of(seed: u64, index: u64) -> u64 {
    let mut mixer = SplitMix(index.wrapping_mul(0xd134_2543_de82_ef95));
    SplitMix(seed ^ mixer.bits()).bits()
}

/// Why a match was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// What was met, in words, with the number of inputs accepted before.
    pub what: String,
}

impl std::fmt::Display for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unfinished {}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct Finished<G> {
    /// The match at its end.
    pub game: G,
    /// How it ended.
    pub outcome: Outcome,
    /// Accepted inputs.
    pub inputs: u64,
    /// Match time at the end.
    pub length: Millis,
}

/// A seat's side of a match.
struct Player<'a, V: View> {
    bot: &'a mut dyn Bot<V>,
    view: V,
    chance: SplitMix,
    /// When it will act, and how.
    due: Option<(Millis, V::Command)>,
    asked: bool,
}

/// Plays one match. Each accepted input is shown to `watch` with the state before it and what followed; decision times are
/// handed to `timed`.
///
/// # Errors
/// If the rules refuse so many seats, or the match does not end within `most` inputs, or waits for nobody.
pub fn play<G: Game>(
    rules: &Arc<G::Rules>,
    players: &mut [Box<dyn Bot<G::View>>],
    seed: u64,
    most: u64,
    watch: &mut impl FnMut(&G, &Input<G::Command>, &[G::Event]),
    timed: &mut impl FnMut(Seat, Duration),
) -> Result<Finished<G>, Unfinished> {
    play_dealt(rules, players, seed, &mut |need| draw(seed, need), most, watch, timed)
}

/// The same with the cards from elsewhere: `deal` answers what the rules ask of chance.
///
/// # Errors
/// As [`play`].
pub fn play_dealt<G: Game>(
    rules: &Arc<G::Rules>,
    players: &mut [Box<dyn Bot<G::View>>],
    seed: u64,
    deal: &mut impl FnMut(&Need) -> Draw,
    most: u64,
    watch: &mut impl FnMut(&G, &Input<G::Command>, &[G::Event]),
    timed: &mut impl FnMut(Seat, Duration),
) -> Result<Finished<G>, Unfinished> {
    let unfinished = |what: String| Unfinished { what };
    let mut game =
        G::open(rules.clone(), players.len() as u8).map_err(|r| unfinished(format!("the rules say: {r}")))?;
    let mut seats: Vec<Player<'_, G::View>> = players
        .iter_mut()
        .enumerate()
        .map(|(i, bot)| Player {
            bot: bot.as_mut(),
            view: game.view(Viewer::Seat(Seat(i as u8))),
            chance: SplitMix(seed_of(seed, 1000 + i as u64)),
            due: None,
            asked: false,
        })
        .collect();
    let (mut now, mut inputs, mut events) = (Millis(0), 0, Vec::new());
    loop {
        if inputs >= most {
            return Err(unfinished(format!("the match was not over after {most} inputs")));
        }
        let input = match game.status() {
            Status::Over(outcome) => return Ok(Finished { game, outcome, inputs, length: now }),
            Status::Chance(need) => Input::Draw(deal(&need)),
            Status::Seats(_) => {
                for (i, player) in seats.iter_mut().enumerate().filter(|(_, p)| !p.asked) {
                    let start = Instant::now();
                    let thought = player.bot.think(&player.view, now, &mut player.chance);
                    timed(Seat(i as u8), start.elapsed());
                    player.asked = true;
                    player.due = thought.map(|t| (now.after(t.after_ms), t.command));
                }
                let first = (0..seats.len())
                    .filter_map(|i| seats[i].due.as_ref().map(|d| (d.0, i)))
                    .min_by_key(|&(due, i)| (due, i));
                match (game.alarm(), first) {
                    (Some(alarm), first) if first.is_none_or(|(due, _)| alarm.due <= due) => {
                        now = now.max(alarm.due);
                        Input::Ring(alarm.id)
                    }
                    (_, Some((due, i))) => {
                        now = due;
                        seats[i].asked = false;
                        match seats[i].due.take() {
                            Some((_, command)) => Input::Play(Seat(i as u8), command, Timing::at(now)),
                            None => continue,
                        }
                    }
                    (_, None) => {
                        return Err(unfinished(format!("after {inputs} inputs nobody wants to act")));
                    }
                }
            }
        };
        events.clear();
        if let Err(refusal) = game.decide(now, &input, &mut events) {
            return Err(unfinished(format!("after {inputs} inputs {input:?} was refused: {refusal}")));
        }
        inputs += 1;
        watch(&game, &input, &events);
        for event in &events {
            for (i, player) in seats.iter_mut().enumerate() {
                if let Some(notice) = game.notice(event, Viewer::Seat(Seat(i as u8))) {
                    player.view.observe(&notice);
                    player.asked = false;
                }
            }
            game.evolve(event);
        }
    }
}

/// Does `work` for each of `0..count` on `threads` threads; the results come in the order of the numbers. `done` is told
/// from any thread when one is finished, and says whether to go on: after a no, what is not begun is left out.
#[cfg(feature = "native")]
pub fn spread<T: Send>(
    count: u64,
    threads: usize,
    work: impl Fn(u64) -> T + Sync,
    done: impl Fn() -> bool + Sync,
) -> Vec<T> {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let (next, go_on) = (AtomicU64::new(0), AtomicBool::new(true));
    let mut results: Vec<(u64, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    while go_on.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            break;
                        }
                        mine.push((index, work(index)));
                        if !done() {
                            go_on.store(false, Ordering::Relaxed);
                        }
                    }
                    mine
                })
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
    });
    results.sort_unstable_by_key(|r| r.0);
    results.into_iter().map(|r| r.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_does_not_depend_on_what_came_before() {
        let third = Need::Shuffle { deal: 3, nth: 0, cards: 52 };
        assert_eq!(draw(9, &third), draw(9, &third));
        assert_ne!(draw(9, &third), draw(10, &third));
        assert_ne!(draw(9, &third), draw(9, &Need::Shuffle { deal: 3, nth: 1, cards: 52 }));
    }

    #[test]
    fn work_is_done_once_each_and_in_order() {
        for threads in [1, 3] {
            assert_eq!(spread(100, threads, |i| i * i, || true), (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
        let few = spread(100, 1, |i| i, || false);
        assert_eq!(few, [0]);
    }
}
