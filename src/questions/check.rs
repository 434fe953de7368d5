//! Whether records have one solution and no clue too many, and how good answers to them are.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Kind, Reason, Reject, Responder, RunOutcome,
    Solved, Status, SummaryField, Uniqueness,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, settings},
};
use crate::{
    dataset::{Score, redundant_clues},
    format::Records,
    grid::{AnyPuzzle, CELLS, Grid, Puzzle},
    solve::Solver,
};

settings! {
    /// The settings of [`CHECK`].
    pub struct CheckSettings {
        /// Accept only minimal puzzles: each clue is needed.
        ///
        /// The clues that can each be left out are counted.
        pub minimal: bool,
        /// Compare with the answers to the records.
        #[setting(kind(Kind::Answers))]
        pub answers: bool,
    }
}

columns! {
    /// The columns of [`CHECK`].
    struct CheckColumns, CheckRow for CheckSettings {
        status = Column::STATUS,
        /// the number of clues
        #[column(up_to(729))]
        clue_count: kind::Numbers,
        /// how many clues can each be left out, of a record with one solution
        #[column(up_to(729))]
        redundant_clues if minimal: Option<kind::Numbers>,
        /// whether the answer is the solution, or one of several
        answer_right if answers: Option<kind::Flags>,
        /// blank cells of the puzzle that the answer does not have right
        #[column(up_to(81))]
        wrong_cells if answers: Option<kind::Numbers>,
        /// clues that the answer does not have
        #[column(up_to(81))]
        changed_clues if answers: Option<kind::Numbers>,
    }
}

/// Checks puzzles, and answers to them. With answers its counts have those that [`accuracies`] needs.
///
/// ```
/// use sudoku_batch::{
///     format::{Records, line},
///     questions::{Batch, CHECK, GivenAnswer, accuracies},
/// };
/// let mut records = Records::default();
/// line::read(b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8", &mut records);
/// let mut answer = *b"496528713875143692132967854314289576729654381568731429687492135943815267251376948";
/// let mut asked = CHECK.with([("minimal", "true"), ("answers", "true")])?;
/// let mut check = |answer: &[u8; 81]| {
///     let answers = [GivenAnswer::of_text(answer)];
///     asked.ask(Batch { records: &records, answers: Some(&answers), texts: None })
/// };
/// assert!(check(&answer).rejects.is_empty());
/// answer[1] = b'1'; // a blank, filled wrongly
/// let checked = check(&answer);
/// assert_eq!(checked.rejects[0].reason.to_string(), "1 wrong cell, 0 changed clues");
/// assert_eq!(accuracies(&checked.counts)[1], ("blank_cell_accuracy", Some(55.0 / 56.0)));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static CHECK: Definition = Definition {
    name: "check",
    about: "Check puzzles and answers to puzzles",
    details: "\
A puzzle is right if it has exactly one solution. Answer i belongs to record i: it is right if it is the \
solution, or any of several.",
    settings: CheckSettings::TABLE,
    columns: CheckColumns::TABLE,
    make: made::<CheckSettings>,
};

/// The question with its settings.
#[derive(Debug, Default)]
struct Checking {
    settings: CheckSettings,
    uniqueness: Uniqueness,
    redundant: Vec<Option<u32>>,
}

impl Asked for CheckSettings {
    fn definition() -> &'static Definition {
        &CHECK
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Checking {
            settings: self,
            ..Checking::default()
        })
    }
}

impl Responder for Checking {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            ..Self::default()
        })
    }

    /// Answer i is that to record i. One that is missing or malformed has no cell right.
    ///
    /// # Panics
    ///
    /// There is no answer for each record.
    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let answers = self
            .settings
            .answers
            .then(|| batch.answers.expect("answers"));
        assert!(
            answers.is_none_or(|answers| answers.len() == records.len()),
            "an answer for each record"
        );
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        self.redundant.clear();
        if self.settings.minimal {
            count_redundant(solver, records, &solutions, &mut self.redundant);
        }
        let columns = CheckColumns::of(&self.settings);
        let (mut not_minimal, mut score) = (0, ScoreTotals::default());
        let mut rejects = solutions.rejects.iter().peekable();
        for (record, &status) in solutions.statuses.iter().enumerate() {
            let puzzle = match status {
                Status::Malformed => None,
                _ => records.puzzle(record).ok(),
            };
            let mut reason = rejects
                .next_if(|reject| reject.record == record)
                .map(|reject| reject.reason);
            let redundant = columns.redundant_clues.map(|_| self.redundant[record]);
            if let Some(Some(clues @ 1..)) = redundant {
                not_minimal += 1;
                reason = Some(match puzzle {
                    Some(AnyPuzzle::Candidates(_)) => Reason::NotMinimalCandidates(clues),
                    _ => Reason::NotMinimal(clues),
                });
            }
            let compared = answers.map(|answers| {
                let given = answers[record].puzzle();
                let (is_right, found) = compare(puzzle.as_ref(), solutions.solution(record), given);
                score.add(is_right, found, given.is_none());
                let wrong = found.filter(|_| !is_right).map(Reason::from);
                reason = reason.or(wrong);
                (is_right, found)
            });
            let number = |of: fn(&Score) -> u32| {
                compared.map(|(_, found)| found.as_ref().map(of).map(u64::from))
            };
            let row = CheckRow {
                clue_count: puzzle.map(|puzzle| puzzle.clue_count() as u64),
                redundant_clues: redundant.map(|clues| clues.map(u64::from)),
                answer_right: compared.map(|(is_right, _)| Some(is_right)),
                wrong_cells: number(|score| score.wrong_blanks),
                changed_clues: number(|score| score.changed_clues),
            };
            columns.push(answer, record, row);
            (answer.rejects).extend(reason.map(|reason| Reject { record, reason }));
        }
        answer.counts += solutions.counts.clone();
        if self.settings.minimal {
            answer.counts.add("not-minimal", not_minimal);
        }
        if answers.is_some() {
            score.add_to(&mut answer.counts);
        }
        answer.counts.add("failed", answer.rejects.len() as u64);
        answer.statuses.extend_from_slice(solutions.statuses);
    }

    /// Redundant clues take thousands of solutions.
    fn batch(&self) -> usize {
        if self.settings.minimal { 1024 } else { 10_240 }
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let shown = counts.without(&CELLS_OF_ANSWERS).without(&["failed"]);
        let mut outcome = RunOutcome::new(shown, counts.get("failed"), "failed");
        if self.settings.answers {
            outcome
                .facts
                .extend(accuracies(counts).map(|(name, share)| {
                    // Six digits are enough for sets of a million.
                    let rounded = share.map(|share| (share * 1e6).round() / 1e6);
                    (
                        name,
                        rounded.map_or(SummaryField::Missing, SummaryField::Share),
                    )
                }));
        }
        outcome
    }
}

fn count_redundant(
    solver: &mut Solver,
    records: &Records,
    solutions: &Solved<'_>,
    redundant: &mut Vec<Option<u32>>,
) {
    let pairs = (0..records.len()).map(|record| solutions.pair(records, record));
    redundant.extend(pairs.clone().map(|pair| pair.map(|_| 0)));
    let (mut puzzles, mut grids) = (Vec::new(), Vec::new());
    let (mut candidates, mut grids_of_candidates) = (Vec::new(), Vec::new());
    let mut is_of_cells = Vec::new();
    for (puzzle, grid) in pairs.flatten() {
        is_of_cells.push(matches!(puzzle, AnyPuzzle::Cells(_)));
        match puzzle {
            AnyPuzzle::Cells(puzzle) => {
                puzzles.push(puzzle);
                grids.push(grid);
            }
            AnyPuzzle::Candidates(of_puzzle) => {
                candidates.push(of_puzzle);
                grids_of_candidates.push(grid);
            }
        }
    }
    let mut clues = redundant_clues(solver, &puzzles, &grids).into_iter();
    let found = redundant_clues(solver, &candidates, &grids_of_candidates);
    let mut found = found.into_iter();
    for (place, is_of_cells) in redundant.iter_mut().flatten().zip(is_of_cells) {
        let next = if is_of_cells {
            clues.next()
        } else {
            found.next()
        };
        *place = next.expect("a number for each puzzle");
    }
}

/// Whether the answer is the solution of the puzzle, or one of several, and the comparison with the solution if
/// the puzzle has exactly one.
fn compare(
    puzzle: Option<&AnyPuzzle>,
    solution: Option<Grid>,
    answer: Option<Puzzle>,
) -> (bool, Option<Score>) {
    let Some(puzzle) = puzzle else {
        return (false, None);
    };
    let answer = answer.unwrap_or(Puzzle::EMPTY);
    let clues = puzzle.clues();
    match solution.map(|solution| Score::new(&clues, &solution, answer.as_ascii())) {
        Some(score) => (score.is_right(), Some(score)),
        None => {
            let grid = Grid::from_ascii(answer.as_ascii());
            (grid.is_ok_and(|grid| grid.is_solution_of(puzzle)), None)
        }
    }
}

#[derive(Default)]
struct ScoreTotals {
    right: u64,
    wrong: u64,
    malformed: u64,
    changed: u64,
    scored: u64,
    sum: Score,
}

impl ScoreTotals {
    fn add(&mut self, is_right: bool, score: Option<Score>, is_malformed: bool) {
        self.right += u64::from(is_right);
        self.wrong += u64::from(!is_right);
        self.malformed += u64::from(is_malformed);
        if let Some(score) = score {
            self.changed += u64::from(score.changed_clues > 0);
            self.scored += 1;
            self.sum += score;
        }
    }

    fn add_to(&self, counts: &mut Counts) {
        counts.add("answers-right", self.right);
        counts.add("answers-wrong", self.wrong);
        counts.add("answers-malformed", self.malformed);
        counts.add("answers-with-changed-clues", self.changed);
        let (cells, blanks) = (self.scored * CELLS as u64, u64::from(self.sum.blanks));
        counts.add(CELLS_OF_ANSWERS[0], cells);
        counts.add(
            CELLS_OF_ANSWERS[1],
            cells - u64::from(self.sum.wrong_cells()),
        );
        counts.add(CELLS_OF_ANSWERS[2], blanks);
        counts.add(
            CELLS_OF_ANSWERS[3],
            blanks - u64::from(self.sum.wrong_blanks),
        );
    }
}

/// The names of counts of cells, of answers to records with one solution.
const CELLS_OF_ANSWERS: [&str; 4] = ["cells", "cells-right", "blank-cells", "blank-cells-right"];

/// The accuracies of answers, from the counts of [`CHECK`]: the shares from 0 to 1 of right answers,
/// and, among the answers to records with one solution, of right cells where the puzzle is blank and
/// of right cells. An accuracy of nothing is `None`.
pub fn accuracies(counts: &Counts) -> [(&'static str, Option<f64>); 3] {
    let share = |part, whole| (whole > 0).then(|| part as f64 / whole as f64);
    let [cells, cells_right, blanks, blanks_right] = CELLS_OF_ANSWERS.map(|name| counts.get(name));
    let right = counts.get("answers-right");
    [
        (
            "grid_accuracy",
            share(right, right + counts.get("answers-wrong")),
        ),
        ("blank_cell_accuracy", share(blanks_right, blanks)),
        ("cell_accuracy", share(cells_right, cells)),
    ]
}
