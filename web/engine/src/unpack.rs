//! Unpacks gzip and zstd, piece by piece.
//!
//! The package does not use the `DecompressionStream` of a browser. That takes a file of several gzip
//! members for a damaged one, and the command (like pigz and bgzip) writes such files.

use crate::failure::Failure;
use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::FrameDecoder;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// How much is unpacked at a time: more than a block of zstd.
const PIECE: usize = 256 << 10;

/// The bits of the window, and what makes zlib expect gzip.
const GZIP_WINDOW: u8 = 15;

/// The most bytes of the header of a frame of zstd.
const FRAME_HEADER: usize = 18;

/// Unpacks a stream of gzip members or zstd frames.
#[wasm_bindgen]
pub struct Unpacker {
    kind: Kind,
    packed: Vec<u8>,
    /// How much of `packed` is done.
    at: usize,
    /// The number of bytes of the stream before `packed`.
    before: u64,
    /// Whether a member or a frame has begun.
    inside: bool,
    /// The bytes of zstd's padding that are still to skip.
    skip: usize,
}

enum Kind {
    Gzip(Box<Decompress>),
    Zstd(Box<FrameDecoder>),
}

/// The bytes that a step takes and makes, and whether it ends a member or a frame. Or what is damaged.
type Step = Result<(usize, usize, bool), String>;

#[wasm_bindgen]
impl Unpacker {
    /// The unpacker for a stream that begins with these bytes, if it is packed.
    pub fn of(head: &[u8]) -> Option<Unpacker> {
        let kind = match head {
            [0x1f, 0x8b, ..] => Kind::Gzip(Box::new(Decompress::new_gzip(GZIP_WINDOW))),
            _ if is_frame(head) => Kind::Zstd(Box::new(FrameDecoder::new())),
            _ => return None,
        };
        Some(Self {
            kind,
            packed: Vec::new(),
            at: 0,
            before: 0,
            inside: false,
            skip: 0,
        })
    }

    /// The name of the format.
    pub fn name(&self) -> String {
        self.names().0.into()
    }

    /// Adds packed bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.packed.drain(..self.at);
        self.before += self.at as u64;
        self.at = 0;
        self.packed.extend_from_slice(bytes);
    }

    /// The next unpacked bytes; none if more packed bytes are needed first. `last` says that there
    /// are no more.
    pub fn next(&mut self, last: bool) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; PIECE];
        loop {
            if !self.inside && !self.begin(last)? {
                return Ok(Vec::new());
            }
            let packed = &self.packed[self.at..];
            let step = match &mut self.kind {
                Kind::Gzip(decoder) => inflate(decoder, packed, &mut out),
                Kind::Zstd(decoder) => decode(decoder, packed, &mut out, last),
            };
            let (taken, made, is_end) = step.map_err(|what| self.damaged(what))?;
            self.at += taken;
            self.inside = !is_end;
            if made > 0 {
                out.truncate(made);
                return Ok(out);
            }
            if taken == 0 && self.inside {
                if !last {
                    return Ok(Vec::new());
                }
                let (_, piece) = self.names();
                return Err(self.damaged(format_args!("it ends in the middle of a {piece}")));
            }
        }
    }
}

/// Whether bytes begin a frame of zstd, or one of padding.
fn is_frame(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

impl Unpacker {
    /// The names of the format, and of what a stream of it consists of.
    fn names(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::Gzip(_) => ("gzip", "member"),
            Kind::Zstd(_) => ("zstd", "frame"),
        }
    }

    fn damaged(&self, what: impl Display) -> Failure {
        let (name, _) = self.names();
        let at = self.before + self.at as u64;
        let message = format_args!("the {name} data is damaged at byte {at}: {what}");
        Failure {
            reason: Some(what.to_string()),
            ..Failure::new("damaged", message)
        }
    }

    /// Begins a member or a frame behind padding. Returns false if more packed bytes are needed first.
    fn begin(&mut self, last: bool) -> Result<bool, Failure> {
        loop {
            if matches!(self.kind, Kind::Gzip(_)) && self.before + self.at as u64 > 0 {
                // Zeros may pad a file to whole blocks of a tape.
                let rest = self.packed[self.at..].iter();
                self.skip = rest.take_while(|byte| **byte == 0).count();
            }
            let skipped = self.skip.min(self.packed.len() - self.at);
            self.at += skipped;
            self.skip -= skipped;
            let mut packed = &self.packed[self.at..];
            match (&mut self.kind, packed) {
                (_, []) => return Ok(false),
                (Kind::Gzip(_), [0x1f]) if !last => return Ok(false),
                (Kind::Gzip(decoder), [0x1f, 0x8b, ..]) => {
                    **decoder = Decompress::new_gzip(GZIP_WINDOW);
                }
                (Kind::Zstd(_), packed) if packed.len() < FRAME_HEADER && !last => {
                    return Ok(false);
                }
                (Kind::Zstd(_), [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..]) => {
                    self.skip = 8 + u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                    continue;
                }
                (Kind::Zstd(decoder), _) if is_frame(packed) => {
                    let begun = decoder.reset(&mut packed);
                    let length = packed.len();
                    begun.map_err(|error| self.damaged(error))?;
                    self.at = self.packed.len() - length;
                }
                _ => {
                    let (_, piece) = self.names();
                    return Err(self.damaged(format_args!("no {piece} begins here")));
                }
            }
            self.inside = true;
            return Ok(true);
        }
    }
}

/// A step of gzip.
fn inflate(decoder: &mut Decompress, packed: &[u8], out: &mut [u8]) -> Step {
    let before = (decoder.total_in(), decoder.total_out());
    let status = decoder.decompress(packed, out, FlushDecompress::None);
    let taken = (decoder.total_in() - before.0) as usize;
    let made = (decoder.total_out() - before.1) as usize;
    match status {
        Ok(status) => Ok((taken, made, status == Status::StreamEnd)),
        Err(error) => Err(error.message().unwrap_or("invalid data").into()),
    }
}

/// A step of zstd: one block at a time, because a small block may unpack to 128 KiB.
fn decode(decoder: &mut FrameDecoder, packed: &[u8], out: &mut [u8], last: bool) -> Step {
    let length = match packed {
        _ if decoder.is_finished() => 0,
        [a, b, c, ..] => {
            let header = u32::from_le_bytes([*a, *b, *c, 0]);
            // A run is one byte, and how often it comes.
            let is_run = header >> 1 & 3 == 1;
            let content = if is_run { 1 } else { header as usize >> 3 };
            // The checksum stands behind the last block.
            3 + content + if header & 1 == 1 { 4 } else { 0 }
        }
        _ => 3,
    };
    if packed.len() < length && !last {
        return Ok((0, 0, false));
    }
    let given = &packed[..length.min(packed.len())];
    let step = decoder.decode_from_to(given, out);
    let (taken, made) = step.map_err(|error| error.to_string())?;
    if taken > given.len() {
        // A part of the checksum.
        return Ok((0, 0, false));
    }
    let is_end = decoder.is_finished() && decoder.can_collect() == 0;
    let sum = decoder.get_checksum_from_data();
    if is_end && sum.is_some() && sum != decoder.get_calculated_checksum() {
        return Err("the checksum differs".into());
    }
    Ok((taken, made, is_end))
}
