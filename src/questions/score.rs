//! How good the grids are that free texts have for records.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Kind, Reason, Reject, Responder,
    RunOutcome, Status, Uniqueness,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, settings},
};
use crate::{
    dataset::Score,
    format::prose,
    grid::{AnyPuzzle, BLANK, Grid, Puzzle},
    name::named,
    order,
};

named! {
    /// The grid of a text that counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Extract, a "grid that counts" {
        /// The last grid.
        Last = "last",
        /// The first one.
        First = "first",
        /// The only one: a text with several has none that counts.
        Only = "only",
    }
}

impl Extract {
    /// The meaning for a list of names.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Last => "The last grid of a text",
            Self::First => "The first grid",
            Self::Only => "The only grid: a text with several has none that counts",
        }
    }
}

named! {
    /// The rule of the reward.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reward, a "reward" {
        /// 1 for a text that solves its puzzle, otherwise 0.
        Solved = "solved",
        /// The share of blank cells that are right.
        Blanks = "blanks",
    }
}

impl Reward {
    /// The meaning for a list of names.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Solved => "1 for a text that solves its puzzle, otherwise 0",
            Self::Blanks => "The share of blank cells that are right",
        }
    }
}

settings! {
    /// The settings of [`SCORE`].
    pub struct ScoreSettings {
        /// The texts, one for each record.
        #[setting(kind(Kind::Texts), at(Audience::Bindings))]
        pub texts: bool,
        /// Which grid of a text counts.
        pub extract: Extract = "last",
        /// The rule of the reward.
        ///
        /// The reward for blanks is 0 where a clue is changed. Unless the puzzle is solved, it is also 0 where all
        /// blank cells that have a digit have the same one: who copies the clues earns nothing, whatever stands for a
        /// blank.
        pub reward: Reward = "solved",
    }
}

columns! {
    /// The columns of [`SCORE`].
    struct ScoreColumns, ScoreRow for ScoreSettings {
        status = Column::STATUS,
        /// whether the text has a grid that counts
        found: kind::Flags,
        /// whether the grid has all clues and breaks no rule
        solved: kind::Flags,
        /// the number of blank cells of the puzzle
        #[column(up_to(81))]
        blank_cells: kind::Numbers,
        /// blank cells that the grid has right; of a puzzle with several solutions only where it is solved
        #[column(up_to(81))]
        right_blanks: kind::Numbers,
        /// clues that the grid does not have
        #[column(up_to(81))]
        changed_clues: kind::Numbers,
        /// how often the grid repeats a digit in a house
        #[column(up_to(216))]
        conflicts: kind::Numbers,
        /// the reward, from 0 to 1
        reward: kind::Reals,
    }
}

/// Scores the grids that free texts have for puzzles.
pub static SCORE: Definition = Definition {
    name: "score",
    about: "Score the grids that free texts have for puzzles",
    details: "\
Text i belongs to record i. A text may have anything around its grid: sentences, marks, other grids. The page \
docs/training.md says what counts as a grid. The grid solves the puzzle if it has all clues and breaks no rule, so \
any solution of a puzzle with several will do.",
    settings: ScoreSettings::TABLE,
    columns: ScoreColumns::TABLE,
    make: made::<ScoreSettings>,
};

/// The question with its settings.
#[derive(Debug)]
struct Scoring {
    settings: ScoreSettings,
    uniqueness: Uniqueness,
}

impl Asked for ScoreSettings {
    fn definition() -> &'static Definition {
        &SCORE
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Scoring {
            settings: self,
            uniqueness: Uniqueness::default(),
        })
    }
}

impl Responder for Scoring {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            uniqueness: Uniqueness::default(),
        })
    }

    /// # Panics
    ///
    /// There is no text for each record.
    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let texts = batch.texts.expect("texts");
        assert_eq!(texts.len(), records.len(), "a text for each record");
        let Self {
            settings: ScoreSettings {
                extract, reward, ..
            },
            uniqueness,
        } = self;
        let solutions = uniqueness.ask(records);
        let columns = ScoreColumns::all();
        let [mut solved, mut with_grid, mut failed] = [0; 3];
        for (record, text) in texts.iter().enumerate() {
            let status = solutions.statuses[record];
            let (grid, several) = match text {
                Some(text) => extract.grid_of(text),
                None => (None, false),
            };
            with_grid += u64::from(grid.is_some());
            let found = Some(grid.is_some());
            let Ok(puzzle) = records.puzzle(record) else {
                let row = ScoreRow {
                    found,
                    solved: None,
                    blank_cells: None,
                    right_blanks: None,
                    changed_clues: None,
                    conflicts: None,
                    reward: None,
                };
                columns.push(answer, record, row);
                continue;
            };
            let marks = Marks::new(&puzzle, solutions.solution(record), grid.as_ref());
            solved += u64::from(marks.is_solved);
            if !matches!(status, Status::Unique | Status::Multiple) {
                // The rejects of the solver say why.
            } else if !marks.is_solved {
                failed += 1;
                answer.reject(
                    record,
                    match (grid, marks.score) {
                        (None, _) => Reason::NoGrid { several },
                        (Some(_), Some(score)) => score.into(),
                        (Some(grid), None) => {
                            Reason::of_answer(&puzzle, &grid).unwrap_or(Reason::OtherAnswer(None))
                        }
                    },
                );
            }
            let row = ScoreRow {
                found,
                solved: Some(marks.is_solved),
                blank_cells: Some(marks.blanks.into()),
                right_blanks: marks.right.map(u64::from),
                changed_clues: marks.changed.map(u64::from),
                conflicts: marks.conflicts.map(|conflicts| conflicts as u64),
                reward: Some(reward.of(&marks)),
            };
            columns.push(answer, record, row);
        }
        let of_solver = solutions.rejects.iter();
        let of_solver = of_solver.filter(|reject| reject.reason.status() != Status::Multiple);
        let rejects: Vec<Reject> = of_solver.copied().collect();
        failed += rejects.len() as u64;
        answer.rejects.extend(rejects);
        order::sort_by_key(&mut answer.rejects, |reject| reject.record);
        answer.statuses.extend_from_slice(solutions.statuses);
        answer.counts.add("solved", solved);
        answer
            .counts
            .add("not-solved", records.len() as u64 - solved);
        answer
            .counts
            .add("without-a-grid", records.len() as u64 - with_grid);
        answer.counts += solutions.counts;
        answer.counts.add("failed", failed);
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let shown = counts.without(&["failed"]);
        RunOutcome::new(shown, counts.get("failed"), "are not solved")
    }
}

impl Extract {
    /// The grid of a text that counts, and whether there are several where there is to be one.
    fn grid_of(self, text: &[u8]) -> (Option<Puzzle>, bool) {
        let (mut first, mut last, mut count) = (None, None, 0u64);
        prose::each_grid(text, |_, grid| {
            first = first.or(Some(grid));
            last = Some(grid);
            count += 1;
        });
        match self {
            Self::Last => (last, false),
            Self::First => (first, false),
            Self::Only => (first.filter(|_| count == 1), count > 1),
        }
    }
}

impl Reward {
    fn of(self, marks: &Marks) -> f64 {
        match (self, marks.right) {
            _ if marks.is_solved => 1.0,
            (Self::Blanks, Some(right)) if marks.changed == Some(0) && marks.digits > 1 => {
                f64::from(right) / f64::from(marks.blanks)
            }
            _ => 0.0,
        }
    }
}

/// The right and the wrong cells of a grid, or the place where none is.
struct Marks {
    is_solved: bool,
    /// The blank cells of the puzzle.
    blanks: u32,
    right: Option<u32>,
    changed: Option<u32>,
    conflicts: Option<usize>,
    /// The number of different digits in the blank cells.
    digits: u32,
    score: Option<Score>,
}

impl Marks {
    fn new(puzzle: &AnyPuzzle, solution: Option<Grid>, grid: Option<&Puzzle>) -> Self {
        let clues = puzzle.clues();
        let blanks = clues
            .as_ascii()
            .iter()
            .filter(|cell| **cell == BLANK)
            .count() as u32;
        let Some(grid) = grid else {
            return Self {
                is_solved: false,
                blanks,
                right: solution.map(|_| 0),
                changed: None,
                conflicts: None,
                digits: 0,
                score: None,
            };
        };
        let cells = grid.as_ascii();
        let full = Grid::from_ascii(cells).ok();
        let is_solved = full.is_some_and(|grid| grid.is_solution_of(puzzle));
        let score = solution.map(|solution| Score::new(&clues, &solution, cells));
        let (mut changed, mut seen) = (0, 0u16);
        for (&clue, &cell) in clues.as_ascii().iter().zip(cells) {
            if clue == BLANK {
                seen |= u16::from(cell != BLANK) << (cell & 15);
            } else {
                changed += u32::from(clue != cell);
            }
        }
        Self {
            is_solved,
            blanks,
            right: match score {
                Some(score) => Some(score.blanks - score.wrong_blanks),
                None => is_solved.then_some(blanks),
            },
            changed: Some(changed),
            conflicts: Some(grid.conflicts().len()),
            digits: seen.count_ones(),
            score,
        }
    }
}
