//! The web app: embedded in the program, or, for those who work on it, read from a folder.

use crate::App;
use crate::greeting::Greeting;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::{Compression, write::GzEncoder};
use rulebook::Family;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use wire::route::{self, Part, Program, Route};

/// A file of the app, as build.rs finds it.
struct Embedded {
    path: &'static str,
    hash: &'static str,
    plain: &'static [u8],
    br: Option<&'static [u8]>,
    gz: Option<&'static [u8]>,
}

/// In order of `path`.
static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file in the encoding that was chosen for one client.
struct Found {
    body: Cow<'static, [u8]>,
    encoding: Option<&'static str>,
    etag: String,
}

/// Where the app comes from.
#[derive(Clone, Debug)]
pub enum Assets {
    /// From the program itself.
    Embedded,
    /// From a folder made by `cargo xtask build-web`, read anew for each request.
    Folder(PathBuf),
}

impl Assets {
    fn find(&self, path: &str, accepts: &Accepts) -> Option<Found> {
        match self {
            Assets::Embedded => {
                let file = &EMBEDDED[EMBEDDED.binary_search_by(|file| file.path.cmp(path)).ok()?];
                let (body, encoding) = match (file.br, file.gz) {
                    (Some(br), _) if accepts.br => (br, Some("br")),
                    (_, Some(gz)) if accepts.gzip => (gz, Some("gzip")),
                    _ => (file.plain, None),
                };
                Some(Found { body: body.into(), encoding, etag: etag(file.hash, encoding) })
            }
            Assets::Folder(folder) => {
                let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
                let body = inside.then(|| std::fs::read(folder.join(path)).ok())??;
                let etag = etag(&hash_of(&body), None);
                Some(Found { body: body.into(), encoding: None, etag })
            }
        }
    }

    /// The file of what a program says in a language, by its name in `assets/`.
    fn words(&self, program: &str, language: &str) -> Option<Cow<'static, [u8]>> {
        let begins = format!("{program}.{language}-");
        let is_it = |name: &str| name.starts_with(&begins) && name.ends_with(".txt");
        match self {
            Assets::Embedded => {
                let begins = format!("assets/{begins}");
                let at = EMBEDDED.partition_point(|file| *file.path < *begins);
                let file =
                    EMBEDDED.get(at).filter(|file| file.path.strip_prefix("assets/").is_some_and(is_it))?;
                Some(file.plain.into())
            }
            Assets::Folder(folder) => {
                let files = std::fs::read_dir(folder.join("assets")).ok()?.flatten();
                let file = files.into_iter().find(|file| file.file_name().to_str().is_some_and(is_it))?;
                Some(std::fs::read(file.path()).ok()?.into())
            }
        }
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let file = self.find(path, &Accepts::default())?;
        String::from_utf8(file.body.into()).ok()
    }

    /// Whether a program has its words in a language.
    pub(crate) fn speaks(&self, program: &str, language: &str) -> bool {
        self.words(program, language).is_some()
    }

    /// What a program says in a language, by key; none where it has not that language.
    pub(crate) fn said(
        &self,
        program: &str,
        language: &str,
    ) -> Option<impl Fn(&str) -> Option<String> + use<>> {
        let file = self.words(program, language)?;
        let lines = std::str::from_utf8(&file).ok()?.lines().filter_map(words::line);
        let said: HashMap<u32, String> = lines.map(|(number, said)| (number, said.to_owned())).collect();
        Some(move |key: &str| said.get(&words::id(key)).cloned())
    }
}

fn hash_of(body: &[u8]) -> String {
    let mut hash = DefaultHasher::new();
    hash.write(body);
    format!("{:016x}", hash.finish())
}

/// A page with what it says before its program is there, as a client can read it.
fn greeted(page: &Found, greeting: &Greeting, accepts: &Accepts) -> Option<Found> {
    let body = greeting.put_into(std::str::from_utf8(&page.body).ok()?).into_bytes();
    let hash = hash_of(&body);
    if !accepts.gzip {
        return Some(Found { body: body.into(), encoding: None, etag: etag(&hash, None) });
    }
    Some(Found { body: gzip(&body)?.into(), encoding: Some("gzip"), etag: etag(&hash, Some("gzip")) })
}

/// The same bytes, compressed as well as gzip can.
pub(crate) fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(plain).and_then(|()| gzip.finish()).ok()
}

/// What a header of a request lists, as it stands there, with the weight of each: 1 where none is said, none where it is no number.
pub(crate) fn weighted(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, Option<f32>)> {
    let lists = headers.get_all(name).into_iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.parse().ok());
        (name.trim(), weight)
    })
}

fn etag(hash: &str, encoding: Option<&str>) -> String {
    format!("\"{hash}{}\"", encoding.map(|e| format!("-{e}")).unwrap_or_default())
}

/// The encodings that a client understands.
#[derive(Default)]
pub(crate) struct Accepts {
    br: bool,
    pub(crate) gzip: bool,
}

impl Accepts {
    pub(crate) fn of(headers: &HeaderMap) -> Accepts {
        let mut accepts = Accepts::default();
        for (name, weight) in weighted(headers, header::ACCEPT_ENCODING) {
            let refused = weight == Some(0.0);
            match name {
                "br" => accepts.br = !refused,
                "gzip" => accepts.gzip = !refused,
                _ => {}
            }
        }
        accepts
    }
}

/// Sends a file of the app. Addresses of pages, which have no file, get the page of the program that shows them.
pub async fn serve(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
            "There is nothing to send here.\n",
        )
            .into_response();
    }
    let accepts = Accepts::of(&headers);
    let path = uri.path().trim_start_matches('/');
    let is_page = !path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let (path, greeting): (Cow<'_, str>, _) = if is_page {
        let route = Route::from_path(uri.path());
        (page(&app, &route).await.into(), Greeting::of(&app, &route, &headers).await)
    } else {
        (path.into(), None)
    };
    let is_personal = greeting.as_ref().is_some_and(Greeting::is_personal);
    let found = greeting
        .and_then(|greeting| greeted(&app.assets.find(&path, &Accepts::default())?, &greeting, &accepts))
        .or_else(|| app.assets.find(&path, &accepts));
    let Some(found) = found else {
        return if is_page {
            (
                StatusCode::NOT_FOUND,
                "This build of Parlour has no web app in it: build it with `cargo xtask serve`.\n",
            )
                .into_response()
        } else {
            (StatusCode::NOT_FOUND, "There is no such file.\n").into_response()
        };
    };

    let cache = match &*path {
        _ if path.starts_with("assets/") => "public, max-age=31536000, immutable",
        // A page that somebody is about to open need not be asked for again when they do: in the lobby that is after eight seconds at most.
        _ if is_page && is_prefetch(&headers) => "private, max-age=15",
        _ if is_personal => "private, no-cache",
        _ => "no-cache",
    };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok());
    let unchanged = known
        .is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == found.etag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(found.body))
    };
    let headers = response.headers_mut();
    if let (false, Some(encoding)) = (unchanged, found.encoding) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(&path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    let vary = if is_page { "accept-encoding, accept-language" } else { "accept-encoding" };
    headers.insert(header::VARY, HeaderValue::from_static(vary));
    headers.insert(header::ETAG, found.etag.parse().expect("hexadecimal digits"));
    response
}

/// Whether a browser only fetches this ahead, as it says itself.
fn is_prefetch(headers: &HeaderMap) -> bool {
    headers.get("sec-purpose").and_then(|purpose| purpose.to_str().ok()).is_some_and(|purpose| {
        purpose.split([',', ';']).any(|part| part.trim().eq_ignore_ascii_case("prefetch"))
    })
}

/// The file of a page: that of the program which shows it, with the part that it begins with.
async fn page(app: &App, route: &Route) -> String {
    let part = route.part();
    match route.program() {
        Program::Lobby => route::page("lobby", part),
        Program::Library => route::page("library", part),
        Program::Match => match family(app, route).await {
            Some(Family::Contract) => {
                // The table of this family is in a part of its own. Whoever is invited gathers first.
                let gathers = matches!(route, Route::Table(id) if app.tables.has_room(id));
                route::page("contract", part.or_else(|| (!gathers).then_some(Part::Screen)))
            }
            Some(Family::Pattern) => route::page("pattern", part),
            // Of what is not there, or not to be seen, either says so.
            None => route::page("pattern", None),
        },
    }
}

/// The family of the match that a page shows; none if there is no such match.
async fn family(app: &App, route: &Route) -> Option<Family> {
    match route {
        Route::Table(id) => app.tables.family(id),
        Route::Home(family) => {
            [Family::Pattern, Family::Contract].into_iter().find(|known| known.name() == family)
        }
        Route::Demo(game, _) => Some(crate::api::info(game.clone()).await?.family),
        Route::Replay(id) => {
            let id = id.parse().ok()?;
            app.blocking(move |app| app.tables.family_of_record(id)).await.ok()?
        }
        _ => None,
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
