//! Behind a proxy, limits count for those who ask, and nobody can make up who that is.

use crate::common::{Server, Socket};
use server::{Settings, TrustProxy};
use std::time::Duration;

/// The header in which the proxy says who asks.
const FORWARDED: &str = "X-Forwarded-For";

async fn behind_a_proxy(change: impl FnOnce(&mut Settings)) -> Server {
    Server::with(|settings| {
        settings.trust_proxy = TrustProxy::Near;
        change(settings);
    })
    .await
}

async fn table(server: &Server) -> String {
    let ann = server.guest("Ann").await;
    let made = ann.ask("POST", "/api/tables", r#"{"game":{"preset":"set-classic"},"seats":2}"#).await;
    made.json()["id"].as_str().expect("an id").to_owned()
}

/// Opens a socket for whoever the proxy says it is.
async fn socket(server: &Server, table: &str, forwarded: &str) -> Result<Socket, u16> {
    server.socket(&format!("/ws/table/{table}"), &[(FORWARDED, forwarded)]).await
}

/// Lets the server see what was closed.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(200)).await;
}

#[tokio::test]
async fn connections_count_for_the_address_that_the_proxy_names() {
    let server = behind_a_proxy(|settings| settings.max_connections_per_address = 2).await;
    let table = table(&server).await;
    let mut open = vec![];
    for n in 0..20 {
        // Each home has its two, though the same proxy brings them all; what stands to the left is made up.
        let home = format!("198.51.100.{n}, 203.0.113.{}", n / 2);
        open.push(socket(&server, &table, &home).await.unwrap_or_else(|status| panic!("{n}: {status}")));
    }
    for forged in ["203.0.113.0", "10.0.0.1, 203.0.113.0", "203.0.113.99 ,203.0.113.0", "x, 203.0.113.0:77"] {
        assert_eq!(socket(&server, &table, forged).await.err(), Some(429), "{forged}");
        let asked = server.ask("GET", "/api/games", &[(FORWARDED, forged)], "").await;
        assert_eq!(asked.status, 429, "{forged}");
        assert!(asked.problem().contains("Too many connections"), "{}", asked.body);
        assert_eq!(asked.header("x-content-type-options"), Some("nosniff"));
    }
    open.truncate(1);
    a_moment().await;
    open.push(socket(&server, &table, "203.0.113.0").await.expect("room again"));
    assert_eq!(socket(&server, &table, "203.0.113.0").await.err(), Some(429));
}

#[tokio::test]
async fn the_proxys_own_connections_are_bounded_by_the_whole_house_only() {
    let server = behind_a_proxy(|settings| {
        settings.max_connections_per_address = 1;
        settings.max_connections = 8;
    })
    .await;
    let ann = server.guest("Ann").await;
    let made = ann.ask("POST", "/api/tables", r#"{"game":{"preset":"set-classic"},"seats":2}"#).await.json();
    let path = format!("/ws/table/{}", made["id"].as_str().expect("an id"));
    let connect = || std::net::TcpStream::connect(server.address).expect("it listens");
    let idle: Vec<_> = (0..20).map(|_| connect()).collect();
    a_moment().await;
    let mut open = vec![];
    for n in 0..8 {
        let from = format!("203.0.113.{n}");
        let socket = server.socket(&path, &[(FORWARDED, &from), ("Cookie", &ann.cookie)]).await;
        open.push(socket.expect("idle ones give way"));
    }
    a_moment().await;
    assert_eq!(server.ask("GET", "/api/games", &[(FORWARDED, "203.0.113.9")], "").await.status, 0, "full");
    drop((idle, open));
}

#[tokio::test]
async fn changes_count_for_the_address_that_the_proxy_names() {
    let server = behind_a_proxy(|settings| settings.requests_per_second = 1).await;
    let name = async |forwarded: &str| {
        let body = r#"{"name":"Ann"}"#;
        server.ask("PUT", "/api/me", &[(FORWARDED, forwarded)], body).await.status
    };
    for n in 0..10 {
        assert_eq!(name(&format!("192.0.2.{n}, 2001:db8:0:1::{n}")).await, 200, "the burst");
    }
    let mut refused = false;
    for n in 0..3 {
        refused |= name(&format!("192.0.2.{n}, 2001:db8:0:1::ff:{n}")).await == 429;
    }
    assert!(refused, "all of a home's network is one");
    assert_eq!(name("2001:db8:0:2::1").await, 200, "another home");
}

#[tokio::test]
async fn without_a_proxy_the_header_is_nothing() {
    let server = Server::with(|settings| settings.max_connections_per_address = 2).await;
    let table = table(&server).await;
    let _open = [socket(&server, &table, "203.0.113.1").await, socket(&server, &table, "203.0.113.2").await];
    let more = server.ask("GET", "/api/games", &[(FORWARDED, "203.0.113.3")], "").await;
    assert_eq!(more.status, 0, "hung up at once");
}
