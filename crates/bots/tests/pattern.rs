//! Bots play whole matches of every game of the Set family that several can play.

use bots::pattern::{Level, PatternBot};
use bots::{Bot, BotKind, Thought};
use game::chance::SplitMix;
use game::{Chance, Game, Input, Millis, Outcome, Seat, Status, Timing, Viewer};
use pattern::{Command, Match, Rules, View};
use std::sync::Arc;

fn rules(id: &str, seats: u8) -> Arc<Rules> {
    let loaded = rulebook::preset(id).unwrap_or_else(|_| panic!("{id} is built in"));
    match &*loaded.rules(seats).unwrap_or_else(|_| panic!("{id} can be played by {seats}")) {
        rulebook::Rules::Pattern(rules) => rules.clone(),
        rulebook::Rules::Contract(_) => panic!("{id} is a pattern game"),
    }
}

struct Played {
    outcome: Outcome,
    minutes: f64,
    commands: usize,
    claims: usize,
    errors: usize,
}

fn play(id: &str, levels: &[Level], seed: u64) -> Played {
    play_at(100, id, levels, seed)
}

/// Plays a match as a table does: every bot is asked after every change, and what it meant is dropped by then. They wait for
/// so many parts in a hundred of what they would.
fn play_at(pace: u32, id: &str, levels: &[Level], seed: u64) -> Played {
    let bots = levels.iter().map(|&level| Box::new(PatternBot::new(level)) as _);
    play_with(pace, id, bots.collect(), seed)
}

fn play_with(pace: u32, id: &str, mut bots: Vec<Box<dyn Bot<View>>>, seed: u64) -> Played {
    let seats = bots.len() as u8;
    let mut chance = SplitMix(seed);
    let mut game = Match::open(rules(id, seats), seats).unwrap();
    let (mut now, mut commands, mut claims, mut errors) = (Millis(0), 0, 0, 0);
    for _ in 0..20_000 {
        let mut events = Vec::new();
        match game.status() {
            Status::Over(outcome) => {
                return Played { outcome, minutes: f64::from(now.0) / 60_000.0, commands, claims, errors };
            }
            Status::Chance(need) => {
                let draw = chance.answer(&need);
                game::step(&mut game, now, &Input::Draw(draw), &mut events).unwrap();
                continue;
            }
            Status::Seats(_) => {}
        }
        let thoughts = bots.iter_mut().zip(0..).filter_map(|(bot, seat)| {
            let view = game.view(Viewer::Seat(Seat(seat)));
            let Thought { command, after_ms, .. } = bot.think(&view, now, &mut chance)?.paced(pace);
            Some((now.after(after_ms), seat, command))
        });
        let next = thoughts.min_by_key(|(due, seat, _)| (*due, *seat));
        match (next, game.alarm()) {
            (Some((due, seat, command)), alarm) if alarm.is_none_or(|alarm| due < alarm.due) => {
                now = now.max(due);
                commands += 1;
                claims += usize::from(matches!(command, Command::Claim { .. }));
                let input = Input::Play(Seat(seat), command.clone(), Timing::at(now));
                if let Err(refusal) = game::step(&mut game, now, &input, &mut events) {
                    panic!("{id}, seed {seed}: {seat} {command:?} at {} was refused: {refusal}", now.0);
                }
                errors += events.iter().filter(|event| wrong(event)).count();
            }
            (_, Some(alarm)) => {
                now = now.max(alarm.due);
                game::step(&mut game, now, &Input::Ring(alarm.id), &mut events).unwrap();
            }
            (Some(_), None) => unreachable!("a thought without an alarm is carried out"),
            (None, None) => panic!("{id}, seed {seed}: nobody acts and no alarm is set"),
        }
    }
    panic!("{id}, seed {seed}: the match does not end");
}

fn wrong(event: &pattern::Event) -> bool {
    matches!(event, pattern::Event::Race(pattern::race::Event::Judged { verdict, .. }) if !verdict.finding.right())
}

#[test]
fn every_game_is_played_to_its_end_by_legal_commands_alone() {
    let mut errors = 0;
    for id in rulebook::presets() {
        let Ok(loaded) = rulebook::preset(id) else { panic!("{id} is built in") };
        let Ok(rules) = loaded.rules(loaded.info.players_min.max(2)) else { continue };
        let rulebook::Rules::Pattern(rules) = &*rules else { continue };
        if rules.players.max < 2 {
            continue;
        }
        // Every kind that people are offered, the strongest first, and the two strongest.
        let mut kinds: Vec<&BotKind> =
            bots::kinds(rulebook::Family::Pattern).filter(|kind| kind.level > 0).collect();
        kinds.reverse();
        for seed in 0..2 {
            let seated = &kinds[..if seed == 0 { kinds.len().min(rules.players.max.into()) } else { 2 }];
            let make = |kind: &&BotKind| bots::of_pattern(kind.name).expect("a kind of bot");
            let played = play_with(100, id, seated.iter().map(make).collect(), seed);
            assert!(
                played.outcome.ranked,
                "{id}: a match that was played out counts: {:?} after {:.1} minutes",
                played.outcome, played.minutes
            );
            assert!(played.commands > 5 && played.minutes > 0.2, "{id}: {} commands", played.commands);
            errors += played.errors;
        }
    }
    assert!(errors > 0, "a beginner errs now and then");
}

#[test]
fn wrong_claims_are_rare_at_any_pace() {
    for pace in [100, 20] {
        for (id, level, rare) in [
            ("set-classic", Level::EASY, 8),
            ("set-classic", Level::MEDIUM, 12),
            ("set-heap", Level::MEDIUM, 12),
            ("mega", Level::MEDIUM, 12),
            ("mega", Level::HARD, 18),
        ] {
            let played = (0..8).map(|seed| play_at(pace, id, &[level; 3], seed));
            let (claims, errors) = played.fold((0, 0), |(c, e), p| (c + p.claims, e + p.errors));
            assert!(errors * rare <= claims, "{id}, {level:?}: {errors} of {claims} wrong at {pace} of 100");
        }
    }
}

#[test]
fn better_levels_win_more() {
    for id in ["set-classic", "memory", "setup"] {
        let wins = (0..20).filter(|&seed| {
            // Each sits in each seat as often.
            let levels = if seed % 2 == 0 { [Level::EASY, Level::HARD] } else { [Level::HARD, Level::EASY] };
            let hard = Seat(if seed % 2 == 0 { 1 } else { 0 });
            play(id, &levels, seed).outcome.places[hard.index()] == 1
        });
        let wins = wins.count();
        assert!(wins >= 13, "{id}: the better one is first in {wins} of 20");
    }
}

#[test]
fn the_same_chance_gives_the_same_match() {
    let (first, second) = (play("scout", &[Level::MEDIUM; 3], 7), play("scout", &[Level::MEDIUM; 3], 7));
    assert_eq!((first.outcome, first.commands), (second.outcome, second.commands));
}

#[test]
fn a_bot_that_sees_nothing_agrees_at_last() {
    let mut bot = PatternBot::new(Level::MEDIUM);
    let rules = rules("set-classic", 2);
    let setup = pattern::Position {
        board: Some("0001 0011 0022 0102 0112 0201 1020 1110 1111 1220 2100 2220".into()),
        stock: Some("...".into()),
        ..pattern::Position::default()
    };
    let opening = game::written::Opening { round: 1, dealer: Seat(1) };
    let game = <Match as game::written::Written>::set_up(rules, 2, opening, setup).unwrap();
    let view = game.view(Viewer::Seat(Seat(0)));
    let thought = bot.think(&view, Millis(5_000), &mut SplitMix(1)).expect("it says that there is none");
    assert_eq!(thought.command, Command::NoSet);
    assert!((4_000..30_000).contains(&thought.after_ms), "{} ms", thought.after_ms);
}
