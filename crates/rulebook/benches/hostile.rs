//! What the dearest texts that a stranger can send cost. `cargo bench -p parlour-rulebook`
//!
//! The server answers everybody on the cores it has: none of these may take more than 50 ms.

#[path = "../tests/common/hostile.rs"]
mod hostile;

use divan::{Bencher, black_box};
use rulebook::house;

fn main() {
    divan::main();
}

fn names(files: fn() -> Vec<(&'static str, String)>) -> Vec<&'static str> {
    files().into_iter().map(|(name, _)| name).collect()
}

fn text(files: fn() -> Vec<(&'static str, String)>, name: &str) -> String {
    files().into_iter().find(|(n, _)| *n == name).expect("a file").1
}

/// `POST /api/rules/read` with a file that can be played.
#[divan::bench(args = names(hostile::playable), sample_count = 10)]
fn meaning(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(hostile::playable, name);
    bencher.bench_local(|| house::meaning(black_box(&text), 4));
}

/// The same with one that cannot.
#[divan::bench(args = names(hostile::broken), sample_count = 10)]
fn refused(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(hostile::broken, name);
    bencher.bench_local(|| house::meaning(black_box(&text), 4));
}

/// The code of a file, there and back.
#[divan::bench(args = names(hostile::playable), sample_count = 10)]
fn code(bencher: Bencher<'_, '_>, name: &str) {
    let text = text(hostile::playable, name);
    bencher.bench_local(|| rulebook::unshare(&rulebook::share(black_box(&text))));
}
