//! Input as chunks of whole lines.

use super::{ALIGN, Error};
use memchr::{memchr, memchr_iter};
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

/// Bytes to be cut into chunks of whole lines.
///
/// A file is read, not mapped: copies into memory that is used again cost no more
/// than page faults, and unmapping at the end, which one thread does. With two
/// threads 10 million easy puzzles take 463 ms; mapped as a whole 480, in windows
/// of 64 MiB 461. And nobody can end the process by cutting the file short.
pub struct Input {
    stream: Box<dyn Read + Send>,
    size: Option<u64>,
}

impl Input {
    /// Opens a file, of any kind that can be read. What others write to it
    /// meanwhile may or may not be seen; replacing it by a rename, as
    /// [`Output`](super::output::Output) does, is safe.
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
        // Files under /proc say that they have no bytes.
        let size = Some(about.len()).filter(|&size| about.is_file() && size > 0);
        Ok(Self {
            size,
            ..Self::stream(file)
        })
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
        Self {
            stream: Box::new(stream),
            size: None,
        }
    }

    /// The bytes there are, when that is known before they are read.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The chunks, by [`chunk_size`].
    pub fn chunks(&mut self) -> Chunks<'_> {
        self.chunks_of(chunk_size)
    }

    /// The chunks, of wished sizes: chunk `i` ends with the first line that
    /// ends `size(i, head)` bytes after its start or later (1 when it is 0), or
    /// with the input; `head` is its first [`HEAD`] bytes. However a stream
    /// doles out its bytes, they are cut alike.
    pub fn chunks_of<'a>(
        &'a mut self,
        size: impl FnMut(u64, &[u8]) -> usize + Send + 'a,
    ) -> Chunks<'a> {
        Chunks {
            stream: &mut self.stream,
            ended: false,
            carried: Vec::new(),
            size: Box::new(size),
            index: 0,
            position: 0,
            spare: Arc::default(),
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
    stream: &'a mut (dyn Read + Send),
    ended: bool,
    /// What was read beyond the last chunk.
    carried: Vec<u8>,
    size: Box<Size<'a>>,
    index: u64,
    /// The bytes cut so far.
    position: u64,
    spare: Arc<Spare>,
}

/// The wished size of a chunk, by its number and its head.
type Size<'a> = dyn FnMut(u64, &[u8]) -> usize + Send + 'a;

/// Memory of chunks that are done with. The last that came is the first to be
/// used again: the thread that frees one and takes the next has it in its cache.
type Spare = Mutex<Vec<Vec<u8>>>;

/// Some whole lines. Its memory is used again once it is dropped.
pub struct Chunk {
    buffer: Vec<u8>,
    lines: Range<usize>,
    spare: Arc<Spare>,
}

impl Deref for Chunk {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.buffer[self.lines.clone()]
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if self.buffer.len() <= KEPT
            && let Ok(mut spare) = self.spare.lock()
        {
            spare.push(mem::take(&mut self.buffer));
        }
    }
}

impl Chunks<'_> {
    /// The next chunk, empty at the end of the input.
    fn cut(&mut self) -> Result<Chunk, Error> {
        let spare = self.spare.lock().expect("nobody panics with it").pop();
        let mut buffer = spare.unwrap_or_default();
        if buffer.len() < ALIGN + self.carried.len() {
            buffer.resize(ALIGN + self.carried.len(), 0);
        }
        // Copied faster from places of the same alignment, as those of an `Out`.
        let start = (self.position as usize).wrapping_sub(buffer.as_ptr() as usize) % ALIGN;
        let mut filled = start + self.carried.len();
        buffer[start..filled].copy_from_slice(&self.carried);
        self.fill(&mut buffer, &mut filled, start + HEAD)?;
        let size = (self.size)(self.index, &buffer[start..filled.min(start + HEAD)]).max(1);
        let (mut searched, mut wanted) = (0, size + OVERREAD);
        let length = loop {
            self.fill(&mut buffer, &mut filled, start + wanted)?;
            let bytes = &buffer[start..filled];
            if let Some(end) = end_of_chunk(bytes, size, searched) {
                break end;
            }
            if bytes.len() > size + LONGEST_LINE {
                return Err(Error::LongLine {
                    position: self.position + size as u64,
                });
            }
            if self.ended {
                break bytes.len();
            }
            searched = bytes.len();
            wanted = (2 * searched).min(size + LONGEST_LINE + 1);
        };
        let lines = start..start + length;
        self.carried.clear();
        self.carried.extend_from_slice(&buffer[lines.end..filled]);
        Ok(Chunk {
            buffer,
            lines,
            spare: Arc::clone(&self.spare),
        })
    }

    /// Reads until so many bytes are there, or the stream ends.
    fn fill(
        &mut self,
        buffer: &mut Vec<u8>,
        filled: &mut usize,
        wanted: usize,
    ) -> Result<(), Error> {
        if buffer.len() < wanted {
            buffer.resize(wanted, 0);
        }
        while *filled < wanted && !self.ended {
            match self.stream.read(&mut buffer[*filled..wanted]) {
                Ok(count) => {
                    *filled += count;
                    self.ended = count == 0;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::Input(error)),
            }
        }
        Ok(())
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
        self.position += chunk.len() as u64;
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
