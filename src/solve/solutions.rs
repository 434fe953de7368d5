//! All solutions of a puzzle, one after the other.

use super::{Outcome, Solver};
use crate::grid::{CELLS, Cell, Digit, Grid, Puzzle};

/// The solutions of a puzzle in ascending order, as text of 81 digits. Each is found when
/// it is asked for, so that the first few of very many take no time.
///
/// ```
/// use sudoku_batch::{Puzzle, solve::Solutions};
/// let mut solutions = Solutions::of(&Puzzle::EMPTY);
/// let first = solutions.next().unwrap();
/// let second = solutions.next().unwrap();
/// assert!(first < second);
/// assert_eq!(first.as_str()[..45], second.as_str()[..45]);
/// ```
///
/// The next solution after one has as many of its first digits as there can be. So it is
/// looked for from the last blank cell on to the first: the cell gets the smallest digit
/// over its own with which there is a solution, and the smallest such solution is it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    puzzle: Puzzle,
    last: Last,
}

/// How far a listing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    None,
    Found(Grid),
    End,
}

impl Solutions {
    /// The solutions of a puzzle.
    pub fn of(puzzle: &Puzzle) -> Self {
        Self {
            puzzle: *puzzle,
            last: Last::None,
        }
    }

    /// The smallest solution that is larger than this one.
    fn after(&self, solution: &Grid) -> Option<Grid> {
        let mut solver = Solver::new();
        let blank = |&cell: &Cell| self.puzzle.get(cell).is_none();
        let mut blanks: Vec<Cell> = Cell::all().filter(blank).collect();
        // What is before the cell that changes is as in the last solution.
        let mut prefix = Puzzle::from(*solution);
        while let Some(cell) = blanks.pop() {
            for later in cell.index()..CELLS {
                let later = Cell::new(later).expect("one of 81");
                prefix.set(later, self.puzzle.get(later));
            }
            let own = solution.get(cell);
            let candidates = prefix.candidates(cell);
            for digit in candidates.iter().filter(|&digit: &Digit| digit > own) {
                prefix.set(cell, Some(digit));
                if let Outcome::Unique(next) | Outcome::Multiple(next) = solver.solve(&prefix) {
                    return Some(next);
                }
            }
        }
        None
    }
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        let next = match self.last {
            Last::None => Solver::new().solve(&self.puzzle).solution(),
            Last::Found(grid) => self.after(&grid),
            Last::End => None,
        };
        self.last = next.map_or(Last::End, Last::Found);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str =
        "496528713875143692132967854314289576729654381568731429687492135943815267251376948";

    #[test]
    fn all_solutions_come_once_and_in_order() {
        // Blank more and more digits of a grid: 1, 2, 6, … solutions.
        for blanked in ["1", "12", "123", "1234"] {
            let text = GRID.replace(|c| blanked.contains(c), ".");
            let puzzle: Puzzle = text.parse().unwrap();
            let listed: Vec<Grid> = Solutions::of(&puzzle).take(2000).collect();
            // Each is a solution, they ascend, and there are as many as there should be.
            assert!(listed.iter().all(|grid| grid.is_solution_of(&puzzle)));
            assert!(listed.is_sorted_by(|a, b| a < b));
            assert_eq!(
                listed.len() as u64,
                Solver::new().count(&puzzle, 2000),
                "{blanked}"
            );
            assert!(listed.len() == 2000 || listed.contains(&GRID.parse().unwrap()));
        }
    }

    #[test]
    fn there_may_be_none_or_very_many() {
        let mut none = Puzzle::EMPTY;
        for column in 0..2 {
            none.set(Cell::at(0, column), Digit::new(1));
        }
        assert_eq!(Solutions::of(&none).next(), None);
        let mut full = Solutions::of(&GRID.parse::<Grid>().unwrap().into());
        assert_eq!(full.next().unwrap().as_str(), GRID);
        assert_eq!((full.next(), full.next()), (None, None));
        let many: Vec<Grid> = Solutions::of(&Puzzle::EMPTY).take(500).collect();
        assert!(many.is_sorted_by(|a, b| a < b) && many.iter().all(Grid::is_valid));
    }
}
