//! Named numbers that add up, and named largest ones.

use super::Status;
use std::{borrow::Cow, ops::AddAssign};

/// Named numbers, in the order in which the names first came. The counts of the parts of a set add
/// up to those of the set. A sum that exceeds `u64` stays at its largest number. A number that is
/// [raised](Self::raise) is a largest one: that of a set is the largest of its parts.
///
/// ```
/// use sudoku_batch::questions::Counts;
/// let mut counts = Counts::default();
/// counts.add("images", 3);
/// let mut other = Counts::default();
/// other.add("images", 4);
/// other.add("malformed", 0);
/// counts += other;
/// assert_eq!(counts.get("images"), 7);
/// assert_eq!(counts.iter().collect::<Vec<_>>(), [("images", 7), ("malformed", 0)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts(Vec<(Cow<'static, str>, u64, IsLargest)>);

/// Whether a number is a largest one, and no sum.
type IsLargest = bool;

impl Counts {
    /// All statuses at 0, in the order that every summary and table uses: that of [`Status::ALL`].
    /// `gave-up` is left out, as it occurs only with a limit that the user sets. So is `valid`, which
    /// is for solved grids.
    ///
    /// ```
    /// use sudoku_batch::questions::Counts;
    /// let names: Vec<_> = Counts::statuses().iter().map(|(name, _)| name.to_owned()).collect();
    /// assert_eq!(names[..3], ["unique", "multiple", "malformed"]);
    /// ```
    pub fn statuses() -> Self {
        Self::of_statuses(&[0; Status::ALL.len()], false)
    }

    /// The numbers of records of each status, by its place in [`Status::ALL`].
    pub(super) fn of_statuses(tally: &[u64; Status::ALL.len()], with_gave_up: bool) -> Self {
        let all = Status::ALL.iter().zip(tally);
        let shown = all.filter(|(status, _)| match status {
            Status::GaveUp => with_gave_up,
            status => **status != Status::Valid,
        });
        Self(
            shown
                .map(|(status, &n)| (status.name().into(), n, false))
                .collect(),
        )
    }

    /// Adds to the number with this name. A new name comes last.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, n: u64) {
        let sum = self.number(name.into(), false);
        *sum = sum.saturating_add(n);
    }

    /// Raises the number with this name to `n` if it is smaller. A new name comes last.
    ///
    /// ```
    /// use sudoku_batch::questions::Counts;
    /// let parts = [3, 5, 4].map(|guesses| {
    ///     let mut counts = Counts::default();
    ///     counts.raise("most-guesses", guesses);
    ///     counts
    /// });
    /// let mut counts = Counts::default();
    /// parts.into_iter().for_each(|part| counts += part);
    /// assert_eq!(counts.get("most-guesses"), 5);
    /// ```
    pub fn raise(&mut self, name: impl Into<Cow<'static, str>>, n: u64) {
        let largest = self.number(name.into(), true);
        *largest = n.max(*largest);
    }

    /// The number with this name. A new one is 0, and comes last.
    fn number(&mut self, name: Cow<'static, str>, is_largest: IsLargest) -> &mut u64 {
        let known = self.0.iter().position(|entry| entry.0 == name);
        let place = known.unwrap_or_else(|| {
            self.0.push((name, 0, is_largest));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    /// The number with this name, or 0 if there is none.
    pub fn get(&self, name: &str) -> u64 {
        let found = self.0.iter().find(|entry| entry.0 == name);
        found.map_or(0, |&(_, n, _)| n)
    }

    /// The counts without those that have one of these names.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let others = self.0.iter();
        let others = others.filter(|(name, ..)| !names.contains(&&**name));
        Self(others.cloned().collect())
    }

    /// The counts that have one of these names.
    #[must_use]
    pub fn only(&self, names: &[&str]) -> Self {
        // The order is that of the names: that of the counts may depend on the batch that came first.
        let named = names
            .iter()
            .filter_map(|name| self.0.iter().find(|(known, ..)| known == name));
        Self(named.cloned().collect())
    }

    /// The names and numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, n, _)| (&**name, *n))
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        if self.0.is_empty() {
            *self = other;
            return;
        }
        for (name, n, is_largest) in other.0 {
            match is_largest {
                true => self.raise(name, n),
                false => self.add(name, n),
            }
        }
    }
}
