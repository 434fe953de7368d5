//! How hard each record is for a person.

use super::{Counts, Reason, Reject, Status, status::StatusColumn};
use crate::{
    format::Records,
    simd::{Level, LevelError},
    solve::{NotUnique, guesses_of_any},
    technique::{Difficulty, Rater, Rating, Ratings},
};

/// The reference search stops after this many guesses, which take about a second.
pub const MOST_GUESSES: u64 = 1_000_000;

/// Asks for the ratings of each record with one solution.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Rate, Status}};
/// let mut records = Records::default();
/// let text = b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
/// .................................................................................
/// ";
/// line::read(text, &mut records);
/// let mut question = Rate::default().with_guesses();
/// let rated = question.ask(&records);
/// assert_eq!(rated.ratings[0].unwrap().to_string(), "2.6/1.2/1.2");
/// assert_eq!((rated.guesses[0], rated.statuses[1]), (None, Status::Multiple));
/// assert_eq!(rated.grades().get("hard"), 1);
/// ```
#[derive(Debug)]
pub struct Rate {
    rater: Rater,
    max_work: u64,
    with_guesses: bool,
    ratings: Vec<Option<Ratings>>,
    guesses: Vec<Option<u64>>,
    statuses: StatusColumn,
}

/// The answer of [`Rate`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rated<'q> {
    /// The ratings of each record with one solution. Where the status is [`Status::GaveUp`], they may
    /// lack numbers that are not over the bound.
    pub ratings: &'q [Option<Ratings>],
    /// The guesses of the [reference search](crate::solve::guesses) for each record whose ER is not
    /// known, if they are at most [`MOST_GUESSES`]. It is empty without [`Rate::with_guesses`].
    pub guesses: &'q [Option<u64>],
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records without ratings.
    pub rejects: &'q [Reject],
    /// The number of records of each status.
    pub counts: Counts,
}

impl Default for Rate {
    fn default() -> Self {
        Self::of(Rater::new())
    }
}

impl Rate {
    fn of(rater: Rater) -> Self {
        Self {
            rater,
            max_work: u64::MAX,
            with_guesses: false,
            ratings: Vec::new(),
            guesses: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Rates at a level. The ratings are the same at every level.
    ///
    /// # Errors
    ///
    /// This CPU lacks the level.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        Rater::with_level(level).map(Self::of)
    }

    /// Takes no step with a rating over `up_to`. See [`Rater::up_to`].
    #[must_use]
    pub fn up_to(mut self, up_to: Rating) -> Self {
        self.rater = self.rater.up_to(up_to);
        self
    }

    /// Gives up on a record when the searches for its chains have done this work, counted in nodes of
    /// chains. See [`Rater::max_work`].
    #[must_use]
    pub fn with_max_work(mut self, max_work: u64) -> Self {
        self.rater = self.rater.max_work(max_work);
        self.max_work = max_work;
        self
    }

    /// Counts the guesses for puzzles whose ER is not known.
    #[must_use]
    pub fn with_guesses(mut self) -> Self {
        self.with_guesses = true;
        self
    }

    /// Rates records.
    pub fn ask(&mut self, records: &Records) -> Rated<'_> {
        self.ask_until(records, &|| false)
    }

    /// Rates records. When `stop` returns `true`, it counts no more guesses: the answer is of no use
    /// then.
    pub fn ask_until(&mut self, records: &Records, stop: &dyn Fn() -> bool) -> Rated<'_> {
        let Self {
            rater,
            max_work,
            with_guesses,
            ratings,
            guesses: all_guesses,
            statuses,
        } = self;
        ratings.clear();
        all_guesses.clear();
        statuses.clear();
        let (_, candidates) = records.with_candidates();
        let mut by_candidates = rater.rate_candidates_batch(candidates).into_iter();
        rater.rate_cells(records.cells(), |rating| {
            let rating = match records.candidates(ratings.len()) {
                Some(_) => by_candidates.next().expect("one for each"),
                None => rating,
            };
            let reason = |error| reason(records, ratings.len(), error);
            statuses.push(match rating {
                Ok(Ratings { gave_up: true, .. }) => Err(Reason::TooMuchWork(*max_work)),
                rating => rating.map(|_| Status::Unique).map_err(reason),
            });
            ratings.push(rating.ok());
        });
        if *with_guesses {
            all_guesses.extend(ratings.iter().enumerate().map(|(record, ratings)| {
                let is_beyond = ratings.is_some_and(|ratings| ratings.er.is_none());
                let puzzle = (is_beyond && !stop()).then(|| records.any_puzzle(record).ok());
                guesses_of_any(&puzzle.flatten()?, MOST_GUESSES)
            }));
        }
        Rated {
            ratings,
            guesses: all_guesses,
            statuses: &statuses.statuses,
            rejects: &statuses.rejects,
            counts: statuses.counts(),
        }
    }
}

fn reason(records: &Records, record: usize, error: NotUnique) -> Reason {
    match (records.any_puzzle(record), error) {
        (Err(error), _) => Reason::Malformed(error),
        (Ok(_), NotUnique::Multiple) => Reason::Multiple,
        (Ok(puzzle), NotUnique::NoSolution) => Reason::from_any_unsolvable(&puzzle),
    }
}

impl Rated<'_> {
    /// The number of records of each difficulty, the easiest first.
    pub fn grades(&self) -> Counts {
        let mut tally = [0; Difficulty::ALL.len()];
        for grade in self.ratings.iter().flatten().filter_map(Ratings::grade) {
            tally[grade as usize] += 1;
        }
        let mut counts = Counts::default();
        for (difficulty, n) in Difficulty::ALL.iter().zip(tally) {
            counts.add(difficulty.name(), n);
        }
        counts
    }
}
