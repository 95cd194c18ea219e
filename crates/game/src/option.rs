//! What can be set: one row for each option of a family's rules.
//!
//! [`options!`](crate::options) makes of a family's rows the types of its settings, their defaults, and the two lists that
//! loaders, schemas, option screens and rule sheets are made from. A program that refers to neither list carries neither.

use crate::{Say, say};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Names that an option may have, as the families' rows hold them.
pub type Names = &'static [&'static str];

/// What the texts of an option name, so that people need not write them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// Whatever somebody writes.
    #[default]
    Anything,
    /// Ranks of the pack, or one of these.
    Ranks(Names),
    /// Cards of the pack.
    Faces,
    /// One of these.
    These(Names),
}

/// The type of an option, and what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "OptionKind")]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum OptionType<Of = Names> {
    /// Yes or no.
    Bool,
    /// A whole number.
    Int {
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A whole number, or an expression over the number of players `n` and the number of packs `d`.
    Expr {
        /// Least that it may come to.
        min: i64,
        /// Most that it may come to.
        max: i64,
    },
    /// One of some names.
    Choice {
        /// The names.
        of: Of,
    },
    /// One of some names, or a whole number.
    ChoiceOrInt {
        /// The names.
        of: Of,
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// Several of some names, or none.
    Several {
        /// The names.
        of: Of,
    },
    /// The card values: `{ JK = 15, A = 15, "J-K" = 10, "2-T" = "pip" }`.
    Values,
    /// For a number of players the amounts of places 2, 3, ...: `{ 4 = [2, 4, 6] }`.
    Schedule,
    /// `"all"`, or the numbers of some rounds.
    Rounds,
    /// `each_dealer`, `to_points(n)` or a number of deals.
    Deals,
}

/// A type that an option's value may have, and how it is written.
pub trait Setting {
    /// How it is written; of numbers the range is that of the type.
    const KIND: OptionType;
    /// The number, where this value is one.
    fn number(&self) -> Option<i64> {
        None
    }
}

/// The least and the greatest number that an option may be, where it is one.
pub type Range = Option<(i64, i64)>;

/// A number that an option may not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The option.
    pub options: Names,
    /// The rule behind it.
    pub rules: Names,
    /// What it is.
    pub number: i64,
    /// The least and the greatest that it may be.
    pub range: (i64, i64),
    /// The only numbers of the range that it may be, if not all.
    pub only: &'static [i64],
}

impl Outside {
    /// Why it may not.
    #[must_use]
    pub fn say(&self) -> Say {
        let (option, (min, max)) = (self.options[0], self.range);
        // Where only one number is possible it is no range.
        let only = if min == max { &[min][..] } else { self.only };
        let only = only.iter().map(|n| say!("list.name", name = *n)).collect();
        match Say::any(only) {
            None => say!("fault.outside", option = option, n = self.number, min = min, max = max),
            Some(only) => say!("fault.outside_only", option = option, n = self.number, only = only),
        }
    }
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Setting for $type {
            const KIND: OptionType = OptionType::Int { min: <$type>::MIN as i64, max: <$type>::MAX as i64 };
            fn number(&self) -> Option<i64> {
                Some((*self).into())
            }
        }
    )*};
}
numbers!(u8 u16 i32);

impl Setting for cards::Deck {
    const KIND: OptionType = OptionType::Choice { of: &["d27", "d81", "d243"] };
}
/// What may be left out is written like what is there.
impl<T: Setting> Setting for Option<T> {
    const KIND: OptionType = T::KIND;
    fn number(&self) -> Option<i64> {
        self.as_ref()?.number()
    }
}
impl Setting for bool {
    const KIND: OptionType = OptionType::Bool;
}
impl Setting for String {
    const KIND: OptionType = OptionType::Text;
}
impl Setting for Vec<String> {
    const KIND: OptionType = OptionType::Texts;
}
impl Setting for BTreeMap<u8, Vec<i32>> {
    const KIND: OptionType = OptionType::Schedule;
}

/// An option: all that is known of it but its sentence on the rule sheet.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in rule files, dotted: `take.seconds`.
    pub key: &'static str,
    /// Its name in plain words.
    pub label: &'static str,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// What may be set; the range is that of rule files.
    pub kind: OptionType,
    /// The rule of the family's rulebook behind it.
    pub rule: &'static str,
    /// The least number besides 0, and what 0 is written for; where 0 is a number like others, none.
    pub zero: Option<(i64, &'static str)>,
    /// The only numbers of the range that it may be, if not all.
    pub only: &'static [i64],
    /// What a table's creator may set, where that is not the range of rule files.
    pub creator: Option<(i64, i64)>,
    /// Whether it belongs to the whole match, so that a round cannot set it.
    pub whole_match: bool,
    /// Whether only a rule file sets it, and no table's creator.
    pub file_only: bool,
    /// Whether a list may be written as one text, a letter each.
    pub letters: bool,
    /// The default as a file writes it, in TOML, where that is not the value in the settings' own default.
    pub written: Option<&'static str>,
    least: Option<i64>,
    most: Option<i64>,
    reckoned: bool,
    /// What may stand there, where texts name something of the game.
    pub named: Named,
    /// The values of the family's `mechanism` that it is for; all where none is named.
    pub mechanisms: Names,
}

/// A row, to be completed: the rule behind the option.
#[must_use]
pub const fn row(rule: &'static str) -> Row {
    Row {
        key: "",
        label: "",
        help: "",
        kind: OptionType::Bool,
        rule,
        zero: None,
        only: &[],
        creator: None,
        whole_match: false,
        file_only: false,
        letters: false,
        written: None,
        least: None,
        most: None,
        reckoned: false,
        named: Named::Anything,
        mechanisms: &[],
    }
}

impl Row {
    /// The least number.
    #[must_use]
    pub const fn from(self, least: i64) -> Row {
        Row { least: Some(least), ..self }
    }
    /// The greatest number.
    #[must_use]
    pub const fn to(self, most: i64) -> Row {
        Row { most: Some(most), ..self }
    }
    /// Besides its range it may be 0, which is written for this: `to wait for everybody`.
    #[must_use]
    pub const fn zero(self, written_for: &'static str) -> Row {
        Row { zero: Some((0, written_for)), ..self }
    }
    /// Of its range it may be these numbers only.
    #[must_use]
    pub const fn only(self, numbers: &'static [i64]) -> Row {
        Row { only: numbers, ..self }
    }
    /// The range of a table's creator, where that is another.
    #[must_use]
    pub const fn creator(self, least: i64, most: i64) -> Row {
        Row { creator: Some((least, most)), ..self }
    }
    /// The number may be reckoned from the number of players and of packs.
    #[must_use]
    pub const fn reckoned(self) -> Row {
        Row { reckoned: true, ..self }
    }
    /// It belongs to the whole match: no round sets it.
    #[must_use]
    pub const fn whole_match(self) -> Row {
        Row { whole_match: true, ..self }
    }
    /// It makes the game the game it is: no table's creator sets it.
    #[must_use]
    pub const fn file_only(self) -> Row {
        Row { file_only: true, ..self }
    }
    /// The list may be written as one text, a letter each.
    #[must_use]
    pub const fn letters(self) -> Row {
        Row { letters: true, ..self }
    }
    /// It means something in games of these mechanisms alone: no other table is offered it.
    #[must_use]
    pub const fn only_in(self, mechanisms: Names) -> Row {
        Row { mechanisms, ..self }
    }
    /// The text names this, or each text of the list does.
    #[must_use]
    pub const fn named(self, named: Named) -> Row {
        Row { named, ..self }
    }
    /// The default as a file writes it, in TOML, where it is more than a value: `"n-1"`.
    #[must_use]
    pub const fn written(self, toml: &'static str) -> Row {
        Row { written: Some(toml), ..self }
    }
    /// Completes the row, as [`options!`](crate::options) does.
    #[must_use]
    pub const fn of(
        self,
        key: &'static str,
        label: &'static str,
        help: &'static str,
        kind: OptionType,
    ) -> Row {
        let (low, high, kind) = match kind {
            OptionType::Int { min, max } | OptionType::ChoiceOrInt { min, max, .. } => (min, max, kind),
            _ => (0, 0, kind),
        };
        let low = if let Some(least) = self.least { least } else { low };
        let max = if let Some(most) = self.most { most } else { high };
        let (min, zero) = match self.zero {
            Some((_, written_for)) => (0, Some((low, written_for))),
            None => (low, None),
        };
        let kind = match kind {
            OptionType::Int { .. } if self.reckoned => OptionType::Expr { min, max },
            OptionType::Int { .. } => OptionType::Int { min, max },
            OptionType::ChoiceOrInt { of, .. } => OptionType::ChoiceOrInt { of, min, max },
            OptionType::Texts => match self.named {
                Named::These(names) => OptionType::Several { of: names },
                _ => OptionType::Texts,
            },
            kind => kind,
        };
        Row { key, label: label.trim_ascii(), help: help.trim_ascii(), kind, zero, ..self }
    }

    /// The least and the greatest number of a rule file, where it is a number.
    #[must_use]
    pub const fn range(&self) -> Option<(i64, i64)> {
        match self.kind {
            OptionType::Int { min, max }
            | OptionType::Expr { min, max }
            | OptionType::ChoiceOrInt { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }
}

/// Where the rule sheet tells of an option: `S` are its sections, `T` is what a sentence is made from.
#[derive(Clone, Copy, Debug)]
pub enum Told<S: 'static, T: 'static> {
    /// A sentence of its own, in a section; none where there is nothing to tell.
    Says(S, fn(&T) -> Option<Say>),
    /// The sentence of another option tells it.
    By(&'static str),
    /// It stands where no sentences stand, such as in the line under the title.
    Apart(&'static str),
}

/// An option with a sentence of its own.
pub const fn says<S, T>(section: S, sentence: fn(&T) -> Option<Say>) -> Told<S, T> {
    Told::Says(section, sentence)
}

/// An option that another one's sentence tells.
#[must_use]
pub const fn told_by<S, T>(key: &'static str) -> Told<S, T> {
    Told::By(key)
}

/// An option that stands where no sentences stand.
#[must_use]
pub const fn apart<S, T>(at: &'static str) -> Told<S, T> {
    Told::Apart(at)
}

/// Words that an option may have as types: each name stands here alone, with its meaning.
#[macro_export]
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* })*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::schemars::JsonSchema)]
        $(#[$doc])*
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant,)* }
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const ALL: &[$name] = &[$($name::$variant),*];
                Ok(ALL[$crate::option::read_name(&[$($text),*], deserializer)?])
            }
        }
        impl $crate::option::Setting for $name {
            const KIND: $crate::option::OptionType = $crate::option::OptionType::Choice { of: &[$($text),*] };
        }
    )*};
}

/// Reads a type of settings field by field over its default. What serde derives does the same in seven times the code, which
/// everybody who comes to a table would load.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    ($Type:ident { $($name:ident)+ }) => {
        $crate::option::fields! { $Type { $($name)+ } strict = true }
    };
    ($Type:ident { $($name:ident)+ } strict = $strict:literal) => {
        impl $crate::option::Fields for $Type {
            const STRICT: bool = $strict;
            const NAMES: $crate::option::Names = &[$(stringify!($name)),+];
            fn read<'de, M: ::serde::de::MapAccess<'de>>(&mut self, field: usize, map: &mut M) -> Result<(), M::Error> {
                let mut this = 0;
                $(
                    if field == this {
                        return $crate::option::read_field(&mut self.$name, map);
                    }
                    this += 1;
                )+
                unreachable!("{field} of {this} fields")
            }
        }
        impl<'de> ::serde::Deserialize<'de> for $Type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::option::read(stringify!($Type), deserializer)
            }
        }
    };
}
#[doc(hidden)]
pub use fields;

/// Settings, or another type with many fields, that are read field by field over their default.
#[doc(hidden)]
pub trait Fields: Default {
    /// Whether a field that is not known is refused; else it is passed over, as it comes of a newer version.
    const STRICT: bool;
    /// The names of the fields.
    const NAMES: Names;
    /// Reads one, by its place among the names.
    fn read<'de, M: MapAccess<'de>>(&mut self, field: usize, map: &mut M) -> Result<(), M::Error>;
}

#[doc(hidden)]
#[inline(never)]
pub fn read_field<'de, T: Deserialize<'de>, M: MapAccess<'de>>(
    field: &mut T,
    map: &mut M,
) -> Result<(), M::Error> {
    *field = map.next_value()?;
    Ok(())
}

#[doc(hidden)]
pub fn read<'de, T: Fields, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_struct(name, T::NAMES, FieldsVisitor(PhantomData))
}

/// Reads the fields.
struct FieldsVisitor<T>(PhantomData<T>);

impl<'de, T: Fields> Visitor<'de> for FieldsVisitor<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("settings by their names")
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<T, M::Error> {
        let (mut settings, mut seen) = (T::default(), 0u128);
        let unknown = if T::STRICT { Unknown::Field } else { Unknown::PassedOver };
        while let Some(field) = map.next_key_seed(Name { known: T::NAMES, unknown })? {
            if field == T::NAMES.len() {
                map.next_value::<de::IgnoredAny>()?;
                continue;
            }
            if seen & 1 << field != 0 {
                return Err(de::Error::duplicate_field(T::NAMES[field]));
            }
            seen |= 1 << field;
            settings.read(field, &mut map)?;
        }
        Ok(settings)
    }
}

/// What a name that is not known is.
#[derive(Clone, Copy)]
enum Unknown {
    Field,
    Variant,
    /// Nothing that matters: it has the place after all that are known.
    PassedOver,
}

/// Reads a name as its place among those that are known.
#[derive(Clone, Copy)]
struct Name {
    known: Names,
    unknown: Unknown,
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        match (self.known.iter().position(|known| *known == name), self.unknown) {
            (Some(place), _) => Ok(place),
            (None, Unknown::PassedOver) => Ok(self.known.len()),
            (None, Unknown::Field) => Err(E::unknown_field(name, self.known)),
            (None, Unknown::Variant) => Err(E::unknown_variant(name, self.known)),
        }
    }
}

/// Reads one of some names as its place among them, for [`choices!`](crate::choices).
#[doc(hidden)]
#[inline(never)]
pub fn read_name<'de, D: Deserializer<'de>>(known: Names, deserializer: D) -> Result<usize, D::Error> {
    Name { known, unknown: Unknown::Variant }.deserialize(deserializer)
}

/// Makes the settings of a family from its rows: a group of options each is a type, `OPTIONS` holds the rows and `TOLD`,
/// in the same order, where the rule sheet tells of them.
///
/// ```ignore
/// /// Seconds to ask
/// /// How long an offer stays open; 0: until everybody has answered.
/// seconds: u16 = 12, row("A-36").from(3).to(60).zero("to wait for everybody"), says(Take, |t| ..);
/// ```
///
/// A family whose options are in no groups says `flat` before the name; a group among them, such as `players`, stands in
/// brackets.
///
/// The first line over a row is the option's name in plain words, the others say what it means. Then its name in rule
/// files, its type (a [`Setting`](crate::option::Setting)), its default, what it may be, and its sentence.
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* flat $all:ident {$(
        $([
            $(#[doc = $about:tt])+
            $(#[schemars $schemars:tt])?
            $group:ident: $Group:ident {$(
                #[doc = $glabel:tt]
                $(#[doc = $ghelp:tt])*
                $gname:ident: $gtype:ty = $gdefault:expr, $grow:expr, $gtold:expr;
            )+}
        ])?
        #[doc = $label:tt]
        $(#[doc = $help:tt])*
        $(#[serde $serde:tt])?
        $name:ident: $type:ty = $default:expr, $row:expr, $told:expr;
    )+}) => {
        $($(
            $(#[doc = $about])+
            #[derive(
                Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema,
            )]
            $(#[schemars $schemars])?
            #[serde(deny_unknown_fields)]
            pub struct $Group {$(
                #[doc = $glabel]
                #[doc = ""]
                $(#[doc = $ghelp])*
                pub $gname: $gtype,
            )+}
            impl Default for $Group {
                fn default() -> Self {
                    $Group {$($gname: $gdefault,)+}
                }
            }
        )?)+
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::schemars::JsonSchema)]
        $(#[$meta])*
        #[serde(default, deny_unknown_fields)]
        pub struct $all {$(
            $(
                $(#[doc = $about])+
                pub $group: $Group,
            )?
            #[doc = $label]
            #[doc = ""]
            $(#[doc = $help])*
            $(#[serde $serde])?
            pub $name: $type,
        )+}
        impl Default for $all {
            fn default() -> Self {
                $all {$(
                    $($group: $Group::default(),)?
                    $name: $default,
                )+}
            }
        }
        $crate::option::fields!($all { $($($group)? $name)+ });
        impl $all {
            /// Every number that its row does not allow.
            pub fn outside(&self) -> impl Iterator<Item = $crate::option::Outside> {
                const RANGES: &[($crate::option::Range, &[i64], $crate::option::Names, $crate::option::Names)] = &[$(
                    $($({
                        const ROW: $crate::option::Row = $grow.of("", "", "", <$gtype as $crate::option::Setting>::KIND);
                        (ROW.range(), ROW.only, &[ROW.rule], &[stringify!($group)])
                    },)+)?
                    {
                        const ROW: $crate::option::Row = $row.of("", "", "", <$type as $crate::option::Setting>::KIND);
                        (ROW.range(), ROW.only, &[ROW.rule], &[stringify!($name)])
                    },
                )+];
                let numbers = [$(
                    $($($crate::option::Setting::number(&self.$group.$gname),)+)?
                    $crate::option::Setting::number(&self.$name),
                )+];
                numbers.into_iter().zip(RANGES).filter_map(|(number, &(range, only, rules, options))| {
                    let (number, range) = (number?, range?);
                    let fits = (range.0..=range.1).contains(&number) && (only.is_empty() || only.contains(&number));
                    (!fits).then_some($crate::option::Outside { options, rules, number, range, only })
                })
            }
        }
        /// Every option, in the order of the rulebook.
        pub const OPTIONS: &[$crate::option::Row] = &[$(
            $($($grow.of(
                concat!(stringify!($group), ".", stringify!($gname)),
                $glabel,
                concat!($($ghelp),*),
                <$gtype as $crate::option::Setting>::KIND,
            ),)+)?
            $row.of(
                stringify!($name),
                $label,
                concat!($($help),*),
                <$type as $crate::option::Setting>::KIND,
            ),
        )+];
        /// Where the rule sheet tells of each option, in the order of [`OPTIONS`].
        pub const TOLD: &[Told] = &[$($($($gtold,)+)? $told,)+];
    };
    ($(#[$meta:meta])* $all:ident {$(
        $(#[doc = $about:tt])+
        $group:ident: $Group:ident {$(
            #[doc = $label:tt]
            $(#[doc = $help:tt])*
            $name:ident: $type:ty = $default:expr, $row:expr, $told:expr;
        )+}
    )+}) => {
        #[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize, ::schemars::JsonSchema)]
        $(#[$meta])*
        #[serde(default, deny_unknown_fields)]
        pub struct $all {$(
            $(#[doc = $about])+
            pub $group: $Group,
        )+}
        $crate::option::fields!($all { $($group)+ });
        $(
            $(#[doc = $about])+
            #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::schemars::JsonSchema)]
            #[serde(default, deny_unknown_fields)]
            pub struct $Group {$(
                #[doc = $label]
                #[doc = ""]
                $(#[doc = $help])*
                pub $name: $type,
            )+}
            impl Default for $Group {
                fn default() -> Self {
                    $Group {$($name: $default,)+}
                }
            }
            $crate::option::fields!($Group { $($name)+ });
        )+
        /// Every option, in the order of the rulebook.
        pub const OPTIONS: &[$crate::option::Row] = &[$($(
            $row.of(
                concat!(stringify!($group), ".", stringify!($name)),
                $label,
                concat!($($help),*),
                <$type as $crate::option::Setting>::KIND,
            ),
        )+)+];
        /// Where the rule sheet tells of each option, in the order of [`OPTIONS`].
        pub const TOLD: &[Told] = &[$($($told,)+)+];
    };
}
