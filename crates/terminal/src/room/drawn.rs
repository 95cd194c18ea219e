//! How a room is drawn.

use super::{Link, Room};
use crate::key::{Action, Layer};
use crate::page::{Hit, Page, split};
use crate::rummy;
use game::{Refusal, Seat, View as _, Viewer};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use rulebook::View;
use screen::people;
use wire::{Phrase, Stage};
use words::said;

/// Columns and rows without which a table cannot be shown.
const LEAST: (u16, u16) = (60, 20);
/// Most lines of keys.
const KEY_LINES: usize = 3;

impl Room {
    /// Draws the room.
    pub fn draw(&mut self, frame: &mut Frame<'_>, now: f64) {
        let mut hits = Vec::new();
        let area = frame.area();
        let story = std::mem::take(&mut self.story);
        let mut page = Page { frame, hits: &mut hits, story: &story };
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let small = said!(self.tongue(), "terminal.too_small", columns = LEAST.0, rows = LEAST.1);
            page.prose(area, &small, Style::default());
        } else {
            self.draw_room(&mut page, area, now);
        }
        self.story = story;
        self.hits = hits;
    }

    fn draw_room(&self, page: &mut Page<'_, '_>, area: Rect, now: f64) {
        let tongue = self.tongue();
        if let Some(why) = self.closed() {
            let why = if why.is_empty() { said!(tongue, "table.gone") } else { why.to_owned() };
            let used = page.prose(area, &why, Style::default().fg(Color::Red));
            page.prose(
                Rect { y: area.y + used + 1, height: area.height.saturating_sub(used + 1), ..area },
                &said!(tongue, "terminal.any_key"),
                Style::default(),
            );
            return;
        }
        let actions = self.actions(now);
        let keys = self.key_lines(area.width, &actions);
        let (prompt, closed, due) = self.prompt(now);
        let prompt_lines =
            textwrap::wrap(&prompt, usize::from(area.width.saturating_sub(8).max(1))).len() as u16;
        let said_below = self.below(closed);
        let below_lines = said_below
            .as_ref()
            .map_or(0, |(text, _)| textwrap::wrap(text, usize::from(area.width)).len() as u16)
            .clamp(1, if area.height < 30 { 2 } else { 4 });
        let body = area.height.saturating_sub(1 + prompt_lines + below_lines + keys.len() as u16);
        let [head, table, ask, below, foot] =
            split(area, [1, body, prompt_lines, below_lines, keys.len() as u16]);
        self.draw_head(page, head, now);
        self.draw_table(page, table, now);
        let asks = Style::default().add_modifier(Modifier::BOLD).fg(Color::Cyan);
        page.prose(Rect { width: ask.width.saturating_sub(8), ..ask }, &prompt, asks);
        if let Some(seconds) = due {
            let text = format!("{:>7}", said!(tongue, "ui.seconds", n = seconds));
            let style = if seconds <= 5 { asks.fg(Color::Red) } else { asks };
            page.line(
                Rect { x: ask.right().saturating_sub(7), width: 7, ..ask },
                Line::from(Span::styled(text, style)),
            );
        }
        if let Some((text, style)) = said_below {
            page.prose(below, &text, style);
        }
        self.draw_keys(page, foot, keys);
        self.draw_layer(page, table);
    }

    /// What is asked, what stands in the way, and for how many seconds.
    fn prompt(&self, now: f64) -> (String, Option<Refusal>, Option<u32>) {
        let tongue = self.tongue();
        if let Layer::Typing(text) = &self.layer {
            return (format!(":{text}▏"), None, None);
        }
        let until = |due: f64| ((due - now).max(0.0) / 1000.0).ceil() as u32;
        match (self.stage(), self.client.view()) {
            (Some(Stage::Playing), Some(View::Contract(view))) => {
                let (words, closed) = self.desk(|desk| self.rummy.prompt(desk, view, self.rests()));
                let rest = self.rest_until.filter(|_| self.rests().is_some()).map(until);
                let clock = view.flow.until.map(|due| due.since(self.at(now)).div_ceil(1000));
                let due = self.rummy.wakes().map(until).or(rest).or(clock);
                (words, closed, due)
            }
            (Some(Stage::Playing), Some(View::Pattern(view))) => {
                let at = self.at(now);
                let (words, due) = self.desk(|desk| self.pattern.prompt(desk, view, at));
                (words, None, due.map(|due| due.since(at).div_ceil(1000)))
            }
            (Some(Stage::Lobby), _) => (self.waits_for(), None, None),
            (Some(Stage::Over), Some(view)) => (self.outcome_words(view), None, None),
            _ => (said!(tongue, "net.opening"), None, None),
        }
    }

    /// Who is waited for where people gather.
    fn waits_for(&self) -> String {
        let tongue = self.tongue();
        let Some(table) = self.client.table() else { return String::new() };
        let free = table.seats.iter().filter(|seat| seat.who.is_none()).count();
        let unready = table.seats.iter().filter(|seat| seat.who.is_some() && !seat.ready).count();
        match (free, unready) {
            (0, 0) => said!(tongue, "table.all_ready"),
            (0, n) => said!(tongue, "table.wait_ready", n = n),
            (n, _) => said!(tongue, "table.wait_seats", n = n),
        }
    }

    fn outcome_words(&self, view: &View) -> String {
        let tongue = self.tongue();
        let Some(outcome) = view.outcome() else { return said!(tongue, "end.title") };
        let winners: Vec<Seat> = outcome.winners.iter().collect();
        match winners[..] {
            [] => said!(tongue, "end.nobody"),
            [seat] if self.me() == Some(seat) => said!(tongue, "end.you_won"),
            [seat] => said!(tongue, "end.winner", name = self.name(seat)),
            _ => {
                let names = self.desk(|desk| desk.names(winners.iter().copied()));
                said!(tongue, "end.winners", names = names)
            }
        }
    }

    /// What is said below the prompt: why something was refused, or is closed, what was said in passing, what a bot advises.
    fn below(&self, closed: Option<Refusal>) -> Option<(String, Style)> {
        let red = Style::default().fg(Color::Red);
        let told = |why: &Refusal| {
            let rules = why.rules.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let words = screen::refusal(self.tongue(), why);
            if rules.is_empty() { words } else { format!("{words} ({rules})") }
        };
        if let Some(why) = &self.refusal {
            return Some((told(why), red));
        }
        if let Some((note, _)) = &self.note {
            return Some((note.clone(), Style::default().fg(Color::Yellow)));
        }
        closed.map(|why| (told(&why), Style::default().add_modifier(Modifier::DIM)))
    }

    fn draw_head(&self, page: &mut Page<'_, '_>, at: Rect, now: f64) {
        let tongue = self.tongue();
        let mut right = Vec::new();
        if matches!(self.link, Link::Lost(told) if told <= now) {
            right.push(said!(tongue, "net.lost"));
        }
        if let Some(table) = self.client.table() {
            right.extend(people::paused_words(tongue, table));
            let ends = table.ending.iter().filter(|seat| self.me() != Some(*seat)).collect::<Vec<_>>();
            if !ends.is_empty() {
                let names = self.desk(|desk| desk.names(ends));
                right.push(said!(tongue, "terminal.would_end", names = names));
            }
            if self.me().is_some_and(|me| table.ending.has(me)) {
                right.push(said!(tongue, "table.end_agreed"));
            }
            if table.watching > 0 {
                right.push(said!(tongue, "table.watching", n = table.watching));
            }
        }
        if self.client.viewer() == Viewer::Table && self.client.table().is_some() {
            right.push(said!(tongue, "table.spectating"));
        }
        if let Some(Stage::Playing) = self.stage() {
            right.push(people::time_text(self.at(now).0));
        }
        let (right, wide) = (right.join(" · "), usize::from(at.width));
        let room = wide.saturating_sub(right.chars().count() + 1);
        let title: String = format!(" {}", self.title).chars().take(room).collect();
        let text = format!("{title:<room$} {right}");
        page.line(at, Line::from(Span::styled(text, Style::default().add_modifier(Modifier::REVERSED))));
    }

    fn draw_table(&self, page: &mut Page<'_, '_>, at: Rect, now: f64) {
        match (self.stage(), self.client.view()) {
            (Some(Stage::Lobby), _) => self.draw_gathering(page, at),
            (stage, Some(View::Contract(view))) => {
                let at =
                    if stage == Some(Stage::Over) { self.draw_outcome(page, at, view.outcome()) } else { at };
                self.desk(|desk| self.rummy.draw(page, at, desk, view, self.rests()));
            }
            (stage, Some(View::Pattern(view))) => {
                let at =
                    if stage == Some(Stage::Over) { self.draw_outcome(page, at, view.outcome()) } else { at };
                self.desk(|desk| self.pattern.draw(page, at, desk, view, self.person.letters, self.at(now)));
            }
            _ => {}
        }
    }

    fn draw_gathering(&self, page: &mut Page<'_, '_>, at: Rect) {
        let tongue = self.tongue();
        let Some(table) = self.client.table() else { return };
        let mut lines = Vec::new();
        for (n, state) in table.seats.iter().enumerate() {
            let seat = Seat(n as u8);
            let name = match &state.who {
                Some(who) => people::occupant_name(tongue, who, seat),
                None => said!(tongue, "table.free"),
            };
            let mut facts = Vec::new();
            if self.me() == Some(seat) {
                facts.push(said!(tongue, "table.you"));
            }
            if state.who.is_some() {
                let words = if state.ready { "table.is_ready" } else { "table.not_ready" };
                facts.push(said!(tongue, words));
                if !state.connected {
                    facts.push(said!(tongue, "table.away"));
                }
            }
            lines.push(Line::from(format!("  {} {name:<24} {}", n + 1, facts.join(" · "))));
        }
        if let Some(invite) = &self.invite {
            lines.push(Line::from(""));
            lines.push(Line::from(format!("  {}", said!(tongue, "table.invite_friends"))));
            let style = Style::default().add_modifier(Modifier::BOLD);
            lines.push(Line::from(Span::styled(format!("  {}", invite.link), style)));
            let used = lines.len() as u16 + 1;
            page.lines(at, lines);
            let below = Rect { y: at.y + used, height: at.height.saturating_sub(used), ..at };
            if let Some(code) = &invite.code
                && code.lines().count() <= usize::from(below.height)
            {
                page.lines(below, code.lines().map(|line| Line::from(format!("  {line}"))).collect());
            }
            return;
        }
        page.lines(at, lines);
    }

    /// How the match ended; what is left of the place.
    fn draw_outcome(&self, page: &mut Page<'_, '_>, at: Rect, outcome: Option<&game::Outcome>) -> Rect {
        let tongue = self.tongue();
        let Some(outcome) = outcome else { return at };
        let mut seats: Vec<usize> = (0..outcome.places.len()).collect();
        seats.sort_by_key(|&n| outcome.places[n]);
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let head = format!(
            "{:>6}  {:<24} {:>8}",
            said!(tongue, "end.place"),
            said!(tongue, "end.player"),
            said!(tongue, "end.score")
        );
        let mut lines = vec![Line::from(Span::styled(head, bold))];
        for n in seats {
            let name = self.desk(|desk| desk.name_or_you(Seat(n as u8)));
            let score = outcome.scores.get(n).copied().unwrap_or_default();
            lines.push(Line::from(format!("{:>6}  {name:<24} {score:>8}", outcome.places[n])));
        }
        if !outcome.ranked {
            lines.push(Line::from(said!(tongue, "end.unranked")));
        }
        let record = self.client.table().and_then(|table| table.record.as_ref());
        if let Some((invite, record)) = self.invite.as_ref().zip(record) {
            lines.push(Line::from(format!("{}: {}{record}", said!(tongue, "end.watch"), invite.replays)));
        }
        // Where the record is stands there, too.
        let last = page.story.back().map(|last| textwrap::wrap(last, usize::from(at.width)));
        lines.extend(last.into_iter().flatten().map(|line| Line::from(line.into_owned())));
        let used = (lines.len() as u16 + 1).min(at.height);
        page.lines(at, lines);
        Rect { y: at.y + used, height: at.height - used, ..at }
    }

    /// The keys with what they do, as lines. Where there are too many, those before the last two, which are always there, are left
    /// out.
    fn key_lines(&self, wide: u16, actions: &[Action]) -> Vec<Vec<(Action, u16)>> {
        let mut shown = actions.to_vec();
        loop {
            let lines = self.broken(wide, &shown);
            if lines.len() <= KEY_LINES || shown.len() <= 2 {
                return lines;
            }
            shown.remove(shown.len() - 3);
        }
    }

    fn broken(&self, wide: u16, actions: &[Action]) -> Vec<Vec<(Action, u16)>> {
        let mut lines: Vec<Vec<(Action, u16)>> = vec![Vec::new()];
        let mut used = 0;
        for action in actions {
            let cap = action.key.cap(self.tongue()).chars().count();
            let width = ((cap + action.label.chars().count() + 1) as u16).min(wide);
            if used + width > wide && used > 0 {
                lines.push(Vec::new());
                used = 0;
            }
            used += width + 2;
            if let Some(line) = lines.last_mut() {
                line.push((action.clone(), width));
            }
        }
        lines
    }

    fn draw_keys(&self, page: &mut Page<'_, '_>, at: Rect, lines: Vec<Vec<(Action, u16)>>) {
        for (n, actions) in lines.into_iter().enumerate() {
            let mut x = at.x;
            let y = at.y + n as u16;
            if y >= at.bottom() {
                return;
            }
            for (action, wide) in actions {
                let style = if action.main {
                    Style::default().add_modifier(Modifier::BOLD)
                } else {
                    Style::default()
                };
                let place = Rect { x, y, width: wide.min(at.right().saturating_sub(x)), height: 1 };
                page.hit(place, Hit::Key(action.key));
                let cap = Span::styled(
                    action.key.cap(self.tongue()),
                    style.fg(Color::Yellow).add_modifier(Modifier::BOLD),
                );
                page.line(place, Line::from(vec![cap, Span::styled(format!(" {}", action.label), style)]));
                x += wide + 2;
            }
        }
    }

    /// What lies over the table: what was asked for, or what a bot advises.
    fn draw_layer(&self, page: &mut Page<'_, '_>, at: Rect) {
        let tongue = self.tongue();
        let wide = usize::from(at.width.saturating_sub(6)).clamp(20, 76);
        let broken = |text: &str| -> Vec<Line<'static>> {
            textwrap::wrap(text, wide).into_iter().map(|line| Line::from(line.into_owned())).collect()
        };
        let (lines, from): (Vec<Line<'static>>, u16) = match (&self.layer, self.client.view()) {
            (Layer::Table | Layer::Typing(_), _) if self.advice.is_empty() => return,
            (Layer::Table | Layer::Typing(_), _) => {
                (self.advice.iter().flat_map(|sentence| broken(sentence)).collect(), 0)
            }
            (Layer::Sheet, Some(View::Contract(view))) => {
                (self.desk(|desk| rummy::score_sheet(desk, view, at.width.saturating_sub(4))), 0)
            }
            (Layer::Phrases, _) => {
                let phrase = |(n, &phrase): (usize, &Phrase)| {
                    Line::from(format!("{}  {}", (n + 1) % 10, people::phrase_words(tongue, phrase)))
                };
                (Phrase::ALL.iter().enumerate().map(phrase).collect(), 0)
            }
            (layer, view) => {
                let of = match (self.stage(), view) {
                    (Some(Stage::Lobby), _) => None,
                    (_, Some(View::Pattern(_))) => Some("terminal.help_pattern"),
                    _ => Some("terminal.help_contract"),
                };
                let texts = of.into_iter().chain(["terminal.help"]).map(|key| said!(tongue, key));
                let mut lines: Vec<_> =
                    texts.flat_map(|text| text.split(" · ").flat_map(broken).collect::<Vec<_>>()).collect();
                if let Some(invite) = &self.invite {
                    lines.push(Line::from(invite.link.clone()));
                }
                (lines, if let Layer::Help(from) = layer { *from } else { 0 })
            }
        };
        // On the hand one looks while one reads.
        let height = (lines.len() as u16 + 2).min(at.height);
        let last = (lines.len() as u16).saturating_sub(height.saturating_sub(2));
        let lines: Vec<Line<'static>> = lines.into_iter().skip(usize::from(from.min(last))).collect();
        let width = (lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4).min(at.width);
        let place = Rect { x: at.x + (at.width - width) / 2, y: at.y, width, height };
        let edge = ratatui::widgets::Block::bordered().border_type(ratatui::widgets::BorderType::Rounded);
        let inside = edge.inner(place);
        page.frame.render_widget(ratatui::widgets::Clear, place);
        page.frame.render_widget(edge, place);
        let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
        page.lines(inside, lines);
    }
}
