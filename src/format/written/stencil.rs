//! Records that differ in their digits alone.
//!
//! Programs write drawings, arrays and links, so all records of a file look alike. The first records of a text give a
//! *stencil*: the bytes that they share, and the places of the cells between these.
//!
//! ```text
//!     ┌───────┬─ … ─┐        lead    the lines before a record, with what stands before its first cell
//!     │ 5 · 3 │ ·   │        body    from the first cell to the last: 81 places, and the same bytes between
//!      …
//!     │ · · 7 │ · 8 │        tail    the rest of the last line
//! ```
//!
//! The numbers in a lead may differ: `Grid 17`, `int grid17[9][9] = {`. A record that fits is read at the speed of a
//! comparison. The reading of the text decides about the first that does not fit. Both find the same records: the
//! stencil comes from what the reading finds, it takes a record only between others that fit, and a text may be cut
//! between two such records in any case.

use super::{
    WrittenGrid,
    evidence::Kind,
    signs::{self, BLANK},
};
use crate::{
    format::{csv::line_ends, split_line},
    puzzle::FEWEST_CLUES,
};

/// The characters that are blanks of stencils.
const BLANKS: &[u8] = b".0 _*-?xX";

/// The fewest records that give a stencil.
const FEWEST: usize = 8;

/// The bytes that records share.
pub(super) struct Stencil {
    lead: Vec<u8>,
    /// True if the numbers in the lead may be others.
    has_numbers: bool,
    body: Vec<u8>,
    /// For each byte of the body, all bits, or none if it is a cell.
    mask: Vec<u8>,
    /// The places of the cells in the body.
    cells: [usize; 81],
    blank: u8,
    tail: Vec<u8>,
    /// The lines that end in the lead before a record begins.
    pub(super) lines_before: u64,
    /// The lines that end in lead, body and tail.
    pub(super) lines: u64,
    /// True if a row without a clue may be no row to the reading.
    needs_clues: bool,
}

/// A record that fits.
pub(super) struct Fitting<'s> {
    /// The lines before it, with all that stands before its first cell.
    pub(super) lead: &'s [u8],
    pub(super) cells: [u8; 81],
    /// The place behind it and its last line end.
    pub(super) end: usize,
}

/// A record of the sample.
struct Sampled<'s> {
    grid: &'s WrittenGrid,
    /// The start of its first line, and the end of its last with the line end.
    start: usize,
    end: usize,
}

impl Stencil {
    /// The stencil of the records that a reading found in a text, if they have one. Each is apart from the next: the last
    /// line of one and the first of the next have at least `gap` lines between. `needs_clues` says whether a row without
    /// a clue and without another sign may be no row.
    pub(super) fn of(
        text: &[u8],
        grids: &[WrittenGrid],
        gap: u64,
        needs_clues: impl Fn(bool) -> bool,
    ) -> Option<Self> {
        let starts = line_starts(text);
        let start_of = |line: u64| starts.get(usize::try_from(line - 1).ok()?).copied();
        let sampled = grids.iter().map(|grid| {
            Some(Sampled {
                grid,
                start: start_of(grid.line)?,
                end: start_of(grid.last_line + 1)?,
            })
        });
        let sampled: Vec<_> = sampled.collect::<Option<_>>()?;
        let are_apart = grids
            .array_windows()
            .all(|[one, next]| next.line > one.last_line + gap);
        if sampled.len() < FEWEST || !are_apart {
            return None;
        }
        let (blank, backwards) = BLANKS
            .iter()
            .find_map(|&blank| Some((blank, places(text, &sampled, blank)?)))?;
        let (first, last) = (backwards[0], backwards[80]);
        let body_of = |one: &Sampled<'_>| &text[one.end - first..=one.end - last];
        let tail_of = |one: &Sampled<'_>| &text[one.end - last + 1..one.end];
        let cells = backwards.map(|place| first - place);
        let (body, tail) = (body_of(&sampled[0]), tail_of(&sampled[0]));
        let mut mask = vec![u8::MAX; body.len()];
        for &cell in &cells {
            mask[cell] = 0;
        }
        let leads: Vec<_> = sampled
            .array_windows()
            .map(|[one, next]| &text[one.end..next.end - first])
            .collect();
        // Lines between the first of a record and that of its first cell.
        let within = |one: &Sampled<'_>| line_ends(&text[one.start..one.end - first]);
        let lead_lines = line_ends(leads[0]);
        let mut stencil = Self {
            lead: leads[0].to_vec(),
            has_numbers: false,
            body: body.to_vec(),
            mask,
            cells,
            blank,
            tail: tail.to_vec(),
            lines_before: lead_lines.checked_sub(within(&sampled[1]))?,
            lines: lead_lines + line_ends(body) + line_ends(tail),
            needs_clues: needs_clues(has_bare_row(body, &cells)),
        };
        stencil.has_numbers = leads.iter().any(|lead| *lead != leads[0]);
        let is_alike = sampled.iter().all(|one| {
            stencil.cells_of(body_of(one)).is_some()
                && tail_of(one) == tail
                && within(one) == within(&sampled[0])
        });
        let is_led = leads
            .iter()
            .all(|lead| stencil.lead_length(lead) == Some(lead.len()));
        (is_alike && is_led && stencil.is_plain_lead()).then_some(stencil)
    }

    /// Returns true if nothing in the lead is read as cells, whatever its numbers are.
    fn is_plain_lead(&self) -> bool {
        let clues = self.lead.iter().filter(|&&byte| signs::is_clue(byte));
        // A code such as `&#46;` may be a cell.
        let has_code = self.lead.iter().any(|byte| b"&%\\<".contains(byte));
        let has_word = self
            .lead
            .array_windows()
            .any(|two: &[u8; 2]| two.iter().all(u8::is_ascii_alphabetic));
        clues.count() < FEWEST_CLUES && (!self.has_numbers || has_word && !has_code)
    }

    /// Returns true if words stand behind the last cell of a record, on its line.
    pub(super) fn has_words_behind(&self) -> bool {
        self.tail.iter().any(|&byte| signs::is_word(byte))
    }

    /// The record at the start of a text that begins behind the last line of another.
    pub(super) fn fit<'s>(&self, text: &'s [u8]) -> Option<Fitting<'s>> {
        let start = self.lead_length(text)?;
        let (body, after) = text[start..].split_at_checked(self.body.len())?;
        if !after.starts_with(&self.tail) {
            return None;
        }
        let cells = self.cells_of(body)?;
        let is_bare = |row: &[u8]| row.iter().all(|&cell| cell == BLANK);
        if self.needs_clues && cells.chunks(9).any(is_bare) || !Kind::of(&cells).is_proper() {
            return None;
        }
        Some(Fitting {
            lead: &text[..start],
            cells,
            end: start + body.len() + self.tail.len(),
        })
    }

    /// The cells of bytes of the length of the body, if they are one.
    fn cells_of(&self, bytes: &[u8]) -> Option<[u8; 81]> {
        let pairs = bytes.iter().zip(&self.body).zip(&self.mask);
        let differences = pairs.fold(0, |all, ((byte, own), mask)| all | (byte ^ own) & mask);
        // Without a branch: which cells are blank is not foreseen.
        let mut are_cells = true;
        let cells = self.cells.map(|place| {
            let byte = bytes[place];
            are_cells &= signs::is_clue(byte) | (byte == self.blank);
            signs::cell(byte)
        });
        (differences == 0 && are_cells).then_some(cells)
    }

    /// The length of the lead at the start of a text.
    fn lead_length(&self, text: &[u8]) -> Option<usize> {
        if !self.has_numbers {
            return text.starts_with(&self.lead).then_some(self.lead.len());
        }
        let (mut own, mut rest) = (&self.lead[..], text);
        let mut cells = 0;
        while let Some(&byte) = own.first() {
            if byte.is_ascii_digit() {
                let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
                let found = digits(rest);
                cells += found;
                // Nine cells may be a row.
                if found == 0 || cells >= 9 {
                    return None;
                }
                (own, rest) = (&own[digits(own)..], &rest[found..]);
            } else {
                cells += usize::from(byte == self.blank && byte != b' ');
                (own, rest) = (&own[1..], rest.strip_prefix(&[byte])?);
            }
        }
        (cells < 9).then_some(text.len() - rest.len())
    }
}

/// The places of the cells in all records, counted backwards from their ends. A cell is a digit or this blank.
fn places(text: &[u8], sampled: &[Sampled<'_>], blank: u8) -> Option<[usize; 81]> {
    let shortest = sampled.iter().map(|one| one.end - one.start).min()?;
    let mut places = [0; 81];
    let mut back = 0;
    for (number, place) in places.iter_mut().enumerate().rev() {
        let is_here = |back: usize| {
            sampled.iter().all(|one| {
                let cell = match one.grid.cells[number] {
                    BLANK => blank,
                    clue => clue,
                };
                text[one.end - back] == cell
            })
        };
        back = (back + 1..=shortest).find(|&back| is_here(back))?;
        *place = back;
    }
    Some(places)
}

/// Returns true if a row has nothing but cells and spaces on its line.
fn has_bare_row(body: &[u8], cells: &[usize; 81]) -> bool {
    cells.chunks(9).any(|row| {
        let between = row[0]..row[8];
        between
            .filter(|place| !row.contains(place))
            .all(|place| signs::is_space(body[place]))
    })
}

/// The places at which the lines of a text begin, and its end.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let (mut starts, mut rest) = (vec![0], text);
    while !rest.is_empty() {
        rest = split_line(rest).1;
        starts.push(text.len() - rest.len());
    }
    starts
}
