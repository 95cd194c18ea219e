//! Every saved input of every fuzz target, as a plain test: what was found once stays mended.

use fuzzing::{TARGETS, Target};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics in any thread, also those that a table or a server outlives.
static PANICS: AtomicUsize = AtomicUsize::new(0);

static COUNTED: LazyLock<()> = LazyLock::new(|| {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        told(panic);
    }));
});

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in
        std::fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display())).flatten()
    {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let mut inputs = Vec::new();
    files(&root().join("fuzz/corpus").join(name), &mut inputs);
    assert!(inputs.len() >= 5, "{name} has hardly any saved inputs");
    target.beside.iter().for_each(|folder| files(&root().join(folder), &mut inputs));
    inputs.sort();
    LazyLock::force(&COUNTED);
    for input in inputs {
        let bytes = std::fs::read(&input).expect("a file");
        let before = PANICS.load(Ordering::SeqCst);
        let tried = std::panic::catch_unwind(|| (target.run)(&bytes));
        let panics = PANICS.load(Ordering::SeqCst) - before;
        assert!(tried.is_ok() && panics == 0, "{}: {panics} panics", input.display());
    }
}

macro_rules! corpus {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_target_has_its_test_and_its_program() {
            let names: Vec<&str> = TARGETS.iter().map(|target: &Target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            for name in names {
                let program = std::fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs")));
                let program = program.unwrap_or_else(|why| panic!("{name}: {why}"));
                assert!(program.contains(&format!("fuzzing::{name}(")), "{program}");
            }
        }
    };
}

corpus! {
    rule_file expression share_code scenario record command_pattern command_contract client_frame http_body
}

#[test]
fn the_saved_inputs_are_few() {
    let mut all = Vec::new();
    files(&root().join("fuzz/corpus"), &mut all);
    let bytes: u64 = all.iter().map(|file| file.metadata().expect("a file").len()).sum();
    assert!(bytes < 2_000_000, "{bytes} bytes in {} files: minimise them", all.len());
}
