//! The worker as the page talks to it: text in, text out.

use game::{Millis, Seat, Viewer};
use worker::{Answer, Ask, Opened, Safe, Shown, Story, Worker};

/// A finished match is judged again beside the page, and whose seeds are in no card of a deal is named.
#[test]
fn a_record_is_judged_again_beside_the_page() {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Verify, "No record");
    let mut judged = |record: &str| {
        ask(&mut worker, &Ask::Record(record.to_owned()));
        let Answer::Verified(verified) = ask(&mut worker, &Ask::Verify) else { panic!("no answer") };
        verified
    };
    let record = include_str!("../../record/tests/records/2/contract.jsonl");
    let found = judged(record);
    assert!(
        found.wrong.is_none() && found.open.is_empty() && found.judged > 60 && found.draws > 2,
        "{found:?}"
    );
    assert_eq!(
        (found.missing, &found.absent[..]),
        (2, &["Bea did not open its seed in deals 1, 2.".to_owned()][..])
    );
    let found = judged(&record.replacen("\"play\":[0,", "\"play\":[1,", 1));
    assert!(found.wrong.is_some_and(|why| why.contains("seat 0 acted, but seat 1 played")));
    let found = judged(include_str!("../../record/tests/records/1/contract.jsonl"));
    assert!(
        found.wrong.is_none() && found.open.iter().any(|open| open.contains("header")),
        "{:?}",
        found.open
    );
}

/// Asks as the page does.
fn ask(worker: &mut Worker, ask: &Ask) -> Answer {
    let answer = worker.answer_text(&serde_json::to_string(ask).unwrap());
    serde_json::from_str(&answer).unwrap()
}

fn refused(worker: &mut Worker, question: &Ask, why: &str) {
    match ask(worker, question) {
        Answer::Fault(text) => assert!(text.contains(why), "`{text}` does not say `{why}`"),
        other => panic!("answered with {other:?}"),
    }
}

#[test]
fn every_built_in_game_can_be_looked_at() {
    for game in rulebook::presets() {
        let mut worker = Worker::default();
        let begin = Ask::Demo { game: game.to_owned(), seats: None, seed: 7 };
        let Answer::Shown(Shown { seats, .. }) = ask(&mut worker, &begin) else {
            panic!("{game} does not open")
        };
        assert!(seats >= 1, "{game}");
        for step in 1..60 {
            let at = Millis(step * 900);
            let Answer::Shown(Shown { refused, .. }) = ask(&mut worker, &Ask::Step { at }) else {
                panic!("{game}")
            };
            assert!(refused.is_empty(), "{game}: {refused}");
        }
    }
}

#[test]
fn a_demonstration_refuses_as_a_table_does() {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Step { at: Millis(0) }, "No demonstration");
    let game = "no-such-game".to_owned();
    refused(&mut worker, &Ask::Demo { game, seats: None, seed: 1 }, "no-such-game");
    ask(&mut worker, &Ask::Demo { game: "contract".into(), seats: Some(3), seed: 1 });
    let command = serde_json::from_value(serde_json::json!({ "contract": "round_over" }));
    let command = command.unwrap_or(rulebook::Command::Pattern(pattern::Command::Call));
    let Answer::Shown(Shown { refused, .. }) = ask(&mut worker, &Ask::Play { command, at: Millis(1) }) else {
        panic!("a refusal shows the position")
    };
    assert!(!refused.is_empty());
}

#[test]
fn a_record_is_shown_entry_by_entry_through_anybodys_eyes() {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Frame { after: 0, who: Viewer::Table }, "No record");
    refused(&mut worker, &Ask::Record(String::new()), "empty");
    refused(&mut worker, &Ask::Record("{}".into()), "Line 1");
    let record = include_str!("../../record/tests/records/1/contract.jsonl");
    let Answer::Opened(Opened { entries, seats }) = ask(&mut worker, &Ask::Record(record.into())) else {
        panic!("it does not open")
    };
    assert!(entries > 40, "{entries}");
    let mut last = Millis(0);
    // To the end and beyond, and back again.
    for after in (0..=entries + 1).chain([entries / 2, 0]) {
        for who in [Viewer::Table, Viewer::Seat(Seat(0))] {
            let Answer::Shown(Shown { seats: n, at, .. }) = ask(&mut worker, &Ask::Frame { after, who })
            else {
                panic!("entry {after}")
            };
            assert_eq!(usize::from(n), seats.len());
            assert!(at >= last || after <= entries / 2, "time goes on");
            last = at;
        }
    }
}

/// What the record's match looks like after so many entries.
fn shown(worker: &mut Worker, after: usize, who: Viewer) -> Shown {
    let Answer::Shown(shown) = ask(worker, &Ask::Frame { after, who }) else { panic!("entry {after}") };
    shown
}

/// What is told line by line follows from the place, however one came there: the last of what `who` learnt until then.
#[test]
fn what_was_learnt_follows_from_the_place_in_a_record() {
    let mut worker = Worker::default();
    let record = include_str!("../../record/tests/records/2/contract.jsonl");
    let Answer::Opened(Opened { entries, .. }) = ask(&mut worker, &Ask::Record(record.into())) else {
        panic!("it does not open")
    };
    for who in [Viewer::Table, Viewer::Seat(Seat(1))] {
        let all = shown(&mut worker, entries, who);
        let count = all.before as usize + all.heard.len();
        assert!(count > 40 && all.heard.len() > 40, "{count}");
        for after in (0..entries).rev() {
            let there = shown(&mut worker, after, who);
            let heard = there.before as usize + there.heard.len();
            assert!(heard <= count && (after > 0 || heard == 0), "{after}: {heard}");
            let both = heard.saturating_sub(all.before as usize).min(there.heard.len());
            let same = &all.heard[heard - both - all.before as usize..heard - all.before as usize];
            assert_eq!(&there.heard[there.heard.len() - both..], same, "entry {after}");
        }
    }
    // Others learn of a draw, and not of which card.
    let own = shown(&mut worker, entries, Viewer::Seat(Seat(0))).heard;
    assert_ne!(own, shown(&mut worker, entries, Viewer::Table).heard);
}

/// What stands beside a name follows from the place, too; and what is found lay there to be claimed.
#[test]
fn what_was_taken_and_could_be_follows_from_the_place_in_a_record() {
    let record = include_str!("../../record/tests/records/1/set-classic.jsonl");
    let finds = story(record).finds;
    let mut worker = Worker::default();
    let Answer::Opened(Opened { entries, .. }) = ask(&mut worker, &Ask::Record(record.into())) else {
        panic!("it does not open")
    };
    for after in (0..=entries).rev().chain([entries, 0]) {
        let rulebook::View::Pattern(pattern::View::Race(race)) =
            *shown(&mut worker, after, Viewer::Table).view
        else {
            panic!("a race")
        };
        for (n, player) in race.state.players.iter().enumerate() {
            let own = |find: &&worker::Find| find.entry <= after && find.seat.index() == n;
            let last = finds.iter().rfind(own).map_or(vec![], |find| find.cards.clone());
            assert_eq!(player.previous, last, "seat {n} after entry {after}");
        }
    }
    assert_eq!(shown(&mut worker, 0, Viewer::Table).open, None, "nothing lies there");
    for find in finds {
        let open = shown(&mut worker, find.entry - 1, Viewer::Table).open.expect("a layout");
        let sorted = |cards: &[cards::Point]| {
            let mut cards = cards.to_vec();
            cards.sort_unstable();
            cards
        };
        assert_eq!(open.count, open.cards.len());
        assert!(open.cards.iter().any(|cards| sorted(cards) == sorted(&find.cards)), "{find:?}: {open:?}");
    }
}

#[test]
fn odds_and_counts_are_those_of_the_laboratory() {
    let mut worker = Worker::default();
    let mut odds = |deck: &str, pattern: &str, cards| match ask(
        &mut worker,
        &Ask::Odds { deck: deck.into(), pattern: pattern.into(), cards },
    ) {
        Answer::Odds(row) => row,
        other => panic!("{other:?}"),
    };
    // pattern rulebook, 5.3 and 5.4
    assert_eq!(odds("d81", "set", 3).exact.as_deref(), Some("78/79"));
    let twelve = odds("d81", "set", 12);
    assert_eq!(lab::odds::odds_text(twelve.none), "29.958:1");
    assert_eq!(twelve.most, Some(14));
    assert!(!twelve.distribution.is_empty());
    assert_eq!(odds("d81", "set", 21).none, 0.0);
    assert!(odds("d81", "eight", 12).error.is_some(), "what is sampled says so");
    refused(&mut worker, &Ask::Odds { deck: "d9".into(), pattern: "set".into(), cards: 12 }, "`d9`");
    refused(&mut worker, &Ask::Odds { deck: "d81".into(), pattern: "flush".into(), cards: 12 }, "`flush`");
    refused(&mut worker, &Ask::Odds { deck: "d81".into(), pattern: "set".into(), cards: 22 }, "22");
}

#[test]
fn caps_are_counted_and_explored() {
    let mut worker = Worker::default();
    let Answer::Caps(rows) = ask(&mut worker, &Ask::Caps { dim: 3 }) else { panic!() };
    assert_eq!(rows.last().unwrap().size, 9, "nine cards of 27 can be without a Set");
    refused(&mut worker, &Ask::Caps { dim: 5 }, "5");
    refused(&mut worker, &Ask::Safe { dim: 2, cards: vec![9], count: false }, "9");
    let safe = Ask::Safe { dim: 2, cards: vec![0, 1], count: true };
    let Answer::Safe(Safe { cap, safe, extends }) = ask(&mut worker, &safe) else { panic!() };
    assert!(cap);
    assert_eq!(safe, [3, 4, 5, 6, 7, 8], "all but the third card of the line");
    // In AG(2,3), 54 quadrangles hold 6 pairs each among 36 pairs: 9 for each.
    assert_eq!(extends.unwrap(), ["0", "0", "1", "6", "9"]);
    let line = Ask::Safe { dim: 2, cards: vec![0, 1, 2], count: true };
    let Answer::Safe(Safe { cap: false, extends: None, .. }) = ask(&mut worker, &line) else { panic!() };
}

/// Any race can be simulated, and what comes of it is what `parlour sim` says of the same deals.
#[test]
fn every_race_is_simulated_as_in_the_laboratory() {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Deals(1), "No simulation");
    let Answer::Races(races) = ask(&mut worker, &Ask::Races) else { panic!("races") };
    let has = |game: &str| races.iter().any(|race| race.game == game);
    assert!(has("set-classic") && has("chain") && has("double-ultra9") && has("twenty"), "{races:?}");
    assert!(!has("memory") && !has("contract"), "{races:?}");
    let simulate = |worker: &mut Worker, game: &str, players, choose| {
        ask(worker, &Ask::Simulate { game: game.to_owned(), players, choose, seed: 3 })
    };
    for race in &races {
        for choose in [worker::Choose::Random, worker::Choose::First] {
            simulate(&mut worker, &race.game, None, choose);
            let Answer::Played(row) = ask(&mut worker, &Ask::Deals(1)) else { panic!("{race:?}") };
            assert_eq!((row.deals, row.players), (1, race.fewest), "{race:?}");
        }
    }
    simulate(&mut worker, "set-classic", Some(2), worker::Choose::Random);
    ask(&mut worker, &Ask::Deals(30));
    let Answer::Played(row) = ask(&mut worker, &Ask::Deals(10)) else { panic!("deals") };
    assert_eq!(row.command, "parlour sim set-classic --deals 40 --seed 3 --players 2");
    let rulebook::Rules::Pattern(rules) = &*rulebook::preset("set-classic").unwrap().rules(2).unwrap() else {
        panic!("a game of Set")
    };
    let rules = std::sync::Arc::new(lab::sim::without_waiting(rules));
    let mut tally = lab::sim::PatternTally::default();
    for deal in 0..40 {
        let seed = lab::matches::seed_of(3, deal);
        lab::sim::race_deal(&rules, 2, worker::Choose::Random, seed, &mut tally).unwrap();
    }
    assert_eq!((row.deals, row.usual), (40, 12));
    assert_eq!(row.claims.value, tally.claims.mean());
    assert!(row.claims.low < row.claims.value && row.claims.value < row.claims.high);
    let left: Vec<_> = row.left.iter().map(|(cards, share)| (*cards, share.value * 40.0)).collect();
    let expected: Vec<_> = tally.left.iter().map(|(&cards, &n)| (cards, n as f64)).collect();
    assert_eq!(left, expected);
    for game in ["memory", "contract"] {
        let Answer::Fault(why) = simulate(&mut worker, game, None, worker::Choose::Random) else {
            panic!("{game}")
        };
        assert!(why.contains("no race"), "{why}");
    }
}

/// Fresh cards are counted where that can be done in a moment (pattern rulebook, 5.2 to 5.4).
#[test]
fn fresh_cards_stand_beside_those_in_play() {
    let mut worker = Worker::default();
    let mut fresh = |game: &str| match ask(&mut worker, &Ask::Fresh { game: game.to_owned() }) {
        Answer::Fresh(rows) => rows
            .into_iter()
            .map(|row| (row.cards, lab::odds::odds_text(row.none), row.exact))
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let row = |cards: usize, against: &str| (cards, against.to_owned(), true);
    let classic = [row(12, "29.958:1"), row(15, "2741:1"), row(18, "7.045e7:1")];
    assert_eq!(fresh("set-classic"), classic);
    assert_eq!(fresh("chain"), classic, "the first claim of a chain is any Set");
    assert_eq!(fresh("quick")[1], row(12, "certain"));
    assert_eq!(fresh("double").len(), 1);
    assert!(fresh("mega").iter().all(|(_, _, exact)| !exact), "what is sampled says so");
    assert!(fresh("ultra").is_empty() && fresh("hands").is_empty(), "where the cards lie matters");
}

/// The figures of the page of mathematics are those of the laboratory and of the rulebook (5.1 to 5.3).
#[test]
fn the_mathematics_are_those_of_the_laboratory() {
    let mut worker = Worker::default();
    let Answer::Counts(counts) = ask(&mut worker, &Ask::Counts { dim: 4 }) else { panic!("counts") };
    assert_eq!((counts.sets, counts.planes, counts.supers, counts.directions), (1080, 1170, 63_180, 40));
    refused(&mut worker, &Ask::Counts { dim: 1 }, "dimension 2");
    // A plane holds 12 Sets; its waves say so, too.
    let Answer::Waves(waves) = ask(&mut worker, &Ask::Waves { dim: 3, cards: (0..9).collect() }) else {
        panic!("waves")
    };
    assert_eq!((waves.deck, waves.waves.len(), waves.by_waves, waves.by_looking), (27, 13, 12, 12));
    refused(&mut worker, &Ask::Waves { dim: 2, cards: vec![9] }, "no card 9");
    let Answer::WaveBounds(bounds) = ask(&mut worker, &Ask::WaveBounds) else { panic!("bounds") };
    let bounds: Vec<_> = bounds.iter().map(|bound| (bound.exact.as_str(), bound.largest)).collect();
    assert_eq!(bounds[..4], [("2/1", 2), ("21/5", 4), ("9/1", 9), ("21/1", 20)]);
    let Answer::Known(known) = ask(&mut worker, &Ask::Known) else { panic!("known") };
    assert!(known.largest.iter().any(|of| (of.0, of.1, of.2) == (5, 45, true)));
    let Answer::Between(between) = ask(&mut worker, &Ask::Between { dim: 6 }) else { panic!("between") };
    assert_eq!((between.least, between.waves), (112.0, 112.0));
    let Answer::Deal(deal) = ask(&mut worker, &Ask::Deal { cards: 20, times: 1.0 }) else { panic!("deal") };
    assert_eq!((deal.deals.as_str(), deal.caps.as_str()), ("4694436188839116720", "682344"));
    assert!((deal.given - 2.13e-19).abs() < 1e-21 && (deal.without - 1.4535e-13).abs() < 1e-17, "{deal:?}");
    refused(&mut worker, &Ask::Deal { cards: 82, times: 1.0 }, "81");
    let Answer::LargestCap(cap) = ask(&mut worker, &Ask::LargestCap { dim: 4 }) else { panic!("cap") };
    assert_eq!(cap.len(), 20);
    let Answer::Safe(Safe { cap, safe, .. }) =
        ask(&mut worker, &Ask::Safe { dim: 4, cards: cap, count: false })
    else {
        panic!("safe")
    };
    assert!(cap && safe.is_empty(), "20 cards without a Set, and none can be added");
}

/// A step of a replay is taken to the solver: the board as it lies, or the hand of whoever is looked over the shoulder.
#[test]
fn a_position_is_handed_over_to_the_solver() {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Handover { after: 0, who: Viewer::Table }, "No record");
    let mut last = |record: &str, who: Viewer| {
        let Answer::Opened(Opened { entries, .. }) = ask(&mut worker, &Ask::Record(record.to_owned())) else {
            panic!("it does not open")
        };
        let at = |after: usize| match worker.answer(Ask::Handover { after, who }) {
            Answer::Handover(path) => path,
            other => panic!("{other:?}"),
        };
        (0..=entries).map(at).collect::<Vec<_>>()
    };
    let contract = include_str!("../../record/tests/records/2/contract.jsonl");
    assert!(last(contract, Viewer::Table).iter().all(Option::is_none), "nobody's hand is seen");
    let paths = last(contract, Viewer::Seat(Seat(0)));
    let first = paths.iter().flatten().next().expect("a hand");
    assert!(first.starts_with("/solve/may-i?round=1&hand="), "{first}");
    assert!(paths.iter().flatten().any(|path| path.contains("&melds=")), "melds that lie there come along");
    let set = include_str!("../../record/tests/records/2/set-classic.jsonl");
    let paths = last(set, Viewer::Table);
    let first = paths.iter().flatten().next().expect("a layout");
    let (game, cards) =
        first.strip_prefix("/solve/").and_then(|path| path.split_once("?cards=")).expect("cards");
    // What is handed over is understood.
    let query = serde_json::json!({ "cards": cards.replace('+', " ") });
    let question = rulebook::solve::Question::Solve { limit: 10 };
    let solve = Ask::Solve { game: game.to_owned(), question, query };
    assert!(matches!(worker.answer(solve), Answer::Solved(_)), "{first}");
}

/// What is told of a record.
fn story(record: &str) -> Story {
    let mut worker = Worker::default();
    refused(&mut worker, &Ask::Story, "No record");
    ask(&mut worker, &Ask::Record(record.to_owned()));
    let Answer::Told(story) = ask(&mut worker, &Ask::Story) else { panic!("no story") };
    story
}

/// Its moments, by the entry after which each is seen, with the seat whose it is.
fn moments(story: &Story) -> String {
    let seat = |seat: Option<Seat>| seat.map_or(String::new(), |seat| format!(" {}", seat.0));
    let told = story.moments.iter().map(|m| format!("{} {}{}", m.after, m.what.id(), seat(m.seat)));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn what_is_told_of_a_match_is_what_its_record_says() {
    /// The moments; what was found, by whom and after how many milliseconds; what came of takes, by seat.
    fn check(record: &str, expected: &str, finds: &str, takes: &str) {
        let story = story(record);
        assert_eq!(moments(&story), expected);
        let told = story.finds.iter().map(|find| format!("{} {} ms", find.seat.0, find.after));
        assert_eq!(told.collect::<Vec<_>>().join(", "), finds);
        let told = story.takes.iter().map(|takes| format!("{}/{}", takes.laid, takes.taken));
        assert_eq!(told.collect::<Vec<_>>().join(" "), takes);
    }
    check(
        include_str!("../../record/tests/records/1/contract.jsonl"),
        "2 deal, 6 took 0, 12 took 2, 20 took 2, 24 took 1, 47 took 2, 52 took 1",
        "",
        "0/1 0/2 0/3",
    );
    // Calls that are taken back are neither right nor wrong; when one comes, the layout has lain open since its last card.
    check(
        include_str!("../../record/tests/records/1/set-classic.jsonl"),
        "2 deal, 6 found 1, 17 found 0, 25 found 1, 27 found 0, 31 found 0, 35 found 0, 57 found 0, 60 found 1",
        "1 1698 ms, 0 809 ms, 1 89939 ms, 0 561 ms, 0 1201 ms, 0 1544 ms, 0 1257 ms, 1 1217 ms",
        "",
    );
}

/// The same, read from the lines of a record that a real server writes anew with each version.
#[test]
fn what_is_told_of_rounds_stands_in_the_lines_of_the_record() {
    let record = include_str!("../../record/tests/records/2/contract.jsonl");
    let mut expected = Vec::new();
    let entries = record.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    for (n, entry) in (1..).zip(entries.filter(|entry| entry["events"].is_array())) {
        let who = &entry["cause"]["seat"]["seat"];
        for event in entry["events"].as_array().unwrap() {
            let event = &event["contract"];
            if event["dealt"].is_object() {
                expected.push(format!("{n} deal"));
            } else if event["took"].is_object() {
                expected.push(format!("{n} took {}", event["took"]["seat"]));
            } else if event["melded"]["contract"].is_number() {
                expected.push(format!("{n} down {who}"));
            } else if let Some(over) = event["round_over"].as_object() {
                expected.push(match &over["winner"] {
                    serde_json::Value::Null => format!("{n} blocked"),
                    winner => format!("{n} out {winner}"),
                });
            }
        }
    }
    let story = story(record);
    assert_eq!(moments(&story), expected.join(", "));
    assert!(expected.len() > 4);
    let taken: u16 = story.takes.iter().map(|takes| takes.taken).sum();
    assert_eq!(usize::from(taken), expected.iter().filter(|moment| moment.contains("took")).count());
    assert!(story.takes.iter().all(|takes| takes.laid <= takes.taken));
}

/// The page of one family sends its view as that family's alone, and is told what a bot would do, or that there is no such bot.
#[test]
fn a_bot_is_asked_beside_the_page() {
    use rulebook::{Only, View};
    let mut worker = Worker::default();
    let begin = Ask::Demo { game: "contract".to_owned(), seats: Some(3), seed: 7 };
    let Answer::Shown(mut shown) = ask(&mut worker, &begin) else { panic!("no demonstration") };
    let mut advised = 0;
    for step in 1..200 {
        let View::Contract(view) = *shown.view else { panic!("another family") };
        let advise = |bot: &str| {
            let view = Box::new(Only(view.clone()));
            let ask: Ask<Only<contract::Command>, Only<contract::View>> =
                Ask::Advise { bot: bot.to_owned(), view };
            serde_json::to_string(&ask).unwrap()
        };
        match serde_json::from_str(&worker.answer_text(&advise("steady"))).unwrap() {
            Answer::Advised(Some(advice)) => {
                let worker::Advice::Contract(advice) = *advice else { panic!("of another family") };
                assert_eq!(view.judge(&advice.command), Ok(()));
                advised += 1;
            }
            Answer::Advised(None) => assert!(!game::View::awaited(&view)),
            other => panic!("answered with {other:?}"),
        }
        let unknown = worker.answer_text(&advise("nobody"));
        assert!(unknown.contains("`nobody` is no bot of this game."), "{unknown}");
        let next = Ask::Step { at: Millis(step * 900) };
        let Answer::Shown(later) = ask(&mut worker, &next) else { panic!("no demonstration") };
        shown = later;
    }
    assert!(advised > 5, "only {advised} times was something to be decided");
}
