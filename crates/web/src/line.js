// The line to a table of a server is asked for while its program comes. Nothing is said on it before the program says hello, so
// nothing of the table is missed, and the others there see nobody before.
let early = /^\/table\/[\w-]+$/.test(location.pathname) && new WebSocket(`ws${location.origin.slice(4)}/ws${location.pathname}`);
// The first cards, if the page that was left for this one had them, stay until the table is there (first.rs).
const kept = `parlour.first.${location.pathname.slice(7)}`;
try { document.body.insertAdjacentHTML("beforeend", sessionStorage.getItem(kept) ?? ""); sessionStorage.removeItem(kept) } catch {}
parlour.line = url => {
const line = early && early.url === url && early.readyState < 2 ? early : new WebSocket(url);
early = false;
return line;
};
