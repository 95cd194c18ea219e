//! What is fetched before it is asked for (`ahead.js`).

use super::{navigator_says, window};
use wasm_bindgen::{JsCast, JsValue};

/// What the script of this program offers under this name (`ahead.js`); the programs of tables have none of it, for nothing is fetched ahead
/// there.
fn ahead(name: &str) -> Option<js_sys::Function> {
    js_sys::Reflect::get(window()?.as_ref(), &name.into()).ok()?.dyn_into().ok()
}

/// Whether something that the first card at a table of this family needs is still on its way.
#[must_use]
pub fn lacks(family: &str) -> bool {
    ahead("lacks")
        .is_some_and(|lacks| lacks.call1(&JsValue::NULL, &family.into()).is_ok_and(|said| said.is_truthy()))
}

/// Fetches nothing more ahead until [`let_ahead`], three seconds at most: the line is needed for something else.
pub fn hold_ahead() {
    let _ = ahead("hold").map(|hold| hold.call0(&JsValue::NULL));
}

/// Fetches ahead again.
pub fn let_ahead() {
    let _ = ahead("free").map(|free| free.call0(&JsValue::NULL));
}

/// What ends when all is here that the first card at a table of this family needs, where that is on its way (`ahead.js`): a page
/// that is left drops it. The table's page at `path` is fetched meanwhile. None where there is nothing to wait for.
#[must_use]
pub fn before_leaving(family: &str, path: &str) -> Option<js_sys::Promise> {
    ahead("leave")?.call2(&JsValue::NULL, &family.into(), &path.into()).ok()?.dyn_into().ok()
}

/// Whether this device asks for as little as possible to be loaded.
pub fn saves_data() -> bool {
    navigator_says("connection", "saveData") == Some(true)
}
