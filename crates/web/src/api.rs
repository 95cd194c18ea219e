//! Asking the server over HTTP: who am I, which tables are there, make one.

use crate::route::Route;
use crate::{dom, lang, t};
use leptos::prelude::*;
use rulebook::Family;
use serde::{Serialize, de::DeserializeOwned};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wire::api::{DayDeal, Me, Name, NewTable, Problem, TableMade};

/// Who this guest is, as far as is known; none before the server has said it.
#[derive(Clone, Copy)]
pub struct Guest(pub RwSignal<Option<Me>>, Opening);

/// What shows that a table is being opened, as long as the page is there that it was asked for on.
#[derive(Clone, Copy)]
struct Opening(RwSignal<Option<RwSignal<bool>>>);

impl Opening {
    fn is_under_way(self) -> bool {
        self.0.get().is_some_and(|busy| busy.try_get().unwrap_or_default())
    }

    fn end(self) {
        if let Some(busy) = self.0.try_update(Option::take).flatten() {
            // Its page may be gone.
            let _ = busy.try_set(false);
        }
    }
}

/// What became of a table that was asked for.
type Opened = Result<Option<Route>, String>;

/// Asks who this guest is, and gives the answer to every part. Whom the page greets by name is known before.
pub fn provide() {
    let greeted = dom::meta("guest").map(|name| Me { name: Some(name) });
    let guest = Guest(RwSignal::new(greeted), Opening(RwSignal::new(None)));
    provide_context(guest);
    // A page that was left for a table, and is gone back to, stands as it was left.
    let _ = window_event_listener(leptos::ev::pageshow, move |event| {
        if event.persisted() {
            guest.1.end();
        }
    });
    leptos::task::spawn_local(async move {
        let me = get::<Me>("/api/me").await.unwrap_or(Me { name: None });
        guest.0.set(Some(me));
    });
}

/// Who this guest is.
#[must_use]
pub fn guest() -> Guest {
    expect_context()
}

impl Guest {
    /// Their name, if they have one.
    #[must_use]
    pub fn name(self) -> Option<String> {
        self.0.with(|me| me.as_ref().and_then(|me| me.name.clone()))
    }

    /// Whether a table is being opened that was asked for on this page: then no other is.
    #[must_use]
    pub fn is_opening(self) -> bool {
        self.1.is_under_way()
    }

    /// Opens a table of a family: at the server, or, where it cannot be reached, one against bots on this device. `busy` says
    /// that this is under way, until the page is left for it. None if one is being opened already, or if the person has left the
    /// page that it belongs to, or is about to, and so does not want to go there any more. `meanwhile` is given the id of
    /// the table if its program must be waited for.
    ///
    /// # Errors
    /// A sentence for the person.
    pub async fn open_table(
        self,
        table: &NewTable,
        family: Family,
        busy: RwSignal<bool>,
        meanwhile: impl FnOnce(&str),
    ) -> Opened {
        if untrack(|| self.is_opening()) {
            return Ok(None);
        }
        busy.set(true);
        self.1.0.set(Some(busy));
        let departures = dom::departures();
        let stays = move || departures == dom::departures() && busy.try_get_untracked().is_some();
        let opened = self.opened(table, family, stays, meanwhile).await;
        if opened.as_ref().is_ok_and(Option::is_some) && stays() {
            return opened;
        }
        self.1.end();
        opened.map(|_| None)
    }

    /// The same; `stays` says whether the person still waits for it.
    async fn opened(
        self,
        table: &NewTable,
        family: Family,
        stays: impl Fn() -> bool,
        meanwhile: impl FnOnce(&str),
    ) -> Opened {
        let made = match self.have_a_name().await {
            Ok(()) => post::<TableMade>("/api/tables", table).await,
            Err(why) => Err(why),
        };
        match made {
            Ok(made) => {
                crate::games::begun(&table.game);
                let route = Route::Table(made.id.clone());
                if let Some(all) = dom::before_leaving(family.name(), &route.path()) {
                    if stays() {
                        meanwhile(&made.id);
                    }
                    let _ = JsFuture::from(all).await;
                }
                Ok(Some(route))
            }
            // What is on its way when a page is left is as if nothing could be reached.
            Err(_) if !stays() => Ok(None),
            Err(why) if is_unreached() => self.open_at_home(table, family, None).await.map(Some).ok_or(why),
            Err(why) => Err(why),
        }
    }

    /// Puts down a table to be opened on this device, if all others there are bots. Where a match goes on there, it may stay.
    pub async fn open_at_home(
        self,
        table: &NewTable,
        family: Family,
        day: Option<OfDay<'_>>,
    ) -> Option<Route> {
        /// What is put down: a `home::Wanted`.
        #[derive(Serialize)]
        struct Wanted<'a> {
            table: &'a NewTable,
            name: String,
            day: Option<OfDay<'a>>,
        }
        if table.bots.len() + 1 < usize::from(table.seats) {
            return None;
        }
        let begins = match dom::on_at_home(family.name()) {
            Some(game) => {
                let question = t!("net.replace", game = game);
                dom::asks(&question, &t!("net.replace_yes"), &t!("net.replace_no")).await
            }
            None => true,
        };
        if begins {
            let name = untrack(|| self.name()).unwrap_or_else(made_up_name);
            dom::want_at_home(family.name(), &Wanted { table, name, day });
        }
        Some(Route::Home(family.name().to_owned()))
    }

    /// Takes a made-up name if they have none, so that nobody is asked before the first card. They change it when they like.
    ///
    /// # Errors
    /// Why the server will not have it, in words.
    pub async fn have_a_name(self) -> Result<(), String> {
        // It was asked for when the page came, and is there soon, whatever the answer is.
        while self.0.with_untracked(Option::is_none) {
            dom::sleep(20).await;
        }
        if untrack(|| self.name()).is_some() {
            return Ok(());
        }
        self.rename(made_up_name()).await
    }

    /// Takes a name, or another one.
    ///
    /// # Errors
    /// Why the server will not have it, in words.
    pub async fn rename(self, name: String) -> Result<(), String> {
        let me: Me = put("/api/me", &Name { name }).await?;
        self.0.set(Some(me));
        Ok(())
    }
}

/// A game of a day that is played on this device: a `home::PlayedDay`.
#[derive(Serialize)]
pub struct OfDay<'a> {
    /// The day.
    pub date: &'a str,
    /// What is dealt.
    pub deal: &'a DayDeal,
}

/// An animal and a number, in the language of the page.
fn made_up_name() -> String {
    let (animals, chance) = (t!("name.made_up"), js_sys::Math::random());
    let animals: Vec<&str> = animals.split(", ").collect();
    // One chance for both: the number says how far it lies between two animals.
    let place = chance * animals.len() as f64;
    let number = 2 + (place.fract() * 98.0) as u32;
    format!("{} {number}", animals.get(place as usize).copied().unwrap_or_default())
}

thread_local! {
    /// Whether the last request found no server.
    static UNREACHED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the last request found no server.
#[must_use]
pub fn is_unreached() -> bool {
    UNREACHED.get()
}

/// A `GET`.
///
/// # Errors
/// A sentence for the person.
pub async fn get<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    json(&request("GET", path, None).await?)
}

/// A `PUT` of a JSON body.
///
/// # Errors
/// A sentence for the person.
pub async fn put<T: DeserializeOwned>(path: &str, body: &impl Serialize) -> Result<T, String> {
    json(&request("PUT", path, Some(text(body)?)).await?)
}

/// A `POST` of a JSON body.
///
/// # Errors
/// A sentence for the person.
pub async fn post<T: DeserializeOwned>(path: &str, body: &impl Serialize) -> Result<T, String> {
    json(&request("POST", path, Some(text(body)?)).await?)
}

/// A `DELETE`.
///
/// # Errors
/// A sentence for the person.
pub async fn delete(path: &str) -> Result<(), String> {
    request("DELETE", path, None).await.map(|_| ())
}

/// A `GET` of plain text.
///
/// # Errors
/// A sentence for the person.
pub async fn get_text(path: &str) -> Result<String, String> {
    request("GET", path, None).await
}

fn text(body: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(body).map_err(|e| e.to_string())
}

/// Reads what was answered.
///
/// # Errors
/// A sentence for the person.
pub fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    wire::json::from_str(text).map_err(|_| t!("net.strange"))
}

async fn request(method: &str, path: &str, body: Option<String>) -> Result<String, String> {
    let offline = |_: JsValue| t!("net.offline");
    let init = web_sys::RequestInit::new();
    init.set_method(method);
    init.set_credentials(web_sys::RequestCredentials::SameOrigin);
    let headers = web_sys::Headers::new().map_err(offline)?;
    let _ = headers.set("accept", "application/json");
    if let Some(body) = &body {
        let _ = headers.set("content-type", "application/json");
        init.set_body(&JsValue::from_str(body));
    }
    init.set_headers(&headers);
    let request = web_sys::Request::new_with_str_and_init(path, &init).map_err(offline)?;
    let window = web_sys::window().ok_or_else(|| t!("net.offline"))?;
    let response = JsFuture::from(window.fetch_with_request(&request)).await;
    UNREACHED.set(response.is_err());
    let response: web_sys::Response = response.map_err(offline)?.unchecked_into();
    let text = JsFuture::from(response.text().map_err(offline)?).await.map_err(offline)?;
    let text = text.as_string().unwrap_or_default();
    if response.ok() {
        return Ok(text);
    }
    Err(match wire::json::from_str::<Problem>(&text) {
        Ok(problem) => {
            // What is wrong with rules is said in words that come when they are needed.
            if problem.say.as_ref().is_some_and(|say| lang::tell(say).is_none()) {
                lang::fetch_sheets().await;
            }
            lang::told(problem.say.as_ref(), &problem.error)
        }
        Err(_) => t!("net.status", status = response.status()),
    })
}

/// Address of the socket of a table.
#[must_use]
pub fn socket_url(table: &str) -> String {
    let origin = dom::origin();
    let rest = origin.strip_prefix("http").unwrap_or(&origin);
    format!("ws{rest}/ws/table/{table}")
}
