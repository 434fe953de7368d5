//! Unpacks gzip and zstd, piece by piece.
//!
//! The package does not use the `DecompressionStream` of a browser. That takes a file of several gzip
//! members for a damaged one, and the command (like pigz and bgzip) writes such files.

use crate::failure::Failure;
use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::FrameDecoder;
use wasm_bindgen::prelude::*;

/// How much is unpacked at a time: more than a block of zstd.
const PIECE: usize = 256 << 10;

/// The bits of the window, and what makes zlib expect gzip.
const GZIP_WINDOW: u8 = 15;

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
        match self.kind {
            Kind::Gzip(_) => "gzip",
            Kind::Zstd(_) => "zstd",
        }
        .into()
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
    pub fn next(&mut self, last: bool) -> Result<Vec<u8>, JsValue> {
        Ok(match self.kind {
            Kind::Gzip(_) => self.gzip(last),
            Kind::Zstd(_) => self.zstd(last),
        }?)
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
    fn damaged(&self, what: &str) -> Failure {
        let name = self.name();
        let at = self.before + self.at as u64;
        let message = format_args!("the {name} data is damaged at byte {at}: {what}");
        Failure {
            reason: Some(what.into()),
            ..Failure::new("damaged", message)
        }
    }

    fn gzip(&mut self, last: bool) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; PIECE];
        let mut made = 0;
        while made == 0 {
            if !self.inside {
                // Zeros may pad a file to whole blocks of a tape.
                if self.before + self.at as u64 > 0 {
                    self.at += self.packed[self.at..]
                        .iter()
                        .take_while(|b| **b == 0)
                        .count();
                }
                match &self.packed[self.at..] {
                    [] => break,
                    [0x1f] if !last => break,
                    [0x1f, 0x8b, ..] => {}
                    _ => return Err(self.damaged("no member begins here")),
                }
                self.kind = Kind::Gzip(Box::new(Decompress::new_gzip(GZIP_WINDOW)));
                self.inside = true;
            }
            let Kind::Gzip(decoder) = &mut self.kind else {
                unreachable!("it is gzip");
            };
            let before = (decoder.total_in(), decoder.total_out());
            let packed = &self.packed[self.at..];
            let status = decoder.decompress(packed, &mut out, FlushDecompress::None);
            let taken = (decoder.total_in() - before.0) as usize;
            made = (decoder.total_out() - before.1) as usize;
            self.at += taken;
            match status {
                Ok(Status::StreamEnd) => self.inside = false,
                Ok(_) if taken == 0 && made == 0 => {
                    if last {
                        return Err(self.damaged("it ends in the middle of a member"));
                    }
                    break;
                }
                Ok(_) => {}
                Err(error) => {
                    return Err(self.damaged(error.message().unwrap_or("invalid data")));
                }
            }
        }
        out.truncate(made);
        Ok(out)
    }

    fn zstd(&mut self, last: bool) -> Result<Vec<u8>, Failure> {
        /// The most bytes of the header of a frame.
        const HEADER: usize = 18;
        loop {
            let skipped = self.skip.min(self.packed.len() - self.at);
            self.at += skipped;
            self.skip -= skipped;
            let Kind::Zstd(decoder) = &mut self.kind else {
                unreachable!("it is zstd");
            };
            let packed = &self.packed[self.at..];
            if !self.inside {
                if packed.is_empty() || packed.len() < HEADER && !last {
                    return Ok(Vec::new());
                }
                if !is_frame(packed) {
                    return Err(self.damaged("no frame begins here"));
                }
                if let [0x50..=0x5f, _, _, _, a, b, c, d, ..] = *packed {
                    self.skip = 8 + u32::from_le_bytes([a, b, c, d]) as usize;
                    continue;
                }
                let mut rest = packed;
                if let Err(error) = decoder.reset(&mut rest) {
                    return Err(self.damaged(&error.to_string()));
                }
                self.at = self.packed.len() - rest.len();
                self.inside = true;
                continue;
            }
            // One block at a time: a small block may unpack to 128 KiB.
            let length = match packed {
                [a, b, c, ..] => {
                    let header = u32::from_le_bytes([*a, *b, *c, 0]);
                    let is_last = header & 1 == 1;
                    // A run is one byte, and how often it comes.
                    let content = if header >> 1 & 3 == 1 {
                        1
                    } else {
                        header as usize >> 3
                    };
                    3 + content + if is_last { 4 } else { 0 }
                }
                _ => 3,
            };
            let is_whole = packed.len() >= length;
            if !is_whole && !last {
                return Ok(Vec::new());
            }
            let mut out = vec![0; PIECE];
            let given = &packed[..length.min(packed.len())];
            let step = decoder.decode_from_to(given, &mut out);
            match step {
                Ok((taken, _)) if taken > given.len() => {
                    return Err(self.damaged("it ends in the middle of a frame"));
                }
                Ok((taken, made)) => {
                    self.at += taken;
                    let is_done = decoder.is_finished();
                    if is_done && decoder.can_collect() == 0 {
                        self.inside = false;
                        let sum = decoder.get_checksum_from_data();
                        if sum.is_some() && sum != decoder.get_calculated_checksum() {
                            return Err(self.damaged("the checksum differs"));
                        }
                    }
                    if made > 0 {
                        out.truncate(made);
                        return Ok(out);
                    }
                    if taken == 0 && self.inside {
                        return match last {
                            true => Err(self.damaged("it ends in the middle of a frame")),
                            false => Ok(Vec::new()),
                        };
                    }
                }
                Err(error) => return Err(self.damaged(&error.to_string())),
            }
        }
    }
}
