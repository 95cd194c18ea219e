//! Alone in real Chromium: the daily puzzle, the tutorial, the practice board, advice.

use anyhow::{Context, Result, bail};
use e2e::steps::{PUZZLE, TOOLS, play_on};
use e2e::{Browser, Screen, Server, test_id};
use std::time::{Duration, Instant};

#[tokio::test]
async fn the_daily_puzzle_is_played_once_for_the_table_of_the_day() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    // Nobody is asked for a name before the first card.
    ann.page.goto(server.url("/")).await?;
    ann.click("to-today").await?;
    ann.find("good-faith").await?;
    ann.shot("today").await?;
    ann.click("play-daily-puzzle").await?;
    ann.find("puzzle").await?;
    play_on(&ann, "daily-puzzle", 40, PUZZLE).await?;
    // How it went is told where it ended, to be shown to others without a card.
    let share = ann.find("share-daily-puzzle").await?.text().await?;
    assert!(share.contains("place 1 of 1"), "{share}");
    ann.find("copy-daily-puzzle").await?;
    let squares = "return document.querySelectorAll('[data-testid=\"your-try\"] .squares span').length";
    assert!(ann.run::<usize>(squares).await? > 2, "a square for each claim");
    ann.shot("daily-over").await?;
    ann.click("to-day").await?;
    // The table is written right after the end.
    let deadline = Instant::now() + e2e::PATIENCE;
    while ann.count(&test_id("places-daily-puzzle")).await? == 0 {
        if Instant::now() > deadline {
            bail!("no table of the day:\n{}", ann.text().await?);
        }
        ann.page.refresh().await?;
        ann.find("good-faith").await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let name: String = ann.run("return (await (await fetch('/api/me')).json()).name").await?;
    let places = ann.find("places-daily-puzzle").await?.text().await?;
    assert!(places.contains(&name), "{places} has no {name}");
    let share = ann.find("share-daily-puzzle").await?.text().await?;
    assert!(share.contains("place 1 of 1") && !share.contains("0012"), "{share}");
    assert_eq!(ann.count(&test_id("play-daily-puzzle")).await?, 0, "one ranked try");
    ann.find("practise-daily-puzzle").await?;
    ann.shot("today-played").await?;
    // The day before can be played, without rank.
    ann.click("day-before").await?;
    ann.find("practise-daily-basic").await?;
    assert_eq!(ann.count(&test_id("play-daily-basic")).await?, 0);
    ann.click("practise-daily-basic").await?;
    ann.find("puzzle").await?;
    Ok(())
}

/// Answers the task on the page: presses that are wrong are explained, until one is right.
const LEARN: &str = "
    if (press('learn-next')) { window.tried = 0; return; }
    window.tried ??= 0;
    const board = cards('card');
    const buttons = ['answer-yes', 'answer-no', 'feature-0', 'feature-1', 'feature-2', 'feature-3'].flatMap(all);
    if (buttons.length) buttons[tried++ % buttons.length].click();
    else if (board.length < 7) board[tried++ % board.length]?.click();
    else if (tried++ === 0) board.slice(0, 3).forEach(card => card.click());
    else sets(board.map(code).sort())[0].forEach(c => board.find(card => code(card) === c).click());
";

#[tokio::test]
async fn the_tutorial_checks_every_press_up_to_its_end() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    ann.page.goto(server.url("/learn")).await?;
    ann.find("learn-ask").await?;
    ann.shot("learn").await?;
    let (mut said, deadline) = (Vec::<String>::new(), Instant::now() + Duration::from_secs(60));
    while ann.count(&test_id("learn-done")).await? == 0 {
        if Instant::now() > deadline {
            ann.shot("learn-stuck").await?;
            bail!("the tutorial did not end:\n{}", ann.text().await?);
        }
        ann.run::<()>(&format!("{TOOLS}{LEARN}")).await?;
        let now: String =
            ann.run("return document.querySelector('[data-testid=\"learn-said\"]').innerText").await?;
        if !now.is_empty() && said.last() != Some(&now) {
            said.push(now);
        }
    }
    for part in ["Not that one: ", "It is no Set: ", "Right, a Set: ", "With that one it is "] {
        assert!(said.iter().any(|said| said.contains(part)), "{part} was not said: {said:?}");
    }
    ann.shot("learn-done").await
}

#[tokio::test]
async fn the_practice_board_explains_and_counts() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    ann.page.goto(server.url("/practice")).await?;
    ann.find("practice").await?;
    let touch = |which: &str| {
        format!(
            "{TOOLS} const board = cards('card'), found = sets(board.map(code).sort());
            const wrong = found[0].slice(0, 2).concat(board.map(code).find(c => !found[0].includes(c)));
            ({which}).forEach(c => board.find(card => code(card) === c).click());
            return document.querySelector('[data-testid=\"practice-said\"]').innerText"
        )
    };
    let said = async |which: &str| -> Result<String> {
        ann.run::<String>(&touch(which)).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        ann.find("practice-said").await?.text().await.context("a sentence")
    };
    let wrong = said("wrong").await?;
    assert!(wrong.contains("No Set") && wrong.contains("two") && wrong.contains("one"), "{wrong}");
    for _ in 0..4 {
        let right = said("found[0]").await?;
        assert!(right.contains("A Set in"), "{right}");
    }
    ann.click("practice-show").await?;
    assert_eq!(ann.count(".pcard.lit").await?, 3);
    ann.click("practice-quick").await?;
    assert_eq!(ann.count(&test_id("card")).await?, 9);
    ann.page.refresh().await?;
    ann.find("practice-plot").await?;
    ann.shot("practice").await?;
    let counted: usize =
        ann.run("return JSON.parse(localStorage.getItem('parlour.practice')).flat().length").await?;
    assert_eq!(counted, 4, "times outlast the page, and what was shown is not counted");
    Ok(())
}

/// Advice is tried on positions, and where the games come from is told, on a laptop and on a phone however it lies.
#[tokio::test]
async fn advice_is_tried_and_origins_are_told() -> Result<()> {
    const FITS: &str = "const page = document.documentElement; return page.scrollWidth - page.clientWidth";
    let server = Server::start(&[]).await?;
    let press = |part: &str, card: &str| {
        let part = test_id(&format!("advice-{part}"));
        format!("document.querySelector(`{part} [data-face='{card}'], {part} [data-card='{card}']`).click()")
    };
    let said = |part: &str, text: &str, good: bool| {
        let said = test_id(&format!("said-{part}"));
        format!(
            "const said = document.querySelector(`{said}`);
            return !!said && said.innerText.includes('{text}') && said.classList.contains('good') === {good}"
        )
    };
    for (screen, name) in
        [(Screen::Desktop, "desktop"), (Screen::Phone, "phone"), (Screen::PhoneOnItsSide, "side")]
    {
        let ann = Browser::open(screen, &[]).await?;
        let mut faults = Vec::new();
        ann.page.goto(server.url("/rules")).await?;
        ann.click("to-strategy-contract").await?;
        ann.find("advice-throw").await?;
        for (part, card, text, good) in [
            ("near", "JS", "a second pair", false),
            ("near", "5H", "is a run", true),
            ("throw", "QH", "two beginnings", false),
            ("throw", "AD", "nothing costs more", true),
            ("next", "KH", "lays it off", false),
            ("next", "9S", "fits no meld", true),
            ("out", "8H", "can be laid off", false),
            ("out", "KC", "you are out", true),
        ] {
            ann.run::<()>(&press(part, card)).await?;
            ann.until(&format!("{card} is judged on {name}"), &said(part, text, good)).await?;
        }
        ann.shot(&format!("strategy-contract-{name}")).await?;
        faults.extend(ann.barriers().await?.into_iter().flatten());
        assert!(ann.run::<i64>(FITS).await? <= 0, "the advice on Contract Rummy is too wide on {name}");

        ann.page.goto(server.url("/strategy/pattern")).await?;
        ann.find("advice-third").await?;
        for (part, cards, text, good) in [
            ("third", "2001", "two and one", false),
            ("third", "2002", "in one feature", true),
            ("alike", "2000 0010 2012", "No Set", false),
            ("alike", "2000 0010 1020", "alike in colour and symbol", true),
            ("differ", "0001 1110 2222", "three symbols", true),
        ] {
            for card in cards.split(' ') {
                ann.run::<()>(&press(part, card)).await?;
            }
            ann.until(&format!("{cards} are judged on {name}"), &said(part, text, good)).await?;
        }
        ann.click("none-differ").await?;
        ann.until("there is one", &said("differ", "There is one", false)).await?;
        ann.click("none-nothing").await?;
        ann.until("there is none", &said("nothing", "without a Set", true)).await?;
        ann.shot(&format!("strategy-pattern-{name}")).await?;
        faults.extend(ann.barriers().await?.into_iter().flatten());
        assert!(ann.run::<i64>(FITS).await? <= 0, "the advice on Set is too wide on {name}");

        ann.page.goto(server.url("/about#names")).await?;
        ann.find("literature").await?;
        let told = ann.text().await?;
        for part in ["Marsha Jean Falco", "Wei-Hwa Huang", "Paul Welty", "Pittsburgh", "Rummy Rummy: nothing"]
        {
            assert!(told.contains(part), "{part} is not told");
        }
        assert_eq!(ann.count(&test_id("origins")).await?, 2);
        ann.shot(&format!("about-{name}")).await?;
        faults.extend(ann.barriers().await?.into_iter().flatten());
        assert!(ann.run::<i64>(FITS).await? <= 0, "what this is does not fit on {name}");
        assert!(faults.is_empty(), "{name}: {faults:#?}");
    }
    // A position opens in the solver as it stands.
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    ann.page.goto(server.url("/strategy/contract")).await?;
    ann.find("advice-near").await?;
    ann.run::<()>("document.querySelector('[data-testid=\"advice-near\"] a[href^=\"/solve/\"]').click()")
        .await?;
    ann.until(
        "the solver has the hand",
        "return document.querySelector('[data-testid=\"solve-missing\"]')?.innerText.includes('2 cards are missing') ?? false",
    )
    .await
}
