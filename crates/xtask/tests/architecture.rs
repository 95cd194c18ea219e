//! What the pages for newcomers name is there: tests, files, functions, and an example on the front page of each crate.

mod common;

use common::{has_test, named, read, root, rows, sources};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Checks the last column of the table with these heads: names of tests, and after those of one crate its name in brackets.
fn check(page: &str, heads: &str) {
    let text = read(page);
    let mut crates: HashMap<String, String> = HashMap::new();
    for row in rows(page, &text, heads) {
        let guards = row.last().expect("a last column");
        let mut groups = guards.split(')').filter(|group| !group.trim().is_empty()).peekable();
        assert!(groups.peek().is_some(), "{page}: no test holds: {row:?}");
        for group in groups {
            let (names, folder) = group
                .split_once('(')
                .unwrap_or_else(|| panic!("{page}: of which crate are the tests in: {row:?}"));
            let text = crates.entry(folder.to_owned()).or_insert_with(|| {
                let mut text = String::new();
                sources(&root().join("crates").join(folder), &mut text);
                text
            });
            let names = named(names);
            assert!(!names.is_empty(), "{page}: no test of `{folder}` holds: {row:?}");
            for name in names {
                assert!(has_test(text, name), "{page}: `{folder}` has no test `{name}`");
            }
        }
    }
}

/// Whether a source has this function: `begin`, or `Type::begin` where it is in a block of that type or trait.
fn has_function(text: &str, name: &str) -> bool {
    let (of, name) = name.rsplit_once("::").map_or((None, name), |(of, name)| (Some(of), name));
    let word = |line: &str, word: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
    };
    let mut block = "";
    text.lines().any(|line| {
        if line.starts_with("impl") || line.contains("trait ") && !line.starts_with([' ', '/']) {
            block = line;
        } else if line == "}" {
            block = "";
        }
        let code = line.trim_start();
        let begins = !code.starts_with("//")
            && code.split_once("fn ").is_some_and(|(_, rest)| {
                rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', '<']))
            });
        begins && of.map_or(block.is_empty(), |of| word(block, of))
    })
}

/// The app is built for the browser in each run of all checks, and with it what anybody else may build for one.
#[test]
fn what_is_to_build_for_the_browser_is_in_the_app() {
    let tree = "tree --locked --target wasm32-unknown-unknown --edges normal --prefix none";
    let app = "--package parlour-web --package parlour-worker";
    let told = Command::new(env!("CARGO"))
        .args([tree, app].iter().flat_map(|words| words.split(' ')))
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told = String::from_utf8(told.stdout).expect("names");
    for portable in ["cards", "game", "pattern", "contract", "rulebook", "record", "bots", "lab", "wire"] {
        let package = format!("parlour-{portable}");
        assert!(
            told.lines().any(|line| line.split(' ').next() == Some(&package)),
            "{package} is not in the app"
        );
    }
}

#[test]
fn every_test_named_in_the_architecture_exists() {
    check("ARCHITECTURE.md", "| what holds | guarded by |");
}

#[test]
fn every_test_named_in_the_promises_of_security_exists() {
    check("SECURITY.md", "| promise | against whom | held by |");
}

#[test]
fn every_test_named_in_the_recipes_exists() {
    let mut text = String::new();
    sources(&root().join("crates"), &mut text);
    let mut count = 0;
    for entry in fs::read_dir(root().join("docs/adding")).expect("recipes").flatten() {
        let path = entry.path();
        let page = fs::read_to_string(&path).expect("text");
        assert!(page.contains("**It worked** when these pass"), "{} ends in no test", path.display());
        for name in named(&page) {
            let snake = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if snake && name.matches('_').count() > 1 {
                assert!(has_test(&text, name), "{}: there is no test `{name}`", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn every_function_named_in_the_architecture_exists() {
    let text = read("ARCHITECTURE.md");
    for row in rows("ARCHITECTURE.md", &text, "| file | functions |") {
        let [files, functions] = [named(row[0]), named(row[1])];
        assert!(files.len() == 1 && !functions.is_empty(), "{row:?}");
        let source = read(files[0]);
        for function in functions {
            assert!(has_function(&source, function), "{} has no function `{function}`", files[0]);
        }
    }
}

/// The other rooms of a crate that a source names: what follows `crate::`, alone or in braces, but in tests.
fn rooms_named(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let word = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| &rest[..word(rest)]).collect()
}

/// A file, or all files of a folder and of those in it.
fn files(path: PathBuf) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path];
    }
    fs::read_dir(path).expect("a folder").flatten().flat_map(|entry| files(entry.path())).collect()
}

#[test]
fn rooms_know_only_those_above_them() {
    let page = read("ARCHITECTURE.md");
    let (_, section) = page.split_once("## Rooms of the Contract Rummy family").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("another one");
    let table: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|row| named(row.split('|').nth(1).expect("a cell")))
        .collect();
    let row_of = |room: &str| table.iter().position(|rooms| rooms.contains(&room));
    let folder = root().join("crates/contract/src");
    let mut rooms = Vec::new();
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        let path = entry.path();
        let room = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if room == "lib" {
            continue;
        }
        let row = row_of(&room).unwrap_or_else(|| panic!("`{room}` is in no row of the table"));
        for file in files(path).iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = fs::read_to_string(file).expect("text");
            for other in rooms_named(&text) {
                let known = row_of(other).is_none_or(|other| other <= row);
                assert!(known, "{} knows `{other}`, which stands below it", file.display());
            }
        }
        rooms.push(room);
    }
    for room in table.iter().flatten() {
        assert!(rooms.iter().any(|there| there == room), "there is no room `{room}`");
    }
}

#[test]
fn only_what_is_run_is_a_test_and_only_what_is_there_a_function() {
    let text = "
/// Of everything.
#[tokio::test(flavor = \"multi_thread\")]
async fn runs() {}
#[test]
#[ignore = \"takes hours\"]
fn waits() {}
fn helps() {}
// fn gone() {}
impl<T> Door for Table<T> {
    pub(super) fn open<F>(&self) {}
}
";
    assert!(has_test(text, "runs"));
    for name in ["waits", "helps", "gone", "run"] {
        assert!(!has_test(text, name), "{name}");
    }
    for name in ["helps", "Table::open", "Door::open"] {
        assert!(has_function(text, name), "{name}");
    }
    for name in ["gone", "open", "Tab::open", "Table::helps", "help"] {
        assert!(!has_function(text, name), "{name}");
    }
}

/// The browser app has nothing that another program could call, and what drives browsers is built with them only.
const WITHOUT_EXAMPLE: [&str; 2] = ["e2e", "web"];

#[test]
fn every_library_shows_on_its_front_page_what_it_is_for() {
    let crates: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).expect("crates").flatten().map(|entry| entry.path()).collect();
    let mut shown = 0;
    for path in crates {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(path.join("src/lib.rs")) else { continue };
        let page: Vec<&str> =
            text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        // ```text, ```ignore and their like are not run.
        let example = page.split(|line| *line == "```").nth(1).is_some_and(|lines| !lines.is_empty());
        assert!(
            example != WITHOUT_EXAMPLE.contains(&&*name),
            "crates/{name}/src/lib.rs: the front page of a library begins with an example that runs"
        );
        shown += usize::from(example);
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
        assert!(!example || !manifest.contains("doctest = false"), "crates/{name}: its example is not run");
    }
    assert!(shown > 10, "{shown}");
}
