//! Input as chunks of whole lines.

use super::{ALIGN, Error};
use memchr::{memchr, memchr_iter};
use memmap2::{Mmap, MmapOptions};
use std::{
    fs::File,
    io::{self, Read},
    mem,
    ops::{Deref, Range},
    os::fd::AsFd,
    path::Path,
    sync::{Arc, Mutex},
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

/// Bytes to be cut into chunks of whole lines: a mapped file, or a stream.
pub struct Input {
    source: Source,
    /// The bytes cut so far.
    position: u64,
}

enum Source {
    Mapped(Mapped),
    Stream(Stream),
}

impl Input {
    /// Opens a file: a regular one is mapped, anything else is read as a stream.
    ///
    /// The contract of a mapping: nobody else cuts the file short before this
    /// `Input` and its chunks are dropped (the process would end with SIGBUS), and
    /// what others write into it meanwhile may or may not be seen. Replacing the
    /// file by a rename, as [`Output`](super::output::Output) does, is safe.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or is a directory.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files under /proc say that they have no bytes; those under /sys, and on
        // some file systems all, cannot be mapped.
        let size = about.len();
        if about.is_file()
            && size > 0
            && let Ok(window) = map(&file, 0, size.min(WINDOW))
        {
            return Ok(Self::new(Source::Mapped(Mapped {
                file,
                size,
                window: Arc::new(window),
                start: 0,
            })));
        }
        Ok(Self::stream(file))
    }

    /// Standard input.
    ///
    /// # Errors
    ///
    /// It is closed.
    pub fn stdin() -> io::Result<Self> {
        // Not through the buffer of `io::stdin`: that takes a third longer.
        let handle = io::stdin().as_fd().try_clone_to_owned()?;
        // A larger pipe, if it is one: with the usual 64 KiB `cat |` takes 600 to
        // 720 ms for 820 MB, with 1 MiB 440 to 650.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&handle, 1 << 20);
        Ok(Self::stream(File::from(handle)))
    }

    /// Any stream.
    pub fn stream(stream: impl Read + Send + 'static) -> Self {
        Self::new(Source::Stream(Stream {
            stream: Box::new(stream),
            ended: false,
            next: None,
            carried: Vec::new(),
            spare: Arc::default(),
        }))
    }

    fn new(source: Source) -> Self {
        Self {
            source,
            position: 0,
        }
    }

    /// The bytes there are, when that is known before they are read.
    pub fn size(&self) -> Option<u64> {
        match &self.source {
            Source::Mapped(file) => Some(file.size),
            Source::Stream(_) => None,
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

#[allow(unsafe_code, reason = "the one mapping of a file")]
fn map(file: &File, position: u64, length: u64) -> io::Result<Mmap> {
    let mut options = MmapOptions::new();
    options.offset(position).len(length as usize);
    // SAFETY: the file must not be cut short while it is mapped. Nobody can
    // prove that; it is asked of callers in `Input::open` and told to users.
    // Bytes that change while they are read are only ever read as bytes.
    unsafe { options.map(file) }
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
    let lines = memchr_iter(b'\n', head).count();
    if SHORT * lines > head.len() {
        size * head.len() / (SHORT * lines)
    } else {
        size
    }
}

/// Chunks of whole lines, in order: all but the last end with a line feed, and
/// none is empty. A byte-order mark before the first is left out.
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
}

enum Memory {
    Mapped(Arc<Mmap>),
    Read(Vec<u8>, Arc<Spare>),
}

/// Memory of chunks that are done with. The last that came is the first to be
/// used again: the thread that frees one and takes the next has it in its cache.
type Spare = Mutex<Vec<Vec<u8>>>;

impl Deref for Chunk {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let bytes: &[u8] = match &self.memory {
            Memory::Mapped(window) => window,
            Memory::Read(bytes, _) => bytes,
        };
        &bytes[self.lines.clone()]
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Memory::Read(bytes, spare) = &mut self.memory
            && bytes.len() <= KEPT
            && let Ok(mut spare) = spare.lock()
        {
            spare.push(mem::take(bytes));
        }
    }
}

impl Chunks<'_> {
    /// The next chunk, empty at the end of the input.
    fn cut(&mut self) -> Result<Chunk, Error> {
        let size = (self.size)(self.index, self.input.peek(HEAD)?).max(1);
        let (mut searched, mut wanted) = (0, size + OVERREAD);
        let length = loop {
            let bytes = self.input.peek(wanted)?;
            if let Some(end) = end_of_chunk(bytes, size, searched) {
                break end;
            }
            if bytes.len() > size + LONGEST_LINE {
                return Err(Error::LongLine {
                    position: self.input.position + size as u64,
                });
            }
            if bytes.len() < wanted {
                break bytes.len();
            }
            searched = wanted;
            wanted = (2 * wanted).min(size + LONGEST_LINE + 1);
        };
        Ok(self.input.split(length))
    }
}

impl Input {
    /// The next so many bytes, or all there are.
    fn peek(&mut self, wanted: usize) -> Result<&[u8], Error> {
        match &mut self.source {
            Source::Mapped(file) => file.peek(self.position, wanted),
            Source::Stream(stream) => stream.peek(self.position, wanted),
        }
        .map_err(Error::Input)
    }

    /// Splits off the next bytes, which [`peek`](Self::peek) gave.
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
    file: File,
    size: u64,
    window: Arc<Mmap>,
    /// Where in the file the window starts.
    start: u64,
}

impl Mapped {
    fn peek(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        let left = self.size - position;
        let wanted = left.min(wanted as u64);
        if self.start + (self.window.len() as u64) < position + wanted {
            self.window = Arc::new(map(&self.file, position, left.min(wanted.max(WINDOW)))?);
            self.start = position;
        }
        let at = (position - self.start) as usize;
        Ok(&self.window[at..at + wanted as usize])
    }

    fn split(&self, position: u64, length: usize) -> Chunk {
        let at = (position - self.start) as usize;
        Chunk {
            memory: Memory::Mapped(Arc::clone(&self.window)),
            lines: at..at + length,
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
    fn peek(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        let (memory, read) = self.next.get_or_insert_with(|| {
            let spare = self.spare.lock().expect("nobody panics with it").pop();
            let mut memory = spare.unwrap_or_default();
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

    fn split(&mut self, length: usize) -> Chunk {
        let (memory, read) = self.next.take().expect("it was read");
        let lines = read.start..read.start + length;
        self.carried.clear();
        self.carried.extend_from_slice(&memory[lines.end..read.end]);
        Chunk {
            memory: Memory::Read(memory, Arc::clone(&self.spare)),
            lines,
        }
    }
}

/// The end of the first line that ends at `size` or later, and not over
/// [`LONGEST_LINE`] later. `searched` bytes are known to have no such end.
fn end_of_chunk(bytes: &[u8], size: usize, searched: usize) -> Option<usize> {
    let from = searched.max(size - 1);
    let window = bytes.get(from..bytes.len().min(size + LONGEST_LINE))?;
    memchr(b'\n', window).map(|at| from + at + 1)
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut chunk = match self.cut() {
            Ok(chunk) if chunk.is_empty() => return None,
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        self.index += 1;
        if self.index == 1 && chunk.starts_with(b"\xef\xbb\xbf") {
            chunk.lines.start += 3;
            if chunk.is_empty() {
                return self.next();
            }
        }
        Some(Ok(chunk))
    }
}
