//! The solver (SOLVE-1, SOLVE-3): every claim that some cards hold, for any game of the family, text in and text out
//! (docs/notation.md, section 4).

use crate::claim::Claim;
use crate::finder::{self, Open, Sought};
use crate::rules::{Multiplicity, Pattern, Rules, Sources};
use cards::Point;
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The layout; `|` between its zones, `--` for an empty slot.
    #[serde(default)]
    pub cards: String,
    /// The own hand, in games that have one.
    #[serde(default)]
    pub hand: String,
    /// The own previous Set, in chains: `A B C`, or `A B C / D E F` in a double chain.
    #[serde(default)]
    pub previous: String,
    /// Number of players. It does not matter here; it may be given because it does in the other family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
}

/// All claims, in canonical order: codes ascending, claims ascending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Answer {
    /// How many there are, whatever the limit.
    pub count: u64,
    /// The first of them.
    pub claims: Vec<Vec<Group>>,
}

/// One pattern of a claim, its cards written as codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Group {
    /// A Set.
    Cards(Vec<String>),
    /// A SuperSET as its pairs.
    Pairs([[String; 2]; 2]),
}

/// How many claims are listed where nothing else is asked for.
pub const LIMIT: usize = 1000;

/// Every claim that `query` holds under `rules`; at most `limit` of them are listed.
///
/// # Errors
/// What is wrong with the query, in words: a word that is no card, a card that is not in the deck or stands twice, a
/// wrong number of zones, a hand or a previous Set where the game has none.
pub fn solve(rules: &Rules, query: &Query, limit: usize) -> Result<Answer, String> {
    let open = read(rules, query)?;
    let sought = Sought::from(rules);
    let claims = sought.list(&open, limit);
    // What was not cut off was counted by listing it.
    let count = if claims.len() < limit { claims.len() as u64 } else { sought.count(&open) };
    Ok(Answer { count, claims: claims.iter().map(|claim| written(rules, claim)).collect() })
}

/// How many zones the layout of a query has.
#[must_use]
pub fn zones(rules: &Rules) -> u8 {
    if matches!(rules.pattern, Pattern::Ultra1 | Pattern::Ultra2) { rules.zones } else { 1 }
}

fn written(rules: &Rules, claim: &Claim) -> Vec<Group> {
    let text = |card: Point| rules.deck.text(card);
    claim
        .groups()
        .map(|cards| match (claim.paired(), cards) {
            (true, &[a, b, c, d]) => Group::Pairs([[text(a), text(b)], [text(c), text(d)]]),
            _ => Group::Cards(cards.iter().map(|&card| text(card)).collect()),
        })
        .collect()
}

/// The cards that are written, without the empty slots between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter(|&word| word != "--")
}

fn read(rules: &Rules, query: &Query) -> Result<Open, String> {
    let mut open = Open::new();
    let mut seen = Vec::new();
    let mut cards = |text: &str| -> Result<Vec<Point>, String> {
        let cards = words(text).map(|word| rules.deck.parse(word)).collect::<Result<Vec<_>, _>>()?;
        for &card in &cards {
            if !rules.holds(card) {
                return Err(format!("{} is not in the deck of this game", rules.deck.text(card)));
            }
            if seen.contains(&card) {
                return Err(format!("{} stands twice", rules.deck.text(card)));
            }
            seen.push(card);
        }
        Ok(cards)
    };
    let needed = usize::from(zones(rules));
    let zones: Vec<&str> = query.cards.split('|').collect();
    if zones.len() != needed {
        return Err(format!(
            "this game has {needed} zone{}, and {} are written",
            if needed == 1 { "" } else { "s" },
            zones.len()
        ));
    }
    for (zone, text) in zones.into_iter().enumerate() {
        cards(text)?.into_iter().for_each(|card| open.lay(card, zone as u8));
    }
    let hand = cards(&query.hand)?;
    if !hand.is_empty() && rules.sources != Sources::Hand {
        return Err("claims of this game use no hand".into());
    }
    hand.into_iter().for_each(|card| open.hold(card));
    let sets = if rules.multiplicity == Multiplicity::Double { 2 } else { 1 };
    let previous = query.previous.split('/').map(&mut cards).collect::<Result<Vec<_>, _>>()?.concat();
    if !previous.is_empty() && rules.sources != Sources::Previous {
        return Err("claims of this game use no previous Set".into());
    }
    if !previous.is_empty() && previous.len() != 3 * sets {
        return Err(format!("{} cards make the previous claim, not {}", 3 * sets, previous.len()));
    }
    previous.into_iter().for_each(|card| open.link(card));
    Ok(open)
}

/// SOLVE-3: what else can be said about a few cards. What does not apply is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct About {
    /// Whether the cards hold no Set.
    pub cap: bool,
    /// Two cards: what completes them to a Set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub third: Option<String>,
    /// Three cards that are no Set: the features that split two-and-one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<String>,
    /// Three cards that are no Set: the cards that complete them to a SuperSET.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completers: Option<[String; 3]>,
    /// Four cards that are a SuperSET: its pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[[String; 2]; 2]>,
    /// Four cards that are a SuperSET: its joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
}

/// Says about these cards whatever SOLVE-3 asks for.
///
/// # Errors
/// A word that is no card of the deck, or a card that stands twice.
pub fn about(rules: &Rules, cards: &str) -> Result<About, String> {
    let plain = Rules { pattern: Pattern::Set, ..rules.clone() };
    read(&plain, &Query { cards: cards.into(), ..Query::default() })?;
    let cards = words(cards).map(|word| rules.deck.parse(word)).collect::<Result<Vec<_>, _>>()?;
    let text = |card: Point| rules.deck.text(card);
    let mut about = About {
        cap: finder::is_cap(&cards),
        third: None,
        split: Vec::new(),
        completers: None,
        pairs: None,
        joint: None,
    };
    match *cards.as_slice() {
        [a, b] => about.third = Some(text(finder::third(a, b))),
        [a, b, c] => {
            let split = finder::split_features(rules.deck.digits(), [a, b, c]);
            let features = crate::rules::Feature::ALL.iter().enumerate();
            about.split =
                features.filter(|(n, _)| split >> n & 1 == 1).map(|(_, f)| f.name().to_string()).collect();
            about.completers = finder::completers([a, b, c]).map(|found| found.map(text));
        }
        [a, b, c, d] => {
            if let Some((first, second, joint)) = finder::super_set([a, b, c, d]) {
                about.pairs = Some([first.map(text), second.map(text)]);
                about.joint = Some(text(joint));
            }
        }
        _ => {}
    }
    Ok(about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::Deck;

    fn check(rules: &str, query: &str, expected: &str) {
        let rules: Rules = toml::from_str(rules).unwrap();
        let query: Query = serde_json::from_str(query).unwrap();
        let answer = match solve(&rules, &query, 2) {
            Ok(answer) => serde_json::to_string(&answer).unwrap(),
            Err(text) => text,
        };
        assert_eq!(answer, expected);
    }

    #[test]
    fn answers() {
        check(
            "",
            r#"{"cards":"0222 0111 -- 0000 2222"}"#,
            r#"{"count":1,"claims":[[["0000","0111","0222"]]]}"#,
        );
        check("", r#"{"cards":""}"#, r#"{"count":0,"claims":[]}"#);
        check(
            "",
            r#"{"cards":"0000 0001 0002 0010 0011 0012 0020 0021 0022"}"#,
            r#"{"count":12,"claims":[[["0000","0001","0002"]],[["0000","0010","0020"]]]}"#,
        );
        check(
            "pattern = 'super'",
            r#"{"cards":"0111 0002 2212 2021"}"#,
            r#"{"count":1,"claims":[[[["0002","2021"],["0111","2212"]]]]}"#,
        );
        // A cube: three pairs of opposite faces, three of diagonal planes.
        check(
            "pattern = 'super'\nmultiplicity = 'double'",
            r#"{"cards":"0000 0001 0010 0011 0100 0101 0110 0111"}"#,
            r#"{"count":6,"claims":[[[["0000","0011"],["0001","0010"]],[["0100","0111"],["0101","0110"]]],[[["0000","0101"],["0001","0100"]],[["0010","0111"],["0011","0110"]]]]}"#,
        );
        check(
            "pattern = 'ultra1'\nzones = 3\nbase = 6",
            r#"{"cards":"0000 | 0111 | 0222 0001 0002"}"#,
            r#"{"count":1,"claims":[[["0000","0111","0222"]]]}"#,
        );
        check(
            "sources = 'previous'",
            r#"{"cards":"0111 0222 1000 2000 1111 1222","previous":"0000 0001 0002"}"#,
            r#"{"count":2,"claims":[[["0000","0111","0222"]],[["0000","1000","2000"]]]}"#,
        );
        check(
            "sources = 'hand'\nhand = 3",
            r#"{"cards":"0000","hand":"0111 0222"}"#,
            r#"{"count":1,"claims":[[["0000","0111","0222"]]]}"#,
        );
        check(
            "deck = 'd243'",
            r#"{"cards":"00000 01111 02222"}"#,
            r#"{"count":1,"claims":[[["00000","01111","02222"]]]}"#,
        );
    }

    #[test]
    fn bad_queries_are_told_so() {
        check("", r#"{"cards":"0000 0000"}"#, "0000 stands twice");
        check("", r#"{"cards":"0003"}"#, "`0003` is no card: write 4 digits from 0 to 2, such as `0211`");
        check("deck = 'd27'", r#"{"cards":"0010"}"#, "0010 is not in the deck of this game");
        check("", r#"{"cards":"0000 | 0001"}"#, "this game has 1 zone, and 2 are written");
        check("", r#"{"cards":"0000","hand":"0001"}"#, "claims of this game use no hand");
        check("sources = 'previous'", r#"{"previous":"0001"}"#, "3 cards make the previous claim, not 1");
        assert!(serde_json::from_str::<Query>(r#"{"card":"0000"}"#).is_err());
    }

    #[test]
    fn what_can_be_said_about_a_few_cards() {
        let rules = Rules::default();
        let say = |cards: &str| serde_json::to_string(&about(&rules, cards).unwrap()).unwrap();
        assert_eq!(say("0000 0111"), r#"{"cap":true,"third":"0222"}"#);
        assert_eq!(
            say("0000 0001 0010"),
            r#"{"cap":true,"split":["shading","symbol"],"completers":["0011","0012","0021"]}"#
        );
        assert_eq!(say("0000 0111 0222"), r#"{"cap":false}"#);
        assert_eq!(
            say("0111 0002 2212 2021"),
            r#"{"cap":true,"pairs":[["0002","2021"],["0111","2212"]],"joint":"1010"}"#
        );
        assert!(about(&Rules { deck: Deck::D27, ..rules }, "0010").is_err());
    }
}
