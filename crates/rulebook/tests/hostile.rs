//! What strangers may send as rules: whatever it is, it is read or refused in words, with little stack and little work.

use rulebook::house;

/// What is said of a file, by each way that a file comes.
fn check(text: &str, word: &str) {
    let meaning = house::meaning(text, 4);
    let told: Vec<String> = meaning.faults.iter().map(|f| format!("{}: {}", f.reason, f.remedy)).collect();
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

/// A contract file of the house, and then `text`.
fn house(text: &str) -> String {
    format!("id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\n{text}\n")
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
            check(
                &house(&format!("[[round]]\ncontract = [\"G3\"]\ndeal = \"{}1\"", part.repeat(4000))),
                "letters",
            );
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
                    let text = house(&format!("{key} = {value}"));
                    check(&text, "deep");
                }
            }
        }
        check(&house(&format!("{} = 1", vec!["a"; 5000].join("."))), "deep");
        check(&house(&format!("[{}]", vec!["round"; 2000].join("."))), "deep");
    });
}
