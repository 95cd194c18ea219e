// What a table of this device has of the browser: the messages of its page, the clock, and the storage. The page's first message says
// what is to be opened, or nothing, where what was begun goes on; all others are frames. A worker without a name answers questions
// (main.rs). (The address would not do: it loses what stands after the path where it comes from a cache.)
const NAME = self.name;
if (NAME) {
const asked = request => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error) });
const opened = () => {
const request = indexedDB.open("parlour.home", 1);
request.onupgradeneeded = () => ["tables", "rows"].forEach(name => request.result.createObjectStore(name));
return asked(request);
};
// All rows of this table, or of one of its matches.
const range = (...of) => IDBKeyRange.bound([NAME, ...of], [NAME, ...of, []]);
const load = async () => {
const read = kept.transaction(["tables", "rows"]);
const [table, keys, rows] = await Promise.all([read.objectStore("tables").get(NAME), read.objectStore("rows").getAllKeys(range()), read.objectStore("rows").getAll(range())].map(asked));
return { table: table ?? "", rows: keys.map(([, match, number], n) => [match, number, rows[n]]) };
};
// All of it, or nothing.
const keep = ({ table, forget, rows }) => new Promise((done, fail) => {
const write = kept.transaction(["tables", "rows"], "readwrite");
write.oncomplete = () => done();
write.onabort = () => fail(write.error);
if (table) write.objectStore("tables").put(table, NAME);
forget.forEach(match => write.objectStore("rows").delete(range(match)));
rows.forEach(([match, number, row]) => write.objectStore("rows").add(row, [NAME, match, number]));
});
let kept, timer, ready;
const call = async (what, first) => {
clearTimeout(timer);
const told = { wall: Math.floor(performance.now()), today: Math.floor(Date.now() / 1000), call: what };
const { frames, keep: more, wake, summary } = JSON.parse(turn(JSON.stringify(told)));
if (first) postMessage(JSON.stringify(summary ?? null));
frames.forEach(frame => postMessage(frame));
if (more) return call({ kept: await keep(more).then(() => null, error => `${error}`) });
if (wake !== undefined) timer = setTimeout(() => next(() => call("tick")), wake);
};
// What is begun anew takes the place of what was kept.
const begin = async wanted => {
kept = await opened();
if (!wanted) return call({ restore: await load() }, true);
await asked(kept.transaction("rows", "readwrite").objectStore("rows").delete(range()));
return call({ open: wanted }, true);
};
// One after the other. Where the browser keeps nothing, the table says so and closes.
let last = started;
const next = what => { last = last.then(what).catch(error => call({ lost: `${error}` }, !ready)) };
onmessage = ({ data }) => { next(() => ready ? call({ frame: data }) : (ready = true, begin(data))) };
// Of two windows the later one has the table.
const windows = new BroadcastChannel(`parlour.home.${NAME}`);
windows.postMessage("taken");
windows.onmessage = () => next(async () => { await call("taken"); close() });
}
