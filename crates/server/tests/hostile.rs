//! Rude clients: refused, counted, never a panic, and the server goes on.

mod common;

use common::Server;

/// The count of a reason in /metrics.
async fn refused(server: &Server, reason: &str) -> u64 {
    let text = server.get("/metrics").await.body;
    let row = format!("parlour_refused_total{{reason=\"{reason}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&row)).map_or(0, |count| count.parse().expect("a number"))
}

#[tokio::test]
async fn foreign_pages_are_turned_away() {
    let server = Server::start().await;
    let foreign = server.ask("GET", "/", &[("Host", "evil.example")], "").await;
    assert_eq!(foreign.status, 421);
    assert!(foreign.body.contains("--base-url"), "{}", foreign.body);
    let body = r#"{"name":"Mallory"}"#;
    let foreign = server.ask("PUT", "/api/me", &[("Origin", "http://evil.example")], body).await;
    assert_eq!(foreign.status, 403);
    let near = server.ask("PUT", "/api/me", &[("Origin", "http://127.0.0.1:1")], body).await;
    assert_eq!(near.status, 403, "another port is another site");
    assert_eq!(server.socket("/ws/table/any", &[("Origin", "http://evil.example")]).await.err(), Some(403));
    assert_eq!(refused(&server, "origin").await, 4);
    let own = format!("http://{}", server.address);
    assert_eq!(server.ask("PUT", "/api/me", &[("Origin", &own)], body).await.status, 200);
}

#[tokio::test]
async fn every_answer_tells_browsers_to_be_careful() {
    let server = Server::start().await;
    for path in ["/", "/api/games", "/api/nothing", "/healthz", "/no/such.file"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("script-src 'self' 'wasm-unsafe-eval';"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
    }
}

#[tokio::test]
async fn bodies_are_judged_before_they_are_believed() {
    let server = Server::start().await;
    for (body, status, says) in [
        ("{", 400, "not understood"),
        (r#"{"name":1}"#, 400, "not understood"),
        (r#"{"name":"A","admin":true}"#, 400, "unknown field"),
        (r#"{"name":"  "}"#, 400, "name"),
        (r#"{"name":"a name that goes on and on and on"}"#, 400, "24"),
        (r#"{"name":"A\u0007B"}"#, 400, "name"),
        (r#"{"name":"\u202eevil"}"#, 400, "name"),
    ] {
        let answer = server.ask("PUT", "/api/me", &[], body).await;
        assert_eq!(answer.status, status, "{body}");
        assert!(answer.problem().contains(says), "{body}: {}", answer.body);
        assert_eq!(answer.header("set-cookie"), None, "{body}");
    }
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(100_000));
    assert_eq!(server.ask("PUT", "/api/me", &[], &long).await.status, 413);
    let plain =
        server.ask("PUT", "/api/me", &[("Content-Length", "2"), ("Content-Type", "text/plain")], "").await;
    assert_eq!(plain.status, 415);
}

#[tokio::test]
async fn bytes_that_are_no_http_do_no_harm() {
    let server = Server::start().await;
    let mut long = b"GET / HTTP/1.1\r\n".to_vec();
    long.extend(std::iter::repeat_n(b'a', 100_000));
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01"[..],
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        &long,
    ] {
        let answer = server.raw(bytes).await;
        assert!(answer.status == 0 || (400..500).contains(&answer.status), "{bytes:?}: {}", answer.status);
    }
    for path in [
        "/../../etc/passwd",
        "/assets/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/..%2f..%2fetc/passwd.txt",
    ] {
        let answer = server.get(path).await;
        assert!(!answer.body.contains("root:") && !answer.body.contains("[package]"), "{path}");
    }
    assert_eq!(server.get("/healthz").await.body, "ok\n");
}

#[tokio::test]
async fn a_request_that_never_ends_is_cut_off() {
    let server = Server::with(|settings| settings.patience_seconds = 1).await;
    let answer = server.raw(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ").await;
    assert!(answer.status == 0 || answer.status == 408, "{}", answer.status);
}

#[tokio::test]
async fn too_many_requests_from_one_address_wait() {
    let server = Server::with(|settings| settings.requests_per_second = 1).await;
    let mut statuses = vec![];
    for _ in 0..12 {
        statuses.push(server.ask("PUT", "/api/me", &[], r#"{"name":"Ann"}"#).await.status);
    }
    assert_eq!(statuses[..10], [200; 10], "the burst");
    assert!(statuses[10..].contains(&429), "{statuses:?}");
    assert!(refused(&server, "rate").await >= 1);
    assert_eq!(server.get("/api/games").await.status, 200, "reading is free");
}

#[tokio::test]
async fn too_many_connections_from_one_address_are_not_taken() {
    let server = Server::with(|settings| settings.max_connections_per_address = 2).await;
    let held = [(), ()].map(|()| std::net::TcpStream::connect(server.address).expect("it listens"));
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(server.get("/healthz").await.status, 0, "hung up at once");
    drop(held);
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(server.get("/healthz").await.status, 200, "and room again");
    assert!(refused(&server, "connections").await >= 1);
}

/// A socket at a new table.
async fn at_a_table(server: &Server) -> common::Socket {
    let ann = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = ann.ask("POST", "/api/tables", body).await.json();
    ann.socket(made["id"].as_str().expect("an id")).await
}

#[tokio::test]
async fn guessed_tables_are_not_there() {
    let server = Server::start().await;
    for id in ["x", "00000000000000000000", "..%2f..", "' OR 1=1"] {
        let id = id.replace(' ', "%20");
        assert_eq!(server.socket(&format!("/ws/table/{id}"), &[]).await.err(), Some(404), "{id}");
        assert_eq!(server.get(&format!("/api/tables/{id}")).await.status, 404, "{id}");
        assert_eq!(server.get(&format!("/api/matches/{id}/record")).await.status, 404, "{id}");
    }
    assert_eq!(refused(&server, "table").await, 4);
    assert_eq!(server.get("/ws/table/x").await.status, 400, "no socket was asked for");
}

#[tokio::test]
async fn malformed_frames_are_counted_and_then_enough() {
    let server = Server::with(|settings| settings.max_strikes = 10).await;
    let mut socket = at_a_table(&server).await;
    for frame in [
        "",
        "{",
        "null",
        "[]",
        "{\"command\":{}}",
        "{\"hello\":{\"protocol\":-1}}",
        "\u{0}",
        &"[".repeat(5000),
        "1e999",
        "{\"act\":{\"fly\":{}}}",
    ] {
        socket.send(frame).await;
    }
    socket.until_closed().await;
    assert_eq!(refused(&server, "malformed").await, 10);
    assert_eq!(refused(&server, "strikes").await, 1);
    assert_eq!(server.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_flood_is_counted_refused_and_closed() {
    let server = Server::with(|settings| {
        settings.messages_per_second = 5;
        settings.max_strikes = 50;
    })
    .await;
    let mut socket = at_a_table(&server).await;
    socket.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    for n in 0..200 {
        socket.send(format!("{{\"pong\":{{\"nonce\":{n}}}}}")).await;
    }
    socket.until_closed().await;
    assert_eq!(refused(&server, "rate").await, 50);
    assert_eq!(server.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_socket() {
    let server = Server::start().await;
    let mut socket = at_a_table(&server).await;
    socket.send("x".repeat(100_000)).await;
    socket.until_closed().await;
    assert_eq!(refused(&server, "socket").await, 1);
}
