//! Parts of a page that are made one after another, each in a task of its own: so a slow device can draw what is there already,
//! and answer a press, in between.

use crate::dom;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

thread_local! {
    /// What is waited for, in the order in which it was asked for.
    static WAITING: RefCell<VecDeque<RwSignal<bool>>> = const { RefCell::new(VecDeque::new()) };
    /// Whether pages are made whole at the moment.
    static WHOLE: Cell<bool> = const { Cell::new(false) };
}

/// The page that is shown next is made whole: it is to be seen at a place that may be far down.
pub fn at_once() {
    WHOLE.set(true);
    dom::after(0, || WHOLE.set(false));
}

/// The place of a part that is made a moment after what stands before it. Nothing that stands below it must move when it comes; see
/// [`below`].
pub fn soon(part: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    place(Box::new(part), || view! { <span class="soon" hidden></span> }.into_any())
}

/// The same for a part of a page that is read downwards: meanwhile its place fills the window, so that what stands below it is out of
/// sight and is not seen to move.
pub fn below(part: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    place(Box::new(part), || view! { <div class="soon"></div> }.into_any())
}

/// The same, once for all parts.
fn place(part: Box<dyn Fn() -> AnyView + Send + Sync>, meanwhile: fn() -> AnyView) -> AnyView {
    // What is made later reads no more signals than what is made at once.
    let part = move || untrack(&*part);
    if WHOLE.get() {
        return part();
    }
    let made = RwSignal::new(false);
    let first = WAITING.with_borrow_mut(|waiting| {
        waiting.push_back(made);
        waiting.len() == 1
    });
    if first {
        dom::after(0, next);
    }
    (move || if made.get() { part() } else { meanwhile() }).into_any()
}

/// Makes the next part, and has the one after it made in another task; what nobody looks at, for which tasks come seldom, all in one.
fn next() {
    let count = if dom::visible() { 1 } else { usize::MAX };
    let (made, more) = WAITING.with_borrow_mut(|waiting| {
        let made: Vec<_> = waiting.drain(..count.min(waiting.len())).collect();
        (made, !waiting.is_empty())
    });
    if more {
        dom::after(0, next);
    }
    for made in made {
        // Whoever has left the page does not need it any more.
        let _ = made.try_set(true);
    }
}
