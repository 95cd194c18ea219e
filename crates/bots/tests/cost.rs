//! What bots cost in games that somebody made as dear as a rule file may be: printed, not asserted.
//! `cargo test -p parlour-bots --release --test cost -- --ignored --nocapture`

#[path = "../../rulebook/tests/common/hostile.rs"]
mod hostile;

use game::chance::{Chance, SplitMix};
use game::{Game, Input, Millis, Seat, Status, Timing, View as _, Viewer};
use rulebook::{Match, house};
use std::time::{Duration, Instant};

#[test]
#[ignore = "it prints times, and proves nothing"]
fn the_longest_thought_in_the_dearest_games() {
    for (name, text) in hostile::playable() {
        let loaded = house::load(&text).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        for kind in ["easy", "steady", "keen", "strong"] {
            let seats = loaded.info.players_max;
            let begun = Instant::now();
            let rules = loaded.rules(seats).unwrap_or_else(|faults| panic!("{name}: {faults}"));
            let Some(mut bot) = bots::make(kind, &rules) else { continue };
            let mut game = Match::open(rules, seats).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let opened = begun.elapsed();
            let (mut chance, mut at) = (SplitMix(1), Millis(0));
            let mut longest = [Duration::ZERO; 3];
            for _ in 0..300 {
                let input = match game.status() {
                    Status::Over(_) => break,
                    Status::Chance(need) => Input::Draw(chance.answer(&need)),
                    _ => {
                        let mut thought = None;
                        for seat in (0..seats).map(Seat) {
                            let began = Instant::now();
                            let view = game.view(Viewer::Seat(seat));
                            longest[1] = longest[1].max(began.elapsed());
                            if !view.awaited() {
                                continue;
                            }
                            let began = Instant::now();
                            thought = bot.think(&view, at, &mut chance).map(|t| (seat, t.command));
                            longest[0] = longest[0].max(began.elapsed());
                            if thought.is_some() {
                                break;
                            }
                        }
                        match (thought, game.alarm()) {
                            (Some((seat, command)), _) => Input::Play(seat, command, Timing::at(at)),
                            (None, Some(alarm)) => {
                                at = at.max(alarm.due);
                                Input::Ring(alarm.id)
                            }
                            (None, None) => break,
                        }
                    }
                };
                let began = Instant::now();
                drop(game::step(&mut game, at, &input, &mut Vec::new()));
                longest[2] = longest[2].max(began.elapsed());
            }
            let [thought, view, step] = longest;
            println!("{name}, {kind}: opened {opened:?}, thought {thought:?}, view {view:?}, step {step:?}");
        }
    }
}
