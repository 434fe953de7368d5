//! Puzzles that a set makes, read from the columns of its answers.

use std::ops::Range;
use sudoku_batch::{
    Grid, Puzzle,
    generate::Grids,
    questions::{Answer, Data, MadeSet, MakeRecords, NO_NAME, PuzzleSet, PuzzlesSettings},
    technique::{Rating, Technique},
};

/// A puzzle and what the set says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Made {
    pub(crate) puzzle: Puzzle,
    pub(crate) solution: Grid,
    /// The ER and the technique of the hardest step, where the set has these columns.
    pub(crate) hardest: Option<(Rating, Technique)>,
    /// The weight of a puzzle that is unbiased.
    pub(crate) weight: Option<f64>,
}

/// Makes puzzles of a set, and keeps its memory from call to call.
pub(crate) struct Worker {
    make: MakeRecords,
    answer: Answer<'static>,
    has_ratings: bool,
    has_weights: bool,
}

impl Worker {
    pub(crate) fn of(set: &PuzzleSet) -> Self {
        let columns = set.columns();
        let has = |name: &str| columns.iter().any(|column| column.name == name);
        let mut answer = Answer::of(&columns);
        answer.keep_places(true);
        Self {
            make: set.worker(),
            answer,
            has_ratings: has("er"),
            has_weights: has("weight"),
        }
    }

    /// The puzzles with these numbers: `None` for one that is not made.
    pub(crate) fn make(&mut self, numbers: Range<u64>) -> Vec<Option<Made>> {
        let count = (numbers.end - numbers.start) as usize;
        self.answer.begin(count);
        (self.make)(numbers, &mut self.answer);
        let Data::Puzzles(puzzles) = self.answer.named("puzzle") else {
            panic!("{:?}", self.answer)
        };
        let Some(solutions) = self.answer.named("solution").lines() else {
            panic!("{:?}", self.answer)
        };
        assert_eq!((puzzles.len(), solutions.len()), (count, count));
        let lines = puzzles.lines(0..count).iter().zip(solutions);
        let made = lines.enumerate().map(|(row, (puzzle, solution))| {
            let solution = Grid::from_ascii(solution.first_chunk().unwrap()).ok()?;
            Some(Made {
                puzzle: Puzzle::from_ascii(puzzle.first_chunk().unwrap()).unwrap(),
                solution,
                hardest: self.hardest(row),
                weight: self.weight(row),
            })
        });
        made.collect()
    }

    /// The puzzles with these numbers, which are all made.
    pub(crate) fn make_all(&mut self, numbers: Range<u64>) -> Vec<Made> {
        let made = self.make(numbers).into_iter();
        made.map(|made| made.expect("made")).collect()
    }

    fn hardest(&self, row: usize) -> Option<(Rating, Technique)> {
        if !self.has_ratings {
            return None;
        }
        let (Data::Ratings(er), Data::Names(places)) =
            (self.answer.named("er"), self.answer.named("technique"))
        else {
            panic!("{:?}", self.answer)
        };
        let technique = |place: u8| (place != NO_NAME).then(|| Technique::ALL[usize::from(place)]);
        er[row].zip(technique(places[row]))
    }

    fn weight(&self, row: usize) -> Option<f64> {
        if !self.has_weights {
            return None;
        }
        match self.answer.named("weight") {
            Data::Reals(weights) => weights[row],
            _ => panic!("{:?}", self.answer),
        }
    }
}

/// The set of these settings, from the uniform grids of their seed, whatever the level.
pub(crate) fn set_of_seed(settings: &PuzzlesSettings) -> PuzzleSet {
    let set = settings.set().unwrap();
    set.with_grids(Grids::uniform(settings.seed)).unwrap()
}

/// Why no puzzle can have what these settings ask for.
pub(crate) fn refused(settings: &PuzzlesSettings) -> String {
    settings.set().map(drop).unwrap_err().to_string()
}
