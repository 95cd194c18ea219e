//! The public tables in the order in which they are shown, each as the JSON that is sent: however many there are and however
//! often they are asked for, a page costs no more than its bytes, and only a table that has changed is looked at.

use crate::lock;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::ops::Bound;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use table::{Finished, Played, TableStore};
use wire::Stage;
use wire::api::{LOBBY_PAGE, TableSummary};

/// Where a table stands in the lobby: those with a free seat first, then the newest first. It is the same on every node, so that
/// any of them can be asked for the next page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    closed: bool,
    /// When it was opened, in milliseconds since 1970, and its id.
    opened: Reverse<(u64, String)>,
}

/// Most letters of the id in a place that somebody sends.
const MOST_ID: usize = 64;

impl Place {
    /// That of a table; none where it is not shown: its match is over or, without people, it was left behind.
    fn of(table: &TableSummary, opened: u64) -> Option<Place> {
        let people = table.seats.iter().flatten().any(|seat| !seat.bot);
        let shown = table.public && table.stage != Stage::Over && people;
        shown.then(|| Place { closed: !table.has_room(), opened: Reverse((opened, table.id.clone())) })
    }
}

/// As the last place of one page is given to ask for the next.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (opened, id) = &self.opened.0;
        write!(f, "{}{opened}.{id}", if self.closed { 'c' } else { 'o' })
    }
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Place, &'static str> {
        let read = || {
            let (kind, rest) = text.split_at_checked(1)?;
            let closed = ["o", "c"].iter().position(|known| *known == kind)? == 1;
            let (opened, id) = rest.split_once('.')?;
            let fits = (1..=MOST_ID).contains(&id.len())
                && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
            fits.then_some(Place { closed, opened: Reverse((opened.parse().ok()?, id.to_owned())) })
        };
        read().ok_or("That is no place in the lobby.")
    }
}

/// The lobby.
#[derive(Default)]
pub struct Lobby {
    rows: Mutex<Rows>,
    /// Tables that are other than their rows say.
    changed: Mutex<HashSet<String>>,
}

#[derive(Default)]
struct Rows {
    /// JSON of the tables that are shown.
    shown: BTreeMap<Place, String>,
    places: HashMap<String, Place>,
}

impl Lobby {
    /// A table was opened, has changed, or was closed.
    pub fn changed(&self, id: &str) {
        lock(&self.changed).insert(id.to_owned());
    }

    /// A page of the lobby as JSON: what comes after a place, or the first tables. `look` says how a table is now, and when it
    /// was opened; none if it is closed.
    pub fn page(
        &self,
        after: Option<Place>,
        look: impl Fn(&str) -> Option<(TableSummary, u64)>,
    ) -> Result<String, serde_json::Error> {
        // Held while it is looked: so a row is never put in the place of a newer one.
        let mut rows = lock(&self.rows);
        let changed = std::mem::take(&mut *lock(&self.changed));
        for id in changed {
            rows.put(&id, look(&id))?;
        }
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut coming = rows.shown.range((from, Bound::Unbounded));
        let mut page = String::from("{\"tables\":[");
        let mut last = None;
        for (place, row) in coming.by_ref().take(LOBBY_PAGE) {
            if last.is_some() {
                page.push(',');
            }
            page.push_str(row);
            last = Some(place);
        }
        page.push(']');
        if let (Some(last), Some(_)) = (last, coming.next()) {
            write!(page, ",\"next\":\"{last}\"").expect("strings take all");
        }
        page.push('}');
        Ok(page)
    }
}

impl Rows {
    fn put(&mut self, id: &str, table: Option<(TableSummary, u64)>) -> Result<(), serde_json::Error> {
        if let Some(old) = self.places.remove(id) {
            self.shown.remove(&old);
        }
        if let Some((table, opened)) = table
            && let Some(place) = Place::of(&table, opened)
        {
            self.shown.insert(place.clone(), serde_json::to_string(&table)?);
            self.places.insert(id.to_owned(), place);
        }
        Ok(())
    }
}

/// A store that tells the lobby which tables have changed: whatever the lobby shows of a table, the table saves.
pub struct LobbyNotifier {
    /// Where they are kept.
    pub tables: Arc<dyn TableStore>,
    /// Who is told.
    pub lobby: Arc<Lobby>,
}

impl TableStore for LobbyNotifier {
    fn save(&self, id: &str, people: Vec<String>, saved: String) {
        self.lobby.changed(id);
        self.tables.save(id, people, saved);
    }
    fn played(&self, played: Played) {
        self.tables.played(played);
    }
    fn finished(&self, finished: Finished) {
        self.tables.finished(finished);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use wire::api::SeatSummary;

    /// A table for two where Ann sits, and Bob if it is full.
    fn table(number: u64, full: bool) -> TableSummary {
        let person = |name: &str| Some(SeatSummary { name: name.into(), bot: false });
        TableSummary {
            id: format!("t{number}"),
            title: "Set".into(),
            say: None,
            preset: "set-classic".into(),
            seats: vec![person("Ann"), if full { person("Bob") } else { None }],
            stage: Stage::Lobby,
            public: true,
            day: None,
            players: None,
        }
    }

    fn read(page: &str) -> (Vec<String>, Option<Place>) {
        let page: wire::api::Lobby = serde_json::from_str(page).expect("a page");
        let next = page.next.map(|next| next.parse().expect("a place"));
        (page.tables.into_iter().map(|table| table.id).collect(), next)
    }

    #[test]
    fn a_page_costs_its_bytes_and_a_change_one_look() {
        let lobby = Lobby::default();
        let looks = Cell::new(0);
        let look = |id: &str| {
            looks.set(looks.get() + 1);
            let number = id[1..].parse().expect("a number");
            Some((table(number, number % 3 == 0), number))
        };
        (0..9000).for_each(|n| lobby.changed(&format!("t{n}")));
        let mut after = None;
        let mut all = vec![];
        loop {
            let page = lobby.page(after, look).expect("plain data");
            assert!(page.len() < 16 * 1024, "{}", page.len());
            let (ids, next) = read(&page);
            all.extend(ids);
            after = next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(looks.get(), 9000);
        let order = |full: bool| (0..9000).rev().filter(move |n| (n % 3 == 0) == full);
        let expected: Vec<_> = order(false).chain(order(true)).map(|n| format!("t{n}")).collect();
        assert_eq!(all, expected, "those with a free seat first, then the newest");
        for _ in 0..1000 {
            lobby.changed("t7");
        }
        lobby.page(None, look).expect("plain data");
        assert_eq!(looks.get(), 9001);
    }

    #[test]
    fn tables_come_and_go_while_somebody_turns_the_pages() {
        let lobby = Lobby::default();
        let closed = Cell::new(100);
        let look = |id: &str| {
            let number = id[1..].parse().expect("a number");
            (number != closed.get()).then(|| (table(number, false), number))
        };
        (0..100).for_each(|n| lobby.changed(&format!("t{n}")));
        let (first, next) = read(&lobby.page(None, look).expect("plain data"));
        assert_eq!((first[0].as_str(), first.len()), ("t99", LOBBY_PAGE));
        // The last one of the page is closed, and new ones are opened.
        closed.set(50);
        lobby.changed("t50");
        (100..150).for_each(|n| lobby.changed(&format!("t{n}")));
        let (second, next) = read(&lobby.page(next, look).expect("plain data"));
        let expected: Vec<_> = (0..50).rev().map(|n| format!("t{n}")).collect();
        assert_eq!(second, expected, "none twice, none left out");
        assert_eq!(next, None);
        assert_eq!(
            read(&lobby.page(Some("c0.t0".parse().expect("a place")), look).expect("plain data")).0,
            [""; 0]
        );
        let long = format!("o1.{}", "a".repeat(MOST_ID + 1));
        for text in ["", "x1.a", "o", "o-1.a", "ö1.a", "o99999999999999999999.a", "o1", "o1.", "o1.\"", &long]
        {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }
}
