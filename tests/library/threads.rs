//! The types that threads may share and pass on. A change that takes this away does not compile.

use sudoku_batch::{
    Candidates, Grid, ParseError, Puzzle, Solver,
    format::{Added, DetectError, Detected, Layout, Records, Writer},
    generate::{Grids, Sequence, Uniform},
    grid::{AnyPuzzle, Cell, CellError, Digit, Digits},
    puzzle::{Made, Maker, Pattern, Recipe, RecipeError, Wanted},
    questions::{Answer, Question},
    stop::Stop,
    technique::{Rater, Rating, Ratings, Step, Steps},
};

const fn may_be_shared<T: Send + Sync>() {}

const _: () = {
    may_be_shared::<(Puzzle, Grid, Candidates, AnyPuzzle)>();
    may_be_shared::<(Cell, Digit, Digits, Rating, Ratings, Step)>();
    may_be_shared::<(Layout, Detected, Records, Writer, Added)>();
    may_be_shared::<(Grids, Sequence, Uniform)>();
    may_be_shared::<(Recipe, Wanted, Pattern, Made, Stop)>();
    may_be_shared::<(ParseError, CellError, DetectError, RecipeError)>();
    // Methods that work take `&mut self`, so threads share none of these, but a struct that holds one may be
    // shared.
    may_be_shared::<(Solver, Rater, Maker, Steps)>();
    may_be_shared::<(Question, Answer<'static>)>();
};
