//! A game in small: its layout of pattern cards, or the contracts of its rounds.

use rulebook::Picture;
use std::fmt::Write;

/// Width and height of the picture.
pub const EXTENT: [u32; 2] = [120, 56];
/// Most cards, and rounds, that are drawn.
const MOST: usize = 24;

/// What is inside the `<svg>` of a picture of [`EXTENT`].
#[must_use]
pub fn picture(picture: &Picture) -> String {
    match picture {
        Picture::Layout { zones, cards, hidden } => layout(usize::from(*zones), usize::from(*cards), *hidden),
        Picture::Contracts(rounds) => {
            let rounds: Vec<Vec<(bool, u32)>> = rounds
                .iter()
                .take(MOST)
                .map(|melds| melds.iter().map(|meld| (meld.run, meld.cards.into())).collect())
                .collect();
            contracts(&rounds)
        }
    }
}

/// Cards with a symbol each, in their groups: three rows, or where there are many groups of few three groups in a row.
fn layout(zones: usize, cards: usize, hidden: bool) -> String {
    let cards = cards.clamp(1, MOST);
    let (across, rows) =
        if zones > 3 { (cards.min(3), cards.div_ceil(3)) } else { (cards.div_ceil(3), cards.min(3)) };
    let (zones_across, zone_rows) = (zones.clamp(1, 3), zones.div_ceil(3).max(1));
    let gap = 6.0;
    let [width, height] = EXTENT.map(f64::from);
    let room = |extent: f64, zones: usize, cards: usize| {
        (extent - gap * (zones as f64 - 1.0)) / (zones * cards) as f64
    };
    // A card is half as wide again as it is high.
    let cell = room(width, zones_across, across).min(room(height, zone_rows, rows) * 1.5);
    let used =
        |zones: usize, cards: usize, cell: f64| (zones * cards) as f64 * cell + gap * (zones as f64 - 1.0);
    let left = (width - used(zones_across, across, cell)) / 2.0;
    let top = (height - used(zone_rows, rows, cell / 1.5)) / 2.0;
    let mut svg = String::new();
    for n in 0..zones.max(1) * cards {
        let (zone, card) = (n / cards, n % cards);
        let at = |zone: usize, card: usize, cards: usize, cell: f64| {
            zone as f64 * (cards as f64 * cell + gap) + card as f64 * cell
        };
        let x = left + at(zone % zones_across, card % across, across, cell);
        let y = top + at(zone / zones_across, card / across, rows, cell / 1.5);
        let paper = if hidden { "back" } else { "paper" };
        let (w, h) = (cell * 0.9, cell / 1.5 * 0.88);
        let _ = write!(
            svg,
            r#"<rect class="{paper}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="1.5"/>"#
        );
        if !hidden {
            let (colour, symbol) = (n * 2 % 3, (n / 2 + n) % 3);
            let (x, y, size) = (x + w / 2.0, y + h / 2.0, h * 0.008);
            let _ = write!(
                svg,
                r##"<g class="k{colour}"><use href="#y{symbol}" fill="currentColor" transform="translate({x:.1} {y:.1}) scale({size:.3})"/></g>"##
            );
        }
    }
    svg
}

/// A column for each round: groups (false) and runs of so many cards above each other.
fn contracts(rounds: &[Vec<(bool, u32)>]) -> String {
    let [width, height] = EXTENT.map(f64::from);
    let most =
        rounds.iter().map(|melds| melds.iter().map(|(_, cards)| cards + 1).sum::<u32>()).max().unwrap_or(1);
    let step = (width / rounds.len().max(1) as f64).min(16.0);
    let card = (height / f64::from(most.max(1))).min(5.0);
    let left = (width - step * rounds.len() as f64) / 2.0;
    let mut svg = String::new();
    for (n, melds) in rounds.iter().enumerate() {
        let (x, mut y) = (left + n as f64 * step, height);
        for &(run, cards) in melds {
            let high = f64::from(cards) * card;
            y -= high + card;
            let (kind, wide) = if run { ("run", 0.45) } else { ("group", 0.8) };
            let (x, wide) = (x + step * (1.0 - wide) / 2.0, step * wide);
            let _ = write!(
                svg,
                r#"<rect class="meld {kind}" x="{x:.1}" y="{:.1}" width="{wide:.1}" height="{high:.1}" rx="1.5"/>"#,
                y + card
            );
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
                text[from..].split('"').next().unwrap().parse::<f64>().unwrap()
            };
            let rects: Vec<&str> = svg.split("<rect ").skip(1).collect();
            for rect in &rects {
                let rect = &format!(" {rect}");
                assert!(number(rect, "x") >= 0.0 && number(rect, "y") >= -0.1, "{rect}");
                assert!(number(rect, "x") + number(rect, "width") <= 120.1, "{rect}");
                assert!(number(rect, "y") + number(rect, "height") <= 56.1, "{rect}");
            }
            rects.len()
        };
        for (zones, cards) in [(1, 9), (1, 12), (1, 20), (3, 6), (9, 3), (9, 4)] {
            assert_eq!(inside(&layout(zones, cards, false)), zones * cards, "{zones} of {cards}");
        }
        assert_eq!(inside(&layout(1, 81, true)), MOST);
        let rounds = [vec![(false, 3), (false, 3)], vec![(true, 4), (true, 4), (true, 4)], vec![(true, 13)]];
        assert_eq!(inside(&contracts(&rounds)), 6);
    }
}
