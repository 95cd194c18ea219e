// Starts the program, where the page has something to read when that is seen (crates/server/src/greeting.rs).
Promise.resolve(globalThis.seen).then(() => {
START
});
