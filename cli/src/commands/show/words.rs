//! Words about a record, below its drawing.

use crate::driver::words::counted;
use std::fmt::Write;
use sudoku_batch::{
    Cell, Digit, Outcome, Reason, Solver,
    format::ParseError,
    grid::{AnyPuzzle, CELLS, House, HouseKind, PEERS},
    guide::{self, Advice},
    technique::Position,
};

/// Up to how many solutions are counted.
const COUNTED: u64 = 1000;

/// A malformed record, with a mark under the place that is wrong.
pub(super) fn malformed(text: &[u8], error: &ParseError) -> String {
    // Around the place; a line may be very long.
    const AROUND: usize = 60;
    let at = (error.column - 1).min(text.len());
    let start = at.saturating_sub(AROUND);
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).escape_debug().to_string();
    let before = shown(&text[start..at]);
    let after = shown(&text[at..text.len().min(at + AROUND)]);
    format!(
        "{before}{after}\n{:>1$}\n\nStatus: malformed. In {error}.\n",
        "^",
        before.chars().count() + 1
    )
}

/// The status, the number of clues and the number of solutions.
pub(super) fn status(puzzle: &AnyPuzzle, outcome: &Outcome) -> String {
    let clues = puzzle.clue_count();
    let clues = match clues {
        CELLS => "81 digits".to_owned(),
        n => counted(n as u64, "clues"),
    };
    let clues = match puzzle {
        AnyPuzzle::Cells(_) => clues,
        AnyPuzzle::Candidates(given) => {
            format!("{}, {clues}", counted(given.count() as u64, "candidates"))
        }
    };
    let conflicts = puzzle.clues().conflicts();
    if let Some(first) = conflicts.first() {
        let mut text = format!("Status: {}. {clues}. ", Reason::Duplicate(*first).name());
        text += "No solution exists: a digit stands twice in a house.\n";
        for conflict in conflicts {
            let house = House::containing(conflict.first, conflict.house);
            writeln!(text, "  {house}: {conflict}").expect("into memory");
        }
        return text;
    }
    match outcome {
        Outcome::NoSolution => format!("Status: no-solution. {clues}. No solution exists.\n"),
        Outcome::Unique(_) if puzzle.clue_count() == CELLS => {
            format!("Status: unique. {clues}: a solved grid.\n")
        }
        Outcome::Unique(_) => format!("Status: unique. {clues}, exactly one solution.\n"),
        Outcome::Multiple(_) => {
            let count = match Solver::new().count(puzzle, COUNTED + 1) {
                count if count > COUNTED => "more than 1,000".to_owned(),
                count => count.to_string(),
            };
            format!("Status: multiple. {clues}, {count} solutions.\n")
        }
    }
}

/// The cell with the fewest candidates.
pub(super) fn fewest(puzzle: &AnyPuzzle) -> String {
    let position = Position::new(puzzle);
    let blank = |cell: &Cell| position.filled().get(*cell).is_none();
    let fewest = Cell::all()
        .filter(blank)
        .min_by_key(|&cell| position.candidates(cell).len());
    match fewest {
        None => "No cell is blank.\n".into(),
        Some(cell) => format!(
            "The cell with the fewest candidates is {cell}: {}.\n",
            candidates(&position, cell)
        ),
    }
}

/// The candidates of a cell, as in `2, 6, 9`, or `none`.
fn candidates(position: &Position, cell: Cell) -> String {
    let candidates = position.candidates(cell).iter();
    let candidates: Vec<_> = candidates.map(|digit| digit.to_string()).collect();
    if candidates.is_empty() {
        "none".into()
    } else {
        candidates.join(", ")
    }
}

/// The candidates of a cell, and why the other digits are none.
pub(super) fn cell(puzzle: &AnyPuzzle, cell: Cell) -> String {
    let (position, given) = (Position::new(puzzle), puzzle.candidates());
    let puzzle = puzzle.clues();
    if let Some(clue) = puzzle.get(cell) {
        return format!("{cell} has the clue {clue}.\n");
    }
    let mut text = format!("Candidates of {cell}: {}.\n", candidates(&position, cell));
    for digit in Digit::all() {
        let peer = |&peer: &u8| Cell::new(peer.into()).expect("a peer is a cell");
        let mut peers = PEERS[cell.index()].iter().map(peer);
        if let Some(peer) = peers.find(|&peer| puzzle.get(peer) == Some(digit)) {
            let kinds = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
            let houses = kinds.map(|kind| House::containing(cell, kind));
            let house = houses.into_iter().find(|house| house.contains(peer));
            let house = house.expect("a peer shares a house");
            writeln!(text, "  not {digit}: {house} has it, at {peer}").expect("into memory");
        } else if !given.contains(cell, digit) {
            writeln!(text, "  not {digit}: the record leaves it out").expect("into memory");
        }
    }
    text
}

/// The way to the solution, a step a line. Chains have lines of their own, further in.
pub(super) fn steps(puzzle: &AnyPuzzle) -> String {
    let Some(mut way) = guide::way(puzzle) else {
        return "There are no steps, as there is no solution.\n".into();
    };
    let mut text = String::new();
    let (mut count, mut guesses, mut hardest) = (0, 0, None);
    for advice in &mut way {
        count += 1;
        match &advice {
            Advice::Step(step) => {
                let (technique, rating) = (step.technique, step.rating());
                let words = step.lines().join("\n     ");
                writeln!(text, "{count:>3}. {rating} {technique}: {words}").expect("into memory");
                // Of several, the first, as in `rate`.
                if hardest.is_none_or(|(other, _)| rating > other) {
                    hardest = Some((rating, technique));
                }
            }
            _ => {
                guesses += 1;
                writeln!(text, "{count:>3}. {advice}").expect("into memory");
            }
        }
    }
    write!(text, "\n{}", counted(count, "steps")).expect("into memory");
    match guesses {
        0 => {}
        1 => text += ", 1 of them a guess",
        n => write!(text, ", {n} of them guesses").expect("into memory"),
    }
    if let Some((rating, technique)) = hardest {
        write!(text, "; the hardest technique is {technique} ({rating})").expect("into memory");
    }
    text + ".\n"
}
