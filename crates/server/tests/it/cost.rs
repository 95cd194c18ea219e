//! What the dearest requests cost of the processor, that a stranger can send: printed, not asserted, as it depends on the
//! machine. None should take more than 50 ms.
//! `cargo test --release -p parlour-server --test it cost:: -- --ignored --nocapture`

#[path = "../../../rulebook/tests/common/hostile.rs"]
mod hostile;

use crate::common::Server;
use serde_json::json;

/// How often each request is sent, as the system counts time in steps of 10 ms.
const TIMES: u32 = 20;

/// Milliseconds of processor that this process has used: the server's and, little of it, the client's.
fn used() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
    10 * ticks.sum::<u64>()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it prints times, and proves nothing"]
async fn the_dearest_requests() {
    let server = Server::with(|settings| {
        settings.requests_per_second = 1_000_000;
        settings.max_tables_per_guest = 10_000;
    })
    .await;
    let ann = server.guest("Ann").await;
    let ask = async |times: u32, what: &str, method: &str, path: &str, body: String| {
        let before = used();
        let (mut status, mut bytes) = (0, 0);
        for _ in 0..times {
            let answer = ann.ask(method, path, &body).await;
            (status, bytes) = (answer.status, answer.body.len());
            assert!(status > 0 && status != 500 && status != 503, "{what}: {}", answer.body);
        }
        let each = (used() - before) as f64 / f64::from(times);
        println!("{each:>7.1} ms  {status}  {bytes:>8} bytes  {method} {what}");
    };
    for path in ["d27.pdf", "d81.pdf", "d243.pdf", "d243.pdf?backs=1&letters=1"] {
        ask(1, path, "GET", &format!("/print/{path}"), String::new()).await;
    }
    for path in
        ["/api/games", "/api/games/contract", "/api/games/contract/sheet.md", "/api/days", "/api/me/games"]
    {
        ask(1, &format!("{path}, first"), "GET", path, String::new()).await;
        ask(TIMES, path, "GET", path, String::new()).await;
    }
    for (name, text) in hostile::playable().into_iter().chain(hostile::broken()) {
        let read = json!({ "rules": { "file": text }, "seats": 4 }).to_string();
        ask(TIMES, &format!("/api/rules/read: {name}"), "POST", "/api/rules/read", read).await;
        let code = rulebook::share(&text);
        if code.len() < 30_000 {
            let path = format!("/api/rules/{code}/sheet.md");
            ask(TIMES, &format!("/api/rules/CODE/sheet.md: {name}"), "GET", &path, String::new()).await;
        }
    }
    for (name, text) in hostile::playable() {
        let asked = json!({ "game": { "rules": text }, "options": {}, "seats": 2 }).to_string();
        ask(TIMES, &format!("/api/rules/check: {name}"), "POST", "/api/rules/check", asked).await;
        let new = json!({ "game": { "rules": text }, "seats": 2 }).to_string();
        ask(TIMES, &format!("/api/tables: {name}"), "POST", "/api/tables", new).await;
    }
}
