//! One family alone, written as both are: for a program that shows matches of one family and is not to carry the other.

use crate::Family;
use game::{Coverage, Millis, Outcome, Refusal};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// What one of the families speaks of: a view, a notice or a command.
pub trait Part {
    /// Which family.
    const FAMILY: Family;
}

/// A [`Part`], read and written as the view, notice or command of either family: `{"pattern": ..}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Only<T>(pub T);

macro_rules! parts {
    ($family:ident, $variant:ident) => {
        impl Part for $family::View {
            const FAMILY: Family = Family::$variant;
        }
        impl Part for $family::Notice {
            const FAMILY: Family = Family::$variant;
        }
        impl Part for $family::Command {
            const FAMILY: Family = Family::$variant;
        }
    };
}

parts!(pattern, Pattern);
parts!(contract, Contract);

impl<T: Part + Serialize> Serialize for Only<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_variant("Only", T::FAMILY as u32, T::FAMILY.name(), &self.0)
    }
}

impl<'de, T: Part + Deserialize<'de>> Deserialize<'de> for Only<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entry(PhantomData))
    }
}

/// Reads the one entry that an [`Only`] is.
struct Entry<T>(PhantomData<T>);

impl<'de, T: Part + Deserialize<'de>> Visitor<'de> for Entry<T> {
    type Value = Only<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "something of the family `{}`", T::FAMILY.name())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Only<T>, A::Error> {
        let value = match map.next_key::<String>()? {
            Some(family) if family == T::FAMILY.name() => map.next_value()?,
            _ => return Err(Error::custom("this is of another family")),
        };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Only(value)),
            Some(_) => Err(Error::custom("this is of more than one family")),
        }
    }
}

impl<V> game::View for Only<V>
where
    V: game::View + Part,
    V::Command: Part,
    V::Notice: Part,
{
    type Command = Only<V::Command>;
    type Notice = Only<V::Notice>;

    fn observe(&mut self, notice: &Self::Notice) {
        self.0.observe(&notice.0);
    }
    fn commands(&self, at: Millis) -> Coverage<Self::Command> {
        let Coverage { commands, complete } = self.0.commands(at);
        Coverage { commands: commands.into_iter().map(Only).collect(), complete }
    }
    fn closed(&self, at: Millis) -> Vec<(Self::Command, Refusal)> {
        self.0.closed(at).into_iter().map(|(command, refusal)| (Only(command), refusal)).collect()
    }
    fn admits(&self, at: Millis, command: &Self::Command) -> Option<bool> {
        self.0.admits(at, &command.0)
    }
    fn awaited(&self) -> bool {
        self.0.awaited()
    }
    fn outcome(&self) -> Option<&Outcome> {
        self.0.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, preset};
    use game::{Game, Viewer};

    /// What both families write, one reads, and writes again; the other refuses it.
    #[test]
    fn one_family_is_written_as_both_are() {
        for id in ["set-classic", "time-trial", "contract", "progressive"] {
            let loaded = preset(id).unwrap();
            let rules = loaded.rules(loaded.info.players_min).unwrap();
            let game = crate::Match::open(rules, loaded.info.players_min).unwrap();
            let text = serde_json::to_string(&game.view(Viewer::Table)).unwrap();
            let pattern = serde_json::from_str::<Only<pattern::View>>(&text);
            let contract = serde_json::from_str::<Only<contract::View>>(&text);
            let again = match loaded.info.family {
                Family::Pattern => {
                    assert!(contract.is_err(), "{id}");
                    serde_json::to_string(&pattern.unwrap())
                }
                Family::Contract => {
                    assert!(pattern.is_err(), "{id}");
                    serde_json::to_string(&contract.unwrap())
                }
            };
            assert_eq!(again.unwrap(), text, "{id}");
        }
        let command = Only(pattern::Command::NoSet);
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), Command::Pattern(command.0));
        for odd in ["{}", "null", r#"{"pattern":"no_set","contract":"pass"}"#, r#"["pattern","no_set"]"#] {
            assert!(serde_json::from_str::<Only<pattern::Command>>(odd).is_err(), "{odd}");
        }
    }
}
