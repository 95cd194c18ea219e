//! From the door to the first card.

use anyhow::Result;
use e2e::steps::{begins, in_sight, named, stage, table};
use e2e::{Browser, Screen, Server};
use serde_json::json;

#[tokio::test]
async fn a_stranger_plays_with_one_press() -> Result<()> {
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let stranger = Browser::open(Screen::Desktop, &[]).await?;
    stranger.page.goto(server.url("/")).await?;
    for door in ["quick-set-classic", "quick-contract", "to-today", "friends-set-classic", "friends-contract"]
    {
        in_sight(&stranger, &format!("[data-testid='{door}']"), 1).await?;
    }
    stranger.click("quick-set-classic").await?;
    begins(&stranger).await?;
    in_sight(&stranger, "[data-testid='board'] [data-card]", 12).await?;

    // What was begun stands at the door, under a name that can be changed.
    stranger.page.goto(server.url("/")).await?;
    let named = "return /^Good to see you, [A-Z][a-z]+ \\d+$/.test((document.querySelector('main h1')?.innerText ?? ''))";
    stranger.until("a name was made up", named).await?;
    stranger.click("rename").await?;
    stranger.fill("name", "Ann").await?;
    stranger.click("name-save").await?;
    stranger
        .until("another name", "return (document.querySelector('main h1')?.innerText ?? '').endsWith('Ann')")
        .await?;
    stranger.shot("door").await?;
    stranger.click("go-on").await?;
    begins(&stranger).await?;

    // With friends the table waits for them, and its host has one button.
    stranger.page.goto(server.url("/")).await?;
    stranger.click("friends-contract").await?;
    stranger.find("gathering").await?;
    stranger.find("invite").await?;
    assert_eq!(stranger.count("[data-testid='ready']").await?, 0);
    assert_eq!(stage(&stranger).await?, "lobby");
    stranger.shot("door-friends").await
}

#[tokio::test]
async fn a_game_that_is_looked_for_is_found() -> Result<()> {
    let server = Server::start(&[]).await?;
    let stranger = Browser::open(Screen::Phone, &[]).await?;
    stranger.page.goto(server.url("/")).await?;
    stranger.find("lobby").await?;
    stranger.run::<()>("document.querySelector('[data-testid=\"all-games\"]').open = true").await?;
    stranger.fill("search", "carioca").await?;
    let found = "[...document.querySelectorAll('[data-testid=\"all-games\"] .game')].map(game => game.dataset.testid).join(' ')";
    stranger.until("the one game", &format!("return {found} === 'game-carioca'")).await?;
    stranger.fill("search", "carioca no more").await?;
    stranger.until("no game", &format!("return {found} === ''")).await
}

#[tokio::test]
async fn on_a_phone_on_its_side_all_that_matters_is_in_sight() -> Result<()> {
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let ann = Browser::open(Screen::PhoneOnItsSide, &[]).await?;
    ann.page.goto(server.url("/")).await?;
    for door in ["quick-set-classic", "quick-contract", "to-today"] {
        in_sight(&ann, &format!("[data-testid='{door}']"), 1).await?;
    }
    ann.click("quick-set-classic").await?;
    begins(&ann).await?;
    in_sight(&ann, "[data-testid='board'] [data-card]", 12).await?;
    in_sight(&ann, ".race .actions button", 1).await?;
    in_sight(&ann, "[data-testid='points-0']", 1).await?;
    ann.shot("side-set").await?;

    ann.page.goto(server.url("/")).await?;
    ann.click("quick-contract").await?;
    begins(&ann).await?;
    in_sight(&ann, "[data-testid='hand-card']", 10).await?;
    for part in
        ["[data-testid='prompt']", ".players .player", ".pile-button", ".stage-slot", ".hand-tools button"]
    {
        in_sight(&ann, part, 1).await?;
    }
    ann.shot("side-rummy").await
}

/// On a slow line whoever presses before the program of the table has come waits for it in the lobby: a page that is left drops
/// what is on its way to it.
#[tokio::test]
async fn however_early_one_presses_the_program_of_a_table_is_loaded_once() -> Result<()> {
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    ann.page.goto(server.url("/")).await?;
    ann.find("quick-contract").await?;
    let slow = json!({ "offline": false, "latency": 50, "downloadThroughput": 200_000, "uploadThroughput": 200_000 });
    ann.page.cdp().send_raw("Network.enable", json!({})).await?;
    ann.page.cdp().send_raw("Network.emulateNetworkConditions", slow).await?;
    ann.click("quick-contract").await?;
    begins(&ann).await?;
    ann.find("hand-card").await?;
    let loaded: Vec<String> = ann
        .run(
            "return performance.getEntriesByType('resource')
                .filter(file => /contract-.*wasm$/.test(file.name) && file.transferSize > 0).map(file => file.name)",
        )
        .await?;
    assert_eq!(loaded, [] as [String; 0], "the table loads what the lobby had loaded");
    Ok(())
}

/// Pages other than the lobby come when somebody goes there. Where one cannot be loaded, that is said, and there is another try.
#[tokio::test]
async fn a_page_that_cannot_be_loaded_says_so_and_comes_at_another_try() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    let cdp = ann.page.cdp();
    cdp.send_raw("Network.enable", json!({})).await?;
    ann.page.goto(server.url("/")).await?;
    ann.find("lobby").await?;
    let blocked = async |urls: &[&str]| cdp.send_raw("Network.setBlockedURLs", json!({ "urls": urls })).await;
    blocked(&["*split_page*"]).await?;
    ann.run::<()>("document.querySelector('a[href=\"/settings\"]').click()").await?;
    let said = "return document.querySelector('main [role=alert]')?.innerText.startsWith('This part of the app could not be loaded') ?? false";
    ann.until("it is said", said).await?;
    blocked(&[]).await?;
    ann.click("later-again").await?;
    let shown = "return document.querySelector('main h1')?.innerText === 'Settings' && !document.querySelector('[data-testid=later-again]')";
    ann.until("the page is there", shown).await
}

#[tokio::test]
async fn whoever_is_removed_is_told_and_who_stands_up_knows() -> Result<()> {
    let server = Server::start(&[]).await?;
    let (ann, bea) = (Browser::open(Screen::Desktop, &[]).await?, Browser::open(Screen::Phone, &[]).await?);
    named(&ann, &server.url("/"), "Ann").await?;
    let path = table(&ann, "contract", "{}", 3, &[]).await?;
    named(&bea, &server.url("/"), "Bea").await?;
    bea.page.goto(server.url(&path)).await?;
    bea.click("sit-1").await?;
    bea.click("stand-up").await?;
    bea.click("sit-1").await?;
    bea.find("ready").await?;
    assert_eq!(bea.count("[data-testid='toast']").await?, 0);
    ann.click("remove-1").await?;
    let told = "return document.querySelector('[data-testid=\"toasts\"]').innerText.includes('The host has taken you from your seat')";
    bea.until("she is told", told).await
}
