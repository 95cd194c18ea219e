//! The program as people and scripts call it: what it answers, and what it says to what makes no sense.

use rulebook::Rules;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

fn parlour(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlour")).args(args).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file in a folder of its own.
fn file(name: &str, content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    let path = path.to_str().expect("a name in UTF-8").to_owned();
    (folder, path)
}

/// The command fails with this status before it does anything, and says all of `parts`.
#[track_caller]
fn check(args: &[&str], status: i32, parts: &[&str]) {
    let output = parlour(args);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
    for part in parts {
        assert!(said.contains(part), "{args:?}: `{part}` is not in: {said}");
    }
    assert!(!said.contains("panicked"), "{args:?}: {said}");
}

#[test]
fn games_and_files_that_are_not_there() {
    check(&["rules", "show", "canasta"], 2, &["canasta"]);
    check(&["rules", "show", "no-such.toml"], 2, &["no-such.toml"]);
    check(&["rules", "check", "no-such.toml"], 2, &["no-such.toml"]);
    check(&["solve", "canasta", "{}"], 2, &["canasta"]);
    check(&["sim", "canasta"], 2, &["canasta"]);
    check(&["tournament", "canasta"], 2, &["canasta"]);
    check(&["scenario", "no-such.toml"], 2, &["no-such.toml", "cannot be read"]);
    check(&["verify", "no-such.jsonl"], 2, &["no-such.jsonl"]);
    check(&["replay", "no-such.jsonl"], 2, &["no-such.jsonl", "cannot be read"]);
    check(&["load", "--game", "canasta"], 2, &["canasta"]);
}

#[test]
fn numbers_that_make_no_sense() {
    check(&["caps", "--dim", "5"], 2, &["--dim 5", "1, 2, 3 or 4"]);
    check(&["caps", "--dim", "0"], 2, &["--dim 0"]);
    check(&["caps", "--from", "0000 0000"], 2, &["--from", "0000 is named twice"]);
    check(&["caps", "--from", "0000 0001 0002"], 2, &["hold a Set already", "0002"]);
    check(&["caps", "--from", "0003"], 2, &["`0003` is no card", "4 digits from 0 to 2"]);
    check(&["odds", "--cards", "82"], 2, &["--cards"]);
    check(&["odds", "--cards", "many"], 2, &["--cards", "many"]);
    check(&["odds", "--deck", "d52"], 2, &["`d52` is no deck", "d81"]);
    check(&["odds", "--pattern", "flush"], 2, &["--pattern", "flush"]);
    check(&["odds", "--samples", "0"], 2, &["--samples 0"]);
    check(&["sim", "set-classic", "--deals", "0"], 2, &["--deals 0", "at least one"]);
    check(&["sim", "set-classic", "--seed=-1"], 2, &["--seed"]);
    check(&["sim", "set-classic", "--seed", "lucky"], 2, &["--seed", "lucky"]);
    check(&["sim", "set-classic", "--players", "99"], 2, &["99"]);
    check(&["sim", "set-classic", "--threads", "0"], 2, &["--threads 0"]);
    check(&["sim", "set-classic", "--bots", "genius"], 2, &["`genius` is no bot", "medium"]);
    check(&["sim", "memory", "--bots", "genius"], 2, &["`genius` is no bot", "medium"]);
    check(&["sim", "contract", "--bots", "genius"], 2, &["`genius` is no bot", "steady"]);
    check(
        &["sim", "set-classic", "--report", "/no/such/folder/page.html"],
        2,
        &["/no/such/folder/page.html"],
    );
    check(&["tournament", "contract", "--deals", "0"], 2, &["--deals 0"]);
    check(&["tournament", "contract", "--bots", "steady"], 2, &["at least two"]);
    check(&["tournament", "contract", "--bots", "steady,genius"], 2, &["`genius` is no bot"]);
    check(&["load", "--server", "cards.example"], 2, &["http://"]);
    check(&["load", "--pid", "4294967295"], 2, &["--pid 4294967295"]);
    check(&["load", "--tables", "0"], 2, &["0 tables"]);
    check(&["load", "--players", "3"], 2, &["3 players", "2 seats"]);
    check(&["load", "--option", "settle_ms"], 2, &["NAME=VALUE"]);
    check(&["load", "--option", "no_such_option=1"], 2, &["no_such_option"]);
    check(&["load", "--bot", "genius"], 2, &["no bot `genius`"]);
    check(&["load", "--server", "http://127.0.0.1:1"], 2, &["127.0.0.1:1 cannot be reached"]);
}

#[test]
fn queries_that_make_no_sense() {
    check(&["solve", "set-classic"], 2, &["--stdin"]);
    check(&["solve", "set-classic", "12 cards"], 1, &["no JSON"]);
    check(&["solve", "set-classic", r#"{"cards":"0000 9999"}"#], 1, &["9999"]);
    check(&["solve", "set-classic", r#"{"cards":"0000 0000"}"#], 1, &["0000"]);
    check(&["solve", "set-classic", r#"{"hand":"0000"}"#], 1, &["hand"]);
    check(&["solve", "set-classic", r#"{"card":"0000"}"#], 1, &["card"]);
    check(&["solve", "set-classic", r#"{"cards":"0000"}"#, "--layoff"], 1, &["contract games"]);
    check(&["solve", "contract", r#"{"round":9,"hand":"AS"}"#], 1, &["9"]);
    check(&["solve", "contract", r#"{"round":1,"hand":"1S"}"#], 1, &["1S"]);
    check(&["solve", "contract", r#"{"round":1,"hand":"AS","players":"four"}"#], 1, &["players", "four"]);
    check(&["solve", "contract", r#"{"round":1,"hand":"AS","players":12}"#], 1, &["12"]);
}

#[test]
fn files_that_are_not_what_they_should_be() {
    let (_folder, rules) =
        file("mine.toml", "schema = 1\nid = \"mine\"\nfamily = \"pattern\"\nbase = 1000\n");
    check(&["rules", "check", &rules], 1, &["mine.toml", "base"]);
    let (_folder, rules) = file("mine.toml", "this is no TOML");
    check(&["rules", "check", &rules], 1, &["mine.toml"]);
    let (_folder, scenario) = file("mine.toml", "game = \"set-classic\"\nscript = 'fly away'\n");
    check(&["scenario", &scenario], 2, &["unreadable", "mine.toml"]);
    let (_folder, record) = file("mine.jsonl", "{\"not\":\"a record\"}\n");
    check(&["verify", &record], 1, &["WRONG", "mine.jsonl:1"]);
    check(&["replay", &record], 2, &["mine.jsonl is no match record"]);
    let (_folder, empty) = file("empty.jsonl", "");
    check(&["verify", &empty], 1, &["WRONG", "empty.jsonl"]);
    let (_folder, binary) = file("cards.bin", "");
    std::fs::write(&binary, [0xff, 0xfe, 0]).expect("written");
    check(&["replay", &binary], 2, &["cards.bin", "cannot be read"]);
    check(&["rules", "unshare", "no code at all"], 2, &["code"]);
}

/// A record that a real server wrote, and what becomes of it: each answer has its own status.
#[test]
fn verify_says_what_it_judged_and_what_not() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/records");
    let right = format!("{folder}/2/contract.jsonl");
    check(
        &["verify", &right],
        0,
        &["ok ", "inputs judged again", "(Bea) did not open its seed in deals 1, 2"],
    );
    let agreed = format!("{folder}/2/agreed.jsonl");
    check(&["verify", &right, &agreed], 0, &["ended by agreement"]);
    let old = format!("{folder}/1/contract.jsonl");
    check(&["verify", &old], 3, &["not whole", "does not come to its end", "nothing binds the header"]);
    let text = std::fs::read_to_string(&right).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let (_folder, short) = file("short.jsonl", &lines[..lines.len() - 1].join("\n"));
    check(&["verify", &right, &short], 3, &["ok ", "not whole", "was not shown"]);
    let (_folder, wrong) = file("wrong.jsonl", &text.replacen("\"took\"", "\"lent\"", 1));
    let line =
        1 + lines.iter().position(|line| line.contains("\"took\"")).expect("the server was started again");
    check(&["verify", &wrong, &short, "no-such.jsonl"], 1, &[&format!("WRONG {wrong}:{line}"), "unreadable"]);
    check(&["verify", &short, "no-such.jsonl"], 2, &["not whole", "unreadable"]);
    // An old record of another program, with an event that this one would not decide.
    let text = std::fs::read_to_string(&old).expect("a record");
    let (_folder, other) = file("other.jsonl", &text.replace("\"upcard\":true", "\"upcard\":false"));
    check(
        &["verify", &other, &short],
        4,
        &["DIFFERS", "other.jsonl:", "names 0.1.0 as its judge", "inputs were not judged"],
    );
    check(&["verify", &other, &wrong], 1, &["DIFFERS", "WRONG"]);
}

/// Something to ask about every game: some cards of its deck, in as many zones as it has.
fn query(rules: &Rules) -> Value {
    match rules {
        Rules::Pattern(rules) => {
            let zones = usize::from(rules.zones.max(1));
            let cards: Vec<String> =
                rules.cards().take(zones * 3).map(|card| rules.deck.text(card)).collect();
            let zone = |cards: &[String]| cards.join(" ");
            json!({ "cards": cards.chunks(3).map(zone).collect::<Vec<_>>().join(" | ").replace(" | ", if zones > 1 { " | " } else { " " }) })
        }
        Rules::Contract(rules) => {
            let law = rules.law(0);
            let hand: Vec<_> = law.pack.faces().take(11).collect();
            json!({ "round": 1, "hand": law.pack.text_all(&hand) })
        }
    }
}

fn answer_of(id: &str, query: &str) -> Value {
    serde_json::from_slice(&parlour(&["solve", id, query]).stdout).expect("JSON")
}

#[test]
fn a_few_cards_are_told_about() {
    let check = |game: &str, flag: &str, query: &str, expected: &str| {
        let output = parlour(&["solve", game, query, flag]);
        assert_eq!(text(&output.stdout).trim(), expected);
    };
    // SOLVE-3: the third card of two, and what completes three to a SuperSET.
    check("set-classic", "--about", r#"{"cards":"0000 0111"}"#, r#"{"cap":true,"third":"0222"}"#);
    check(
        "set-classic",
        "--missing",
        r#"{"cards":"0000 0111"}"#,
        r#"{"error":"what a hand lacks is a matter of contract games"}"#,
    );
    check(
        "contract",
        "--missing",
        r#"{"round":1,"hand":"7C 7D 7H KC KD 2S"}"#,
        r#"{"distance":1,"helpful":"KC KD KH KS JK"}"#,
    );
    check(
        "contract",
        "--about",
        r#"{"round":1,"hand":""}"#,
        r#"{"error":"what is to be said about a few cards is a matter of pattern games"}"#,
    );
    let both = parlour(&["solve", "contract", "{}", "--about", "--missing"]);
    assert!(text(&both.stderr).contains("cannot be used with"), "{}", text(&both.stderr));
}

#[test]
fn every_game_is_solved() {
    for id in rulebook::presets() {
        let loaded = rulebook::preset(id).expect("a preset");
        let rules = loaded.rules(loaded.info.players_max).expect("it can be played");
        let query = query(&rules).to_string();
        let output = parlour(&["solve", id, &query]);
        assert!(output.status.success(), "{id} {query}: {}{}", text(&output.stdout), text(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        match &*rules {
            Rules::Pattern(_) => {
                assert!(answer["count"].is_u64() && answer["claims"].is_array(), "{id}: {answer}")
            }
            Rules::Contract(_) => {
                assert!(answer["can_meld"].is_boolean() && answer["ways"].is_u64(), "{id}: {answer}");
                let output = parlour(&["solve", id, &query, "--layoff"]);
                let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                assert!(answer["plays"].is_array() || answer["error"].is_string(), "{id}: {answer}");
                let output = parlour(&["solve", id, &query, "--missing"]);
                let missing: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                let lacks = missing["distance"] != json!(0);
                assert_eq!(
                    lacks,
                    !answer_of(id, &query)["can_meld"].as_bool().expect("said"),
                    "{id}: {missing}"
                );
            }
        }
    }
}

#[test]
fn a_stream_of_queries_is_answered_line_by_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["solve", "set-classic", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let queries = "{\"cards\":\"0000 0001 0002\"}\n\nnonsense\n{\"cards\":\"0000 0001\"}\n";
    child.stdin.take().expect("piped").write_all(queries.as_bytes()).expect("taken");
    let output = child.wait_with_output().expect("it ends");
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0]["count"], &answers[2]["count"]), (&json!(1), &json!(0)));
    assert!(answers[1]["error"].as_str().is_some_and(|error| error.contains("no JSON")));
}

#[test]
fn every_game_is_simulated_and_a_seed_gives_the_same_answer() {
    for (game, players) in [
        ("set-classic", "1"),
        ("memory", "2"),
        ("setup", "3"),
        ("scout", "3"),
        ("daily-puzzle", "1"),
        ("contract", "3"),
    ] {
        let answer = |threads: &str| {
            let args = [
                "sim",
                game,
                "--deals",
                "2",
                "--seed",
                "7",
                "--players",
                players,
                "--threads",
                threads,
                "--json",
            ];
            let output = parlour(&args);
            assert!(output.status.success(), "{game}: {}", text(&output.stderr));
            text(&output.stdout)
        };
        let one = answer("1");
        assert_eq!(one, answer("2"), "{game}");
        let value: Value = serde_json::from_str(&one).expect("JSON");
        assert_eq!(value["deals"], 2, "{game}: {one}");
    }
}

/// A tournament says what it is of, keeps records that are judged again, and writes plain numbers.
#[test]
fn a_tournament_keeps_its_matches_and_names_what_it_is_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for (game, bots, version) in [("quick", "easy,40", "40/5"), ("contract", "simple,steady", "easy/")] {
        let (records, csv, report) = (path(game), path("pairs.csv"), path("page.html"));
        let mut args = vec!["tournament", game, "--bots", bots, "--deals", "2", "--threads", "1", "--json"];
        args.extend(["--records", &records, "--csv", &csv, "--report", &report]);
        let output = parlour(&args);
        assert!(output.status.success(), "{game}: {}", text(&output.stderr));
        let value: Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
        assert_eq!(value["about"]["game"], game);
        assert!(value["about"]["rules"].as_str().is_some_and(|rules| rules.len() > 500), "{value}");
        assert!(value["about"]["bots"].as_str().is_some_and(|bots| bots.contains(version)), "{value}");
        let kept: Vec<String> = std::fs::read_dir(&records)
            .expect("records")
            .map(|file| file.expect("a file").path().to_str().expect("UTF-8").to_owned())
            .collect();
        assert_eq!(kept.len(), 4, "two deals, both ways round: {kept:?}");
        let mut verify = vec!["verify"];
        verify.extend(kept.iter().map(String::as_str));
        let verified = parlour(&verify);
        assert!(verified.status.success(), "{game}: {}", text(&verified.stdout));
        // The same cards lie in both matches of a deal, and the bots have changed about.
        let both = ["-00001-a.jsonl", "-00001-b.jsonl"].map(|end| {
            let file = kept.iter().find(|file| file.ends_with(end)).expect(end);
            std::fs::read_to_string(file).expect("a record")
        });
        let lines = both.each_ref().map(|record| record.lines().collect::<Vec<_>>());
        assert_eq!(lines[0][0], lines[1][0], "the header");
        assert_ne!(lines[0][1], lines[1][1], "who sits where");
        let draw = |lines: &[&str]| lines.iter().find(|l| l.contains("\"order\"")).map(|l| (*l).to_owned());
        assert!(draw(&lines[0]).is_some() && draw(&lines[0]) == draw(&lines[1]), "the first shuffle");
        let csv = std::fs::read_to_string(&csv).expect("a table");
        let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        assert!(rows.len() == 2 && rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
        assert!(rows[1][2..9].iter().all(|cell| cell.parse::<f64>().is_ok()), "{csv}");
        let page = std::fs::read_to_string(&report).expect("a page");
        assert!(page.contains(version) && page.contains("<summary>The rules</summary>"), "{game}");
    }
}

/// One table, every value of it a plain number.
#[test]
fn figures_of_a_simulation_are_one_table() {
    for game in ["set-classic", "memory", "contract"] {
        let output = parlour(&["sim", game, "--deals", "2", "--threads", "1", "--csv"]);
        assert!(output.status.success(), "{game}: {}", text(&output.stderr));
        let table = text(&output.stdout);
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("figure,of,value"));
        let rows: Vec<&str> = lines.collect();
        assert!(rows.len() > 8, "{table}");
        for row in rows {
            let value = row.rsplit(',').next().expect("a cell");
            assert!(value.parse::<f64>().is_ok() && row.matches(',').count() == 2, "{game}: {row}");
        }
    }
}

#[test]
fn a_reader_that_has_heard_enough_ends_it_quietly() {
    for args in [
        &["rules", "show", "contract"][..],
        &["rules", "schema"],
        &["odds", "--cards", "12"],
        &["caps", "--dim", "3"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        let status = child.wait().expect("it ends");
        assert_eq!((status.code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// The program under a umask that closes nothing.
#[cfg(unix)]
fn unmasked(args: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_parlour")]).args(args);
    shell
}

#[cfg(unix)]
#[test]
fn data_and_backups_are_for_their_owner_only() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (data, copy) = (folder.path().join("data"), folder.path().join("copy"));
    let (data_text, copy_text) = (data.to_str().expect("UTF-8"), copy.to_str().expect("UTF-8"));
    let mut server = unmasked(&["serve", "--listen", "127.0.0.1:0", "--data", data_text, "--log", "warn"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(server.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    let address = first.strip_prefix("Parlour is open at http://").unwrap_or_else(|| panic!("{first}"));
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    let body = r#"{"name":"Ann"}"#;
    write!(stream, "PUT /api/me HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answered");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let copied = unmasked(&["backup", "--data", data_text, copy_text]).status().expect("the program runs");
    let mut files = vec![];
    for folder in [&data, &copy] {
        let mode = std::fs::metadata(folder).expect("made").permissions().mode();
        files.push((folder.clone(), mode & 0o777));
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            files.push((entry.path(), entry.metadata().expect("a file").permissions().mode() & 0o777));
        }
    }
    server.kill().expect("it ends");
    server.wait().expect("it has ended");
    assert!(copied.success());
    // Database, its two journals, lock and key; and of the copy the database and the key.
    assert_eq!(files.len(), 2 + 5 + 2, "{files:?}");
    for (path, mode) in files {
        assert_eq!(mode, if path == data || path == copy { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

/// What a bot would do in a position, in words and as data, for whoever is awaited there or is asked about.
#[test]
fn a_hint_is_what_a_bot_would_do_in_a_written_position() {
    let (_folder, rummy) = file(
        "rummy.toml",
        r#"game = "contract"
seats = 3
[setup]
turn = 1
phase = "play"
hands = ["KC KS 9D 9C 2H 4H", "7C 7D 7H KC KD 2S 3D QH", "QC QS 5D 5C 8H JH"]
discard = "3C"
stock = "4S 6D TC"
[play]
script = ''
"#,
    );
    check(
        &["hint", &rummy, "--bot", "steady"],
        0,
        &[
            "seat 1, steady/4: Throw QH.\n",
            "1 card is missing from your contract",
            "  QH             1       8      10",
        ],
    );
    let output = parlour(&["hint", &rummy, "--bot", "40", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((&told["seat"], &told["bot"]), (&json!(1), &json!("40/3")), "{told}");
    assert_eq!(told["command"]["discard"], json!({ "card": 44 }), "{told}");
    assert!(told["reason"]["throw"]["weighed"].is_array(), "{told}");
    check(&["hint", &rummy, "--seat", "0"], 1, &["seat 0: strong has nothing to say here"]);
    check(&["hint", &rummy, "--seat", "3"], 2, &["--seat 3", "0 to 2"]);
    check(&["hint", &rummy, "--bot", "hard"], 2, &["`hard` is no bot", "steady"]);
    check(&["hint", "no-such.toml"], 2, &["no-such.toml", "cannot be read"]);

    let (_folder, set) = file(
        "set.toml",
        r#"game = "set-classic"
seats = 2
[setup]
board = "0000 0010 0211 0222 1022 1110 1111 1122 1221 2002 2110 2222"
stock = "..."
[play]
script = ''
"#,
    );
    check(
        &["hint", &set, "--seat", "1"],
        0,
        &["seat 1, hard/5: ", "0000 1111 2222", "seconds pass", "compares two cards"],
    );
    let seconds = |bot: &str| {
        let output = parlour(&["hint", &set, "--seat", "0", "--bot", bot, "--json"]);
        let told: Value = serde_json::from_slice(&output.stdout).expect("one object");
        told["reason"]["found"]["seconds"].as_f64().unwrap_or_else(|| panic!("{told}"))
    };
    assert!(seconds("easy") > seconds("hard"), "a beginner needs longer");
    check(&["hint", &set, "--bot", "strong"], 2, &["`strong` is no bot", "medium"]);
}
