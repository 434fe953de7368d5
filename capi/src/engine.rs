//! An engine: what a caller opens.

use super::{
    asking::{Desk, Request},
    border::memory::RowsOut,
    failure::Failure,
    making::Maker,
    table::Table,
    workers::Workers,
};
use std::fmt;
use sudoku_batch::{questions::Options, slices::Kept};

/// Solves, rates and makes, on some threads. Several threads may use one at the same time.
pub struct Engine {
    pub(crate) workers: Workers,
    desks: Kept<Desk>,
    makers: Kept<Maker>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Workers { level, threads, .. } = self.workers;
        write!(f, "Engine({level:?}, {threads} threads)")
    }
}

impl Engine {
    /// An engine of a level, by its name, and of a number of threads; an empty name is the best level, and 0
    /// threads are one for each core.
    pub(crate) fn new(level: &str, threads: usize) -> Result<Self, Failure> {
        Ok(Self {
            workers: Workers::new(level, threads)?,
            desks: Kept::new(),
            makers: Kept::new(),
        })
    }

    /// Asks a question about all records, and gives a table.
    pub(crate) fn ask(&self, request: Request<'_>) -> Result<Table, Failure> {
        let table = request.ask(&self.workers, &self.desks, true)?;
        table.ok_or_else(|| Failure::defect("the answer has no table"))
    }

    /// Asks a question about all records, and writes into the memory of the caller alone.
    pub(crate) fn fill(&self, request: Request<'_>) -> Result<(), Failure> {
        request.ask(&self.workers, &self.desks, false)?;
        Ok(())
    }

    /// Makes the grids with the numbers from `first` on.
    pub(crate) fn generate(
        &self,
        options: &Options,
        first: u64,
        rows: RowsOut<'_>,
    ) -> Result<(), Failure> {
        self.workers.generate(options, first, rows)
    }

    /// Makes the puzzles with the numbers from `first` on. One that cannot be made has no row.
    pub(crate) fn puzzles(
        &self,
        options: &Options,
        first: u64,
        count: usize,
    ) -> Result<Table, Failure> {
        self.workers.puzzles(&self.makers, options, first, count)
    }
}
