//! What each card counts (`score.values`): file by file, the most derived first; in a file the most specific key.

use crate::bounds::shown;
use crate::layer::{Node, Value};
use cards::{Face, Pack};
use game::{Say, say};

/// What the files say that cards count, in the terms of one pack; read once.
pub(crate) struct CardValues<'a> {
    pack: &'a Pack,
    /// The most derived file first.
    files: Vec<Said<'a>>,
}

/// What one file says.
struct Said<'a> {
    joker: Option<&'a Node>,
    /// What a card counts whose rank is wild.
    wild: Option<&'a Node>,
    /// By [`Face::index`].
    faces: [Option<&'a Node>; Face::COUNT],
    /// By place in the pack.
    ranks: Vec<Option<&'a Node>>,
    /// Places in the pack, from 1.
    ranges: Vec<(u8, u8, &'a Node)>,
}

impl<'a> CardValues<'a> {
    /// Reads the tables of some files, the most derived first.
    pub fn read(tables: impl IntoIterator<Item = &'a Node>, pack: &'a Pack) -> CardValues<'a> {
        let entries = tables.into_iter().map(|node| match &node.value {
            Value::Table(entries) => entries.as_slice(),
            _ => &[],
        });
        CardValues { pack, files: entries.map(|entries| Said::read(entries, pack)).collect() }
    }

    /// Penalty points of a card; none where no file says. `wild` says whether its rank is wild somewhere in the match.
    pub fn of(&self, face: Face, wild: bool) -> Option<i64> {
        // The place of its rank; a joker has none.
        let rank = usize::from(face.rank()).checked_sub(1);
        self.files.iter().find_map(|said| match &said.about(face, rank, wild)?.value {
            Value::Int(n) => Some(*n),
            _ => pip(self.pack.ranks.get(rank?)?),
        })
    }
}

impl<'a> Said<'a> {
    fn read(entries: &'a [(String, Node)], pack: &Pack) -> Said<'a> {
        let mut said = Said {
            joker: None,
            wild: None,
            faces: [None; Face::COUNT],
            ranks: vec![None; pack.ranks.len()],
            ranges: Vec::new(),
        };
        for (key, value) in entries {
            // The first to name a card counts.
            if is_joker(key) {
                said.joker.get_or_insert(value);
            }
            if key == "wild" {
                said.wild.get_or_insert(value);
            }
            if let Some(rank) = pack.ranks.iter().position(|rank| rank == key) {
                said.ranks[rank].get_or_insert(value);
            } else if let Ok(face) = pack.parse(key) {
                said.faces[face.index()].get_or_insert(value);
            }
            if let Some((lo, hi)) = range(key, pack) {
                said.ranges.push((lo, hi, value));
            }
        }
        said
    }

    /// What it says about a card.
    fn about(&self, face: Face, rank: Option<usize>, wild: bool) -> Option<&'a Node> {
        let Some(rank) = rank else { return self.joker };
        self.faces[face.index()].or(self.wild.filter(|_| wild)).or(*self.ranks.get(rank)?).or_else(|| {
            // Of ranges that overlap the narrower is the more specific.
            let around = self.ranges.iter().filter(|(lo, hi, _)| (*lo..=*hi).contains(&face.rank()));
            around.min_by_key(|(lo, hi, _)| hi - lo).map(|(.., value)| *value)
        })
    }
}

fn is_joker(key: &str) -> bool {
    key.eq_ignore_ascii_case("JK")
}

/// The ranks, from 1, that a key such as `2-T` names.
fn range(key: &str, pack: &Pack) -> Option<(u8, u8)> {
    let (from, to) = key.split_once('-')?;
    let rank = |text: &str| {
        let text = if text == "10" && !pack.ranks.iter().any(|r| r == "10") { "T" } else { text };
        pack.ranks.iter().position(|r| r == text).map(|p| p as u8 + 1)
    };
    let (from, to) = (rank(from)?, rank(to)?);
    (from <= to).then_some((from, to))
}

/// The number printed on a rank.
fn pip(rank: &str) -> Option<i64> {
    if rank == "T" { Some(10) } else { rank.parse().ok() }
}

/// Whether a key of the values names cards of the pack, and a number where `pip` is asked for.
///
/// # Errors
/// What is wrong, and what would be right.
pub(crate) fn check(key: &str, value: &Node, pack: &Pack) -> Result<(), (Say, Say)> {
    let ranks: Vec<u8> = if is_joker(key) || key == "wild" {
        Vec::new()
    } else if let Some((lo, hi)) = range(key, pack) {
        (lo..=hi).collect()
    } else if let Some(at) = pack.ranks.iter().position(|r| r == key) {
        vec![at as u8 + 1]
    } else if let Ok(face) = pack.parse(key) {
        vec![face.rank()]
    } else {
        return Err((
            say!("fault.no_card", key = shown(key)),
            say!(
                "remedy.no_card",
                ranks = pack.ranks.join(" "),
                range = format!("{}-{}", pack.ranks[1], pack.ranks[2])
            ),
        ));
    };
    if value.as_text().is_some() {
        let nameless = if ranks.is_empty() {
            Some(key.to_owned())
        } else {
            ranks.iter().map(|r| &pack.ranks[usize::from(*r) - 1]).find(|r| pip(r).is_none()).cloned()
        };
        if let Some(rank) = nameless {
            return Err((say!("fault.no_pip", key = key.to_owned(), rank = rank), say!("remedy.number")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_most_specific_key_of_the_nearest_file_counts() {
        let file: Arc<str> = "f".into();
        let tables = [
            "v = { A = 15, JK = 25 }",
            "v = { \"2-T\" = \"pip\", \"J-K\" = 10, \"5-7\" = 1, AH = 40, wild = 20 }",
        ];
        let nodes: Vec<Node> = tables
            .iter()
            .map(|text| match crate::layer::read(&file, text).unwrap().value {
                Value::Table(entries) => entries[0].1.clone(),
                _ => panic!(),
            })
            .collect();
        let pack = Pack::standard();
        let values = CardValues::read(&nodes, &pack);
        let check = |card: &str, wild: bool, value: Option<i64>| {
            assert_eq!(values.of(card.parse().unwrap(), wild), value, "{card}");
        };
        check("AS", false, Some(15));
        check("AH", false, Some(15));
        check("TD", false, Some(10));
        check("QD", false, Some(10));
        check("3D", false, Some(3));
        check("6D", false, Some(1));
        check("6D", true, Some(20));
        check("JK", false, Some(25));
    }

    #[test]
    fn keys_name_cards_of_the_pack() {
        let pack = Pack::standard();
        let node = |text: &str| match crate::layer::read(&"f".into(), &format!("v = {text}")).unwrap().value {
            Value::Table(entries) => entries[0].1.clone(),
            _ => panic!(),
        };
        let judge = |key: &str, value: &str| {
            check(key, &node(value), &pack).map_err(|(reason, _)| reason.to_string())
        };
        for key in ["A", "2-T", "AH", "ah", "JK", "jk", "wild", "T", "10H"] {
            assert_eq!(judge(key, "5"), Ok(()), "{key}");
        }
        for key in ["JK", "jk", "wild", "J-K", "A"] {
            assert!(judge(key, "\"pip\"").unwrap_err().contains("has none"), "{key}");
        }
        for key in ["T-2", "Z", "", "-", &"x".repeat(30_000)] {
            assert!(judge(key, "5").is_err_and(|why| why.len() < 250), "{key}");
        }
    }
}
