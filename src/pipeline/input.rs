//! Input as chunks of whole lines.

use super::{ALIGN, Error, output::is_closed};
use memchr::{memchr_iter, memchr2};
use memmap2::{MmapOptions, MmapRaw};
use std::{
    fs::{File, Metadata},
    io::{self, Read},
    mem,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex},
    time::SystemTime,
};

/// How far after the wished end of a chunk its line may end.
pub const LONGEST_LINE: usize = 16 << 20;

/// The bytes at the start of a chunk that its size may depend on.
pub const HEAD: usize = 4 << 10;

/// What is read beyond the wished end of a chunk, to find the end of the line
/// there without a second read.
const OVERREAD: usize = 1 << 10;

/// Memory of a chunk that is larger, for an overlong line, is not kept.
const KEPT: usize = 4 << 20;

/// What is mapped of a file at a time. With two threads 10 million easy puzzles take
/// 398 ms, in windows of 4 MiB 419, with the whole file in one 413; read in place of
/// mapped 405.
const WINDOW: u64 = 16 << 20;

/// Bytes to be cut into chunks of whole lines: a stream, or a mapped file. It
/// knows its name, and its errors tell it.
pub struct Input {
    name: String,
    source: Source,
    /// The file that was opened by its name, to see at the end whether it
    /// changed.
    opened: Option<Opened>,
    /// The bytes cut so far.
    position: u64,
}

enum Source {
    Mapped(Mapped),
    Stream(Stream),
}

impl Input {
    /// Opens a file and reads it as a stream.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let opened = Opened::new(path)?;
        let source = Source::Stream(Stream::new(Arc::clone(&opened.file)));
        Ok(Self::of_file(path, opened, source))
    }

    /// Opens a file, and maps it if it is a regular one: each thread then reads
    /// the pages of its chunks by itself. Anything else is read as by
    /// [`open`](Self::open).
    ///
    /// The caller promises that nobody cuts the file short before this `Input`
    /// and its chunks are dropped. Where that is broken the system ends the
    /// process by a signal (SIGBUS), as it does for every mapping; an
    /// [`Output`](super::output::Output) that was not committed is then lost,
    /// and its target stays as it was.
    ///
    /// A file that others write to meanwhile does no such harm. Every byte is
    /// copied out of the mapping once, by [`Chunk::bytes`], before anything is
    /// decided about it: it is the old one or the new one, and does not change
    /// any more. [`check_unchanged`](Self::check_unchanged) tells of it at the
    /// end. To replace the file by a rename, as `Output` does, is safe.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a directory.
    pub fn map(path: &Path) -> Result<Self, Error> {
        let opened = Opened::new(path)?;
        // Files under /proc say that they have no bytes; those under /sys, and on
        // some file systems all, cannot be mapped.
        let source = match opened.size.map(|size| Mapped::new(&opened.file, size)) {
            Some(Ok(mapped)) => Source::Mapped(mapped),
            Some(Err(_)) | None => Source::Stream(Stream::new(Arc::clone(&opened.file))),
        };
        Ok(Self::of_file(path, opened, source))
    }

    /// Standard input.
    ///
    /// # Errors
    ///
    /// It is closed.
    pub fn stdin() -> Result<Self, Error> {
        const NAME: &str = "<stdin>";
        let file = stdin_as_file().map_err(|source| Error::Read {
            name: NAME.into(),
            source,
        })?;
        // A larger pipe, if it is one: with the usual 64 KiB `cat |` takes 600 to
        // 720 ms for 820 MB, with 1 MiB 440 to 650.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&file, 1 << 20);
        Ok(Self::stream(NAME, file))
    }

    /// Any stream, by the name that errors are to call it.
    pub fn stream(name: &str, stream: impl Read + Send + 'static) -> Self {
        Self {
            name: name.into(),
            source: Source::Stream(Stream::new(stream)),
            opened: None,
            position: 0,
        }
    }

    fn of_file(path: &Path, opened: Opened, source: Source) -> Self {
        Self {
            name: path.display().to_string(),
            source,
            opened: Some(opened),
            position: 0,
        }
    }

    /// What it is called in messages: the path as it was given, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes there are, when that is known before they are read.
    pub fn size(&self) -> Option<u64> {
        self.opened.as_ref().and_then(|opened| opened.size)
    }

    /// Checks that a file that was opened by its name has the size and the time
    /// of modification that it had then. A stream has nothing to be checked.
    ///
    /// It is the file that was opened which is looked at: one that another took
    /// the place of, by a rename, is unchanged. A change is missed where the
    /// clock of the file system did not move on since the file was opened (some
    /// milliseconds on Linux), where someone sets the time back, and where bytes
    /// are written through a mapping that is not yet synced.
    ///
    /// # Errors
    ///
    /// The file changed, or cannot be looked at.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let Some(opened) = &self.opened else {
            return Ok(());
        };
        match opened.is_unchanged() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Problem::Changed.named(&self.name)),
            Err(error) => Err(Problem::Read(error).named(&self.name)),
        }
    }

    /// The chunks, by [`chunk_size`].
    pub fn chunks(&mut self) -> Chunks<'_> {
        self.chunks_of(chunk_size)
    }

    /// The chunks, of wished sizes: chunk `i` ends with the first line that
    /// ends `size(i, head)` bytes after its start or later (1 when it is 0), or
    /// with the input; `head` is its first [`HEAD`] bytes. The same bytes are
    /// cut alike whether mapped or streamed.
    pub fn chunks_of<'a>(
        &'a mut self,
        size: impl FnMut(u64, &[u8]) -> usize + Send + 'a,
    ) -> Chunks<'a> {
        Chunks {
            input: self,
            size: Box::new(size),
            index: 0,
        }
    }
}

/// What goes wrong with a source, which does not know its name.
enum Problem {
    Read(io::Error),
    Changed,
}

impl Problem {
    fn named(self, name: &str) -> Error {
        let name = name.to_owned();
        match self {
            Self::Read(source) => Error::Read { name, source },
            Self::Changed => Error::Changed { name },
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// Standard input, not through the buffer of [`io::stdin`]: that takes a third
/// longer.
fn stdin_as_file() -> io::Result<File> {
    if is_closed(0) {
        return Err(io::Error::other("it is closed"));
    }
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// A file, and what it was like when it was opened.
struct Opened {
    file: Arc<File>,
    /// Of a regular file that has one. Some that the kernel makes up say 0.
    size: Option<u64>,
    state: State,
}

impl Opened {
    fn new(path: &Path) -> Result<Self, Error> {
        let open = || {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok((file, about))
        };
        let (file, about) = open().map_err(|source| Error::Open {
            name: path.display().to_string(),
            source,
        })?;
        Ok(Self {
            file: Arc::new(file),
            size: (about.is_file() && about.len() > 0).then_some(about.len()),
            state: State::of(&about),
        })
    }

    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(State::of(&self.file.metadata()?) == self.state)
    }
}

/// What tells whether a file was written to.
///
/// The handle stands for its identity. The time of its last change of status
/// would tell of a time that was set back, but also of a rename.
#[derive(PartialEq, Eq)]
struct State {
    size: u64,
    modified: Option<SystemTime>,
}

impl State {
    /// A named pipe or a device has no such state: it is always the same.
    fn of(about: &Metadata) -> Self {
        let regular = about.is_file();
        Self {
            size: if regular { about.len() } else { 0 },
            modified: about.modified().ok().filter(|_| regular),
        }
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

/// Chunks of whole lines, in order: all but the last end with the end of a line (LF, CR LF
/// or CR alone), and none is empty. A byte-order mark before the first is left out.
pub struct Chunks<'a> {
    input: &'a mut Input,
    size: Box<Size<'a>>,
    index: u64,
}

/// The wished size of a chunk, by its number and its head.
type Size<'a> = dyn FnMut(u64, &[u8]) -> usize + Send + 'a;

/// Some whole lines.
pub struct Chunk {
    memory: Memory,
    /// Where in it they are.
    lines: Range<usize>,
    spare: Arc<Spare>,
}

enum Memory {
    Mapped(Arc<Window>),
    Read(Vec<u8>),
}

/// Memory of chunks that are done with. The last that came is the first to be
/// used again: the thread that frees one and takes the next has it in its cache.
type Spare = Mutex<Vec<Vec<u8>>>;

impl Chunk {
    /// The lines. The first call copies those of a mapped file into memory of
    /// this process: from then on they stay what they are.
    pub fn bytes(&mut self) -> &[u8] {
        if let Memory::Mapped(window) = &self.memory {
            let length = self.lines.len();
            let mut memory = spare_memory(&self.spare);
            if memory.len() < ALIGN + length {
                memory.resize(ALIGN + length, 0);
            }
            // Copied faster from places of the same alignment, as those of an `Out`.
            let from = window.address() + self.lines.start;
            let start = from.wrapping_sub(memory.as_ptr() as usize) % ALIGN;
            window.copy(self.lines.start, &mut memory[start..start + length]);
            self.memory = Memory::Read(memory);
            self.lines = start..start + length;
        }
        match &self.memory {
            Memory::Read(memory) => &memory[self.lines.clone()],
            Memory::Mapped(_) => unreachable!("it was just copied"),
        }
    }

    /// How many bytes they are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Memory::Read(memory) = &mut self.memory
            && memory.len() <= KEPT
            && let Ok(mut spare) = self.spare.lock()
        {
            spare.push(mem::take(memory));
        }
    }
}

fn spare_memory(spare: &Spare) -> Vec<u8> {
    let spare = spare.lock().expect("nobody panics with it").pop();
    spare.unwrap_or_default()
}

impl Chunks<'_> {
    /// The next chunk, empty at the end of the input.
    fn cut(&mut self) -> Result<Chunk, Error> {
        let head = self.input.head()?;
        let mark = if self.index == 0 && head.starts_with(MARK) {
            MARK.len()
        } else {
            0
        };
        let size = (self.size)(self.index, head).max(1);
        let most = size + LONGEST_LINE;
        let (mut from, mut to) = (size - 1, size + OVERREAD);
        let length = loop {
            match self.input.line_end(from, to.min(most + 1))? {
                LineEnd::At(end) if end <= most => break end,
                LineEnd::EndOfInput(end) => break end,
                LineEnd::NotThere if to <= most => {}
                LineEnd::At(_) | LineEnd::NotThere => {
                    return Err(Error::LongLine {
                        name: self.input.name.clone(),
                        position: self.input.position + size as u64,
                    });
                }
            }
            // Once more from the last byte on: a CR there may have its LF behind it.
            (from, to) = (to - 1, 2 * to);
        };
        let mut chunk = self.input.split(length);
        chunk.lines.start += mark;
        Ok(chunk)
    }
}

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What there is in a part of the bytes that are next.
enum LineEnd {
    /// The first line that ends there ends before this byte.
    At(usize),
    /// No line ends there, and the input ends at or before its end: so many
    /// bytes are left.
    EndOfInput(usize),
    /// No line ends there, and there is more.
    NotThere,
}

impl LineEnd {
    /// What is known when no line ends in the `there` bytes that were found of those up to
    /// `to`.
    fn missing(there: usize, to: usize) -> Self {
        if there < to {
            Self::EndOfInput(there)
        } else {
            Self::NotThere
        }
    }
}

/// Where the first line ends in a part of the bytes.
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

impl Input {
    /// The first bytes of those that are next.
    fn head(&mut self) -> Result<&[u8], Error> {
        let position = self.position;
        let name = &self.name;
        match &mut self.source {
            Source::Mapped(file) => file.head(position),
            Source::Stream(stream) => stream.peek(position, HEAD).map_err(Problem::Read),
        }
        .map_err(|problem| problem.named(name))
    }

    /// Looks for the end of a line among the bytes `from..to` of those that are
    /// next.
    fn line_end(&mut self, from: usize, to: usize) -> Result<LineEnd, Error> {
        let found = match &mut self.source {
            Source::Mapped(file) => file.line_end(self.position, from, to),
            Source::Stream(stream) => stream.line_end(self.position, from, to),
        };
        found.map_err(|problem| problem.named(&self.name))
    }

    /// Splits off the next bytes, which are known to be there.
    fn split(&mut self, length: usize) -> Chunk {
        let chunk = match &mut self.source {
            Source::Mapped(file) => file.split(self.position, length),
            Source::Stream(stream) => stream.split(length),
        };
        self.position += length as u64;
        chunk
    }
}

/// A file, mapped window by window: each goes with the last of its chunks, by
/// whichever thread has that, and memory stays flat.
struct Mapped {
    file: Arc<File>,
    size: u64,
    window: Arc<Window>,
    /// Where in the file the window starts.
    start: u64,
    head: Box<[u8; HEAD]>,
    spare: Arc<Spare>,
}

impl Mapped {
    fn new(file: &Arc<File>, size: u64) -> io::Result<Self> {
        Ok(Self {
            file: Arc::clone(file),
            size,
            window: Arc::new(Window::new(file, 0, size.min(WINDOW))?),
            start: 0,
            head: Box::new([0; HEAD]),
            spare: Arc::default(),
        })
    }

    /// Has the window cover the next bytes, so many or all there are: where in
    /// it they begin, and how many there are.
    fn cover(&mut self, position: u64, wanted: usize) -> Result<(usize, usize), Problem> {
        let left = self.size - position;
        let wanted = left.min(wanted as u64);
        if self.start + (self.window.len() as u64) < position + wanted {
            // What is mapped beyond the end of a file cannot be read.
            if self.file.metadata()?.len() != self.size {
                return Err(Problem::Changed);
            }
            let length = left.min(wanted.max(WINDOW));
            self.window = Arc::new(Window::new(&self.file, position, length)?);
            self.start = position;
        }
        Ok(((position - self.start) as usize, wanted as usize))
    }

    fn head(&mut self, position: u64) -> Result<&[u8], Problem> {
        let (at, there) = self.cover(position, HEAD)?;
        self.window.copy(at, &mut self.head[..there]);
        Ok(&self.head[..there])
    }

    fn line_end(&mut self, position: u64, from: usize, to: usize) -> Result<LineEnd, Problem> {
        let (at, there) = self.cover(position, to)?;
        let mut block = [0; OVERREAD];
        let mut from = from;
        while from < there {
            let block = &mut block[..(there - from).min(OVERREAD)];
            self.window.copy(at + from, block);
            match first_end(block) {
                End::Before(end) => return Ok(LineEnd::At(from + end)),
                End::PerhapsLast if from + block.len() < there => from += block.len() - 1,
                End::PerhapsLast | End::None => from += block.len(),
            }
        }
        Ok(LineEnd::missing(there, to))
    }

    fn split(&self, position: u64, length: usize) -> Chunk {
        let at = (position - self.start) as usize;
        Chunk {
            memory: Memory::Mapped(Arc::clone(&self.window)),
            lines: at..at + length,
            spare: Arc::clone(&self.spare),
        }
    }
}

/// A part of a file in memory, whose bytes others may change at any time. So
/// nothing ever refers to them: they are only copied.
struct Window(MmapRaw);

impl Window {
    fn new(file: &File, position: u64, length: u64) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        options.offset(position).len(length as usize);
        options.map_raw_read_only(file).map(Self)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// Copies the bytes from `start` on.
    ///
    /// They are read once each and in volatile words: were they read as those of
    /// a slice, the compiler might read a byte again, take the two for the same,
    /// and be wrong.
    ///
    /// # Panics
    ///
    /// When the window has not so many bytes.
    #[allow(unsafe_code, reason = "the one place where a mapping is read")]
    fn copy(&self, start: usize, to: &mut [u8]) {
        type Word = u64;
        assert!(start <= self.len() && to.len() <= self.len() - start);
        let from = self.0.as_ptr().wrapping_add(start);
        let before = from.align_offset(size_of::<Word>()).min(to.len());
        let (first, rest) = to.split_at_mut(before);
        let (words, last) = rest.as_chunks_mut::<{ size_of::<Word>() }>();
        let after = from.wrapping_add(before + words.as_flattened().len());
        for (i, byte) in first.iter_mut().enumerate() {
            // SAFETY: see below; a byte has no alignment to keep to.
            *byte = unsafe { from.add(i).read_volatile() };
        }
        let aligned = from.wrapping_add(before).cast::<Word>();
        for (i, word) in words.iter_mut().enumerate() {
            // SAFETY: all `to.len()` bytes from `from` on are part of the mapping,
            // which was just asserted, and the mapping lasts as long as `self`.
            // It is readable, and any bytes are a `u64`. `aligned` is a multiple of
            // its alignment: `before` bytes lead there, or fewer where `to` is
            // shorter, and then there are no words. No reference to the mapping
            // exists, so that no write by others breaks a rule of references, and
            // a volatile read of memory that is none of Rust's own gives what is
            // there, old or new. That the file is not cut short is the promise of
            // whoever maps it; if it is, the read does not return, as the system
            // ends the process.
            *word = unsafe { aligned.add(i).read_volatile() }.to_ne_bytes();
        }
        for (i, byte) in last.iter_mut().enumerate() {
            // SAFETY: as above.
            *byte = unsafe { after.add(i).read_volatile() };
        }
    }
}

struct Stream {
    stream: Box<dyn Read + Send>,
    ended: bool,
    /// What is read of the next chunk, and where in this memory it is.
    next: Option<(Vec<u8>, Range<usize>)>,
    /// What was read beyond the last chunk.
    carried: Vec<u8>,
    spare: Arc<Spare>,
}

impl Stream {
    fn new(stream: impl Read + Send + 'static) -> Self {
        Self {
            stream: Box::new(stream),
            ended: false,
            next: None,
            carried: Vec::new(),
            spare: Arc::default(),
        }
    }

    /// The next bytes, so many or all there are.
    fn peek(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        let (memory, read) = self.next.get_or_insert_with(|| {
            let mut memory = spare_memory(&self.spare);
            if memory.len() < ALIGN + self.carried.len() {
                memory.resize(ALIGN + self.carried.len(), 0);
            }
            // Copied faster from places of the same alignment, as those of an `Out`.
            let start = (position as usize).wrapping_sub(memory.as_ptr() as usize) % ALIGN;
            let read = start..start + self.carried.len();
            memory[read.clone()].copy_from_slice(&self.carried);
            (memory, read)
        });
        let end = read.start + wanted;
        if memory.len() < end {
            memory.resize(end, 0);
        }
        while read.end < end && !self.ended {
            match self.stream.read(&mut memory[read.end..end]) {
                Ok(count) => {
                    read.end += count;
                    self.ended = count == 0;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&memory[read.start..read.end.min(end)])
    }

    fn line_end(&mut self, position: u64, from: usize, to: usize) -> Result<LineEnd, Problem> {
        let bytes = self.peek(position, to)?;
        Ok(match first_end(bytes.get(from..).unwrap_or_default()) {
            End::Before(end) => LineEnd::At(from + end),
            End::PerhapsLast | End::None => LineEnd::missing(bytes.len(), to),
        })
    }

    fn split(&mut self, length: usize) -> Chunk {
        let (memory, read) = self.next.take().expect("it was read");
        let lines = read.start..read.start + length;
        self.carried.clear();
        self.carried.extend_from_slice(&memory[lines.end..read.end]);
        Chunk {
            memory: Memory::Read(memory),
            lines,
            spare: Arc::clone(&self.spare),
        }
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let before = self.input.position;
            let chunk = match self.cut() {
                Ok(_) if self.input.position == before => return None,
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(error)),
            };
            self.index += 1;
            // All but a byte-order mark alone.
            if !chunk.is_empty() {
                return Some(Ok(chunk));
            }
        }
    }
}
