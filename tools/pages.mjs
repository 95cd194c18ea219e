#!/usr/bin/env node
// How quick the pages of a running parlour are to whoever has a slow line or a slow device.
//
//     npm install --prefix target/lighthouse lighthouse@12
//     node tools/pages.mjs http://127.0.0.1:7420 [line] [press] [frames] [lighthouse]
//
// line: bytes of a first visit, and seconds after "play" until a card is seen and until it can be played, at 750 kbit/s and 300 ms.
// press: milliseconds from a press to the next picture at a table, the processor as it is and four times slower.
// frames: while a round of Contract Rummy is played on a phone, how long what is to move waits until it does, how many of the pictures that are due
// while it moves are drawn, and how many parts of the page are styled anew for each move, the processor as it is and four times slower.
// lighthouse: its marks for each page, as a phone that comes for the first time, as one that has its files, and as a desk.
// All four without a word. Chromium is looked for in PATH, or named by CHROMIUM.

import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const base = process.argv[2];
const wanted = process.argv.slice(3);
if (!base?.startsWith("http")) {
    console.error("Which parlour? node tools/pages.mjs http://127.0.0.1:7420");
    process.exit(2);
}
const all = ["line", "press", "frames", "lighthouse"];
const strange = wanted.find(name => !all.includes(name));
if (strange) {
    console.error(`There is no "${strange}": line, press, frames and lighthouse.`);
    process.exit(2);
}
const from = createRequire(resolve("target/lighthouse/package.json"));
let puppeteer, lighthouse, desktop;
try {
    puppeteer = (await import(from.resolve("puppeteer-core"))).default;
    ({ default: lighthouse, desktopConfig: desktop } = await import(from.resolve("lighthouse")));
} catch {
    console.error("Lighthouse is missing here: npm install --prefix target/lighthouse lighthouse@12");
    process.exit(2);
}
const chromium = process.env.CHROMIUM ?? execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"], { encoding: "utf8" }).trim();
// The window holds a whole phone at its own density: what lies outside of the window is never drawn, and a press there would seem to wait for a picture.
const flags = ["--window-size=1400,1800", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--ignore-certificate-errors"];
const browse = () => puppeteer.launch({ executablePath: chromium, headless: true, args: flags });

const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const at = (list, part) => list.toSorted((a, b) => a - b)[Math.ceil(list.length * part) - 1];
const seen = (page, what) => page.waitForSelector(what, { visible: true, timeout: 90_000 });
const test = id => `[data-testid="${id}"]`;

/** Opens a table with bots, as the app does, and says where it is. So many more seats stay free. */
async function table(page, game, bots, free = 0) {
    return page.evaluate(async (game, bots, free) => {
        const json = { "content-type": "application/json" };
        await fetch("/api/me", { method: "PUT", headers: json, body: JSON.stringify({ name: "Ann" }) });
        const wanted = { game: { preset: game }, options: {}, seats: bots.length + 1 + free, bots, public: false };
        const answer = await fetch("/api/tables", { method: "POST", headers: json, body: JSON.stringify(wanted) });
        const made = await answer.json();
        if (!made.path) throw new Error(JSON.stringify(made));
        return made.path;
    }, game, bots, free);
}

/** Sits down at a new table with bots, and waits until its cards are seen. */
async function sit(page, game, bots, cards) {
    await page.goto(base + "/");
    await seen(page, test("quick-set-classic"));
    await page.goto(base + (await table(page, game, bots)));
    await seen(page, cards);
}

/** Runs with a browser that knows nothing yet. */
async function fresh(viewport, run) {
    const browser = await browse();
    try {
        const page = await browser.newPage();
        await page.setViewport(viewport);
        return await run(page, await page.createCDPSession());
    } finally {
        await browser.close();
    }
}

async function slowly(line) {
    await line.send("Network.enable");
    await line.send("Network.emulateNetworkConditions", { offline: false, latency: 300, downloadThroughput: 750_000 / 8, uploadThroughput: 750_000 / 8 });
}

/** Bytes of a first visit until the line is quiet for two seconds. */
async function visit(path) {
    return fresh(PHONE, async (page, line) => {
        let bytes = 0;
        await line.send("Network.enable");
        line.on("Network.loadingFinished", found => (bytes += found.encodedDataLength));
        await page.goto(base + path, { waitUntil: "networkidle0" }).catch(() => {});
        await new Promise(done => setTimeout(done, 2000));
        return bytes;
    });
}

/** Milliseconds until the lobby is there, and from "play" to the first card and to the table: pressed at once, or after so long in the lobby. */
async function opening(button, what, wait) {
    return fresh(PHONE, async (page, line) => {
        await slowly(line);
        const began = performance.now();
        page.goto(base + "/").catch(() => {}); // what is waited for comes before all has
        const play = await seen(page, test(button));
        const shown = performance.now() - began;
        await new Promise(done => setTimeout(done, wait));
        const pressed = performance.now();
        await play.click();
        const since = async what => (await seen(page, what), performance.now() - pressed);
        // The page is left meanwhile, and with it whatever was waited for there.
        const [card, table] = await Promise.all([since(`${test("first")} [data-card], ${what}`).catch(() => since(what)), since(what)]);
        return [shown, card, table];
    });
}

async function lines() {
    const host = await browse();
    const page = await host.newPage();
    await page.goto(base + "/");
    await seen(page, test("quick-set-classic"));
    const invitation = await table(page, "set-classic", [], 1);
    await page.goto(base + invitation);
    for (const path of ["/", "/rules", "/odds", invitation]) {
        const name = path === invitation ? "an invitation" : path;
        console.log(`first visit of ${name}: ${((await visit(path)) / 1024).toFixed(0)} KB`);
    }
    await host.close();
    const first = [["quick-set-classic", ".pcard"], ["quick-contract", ".hcard"]];
    for (const [button, what] of first) {
        for (const wait of [0, 10_000]) {
            const took = [];
            for (let n = 0; n < 3; n++) took.push(await opening(button, what, wait));
            const [shown, card, table] = [0, 1, 2].map(part => (at(took.map(one => one[part]), 0.5) / 1000).toFixed(1));
            console.log(`${button} at 750 kbit/s and 300 ms, pressed after ${wait / 1000} s: the lobby in ${shown} s, a card ${card} s after the press, the table ${table} s (median of 3)`);
        }
    }
}

async function presses() {
    for (const [game, bots, what] of [["set-classic", ["random"], ".pcard"], ["contract", ["random", "random"], ".hand .hcard"]]) {
        for (const slower of [1, 4]) {
            const took = await fresh(PHONE, async (page, line) => {
                await sit(page, game, bots, what);
                await new Promise(done => setTimeout(done, 3000));
                await line.send("Emulation.setCPUThrottlingRate", { rate: slower });
                await page.evaluate(() => {
                    // Of a press several events are told: the slowest counts.
                    window.took = {};
                    const tell = ({ interactionId: press, duration }) => press && (took[press] = Math.max(took[press] ?? 0, duration));
                    new PerformanceObserver(list => list.getEntries().forEach(tell))
                        .observe({ type: "event", durationThreshold: 16 });
                });
                // Two cards, so that nothing is claimed.
                const two = await page.$$(what);
                for (let n = 0; n < 100; n++) {
                    const card = await two[n % 2].boundingBox().catch(() => null);
                    if (!card) continue;
                    await page.touchscreen.tap(card.x + 8, card.y + card.height / 2);
                    await new Promise(done => setTimeout(done, 60));
                }
                await new Promise(done => setTimeout(done, 500));
                return page.evaluate(() => Object.values(window.took));
            });
            // Those below 16 ms are not told.
            const told = took.length ? `median ${at(took, 0.5)} ms, 95 % ${at(took, 0.95)} ms` : "all below 16 ms";
            console.log(`a press at ${game}, processor ${slower} times slower: ${told} (${took.length} told)`);
        }
    }
}

/** What a browser wrote of itself meanwhile: when movements were wanted, began and ended, when pictures were drawn, how much was styled. */
function traced(trace) {
    const begun = new Map();
    const moved = [];
    const drawn = [];
    let styled = 0;
    for (const { name, ph, pid, id, id2, ts, args } of trace.toSorted((a, b) => a.ts - b.ts)) {
        const key = `${pid} ${id ?? id2?.local}`;
        if (name === "Animation" && ph === "b") begun.set(key, { wanted: ts });
        if (name === "Animation" && ph === "n" && args.data?.state === "running" && begun.has(key)) begun.get(key).began ??= ts;
        if (name === "Animation" && ph === "e" && begun.get(key)?.began) moved.push({ ...begun.get(key), ended: ts });
        if (name === "ProxyImpl::ScheduledActionDraw") drawn.push(ts);
        if (name === "UpdateLayoutTree") styled += args.elementCount ?? 0;
    }
    // What moves at the same time is one movement. The ring round a discard goes on for longer than any card.
    const movements = [];
    for (const one of moved.filter(({ began, ended }) => ended - began < 2e6).toSorted((a, b) => a.began - b.began)) {
        const last = movements.at(-1);
        if (last && one.began <= last.ended) last.ended = Math.max(last.ended, one.ended);
        else movements.push({ ...one });
    }
    const gaps = movements.flatMap(({ began, ended }) => {
        const own = drawn.filter(at => at >= began && at <= ended);
        return own.slice(1).map((at, n) => (at - own[n]) / 1000);
    });
    // Sixty are due a second.
    const due = gaps.reduce((sum, gap) => sum + gap * 0.06, 0);
    return { waits: movements.map(({ wanted, began }) => (began - wanted) / 1000), gaps, part: gaps.length / due, styled };
}

async function frames() {
    for (const slower of [1, 4]) {
        const { moves, waits, gaps, part, styled } = await fresh(PHONE, async (page, line) => {
            await sit(page, "contract", ["easy", "easy", "easy"], ".hand .hcard");
            await page.evaluate(() => {
                const find = id => document.querySelector(`[data-testid="${id}"]:not([disabled])`);
                const press = what => what.dispatchEvent(new MouseEvent("click", { bubbles: true }));
                window.moves = 0;
                setInterval(() => {
                    const button = find("pass") ?? find("draw-stock") ?? find("round-close") ?? find("discard");
                    const card = find("hand-card");
                    if (button) {
                        window.moves++;
                        press(button);
                    } else if (card?.ariaPressed === "false") press(card);
                }, 400);
            });
            await new Promise(done => setTimeout(done, 12_000)); // until what is compiled on the way is
            await line.send("Emulation.setCPUThrottlingRate", { rate: slower });
            const before = await page.evaluate(() => window.moves);
            await page.tracing.start({ categories: ["cc", "blink.animations", "devtools.timeline"] });
            await new Promise(done => setTimeout(done, 40_000));
            const trace = JSON.parse(new TextDecoder().decode(await page.tracing.stop())).traceEvents;
            return { moves: (await page.evaluate(() => window.moves)) - before, ...traced(trace) };
        });
        const ms = (list, of) => `${at(list, of)?.toFixed(0)} ms`;
        console.log(`frames at contract, processor ${slower} times slower: ${(part * 100).toFixed(0)} % of those due in ${waits.length} movements, median ${ms(gaps, 0.5)} apart, 95 % ${ms(gaps, 0.95)}, most ${ms(gaps, 1)}; a movement waits ${ms(waits, 0.5)} (95 % ${ms(waits, 0.95)}); ${(styled / moves).toFixed(0)} parts styled for each of ${moves} moves`);
    }
}

async function marks() {
    const browser = await browse();
    const page = await browser.newPage();
    await page.goto(base + "/");
    await seen(page, test("quick-set-classic"));
    const paths = ["/", "/games", "/rules", "/rules/contract", "/odds", "/house", await table(page, "set-classic", ["easy"]), await table(page, "contract", ["easy", "easy"])];
    const options = { port: new URL(browser.wsEndpoint()).port, onlyCategories: ["performance", "accessibility", "best-practices"], logLevel: "error" };
    for (const path of paths) {
        const told = [];
        // On a first visit nothing is kept of the app; who somebody is stays.
        for (const [disableStorageReset, config] of [[false, undefined], [true, undefined], [true, desktop]]) {
            const { lhr } = await lighthouse(base + path, { ...options, disableStorageReset }, config);
            told.push(Object.values(lhr.categories).map(mark => Math.round(mark.score * 100)).join(" ") + ` (first paint ${lhr.audits["first-contentful-paint"].displayValue}, largest ${lhr.audits["largest-contentful-paint"].displayValue}, blocked ${lhr.audits["total-blocking-time"].displayValue}, shift ${lhr.audits["cumulative-layout-shift"].displayValue})`);
        }
        console.log(`${path}: first visit ${told[0]}; phone ${told[1]}; desk ${told[2]}`);
    }
    await browser.close();
}

for (const [name, run] of Object.entries({ line: lines, press: presses, frames, lighthouse: marks })) {
    if (wanted.length === 0 || wanted.includes(name)) await run();
}
