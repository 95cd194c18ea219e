//! Pattern rule files: what a chain of files comes to, and the family's own checks (pattern rulebook, 4.4).

use crate::bounds::shown;
use crate::chain::Chain;
use crate::fault::{Fault, Faults, Found, Place};
use crate::{Family, Rules};
use game::{Say, say};
use std::sync::Arc;

/// The rules that the chain comes to.
fn read(chain: &Chain) -> Result<pattern::Rules, Box<Fault>> {
    let mut table = serde_json::Map::new();
    for key in Family::Pattern.rows() {
        if let Some(node) = chain.get(key.key) {
            match key.key.split_once('.') {
                Some((group, name)) => {
                    let group = table.entry(group).or_insert_with(|| {
                        let players = pattern::Rules::default().players;
                        serde_json::json!({ "min": players.min, "max": players.max })
                    });
                    group[name] = node.to_json();
                }
                None => {
                    table.insert(key.key.to_owned(), node.to_json());
                }
            }
        }
    }
    serde_json::from_value(table.into()).map_err(|why| {
        let reason = say!("fault.other", why = shown(&why.to_string()));
        Box::new(fault(chain, &[], "V1", reason))
    })
}

/// A fault at the option that was set last of those that clash.
fn fault(chain: &Chain, options: &[&str], check: &'static str, reason: Say) -> Fault {
    let place = chain
        .layers
        .iter()
        .rev()
        .find_map(|layer| {
            let of = |key: &str| {
                options.iter().any(|o| key == *o || key.strip_prefix(o).is_some_and(|r| r.starts_with('.')))
            };
            layer.set.iter().rev().find(|(key, _)| of(key.key)).map(|(_, node)| node.place.clone())
        })
        .or_else(|| chain.own().map(|layer| Place { file: layer.file.clone(), line: None }))
        .unwrap_or_else(|| Place { file: "rules".into(), line: None });
    Fault { place, check, reason, remedy: Say::default() }
}

/// What is wrong with the rules, each fault at its option.
fn placed(chain: &Chain, wrong: Vec<pattern::rules::Fault>) -> Vec<Fault> {
    wrong
        .into_iter()
        .map(|wrong| fault(chain, wrong.options, wrong.rules.first().copied().unwrap_or("4.4"), wrong.say))
        .collect()
}

/// Checks the chain for every number of players it allows, and gives that range.
pub(crate) fn check(chain: &Chain, faults: &mut Found) -> (u8, u8) {
    chain.check_about(faults);
    if !faults.is_empty() {
        return (0, 0);
    }
    let rules = match read(chain) {
        Ok(rules) => rules,
        Err(wrong) => {
            faults.push(*wrong);
            return (0, 0);
        }
    };
    let (min, max) = (rules.players.min, rules.players.max);
    if min > max {
        faults.push(fault(chain, &["players"], "Q-10", say!("fault.players", min = min, max = max)));
    }
    // What a table's creator set need only hold for the players who sit there: `rules` looks at that.
    let most = if chain.layers.iter().any(|layer| layer.creator) { min } else { max };
    for seats in min..=most {
        for wrong in placed(chain, rules.check(seats)) {
            if !faults.contains(&wrong) {
                faults.push(wrong);
            }
        }
    }
    (min, max)
}

/// What besides keeps the chain from a public table.
pub(crate) fn public(chain: &Chain) -> Vec<Fault> {
    match read(chain) {
        Ok(rules) => placed(chain, rules.check_public()),
        Err(wrong) => vec![*wrong],
    }
}

/// The rules for a table of `seats`.
pub(crate) fn rules(chain: &Chain, seats: u8) -> Result<Arc<Rules>, Faults> {
    let rules = read(chain).map_err(|wrong| Faults { faults: vec![*wrong], missing: false })?;
    let faults = placed(chain, rules.check(seats));
    if faults.is_empty() {
        Ok(Arc::new(Rules::Pattern(Arc::new(rules))))
    } else {
        Err(Faults { faults, missing: false })
    }
}
