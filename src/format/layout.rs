//! The layout of records in a text: where its records and their columns are.

use super::{
    Added, Records, Values,
    block::{self, Reader, RowStyle, Separation},
    csv,
    detect::{DetectError, Detected, is_section},
    jsonl::{self, Key},
    line, lines_end, prose,
    puzzle_column::{AnswerColumn, Evidence, PREDICTIONS, named, named_once},
    split_line,
    table::Table,
    text,
    written::Reading,
};
use crate::{
    grid::{BLANK, CANDIDATES, CELLS, Puzzle},
    name::named,
    stop,
};
use std::borrow::Cow;

/// The number of lines before a piece of a text, and the piece.
type Piece<'t> = (u64, &'t [u8]);

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

/// The facts about the objects of JSON lines, or of other JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    pub(super) key: Key,
    /// The first object.
    pub(super) first: String,
    /// Its keys, and the key of the puzzle. They become the columns if the output is a table.
    pub(super) columns: Vec<String>,
    pub(super) answers: Vec<AnswerColumn>,
    /// True if the objects stand in one array, or over several lines.
    pub(super) is_spread: bool,
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

impl Layout {
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

/// A text as bytes.
pub(super) fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}
