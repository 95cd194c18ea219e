//! Whole matches by the keyboard alone: no pointer, and nothing pressed by a script.

use anyhow::{Result, bail, ensure};
use e2e::steps::{begin, named, stage};
use e2e::{Browser, Screen, Server};
use std::time::{Duration, Instant};
use thirtyfour::Key;

/// Presses Tab until what has this test id is where the keyboard is.
async fn tab_to(ann: &Browser, id: &str) -> Result<()> {
    for _ in 0..80 {
        if ann.run::<bool>(&format!("return document.activeElement?.dataset.testid === '{id}'")).await? {
            return Ok(());
        }
        ann.keys(Key::Tab).await?;
    }
    bail!("the keyboard does not come to {id}:\n{}", ann.text().await?)
}

/// Presses keys, as `step` says what is to be pressed, until the match is over.
async fn play(ann: &Browser, seconds: u64, step: &str) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    loop {
        if Instant::now() > deadline {
            ann.shot("keyboard-stuck").await?;
            bail!("the match did not end:\n{}", ann.text().await?);
        }
        let keys = ann.run::<String>(step).await?;
        // Most presses are of Tab, on the way to the hand: they bring no match to its end, and wait for nothing.
        if keys != "\t" && stage(ann).await? == "over" {
            return Ok(());
        }
        for key in keys.chars() {
            match key {
                '\t' => ann.keys(Key::Tab).await?,
                '\n' => ann.keys(Key::Enter).await?,
                key => ann.keys(key.to_string()).await?,
            }
        }
        if keys != "\t" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The keys of a Set that lies there, as its cards name them; each card is called by its number, colour, shading and symbol.
const SET: &str = "
    const cards = [...document.querySelectorAll('[data-testid=\"board\"] [data-card]')];
    const key = card => card.querySelector('kbd')?.innerText.toLowerCase() ?? '';
    const third = (a, b) => [...a].map((digit, n) => (6 - digit - b[n]) % 3).join('');
    const codes = cards.map(card => card.dataset.card);
    for (const a of codes) for (const b of codes) {
        const c = third(a, b);
        if (a < b && b < c && codes.includes(c)) return ' ' + [a, b, c].map(code => key(cards[codes.indexOf(code)])).join('');
    }
    return '';
";

#[tokio::test]
async fn a_whole_match_of_set_by_the_keyboard_alone() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "set-classic", r#"{"no_claim":"auto"}"#, 2, &["easy"]).await?;
    play(&ann, 200, SET).await?;
    ann.find("outcome").await?;
    let found = "return Number(document.querySelector('[data-testid=\"place-0\"] .number').innerText)";
    ensure!(ann.run::<f64>(found).await? > 2.0, "Ann found some");
    // And once more.
    tab_to(&ann, "rematch").await?;
    ann.keys(Key::Enter).await?;
    e2e::steps::begins(&ann).await
}

/// Draws from the stock, lets offers pass, and throws the first card of the hand.
const RUMMY: &str = "
    if (document.querySelector('dialog[open]')) return '\\n';
    switch (document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind) {
        case 'rest': return 'g';
        case 'start': case 'offer': case 'open': case 'quiet': return 'p';
        case 'play': {
            if (document.querySelector('[data-testid=\"hand-card\"][aria-pressed=\"true\"]')) return 'd';
            return document.activeElement?.dataset.testid === 'hand-card' ? ' ' : '\\t';
        }
    }
    return '';
";

#[tokio::test]
async fn a_match_of_contract_rummy_by_the_keyboard_alone() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "contract", r#"{"game.rounds":[1]}"#, 3, &["easy", "easy"]).await?;
    play(&ann, 240, RUMMY).await?;
    ann.find("outcome").await?;
    // How the last round ended stands beside the table: nothing lies over who won.
    let told = "document.querySelector('.side [data-testid=\"round-summary\"] h2')";
    ann.until(
        "the last round is told",
        &format!("return !!{told} && !document.querySelector('dialog[open]')"),
    )
    .await?;
    tab_to(&ann, "watch").await?;
    ann.keys(Key::Enter).await?;
    ann.find("replay").await?;
    // The replay, too.
    tab_to(&ann, "moment-next").await?;
    ann.keys(Key::Enter).await?;
    ann.until("a moment", "return document.querySelector('[data-testid=\"moment\"]').innerText !== ''").await
}
