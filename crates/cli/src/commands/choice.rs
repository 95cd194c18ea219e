//! A game as people name it on a command line, with options for its table.

use super::lab::Disk;
use anyhow::{Context, Result, anyhow, bail};
use rulebook::{Loaded, Source};
use serde_json::{Map, Value};
use wire::api::GameChoice;

/// The game of a name or a rule file, as a server would be asked for it, and loaded; with its options (`NAME=VALUE`).
pub fn of(game: &str, options: &[String]) -> Result<(GameChoice, Loaded, Map<String, Value>)> {
    let options = self::options(options)?;
    let preset = rulebook::preset_text(game).is_some();
    if !preset && !std::path::Path::new(game).exists() {
        bail!("`{game}` is neither a game nor a file of rules: `parlour rules list` has the games");
    }
    let source = if preset { Source::Preset(game) } else { Source::File(game) };
    let loaded = rulebook::load(source, Some(&options), &Disk).map_err(|faults| anyhow!("{faults}"))?;
    let choice = if preset {
        GameChoice::Preset(game.to_owned())
    } else {
        GameChoice::Rules(std::fs::read_to_string(game).with_context(|| format!("{game} cannot be read"))?)
    };
    let Value::Object(options) = serde_json::to_value(&options)? else { bail!("options are pairs") };
    Ok((choice, loaded, options))
}

/// `NAME=VALUE`, values as in rule files; a bare word is a text.
fn options(given: &[String]) -> Result<toml::Table> {
    let mut table = toml::Table::new();
    for option in given {
        let (name, value) = option
            .split_once('=')
            .with_context(|| format!("--option {option}: write NAME=VALUE, such as settle_ms=0"))?;
        let (name, value) = (name.trim(), value.trim());
        let text = format!("value = {value}");
        let value = text.parse::<toml::Table>().ok().and_then(|mut table| table.remove("value"));
        let bare = || toml::Value::String(text["value = ".len()..].to_owned());
        table.insert(name.to_owned(), value.unwrap_or_else(bare));
    }
    Ok(table)
}
