//! The browser's own facilities, each in one small function: storage, clipboard, sound, titles, moving cards.

use serde::{Serialize, de::DeserializeOwned};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

fn document() -> Option<web_sys::Document> {
    window()?.document()
}

fn storage() -> Option<web_sys::Storage> {
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

/// The attributes of the page that say how everything looks, with their values.
#[must_use]
pub fn looks() -> Vec<(String, String)> {
    let Some(root) = document().and_then(|d| d.document_element()) else { return Vec::new() };
    let named = |name: JsValue| {
        let name = name.as_string().filter(|name| name.starts_with("data-"))?;
        let value = root.get_attribute(&name)?;
        Some((name, value))
    };
    root.get_attribute_names().iter().filter_map(named).collect()
}

/// Puts a copy of the first element of this selector into another element.
pub fn copy_into(element: &web_sys::Element, selector: &str) {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    if let Some(copy) = found.and_then(|found| found.clone_node_with_deep(true).ok()) {
        let _ = element.append_child(&copy);
    }
}

/// The language this person's browser asks for, such as `en-GB`.
#[must_use]
pub fn language() -> String {
    window().and_then(|w| w.navigator().language()).unwrap_or_default()
}

/// Path of the address.
#[must_use]
pub fn path() -> String {
    window().and_then(|w| w.location().pathname().ok()).unwrap_or_default()
}

/// What the address says after the path under this name.
#[must_use]
pub fn query(name: &str) -> Option<String> {
    let search = window().and_then(|w| w.location().search().ok())?;
    let said = search.trim_start_matches('?').split('&').filter_map(|part| part.split_once('='));
    let (_, text) = said.into_iter().find(|(key, _)| *key == name)?;
    js_sys::decode_uri_component(&text.replace('+', " ")).ok().map(String::from)
}

/// A text as an address holds it.
#[must_use]
pub fn in_address(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text)).replace("%20", "+")
}

/// The address of a text that can be saved as a file: the text itself, as the page has it, in its language.
#[must_use]
pub fn text_file(text: &str) -> String {
    format!("data:text/markdown;charset=utf-8,{}", js_sys::encode_uri_component(text))
}

/// Puts a path into the address in place of the present one.
pub fn replace_path(path: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

/// Scheme, host and port: `http://127.0.0.1:7420`.
#[must_use]
pub fn origin() -> String {
    window().and_then(|w| w.location().origin().ok()).unwrap_or_default()
}

/// Puts a path into the address without loading it.
pub fn push_path(path: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(path));
    }
}

thread_local! {
    static DEPARTURES: Cell<u32> = const { Cell::new(0) };
}

/// How often somebody has left for another program; until that has come the page goes on.
#[must_use]
pub fn departures() -> u32 {
    DEPARTURES.get()
}

/// Leaves for a path that another program shows.
pub fn open_path(path: &str) {
    DEPARTURES.set(departures() + 1);
    if let Some(window) = window() {
        let _ = window.location().assign(path);
    }
}

/// The place in the page that the address names, with its `#`, if it names one.
#[must_use]
pub fn anchor() -> Option<String> {
    window()?.location().hash().ok().filter(|anchor| !anchor.is_empty())
}

/// Goes once more to that place.
pub fn to_anchor() {
    if let (Some(window), Some(anchor)) = (window(), anchor()) {
        let _ = window.location().replace(&anchor);
    }
}

/// Loads the page anew.
pub fn reload() {
    if let Some(window) = window() {
        let _ = window.location().reload();
    }
}

/// Whether the first element of this selector lies more than half a window below what is seen.
#[must_use]
pub fn is_far_below(selector: &str) -> bool {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    let height = window().and_then(|w| w.inner_height().ok()?.as_f64());
    found.zip(height).is_some_and(|(found, height)| found.get_bounding_client_rect().top() > 1.5 * height)
}

/// Scrolls to the top, where a new page begins.
pub fn scroll_to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Sets an attribute of `<html>`.
pub fn root_attribute(name: &str, value: &str) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = root.set_attribute(name, value);
    }
}

/// The title of the page.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Milliseconds of the browser's steady clock.
#[must_use]
pub fn now() -> f64 {
    window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// What is said and written in the language of the page: `language.js`.
mod speech {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_namespace = parlour)]
    extern "C" {
        pub async fn words() -> JsValue;
        #[wasm_bindgen(catch)]
        pub async fn sheets() -> Result<JsValue, JsValue>;
        #[wasm_bindgen(catch)]
        pub async fn keep() -> Result<JsValue, JsValue>;
        #[wasm_bindgen(catch)]
        pub async fn forget() -> Result<JsValue, JsValue>;
        pub fn languages() -> String;
        pub fn plural(n: f64) -> String;
        pub fn number(value: f64, digits: u32) -> String;
        #[wasm_bindgen(catch)]
        pub fn whole(digits: &str) -> Result<String, JsValue>;
        pub fn time(unix_ms: f64) -> String;
        pub fn day(date: &str) -> String;
    }
}

/// The words of this program in the language of the page, once they are here.
pub async fn words() -> String {
    speech::words().await.as_string().unwrap_or_default()
}

/// The words of rule sheets in the language of the page; nothing in English, in which sheets come as they are, and where they
/// cannot be had.
pub async fn sheet_words() -> String {
    speech::sheets().await.ok().and_then(|words| words.as_string()).unwrap_or_default()
}

/// What leads to a table: of a server (`line.js`), or of this device, as a socket leads to one of a server (`home.js`).
mod lines {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_namespace = parlour)]
    extern "C" {
        #[wasm_bindgen(catch)]
        pub fn line(url: &str) -> Result<web_sys::WebSocket, JsValue>;
        #[wasm_bindgen(catch)]
        pub fn home(name: &str) -> Result<web_sys::WebSocket, JsValue>;
        pub async fn summary() -> JsValue;
        pub async fn record(id: &str) -> JsValue;
    }
}

/// The line to the table of a server: the one that was asked for while the program came, or a new one. It may be open already.
///
/// # Errors
/// No socket leads to such an address.
pub fn line(url: &str) -> Result<web_sys::WebSocket, JsValue> {
    lines::line(url)
}

/// Opens the table of this device of this name: what was put down for it with [`want_at_home`], or what it was.
///
/// # Errors
/// This browser has no workers.
pub fn home_line(name: &str) -> Result<web_sys::WebSocket, JsValue> {
    lines::home(name)
}

/// What is played at the table of this device (a `TableSummary`), once it is open.
pub async fn home_summary() -> String {
    lines::summary().await.as_string().unwrap_or_default()
}

/// The record of a match of a table of this device: what the browser keeps of it.
pub async fn record_at_home(id: &str) -> String {
    lines::record(id).await.as_string().unwrap_or_default()
}

/// Where it is put down what the table of this device is to be opened with, and what is played there.
fn at_home_key(name: &str, on: bool) -> String {
    format!("parlour.home.{name}{}", if on { ".on" } else { "" })
}

/// Puts down what the table of this device of this name is to be opened with (a `home::Wanted`).
pub fn want_at_home<T: Serialize>(name: &str, wanted: &T) {
    store(&at_home_key(name, false), wanted);
}

/// Puts down the title of the match that goes on at the table of this device; none once it is over.
pub fn goes_on_at_home(name: &str, title: Option<&str>) {
    match title {
        Some(title) => store(&at_home_key(name, true), &title),
        None => forget(&at_home_key(name, true)),
    }
}

/// The title of the match that goes on there.
#[must_use]
pub fn on_at_home(name: &str) -> Option<String> {
    load(&at_home_key(name, true))
}

/// Asks, and waits for yes or no.
#[must_use]
pub fn confirm(question: &str) -> bool {
    window().is_some_and(|window| window.confirm_with_message(question).unwrap_or(false))
}

/// Forgets what this device keeps of whoever plays here: their name, and the tables of this device.
pub async fn forget_at_home() {
    for name in ["pattern", "contract"] {
        forget(&at_home_key(name, false));
        forget(&at_home_key(name, true));
    }
    let _ = speech::forget().await;
}

/// Whether the browser could keep the app: it does where nobody on the way can change it.
#[must_use]
pub fn may_keep_app() -> bool {
    window().is_some_and(|window| window.is_secure_context())
}

/// Keeps the app on this device, so that it opens without a network. False if the browser will not.
pub async fn keep_app() -> bool {
    speech::keep().await.is_ok_and(|kept| kept.is_truthy())
}

/// The languages that there are: the code of each, and what it calls itself.
#[must_use]
pub fn languages() -> Vec<(String, String)> {
    let lines = speech::languages();
    lines
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(id, name)| (id.to_owned(), name.to_owned()))
        .collect()
}

/// The language of the page.
#[must_use]
pub fn page_language() -> String {
    document().and_then(|d| d.document_element()).and_then(|e| e.get_attribute("lang")).unwrap_or_default()
}

const LANGUAGE: &str = "parlour.language";

/// The language that was chosen, if one was.
#[must_use]
pub fn chosen_language() -> Option<String> {
    storage()?.get_item(LANGUAGE).ok()?
}

/// Chooses a language, or leaves it to the browser. The page comes in it when it is loaded anew.
pub fn choose_language(id: Option<&str>) {
    match (storage(), id) {
        (Some(storage), Some(id)) => _ = storage.set_item(LANGUAGE, id),
        _ => forget(LANGUAGE),
    }
    reload();
}

/// What Unicode calls the form of words that goes with a number: `one`, `other`.
#[must_use]
pub fn plural(n: f64) -> String {
    // Tests run in no browser, and speak English.
    if cfg!(test) {
        return if n == 1.0 { "one" } else { "other" }.to_owned();
    }
    speech::plural(n)
}

/// A number with so many digits after the point.
#[must_use]
pub fn number(value: f64, digits: u32) -> String {
    speech::number(value, digits)
}

/// A whole number that may be too long to count with, from its digits; as it stands where it is none.
#[must_use]
pub fn whole_number(digits: &str) -> String {
    speech::whole(digits).unwrap_or_else(|_| digits.to_owned())
}

/// A day and time as this person writes them.
#[must_use]
pub fn date_text(unix_ms: f64) -> String {
    speech::time(unix_ms)
}

/// A day such as `2026-11-23` as this person writes it.
#[must_use]
pub fn day_text(date: &str) -> String {
    speech::day(date)
}

/// The element with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<web_sys::HtmlElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// What the page's `<meta name>` says.
#[must_use]
pub fn meta(name: &str) -> Option<String> {
    find(&format!("meta[name='{name}']"))?.get_attribute("content")
}

/// The first element a selector finds.
#[must_use]
pub fn find(selector: &str) -> Option<web_sys::HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// The elements a selector finds.
fn all(selector: &str) -> Vec<web_sys::Element> {
    let Some(list) = document().and_then(|d| d.query_selector_all(selector).ok()) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

/// Moves the keyboard to the first element a selector finds.
pub fn focus(selector: &str) {
    if let Some(element) = find(selector) {
        let _ = element.focus();
    }
}

/// Scrolls a list so that one of the things in it that a selector finds is in sight; not at all if one is.
pub fn reveal(list: &str, selector: &str) {
    let (Some(list), Some(first)) = (find(list), find(selector)) else { return };
    let there = list.get_bounding_client_rect();
    let inside = all(selector).into_iter().any(|e| {
        let r = e.get_bounding_client_rect();
        r.top() >= there.top() && r.bottom() <= there.bottom()
    });
    if !inside {
        let by = first.get_bounding_client_rect().top() - there.top();
        list.set_scroll_top(list.scroll_top() + by as i32 - 8);
    }
}

/// Where the first element of this selector ends, in pixels from the top of the window; 0 if there is none.
#[must_use]
pub fn bottom_of(selector: &str) -> f64 {
    find(selector).map_or(0.0, |element| element.get_bounding_client_rect().bottom())
}

/// Whether the keyboard is in a field that takes text, so that letters are no commands.
#[must_use]
pub fn typing() -> bool {
    document().and_then(|d| d.active_element()).is_some_and(|e| {
        matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            && !matches!(e.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "range" | "button"))
    })
}

/// Whether this is the beginning of a press that counts at once. What it does then is done: the click that ends it goes to nothing that
/// stands under the finger by then.
pub fn presses(event: &web_sys::PointerEvent) -> bool {
    let counts = event.button() == 0 && event.is_primary();
    if counts {
        hold_click();
    }
    counts
}

fn hold_click() {
    thread_local! {
        /// Whether the next click belongs to such a press. Whoever presses anew has ended it.
        static HELD: Cell<bool> = const { Cell::new(false) };
        static WATCHES: Cell<bool> = const { Cell::new(false) };
    }
    HELD.set(true);
    let Some(window) = window().filter(|_| !WATCHES.replace(true)) else { return };
    let watch = |event: &str, then: Closure<dyn FnMut(web_sys::UiEvent)>| {
        let _ = window.add_event_listener_with_callback_and_bool(event, then.as_ref().unchecked_ref(), true);
        // It is kept as long as the page.
        then.forget();
    };
    watch("pointerdown", Closure::new(|_| HELD.set(false)));
    watch(
        "click",
        Closure::new(|event: web_sys::UiEvent| {
            // Keys and programs count no clicks.
            if event.detail() > 0 && HELD.take() {
                event.stop_propagation();
                event.prevent_default();
            }
        }),
    );
}

/// Whether the page can be seen.
#[must_use]
pub fn visible() -> bool {
    document().is_none_or(|d| !d.hidden())
}

/// Runs `then` whenever the page is shown or hidden. The event is the document's; it does bubble to the window.
pub fn on_visibility(then: impl Fn() + 'static) -> leptos::prelude::WindowListenerHandle {
    leptos::prelude::window_event_listener_untyped("visibilitychange", move |_| then())
}

/// Runs `then` once after `millis`.
pub fn after(millis: i32, then: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let callback = Closure::once_into_js(then);
        let _ =
            window.set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), millis);
    }
}

/// A letter as a capital. The browser has the tables for that anyhow; those of the standard library would be loaded before a table
/// shows.
#[must_use]
pub fn capital(letter: char) -> String {
    js_sys::JsString::from(letter).to_upper_case().into()
}

/// A text with its first letter as a [`capital`].
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(capital).unwrap_or_default();
    first + letters.as_str()
}

/// A text in small letters, by the browser's tables as well.
#[must_use]
pub fn small_letters(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Waits for `millis`.
pub async fn sleep(millis: i32) {
    let waited = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = window() {
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(waited).await;
}

/// Lets the browser answer and draw what waits for that, before a piece of work that takes a slow device long.
pub async fn turn() {
    sleep(0).await;
}

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

/// Runs `then` before the next picture is drawn.
pub fn next_frame(then: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let callback = Closure::once_into_js(move |_: JsValue| then());
        let _ = window.request_animation_frame(callback.unchecked_ref());
    }
}

#[wasm_bindgen]
extern "C" {
    type ClipboardOwner;
    #[wasm_bindgen(method, getter)]
    fn clipboard(this: &ClipboardOwner) -> Option<Clip>;
    type Clip;
    #[wasm_bindgen(method, catch, js_name = writeText)]
    async fn write_text(this: &Clip, text: &str) -> Result<JsValue, JsValue>;

    type Animated;
    #[wasm_bindgen(method, catch)]
    fn animate(this: &Animated, frames: &JsValue, options: &JsValue) -> Result<Movement, JsValue>;
    type Movement;
    #[wasm_bindgen(method)]
    fn cancel(this: &Movement);

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

/// Random bytes from the browser's generator, which needs no secure context. None if the browser has none.
#[must_use]
pub fn random_bytes() -> Option<[u8; 32]> {
    let bytes = js_sys::Uint8Array::new_with_length(32);
    window()?.crypto().ok()?.get_random_values_with_js_u8_array(&bytes).ok()?;
    bytes.to_vec().try_into().ok()
}

/// Whether cards may move: the person's wish, else the device's.
#[must_use]
pub fn may_move() -> bool {
    let wish = document()
        .and_then(|d| d.document_element())
        .and_then(|e| e.get_attribute("data-motion"))
        .unwrap_or_default();
    match wish.as_str() {
        "full" => true,
        "reduced" => false,
        _ => !window()
            .and_then(|w| w.match_media("(prefers-reduced-motion: reduce)").ok().flatten())
            .is_some_and(|m| m.matches()),
    }
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (key, value) in fields {
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

thread_local! {
    /// What moves cards since the page changed last.
    static MOVEMENTS: RefCell<Vec<Movement>> = const { RefCell::new(Vec::new()) };
}

/// Where every element that is marked `data-flip` stands now.
pub struct Places(Vec<Place>);

/// Where an element stood.
struct Place {
    key: String,
    element: web_sys::Element,
    at: web_sys::DomRect,
}

fn marked() -> impl Iterator<Item = (String, web_sys::Element)> {
    all("[data-flip]").into_iter().filter_map(|e| Some((e.get_attribute("data-flip")?, e)))
}

impl Places {
    /// Measures, before the page changes.
    #[must_use]
    pub fn now() -> Places {
        if !may_move() || !visible() {
            return Places(Vec::new());
        }
        let place = |(key, element): (String, web_sys::Element)| {
            let at = element.get_bounding_client_rect();
            Place { key, element, at }
        };
        Places(marked().map(place).collect())
    }

    /// After the page has changed: lets each card travel from where it was to where it is. A card that was nowhere comes
    /// from the element named by its `data-from` (a selector), if that is on the page. One that is gone rises, and goes to the
    /// element that says in its `data-takes` who took it.
    pub fn play(self) {
        if self.0.is_empty() {
            return;
        }
        next_frame(move || {
            // Each goes on from where it was seen last. Two movements of one card would not be left to the compositor, and where
            // it is to be is seen only without them.
            MOVEMENTS.take().iter().for_each(Movement::cancel);
            // All are measured before any is moved: to measure after a change the page would be laid out anew for each card.
            let place = |element: &web_sys::Element| {
                let at = element.get_bounding_client_rect();
                (at.left(), at.top(), at.width())
            };
            let paths: Vec<_> = marked()
                .filter_map(|(key, element)| {
                    let to = place(&element);
                    let old = self.0.iter().find(|place| place.key == key);
                    let from = match old {
                        Some(Place { at, .. }) => (at.left(), at.top(), at.width()),
                        None => place(find(&element.get_attribute("data-from")?)?.as_ref()),
                    };
                    (to.2 > 0.0 && from.2 > 0.0).then(|| (element, from, to, old.is_none()))
                })
                .collect();
            let mut arriving = 0;
            for (element, (x, y, w), to, comes) in paths {
                let (dx, dy, scale) = (x - to.0, y - to.1, w / to.2);
                if dx.abs() < 1.0 && dy.abs() < 1.0 && (scale - 1.0).abs() < 0.02 {
                    continue;
                }
                let delay = f64::from(arriving) * 45.0;
                arriving += i32::from(comes);
                let frames = js_sys::Array::of2(
                    &object(&[("transformOrigin", "0 0".into()), ("transform", moved(dx, dy, scale).into())]),
                    &object(&[("transformOrigin", "0 0".into()), ("transform", "none".into())]),
                );
                let options = object(&[
                    ("duration", 260.into()),
                    ("delay", if comes { delay } else { 0.0 }.into()),
                    ("fill", "backwards".into()),
                    ("easing", "cubic-bezier(.2,.8,.3,1)".into()),
                ]);
                if let Ok(movement) = element.unchecked_into::<Animated>().animate(&frames, &options) {
                    MOVEMENTS.with_borrow_mut(|all| all.push(movement));
                }
            }
            for place in self.0.iter().filter(|place| !place.element.is_connected()) {
                let _ = place.taken();
            }
        });
    }
}

/// Milliseconds from when a taken card rises until it is with its taker. It stands for three fifths of them.
const TAKEN: i32 = 1150;

impl Place {
    /// Lets the card that was here rise, stay for a moment, and go to its taker. None if nobody says to have taken it.
    fn taken(&self) -> Option<()> {
        let taker = find(&format!("[data-takes~='{}']", self.key))?;
        let picture = self.element.query_selector("svg").ok()??;
        let ghost = document()?.create_element("div").ok()?;
        let at = &self.at;
        let seat = taker.get_attribute("style").unwrap_or_default();
        let place = |name: &str, pixels: f64| format!("{name}:{}px;", pixels.round() as i32);
        let style = [("left", at.left()), ("top", at.top()), ("width", at.width()), ("height", at.height())]
            .map(|(name, pixels)| place(name, pixels))
            .concat();
        let set = |name: &str, value: &str| ghost.set_attribute(name, value).ok();
        set("class", "taken")?;
        set("aria-hidden", "true")?;
        set("style", &(style + &seat))?;
        ghost.append_child(&picture.clone_node_with_deep(true).ok()?).ok()?;
        document()?.body()?.append_child(&ghost).ok()?;
        let to = taker.get_bounding_client_rect();
        let middle = |start: f64, length: f64| start + length / 2.0;
        let away = moved(
            middle(to.left(), to.width()) - middle(at.left(), at.width()),
            middle(to.top(), to.height()) - middle(at.top(), at.height()),
            0.25,
        );
        let frame = |offset: f64, transform: &str, opacity: f64| {
            object(&[("offset", offset.into()), ("transform", transform.into()), ("opacity", opacity.into())])
        };
        // The cards that come in its place may be looked at as soon as they count.
        let frames = js_sys::Array::of5(
            &frame(0.0, "none", 1.0),
            &frame(0.12, &moved(0.0, -4.0, 1.07), 1.0),
            &frame(0.35, &moved(0.0, -4.0, 1.07), 1.0),
            &frame(0.62, &moved(0.0, -4.0, 1.07), 0.75),
            &frame(1.0, &away, 0.2),
        );
        let options = object(&[("duration", TAKEN.into()), ("easing", "ease-in-out".into())]);
        let _ = ghost.clone().unchecked_into::<Animated>().animate(&frames, &options);
        after(TAKEN, move || ghost.remove());
        Some(())
    }
}

/// A transform in whole pixels and thousandths. (What writes fractions weighs more than all that is moved by them.)
fn moved(dx: f64, dy: f64, scale: f64) -> String {
    format!(
        "translate({}px,{}px) scale({}e-3)",
        dx.round() as i32,
        dy.round() as i32,
        (scale * 1000.0) as i32
    )
}

/// What the browser says of itself: `what` of this part of its navigator; none where it does not say.
fn navigator_says(part: &str, what: &str) -> Option<bool> {
    let navigator = web_sys::window()?.navigator();
    let part = js_sys::Reflect::get(&navigator, &part.into()).ok()?;
    js_sys::Reflect::get(&part, &what.into()).ok()?.as_bool()
}

/// Whether this device asks for as little as possible to be loaded.
pub fn saves_data() -> bool {
    navigator_says("connection", "saveData") == Some(true)
}

/// Whether this person has pressed something since the page was opened: until then browsers allow neither sound nor vibration.
/// Where the browser does not say, nothing stands against it.
fn has_been_active() -> bool {
    navigator_says("userActivation", "hasBeenActive") != Some(false)
}

/// What is heard comes out here.
fn audio(play: impl FnOnce(&web_sys::AudioContext)) {
    thread_local! {
        static AUDIO: std::cell::OnceCell<Option<web_sys::AudioContext>> = const { std::cell::OnceCell::new() };
    }
    if !has_been_active() {
        return;
    }
    AUDIO.with(|cell| {
        let Some(audio) = cell.get_or_init(|| web_sys::AudioContext::new().ok()) else { return };
        let _ = audio.resume();
        play(audio);
    });
}

/// Lets the motor of a phone run for so many milliseconds, where there is one.
pub fn vibrate(millis: u32) {
    let Some(navigator) = web_sys::window().map(|window| window.navigator()) else { return };
    if has_been_active() && js_sys::Reflect::has(&navigator, &"vibrate".into()).unwrap_or(false) {
        let _ = navigator.vibrate_with_duration(millis);
    }
}

/// Cards that slide over the cloth, so many one after another: a breath of noise that fades.
pub fn rustle(cards: u32) {
    if cards == 0 {
        return;
    }
    audio(|audio| {
        let rate = audio.sample_rate();
        let length = (rate * 0.07) as usize;
        let mut noise = vec![0.0_f32; length];
        let mut before = 0.0;
        for (n, sample) in noise.iter_mut().enumerate() {
            let fades = 1.0 - n as f32 / length as f32;
            // Each sample leans on the one before: paper is duller than white noise.
            before = 0.6 * before + 0.4 * (js_sys::Math::random() as f32 * 2.0 - 1.0);
            *sample = before * fades * fades * 0.35;
        }
        let play = || -> Result<(), JsValue> {
            let buffer = audio.create_buffer(1, length as u32, rate)?;
            buffer.copy_to_channel(&noise, 0)?;
            for n in 0..cards {
                let source = audio.create_buffer_source()?;
                source.set_buffer(Some(&buffer));
                source.connect_with_audio_node(&audio.destination())?;
                source.start_with_when(audio.current_time() + f64::from(n) * 0.09)?;
            }
            Ok(())
        };
        let _ = play();
    });
}

/// Plays tones one after another: frequency in hertz and length in milliseconds of each.
pub fn tones(tones: &[(f32, u32)]) {
    if tones.is_empty() {
        return;
    }
    audio(|audio| {
        let mut at = audio.current_time();
        for &(frequency, millis) in tones {
            let end = at + f64::from(millis) / 1000.0;
            let play = || -> Result<(), JsValue> {
                let (tone, gain) = (audio.create_oscillator()?, audio.create_gain()?);
                tone.set_type(web_sys::OscillatorType::Triangle);
                tone.frequency().set_value(frequency);
                gain.gain().set_value_at_time(0.0001, at)?;
                gain.gain().exponential_ramp_to_value_at_time(0.12, at + 0.015)?;
                gain.gain().exponential_ramp_to_value_at_time(0.0001, end)?;
                tone.connect_with_audio_node(&gain)?.connect_with_audio_node(&audio.destination())?;
                tone.start_with_when(at)?;
                tone.stop_with_when(end + 0.02)
            };
            let _ = play();
            at = end;
        }
    });
}

/// Keeps a pointer's events with the element it came down on.
pub fn capture(event: &web_sys::PointerEvent) {
    if let Some(element) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Pixels beside a target at which a drop still means it: a finger hides what it is over.
const NEAR: f64 = 36.0;

/// The `data-drop` of what lies under a point, else of what is nearest to it, if that is near.
#[must_use]
pub fn drop_target(at: (f64, f64)) -> Option<String> {
    let element = document()?.element_from_point(at.0 as f32, at.1 as f32)?;
    if let Some(under) = element.closest("[data-drop]").ok()? {
        return under.get_attribute("data-drop");
    }
    let mut near: Option<(f64, String)> = None;
    for element in all("[data-drop]") {
        let r = element.get_bounding_client_rect();
        let beside = |from: f64, to: f64, at: f64| (from - at).max(at - to).max(0.0);
        let far = beside(r.left(), r.right(), at.0).hypot(beside(r.top(), r.bottom(), at.1));
        if r.width() > 0.0 && far <= NEAR && near.as_ref().is_none_or(|(best, _)| far < *best) {
            near = element.get_attribute("data-drop").map(|name| (far, name));
        }
    }
    near.map(|(_, name)| name)
}

/// The card of the hand before which something dropped at a point belongs: the first in reading order whose middle lies
/// behind the point. Those that are being moved do not count.
#[must_use]
pub fn card_after(at: (f64, f64), moving: &[u32]) -> Option<u32> {
    all("[data-drop='hand'] [data-key]").into_iter().find_map(|element| {
        let key: u32 = element.get_attribute("data-key")?.parse().ok()?;
        let r = element.get_bounding_client_rect();
        let below = at.1 > r.bottom();
        let before = at.1 < r.top() || (!below && at.0 < r.left() + (r.width() / 2.0).min(24.0));
        (before && !moving.contains(&key)).then_some(key)
    })
}

#[wasm_bindgen]
extern "C" {
    type MutationObserver;
    #[wasm_bindgen(constructor)]
    fn new(seen: &JsValue) -> MutationObserver;
    #[wasm_bindgen(method)]
    fn observe(this: &MutationObserver, target: &JsValue, options: &JsValue);
}

/// What can have the keyboard, where it goes when what had it has gone.
const FOCUSABLE: &str = "button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)";

/// Keeps the keyboard where it was: if what has it is taken away, what is nearest gets it, and cards before buttons
/// (`data-home`); the page as a whole if a large part of it has changed (`data-rest`). Else it would begin anew at the top.
pub fn keep_focus() {
    type Chain = Vec<web_sys::Element>;
    thread_local! {
        /// What has the keyboard, and what that stands in, from the inside out.
        static HAS: std::cell::RefCell<Chain> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let came = leptos::prelude::window_event_listener_untyped("focusin", |event| {
        let mut next = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let mut chain = Vec::new();
        while let Some(element) = next {
            next = element.parent_element();
            chain.push(element);
        }
        HAS.set(chain);
    });
    // It is kept as long as the page.
    std::mem::forget(came);
    let seen = Closure::<dyn FnMut()>::new(|| {
        let lost = document().and_then(|d| d.active_element()).is_none_or(|e| e.tag_name() == "BODY");
        // It is asked with every change of the page, and has almost always been kept.
        if !lost || HAS.with_borrow(|chain| chain.first().is_none_or(|had| had.is_connected())) {
            return;
        }
        let chain = HAS.with_borrow(Vec::clone);
        let same =
            chain[0].get_attribute("data-testid").map(|id| format!("[data-testid='{id}']:not(:disabled)"));
        for place in chain.into_iter().filter(|place| place.is_connected()) {
            let found = |selector: &str| place.query_selector(selector).ok().flatten();
            let next = if place.has_attribute("data-rest") {
                document().and_then(|d| d.get_element_by_id("main"))
            } else {
                let same = same.as_deref().and_then(found);
                same.or_else(|| found("[data-home]")).or_else(|| found(FOCUSABLE))
            };
            if let Some(next) = next.and_then(|next| next.dyn_into::<web_sys::HtmlElement>().ok()) {
                let options = object(&[("preventScroll", true.into())]);
                let _ = js_sys::Reflect::get(&next, &"focus".into())
                    .and_then(|focus| focus.unchecked_into::<js_sys::Function>().call1(&next, &options));
                return;
            }
        }
    });
    if let Some(body) = document().and_then(|d| d.body()) {
        let options = object(&[("childList", true.into()), ("subtree", true.into())]);
        MutationObserver::new(seen.as_ref()).observe(&body, &options);
    }
    seen.forget();
}

/// Moves the keyboard to the next or the last card beside an element.
pub fn focus_sibling(element: &web_sys::HtmlElement, by: i32) {
    let next = if by > 0 { element.next_element_sibling() } else { element.previous_element_sibling() };
    if let Some(next) = next.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = next.focus();
    }
}
