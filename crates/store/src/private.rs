//! Data are for their owner only: folders that others cannot look into, files that others cannot read.
//!
//! What is made is made so from its first byte, whatever the process's umask; SQLite gives its journals the mode of the
//! database. What an earlier version or a careless copy left open is closed when the folder is used next.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

/// How the names of the files begin that this program keeps in a data folder.
const OURS: [&str; 2] = ["parlour.", "cookie."];

/// Options that open a file for writing and, where it is not there, make it for its owner only.
#[must_use]
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a data folder for its owner only. One that is there is closed to others, and so are the parlour's files in it; a
/// folder that holds anything else is left as it is, with a warning, since others may have business there.
///
/// # Errors
/// If the folder cannot be made or read.
pub fn private_folder(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => close(folder),
        made => made,
    }
}

#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn close(folder: &Path) -> io::Result<()> {
    let mut ours_alone = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if OURS.iter().any(|begin| name.starts_with(begin)) {
            narrow(&entry.path());
        } else {
            // What file systems and home folders have anyway is no sign of somebody else.
            ours_alone &= name.starts_with('.') || name == "lost+found";
        }
    }
    if ours_alone {
        narrow(folder);
    } else if mode(folder).is_some_and(|mode| mode & 0o077 != 0) {
        tracing::warn!(
            "others may look into the data folder {}, which holds more than the parlour's files; those are closed to them. \
             Give the parlour a folder of its own, or close this one: chmod 700 {}",
            folder.display(),
            folder.display()
        );
    }
    Ok(())
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).ok().map(|data| data.permissions().mode())
}

/// Takes from a file or folder what others than its owner may do with it.
#[cfg(unix)]
fn narrow(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Some(wide) = mode(path).filter(|mode| mode & 0o077 != 0) else { return };
    match fs::set_permissions(path, fs::Permissions::from_mode(wide & 0o7700)) {
        Ok(()) => tracing::info!("{} is now closed to others than its owner", path.display()),
        Err(error) => tracing::warn!("{} is open to others and cannot be closed: {error}", path.display()),
    }
}
