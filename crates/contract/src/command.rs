//! What a seat may do, and how it is written (docs/notation.md, section 2).

use crate::meld::{DeclaredCard, DeclaredMeld, End};
use cards::{Face, Pack};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a seat does. Melds on the table are numbered 1, 2, 3, ... in the order laid in this round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractCommand")]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Cut: aim at a packet of so many cards. Chance adds to it (A-35, Q-23).
    Cut {
        /// Cards of the packet aimed at.
        aim: u16,
    },
    /// Cut at exactly this depth. Only in matches that were written down; refused at a table.
    CutAt {
        /// Cards of the packet lifted.
        depth: u16,
    },
    /// Pick the contract of the round, before its first turn (HR-PICK-2).
    Contract {
        /// The number of the contract.
        number: u16,
    },
    /// Name the rank that is wild in the round, before its first turn (HR-WILD-4).
    Wild {
        /// Its place in the pack, from 1.
        rank: u8,
    },
    /// Choose the cards to pass on before the first turn (HR-PASS-1).
    PassOn {
        /// The cards.
        cards: Vec<Face>,
    },
    /// Take the top discard as the draw.
    DrawDiscard,
    /// Decline the top discard; the stock card comes after the offers, by itself.
    DrawStock,
    /// Push the discard with a stock card to the next player and draw (push games).
    DrawPush,
    /// Take the top discard at the start of one's own turn, pay for it, and still draw (PR-BUY-4).
    Buy,
    /// Ask for the offered card.
    Take,
    /// Decline the offered card, or let the discard lie that one could claim.
    Pass,
    /// Set the standing answer to this round's offers; none takes it back.
    Stand(Option<Standing>),
    /// Lay the contract, all its melds in one action; or, once down, further melds where the game has them.
    Meld {
        /// Number of the contract picked, where the first melder chooses.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contract: Option<u16>,
        /// The melds, slots in any order.
        melds: Vec<DeclaredMeld>,
    },
    /// Lay off cards from hand on a meld.
    LayOff {
        /// The cards.
        cards: Vec<DeclaredCard>,
        /// Number of the meld.
        on: u16,
        /// Which end of a run is meant, where both would do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<End>,
    },
    /// Put a card from hand in the place of the wild that stands for it, and take the wild.
    Reclaim {
        /// The card.
        card: Face,
        /// Number of the meld.
        from: u16,
    },
    /// Take back the last meld, lay-off or reclaim of this turn, where the table allows it.
    Undo,
    /// End the turn with a discard.
    Discard {
        /// The card.
        card: Face,
        /// Whether Shanghai is called to protect it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shanghai: bool,
    },
    /// End the turn without a discard (RF-7).
    Hold,
    /// Claim the discard onto a meld.
    Shanghai {
        /// Number of the meld.
        on: u16,
        /// Which end of a run is meant, where both would do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<End>,
    },
    /// Take the card at this place, from 1, of the shuffled hand that is offered face down.
    Pick {
        /// The place.
        place: u16,
    },
}

/// A standing answer for a round's offers: private, and counts as decided when a window opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StandingAnswer")]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Pass every offer.
    Pass,
    /// Ask for these faces; be asked about any other.
    Take(Vec<Face>),
}

impl Command {
    /// Reads a command, without its seat. `exact` says whether `cut 41` is a final depth or an aim.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, pack: &Pack, exact: bool) -> Result<Command, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let lone = |command: Command| {
            if rest.is_empty() {
                Ok(command)
            } else {
                Err(format!("`{word}` stands alone, without `{rest}`"))
            }
        };
        let number = |text: &str, what: &str| {
            text.parse::<u16>().map_err(|_| format!("`{text}` is no {what}: write a whole number"))
        };
        match word.to_ascii_lowercase().as_str() {
            "cut" => match rest.split_once(char::is_whitespace) {
                Some(("aim", aim)) => Ok(Command::Cut { aim: number(aim.trim(), "aim")? }),
                Some(("at", depth)) => Ok(Command::CutAt { depth: number(depth.trim(), "depth")? }),
                _ if exact => Ok(Command::CutAt { depth: number(rest, "depth")? }),
                _ => Ok(Command::Cut { aim: number(rest, "aim")? }),
            },
            "contract" => Ok(Command::Contract { number: number(rest, "number of a contract")? }),
            "wild" => Ok(Command::Wild { rank: rank(rest, pack)? }),
            "draw" => draw(rest),
            "buy" => lone(Command::Buy),
            "take" => lone(Command::Take),
            "pass" if rest.is_empty() => Ok(Command::Pass),
            "pass" => Ok(Command::PassOn { cards: pack.parse_all(rest)? }),
            "hold" => lone(Command::Hold),
            "undo" => lone(Command::Undo),
            "stand" => match rest.split_once(char::is_whitespace).unwrap_or((rest, "")) {
                ("pass", "") => Ok(Command::Stand(Some(Standing::Pass))),
                ("off", "") => Ok(Command::Stand(None)),
                ("take", faces) => {
                    let faces = pack.parse_all(faces)?;
                    if faces.is_empty() {
                        return Err("`stand take` names the cards to ask for: `stand take 9C 9D`".to_owned());
                    }
                    Ok(Command::Stand(Some(Standing::Take(faces))))
                }
                _ => Err(format!("`stand {rest}`: write `stand pass`, `stand take 9C 9D` or `stand off`")),
            },
            "meld" => {
                let (contract, melds) = match rest.split_once(char::is_whitespace) {
                    Some((first, more)) if first.starts_with(['c', 'C']) => {
                        (Some(number(&first[1..], "number of a contract")?), more)
                    }
                    _ => (None, rest),
                };
                let melds = DeclaredMeld::parse_all(melds, pack)?;
                if melds.is_empty() {
                    return Err("`meld` names the melds: `meld G[9C 9D 9H] R[4H 5H 6H 7H]`".to_owned());
                }
                Ok(Command::Meld { contract, melds })
            }
            "layoff" => {
                let wrong = || {
                    format!(
                        "`{text}`: write `layoff 7H on 2`, with `low` or `high` after it where both ends would do"
                    )
                };
                let (cards, place) = split_word(rest, "on").ok_or_else(wrong)?;
                let cards = cards
                    .split_whitespace()
                    .map(|card| DeclaredCard::parse(card, pack))
                    .collect::<Result<Vec<_>, _>>()?;
                if cards.is_empty() {
                    return Err(wrong());
                }
                let (on, end) = place_of(place)?;
                Ok(Command::LayOff { cards, on, end })
            }
            "reclaim" => {
                let (card, from) =
                    split_word(rest, "from").ok_or_else(|| format!("`{text}`: write `reclaim 6H from 2`"))?;
                Ok(Command::Reclaim {
                    card: pack.parse(card.trim())?,
                    from: number(from.trim(), "number of a meld")?,
                })
            }
            "discard" => match rest.split_once(char::is_whitespace) {
                Some((card, call)) if call.trim().eq_ignore_ascii_case("shanghai") => {
                    Ok(Command::Discard { card: pack.parse(card)?, shanghai: true })
                }
                Some(_) => Err(format!("`{text}`: write `discard 9D` or `discard 9D shanghai`")),
                None => Ok(Command::Discard { card: pack.parse(rest)?, shanghai: false }),
            },
            "shanghai" => {
                let place = rest
                    .strip_prefix("on")
                    .filter(|p| p.starts_with(char::is_whitespace))
                    .ok_or_else(|| format!("`{text}`: write `shanghai on 2`"))?;
                let (on, end) = place_of(place)?;
                Ok(Command::Shanghai { on, end })
            }
            "pick" => Ok(Command::Pick { place: number(rest, "place")? }),
            _ => Err(format!("`{text}` is no command of Contract Rummy")),
        }
    }

    /// Writes the command; reading it back gives the same.
    #[must_use]
    pub fn text(&self, pack: &Pack, exact: bool) -> String {
        let end_text = |end: &Option<End>| match end {
            Some(End::Low) => " low",
            Some(End::High) => " high",
            None => "",
        };
        match self {
            Command::Cut { aim } if exact => format!("cut aim {aim}"),
            Command::Cut { aim } => format!("cut {aim}"),
            Command::CutAt { depth } if exact => format!("cut {depth}"),
            Command::CutAt { depth } => format!("cut at {depth}"),
            Command::Contract { number } => format!("contract {number}"),
            Command::Wild { rank } => {
                let name = pack.ranks.get(usize::from(*rank).wrapping_sub(1));
                format!("wild {}", name.map_or("?", String::as_str))
            }
            Command::PassOn { cards } => format!("pass {}", pack.text_all(cards)),
            Command::DrawDiscard => "draw discard".to_owned(),
            Command::DrawStock => "draw stock".to_owned(),
            Command::DrawPush => "draw push".to_owned(),
            Command::Buy => "buy".to_owned(),
            Command::Take => "take".to_owned(),
            Command::Pass => "pass".to_owned(),
            Command::Stand(None) => "stand off".to_owned(),
            Command::Stand(Some(Standing::Pass)) => "stand pass".to_owned(),
            Command::Stand(Some(Standing::Take(faces))) => format!("stand take {}", pack.text_all(faces)),
            Command::Meld { contract, melds } => {
                let contract = contract.map_or(String::new(), |c| format!("c{c} "));
                let melds: Vec<String> = melds.iter().map(|m| m.text(pack)).collect();
                format!("meld {contract}{}", melds.join(" "))
            }
            Command::LayOff { cards, on, end } => {
                let cards: Vec<String> = cards.iter().map(|c| c.text(pack)).collect();
                format!("layoff {} on {on}{}", cards.join(" "), end_text(end))
            }
            Command::Reclaim { card, from } => format!("reclaim {} from {from}", pack.text(*card)),
            Command::Undo => "undo".to_owned(),
            Command::Discard { card, shanghai } => {
                format!("discard {}{}", pack.text(*card), if *shanghai { " shanghai" } else { "" })
            }
            Command::Hold => "hold".to_owned(),
            Command::Shanghai { on, end } => format!("shanghai on {on}{}", end_text(end)),
            Command::Pick { place } => format!("pick {place}"),
        }
    }
}

/// What stands before and after a word.
fn split_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = text.match_indices(word).map(|(at, _)| at).find(|&at| {
        text[..at].ends_with(char::is_whitespace) && text[at + word.len()..].starts_with(char::is_whitespace)
    })?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// The number of a meld, and the end where one is named.
fn place_of(text: &str) -> Result<(u16, Option<End>), String> {
    let mut words = text.split_whitespace();
    let number = words.next().and_then(|n| n.parse().ok());
    let end = match words.next().map(str::to_ascii_lowercase).as_deref() {
        None => Some(None),
        Some("low") => Some(Some(End::Low)),
        Some("high") => Some(Some(End::High)),
        Some(_) => None,
    };
    match (number, end, words.next()) {
        (Some(number), Some(end), None) => Ok((number, end)),
        _ => Err(format!("`{}`: write the number of a meld, then `low` or `high` if need be", text.trim())),
    }
}

/// What is drawn.
fn draw(text: &str) -> Result<Command, String> {
    match text {
        "discard" => Ok(Command::DrawDiscard),
        "stock" => Ok(Command::DrawStock),
        "push" => Ok(Command::DrawPush),
        _ => Err(format!("`draw {text}`: write `draw discard`, `draw stock` or `draw push`")),
    }
}

/// A rank by its name, as its place in the pack from 1.
fn rank(text: &str, pack: &Pack) -> Result<u8, String> {
    let named = |name: &String| name.eq_ignore_ascii_case(text) || name == "T" && text == "10";
    let at = pack.ranks.iter().position(named).ok_or_else(|| format!("`{text}` is no rank of the pack"))?;
    Ok(at as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        let pack = Pack::standard();
        for text in [
            "cut 41",
            "contract 3",
            "wild T",
            "pass 9C 9C JK",
            "draw discard",
            "draw stock",
            "draw push",
            "buy",
            "take",
            "pass",
            "stand pass",
            "stand take 9C 9D",
            "stand off",
            "meld G[5H 5D JK] R[4H 5H JK=6H 7H]",
            "meld c3 P[9C 9D]",
            "layoff 7H on 2",
            "layoff JK=8H 9H on 2 high",
            "layoff AH on 12 low",
            "reclaim 6H from 2",
            "discard 9D",
            "discard 9D shanghai",
            "hold",
            "undo",
            "shanghai on 2",
            "shanghai on 2 low",
            "pick 3",
        ] {
            for exact in [false, true] {
                let command = Command::parse(text, &pack, exact).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(command.text(&pack, exact), text);
                let json = serde_json::to_string(&command).unwrap();
                assert_eq!(serde_json::from_str::<Command>(&json).unwrap(), command);
            }
        }
        // A program may say of a card that it stands for itself: that is how nobody writes it.
        let said: Command =
            serde_json::from_str(r#"{"lay_off":{"cards":[{"card":18,"as":18}],"on":4}}"#).unwrap();
        let text = said.text(&pack, true);
        assert_eq!(text, "layoff 2D on 4");
        assert_eq!(Command::parse(&text, &pack, true).unwrap().text(&pack, true), text);
        for text in
            ["", "draw", "take 9C", "pass on", "layoff 7H", "layoff on 2", "discard", "meld", "pick x", "fly"]
        {
            assert!(Command::parse(text, &pack, true).is_err(), "{text}");
        }
    }
}
