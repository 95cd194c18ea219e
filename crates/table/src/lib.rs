//! The match as an actor: commands in, per-viewer notices out
