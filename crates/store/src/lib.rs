//! Durable storage: the journal, accounts and finished games on SQLite
