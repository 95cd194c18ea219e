//! Builds the web app into dist/: WebAssembly by cargo (the programs of the app, and what is computed beside), its JavaScript by
//! wasm-bindgen, the static files of crates/web/static, and beside every text file its brotli and gzip twins, which the server
//! sends as they are. The rulebooks of docs/rules go along.
//!
//! What a program says is a file for each language, made of crates/web/lang.
//!
//! Each program has a page of its own, made of page.html, and one for each of its parts, for the pages that begin with it. A file
//! that the page or a style sheet names as `"/name"` gets a name with a hash of its content under assets/, so that browsers may
//! keep it for good. Every other file keeps its name and is asked for anew by its ETag.

use crate::divide::{self, divide};
use crate::order::alike_together;
use crate::prune::prune;
use crate::shell::{cargo, root, run, target_dir};
use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use wasm_bindgen_cli_support::Bindgen;
use words::Language;

/// Files by their paths.
type Files = BTreeMap<String, Vec<u8>>;

/// Plain names of files, and their names with a hash of the content.
type Renamed = Vec<(String, String)>;

/// What each part of a program consists of, by the names of both: a page of its own names it all (`wire::route::page`).
type Pages = BTreeMap<(String, String), Vec<String>>;

const TARGET: &str = "wasm32-unknown-unknown";

/// The rulebooks, by the name of their family: the app shows them, rule by rule.
const RULEBOOKS: [(&str, &str); 2] = [("contract", "rummy-family.md"), ("pattern", "set-family.md")];
/// The programs that show rule sheets, or make tables whose rules may be refused.
const SHEETS: [&str; 2] = ["library", "lobby"];
/// What is computed beside the page.
const WORKER: &str = "worker";
/// The program that leads to tables, and fetches theirs ahead.
const LOBBY: &str = "lobby";
/// The programs with a table, which may be that one.
const TABLES: [&str; 2] = ["contract", "pattern"];

/// Lets Leptos erase the types of components, which otherwise nest without end: smaller, and quicker to build. And lets the
/// few hashes of a fair deal be reckoned in loops rather than line by line.
/// The linker says what refers to what, so that programs can be divided.
const RUSTFLAGS: [&str; 5] =
    ["--cfg", "erase_components", "--cfg", "sha2_backend_soft=\"compact\"", "-Clink-args=--emit-relocs"];

/// These, and that places in libraries are told without the folder of whoever builds: the same app everywhere, and a smaller one.
fn rustflags() -> Vec<String> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let remap =
        cargo_home.map(|home| format!("--remap-path-prefix={}=", home.join("registry/src").display()));
    RUSTFLAGS.into_iter().map(str::to_owned).chain(remap).collect()
}

/// Installs the compiler's WebAssembly target, if it is missing and rustup can do it.
///
/// # Errors
/// If it is missing and rustup cannot.
pub fn ensure_target() -> Result<()> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output()?;
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout)?.trim());
    if sysroot.join("lib/rustlib").join(TARGET).exists() {
        return Ok(());
    }
    eprintln!("Installing the {TARGET} target ...");
    run(Command::new("rustup").args(["target", "add", TARGET])).with_context(|| {
        format!("the {TARGET} target of Rust is missing; install it, for example with `rustup target add {TARGET}`")
    })
}

/// Compiles the programs of the app: what [`build`] does first, and touches nothing but the folder that cargo builds to.
///
/// # Errors
/// If the compiler or its WebAssembly target is missing, or it refuses.
pub fn compile(dev: bool) -> Result<()> {
    ensure_target()?;
    let profile = if dev { "dev" } else { "wasm" };
    let config = format!("target.{TARGET}.rustflags={:?}", rustflags());
    let build = ["build", "--config", &config, "--profile", profile, "--target", TARGET];
    cargo(build.into_iter().chain(["--package", "parlour-web", "--package", "parlour-worker"]))
}

/// Builds the app; with `dev`, quickly and large.
///
/// # Errors
/// If a step fails; dist/ is then as it was.
pub fn build(dev: bool) -> Result<()> {
    compile(dev)?;
    let folder = if dev { "debug" } else { "wasm" };
    let files = collect(&target_dir().join(TARGET).join(folder))?;
    let dist = root().join("dist");
    let (stamp, stamp_file) = (stamp(&files, dev), dist.join(".stamp"));
    if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) {
        return Ok(()); // untouched, so that the server need not be built again
    }
    clear(&dist)?;
    let sizes = at_once(&files, |(name, body)| {
        let path = dist.join(name);
        fs::create_dir_all(path.parent().expect("inside dist"))?;
        fs::write(&path, body).with_context(|| format!("cannot write {}", path.display()))?;
        compress(&path, body, dev)
    })?;
    fs::write(stamp_file, stamp)?;
    let size: usize = sizes.iter().sum();
    eprintln!("Built the web app: {} files, {} KB compressed, in dist/", files.len(), size.div_ceil(1000));
    Ok(())
}

/// Does the same to all of them, as many at once as there are processors. The results come in any order.
fn at_once<T: Send, R: Send>(
    all: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let queue = Mutex::new(all.into_iter().collect::<Vec<_>>().into_iter());
    let results = Mutex::new(Vec::new());
    let next = || queue.lock().expect("nobody panics with it").next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(one) = next() {
                    let result = work(one);
                    results.lock().expect("nobody panics with it").push(result);
                }
            });
        }
    });
    results.into_inner().expect("nobody panics with it").into_iter().collect()
}

/// A style sheet without what is for its readers: remarks, indentation and empty lines.
fn without_sheet_remarks(sheet: &str) -> String {
    let mut text = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    trimmed(&text, |line| !line.is_empty())
}

/// The JavaScript of wasm-bindgen without its remarks, which stand on lines of their own, and without indentation.
fn without_script_remarks(script: &str) -> String {
    let remark =
        |line: &str| ["//", "/**", "* ", "*/"].iter().any(|start| line.starts_with(start)) || line == "*";
    trimmed(script, |line| !line.is_empty() && !remark(line))
}

fn trimmed(text: &str, keep: impl Fn(&str) -> bool) -> String {
    text.lines().map(str::trim).filter(|line| keep(line)).collect::<Vec<_>>().join("\n")
}

/// Names of the programs of the app: a file in crates/web/src/bin for each.
fn programs() -> Result<Vec<String>> {
    let folder = root().join("crates/web/src/bin");
    let mut names = vec![];
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let file = entry?.file_name();
        let name = file.to_str().and_then(|file| file.strip_prefix("parlour-")?.strip_suffix(".rs"));
        names.push(name.with_context(|| format!("{} is no program of the app", file.display()))?.to_owned());
    }
    names.sort();
    Ok(names)
}

/// All files of the app by their path in dist/.
fn collect(folder: &Path) -> Result<Files> {
    let programs = programs()?;
    let languages = words::read_folder(&root().join("crates/web/lang")).map_err(anyhow::Error::msg)?;
    let names = programs.iter().map(String::as_str).chain([WORKER]);
    let (mut files, mut named, mut pages) = (Files::new(), Renamed::new(), Pages::new());
    for (bound, new, parts) in at_once(names, |name| bind(folder, name, &languages))? {
        files.extend(bound);
        named.extend(new);
        pages.extend(parts);
    }
    for (family, book) in RULEBOOKS {
        let path = root().join("docs/rules").join(book);
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        files.insert(format!("rulebook/{family}.md"), text);
    }

    let source = root().join("crates/web/static");
    let mut plain = Files::new();
    read_folder(&source, "", &mut plain)?;
    let page = plain.remove("page.html").context("crates/web/static/page.html is missing")?;
    let page = without_program(String::from_utf8(page)?, &languages);
    // Style sheets and then scripts last: they name the other files.
    let (mut sheets, others): (Vec<_>, Vec<_>) = plain
        .into_iter()
        .partition(|(name, _)| [".css", ".js", ".webmanifest"].iter().any(|end| name.ends_with(end)));
    sheets.sort_by_key(|(name, _)| name.ends_with(".js"));
    let sheets_text: String = sheets.iter().map(|(_, body)| String::from_utf8_lossy(body)).collect();
    for (name, body) in others {
        let reference = format!("\"/{name}\"");
        if page.contains(&reference) || sheets_text.contains(&reference) {
            let new = hashed(&name, &body);
            files.insert(format!("assets/{new}"), body);
            named.push((name, new));
        } else {
            files.insert(name, body);
        }
    }
    for (name, body) in sheets {
        let mut body = rename(String::from_utf8(body)?, &named);
        if name.ends_with(".css") {
            body = without_sheet_remarks(&body);
        }
        let body = body.into_bytes();
        let new = hashed(&name, &body);
        files.insert(format!("assets/{new}"), body);
        named.push((name, new));
    }
    for program in &programs {
        let of_program = pages.iter().filter(|((name, _), _)| name == program);
        let parts = of_program.map(|((_, part), files)| (format!("{program}-{part}.html"), &files[..]));
        for (name, parts) in parts.chain([(format!("{program}.html"), &[][..])]) {
            let page = rename(page_of(&page, program, parts), &named);
            files.insert(name, page.into_bytes());
        }
    }
    let service_worker = service_worker(&files)?;
    files.insert("service-worker.js".to_owned(), service_worker.into_bytes());
    Ok(files)
}

/// What keeps the app on a device, for these files.
fn service_worker(files: &Files) -> Result<String> {
    let script = script("service_worker.js", &["VERSION", "FILES"])?;
    let assets: Vec<String> =
        files.keys().filter(|name| name.starts_with("assets/")).map(|name| format!("/{name}")).collect();
    Ok(script.replace("VERSION", &stamp(files, false)).replace("FILES", &format!("{assets:?}")))
}

/// A script of the app without its remarks, which has these places to be filled.
fn script(name: &str, places: &[&str]) -> Result<String> {
    let script = fs::read_to_string(root().join("crates/web/src").join(name))?;
    let script = without_script_remarks(&script);
    ensure!(
        places.iter().all(|place| script.contains(place)),
        "crates/web/src/{name} lacks one of {places:?}"
    );
    Ok(script)
}

/// The page of a program: with its name in the place of PROGRAM, without the lines that are `data-only` for others, and with these parts
/// named like the first one, after what the page is drawn with.
fn page_of(page: &str, program: &str, parts: &[String]) -> String {
    let line = |line: &str| {
        let Some((before, rest)) = line.split_once(" data-only=\"") else { return Some(line.to_owned()) };
        let (only, after) = rest.split_once('"')?;
        only.split(' ').any(|name| name == program).then(|| format!("{before}{after}"))
    };
    let mut lines: Vec<String> = page.lines().filter_map(line).collect();
    let place = |what: &str| lines.iter().position(|line| line.contains(what));
    if let (Some(first), Some(script)) = (place("PROGRAM.wasm"), place("PROGRAM.js")) {
        let named = |part: &String| lines[first].replace("PROGRAM.wasm", &format!("assets/{part}"));
        let parts: Vec<String> = parts.iter().map(named).collect();
        lines.splice(script + 1..script + 1, parts);
    }
    lines.join("\n").replace("PROGRAM", program)
}

/// The page, saying in every language what it needs.
fn without_program(page: String, languages: &[Language]) -> String {
    let said = languages.iter().filter_map(|language| Some((&language.id, language.get("page.noscript")?)));
    let said: String = said.map(|(id, text)| format!("<p lang=\"{id}\">{text}</p>")).collect();
    page.replace("NOSCRIPT", &said)
}

/// What a program says in each language, and the script that chooses among them. What says nothing has neither.
fn words_of(name: &str, languages: &[Language], files: &mut Files) -> Result<String> {
    if name == WORKER {
        return Ok(String::new());
    }
    let mut list = BTreeMap::new();
    for language in languages {
        let text = language.file_of(name).into_bytes();
        let new = hashed(&format!("{name}.{}.txt", language.id), &text);
        files.insert(format!("assets/{new}"), text);
        list.insert(&language.id, new);
    }
    // Rule sheets, and what is wrong with rules, come in English as they are.
    let mut sheets = BTreeMap::new();
    for language in languages.iter().filter(|language| SHEETS.contains(&name) && language.id != words::SOURCE)
    {
        let text = language.file_of(words::SHEET).into_bytes();
        let new = hashed(&format!("{}.{}.txt", words::SHEET, language.id), &text);
        files.insert(format!("assets/{new}"), text);
        sheets.insert(&language.id, new);
    }
    let mut said = script("language.js", &["FILES", "SHEETS"])?
        .replace("FILES", &format!("{list:?}"))
        .replace("SHEETS", &format!("{sheets:?}"));
    if TABLES.contains(&name) {
        said += "\n";
        said += &script("line.js", &[])?;
        said += "\n";
        said += &script("home.js", &[])?;
    }
    if name == LOBBY {
        said += "\n";
        said += &script("ahead.js", &["FAMILIES"])?.replace("FAMILIES", &format!("{TABLES:?}"));
    }
    Ok(said)
}

/// Binds a WebAssembly module to its JavaScript, which starts it by itself: a policy without inline scripts leaves nobody
/// else to call it.
fn bind(folder: &Path, name: &str, languages: &[Language]) -> Result<(Files, Renamed, Pages)> {
    let (mut files, mut named, mut pages) = (Files::new(), Renamed::new(), Pages::new());
    let linked = folder.join(format!("parlour-{name}.wasm"));
    let linked = fs::read(&linked).with_context(|| format!("cannot read {}", linked.display()))?;
    // Every page has parts that come later.
    let divided = match name {
        WORKER => None,
        _ => Some(divide(&linked, &target_dir().join("parts").join(name))?),
    };
    let mut bound = Bindgen::new()
        .input_bytes(name, divided.as_ref().map_or(linked, |divided| divided.first.clone()))
        .out_name(name)
        .keep_lld_exports(divided.is_some())
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    ensure!(bound.npm_dependencies().is_empty(), "the web app must not need npm packages");
    let script = bound.js().to_owned();
    without_relocations(bound.wasm_mut());
    let mut script = without_script_remarks(&prune(&script, bound.wasm_mut(), divide::LINKS)?);
    let code = alike_together(&bound.wasm_mut().emit_wasm())?;
    if let Some(divided) = divided {
        let mut names = BTreeMap::new();
        for (part, code) in &divided.parts {
            let code = alike_together(code)?;
            let new = hashed(&format!("{name}-{part}"), &code);
            files.insert(format!("assets/{new}"), code);
            names.insert(part.clone(), new);
        }
        script = without_script_remarks(&divided.joined(&script, &names)?);
        for (part, files) in &divided.needs {
            let files = files.iter().map(|file| names[file].clone()).collect();
            pages.insert((name.to_owned(), part.clone()), files);
        }
    }
    let (wasm_name, js_name) = (format!("{name}.wasm"), format!("{name}.js"));
    let new_wasm = hashed(&wasm_name, &code);
    let words = words_of(name, languages, &mut files)?;
    let start = format!("__wbg_init({{ module_or_path: new URL('{new_wasm}', import.meta.url) }});");
    let js = if name == WORKER {
        let home = fs::read_to_string(root().join("crates/worker/src/home.js"))?;
        format!("{script}\nconst started = {start}\n{}\n", without_script_remarks(&home))
    } else {
        format!("{script}\n{words}\n{}\n", self::script("start.js", &["START"])?.replace("START", &start))
    };
    let new_js = hashed(&js_name, js.as_bytes());
    for (module, text) in bound.local_modules() {
        files.insert(format!("assets/snippets/{module}"), text.clone().into_bytes());
    }
    for (crate_name, texts) in bound.snippets() {
        for (n, text) in texts.iter().enumerate() {
            files.insert(format!("assets/snippets/{crate_name}/inline{n}.js"), text.clone().into_bytes());
        }
    }
    files.insert(format!("assets/{new_wasm}"), code);
    files.insert(format!("assets/{new_js}"), js.into_bytes());
    named.extend([(wasm_name, new_wasm), (js_name, new_js)]);
    Ok((files, named, pages))
}

/// Takes out what the linker said of what refers to what.
fn without_relocations(module: &mut walrus::Module) {
    let of_linker = |name: &str| name == "linking" || name.starts_with("reloc.");
    let sections: Vec<_> =
        module.customs.iter().filter(|(_, section)| of_linker(section.name())).map(|(id, _)| id).collect();
    for section in sections {
        module.customs.delete(section);
    }
}

/// Puts the hashed names in the place of the plain ones.
fn rename(text: String, named: &Renamed) -> String {
    named
        .iter()
        .fold(text, |text, (old, new)| text.replace(&format!("\"/{old}\""), &format!("\"/assets/{new}\"")))
}

/// `icons/bell.svg` to `bell-1f0c...svg`.
fn hashed(name: &str, body: &[u8]) -> String {
    let path = Path::new(name);
    let hash: String = Sha256::digest(body).iter().take(8).map(|b| format!("{b:02x}")).collect();
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{}-{hash}.{}", part(path.file_stem()), part(path.extension()))
}

fn read_folder(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Tells one set of files from another.
fn stamp(files: &Files, dev: bool) -> String {
    let mut hash = Sha256::new();
    hash.update([u8::from(dev)]);
    for (name, body) in files {
        hash.update(name.len().to_le_bytes());
        hash.update(name);
        hash.update(body.len().to_le_bytes());
        hash.update(body);
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Empties dist/ but for the file that keeps it in the project.
fn clear(dist: &Path) -> Result<()> {
    fs::create_dir_all(dist)?;
    for entry in fs::read_dir(dist)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != ".gitignore" {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes the compressed twins where they are worth it. Gives the bytes that go over the line.
fn compress(path: &Path, body: &[u8], dev: bool) -> Result<usize> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if !["html", "css", "js", "wasm", "svg", "json", "txt", "md", "webmanifest"].contains(&&*extension)
        || body.len() < 512
    {
        return Ok(body.len());
    }
    let with = |suffix: &str| path.with_extension(format!("{extension}.{suffix}"));
    let mut gzip =
        flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(if dev { 1 } else { 9 }));
    gzip.write_all(body)?;
    fs::write(with("gz"), gzip.finish()?)?;
    let mut br = Vec::new();
    let quality = if dev { 1 } else { 11 };
    let params = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &body[..], &mut br, &params)?;
    fs::write(with("br"), &br)?;
    Ok(br.len())
}
