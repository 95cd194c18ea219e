//! Real Chromium at three real servers that share one parlour: two people play by way of two of them, and the third, which
//! hosts their table, is killed in the midst of it.

#[path = "../../cluster/tests/servers/run.rs"]
mod run;

use anyhow::{Context as _, Result, ensure};
use e2e::steps::{RUMMY, TOOLS, claim_a_set, named, stage, start, table};
use e2e::{Browser, PATIENCE, Screen, Server};
use run::Cluster;
use std::time::{Duration, Instant};

/// Three servers, and the engine that keeps their log.
struct House {
    north: Server,
    south: Server,
    west: Server,
    _engine: Cluster,
}

impl House {
    /// None where there is no engine.
    async fn open() -> Result<Option<House>> {
        let Some(program) = run::program("PARLOUR_NATS") else { return Ok(None) };
        let engine = Cluster::start(program, 3, "sync_interval: always");
        let access = engine.access(&[0, 1, 2]);
        let began = Instant::now();
        while let Err(unfit) = cluster::Nats::open(&access).await {
            ensure!(began.elapsed() < 2 * PATIENCE, "{unfit}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let node = async |name: &str| {
            let args = [
                "--cluster",
                &access.servers.join(","),
                "--node",
                name,
                "--cluster-password",
                &access.log.password,
                "--cluster-system-password",
                &access.system.password,
            ];
            Server::start_with(&[("cookie.key", &[7; 32])], &args.map(str::to_owned)).await
        };
        let (north, south, west) = (node("north").await?, node("south").await?, node("west").await?);
        // They share the tables out, a few at a time.
        tokio::time::sleep(Duration::from_secs(4)).await;
        Ok(Some(House { north, south, west, _engine: engine }))
    }
}

/// Ann and Bea at a table of South's, which they reach by way of North and of West.
async fn seated(house: &House, game: &str, options: &str) -> Result<[Browser; 2]> {
    let (ann, bea) = (Browser::open(Screen::Desktop, &[]).await?, Browser::open(Screen::Phone, &[]).await?);
    named(&ann, &house.south.url("/"), "Ann").await?;
    let path = table(&ann, game, options, 2, &[]).await?;
    ann.page.goto(house.north.url(&path)).await?;
    named(&bea, &house.west.url("/"), "Bea").await?;
    bea.page.goto(house.west.url(&path)).await?;
    bea.click("sit-1").await?;
    bea.click("ready").await?;
    ann.until(
        "Bea shows",
        "return document.querySelector('[data-testid=\"seat-1\"]')?.innerText.includes('Bea') ?? false",
    )
    .await?;
    start(&ann).await?;
    Ok([ann, bea])
}

const BACK: &str = "return document.querySelector('[data-testid=\"reconnecting\"]') === null";

/// Kills the host when both have made so many steps, and plays to the end.
async fn play(
    house: House,
    windows: [Browser; 2],
    name: &str,
    seconds: u64,
    step: impl AsyncFn(&Browser) -> Result<()>,
) -> Result<()> {
    let House { north, south, west, _engine } = house;
    let mut south = Some(south);
    let began = Instant::now();
    for number in 0.. {
        for window in &windows {
            step(window).await?;
        }
        if number == 12 {
            south.take().context("it is there")?.kill().await?;
            let killed = Instant::now();
            for window in &windows {
                // It takes a moment until a page knows.
                tokio::time::sleep(Duration::from_millis(700)).await;
                window.until("it goes on by itself", BACK).await?;
            }
            println!("{name}: both were back {:?} after the host was killed", killed.elapsed());
        }
        let [ann, bea] = &windows;
        if number > 12 && stage(ann).await? == "over" && stage(bea).await? == "over" {
            break;
        }
        if began.elapsed() > Duration::from_secs(seconds) {
            ann.shot(&format!("{name}-stuck")).await?;
            anyhow::bail!("{name} did not end:\n{}\n----\n{}", ann.text().await?, bea.text().await?);
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    for (window, node) in windows.iter().zip([&north, &west]) {
        window.find("outcome").await?;
        // The record is at each node, and this device judges it.
        window.page.goto(node.url("/games")).await?;
        window.click("replay-link").await?;
        let judged = "return document.querySelector('[data-testid=\"verified\"]')?.textContent.includes('has checked the match') ?? false";
        window.until("it is verified", judged).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_match_of_set_goes_on_when_its_host_is_killed() -> Result<()> {
    let Some(house) = House::open().await? else { return Ok(()) };
    let windows = seated(&house, "quick", r#"{"no_claim":"auto"}"#).await?;
    play(house, windows, "set-on-two-nodes", 240, async |window| claim_a_set(window).await.map(|_| ())).await
}

#[tokio::test]
async fn a_match_of_contract_rummy_goes_on_when_its_host_is_killed() -> Result<()> {
    let Some(house) = House::open().await? else { return Ok(()) };
    let windows = seated(&house, "may-i", r#"{"game.rounds":[1]}"#).await?;
    let step = format!("{TOOLS}{RUMMY}");
    play(house, windows, "rummy-on-two-nodes", 240, async |window| window.run::<()>(&step).await).await
}
