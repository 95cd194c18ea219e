//! A table in a terminal.
//!
//! It is played as in the browser: against bots on this machine, where the engine of the server runs beside ([`home`]) and every move is
//! kept in a file, or with others at the table of a server. Either way frames of the protocol come and go ([`line`]), and [`Room`] is
//! what a person sees of the table: it takes keys, presses of the mouse and frames, and draws. It knows no terminal: tests press its keys
//! and read what it drew.
//!
//! ```
//! use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyCode};
//! use terminal::{Person, Room};
//!
//! let person = Person { tongue: words::spoken("en"), letters: screen::keys::Letters::qwerty() };
//! let mut room = Room::new(person, 1, [7; 32], true, None);
//! let mut terminal = Terminal::new(TestBackend::new(80, 24))?;
//! terminal.draw(|frame| room.draw(frame, 0.0))?;
//! assert!(terminal.backend().to_string().contains("Q Leave"));
//! room.press(KeyCode::Char('q').into(), 0.0);
//! assert!(room.is_left());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod art;
pub mod far;
mod home_table;
mod kept;
mod key;
pub mod line;
mod menu;
mod page;
mod pattern_table;
mod play;
mod room;
mod rummy;

pub use home_table::{HomeTable, Opening};
pub use kept::{Kept, Trouble};
pub use line::{Heard, Line, Order};
pub use menu::{Chosen, choose};
pub use play::{give_back_when_told_to_end, play};
pub use room::{Invite, Person, Room};
