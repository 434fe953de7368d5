//! `sudoku-batch puzzles`.

mod given;

use super::{
    checker::{self, Checker, Wrong, line_of, usual_engine},
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
    Grid, Puzzle, Solver,
    format::Values,
    generate::Grids,
    grid::{CELLS, GridLine},
    pipeline::output::Output,
    puzzle::{self, Made, Maker, Recipe},
    solve::{NO_SOLUTION, NotUnique, guesses},
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
        verify: options.verify,
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
    /// Whether each puzzle is checked.
    pub(super) verify: bool,
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

impl Making<'_> {
    /// Checks puzzles and their solutions. They are from a piece of so many records.
    fn check(
        &self,
        checker: &mut Checker,
        puzzles: &[Puzzle],
        solutions: &[GridLine],
        records: usize,
    ) -> Result<(), Wrong> {
        let recipe = &self.set.recipe;
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        let grids = checker.solutions(&cells, solutions);
        let wrong_clues = puzzles
            .iter()
            .position(|puzzle| !recipe.has_clues_for(puzzle));
        let clues = match wrong_clues {
            Some(at) => Err(Wrong::new(
                at,
                "its clues are not those that were asked for",
            )),
            None => Ok(()),
        };
        let mut unique = Ok(());
        if recipe.is_unique() {
            let found = checker.solve(usual_engine(records), puzzles);
            let mut pairs = found.iter().zip(solutions);
            unique = match pairs.position(|(found, solution)| !is_solution(found, solution)) {
                Some(at) => {
                    let what = "by the other engine it has not one solution, or another one";
                    Err(Wrong::new(at, what))
                }
                None => Ok(()),
            };
        }
        checker::first(checker::first(grids, clues), unique)
    }
}

/// Whether a solution was found, and it is this one.
fn is_solution(found: &Result<Grid, NotUnique>, solution: &GridLine) -> bool {
    found.is_ok_and(|found| found.as_ascii()[..] == solution[..CELLS])
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

    fn verifies(&self) -> bool {
        self.set.verify
    }

    fn verify(&self, kept: &Kept, checker: &mut Checker, lines: &[GridLine]) -> Result<(), Wrong> {
        let made = kept.made.iter().zip(lines).enumerate();
        let made = made.filter_map(|(at, (made, line))| Some((at, made.as_ref()?, line)));
        let cells = |line: &GridLine| Puzzle::from_ascii(line.first_chunk().expect("81 of 82"));
        // A line that is no puzzle is solved as one without clues, which has many solutions.
        let puzzle = |line| cells(line).unwrap_or(Puzzle::EMPTY);
        let puzzles: Vec<_> = made.clone().map(|(_, _, line)| puzzle(line)).collect();
        let solutions: Vec<_> = made
            .clone()
            .map(|(_, made, _)| line_of(made.solution.as_ascii()))
            .collect();
        let of_puzzles: Vec<_> = made.map(|(at, ..)| at).collect();
        let found = self.check(checker, &puzzles, &solutions, lines.len());
        found.map_err(|wrong| Wrong::new(of_puzzles[wrong.record], wrong.what))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::making::tests::{Corrupting, fail};
    use sudoku_batch::{generate::Uniform, puzzle::Symmetry};

    fn set(recipe: Recipe) -> PuzzleSet {
        PuzzleSet {
            grids: Grids::Uniform(Uniform::seeded(3)),
            seed: 3,
            recipe,
            difficulty: None,
            is_rated: false,
            verify: true,
        }
    }

    /// Checks that changed puzzles are named, with what is wrong.
    fn check(recipe: &Recipe, change: fn(&mut GridLine), what: &str) {
        let set = set(recipe.clone());
        for threads in [1, 2, 8] {
            for form in [MadeForm::Line, MadeForm::Csv] {
                let making = Corrupting {
                    making: Making {
                        set: &set,
                        known: set.known(),
                        with_values: form == MadeForm::Csv,
                    },
                    numbers: vec![8300, 8250, 16_500],
                    change,
                };
                let error = fail(&making, "puzzles", 5..16_600, threads, form);
                let place = "puzzle 8250, counted from 0: --verify found a wrong answer: ";
                let end = "; output files stay as they were";
                assert_eq!(error, format!("{place}{what}{end}"));
            }
        }
    }

    fn remove_a_clue(line: &mut GridLine) {
        let clue = line.iter().position(|cell| cell.is_ascii_digit());
        line[clue.unwrap()] = b'.';
    }

    #[test]
    fn a_wrong_puzzle_is_named() {
        let not_unique = "by the other engine it has not one solution, or another one";
        let other_clues = "its clues are not those that were asked for";
        let minimal = Recipe::minimal();
        check(&minimal, remove_a_clue, not_unique);
        let clues = Recipe::clues(30..=30).unwrap();
        check(&clues, remove_a_clue, other_clues);
        let several = clues.clone().not_unique().unwrap();
        check(&several, remove_a_clue, other_clues);
        // Any puzzle has all digits but one: two of them change places, and so does the solution.
        let rename: fn(&mut GridLine) = |line| {
            for cell in line {
                *cell = match *cell {
                    b'1' => b'2',
                    b'2' => b'1',
                    cell => cell,
                }
            }
        };
        for recipe in [&minimal, &clues, &several] {
            let set = set(recipe.clone());
            let mut kept = [None; 8251];
            let maker = Maker::new(Solver::new(), set.grids, set.seed, set.recipe);
            maker.unwrap().make_batch(0, &mut kept[..]);
            let made = kept[8250].unwrap();
            let is_changed = |&cell: &u8| matches!(cell, b'1' | b'2');
            let first = made.puzzle.as_ascii().iter().position(is_changed).unwrap();
            let clue = match made.puzzle.as_ascii()[first] {
                b'1' => 2,
                _ => 1,
            };
            let what = format!(
                "r{}c{} is not the clue {clue}",
                first / 9 + 1,
                first % 9 + 1
            );
            check(recipe, rename, &what);
        }
        let symmetric = minimal.with_symmetry(Symmetry::Rotate180).unwrap();
        check(&symmetric, remove_a_clue, other_clues);
    }
}
