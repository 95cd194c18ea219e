// Fetches what a table needs while somebody looks at the lobby, or is about to press, so that the first card comes soon after: the
// page of a family's tables, what it names, and what its program names in turn, of words those of this language. The browser keeps
// such files for good by their names.
const named = text => [...new Set(text.match(/[\w.-]+-[0-9a-f]{16}\.(?:css|js|txt|wasm)\b/g))].filter(file => !file.startsWith("worker-"));
const spoken = file => { const [, of] = file.match(/\.([a-z]{2})-/) ?? []; return !of || of === language };
const body = async (path, priority, signal) => {
const answer = await fetch(path, { priority, signal });
return answer.ok ? (await answer.blob()).text() : Promise.reject(new Error(path));
};
const under = new Map(), stops = new Map(), here = new Set();
const ahead = (family, priority) => {
if (!family || under.has(family)) return;
const known = new Set(), stop = new AbortController(), { signal } = stop;
stops.set(family, stop);
const file = async name => {
if (known.has(name)) return;
known.add(name);
const text = await body(`/assets/${name}`, priority, signal);
if (name.endsWith(".js")) await Promise.all(named(text).filter(spoken).map(file));
};
const all = body(`/home/${family}`, priority, signal).then(page => Promise.all(named(page).map(file)));
under.set(family, all.then(() => here.add(family), () => under.delete(family)));
};
// Whoever presses before that waits for it on this page: one that is left drops what is on its way, and the next would begin anew.
addEventListener("click", async event => {
const door = event.target.closest?.("[data-ahead]"), family = door?.dataset.ahead;
if (!under.has(family) || here.has(family)) return;
event.preventDefault();
event.stopImmediatePropagation();
if (door.ariaBusy) return;
door.ariaBusy = "true";
for (const [other, stop] of stops) if (other !== family) stop.abort();
await Promise.race([under.get(family), new Promise(done => setTimeout(done, 8000))]);
here.add(family);
door.ariaBusy = null;
door.click();
}, true);
for (const sign of ["pointerover", "touchstart", "focusin"])
addEventListener(sign, event => ahead(event.target.closest?.("[data-ahead]")?.dataset.ahead, "high"), { passive: true });
// While nothing else is loaded, and not where every byte is counted.
const idle = async () => {
const doors = document.querySelectorAll("[data-ahead]");
if (!doors.length) setTimeout(idle, 1500);
for (const { dataset } of doors) { ahead(dataset.ahead, "low"); await under.get(dataset.ahead) }
};
if (!navigator.connection?.saveData) addEventListener("load", () => setTimeout(idle, 1500));
