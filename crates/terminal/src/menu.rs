//! Which game: a list to choose from, for whoever names none.

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::io;
use words::{Speaker, Tongue, id, said};

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The table that was kept.
    GoOn,
    /// A game, by its id.
    Game(String),
}

/// The games that come first.
const FIRST: [&str; 4] = ["contract", "set-classic", "shanghai", "may-i"];

struct Row {
    chosen: Chosen,
    name: String,
    about: String,
}

/// A list of games, and what was typed to find one.
pub struct Menu {
    tongue: &'static Speaker,
    rows: Vec<Row>,
    typed: String,
    cursor: usize,
}

impl Menu {
    /// All games; before them the kept table, if there is one, by what is played there.
    #[must_use]
    pub fn new(tongue: &'static Speaker, kept: Option<&str>) -> Menu {
        let mut rows: Vec<Row> = Vec::new();
        rows.extend(kept.map(|game| Row {
            chosen: Chosen::GoOn,
            name: said!(tongue, "terminal.go_on", game = game),
            about: String::new(),
        }));
        let rank = |game: &&str| FIRST.iter().position(|first| first == game).unwrap_or(FIRST.len());
        let mut games = rulebook::presets();
        games.sort_by_key(rank);
        for game in games {
            let Ok(loaded) = rulebook::preset(game) else { continue };
            let said = |part: &str, english: &str| {
                tongue.find(id(&format!("preset.{game}.{part}"))).unwrap_or(english).to_owned()
            };
            let players = match (loaded.info.players_min, loaded.info.players_max) {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least}-{most}"),
            };
            rows.push(Row {
                chosen: Chosen::Game(game.to_owned()),
                name: said("name", &loaded.info.name),
                about: format!("{players:>5}  {}", said("summary", &loaded.info.summary)),
            });
        }
        Menu { tongue, rows, typed: String::new(), cursor: 0 }
    }

    fn found(&self) -> Vec<&Row> {
        let wanted = self.typed.to_lowercase();
        let is = |row: &&Row| {
            let id = if let Chosen::Game(id) = &row.chosen { id.as_str() } else { "" };
            row.name.to_lowercase().contains(&wanted) || id.contains(&wanted)
        };
        self.rows.iter().filter(is).collect()
    }

    /// A key was pressed: what was chosen, or that nothing is.
    pub fn press(&mut self, key: KeyEvent) -> Option<Option<Chosen>> {
        let count = self.found().len();
        match key.code {
            KeyCode::Char('c' | 'q') if key.modifiers.contains(KeyModifiers::CONTROL) => return Some(None),
            KeyCode::Esc if self.typed.is_empty() => return Some(None),
            KeyCode::Esc => self.typed.clear(),
            KeyCode::Enter => return Some(Some(self.found().get(self.cursor)?.chosen.clone())),
            KeyCode::Up => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Down => self.cursor = (self.cursor + 1).min(count.saturating_sub(1)),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(10),
            KeyCode::PageDown => self.cursor = (self.cursor + 10).min(count.saturating_sub(1)),
            KeyCode::Backspace => {
                self.typed.pop();
                self.cursor = 0;
            }
            KeyCode::Char(c) if self.typed.len() < 40 => {
                self.typed.push(c);
                self.cursor = 0;
            }
            _ => {}
        }
        None
    }

    /// Draws the list.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let mut lines = vec![
            Line::from(Span::styled(format!(" {}", said!(self.tongue, "terminal.choose")), bold)),
            Line::from(format!(" › {}▏", self.typed)),
            Line::from(""),
        ];
        let room = usize::from(area.height).saturating_sub(lines.len() + 1);
        let skip = (self.cursor + 1).saturating_sub(room);
        for (n, row) in self.found().into_iter().enumerate().skip(skip).take(room) {
            let style =
                if n == self.cursor { bold.add_modifier(Modifier::REVERSED) } else { Style::default() };
            let name = format!(" {:<28.28} ", row.name);
            let room = usize::from(area.width).saturating_sub(31);
            let mut about: String = row.about.chars().take(room).collect();
            if row.about.chars().count() > room && about.pop().is_some() {
                about.push('…');
            }
            lines.push(Line::from(vec![
                Span::styled(name, style),
                Span::styled(about, Style::default().add_modifier(Modifier::DIM)),
            ]));
        }
        let foot = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
        let buffer = frame.buffer_mut();
        for (n, line) in lines.iter().enumerate().take(usize::from(area.height)) {
            buffer.set_line(area.x, area.y + n as u16, line, area.width);
        }
        buffer.set_line(
            foot.x,
            foot.y,
            &Line::from(format!(" {}", said!(self.tongue, "terminal.menu_keys"))),
            foot.width,
        );
    }
}

/// Lets the person choose a game; none if they leave.
///
/// # Errors
/// If the terminal cannot be used.
pub fn choose(tongue: &'static Speaker, kept: Option<&str>) -> io::Result<Option<Chosen>> {
    let mut menu = Menu::new(tongue, kept);
    let mut terminal = ratatui::try_init()?;
    let chosen = loop {
        if let Err(error) = terminal.draw(|frame| menu.draw(frame)) {
            break Err(error);
        }
        match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                if let Some(chosen) = menu.press(key) {
                    break Ok(chosen);
                }
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    ratatui::try_restore()?;
    chosen
}
