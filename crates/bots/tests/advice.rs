//! What a bot would do in somebody's place, and why.

use bots::contract::{Advice, Played, Reason, Weighed, Words};
use contract::{Command, Match, Rules, View};
use game::chance::{Chance, SplitMix};
use game::written::{Opening, Written};
use game::{Game, Input, Millis, Seat, Status, Timing, Viewer};
use std::sync::Arc;

/// Views of a match of three, each of a seat that has something to decide.
fn views(inputs: usize) -> Vec<View> {
    let mut game = Match::open(Arc::new(Rules::contract(3)), 3).expect("three may play");
    let (mut chance, mut events, mut views) = (SplitMix(16), Vec::new(), Vec::new());
    for _ in 0..inputs {
        let input = match game.status() {
            Status::Over(_) => break,
            Status::Chance(need) => Input::Draw(chance.answer(&need)),
            Status::Seats(_) => {
                let mut counting = bots::of_contract("counting").expect("counting");
                let mut thoughts = (0..3).map(Seat).filter_map(|seat| {
                    let view = game.view(Viewer::Seat(seat));
                    let thought = counting.think(&view, Millis(0), &mut chance)?;
                    Some((view, seat, thought.command))
                });
                let (view, seat, command) = thoughts.next().expect("somebody moves");
                drop(thoughts);
                views.push(view);
                Input::Play(seat, command, Timing::at(Millis(0)))
            }
        };
        game::step(&mut game, Millis(0), &input, &mut events).expect("a legal command");
    }
    views
}

fn advice(bot: &str, view: &View) -> Option<Advice> {
    let view = rulebook::View::Contract(view.clone());
    match bots::advise(bot, &view).expect(bot)? {
        bots::Advice::Contract(advice) => Some(advice),
        bots::Advice::Pattern(advice) => panic!("of another family: {advice:?}"),
    }
}

/// A word for each reason, and what they are called in notation.
fn said(advice: &Advice) -> (String, Vec<String>) {
    let (card, name) = (|card: cards::Face| card.to_string(), |seat: Seat| format!("P{seat}"));
    let words = Words { card: &card, name: &name };
    let reasons = advice.reasons(words).iter().map(ToString::to_string).collect();
    (advice.action(words).to_string(), reasons)
}

#[test]
fn whoever_is_asked_advises_what_may_be_done_and_says_why() {
    let views = views(400);
    let mut played = 0;
    for bot in ["easy", "steady", "keen", "strong", "40"] {
        // Who plays rounds on in mind takes its time.
        let views = views.iter().step_by(if bot == "strong" { 8 } else { 1 });
        for view in views {
            let Some(advice) = advice(bot, view) else { panic!("{bot} has nothing to say") };
            assert_eq!(view.judge(&advice.command), Ok(()), "{bot}: {advice:?}");
            assert!(advice.bot.starts_with(bot), "{}", advice.bot);
            let (action, reasons) = said(&advice);
            assert!(!reasons.is_empty(), "{bot}: {action}");
            for sentence in reasons.iter().chain([&action]) {
                assert!(sentence.ends_with('.') && !sentence.contains("advice"), "no words: {sentence}");
                assert!(!sentence.contains(['{', '}', '|']), "not filled in: {sentence}");
            }
            if let (Command::Discard { card, .. }, Reason::Throw { weighed, .. }) =
                (&advice.command, &advice.reason)
            {
                assert_eq!(weighed[0].card, *card, "the choice comes first");
                let rounds = |played: &Option<Played>| played.is_some_and(|played| played.rounds > 0);
                played += u32::from(bot == "strong" && weighed.iter().any(|card| rounds(&card.played)));
            }
            let json = serde_json::to_string(&advice).expect("data");
            assert_eq!(serde_json::from_str::<Advice>(&json).expect("data"), advice);
        }
    }
    assert!(played > 5, "only {played} times a round was played on in mind");
}

#[test]
fn nobody_is_advised_before_anything_is_dealt_or_by_whom_nobody_knows() {
    let game = Match::open(Arc::new(Rules::contract(3)), 3).expect("three may play");
    let view = game.view(Viewer::Seat(Seat(0)));
    assert_eq!(advice("strong", &view), None, "nothing is dealt");
    assert_eq!(bots::advise("nobody", &rulebook::View::Contract(view)), Err(bots::NoBot));
}

/// What was learned outweighs what was imagined, or the other way about; where the figures alone would have it otherwise that is said.
#[test]
fn what_was_learned_and_what_was_imagined_count_together() {
    let weighed = |card: cards::Face, points: f32, learned: Option<f32>| Weighed {
        card,
        missing: Some(2),
        helpers: 3,
        points: 10,
        near: Vec::new(),
        fits: false,
        learned,
        waits: None,
        played: Some(Played { rounds: 40, points, ahead_of: 0.5 }),
    };
    let check = |learned: Option<f32>, points: f32, wanted: bool| {
        let (first, second) = (cards::Face::new(0, 9), cards::Face::new(1, 4));
        let reason = Reason::Throw {
            missing: Some(2),
            down: false,
            weighed: vec![weighed(first, 20.0, learned), weighed(second, points, learned.map(|_| 0.0))],
        };
        let command = Command::Discard { card: first, shanghai: false };
        let (_, reasons) = said(&Advice { bot: "strong".to_owned(), command, reason });
        let told = reasons.iter().any(|reason| reason.contains("counts as much as 150 imagined deals"));
        assert_eq!(told, wanted, "{points}: {reasons:?}");
    };
    check(Some(3.0), 18.0, true);
    check(Some(3.0), 20.2, false);
    check(Some(3.0), 25.0, false);
    // Where nothing was learned nothing is said of it.
    check(None, 18.0, false);
}

/// What is said to seat 1 of three in a round, who is to throw from this hand after drawing from the stock.
#[track_caller]
fn check(bot: &str, round: u16, hand: &str, expected: &str) {
    let text = format!(
        "hands = [\"KC KS 9D 9C 2H 4H\", \"{hand}\", \"QC QS 5D 5C 8H JH\"]\ndiscard = \"3C\"\nstock = \"4S 6D TC\""
    );
    let position = toml::from_str(&text).expect("a position");
    let opening = Opening { round, dealer: Seat(0) };
    let mut game = Match::set_up(Arc::new(Rules::contract(3)), 3, opening, position)
        .unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut told = Vec::new();
    for _ in 0..12 {
        let view = game.view(Viewer::Seat(Seat(1)));
        if let Some(advice) = advice(bot, &view) {
            let (action, reasons) = said(&advice);
            let thrown = matches!(advice.command, Command::Discard { .. });
            told = std::iter::once(action).chain(reasons).collect();
            if thrown || matches!(advice.command, Command::Meld { .. }) {
                break;
            }
            game::step(
                &mut game,
                Millis(0),
                &Input::Play(Seat(1), advice.command, Timing::at(Millis(0))),
                &mut Vec::new(),
            )
            .expect("advice is legal");
        }
        // The others pass.
        for seat in [Seat(0), Seat(2)] {
            let pass = Input::Play(seat, Command::Pass, Timing::at(Millis(0)));
            let _ = game::step(&mut game, Millis(0), &pass, &mut Vec::new());
        }
    }
    assert_eq!(told.join("\n"), expected.trim());
}

#[test]
fn what_is_said_of_a_position() {
    check(
        "steady",
        1,
        "7C 7D 7H KC KD 2S 3D QH",
        "Throw QH.\n\
        You can do without it: 1 card is missing from your contract either way.\n\
        8 unseen cards would then bring you nearer.\n\
        It counts 10 points if it stays in your hand.\n\
        Nothing that others picked up and still hold goes with it.",
    );
}

/// Where nobody lays anything until somebody lays all of it, most end such a round with their whole hand.
#[test]
fn who_has_measured_it_throws_dear_cards_where_the_whole_hand_must_go() {
    let check = |bot, card, helping, points| {
        check(
            bot,
            7,
            "7S 8S 9S 6H 5H 2H 7D 8C 5D 8D 9H TD",
            &format!(
                "Throw {card}.\n\
                You can do without it: 4 cards are missing from your contract either way.\n\
                {helping} unseen cards would then bring you nearer.\n\
                It counts {points} points if it stays in your hand.\n\
                Nothing that others picked up and still hold goes with it."
            ),
        );
    };
    check("counting", "8C", 18, 8);
    check("keen", "TD", 16, 10);
}

/// Plays a match of the Set family and asks every seat for advice: it may always be done, and is said in words.
#[track_caller]
fn check_set(name: &str, seats: u8, bot: &str) {
    let preset = rulebook::preset(name).expect("a built-in game");
    let rules = preset.rules(seats).expect("for so many");
    let rulebook::Rules::Pattern(rules) = &*rules else { panic!("{name} is of another family") };
    let mut game = pattern::Match::open(rules.clone(), seats).expect("so many may play");
    let mut players: Vec<_> = (0..seats).map(|_| bots::of_pattern(bot).expect("a kind")).collect();
    let (mut chance, mut events, mut now, mut advised) = (SplitMix(5), Vec::new(), Millis(0), 0);
    // The puzzle is shuffled until it has as many Sets as it should.
    for _ in 0..20_000 {
        let input = match game.status() {
            Status::Chance(need) => Input::Draw(chance.answer(&need)),
            Status::Seats(_) if advised < 40 => {
                for seat in (0..seats).map(Seat) {
                    let view = rulebook::View::Pattern(game.view(Viewer::Seat(seat)));
                    let Some(advice) = bots::advise(bot, &view).expect("a kind") else { continue };
                    assert_eq!(
                        bots::advise(bot, &view),
                        Ok(Some(advice.clone())),
                        "the same view brings the same"
                    );
                    let bots::Advice::Pattern(advice) = advice else { panic!("of another family") };
                    let card = |card: cards::Point| format!("{card:?}");
                    for sentence in advice.reasons(&card).iter().chain([&advice.action(&card)]) {
                        let sentence = sentence.to_string();
                        assert!(
                            sentence.ends_with('.') && !sentence.contains("advice"),
                            "no words: {sentence}"
                        );
                        assert!(!sentence.contains(['{', '|']), "not filled in: {sentence}");
                    }
                    let json = serde_json::to_string(&bots::Advice::Pattern(advice.clone())).expect("data");
                    let read = serde_json::from_str::<bots::Advice>(&json).expect("data");
                    assert_eq!(read, bots::Advice::Pattern(advice));
                    advised += 1;
                }
                let thoughts = players.iter_mut().enumerate().filter_map(|(seat, player)| {
                    let seat = Seat(seat as u8);
                    Some((seat, player.think(&game.view(Viewer::Seat(seat)), now, &mut chance)?))
                });
                let first = thoughts.min_by_key(|(_, thought)| thought.after_ms);
                match (game.alarm(), first) {
                    (Some(alarm), first)
                        if first.as_ref().is_none_or(|(_, t)| alarm.due <= now.after(t.after_ms)) =>
                    {
                        now = now.max(alarm.due);
                        Input::Ring(alarm.id)
                    }
                    (_, Some((seat, thought))) => {
                        now = now.after(thought.after_ms);
                        Input::Play(seat, thought.command, Timing::at(now))
                    }
                    (_, None) => panic!("nobody acts"),
                }
            }
            _ => break,
        };
        game::step(&mut game, now, &input, &mut events).expect("a legal command");
    }
    assert!(advised >= 5, "{name}: advised only {advised} times");
}

#[test]
fn in_every_game_of_the_set_family_something_is_advised() {
    for game in ["set-classic", "ultra", "scout", "twenty", "memory", "setup"] {
        check_set(game, 2, "medium");
    }
    check_set("daily-puzzle", 1, "hard");
    check_set("set-classic", 2, "adaptive");
    check_set("set-classic", 2, "31");
}
