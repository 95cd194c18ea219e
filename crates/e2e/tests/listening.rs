//! Matches by ear: a screen reader says what is there, and what it says is all that the player knows.

use anyhow::{Result, ensure};
use e2e::steps::{begin, find_set, named, play_by};
use e2e::{Browser, Listener, Screen, Server};
use std::time::Duration;

/// Who listens to a match that has begun, at a table of this game; none if there is no reader.
macro_rules! listening {
    ($ann:ident) => {
        match Listener::to(&$ann).await? {
            Some(listener) => listener,
            None => {
                eprintln!("left out: there is no screen reader");
                return Ok(());
            }
        }
    };
}

/// A card as it is said, "two green solid ovals", as its code: a digit from 0 to 2 for each feature.
fn card(said: &str) -> Option<String> {
    const FEATURES: [[&str; 3]; 4] = [
        ["one", "two", "three"],
        ["red", "green", "purple"],
        ["open", "striped", "solid"],
        ["squiggle", "diamond", "oval"],
    ];
    let words: Vec<&str> = said.split(' ').collect();
    let [number, colour, shading, symbol] = words[..] else { return None };
    let words = [number, colour, shading, symbol.trim_end_matches('s')];
    let digit = |(word, names): (&str, [&str; 3])| names.iter().position(|name| *name == word);
    words.into_iter().zip(FEATURES).map(|pair| Some(digit(pair)?.to_string())).collect()
}

/// Three cards of those that are heard that are a Set, as they are said.
fn set(heard: &[String]) -> Option<[&str; 3]> {
    let (said, codes): (Vec<&str>, Vec<String>) = heard
        .iter()
        .filter_map(|said| said.strip_prefix("button, ")?.split(',').next())
        .filter_map(|said| Some((said, card(said)?)))
        .unzip();
    let place = |code: &String| codes.iter().position(|other| other == code);
    let [a, b, c] = find_set(&codes)?;
    Some([said[place(a)?], said[place(b)?], said[place(c)?]])
}

#[tokio::test]
async fn a_whole_match_of_set_by_ear() -> Result<()> {
    let server = Server::start(&[]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "set-classic", r#"{"no_claim":"auto"}"#, 2, &["easy"]).await?;
    let listener = listening!(ann);
    let step = async || -> Result<()> {
        let heard = listener.all().await?;
        let Some(cards) = set(&heard) else { return Ok(()) };
        let before = listener.announced().await?.len();
        listener.press("button, Set!").await?;
        tokio::time::sleep(Duration::from_millis(60)).await;
        // Cards that have only just been laid cannot be called yet, and somebody else may have been quicker.
        if !listener.announced().await?[before..].iter().any(|said| said.contains("You called.")) {
            tokio::time::sleep(Duration::from_millis(300)).await;
            return Ok(());
        }
        for card in cards {
            listener.press(&format!("button, {card},")).await?;
        }
        Ok(())
    };
    play_by(&ann, "set-by-ear", 200, step).await?;
    let told = listener.announced().await?.join("\n");
    ensure!(told.contains("Set"), "what happens is said:\n{told}");
    // And once more.
    ensure!(listener.press("button, Another one").await?, "the match can be played once more");
    e2e::steps::begins(&ann).await
}

#[tokio::test]
async fn a_match_of_contract_rummy_by_ear() -> Result<()> {
    let server = Server::start(&["--bot-pace", "0"]).await?;
    let ann = Browser::open(Screen::Desktop, &[]).await?;
    named(&ann, &server.url("/"), "Ann").await?;
    begin(&ann, "contract", r#"{"game.rounds":[1]}"#, 3, &["easy", "easy"]).await?;
    let listener = listening!(ann);
    let step = async || -> Result<()> {
        let heard = listener.all().await?;
        let said = |what: &str| heard.iter().any(|phrase| phrase.starts_with(what));
        let choices =
            ["button, Draw from the stock", "button, No", "button, Really discard ", "button, Discard "];
        let pile = "button, Discard pile";
        let mut heard_choices = choices.iter().filter_map(|choice| {
            heard.iter().find(|phrase| phrase.starts_with(choice) && !phrase.starts_with(pile))
        });
        if let Some(choice) = heard_choices.next() {
            listener.press(choice).await?;
            return Ok(());
        }
        if said("Your turn: meld, lay off, then discard.") || said("Your turn: pick the card to discard.") {
            let mut hand = heard.iter().skip_while(|phrase| *phrase != "region, Your hand");
            let chosen = heard.iter().any(|phrase| phrase.ends_with(", pressed"));
            let card = hand.find(|phrase| phrase.ends_with(", not pressed"));
            if let Some(card) = card.filter(|_| !chosen) {
                listener.press(card).await?;
            }
        }
        Ok(())
    };
    play_by(&ann, "rummy-by-ear", 200, step).await?;
    // How the last round ended is told beside the table, and nothing lies over it.
    let heard = listener.all().await?;
    ensure!(heard.iter().any(|said| said.contains("The match is over")), "its end is said: {heard:?}");
    ensure!(heard.iter().any(|said| said.starts_with("heading, Round 1")), "its last round, too: {heard:?}");
    Ok(())
}
