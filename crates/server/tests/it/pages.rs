//! Which program of the app comes with a page.

use crate::common::Server;
use crate::common::player::Player;
use serde_json::json;
use wire::{Act, Stage};

/// The programs, and the parts of them that a page may begin with.
const PROGRAMS: [&str; 12] = [
    "lobby",
    "lobby-page",
    "library",
    "library-read",
    "library-write",
    "library-learn",
    "library-reckon",
    "pattern",
    "pattern-later",
    "contract",
    "contract-later",
    "contract-screen",
];

const OWN: &str = r#"
id = "own"
name = "Our own"
family = "contract"
round = [{ contract = ["G3", "G3"] }]
"#;

/// A server whose programs are their names alone.
async fn server() -> (Server, tempfile::TempDir) {
    let app = tempfile::tempdir().expect("a folder");
    for program in PROGRAMS {
        std::fs::write(app.path().join(format!("{program}.html")), program).expect("a file");
    }
    let folder = app.path().to_owned();
    (Server::with(|settings| settings.web_dir = Some(folder)).await, app)
}

async fn check(server: &Server, program: &str, paths: &[&str]) {
    for path in paths {
        let page = server.get(path).await;
        assert_eq!((page.status, page.body.as_str()), (200, program), "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
    }
}

#[tokio::test]
async fn each_page_comes_with_its_program() {
    let (server, _app) = server().await;
    check(&server, "lobby", &["/", "/nothing", "/table", "/table/a/b"]).await;
    check(&server, "lobby-page", &["/new/contract", "/today", "/today/2026-01-31", "/games", "/settings"])
        .await;
    check(&server, "library-read", &["/rules", "/rules/contract", "/rulebook/pattern", "/about", "/gallery"])
        .await;
    check(&server, "library-write", &["/house", "/house/PARLOUR1"]).await;
    check(&server, "library-learn", &["/learn", "/practice", "/strategy/contract"]).await;
    check(&server, "library-reckon", &["/odds", "/maths", "/solve/may-i"]).await;
    check(&server, "contract-screen", &["/home/contract"]).await;
    check(&server, "contract-later", &["/gallery/contract", "/gallery/progressive/5"]).await;
    check(&server, "pattern", &["/home/pattern"]).await;
    check(&server, "pattern-later", &["/gallery/set-classic", "/gallery/quick/3"]).await;
    // That there is nothing, either program says.
    check(&server, "pattern", &["/table/x", "/games/x", "/gallery/x", "/games/0"]).await;
}

#[tokio::test]
async fn a_match_comes_with_its_family() {
    let (server, _app) = server().await;
    let ann = server.guest("Ann").await;
    let games = [
        ("pattern", json!({ "preset": "set-classic" })),
        ("contract", json!({ "preset": "contract" })),
        // A game that is built on none.
        ("contract", json!({ "rules": OWN })),
    ];
    for (family, game) in games {
        let body = json!({ "game": game, "seats": 3, "bots": ["random", "random"] }).to_string();
        let made = ann.ask("POST", "/api/tables", &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let screen = if family == "contract" { "contract-screen" } else { family };
        check(&server, screen, &[&format!("/table/{id}"), &format!("/table/{id}/")]).await;
        // Whoever is invited gathers first.
        let free = json!({ "game": game, "seats": 3, "bots": ["random"] }).to_string();
        let free = ann.ask("POST", "/api/tables", &free).await.json();
        check(&server, family, &[free["path"].as_str().expect("a path")]).await;

        // A match that has ended.
        let guest = crate::common::Guest { server: &server, cookie: ann.cookie.clone() };
        let mut player = Player::with(guest, &id, 1).await;
        player.act(Act::Ready { ready: true }).await;
        player.act(Act::Start).await;
        player.until("it is played", |client| client.view().is_some()).await;
        let played = loop {
            let games = ann.ask("GET", "/api/me/games", "").await.json();
            let games = games["games"].as_array().expect("a list");
            if let Some(played) = games.iter().find(|game| game["table"] == id.as_str()) {
                break played["id"].as_str().expect("an id").to_owned();
            }
        };
        let replay = format!("/games/{played}");
        check(&server, "pattern", &[&replay]).await;
        player.act(Act::End { agree: true }).await;
        let over = |table: &wire::TableState| table.stage == Stage::Over;
        player.until("it has ended", |client| client.table().is_some_and(over)).await;
        server.record(&played).await;
        check(&server, &format!("{family}-later"), &[&replay]).await;
    }
}

#[tokio::test]
async fn what_is_said_of_games_is_compressed_for_those_who_can_read_that() {
    let server = Server::start().await;
    for path in ["/api/games", "/api/games/contract", "/api/rules", "/api/games/carioca/sheet.md"] {
        let plain = server.get(path).await;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        let packed = server.ask("GET", path, &[("Accept-Encoding", "br, gzip")], "").await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(packed.header("content-type"), plain.header("content-type"), "{path}");
        assert_eq!(packed.body, plain.body, "{path}");
        let length = |answer: &crate::common::Answer| {
            answer.header("content-length").and_then(|n| n.parse::<usize>().ok())
        };
        assert!(length(&packed) < length(&plain), "{path}: {:?} of {:?}", length(&packed), length(&plain));
        // A cache in between must not give one what the other asked for.
        assert!(
            [&packed, &plain].iter().all(|answer| answer.header("vary") == Some("accept-encoding")),
            "{path}"
        );
    }
    let refuses = server.ask("GET", "/api/games", &[("Accept-Encoding", "gzip;q=0")], "").await;
    assert_eq!(refuses.header("content-encoding"), None);
}

/// Whom the lobby knows it greets by name in its first bytes; nobody else reads that, and no program that keeps the page for later.
#[tokio::test]
async fn the_lobby_greets_by_name_whoever_opens_it() {
    let (server, app) = server().await;
    let (page, words) = ("../web/static/page.html", std::path::Path::new("../web/lang"));
    std::fs::copy(page, app.path().join("lobby.html")).expect("the page");
    std::fs::create_dir(app.path().join("assets")).expect("a folder");
    for language in words::read_folder(words).expect("the languages") {
        for program in ["library", "lobby"] {
            let file = app.path().join(format!("assets/{program}.{}-1.txt", language.id));
            std::fs::write(file, language.file_of(program)).expect("a file");
        }
    }
    let ann = server.guest("Ann <b>{name}").await;
    let opened = [("Cookie", &*ann.cookie), ("Sec-Fetch-Dest", "document")];
    let check = async |headers: &[(&str, &str)], says: &[&str], cache: &str| {
        let page = server.ask("GET", "/", headers, "").await;
        for said in says {
            assert_eq!(page.body.matches(said).count(), 1, "{said}, {headers:?}: {}", page.body);
        }
        assert_eq!(page.header("cache-control"), Some(cache), "{headers:?}");
        page.body
    };
    let name = "<meta name=\"guest\" content=\"Ann &lt;b&gt;{name}\">";
    let hello = "<h1>Good to see you, Ann &lt;b&gt;{name}</h1><p class=\"lead\">";
    check(&opened, &[name, hello, "<title>Lobby · Parlour</title>"], "private, no-cache").await;
    let german = [&opened[..], &[("Accept-Language", "de")]].concat();
    check(&german, &[name, "<h1>Schön, dass du da bist, Ann &lt;b&gt;{name}</h1>"], "private, no-cache")
        .await;
    check(&opened[1..], &["<h1>Welcome to the parlour</h1>"], "no-cache").await;
    for headers in [&opened[..1], &[opened[0], ("Sec-Fetch-Dest", "empty")]] {
        let page =
            check(headers, &["<div id=\"boot\" class=\"boot\" role=\"status\">Parlour …</div>"], "no-cache")
                .await;
        assert!(!page.contains("Ann"), "{page}");
    }
    assert_eq!(ann.ask("DELETE", "/api/me", "").await.status, 204);
    let page = check(&opened, &["<h1>Welcome to the parlour</h1>"], "no-cache").await;
    assert!(!page.contains("Ann"), "{page}");
}

/// A page is asked for each time, for another version may be there; but one that a browser fetched ahead is opened as it is.
#[tokio::test]
async fn a_page_that_was_fetched_ahead_is_kept_for_some_seconds() {
    let (server, _app) = server().await;
    for (purpose, cache) in [
        (None, "no-cache"),
        (Some("prefetch"), "private, max-age=15"),
        (Some("prefetch;anonymous-client-ip"), "private, max-age=15"),
        (Some("prerender"), "no-cache"),
    ] {
        let headers: Vec<_> = purpose.iter().map(|purpose| ("Sec-Purpose", *purpose)).collect();
        for path in ["/table/x", "/"] {
            let page = server.ask("GET", path, &headers, "").await;
            assert_eq!(
                (page.status, page.header("cache-control")),
                (200, Some(cache)),
                "{path}, {purpose:?}"
            );
        }
    }
}
