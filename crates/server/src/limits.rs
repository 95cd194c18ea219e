//! How much one connection and one address may ask for.

use crate::address::ClientAddress;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Lets through so many a second on average, and a burst of more.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    per_second: f64,
    most: f64,
    level: f64,
    filled: Instant,
}

impl Bucket {
    /// A full one: `burst` may come at once, then `per_second`.
    #[must_use]
    pub fn new(per_second: u32, burst: u32, now: Instant) -> Bucket {
        let most = f64::from(burst.max(1));
        Bucket { per_second: f64::from(per_second), most, level: most, filled: now }
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let more = now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second;
        self.level = (self.level + more).min(self.most);
        self.filled = now;
        let granted = self.level >= 1.0;
        if granted {
            self.level -= 1.0;
        }
        granted
    }

    fn is_full(&self, now: Instant) -> bool {
        self.level + now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second >= self.most
    }
}

/// A bucket for each address.
pub struct PerAddress {
    per_second: u32,
    burst: u32,
    buckets: Mutex<HashMap<ClientAddress, Bucket>>,
}

/// Addresses remembered before full buckets, which mean nothing, are thrown away.
const REMEMBERED: usize = 4096;

impl PerAddress {
    /// Grants each address `burst` at once and `per_second` in the long run.
    #[must_use]
    pub fn new(per_second: u32, burst: u32) -> PerAddress {
        PerAddress { per_second, burst, buckets: Mutex::default() }
    }

    /// Takes one from the bucket of `address`, if there is one in it.
    pub fn take(&self, address: ClientAddress) -> bool {
        let now = Instant::now();
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= REMEMBERED {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        buckets.entry(address).or_insert_with(|| Bucket::new(self.per_second, self.burst, now)).take(now)
    }
}

/// At most so many of something at once for each key.
#[derive(Clone)]
pub struct AtOnce<K> {
    most: usize,
    now: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Copy + Eq + Hash> AtOnce<K> {
    /// Grants each key `most` at once.
    #[must_use]
    pub fn new(most: usize) -> AtOnce<K> {
        AtOnce { most, now: Arc::default() }
    }

    /// A place, held until the answer is dropped; none if all are taken.
    #[must_use]
    pub fn enter(&self, key: K) -> Option<Place<K>> {
        let mut now = lock(&self.now);
        let count = now.entry(key).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { key, of: self.clone() })
    }
}

/// One of the places that [`AtOnce`] grants.
pub struct Place<K: Copy + Eq + Hash> {
    key: K,
    of: AtOnce<K>,
}

impl<K: Copy + Eq + Hash> Drop for Place<K> {
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

/// Counts stay true after a panic elsewhere: nothing in here can be left half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_grants_a_burst_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10, 3, start);
        assert_eq!((0..5).filter(|_| bucket.take(start)).count(), 3, "the burst");
        let later = start + Duration::from_millis(250);
        assert_eq!((0..5).filter(|_| bucket.take(later)).count(), 2, "a quarter second at ten a second");
        let much_later = start + Duration::from_secs(3600);
        assert_eq!((0..5).filter(|_| bucket.take(much_later)).count(), 3, "never more than the burst");
    }

    #[test]
    fn addresses_do_not_pay_for_each_other_but_a_home_network_is_one() {
        let limits = PerAddress::new(0, 1);
        let address = |text: &str| ClientAddress::of(text.parse().expect("an address"));
        assert!(limits.take(address("192.168.0.1")));
        assert!(!limits.take(address("192.168.0.1")));
        assert!(!limits.take(address("::ffff:192.168.0.1")), "the same, written as IPv6");
        assert!(limits.take(address("192.168.0.2")));
        assert!(limits.take(address("2001:db8::1")));
        assert!(!limits.take(address("2001:db8::2")));
        assert!(limits.take(address("2001:db8:0:1::2")));
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
}
