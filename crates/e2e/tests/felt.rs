//! Both tables on every shape of screen: what is played with lies apart and in the window, and fits a finger.

use anyhow::{Result, ensure};
use e2e::steps::{IDLY, PAIRS, TOOLS, begin, begins, in_sight, named, play_until, table_of};
use e2e::{Browser, Screen, Server};
use serde_json::json;

/// A window: its width and height, and whether it is touched.
type Window = (u32, u32, bool);

const WINDOWS: [Window; 8] = [
    (320, 640, true),
    (390, 844, true),
    (667, 375, true),
    (844, 390, true),
    (820, 1180, true),
    (1280, 800, false),
    (1920, 1080, false),
    (3840, 2160, false),
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
    if (innerWidth >= 1000 && document.scrollingElement.scrollHeight > innerHeight) say(`the page is ${document.scrollingElement.scrollHeight} high`);
    // Everybody is called by name, and is known by a face or a colour.
    for (const plate of find('.players .plate')) {
        const name = plate.querySelector('.name'), text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
        const word = document.createRange();
        word.setStart(text, 0);
        word.setEnd(text, text.data.trim().split(' ')[0].length);
        const [at, ...broken] = word.getClientRects(), within = name.getBoundingClientRect();
        if (broken.length || at.width < 8 || at.right > within.right + 1 || at.bottom > within.bottom + 3)
            say(`the name ${word} is cut`);
        const portrait = plate.querySelector('.portrait');
        if (!shown(portrait) && getComputedStyle(plate).backgroundImage === 'none') say(`${word} has no colour`);
    }
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
        if (e.scrollWidth > e.clientWidth) {
            const right = e.getBoundingClientRect().left + e.clientWidth, past = [...e.querySelectorAll('*')].filter(it => it.getBoundingClientRect().right > right);
            say(`${within} scrolls sideways, ${e.scrollWidth} of ${e.clientWidth}, for ${past.map(name).slice(0, 4).join(', ')}`);
        }
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
    for (const [what, width] of Object.entries(large)) for (const e of find(what)) {
        const at = e.getBoundingClientRect();
        if (at.width < width) say(`${name(e)} is ${at.width.toFixed(1)} wide, and could be ${width}`);
    }
    return wrong;";

/// What uses the room there is, and how wide it is at least, in pixels.
type Large = &'static [(&'static str, u32)];

/// What a table must show, as JavaScript's variables for [`GEOMETRY`].
fn asked(window: Window, scrolls: &[&str], needed: &[&str], parts: &str) -> String {
    asked_large(window, scrolls, needed, &[], parts)
}

/// The same, with what must be large.
fn asked_large(window: Window, scrolls: &[&str], needed: &[&str], large: Large, parts: &str) -> String {
    let large: serde_json::Map<_, _> =
        large.iter().map(|(what, width)| ((*what).to_owned(), json!(width))).collect();
    let large = json!(large);
    format!(
        "const touched = {}, scrolls = {scrolls:?}, needed = {needed:?}, large = {large}; {parts} {GEOMETRY}",
        window.2
    )
}

const SET: &str = "const apart = ['.table-bar', '.race .scores', '.race .piles', '.banner', '.board-room', '.race .actions'],
    lists = ['.table-bar', '.race .scores ol', '.board .zone', '.race .actions'], whole = ['.board .pcard', '.score .points'],
    pressed = '.table-bar button, .race .actions button, .pcard';";

/// Looks at the table in every window, and says what lies wrong.
async fn look(ann: &Browser, state: &str, ask: impl Fn(Window) -> String) -> Result<Vec<String>> {
    look_in(&WINDOWS, ann, state, ask).await
}

/// Looks at it in these windows.
async fn look_in(
    windows: &[Window],
    ann: &Browser,
    state: &str,
    ask: impl Fn(Window) -> String,
) -> Result<Vec<String>> {
    let mut wrong = vec![];
    for window @ &(width, height, touched) in windows {
        ann.resize(width, height, touched).await?;
        // Two frames, so that everything has taken its place, and time for what travels there.
        // What is said for a moment lies over everything, and goes by itself or when it is pressed.
        let settled = "const done = arguments[arguments.length - 1];
            for (const close of document.querySelectorAll('.toast button')) close.click();
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 400)))";
        ann.page.execute_async(settled, vec![]).await?;
        let found: Vec<String> = ann.run(&ask(*window)).await?;
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
            // Twelve cards fill a phone that stands. Of six the dealer may need a second line.
            let large: Large = match (cards, opponents, window.0) {
                (12, 1, 390) => &[(".board .pcard", 138)],
                (12, _, 390) => &[(".board .pcard", 134)],
                _ => &[],
            };
            asked_large(
                window,
                scrolls(window),
                &[".table-bar", ".scores", ".board .pcard", "[data-testid='call']", "[data-testid='no-set']"],
                large,
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

/// The same before a card is drawn.
const DRAWS: &str = "const apart = ['.advice select', '.advice h2', '.advice > [data-testid=\"advice-close\"]', '.bar'], lists = ['.bar'],
    whole = ['.advice', '.advice h2'], pressed = '.bar button:not(:disabled), .advice button';";

#[tokio::test]
async fn nothing_of_a_rummy_table_lies_over_another_thing_or_outside() -> Result<()> {
    let mut wrong = vec![];
    for opponents in [2u8, 4, 7] {
        let server = Server::start(&["--bot-pace", "10"]).await?;
        let ann = Browser::open(Screen::Desktop, &[]).await?;
        named(&ann, &server.url("/"), "Ann").await?;
        begin(&ann, "may-i", "{}", 1 + opponents, &vec!["easy"; opponents.into()]).await?;
        let turn = "return press('pass'), document.querySelector('[data-testid=\"draw-stock\"]:not(:disabled)') !== null";
        ann.until("her turn", &format!("{TOOLS} {turn}")).await?;
        // What she is told to draw stands clear of what closes it, though nothing was compared.
        ann.keys("h").await?;
        ann.css("[data-testid='advice-why'] > *").await?;
        let draws = |window: Window| asked(window, &[".players"], &[".advice h2"], DRAWS);
        wrong.extend(look(&ann, &format!("rummy-{opponents}-draws"), draws).await?);
        ann.until("she draws", &format!("{TOOLS} return press('draw-stock')")).await?;
        let deciding = "return document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind === 'play'";
        ann.until("she has drawn", deciding).await?;
        let needed = [".player", ".pile-button", ".stage-slot", ".bar", ".hand .hcard"];
        // On the smallest of phones seven scroll in their own list.
        let scrolls = |(_, height, _): Window| -> &'static [&'static str] {
            if opponents == 7 && height <= 640 { &[".players", ".felt > .players"] } else { &[] }
        };
        // A tablet that stands has room for large piles and a large hand.
        let large = |(width, ..): Window| -> Large {
            match (width, opponents) {
                (820, 2) => &[(".pile-button", 140), (".hand .hcard", 105)],
                (820, _) => &[(".pile-button", 110), (".hand .hcard", 105)],
                _ => &[],
            }
        };
        let table = |window: Window| asked_large(window, scrolls(window), &needed, large(window), RUMMY);
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

/// With so many jokers everybody lays what is asked for in the first turn, and nobody adds to them before all have.
const LAID: &str = r#"
id = "laid"
name = "Laid"
base = "contract"
players.max = 8
deck.decks = 3
deck.jokers = 48
[take]
on = false
[layoff]
all_down = true
[[round]]
"#;
const TWO_MELDS: &str = "contract = ['G3', 'R4']\ndeal = 14\n";

/// Every one of the `expected` melds is in sight and can be hit, and says by its cards what it is.
const MELDS: &str = "const apart = ['.table-bar', '.felt > .players', '.felt > .middle', '.bar', '.hand-tools', '.hand-room'],
    lists = [], whole = ['.players .tmeld', '.hand .hcard'], pressed = '.pile-button, .bar button:not(:disabled)';
    const seen = [];
    for (const meld of document.querySelectorAll('.players .tmeld')) {
        const at = meld.getBoundingClientRect(), there = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
        if (!meld.contains(there)) seen.push(`${meld.dataset.testid} is covered`);
        if (at.width < 32 || at.height < 30) seen.push(`${meld.dataset.testid} is ${at.width.toFixed(1)} by ${at.height.toFixed(1)}`);
        for (const card of meld.querySelectorAll('.mcard'))
            if (card.getBoundingClientRect().width < 7.5) seen.push(`a card of ${meld.dataset.testid} shows too little`);
    }
    const melds = document.querySelectorAll('.players .tmeld').length;
    if (melds !== expected) seen.push(`${melds} melds`);";

/// Puts cards into each box that has none: what is selected, or the first three of the hand.
const PREPARE: &str =
    "const empty = [...document.querySelectorAll('.stage-slot')].find(box => box.dataset.state === 'empty');
    const put = empty?.querySelector('[data-testid^=\"stage-put\"]');
    const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'));
    const select = card => card.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
    if (put) put.click(); else if (empty) hand.slice(0, 3).forEach(select);
    return !empty;";

#[tokio::test]
async fn what_others_have_laid_is_seen_at_once() -> Result<()> {
    all_laid(2, TWO_MELDS).await
}

#[tokio::test]
async fn three_melds_of_each_are_seen_at_once() -> Result<()> {
    all_laid(3, "contract = ['G3', 'R4', 'G3']\ndeal = 12\n").await
}

/// Looks at what lies there when all others have laid so many melds, and that is what the round asks for.
async fn all_laid(each: u8, round: &str) -> Result<()> {
    let mut wrong = vec![];
    for opponents in [2, 3, 5, 7] {
        wrong.extend(laid_by(opponents, each, round).await?);
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// What lies wrong when so many others have laid so many melds each.
async fn laid_by(opponents: u8, each: u8, round: &str) -> Result<Vec<String>> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    table_of(
        &ann,
        &json!({ "rules": format!("{LAID}{round}") }),
        "{}",
        1 + opponents,
        &vec!["easy"; opponents.into()],
    )
    .await?;
    begins(&ann).await?;
    let melds = each * opponents;
    // Somebody may need a few turns.
    let laid = format!(
        "return document.querySelectorAll('.players .tmeld').length === {melds}
            && document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind === 'start'"
    );
    play_until(&ann, "all have laid their contracts", IDLY, &laid).await?;
    let ask = |window: Window| {
        let others = format!("const expected = {melds}; {MELDS}");
        asked(window, &[], &[".player", ".pile-button", ".stage-slot"], &others)
            .replace("return wrong;", "return wrong.concat(seen);")
    };
    ann.run::<()>("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))").await?;
    let state = format!("rummy-laid-{opponents}-{each}");
    let mut wrong = look_in(&WINDOWS, &ann, &state, ask).await?;
    // Also while a card is chosen that goes somewhere.
    ann.run::<()>(&format!(
        "{TOOLS} cards('hand-card')[0].dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: 0 }}))"
    ))
    .await?;
    let chosen = format!("{state}-chosen");
    wrong.extend(look_in(&[(320, 640, true), (1280, 800, false)], &ann, &chosen, ask).await?);
    // And with cards prepared for each meld, whatever they make.
    ann.until("each box has cards", &format!("{TOOLS} {PREPARE}")).await?;
    let low = WINDOWS.into_iter().filter(|(_, height, _)| *height < 1000).collect::<Vec<_>>();
    wrong.extend(look_in(&low, &ann, &format!("{state}-prepared"), ask).await?);
    // Magnified fourfold the page scrolls, and everybody still has a name.
    ann.resize(320, 200, false).await?;
    let names = asked(
        (320, 200, false),
        &[],
        &[".player"],
        "const apart = [], lists = [], whole = [], pressed = '.none';",
    );
    let cut = ann.run::<Vec<String>>(&names).await?.into_iter().filter(|found| found.contains("name"));
    wrong.extend(cut.map(|cut| format!("{state}, 320x200: {cut}")));
    ann.shot(&format!("felt-{state}-320x200")).await?;
    Ok(wrong)
}

/// The lessons that this test brings up, each with what it speaks of.
const LESSONS: [(&str, u32, &[&str]); 13] = [
    ("aim", 0, &[".contract-box", ".hand .hcard"]),
    ("score", 1, &[".round-over"]),
    ("lay", 2, &[".stage", ".hand .hcard"]),
    ("prepare", 3, &[".stage", ".hand .hcard"]),
    ("offer", 4, &[".piles-row", ".hand .hcard"]),
    ("draw", 5, &[".piles-row", ".contract-box", ".hand .hcard"]),
    ("joker", 6, &[".hand .hcard"]),
    ("lay_off", 7, &[".me .tmeld", ".hand .hcard"]),
    ("collect", 8, &[".hand-tools", ".hand .hcard"]),
    ("discard", 9, &[".piles-row", ".hand .hcard"]),
    ("group", 10, &[".contract-box", ".hand .hcard"]),
    ("run", 11, &[".contract-box", ".hand .hcard"]),
    ("done", 12, &[".hand .hcard"]),
];

#[tokio::test]
async fn no_lesson_covers_what_it_speaks_of() -> Result<()> {
    let mut wrong = vec![];
    // Nobody may open more than ten tables.
    for lessons in LESSONS.chunks(7) {
        wrong.extend(covered_by(lessons).await?);
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// What of these lessons lies wrong.
async fn covered_by(lessons: &[(&str, u32, &[&str])]) -> Result<Vec<String>> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    ann.run::<()>("localStorage['parlour.prefs'] = JSON.stringify({ ...JSON.parse(localStorage['parlour.prefs']), coach: true })").await?;
    let mut wrong = vec![];
    for &(lesson, place, about) in lessons {
        // Nothing but this one is left to be explained.
        ann.run::<()>(&format!("localStorage['parlour.coach'] = {}", 0x1fff & !(1u32 << place))).await?;
        let game = match lesson {
            "prepare" | "lay" => {
                json!({ "rules": format!("{PAIRS}[[round]]\ncontract = [\"G3\", \"R4\"]\n") })
            }
            "score" => {
                let quick = JOKERS.replace("deal = 14", "deal = 5");
                json!({ "rules": format!("{quick}[[round]]\ncontract = [\"G3\"]\n") })
            }
            "joker" | "run" => json!({ "rules": format!("{LAID}{TWO_MELDS}") }),
            "lay_off" => json!({ "rules": JOKERS }),
            _ => json!({ "preset": "may-i" }),
        };
        table_of(&ann, &game, "{}", 3, &["easy", "easy"]).await?;
        begins(&ann).await?;
        let step = match lesson {
            "aim" | "done" => "",
            "draw" => "press('pass');",
            "lay" => LAY_READY,
            "lay_off" => LAY_GROUP,
            "offer" => {
                "if (!['offer', 'open'].includes(document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind)) idle();"
            }
            "score" => IDLY,
            _ => "if (!press('pass')) window.drawn ||= press('draw-stock');",
        };
        let comes = format!(
            "return document.querySelector('[data-testid=\"coach\"]')?.dataset.lesson === '{lesson}'"
        );
        play_until(&ann, &format!("the lesson {lesson}"), step, &comes).await?;
        let parts = format!(
            "const about = {about:?}, apart = ['.table-bar', '.felt > .coach', '.bar', '.hand-room', ...about.filter(part => part !== '.hand .hcard')],
            lists = [], whole = ['.coach p', '.coach h2', '.coach button', ...about], pressed = '.coach button';"
        );
        let needed: Vec<&str> = about.iter().copied().chain([".coach p"]).collect();
        let ask = |window: Window| asked(window, &[".players", ".said"], &needed, &parts);
        let small = WINDOWS.into_iter().filter(|(width, ..)| *width < 1000).collect::<Vec<_>>();
        wrong.extend(look_in(&small, &ann, &format!("lesson-{lesson}"), ask).await?);
    }
    Ok(wrong)
}

/// Nearly every other card is a joker.
const JOKERS: &str = r#"
id = "jokers"
name = "Jokers"
base = "contract"
deck.decks = 1
deck.jokers = 48
layoff.when = "same-turn"
[take]
on = false
[[round]]
contract = ["G3"]
deal = 14
"#;

/// Draws, prepares a card and two jokers, and lays them.
const LAY_GROUP: &str =
    "if (!press('pass') && (window.drawn ||= press('draw-stock')) && !press('meld') && !press('stage-put-0')) {
        const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'));
        const joker = card => card.dataset.face === 'JK';
        const three = [...hand.filter(card => !joker(card)).slice(0, 1), ...hand.filter(joker).slice(0, 2)];
        three.forEach(card => card.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 })));
    }";

/// Draws, and puts a pair in each box.
const LAY_READY: &str =
    "if (!press('pass') && (window.drawn ||= press('draw-stock'))) for (const n of [0, 1]) {
        if (document.querySelector(`[data-testid='stage-${n}']`)?.dataset.state !== 'empty') continue;
        const put = all(`stage-put-${n}`)[0];
        if (put) { put.click(); break; }
        const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'));
        const rank = card => card.dataset.face.slice(0, -1);
        const pair = hand.flatMap((a, i) => hand.slice(i + 1).map(b => [a, b]))
            .find(([a, b]) => a.dataset.face !== 'JK' && b.dataset.face !== 'JK' && rank(a) === rank(b));
        pair?.forEach(card => card.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 })));
        break;
    }";

#[tokio::test]
async fn what_is_said_lies_over_nobodys_plate() -> Result<()> {
    const SAID: &str = "const bubbles = [...document.querySelectorAll('.bubble')].map(e => e.getBoundingClientRect());
        if (!bubbles.length) return ['nothing is said'];
        return [...document.querySelectorAll('.plate, .hcard, .tmeld')].flatMap(e => {
            const at = e.getBoundingClientRect();
            const over = at.width > 0 && bubbles.some(b => b.left < at.right - 1 && b.right > at.left + 1 && b.top < at.bottom - 1 && b.bottom > at.top + 1);
            return over ? [e.className] : [];
        })";
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    let mut wrong = vec![];
    for hand in ["left", "right"] {
        ann.run::<()>(&format!(
            "localStorage['parlour.prefs'] = JSON.stringify({{ ...JSON.parse(localStorage['parlour.prefs']), hand: '{hand}' }})"
        ))
        .await?;
        begin(&ann, "may-i", "{}", 8, &["easy"; 7]).await?;
        ann.css(".hand .hcard").await?;
        assert_eq!(ann.run::<String>("return document.documentElement.dataset.hand").await?, hand);
        for (width, height, touched) in WINDOWS {
            ann.resize(width, height, touched).await?;
            ann.click("phrases").await?;
            ann.css(".phrase-list button").await?;
            ann.run::<()>("document.querySelector('.phrase-list button').click()").await?;
            ann.css(".bubble").await?;
            let found: Vec<String> = ann.run(SAID).await?;
            if !found.is_empty() {
                ann.shot(&format!("felt-said-{hand}-{width}x{height}")).await?;
                wrong.push(format!("{hand}, {width}x{height}: it lies over {found:?}"));
            }
            ann.until("it is over", "return !document.querySelector('.bubble')").await?;
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
