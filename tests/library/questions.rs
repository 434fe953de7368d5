//! Questions about records: counts, and a count that stops.

use sudoku_batch::{
    Puzzle,
    format::Records,
    questions::{Count, Counts},
    solve::Counting,
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

/// A count by any number of threads is that of a single search.
#[test]
fn threads_count_what_one_counts() {
    // A grid with some digits blanked, and one with a band and a half blanked.
    let grid = "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    let digits = grid.replace(['1', '2', '3', '4'], ".");
    let cells = ".".repeat(40) + &grid[40..];
    for text in [digits, cells] {
        let puzzle: Puzzle = text.parse().unwrap();
        let expected = Counting::new(&puzzle).advance(u64::MAX, u64::MAX);
        // More than a batch counts, so that the count is shared.
        assert!(expected > 4000, "{expected}");
        let mut records = Records::default();
        records.push_cells(1, puzzle.as_ascii()).unwrap();
        let check = || {
            for limit in [2000, 2001, expected - 1, expected, expected + 1, u64::MAX] {
                let answer = Count::new(Some(limit)).ask(&records).solutions[0].unwrap();
                let (number, more) = (expected.min(limit), expected > limit);
                assert_eq!(
                    (answer.number, answer.more),
                    (number, more),
                    "up to {limit}"
                );
            }
        };
        check();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(check);
        }
    }
}
