//! Symmetric copies of a puzzle, as `augment` makes them.

use sudoku_batch::{
    Puzzle,
    format::{Records, line},
    grid::AnyPuzzle,
    questions::{AugmentSettings, Batch, Data, GivenAnswer, PuzzleValue, Question},
};

/// The rows of a puzzle: its copies, behind the puzzle itself if the settings keep it, and the solution of each, if the
/// solution of the puzzle is given.
pub(crate) fn images(
    settings: &AugmentSettings,
    puzzle: impl Into<AnyPuzzle>,
    solution: Option<&Puzzle>,
) -> (Vec<AnyPuzzle>, Vec<Puzzle>) {
    let mut records = Records::default();
    line::read(puzzle.into().to_string().as_bytes(), &mut records);
    let answers = solution.map(|solution| [GivenAnswer::Cells(*solution)]);
    let mut question = Question::new(AugmentSettings {
        answers: answers.is_some(),
        ..settings.clone()
    })
    .unwrap();
    let answer = question.ask(Batch {
        records: &records,
        answers: answers.as_ref().map(<[_; 1]>::as_slice),
        texts: None,
    });
    assert_eq!(answer.rejects, []);
    let Data::Puzzles(puzzles) = answer.named("puzzle") else {
        panic!("{answer:?}")
    };
    let of_cells = |cells: &[u8; 81]| Puzzle::from_ascii(cells).unwrap();
    let of_row = |row| match puzzles.get(row) {
        PuzzleValue::Cells(cells) => of_cells(cells).into(),
        PuzzleValue::Candidates(candidates, _) => (*candidates).into(),
        other => panic!("{other:?}"),
    };
    let solutions = answers
        .iter()
        .flat_map(|_| answer.named("solution").lines());
    let solutions = solutions.flatten();
    (
        (0..puzzles.len()).map(of_row).collect(),
        solutions
            .map(|line| of_cells(line.first_chunk().unwrap()))
            .collect(),
    )
}

/// The copies of a puzzle of cells.
pub(crate) fn images_of_cells(settings: &AugmentSettings, puzzle: &Puzzle) -> Vec<Puzzle> {
    let (images, _) = images(settings, puzzle, None);
    let of_cells = |image: AnyPuzzle| match image {
        AnyPuzzle::Cells(puzzle) => puzzle,
        AnyPuzzle::Candidates(candidates) => panic!("{candidates}"),
    };
    images.into_iter().map(of_cells).collect()
}
