//! What a page leaves for the next one in its tab: that of the lobby for that of a table, where the first cards of a match were seen before
//! it came (`pages/first.rs`); that of a table for the same one opened anew, what happened there.

use crate::dom;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use wire::client::{Client, Keepsake};

/// The id of what shows the first cards, over the page, until the table is there.
pub const FIRST: &str = "first";

const CLIENT: &str = "parlour.client";
const TOLD: &str = "parlour.told";

/// Leaves what is shown of the first cards for the page of this table, whose script shows it again before its program has come (`line.js`);
/// with it go the shapes that cards are drawn with, and how they are to look.
pub fn leave_first(table: &str) {
    if let Some(first) = dom::by_id(FIRST) {
        dom::copy_into(&first, ".defs");
        dom::leave_in_tab("parlour.first", &(table, first.outer_html(), dom::looks()));
    }
}

/// Takes the first cards away as soon as the screen of the match is there, or what is wrong is said, or it has taken ten seconds.
pub fn end_first() {
    const EACH: i32 = 30;
    fn look(millis: i32) {
        let Some(first) = dom::by_id(FIRST) else { return };
        let there = dom::find(".match:not(.first), main [role='alert'], .connection:not(.quiet)").is_some();
        if there || millis > 10_000 {
            first.remove();
        } else {
            dom::after(EACH, move || look(millis + EACH));
        }
    }
    look(0);
}

/// Leaves what a client was at this table for the one of its page.
pub fn leave_client(table: &str, client: &Keepsake) {
    dom::leave_in_tab(CLIENT, &(table, client));
}

/// A client for this table: one that goes on in the place of another one, if that one's page left it for this, or a new one.
#[must_use]
pub fn client<V>(table: &str) -> Client<V>
where
    V: game::View<Command: Clone, Notice: DeserializeOwned> + DeserializeOwned,
{
    let kept: Option<(String, Keepsake)> = dom::take_from_tab(CLIENT);
    if let Some((_, kept)) = kept.filter(|(of, _)| of == table) {
        return Client::in_place_of(kept, dom::now());
    }
    let random = |n: usize| -> Vec<u8> { (0..n).map(|_| (js_sys::Math::random() * 256.0) as u8).collect() };
    let number = u32::from_le_bytes(random(4).try_into().unwrap_or_default());
    let secret: [u8; 32] = dom::random_bytes().unwrap_or_else(|| random(32).try_into().unwrap_or_default());
    Client::new(number, secret)
}

/// Leaves what was told of a match at this table, as the frames that told it, for the page that is opened anew there.
pub fn leave_told(table: &str, game: u32, frames: &VecDeque<String>) {
    if !frames.is_empty() {
        dom::leave_in_tab(TOLD, &(table, game, frames));
    }
}

/// What was told of a match at this table before its page was opened anew, and which match that was.
#[must_use]
pub fn told(table: &str) -> Option<(u32, VecDeque<String>)> {
    let (of, game, frames): (String, u32, VecDeque<String>) = dom::take_from_tab(TOLD)?;
    (of == table).then_some((game, frames))
}
