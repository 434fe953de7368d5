//! The smallest sets of cells whose digits leave singles, or steps up to a rating, for the rest.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Responder, RunOutcome, Status, Uniqueness,
    columns::{Columns, NewText, columns, kind},
    made,
    settings::{Settings, settings},
};
use crate::{
    grid::{AnyPuzzle, BLANK, CELLS, Candidates, Cell, Digits},
    solve::{Batch as Puzzles, NotUniqueError},
    stop,
    technique::{Closures, Rater, Rating, Ratings, Technique},
};
use std::{collections::BTreeMap, fmt::Write, mem};

settings! {
    /// The settings of [`BACKDOORS`].
    pub struct BackdoorsSettings {
        /// Look for sets of up to this many cells.
        ///
        /// A puzzle without a set of this size has no size. Sets of four cells take a second for a puzzle.
        pub most: u64 = "3",
        /// Take all steps with a rating up to X, and not singles alone.
        ///
        /// A set is then a backdoor if the ER of the puzzle with its digits is X or less. Less than 2.3, the rating
        /// of a naked single, means 2.3. Over 4.4 the searches for chains take long.
        pub up_to: Option<Rating>,
        /// Give all sets of the smallest size, and not the first alone.
        pub list: bool,
    }
}

columns! {
    /// The columns of [`BACKDOORS`].
    struct BackdoorsColumns, BackdoorsRow for BackdoorsSettings {
        /// the number of cells of the smallest backdoors; nothing if they have more than are looked for
        #[column(up_to(81), renamed())]
        backdoor_size: kind::Numbers,
        /// the number of backdoors of this size
        backdoor_count: kind::Numbers,
        /// the cells of the first of them, or of all; nothing where singles solve the puzzle
        backdoor: kind::Text,
        status = Column::STATUS,
    }
}

/// Finds the backdoors of puzzles with one solution.
pub static BACKDOORS: Definition = Definition {
    name: "backdoors",
    about: "Find the fewest cells whose digits leave only singles",
    details: "\
A backdoor is a set of blank cells. With the digits that they have in the solution, naked and hidden singles solve \
the puzzle. The size of the smallest says how many good guesses a puzzle takes: 0 for a puzzle that singles solve, \
and 1 or 2 for nearly all others. If a rating is given, all steps up to it may solve the rest.

Of the sets of the smallest size, the first is given, in the order of their cells. Cells stand as r1c2, with + \
between the cells of a set. A record without one solution has no backdoor.",
    settings: BackdoorsSettings::TABLE,
    columns: BackdoorsColumns::TABLE,
    make: made::<BackdoorsSettings>,
};

/// Puzzles whose sets are closed together. More fill the lanes no better, and take more memory.
const TOGETHER: usize = 64;

struct Backdoors {
    most: usize,
    list: bool,
    up_to: Option<Rating>,
    uniqueness: Uniqueness,
    closing: Closing,
}

/// Some cells, bit `c` for the cell `c`.
type Cells = u128;

/// The cells of a set in ascending order.
type Set = Vec<u8>;

/// A puzzle whose backdoors are looked for.
struct Search {
    record: usize,
    solution: [u8; CELLS],
    /// Its candidates, if the record is given by them.
    candidates: Option<Candidates>,
    /// The sets that may be backdoors, in order, and cells that are filled with each: those of the set at least.
    next: Vec<(Set, Cells)>,
}

/// The sets of one size that are no backdoors, and the cells that singles fill with each. Sets with a cell that the others
/// fill are left out: they are no better than the others.
type Stuck = BTreeMap<Set, Cells>;

/// The smallest backdoors of a puzzle.
#[derive(Default)]
struct Found {
    size: usize,
    sets: Vec<Set>,
}

impl Backdoors {
    fn new(most: usize, list: bool, up_to: Option<Rating>) -> Self {
        Self {
            most,
            list,
            up_to,
            uniqueness: Uniqueness::default(),
            closing: Closing::new(up_to),
        }
    }
}

impl Asked for BackdoorsSettings {
    fn definition() -> &'static Definition {
        &BACKDOORS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Backdoors::new(
            self.most.min(CELLS as u64) as usize,
            self.list,
            self.up_to,
        ))
    }
}

impl Responder for Backdoors {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::new(self.most, self.list, self.up_to))
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let Self {
            most,
            list,
            up_to: _,
            uniqueness,
            closing,
        } = self;
        let solutions = uniqueness.ask(records);
        answer.counts += solutions.counts.clone();
        let mut found = Vec::new();
        found.resize_with(records.len(), || None);
        let is_unique = |&record: &usize| solutions.statuses[record] == Status::Unique;
        let unique: Vec<_> = (0..records.len()).filter(is_unique).collect();
        for numbers in unique.chunks(TOGETHER) {
            let mut searches = Vec::new();
            for &record in numbers {
                let (puzzle, solution) = solutions.pair(records, record).expect("it is unique");
                let given = puzzle.clues();
                let given = Cell::all().filter(|&cell| given.get(cell).is_some());
                let given = given.fold(0, |given: Cells, cell| given | 1 << cell.index());
                searches.push(Search {
                    record,
                    solution: *solution.as_ascii(),
                    candidates: match puzzle {
                        AnyPuzzle::Cells(_) => None,
                        AnyPuzzle::Candidates(candidates) => Some(candidates),
                    },
                    next: vec![(Set::new(), given)],
                });
            }
            search(closing, searches, *most, &mut found);
        }
        let (columns, mut text) = (BackdoorsColumns::all(), String::new());
        for (record, found) in found.iter().enumerate() {
            let found: Option<&Found> = found.as_ref();
            let shown = if *list { usize::MAX } else { 1 };
            text.clear();
            for (number, set) in found
                .iter()
                .flat_map(|found| &found.sets)
                .take(shown)
                .enumerate()
            {
                text.push_str(if number > 0 { " " } else { "" });
                for (number, &cell) in set.iter().enumerate() {
                    let plus = if number > 0 { "+" } else { "" };
                    let cell = Cell::new(cell.into()).expect("a cell of 81");
                    write!(text, "{plus}{cell}").expect("a string takes all");
                }
            }
            let row = BackdoorsRow {
                backdoor_size: found.map(|found| found.size as u64),
                backdoor_count: found.map(|found| found.sets.len() as u64),
                backdoor: NewText::from(&text),
            };
            columns.push(answer, record, row);
        }
        uniqueness.give(answer);
    }

    fn batch(&self) -> usize {
        1024
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = records.saturating_sub(counts.get("unique"));
        RunOutcome::new(counts.clone(), failed, "do not have one solution")
    }
}

/// The way to solve the rest: singles, or all steps up to a rating.
///
/// Singles come first in any case. A set with a cell that singles fill from the others leads to the same position as the
/// others, and so to the same steps.
struct Closing {
    singles: Closures,
    /// Rates what singles do not solve.
    rater: Option<(Box<Rater>, Rating)>,
}

impl Closing {
    fn new(up_to: Option<Rating>) -> Self {
        let rater = up_to.map(|up_to| {
            let up_to = up_to.max(Technique::NakedSingle.rating());
            (Box::new(Rater::new().with_max_rating(up_to)), up_to)
        });
        Self {
            singles: Closures::default(),
            rater,
        }
    }

    /// The puzzles that are not solved, in any order, and the cells that singles fill in each.
    fn stuck_cells(&mut self, puzzles: &[[u8; CELLS]]) -> Vec<(usize, Cells)> {
        let mut stuck = self.stuck_by_singles(Puzzles::Cells(puzzles));
        let Some((rater, up_to)) = &mut self.rater else {
            return stuck;
        };
        let rated: Vec<_> = stuck.iter().map(|(n, _)| puzzles[*n]).collect();
        let mut is_solved = Vec::with_capacity(rated.len());
        match *up_to <= Rating::IN_PLANES {
            true => is_solved.extend(rater.ers(&rated, *up_to).map(|er| er.is_some())),
            false => rater.rate_cells(&rated, |ratings| is_solved.push(has_er(ratings))),
        }
        let mut is_solved = is_solved.into_iter();
        stuck.retain(|_| !is_solved.next().expect("one for each"));
        stuck
    }

    /// The backdoors of puzzles that are given by candidates.
    fn stuck_candidates(&mut self, puzzles: &[Candidates]) -> Vec<(usize, Cells)> {
        let mut stuck = self.stuck_by_singles(Puzzles::Candidates(puzzles));
        if let Some((rater, _)) = &mut self.rater {
            let rated: Vec<_> = stuck.iter().map(|(n, _)| puzzles[*n]).collect();
            let mut ratings = rater.rate_batch(&rated).into_iter();
            stuck.retain(|_| !has_er(ratings.next().expect("one for each")));
        }
        stuck
    }

    fn stuck_by_singles(&mut self, puzzles: Puzzles<'_>) -> Vec<(usize, Cells)> {
        let mut stuck = Vec::new();
        self.singles
            .stuck(puzzles, &mut |n, filled| stuck.push((n, filled)));
        stuck
    }
}

fn has_er(ratings: Result<Ratings, NotUniqueError>) -> bool {
    ratings.is_ok_and(|ratings| ratings.er.is_some())
}

/// Finds the smallest backdoors of puzzles, by their records.
fn search(
    closing: &mut Closing,
    mut searches: Vec<Search>,
    most: usize,
    found: &mut [Option<Found>],
) {
    for size in 0..=most {
        let mut tasks = Vec::new();
        // Records by cells, and by candidates.
        let (mut puzzles, mut of_puzzles) = (Vec::new(), Vec::new());
        let (mut candidates, mut of_candidates) = (Vec::new(), Vec::new());
        for (number, search) in searches.iter_mut().enumerate() {
            stop::check();
            for (set, begin) in mem::take(&mut search.next) {
                match &search.candidates {
                    None => {
                        puzzles.push(search.clues(begin));
                        of_puzzles.push(tasks.len());
                    }
                    Some(left) => {
                        candidates.push(search.with_clues(left, begin));
                        of_candidates.push(tasks.len());
                    }
                }
                tasks.push((number, set));
            }
        }
        let mut stuck = vec![None; tasks.len()];
        for (n, filled) in closing.stuck_cells(&puzzles) {
            stuck[of_puzzles[n]] = Some(filled);
        }
        for (n, filled) in closing.stuck_candidates(&candidates) {
            stuck[of_candidates[n]] = Some(filled);
        }
        let mut stuck_sets = vec![Stuck::new(); searches.len()];
        for ((number, set), stuck) in tasks.into_iter().zip(stuck) {
            match stuck {
                Some(filled) => _ = stuck_sets[number].insert(set, filled),
                None => {
                    let found = found[searches[number].record].get_or_insert_default();
                    found.size = size;
                    found.sets.push(set);
                }
            }
        }
        for (search, stuck) in searches.iter_mut().zip(&stuck_sets) {
            if size < most && found[search.record].is_none() {
                search.next = next_sets(stuck);
            }
        }
        searches.retain(|search| found[search.record].is_none());
    }
}

/// The sets with a cell more, in order, and the cells that their parts fill together.
fn next_sets(stuck: &Stuck) -> Vec<(Set, Cells)> {
    let mut next = Vec::new();
    for (set, &filled) in stuck {
        let after = set.last().map_or(0, |last| last + 1);
        for cell in (after..CELLS as u8).filter(|cell| filled >> cell & 1 == 0) {
            let mut more = set.clone();
            more.push(cell);
            let mut begin = filled | 1 << cell;
            // Each part with a cell less, but this one, has to be there and must not fill the cell.
            let are_apart = (0..set.len()).all(|left_out| {
                let mut part = more.clone();
                let other = part.remove(left_out);
                stuck.get(&part).is_some_and(|&filled| {
                    begin |= filled;
                    filled >> other & 1 == 0
                })
            });
            if are_apart {
                next.push((more, begin));
            }
        }
    }
    next
}

impl Search {
    /// The digits of the solution in some cells.
    fn clues(&self, cells: Cells) -> [u8; CELLS] {
        let mut clues = self.solution;
        for (cell, clue) in clues.iter_mut().enumerate() {
            if cells >> cell & 1 == 0 {
                *clue = BLANK;
            }
        }
        clues
    }

    /// Candidates with the digits of the solution in some cells.
    fn with_clues(&self, left: &Candidates, cells: Cells) -> Candidates {
        let mut candidates = *left;
        for cell in Cell::all().filter(|cell| cells >> cell.index() & 1 == 1) {
            let digit = self.solution[cell.index()] - b'1';
            candidates.set(cell, Digits::from_bits(1 << digit));
        }
        candidates
    }
}
