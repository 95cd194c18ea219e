//! Cards in words.

use cards::{Deck, Face, Pack, Point};
use words::{Tongue, id, said};

/// How words go with a noun of `[card.gender]`, so many of it: its gender, with an s if there are more than one.
#[must_use]
pub fn form(tongue: &(impl Tongue + ?Sized), noun: &str, count: usize) -> String {
    said!(tongue, &format!("card.gender.{noun}")) + if count > 1 { "s" } else { "" }
}

/// A word of a pattern card's feature in this form.
#[must_use]
pub fn word(tongue: &(impl Tongue + ?Sized), feature: &str, digit: u8, form: &str) -> String {
    said!(tongue, &format!("card.{feature}.{digit}"), form = form)
}

/// Spoken name of a pattern card (CARD-3): "one purple striped squiggle".
#[must_use]
pub fn pattern_name(tongue: &(impl Tongue + ?Sized), deck: Deck, point: Point) -> String {
    let code = deck.code(point);
    let form_of_symbol = form(tongue, &code[3].to_string(), usize::from(code[0]) + 1);
    let word_of = |feature: &str, digit: u8| word(tongue, feature, digit, &form_of_symbol);
    let name = said!(
        tongue,
        "card.pattern",
        number = word_of("number", code[0]),
        colour = word_of("colour", code[1]),
        shading = word_of("shading", code[2]),
        symbol = word_of("symbol", code[3]),
    );
    match code.get(4) {
        Some(&ground) => {
            let ground = word(tongue, "ground", ground, &form(tongue, "ground", 1));
            said!(tongue, "card.on_ground", card = name, ground = ground)
        }
        None => name,
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

/// Spoken name of a rank, as packs write it: "seven".
#[must_use]
pub fn rank_name(tongue: &(impl Tongue + ?Sized), rank: &str) -> String {
    tongue.find(id(&format!("card.rank.{rank}"))).unwrap_or(rank).to_owned()
}

/// Name of a card's suit: "hearts".
#[must_use]
pub fn suit_of(tongue: &(impl Tongue + ?Sized), pack: &Pack, face: Face) -> String {
    let suit = pack.suits.get(usize::from(face.suit())).map_or("", String::as_str);
    tongue.find(id(&format!("card.suit.{}", suit.to_ascii_lowercase()))).unwrap_or(suit).to_owned()
}

/// Spoken name of a playing card: "seven of hearts".
#[must_use]
pub fn playing_name(tongue: &(impl Tongue + ?Sized), pack: &Pack, face: Face) -> String {
    if face.is_joker() {
        return said!(tongue, "card.joker");
    }
    let rank = pack.ranks.get(usize::from(face.rank()) - 1).map_or("", String::as_str);
    said!(tongue, "card.playing", rank = rank_name(tongue, rank), suit = suit_of(tongue, pack, face))
}

/// How a playing card is written in running text: `7♥`.
#[must_use]
pub fn playing_short(tongue: &(impl Tongue + ?Sized), pack: &Pack, face: Face) -> String {
    if face.is_joker() {
        return said!(tongue, "card.joker_short");
    }
    let rank = rank_text(pack, face);
    if let Some(suit) = pack.ordinary(face.suit()) {
        return rank + ["♣", "♦", "♥", "♠"][usize::from(suit)];
    }
    let suit = pack.suits.get(usize::from(face.suit())).map_or("", String::as_str);
    format!("{rank} {}", suit.to_ascii_lowercase())
}

/// Several cards in running text; "a joker" is only said of a single one.
#[must_use]
pub fn playing_all(tongue: &(impl Tongue + ?Sized), pack: &Pack, cards: &[Face]) -> String {
    match cards {
        [card] => playing_short(tongue, pack, *card),
        _ => {
            let short = |&card: &Face| match card.is_joker() {
                true => said!(tongue, "card.joker"),
                false => playing_short(tongue, pack, card),
            };
            cards.iter().map(short).collect::<Vec<_>>().join(" ")
        }
    }
}
