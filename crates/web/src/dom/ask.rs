//! A question that must be answered before anything goes on.

use super::document;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// What a dialog that was answered with yes says.
const YES: &str = "yes";

/// Asks over the page, and waits for an answer: whether it is yes. Who closes the question says no.
pub async fn asks(question: &str, yes: &str, no: &str) -> bool {
    let Some(dialog) = dialog(question, yes, no) else { return false };
    let closed = js_sys::Promise::new(&mut |then, _| dialog.set_onclose(Some(&then)));
    let shown = dialog.show_modal().is_ok() && JsFuture::from(closed).await.is_ok();
    dialog.remove();
    shown && dialog.return_value() == YES
}

/// The dialog, on the page and not yet shown.
fn dialog(question: &str, yes: &str, no: &str) -> Option<web_sys::HtmlDialogElement> {
    let document = document()?;
    let element = |name: &str| document.create_element(name).ok();
    let dialog: web_sys::HtmlDialogElement = element("dialog")?.dyn_into().ok()?;
    let words = element("p")?;
    words.set_id("question");
    words.set_text_content(Some(question));
    let form = element("form")?;
    form.set_class_name("row");
    form.set_attribute("method", "dialog").ok()?;
    for (value, label) in [("no", no), (YES, yes)] {
        let button = element("button")?;
        button.set_attribute("value", value).ok()?;
        button.set_attribute("data-testid", &format!("answer-{value}")).ok()?;
        button.set_text_content(Some(label));
        form.append_child(&button).ok()?;
    }
    dialog.set_attribute("aria-labelledby", "question").ok()?;
    dialog.append_child(&words).ok()?;
    dialog.append_child(&form).ok()?;
    document.body()?.append_child(&dialog).ok()?;
    Some(dialog)
}
