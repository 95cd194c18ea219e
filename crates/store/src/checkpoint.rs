//! Copying what was written to its place in the database (a checkpoint) beside the writer. SQLite would do it within a commit now
//! and then, which waits for the disk: a tenth of a second and more, for all tables at once. Where a commit waits for the disk in
//! any case that is one wait among many; in the fold of a log it would be the only one.

use crate::error::describe;
use rusqlite::Connection;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often it is done.
const OFTEN: Duration = Duration::from_secs(1);
/// Pages that may wait to be copied. Where more do, writers wait until none does, so that what is beside the database does not
/// grow without end: 64 MiB.
const MOST: i64 = 16 * 1024;
/// How long writers and readers are waited for then.
const PATIENCE: Duration = Duration::from_millis(200);

/// Does it until it is dropped.
pub(crate) struct Checkpoints {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Starts, for the database at `path`.
    pub fn start(path: &Path) -> std::io::Result<Checkpoints> {
        let (end, ended) = channel();
        let path = path.to_owned();
        let often = move || {
            let mut connection = None;
            while ended.recv_timeout(OFTEN) == Err(RecvTimeoutError::Timeout) {
                if let Err(why) = checkpoint(&mut connection, &path) {
                    tracing::debug!("not all was copied to its place in the database: {}", describe(&why));
                }
            }
        };
        let thread = std::thread::Builder::new().name("parlour-checkpoint".to_owned()).spawn(often)?;
        Ok(Checkpoints { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.end.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the copying within the database broke down");
        }
    }
}

/// Copies what waits. Nobody waits for that unless too much does.
fn checkpoint(connection: &mut Option<Connection>, path: &Path) -> rusqlite::Result<()> {
    let sql = match connection {
        Some(sql) => sql,
        None => {
            let sql = Connection::open(path)?;
            sql.busy_timeout(PATIENCE)?;
            connection.insert(sql)
        }
    };
    let pages =
        |how: &str| sql.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |row| row.get::<_, i64>(1));
    if pages("PASSIVE")? > MOST {
        pages("RESTART")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes so many pages, each in a commit.
    fn write(sql: &Connection, pages: usize) {
        for _ in 0..pages {
            sql.execute("INSERT INTO t VALUES (randomblob(4000))", []).expect("there is room");
        }
    }

    #[test]
    fn what_was_written_is_copied_and_what_is_beside_the_database_stays_small() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("d");
        let sql = Connection::open(&path).expect("it opens");
        sql.pragma_update(None, "journal_mode", "wal").expect("it can");
        sql.pragma_update(None, "synchronous", "off").expect("it can");
        sql.pragma_update(None, "wal_autocheckpoint", 0).expect("it can");
        sql.execute_batch("CREATE TABLE t (x)").expect("it can");
        let beside = || std::fs::metadata(folder.path().join("d-wal")).expect("it is there").len();
        let mut own = None;
        write(&sql, MOST as usize);
        let most = beside();
        assert!(most > 4096 * MOST as u64, "nobody copies: {most}");
        for _ in 0..3 {
            checkpoint(&mut own, &path).expect("it can");
            write(&sql, MOST as usize / 8);
        }
        assert_eq!(beside(), most, "it is begun anew");
    }
}
