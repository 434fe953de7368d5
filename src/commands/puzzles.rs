//! `sudoku-batch puzzles`.

mod given;

use super::{
    job::{self, Job},
    summary::Summary,
};
use crate::cli::puzzles::{Format, Level, Puzzles};
use std::{io::Write, ops::Range, process::ExitCode};
use sudoku_batch::{
    Solver,
    format::block::{BLOCK, write_block},
    generate::Grids,
    grid::{BLANK, CELLS},
    pipeline::{Growing, output::Output},
    puzzle::{self, Made, Maker, Recipe},
    solve::{NO_SOLUTION, guesses},
};

/// How many puzzles a thread makes at a time.
pub(super) const AT_ONCE: u64 = 8192;

/// Makes puzzles.
pub(crate) fn run(options: &Puzzles) -> anyhow::Result<ExitCode> {
    let recipe = options.wanted.recipe()?;
    let mut job = Job::start(&options.output)?;
    let (grids, part, input) = match &options.from {
        Some(path) => {
            let [whole, part] = options.ranges(u64::MAX)?;
            let mut input = job::open(path)?;
            let given = given::read(&mut input, &whole, &part, options.output.quiet)?;
            (Grids::Given(given), part, Some(input))
        }
        None => {
            let grids = options.grids()?;
            let [_, part] = options.ranges(puzzle::capacity(&grids))?;
            (grids, part, None)
        }
    };
    let set = PuzzleSet {
        grids,
        seed: options.sequence.seed,
        recipe,
        difficulty: options.wanted.difficulty,
    };
    let count = part.end - part.start;
    let output = job.create(&options.output.output)?;
    let made = set.write(&mut job, part, options.format, &output)?;
    job::deliver(input, [output])?;
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
}

impl PuzzleSet {
    /// Writes the puzzles of a range. Returns the number of puzzles that were made.
    pub(super) fn write(
        &self,
        job: &mut Job,
        range: Range<u64>,
        format: Format,
        output: &Output,
    ) -> anyhow::Result<u64> {
        let first = range.start;
        let mut total = 0;
        job.begin("puzzles", Some(range.end - first));
        // Make at least one piece, because a header is written even before no puzzles.
        let pieces = (range.end - first).div_ceil(AT_ONCE).max(1);
        let pieces = (0..pieces).map(|piece| {
            let start = first + piece * AT_ONCE;
            Ok(start..range.end.min(start + AT_ONCE))
        });
        job.run(
            pieces,
            output,
            || (self.maker(), Vec::new()),
            |(maker, made), piece: Range<u64>, out| {
                made.resize((piece.end - piece.start) as usize, None);
                maker.make_batch(piece.start, made);
                let begins = piece.start == first;
                self.write_piece(piece.start, made, format, begins, &mut out.growing());
                let count = made.iter().flatten().count() as u64;
                (made.len() as u64, count)
            },
            |report, (done, made)| {
                total += made;
                report.advance(done, made);
                Ok(())
            },
        )?;
        Ok(total)
    }

    fn maker(&self) -> Maker {
        let (grids, recipe) = (self.grids.clone(), self.recipe.clone());
        let maker = Maker::new(Solver::new(), grids, self.seed, recipe);
        maker.expect("the recipe was checked with the flags")
    }

    /// Writes puzzles. `begins` says that no puzzles come before them.
    fn write_piece(
        &self,
        start: u64,
        made: &[Option<Made>],
        format: Format,
        begins: bool,
        out: &mut Growing<'_>,
    ) {
        if begins && format == Format::Csv {
            let known = self.known(None).map(|(name, _)| format!(",{name}"));
            let known: String = known.collect();
            out.extend_from_slice(format!("index,puzzle,solution,clues{known}\n").as_bytes());
        }
        let mut begins = begins;
        for (index, made) in (start..).zip(made) {
            let Some(made) = made else {
                if format == Format::Line {
                    out.extend_from_slice(&NO_SOLUTION);
                }
                continue;
            };
            if !begins && matches!(format, Format::Block | Format::Grid) {
                out.extend_from_slice(b"\n");
            }
            begins = false;
            match format {
                Format::Line => {
                    out.extend_from_slice(made.puzzle.as_ascii());
                    out.extend_from_slice(b"\n");
                }
                Format::Csv => self.write_csv(index, made, out),
                Format::Jsonl => self.write_json(index, made, out),
                Format::Block => {
                    for row in made.puzzle.as_ascii().as_chunks::<9>().0 {
                        out.extend_from_slice(row);
                        out.extend_from_slice(b"\n");
                    }
                }
                Format::Grid => {
                    let zero = |c| if c == BLANK { b'0' } else { c };
                    let cells: [u8; CELLS] = made.puzzle.as_ascii().map(zero);
                    let mut block = [0; BLOCK];
                    write_block(&cells, &mut block);
                    out.extend_from_slice(&block);
                }
            }
        }
    }

    /// The other facts about a puzzle: names, and values as they appear in JSON.
    fn known(&self, made: Option<&Made>) -> impl Iterator<Item = (&'static str, String)> {
        let name = self
            .difficulty
            .map(|level| ("difficulty", format!("\"{}\"", level.name())));
        let guessed = self
            .difficulty
            .filter(|level| matches!(level, Level::Expert | Level::Extreme));
        let guesses = guessed.map(|_| {
            let guesses = made.map_or(Some(0), |made| guesses(&made.puzzle, u64::MAX));
            ("guesses", guesses.expect("no limit").to_string())
        });
        name.into_iter().chain(guesses)
    }

    fn write_csv(&self, index: u64, made: &Made, out: &mut Growing<'_>) {
        let Made { puzzle, solution } = made;
        write!(out, "{index},{puzzle},{solution},{}", puzzle.clue_count()).expect("into memory");
        for (_, value) in self.known(Some(made)) {
            write!(out, ",{}", value.trim_matches('"')).expect("into memory");
        }
        out.extend_from_slice(b"\n");
    }

    fn write_json(&self, index: u64, made: &Made, out: &mut Growing<'_>) {
        let Made { puzzle, solution } = made;
        write!(
            out,
            "{{\"index\":{index},\"puzzle\":\"{puzzle}\",\"solution\":\"{solution}\",\"clues\":{}",
            puzzle.clue_count()
        )
        .expect("into memory");
        for (name, value) in self.known(Some(made)) {
            write!(out, ",\"{name}\":{value}").expect("into memory");
        }
        out.extend_from_slice(b"}\n");
    }
}
