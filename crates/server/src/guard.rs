//! Who may talk to this server at all: requests under a name that is ours, from pages that are ours.
//!
//! A page on the internet can point a name of its own at 127.0.0.1 and so reach a server at home ("DNS rebinding"). It
//! cannot choose the `Host` its visitor's browser then sends, so names other than ours are refused. Requests that change
//! something, and sockets, must also come from a page of the same origin. What lies under /api is answered to no page of
//! another site, not even what only reads: a picture or a script could ask for it from any page.

use crate::address::is_near;
use crate::metrics::Metrics;
use crate::settings::BaseUrl;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// What the guard needs to know.
#[derive(Clone)]
pub struct Guard {
    /// The address that the outside knows this server by, if it has one.
    pub base_url: Option<BaseUrl>,
    /// Counts what is refused.
    pub metrics: Arc<Metrics>,
}

impl Guard {
    /// Whether a `Host` is one of ours: loopback, an address of a private network, or that of the base URL.
    fn knows(&self, host: &str) -> bool {
        if self.base_url.as_ref().is_some_and(|url| url.is_host(host)) {
            return true;
        }
        let name = without_port(host);
        if name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost") {
            return true;
        }
        match name.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
            Some(six) => six.parse().is_ok_and(|ip| is_near(IpAddr::V6(ip))),
            None => name.parse().is_ok_and(|ip| is_near(IpAddr::V4(ip))),
        }
    }

    fn same_origin(&self, origin: &str, host: &str) -> bool {
        let plain = origin.strip_prefix("http://").is_some_and(|o| same_host(o, host, "80"));
        let secure = origin.strip_prefix("https://").is_some_and(|o| same_host(o, host, "443"));
        plain || secure || self.base_url.as_ref().is_some_and(|url| url.is_origin(origin))
    }

    fn judge(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), (StatusCode, &'static str)> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
            // A name has 253 letters at most.
            (Some(Ok(host)), None) if host.len() <= 260 => host,
            _ => return Err((StatusCode::BAD_REQUEST, "The request does not say which host it is for.\n")),
        };
        if !self.knows(host) {
            return Err((
                StatusCode::MISDIRECTED_REQUEST,
                "This server is not known by that name. Whoever runs it can allow it: parlour serve --base-url http://NAME:PORT\n",
            ));
        }
        let changes = !matches!(*method, Method::GET | Method::HEAD) || headers.contains_key(header::UPGRADE);
        // Programs other than browsers send no origin, and carry no cookie that somebody else's page could use.
        if changes
            && let Some(origin) = headers.get(header::ORIGIN)
            && !origin.to_str().is_ok_and(|origin| self.same_origin(origin, host))
        {
            return Err((StatusCode::FORBIDDEN, "That came from a page of another site.\n"));
        }
        // Browsers say where a request comes from, and no page can change it; other programs say nothing.
        if (path == "/api" || path.starts_with("/api/"))
            && headers.get_all("sec-fetch-site").iter().any(|site| site == "cross-site")
        {
            return Err((
                StatusCode::FORBIDDEN,
                "That came from a page of another site. Copy the address into the address line to open it.\n",
            ));
        }
        Ok(())
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|b| b.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

/// Whether two `name[:port]` are the same, `port` being the one that goes without saying.
fn same_host(one: &str, other: &str, port: &str) -> bool {
    let full = |host: &str| {
        let host = host.to_ascii_lowercase();
        if without_port(&host).len() == host.len() { format!("{host}:{port}") } else { host }
    };
    full(one) == full(other)
}

/// Lets through what may pass, and gives every answer the headers that tell browsers to be careful.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    guard.metrics.requests.add(1);
    let mut response = match guard.judge(request.method(), request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err((status, text)) => {
            if guard.metrics.refused("origin") {
                tracing::warn!(host = ?request.headers().get(header::HOST), origin = ?request.headers().get(header::ORIGIN),
                    path = request.uri().path(), %status, "refused a request that is not meant for us");
            }
            (status, text).into_response()
        }
    };
    warn_browsers(&mut response);
    response
}

/// Puts in the headers that tell browsers to be careful.
pub fn warn_browsers(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

/// Of scripts within a page the one that is known by its hash passes (`greeting::SEEN`). Style attributes are let through, style elements are not: arranging cards needs places computed on the way.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'sha256-6vzG7UbggJRUF8rSnSLtGksettC+rKVPjCgMp58T518=' 'wasm-unsafe-eval'; \
         style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(base_url: Option<&str>, host: &str, origin: Option<&str>) -> u16 {
        let guard =
            Guard { base_url: base_url.map(|url| url.parse().expect("a URL")), metrics: Arc::default() };
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("a header"));
        }
        guard.judge(&Method::POST, "/", &headers).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn pages_of_other_sites_are_not_answered() {
        let guard = Guard { base_url: None, metrics: Arc::default() };
        let check = |path: &str, site: Option<&str>, expected: u16| {
            for method in [Method::GET, Method::HEAD, Method::POST] {
                let mut headers = HeaderMap::new();
                headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:7420"));
                if let Some(site) = site {
                    headers.insert("sec-fetch-site", site.parse().expect("a header"));
                }
                let answer = guard.judge(&method, path, &headers).map_or_else(|(s, _)| s.as_u16(), |()| 200);
                assert_eq!(answer, expected, "{method} {path} {site:?}");
            }
        };
        for path in ["/api", "/api/rules/PARLOUR1-00/sheet.md", "/api/me"] {
            check(path, Some("cross-site"), 403);
            for site in [None, Some("same-origin"), Some("same-site"), Some("none")] {
                check(path, site, 200);
            }
        }
        // A link from elsewhere leads to the pages.
        for path in ["/", "/table/abc", "/apiary", "/print/d81.pdf"] {
            check(path, Some("cross-site"), 200);
        }
    }

    #[test]
    fn names_of_the_living_room_are_known() {
        for host in [
            "localhost:7420",
            "parlour.localhost",
            "127.0.0.1",
            "127.0.0.1:7420",
            "192.168.1.20:7420",
            "10.0.0.3",
            "172.16.9.9:80",
            "169.254.1.1",
            "100.101.102.103:7420",
            "[::1]:7420",
            "[::1]",
            "[fd00::7]:7420",
            "[fe80::1]",
            "[::ffff:192.168.0.1]:1",
        ] {
            assert_eq!(judge(None, host, None), 200, "{host}");
        }
    }

    #[test]
    fn other_names_are_refused_unless_they_are_the_base_url() {
        for host in [
            "evil.example",
            "evil.example:7420",
            "8.8.8.8",
            "172.32.0.1",
            "[2001:db8::1]:80",
            "localhost.evil.example",
            "",
            "127.0.0.1.evil.example",
        ] {
            assert_eq!(judge(None, host, None), 421, "{host}");
        }
        assert_eq!(judge(None, &format!("{}.localhost", "a".repeat(10_000)), None), 400);
        assert_eq!(judge(Some("http://cards.example:7420"), "cards.example:7420", None), 200);
        assert_eq!(judge(Some("http://cards.example:7420"), "CARDS.example:7420", None), 200);
        assert_eq!(judge(Some("http://cards.example:7420"), "cards.example", None), 421, "another port");
        assert_eq!(
            judge(Some("https://cards.example"), "cards.example:443", None),
            200,
            "the port that goes without saying"
        );
    }

    #[test]
    fn changes_come_from_our_own_pages() {
        assert_eq!(judge(None, "127.0.0.1:7420", Some("http://127.0.0.1:7420")), 200);
        assert_eq!(judge(None, "127.0.0.1:80", Some("http://127.0.0.1")), 200);
        for origin in [
            "http://127.0.0.1:7421",
            "http://evil.example",
            "null",
            "http://localhost:7420",
            "file://127.0.0.1:7420",
            "",
        ] {
            assert_eq!(judge(None, "127.0.0.1:7420", Some(origin)), 403, "{origin}");
        }
        // A proxy that puts its own name for ours in `Host`.
        assert_eq!(
            judge(Some("https://cards.example"), "127.0.0.1:7420", Some("https://cards.example")),
            200
        );
        assert_eq!(judge(Some("https://cards.example"), "127.0.0.1:7420", Some("http://cards.example")), 403);
    }
}
