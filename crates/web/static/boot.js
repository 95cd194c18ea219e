// A table and what else shows a match is one program, all other pages are another: who only looks in loads half.
const table = /^\/(table|device|games|gallery)\/./.test(location.pathname);
const code = table ? "/table.wasm" : "/parlour.wasm";
document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "preload", as: "fetch", type: "application/wasm", crossOrigin: "", href: code,
  }),
);
import(table ? "/table.js" : "/parlour.js");
