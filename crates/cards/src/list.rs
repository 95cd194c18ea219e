//! Lists as short as a hand.
//!
//! The library's own sort is quicker from some fifty elements on, and weighs six kilobytes for each type that is sorted: a
//! sixteenth of a table's program in the browser. There lists are sorted by insertion; elsewhere by the library.

/// Sorts a short list by a key, keeping the order of equals.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    if cfg!(target_family = "wasm") {
        insert(list, |one, other| key(one) < key(other));
    } else {
        list.sort_by_key(key);
    }
}

/// Sorts a short list.
pub fn sort<T: Ord>(list: &mut [T]) {
    if cfg!(target_family = "wasm") {
        insert(list, T::lt);
    } else {
        list.sort();
    }
}

/// Sorts by putting each element in its place among those before it.
fn insert<T>(list: &mut [T], mut less: impl FnMut(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && less(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_keep_the_order_of_equals() {
        let list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e'), (0, 'f')];
        let (mut one, mut other) = (list, list);
        insert(&mut one, |a, b| a.0 < b.0);
        sort_by_key(&mut other, |l| l.0);
        assert_eq!(one, other);
        insert(&mut one, |a, b| a > b);
        sort(&mut other);
        other.reverse();
        assert_eq!(one, other);
        insert(&mut [] as &mut [u8], |a, b| a < b);
    }
}
