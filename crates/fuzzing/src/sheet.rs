//! Rule files, and the codes by which they are passed on.

use crate::{texts, work};
use game::laws::{Plan, any_command, check};
use game::{Game, laws};
use rulebook::{Faults, Loaded, Match, Rules, house};
use std::sync::Arc;

/// Bytes of memory for reading a rule file and telling what it means: for any, and for each byte of one.
const WORK: (usize, usize) = (64 << 20, 4 << 10);

/// A rule file: it is refused in words, or it can be played by every number of players that it says, its sheet can be
/// written, and what a page makes of it is the same game.
///
/// # Panics
/// If a law is broken.
pub fn rule_file(bytes: &[u8]) {
    let Some(text) = texts::text(bytes) else { return };
    let most = work::most(WORK.0, WORK.1, text.len());
    let loaded = work::within("loading", most, || house::load(text));
    let again = house::load(text);
    match (&loaded, &again) {
        (Ok(one), Ok(other)) => assert_eq!((&one.info, &one.warnings), (&other.info, &other.warnings)),
        (Err(one), Err(other)) => assert_eq!(one.faults, other.faults),
        _ => panic!("the same file was judged in two ways"),
    }
    let seats = 2 + (texts::seed(bytes) % 7) as u8;
    let meaning = work::within("telling", most, || house::meaning(text, seats));
    match loaded {
        Err(faults) => {
            in_words(&faults, text);
            assert!(meaning.game.is_none() && meaning.sheet.is_empty());
            assert_eq!(meaning.faults.len(), faults.faults.len());
        }
        Ok(loaded) => {
            assert_eq!(meaning.game.as_ref(), Some(&loaded.info));
            assert_eq!(meaning.faults, []);
            shared(text);
            playable(&loaded, seats, texts::seed(bytes));
            if let Some(draft) = &meaning.draft {
                same_game(&loaded, draft);
            }
        }
    }
}

/// What is refused says where, why, and what would be right.
fn in_words(faults: &Faults, text: &str) {
    assert!(!faults.faults.is_empty());
    for fault in &faults.faults {
        assert!(fault.reason.to_string().len() > 5 && !fault.check.is_empty(), "{fault:?}");
        if let Some(line) = fault.place.line {
            assert!(line <= text.lines().count() + 1, "{fault:?}");
        }
    }
    // A message is for reading: it does not say a whole file again. Forty faults are told, also of a short one.
    assert!(
        faults.to_string().len() <= 16 * text.len() + 40 * 200,
        "{} bytes of faults",
        faults.to_string().len()
    );
}

/// Every number of players that the file allows can sit down, or is told why not; and a few moves keep the laws.
fn playable(loaded: &Loaded, seats: u8, seed: u64) {
    let (min, max) = (loaded.info.players_min, loaded.info.players_max);
    assert!(1 <= min && min <= max && max <= game::Seat::MOST, "{min} to {max} players");
    // Fewer may do: of the Set family one can always play alone.
    assert!(loaded.rules(max + 1).is_err(), "{} can play, though it is for {min} to {max}", max + 1);
    let mut some = false;
    for seats in min..=max {
        match loaded.rules(seats) {
            Err(faults) => {
                assert!(faults.faults.iter().all(|fault| fault.reason.to_string().len() > 5), "{faults:?}")
            }
            Ok(rules) => {
                some = true;
                texts::written(&*rules);
                let game = Match::open(rules, seats).unwrap_or_else(|why| panic!("{seats} seats: {why}"));
                assert!(game.census().len() < 2000, "{} card places", game.census().len());
                let sheet = loaded.sheet(Some(seats)).unwrap_or_else(|why| panic!("no sheet: {why}"));
                assert!(sheet.starts_with("# ") && sheet.len() < 256 << 10, "{}", sheet.len());
            }
        }
    }
    assert!(some, "a file that loads can be played by nobody");
    if let Ok(rules) = loaded.rules(seats.clamp(min, max)) {
        moves(&rules, seats.clamp(min, max), seed);
    }
}

fn moves(rules: &Arc<Rules>, seats: u8, seed: u64) {
    let plan = Plan { seed, most_inputs: 40, every: 11, presence: 15, dawdle: 10 };
    match check::<Match>(rules, seats, &plan, &mut any_command) {
        // Nobody waits here until a match has ended.
        Ok(_) | Err(laws::Broken { law: "ends", .. }) => {}
        Err(broken) => panic!("{broken}"),
    }
}

/// The rules as a page shows them for changing, unchanged, are the same rules.
fn same_game(loaded: &Loaded, draft: &house::Draft) {
    let text = draft.text();
    let again = house::load(&text).unwrap_or_else(|why| panic!("the draft is refused: {why}\n{text}"));
    for seats in loaded.info.players_min..=loaded.info.players_max {
        match (loaded.rules(seats).as_deref(), again.rules(seats).as_deref()) {
            (Ok(Rules::Contract(one)), Ok(Rules::Contract(other))) => {
                assert_eq!(one.settings, other.settings, "{text}");
                assert_eq!(one.rounds, other.rounds, "{text}");
            }
            (Ok(one), Ok(other)) => assert_eq!(one, other, "{text}"),
            (Err(_), Err(_)) => {}
            (one, other) => panic!("{one:?} but {other:?}: {text}"),
        }
    }
}

/// A text that is passed on as a code comes back whole.
fn shared(text: &str) {
    let code = rulebook::share(text);
    assert_eq!(rulebook::unshare(&code).as_deref(), Ok(text));
}

/// A share code: what is read from it makes a code that says the same; and any text at all can be passed on, and a code with
/// one digit changed or cut off is known for what it is.
///
/// # Panics
/// If a law is broken.
pub fn share_code(bytes: &[u8]) {
    let Some(text) = texts::text(bytes) else { return };
    let most = work::most(64 << 10, 512, text.len());
    let read = work::within("unpacking", most, || rulebook::unshare(text));
    assert_eq!(read, rulebook::unshare(text));
    if let Ok(file) = &read {
        // The longest word stands for a byte, and 8 digits hold 5 bytes.
        assert!(file.len() <= 24 * text.len(), "{} bytes from {}", file.len(), text.len());
        shared(file);
    }
    let code = rulebook::share(text);
    if rulebook::unshare(&code).as_deref() != Ok(text) {
        assert!(text.len() > rulebook::FILE_BYTES, "{code}");
        return;
    }
    let at = "PARLOUR1-".len() + (texts::seed(bytes) as usize) % (code.len() - "PARLOUR1-".len());
    assert!(rulebook::unshare(&code[..at]).is_err(), "cut off at {at}: {code}");
    if code.as_bytes()[at] != b'-' {
        let mut edited = code.clone();
        edited.replace_range(at..=at, if code.as_bytes()[at] == b'Z' { "Y" } else { "Z" });
        assert!(rulebook::unshare(&edited).is_err(), "{edited} for {code}");
    }
}
