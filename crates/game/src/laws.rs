//! The law kit.
