//! The layout of records in a text, and how to detect it.

use super::{
    Added, Records, Values, array,
    block::{self, Reader, RowStyle, Separation},
    closest::closest,
    csv,
    doubt::{self, Doubt},
    is_cell,
    jsonl::{self, Key},
    line, lines_end, prose,
    records::has_digits_of_puzzle,
    split_line,
    table::Table,
    text, without_mark,
    written::{Reading, WrittenError},
};
use crate::{
    grid::{AnyPuzzle, BLANK, CANDIDATES, CELLS, Candidates, Grid, Puzzle},
    name::named,
    stop,
};
use std::{borrow::Cow, collections::HashMap};

named! {
    /// A format of records in a text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Form, a "format" {
        /// 81 cells at the start of each line; what follows them is dropped.
        Line = "line",
        /// Comma-separated values, by RFC 4180.
        Csv = "csv",
        /// Tables with tabs.
        Tsv = "tsv",
        /// A JSON object on each line.
        Jsonl = "jsonl",
        /// Lines in which the puzzle is one of several words.
        Text = "text",
        /// Nine lines of nine cells.
        Block = "block",
        /// Nine lines of nine digits with spaces between, 0 for a blank, and a blank line between
        /// grids, as a well-known course project wants them. Nine lines of dots stand for a record
        /// without cells. Such files are read as [`Block`](Self::Block).
        Grid = "grid",
        /// Nine lines of nine cells below a line `[Puzzle]`, as programs for players store it. Other sections and
        /// comments are left out.
        Sdk = "sdk",
        /// Nine lines of nine cells in a frame. Such files are read as [`Block`](Self::Block).
        Pretty = "pretty",
        /// 729 characters at the start of each line, nine for each cell: its candidates. Such files are
        /// read as [`Line`](Self::Line), whose records may be of either kind.
        Candidates = "candidates",
        /// Nine lines of nine cells, each with its candidates, and perhaps a frame. A cell with one
        /// candidate is a clue.
        Pencilmarks = "pencilmarks",
        /// Nine lines of nine cells in a frame of box drawing. Such files are read as [`Block`](Self::Block), if
        /// the format is given.
        Box = "box",
        /// A link to the solver of SudokuWiki on each line, 0 for a blank. Files of this format and of the next three
        /// are read as [`Line`](Self::Line).
        Link = "link",
        /// A link to the player of SudokuExchange on each line, 0 for a blank.
        SudokuExchange = "sudokuexchange",
        /// A line of HoDoKu's library for each record, a dot for a blank.
        Hodoku = "hodoku",
        /// SudokuWiki's S9B: a line of `S9B` and two digits of base 36 for each cell, 00 for a blank.
        S9b = "s9b",
    }
}

impl Form {
    /// The format that the name of a file promises: that of a table. An ending of compression is none of the
    /// format.
    #[doc(hidden)]
    pub fn of_name(name: &str) -> Option<Self> {
        let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
        match plain.unwrap_or(name).rsplit_once('.')?.1 {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            _ => None,
        }
    }

    /// Returns true if the format can hold these columns: blocks and links are 81 cells and nothing else, and pencil
    /// marks have candidates too.
    #[doc(hidden)]
    pub fn holds(self, columns: &[Added]) -> bool {
        let mut values = columns.iter().map(|column| column.values);
        if columns.is_empty() || !self.is_of_nine_lines() && !self.is_notation() {
            return true;
        }
        if values.clone().any(|values| values == Values::Candidates) {
            return self == Self::Pencilmarks;
        }
        values.any(Values::are_cells)
    }

    /// Returns true if a record is nine lines of cells, with no room for other columns.
    pub fn is_of_nine_lines(self) -> bool {
        matches!(
            self,
            Self::Block | Self::Grid | Self::Sdk | Self::Pretty | Self::Box | Self::Pencilmarks
        )
    }

    /// Returns true if a record is a line of its puzzle, with no room for columns.
    pub fn is_of_lines(self) -> bool {
        self.is_of_plain_lines() || self.is_notation()
    }

    /// Returns true if a record is a line that begins with its puzzle.
    #[doc(hidden)]
    pub fn is_of_plain_lines(self) -> bool {
        matches!(self, Self::Line | Self::Candidates)
    }

    /// Returns true if a record is a line with its puzzle in the notation of a site or a program.
    #[doc(hidden)]
    pub fn is_notation(self) -> bool {
        matches!(
            self,
            Self::Link | Self::SudokuExchange | Self::Hodoku | Self::S9b
        )
    }

    /// The only character that the format has for a blank, unless it has any.
    #[doc(hidden)]
    pub fn blank(self) -> Option<u8> {
        match self {
            Self::Grid | Self::Link | Self::SudokuExchange | Self::S9b => Some(b'0'),
            Self::Hodoku => Some(BLANK),
            _ => None,
        }
    }
}

/// The layout of the records of one input: the format, and where a record has its puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Of [`Form::Line`].
    Line,
    /// Of [`Form::Csv`] or [`Form::Tsv`].
    Table(Table),
    /// Of [`Form::Jsonl`].
    Objects(Objects),
    /// Of [`Form::Text`], with the number, from 0, of the word that is the puzzle.
    Words(usize),
    /// Of [`Form::Block`], [`Form::Grid`], [`Form::Pretty`], [`Form::Box`] or [`Form::Sdk`].
    Blocks(Blocks),
    /// Any other writing that evidence makes out: a drawing, an array, code, links. Its records are 81 cells.
    Written(Box<Reading>),
}

/// The number of lines before a piece of a text, and the piece.
type Piece<'t> = (u64, &'t [u8]);

/// The facts about the objects of JSON lines, or of other JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    key: Key,
    /// The first object.
    first: String,
    /// Its keys, and the key of the puzzle. They become the columns if the output is a table.
    columns: Vec<String>,
    answers: Vec<AnswerColumn>,
    /// True if the objects stand in one array, or over several lines.
    is_spread: bool,
}

/// The layout of a text of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub(super) separation: Separation,
    /// True if the text has sections. Then only `[Puzzle]` holds puzzles.
    pub(super) sections: bool,
    /// True if the text begins with other lines than puzzles, before the first section.
    pub(super) begins_elsewhere: bool,
    pub(super) style: RowStyle,
    /// True if the blocks stand among other lines, which are left out.
    pub(super) among_prose: bool,
    /// True if the text around the puzzles becomes columns.
    pub(super) has_texts: bool,
}

/// A column of a table, or a key of JSON lines: [`Layout::column`] finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnPlace(Place);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Number(usize),
    Key(Key),
}

impl ColumnPlace {
    /// Its number among the columns of a layout, from 0.
    pub(super) fn number_in(&self, layout: &Layout) -> Option<usize> {
        match &self.0 {
            Place::Number(number) => Some(*number),
            Place::Key(key) => key.number_in(layout.columns()),
        }
    }

    /// Its key in JSON lines.
    pub(super) fn key(&self) -> Option<&Key> {
        match &self.0 {
            Place::Number(_) => None,
            Place::Key(key) => Some(key),
        }
    }
}

/// The end of the first line of a text: `\n`, `\r\n` or `\r`.
fn line_end(text: &[u8]) -> &'static str {
    let end = memchr::memchr2(b'\n', b'\r', text);
    match end.map(|end| &text[end..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        // A line feed may follow.
        Some([b'\r', _, ..]) => "\r",
        _ => "\n",
    }
}

/// The facts about an input that are known before its records are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The layout of its records.
    pub layout: Layout,
    /// The bytes before the first record: a header.
    pub skipped: usize,
    /// The number of lines in these bytes.
    pub skipped_lines: u64,
    /// The end of its first line.
    pub line_end: &'static str,
    /// The number of puzzles that the first line announces.
    pub announced: Option<u64>,
}

/// An error of a text whose format cannot be detected, or differs from the requested one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No format fits.
    #[error(
        "cannot tell the format of this line: {text:?}{}",
        .closest.as_ref().map_or(String::new(), |closest| format!("; {closest}"))
    )]
    Unknown {
        /// The first line that is not blank, from 1.
        line: u64,
        /// Its text, shortened for display.
        text: String,
        /// The lines that come closest to a puzzle, and what they lack, in words.
        closest: Option<String>,
    },
    /// The first line is a puzzle with too few or too many cells.
    #[error("as a puzzle this line has {cells} of {CELLS} cells: {text:?}")]
    Cells {
        /// The line, from 1.
        line: u64,
        /// Its text.
        text: String,
        /// The number of cells.
        cells: usize,
    },
    /// The table lacks the requested column, or has no column of puzzles; or the JSON lines
    /// have no key of puzzles.
    #[error("there is no column {wanted}; {}", existing(.columns))]
    NoColumn {
        /// The column that was searched for.
        wanted: String,
        /// The columns that exist.
        columns: Vec<String>,
    },
    /// The text is JSON, and no JSON lines: one array, or an object of several lines.
    #[error(
        "column {column}: {what} where a JSON object on each line should be: {tool} FILE writes lines"
    )]
    NotLines {
        /// The line, from 1.
        line: u64,
        /// The column, counted in bytes from 1.
        column: usize,
        /// The thing that begins there.
        what: &'static str,
        /// The command that writes lines.
        tool: &'static str,
    },
    /// The text can be read in two ways, and its puzzles do not tell which is right.
    #[error("it can be read as {} or as {}", .0[0], .0[1])]
    Ambiguous([String; 2]),
    /// The puzzles have the digits 0 to 8: read so, they have one solution, and otherwise they do not.
    #[error("its puzzles seem to have the digits 0 to 8, and another sign for blanks")]
    CountsFromZero,
    /// Two columns fit a name, because they differ in case alone.
    #[error("the columns {} and {} differ in case alone", .0[0], .0[1])]
    Alike([String; 2]),
    /// Two columns of a table have one name.
    #[error("the columns {} and {} have one name, {name}: rename one of them", .numbers[0], .numbers[1])]
    Twice {
        /// The name.
        name: String,
        /// Their numbers, from 1.
        numbers: [usize; 2],
    },
}

/// The columns that exist, for the message of an error.
fn existing(columns: &[String]) -> String {
    match columns {
        [] => "the records have no columns".into(),
        columns => format!("the columns are: {}", columns.join(", ")),
    }
}

/// Names that data sets use for the column of puzzles, in the order of the search.
const PUZZLE_NAMES: [&str; 12] = [
    "puzzle", "puzzles", "quizzes", "quiz", "question", "sudoku", "clues", "problem", "givens",
    "board", "grid", "input",
];

/// Words in the names of columns that hold solutions or answers. A column that has one of the first five as its
/// whole name holds them, whatever its values are. Every interface takes the names from here.
const ANSWER_WORDS: [&str; 20] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "sol",
    "solved",
    "final",
    "target",
    "targets",
    "output",
    "outputs",
    "label",
    "labels",
    "result",
    "results",
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "preds",
];

/// The number of words in [`ANSWER_WORDS`] that are names of their own.
const ANSWER_NAMES: usize = 5;

/// The first word in [`ANSWER_WORDS`] for what a model says. In a file of answers it comes before a solution.
const PREDICTIONS: usize = 15;

/// A column that holds solutions or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerColumn {
    /// Its number, from 0, among all columns.
    pub(super) number: usize,
    /// Its name as it is written.
    name: String,
    evidence: Evidence,
}

/// The evidence that a column holds answers, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    /// Its name has a word for answers, with this place in [`ANSWER_WORDS`], and it has grids. A name of one word
    /// comes first.
    NameAndGrids { has_more_words: bool, word: usize },
    /// Most of its values are full grids that agree with the puzzles of their records.
    Solutions,
    /// Most of its values are full grids.
    FullGrids,
    /// Its name is one for answers.
    Name(usize),
}

impl Layout {
    /// The number of bytes at the start of a text that decide its layout. If they hold no whole record,
    /// the first one decides.
    pub const HEAD: usize = 64 << 10;

    /// Detects the layout of a text from its first bytes. A given format is taken, otherwise
    /// the format that fits. A given column (its name, or its number from 1) is taken,
    /// otherwise the column that holds puzzles.
    ///
    /// That column is chosen by its name and by what the records in the first [`HEAD`](Self::HEAD)
    /// bytes hold. Give at least these bytes, or all: then more of them do not change the choice. The
    /// first kind of column that exists is taken:
    ///
    /// 1. one with a name for puzzles, in which most grids have blanks;
    /// 2. one with a name that says nothing, in which most grids have blanks;
    /// 3. one with a name for puzzles, with full grids;
    /// 4. one with a name for puzzles that is empty or damaged;
    /// 5. one with a name that says nothing, with full grids;
    /// 6. one with a name for puzzles and other text, or one with damaged puzzles alone;
    /// 7. one with a name for solutions or answers: first one with blanks.
    ///
    /// # Errors
    ///
    /// Nothing fits, or the table has no such column.
    pub fn detect(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        Self::detect_behind_mark(head, |text| Self::detect_text(text, form, column))
    }

    /// Detects a layout in a text that may begin with a mark of byte order, which is none of the text.
    fn detect_behind_mark(
        head: &[u8],
        detect: impl FnOnce(&[u8]) -> Result<Detected, DetectError>,
    ) -> Result<Detected, DetectError> {
        let text = without_mark(head);
        let found = detect(text)?;
        Ok(Detected {
            skipped: head.len() - text.len() + found.skipped,
            ..found
        })
    }

    /// Detects the layout of a text without a mark of byte order.
    fn detect_text(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        let quick = Self::detect_quick(head, form, column);
        if form.is_none()
            && matches!(quick, Err(DetectError::NotLines { .. }))
            && let Some(found) = spread_objects(head, column)
        {
            return Ok(found);
        }
        if form.is_some() || column.is_some() {
            return quick;
        }
        if quick
            .as_ref()
            .is_ok_and(|found| found.counts_from_zero(head))
        {
            return Err(DetectError::CountsFromZero);
        }
        let doubt = match &quick {
            Ok(found) => match Doubt::of(found, head) {
                None => return quick,
                doubt => doubt,
            },
            // A table or JSON lines with names that do not help are no other writing.
            Err(DetectError::Alike(_) | DetectError::Twice { .. }) => return quick,
            Err(DetectError::NoColumn { .. }) if head.trim_ascii_start().starts_with(b"{") => {
                return quick;
            }
            Err(_) => None,
        };
        let mut judge = doubt::judge();
        match Reading::choose(doubt::sample(head), &mut judge) {
            Ok(chosen)
                if doubt
                    .as_ref()
                    .is_none_or(|doubt| doubt.yields_to(&chosen, &mut judge)) =>
            {
                Ok(Detected {
                    layout: Self::Written(Box::new(chosen.reading)),
                    skipped: 0,
                    skipped_lines: 0,
                    line_end: line_end(head),
                    announced: None,
                })
            }
            Err(WrittenError::Ambiguous(two)) if doubt.as_ref().is_none_or(Doubt::has_nothing) => {
                Err(DetectError::Ambiguous(
                    two.map(|reading| reading.to_string()),
                ))
            }
            _ => quick,
        }
    }

    /// [Detects](Self::detect) the layout of a text whose digits are known.
    // For the command.
    #[doc(hidden)]
    pub fn detect_with_digits(head: &[u8]) -> Result<Detected, DetectError> {
        Self::detect_behind_mark(head, |text| Self::detect_quick(text, None, None))
    }

    /// Detects a layout of the quick readers.
    fn detect_quick(
        head: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        if matches!(form, None | Some(Form::Jsonl)) {
            check_lines_of_json(head)?;
        }
        let first = head.iter().position(|c| !c.is_ascii_whitespace());
        let first = first.unwrap_or(head.len());
        let start = head[..first]
            .iter()
            .rposition(|&c| matches!(c, b'\n' | b'\r'));
        let start = start.map_or(0, |end| end + 1);
        let is_given = form.is_some();
        let form = match form {
            Some(form) => form,
            None => Self::detect_form(head, column)?,
        };
        let (layout, skipped, announced) = match form {
            Form::Csv | Form::Tsv => {
                let start = after_comments(head, start, form);
                match detect_table(head, start, form, column) {
                    // A table of nine columns has blocks.
                    Err(DetectError::NoColumn { .. }) if column.is_none() && is_of_blocks(head) => {
                        detect_blocks(head, Form::Block, is_given)
                    }
                    found => {
                        let (table, skipped) = found?;
                        (Self::Table(table), skipped, None)
                    }
                }
            }
            Form::Block | Form::Grid | Form::Pretty | Form::Sdk | Form::Pencilmarks | Form::Box => {
                detect_blocks(head, form, is_given)
            }
            Form::Link | Form::SudokuExchange | Form::Hodoku | Form::S9b => {
                let reading = Reading::of_notation(form, doubt::sample(head));
                (Self::Written(Box::new(reading)), 0, None)
            }
            Form::Line | Form::Candidates => (Self::Line, 0, None),
            Form::Jsonl => {
                let objects = first_objects(&head[first..], first, column)?;
                (Self::Objects(objects), 0, None)
            }
            Form::Text => {
                let word = lines(head).find_map(text::word_of_puzzle);
                (
                    Self::Words(word.unwrap_or(0)),
                    text::markdown_header(head),
                    None,
                )
            }
        };
        Ok(Detected {
            layout,
            skipped,
            skipped_lines: csv::line_ends(&head[..skipped]),
            line_end: line_end(head),
            announced,
        })
    }

    fn detect_form(head: &[u8], column: Option<&str>) -> Result<Form, DetectError> {
        let Some(first) = lines(head).find(|line| !line.starts_with(b"#")) else {
            return Ok(Form::Line);
        };
        if first.starts_with(b"{") {
            return Ok(Form::Jsonl);
        }
        let is_line = line::begins_with_puzzle;
        if is_line(first) && column.is_none() {
            return Ok(match text::begins_with_solution(first) {
                true => Form::Text,
                false => Form::Line,
            });
        }
        let second = lines(head).filter(|line| !line.starts_with(b"#")).nth(1);
        if let Some(second) = second
            && column.is_none()
            && is_line(second)
            && is_spoiled_record(first, second, delimiter_of(second))
        {
            return Ok(Form::Line);
        }
        if let Some(form) = table_form(head, first, column) {
            return Ok(form);
        }
        if is_section(first) {
            return Ok(Form::Sdk);
        }
        if is_of_marks(head) {
            return Ok(Form::Pencilmarks);
        }
        if is_of_blocks(head) {
            return Ok(Form::Block);
        }
        if lines(head).any(is_line) {
            return Ok(Form::Line);
        }
        if lines(head).any(|line| text::word_of_puzzle(line).is_some()) {
            return Ok(Form::Text);
        }
        if column.is_none() && lines(head).any(line::has_puzzle) {
            return Ok(Form::Line);
        }
        if lines(head).any(is_section) {
            return Ok(Form::Sdk);
        }
        if block::style_of_spaces(head).is_some() || block::is_among_prose(head) {
            return Ok(Form::Block);
        }
        let before = &head[..first.as_ptr().addr() - head.as_ptr().addr()];
        let line = 1 + csv::line_ends(before);
        Err(match first.len() {
            cells @ 41..=162 if first.iter().all(|&c| is_cell(c)) => DetectError::Cells {
                line,
                text: String::from_utf8_lossy(first).into_owned(),
                cells,
            },
            _ => DetectError::Unknown {
                line,
                text: shown(first),
                closest: closest(head),
            },
        })
    }

    /// The format.
    pub fn form(&self) -> Form {
        match self {
            Self::Line | Self::Written(_) => Form::Line,
            Self::Table(table) if table.delimiter() == b'\t' => Form::Tsv,
            Self::Table(_) => Form::Csv,
            Self::Objects(_) => Form::Jsonl,
            Self::Words(_) => Form::Text,
            Self::Blocks(blocks) if blocks.style == RowStyle::Marks => Form::Pencilmarks,
            Self::Blocks(blocks) if blocks.sections => Form::Sdk,
            Self::Blocks(_) => Form::Block,
        }
    }

    /// Reads a text that holds whole records, and appends them.
    pub fn read(&self, text: &[u8], records: &mut Records) {
        match self {
            Self::Line => line::read(text, records),
            Self::Table(table) => table.read(text, records),
            Self::Objects(objects) if objects.is_spread => {
                jsonl::read_spread(text, &objects.key, records);
            }
            Self::Objects(objects) => jsonl::read_key(text, &objects.key, records),
            Self::Words(word) => text::read(text, *word, records),
            Self::Blocks(blocks) => {
                let mut reader = Reader::within(text, blocks, records.lines());
                reader.read(records);
                reader.finish(records);
            }
            Self::Written(reading) => reading.read(text, records),
        }
    }

    /// Cuts a whole text into pieces of about this many bytes, which can be [read](Self::read) apart. Its format and column
    /// are given or [detected](Self::detect). Each piece comes with the number of lines before it, which
    /// [`Records::add_lines`] takes first.
    ///
    /// # Errors
    ///
    /// The errors are those of [`detect`](Self::detect). A text that fits no format may have records
    /// [among its words](Self::read_prose).
    ///
    /// ```
    /// use sudoku_batch::format::{Layout, Records};
    /// let puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
    /// let text = format!("puzzle\n{puzzle}\n{puzzle}\n");
    /// let (layout, pieces) = Layout::pieces(text.as_bytes(), None, None, 1)?;
    /// let mut records = Records::default();
    /// records.add_lines(pieces[1].0);
    /// layout.read(pieces[1].1, &mut records);
    /// assert_eq!((pieces.len(), records.len(), records.line(0)), (2, 1, 3));
    /// # Ok::<(), sudoku_batch::format::DetectError>(())
    /// ```
    pub fn pieces<'t>(
        text: &'t [u8],
        form: Option<Form>,
        column: Option<&str>,
        size: usize,
    ) -> Result<(Self, Vec<Piece<'t>>), DetectError> {
        let found = Self::detect_all(text, form, column)?;
        let (mut lines, mut rest) = (found.skipped_lines, &text[found.skipped..]);
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            stop::check();
            let end = found.layout.record_end(rest, size).unwrap_or(rest.len());
            let (piece, others) = rest.split_at(end);
            pieces.push((lines, piece));
            lines += csv::line_ends(piece);
            rest = others;
        }
        Ok((found.layout, pieces))
    }

    /// Detects the layout of a whole text, of which mostly the beginning tells.
    fn detect_all(
        text: &[u8],
        form: Option<Form>,
        column: Option<&str>,
    ) -> Result<Detected, DetectError> {
        let mut size = Self::HEAD;
        while size < text.len() {
            stop::check();
            let head = &text[..size];
            if let Ok(found) = Self::detect(head, form, column)
                && found.is_certain(head)
            {
                return Ok(found);
            }
            size *= 4;
        }
        Self::detect(text, form, column)
    }

    /// Reads the [grids among the words](prose::each_grid) of a text that fits no format, such as one in an address. If there
    /// is none, its lines are read, so that its error has a place.
    pub fn read_prose(text: &[u8]) -> Records {
        let (mut records, mut line, mut counted) = (Records::default(), 1, 0);
        prose::each_grid(text, |place, puzzle| {
            stop::check();
            line += memchr::memchr_iter(b'\n', &text[counted..place.start]).count() as u64;
            counted = place.start;
            records.push_cells(line, puzzle.as_ascii()).expect("cells");
        });
        if records.is_empty() {
            Self::Line.read(text, &mut records);
        }
        records
    }

    /// Writes the blanks of all puzzles as this character, in the texts of their records too. (Strings
    /// of JSON with escapes stay as they are.)
    pub fn set_blank(&self, records: &mut Records, blank: u8) {
        records.set_blank(blank, |text, by_candidates| {
            self.place_of_puzzle(text, by_candidates)
        });
    }

    /// Turns the digits 0 to 8 of all puzzles into 1 to 9, in the texts of their records too: the records come from a text
    /// that [counts from zero](Detected::counts_from_zero).
    // For the command.
    #[doc(hidden)]
    pub fn count_from_zero(&self, records: &mut Records) {
        records.count_from_zero(|text, by_candidates| self.place_of_puzzle(text, by_candidates));
    }

    /// The place of the puzzle in the text of a record that is right.
    fn place_of_puzzle(&self, text: &[u8], by_candidates: bool) -> Option<std::ops::Range<usize>> {
        match self {
            Self::Line if by_candidates => Some(0..CANDIDATES),
            Self::Line | Self::Written(_) => Some(0..CELLS),
            Self::Table(table) => csv::fields(text, table.delimiter()).nth(table.puzzle()),
            Self::Words(_) => text::place(text),
            Self::Blocks(_) if by_candidates => None,
            Self::Blocks(_) => Some(0..text.len()),
            Self::Objects(objects) => {
                let value = objects.key.find(str::from_utf8(text).ok()?).ok()??;
                let is_plain = value.json.starts_with('"') && !value.json.contains('\\');
                is_plain.then_some(value.place)
            }
        }
    }

    /// Returns true if the end of each line ends a record.
    pub fn is_of_lines(&self) -> bool {
        match self {
            Self::Objects(objects) => !objects.is_spread,
            Self::Line | Self::Words(_) => true,
            Self::Table(_) | Self::Blocks(_) | Self::Written(_) => false,
        }
    }

    /// The place after the first record that ends at or after `least`, including its line
    /// end, in a text that begins with a record. Returns `None` if that place is not in
    /// this text.
    ///
    /// The code that divides a text among the threads calls this. It takes almost no time:
    /// for a table it looks only at the quotes.
    pub fn record_end(&self, text: &[u8], least: usize) -> Option<usize> {
        match self {
            Self::Objects(objects) if objects.is_spread => {
                let mut at = 0;
                while let Some(part) = jsonl::next_part(&text[at..])
                    && at + part.end < text.len()
                {
                    at += part.end;
                    if at >= least {
                        return Some(at);
                    }
                }
                None
            }
            // A comment belongs to the record below it.
            Self::Line | Self::Objects(_) | Self::Words(_) => {
                lines_end(text, least, |line, _| line.starts_with(b"#"))
            }
            Self::Table(table) => csv::record_end(text, least, table.delimiter()),
            Self::Blocks(blocks) if blocks.sections => {
                let mut at = 0;
                while at < text.len() {
                    let (line, rest) = split_line(&text[at..]);
                    // A line without an end may go on beyond this text.
                    let is_whole = at + line.len() < text.len();
                    if at >= least && is_whole && is_section(line) {
                        return Some(at);
                    }
                    at = text.len() - rest.len();
                }
                None
            }
            Self::Blocks(blocks) => block::record_end(text, least, blocks),
            Self::Written(reading) => reading.record_end(text, least),
        }
    }

    /// Finds a column by its name, in any case, or by its number from 1. An exact name wins. In
    /// JSON lines it takes a key, even one that the objects lack.
    ///
    /// # Errors
    ///
    /// There is no such column, or there are two whose names are equal or differ in case alone.
    pub fn column(&self, name: &str) -> Result<ColumnPlace, DetectError> {
        let place = match self {
            Self::Line | Self::Words(_) | Self::Blocks(_) | Self::Written(_) => None,
            Self::Table(table) => table.position(name)?.map(Place::Number),
            Self::Objects(Objects { first, .. }) => Some(Place::Key(Key::within(first, name)?)),
        };
        place.map(ColumnPlace).ok_or_else(|| DetectError::NoColumn {
            wanted: name.into(),
            columns: self.columns().to_vec(),
        })
    }

    /// Finds a column of the header of a table, or a key of the first object, by its name in any
    /// case. An exact name wins.
    ///
    /// # Errors
    ///
    /// There are two whose names are equal or differ in case alone.
    pub fn named_column(&self, name: &str) -> Result<Option<ColumnPlace>, DetectError> {
        let names = match self {
            Self::Table(table) if table.header().is_none() => &[],
            layout => layout.columns(),
        };
        let found = match self {
            Self::Table(_) => named_once(names, name)?,
            _ => named(names, name)?,
        };
        Ok(found.map(|number| self.column_numbered(number)))
    }

    /// All columns that are known before the records are read, in the order of their [names](Self::columns).
    #[doc(hidden)]
    pub fn all_columns(&self) -> Vec<ColumnPlace> {
        let numbers = 0..self.columns().len();
        numbers.map(|number| self.column_numbered(number)).collect()
    }

    fn column_numbered(&self, number: usize) -> ColumnPlace {
        ColumnPlace(match self {
            Self::Objects(Objects { columns, key, .. }) => {
                let key_of_puzzle = || key.to_string() == columns[number];
                match key.is_nested() && key_of_puzzle() {
                    true => Place::Key(key.clone()),
                    false => Place::Key(Key::outermost(&columns[number])),
                }
            }
            _ => Place::Number(number),
        })
    }

    /// The column of the puzzles.
    #[doc(hidden)]
    pub fn column_of_puzzles(&self) -> Option<ColumnPlace> {
        match self {
            Self::Table(table) => Some(ColumnPlace(Place::Number(table.puzzle()))),
            Self::Objects(objects) => Some(ColumnPlace(Place::Key(objects.key.clone()))),
            _ => None,
        }
    }

    /// The columns of solutions and answers, the likeliest first: names for them, such as `solution`, and what the
    /// records in the first [`HEAD`](Self::HEAD) bytes hold decide. A column with another name counts if its grids
    /// solve the puzzles of their records.
    ///
    /// ```
    /// use sudoku_batch::format::Layout;
    /// let puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    /// let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    /// let text = format!("id,quizzes,target\n1,{puzzle},{solution}\n");
    /// let layout = Layout::detect(text.as_bytes(), None, None)?.layout;
    /// let answers = layout.columns_of_answers();
    /// assert_eq!(answers.iter().map(|column| layout.name(column)).collect::<Vec<_>>(), ["target"]);
    /// # Ok::<(), sudoku_batch::format::DetectError>(())
    /// ```
    pub fn columns_of_answers(&self) -> Vec<ColumnPlace> {
        let are_certain = |column: &&AnswerColumn| column.evidence != Evidence::FullGrids;
        let columns = self.answers().iter().filter(are_certain);
        columns.map(|column| self.place_of(column)).collect()
    }

    /// Reads the same text as a file of answers from now on: the puzzle of a record is its answer. Names of answers and
    /// columns of full grids come first, and a column of puzzles comes last. Predictions come before solutions.
    pub fn take_answers(&mut self) {
        let is_prediction = |column: &&AnswerColumn| match column.evidence {
            Evidence::NameAndGrids { word, .. } => word >= PREDICTIONS,
            _ => false,
        };
        let answers = self.answers();
        let best = answers.iter().find(is_prediction).or(answers.first());
        let place = best.map(|column| self.place_of(column).0);
        match (self, place) {
            (Self::Table(table), Some(Place::Number(number))) if !table.is_spread() => {
                table.set_puzzle(number);
            }
            (Self::Objects(objects), Some(Place::Key(key))) => objects.key = key,
            _ => {}
        }
    }

    /// The answer in a line that has more words than one: the first that is a full grid. A record of another file
    /// format has none here, and one whose only grid has blanks has none either.
    ///
    /// ```
    /// use sudoku_batch::format::Layout;
    /// let puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    /// let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    /// let line = format!("{puzzle},{solution}");
    /// let answer = Layout::Line.answer_of_line(line.as_bytes());
    /// assert_eq!(answer.unwrap().to_string(), solution);
    /// ```
    pub fn answer_of_line(&self, text: &[u8]) -> Option<Puzzle> {
        if !matches!(self, Self::Line | Self::Words(_)) || text.len() <= CELLS {
            return None;
        }
        let cells = |word: std::ops::Range<usize>| text[word].as_array::<CELLS>();
        let full = text::words(text).filter_map(cells);
        let mut full = full.filter(|cells| cells.iter().all(|c| matches!(c, b'1'..=b'9')));
        Some(Puzzle::with_blanks_for_others(full.next()?))
    }

    fn answers(&self) -> &[AnswerColumn] {
        match self {
            Self::Table(table) => table.answers(),
            Self::Objects(objects) => &objects.answers,
            Self::Line | Self::Words(_) | Self::Blocks(_) | Self::Written(_) => &[],
        }
    }

    fn place_of(&self, column: &AnswerColumn) -> ColumnPlace {
        ColumnPlace(match self {
            Self::Objects(_) => Place::Key(Key::outermost(&column.name)),
            _ => Place::Number(column.number),
        })
    }

    /// The column that has this name in any case, as [`named_column`](Self::named_column) finds it. In
    /// JSON lines any later object may have the key, so there is always one.
    pub(super) fn present_or_later(&self, name: &str) -> Result<Option<ColumnPlace>, DetectError> {
        let key = || ColumnPlace(Place::Key(Key::outermost(name)));
        let found = self.named_column(name)?;
        Ok(found.or_else(|| matches!(self, Self::Objects(_)).then(key)))
    }

    /// The column with this name, as [`column`](Self::column) finds it. In JSON lines the first object has the key.
    pub(super) fn present(&self, name: &str) -> Result<Option<ColumnPlace>, DetectError> {
        if let Some(column) = self.named_column(name)? {
            return Ok(Some(column));
        }
        Ok(match self {
            Self::Table(table) => table.position(name)?.map(Place::Number).map(ColumnPlace),
            Self::Objects(Objects { first, .. }) => {
                let key = Key::within(first, name)?;
                let is_there = key.find(first).is_ok_and(|value| value.is_some());
                is_there.then_some(ColumnPlace(Place::Key(key)))
            }
            Self::Line | Self::Words(_) | Self::Blocks(_) | Self::Written(_) => None,
        })
    }

    /// Returns true if the text around the puzzles has columns of its own.
    // For the command.
    #[doc(hidden)]
    pub fn has_texts(&self) -> bool {
        match self {
            Self::Words(_) => true,
            Self::Blocks(blocks) => blocks.has_texts,
            Self::Written(reading) => reading.has_texts,
            _ => false,
        }
    }

    /// Gives the titles and the text around the puzzles of blocks and other writings columns of their own in tables and
    /// JSON lines, as lines of words have them.
    // For the command.
    #[doc(hidden)]
    pub fn keep_texts(&mut self) {
        match self {
            Self::Blocks(blocks) => blocks.has_texts = true,
            Self::Written(reading) => reading.has_texts = true,
            _ => {}
        }
    }

    /// The names of the columns, or keys, that a record has where its format is a table or JSON lines.
    pub fn written_names(&self) -> Vec<&str> {
        match self {
            _ if self.has_texts() => text::COLUMNS.to_vec(),
            _ if self.columns().is_empty() => vec![text::COLUMNS[1]],
            _ => self.columns().iter().map(String::as_str).collect(),
        }
    }

    /// The fields of a record that is not malformed, each with its column: the values of the keys in
    /// all objects, or the words of a text. A format without columns has none.
    pub fn fields<'t>(&self, text: &'t [u8]) -> Vec<(ColumnPlace, Cow<'t, [u8]>)> {
        let numbered = |fields: &mut dyn Iterator<Item = Cow<'t, [u8]>>| {
            let fields = fields.enumerate();
            fields
                .map(|(number, field)| (ColumnPlace(Place::Number(number)), field))
                .collect()
        };
        match self {
            Self::Table(table) => {
                let fields = csv::fields(text, table.delimiter());
                numbered(&mut fields.map(|field| csv::unquoted(&text[field])))
            }
            Self::Words(_) => numbered(&mut text::words(text).map(|word| text[word].into())),
            Self::Objects(_) => {
                let values = jsonl::values(str::from_utf8(text).unwrap_or_default());
                let field = |(key, value): (Key, jsonl::JsonValue<'t>)| {
                    (ColumnPlace(Place::Key(key)), bytes(value.text()))
                };
                values.into_iter().map(field).collect()
            }
            Self::Line | Self::Blocks(_) | Self::Written(_) => Vec::new(),
        }
    }

    /// The name of a column, or its number from 1 if it has no name.
    pub fn name(&self, column: &ColumnPlace) -> String {
        match &column.0 {
            Place::Key(key) => key.to_string(),
            Place::Number(number) => {
                let name = self.columns().get(*number);
                name.cloned().unwrap_or_else(|| (number + 1).to_string())
            }
        }
    }

    /// The names of the columns, if they are known before the records are read.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Table(table) => table.columns(),
            Self::Objects(objects) => &objects.columns,
            _ => &[],
        }
    }

    /// The number, from 0, of the column that holds the puzzles.
    pub fn puzzle_column(&self) -> Option<usize> {
        match self {
            Self::Table(table) => Some(table.puzzle()),
            Self::Objects(Objects { key, columns, .. }) => key.number_in(columns),
            _ => None,
        }
    }

    /// The content of a record in a column, without quotes and escapes. `text` is the text
    /// of the record ([`Records::text`]). Returns `None` if the record has no such column
    /// or is malformed.
    pub fn value<'t>(&self, text: &'t [u8], column: &ColumnPlace) -> Option<Cow<'t, [u8]>> {
        match (self, &column.0) {
            (Self::Table(table), &Place::Number(number)) => table.field(text, number),
            (Self::Objects(_), Place::Key(key)) => {
                let value = key.find(str::from_utf8(text).ok()?).ok()??;
                Some(bytes(value.text()))
            }
            _ => None,
        }
    }
}

impl Detected {
    /// Cuts the whole input into pieces, from its first byte on: the first piece has the skipped
    /// bytes and then records, and all others have records alone. For a part of the input that
    /// begins later, use [`Layout::record_end`].
    ///
    /// The function takes the bytes that are not cut off yet. It returns the place after the first
    /// record that ends at or after `least`, as [`Layout::record_end`] does. If it returns `None`,
    /// call it again with more of the same bytes.
    ///
    /// ```
    /// use sudoku_batch::format::Layout;
    /// let block = "123456789\n".repeat(9);
    /// let text = format!("2\n{block}{block}");
    /// let found = Layout::detect(text.as_bytes(), None, None)?;
    /// assert_eq!((found.skipped, found.announced), (2, Some(2)));
    /// let mut piece_end = found.piece_ends();
    /// assert_eq!(piece_end(text.as_bytes(), 1), Some(2 + 90));
    /// assert_eq!(piece_end(&text.as_bytes()[92..], 1), Some(90));
    /// # Ok::<(), sudoku_batch::format::DetectError>(())
    /// ```
    pub fn piece_ends(&self) -> impl FnMut(&[u8], usize) -> Option<usize> + Send + use<'_> {
        let mut skipped = self.skipped;
        move |text, least| {
            let least = least.saturating_sub(skipped).max(1);
            let end = self.layout.record_end(text.get(skipped..)?, least)?;
            Some(std::mem::take(&mut skipped) + end)
        }
    }

    /// Returns true if the records in a head have the digits 0 to 8 and another sign for blanks: read so, more of a sample
    /// have one solution than otherwise.
    // For the command, which asks this of files whose format or column is given.
    #[doc(hidden)]
    pub fn counts_from_zero(&self, head: &[u8]) -> bool {
        doubt::counts_from_zero(self, head)
    }

    /// Returns true if more of the input cannot change what was detected in its head: the head has the
    /// skipped bytes and a whole record after them.
    #[doc(hidden)]
    pub fn is_certain(&self, head: &[u8]) -> bool {
        let (before, records) = head.split_at(self.skipped.min(head.len()));
        let is_whole = before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\r");
        let start = records.iter().position(|c| !c.is_ascii_whitespace());
        // A field in quotes may go on beyond the head.
        let has_row = match &self.layout {
            Layout::Table(table) => csv::record_end(head, 1, table.delimiter()).is_some(),
            // The first bytes alone decide.
            Layout::Written(_) if head.len() >= Layout::HEAD => return true,
            _ => true,
        };
        is_whole
            && has_row
            && start.is_some_and(|start| self.layout.record_end(&records[start..], 1).is_some())
    }
}

/// The columns of a table whose first row begins at `start`, and the number of bytes before its records.
fn detect_table(
    head: &[u8],
    start: usize,
    form: Form,
    column: Option<&str>,
) -> Result<(Table, usize), DetectError> {
    let delimiter = match form {
        Form::Tsv => b'\t',
        _ => delimiter_of(split_line(&head[start..]).0),
    };
    let text = &head[start..];
    // Comments may stand before the first row.
    let before = lines(&head[..start]).next().map_or(0, |_| start);
    let rows: Vec<_> = rows_of_head(text, delimiter, start).collect();
    let Some((header, rest)) = rows.split_first() else {
        return Ok((Table::without_header(1, delimiter, 0), before));
    };
    let first = &text[header.text.clone()];
    let mut texts = rest.iter().map(|row| &text[row.text.clone()]);
    let has_cells = |row: &[u8]| !cell_fields(row, delimiter).is_empty();
    let record = if has_cells(first) {
        Some(first)
    } else {
        texts
            .find(|row| has_cells(row))
            .filter(|row| is_spoiled_record(first, row, delimiter))
    };
    let (mut table, records, skipped) = match record {
        // A first row with a puzzle, or with what is left of one, is no header.
        Some(record) => {
            let table = Table::without_header(count(record, delimiter), delimiter, 0);
            (table, &rows[..], before)
        }
        None => {
            let table = Table::with_header(first, delimiter, 0);
            (table, rest, start + header.next)
        }
    };
    let columns = table.columns().len();
    let mut seen = vec![Seen::default(); columns];
    // The fields of other rows may be in other columns.
    let texts = records.iter().map(|row| &text[row.text.clone()]);
    let whole = texts.filter(|row| count(row, delimiter) == columns);
    for row in whole.clone() {
        let fields = csv::fields(row, delimiter);
        let seen = fields.zip(&mut seen);
        seen.for_each(|(field, seen)| seen.add(&csv::unquoted(&row[field])));
    }
    let puzzle = match column {
        // The cells of a row are no names.
        Some(name) if columns >= CELLS => table.position(name).unwrap_or(None),
        Some(name) => table.position(name)?,
        None => column_of_puzzles(table.columns(), &seen)?,
    };
    if let Some(puzzle) = puzzle {
        for row in whole {
            let fields = csv::fields(row, delimiter).map(|field| csv::unquoted(&row[field]));
            let asked = table.field(row, puzzle).unwrap_or_default();
            count_solutions(&asked, fields.zip(&mut seen));
        }
    }
    let answers = columns_of_answers(table.columns(), &seen, puzzle);
    let ends_with_cells = seen.last().is_some_and(|last| {
        let cells = last.full + last.blanks;
        cells > 0 && cells >= last.damaged + last.other
    });
    let is_spread = |puzzle: usize| {
        let fields = records
            .iter()
            .filter_map(|row| table.field(&text[row.text.clone()], puzzle));
        !fields.into_iter().any(|field| is_puzzle(&field))
    };
    if table.columns().len() >= CELLS
        && puzzle.is_none_or(is_spread)
        && let Some((mut spread, skipped)) =
            detect_spread(text, (&rows, delimiter), (before, start), column)?
    {
        spread.set_answers(answers);
        spread.set_ends_with_cells(ends_with_cells);
        return Ok((spread, skipped));
    }
    let Some(puzzle) = puzzle else {
        return Err(DetectError::NoColumn {
            wanted: column.unwrap_or("with a puzzle").into(),
            columns: table.columns().to_vec(),
        });
    };
    table.set_puzzle(puzzle);
    table.set_answers(answers);
    table.set_ends_with_cells(ends_with_cells);
    Ok((table, skipped))
}

/// The layout of a text of blocks. The bytes of a first line that is no row are skipped: it has the number of
/// puzzles, which is announced, or the names of nine columns. Where the format is given, no line is left out as
/// prose.
fn detect_blocks(head: &[u8], form: Form, is_given: bool) -> (Layout, usize, Option<u64>) {
    let sections = head.split(|&c| matches!(c, b'\n' | b'\r')).any(is_section);
    let has_rows_first = is_of_blocks(head);
    let is_plain = !matches!(form, Form::Pencilmarks | Form::Box) && !sections && !has_rows_first;
    let style = match form {
        Form::Pencilmarks => RowStyle::Marks,
        Form::Box => RowStyle::Boxes,
        _ if is_plain => block::style_of_spaces(head).unwrap_or_default(),
        _ => RowStyle::Cells,
    };
    let among_prose = is_plain && !is_given && style == RowStyle::Cells;
    // Leave out a last line that is cut off. It might look like a malformed row.
    let whole = memchr::memrchr2(b'\n', b'\r', head).map_or(head.len(), |end| end + 1);
    let mut reader = Reader::new(&head[..whole], style);
    reader.read(&mut Records::default());
    let first = lines(head).find(|line| !line.starts_with(b"#"));
    let layout = Layout::Blocks(Blocks {
        separation: if among_prose {
            Separation::Blank
        } else {
            reader.separation.unwrap_or(Separation::Nothing)
        },
        sections,
        begins_elsewhere: sections
            && !is_given
            && !has_rows_first
            && !first.is_some_and(is_section),
        style,
        among_prose,
        has_texts: false,
    });
    let first = reader.head.filter(|_| !among_prose);
    let skipped = first.map_or(0, |line| line.bytes);
    (layout, skipped, first.and_then(|line| line.puzzles))
}

/// The most rows with another value, of all, that a column of cells may have: it is a column of cells if
/// more have a cell.
fn is_mostly(cells: usize, rows: usize) -> bool {
    2 * cells > rows
}

/// The first of 81 columns that hold a cell each. They are the named one and those after it, or 81 columns
/// side by side, or those of more whose names are equal but for their numbers. More than half of the rows
/// decide about each column.
fn first_of_cells(
    names: &[String],
    rows: &[&[u8]],
    delimiter: u8,
    wanted: Option<usize>,
) -> Option<usize> {
    if names.len() < CELLS {
        return None;
    }
    let (mut cells, mut count_of_rows) = (vec![0; names.len()], 0);
    for row in rows
        .iter()
        .filter(|row| count(row, delimiter) == names.len())
    {
        count_of_rows += 1;
        for (cells, field) in cells.iter_mut().zip(csv::fields(row, delimiter)) {
            *cells += usize::from(block::field_cell(&row[field]).is_some());
        }
    }
    let is_cell = |column: usize| is_mostly(cells[column], count_of_rows);
    let are_cells = |start: usize| (start..start + CELLS).all(is_cell);
    let mut starts = 0..=names.len() - CELLS;
    if let Some(wanted) = wanted {
        return starts
            .contains(&wanted)
            .then_some(wanted)
            .filter(|&start| are_cells(start));
    }
    let length = |start: usize| {
        (start..names.len())
            .take_while(|&column| is_cell(column))
            .count()
    };
    let begins = |&start: &usize| start == 0 || !is_cell(start - 1);
    let run = starts.clone().filter(begins).find(|&start| {
        let length = length(start);
        length > 0 && length % CELLS == 0
    });
    let word = |name: &String| name.replace(|c: char| c.is_ascii_digit(), "");
    let are_numbered = |start: &usize| {
        let names = &names[*start..start + CELLS];
        let is_numbered =
            |name: &String| word(name).len() < name.len() && word(name) == word(&names[0]);
        // The names cost more: a table may have a hundred thousand.
        are_cells(*start) && names.iter().all(is_numbered)
    };
    run.or_else(|| starts.find(are_numbered))
}

/// The table with 81 columns of a cell each in place of one, if a text has such, and the number of bytes before
/// its records.
fn detect_spread(
    text: &[u8],
    (rows, delimiter): (&[csv::Row], u8),
    (before, start): (usize, usize),
    column: Option<&str>,
) -> Result<Option<(Table, usize)>, DetectError> {
    let texts = Vec::from_iter(rows.iter().map(|row| &text[row.text.clone()]));
    let Some((&first, rest)) = texts.split_first() else {
        return Ok(None);
    };
    let columns = count(first, delimiter);
    let without_header = Table::without_header(columns, delimiter, 0);
    let with_header = Table::with_header(first, delimiter, 0);
    for (table, records, skipped) in [
        (without_header, &texts[..], before),
        (with_header, rest, start + rows[0].next),
    ] {
        let wanted = match column {
            Some(name) => match table.position(name)? {
                None => continue,
                wanted => wanted,
            },
            None => None,
        };
        let found = first_of_cells(table.columns(), records, delimiter, wanted);
        // A header has names where records have cells.
        let is_record = |start: usize| {
            let fields = csv::fields(first, delimiter).skip(start).take(CELLS);
            let cells = fields.filter(|field| block::field_cell(&first[field.clone()]).is_some());
            is_mostly(cells.count(), CELLS)
        };
        if let Some(start) = found.filter(|&start| is_record(start) == table.header().is_none()) {
            return Ok(Some((table.spread_from(start, column.is_some()), skipped)));
        }
    }
    Ok(None)
}

impl Table {
    /// The number of a column, from 0, by its name or by its number from 1.
    fn position(&self, name: &str) -> Result<Option<usize>, DetectError> {
        let number = name.parse().ok();
        let number = number.filter(|n| (1..=self.columns().len()).contains(n));
        Ok(named_once(self.columns(), name)?.or(number.map(|number| number - 1)))
    }
}

/// The values of a column, counted by kinds over many records.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// The number of puzzles with blanks.
    blanks: usize,
    /// The number of full grids.
    full: usize,
    /// The number of values that look like a damaged puzzle with blanks.
    damaged: usize,
    /// The number of other texts.
    other: usize,
    /// The number of full grids that solve the puzzles of their records.
    solutions: usize,
}

impl Seen {
    fn add(&mut self, value: &[u8]) {
        let value = value.trim_ascii();
        let of_array = array::cells(value).ok().map(|(cells, _)| cells);
        let value = of_array.as_ref().map_or(value, |cells| cells);
        let is_full = || value.iter().filter(|c| matches!(c, b'1'..=b'9')).count() == CELLS;
        *match is_puzzle(value) {
            true if is_full() => &mut self.full,
            true => &mut self.blanks,
            false if value.is_empty() || value == b"null" => return,
            false if is_damaged(value) && !is_full() => &mut self.damaged,
            false => &mut self.other,
        } += 1;
    }

    /// The rank of a column with this name as the column of the puzzles: the least is taken. Two columns
    /// with equal beginnings have one name, and the last part says that it is in another case.
    fn rank(&self, name: &str) -> Option<((u8, usize), bool)> {
        let &Self {
            blanks,
            full,
            damaged,
            ..
        } = self;
        let lowercase = name.trim().to_lowercase();
        let is_known = |word: &str| PUZZLE_NAMES.iter().position(|known| *known == word);
        if let Some(place) = is_known(&lowercase) {
            let kind = match self {
                _ if blanks + damaged > full => 1,
                _ if full > 0 => 3,
                Self { other: 0, .. } => 4,
                _ => 6,
            };
            return Some(((kind, place), PUZZLE_NAMES[place] != name));
        }
        let words = words_of_name(name);
        let is_of_answers = are_of_answers(&words);
        let is_of_puzzles = words.iter().any(|word| is_known(word).is_some());
        let kind = match blanks > full {
            _ if blanks + full == 0 => {
                let is_damaged = damaged > self.other && !is_of_answers;
                return is_damaged.then_some(((6, PUZZLE_NAMES.len()), false));
            }
            has_blanks if is_of_answers => return Some(((7, usize::from(!has_blanks)), false)),
            true if is_of_puzzles => 1,
            true => 2,
            false if is_of_puzzles => 3,
            false => 5,
        };
        Some(((kind, PUZZLE_NAMES.len()), false))
    }
}

/// The column that holds the puzzles, by the names of all columns and what they hold. The list at
/// [`Layout::detect`] says which.
fn column_of_puzzles(names: &[String], seen: &[Seen]) -> Result<Option<usize>, DetectError> {
    let ranks = names.iter().zip(seen).enumerate();
    let ranks = ranks.filter_map(|(number, (name, seen))| {
        let (rank, is_other_case) = seen.rank(name)?;
        Some((
            rank,
            is_other_case,
            usize::MAX - seen.blanks - seen.full,
            number,
        ))
    });
    let ranks = Vec::from_iter(ranks);
    let Some(&(best, is_other_case, _, number)) = ranks.iter().min() else {
        return Ok(None);
    };
    let mut alike = ranks
        .iter()
        .filter(|(rank, ..)| is_other_case && *rank == best);
    match alike.find(|(.., other)| names[*other] != names[number]) {
        Some(&(.., other)) => Err(DetectError::Alike(
            [number, other].map(|n| names[n].clone()),
        )),
        None => Ok(Some(number)),
    }
}

/// Returns true if one of the words of a name says that a column holds solutions.
fn are_of_answers(words: &[String]) -> bool {
    place_of_answers(words).is_some()
}

/// The first place in [`ANSWER_WORDS`] of a word of a name.
fn place_of_answers(words: &[String]) -> Option<usize> {
    let mut known = ANSWER_WORDS.iter();
    known.position(|known| words.iter().any(|word| word == known))
}

/// The puzzle of a text, if the text has one record in some format.
pub(super) fn written_puzzle(text: &str) -> Option<Puzzle> {
    /// Longer texts are no single puzzle.
    const LONGEST: usize = 64 << 10;
    if text.len() > LONGEST || !has_digits_of_puzzle(text.as_bytes()) {
        return None;
    }
    // A word of 80 or 82 cells, or of letters behind 81, is damaged. Its cells are no other puzzle.
    let word = text.trim();
    let is_word = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || is_cell(byte));
    if is_word && !word.starts_with("S9B") {
        return None;
    }
    let found = Layout::detect(text.as_bytes(), None, None).ok()?;
    let mut records = Records::default();
    found
        .layout
        .read(&text.as_bytes()[found.skipped..], &mut records);
    match records.len() {
        1 => records.puzzle_of_cells(0).ok(),
        _ => None,
    }
}

/// Counts the values of a record that solve its puzzle.
fn count_solutions<'v, 's>(
    puzzle: &[u8],
    values: impl Iterator<Item = (Cow<'v, [u8]>, &'s mut Seen)>,
) {
    fn text(value: &[u8]) -> &str {
        str::from_utf8(value.trim_ascii()).unwrap_or_default()
    }
    // Every command looks here at its start: most columns have no grid.
    let mut values = values.filter(|(_, seen)| seen.full > 0).peekable();
    if values.peek().is_none() {
        return;
    }
    let Ok(puzzle) = text(puzzle).parse::<AnyPuzzle>() else {
        return;
    };
    for (value, seen) in values {
        let grid = text(&value).parse::<Grid>();
        seen.solutions += usize::from(grid.is_ok_and(|grid| grid.is_solution_of(&puzzle)));
    }
}

/// The columns that hold answers, by the names of all columns and what they hold: the best evidence first.
fn columns_of_answers(names: &[String], seen: &[Seen], puzzle: Option<usize>) -> Vec<AnswerColumn> {
    let others = names.iter().zip(seen).enumerate();
    let answers = others.filter_map(|(number, (name, seen))| {
        let words = words_of_name(name.trim());
        let known = place_of_answers(&words);
        let has_grids = seen.full + seen.blanks + seen.damaged > 0;
        let of_name = known.filter(|known| *known < ANSWER_NAMES && words.len() == 1);
        let is_full = seen.full > seen.blanks;
        let evidence = match known {
            _ if Some(number) == puzzle => return None,
            Some(word) if has_grids => Evidence::NameAndGrids {
                has_more_words: words.len() > 1,
                word,
            },
            _ if is_full && 2 * seen.solutions > seen.full => Evidence::Solutions,
            _ if is_full => Evidence::FullGrids,
            _ => Evidence::Name(of_name?),
        };
        Some(AnswerColumn {
            number,
            name: name.clone(),
            evidence,
        })
    });
    let mut answers = Vec::from_iter(answers);
    answers.sort_by_key(|column| column.evidence);
    answers
}

/// The words of a name, in lower case: `initialBoard` and `initial_board` have two. The words that are known
/// are of ASCII, so other letters are left as they are.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lowercase = false;
    for character in name.chars() {
        let is_letter = character.is_ascii_alphanumeric() || !character.is_ascii();
        if !is_letter || character.is_ascii_uppercase() && was_lowercase {
            words.push(String::new());
        }
        was_lowercase = character.is_ascii_lowercase();
        let word = words.last_mut().expect("there is one");
        word.extend(is_letter.then(|| character.to_ascii_lowercase()));
    }
    words
}

/// The rows of a table that decide about it, without blank lines: those that end among the first
/// [`Layout::HEAD`] bytes, and the first two. The text begins with the first row, after this many bytes.
fn rows_of_head(text: &[u8], delimiter: u8, before: usize) -> impl Iterator<Item = csv::Row> {
    let rows = csv::Rows::new(text, delimiter);
    let rows = rows.filter(|row| !text[row.text.clone()].trim_ascii().is_empty());
    let is_in_head = move |row: &csv::Row| before + row.text.end < Layout::HEAD;
    let rows = rows.enumerate();
    let rows = rows.take_while(move |(number, row)| *number < 2 || is_in_head(row));
    rows.map(|(_, row)| row)
}

/// The number of the name that is this one, or that differs from it in case or in white space
/// around it alone.
pub(super) fn named(names: &[impl AsRef<str>], wanted: &str) -> Result<Option<usize>, DetectError> {
    let names = || names.iter().map(AsRef::as_ref).enumerate();
    if let Some((exact, _)) = names().find(|&(_, name)| name == wanted) {
        return Ok(Some(exact));
    }
    let lowercase = wanted.to_lowercase();
    let mut alike = names().filter(|(_, name)| name.trim().to_lowercase() == lowercase);
    let Some((number, name)) = alike.next() else {
        return Ok(None);
    };
    match alike.find(|&(_, other)| other != name) {
        Some((_, other)) => Err(DetectError::Alike([name, other].map(str::to_owned))),
        None => Ok(Some(number)),
    }
}

/// The number of the column of a table that [`named`] finds. No other column may have its name.
fn named_once(names: &[String], wanted: &str) -> Result<Option<usize>, DetectError> {
    let found = named(names, wanted)?;
    let other = found.and_then(|first| {
        let mut later = (first + 1..names.len()).filter(|number| names[*number] == names[first]);
        Some((first, later.next()?))
    });
    match other {
        Some((first, other)) => Err(DetectError::Twice {
            name: names[first].clone(),
            numbers: [first + 1, other + 1],
        }),
        None => Ok(found),
    }
}

/// The first characters of a line, for a message.
fn shown(line: &[u8]) -> String {
    const SHOWN: usize = 100;
    /// The most bytes of a character: one that is cut off is behind those that are shown.
    const LONGEST: usize = 4;
    let bytes = &line[..line.len().min(LONGEST * (SHOWN + 1))];
    String::from_utf8_lossy(bytes).chars().take(SHOWN).collect()
}

/// A text as bytes.
fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The lines that are not blank, without white space around them. There may be many before one is found.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&c| matches!(c, b'\n' | b'\r'));
    lines
        .inspect(|_| stop::check())
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
}

/// The place where the line begins in which a place of a text is.
fn line_start(text: &[u8], place: usize) -> usize {
    memchr::memrchr2(b'\n', b'\r', &text[..place]).map_or(0, |end| end + 1)
}

/// Returns true if a line is the name of the section that holds a puzzle, in brackets, as the reader of
/// blocks sees it.
fn is_section(line: &[u8]) -> bool {
    line.trim_ascii_end().eq_ignore_ascii_case(b"[puzzle]")
}

/// The place of the first row of a table, after the comments that begin at `start`. A first line
/// with a `#` is a header, and no comment, if the line after it has as many fields and one of
/// them is a puzzle: `#,puzzle`.
fn after_comments(head: &[u8], start: usize, form: Form) -> usize {
    let mut at = start;
    while head[at..].starts_with(b"#") {
        let (line, rest) = split_line(&head[at..]);
        let next = lines(rest).next().unwrap_or_default();
        let delimiter = match form {
            Form::Tsv => b'\t',
            _ => delimiter_of(next),
        };
        let is_header = count(line, delimiter) == count(next, delimiter)
            && !cell_fields(next, delimiter).is_empty();
        if is_header || rest.is_empty() {
            break;
        }
        let blank = rest.iter().take_while(|c| matches!(c, b'\n' | b'\r'));
        at = head.len() - rest.len() + blank.count();
    }
    at
}

/// The format of a table, if the first row, which begins with this line, is a header with a name for
/// puzzles or with the wanted one, or there are delimiters, and cells in a field of the first row or of the one
/// after it. The name of solutions alone, and cells after it, are a table of one column.
fn table_form(head: &[u8], first: &[u8], wanted: Option<&str>) -> Option<Form> {
    // A header in quotes may have several lines.
    let text = &head[first.as_ptr().addr() - head.as_ptr().addr()..];
    let forms = [(Form::Csv, delimiter_of(first)), (Form::Tsv, b'\t')];
    let fits = |&(form, delimiter): &(Form, u8)| {
        let before = head.len() - text.len();
        let mut rows = rows_of_head(text, delimiter, before).map(|row| text[row.text].trim_ascii());
        let first = rows.next().unwrap_or_default();
        let named = csv::fields(first, delimiter).any(|field| {
            let name = csv::unquoted(&first[field]);
            let mut known = PUZZLE_NAMES.iter().copied().chain(wanted);
            known.any(|known| known.as_bytes().eq_ignore_ascii_case(name.trim_ascii()))
        });
        let fields = count(first, delimiter);
        let has_cells = |row: &[u8]| !cell_fields(row, delimiter).is_empty();
        let mut rows = rows.enumerate().peekable();
        let is_of_answers = fields == 1
            && is_name_of_answers(&csv::unquoted(first))
            && rows.peek().is_some_and(|(_, row)| has_cells(row));
        let is_record = |(number, row): (usize, &[u8])| {
            has_cells(row) && (number == 0 || count(row, delimiter) == fields)
        };
        named
            || is_of_answers
            || fields > 1 && (has_cells(first) || rows.any(is_record))
            || fields >= CELLS && detect_table(head, line_start(head, before), form, None).is_ok()
    };
    forms.iter().find(|form| fits(form)).map(|(form, _)| *form)
}

/// Returns true if a header of one column is a name for solutions, such as `final_answer`.
fn is_name_of_answers(header: &[u8]) -> bool {
    /// The first line of a text that is no table may be of any length.
    const LONGEST_NAME: usize = 64;
    if header.len() > LONGEST_NAME {
        return false;
    }
    let name = str::from_utf8(header).unwrap_or_default().trim();
    !name.contains(char::is_whitespace) && are_of_answers(&words_of_name(name))
}

/// Returns true if the first row of a table is a malformed record, and no header. Then the table has
/// no header. The second row has a puzzle, and in its column the first row has what looks like
/// a part of one, or nothing but a number. If the rows have different numbers of fields,
/// any field counts.
fn is_spoiled_record(first: &[u8], second: &[u8], delimiter: u8) -> bool {
    let Some(&puzzle) = cell_fields(second, delimiter).first() else {
        return false;
    };
    let fields: Vec<_> = csv::fields(first, delimiter)
        .map(|field| first[field].trim_ascii())
        .collect();
    let is_number = |field: &&[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    match fields.get(puzzle) {
        Some([]) => fields.iter().any(is_number),
        Some(field) if fields.len() == count(second, delimiter) => looks_like_cells(field),
        _ => fields.iter().any(|field| looks_like_cells(field)),
    }
}

/// Returns true if a field looks like cells, or like a part of them.
fn looks_like_cells(field: &[u8]) -> bool {
    /// A name of a column is shorter.
    const LEAST: usize = 20;
    field.len() >= LEAST && 4 * others_than_cells(field) <= field.len()
}

/// Returns true if a field that is no puzzle must have been one. Times and hashes are shorter, and objects have
/// more other characters.
fn is_damaged(field: &[u8]) -> bool {
    field.len() > CELLS / 2 && others_than_cells(field) <= 3
}

/// The number of characters of a field that are no cells.
fn others_than_cells(field: &[u8]) -> usize {
    field.iter().filter(|&&c| !is_cell(c)).count()
}

/// The delimiter of a table of the format CSV. It is a comma, or a semicolon if there are no
/// commas. Spreadsheets write semicolons in countries with a decimal comma.
fn delimiter_of(first: &[u8]) -> u8 {
    if first.contains(&b';') && !first.contains(&b',') {
        b';'
    } else {
        b','
    }
}

/// Returns true if a text begins with a block or something close to one. Its first line is a row,
/// or its first lines are a number or a frame and then a row.
fn is_of_blocks(head: &[u8]) -> bool {
    let mut text = lines(head).filter(|line| !line.starts_with(b"#"));
    // The number of puzzles may stand first, or a header, and frames may stand before it and after it.
    let mut has_head = false;
    let first = text.find(|line| {
        let is_head = !has_head && (block::is_count(line) || block::is_header(line));
        has_head |= is_head;
        !is_head && !block::is_frame(line)
    });
    first.is_some_and(block::is_row)
}

/// Returns true if a text begins with blocks of pencil marks: rows of nine cells, in one of the blocks a cell with
/// several. (Blocks before that one are solved.) A number may stand first, and frames may stand between.
fn is_of_marks(head: &[u8]) -> bool {
    let lines =
        lines(head).filter(|line| !line.starts_with(b"#") && !block::is_frame_of_marks(line));
    let has_several = |row: &[u8]| {
        let mut cells = row.split(|c| b" \t|".contains(c));
        cells.any(|cell| cell.len() > 1)
    };
    let mut any_has = false;
    for (number, row) in lines.skip_while(|line| block::is_count(line)).enumerate() {
        if any_has && number % 9 == 0 {
            return true;
        }
        if block::read_marks(row).is_err() {
            return false;
        }
        any_has |= has_several(row);
    }
    any_has
}

/// Returns true if a field is a puzzle.
fn is_puzzle(field: &[u8]) -> bool {
    let inside = csv::unquoted(field);
    let is_candidates = || {
        let text = inside.trim_ascii().as_array();
        text.is_some_and(|text| Candidates::from_ascii(text).is_ok())
    };
    field.len() >= CELLS && (csv::loose_cells(field).is_ok() || is_candidates())
}

fn count(row: &[u8], delimiter: u8) -> usize {
    csv::fields(row, delimiter).count()
}

/// The numbers of the fields of a row that are puzzles.
fn cell_fields(row: &[u8], delimiter: u8) -> Vec<usize> {
    let fields = csv::fields(row, delimiter).enumerate();
    let cells = fields.filter(|(_, field)| is_puzzle(&row[field.clone()]));
    cells.map(|(number, _)| number).collect()
}

/// Refuses a text that is JSON, but no JSON lines. In a line of it there may be several puzzles, and in
/// several lines one.
fn check_lines_of_json(head: &[u8]) -> Result<(), DetectError> {
    let after = || lines(head).skip_while(|line| line.starts_with(b"#"));
    let Some(first) = after().next() else {
        return Ok(());
    };
    let has_more = || after().nth(1).is_some();
    let is_object =
        |line: &[u8]| str::from_utf8(line).is_ok_and(|line| jsonl::members(line).is_ok());
    let start = first.as_ptr().addr() - head.as_ptr().addr();
    let (what, tool) = match first.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) {
        // An array of 81 cells on each line.
        Some(_) if array::cells(first).is_ok() => return Ok(()),
        // An array on each line is a text, whose words are the values.
        Some([b'"', ..]) if first.ends_with(b"]") && has_more() => return Ok(()),
        Some([b'"', ..]) => ("an array of JSON", "jq -r '.[]'"),
        Some([] | [b'{' | b'[' | b']', ..]) => ("an array of JSON", "jq -c '.[]'"),
        Some(_) => return Ok(()),
        None if !first.starts_with(b"{") || is_object(first) => return Ok(()),
        None => {
            if !has_more() || after().any(is_object) || !jsonl::begins_with_value(&head[start..]) {
                return Ok(());
            }
            ("an object of several lines", "jq -c .")
        }
    };
    Err(DetectError::NotLines {
        line: 1 + csv::line_ends(&head[..start]),
        column: start - line_start(head, start) + 1,
        what,
        tool,
    })
}

/// The keys of the first object of a text, which begins after this many bytes, and the key of the
/// puzzle: the given one, or one that the first objects have.
fn first_objects(text: &[u8], before: usize, wish: Option<&str>) -> Result<Objects, DetectError> {
    let objects = |text| lines(text).filter_map(|line| str::from_utf8(line).ok());
    let in_head = text.len().min(Layout::HEAD.saturating_sub(before));
    let mut sample: Vec<_> = members_of(objects(&text[..in_head])).collect();
    if sample.is_empty() {
        sample.extend(members_of(objects(text)).next());
    }
    objects_of(&sample, wish)
}

/// The layout of objects that stand in one array or over several lines, if the text is of such objects, and one of their
/// keys has puzzles. An object that the head cuts off tells nothing.
fn spread_objects(head: &[u8], wish: Option<&str>) -> Option<Detected> {
    let mut rest = doubt::sample(head);
    let begins = rest
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && *byte != b'[')?;
    if rest[begins] != b'{' {
        return None;
    }
    let mut texts = Vec::new();
    while let Some(part) = jsonl::next_part(rest) {
        texts.push(jsonl::on_one_line(&rest[part.clone()]));
        rest = &rest[part.end..];
    }
    let objects = texts.iter().filter_map(|text| str::from_utf8(text).ok());
    let sample: Vec<_> = members_of(objects).collect();
    // The last may be cut off.
    if sample.is_empty() || sample.len() + 1 < texts.len() {
        return None;
    }
    let mut objects = objects_of(&sample, wish).ok()?;
    objects.is_spread = true;
    let mut records = Records::default();
    for (object, _) in &sample {
        jsonl::read_key(object.as_bytes(), &objects.key, &mut records);
    }
    let are_puzzles = 2 * records.malformed().len() <= records.len();
    are_puzzles.then(|| Detected {
        layout: Layout::Objects(objects),
        skipped: 0,
        skipped_lines: 0,
        line_end: line_end(head),
        announced: None,
    })
}

/// An object, and the members that it has.
type ObjectAndMembers<'t> = (&'t str, Vec<(String, jsonl::JsonValue<'t>)>);

fn members_of<'t>(
    objects: impl Iterator<Item = &'t str>,
) -> impl Iterator<Item = ObjectAndMembers<'t>> {
    objects.filter_map(|object| Some((object, jsonl::members(object).ok()?)))
}

/// The facts about these objects, the first of a text.
fn objects_of(sample: &[ObjectAndMembers<'_>], wish: Option<&str>) -> Result<Objects, DetectError> {
    let first = sample.first().map_or("", |(first, _)| first);
    let members = sample.first().into_iter().flat_map(|(_, members)| members);
    let mut columns: Vec<_> = members.map(|(key, _)| key.clone()).collect();
    let (mut keys, mut seen) = (Vec::new(), Vec::<Seen>::new());
    let mut numbers = HashMap::new();
    for (key, value) in sample.iter().flat_map(|(_, members)| members) {
        let number = *numbers.entry(key.as_str()).or_insert_with(|| {
            keys.push(key.clone());
            seen.push(Seen::default());
            seen.len() - 1
        });
        seen[number].add(value.text().as_bytes());
    }
    let key = match wish {
        Some(wish) => Key::within(first, wish)?,
        None => match column_of_puzzles(&keys, &seen)? {
            Some(number) => Key::outermost(&keys[number]),
            // No line is an object: each is reported, whatever the key.
            None if keys.is_empty() => Key::outermost("puzzle"),
            None => {
                return Err(DetectError::NoColumn {
                    wanted: "with a puzzle".into(),
                    columns,
                });
            }
        },
    };
    for (object, members) in sample {
        let Ok(Some(puzzle)) = key.find(object) else {
            continue;
        };
        for (name, value) in members {
            let seen = &mut seen[numbers[name.as_str()]];
            count_solutions(
                puzzle.text().as_bytes(),
                [(bytes(value.text()), seen)].into_iter(),
            );
        }
    }
    let answers = columns_of_answers(&keys, &seen, key.number_in(&keys));
    if !columns.is_empty() && key.number_in(&columns).is_none() {
        columns.push(key.to_string());
    }
    Ok(Objects {
        key,
        first: first.to_owned(),
        columns,
        answers,
        is_spread: false,
    })
}
