//! What costs a reader of rule files most: each is as long as a file, or a request, may be. Those that can be played are
//! the dearest of their kind, the others were found by attacking.
#![allow(dead_code, reason = "each test file uses its part")]

use rulebook::FILE_BYTES;

/// A contract file of the house, and then `text`.
pub fn house(text: &str) -> String {
    format!("id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\n{text}\n")
}

/// `part` again and again, to the end of a file.
fn filled(head: &str, part: impl Fn(usize) -> String, tail: &str) -> String {
    let mut text = house(head).trim_end().to_owned() + if head.is_empty() { "\n" } else { "" };
    for n in 0.. {
        let next = part(n);
        if text.len() + next.len() + tail.len() > FILE_BYTES {
            break;
        }
        text += &next;
    }
    text + tail
}

/// As many texts as a list may hold.
fn list(text: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..56).map(|n| format!("\"{}\"", text(n))).collect();
    format!("[{}]", items.join(", "))
}

/// Cards of the ordinary pack.
fn card(n: usize) -> String {
    let at = |letters: &str, n: usize| letters.chars().nth(n).expect("a letter");
    format!("{}{}", at("A23456789TJQK", n % 13), at("CDHS", n / 13 % 4))
}

/// What the files begin with that have room for many.
const WIDE: &str =
    "players = { min = 2, max = 12 }\ndeck.decks = 12\ndeck.jokers = 48\ntake.on = true\ntake.limit = 0\n";

/// Settings of a round.
const SETTINGS: [&str; 12] = [
    "\"draw.first_double\" = true",
    "\"run.gap\" = 1",
    "\"run.ace\" = \"both\"",
    "\"take.penalty\" = 2",
    "\"take.label\" = \"May I\"",
    "\"wild.max_per_meld\" = 3",
    "\"group.max\" = 0",
    "\"layoff.when\" = \"same-turn\"",
    "\"out.discard\" = \"optional\"",
    "\"shanghai.on\" = true",
    "\"meld.size\" = \"at-least\"",
    "\"score.winner\" = 0",
];

/// A file with this head and so many rounds, each as `round` says; what room is left is a comment.
fn rounds(head: &str, number: usize, round: impl Fn(usize) -> String) -> String {
    let part = |n| if n < number { format!("{{{}}},\n", round(n)) } else { "#".repeat(99) };
    filled(&format!("{WIDE}{head}round = ["), part, "\n]")
}

/// Files that can be played, by what makes them dear.
pub fn playable() -> Vec<(&'static str, String)> {
    let reckoned = format!("{}2", "1*".repeat(49));
    let steps = || (2..=12).map(|n| format!("{{upto={n},is=\"1+{}\"}},", n % 7)).collect::<String>();
    let ten = "deal.cards = 10\n";
    let slot = "\"G3|R3|G4|R4\"";
    let ways = vec![format!("[{slot},{slot}]"); 4].join(",");
    let values = (0..52).map(|n| format!("{} = {n}", card(n))).collect::<Vec<_>>().join(", ");
    let wild = format!("wild.faces = {}\nscore.values = {{ {values} }}\n", list(card));
    let summary = format!("summary = \"{}\"\n", "s".repeat(8000));
    let (label, take) = ("l".repeat(200), "t".repeat(80));
    let other =
        "id = \"ours\"\nname = \"Ours\"\nextends = \"set-classic\"\nplayers = { min = 1, max = 12 }\n";
    vec![
        (
            "64 rounds, reckoned",
            rounds(&format!("deal.cards = \"{reckoned}\"\n"), 64, |_| {
                format!(" contract = [\"G3\"], deal = \"{reckoned}\" ")
            }),
        ),
        ("64 rounds, steps", rounds("", 64, |_| format!("contract=[\"G3\"],deal=[{}]", steps()))),
        ("as many slots as fit", rounds(ten, 64, |_| format!("contract=[{}]", ["\"G2\""; 12].join(",")))),
        ("as many ways as there may be", rounds(ten, 64, |_| format!("contract=[{ways}]"))),
        (
            "alternatives without end",
            rounds(ten, 16, |_| format!("contract=[{}]", ["[\"G2\",\"R3\"]"; 64].join(","))),
        ),
        (
            "every card wild and valued",
            rounds(&wild, 22, |_| format!("contract=[\"G3\"],set={{\"wild.faces\"={}}}", list(card))),
        ),
        (
            "settings in every round",
            rounds("", 64, |_| format!("contract=[\"G3\"],set={{{}}}", SETTINGS.join(","))),
        ),
        (
            "long words",
            rounds(&summary, 64, |_| {
                format!("contract=[\"G3\"],label=\"{label}\",set={{\"take.label\"=\"{take}\"}}")
            }),
        ),
        ("a comment", filled("", |_| "# nothing\n".to_owned(), "")),
        ("the largest of the other family", format!("{other}{}", "#".repeat(FILE_BYTES - 200))),
    ]
}

/// Texts that are no rules.
pub fn broken() -> Vec<(&'static str, String)> {
    let fill = |head: &str, part: &str, tail: &str| filled(head, |_| part.to_owned(), tail);
    vec![
        ("an unknown key as long as a file", house(&format!("{} = 1", "k".repeat(FILE_BYTES - 100)))),
        ("unknown keys", filled("", |n| format!("k{n}=1\n"), "")),
        (
            "unknown keys that look like known ones",
            filled("", |n| format!("take_penalty_pennies_{n}=1\n"), ""),
        ),
        ("dotted unknown keys", filled("", |n| format!("\"take.penalty_{n}\"=1\n"), "")),
        (
            "unknown keys in rounds",
            filled("round = [", |n| format!("{{contract=[\"G3\"],set={{k{n}=1}}}},"), "]"),
        ),
        ("a sum as long as a file", fill("deck.decks = \"2", "*1", "\"")),
        ("brackets", fill("deck.decks = \"", "(", "\"")),
        ("signs", fill("deck.decks = \"", "-", "\"")),
        ("a list of numbers", fill("round = [", "1,", "]")),
        ("a list over many lines", fill("round = [", "1,\n", "]")),
        ("a list of texts over many lines", fill("deck.suits = [", "\"\",\n", "]")),
        ("nested lists", fill("deck.decks = ", "[", "")),
        ("nested tables", fill("deck.decks = ", "{a=", "")),
        ("a dotted key", fill("a", ".a", "=1")),
        ("values of cards", filled("score.values = {", |n| format!("k{n}=1,"), "}")),
        ("values of cards, dotted", filled("", |n| format!("\"score.values.k{n}\"=1\n"), "")),
        ("ranges of cards", filled("score.values = {", |n| format!("\"2-{n}\"=1,"), "}")),
        (
            "the money of each number of players",
            filled("money.schedule = {", |n| format!("\"+{n}\"=[1],"), "}"),
        ),
        ("too many rounds", fill("round = [", "{contract=[\"G3\"]},", "]")),
        ("rounds that ask for nothing", fill("round = [", "{},", "]")),
        ("one contract of everything", fill("round = [{contract=[", "\"G3\",", "]}]")),
        ("one choice of everything", fill("round = [{contract=[\"G3", "|G3", "\"]}]")),
        ("contracts within one another", fill("round = [{contract=[[", "[\"G3\"],", "]]}]")),
        ("equal keys", fill("", "a=1\n", "")),
        ("equal tables", fill("", "[a]\n", "")),
        ("lists of tables", fill("", "[[a]]\n", "")),
        ("lists of rounds", fill("", "[[round]]\n", "")),
        ("equals signs", fill("", "=\n", "")),
        ("open quotes", fill("", "\"\n", "")),
        ("zero bytes", fill("", "\0", "")),
        ("letters that take three bytes", fill("", "\u{ffff}", "")),
        ("carriage returns", fill("", "\r", "")),
        ("escapes", fill("note = \"", "\\u0041", "\"")),
        ("a number as long as a file", fill("deck.decks = ", "9", "")),
        ("underlines", fill("deck.decks = 1", "_1", "")),
        (
            "a base as long as a file",
            format!("id=\"ours\"\nname=\"Ours\"\nbase=\"{}\"", "b".repeat(FILE_BYTES - 100)),
        ),
        (
            "an id as long as a file",
            format!("id=\"{}\"\nname=\"Ours\"\nbase=\"contract\"", "b".repeat(FILE_BYTES - 100)),
        ),
        (
            "a name as long as a file",
            format!("id=\"ours\"\nname=\"{}\"\nbase=\"contract\"", "b".repeat(FILE_BYTES - 100)),
        ),
        ("ranks as long as a file", fill("deck.ranks = \"", "A", "\"")),
        ("ranks with long names", filled("deck.ranks = [", |n| format!("\"{}{n}\",", "A".repeat(2000)), "]")),
        ("longer than a file may be", "#".repeat(2 * FILE_BYTES)),
    ]
}
