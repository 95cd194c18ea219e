// What a table of this device has of the browser: the messages of its page, the clock, and the storage. The page's first message says
// what is to be opened, or nothing, where what was begun goes on; all others are frames. A worker without a name answers questions
// (main.rs). (The address would not do: it loses what stands after the path where it comes from a cache.)
const NAME = self.name;
if (NAME) {
const asked = request => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error) });
const opened = () => {
const request = indexedDB.open("parlour.home", 1);
request.onupgradeneeded = () => ["tables", "rows"].forEach(name => request.result.createObjectStore(name));
// Where all is to be forgotten, it is not held back.
request.addEventListener("success", () => { request.result.onversionchange = () => request.result.close() });
return asked(request);
};
// All rows of this table, or of one of its matches.
const range = (...of) => IDBKeyRange.bound([NAME, ...of], [NAME, ...of, []]);
// Of two windows the later one has the table: it signs, and what is not signed by it is not kept any more.
const OWNER = `${NAME} owner`, mark = `${Math.random()}`;
const load = async () => {
const change = kept.transaction(["tables", "rows"], "readwrite");
const tables = change.objectStore("tables"), all = change.objectStore("rows");
tables.put(mark, OWNER);
const [table, keys, rows] = await Promise.all([tables.get(NAME), all.getAllKeys(range()), all.getAll(range())].map(asked));
return { table: table ?? "", rows: keys.map(([, match, number], n) => [match, number, rows[n]]) };
};
// All of it, or nothing.
const keep = ({ fresh, table, forget, rows }) => new Promise((done, fail) => {
const write = kept.transaction(["tables", "rows"], "readwrite");
const tables = write.objectStore("tables"), all = write.objectStore("rows");
write.oncomplete = () => done();
write.onabort = () => fail(write.error);
const owner = tables.get(OWNER);
owner.onsuccess = () => {
if (owner.result !== mark) return write.abort();
if (fresh) all.delete(range());
if (table) tables.put(table, NAME);
forget.forEach(match => all.delete(range(match)));
rows.forEach(([match, number, row]) => all.add(row, [NAME, match, number]));
};
});
let kept, timer, ready;
const call = async (what, first) => {
clearTimeout(timer);
const told = { wall: Math.floor(performance.now()), today: Math.floor(Date.now() / 1000), call: what };
const { frames, keep: more, wake, summary } = JSON.parse(turn(JSON.stringify(told)));
if (first) { ready = true; postMessage(JSON.stringify(summary ?? null)) }
frames.forEach(frame => postMessage(frame));
if (more) return call({ kept: await keep(more).then(() => null, error => `${error}`) });
if (wake !== undefined) timer = setTimeout(() => next(() => call("tick")), wake);
};
const begin = async wanted => {
kept = await opened();
const found = await load();
return call(wanted ? { open: wanted } : { restore: found }, true);
};
// One after the other. Where the browser keeps nothing, or the table breaks down, that is said, and it closes.
let last = started;
const broken = error => {
if (!ready) postMessage("null");
ready = true;
postMessage(JSON.stringify({ error: { text: `${error}`, retry: false } }));
};
const next = what => { last = last.then(what).catch(error => call({ lost: `${error}` }, !ready)).catch(broken) };
onmessage = ({ data }) => next(() => ready ? call({ frame: data }) : begin(data));
const windows = new BroadcastChannel(`parlour.home.${NAME}`);
windows.postMessage("taken");
windows.onmessage = () => next(async () => { await call("taken"); close() });
}
