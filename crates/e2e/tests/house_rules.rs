//! House rules in real Chromium: changed on a page, passed on as a code, taken over in another browser, and played.

use anyhow::{Context, Result};
use e2e::steps::begins;
use e2e::{Browser, Screen, Server, test_id};
use thirtyfour::prelude::*;

/// Waits until the text of an element has a word in it.
async fn says(browser: &Browser, id: &str, word: &str) -> Result<()> {
    let (id, text) = (test_id(id), serde_json::to_string(word)?);
    let script = format!("return document.querySelector('{id}')?.innerText.includes({text}) ?? false");
    browser.until(&format!("{id} says {word}"), &script).await
}

/// Types into a field in place of what was there, and leaves it.
async fn write(browser: &Browser, id: &str, text: &str) -> Result<()> {
    let field = browser.find(id).await?;
    field.send_keys(Key::Control + "a").await?;
    field.send_keys(text).await?;
    Ok(field.send_keys(Key::Tab + "").await?)
}

#[tokio::test]
async fn house_rules_are_changed_passed_on_and_played() -> Result<()> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    ann.page.goto(server.url("/house")).await?;
    // The base game: two groups first.
    says(&ann, "house-round-1", "2 groups of 3").await?;
    write(&ann, "house-name", "Sunday rules").await?;

    // An option: more cards are dealt, and the page says so at once.
    let deal = ann.css("[data-testid='option-deal.cards'] input").await?;
    deal.send_keys(Key::Control + "a").await?;
    deal.send_keys("9").await?;
    deal.send_keys(Key::Tab + "").await?;
    ann.until(
        "nine cards are dealt",
        "return document.querySelector('[data-testid=\"house-round-1\"] .number')?.innerText === '9'",
    )
    .await?;

    // A contract that needs takes, one that cannot be, and one that everybody can lay.
    write(&ann, "house-contract-1", "G3 R10").await?;
    says(&ann, "house-round-1", "needs 2 takes").await?;
    write(&ann, "house-contract-1", "G3 R19").await?;
    says(&ann, "house-faults", "V4").await?;
    write(&ann, "house-contract-1", "G3").await?;
    says(&ann, "house-round-1", "group of 3").await?;
    ann.until(
        "no fault is left",
        "return document.querySelector('[data-testid=\"house-faults\"]')?.innerText.trim() === ''",
    )
    .await?;
    ann.click("house-keep").await?;
    let code: String =
        ann.run("return document.querySelector('[data-testid=\"house-share-code\"]').value").await?;
    assert!(code.starts_with("PARLOUR1-"), "{code}");
    if let Some(faults) = ann.barriers().await? {
        assert_eq!(faults, [] as [String; 0]);
    }
    ann.shot("house-desktop").await?;

    // What is kept is there again when the page is opened anew.
    ann.page.refresh().await?;
    says(&ann, "house-kept", "Sunday rules").await?;
    ann.click("house-kept").await?;
    says(&ann, "house-round-1", "group of 3").await?;

    // Somebody else, on a phone: first with the end of the code missing, then with the whole.
    let bea = Browser::open(Screen::Phone, &[]).await?;
    bea.page.goto(server.url("/house")).await?;
    bea.click("house-import-open").await?;
    bea.fill("house-import-text", &code[..code.len() - 5]).await?;
    bea.click("house-import").await?;
    says(&bea, "house-fault", "The end of this code is missing").await?;
    bea.fill("house-import-text", &code).await?;
    bea.click("house-import").await?;
    bea.until(
        "the name has come along",
        "return document.querySelector('[data-testid=\"house-name\"]').value === 'Sunday rules'",
    )
    .await?;
    says(&bea, "house-round-1", "group of 3").await?;
    bea.shot("house-phone").await?;
    bea.until(
        "the table can be opened",
        "return document.querySelector('[data-testid=\"house-create\"]')?.disabled === false",
    )
    .await?;
    bea.click("house-create").await?;

    // The first round is dealt as the house has it.
    begins(&bea).await?;
    bea.find("rummy").await?;
    says(&bea, "contract-text", "group of 3").await?;
    bea.until(
        "nine cards are held, or ten after a draw",
        "return [9, 10].includes(document.querySelectorAll('[data-testid=\"hand-card\"]').length)",
    )
    .await?;
    let text = bea.text().await?;
    text.contains("Sunday rules").then_some(()).with_context(|| text)?;
    Ok(())
}

#[tokio::test]
async fn what_families_play_is_listed_and_opens() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    ann.page.goto(server.url("/rules")).await?;
    let listed = "return [...document.querySelectorAll('[data-testid=\"published\"]')].some(a => a.innerText === 'Onze')";
    ann.until("they are listed", listed).await?;
    ann.run::<()>("[...document.querySelectorAll('[data-testid=\"published\"]')].find(a => a.innerText === 'Onze').click()")
        .await?;
    ann.until(
        "it can be played",
        "return document.querySelector('[data-testid=\"house-name\"]')?.value === 'Onze'",
    )
    .await
}
