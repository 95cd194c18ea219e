//! What the sources say has its place in the program (docs/sources.md), and each place is there.

mod common;

use common::{has_test, named, read, root, rows, sources};
use rulebook::Family;
use std::collections::{BTreeMap, BTreeSet};
use wire::route::Route;

/// What places may name, read once.
struct Program {
    /// The rules of each rulebook.
    rules: [BTreeSet<String>; 2],
    /// What may be set in the rule files of each family.
    options: [BTreeSet<String>; 2],
    games: BTreeSet<String>,
    /// The sources of each crate.
    crates: BTreeMap<String, String>,
}

/// Where a family stands in the lists of both.
fn place(family: Family) -> usize {
    usize::from(family == Family::Contract)
}

impl Program {
    fn read() -> Program {
        let rules = ["set-family", "rummy-family"].map(|book| {
            let text = read(&format!("docs/rules/{book}.md"));
            text.lines().filter_map(rulebook::rule_of_line).map(str::to_owned).collect()
        });
        let options = ["set-classic", "contract"].map(|game| {
            let loaded = rulebook::preset(game).unwrap_or_else(|faults| panic!("{game}: {faults}"));
            loaded.options().into_iter().map(|option| option.key.to_string()).collect()
        });
        let mut crates = BTreeMap::new();
        for folder in std::fs::read_dir(root().join("crates")).expect("crates").flatten() {
            let mut text = String::new();
            sources(&folder.path(), &mut text);
            crates.insert(folder.file_name().to_string_lossy().into_owned(), text);
        }
        let games = rulebook::presets().iter().map(|id| (*id).to_owned()).collect();
        Program { rules, options, games, crates }
    }

    /// What is wrong with one name of this kind; `of` is what stands in brackets behind the names.
    fn fault(&self, family: Family, kind: &str, name: &str, of: Option<&str>) -> Option<String> {
        let at = place(family);
        let there = match kind {
            "rule" => self.rules[at].contains(name),
            "option" => self.options[at].contains(name),
            "game" => self.games.contains(name),
            "page" => return self.page(name),
            "command" => return self.command(name),
            "scenario" => {
                let file = format!("scenarios/{}/{name}.toml", family.name());
                root().join(file).is_file()
            }
            "test" => {
                let folder = of.unwrap_or_default();
                self.crates.get(folder).is_some_and(|text| has_test(text, name))
            }
            _ => return Some(format!("`{kind}` is no kind of place")),
        };
        (!there).then(|| match of {
            Some(of) => format!("`{of}` has no {kind} `{name}`"),
            None => format!("there is no {kind} `{name}`"),
        })
    }

    fn page(&self, name: &str) -> Option<String> {
        let (path, part) = name.split_once('#').map_or((name, None), |(path, part)| (path, Some(part)));
        let route = Route::from_path(path);
        if let Route::Solve(game) | Route::RuleSheet(game) | Route::New(game) = &route
            && !game.is_empty()
            && !self.games.contains(game)
        {
            return Some(format!("`{name}`: there is no game `{game}`"));
        }
        let anchored = part.is_none_or(|part| self.crates["web"].contains(&format!("\"{part}\"")));
        let there = route != Route::Nowhere && (route != Route::Lobby || path == "/") && anchored;
        (!there).then(|| format!("there is no page `{name}`"))
    }

    /// `parlour print --sheets`: a variant of the program's commands, and a field of its arguments.
    fn command(&self, name: &str) -> Option<String> {
        let mut words = name.strip_prefix("parlour ")?.split(' ');
        let command = words.next().unwrap_or_default();
        let args = format!("crates/cli/src/commands/{command}.rs");
        if !self.crates["cli"].contains(&format!("(commands::{command}::Args)"))
            || !root().join(&args).is_file()
        {
            return Some(format!("there is no command `{name}`"));
        }
        let args = read(&args);
        let unknown = words.find(|word| {
            let flag = word.strip_prefix("--").map(|flag| format!("{}:", flag.replace('-', "_")));
            !flag.is_some_and(|flag| {
                args.contains(&format!("pub {flag}")) || args.contains(&format!(" {flag}"))
            })
        });
        unknown.map(|word| format!("`parlour {command}` has no `{word}`"))
    }

    /// What is wrong with the places of a statement of a family.
    fn faults(&self, family: Family, places: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let mut pages = 0;
        for group in places.split(';').map(str::trim) {
            let (kind, rest) = group.split_once(' ').unwrap_or((group, ""));
            if ["open:", "told:", "corrected:"].contains(&kind) {
                // What is said of it may name things, and says why.
                if rest.len() < 15 {
                    faults.push(format!("{kind} without a reason"));
                }
                if kind == "told:" && pages == 0 {
                    faults.push("told: on no page".to_owned());
                }
                break;
            }
            let names = named(rest);
            pages += if kind == "page" { names.len() } else { 0 };
            let of = rest.rsplit_once(" (").map(|(_, of)| of.trim_end_matches(')'));
            if names.is_empty() || (of.is_some() != (kind == "test")) {
                faults.push(format!("`{group}` cannot be read"));
            }
            faults.extend(names.iter().filter_map(|name| self.fault(family, kind, name, of)));
        }
        faults
    }
}

/// The family of a statement by its number: `P5.2`, `C1.1`.
fn family(number: &str) -> Family {
    if number.starts_with('P') { Family::Pattern } else { Family::Contract }
}

const PAGE: &str = "docs/sources.md";
const HEADS: &str = "| no | what is said | where it is true |";

#[test]
fn every_place_named_for_a_statement_of_the_sources_exists() {
    let (text, program) = (read(PAGE), Program::read());
    let rows = rows(PAGE, &text, HEADS);
    let mut faults = Vec::new();
    for row in &rows {
        let &[number, said, places] = &row[..] else { panic!("{row:?}") };
        assert!(!said.is_empty(), "{number} says nothing");
        faults.extend(program.faults(family(number), places).into_iter().map(|f| format!("{number}: {f}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
    // Numbers go on by one, and the page says how many there are.
    let mut last = ("", 0);
    for row in &rows {
        let (section, n) = row[0].split_once('.').expect("a section");
        let n: u32 = n.parse().expect("a number");
        assert_eq!(n, if section == last.0 { last.1 + 1 } else { 1 }, "{}", row[0]);
        last = (section, n);
    }
    let with = |mark: &str| rows.iter().filter(|row| row[2].contains(mark)).count();
    let counted = [
        format!("**{} statements**", rows.len()),
        format!("{} of them are **open**", with("open:")),
        format!("**told** marks {} statements", with("told:")),
        format!("**corrected** marks {} statements", with("corrected:")),
    ];
    for said in counted {
        assert!(text.contains(&said), "{PAGE} does not say: {said}");
    }
}

#[test]
fn a_place_that_is_not_there_is_found() {
    let program = Program::read();
    let check = |places: &str, expected: &[&str]| {
        assert_eq!(program.faults(Family::Pattern, places), expected, "{places}");
    };
    check(
        "rule `SET-1`, `A-5`; game `quick`; option `base`; page `/maths#plane`, `/solve/quick`; \
         command `parlour print --sheets`; scenario `settling`; test `answers` (pattern)",
        &[],
    );
    check("corrected: it is said otherwise in `nothing`", &[]);
    check("rule `SET-99`", &["there is no rule `SET-99`"]);
    check("rule `CR-SCO-1`", &["there is no rule `CR-SCO-1`"]);
    check("option `take.limit`", &["there is no option `take.limit`"]);
    check("game `poker`", &["there is no game `poker`"]);
    check("page `/math`, `/maths#knots`", &["there is no page `/math`", "there is no page `/maths#knots`"]);
    check("page `/solve/poker`", &["`/solve/poker`: there is no game `poker`"]);
    check("command `parlour win`", &["there is no command `parlour win`"]);
    check("command `parlour print --gold`", &["`parlour print` has no `--gold`"]);
    check("scenario `cr-sco-1`", &["there is no scenario `cr-sco-1`"]);
    check("test `root` (xtask)", &["`xtask` has no test `root`"]);
    check("test `answers`", &["`test `answers`` cannot be read", "there is no test `answers`"]);
    check("open: no", &["open: without a reason"]);
    check("page `/about#names`; told: it was not among the texts", &[]);
    check("game `quick`; told: it was not among the texts", &["told: on no page"]);
    check("file `a.md`", &["`file` is no kind of place"]);
    check("everywhere", &["`everywhere` cannot be read"]);
}
