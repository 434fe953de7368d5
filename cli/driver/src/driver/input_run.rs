//! Runs a command on one input, or on the numbers of records to make.

use super::{
    Arrays, ChosenRecords, Job, RecordBatch, RecordCommand, Rows, Sink, Task, Worker, WrongRecord,
    advice,
    checkpoint::{Checkpoints, Noted, Reached},
    job::Report,
    options::FirstDigit,
    pace::Pace,
    places::{LinesAndRecords, Place as PlaceOfPiece, describe, describe_made},
    rejects::{Rejects, first_malformed, place_in_bytes, places_in_bytes},
    source::{Piece, Pieces},
};
use crate::pipeline::{
    Error, Growing, Out,
    input::Input,
    lock,
    output::{Ended, Output},
    turns::Turns,
};
use anyhow::{anyhow, bail};
use std::{
    collections::BTreeMap,
    io::Write,
    mem,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Instant,
};
use sudoku_batch::{
    format::{Added, Form, Frame, Layout, Records, RowError, Values, Writer},
    grid::CELLS,
    questions::{
        Answer, Counts, Data, PieceRejects, RowView, RowWriter, TextPiece,
        verification::{Checker, Part},
    },
};

/// The sums over the inputs, in their order.
pub(super) struct RunTotals {
    pub(super) counts: Counts,
    pub(super) rejects: Rejects,
    /// The number of records that are answered so far.
    pub(super) records: u64,
    /// The number of records that are read so far: more than are answered where a part of them is chosen.
    pub(super) read: u64,
    /// The number of records that an earlier run answered, and that are read again.
    replayed: u64,
    /// The distance by which the progress advanced.
    advanced: u64,
    /// The numbers of the [things that were left out](Records::LEFT_OUT) of the input.
    pub(super) left_out: [u64; Records::LEFT_OUT.len()],
    /// The number of pieces of the inputs before.
    pieces: u64,
}

impl RunTotals {
    /// The sums of the records before, if there are some from an earlier run.
    pub(super) fn after(reached: &Reached) -> Self {
        let mut counts = Counts::default();
        for (name, count) in &reached.counts {
            counts.add(name.clone(), *count);
        }
        let mut left_out = [0; Records::LEFT_OUT.len()];
        for (sum, before) in left_out.iter_mut().zip(&reached.left_out) {
            *sum = *before;
        }
        Self {
            counts,
            rejects: Rejects::new(None),
            records: reached.records,
            read: reached.read,
            replayed: 0,
            advanced: reached.advanced,
            left_out,
            pieces: 0,
        }
    }

    /// Adds the counts of an empty batch: without records, they have their names and are 0.
    pub(super) fn count_nothing(
        &mut self,
        command: &dyn RecordCommand,
        kinds: &[Values],
    ) -> anyhow::Result<()> {
        let batch = RecordBatch {
            records: &Records::default(),
            numbers: 0..0,
            number: self.pieces,
            is_replayed: false,
            chosen: &ChosenRecords::ALL,
            layout: &Layout::Line,
        };
        let mut answer = Answer::new(kinds);
        answer.begin(0);
        command.worker()(&batch, &mut answer)?;
        self.counts += answer.counts;
        Ok(())
    }
}

/// How far a run over an input is.
#[derive(Clone, Copy, Default)]
pub(super) struct ReachedInInput {
    before: LinesAndRecords,
    /// The place where a piece ended, and the number of pieces so far: [`Piece::end`] has them.
    pub(super) place: (u64, u64),
    /// Whether a record was a full grid, and whether one had blanks.
    seen: [bool; 2],
}

impl ReachedInInput {
    /// The start of an input.
    pub(super) fn at_start(input: &Input) -> Self {
        Self {
            place: (input.position(), input.chunk_number()),
            ..Self::default()
        }
    }

    /// How far an earlier run came.
    pub(super) fn of(reached: &Reached) -> Self {
        Self {
            before: LinesAndRecords {
                records: reached.records_of_input,
                lines: reached.lines,
            },
            place: (reached.place, reached.pieces),
            seen: [reached.has_grids, reached.has_blanks],
        }
    }
}

/// Notes how far a run is at its checkpoints.
pub(super) struct Noting<'r> {
    pub(super) checkpoints: &'r Checkpoints,
    /// The number of inputs that are done.
    pub(super) inputs: u64,
    pub(super) warnings: &'r [String],
    pub(super) miscounts: &'r [String],
    pub(super) ended: &'r [Ended],
}

impl Noting<'_> {
    /// Notes the pieces that are written.
    fn note(
        &self,
        (open, has_record): (&[Output], &[bool]),
        totals: &RunTotals,
        within: ReachedInInput,
    ) {
        let ReachedInInput {
            before,
            place: (place, pieces),
            seen: [has_grids, has_blanks],
        } = within;
        let counts = totals.counts.iter();
        let reached = Reached {
            inputs: self.inputs,
            place,
            pieces,
            lines: before.lines,
            records_of_input: before.records,
            has_grids,
            has_blanks,
            records: totals.records,
            read: totals.read,
            advanced: totals.advanced,
            counts: counts
                .map(|(name, count)| (name.to_owned(), count))
                .collect(),
            left_out: totals.left_out.to_vec(),
            warnings: self.warnings.to_vec(),
            miscounts: self.miscounts.to_vec(),
            outputs: Vec::new(),
            named_next: Vec::new(),
        };
        self.checkpoints.note(Noted {
            reached,
            ended: self.ended,
            open,
            has_record,
            rejects: totals.rejects.file(),
        });
    }
}

/// The result of a piece.
struct PieceResult {
    /// The place where it ends, as [`Piece::end`] has it.
    end: (u64, u64),
    /// The distance by which the piece advances the source: in bytes, or in records to make.
    length: u64,
    lines: u64,
    /// The number of records that are answered, and of those that are read.
    records: u64,
    read: u64,
    left_out: [u64; Records::LEFT_OUT.len()],
    counts: Counts,
    rejected: PieceRejects,
    /// The rows for the parts of the output, except the first part.
    parts: Vec<Vec<u8>>,
    /// A record that cannot be written, and why. Its place is its line in the piece, or for a shard its
    /// byte in the input.
    failed: Option<(u64, String)>,
    /// The error that the command had.
    error: Option<anyhow::Error>,
    /// True if more parts of the piece come.
    has_more: bool,
}

/// The state that a thread keeps.
struct ThreadState<'c> {
    piece: TextPiece,
    writing: Writing,
    worker: Worker<'c>,
    checker: Option<Checker>,
    /// The parts before, while a piece is answered in parts, and the number of its first record.
    part: Option<(Part, u64)>,
    /// The time at which the piece began.
    began: Instant,
}

/// Memory for making rows.
#[derive(Default)]
struct Writing {
    rows: RowWriter,
    frame: Frame,
}

/// A command at work on one input.
pub(super) struct InputRun<'r> {
    command: &'r dyn RecordCommand,
    rows: &'r Rows,
    /// Writes rows that stay as they were read.
    plain: Writer,
    layout: &'r Layout,
    task: &'r Task<'r>,
    /// True if all puzzles are given by candidates before they are answered, and false if by 81 cells.
    given_by: Option<bool>,
    /// True if a column of the output holds the numbers of records.
    shows_numbers: bool,
    /// The number of the first record of the next piece, where a column holds the numbers of records that
    /// are read, or some are chosen by their numbers. Pieces take turns to count their records.
    next_number: Option<Turns<u64>>,
    /// The records that are answered.
    chosen: &'r ChosenRecords,
    /// No record after those that are read is chosen.
    is_past: AtomicBool,
    /// The number of the first piece.
    first_piece: u64,
    arrays: Option<&'r Arrays>,
    /// The sizes of the pieces, if their time decides about them.
    pace: Option<&'r Pace>,
    /// The places of the pieces at which threads panicked, by their numbers.
    panicked: Mutex<BTreeMap<u64, PlaceOfPiece>>,
    /// The first is true if a record was a full grid, and the second if one was a puzzle with blanks.
    seen: [AtomicBool; 2],
    /// The records are those of an earlier run.
    is_replay: bool,
}

impl<'r> InputRun<'r> {
    pub(super) fn new(
        command: &'r dyn RecordCommand,
        rows: &'r Rows,
        layout: &'r Layout,
        (task, chosen, arrays): (&'r Task<'r>, &'r ChosenRecords, Option<&'r Arrays>),
        (totals, pace): (&RunTotals, Option<&'r Pace>),
    ) -> Self {
        let writer = &rows.writer;
        let is_number = |column: &Added| column.values == Values::Record;
        let has_numbers = writer.columns().iter().any(is_number);
        let shows_numbers = has_numbers && (arrays.is_some() || !writer.form().is_of_nine_lines());
        let counts = (shows_numbers || !chosen.is_all()) && task.made.is_none();
        Self {
            command,
            rows,
            plain: writer.without_columns(),
            layout,
            task,
            given_by: given_by(writer, task),
            shows_numbers,
            next_number: counts.then(|| Turns::new(totals.read + 1)),
            chosen,
            is_past: AtomicBool::new(chosen.ends_before(totals.read + 1)),
            first_piece: totals.pieces,
            arrays,
            pace,
            panicked: Mutex::default(),
            seen: Default::default(),
            is_replay: false,
        }
    }

    /// Returns true if all records that are not malformed were full grids, and there was one.
    pub(super) fn has_only_grids(&self) -> bool {
        let [grids, puzzles] = &self.seen;
        grids.load(Relaxed) && !puzzles.load(Relaxed)
    }

    /// Notes whether records are full grids. One puzzle with blanks ends the search.
    fn look_for_blanks(&self, records: &Records) {
        let [grids, puzzles] = &self.seen;
        let mut good = (0..records.len()).filter(|&record| records.error(record).is_none());
        if !puzzles.load(Relaxed) {
            let found = good.any(|record| {
                let is_full = records.is_full(record);
                grids.fetch_or(is_full, Relaxed);
                !is_full
            });
            puzzles.fetch_or(found, Relaxed);
        }
    }

    /// Answers all pieces of an input, in order, and writes to these outputs. The name is that of the input.
    pub(super) fn run(
        &self,
        job: &mut Job,
        (name, pieces): (&str, Pieces<'_>),
        (outputs, has_record): (&[Output], &mut [bool]),
        totals: &mut RunTotals,
        (start, noting): (ReachedInInput, Option<Noting<'_>>),
    ) -> anyhow::Result<()> {
        let most_rejected = totals.rejects.kept();
        let begins_with_blank_line = self.rows.writer.begins_with_blank_line();
        for (seen, before) in self.seen.iter().zip(start.seen) {
            seen.store(before, Relaxed);
        }
        let mut within = start;
        let mut has_part = false;
        job.run_in_order(
            self.numbered(pieces, totals.pieces),
            outputs.first(),
            || self.thread_state(),
            |state, (number, piece), out| {
                let most = (outputs.len(), most_rejected);
                if self.pace.is_some() && state.part.is_none() {
                    state.began = Instant::now();
                }
                let answered = self.answer(state, *number, piece, out, most);
                let has_more = answered.has_more;
                if let Some(pace) = self.pace.filter(|_| !has_more) {
                    let range = piece.range();
                    pace.note((range.end - range.start) as usize, state.began.elapsed());
                }
                (answered, has_more)
            },
            begins_with_blank_line,
            |report, answered, bytes| {
                // All pieces before are written. Of a piece in parts nothing is noted before its end.
                if let Some(noting) = &noting
                    && !has_part
                    && noting.checkpoints.is_due()
                {
                    within.seen = self.seen.each_ref().map(|seen| seen.load(Relaxed));
                    noting.note((outputs, has_record), totals, within);
                }
                has_part = answered.has_more;
                within.place = answered.end;
                // The blank line before the first record of an output is left out.
                let mut starts = has_record.iter_mut().map(|has_record| {
                    move |length: usize| {
                        let is_first = begins_with_blank_line && !*has_record && length > 0;
                        *has_record |= length > 0;
                        usize::from(is_first)
                    }
                });
                let start = starts.next().map_or(0, |mut start| start(bytes.len()));
                let parts = self.add(answered, name, &mut within.before, totals, report)?;
                let parts = outputs.iter().skip(1).zip(&parts);
                for ((output, bytes), mut start) in parts.zip(starts) {
                    output.write_next(&bytes[start(bytes.len())..])?;
                }
                Ok(start..bytes.len())
            },
        )
        .map_err(|error| self.placed(error, name, within.before, totals))
    }

    /// Shows the command the records that an earlier run answered. Nothing is written, counted or reported.
    pub(super) fn replay(
        mut self,
        job: &mut Job,
        (name, pieces): (&str, Pieces<'_>),
        totals: &mut RunTotals,
    ) -> anyhow::Result<()> {
        self.is_replay = true;
        if let Some(next) = &mut self.next_number {
            *next = Turns::new(totals.replayed + 1);
        }
        self.is_past = AtomicBool::new(self.chosen.ends_before(totals.replayed + 1));
        let before = LinesAndRecords::default();
        job.run_in_order(
            self.numbered(pieces, totals.pieces),
            None,
            || self.thread_state(),
            |state, (number, piece), out| {
                let answered = self.answer(state, *number, piece, out, (0, 0));
                let has_more = answered.has_more;
                (answered, has_more)
            },
            false,
            |_, answered, bytes| {
                if let Some(error) = answered.error {
                    return Err(error);
                }
                totals.pieces += u64::from(!answered.has_more);
                totals.replayed += answered.read;
                Ok(bytes.len()..bytes.len())
            },
        )
        .map_err(|error| self.placed(error, name, before, totals))
    }

    /// The pieces with their numbers, up to the last that may have a chosen record.
    fn numbered<'i>(
        &'i self,
        pieces: Pieces<'i>,
        first: u64,
    ) -> impl Iterator<Item = Result<(u64, Piece), Error>> + Send + 'i {
        let mut pieces = (first..).zip(pieces);
        let more = move || (!self.is_past.load(Relaxed)).then(|| pieces.next())?;
        std::iter::from_fn(more).map(|(number, piece)| Ok((number, piece?)))
    }

    /// The state of a thread before its first piece.
    fn thread_state(&self) -> ThreadState<'_> {
        ThreadState {
            piece: TextPiece::new(self.empty_answer()),
            writing: Writing::default(),
            worker: self.command.worker(),
            checker: self.rows.plan.check.is_some().then(Checker::default),
            part: None,
            began: Instant::now(),
        }
    }

    /// An error of the run, with its place in the input, which has these lines and records before
    /// it.
    fn placed(
        &self,
        error: anyhow::Error,
        name: &str,
        before: LinesAndRecords,
        totals: &RunTotals,
    ) -> anyhow::Error {
        match error.downcast::<Error>() {
            Ok(Error::Panicked { message, .. }) => {
                // All pieces before the one of the thread are added.
                let place = lock(&self.panicked).remove(&totals.pieces);
                if let Some(made) = self.task.made {
                    let place = describe_made(place, made.noun);
                    return anyhow!("a thread panicked {place}: {message}");
                }
                let place = describe(place, self.task.shard.is_none().then_some(before));
                anyhow!("{name}: a thread panicked {place}: {message}")
            }
            Ok(error) => error.after_lines(before.lines).into(),
            Err(error) => error,
        }
    }

    /// Reads the records of a piece. Returns the number of the first, if it is known.
    fn read(&self, to: &mut TextPiece, piece: &mut Piece, guard: &mut Guard<'_, '_>) -> u64 {
        if self.task.made.is_some() {
            to.clear();
            return piece.numbers.start;
        }
        let skipped_lines = piece.skipped_lines;
        to.read(self.layout, piece.text(), skipped_lines);
        let records = &mut to.records;
        guard.place.size = Some(size_of_records(records));
        let read = records.len() as u64;
        let count = |next: &mut u64| mem::replace(next, *next + read);
        let turns = self.next_number.as_ref();
        let first = turns.map_or(0, |turns| {
            turns.take(guard.number - self.first_piece, count)
        });
        if !self.chosen.is_all() {
            self.chosen.keep(records, first);
            if self.chosen.ends_before(first + read) {
                self.is_past.store(true, Relaxed);
            }
        }
        if self.task.read.form.digits == Some(FirstDigit::Zero) {
            self.layout.count_from_zero(records);
        }
        if self.task.reduce {
            records.give_by(true);
            records.reduce();
        }
        if let Some(by_candidates) = self.given_by {
            records.give_by(by_candidates);
        }
        if let Some(blank) = self.task.blank {
            self.layout.set_blank(records, blank);
        }
        self.look_for_blanks(records);
        first
    }

    /// Answers a piece, or the next part of it.
    fn answer(
        &self,
        state: &mut ThreadState<'_>,
        number: u64,
        piece: &mut Piece,
        out: Out<'_>,
        (parts, most_rejected): (usize, usize),
    ) -> PieceResult {
        let mut guard = Guard {
            run: self,
            number,
            place: PlaceOfPiece {
                range: piece.range(),
                size: (state.part.is_some()).then(|| size_of_records(&state.piece.records)),
            },
        };
        let (mut of_piece, first) = state.part.take().unwrap_or_else(|| {
            let first = self.read(&mut state.piece, piece, &mut guard);
            (Part::default(), first)
        });
        let ThreadState {
            piece: answered,
            writing,
            worker,
            checker,
            ..
        } = state;
        let numbers = piece.numbers.clone();
        let count = answered.records.len() + (numbers.end - numbers.start) as usize;
        let (lent, out) = if self.writes_lines() {
            let bytes = out.exactly(count * (CELLS + 1));
            (Some(bytes.as_chunks_mut().0), None)
        } else {
            (None, Some(out))
        };
        let mut written = Vec::new();
        let work = |records: &Records, answer: &mut Answer<'_>| -> anyhow::Result<()> {
            let batch = RecordBatch {
                records,
                numbers,
                number,
                is_replayed: self.is_replay,
                chosen: self.chosen,
                layout: self.layout,
            };
            // Later batches may wait for what this one did not do.
            worker(&batch, answer).inspect_err(|_| self.command.abandon(number))?;
            of_piece.to = answer.next().unwrap_or(count);
            answer.check();
            self.verify(checker.as_mut(), &batch, answer, &mut of_piece)?;
            if let Some(out) = out {
                let mut out = out.growing();
                written = self.write((records, answer, first), writing, &mut out, parts)?;
            }
            Ok(())
        };
        let done = answered.answer(count, lent, most_rejected, work);
        let has_more = answered.has_more() && done.is_ok();
        let records = &answered.records;
        let (mut failed, mut error) = (None, None);
        match done.map_err(anyhow::Error::downcast::<WrongRecord>) {
            Ok(()) => {}
            Err(Ok(WrongRecord { record, what })) => {
                failed = Some((self.place(records, record), what));
            }
            Err(Err(other)) => error = Some(other),
        }
        let mut rejected = mem::take(&mut answered.rejects);
        if self.task.shard.is_some() {
            let (skipped, offset) = (piece.skipped_lines, piece.range().start);
            places_in_bytes(&mut rejected, piece.text(), skipped, offset);
            if let Some((place, _)) = &mut failed {
                *place = place_in_bytes(piece.text(), *place, skipped, offset);
            }
        }
        state.part = has_more.then_some((of_piece, first));
        // The last part counts the piece.
        let once = u64::from(!has_more);
        PieceResult {
            end: self.end(piece),
            length: once * piece.length(),
            lines: once * records.lines(),
            records: once * count as u64,
            read: once * (records.read_count() + count - records.len()) as u64,
            // Nobody knows to which record they belong.
            left_out: match self.chosen.is_all() {
                true => records.left_out().map(|left_out| once * left_out),
                false => Default::default(),
            },
            counts: mem::take(&mut answered.counts),
            rejected,
            parts: written,
            failed,
            error,
            has_more,
        }
    }

    /// Checks the answers of a batch, if `--verify` asks for it.
    fn verify(
        &self,
        checker: Option<&mut Checker>,
        batch: &RecordBatch<'_>,
        answer: &Answer<'_>,
        of_piece: &mut Part,
    ) -> Result<(), WrongRecord> {
        let (Some(checker), Some(check)) = (checker, &self.rows.plan.check) else {
            return Ok(());
        };
        let answers = |record| {
            let text = batch.value(record, self.rows.plan.answers.as_ref()?)?;
            str::from_utf8(&text).ok()?.parse().ok()
        };
        let done = check.check(checker, batch.records, answer, &answers, of_piece);
        done.map_err(|wrong| WrongRecord {
            record: wrong.record,
            what: format!(
                "--verify found a wrong answer: {}; output files stay as they were",
                wrong.what
            ),
        })
    }

    /// The place where a piece ends. Records to make are counted from the first.
    fn end(&self, piece: &Piece) -> (u64, u64) {
        match self.task.made {
            Some(made) => (piece.numbers.end - made.numbers.start, 0),
            None => piece.end(),
        }
    }

    /// An answer with the columns of the output.
    fn empty_answer(&self) -> Answer<'static> {
        let mut answer = Answer::new(self.rows.kinds());
        answer.leave_out(|column| self.rows.plan.hidden.get(column) == Some(&true));
        answer
    }

    /// The place of a record for messages: its line in the piece, or its place among those to make.
    fn place(&self, records: &Records, record: usize) -> u64 {
        match self.task.made {
            Some(_) => record as u64,
            None => records.line(record),
        }
    }

    /// Returns true if [`Answer::lines`] is the whole output.
    fn writes_lines(&self) -> bool {
        let mut columns = self.rows.writer.columns().iter();
        // The format has no room for the number of a record that is made.
        let first =
            columns.find(|column| self.task.made.is_none() || column.values != Values::Record);
        let form = self.rows.writer.form();
        // Grids that are made have candidates in that format, and solutions have 81 digits.
        form.is_of_plain_lines()
            && !(form == Form::Candidates && self.task.made.is_some())
            && !self.rows.writer.is_choosing()
            && first.is_some_and(|column| column.values == Values::Cells)
            && matches!(self.task.sink, Sink::One(_) | Sink::PerInput(_))
    }

    /// Writes the rows of a batch. Returns those for the parts of the output after the first.
    fn write(
        &self,
        (records, answer, first): (&Records, &Answer<'_>, u64),
        writing: &mut Writing,
        out: &mut Growing<'_>,
        parts: usize,
    ) -> Result<Vec<Vec<u8>>, WrongRecord> {
        if let Some(arrays) = self.arrays {
            let mut buffers = vec![Vec::new(); parts];
            if parts > 0 {
                let of_batch = (records, self.layout, first);
                let columns = (answer, self.rows.writer.columns());
                let done = arrays.write(of_batch, columns, &mut buffers);
                done.map_err(|(record, what)| WrongRecord { record, what })?;
                out.extend_from_slice(&buffers.remove(0));
            }
            return Ok(buffers);
        }
        let mut others = vec![Vec::new(); parts.saturating_sub(1)];
        for (record, rows) in answer.entries() {
            let (batch, rows) = ((records, answer, first), (record, rows));
            let done = match answer.part_of(record) {
                0 => self.write_rows(batch, rows, writing, out),
                part => self.write_rows(batch, rows, writing, &mut others[part - 1]),
            };
            done.map_err(|error| {
                let what = match &error {
                    RowError::Differs { column, .. } => format!("{error}: {}", advice(column)),
                    _ => error.to_string(),
                };
                WrongRecord { record, what }
            })?;
        }
        Ok(others)
    }

    #[inline]
    fn write_rows(
        &self,
        (records, answer, first): (&Records, &Answer<'_>, u64),
        (record, places): (usize, Range<usize>),
        writing: &mut Writing,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        if places.is_empty() {
            return self.plain.row(records, record, |_| &[], out);
        }
        let Writing { rows, frame } = writing;
        let writer = &self.rows.writer;
        let has_frame = places.len() > 1 && !writer.is_choosing();
        if has_frame && frame.prepare(writer, records, record)? {
            let columns = 0..answer.kinds().len();
            let lines = columns.map(|column| match answer.column(column) {
                Data::Puzzles(puzzles) => puzzles.lines(places.clone()),
                other => unreachable!("{other:?} are no images"),
            });
            return Ok(frame.rows(&lines.collect::<Vec<_>>(), out)?);
        }
        let first = self.shows_numbers.then_some(first);
        let line = |row: &RowView<'_>, line: &mut Vec<u8>| self.command.line(row, line);
        let of_record = (record, places);
        rows.write(writer, (records, answer), of_record, first, line, out)
    }

    /// Adds up and reports the result of a piece. Returns the rows for the parts after the first.
    fn add(
        &self,
        answered: PieceResult,
        name: &str,
        before: &mut LinesAndRecords,
        totals: &mut RunTotals,
        report: &mut Report,
    ) -> anyhow::Result<Vec<Vec<u8>>> {
        if let Some(error) = answered.error {
            return Err(error);
        }
        // A shard knows bytes, and no lines. Rejects of several inputs have the names of these.
        let (has_bytes, has_names) = (self.task.shard.is_some(), self.task.read.files.len() > 1);
        let lines_before = if has_bytes { 0 } else { before.lines };
        let records_before = before.records;
        let place = |line: u64| {
            if let Some(made) = self.task.made {
                let number = made.numbers.start + records_before + line;
                let place = format!(
                    "{} {number}, counted from 0",
                    made.noun.trim_end_matches('s')
                );
                return (place.clone(), place);
            }
            let at = lines_before + line;
            let message = if has_bytes {
                format!("{name}: byte {at}")
            } else {
                format!("{name}:{at}")
            };
            let in_file = if has_names {
                format!("{name}:{at}")
            } else {
                at.to_string()
            };
            (message, in_file)
        };
        if let Some((line, what)) = answered.failed {
            bail!("{}: {what}", place(line).0);
        }
        let rejected = &answered.rejected;
        if self.task.read.strict
            && let Some((line, reason, detail)) = first_malformed(rejected)
        {
            bail!("{}: {reason}: {detail} (--strict)", place(line).0);
        }
        totals.rejects.report(rejected, place, report)?;
        totals.counts += answered.counts;
        if !answered.has_more {
            totals.pieces += 1;
        }
        for (total, count) in totals.left_out.iter_mut().zip(answered.left_out) {
            *total += count;
        }
        before.lines += answered.lines;
        before.records += answered.read;
        totals.records += answered.records;
        totals.read += answered.read;
        totals.advanced += answered.length;
        report.advance(answered.length, answered.records);
        Ok(answered.parts)
    }
}

/// Returns true if the output asks for puzzles by candidates, and false if it asks for 81 cells.
fn given_by(writer: &Writer, task: &Task<'_>) -> Option<bool> {
    let columns = writer.columns();
    let has_puzzles = columns.is_empty() || columns.iter().any(Added::is_puzzle);
    let form = match task.form {
        // The format may be that of another input.
        None if writer.form().is_of_nine_lines() && writer.form() != Form::Pencilmarks => {
            writer.form()
        }
        form => form?,
    };
    match form {
        _ if !has_puzzles => None,
        Form::Candidates | Form::Pencilmarks => Some(true),
        form if form.is_of_lines() || form.is_of_nine_lines() => Some(false),
        _ => None,
    }
}

/// The numbers of records and lines that were read.
fn size_of_records(records: &Records) -> LinesAndRecords {
    LinesAndRecords {
        records: records.read_count() as u64,
        lines: records.lines(),
    }
}

/// Abandons a batch when the thread that works on it panics, and notes its place. Other threads might wait
/// for it for ever.
struct Guard<'a, 'r> {
    run: &'a InputRun<'r>,
    number: u64,
    place: PlaceOfPiece,
}

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        let Self { run, number, place } = self;
        if std::thread::panicking() {
            run.command.abandon(*number);
            if let Some(turns) = &run.next_number {
                turns.abandon(*number - run.first_piece);
            }
            lock(&run.panicked).insert(*number, place.clone());
        }
    }
}
