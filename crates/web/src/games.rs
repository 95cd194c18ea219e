//! The built-in games as the app offers them. The server says which there are: the loader of rule files is its own, and
//! would weigh more here than the screens.

use crate::{api, dom, lang, t};
use rulebook::{Family, Info};
use serde::Deserialize;
use std::cell::OnceCell;
use std::cmp::Reverse;
use wire::api::{BotKind, GameChoice, GameSheet, Games};

const LIST: &str = "/api/games";

thread_local! {
    static ALL: OnceCell<Vec<Info>> = const { OnceCell::new() };
    static BOTS: OnceCell<Vec<BotKind>> = const { OnceCell::new() };
}

/// Asks the server which games there are; the app opens when it knows.
///
/// # Errors
/// A sentence for the person.
pub async fn fetch() -> Result<(), String> {
    let Games { mut games, bots } = api::get(LIST).await?;
    games.iter_mut().for_each(say);
    ALL.with(|all| _ = all.set(games));
    BOTS.with(|all| _ = all.set(bots));
    Ok(())
}

/// Asks the server which bots there are, where that is not known yet: a page that shows a table does not offer games.
///
/// # Errors
/// A sentence for the person.
pub async fn fetch_bots() -> Result<(), String> {
    #[derive(Deserialize)]
    struct Bots {
        bots: Vec<BotKind>,
    }
    if BOTS.with(|all| all.get().is_none()) {
        let Bots { bots } = api::get(LIST).await?;
        BOTS.with(|all| _ = all.set(bots));
    }
    Ok(())
}

/// The kinds of bots that people are offered for a family's games, the weakest first.
#[must_use]
pub fn bots(family: Family) -> Vec<String> {
    let offered = |bot: &&BotKind| bot.family == family && bot.level > 0;
    BOTS.with(|all| all.get().into_iter().flatten().filter(offered).map(|bot| bot.kind.clone()).collect())
}

/// What a kind of bot is called.
#[must_use]
pub fn bot_label(kind: &str) -> String {
    screen::people::bot_label(lang::PAGE, kind)
}

/// How a kind of bot plays, in a sentence; nothing of one that is not known. Its name may have a version (`easy/3`).
#[must_use]
pub fn bot_plays(family: Family, kind: &str) -> String {
    let kind = kind.split('/').next().unwrap_or(kind);
    if kind.parse::<u8>().is_ok() {
        return match family {
            Family::Pattern => t!("bot.plays_level"),
            Family::Contract => t!("bot.plays_between"),
        };
    }
    let of = match family {
        Family::Pattern => "pattern",
        Family::Contract => "contract",
    };
    let told = |all: &Vec<BotKind>| {
        all.iter().find(|bot| bot.family == family && bot.kind == kind).map(|bot| bot.plays.clone())
    };
    lang::look_up(&format!("plays.{of}_{kind}"))
        .or_else(|| BOTS.with(|all| all.get().and_then(told)))
        .unwrap_or_default()
}

/// What is said about every built-in game, in the order offered.
#[must_use]
pub fn all() -> Vec<Info> {
    ALL.with(|all| all.get().cloned().unwrap_or_default())
}

/// Where the games stand that were begun here, by their ids: once for each time, the latest last.
const BEGUN: &str = "parlour.begun";
/// Times that are remembered.
const REMEMBERED: usize = 50;

fn all_begun() -> Vec<String> {
    let begun: String = dom::load(BEGUN).unwrap_or_default();
    begun.split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// Puts down that a game was begun.
pub fn begun(game: &GameChoice) {
    let GameChoice::Preset(id) = game else { return };
    let mut begun = all_begun();
    begun.push(id.clone());
    begun.drain(..begun.len().saturating_sub(REMEMBERED));
    dom::store(BEGUN, &begun.join(" "));
}

/// The games with those that were begun here first, the most often begun before all; and how many those are.
#[must_use]
pub fn favourites_first() -> (Vec<Info>, usize) {
    let begun = all_begun();
    let times = |info: &Info| begun.iter().filter(|id| **id == info.id).count();
    let mut games = all();
    games.sort_by_key(|info| Reverse(times(info)));
    let count = games.iter().filter(|info| times(info) > 0).count();
    (games, count)
}

/// A built-in game in full: its options and its rule sheet.
///
/// # Errors
/// A sentence for the person.
pub async fn sheet(id: &str) -> Result<GameSheet, String> {
    if !all().iter().any(|game| game.id == id) {
        return Err(t!("net.unknown_game", game = id));
    }
    let mut sheet: GameSheet = api::get(&format!("/api/games/{id}")).await?;
    say(&mut sheet.info);
    Ok(sheet)
}

/// Says what is said about a built-in game in the language of the page, as far as it is said there.
fn say(info: &mut Info) {
    let put = |text: &mut String, key: &str| {
        if let Some(said) = lang::look_up(key) {
            *text = said;
        }
    };
    put(&mut info.name, &format!("preset.{}.name", info.id));
    put(&mut info.summary, &format!("preset.{}.summary", info.id));
}

/// For how many players: "2 to 8 players".
#[must_use]
pub fn players(info: &Info) -> String {
    if info.players_min == info.players_max {
        t!("game.players_one", n = info.players_min)
    } else {
        t!("game.players", min = info.players_min, max = info.players_max)
    }
}

/// What may be looked for, the easiest first, by a word for it: the words in which games say how hard they are (pattern/Q-29).
pub const DIFFICULTIES: [(&str, &[&str]); 3] = [
    ("easy", &["very easy", "easy"]),
    ("medium", &["medium", "intermediate"]),
    ("hard", &["challenging", "hard", "hardest"]),
];

/// A word for how hard a game is, in the language of the page.
#[must_use]
pub fn difficulty(word: &str) -> String {
    lang::look_up(&format!("difficulty.{word}")).unwrap_or_else(|| word.to_owned())
}

/// About how long people take for a match of a game; nothing where that is not known.
#[must_use]
pub fn minutes(info: &Info) -> Option<String> {
    (info.minutes > 0).then(|| t!("game.minutes", n = info.minutes))
}
