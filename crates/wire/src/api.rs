//! What is asked over HTTP, beside the socket of a table: JSON bodies of requests and answers.
//! docs/protocol/openapi.json has all requests; they are listed in `tests/openapi.rs`, which makes it.
//!
//! Refusals carry a [`Problem`] and a status: 400 what was asked is wrong, 401 no name yet, 404 not there, 409 done already, 429 too
//! much at once, 503 not now. Where it is worth asking again soon, `Retry-After` says after how many seconds.

use game::Sentence;
use record::fair::Bytes32;
use rulebook::{Faults, Loaded, NoFiles, Source, house};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name of the cookie that tells a server which guest somebody is.
pub const COOKIE: &str = "parlour";

/// Longest name of a guest, in characters.
pub const NAME_MOST: usize = 24;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// One sentence for the person who asked, in English.
    pub error: String,
    /// The same for who has it in another language, as in the refusals of a table; none where it is said in English only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<game::Say>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Me {
    /// The guest's name; none for somebody without one, who may watch but not sit.
    pub name: Option<String>,
}

/// A name to be known by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// 1 to [`NAME_MOST`] characters that can be seen; spaces around it are dropped.
    pub name: String,
}

/// A table to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// What is played.
    pub game: GameChoice,
    /// Options by their names in the rulebook (`no_claim`, `take.seconds`), over those of the game.
    #[serde(default)]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// How many seats.
    pub seats: u8,
    /// Bots to sit down at once, by their kind ([`BotKind::kind`]), in the seats after the first.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Whether the lobby lists it; else it is reached by its link only.
    #[serde(default)]
    pub public: bool,
    /// Seconds of the pause between two rounds, at most: 0 for none, 20 where nothing is said. Only games that have rounds
    /// and no such pause in their rules make one: those of Contract Rummy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_s: Option<u8>,
}

impl NewTable {
    /// A table that is reached by its link only, of a game as it is and with its usual pause.
    #[must_use]
    pub fn private(game: GameChoice, seats: u8, bots: Vec<String>) -> NewTable {
        NewTable { game, options: serde_json::Map::new(), seats, bots, public: false, rest_s: None }
    }
}

/// What is played at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameChoice {
    /// A built-in game by its id, such as `set-classic`.
    Preset(String),
    /// A rule file's text.
    Rules(String),
}

/// House rules that families, clubs and books have published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedRules {
    /// Each of them.
    pub games: Vec<PublishedGame>,
}

/// A game of [`PublishedRules`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedGame {
    /// Its id, under which other languages have its name and summary.
    pub id: String,
    /// Its name, in English as its rule file has it.
    pub name: String,
    /// The game in a sentence, in English likewise.
    pub summary: String,
    /// The code that holds its rules: `/house/{code}` shows them.
    pub code: String,
}

impl GameChoice {
    /// Loads the game, with a table's options.
    ///
    /// # Errors
    /// If the options are none that a rule file could hold; within, what is wrong with the rules.
    pub fn load(
        &self,
        options: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Result<Loaded, Faults>, toml::ser::Error> {
        let options = toml::Table::try_from(options)?;
        let source = match self {
            GameChoice::Preset(id) => Source::Preset(id),
            GameChoice::Rules(text) => house::source(text),
        };
        Ok(rulebook::load(source, Some(&options), &NoFiles))
    }
}

/// A table that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableMade {
    /// Its id, which is all that the link of a private table keeps secret.
    pub id: String,
    /// The invite link: `/table/{id}` on this server.
    pub path: String,
}

/// Most tables in a page of the lobby.
pub const LOBBY_PAGE: usize = 50;

/// A page of the public tables that are open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lobby {
    /// At most [`LOBBY_PAGE`]: those with a free seat first, then the newest first.
    pub tables: Vec<TableSummary>,
    /// What to ask for the next page with, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A table as seen from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableSummary {
    /// Its id.
    pub id: String,
    /// Title of the game.
    pub title: String,
    /// The same for who has it in another language, by the key `preset.ID.name`; none where people named the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<game::Say>,
    /// Id of the preset that the game is, or is based on; empty for a game of its own.
    pub preset: String,
    /// Who sits where; none for a free seat.
    pub seats: Vec<Option<SeatSummary>>,
    /// Whether people gather, play, or have played.
    pub stage: crate::Stage,
    /// Whether the lobby lists it.
    pub public: bool,
    /// The day whose game is played here, as `2026-01-31`; none at any other table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Fewest and most who can play; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<(u8, u8)>,
}

impl TableSummary {
    /// Whether somebody can join: people gather there, and a seat is free.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.stage == crate::Stage::Lobby && self.seats.iter().any(Option::is_none)
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatSummary {
    /// Name of the guest or the bot.
    pub name: String,
    /// Whether it is a bot.
    pub bot: bool,
}

/// The matches that a guest has played, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedGames {
    /// The matches.
    pub games: Vec<PlayedGame>,
}

/// A match that a guest has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedGame {
    /// Id of the match.
    pub id: String,
    /// Id of its table, where it may still be open.
    pub table: String,
    /// Title of the game.
    pub title: String,
    /// The same as in [`TableSummary::say`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<game::Say>,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// Names by seat; of a bot its kind.
    pub players: Vec<String>,
    /// Where bots sit.
    #[serde(default)]
    pub bots: game::SeatSet,
    /// The guest's seat.
    pub seat: u8,
    /// Whether it has ended: then its record can be had.
    pub ended: bool,
    /// The result; none while it is on, and for a match that was ended by agreement.
    pub outcome: Option<game::Outcome>,
}

/// A link that takes one's seat on another device, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceLink {
    /// The whole link.
    pub url: String,
    /// Its QR code as an SVG picture.
    pub qr: String,
    /// Seconds for which it can be used.
    pub seconds: u32,
}

/// The last part of a [`DeviceLink`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceToken {
    /// What follows `/device/`.
    pub token: String,
}

/// What a [`DeviceLink`] would do to the browser that asks, so that its person can say yes or no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceOffer {
    /// Name of the guest whom it makes this browser.
    pub name: String,
    /// Name of the guest that this browser is now, who cannot be come back to from here afterwards; none if it is nobody, or
    /// the same guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<String>,
    /// Id of the table to go to, where this browser is that guest already: then there is nothing to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// Another device was joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceJoined {
    /// Id of the table to go to.
    pub table: String,
}

/// The games of a day: the same for everybody, from midnight to midnight UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Day {
    /// Which, as `2026-01-31`.
    pub date: String,
    /// Whether it is today: then a guest's first try is ranked.
    pub today: bool,
    /// The day before, unless it is too long ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The day after, unless it has not come yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The games.
    pub games: Vec<DayGame>,
}

/// One of a day's games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DayGame {
    /// Its id, such as `daily-puzzle`.
    pub game: String,
    /// Its name.
    pub name: String,
    /// What it is about, in a sentence.
    pub summary: String,
    /// How many have begun a ranked try.
    pub tries: u32,
    /// The table of the day: the best first, the first hundred.
    pub places: Vec<DayPlace>,
    /// The ranked try of whoever asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yours: Option<YourTry>,
    /// What is dealt in it: told an hour after its day. Then it can be played without a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<DayDeal>,
}

/// What all that chance decides in a game of a day follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DayDeal {
    /// What the chance is named by, such as `daily-puzzle/2026-01-31`.
    pub name: String,
    /// The seed.
    pub seed: Bytes32,
}

/// A line of a table of the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DayPlace {
    /// From 1; equal results share it.
    pub place: u32,
    /// Name of the guest.
    pub name: String,
    /// Milliseconds, with what errors add to them.
    pub millis: u32,
    /// Wrong claims.
    pub errors: u32,
    /// Whether it is whoever asks.
    pub you: bool,
}

/// One's own ranked try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct YourTry {
    /// Where it is, or was, played.
    pub table: String,
    /// Whether it has ended.
    pub over: bool,
    /// The place it won; none while it is on, and for one that did not reach its goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// Of those who reached the goal and are not this guest, how many in a hundred were slower, rounded down; none while there is nobody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slower: Option<u32>,
    /// On how many days in a row, up to this one, this guest has reached the goal.
    #[serde(default)]
    pub streak: u32,
    /// Text to show to others, which names no card; none while there is nothing to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Sentence>,
    /// How it went, to show to others as well: a square for each claim in order. A right one is green, within ten seconds of the one before,
    /// yellow, within thirty, or orange; a wrong one is red. Empty while there is nothing to tell.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub squares: String,
}

/// How a game of a day is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DayTry {
    /// For the table of the day: today only, and once. A ranked try that is on is gone back to.
    pub ranked: bool,
}

/// The built-in games, and the bots that play them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Games {
    /// In the order in which they are offered.
    pub games: Vec<rulebook::Info>,
    /// The kinds of bots, by family and level.
    pub bots: Vec<BotKind>,
}

/// A kind of bot that can be seated at tables of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BotKind {
    /// The family whose games it plays.
    pub family: rulebook::Family,
    /// What to ask for it with, in [`NewTable::bots`] and at a table: `easy`.
    pub kind: String,
    /// How well it plays: 1 as a beginner, 2 as somebody with experience, 3 as an expert; 0 moves at random, for tests.
    pub level: u8,
    /// Its name in records, with a version that changes when its play does: `easy/1`.
    pub name: String,
    /// How it plays, in a sentence.
    pub plays: String,
}

/// A built-in game in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameSheet {
    /// What is said about it.
    pub info: rulebook::Info,
    /// What may be set at its tables, in plain words, and what holds unless it is.
    pub options: Vec<OptionShown>,
    /// The rule file, to copy and change.
    pub rules: String,
    /// The rule sheet that a player reads, as Markdown in English.
    pub sheet: String,
    /// The same for who has its words in another language.
    #[serde(default)]
    pub told: rulebook::Sheet,
    /// Its rounds, to copy and change (contract family).
    #[serde(default)]
    pub rounds: Vec<rulebook::house::DraftRound>,
}

/// An option in plain words, as it has travelled.
pub type OptionShown = rulebook::OptionInfo<String, Vec<String>>;

/// Rules to be checked: can they be played?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesAsked {
    /// The game.
    pub game: GameChoice,
    /// Options over those of the game.
    #[serde(default)]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// For how many players.
    pub seats: u8,
}

/// What the check of some rules found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesChecked {
    /// Why so many cannot play it.
    pub faults: Vec<rulebook::house::Told>,
    /// What a table of so many players should know, such as how many takes a round needs (contract/A-44).
    pub notes: Vec<Sentence>,
}

/// House rules to be read: what they mean, and how they are passed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRules {
    /// The rules.
    pub rules: HouseRules,
    /// For how many players they are told.
    pub seats: u8,
}

/// House rules, in one of the forms in which they come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HouseRules {
    /// A game with some things otherwise.
    Draft(rulebook::house::Draft),
    /// The text of a rule file (TOML).
    File(String),
    /// A short code.
    Code(String),
}

impl ReadRules {
    /// What the rules mean.
    ///
    /// # Errors
    /// What is wrong with the code, if they came as one.
    pub fn answer(self) -> Result<RulesRead, game::Say> {
        let rules = match self.rules {
            HouseRules::Draft(draft) => draft.text(),
            HouseRules::File(text) => text,
            HouseRules::Code(code) => rulebook::unshare(&code).map_err(|why| why.say())?,
        };
        let meaning = house::meaning(&rules, self.seats);
        // What is longer than a file may be has no code that could be read again.
        let code = if rules.len() > rulebook::FILE_BYTES { String::new() } else { rulebook::share(&rules) };
        Ok(RulesRead { rules, code, meaning })
    }
}

/// House rules that were read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RulesRead {
    /// The rule file.
    pub rules: String,
    /// The short code for it.
    pub code: String,
    /// What they mean.
    pub meaning: rulebook::house::Meaning,
}
