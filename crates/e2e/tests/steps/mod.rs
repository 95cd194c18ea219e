//! What a person does, for the tests that play whole games.
#![allow(dead_code, reason = "each test file uses its part")]

use anyhow::{Context, Result, bail};
use e2e::Browser;
use std::time::{Duration, Instant};

/// Opens the lobby and takes a name.
pub async fn named(browser: &Browser, address: &str, name: &str) -> Result<()> {
    browser.page.goto(address).await?;
    browser.fill("name", name).await?;
    browser.click("name-save").await?;
    browser
        .until("the name is taken", "return document.querySelector('[data-testid=\"name-form\"]') === null")
        .await
}

/// Makes a table as the app does, goes to it, and starts.
pub async fn begin(browser: &Browser, game: &str, options: &str, seats: u8, bots: &[&str]) -> Result<()> {
    let body = format!(
        r#"{{"game":{{"preset":"{game}"}},"options":{options},"seats":{seats},"bots":{bots:?},"public":false}}"#
    );
    let script = format!(
        "const done = arguments[arguments.length - 1];
        fetch('/api/tables', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {body:?} }})
            .then(answer => answer.text()).then(done)"
    );
    let answer = browser.page.execute_async(script, vec![]).await?;
    let made: serde_json::Value = serde_json::from_str(answer.json().as_str().context("a text")?)?;
    let path = made["path"].as_str().with_context(|| made.to_string())?.to_owned();
    let origin: String = browser.run("return location.origin").await?;
    browser.page.goto(format!("{origin}{path}")).await?;
    browser.click("ready").await?;
    browser.click("start").await
}

/// Whether people gather (`lobby`), play (`playing`) or have played (`over`).
pub async fn stage(browser: &Browser) -> Result<String> {
    browser.run("return document.querySelector('[data-testid=\"table\"]')?.dataset.stage ?? ''").await
}

/// Takes `step` after step until the match is over.
pub async fn play_on(browser: &Browser, name: &str, seconds: u64, step: &str) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while stage(browser).await? != "over" {
        if Instant::now() > deadline {
            browser.shot(&format!("{name}-stuck")).await?;
            bail!("{name} did not end:\n{}", browser.text().await?);
        }
        browser.run::<()>(step).await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    browser.find("outcome").await?;
    browser.shot(&format!("{name}-over")).await
}

/// Functions for steps: what is shown under a test id, a press, and the Sets among cards.
pub const TOOLS: &str = "
    const all = id => [...document.querySelectorAll(`[data-testid='${id}']`)].filter(e => e.offsetParent !== null && !e.disabled);
    const press = id => { const found = all(id)[0]; if (found) found.click(); return !!found; };
    const cards = (id, within = document) => [...within.querySelectorAll(`[data-testid='${id}']`)];
    const third = (a, b) => [...a].map((digit, n) => (6 - digit - b[n]) % 3).join('');
    const sets = codes => codes.flatMap((a, i) => codes.slice(i + 1).filter(b => third(a, b) > b && codes.includes(third(a, b))
        && a < b).map(b => [a, b, third(a, b)]));
    const code = card => card.dataset.card;
";
