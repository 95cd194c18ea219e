//! JSON read in half the code.
//!
//! `serde_json` takes a struct from an object or from an array, so a program carries two readers of every type. We write
//! objects only. In the browser app the second readers were a tenth of what a first visit loads; here a struct is an object
//! and nothing else. The text itself is parsed by `serde_json`.
//!
//! That something cannot be read is all that is said, too: the sentences that say what, where and instead of what would be
//! carried for every field of every type, and a page can only say that it does not understand the server.
//!
//! It reads what this program has written. Of a field that is there twice it takes the last, and of a list that is too long
//! the beginning, where `serde_json` takes neither.

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_json::{Map, Value, map};
use std::fmt;

/// A text that is no JSON, or not of the type that was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no JSON, or not of this type")
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(_: T) -> Error {
        Error
    }
    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Error {
        Error
    }
    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Error {
        Error
    }
    fn invalid_length(_: usize, _: &dyn Expected) -> Error {
        Error
    }
    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Error {
        Error
    }
    fn unknown_field(_: &str, _: &'static [&'static str]) -> Error {
        Error
    }
    fn missing_field(_: &'static str) -> Error {
        Error
    }
    fn duplicate_field(_: &'static str) -> Error {
        Error
    }
}

/// Reads a value from a JSON text.
///
/// # Errors
/// If the text is no JSON, or not of this type.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    from_value(serde_json::from_str(text).map_err(|_| Error)?)
}

/// Reads a value from parsed JSON.
///
/// # Errors
/// If it is not of this type.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Json(value))
}

/// A parsed value to be read from.
struct Json(Value);

fn visit_map<'de, V: Visitor<'de>>(object: Map<String, Value>, visitor: V) -> Result<V::Value, Error> {
    visitor.visit_map(Fields { rest: object.into_iter(), value: None })
}

impl<'de> Deserializer<'de> for Json {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(is) => visitor.visit_bool(is),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(n), ..) => visitor.visit_u64(n),
                (_, Some(n), _) => visitor.visit_i64(n),
                (_, _, n) => visitor.visit_f64(n.unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(list) => visitor.visit_seq(Items(list.into_iter())),
            Value::Object(object) => visit_map(object, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(list) => visitor.visit_seq(Items(list.into_iter())),
            _ => Err(Error),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(object) => visit_map(object, visitor),
            _ => Err(Error),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, value: None }),
            Value::Object(object) if object.len() == 1 => {
                let (name, value) = object.into_iter().next().expect("it holds one");
                visitor.visit_enum(Variant { name, value: Some(value) })
            }
            _ => Err(Error),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct identifier
    }
}

/// The elements of an array.
struct Items(std::vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.next().map(|value| seed.deserialize(Json(value))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The fields of an object.
struct Fields {
    rest: map::IntoIter,
    value: Option<Value>,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(Key(key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Json(self.value.take().unwrap_or_default()))
    }
}

/// The key of a field or an entry: a text, which may stand for a number.
struct Key(String);

macro_rules! number_keys {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            if let Ok(n) = self.0.parse::<u64>() {
                visitor.visit_u64(n)
            } else if let Ok(n) = self.0.parse::<i64>() {
                visitor.visit_i64(n)
            } else {
                Err(Error)
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant { name: self.0, value: None })
    }

    number_keys! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// A variant by its name, with what it holds.
struct Variant {
    name: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content), Error> {
        let name = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((name, Content(self.value)))
    }
}

/// What a variant holds.
struct Content(Option<Value>);

impl<'de> VariantAccess<'de> for Content {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            None | Some(Value::Null) => Ok(()),
            Some(_) => Err(Error),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Json(self.0.unwrap_or_default()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Error> {
        Json(self.0.unwrap_or_default()).deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        Json(self.0.unwrap_or_default()).deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Newtype(u8);

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Unit,
        Newtype(Newtype),
        Tuple(i64, String),
        Struct { a: Option<f64>, b: Vec<bool> },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        kinds: Vec<Kind>,
        numbers: BTreeMap<u8, i32>,
        by_newtype: BTreeMap<String, (u8, char)>,
        free: serde_json::Value,
        #[serde(default)]
        absent: Option<Box<All>>,
    }

    fn check<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str) {
        let (ours, theirs) = (from_str::<T>(text), serde_json::from_str::<T>(text));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{text}: {ours:?} but {theirs:?}"),
        }
    }

    #[test]
    fn objects_are_read_as_serde_json_reads_them() {
        for text in [
            r#"{"kinds":["Unit",{"Newtype":7},{"Tuple":[-3,"x"]},{"Struct":{"a":null,"b":[true]}}],
                "numbers":{"1":-1,"200":5},"by_newtype":{"k":[1,"c"]},"free":{"x":[1.5,null]},"unknown":{"y":[]}}"#,
            r#"{"kinds":[{"Struct":{"a":2,"b":[]}}],"numbers":{},"by_newtype":{},"free":null,
                "absent":{"kinds":[],"numbers":{},"by_newtype":{},"free":1}}"#,
            r#"{"kinds":["Nothing"],"numbers":{},"by_newtype":{},"free":null}"#,
            r#"{"kinds":[{"Newtype":300}],"numbers":{},"by_newtype":{},"free":null}"#,
            r#"{"kinds":[],"numbers":{"x":1},"by_newtype":{},"free":null}"#,
            r#"{"kinds":{},"numbers":{},"by_newtype":{},"free":null}"#,
            r#"{"kinds":[{"Unit":1}],"numbers":{},"by_newtype":{},"free":null}"#,
            "{}",
            "[",
            "",
        ] {
            check::<All>(text);
        }
        check::<Vec<Option<Newtype>>>("[1,null,255]");
        check::<Vec<Option<Newtype>>>("[1,null,256]");
    }

    #[test]
    fn a_struct_is_an_object_and_nothing_else() {
        assert!(from_str::<All>(r"[[],{},{},null,null]").is_err());
    }
}
