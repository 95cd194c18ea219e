//! What a page is to who listens to it: a virtual screen reader goes from item to item, says each, and presses what it stands on.
//! It is `@guidepup/virtual-screen-reader`, which follows what the W3C asks of readers; a real one sounds a little different.

use crate::Browser;
use anyhow::{Context, Result, bail};

/// Goes round the page: from its beginning to its end, and on to where something is.
const STEPS: &str = r#"
window.listening ??= {
    // More items than any page has; one that has more says that it goes on.
    most: 3000,
    async next() {
        await listener.next();
        return listener.lastSpokenPhrase();
    },
    async all() {
        const said = [];
        for (let n = 0; n < this.most && await this.next() !== 'document'; n++);
        for (let n = 0; n < this.most; n++) {
            const phrase = await this.next();
            if (phrase === 'end of document' || phrase === 'document') return said;
            said.push(phrase);
        }
        throw Error('the page does not end');
    },
    async press(wanted) {
        for (let n = 0; n < this.most; n++) {
            if ((await this.next()).startsWith(wanted)) {
                await listener.act();
                return true;
            }
        }
        return false;
    },
    async announced() {
        return (await listener.spokenPhraseLog()).filter(said => /^(polite|assertive): /.test(said));
    },
};
"#;

/// Somebody who only hears the page.
pub struct Listener<'a> {
    browser: &'a Browser,
}

impl Listener<'_> {
    /// Listens to the page from now on, until it is left; none if there is no reader.
    ///
    /// # Errors
    /// If it does not begin.
    pub async fn to(browser: &Browser) -> Result<Option<Listener<'_>>> {
        let Some(file) = std::env::var_os("PARLOUR_READER") else { return Ok(None) };
        let source = tokio::fs::read_to_string(file).await?;
        // It is a module, and comes without one: a page lets in only its own.
        let (before, exports) = source.rsplit_once("export{").context("the reader exports nothing")?;
        let exports = exports.split_once("};").context("its exports end")?.0;
        let name = exports.split(',').find_map(|pair| pair.strip_suffix(" as virtual"));
        let name = name.context("it exports no reader")?;
        browser.page.execute(format!("{before}\nwindow.listener = {name};"), vec![]).await?;
        browser.page.execute(STEPS, vec![]).await?;
        let listener = Listener { browser };
        listener.run::<()>("listener.start({ container: document.body })").await?;
        Ok(Some(listener))
    }

    /// What a promise comes to.
    async fn run<T: serde::de::DeserializeOwned>(&self, promise: &str) -> Result<T> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
            (async () => {promise})().then(value => done({{ value: value ?? null }}), why => done({{ why: String(why) }}))"
        );
        let answer = self.browser.page.execute_async(script, vec![]).await?;
        match answer.json().get("why") {
            Some(why) => bail!("the reader: {why}"),
            None => Ok(serde_json::from_value(answer.json()["value"].clone())?),
        }
    }

    /// What it says of the page, from the beginning to the end.
    ///
    /// # Errors
    /// If the page is gone.
    pub async fn all(&self) -> Result<Vec<String>> {
        self.run("listening.all()").await
    }

    /// Goes on until it says something that begins so, and presses that; tells whether it came to it.
    ///
    /// # Errors
    /// If the page is gone.
    pub async fn press(&self, said: &str) -> Result<bool> {
        self.run(&format!("listening.press({})", serde_json::to_string(said)?)).await
    }

    /// What the page said of itself since it listens, without being asked.
    ///
    /// # Errors
    /// If the page is gone.
    pub async fn announced(&self) -> Result<Vec<String>> {
        self.run("listening.announced()").await
    }
}
