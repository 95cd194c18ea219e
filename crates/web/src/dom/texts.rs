//! Texts that leave the page and come into it: the clipboard, and files.

use super::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    type ClipboardOwner;
    #[wasm_bindgen(method, getter)]
    fn clipboard(this: &ClipboardOwner) -> Option<Clip>;
    type Clip;
    #[wasm_bindgen(method, catch, js_name = writeText)]
    async fn write_text(this: &Clip, text: &str) -> Result<JsValue, JsValue>;

    type OldDocument;
    #[wasm_bindgen(method, catch, js_name = execCommand)]
    fn exec_command(this: &OldDocument, command: &str) -> Result<bool, JsValue>;
}

/// Copies text. Without a secure context (a living room over plain HTTP) there is no clipboard to ask: then the text is
/// selected in a hidden field and copied the old way. Gives whether it worked.
pub async fn copy(text: &str) -> bool {
    let Some(window) = window() else { return false };
    let owner: ClipboardOwner = JsValue::from(window.navigator()).unchecked_into();
    if let Some(clip) = owner.clipboard()
        && clip.write_text(text).await.is_ok()
    {
        return true;
    }
    let Some(document) = document() else { return false };
    let Some(field) = document
        .create_element("textarea")
        .ok()
        .and_then(|e| e.dyn_into::<web_sys::HtmlTextAreaElement>().ok())
    else {
        return false;
    };
    field.set_value(text);
    field.set_class_name("offscreen");
    let Some(body) = document.body() else { return false };
    let _ = body.append_child(&field);
    field.select();
    let old: OldDocument = JsValue::from(document).unchecked_into();
    let copied = old.exec_command("copy").unwrap_or(false);
    field.remove();
    copied
}

/// The text of the file that was picked in a file field; none if it cannot be read.
pub async fn picked_text(event: web_sys::Event) -> Option<String> {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let files = get(&event.target()?.into(), "files")?;
    let file = js_sys::Reflect::get_u32(&files, 0).ok()?;
    let read: js_sys::Function = get(&file, "text")?.dyn_into().ok()?;
    let promise: js_sys::Promise = read.call0(&file).ok()?.dyn_into().ok()?;
    wasm_bindgen_futures::JsFuture::from(promise).await.ok()?.as_string()
}
