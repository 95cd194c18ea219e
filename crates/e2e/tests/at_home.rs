//! Without a network: the app opens from what the device kept, and plays at the table of the device.

use anyhow::{Result, bail};
use e2e::steps::{CARDS, PUZZLE, RUMMY, begins, claim_a_set, named, play_on, stage};
use e2e::{Browser, Screen, Server, test_id};
use std::time::{Duration, Instant};

/// A browser that has kept the app, and its server.
async fn keeps(screen: Screen) -> Result<(Server, Browser)> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(screen, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    ann.page.goto(server.url("/settings")).await?;
    ann.click("keep-app").await?;
    let kept = "return document.querySelector('[data-testid=\"app-kept\"]').innerText.includes('kept here')";
    ann.until("the app is kept", kept).await?;
    Ok((server, ann))
}

/// The same, and the server is gone: its address is left.
async fn kept(screen: Screen) -> Result<(Browser, String)> {
    let (server, ann) = keeps(screen).await?;
    Ok((ann, server.url("")))
}

/// Puts down a table of this device and goes there.
async fn at_home(ann: &Browser, base: &str, family: &str, wanted: &str) -> Result<()> {
    ann.run::<()>(&format!("localStorage.setItem('parlour.home.{family}', `{wanted}`)")).await?;
    ann.page.goto(format!("{base}/home/{family}")).await?;
    begins(ann).await
}

#[tokio::test]
async fn without_a_network_the_app_opens_and_whole_matches_are_played() -> Result<()> {
    let (ann, base) = kept(Screen::Desktop).await?;
    ann.page.goto(format!("{base}/")).await?;
    ann.click("quick-set-classic").await?;
    begins(&ann).await?;
    assert_eq!(ann.run::<String>("return location.pathname").await?, "/home/pattern");
    ann.shot("home-set").await?;

    let set = r#"{"table":{"game":{"preset":"set-classic"},"options":{"no_claim":"auto"},"seats":2,"bots":["easy"]},"name":"Ann"}"#;
    at_home(&ann, &base, "pattern", set).await?;
    let deadline = Instant::now() + Duration::from_secs(240);
    while stage(&ann).await? != "over" {
        if Instant::now() > deadline {
            ann.shot("home-set-stuck").await?;
            bail!("the match did not end:\n{}", ann.text().await?);
        }
        claim_a_set(&ann).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    ann.find("outcome").await?;
    // How it went this device says by itself.
    ann.find("fastest").await?;

    let rummy =
        r#"{"table":{"game":{"preset":"contract"},"seats":3,"bots":["easy","easy"]},"name":"Ann","pace":0}"#;
    at_home(&ann, &base, "contract", rummy).await?;
    play_on(&ann, "home-contract", 270, RUMMY).await
}

#[tokio::test]
async fn a_match_at_home_goes_on_where_it_was_left() -> Result<()> {
    let (ann, base) = kept(Screen::Phone).await?;
    ann.page.goto(format!("{base}/")).await?;
    ann.click("quick-contract").await?;
    begins(&ann).await?;
    let hand = "return [...document.querySelectorAll('[data-testid=\"hand-card\"]')].map(c => c.dataset.face).sort().join(' ')";
    ann.until("cards are dealt", &format!("{} .split(' ').length >= 10", hand)).await?;
    let before: String = ann.run(hand).await?;
    ann.page.refresh().await?;
    ann.until("the same hand", &format!("return ({{ at() {{ {hand} }} }}).at() === '{before}'")).await?;
    ann.shot("home-contract-phone").await?;
    // From the front door, too.
    ann.page.goto(format!("{base}/")).await?;
    ann.click("go-on-home").await?;
    ann.until("the same hand", &format!("return ({{ at() {{ {hand} }} }}).at() === '{before}'")).await?;
    // Nobody is invited to it.
    ann.click("menu").await?;
    assert_eq!(ann.count(&test_id("invite-menu")).await?, 0);
    // Another match takes its place only if that is wanted.
    for (answer, same) in [("answer-no", true), ("answer-yes", false)] {
        ann.page.goto(format!("{base}/")).await?;
        ann.click("quick-contract").await?;
        ann.find(answer).await?;
        let barriers = ann.barriers().await?.unwrap_or_default();
        anyhow::ensure!(barriers.is_empty(), "{barriers:#?}");
        ann.click(answer).await?;
        begins(&ann).await?;
        let which = format!(
            "const hand = ({{ at() {{ {hand} }} }}).at(); return hand.split(' ').length >= 10 && (hand === '{before}') === {same}"
        );
        ann.until("the match that was meant", &which).await?;
    }
    Ok(())
}

/// The games of the last days are kept with the app: what the server dealt on a day this device deals, too, without rank.
#[tokio::test]
async fn a_game_of_a_day_that_is_over_is_played_without_a_network() -> Result<()> {
    let (server, ann) = keeps(Screen::Phone).await?;
    let twelve = format!("return (() => {{ {CARDS} }})().length === 12");
    let mut tables = Vec::new();
    // As the server deals it, at a table of its own. It tells what it dealt an hour after a day: that before yesterday is told.
    let base = server.url("");
    let mut server = Some(server);
    for _ in 0..2 {
        ann.page.goto(format!("{base}/today")).await?;
        for _ in 0..2 {
            let date = ann.run::<String>("return location.pathname").await?;
            ann.click("day-before").await?;
            ann.until("another day", &format!("return location.pathname !== '{date}'")).await?;
        }
        ann.click("practise-daily-puzzle").await?;
        ann.until("the cards", &twelve).await?;
        tables.push((
            ann.run::<String>("return location.pathname").await?,
            ann.run::<Vec<String>>(CARDS).await?,
        ));
        // As this device does. Only what was kept with the app is known of the day.
        drop(server.take());
    }
    let [(there, dealt), (here, again)] = &tables[..] else { bail!("{tables:?}") };
    assert!(there.starts_with("/table/") && here == "/home/pattern", "{there}, {here}");
    assert_eq!(dealt, again);
    let title = ann.css(".table-title").await?.text().await?;
    assert!(title.starts_with("Daily puzzle of ") && title.ends_with(", unranked"), "{title}");
    play_on(&ann, "home-day", 40, PUZZLE).await?;
    ann.click("to-day").await?;
    ann.find("practise-daily-puzzle").await?;

    // What today's games deal nobody has been told.
    ann.page.goto(format!("{base}/today")).await?;
    ann.until("it is said", "return document.body.innerText.includes('The parlour cannot be reached')")
        .await?;
    // Nothing of those who played is kept.
    let names = "const found = [];
        for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys())
            if (request.url.includes('/api/days')) found.push(await (await caches.match(request)).text());
        return found.length > 7 && found.every(text => !text.includes('yours') && text.includes('\"places\":[]'))";
    ann.until("days are kept without people", &format!("return (async () => {{ {names} }})()")).await
}

/// House rules are read beside the page, and played on this device.
#[tokio::test]
async fn house_rules_are_played_without_a_network() -> Result<()> {
    let (ann, base) = kept(Screen::Desktop).await?;
    ann.page.goto(format!("{base}/house")).await?;
    let round = |cards: &str| {
        format!(
            "return document.querySelector('[data-testid=\"house-round-1\"] .number')?.innerText === '{cards}'"
        )
    };
    ann.until("the rules are read", &round("10")).await?;
    ann.css("[data-testid='option-deal.cards'] input").await?;
    let nine = "const field = document.querySelector('[data-testid=\"option-deal.cards\"] input');
        field.value = '9'; for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))";
    ann.run::<()>(nine).await?;
    ann.until("the change is read", &round("9")).await?;
    ann.shot("home-house").await?;
    ann.run::<()>("document.querySelector('[data-testid=\"house-create\"]').click()").await?;
    begins(&ann).await?;
    assert_eq!(ann.run::<String>("return location.pathname").await?, "/home/contract");
    let nine = "return document.querySelectorAll('[data-testid=\"hand-card\"]').length === 9";
    ann.until("nine cards are dealt", nine).await?;
    // A code that is none is told in words.
    ann.page.goto(format!("{base}/house/PARLOUR-nothing")).await?;
    ann.until(
        "what is wrong with the code",
        "return document.querySelector('[data-testid=\"house-fault\"]')?.innerText.length > 10",
    )
    .await
}

#[tokio::test]
async fn what_is_read_and_tried_is_there_without_a_network() -> Result<()> {
    let (ann, base) = kept(Screen::Desktop).await?;
    for (path, there) in [
        ("/learn", "learn"),
        ("/practice", "practice"),
        ("/rules/contract", "rule-sheet"),
        ("/odds", "odds"),
        ("/maths", "maths"),
        ("/solve", "solve-card"),
        ("/settings", "settings"),
        // What only a server has leads to the front door or says that it is not there.
        ("/today", "today"),
    ] {
        ann.page.goto(format!("{base}{path}")).await?;
        ann.find(there).await?;
    }
    ann.page.goto(format!("{base}/rulebook/contract#A-36")).await?;
    ann.until("the rulebook", "return document.body.innerText.includes('A-36')").await
}
