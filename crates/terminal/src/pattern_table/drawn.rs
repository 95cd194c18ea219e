//! How a table of Set is drawn.

use super::{PatternTable, Place, What, race_in, roster};
use crate::art::{self, CARDS, Look, SMALL};
use crate::page::{Hit, Page, split};
use cards::{Deck, Point};
use game::{Millis, Seat};
use pattern::offers::Needs;
use pattern::race::Verdict;
use pattern::roster::Stage;
use pattern::rules::Deals;
use pattern::{Act, Claim, View, race};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use screen::board::deck;
use screen::keys::Letters;
use screen::race::none_words;
use screen::{Desk, people};
use words::said;

/// Columns of what stands beside a layout: on a terminal of the usual width, and where there is more room.
const SIDE: [u16; 2] = [26, 36];

impl PatternTable {
    /// Draws the table.
    pub fn draw(
        &self,
        page: &mut Page<'_, '_>,
        area: Rect,
        desk: Desk<'_>,
        view: &View,
        letters: Letters,
        at: Millis,
    ) {
        let side_width = SIDE[usize::from(area.width >= 100)];
        let beside = area.width >= side_width + 40;
        let own = self.own(view, desk.me);
        let own_height = if own.is_empty() { 0 } else { CARDS[1].1 + 1 };
        let (board_area, side) = if beside {
            let left = Rect { width: area.width - side_width - 1, ..area };
            (left, Rect { x: left.right() + 1, width: side_width, ..area })
        } else {
            let seats = 4.min(area.height / 4);
            let [side, board] = split(area, [seats, area.height - seats]);
            (board, side)
        };
        let [layout, hand] = split(board_area, [board_area.height.saturating_sub(own_height), own_height]);
        self.draw_layout(page, layout, desk, view, letters, at);
        self.draw_own(page, hand, desk, view, &own);
        self.draw_side(page, side, desk, view, at);
    }

    fn look(&self, view: &View, card: Point, n: usize, key: Option<char>) -> Look {
        let race = race_in(view, None).map(|(race, _)| race);
        let picked = match race {
            Some(race) => self.picker.place(race.rules.claim_shape(), card),
            None => (self.picked.contains(&card) || self.chosen == Some(card)).then_some(None),
        };
        let lit = match view {
            View::Setup(view) => view.state.last.is_some_and(|last| last.card == card),
            View::Puzzle(view) => view.state.hints.contains(&card),
            _ => race.is_some_and(|race| {
                let searched = race.state.search.as_ref().is_some_and(|search| search.points == card);
                race.state.lit.contains(&card) || race.mine.hints.contains(&card) || searched
            }),
        };
        let wrong = |verdict: &Verdict| !verdict.finding.right() && verdict.claim.cards().contains(&card);
        let wrong = race.is_some_and(|race| race.state.last.iter().any(wrong));
        Look { key, picked, cursor: self.cursor == Some(n), lit, wrong }
    }

    fn draw_layout(
        &self,
        page: &mut Page<'_, '_>,
        area: Rect,
        desk: Desk<'_>,
        view: &View,
        letters: Letters,
        at: Millis,
    ) {
        let places = self.places(view, letters);
        let (tongue, deck) = (desk.tongue, deck(view));
        let most = |of: fn(&Place) -> u16| places.iter().map(of).max().map_or(0, |most| most + 1);
        let (columns, rows) = (most(|place| place.column), most(|place| place.row));
        let gaps = (most(|place| place.gaps.0), most(|place| place.gaps.1));
        // In full, as large as they have room for, and apart from one another; else each in a line.
        let fits = |(wide, high): (u16, u16)| {
            columns * wide + gaps.0 * 2 <= area.width + 2
                && rows * high + gaps.1.saturating_sub(1) <= area.height
        };
        let card = CARDS.into_iter().find(|&card| fits(card));
        let size = match card {
            Some(card) => {
                let wide = (card.0..=card.0 + 2).rev().find(|&wide| fits((wide, card.1)));
                (wide.unwrap_or(card.0), card.1)
            }
            None => {
                let apart = u16::from(columns * (SMALL + 2) + gaps.0 * 2 <= area.width + 2);
                (SMALL + 1 + apart, if rows * 2 <= area.height { 2 } else { 1 })
            }
        };
        let used = (columns * size.0 + gaps.0.saturating_sub(1) * 2).min(area.width);
        let area = Rect { x: area.x + (area.width - used) / 2, width: used, ..area };
        let turns = self.offers(view, at);
        let flips = match turns.get(Act::Flip) {
            Some(Ok(open)) => {
                if let Needs::Slot(slots) = &open.needs {
                    slots.clone()
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        };
        for (n, place) in places.iter().enumerate() {
            let spot = Rect {
                x: area.x + place.column * size.0 + place.gaps.0 * 2,
                y: area.y + place.row * size.1 + place.gaps.1,
                width: card.map_or(size.0 - 1, |card| card.0),
                height: card.map_or(1, |card| card.1),
            };
            if spot.right() > area.right() + 1 || spot.bottom() > area.bottom() {
                continue;
            }
            page.hit(spot, Hit::Place(n));
            let may = flips.contains(&(n as u8 + 1));
            match place.what {
                What::Card(point) => {
                    let look = self.look(view, point, n, place.key);
                    if card.is_some() {
                        art::pattern_card(page.buffer(), spot, tongue, deck, point, look);
                    } else {
                        art::small_card(page.buffer(), spot, tongue, deck, Some(point), look);
                    }
                }
                What::Down => {
                    let (cursor, key) = (self.cursor == Some(n), place.key.filter(|_| may));
                    let look = Look { cursor, key, ..Look::default() };
                    if card.is_some() {
                        art::card_back(page.buffer(), spot, look);
                    } else {
                        art::small_card(page.buffer(), spot, tongue, deck, None, look);
                    }
                }
                What::Empty => {}
            }
        }
    }

    fn draw_own(&self, page: &mut Page<'_, '_>, area: Rect, desk: Desk<'_>, view: &View, own: &[Point]) {
        if own.is_empty() {
            return;
        }
        let (tongue, deck) = (desk.tongue, deck(view));
        let words = match race_in(view, None) {
            Some((race, _)) if race.rules.sources == pattern::rules::Sources::Previous => "race.previous",
            _ => "race.hand",
        };
        page.line(
            area,
            Line::from(Span::styled(said!(tongue, words), Style::default().add_modifier(Modifier::BOLD))),
        );
        for (n, &card) in own.iter().enumerate() {
            let key = (n < 10).then(|| char::from_digit((n as u32 + 1) % 10, 10)).flatten();
            let look = Look { cursor: false, ..self.look(view, card, usize::MAX, key) };
            let full = own.len() as u16 * CARDS[1].0 <= area.width;
            let wide = if full { CARDS[1].0 } else { SMALL + 1 };
            let fit = (area.width / wide).max(1);
            let (column, row) = (n as u16 % fit, n as u16 / fit);
            let spot = Rect {
                x: area.x + column * wide,
                y: area.y + 1 + row,
                width: wide,
                height: if full { CARDS[1].1 } else { 1 },
            };
            if spot.bottom() > area.bottom() {
                continue;
            }
            page.hit(spot, Hit::Own(n));
            if full {
                art::pattern_card(page.buffer(), spot, tongue, deck, card, look);
            } else {
                art::small_card(page.buffer(), spot, tongue, deck, Some(card), look);
            }
        }
    }

    fn draw_side(&self, page: &mut Page<'_, '_>, area: Rect, desk: Desk<'_>, view: &View, at: Millis) {
        let tongue = desk.tongue;
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let mut lines: Vec<Line<'static>> = Vec::new();
        let wide = usize::from(area.width);
        let row = |seat: Seat, score: String, marked: bool| {
            let name = if desk.me == Some(seat) { said!(tongue, "ui.you") } else { desk.name(seat) };
            let room = wide.saturating_sub(score.chars().count() + 1);
            let name: String = name.chars().take(room).collect();
            let style = if marked { bold.fg(Color::Yellow) } else { bold };
            Line::from(Span::styled(format!("{name:<room$} {score}"), style))
        };
        // What is to be known of somebody, below their name.
        let below = |text: &str| -> Vec<Line<'static>> {
            let lines = textwrap::wrap(text, wide.saturating_sub(2).max(1));
            lines.into_iter().map(|line| quietly(format!("  {line}"))).collect()
        };
        match view {
            View::Race(race) => {
                let state = &race.state;
                for (n, player) in state.players.iter().enumerate() {
                    let seat = Seat(n as u8);
                    let calls = state.call.is_some_and(|call| call.callers.has(seat));
                    lines.push(row(seat, player.score.to_string(), calls));
                    // The score is the match's, what was claimed is the deal's.
                    let words = if race.rules.deals == Deals::Count(1) {
                        "race.detail"
                    } else {
                        "race.detail_of_deal"
                    };
                    let mut facts = said!(tongue, words, sets = player.sets, errors = player.errors);
                    if state.flags.has(seat) {
                        facts = format!("⚑ {}", none_words(tongue, &race.rules));
                    } else if state.looking.has(seat) {
                        facts = said!(tongue, "race.is_looking");
                    } else if player.frozen.is_some() {
                        facts = said!(tongue, "scout.frozen");
                    }
                    lines.extend(below(&facts));
                }
                lines.push(quietly(said!(tongue, "race.stock", n = state.stock)));
                if !state.heap.is_empty() {
                    lines.push(quietly(said!(tongue, "race.heap", n = state.heap.len())));
                }
                lines.extend(missed(tongue, race));
            }
            View::Trial(trial) => {
                for (n, racer) in trial.state.racers.iter().enumerate() {
                    let seat = Seat(n as u8);
                    lines.push(row(seat, racer.sets.to_string(), false));
                    let facts = match (trial.state.result(&trial.rules, seat), racer.done) {
                        (Some(millis), _) => said!(tongue, "trial.done", time = people::time_text(millis)),
                        (None, Some(_)) => said!(tongue, "trial.out"),
                        (None, None) => {
                            said!(tongue, "race.detail", sets = racer.sets, errors = racer.errors)
                        }
                    };
                    lines.extend(below(&facts));
                }
            }
            View::Puzzle(view) => lines.extend(found(tongue, view, at)),
            View::Memory(_) | View::Setup(_) => {
                let Some(roster) = roster(view) else { return };
                let (turn, stock, words) = match view {
                    View::Memory(view) => (view.state.turn, view.state.stock, "memory.cards"),
                    View::Setup(view) => (view.state.turn, view.state.stock, "setup.penalties"),
                    _ => return,
                };
                for (n, member) in roster.players.iter().enumerate() {
                    let seat = Seat(n as u8);
                    lines.push(row(
                        seat,
                        member.score.to_string(),
                        turn == seat && roster.stage == Stage::Playing,
                    ));
                    lines.extend(below(&said!(tongue, words, n = member.taken.len())));
                }
                lines.push(quietly(said!(tongue, "race.stock", n = stock)));
            }
        }
        let used = (lines.len() as u16).min(area.height);
        page.lines(area, lines);
        let free = Rect { y: area.y + used, height: area.height - used, ..area };
        if free.height > 2 {
            page.rule(Rect { height: 1, ..free });
            page.story(Rect { y: free.y + 1, height: free.height - 1, ..free });
        }
    }
}

/// What was found in a puzzle, and once it is over, what was not.
fn found(tongue: &dyn words::Tongue, view: &pattern::puzzle::View, at: Millis) -> Vec<Line<'static>> {
    let bold = Style::default().add_modifier(Modifier::BOLD);
    let mut lines = Vec::new();
    let state = &view.state;
    let found = said!(tongue, "puzzle.found", n = state.found.len(), of = state.total);
    lines.push(Line::from(Span::styled(found, bold)));
    let errors = said!(tongue, "puzzle.errors", n = state.errors);
    lines.push(quietly(format!("{} · {errors}", people::time_text(state.elapsed(at)))));
    let given_up = state.missed.len();
    let claims =
        state.found.iter().map(|claim| (claim, false)).chain(state.missed.iter().map(|claim| (claim, true)));
    for (n, (claim, missed)) in claims.enumerate() {
        if n == state.found.len() && given_up > 0 {
            lines.push(Line::from(Span::styled(said!(tongue, "race.missed"), bold)));
        }
        lines.push(small_claim(tongue, view.rules.deck, claim, missed));
    }
    lines
}

/// A line of what is not to be read first.
fn quietly(text: String) -> Line<'static> {
    Line::from(Span::styled(text, Style::default().add_modifier(Modifier::DIM)))
}

/// What lay open and nobody took, once a deal is over.
fn missed(tongue: &dyn words::Tongue, race: &race::View) -> Vec<Line<'static>> {
    let mut missed = race.state.missed.clone();
    if missed.is_empty() {
        return Vec::new();
    }
    missed.sort_by_key(|one| std::cmp::Reverse(one.until.since(one.from)));
    missed.truncate(4);
    let style = Style::default().add_modifier(Modifier::BOLD);
    let title = Line::from(Span::styled(said!(tongue, "race.missed"), style));
    let rows = missed.iter().map(|one| small_claim(tongue, race.rules.deck, &one.claim, true));
    std::iter::once(title).chain(rows).collect()
}

/// The cards of a claim in a line.
fn small_claim(tongue: &dyn words::Tongue, deck: Deck, claim: &Claim, missed: bool) -> Line<'static> {
    let spans = claim.cards().iter().flat_map(|&card| {
        let (text, style) = art::small_text(tongue, deck, card);
        let style = if missed { style.add_modifier(Modifier::DIM) } else { style };
        [Span::styled(text, style), Span::raw(" ")]
    });
    Line::from(spans.collect::<Vec<_>>())
}
