//! The worker as the page talks to it: text in, text out.

use game::{Millis, Seat, Viewer};
use worker::{Answer, Ask, Opened, Safe, Shown, Worker};

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
    assert_eq!(twelve.against, "29.958:1");
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
