//! The tables of a day: who was how quick, read in as few rows as are shown, however many have tried.

use crate::day::{self, Date};
use crate::identity::Key;
use crate::work::Caller;
use game::Say;
use store::{KeptTry, PlayedTry, Store, StoreError, TryCount, TryResult};
use table::Trial;
use wire::api::{Day, DayDeal, DayGame, DayPlace, YourTry};

/// Most lines of a table of the day that are shown.
const MOST_PLACES: u32 = 100;
/// Entries of the matches that are judged for one answer at most; a solved game of a day has some dozens.
const MOST_ENTRIES: u32 = 5000;
/// Entries of a try of which it is told how it went, claim by claim.
const MOST_SQUARES: u32 = 500;
/// Tries that are judged for one answer at most. What is left is judged for the next.
const MOST_JUDGED: u32 = 50;

/// What is asked of a day.
pub struct DayTable<'a> {
    pub store: &'a Store,
    pub date: Date,
    /// Whoever asks.
    pub guest: Option<&'a str>,
    /// What the games are dealt from.
    pub key: &'a Key,
    pub caller: &'a Caller,
}

impl DayTable<'_> {
    /// The games of the day, so many seconds after 1970.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn day(&self, now: u64) -> Result<Day, StoreError> {
        let today = Date::at(now);
        let mut budget = MOST_ENTRIES;
        let games = day::GAMES
            .into_iter()
            .filter_map(|game| Some((game, rulebook::preset(game).ok()?.info)))
            .map(|(game, info)| self.game(game, info, now, &mut budget))
            .collect::<Result<_, _>>()?;
        let kept = |date: Date| Some(date).filter(|date| date.kept(today)).map(|date| date.to_string());
        Ok(Day {
            date: self.date.to_string(),
            today: self.date == today,
            before: kept(self.date.before()),
            after: kept(self.date.next()),
            games,
        })
    }

    fn game(
        &self,
        game: &str,
        info: rulebook::Info,
        now: u64,
        budget: &mut u32,
    ) -> Result<DayGame, StoreError> {
        let day = self.date.to_string();
        let own = match self.guest {
            Some(guest) => self.store.try_of(&day, game, guest)?,
            None => None,
        };
        // One's own comes first.
        let own = own.map(|own| self.judged(self.date, game, own, budget)).transpose()?;
        for kept in self.store.unjudged_tries(&day, game, MOST_JUDGED)? {
            if *budget == 0 || self.caller.is_gone() {
                break;
            }
            self.judged(self.date, game, kept, budget)?;
        }
        let TryCount { begun, solved } = self.store.count_tries(&day, game)?;
        let place = |result: TryResult| Ok::<_, StoreError>(1 + self.store.better_tries(&day, game, result)?);
        let yours = match own {
            Some(kept) => {
                let result = kept.result.filter(|result| result.solved);
                let place = result.map(place).transpose()?;
                let name = || Say::apart(format!("preset.{game}.name"), info.name.clone());
                let share = result
                    .zip(place)
                    .map(|(r, place)| day::share(name(), self.date, r, place, solved).into());
                let slower =
                    result.map(|result| self.slower(&day, game, result, solved)).transpose()?.flatten();
                let streak =
                    if result.is_some() { 1 + self.streak_before(game, &kept.guest, budget)? } else { 0 };
                let squares = match kept.played {
                    Some(PlayedTry { id, entries, .. }) if result.is_some() && entries <= MOST_SQUARES => {
                        day::squares(&table::Journal::read(self.store, id, 0).unwrap_or_default())
                    }
                    _ => String::new(),
                };
                let over = kept.result.is_some();
                Some(YourTry { table: kept.table, over, place, slower, streak, share, squares })
            }
            None => None,
        };
        let deal = self.date.is_told(now).then(|| {
            let Trial { name, seed } = day::trial(self.key, self.date, game);
            DayDeal { name, seed }
        });
        let best = self.store.best_tries(&day, game, MOST_PLACES)?;
        Ok(DayGame {
            game: game.to_owned(),
            places: self.places(best),
            yours,
            deal,
            tries: begun,
            name: info.name,
            summary: info.summary,
        })
    }

    /// How many in a hundred of the others who reached the goal were slower than this; none where there are no others.
    fn slower(
        &self,
        day: &str,
        game: &str,
        result: TryResult,
        solved: u32,
    ) -> Result<Option<u32>, StoreError> {
        let as_good =
            self.store.better_tries(day, game, TryResult { errors: result.errors + 1, ..result })?;
        let others = solved.saturating_sub(1);
        Ok((solved.saturating_sub(as_good) * 100).checked_div(others))
    }

    /// On how many days in a row up to the day before a guest has reached the goal of a game.
    fn streak_before(&self, game: &str, guest: &str, budget: &mut u32) -> Result<u32, StoreError> {
        let (mut date, mut days) = (self.date, 0);
        while date > self.date.first_kept() {
            date = date.before();
            let Some(kept) = self.store.try_of(&date.to_string(), game, guest)? else { break };
            if !self.judged(date, game, kept, budget)?.result.is_some_and(|result| result.solved) {
                break;
            }
            days += 1;
        }
        Ok(days)
    }

    /// The lines of a table; equal results share a place.
    fn places(&self, best: Vec<KeptTry>) -> Vec<DayPlace> {
        let mut lines: Vec<DayPlace> = Vec::with_capacity(best.len());
        for kept in best {
            let Some(TryResult { millis, errors, .. }) = kept.result else { continue };
            let shared = lines.last().filter(|last| (last.millis, last.errors) == (millis, errors));
            let place = shared.map_or(lines.len() as u32 + 1, |last| last.place);
            let you = Some(kept.guest.as_str()) == self.guest;
            lines.push(DayPlace {
                place,
                name: crate::about::shown(&kept.name).into_owned(),
                millis,
                errors,
                you,
            });
        }
        lines
    }

    /// A try with its result, if it has ended and the budget allows to look.
    fn judged(
        &self,
        date: Date,
        game: &str,
        mut kept: KeptTry,
        budget: &mut u32,
    ) -> Result<KeptTry, StoreError> {
        let (None, Some(PlayedTry { id, ended: Some(ended), entries })) = (kept.result, kept.played) else {
            return Ok(kept);
        };
        let unsolved = TryResult { solved: false, millis: 0, errors: 0 };
        let result = if entries > MOST_ENTRIES {
            unsolved // thousands of claims are no way to solve it
        } else if entries > *budget {
            return Ok(kept);
        } else {
            *budget -= entries;
            let rows = table::Journal::read(self.store, id, 0).unwrap_or_default();
            day::judge(&rows, date, ended).unwrap_or(unsolved)
        };
        self.store.judge_try(&date.to_string(), game, &kept.guest, result)?;
        kept.result = Some(result);
        Ok(kept)
    }
}
