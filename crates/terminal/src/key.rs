//! Keys, and what they do.

use crate::{pattern_table, rummy};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rulebook::Command;
use wire::Act;
use words::{Tongue, said};

/// A key, as far as tables have a use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter, digit or sign.
    Char(char),
    /// A number of one digit, said of many keys at once.
    Digits,
    /// The long one.
    Space,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow, with Shift.
    FarLeft,
    /// An arrow, with Shift.
    FarRight,
    /// To the first.
    Home,
    /// To the last.
    End,
    /// Leaves.
    Leave,
    /// Help.
    Help,
}

impl Key {
    /// The key of an event; none of one that tables have no use for.
    pub fn of(event: KeyEvent) -> Option<Key> {
        let shift =
            event.modifiers.contains(KeyModifiers::SHIFT) || event.modifiers.contains(KeyModifiers::ALT);
        if event.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(event.code, KeyCode::Char('c')).then_some(Key::Leave);
        }
        Some(match event.code {
            KeyCode::Char(' ') => Key::Space,
            KeyCode::Char('?') | KeyCode::F(1) => Key::Help,
            KeyCode::Char(c) => Key::Char(c),
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Escape,
            KeyCode::Tab => Key::Tab,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Left if shift => Key::FarLeft,
            KeyCode::Right if shift => Key::FarRight,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            _ => return None,
        })
    }

    /// What is printed on it.
    pub fn cap(self, tongue: &dyn Tongue) -> String {
        match self {
            Key::Char(c) => c.to_uppercase().to_string(),
            Key::Digits => "1-9".to_owned(),
            Key::Space => said!(tongue, "terminal.space"),
            Key::Enter => "⏎".to_owned(),
            Key::Escape => "Esc".to_owned(),
            Key::Tab => "Tab".to_owned(),
            Key::Backspace => "⌫".to_owned(),
            Key::Left => "←".to_owned(),
            Key::Right => "→".to_owned(),
            Key::Up => "↑".to_owned(),
            Key::Down => "↓".to_owned(),
            Key::FarLeft => "⇧←".to_owned(),
            Key::FarRight => "⇧→".to_owned(),
            Key::Home => "Home".to_owned(),
            Key::End => "End".to_owned(),
            Key::Leave => "^C".to_owned(),
            Key::Help => "?".to_owned(),
        }
    }
}

/// What a key does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// Nothing by itself: it stands there to be known.
    Nothing,
    /// Sends a command.
    Send(Command),
    /// Does something about the table.
    Act(Act),
    /// Something with a hand of Contract Rummy.
    Rummy(rummy::Does),
    /// Something with a layout of Set.
    Pattern(pattern_table::Does),
    /// Asks a bot what it would do.
    Advice,
    /// Shows something over the table.
    Show(Layer),
    /// Leaves.
    Leave,
}

/// Something that can be done now, and the key for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The key.
    pub key: Key,
    /// What it does, in words.
    pub label: String,
    /// Whether it is what is asked for now.
    pub main: bool,
    /// What it does.
    pub does: Does,
}

impl Action {
    /// An action.
    pub fn new(key: Key, label: String, does: Does) -> Action {
        Action { key, label, main: false, does }
    }

    /// The same, as what is asked for now.
    pub fn main(self) -> Action {
        Action { main: true, ..self }
    }
}

/// What lies over the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing.
    #[default]
    Table,
    /// What the keys do, from this line on.
    Help(u16),
    /// The score sheet.
    Sheet,
    /// The quick phrases.
    Phrases,
    /// A command that is being typed, in the notation.
    Typing(String),
}
