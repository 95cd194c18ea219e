//! Sheets of pattern cards to print and cut (pattern/PRINT-1, PRINT-2): A4, 21 cards a page, vectors only.
//!
//! ```
//! // The 27 cards of the quick deck on two pages, each with its back.
//! let pdf = print::pdf(cards::Deck::D27, print::Options { backs: true, ..print::Options::default() });
//! assert!(pdf.starts_with(b"%PDF-"));
//! assert_eq!(print::cards_of(cards::Deck::D27).len().div_ceil(print::CARDS_A_PAGE), 2);
//! ```

pub mod worksheet;

use cards::art::{CENTRES, SYMBOLS};
use cards::{Deck, Point};
use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

/// How the sheets are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Marks in the margins that show where to cut.
    pub crop_marks: bool,
    /// After each sheet of faces a sheet of backs, for printing on both sides.
    pub backs: bool,
    /// A letter for the colour on each symbol (pattern/CARD-4).
    pub letters: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { crop_marks: true, backs: false, letters: false }
    }
}

/// Cards on a page: 3 columns, 7 rows.
pub const CARDS_A_PAGE: usize = 21;

const COLUMNS: usize = 3;
const ROWS: usize = 7;
/// Points (1/72 inch) in a millimetre.
const MM: f32 = 72.0 / 25.4;
const PAGE: (f32, f32) = (210.0 * MM, 297.0 * MM);
/// A card is 60 by 40 mm: the drawing's 150 by 100 units.
const CARD: (f32, f32) = (60.0 * MM, 40.0 * MM);
const UNIT: f32 = CARD.0 / 150.0;

type Rgb = (f32, f32, f32);
const INK: [Rgb; 3] = [(0.80, 0.13, 0.15), (0.0, 0.49, 0.30), (0.40, 0.18, 0.58)];
const GROUND: [Rgb; 3] = [(0.99, 0.93, 0.92), (0.91, 0.96, 0.91), (0.94, 0.92, 0.98)];
const GREY: Rgb = (0.55, 0.55, 0.58);

/// The cards of a deck in printing order: rising numbers (pattern/CARD-2). `d27` is the solid cards (QUICK-1).
#[must_use]
pub fn cards_of(deck: Deck) -> Vec<Point> {
    (0..deck.points())
        .map(|i| Point(i as u8))
        .filter(|&p| deck != Deck::D27 || deck.code(p)[2] == 0)
        .collect()
}

/// The sheets of `deck` as one PDF file.
#[must_use]
pub fn pdf(deck: Deck, options: Options) -> Vec<u8> {
    let cards = cards_of(deck);
    let mut pages = Vec::new();
    for sheet in cards.chunks(CARDS_A_PAGE) {
        pages.push(page(options, sheet.len(), |content, i| face(content, deck, sheet[i], options)));
        if options.backs {
            // Backs are all alike and the grid is symmetric, so they match whichever edge the sheet is turned over.
            pages.push(page(options, CARDS_A_PAGE, |content, _| back(content)));
        }
    }
    assemble(&format!("Parlour pattern cards, {} cards", cards.len()), &pages)
}

fn assemble(title: &str, pages: &[Vec<u8>]) -> Vec<u8> {
    let (catalog, tree, font, info) = (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4));
    let page_at = |i: usize| Ref::new(5 + 2 * i as i32);
    let content_at = |i: usize| Ref::new(6 + 2 * i as i32);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids((0..pages.len()).map(page_at)).count(pages.len() as i32);
    pdf.type1_font(font).base_font(Name(b"Helvetica-Bold")).encoding_predefined(Name(b"WinAnsiEncoding"));
    pdf.document_info(info).title(pdf_writer::TextStr(title)).producer(pdf_writer::TextStr("Parlour"));
    for (i, content) in pages.iter().enumerate() {
        let mut page = pdf.page(page_at(i));
        page.media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1)).parent(tree).contents(content_at(i));
        page.resources().fonts().pair(Name(b"F"), font);
        page.finish();
        pdf.stream(content_at(i), content);
    }
    pdf.finish()
}

/// One page with `count` cards, each drawn by `draw` in units of the drawing with y downwards.
fn page(options: Options, count: usize, draw: impl Fn(&mut Content, usize)) -> Vec<u8> {
    let mut content = Content::new();
    let left = (PAGE.0 - CARD.0 * COLUMNS as f32) / 2.0;
    let top = PAGE.1 - (PAGE.1 - CARD.1 * ROWS as f32) / 2.0;
    for i in 0..count {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let (x, y) = (left + CARD.0 * column as f32, top - CARD.1 * row as f32);
        content.save_state().transform([UNIT, 0.0, 0.0, -UNIT, x, y]);
        draw(&mut content, i);
        content.restore_state();
    }
    if options.crop_marks {
        crop_marks(&mut content, left, top);
    }
    content.finish().to_vec()
}

fn crop_marks(content: &mut Content, left: f32, top: f32) {
    let (right, bottom) = (left + CARD.0 * COLUMNS as f32, top - CARD.1 * ROWS as f32);
    let (gap, length) = (1.0 * MM, 4.0 * MM);
    content.save_state().set_stroke_rgb(0.0, 0.0, 0.0).set_line_width(0.4);
    for column in 0..=COLUMNS {
        let x = left + CARD.0 * column as f32;
        content.move_to(x, top + gap).line_to(x, top + gap + length).stroke();
        content.move_to(x, bottom - gap).line_to(x, bottom - gap - length).stroke();
    }
    for row in 0..=ROWS {
        let y = top - CARD.1 * row as f32;
        content.move_to(left - gap, y).line_to(left - gap - length, y).stroke();
        content.move_to(right + gap, y).line_to(right + gap + length, y).stroke();
    }
    content.restore_state();
}

fn fill(content: &mut Content, (r, g, b): Rgb) {
    content.set_fill_rgb(r, g, b);
}

fn stroke(content: &mut Content, (r, g, b): Rgb, width: f32) {
    content.set_stroke_rgb(r, g, b).set_line_width(width);
}

fn face(content: &mut Content, deck: Deck, card: Point, options: Options) {
    let code = deck.code(card);
    let (number, colour, shading, symbol) =
        (usize::from(code[0]), usize::from(code[1]), code[2], SYMBOLS[usize::from(code[3])]);
    if let Some(&ground) = code.get(4) {
        self::ground(content, usize::from(ground));
    }
    for &x in CENTRES[number] {
        content.save_state().transform([1.0, 0.0, 0.0, 1.0, x, 50.0]);
        if code.len() > 4 {
            // The symbol stands on paper, not on the ground's pattern.
            fill(content, (1.0, 1.0, 1.0));
            trace(content, symbol);
            content.fill_nonzero();
        }
        match shading {
            0 => {
                fill(content, INK[colour]);
                trace(content, symbol);
                content.fill_nonzero();
            }
            1 => {
                content.save_state();
                trace(content, symbol);
                content.clip_nonzero().end_path();
                stroke(content, INK[colour], 1.7);
                for line in -8..=8 {
                    let y = line as f32 * 4.6;
                    content.move_to(-22.0, y).line_to(22.0, y);
                }
                content.stroke().restore_state();
            }
            _ => {}
        }
        stroke(content, INK[colour], 3.4);
        trace(content, symbol);
        content.stroke();
        if options.letters {
            fill(content, (1.0, 1.0, 1.0));
            content.rect(-8.0, -9.0, 16.0, 18.0).fill_nonzero();
            fill(content, INK[colour]);
            text(content, -5.4, 5.6, 15.0, ["R", "G", "P"][colour]);
        }
        content.restore_state();
    }
    // CARD-2: the printed number is the index and one.
    fill(content, GREY);
    text(content, 5.0, 95.0, 6.0, &(u16::from(card.0) + 1).to_string());
}

/// Pale grounds that differ without colour, too: plain, dotted, hatched.
fn ground(content: &mut Content, ground: usize) {
    fill(content, GROUND[ground]);
    content.rect(3.0, 3.0, 144.0, 94.0).fill_nonzero();
    let (r, g, b) = GROUND[ground];
    let darker = (r * 0.78, g * 0.78, b * 0.78);
    content.save_state();
    content.rect(3.0, 3.0, 144.0, 94.0).clip_nonzero().end_path();
    match ground {
        1 => {
            stroke(content, darker, 2.6);
            content.set_line_cap(LineCapStyle::RoundCap);
            for row in 0..11 {
                for column in 0..17 {
                    let (x, y) = (column as f32 * 9.0 + (row % 2) as f32 * 4.5 + 4.0, row as f32 * 9.0 + 6.0);
                    content.move_to(x, y).line_to(x, y);
                }
            }
            content.stroke();
        }
        2 => {
            stroke(content, darker, 1.2);
            for line in 0..32 {
                let x = line as f32 * 8.0 - 96.0;
                content.move_to(x, 100.0).line_to(x + 100.0, 0.0);
            }
            content.stroke();
        }
        _ => {}
    }
    content.restore_state();
}

fn back(content: &mut Content) {
    fill(content, (0.16, 0.24, 0.38));
    content.rect(3.0, 3.0, 144.0, 94.0).fill_nonzero();
    content.save_state();
    content.rect(8.0, 8.0, 134.0, 84.0).clip_nonzero().end_path();
    stroke(content, (0.80, 0.84, 0.92), 1.1);
    for line in 0..36 {
        let x = line as f32 * 10.0 - 110.0;
        content.move_to(x, 100.0).line_to(x + 100.0, 0.0);
        content.move_to(x, 0.0).line_to(x + 100.0, 100.0);
    }
    content.stroke().restore_state();
}

/// Letters, upright although y points down.
fn text(content: &mut Content, x: f32, y: f32, size: f32, text: &str) {
    content.begin_text().set_font(Name(b"F"), size).set_text_matrix([1.0, 0.0, 0.0, -1.0, x, y]);
    // As Windows wrote Western languages, which any viewer knows: it agrees with Unicode but for a few signs, of which the
    // apostrophe is in use.
    let letter = |c: char| match c {
        '’' => 0x92,
        c => u8::try_from(c).unwrap_or(b'?'),
    };
    content.show(Str(&text.chars().map(letter).collect::<Vec<u8>>())).end_text();
}

/// Adds an outline of [`SYMBOLS`] to the path.
fn trace(content: &mut Content, outline: &str) {
    let mut words = outline.split_whitespace();
    while let Some(command) = words.next() {
        let mut number =
            || words.next().and_then(|w| w.parse::<f32>().ok()).expect("outlines are well formed");
        match command {
            "M" => content.move_to(number(), number()),
            "L" => content.line_to(number(), number()),
            "C" => content.cubic_to(number(), number(), number(), number(), number(), number()),
            "Z" => content.close_path(),
            other => unreachable!("outlines know no {other}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(deck: Deck, options: Options) -> usize {
        let file = pdf(deck, options);
        assert!(file.starts_with(b"%PDF-1.") && file.trim_ascii_end().ends_with(b"%%EOF"));
        file.windows(11).filter(|w| w == b"/Type /Page").count() - 1
    }

    #[test]
    fn twenty_one_cards_a_page() {
        let faces = Options::default();
        assert_eq!(pages(Deck::D81, faces), 4);
        assert_eq!(pages(Deck::D27, faces), 2);
        assert_eq!(pages(Deck::D243, faces), 12);
        assert_eq!(pages(Deck::D81, Options { backs: true, ..faces }), 8);
    }

    #[test]
    fn cards_stand_in_the_order_of_their_numbers() {
        let file = String::from_utf8_lossy(&pdf(Deck::D81, Options::default())).into_owned();
        let numbers: Vec<usize> = file
            .split("Tj")
            .filter_map(|part| part.rsplit_once('(')?.1.trim_end().strip_suffix(')')?.parse().ok())
            .collect();
        assert_eq!(numbers, (1..=81).collect::<Vec<_>>());
        assert_eq!(cards_of(Deck::D27).len(), 27);
    }

    #[test]
    fn outlines_are_well_formed() {
        for outline in SYMBOLS {
            let mut content = Content::new();
            trace(&mut content, outline);
            assert!(content.finish().len() > 20);
        }
    }
}
