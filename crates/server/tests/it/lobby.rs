//! The lobby comes in pages, however many tables there are.

use crate::common::player::Player;
use crate::common::{Answer, Guest, Server};
use std::time::Duration;
use wire::Act;
use wire::api::{LOBBY_PAGE, Lobby};

fn page_of(answer: &Answer) -> Lobby {
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    serde_json::from_str(&answer.body).expect("a page")
}

async fn page(server: &Server, after: Option<&str>) -> Lobby {
    let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
    page_of(&server.get(&format!("/api/tables{query}")).await)
}

/// All pages.
async fn all(server: &Server) -> Vec<String> {
    let (mut ids, mut after) = (vec![], None);
    loop {
        let page = page(server, after.as_deref()).await;
        assert!(page.tables.len() <= LOBBY_PAGE);
        ids.extend(page.tables.into_iter().map(|table| table.id));
        after = page.next;
        if after.is_none() {
            return ids;
        }
    }
}

async fn open(host: &Guest<'_>, public: bool) -> String {
    let body = serde_json::json!({ "game": { "preset": "set-classic" }, "seats": 2, "public": public });
    let made = host.ask("POST", "/api/tables", &body.to_string()).await;
    made.json()["id"].as_str().unwrap_or_else(|| panic!("{}", made.body)).to_owned()
}

#[tokio::test]
async fn the_lobby_has_pages_and_those_who_can_be_joined_come_first() {
    let server = Server::with(|settings| {
        settings.requests_per_second = 10_000;
        settings.max_tables_per_guest = 1000;
    })
    .await;
    assert_eq!(all(&server).await, [""; 0]);
    let ann = server.guest("Ann").await;
    let mut tables = vec![];
    for _ in 0..LOBBY_PAGE * 2 + 5 {
        tables.insert(0, open(&ann, true).await);
        // Of two that are opened in one millisecond either may stand first.
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    open(&ann, false).await;
    assert_eq!(all(&server).await, tables, "the newest first, and no private one");

    // The newest fills up: it is shown after all that can be joined, at once.
    let newest = tables.remove(0);
    tables.push(newest.clone());
    let mut bob = Player::come(&server, "Bob", &newest, 2).await;
    bob.sit(1).await;
    assert_eq!(all(&server).await, tables);
    bob.act(Act::Stand).await;
    bob.until("he stands", |client| client.viewer() == game::Viewer::Table).await;
    tables.rotate_right(1);
    assert_eq!(all(&server).await, tables);

    // Its people go, and it is not shown; a server that is started again shows the same.
    let first = page(&server, None).await;
    ann.ask("DELETE", "/api/me", "").await;
    assert_eq!(all(&server).await, [""; 0], "nobody is at any of them");
    let eve = server.guest("Eve").await;
    let last = open(&eve, true).await;
    assert_eq!(all(&server).await, [last.as_str()]);
    assert_eq!(page(&server, first.next.as_deref()).await.tables.len(), 0, "an old place is one still");
    drop(bob);
    let server = Server::on(server.stop().await, |_| {}).await;
    assert_eq!(all(&server).await, [last.as_str()]);
    for wrong in ["x", "o", "%20", "o1x", "99"] {
        let answer = server.get(&format!("/api/tables?after={wrong}")).await;
        assert_eq!(answer.status, 400, "{wrong}");
        assert!(answer.problem().contains("no place"), "{}", answer.body);
    }
}
