//! Lists as short as a hand.

/// Sorts a short list, keeping the order of equals. The library's own sort is quicker from some fifty elements on, and weighs
/// four kilobytes for each type that is sorted.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && key(&list[at]) < key(&list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn equals_keep_their_order() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e'), (0, 'f')];
        let mut other = list;
        super::sort_by_key(&mut list, |l| l.0);
        other.sort_by_key(|l| l.0);
        assert_eq!(list, other);
        super::sort_by_key::<u8, u8>(&mut [], |l| *l);
    }
}
