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
    ann.click("house-edit-1").await?;
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

/// Picks the word of a list that is written so in rule files, as a hand does it.
async fn pick(browser: &Browser, id: &str, value: &str) -> Result<()> {
    let list = browser.find(id).await?;
    list.scroll_into_view().await?;
    Ok(list.find(By::Css(format!("option[value='{value}']"))).await?.click().await?)
}

/// A contract is put together by pressing, with the keyboard where it was: nobody has to know how rule files write it.
#[tokio::test]
async fn contracts_are_pressed_together() -> Result<()> {
    let server = Server::start(&[]).await?;
    for screen in [Screen::Desktop, Screen::Phone] {
        let ann = Browser::open(screen, &[]).await?;
        ann.page.goto(server.url("/house")).await?;
        says(&ann, "house-edit-1", "2 groups of 3").await?;
        ann.click("house-edit-1").await?;
        let asks = async |what: &str, written: &str| {
            let holds = format!(
                "return document.querySelector('[data-testid=\"house-contract-1\"]').value === '{written}'"
            );
            ann.until(written, &holds).await?;
            says(&ann, "house-edit-1", what).await?;
            says(&ann, "house-round-1", what).await?;
            let lost: bool = ann.run("return document.activeElement === document.body").await?;
            assert!(!lost, "the keyboard lost its place: {written}");
            anyhow::Ok(())
        };
        // Another meld like the last one, which becomes a run and grows.
        ann.click("house-add-1-1-1-1").await?;
        asks("3 groups of 3", "G3 G3 G3").await?;
        pick(&ann, "house-kind-1-1-3-1", "R").await?;
        asks("2 groups of 3 and a run of 3", "G3 G3 R3").await?;
        ann.css("#house-size-1-1-3-1 + button").await?.click().await?;
        asks("2 groups of 3 and a run of 4", "G3 G3 R4").await?;
        ann.click("house-out-1-1-1-1").await?;
        asks("a group of 3 and a run of 4", "G3 R4").await?;
        // What few houses change stands one press further.
        ann.css(".meld-rule details summary").await?.click().await?;
        pick(&ann, "house-wilds-1-1-1-1", "1").await?;
        asks("a group of 3 without wilds and a run of 4", "G3c R4").await?;
        pick(&ann, "house-suits-1-1-1-1", "1").await?;
        asks("of different suits", "G3cs R4").await?;
        ann.css("#house-or-1-1-1-1").await?.click().await?;
        asks("or a run of 3", "G3cs|R3c R4").await?;
        // A pair has its size, and what binds a group no run keeps.
        pick(&ann, "house-kind-1-1-1-1", "P").await?;
        asks("a pair", "P2cs|R3c R4").await?;
        assert_eq!(ann.count("#house-size-1-1-1-1").await?, 0);
        ann.click("house-out-1-1-1-2").await?;
        ann.click("house-out-1-1-1-1").await?;
        asks("a run of 4", "R4").await?;
        ann.click("house-or-contract-1").await?;
        asks("a run of 4 or a run of 4", "R4 / R4").await?;
        pick(&ann, "house-kind-1-2-1-1", "F").await?;
        asks("4 cards of one suit", "R4 / F4").await?;
        // Cards of this round alone.
        ann.css("#opt-1-deal-cards-n + button").await?.click().await?;
        ann.until(
            "eleven cards are dealt",
            "return document.querySelector('[data-testid=\"house-round-1\"] .number')?.innerText === '11'",
        )
        .await?;
        // Other rules of this round alone: nothing is taken out of turn.
        ann.css("[data-testid='house-own-1'] > details > summary").await?.click().await?;
        let takes = "document.querySelectorAll('[data-testid=\"house-own-1\"] details').forEach(part => part.open = true);
            return !!document.querySelector('[data-testid=\"option-1-take.on\"]')";
        ann.until("the rules of a round", takes).await?;
        for (press, own) in [(1, 1), (2, 0)] {
            ann.css("#opt-1-take-on").await?.click().await?;
            let written = format!(
                "const file = new XMLHttpRequest();
                file.open('GET', document.querySelector('[data-testid=\"house-toml\"]').href, false);
                file.send();
                return file.status === 200 && file.responseText.split('[round.set]\\n\"take.on\" = false').length === 1 + {own}"
            );
            ann.until(&format!("press {press} is of this round alone"), &written).await?;
        }
        ann.shot(&format!("house-contract-{screen:?}").to_lowercase()).await?;
        // The page is the same on both screens.
        if screen == Screen::Phone
            && let Some(faults) = ann.barriers().await?
        {
            assert_eq!(faults, [] as [String; 0]);
        }
        // Rounds come and go.
        let rounds = ann.count(".rounds details > summary[data-testid]").await?;
        ann.click("house-more").await?;
        ann.find(&format!("house-contract-{}", rounds + 1)).await?;
        ann.click(&format!("house-less-{}", rounds + 1)).await?;
        ann.until(
            "the keyboard is at the last round",
            &format!("return document.activeElement.dataset.testid === 'house-edit-{rounds}'"),
        )
        .await?;
        ann.click("house-edit-2").await?;
        ann.click("house-earlier-2").await?;
        asks("a group of 3 and a run of 4", "G3 R4").await?;
        says(&ann, "house-round-2", "a run of 4 or 4 cards of one suit").await?;
    }
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

/// Opens all options of a game, and every group of them.
async fn options_of(browser: &Browser, server: &Server, game: &str) -> Result<()> {
    browser.page.goto(server.url(&format!("/new/{game}"))).await?;
    browser.find("all-options").await?;
    let open = "const closed = [...document.querySelectorAll('.options details:not([open])')];
        closed.forEach(part => part.open = true);
        return closed.length === 0 && document.querySelectorAll('.options details .option').length > 20";
    browser.until("all options are there", open).await
}

/// What chooses a word of an option.
fn choose(option: &str, word: &str) -> String {
    format!(
        "const field = document.querySelector('[data-testid=\"option-{option}\"] select'); field.value = '{word}';
        field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    )
}

/// Options are set with words and steppers: nobody has to know how rule files write them.
#[tokio::test]
async fn options_are_words_and_steppers() -> Result<()> {
    let server = Server::start(&[]).await?;
    for (screen, language) in [(Screen::Desktop, "en"), (Screen::Phone, "de-AT,de")] {
        let ann = Browser::open(screen, &[&format!("--accept-lang={language}")]).await?;
        for game in ["contract", "set-classic", "memory"] {
            options_of(&ann, &server, game).await?;
            // Of lists and texts a line is left; nothing in braces, no names with an underscore.
            let strange: Vec<String> = ann
                .run(
                    "const words = [...document.querySelectorAll('.options option, .options summary, .options label')].map(part => part.textContent);
                    const lines = [...document.querySelectorAll('.options input[type=text]')].map(line => line.value);
                    return [...words, ...lines].filter(text => /[_{}\\[\\]\"`]|>=|^(cw|ccw|d81|seat1)$/.test(text) && text !== '{}')",
                )
                .await?;
            assert_eq!(strange, [] as [String; 0], "{game} in {language}");
            let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(ann.run::<i64>(wide).await?, 0, "{game} in {language} is wider than the page");
        }
        ann.shot(&format!("options-{}", &language[..2])).await?;
    }

    let ann = Browser::open(Screen::Desktop, &[]).await?;
    options_of(&ann, &server, "set-classic").await?;
    let hear = "const plain = window.fetch;
        window.fetch = (...ask) => {
            if (String(ask[0]?.url ?? ask[0]).endsWith('/api/rules/check')) {
                const said = ask[1]?.body ? Promise.resolve(ask[1].body) : ask[0].clone().text();
                said.then(text => { window.asked = JSON.parse(text).options });
            }
            return plain(...ask);
        };";
    ann.run::<()>(hear).await?;
    let press = |option: &str, button: &str| {
        format!(
            "document.querySelector('[data-testid=\"option-{option}\"] .stepper button:{button}').click()"
        )
    };
    let asked = |option: &str, value: &str| {
        format!("return JSON.stringify(window.asked?.['{option}']) === '{value}'")
    };

    ann.run::<()>(&choose("deals", "to_points")).await?;
    ann.until("to twenty points", &asked("deals", "\"to_points(20)\"")).await?;
    ann.run::<()>(&press("deals", "last-of-type")).await?;
    ann.until("five more", &asked("deals", "\"to_points(25)\"")).await?;
    ann.run::<()>(&choose("deals", "each_dealer")).await?;
    ann.until("as the game has it", "return window.asked && !('deals' in window.asked)").await?;
    // Of three, nine is next.
    ann.run::<()>(&press("ultra9_extra", "last-of-type")).await?;
    ann.until("nine cards more", &asked("ultra9_extra", "9")).await?;

    options_of(&ann, &server, "contract").await?;
    ann.run::<()>(hear).await?;
    // Jokers go by players, one less than these: three for four, until somebody wants another.
    ann.run::<()>(&press("deck.jokers", "last-of-type")).await?;
    ann.until("four jokers", &asked("deck.jokers", "4")).await?;
    // Some of the rounds are ticked.
    ann.run::<()>(&choose("game.rounds", "these")).await?;
    ann.until("the first round", &asked("game.rounds", "[1]")).await?;
    ann.run::<()>("document.querySelectorAll('[data-testid=\"option-game.rounds\"] input')[2].click()")
        .await?;
    ann.until("and the third", &asked("game.rounds", "[1,3]")).await?;
    // A single card is wild, and another that comes before it; the first is taken out again.
    ann.run::<()>(&choose("wild.faces", "AH")).await?;
    ann.run::<()>(&choose("wild.faces", "AD")).await?;
    ann.until("two red aces", &asked("wild.faces", r#"["AD","AH"]"#)).await?;
    ann.run::<()>("document.querySelectorAll('[data-testid=\"option-wild.faces\"] li button')[1].click()")
        .await?;
    ann.until("the red ace of diamonds", &asked("wild.faces", r#"["AD"]"#)).await?;
    ann.run::<()>("document.querySelector('[data-testid=\"option-wild.faces\"] li button').click()").await?;
    // Runs are as long as one likes, or from four cards on.
    ann.run::<()>(&press("run.max", "last-of-type")).await?;
    ann.until("four", &asked("run.max", "4")).await?;
    ann.run::<()>("[...document.querySelectorAll('[data-testid=\"option-wild.kinds\"] input')][1].click()")
        .await?;
    ann.until("no wilds in runs", &asked("wild.kinds", r#"["G","P","F"]"#)).await?;
    // Deuces are wild, and kings.
    let rank = |n: usize| {
        format!("document.querySelectorAll('[data-testid=\"option-wild.ranks\"] input')[{n}].click()")
    };
    ann.run::<()>(&rank(12)).await?;
    ann.until("kings are wild", &asked("wild.ranks", r#"["K"]"#)).await?;
    ann.run::<()>(&rank(1)).await?;
    ann.until("and deuces", &asked("wild.ranks", r#"["2","K"]"#)).await?;
    // What a cut earns is asked where there is one.
    let points = "document.querySelector('[data-testid=\"option-cut.points\"]')";
    let cut = "document.querySelector('[data-testid=\"option-cut.on\"] input').click()";
    assert!(ann.run::<bool>(&format!("return !{points}")).await?);
    ann.run::<()>(cut).await?;
    ann.until("points of the cut", &format!("return !!{points}")).await?;
    ann.run::<()>(cut).await?;
    ann.until("nothing of the cut", &format!("return !{points}")).await?;
    ann.until(
        "it can be played so",
        "return document.querySelector('[data-testid=\"create-table\"]')?.disabled === false",
    )
    .await
}

/// House rules say more than a table's options: what cards count, and numbers that depend on how many play.
#[tokio::test]
async fn house_rules_are_words_and_steppers() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    // A row for each kind of card, with a stepper.
    ann.page.goto(server.url("/house")).await?;
    says(&ann, "house-round-1", "2 groups of 3").await?;
    let ace = "document.querySelectorAll('.options details').forEach(part => part.open = true);
        const option = document.querySelector('[data-testid=\"option-score.values\"]');
        const row = [...option?.querySelectorAll('li') ?? []].find(row => /ace/i.test(row.innerText));";
    ann.until("an ace counts fifteen", &format!("{ace} return row?.querySelector('input').value === '15'"))
        .await?;
    ann.run::<()>(&format!("{ace} row.querySelector('button:last-of-type').click()")).await?;
    let twenty = "return row.querySelector('input').value === '20' && option.classList.contains('changed')";
    ann.until("an ace counts twenty", &format!("{ace} {twenty}")).await?;
    // Packs go by the number of players: three for five. What places pay is told for each number of them, too.
    let packs = |rest: &str| {
        format!("const option = document.querySelector('[data-testid=\"option-deck.decks\"]');
            const five = [...option.querySelectorAll('li')].find(row => /5 players/.test(row.innerText)); {rest}")
    };
    ann.run::<()>(&choose("deck.decks", "players")).await?;
    ann.until("a number for five", &packs("return five?.querySelector('input').value === '2'")).await?;
    ann.run::<()>(&packs("five.querySelector('button:last-of-type').click()")).await?;
    ann.until("three packs for five", &packs("return five?.querySelector('input').value === '3'")).await?;
    let pays = |rest: &str| {
        format!("const row = [...document.querySelectorAll('[data-testid=\"option-money.schedule\"] ul > li')].find(row => /3 players/.test(row.innerText));
            const amounts = () => [...row.querySelectorAll('input[type=number]')].map(input => input.value).join(); {rest}")
    };
    ann.run::<()>("document.querySelector('[data-testid=\"option-money.on\"] input').click()").await?;
    ann.until("amounts are told", &pays("return !!row")).await?;
    ann.run::<()>(&pays("row.querySelector('input').click()")).await?;
    ann.until("two and four pennies, by the step", &pays("return amounts() === '2,4'")).await?;
    ann.run::<()>(&pays("row.querySelector('li button:last-of-type').click()")).await?;
    ann.until("three from the second", &pays("return amounts() === '3,4'")).await?;
    says(&ann, "house-seats-5", "160 cards in all").await?;
    ann.until(
        "the rules hold",
        "return document.querySelector('[data-testid=\"house-create\"]')?.disabled === false",
    )
    .await
}
