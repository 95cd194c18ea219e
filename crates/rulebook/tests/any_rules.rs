//! Any rule file that the loader accepts can be played: random files over every option of the contract family, each
//! played by random players who lay a contract that they hold with chance one half. The laws of `game::laws` hold (cards
//! are conserved among them), and the match ends within `game.max_turns` and `game.max_rounds`.

mod common;

use contract::{Event, Match};
use game::chance::{Chance, SplitMix};
use game::laws::{Broken, Plan, check};
use game::{Coverage, Game, Status};
use rulebook::{Loaded, NoFiles, OptionInfo, OptionType, Rules, Source};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Files played in a normal run, and with `PARLOUR_LONG`.
const CASES: (usize, usize) = (40, 2_000);

/// Whether a round may set an option.
fn of_rounds(key: &str) -> bool {
    contract::options::OPTIONS.iter().any(|row| row.key == key && !row.whole_match)
}

/// A writer of random rule files.
struct Author {
    chance: SplitMix,
    options: Vec<OptionInfo>,
    /// The pack written down, so that what speaks of ranks and suits mostly fits.
    ranks: Vec<String>,
    suits: Vec<String>,
    /// Every option written in some file.
    written: BTreeSet<&'static str>,
}

impl Author {
    fn new(seed: u64) -> Author {
        let options = rulebook::preset("contract").unwrap_or_else(|f| panic!("{f}")).options();
        let strings = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        Author {
            chance: SplitMix(seed),
            options,
            ranks: strings(&["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]),
            suits: strings(&["clubs", "diamonds", "hearts", "spades"]),
            written: BTreeSet::new(),
        }
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.chance.below(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.chance.below(from.len() as u32) as usize]
    }

    /// A whole number: mostly a small one, now and then an end of the range, or past it.
    fn number(&mut self, min: i64, max: i64) -> i64 {
        match self.chance.below(12) {
            0 => min,
            1 => max,
            2 if self.one_in(8) => max + 1,
            2 | 3 => min + i64::from(self.chance.below((max - min + 1) as u32)),
            _ => (min.max(0) + i64::from(self.chance.below(5))).min(max),
        }
    }

    fn slot(&mut self) -> String {
        let text = match self.chance.below(9) {
            0 => "P2".to_owned(),
            8 => format!("F{}", 2 + self.chance.below(5)),
            1..=4 => format!("G{}", 1 + self.chance.below(4)),
            _ => format!("R{}", 2 + self.chance.below(4)),
        };
        let flags: &[&str] = match &text[..1] {
            "R" => &["c", "w1", "m", "k", "a"],
            "F" => &["c", "w1", "k", "ck"],
            _ => &["c", "w1", "s", "cs"],
        };
        let text = if self.one_in(6) { format!("{text}{}", self.pick(flags)) } else { text };
        if self.one_in(10) { format!("{text}|{}", self.slot()) } else { text }
    }

    fn slots(&mut self) -> String {
        let number = 1 + self.chance.below(3) + if self.one_in(12) { self.chance.below(6) } else { 0 };
        let slots: Vec<String> = (0..number).map(|_| format!("\"{}\"", self.slot())).collect();
        format!("[{}]", slots.join(", "))
    }

    fn expr(&mut self, key: &str) -> String {
        let most = match key {
            "deck.decks" => 4,
            "deck.jokers" => 9,
            // Small hands are played out now and then even by those who know nothing.
            _ if self.one_in(2) => 4,
            _ => 14,
        };
        match self.chance.below(6) {
            0 => format!("\"{}\"", self.pick(&["n-1", "n", "ceil(n/2)", "floor(n/2)+1", "2*n", "n+7"])),
            1 if key != "deck.decks" => format!("\"{}\"", self.pick(&["d", "2*d", "n+d", "3*d-1", "100*d"])),
            2 => {
                let (low, high) = (1 + self.chance.below(most), 1 + self.chance.below(most));
                format!("[{{ upto = 4, is = {low} }}, {{ upto = 12, is = {high} }}]")
            }
            _ => (1 + self.chance.below(most)).to_string(),
        }
    }

    fn list(&mut self, from: &[String]) -> String {
        let number = self.chance.below(4);
        let mut items: Vec<String> = (0..number)
            .map(|_| format!("\"{}\"", from[self.chance.below(from.len() as u32) as usize]))
            .collect();
        items.sort();
        items.dedup();
        format!("[{}]", items.join(", "))
    }

    /// A value for an option, or none where the file had better not speak of it.
    fn value(&mut self, option: &OptionInfo, rounds: usize) -> Option<String> {
        Some(match (option.key, option.kind) {
            // Without a bound random players need not come to an end.
            ("game.max_turns", _) if self.one_in(4) => (10 + self.chance.below(30)).to_string(),
            ("game.max_turns", _) => (1 + self.chance.below(9)).to_string(),
            ("game.max_rounds", _) => (1 + self.chance.below(12)).to_string(),
            ("players.min", _) => (2 + self.chance.below(3)).to_string(),
            ("players.max", _) => (3 + self.chance.below(5)).to_string(),
            ("deck.suits" | "deck.ranks", _) => return None, // the pack is written as a whole
            ("wild.ranks", _) => {
                let ranks = self.ranks.clone();
                self.list(&ranks)
            }
            ("wild.faces", _) => {
                let faces: Vec<String> = (0..4)
                    .map(|_| {
                        let rank = self.ranks[self.chance.below(self.ranks.len() as u32) as usize].clone();
                        let suit = self.suits[self.chance.below(self.suits.len() as u32) as usize].clone();
                        format!("{rank}{}", suit[..1].to_uppercase())
                    })
                    .collect();
                self.list(&faces)
            }
            ("wild.kinds", _) => self.list(&["G", "R", "P", "F"].map(String::from)),
            ("skip.cards", _) => {
                let mut named = self.ranks.clone();
                named.push("JK".to_owned());
                self.list(&named)
            }
            (_, OptionType::Bool) => self.one_in(2).to_string(),
            (_, OptionType::Int { min, max }) => self.number(min, max).to_string(),
            (key, OptionType::Expr { .. }) => self.expr(key),
            (_, OptionType::Choice { of }) => format!("\"{}\"", self.pick(of)),
            (_, OptionType::Text) => {
                format!("\"{}\"", self.pick(&["Buy", "May I", "", "Dürfte ich?", "Ein sehr langer Name"]))
            }
            (_, OptionType::Values) => {
                let (joker, wild, ace, rest) =
                    (self.number(0, 50), self.number(-100, 100), self.number(0, 20), self.number(0, 20));
                let last = self.ranks.len() - 1;
                format!(
                    "{{ JK = {joker}, wild = {wild}, \"{}\" = {ace}, \"{}-{}\" = {rest} }}",
                    self.ranks[0], self.ranks[1], self.ranks[last]
                )
            }
            (_, OptionType::Schedule) => {
                let players = 3 + self.chance.below(3);
                let amounts: Vec<String> = (1..players).map(|_| self.number(0, 1000).to_string()).collect();
                format!("{{ {players} = [{}] }}", amounts.join(", "))
            }
            (_, OptionType::Rounds) => {
                let picked: Vec<String> =
                    (1..=rounds).filter(|_| self.one_in(2)).map(|n| n.to_string()).collect();
                if picked.is_empty() { "\"all\"".to_owned() } else { format!("[{}]", picked.join(", ")) }
            }
            (key, kind) => panic!("`{key}` is of a kind that no contract option had: {kind:?}"),
        })
    }

    /// A rule file: one that names its rounds, or one based on a built-in game.
    fn file(&mut self) -> String {
        let mut text =
            String::from("schema = 1\nid = \"any\"\nname = \"Any rules\"\nfamily = \"contract\"\n");
        let own = !self.one_in(4);
        let rounds = if own { 1 + self.chance.below(3) as usize } else { 1 };
        let ids: Vec<&str> = rulebook::presets()
            .into_iter()
            .filter(|id| rulebook::preset(id).is_ok_and(|l| l.info.family == rulebook::Family::Contract))
            .collect();
        let rook = own && self.one_in(6);
        let standard = Author::new(0);
        (self.ranks, self.suits) = (standard.ranks, standard.suits);
        if own {
            if rook {
                let ranks = 5 + self.chance.below(10);
                self.ranks = (1..=ranks).map(|n| n.to_string()).collect();
                self.suits = ["red", "green", "black", "yellow"][..2 + self.chance.below(3) as usize]
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                let _ = writeln!(text, "deck.suits = {:?}\ndeck.ranks = {:?}", self.suits, self.ranks);
                self.written.extend(["deck.suits", "deck.ranks"]);
            }
        } else {
            let _ = writeln!(text, "base = \"{}\"", self.pick(&ids));
        }
        // Few options turned in some files, many in others.
        let share = 2 + self.chance.below(14);
        let options = self.options.clone();
        for option in &options {
            let must = option.key == "game.max_turns" || rook && option.key == "score.values";
            // Where rounds come from a base, so does how many there are.
            let rounds = if own { rounds } else { 2 };
            if (must || self.one_in(share))
                && let Some(value) = self.value(option, rounds)
            {
                let _ = writeln!(text, "{} = {value}", option.key);
                self.written.insert(option.key);
            }
        }
        for _ in 0..if own { rounds } else { 0 } {
            text.push_str("[[round]]\n");
            if self.one_in(8) {
                let (one, other) = (self.slots(), self.slots());
                let _ = writeln!(text, "contract = [{one}, {other}]");
            } else {
                let slots = self.slots();
                let _ = writeln!(text, "contract = {slots}");
            }
            if self.one_in(3) {
                let deal = self.expr("deal.cards");
                let _ = writeln!(text, "deal = {deal}");
            }
            if self.one_in(4) {
                text.push_str("label = \"so\"\n");
            }
            let mut set: Vec<String> = Vec::new();
            for option in options.iter().filter(|o| of_rounds(o.key)) {
                if option.key != "game.max_turns"
                    && option.key != "score.values"
                    && self.one_in(40)
                    && let Some(value) = self.value(option, rounds)
                {
                    set.push(format!("\"{}\" = {value}", option.key));
                }
            }
            if self.one_in(8) {
                set.retain(|s| {
                    !["\"meld.all", "\"meld.size", "\"out.discard"].iter().any(|k| s.starts_with(k))
                });
                set.extend(
                    [
                        "\"meld.all\" = true",
                        "\"meld.size\" = \"at-least\"",
                        "\"out.discard\" = \"forbidden\"",
                    ]
                    .map(String::from),
                );
            }
            if !set.is_empty() {
                let _ = writeln!(text, "set = {{ {} }}", set.join(", "));
            }
        }
        text
    }
}

/// What a match of random players came to.
#[derive(Debug, Default)]
struct Sum {
    melded: usize,
    laid_off: usize,
    taken: usize,
    blocked: usize,
    ended: usize,
}

fn choose(
    view: &contract::View,
    offers: Coverage<contract::Command>,
    chance: &mut SplitMix,
) -> Option<contract::Command> {
    let wrapped = Coverage {
        commands: offers.commands.into_iter().map(rulebook::Command::Contract).collect(),
        complete: offers.complete,
    };
    match common::choose(&rulebook::View::Contract(view.clone()), wrapped, chance)? {
        rulebook::Command::Contract(command) => Some(command),
        rulebook::Command::Pattern(_) => unreachable!("a view offers what is of its own game"),
    }
}

fn play(loaded: &Loaded, seats: u8, seed: u64, sum: &mut Sum) -> Result<(), String> {
    let rules = match &*loaded.rules(seats).map_err(|f| format!("loads, but not for {seats}: {f}"))? {
        Rules::Contract(rules) => rules.clone(),
        Rules::Pattern(_) => return Err("is of the other family".to_owned()),
    };
    Match::open(rules.clone(), seats).map_err(|r| format!("loads, but cannot be opened: {r}"))?;
    let plan = Plan { seed, most_inputs: 40_000, every: 17, presence: 150, dawdle: 25 };
    let played =
        check::<Match>(&rules, seats, &plan, &mut choose).map_err(|broken: Broken| broken.to_string())?;
    if !matches!(played.game.status(), Status::Over(_)) {
        return Err("is not over".to_owned());
    }
    // so many turns for each seat in a round, and so many rounds; more than one of each contract where they are repeated or
    // begin again (HR-END-2).
    let game = &rules.settings.game;
    let again = game.again && game.target > 0;
    let most_rounds = match (again || game.progress == contract::rules::Progress::PerPlayer, game.max_rounds)
    {
        (false, _) => rules.played().len(),
        (true, 0) => 3 * rules.played().len(),
        (true, most) => usize::from(most),
    };
    let (mut round, mut turns, mut rounds) = (0, 0, 0);
    for event in &played.events {
        match event {
            Event::Round { round: at, .. } => (round, turns) = (usize::from(*at), 0),
            Event::Turn { .. } => {
                turns += 1;
                let most = usize::from(rules.rounds[round].settings.game.max_turns) * usize::from(seats);
                if turns > most {
                    return Err(format!("turn {turns} in a round of at most {most}"));
                }
            }
            Event::RoundOver { winner, .. } => {
                rounds += 1;
                sum.blocked += usize::from(winner.is_none());
                sum.ended += usize::from(winner.is_some());
            }
            Event::Melded { .. } => sum.melded += 1,
            Event::LaidOff { .. } => sum.laid_off += 1,
            Event::Took { .. } => sum.taken += 1,
            _ => {}
        }
    }
    if rounds > most_rounds {
        return Err(format!("{rounds} rounds of at most {most_rounds}"));
    }
    Ok(())
}

#[test]
fn any_file_that_loads_is_played_to_its_end() {
    let seed = common::seed();
    let cases = if common::long() { CASES.1 } else { CASES.0 };
    let mut author = Author::new(seed);
    let (mut accepted, mut refused, mut sum) = (0, 0, Sum::default());
    while accepted < cases {
        let text = author.file();
        match rulebook::load(Source::Text { name: "any.toml", text: &text }, None, &NoFiles) {
            Err(faults) => {
                refused += 1;
                assert!(
                    refused < 40 * (accepted + 10),
                    "hardly any file is accepted; the last: {faults}\n{text}"
                );
                // What is refused says where, why, and what would be right.
                for fault in &faults.faults {
                    let told = [&fault.reason, &fault.remedy].iter().all(|say| say.to_string().len() > 5);
                    assert!(told && !fault.check.is_empty(), "{fault:?}\n{text}");
                }
            }
            Ok(loaded) => {
                accepted += 1;
                let info = &loaded.info;
                let seats = info.players_min
                    + author.chance.below(u32::from(info.players_max - info.players_min) + 1) as u8;
                // The rule sheet is written for any game that can be played.
                let sheet = loaded.sheet(Some(seats)).unwrap_or_else(|f| panic!("no sheet: {f}\n{text}"));
                assert!(sheet.contains("\n## Score"), "{sheet}");
                let seed = u64::from(author.chance.below(u32::MAX));
                if let Err(why) = play(&loaded, seats, seed, &mut sum) {
                    panic!("{seats} seats, match {seed}: {why}\n{text}");
                }
            }
        }
    }
    println!("{accepted} files played, {refused} refused: {sum:?}");
    assert!(
        sum.melded > cases
            && (sum.ended > 0 || !common::long())
            && sum.blocked > 0
            && sum.taken > 0
            && sum.laid_off > 0,
        "little was shown: {sum:?}"
    );
    if common::long() {
        let unwritten: Vec<&str> =
            author.options.iter().map(|o| o.key).filter(|key| !author.written.contains(key)).collect();
        assert_eq!(unwritten, [] as [&str; 0], "options that no file spoke of");
    }
}

/// What `deal.cards` comes to counts only in rounds that say no deal of their own (contract/A-01).
#[test]
fn a_deal_that_no_round_uses_hinders_nothing() {
    let text = "id = \"own-deals\"\nname = \"Own deals\"\nbase = \"contract\"\n[deck]\ndecks = 4\n[deal]\ncards = \"100*d\"\n\
        [[round]]\ncontract = [\"G3\"]\ndeal = 10\n";
    let loaded = rulebook::load(Source::Text { name: "own.toml", text }, None, &NoFiles)
        .unwrap_or_else(|f| panic!("{f}"));
    let sheet = loaded.sheet(Some(4)).unwrap_or_else(|f| panic!("{f}"));
    assert!(sheet.contains("\n| 1 | a group of 3 | 10 |"), "{sheet}");
}
