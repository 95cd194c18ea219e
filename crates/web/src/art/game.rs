//! A game in small: its layout of pattern cards, or the contracts of its rounds. In whole numbers: those who write fractions would weigh
//! more than the pictures.

use std::fmt::Write;

/// Width and height of the picture.
pub const EXTENT: [u32; 2] = [1200, 560];
/// Most cards, and rounds, that are drawn.
const MOST: usize = 24;
/// Between groups of cards.
const GAP: u32 = 60;
/// How high the lowest part is, where there is one.
const STRIP: u32 = 130;
/// The signs of rules, by their letters in `rulebook::Info::picture`, each in a box of 60 by 60.
const SIGNS: [(char, &str); 19] = [
    // Set: the last Set goes on, own cards, one card down, a heap, card by card, the clock, up to a goal, it ends where none is seen,
    // all are looked for, another one looks, cards are placed, pairs are named.
    ('a', "M5 12H35V42H5ZM25 22H55V52H25Z"),
    ('h', "M4 20H20V52H4ZM22 10H38V52H22ZM40 20H56V52H40Z"),
    ('x', "M14 6H46V54H14ZM14 54 46 6"),
    ('p', "M8 52H52M8 38H52M8 24H52"),
    ('d', "M30 8V52M8 30H52"),
    ('t', "M30 5A25 25 0 1 1 29 5ZM30 14V30L42 38"),
    ('f', "M14 56V6L50 18 14 30"),
    ('k', "M10 10 50 50M50 10 10 50"),
    ('l', "M8 12H52M8 30H52M8 48H30"),
    ('e', "M3 30Q30 2 57 30Q30 58 3 30ZM30 21A9 9 0 1 1 29 21Z"),
    ('u', "M30 4V34M17 22 30 36 43 22M8 38V54H52V38"),
    ('b', "M22 6H8V54H22M38 6H52V54H38"),
    // Contract Rummy: jokers, twos that are wild, others take out of turn, melds may be larger, ends that meet, a cut, a call.
    ('j', "M30 3 37 22 57 23 41 35 47 54 30 43 13 54 19 35 3 23 23 22Z"),
    ('w', "M14 20Q14 6 30 6T46 20Q46 32 14 54H48"),
    ('y', "M4 22H44L30 8M56 40H16L30 54"),
    ('q', "M30 10V50M10 30H50M4 4H56V56H4Z"),
    ('r', "M50 30A20 20 0 1 1 40 13M40 2V14H52"),
    ('c', "M12 4H48V24H12ZM12 36H48V56H12Z"),
    ('z', "M30 4V38M30 50V54"),
];

/// What is inside the `<svg>` of a picture of [`EXTENT`], as `rulebook::Info::picture` says what is to be seen; nothing of anything else.
#[must_use]
pub fn picture(said: &str) -> String {
    let (said, more) = said.split_once('/').unwrap_or((said, ""));
    let height = if more.is_empty() { EXTENT[1] } else { EXTENT[1] - STRIP };
    table(said, height) + &strip(more)
}

/// What lies on the table, so high.
fn table(said: &str, height: u32) -> String {
    let (cards, hidden) = said.strip_prefix('-').map_or((said, false), |cards| (cards, true));
    if let Some((zones, cards)) = cards.split_once('*') {
        let (cards, more) = cards.split_once('+').unwrap_or((cards, ""));
        let number = |text: &str, or: u8| text.parse().unwrap_or(or).into();
        let claim = number(more.trim_end_matches('g'), 0);
        return layout(
            number(zones, 1),
            number(cards, 1),
            Look { hidden, claim, grounds: more.ends_with('g') },
            height,
        );
    }
    let round = |round: &str| {
        let mut melds: Vec<(bool, u32)> = Vec::new();
        for letter in round.chars() {
            match (letter.to_digit(10), melds.last_mut()) {
                (Some(digit), Some((_, cards))) => *cards = (*cards * 10 + digit).min(99),
                _ => melds.push((letter == 'r', 0)),
            }
        }
        melds
    };
    contracts(&said.split_whitespace().take(MOST).map(round).collect::<Vec<_>>(), height)
}

/// The lowest part of a picture: a dot for each who can play, and a sign for each rule that makes another game of the same cards.
fn strip(more: &str) -> String {
    let signs = more.trim_start_matches(|c: char| c.is_ascii_digit());
    let people: u32 = more[..more.len() - signs.len()].parse().unwrap_or(0).min(12);
    let y = EXTENT[1] - STRIP / 2;
    let mut svg = String::new();
    if people > 0 {
        let dots: String = (0..people).map(|n| format!("M{} {y}h1", 25 + n * 45)).collect();
        let _ = write!(svg, r#"<path class="people" d="{dots}"/>"#);
    }
    let drawn = signs.chars().filter_map(|sign| SIGNS.iter().find(|(name, _)| *name == sign));
    for (n, (_, path)) in (0..).zip(drawn) {
        let (x, y) = (people * 45 + 30 + n * 130, EXTENT[1] - STRIP + 20);
        let _ = write!(svg, r#"<path class="sign" d="{path}" transform="translate({x} {y}) scale(1.600)"/>"#);
    }
    svg
}

/// What is to be seen of the cards of a layout.
struct Look {
    /// Their backs alone.
    hidden: bool,
    /// How many of them are marked, as those of a claim.
    claim: u32,
    /// Their backgrounds.
    grounds: bool,
}

/// Cards with a symbol each, in their groups: three rows, or where there are many groups of few three groups in a row.
fn layout(zones: u32, cards: u32, look: Look, height: u32) -> String {
    let (zones, cards) = (zones.clamp(1, 9), cards.clamp(1, MOST as u32));
    let (across, rows) =
        if zones > 3 { (cards.min(3), cards.div_ceil(3)) } else { (cards.div_ceil(3), cards.min(3)) };
    let (zones_across, zone_rows) = (zones.min(3), zones.div_ceil(3));
    let width = EXTENT[0];
    let room = |extent: u32, zones: u32, cards: u32| (extent - GAP * (zones - 1)) / (zones * cards);
    // A card is half as wide again as it is high.
    let wide = room(width, zones_across, across).min(room(height, zone_rows, rows) * 3 / 2);
    let high = wide * 2 / 3;
    let used = |zones: u32, cards: u32, card: u32| zones * cards * card + GAP * (zones - 1);
    let left = (width - used(zones_across, across, wide)) / 2;
    let top = (height - used(zone_rows, rows, high)) / 2;
    let (mut svg, all) = (String::new(), zones * cards);
    // Those of a claim lie apart, and in different groups if there are several.
    let claim = look.claim.min(all);
    let marked: Vec<u32> = (0..claim).map(|n| n * all / claim + n % (all / claim)).collect();
    for n in 0..all {
        let (zone, card) = (n / cards, n % cards);
        let at = |zone: u32, card: u32, cards: u32, size: u32| zone * (cards * size + GAP) + card * size;
        let x = left + at(zone % zones_across, card % across, across, wide);
        let y = top + at(zone / zones_across, card / across, rows, high);
        let (w, h) = (wide * 9 / 10, high * 9 / 10);
        let paper = match (look.hidden, look.grounds) {
            (true, _) => "back".to_owned(),
            (false, true) => format!("paper g{}", n % 3),
            (false, false) => "paper".to_owned(),
        };
        let mark = if marked.contains(&n) { " marked" } else { "" };
        let _ =
            write!(svg, r#"<rect class="{paper}{mark}" x="{x}" y="{y}" width="{w}" height="{h}" rx="15"/>"#);
        if !look.hidden {
            let (colour, symbol) = (n * 2 % 3, (n / 2 + n) % 3);
            let (x, y, per_cent) = (x + w / 2, y + h / 2, h * 4 / 5);
            let _ = write!(
                svg,
                r##"<g class="k{colour}"><use href="#y{symbol}" fill="currentColor" transform="translate({x} {y}) scale({}.{:02})"/></g>"##,
                per_cent / 100,
                per_cent % 100
            );
        }
    }
    svg
}

/// A column for each round: groups (false) and runs of so many cards above each other.
fn contracts(rounds: &[Vec<(bool, u32)>], height: u32) -> String {
    let width = EXTENT[0];
    let count = (rounds.len() as u32).max(1);
    let most = rounds.iter().map(|melds| melds.iter().map(|(_, cards)| cards + 1).sum()).max().unwrap_or(1);
    let step = (width / count).min(160);
    let card = (height / most.max(1)).min(50);
    let left = (width - step * count) / 2;
    let mut svg = String::new();
    for (x, melds) in (0..).map(|n| left + n * step).zip(rounds) {
        let mut y = height;
        for &(run, cards) in melds {
            let high = cards * card;
            y -= high;
            let (kind, wide) = if run { ("run", step * 9 / 20) } else { ("group", step * 4 / 5) };
            let x = x + (step - wide) / 2;
            let _ = write!(
                svg,
                r#"<rect class="meld {kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="15"/>"#
            );
            y -= card.min(y);
        }
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_and_every_meld_lies_in_the_picture() {
        let inside = |svg: &str| {
            let number = |text: &str, name: &str| {
                let from = text.find(&format!(r#" {name}=""#)).unwrap() + name.len() + 3;
                text[from..].split('"').next().unwrap().parse::<u32>().unwrap()
            };
            let rects: Vec<&str> = svg.split("<rect ").skip(1).collect();
            for rect in &rects {
                let rect = &format!(" {rect}");
                assert!(number(rect, "x") + number(rect, "width") <= EXTENT[0], "{rect}");
                assert!(number(rect, "y") + number(rect, "height") <= EXTENT[1], "{rect}");
            }
            rects.len()
        };
        for (zones, cards) in [(1, 9), (1, 12), (1, 20), (3, 6), (9, 3), (9, 4)] {
            for claim in [0, 3, 4, 6, 8] {
                let svg = picture(&format!("{zones}*{cards}+{claim}g"));
                assert_eq!(inside(&svg), (zones * cards) as usize, "{zones} of {cards}");
                assert_eq!(svg.matches("marked").count(), claim, "{zones} of {cards}");
            }
        }
        assert_eq!(inside(&picture("1*81+255")), MOST);
        assert_eq!(inside(&picture("-3*6")), 18);
        // What lies beside the table leaves room for it.
        let whole = picture("1*12+3/12apd");
        assert_eq!((inside(&whole), whole.matches("class=\"sign\"").count()), (12, 3));
        assert!(picture("r13 r13/5jy").contains("M205 "), "five people");
        assert_eq!(picture("-3*6+3").matches("back marked").count(), 3);
        assert_eq!(inside(&picture("g3g3 r4r4r4 r13")), 6);
        assert_eq!(inside(&picture("what? r99999999999 *")), 1);
        assert_eq!(inside(&picture("255*255")), 9 * MOST);
    }
}
