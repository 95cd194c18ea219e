//! Requests over HTTP, answered by the real server without a socket.

use crate::{texts, work};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use server::{Server, Settings};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt;
use wire::api;

/// Largest body that is taken, as the settings have it.
const BODY: usize = 64 << 10;

/// Largest answer.
const ANSWER: usize = 1 << 20;

/// Bytes of memory for one request, whatever it is, and for each byte of it.
const WORK: (usize, usize) = (256 << 20, 16 << 10);

/// Requests after which another house is opened, so that what one of them left there does not stay for ever.
const HOUSE: usize = 300;

/// A request: its method and its path on the first line, its body after that.
///
/// Nothing is answered with a failure of ours; what is refused is refused in words; an answer is the same when it is asked for
/// again, and what was said to be playable can be played.
///
/// # Panics
/// If a law is broken.
pub fn http_body(bytes: &[u8]) {
    static HOUSES: Mutex<Option<House>> = Mutex::new(None);
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (line, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let Some((method, path)) = texts::text(line).and_then(|line| line.split_once(' ')) else { return };
    let Ok(method) = method.parse::<Method>() else { return };
    let mut house = HOUSES.lock().unwrap_or_else(PoisonError::into_inner);
    if house.as_ref().is_none_or(|house| house.asked >= HOUSE) {
        *house = None;
        *house = Some(House::open());
    }
    let house = house.as_mut().expect("opened");
    house.asked += 1;
    let most = work::most(WORK.0, WORK.1, bytes.len());
    let Some((status, answer)) = work::within_all("a request", most, || house.ask(&method, path, body))
    else {
        return;
    };
    let path = path.split('?').next().unwrap_or_default();
    if status == StatusCode::OK && method == Method::POST && path.starts_with("/api/rules/") {
        let again = house.ask(&method, path, body);
        assert_eq!(again.as_ref(), Some(&(status, answer.clone())), "asked twice: {path}");
    }
    let text = String::from_utf8_lossy(body);
    if (path, &method) == ("/api/me", &Method::DELETE) {
        house.come();
    }
    match (path, status) {
        ("/api/rules/read", StatusCode::OK) => house.read(&answer),
        ("/api/rules/check", StatusCode::OK) => house.checked(&text, &answer),
        _ => {}
    }
    typed(path, &text);
}

/// The bodies are read alike by the server's reader and the app's.
fn typed(path: &str, body: &str) {
    match path {
        "/api/me" => drop(texts::json::<api::Name>(body)),
        "/api/tables" => drop(texts::json::<api::NewTable>(body)),
        "/api/rules/check" => drop(texts::json::<api::RulesAsked>(body)),
        "/api/rules/read" => drop(texts::json::<api::ReadRules>(body)),
        "/api/device" => drop(texts::json::<api::DeviceToken>(body)),
        _ => {}
    }
}

/// A server on a folder of its own, and a guest.
struct House {
    runtime: Runtime,
    service: Router,
    cookie: String,
    asked: usize,
    _server: Server,
    _data: TempDir,
}

impl House {
    fn open() -> House {
        let data = tempfile::tempdir().expect("a folder");
        let settings = Settings {
            data: data.path().into(),
            requests_per_second: u32::MAX,
            max_tables_per_guest: usize::MAX,
            max_body_bytes: BODY,
            ..Settings::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let server = Server::open(settings).expect("a new folder");
        let service = server.service();
        let mut house =
            House { runtime, service, cookie: String::new(), asked: 0, _server: server, _data: data };
        house.come();
        house
    }

    /// Comes as somebody new: the one before may have asked to be forgotten.
    fn come(&mut self) {
        let body = Body::from(r#"{"name":"Ann"}"#);
        let named = self.request(&Method::PUT, "/api/me", body).expect("a request");
        let answer = self.runtime.block_on(self.service.clone().oneshot(named)).expect("an answer");
        let cookie = answer.headers().get(header::SET_COOKIE).expect("a cookie").to_str().expect("text");
        cookie.split(';').next().unwrap_or_default().clone_into(&mut self.cookie);
    }

    fn request(&self, method: &Method, path: &str, body: Body) -> Option<Request<Body>> {
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "127.0.0.1:7420")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &self.cookie)
            .body(body)
            .ok()
    }

    /// What is answered; none if that was no request.
    fn ask(&self, method: &Method, path: &str, body: &[u8]) -> Option<(StatusCode, String)> {
        let request = self.request(method, path, Body::from(body.to_vec()))?;
        let (head, body) = self.runtime.block_on(async {
            let (head, body) = self.service.clone().oneshot(request).await.expect("an answer").into_parts();
            (head, to_bytes(body, ANSWER).await.unwrap_or_else(|why| panic!("{path}: {why}")))
        });
        let status = head.status;
        assert!(
            !status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE,
            "{method} {path}: {status}"
        );
        let text = String::from_utf8(body.to_vec()).unwrap_or_default();
        if path.starts_with("/api/") && status.is_client_error() && *method != Method::HEAD {
            let problem: api::Problem = serde_json::from_str(&text)
                .unwrap_or_else(|why| panic!("{method} {path}: {status}, {why}: {text}"));
            assert!(problem.error.len() > 5, "{method} {path}: {text}");
            // A message is for reading.
            assert!(problem.error.len() <= 16 << 10, "{method} {path}: {} bytes", problem.error.len());
        }
        Some((status, text))
    }

    fn post(&self, path: &str, body: &Value) -> (StatusCode, String) {
        self.ask(&Method::POST, path, body.to_string().as_bytes()).expect("a request")
    }

    /// The code of what was read says the same; a game in it can be opened.
    fn read(&self, answer: &str) {
        let read: api::RulesRead = texts::json(answer).unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(read.meaning.game.is_some(), read.meaning.faults.is_empty(), "{answer}");
        if let Some(game) = &read.meaning.game {
            let body = json!({ "rules": { "code": read.code }, "seats": game.players_min });
            let (status, text) = self.post("/api/rules/read", &body);
            assert_eq!(status, StatusCode::OK, "{text}");
            let again: api::RulesRead = texts::json(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((&again.rules, &again.code), (&read.rules, &read.code));
        }
    }

    /// What was said to be playable is played.
    fn checked(&self, body: &str, answer: &str) {
        let checked: api::RulesChecked = texts::json(answer).unwrap_or_else(|| panic!("{answer}"));
        let asked: api::RulesAsked = serde_json::from_str(body).expect("it was read");
        let body = json!({ "game": asked.game, "options": asked.options, "seats": asked.seats });
        let (status, text) = self.post("/api/tables", &body);
        assert_eq!(
            status == StatusCode::CREATED,
            checked.faults.is_empty(),
            "{answer}, but {status}: {text}"
        );
    }
}
