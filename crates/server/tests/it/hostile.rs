//! Rude clients: refused, counted, never a panic, and the server goes on.

use crate::common::Server;
use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

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

/// Also where a library refuses it and says so in a text of its own, or not at all.
#[tokio::test]
async fn whatever_is_refused_is_refused_in_words() {
    let server = Server::start().await;
    for (method, path, headers, status) in [
        ("GET", "/api/games/%ff", None, 400),
        ("GET", "/api/games/contract/sheet.md?players=x", None, 400),
        ("GET", "/api/nothing", None, 404),
        ("PATCH", "/api/tables", None, 405),
        ("GET", "/api/me/games", None, 401),
        ("GET", "/api/games", Some(("Host", "evil.example")), 421),
        ("PUT", "/api/me", Some(("Origin", "http://evil.example")), 403),
    ] {
        let headers: Vec<(&str, &str)> = headers.into_iter().collect();
        let answer = server.ask(method, path, &headers, "").await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
        assert!(answer.problem().len() > 10, "{path}: {}", answer.body);
    }
}

#[tokio::test]
async fn every_answer_tells_browsers_to_be_careful() {
    let server = Server::start().await;
    for path in ["/", "/api/games", "/api/nothing", "/healthz", "/no/such.file"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        let scripts: Vec<&str> =
            policy.split(';').map(str::trim).filter(|part| part.starts_with("script-src")).collect();
        assert!(policy.contains("default-src 'none'") && scripts.len() == 1, "{policy}");
        let sources: Vec<&str> = scripts[0].split(' ').skip(1).collect();
        let known = |source: &&str| {
            ["'self'", "'wasm-unsafe-eval'"].contains(source) || source.starts_with("'sha256-")
        };
        assert!(sources.len() == 3 && sources.iter().all(known), "{policy}");
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

/// Q-17: nobody opens a table to strangers that one of them can block for ever.
#[tokio::test]
async fn a_public_table_has_its_clocks() {
    let server = Server::start().await;
    let ann = server.guest("Ann").await;
    for option in ["idle_vote_s", "call_timeout_s"] {
        for (public, status) in [(true, 400), (false, 201)] {
            let body = serde_json::json!({
                "game": { "preset": "set-classic" }, "options": { option: "off" }, "seats": 2, "public": public,
            });
            let answer = ann.ask("POST", "/api/tables", &body.to_string()).await;
            assert_eq!(answer.status, status, "{option}: {}", answer.body);
            assert!(!public || answer.problem().contains("Q-17"), "{}", answer.body);
        }
    }
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
    tokio::time::timeout(crate::common::PATIENCE, async {
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
    assert!(server.for_hosts("/healthz").await.body.starts_with("ok\n"));
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
async fn at_a_table(server: &Server) -> crate::common::Socket {
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

/// How many of the frames that wait for a socket are of this kind.
async fn waiting(socket: &mut crate::common::Socket, kind: &str, time: Duration) -> usize {
    let kind = format!("{{\"{kind}\":");
    let mut count = 0;
    let end = tokio::time::Instant::now() + time;
    while let Ok(Some(text)) = tokio::time::timeout_at(end, socket.next()).await {
        count += usize::from(text.starts_with(&kind));
    }
    count
}

/// Sends a frame until the server has closed the socket; whether that was before `most`.
async fn is_cut_off(socket: &mut crate::common::Socket, frame: &Message, most: usize) -> bool {
    for _ in 0..most {
        if socket.0.send(frame.clone()).await.is_err() {
            return true;
        }
    }
    // What was on its way when the server hung up was taken by the system.
    let closed = async { while let Some(Ok(_)) = socket.0.next().await {} };
    tokio::time::timeout(Duration::from_secs(5), closed).await.is_ok()
}

#[tokio::test]
async fn pings_fragments_and_garbage_cost_and_then_the_socket_is_closed() {
    let server = Server::start().await;
    let empty = |code, last| Message::Frame(Frame::message(vec![], OpCode::Data(code), last));
    for (what, frame) in [
        ("pings", Message::Ping(vec![0; 125].into())),
        ("empty pings", Message::Ping(vec![].into())),
        ("pongs", Message::Pong(vec![].into())),
        ("empty messages", Message::Binary(vec![].into())),
        ("garbage", Message::text("[".repeat(16_000))),
        ("a message without an end", empty(Data::Text, false)),
    ] {
        let before = refused(&server, "much").await + refused(&server, "socket").await;
        let mut socket = at_a_table(&server).await;
        assert!(is_cut_off(&mut socket, &frame, 300).await, "{what}");
        let after = refused(&server, "much").await + refused(&server, "socket").await;
        assert_eq!(after - before, 1, "{what}");
    }
    let mut socket = at_a_table(&server).await;
    socket.0.send(empty(Data::Text, false)).await.expect("taken");
    assert!(is_cut_off(&mut socket, &empty(Data::Continue, false), 300).await, "empty fragments");
    // Who shares the address and says as much as a browser does is not bothered, and nobody elsewhere is.
    let id = table(&server).await;
    for (from, pings) in [("127.0.0.1", 3), ("127.0.9.1", 30)] {
        let mut socket = server.socket_from(from, &format!("/ws/table/{id}"), &[]).await.expect("open");
        say_hello(&mut socket, pings).await;
    }
}

/// Sends pings and the hello, and is welcome.
async fn say_hello(socket: &mut crate::common::Socket, pings: usize) {
    for _ in 0..pings {
        socket.0.send(Message::Ping(vec![].into())).await.expect("taken");
    }
    socket.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert!(socket.next().await.expect("it is open").contains("welcome"));
}

#[tokio::test]
async fn an_address_pays_for_all_its_sockets() {
    let server = Server::with(|settings| settings.messages_per_second = 1).await;
    let guest = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = guest.ask("POST", "/api/tables", body).await.json();
    let table = made["id"].as_str().expect("an id");
    let mut answered = 0;
    for n in 0..20 {
        let stranger = format!("127.0.1.{}", 1 + n % 2);
        let mut socket =
            server.socket_from(&stranger, &format!("/ws/table/{table}"), &[]).await.expect("open");
        socket.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
        for _ in 0..3 {
            // Four at once are every socket's due.
            socket.send(r#"{"act":{"stand":null}}"#).await;
            socket.send(r#"{"act":"stand"}"#).await;
        }
        answered += waiting(&mut socket, "declined", Duration::from_millis(50)).await;
    }
    assert!(
        (20..=60).contains(&answered),
        "{answered} where two addresses have 40 messages each, half of them good"
    );
    assert!(refused(&server, "rate").await > 20);
    let mut ann = guest.socket(table).await;
    ann.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert!(ann.next().await.expect("others pay for themselves").contains("welcome"));
}

#[tokio::test]
async fn sockets_are_opened_at_a_rate_and_reads_are_asked_at_one() {
    let server = Server::with(|settings| settings.requests_per_second = 2).await;
    let table = table(&server).await;
    let path = format!("/ws/table/{table}");
    let mut opened = vec![];
    for _ in 0..15 {
        opened.push(server.socket_from("127.0.2.1", &path, &[]).await.map(drop).err());
    }
    assert_eq!(opened[..10], [None; 10], "five times the rate at once");
    assert_eq!(opened[12..], [Some(429); 3]);
    let mut answers = vec![];
    for _ in 0..60 {
        let ask =
            format!("GET /api/tables HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        let answer =
            tokio::time::timeout(Duration::from_millis(500), server.raw_from("127.0.2.2", ask.as_bytes()));
        answers.push(answer.await.map_or(429, |answer| answer.status));
    }
    assert_eq!(answers[..40], [200; 40], "forty times the rate at once, connections and requests together");
    assert!(answers[45..].iter().all(|status| [0, 429].contains(status)), "{answers:?}");
    assert_eq!(server.get("/api/tables").await.status, 200, "others are not bothered");
}

/// The id of a new table.
async fn table(server: &Server) -> String {
    let ann = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    ann.ask("POST", "/api/tables", body).await.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn those_who_watch_are_few_and_come_from_many_addresses() {
    let server = Server::with(|settings| settings.max_watchers_per_table = 8).await;
    let ann = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = ann.ask("POST", "/api/tables", body).await.json();
    let id = made["id"].as_str().expect("an id");
    let path = format!("/ws/table/{id}");
    let mut watching = vec![];
    for n in 0..30 {
        if let Ok(socket) = server.socket_from(&format!("127.0.3.{}", n / 3), &path, &[]).await {
            watching.push((n, socket));
        }
    }
    let who: Vec<_> = watching.iter().map(|(n, _)| *n).collect();
    assert_eq!(who, [0, 1, 3, 4, 6, 7, 9, 10], "two of each address, eight in all");
    let mut own = ann.socket(id).await;
    own.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert!(own.next().await.expect("a seat is a seat").contains("welcome"));
    drop(watching);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(server.socket_from("127.0.3.9", &path, &[]).await.is_ok(), "room again");
}

/// Otherwise whoever sits down, opens many sockets and stands up watches from all of them.
#[tokio::test]
async fn who_stands_up_needs_a_place_among_those_who_watch_and_who_sits_down_leaves_it() {
    let server = Server::with(|settings| settings.max_watchers_per_table = 4).await;
    let (ann, ben) = (server.guest("Ann").await, server.guest("Ben").await);
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = ann.ask("POST", "/api/tables", body).await.json();
    let id = made["id"].as_str().expect("an id");
    let hello = r#"{"hello":{"protocol":1,"client":7}}"#;
    let path = format!("/ws/table/{id}");
    let mut own = vec![ben.socket(id).await];
    own[0].send(hello).await;
    assert!(own[0].next().await.expect("one may watch").contains("welcome"));
    assert_eq!(server.socket(&path, &[]).await.err(), Some(503), "one of an address");
    own[0].send(r#"{"act":{"sit":{"seat":1}}}"#).await;
    assert!(waiting(&mut own[0], "table", Duration::from_millis(300)).await > 0, "he sits");
    own[0].send("\"resync\"").await;
    waiting(&mut own[0], "welcome", Duration::from_millis(300)).await;
    for _ in 0..2 {
        let mut socket = ben.socket(id).await;
        socket.send(hello).await;
        assert!(socket.next().await.expect("a seat is a seat").contains("welcome"));
        own.push(socket);
    }
    drop(server.socket(&path, &[]).await.expect("the place is free"));
    tokio::time::sleep(Duration::from_millis(200)).await;
    own[0].send(r#"{"act":"stand"}"#).await;
    waiting(&mut own[0], "table", Duration::from_millis(300)).await;
    own[0].send("\"resync\"").await;
    assert!(waiting(&mut own[0], "welcome", Duration::from_millis(1800)).await > 0, "he watches");
    for socket in &mut own[1..] {
        socket.send("\"resync\"").await;
        assert_eq!(waiting(socket, "error", Duration::from_secs(2)).await, 1, "he is told why");
        tokio::time::timeout(Duration::from_secs(5), socket.until_closed()).await.expect("no place for this");
    }
    // The host stays, seat or none.
    let mut host = ann.socket(id).await;
    host.send(hello).await;
    host.send(r#"{"act":"stand"}"#).await;
    host.send("\"resync\"").await;
    assert!(waiting(&mut host, "welcome", Duration::from_millis(1800)).await > 1, "she keeps the table");
}

#[tokio::test]
async fn who_only_watches_and_has_no_name_makes_room_when_the_house_is_full() {
    let server = Server::with(|settings| settings.max_connections = 5).await;
    let ann = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = ann.ask("POST", "/api/tables", body).await.json();
    let id = made["id"].as_str().expect("an id");
    let mut own = ann.socket(id).await;
    let mut watching = vec![];
    for n in 0..10 {
        let from = format!("127.0.4.{n}");
        watching
            .push(server.socket_from(&from, &format!("/ws/table/{id}"), &[]).await.expect("room is made"));
        assert_eq!(server.get("/healthz").await.status, 200, "{n}");
    }
    watching[0].until_closed().await;
    own.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert!(own.next().await.expect("it is open").contains("welcome"));
}

#[tokio::test]
async fn strangers_who_come_and_go_send_a_player_next_to_nothing() {
    let server = Server::with(|settings| settings.requests_per_second = 1000).await;
    let ann = server.guest("Ann").await;
    let body = r#"{"game":{"preset":"set-classic"},"seats":2}"#;
    let made = ann.ask("POST", "/api/tables", body).await.json();
    let id = made["id"].as_str().expect("an id");
    let mut own = ann.socket(id).await;
    own.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
    assert_eq!(
        waiting(&mut own, "table", Duration::from_secs(1)).await,
        2,
        "the welcome's, and that she is there"
    );
    let begun = std::time::Instant::now();
    for n in 0..150 {
        let from = format!("127.0.5.{}", n % 200);
        let mut socket = server.socket_from(&from, &format!("/ws/table/{id}"), &[]).await.expect("open");
        socket.send(r#"{"hello":{"protocol":1,"client":7}}"#).await;
        assert!(socket.next().await.is_some());
    }
    let told = waiting(&mut own, "table", Duration::from_millis(2500)).await;
    let most = 2 + begun.elapsed().as_secs() as usize / 2;
    assert!((1..=most).contains(&told), "{told} times in {:?}", begun.elapsed());
}
