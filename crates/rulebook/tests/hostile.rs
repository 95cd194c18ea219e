//! What strangers may send as rules: whatever it is, it is read or refused in words, with little stack and little work.

#[path = "common/hostile.rs"]
mod hostile;

use hostile::house;
use rulebook::house;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the thread takes from the heap: a measure of work that is the same on every machine.
struct Counting;

thread_local! {
    static TAKEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    let _ = TAKEN.try_with(|taken| taken.set((taken.get().0 + 1, taken.get().1 + bytes)));
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// How often, and how many bytes, `work` takes from the heap.
fn taken(work: impl FnOnce()) -> (usize, usize) {
    TAKEN.set((0, 0));
    work();
    TAKEN.get()
}

/// What is said of a file, by each way that a file comes.
fn check(text: &str, word: &str) {
    let meaning = house::meaning(text, 4);
    let told: Vec<String> =
        meaning.faults.iter().map(|f| format!("{}: {}", f.reason.text, f.remedy.text)).collect();
    let shown = &text[..text.floor_char_boundary(60)];
    assert!(meaning.faults.len() <= 41, "{shown}: {} faults", told.len());
    assert!(told.iter().all(|told| told.len() < 1500), "{shown}: a fault is long");
    if word.is_empty() {
        assert_eq!(told, [""; 0], "{shown}");
    } else {
        assert!(told.iter().any(|told| told.contains(word)), "{shown}: {told:?}");
    }
    assert_eq!(house::load(text).is_ok(), word.is_empty(), "{shown}");
    if let Ok(shared) = rulebook::unshare(&rulebook::share(text)) {
        assert_eq!(shared, text);
    }
}

/// On the stack of a thread of the server.
fn with_a_small_stack(work: fn()) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread").join().expect("no fault");
}

#[test]
fn expressions_that_once_used_up_the_stack_are_refused() {
    with_a_small_stack(|| {
        check(&house("deck.decks = \"(1+1)\""), "");
        for part in ["(", "-", "ceil(", "floor(", "n*(", "-(", "2*1*"] {
            for option in ["deck.decks", "deck.jokers", "deal.cards"] {
                check(&house(&format!("{option} = \"{}1\"", part.repeat(4000))), "letters");
            }
            let round = format!("[[round]]\ncontract = [\"G3\"]\ndeal = \"{}1\"", part.repeat(4000));
            check(&house(&round), "letters");
        }
        check(&house(&format!("deck.decks = \"{}2{}\"", "(".repeat(40), ")".repeat(40))), "deep");
    });
}

#[test]
fn what_is_nested_is_refused() {
    with_a_small_stack(|| {
        for (open, close) in [("[", "]"), ("{ a = ", "}"), ("[{ upto = 9, is = ", "}]")] {
            for depth in [13, 60, 79, 81, 1500] {
                let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
                for key in ["deck.decks", "round", "unknown", "score.values"] {
                    check(&house(&format!("{key} = {value}")), "deep");
                }
            }
        }
        check(&house(&format!("{} = 1", vec!["a"; 5000].join("."))), "deep");
        check(&house(&format!("[{}]", vec!["round"; 2000].join("."))), "deep");
    });
}

#[test]
fn what_is_long_is_refused() {
    with_a_small_stack(|| {
        let keys =
            |key: fn(usize) -> String| house(&(0..1000).map(|n| key(n) + " = 1\n").collect::<String>());
        check(&"#".repeat(rulebook::FILE_BYTES + 1), "bytes");
        check(&house(&format!("{} = 1", "k".repeat(30_000))), "is not known");
        check(&house(&format!("\"take.{}\" = 1", "k".repeat(30_000))), "is not known");
        check(&keys(|n| format!("k{n}")), "perhaps more is wrong");
        check(&keys(|n| format!("\"score.values.k{n}\"")), "write at most 100 values");
        check(&house(&format!("deck.suits = [{}]", "\"x\",".repeat(5000))), "values");
        check(&house(&format!("deck.suits = [{}]", "\"x\",".repeat(57))), "write at most 56 texts");
        check(&house(&format!("deck.suits = [\"{}\"]", "x".repeat(25))), "at most 24 letters");
        check(&house(&format!("take.label = \"{}\"", "x".repeat(81))), "write at most 80 letters");
        check(
            &format!("id = \"ours\"\nname = \"Ours\"\nbase = \"{}\"", "b".repeat(30_000)),
            "there is no game",
        );
    });
}

#[test]
fn whatever_is_sent_costs_little_work() {
    // Three times what the dearest file takes that can be played; a file of nothing but faults takes twice as much.
    const MOST: (usize, usize) = (200_000, 24 << 20);
    for (name, text) in hostile::playable().into_iter().chain(hostile::broken()) {
        let (times, bytes) = taken(|| {
            drop(house::meaning(&text, 4));
        });
        println!("{name}: {times} times, {bytes} bytes");
        assert!(times <= MOST.0 && bytes <= MOST.1, "{name}: {times} times, {bytes} bytes");
    }
    for (name, text) in hostile::playable() {
        assert!(text.len() <= rulebook::FILE_BYTES, "{name}: {}", text.len());
        let told: Vec<_> =
            house::meaning(&text, 4).faults.into_iter().map(|fault| fault.reason.text).collect();
        assert_eq!(told, [""; 0], "{name} can be played");
    }
}

#[test]
fn letters_that_cannot_be_shown_are_refused_wherever_they_stand() {
    let named = |name: &str| format!("id = \"ours\"\nname = \"{name}\"\nbase = \"contract\"\n");
    for (letter, escape, told) in [
        ('\u{202e}', r"\u202E", "U+202E"),
        ('\u{200b}', r"\u200B", "U+200B"),
        ('\u{e000}', r"\ue000", "U+E000"),
        ('\u{e0001}', r"\U000E0001", "U+E0001"),
    ] {
        check(&named(&format!("O{letter}urs")), told);
        check(&named(&format!("O{escape}urs")), told);
        for text in ["summary", "note", "difficulty", "reconstruction"] {
            check(&house(&format!("{text} = \"\"\"\ntwo lines\n{escape}\"\"\"")), told);
        }
        check(&house(&format!("# a remark {letter}")), told);
        check(&house(&format!("\"take{escape}\" = 1")), told);
        check(&house(&format!("[[round]]\ncontract = [\"G3\"]\nlabel = \"{escape}\"")), told);
        let options = toml::Table::from_iter([("take.on".to_owned(), letter.to_string().into())]);
        let refused =
            rulebook::load(rulebook::Source::Preset("contract"), Some(&options), &rulebook::NoFiles);
        let refused = refused.expect_err("refused").to_string();
        assert!(refused.contains(told), "{refused}");
    }
    check(&named("Q\u{301}\u{301}\u{301}"), "at most 2 marks");
    // What only says how a letter is drawn is left out, and the same name is the same letters.
    let loaded = house::load(&named("  Zoe\u{308}’s \t ❤\u{fe0f}  rummy ")).expect("a game");
    assert_eq!(loaded.info.name, "Zoë’s ❤ rummy");
}
