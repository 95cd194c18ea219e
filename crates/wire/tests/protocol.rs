//! The published schema of the protocol (docs/protocol/) is that of the types.

use rulebook::{Command, Notice, View};
use std::path::Path;

/// The schema in `file` is `schema`; `UPDATE=1` writes it.
fn check(file: &str, schema: &schemars::Schema) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol").join(file);
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    // The order of names may be another: it is that of whatever is built at the same time.
    let same = serde_json::from_str(&published).ok() == serde_json::to_value(schema).ok();
    if std::env::var_os("UPDATE").is_some() && !same {
        let text = serde_json::to_string_pretty(schema).expect("schemas are plain data") + "\n";
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, text).expect("the schema can be written");
    } else {
        assert!(
            same,
            "docs/protocol/{file} is not what the types say: run `UPDATE=1 cargo test -p parlour-wire --test protocol`"
        );
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    check("to-server.schema.json", &schemars::schema_for!(wire::ToServer<Command>));
    check("to-client.schema.json", &schemars::schema_for!(wire::ToClient<View, Notice, Command>));
}

/// A number at the end of a name would only say that two types are called the same.
#[test]
fn each_name_in_the_schemas_is_that_of_one_type() {
    let mut generator = schemars::SchemaGenerator::default();
    generator.subschema_for::<wire::ToServer<Command>>();
    generator.subschema_for::<wire::ToClient<View, Notice, Command>>();
    generator.subschema_for::<record::EntryOf<rulebook::Match>>();
    generator.subschema_for::<record::HeaderOf<rulebook::Match>>();
    let names = generator.definitions();
    assert!(names.len() > 100, "{} types", names.len());
    for name in names.keys() {
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
        assert!(plain == name || !names.contains_key(plain), "{name} beside {plain}: rename one");
    }
}

#[test]
fn the_page_is_about_this_version() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md"))
        .expect("docs/protocol.md");
    assert!(page.starts_with(&format!("# The WebSocket protocol, version {}\n", wire::PROTOCOL)));
    for kind in ["hello", "welcome", "notices", "verdict", "resync", "declined", "error", "ping", "pong"] {
        assert!(page.contains(&format!("`{kind}`")), "the page does not tell of `{kind}`");
    }
}
