//! Contract Rummy in real Chromium: what may be done is what the engine offers, and a refusal leads to its rule, in the language of
//! the page.

use anyhow::{Context, Result};
use e2e::steps::{TOOLS, begin, begins, in_sight, named, table_of};
use e2e::{Browser, Screen, Server};
use serde_json::json;
use std::time::{Duration, Instant};

/// A run of ten, which nobody lays, or a pair, which is in every hand of fourteen cards.
const TWO_WAYS: &str = r#"
id = "two-ways"
name = "Two ways"
base = "contract"
[deal]
cards = 14
[take]
on = false
[[round]]
contract = [["R10"], ["P2"]]
"#;

/// Selects cards of the hand by their places in `chosen`, made of the faces (`7H`, `JK`) by a piece of JavaScript.
async fn select(browser: &Browser, chosen: &str) -> Result<()> {
    let script = format!(
        "{TOOLS}
        const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'));
        const faces = hand.map(card => card.dataset.face);
        const rank = face => face.slice(0, -1), suit = face => face.slice(-1);
        const joker = faces.indexOf('JK');
        const pairs = faces.flatMap((a, i) => faces.map((b, j) => [i, j, a, b]))
            .filter(([i, j, a, b]) => i < j && a !== 'JK' && b !== 'JK');
        const chosen = {chosen};
        chosen.forEach(n => hand[n].dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: 0 }})));
        return chosen.length;"
    );
    let number: usize = browser.run(&script).await?;
    (number == 2).then_some(()).context("two cards are selected")
}

/// The text of what is there under a test id.
async fn said(browser: &Browser, id: &str) -> Result<String> {
    Ok(browser.find(id).await?.text().await?)
}

/// Draws from the stock when the turn comes.
async fn draw(browser: &Browser) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !browser.run::<bool>(&format!("{TOOLS} return press('draw-stock')")).await? {
        anyhow::ensure!(Instant::now() < deadline, "it is never Ann's turn:\n{}", browser.text().await?);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    browser
        .until(
            "it is time to play",
            "return document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind === 'play'",
        )
        .await
}

async fn two_ways(screen: Screen) -> Result<(Server, Browser)> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(screen, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    table_of(&ann, &json!({ "rules": TWO_WAYS }), "{}", 3, &["random", "random"]).await?;
    begins(&ann).await?;
    let dealt = "return document.querySelectorAll('[data-testid=\"hand-card\"]').length >= 14";
    ann.until("fourteen cards are dealt", dealt).await?;
    Ok((server, ann))
}

#[tokio::test]
async fn a_refusal_is_said_in_the_language_of_the_page() -> Result<()> {
    let (_server, ann) = two_ways(Screen::Desktop).await?;
    draw(&ann).await?;
    ann.run::<()>("localStorage.setItem('parlour.language', 'de')").await?;
    ann.page.refresh().await?;
    // What the contract asks for is said by the rules in the browser, what is refused now by the server.
    ann.until(
        "the contract in German",
        "return document.querySelector('[data-testid=\"contract-text\"]')?.innerText
            .includes('eine Folge aus 10 oder ein Paar') ?? false",
    )
    .await?;
    ann.until(
        "the refusal in German",
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 't' }));
        return document.querySelector('[data-testid=\"refusal\"]')?.innerText
            .toLowerCase().includes('gerade ist keine karte zu haben') ?? false",
    )
    .await
}

#[tokio::test]
async fn an_alternative_of_the_contract_that_is_not_the_first_is_laid_by_clicks() -> Result<()> {
    let (_server, ann) = two_ways(Screen::Phone).await?;
    let contract = said(&ann, "contract-text").await?;
    assert!(contract.contains("run of 10") && contract.contains(" or "), "{contract}");
    // What is nearest is shown first.
    let shown = said(&ann, "stage-0").await?;
    assert!(shown.starts_with("Pair"), "{shown}");

    // On a phone what is asked has the bar for itself: first she draws.
    draw(&ann).await?;
    // A pair, or a joker with any card.
    select(&ann, "(pairs.find(([,, a, b]) => rank(a) === rank(b)) ?? [joker, faces.findIndex(a => a !== 'JK')]).slice(0, 2)")
        .await?;
    // What it makes is named, and a press lays it: nothing else is wanted.
    let suggested = said(&ann, "prepare").await?;
    assert!(suggested.starts_with("Pair of ") && suggested.contains(": lay"), "{suggested}");
    ann.click("prepare").await?;
    ann.until(
        "it lies",
        "return document.querySelector('[data-testid=\"lacking\"]').innerText === 'You are down.'",
    )
    .await?;
    ann.css("[data-testid^='meld-'] .mcard:nth-child(2)").await?;
    assert_eq!(ann.count("[data-testid='stage']").await?, 0);
    ann.shot("rummy-second-way").await
}

#[tokio::test]
async fn a_refusal_leads_to_its_rule() -> Result<()> {
    let (server, ann) = two_ways(Screen::Desktop).await?;
    // It is her turn, so nothing changes meanwhile.
    ann.find("draw-stock").await?;
    // What the engine says of cards that are put together cites its rule.
    select(&ann, "pairs.find(([,, a, b]) => rank(a) !== rank(b) && suit(a) !== suit(b)).slice(0, 2)").await?;
    ann.click("stage-put-0").await?;
    ann.css("[data-testid='stage-0'][data-state='wrong'] [data-testid='judgement-0'] a[href^='/rulebook/contract#']").await?;
    ann.click("stage-back-0").await?;

    // So does what the server says: nothing is on offer once a card is drawn.
    draw(&ann).await?;
    ann.run::<()>("window.dispatchEvent(new KeyboardEvent('keydown', { key: 't' }))").await?;
    let link = ann.css("[data-testid='refusal'] [data-testid='rule']").await?;
    ann.shot("rummy-refusal").await?;
    let rule = link.text().await?;
    assert!(said(&ann, "refusal").await?.contains("o discard is offered now"));
    let here = ann.page.window().await?;
    link.click().await?;
    // It opens beside the game, at the rule.
    let windows = ann.page.windows().await?;
    let there = windows.into_iter().find(|window| *window != here).context("another window")?;
    ann.page.switch_to_window(there).await?;
    ann.find("rulebook").await?;
    let shown = format!(
        "const rule = document.querySelector(':target')?.getBoundingClientRect();
        return location.hash === '#{rule}' && !!rule && rule.top >= 0 && rule.bottom <= innerHeight"
    );
    ann.until("the rule is in sight", &shown).await?;
    let text: String = ann.run("return document.querySelector(':target').innerText").await?;
    assert!(text.starts_with(&rule), "{text}");
    // The page stays as it is when another place in it is gone to.
    let press = "document.querySelector('.book').dataset.kept = 'yes';
        document.querySelector('.book a[href^=\"#\"]:not([href=\"' + location.hash + '\"])').click()";
    ann.run::<()>(press).await?;
    ann.until(
        "another rule is the target",
        &format!("return location.hash !== '#{rule}' && !!document.querySelector(':target')"),
    )
    .await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(ann.run::<bool>("return document.querySelector('.book')?.dataset.kept === 'yes'").await?);
    if let Some(faults) = ann.barriers().await? {
        assert_eq!(faults, [] as [String; 0]);
    }
    ann.shot("rulebook").await?;

    // Whoever looks for the rules finds the books.
    ann.page.goto(server.url("/rules")).await?;
    ann.click("rulebook-pattern").await?;
    ann.css("#CORE-1").await?;
    Ok(())
}

/// Who plays against bots asks one what it would do, and another, and is told why; at a table with other people nobody is.
#[tokio::test]
async fn a_bot_is_asked_what_it_would_do_and_why() -> Result<()> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    // Three runs are hardly ever complete after the first draw: there is a card to throw.
    begin(&ann, "contract", r#"{"game.rounds":[7]}"#, 3, &["steady", "easy"]).await?;
    draw(&ann).await?;
    ann.keys("h").await?;
    let told = "const told = id => document.querySelector(`[data-testid='${id}']`);
            return (told('advice-does')?.innerText.startsWith('Throw ') ?? false)
                && told('advice-why').children.length >= 3";
    ann.until("it says what to throw and why", told).await?;
    assert_eq!(
        ann.run::<String>("return document.querySelector('[data-testid=\"advice-bot\"]').value").await?,
        "strong"
    );
    ann.shot("rummy-advice").await?;
    ann.run::<()>(
        "const choose = document.querySelector('[data-testid=\"advice-bot\"]');
            choose.value = 'easy';
            choose.dispatchEvent(new Event('change'));",
    )
    .await?;
    ann.until("easy says it, too", told).await?;
    let barriers = ann.barriers().await?.unwrap_or_default();
    anyhow::ensure!(barriers.is_empty(), "{barriers:#?}");
    let gone = "return !document.querySelector('[data-testid=\"advice\"]')";
    ann.click("advice-close").await?;
    ann.until("it is gone", gone).await?;

    // It goes with the card that it was about, and the next one is asked for anew.
    ann.keys("h").await?;
    ann.until("it says it once more", told).await?;
    let thrown = format!(
        "{TOOLS}
        if (document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind !== 'play') return true;
        if (!press('discard')) all('hand-card').at(0)?.click();
        return false"
    );
    ann.until("the card is thrown", &thrown).await?;
    ann.until("it is gone with the card", gone).await?;
    Ok(())
}

/// The discard pile is where a card goes: pressed, or with the keyboard.
#[tokio::test]
async fn a_press_on_the_discard_pile_throws_the_card_that_is_selected() -> Result<()> {
    for screen in [Screen::Desktop, Screen::Phone] {
        let (_server, ann) = two_ways(screen).await?;
        draw(&ann).await?;
        let first = format!(
            "{TOOLS}
            const card = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'))[0];
            card.dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: 0 }}))"
        );
        ann.run::<()>(&first).await?;
        let offered = "const pile = document.querySelector('[data-testid=\"discard-pile\"]');
            return pile.ariaDisabled === 'false' && pile.classList.contains('target')";
        ann.until("the pile waits for it", offered).await?;
        if matches!(screen, Screen::Phone) {
            ann.click("discard-pile").await?;
        } else {
            ann.run::<()>("document.querySelector('[data-testid=\"discard-pile\"]').focus()").await?;
            ann.keys(" ").await?;
        }
        let fourteen = "return document.querySelectorAll('[data-testid=\"hand-card\"]').length === 14";
        ann.until("the card is thrown", fourteen).await?;
    }
    Ok(())
}

/// HR-PICK-2: whoever is asked for the contract has the question and its answer in sight, and all go by what is picked.
#[tokio::test]
async fn the_dealer_picks_the_contract() -> Result<()> {
    let server = Server::start(&[]).await?;
    for screen in [Screen::Desktop, Screen::Phone, Screen::PhoneOnItsSide] {
        let ann = Browser::open(screen, &[]).await?;
        named(&ann, &server.url("/"), "Ann").await?;
        let options = r#"{"game.choice":"dealer","deal.first_dealer":"seat1"}"#;
        begin(&ann, "contract", options, 3, &["easy", "easy"]).await?;
        in_sight(&ann, "[data-testid='choose'], [data-testid='choose-now'], .prompt-text", 3).await?;
        ann.run::<()>(
            "const choose = document.querySelector('[data-testid=\"choose\"]');
            choose.value = '6';
            choose.dispatchEvent(new Event('change'));",
        )
        .await?;
        ann.click("choose-now").await?;
        let picked = "return document.querySelector('[data-testid=\"contract-text\"]').innerText.startsWith('3 runs of 4')";
        ann.until("the seventh contract is to be laid", picked).await?;
    }
    Ok(())
}

/// HR-PASS-1: cards of the hand are chosen, by clicks or by keys, and passed on; what came and from whom stands by the question.
#[tokio::test]
async fn cards_are_passed_on() -> Result<()> {
    let server = Server::start(&[]).await?;
    for (screen, keys) in [(Screen::Desktop, true), (Screen::Phone, false), (Screen::PhoneOnItsSide, false)] {
        let ann = Browser::open(screen, &[]).await?;
        named(&ann, &server.url("/"), "Ann").await?;
        let options = r#"{"pass.cards":2,"pass.to":"right","deal.first_dealer":"seat1"}"#;
        begin(&ann, "contract", options, 3, &["easy", "easy"]).await?;
        in_sight(&ann, "[data-testid='pass-on'], .prompt-text", 2).await?;
        let closed = "return document.querySelector('[data-testid=\"pass-on\"]').disabled";
        ann.until("nothing is chosen yet", closed).await?;
        anyhow::ensure!(select(&ann, "[0]").await.is_err(), "one card is chosen");
        ann.until("one card is not enough", closed).await?;
        select(&ann, "[1, 2].slice(0, 1).concat([2])").await?;
        ann.until("three cards are too many", closed).await?;
        anyhow::ensure!(select(&ann, "[2]").await.is_err(), "one card is put back");
        ann.until(
            "two cards are enough",
            "return !document.querySelector('[data-testid=\"pass-on\"]').disabled",
        )
        .await?;
        if keys {
            ann.keys("p").await?;
        } else {
            ann.click("pass-on").await?;
        }
        let whole = format!(
            "{TOOLS} return cards('hand-card', document.querySelector('[data-testid=\"hand\"]')).length === 10"
        );
        let came =
            "return document.querySelector('[data-testid=\"came\"]')?.innerText.startsWith('From ') ?? false";
        ann.until("it says what came", came).await?;
        ann.until("the hand is whole again", &whole).await?;
        in_sight(&ann, "[data-testid='came'], .prompt-text", 2).await?;
    }
    Ok(())
}
