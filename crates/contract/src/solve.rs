//! The solver command: questions and answers as text and JSON (docs/notation.md, section 4).

use crate::meld::{DeclaredMeld, End, Meld, Suits};
use crate::rules::Rules;
use crate::solver::{Counts, Gauge, Need, Play, Rights, Solver, cards_of, counts_of, shed};
use cards::{Face, Pack};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Which round, by its number in the rule file.
    pub round: u16,
    /// The hand, in notation.
    pub hand: String,
    /// The melds on the table, in notation; for lay-offs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub melds: Option<Vec<String>>,
    /// Number of players, where it matters: whoever resolves the rules reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
}

/// What a hand can lay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Whether the contract can be laid in one action.
    pub can_meld: bool,
    /// The way that leaves the fewest points (Q-17).
    pub best: Option<Way>,
    /// Number of ways up to equal faces and equal slots.
    pub ways: u64,
    /// Whether the search was cut short, so that more or better may exist.
    pub truncated: bool,
}

/// One way to lay a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// The melds in notation.
    pub melds: Vec<String>,
    /// What stays in hand.
    pub left: String,
    /// What that costs.
    pub points: i32,
}

/// What a player who is down can shed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayOff {
    /// The plays, as commands.
    pub plays: Vec<String>,
    /// What stays in hand.
    pub left: String,
    /// What that costs.
    pub points: i32,
    /// Whether the search was cut short.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// What a hand lacks of a contract (S6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// Fewest cards that are missing, 0 if the contract can be laid; where the whole hand must go, fewest cards to be
    /// exchanged for others or added. None if no cards would do.
    pub distance: Option<u8>,
    /// The faces of which one more brings the hand a step nearer.
    pub helpful: String,
}

/// How far a hand is from the contract of a round, and which cards bring it nearer.
///
/// # Errors
/// What is wrong with the question.
pub fn missing(rules: &Rules, query: &Query) -> Result<Missing, String> {
    let (round, hand) = read(rules, query)?;
    let law = rules.law(round);
    let Need { distance, faces } = Solver::new(&law).need(&hand);
    let helpful: Vec<Face> =
        law.pack.faces().chain([Face::JOKER]).filter(|face| faces >> face.index() & 1 == 1).collect();
    Ok(Missing {
        distance: (distance != Gauge::NEVER).then_some(distance),
        helpful: law.pack.text_all(&helpful),
    })
}

/// What the contract of a round can be made of from a hand.
///
/// # Errors
/// What is wrong with the question.
pub fn contract(rules: &Rules, query: &Query) -> Result<Answer, String> {
    if query.melds.is_some() {
        return Err("`melds` belongs to a question about lay-offs".into());
    }
    let (round, hand) = read(rules, query)?;
    let law = rules.law(round);
    let survey = Solver::new(&law).survey(&hand);
    Ok(Answer {
        can_meld: survey.best.is_some(),
        best: survey.best.map(|answer| Way {
            melds: answer.melds.iter().map(|m| m.text(&law.pack)).collect(),
            left: law.pack.text_all(&cards_of(&answer.left)),
            points: answer.points,
        }),
        ways: survey.ways,
        truncated: survey.truncated,
    })
}

/// What a player who is down since an earlier turn can lay off and reclaim so that the fewest points are left.
///
/// # Errors
/// What is wrong with the question.
pub fn lay_off(rules: &Rules, query: &Query) -> Result<LayOff, String> {
    let (round, hand) = read(rules, query)?;
    let law = rules.law(round);
    let mut table: Vec<Meld> = Vec::new();
    for text in query.melds.iter().flatten() {
        for said in DeclaredMeld::parse_all(text, &law.pack)? {
            let read = law.place(&said, Suits::One).or_else(|refusal| {
                let freer = [Suits::Colour, Suits::Alternate, Suits::Free];
                let wanted = |s: &Suits| law.contracts.iter().flatten().flatten().any(|w| w.suits == *s);
                freer.into_iter().filter(wanted).find_map(|s| law.place(&said, s).ok()).ok_or(refusal)
            });
            table.push(read.map_err(|refusal| format!("`{text}` is no meld: {refusal}"))?);
        }
    }
    let set = &rules.rounds[round].settings;
    use crate::rules::{LayoffWhen, ReclaimUse, ReclaimWhen};
    let rights = Rights {
        lay_off: set.layoff.when != LayoffWhen::Never,
        reclaim: set.wild.reclaim_when != ReclaimWhen::BeforeContract,
        keep_wilds: set.wild.reclaim_use == ReclaimUse::Keep,
        keep_one: law.keep_one,
        budget: Rights::BUDGET,
    };
    let shed = shed(&law, rights, &hand, &[], &table, &|_| true, &|_| true);
    Ok(LayOff {
        plays: shed.plays.iter().map(|play| play_text(play, &law.pack)).collect(),
        left: law.pack.text_all(&cards_of(&shed.left)),
        points: shed.points,
        truncated: shed.truncated,
    })
}

/// A play as a command.
fn play_text(play: &Play, pack: &Pack) -> String {
    match play {
        Play::LayOff { card, meld, end } => {
            let end = match end {
                None => "",
                Some(End::Low) => " low",
                Some(End::High) => " high",
            };
            format!("layoff {} on {}{end}", card.text(pack), meld + 1)
        }
        Play::Reclaim { card, meld } => format!("reclaim {} from {}", pack.text(*card), meld + 1),
    }
}

/// The place of the round and the hand that a question is about.
fn read(rules: &Rules, query: &Query) -> Result<(usize, Counts), String> {
    let round = rules.round(query.round).ok_or_else(|| {
        let last = rules.rounds.last().map_or(0, |r| r.number);
        format!("there is no round {}: this game has rounds 1 to {last}", query.round)
    })?;
    let pack = rules.pack();
    let cards = pack.parse_all(&query.hand)?;
    if cards.len() > 40 {
        return Err(format!("{} cards are too many: the solver is exact up to 40", cards.len()));
    }
    let hand = counts_of(cards.iter().copied());
    let deck = &rules.settings.deck;
    for face in cards {
        let (held, most) = (hand[face.index()], if face == Face::JOKER { deck.jokers } else { deck.decks });
        if held > most {
            return Err(match most {
                0 => format!("there is no {} in this game", pack.text(face)),
                _ => format!("{held} times {}: there are only {most} in the pack", pack.text(face)),
            });
        }
    }
    Ok((round, hand))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(round: u16, hand: &str, melds: Option<&str>) -> Query {
        Query {
            round,
            hand: hand.into(),
            melds: melds.map(|m| {
                DeclaredMeld::parse_all(m, &Pack::standard())
                    .unwrap()
                    .iter()
                    .map(|s| s.text(&Pack::standard()))
                    .collect()
            }),
            players: None,
        }
    }

    #[test]
    fn what_is_missing() {
        let rules = Rules::contract(5);
        let check = |round, hand, expected: &str| {
            let found = missing(&rules, &ask(round, hand, None)).map(|a| serde_json::to_string(&a).unwrap());
            assert_eq!(found.unwrap_or_else(|e| e), expected);
        };
        check(1, "7C 7D 7H KC KD KH 2S", r#"{"distance":0,"helpful":""}"#);
        check(1, "7C 7D 7H KC KD 2S 3D", r#"{"distance":1,"helpful":"KC KD KH KS JK"}"#);
        check(
            1,
            "7C 7D 7H KX",
            "`KX` is no card of this pack: write a rank (A 2 3 4 5 6 7 8 9 T J Q K) and a suit (CDHS), or JK",
        );
    }

    #[test]
    fn contracts() {
        let rules = Rules::contract(5);
        let check = |round, hand, expected: &str| {
            let found = contract(&rules, &ask(round, hand, None)).map(|a| serde_json::to_string(&a).unwrap());
            assert_eq!(found.unwrap_or_else(|e| e), expected);
        };
        check(
            3,
            "3H 4H 5H 6H 8H 9H TH JH KD 9C",
            r#"{"can_meld":true,"best":{"melds":["R[3H 4H 5H 6H]","R[8H 9H TH JH]"],"left":"9C KD","points":19},"ways":1,"truncated":false}"#,
        );
        check(
            3,
            "3H 4H 5H 6H 7H 8H 9H TH KD 9C",
            r#"{"can_meld":false,"best":null,"ways":0,"truncated":false}"#,
        );
        check(
            1,
            "9C 9D 9H 9S KC KD KH 2C",
            r#"{"can_meld":true,"best":{"melds":["G[9C 9D 9H]","G[KC KD KH]"],"left":"2C 9S","points":11},"ways":4,"truncated":false}"#,
        );
        check(9, "9C", "there is no round 9: this game has rounds 1 to 7");
        check(1, "9C 9C 9C", "3 times 9C: there are only 2 in the pack");
        check(
            1,
            "9C 9X",
            "`9X` is no card of this pack: write a rank (A 2 3 4 5 6 7 8 9 T J Q K) and a suit (CDHS), or JK",
        );
    }

    #[test]
    fn lay_offs() {
        let rules = Rules::contract(4);
        let check = |hand, melds, expected: &str| {
            let found =
                lay_off(&rules, &ask(5, hand, Some(melds))).map(|a| serde_json::to_string(&a).unwrap());
            assert_eq!(found.unwrap_or_else(|e| e), expected);
        };
        // X-43: one card must stay.
        check("7H 8H", "R[3H 4H 5H 6H]", r#"{"plays":["layoff 7H on 1"],"left":"8H","points":8}"#);
        check(
            "7H 8H KD",
            "R[3H 4H 5H 6H]",
            r#"{"plays":["layoff 7H on 1","layoff 8H on 1"],"left":"KD","points":10}"#,
        );
        // X-34: the six goes only by a reclaim, and the joker must find a place.
        check(
            "6H 8C KD",
            "R[4H 5H JK=6H 7H]",
            r#"{"plays":["reclaim 6H from 1","layoff JK=3H on 1"],"left":"8C KD","points":18}"#,
        );
        check("6H", "R[4H 5H JK=6H 7H]", r#"{"plays":[],"left":"6H","points":6}"#);
        // The nine must not go to the group: it opens the way for the ten.
        check(
            "9H TH 2C",
            "R[5H 6H 7H 8H] G[9C 9D 9S]",
            r#"{"plays":["layoff 9H on 1","layoff TH on 1"],"left":"2C","points":2}"#,
        );
        // A joker bridges to the jack; of the three cards one must stay, the cheapest.
        check(
            "JK JH 2C",
            "R[6H 7H 8H 9H] G[2D 2H 2S]",
            r#"{"plays":["layoff JK=TH on 1","layoff JH on 1"],"left":"2C","points":2}"#,
        );
        check(
            "AD 2C",
            "R[2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD]",
            r#"{"plays":["layoff AD on 1 low"],"left":"2C","points":2}"#,
        );
        check(
            "9H",
            "R[5H 7H 8H 9H]",
            "`R[5H 7H 8H 9H]` is no meld: 5H 7H 8H 9H do not follow each other without gap or turn of the corner (CR-MELD-1, A-09)",
        );
    }
}
