//! An input, cut into chunks of whole records.

use super::{Error, HEAD, Input, LONGEST_LINE, OVERREAD, Source, mapped::Window, mark};
use crate::pipeline::ALIGN;
use memchr::{memchr_iter, memchr2, memrchr2};
use std::{
    iter, mem,
    ops::Range,
    sync::{Arc, Mutex},
};

/// Memory of a chunk that is larger, for an overlong line, is not kept.
const KEPT: usize = 4 << 20;

/// The wished size of a chunk, by its number and its first [`HEAD`] bytes.
type Size<'a> = dyn FnMut(u64, &[u8]) -> usize + Send + 'a;

/// The end of a record, see [`Cut::records`].
pub type RecordEnd<'a> = dyn FnMut(&[u8], usize) -> Option<usize> + Send + 'a;

/// The rule by which an input is cut into chunks.
///
/// The default: chunks of whole lines, of the sizes of [`chunk_size`].
pub struct Cut<'a> {
    size: Box<Size<'a>>,
    record_end: Option<Box<RecordEnd<'a>>>,
    at_once: bool,
}

impl Default for Cut<'_> {
    fn default() -> Self {
        Self {
            size: Box::new(chunk_size),
            record_end: None,
            at_once: false,
        }
    }
}

impl<'a> Cut<'a> {
    /// Cuts chunks of other sizes: chunk `i` ends with the first record that ends
    /// `size(i, head)` bytes after its start or later (1 when it is 0), or with the input;
    /// `head` is its first [`HEAD`] bytes.
    #[must_use]
    pub fn sizes(mut self, size: impl FnMut(u64, &[u8]) -> usize + Send + 'a) -> Self {
        self.size = Box::new(size);
        self
    }

    /// Cuts where records end that may have several lines.
    ///
    /// `end(bytes, least)` gets bytes that begin where a record begins, without a byte-order
    /// mark. It returns the smallest `end >= least` for which `bytes[..end]` are whole
    /// records, with their last line feed, or nothing if there is none in these bytes. It is
    /// called again with more of the same bytes then, and at the end of an input its last
    /// record ends. `least` is at least 1.
    ///
    /// Records that line feeds end need no such thing, and a mapped file is faster without:
    /// with it the bytes are read by one thread at a time.
    #[must_use]
    pub fn records(mut self, end: impl FnMut(&[u8], usize) -> Option<usize> + Send + 'a) -> Self {
        self.record_end = Some(Box::new(end));
        self
    }

    /// Ends each chunk of a stream as soon as there is a whole record (`--line-buffered`): a
    /// chunk has the records that are there, and at least one. Where they are cut then
    /// depends on who writes the stream and when; regular files are cut as ever.
    #[must_use]
    pub fn at_once(mut self, at_once: bool) -> Self {
        self.at_once = at_once;
        self
    }
}

/// The wished size of chunk `index`, in bytes: the first are small, so that a
/// small input keeps all threads busy, later ones large, so that their cost is
/// spread. Where lines are short a chunk is so much smaller: what is made of a
/// line takes memory too.
///
/// It depends on nothing else: a chunk may be solved in another way than its
/// parts would, and the output is to be the same for any number of threads.
pub fn chunk_size(index: u64, head: &[u8]) -> usize {
    /// 1,024 lines of 81 cells. Two such chunks are 41 pages, so that all larger
    /// ones begin and end with a page, in such an input and in its output. With
    /// chunks of 1 MiB 10 million easy puzzles take 520 ms in place of 465.
    const FIRST: usize = 82 << 10;
    const LARGEST: usize = 12 * FIRST;
    const SHORT: usize = 64;
    let size = (FIRST << (index / 2).min(16)).min(LARGEST);
    let ends = |end| memchr_iter(end, head).count();
    // Lines that end with CR LF have one of each.
    let lines = ends(b'\n').max(ends(b'\r'));
    if SHORT * lines > head.len() {
        size * head.len() / (SHORT * lines)
    } else {
        size
    }
}

/// Whole records of an input.
pub struct Chunk {
    memory: Vec<u8>,
    lines: Range<usize>,
    /// The window, and the place in it where `lines` begin to count, if they are still to be copied.
    uncopied: Option<(Arc<Window>, usize)>,
    offset: u64,
    source_bytes: u64,
    spare: Arc<Spare>,
}

/// Memory of chunks that are done with. The last that came is the first to be
/// used again: the thread that frees one and takes the next has it in its cache.
pub(super) type Spare = Mutex<Vec<Vec<u8>>>;

impl Chunk {
    /// A chunk of the bytes in a range of this memory.
    pub(super) fn read(memory: Vec<u8>, lines: Range<usize>, spare: &Arc<Spare>) -> Self {
        Self {
            memory,
            lines,
            uncopied: None,
            offset: 0,
            source_bytes: 0,
            spare: Arc::clone(spare),
        }
    }

    /// A chunk of `length` bytes at a place of a window.
    pub(super) fn uncopied(
        window: &Arc<Window>,
        start: usize,
        length: usize,
        spare: &Arc<Spare>,
    ) -> Self {
        let mut chunk = Self::read(Vec::new(), 0..length, spare);
        chunk.uncopied = Some((Arc::clone(window), start));
        chunk
    }

    /// The lines. The first call copies those of a mapped file into memory of this process: from then on
    /// they stay what they are.
    pub fn bytes(&mut self) -> &[u8] {
        if let Some((window, start)) = self.uncopied.take() {
            let start = start + self.lines.start;
            let address = (window.address() + start) as u64;
            let (memory, lines) = room(&self.spare, address, self.lines.len());
            (self.memory, self.lines) = (memory, lines);
            window.copy(start, &mut self.memory[self.lines.clone()]);
        }
        &self.memory[self.lines.clone()]
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The place in the input where they begin, in bytes from 0: of a compressed input in what it
    /// unpacks to, of a shard in the whole file.
    ///
    /// Line numbers are not known when a chunk is cut. Whoever works on chunks counts their
    /// lines, and adds them up in order when they are folded.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes, of those that [`Input::size`] counts, by which reading them advanced the input: of a
    /// compressed input the packed ones.
    pub fn source_bytes(&self) -> u64 {
        self.source_bytes
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if !self.memory.is_empty()
            && self.memory.len() <= KEPT
            && let Ok(mut spare) = self.spare.lock()
        {
            spare.push(mem::take(&mut self.memory));
        }
    }
}

/// Memory with room for `length` bytes from a position of an input or an address on, and the range of the room. It
/// has the alignment of the position: bytes are copied faster between places of the same alignment,
/// as those of an `Out` are.
pub(super) fn room(spare: &Spare, position: u64, length: usize) -> (Vec<u8>, Range<usize>) {
    let memory = spare.lock().expect("nobody panics with it").pop();
    let mut memory = memory.unwrap_or_default();
    if memory.len() < ALIGN + length {
        memory.resize(ALIGN + length, 0);
    }
    let start = (position as usize).wrapping_sub(memory.as_ptr() as usize) % ALIGN;
    (memory, start..start + length)
}

/// The place where the first line ends in a part of the bytes.
enum End {
    /// Before this byte, which may be the first after the part.
    Before(usize),
    /// With the last byte, a CR, unless the next one is its LF.
    PerhapsLast,
    /// Nowhere.
    None,
}

fn first_end(bytes: &[u8]) -> End {
    let Some(at) = memchr2(b'\n', b'\r', bytes) else {
        return End::None;
    };
    match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => End::Before(at + 2),
        (b'\r', None) => End::PerhapsLast,
        _ => End::Before(at + 1),
    }
}

/// The place where the last line ends, 0 if none does. With a CR as the last byte the line may go on: its
/// LF may follow.
fn last_end(bytes: &[u8]) -> usize {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    memrchr2(b'\n', b'\r', bytes).map_or(0, |at| at + 1)
}

/// The first character of a comment.
const COMMENT: u8 = b'#';

/// The most bytes of comments that stay together with the record below them. More are in memory for nothing.
const MOST_COMMENTS: usize = 64 << 10;

/// The place where the last line begins, in bytes that end with a line end.
pub(super) fn last_line(bytes: &[u8]) -> usize {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    memrchr2(b'\n', b'\r', line).map_or(0, |at| at + 1)
}

/// The place before the comments that end at `end`: they belong to a record that is not there yet.
fn before_comments(bytes: &[u8], mark: usize, mut end: usize) -> usize {
    while end > mark {
        let start = last_line(&bytes[..end]).max(mark);
        if bytes[start] != COMMENT {
            break;
        }
        end = start;
    }
    end
}

impl Input {
    /// Chunks of whole records, in order; none is empty. All end with the end of a line (LF,
    /// CR LF or CR alone), but perhaps the last. A byte-order mark at the start is left out.
    ///
    /// Equal bytes give equal chunks, whether they are read from a file, streamed or unpacked.
    pub fn chunks<'a>(
        &'a mut self,
        mut cut: Cut<'a>,
    ) -> impl Iterator<Item = Result<Chunk, Error>> + use<'a> {
        iter::from_fn(move || self.next_chunk(&mut cut).transpose())
    }

    /// The next of the [chunks](Self::chunks), or nothing at the end.
    pub fn next_chunk(&mut self, cut: &mut Cut<'_>) -> Result<Option<Chunk>, Error> {
        loop {
            let before = self.position;
            let chunk = self.cut(cut)?;
            if self.position == before {
                return Ok(None);
            }
            self.index += 1;
            // All but a byte-order mark alone.
            if !chunk.is_empty() {
                return Ok(Some(chunk));
            }
        }
    }

    /// The next chunk, empty at the end.
    fn cut(&mut self, cut: &mut Cut<'_>) -> Result<Chunk, Error> {
        if cut.record_end.is_some() {
            self.become_stream()?;
        }
        let (source_start, position) = (self.source_position(), self.position);
        let record_end = cut.record_end.as_deref_mut();
        let (mark, length) = if cut.at_once && matches!(self.source, Source::Stream(_)) {
            self.records_at_once(record_end)?
        } else {
            let index = self.index;
            let head = self.next_bytes(HEAD)?;
            let mark = mark(position, head);
            let size = (cut.size)(index, head).max(1);
            (mark, self.records_of(size, mark, record_end)?)
        };
        let mut chunk = self.split(length);
        chunk.lines.start += mark;
        chunk.offset = position + mark as u64;
        chunk.source_bytes = self.source_position() - source_start;
        Ok(chunk)
    }

    /// The number of bytes that are whole records and at least `size`, or all that are left. The first
    /// `mark` of them belong to none. A line that is a comment belongs to the record below it, so lines do not end with
    /// one.
    pub(super) fn records_of(
        &mut self,
        size: usize,
        mark: usize,
        record_end: Option<&mut RecordEnd<'_>>,
    ) -> Result<usize, Error> {
        if record_end.is_some() {
            return self.end_from(size, mark, record_end);
        }
        let mut end = self.end_from(size, mark, None)?;
        while end < size + MOST_COMMENTS && self.ends_with_comment(end, mark)? {
            match self.end_from(end + 1, mark, None)? {
                next if next > end => end = next,
                _ => break,
            }
        }
        Ok(end)
    }

    /// Returns true if the last line of the next bytes, `end` in number, is a comment.
    fn ends_with_comment(&mut self, end: usize, mark: usize) -> Result<bool, Error> {
        let mut size = OVERREAD;
        loop {
            let from = end.saturating_sub(size);
            let bytes = self.bytes_ahead(from..end)?;
            match last_line(bytes) {
                0 if from > 0 && size < LONGEST_LINE => size *= 2,
                0 if from == 0 => return Ok(bytes.get(mark) == Some(&COMMENT)),
                start => return Ok(bytes.get(start) == Some(&COMMENT)),
            }
        }
    }

    /// The first place, `size` bytes ahead or more, where a record or a line ends, or the end of all bytes.
    fn end_from(
        &mut self,
        size: usize,
        mark: usize,
        mut record_end: Option<&mut RecordEnd<'_>>,
    ) -> Result<usize, Error> {
        let most = size + LONGEST_LINE;
        let (mut from, mut to) = (size - 1, size + OVERREAD);
        loop {
            let upto = to.min(most + 1);
            // The end that is searched for, and the number of bytes that are there.
            let (end, there) = match record_end.as_deref_mut() {
                None => {
                    let bytes = self.bytes_ahead(from..upto)?;
                    match (first_end(bytes), bytes.len()) {
                        (End::Before(end), _) => (Some(from + end), upto),
                        (_, 0) => (None, self.next_bytes(upto)?.len()),
                        (_, length) => (None, from + length),
                    }
                }
                Some(record_end) => {
                    let bytes = self.next_bytes(upto)?;
                    let least = size.saturating_sub(mark).max(1);
                    let records = bytes.get(mark..).unwrap_or_default();
                    (
                        record_end(records, least).map(|end| mark + end),
                        bytes.len(),
                    )
                }
            };
            match end {
                Some(end) if end <= most => return Ok(end),
                None if there < upto => return Ok(there),
                None if to <= most => {}
                _ => return Err(self.too_long(size)),
            }
            // Once more from the last byte on: a CR there may have its LF behind it.
            (from, to) = (to - 1, 2 * to);
        }
    }

    /// The byte-order mark that is next, and the number of bytes that are, with it, the whole records
    /// that are there: waits until there is one, or until the input ends.
    fn records_at_once(
        &mut self,
        mut record_end: Option<&mut RecordEnd<'_>>,
    ) -> Result<(usize, usize), Error> {
        let position = self.position;
        let mut searched = 0;
        loop {
            let Source::Stream(stream) = &mut self.source else {
                unreachable!("only streams are waited for");
            };
            let (bytes, ended) = stream.available(position);
            let mark = mark(position, bytes);
            let end = match record_end.as_deref_mut() {
                None => match last_end(&bytes[searched..]) {
                    0 => 0,
                    end => match before_comments(bytes, mark, searched + end) {
                        before if before > mark => before,
                        _ if searched + end > mark + MOST_COMMENTS => searched + end,
                        _ => 0,
                    },
                },
                Some(record_end) => whole_records(bytes, mark, record_end),
            };
            if end > mark {
                return Ok((mark, end));
            }
            if ended {
                return Ok((mark, bytes.len()));
            }
            // All but a CR that may be the end of a line.
            searched = bytes.len().saturating_sub(1);
            if searched > LONGEST_LINE {
                return Err(self.too_long(0));
            }
            let more = stream.read_more(position);
            more.map_err(|problem| problem.named(&self.name))?;
        }
    }

    /// The error of a line or a record that does not end. It begins in the first `from` bytes
    /// of those that are next or right after them.
    fn too_long(&mut self, from: usize) -> Error {
        let (name, position) = (self.name.clone(), self.position + from as u64);
        // A record that is too long, but has line ends, has several lines.
        let bytes = self.next_bytes(from + LONGEST_LINE);
        if bytes.is_ok_and(|bytes| {
            memchr2(b'\n', b'\r', bytes.get(from..).unwrap_or_default()).is_some()
        }) {
            return Error::LongRecord { name, position };
        }
        let before = self.peek(from, |_| false);
        let lines = before.map(|bytes| count_ends(&bytes[..from.min(bytes.len())]));
        Error::LongLine {
            name,
            position,
            line: lines.ok().map(|lines| lines + 1),
        }
    }
}

fn count_ends(bytes: &[u8]) -> u64 {
    let mut lines = 0;
    let mut rest = bytes;
    while let End::Before(end) = first_end(rest) {
        lines += 1;
        rest = &rest[end.min(rest.len())..];
    }
    lines
}

/// The place where the last whole record ends, 0 if there is none.
fn whole_records(bytes: &[u8], mark: usize, record_end: &mut RecordEnd<'_>) -> usize {
    let mut end = mark;
    while end < bytes.len()
        && let Some(length) = record_end(&bytes[end..], 1)
    {
        end += length;
    }
    if end > mark { end } else { 0 }
}
