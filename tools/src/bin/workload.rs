//! A fixed workload, for `scripts/guard.sh` to count the instructions of:
//! `workload NAME [LEVEL]`.

use std::{env, process::ExitCode};
use sudoku_batch::{
    Engine, Level,
    format::{Records, line},
    generate::Grids,
    grid::CELLS,
    questions::{Question, SolveSettings},
};

const EASY: &str = sudoku_batch::samples::EASY;
const MINIMAL: &str = sudoku_batch::samples::MINIMAL;
const HARD: &str = sudoku_batch::samples::HARD;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let right = match arguments[..] {
        ["read"] => read_again(EASY, 2000),
        ["scalar-easy"] => solve(Engine::Scalar, Level::Portable, EASY, 500),
        ["scalar-minimal"] => solve(Engine::Scalar, Level::Portable, MINIMAL, 500),
        ["scalar-hard"] => solve(Engine::Scalar, Level::Portable, HARD, 20),
        ["sliced-easy", level] => sliced(level, EASY, 2000),
        ["sliced-minimal", level] => sliced(level, MINIMAL, 2000),
        ["sliced-hard", level] => sliced(level, HARD, 600),
        ["generate-in-order"] => generate(&Grids::in_order()),
        ["generate-shuffled"] => generate(&Grids::seeded(0)),
        _ => {
            eprintln!("usage: workload NAME [LEVEL], see scripts/guard.sh");
            return ExitCode::from(2);
        }
    };
    ExitCode::from(u8::from(!right))
}

fn read(text: &str, records: &mut Records) {
    records.clear();
    line::read(text.as_bytes(), records);
}

/// Whether a text has so many records, read twenty times with the same memory.
fn read_again(text: &str, count: usize) -> bool {
    let mut records = Records::default();
    (0..20).all(|_| {
        read(text, &mut records);
        records.len() == count
    })
}

fn sliced(level: &str, text: &str, puzzles: usize) -> bool {
    level
        .parse()
        .is_ok_and(|level| solve(Engine::Sliced, level, text, puzzles))
}

/// Whether the first so many puzzles have one solution each.
fn solve(engine: Engine, level: Level, text: &str, puzzles: usize) -> bool {
    let mut records = Records::default();
    read(text, &mut records);
    let cells = &records.cells().expect("81 cells each")[..puzzles];
    let question = Question::new(SolveSettings {
        unique: true,
        engine: Some(engine),
        level: Some(level),
        ..SolveSettings::default()
    });
    question.is_ok_and(|mut question| question.ask_cells(cells).rejects.is_empty())
}

/// Whether the first grids are grids.
fn generate(sequence: &Grids) -> bool {
    let mut lines: Vec<[u8; 82]> = vec![[0; CELLS + 1]; 20_000];
    sequence.write_lines(0, &mut lines);
    lines.iter().all(|line| line.ends_with(b"\n"))
}
