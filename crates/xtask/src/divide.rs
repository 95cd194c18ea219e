//! Divides off the part of a program that it loads later: what is behind a function that is marked so, and behind nothing else.

use anyhow::{Context, Result, anyhow, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use wasm_split_cli_support::Options;

/// What the script of a program is told of where its parts are, before it is bound.
pub const LINKS: &str = "./parts.js";

/// A program in parts.
pub struct Divided {
    /// What is loaded first. It is to be bound.
    pub first: Vec<u8>,
    /// What comes later, by the names that the links call them.
    pub parts: BTreeMap<String, Vec<u8>>,
    /// What each function that is divided off is loaded with, in `parts`.
    pub needs: BTreeMap<String, Vec<String>>,
    /// The script that loads them.
    links: String,
}

/// Divides a program as it was linked. In a folder of its own, which is emptied.
///
/// # Errors
/// If it is no such program, or does not say what refers to what.
pub fn divide(program: &[u8], folder: &Path) -> Result<Divided> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let first = folder.join("first.wasm");
    let mut options = Options::new(program);
    options.output_dir = folder;
    options.main_out_path = &first;
    options.link_name = LINKS;
    let split = wasm_split_cli_support::transform(options)
        .map_err(|fault| anyhow!("{fault:?}"))
        .context("the program cannot be divided")?;
    let mut parts = BTreeMap::new();
    for path in split.split_modules {
        let name = path.file_name().and_then(|name| name.to_str()).context("a part without a name")?;
        parts.insert(name.to_owned(), fs::read(&path)?);
    }
    let file = |stem: &String| format!("{stem}.wasm");
    let needs = split.prefetch_map.into_iter();
    let needs: BTreeMap<String, Vec<String>> =
        needs.map(|(part, stems)| (part, stems.iter().map(file).collect())).collect();
    let strange = needs.values().flatten().find(|file| !parts.contains_key(*file));
    ensure!(strange.is_none(), "a part needs {strange:?}, which there is not");
    Ok(Divided { first: fs::read(&first)?, parts, needs, links: fs::read_to_string(folder.join(LINKS))? })
}

impl Divided {
    /// The script of the first part, bound, with what loads the others: one file instead of two that load each other. The
    /// parts have the names that are given for theirs, and lie beside it.
    ///
    /// # Errors
    /// If one of the two is not of the shape that is known here.
    pub fn joined(&self, script: &str, names: &BTreeMap<String, String>) -> Result<String> {
        let lines = |text: &str, wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
            text.lines().filter(|line| wanted(line)).map(str::to_owned).collect()
        };
        // `import * as import1 from "./parts.js"`: all that is imported from there.
        let import = lines(script, &|line| line.starts_with("import ") && line.contains(LINKS));
        let name = import
            .first()
            .and_then(|line| line.strip_prefix("import * as ")?.split(' ').next())
            .context("the script does not import what loads its parts")?;
        // Several functions may be imported from there, each under a name of its own.
        let others: Vec<&str> = import[1..]
            .iter()
            .filter_map(|line| line.strip_prefix("import * as ")?.split(' ').next())
            .collect();
        let mut links = self.links.clone();
        let own = lines(&links, &|line| line.starts_with("import "));
        ensure!(own.len() == 1 && own[0].starts_with("import { initSync }"), "the links import {own:?}");
        links = links.replace(&own[0], "");
        let loaders: Vec<String> = (links.lines())
            .filter_map(|line| Some(line.strip_prefix("export const ")?.split(' ').next()?.to_owned()))
            .collect();
        ensure!(!loaders.is_empty(), "the links load nothing");
        links = links.replace("export const ", "const ");
        for (part, new) in names {
            let (plain, count) = (format!("\"./{part}\""), links.matches(&format!("\"./{part}\"")).count());
            ensure!(count == 1, "the links name {part} {count} times, not once");
            links = links.replace(&plain, &format!("\"./{new}\""));
        }
        let mut script: String = lines(script, &|line| !import.iter().any(|other| other == line)).join("\n");
        let object = format!("const {name} = {{ {} }};", loaders.join(", "));
        let others: String = others.iter().map(|other| format!("\nconst {other} = {name};")).collect();
        script = format!("{links}\n{object}{others}\n{script}");
        Ok(script)
    }
}
