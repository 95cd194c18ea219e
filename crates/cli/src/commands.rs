//! The subcommands, one module each: its arguments, and `run`, which gives the exit status. An error that `run` returns
//! is printed as one line, and the exit status is 2.

pub mod backup;
mod bots;
pub mod caps;
mod choice;
pub mod cluster;
pub mod hint;
mod lab;
pub mod load;
pub mod odds;
pub mod play;
pub mod print;
pub mod replay;
pub mod rules;
pub mod scenario;
pub mod serve;
pub mod sim;
pub mod solve;
pub mod tournament;
pub mod verify;
