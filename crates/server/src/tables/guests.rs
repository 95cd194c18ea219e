//! The people of the house: their names, how they come in, and how they are forgotten.

use super::Tables;
use crate::about::{About, shown};
use crate::error::Refused;
use crate::identity::GuestId;
use crate::rooms::Left;
use axum::http::StatusCode;
use game::say;
use rulebook::Match;
use std::sync::{Arc, PoisonError, RwLockReadGuard};
use store::{Guest, StoreError};
use table::{Connection, Outlet, Person, Table};

/// Somebody on their way in: until this is dropped they are not forgotten.
pub struct Admitted<'a>(#[expect(dead_code, reason = "held until it is dropped")] RwLockReadGuard<'a, ()>);

impl Tables {
    /// Somebody with a name; none for those who have none.
    pub fn person(&self, guest: Option<GuestId>) -> Result<Option<Person>, StoreError> {
        let Some(guest) = guest else { return Ok(None) };
        let found = self.store.guest(&guest.to_string())?;
        Ok(found.map(|guest| Person { id: guest.id, name: shown(&guest.name).into_owned() }))
    }

    /// Whether it is known what this guest is called, or that they are called nothing any more.
    pub fn is_settled(&self, guest: GuestId) -> bool {
        let id = guest.to_string();
        let known = self.store.guest(&id).map(|guest| guest.is_some());
        known.and_then(|known| Ok(known || self.store.is_gone(&id)?)).unwrap_or(true)
    }

    /// The guest has been here today.
    pub fn saw(&self, guest: GuestId) -> Result<(), StoreError> {
        self.store.saw_guest(&guest.to_string())
    }

    /// Whoever holds this comes in, opens a table or wakes one: nobody is forgotten meanwhile.
    pub(super) fn door(&self) -> Admitted<'_> {
        Admitted(self.door.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets somebody in who was asked for their name before: they may have been forgotten meanwhile.
    ///
    /// # Errors
    /// If they were.
    pub fn admit(&self, person: &Person) -> Result<Admitted<'_>, Refused> {
        let door = self.door();
        let known = self.store.guest(&person.id)?;
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
        let known = self.person(guest)?.and(guest);
        let guest = known.unwrap_or_default();
        let person = Person { id: guest.to_string(), name };
        let ours = |error: StoreError| Refused::ours(&error);
        if known.is_some()
            && let Some(other) = self.rooms.namesake(&person).map_err(ours)?
        {
            return Err(Refused::new(StatusCode::CONFLICT, say!("no_server.namesake", name = other)));
        }
        let kept = Guest { id: person.id.clone(), name: person.name.clone() };
        self.store.put_guest(&kept).map_err(ours)?;
        if known.is_some() {
            self.rooms.rename(&person).map_err(ours)?;
        }
        Ok((guest, known.is_none()))
    }

    /// Forgets a guest: their sockets are closed, they leave all seats and all tables that they keep, and their name and games
    /// go. Games that somebody else played stay, without the name.
    pub fn forget(&self, guest: GuestId) -> Result<(), StoreError> {
        let id = guest.to_string();
        // From here on nobody comes in by this name; whoever has, is seen to below.
        self.store.leave_guest(&id)?;
        // Nodes do that as they hear of it, each where it hosts.
        if self.nodes().is_some() { Ok(()) } else { self.forget_here(&id) }
    }

    /// Does so in the tables of this server and in its storage, once the guest has left.
    pub fn forget_here(&self, id: &str) -> Result<(), StoreError> {
        // To wake tables takes a while, for which the door need not be closed. None of them falls asleep again before this is
        // dropped.
        let mut awake = self.rooms.wake_those_of(id)?;
        let left = {
            let _closed = self.door.write().unwrap_or_else(PoisonError::into_inner);
            awake.extend(self.rooms.wake_those_of(id)?);
            self.rooms.forget(id)
        };
        for Left { id, about, host } in left {
            match host {
                // Nobody else sits there.
                None => self.rooms.close(&id)?,
                Some(host) => self.rooms.revise(&id, About { host: host.id, ..(*about).clone() })?,
            }
        }
        // From tables that cannot be woken the store takes them.
        let asleep = self.rooms.asleep_of(id)?;
        self.store.forget_here(id)?;
        self.rooms.look_anew(asleep)
    }
}
