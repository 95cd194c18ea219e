//! How much one connection and one address may ask for: so many requests, frames, bytes and so much of the processor's time
//! a second, and some more at once.

use crate::address::ClientAddress;
use crate::lock;
use crate::settings::Settings;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// So many a second on average, and so many at once.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    per_second: f64,
    at_once: f64,
}

impl Rate {
    /// `per_second` in the long run, and `at_once`, of which there is at least one.
    #[must_use]
    pub fn new(per_second: f64, at_once: f64) -> Rate {
        Rate { per_second, at_once: at_once.max(1.0) }
    }

    fn times(self, factor: f64) -> Rate {
        Rate::new(self.per_second * factor, self.at_once * factor)
    }

    /// A full bucket.
    #[must_use]
    pub fn bucket(self, now: Instant) -> Bucket {
        Bucket { level: self.at_once, filled: now }
    }
}

/// What is left of a [`Rate`].
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    level: f64,
    filled: Instant,
}

impl Bucket {
    fn fill(&mut self, rate: Rate, now: Instant) {
        let more = now.saturating_duration_since(self.filled).as_secs_f64() * rate.per_second;
        self.level = (self.level + more).min(rate.at_once);
        self.filled = now;
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let granted = self.level >= 1.0;
        if granted {
            self.level -= 1.0;
        }
        granted
    }

    /// Takes as much of `amount` as there is, and says how much was missing.
    pub fn take_up_to(&mut self, amount: f64, rate: Rate, now: Instant) -> f64 {
        self.fill(rate, now);
        let taken = amount.min(self.level).max(0.0);
        self.level -= taken;
        amount - taken
    }

    /// Takes what has been used already; false where there was not so much. What is missing is owed, up to as much as
    /// there is at once.
    pub fn spend(&mut self, amount: f64, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        self.level = (self.level - amount).max(-rate.at_once);
        self.level >= 0.0
    }

    fn is_full(&self, rate: Rate, now: Instant) -> bool {
        self.level + now.saturating_duration_since(self.filled).as_secs_f64() * rate.per_second
            >= rate.at_once
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Texts on sockets.
    Messages,
    /// Frames on sockets that are no whole text: pings, fragments, goodbyes.
    Scraps,
    /// Bytes that come on sockets.
    Bytes,
    /// Seconds of processor time for what comes on sockets.
    Work,
    /// Sockets that are opened.
    Sockets,
    /// Connections and requests, whatever they ask.
    Requests,
    /// Requests that change something.
    Changes,
}

/// What one address, or one socket, may have of everything that is counted.
#[derive(Clone, Debug)]
pub struct Rates(Box<[Rate]>);

/// Sockets of one address that may be as busy as can be at the same time.
const BUSY_SOCKETS: f64 = 10.0;
/// The part of what a socket may have that it has whatever the others of its address do.
const FOR_ITSELF: f64 = 0.1;

impl Rates {
    /// Those of a socket, of what is counted on sockets.
    #[must_use]
    pub fn of_socket(settings: &Settings) -> Rates {
        let messages = f64::from(settings.messages_per_second);
        // A move takes some hundred bytes.
        let bytes = (4096.0 * messages).max(4.0 * settings.max_message_bytes as f64);
        let work = f64::from(settings.processor_ms_per_second) / 1000.0;
        Rates(Box::new([
            Rate::new(messages, 4.0 * messages),
            Rate::new(messages / 4.0, 2.0 * messages),
            Rate::new(1024.0 * messages, bytes),
            Rate { per_second: work / 2.0, at_once: 5.0 * work },
        ]))
    }

    /// Those of an address, of everything.
    #[must_use]
    pub fn of_address(settings: &Settings) -> Rates {
        let changes = f64::from(settings.requests_per_second);
        let mut rates = Rates::of_socket(settings).times(BUSY_SOCKETS).0.into_vec();
        let work = f64::from(settings.processor_ms_per_second) / 1000.0;
        rates[Of::Work as usize] = Rate { per_second: work, at_once: 10.0 * work };
        rates.push(Rate::new(changes / 2.0, 5.0 * changes));
        rates.push(Rate::new(2.0 * changes, 40.0 * changes));
        rates.push(Rate::new(changes, 10.0 * changes));
        Rates(rates.into())
    }

    fn times(&self, factor: f64) -> Rates {
        Rates(self.0.iter().map(|rate| rate.times(factor)).collect())
    }

    fn rate(&self, of: Of) -> Rate {
        self.0[of as usize]
    }
}

/// What an address or a socket has left of everything that is counted.
pub struct Purse {
    rates: Arc<Rates>,
    buckets: Mutex<Box<[Bucket]>>,
}

impl Purse {
    /// A full one.
    #[must_use]
    pub fn new(rates: Arc<Rates>) -> Purse {
        let now = Instant::now();
        let buckets = Mutex::new(rates.0.iter().map(|rate| rate.bucket(now)).collect());
        Purse { rates, buckets }
    }

    /// Takes one, if there is one.
    pub fn take(&self, of: Of) -> bool {
        lock(&self.buckets)[of as usize].take(self.rates.rate(of), Instant::now())
    }

    fn has_some(&self, of: Of) -> bool {
        let (mut buckets, rate) = (lock(&self.buckets), self.rates.rate(of));
        let bucket = &mut buckets[of as usize];
        bucket.fill(rate, Instant::now());
        bucket.level > rate.at_once / 2.0
    }

    fn take_up_to(&self, of: Of, amount: f64) -> f64 {
        lock(&self.buckets)[of as usize].take_up_to(amount, self.rates.rate(of), Instant::now())
    }

    /// Takes what has been used already; false where there was not so much.
    pub fn spend(&self, of: Of, amount: f64) -> bool {
        lock(&self.buckets)[of as usize].spend(amount, self.rates.rate(of), Instant::now())
    }

    fn is_full(&self, now: Instant) -> bool {
        lock(&self.buckets).iter().zip(&*self.rates.0).all(|(bucket, rate)| bucket.is_full(*rate, now))
    }
}

/// Addresses that are remembered before those are thrown away that have all of what they may have.
const REMEMBERED: usize = 4096;
/// Most addresses that are remembered. Those above share one purse.
const MOST_REMEMBERED: usize = 1 << 17;

/// A purse for each address.
pub struct Addresses {
    rates: Arc<Rates>,
    crowd: Arc<Purse>,
    known: Mutex<Known>,
}

struct Known {
    purses: HashMap<ClientAddress, Arc<Purse>>,
    /// As many are there when it is tidied next.
    tidy_at: usize,
}

impl Addresses {
    /// Grants each address so much.
    #[must_use]
    pub fn new(rates: Rates) -> Addresses {
        let rates = Arc::new(rates);
        let known = Mutex::new(Known { purses: HashMap::new(), tidy_at: REMEMBERED });
        Addresses { crowd: Arc::new(Purse::new(rates.clone())), rates, known }
    }

    /// That of `address`.
    #[must_use]
    pub fn purse(&self, address: ClientAddress) -> Arc<Purse> {
        let mut known = lock(&self.known);
        if let Some(purse) = known.purses.get(&address) {
            return purse.clone();
        }
        if known.purses.len() >= known.tidy_at {
            // So that strangers with many addresses do not have it tidied for each request.
            let now = Instant::now();
            known.purses.retain(|_, purse| Arc::strong_count(purse) > 1 || !purse.is_full(now));
            known.tidy_at = (2 * known.purses.len()).clamp(REMEMBERED, MOST_REMEMBERED);
            if known.purses.len() >= MOST_REMEMBERED {
                return self.crowd.clone();
            }
        }
        known.purses.entry(address).or_insert_with(|| Arc::new(Purse::new(self.rates.clone()))).clone()
    }
}

/// What the sockets of a server may have.
pub struct OfSockets {
    all: Arc<Rates>,
    for_itself: Arc<Rates>,
}

impl OfSockets {
    /// As the settings say.
    #[must_use]
    pub fn new(settings: &Settings) -> OfSockets {
        let all = Rates::of_socket(settings);
        let for_itself = Arc::new(all.times(FOR_ITSELF));
        OfSockets { all: Arc::new(all), for_itself }
    }

    /// That of one whose address has this purse.
    #[must_use]
    pub fn meter(&self, address: Arc<Purse>) -> Meter {
        let purse = |rates: &Arc<Rates>| Purse::new(rates.clone());
        Meter { all: purse(&self.all), for_itself: purse(&self.for_itself), address }
    }
}

/// What one socket has left. A part is its own, so that nobody who shares its address can silence it; what it uses beyond
/// that its address pays.
pub struct Meter {
    all: Purse,
    for_itself: Purse,
    address: Arc<Purse>,
}

impl Meter {
    /// Takes one, if there is one.
    pub fn take(&self, of: Of) -> bool {
        self.all.take(of) && (self.for_itself.take(of) || self.address.take(of))
    }

    /// Whether something is left.
    pub fn has(&self, of: Of) -> bool {
        self.all.spend(of, 0.0) && (self.for_itself.has_some(of) || self.address.spend(of, 0.0))
    }

    /// Takes what has been used already; false where there was not so much.
    pub fn spend(&self, of: Of, amount: f64) -> bool {
        let missing = self.for_itself.take_up_to(of, amount);
        let paid = missing == 0.0 || self.address.spend(of, missing);
        self.all.spend(of, amount) && paid
    }
}

/// At most so many of something at once for each key.
#[derive(Clone)]
pub struct AtOnce<K> {
    most: usize,
    now: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Clone + Eq + Hash> AtOnce<K> {
    /// Grants each key `most` at once.
    #[must_use]
    pub fn new(most: usize) -> AtOnce<K> {
        AtOnce { most, now: Arc::default() }
    }

    /// A place, held until the answer is dropped; none if all are taken.
    #[must_use]
    pub fn enter(&self, key: K) -> Option<Place<K>> {
        if self.most == 0 {
            return None;
        }
        let mut now = lock(&self.now);
        let count = now.entry(key.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { key, of: self.clone() })
    }
}

/// One of the places that [`AtOnce`] grants.
pub struct Place<K: Clone + Eq + Hash> {
    key: K,
    of: AtOnce<K>,
}

impl<K: Clone + Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut now = lock(&self.of.now);
        if let Some(count) = now.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                now.remove(&self.key);
            }
        }
    }
}

/// Processor time that this thread has used. Where the system does not tell, time as such.
#[must_use]
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let used = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(used.tv_sec.unsigned_abs(), u32::try_from(used.tv_nsec).unwrap_or(0))
    }
    #[cfg(not(unix))]
    {
        static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        BEGUN.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> ClientAddress {
        ClientAddress::of(text.parse().expect("an address"))
    }

    #[test]
    fn a_bucket_grants_a_burst_and_then_its_rate() {
        let start = Instant::now();
        let rate = Rate::new(10.0, 3.0);
        let mut bucket = rate.bucket(start);
        assert_eq!((0..5).filter(|_| bucket.take(rate, start)).count(), 3, "the burst");
        let later = start + Duration::from_millis(250);
        assert_eq!(
            (0..5).filter(|_| bucket.take(rate, later)).count(),
            2,
            "a quarter second at ten a second"
        );
        let much_later = start + Duration::from_secs(3600);
        assert_eq!((0..5).filter(|_| bucket.take(rate, much_later)).count(), 3, "never more than the burst");
    }

    #[test]
    fn what_was_used_beyond_the_bucket_is_owed() {
        let start = Instant::now();
        let rate = Rate::new(10.0, 30.0);
        let mut bucket = rate.bucket(start);
        assert!(bucket.spend(30.0, rate, start));
        assert!(!bucket.spend(1000.0, rate, start));
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(!bucket.take(rate, at(2)) && !bucket.spend(0.0, rate, at(2)), "ten are owed");
        assert!(bucket.take(rate, at(4)), "not more than the burst was owed");
    }

    #[test]
    fn addresses_do_not_pay_for_each_other_but_a_home_network_is_one() {
        let settings = Settings { requests_per_second: 0, ..Settings::default() };
        let limits = Addresses::new(Rates::of_address(&settings));
        let take = |text: &str| limits.purse(address(text)).take(Of::Changes);
        assert!(take("192.168.0.1"));
        assert!(!take("192.168.0.1"));
        assert!(!take("::ffff:192.168.0.1"), "the same, written as IPv6");
        assert!(take("192.168.0.2"));
        assert!(take("2001:db8::1"));
        assert!(!take("2001:db8::2"));
        assert!(take("2001:db8:0:1::2"));
    }

    #[test]
    fn a_socket_has_a_part_for_itself_and_its_address_pays_the_rest() {
        let settings = Settings { messages_per_second: 10, ..Settings::default() };
        let purse = Arc::new(Purse::new(Arc::new(Rates::of_address(&settings))));
        let sockets = OfSockets::new(&settings);
        let meters: Vec<_> = (0..30).map(|_| sockets.meter(purse.clone())).collect();
        let counts: Vec<_> =
            meters.iter().map(|meter| (0..100).filter(|_| meter.take(Of::Messages)).count()).collect();
        assert!((40..=41).contains(&counts[0]), "four seconds' worth at once: {counts:?}");
        assert!(counts[..10].iter().all(|count| *count >= 40), "ten busy ones: {counts:?}");
        assert!(counts[15..].iter().all(|count| (4..=6).contains(count)), "the others their own: {counts:?}");
        // Whoever shares an address with a flood goes on at the pace of a player.
        let meter = sockets.meter(purse.clone());
        purse.spend(Of::Bytes, 1e9);
        assert!(meter.spend(Of::Bytes, 200.0));
        assert!(!meter.spend(Of::Bytes, 1e6));
    }

    #[test]
    fn many_addresses_take_bounded_memory_and_time() {
        let limits = Addresses::new(Rates::of_address(&Settings::default()));
        let nth = |n: usize| ClientAddress::of(std::net::Ipv4Addr::from(n as u32).into());
        for n in 0..3 * REMEMBERED {
            let _ = limits.purse(nth(n));
        }
        assert!(lock(&limits.known).purses.len() <= REMEMBERED, "full ones mean nothing");
        for n in 0..2 * MOST_REMEMBERED {
            limits.purse(nth(n)).take(Of::Changes);
        }
        let known = lock(&limits.known);
        assert!(known.purses.len() <= MOST_REMEMBERED, "{}", known.purses.len());
    }

    #[test]
    fn a_place_is_free_again_once_it_is_left() {
        let places = AtOnce::new(2);
        let first = places.enter('a').expect("free");
        let _second = places.enter('a').expect("free");
        assert!(places.enter('a').is_none());
        assert!(places.enter('b').is_some());
        drop(first);
        assert!(places.enter('a').is_some());
    }

    #[test]
    fn work_is_measured_in_processor_time() {
        let before = processor_time();
        std::hint::black_box((0..1_000_000u64).map(std::hint::black_box).sum::<u64>());
        assert!(processor_time() > before);
    }
}
