//! Playing cards of 100 by 140: large indices that can be read from a narrow strip, pips, courts of our own, jokers.

use cards::{Face, Pack};
use std::fmt::Write;

/// CSS class of the colour a suit is printed in.
fn ink(pack: &Pack, suit: u8) -> &'static str {
    if let Some(suit) = pack.ordinary(suit) {
        return ["clubs", "diamonds", "hearts", "spades"][usize::from(suit & 3)];
    }
    match pack.suits[suit as usize].to_ascii_lowercase().as_str() {
        "red" => "hearts",
        "green" => "rook-green",
        "yellow" => "rook-yellow",
        "blue" => "rook-blue",
        _ => "spades",
    }
}

/// The rank as it is printed: `10`, not `T`.
#[must_use]
pub fn rank_text(pack: &Pack, face: Face) -> String {
    match pack.ranks.get(usize::from(face.rank()).wrapping_sub(1)).map_or("?", String::as_str) {
        "T" => "10".to_owned(),
        rank => rank.to_owned(),
    }
}

/// Where the pips of a number card stand, in a box of 42 by 92 centred on 0,0, clear of both indices; those below the middle
/// are turned.
fn pips(rank: &str) -> &'static [(i8, i8)] {
    const L: i8 = -13;
    const R: i8 = 13;
    let number = match *rank.as_bytes() {
        [digit @ b'2'..=b'9'] => digit - b'0',
        [b'1', b'0'] => 10,
        _ => 0,
    };
    match number {
        2 => &[(0, -36), (0, 36)],
        3 => &[(0, -36), (0, 0), (0, 36)],
        4 => &[(L, -36), (R, -36), (L, 36), (R, 36)],
        5 => &[(L, -36), (R, -36), (0, 0), (L, 36), (R, 36)],
        6 => &[(L, -36), (R, -36), (L, 0), (R, 0), (L, 36), (R, 36)],
        7 => &[(L, -36), (R, -36), (0, -18), (L, 0), (R, 0), (L, 36), (R, 36)],
        8 => &[(L, -36), (R, -36), (0, -18), (L, 0), (R, 0), (0, 18), (L, 36), (R, 36)],
        9 => &[(L, -38), (R, -38), (L, -13), (R, -13), (0, 0), (L, 13), (R, 13), (L, 38), (R, 38)],
        10 => {
            &[(L, -38), (R, -38), (0, -25), (L, -13), (R, -13), (L, 13), (R, 13), (0, 25), (L, 38), (R, 38)]
        }
        _ => &[],
    }
}

/// What is inside the `<svg viewBox="0 0 100 140">` of a card.
#[must_use]
pub fn face(pack: &Pack, face: Face) -> String {
    let mut svg = String::with_capacity(1400);
    svg.push_str(r#"<rect class="paper" x="1" y="1" width="98" height="138" rx="8"/>"#);
    if face.is_joker() {
        svg.push_str(concat!(
            r#"<g class="joker"><text x="19" y="35" class="rank" text-anchor="middle">★</text>"#,
            r#"<text class="word" x="19" y="50" text-anchor="middle">J</text><text class="word" x="19" y="63" text-anchor="middle">O</text><text class="word" x="19" y="76" text-anchor="middle">K</text><text class="word" x="19" y="89" text-anchor="middle">E</text><text class="word" x="19" y="102" text-anchor="middle">R</text>"#,
            // A jester's cap with bells over a smiling mask.
            r#"<g transform="translate(62 72)"><path class="cap1" d="M-18 8C-22-14-34-20-30-34-24-24-12-26 0-8Z"/><path class="cap2" d="M18 8C22-14 34-20 30-34 24-24 12-26 0-8Z"/><path class="cap3" d="M-18 8C-14-12-8-30 0-46 8-30 14-12 18 8Z"/><circle class="bell" cx="-30" cy="-36" r="4.500"/><circle class="bell" cx="30" cy="-36" r="4.500"/><circle class="bell" cx="0" cy="-48" r="4.500"/><path class="mask" d="M-18 10H18C20 30 10 44 0 44S-20 30-18 10Z"/><path class="smile" d="M-9 28C-4 35 4 35 9 28M-9 19H-5M5 19H9"/></g></g>"#,
        ));
        return svg;
    }
    let suit = face.suit();
    let text = rank_text(pack, face);
    let (own, place) = pack.ordinary(suit).map_or(('m', suit), |place| ('s', place));
    let mark = format!("{own}{place}");
    let _ = write!(svg, r#"<g class="{}">"#, ink(pack, suit));
    let fit = if text.len() > 1 { r#" textLength="31" lengthAdjust="spacingAndGlyphs""# } else { "" };
    let corner = format!(
        r##"<text class="rank" x="19" y="35" text-anchor="middle"{fit}>{text}</text><use href="#{mark}" x="6.500" y="41" width="25" height="25"/>"##
    );
    svg.push_str(&corner);
    let _ = write!(svg, r#"<g transform="translate(97 137) rotate(180) scale(.62)">{corner}</g>"#);
    let court = ["J", "Q", "K"].iter().position(|c| *c == text);
    if let Some(court) = court {
        svg.push_str(COURTS[court]);
        let _ = write!(svg, r##"<use href="#{mark}" x="43" y="78" width="28" height="28"/>"##);
    } else if text == "A" {
        let _ = write!(svg, r##"<use href="#{mark}" x="27" y="44" width="52" height="52"/>"##);
    } else if own == 's' && !pips(&text).is_empty() {
        for &(x, y) in pips(&text) {
            let turn = if y > 0 { " rotate(180)" } else { "" };
            let _ = write!(
                svg,
                r##"<use href="#{mark}" x="-8" y="-8" width="16" height="16" transform="translate({} {}){turn}"/>"##,
                56 + i32::from(x),
                70 + i32::from(y)
            );
        }
    } else {
        let _ = write!(
            svg,
            r#"<text class="big" x="52" y="88" text-anchor="middle">{text}</text><rect class="frame" x="34" y="14" width="36" height="112" rx="6"/>"#
        );
    }
    svg.push_str("</g>");
    svg
}

/// Heads of the courts, drawn for this project: a feathered cap, a tiara, a crown.
const COURTS: [&str; 3] = [
    r#"<g class="court" transform="translate(58 56) scale(.85)"><path d="M-17 12C-17-6-6-14 6-12 14-11 18-4 18 4L18 12Z"/><path d="M-20 12H21" class="band"/><path class="plume" d="M12-8C16-24 26-30 32-30 30-20 24-10 16-2"/></g>"#,
    r#"<g class="court" transform="translate(58 56) scale(.85)"><path d="M-20 14C-20 2-22-6-24-14L-11-2-8-18 0-5 8-18 11-2 24-14C22-6 20 2 20 14Z"/><circle cx="-24" cy="-16" r="3"/><circle cx="-8" cy="-21" r="3"/><circle cx="8" cy="-21" r="3"/><circle cx="24" cy="-16" r="3"/><path d="M-19 8H19" class="band"/></g>"#,
    r#"<g class="court" transform="translate(58 56) scale(.85)"><path d="M-20 14-24-12-10 0 0-16 10 0 24-12 20 14Z"/><path class="band" d="M0-28V-16M-5-23H5M-19 8H19"/><circle cx="-24" cy="-14" r="3.400"/><circle cx="24" cy="-14" r="3.400"/></g>"#,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_is_drawn_differently() {
        let rook = Pack {
            suits: ["red", "green", "black", "yellow"].map(String::from).to_vec(),
            ranks: (1..=14).map(|r| r.to_string()).collect(),
        };
        for pack in [Pack::standard(), rook] {
            let faces: Vec<Face> = pack.faces().chain([Face::JOKER]).collect();
            let drawn: std::collections::HashSet<String> = faces.iter().map(|&f| face(&pack, f)).collect();
            assert_eq!(drawn.len(), faces.len());
        }
    }

    #[test]
    fn a_number_card_shows_its_number_of_pips() {
        for rank in 2..=10 {
            assert_eq!(pips(&rank.to_string()).len(), rank);
        }
    }

    #[test]
    fn a_short_pack_looks_like_the_whole_one() {
        let short = Pack {
            suits: ["hearts", "spades"].map(String::from).to_vec(),
            ranks: ["7", "8", "9", "T", "J", "Q", "K", "A"].map(String::from).to_vec(),
        };
        for text in ["7H", "TS", "KH"] {
            let (of_short, of_whole) = (short.parse(text), Pack::standard().parse(text));
            assert_eq!(face(&short, of_short.unwrap()), face(&Pack::standard(), of_whole.unwrap()), "{text}");
        }
    }
}
