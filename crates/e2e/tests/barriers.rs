//! What keeps people out, as checkers of accessibility see it: nothing, on any page and whatever a match comes to, on a desk and on a
//! phone at night.

use anyhow::Result;
use e2e::steps::{IDLY, RUMMY, SHORT, begin, begins, named, play_until, start, table, table_as};
use e2e::{Browser, Screen, Server, Wire};
use serde_json::json;

/// A person, and what was found on their way.
struct Walk {
    ann: Browser,
    faults: Vec<String>,
}

impl Walk {
    async fn begin(base: &str, screen: Screen) -> Result<Walk> {
        let ann = Browser::open(screen, &[]).await?;
        if screen == Screen::Phone {
            let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
            ann.page.cdp().send_raw("Emulation.setEmulatedMedia", dark).await?;
        }
        named(&ann, &format!("{base}/"), "Ann").await?;
        Ok(Walk { ann, faults: Vec::new() })
    }

    async fn look(&mut self, state: &str) -> Result<()> {
        let found = self.ann.barriers().await?.unwrap_or_else(|| {
            eprintln!("left out: no checker of accessibility could be fetched");
            Vec::new()
        });
        self.faults.extend(found.into_iter().map(|fault| format!("{state}: {fault}")));
        Ok(())
    }

    async fn page(&mut self, base: &str, path: &str) -> Result<()> {
        self.ann.page.goto(format!("{base}{path}")).await?;
        self.ann.css("main h1").await?;
        self.look(path).await
    }

    fn end(self) {
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
    }
}

const PAGES: [&[&str]; 3] = [
    &[
        "/",
        "/new/set-classic",
        "/new/contract",
        "/games",
        "/settings",
        "/about",
        "/today",
        "/home/contract",
        "/table/nobody-sits-here",
    ],
    &[
        "/rules",
        "/rules/contract",
        "/rules/superset-w",
        "/house",
        "/learn",
        "/practice",
        "/strategy/contract",
        "/strategy/pattern",
    ],
    &[
        "/odds",
        "/maths",
        "/solve/set-classic?cards=0000+0111+0222+1202",
        "/solve/contract?hand=7C+7D+7H+KC+KD+2S",
        "/gallery",
        "/gallery/contract",
        "/gallery/set-classic",
    ],
];

async fn pages(paths: &[&str], screen: Screen) -> Result<()> {
    let server = Server::start(&[]).await?;
    let base = server.url("");
    let mut walk = Walk::begin(&base, screen).await?;
    for path in paths {
        walk.page(&base, path).await?;
    }
    walk.end();
    Ok(())
}

#[tokio::test]
async fn pages_that_lead_to_a_table_are_accessible() -> Result<()> {
    pages(PAGES[0], Screen::Desktop).await
}

#[tokio::test]
async fn pages_that_lead_to_a_table_are_accessible_on_a_phone_at_night() -> Result<()> {
    pages(PAGES[0], Screen::Phone).await
}

#[tokio::test]
async fn pages_that_are_read_are_accessible() -> Result<()> {
    pages(PAGES[1], Screen::Desktop).await
}

#[tokio::test]
async fn pages_that_are_read_are_accessible_on_a_phone_at_night() -> Result<()> {
    pages(PAGES[1], Screen::Phone).await
}

#[tokio::test]
async fn pages_that_reckon_are_accessible() -> Result<()> {
    pages(PAGES[2], Screen::Desktop).await
}

#[tokio::test]
async fn pages_that_reckon_are_accessible_on_a_phone_at_night() -> Result<()> {
    pages(PAGES[2], Screen::Phone).await
}

/// Where nobody moves but Ann, and not even she.
async fn standing(screen: Screen) -> Result<()> {
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let wire = Wire::to(&server).await?;
    let mut walk = Walk::begin(&wire.url(""), screen).await?;
    for (game, there) in [("set-classic", "board"), ("contract", "hand-card")] {
        // A seat is free: with bots alone it would begin.
        let path = table(&walk.ann, game, "{}", 3, &["random"]).await?;
        walk.page(&wire.url(""), &path).await?;
        walk.ann.click("add-bot-2").await?;
        start(&walk.ann).await?;
        walk.ann.find(there).await?;
        walk.ann.click("menu").await?;
        walk.ann.find("pause").await?;
        walk.look(&format!("{game}, its menu")).await?;
        walk.ann.click("pause").await?;
        walk.ann.find("resume").await?;
        walk.look(&format!("{game}, paused")).await?;
        walk.ann.click("resume").await?;
        wire.cut();
        walk.ann.find("reconnecting").await?;
        walk.look(&format!("{game}, without a connection")).await?;
        wire.mend();
        let back = "return !document.querySelector('[data-testid=\"reconnecting\"]')";
        walk.ann.until("it is there again", back).await?;
    }
    for (game, seats, bots) in [
        ("memory", 2, &["hard"] as &[&str]),
        ("setup", 3, &["easy", "easy"]),
        ("scout", 3, &["easy", "easy"]),
        ("trial-live", 3, &["hard", "hard"]),
        ("hands", 2, &["hard"]),
        ("eight-ultra", 2, &["hard"]),
    ] {
        begin(&walk.ann, game, "{}", seats, bots).await?;
        walk.ann.css("[data-testid='board'], [data-testid='memory'], [data-testid='setup']").await?;
        walk.look(game).await?;
    }
    // A game of the day, and what is told of it at the end.
    walk.ann.page.goto(wire.url("/today")).await?;
    walk.ann.click("play-daily-puzzle").await?;
    walk.ann.find("puzzle").await?;
    walk.look("the puzzle of the day").await?;
    walk.ann.click("give-up").await?;
    walk.ann.find("outcome").await?;
    walk.look("the end of the puzzle").await?;
    walk.page(&wire.url(""), "/today").await?;
    // The first lesson at a table.
    walk.ann.page.goto(wire.url("/")).await?;
    walk.ann.click("learn-contract").await?;
    walk.ann.find("coach").await?;
    walk.look("learning Contract Rummy").await?;
    walk.end();
    Ok(())
}

#[tokio::test]
async fn a_table_that_stands_is_accessible() -> Result<()> {
    standing(Screen::Desktop).await
}

#[tokio::test]
async fn a_table_that_stands_is_accessible_on_a_phone_at_night() -> Result<()> {
    standing(Screen::Phone).await
}

/// What comes between deals and rounds, at the end of a match, and in its replay.
async fn ends(screen: Screen) -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let base = server.url("");
    let mut walk = Walk::begin(&base, screen).await?;
    let over = "return document.querySelector('[data-testid=\"table\"]')?.dataset.stage === 'over'";
    begin(&walk.ann, "quick", r#"{"no_claim":"auto","deals":2}"#, 2, &["hard"]).await?;
    walk.ann.find("deal-summary").await?;
    walk.look("between two deals").await?;
    walk.ann.click("next-deal").await?;
    walk.ann.until("the end of a match of Set", over).await?;
    walk.ann.find("fastest").await?;
    walk.look("the end of a match of Set").await?;
    let short = json!({ "game": { "rules": SHORT }, "seats": 3, "bots": ["easy", "easy"], "rest_s": 200 });
    table_as(&walk.ann, &short.to_string()).await?;
    begins(&walk.ann).await?;
    let rests = "return document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind === 'rest'";
    play_until(&walk.ann, "it rests", IDLY, rests).await?;
    walk.ann.find("round-summary").await?;
    walk.look("the rest between two rounds").await?;
    play_until(&walk.ann, "the end of a match of Contract Rummy", RUMMY, over).await?;
    walk.ann.find("outcome").await?;
    walk.look("the end of a match of Contract Rummy").await?;
    walk.page(&base, "/games").await?;
    let replays =
        "return [...document.querySelectorAll('[data-testid=\"replay-link\"]')].map(link => link.pathname)";
    for path in walk.ann.run::<Vec<String>>(replays).await? {
        walk.page(&base, &path).await?;
        walk.ann.click("replay-last").await?;
        walk.ann.find("outcome").await?;
        walk.look(&format!("{path} at its end")).await?;
    }
    walk.end();
    Ok(())
}

#[tokio::test]
async fn the_end_of_a_match_and_its_replay_are_accessible() -> Result<()> {
    ends(Screen::Desktop).await
}

#[tokio::test]
async fn the_end_of_a_match_and_its_replay_are_accessible_on_a_phone_at_night() -> Result<()> {
    ends(Screen::Phone).await
}
