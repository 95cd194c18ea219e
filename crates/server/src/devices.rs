//! "My seat on another device": a link that makes the other device the same guest, once and soon.

use crate::identity::GuestId;
use crate::lock;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a link can be used.
pub const GOOD_FOR: Duration = Duration::from_secs(600);
/// Most links that wait to be used.
const MOST: usize = 10_000;

struct Link {
    guest: GuestId,
    table: String,
    until: Instant,
}

/// The links that wait to be used. They are not kept over a restart: a new one is made quickly.
#[derive(Default)]
pub struct Devices(Mutex<HashMap<String, Link>>);

impl Devices {
    /// Makes `token` the link for `guest`, which leads to `table`; false while too many wait.
    #[must_use]
    pub fn make(&self, guest: GuestId, table: String, token: String) -> bool {
        let now = Instant::now();
        let mut links = lock(&self.0);
        links.retain(|_, link| link.until > now && (link.guest, &link.table) != (guest, &table));
        if links.len() >= MOST {
            return false;
        }
        links.insert(token, Link { guest, table, until: now + GOOD_FOR });
        true
    }

    /// The guest and the table that a link is for, which stays good.
    pub fn look(&self, token: &str) -> Option<(GuestId, String)> {
        let links = lock(&self.0);
        let link = links.get(token).filter(|link| link.until > Instant::now())?;
        Some((link.guest, link.table.clone()))
    }

    /// Nobody becomes this guest any more.
    pub fn forget(&self, guest: GuestId) {
        lock(&self.0).retain(|_, link| link.guest != guest);
    }

    /// Uses a link up: the guest and the table that it is for.
    pub fn take(&self, token: &str) -> Option<(GuestId, String)> {
        let link = lock(&self.0).remove(token)?;
        (link.until > Instant::now()).then_some((link.guest, link.table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_once() {
        let devices = Devices::default();
        let guest = GuestId::new();
        let [old, token] = ["old", "new"];
        assert!(devices.make(guest, "t".into(), old.into()));
        assert!(devices.make(guest, "t".into(), token.into()));
        assert_eq!(devices.take(old), None, "a new link takes the place of the old");
        for _ in 0..2 {
            assert_eq!(devices.look(token), Some((guest, "t".into())), "looking uses nothing up");
        }
        assert_eq!(devices.take(token), Some((guest, "t".into())));
        assert_eq!(devices.look(token), None);
        assert!(devices.make(guest, "t".into(), token.into()));
        devices.forget(guest);
        assert_eq!(devices.take(token), None, "nobody is to be that guest");
        assert_eq!(devices.take(token), None);
    }
}
