//! `sudoku-batch puzzles`.

mod given;

use super::{
    job::{self, Job},
    making::{self, MadeColumns, MadeWriter, Make},
    summary::Summary,
};
use crate::cli::{
    making::MadeForm,
    puzzles::{Level, Puzzles},
};
use std::{io::Write, ops::Range, process::ExitCode};
use sudoku_batch::{
    Solver,
    format::Values,
    generate::Grids,
    grid::{CELLS, GridLine},
    pipeline::output::Output,
    puzzle::{self, Made, Maker, Recipe},
    solve::{NO_SOLUTION, guesses},
    technique::Rater,
};

/// Makes puzzles.
pub(crate) fn run(options: &Puzzles) -> anyhow::Result<ExitCode> {
    let recipe = options.wanted.recipe()?;
    let made_options = &options.made;
    let mut job = Job::start(&made_options.output)?;
    let (grids, part) = match &options.from {
        Some(path) => {
            let [whole, part] = options.ranges(u64::MAX)?;
            let quiet = made_options.output.quiet;
            let given = given::read(path, &options.form, &whole, &part, quiet)?;
            (Grids::Given(given), part)
        }
        None => {
            let grids = options.grids()?;
            let [_, part] = options.ranges(puzzle::capacity(&grids))?;
            (grids, part)
        }
    };
    let set = PuzzleSet {
        grids,
        seed: options.sequence.seed,
        recipe,
        difficulty: options.wanted.difficulty,
        is_rated: options.wanted.rating.is_some(),
    };
    let count = part.end - part.start;
    let output = job.create_packed(&made_options.output.output, made_options.compress())?;
    let made = set.write(&mut job, part, made_options.format, &output)?;
    job::deliver([], [output])?;
    Ok(job.end(&Summary {
        total: ("puzzles", count),
        counts: vec![("made", made), ("not-made", count - made)],
        among_first: Vec::new(),
        unit: "puzzles",
        facts: options.facts(),
        failed: count - made,
        failure: "could not be made",
    }))
}

/// A set of puzzles: what is needed to make any slice of it.
pub(super) struct PuzzleSet {
    pub(super) grids: Grids,
    pub(super) seed: u64,
    pub(super) recipe: Recipe,
    /// The difficulty that the recipe is for, if any.
    pub(super) difficulty: Option<Level>,
    /// Whether the recipe is for a rating.
    pub(super) is_rated: bool,
}

/// What is known of a puzzle, besides its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Solution,
    Clues,
    Difficulty,
    Guesses,
    Rating,
}

impl Known {
    /// The name of its column, and what kind of values it has.
    fn column(self) -> (&'static str, Values) {
        match self {
            Self::Solution => ("solution", Values::Cells),
            Self::Clues => ("clues", Values::Numbers),
            Self::Difficulty => ("difficulty", Values::Text),
            Self::Guesses => ("guesses", Values::Numbers),
            Self::Rating => ("er", Values::Numbers),
        }
    }
}

impl PuzzleSet {
    /// Writes the puzzles of a range. Returns the number of puzzles that were made.
    pub(super) fn write(
        &self,
        job: &mut Job,
        range: Range<u64>,
        form: MadeForm,
        output: &Output,
    ) -> anyhow::Result<u64> {
        let making = Making {
            set: self,
            known: self.known(),
            // Only these forms show what is known.
            with_values: matches!(form, MadeForm::Csv | MadeForm::Tsv | MadeForm::Jsonl),
        };
        let columns = MadeColumns {
            cells: "puzzle",
            others: making.known.iter().map(|known| known.column()).collect(),
        };
        let writer = MadeWriter::new(form, columns);
        making::write(job, "puzzles", &making, range, &writer, output)
    }

    /// What is known of each puzzle.
    fn known(&self) -> Vec<Known> {
        let mut known = vec![Known::Solution, Known::Clues];
        if let Some(level) = self.difficulty {
            known.push(Known::Difficulty);
            if matches!(level, Level::Expert | Level::Extreme) {
                known.push(Known::Guesses);
            }
        }
        if self.is_rated {
            known.push(Known::Rating);
        }
        known
    }
}

/// A set in the making.
struct Making<'s> {
    set: &'s PuzzleSet,
    known: Vec<Known>,
    with_values: bool,
}

/// What a thread keeps.
struct Kept {
    maker: Maker,
    made: Vec<Option<Made>>,
    /// The rating of each puzzle, if ratings are shown.
    ratings: Vec<String>,
    rater: Option<Rater>,
}

impl Make for Making<'_> {
    type Kept = Kept;
    const AT_ONCE: u64 = 8192;
    const MAY_MISS: bool = true;

    fn keep(&self) -> Kept {
        let set = self.set;
        let maker = Maker::new(
            Solver::new(),
            set.grids.clone(),
            set.seed,
            set.recipe.clone(),
        );
        Kept {
            maker: maker.expect("the recipe was checked with the flags"),
            made: Vec::new(),
            ratings: Vec::new(),
            rater: (set.is_rated && self.with_values).then(Rater::new),
        }
    }

    fn make(&self, kept: &mut Kept, numbers: Range<u64>, lines: &mut [GridLine]) {
        kept.made.resize(lines.len(), None);
        kept.maker.make_batch(numbers.start, &mut kept.made);
        for (line, made) in lines.iter_mut().zip(&kept.made) {
            *line = NO_SOLUTION;
            if let Some(made) = made {
                line[..CELLS].copy_from_slice(made.puzzle.as_ascii());
            }
        }
        if let Some(rater) = &mut kept.rater {
            let cells = lines
                .iter()
                .map(|line| *line.first_chunk().expect("81 of 82"));
            let cells: Vec<[u8; CELLS]> = cells.collect();
            kept.ratings.clear();
            rater.rate_cells(&cells, |ratings| {
                let er = ratings.ok().and_then(|ratings| ratings.er);
                kept.ratings
                    .push(er.map_or(String::new(), |er| er.to_string()));
            });
        }
    }

    fn is_made(&self, kept: &Kept, at: usize) -> bool {
        kept.made[at].is_some()
    }

    fn value(&self, kept: &Kept, at: usize, column: usize, to: &mut Vec<u8>) {
        let made = kept.made[at].as_ref().expect("it was made");
        let number = match self.known[column] {
            Known::Solution => {
                to.extend_from_slice(made.solution.as_ascii());
                return;
            }
            Known::Difficulty => {
                let name = self.set.difficulty.map_or("", Level::name);
                to.extend_from_slice(name.as_bytes());
                return;
            }
            Known::Rating => {
                to.extend_from_slice(kept.ratings[at].as_bytes());
                return;
            }
            Known::Clues => made.puzzle.clue_count() as u64,
            Known::Guesses => guesses(&made.puzzle, u64::MAX).expect("no limit"),
        };
        write!(to, "{number}").expect("into memory");
    }
}
