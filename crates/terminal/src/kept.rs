//! What a table on this machine keeps in a folder: a file with a line for each thing that was to be kept, so that what a power cut
//! leaves is always the beginning of what was played.

use home::{Keep, Row};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Most bytes of a file that are read: some hundred of the longest matches.
const MOST_BYTES: u64 = 256 << 20;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Its files cannot be read or written.
    #[error("{path}: {why}")]
    Files {
        /// Which file or folder.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Another terminal plays there.
    #[error(
        "{0}: the table of this folder is open in another terminal. Play on there, or name another folder with --data"
    )]
    Taken(PathBuf),
    /// What it keeps is none of ours.
    #[error("{path}, line {line}: {why}. Move the file away to begin anew")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Which line of it, from 1.
        line: usize,
        /// Why not.
        why: String,
    },
}

/// The folder of a table, which nobody else writes to meanwhile.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    file: File,
    /// Holds the folder, as long as it is open.
    _lock: File,
    table: String,
    rows: Vec<Row>,
}

impl Kept {
    /// Opens a folder, and makes it where it is missing.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn open(folder: &Path) -> Result<Kept, Trouble> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |why| Trouble::Files { path, why }
        };
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        let lock_path = folder.join("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(at(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Trouble::Taken(folder.to_owned())),
            Err(TryLockError::Error(why)) => return Err(Trouble::Files { path: lock_path, why }),
        }
        let path = table_file(folder);
        let file = OpenOptions::new().create(true).truncate(false).read(true).append(true).open(&path);
        let mut file = file.map_err(at(&path))?;
        let too_large =
            || io::Error::new(io::ErrorKind::InvalidData, "it is too large to be what was played here");
        if file.metadata().map_err(at(&path))?.len() > MOST_BYTES {
            return Err(Trouble::Files { path, why: too_large() });
        }
        let mut bytes = Vec::new();
        (&mut file).take(MOST_BYTES).read_to_end(&mut bytes).map_err(at(&path))?;
        // What a power cut tore off was told to nobody.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let torn = whole < bytes.len();
        let mut kept =
            Kept { folder: folder.to_owned(), file, _lock: lock, table: String::new(), rows: Vec::new() };
        for (line, keep) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
            let keep = serde_json::from_slice(keep);
            let unreadable = |why: serde_json::Error| Trouble::Unreadable {
                path: path.clone(),
                line,
                why: why.to_string(),
            };
            kept.take_in(keep.map_err(unreadable)?);
        }
        if torn {
            kept.file.set_len(whole as u64).map_err(at(&path))?;
        }
        Ok(kept)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was kept of a table: itself, and the rows of its match in order. Empty where there was none.
    #[must_use]
    pub fn table(&self) -> (&str, &[Row]) {
        (&self.table, &self.rows)
    }

    /// Keeps what is to be kept, all of it or nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, keep: &Keep) -> io::Result<()> {
        // Where rows are given up the file begins anew, so that it does not grow for ever.
        if keep.fresh || !keep.forget.is_empty() {
            return self.begin_anew(keep);
        }
        let mut line = serde_json::to_string(keep)?;
        line.push('\n');
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // Half a line must not stand before the next one.
            let _ = self.file.set_len(before);
            return written;
        }
        self.take_in(keep.clone());
        Ok(())
    }

    fn take_in(&mut self, keep: Keep) {
        take_in(&mut self.table, &mut self.rows, keep);
    }

    /// Writes all that is left with this in a new file, and puts that in the place of the old one.
    fn begin_anew(&mut self, keep: &Keep) -> io::Result<()> {
        let (mut table, mut rows) = (self.table.clone(), self.rows.clone());
        take_in(&mut table, &mut rows, keep.clone());
        let all = Keep { fresh: true, table: Some(table.clone()), forget: Vec::new(), rows: rows.clone() };
        let mut line = serde_json::to_string(&all)?;
        line.push('\n');
        let file = replace(&table_file(&self.folder), line.as_bytes())?;
        (self.file, self.table, self.rows) = (file, table, rows);
        Ok(())
    }

    /// Keeps the record of the match in a file of its own, and says where: its rows, as everybody reads them who can read records.
    ///
    /// # Errors
    /// If there is none, or it cannot be written.
    pub fn record(&self) -> io::Result<PathBuf> {
        let Some((id, ..)) = self.rows.last() else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no match was played here"));
        };
        let folder = self.folder.join("records");
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{id}.jsonl"));
        let rows = self.rows.iter().filter(|(of, ..)| of == id);
        let record: String = rows.flat_map(|(_, _, row)| [row.as_str(), "\n"]).collect();
        replace(&path, record.as_bytes())?;
        Ok(path)
    }
}

fn take_in(table: &mut String, rows: &mut Vec<Row>, keep: Keep) {
    rows.retain(|(id, ..)| !keep.fresh && !keep.forget.contains(id));
    if let Some(new) = keep.table {
        *table = new;
    }
    rows.extend(keep.rows);
}

/// Puts a new file in the place of the one at a path, all of it or nothing; it is open to be written on.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    // What is kept is its owner's: their hand, and who they are at a server.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&new, path)?;
    // The name lasts, too.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}

fn table_file(folder: &Path) -> PathBuf {
    folder.join("table.jsonl")
}
