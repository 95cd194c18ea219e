//! What people at a table need: who is waited for, what can be pressed, and nothing that hides it or moves it away.

use anyhow::{Context, Result, ensure};
use e2e::steps::{
    IDLY, PAIRS, SHORT, TOOLS, begin, begins, in_sight, named, play_until, start, table, table_as, table_of,
};
use e2e::{Browser, Screen, Server, Wire};
use serde_json::json;
use std::time::{Duration, Instant};

/// Somebody with a name at a server of her own.
async fn ann(screen: Screen, args: &[&str]) -> Result<(Server, Browser)> {
    let server = Server::start(args).await?;
    let ann = Browser::open(screen, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    Ok((server, ann))
}

/// Waits until what is under each of these test ids can be pressed where it stands: nothing lies over its middle.
async fn uncovered(browser: &Browser, ids: &[&str]) -> Result<()> {
    for id in ids {
        let top = format!(
            "const e = document.querySelector('[data-testid=\"{id}\"]'), at = e?.getBoundingClientRect();
            return !!e && e.contains(document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2))"
        );
        browser.until(&format!("{id} lies open"), &top).await?;
    }
    Ok(())
}

/// The kind of the question of the moment.
const KIND: &str = "document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind";

#[tokio::test]
async fn those_who_sit_there_play_and_free_seats_are_called_free() -> Result<()> {
    let (server, ann) = ann(Screen::Desktop, &["--bot-pace", "20"]).await?;
    table(&ann, "contract", "{}", 5, &["random"]).await?;
    // The button says beforehand that two are too few.
    ann.until(
        "why it cannot begin",
        "return document.querySelector('[data-testid=\"waiting\"]')?.innerText === 'Contract Rummy is for 3 to 5; 2 sit here.'
            && document.querySelector('[data-testid=\"start\"]')?.disabled === true",
    )
    .await?;
    ann.click("add-bot-2").await?;
    ann.until(
        "three may",
        "return document.querySelector('[data-testid=\"start\"]')?.innerText === 'Start with 3'",
    )
    .await?;
    ann.shot("table-free-seats").await?;
    start(&ann).await?;
    begins(&ann).await?;
    ann.until("three play", "return document.querySelectorAll('.player').length === 3").await?;

    // Where others may join later, their seats wait for them.
    ann.page.goto(server.url("/")).await?;
    table(&ann, "set-classic", "{}", 3, &["random"]).await?;
    start(&ann).await?;
    begins(&ann).await?;
    ann.until(
        "a free seat",
        "return document.querySelector('[data-testid=\"score-2\"] .name')?.innerText === 'free seat'",
    )
    .await?;
    ann.shot("table-free-seat-race").await
}

#[tokio::test]
async fn what_is_left_of_a_round_hides_nothing_of_the_next() -> Result<()> {
    for (screen, name) in [(Screen::Desktop, "desk"), (Screen::Phone, "phone")] {
        let (_server, ann) = ann(screen, &["--bot-pace", "5"]).await?;
        // Where the host wants no pause the next round runs meanwhile.
        short_table(&ann, 3, 0, &["easy", "easy"]).await?;
        begins(&ann).await?;
        let over = "return !!document.querySelector('[data-testid=\"round-summary\"] h2')";
        play_until(&ann, "a round is over", IDLY, over).await?;
        assert_eq!(ann.count("dialog[open]").await?, 0, "nothing lies over the table");
        uncovered(&ann, &["prompt", "discard-pile", "hand-card", "round-close"]).await?;
        ann.shot(&format!("table-round-{name}")).await?;
        ann.click("round-close").await?;
        ann.until("it is read", "return !document.querySelector('[data-testid=\"round-summary\"] h2')")
            .await?;
    }
    Ok(())
}

/// A table of [`SHORT`] with a pause between rounds of so many seconds.
async fn short_table(ann: &Browser, seats: u8, rest_s: u8, bots: &[&str]) -> Result<String> {
    let body = json!({ "game": { "rules": SHORT }, "seats": seats, "bots": bots, "rest_s": rest_s });
    table_as(ann, &body.to_string()).await
}

/// Whether the next round is dealt.
const DEALT: &str =
    "return document.querySelectorAll('[data-testid=\"hand\"] [data-testid=\"hand-card\"]').length >= 5
    && document.querySelector('[data-testid=\"contract-text\"]').innerText.includes('run')";

/// Whether what is left of the last round is shown.
const SUMMARY: &str = "return !!document.querySelector('section[data-testid=\"round-summary\"] h2')";

#[tokio::test]
async fn between_two_rounds_all_have_time_to_read_how_the_last_one_ended() -> Result<()> {
    for (screen, name) in [(Screen::Desktop, "desk"), (Screen::Phone, "phone")] {
        let (_server, ann) = ann(screen, &["--bot-pace", "5"]).await?;
        short_table(&ann, 3, 200, &["easy", "easy"]).await?;
        begins(&ann).await?;
        play_until(&ann, "a round is over", IDLY, SUMMARY).await?;
        let asked = format!("return {KIND} === 'rest'");
        ann.until("it rests", &asked).await?;
        uncovered(&ann, &["round-summary", "countdown", "round-close"]).await?;
        in_sight(&ann, "[data-testid='round-close'], .round-over h2", 2).await?;
        let sorts = "return document.querySelector('[data-testid=\"sort-rank\"]').checkVisibility({ visibilityProperty: true })";
        anyhow::ensure!(!ann.run::<bool>(sorts).await?, "there is nothing to sort");
        // The bots are as quick as they can be: whatever is asked behind the summary comes now.
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            anyhow::ensure!(ann.run::<bool>(&asked).await?, "{}", ann.text().await?);
            anyhow::ensure!(ann.run::<bool>(SUMMARY).await?, "it stays");
        }
        anyhow::ensure!(ann.count("[data-testid='hand-card']").await? == 0, "nothing is dealt");
        anyhow::ensure!(ann.count("[data-testid='paused']").await? == 0, "no banner moves the table");
        ann.shot(&format!("table-rest-{name}")).await?;
        ann.page.refresh().await?;
        ann.until("it rests after a reload, too", &asked).await?;
        ann.until("what is left of the round", SUMMARY).await?;
        if name == "desk" {
            ann.keys("g").await?;
        } else {
            ann.click("round-close").await?;
        }
        ann.until("the next round", DEALT).await?;
        ann.until("it was read", &format!("return !(() => {{ {SUMMARY} }})()")).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_next_round_waits_for_all_and_no_longer_than_it_may() -> Result<()> {
    let (server, ann) = ann(Screen::Desktop, &["--bot-pace", "5"]).await?;
    let path = short_table(&ann, 3, 20, &["easy"]).await?;
    let bob = Browser::open(Screen::Phone, &[]).await?;
    named(&bob, &server.url("/"), "Bob").await?;
    bob.page.goto(server.url(&path)).await?;
    bob.click("sit-2").await?;
    bob.click("ready").await?;
    start(&ann).await?;
    for person in [&ann, &bob] {
        begins(person).await?;
    }
    let deadline = Instant::now() + Duration::from_secs(120);
    let idly = format!("{TOOLS} if ({KIND} === 'rest') return true; {IDLY}; return false");
    while !(ann.run::<bool>(&idly).await? & bob.run::<bool>(&idly).await?) {
        anyhow::ensure!(Instant::now() < deadline, "no round is over\n{}", ann.text().await?);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    let began = Instant::now();
    ann.click("round-close").await?;
    let waits =
        "return document.querySelector('[data-testid=\"prompt\"]').innerText.includes('Waiting for Bob')";
    ann.until("it is said who is waited for", waits).await?;
    let seconds = "return Number.parseInt(document.querySelector('[data-testid=\"countdown\"]').innerText)";
    let left: f64 = ann.run(seconds).await?;
    anyhow::ensure!((1.0..=20.0).contains(&left), "{left} s");
    ann.shot("table-rest-waits").await?;
    while !ann.run::<bool>(DEALT).await? {
        anyhow::ensure!(began.elapsed() < Duration::from_secs(40), "it waits for ever");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    anyhow::ensure!(began.elapsed() > Duration::from_secs(15), "{:?}", began.elapsed());
    // Who has not read it can do so.
    anyhow::ensure!(!ann.run::<bool>(SUMMARY).await?, "Ann has");
    bob.until("Bob has not", SUMMARY).await?;
    bob.click("round-close").await?;
    bob.until("Bob has", &format!("return !(() => {{ {SUMMARY} }})()")).await
}

#[tokio::test]
async fn who_learns_contract_rummy_is_told_at_the_table_what_comes_up() -> Result<()> {
    let (server, ann) = ann(Screen::Phone, &["--bot-pace", "20"]).await?;
    ann.page.goto(server.url("/")).await?;
    ann.click("learn-contract").await?;
    let lesson = "const lesson = document.querySelector('[data-testid=\"coach\"]')?.dataset.lesson";
    ann.until("the aim comes first", &format!("{lesson}; return lesson === 'aim'")).await?;
    uncovered(&ann, &["coach-go-on", "coach-enough", "prompt", "hand-card"]).await?;
    ann.shot("learn-rummy-aim").await?;
    // While she reads nothing runs out.
    let runs = "return !!document.querySelector('[data-testid=\"countdown\"]')";
    for _ in 0..10 {
        assert!(!ann.run::<bool>(runs).await?, "a lesson is read without a clock");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Reads what there is to read, and does what there is to do, until the turn's three things have come up.
    let step = format!(
        "{lesson}; window.lessonsTold ??= []; if (lesson && !lessonsTold.includes(lesson)) lessonsTold.push(lesson);
        if (['aim', 'group', 'run', 'joker', 'collect', 'prepare'].includes(lesson)) press('coach-go-on'); else {{ {IDLY} }}"
    );
    let taught = "return ['aim', 'draw', 'group', 'collect', 'discard'].every(lesson => window.lessonsTold?.includes(lesson))";
    play_until(&ann, "she is told of a turn", &step, taught).await?;
    ann.shot("learn-rummy-turn").await?;
    let told: Vec<String> = ann.run("return window.lessonsTold").await?;
    let place = |lesson: &str| told.iter().position(|told| told == lesson);
    assert!(
        place("draw") < place("collect") && place("collect") < place("discard"),
        "as it comes up: {told:?}"
    );
    // What was explained is not explained again; and it ends when she has had enough, for good.
    ann.page.refresh().await?;
    in_sight(&ann, "[data-testid='hand'] [data-testid='hand-card']", 1).await?;
    let again = format!("{lesson}; return ['aim', 'draw', 'collect'].includes(lesson)");
    assert!(!ann.run::<bool>(&again).await?, "once is enough");
    play_until(&ann, "something else comes up", IDLY, "return all('coach-enough').length > 0").await?;
    ann.run::<()>("document.querySelector('[data-testid=\"coach-enough\"]').click()").await?;
    ann.until("nothing is explained", "return !document.querySelector('[data-testid=\"coach\"]')").await
}

#[tokio::test]
async fn what_lays_the_contract_is_in_sight_when_it_is_prepared() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "10"]).await?;
    table_of(&ann, &json!({ "rules": PAIRS }), "{}", 3, &["random", "random"]).await?;
    begins(&ann).await?;
    play_until(&ann, "it is Ann's turn", "press('draw-stock')", &format!("return {KIND} === 'play'")).await?;
    let prepare = format!(
        "{TOOLS}
        const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]'));
        const rank = card => card.dataset.face.slice(0, -1);
        const pair = hand.flatMap((a, i) => hand.slice(i + 1).map(b => [a, b]))
            .find(([a, b]) => a.dataset.face !== 'JK' && b.dataset.face !== 'JK' && rank(a) === rank(b));
        pair.forEach(card => card.dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: 0 }})))"
    );
    for n in 0..2 {
        ann.run::<()>(&prepare).await?;
        ann.click(&format!("stage-put-{n}")).await?;
        let good =
            format!("return document.querySelector('[data-testid=\"stage-{n}\"]').dataset.state === 'good'");
        ann.until("a pair is prepared", &good).await?;
    }
    ann.find("meld").await?;
    // All at once, without scrolling.
    let parts = "['meld', 'prompt', 'stage-0', 'stage-1', 'discard-pile', 'hand', 'melds', 'player-0']";
    let sight = format!(
        "window.scrollTo({{ top: 0, behavior: 'instant' }});
        document.querySelector('.players').scrollTop = 0;
        return {parts}.map(id => document.querySelector(`[data-testid='${{id}}']`)).every(part => {{
            const at = part.getBoundingClientRect();
            return at.top >= 0 && at.bottom <= innerHeight
                && part.contains(document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2));
        }})"
    );
    ann.until("all that matters is in sight", &sight).await?;
    ann.shot("table-staged").await
}

#[tokio::test]
async fn who_is_waited_for_when_no_set_is_seen_is_said() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "1000"]).await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    ann.css("[data-testid='no-set']:not(:disabled)").await?;
    ann.click("no-set").await?;
    ann.until(
        "who is waited for, and how long",
        "const banner = document.querySelector('[data-testid=\"banner\"]');
        const seconds = parseInt(banner.querySelector('[data-testid=\"countdown\"]')?.innerText);
        return banner.dataset.kind === 'flags' && banner.innerText.includes('Waiting for') && seconds > 15 && seconds <= 30",
    )
    .await?;
    ann.shot("table-no-set").await
}

/// The press calls where it begins; what stands there when the finger is lifted is not pressed.
#[tokio::test]
async fn a_finger_calls_and_takes_nothing_back() -> Result<()> {
    let (_server, ann) = ann(Screen::Phone, &["--bot-pace", "1000"]).await?;
    ann.resize(390, 844, true).await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    in_sight(&ann, "[data-testid='board'] [data-card]", 12).await?;
    // Cards count a moment after they lie.
    ann.run::<()>("return new Promise(done => setTimeout(done, 1500))").await?;
    let at: (f64, f64) = ann
        .run("const at = document.querySelector('[data-testid=\"call\"]').getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]")
        .await?;
    let touch = async |kind: &str, points: serde_json::Value| {
        let event = json!({ "type": kind, "touchPoints": points });
        ann.page.cdp().send_raw("Input.dispatchTouchEvent", event).await
    };
    touch("touchStart", json!([{ "x": at.0, "y": at.1 }])).await?;
    ann.find("cancel-call").await?;
    touch("touchEnd", json!([])).await?;
    // What the finger would have pressed is pressed by now.
    ann.run::<()>("return new Promise(done => setTimeout(done, 500))").await?;
    assert_eq!(ann.count("[data-testid='cancel-call']").await?, 1, "the call stands");
    // A finger that comes down there does take it back.
    let at: (f64, f64) = ann
        .run("const at = document.querySelector('[data-testid=\"cancel-call\"]').getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]")
        .await?;
    touch("touchStart", json!([{ "x": at.0, "y": at.1 }])).await?;
    touch("touchEnd", json!([])).await?;
    ann.until("it is taken back", "return !document.querySelector('[data-testid=\"cancel-call\"]')").await
}

#[tokio::test]
async fn a_set_that_is_taken_is_seen_for_a_moment_and_stays_beside_the_score() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "1000"]).await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    in_sight(&ann, "[data-testid='board'] [data-card]", 12).await?;
    let claim = "const board = cards('card'), found = sets(board.map(code).sort())[0];
        if (!found) {
            const none = all('no-set')[0];
            if (none?.getAttribute('aria-pressed') === 'false') none.click();
            return false;
        }
        if (!window.stood && !press('call') && all('cancel-call').length) {
            const three = found.map(c => board.find(card => code(card) === c));
            window.stood = three.map(card => card.getBoundingClientRect().left).sort();
            window.names = three.map(card => card.querySelector('svg').innerHTML).sort();
            three.forEach(card => card.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 })));
            press('claim');
        }";
    let risen = "return document.querySelectorAll('.taken').length === 3";
    play_until(&ann, "her Set rises", claim, risen).await?;
    ann.shot("table-set-taken").await?;
    let there = "const ghosts = [...document.querySelectorAll('.taken')];
        const near = (left, n) => Math.abs(left - window.stood[n]) < 8;
        return ghosts.length === 0 || ghosts.map(g => parseFloat(g.style.left)).sort().every(near)";
    assert!(ann.run::<bool>(there).await?, "each where it lay");
    ann.until(
        "it lies beside her score, and nowhere else",
        "const last = [...document.querySelectorAll('[data-testid=\"last-0\"] svg')].map(svg => svg.innerHTML).sort();
        return !document.querySelector('.taken') && JSON.stringify(last) === JSON.stringify(window.names)",
    )
    .await?;
    ann.shot("table-set-last").await
}

/// Help is nobody's loss in a puzzle that is played alone, and would be in a try that stands beside those of others.
#[tokio::test]
async fn who_puzzles_alone_may_ask_a_bot_but_not_in_a_try_of_the_day() -> Result<()> {
    let (server, ann) = ann(Screen::Phone, &[]).await?;
    begin(&ann, "daily-puzzle", "{}", 1, &[]).await?;
    let asked = format!(
        "{TOOLS}
        if (!document.querySelector('[data-testid=\"advice-does\"] .mini')) return press('ask-advice'), false;
        return sets(all('card').filter(card => card.classList.contains('lit')).map(code).sort()).length === 1"
    );
    ann.until("three cards that are a Set are lit", &asked).await?;
    ann.shot("puzzle-advice").await?;
    for game in ["daily-puzzle", "time-trial"] {
        ann.page.goto(server.url("/today")).await?;
        ann.click(&format!("play-{game}")).await?;
        ann.find("card").await?;
        let nobody = "return !document.querySelector('[data-testid=\"ask-advice\"]')";
        ann.until("nobody is to be asked", nobody).await?;
    }
    Ok(())
}

/// Who plays Set against bots asks one what it would find: the cards are drawn in what it says, and marked where they lie.
#[tokio::test]
async fn a_bot_is_asked_what_it_would_find_and_why() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "1000"]).await?;
    begin(&ann, "set-classic", "{}", 2, &["easy"]).await?;
    in_sight(&ann, "[data-testid='board'] [data-card]", 12).await?;
    // Where there is no Set, three more come before long.
    let asked = format!(
        "{TOOLS}
        if (!sets(cards('card').map(code).sort()).length) return false;
        return !!document.querySelector('[data-testid=\"advice-does\"] .mini') || (press('ask-advice'), false)"
    );
    ann.until("it says what to claim", &asked).await?;
    let told: Vec<String> = ann
        .run("return [...document.querySelectorAll('[data-testid=\"advice-does\"] .mini')].map(card => card.ariaLabel).sort()")
        .await?;
    let lit: Vec<String> = ann
        .run("return [...document.querySelectorAll('.pcard.lit')].map(card => card.ariaLabel.replace(/, .*/, '')).sort()")
        .await?;
    assert_eq!((told.len(), lit.len()), (3, 3), "{told:?} {lit:?}");
    for (card, lit) in told.iter().zip(&lit) {
        assert!(lit.starts_with(card), "{told:?} {lit:?}");
    }
    let said = ann.find("advice-why").await?.text().await?;
    assert!(
        said.contains("compares two cards at a time") && said.contains("until something is found"),
        "{said}"
    );
    assert!(!said.contains(['\u{e000}', '{']), "{said}");
    ann.shot("set-advice").await?;
    let barriers = ann.barriers().await?.unwrap_or_default();
    anyhow::ensure!(barriers.is_empty(), "{barriers:#?}");

    // A slower one takes longer, and is said to.
    ann.run::<()>(
        "const choose = document.querySelector('[data-testid=\"advice-bot\"]');
        choose.value = 'easy';
        choose.dispatchEvent(new Event('change'));",
    )
    .await?;
    let other = said.replace('"', "");
    let differs = format!(
        "const why = document.querySelector('[data-testid=\"advice-why\"]')?.innerText;
        return !!why && why.replaceAll('\"', '') !== {}",
        serde_json::to_string(&other)?
    );
    ann.until("easy finds it otherwise", &differs).await?;

    // What it says is right, and goes with the cards.
    let claims = format!(
        "{TOOLS}
        const lit = cards('card').filter(card => card.classList.contains('lit'));
        press('call');
        lit.forEach(card => card.click());
        press('claim');"
    );
    ann.run::<()>(&claims).await?;
    ann.until(
        "she has the Set",
        "return document.querySelector('[data-testid=\"points-0\"]').innerText === '1'",
    )
    .await?;
    ann.until("the advice is gone", "return !document.querySelector('[data-testid=\"advice\"], .pcard.lit')")
        .await
}

#[tokio::test]
async fn a_race_that_is_paused_hides_its_cards_and_a_refusal_moves_nothing() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "1000"]).await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    in_sight(&ann, "[data-testid='board'] [data-card]", 12).await?;
    ann.click("menu").await?;
    ann.click("pause").await?;
    let shown = "return [...document.querySelectorAll('[data-testid=\"board\"] [data-card]')]
        .filter(card => getComputedStyle(card).visibility === 'visible').length";
    ann.until("no card shows", &format!("return (() => {{ {shown} }})() === 0")).await?;

    let place = "const at = document.querySelector('[data-testid=\"board\"]').getBoundingClientRect(); return [at.top, at.height]";
    let before: [f64; 2] = ann.run(place).await?;
    ann.run::<()>("window.dispatchEvent(new KeyboardEvent('keydown', { key: '-' }))").await?;
    ann.find("refusal").await?;
    assert_eq!(ann.run::<[f64; 2]>(place).await?, before, "the board stays where it is");
    ann.shot("table-paused").await?;
    ann.until(
        "the refusal goes",
        "return document.querySelector('[data-testid=\"refusal\"]').classList.contains('hidden')",
    )
    .await?;
    ann.click("resume").await?;
    ann.until("the cards show", &format!("return (() => {{ {shown} }})() >= 12")).await
}

#[tokio::test]
async fn an_offer_that_brings_nothing_disturbs_nobody() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "20"]).await?;
    begin(&ann, "contract", "{}", 3, &["random", "random"]).await?;
    let quiet = format!("return {KIND} === 'quiet'");
    let draw = "const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]') ?? document);
        if (document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind !== 'quiet'
            && !['draw-stock', 'pass', 'discard'].some(press) && !hand.some(card => card.getAttribute('aria-pressed') === 'true'))
            hand[0]?.click()";
    play_until(&ann, "a card that is of no use", draw, &quiet).await?;
    let ring = "const prompt = document.querySelector('[data-testid=\"prompt\"]');
        return prompt.dataset.kind !== 'quiet' || !prompt.classList.contains('mine')
            && document.querySelector('[data-testid=\"discard-pile\"]').classList.contains('offered')";
    assert!(ann.run::<bool>(ring).await?, "a ring on the pile, and no question");
    ann.shot("table-quiet-offer").await?;
    // She has a moment to want it all the same, which she sees pass, and need not say that she does not: others wait a quarter of the time
    // there is.
    let read = format!(
        "if ({KIND} === 'quiet') window.most = Math.max(window.most ?? 1, parseInt(document.querySelector('[data-testid=\"countdown\"]')?.innerText)); {draw}"
    );
    let passed = format!("return {KIND} !== 'quiet' && window.most <= 3");
    play_until(&ann, "one that was passed by itself", &read, &passed).await?;

    // As she likes, such offers are passed at once.
    ann.run::<()>(
        "const choice = document.querySelector('[data-testid=\"auto-pass\"]');
        choice.value = 'useless'; choice.dispatchEvent(new Event('change', { bubbles: true }))",
    )
    .await?;
    let asked =
        "(window.asked ??= []).push(document.querySelector('[data-testid=\"prompt\"]')?.dataset.kind)";
    let rounds = format!(
        "{asked}; const seen = window.asked; return seen.filter(kind => kind === 'wait').length > 40"
    );
    play_until(&ann, "the game goes on", draw, &rounds).await?;
    // What was passed shows for as long as its answer is on its way, no longer.
    let longest: usize = ann
        .run("let most = 0, now = 0; for (const kind of window.asked) { now = kind === 'quiet' ? now + 1 : 0; most = Math.max(most, now) } return most")
        .await?;
    assert!(longest < 10, "an offer of no use stayed for {longest} looks");
    Ok(())
}

#[tokio::test]
async fn the_keyboard_is_never_left_with_nothing() -> Result<()> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    let held = "return document.activeElement !== document.body";
    ann.page.goto(server.url("/")).await?;
    ann.click("rename").await?;
    ann.fill("name", "Ann").await?;
    ann.run::<()>("document.querySelector('[data-testid=\"name-save\"]').focus()").await?;
    ann.click("name-save").await?;
    ann.until("the name is taken", "return !document.querySelector('[data-testid=\"name-form\"]')").await?;
    ann.until("after naming", held).await?;

    table(&ann, "contract", "{}", 4, &["random", "random"]).await?;
    ann.run::<()>("document.querySelector('[data-testid=\"start\"]')?.focus()").await?;
    start(&ann).await?;
    begins(&ann).await?;
    ann.until("after starting", held).await?;
    let discards = "const hand = cards('hand-card', document.querySelector('[data-testid=\"hand\"]') ?? document);
        const discard = all('discard')[0];
        if (discard) { window.turns = document.querySelector('[data-testid=\"story\"]').innerText; discard.focus(); discard.click(); discard.click(); }
        else if (!['draw-stock', 'pass'].some(press) && !hand.some(card => card.getAttribute('aria-pressed') === 'true')) hand[0]?.click()";
    let discarded = format!("return 'turns' in window && {KIND} !== 'play'");
    play_until(&ann, "Ann has discarded", discards, &discarded).await?;
    ann.until("after discarding", held).await?;

    // Escape takes a call back with the cards that were picked for it.
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    let call = "window.dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }))";
    play_until(&ann, "Ann has called", call, "return all('cancel-call').length > 0").await?;
    ann.run::<()>("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))").await?;
    ann.until("the call is over", "return !document.querySelector('[data-testid=\"cancel-call\"]')").await
}

#[tokio::test]
async fn on_a_phone_buttons_are_for_fingers_and_a_drop_beside_its_place_counts() -> Result<()> {
    let (_server, ann) = ann(Screen::Phone, &["--bot-pace", "10"]).await?;
    table_of(&ann, &json!({ "rules": PAIRS }), "{}", 3, &["random", "random"]).await?;
    begins(&ann).await?;
    let place = "const at = document.querySelector('[data-testid=\"hand\"]').getBoundingClientRect(); return [at.top, at.bottom]";
    play_until(&ann, "it is Ann's turn", "", &format!("return {KIND} === 'start'")).await?;
    let height = "return document.querySelector('[data-testid=\"prompt\"]').getBoundingClientRect().height";
    let asked: f64 = ann.run(height).await?;
    play_until(&ann, "she plays", "press('draw-stock')", &format!("return {KIND} === 'play'")).await?;
    let plays: f64 = ann.run(height).await?;
    assert!((plays - asked).abs() < 1.0, "questions are of one height, not {asked} and {plays}");
    let small: Vec<String> = ann
        .run(
            "return [...document.querySelectorAll('.table-bar button, .hand-tools button')]
            .filter(b => b.offsetParent && (b.getBoundingClientRect().height < 44 || b.getBoundingClientRect().width < 44))
            .map(b => b.innerText)",
        )
        .await?;
    assert_eq!(small, [] as [String; 0], "too small for a finger");
    let [_, bottom]: [f64; 2] = ann.run(place).await?;
    assert!(bottom <= 845.0, "the hand is in sight");
    let over = "return document.querySelector('[data-testid=\"stage-0\"]').getBoundingClientRect().bottom
        - document.querySelector('.reach').getBoundingClientRect().top";
    let over: f64 = ann.run(over).await?;
    assert!(over < 1.0, "the hand lies over {over} pixels of what is prepared");
    ann.shot("table-phone").await?;

    // A finger lets a card go a little beside the box, between the boxes and the hand or the window's edge.
    let drop = "const box = document.querySelector('[data-testid=\"stage-0\"]'), to = box.getBoundingClientRect();
        const card = document.querySelector('[data-testid=\"hand\"] [data-testid=\"hand-card\"]'), from = card.getBoundingClientRect();
        const at = [[to.left - 4, to.top + 20], [to.right + 3, to.top + 20], [to.left + 30, to.bottom + 3], [to.left + 30, to.top - 3]]
            .find(([x, y]) => x > 0 && y > 0 && !document.elementFromPoint(x, y)?.closest('[data-drop]'));
        const send = (type, [x, y]) => card.dispatchEvent(new PointerEvent(type,
            { bubbles: true, isPrimary: true, pointerId: 1, button: 0, clientX: x, clientY: y }));
        if (!at) return 'no place';
        const middle = [from.left + 10, from.top + 10];
        send('pointerdown', middle); send('pointermove', at); send('pointerup', at);
        return 'dropped'";
    assert_eq!(ann.run::<String>(drop).await?, "dropped");
    ann.until("it lies there", "return document.querySelectorAll('[data-testid=\"stage-0\"] [data-testid=\"hand-card\"]').length === 1")
        .await
}

#[tokio::test]
async fn everybody_has_a_column_and_a_line_where_colours_are_the_devices() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "20"]).await?;
    let bots = ["random"; 7];
    begin(&ann, "12-step", "{}", 8, &bots).await?;
    ann.find("score-sheet").await?;
    let fits = "const sheet = document.querySelector('[data-testid=\"score-sheet\"] .scroll');
        return sheet.querySelectorAll('thead th').length === 9 && sheet.scrollWidth <= sheet.clientWidth + 1";
    ann.until("eight columns", fits).await?;
    ann.shot("table-eight").await?;
    let features = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
    ann.page.cdp().send_raw("Emulation.setEmulatedMedia", features).await?;
    let line = "const turn = document.querySelector('.player.turn'); return !turn || getComputedStyle(turn).outlineStyle === 'solid'
        && parseInt(getComputedStyle(turn).outlineWidth) >= 3";
    ann.css(".player.turn").await?;
    ann.until("whose turn it is", line).await?;
    ann.shot("table-forced-colours").await?;
    // What only a mouse does never sticks under a finger.
    let sticks: Vec<String> = ann
        .run(
            "const found = []; const walk = rules => { for (const rule of rules) {
                if (rule.selectorText?.includes(':hover')) found.push(rule.selectorText);
                if (rule.cssRules && !rule.media?.mediaText.includes('hover')) walk(rule.cssRules);
            } };
            for (const sheet of document.styleSheets) walk(sheet.cssRules);
            return found",
        )
        .await?;
    assert_eq!(sticks, [] as [String; 0]);
    Ok(())
}

#[tokio::test]
async fn a_table_has_a_title_and_what_scrolls_can_be_reached() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "20"]).await?;
    for game in ["contract", "set-classic"] {
        begin(&ann, game, "{}", 3, &["random", "random"]).await?;
        ann.css(".match").await?;
        ann.made().await?;
        let titles: Vec<String> =
            ann.run("return [...document.querySelectorAll('h1')].map(h1 => h1.innerText)").await?;
        assert_eq!(titles.len(), 1, "{titles:?}");
    }
    begin(&ann, "contract", "{}", 3, &["random", "random"]).await?;
    // Once something has happened; it may be Ann who begins.
    let happened = "return !!document.querySelector('[data-testid=\"story\"] ol')";
    play_until(&ann, "something has happened", "press('draw-stock')", happened).await?;
    assert!(
        ann.run::<bool>("return document.querySelector('[data-testid=\"story\"] ol').tabIndex === 0").await?
    );
    Ok(())
}

#[tokio::test]
async fn what_happened_is_still_told_after_a_reload() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "20"]).await?;
    begin(&ann, "contract", "{}", 3, &["random", "random"]).await?;
    let lines = "[...document.querySelectorAll('[data-testid=\"story\"] ol li')].map(line => line.innerText)";
    let some = format!("return {lines}.length > 2");
    play_until(&ann, "something has happened", IDLY, &some).await?;
    let told: Vec<String> = ann.run(&format!("return {lines}")).await?;
    ann.page.refresh().await?;
    ann.until("it is told again", &format!("return {lines}.length >= {}", told.len())).await?;
    let again: Vec<String> = ann.run(&format!("return {lines}")).await?;
    assert!(again.ends_with(&told), "{again:#?} does not end with {told:#?}");
    // Of one match nothing is told at another.
    begin(&ann, "contract", "{}", 3, &["random", "random"]).await?;
    let anew: Vec<String> = ann.run(&format!("return {lines}")).await?;
    assert!(!anew.ends_with(&told), "{anew:#?}");
    Ok(())
}

#[tokio::test]
async fn a_network_that_is_back_is_used_at_once() -> Result<()> {
    let server = Server::start(&["--bot-pace", "1000"]).await?;
    let wire = Wire::to(&server).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &wire.url("/"), "Ann").await?;
    begin(&ann, "set-classic", "{}", 2, &["random"]).await?;
    ann.find("board").await?;
    // Without a word, as when a phone leaves its network; what is opened meanwhile hangs.
    wire.go_dead();
    ann.click("no-set").await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    wire.hang();
    ann.find("reconnecting").await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    wire.mend();
    let back = "const done = arguments[arguments.length - 1], began = performance.now();
        window.dispatchEvent(new Event('online'));
        const look = setInterval(() => {
            if (!document.querySelector('[data-testid=\"reconnecting\"]')) { clearInterval(look); done(performance.now() - began); }
        }, 5);";
    let millis: f64 = serde_json::from_value(ann.page.execute_async(back, vec![]).await?.json().clone())
        .context("milliseconds")?;
    // Not only when the next try would be due, which may be seconds away.
    assert!(millis < 2000.0, "{millis} ms");
    Ok(())
}

#[tokio::test]
async fn between_deals_the_deal_that_is_over_is_told() -> Result<()> {
    let (_server, ann) = ann(Screen::Desktop, &["--bot-pace", "0"]).await?;
    begin(&ann, "set-classic", r#"{"no_claim":"auto","deals":2}"#, 3, &["easy", "easy"]).await?;
    let deadline = Instant::now() + Duration::from_secs(120);
    while ann.count("[data-testid='deal-summary']").await? == 0 {
        anyhow::ensure!(Instant::now() < deadline, "no deal ends:\n{}", ann.text().await?);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let text = ann.text().await?;
    assert!(text.contains("Deal 1") && !text.contains("Deal 2"), "{text}");
    assert!(text.contains("This deal: "), "{text}");
    ann.shot("table-between").await?;
    // It waits as long as it says, for whoever has not pressed.
    tokio::time::sleep(Duration::from_secs(7)).await;
    ann.find("next-deal").await?;
    ann.click("next-deal").await?;
    ann.until("the second deal", "return document.body.innerText.includes('Deal 2')").await
}

/// A card that is to go elsewhere while it moves has one movement: with two the page would draw every step itself, and not while it works.
#[tokio::test]
async fn a_card_that_is_sent_on_while_it_moves_has_one_movement() -> Result<()> {
    const MOVED: &str = "return (async () => {
        const rest = millis => new Promise(done => setTimeout(done, millis));
        let most = 0, times = 0;
        for (const order of ['rank', 'suit', 'rank', 'suit']) {
            document.querySelector(`[data-testid='sort-${order}']`).click();
            await rest(100);
            const now = [...document.querySelectorAll('.hcard')].map(card => card.getAnimations().length);
            most = Math.max(most, ...now);
            times += now.some(count => count > 0);
        }
        return [times, most];
    })()";
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "contract", "{}", 3, &["easy", "easy"]).await?;
    ann.until("cards are dealt", "return document.querySelectorAll('.hcard').length >= 10").await?;
    let (times, most): (u32, u32) = ann.run(MOVED).await?;
    ensure!(times >= 2 && most == 1, "cards moved {times} times of 4, with {most} movements at once");
    Ok(())
}
