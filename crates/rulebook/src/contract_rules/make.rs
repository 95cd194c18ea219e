//! The rules of a contract rule file, as the family knows them.

use super::{Book, Round};
use crate::layer::Node;
use contract::options::OPTIONS;
use game::option::OptionType;

impl Book {
    /// The rules for `n` players, every number reckoned.
    ///
    /// # Errors
    /// What the family's own types refuse; the checks above leave nothing for it.
    pub fn rules(&self, n: i64) -> Result<contract::Rules, serde_json::Error> {
        let text = |key: &str| self.chain.about(key).and_then(Node::as_text).unwrap_or_default().to_owned();
        let rounds = self
            .rounds
            .iter()
            .map(|round| {
                Ok(contract::RoundRules {
                    number: round.number as u16,
                    contracts: round.contracts.clone(),
                    deal: self.hand(round, n) as u8,
                    label: round.label.clone(),
                    settings: self.settings(Some(round), n)?,
                })
            })
            .collect::<Result<_, serde_json::Error>>()?;
        Ok(contract::Rules {
            id: text("id"),
            name: text("name"),
            bases: self.chain.ids.iter().skip(1).cloned().collect(),
            seats: n as u8,
            settings: self.settings(None, n)?,
            rounds,
        })
    }

    fn settings(
        &self,
        round: Option<&Round>,
        n: i64,
    ) -> Result<contract::rules::Settings, serde_json::Error> {
        let mut groups = serde_json::Map::new();
        for key in OPTIONS {
            let value = match key.kind {
                // Where every round says its own deal nobody reads what `deal.cards` comes to, so nothing has judged it.
                OptionType::Expr { min, max } => {
                    self.number(key.key, round, n).unwrap_or(min).clamp(min, max).into()
                }
                OptionType::Texts | OptionType::Several { .. } => self.texts(key.key, round).into(),
                OptionType::Values => match round.filter(|round| round.get(key.key).is_some()) {
                    None => self.values.get_or_init(|| self.values(None)).clone(),
                    own => self.values(own),
                },
                _ => self.get(key.key, round).to_json(),
            };
            let (group, name) = key.key.split_once('.').expect("every option is in a group");
            let group = groups.entry(group).or_insert_with(|| serde_json::json!({}));
            group[name] = value;
        }
        serde_json::from_value(groups.into())
    }

    /// Points of every face, by its index.
    fn values(&self, round: Option<&Round>) -> serde_json::Value {
        let pack = self.pack_faces();
        let wild = self.wild_ranks();
        let said = self.card_values(&pack, round);
        let mut values = vec![0i64; cards::Face::COUNT];
        for face in pack.faces().chain([cards::Face::JOKER]) {
            let wild = !face.is_joker() && wild.contains(&pack.ranks[usize::from(face.rank()) - 1]);
            values[face.index()] = said.of(face, wild).unwrap_or(0);
        }
        values.into()
    }
}
