//! A finished match, entry by entry: the record is folded by the same engine that played it.

use crate::story::{Story, Teller};
use game::{Game as _, Millis, Viewer};
use pattern::race::Phase;
use pattern::rules::ShowMissed;
use record::{EntryOf, HeaderOf, SitterKind};
use rulebook::{Match, View};
use std::sync::Arc;

/// How many entries lie between two positions that are kept, so that going back is quick.
const STRIDE: usize = 32;

/// A record and positions of its match.
pub struct Film {
    header: HeaderOf<Match>,
    /// Entries that changed something.
    entries: Vec<EntryOf<Match>>,
    /// The position before entry 0, `STRIDE`, twice `STRIDE`, ...
    kept: Vec<Match>,
    /// What was missed in each deal of a race, with the number of entries up to its end.
    missed: Vec<(usize, Vec<pattern::race::Missed>)>,
    story: Story,
}

impl Film {
    /// Reads a record and folds it once.
    ///
    /// # Errors
    /// Which line cannot be read, or why the match cannot be opened.
    pub fn read(text: &str) -> Result<Film, String> {
        let broken = |line: usize| format!("Line {} of the record cannot be read.", line + 1);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().ok_or("The record is empty.")?;
        let header: HeaderOf<Match> = serde_json::from_str(first).map_err(|_| broken(0))?;
        let seats = u8::try_from(header.seats.len()).map_err(|_| broken(0))?;
        let mut position = Match::open(Arc::new(header.rules.clone()), seats)
            .map_err(|refusal| refusal.words().into_owned())?;
        let mut film =
            Film { header, entries: vec![], kept: vec![], missed: vec![], story: Story::default() };
        let mut teller = Teller::default();
        let viewers = || (0..seats).map(|seat| Viewer::Seat(game::Seat(seat))).chain([Viewer::Table]);
        let mut unseen = Vec::new();
        for (n, line) in lines {
            let mut entry: EntryOf<Match> = serde_json::from_str(line).map_err(|_| broken(n))?;
            // What nobody saw, such as a shuffle without enough Sets, is no step of its own: it belongs to what came of it.
            if entry.events.iter().all(|event| viewers().all(|who| position.notice(event, who).is_none())) {
                unseen.append(&mut entry.events);
                continue;
            }
            entry.events.splice(0..0, unseen.drain(..));
            if film.entries.len().is_multiple_of(STRIDE) {
                film.kept.push(position.clone());
            }
            for event in &entry.events {
                position.evolve(event);
                let after = film.entries.len() + 1;
                if let Some(missed) = teller.see(&position, event, after) {
                    film.missed.push((after, missed));
                }
            }
            film.entries.push(entry);
        }
        if film.kept.is_empty() {
            film.kept.push(position);
        }
        film.story = teller.told();
        Ok(film)
    }

    /// How many entries changed something.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// What is told of the match.
    #[must_use]
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The rules, and how many sat there at the beginning.
    #[must_use]
    pub fn played(&self) -> (&rulebook::Rules, u8) {
        (&self.header.rules, self.header.seats.len() as u8)
    }

    /// Who sat, by seat: the name, and whether it was a bot.
    #[must_use]
    pub fn seats(&self) -> Vec<(String, bool)> {
        let seats = self.header.seats.iter();
        seats.map(|seat| (seat.name.clone(), matches!(seat.kind, SitterKind::Bot(_)))).collect()
    }

    /// The position after so many entries (at most all), as `who` saw it, and its time.
    #[must_use]
    pub fn frame(&self, after: usize, who: Viewer) -> (View, Millis) {
        let after = after.min(self.entries.len());
        let from = (after / STRIDE).min(self.kept.len() - 1);
        let mut position = self.kept[from].clone();
        for entry in &self.entries[from * STRIDE..after] {
            for event in &entry.events {
                position.evolve(event);
            }
        }
        let at = after.checked_sub(1).map_or(Millis(0), |last| self.entries[last].at);
        let mut view = position.view(who);
        // Where the players learnt it only afterwards, this is where they do.
        if let View::Pattern(pattern::View::Race(race)) = &mut view
            && race.rules.show_missed == ShowMissed::Replay
            && matches!(race.state.phase, Phase::Between | Phase::Over)
            && let Some((_, missed)) = self.missed.iter().rev().find(|(n, _)| *n <= after)
        {
            race.state.missed.clone_from(missed);
        }
        (view, at)
    }
}
