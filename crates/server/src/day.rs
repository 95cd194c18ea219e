//! The games of the day: dates, what is played on one, and how a try is judged.
//!
//! Everything follows from the server's key and the date, so that nothing is kept but who has tried, and every past day
//! can be played again.

use crate::identity::Key;
use game::{Say, say};
use pattern::{puzzle, race};
use rulebook::{Event, Match};
use std::fmt;
use std::str::FromStr;
use store::TryResult;
use table::Trial;

/// How many days back the archive goes.
const ARCHIVE: u32 = 366;
/// The games of every day, by their ids.
pub const GAMES: [&str; 3] = ["daily-puzzle", "daily-basic", "time-trial"];
/// Seconds after the end of a day until it is told what was dealt: whoever began a try before midnight is ranked by a longer time by then.
const TOLD_AFTER: u64 = 3600;

/// A day of the calendar, counted from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(u32);

impl Date {
    /// The day on which it is this many seconds since 1970.
    #[must_use]
    pub const fn at(seconds: u64) -> Date {
        Date((seconds / 86_400) as u32)
    }
    /// The day after.
    #[must_use]
    pub const fn next(self) -> Date {
        Date(self.0 + 1)
    }
    /// The day before.
    #[must_use]
    pub const fn before(self) -> Date {
        Date(self.0.saturating_sub(1))
    }
    /// The first day that the archive of this day has.
    #[must_use]
    pub const fn first_kept(self) -> Date {
        Date(self.0.saturating_sub(ARCHIVE))
    }
    /// Whether anybody may know what was dealt on it, so many seconds after 1970.
    #[must_use]
    pub const fn is_told(self, now: u64) -> bool {
        now >= self.next().0 as u64 * 86_400 + TOLD_AFTER
    }

    /// Whether the archive of `today` still has it.
    #[must_use]
    pub const fn kept(self, today: Date) -> bool {
        self.0 <= today.0 && today.0 - self.0 <= ARCHIVE
    }

    /// Year, month and day of the month, by the calendar of Gregory.
    fn parts(self) -> (u32, u32, u32) {
        // Years are counted from March, so that the odd day comes last; eras of 400 years repeat.
        let days = self.0 + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let of_month = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (era * 400 + year + u32::from(month <= 2), month, of_month)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = Say;
    fn from_str(text: &str) -> Result<Date, Say> {
        let wrong = || say!("no_server.date", text = text.to_owned());
        let number = |part: Option<&str>, digits: usize| {
            part.filter(|p| p.len() == digits && p.bytes().all(|b| b.is_ascii_digit()))
                .and_then(|p| p.parse::<u32>().ok())
                .ok_or_else(wrong)
        };
        let mut parts = text.split('-');
        let (year, month, day) =
            (number(parts.next(), 4)?, number(parts.next(), 2)?, number(parts.next(), 2)?);
        if !(1970..3000).contains(&year) || !(1..=12).contains(&month) || parts.next().is_some() {
            return Err(wrong());
        }
        let (from_march, after) = if month > 2 { (month - 3, year) } else { (month + 9, year - 1) };
        let of_year = (153 * from_march + 2) / 5 + day.saturating_sub(1);
        let (era, year) = (after / 400, after % 400);
        let date = Date((era * 146_097 + year * 365 + year / 4 - year / 100 + of_year).wrapping_sub(719_468));
        // The 31st of June would be read as the 1st of July.
        if date.to_string() == text { Ok(date) } else { Err(wrong()) }
    }
}

/// What chance decides in a game of a day: all of it, from this server's key and the date.
#[must_use]
pub fn trial(key: &Key, date: Date, game: &str) -> Trial {
    let name = format!("{game}/{date}");
    let seed = record::fair::Bytes32(key.secret(&format!("game of the day 1: {name}")));
    Trial { name, seed }
}

/// What became of a try, from its log; none if it cannot be read. `date` is the day it is a try at, `ended` when it ended.
#[must_use]
pub fn judge(rows: &[Vec<u8>], date: Date, ended: u64) -> Option<TryResult> {
    let (header, entries) = table::read_log::<Match>(rows).ok()?;
    let mut truth = <Match as game::Game>::open(std::sync::Arc::new(header.rules), 1).ok()?;
    entries.iter().flat_map(|entry| &entry.events).for_each(|event| game::Game::evolve(&mut truth, event));
    let Match::Pattern(truth, _) = truth else { return None };
    let (solved, elapsed, errors, per_error) = match &truth {
        pattern::Match::Puzzle(puzzle) => {
            let state = game::Game::view(&**puzzle, game::Viewer::Table).state;
            let solved = state.roster.deal_end == Some(pattern::roster::DealEnd::Finished);
            (solved, state.elapsed(game::Millis(0)), state.errors, 0)
        }
        pattern::Match::Race(race) => {
            let state = race.state();
            let end = state.ended_at.unwrap_or(state.started_at);
            let per_error = u32::from(game::Game::rules(&**race).wrong_penalty_s) * 1000;
            let solved = state.deal_end == Some(pattern::race::DealEnd::Goal);
            (solved, end.since(state.started_at), state.players.first().map_or(0, |p| p.errors), per_error)
        }
        _ => return None,
    };
    // Whoever first saw the cards when the day was over may have seen them elsewhere.
    let begun = Date::at(ended.saturating_sub(u64::from(elapsed / 1000)));
    let errors = u32::from(errors);
    let millis = elapsed.saturating_add(per_error.saturating_mul(errors));
    Some(TryResult { solved: solved && begun == date, millis, errors })
}

/// How a try went, from its log: what `YourTry::squares` says of it. Empty if it cannot be read.
#[must_use]
pub fn squares(rows: &[Vec<u8>]) -> String {
    let Ok((_, entries)) = table::read_log::<Match>(rows) else { return String::new() };
    let (mut squares, mut before) = (String::new(), game::Millis(0));
    for event in entries.iter().flat_map(|entry| &entry.events) {
        let (at, right) = match event {
            Event::Pattern(pattern::Event::Puzzle(puzzle::Event::Shown { at, .. }))
            | Event::Pattern(pattern::Event::Race(race::Event::Dealt { at, .. })) => {
                before = *at;
                continue;
            }
            Event::Pattern(pattern::Event::Puzzle(puzzle::Event::Judged { at, finding, .. })) => {
                (*at, finding.right())
            }
            Event::Pattern(pattern::Event::Race(race::Event::Judged { at, verdict })) => {
                (*at, verdict.finding.right())
            }
            _ => continue,
        };
        squares.push(match at.since(before) {
            _ if !right => '🟥',
            ..10_000 => '🟩',
            10_000..30_000 => '🟨',
            30_000.. => '🟧',
        });
        if right {
            before = at;
        }
    }
    squares
}

/// What may be told of a try at a game without giving anything away.
#[must_use]
pub fn share(game: Say, date: Date, result: TryResult, place: u32, of: u32) -> Say {
    let (minutes, seconds) = (result.millis / 60_000, result.millis / 1000 % 60);
    say!(
        "day.result",
        game = game,
        date = date.to_string(),
        time = format!("{minutes}:{seconds:02}"),
        errors = result.errors,
        place = place,
        of = of,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_written() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1972-02-29", 789),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-01-31", 20_484),
            ("2100-12-31", 47_846),
        ] {
            assert_eq!(text.parse(), Ok(Date(days)), "{text}");
            assert_eq!(Date(days).to_string(), text);
        }
        for day in (0..60_000).map(Date) {
            assert_eq!(day.to_string().parse(), Ok(day));
        }
        for wrong in
            ["", "today", "2026-1-31", "2026-02-29", "2026-06-31", "2026-00-10", "2026-01-31-1", "1969-12-31"]
        {
            assert!(wrong.parse::<Date>().unwrap_err().to_string().contains("is no date"), "{wrong}");
        }
        assert_eq!(Date::at(1_000_000_000).to_string(), "2001-09-09");
    }

    #[test]
    fn the_archive_has_a_year_and_no_future() {
        let today: Date = "2026-06-15".parse().expect("a date");
        assert!(today.kept(today) && today.before().kept(today) && !today.next().kept(today));
        assert!("2025-06-14".parse::<Date>().expect("a date").kept(today));
        assert_eq!(today.first_kept().to_string(), "2025-06-14");
        assert!(!"2025-06-13".parse::<Date>().expect("a date").kept(today));
    }

    #[test]
    fn what_is_dealt_is_told_an_hour_after_the_day() {
        let day: Date = "2026-01-31".parse().expect("a date");
        let midnight = 86_400 * 20_485;
        assert_eq!(Date::at(midnight).to_string(), "2026-02-01");
        assert_eq!(
            [midnight - 1, midnight, midnight + 3599, midnight + 3600].map(|now| day.is_told(now)),
            [false, false, false, true]
        );
    }

    #[test]
    fn what_is_shared_names_no_card() {
        let result = TryResult { solved: true, millis: 83_900, errors: 2 };
        let date = "2026-01-31".parse().expect("a date");
        let game = Say::apart("preset.daily-puzzle.name".to_owned(), "Daily puzzle");
        let text = share(game, date, result, 3, 12).to_string();
        assert_eq!(text, "Daily puzzle of 2026-01-31: 1:23, 2 errors, place 3 of 12");
    }
}
