//! Who sits at a table, and what stands in its way, in words.

use game::Seat;
use wire::{Occupant, Paused, Phrase, SeatState, TableState};
use words::{Tongue, id, said};

/// What the bots of a table are called, from seat 1 on.
const BOTS: [&str; 16] = [
    "Mia", "Ben", "Ida", "Leo", "Zoe", "Tom", "Ada", "Max", "Eva", "Jan", "Lena", "Otto", "Nina", "Paul",
    "Rosa", "Finn",
];

/// What the bot of a seat is called: its name begins with that in every language.
#[must_use]
pub fn bot_name(seat: Seat) -> &'static str {
    BOTS[(seat.index() + BOTS.len() - 1) % BOTS.len()]
}

/// What a kind of bot is called. Its name may have a version (`easy/3`).
#[must_use]
pub fn bot_label(tongue: &(impl Tongue + ?Sized), kind: &str) -> String {
    let kind = kind.split('/').next().unwrap_or(kind);
    if let Ok(level) = kind.parse::<u8>() {
        return said!(tongue, "bot.level", n = level);
    }
    tongue.find(id(&format!("bot.{kind}"))).unwrap_or(kind).to_owned()
}

/// Name of a person or a bot.
#[must_use]
pub fn occupant_name(tongue: &(impl Tongue + ?Sized), who: &Occupant, seat: Seat) -> String {
    match who {
        Occupant::Person { name, .. } => name.clone(),
        Occupant::Bot { kind } => {
            said!(tongue, "bot.name", name = bot_name(seat), level = bot_label(tongue, kind))
        }
    }
}

/// Name of whoever has a seat, or left it during the match; none of a free seat.
#[must_use]
pub fn seat_name(tongue: &(impl Tongue + ?Sized), state: &SeatState, seat: Seat) -> Option<String> {
    let left = || (!state.left.is_empty()).then(|| said!(tongue, "table.left", name = state.left.clone()));
    state.who.as_ref().map(|who| occupant_name(tongue, who, seat)).or_else(left)
}

/// Whether whoever sits there plays against bots and nobody else, or alone: then help is nobody's loss. Of each seat it is told whether a
/// person has it, if anybody does.
#[must_use]
pub fn practises(me: Seat, seats: impl IntoIterator<Item = Option<bool>>) -> bool {
    let others = seats.into_iter().enumerate().filter(|(n, _)| *n != me.index()).map(|(_, person)| person);
    let others: Vec<Option<bool>> = others.collect();
    others.is_empty() || others.contains(&Some(false)) && !others.contains(&Some(true))
}

/// A quick phrase in this language.
#[must_use]
pub fn phrase_words(tongue: &(impl Tongue + ?Sized), phrase: Phrase) -> String {
    let key = serde_json::to_value(phrase).ok();
    let key = key.as_ref().and_then(|key| key.as_str()).unwrap_or_default();
    tongue.find(id(&format!("phrase.{key}"))).unwrap_or_else(|| phrase.words()).to_owned()
}

/// Why a match stands still, in words; none where it goes on, or rests between two rounds: its screen tells of that.
#[must_use]
pub fn paused_words(tongue: &(impl Tongue + ?Sized), table: &TableState) -> Option<String> {
    Some(match table.paused.as_ref()? {
        Paused::Asked => said!(tongue, "table.paused_asked"),
        Paused::Nobody => said!(tongue, "table.paused_nobody"),
        Paused::Round { .. } => return None,
        Paused::Storage { text } => said!(tongue, "table.paused_storage", why = text),
        Paused::Unreadable { text } => said!(tongue, "table.paused_unreadable", why = text),
    })
}

/// A number of milliseconds as a clock shows it: `1:05`, `1:02:05`.
#[must_use]
pub fn time_text(millis: u32) -> String {
    let s = millis / 1000;
    if s >= 3600 {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{}:{:02}", s / 60, s % 60)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_read_like_a_clock() {
        assert_eq!([0, 65_999, 3_725_000].map(super::time_text), ["0:00", "1:05", "1:02:05"]);
    }
}
