//! All that a database holds, as changes: the way of one machine's games into the log of several.

use crate::{Change, Store, StoreError, TryResult, Whose};
use rusqlite::Row;
use table::{MatchId, Person, Who};

/// Entries that are read at once.
const PAGE: usize = 1000;

impl Store {
    /// Gives all that is kept as changes, with the part of the log that each belongs to, in an order in which they may be applied:
    /// guests, tables, matches with their entries, tries. Nothing is to be written meanwhile. Of those who were
    /// forgotten nothing is among it, since nothing of them is here.
    ///
    /// # Errors
    /// If it cannot be read; what was given before that is not all.
    pub fn everything(&self, mut f: impl FnMut(Whose, Change)) -> Result<(), StoreError> {
        self.each_row("SELECT id, name, made, seen FROM guests ORDER BY rowid", |row| {
            let (id, name): (String, String) = (row.get(0)?, row.get(1)?);
            let (made, seen) = (row.get::<_, i64>(2)? as u64, row.get::<_, i64>(3)? as u64);
            f(Whose::Guest(id.clone()), Change::Guest { at: made, id: id.clone(), name });
            f(Whose::Guest(id.clone()), Change::Seen { at: seen, guest: id });
            Ok(())
        })?;
        let tables = "SELECT id, about, saved, (SELECT json_group_array(guest) FROM places WHERE tab = id)
             FROM tables ORDER BY rowid";
        self.each_row(tables, |row| {
            let (table, about, saved): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let people = serde_json::from_str(&row.get::<_, String>(3)?).unwrap_or_default();
            let whose = Whose::Table(table.clone());
            f(whose.clone(), Change::About { table: table.clone(), about });
            match saved.is_empty() {
                true => f(whose, Change::Closed { table }),
                false => f(whose, Change::Saved { table, people, saved }),
            }
            Ok(())
        })?;
        self.each_match(&mut f)?;
        let tries = "SELECT day, game, guest, tab, solved, millis, errors FROM tries";
        self.each_row(tries, |row| {
            let (day, game, guest): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let [d, g, who] = [&day, &game, &guest].map(Clone::clone);
            f(Whose::Guest(who.clone()), Change::Try { day: d, game: g, guest: who, table: row.get(3)? });
            if let Some(solved) = row.get(4)? {
                let (millis, errors) = (row.get(5)?, row.get(6)?);
                let result = TryResult { solved, millis, errors };
                f(Whose::Guest(guest.clone()), Change::Judged { day, game, guest, result });
            }
            Ok(())
        })
    }

    /// Does something with each row of an answer; no two of them need be in memory at once.
    fn each_row(
        &self,
        query: &str,
        mut f: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        self.read_with(|sql| {
            let mut query = sql.prepare(query)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                f(row)?;
            }
            Ok(())
        })
    }

    fn each_match(&self, f: &mut impl FnMut(Whose, Change)) -> Result<(), StoreError> {
        let mut broken = None;
        let matches =
            "SELECT id, tab, began, seats, ended, outcome, coalesce(entries, 0) FROM matches ORDER BY id";
        self.each_row(matches, |row| {
            let (number, table): (i64, String) = (row.get(0)?, row.get(1)?);
            let (id, whose) = (MatchId::new(number as u64), Whose::Table(table.clone()));
            let began = row.get::<_, i64>(2)? as u64;
            let seats = row.get::<_, i64>(3)?.clamp(0, 64) as usize;
            let mut played = self.sitters(number, seats).unwrap_or_else(|e| {
                broken = Some(e);
                Vec::new()
            });
            if played.is_empty() {
                played.push(vec![None; seats]);
            }
            for seats in played {
                f(whose.clone(), Change::Played { at: began, id, table: table.clone(), seats });
            }
            if let Err(e) = self.each_entry(id, |change| f(whose.clone(), change)) {
                broken = Some(e);
            }
            if let Some(ended) = row.get::<_, Option<i64>>(4)? {
                let outcome: Option<String> = row.get(5)?;
                let outcome = outcome.and_then(|text| serde_json::from_str(&text).ok());
                let (at, entries) = (ended as u64, row.get(6)?);
                f(whose, Change::Finished { at, id, table, seats: Vec::new(), outcome, entries });
            }
            Ok(())
        })?;
        broken.map_or(Ok(()), Err)
    }

    /// Who has had the seats of a match, one after another.
    fn sitters(&self, id: i64, seats: usize) -> Result<Vec<Vec<Option<Who>>>, StoreError> {
        let (mut played, mut had): (Vec<Vec<Option<Who>>>, _) = (Vec::new(), vec![0; seats]);
        let query = format!("SELECT seat, guest, name FROM players WHERE match = {id} ORDER BY rowid");
        self.each_row(&query, |row| {
            let (seat, guest, name): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let seat = usize::try_from(seat).unwrap_or(usize::MAX);
            let Some(before) = had.get_mut(seat) else { return Ok(()) };
            if played.len() == *before {
                played.push(vec![None; seats]);
            }
            // Nobody is kept as a bot of that name would be.
            played[*before][seat] = Some(match guest.is_empty() {
                true => Who::Bot(name),
                false => Who::Person(Person { id: guest, name }),
            });
            *before += 1;
            Ok(())
        })?;
        Ok(played)
    }

    fn each_entry(&self, id: MatchId, mut f: impl FnMut(Change)) -> Result<(), StoreError> {
        let mut ply = 0;
        loop {
            let entries = self.entries(id, ply, PAGE)?;
            if entries.is_empty() {
                return Ok(());
            }
            for body in entries {
                let path = self.folder.join(crate::DATABASE);
                f(Change::entry(id, ply, body).map_err(|why| StoreError::Database { path, why })?);
                ply += 1;
            }
        }
    }
}
