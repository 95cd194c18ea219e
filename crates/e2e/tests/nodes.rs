//! Real Chromium at three real servers that share one parlour: two people play by way of two of them, and the third, which
//! hosts their table, is killed in the midst of it, while the clock of one that goes on jumps by an hour.

#[path = "../../cluster/tests/servers/run.rs"]
mod run;

use anyhow::{Context as _, Result, ensure};
use e2e::steps::{RUMMY, TOOLS, claim_a_set, named, stage, start, table};
use e2e::{Browser, PATIENCE, Screen, Server};
use run::Cluster;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Three servers, and the engine that keeps their log.
struct House {
    north: Server,
    south: Server,
    west: Server,
    clock: Clock,
    _engine: Cluster,
}

/// The clock on West's wall, which libfaketime lets jump; what never goes back goes on as before.
struct Clock {
    /// What says how far it is off, and the library; without that it is this machine's.
    jumps: Option<(tempfile::TempDir, PathBuf)>,
}

impl Clock {
    fn new() -> Result<Clock> {
        let library = std::env::var_os("PARLOUR_FAKETIME").map(PathBuf::from);
        if library.is_none() {
            println!("left out: a clock that jumps (`cargo xtask test` fetches libfaketime)");
        }
        let jumps = library.map(|library| Ok::<_, std::io::Error>((tempfile::tempdir()?, library)));
        let clock = Clock { jumps: jumps.transpose()? };
        clock.set("+0")?;
        Ok(clock)
    }

    /// Sets it so many seconds before or after what it is.
    fn set(&self, offset: &str) -> Result<()> {
        let Some((folder, _)) = &self.jumps else { return Ok(()) };
        let new = folder.path().join("new");
        std::fs::write(&new, offset)?;
        Ok(std::fs::rename(new, folder.path().join("offset"))?)
    }

    fn envs(&self) -> Vec<(&'static str, OsString)> {
        let Some((folder, library)) = &self.jumps else { return Vec::new() };
        vec![
            ("LD_PRELOAD", library.into()),
            ("FAKETIME_TIMESTAMP_FILE", folder.path().join("offset").into()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
        ]
    }
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
        let clock = Clock::new()?;
        let node = async |name: &str, envs| {
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
            Server::start_with(&[("cookie.key", &[7; 32])], &args.map(str::to_owned), envs).await
        };
        let (north, south) = (node("north", Vec::new()).await?, node("south", Vec::new()).await?);
        let west = node("west", clock.envs()).await?;
        // They share the tables out, a few at a time.
        tokio::time::sleep(Duration::from_secs(4)).await;
        Ok(Some(House { north, south, west, clock, _engine: engine }))
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

/// Keeps the lines to the table that are opened from now on: the page need not say that one broke.
const WATCH: &str = "
    window.lines = [];
    window.WebSocket = class extends WebSocket { constructor(...asked) { super(...asked); lines.push(this); } }";
const BACK: &str = "return lines.at(-1)?.readyState === WebSocket.OPEN
    && document.querySelector('[data-testid=\"reconnecting\"]') === null";

/// Kills the host when both have made a few steps, and plays to the end.
async fn play(
    house: House,
    windows: [Browser; 2],
    name: &str,
    seconds: u64,
    step: impl AsyncFn(&Browser) -> Result<()>,
) -> Result<()> {
    let House { north, mut south, west, clock, _engine } = house;
    let began = Instant::now();
    const KILLED: usize = 3;
    let on = async || -> Result<bool> {
        let [ann, bea] = &windows;
        Ok(stage(ann).await? == "playing" && stage(bea).await? == "playing")
    };
    for number in 0.. {
        for window in &windows {
            step(window).await?;
        }
        if number == KILLED {
            for window in &windows {
                window.run::<()>(WATCH).await?;
            }
            ensure!(on().await?, "it has ended before the host was killed");
            south.kill().await?;
            clock.set("+3600")?;
            let killed = Instant::now();
            for window in &windows {
                // The lines of both led to it.
                window.until("the line breaks, and it goes on by itself", BACK).await?;
            }
            println!("{name}: both were back {:?} after the host was killed", killed.elapsed());
            ensure!(on().await?, "it goes on without the host");
        }
        let [ann, bea] = &windows;
        if number > KILLED && stage(ann).await? == "over" && stage(bea).await? == "over" {
            break;
        }
        if began.elapsed() > Duration::from_secs(seconds) {
            ann.shot(&format!("{name}-stuck")).await?;
            anyhow::bail!("{name} did not end:\n{}\n----\n{}", ann.text().await?, bea.text().await?);
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    // Whoever was killed finds out what it has missed.
    south.start_again().await?;
    let [ann, bea] = &windows;
    for (window, node) in [(ann, &north), (bea, &west), (ann, &south)] {
        if !std::ptr::eq(node, &south) {
            window.find("outcome").await?;
        }
        // The record is at each node, and this device judges it.
        let there = "return document.querySelector('[data-testid=\"played-game\"]') !== null";
        let until = Instant::now() + PATIENCE;
        loop {
            window.page.goto(node.url("/games")).await?;
            window.find("games").await?;
            tokio::time::sleep(Duration::from_millis(300)).await;
            if window.run::<bool>(there).await? || Instant::now() > until {
                break;
            }
        }
        window.click("replay-link").await.with_context(|| node.url("/games"))?;
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

/// Plays as fast as it can, and puts down whatever shows that something happened to the line.
const PLAYS_AND_WATCHES: &str = "
    window.noticed = []; window.discards = 0;
    const look = () => {
        if (document.querySelector('[data-testid=\"reconnecting\"]')) noticed.push('the line is lost');
        if (document.querySelector('fieldset.wired')?.disabled) noticed.push('nothing can be pressed');
        const text = document.body.innerText;
        if (text.includes('did not arrive')) noticed.push('something did not arrive');
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
    const plays = () => {
        const throws = all('discard').length > 0 && !document.querySelector('[data-testid=\"pass\"]');
        window.discards += throws;
        play();
    };
    const play = () => {";

#[tokio::test]
async fn a_table_moves_between_two_moves_and_nobody_notices() -> Result<()> {
    let Some(mut house) = House::open().await? else { return Ok(()) };
    let windows = seated(&house, "may-i", r#"{"game.rounds":[1,2,3]}"#).await?;
    let plays = format!("{TOOLS}{PLAYS_AND_WATCHES}{RUMMY}}}; setInterval(plays, 10)");
    for window in &windows {
        window.run::<()>(&plays).await?;
    }
    for window in &windows {
        window.until("they play", "return window.discards > 2").await?;
    }
    house.south.end().await?;
    for window in &windows {
        window.run::<()>("window.discards = 0").await?;
        window.until("they play on", "return window.discards > 2").await?;
    }
    for window in &windows {
        ensure!(stage(window).await? == "playing", "the match has ended before its table had moved");
        let noticed: Vec<String> = window.run("return window.noticed").await?;
        ensure!(noticed.is_empty(), "{noticed:?}");
    }
    Ok(())
}
