//! Input as chunks of whole lines: a mapped file, or blocks of a stream.

use super::Error;
use memchr::{memchr, memchr_iter};
use memmap2::Mmap;
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    os::fd::AsFd,
    path::Path,
};

/// How far after the wished end of a chunk its line may end.
pub const LONGEST_LINE: usize = 16 << 20;

/// The bytes at the start of a chunk that its size may depend on.
pub const HEAD: usize = 4 << 10;

/// What is read beyond the wished end of a chunk, to find the end of the line
/// there without a second read.
const OVERREAD: usize = 1 << 10;

/// Bytes to be cut into chunks of whole lines.
pub struct Input(Kind);

enum Kind {
    Mapped(Mmap),
    Stream(Box<dyn Read + Send>),
}

impl Input {
    /// Opens a file: a regular one is mapped, anything else is read as a stream.
    ///
    /// The contract of a mapping: nobody else cuts the file short before this
    /// `Input` is dropped (the process would end with SIGBUS), and what others
    /// write into it meanwhile may or may not be seen. Replacing the file by a
    /// rename, as [`Output`](super::output::Output) does, is safe.
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
        // Files under /proc say that they have no bytes. Advice to the kernel did
        // not pay: 820 MB are mapped and read in 55 ms by two threads, with
        // MADV_POPULATE_READ chunk by chunk in 95.
        if about.is_file()
            && about.len() > 0
            && let Ok(map) = map(&file)
        {
            return Ok(Self(Kind::Mapped(map)));
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
        Self(Kind::Stream(Box::new(stream)))
    }

    /// The bytes there are, when that is known before they are read.
    pub fn size(&self) -> Option<u64> {
        match &self.0 {
            Kind::Mapped(map) => Some(map.len() as u64),
            Kind::Stream(_) => None,
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
            source: match &mut self.0 {
                Kind::Mapped(map) => Source::Mapped(map),
                Kind::Stream(stream) => Source::Stream {
                    stream,
                    carried: Vec::new(),
                    ended: false,
                },
            },
            size: Box::new(size),
            index: 0,
            position: 0,
        }
    }
}

#[allow(unsafe_code, reason = "the one mapping of a file")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the file must not be cut short while it is mapped. Nobody can
    // prove that; it is asked of callers in `Input::open` and told to users.
    // Bytes that change while they are read are only ever read as bytes.
    unsafe { Mmap::map(file) }
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
    source: Source<'a>,
    size: Box<Size<'a>>,
    index: u64,
    /// The bytes cut so far.
    position: u64,
}

/// The wished size of a chunk, by its number and its head.
type Size<'a> = dyn FnMut(u64, &[u8]) -> usize + Send + 'a;

enum Source<'a> {
    /// What is left of a mapping.
    Mapped(&'a [u8]),
    Stream {
        stream: &'a mut (dyn Read + Send),
        /// What was read beyond the last chunk.
        carried: Vec<u8>,
        ended: bool,
    },
}

impl<'a> Chunks<'a> {
    /// The next chunk, empty at the end of the input.
    fn cut(&mut self) -> Result<Cow<'a, [u8]>, Error> {
        let mut size = |start: &[u8]| {
            let head = &start[..start.len().min(HEAD)];
            (self.size)(self.index, head).max(1)
        };
        let long_line = |size| Error::LongLine {
            position: self.position + size as u64,
        };
        match &mut self.source {
            Source::Mapped(rest) => {
                let size = size(rest);
                match end_of_chunk(rest, size, 0) {
                    Some(end) => Ok(Cow::Borrowed(rest.split_off(..end).expect("end is inside"))),
                    None if rest.len() > size + LONGEST_LINE => Err(long_line(size)),
                    None => Ok(Cow::Borrowed(std::mem::take(rest))),
                }
            }
            Source::Stream {
                stream,
                carried,
                ended,
            } => {
                let mut chunk = std::mem::take(carried);
                let mut fill = |chunk: &mut Vec<u8>, wanted: usize| {
                    if !*ended && chunk.len() < wanted {
                        let missing = wanted - chunk.len();
                        chunk.reserve_exact(missing);
                        let read = stream.take(missing as u64).read_to_end(chunk);
                        *ended = read.map_err(Error::Input)? < missing;
                    }
                    Ok(*ended)
                };
                fill(&mut chunk, HEAD)?;
                let size = size(&chunk);
                let (mut searched, mut wanted) = (0, size + OVERREAD);
                loop {
                    let ended = fill(&mut chunk, wanted)?;
                    if let Some(end) = end_of_chunk(&chunk, size, searched) {
                        *carried = chunk[end..].to_vec();
                        chunk.truncate(end);
                        return Ok(Cow::Owned(chunk));
                    }
                    if chunk.len() > size + LONGEST_LINE {
                        return Err(long_line(size));
                    }
                    if ended {
                        return Ok(Cow::Owned(chunk));
                    }
                    searched = chunk.len();
                    wanted = 2 * chunk.len();
                }
            }
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

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Cow<'a, [u8]>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut chunk = match self.cut() {
            Ok(chunk) if chunk.is_empty() => return None,
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        self.position += chunk.len() as u64;
        self.index += 1;
        if self.index == 1 && chunk.starts_with(b"\xef\xbb\xbf") {
            chunk = match chunk {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[3..]),
                Cow::Owned(bytes) => Cow::Owned(bytes[3..].to_vec()),
            };
            if chunk.is_empty() {
                return self.next();
            }
        }
        Some(Ok(chunk))
    }
}
