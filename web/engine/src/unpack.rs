//! Unpacks gzip and zstd, piece by piece.
//!
//! The package does not use the `DecompressionStream` of a browser. That takes a file of several gzip
//! members for a damaged one, and the command (like pigz and bgzip) writes such files.

use crate::failure::Failure;
use ruzstd::decoding::FrameDecoder;
use sudoku_batch::unpacking::{Damage, Decoder, Format, Gzip, Step, Unpacking};
use wasm_bindgen::prelude::*;

/// How much is unpacked at a time: more than a block of zstd.
const PIECE: usize = 256 << 10;

/// The most bytes of the header of a frame of zstd.
const FRAME_HEADER: usize = 18;

/// Unpacks a stream of gzip members or zstd frames.
#[wasm_bindgen]
pub struct Unpacker {
    unpacking: Unpacking<Kind>,
    packed: Vec<u8>,
    /// How much of `packed` is done.
    at: usize,
}

enum Kind {
    Gzip(Box<Gzip>),
    Zstd(Box<FrameDecoder>, Part),
}

/// The part of a frame of zstd that comes next.
enum Part {
    Header,
    Blocks,
    /// So many bytes of a frame that is skipped.
    Skipped(usize),
}

#[wasm_bindgen]
impl Unpacker {
    /// The unpacker for a stream that begins with these bytes, if it is packed.
    pub fn of(head: &[u8]) -> Option<Unpacker> {
        let kind = match Format::of(head)? {
            Format::Gzip => Kind::Gzip(Box::default()),
            Format::Zstd => Kind::Zstd(Box::new(FrameDecoder::new()), Part::Header),
        };
        Some(Self {
            unpacking: Unpacking::new(kind),
            packed: Vec::new(),
            at: 0,
        })
    }

    /// The name of the format.
    pub fn name(&self) -> String {
        self.unpacking.format().name().into()
    }

    /// Adds packed bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.packed.drain(..self.at);
        self.at = 0;
        self.packed.extend_from_slice(bytes);
    }

    /// The next unpacked bytes; none if more packed bytes are needed first. `last` says that there
    /// are no more.
    pub fn next(&mut self, last: bool) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; PIECE];
        let mut packed = &self.packed[self.at..];
        let made = self.unpacking.unpack(&mut packed, last, &mut out);
        self.at = self.packed.len() - packed.len();
        out.truncate(made.map_err(damaged)?);
        Ok(out)
    }
}

fn damaged(damage: Damage) -> Failure {
    let Damage {
        format,
        position,
        what,
        ..
    } = damage;
    let message = format_args!("the {format} data is damaged at byte {position}: {what}");
    Failure {
        reason: Some(what.clone()),
        ..Failure::new("damaged", message)
    }
}

impl Decoder for Kind {
    fn format(&self) -> Format {
        match self {
            Self::Gzip(_) => Format::Gzip,
            Self::Zstd(..) => Format::Zstd,
        }
    }

    fn begin(&mut self) {
        match self {
            Self::Gzip(decoder) => decoder.begin(),
            Self::Zstd(_, part) => *part = Part::Header,
        }
    }

    fn step(&mut self, packed: &[u8], to: &mut [u8], is_last: bool) -> Step {
        let step = match self {
            Self::Gzip(decoder) => return decoder.step(packed, to, is_last),
            Self::Zstd(_, Part::Skipped(left)) => {
                let taken = packed.len().min(*left);
                *left -= taken;
                Ok((taken, 0, *left == 0))
            }
            Self::Zstd(decoder, part @ Part::Header) => begin_frame(decoder, part, packed, is_last),
            Self::Zstd(decoder, Part::Blocks) => decode(decoder, packed, to, is_last),
        };
        let (taken, made, ended) = match step {
            Ok((taken, made, is_end)) => (taken, made, Ok(is_end)),
            Err(what) => (0, 0, Err(what)),
        };
        Step {
            taken,
            made,
            ended,
            begun: 0,
        }
    }
}

/// The bytes that a step of zstd takes and makes, and whether it ends a frame. Or what is damaged.
type Progress = Result<(usize, usize, bool), String>;

/// Reads the header of a frame, which says what comes next.
fn begin_frame(decoder: &mut FrameDecoder, part: &mut Part, packed: &[u8], last: bool) -> Progress {
    match packed {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            *part = Part::Skipped(length);
            Ok((8, 0, length == 0))
        }
        [0x50..=0x5f, ..] => Ok((0, 0, false)),
        _ if packed.len() < FRAME_HEADER && !last => Ok((0, 0, false)),
        _ => {
            let mut rest = packed;
            let begun = decoder.reset(&mut rest);
            begun.map_err(|error| error.to_string())?;
            *part = Part::Blocks;
            Ok((packed.len() - rest.len(), 0, false))
        }
    }
}

/// A step of zstd: one block at a time, because a small block may unpack to 128 KiB.
fn decode(decoder: &mut FrameDecoder, packed: &[u8], out: &mut [u8], last: bool) -> Progress {
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
