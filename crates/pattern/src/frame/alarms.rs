//! Alarms: which rings next, and how a ring that comes late is told from it.

use game::{Alarm, Millis, Refusal, Status, say};

/// The first of these to ring. Of two that are due at once the lesser goes first; `kind`, less than 16 above the greatest
/// seat, tells them apart.
pub(crate) fn first_alarm<B: Ord>(
    bells: impl Iterator<Item = (Millis, B)>,
    kind: impl FnOnce(&B) -> u32,
) -> Option<(Alarm, B)> {
    let (due, bell) = bells.min()?;
    let id = due.0.wrapping_mul(16) | kind(&bell);
    Some((Alarm { id, due }, bell))
}

/// The alarm of a game in this status: none rings while chance is asked.
pub(crate) fn alarm_in<B>(status: &Status, bell: Option<(Alarm, B)>) -> Option<Alarm> {
    bell.filter(|_| !matches!(status, Status::Chance(_))).map(|(alarm, _)| alarm)
}

/// What rings: the next bell, if the ring is its own and does not come too early.
pub(crate) fn due<B>(bell: Option<(Alarm, B)>, at: Millis, id: u32) -> Result<B, Refusal> {
    let due = bell.filter(|(alarm, _)| alarm.id == id && alarm.due <= at);
    due.map(|(_, bell)| bell).ok_or_else(|| say!("no.alarm").into())
}
