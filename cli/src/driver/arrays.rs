//! Arrays of numpy: the form `npy` of rows. Each column is a file of its own.
//!
//! ```text
//!     NAME.npy           the only column, or the only one with cells
//!     NAME.COLUMN.npy    any other
//! ```
//!
//! | column | a row | missing |
//! |---|---|---|
//! | cells | 81 × uint8, 0 for a blank | all 0 |
//! | puzzles, where one of the first 64 KiB is given by candidates | 729 × uint8, 0 for no candidate | all 0 |
//! | numbers, true and false | float64 | NaN |
//! | names of a list, such as statuses | uint8: the place in the list | 255 |
//! | pairs of `trace` | 81 × 2 × int8 | all −1 |
//!
//! A command that adds columns writes those, and any other writes the columns of its input. A
//! column of the input has cells or numbers if all values in the first 64 KiB are such. Text is left
//! out. A later value that the array has no room for is an error.

use super::{options::OutputForm, report::say, source::Source};
use crate::pipeline::output::Output;
use anyhow::{Context, bail};
use std::{
    borrow::Cow,
    mem,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use sudoku_batch::{
    Puzzle,
    format::{
        Added, Column, Layout, Place, Records, Values,
        npy::{self, Element, HEAD},
    },
    grid::{BLANK, CANDIDATES, CELLS, Candidates},
    questions::{Answer, Data, NO_NAME, Other, PuzzleValue, Status},
};

/// Refuses options that arrays cannot honour.
pub(crate) fn check(form: Option<OutputForm>, is_packed: bool) -> anyhow::Result<()> {
    if let Some(OutputForm::Text(form)) = form {
        bail!("--array has no effect: the form is {form}, not npy");
    }
    if is_packed {
        bail!("--compress has no effect: the head of an array is written last");
    }
    Ok(())
}

/// The columns that become arrays.
pub(crate) struct Arrays(Vec<ArrayColumn>);

struct ArrayColumn {
    name: String,
    origin: Origin,
    kind: Kind,
}

/// Where the values of a column come from.
enum Origin {
    /// They are those of a column of the command, by its number.
    Added(usize),
    /// They are those of a column of the input.
    Input(Column),
    /// They are the puzzles of the input.
    Puzzle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cells,
    Candidates,
    Numbers,
    /// Numbers of records.
    Records,
    Names(&'static [&'static str]),
    /// 81 pairs of a cell and a digit.
    Pairs,
}

/// The columns of an input that may become arrays.
struct InputColumn {
    name: String,
    column: Column,
    /// `None` is text.
    kind: Option<Kind>,
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
        let input = input_columns(source);
        let puzzle = layout.puzzle_column().map(|n| layout.columns()[n].clone());
        let puzzle = puzzle.unwrap_or_else(|| "puzzle".into());
        let kind_of_puzzles = match is_reduced || has_candidates(source) {
            true => Kind::Candidates,
            false => Kind::Cells,
        };
        let mut all = Vec::new();
        let mut replaced = Vec::new();
        for (number, column) in added.iter().enumerate() {
            let kind_of = |values| match values {
                Values::Puzzles => Some(kind_of_puzzles),
                _ => kind_of(values),
            };
            let (name, kind) = match &column.place {
                Place::Puzzle => {
                    replaced.push(puzzle.clone());
                    (puzzle.clone(), kind_of(column.values))
                }
                Place::Column(old) | Place::ColumnIfThere(old) | Place::Kept(old) => {
                    let name = layout.name(old);
                    let known = input.iter().find(|known| known.name == name);
                    replaced.push(name.clone());
                    // What is replaced only where it is there may be any text of the user.
                    let kind = match &column.place {
                        Place::ColumnIfThere(_) => known.and_then(|known| known.kind),
                        _ => kind_of(column.values),
                    };
                    (name, kind)
                }
                Place::End => (column.name.clone(), kind_of(column.values)),
            };
            let origin = Origin::Added(number);
            all.push((name, origin, kind));
        }
        let usual = all.len();
        let puzzle_at = input.iter().position(|known| known.name == puzzle);
        let mut own: Vec<_> = input
            .into_iter()
            .filter(|known| known.name != puzzle && !replaced.contains(&known.name))
            .map(|known| (known.name, Origin::Input(known.column), known.kind))
            .collect();
        if !replaced.contains(&puzzle) {
            let at = puzzle_at.unwrap_or(0).min(own.len());
            own.insert(at, (puzzle, Origin::Puzzle, Some(kind_of_puzzles)));
        }
        all.extend(own);
        let usual = if usual == 0 { all.len() } else { usual };
        Self::choose(all, usual, chosen, is_quiet)
    }

    /// The arrays of records that are made, with these columns. The first is their number,
    /// which an array shows anyway, and so is not usual.
    pub(super) fn made(
        columns: &[Added],
        chosen: &[String],
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let column = |(number, column): (usize, &Added)| {
            let kind = kind_of(column.values);
            (column.name.clone(), Origin::Added(number), kind)
        };
        let mut all: Vec<_> = columns.iter().enumerate().map(column).collect();
        all.rotate_left(1);
        let usual = all.len() - 1;
        Self::choose(all, usual, chosen, is_quiet)
    }

    /// Takes the columns with the chosen names, or the first `usual` ones.
    fn choose(
        mut all: Vec<(String, Origin, Option<Kind>)>,
        usual: usize,
        chosen: &[String],
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let mut columns = Vec::new();
        let mut text = Vec::new();
        if chosen.is_empty() {
            for (name, origin, kind) in mem::take(&mut all).into_iter().take(usual) {
                match kind {
                    Some(kind) => columns.push(ArrayColumn { name, origin, kind }),
                    None => text.push(name),
                }
            }
            if columns.is_empty() {
                bail!("there are no numbers and no cells to make arrays of (--format npy)");
            }
        }
        for wanted in chosen {
            let Some(at) = all.iter().position(|(name, ..)| name == wanted) else {
                let names: Vec<_> = all.into_iter().map(|(name, ..)| name).collect();
                bail!(
                    "--array {wanted}: there is no such column left; there is: {}",
                    names.join(", ")
                );
            };
            let (name, origin, kind) = all.remove(at);
            let kind = kind.with_context(|| format!("--array {name}: this column has text"))?;
            columns.push(ArrayColumn { name, origin, kind });
        }
        if !text.is_empty() && !is_quiet {
            let names = text.join(", ");
            say(format_args!(
                "sudoku-batch: no arrays hold text: they leave out {names}"
            ));
        }
        Ok(Self(columns))
    }

    /// The files of all columns, for each of these names that the user gives.
    pub(crate) fn paths(&self, targets: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let paths = targets.iter().map(|target| self.paths_of(target));
        Ok(paths.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The outputs with the heads of arrays, one for each column or that many times.
    pub(crate) fn with_heads(&self, outputs: Vec<Output>) -> anyhow::Result<Vec<Output>> {
        let with_head = |(output, column): (Output, &ArrayColumn)| {
            let row = column.kind.row();
            Ok(output.with_head(HEAD, move |bytes| row.head(bytes).to_vec())?)
        };
        let columns = self.0.iter().cycle();
        outputs.into_iter().zip(columns).map(with_head).collect()
    }

    fn paths_of(&self, target: &Path) -> anyhow::Result<Vec<PathBuf>> {
        if target == Path::new("-") {
            bail!(
                "arrays go to files with names (--output NAME.npy), not to a pipe: their heads have the \
                 number of rows, and are written last"
            );
        }
        let has_cells =
            |column: &ArrayColumn| matches!(column.kind, Kind::Cells | Kind::Candidates);
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
                        "the column {} is no part of a file name: --array",
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
        for entry in answer.entries() {
            let (record, rows) = (entry.record(), entry.values().len().max(1));
            let buffers = &mut buffers[entry.part() * self.0.len()..];
            for (column, to) in self.0.iter().zip(buffers) {
                let own = match &column.origin {
                    &Origin::Added(number) if !entry.is_unchanged() => {
                        if let (Kind::Records, Data::OfRecord) =
                            (column.kind, answer.column(number))
                        {
                            let number = (first + record as u64) as f64;
                            entry.values().for_each(|_| push_number(number, to));
                            continue;
                        }
                        for place in entry.values() {
                            column
                                .push_value(answer, number, (record, place), to)
                                .map_err(|what| (record, what))?;
                        }
                        continue;
                    }
                    Origin::Added(number) => match &added[*number].place {
                        Place::End => None,
                        Place::Puzzle => own_text(records, record),
                        Place::Column(old) | Place::ColumnIfThere(old) | Place::Kept(old) => {
                            value(records, layout, record, old)
                        }
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
    /// Appends a value of a column that the command adds: of a record's row at a place of the answer.
    #[inline]
    fn push_value(
        &self,
        answer: &Answer<'_>,
        number: usize,
        (record, place): (usize, usize),
        to: &mut Vec<u8>,
    ) -> Result<(), String> {
        match (self.kind, answer.column(number)) {
            (Kind::Cells, Data::Cells(lines)) => {
                let cells: &[u8; CELLS] = lines.as_slice()[place].first_chunk().expect("81 of 82");
                to.extend(cells.map(digit_of));
            }
            (Kind::Cells, Data::Puzzles(puzzles)) => match puzzles.get(place) {
                PuzzleValue::Nothing => to.extend([0; CELLS]),
                PuzzleValue::Cells(cells) => to.extend(cells.map(digit_of)),
                PuzzleValue::Other(other) => return self.push_other(other, to),
            },
            (Kind::Candidates, Data::Puzzles(puzzles)) => match puzzles.get(place) {
                PuzzleValue::Nothing => to.extend([0; CANDIDATES]),
                PuzzleValue::Cells(cells) => self.kind.push(cells, to),
                PuzzleValue::Other(other) => return self.push_other(other, to),
            },
            // A text of the user stands in the place of a puzzle.
            (kind, Data::Puzzles(puzzles)) => match puzzles.get(place) {
                PuzzleValue::Other(other) => return self.push_other(other, to),
                PuzzleValue::Cells(cells) => kind.push(cells, to),
                PuzzleValue::Nothing => kind.push(&[], to),
            },
            (_, Data::Numbers(numbers)) => {
                push_number(numbers[place].map_or(f64::NAN, |n| n as f64), to)
            }
            (_, Data::Bounds(bounds)) => {
                push_number(
                    bounds[place].map_or(f64::NAN, |bound| bound.number as f64),
                    to,
                );
            }
            (_, Data::Ratings(ratings)) => {
                let tenths = ratings[place].map(|rating| f64::from(rating.tenths()) / 10.0);
                push_number(tenths.unwrap_or(f64::NAN), to);
            }
            (_, Data::Flags(flags)) => {
                push_number(
                    flags[place].map_or(f64::NAN, |flag| f64::from(u8::from(flag))),
                    to,
                );
            }
            (_, Data::Names(names)) => to.push(names[place]),
            (_, Data::Pairs(pairs)) => match &pairs[place] {
                Some(pairs) => to.extend(pairs.as_flattened().iter().map(|&n| n as u8)),
                None => to.extend([u8::MAX; 2 * CELLS]),
            },
            (_, Data::OfRecord) => to.push(answer.statuses[record] as u8),
            (_, other) => unreachable!("no array is made of {other:?}"),
        }
        Ok(())
    }

    /// Appends what stands in the place of 81 cells.
    fn push_other(&self, other: &Other, to: &mut Vec<u8>) -> Result<(), String> {
        let text = match other {
            Other::Candidates(candidates, blank) => &candidates.to_ascii(*blank)[..],
            Other::Text(text) => text,
        };
        if !self.kind.fits(text) {
            return Err(self.misfit(text));
        }
        self.kind.push(text, to);
        Ok(())
    }

    /// The message that a value is of another kind.
    fn misfit(&self, value: &[u8]) -> String {
        let (name, what) = (&self.name, self.kind.noun());
        let found = match candidates_of(value) {
            Some(_) => "a puzzle by candidates".into(),
            None => format!("{:?}", String::from_utf8_lossy(value)),
        };
        format!(
            "column {name}: {found} is not {what}, as the first values are: --array NAME,… chooses columns"
        )
    }
}

/// The names of statuses, in the order of their codes.
fn names_of_statuses() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| Status::ALL.iter().map(|status| status.name()).collect())
}

/// The kind of the values of a column, unless they are text.
fn kind_of(values: Values) -> Option<Kind> {
    match values {
        Values::Cells | Values::Puzzles => Some(Kind::Cells),
        Values::Numbers | Values::Bounds | Values::Ratings | Values::Flags => Some(Kind::Numbers),
        Values::Status => Some(Kind::Names(names_of_statuses())),
        Values::Record => Some(Kind::Records),
        Values::Names(names) => Some(Kind::Names(names)),
        Values::Pairs => Some(Kind::Pairs),
        Values::Text | Values::Json => None,
    }
}

impl Kind {
    fn row(self) -> npy::Row {
        let (element, shape): (_, &[u16]) = match self {
            Self::Cells => (Element::U8, &[CELLS as u16]),
            Self::Candidates => (Element::U8, &[CANDIDATES as u16]),
            Self::Numbers | Self::Records => (Element::F64, &[]),
            Self::Names(_) => (Element::U8, &[]),
            Self::Pairs => (Element::I8, &[CELLS as u16, 2]),
        };
        npy::Row { element, shape }
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
            Self::Numbers | Self::Records => push_number(number(value).unwrap_or(f64::NAN), to),
            Self::Pairs if value.is_empty() => to.extend_from_slice(&[u8::MAX; 2 * CELLS]),
            Self::Pairs => to.extend_from_slice(value),
            Self::Names(names) => {
                let place = names.iter().position(|name| name.as_bytes() == value);
                to.push(place.map_or(NO_NAME, |place| place as u8));
            }
        }
    }

    /// Whether a value of the input is such, or missing.
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

fn push_number(number: f64, to: &mut Vec<u8>) {
    to.extend_from_slice(&number.to_le_bytes());
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

/// Whether a puzzle at the start of an input is given by candidates.
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
    column: &Column,
) -> Option<Cow<'r, [u8]>> {
    let text = (!records.is_torn(record)).then(|| records.text(record))?;
    layout.value(text, column)
}

/// The columns of an input, with the kinds of their first values.
fn input_columns(source: &Source) -> Vec<InputColumn> {
    let layout = &source.detected.layout;
    let mut records = Records::default();
    layout.read(source.first_text(), &mut records);
    // The end of the text may cut the last record off.
    let whole = match records.len() {
        0 | 1 => records.len(),
        several => several - 1,
    };
    let column = |name: &String| {
        let column = layout.column(name).ok()?;
        let values = (0..whole).filter_map(|record| value(&records, layout, record, &column));
        let values: Vec<_> = values.filter(|value| !is_missing(value)).collect();
        let all = |kind: &Kind| !values.is_empty() && values.iter().all(|value| kind.fits(value));
        let kind = [Kind::Cells, Kind::Numbers].into_iter().find(all);
        let name = name.clone();
        Some(InputColumn { name, column, kind })
    };
    layout.columns().iter().filter_map(column).collect()
}
