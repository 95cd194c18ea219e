//! Statements about a position.

use crate::hand::Hand;
use crate::meld::{DeclaredCard, DeclaredMeld};
use crate::state::MOST;
use crate::truth::Match;
use cards::{Face, Pack};
use game::written::Mismatch;
use game::{Seat, SeatSet};

/// A list of cards.
pub(super) fn list(pack: &Pack, cards: impl Iterator<Item = Face>) -> String {
    let text = cards.map(|card| pack.text(card)).collect::<Vec<_>>().join(" ");
    if text.is_empty() { "--".to_owned() } else { text }
}

/// A list of seats.
pub(super) fn seats_text(seats: SeatSet) -> String {
    if seats.is_empty() {
        return "nobody".to_owned();
    }
    seats.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
}

/// Statements about a position.
pub(super) struct Statement<'a> {
    pub game: &'a Match,
    pub pack: &'a Pack,
}

impl Statement<'_> {
    pub fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let statement = statement.trim();
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let rest = rest.trim();
        let (game, flow) = (self.game, &self.game.flow);
        let unknown = || Err(Err(format!("`{statement}` is no statement about a game of Contract Rummy")));
        // `stock: 2S 3C`, `discard: --`: the colon may stand at the word.
        if let Some(word) = word.strip_suffix(':') {
            return match word {
                "discard" => self.cards("discard:", rest, game.pile.iter().rev().copied().collect(), true),
                "stock" => self.cards("stock:", rest, game.stock.iter().rev().copied().collect(), true),
                _ => unknown(),
            };
        }
        match word {
            "phase" => self.same(word, rest.to_owned(), flow.phase.word().to_owned()),
            "turn" => self.number(word, rest, i64::from(flow.turn.0)),
            "dealer" => self.number(word, rest, i64::from(flow.dealer.0)),
            "round" => self.number(word, rest, i64::from(game.compiled.round(flow.round).number)),
            "melds" => self.number(word, rest, game.board.melds.len() as i64),
            "stock" => self.number(word, rest, game.stock.len() as i64),
            "kitty" => self.number(word, rest, i64::from(flow.kitty)),
            "top" => {
                let found = flow.top.map_or_else(|| "--".to_owned(), |card| self.pack.text(card));
                let expected = if rest == "--" { rest.to_owned() } else { self.face(rest)? };
                self.same(word, expected, found)
            }
            "scores" => self.numbers(word, rest, &flow.scores),
            "points" => self.numbers(word, rest, &flow.points),
            "takes" if !rest.contains(':') => self.numbers(word, rest, &flow.takes.map(i32::from)),
            "settle" => {
                let mut settled = [0; MOST];
                if let Some(outcome) = &game.board.outcome {
                    settled.iter_mut().zip(&outcome.settlement).for_each(|(s, &v)| *s = v);
                }
                self.numbers(word, rest, &settled)
            }
            "over" if rest.is_empty() => {
                let over = if game.board.outcome.is_some() { "over" } else { "the match is not over" };
                self.same("", "over".to_owned(), over.to_owned())
            }
            "await" => self.seats(word, rest, game.missing()),
            "winner" | "winners" => {
                let winners = game.board.outcome.as_ref().map(|o| o.winners);
                match winners {
                    Some(winners) => self.seats(word, rest, winners),
                    None => Err(Ok(Mismatch {
                        expected: statement.to_owned(),
                        found: "the match is not over".to_owned(),
                    })),
                }
            }
            "hand" | "meld" | "score" | "takes" => {
                let Some((number, rest)) = rest.split_once(':') else { return unknown() };
                let Ok(number) = number.trim().parse::<usize>() else { return unknown() };
                let rest = rest.trim();
                let label = format!("{word} {number}:");
                match word {
                    "meld" => self.meld(&label, number, rest),
                    _ if number >= usize::from(flow.seats) => {
                        Err(Err(format!("there is no seat {number} at this table")))
                    }
                    "hand" => self.cards(&label, rest, game.hands[number].cards().collect(), false),
                    "score" => self.number(&label, rest, i64::from(flow.scores[number])),
                    _ => self.number(&label, rest, i64::from(flow.takes[number])),
                }
            }
            _ => unknown(),
        }
    }

    fn same(&self, label: &str, expected: String, found: String) -> Result<(), Result<Mismatch, String>> {
        if expected == found {
            return Ok(());
        }
        let line = |text: String| format!("{label} {text}").trim().to_owned();
        Err(Ok(Mismatch { expected: line(expected), found: line(found) }))
    }

    fn face(&self, text: &str) -> Result<String, Result<Mismatch, String>> {
        self.pack.parse(text).map(|face| self.pack.text(face)).map_err(Err)
    }

    fn number(&self, label: &str, text: &str, found: i64) -> Result<(), Result<Mismatch, String>> {
        let expected: i64 =
            text.trim_start_matches('+').parse().map_err(|_| Err(format!("`{text}` is no whole number")))?;
        self.same(label, expected.to_string(), found.to_string())
    }

    fn numbers(&self, label: &str, text: &str, found: &[i32]) -> Result<(), Result<Mismatch, String>> {
        let expected = text
            .split_whitespace()
            .map(|n| {
                n.trim_start_matches('+').parse::<i32>().map_err(|_| Err(format!("`{n}` is no whole number")))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let show = |list: &[i32]| list.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        self.same(label, show(&expected), show(&found[..usize::from(self.game.flow.seats)]))
    }

    fn seats(&self, label: &str, text: &str, found: SeatSet) -> Result<(), Result<Mismatch, String>> {
        let expected = text
            .split_whitespace()
            .filter(|&n| n != "--")
            .map(|n| {
                n.parse()
                    .ok()
                    .filter(|&n: &u8| n < Seat::MOST)
                    .map(Seat)
                    .ok_or_else(|| Err(format!("`{n}` is no seat")))
            })
            .collect::<Result<SeatSet, _>>()?;
        self.same(label, seats_text(expected), seats_text(found))
    }

    /// Cards as a list, or as a multiset.
    fn cards(
        &self,
        label: &str,
        text: &str,
        mut found: Vec<Face>,
        ordered: bool,
    ) -> Result<(), Result<Mismatch, String>> {
        let text = if text == "--" { "" } else { text };
        let mut expected = self.pack.parse_all(text).map_err(Err)?;
        if !ordered {
            let hand = |cards: &[Face]| cards.iter().copied().collect::<Hand>().cards().collect::<Vec<_>>();
            (expected, found) = (hand(&expected), hand(&found));
        }
        self.same(label, list(self.pack, expected.into_iter()), list(self.pack, found.into_iter()))
    }

    fn meld(&self, label: &str, number: usize, text: &str) -> Result<(), Result<Mismatch, String>> {
        let mut said = DeclaredMeld::parse(text, self.pack).map_err(Err)?;
        let Some(table) = number.checked_sub(1).and_then(|at| self.game.board.melds.get(at)) else {
            return Err(Ok(Mismatch {
                expected: format!("{label} {text}"),
                found: format!("there are {} melds on the table", self.game.board.melds.len()),
            }));
        };
        let meld = &table.meld;
        let same = said.kind == meld.kind && said.cards.len() == meld.len() && {
            if meld.is_run() {
                // A wild that is not declared means the place it stands in.
                said.cards
                    .iter()
                    .zip(&meld.cards)
                    .all(|(s, c)| s.card == c.card && s.stands.is_none_or(|stands| stands == c.stands))
            } else {
                let mut cards: Vec<DeclaredCard> = meld.said().cards;
                cards.sort();
                said.cards.sort();
                let law = self.game.compiled.laws.first();
                let there = |s: &DeclaredCard| {
                    s.stands.is_none_or(|stands| law.is_none_or(|law| law.belongs(meld, stands)))
                };
                said.cards.iter().all(there)
                    && said.cards.iter().map(|s| s.card).eq(cards.iter().map(|s| s.card))
            }
        };
        if same {
            return Ok(());
        }
        Err(Ok(Mismatch {
            expected: format!("{label} {text}"),
            found: format!("{label} {}", meld.text(self.pack)),
        }))
    }
}
