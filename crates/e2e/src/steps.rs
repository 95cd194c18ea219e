//! What a person does, for the tests that play whole games.

use crate::Browser;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Opens a page and takes a name there.
///
/// # Errors
/// If the name is not taken.
pub async fn named(browser: &Browser, address: &str, name: &str) -> Result<()> {
    browser.page.goto(address).await?;
    browser.click("rename").await?;
    browser.fill("name", name).await?;
    browser.click("name-save").await?;
    browser
        .until("the name is taken", "return document.querySelector('[data-testid=\"name-form\"]') === null")
        .await
}

/// Makes a table of a built-in game as the app does, goes to it, and gives its path.
///
/// # Errors
/// If the server makes none.
pub async fn table(browser: &Browser, game: &str, options: &str, seats: u8, bots: &[&str]) -> Result<String> {
    table_of(browser, &json!({ "preset": game }), options, seats, bots).await
}

/// Makes a table of a game: built in (`preset`), or the text of a rule file (`rules`).
///
/// # Errors
/// If the server makes none.
pub async fn table_of(
    browser: &Browser,
    game: &Value,
    options: &str,
    seats: u8,
    bots: &[&str],
) -> Result<String> {
    let body =
        format!(r#"{{"game":{game},"options":{options},"seats":{seats},"bots":{bots:?},"public":false}}"#);
    table_as(browser, &body).await
}

/// Makes a table of what is sent for one, as JSON (`wire::api::NewTable`), and goes to it.
///
/// # Errors
/// If the server makes none.
pub async fn table_as(browser: &Browser, body: &str) -> Result<String> {
    let script = format!(
        "const done = arguments[arguments.length - 1];
        fetch('/api/tables', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {body:?} }})
            .then(answer => answer.text()).then(done)"
    );
    let answer = browser.page.execute_async(script, vec![]).await?;
    let made: Value = serde_json::from_str(answer.json().as_str().context("a text")?)?;
    let path = made["path"].as_str().with_context(|| made.to_string())?.to_owned();
    let origin: String = browser.run("return location.origin").await?;
    browser.page.goto(format!("{origin}{path}")).await?;
    Ok(path)
}

/// Begins the match at a table where others sit than bots: with those alone it begins by itself.
///
/// # Errors
/// If the button does not come.
pub async fn start(browser: &Browser) -> Result<()> {
    browser.click("start").await
}

/// Makes a table with bots in all other seats and goes to it; the match begins.
///
/// # Errors
/// If it cannot be made or begun.
pub async fn begin(browser: &Browser, game: &str, options: &str, seats: u8, bots: &[&str]) -> Result<()> {
    table(browser, game, options, seats, bots).await?;
    begins(browser).await
}

/// Waits until the match has begun.
///
/// # Errors
/// If it does not.
pub async fn begins(browser: &Browser) -> Result<()> {
    browser
        .until(
            "the match begins",
            "return document.querySelector('[data-testid=\"table\"]')?.dataset.stage === 'playing'",
        )
        .await
}

/// Whether people gather (`lobby`), play (`playing`) or have played (`over`).
///
/// # Errors
/// If the browser is gone.
pub async fn stage(browser: &Browser) -> Result<String> {
    browser.run("return document.querySelector('[data-testid=\"table\"]')?.dataset.stage ?? ''").await
}

/// Waits until everything that a selector finds lies in the window, and there is so much of it at least.
///
/// # Errors
/// If it does not.
pub async fn in_sight(browser: &Browser, what: &str, least: usize) -> Result<()> {
    let lies = format!(
        "const found = [...document.querySelectorAll(`{what}`)].map(e => e.getBoundingClientRect()).filter(at => at.width > 0);
        return found.length >= {least} && found.every(at =>
            at.top >= 0 && at.left >= 0 && at.bottom <= innerHeight + 1 && at.right <= innerWidth + 1)"
    );
    browser.until(&format!("all of {what} is in sight"), &lies).await
}

/// Takes `step` after step, each a piece of JavaScript with the [`TOOLS`], until the match is over.
///
/// # Errors
/// If it is not over in time.
pub async fn play_on(browser: &Browser, name: &str, seconds: u64, step: &str) -> Result<()> {
    let step = format!("{TOOLS}{step}");
    play_by(browser, name, seconds, async || browser.run::<()>(&step).await).await
}

/// Takes `step` after step until the match is over.
///
/// # Errors
/// If it is not over in time, or a step fails.
pub async fn play_by(
    browser: &Browser,
    name: &str,
    seconds: u64,
    step: impl AsyncFn() -> Result<()>,
) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while stage(browser).await? != "over" {
        if Instant::now() > deadline {
            browser.shot(&format!("{name}-stuck")).await?;
            bail!("{name} did not end:\n{}", browser.text().await?);
        }
        step().await?;
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
    const idle = () => {
        const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]') ?? document);
        if (!['draw-stock', 'pass', 'discard'].some(press) && !hand.some(card => card.getAttribute('aria-pressed') === 'true'))
            hand[0]?.click();
    };
";

/// Finds the first Set of a puzzle that is not found yet.
pub const PUZZLE: &str = "
    const board = cards('card', document.querySelector('[data-testid=\"board\"]'));
    const found = cards('found').flatMap(list => [...list.querySelectorAll('li')]).length;
    const open = sets(board.map(code).sort());
    if (found < open.length) open[found].forEach(c => board.find(card => code(card) === c)?.click());
";

/// Draws, declines what is offered, and discards the first card.
pub const IDLY: &str = "idle()";

/// The same, and goes on between two rounds.
pub const RUMMY: &str = "if (!press('round-close')) idle();";

/// Three cards that make a Set, by their codes.
#[must_use]
pub fn find_set(cards: &[String]) -> Option<[&String; 3]> {
    let third = |a: &str, b: &str| -> String {
        a.bytes().zip(b.bytes()).map(|(a, b)| char::from(b'0' + (6 - (a - b'0') - (b - b'0')) % 3)).collect()
    };
    cards.iter().enumerate().find_map(|(n, a)| {
        cards[n + 1..].iter().find_map(|b| {
            let wanted = third(a, b);
            cards.iter().find(|c| **c == wanted).map(|c| [a, b, c])
        })
    })
}

/// The codes of the cards on the board.
pub const CARDS: &str =
    "return [...document.querySelectorAll('[data-testid=\"board\"] [data-card]')].map(c => c.dataset.card)";

/// Calls and claims a Set that lies on the table, if there is one.
///
/// # Errors
/// If the browser is gone.
pub async fn claim_a_set(browser: &Browser) -> Result<bool> {
    let cards: Vec<String> = browser.run(CARDS).await?;
    let Some(set) = find_set(&cards) else { return Ok(false) };
    if browser.count(&crate::test_id("call")).await? > 0 {
        browser.run::<()>("document.querySelector('[data-testid=\"call\"]')?.click()").await?;
    }
    for card in set {
        // Somebody else may have been quicker: then the card is gone, and this click with it.
        browser
            .run::<()>(&format!(
                "document.querySelector('[data-testid=\"board\"] [data-card=\"{card}\"]')?.click()"
            ))
            .await?;
    }
    browser.run::<()>("document.querySelector('[data-testid=\"claim\"]')?.click()").await?;
    Ok(true)
}

/// A pair of five cards is soon over; a run of five is not laid before what is left of it has been looked at.
pub const SHORT: &str = r#"
id = "short"
name = "Short"
base = "contract"
[deal]
cards = 5
[[round]]
contract = ["P2"]
[[round]]
contract = ["R5"]
"#;

/// Two pairs of fourteen cards, which are in every hand.
pub const PAIRS: &str = r#"
id = "pairs"
name = "Pairs"
base = "contract"
[deal]
cards = 14
[take]
on = false
[[round]]
contract = ["P2", "P2"]
"#;

/// Takes a step, a piece of JavaScript with the [`TOOLS`], until another one answers true.
///
/// # Errors
/// If it does not in time.
pub async fn play_until(browser: &Browser, what: &str, step: &str, holds: &str) -> Result<()> {
    let step = format!("{TOOLS} if ((() => {{ {holds} }})()) return true; {step}; return false");
    let deadline = Instant::now() + Duration::from_secs(90);
    while !browser.run::<bool>(&step).await? {
        ensure!(Instant::now() < deadline, "not in time: {what}\n{}", browser.text().await?);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    Ok(())
}
