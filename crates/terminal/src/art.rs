//! Cards in letters. A pattern card is told by shape, filling, number and a letter for its colour, so that nothing is lost where there
//! are no colours; a playing card by its rank and the sign of its suit.

use cards::{Deck, Face, Pack, Point};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use screen::card;
use words::{Tongue, said};

/// Columns and rows of a pattern card that is drawn in full: a large one, and one for terminals of the usual size.
pub const CARDS: [(u16, u16); 2] = [(11, 7), (7, 5)];
/// Columns of one that stands in a line.
pub const SMALL: u16 = 7;
/// Columns of a playing card of which the next one hides the rest, and rows of a whole one.
pub const FAN: (u16, u16) = (4, 3);

/// How a card is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The key that picks it.
    pub key: Option<char>,
    /// Whether it is picked, and the number that it has then.
    pub picked: Option<Option<usize>>,
    /// Whether the cursor is on it.
    pub cursor: bool,
    /// Whether it is pointed out.
    pub lit: bool,
    /// Whether it belongs to a claim that was wrong.
    pub wrong: bool,
}

impl Look {
    /// How its edge is drawn, and whether heavily.
    fn edge(self) -> (Style, bool) {
        let style = Style::default();
        if self.picked.is_some() {
            (style.fg(Color::Yellow).add_modifier(Modifier::BOLD), true)
        } else if self.wrong {
            (style.fg(Color::Red), false)
        } else if self.lit {
            (style.fg(Color::Cyan).add_modifier(Modifier::BOLD), false)
        } else if self.cursor {
            (style.add_modifier(Modifier::BOLD), false)
        } else {
            (style.add_modifier(Modifier::DIM), false)
        }
    }
}

/// The colour of a pattern card.
fn ink(code: &[u8]) -> Color {
    [Color::Red, Color::Green, Color::Magenta][usize::from(code[1])]
}

/// A symbol five columns wide, or three: its shape at both ends, its filling between.
fn symbol(code: &[u8], wide: usize) -> String {
    let (left, right) = [('(', ')'), ('{', '}'), ('<', '>')][usize::from(code[3])];
    let filling = ['█', '▒', ' '][usize::from(code[2])];
    let filling: String = std::iter::repeat_n(filling, wide - 2).collect();
    format!("{left}{filling}{right}")
}

/// The letter of a card's colour.
fn colour_letter(tongue: &dyn Tongue, code: &[u8]) -> String {
    let word = said!(tongue, &format!("card.colour.{}", code[1]), form = "");
    word.chars().next().map(String::from).unwrap_or_default()
}

/// Draws a pattern card in full at a place that is one of [`CARDS`] large.
pub fn pattern_card(
    buffer: &mut Buffer,
    at: Rect,
    tongue: &dyn Tongue,
    deck: Deck,
    point: Point,
    look: Look,
) {
    let code = deck.code(point);
    let (edge, heavy) = look.edge();
    // The ground of a card of five features is its edge: plain, dotted, double.
    let [across, down, corners] = match (heavy, code.get(4)) {
        (true, _) => ["━", "┃", "┏┓┗┛"],
        (_, Some(1)) => ["┄", "┆", "╭╮╰╯"],
        (_, Some(2)) => ["═", "║", "╔╗╚╝"],
        _ => ["─", "│", "╭╮╰╯"],
    };
    let inner = usize::from(at.width.saturating_sub(2));
    let corner = |n: usize| corners.chars().nth(n).unwrap_or(' ');
    let title = |text: String| {
        let text = match text.chars().count() {
            0 => across.repeat(3),
            1 | 2 => format!("{text:^3}"),
            _ => text,
        };
        let side = across.repeat(inner.saturating_sub(3) / 2);
        format!("{side}{text}{side}")
    };
    let key = look.key.map(|key| key.to_uppercase().to_string()).unwrap_or_default();
    // What is pointed out is seen without colours, too.
    let key = if look.lit { format!("›{key}‹") } else { key };
    let foot = match look.picked.flatten() {
        Some(number) => number.to_string(),
        None => colour_letter(tongue, &code),
    };
    let last = at.height.saturating_sub(1);
    buffer.set_string(at.x, at.y, format!("{}{}{}", corner(0), title(key), corner(1)), edge);
    for row in 1..last {
        buffer.set_string(at.x, at.y + row, down, edge);
        buffer.set_string(at.x + at.width - 1, at.y + row, down, edge);
    }
    buffer.set_string(at.x, at.y + last, format!("{}{}{}", corner(2), title(foot), corner(3)), edge);
    let rows: &[u16] = match (code[0], at.height > CARDS[1].1) {
        (0, false) => &[2],
        (1, false) => &[1, 3],
        (_, false) => &[1, 2, 3],
        (0, true) => &[3],
        (1, true) => &[2, 4],
        (_, true) => &[1, 3, 5],
    };
    let style = Style::default().fg(ink(&code));
    let symbol = symbol(&code, if inner > 5 { 7 } else { 5 });
    for &row in rows {
        buffer.set_string(at.x + (at.width - symbol.chars().count() as u16) / 2, at.y + row, &symbol, style);
    }
    if look.cursor {
        buffer.set_string(at.x + 1, at.y + last, "▲", Style::default().add_modifier(Modifier::BOLD));
    }
}

/// Draws the back of a pattern card in full.
pub fn card_back(buffer: &mut Buffer, at: Rect, look: Look) {
    let (edge, inner) = (look.edge().0, usize::from(at.width.saturating_sub(2)));
    let last = at.height.saturating_sub(1);
    let mut filling = Style::default().add_modifier(Modifier::DIM);
    if look.cursor {
        filling = filling.add_modifier(Modifier::REVERSED);
    }
    buffer.set_string(at.x, at.y, format!("╭{}╮", "─".repeat(inner)), edge);
    for row in 1..last {
        buffer.set_string(at.x, at.y + row, format!("│{}│", " ".repeat(inner)), edge);
        buffer.set_string(at.x + 1, at.y + row, "░".repeat(inner), filling);
    }
    buffer.set_string(at.x, at.y + last, format!("╰{}╯", "─".repeat(inner)), edge);
}

/// A pattern card in a line, as `2(▒)r`.
pub fn small_text(tongue: &dyn Tongue, deck: Deck, point: Point) -> (String, Style) {
    let code = deck.code(point);
    let ground = match code.get(4) {
        Some(1) => "┄",
        Some(2) => "═",
        _ => "",
    };
    let text = format!("{}{}{}{ground}", code[0] + 1, symbol(&code, 3), colour_letter(tongue, &code));
    (text, Style::default().fg(ink(&code)))
}

/// Draws a pattern card in a line of [`SMALL`] columns; face down where there is none.
pub fn small_card(
    buffer: &mut Buffer,
    at: Rect,
    tongue: &dyn Tongue,
    deck: Deck,
    point: Option<Point>,
    look: Look,
) {
    let (text, mut style) = match point {
        Some(point) => small_text(tongue, deck, point),
        None => ("░░░░░".to_owned(), Style::default().add_modifier(Modifier::DIM)),
    };
    if look.picked.is_some() {
        style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    }
    if look.cursor || look.wrong {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let mark = match (look.picked, look.lit, look.key) {
        (Some(Some(number)), ..) => char::from_digit(number as u32 % 36, 36).unwrap_or('*'),
        (Some(None), ..) => '*',
        (None, true, _) => '›',
        (None, false, Some(key)) => key,
        (None, false, None) => ' ',
    };
    buffer.set_string(at.x, at.y, mark.to_string(), look.edge().0);
    // Apart from its key where there is room.
    let gap = u16::from(at.width > SMALL);
    buffer.set_string(at.x + 1 + gap, at.y, text, style);
}

/// The colour of a playing card.
#[must_use]
pub fn face_style(pack: &Pack, face: Face) -> Style {
    let style = Style::default();
    if face.is_joker() {
        return style.fg(Color::Yellow).add_modifier(Modifier::BOLD);
    }
    if let Some(suit) = pack.ordinary(face.suit()) {
        return if matches!(suit, 1 | 2) { style.fg(Color::Red) } else { style };
    }
    match pack.suits.get(usize::from(face.suit())).map(|suit| suit.to_ascii_lowercase()).as_deref() {
        Some("red") => style.fg(Color::Red),
        Some("green") => style.fg(Color::Green),
        Some("yellow") => style.fg(Color::Yellow),
        Some("blue") => style.fg(Color::Blue),
        _ => style,
    }
}

/// A playing card in at most three columns, as `10♥` or `JK`.
#[must_use]
pub fn face_text(pack: &Pack, face: Face) -> String {
    if face.is_joker() {
        return "JK".to_owned();
    }
    let rank = card::rank_text(pack, face);
    match pack.ordinary(face.suit()) {
        Some(suit) => rank + ["♣", "♦", "♥", "♠"][usize::from(suit)],
        None => {
            let suit = pack.suits.get(usize::from(face.suit())).map_or("", String::as_str);
            rank + &suit.to_ascii_lowercase().chars().take(1).collect::<String>()
        }
    }
}

/// How a card of a fan is shown.
#[derive(Clone, Copy, Debug)]
pub struct Fanned {
    /// The card.
    pub face: Face,
    /// Whether it is picked: it stands out at the top.
    pub picked: bool,
    /// Whether the cursor is on it.
    pub cursor: bool,
    /// Whether it has just come.
    pub new: bool,
    /// Whether it goes somewhere now.
    pub fits: bool,
}

/// Draws a card of a fan, whose right edge the next one hides, in a place of [`FAN`] and one row above it, into which what is picked rises, and one below, for the cursor.
pub fn fan_card(buffer: &mut Buffer, at: Rect, pack: &Pack, card: Fanned) {
    let top = if card.picked { at.y } else { at.y + 1 };
    let edge = match (card.picked, card.new, card.fits) {
        (true, ..) => Style::default().fg(Color::Yellow).add_modifier(Modifier::BOLD),
        (_, true, _) => Style::default().fg(Color::Cyan).add_modifier(Modifier::BOLD),
        (_, _, true) => Style::default().fg(Color::Green),
        _ => Style::default().add_modifier(Modifier::DIM),
    };
    buffer.set_string(at.x, top, "╭───╮", edge);
    buffer.set_string(at.x, top + 1, "│   │", edge);
    buffer.set_string(at.x, top + 2, "╰───╯", edge);
    let mut style = face_style(pack, card.face).add_modifier(Modifier::BOLD).remove_modifier(Modifier::DIM);
    if card.cursor {
        style = style.add_modifier(Modifier::REVERSED);
    }
    buffer.set_string(at.x + 1, top + 1, format!("{:<3}", face_text(pack, card.face)), style);
    if card.cursor {
        buffer.set_string(at.x + 1, at.y + 4, "▲", Style::default().add_modifier(Modifier::BOLD));
    }
}
