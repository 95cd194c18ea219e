//! What the browser keeps: for good, or as long as a tab is open.

use super::window;
use serde::{Serialize, de::DeserializeOwned};

pub(super) fn storage() -> Option<web_sys::Storage> {
    window()?.local_storage().ok().flatten()
}

/// Reads a value from the browser's storage. None if it is not there, cannot be read, or storage is forbidden.
#[must_use]
pub fn load<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&storage()?.get_item(key).ok()??).ok()
}

/// Writes a value to the browser's storage, if it has room and allows it.
pub fn store<T: Serialize>(key: &str, value: &T) {
    if let (Some(storage), Ok(text)) = (storage(), serde_json::to_string(value)) {
        let _ = storage.set_item(key, &text);
    }
}

/// Forgets a value of the browser's storage.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(key);
    }
}

/// Storage of this tab alone, which ends with it.
fn of_the_tab() -> Option<web_sys::Storage> {
    window()?.session_storage().ok().flatten()
}

/// Leaves a value for the next page in this tab, if there is room for it.
pub fn leave_in_tab<T: Serialize>(key: &str, value: &T) {
    if let (Some(tab), Ok(text)) = (of_the_tab(), serde_json::to_string(value)) {
        let _ = tab.set_item(key, &text);
    }
}

/// Takes what the page before left in this tab, which is not there any more then.
#[must_use]
pub fn take_from_tab<T: DeserializeOwned>(key: &str) -> Option<T> {
    let tab = of_the_tab()?;
    let text = tab.get_item(key).ok()??;
    let _ = tab.remove_item(key);
    serde_json::from_str(&text).ok()
}
