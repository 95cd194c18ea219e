//! Frames between server and client, and the client as a state machine without I/O

pub mod api;
