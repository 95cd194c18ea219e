// Starts the program. Where the server has put something to read into the page (crates/server/src/greeting.rs) that is shown first, and the
// program is asked for when it is seen: over a slow line it would be in the way. Not for who comes from another page of the app, or where this
// device keeps the app, since the program is here then; nor where nobody looks.
const here = navigator.serviceWorker?.controller || document.referrer.startsWith(location.origin);
const seen = new Promise(done => {
if (here || document.hidden || !document.querySelector("#boot h1")) return done();
new PerformanceObserver(done).observe({ type: "paint", buffered: true });
setTimeout(done, 1000);
});
seen.then(() => {
for (const link of document.querySelectorAll("link[rel=preload][media]")) link.removeAttribute("media");
START
});
