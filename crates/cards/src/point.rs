//! Pattern cards as points of AG(n,3) (pattern rulebook, 1.1 and 1.2).

use serde::{Deserialize, Serialize};
use std::fmt;

/// A pattern card: the index of CARD-2, its code read in base 3. Which code that is depends on the [`Deck`].
/// In JSON a point is that number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Point(pub u8);

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Which cards there are (pattern rulebook, 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Deck {
    /// 27 cards: those of `d81` with one feature fixed (QUICK-1: shading solid).
    D27,
    /// 81 cards: number, colour, shading, symbol.
    D81,
    /// 243 cards: `d81` three times, told apart by the background.
    D243,
}

impl Deck {
    /// Digits of a code: 4, or 5 with the background.
    #[must_use]
    pub const fn digits(self) -> usize {
        match self {
            Deck::D27 | Deck::D81 => 4,
            Deck::D243 => 5,
        }
    }

    /// Cards in the deck.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Deck::D27 => 27,
            Deck::D81 => 81,
            Deck::D243 => 243,
        }
    }

    /// Points that codes of this length can name: 81 or 243.
    #[must_use]
    pub const fn points(self) -> usize {
        match self {
            Deck::D27 | Deck::D81 => 81,
            Deck::D243 => 243,
        }
    }

    /// The digits of a card's code, number first (CARD-1).
    #[must_use]
    pub fn code(self, point: Point) -> Vec<u8> {
        let mut rest = point.0;
        let mut digits = vec![0; self.digits()];
        for digit in digits.iter_mut().rev() {
            *digit = rest % 3;
            rest /= 3;
        }
        digits
    }

    /// How a card is written: `0211`, or `02110` in `d243`.
    #[must_use]
    pub fn text(self, point: Point) -> String {
        self.code(point).iter().map(|d| (b'0' + d) as char).collect()
    }

    /// Reads a code of this deck's length. Whether the deck holds the card (`d27`) is for the rules to say.
    ///
    /// # Errors
    /// A sentence that names the text and what would be right.
    pub fn parse(self, text: &str) -> Result<Point, String> {
        let digits = self.digits();
        if text.len() != digits || !text.bytes().all(|b| (b'0'..=b'2').contains(&b)) {
            return Err(format!(
                "`{text}` is no card: write {digits} digits from 0 to 2, such as `{}`",
                &"02110"[..digits]
            ));
        }
        Ok(Point(text.bytes().fold(0, |n, b| n * 3 + (b - b'0'))))
    }

    /// Reads cards separated by white space.
    ///
    /// # Errors
    /// Of the first word that is no card.
    pub fn parse_all(self, text: &str) -> Result<Vec<Point>, String> {
        text.split_whitespace().map(|word| self.parse(word)).collect()
    }

    /// Writes cards separated by one space.
    #[must_use]
    pub fn text_all(self, points: &[Point]) -> String {
        points.iter().map(|&p| self.text(p)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_round_trips() {
        for deck in [Deck::D81, Deck::D243] {
            for index in 0..deck.points() {
                let point = Point(index as u8);
                assert_eq!(deck.parse(&deck.text(point)), Ok(point));
            }
        }
        assert_eq!(Deck::D81.text(Point(80)), "2222");
        assert_eq!(Deck::D243.text(Point(242)), "22222");
        assert_eq!(Deck::D81.parse("0211"), Ok(Point(22)));
    }

    #[test]
    fn what_is_no_code_is_named() {
        for text in ["", "021", "0213", "02111", "ab"] {
            assert!(Deck::D81.parse(text).unwrap_err().contains(&format!("`{text}`")));
        }
    }
}
