//! Plays in real Chromium against the real server.

use anyhow::{Result, bail};
use e2e::steps::{CARDS, RUMMY, TOOLS, begin, claim_a_set, named, play_on, stage, start, table};
use e2e::{Browser, Screen, Server, Wire};
use std::time::{Duration, Instant};

/// What this browser, which has never been here, loads to show `path` until `there` is shown.
async fn first_visit(server: &Server, path: &str, there: &str, most: u64) -> Result<()> {
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    browser.page.goto(server.url(path)).await?;
    browser.find(there).await?;
    let bytes: u64 = browser
        .run("return performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)")
        .await?;
    eprintln!("a first visit to {path} transfers {bytes} bytes");
    assert!(bytes > 10_000, "the sum was not taken: {bytes} bytes");
    assert!(bytes < most, "a first visit to {path} transfers {bytes} bytes, more than {most}");
    Ok(())
}

#[tokio::test]
async fn a_first_visit_is_light() -> Result<()> {
    let server = Server::start(&[]).await?;
    first_visit(&server, "/", "lobby", 212_000).await?;
    // Reading loads nothing of what is reckoned.
    first_visit(&server, "/rules", "rules", 260_000).await?;
    // Who is invited lands at a table.
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    let path = table(&ann, "contract", "{}", 3, &["easy"]).await?;
    first_visit(&server, &path, "gathering", 350_000).await?;
    // The QR code comes when somebody wants to see it, and once.
    let fetched = "return performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('qr.svg')).length";
    assert_eq!(ann.run::<usize>(fetched).await?, 0);
    ann.click("qr").await?;
    ann.css(".qr svg").await?;
    for _ in ["closed", "open"] {
        ann.click("qr").await?;
    }
    ann.css(".qr svg").await?;
    assert_eq!(ann.run::<usize>(fetched).await?, 1);
    Ok(())
}

#[tokio::test]
async fn the_solver_answers_for_both_families() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    let says = |id: &str, text: &str| {
        format!(
            "return document.querySelector('[data-testid=\"{id}\"]')?.innerText.includes('{text}') ?? false"
        )
    };
    browser.page.goto(server.url("/solve")).await?;
    browser.find("solve-card").await?;
    let press = |what: &str| format!("document.querySelector(`[data-{what}]`).click()");
    for card in ["card='0000'", "card='0111'"] {
        browser.run::<()>(&press(card)).await?;
    }
    // SOLVE-3: two cards have one third card.
    let third = "return document.querySelector('[data-testid=\"solve-about\"] .pcard')?.ariaLabel === document.querySelector('[data-card=\"0222\"]').ariaLabel";
    browser.until("the third card", third).await?;
    browser.run::<()>(&press("card='0222'")).await?;
    browser.until("one Set", &says("solve-count", "1 claim")).await?;
    let address = "return location.search === '?cards=0000+0111+0222'";
    browser.until("the address can be passed on", address).await?;
    browser.click("solve-one").await?;
    let lit = "return document.querySelectorAll('.cap-card.lit').length === 3";
    browser.until("its cards are lit", lit).await?;
    browser.shot("solve-set").await?;
    // A layout with an empty slot is spoken of, too; and of many claims more are listed when that is asked for.
    browser.page.goto(server.url("/solve/set-classic?cards=0000+--+0111")).await?;
    browser.find("solve-card").await?;
    browser.until("the third card beside an empty slot", third).await?;
    let digits = ["0", "1", "2"];
    let all: Vec<String> =
        (0..27).map(|n| format!("0{}{}{}", digits[n / 9], digits[n / 3 % 3], digits[n % 3])).collect();
    browser.page.goto(server.url(&format!("/solve/set-classic?cards={}", all.join("+")))).await?;
    browser.until("all are counted", &says("solve-count", "117 claims")).await?;
    assert_eq!(browser.count("[data-testid='solve-claim']").await?, 100);
    browser.click("solve-more").await?;
    browser
        .until(
            "all are listed",
            "return document.querySelectorAll(`[data-testid='solve-claim']`).length === 117",
        )
        .await?;

    // S1, S6: the last card that a hand lacks, and then the way that is left with the fewest points.
    browser.page.goto(server.url("/solve/contract?hand=7C+7D+7H+KC+KD+2S")).await?;
    browser.until("one card is missing", &says("solve-missing", "1 card is missing")).await?;
    browser.run::<()>(&press("face='KH'")).await?;
    browser.until("the contract can be laid", &says("solve-can", "in 1 way")).await?;
    assert_eq!(browser.count("[data-testid='solve-meld']").await?, 2);
    // S4: melds on the table are pressed as the hand is, and say what can be laid off.
    browser.click("solve-into-meld").await?;
    for face in ["4D", "5D", "6D"] {
        browser.run::<()>(&press(&format!("face='{face}'"))).await?;
    }
    browser.click("solve-run").await?;
    browser.until("what can be laid off", &says("solve-plays", "seven of diamonds on meld 1")).await?;
    assert_eq!(browser.count("[data-testid='solve-laid']").await?, 1);
    browser.shot("solve-contract").await?;
    browser.page.goto(server.url("/solve/contract?hand=9X")).await?;
    browser.until("it says what is wrong", &says("solve-answer", "`9X` is no card")).await
}

#[tokio::test]
async fn odds_and_caps_are_counted_in_the_browser() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    browser.page.goto(server.url("/odds")).await?;
    // pattern rulebook, 5.3: 12 cards without a Set
    browser
        .until(
            "12 cards",
            "return document.querySelector('[data-testid=\"odds-none\"]')?.innerText === '3.23 %'",
        )
        .await?;
    browser.shot("odds").await?;
    browser.page.goto(server.url("/maths")).await?;
    browser
        .until(
            "sizes 0 to 20",
            "return document.querySelectorAll('[data-testid=\"caps-table\"] tbody tr').length === 21",
        )
        .await?;
    for card in ["cap-0", "cap-1"] {
        browser.click(card).await?;
    }
    browser
        .until(
            "the third card is not safe",
            "return document.querySelector('[data-testid=\"cap-2\"]').disabled",
        )
        .await?;
    browser
        .until(
            "it is counted",
            "return document.querySelectorAll('[data-testid=\"explorer-extends\"] li').length > 3",
        )
        .await?;
    browser.shot("maths").await
}

/// Deals are played in the browser, and their odds are not those of fresh cards (pattern rulebook, 5.6 and 5.8).
#[tokio::test]
async fn odds_in_play_are_simulated_in_the_browser() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    let value = |id: &str| format!("parseFloat(document.querySelector('[data-testid=\"{id}\"]')?.innerText)");
    let deals = "Number(document.querySelector('[data-testid=\"play-count\"]')?.dataset.deals)";
    browser.page.goto(server.url("/odds")).await?;
    browser.find("play-deals").await?;
    browser.click("play-deals").await?;
    let near = format!("return {deals} > 2000 && Math.abs({} - 6.63) < 0.8", value("play-none"));
    browser.until("in play a layout of twelve without a Set comes twice as often as fresh", &near).await?;
    let fresh =
        "return document.querySelector('[data-testid=\"play-against\"]').innerText.includes('29.96:1')";
    browser.until("the odds of fresh cards stand beside those in play", fresh).await?;
    let left = "return [...document.querySelectorAll('[data-testid=\"play-left\"] tbody tr')].map(row => parseInt(row.cells[0].innerText))";
    let left: Vec<u32> = browser.run(left).await?;
    assert!(left.contains(&6) && left.contains(&9) && left.iter().all(|n| n % 3 == 0 && *n != 3), "{left:?}");
    let drawn = "return document.querySelector('[data-testid=\"odds-course\"] polygon').getAttribute('points').split(' ').length > 10";
    browser.until("the interval is drawn", drawn).await?;
    browser.click("play-deals").await?;
    browser
        .until(
            "it rests",
            "return document.querySelector('[data-testid=\"play-deals\"]').innerText !== 'Pause'",
        )
        .await?;
    browser.shot("odds-play").await?;

    // Any other race, with as many players as it has.
    let choose = |id: &str, value: &str| {
        format!(
            "const field = document.querySelector('[data-testid=\"{id}\"]');
            field.value = '{value}'; field.dispatchEvent(new Event('change')); return field.value === '{value}'"
        )
    };
    browser.until("chain is offered", &choose("play-game", "chain")).await?;
    browser.until("for three", &choose("play-players", "3")).await?;
    browser.until("the first is taken", &choose("play-choose", "first")).await?;
    assert_eq!(browser.count("[data-testid='play-count']").await?, 0, "what was played before is forgotten");
    browser.click("play-deals").await?;
    let says = "return document.querySelector('[data-testid=\"in-play\"] code')?.innerText.match(/^parlour sim chain --deals \\d+ --seed \\d+ --players 3 --choose first$/) !== null";
    browser.until("the same deals can be played in a terminal", says).await
}

/// What lies far below is made when somebody goes on, or has had time to read what stands before it.
#[tokio::test]
async fn what_lies_far_below_waits_for_who_goes_on() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Phone, &[]).await?;
    let there = |id: &str| format!("return document.getElementById('{id}') !== null");
    let seen = |id: &str| {
        format!(
            "const at = document.getElementById('{id}')?.getBoundingClientRect().top;
            return at >= 0 && at < innerHeight"
        )
    };
    browser.page.goto(server.url("/maths")).await?;
    browser.until("the first part", &there("last")).await?;
    assert!(!browser.run::<bool>(&there("beyond")).await?, "nobody is near to the last part");
    browser.until("it comes by itself", &there("beyond")).await?;

    browser.page.refresh().await?;
    browser.until("the first part", &there("last")).await?;
    browser.run::<()>("scrollBy(0, 10)").await?;
    browser.until("who goes on finds it", &there("beyond")).await?;

    browser.page.refresh().await?;
    browser.until("the first part", &there("last")).await?;
    // As the keyboard presses it, without a word before.
    browser.run::<()>("document.querySelector('.contents [href=\"#waves\"]').click()").await?;
    browser.until("a place that was not there yet", &seen("waves")).await?;
    browser.until("it stays in sight", &seen("waves")).await
}

/// Each part of the mathematics has something to try.
#[tokio::test]
async fn the_mathematics_can_be_tried() -> Result<()> {
    let server = Server::start(&[]).await?;
    let browser = Browser::open(Screen::Desktop, &[]).await?;
    browser.page.goto(server.url("/maths")).await?;
    browser.find("beyond").await?;
    let of = |id: &str| format!("document.querySelector('[data-testid=\"{id}\"]')");
    let press = |id: &str| format!("{}.click()", of(id));
    let says = |id: &str, text: &str| format!("return {}?.innerText.includes('{text}') ?? false", of(id));
    let choose = |id: &str, value: &str, event: &str| {
        format!(
            "const field = {}; field.value = '{value}'; field.dispatchEvent(new Event('{event}'))",
            of(id)
        )
    };
    let sum = format!("return {}.dataset.sum", of("last-both"));

    // 5.7: what is left adds up to nothing, and never is three; in a chain it does not.
    for _ in 0..3 {
        browser.run::<()>(&press("last-take")).await?;
    }
    browser.until("three were taken", &says("last-said", "3 claims")).await?;
    assert_eq!(browser.run::<String>(&sum).await?, "0 0 0 0");
    browser.run::<()>(&press("last-play")).await?;
    browser.until("it is over", &says("last-said", "It is over")).await?;
    assert_eq!(browser.run::<String>(&sum).await?, "0 0 0 0");
    let left = browser.count("[data-testid='last-card']").await?;
    assert!(left % 3 == 0 && left != 3, "{left}");
    browser.run::<()>(&choose("last-way", "super", "change")).await?;
    browser.run::<()>(&press("last-play")).await?;
    browser.until("it is told why", &says("last-why", "1, 5 or 9")).await?;
    let left = browser.count("[data-testid='last-card']").await?;
    assert!([1, 5, 9].contains(&left), "{left}");

    // 5.3: a deal of twenty that was named comes once in 4.69e18.
    browser.until("how rare it is", &says("deal-given", "1 in 4.69 · 10¹⁸")).await?;
    browser.run::<()>(&press("deal-cap")).await?;
    browser
        .until("twenty without a Set", &format!("return {}.dataset.sets === '0'", of("deal-sets")))
        .await?;
    browser.run::<()>(&choose("deal-power", "10", "input")).await?;
    browser.until("some two are the same", &says("deal-twice", "as good as certainly")).await?;

    // A plane is filled place by place; there are 1170.
    for place in [2, 6, 4, 5, 7, 8] {
        let open = format!("return !{}.disabled", of(&format!("plane-{place}")));
        browser.until("the place can be filled", &open).await?;
        browser.run::<()>(&press(&format!("plane-{place}"))).await?;
    }
    browser.until("nine cards", &says("plane-said", "twelve Sets")).await?;
    assert_eq!(browser.count("[data-testid='plane-line']").await?, 12);
    browser.until("it is counted", &says("planes-4", "1,170")).await?;

    // The properties of SuperSETs show themselves.
    let what = |is: &str| format!("return {}?.dataset.what === '{is}'", of("joint-what"));
    for (property, is) in [(1, "super"), (2, "super"), (3, "set"), (4, "neither")] {
        browser.run::<()>(&press(&format!("property-{property}"))).await?;
        browser.until("the example is judged", &what(is)).await?;
        let joined = browser.count("[data-testid='joint-split'][data-joined='true']").await?;
        assert_eq!(joined, usize::from(is == "super"), "property {property}");
    }
    browser.run::<()>(&press("property-5")).await?;
    browser
        .until(
            "three complete them",
            "return document.querySelectorAll('[data-testid=\"joint-completers\"] .pcard').length === 3",
        )
        .await?;

    // A lost card comes back, one smudge is mended, two are not.
    let label = "return document.querySelector('[data-testid=\"code-1\"] .pcard').ariaLabel";
    let sent: String = browser.run(label).await?;
    browser.run::<()>(&press("code-1")).await?;
    browser.until("it is lost", &format!("{label} === 'face-down card'")).await?;
    browser.run::<()>(&press("code-back")).await?;
    browser.until("it comes back", &format!("{label} === '{sent}'")).await?;
    browser.run::<()>(&press("word-4")).await?;
    browser.run::<()>(&press("smudge-1")).await?;
    browser.until("it is mended", &says("smudge-said", "the one that was sent")).await?;
    browser.run::<()>(&press("smudge-2")).await?;
    browser.until("two are too many", &says("smudge-said", "2 features are smudged")).await?;

    // A direction has 27 Sets; there are 40.
    browser.run::<()>(&press("point-0")).await?;
    browser.run::<()>(&press("point-40")).await?;
    browser.until("all differ", &says("directions-said", "different in every feature")).await?;
    browser.run::<()>(&press("directions-next")).await?;
    browser.until("parallel Sets", &says("directions-at", "1 of 27")).await?;
    browser.until("it is counted", &says("directions-4", "40")).await?;

    // Waves count the Sets of a plane, and of a cap none.
    for card in 0..9 {
        browser.run::<()>(&press(&format!("wave-{card}"))).await?;
    }
    let sets = |n: u32| format!("return {}?.dataset.sets === '{n}'", of("waves-sets"));
    browser.until("twelve Sets by waves", &sets(12)).await?;
    browser.run::<()>(&press("waves-cap")).await?;
    browser.until("none in a cap", &sets(0)).await?;

    // What is known beyond; polynomials win in high dimensions.
    browser.until("the list", &says("known", "Potechin 2008")).await?;
    browser.until("the best for 7", &says("between-least", "236")).await?;
    browser.run::<()>(&choose("between-dim", "100", "input")).await?;
    let best = "return document.querySelector('.between .best [data-testid]')?.dataset.testid === 'between-polynomials'";
    browser.until("polynomials win", best).await?;
    browser.shot("maths-tried").await
}

#[tokio::test]
async fn a_click_in_one_window_shows_in_the_other() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    let bea = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    let path = table(&ann, "set-classic", "{}", 2, &[]).await?;
    named(&bea, &server.url("/"), "Bea").await?;
    bea.page.goto(server.url(&path)).await?;
    bea.click("sit-1").await?;
    bea.click("ready").await?;
    ann.until(
        "Bea shows",
        "return document.querySelector('[data-testid=\"seat-1\"]')?.innerText.includes('Bea') ?? false",
    )
    .await?;
    start(&ann).await?;
    for window in [&ann, &bea] {
        window
            .until(
                "cards lie there",
                "return document.querySelectorAll('[data-testid=\"board\"] [data-card]').length >= 12",
            )
            .await?;
    }
    assert_eq!(
        ann.run::<Vec<String>>(CARDS).await?,
        bea.run::<Vec<String>>(CARDS).await?,
        "the same cards in both"
    );
    ann.click("no-set").await?;
    bea.find("flag-0").await?;
    bea.shot("set-phone").await?;
    ann.shot("set-desktop").await
}

#[tokio::test]
async fn a_whole_match_of_set_with_a_bot() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "set-classic", r#"{"no_claim":"auto"}"#, 2, &["easy"]).await?;
    let deadline = Instant::now() + Duration::from_secs(240);
    while stage(&ann).await? != "over" {
        if Instant::now() > deadline {
            ann.shot("set-stuck").await?;
            bail!("the match did not end:\n{}", ann.text().await?);
        }
        claim_a_set(&ann).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    ann.find("outcome").await?;
    // Who won has a face, and so has everybody who played.
    let faces =
        "const faces = what => document.querySelectorAll(`[data-testid=\"ended\"] ${what} .portrait`).length;
        return faces('[data-testid=\"victor\"]') > 0 && faces('[data-testid^=\"place-\"]') === 2";
    ann.until("faces", faces).await?;
    // How it went: each Set that was found stands in the table and on the line of time, before all the fastest and the mean.
    ann.find("mean").await?;
    assert!(ann.find("fastest").await?.text().await?.contains(" s"), "after how long");
    let found = "[...document.querySelectorAll('[data-testid=\"story\"] tbody td:nth-child(2)')].reduce((n, td) => n + Number(td.innerText), 0)";
    let marks = "document.querySelectorAll('[data-testid=\"story\"] .timeline circle').length";
    assert!(ann.run::<bool>(&format!("return {found} > 5 && {found} === {marks}")).await?);
    ann.shot("set-over").await?;
    // It is looked at again from one moment to the next.
    ann.click("watch").await?;
    let moment = "document.querySelector('[data-testid=\"moment\"]')?.innerText";
    for told in ["The cards are dealt", "finds it"] {
        ann.click("moment-next").await?;
        ann.until(told, &format!("return {moment}.includes('{told}')")).await?;
    }
    ann.click("moment-before").await?;
    ann.until("dealt", &format!("return {moment} === 'The cards are dealt'")).await?;
    // What stands beside a name follows from the place, whichever way one came there.
    let seats = "const seats = [...document.querySelectorAll('.score')];
        const found = seat => Number(seat.querySelector('.detail').innerText.match(/\\d+/)[0]);
        const beside = seat => seat.querySelectorAll('.minis.last .mini').length;";
    ann.click("replay-last").await?;
    ann.find("outcome").await?;
    let last = "return seats.some(found) && seats.every(seat => beside(seat) === (found(seat) ? 3 : 0))";
    ann.until("whoever found Sets has the last beside the name", &format!("{seats} {last}")).await?;
    ann.click("replay-first").await?;
    let none = "return seats.length === 2 && seats.every(seat => found(seat) === 0 && beside(seat) === 0)";
    ann.until("nobody has found one", &format!("{seats} {none}")).await?;
    // The Sets that lay there are drawn at a press.
    ann.click("moment-next").await?;
    ann.click("replay-more").await?;
    let drawn = "const count = document.querySelector('[data-testid=\"open-count\"]')?.innerText.match(/\\d+/);
        const lay = sets(cards('card').map(code).sort()).length;
        return cards('card').length >= 12 && Number(count) === lay && all('open-claims').every(list => list.children.length === lay)";
    ann.until("the Sets there are drawn", &format!("{TOOLS} {drawn}")).await?;
    ann.shot("replay-sets").await?;
    // What lay there at the beginning the solver says.
    ann.page.goto(server.url("/games")).await?;
    ann.click("replay-link").await?;
    ann.click("replay-first").await?;
    to_solver(&ann, &server, "/solve/set-classic?cards=", "[data-testid='solve-count']").await
}

#[tokio::test]
async fn a_whole_match_of_contract_rummy_with_bots() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "contract", "{}", 3, &["easy", "easy"]).await?;
    ann.find("hand").await?;
    play_on(&ann, "contract", 270, RUMMY).await?;
    // How it went: a line for each player, round by round, with marks of its own and the name at its end.
    ann.find("story").await?;
    let curve = "const curve = document.querySelector('[data-testid=\"story\"] .curve');
        if (!curve) return false;
        const all = what => [...curve.querySelectorAll(what)], texts = all('text').map(text => text.textContent);
        const marks = seat => new Set(all(`.mark.s${seat}`).map(mark => mark.getAttribute('d')));
        const own = [0, 1, 2].map(seat => [...marks(seat)]);
        const named = all('.named').map(name => name.getBoundingClientRect());
        return all('.line').length === 3 && all('.named').length === 3 && texts.includes('Ann') && texts.includes('7')
            && texts.includes('Round') && own.every(marks => marks.length === 1) && new Set(own.flat()).size === 3
            && named.every(a => named.every(b => a === b || a.bottom < b.top + 4 || b.bottom < a.top + 4))
            && named.every(at => at.right <= curve.getBoundingClientRect().right + 1)";
    ann.until("a curve that can be read", curve).await?;
    let faces =
        "const faces = what => document.querySelectorAll(`[data-testid=\"ended\"] ${what} .portrait`).length;
        return faces('[data-testid=\"victor\"]') > 0 && faces('[data-testid^=\"place-\"]') === 3";
    ann.until("faces", faces).await?;
    ann.shot("contract-over").await?;
    // It is kept, and can be looked at again.
    ann.page.goto(server.url("/games")).await?;
    ann.click("replay-link").await?;
    ann.click("replay-last").await?;
    ann.find("outcome").await?;
    // What happened is told up to there, though it was leapt over, and who won stands above the table.
    let told = "document.querySelectorAll('.rummy [data-testid=\"story\"] li').length";
    ann.until("what happened is told", &format!("return {told} > 0")).await?;
    let felt = "return JSON.stringify(document.querySelector('.felt').getBoundingClientRect())";
    let at_the_end: String = ann.run(felt).await?;
    ann.shot("replay-end").await?;
    // This device judges it again.
    let judged = "return document.querySelector('[data-testid=\"verified\"]')?.textContent.includes('has checked the match') ?? false";
    ann.until("it is verified", judged).await?;
    assert_eq!(ann.run::<Vec<String>>(OWNERS).await?, [""; 0], "a meld lies before whoever laid it");
    ann.click("replay-first").await?;
    ann.until(
        "the beginning",
        "return document.querySelector('[data-testid=\"replay-at\"]').innerText.startsWith('0 ')",
    )
    .await?;
    ann.until("nothing has happened there", &format!("return {told} === 0")).await?;
    assert_eq!(ann.run::<String>(felt).await?, at_the_end, "the table stays where it is");
    // What her hand is worth at the beginning the solver says.
    ann.run::<()>(
        "const eyes = document.querySelector('[data-testid=\"replay-eyes\"]');
        eyes.value = '0'; eyes.dispatchEvent(new Event('change', { bubbles: true }))",
    )
    .await?;
    ann.click("moment-next").await?;
    let plain =
        "return document.querySelectorAll('.hcard').length > 5 && !document.querySelector('.hcard.new')";
    ann.until("no card is marked as new", plain).await?;
    ann.click("replay-first").await?;
    to_solver(
        &ann,
        &server,
        "/solve/contract?round=1&hand=",
        "[data-testid='solve-missing'], [data-testid='solve-can']",
    )
    .await
}

/// Leaps through a replay of Contract Rummy, also between moments where as many melds lie, and finds those that lie before another
/// player than the one who laid them.
const OWNERS: &str = "return (async () => {
    const line = document.querySelector('.replay-line input'), moments = [], wrong = [];
    const go = async at => {
        line.value = at;
        line.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise(done => setTimeout(done, 60));
    };
    for (let n = 0; n <= 40; n++) {
        const at = Math.round((line.max * n) / 40);
        await go(at);
        moments.push([document.querySelectorAll('.tmeld').length, at]);
    }
    for (const [, at] of moments.toSorted(([a], [b]) => a - b)) {
        await go(at);
        for (const player of document.querySelectorAll('.player')) {
            const name = player.querySelector('.name').innerText.split(' ')[0];
            const melds = [...player.querySelectorAll('.tmeld-cards')].map(meld => meld.ariaLabel);
            wrong.push(...melds.filter(meld => !meld.includes(`of ${name}`)).map(meld => `${at}: ${meld} before ${name}`));
        }
    }
    return wrong;
})()";

/// Goes on a little in a replay, and takes what lies there then to the solver, where `answer` stands.
async fn to_solver(ann: &Browser, server: &Server, begins: &str, answer: &str) -> Result<()> {
    for _ in 0..3 {
        ann.click("replay-next").await?;
    }
    let link = "document.querySelector('[data-testid=\"to-solver\"]')?.getAttribute('href')";
    ann.until("it can be taken to the solver", &format!("return {link}?.startsWith('{begins}') ?? false"))
        .await?;
    ann.shot("replay").await?;
    let path: String = ann.run(&format!("return {link}")).await?;
    ann.page.goto(server.url(&path)).await?;
    ann.css(answer).await?;
    Ok(())
}

#[tokio::test]
async fn a_living_room_without_certificates_plays() -> Result<()> {
    let port = e2e::free_port()?;
    // By a name that is neither loopback nor https, the browser grants nothing that needs a secure context.
    let base = format!("http://cards.example:{port}");
    let server = Server::start_on(port, &["--base-url", &base]).await?;
    let ann = Browser::open(Screen::Phone, &["--host-resolver-rules=MAP cards.example 127.0.0.1"]).await?;
    named(&ann, &format!("{base}/"), "Ann").await?;
    assert!(!ann.run::<bool>("return window.isSecureContext").await?);
    begin(&ann, "set-classic", "{}", 2, &["easy"]).await?;
    ann.until(
        "cards lie there",
        "return document.querySelectorAll('[data-testid=\"board\"] [data-card]').length >= 12",
    )
    .await?;
    let deadline = Instant::now() + Duration::from_secs(60);
    let points = "return Number(document.querySelector('[data-testid=\"points-0\"]')?.innerText.match(/\\d+/)?.[0] ?? 0)";
    while ann.run::<f64>(points).await? == 0.0 {
        if Instant::now() > deadline {
            ann.shot("living-room-stuck").await?;
            bail!("no Set counted:\n{}", ann.text().await?);
        }
        claim_a_set(&ann).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(server);
    Ok(())
}

#[tokio::test]
async fn a_killed_server_comes_back_and_the_match_goes_on() -> Result<()> {
    let mut server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "contract", "{}", 3, &["random", "random"]).await?;
    ann.until(
        "cards are dealt",
        "return document.querySelectorAll('[data-testid=\"hand-card\"]').length >= 10",
    )
    .await?;
    let hand = "return [...document.querySelectorAll('[data-testid=\"hand-card\"]')].map(c => c.dataset.face).sort()";
    let before: Vec<String> = ann.run(hand).await?;
    server.kill_and_restart().await?;
    ann.until(
        "it is connected again",
        "return document.querySelector('[data-testid=\"reconnecting\"]') === null",
    )
    .await?;
    let after: Vec<String> = ann.run(hand).await?;
    assert_eq!(before, after, "the same hand, without a reload");
    Ok(())
}

/// The clock beside the board.
const CLOCK: &str = "return document.querySelector('[data-testid=\"clock\"]').innerText";
const CALL_DISABLED: &str = "return document.querySelector('[data-testid=\"call\"]').matches(':disabled')";

#[tokio::test]
async fn without_a_connection_clocks_stand_and_nothing_can_be_done() -> Result<()> {
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let wire = Wire::to(&server).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &wire.url("/"), "Ann").await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    ann.until(
        "the clock runs",
        "return !(document.querySelector('[data-testid=\"clock\"]')?.innerText ?? '0:00').startsWith('0:00')",
    )
    .await?;
    assert!(!ann.run::<bool>(CALL_DISABLED).await?);
    wire.cut();
    ann.find("reconnecting").await?;
    assert!(ann.run::<bool>(CALL_DISABLED).await?);
    let stood: String = ann.run(CLOCK).await?;
    // The keyboard is refused in words.
    ann.run::<()>("window.dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }))").await?;
    assert!(ann.find("refusal").await?.text().await?.contains("did not arrive"));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(ann.run::<String>(CLOCK).await?, stood);
    ann.shot("connection-lost").await?;
    wire.mend();
    ann.until("it is there again", "return !document.querySelector('[data-testid=\"reconnecting\"]')")
        .await?;
    ann.until("the clock runs", &format!("return (() => {{ {CLOCK} }})() !== '{stood}'")).await?;
    assert!(!ann.run::<bool>(CALL_DISABLED).await?);
    Ok(())
}

#[tokio::test]
async fn a_phone_that_wakes_is_back_within_a_second() -> Result<()> {
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let wire = Wire::to(&server).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &wire.url("/"), "Ann").await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    ann.find("board").await?;
    // Past the pings of the beginning: silence is no sign of anything.
    tokio::time::sleep(Duration::from_secs(6)).await;
    wire.go_dead();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let back = "const done = arguments[arguments.length - 1], began = performance.now();
        const lost = () => !!document.querySelector('[data-testid=\"reconnecting\"]');
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        let was = false;
        const look = setInterval(() => {
            was ||= lost();
            if (was && !lost()) { clearInterval(look); done(performance.now() - began); }
        }, 5);";
    let millis: f64 = serde_json::from_value(ann.page.execute_async(back, vec![]).await?.json().clone())?;
    assert!(millis < 1000.0, "{millis} ms");
    // A claim on a line that has gone dead arrives, too.
    tokio::time::sleep(Duration::from_secs(6)).await;
    wire.go_dead();
    ann.click("no-set").await?;
    ann.find("flag-0").await?;
    Ok(())
}

/// Colours, hand, keys and sound are this person's, on every table, and no look of the house is hard to read.
#[tokio::test]
async fn a_table_is_as_one_likes_it() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    let choose = |name: &str, value: &str| {
        format!(
            "document.querySelector('[data-testid=\"settings-{name}\"] input[value=\"{value}\"]').click()"
        )
    };
    ann.page.goto(server.url("/settings")).await?;
    ann.find("settings-keys").await?;
    for (name, value) in [("hand", "left"), ("keys", "own")] {
        ann.run::<()>(&choose(name, value)).await?;
    }
    // A row that is too short is refused in words, and the old one stands.
    let write = |row: &str| {
        format!(
            "const field = document.querySelector('[data-testid=\"own-keys\"]'); field.value = '{row}'; field.dispatchEvent(new Event('change'))"
        )
    };
    ann.find("own-keys").await?;
    let refused = "[...document.querySelectorAll('.refusal')].some(line => line.innerText.includes('ten different keys'))";
    ann.run::<()>(&write("7890")).await?;
    ann.until("it is refused", &format!("return {refused}")).await?;
    ann.run::<()>(&write("POIUYTREWQ")).await?;
    ann.until("it is taken", &format!("return !{refused}")).await?;
    let mut tables = vec![];
    for game in ["set-classic", "contract"] {
        ann.page.goto(server.url("/")).await?;
        begin(&ann, game, "{}", 3, &["easy", "easy"]).await?;
        ann.css("[data-testid='race'] .pcard, [data-testid='rummy'] .bar").await?;
        tables.push(ann.run::<String>("return location.pathname").await?);
    }
    // On the left lies what is pressed.
    let left = "const box = sort => document.querySelector(sort).getBoundingClientRect(); return box('.hand-tools').left > box('.hand').left && box('.side').left < box('.felt').left";
    assert!(ann.run::<bool>(left).await?, "the table of Contract Rummy is not turned");
    ann.page.goto(server.url(&tables[0])).await?;
    ann.css(".pcard").await?;
    let left = "const box = sort => document.querySelector(sort).getBoundingClientRect(); return box('.side').left < box('.board-room').left";
    assert!(ann.run::<bool>(left).await?, "the table of Set is not turned");
    // The first card has the first of one's own keys, and answers to it.
    ann.until("its key", "return document.querySelector('.pcard kbd').textContent.toLowerCase() === 'p'")
        .await?;
    ann.keys("p").await?;
    ann.until("it is picked", "return document.querySelector('.pcard').ariaPressed === 'true'").await?;
    ann.click("mute").await?;
    let muted = "return JSON.parse(localStorage['parlour.prefs']).sound === false";
    ann.until("no sound is kept", muted).await?;
    let mut faults = vec![];
    for look in ["blue", "red"] {
        ann.page.goto(server.url("/settings")).await?;
        ann.find("settings-look").await?;
        ann.run::<()>(&choose("look", look)).await?;
        for (theme, table) in [("light", &tables[0]), ("dark", &tables[1])] {
            ann.page.goto(server.url("/settings")).await?;
            ann.find("settings-theme").await?;
            ann.run::<()>(&choose("theme", theme)).await?;
            ann.page.goto(server.url(table)).await?;
            ann.css(".pcard, .hcard").await?;
            ann.shot(&format!("look-{look}-{theme}")).await?;
            let found = ann.barriers().await?.into_iter().flatten();
            faults.extend(found.map(|fault| format!("{look}, {theme}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

#[tokio::test]
async fn a_device_link_asks_before_it_takes_a_name() -> Result<()> {
    const WHO: &str = "const done = arguments[arguments.length - 1];
        fetch('/api/me').then(answer => answer.json()).then(me => done(me.name))";
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    table(&ann, "contract", "{}", 3, &["easy"]).await?;
    ann.click("menu").await?;
    ann.click("device").await?;
    ann.find("device-link").await?;
    let link: String =
        ann.run("return document.querySelector('[data-testid=\"device-link\"]').value").await?;

    let phone = Browser::open(Screen::Phone, &[]).await?;
    named(&phone, &server.url("/"), "Bea").await?;
    phone.page.goto(&link).await?;
    phone.find("device-take").await?;
    let said = phone.text().await?;
    assert!(said.contains("becomes Ann") && said.contains("It is Bea now"), "{said}");
    phone.shot("device-link").await?;
    phone.click("device-leave").await?;
    phone.find("lobby").await?;
    assert_eq!(phone.page.execute_async(WHO, vec![]).await?.json(), "Bea");

    phone.page.goto(&link).await?;
    phone.click("device-take").await?;
    phone.find("table").await?;
    assert_eq!(phone.page.execute_async(WHO, vec![]).await?.json(), "Ann");
    Ok(())
}
