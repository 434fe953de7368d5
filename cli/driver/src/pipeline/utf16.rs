//! UTF-16 as UTF-8.

use super::input::Problem;
use std::io::{self, Read};

/// The order of the two bytes of a unit, which the byte-order mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    LittleEndian,
    BigEndian,
}

impl Order {
    /// The order that the mark at the start of a text says, if it has one.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xff, 0xfe, ..] => Some(Self::LittleEndian),
            [0xfe, 0xff, ..] => Some(Self::BigEndian),
            _ => None,
        }
    }
}

/// A stream of UTF-16 with a byte-order mark, read as UTF-8 without one. Half of a pair of surrogates, and a
/// last byte that is no unit, become U+FFFD, as anywhere.
pub(super) struct Utf16<R> {
    stream: R,
    order: Order,
    ended: bool,
    /// True if the mark is passed.
    is_begun: bool,
    /// Bytes that are read and are no whole character yet.
    left: Vec<u8>,
    /// The text that is to be given out, from this place on.
    text: String,
    given: usize,
    position: u64,
}

impl<R: Read> Utf16<R> {
    /// The stream begins with the mark.
    pub(super) fn new(order: Order, stream: R) -> Self {
        Self {
            stream,
            order,
            ended: false,
            is_begun: false,
            left: Vec::new(),
            text: String::new(),
            given: 0,
            position: 0,
        }
    }

    /// The number of bytes of the stream that were read.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Reads bytes of UTF-8. 0 is the end of the stream, if `to` has room.
    pub(super) fn read(&mut self, to: &mut [u8]) -> Result<usize, Problem> {
        while self.given == self.text.len() && !self.ended {
            self.convert()?;
        }
        let count = to.len().min(self.text.len() - self.given);
        to[..count].copy_from_slice(&self.text.as_bytes()[self.given..][..count]);
        self.given += count;
        Ok(count)
    }

    /// Reads once, and converts what is whole.
    fn convert(&mut self) -> Result<(), Problem> {
        const READ: usize = 64 << 10;
        let kept = self.left.len();
        self.left.resize(kept + READ, 0);
        let count = loop {
            match self.stream.read(&mut self.left[kept..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result.map_err(Problem::Read)?,
            }
        };
        self.left.truncate(kept + count);
        self.ended = count == 0;
        self.position += count as u64;
        let order = self.order;
        let unit = |pair: &[u8; 2]| match order {
            Order::LittleEndian => u16::from_le_bytes(*pair),
            Order::BigEndian => u16::from_be_bytes(*pair),
        };
        let (pairs, _) = self.left.as_chunks::<2>();
        let mut whole = pairs.len();
        // The second half of a pair of surrogates may come with the next bytes.
        let is_first_half = |pair| (0xd800..0xdc00).contains(&unit(pair));
        if !self.ended && pairs.last().is_some_and(is_first_half) {
            whole -= 1;
        }
        let mark = usize::from(whole > 0 && !std::mem::replace(&mut self.is_begun, true));
        let units = pairs[..whole].iter().skip(mark).map(unit);
        let characters = char::decode_utf16(units);
        let character = |read: Result<char, _>| read.unwrap_or(char::REPLACEMENT_CHARACTER);
        self.text = characters.map(character).collect();
        self.given = 0;
        self.left.drain(..2 * whole);
        if self.ended && !std::mem::take(&mut self.left).is_empty() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives one byte at a time, then three, then one.
    struct Bits<'b>(&'b [u8], bool);

    impl Read for Bits<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            let count = self.0.len().min(if self.1 { 1 } else { 3 });
            to[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(order: Order, bytes: &[u8]) -> String {
        let mut utf16 = Utf16::new(order, Bits(bytes, false));
        let (mut text, mut to) = (Vec::new(), [0; 5]);
        loop {
            match utf16.read(&mut to) {
                Ok(0) => break,
                Ok(count) => text.extend_from_slice(&to[..count]),
                Err(_) => panic!("nothing fails"),
            }
        }
        assert_eq!(utf16.position(), bytes.len() as u64);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn text_of_both_orders_is_the_text_that_was_encoded() {
        let text = "5..3\r\n\u{e9} \u{4e5d} \u{1f9e9}!\n";
        let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(Order::of(&little), Some(Order::LittleEndian));
        assert_eq!(Order::of(&big), Some(Order::BigEndian));
        assert_eq!(read(Order::LittleEndian, &little), text);
        assert_eq!(read(Order::BigEndian, &big), text);
    }

    #[test]
    fn what_is_no_character_becomes_the_replacement() {
        let half = b"\xfe\xff\xd8\x3e\0a\xd8\x3e";
        assert_eq!(read(Order::BigEndian, half), "\u{fffd}a\u{fffd}");
        assert_eq!(read(Order::LittleEndian, b"\xff\xfea\0b"), "a\u{fffd}");
        assert_eq!(read(Order::LittleEndian, b"\xff\xfe"), "");
    }
}
