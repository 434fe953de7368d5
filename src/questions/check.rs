//! Whether records have one solution and no clue too many, and how good answers to them are.

use super::{
    Answer, Batch, Column, Counts, Definition, Fact, Kind, OnlySolutions, Reason, Reject,
    RunOutcome, Setting, Status, Uniqueness, Value, Work,
};
use crate::{
    dataset::{Score, redundant_clues},
    format::{Records, Values},
    grid::{AnyPuzzle, CELLS, Grid, Puzzle},
    solve::Solver,
};

/// Checks puzzles, and answers to them.
pub static CHECK: Definition = Definition {
    name: "check",
    about: "Check puzzles and answers to puzzles",
    details: "\
A puzzle is right if it has exactly one solution. Answer i belongs to record i: it is right if it is the \
solution, or any of several.",
    notes: "",
    failure: "some record does not have exactly one solution, or not all that was asked for holds",
    verification: "",
    settings: &[
        Setting::new(
            "minimal",
            Kind::Flag,
            "Check that no clue can be left out, and count those that can.",
        ),
        Setting::new(
            "answers",
            Kind::Answers,
            "Compare with the answers to the records.",
        ),
    ],
    columns: &[
        Column::STATUS,
        Column::new("clue_count", Values::Numbers, "the number of clues").up_to(729),
        Column::new(
            "redundant_clues",
            Values::Numbers,
            "how many clues can each be left out, of a record with one solution",
        )
        .up_to(729)
        .when("minimal"),
        Column::new(
            "answer_right",
            Values::Flags,
            "whether the answer is the solution, or one of several",
        )
        .when("answers"),
        Column::new(
            "wrong_cells",
            Values::Numbers,
            "blank cells of the puzzle that the answer does not have right",
        )
        .up_to(81)
        .when("answers"),
        Column::new(
            "changed_clues",
            Values::Numbers,
            "clues that the answer does not have",
        )
        .up_to(81)
        .when("answers"),
    ],
    make: || Box::new(Checking::default()),
};

/// The question with its settings.
#[derive(Debug, Default)]
struct Checking {
    minimal: bool,
    answers: bool,
    check: Check,
}

impl Work for Checking {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("minimal", Value::Flag(is_set)) => self.minimal = is_set,
            ("answers", Value::Flag(is_set)) => self.answers = is_set,
            _ => unreachable!("{name} is no setting of this kind"),
        }
        self.check.minimal = self.minimal;
    }

    fn fork(&self) -> Box<dyn Work> {
        let check = Check {
            minimal: self.minimal,
            ..Check::default()
        };
        Box::new(Self { check, ..*self })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let checked = self.check.ask(batch.records, batch.answers);
        answer.counts.add("failed", checked.rejects.len() as u64);
        answer.counts += checked.counts.clone();
        answer.statuses.extend_from_slice(checked.statuses);
        answer.rejects.extend_from_slice(checked.rejects);
        for record in 0..batch.records.len() {
            let mut row = answer
                .row(record)
                .number(checked.clues[record].map(u64::from));
            if self.minimal {
                row = row.number(checked.redundant[record].map(u64::from));
            }
            if self.answers {
                let answer = &checked.answers[record];
                let number = |of: fn(&Score) -> u32| answer.score.as_ref().map(of).map(u64::from);
                row.flag(Some(answer.right))
                    .number(number(|score| score.wrong_blanks))
                    .number(number(|score| score.changed_clues));
            }
        }
    }

    /// Redundant clues take thousands of solutions.
    fn batch(&self) -> usize {
        if self.minimal { 1024 } else { 10_240 }
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let shown = counts.without(&CELLS_OF_ANSWERS).without(&["failed"]);
        let mut outcome = RunOutcome::new(shown, counts.get("failed"), "are not as they should be");
        if self.answers {
            outcome
                .facts
                .extend(accuracies(counts).map(|(name, share)| {
                    // Six digits are enough for sets of a million.
                    let rounded = share.map(|share| (share * 1e6).round() / 1e6);
                    (name, rounded.map_or(Fact::Missing, Fact::Share))
                }));
        }
        outcome
    }
}

/// Checks puzzles, and perhaps answers to them.
///
/// ```
/// use sudoku_batch::{
///     format::{Records, line},
///     questions::{Check, accuracies},
/// };
/// let mut records = Records::default();
/// line::read(b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8", &mut records);
/// let mut answer = *b"496528713875143692132967854314289576729654381568731429687492135943815267251376948";
/// let answers = |answer: &[u8; 81]| [Some(str::from_utf8(answer).unwrap().parse().unwrap())];
/// let mut question = Check::default().minimal();
/// let checked = question.ask(&records, Some(&answers(&answer)));
/// assert_eq!((checked.clues, checked.redundant), (&[Some(25)][..], &[Some(0)][..]));
/// assert!(checked.answers[0].right && checked.rejects.is_empty());
/// answer[1] = b'1'; // a blank, filled wrongly
/// let checked = question.ask(&records, Some(&answers(&answer)));
/// assert_eq!(checked.answers[0].score.unwrap().wrong_blanks, 1);
/// assert_eq!(checked.rejects[0].reason.to_string(), "1 wrong cells, 0 changed clues");
/// assert_eq!(accuracies(&checked.counts)[1], ("blank_cell_accuracy", Some(55.0 / 56.0)));
/// ```
#[derive(Debug, Default)]
pub struct Check {
    minimal: bool,
    uniqueness: Uniqueness,
    clues: Vec<Option<u32>>,
    redundant: Vec<Option<u32>>,
    answers: Vec<AnswerCheck>,
    rejects: Vec<Reject>,
}

/// The answer of [`Check`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked<'q> {
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The number of clues, of records that are not malformed.
    pub clues: &'q [Option<u32>],
    /// The number of redundant clues, of records with one solution, or of redundant missing candidates
    /// ([`redundant_clues`]). It is empty without
    /// [`Check::minimal`].
    pub redundant: &'q [Option<u32>],
    /// The result for each answer. It is empty without answers.
    pub answers: &'q [AnswerCheck],
    /// The records that have not exactly one solution, have redundant clues or a wrong answer.
    pub rejects: &'q [Reject],
    /// The number of records of each status; with [`Check::minimal`] `not-minimal`; with answers
    /// `answers-right`, `answers-wrong`, `answers-malformed` (which are wrong too) and
    /// `answers-with-changed-clues`, and the counts that [`accuracies`] needs.
    pub counts: Counts,
}

/// The result for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCheck {
    /// Whether it is the solution of the record, or one of several.
    pub right: bool,
    /// The comparison with the solution, if the record has exactly one.
    pub score: Option<Score>,
}

impl Check {
    /// Counts redundant clues, too.
    #[must_use]
    pub fn minimal(mut self) -> Self {
        self.minimal = true;
        self
    }

    /// Checks records. Answer i is that to record i; `None` is an answer that is not 81 cells: none
    /// of its cells is right.
    ///
    /// # Panics
    ///
    /// The number of answers is not the number of records.
    pub fn ask(&mut self, records: &Records, answers: Option<&[Option<Puzzle>]>) -> Checked<'_> {
        let count = records.len();
        assert!(
            answers.is_none_or(|answers| answers.len() == count),
            "an answer for each record"
        );
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        self.redundant.clear();
        if self.minimal {
            count_redundant(solver, records, &solutions, &mut self.redundant);
        }
        let mut counts = solutions.solved.counts.clone();
        self.clues.clear();
        self.answers.clear();
        self.rejects.clear();
        let mut rejects = solutions.solved.rejects.iter().peekable();
        let (mut not_minimal, mut score) = (0, ScoreTotals::default());
        for record in 0..count {
            let puzzle = match solutions.solved.statuses[record] {
                Status::Malformed => None,
                _ => records.puzzle(record).ok(),
            };
            self.clues
                .push(puzzle.map(|puzzle| puzzle.clue_count() as u32));
            let mut reason = rejects
                .next_if(|reject| reject.record == record)
                .map(|reject| reject.reason);
            if let Some(Some(clues @ 1..)) = self.redundant.get(record) {
                not_minimal += 1;
                reason = Some(match puzzle {
                    Some(AnyPuzzle::Candidates(_)) => Reason::NotMinimalCandidates(*clues),
                    _ => Reason::NotMinimal(*clues),
                });
            }
            if let Some(answers) = answers {
                let answer = compare(puzzle.as_ref(), solutions.solution(record), answers[record]);
                score.add(&answer, answers[record].is_none());
                if let AnswerCheck {
                    right: false,
                    score: Some(score),
                } = answer
                {
                    reason = reason.or(Some(Reason::WrongAnswer(score)));
                }
                self.answers.push(answer);
            }
            self.rejects
                .extend(reason.map(|reason| Reject { record, reason }));
        }
        if self.minimal {
            counts.add("not-minimal", not_minimal);
        }
        if answers.is_some() {
            score.add_to(&mut counts);
        }
        Checked {
            statuses: solutions.solved.statuses,
            clues: &self.clues,
            redundant: &self.redundant,
            answers: &self.answers,
            rejects: &self.rejects,
            counts,
        }
    }
}

fn count_redundant(
    solver: &mut Solver,
    records: &Records,
    solutions: &OnlySolutions<'_>,
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

fn compare(
    puzzle: Option<&AnyPuzzle>,
    solution: Option<Grid>,
    answer: Option<Puzzle>,
) -> AnswerCheck {
    let Some(puzzle) = puzzle else {
        return AnswerCheck::default();
    };
    let answer = answer.unwrap_or(Puzzle::EMPTY);
    let clues = puzzle.clues();
    match solution.map(|solution| Score::new(&clues, &solution, answer.as_ascii())) {
        Some(score) => AnswerCheck {
            right: score.is_right(),
            score: Some(score),
        },
        None => {
            let grid = Grid::from_ascii(answer.as_ascii());
            let right = grid.is_ok_and(|grid| grid.is_solution_of(puzzle));
            AnswerCheck { right, score: None }
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
    fn add(&mut self, answer: &AnswerCheck, is_malformed: bool) {
        self.right += u64::from(answer.right);
        self.wrong += u64::from(!answer.right);
        self.malformed += u64::from(is_malformed);
        if let Some(score) = answer.score {
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

/// The accuracies of answers, from the counts of [`Check`]: the shares from 0 to 1 of right answers,
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
