//! What the texts of a rule file may hold: others read them, on a rule sheet, in the lobby, in a message. See the crate
//! `names`; its tables are too large for the browser, which is sent nothing that was not read here before.

use std::borrow::Cow;

/// A text that may be shown, composed as it should be; or why it may not, in words.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn text(text: &str) -> Result<Cow<'_, str>, String> {
    names::text(text).map_err(|wrong| format!("a text {wrong}"))
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn text(text: &str) -> Result<Cow<'_, str>, String> {
    Ok(text.into())
}
