//! The compressed formats, gzip and zstd: how they are distinguished, and how bytes
//! are packed. Unpacking is in `pipeline::unpacking`.
//!
//! Output is packed in independent pieces: members of gzip (RFC 1952), frames of zstd
//! (RFC 8878). Both formats say that pieces one after the other unpack to their contents one
//! after the other. So every thread packs what it made, and `gzip -dc` or `zstd -dc` reads
//! the whole.

use super::utf16::Order;
use flate2::{Compress, FlushCompress, Status};
use std::{io, path::Path, str::FromStr};
pub use sudoku_batch::unpacking::Format;
use sudoku_batch::unpacking::GZIP_WINDOW;
use sudoku_batch::{foreign::Foreign, name::NameError};
use zstd::zstd_safe::{CCtx, CParameter, compress_bound, get_error_name};

/// A way to pack output: a format and a level.
///
/// It is written `gzip`, `zstd`, `gzip:9` or `zstd:-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    format: Format,
    level: i32,
}

impl Packing {
    /// A format at its default level: 3 for gzip, 1 for zstd.
    ///
    /// Puzzles and solutions are digits with hardly any repeated text, so that higher levels
    /// take longer and gain little. Level 1 of gzip is no level for digits: its codes are
    /// fixed, and its output half as large again. docs/internals/measurements.md has the figures.
    pub fn new(format: Format) -> Self {
        let level = match format {
            Format::Gzip => 3,
            Format::Zstd => 1,
        };
        Self { format, level }
    }

    /// The packing that the ending of a file's name asks for: `.gz` or `.zst`, in capitals or not.
    pub fn by_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        let mut formats = Format::ALL.iter().copied();
        formats
            .find(|format| ending.eq_ignore_ascii_case(format.ending()))
            .map(Self::new)
    }

    pub fn format(self) -> Format {
        self.format
    }

    /// The level, as the tools `gzip` and `zstd` count it.
    pub fn level(self) -> i32 {
        self.level
    }
}

/// A name that is no packing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackingError {
    #[error(transparent)]
    Format(#[from] NameError),
    #[error("{format} has the levels {least} to {most}")]
    Level {
        format: Format,
        least: i32,
        most: i32,
    },
}

impl FromStr for Packing {
    type Err = PackingError;

    fn from_str(text: &str) -> Result<Self, PackingError> {
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None => (text, None),
        };
        let format = name.parse()?;
        let levels = match format {
            Format::Gzip => 0..=9,
            Format::Zstd => -7..=22,
        };
        let Some(level) = level else {
            return Ok(Self::new(format));
        };
        match level.parse() {
            Ok(level) if levels.contains(&level) => Ok(Self { format, level }),
            _ => Err(PackingError::Level {
                format,
                least: *levels.start(),
                most: *levels.end(),
            }),
        }
    }
}

/// The size of the hash table of zstd at level 1, as a power of two. Its own is 14. Among
/// digits a smaller table finds fewer of the short matches that cost more than they save, and
/// stays in the first-level cache: solutions are packed at 1,022 MB/s in place of 429 (with 12
/// at 812). Puzzles become 5.9% smaller, JSON lines 1.3% smaller, and CSV 0.2% larger.
const HASH_LOG: u32 = 10;

/// Packs pieces; kept from piece to piece.
pub(super) struct Packer(Kind);

enum Kind {
    Gzip(Compress),
    Zstd(CCtx<'static>),
}

impl Packer {
    pub(super) fn new(packing: Packing) -> Self {
        Self(match packing.format {
            Format::Gzip => {
                let level = flate2::Compression::new(packing.level.unsigned_abs());
                Kind::Gzip(Compress::new_gzip(level, GZIP_WINDOW))
            }
            Format::Zstd => {
                let mut context = CCtx::try_create().unwrap_or_else(|| no_memory());
                let mut set = |parameter| {
                    let set = context.set_parameter(parameter);
                    assert!(set.is_ok(), "zstd takes every level that it names");
                };
                set(CParameter::CompressionLevel(packing.level));
                set(CParameter::ChecksumFlag(true));
                if packing.level == 1 {
                    set(CParameter::HashLog(HASH_LOG));
                }
                Kind::Zstd(context)
            }
        })
    }

    /// Packs bytes into one piece, and puts it in place of what `to` holds.
    ///
    /// The piece depends on the bytes, the format and the level alone.
    pub(super) fn pack(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        match &mut self.0 {
            Kind::Gzip(packer) => {
                packer.reset();
                // How much room there is decides how level 0 cuts its blocks, so that it must
                // depend on the bytes alone. It is more than they can take at any level.
                to.resize(bytes.len() + bytes.len() / 4 + 1024, 0);
                let status = packer
                    .compress(bytes, to, FlushCompress::Finish)
                    .expect("a packer that was reset takes any bytes");
                assert_eq!(status, Status::StreamEnd, "there is room for any bytes");
                to.truncate(packer.total_out() as usize);
                // The library names the system that it was compiled for.
                to[GZIP_SYSTEM] = UNIX;
            }
            Kind::Zstd(context) => {
                to.clear();
                to.reserve(compress_bound(bytes.len()));
                if let Err(code) = context.compress2(to, bytes) {
                    match get_error_name(code) {
                        name if name.contains("not enough memory") => no_memory(),
                        name => panic!("there is room for any bytes: {name}"),
                    }
                }
            }
        }
    }
}

/// The end of a thread for which zstd, which is C, gets no memory. The message is that of the
/// system, which the command distinguishes from a defect.
fn no_memory() -> ! {
    #[cfg(unix)]
    let error = io::Error::from_raw_os_error(libc::ENOMEM);
    #[cfg(not(unix))]
    let error = io::Error::from(io::ErrorKind::OutOfMemory);
    panic!("cannot compress: {error}");
}

/// The byte of a member of gzip that names a system, and Unix there (RFC 1952, 2.3.1).
const GZIP_SYSTEM: usize = 9;
const UNIX: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magic {
    Plain,
    Compressed(Format),
    /// UTF-16 with a byte-order mark.
    Utf16(Order),
    /// A kind that is not read here.
    Foreign(Foreign),
}

impl Magic {
    /// Reads the first bytes of an input, or all of them; nothing where it takes more of them to decide.
    pub(super) fn of(head: &[u8], is_whole: bool) -> Option<Self> {
        if let Some(format) = Format::of(head) {
            return Some(Self::Compressed(format));
        }
        if let Some(order) = Order::of(head) {
            return Some(Self::Utf16(order));
        }
        let skippable = (0x50..=0x5f).map(|first| [first, b'*', b'M', 0x18]);
        let may_become = b"\x1f\x8b".starts_with(head)
            || b"\x28\xb5\x2f\xfd".starts_with(head)
            || matches!(head, [0xff] | [0xfe])
            || skippable.into_iter().any(|bytes| bytes.starts_with(head));
        match Foreign::of(head, is_whole)? {
            Some(foreign) => Some(Self::Foreign(foreign)),
            None => (is_whole || !may_become).then_some(Self::Plain),
        }
    }
}
