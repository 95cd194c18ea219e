//! Histories of all clients of a cluster, under faults, judged by a linearizability checker and by the laws of the log.

#[path = "../servers/ask.rs"]
mod ask;
mod clock;
mod faults;
mod history;
mod network;
mod planted;
mod registers;
#[path = "../servers/run.rs"]
mod run;
mod world;
