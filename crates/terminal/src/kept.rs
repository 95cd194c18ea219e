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
        let mut text = String::new();
        let too_large =
            || io::Error::new(io::ErrorKind::InvalidData, "it is too large to be what was played here");
        if file.metadata().map_err(at(&path))?.len() > MOST_BYTES {
            return Err(Trouble::Files { path, why: too_large() });
        }
        (&mut file).take(MOST_BYTES).read_to_string(&mut text).map_err(at(&path))?;
        let mut kept =
            Kept { folder: folder.to_owned(), file, _lock: lock, table: String::new(), rows: Vec::new() };
        // What a power cut tore off was told to nobody.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for (line, keep) in (1..).zip(whole.lines()) {
            let keep = serde_json::from_str(keep);
            let unreadable = |why: serde_json::Error| Trouble::Unreadable {
                path: path.clone(),
                line,
                why: why.to_string(),
            };
            kept.take_in(keep.map_err(unreadable)?);
        }
        if whole.len() < text.len() {
            kept.file.set_len(whole.len() as u64).map_err(at(&path))?;
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
        let mut line = serde_json::to_string(keep)?;
        line.push('\n');
        // Where rows are given up the file begins anew, so that it does not grow for ever.
        if keep.fresh || !keep.forget.is_empty() {
            self.take_in(keep.clone());
            return self.write_anew();
        }
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
        self.rows.retain(|(id, ..)| !keep.fresh && !keep.forget.contains(id));
        if let Some(table) = keep.table {
            self.table = table;
        }
        self.rows.extend(keep.rows);
    }

    fn write_anew(&mut self) -> io::Result<()> {
        let all = Keep {
            fresh: true,
            table: Some(self.table.clone()),
            forget: Vec::new(),
            rows: self.rows.clone(),
        };
        let (path, new) = (table_file(&self.folder), self.folder.join("table.new"));
        let mut file = File::create(&new)?;
        serde_json::to_writer(&mut file, &all)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        std::fs::rename(&new, &path)?;
        self.file = OpenOptions::new().append(true).open(&path)?;
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
        let new = folder.join(format!("{id}.new"));
        let mut file = File::create(&new)?;
        for (_, _, row) in self.rows.iter().filter(|(of, ..)| of == id) {
            writeln!(file, "{row}")?;
        }
        file.sync_all()?;
        std::fs::rename(&new, &path)?;
        Ok(path)
    }
}

fn table_file(folder: &Path) -> PathBuf {
    folder.join("table.jsonl")
}
