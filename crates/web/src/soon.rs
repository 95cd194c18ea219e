//! Parts of a page that are made one after another, each in a task of its own: so a slow device can draw what is there already,
//! and answer a press, in between. What nobody is near to waits until somebody stirs, or until the beginning could be read.

use crate::dom;
use leptos::{ev, prelude::*};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// How long who reads the beginning of a page is not disturbed by what lies far below, in milliseconds.
const REST: i32 = 3000;

/// A part that is to be made.
struct Part {
    made: RwSignal<bool>,
    /// Whether it can wait while it is far below; see [`below`].
    below: bool,
}

/// What is being done about the parts that wait.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    /// Nothing; none waits.
    None,
    /// One is made after the other.
    On,
    /// The next ones are far below, and nobody has stirred.
    Rests,
    /// One is made after the other wherever it is, since somebody has stirred, or might by now.
    All,
}

thread_local! {
    /// What is waited for, in the order in which it was asked for.
    static WAITING: RefCell<VecDeque<Part>> = const { RefCell::new(VecDeque::new()) };
    static WORK: Cell<Work> = const { Cell::new(Work::None) };
    /// Whether pages are made whole at the moment.
    static WHOLE: Cell<bool> = const { Cell::new(false) };
}

/// Watches whether somebody goes on in the page.
pub fn provide() {
    window_event_listener(ev::scroll, |_| stir());
    window_event_listener(ev::pointerdown, |_| stir());
    window_event_listener(ev::keydown, |_| stir());
}

/// The page that is shown next is made whole: it is to be seen at a place that may be far down.
pub fn at_once() {
    WHOLE.set(true);
    dom::after(0, || WHOLE.set(false));
}

/// Makes all that is still waited for, since somebody wants to be somewhere in it. Says whether there was any.
pub fn all_now() -> bool {
    let any = WAITING.with_borrow(|waiting| !waiting.is_empty());
    if any {
        at_once();
        make(usize::MAX);
    }
    any
}

/// The place of a part that is made a moment after what stands before it. Nothing that stands below it must move when it comes; see
/// [`below`].
pub fn soon(part: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    place(Box::new(part), false, || view! { <span class="soon" hidden></span> }.into_any())
}

/// The same for a part of a page that is read downwards: meanwhile its place fills the window, so that what stands below it is out of
/// sight and is not seen to move. Where it is far below it waits until somebody stirs, three seconds at most.
pub fn below(part: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    place(Box::new(part), true, || view! { <div class="soon"></div> }.into_any())
}

/// The same, once for all parts.
fn place(part: Box<dyn Fn() -> AnyView + Send + Sync>, below: bool, meanwhile: fn() -> AnyView) -> AnyView {
    // What is made later reads no more signals than what is made at once.
    let part = move || untrack(&*part);
    if WHOLE.get() {
        return part();
    }
    let made = RwSignal::new(false);
    WAITING.with_borrow_mut(|waiting| waiting.push_back(Part { made, below }));
    // Another page has come than the one whose parts rested.
    if matches!(WORK.get(), Work::None | Work::Rests) {
        WORK.set(Work::On);
        dom::after(0, next);
    }
    (move || if made.get() { part() } else { meanwhile() }).into_any()
}

/// Somebody goes on in the page, or might.
fn stir() {
    if WORK.get() == Work::Rests {
        WORK.set(Work::All);
        dom::after(0, next);
    }
}

/// Makes the next part, and has the one after it made in another task; what nobody looks at, for which tasks come seldom, all in one.
fn next() {
    if !dom::visible() {
        return make(usize::MAX);
    }
    let waits = WAITING.with_borrow(|waiting| waiting.front().is_some_and(|part| part.below));
    if waits && WORK.get() == Work::On && dom::is_far_below("div.soon") {
        WORK.set(Work::Rests);
        return dom::after(REST, stir);
    }
    make(1);
    if WORK.get() != Work::None {
        dom::after(0, next);
    }
}

/// Makes so many parts of those that wait.
fn make(count: usize) {
    let made: Vec<_> = WAITING.with_borrow_mut(|waiting| {
        let made = waiting.drain(..count.min(waiting.len())).collect();
        if waiting.is_empty() {
            WORK.set(Work::None);
        }
        made
    });
    for Part { made, .. } in made {
        // Whoever has left the page does not need it any more.
        let _ = made.try_set(true);
    }
}
