// Fetches what a table needs while somebody looks at the lobby, or is about to press, so that the first card comes soon after: the
// page of a family's tables, what it names, and what its program names in turn, of words those of this language. The browser keeps
// such files for good by their names; who presses meanwhile waits for what is on its way.
const named = text => [...new Set(text.match(/[\w.-]+-[0-9a-f]{16}\.(?:css|js|txt|wasm)\b/g))].filter(file => !file.startsWith("worker-"));
const spoken = file => { const [, of] = file.match(/\.([a-z]{2})-/) ?? []; return !of || of === language };
const body = async (path, priority) => {
const answer = await fetch(path, { priority });
return answer.ok ? (await answer.blob()).text() : Promise.reject(new Error(path));
};
const under = new Map();
const ahead = (family, priority) => {
if (!family || under.has(family)) return;
const known = new Set();
const file = async name => {
if (known.has(name)) return;
known.add(name);
const text = await body(`/assets/${name}`, priority);
if (name.endsWith(".js")) await Promise.all(named(text).filter(spoken).map(file));
};
under.set(family, body(`/home/${family}`, priority).then(page => Promise.all(named(page).map(file))).catch(() => under.delete(family)));
};
for (const sign of ["pointerover", "touchstart", "focusin"])
addEventListener(sign, event => ahead(event.target.closest?.("[data-ahead]")?.dataset.ahead, "high"), { passive: true });
// While nothing else is loaded, and not where every byte is counted.
const idle = async () => {
const doors = document.querySelectorAll("[data-ahead]");
if (!doors.length) setTimeout(idle, 1500);
for (const { dataset } of doors) { ahead(dataset.ahead, "low"); await under.get(dataset.ahead) }
};
if (!navigator.connection?.saveData) addEventListener("load", () => setTimeout(idle, 1500));
