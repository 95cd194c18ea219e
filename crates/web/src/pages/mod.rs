//! The pages.

pub mod about;
pub mod create;
pub mod demo;
pub mod gallery;
pub mod games;
pub mod house;
pub mod lobby;
pub mod maths;
pub mod odds;
pub mod options;
pub mod replay;
pub mod rules;
pub mod settings;
pub mod summary;
pub mod table;
