//! A rule file with everything it is based on, and the table's options on top: what is set where, base first.

use crate::bounds::shown;
use crate::fault::{Fault, Found, OPTIONS, Place, nearest};
use crate::keys;
use crate::layer::{self, Node, Value};
use crate::schema::ABOUT;
use crate::{Family, Files, Source, presets};
use game::option::Row;
use game::{Say, say};
use std::sync::Arc;

/// Most files under one another.
const DEPTH: usize = 4;

/// Letters of a game's name at most.
const MOST_NAME: usize = 80;

/// One file of the chain, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub file: Arc<str>,
    /// What is said about the file itself: `id`, `name`, ...
    pub about: Vec<(String, Node)>,
    /// Options, by dotted name, in the order of the file.
    pub set: Vec<(&'static Row, Node)>,
    /// The list of rounds, where the file has one.
    pub rounds: Option<Node>,
    /// Whether these are the options of a table's creator.
    pub creator: bool,
}

/// The whole chain.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub family: Family,
    /// Base first, the options last.
    pub layers: Vec<Layer>,
    /// Ids of the files, the file itself first, then its base and so on.
    pub ids: Vec<String>,
}

impl Chain {
    /// Reads a file and all it is based on. Faults are collected; what can be read is returned all the same.
    pub fn read(
        source: Source<'_>,
        options: Option<&toml::Table>,
        files: &dyn Files,
        faults: &mut Found,
    ) -> Result<Chain, Box<Fault>> {
        let (file, text) = open(source, None, files).map_err(|reason| {
            let place = Place { file: source.name().into(), line: None };
            Box::new(Fault { place, check: "V1", reason, remedy: Say::default() })
        })?;
        let mut nodes = Vec::new();
        let mut ids = Vec::new();
        let mut next = Some((file, text));
        while let Some((file, text)) = next.take() {
            let node = match layer::read(&file, &text) {
                Ok(node) => node,
                Err(wrong) => {
                    faults.extend(wrong);
                    break;
                }
            };
            let entries = entries(&node);
            let text_of = |key: &str| {
                entries
                    .iter()
                    .find(|(k, _)| k == key)
                    .and_then(|(_, v)| Some((v.as_text()?.to_owned(), v.place.clone())))
            };
            ids.push(text_of("id").map_or_else(|| file.to_string(), |(id, _)| id));
            if let Some((base, place)) = text_of("base").or_else(|| text_of("extends")) {
                let fault =
                    |reason: Say, remedy: Say| Fault { place: place.clone(), check: "V1", reason, remedy };
                if ids.last() == Some(&base) {
                    faults
                        .push(fault(say!("fault.based_on_itself", id = shown(&base)), say!("remedy.own_id")));
                } else if ids.contains(&base) {
                    let round = ids.iter().rev().take_while(|id| **id != base).count();
                    let mut way: Vec<&str> =
                        ids[ids.len() - 1 - round..].iter().map(String::as_str).collect();
                    way.push(&base);
                    faults.push(fault(say!("fault.circle", way = way.join(" -> ")), say!("remedy.circle")));
                } else if ids.len() > DEPTH {
                    faults.push(fault(say!("fault.long_chain", n = DEPTH), say!("remedy.long_chain")));
                } else {
                    match open(Source::Preset(&base), Some(&file), files) {
                        Ok(found) => next = Some(found),
                        Err(_) => faults.push(fault(
                            say!("fault.no_base", id = shown(&base)),
                            match nearest(&base, presets::ids()) {
                                Some(meant) => say!("remedy.meant", name = meant),
                                None => say!("remedy.no_base"),
                            },
                        )),
                    }
                }
            }
            nodes.push((file, node));
        }
        nodes.reverse();
        let family = family(&nodes, faults);
        let mut layers: Vec<Layer> =
            nodes.iter().map(|(file, node)| take_apart(file, node, family, false, faults)).collect();
        if let Some(options) = options {
            let file: Arc<str> = OPTIONS.into();
            match layer::from_toml(&file, &toml::Value::Table(options.clone())) {
                Ok(node) => layers.push(take_apart(&file, &node, family, true, faults)),
                Err(fault) => faults.push(*fault),
            }
        }
        Ok(Chain { family, layers, ids })
    }

    /// What an option is set to, by the last layer that sets it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.layers.iter().rev().find_map(|layer| layer.get(key))
    }

    /// The file itself.
    pub fn own(&self) -> Option<&Layer> {
        self.layers.iter().rev().find(|layer| !layer.creator)
    }

    /// What the file says about itself.
    pub fn about(&self, key: &str) -> Option<&Node> {
        self.own()?.about.iter().find(|(k, _)| k == key).map(|(_, node)| node)
    }

    /// V1: the file's id and name.
    pub fn check_about(&self, faults: &mut Found) {
        let Some(own) = self.own() else { return };
        let mut fault = |place: &Place, reason: Say, remedy: Say| {
            faults.push(Fault { place: place.clone(), check: "V1", reason, remedy });
        };
        let file = Place { file: own.file.clone(), line: None };
        for (key, line) in [("id", "id = \"my-game\""), ("name", "name = \"My game\"")] {
            if self.about(key).is_none() {
                fault(&file, say!("fault.missing", key = key), say!("remedy.write", what = line));
            }
        }
        if let Some((node, name)) = self.about("name").and_then(|node| Some((node, node.as_text()?)))
            && (name.trim().is_empty() || name.chars().count() > MOST_NAME)
        {
            let empty = name.trim().is_empty();
            let reason = if empty { say!("fault.name_empty") } else { say!("fault.name_long") };
            fault(&node.place, reason, say!("remedy.name", n = MOST_NAME));
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if let Some((node, id)) = self.about("id").and_then(|node| Some((node, node.as_text()?)))
            && (id.is_empty() || id.len() > MOST_NAME || !id.chars().all(plain))
        {
            let reason = say!("fault.is", key = "id", value = node.text());
            fault(&node.place, reason, say!("remedy.id", n = MOST_NAME));
        }
    }
}

impl Layer {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.set.iter().rev().find(|(k, _)| k.key == key).map(|(_, node)| node)
    }
}

fn entries(node: &Node) -> &[(String, Node)] {
    if let Value::Table(entries) = &node.value { entries } else { &[] }
}

/// Why a file was not read, as whoever reads files said it.
fn unread(why: String) -> Say {
    say!("fault.other", why = why)
}

/// The text of a preset, or of a file; a base that is no preset may lie beside the file that names it.
fn open(source: Source<'_>, beside: Option<&str>, files: &dyn Files) -> Result<(Arc<str>, String), Say> {
    match source {
        Source::Text { name, text } => Ok((name.into(), text.to_owned())),
        Source::File(path) => Ok((path.into(), files.read(path).map_err(unread)?)),
        Source::Preset(id) => {
            if let Some(preset) = presets::text(id) {
                return Ok((preset.file.into(), preset.text.to_owned()));
            }
            let plain =
                !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            if let (Some(beside), true) = (beside, plain) {
                let folder = beside.rfind('/').map_or("", |at| &beside[..=at]);
                let path = format!("{folder}{id}.toml");
                return Ok((path.as_str().into(), files.read(&path).map_err(unread)?));
            }
            Err(match nearest(id, presets::ids()) {
                Some(meant) => say!("fault.unknown_game_meant", id = shown(id), meant = meant),
                None => say!("fault.unknown_game", id = shown(id)),
            })
        }
    }
}

/// The family: as the root of the chain says, or as its keys tell.
fn family(nodes: &[(Arc<str>, Node)], faults: &mut Found) -> Family {
    for (_, node) in nodes {
        if let Some((_, said)) = entries(node).iter().find(|(key, _)| key == "family") {
            match said.as_text() {
                Some("pattern") => return Family::Pattern,
                Some("contract") => return Family::Contract,
                _ => faults.push(Fault {
                    place: said.place.clone(),
                    check: "V1",
                    reason: say!("fault.is", key = "family", value = said.text()),
                    remedy: say!("remedy.family"),
                }),
            }
        }
    }
    // No file says it: the keys tell. Only the contract family groups its options, and has rounds.
    let root = nodes.first().map_or(&[][..], |(_, node)| entries(node));
    let contract = |(key, node): &(String, Node)| {
        key == "round"
            || key != "players"
                && (keys::find(Family::Contract.rows(), key).is_some()
                    || keys::is_group(Family::Contract.rows(), key) && matches!(node.value, Value::Table(_)))
    };
    let pattern = |(key, node): &(String, Node)| {
        keys::find(Family::Pattern.rows(), key).is_some() && !(key == "base" && node.as_text().is_some())
    };
    if !root.iter().any(contract) && root.iter().any(pattern) { Family::Pattern } else { Family::Contract }
}

/// Sorts the keys of a file; what is not known or not of the right type is a fault.
fn take_apart(file: &Arc<str>, node: &Node, family: Family, creator: bool, faults: &mut Found) -> Layer {
    let mut layer = Layer { file: file.clone(), about: Vec::new(), set: Vec::new(), rounds: None, creator };
    for (key, node) in entries(node) {
        let cards = family == Family::Pattern && key == "base" && node.as_text().is_none();
        if !creator && !cards && ABOUT.iter().any(|(about, _)| about == key) {
            let right = if key == "schema" { node.value == Value::Int(1) } else { node.as_text().is_some() };
            if right {
                layer.about.push((key.clone(), node.clone()));
            } else {
                faults.push(Fault {
                    place: node.place.clone(),
                    check: "V1",
                    reason: say!("fault.is", key = key.clone(), value = node.text()),
                    remedy: if key == "schema" {
                        say!("remedy.write", what = "`schema = 1`")
                    } else {
                        say!("remedy.text")
                    },
                });
            }
        } else if !creator && family == Family::Contract && key == "round" {
            layer.rounds = Some(node.clone());
        } else {
            settings(key, node, family, creator, &mut layer.set, faults);
        }
    }
    layer
}

/// Reads `key = value` where the key may be a group (`take = { .. }`) or dotted (`"take.on"`).
pub(crate) fn settings(
    key: &str,
    node: &Node,
    family: Family,
    creator: bool,
    set: &mut Vec<(&'static Row, Node)>,
    faults: &mut Found,
) {
    if faults.is_full() {
        return;
    }
    let known = family.rows();
    let fault = |reason: Say, remedy: Say| Fault { place: node.place.clone(), check: "V1", reason, remedy };
    if let Some(found) = keys::find(known, key) {
        let read = matches!(found.kind, keys::OptionType::Values).then(|| crate::card_values::written(node));
        let node = read.as_ref().unwrap_or(node);
        if let Err((reason, remedy)) = crate::check::value(found, node, family, creator) {
            faults.push(fault(reason, remedy));
        } else if set.iter().any(|(k, _)| k.key == key) {
            faults.push(fault(say!("fault.given_twice", key = key.to_owned()), say!("remedy.given_twice")));
        } else {
            let node = node.clone();
            let number =
                if let keys::OptionType::Expr { .. } = found.kind { node.expression().ok() } else { None };
            set.push((found, number.into_iter().fold(node, Node::reckoned)));
        }
    } else if let (true, Value::Table(entries)) = (keys::is_group(known, key), &node.value) {
        for (rest, inner) in entries {
            settings(&format!("{key}.{rest}"), inner, family, creator, set, faults);
        }
    } else if let Some((head, tail, values)) = part_of_table(known, key) {
        // `score.values.JK = 25` arrives here as one dotted text: `"score.values.JK" = 25`.
        let whole = Node::new(node.place.clone(), Value::Table(vec![(tail.to_owned(), node.clone())]));
        if let Some((_, earlier)) = set.iter_mut().find(|(k, _)| k.key == head)
            && let Value::Table(entries) = &mut earlier.value
        {
            entries.push((tail.to_owned(), node.clone()));
            let checked = crate::check::value(values, &whole, family, creator);
            if let Err((reason, remedy)) =
                checked.and_then(|()| crate::check::value(values, earlier, family, creator))
            {
                faults.push(fault(reason, remedy));
            }
        } else {
            settings(head, &whole, family, creator, set, faults);
        }
    } else if keys::is_group(known, key) {
        let members: Vec<&str> =
            known.iter().filter_map(|k| k.key.strip_prefix(key)?.strip_prefix('.')).collect();
        faults.push(fault(
            say!("fault.is_group", key = key.to_owned(), sort = node.sort()),
            say!("remedy.is_group", key = key.to_owned(), first = members[0], members = members.join(", ")),
        ));
    } else {
        let about = if creator { &[] } else { ABOUT };
        let round = (!creator && family == Family::Contract).then_some("round");
        let names = known.iter().map(|k| k.key).chain(about.iter().map(|(k, _)| *k)).chain(round);
        faults.push(fault(
            say!("fault.unknown", key = shown(key)),
            match nearest(key, names) {
                Some(meant) => say!("remedy.meant", name = meant),
                None => say!("remedy.unknown"),
            },
        ));
    }
}

/// Splits `score.values.JK` into the option, the rest, and the option's entry.
fn part_of_table<'a>(known: &'static [Row], key: &'a str) -> Option<(&'static str, &'a str, &'static Row)> {
    known
        .iter()
        .filter(|k| matches!(k.kind, keys::OptionType::Values | keys::OptionType::Schedule))
        .find_map(|k| Some((k.key, key.strip_prefix(k.key)?.strip_prefix('.')?, k)))
}
