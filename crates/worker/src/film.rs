//! A finished match, entry by entry: the record is folded by the same engine that played it.

use crate::story::{Story, Teller};
use crate::{MOST_OPEN, OpenClaims};
use game::{Game as _, Millis, Viewer};
use pattern::race::Phase;
use pattern::rules::{ShowMissed, Sources};
use record::{EntryOf, HeaderOf, SitterKind};
use rulebook::{Match, Notice, Rules, View};
use std::sync::Arc;

/// How many entries lie between two positions that are kept, so that going back is quick.
const STRIDE: usize = 32;

/// Most that is told of what somebody has learnt: as much as a page keeps at a table.
const MOST_HEARD: usize = 400;

/// Most open claims whose cards are told.
const OPEN_SHOWN: usize = 24;

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
    /// What somebody learnt in the whole match, each with the number of its entry: of whoever was asked about last.
    heard: Option<(Viewer, Vec<(usize, Notice)>)>,
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
        let (entries, kept, missed) = (vec![], vec![], vec![]);
        let mut film = Film { header, entries, kept, missed, story: Story::default(), heard: None };
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
        // Beside a name stands what was claimed last. At a table it is kept when it is seen; whoever leaps about here is told.
        if let View::Pattern(pattern::View::Race(race)) = &mut view
            && race.rules.sources != Sources::Previous
        {
            for find in self.story.finds.iter().take_while(|find| find.entry <= after) {
                if let Some(player) = race.state.players.get_mut(find.seat.index()) {
                    player.previous.clone_from(&find.cards);
                }
            }
        }
        (view, at)
    }

    /// What could be claimed there by whoever had this view after so many entries. Where somebody has just found something, it is what
    /// lay there until then.
    pub(crate) fn open(&self, after: usize, who: Viewer, view: &View) -> Option<OpenClaims> {
        if self.story.finds.iter().any(|find| find.entry == after) {
            return open_claims(&self.frame(after - 1, who).0);
        }
        open_claims(view)
    }

    /// What `who` had learnt after so many entries, where it is told line by line: the last of it, and how much came before
    /// that.
    pub fn heard(&mut self, after: usize, who: Viewer) -> (Vec<Notice>, u32) {
        if matches!(self.header.rules, Rules::Pattern(_)) {
            return (vec![], 0);
        }
        if self.heard.as_ref().is_none_or(|(of, _)| *of != who) {
            let mut position = self.kept[0].clone();
            let mut all = Vec::new();
            for (n, entry) in self.entries.iter().enumerate() {
                for event in &entry.events {
                    all.extend(position.notice(event, who).map(|notice| (n, notice)));
                    position.evolve(event);
                }
            }
            self.heard = Some((who, all));
        }
        let all = self.heard.as_ref().map_or(&[][..], |(_, all)| all);
        let until = all.partition_point(|(n, _)| *n < after);
        let from = until.saturating_sub(MOST_HEARD);
        (all[from..until].iter().map(|(_, notice)| notice.clone()).collect(), from as u32)
    }
}

/// What can be claimed in a race by whoever has this view; none where nothing lies there to be claimed.
fn open_claims(view: &View) -> Option<OpenClaims> {
    let race = match view {
        View::Pattern(pattern::View::Race(race)) => race,
        View::Pattern(pattern::View::Trial(trial)) => trial.board.as_ref()?,
        _ => return None,
    };
    if race.state.board.is_empty() {
        return None;
    }
    let claims = race.claims(MOST_OPEN);
    let cards = claims.iter().take(OPEN_SHOWN).map(|claim| claim.cards().to_vec());
    Some(OpenClaims { count: claims.len(), cards: cards.collect() })
}
