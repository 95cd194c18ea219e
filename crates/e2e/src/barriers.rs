//! How accessible a page is, as judged by checkers that others wrote and `cargo xtask test` fetches.

use crate::Browser;
use anyhow::{Context, Result, anyhow, bail};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

impl Browser {
    /// What the checkers of accessibility that are there find wrong with the page, one line a fault; none if there is no
    /// checker.
    ///
    /// # Errors
    /// If one breaks down.
    pub async fn barriers(&self) -> Result<Option<Vec<String>>> {
        // What is folded away is made when it is opened.
        self.run::<()>("for (const folded of document.querySelectorAll('.page details')) folded.open = true")
            .await?;
        self.made().await?;
        let found = [self.axe().await?, self.sniffer().await?, self.alfa().await?];
        let judged = found.iter().any(Option::is_some);
        Ok(judged.then(|| found.into_iter().flatten().flatten().collect()))
    }

    /// All that axe finds, good practice, too. For axe nothing in a disabled fieldset can be focused; in a browser only what is pressed
    /// cannot (HTML, "Concept: fieldset disabled"). So a region that scrolls there is asked itself.
    async fn axe(&self) -> Result<Option<Vec<String>>> {
        let Some(file) = std::env::var_os("PARLOUR_AXE") else { return Ok(None) };
        let source = tokio::fs::read_to_string(file).await?;
        self.page.execute(source, vec![]).await?;
        let script = "const done = arguments[arguments.length - 1];
            const focuses = target => {
                const [before, region] = [document.activeElement, document.querySelector(target)];
                region.focus({ preventScroll: true });
                const does = document.activeElement === region;
                before.focus({ preventScroll: true });
                return does;
            };
            const isFault = (v, n) => v.id !== 'scrollable-region-focusable' || !focuses(n.target.join(' '));
            axe.run({ resultTypes: ['violations'] }).then(
                found => done(found.violations.flatMap(v => v.nodes.filter(n => isFault(v, n)).map(n =>
                    `${v.impact} ${v.id}: ${v.help}: ${n.target.join(' ')}: ${n.html.slice(0, 200)}`))),
                error => done([String(error)]))";
        let answer = self.page.execute_async(script, vec![]).await?;
        Ok(Some(serde_json::from_value(answer.json().clone())?))
    }

    /// What `HTML_CodeSniffer` finds against WCAG 2 level AA: errors, not what it would have a person look at.
    async fn sniffer(&self) -> Result<Option<Vec<String>>> {
        let Some(file) = std::env::var_os("PARLOUR_HTMLCS") else { return Ok(None) };
        let source = tokio::fs::read_to_string(file).await?;
        // It hangs what it offers on `this`.
        self.page.execute(&format!("(function () {{ {source}\n}}).call(window)"), vec![]).await?;
        let script = "const done = arguments[arguments.length - 1];
            const told = found => `${found.code}: ${found.msg}: ${found.element.outerHTML.slice(0, 200)}`;
            HTMLCS.process('WCAG2AA', document,
                () => done(HTMLCS.getMessages().filter(found => found.type === HTMLCS.ERROR).map(told)),
                () => done(['HTML_CodeSniffer could not begin']))";
        let answer = self.page.execute_async(script, vec![]).await?;
        Ok(Some(serde_json::from_value(answer.json().clone())?))
    }

    /// What Alfa finds against WCAG 2 levels A and AA and the good practice that it knows.
    async fn alfa(&self) -> Result<Option<Vec<String>>> {
        let Some(folder) = std::env::var_os("PARLOUR_ALFA").map(PathBuf::from) else { return Ok(None) };
        let mut script = String::new();
        for part in ["dom", "device"] {
            let native = folder.join(format!("node_modules/@siteimprove/alfa-{part}/dist/native.js"));
            // It is written as a module, which a page does not run from a string.
            let source = tokio::fs::read_to_string(native).await?.replace("export var Native", "var Native");
            script += &format!("const {part} = (() => {{ {source}\nreturn Native; }})();\n");
        }
        script += "const done = arguments[arguments.length - 1];
            dom.fromNode().then(document => done(JSON.stringify({ document, device: device.fromWindow(window) })),
                error => done(String(error)))";
        let page = self.page.execute_async(script, vec![]).await?;
        let page = page.json().as_str().context("the page as a text")?.to_owned();
        tokio::task::spawn_blocking(move || Alfa::judge(&folder, &page)).await?.map(Some)
    }
}

/// A program that judges one page after another, each a line: what it judges by takes longer to read than most pages do.
struct Alfa {
    given: ChildStdin,
    told: BufReader<ChildStdout>,
}

impl Alfa {
    /// What it finds on this page. It is started for the first one, and ends with the tests, when nothing more can come.
    fn judge(folder: &Path, page: &str) -> Result<Vec<String>> {
        static RUNNING: Mutex<Option<Alfa>> = Mutex::new(None);
        let mut running = RUNNING.lock().expect("no panic");
        let alfa = match &mut *running {
            Some(alfa) => alfa,
            none => none.insert(Self::start(folder)?),
        };
        let mut told = String::new();
        let asked = writeln!(alfa.given, "{page}").and_then(|()| alfa.told.read_line(&mut told));
        if !matches!(asked, Ok(1..)) {
            *running = None;
            bail!("Alfa has ended: `node alfa.mjs` in {} says why", folder.display());
        }
        let judged: Result<Vec<String>, String> = serde_json::from_str(&told)?;
        judged.map_err(|why| anyhow!("Alfa broke down: {why}"))
    }

    fn start(folder: &Path) -> Result<Self> {
        let mut judge = Command::new("node")
            .args(["--input-type=module", "--eval", include_str!("../alfa.mjs")])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Whoever starts a test waits until nobody holds its output any more, and this needs a moment to end after it.
            .stderr(Stdio::null())
            .spawn()?;
        let given = judge.stdin.take().context("it was asked for")?;
        let told = BufReader::new(judge.stdout.take().context("it was asked for")?);
        Ok(Self { given, told })
    }
}
