//! Plays in real Chromium against the real server.

use anyhow::Result;
use e2e::{Browser, Screen, Server};

#[tokio::test]
async fn a_first_visit_is_light() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    browser.page.goto(server.url("/")).await?;
    browser.until("the app runs", "return document.querySelector('main') !== null").await?;
    let bytes: u64 = browser
        .run("return performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)")
        .await?;
    assert!(bytes > 10_000, "the sum was not taken: {bytes} bytes");
    assert!(bytes < 500_000, "a first visit transfers {bytes} bytes");
    Ok(())
}
