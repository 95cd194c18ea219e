//! Both tables on every shape of screen: what is played with lies apart and in the window, and fits a finger.

use anyhow::{Result, ensure};
use e2e::steps::{TOOLS, begin, in_sight, named};
use e2e::{Browser, Screen, Server};
use serde_json::json;

/// A window: its width and height, and whether it is touched.
type Window = (u32, u32, bool);

const WINDOWS: [Window; 7] = [
    (320, 640, true),
    (390, 844, true),
    (667, 375, true),
    (844, 390, true),
    (820, 1180, true),
    (1280, 800, false),
    (1920, 1080, false),
];

/// Finds what lies wrong. `apart` are the parts of the table, none over another; of each of `lists` the same is true of what is
/// in it; all of it lies in the window. What scrolls inside itself may only do so where `scrolls` says so.
const GEOMETRY: &str = "
    const wrong = [], say = text => wrong.push(text);
    const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
    const find = what => [...document.querySelectorAll(what)].filter(shown);
    const name = e => e.dataset.testid ?? (e.className.baseVal ?? e.className) + (e.tagName === 'BUTTON' ? ` '${e.innerText}'` : '');
    const round = at => [at.left, at.top, at.right, at.bottom].map(Math.round).join(' ');
    const inside = (e, [left, top, right, bottom], of) => {
        const at = e.getBoundingClientRect();
        if (at.left < left - 1 || at.top < top - 1 || at.right > right + 1 || at.bottom > bottom + 1)
            say(`${name(e)} (${round(at)}) is not within ${of}`);
    };
    const disjoint = list => list.forEach((one, n) => list.slice(n + 1).forEach(other => {
        const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
        const over = Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
        if (over > 1) say(`${name(one)} (${round(a)}) and ${name(other)} (${round(b)}) overlap by ${over.toFixed(1)}`);
    }));
    const view = [0, 0, innerWidth, innerHeight];
    scrollTo({ top: 0, behavior: 'instant' });
    if (document.scrollingElement.scrollWidth > innerWidth) say(`the page is ${document.scrollingElement.scrollWidth} wide`);
    const parts = apart.flatMap(find);
    apart.filter(what => !scrolls.includes(what)).flatMap(find).forEach(e => inside(e, view, 'the window'));
    disjoint(parts);
    for (const what of lists) {
        for (const parent of find(what)) {
            const children = [...parent.children].filter(shown);
            disjoint(children);
            const at = parent.getBoundingClientRect();
            if (!scrolls.includes(what)) children.forEach(e => inside(e, [at.left, at.top, at.right, at.bottom], name(parent)));
        }
    }
    for (const what of whole) for (const e of find(what)) inside(e, view, 'the window');
    // Nothing lies over the middle of what is pressed.
    for (const e of find(pressed)) {
        const at = e.getBoundingClientRect(), there = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
        if (!e.contains(there)) say(`${name(e)} is covered by ${there ? name(there) : 'the end of the window'}`);
        if (touched && (at.width < 43.5 || at.height < 43.5)) say(`${name(e)} is ${at.width.toFixed(1)} by ${at.height.toFixed(1)}`);
    }
    for (const e of find('.said, .players')) {
        const within = e.matches('.players') ? '.players' : '.said';
        if (!scrolls.includes(within) && e.scrollHeight > e.clientHeight + 2) say(`${within} scrolls: ${e.scrollHeight} of ${e.clientHeight}`);
    }
    // So much of each card of a hand is seen across its middle: enough to be read and hit.
    const least = touched ? 20 : 24, narrow = find('.hand .hcard').filter(card => {
        const at = card.getBoundingClientRect(), y = at.top + at.height / 2;
        let seen = 0;
        for (let x = at.left; x < at.right; x++) seen += card.contains(document.elementFromPoint(x, y));
        return seen < least;
    });
    if (narrow.length) say(`${narrow.length} cards of the hand show less than ${least} pixels`);
    for (const what of needed) if (!find(what).length) say(`${what} is missing`);
    return wrong;";

/// What a table must show, as JavaScript's variables for [`GEOMETRY`].
fn asked(window: Window, scrolls: &[&str], needed: &[&str], parts: &str) -> String {
    format!("const touched = {}, scrolls = {scrolls:?}, needed = {needed:?}; {parts} {GEOMETRY}", window.2)
}

const SET: &str = "const apart = ['.table-bar', '.race .scores', '.race .piles', '.banner', '.board-room', '.race .actions'],
    lists = ['.table-bar', '.race .scores ol', '.board .zone', '.race .actions'], whole = ['.board .pcard', '.score .points'],
    pressed = '.table-bar button, .race .actions button, .pcard';";

/// Looks at the table in every window, and says what lies wrong.
async fn look(ann: &Browser, state: &str, ask: impl Fn(Window) -> String) -> Result<Vec<String>> {
    let mut wrong = vec![];
    for window @ (width, height, touched) in WINDOWS {
        ann.resize(width, height, touched).await?;
        // Two frames, so that everything has taken its place, and time for what travels there.
        // What is said for a moment lies over everything, and goes by itself or when it is pressed.
        let settled = "const done = arguments[arguments.length - 1];
            for (const close of document.querySelectorAll('.toast button')) close.click();
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 400)))";
        ann.page.execute_async(settled, vec![]).await?;
        let found: Vec<String> = ann.run(&ask(window)).await?;
        if !found.is_empty() || std::env::var_os("PARLOUR_SHOTS").is_some() {
            ann.shot(&format!("felt-{state}-{width}x{height}")).await?;
        }
        wrong.extend(found.into_iter().map(|found| format!("{state}, {width}x{height}: {found}")));
    }
    Ok(wrong)
}

/// Asks a bot, and once more where somebody took a Set before it had an answer, which is then for other cards.
const ASK: &str = r#"
    const answered = !!document.querySelector('[data-testid="advice-why"] > *');
    if (!answered && !(performance.now() - window.asked < 5000)) {
        window.asked = performance.now();
        document.querySelector('[data-testid="ask-advice"]')?.click();
    }
    return answered;"#;

#[tokio::test]
async fn nothing_of_a_set_table_lies_over_another_thing_or_outside() -> Result<()> {
    let mut wrong = vec![];
    for (cards, opponents) in [(12, 1), (12, 5), (15, 2), (18, 3)] {
        let server = Server::start(&["--bot-pace", "1000"]).await?;
        let ann = Browser::open(Screen::Desktop, &[]).await?;
        named(&ann, &server.url("/"), "Ann").await?;
        begin(
            &ann,
            "set-classic",
            &json!({ "base": cards }).to_string(),
            1 + opponents,
            &vec!["easy"; opponents.into()],
        )
        .await?;
        in_sight(&ann, "[data-testid='board'] [data-card]", cards).await?;
        // Beside six in a window so low the piles scroll in their own list.
        let scrolls = |(_, height, _): Window| -> &'static [&'static str] {
            if opponents > 3 && height == 390 { &[".race .piles"] } else { &[] }
        };
        let ask = |window: Window| {
            asked(
                window,
                scrolls(window),
                &[".table-bar", ".scores", ".board .pcard", "[data-testid='call']", "[data-testid='no-set']"],
                // Eighteen cards have no room to be large on the lowest.
                &if cards == 18 && window.1 == 375 { SET.replace(", .pcard'", "'") } else { SET.to_owned() },
            )
        };
        wrong.extend(look(&ann, &format!("set-{cards}-{opponents}"), ask).await?);
        // What a bot would find is in sight, and the buttons under it, too.
        ann.until("advice", ASK).await?;
        let hint =
            |window: Window| asked(window, &[], &[".advice h2", ".asks", "[data-testid='call']"], SET_HINT);
        wrong.extend(look(&ann, &format!("set-{cards}-{opponents}-hint"), hint).await?);
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The same while a bot is asked: what it would do is in sight. Why may scroll in a narrow column.
const SET_HINT: &str = "const apart = ['.table-bar', '.race > .advice', '.actions'], lists = ['.actions'],
    whole = ['.advice', '.advice .row', '.advice h2', '.actions button'],
    pressed = '.table-bar button, .actions button:not(:disabled), .advice button';";

/// Once melds are laid, which somebody may do before her first turn, those who have many scroll in their own list.
const RUMMY: &str = "if (document.querySelector('.players .tmeld')) scrolls.push('.players', '.felt > .players');
    const apart = ['.table-bar', '.felt > .players', '.felt > .middle', '.felt > .me', '.bar', '.hand-tools', '.hand-room'],
    lists = ['.felt > .players', '.bar', '.hand-tools', '.stage'], whole = ['.hand .hcard', ...scrolls.length ? [] : ['.plate']],
    pressed = '.table-bar button, .bar button:not(:disabled), .hand-tools button, .pile-button, .stage-tools button';";

/// Beside [`RUMMY`], while advice lies over the felt: what to do and why is in sight. It scrolls where more was compared.
const HINT: &str = "const apart = ['.table-bar', '.felt > .advice', '.bar', '.hand-tools', '.hand-room'], lists = ['.bar', '.hand-tools'],
    whole = ['.advice', '.advice .row', '.advice h2', '.reasons li:first-child', '.hand .hcard'],
    pressed = '.table-bar button, .bar button:not(:disabled), .hand-tools button, .advice button';";

#[tokio::test]
async fn nothing_of_a_rummy_table_lies_over_another_thing_or_outside() -> Result<()> {
    let mut wrong = vec![];
    for opponents in [2u8, 4, 7] {
        let server = Server::start(&["--bot-pace", "10"]).await?;
        let ann = Browser::open(Screen::Desktop, &[]).await?;
        named(&ann, &server.url("/"), "Ann").await?;
        begin(&ann, "may-i", "{}", 1 + opponents, &vec!["easy"; opponents.into()]).await?;
        ann.until("her turn", &format!("{TOOLS} return press('pass'), press('draw-stock')")).await?;
        let deciding = "return document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind === 'play'";
        ann.until("she has drawn", deciding).await?;
        let needed = [".player", ".pile-button", ".stage-slot", ".bar", ".hand .hcard"];
        // On the smallest of phones seven scroll in their own list.
        let scrolls = |(_, height, _): Window| -> &'static [&'static str] {
            if opponents == 7 && height <= 640 { &[".players", ".felt > .players"] } else { &[] }
        };
        let table = |window: Window| asked(window, scrolls(window), &needed, RUMMY);
        wrong.extend(look(&ann, &format!("rummy-{opponents}"), table).await?);
        // What a bot would do is in sight, beside the hand that it is about.
        ann.keys("h").await?;
        ann.css("[data-testid='advice-why'] > *").await?;
        let hint = |window: Window| asked(window, &[".players"], &[".advice h2", ".hand .hcard"], HINT);
        wrong.extend(look(&ann, &format!("rummy-{opponents}-hint"), hint).await?);
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
