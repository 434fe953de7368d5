//! How long puzzles take, each by itself.

use super::{corpus::Corpus, options::Bench};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use sudoku_batch::{Engine, Solver, grid::AnyPuzzle};

/// The times of the puzzles of a corpus.
pub(super) struct Distribution {
    pub(super) corpus: String,
    /// In ascending order.
    pub(super) nanoseconds: Vec<f64>,
}

impl Distribution {
    /// More puzzles would not change the picture.
    const MOST: usize = 20_000;

    /// Solves puzzles of a corpus one at a time, each the best of three: the
    /// scalar engine alone solves puzzles one by one.
    pub(super) fn of(corpus: &Corpus, options: &Bench) -> Self {
        let mut solver = Solver::new().with_engine(Engine::Scalar);
        let step = corpus.puzzles.len().div_ceil(Self::MOST);
        let mut best_of_three = |puzzle: &AnyPuzzle| {
            let times = (0..3).map(|_| {
                let start = Instant::now();
                black_box(solver.solve_line(options.question(), puzzle));
                start.elapsed()
            });
            times.min().unwrap_or(Duration::ZERO).as_secs_f64() * 1e9
        };
        let puzzles = corpus.puzzles.iter().step_by(step);
        let mut nanoseconds: Vec<_> = puzzles.map(&mut best_of_three).collect();
        nanoseconds.sort_by(f64::total_cmp);
        Self {
            corpus: corpus.label.corpus.clone(),
            nanoseconds,
        }
    }
}
