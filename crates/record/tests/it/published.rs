//! What is published about records: their JSON Schema, and records of every version, which go on being readable.

use record::replay;
use rulebook::Match;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `UPDATE_SCHEMAS=1` writes the file anew; else it must be what the types say.
#[test]
fn the_schema_is_that_of_the_types() {
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Parlour match record",
        "description": "One JSON object a line: the header, then the entries (docs/record.md).",
        "header": schemars::schema_for!(record::HeaderOf<Match>),
        "entry": schemars::schema_for!(record::EntryOf<Match>),
    });
    let path = root().join("docs/record.schema.json");
    let published = fs::read_to_string(&path).unwrap_or_default();
    // The order of names may be another: it is that of whatever is built at the same time.
    let same = serde_json::from_str(&published).ok().as_ref() == Some(&schema);
    if env::var_os("UPDATE_SCHEMAS").is_some() && !same {
        return fs::write(&path, serde_json::to_string_pretty(&schema).unwrap() + "\n").unwrap();
    }
    assert!(same, "docs/record.schema.json differs from the types: run this test with UPDATE_SCHEMAS=1");
}

/// Records that older programs wrote: one folder for each version of the format.
#[test]
fn old_records_are_still_read_and_printed() {
    let mut found = 0;
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    for version in fs::read_dir(&records).unwrap() {
        for file in fs::read_dir(version.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let record =
                replay::read::<Match>(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
            let printed = replay::text(&record, &|rules| rules.name()).unwrap();
            assert!(printed.lines().count() > record.entries.len(), "{}", path.display());
            // None may be called wrong; where the rules have changed since, that is said.
            let verified = record::verify::<Match>(&text);
            assert!(verified.is_ok(), "{}: {verified:?}", path.display());
            found += 1;
        }
    }
    assert!(found > 0, "there are no records in {}", records.display());
}
