//! The content of a set of records: how many clues they have, and how hard they are.

use super::{
    Answer, Asked, Batch, Column, Counts, Data, Definition, Responder, RunOutcome, Status,
    Uniqueness,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, settings},
};
use crate::{
    dataset::{Statistics, Weighted},
    grid::{AnyPuzzle, CELLS, Candidates, Puzzle},
    solve::{Singles, Solver, guesses},
    technique::{Rater, Rating},
};

settings! {
    /// The settings of [`STATS`].
    pub struct StatsSettings {
        /// Take no step with a rating over X: harder puzzles have no rating.
        pub up_to: Rating = "11.9",
    }
}

columns! {
    /// The columns of [`STATS`].
    struct StatsColumns, StatsRow for StatsSettings {
        /// the number of clues
        #[column(up_to(81))]
        clues: kind::Numbers,
        /// whether naked singles solve it
        naked_singles: kind::Flags,
        /// whether naked and hidden singles solve it
        singles: kind::Flags,
        /// the guesses of the reference search
        guesses: kind::Numbers,
        /// the rating of the hardest step
        er: kind::Ratings,
        status = Column::STATUS,
    }
}

/// Finds what statistics count of each record with one solution. The other records have nothing. [`Statistics::of`] sums
/// up an answer.
///
/// ```
/// use sudoku_batch::{
///     dataset::Statistics,
///     format::{Records, line},
///     questions::{Question, StatsSettings},
/// };
/// let mut records = Records::default();
/// let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8\n11";
/// line::read(text, &mut records);
/// let answer = Question::new(StatsSettings::default())?.ask(&records);
/// let statistics = Statistics::of(&answer);
/// assert_eq!((statistics.puzzles, statistics.clues[25]), (1, 1));
/// assert_eq!(answer.counts.get("malformed"), 1);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static STATS: Definition = Definition {
    name: "stats",
    about: "Describe a set of puzzles",
    details: "",
    settings: StatsSettings::TABLE,
    columns: StatsColumns::TABLE,
    make: made::<StatsSettings>,
};

/// The question with its settings.
#[derive(Debug)]
struct Describing {
    settings: StatsSettings,
    uniqueness: Uniqueness,
    /// It is made for the first batch: much memory comes with it.
    rater: Option<Rater>,
}

impl Asked for StatsSettings {
    fn definition() -> &'static Definition {
        &STATS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Describing {
            settings: self,
            uniqueness: Uniqueness::default(),
            rater: None,
        })
    }
}

impl Responder for Describing {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, Batch { records, .. }: Batch<'_>, answer: &mut Answer<'_>) {
        let up_to = self.settings.up_to;
        let rater = self
            .rater
            .get_or_insert_with(|| Rater::new().with_max_rating(up_to));
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        answer.counts += solutions.counts.clone();
        let puzzles = (0..records.len()).map(|record| solutions.pair(records, record));
        let puzzles: Vec<_> = puzzles.map(|pair| Some(pair?.0)).collect();
        let (mut cells, mut candidates) = (Vec::new(), Vec::new());
        for puzzle in puzzles.iter().flatten() {
            match puzzle {
                AnyPuzzle::Cells(puzzle) => cells.push(*puzzle),
                AnyPuzzle::Candidates(puzzle) => candidates.push(*puzzle),
            }
        }
        let mut of_cells = of_cells(solver, rater, &cells).into_iter();
        let mut of_candidates = of_candidates(rater, &candidates).into_iter();
        for (record, puzzle) in puzzles.iter().enumerate() {
            let row = match puzzle {
                Some(AnyPuzzle::Cells(_)) => of_cells.next().expect("one for each"),
                Some(AnyPuzzle::Candidates(_)) => of_candidates.next().expect("one for each"),
                None => StatsRow {
                    clues: None,
                    naked_singles: None,
                    singles: None,
                    guesses: None,
                    er: None,
                },
            };
            StatsColumns::all().push(answer, record, row);
        }
        self.uniqueness.give(answer);
    }

    /// The reference search and chains may take long.
    fn batch(&self) -> usize {
        512
    }

    fn sum_up(&self, answer: &mut Answer<'_>) {
        let sums = Statistics::of(answer).counts(self.settings.up_to);
        answer.counts += sums;
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = records.saturating_sub(counts.get(Status::Unique.name()));
        RunOutcome::new(counts.clone(), failed, "do not have exactly one solution")
    }
}

/// The ER of puzzles with one solution. One over the bound of the rater has none.
fn ratings(rater: &mut Rater, puzzles: &[impl crate::grid::BatchPuzzle]) -> Vec<Option<Rating>> {
    let ratings = rater.rate_batch(puzzles).into_iter();
    ratings.map(|ratings| ratings.ok()?.er).collect()
}

/// The rows of puzzles of 81 cells, with many in a batch of the solver.
fn of_cells<'v>(solver: &mut Solver, rater: &mut Rater, puzzles: &[Puzzle]) -> Vec<StatsRow<'v>> {
    let cells: Vec<[u8; CELLS]> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
    let naked = solver.singles_solve_cells(&cells, Singles::Naked);
    let singles = solver.singles_solve_cells(&cells, Singles::All);
    // Singles are the first step of the reference search: where they suffice it needs no guess.
    let rest = puzzles.iter().zip(&singles);
    let rest = rest.filter_map(|(puzzle, by_singles)| (!by_singles).then_some(*puzzle));
    let guesses = solver.guesses_batch(&rest.collect::<Vec<_>>(), u64::MAX);
    let mut guesses = guesses.into_iter().flatten();
    let rows = puzzles.iter().zip(naked).zip(singles);
    let rows = rows.zip(ratings(rater, puzzles));
    rows.map(|(((puzzle, naked), singles), er)| StatsRow {
        clues: Some(puzzle.clue_count() as u64),
        naked_singles: Some(naked),
        singles: Some(singles),
        guesses: match singles {
            true => Some(0),
            false => guesses.next(),
        },
        er,
    })
    .collect()
}

/// The rows of puzzles that are given by candidates.
fn of_candidates<'v>(rater: &mut Rater, puzzles: &[Candidates]) -> Vec<StatsRow<'v>> {
    let is_solved = |left: Option<Candidates>| left.is_some_and(|left| left.count() == CELLS);
    let rows = puzzles.iter().zip(ratings(rater, puzzles));
    rows.map(|(puzzle, er)| StatsRow {
        clues: Some(puzzle.clues().clue_count() as u64),
        naked_singles: Some(is_solved(puzzle.reduced_by_clues())),
        singles: Some(is_solved(puzzle.reduced())),
        guesses: guesses(puzzle, u64::MAX),
        er,
    })
    .collect()
}

/// The clues and the ER of each row of an answer of [`STATS`] that has them.
///
/// # Panics
///
/// It is an answer of another question.
fn clues_and_ratings(answer: &Answer<'_>) -> impl Iterator<Item = (usize, usize, Option<Rating>)> {
    let columns = StatsColumns::all();
    let (Data::Numbers(clues), Data::Ratings(er)) = (
        answer.column(columns.clues.into()),
        answer.column(columns.er.into()),
    ) else {
        panic!("the answer is one of STATS")
    };
    let rows = clues.iter().zip(er).enumerate();
    rows.filter_map(|(place, (clues, er))| Some((place, (*clues)? as usize, *er)))
}

impl Statistics {
    /// The statistics of the records of a batch, by an answer of [`STATS`].
    ///
    /// # Panics
    ///
    /// It is an answer of another question.
    pub fn of(answer: &Answer<'_>) -> Self {
        let columns = StatsColumns::all();
        let (Data::Flags(naked), Data::Flags(singles), Data::Numbers(guesses)) = (
            answer.column(columns.naked_singles.into()),
            answer.column(columns.singles.into()),
            answer.column(columns.guesses.into()),
        ) else {
            panic!("the answer is one of STATS")
        };
        let mut statistics = Self::default();
        for (place, clues, er) in clues_and_ratings(answer) {
            statistics.puzzles += 1;
            statistics.clues[clues] += 1;
            statistics.naked_singles += u64::from(naked[place] == Some(true));
            statistics.singles += u64::from(singles[place] == Some(true));
            statistics.add_guesses(guesses[place].expect("the search has no limit"));
            statistics.add_rating(er);
        }
        statistics
    }

    /// The names of [`counts`](Self::counts) that are there for every set.
    #[doc(hidden)]
    pub const ALWAYS_COUNTED: [&str; 4] = [
        "naked-singles-solve",
        "singles-solve",
        "guesses",
        "most-guesses",
    ];

    /// The statistics as named numbers, those of a summary: `singles-solve`, `clues-24`, `guesses-2-to-3`, `rating-2-6`
    /// and so on. Those of parts of a set add up, too. The rater had this bound.
    ///
    /// ```
    /// use sudoku_batch::{dataset::Statistics, questions::{Question, StatsSettings}};
    /// let settings = StatsSettings::default();
    /// let cells = b"3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..";
    /// let answer = Question::new(settings.clone())?.ask_cells(&[*cells]);
    /// let counts = Statistics::of(&answer).counts(settings.up_to);
    /// assert_eq!((counts.get("clues-32"), counts.get("most-guesses")), (1, 0));
    /// # Ok::<(), sudoku_batch::questions::SettingError>(())
    /// ```
    pub fn counts(&self, up_to: Rating) -> Counts {
        let [naked_singles, singles, guesses, most_guesses] = Self::ALWAYS_COUNTED;
        let mut counts = Counts::default();
        counts.add(naked_singles, self.naked_singles);
        counts.add(singles, self.singles);
        counts.add(guesses, self.all_guesses);
        counts.raise(most_guesses, self.most_guesses);
        for (clues, count) in self.clue_counts() {
            counts.add(format!("clues-{clues}"), count);
        }
        for (guesses, count) in self.guess_counts() {
            let name = match guesses.into_inner() {
                (first, last) if first == last => format!("guesses-{first}"),
                (first, last) => format!("guesses-{first}-to-{last}"),
            };
            counts.add(name, count);
        }
        for (rating, count) in self.rating_counts() {
            let name = match rating {
                Some(rating) => format!("rating-{rating}"),
                None => format!("rating-over-{up_to}"),
            };
            counts.add(name.replace('.', "-"), count);
        }
        counts
    }
}

impl Weighted {
    /// The sums over the records of a batch, by an answer of [`STATS`] and the weight of each record, which is finite and
    /// not negative. Without weights it is empty.
    ///
    /// # Panics
    ///
    /// It is an answer of another question.
    pub fn of(answer: &Answer<'_>, weights: &[f64]) -> Self {
        let mut sums = Self::default();
        if !weights.is_empty() {
            for (place, clues, er) in clues_and_ratings(answer) {
                sums.add(clues, er, weights[place]);
            }
        }
        sums
    }
}
