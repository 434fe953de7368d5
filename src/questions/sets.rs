//! Sets of records that are made by their numbers: grids and puzzles, as columns of an [`Answer`].
//!
//! A door makes any slice of a set, on any number of threads. It writes the columns by their kinds, as it
//! writes those of a question.
//!
//! ```
//! use sudoku_batch::{generate::{Grids, Sequence}, questions::{Answer, Data, GridSet, MadeSet}};
//! let set = GridSet::new(Grids::Sequence(Sequence::seeded(7)));
//! let mut answer = Answer::new(set.columns().iter().map(|column| column.values).collect::<Vec<_>>());
//! answer.begin(3);
//! set.worker()(40..43, &mut answer);
//! let Data::Cells(lines) = answer.column(1) else { unreachable!() };
//! assert_eq!(lines.as_slice()[2][..81], *Sequence::seeded(7).grid(42).unwrap().as_ascii());
//! ```

use super::{Answer, Column, RATE, verification::Check};
use crate::{
    format::Values,
    generate::Grids,
    grid::{BLANK, CELLS},
    puzzle::{Maker, Recipe, RecipeError, Wanted},
    solve::{Solver, guesses},
    technique::{Difficulty, Rater, Rating, Technique},
};
use std::{fmt::Debug, ops::Range};

/// A set of records that are made by their numbers.
pub trait MadeSet: Debug + Sync {
    /// The columns. The first is the number of the record, counted from 0, and takes no values.
    fn columns(&self) -> Vec<Column>;

    /// The work of a thread, with its memory: makes the records with some numbers.
    fn worker(&self) -> MakeRecords<'_>;

    /// How the records are checked by a method that shares no code with the one that made them.
    fn check(&self) -> Check;
}

/// Makes the records with these numbers, as rows of an answer that has [begun](Answer::begin) with as many
/// records. A record that cannot be made has [nothing](Answer::nothing).
pub type MakeRecords<'s> = Box<dyn FnMut(Range<u64>, &mut Answer<'_>) + Send + 's>;

/// The number of a record that is made.
const INDEX: Column = Column::new(
    "index",
    Values::Record,
    "the number of the record, counted from 0",
);

/// Solved grids by their numbers.
#[derive(Clone, Debug)]
pub struct GridSet {
    grids: Grids,
}

impl GridSet {
    /// The set of these grids.
    pub fn new(grids: Grids) -> Self {
        Self { grids }
    }
}

impl MadeSet for GridSet {
    fn columns(&self) -> Vec<Column> {
        vec![INDEX, Column::new("grid", Values::Cells, "the grid")]
    }

    fn worker(&self) -> MakeRecords<'_> {
        Box::new(|numbers, answer| self.grids.write_lines(numbers.start, answer.lines()))
    }

    fn check(&self) -> Check {
        Check::Grids
    }
}

/// Puzzles by their numbers, each with its solution and what is known of it.
///
/// The columns are `index`, `puzzle`, `solution` and `clues`. A wish for a difficulty, for guesses or for a
/// rating or a technique adds `difficulty`, `guesses`, or `er` and `technique`.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    grids: Grids,
    seed: u64,
    recipe: Recipe,
    difficulty: Option<Difficulty>,
    has_guesses: bool,
    /// The ER up to which puzzles are rated, if they are.
    rated_up_to: Option<Rating>,
    blank: u8,
}

impl PuzzleSet {
    /// The puzzles of a seed that are made from these grids. `has_guesses` asks for the column of guesses.
    ///
    /// # Errors
    ///
    /// No puzzle can have what is wanted.
    pub fn new(
        grids: Grids,
        seed: u64,
        wanted: &Wanted,
        has_guesses: bool,
    ) -> Result<Self, RecipeError> {
        let is_rated = wanted.rating.is_some() || wanted.needs.is_some();
        Ok(Self {
            grids,
            seed,
            recipe: wanted.recipe()?,
            difficulty: wanted.difficulty,
            has_guesses,
            rated_up_to: is_rated.then_some(Rating::HARDEST),
            blank: BLANK,
        })
    }

    /// The same with `er` and `technique`, whatever is wanted. Where no wish is about ratings, nothing above
    /// 4.4 is looked for, which would take long.
    #[must_use]
    pub fn with_ratings(mut self) -> Self {
        let usual = match self.difficulty {
            Some(_) => Rating::HARDEST,
            None => Rating::IN_PLANES,
        };
        self.rated_up_to.get_or_insert(usual);
        self
    }

    /// The same with this character for blanks.
    #[must_use]
    pub fn with_blank(mut self, blank: u8) -> Self {
        self.blank = blank;
        self
    }

    /// The [work](MadeSet::worker) of a thread, which keeps the set.
    pub fn into_worker(self) -> MakeRecords<'static> {
        let (grids, recipe) = (self.grids.clone(), self.recipe.clone());
        let maker = Maker::new(Solver::new(), grids, self.seed, recipe);
        let mut maker = maker.expect("the recipe is checked");
        let mut rater = self
            .rated_up_to
            .map(|most| Rater::new().with_max_rating(most));
        let mut made = Vec::new();
        Box::new(move |numbers, answer| {
            made.clear();
            made.resize((numbers.end - numbers.start) as usize, None);
            maker.make_batch(numbers.start, &mut made);
            let count = made.iter().flatten().count();
            answer.counts.add("made", count as u64);
            answer.counts.add("not-made", (made.len() - count) as u64);
            let columns = answer.kinds().len();
            let (guesses_at, er_at) = (4 + usize::from(self.difficulty.is_some()), columns - 2);
            // The maker knows the ratings of puzzles that it has made for one, but for chains of which
            // all are wanted.
            let mut hardest: Vec<_> = made.iter().map(|made| made.as_ref()?.hardest).collect();
            if let Some(rater) = rater.as_mut().filter(|_| answer.is_wanted(er_at)) {
                let unknown: Vec<usize> = (0..made.len())
                    .filter(|&at| made[at].is_some() && hardest[at].is_none())
                    .collect();
                let cells = unknown.iter().flat_map(|&at| &made[at]);
                let cells: Vec<[u8; CELLS]> = cells.map(|made| *made.puzzle.as_ascii()).collect();
                let mut unknown = unknown.into_iter();
                rater.rate_cells(&cells, |ratings| {
                    let at = unknown.next().expect("an answer for each puzzle");
                    // Without the promise of one solution there may be no rating.
                    hardest[at] = ratings
                        .ok()
                        .and_then(|ratings| ratings.er.zip(ratings.technique));
                });
            }
            for (at, (made, hardest)) in made.iter().zip(&hardest).enumerate() {
                let Some(made) = made else {
                    answer.nothing(at);
                    continue;
                };
                let mut puzzle = *made.puzzle.as_ascii();
                if self.blank != BLANK {
                    let blanks = puzzle.iter_mut().filter(|cell| **cell == BLANK);
                    blanks.for_each(|cell| *cell = self.blank);
                }
                let needs_guesses = self.has_guesses && answer.is_wanted(guesses_at);
                let mut row = answer
                    .row(at)
                    .cells(Some(&puzzle))
                    .cells(Some(made.solution.as_ascii()))
                    .number(Some(made.puzzle.clue_count() as u64));
                if let Some(difficulty) = self.difficulty {
                    row = row.name(Some(difficulty as usize));
                }
                if self.has_guesses {
                    row = row.number(match needs_guesses {
                        true => guesses(&made.puzzle, u64::MAX),
                        false => None,
                    });
                }
                if self.rated_up_to.is_some() {
                    let (er, technique) = hardest.unzip();
                    row.rating(er)
                        .name(technique.map(|technique: Technique| technique as usize));
                }
            }
        })
    }
}

impl MadeSet for PuzzleSet {
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![
            INDEX,
            Column::new("puzzle", Values::Puzzles, "the puzzle"),
            Column::new("solution", Values::Cells, "the solution"),
            Column::new("clues", Values::Numbers, "the number of clues").up_to(81),
        ];
        if self.difficulty.is_some() {
            let values = RATE.column("grade").values;
            columns.push(Column::new(
                "difficulty",
                values,
                "the difficulty that was asked for",
            ));
        }
        if self.has_guesses {
            let about = "the guesses of the reference search";
            columns.push(Column::new("guesses", Values::Numbers, about));
        }
        if self.rated_up_to.is_some() {
            columns.extend(["er", "technique"].map(|name| *RATE.column(name)));
        }
        columns
    }

    fn worker(&self) -> MakeRecords<'_> {
        self.clone().into_worker()
    }

    fn check(&self) -> Check {
        Check::Puzzles(Box::new(self.recipe.clone()))
    }
}
