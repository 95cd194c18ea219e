// Leads to the table of this device, in a worker (crates/worker/src/home.js), as a socket leads to one of a server.
let told;
const summary = new Promise(done => { told = done });
parlour.summary = () => summary;
parlour.home = name => {
const worker = new Worker(document.querySelector("meta[name=worker]").content, { type: "module", name });
const wanted = `parlour.home.${name}`;
const line = { readyState: 0, send: text => worker.postMessage(text), close: () => { line.readyState = 3; worker.terminate() } };
// What is played comes first; then it is open.
worker.onmessage = event => {
if (line.readyState) return line.onmessage(event);
line.readyState = 1;
told(event.data);
localStorage.removeItem(wanted);
line.onopen();
};
worker.onerror = () => { line.close(); line.onclose() };
worker.postMessage(localStorage.getItem(wanted) ?? "");
return line;
};
// The rows of a match that is over, as the worker keeps them (crates/worker/src/home.js).
parlour.record = id => new Promise((done, fail) => {
const open = indexedDB.open("parlour.home");
open.onerror = () => fail(open.error);
open.onsuccess = () => {
const rows = open.result.transaction("rows").objectStore("rows"), keys = rows.getAllKeys(), all = rows.getAll();
all.onsuccess = () => { open.result.close(); done(all.result.filter((_, n) => keys.result[n][1] === id).join("\n")) };
all.onerror = () => fail(all.error);
};
});
