//! The rules of the pattern-card family (Set and its variants)
