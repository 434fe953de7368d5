//! A question about records: slices over threads, columns into the memory of the caller or into a table.
//!
//! Nothing here knows a question. The definition says which settings it takes and which columns it has, and
//! `ColumnVisitor` what is in them.

use super::{
    border::memory::{RowsIn, RowsOut},
    failure::Failure,
    table::Table,
    workers::Workers,
};
use sudoku_batch::{
    format::{ParseError, Records, line},
    grid::{BLANK, CANDIDATES, CELLS, are_plain},
    questions::{
        self, Answer, Batch, ColumnVisitor, Definition, GivenAnswer, Kind, Options, PuzzleValue,
        Question, SolutionCount,
    },
    slices::Kept,
    technique::Rating,
};

/// A question, its records, and the place of its values.
pub(crate) struct Request<'c> {
    pub(crate) definition: &'static Definition,
    pub(crate) options: Options,
    /// The records: rows of 81 or of 729 characters.
    pub(crate) records: RowsIn<'c>,
    /// An answer for each record, where the question compares.
    pub(crate) answers: Option<RowsIn<'c>>,
    pub(crate) sinks: Vec<Sink<'c>>,
    /// Whether the first column of cells may be written by the question itself, into lines of the caller.
    pub(crate) lends_lines: bool,
}

/// Memory of the caller for the values of a column, a row for each record.
pub(crate) struct Sink<'c> {
    pub(crate) what: What,
    pub(crate) rows: RowsOut<'c>,
}

/// The value that a row of a [`Sink`] gets, of the column with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The code of the status: a byte.
    Status,
    /// 81 characters; dots if there is nothing.
    Cells(&'static str),
    /// A number of 64 bits; 0 if there is nothing.
    Whole(&'static str),
    /// 1 if there is more than the number says, otherwise 0: a byte.
    More(&'static str),
    /// A number of 32 bits; -1 if there is nothing.
    Small(&'static str),
    /// A rating in tenths; 0 if there is nothing.
    Tenths(&'static str),
}

impl What {
    fn column(self) -> Option<&'static str> {
        match self {
            Self::Status => None,
            Self::Cells(name)
            | Self::Whole(name)
            | Self::More(name)
            | Self::Small(name)
            | Self::Tenths(name) => Some(name),
        }
    }
}

impl<'c> Sink<'c> {
    /// The sink of the first rows, and that of the others.
    fn split_at(self, rows: usize) -> (Self, Self) {
        let what = self.what;
        let (first, others) = self.rows.split_at(rows);
        (Self { what, rows: first }, Self { what, rows: others })
    }

    /// Writes the values of all rows of an answer.
    fn write(&mut self, asked: &Question, answer: &Answer<'_>) {
        let rows = &mut self.rows;
        let Some(name) = self.what.column() else {
            return rows.write_bytes(answer.statuses.iter().map(|status| *status as u8));
        };
        let place = asked.columns.iter().position(|column| column.name == name);
        let place = place.expect("a column of the question");
        if let (What::Cells(_), Some(lines)) = (self.what, answer.column(place).lines()) {
            if let Some(cells) = rows.as_cells() {
                // Copies of a known length are moves of vectors, and no calls.
                for (row, line) in cells.iter_mut().zip(lines) {
                    *row = *line.first_chunk().expect("81 of 82");
                }
                return;
            }
            for (row, line) in lines.iter().enumerate() {
                rows.write(row, &line[..CELLS]);
            }
            return;
        }
        let rows = answer
            .entries()
            .map(|(record, places)| (record, places.start));
        answer.visit(place, rows, |record| record as u64, self);
    }

    /// Writes a value for each row.
    fn write_each<T>(
        &mut self,
        values: impl Iterator<Item = T>,
        write: impl Fn(&mut RowsOut<'c>, usize, T),
    ) {
        for (row, value) in values.enumerate() {
            write(&mut self.rows, row, value);
        }
    }
}

/// The kind of a column says which values it has. So each method knows what is wanted of them.
impl ColumnVisitor for Sink<'_> {
    fn puzzles<'v>(&mut self, rows: impl Iterator<Item = PuzzleValue<'v>>) {
        self.write_each(rows, |to, row, puzzle| match puzzle {
            PuzzleValue::Cells(cells) => to.write(row, cells),
            _ => to.write(row, &[BLANK; CELLS]),
        });
    }

    fn bounds(&mut self, rows: impl Iterator<Item = Option<SolutionCount>>) {
        match self.what {
            What::More(_) => self.write_each(rows, |to, row, bound| {
                to.write(row, &[bound.is_some_and(|bound| bound.more).into()]);
            }),
            _ => self.write_each(rows, |to, row, bound| {
                to.write(row, &bound.map_or(0, |bound| bound.number).to_ne_bytes());
            }),
        }
    }

    fn numbers(&mut self, rows: impl Iterator<Item = Option<u64>>) {
        self.write_each(rows, |to, row, number| {
            let number = number.and_then(|number| i32::try_from(number).ok());
            to.write(row, &number.unwrap_or(-1).to_ne_bytes());
        });
    }

    fn ratings(&mut self, rows: impl Iterator<Item = Option<Rating>>) {
        self.write_each(rows, |to, row, rating| {
            to.write(row, &[rating.map_or(0, |rating| rating.tenths())]);
        });
    }
}

/// The memory of a thread: a question with its settings, and what it reads and fills.
pub(crate) struct Desk {
    asked: Question,
    answer: Answer<'static>,
    records: Records,
    /// Room for cells that do not lie side by side.
    cells: Vec<[u8; CELLS]>,
}

/// Rows of a request that a thread answers at a time.
struct Slice<'c> {
    first: usize,
    records: RowsIn<'c>,
    answers: Option<RowsIn<'c>>,
    sinks: Vec<Sink<'c>>,
}

/// The questions about rows of 81 or 729 characters, which hold no free texts.
pub(crate) fn definitions() -> impl Iterator<Item = &'static Definition> {
    questions::all().filter(|definition| !definition.takes_texts())
}

/// The definition of a question.
pub(crate) fn definition(name: &str) -> Result<&'static Definition, Failure> {
    let found = definitions().find(|definition| definition.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = definitions().map(|definition| definition.name).collect();
        let names = names.join(", ");
        Failure::option(format_args!(
            "there is no question {name:?}; one of: {names}"
        ))
    })
}

impl Request<'_> {
    /// Asks the question about all records. The values go to the sinks, and into a table if one is wanted.
    pub(crate) fn ask(
        self,
        workers: &Workers,
        desks: &Kept<Desk>,
        wants_table: bool,
    ) -> Result<Option<Table>, Failure> {
        let options = self.settings(workers)?;
        let Self {
            definition,
            records,
            answers,
            sinks,
            lends_lines,
            ..
        } = self;
        let mut asked = definition.with(options.iter()).map_err(Failure::option)?;
        asked.share(workers.threads);
        let wanted: Vec<_> = sinks.iter().map(|sink| sink.what).collect();
        let kind = format!("{} {options:?} {wanted:?} {wants_table}", definition.name);
        let count = records.len();
        let length = workers.slice(count, asked.batch());
        let mut rest = Some(sinks);
        let slices = (0..count).step_by(length).map(|first| {
            let rows = first..count.min(first + length);
            let (mut sinks, mut others) = (Vec::new(), Vec::new());
            for sink in rest.take().unwrap_or_default() {
                let (now, later) = sink.split_at(rows.len());
                sinks.push(now);
                others.push(later);
            }
            rest = Some(others);
            Slice {
                first,
                records: records.range(rows.clone()),
                answers: answers.map(|answers| answers.range(rows)),
                sinks,
            }
        });
        // Forks fill answers, and the question settles them.
        let fork = asked.fork();
        let make = || {
            Desk::new(fork.fork(), |name| {
                wants_table || wanted.iter().any(|what| what.column() == Some(name))
            })
        };
        let of_slices = workers.run(slices, count.div_ceil(length), |slice| {
            let answer = |desk: &mut Desk| desk.answer(slice, lends_lines, wants_table);
            Ok(desks.with(workers.threads, &kind, make, answer))
        })?;
        if !wants_table {
            return Ok(None);
        }
        let empty = asked.table().with_records();
        let of_slices = of_slices.into_iter().flatten().map(|mut rows| {
            rows.settle(&mut asked);
            rows
        });
        Ok(Some(Table::new(empty, of_slices)))
    }

    /// The settings: its options, the level of the engine, what the answers and the wanted columns
    /// ask for.
    fn settings(&self, workers: &Workers) -> Result<Options, Failure> {
        let (definition, mut options) = (self.definition, self.options.clone());
        for (name, _) in options.iter() {
            let setting = definition.setting_of_calls(name).map_err(Failure::option)?;
            if setting.is_beside() {
                let message =
                    format_args!("{name}: answers are an argument of the call, and no option");
                return Err(Failure::option(message));
            }
        }
        let setting_of = |kind| {
            definition
                .settings
                .iter()
                .find(|setting| setting.kind == kind)
        };
        if let (Some(level), Some(setting)) = (workers.level, setting_of(Kind::Level)) {
            options.set(setting.name, level.name());
        }
        match (&self.answers, setting_of(Kind::Answers)) {
            (Some(_), Some(setting)) => options.set(setting.name, "true"),
            (Some(_), None) => {
                let message = format_args!("{} takes no answers", definition.name);
                return Err(Failure::option(message));
            }
            (None, _) => {}
        }
        let wanted = self.sinks.iter().filter_map(|sink| sink.what.column());
        for setting in wanted.filter_map(|name| definition.column(name).when) {
            options.set(setting, "true");
        }
        Ok(options)
    }
}

impl Desk {
    fn new(asked: Question, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut answer = asked.empty();
        answer.leave_out(|column| !is_wanted(asked.columns[column].name));
        Self {
            asked,
            answer,
            records: Records::default(),
            cells: Vec::new(),
        }
    }

    /// Answers a slice. Gives its rows, if a table is wanted.
    fn answer(
        &mut self,
        slice: Slice<'_>,
        lends_lines: bool,
        wants_table: bool,
    ) -> Option<questions::Table> {
        let Slice {
            first,
            records,
            answers,
            mut sinks,
        } = slice;
        let Self {
            asked,
            answer,
            records: read,
            cells,
        } = self;
        let are_lines = |sink: &Sink<'_>| {
            lends_lines && matches!(sink.what, What::Cells(_)) && sink.rows.are_lines()
        };
        let lines = sinks.iter().position(are_lines);
        let mut lines = lines.map(|at| sinks.swap_remove(at));
        let lent = lines.as_mut().and_then(|sink| sink.rows.as_lines());
        let mut filled = std::mem::take(answer).renewed(lent);
        filled.begin(records.len());
        let plain = match answers {
            None => plain(records, cells),
            Some(_) => None,
        };
        let is_answered = plain.is_some_and(|cells| asked.fill_plain(cells, &mut filled));
        if !is_answered {
            read.clear();
            (0..records.len()).for_each(|row| push(read, records.row(row)));
            let answers = answers.map(|answers| {
                let all = (0..answers.len()).map(|row| answers.row(row));
                all.map(GivenAnswer::of_text).collect::<Vec<_>>()
            });
            let batch = Batch {
                records: read,
                answers: answers.as_deref(),
                texts: None,
            };
            asked.fill(batch, &mut filled);
        }
        sinks.iter_mut().for_each(|sink| sink.write(asked, &filled));
        let table = wants_table.then(|| {
            let mut table = asked.table().with_records();
            table.push_filled(first as u64, &mut filled);
            table
        });
        *answer = filled.renewed(None);
        table
    }
}

/// Rows of 81 cells, if they are digits and dots alone, copied to `room` if they do not lie side by side.
fn plain<'r>(rows: RowsIn<'r>, room: &'r mut Vec<[u8; CELLS]>) -> Option<&'r [[u8; CELLS]]> {
    if rows.width() != CELLS {
        return None;
    }
    if let Some(bytes) = rows.packed() {
        return are_plain(bytes).then_some(bytes.as_chunks().0);
    }
    room.clear();
    room.extend((0..rows.len()).map(|row| {
        let cells: &[u8; CELLS] = rows.row(row).try_into().expect("81 bytes");
        *cells
    }));
    are_plain(room.as_flattened()).then_some(room)
}

/// Adds the record of a row of 81 cells or 729 candidates.
fn push(records: &mut Records, row: &[u8]) {
    let number = records.len() as u64 + 1;
    if let Ok(cells) = row.try_into() {
        if let Err(error) = records.push_cells(number, cells) {
            records.push_error(number, error, row);
        }
        return;
    }
    debug_assert_eq!(row.len(), CANDIDATES);
    let is_candidate = |c: &u8| c.is_ascii_digit() || *c == BLANK;
    match row.iter().find(|c| !is_candidate(c)) {
        // Such a text is one line, and no comment.
        None => line::read(row, records),
        Some(byte) => {
            let column = row.iter().take_while(|c| is_candidate(c)).count() + 1;
            let error = ParseError::no_candidate(column, *byte);
            records.add_lines(1);
            records.push_error(number, error, b"");
        }
    }
}
