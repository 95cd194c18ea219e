//! What the server counts, in the text form that Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Counters and gauges of one server.
#[derive(Debug)]
pub struct Metrics {
    started: Instant,
    /// Refused input by reason; few reasons, so a lock and a map serve.
    refused: Mutex<BTreeMap<&'static str, Reason>>,
    /// Requests answered.
    pub requests: Counter,
    /// Connections open now.
    pub connections: Gauge,
    /// Sockets open now.
    pub sockets: Gauge,
    /// Messages received on sockets.
    pub messages_in: Counter,
    /// Frames sent on sockets.
    pub frames_out: Counter,
    /// Bytes of frames sent on sockets.
    pub bytes_out: Counter,
    /// Tables made.
    pub tables_made: Counter,
    /// Guests made.
    pub guests_made: Counter,
}

/// Input refused for one reason.
#[derive(Debug, Default)]
struct Reason {
    count: u64,
    /// The second, from 1, in which the log last heard of it.
    told: u64,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            started: Instant::now(),
            refused: Mutex::default(),
            requests: Counter::default(),
            connections: Gauge::default(),
            sockets: Gauge::default(),
            messages_in: Counter::default(),
            frames_out: Counter::default(),
            bytes_out: Counter::default(),
            tables_made: Counter::default(),
            guests_made: Counter::default(),
        }
    }
}

/// What the tables and their clock count.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableCounts {
    /// Tables in memory.
    pub in_memory: usize,
    /// Tables asleep on the disk.
    pub asleep: usize,
    /// How often the clock has woken a table.
    pub wake_ups: u64,
}

/// What is counted (name, whether it only grows, what it is, value), as it is read.
pub fn text(rows: &[(&str, &str, &str, u64)]) -> String {
    let mut out = String::new();
    for (name, kind, help, value) in rows {
        writeln!(out, "# HELP parlour_{name} {help}\n# TYPE parlour_{name} {kind}\nparlour_{name} {value}")
            .expect("strings take all");
    }
    out
}

/// Only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Counts `n` more.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }
    /// So far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How many there are now.
#[derive(Clone, Debug, Default)]
pub struct Gauge(Arc<AtomicU64>);

impl Gauge {
    /// One more, until the answer is dropped.
    #[must_use]
    pub fn enter(&self) -> Inside {
        self.0.fetch_add(1, Ordering::Relaxed);
        Inside(self.0.clone())
    }
    /// Now.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One of those that a [`Gauge`] counts.
#[derive(Debug)]
pub struct Inside(Arc<AtomicU64>);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts an input that was refused, by reason (one word). Whether the log should hear of it, which is told of one a
    /// second: strangers do not fill a disk.
    pub fn refused(&self, reason: &'static str) -> bool {
        let second = self.started.elapsed().as_secs() + 1;
        let mut refused = self.refused.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let row = refused.entry(reason).or_default();
        row.count += 1;
        std::mem::replace(&mut row.told, second) != second
    }

    /// All as text, with what is counted of the tables.
    #[must_use]
    pub fn text(&self, tables: &TableCounts) -> String {
        let rows = [
            ("uptime_seconds", "gauge", "Seconds since the start.", self.started.elapsed().as_secs()),
            ("requests_total", "counter", "HTTP requests answered.", self.requests.get()),
            ("connections", "gauge", "Connections open.", self.connections.get()),
            ("sockets", "gauge", "WebSockets open.", self.sockets.get()),
            ("messages_received_total", "counter", "Messages received on sockets.", self.messages_in.get()),
            ("frames_sent_total", "counter", "Frames sent on sockets.", self.frames_out.get()),
            ("bytes_sent_total", "counter", "Bytes of frames sent on sockets.", self.bytes_out.get()),
            ("tables", "gauge", "Tables in memory.", tables.in_memory as u64),
            ("tables_asleep", "gauge", "Tables asleep on the disk.", tables.asleep as u64),
            ("wake_ups_total", "counter", "Times that the clock has woken a table.", tables.wake_ups),
            ("tables_made_total", "counter", "Tables made.", self.tables_made.get()),
            ("guests_made_total", "counter", "Guests made.", self.guests_made.get()),
        ];
        let mut out = text(&rows);
        out.push_str(
            "# HELP parlour_refused_total Input refused, by reason.\n# TYPE parlour_refused_total counter\n",
        );
        for (reason, Reason { count, .. }) in
            &*self.refused.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
        {
            writeln!(out, "parlour_refused_total{{reason=\"{reason}\"}} {count}").expect("strings take all");
        }
        out
    }
}
