// A table and what else shows a match is one program, all other pages are another: who only looks in loads half.
const table = /^\/(table|games|gallery)\/./.test(location.pathname);
const code = table ? "/table.wasm" : "/parlour.wasm";
const link = (fields) => document.head.append(Object.assign(document.createElement("link"), fields));
link({ rel: "preload", as: "fetch", type: "application/wasm", crossOrigin: "", href: code });
if (!table) link({ rel: "stylesheet", href: "/pages.css" });
import(table ? "/table.js" : "/parlour.js");
