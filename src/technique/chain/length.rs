//! How the length of a chain adds to its rating.

/// The lengths that add 0.1 each when a chain is longer: 4, 6, 8, 12, 16, 24, ... Each is
/// alternately 3/2 and 4/3 of the one before.
const BOUNDS: [u32; 32] = {
    let mut bounds = [4; 32];
    let mut n = 1;
    while n < bounds.len() {
        bounds[n] = match n % 2 {
            1 => bounds[n - 1] / 2 * 3,
            _ => bounds[n - 1] / 3 * 4,
        };
        n += 1;
    }
    bounds
};

/// The number of tenths that a chain of this number of nodes adds. The two ends of a chain do not count.
pub(super) fn tenths(complexity: u32) -> u8 {
    let length = complexity.saturating_sub(2);
    BOUNDS.iter().take_while(|&&bound| length > bound).count() as u8
}

/// 0.1 again and again, in binary.
const ADDED: [f64; BOUNDS.len() + 1] = {
    let mut added = [0.0; BOUNDS.len() + 1];
    let mut n = 1;
    while n < added.len() {
        added[n] = added[n - 1] + 0.1;
        n += 1;
    }
    added
};

/// The difficulty by which Sudoku Explainer sorts chains.
///
/// It adds 0.1 again and again to a sum in binary. So 6.6 + 0.1 is less than 6.5 + 0.2
/// there, and the X-chain of that length comes before the cycle. Only the order counts, so
/// the sum is done in the same way here.
pub(super) fn difficulty(base_tenths: u8, complexity: u32) -> f64 {
    f64::from(base_tenths) / 10.0 + ADDED[usize::from(tenths(complexity))]
}

#[cfg(test)]
mod tests {
    use super::{difficulty, tenths};

    /// The bounds of the list in the sources of Sudoku Explainer 1.2.1.
    #[test]
    fn lengths_add_tenths() {
        let bounds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
        for (n, bound) in bounds.into_iter().enumerate() {
            assert_eq!(usize::from(tenths(bound + 2)), n);
            assert_eq!(usize::from(tenths(bound + 3)), n + 1);
        }
    }

    /// The sums that differ by rounding: see the comment of `difficulty`.
    #[test]
    fn sums_in_binary_decide_ties() {
        let of = |base, tenths: usize| {
            let lengths = [6, 7, 9, 11, 15, 19, 27, 35, 51, 67];
            difficulty(base, lengths[tenths])
        };
        assert!(of(66, 1) < of(65, 2));
        assert!(of(66, 3) < of(65, 4));
        assert!(of(66, 6) < of(65, 7));
        assert_eq!(of(65, 7), of(70, 2));
        assert!(of(66, 8) < of(65, 9));
        assert_eq!(of(65, 9), of(70, 4));
    }
}
