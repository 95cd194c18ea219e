//! What the texts of a rule file may hold: others read them, on a rule sheet, in the lobby, in a message. See the crate
//! `names`; its tables are too large for the browser, which is sent nothing that was not read here before.

use game::Say;
use std::borrow::Cow;

/// A text that may be shown, composed as it should be; or why it may not.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn text(text: &str) -> Result<Cow<'_, str>, Say> {
    use game::say;
    names::text(text).map_err(|wrong| match wrong {
        names::Wrong::Unseen(letter) => {
            say!("remedy.unseen", letter = format!("U+{:04X}", u32::from(letter)))
        }
        // A text is never too short nor too long.
        names::Wrong::Marks | names::Wrong::Empty | names::Wrong::Long(_) => {
            say!("remedy.marks", n = names::MARKS)
        }
    })
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn text(text: &str) -> Result<Cow<'_, str>, Say> {
    Ok(text.into())
}
