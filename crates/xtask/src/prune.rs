//! Takes out of a bound program what nobody needs who loads it: names for people, and what only other scripts could call.

use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use walrus::{ExportItem, Module};

/// Prunes the module, and gives the script that goes with it. Nothing imports that script, so the classes which it exports
/// (the framework's, for streams from a server) are used by nobody, nor is the code behind them.
///
/// What is imported from `elsewhere` keeps its name: another script hands that over.
///
/// # Errors
/// If the script is not of the shape that is known here.
pub fn prune(script: &str, module: &mut Module, elsewhere: &str) -> Result<String> {
    let mut script = without_classes(script);
    let unused: Vec<_> = module
        .exports
        .iter()
        .filter(|export| matches!(export.item, ExportItem::Function(_)) && !calls(&script, &export.name))
        .map(walrus::Export::id)
        .collect();
    for export in unused {
        module.exports.delete(export);
    }
    walrus::passes::gc::run(module);
    // A module may import the same function in two places.
    let mut names = BTreeMap::new();
    for import in module.imports.iter_mut().filter(|import| import.module != elsewhere) {
        let next = names.len();
        import.name = match names.entry(import.name.clone()) {
            Entry::Occupied(known) => String::clone(known.get()),
            Entry::Vacant(unknown) => {
                let new = short(next);
                script = with_name(&script, &import.name, &new)?;
                unknown.insert(new).clone()
            }
        };
    }
    Ok(script)
}

/// Whether the script calls this export.
fn calls(script: &str, export: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    script
        .match_indices(&format!("wasm.{export}"))
        .any(|(at, found)| !script[at + found.len()..].starts_with(part_of_name))
}

/// The script, in which the function of this name that it hands to the module has another one.
fn with_name(script: &str, old: &str, new: &str) -> Result<String> {
    let field = format!("{old}:");
    let begins = |at: &usize| script[..*at].ends_with(char::is_whitespace);
    let places: Vec<usize> = script.match_indices(&field).map(|(at, _)| at).filter(begins).collect();
    ensure!(places.len() == 1, "the script defines {old} {} times, not once", places.len());
    let (before, after) = script.split_at(places[0]);
    Ok(format!("{before}{new}{}", &after[old.len()..]))
}

/// The script without the classes that it exports, and without what lets them be collected. Nothing hangs on how it is
/// indented.
fn without_classes(script: &str) -> String {
    let classes: Vec<&str> = script
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("export class ")?.split(' ').next())
        .collect();
    let mut kept = String::with_capacity(script.len());
    let mut left_out: Option<LeftOut> = None;
    for line in script.lines() {
        if left_out.is_none() {
            left_out = classes.iter().find_map(|class| {
                let begins = |before: &str, after: &str| {
                    line.trim_start()
                        .strip_prefix(before)
                        .and_then(|rest| rest.strip_prefix(class))
                        .is_some_and(|rest| rest.starts_with(after))
                };
                if begins("export class ", " {") {
                    Some(LeftOut::Class { depth: 0 })
                } else if begins("const ", "Finalization =") || begins("if (Symbol.dispose) ", ".prototype") {
                    Some(LeftOut::Statement)
                } else {
                    None
                }
            });
        }
        let ends = match &mut left_out {
            None => {
                kept.push_str(line);
                kept.push('\n');
                false
            }
            Some(LeftOut::Class { depth }) => {
                *depth += line.matches('{').count() as isize - line.matches('}').count() as isize;
                *depth <= 0
            }
            Some(LeftOut::Statement) => line.ends_with(';'),
        };
        if ends {
            left_out = None;
        }
    }
    kept
}

/// What is being left out.
enum LeftOut {
    /// A class, up to the brace that closes it; so many are open.
    Class { depth: isize },
    /// A statement, up to its semicolon.
    Statement,
}

/// The n-th of all names of small letters: a, b, .. z, ba, ..
fn short(mut n: usize) -> String {
    let mut name = vec![];
    loop {
        name.push(b'a' + (n % 26) as u8);
        n /= 26;
        if n == 0 {
            break;
        }
    }
    name.into_iter().rev().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "\
export class Source {
    free() {
wasm.source_free(0);
}
    get type() { return 1; }
}
if (Symbol.dispose) Source.prototype[Symbol.dispose] = Source.prototype.free;
const imports = {
    __proto__: null,
    __wbg_log_12: function(arg0) { console.log(arg0); },
};
const SourceFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {} }
    : new FinalizationRegistry(ptr => wasm.source_free(ptr, 1));
class Kept {
}
wasm.start_2();
";

    #[test]
    fn exported_classes_go_and_nothing_else() {
        let kept = without_classes(SCRIPT);
        assert!(
            !kept.contains("Source") && kept.contains("class Kept {\n}\n") && kept.contains("__wbg_log_12")
        );
        assert!(calls(SCRIPT, "source_free") && !calls(&kept, "source_free"));
        assert!(calls(&kept, "start_2") && !calls(&kept, "start"));
    }

    #[test]
    fn what_the_script_hands_over_is_called_otherwise() {
        let script = with_name(SCRIPT, "__wbg_log_12", "a").expect("it is there once");
        assert_eq!(script, SCRIPT.replace("__wbg_log_12", "a"));
        assert!(with_name(SCRIPT, "log_12", "a").is_err(), "a part of a name is none");
        assert!(with_name("{\nf_1: 1,\n  f_1: 2 }", "f_1", "a").is_err(), "which one?");
    }

    #[test]
    fn names_are_short_and_each_is_another() {
        let names: std::collections::BTreeSet<String> = (0..2000).map(short).collect();
        assert_eq!(names.len(), 2000);
        assert_eq!([short(0), short(25), short(26), short(27)], ["a", "z", "ba", "bb"]);
    }
}
