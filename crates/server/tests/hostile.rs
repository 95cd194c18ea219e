//! Rude clients: refused, counted, never a panic, and the server goes on.

mod common;

use common::Server;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The count of a reason in /metrics.
async fn refused(server: &Server, reason: &str) -> u64 {
    server.metric(&format!("parlour_refused_total{{reason=\"{reason}\"}}")).await
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
    let server = Server::with(|settings| settings.patience_seconds = 1).await;
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
    let begun =
        "Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"name\":\"A";
    let answer = server.raw(format!("PUT /api/me HTTP/1.1\r\n{begun}").as_bytes()).await;
    assert_eq!(answer.status, 408, "{}", answer.body);
    assert!(answer.problem().contains("too long to arrive"), "{}", answer.body);
    assert_eq!(refused(&server, "slow").await, 1);
}

#[tokio::test]
async fn a_body_drop_by_drop_is_not_waited_for() {
    let server = Server::with(|settings| settings.patience_seconds = 1).await;
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(400));
    for framing in [
        format!("Content-Length: {}\r\n\r\n", body.len()),
        format!("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n", body.len()),
    ] {
        let head =
            format!("PUT /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{framing}");
        let mut stream = TcpStream::connect(server.address).await.expect("it listens");
        stream.write_all(head.as_bytes()).await.expect("taken");
        let mut sent = 0;
        for drop in body.as_bytes() {
            sent += usize::from(stream.write_all(&[*drop]).await.is_ok());
            if tokio::time::timeout(Duration::from_millis(50), stream.readable()).await.is_ok() {
                break;
            }
        }
        assert!(sent < body.len(), "each drop took its time");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_not_waited_for() {
    let server = Server::with(|settings| {
        settings.patience_seconds = 1;
        settings.max_connections_per_address = 10_000;
        settings.requests_per_second = 100_000;
    })
    .await;
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a size");
    let mut stream = socket.connect(server.address).await.expect("it listens");
    // Answers of some megabytes, more than the system keeps for a connection.
    let one = "GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let asking = one.repeat(2000);
    let begun = std::time::Instant::now();
    tokio::time::timeout(common::PATIENCE, async {
        let _ = stream.write_all(asking.as_bytes()).await;
        while server.metric("parlour_connections").await > 1 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await
    .unwrap_or_else(|_| panic!("it still waits after {:?}", begun.elapsed()));
}

#[tokio::test]
async fn whoever_only_holds_connections_makes_room_for_those_who_come() {
    let server = Server::with(|settings| settings.max_connections = 4).await;
    let mut socket = at_a_table(&server).await;
    // Half a request, and none at all.
    let mut held = vec![];
    for n in 0..20 {
        let mut stream = TcpStream::connect(server.address).await.expect("it listens");
        if n % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.expect("taken");
        }
        held.push(stream);
        assert_eq!(server.get("/healthz").await.status, 200, "{n}");
    }
    assert!(refused(&server, "idle").await >= 16);
    socket.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert!(socket.next().await.expect("it is open").contains("welcome"));
}

#[tokio::test]
async fn metrics_are_not_for_visitors() {
    let server = Server::start().await;
    let page = server.get("/metrics").await;
    assert!(!page.body.contains("parlour_"), "{}", page.body);
    assert_eq!(server.get("/healthz").await.body, "ok\n");
    let text = server.for_hosts("/metrics").await;
    assert_eq!(text.status, 200);
    assert!(text.body.contains("parlour_connections 1\n"), "{}", text.body);
    assert_eq!(server.for_hosts("/healthz").await.body, "ok\n");
    for path in ["/", "/api/games", "/api/tables", "/ws/table/x"] {
        assert_eq!(server.for_hosts(path).await.status, 404, "{path}");
    }
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
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(server.get("/healthz").await.status, 0, "hung up at once");
    drop(held);
    tokio::time::sleep(Duration::from_millis(200)).await;
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
