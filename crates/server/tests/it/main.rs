//! The real server over its own HTTP and sockets. (One program: each would be linked with everything once more.)

mod common;
mod cost;
mod day;
mod faults;
mod health;
mod hostile;
mod house_rules;
mod lobby;
mod nodes;
mod pages;
mod people;
#[path = "../../../record/tests/it/places.rs"]
mod places;
mod play;
mod protocol;
mod proxy;
mod records;
mod sleep;
