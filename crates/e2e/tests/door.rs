//! From the door to the first card.

use anyhow::Result;
use e2e::steps::{begin, begins, in_sight, named, stage, table};
use e2e::{Browser, Screen, Server, test_id};
use serde_json::{Value, json};
use std::time::Duration;

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
    for part in ["[data-testid='invite-whole']", ".invite-friends .qr svg", "[data-testid='invite-close']"] {
        in_sight(&stranger, part, 1).await?;
    }
    let fills =
        "const at = document.querySelector('[data-testid=\"invite-friends\"]').getBoundingClientRect();
        return at.width >= innerWidth && at.height >= innerHeight";
    assert!(stranger.run::<bool>(fills).await?, "link and code have the whole screen");
    stranger.shot("door-invite").await?;
    stranger.click("invite-close").await?;
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
    stranger.find("all-games").await?;
    stranger.run::<()>("document.querySelector('[data-testid=\"all-games\"]').open = true").await?;
    stranger.fill("search", "carioca").await?;
    let found = "[...document.querySelectorAll('[data-testid=\"all-games\"] .game')].map(game => game.dataset.testid).join(' ')";
    stranger.until("the one game", &format!("return {found} === 'game-carioca'")).await?;
    stranger.fill("search", "carioca no more").await?;
    stranger.until("no game", &format!("return {found} === ''")).await?;

    stranger.run::<()>("const search = document.querySelector('[data-testid=\"search\"]'); search.value = ''; search.dispatchEvent(new Event('input', { bubbles: true }))").await?;
    let choose = |which: &str, value: &str| {
        format!(
            "const choice = document.querySelector('[data-testid=\"filter-{which}\"]'); choice.value = {value}; choice.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )
    };
    stranger.run::<()>(&choose("people", "'1'")).await?;
    // What is easy, and what is very easy.
    stranger.run::<()>(&choose("difficulty", "'0'")).await?;
    stranger.until("the easy one for one", &format!("return {found} === 'game-daily-basic'")).await?;
    stranger.run::<()>(&choose("people", "''")).await?;
    let easy = format!(
        "const games = {found}.split(' '); return ['quick', 'hands', 'may-i'].every(id => games.includes(`game-${{id}}`)) && !games.includes('game-contract')"
    );
    stranger.until("the easy ones of both families", &easy).await?;
    // Who has five minutes finds what takes no longer.
    stranger.run::<()>(&choose("difficulty", "''")).await?;
    stranger.run::<()>(&choose("time", "'5'")).await?;
    let short = format!(
        "const games = {found}.split(' '); return games.includes('game-quick') && !games.includes('game-contract')"
    );
    stranger.until("the short ones", &short).await?;
    stranger.run::<()>(&choose("time", "''")).await?;
    // Each shows its layout, or its contracts.
    let pictures = "const games = [...document.querySelectorAll('[data-testid=\"all-games\"] .game')];
        return games.length > 50 && games.every(game => game.querySelectorAll('.game-picture rect').length > 1)";
    stranger.until("all games with their pictures", pictures).await
}

/// What was begun here stands before what whoever is new may begin with.
#[tokio::test]
async fn what_one_likes_to_play_comes_first() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    let first = |game: &str| {
        format!("return document.querySelector('ul.games > .game')?.dataset.testid === 'game-{game}'")
    };
    ann.page.goto(server.url("/")).await?;
    ann.until("what is easy for who is new", &first("quick")).await?;
    // Nobody asks for a name before the first card.
    ann.page.goto(server.url("/new/telefunken")).await?;
    ann.click("create-table").await?;
    ann.find("gathering").await?;
    ann.page.goto(server.url("/")).await?;
    ann.until("what she has begun", &first("telefunken")).await
}

/// A guest of a guest needs no name to sit down: one is made up.
#[tokio::test]
async fn who_is_invited_sits_down_with_one_press() -> Result<()> {
    let server = Server::start(&[]).await?;
    let (ann, stranger) =
        (Browser::open(Screen::Desktop, &[]).await?, Browser::open(Screen::Phone, &[]).await?);
    named(&ann, &server.url("/"), "Ann").await?;
    let path = table(&ann, "contract", "{}", 3, &[]).await?;
    stranger.page.goto(server.url(&path)).await?;
    stranger.click("sit-1").await?;
    stranger.find("ready").await?;
    let sits = "return /^[A-Z][a-z]+ \\d+\\s+you/.test(document.querySelector('[data-testid=\"seat-1\"]').innerText)";
    stranger.until("under a name that was made up", sits).await
}

/// On the smallest of phones, and on one that lies on its side, all ways in are above the fold.
#[tokio::test]
async fn all_doors_are_in_sight() -> Result<()> {
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    ann.click("quick-set-classic").await?;
    begins(&ann).await?;
    for (width, height) in [(320, 640), (390, 844), (844, 390), (820, 1180), (1280, 800)] {
        ann.resize(width, height, height != 800).await?;
        ann.page.goto(server.url("/")).await?;
        for door in [
            "quick-set-classic",
            "quick-contract",
            "to-today",
            "go-on",
            "friends-set-classic",
            "friends-contract",
        ] {
            in_sight(&ann, &format!("[data-testid='{door}']"), 1).await?;
        }
    }
    Ok(())
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

/// A phone in the lobby whose line has become slow, before anything of the tables is there.
async fn on_a_slow_line(pace: &str) -> Result<(Server, Browser)> {
    let server = Server::start(&["--bot-pace", pace]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    ann.page.goto(server.url("/")).await?;
    ann.find("quick-contract").await?;
    let slow = json!({ "offline": false, "latency": 50, "downloadThroughput": 200_000, "uploadThroughput": 200_000 });
    ann.page.cdp().send_raw("Network.enable", json!({})).await?;
    ann.page.cdp().send_raw("Network.emulateNetworkConditions", slow).await?;
    Ok((server, ann))
}

/// On a slow line whoever presses before the program of the table has come waits for it in the lobby: a page that is left drops
/// what is on its way to it. The table itself is asked for meanwhile, and its page with it.
#[tokio::test]
async fn however_early_one_presses_the_program_of_a_table_is_loaded_once() -> Result<()> {
    let (_server, ann) = on_a_slow_line("20").await?;
    ann.run::<()>(
        "addEventListener('pagehide', () => sessionStorage.setItem('loaded', JSON.stringify(
            performance.getEntriesByType('resource').map(file => [file.name, file.startTime, file.responseEnd]))))",
    )
    .await?;
    ann.click("quick-contract").await?;
    begins(&ann).await?;
    ann.find("hand-card").await?;
    let (page, program): (f64, f64) = ann
        .run(
            "const files = JSON.parse(sessionStorage.getItem('loaded'));
            const page = files.find(([name]) => name.includes('/table/')), program = files.filter(([name]) => /contract-.*wasm$/.test(name));
            return [page[2], Math.max(...program.map(file => file[2]))]",
        )
        .await?;
    assert!(page < program, "the table is there after {page} ms and its program after {program} ms");
    assert!(
        ann.run::<bool>("return performance.getEntriesByType('navigation')[0].transferSize === 0").await?,
        "the page that was fetched ahead is fetched again"
    );
    let loaded: Vec<String> = ann
        .run(
            "return performance.getEntriesByType('resource')
                .filter(file => /contract-.*wasm$/.test(file.name) && file.transferSize > 0).map(file => file.name)",
        )
        .await?;
    assert_eq!(loaded, [] as [String; 0], "the table loads what the lobby had loaded");
    Ok(())
}

/// Whoever waits for the program of a table sees what was dealt meanwhile, first in the lobby and then on the table's page; the table
/// shows the same cards.
async fn seen_before_its_program(door: &str, card: &str, code: &str, count: usize) -> Result<()> {
    // The bots leave everything where it is.
    let (_server, ann) = on_a_slow_line("1000").await?;
    // What the table's page shows before its program does.
    let source = "addEventListener('DOMContentLoaded', () => {
            const first = document.querySelectorAll('[data-testid=first] [data-card]').length;
            if (first && document.querySelector('#boot') && document.querySelector('[data-testid=first] .defs')) sessionStorage.setItem('seen', String(first));
        })";
    ann.page.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await?;
    ann.click(door).await?;
    let dealt = format!(
        "return document.querySelectorAll('[data-testid=first] > :last-child > [data-card]').length === {count}"
    );
    ann.until("the cards are seen", &dealt).await?;
    let first: Vec<String> = ann
        .run(
            "return [location.pathname, document.querySelector('[data-testid=first] p').innerText,
                ...[...document.querySelectorAll('[data-testid=first] > :last-child > [data-card]')].map(card => card.dataset.card)]",
        )
        .await?;
    assert_eq!(first[..2], ["/", "Your table is being laid. This is what was dealt."]);
    ann.shot(&format!("first-{door}")).await?;
    begins(&ann).await?;
    ann.find(card).await?;
    let cards = format!(
        "return [...document.querySelectorAll('[data-testid={card}]')].map(card => card.dataset.{code})"
    );
    let mut then: Vec<String> = ann.run(&cards).await?;
    let mut first = first[2..].to_vec();
    first.sort();
    then.sort();
    assert_eq!(first, then, "the table shows other cards");
    ann.until("they give way to the table", "return !document.querySelector('[data-testid=first]')").await?;
    let seen: Option<String> = ann.run("return sessionStorage.getItem('seen')").await?;
    assert!(
        seen.is_some_and(|seen| seen.parse().is_ok_and(|seen: usize| seen >= count)),
        "the page showed them"
    );
    let kept = "return Object.keys(sessionStorage).filter(key => key.startsWith('parlour.'))";
    assert_eq!(ann.run::<Vec<String>>(kept).await?, [] as [String; 0], "nothing of it is kept");
    assert_eq!(ann.count(&test_id("toast")).await?, 0, "the device has its part in the deal");
    Ok(())
}

#[tokio::test]
async fn a_hand_is_seen_before_the_program_of_its_table_has_come() -> Result<()> {
    seen_before_its_program("quick-contract", "hand-card", "face", 10).await
}

#[tokio::test]
async fn a_layout_is_seen_before_the_program_of_its_table_has_come() -> Result<()> {
    seen_before_its_program("quick-set-classic", "card", "card", 12).await
}

/// Who looks at another page while the table's program comes is not taken away from there.
#[tokio::test]
async fn who_goes_elsewhere_while_a_table_comes_stays_there() -> Result<()> {
    let (_server, ann) = on_a_slow_line("20").await?;
    ann.click("quick-contract").await?;
    let asked = "return performance.getEntriesByType('resource').some(file => file.name.includes('/table/'))";
    ann.until("the table is there", asked).await?;
    ann.run::<()>("document.querySelector('a[href=\"/settings\"]').click()").await?;
    ann.until("the settings", "return document.querySelector('main h1')?.innerText === 'Settings'").await?;
    let whole = "return performance.getEntriesByType('resource').filter(file => /contract-.*wasm$/.test(file.name)).length >= 3";
    ann.until("the program of the table is there", whole).await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(ann.run::<String>("return location.pathname").await?, "/settings");
    Ok(())
}

/// The line to a table is asked for while its program comes, and is the only one.
#[tokio::test]
async fn the_line_to_a_table_is_open_before_its_program_has_come() -> Result<()> {
    const COUNTED: &str = "window.lines = 0; window.opened = 0;
        WebSocket = class extends WebSocket {
            constructor(...all) { super(...all); lines += 1; this.addEventListener('open', () => { opened += 1 }) }
        }";
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    let path = table(&ann, "set-classic", "{}", 2, &["easy"]).await?;
    let cdp = ann.page.cdp();
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": COUNTED })).await?;
    cdp.send_raw("Network.enable", json!({})).await?;
    cdp.send_raw("Network.setBlockedURLs", json!({ "urls": ["*pattern*.wasm"] })).await?;
    ann.page.goto(server.url(&path)).await?;
    ann.until("it is open without the program", "return lines === 1 && opened === 1").await?;
    cdp.send_raw("Network.setBlockedURLs", json!({ "urls": [] })).await?;
    ann.page.goto(server.url(&path)).await?;
    begins(&ann).await?;
    assert_eq!(ann.run::<[u32; 2]>("return [lines, opened]").await?, [1, 1]);
    Ok(())
}

/// While a table comes nobody opens another one: whoever presses a second door still gets the first table, and no empty one is left.
#[tokio::test]
async fn one_table_is_opened_however_many_doors_are_pressed() -> Result<()> {
    let (_server, ann) = on_a_slow_line("20").await?;
    ann.run::<()>(
        "const asked = fetch;
        sessionStorage.setItem('made', '0');
        fetch = (request, ...more) => {
            if (request.method === 'POST' && request.url.endsWith('/api/tables'))
                sessionStorage.setItem('made', Number(sessionStorage.getItem('made')) + 1);
            return asked(request, ...more);
        };
        // Both before a door can be drawn closed.
        for (const game of ['contract', 'set-classic']) document.querySelector(`[data-testid=quick-${game}]`).click()",
    )
    .await?;
    let closed = "return [...document.querySelectorAll('[data-ahead]')].every(door => door.disabled)";
    ann.until("all doors are closed", closed).await?;
    begins(&ann).await?;
    ann.find("hand-card").await?;
    assert_eq!(ann.run::<String>("return sessionStorage.getItem('made')").await?, "1");
    // Who goes back finds them open.
    ann.run::<()>("history.back()").await?;
    ann.find("lobby").await?;
    let open = "return [...document.querySelectorAll('[data-ahead]')].every(door => !door.disabled)";
    ann.until("the doors are open", open).await
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
    bea.until("she is told", told).await?;
    // No seat is offered to her, however often she comes, until the host lets her back.
    let offered = |yes: bool| {
        format!(
            "return !!document.querySelector('[data-testid=\"seat-1\"]') && {yes} === !!document.querySelector('[data-testid^=\"sit-\"]')"
        )
    };
    bea.until("no seat is offered", &offered(false)).await?;
    bea.page.refresh().await?;
    bea.find("kept-out").await?;
    bea.until("no seat is offered", &offered(false)).await?;
    ann.click("menu").await?;
    ann.click("let-back").await?;
    bea.until("seats are offered", &offered(true)).await?;
    bea.run::<()>("document.querySelector('[data-testid=\"sit-1\"]').click()").await?;
    bea.find("ready").await.map(drop)
}

#[tokio::test]
async fn back_is_where_one_was() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    ann.page.goto(server.url("/rules")).await?;
    ann.find("work-sheets").await?;
    let link = "document.querySelector('a[href=\"/rules/may-i\"]')";
    ann.run::<()>(&format!("{link}.scrollIntoView({{ block: 'center', behavior: 'instant' }})")).await?;
    let was = ann.run::<f64>("return scrollY").await?;
    assert!(was > 600.0, "far down: {was}");
    ann.run::<()>(&format!("{link}.click()")).await?;
    ann.find("sheet-markdown").await?;
    ann.page.back().await?;
    ann.find("rules").await?;
    ann.until("the same place", &format!("return Math.abs(scrollY - {was}) < 40")).await
}

/// Counts how much of the page moved by itself, as Chromium reckons it.
const MOVED: &str = "
    window.moved = 0;
    window.movers = [];
    const place = rect => [rect.x, rect.y, rect.width, rect.height].map(Math.round);
    new PerformanceObserver(list => {
        for (const shift of list.getEntries()) {
            if (shift.hadRecentInput) continue;
            window.moved += shift.value;
            for (const { node, previousRect, currentRect } of shift.sources)
                window.movers.push([node && (node.dataset?.testid || node.className || node.nodeName), place(previousRect), place(currentRect)]);
        }
    }).observe({ type: 'layout-shift', buffered: true })";

#[tokio::test]
async fn nothing_moves_while_a_slow_phone_makes_a_page() -> Result<()> {
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    let tools = ann.page.cdp();
    tools.send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": MOVED })).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    tools.send_raw("Emulation.setCPUThrottlingRate", json!({ "rate": 6 })).await?;
    let mut moved = vec![];
    for (path, there) in [("/", "lobby"), ("/rules", "rules"), ("/odds", "odds"), ("/house", "house")] {
        ann.page.goto(server.url(path)).await?;
        ann.find(there).await?;
        ann.made().await?;
        moved.push((path, ann.run::<(f64, Value)>("return [moved, movers]").await?));
    }
    for (game, there) in [("set-classic", "board"), ("contract", "hand")] {
        begin(&ann, game, "{}", 3, &["easy", "easy"]).await?;
        ann.find(there).await?;
        ann.made().await?;
        moved.push((game, ann.run::<(f64, Value)>("return [moved, movers]").await?));
    }
    let much: Vec<_> = moved.iter().filter(|(_, (moved, _))| *moved > 0.1).collect();
    assert!(much.is_empty(), "{much:?}");
    Ok(())
}
