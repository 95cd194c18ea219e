//! In which language the app speaks, and whether a longer one has room.

use anyhow::Result;
use e2e::steps::{begin, named, table};
use e2e::{Browser, Screen, Server, test_id};
use serde_json::json;

/// The language files that the page has loaded.
const LOADED: &str = r"return performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())
    .filter(name => name.endsWith('.txt')).map(name => name.split('-')[0])";

async fn language(browser: &Browser) -> Result<String> {
    browser.run("return document.documentElement.lang").await
}

/// Waits until the page's first heading says this.
async fn heading(browser: &Browser, text: &str) -> Result<()> {
    browser.until(text, &format!("return document.querySelector('main h1')?.innerText === {text:?}")).await
}

/// Chooses a language in the settings: a code, or nothing for the browser's.
async fn choose(browser: &Browser, id: &str) -> Result<()> {
    // What is pressed lies unseen over its label.
    let input = format!("document.querySelector('{} input[value=\"{id}\"]')", test_id("settings-language"));
    browser.until("the languages", &format!("return {input} !== null")).await?;
    browser.run(&format!("{input}.click()")).await
}

/// The page of this address as it comes, before its program does anything.
const COMES: &str = "const ask = new XMLHttpRequest();
    ask.open('GET', location.pathname, false);
    ask.send();
    const page = new DOMParser().parseFromString(ask.responseText, 'text/html');
    const boot = page.querySelector('#boot')";

/// What a page that is on its way says is what it begins with then.
#[tokio::test]
async fn a_page_says_what_it_is_about_before_its_program_is_there() -> Result<()> {
    let comes_first = format!(
        "{COMES}; return [boot.lang, page.title, ...[...boot.querySelectorAll(':scope > :not(.crumbs)')].map(part => `${{part.localName}} ${{part.textContent}}`)]"
    );
    let server = Server::start(&[]).await?;
    let visitor = Browser::open(Screen::Phone, &["--accept-lang=de-AT,de"]).await?;
    for (path, parts) in
        [("/odds", 2), ("/house", 2), ("/maths", 3), ("/solve", 2), ("/practice", 2), ("/about", 7)]
    {
        visitor.page.goto(server.url(path)).await?;
        visitor
            .until(
                "the page",
                "return !document.querySelector('#boot') && !!document.querySelector('main h1 + p')",
            )
            .await?;
        let comes: Vec<String> = visitor.run(&comes_first).await?;
        let says: Vec<String> = visitor
            .run("return [...document.querySelectorAll('main h1, main h1 + p')].map(part => `${part.localName} ${part.textContent}`)")
            .await?;
        assert_eq!(comes[..2], ["de".to_owned(), visitor.page.title().await?], "{path}");
        assert_eq!(comes[2], says[0], "{path}");
        // A link may follow.
        let begins = says[1].starts_with(&comes[3]);
        assert!(begins && comes.len() == 2 + parts, "{path}: {comes:?}, then {says:?}");
    }

    let host = Browser::open(Screen::Desktop, &["--accept-lang=en"]).await?;
    named(&host, &server.url("/"), "Ann").await?;
    let invitation = table(&host, "contract", "{}", 3, &[]).await?;
    visitor.page.goto(server.url(&invitation)).await?;
    let comes: Vec<String> = visitor.run(&comes_first).await?;
    let summary = "p Sieben Runden, jede mit einem Kontrakt aus Sätzen und Folgen, der vor allem anderen auszulegen ist. Am besten zu viert.";
    assert_eq!(comes, ["de", "Contract Rummy · Parlour", "h1 Contract Rummy", summary]);

    // The table of a day's game, whose title has the date in it.
    host.page.goto(server.url("/today")).await?;
    host.click("play-daily-puzzle").await?;
    host.find("puzzle").await?;
    let comes: Vec<String> = host.run(&comes_first).await?;
    assert!(comes.len() == 4 && comes.iter().all(|part| !part.contains(['{', '?'])), "{comes:?}");
    assert_eq!(comes[2], format!("h1 {}", comes[1].trim_end_matches(" · Parlour")));
    Ok(())
}

/// All that a page says before its program is there it says afterwards, too. Rules can be read so in English; in another language what a game is.
#[tokio::test]
async fn what_can_be_read_before_the_program_is_there_stays() -> Result<()> {
    let server = Server::start(&[]).await?;
    let visitor = Browser::open(Screen::Phone, &["--accept-lang=de-AT,de"]).await?;
    let reader = Browser::open(Screen::Desktop, &["--accept-lang=en"]).await?;
    for (browser, path, least) in [
        (&visitor, "/", 2),
        (&visitor, "/rules", 40),
        (&visitor, "/rules/contract", 3),
        (&visitor, "/about", 7),
        (&visitor, "/house", 3),
        (&visitor, "/maths", 3),
        (&visitor, "/new/contract", 3),
        (&visitor, "/games", 1),
        (&reader, "/rules", 40),
        (&reader, "/rules/contract", 40),
        (&reader, "/rules/set-classic", 20),
        (&reader, "/strategy/pattern", 5),
        (&reader, "/strategy/contract", 5),
    ] {
        browser.page.goto(server.url(path)).await?;
        let parts = "'h1, h2, p, li, th, td'";
        let stays = format!(
            "window.first ??= (() => {{ {COMES}; return [...boot.querySelectorAll({parts})].map(part => part.textContent) }})();
            const says = [...document.querySelector('main')?.querySelectorAll({parts}) ?? []].map(part => part.textContent);
            return !document.querySelector('#boot') && first.length >= {least} && first.every(part => says.includes(part))"
        );
        browser.until(&format!("{path} says what it said first"), &stays).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_language_is_the_browsers_or_the_one_that_was_chosen() -> Result<()> {
    let server = Server::start(&[]).await?;
    let visitor = Browser::open(Screen::Phone, &["--accept-lang=de-AT,de"]).await?;
    visitor.page.goto(server.url("/")).await?;
    heading(&visitor, "Willkommen im Spielsalon").await?;
    assert_eq!(language(&visitor).await?, "de");
    assert_eq!(visitor.page.title().await?, "Lobby · Parlour");
    assert_eq!(visitor.run::<Vec<String>>(LOADED).await?, ["lobby.de"], "only what is spoken is loaded");

    // Dates and numbers go with it.
    visitor.page.goto(server.url("/today")).await?;
    heading(&visitor, "Spiele des Tages").await?;
    let day = "return document.body.innerText.includes(new Intl.DateTimeFormat('de-AT', { dateStyle: 'long', timeZone: 'UTC' })
        .format(new Date()) + ': dieselben Karten')";
    visitor.until("the day in German", day).await?;
    visitor.page.goto(server.url("/odds")).await?;
    let none = format!("return document.querySelector('{}')?.innerText === '3,23 %'", test_id("odds-none"));
    visitor.until("a comma", &none).await?;

    // Another is chosen, and stays.
    visitor.page.goto(server.url("/settings")).await?;
    heading(&visitor, "Einstellungen").await?;
    choose(&visitor, "fr").await?;
    heading(&visitor, "Réglages").await?;
    visitor.page.refresh().await?;
    heading(&visitor, "Réglages").await?;
    assert_eq!(
        (language(&visitor).await?.as_str(), visitor.page.title().await?.as_str()),
        ("fr", "Réglages · Parlour")
    );
    // In French nothing is one.
    visitor.page.goto(server.url("/maths")).await?;
    let state = format!(
        "return document.querySelector('{}')?.innerText.startsWith('0 carte posée\u{202f};') ?? false",
        test_id("explorer-state")
    );
    visitor.until("no card, in the singular", &state).await?;

    visitor.page.goto(server.url("/settings")).await?;
    heading(&visitor, "Réglages").await?;
    choose(&visitor, "").await?;
    heading(&visitor, "Einstellungen").await?;
    choose(&visitor, "es").await?;
    heading(&visitor, "Ajustes").await?;
    choose(&visitor, "en").await?;
    heading(&visitor, "Settings").await?;

    // Who chose German has it after a reload, whatever the browser asks for.
    let other = Browser::open(Screen::Desktop, &["--accept-lang=nl"]).await?;
    other.page.goto(server.url("/settings")).await?;
    heading(&other, "Settings").await?;
    choose(&other, "de").await?;
    heading(&other, "Einstellungen").await?;
    other.page.refresh().await?;
    heading(&other, "Einstellungen").await?;
    Ok(())
}

#[tokio::test]
async fn games_and_what_the_server_answers_are_said_in_the_language_of_the_page() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &["--accept-lang=de"]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    ann.until(
        "a game in German",
        "return document.querySelector('[data-testid=\"game-chain\"]')?.innerText.includes('Ketten-Set') ?? false",
    )
    .await?;
    let path = table(&ann, "double", "{}", 2, &[]).await?;
    ann.page.goto(server.url(&path)).await?;
    heading(&ann, "Doppel-Set").await?;
    // What is refused over HTTP.
    ann.page.goto(server.url("/today/2999-12-31")).await?;
    ann.until(
        "why not, in German",
        "return document.querySelector('[data-testid=\"day-fault\"]')?.innerText.includes('ist noch nicht da') ?? false",
    )
    .await
}

#[tokio::test]
async fn a_rule_sheet_is_said_in_the_language_of_the_page() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &["--accept-lang=de"]).await?;
    ann.page.goto(server.url("/rules")).await?;
    heading(&ann, "Spiele und Regeln").await?;
    assert_eq!(
        ann.run::<Vec<String>>(LOADED).await?,
        ["library.de"],
        "nothing for a sheet that is not shown"
    );
    ann.page.goto(server.url("/rules/carioca")).await?;
    ann.until(
        "the sheet in German",
        "const text = document.querySelector('main .sheet')?.innerText ?? '';
        return ['Joker sind: die Joker.', 'ganze Folge, Farbe frei', 'Wie man es in Chile spielt.', '2 Sätze aus 3']
            .every(part => text.includes(part))",
    )
    .await?;
    let mut loaded = ann.run::<Vec<String>>(LOADED).await?;
    loaded.sort();
    assert_eq!(loaded, ["library.de", "sheet.de"]);
    // English comes as it is.
    let bob = Browser::open(Screen::Desktop, &["--accept-lang=en"]).await?;
    bob.page.goto(server.url("/rules/carioca")).await?;
    let there = "return document.querySelector('main .sheet')?.innerText.includes('Wild: jokers.') ?? false";
    bob.until("the sheet in English", there).await?;
    assert_eq!(bob.run::<Vec<String>>(LOADED).await?, ["library.en"]);
    Ok(())
}

/// Cards stand in the chapter that they are about, and who does not see them hears what they are.
#[tokio::test]
async fn a_rule_sheet_shows_cards_where_they_belong() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &["--accept-lang=de"]).await?;
    for (game, chapters, told) in [
        ("contract", "Kontrakte, Auslagen, Joker", "Joker als"),
        ("contract-nj", "Kontrakte, Auslagen", "Herz"),
        ("superset-w", "Was gesucht wird", "Raute"),
        ("mega-chain", "Was gesucht wird", "Raute"),
    ] {
        ann.page.goto(server.url(&format!("/rules/{game}"))).await?;
        let shown = format!(
            "const found = [];
            let chapter = '';
            for (const part of document.querySelectorAll('main .sheet :is(h2, .pictures)')) {{
                if (part.matches('h2')) chapter = part.innerText;
                else found.push(chapter);
            }}
            const names = [...document.querySelectorAll('main .pictures [role=img]')].map(card => card.ariaLabel);
            return found.join(', ') === '{chapters}' && names.every(Boolean) && names.some(name => name.includes('{told}'))"
        );
        ann.until(&format!("{game} shows cards in: {chapters}"), &shown).await?;
        ann.shot(&format!("sheet-{game}")).await?;
    }
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_rules_is_said_in_the_language_of_the_page() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &["--accept-lang=de"]).await?;
    // A rule file that is wrong, at its line.
    ann.page.goto(server.url("/house")).await?;
    heading(&ann, "Hausregeln").await?;
    ann.click("house-import-open").await?;
    ann.fill("house-import-text", "id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\nrun.gpa = 1").await?;
    ann.click("house-import").await?;
    ann.until(
        "what is wrong, in German",
        "return document.querySelector('[data-testid=\"house-faults\"]')?.innerText
            .includes('Zeile 4: `run.gpa` ist nicht bekannt. vielleicht ist `run.gap` gemeint') ?? false",
    )
    .await?;
    // Rules that cannot be played, on the page where a table is made: its words come when they are needed.
    let bob = Browser::open(Screen::Desktop, &["--accept-lang=de"]).await?;
    bob.page.goto(server.url("/new/contract")).await?;
    bob.find("create").await?;
    assert_eq!(bob.run::<Vec<String>>(LOADED).await?, ["lobby.de"], "nothing is wrong yet");
    bob.run::<()>(
        "const field = document.querySelector('[data-testid=\"option-turn.seconds\"] input');
        field.value = '100000';
        field.dispatchEvent(new Event('change', { bubbles: true }));",
    )
    .await?;
    bob.until(
        "why not, in German",
        "return !!document.querySelector('[data-testid=\"create-fault\"]')?.textContent
            .includes('turn.seconds ist 100000. Schreib')
            && document.querySelector('[data-testid=\"option-turn.seconds\"] [data-testid=\"option-fault\"]')?.innerText
                .startsWith('Sekunden für einen Zug ist 100000. Schreib')",
    )
    .await
}

/// Makes every word of the English file half as long again.
const LONGER: &str = r"
    const plain = window.fetch;
    window.fetch = async (...ask) => {
        const answer = await plain(...ask);
        if (!/\.en-[0-9a-f]+\.txt$/.test(String(ask[0]))) return answer;
        const longer = sentence => sentence.replace(/\{[^}]*\}|\p{L}{2,}/gu,
            part => part[0] === '{' ? part : part + part.slice(-Math.ceil(part.length / 2)));
        // Each line begins with four letters for the key; one line names the forms of numbers.
        const lines = (await answer.text()).split('\n')
            .map(line => line.slice(4) === 'one other' ? line : line.slice(0, 4) + longer(line.slice(4)));
        return new Response(lines.join('\n'));
    };
";

/// What is wider than its place: the page, or something that is pressed or labelled.
const WIDE: &str = r"
    const page = document.documentElement, wide = [];
    if (page.scrollWidth > page.clientWidth) wide.push(`the page: ${page.scrollWidth} of ${page.clientWidth}`);
    for (const part of document.querySelectorAll('button, .button, label, legend, nav a, .tag, h1, h2')) {
        // What is not shown, is there for screen readers only, or scrolls sideways by itself has room enough; of a flag the
        // sign remains, and of what a table is called, its beginning.
        const room = '.scroll, .offscreen, .tag.flag, .table-title';
        if (part.offsetParent === null || part.clientWidth < 2 || part.closest(room)) continue;
        const right = part.getBoundingClientRect().right;
        if (part.scrollWidth > part.clientWidth + 1 || right > page.clientWidth + 1)
            wide.push(`${part.tagName} ${part.className} ${part.innerText}: ${part.scrollWidth} of ${part.clientWidth}, to ${right}`);
    }
    return wide;
";

async fn fits(browser: &Browser, name: &str) -> Result<()> {
    browser.made().await?;
    let wide: Vec<String> = browser.run(WIDE).await?;
    if !wide.is_empty() {
        browser.shot(&format!("longer-{name}")).await?;
    }
    assert!(wide.is_empty(), "{name}: {wide:#?}");
    Ok(())
}

#[tokio::test]
async fn sentences_half_as_long_again_fit_on_a_narrow_phone() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    // Cards that fly are anywhere.
    let ann = Browser::open(Screen::Phone, &["--force-prefers-reduced-motion"]).await?;
    let tools = ann.page.cdp();
    let size = json!({ "width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": false });
    tools.send_raw("Emulation.setDeviceMetricsOverride", size).await?;
    tools.send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": LONGER })).await?;

    named(&ann, &server.url("/"), "Ann").await?;
    heading(&ann, "Goodod too seeee youou, Ann").await?;
    fits(&ann, "lobby").await?;
    for (path, there) in
        [("/new/set-classic", "create"), ("/new/contract", "create"), ("/settings", "settings")]
    {
        ann.page.goto(server.url(path)).await?;
        ann.find(there).await?;
        fits(&ann, path.rsplit('/').next().unwrap_or_default()).await?;
    }
    begin(&ann, "set-classic", "{}", 3, &["easy", "easy"]).await?;
    ann.find("board").await?;
    fits(&ann, "set").await?;
    begin(&ann, "contract", "{}", 3, &["easy", "easy"]).await?;
    ann.find("hand").await?;
    fits(&ann, "contract").await?;
    // It is given up. Where no Set lies among the first twelve it is lost before it is seen to begin.
    table(&ann, "solitaire", "{}", 1, &[]).await?;
    let over = "document.querySelector('[data-testid=\"give-up\"]')?.click();
        return document.querySelector('[data-testid=\"table\"]')?.dataset.stage === 'over'";
    ann.until("a match that is over", over).await?;
    ann.find("outcome").await?;
    fits(&ann, "over").await
}
