//! The people of the house: their names, how they come in, and how they are forgotten.

use super::{About, House, shown};
use crate::error::Refused;
use crate::identity::GuestId;
use axum::http::StatusCode;
use rulebook::Match;
use std::sync::{Arc, PoisonError, RwLockReadGuard};
use store::{Guest, StoreError};
use table::{Connection, Outlet, Person, Table};

/// Somebody on their way in: until this is dropped they are not forgotten.
pub struct Admitted<'a>(#[expect(dead_code, reason = "held until it is dropped")] RwLockReadGuard<'a, ()>);

impl House {
    /// Somebody with a name; none for those who have none.
    pub fn person(&self, guest: Option<GuestId>) -> Result<Option<Person>, StoreError> {
        let Some(guest) = guest else { return Ok(None) };
        let found = self.store.guest(&guest.to_string())?;
        Ok(found.map(|guest| Person { id: guest.id, name: shown(&guest.name).into_owned() }))
    }

    /// The guest has been here today.
    pub fn saw(&self, guest: GuestId) -> Result<(), StoreError> {
        self.store.saw_guest(&guest.to_string())
    }

    fn door(&self) -> Admitted<'_> {
        Admitted(self.door.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets somebody in who was asked for their name before: they may have been forgotten meanwhile.
    ///
    /// # Errors
    /// If they were.
    pub fn admit(&self, person: &Person) -> Result<Admitted<'_>, Refused> {
        let door = self.door();
        let known = self.store.guest(&person.id).map_err(|error| Refused::ours(&error))?;
        known.map(|_| door).ok_or_else(Refused::nameless)
    }

    /// Opens a socket of a table for a guest, or for somebody without a name.
    pub fn come_in(
        &self,
        table: &Table<Match>,
        guest: Option<GuestId>,
        outlet: Arc<dyn Outlet>,
    ) -> Result<Connection<Match>, StoreError> {
        let _door = self.door();
        Ok(table.connect(self.person(guest)?, outlet))
    }

    /// Gives a guest a name, here and wherever they sit. Whoever is no guest becomes one, with an id of their own; so does
    /// one who was forgotten. Gives the id, and whether it is new.
    pub fn name(&self, guest: Option<GuestId>, name: String) -> Result<(GuestId, bool), Refused> {
        let _door = self.door();
        let known = self.person(guest).map_err(|error| Refused::ours(&error))?.and(guest);
        let guest = known.unwrap_or_default();
        let person = Person { id: guest.to_string(), name };
        let tables: Vec<_> = match known {
            Some(_) => self.read().values().map(|kept| kept.table.clone()).collect(),
            None => Vec::new(),
        };
        let (seated, others): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|table| table.seat_of(&person.id).is_some());
        if let Some(other) = seated.iter().find_map(|table| table.namesake(&person)) {
            return Err(Refused::new(
                StatusCode::CONFLICT,
                format!("{other} sits at a table with you: take a name that can be told from that."),
            ));
        }
        let kept = Guest { id: person.id.clone(), name: person.name.clone() };
        self.store.put_guest(&kept).map_err(|error| Refused::ours(&error))?;
        for table in seated.into_iter().chain(others.into_iter().filter(|table| table.is_host(&person.id))) {
            table.rename(&person);
        }
        Ok((guest, known.is_none()))
    }

    /// Forgets a guest: their sockets are closed, they leave all seats and all tables that they keep, and their name and games
    /// go. Games that somebody else played stay, without the name.
    pub fn forget(&self, guest: GuestId) -> Result<(), StoreError> {
        let id = guest.to_string();
        // From here on nobody comes in by this name; whoever has, is seen to below.
        self.store.leave_guest(&id)?;
        let mut left = Vec::new();
        {
            let _closed = self.door.write().unwrap_or_else(PoisonError::into_inner);
            let tables: Vec<_> = self.read().iter().map(|(id, kept)| (id.clone(), kept.clone())).collect();
            left.extend(tables.into_iter().filter(|(_, kept)| kept.table.forget(&id)));
        }
        for (table, kept) in left {
            match kept.table.host() {
                // Nobody else sits there.
                None => self.drop_table(&table)?,
                Some(host) if host.id != kept.about.host => {
                    self.revise(&table, About { host: host.id, ..(*kept.about).clone() })?;
                }
                Some(_) => {}
            }
        }
        self.store.forget_guest(&id)
    }
}
