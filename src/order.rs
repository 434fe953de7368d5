//! Sorts that are compiled once.
//!
//! The standard library compiles a sort of its own for each type and each key: 2,700 lines of LLVM each, and 53 of
//! them were 6 % of the lines of the library. The functions here sort places by a comparison that is called
//! through a pointer, and then move the values. They are for lists that are short or rare.

use std::cmp::Ordering;

/// Sorts by a comparison. Values that are equal stay in their order.
pub(crate) fn sort_by<T>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if values.len() < 2 {
        return;
    }
    let mut targets = targets(values.len(), &|a, b| compare(&values[a], &values[b]));
    for at in 0..values.len() {
        while targets[at] != at {
            let target = targets[at];
            values.swap(at, target);
            targets.swap(at, target);
        }
    }
}

/// Sorts by a key. Values with the same key stay in their order.
pub(crate) fn sort_by_key<T, K: Ord>(values: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(values, |a, b| key(a).cmp(&key(b)));
}

/// The places that values go to: a number for each.
fn targets(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut targets = vec![0; count];
    for (target, place) in order.into_iter().enumerate() {
        targets[place] = target;
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    #[test]
    fn they_sort_as_the_standard_library_does() {
        let mut word = 1u64;
        for count in 0..200 {
            let values: Vec<(u64, usize)> = (0..count)
                .map(|number| {
                    word = word.wrapping_mul(6364136223846793005).wrapping_add(1);
                    ((word >> 33) % (1 + count as u64 / 3), number)
                })
                .collect();
            let (mut own, mut wanted) = (values.clone(), values.clone());
            sort_by_key(&mut own, |value| value.0);
            wanted.sort_by_key(|value| value.0);
            assert_eq!(own, wanted);
            sort_by(&mut own, |a, b| (b.0 % 7).cmp(&(a.0 % 7)));
            wanted.sort_by_key(|value| Reverse(value.0 % 7));
            assert_eq!(own, wanted);
        }
    }
}
