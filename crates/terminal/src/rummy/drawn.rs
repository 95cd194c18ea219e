//! How a table of Contract Rummy is drawn.

use super::Rummy;
use crate::art::{self, FAN, Fanned};
use crate::page::{Hit, Page, split};
use cards::Face;
use contract::View;
use contract::meld::Judgement;
use contract::state::Phase;
use game::{Seat, SeatSet};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use screen::Desk;
use screen::contract::{contract_words, judged_words, round_number, round_words, slot_words};
use screen::rack::Spot;
use words::said;

impl Rummy {
    /// Draws the table.
    pub fn draw(
        &self,
        page: &mut Page<'_, '_>,
        area: Rect,
        desk: Desk<'_>,
        view: &View,
        rests: Option<SeatSet>,
    ) {
        let seats = usize::from(view.flow.seats).min(view.flow.sizes.len());
        let heaps = self.heaps(view) as u16;
        // The hand first: nobody plays without it. Where it has no room as a fan, it stands in lines; and people stand beside one another.
        let fan = self.hand_rows(area.width) * (FAN.1 + 2);
        let lines = self.line_rows(area.width);
        let rest = 1 + 1 + heaps + 1;
        let roomy =
            |hand: u16, columns: usize| area.height >= hand + rest + seats.div_ceil(columns) as u16 + 3;
        let beside = if area.width >= 80 { seats > 4 } else { seats > 4 && !roomy(lines, 1) };
        let columns = if beside || !roomy(fan, 1) { 2 } else { 1 };
        let fanned = roomy(fan, columns);
        let hand = if fanned { fan } else { lines };
        let heads = seats.div_ceil(columns) as u16;
        let middle = area.height.saturating_sub(hand + rest + heads);
        let short = area.height < hand + rest + heads;
        let [title, people, rule, board, piles, stage, own] = split(
            area,
            [
                1,
                if short { heads.min(area.height / 6) } else { heads },
                u16::from(!short),
                middle,
                1,
                heaps,
                hand,
            ],
        );
        self.draw_title(page, title, desk, view);
        self.draw_people(page, people, columns, desk, view);
        if rule.height > 0 {
            page.rule(rule);
        }
        self.draw_board(page, board, desk, view, rests);
        self.draw_piles(page, piles, desk, view);
        self.draw_stage(page, stage, desk, view);
        if fanned {
            self.draw_hand(page, own, view);
        } else {
            self.draw_lines(page, own, view);
        }
    }

    /// How many lines a hand takes whose cards stand beside one another.
    fn line_rows(&self, wide: u16) -> u16 {
        (self.rack.at(Spot::Hand).len().div_ceil(Rummy::fan(wide)) as u16).max(1)
    }

    /// The hand where there is no room for a fan: a card is its rank and suit, what is picked stands in brackets.
    fn draw_lines(&self, page: &mut Page<'_, '_>, at: Rect, view: &View) {
        let pack = &view.compiled.pack;
        let each = Rummy::fan(at.width);
        for (n, held) in self.rack.at(Spot::Hand).iter().enumerate() {
            let place = Rect {
                x: at.x + (n % each) as u16 * FAN.0,
                y: at.y + (n / each) as u16,
                width: FAN.0,
                height: 1,
            };
            if place.bottom() > at.bottom() {
                return;
            }
            let mut style = art::face_style(pack, held.face);
            let picked = self.selected.contains(&held.key);
            if picked {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            if self.cursor == n {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let mark = if picked { "*" } else { " " };
            page.hit(place, Hit::Card(held.key));
            let text = format!("{mark}{}", art::face_text(pack, held.face));
            page.buffer().set_string(place.x, place.y, text, style);
        }
    }

    /// How many lines the melds in preparation take.
    fn heaps(&self, view: &View) -> usize {
        let between = matches!(view.flow.phase, Phase::Deal | Phase::Cut | Phase::Choose | Phase::Over);
        match &self.staged {
            Some(staged) if !between && !self.down => staged.melds.len(),
            _ => 0,
        }
    }

    fn draw_title(&self, page: &mut Page<'_, '_>, at: Rect, desk: Desk<'_>, view: &View) {
        let tongue = desk.tongue;
        let mut text = round_words(tongue, view);
        if view.flow.phase != Phase::Choose {
            text += ": ";
            text += &contract_words(tongue, self.law(view));
        }
        if view.compiled.rules.settings.money.on {
            text += &format!(" · {}", said!(tongue, "rummy.kitty", n = view.flow.kitty));
        }
        if self.down && view.flow.phase != Phase::Over {
            text += &format!(" · {}", said!(tongue, "rummy.you_are_down"));
        }
        page.line(at, Line::from(Span::styled(text, Style::default().add_modifier(Modifier::BOLD))));
    }

    fn draw_people(&self, page: &mut Page<'_, '_>, at: Rect, columns: usize, desk: Desk<'_>, view: &View) {
        let (tongue, flow) = (desk.tongue, &view.flow);
        let wide = at.width / columns as u16;
        for n in 0..usize::from(flow.seats).min(flow.sizes.len()) {
            let seat = Seat(n as u8);
            let rows = usize::from(at.height).max(1);
            if n / rows >= columns {
                return;
            }
            let place = Rect {
                x: at.x + (n / rows) as u16 * wide,
                y: at.y + (n % rows) as u16,
                width: wide.saturating_sub(1),
                height: 1,
            };
            let turn = flow.turn == seat && !matches!(flow.phase, Phase::Deal | Phase::Over);
            let mut facts = vec![said!(tongue, "memory.cards", n = flow.sizes[n])];
            let mut fact = |holds: bool, words: &str| {
                if holds {
                    facts.push(said!(tongue, words));
                }
            };
            fact(flow.down.has(seat), "rummy.is_down");
            fact(flow.phase.asked().has(seat), "rummy.is_asked");
            fact(flow.shown.has(seat), "rummy.asks");
            fact(flow.passed.has(seat), "rummy.has_passed");
            fact(flow.away.has(seat), "table.away");
            fact(flow.gone.has(seat), "rummy.gone");
            fact(flow.dealer == seat && usize::from(flow.seats) > 1, "table.dealer");
            if flow.takes[n] > 0 {
                facts.push(said!(tongue, "rummy.takes", n = flow.takes[n]));
            }
            let name = if desk.me == Some(seat) {
                format!("{} ({})", desk.name(seat), said!(tongue, "table.you"))
            } else {
                desk.name(seat)
            };
            let mut style = Style::default();
            if turn {
                style = style.add_modifier(Modifier::BOLD).fg(Color::Yellow);
            }
            let score = flow.score(&view.compiled, seat).to_string();
            let mark = if turn { "▸ " } else { "  " };
            page.columns(place, (mark.to_owned() + &name, style), &facts.join(" · "), &score);
        }
    }

    fn draw_board(
        &self,
        page: &mut Page<'_, '_>,
        at: Rect,
        desk: Desk<'_>,
        view: &View,
        rests: Option<SeatSet>,
    ) {
        if rests.is_some() || view.flow.phase == Phase::Over {
            let lines = round_result(desk, view);
            return page.lines(at, lines);
        }
        let melds = view.board.melds.len() as u16;
        // Beside one another where there is room, else the melds and below them what happened last.
        let (left, right) = if at.width >= 110 {
            let half = at.width / 2;
            (Rect { width: half, ..at }, Rect { x: at.x + half + 1, width: at.width - half - 1, ..at })
        } else {
            let story = at.height.saturating_sub(melds.max(1)).max(at.height.min(2)).min(at.height);
            let cut = at.height - story;
            (Rect { height: cut, ..at }, Rect { y: at.y + cut, height: story, ..at })
        };
        self.draw_melds(page, left, desk, view);
        page.story(right);
    }

    fn draw_melds(&self, page: &mut Page<'_, '_>, at: Rect, desk: Desk<'_>, view: &View) {
        let (tongue, pack) = (desk.tongue, &view.compiled.pack);
        if view.board.melds.is_empty() {
            let quiet = Style::default().add_modifier(Modifier::DIM);
            return page.line(at, Line::from(Span::styled(said!(tongue, "meld.none"), quiet)));
        }
        let chosen = self.faces();
        // Beside one another where they are many; the last ones where not even so all have room.
        let rows = at.height.max(1);
        let columns = (view.board.melds.len() as u16).div_ceil(rows).clamp(1, (at.width / 36).max(1));
        let hidden = view.board.melds.len().saturating_sub(usize::from(rows * columns));
        for (place, (n, laid)) in (0u16..).zip((1u16..).zip(&view.board.melds).skip(hidden)) {
            let width = at.width / columns;
            let row = Rect { x: at.x + place / rows * width, y: at.y + place % rows, width, height: 1 };
            let goes = !self.ends(view, &chosen, n).is_empty() || self.reclaims().contains(&n);
            let mark = if goes { "›" } else { " " };
            let room = if columns > 1 { 8 } else { 12 };
            let name = format!("{mark}{n:>2} {:<room$.room$} ", desk.name_or_you(laid.owner));
            let style = if goes {
                Style::default().fg(Color::Green).add_modifier(Modifier::BOLD)
            } else {
                Style::default()
            };
            let mut spans = vec![Span::styled(name, style)];
            for placed in &laid.meld.cards {
                let mut text = art::face_text(pack, placed.card);
                if laid.meld.is_run() && !placed.is_itself() {
                    text += &format!("({})", art::face_text(pack, placed.stands));
                }
                spans.push(Span::styled(text, art::face_style(pack, placed.card)));
                spans.push(Span::raw(" "));
            }
            page.hit(row, Hit::Meld(n));
            page.line(row, Line::from(spans));
        }
    }

    fn draw_piles(&self, page: &mut Page<'_, '_>, at: Rect, desk: Desk<'_>, view: &View) {
        let (tongue, pack, flow) = (desk.tongue, &view.compiled.pack, &view.flow);
        let stock = format!(" {} ", said!(tongue, "rummy.stock_label", n = flow.stock));
        let mut spans = vec![Span::styled(stock.clone(), Style::default())];
        page.hit(Rect { width: stock.chars().count() as u16, ..at }, Hit::Stock);
        spans.push(Span::raw("   "));
        match flow.top {
            Some(top) => {
                let left = stock.chars().count() as u16 + 3;
                let face = format!("[{}]", art::face_text(pack, top));
                let label = said!(tongue, "terminal.discards", n = flow.pile);
                page.hit(
                    Rect {
                        x: at.x + left,
                        width: (label.chars().count() + face.chars().count() + 1) as u16,
                        ..at
                    },
                    Hit::Discard,
                );
                spans.push(Span::raw(label + " "));
                spans.push(Span::styled(face, art::face_style(pack, top).add_modifier(Modifier::BOLD)));
            }
            None => spans.push(Span::raw(said!(tongue, "rummy.no_top"))),
        }
        if flow.protected {
            spans.push(Span::raw(format!(" {}", said!(tongue, "rummy.protected"))));
        }
        page.line(at, Line::from(spans));
    }

    fn draw_stage(&self, page: &mut Page<'_, '_>, at: Rect, desk: Desk<'_>, view: &View) {
        let (tongue, pack) = (desk.tongue, &view.compiled.pack);
        let Some(staged) = self.staged.as_ref().filter(|_| at.height > 0) else { return };
        let cursor = self.all().get(self.cursor).map(|card| card.key);
        for (n, meld) in staged.melds.iter().enumerate().take(usize::from(at.height)) {
            let row = Rect { y: at.y + n as u16, height: 1, ..at };
            let title = format!("  {}: ", slot_words(tongue, pack, &meld.slot));
            let mut x = row.x + title.chars().count() as u16;
            let mut spans = vec![Span::styled(title, Style::default().add_modifier(Modifier::BOLD))];
            for held in self.rack.at(Spot::Stage(n as u8)) {
                let mut style = art::face_style(pack, held.face);
                if cursor == Some(held.key) {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                if self.selected.contains(&held.key) {
                    style = style.add_modifier(Modifier::UNDERLINED);
                }
                let text = art::face_text(pack, held.face);
                let wide = text.chars().count() as u16;
                page.hit(Rect { x, width: wide, ..row }, Hit::Card(held.key));
                x += wide + 1;
                spans.push(Span::styled(text, style));
                spans.push(Span::raw(" "));
            }
            let (words, style) = match judged_words(tongue, pack, meld) {
                Ok(words) => (
                    words,
                    Style::default().fg(match meld.judged {
                        Judgement::Good(_) => Color::Green,
                        _ => Color::Reset,
                    }),
                ),
                Err(why) => (screen::refusal(tongue, &why), Style::default().fg(Color::Red)),
            };
            spans.push(Span::styled(words, style.add_modifier(Modifier::DIM)));
            page.line(row, Line::from(spans));
        }
    }

    /// How many cards of a fan fit beside one another.
    fn fan(wide: u16) -> usize {
        usize::from(wide.saturating_sub(1) / FAN.0).max(1)
    }

    /// How many fans a hand takes.
    fn hand_rows(&self, wide: u16) -> u16 {
        (self.rack.at(Spot::Hand).len().div_ceil(Rummy::fan(wide)) as u16).clamp(1, 3)
    }

    fn draw_hand(&self, page: &mut Page<'_, '_>, at: Rect, view: &View) {
        let (cards, pack) = (self.rack.at(Spot::Hand), &view.compiled.pack);
        let fan = Rummy::fan(at.width);
        let each = cards.len().div_ceil(cards.len().div_ceil(fan).max(1)).max(1);
        let goes: Vec<Face> = self
            .offers
            .iter()
            .flat_map(|offers| {
                let laid = offers.lay_off.iter().flatten().map(|(face, _)| *face);
                laid.chain(offers.reclaim.iter().flatten().map(|(face, _)| *face)).collect::<Vec<_>>()
            })
            .collect();
        for (n, held) in cards.iter().enumerate() {
            let (row, column) = ((n / each) as u16, (n % each) as u16);
            let place = Rect {
                x: at.x + column * FAN.0,
                y: at.y + row * (FAN.1 + 2),
                width: FAN.0 + 1,
                height: FAN.1 + 2,
            };
            if place.bottom() > at.bottom() || place.right() > at.right() {
                continue;
            }
            let card = Fanned {
                face: held.face,
                picked: self.selected.contains(&held.key),
                cursor: self.cursor == n,
                new: held.new,
                fits: goes.contains(&held.face),
            };
            page.hit(Rect { width: FAN.0, ..place }, Hit::Card(held.key));
            art::fan_card(page.buffer(), place, pack, card);
        }
    }
}

/// How the last round ended: who won it, everybody's deadwood, and the scores.
fn round_result(desk: Desk<'_>, view: &View) -> Vec<Line<'static>> {
    let (tongue, pack) = (desk.tongue, &view.compiled.pack);
    let Some(round) = view.board.sheet.last() else { return Vec::new() };
    let title = match round.winner {
        Some(seat) => {
            let n = round_number(view, view.board.sheet.len() - 1, round.round);
            said!(tongue, "sheet.won", name = desk.name_or_you(seat), n = n)
        }
        None => said!(tongue, "sheet.blocked"),
    };
    let mut lines = vec![Line::from(Span::styled(title, Style::default().add_modifier(Modifier::BOLD)))];
    for (n, points) in round.points.iter().enumerate() {
        let seat = Seat(n as u8);
        let score = view.flow.score(&view.compiled, seat);
        let mut spans =
            vec![Span::raw(format!("{:<18.18} {points:>+5} {score:>6}  ", desk.name_or_you(seat)))];
        let held = view.board.shown.get(n).map_or(&[][..], |held| &held[..]);
        if held.is_empty() {
            spans.push(Span::styled(said!(tongue, "sheet.out"), Style::default().fg(Color::Green)));
        }
        for &face in held {
            spans.push(Span::styled(art::face_text(pack, face) + " ", art::face_style(pack, face)));
        }
        lines.push(Line::from(spans));
    }
    lines
}

/// The score sheet: a line for each round, a column for each side.
#[must_use]
pub fn score_sheet(desk: Desk<'_>, view: &View, wide: u16) -> Vec<Line<'static>> {
    let tongue = desk.tongue;
    let sides = view.flow.sides(&view.compiled);
    let side_name = |side: u8| {
        let names: Vec<String> =
            (side..view.flow.seats).step_by(sides.into()).map(|seat| desk.name(Seat(seat))).collect();
        names.join(" & ")
    };
    let bold = Style::default().add_modifier(Modifier::BOLD);
    // As wide as the names, where there is room for them.
    let longest = (0..sides).map(|side| side_name(side).chars().count()).max().unwrap_or(0);
    let each =
        longest.clamp(6, (usize::from(wide).saturating_sub(30) / usize::from(sides.max(1))).max(7) - 1);
    let row = |first: &str, cells: Vec<String>| {
        let cells = cells.iter().map(|cell| format!(" {cell:>each$.each$}")).collect::<String>();
        format!("{first:<30.30}{cells}")
    };
    let heads = (0..sides).map(side_name).collect();
    let mut lines = vec![Line::from(Span::styled(row(&said!(tongue, "sheet.round"), heads), bold))];
    for (n, round) in view.board.sheet.iter().enumerate() {
        let number = round_number(view, n, round.round);
        let of = match view.compiled.per_player() {
            true => String::new(),
            false => contract_words(tongue, &view.compiled.laws[usize::from(round.round)]),
        };
        let cell = |side: usize| {
            let points: i32 = round.points.iter().skip(side).step_by(sides.into()).sum();
            let takes: u32 =
                round.takes.iter().skip(side).step_by(sides.into()).map(|&takes| u32::from(takes)).sum();
            if takes > 0 { format!("{points} +{takes}") } else { points.to_string() }
        };
        lines
            .push(Line::from(row(&format!("{number:>2} {of}"), (0..usize::from(sides)).map(cell).collect())));
    }
    let totals = (0..sides).map(|side| view.flow.score(&view.compiled, Seat(side)).to_string()).collect();
    lines.push(Line::from(Span::styled(row(&said!(tongue, "sheet.total"), totals), bold)));
    if view.board.sheet.iter().any(|round| round.takes.iter().any(|takes| *takes > 0)) {
        lines.push(Line::from(said!(tongue, "sheet.takes")));
    }
    lines
}
