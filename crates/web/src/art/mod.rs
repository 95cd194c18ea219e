//! Our own artwork, as SVG text: pattern cards, playing cards, backs.
//!
//! Art depends on no setting: colours are CSS variables and overlays are drawn always and shown by CSS, so that a change of
//! theme, palette or overlay redraws nothing. Shapes that repeat stand once in [`defs`].

pub mod bot;
pub mod game;
pub mod pattern;
pub mod playing;

use std::fmt::Write;

/// Shapes and fills that the cards refer to.
const DEFS: &str = concat!(
    r#"<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>"#,
    // Pattern symbols, centred on 0,0, about 36 by 74.
    r#"<rect id="y0" x="-17.5" y="-36.5" width="35" height="73" rx="17.5"/>"#,
    r#"<path id="y1" d="M-7 -36.5C6 -40.5 19.500 -30 17 -12.500C15.2 -.5 11 7 15 18.5C18.600 28 15.500 34 7 36.500C-6 40.500 -19.500 30 -17 12.500C-15.200 .5 -11 -7 -15 -18.500C-18.600 -28 -15.500 -34 -7 -36.500Z"/>"#,
    r#"<path id="y2" d="M0 -37 19 0 0 37-19 0Z"/>"#,
    // Stripes, one set for each colour: the content of a pattern cannot inherit the colour of who uses it.
    r#"<pattern id="st0" class="k0" width="4.6" height="4.6" patternUnits="userSpaceOnUse"><path d="M0 2.300H4.600" stroke="currentColor" stroke-width="1.700"/></pattern>"#,
    r#"<pattern id="st1" class="k1" width="4.6" height="4.6" patternUnits="userSpaceOnUse"><path d="M0 2.300H4.600" stroke="currentColor" stroke-width="1.700"/></pattern>"#,
    r#"<pattern id="st2" class="k2" width="4.6" height="4.6" patternUnits="userSpaceOnUse"><path d="M0 2.300H4.600" stroke="currentColor" stroke-width="1.700"/></pattern>"#,
    // Grounds of the 243-card deck: plain, dotted, hatched, so that they differ without colour.
    r#"<pattern id="gr1" width="9" height="9" patternUnits="userSpaceOnUse"><circle class="ink1" cx="2.500" cy="2.500" r="1.350"/><circle class="ink1" cx="7" cy="7" r="1.350"/></pattern>"#,
    r#"<pattern id="gr2" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="ink2" d="M0 2H8" stroke-width="1.300"/></pattern>"#,
    // The back of a card.
    r#"<pattern id="back" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 7H14M7 0V14" stroke="var(--back-line)" stroke-width="1.100"/><circle cx="7" cy="7" r="2.100" fill="var(--back-line)"/></pattern>"#,
    // Suits, in a box of 100 by 100.
    r#"<symbol id="s0" viewBox="-50 -50 100 100"><path d="M-21-19a21 21 0 1 1 42 0 21 21 0 1 1-42 0ZM-44 13a21 21 0 1 1 42 0 21 21 0 1 1-42 0ZM2 13a21 21 0 1 1 42 0 21 21 0 1 1-42 0ZM-7-12H7L5 14C6 28 10 38 18 44H-18C-10 38-6 28-5 14Z"/></symbol>"#,
    r#"<symbol id="s1" viewBox="-50 -50 100 100"><path d="M0-46C9-27 21-12 36 0 21 12 9 27 0 46-9 27-21 12-36 0-21-12-9-27 0-46Z"/></symbol>"#,
    r#"<symbol id="s2" viewBox="-50 -50 100 100"><path d="M0 45C-11 29-43 10-43-16-43-33-31-42-20-42-10-42-3-35 0-26 3-35 10-42 20-42 31-42 43-33 43-16 43 10 11 29 0 45Z"/></symbol>"#,
    r#"<symbol id="s3" viewBox="-50 -50 100 100"><path d="M0-46C10-29 42-8 42 15 42 29 32 35 22 35 14 35 8 31 5 25 6 34 10 41 16 45H-16C-10 41-6 34-5 25-8 31-14 35-22 35-32 35-42 29-42 15-42-8-10-29 0-46Z"/></symbol>"#,
    // Marks of other packs (four colours): disc, square, triangle, star.
    r#"<symbol id="m0" viewBox="-50 -50 100 100"><circle r="40"/></symbol>"#,
    r#"<symbol id="m1" viewBox="-50 -50 100 100"><rect x="-36" y="-36" width="72" height="72" rx="8"/></symbol>"#,
    r#"<symbol id="m2" viewBox="-50 -50 100 100"><path d="M0-42 44 36H-44Z"/></symbol>"#,
    r#"<symbol id="m3" viewBox="-50 -50 100 100"><path d="M0-45 12-15 44-14 19 6 28 38 0 19-28 38-19 6-44-14-12-15Z"/></symbol>"#,
    // The letters of a joker.
    r#"<g id="joker"><text x="19" y="35" class="rank" text-anchor="middle">★</text><text class="word" x="19" y="50" text-anchor="middle">J</text><text class="word" x="19" y="63" text-anchor="middle">O</text><text class="word" x="19" y="76" text-anchor="middle">K</text><text class="word" x="19" y="89" text-anchor="middle">E</text><text class="word" x="19" y="102" text-anchor="middle">R</text></g>"#,
);

/// Ranks of packs, as cards show them.
const RANKS: [&str; 18] =
    ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "1", "11", "12", "13", "14"];

/// Shapes and fills that the cards refer to, and the ranks that they show: letters that are part of a picture, which its name says in
/// words, are no text of what shows it. It stands once in the page.
#[must_use]
pub fn defs() -> String {
    let mut defs = DEFS.to_owned();
    for rank in RANKS {
        let fit = playing::fit(rank);
        let _ = write!(
            defs,
            r#"<text id="r{rank}" class="rank" text-anchor="middle"{fit}>{rank}</text><text id="b{rank}" class="big" text-anchor="middle">{rank}</text>"#
        );
    }
    for letter in pattern::LETTERS {
        let _ = write!(defs, r#"<text id="l{letter}" class="letter" text-anchor="middle">{letter}</text>"#);
    }
    defs + "</defs></svg>"
}

/// A rank at a place of a card, small (`r`) or large (`b`); one that no pack of ours has is written.
fn rank(size: char, rank: &str, x: u8, y: u8) -> String {
    if RANKS.contains(&rank) {
        return format!(r##"<use href="#{size}{rank}" x="{x}" y="{y}"/>"##);
    }
    let (class, fit) = if size == 'r' { ("rank", playing::fit(rank)) } else { ("big", "") };
    format!(r#"<text class="{class}" x="{x}" y="{y}" text-anchor="middle"{fit}>{rank}</text>"#)
}

/// The back of a card of `width` by `height`.
#[must_use]
pub fn back(width: u32, height: u32) -> String {
    format!(
        r#"<rect class="paper" x="1" y="1" width="{w}" height="{h}" rx="9"/><rect class="back" x="6" y="6" width="{bw}" height="{bh}" rx="5"/><rect x="6" y="6" width="{bw}" height="{bh}" rx="5" fill="url(#back)"/>"#,
        w = width - 2,
        h = height - 2,
        bw = width - 12,
        bh = height - 12
    )
}
