//! Whose request it is, as far as counting goes. [`client_address`] decides it for each request, once, and whatever is
//! counted or limited by address is counted by its answer.

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// What a proxy writes the address into that it was asked from. Each proxy on the way adds one, at the right.
pub const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// One asker's address: an IPv4 address, or the network of a home in IPv6, all of which is its own (64 bits).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// What an address counts as.
    #[must_use]
    pub fn of(address: IpAddr) -> ClientAddress {
        ClientAddress(match address.to_canonical() {
            IpAddr::V6(ip) => IpAddr::V6((u128::from(ip) >> 64 << 64).into()),
            four => four,
        })
    }

    /// The address, or the first of its network.
    #[must_use]
    pub fn ip(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V6(network) => write!(f, "{network}/64"),
            four => four.fmt(f),
        }
    }
}

impl fmt::Debug for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whose `X-Forwarded-For` is believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TrustProxy {
    /// Nobody's.
    #[default]
    Nobody,
    /// That of one proxy, on this machine or in a private network.
    Near,
    /// That of these, which may stand one before the other.
    Listed(Vec<IpNet>),
}

impl TrustProxy {
    /// Whether a connection from this address is a proxy's.
    #[must_use]
    pub fn believes(&self, peer: IpAddr) -> bool {
        match self {
            TrustProxy::Nobody => false,
            TrustProxy::Near => is_near(peer),
            TrustProxy::Listed(_) => self.lists(peer),
        }
    }

    fn lists(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        matches!(self, TrustProxy::Listed(nets) if nets.iter().any(|net| net.contains(&address)))
    }
}

impl FromStr for TrustProxy {
    type Err = String;

    fn from_str(text: &str) -> Result<TrustProxy, String> {
        match text.to_ascii_lowercase().as_str() {
            "" | "false" | "no" | "off" | "0" => return Ok(TrustProxy::Nobody),
            "true" | "yes" | "on" | "1" => return Ok(TrustProxy::Near),
            _ => {}
        }
        let one = |text: &str| {
            let net = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
            net.ok_or_else(|| {
                format!("`{text}` is no address such as 10.0.0.2, and no network such as 10.0.0.0/8")
            })
        };
        text.split(',').map(|text| one(text.trim())).collect::<Result<_, _>>().map(TrustProxy::Listed)
    }
}

/// Whose request it is: the peer's or, where the peer is a proxy that is believed, that of the right-most address in
/// `X-Forwarded-For` which is not such a proxy itself. What stands further left anybody may have written. Where an entry
/// is no address, what was known so far counts.
#[must_use]
pub fn client_address(trust: &TrustProxy, peer: SocketAddr, headers: &HeaderMap) -> ClientAddress {
    let mut client = peer.ip();
    if trust.believes(client) {
        let lines = headers.get_all(FORWARDED).iter().rev();
        for entry in lines.flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b',')) {
            let Some(address) = entry_address(entry) else { break };
            client = address;
            if !trust.lists(client) {
                break;
            }
        }
    }
    ClientAddress::of(client)
}

/// An entry of `X-Forwarded-For`: some proxies add the port.
fn entry_address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(with_port).or_else(bracketed)
}

/// Whether an address is this machine's or of a private network.
#[must_use]
pub fn is_near(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            // 100.64.0.0/10 is what overlay networks between friends use.
            ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip & Ipv4Addr::new(255, 192, 0, 0) == Ipv4Addr::new(100, 64, 0, 0)
        }
        IpAddr::V6(ip) => ip == Ipv6Addr::LOCALHOST || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who asks: trust, peer, and the lines of the header.
    fn client(trust: &str, peer: &str, lines: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED, line.parse().expect("a header"));
        }
        let peer = SocketAddr::new(peer.parse().expect("an address"), 9);
        client_address(&trust.parse().expect("a setting"), peer, &headers).to_string()
    }

    #[test]
    fn the_proxy_says_who_asks_and_nobody_else_does() {
        for (trust, peer, lines, is) in [
            ("false", "127.0.0.1", &["203.0.113.9"][..], "127.0.0.1"),
            ("true", "127.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("true", "172.18.0.2", &["203.0.113.9"], "203.0.113.9"),
            // Past the proxy, straight from outside.
            ("true", "198.51.100.1", &["203.0.113.9"], "198.51.100.1"),
            // Forged: the last one is the proxy's own word.
            ("true", "127.0.0.1", &["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
            ("true", "127.0.0.1", &["1.1.1.1", "2.2.2.2,203.0.113.9"], "203.0.113.9"),
            ("true", "127.0.0.1", &["2.2.2.2,203.0.113.9", "203.0.113.10"], "203.0.113.10"),
            ("true", "127.0.0.1", &["1.1.1.1, 192.168.0.7"], "192.168.0.7"),
            // A proxy before the proxy.
            ("127.0.0.1, 10.0.0.0/8", "127.0.0.1", &["1.1.1.1, 203.0.113.9, 10.0.0.3"], "203.0.113.9"),
            ("127.0.0.1, 10.0.0.0/8", "10.1.1.1", &["203.0.113.9,10.0.0.3", "10.0.0.4"], "203.0.113.9"),
            ("10.0.0.0/8", "127.0.0.1", &["203.0.113.9"], "127.0.0.1"),
            ("10.0.0.0/8", "10.1.1.1", &["10.0.0.9"], "10.0.0.9"),
            ("2001:db8::/32", "2001:db8::1", &["203.0.113.9"], "203.0.113.9"),
        ] {
            assert_eq!(client(trust, peer, lines), is, "{trust}, {peer}, {lines:?}");
        }
    }

    #[test]
    fn what_is_no_address_counts_as_whoever_wrote_it() {
        for lines in [
            &[][..],
            &[""],
            &[","],
            &["unknown"],
            &["203.0.113.9, unknown"],
            &["203.0.113.9,"],
            &["203.0.113.9", ""],
            &["203.0.113.9.1"],
            &["203.0.113.9 203.0.113.10"],
            &["[203.0.113.9]"],
            &["203.0.113.9:99999"],
            &["2001:db8::1%eth0"],
            &["\"203.0.113.9\""],
        ] {
            assert_eq!(client("true", "127.0.0.1", lines), "127.0.0.1", "{lines:?}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED, axum::http::HeaderValue::from_bytes(b"203.0.113.9,\xff").expect("bytes"));
        let peer = "127.0.0.1:9".parse().expect("an address");
        assert_eq!(client_address(&TrustProxy::Near, peer, &headers).to_string(), "127.0.0.1");
        // The nearer proxy's word stands, whatever it passes on.
        assert_eq!(client("127.0.0.1,10.0.0.3", "127.0.0.1", &["x, 10.0.0.3"]), "10.0.0.3");
    }

    #[test]
    fn an_address_is_written_in_many_ways_and_a_home_network_is_one() {
        for (entry, is) in [
            ("203.0.113.9:4711", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
            ("[2001:db8:0:7::9]", "2001:db8:0:7::/64"),
            ("[2001:db8:0:7::9]:443", "2001:db8:0:7::/64"),
            ("  203.0.113.9\t", "203.0.113.9"),
        ] {
            assert_eq!(client("true", "::1", &[entry]), is, "{entry}");
        }
        assert_eq!(client("true", "::ffff:127.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(client("false", "2001:db8::1", &[]), client("false", "2001:db8::2", &[]));
        assert_ne!(client("false", "2001:db8::1", &[]), client("false", "2001:db8:0:1::1", &[]));
    }

    #[test]
    fn a_wrong_list_of_proxies_is_refused_in_words() {
        for text in ["near", "10.0.0.0/33", "10.0.0.1 10.0.0.2", "cards.example", "10.0.0.1,,"] {
            let why = text.parse::<TrustProxy>().expect_err("refused");
            assert!(why.contains("is no address"), "{why}");
        }
    }
}
