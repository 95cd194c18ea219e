//! What a seat may do: one language for the whole family.

use crate::claim::Claim;
use cards::{Deck, Point};
use serde::{Deserialize, Serialize};

/// What a seat may do. Which commands a game knows depends on its mechanism; the others are refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PatternCommand")]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Race: say "Set!" before any card is touched (CORE-4). Written `call`.
    Call,
    /// Race: withdraw the call, which is a wrong claim (CORE-6). Written `cancel`.
    Cancel,
    /// Race and puzzle: these cards are right. Written `claim A B C`.
    Claim {
        /// The cards, group by group.
        groups: Claim,
        /// The card that leaves the layout (CPLX-2). Written `claim A B C leaves B`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leaves: Option<Point>,
    },
    /// Race: raise the "no set" flag (CORE-15). Written `none`.
    NoSet,
    /// Race: lower it. Written `none off`.
    NoSetOff,
    /// Race: still looking, the active refusal of an agreement (CORE-17). Written `looking`.
    Looking,
    /// Race with personal cards: ask for one more (TWTY-6). Written `ask`.
    Ask,
    /// Solo: give up. Written `give up`.
    GiveUp,
    /// Race: ask for a hint. Written `hint`.
    Hint,
    /// Between deals: ready for the next. Written `ready`.
    Ready,
    /// Between deals of the quick deck: vote for the whole deck (QUICK-4). Written `graduate`.
    Graduate,
    /// Scout, after a call: commit a Set secretly and point at one of its cards (SCOUT-2). Written
    /// `seal A B C points A`.
    Seal {
        /// The sealed cards.
        cards: [Point; 3],
        /// The card pointed at.
        points: Point,
    },
    /// Scout: name another card of the finder's Set (SCOUT-3). Written `scout X`.
    Scout(Point),
    /// Scout: show the third card of another Set (SCOUT-5). Written `show C`.
    Show(Point),
    /// Scout: give up this search (SCOUT-7); setup: let the card stand (SETUP-7). Written `pass`.
    Pass,
    /// Memory: turn up the card in this slot, from 1, row by row (MEM-3). Written `flip 7`.
    Flip(u8),
    /// Memory with `memory_end = declare`: no Set is left (MEM-10). Written `declare`.
    Declare,
    /// Setup: place a card (SETUP-3). Written `play 0211`.
    Play(Point),
    /// Setup: these two and the card just played make a Set (SETUP-4). Written `challenge A B`.
    Challenge([Point; 2]),
}

impl Command {
    /// A claim without a choice of the card that leaves.
    #[must_use]
    pub const fn claim(groups: Claim) -> Command {
        Command::Claim { groups, leaves: None }
    }

    /// Reads the notation.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(deck: Deck, text: &str) -> Result<Command, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let exactly = |n: usize| -> Result<Vec<Point>, String> {
            let cards = deck.parse_all(rest)?;
            match cards.len() == n {
                true => Ok(cards),
                false => Err(format!("`{word}` names {n} card{}", if n == 1 { "" } else { "s" })),
            }
        };
        Ok(match (word, rest) {
            ("call", "") => Command::Call,
            ("cancel", "") => Command::Cancel,
            ("none", "") => Command::NoSet,
            ("none", "off") => Command::NoSetOff,
            ("looking", "") => Command::Looking,
            ("ask", "") => Command::Ask,
            ("give", "up") => Command::GiveUp,
            ("hint", "") => Command::Hint,
            ("ready", "") => Command::Ready,
            ("graduate", "") => Command::Graduate,
            ("pass", "") => Command::Pass,
            ("declare", "") => Command::Declare,
            ("claim", _) => {
                let (cards, leaves) = match rest.split_once("leaves") {
                    Some((cards, leaves)) => (cards, Some(deck.parse(leaves.trim())?)),
                    None => (rest, None),
                };
                Command::Claim { groups: Claim::parse(deck, cards)?, leaves }
            }
            ("seal", _) => {
                let (cards, points) = rest.split_once("points").ok_or("write `seal A B C points A`")?;
                let cards = deck.parse_all(cards)?;
                let cards = cards.try_into().map_err(|_| "three cards are sealed")?;
                Command::Seal { cards, points: deck.parse(points.trim())? }
            }
            ("scout", _) => Command::Scout(exactly(1)?[0]),
            ("show", _) => Command::Show(exactly(1)?[0]),
            ("play", _) => Command::Play(exactly(1)?[0]),
            ("challenge", _) => {
                let cards = exactly(2)?;
                Command::Challenge([cards[0], cards[1]])
            }
            ("flip", _) => match rest.parse() {
                Ok(slot) if slot > 0 => Command::Flip(slot),
                _ => return Err(format!("`{rest}` is no slot: they are numbered from 1")),
            },
            _ => {
                return Err(format!(
                    "`{text}` is no command: write call, cancel, claim, none, looking, ask, give up, hint, ready, graduate, seal, scout, show, pass, flip, declare, play or challenge"
                ));
            }
        })
    }

    /// Writes the notation.
    #[must_use]
    pub fn text(&self, deck: Deck) -> String {
        match self {
            Command::Call => "call".into(),
            Command::Cancel => "cancel".into(),
            Command::Claim { groups, leaves: None } => format!("claim {}", groups.text(deck)),
            Command::Claim { groups, leaves: Some(card) } => {
                format!("claim {} leaves {}", groups.text(deck), deck.text(*card))
            }
            Command::NoSet => "none".into(),
            Command::NoSetOff => "none off".into(),
            Command::Looking => "looking".into(),
            Command::Ask => "ask".into(),
            Command::GiveUp => "give up".into(),
            Command::Hint => "hint".into(),
            Command::Ready => "ready".into(),
            Command::Graduate => "graduate".into(),
            Command::Seal { cards, points } => {
                format!("seal {} points {}", deck.text_all(cards), deck.text(*points))
            }
            Command::Scout(card) => format!("scout {}", deck.text(*card)),
            Command::Show(card) => format!("show {}", deck.text(*card)),
            Command::Pass => "pass".into(),
            Command::Flip(slot) => format!("flip {slot}"),
            Command::Declare => "declare".into(),
            Command::Play(card) => format!("play {}", deck.text(*card)),
            Command::Challenge(cards) => format!("challenge {}", deck.text_all(cards)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_round_trips() {
        for text in [
            "call",
            "cancel",
            "claim 0000 0111 0222",
            "claim 0111 2212 + 0002 2021",
            "claim 0000 0001 0002 / 0010 0011 0012",
            "claim 0000 0111 0222 leaves 0111",
            "none",
            "none off",
            "looking",
            "ask",
            "give up",
            "hint",
            "ready",
            "graduate",
            "seal 0012 1001 2020 points 0012",
            "scout 0012",
            "show 1111",
            "pass",
            "flip 7",
            "declare",
            "play 0211",
            "challenge 0102 2220",
        ] {
            let command = Command::parse(Deck::D81, text).unwrap();
            assert_eq!(command.text(Deck::D81), text);
            let json = serde_json::to_string(&command).unwrap();
            assert_eq!(serde_json::from_str::<Command>(&json).unwrap(), command, "{json}");
        }
    }

    #[test]
    fn what_is_no_command_is_told_so() {
        for text in [
            "",
            "shout",
            "claim",
            "claim 012",
            "flip 0",
            "flip x",
            "scout 0000 0001",
            "seal 0000 points 0000",
        ] {
            assert!(Command::parse(Deck::D81, text).is_err(), "{text}");
        }
    }
}
