//! How hard each record is for a person.

use super::{Counts, Reason, Reject, Status, Team, status::StatusColumn};
use crate::{
    format::Records,
    simd::{Level, LevelError},
    solve::{NotUnique, guesses},
    technique::{Difficulty, Position, Rater, Rating, Ratings, Step, Steps},
};
use std::sync::Arc;

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
    up_to: Rating,
    max_work: u64,
    with_guesses: bool,
    with_steps: bool,
    steps: Vec<Vec<Step>>,
    ratings: Vec<Option<Ratings>>,
    guesses: Vec<Option<u64>>,
    statuses: StatusColumn,
}

/// The answer of [`Rate`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rated<'q> {
    /// The steps of each record, within the bounds; none without a rating. It is empty without
    /// [`Rate::with_steps`].
    pub steps: &'q [Vec<Step>],
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
            up_to: Rating::HARDEST,
            max_work: u64::MAX,
            with_guesses: false,
            with_steps: false,
            steps: Vec::new(),
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
        // Steps are searched alone. Then the rater only has to find which records have one solution.
        let rated = if self.with_steps { Rating::NONE } else { up_to };
        self.rater = self.rater.up_to(rated);
        self.up_to = up_to;
        self
    }

    /// Gives the steps too.
    #[must_use]
    pub fn with_steps(mut self) -> Self {
        self.with_steps = true;
        let up_to = self.up_to;
        self.up_to(up_to)
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
        self.ask_with(records, &Arc::new(Team::new(1)))
    }

    /// Rates records with a team: all of its threads that have nothing else to do share the work on a
    /// record that takes long.
    pub fn ask_with(&mut self, records: &Records, team: &Arc<Team>) -> Rated<'_> {
        let _busy = team.enter();
        self.rater.share_with(Some(Arc::clone(team) as _));
        let Self {
            rater,
            up_to,
            max_work,
            with_guesses,
            with_steps,
            steps: all_steps,
            ratings,
            guesses: all_guesses,
            statuses,
        } = self;
        all_steps.clear();
        ratings.clear();
        all_guesses.clear();
        statuses.clear();
        let (cells, _, candidates) = records.by_kind();
        let mut by_candidates = rater.rate_candidates_batch(candidates).into_iter();
        rater.rate_cells(cells, |rating| {
            let record = ratings.len();
            let rating = match records.candidates(record) {
                Some(_) => by_candidates.next().expect("one for each"),
                None => rating,
            };
            let reason = |error| reason(records, record, error);
            let rating = match rating {
                Ok(_) if *with_steps => records.puzzle(record).map_or(rating, |puzzle| {
                    let mut steps = Vec::new();
                    let of_puzzle = Steps::from(Position::new(&puzzle)).up_to(*up_to);
                    let of_puzzle = of_puzzle.max_work(*max_work);
                    let of_puzzle = of_puzzle.shared(Some(Arc::clone(team) as _));
                    let ratings = of_puzzle.ratings(|step| steps.push(step));
                    all_steps.push(steps);
                    Ok(ratings)
                }),
                rating => rating,
            };
            if *with_steps {
                all_steps.resize_with(ratings.len() + 1, Vec::new);
            }
            statuses.push(match rating {
                Ok(Ratings { gave_up: true, .. }) => Err(Reason::TooMuchWork(*max_work)),
                rating => rating.map(|_| Status::Unique).map_err(reason),
            });
            ratings.push(rating.ok());
        });
        if *with_guesses {
            all_guesses.extend(ratings.iter().enumerate().map(|(record, ratings)| {
                let is_beyond = ratings.is_some_and(|ratings: Ratings| ratings.er.is_none());
                let puzzle = is_beyond.then(|| records.puzzle(record).ok());
                guesses(&puzzle.flatten()?, MOST_GUESSES)
            }));
        }
        Rated {
            steps: all_steps,
            ratings,
            guesses: all_guesses,
            statuses: &statuses.statuses,
            rejects: &statuses.rejects,
            counts: statuses.counts(),
        }
    }
}

fn reason(records: &Records, record: usize, error: NotUnique) -> Reason {
    match (records.puzzle(record), error) {
        (Err(error), _) => Reason::Malformed(error),
        (Ok(_), NotUnique::Multiple) => Reason::Multiple,
        (Ok(puzzle), NotUnique::NoSolution) => Reason::from_unsolvable(&puzzle),
    }
}

impl Rated<'_> {
    /// The number of records of each difficulty, the easiest first, and `beyond`: of those whose ER is
    /// over the bound.
    pub fn grades(&self) -> Counts {
        let mut tally = [0; Difficulty::ALL.len()];
        for grade in self.ratings.iter().flatten().filter_map(Ratings::grade) {
            tally[grade as usize] += 1;
        }
        let mut counts = Counts::default();
        for (difficulty, n) in Difficulty::ALL.iter().zip(tally) {
            counts.add(difficulty.name(), n);
        }
        let rated = self.ratings.iter().flatten();
        let beyond = rated.filter(|ratings| ratings.beyond().is_some());
        counts.add("beyond", beyond.count() as u64);
        counts
    }
}
