//! The games that are played in their own way, each to its end in real Chromium.

use anyhow::Result;
use e2e::steps::{PUZZLE, begin, named, play_on};
use e2e::{Browser, Screen, Server};

/// Finds with a seal, points, searches, and says when there is nothing.
const SCOUT: &str = "
    const board = cards('card');
    const found = sets(board.map(code).sort());
    const kind = document.querySelector('[data-testid=\"banner\"]')?.dataset.kind;
    const touch = wanted => board.find(card => code(card) === wanted)?.click();
    if (press('next-deal')) return;
    // Somebody points at a card: name another one of a Set with it, sometimes; else give up the search.
    if (all('pass').length) {
        const lit = board.filter(card => card.classList.contains('lit')).map(code)[0];
        const set = found.find(set => set.includes(lit));
        if (set && Math.random() < 0.5) touch(set.find(card => card !== lit)); else press('pass');
        return;
    }
    if (all('call').length || all('cancel-call').length) {
        const picked = board.filter(card => card.getAttribute('aria-pressed') === 'true').map(code);
        if (picked.length === 3) touch(picked[0]);
        else if (found.length) found[0].filter(card => !picked.includes(card)).forEach(touch);
        else press('no-set');
    }
";

#[tokio::test]
async fn scout_is_played_to_its_end() -> Result<()> {
    let server = Server::start(&["--bot-pace", "10"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "scout", r#"{"no_claim":"auto","settle_ms":0}"#, 3, &["easy", "easy"]).await?;
    ann.find("board").await?;
    play_on(&ann, "scout", 100, SCOUT).await
}

/// Remembers what was turned up, and turns up a Set that it knows, or else something new.
const MEMORY: &str = "
    window.known ??= {};
    for (const slot of cards('slot')) {
        const name = slot.getAttribute('aria-label');
        if (slot.querySelector('svg') && slot.getAttribute('aria-disabled') === 'true') known[slot.dataset.slot] = name;
        if (slot.classList.contains('gone')) delete known[slot.dataset.slot];
    }
    if (document.querySelector('[data-testid=\"banner\"]')?.dataset.kind !== 'call') return;
    const down = cards('slot').filter(slot => slot.getAttribute('aria-disabled') === 'false');
    const up = cards('slot').filter(slot => slot.querySelector('svg') && slot.getAttribute('aria-disabled') === 'true'
        && !slot.classList.contains('gone'));
    const values = name => name.split(' ').map(word => word.replace(/s$/, ''));
    const makes = three => [0, 1, 2, 3].every(n => new Set(three.map(name => values(name)[n])).size !== 2);
    const slots = Object.keys(known);
    const fixed = up.map(slot => slot.dataset.slot);
    let goal = null;
    for (const a of slots) for (const b of slots) for (const c of slots)
        if (a < b && b < c && fixed.every(f => [a, b, c].includes(f)) && makes([known[a], known[b], known[c]])) goal = [a, b, c];
    const next = (goal ?? []).map(n => down.find(slot => slot.dataset.slot === n)).find(slot => slot);
    (next ?? down.find(slot => !(slot.dataset.slot in known)) ?? down[0])?.click();
";

#[tokio::test]
async fn memory_is_played_to_its_end() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "memory", r#"{"reveal_ms":300}"#, 2, &["hard"]).await?;
    ann.find("memory").await?;
    play_on(&ann, "memory", 100, MEMORY).await
}

/// Challenges where there is a Set with the last card, lets it stand where there is none, and places a card.
const SETUP: &str = "
    const table = cards('card'), own = cards('own-card');
    const last = table.find(card => card.classList.contains('lit'));
    if (all('pass').length) {
        const set = last && sets(table.map(code).sort()).find(set => set.includes(code(last)));
        if (set) set.filter(c => c !== code(last)).forEach(c => table.find(card => code(card) === c)?.click());
        else press('pass');
    }
    if (press('place')) return;
    if (!own.some(card => card.getAttribute('aria-pressed') === 'true')) own[0]?.click();
";

#[tokio::test]
async fn setup_is_played_to_its_end() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "setup", r#"{"window_min_s":0,"window_last_s":1}"#, 3, &["medium", "hard"]).await?;
    ann.find("setup").await?;
    play_on(&ann, "setup", 100, SETUP).await
}

#[tokio::test]
async fn a_puzzle_is_played_to_its_end() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Phone, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "daily-basic", "{}", 1, &[]).await?;
    ann.find("puzzle").await?;
    play_on(&ann, "puzzle", 40, PUZZLE).await
}

/// Claims what is there; the others' progress shows meanwhile.
const TRIAL: &str = "
    const board = cards('card');
    sets(board.map(code).sort()).slice(0, 1).flat().forEach(c => board.find(card => code(card) === c)?.click());
";

#[tokio::test]
async fn a_live_trial_is_won_while_the_others_are_seen() -> Result<()> {
    let server = Server::start(&["--bot-pace", "20"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "trial-live", r#"{"trial_goal":4,"settle_ms":0}"#, 3, &["hard", "hard"]).await?;
    ann.find("racer-2").await?;
    ann.find("board").await?;
    ann.shot("trial-live").await?;
    play_on(&ann, "trial", 100, TRIAL).await?;
    let progress: String =
        ann.run("return document.querySelector('[data-testid=\"progress-0\"]').innerText").await?;
    assert!(progress.contains("done in"), "{progress}");
    Ok(())
}
