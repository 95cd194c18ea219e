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

    /// What axe finds, serious faults only.
    async fn axe(&self) -> Result<Option<Vec<String>>> {
        let Some(file) = std::env::var_os("PARLOUR_AXE") else { return Ok(None) };
        let source = tokio::fs::read_to_string(file).await?;
        self.page.execute(source, vec![]).await?;
        // A card's face is a picture drawn with letters, and its name says in words what it shows; one rule takes the letters
        // for the label of the button.
        let script = "const done = arguments[arguments.length - 1];
            const options = { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: false } } };
            axe.run(options).then(
                found => done(found.violations
                    .filter(v => v.impact === 'serious' || v.impact === 'critical')
                    .map(v => `${v.impact} ${v.id}: ${v.help}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`)),
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
        // Three of its findings are wrong about us. It takes `color` for the colour of letters in a picture, which have their
        // `fill`; it judges what is shown only where no scripts run, in the colours of where they do; and it wants a legend
        // for a fieldset that is none to who listens, but only takes the presses of what is in it.
        let script = "const done = arguments[arguments.length - 1];
            const right = ({ code, element }) =>
                !(code.includes('Guideline1_4.1_4_3') && element.closest('svg, noscript'))
                && !element.matches('fieldset[role=none]');
            const told = found => `${found.code}: ${found.msg}: ${found.element.outerHTML.slice(0, 200)}`;
            HTMLCS.process('WCAG2AA', document,
                () => done(HTMLCS.getMessages().filter(found => found.type === HTMLCS.ERROR && right(found)).map(told)),
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

    /// What shows words that are not in its name, so that nobody can say them to press it; none if the checker is not there.
    /// The faces of cards are left out: they are pictures, drawn with letters.
    ///
    /// # Errors
    /// If the checker breaks down.
    pub async fn mislabelled(&self) -> Result<Option<Vec<String>>> {
        let Some(file) = std::env::var_os("PARLOUR_AXE") else { return Ok(None) };
        let source = tokio::fs::read_to_string(file).await?;
        self.page.execute(source, vec![]).await?;
        let script = "const done = arguments[arguments.length - 1], rule = 'label-content-name-mismatch';
            const cards = ['.hcard', '.pcard', '.tmeld-cards', '#rummy-discard'].filter(card => document.querySelector(card));
            axe.run({ exclude: cards.map(card => [card]) }, { runOnly: [rule], rules: { [rule]: { enabled: true } } }).then(
                found => done(found.violations.flatMap(v => v.nodes.map(n => n.html))), error => done([String(error)]))";
        let answer = self.page.execute_async(script, vec![]).await?;
        Ok(Some(serde_json::from_value(answer.json().clone())?))
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
