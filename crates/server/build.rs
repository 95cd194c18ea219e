//! Embeds dist/, which `cargo xtask build-web` makes. A build without it works, and says so when somebody opens the app.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let dist = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../dist");
    println!("cargo::rerun-if-changed=build.rs");
    if dist.exists() {
        println!("cargo::rerun-if-changed={}", dist.display());
    }
    let mut files = BTreeMap::new();
    collect(&dist, "", &mut files);

    let mut code = String::from("&[\n");
    for (name, path) in &files {
        let twin = |suffix: &str| match files.get(&format!("{name}.{suffix}")) {
            Some(path) => format!("Some(include_bytes!({path:?}))"),
            None => "None".to_owned(),
        };
        let is_twin =
            [".br", ".gz"].iter().any(|s| name.strip_suffix(s).is_some_and(|n| files.contains_key(n)));
        if !is_twin {
            let mut hash = DefaultHasher::new();
            hash.write(&fs::read(path).expect("a file of dist"));
            writeln!(
                code,
                "Embedded {{ path: {name:?}, hash: \"{:016x}\", plain: include_bytes!({path:?}), br: {}, gz: {} }},",
                hash.finish(),
                twin("br"),
                twin("gz"),
            )
            .expect("strings take all");
        }
    }
    code.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("assets.rs");
    fs::write(out, code).expect("the build folder can be written to");
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), files);
        } else {
            files.insert(format!("{prefix}{name}"), entry.path().canonicalize().expect("it was just listed"));
        }
    }
}
