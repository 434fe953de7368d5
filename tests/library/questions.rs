//! Questions about records: counts, and a count that stops.

use std::sync::atomic::{AtomicUsize, Ordering};
use sudoku_batch::{
    format::Records,
    questions::{Count, Counts},
};

#[test]
fn names_keep_their_order_and_sums_do_not_overflow() {
    let mut counts = Counts::statuses();
    counts.add("over-the-limit", u64::MAX);
    counts.add(String::from("multiple"), 2);
    let mut sum = Counts::statuses();
    sum += counts.clone();
    sum += counts;
    let names: Vec<_> = sum.iter().map(|(name, _)| name).collect();
    let expected = [
        "unique",
        "multiple",
        "malformed",
        "row-duplicate",
        "column-duplicate",
        "box-duplicate",
        "no-solution",
        "over-the-limit",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        (sum.get("multiple"), sum.get("over-the-limit")),
        (4, u64::MAX)
    );
    assert_eq!(sum.get("of no record"), 0);
}

#[test]
fn a_count_stops_when_it_is_not_wanted() {
    // All 6.7e21 grids: without the stop this takes for ever.
    let looks = AtomicUsize::new(0);
    let stop = || looks.fetch_add(1, Ordering::Relaxed) > 10;
    let mut records = Records::default();
    records.push_cells(1, &[b'.'; 81]).unwrap();
    let mut question = Count::new(None);
    let answer = question.ask_until(&records, &stop);
    assert!(answer.solutions[0].unwrap().number > 0);
    assert!(looks.into_inner() > 10);
}
