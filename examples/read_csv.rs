//! Rates the puzzles of a CSV file, and prints each with its column `id` and its solution. TSV, JSON
//! lines, lines and blocks work too:
//!
//! ```text
//! cargo run --release --example read_csv -- puzzles.csv
//! ```

use std::{env, error::Error, fs};
use sudoku_batch::{
    Solver,
    format::{Layout, Records},
    questions::{Data, RATE},
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: read_csv FILE")?;
    print!("{}", rated(&fs::read(path)?)?);
    Ok(())
}

/// A line for each record of a text: its id, its ratings and its solution, or what is wrong with it.
pub(crate) fn rated(text: &[u8]) -> Result<String, Box<dyn Error>> {
    let found = Layout::detect(text, None, None)?;
    let layout = found.layout;
    let mut records = Records::default();
    records.add_lines(found.skipped_lines);
    layout.read(&text[found.skipped..], &mut records);
    let id = layout.named_column("id")?;
    let answer = RATE.with([])?.ask(&records);
    let rating = |record: usize, column: &str| match answer.named(column) {
        Data::Ratings(ratings) => ratings[record],
        _ => None,
    };
    let mut rejects = answer.rejects.iter();
    let mut solver = Solver::new();
    let mut lines = String::new();
    for record in 0..records.len() {
        let ratings = ["er", "ep", "ed"].map(|column| rating(record, column));
        let [Some(er), Some(ep), Some(ed)] = ratings else {
            let reason = &rejects.next().expect("no ratings, so a reject").reason;
            let line = records.line(record);
            lines += &format!("line {line}: {} {reason}\n", reason.name());
            continue;
        };
        let fields = layout.fields(records.text(record));
        let named = fields
            .iter()
            .find(|(column, _)| Some(column) == id.as_ref());
        let id = named.map_or("-".into(), |(_, field)| String::from_utf8_lossy(field));
        let solution = solver.solve_unique(&records.puzzle_of_cells(record)?)?;
        lines += &format!("{id} {er}/{ep}/{ed} {solution}\n");
    }
    Ok(lines)
}
