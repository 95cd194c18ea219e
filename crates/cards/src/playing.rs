//! Faces of playing cards: rank and suit, or a joker (contract rulebook, section 1).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What is printed on a card: a suit and a rank, or a joker. Cards of equal face are interchangeable in every rule.
///
/// Stored as `suit * 16 + rank`, ranks from 1; the joker is 0. So a table of [`Face::COUNT`] entries, indexed by
/// [`Face::index`], counts any hand. In JSON a face is that number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Face(u8);

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Face, D::Error> {
        let index = u8::deserialize(from)?;
        Face::from_index(index.into()).ok_or_else(|| serde::de::Error::custom("this number is no card"))
    }
}

impl Face {
    /// Entries of a table indexed by [`Face::index`].
    pub const COUNT: usize = 64;
    /// The joker.
    pub const JOKER: Face = Face(0);

    /// The face of `rank` (1 is the first rank of the pack: the ace) in `suit` (0 to 3).
    ///
    /// # Panics
    /// If `suit` is above 3 or `rank` is not 1 to 15.
    #[must_use]
    pub const fn new(suit: u8, rank: u8) -> Face {
        assert!(suit < 4 && rank >= 1 && rank <= 15, "suit 0 to 3, rank 1 to 15");
        Face(suit << 4 | rank)
    }

    /// The face with this [`index`](Face::index), if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Face> {
        if index == 0 || (index < Face::COUNT && index & 15 != 0) { Some(Face(index as u8)) } else { None }
    }

    /// Place in a table of [`Face::COUNT`] entries.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Whether this is the joker.
    #[must_use]
    pub const fn is_joker(self) -> bool {
        self.0 == 0
    }

    /// Suit, 0 to 3. Meaningless for the joker.
    #[must_use]
    pub const fn suit(self) -> u8 {
        self.0 >> 4 & 3
    }

    /// Rank, from 1 (the ace, or the pack's first rank). 0 for the joker.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 & 15
    }
}

/// The make-up of one pack: its suits and ranks, and how they are written. Copies and jokers are the rules' business.
///
/// `Pack::standard()` is `A23456789TJQK` in `CDHS`. Other packs write the rank and then the suit's initial: `14R`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pack {
    /// Names of the suits, 1 to 4; the first letter, upper case, is how a suit is written.
    pub suits: Vec<String>,
    /// Names of the ranks, lowest first, 1 to 14.
    pub ranks: Vec<String>,
}

impl Default for Pack {
    fn default() -> Self {
        Pack::standard()
    }
}

impl Pack {
    /// The 52 faces of the ordinary pack: clubs, diamonds, hearts, spades; ace to king.
    #[must_use]
    pub fn standard() -> Pack {
        Pack {
            suits: ["clubs", "diamonds", "hearts", "spades"].map(String::from).to_vec(),
            ranks: "A23456789TJQK".chars().map(String::from).collect(),
        }
    }

    /// Which suit of the ordinary pack a suit is, by its name and from 0; none if it is none of them.
    #[must_use]
    pub fn ordinary(&self, suit: u8) -> Option<u8> {
        let name = self.suits.get(usize::from(suit))?;
        let ordinary = ["clubs", "diamonds", "hearts", "spades"];
        ordinary.iter().position(|suit| name.eq_ignore_ascii_case(suit)).map(|place| place as u8)
    }

    /// Every face of the pack but the joker, suit by suit, ranks ascending.
    pub fn faces(&self) -> impl Iterator<Item = Face> + use<> {
        let (suits, ranks) = (self.suits.len() as u8, self.ranks.len() as u8);
        (0..suits).flat_map(move |s| (1..=ranks).map(move |r| Face::new(s, r)))
    }

    /// How `face` is written with this pack.
    #[must_use]
    pub fn text(&self, face: Face) -> String {
        if face.is_joker() {
            return "JK".to_owned();
        }
        // A number that a stranger sent need be no face at all.
        let rank = usize::from(face.rank()).checked_sub(1).and_then(|rank| self.ranks.get(rank));
        let rank = rank.map_or("?", String::as_str);
        let suit = self.suits.get(face.suit() as usize).and_then(|s| s.chars().next()).unwrap_or('?');
        format!("{rank}{}", suit.to_ascii_uppercase())
    }

    /// Reads a card as people write it: case does not matter, `10H` is `TH`.
    ///
    /// # Errors
    /// A sentence that names the text and what would be right.
    pub fn parse(&self, text: &str) -> Result<Face, String> {
        let wrong = || {
            let suits: String = self.suits.iter().filter_map(|s| s.chars().next()).collect();
            format!(
                "`{text}` is no card of this pack: write a rank ({}) and a suit ({}), or JK",
                self.ranks.join(" "),
                suits.to_ascii_uppercase()
            )
        };
        if text.eq_ignore_ascii_case("JK") {
            return Ok(Face::JOKER);
        }
        let suit_char = text.chars().last().ok_or_else(wrong)?;
        let rank_text = &text[..text.len() - suit_char.len_utf8()];
        let suit = self
            .suits
            .iter()
            .position(|s| s.chars().next().is_some_and(|c| c.eq_ignore_ascii_case(&suit_char)))
            .ok_or_else(wrong)?;
        let rank_text =
            if rank_text == "10" && !self.ranks.iter().any(|r| r == "10") { "T" } else { rank_text };
        let rank = self.ranks.iter().position(|r| r.eq_ignore_ascii_case(rank_text)).ok_or_else(wrong)?;
        Ok(Face::new(suit as u8, rank as u8 + 1))
    }

    /// Reads cards separated by white space.
    ///
    /// # Errors
    /// Of the first word that is no card.
    pub fn parse_all(&self, text: &str) -> Result<Vec<Face>, String> {
        text.split_whitespace().map(|word| self.parse(word)).collect()
    }

    /// Writes cards separated by one space.
    #[must_use]
    pub fn text_all(&self, faces: &[Face]) -> String {
        faces.iter().map(|&f| self.text(f)).collect::<Vec<_>>().join(" ")
    }
}

/// Written with the ordinary pack: `5H`, `TD`, `JK`.
impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_joker() {
            return f.pad("JK");
        }
        let rank = b"?A23456789TJQKEF"[self.rank() as usize] as char;
        let suit = b"CDHS"[self.suit() as usize] as char;
        f.pad(&format!("{rank}{suit}"))
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Read with the ordinary pack.
impl FromStr for Face {
    type Err = String;
    fn from_str(text: &str) -> Result<Face, String> {
        Pack::standard().parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_round_trips() {
        let pack = Pack::standard();
        let faces: Vec<Face> = pack.faces().chain([Face::JOKER]).collect();
        assert_eq!(faces.len(), 53);
        for face in faces {
            assert_eq!(face.to_string().parse::<Face>(), Ok(face));
            assert_eq!(pack.parse(&pack.text(face).to_lowercase()), Ok(face));
            assert_eq!(Face::from_index(face.index()), Some(face));
        }
        assert_eq!("10h".parse::<Face>(), "TH".parse());
    }

    /// Numbers beyond pass for none of these, nor do ranks of 0.
    #[test]
    fn json_has_the_faces_there_are_and_no_others() {
        let read = |n: u16| serde_json::from_str::<Face>(&n.to_string()).ok();
        let faces: Vec<Face> = (0..300).filter_map(read).collect();
        let every = (0..Face::COUNT).filter_map(Face::from_index);
        assert!(every.eq(faces.iter().copied()) && faces.len() == 1 + 4 * 15, "{faces:?}");
        for face in faces {
            assert_eq!(
                serde_json::to_string(&face).ok().and_then(|text| read(text.parse().ok()?)),
                Some(face)
            );
        }
    }

    #[test]
    fn what_is_no_face_of_a_pack_can_be_written_all_the_same() {
        let shown = |n| Pack::standard().text(Face(n));
        assert_eq!(
            (0..=255).filter(|n| !shown(*n).contains('?')).count(),
            53 * 4 - 3,
            "faces, and their like above 63"
        );
        assert_eq!(
            (shown(0), shown(16), shown(30), shown(64)),
            ("JK".into(), "?D".into(), "?D".into(), "?C".into())
        );
    }

    #[test]
    fn rook_cards_are_written_rank_then_colour() {
        let rook = Pack {
            suits: ["red", "green", "black", "yellow"].map(String::from).to_vec(),
            ranks: (1..=14).map(|r| r.to_string()).collect(),
        };
        assert_eq!(rook.parse_all("14R 7g JK").map(|c| rook.text_all(&c)).as_deref(), Ok("14R 7G JK"));
        assert!(rook.parse("15R").is_err());
    }

    #[test]
    fn what_is_no_card_is_named() {
        for text in ["", "1H", "5X", "H", "é", "5é"] {
            let error = text.parse::<Face>().unwrap_err();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
