//! What the house does from time to time: tables that nobody is at fall asleep, those that nobody uses are closed, matches that
//! nobody comes back to are ended, and what nobody will ask for again is deleted.

use super::Tables;
use crate::Settings;
use crate::day::Date;
use std::sync::atomic::Ordering;
use store::{Keep, Pruned, StoreError};
use table::Host;

/// Bytes of a database that is written anew so quickly that nobody notices.
const SMALL: u64 = 16 << 20;
/// Seconds that lie between two times when a larger one is.
const SELDOM: u64 = 86_400;
/// Seconds in a day.
const DAY: u64 = 86_400;

/// What the settings say is to be kept, seen from this day.
fn keep(settings: &Settings, today: Date) -> Keep {
    let days = |days: u64| (days > 0).then(|| days.saturating_mul(DAY));
    Keep {
        unused_guest: days(settings.unused_guest_days),
        unused_guests: settings.max_unused_guests,
        unplayed_match: days(settings.unplayed_match_days),
        first_day: today.first_kept().to_string(),
    }
}

impl Tables {
    /// Puts to sleep, closes and ends what nobody has come to for long enough. Blocks.
    pub fn sweep(&self) {
        self.rooms.sweep();
        // So that whoever looks next does not wait for all that has changed.
        if let Err(error) = self.lobby(None) {
            tracing::error!(%error, "the lobby cannot be shown");
        }
    }

    /// Deletes what nobody will ask for again, and scrubs the file of those who were forgotten when that disturbs nobody:
    /// if the file is small, or once a day while nobody is here.
    ///
    /// # Errors
    /// If it cannot be read or written; what was deleted before is.
    pub fn tidy(&self, settings: &Settings) -> Result<(), StoreError> {
        let pruned = self.store.prune(self.host.today(), &keep(settings, self.today()))?;
        if pruned != Pruned::default() {
            let Pruned { guests, matches, tables, tries, bytes } = pruned;
            tracing::info!(guests, matches, tables, tries, bytes, "deleted what nobody will ask for again");
        }
        let now = self.host.today();
        let nobody_waits = || {
            now.saturating_sub(self.scrubbed.load(Ordering::Relaxed)) >= SELDOM
                && self.rooms.awake().iter().all(|(_, table)| table.left() > 0)
        };
        if self.store.is_scrub_due()? && (self.store.size()? <= SMALL || nobody_waits()) {
            self.scrubbed.store(now, Ordering::Relaxed);
            if self.store.scrub()? {
                tracing::info!("wrote the database anew, without traces of what was deleted");
            }
        }
        Ok(())
    }
}
