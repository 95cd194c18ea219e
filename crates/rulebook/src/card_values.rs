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
            if let Some(rank) = place(key, pack) {
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

/// The table that is meant by values as people write them: of `A 2 3 20, JK 50` each part names cards and ends with what they
/// count, and in a table one key may name several. What is no such list stays as it is.
pub(crate) fn written(node: &Node) -> Node {
    let at = |value: Value| Node::new(node.place.clone(), value);
    let named = |keys: &mut dyn Iterator<Item = &str>, value: &Node| -> Vec<(String, Node)> {
        keys.map(|key| (key.to_owned(), value.clone())).collect()
    };
    let entries: Option<Vec<(String, Node)>> = match &node.value {
        Value::Table(entries) if entries.iter().any(|(key, _)| several(key)) => {
            Some(entries.iter().flat_map(|(key, value)| named(&mut key.split_whitespace(), value)).collect())
        }
        Value::Text(text) => text
            .split([',', ';'])
            .map(|part| {
                let words: Vec<&str> =
                    part.split([' ', '\t', '=', ':']).filter(|word| !word.is_empty()).collect();
                let (value, keys) = words.split_last().filter(|(_, keys)| !keys.is_empty())?;
                let value = match value.parse() {
                    Ok(number) => at(Value::Int(number)),
                    Err(_) => at(Value::Text((*value).to_owned())),
                };
                Some(named(&mut keys.iter().copied(), &value))
            })
            .collect::<Option<Vec<_>>>()
            .map(|parts| parts.concat()),
        _ => None,
    };
    entries.map_or_else(|| node.clone(), |entries| at(Value::Table(entries)))
}

fn several(key: &str) -> bool {
    key.split_whitespace().nth(1).is_some()
}

/// The place of a rank in the pack; a ten may be written as a number.
fn place(rank: &str, pack: &Pack) -> Option<usize> {
    let of = |rank: &str| pack.ranks.iter().position(|r| r == rank);
    of(rank).or_else(|| if rank == "10" { of("T") } else { None })
}

fn is_joker(key: &str) -> bool {
    key.eq_ignore_ascii_case("JK")
}

/// The ranks, from 1, that a key such as `2-T` names.
fn range(key: &str, pack: &Pack) -> Option<(u8, u8)> {
    let (from, to) = key.split_once('-')?;
    let rank = |text: &str| place(text, pack).map(|p| p as u8 + 1);
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
    } else if let Some(at) = place(key, pack) {
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
    fn values_are_read_as_people_write_them() {
        let pack = Pack::standard();
        let check = |text: &str, counts: &[(&str, i64)]| {
            let Value::Table(entries) =
                crate::layer::read(&"f".into(), &format!("v = {text}")).unwrap().value
            else {
                panic!()
            };
            let node = written(&entries[0].1);
            let values = CardValues::read([&node], &pack);
            for (card, value) in counts {
                assert_eq!(values.of(card.parse().unwrap(), false), Some(*value), "{text}: {card}");
            }
            let Value::Table(entries) = &node.value else { panic!("{text}") };
            assert!(entries.iter().all(|(key, value)| super::check(key, value, &pack).is_ok()), "{text}");
        };
        check("\"A 2 3 20\"", &[("AH", 20), ("2S", 20), ("3C", 20)]);
        check("\"2 2, 3 3\"", &[("2S", 2), ("3C", 3)]);
        check("\"JK = 50; 10 J Q K: 10, 3-9 5\"", &[("JK", 50), ("TD", 10), ("KD", 10), ("7D", 5)]);
        check("\"2-T pip, AH 1, A 15\"", &[("8D", 8), ("AH", 1), ("AS", 15)]);
        check("{ \"A 2 3\" = 20, JK = 50 }", &[("AH", 20), ("3C", 20), ("JK", 50)]);
        // What is no list stays what it was, and is refused as that.
        for text in ["\"A\"", "\"\"", "\"20, A 2\"", "5"] {
            let Value::Table(entries) =
                crate::layer::read(&"f".into(), &format!("v = {text}")).unwrap().value
            else {
                panic!()
            };
            assert_eq!(written(&entries[0].1), entries[0].1, "{text}");
        }
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
        for key in ["A", "2-T", "AH", "ah", "JK", "jk", "wild", "T", "10", "2-10", "10H"] {
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
