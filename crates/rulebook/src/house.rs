//! House rules: a game with some of its options set otherwise, as a rule file; and what a rule file means, said at once.

use crate::fault::HOUSE;
use crate::layer::Node;
use crate::{Book, Family, Fault, Faults, Info, Loaded, NoFiles, Source, preset};
use contract::rules::Choice;
use game::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The text of house rules, under the name by which messages call it.
#[must_use]
pub const fn source(text: &str) -> Source<'_> {
    Source::Text { name: HOUSE, text }
}

/// House rules that families, clubs and books have published: what is said about each, and its rule file.
///
/// ```
/// let all: Vec<_> = rulebook::house::published().collect();
/// assert!(all.iter().any(|(info, text)| info.id == "onze" && text.contains("base")));
/// ```
pub fn published() -> impl Iterator<Item = (Info, &'static str)> {
    crate::presets::HOUSE.iter().filter_map(|file| Some((load(file.text).ok()?.info, file.text)))
}

/// What is said about one of them.
pub(crate) fn known(id: &str) -> Option<Info> {
    let file = crate::presets::HOUSE.iter().find(|file| file.id == id)?;
    Some(load(file.text).ok()?.info)
}

/// Loads house rules.
///
/// # Errors
/// Every fault at once.
pub fn load(text: &str) -> Result<Loaded, Faults> {
    crate::load(source(text), None, &NoFiles)
}

/// House rules as somebody makes them: a game, and what is otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "HouseRulesDraft")]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    /// What the house calls them.
    pub name: String,
    /// Id of the built-in game that they begin from.
    pub base: String,
    /// Options by their dotted names, where they differ.
    pub options: Map<String, Value>,
    /// The rounds, where they differ from those of the base (contract family).
    pub rounds: Option<Vec<DraftRound>>,
}

/// A round of house rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DraftRound {
    /// The contract: slots with spaces between, several to choose from with `/` between: `G3 R4`.
    pub contract: String,
    /// Cards dealt, where the game's own number does not hold: a number, or a reckoning.
    pub deal: String,
    /// What is said about it.
    pub label: String,
    /// Options that hold in this round only, by their dotted names.
    pub set: Map<String, Value>,
}

impl DraftRound {
    /// The texts of the slots, contract by contract.
    fn slots(&self) -> impl Iterator<Item = std::str::SplitWhitespace<'_>> {
        self.contract.split('/').map(str::split_whitespace)
    }

    /// The contracts of which one is laid, by their slots; none where the text is no contract.
    #[must_use]
    pub fn contracts(&self) -> Option<Vec<Vec<Choice>>> {
        self.slots().map(|slots| slots.map(|slot| slot.parse().ok()).collect()).collect()
    }

    /// The text of contracts, as [`DraftRound::contracts`] reads it.
    #[must_use]
    pub fn contract_text(contracts: &[Vec<Choice>]) -> String {
        let list = |slots: &Vec<Choice>| slots.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        contracts.iter().map(list).collect::<Vec<_>>().join(" / ")
    }

    /// Cards dealt: a number, a reckoning, or the steps of one; none where the game's own number holds.
    #[must_use]
    pub fn dealt(&self) -> Option<Value> {
        let deal = self.deal.trim();
        let read = || serde_json::from_str(deal).unwrap_or_else(|_| deal.into());
        (!deal.is_empty()).then(read)
    }

    fn to_toml(&self) -> toml::Table {
        let mut table = toml::Table::new();
        let list = |slots: std::str::SplitWhitespace<'_>| -> toml::Value {
            slots.map(|slot| toml::Value::from(slot.to_owned())).collect::<Vec<_>>().into()
        };
        let contracts: Vec<toml::Value> = self.slots().map(list).collect();
        let contract = match <[_; 1]>::try_from(contracts) {
            Ok([only]) => only,
            Err(several) => several.into(),
        };
        table.insert("contract".to_owned(), contract);
        if let Some(dealt) = self.dealt() {
            let text = || self.deal.trim().into();
            table.insert("deal".to_owned(), toml::Value::try_from(dealt).unwrap_or_else(|_| text()));
        }
        if !self.label.trim().is_empty() {
            table.insert("label".to_owned(), self.label.trim().into());
        }
        if !self.set.is_empty() {
            table.insert("set".to_owned(), to_toml(&self.set).into());
        }
        table
    }
}

fn to_toml(map: &Map<String, Value>) -> toml::Table {
    map.iter().filter_map(|(key, value)| Some((key.clone(), toml::Value::try_from(value).ok()?))).collect()
}

impl Draft {
    /// The rule file of these rules.
    #[must_use]
    pub fn text(&self) -> String {
        let name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "House rules".to_owned() } else { name };
        let pattern = preset(&self.base).is_ok_and(|base| base.info.family == Family::Pattern);
        let mut table = toml::Table::new();
        table.insert("id".to_owned(), slug(&name).into());
        table.insert("name".to_owned(), name.into());
        if !self.base.is_empty() {
            let key = if pattern { "extends" } else { "base" };
            table.insert(key.to_owned(), self.base.clone().into());
        }
        // One line for each option: `"take.limit" = 2`, in the order of the names.
        table.extend(to_toml(&self.options));
        if let Some(rounds) = &self.rounds {
            let rounds: Vec<toml::Value> = rounds.iter().map(|round| round.to_toml().into()).collect();
            table.insert("round".to_owned(), rounds.into());
        }
        toml::to_string(&table).unwrap_or_default()
    }
}

/// The id that a name makes: small letters, digits, hyphens.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.to_lowercase().chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "house".to_owned() } else { slug.to_owned() }
}

/// What a rule file means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RulesMeaning")]
pub struct Meaning {
    /// What is said about the game, if it can be played.
    pub game: Option<Info>,
    /// The rules as somebody would change them further; none where the file is too broken, or is based on no built-in game.
    pub draft: Option<Draft>,
    /// What is wrong.
    pub faults: Vec<Told>,
    /// What looks like a mistake but can be played.
    pub warnings: Vec<Told>,
    /// The rounds (contract family).
    pub rounds: Vec<RoundMeaning>,
    /// Each number of players, from the fewest on.
    pub tables: Vec<TableMeaning>,
    /// The rule sheet as Markdown in English; empty if the game cannot be played.
    pub sheet: String,
    /// The same for who has its words in another language.
    pub told: crate::Sheet,
}

/// A fault or a warning, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RulesFault")]
pub struct Told {
    /// The check or rule: `V1` to `V8`, or a rule id.
    pub check: String,
    /// The line of the file that it is about, where there is one.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: Sentence,
    /// What would be right; empty where nothing is said.
    pub remedy: Sentence,
}

impl From<&Fault> for Told {
    fn from(fault: &Fault) -> Told {
        Told {
            check: fault.check.to_owned(),
            line: fault.place.line,
            reason: fault.reason.clone().into(),
            remedy: fault.remedy.clone().into(),
        }
    }
}

/// What a round asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RoundMeaning {
    /// Its number in the file.
    pub number: u16,
    /// Whether it is played (`game.rounds`).
    pub played: bool,
    /// The contract in words.
    pub contract: Sentence,
    /// Cards dealt to each, with as many players as the sheet is written for.
    pub deal: u8,
    /// Cards that the contract needs, with the discard where that is a must.
    pub need: u16,
    /// Takes that are needed before it can be laid; none if it can never be laid.
    pub takes: Option<u16>,
    /// What else is said about it.
    pub label: String,
}

/// Whether so many can play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TableMeaning {
    /// Number of players.
    pub seats: u8,
    /// Why not; empty if they can.
    pub fault: Sentence,
    /// Cards in all (contract family).
    pub cards: u16,
    /// What the table should tell them.
    pub notes: Vec<Sentence>,
}

/// What a rule file means, with rounds and sheet for `seats` players (or the nearest number that can play).
#[must_use]
pub fn meaning(text: &str, seats: u8) -> Meaning {
    let read = match crate::read(source(text), None, &NoFiles) {
        Ok(read) => read,
        Err(fault) => return Meaning { faults: vec![Told::from(&*fault)], ..Meaning::default() },
    };
    let loaded = match read.loaded() {
        Ok(loaded) => loaded,
        Err((book, faults)) => {
            let faults = faults.iter().map(Told::from).collect();
            return Meaning { draft: draft(&book), faults, ..Meaning::default() };
        }
    };
    let (min, max) = (loaded.info.players_min, loaded.info.players_max);
    let tables: Vec<TableMeaning> = (min..=max).map(|seats| loaded.table(seats)).collect();
    let playable = |seats: &u8| tables.iter().any(|t| t.seats == *seats && t.fault.is_empty());
    let seats = std::iter::once(seats.clamp(min, max)).chain(min..=max).find(playable).unwrap_or(min);
    let rules = loaded.rules(seats);
    let sheet = rules.as_deref().map(|rules| loaded.sheet_of(rules, seats));
    Meaning {
        draft: draft(&loaded.book),
        warnings: loaded.warnings.iter().map(Told::from).collect(),
        rounds: rules.as_deref().map(|rules| loaded.rounds(rules, seats)).unwrap_or_default(),
        sheet: sheet.as_ref().map(ToString::to_string).unwrap_or_default(),
        told: sheet.unwrap_or_default(),
        game: Some(loaded.info),
        tables,
        faults: Vec::new(),
    }
}

impl Loaded {
    /// Whether so many can play. The rules of a contract game are not put together for each number of players: what
    /// could fail of them is looked at.
    fn table(&self, seats: u8) -> TableMeaning {
        let (fault, cards) = match &self.book {
            Book::Pattern(_) => (self.rules(seats).err(), 0),
            Book::Contract(book) => (self.contract_seats(book, seats).err(), book.pack(seats.into()) as u16),
        };
        let cards = if fault.is_some() { 0 } else { cards };
        TableMeaning {
            seats,
            fault: fault.map(|faults| faults.reasons().into()).unwrap_or_default(),
            cards,
            notes: self.notes(seats).into_iter().map(Into::into).collect(),
        }
    }

    fn rounds(&self, rules: &crate::Rules, seats: u8) -> Vec<RoundMeaning> {
        let (crate::Rules::Contract(rules), Book::Contract(book)) = (rules, &self.book) else {
            return Vec::new();
        };
        (0..rules.rounds.len())
            .zip(&book.rounds)
            .map(|(at, read)| {
                let (law, round) = (rules.law(at), &rules.rounds[at]);
                RoundMeaning {
                    number: round.number,
                    played: rules.settings.game.rounds.has(round.number),
                    contract: law.all_contract_words().into(),
                    deal: round.deal,
                    need: book.need(read) as u16,
                    takes: book.takes_needed(read, seats.into()).map(|takes| takes as u16),
                    label: round.label.clone().unwrap_or_default(),
                }
            })
            .collect()
    }
}

/// The file as a draft that a page can change: its options by their dotted names, and its rounds.
fn draft(book: &Book) -> Option<Draft> {
    let chain = book.chain();
    let own = chain.own()?;
    let base = chain.ids.get(1).cloned().unwrap_or_default();
    if base.is_empty() || crate::preset_text(&base).is_none() {
        return None;
    }
    Some(Draft {
        name: chain.about("name").and_then(Node::as_text).unwrap_or_default().to_owned(),
        base,
        options: own.set.iter().map(|(key, node)| (key.key.to_owned(), node.to_json())).collect(),
        rounds: own.rounds.as_ref().map(|_| draft_rounds(book)),
    })
}

fn draft_rounds(book: &Book) -> Vec<DraftRound> {
    match book {
        Book::Pattern(_) => Vec::new(),
        Book::Contract(book) => book.rounds.iter().map(draft_round).collect(),
    }
}

fn draft_round(round: &crate::contract_rules::Round) -> DraftRound {
    let deal = match round.deal.as_ref().map(Node::to_json) {
        None => String::new(),
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
    };
    let set = |(key, node): &(&'static game::option::Row, Node)| (key.key.to_owned(), node.to_json());
    DraftRound {
        contract: DraftRound::contract_text(&round.contracts),
        deal,
        label: round.label.clone().unwrap_or_default(),
        set: round.set.iter().map(set).collect(),
    }
}

/// The rounds of a built-in game, as a draft has them.
#[must_use]
pub fn rounds_of(base: &Loaded) -> Vec<DraftRound> {
    draft_rounds(&base.book)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in(family: Family) -> Vec<Loaded> {
        let all = crate::presets().into_iter().filter_map(|id| preset(id).ok());
        all.filter(|loaded| loaded.info.family == family).collect()
    }

    #[test]
    fn a_draft_of_a_game_is_that_game() {
        for base in built_in(Family::Contract) {
            let rounds = Some(rounds_of(&base));
            let draft = Draft { name: "Ours".into(), base: base.info.id.clone(), rounds, ..Draft::default() };
            let text = draft.text();
            let meaning = meaning(&text, 4);
            assert_eq!(meaning.faults, [], "{text}");
            assert_eq!(meaning.draft.as_ref(), Some(&draft), "{text}");
            let loaded = load(&text).unwrap();
            for seats in base.info.players_min..=base.info.players_max {
                let rules = |loaded: &Loaded| match &*loaded.rules(seats).unwrap() {
                    crate::Rules::Contract(rules) => (rules.settings.clone(), rules.rounds.clone()),
                    crate::Rules::Pattern(_) => unreachable!("a game of the other family"),
                };
                assert_eq!(rules(&loaded), rules(&base), "{}", base.info.id);
            }
        }
        for base in built_in(Family::Pattern) {
            let draft = Draft { name: "Ours".into(), base: base.info.id.clone(), ..Draft::default() };
            let meaning = meaning(&draft.text(), 3);
            assert_eq!((meaning.faults, meaning.draft), (vec![], Some(draft)));
        }
    }

    #[test]
    fn blanks_around_a_label_make_no_other_game() {
        let check = |label: &str, expected: Option<&str>| {
            let text = format!(
                "id = \"ours\"\nname = \"Ours\"\nbase = \"contract\"\n\
                 round = [{{ contract = [\"G3\", \"G3\"], label = \"{label}\" }}]\n"
            );
            let label_of = |text: &str| match &*load(text).unwrap().rules(4).unwrap() {
                crate::Rules::Contract(rules) => rules.rounds[0].label.clone(),
                crate::Rules::Pattern(_) => unreachable!("a game of the other family"),
            };
            let draft = meaning(&text, 4).draft.expect("based on a built-in game").text();
            assert_eq!(
                (label_of(&text).as_deref(), label_of(&draft).as_deref()),
                (expected, expected),
                "{text}"
            );
        };
        check("Ten ", Some("Ten"));
        check("  Two  sets", Some("Two  sets"));
        check(" ", None);
        check("", None);
    }

    #[test]
    fn what_is_set_otherwise_is_said() {
        let draft = Draft {
            name: "Aunt Zoë's Game!".into(),
            base: "contract".into(),
            options: serde_json::json!({ "take.limit": 2, "score.values": { "JK": 50 }, "deck.decks": "ceil(n/2)" })
                .as_object()
                .unwrap()
                .clone(),
            rounds: Some(vec![DraftRound { contract: "G3 R10".into(), deal: "11".into(), ..DraftRound::default() }]),
        };
        let text = draft.text();
        let found = meaning(&text, 4);
        assert_eq!(found.faults, [], "{text}");
        assert_eq!(found.draft, Some(draft), "{text}");
        let game = found.game.unwrap();
        assert_eq!((game.id.as_str(), game.name.as_str()), ("aunt-zo-s-game", "Aunt Zoë's Game!"));
        let round = &found.rounds[0];
        assert_eq!((round.deal, round.need, round.takes), (11, 14, Some(1)), "{round:?}");
        assert!(found.tables[0].notes[0].text.contains("a take (May I) is needed"), "{:?}", found.tables);
        assert!(found.sheet.contains("up to 2") || found.sheet.contains("two"), "{}", found.sheet);
    }

    #[test]
    fn what_cannot_be_played_says_why_and_can_still_be_mended() {
        let check = |options: Value, rounds: &[&str], check: &str| {
            let rounds: Vec<DraftRound> = rounds
                .iter()
                .map(|c| DraftRound { contract: (*c).into(), ..DraftRound::default() })
                .collect();
            let draft = Draft {
                base: "contract".into(),
                name: "Ours".into(),
                options: options.as_object().unwrap().clone(),
                rounds: (!rounds.is_empty()).then_some(rounds),
            };
            let found = meaning(&draft.text(), 4);
            assert!(
                found.faults.iter().any(|f| f.check == check && !f.remedy.is_empty()),
                "{check}: {:?}",
                found.faults
            );
            assert!(found.game.is_none() && found.draft.is_some(), "{check}");
        };
        check(serde_json::json!({ "run.gap": 9 }), &[], "V1");
        check(serde_json::json!({ "deal.cards": 40 }), &[], "V2");
        check(serde_json::json!({ "take.on": false }), &["G3 R10"], "V3");
        check(serde_json::json!({ "run.ace": "high" }), &["R14"], "V4");
        check(serde_json::json!({ "run.per_suit": 1 }), &["R3 R3 R3 R3 R3"], "V5");
        check(serde_json::json!({ "wild.min_naturals": 3 }), &["P2 P2 P2"], "V4");
        check(serde_json::json!({ "wild.ranks": ["2"], "wild.natural_in_place": false }), &["G3=2 G3"], "V4");
        check(serde_json::json!({ "group.distinct_suits": true }), &["G5 G3"], "V4");
        check(serde_json::json!({ "group.distinct_ranks": true }), &["P2=A P2=A P2"], "V5");
        check(serde_json::json!({ "meld.all": true }), &[], "V6");
        check(serde_json::json!({}), &["G3 X9"], "V1");
    }
}
