//! One walk over the kinds of columns, for interfaces that turn values into something of their own.

use super::{Answer, Data, PuzzleValue, SolutionCount, table::STATUS_NAMES};
use crate::{
    format::Values,
    grid::{CANDIDATES, CELLS},
    technique::Rating,
    trace::Pairs,
};

/// A visitor makes something of the values of a column. [`Answer::visit`] calls the method of the column's kind with a value
/// for each row.
///
/// Kinds that are alike share a method unless an interface tells them apart: ratings are numbers with a fraction, statuses are
/// names, and numbers of records are numbers. So an interface learns a new kind by a method that calls an old one. A
/// method that an interface leaves out is for values that it never has.
pub trait ColumnVisitor {
    /// Whole numbers, and the numbers of records.
    fn numbers(&mut self, _rows: impl Iterator<Item = Option<u64>>) {
        unexpected("numbers")
    }

    /// Numbers of solutions.
    fn bounds(&mut self, rows: impl Iterator<Item = Option<SolutionCount>>) {
        self.numbers(rows.map(|bound| Some(bound?.number)));
    }

    /// Numbers with a fraction.
    fn reals(&mut self, _rows: impl Iterator<Item = Option<f64>>) {
        unexpected("numbers with a fraction")
    }

    /// Ratings.
    fn ratings(&mut self, rows: impl Iterator<Item = Option<Rating>>) {
        self.reals(rows.map(|rating| rating.map(f64::from)));
    }

    /// Yes and no.
    fn flags(&mut self, _rows: impl Iterator<Item = Option<bool>>) {
        unexpected("flags")
    }

    /// Places in a list of names, and statuses.
    fn names(&mut self, _rows: impl Iterator<Item = Option<u8>>, _names: &'static [&'static str]) {
        unexpected("names")
    }

    /// 81 cells; dots where there is nothing.
    fn cells<'v>(&mut self, _rows: impl Iterator<Item = &'v [u8; CELLS]>) {
        unexpected("cells")
    }

    /// Puzzles of either kind.
    fn puzzles<'v>(&mut self, _rows: impl Iterator<Item = PuzzleValue<'v>>) {
        unexpected("puzzles")
    }

    /// Text and JSON; an empty one where there is nothing.
    fn texts<'v>(&mut self, _rows: impl Iterator<Item = &'v [u8]>) {
        unexpected("text")
    }

    /// The order in which cells are filled.
    fn pairs<'v>(&mut self, _rows: impl Iterator<Item = Option<&'v Pairs>>) {
        unexpected("pairs")
    }

    /// The numbers of solutions that have each candidate, or -1 where nothing is known.
    fn candidate_counts<'v>(&mut self, _rows: impl Iterator<Item = &'v [i16; CANDIDATES]>) {
        unexpected("counts of candidates")
    }
}

#[cold]
fn unexpected(values: &str) -> ! {
    unreachable!("the interface has no place for {values}")
}

impl Answer<'_> {
    /// Shows the values of a column to a visitor: of rows, each a record and its place in the columns. `number` gives the
    /// number of a record.
    #[inline]
    pub fn visit(
        &self,
        column: usize,
        rows: impl Iterator<Item = (usize, usize)>,
        number: impl Fn(usize) -> u64,
        visitor: &mut impl ColumnVisitor,
    ) {
        let kind = self.kinds()[column];
        macro_rules! values {
            ($values:ident) => {
                rows.map(|(_, place)| $values[place])
            };
        }
        match self.column(column) {
            Data::Numbers(values) => visitor.numbers(values!(values)),
            Data::Bounds(values) => visitor.bounds(values!(values)),
            Data::Reals(values) => visitor.reals(values!(values)),
            Data::Ratings(values) => visitor.ratings(values!(values)),
            Data::Flags(values) => visitor.flags(values!(values)),
            Data::Names(places) => {
                let Values::Names(names) = kind else {
                    unreachable!("names are of a list")
                };
                // A place beyond the list is no name.
                let name = |place: u8| Some(place).filter(|at| usize::from(*at) < names.len());
                visitor.names(values!(places).map(name), names);
            }
            data @ (Data::Cells(_) | Data::Lent(_)) => {
                let lines = data.lines().expect("they are cells");
                let cells = |line: usize| lines[line].first_chunk().expect("81 of 82");
                visitor.cells(rows.map(|(_, place)| cells(place)));
            }
            Data::Puzzles(puzzles) => visitor.puzzles(rows.map(|(_, place)| puzzles.get(place))),
            Data::Texts(texts) => visitor.texts(rows.map(|(_, place)| texts.get(place))),
            Data::Pairs(pairs) => visitor.pairs(rows.map(|(_, place)| pairs[place].as_deref())),
            Data::CandidateCounts { numbers, .. } => {
                visitor.candidate_counts(rows.map(|(_, place)| &numbers[place]));
            }
            Data::OfRecord if kind == Values::Record => {
                visitor.numbers(rows.map(|(record, _)| Some(number(record))));
            }
            Data::OfRecord => {
                let code = |(record, _): (usize, usize)| Some(self.statuses[record] as u8);
                visitor.names(rows.map(code), STATUS_NAMES);
            }
        }
    }
}
