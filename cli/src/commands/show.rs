//! `sudoku-batch show`.

mod options;
mod paint;
mod pictures;
mod words;

pub(crate) use options::Show;
#[cfg(feature = "tui")]
pub(crate) use options::When;
pub(crate) use options::charset;

use crate::driver::{
    Files, interrupt,
    reader::{Record, RecordReader},
};
use crate::lattice::{Canvas, Charset, Lattice, Scale};
use crate::pipeline::output::Output;
use paint::Paint;
use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};
use sudoku_batch::{
    Grid, Outcome, Solver, draw::Picture, grid::AnyPuzzle, solve::Solutions, technique::Position,
};

/// Draws records.
pub(crate) fn run(options: &Show, files: &Files) -> anyhow::Result<ExitCode> {
    interrupt::handle()?;
    let (first, last) = options.range()?;
    let mut reader = RecordReader::open(&options.input, &options.form)?;
    if let Some(path) = &options.html {
        return pictures::write_sheet(files, options, path, reader.records(first, last)?);
    }
    if let Some(path) = &options.svg {
        return pictures::write_svg(files, options, path, &reader.record(first)?);
    }
    let terminal = io::stdout().is_terminal();
    let paint = Paint::new(options.color.is_now(terminal));
    let out = Output::stdout()?;
    let mut right = true;
    for (n, record) in reader.records(first, last)?.iter().enumerate() {
        let (text, fine) = Drawing::of(options, &paint).text(record);
        let between = if n > 0 { "\n" } else { "" };
        out.write_next((between.to_owned() + &text).as_bytes())?;
        right &= fine;
    }
    Ok(ExitCode::from(u8::from(!right)))
}

/// The way in which records are drawn as text.
struct Drawing<'a> {
    options: &'a Show,
    paint: &'a Paint,
    charset: Charset,
    columns: usize,
}

impl<'a> Drawing<'a> {
    fn of(options: &'a Show, paint: &'a Paint) -> Self {
        Self {
            options,
            paint,
            charset: charset(options.ascii),
            columns: columns(),
        }
    }

    /// A record as text, and whether it is without a fault.
    fn text(&self, record: &Record) -> (String, bool) {
        let title = match record.place {
            Some(_) => format!("{}\n\n", record.title()),
            None => String::new(),
        };
        match &record.puzzle {
            Err(error) => (title + &words::malformed(&record.text, error), false),
            Ok(puzzle) => {
                let outcome = match puzzle.clues().conflict() {
                    Some(_) => Outcome::NoSolution,
                    None => Solver::new().solve(puzzle),
                };
                let mut text = title + &self.grids(puzzle);
                text += "\n";
                text += &words::status(puzzle, &outcome);
                self.add_details(&mut text, puzzle);
                (text, outcome.solution().is_some())
            }
        }
    }

    fn add_details(&self, text: &mut String, puzzle: &AnyPuzzle) {
        if self.options.candidates {
            *text += &words::fewest(puzzle);
        }
        if let Some(cell) = self.options.cell {
            *text += &words::cell(puzzle, cell);
        }
        if self.options.explain {
            *text += "\n";
            *text += &words::steps(puzzle);
        }
    }

    /// The puzzle and its solutions, side by side as far as the width allows.
    fn grids(&self, puzzle: &AnyPuzzle) -> String {
        const GAP: usize = 3;
        let count = self.options.solutions();
        let solutions: Vec<Grid> = Solutions::new(puzzle).take(count).collect();
        let clues = puzzle.clues();
        let several = solutions.len() > 1;
        let mut canvases = vec![self.puzzle(puzzle)];
        for (n, solution) in solutions.iter().enumerate() {
            let grid = self
                .lattice(Scale::Small)
                .draw(&Picture::solved(&clues, solution));
            let title = if several {
                format!("solution {}", n + 1)
            } else {
                String::new()
            };
            canvases.push(titled(&grid, &title, several));
        }
        if several {
            canvases[0] = titled(&canvases[0], "puzzle", true);
        }
        let mut text = String::new();
        let mut rest = canvases.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let mut row = first.clone();
            rest = others;
            while let Some((next, others)) = rest.split_first()
                && row.width() + GAP + next.width() <= self.columns
            {
                row = row.beside(next, GAP);
                rest = others;
            }
            text += &self.paint.text(&row);
            if !rest.is_empty() {
                text += "\n";
            }
        }
        text
    }

    /// The puzzle. It includes the names of rows and columns if the text refers to cells.
    fn puzzle(&self, puzzle: &AnyPuzzle) -> Canvas {
        let clues = puzzle.clues();
        let picture = Picture::new(&clues);
        if self.options.candidates || matches!(puzzle, AnyPuzzle::Candidates(_)) {
            let lattice = self.lattice(Scale::Large).with_labels();
            return {
                let position = Position::new(puzzle);
                lattice.draw(&picture.with_marks(|cell| position.candidates(cell)))
            };
        }
        let lattice = self.lattice(Scale::Small);
        if self.options.cell.is_some() || self.options.explain || !clues.conflicts().is_empty() {
            lattice.with_labels().draw(&picture)
        } else {
            lattice.draw(&picture)
        }
    }

    fn lattice(&self, scale: Scale) -> Lattice {
        Lattice::new(scale, self.charset)
    }
}

/// A canvas, under a title if there is one.
fn titled(canvas: &Canvas, title: &str, wanted: bool) -> Canvas {
    if !wanted {
        return canvas.clone();
    }
    let mut titled = Canvas::new(canvas.width(), canvas.height() + 1);
    for (x, character) in title.chars().take(canvas.width()).enumerate() {
        titled.put(x, 0, character, crate::lattice::Ink::Label);
    }
    for (y, line) in canvas.lines().enumerate() {
        for (x, glyph) in line.iter().enumerate() {
            *titled.glyph_mut(x, y + 1) = *glyph;
        }
    }
    titled
}

/// The width of the terminal. It is 80 columns if there is no terminal.
fn columns() -> usize {
    const USUAL: usize = 80;
    #[cfg(feature = "tui")]
    if io::stdout().is_terminal()
        && let Ok((columns, _)) = crossterm::terminal::size()
        && columns > 0
    {
        return columns.into();
    }
    USUAL
}
