//! What can be wrong with the storage, in sentences for whoever runs the server.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// Why the storage cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another server runs on the folder.
    #[error("Another parlour server is using the data folder {}. Stop it first, or choose another folder with --data.", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be made or written.
    #[error("The data folder {} cannot be written: {why}. Choose another with --data.", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the operating system says.
        why: String,
    },
    /// The database was written by a newer version of the program.
    #[error("The database {} is of version {version}, which is newer than this program: use a newer parlour.", path.display())]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its version.
        version: i64,
    },
    /// The disk is full.
    #[error("The disk with {} is full: make room. Nothing that was acknowledged is lost.", path.display())]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// A file would be overwritten.
    #[error("{} exists already: choose another name.", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A folder that is to be one of several has games that their log does not have.
    #[error("The data folder {} has games of its own that the cluster's log does not have{}: bring them in with `parlour cluster import`, or give this node an empty folder.", folder.display(), if *.alone { ", since a server used it alone after it had left the cluster" } else { "" })]
    Own {
        /// The folder.
        folder: PathBuf,
        /// Whether it was of a cluster before.
        alone: bool,
    },
    /// The log that several servers share does not take something.
    #[error("This is not written: {why}.")]
    Log {
        /// Why not, as part of a sentence.
        why: String,
    },
    /// Something else is wrong with the database.
    #[error("The database {} cannot be used: {why}.", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
}

impl StoreError {
    pub(crate) fn database(path: &Path, e: &rusqlite::Error) -> StoreError {
        match e.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { path: path.to_owned() },
            _ => StoreError::Database { path: path.to_owned(), why: describe(e) },
        }
    }

    /// Whether another server has the folder.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        matches!(self, StoreError::InUse { .. })
    }
}

/// What SQLite says, in words a person knows.
pub(crate) fn describe(e: &rusqlite::Error) -> String {
    match e.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::ReadOnly) => "it may not be written".to_owned(),
        Some(ErrorCode::CannotOpen) => "it cannot be opened".to_owned(),
        Some(ErrorCode::NotADatabase) => "it is no database".to_owned(),
        Some(ErrorCode::DatabaseCorrupt) => "it is damaged: put a backup back".to_owned(),
        Some(ErrorCode::SystemIoFailure) => format!("the disk does not answer as it should ({e})"),
        _ => e.to_string(),
    }
}
