//! Reading written positions and statements about them (docs/notation.md, section 3).

use super::roster::{Roster, Stage};
use crate::finder::PointSet;
use crate::rules::Rules;
use crate::written::Position;
use cards::{Deck, Point};
use game::written::{Mismatch, Opening};
use game::{Seat, SeatSet};

/// Reads the parts of a position and collects every fault.
pub(crate) struct PositionReader<'a> {
    rules: &'a Rules,
    named: PointSet,
    pub faults: Vec<String>,
}

impl<'a> PositionReader<'a> {
    pub fn new(rules: &'a Rules) -> PositionReader<'a> {
        PositionReader { rules, named: PointSet::EMPTY, faults: Vec::new() }
    }

    fn card(&mut self, place: &str, word: &str) -> Option<Point> {
        let card = match self.rules.deck.parse(word) {
            Ok(card) => card,
            Err(fault) => {
                self.faults.push(format!("{place}: {fault}"));
                return None;
            }
        };
        if !self.rules.holds(card) {
            self.faults.push(format!("{place}: {word} is not in the deck of this game"));
            return None;
        }
        if self.named.has(card) {
            self.faults.push(format!("{place}: {word} stands somewhere else, too"));
            return None;
        }
        self.named.add(card);
        Some(card)
    }

    /// Cards in one line; `--` is none.
    pub fn cards(&mut self, place: &str, text: &str) -> Vec<Point> {
        text.split_whitespace()
            .filter(|&word| word != "--")
            .filter_map(|word| self.card(place, word))
            .collect()
    }

    /// Slots row by row; `--` is an empty one. There is one zone.
    pub fn slots(&mut self, text: &str) -> Vec<Option<Point>> {
        if text.contains('|') {
            self.faults.push("board: this game has one zone".into());
        }
        let words: Vec<&str> = text.split_whitespace().filter(|&word| word != "|").collect();
        if words.len() > usize::from(u8::MAX) {
            self.faults.push(format!("board: {} slots are more than a layout has", words.len()));
            return Vec::new();
        }
        words.into_iter().map(|word| if word == "--" { None } else { self.card("board", word) }).collect()
    }

    /// The stock, top first; `...` stands for every card of the deck not named anywhere, codes ascending. To be read last.
    pub fn stock(&mut self, text: &str) -> Vec<Point> {
        let dots = text.split_whitespace().filter(|&word| word == "...").count();
        if dots > 1 {
            self.faults.push("stock: `...` stands for all other cards, so it is written once".into());
        }
        let named: Vec<Option<Point>> = text
            .split_whitespace()
            .map(|word| if word == "..." { None } else { self.card("stock", word) })
            .collect();
        let rest: Vec<Point> = self.unnamed();
        if dots > 0 {
            rest.iter().for_each(|&card| self.named.add(card));
        }
        let mut fills = (dots > 0).then_some(rest);
        named
            .into_iter()
            .flat_map(|slot| slot.map_or_else(|| fills.take().unwrap_or_default(), |c| vec![c]))
            .collect()
    }

    /// Every card of the deck not named so far.
    pub fn unnamed(&self) -> Vec<Point> {
        self.rules.cards().filter(|&card| !self.named.has(card)).collect()
    }

    /// Says which parts of a position mean nothing in this game.
    pub fn refuse(&mut self, parts: &[(&str, bool)]) {
        for (part, written) in parts {
            if *written {
                self.faults.push(format!("{part}: this game has none"));
            }
        }
    }

    /// Says so if a position is in a phase that this game has not.
    pub fn phase(&mut self, setup: &Position, known: &[&str]) {
        if let Some(phase) = setup.phase.as_deref().filter(|phase| !known.contains(phase)) {
            self.faults.push(format!("phase: `{phase}` is none of this game: leave it out"));
        }
    }

    /// A seat of a table of `seats`.
    pub fn seat(&mut self, place: &str, seat: u8, seats: u8) -> Seat {
        if seat >= seats {
            self.faults.push(format!("{place}: there is no seat {seat}"));
        }
        Seat(seat.min(seats - 1))
    }

    /// The roster of a position in mid-deal.
    pub fn roster(&mut self, seats: u8, opening: Opening, setup: &Position) -> Roster {
        let mut roster = opened(seats, opening, &mut self.faults);
        roster.stage = Stage::Playing;
        if setup.scores.len() > usize::from(seats) {
            self.faults.push(format!("scores: there are {seats} seats"));
        }
        for (member, &score) in roster.players.iter_mut().zip(&setup.scores) {
            member.score = score;
        }
        roster
    }
}

/// A roster about to play deal `opening.round`.
pub(crate) fn opened(seats: u8, opening: Opening, faults: &mut Vec<String>) -> Roster {
    let mut roster = Roster::new(seats);
    if opening.dealer.0 >= seats {
        faults.push(format!("dealer: there is no seat {}", opening.dealer));
    } else {
        roster.dealer = opening.dealer;
    }
    roster.deal = opening.round.max(1);
    roster.stage = Stage::Shuffling;
    roster.dealt =
        (1..roster.deal).map(|back| roster.dealer.step(-i32::from(back), seats)).collect::<SeatSet>();
    roster
}

/// What comes of checking a statement.
pub(crate) type Checked = Result<(), Result<Mismatch, String>>;

/// Whether what was stated is what is so.
pub(crate) fn same(expected: String, found: String) -> Checked {
    if expected == found { Ok(()) } else { Err(Ok(Mismatch { expected, found })) }
}

/// Whether a game is in the phase that is said. Files may call the time between two deals by the name of what comes then.
pub(crate) fn is_phase(said: &str, phase: &str) -> bool {
    said == phase || (said, phase) == ("dealing", "between")
}

/// A statement, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement<'a> {
    pub deck: Deck,
    /// The first word, without a colon.
    pub word: &'a str,
    /// The seat named after it, if any: `hand 1: ...`, `locked 2`.
    pub seat: Option<Seat>,
    /// What follows.
    pub rest: &'a str,
    /// Whether it began with `not`.
    pub negated: bool,
    /// Whether there is a colon, so that cards follow.
    pub colon: bool,
    whole: &'a str,
}

impl<'a> Statement<'a> {
    pub fn read(deck: Deck, whole: &'a str) -> Statement<'a> {
        let text = whole.trim();
        let (negated, text) = text.strip_prefix("not ").map_or((false, text), |rest| (true, rest.trim()));
        let (head, rest) = match text.split_once(':') {
            Some((head, rest)) => (head.trim(), rest.trim()),
            None => text.split_once(char::is_whitespace).map_or((text, ""), |(w, r)| (w, r.trim())),
        };
        let (word, seat) = match head.split_once(char::is_whitespace) {
            Some((word, seat)) => (word, seat.trim().parse().ok().map(Seat)),
            None => (head, None),
        };
        Statement { deck, word, seat, rest, negated, colon: text.contains(':'), whole }
    }

    pub fn unknown(&self) -> Checked {
        Err(Err(format!("`{}` is no statement about this game", self.whole)))
    }

    /// The seat named, before a colon or as the only argument.
    pub fn the_seat(&self, seats: u8) -> Result<Seat, Result<Mismatch, String>> {
        let seat = self.seat.or_else(|| self.rest.parse().ok().map(Seat));
        match seat.filter(|seat| seat.0 < seats) {
            Some(seat) => Ok(seat),
            None => Err(Err(format!("`{}` names no seat of this table", self.whole))),
        }
    }

    pub fn numbers<T: std::str::FromStr + ToString>(&self) -> Result<Vec<T>, Result<Mismatch, String>> {
        let listed = self.rest.split_whitespace().filter(|&word| word != "--");
        let words = listed.map(|word| word.parse().map_err(|_| word));
        words
            .collect::<Result<_, &str>>()
            .map_err(|word| Err(format!("`{word}` in `{}` is no number", self.whole)))
    }

    /// Compares cards as multisets.
    pub fn multiset(&self, found: impl IntoIterator<Item = Point>) -> Checked {
        let words = self.rest.split_whitespace().filter(|&word| word != "--" && word != "|");
        let expected: Result<Vec<Point>, String> = words.map(|word| self.deck.parse(word)).collect();
        let mut expected = expected.map_err(Err)?;
        let mut found: Vec<Point> = found.into_iter().collect();
        expected.sort_unstable();
        found.sort_unstable();
        same(self.cards(&expected), self.cards(&found))
    }

    /// Compares cards in order.
    pub fn sequence(&self, found: &[Point]) -> Checked {
        let words = self.rest.split_whitespace().filter(|&word| word != "--");
        let expected: Result<Vec<Point>, String> = words.map(|word| self.deck.parse(word)).collect();
        same(self.cards(&expected.map_err(Err)?), self.cards(found))
    }

    /// Compares slots; `??` is any card.
    pub fn slots(&self, found: &[Option<Point>]) -> Checked {
        let text = |slot: &Option<Point>| slot.map_or("--".to_string(), |card| self.deck.text(card));
        let found: Vec<String> = found.iter().map(text).collect();
        let mut expected = Vec::new();
        for word in self.rest.split_whitespace() {
            if word != "--" && word != "??" {
                self.deck.parse(word).map_err(Err)?;
            }
            expected.push(word);
        }
        let fits = expected.len() == found.len()
            && expected.iter().zip(&found).all(|(e, f)| e == f || *e == "??" && f != "--");
        if fits { Ok(()) } else { Err(Ok(Mismatch { expected: expected.join(" "), found: found.join(" ") })) }
    }

    /// Compares sets of seats, in rising order.
    pub fn seat_set(&self, found: SeatSet) -> Checked {
        let expected: SeatSet = self.numbers::<u8>()?.into_iter().map(Seat).collect();
        same(seats_text(expected), seats_text(found))
    }

    /// A number of cards, or the cards in order.
    pub fn pile(&self, found: &[Point]) -> Checked {
        match self.colon {
            true => self.sequence(found),
            false => same(self.rest.into(), found.len().to_string()),
        }
    }

    /// Holds if `found` is what the statement says of `seat`.
    pub fn holds(&self, seat: Seat, found: bool) -> Checked {
        let say = |yes: bool| format!("{}{} {seat}", if yes { "" } else { "not " }, self.word);
        same(say(!self.negated), say(found))
    }

    fn cards(&self, cards: &[Point]) -> String {
        if cards.is_empty() { "--".into() } else { self.deck.text_all(cards) }
    }

    /// The statements that are about the roster; none if this is another one.
    pub fn about_roster(&self, roster: &Roster, phase: &str) -> Option<Checked> {
        let list = |values: Vec<i32>| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let all = |of: fn(&super::roster::Member) -> i32| list(roster.players.iter().map(of).collect());
        let winners = roster.outcome.as_ref().map(|outcome| outcome.winners);
        let about = || -> Checked {
            match self.word {
                "phase" if is_phase(self.rest, phase) => Ok(()),
                "phase" => same(self.rest.into(), phase.into()),
                "round" => same(self.rest.into(), roster.deal.to_string()),
                "dealer" => same(self.rest.into(), roster.dealer.to_string()),
                "score" => {
                    let seat = self.the_seat(roster.seats())?;
                    let found = roster.players[seat.index()].score;
                    same(list(self.numbers()?), found.to_string())
                }
                "scores" => same(list(self.numbers()?), all(|member| member.score)),
                "points" => same(list(self.numbers()?), all(|member| member.points)),
                "taken" => {
                    let seat = self.the_seat(roster.seats())?;
                    self.multiset(roster.players[seat.index()].taken.iter().copied())
                }
                "over" => same("over".into(), phase.into()),
                "winner" | "winners" => match winners {
                    Some(winners) => self.seat_set(winners),
                    None => Err(Ok(Mismatch { expected: self.whole.into(), found: phase.into() })),
                },
                _ => self.unknown(),
            }
        };
        let known =
            ["phase", "round", "dealer", "score", "scores", "points", "taken", "over", "winner", "winners"];
        (known.contains(&self.word) && !self.negated).then(about)
    }
}

/// Seats in rising order, `--` if none.
pub(crate) fn seats_text(seats: SeatSet) -> String {
    if seats.is_empty() {
        return "--".into();
    }
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
}
