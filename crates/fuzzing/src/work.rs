//! Work that is counted: the bytes that something asks of the allocator, so that a bound on it is the same on every machine.
//!
//! Almost all that the readers of this project do with an input is to build values from it, so this bounds their time, too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    static HERE: Cell<usize> = const { Cell::new(0) };
}

static ALL: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting what it hands out.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: usize) {
    ALL.fetch_add(bytes, Ordering::Relaxed);
    // A thread that ends frees and allocates after its counters are gone.
    let _ = HERE.try_with(|here| here.set(here.get().wrapping_add(bytes)));
}

// SAFETY: all is done by the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Does something for which this thread may allocate `most` bytes in all.
///
/// # Panics
/// If it takes more.
pub fn within<T>(what: &str, most: usize, work: impl FnOnce() -> T) -> T {
    let before = HERE.get();
    let value = work();
    judge(what, most, HERE.get().wrapping_sub(before));
    value
}

/// Does something for which all threads together may allocate `most` bytes in all.
///
/// # Panics
/// If they take more.
pub fn within_all<T>(what: &str, most: usize, work: impl FnOnce() -> T) -> T {
    let before = ALL.load(Ordering::Relaxed);
    let value = work();
    judge(what, most, ALL.load(Ordering::Relaxed).wrapping_sub(before));
    value
}

fn judge(what: &str, most: usize, took: usize) {
    if std::env::var_os("PARLOUR_WORK").is_some() {
        eprintln!("{what}: {took} bytes of {most}");
    }
    assert!(took <= most, "{what} asked for {took} bytes of memory in all, {most} are the most");
}

/// The most for an input of so many bytes: what any input takes, and so much for each byte of it.
#[must_use]
pub const fn most(base: usize, each: usize, input: usize) -> usize {
    base + each * input
}
