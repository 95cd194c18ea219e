//! Cards that move to where they are.

use super::{after, all, document, find, next_frame, object, visible, window};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    type Animated;
    #[wasm_bindgen(method, catch)]
    fn animate(this: &Animated, frames: &JsValue, options: &JsValue) -> Result<Movement, JsValue>;
    type Movement;
    #[wasm_bindgen(method)]
    fn cancel(this: &Movement);
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
