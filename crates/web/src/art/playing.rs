//! Playing cards of 100 by 140: large indices that can be read from a narrow strip, pips, courts of our own, jokers.

use super::rank;
use cards::{Face, Pack};
use screen::card::rank_text;
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

/// What squeezes a rank of more than one letter into its corner.
pub(super) fn fit(rank: &str) -> &'static str {
    if rank.len() > 1 { r#" textLength="31" lengthAdjust="spacingAndGlyphs""# } else { "" }
}

/// What is inside the `<svg viewBox="0 0 100 140">` of a card.
#[must_use]
pub fn face(pack: &Pack, face: Face) -> String {
    let mut svg = String::with_capacity(1400);
    svg.push_str(r#"<rect class="paper" x="1" y="1" width="98" height="138" rx="8"/>"#);
    if face.is_joker() {
        svg.push_str(concat!(
            r##"<g class="joker"><use href="#joker"/>"##,
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
    let corner = format!(
        r##"{}<use href="#{mark}" x="6.500" y="41" width="25" height="25"/>"##,
        rank('r', &text, 19, 35)
    );
    svg.push_str(&corner);
    let court = ["J", "Q", "K"].iter().position(|c| *c == text);
    if let Some(court) = court {
        let half = COURTS[court];
        let _ = write!(
            svg,
            r#"<g class="court" transform="translate(64 70)">{half}<g transform="rotate(180)">{half}</g><rect class="frame" x="-30.500" y="-63" width="61" height="126" rx="5"/></g>"#
        );
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
            r#"{}<rect class="frame" x="34" y="14" width="36" height="112" rx="6"/>"#,
            rank('b', &text, 52, 88)
        );
    }
    // Above the figure of a court, which it would else be lost in.
    let _ = write!(
        svg,
        r#"<g class="corner" transform="translate(97 137) rotate(180) scale(.62)">{corner}</g></g>"#
    );
    svg
}

/// Half figures of the courts, drawn for this project, in a box of 60 by 62 that stands on 0,0: a jack with a feathered cap, a
/// queen with a tiara, a bearded king.
const COURTS: [&str; 3] = [
    r#"<path class="hair" d="M-13-44V-27Q-16-22-11-21-8-24-8-30H8Q8-24 11-21 16-22 13-27V-44Z"/><path class="cloth" d="M-28 0V-6Q-27-18-10-22H10Q27-18 28-6V0Z"/><path class="trim" d="M-19 0V-12M-10 0V-14M10 0V-14M19 0V-12"/><path class="fur" d="M-13-20-6-25H6L13-20 6-14 0-18-6-14Z"/><path class="skin" d="M-9.500-45H9.500V-36Q9.500-25 0-23-9.500-25-9.500-36Z"/><path class="hair" d="M-10-40Q-6-42-3-46H10V-39Q7-41 5-44 0-41-10-40Z"/><path class="cap" d="M-16-44Q-16-57 2-58 16-57 15-45 0-49-16-44Z"/><path class="gold" d="M-16.500-42Q0-48 15.500-43V-47Q0-52-16.500-46Z"/><path class="plume" d="M8-49Q12-61 25-59 23-55 26-53 20-53 19-48 13-52 8-49Z"/><path class="mouth" d="M-2.500-29Q0-28 2.500-29"/><path class="line" d="M-6-37H-3.500M3.500-37H6M0-36 1-32"/>"#,
    r#"<path class="hair" d="M-15-40Q-15-54 0-54T15-40Q14-28 20-16L12-12Q8-20 9-28H-9Q-8-20-12-12L-20-16Q-14-28-15-40Z"/><path class="cloth" d="M-29 0Q-28-16-11-21L0-9 11-21Q28-16 29 0Z"/><path class="skin" d="M-5-26H5V-19L9-20 0-9-9-20-5-19Z"/><path class="trim" d="M-22 0Q-20-10-12-15L0-4 12-15Q20-10 22 0"/><path class="skin" d="M-9.500-41Q-9.500-49 0-49T9.500-41Q9.500-27 0-24-9.500-27-9.500-41Z"/><path class="hair" d="M-10-38Q-10-50 0-51 10-50 10-38 7-46 0-46T-10-38Z"/><path class="gold" d="M-12-48-14-58-6-53 0-61 6-53 14-58 12-48Q0-53-12-48Z"/><circle class="gem" cy="-54.500" r="2"/><path class="mouth" d="M-2.500-30Q0-28 2.500-30"/><path class="line" d="M-6-38Q-4.500-40-3-38M3-38Q4.500-40 6-38M0-37 1-33"/><path class="pearls" d="M-6-18Q0-12 6-18"/>"#,
    r#"<path class="cloth" d="M-30 0V-8Q-28-20-10-24H10Q28-20 30-8V0Z"/><path class="trim" d="M-6 0V-14H6V0M-24 0V-9M-16 0V-8M16 0V-8M24 0V-9"/><path class="fur" d="M-27-15Q-14-22-9-25H9Q14-22 27-15 14-6 0-6T-27-15Z"/><path class="hair" d="M-14-45V-28Q-18-25-15-21-10-24-9-31H9Q10-24 15-21 18-25 14-28V-45Z"/><path class="skin" d="M-10-46H10V-33Q10-22 0-21T-10-33Z"/><path class="hair" d="M-10-32-5-32Q-2-34 0-32 2-34 5-32H10V-26Q8-13 0-11-8-13-10-26Z"/><path class="mouth" d="M-3-27Q0-25.500 3-27"/><path class="gold" d="M-14-44-17-58-8-51 0-62 8-51 17-58 14-44Z"/><circle class="gem" cy="-49" r="2.200"/><circle class="gem" cx="-8" cy="-47.500" r="1.500"/><circle class="gem" cx="8" cy="-47.500" r="1.500"/><path class="line" d="M-7-39H-3M3-39H7M0-38V-34"/>"#,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rook() -> Pack {
        Pack {
            suits: ["red", "green", "black", "yellow"].map(String::from).to_vec(),
            ranks: (1..=14).map(|r| r.to_string()).collect(),
        }
    }

    #[test]
    fn every_face_is_drawn_differently() {
        for pack in [Pack::standard(), rook()] {
            let faces: Vec<Face> = pack.faces().chain([Face::JOKER]).collect();
            let drawn: std::collections::HashSet<String> = faces.iter().map(|&f| face(&pack, f)).collect();
            assert_eq!(drawn.len(), faces.len());
        }
    }

    /// Checkers, and who speaks to a device, take letters of a button for what it is called.
    #[test]
    fn no_card_of_a_pack_of_ours_has_letters_of_its_own() {
        for pack in [Pack::standard(), rook()] {
            for card in pack.faces().chain([Face::JOKER]) {
                let drawn = face(&pack, card);
                assert!(!drawn.contains("<text"), "{drawn}");
                for used in drawn.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                    assert!(crate::art::defs().contains(&format!(r#"id="{used}""#)), "{used}");
                }
            }
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
