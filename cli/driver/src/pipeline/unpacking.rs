//! Unpacks a stream of gzip or zstd, and finds where it is damaged.

use super::input::Problem;
use std::{
    io::{self, Read},
    ops::Range,
};
use sudoku_batch::unpacking::{self, Format, Gzip, Step, Unpacking};
use zstd::stream::raw::{self, Operation};

const READ: usize = 256 << 10;

/// The bytes of the smallest frame of zstd: a header, and a block of nothing.
const SMALLEST_FRAME: usize = 9;

/// The bytes that come out of a compressed stream: of all its pieces (the members of gzip,
/// the frames of zstd), one after the other.
///
/// Memory does not depend on what comes out. A frame of zstd may ask for a window of up to
/// 128 MiB, as with the tool `zstd`.
pub(super) struct Unpacked<R> {
    stream: R,
    ended: bool,
    /// Packed bytes, and those of them that are still to be unpacked.
    buffer: Vec<u8>,
    packed: Range<usize>,
    unpacking: Unpacking<Decoder>,
}

enum Decoder {
    Gzip(Gzip),
    Zstd {
        decoder: raw::Decoder<'static>,
        /// The number of bytes that zstd asks for next, to the end of a block or of a header. It is given
        /// no more, so that it need not copy blocks together.
        wanted: usize,
        /// The number of bytes of that block or header that it has. An error is reported with the position
        /// of the block, however its bytes arrive.
        begun: usize,
    },
}

impl<R: Read> Unpacked<R> {
    pub(super) fn new(format: Format, stream: R) -> io::Result<Self> {
        Ok(Self {
            stream,
            ended: false,
            buffer: vec![0; READ],
            packed: 0..0,
            unpacking: Unpacking::new(Decoder::new(format)?),
        })
    }

    pub(super) fn format(&self) -> Format {
        self.unpacking.format()
    }

    /// The number of packed bytes that went into what came out so far.
    pub(super) fn position(&self) -> u64 {
        self.unpacking.position()
    }

    /// Reads bytes that come out. 0 is the end of the stream, if `to` has room.
    pub(super) fn read(&mut self, to: &mut [u8]) -> Result<usize, Problem> {
        if to.is_empty() {
            return Ok(0);
        }
        loop {
            let mut packed = &self.buffer[self.packed.clone()];
            let made = self.unpacking.unpack(&mut packed, self.ended, to);
            self.packed.start = self.packed.end - packed.len();
            match made.map_err(Problem::Damaged)? {
                0 if !self.ended => self.fill()?,
                made => return Ok(made),
            }
        }
    }

    /// Reads packed bytes behind those that are left.
    fn fill(&mut self) -> Result<(), Problem> {
        if self.packed.start > 0 {
            self.buffer.copy_within(self.packed.clone(), 0);
            self.packed = 0..self.packed.len();
        }
        let count = loop {
            match self.stream.read(&mut self.buffer[self.packed.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result.map_err(Problem::Read)?,
            }
        };
        self.packed.end += count;
        self.ended = count == 0;
        Ok(())
    }
}

impl Decoder {
    fn new(format: Format) -> io::Result<Self> {
        Ok(match format {
            Format::Gzip => Self::Gzip(Gzip::default()),
            Format::Zstd => Self::Zstd {
                decoder: raw::Decoder::new()?,
                wanted: SMALLEST_FRAME,
                begun: 0,
            },
        })
    }
}

impl unpacking::Decoder for Decoder {
    fn format(&self) -> Format {
        match self {
            Self::Gzip(_) => Format::Gzip,
            Self::Zstd { .. } => Format::Zstd,
        }
    }

    fn begin(&mut self) {
        match self {
            Self::Gzip(decoder) => decoder.begin(),
            Self::Zstd {
                decoder,
                wanted,
                begun,
            } => {
                // A session is reset in any state.
                decoder.reinit().expect("zstd resets a decoder");
                *wanted = SMALLEST_FRAME;
                *begun = 0;
            }
        }
    }

    fn step(&mut self, packed: &[u8], to: &mut [u8], is_last: bool) -> Step {
        match self {
            Self::Gzip(decoder) => decoder.step(packed, to, is_last),
            Self::Zstd {
                decoder,
                wanted,
                begun,
            } => {
                let packed = &packed[..packed.len().min(*wanted)];
                match decoder.run_on_buffers(packed, to) {
                    Ok(status) => {
                        *begun += status.bytes_read;
                        if status.bytes_read == *wanted {
                            *begun = 0;
                        }
                        *wanted = status.remaining.max(1);
                        Step {
                            taken: status.bytes_read,
                            made: status.bytes_written,
                            ended: Ok(status.remaining == 0),
                            begun: *begun,
                        }
                    }
                    Err(error) => Step {
                        taken: 0,
                        made: 0,
                        ended: Err(error.to_string()),
                        begun: *begun,
                    },
                }
            }
        }
    }
}
