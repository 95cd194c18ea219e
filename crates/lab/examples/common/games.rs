//! Games by their names, or by the paths of their files.

use rulebook::{Loaded, NoFiles, Source};
use std::path::Path;

/// A built-in game, or that of a rule file.
///
/// # Errors
/// If there is no such game, or its file cannot be read or does not hold.
pub fn load(name: &str) -> Result<Loaded, String> {
    let path = Path::new(name);
    if !path.is_file() {
        return rulebook::load(Source::Preset(name), None, &NoFiles).map_err(|e| e.to_string());
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    rulebook::load(Source::Text { name, text: &text }, None, &NoFiles).map_err(|e| e.to_string())
}
