// Which language the app speaks: the one chosen in the settings, else the first that the browser asks for and there is, else
// English. Its words come while the program does. `FILES` are those of this program, by language.
const files = FILES;
const chosen = () => { try { return localStorage.getItem("parlour.language") } catch { return null } };
const known = tag => [tag.toLowerCase(), tag.toLowerCase().split("-")[0]].find(id => files[id]);
const tags = [...navigator.languages];
const language = [chosen() ?? "", ...tags].map(known).find(Boolean) ?? "en";
// As in this person's country, if they named one.
const locale = tags.find(tag => known(tag) === language) ?? language;
document.documentElement.lang = language;
// What the server greets with is in the language of the browser, which knows of no other one.
const boot = document.getElementById("boot");
if (boot?.lang && boot.lang !== language) boot.textContent = "Parlour …";
const from = id => fetch(new URL(files[id], import.meta.url)).then(answer => answer.ok ? answer.text() : Promise.reject());
// Without a network those that this device keeps, English among them.
const get = () => from(language)
.catch(() => new Promise(wait => setTimeout(wait, 2000)).then(() => from(language)))
.catch(() => from("en"))
.catch(get);
const words = get();
const plurals = new Intl.PluralRules(language);
const sheets = SHEETS;
// Keeps the app on this device, for playing without a network, where the browser allows it: whether it is kept.
const keep = async () => {
const { installing, waiting, active } = await navigator.serviceWorker.register(`/service-worker.js?language=${language}`);
const worker = installing ?? waiting ?? active;
const enough = active ? ["installed", "activating", "activated"] : ["activated"];
const is = done => enough.includes(worker.state) ? done(true) : worker.state === "redundant" && done(false);
return new Promise(done => { worker.onstatechange = () => is(done); is(done) });
};
// Not while a first page still loads, or what a table needs is fetched ahead, which counts for who waits: once nothing has come for
// three seconds, or twenty have gone; and not where every byte is counted.
const wait = () => {
const came = performance.getEntriesByType("resource").map(entry => entry.responseEnd);
const loads = boot?.isConnected || globalThis.fetches?.();
const left = loads ? 500 : Math.max(...came, 0) + 3000 - performance.now();
if (left > 0 && performance.now() < 20_000) return setTimeout(wait, left);
(globalThis.requestIdleCallback ?? setTimeout)(() => keep().catch(() => {}));
};
if (navigator.serviceWorker && !navigator.connection?.saveData) addEventListener("load", wait);
globalThis.parlour = {
keep,
forget: async () => {
indexedDB.deleteDatabase("parlour.home");
for (const name of await globalThis.caches?.keys() ?? []) await (await caches.open(name)).delete("/api/me");
},
words: () => words,
sheets: async () => sheets[language] ? (await fetch(new URL(sheets[language], import.meta.url))).text() : "",
languages: () => Object.keys(files).map(id => `${id}=${new Intl.DisplayNames(id, { type: "language" }).of(id)}`).join("\n"),
plural: n => plurals.select(n),
number: (value, digits) => value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
whole: digits => BigInt(digits).toLocaleString(locale),
time: unixMs => new Date(unixMs).toLocaleString(locale),
day: date => new Date(date).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" }),
};
