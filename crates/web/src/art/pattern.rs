//! Pattern cards: one to three symbols side by side on a card of 150 by 100.

use cards::{Deck, Point};
use std::fmt::Write;

/// The letters of the colours.
pub(super) const LETTERS: [&str; 3] = ["R", "G", "P"];

/// What is inside the `<svg viewBox="0 0 150 100">` of a card.
#[must_use]
pub fn face(deck: Deck, point: Point) -> String {
    let code = deck.code(point);
    let (number, colour, shading, symbol) = (code[0], code[1], code[2], code[3]);
    let ground = code.get(4).copied();
    let mut svg = String::with_capacity(900);
    svg.push_str(r#"<rect class="paper" x="1" y="1" width="148" height="98" rx="9"/>"#);
    if let Some(ground) = ground {
        let _ = write!(svg, r#"<rect class="ground g{ground}" x="5" y="5" width="140" height="90" rx="6"/>"#);
        if ground > 0 {
            let _ =
                write!(svg, r#"<rect x="5" y="5" width="140" height="90" rx="6" fill="url(#gr{ground})"/>"#);
        }
    }
    let centres: &[u32] = match number {
        0 => &[75],
        1 => &[51, 99],
        _ => &[30, 75, 120],
    };
    let fill = match shading {
        0 => "currentColor".to_owned(),
        1 => format!("url(#st{colour})"),
        _ => "none".to_owned(),
    };
    let _ = write!(svg, r#"<g class="k{colour}">"#);
    for x in centres {
        let _ = write!(svg, r#"<g transform="translate({x} 50)">"#);
        if ground.is_some() || shading == 1 {
            let _ = write!(svg, r##"<use href="#y{symbol}" class="under"/>"##);
        }
        let _ = write!(
            svg,
            r##"<use href="#y{symbol}" fill="{fill}" stroke="currentColor" stroke-width="3.400" stroke-linejoin="round"/>"##
        );
        // Overlays: a letter, or a mark cut into the symbol (dot, bar, cross).
        let letter = LETTERS[colour as usize];
        let _ = write!(
            svg,
            r##"<g class="ov letters"><circle r="11.500"/><use href="#l{letter}" y="6.200"/></g>"##
        );
        let mark = [
            r#"<circle class="cut" r="5.500"/>"#,
            r#"<path class="line" d="M-8 0H8"/>"#,
            r#"<path class="line" d="M-6-6 6 6M6-6-6 6"/>"#,
        ][colour as usize];
        let _ = write!(svg, r#"<g class="ov marks"><circle r="11.500"/>{mark}</g></g>"#);
    }
    svg.push_str("</g>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_drawn_differently() {
        for deck in [Deck::D81, Deck::D243] {
            let drawn: std::collections::HashSet<String> =
                (0..deck.points()).map(|i| face(deck, Point(i as u8))).collect();
            assert_eq!(drawn.len(), deck.points());
        }
    }

    #[test]
    fn number_is_the_number_of_symbols() {
        let symbols =
            |code: &str| face(Deck::D81, Deck::D81.parse(code).unwrap()).matches("stroke-linejoin").count();
        assert_eq!(["0000", "1000", "2000"].map(symbols), [1, 2, 3]);
    }
}
