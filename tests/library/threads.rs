//! The types that threads may share and pass on. A change that takes this away does not compile.

use sudoku_batch::{
    Candidates, Grid, ParseError, Puzzle, Solver,
    format::{Added, DetectError, Detected, Layout, Records, Writer},
    generate::Grids,
    grid::{AnyPuzzle, Cell, CellError, Digit, Digits},
    puzzle::Pattern,
    questions::{Answer, PuzzleSet, PuzzlesSettings, Question, SettingError},
    stop::Stop,
    technique::{Rating, Ratings, Step, Steps},
};

const fn may_be_shared<T: Send + Sync>() {}

const _: () = {
    may_be_shared::<(Puzzle, Grid, Candidates, AnyPuzzle)>();
    may_be_shared::<(Cell, Digit, Digits, Rating, Ratings, Step)>();
    may_be_shared::<(Layout, Detected, Records, Writer, Added)>();
    may_be_shared::<(Grids, PuzzlesSettings, PuzzleSet, Pattern, Stop)>();
    may_be_shared::<(ParseError, CellError, DetectError, SettingError)>();
    // Methods that work take `&mut self`, so threads share none of these, but a struct that holds one may be
    // shared.
    may_be_shared::<(Solver, Question, Steps)>();
    may_be_shared::<(Question, Answer<'static>)>();
};
