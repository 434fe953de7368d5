//! Unpacks gzip and zstd: a loop over the pieces of a stream, the members of gzip (RFC 1952) or the frames of zstd
//! (RFC 8878).
//!
//! ```text
//!     packed bytes --> Unpacking: padding, starts of pieces, positions --> unpacked bytes
//!                         |  ^
//!                         v  |
//!                       Decoder: the bytes of one piece
//! ```
//!
//! The library needs no crate for it. The feature `gzip` has the decoder of gzip; the command and the package for JavaScript
//! have a [`Decoder`] of zstd each, since that of the command is C. The loop does no input and output.

use crate::name::named;

named! {
    /// A compressed format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format, a "format of compression" {
        /// gzip, RFC 1952.
        Gzip = "gzip",
        /// Zstandard, RFC 8878.
        Zstd = "zstd",
    }
}

/// The number of bytes that show whether a piece begins.
const START: usize = 4;

impl Format {
    /// The format of a stream with these first bytes, if it is compressed. Four of them are enough.
    pub fn of(head: &[u8]) -> Option<Self> {
        let mut formats = Self::ALL.iter().copied();
        formats.find(|format| format.begins(head))
    }

    /// The ending of its files, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    /// The name of its independent pieces.
    fn piece(self) -> &'static str {
        match self {
            Self::Gzip => "member",
            Self::Zstd => "frame",
        }
    }

    /// Returns true if a piece starts here. A frame of zstd that is to be skipped is a piece too.
    fn begins(self, head: &[u8]) -> bool {
        match self {
            Self::Gzip => head.starts_with(b"\x1f\x8b"),
            Self::Zstd => matches!(
                head,
                [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
            ),
        }
    }
}

/// The decoder of one format.
pub trait Decoder {
    /// The format.
    fn format(&self) -> Format;

    /// Prepares for the next piece. A new decoder is prepared for the first.
    fn begin(&mut self);

    /// Unpacks bytes of a piece. A step that takes nothing and makes nothing asks for more packed bytes. `is_last` says that
    /// there are none behind these.
    fn step(&mut self, packed: &[u8], to: &mut [u8], is_last: bool) -> Step;
}

/// The result of a step of a decoder.
#[derive(Debug)]
pub struct Step {
    /// The number of packed bytes that it took.
    pub taken: usize,
    /// The number of bytes that it made.
    pub made: usize,
    /// True at the end of a piece. An error is the words for what is damaged.
    pub ended: Result<bool, String>,
    /// The number of bytes that the steps before took, and that belong to what is damaged.
    pub begun: usize,
}

/// The decoder of gzip.
#[cfg(feature = "gzip")]
#[doc(hidden)]
#[derive(Debug)]
pub struct Gzip(flate2::Decompress);

/// The bits of the window of zlib. They are the most that gzip has.
#[cfg(feature = "gzip")]
#[doc(hidden)]
pub const GZIP_WINDOW: u8 = 15;

#[cfg(feature = "gzip")]
impl Default for Gzip {
    fn default() -> Self {
        Self(flate2::Decompress::new_gzip(GZIP_WINDOW))
    }
}

#[cfg(feature = "gzip")]
impl Decoder for Gzip {
    fn format(&self) -> Format {
        Format::Gzip
    }

    /// `reset` of zlib forgets that it is gzip, and expects zlib.
    fn begin(&mut self) {
        *self = Self::default();
    }

    fn step(&mut self, packed: &[u8], to: &mut [u8], _is_last: bool) -> Step {
        let Self(zlib) = self;
        let before = (zlib.total_in(), zlib.total_out());
        let status = zlib.decompress(packed, to, flate2::FlushDecompress::None);
        Step {
            taken: (zlib.total_in() - before.0) as usize,
            made: (zlib.total_out() - before.1) as usize,
            ended: match status {
                Ok(status) => Ok(status == flate2::Status::StreamEnd),
                // If it made bytes before the damage, zlib reports it when it is called again, and then no longer
                // knows what was wrong.
                Err(error) => Err(error
                    .message()
                    .filter(|what| !what.contains("repeated call"))
                    .unwrap_or("invalid data")
                    .to_owned()),
            },
            begun: 0,
        }
    }
}

/// A compressed stream is cut short or damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{format} data is damaged at byte {position}, after {unpacked} bytes were unpacked: {what}"
)]
pub struct Damage {
    /// The format.
    pub format: Format,
    /// The place in the compressed stream, in bytes from 0, at which the broken part begins, as far as the decoder shows.
    pub position: u64,
    /// The number of bytes that were unpacked before.
    pub unpacked: u64,
    /// The words for what is damaged.
    pub what: String,
}

/// The unpacking of a stream. The unpacked bytes are those of all its pieces, one after the other.
///
/// ```
/// use sudoku_batch::unpacking::{Decoder, Format, Step, Unpacking};
/// /// A format whose pieces are the magic of gzip and one byte, as it is.
/// struct OneByte;
/// impl Decoder for OneByte {
///     fn format(&self) -> Format {
///         Format::Gzip
///     }
///     fn begin(&mut self) {}
///     fn step(&mut self, packed: &[u8], to: &mut [u8], _is_last: bool) -> Step {
///         to[0] = packed[2];
///         Step { taken: 3, made: 1, ended: Ok(true), begun: 0 }
///     }
/// }
/// let mut unpacking = Unpacking::new(OneByte);
/// let (mut packed, mut to) = (&b"\x1f\x8ba\0\0\x1f\x8bb?!"[..], [0; 9]);
/// assert_eq!((unpacking.unpack(&mut packed, true, &mut to), to[0]), (Ok(1), b'a'));
/// assert_eq!((unpacking.unpack(&mut packed, true, &mut to), to[0]), (Ok(1), b'b'));
/// let damage = unpacking.unpack(&mut packed, true, &mut to).unwrap_err();
/// assert_eq!((damage.position, &damage.what[..]), (8, "no member begins here"));
/// ```
#[derive(Debug)]
pub struct Unpacking<D> {
    decoder: D,
    /// True if a piece has begun and not yet ended.
    is_inside: bool,
    /// True if more may come out without more packed bytes.
    is_pending: bool,
    position: u64,
    unpacked: u64,
}

impl<D: Decoder> Unpacking<D> {
    /// The unpacking of a stream of the format of this decoder.
    pub fn new(decoder: D) -> Self {
        Self {
            decoder,
            is_inside: false,
            is_pending: false,
            position: 0,
            unpacked: 0,
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.decoder.format()
    }

    /// The number of packed bytes that are taken so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Unpacks bytes from the front of `packed`, which loses them, to `to`, and returns their number. If it is 0, more packed
    /// bytes are needed, behind those that are left. `is_last` says that there are none: then 0 is the end of
    /// the stream.
    ///
    /// # Errors
    ///
    /// The stream is cut short or damaged.
    pub fn unpack(
        &mut self,
        packed: &mut &[u8],
        is_last: bool,
        to: &mut [u8],
    ) -> Result<usize, Damage> {
        loop {
            if !self.is_inside && !self.begin_piece(packed, is_last)? {
                return Ok(0);
            }
            let mut is_starved = packed.is_empty() && !self.is_pending;
            if !is_starved {
                let step = self.decoder.step(packed, to, is_last);
                self.take(packed, step.taken);
                self.unpacked += step.made as u64;
                let ended = step.ended.map_err(|what| {
                    self.position -= step.begun as u64;
                    self.damage(what)
                })?;
                self.is_inside = !ended;
                self.is_pending = self.is_inside && step.made == to.len();
                if step.made > 0 {
                    return Ok(step.made);
                }
                is_starved = self.is_inside && step.taken == 0;
            }
            if is_starved {
                if !is_last {
                    return Ok(0);
                }
                let piece = self.format().piece();
                return Err(self.damage(format!("it ends in the middle of a {piece}")));
            }
        }
    }

    /// Begins the next piece. Returns false at the end of the stream, or if more packed bytes are needed first.
    fn begin_piece(&mut self, packed: &mut &[u8], is_last: bool) -> Result<bool, Damage> {
        let format = self.format();
        if format == Format::Gzip && self.position > 0 {
            // Zeros fill up the blocks of a tape. Zeros that something else follows are damage.
            let zeros = packed.iter().take_while(|&&byte| byte == 0).count();
            self.take(packed, zeros);
        }
        if packed.is_empty() || packed.len() < START && !is_last {
            return Ok(false);
        }
        // A start that is cut short is the middle of a piece.
        let is_cut = match format {
            Format::Gzip => *packed == b"\x1f",
            Format::Zstd => packed.len() < START,
        };
        if !is_cut && !format.begins(packed) {
            return Err(self.damage(format!("no {} begins here", format.piece())));
        }
        if self.position > 0 {
            self.decoder.begin();
        }
        self.is_inside = true;
        Ok(true)
    }

    fn take(&mut self, packed: &mut &[u8], count: usize) {
        *packed = &packed[count..];
        self.position += count as u64;
    }

    fn damage(&self, what: String) -> Damage {
        Damage {
            format: self.format(),
            position: self.position,
            unpacked: self.unpacked,
            what,
        }
    }
}
