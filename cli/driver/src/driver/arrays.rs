//! Arrays of numpy: the format `npy` of rows. Each column is a file of its own.
//!
//! ```text
//!     NAME.npy           the only column, or the only one with cells
//!     NAME.COLUMN.npy    any other
//! ```
//!
//! | column | a row | missing |
//! |---|---|---|
//! | cells | 81 × uint8, 0 for a blank | all 0 |
//! | candidates; puzzles, where one of the first 64 KiB is given by candidates | 729 × uint8, 0 for no candidate | all 0 |
//! | numbers, shares, true and false | float64 | NaN |
//! | names of a list, such as statuses | uint8: the place in the list | 255 |
//! | pairs of `trace` | 81 × 2 × int8 | all −1 |
//! | counts of `candidate-counts` | 9 × 9 × 9 × int16 | all −1 |
//!
//! A command that adds columns writes those, and any other writes the columns of its input. A
//! column of the input has cells or numbers if all values in the first 64 KiB are such. Text is left
//! out. A later value that the array has no room for is an error.

use super::{report::say, source::Source};
use crate::pipeline::output::Output;
use anyhow::bail;
use std::{
    borrow::Cow,
    collections::HashMap,
    path::{Path, PathBuf},
};
use sudoku_batch::{
    Puzzle,
    format::{
        Added, ColumnPlace, Layout, Records, Values,
        npy::{HEAD, RowType},
    },
    grid::{BLANK, CANDIDATES, CELLS, Candidates},
    questions::{Answer, ColumnVisitor, NO_NAME, PuzzleValue, STATUS_NAMES},
};

/// Refuses options that arrays cannot honour.
pub fn check(is_packed: bool) -> anyhow::Result<()> {
    if is_packed {
        bail!("--compress has no effect: the head of an array is written last");
    }
    Ok(())
}

/// The columns that become arrays.
pub struct Arrays(Vec<ArrayColumn>);

struct ArrayColumn {
    name: String,
    origin: Origin,
    kind: Kind,
}

/// The origin of the values of a column.
enum Origin {
    /// They are those of a column of the command, by its number.
    Added(usize),
    /// They are those of a column of the input.
    Input(ColumnPlace),
    /// They are the puzzles of the input.
    Puzzle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cells,
    Candidates,
    Numbers,
    Names(&'static [&'static str]),
    /// 81 pairs of a cell and a digit.
    Pairs,
    /// Nine numbers for each cell.
    CandidateCounts,
    /// Text, of which no array is made.
    Text,
}

impl Arrays {
    /// The arrays of rows with these added columns: those that are chosen by their names, or all
    /// that are usual. Reduced puzzles are given by candidates.
    pub(super) fn of_rows(
        added: &[Added],
        source: &Source,
        is_reduced: bool,
        chosen: &[String],
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let layout = &source.detected.layout;
        let kind_of_puzzles = if is_reduced || has_candidates(source) {
            Kind::Candidates
        } else {
            Kind::Cells
        };
        let puzzle = layout.puzzle_column().map(|n| layout.columns()[n].clone());
        let puzzle = puzzle.unwrap_or_else(|| "puzzle".into());
        let mut own = input_columns(source);
        let at = own.iter().position(|column| column.name == puzzle);
        let column = ArrayColumn {
            name: puzzle.clone(),
            origin: Origin::Puzzle,
            kind: kind_of_puzzles,
        };
        own.splice(at.map_or(0..0, |at| at..at + 1), [column]);
        let mut all = Vec::new();
        for (number, column) in added.iter().enumerate() {
            let (name, replaces) = match column.replaced() {
                Some(old) => (layout.name(old), true),
                None if column.is_puzzle() => (puzzle.clone(), true),
                None => (column.name.clone(), false),
            };
            let old = own.iter().position(|own| replaces && own.name == name);
            let old = old.map(|at| own.remove(at));
            all.push(ArrayColumn {
                name,
                origin: Origin::Added(number),
                kind: match column.values {
                    // Solutions take the places of solutions, and none that of what is not there.
                    _ if column.is_only_if_there() => old.map_or(Kind::Text, |_| Kind::Cells),
                    Values::Puzzles => kind_of_puzzles,
                    values => Kind::of(values),
                },
            });
        }
        let usual = if all.is_empty() { own.len() } else { all.len() };
        all.extend(own);
        Self::choose(all, usual, chosen, is_quiet)
    }

    /// The arrays of records that are made, with these columns. The first is their number,
    /// which an array shows anyway, and so is not usual.
    pub(super) fn made(
        columns: &[Added],
        chosen: &[String],
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let column = |(number, column): (usize, &Added)| ArrayColumn {
            name: column.name.clone(),
            origin: Origin::Added(number),
            kind: Kind::of(column.values),
        };
        let mut all: Vec<_> = columns.iter().enumerate().map(column).collect();
        all.rotate_left(1);
        let usual = all.len() - 1;
        Self::choose(all, usual, chosen, is_quiet)
    }

    /// Takes the columns with the chosen names, which may be `NEW=COLUMN`, or the first `usual` ones.
    fn choose(
        mut all: Vec<ArrayColumn>,
        usual: usize,
        chosen: &[String],
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let names = |columns: &[ArrayColumn]| {
            let names = columns.iter().map(|column| &column.name[..]);
            names.collect::<Vec<_>>().join(", ")
        };
        if chosen.is_empty() {
            all.truncate(usual);
            let is_text = |column: &ArrayColumn| column.kind == Kind::Text;
            let (text, columns): (Vec<_>, Vec<_>) = all.into_iter().partition(is_text);
            if columns.is_empty() {
                bail!("there are no numbers and no cells to make arrays of (--format npy)");
            }
            if !text.is_empty() && !is_quiet {
                let names = names(&text);
                say(format_args!(
                    "sudoku-batch: no arrays hold text: they leave out {names}"
                ));
            }
            return Ok(Self(columns));
        }
        let mut columns = Vec::new();
        for wanted in chosen {
            let place = |name: &str| all.iter().position(|column| column.name == *name);
            let renamed = || {
                let (new, old) = wanted.split_once('=').filter(|(new, _)| !new.is_empty())?;
                Some((place(old)?, new))
            };
            let found = place(wanted).map(|at| (at, &wanted[..])).or_else(renamed);
            let Some((at, name)) = found else {
                let names = names(&all);
                bail!("--columns {wanted}: there is no such column left; one of: {names}");
            };
            if all[at].kind == Kind::Text {
                bail!("--columns {wanted}: this column has text");
            }
            let name = name.to_owned();
            columns.push(ArrayColumn {
                name,
                ..all.remove(at)
            });
        }
        Ok(Self(columns))
    }

    /// The files of all columns, for each of these names that the user gives.
    pub fn paths(&self, targets: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let paths = targets.iter().map(|target| self.paths_of(target));
        Ok(paths.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The outputs with the heads of arrays, one for each column or that many times.
    pub fn with_heads(&self, outputs: Vec<Output>) -> anyhow::Result<Vec<Output>> {
        let with_head = |(output, column): (Output, &ArrayColumn)| {
            let row = column.kind.row();
            Ok(output.with_head(HEAD, move |bytes| row.head(bytes).to_vec())?)
        };
        let columns = self.0.iter().cycle();
        outputs.into_iter().zip(columns).map(with_head).collect()
    }

    /// The number of bytes of a row, in all arrays together.
    pub(super) fn row_size(&self) -> u64 {
        let rows = self.0.iter().map(|column| column.kind.row());
        rows.map(|row| row.length() as u64).sum()
    }

    fn paths_of(&self, target: &Path) -> anyhow::Result<Vec<PathBuf>> {
        if target == Path::new("-") {
            bail!(
                "arrays go to files with names (--output NAME.npy), not to a pipe: their heads have the \
                 number of rows, and are written last"
            );
        }
        let has_cells = |column: &ArrayColumn| {
            matches!(
                column.kind,
                Kind::Cells | Kind::Candidates | Kind::CandidateCounts
            )
        };
        let only_cells = self.0.iter().filter(|column| has_cells(column)).count() == 1;
        let is_plain = |column: &ArrayColumn| self.0.len() == 1 || only_cells && has_cells(column);
        let mut paths = Vec::<PathBuf>::new();
        for column in &self.0 {
            let mut path = target.to_owned();
            if !is_plain(column) {
                let name = target.file_name();
                let Some(name) = name.and_then(|name| name.to_str()) else {
                    bail!("arrays need the name of a file: --output NAME.npy");
                };
                if column.name.contains(['/', '\\', '\0']) {
                    bail!(
                        "the column {} is no part of a file name: --columns NEW=COLUMN gives another",
                        column.name
                    );
                }
                let stem = name.strip_suffix(".npy").unwrap_or(name);
                path.set_file_name(format!("{stem}.{}.npy", column.name));
            }
            if paths.contains(&path) {
                bail!("two columns would both be written to {}", path.display());
            }
            paths.push(path);
        }
        Ok(paths)
    }

    /// Appends the values of a batch, whose first record has this number, to the buffers of all parts: part
    /// by part, and in each part column by column.
    ///
    /// # Errors
    ///
    /// A column has a value of another kind: its record, and what is wrong.
    pub(super) fn write(
        &self,
        (records, layout, first): (&Records, &Layout, u64),
        (answer, added): (&Answer<'_>, &[Added]),
        buffers: &mut [Vec<u8>],
    ) -> Result<(), (usize, String)> {
        for (record, places) in answer.entries() {
            let rows = places.len().max(1);
            let buffers = &mut buffers[answer.part_of(record) * self.0.len()..];
            for (column, to) in self.0.iter().zip(buffers) {
                let own = match &column.origin {
                    &Origin::Added(number) if !places.is_empty() => {
                        let rows = places.clone().map(|place| (record, place));
                        let of_record = |record| first + records.place(record) as u64;
                        let mut rows_of = ArrayRows {
                            column,
                            to,
                            misfit: None,
                        };
                        answer.visit(number, rows, of_record, &mut rows_of);
                        match rows_of.misfit {
                            Some(what) => return Err((record, what)),
                            None => continue,
                        }
                    }
                    Origin::Added(number) => match added[*number].replaced() {
                        Some(old) => value(records, layout, record, old),
                        None if added[*number].is_puzzle() => own_text(records, record),
                        None => None,
                    },
                    Origin::Puzzle => own_text(records, record),
                    Origin::Input(old) => value(records, layout, record, old),
                };
                let own = own.as_deref().unwrap_or_default();
                if !column.kind.fits(own) {
                    return Err((record, column.misfit(own)));
                }
                for _ in 0..rows {
                    column.kind.push(own, to);
                }
            }
        }
        Ok(())
    }
}

impl ArrayColumn {
    /// The message that a value is of another kind.
    fn misfit(&self, value: &[u8]) -> String {
        let (name, what) = (&self.name, self.kind.noun());
        let found = match candidates_of(value) {
            Some(_) => "a puzzle by candidates".into(),
            None => format!("{:?}", String::from_utf8_lossy(value)),
        };
        format!(
            "column {name}: {found} is not {what}, as the first values are: --columns NAME,… chooses columns"
        )
    }
}

/// The rows of a column that the command adds.
struct ArrayRows<'a> {
    column: &'a ArrayColumn,
    to: &'a mut Vec<u8>,
    /// The message that a value is of another kind.
    misfit: Option<String>,
}

impl ColumnVisitor for ArrayRows<'_> {
    fn numbers(&mut self, rows: impl Iterator<Item = Option<u64>>) {
        rows.for_each(|number| push_number(number.map(|n| n as f64), self.to));
    }

    fn reals(&mut self, rows: impl Iterator<Item = Option<f64>>) {
        rows.for_each(|number| push_number(number, self.to));
    }

    fn flags(&mut self, rows: impl Iterator<Item = Option<bool>>) {
        rows.for_each(|flag| push_number(flag.map(f64::from), self.to));
    }

    fn names(&mut self, rows: impl Iterator<Item = Option<u8>>, _: &'static [&'static str]) {
        self.to.extend(rows.map(|place| place.unwrap_or(NO_NAME)));
    }

    fn cells<'v>(&mut self, rows: impl Iterator<Item = &'v [u8; CELLS]>) {
        rows.for_each(|cells| self.to.extend(cells.map(digit_of)));
    }

    fn puzzles<'v>(&mut self, rows: impl Iterator<Item = PuzzleValue<'v>>) {
        let kind = self.column.kind;
        for puzzle in rows {
            match puzzle {
                PuzzleValue::Nothing => kind.push(&[], self.to),
                PuzzleValue::Cells(cells) => kind.push(cells, self.to),
                PuzzleValue::Candidates(candidates, blank) => {
                    self.push_fitting(&candidates.to_ascii(blank));
                }
                PuzzleValue::Text(text) => self.push_fitting(text),
            }
        }
    }

    fn pairs<'v>(&mut self, rows: impl Iterator<Item = Option<&'v [[i8; 2]; CELLS]>>) {
        for pairs in rows {
            match pairs {
                Some(pairs) => self
                    .to
                    .extend(pairs.as_flattened().iter().map(|&n| n as u8)),
                None => self.to.extend([u8::MAX; 2 * CELLS]),
            }
        }
    }

    fn candidate_counts<'v>(&mut self, rows: impl Iterator<Item = &'v [i16; CANDIDATES]>) {
        let numbers = rows.flatten();
        self.to
            .extend(numbers.flat_map(|number| number.to_le_bytes()));
    }
}

impl ArrayRows<'_> {
    /// Appends what stands in the place of 81 cells, if the column has room for it.
    fn push_fitting(&mut self, text: &[u8]) {
        if !self.column.kind.fits(text) {
            let misfit = || self.column.misfit(text);
            self.misfit.get_or_insert_with(misfit);
            return;
        }
        self.column.kind.push(text, self.to);
    }
}

impl Kind {
    /// The kind of the values of a column.
    fn of(values: Values) -> Self {
        match values {
            Values::Cells | Values::Puzzles => Self::Cells,
            Values::Candidates => Self::Candidates,
            Values::Numbers
            | Values::Bounds
            | Values::Ratings
            | Values::Reals
            | Values::Flags
            | Values::Record => Self::Numbers,
            Values::Status => Self::Names(STATUS_NAMES),
            Values::Names(names) => Self::Names(names),
            Values::Pairs => Self::Pairs,
            Values::CandidateCounts => Self::CandidateCounts,
            Values::Text | Values::Json => Self::Text,
        }
    }

    fn row(self) -> RowType {
        match self {
            Self::Cells => RowType::u8(&[CELLS as u16]),
            Self::Candidates => RowType::u8(&[CANDIDATES as u16]),
            Self::Numbers => RowType::f64(&[]),
            Self::Names(_) => RowType::u8(&[]),
            Self::Pairs => RowType::i8(&[CELLS as u16, 2]),
            Self::CandidateCounts => RowType::i16(&[9, 9, 9]),
            Self::Text => unreachable!("no array is made of text"),
        }
    }

    /// Appends a value, which may be missing or of another kind.
    #[inline]
    fn push(self, value: &[u8], to: &mut Vec<u8>) {
        match self {
            Self::Cells => {
                let cells = match value.as_array() {
                    Some(cells) => *cells,
                    None => cells_of(value).map_or([0; CELLS], |puzzle| *puzzle.as_ascii()),
                };
                to.extend(cells.map(digit_of));
            }
            Self::Candidates => {
                let candidates = candidates_of(value);
                let text = candidates.map_or([0; CANDIDATES], |all| all.to_ascii(BLANK));
                to.extend(text.map(digit_of));
            }
            Self::Numbers | Self::Text => push_number(number(value), to),
            Self::Pairs => to.extend_from_slice(&[u8::MAX; 2 * CELLS]),
            Self::CandidateCounts => to.extend_from_slice(&[u8::MAX; 2 * CANDIDATES]),
            Self::Names(names) => {
                let place = names.iter().position(|name| name.as_bytes() == value);
                to.push(place.map_or(NO_NAME, |place| place as u8));
            }
        }
    }

    /// Returns true if a value of the input is such, or missing.
    fn fits(self, value: &[u8]) -> bool {
        match self {
            _ if is_missing(value) => true,
            Self::Cells => cells_of(value).is_some(),
            Self::Candidates => candidates_of(value).is_some(),
            _ => number(value).is_some(),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Cells => "81 cells",
            Self::Candidates => "729 candidates",
            _ => "a number",
        }
    }
}

/// Appends a number, or that there is none.
fn push_number(number: Option<f64>, to: &mut Vec<u8>) {
    to.extend_from_slice(&number.unwrap_or(f64::NAN).to_le_bytes());
}

fn is_missing(value: &[u8]) -> bool {
    matches!(value.trim_ascii(), b"" | b"null")
}

/// A number, or true and false as 1 and 0. A plus sign at the end, which means "or more", is
/// left out.
fn number(value: &[u8]) -> Option<f64> {
    let value = value.trim_ascii();
    match value {
        b"true" => Some(1.0),
        b"false" => Some(0.0),
        _ => {
            let value = value.strip_suffix(b"+").unwrap_or(value);
            let number = str::from_utf8(value).ok()?.parse::<f64>();
            number.ok().filter(|number| number.is_finite())
        }
    }
}

/// The digit of a character, 0 for a blank.
#[inline]
fn digit_of(character: u8) -> u8 {
    let digit = character.wrapping_sub(b'0');
    if digit <= 9 { digit } else { 0 }
}

/// 81 cells, which 729 candidates may be too.
fn cells_of(value: &[u8]) -> Option<Puzzle> {
    candidates_of(value)?.to_puzzle()
}

/// 729 candidates, or those of 81 cells.
fn candidates_of(value: &[u8]) -> Option<Candidates> {
    str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

/// Returns true if a puzzle at the start of an input is given by candidates.
fn has_candidates(source: &Source) -> bool {
    let mut records = Records::default();
    let layout = &source.detected.layout;
    layout.read(source.first_text(), &mut records);
    (0..records.len()).any(|record| records.candidates(record).is_some())
}

fn own_text(records: &Records, record: usize) -> Option<Cow<'_, [u8]>> {
    let is_good = records.error(record).is_none();
    is_good.then(|| records.own(record).as_ref().to_vec().into())
}

/// The content of a record in a column of the input, unless its fields cannot be separated.
fn value<'r>(
    records: &'r Records,
    layout: &Layout,
    record: usize,
    column: &ColumnPlace,
) -> Option<Cow<'r, [u8]>> {
    let text = (!records.is_torn(record)).then(|| records.text(record))?;
    layout.value(text, column)
}

/// The columns of an input, with the kinds of their first values.
fn input_columns(source: &Source) -> Vec<ArrayColumn> {
    let layout = &source.detected.layout;
    let mut records = Records::default();
    layout.read(source.first_text(), &mut records);
    // The end of the text may cut the last record off.
    let whole = records.len().saturating_sub(1).max(1).min(records.len());
    let names = layout.columns();
    let numbers: HashMap<_, _> = names.iter().zip(0..).collect();
    let mut kinds = vec![[Kind::Cells, Kind::Numbers].map(Some); names.len()];
    let mut is_said = vec![false; names.len()];
    for record in (0..whole).filter(|&record| !records.is_torn(record)) {
        // All fields of a record at once: a table may have a hundred thousand.
        for (column, value) in layout.fields(records.text(record)) {
            let Some(&number) = numbers.get(&layout.name(&column)) else {
                continue;
            };
            if !is_missing(&value) {
                is_said[number] = true;
                for kind in &mut kinds[number] {
                    *kind = kind.filter(|kind| kind.fits(&value));
                }
            }
        }
    }
    let column = |(number, column): (usize, ColumnPlace)| {
        let kind = kinds[number].into_iter().flatten().next();
        ArrayColumn {
            name: names[number].clone(),
            origin: Origin::Input(column),
            kind: kind.filter(|_| is_said[number]).unwrap_or(Kind::Text),
        }
    };
    let columns = layout.all_columns().into_iter().enumerate();
    columns.map(column).collect()
}
