//! Embeds the rule files under `rules/pattern` and `rules/contract`, so that a new game is a new file and nothing else; and those
//! under `rules/house`, which families and clubs play.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../rules");
    embed(&root, &["pattern", "contract"], "presets.rs");
    embed(&root, &["house"], "house.rs");
}

/// Writes a list of all files of some folders.
fn embed(root: &Path, folders: &[&str], name: &str) {
    let mut list = String::from("&[\n");
    for family in folders {
        let folder = root.join(family);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files: Vec<PathBuf> = fs::read_dir(&folder)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
        files.sort();
        for path in files {
            println!("cargo::rerun-if-changed={}", path.display());
            let id = path.file_stem().and_then(|s| s.to_str()).expect("rule files have plain names");
            let path = fs::canonicalize(&path).expect("the file was just listed");
            writeln!(
                list,
                "    Embedded {{ id: {id:?}, file: \"rules/{family}/{id}.toml\", text: include_str!({:?}) }},",
                path.display()
            )
            .expect("a string takes all");
        }
    }
    list.push_str("]\n");
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join(name);
    fs::write(out, list).expect("the build folder can be written");
}
