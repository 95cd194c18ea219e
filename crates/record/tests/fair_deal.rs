//! Fair deals: the vectors of docs/fair-deal.md, and the independent script in tools/.

use game::{Draw, Need};
use record::fair::{Bytes32, DealKey, commitment, stand_in};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

fn seed(byte: u8) -> Bytes32 {
    Bytes32([byte; 32])
}

/// Questions of every kind, with and without clients.
fn questions() -> Vec<(&'static str, Bytes32, Vec<Option<Bytes32>>, Need)> {
    let alone = vec![None; 4];
    let two = vec![Some(seed(0x11)), None, Some(seed(0x33))];
    vec![
        ("scenario", seed(0x55), alone.clone(), Need::Shuffle { deal: 1, nth: 0, cards: 12 }),
        ("scenario", seed(0x55), alone.clone(), Need::Shuffle { deal: 2, nth: 0, cards: 12 }),
        ("scenario", seed(0x55), alone.clone(), Need::Shuffle { deal: 1, nth: 1, cards: 12 }),
        ("scenario", seed(0x55), alone.clone(), Need::Dealer { seats: 4 }),
        ("scenario", seed(0x55), alone.clone(), Need::Cut { deal: 3, noise: Some(12), spread: 0 }),
        ("scenario", seed(0x55), alone.clone(), Need::Cut { deal: 3, noise: None, spread: 30 }),
        ("scenario", seed(0x55), alone, Need::Pick { deal: 7, nth: 2, of: 11 }),
        ("kitchen-7", seed(0xaa), two.clone(), Need::Shuffle { deal: 1, nth: 0, cards: 12 }),
        ("kitchen-7", seed(0xaa), two, Need::Shuffle { deal: 1, nth: 0, cards: 108 }),
    ]
}

fn answer((id, server, clients, need): &(&str, Bytes32, Vec<Option<Bytes32>>, Need)) -> Draw {
    DealKey::new(id, record::fair::deal(need), server, clients).answer(need)
}

#[test]
fn the_independent_script_draws_the_same() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/verify_fair_deal.py");
    let mut child = match Command::new("python3")
        .args([script, "--vectors"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    {
        Ok(child) => child,
        Err(why) => {
            eprintln!("skipped: python3 cannot be started ({why})");
            return;
        }
    };
    let asked: String = questions()
        .iter()
        .map(|(id, server, clients, need)| {
            format!("{}\n", json!({ "match": id, "server": server, "clients": clients, "need": need }))
        })
        .collect();
    child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ours: Vec<Value> = questions().iter().map(|q| serde_json::to_value(answer(q)).unwrap()).collect();
    assert_eq!(answers, ours);
}

/// The vectors that docs/fair-deal.md prints.
#[test]
fn the_document_prints_what_is_drawn() {
    let document = include_str!("../../../docs/fair-deal.md");
    let mut vectors = format!("stand-in          {}\n", stand_in());
    vectors.push_str(&format!("commit to 55..55  {}\n", commitment(&seed(0x55))));
    for question in &questions()[..8] {
        let (id, server, clients, need) = question;
        let clients: Vec<String> =
            clients.iter().map(|c| c.map_or("-".to_owned(), |c| c.to_string()[..2].to_owned())).collect();
        vectors.push_str(&format!(
            "{id} {}.. [{}] {} -> {}\n",
            &server.to_string()[..2],
            clients.join(" "),
            serde_json::to_string(need).unwrap(),
            serde_json::to_string(&answer(question)).unwrap()
        ));
    }
    assert!(document.contains(&vectors), "docs/fair-deal.md should print:\n{vectors}");
}
