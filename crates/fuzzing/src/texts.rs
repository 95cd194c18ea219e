//! What all texts have in common.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The text that the bytes are; none if they are none.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Reads JSON with both readers: what the app's reads is what `serde_json` reads.
///
/// They differ where they are meant to, in what no server of ours writes: the app's takes no array for a struct, of a field
/// that is there twice it takes the last, and of a list that is too long the beginning.
pub fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) -> Option<T> {
    let (theirs, ours) = (serde_json::from_str::<T>(text), wire::lean::from_str::<T>(text));
    match (&theirs, &ours) {
        (Ok(theirs), Ok(ours)) => assert_eq!(theirs, ours, "two readings of {text}"),
        (Err(why), Ok(ours)) => {
            let known = ["duplicate field", "trailing characters"];
            let why = why.to_string();
            assert!(known.iter().any(|known| why.contains(known)), "{why}, but it is {ours:?}: {text}");
        }
        (Ok(theirs), Err(why)) => {
            let written = serde_json::to_string(theirs).expect("plain data");
            let read = wire::lean::from_str::<T>(&written);
            assert_eq!(read.as_ref().ok(), Some(theirs), "{why} in {text}; {read:?} in {written}");
        }
        (Err(_), Err(_)) => {}
    }
    let value = theirs.ok()?;
    written(&value);
    Some(value)
}

/// What is written is read back, by both readers.
pub fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("plain data");
    assert_eq!(serde_json::from_str::<T>(&text).as_ref().ok(), Some(value), "{text}");
    assert_eq!(wire::lean::from_str::<T>(&text).as_ref().ok(), Some(value), "{text}");
}

/// A number that the bytes make, for choices that should be the same for the same input.
pub fn seed(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
