//! What a stranger can send, and what must hold whatever it is.
//!
//! Each function here takes bytes and panics if a law is broken. The fuzz targets in `fuzz/` call them with bytes that
//! libFuzzer makes up; the tests of this crate call them with the bytes that were worth keeping, in `fuzz/corpus/`, and with
//! what the project itself has of the kind. See CONTRIBUTING.md for how to run both.
//!
//! Beside its own laws each keeps these: no panic, the same answer when asked twice, and memory in proportion to the input
//! ([`work`]). How long one input may take is the fuzzer's to watch.
//!
//! ```
//! // Whatever it is, it breaks no law: this panics if it does.
//! for bytes in [&b"2 * n + 1"[..], b"((((", b"1 / 0", b"\xff"] {
//!     fuzzing::expression(bytes);
//! }
//! ```

mod command;
mod expression;
mod frame;
mod http;
mod scenario;
mod sheet;
mod stranger;
mod texts;
pub mod work;

pub use command::{contract as command_contract, pattern as command_pattern};
pub use expression::expression;
pub use frame::client_frame;
pub use http::http_body;
pub use scenario::scenario;
pub use sheet::{rule_file, share_code};
pub use stranger::record;

/// A fuzz target: where its saved inputs are, what it calls, and what else there is to begin from.
pub struct Target {
    /// Its name, which is that of its folder in `fuzz/corpus` and of its binary.
    pub name: &'static str,
    /// What it calls with each input.
    pub run: fn(&[u8]),
    /// Files of the project that are inputs as they stand: folders, relative to the root of the project.
    pub beside: &'static [&'static str],
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "rule_file", run: rule_file, beside: &["rules"] },
    Target { name: "expression", run: expression, beside: &[] },
    Target { name: "share_code", run: share_code, beside: &[] },
    Target { name: "scenario", run: scenario, beside: &["scenarios"] },
    Target { name: "record", run: record, beside: &["crates/record/tests/records"] },
    Target { name: "command_pattern", run: command_pattern, beside: &[] },
    Target { name: "command_contract", run: command_contract, beside: &[] },
    Target { name: "client_frame", run: client_frame, beside: &[] },
    Target { name: "http_body", run: http_body, beside: &[] },
];
