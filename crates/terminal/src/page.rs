//! A page of the terminal: what a room is drawn on.

use crate::key::Key;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::collections::VecDeque;

/// What was drawn somewhere, for the mouse.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    /// A card of the own hand, by its key.
    Card(u32),
    /// A meld on the table.
    Meld(u16),
    /// The stock.
    Stock,
    /// The discard pile.
    Discard,
    /// A place of a layout.
    Place(usize),
    /// An own card of a layout.
    Own(usize),
    /// A key's word.
    Key(Key),
}

/// A page of the terminal, which remembers for the mouse what stands where.
pub struct Page<'a, 'b> {
    /// The frame.
    pub frame: &'a mut Frame<'b>,
    /// What stands where.
    pub hits: &'a mut Vec<(Rect, Hit)>,
    /// What happened, line by line.
    pub story: &'a VecDeque<String>,
}

impl Page<'_, '_> {
    /// What is drawn on.
    pub fn buffer(&mut self) -> &mut Buffer {
        self.frame.buffer_mut()
    }

    /// A line at the top of a place.
    pub fn line(&mut self, at: Rect, line: Line<'_>) {
        if at.height > 0 {
            self.frame.buffer_mut().set_line(at.x, at.y, &line, at.width);
        }
    }

    /// Lines from the top of a place on, as many as have room.
    pub fn lines(&mut self, at: Rect, lines: Vec<Line<'_>>) {
        for (n, line) in lines.into_iter().enumerate().take(usize::from(at.height)) {
            self.line(Rect { y: at.y + n as u16, height: 1, ..at }, line);
        }
    }

    /// Sentences, broken between words; how many lines they took.
    pub fn prose(&mut self, at: Rect, text: &str, style: Style) -> u16 {
        let lines = textwrap::wrap(text, usize::from(at.width.max(1)));
        let count = (lines.len() as u16).min(at.height);
        self.lines(at, lines.iter().map(|line| Line::from(Span::styled(line.to_string(), style))).collect());
        count
    }

    /// A line across.
    pub fn rule(&mut self, at: Rect) {
        let style = Style::default().add_modifier(Modifier::DIM);
        self.line(at, Line::from(Span::styled("─".repeat(usize::from(at.width)), style)));
    }

    /// A name, what is to be known of it, and a number at the right.
    pub fn columns(&mut self, at: Rect, (name, style): (String, Style), facts: &str, number: &str) {
        let quiet = Style::default().add_modifier(Modifier::DIM);
        let wide = usize::from(at.width);
        let room = if wide < 40 { 13 } else { 20 };
        let left = format!("{name:<room$.room$} ");
        let room = wide.saturating_sub(left.chars().count() + number.chars().count() + 1);
        let facts: String = facts.chars().take(room).collect();
        self.line(
            at,
            Line::from(vec![
                Span::styled(left, style),
                Span::styled(format!("{facts:<room$} "), quiet),
                Span::styled(number.to_owned(), style.add_modifier(Modifier::BOLD)),
            ]),
        );
    }

    /// What happened last, the newest line at the bottom.
    pub fn story(&mut self, at: Rect) {
        let style = Style::default().add_modifier(Modifier::DIM);
        let wide = usize::from(at.width.max(1));
        let mut lines: Vec<String> = Vec::new();
        for told in self.story.iter().rev() {
            let broken = textwrap::wrap(told, wide);
            if lines.len() + broken.len() > usize::from(at.height) {
                break;
            }
            lines.extend(broken.iter().rev().map(|line| line.to_string()));
        }
        lines.reverse();
        self.lines(at, lines.into_iter().map(|line| Line::from(Span::styled(line, style))).collect());
    }

    /// Remembers what stands at a place.
    pub fn hit(&mut self, at: Rect, what: Hit) {
        self.hits.push((at, what));
    }
}

/// Rows of these heights, one below the other; what has no room is empty.
pub fn split<const N: usize>(area: Rect, heights: [u16; N]) -> [Rect; N] {
    let mut y = area.y;
    heights.map(|height| {
        let height = height.min(area.bottom().saturating_sub(y));
        let row = Rect { y, height, ..area };
        y += height;
        row
    })
}
