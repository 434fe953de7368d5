//! gzip and zstd: any bytes, packed bytes with damage, and bombs, against other decoders.

use super::{material, stream::Bits};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use std::io::{BufRead, Read, Write};
use sudoku_batch_cli::pipeline::{
    Error,
    compression::Format,
    input::{Cut, Input},
};

/// More is not unpacked: a bomb has no end to wait for.
const MOST: usize = 4 << 20;

/// Unpacks the bytes as they are, or packs a text, damages it, and unpacks that.
///
/// ```text
///     how     bits 0, 1: 0 bytes as they are, 1 gzip, 2 zstd, 3 both kinds
///             bit 2: a bomb, of one line or of many      bits 4 to 7: in how many pieces
///     bit     how many bytes the stream gives at a time
///     at, by  which byte is damaged, and how
/// ```
pub fn run(data: &[u8]) {
    let Some((&[how, bit, at, by], rest)) = data.split_first_chunk() else {
        return;
    };
    if how & 3 == 0 {
        return any_bytes(rest, bit);
    }
    let text = match how >> 2 & 1 {
        0 => material::text(rest),
        _ => rest
            .iter()
            .copied()
            .cycle()
            .take(rest.len().min(64) << 14)
            .collect(),
    };
    let format = if how & 3 == 1 {
        Format::Gzip
    } else {
        Format::Zstd
    };
    let mut packed = Vec::new();
    let pieces = usize::from(how >> 4) + 1;
    for piece in text.chunks(text.len().div_ceil(pieces).max(1)) {
        packed.extend(pack(format, piece));
    }
    let whole = unpack(&packed, bit);
    let text = without_mark(&text).to_vec();
    if !packed.is_empty() {
        assert_eq!(whole.map_err(|error| error.to_string()), Ok(text.clone()));
    }
    let Some(place) = (usize::from(at) * packed.len()).checked_div(255) else {
        return;
    };
    // Cut short, or with a byte that is another: nothing but the text itself ever comes out.
    for length in [place, packed.len()] {
        let mut damaged = packed[..length].to_vec();
        if let Some(byte) = damaged.get_mut(place) {
            *byte ^= by;
        }
        check_damaged(&damaged, &text, format, bit);
    }
}

/// Damaged bytes give an error, or some of the pieces as they were.
fn check_damaged(damaged: &[u8], text: &[u8], format: Format, bit: u8) {
    let mut input = stream(damaged, bit);
    if !matches!(input.compression(), Ok(Some(found)) if found == format) {
        // Its first bytes are no longer those of the format: then it is another text.
        return;
    }
    match read(input) {
        Ok(bytes) => {
            // Whole pieces from the start; zstd skips frames whose magic says so.
            let is_part = match format {
                Format::Gzip => text.starts_with(&bytes),
                Format::Zstd => bytes.len() <= text.len(),
            };
            assert!(is_part, "{} bytes came of {}", bytes.len(), text.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Bytes that are perhaps packed: what comes out is what other decoders find.
fn any_bytes(bytes: &[u8], bit: u8) {
    let format = stream(bytes, bit).compression();
    let read = unpack(bytes, bit);
    // However the bytes arrive.
    match (&read, unpack(bytes, bit.wrapping_add(100))) {
        (Ok(a), Ok(b)) => assert_eq!(*a, b),
        (Err(a), Err(b)) => assert_eq!(place(a), place(&b)),
        (a, b) => panic!("{a:?}, and in other pieces {b:?}"),
    }
    let (Ok(Some(format)), Ok(read)) = (format, read) else {
        return;
    };
    if read.len() >= MOST {
        return;
    }
    let other = match format {
        Format::Gzip => all_members(bytes),
        Format::Zstd => zstd::stream::decode_all(bytes).ok(),
    };
    // A stream that ends after its first byte or bytes of a piece is told as damage here.
    let other = other.expect("another decoder reads it too");
    assert_eq!(read, without_mark(&other));
}

/// A text without a byte-order mark at its start, which is no part of it.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A message without what may depend on how the bytes arrive: the place, which in the header of
/// a frame is that of the last bytes that came, and what zlib says is wrong.
fn place(error: &Error) -> String {
    let message = error.to_string();
    let start = message.find("at byte").unwrap_or(message.len());
    let after = message.find("after").unwrap_or(message.len());
    let end = message.find("unpacked:").unwrap_or(message.len());
    format!("{}{}", &message[..start], &message[after.min(end)..end])
}

/// The members of gzip, one after the other, and zeros behind them.
fn all_members(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        if bytes.iter().all(|&byte| byte == 0) && !all.is_empty() {
            break;
        }
        let mut decoder = GzDecoder::new(bytes);
        decoder.read_to_end(&mut all).ok()?;
        bytes = decoder.into_inner();
        let zeros = bytes
            .fill_buf()
            .ok()?
            .iter()
            .take_while(|&&byte| byte == 0)
            .count();
        bytes = &bytes[zeros..];
    }
    Some(all)
}

fn pack(format: Format, bytes: &[u8]) -> Vec<u8> {
    match format {
        Format::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(bytes).expect("memory");
            encoder.finish().expect("memory")
        }
        Format::Zstd => {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("a level");
            encoder.include_checksum(true).expect("a flag");
            encoder.write_all(bytes).expect("memory");
            encoder.finish().expect("memory")
        }
    }
}

fn stream(bytes: &[u8], bit: u8) -> Input {
    Input::stream("packed", Bits::new(bytes, usize::from(bit) + 1))
}

fn unpack(bytes: &[u8], bit: u8) -> Result<Vec<u8>, Error> {
    read(stream(bytes, bit))
}

/// The bytes of the chunks of an input, up to [`MOST`].
fn read(mut input: Input) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    for chunk in input.chunks(Cut::default()) {
        all.extend_from_slice(chunk?.bytes());
        if all.len() >= MOST {
            break;
        }
    }
    Ok(all)
}
