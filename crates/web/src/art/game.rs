//! A game in small: its layout of pattern cards, or the contracts of its rounds. In whole numbers: those who write fractions would weigh
//! more than the pictures.

use std::fmt::Write;

/// Width and height of the picture.
pub const EXTENT: [u32; 2] = [1200, 560];
/// Most cards, and rounds, that are drawn.
const MOST: usize = 24;
/// Between groups of cards.
const GAP: u32 = 60;

/// What is inside the `<svg>` of a picture of [`EXTENT`], as `rulebook::Info::picture` says what is to be seen; nothing of anything else.
#[must_use]
pub fn picture(said: &str) -> String {
    let (cards, hidden) = said.strip_prefix('-').map_or((said, false), |cards| (cards, true));
    if let Some((zones, cards)) = cards.split_once('*') {
        let (cards, more) = cards.split_once('+').unwrap_or((cards, ""));
        let number = |text: &str, or: u8| text.parse().unwrap_or(or).into();
        let claim = number(more.trim_end_matches('g'), 0);
        return layout(
            number(zones, 1),
            number(cards, 1),
            Look { hidden, claim, grounds: more.ends_with('g') },
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
    contracts(&said.split_whitespace().take(MOST).map(round).collect::<Vec<_>>())
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
fn layout(zones: u32, cards: u32, look: Look) -> String {
    let (zones, cards) = (zones.clamp(1, 9), cards.clamp(1, MOST as u32));
    let (across, rows) =
        if zones > 3 { (cards.min(3), cards.div_ceil(3)) } else { (cards.div_ceil(3), cards.min(3)) };
    let (zones_across, zone_rows) = (zones.min(3), zones.div_ceil(3));
    let [width, height] = EXTENT;
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
fn contracts(rounds: &[Vec<(bool, u32)>]) -> String {
    let [width, height] = EXTENT;
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
        assert_eq!(picture("-3*6+3").matches("back marked").count(), 3);
        assert_eq!(inside(&picture("g3g3 r4r4r4 r13")), 6);
        assert_eq!(inside(&picture("what? r99999999999 *")), 1);
        assert_eq!(inside(&picture("255*255")), 9 * MOST);
    }
}
