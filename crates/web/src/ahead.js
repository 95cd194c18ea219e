// Fetches what a table needs while somebody looks at the lobby, or is about to press, so that the first card comes soon after: the
// page of a family's tables, what it names, and what its program names in turn, of words those of this language. The browser keeps
// such files for good by their names.
const named = text => [...new Set(text.match(/[\w.-]+-[0-9a-f]{16}\.(?:css|js|txt|wasm)\b/g))].filter(file => !file.startsWith("worker-"));
const spoken = file => { const [, of] = file.match(/\.([a-z]{2})-/) ?? []; return !of || of === language };
// Parts of a program, which its script names, too.
const part = file => /-(split|chunk)_/.test(file);
// What the first card does without: the screens of Set's rarer games, and what comes at the end of any match.
const later = (family, file) => file.includes("-split_later-") || family === "pattern" && file.includes("-split_screen-");
const body = async (path, priority, signal) => {
const answer = await fetch(path, { priority, signal });
return answer.ok ? (await answer.blob()).text() : Promise.reject(new Error(path));
};
// What the page of a family's tables is: so little that it is asked for at once, and whoever presses soon need not wait for it.
const pages = {};
const page = family => pages[family] ??= body(`/home/${family}`).catch(why => { delete pages[family]; throw why });
// By family: what is under way and what stops it, whether all that the first card needs is here, and what comes after that.
const under = new Map();
const ahead = (family, priority) => {
if (!family || under.has(family)) return;
const known = new Set(), stop = new AbortController(), of = { stop, here: false, rest: [] };
const file = async name => {
if (known.has(name)) return;
known.add(name);
if (later(family, name)) return of.rest.push(name);
const text = await body(`/assets/${name}`, priority, stop.signal);
if (name.endsWith(".js")) { await held; await Promise.all(named(text).filter(spoken).map(file)) }
};
const all = page(family).then(text => Promise.all(named(text).filter(name => !part(name)).map(file)));
of.all = all.then(() => { of.here = true }, () => { under.delete(family); delete pages[family] });
under.set(family, of);
};
// While a deal is looked at (first.rs) only what is under way goes on: the line is needed for the cards.
let held, free;
globalThis.hold = () => { free?.(); held = new Promise(done => { free = done }); setTimeout(free, 3000) };
globalThis.free = () => free?.();
// Whoever presses has the whole line for that family. The table is asked for at once, but a page that is left drops what is on its
// way, and the next would begin anew: so it is left when all is here (or too long is waited), and the next one's text, too. Nothing
// is given where nothing is waited for.
let pressed = -Infinity;
const waits = () => performance.now() - pressed < 15_000;
addEventListener("click", event => {
const of = under.get(event.target.closest?.("[data-ahead]")?.dataset.ahead);
if (!of) return;
pressed = performance.now();
for (const other of under.values()) if (other !== of) other.stop.abort();
}, true);
globalThis.fetches = () => [...under.values()].some(of => !of.here);
globalThis.lacks = family => under.get(family)?.here === false;
globalThis.leave = (family, path) => {
const of = under.get(family);
if (!lacks(family)) return;
document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: path }));
return Promise.race([of.all, new Promise(done => setTimeout(done, 8000))]);
};
for (const sign of ["pointerover", "touchstart", "focusin"])
addEventListener(sign, event => waits() || ahead(event.target.closest?.("[data-ahead]")?.dataset.ahead, "high"), { passive: true });
// While nothing else is loaded, and not where every byte is counted.
const idle = async () => {
const doors = document.querySelectorAll("[data-ahead]");
if (!doors.length) setTimeout(idle, 1500);
for (const { dataset } of doors) { if (waits()) return; ahead(dataset.ahead, "low"); await under.get(dataset.ahead)?.all }
for (const { rest, stop } of under.values()) for (const name of rest.splice(0)) { if (waits()) return; await body(`/assets/${name}`, "low", stop.signal).catch(() => {}) }
};
if (!navigator.connection?.saveData) {
for (const family of FAMILIES) page(family).catch(() => {});
addEventListener("load", () => setTimeout(idle, 1500));
}
