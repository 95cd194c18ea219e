//! Rule files: TOML to validated rules, the built-in games, the rule sheet a player reads.
//!
//! - [`load`] reads a game (built in, a file, a text) with a table's options on top, and names every fault at once.
//! - [`Match`] is a match of either family: everything from the table up is written for it.
//! - [`Loaded::options`] says in plain words what can be set, [`Loaded::sheet`] is the rule sheet; [`schema`] is the JSON Schema of rule files.
//!
//! ```
//! use rulebook::{NoFiles, Source, load};
//!
//! // House rules: a game, and what is otherwise.
//! let text = r#"
//! id = "sunday"
//! name = "Our Sunday game"
//! base = "contract"
//! [score]
//! winner = -10
//! "#;
//! let game = load(Source::Text { name: "sunday.toml", text }, None, &NoFiles)?;
//! assert_eq!(game.info.name, "Our Sunday game");
//! let rules = game.rules(4)?; // what a match of four is opened with
//! assert!(game.sheet(Some(4))?.contains("# Our Sunday game"));
//!
//! // What is wrong is told at its line, with what would be right.
//! let slip = load(Source::Text { name: "slip.toml", text: &text.replace("winner", "winer") }, None, &NoFiles);
//! let faults = slip.unwrap_err();
//! assert!(faults.to_string().contains("score.winer"), "{faults}");
//! # Ok::<(), rulebook::Faults>(())
//! ```

mod bounds;
mod card_values;
mod chain;
mod check;
mod code;
mod contract_rules;
mod departures;
mod differs;
mod expr;
mod family;
mod fault;
pub mod house;
mod keys;
mod layer;
mod letters;
pub mod markdown;
mod only;
mod pattern_rules;
mod pictures;
mod presets;
mod rule;
mod schema;
mod sheet;
pub mod solve;

pub use bounds::FILE_BYTES;
pub use check::MOST_PENNIES;
pub use code::{BadCode, share, unshare};
pub use family::{Command, Event, Match, Notice, Rules, View};
pub use fault::{Fault, Faults, Place};
pub use keys::{OptionInfo, OptionType};
pub use only::{Only, Part};
pub use pictures::{Picture, Shown, Shows};
pub use rule::{rule_id, rule_of_line, rule_of_ruling};
pub use schema::schema;
pub use sheet::{Line, Sheet};

use cards::Pack;
use chain::Chain;
use fault::Found;
use game::option::{Named, Names};
use game::{Say, say};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which of the two families of rules a game belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Set and its variants.
    Pattern,
    /// Contract Rummy and its variants.
    Contract,
}

impl Family {
    /// Its name, as it stands in frames and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Pattern => "pattern",
            Family::Contract => "contract",
        }
    }

    /// The id of the built-in game that who knows the family knows.
    pub(crate) const fn known(self) -> &'static str {
        match self {
            Family::Pattern => "set-classic",
            Family::Contract => "contract",
        }
    }

    pub(crate) fn rows(self) -> &'static [game::option::Row] {
        match self {
            Family::Pattern => pattern::options::OPTIONS,
            Family::Contract => contract::options::OPTIONS,
        }
    }
}

/// Where the text of rule files comes from; this crate opens no files itself.
pub trait Files {
    /// The text of the file at `path`, as written in a scenario or beside a rule file.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// There are no files but the built-in games.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &str) -> Result<String, String> {
        Err(say!("fault.no_files", path = path.to_owned()).to_string())
    }
}

/// Which game to load.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A built-in game, by its id.
    Preset(&'a str),
    /// A rule file, by its path.
    File(&'a str),
    /// The text of a rule file, and a name for messages.
    Text {
        /// Name of the file, for messages.
        name: &'a str,
        /// Its text.
        text: &'a str,
    },
}

impl Source<'_> {
    fn name(&self) -> &str {
        match self {
            Source::Preset(name) | Source::File(name) | Source::Text { name, .. } => name,
        }
    }
}

/// A game that can be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What is said about it.
    pub info: Info,
    /// What looks like a mistake but can be played (V7).
    pub warnings: Vec<Fault>,
    book: Book,
}

/// The letters of what holds.
fn those_that_hold(signs: impl IntoIterator<Item = (char, bool)>) -> String {
    signs.into_iter().filter_map(|(sign, holds)| holds.then_some(sign)).collect()
}

/// The letters of the rules that tell games of Set with one layout apart ([`Info::picture`]).
fn pattern_signs(rules: &pattern::Rules) -> String {
    use pattern::options::{DealStyle, End, Grouping, Penalty, Removed, Score, Sources};
    use pattern::rules::Mechanism;
    let signs = [
        ('a', rules.sources == Sources::Previous),
        ('h', rules.sources == Sources::Hand),
        ('x', rules.removed == Removed::One),
        ('p', rules.penalty == Penalty::HeapSet),
        ('d', rules.deal_style == DealStyle::Progressive),
        ('t', rules.score == Score::Time),
        ('f', rules.end == End::Goal),
        ('k', rules.end == End::FirstNoClaimLoses),
        ('l', rules.mechanism == Mechanism::Puzzle),
        ('e', rules.mechanism == Mechanism::Scout),
        ('u', rules.mechanism == Mechanism::Setup),
        ('b', rules.pairing == Grouping::Declared),
    ];
    those_that_hold(signs)
}

/// The letters of the rules that tell games of Contract Rummy with the same contracts apart.
fn contract_signs(rules: &contract::Rules) -> String {
    use contract::options::{MeldSize, RunAce};
    let set = &rules.settings;
    let signs = [
        ('j', rules.cards().contains(&cards::Face::JOKER)),
        ('w', !set.wild.ranks.is_empty()),
        ('y', set.take.on),
        ('q', set.meld.size != MeldSize::Exact),
        ('r', set.run.ace == RunAce::Corner),
        ('c', set.cut.on),
        ('z', set.shanghai.on),
    ];
    those_that_hold(signs)
}

/// What a chain of files says, read once.
#[derive(Clone, Debug)]
pub(crate) enum Book {
    Pattern(Chain),
    Contract(Box<contract_rules::Book>),
}

impl Book {
    fn chain(&self) -> &Chain {
        match self {
            Book::Pattern(chain) => chain,
            Book::Contract(book) => &book.chain,
        }
    }
}

impl Loaded {
    /// Its rules for a table of `seats`, with the options on top.
    ///
    /// # Errors
    /// Why it cannot be played by so many.
    pub fn rules(&self, seats: u8) -> Result<Arc<Rules>, Faults> {
        match &self.book {
            Book::Pattern(chain) => pattern_rules::rules(chain, seats),
            Book::Contract(book) => {
                self.contract_seats(book, seats)?;
                book.rules(seats.into())
                    .map(|rules| Arc::new(Rules::Contract(Arc::new(rules))))
                    .map_err(|why| self.refused(say!("fault.other", why = why.to_string())))
            }
        }
    }

    /// What lies on its table, as [`Info::picture`] says it: as most can play it.
    #[must_use]
    pub fn picture(&self) -> String {
        let Ok(rules) = self.rules(self.info.players_max) else { return String::new() };
        match &*rules {
            Rules::Pattern(rules) => {
                let hidden = rules.mechanism == pattern::rules::Mechanism::Memory;
                let hidden = if hidden { "-" } else { "" };
                let grounds = if rules.deck == cards::Deck::D243 { "g" } else { "" };
                let (people, signs) = (self.info.players_max, pattern_signs(rules));
                format!(
                    "{hidden}{}*{}+{}{grounds}/{people}{signs}",
                    rules.zones,
                    rules.base,
                    rules.claim_cards()
                )
            }
            Rules::Contract(rules) => {
                let meld = |want: &contract::meld::Want| {
                    format!("{}{}", if want.kind == contract::meld::Kind::Run { 'r' } else { 'g' }, want.size)
                };
                let first = |law: contract::meld::Law| -> String {
                    let first = law.contracts.into_iter().next().unwrap_or_default();
                    first.iter().filter_map(|slot| slot.first()).map(meld).collect()
                };
                let rounds = (0..rules.rounds.len()).map(|round| first(rules.law(round)));
                let (people, signs) = (self.info.players_max, contract_signs(rules));
                format!("{}/{people}{signs}", rounds.collect::<Vec<_>>().join(" "))
            }
        }
    }

    /// Whether it may be played at a public table, where strangers sit down.
    ///
    /// # Errors
    /// What lets one player block the table for ever (pattern rulebook, Q-17).
    pub fn public(&self) -> Result<(), Faults> {
        let faults = match &self.book {
            Book::Pattern(chain) => pattern_rules::public(chain),
            Book::Contract(_) => Vec::new(),
        };
        if faults.is_empty() { Ok(()) } else { Err(Faults { faults, missing: false }) }
    }

    fn refused(&self, reason: Say) -> Faults {
        Faults {
            faults: vec![Fault {
                place: Place { file: self.info.id.as_str().into(), line: None },
                check: "A-01",
                reason,
                remedy: say!("remedy.players"),
            }],
            missing: false,
        }
    }

    /// Whether so many can play a game of the contract family.
    fn contract_seats(&self, book: &contract_rules::Book, seats: u8) -> Result<(), Faults> {
        let (min, max) = (self.info.players_min, self.info.players_max);
        if !(min..=max).contains(&seats) {
            // Where a table's creator let more play than the cards do for, that is the reason.
            let n = i64::from(seats);
            if let Some(fault) = book.stock_fault(n).filter(|_| book.players().contains(&n)) {
                return Err(Faults { faults: vec![fault], missing: false });
            }
            return Err(self.refused(if min == max {
                say!("fault.seats_only", of = min, n = seats)
            } else {
                say!("fault.seats", min = min, max = max, n = seats)
            }));
        }
        if !book.leaves_enough(seats.into()) {
            let (n, least) = (seats, contract_rules::STOCK);
            return Err(self.refused(say!("fault.seats_stock", n = n, least = least)));
        }
        Ok(())
    }

    /// What the table should tell its players: how many takes a round needs with `seats` players (contract/A-44).
    #[must_use]
    pub fn notes(&self, seats: u8) -> Vec<Say> {
        match &self.book {
            Book::Pattern(_) => Vec::new(),
            Book::Contract(book) => book.notes(seats.into()),
        }
    }

    /// The id of the built-in game that this is, or of the nearest that it is based on; empty where it is a game of its own.
    #[must_use]
    pub fn built_in(&self) -> String {
        let ids = presets();
        let mut own = std::iter::once(&self.info.id).chain(&self.info.base);
        own.find(|id| ids.contains(&id.as_str())).cloned().unwrap_or_default()
    }

    /// The name of a built-in game, in the language of whoever reads it.
    #[must_use]
    pub fn name_to_say(&self) -> Say {
        Say { key: format!("preset.{}.name", self.info.id).into(), values: game::Values::default() }
    }

    /// What may be set, in plain words, and what holds in this game.
    #[must_use]
    pub fn options(&self) -> Vec<OptionInfo> {
        let family = self.info.family;
        let held = |key: &str| self.book.chain().get(key).unwrap_or(&family.defaults()[key]).to_json();
        let mechanism = (family == Family::Pattern).then(|| held("mechanism"));
        let means = |row: &game::option::Row| {
            row.mechanisms.is_empty()
                || mechanism.as_ref().is_some_and(|is| row.mechanisms.iter().any(|of| is == of))
        };
        let pack = match &self.book {
            Book::Contract(book) => {
                Pack { ranks: book.texts("deck.ranks", None), suits: book.texts("deck.suits", None) }
            }
            Book::Pattern(_) => Pack { ranks: Vec::new(), suits: Vec::new() },
        };
        let names = |row: &game::option::Row| -> Vec<String> {
            let owned = |names: Names| names.iter().map(|name| (*name).to_owned());
            match row.named {
                Named::Anything => Vec::new(),
                Named::Ranks(besides) => pack.ranks.iter().cloned().chain(owned(besides)).collect(),
                Named::Faces => pack.faces().map(|face| pack.text(face)).collect(),
                Named::These(names) => owned(names).collect(),
            }
        };
        family
            .rows()
            .iter()
            .map(|row| OptionInfo {
                key: row.key,
                group: keys::group(row),
                label: row.label,
                help: row.help,
                kind: row.kind,
                besides_zero: row.zero.map(|(least, _)| least),
                only: row.only.to_vec(),
                names: names(row),
                whole_match: row.whole_match,
                default: held(row.key),
                rule: row.rule,
                creator: !row.file_only && means(row),
            })
            .collect()
    }
}

/// What is said about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameInfo")]
pub struct Info {
    /// Short name: small letters, digits, hyphens.
    pub id: String,
    /// Name as players read it.
    pub name: String,
    /// Its family.
    pub family: Family,
    /// The game in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Anything else worth knowing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How hard it is, in words; empty where nothing is said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub difficulty: String,
    /// What of it was not found in any source and is ours (contract/Q-18).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reconstruction: String,
    /// Ids of the games it is based on, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base: Vec<String>,
    /// Fewest seats.
    pub players_min: u8,
    /// Most seats.
    pub players_max: u8,
    /// How many minutes people take for a match, about, where it stands in a list; 0 where nothing is known ([`minutes`]).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub minutes: u16,
    /// What lies on the table, for a small picture of the game, where it stands in a list. Pattern cards: groups times the cards of
    /// each, such as `1*12`, with a `-` before it where they lie face down; after it the cards of a claim (`+3`), and `g` where cards are
    /// told apart by their backgrounds, too. Contract Rummy: the contract of each round, of several the first:
    /// `g` and `r` for groups and runs with their fewest cards, such as `g3g3 g3r4`. After a `/` how many can play, and a letter for
    /// each rule that makes another game of the same cards.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub picture: String,
}

impl Info {
    /// How many seats a table is offered with: four at cards, three at Set, as far as the game is for so many.
    #[must_use]
    pub fn offered_seats(&self) -> u8 {
        let seats = if self.family == Family::Contract { 4 } else { 3 };
        seats.clamp(self.players_min, self.players_max.max(self.players_min))
    }
}

/// Ids of the built-in games, in the order of the rulebooks.
#[must_use]
pub fn presets() -> Vec<&'static str> {
    presets::ids()
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's shape
fn is_zero(n: &u16) -> bool {
    *n == 0
}

/// How many minutes people take for a match of a built-in game, about, for the usual number of players: as `lab::lengths` has measured it.
/// 0 if there is no such game.
#[must_use]
pub fn minutes(id: &str) -> u16 {
    let line = |line: &str| line.split_once(' ').filter(|(of, _)| *of == id)?.1.parse().ok();
    include_str!("minutes.txt").lines().find_map(line).unwrap_or_default()
}

/// The text of a built-in game's rule file, to copy and change.
#[must_use]
pub fn preset_text(id: &str) -> Option<&'static str> {
    presets::text(id).map(|preset| preset.text)
}

/// A built-in game without options.
///
/// # Errors
/// There is no such game.
pub fn preset(id: &str) -> Result<Loaded, Faults> {
    load(Source::Preset(id), None, &NoFiles)
}

/// What an expression comes to with `n` players and `d` packs (contract rulebook, 4.1); none where it divides by nothing, or
/// goes beyond the numbers there are.
///
/// # Errors
/// What is wrong with the text.
pub fn reckon(text: &str, n: i64, d: i64) -> Result<Option<i64>, Say> {
    expr::Expr::parse(text).map(|expr| expr.value(n, d))
}

/// What an option comes to with `n` players and `d` packs: a number, an expression, or steps by the number of players
/// (`[{ "upto": 5, "is": 2 }]`); none where it is none of these, or says nothing about so many.
#[must_use]
pub fn reckon_option(value: &serde_json::Value, n: i64, d: i64) -> Option<i64> {
    layer::Node::of_json(value).expression().ok()?.value(n, d)
}

/// Loads a game, with what a table's creator set on top: option names as in rule files, dotted or nested.
///
/// # Errors
/// Every fault at once.
pub fn load(source: Source<'_>, options: Option<&toml::Table>, files: &dyn Files) -> Result<Loaded, Faults> {
    let read =
        read(source, options, files).map_err(|fault| Faults { faults: vec![*fault], missing: true })?;
    read.loaded().map_err(|(_, faults)| Faults { faults, missing: false })
}

/// A game that was read, whether or not it can be played.
pub(crate) struct Read {
    book: Book,
    faults: Vec<Fault>,
    warnings: Vec<Fault>,
    players: (u8, u8),
}

impl Read {
    /// The game.
    ///
    /// # Errors
    /// What was read, and why it cannot be played.
    pub fn loaded(self) -> Result<Loaded, (Book, Vec<Fault>)> {
        let Read { book, faults, warnings, players } = self;
        if faults.is_empty() {
            Ok(Loaded { info: info(book.chain(), players.0, players.1), warnings, book })
        } else {
            Err((book, faults))
        }
    }
}

/// Reads and checks a game.
///
/// # Errors
/// The file itself is not there.
pub(crate) fn read(
    source: Source<'_>,
    options: Option<&toml::Table>,
    files: &dyn Files,
) -> Result<Read, Box<Fault>> {
    let mut faults = Found::default();
    let chain = Chain::read(source, options, files, &mut faults)?;
    let mut warnings = Found::default();
    let (book, players) = match chain.family {
        Family::Pattern => {
            let players = pattern_rules::check(&chain, &mut faults);
            (Book::Pattern(chain), players)
        }
        Family::Contract => {
            let book = contract_rules::Book::read(chain, &mut faults);
            book.check(&mut faults, &mut warnings);
            let players = book.allowed();
            (Book::Contract(Box::new(book)), players)
        }
    };
    Ok(Read { book, faults: faults.told(), warnings: warnings.told(), players })
}

fn info(chain: &Chain, players_min: u8, players_max: u8) -> Info {
    let text = |key: &str| chain.about(key).and_then(|node| node.as_text()).unwrap_or_default().to_owned();
    Info {
        id: text("id"),
        name: text("name").split_whitespace().collect::<Vec<_>>().join(" "),
        family: chain.family,
        summary: text("summary"),
        note: text("note"),
        difficulty: text("difficulty"),
        reconstruction: text("reconstruction"),
        base: chain.ids.iter().skip(1).cloned().collect(),
        players_min,
        players_max,
        minutes: 0,
        picture: String::new(),
    }
}
