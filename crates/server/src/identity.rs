//! Guests: a name and a cookie, nothing else. The cookie holds a random id and a signature by this server's key, so
//! that nobody can make one up; the key lies in the data folder, readable by its owner only.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;
use wire::api::COOKIE;

/// Days a browser keeps the cookie; the most that browsers allow, and renewed at each visit.
const COOKIE_DAYS: u32 = 400;
/// Name of the key's file in the data folder.
const KEY_FILE: &str = "cookie.key";

/// Fills an array from the operating system's generator.
///
/// # Panics
/// If the system has none, which leaves nothing to go on with.
#[must_use]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Text of random bytes that fits in an address, six bits a letter.
#[must_use]
pub fn random_text<const N: usize>() -> String {
    URL_SAFE_NO_PAD.encode(random::<N>())
}

/// Tells one guest from another: 128 random bits. It is a secret of its guest's cookie; others never see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct GuestId(pub [u8; 16]);

impl GuestId {
    /// One that nobody has.
    #[must_use]
    pub fn new() -> GuestId {
        GuestId(random())
    }
}

impl FromStr for GuestId {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<GuestId, &'static str> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(GuestId).ok_or("that is no guest")
    }
}

impl Default for GuestId {
    fn default() -> Self {
        GuestId::new()
    }
}

impl fmt::Display for GuestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

/// For logs: enough to tell guests apart, too little to be one.
impl fmt::Debug for GuestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "guest {:02x}{:02x}", self.0[0], self.0[1])
    }
}

/// The key that signs cookies.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// Reads the key from the data folder, or makes one at the first start.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is no key.
    pub fn load_or_make(data: &Path) -> io::Result<Key> {
        let path = data.join(KEY_FILE);
        match fs::read(&path) {
            Ok(bytes) => bytes.try_into().map(Key).map_err(|bytes: Vec<u8>| {
                io::Error::other(format!(
                    "{} holds {} bytes where a key has 32; put the right file back, or delete it, which signs all guests out",
                    path.display(),
                    bytes.len()
                ))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = Key(random());
                write_key(&path, &key.0)?;
                Ok(key)
            }
            Err(error) => Err(error),
        }
    }

    /// The key of a server with these settings.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is no key.
    pub fn of(settings: &crate::Settings) -> Result<Key, crate::StartError> {
        Key::load_or_make(&settings.data)
            .map_err(|error| crate::StartError::Data(settings.data.clone(), error.to_string()))
    }

    /// A secret of this server for the purpose that `label` names; the same as long as the key is.
    #[must_use]
    pub fn secret(&self, label: &str) -> [u8; 32] {
        let mut secret = [0; 32];
        let key = Hkdf::<Sha256>::new(Some(b"parlour secrets 1"), &self.0);
        key.expand(label.as_bytes(), &mut secret).expect("32 bytes are within what HKDF gives");
        secret
    }

    fn mac(&self, guest: GuestId) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(b"parlour guest 1:");
        mac.update(&guest.0);
        mac
    }

    /// The cookie's value for `guest`.
    #[must_use]
    pub fn sign(&self, guest: GuestId) -> String {
        format!("{guest}.{}", URL_SAFE_NO_PAD.encode(self.mac(guest).finalize().into_bytes()))
    }

    /// The guest that a cookie's value was signed for; none if it was not signed by this key.
    #[must_use]
    pub fn check(&self, value: &str) -> Option<GuestId> {
        let (id, signature) = value.split_once('.')?;
        let guest: GuestId = id.parse().ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(guest).verify_slice(&signature).ok().map(|()| guest)
    }

    /// The guest of a request.
    #[must_use]
    pub fn guest(&self, headers: &HeaderMap) -> Option<GuestId> {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
            .find_map(|value| self.check(value))
    }

    /// The header that hands `guest` its cookie. `secure` where the server is reached by https: over plain HTTP, as in
    /// a living room, a browser would drop such a cookie.
    #[must_use]
    pub fn cookie(&self, guest: GuestId, secure: bool) -> HeaderValue {
        cookie(&self.sign(guest), COOKIE_DAYS * 86_400, secure)
    }

    /// The header that takes the cookie away.
    #[must_use]
    pub fn no_cookie(secure: bool) -> HeaderValue {
        cookie("", 0, secure)
    }
}

/// Copies the key from one data folder to another. Without it, the guests of a copy would be strangers.
///
/// # Errors
/// If there is no key, or it cannot be written.
pub fn copy_key(from: &Path, to: &Path) -> io::Result<()> {
    write_key(&to.join(KEY_FILE), &fs::read(from.join(KEY_FILE))?)
}

/// Writes it for its owner only, and whole under another name first: a crash must not leave half a key.
fn write_key(path: &Path, key: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = store::private_file().create(true).truncate(true).open(&fresh)?;
    file.write_all(key)?;
    file.sync_all()?;
    fs::rename(fresh, path)
}

fn cookie(value: &str, max_age: u32, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}")
        .parse()
        .expect("letters that a header takes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_its_own_guests_and_nobody_elses() {
        let (key, other) = (Key(random()), Key(random()));
        let guest = GuestId::new();
        let value = key.sign(guest);
        assert_eq!(key.check(&value), Some(guest));
        assert_eq!(other.check(&value), None, "signed by another server");
        let forged = format!("{}.{}", GuestId::new(), value.split_once('.').expect("two parts").1);
        assert_eq!(key.check(&forged), None, "somebody else's signature");
        for broken in ["", ".", "a.b", &value[..value.len() - 1], &value[1..]] {
            assert_eq!(key.check(broken), None, "{broken}");
        }
    }

    #[test]
    fn each_purpose_has_a_secret_of_its_own() {
        let (key, other) = (Key(random()), Key(random()));
        assert_eq!(key.secret("day 1"), key.secret("day 1"));
        assert_ne!(key.secret("day 1"), key.secret("day 2"));
        assert_ne!(key.secret("day 1"), other.secret("day 1"));
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let key = Key(random());
        let guest = GuestId::new();
        let mut headers = HeaderMap::new();
        assert_eq!(key.guest(&headers), None);
        headers.append(
            header::COOKIE,
            format!("theme=dark; parlour=old.old; parlour={}", key.sign(guest)).parse().expect("header"),
        );
        assert_eq!(key.guest(&headers), Some(guest));
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_made_once_and_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let made = Key::load_or_make(folder.path()).expect("made");
        let read = Key::load_or_make(folder.path()).expect("read");
        assert_eq!(made.0, read.0);
        let path = folder.path().join(KEY_FILE);
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        fs::write(&path, b"short").expect("written");
        let error = Key::load_or_make(folder.path()).err().expect("refused").to_string();
        assert!(error.contains("holds 5 bytes"), "{error}");
    }
}
