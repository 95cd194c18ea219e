//! Players over a view only
