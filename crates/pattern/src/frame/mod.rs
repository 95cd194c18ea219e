//! What the mechanisms share, whatever is played: who sits there and who comes and goes, deals, alarms, a decision on its way,
//! and positions in notation.

pub(crate) mod alarms;
pub(crate) mod draft;
pub(crate) mod notation;
pub(crate) mod presence;
pub mod roster;
