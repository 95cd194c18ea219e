//! What the browser tests stand on: a server of their own and browsers of their own. `cargo xtask test` runs them.
#![cfg(feature = "browser")]

mod barriers;
mod listener;
pub mod steps;

pub use listener::Listener;

use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thirtyfour::common::capabilities::desiredcapabilities::CapabilitiesHelper;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, WebDriver};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdout, Command};

/// How long anything may take to show.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running `parlour serve` with a data folder of its own.
pub struct Server {
    child: Child,
    data: TempDir,
    args: Vec<String>,
    /// What its environment has besides.
    envs: Vec<(&'static str, OsString)>,
    port: u16,
}

impl Server {
    /// Starts the program with more `args`.
    ///
    /// # Errors
    /// If it does not come up.
    pub async fn start(args: &[&str]) -> Result<Server> {
        Server::start_on(0, args).await
    }

    /// Starts the program on this port.
    ///
    /// # Errors
    /// If it does not come up.
    pub async fn start_on(port: u16, args: &[&str]) -> Result<Server> {
        let data = tempfile::tempdir()?;
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        let (child, port) = open(&data, &args, &[], port).await?;
        Ok(Server { child, data, args, envs: Vec::new(), port })
    }

    /// Starts the program on a data folder that has these files already, with this in its environment.
    ///
    /// # Errors
    /// If it does not come up.
    pub async fn start_with(
        files: &[(&str, &[u8])],
        args: &[String],
        envs: Vec<(&'static str, OsString)>,
    ) -> Result<Server> {
        let data = tempfile::tempdir()?;
        for (name, bytes) in files {
            std::fs::write(data.path().join(name), bytes)?;
        }
        let (child, port) = open(&data, args, &envs, 0).await?;
        Ok(Server { child, data, args: args.to_vec(), envs, port })
    }

    /// Kills it with `kill -9`.
    ///
    /// # Errors
    /// If it has ended already.
    pub async fn kill(&mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Ends it in good order, as whoever replaces the program does.
    ///
    /// # Errors
    /// If it has ended already.
    pub async fn end(&mut self) -> Result<()> {
        let id = self.child.id().context("it has ended")?.to_string();
        ensure!(
            Command::new("kill").args(["-TERM", &id]).status().await?.success(),
            "it was not told to end"
        );
        self.child.wait().await?;
        Ok(())
    }

    /// Starts one that was killed again on the same data and port.
    ///
    /// # Errors
    /// If it does not come up.
    pub async fn start_again(&mut self) -> Result<()> {
        (self.child, self.port) = open(&self.data, &self.args, &self.envs, self.port).await?;
        Ok(())
    }

    /// Kills it, and starts it again.
    ///
    /// # Errors
    /// If it does not come up.
    pub async fn kill_and_restart(&mut self) -> Result<()> {
        self.kill().await?;
        self.start_again().await
    }

    /// An address of it.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

async fn open(
    data: &TempDir,
    args: &[String],
    envs: &[(&'static str, OsString)],
    port: u16,
) -> Result<(Child, u16)> {
    let program = std::env::var_os("PARLOUR_BIN")
        .context("PARLOUR_BIN names the program; `cargo xtask test` sets it")?;
    let mut child = Command::new(program)
        .args(["serve", "--log", "warn", "--listen", &format!("127.0.0.1:{port}"), "--data"])
        .arg(data.path())
        .args(args)
        .envs(envs.iter().cloned())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut lines = BufReader::new(child.stdout.take().context("it was asked for")?).lines();
    let first =
        tokio::time::timeout(PATIENCE, lines.next_line()).await??.context("the server ended at once")?;
    let port =
        first.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).with_context(|| first.clone())?;
    // Its output must go somewhere, or it would wait.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((child, port))
}

/// A line to a server that can go dead without a word, as a sleeping phone's does.
pub struct Wire {
    port: u16,
    /// Lines opened before this one are dead; with the largest number all are ended.
    dead: Arc<AtomicUsize>,
    opened: Arc<AtomicUsize>,
}

impl Wire {
    /// Leads to `server`.
    ///
    /// # Errors
    /// If no port can be had.
    pub async fn to(server: &Server) -> Result<Wire> {
        let (dead, opened) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let wire = Wire { port: listener.local_addr()?.port(), dead: dead.clone(), opened: opened.clone() };
        let target = server.port;
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let number = opened.fetch_add(1, SeqCst);
                let dead = dead.clone();
                tokio::spawn(async move {
                    let (mut near, far) = (near, tokio::net::TcpStream::connect(("127.0.0.1", target)).await);
                    let Ok(mut far) = far else { return };
                    let (mut there, mut back) = ([0; 4096], [0; 4096]);
                    while dead.load(SeqCst) != usize::MAX {
                        // What comes on a dead line is read and forgotten: nobody is told.
                        let alive = || dead.load(SeqCst) <= number;
                        let told = tokio::select! {
                            n = near.read(&mut there) => match n {
                                Ok(n) if n > 0 => !alive() || far.write_all(&there[..n]).await.is_ok(),
                                _ => false,
                            },
                            n = far.read(&mut back) => match n {
                                Ok(n) if n > 0 => !alive() || near.write_all(&back[..n]).await.is_ok(),
                                _ => false,
                            },
                            () = tokio::time::sleep(Duration::from_millis(20)) => true,
                        };
                        if !told {
                            return;
                        }
                    }
                });
            }
        });
        Ok(wire)
    }

    /// An address of the server by this line.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Whatever was opened until now goes dead without a word.
    pub fn go_dead(&self) {
        self.dead.store(self.opened.load(SeqCst), SeqCst);
    }

    /// New lines are dead from the beginning, too: whoever opens one waits in vain.
    pub fn hang(&self) {
        self.dead.store(usize::MAX - 1, SeqCst);
    }

    /// Ends all lines, and each new one at once.
    pub fn cut(&self) {
        self.dead.store(usize::MAX, SeqCst);
    }

    /// New lines work again.
    pub fn mend(&self) {
        self.go_dead();
    }
}

/// A port that nobody listens on.
///
/// # Errors
/// If there is none.
pub fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A browser with a fresh profile. It is closed when this is dropped.
pub struct Browser {
    /// What steers it.
    pub page: ManuallyDrop<WebDriver>,
    port: u16,
    _driver: Child,
    _profile: TempDir,
}

/// What kind of screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// 1280 by 720, as a small laptop's.
    Desktop,
    /// 390 by 844, as a phone's.
    Phone,
    /// 844 by 390, as a phone's that lies on its side.
    PhoneOnItsSide,
}

impl Screen {
    /// What a page has of it, width and height in pixels.
    fn size(self) -> (u32, u32) {
        match self {
            Screen::Desktop => (1280, 720),
            Screen::Phone => (390, 844),
            Screen::PhoneOnItsSide => (844, 390),
        }
    }
}

/// Starts a ChromeDriver: it, its port, and what it says.
async fn driver() -> Result<(Child, u16, Lines<BufReader<ChildStdout>>)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start chromedriver")?;
    let mut lines = BufReader::new(driver.stdout.take().context("it was asked for")?).lines();
    let mut said = String::new();
    loop {
        let Some(line) = tokio::time::timeout(PATIENCE, lines.next_line()).await?? else {
            bail!("chromedriver ended at once: {said}");
        };
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return Ok((driver, port.trim_end_matches('.').parse()?, lines));
        }
        said = format!("{said}\n{line}");
    }
}

impl Browser {
    /// Opens one, with more `flags`.
    ///
    /// # Errors
    /// If Chromium or ChromeDriver is missing or does not start.
    pub async fn open(screen: Screen, flags: &[&str]) -> Result<Browser> {
        // The port that it finds may be another's on the other kind of address: then it ends, and is started once more.
        let (driver, port, mut lines) = match driver().await {
            Ok(driver) => driver,
            Err(_) => driver().await?,
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });

        let profile = tempfile::tempdir()?;
        let mut capabilities = DesiredCapabilities::chrome();
        if let Some(binary) = chromium() {
            capabilities.set_binary(&binary.to_string_lossy())?;
        }
        let profile_flag = format!("--user-data-dir={}", profile.path().display());
        let always = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-proxy-server",
            // Tests read English, wherever they run.
            "--accept-lang=en-US",
            &profile_flag,
        ];
        for flag in always.iter().chain(flags) {
            capabilities.add_arg(flag)?;
        }
        capabilities.set("goog:loggingPrefs".to_owned(), serde_json::json!({ "browser": "ALL" }))?;
        let page = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await?;
        // Of a window its frame takes some, and none is narrower than 500 pixels: the page itself is told its size.
        let (width, height) = screen.size();
        let browser = Browser { page: ManuallyDrop::new(page), port, _driver: driver, _profile: profile };
        browser.size(width, height, screen != Screen::Desktop).await?;
        Ok(browser)
    }

    /// Makes the page so wide and high, in pixels of CSS, and what it is touched with a finger or a mouse.
    ///
    /// # Errors
    /// If the browser is gone.
    pub async fn resize(&self, width: u32, height: u32, touched: bool) -> Result<()> {
        self.size(width, height, touched).await?;
        let touch = serde_json::json!({ "enabled": touched, "maxTouchPoints": 1 });
        self.page.cdp().send_raw("Emulation.setTouchEmulationEnabled", touch).await?;
        Ok(())
    }

    async fn size(&self, width: u32, height: u32, mobile: bool) -> Result<()> {
        let size =
            serde_json::json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.page.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await?;
        Ok(())
    }

    /// The element with this `data-testid`, once it is there.
    ///
    /// # Errors
    /// If it does not come.
    pub async fn find(&self, id: &str) -> Result<WebElement> {
        self.css(&test_id(id)).await
    }

    /// The first element that fits a CSS selector and is shown, once there is one.
    ///
    /// # Errors
    /// If it does not come.
    pub async fn css(&self, selector: &str) -> Result<WebElement> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // A dialog that is closed may hold one, too.
            for element in self.page.find_all(By::Css(selector)).await? {
                if element.is_displayed().await.unwrap_or(false) {
                    return Ok(element);
                }
            }
            if Instant::now() > deadline {
                bail!(
                    "{selector} did not show within {PATIENCE:?} at {}\n{}",
                    self.page.current_url().await?,
                    self.text().await?
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// How many elements fit a CSS selector now.
    ///
    /// # Errors
    /// If the browser is gone.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.page.find_all(By::Css(selector)).await?.len())
    }

    /// Clicks the element with this `data-testid`.
    ///
    /// # Errors
    /// If it does not come, or cannot be clicked.
    pub async fn click(&self, id: &str) -> Result<()> {
        let element = self.find(id).await?;
        // In the middle nothing that sticks to an edge lies over it.
        let middle = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.page.execute(middle, vec![element.to_json()?]).await?;
        Ok(element.click().await?)
    }

    /// Waits until all parts of the page are made (`web::soon`).
    ///
    /// # Errors
    /// If one is not.
    pub async fn made(&self) -> Result<()> {
        self.until("the whole page", "return !document.querySelector('#boot, .soon, .waits:empty')").await
    }

    /// Presses keys one after another, wherever the keyboard is.
    ///
    /// # Errors
    /// If the browser is gone.
    pub async fn keys(&self, keys: impl Into<TypingData>) -> Result<()> {
        Ok(self.page.action_chain().send_keys(keys).perform().await?)
    }

    /// Types into the field with this `data-testid`, in place of what was there.
    ///
    /// # Errors
    /// If it does not come.
    pub async fn fill(&self, id: &str, text: &str) -> Result<()> {
        let field = self.find(id).await?;
        field.clear().await?;
        Ok(field.send_keys(text).await?)
    }

    /// The answer of a piece of JavaScript (`return ...`).
    ///
    /// # Errors
    /// If it throws, or answers something else.
    pub async fn run<T: serde::de::DeserializeOwned>(&self, script: &str) -> Result<T> {
        let answer = self.page.execute(script, vec![]).await?;
        Ok(serde_json::from_value(answer.json().clone())?)
    }

    /// Waits until a piece of JavaScript answers true.
    ///
    /// # Errors
    /// If it does not in time.
    pub async fn until(&self, what: &str, script: &str) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !self.run::<bool>(script).await? {
            if Instant::now() > deadline {
                bail!("not within {PATIENCE:?}: {what}\n{}", self.text().await?);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// All text on the page.
    ///
    /// # Errors
    /// If the browser is gone.
    pub async fn text(&self) -> Result<String> {
        self.run("return document.body.innerText").await
    }

    /// Writes a picture of the page to target/shots.
    ///
    /// # Errors
    /// If it cannot be written.
    pub async fn shot(&self, name: &str) -> Result<()> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/shots");
        std::fs::create_dir_all(&folder)?;
        Ok(self.page.screenshot(&folder.join(format!("{name}.png"))).await?)
    }
}

impl Drop for Browser {
    /// Ends the session before the driver is killed: else Chromium would be left behind. The library's own way waits for
    /// its runtime, which a test that is over no longer turns.
    fn drop(&mut self) {
        let request = format!(
            "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.page.handle().session_id(),
            self.port
        );
        let ended = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request.as_bytes())?;
            stream.read(&mut [0; 512])
        });
        if let Err(error) = ended {
            eprintln!("a browser could not be closed: {error}");
        }
    }
}

/// The selector of a `data-testid`.
#[must_use]
pub fn test_id(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}
