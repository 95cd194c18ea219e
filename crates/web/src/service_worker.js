// Keeps the app on this device, so that it opens without a network. The version changes with any file of the app; FILES are those
// that it is made of.
const version = "VERSION";
const files = FILES;
// Addresses that open it, one at least for each of its programs and each part that stands below another.
const pages = ["/", "/about", "/gallery", "/games", "/home/contract", "/home/pattern", "/house", "/learn", "/maths", "/odds", "/practice",
"/rulebook/contract", "/rulebook/pattern", "/rules", "/settings", "/solve", "/strategy/contract", "/strategy/pattern", "/today"];
// What the server says of the games, which pages show; kept as it was said last.
const said = /^\/(api\/(me|games|games\/[^/]+|rules)|rulebook\/[^/]+)$/;
const language = new URL(location).searchParams.get("language");
const spoken = file => { const [, of] = file.match(/\.([a-z]{2})-[0-9a-f]+\.txt$/) ?? []; return !of || of === language || of === "en" };
const keep = async (cache, path) => { const answer = await fetch(path); if (!answer.ok) throw new Error(path); await cache.put(path, answer) };
// The games of the last days can be played, too, without rank. Nothing of those who played them is kept. What is told of a day does
// not change, and is taken over from an app of before.
const days = async cache => {
for (let path = "/api/days", n = 0; path && n < 9; n++) {
const before = n && await kept(path), asked = before ? await before.json() : {};
let day = asked.games?.every(game => game.deal) ? asked : undefined;
if (!day) {
const answer = await fetch(path, { credentials: "omit" });
if (!answer.ok) return;
day = await answer.json();
day = { ...day, today: false, games: day.games.map(game => ({ ...game, places: [] })) };
}
await cache.put(path, new Response(JSON.stringify(day), { headers: { "content-type": "application/json" } }));
path = day.before && `/api/days/${day.before}`;
}
// Older ones go.
const dated = (await cache.keys()).map(request => new URL(request.url).pathname).filter(path => path.startsWith("/api/days/"));
for (const path of dated.sort().slice(0, -8)) await cache.delete(path);
};
addEventListener("install", event => event.waitUntil((async () => {
const cache = await caches.open(version);
await cache.addAll([...files.filter(spoken), ...pages]);
await Promise.all(["/api/games", "/api/me", "/api/rules", "/rulebook/contract.md", "/rulebook/pattern.md"].map(path => keep(cache, path)));
// Rule sheets can be read, too, as far as they come.
for (const { id } of (await (await cache.match("/api/games", { ignoreVary: true })).json()).games) await keep(cache, `/api/games/${id}`).catch(() => {});
await days(cache).catch(() => {});
})()));
// The app of before goes when no page of it is open any more.
addEventListener("activate", event => event.waitUntil((async () => {
const old = (await caches.keys()).filter(name => name !== version);
await Promise.all(old.map(name => caches.delete(name)));
await clients.claim();
})()));
const kept = path => caches.match(path, { ignoreVary: true });
// What comes, else what was kept.
const orKept = (answer, path) => answer.catch(async error => { const before = await kept(path); if (before) return before; throw error });
// The server's answer, kept from now on.
const asked = async (request, path) => {
const answer = await fetch(request);
if (answer.ok) { const cache = await caches.open(version); await cache.put(path, answer.clone()) }
return answer;
};
// The page of an address is that of the nearest one above it that is kept: /rules for /rules/quick.
const page = async path => await kept(path) ?? (path === "/" ? Response.error() : page(path.replace(/\/[^/]*$/, "") || "/"));
const shown = async request => {
try { return await fetch(request) } catch { return page(new URL(request.url).pathname) }
};
addEventListener("fetch", event => {
const { request } = event, { origin, pathname } = new URL(request.url);
if (request.method !== "GET" || origin !== location.origin) return;
if (request.mode === "navigate") event.respondWith(shown(request));
else if (pathname.startsWith("/assets/")) event.respondWith(kept(pathname).then(answer => answer ?? fetch(request)));
else if (pathname.startsWith("/api/days")) {
event.respondWith(orKept(fetch(request), pathname));
if (pathname === "/api/days") event.waitUntil(caches.open(version).then(days).catch(() => {}));
} else if (said.test(pathname)) event.respondWith(orKept(asked(request, pathname), pathname));
});
