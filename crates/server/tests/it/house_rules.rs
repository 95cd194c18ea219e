//! House rules over HTTP: a draft read, told, shared as code and file, taken over by somebody else, and played.

use crate::common::Server;
use crate::common::player::Player;
use serde_json::{Value, json};
use wire::Act;

/// What the server says of rules.
async fn read(server: &Server, rules: Value) -> crate::common::Answer {
    let body = json!({ "rules": rules, "seats": 4 }).to_string();
    server.ask("POST", "/api/rules/read", &[], &body).await
}

fn draft(options: Value, rounds: Value) -> Value {
    json!({ "draft": { "name": "Aunt Mary's", "base": "contract", "options": options, "rounds": rounds } })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_changed_is_told_shared_and_played() {
    let server = Server::start().await;
    let sheet = server.get("/api/games/contract").await.json();
    assert_eq!(sheet["rounds"][6]["contract"], "R4 R4 R4");
    assert_eq!(sheet["rounds"][6]["set"]["meld.all"], true, "{}", sheet["rounds"][6]);

    let rules = draft(
        json!({ "take.limit": 3 }),
        json!([{ "contract": "G3" }, { "contract": "G3 R10", "deal": "11" }]),
    );
    let told = read(&server, rules.clone()).await.json();
    let meaning = &told["meaning"];
    assert_eq!(meaning["faults"], json!([]));
    assert_eq!(meaning["rounds"][0]["contract"]["text"], "a group of 3", "{}", meaning["rounds"]);
    assert_eq!(meaning["rounds"][1]["takes"], 1, "{}", meaning["rounds"]);
    assert_eq!(meaning["draft"]["options"], rules["draft"]["options"]);
    let tables: Vec<u64> =
        meaning["tables"].as_array().expect("tables").iter().filter_map(|t| t["seats"].as_u64()).collect();
    assert_eq!(tables, [3, 4, 5]);
    assert!(meaning["sheet"].as_str().expect("a sheet").starts_with("# Aunt Mary's\n"));

    // Somebody else takes it over by its code, and has the same.
    let code = told["code"].as_str().expect("a code").to_owned();
    let again = read(&server, json!({ "code": code.to_lowercase() })).await.json();
    assert_eq!(again, told);
    let by_file = read(&server, json!({ "file": told["rules"] })).await.json();
    assert_eq!(by_file, told);

    let file = server.get(&format!("/api/rules/{code}/rules.toml?download")).await;
    assert_eq!((file.status, file.body.as_str()), (200, told["rules"].as_str().expect("a file")));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"aunt-mary-s.toml\""));
    let markdown = server.get(&format!("/api/rules/{code}/sheet.md?players=3")).await;
    assert!(
        markdown.body.starts_with("# Aunt Mary's\n") && markdown.body.contains("With three players"),
        "{}",
        markdown.body
    );
    assert_eq!(markdown.header("content-type"), Some("text/markdown; charset=utf-8"));

    // A table is opened with it, and its first round asks for the one group.
    let ann = server.guest("Ann").await;
    let body =
        json!({ "game": { "rules": told["rules"] }, "seats": 3, "bots": ["random", "random"] }).to_string();
    let made = ann.ask("POST", "/api/tables", &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let mut ann = Player::with(ann, &id, 1).await;
    ann.act(Act::Ready { ready: true }).await;
    ann.act(Act::Start).await;
    ann.until("the match begins", |client| client.view().is_some()).await;
    match ann.client.view().expect("seen") {
        rulebook::View::Contract(view) => {
            let slots: Vec<String> = view.round().contracts[0].iter().map(ToString::to_string).collect();
            assert_eq!(slots, ["G3"]);
            assert_eq!(view.round().settings.take.limit, 3);
        }
        rulebook::View::Pattern(_) => panic!("a game of the other family"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_says_why() {
    let server = Server::start().await;
    let check = async |rules: Value, check: &str, word: &str| {
        let told = read(&server, rules).await.json();
        let faults = told["meaning"]["faults"].as_array().expect("faults").clone();
        let found =
            faults.iter().find(|f| f["check"] == check).unwrap_or_else(|| panic!("{check}: {faults:?}"));
        let text = format!("{} {}", found["reason"]["text"], found["remedy"]["text"]);
        assert!(text.contains(word), "{text}");
        assert_eq!(told["meaning"]["game"], Value::Null);
    };
    check(draft(json!({ "run.gap": 9 }), Value::Null), "V1", "from 0 to 3").await;
    check(draft(json!({ "deal.cards": 40 }), Value::Null), "V2", "in the stock").await;
    check(draft(json!({ "take.on": false }), json!([{ "contract": "G3 R10" }])), "V3", "cannot be laid")
        .await;
    check(draft(json!({}), json!([{ "contract": "G3 X9" }])), "V1", "X9").await;
    check(json!({ "file": "base = \"contract" }), "V1", "no TOML").await;
    check(json!({ "file": "id = \"a\"\nname = \"A\"\nbase = \"no-such\"" }), "V1", "no-such").await;

    let told = read(&server, draft(json!({ "take.limit": 3 }), Value::Null)).await.json();
    let code = told["code"].as_str().expect("a code");
    let cut_off = read(&server, json!({ "code": code[..code.len() - 4] })).await;
    assert_eq!(
        (cut_off.status, cut_off.problem().contains("end of this code is missing")),
        (400, true),
        "{}",
        cut_off.body
    );
    let last = if code.ends_with('0') { "1" } else { "0" };
    let edited = read(&server, json!({ "code": format!("{}{last}", &code[..code.len() - 1]) })).await;
    assert_eq!((edited.status, edited.problem().contains("was changed")), (400, true), "{}", edited.body);
    let none = read(&server, json!({ "code": "hello" })).await;
    assert!(none.status == 400 && none.problem().contains("no code"), "{}", none.body);
    for path in ["rules.toml", "sheet.md"] {
        let answer = server.get(&format!("/api/rules/PARLOUR1-00/{path}")).await;
        assert_eq!(answer.status, 400, "{}", answer.body);
    }
    assert_eq!(server.get("/api/games/no-such/sheet.md").await.status, 404);
    let sheet = server.get("/api/games/liverpool/sheet.md?download").await;
    assert!(sheet.status == 200 && sheet.body.starts_with("# Liverpool Rummy\n"), "{}", sheet.body);
    assert_eq!(sheet.header("content-disposition"), Some("attachment; filename=\"liverpool.md\""));
    assert_eq!(server.get("/api/games/liverpool/sheet.md?players=11").await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_of_options_is_checked() {
    let server = Server::start().await;
    let check = async |game: &str, options: Value, seats: u8| {
        let asked = json!({ "game": { "preset": game }, "options": options, "seats": seats });
        server.ask("POST", "/api/rules/check", &[], &asked.to_string()).await.json()
    };
    assert_eq!(check("contract", json!({}), 4).await, json!({ "faults": [], "notes": [] }));
    let noted = check("progressive", json!({}), 4).await;
    assert!(noted["notes"][0]["text"].as_str().is_some_and(|note| note.contains("2 takes")), "{noted}");
    for (options, seats, fault) in [(json!({ "run.gap": 9 }), 4, "V1"), (json!({}), 9, "A-01")] {
        let told = check("contract", options, seats).await;
        assert_eq!((&told["faults"][0]["check"], &told["notes"]), (&json!(fault), &json!([])), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_questions_count_for_their_address_and_kept_answers_do_not() {
    let server = Server::with(|settings| settings.requests_per_second = 1).await; // ten at once
    let code = rulebook::share("id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\n");
    let kept = "/api/games/contract/sheet.md?players=4";
    let first = server.get(kept).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let is_enough = async |path: &str| {
        for _ in 0..12 {
            let answer = server.get(path).await;
            if answer.status == 429 {
                assert!(answer.problem().contains("Wait"), "{}", answer.body);
                return assert_eq!(answer.header("retry-after"), Some("1"), "{path}");
            }
        }
        panic!("{path} is answered for ever");
    };
    is_enough(&format!("/api/rules/{code}/sheet.md")).await;
    is_enough(&format!("/api/rules/{code}/rules.toml")).await;
    // What was made once takes no work.
    for _ in 0..3 {
        let again = server.get(&format!("{kept}&download")).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
        assert_eq!(again.header("content-disposition"), Some("attachment; filename=\"contract.md\""));
    }
    is_enough("/api/games/contract/sheet.md?players=11").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_a_stranger_made_dear_are_answered() {
    let server = Server::start().await;
    let ask = async |path: &str, body: Value| server.ask("POST", path, &[], &body.to_string()).await;
    for text in ["(".repeat(4000), "-".repeat(20_000), format!("2{}", "*1".repeat(15_000))] {
        let rules = format!("id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\ndeck.decks = \"{text}\"\n");
        let told = ask("/api/rules/read", json!({ "rules": { "file": rules }, "seats": 4 })).await;
        let fault = &told.json()["meaning"]["faults"][0];
        assert!(fault["reason"]["text"].as_str().is_some_and(|f| f.contains("write at most")), "{fault}");
        for game in [json!({ "rules": rules }), json!({ "preset": "contract" })] {
            let options = json!({ "deck.decks": text });
            let asked = json!({ "game": game, "options": options, "seats": 4 });
            let told = ask("/api/rules/check", asked).await.json();
            let reason = told["faults"][0]["reason"]["text"].as_str().expect("a fault");
            assert!(reason.contains("write at most"), "{told}");
        }
        let code = rulebook::share(&rules);
        if code.len() < 30_000 {
            let sheet = server.get(&format!("/api/rules/{code}/sheet.md")).await;
            assert!(sheet.status == 400 && sheet.problem().contains("write at most"), "{}", sheet.body);
        }
    }
    let long = json!({ "rules": { "file": "#".repeat(40_000) }, "seats": 4 });
    let told = ask("/api/rules/read", long).await.json();
    assert_eq!((&told["code"], &told["meaning"]["faults"][0]["check"]), (&json!(""), &json!("V1")), "{told}");
    let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
    let options = format!(r#"{{"game":{{"preset":"contract"}},"options":{{"x":{deep}}},"seats":4}}"#);
    let told = server.ask("POST", "/api/rules/check", &[], &options).await.json();
    assert!(told["faults"][0]["reason"]["text"].as_str().is_some_and(|f| f.contains("12 deep")), "{told}");
    let foreign = [("Sec-Fetch-Site", "cross-site")];
    assert_eq!(server.ask("GET", "/api/games", &foreign, "").await.status, 403);
    assert_eq!(server.get("/api/games").await.status, 200);
}
