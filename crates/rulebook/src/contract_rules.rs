//! Contract rule files: what a chain of files comes to, round by round (contract rulebook, 4.4).

mod check;
mod contracts;
mod make;

use crate::Family;
use crate::bounds::shown;
use crate::card_values::CardValues;
use crate::chain::{self, Chain};
use crate::fault::{Fault, Found, Place};
use crate::layer::{Node, Value};
use contract::options::OPTIONS;
use contract::rules::Choice;
use game::option::Row;
use game::{Say, say};
use std::sync::OnceLock;

/// Cards that must be left in the stock after the deal (V2).
pub(crate) const STOCK: i64 = 20;
/// Rounds of a file at most.
const MOST_ROUNDS: usize = 64;
/// Melds in a contract at most.
const MOST_SLOTS: usize = 12;
/// Ways to read a contract at most: its alternatives, times the choices in their slots.
const MOST_WAYS: usize = 64;

/// How rounds look in a file, and one of them.
const ROUNDS: &str = "round = [{ contract = [\"G3\", \"G3\"] }, ..]";
const ROUND: &str = "{ contract = [\"G3\", \"R4\"] }";

/// One round, read.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub place: Place,
    /// Number in the file, from 1.
    pub number: usize,
    /// The contract, or several to choose from.
    pub contracts: Vec<Vec<Choice>>,
    pub deal: Option<Node>,
    pub label: Option<String>,
    pub set: Vec<(&'static Row, Node)>,
    /// The contract as written.
    pub written: Node,
}

impl Round {
    /// What it sets an option to.
    fn get(&self, key: &str) -> Option<&Node> {
        self.set.iter().rev().find(|(row, _)| row.key == key).map(|(_, node)| node)
    }
}

/// Everything a chain of contract files says.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub chain: Chain,
    pub rounds: Vec<Round>,
    /// Points of every face, by its index, in rounds without values of their own, once it was asked for.
    values: OnceLock<serde_json::Value>,
}

/// What a number may come to.
fn range(key: &str) -> (i64, i64) {
    crate::keys::find(OPTIONS, key).and_then(Row::range).expect("it is a number")
}

fn default(key: &str) -> &'static Node {
    &Family::Contract.defaults()[key]
}

impl Book {
    pub fn read(chain: Chain, faults: &mut Found) -> Book {
        let node = chain.layers.iter().rev().find_map(|layer| layer.rounds.as_ref());
        let rounds = match node.map(|node| (&node.value, node)) {
            Some((Value::Array(items), node)) if items.len() > MOST_ROUNDS => {
                faults.push(Fault {
                    place: node.place.clone(),
                    check: "V1",
                    reason: say!("fault.many_rounds", n = items.len()),
                    remedy: say!("remedy.most", n = MOST_ROUNDS),
                });
                Vec::new()
            }
            Some((Value::Array(items), _)) if !items.is_empty() => {
                let rounds = items.iter().enumerate().filter_map(|(n, item)| round(n + 1, item, faults));
                rounds.collect()
            }
            Some((_, node)) => {
                faults.push(Fault {
                    place: node.place.clone(),
                    check: "V1",
                    reason: say!("fault.is", key = "round", value = node.text()),
                    remedy: say!("remedy.write_rounds", toml = ROUNDS),
                });
                Vec::new()
            }
            None => {
                // Where a base is missing, its rounds are too.
                if let Some(own) = chain.own().filter(|_| faults.is_empty()) {
                    faults.push(Fault {
                        place: Place { file: own.file.clone(), line: None },
                        check: "V1",
                        reason: say!("fault.no_rounds"),
                        remedy: say!("remedy.no_rounds", toml = ROUNDS),
                    });
                }
                Vec::new()
            }
        };
        Book { chain, rounds, values: OnceLock::new() }
    }

    /// What an option is set to in a round (all rounds if none), and where: options of the table over the round's own,
    /// over the files, over the defaults.
    pub fn get<'r>(&'r self, key: &str, round: Option<&'r Round>) -> &'r Node {
        let creator = self.chain.layers.iter().filter(|layer| layer.creator).find_map(|layer| layer.get(key));
        let of_round = || round.and_then(|round| round.get(key));
        // A whole-hand round is one only with its own size and way out (V6): a table does not undo that.
        let pinned = matches!(key, "meld.size" | "out.discard")
            && of_round().is_some()
            && round.is_some_and(|round| self.bool("meld.all", Some(round)));
        creator
            .filter(|_| !pinned)
            .or_else(of_round)
            .or_else(|| {
                self.chain.layers.iter().rev().filter(|l| !l.creator).find_map(|layer| layer.get(key))
            })
            .unwrap_or_else(|| default(key))
    }

    pub fn bool(&self, key: &str, round: Option<&Round>) -> bool {
        self.get(key, round).value == Value::Bool(true)
    }

    pub fn int(&self, key: &str, round: Option<&Round>) -> i64 {
        if let Value::Int(n) = self.get(key, round).value { n } else { 0 }
    }

    pub fn text<'r>(&'r self, key: &str, round: Option<&'r Round>) -> &'r str {
        self.get(key, round).as_text().unwrap_or_default()
    }

    /// A list of texts; a plain text is one letter each.
    pub fn texts(&self, key: &str, round: Option<&Round>) -> Vec<String> {
        match &self.get(key, round).value {
            Value::Array(items) => items.iter().filter_map(|i| i.as_text().map(str::to_owned)).collect(),
            Value::Text(text) => text.chars().map(String::from).collect(),
            _ => Vec::new(),
        }
    }

    /// What an expression comes to for `n` players.
    fn number(&self, key: &str, round: Option<&Round>, n: i64) -> Option<i64> {
        let decks = if key == "deck.decks" { 0 } else { self.number("deck.decks", None, n)? };
        self.get(key, round).number()?.value(n, decks)
    }

    pub fn decks(&self, n: i64) -> i64 {
        self.number("deck.decks", None, n).unwrap_or(0)
    }

    pub fn jokers(&self, n: i64) -> i64 {
        self.number("deck.jokers", None, n).unwrap_or(0)
    }

    /// Cards dealt to each of `n` players in a round.
    pub fn hand(&self, round: &Round, n: i64) -> i64 {
        let decks = self.decks(n);
        match &round.deal {
            Some(node) => node.number().and_then(|number| number.value(n, decks)).unwrap_or(0),
            None => self.number("deal.cards", Some(round), n).unwrap_or(0),
        }
    }

    /// Cards of the pack with `n` players.
    pub fn pack(&self, n: i64) -> i64 {
        let faces = self.texts("deck.suits", None).len() * self.texts("deck.ranks", None).len();
        self.decks(n) * faces as i64 + self.jokers(n)
    }

    /// Numbers of players the game allows.
    pub fn players(&self) -> std::ops::RangeInclusive<i64> {
        self.int("players.min", None)..=self.int("players.max", None)
    }

    /// The rounds that are played.
    pub fn played(&self) -> Vec<&Round> {
        match &self.get("game.rounds", None).value {
            Value::Array(items) => self
                .rounds
                .iter()
                .filter(|round| items.iter().any(|i| i.value == Value::Int(round.number as i64)))
                .collect(),
            _ => self.rounds.iter().collect(),
        }
    }

    /// Cards a round's contract needs, that of the cheapest alternative, and one to discard where that is a must.
    pub fn need(&self, round: &Round) -> i64 {
        let discard =
            self.text("out.discard", Some(round)) == "required" && !self.bool("meld.all", Some(round));
        let least = |contract: &Vec<Choice>| -> i64 {
            contract
                .iter()
                .map(|choice| choice.0.iter().map(|slot| i64::from(slot.size)).min().unwrap_or(0))
                .sum()
        };
        round.contracts.iter().map(least).min().unwrap_or(0) + i64::from(discard)
    }

    /// How many takes a round needs before its contract can be laid, with `n` players; none if it never can.
    pub fn takes_needed(&self, round: &Round, n: i64) -> Option<i64> {
        let short = self.need(round) - (self.hand(round, n) + self.int("draw.cards", Some(round)));
        let piles = self.int("draw.pile", Some(round)) != 1;
        if short <= 0 || piles || self.text("draw.mode", Some(round)) == "push" {
            return Some(0); // a push grows hands by itself, and so does a draw of several discards
        }
        let limit = if !self.bool("take.on", Some(round)) {
            0
        } else {
            match self.int("take.limit", Some(round)) {
                0 => i64::MAX,
                limit => limit,
            }
        };
        let each = 1 + self.int("take.penalty", Some(round));
        let takes = (short + each - 1) / each;
        (takes <= limit).then_some(takes)
    }

    /// How near to the player the file of a setting is; none for a default.
    fn depth(&self, node: &Node) -> Option<usize> {
        self.chain.layers.iter().position(|layer| layer.file == node.place.file)
    }

    /// The settings of some options, of the match and of the rounds.
    fn everywhere(&self, wanted: &[&'static str]) -> Vec<(&'static str, &Node)> {
        let mut found: Vec<(&'static str, &Node)> =
            wanted.iter().map(|key| (*key, self.get(key, None))).collect();
        for round in &self.rounds {
            found.extend(
                round.set.iter().filter(|(k, _)| wanted.contains(&k.key)).map(|(k, node)| (k.key, node)),
            );
        }
        found
    }

    /// The numbers of players that are allowed. Where a table's creator widened them, only as far as V2 holds.
    pub fn allowed(&self) -> (u8, u8) {
        let players = self.players();
        let most = if self.widened() {
            players.clone().rev().find(|&n| self.leaves_enough(n)).unwrap_or(*players.start())
        } else {
            *players.end()
        };
        (*players.start() as u8, most as u8)
    }

    /// Whether a table's creator allows more players than the file.
    fn widened(&self) -> bool {
        const CAUSES: [&str; 4] = ["players.max", "deck.decks", "deck.jokers", "deal.cards"];
        self.chain.layers.iter().any(|l| l.creator && CAUSES.iter().any(|key| l.get(key).is_some()))
    }

    /// Whether enough is left in the stock with `n` players (V2).
    pub fn leaves_enough(&self, n: i64) -> bool {
        self.rounds.iter().all(|round| n * self.hand(round, n) < self.pack(n) - STOCK)
    }

    /// How many takes a round needs, for the table to show.
    pub fn notes(&self, n: i64) -> Vec<Say> {
        self.played()
            .into_iter()
            .filter_map(|round| {
                let takes = self.takes_needed(round, n).filter(|takes| *takes > 0)?;
                let label = self.text("take.label", Some(round));
                Some(if takes == 1 {
                    say!("rule.contract.note.take", round = round.number, name = label.to_string())
                } else {
                    say!(
                        "rule.contract.note.takes",
                        round = round.number,
                        n = takes,
                        name = label.to_string()
                    )
                })
            })
            .collect()
    }

    /// What cards count in a round: what a table's creator set, then the round's own, then the files, the most derived first.
    fn card_values<'a>(&'a self, pack: &'a cards::Pack, round: Option<&'a Round>) -> CardValues<'a> {
        let of = |creator: bool| {
            let layers = self.chain.layers.iter().rev().filter(move |layer| layer.creator == creator);
            layers.filter_map(|layer| layer.get("score.values"))
        };
        let files = of(true).chain(round.and_then(|round| round.get("score.values"))).chain(of(false));
        let rook = self.chain.get("deck.ranks").is_some();
        // The defaults are written for the ordinary pack; another pack has to say its own values.
        let default = (!rook).then(|| default("score.values"));
        CardValues::read(files.chain(default), pack)
    }

    /// How one pack is made up.
    pub fn pack_faces(&self) -> cards::Pack {
        cards::Pack { suits: self.texts("deck.suits", None), ranks: self.texts("deck.ranks", None) }
    }

    /// Ranks that are wild in some round.
    fn wild_ranks(&self) -> Vec<String> {
        let lists = self.everywhere(&["wild.ranks"]);
        let items = lists.iter().filter_map(|(_, node)| match &node.value {
            Value::Array(items) => Some(items),
            _ => None,
        });
        items.flatten().filter_map(|item| item.as_text().map(str::to_owned)).collect()
    }
}

fn round(number: usize, node: &Node, faults: &mut Found) -> Option<Round> {
    let of_round = |reason: Say| say!("fault.round", round = number, reason = reason);
    let wrong = |place: &Place, reason: Say, remedy: Say| Fault {
        place: place.clone(),
        check: "V1",
        reason: of_round(reason),
        remedy,
    };
    let Value::Table(entries) = &node.value else {
        let reason = say!("fault.round_is", value = node.text());
        faults.push(wrong(&node.place, reason, say!("remedy.write", what = ROUND)));
        return None;
    };
    let mut round = Round {
        place: node.place.clone(),
        number,
        contracts: Vec::new(),
        deal: None,
        label: None,
        set: Vec::new(),
        written: node.clone(),
    };
    for (key, value) in entries {
        let place = &value.place;
        match (key.as_str(), &value.value) {
            ("contract", _) => {
                round.written = value.clone();
                match contracts(value) {
                    Ok(read) if read.iter().any(|slots| slots.len() > MOST_SLOTS) => {
                        let remedy = say!("remedy.most", n = MOST_SLOTS);
                        faults.push(wrong(place, say!("fault.many_melds"), remedy));
                    }
                    Ok(read) if ways(&read) > MOST_WAYS => faults.push(wrong(
                        place,
                        say!("fault.many_ways"),
                        say!("remedy.many_ways", n = MOST_WAYS),
                    )),
                    Ok(read) => round.contracts = read,
                    Err((place, reason)) => {
                        let check = if asks_for_pair(&reason) { "V4" } else { "V1" };
                        faults.push(Fault { check, ..wrong(&place, reason, say!("remedy.slots")) });
                    }
                }
            }
            ("deal", _) => match value.expression() {
                Ok(number) => round.deal = Some(value.clone().reckoned(number)),
                Err(why) => {
                    let reason = say!("fault.expression", key = "deal", why = why);
                    faults.push(wrong(place, reason, say!("remedy.deal")));
                }
            },
            ("label", Value::Text(text)) => {
                // As the house rules page writes it: no blanks around it, and none at all is no label.
                round.label = Some(text.trim().to_owned()).filter(|label| !label.is_empty());
            }
            ("set", Value::Table(inner)) => {
                let mut found = Found::default();
                for (key, value) in inner {
                    chain::settings(key, value, Family::Contract, false, &mut round.set, &mut found);
                }
                faults.extend(found.told().into_iter().map(|f| Fault { reason: of_round(f.reason), ..f }));
                round.set.retain(|(key, value)| {
                    let whole = key.whole_match;
                    if whole {
                        faults.push(wrong(
                            &value.place,
                            say!("fault.whole_match", key = key.key),
                            say!("remedy.whole_match"),
                        ));
                    }
                    !whole
                });
            }
            ("label", _) => {
                let reason = say!("fault.is", key = "label", value = value.text());
                faults.push(wrong(place, reason, say!("remedy.label")));
            }
            ("set", _) => {
                let reason = say!("fault.is", key = "set", value = value.text());
                let remedy = say!("remedy.write", what = "set = { \"take.on\" = true }");
                faults.push(wrong(place, reason, remedy));
            }
            _ => {
                let reason = say!("fault.unknown", key = shown(key));
                faults.push(wrong(place, reason, say!("remedy.round_keys")));
            }
        }
    }
    if !entries.iter().any(|(key, _)| key == "contract") {
        faults.push(wrong(
            &node.place,
            say!("fault.no_contract"),
            say!("remedy.write", what = "contract = [\"G3\", \"R4\"]"),
        ));
    }
    Some(round)
}

/// In how many ways a contract can be read: its alternatives, times the choices in their slots.
fn ways(contracts: &[Vec<Choice>]) -> usize {
    let of = |slots: &Vec<Choice>| slots.iter().fold(1usize, |n, choice| n.saturating_mul(choice.0.len()));
    contracts.iter().fold(0, |n, slots| n.saturating_add(of(slots)))
}

/// Whether it is a slot for a pair that is wrong.
fn asks_for_pair(reason: &Say) -> bool {
    let slot = reason.values.0.iter().find(|(name, _)| name == "slot");
    slot.is_some_and(|(_, slot)| matches!(slot, game::Value::Text(text) if text.starts_with('P')))
}

/// Reads a contract: slots, or a list of alternative lists of slots.
fn contracts(node: &Node) -> Result<Vec<Vec<Choice>>, (Place, Say)> {
    let Value::Array(items) = &node.value else {
        return Err((node.place.clone(), say!("fault.contract_is", value = node.text())));
    };
    if items.is_empty() {
        return Err((node.place.clone(), say!("fault.empty_contract")));
    }
    if items.iter().all(|item| matches!(item.value, Value::Array(_))) {
        return Ok(items
            .iter()
            .map(contracts)
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect());
    }
    let slots = items
        .iter()
        .map(|item| {
            let text = item
                .as_text()
                .ok_or_else(|| (item.place.clone(), say!("fault.value_no_slot", value = item.text())))?;
            if shown(text).len() < text.len() {
                return Err((item.place.clone(), say!("fault.long_slot", slot = shown(text))));
            }
            text.parse::<Choice>().map_err(|why| (item.place.clone(), why))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(vec![slots])
}
