// The line to a table of a server is asked for while its program comes. Nothing is said on it before the program says hello, so
// nothing of the table is missed, and the others there see nobody before.
let early = /^\/table\/[\w-]+$/.test(location.pathname) && new WebSocket(`ws${location.origin.slice(4)}/ws${location.pathname}`);
// The first cards, if the page that was left for this one had them (handover.rs), stay until the table is there, or its program has
// not come for a minute.
try {
const [table, first, looks] = JSON.parse(sessionStorage.getItem("parlour.first") ?? "[]");
sessionStorage.removeItem("parlour.first");
if (location.pathname === `/table/${table}`) {
for (const [name, value] of looks) document.documentElement.setAttribute(name, value);
document.body.insertAdjacentHTML("beforeend", first);
const shown = document.getElementById("first");
shown.style.top = "";
setTimeout(() => shown.remove(), 60_000);
}
} catch {}
parlour.line = url => {
const line = early && early.url === url && early.readyState < 2 ? early : new WebSocket(url);
early = false;
return line;
};
