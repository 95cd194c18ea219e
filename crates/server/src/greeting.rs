//! What a page says before its program is there: its heading and what it is about, in the first bytes that come. So whoever follows a
//! link over a slow line reads at once where it leads, and so does a messenger that shows what is behind a link.
//!
//! The words are those that the program itself says there: they stand in its language files, which lie beside it. Rules are written out as
//! they are there, in English; in another language the app alone says them.

use crate::App;
use crate::api;
use crate::assets::weighted;
use axum::http::{HeaderMap, header};
use rulebook::markdown::{self, escape};
use rulebook::{Family, Info};
use std::cmp::Reverse;
use wire::route::Route;

/// Where a page of the app says that its program is on its way (crates/web/static/page.html).
const BOOT: &str = "<div id=\"boot\" class=\"boot\" role=\"status\">Parlour …</div>";
/// What the page is called, and what is said of it, where there is nothing better.
const TITLE: &str = "<title>Parlour</title>";
const ABOUT: &str = "content=\"A card parlour: pattern cards and Contract Rummy, with friends and bots.\"";
/// How a page asks for its program and the parts of it, and how it does where that waits.
const AHEAD: &str = "<link rel=\"preload\" as=\"fetch\" type=\"application/wasm\"";
const AFTERWARDS: &str = "<link media=\"not all\"";
/// The program waits until the greeting is seen, or a quarter of a second after the page was asked for: where all comes at once it would be
/// in the way, and over a slow line, which takes longer for the page alone, nothing waits. Neither does who comes from another page of the
/// app or keeps it, where the program is at hand. What starts it waits, too (crates/web/src/start.js).
const SEEN: &str = "globalThis.seen=new Promise(done=>{\
    const left=250-performance.now(),here=navigator.serviceWorker?.controller||document.referrer.startsWith(location.origin);\
    if(here||document.hidden||left<0)return done();\
    new PerformanceObserver(done).observe({type:'paint',buffered:true});setTimeout(done,left)\
    }).then(()=>{for(const link of document.querySelectorAll('link[rel=preload][media]'))link.removeAttribute('media')})";
/// How a table is drawn.
const MATCH: &str = "match";
/// The program that says all that is said of games, and the one that has what is read.
const GAMES: &str = "lobby";
const READ: &str = "library";
/// Languages that are looked at, of those that a browser asks for.
const MOST_LANGUAGES: usize = 20;

/// What stands there.
pub(crate) struct Greeting {
    /// What the page is called, and what is said of it.
    title: String,
    lead: String,
    /// What stands there, as HTML.
    body: String,
    language: String,
    /// How it is drawn: as the page that comes, so that little moves then (crates/web/static/style.css).
    class: &'static str,
    /// Whom it greets by name, which the program of the page reads there (`web::api::provide`).
    name: Option<String>,
}

impl Greeting {
    /// What the page of a route says; none where there is nothing to be said yet.
    pub(crate) async fn of(app: &App, route: &Route, headers: &HeaderMap) -> Option<Greeting> {
        match route {
            Route::Table(id) => {
                let table = app.tables.summary(id)?;
                // Where nobody else can come, the match begins with whoever is waited for.
                let class = if table.has_room() { "page narrow gathering" } else { MATCH };
                // What people call their own game says nothing of what it is based on.
                if table.say.is_none() {
                    return Some(Greeting::new(table.title, String::new(), language(app, headers), class));
                }
                Greeting::of_game(app, headers, table.preset, class).await
            }
            Route::Demo(id, _) => Greeting::of_game(app, headers, id.clone(), MATCH).await,
            Route::Rules => Greeting::of_rules(app, headers).await,
            Route::RuleSheet(id) => Greeting::of_sheet(app, headers, id).await,
            Route::Rulebook(family) => Greeting::of_rulebook(app, headers, family),
            Route::New(id) => Greeting::of_new(app, headers, id).await,
            _ => {
                if let (Route::Lobby, Some(person)) = (route, app.tables.person(app.key.guest(headers)).ok()?)
                {
                    return Greeting::of_guest(app, headers, person.name);
                }
                let Page { program, title, lead, begins, class } = page(route)?;
                let language = language(app, headers);
                let said = app.assets.said(program, &language)?;
                let lead = if lead.is_empty() { String::new() } else { said(lead)? };
                let greeting = Greeting::new(said(title)?, lead, language, class);
                if begins.is_empty() {
                    return Some(greeting);
                }
                let body = filled(begins, &|key| said(key).as_deref().map(escape))?;
                Some(Greeting { body, ..greeting })
            }
        }
    }

    /// The lobby greets by name whom it knows. None where the page is not opened but fetched by a program, as one that is kept for want of
    /// a network is: it would greet whoever opens it then.
    fn of_guest(app: &App, headers: &HeaderMap, name: String) -> Option<Greeting> {
        headers.get("sec-fetch-dest").filter(|what| *what == "document")?;
        let Page { program, title: welcome, lead, begins, class } = page(&Route::Lobby)?;
        let language = language(app, headers);
        let said = app.assets.said(program, &language)?;
        let hello = words::fill(&said("lobby.hello")?, &[("name", name.clone())], |_| 0);
        let text = |key: &str| if key == welcome { Some(hello.clone()) } else { said(key) };
        let body = filled(begins, &|key| text(key).as_deref().map(escape))?;
        let greeting = Greeting::new(said("nav.lobby")?, said(lead)?, language, class);
        Some(Greeting { body, name: Some(name), ..greeting })
    }

    /// What is said of a built-in game; none if there is no such game.
    async fn of_game(app: &App, headers: &HeaderMap, id: String, class: &'static str) -> Option<Greeting> {
        let info = api::info(id).await?;
        let language = language(app, headers);
        let [title, lead] = game(info, &app.assets.said(GAMES, &language)?);
        Some(Greeting::new(title, lead, language, class))
    }

    /// A game that is to be opened.
    async fn of_new(app: &App, headers: &HeaderMap, id: &str) -> Option<Greeting> {
        let info = api::info(id.to_owned()).await?;
        let language = language(app, headers);
        let said = app.assets.said(GAMES, &language)?;
        let [title, lead] = game(info, &said);
        let begins = "<p class=\"crumbs\"><a href=\"/\">{nav.lobby}</a></p><h1>{title}</h1><p>{lead} <a href=\"{path}\">{game.rules}</a></p>";
        let path = Route::RuleSheet(id.to_owned()).path();
        let body = filled(begins, &|key| {
            Some(escape(&match key {
                "title" => title.clone(),
                "lead" => lead.clone(),
                "path" => path.clone(),
                key => said(key)?,
            }))
        })?;
        Some(Greeting { body, ..Greeting::new(title, lead, language, "page narrow") })
    }

    /// The games to read about, each with its rules behind it.
    async fn of_rules(app: &App, headers: &HeaderMap) -> Option<Greeting> {
        let infos = api::infos().await;
        let language = language(app, headers);
        let (said, said_of) = (app.assets.said(READ, &language)?, app.assets.said(GAMES, &language)?);
        let text = |key: &str| said(key).as_deref().map(escape);
        let (title, lead) = (said("rules.title")?, said("house.invite")?);
        let begins = "<h1>{rules.title}</h1><p><a class=\"button\" href=\"/house\">{house.title}</a> {house.invite}</p>";
        let mut body = filled(begins, &text)?;
        for family in [Family::Pattern, Family::Contract] {
            body +=
                &format!("<h2>{}</h2><ul class=\"plain-list\">", text(&format!("family.{}", family.name()))?);
            for info in infos.iter().filter(|info| info.family == family) {
                let path = Route::RuleSheet(info.id.clone()).path();
                let [name, summary] = game(info.clone(), &said_of).map(|text| escape(&text));
                body +=
                    &format!("<li><a href=\"{path}\">{name}</a><span class=\"quiet\"> {summary}</span></li>");
            }
            body += "</ul>";
        }
        Some(Greeting { body, ..Greeting::new(title, lead, language, "page narrow prose") })
    }

    /// The rules of a built-in game: in full where they are wanted in English.
    async fn of_sheet(app: &App, headers: &HeaderMap, id: &str) -> Option<Greeting> {
        let greeting = Greeting::of_game(app, headers, id.to_owned(), "page narrow prose").await?;
        let rules = if greeting.language == words::SOURCE {
            api::page_of(id.to_owned()).await?
        } else {
            &*greeting.body
        };
        let body = below(app, &greeting.language, "sheet", rules)?;
        Some(Greeting { body, ..greeting })
    }

    /// The rulebook of a family, which is in English: what stands before its first section.
    fn of_rulebook(app: &App, headers: &HeaderMap, family: &str) -> Option<Greeting> {
        let text = app.assets.text(&format!("rulebook/{family}.md"))?;
        let begins = text.split_once("\n## ").map_or(&*text, |(begins, _)| begins);
        let title = begins.lines().next()?.trim_start_matches("# ").to_owned();
        let language = language(app, headers);
        let body = below(app, &language, "sheet book", &markdown::book(begins))?;
        Some(Greeting { body, ..Greeting::new(title, String::new(), language, "page narrow prose") })
    }

    /// A heading, and what is said below it.
    fn new(title: String, lead: String, language: String, class: &'static str) -> Greeting {
        let about =
            if lead.is_empty() { String::new() } else { format!("<p dir=\"auto\">{}</p>", escape(&lead)) };
        let body = format!("<h1 dir=\"auto\">{}</h1>{about}", escape(&title));
        Greeting { title, lead, body, language, class, name: None }
    }

    /// Whether it is for one person alone.
    pub(crate) fn is_personal(&self) -> bool {
        self.name.is_some()
    }

    /// The page with it.
    pub(crate) fn put_into(&self, page: &str) -> String {
        let [title, lead] = [&self.title, &self.lead].map(|text| escape(text));
        let guest =
            self.name.as_ref().map(|name| format!("<meta name=\"guest\" content=\"{}\">", escape(name)));
        let boot = format!(
            "<div id=\"boot\" class=\"boot {}\" role=\"status\" lang=\"{}\">{}</div>",
            self.class, self.language, self.body
        );
        let page = waiting(page);
        let head = format!("{}<title>{title} · Parlour</title>", guest.unwrap_or_default());
        let page = page.replacen(TITLE, &head, 1).replacen(BOOT, &boot, 1);
        if lead.is_empty() { page } else { page.replacen(ABOUT, &format!("content=\"{lead}\""), 1) }
    }
}

/// A page whose program waits: all that asks for it stands before what the page is drawn with, since scripts wait for that.
fn waiting(page: &str) -> String {
    let (asks, others): (Vec<&str>, Vec<&str>) =
        page.split_inclusive('\n').partition(|line| line.trim_start().starts_with(AHEAD));
    if asks.is_empty() {
        return page.to_owned();
    }
    let asks = asks.concat().replace("<link", AFTERWARDS);
    let place = others.iter().position(|line| line.contains("rel=\"stylesheet\"")).unwrap_or(others.len());
    let (before, after) = others.split_at(place);
    format!("{}{asks}    <script>{SEEN}</script>\n{}", before.concat(), after.concat())
}

/// The way back to all rules, with a key in braces.
macro_rules! to_rules {
    () => {
        "<p class=\"crumbs\"><a href=\"/rules\">{nav.rules}</a></p>"
    };
}

/// Rules below the way back to all of them.
fn below(app: &App, language: &str, class: &str, rules: &str) -> Option<String> {
    let said = app.assets.said(READ, language)?;
    let back = filled(to_rules!(), &|key| said(key).as_deref().map(escape))?;
    Some(format!("{back}<div class=\"{class}\">{rules}</div>"))
}

/// How the advice for a family begins, whose first part has this name.
macro_rules! advice {
    ($family:literal, $first:literal) => {
        (
            READ,
            concat!("strategy.", $family),
            concat!("strategy.lead_", $family),
            concat!(
                to_rules!(),
                "<h1>{strategy.",
                $family,
                "}</h1><p>{strategy.lead_",
                $family,
                "} ",
                "<a href=\"/about#people\">{strategy.sources}</a></p>",
                "<section class=\"panel learn\"><h2>{strategy.",
                $first,
                ".title}</h2><p>{strategy.",
                $first,
                ".text}</p></section>",
            ),
            "page narrow prose",
        )
    };
}

/// What a page begins with, whatever happens.
struct Page {
    /// The program that has its words.
    program: &'static str,
    /// The keys of what it is called and of what is said of it, if anything is.
    title: &'static str,
    lead: &'static str,
    /// How it begins, where these are not all: HTML with keys in braces.
    begins: &'static str,
    class: &'static str,
}

fn page(route: &Route) -> Option<Page> {
    let (program, title, lead, begins, class) = match route {
        Route::Lobby => (
            GAMES,
            "lobby.welcome",
            "lobby.lead",
            "<h1>{lobby.welcome}</h1><p class=\"lead\">{lobby.lead}</p>",
            "page lobby",
        ),
        Route::Games => (GAMES, "nav.games", "", "", "page narrow"),
        Route::Settings => (GAMES, "nav.settings", "settings.lead", "", "page narrow"),
        Route::Today => (GAMES, "today.title", "today.once", "", "page narrow"),
        // Where one is, which nobody is yet, has its room.
        Route::Learn => (
            READ,
            "learn.title",
            "learn.features",
            "<h1>{learn.title}</h1><progress max=\"1\" value=\"0\" aria-label=\"{learn.title}\"></progress>\
             <p class=\"quiet\">&nbsp;</p><h2>{learn.features}</h2>",
            "page narrow learn",
        ),
        Route::Odds => (READ, "odds.title", "odds.lead", "", "page narrow"),
        Route::House(_) => (
            READ,
            "house.title",
            "house.lead",
            concat!(to_rules!(), "<h1>{house.title}</h1><p>{house.lead}</p>"),
            "page",
        ),
        Route::Solve(_) => (READ, "solve.title", "solve.lead", "", "page"),
        Route::Practice => (READ, "practice.title", "practice.lead", "", "page narrow learn practice"),
        Route::Maths => (
            READ,
            "maths.title",
            "maths.points",
            "<h1>{maths.title}</h1><p>{maths.points}</p><p>{maths.lines}</p>",
            "page prose maths",
        ),
        Route::About => (
            READ,
            "about.title",
            "about.what",
            "<h1>{about.title}</h1><p>{about.what}</p><p>{about.free}</p><h2>{about.fair_title}</h2><p>{about.fair}</p>\
             <h2>{about.privacy_title}</h2><p>{about.privacy}</p>",
            "page narrow prose",
        ),
        Route::Strategy(family) if family == Family::Pattern.name() => advice!("pattern", "third"),
        Route::Strategy(_) => advice!("contract", "near"),
        _ => return None,
    };
    Some(Page { program, title, lead, begins, class })
}

/// A text with what stands for the keys in its braces; none where one of them is not said.
fn filled(text: &str, said: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut parts = text.split('{');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let (key, rest) = part.split_once('}')?;
        out += &said(key)?;
        out += rest;
    }
    Some(out)
}

/// The name of a game and what it is, as these words say it; in English both stand in its rules.
fn game(info: Info, said: &impl Fn(&str) -> Option<String>) -> [String; 2] {
    let Info { id, name, summary, .. } = info;
    let said = |part: &str, or: String| said(&format!("preset.{id}.{part}")).unwrap_or(or);
    [said("name", name), said("summary", summary)]
}

/// The language that somebody asks for first, of those that there are.
fn language(app: &App, headers: &HeaderMap) -> String {
    let mut asked = asked(headers).into_iter();
    asked.find(|language| app.assets.speaks(READ, language)).unwrap_or_else(|| words::SOURCE.to_owned())
}

/// The languages that a browser asks for, the dearest first: of `de-AT` `de`.
fn asked(headers: &HeaderMap) -> Vec<String> {
    let mut asked: Vec<(u16, String)> = Vec::new();
    for (tag, weight) in weighted(headers, header::ACCEPT_LANGUAGE).take(MOST_LANGUAGES) {
        let language = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let is_code = language.len() == 2 && language.bytes().all(|letter| letter.is_ascii_lowercase());
        if let Some(weight) = weight.filter(|weight| is_code && (0.001..=1.0).contains(weight)) {
            asked.push(((weight * 1_000.0) as u16, language));
        }
    }
    asked.sort_by_key(|&(weight, _)| Reverse(weight));
    asked.into_iter().map(|(_, language)| language).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use sha2::{Digest as _, Sha256};

    fn greeting(title: &str, lead: &str) -> Greeting {
        Greeting::new(title.to_owned(), lead.to_owned(), "de".to_owned(), "page")
    }

    const PAGE: &str = include_str!("../../web/static/page.html");

    #[test]
    fn the_page_has_the_places_where_it_is_said() {
        for place in [BOOT, TITLE, ABOUT, AHEAD] {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
        }
        let page = greeting("Chancen", "Wie oft?").put_into(PAGE);
        let boot = "<div id=\"boot\" class=\"boot page\" role=\"status\" lang=\"de\"><h1 dir=\"auto\">Chancen</h1>\
                    <p dir=\"auto\">Wie oft?</p></div>";
        let seen = format!("<script>{SEEN}</script>");
        for place in [AFTERWARDS, &seen, boot, "<title>Chancen · Parlour</title>", "content=\"Wie oft?\""] {
            assert_eq!(page.matches(place).count(), 1, "{place} in {page}");
        }
        let nameless = greeting("Chancen", "").put_into(PAGE);
        assert!(nameless.contains(ABOUT) && !nameless.contains("<p dir"), "{nameless}");
    }

    #[test]
    fn all_that_a_page_asks_for_waits_and_browsers_let_its_script_pass() {
        let part = format!("    {AHEAD} crossorigin href=\"/part.wasm\">\n");
        let page = waiting(&PAGE.replace("  </head>", &format!("{part}  </head>")));
        assert_eq!(page.matches(AFTERWARDS).count(), 2, "{page}");
        let at = |what: &str| page.find(what).expect(what);
        assert!(at("/part.wasm") < at("<script>") && at("<script>") < at("rel=\"stylesheet\""), "{page}");
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SEEN));
        let mut response = axum::response::Response::default();
        crate::guard::warn_browsers(&mut response);
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("a policy");
        assert!(policy.contains(&format!("script-src 'self' 'sha256-{hash}' ")), "{hash} in {policy}");
    }

    #[test]
    fn what_people_call_their_game_is_only_text() {
        let page = greeting("<script>alert('1')</script>", "\"><img src=x> & more").put_into(PAGE);
        assert!(
            !page.contains("<script>alert") && !page.contains("<img") && !page.contains("content=\"\">"),
            "{page}"
        );
        assert!(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; · Parlour</title>"), "{page}");
    }

    #[test]
    fn what_is_said_is_said_in_every_language_and_needs_nothing_put_in() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/lang");
        let languages = words::read_folder(&folder).expect("the language files");
        let mut greeted = 0;
        for path in [
            "/",
            "/about",
            "/games",
            "/house",
            "/house/x",
            "/maths",
            "/odds",
            "/practice",
            "/solve",
            "/solve/may-i",
            "/strategy/contract",
            "/strategy/pattern",
        ] {
            let route = Route::from_path(path);
            let Page { program, title, lead, begins, .. } = page(&route).expect(path);
            for language in &languages {
                let said = |key: &str| {
                    assert!(words::is_said_by(program, key), "{key} of {path}");
                    language
                        .get(key)
                        .filter(|said| !said.is_empty() && !said.contains('{'))
                        .map(str::to_owned)
                };
                let body = filled(begins, &said).expect(path);
                for said in [title, lead].into_iter().filter(|key| !key.is_empty()).map(said) {
                    let said = said.expect(path);
                    assert!(begins.is_empty() || body.contains(&said), "{said} of {path}");
                    greeted += 1;
                }
            }
        }
        assert!(greeted >= 88, "{greeted} sentences");
    }

    #[test]
    fn languages_come_as_they_are_wanted() {
        let check = |header: &str, wanted: &[&str]| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, header.parse().expect("a header"));
            assert_eq!(asked(&headers), wanted, "{header}");
        };
        check("de-AT,de;q=0.9,en;q=0.8", &["de", "de", "en"]);
        check("en;q=0.1, fr", &["fr", "en"]);
        check("*, es;q=0, ../x, zh-Hant;q=2, de;q=x, EN", &["en"]);
        check("", &[]);
        check(&"de,".repeat(500), &["de"; MOST_LANGUAGES]);
    }
}
