//! Unpacks a stream of gzip or zstd, and finds where it is damaged.

use super::{
    compression::{Format, GZIP_WINDOW, is_gzip, is_zstd},
    input::Problem,
};
use flate2::{Decompress, FlushDecompress, Status};
use std::{
    io::{self, Read},
    ops::Range,
};
use zstd::stream::raw::{self, Operation};

const READ: usize = 256 << 10;

/// The bytes of the smallest frame of zstd: a header, and a block of nothing.
const SMALLEST_FRAME: usize = 9;

/// The bytes that come out of a compressed stream: of all its pieces (the members of gzip,
/// the frames of zstd), one after the other.
///
/// Memory does not depend on what comes out. A frame of zstd may ask for a window of up to
/// 128 MiB, as with the tool `zstd`.
pub(super) struct Unpacking<R> {
    stream: R,
    ended: bool,
    /// Packed bytes, and those of them that are still to be unpacked.
    buffer: Vec<u8>,
    packed: Range<usize>,
    unpacker: Unpacker,
    /// True if a piece has begun and not yet ended.
    inside: bool,
    /// True if more may come out without more packed bytes.
    pending: bool,
    /// Packed bytes before those in `packed`.
    position: u64,
    unpacked: u64,
}

enum Unpacker {
    Gzip(Decompress),
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

/// The result of a step of unpacking.
struct Step {
    taken: usize,
    made: usize,
    /// `true` at the end of a piece, or the words for what is damaged.
    ended: Result<bool, String>,
    /// Bytes taken by the steps before that belong to what is damaged.
    begun: usize,
}

impl<R: Read> Unpacking<R> {
    pub(super) fn new(format: Format, stream: R) -> io::Result<Self> {
        Ok(Self {
            stream,
            ended: false,
            buffer: vec![0; READ],
            packed: 0..0,
            unpacker: Unpacker::new(format)?,
            inside: false,
            pending: false,
            position: 0,
            unpacked: 0,
        })
    }

    pub(super) fn format(&self) -> Format {
        match &self.unpacker {
            Unpacker::Gzip(_) => Format::Gzip,
            Unpacker::Zstd { .. } => Format::Zstd,
        }
    }

    /// The number of packed bytes that went into what came out so far.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Reads bytes that come out. 0 is the end of the stream, if `to` has room.
    pub(super) fn read(&mut self, to: &mut [u8]) -> Result<usize, Problem> {
        if to.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.begin_piece()? {
                return Ok(0);
            }
            if self.packed.is_empty() && !self.pending {
                self.fill()?;
                if self.ended {
                    let piece = self.format().piece();
                    return Err(self.damaged(format!("it ends in the middle of a {piece}")));
                }
            }
            let packed = &self.buffer[self.packed.clone()];
            let step = self.unpacker.step(packed, to);
            self.packed.start += step.taken;
            self.position += step.taken as u64;
            self.unpacked += step.made as u64;
            match step.ended {
                Ok(ended) => self.inside = !ended,
                Err(what) => {
                    self.position -= step.begun as u64;
                    return Err(self.damaged(what));
                }
            }
            self.pending = self.inside && step.made == to.len();
            if step.made > 0 {
                return Ok(step.made);
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

    /// Looks for the start of the next piece; false at the end of the stream.
    fn begin_piece(&mut self) -> Result<bool, Problem> {
        let format = self.format();
        if format == Format::Gzip && self.position > 0 {
            self.skip_padding()?;
        }
        // Enough to recognise a piece.
        while self.packed.len() < 4 && !self.ended {
            self.fill()?;
        }
        let packed = &self.buffer[self.packed.clone()];
        if packed.is_empty() {
            return Ok(false);
        }
        let begins = match format {
            Format::Gzip => is_gzip(packed) || packed == b"\x1f",
            Format::Zstd => is_zstd(packed) || packed.len() < 4,
        };
        if !begins {
            return Err(self.damaged(format!("no {} begins here", format.piece())));
        }
        if self.position > 0 {
            self.unpacker
                .begin_piece()
                .map_err(|error| Problem::Read(io::Error::other(error)))?;
        }
        self.inside = true;
        Ok(true)
    }

    /// Skips zeros behind a member of gzip, with which tapes are filled up. Zeros that
    /// something else follows are damage, which [`begin_piece`](Self::begin_piece) reports.
    fn skip_padding(&mut self) -> Result<(), Problem> {
        loop {
            let packed = &self.buffer[self.packed.clone()];
            let zeros = packed.iter().take_while(|&&byte| byte == 0).count();
            let all = zeros == packed.len();
            self.packed.start += zeros;
            self.position += zeros as u64;
            if !all || self.ended {
                return Ok(());
            }
            self.fill()?;
        }
    }

    fn damaged(&self, what: String) -> Problem {
        Problem::Damaged {
            format: self.format(),
            position: self.position,
            unpacked: self.unpacked,
            what,
        }
    }
}

impl Unpacker {
    fn new(format: Format) -> io::Result<Self> {
        Ok(match format {
            Format::Gzip => Self::Gzip(Decompress::new_gzip(GZIP_WINDOW)),
            Format::Zstd => Self::Zstd {
                decoder: raw::Decoder::new()?,
                wanted: SMALLEST_FRAME,
                begun: 0,
            },
        })
    }

    fn begin_piece(&mut self) -> io::Result<()> {
        match self {
            // `reset` forgets that it is gzip, and expects zlib.
            Self::Gzip(decoder) => *decoder = Decompress::new_gzip(GZIP_WINDOW),
            Self::Zstd {
                decoder,
                wanted,
                begun,
            } => {
                decoder.reinit()?;
                *wanted = SMALLEST_FRAME;
                *begun = 0;
            }
        }
        Ok(())
    }

    fn step(&mut self, packed: &[u8], to: &mut [u8]) -> Step {
        match self {
            Self::Gzip(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let status = decoder.decompress(packed, to, FlushDecompress::None);
                Step {
                    taken: (decoder.total_in() - before.0) as usize,
                    made: (decoder.total_out() - before.1) as usize,
                    ended: match status {
                        Ok(status) => Ok(status == Status::StreamEnd),
                        // If it made bytes before the damage, zlib reports it when it is called
                        // again, and then no longer knows what was wrong.
                        Err(error) => Err(error
                            .message()
                            .filter(|what| !what.contains("repeated call"))
                            .unwrap_or("invalid data")
                            .to_owned()),
                    },
                    begun: 0,
                }
            }
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
