//! Nine rows in any drawing, with one sign for blanks.

use super::{
    group::{Dividers, Rows},
    signs::{self, BLANK, RULE, is_break, is_clue, is_rule},
    text::{Text, is_blank},
};

/// How a row is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drawing {
    /// The sign for blanks, or 0 if all cells are digits.
    pub(super) blank: u8,
    /// True if the first, or the last, word of a row is a label, even if it is digits.
    pub(super) labels: [bool; 2],
}

impl Drawing {
    /// All ways that the signs in a text allow.
    pub(super) fn all(text: &Text) -> Vec<Self> {
        let is_there = |&sign: &u8| text.counts[usize::from(sign)] >= 5;
        let signs = signs::blanks().filter(is_there).chain([0]);
        let mut all = Vec::new();
        for blank in signs {
            for labels in [[false, false], [true, false], [false, true], [true, true]] {
                all.push(Self { blank, labels });
            }
        }
        all
    }

    fn is_cell(self, byte: u8) -> bool {
        is_clue(byte) || byte == self.blank && byte != 0
    }

    fn are_cells(self, word: &[u8]) -> bool {
        !word.is_empty() && word.iter().all(|&byte| self.is_cell(byte))
    }

    /// The cost of the way: signs that often stand for a blank are cheaper.
    pub(super) fn cost(self) -> f64 {
        let labels = self.labels.iter().filter(|&&label| label).count();
        let is_usual = matches!(self.blank, b'.' | b'0' | b'_' | b'*' | b'-');
        2.0 * labels as f64 + 0.5 + if is_usual { 0.0 } else { 1.0 }
    }
}

/// The longest line of a drawing.
const LONGEST: usize = 2000;

/// The sign of a frame that a row may have, as a bit.
const fn joint(byte: u8) -> u8 {
    match byte {
        b'-' => 1,
        b'+' => 2,
        b'=' => 4,
        b'*' => 8,
        b'~' => 16,
        b'#' => 32,
        RULE => 64,
        _ => 0,
    }
}

static JOINTS: [u8; 256] = {
    let mut joints = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        joints[byte] = joint(byte as u8);
        byte += 1;
    }
    joints
};

/// The kind of a line.
enum Read {
    /// Nothing, or a rule.
    Nothing,
    /// Text, which no grid goes over.
    Words,
    /// A row, whose cells are now the last of all. Text may stand before them.
    Cells { has_text: bool },
}

/// A row and the facts about its line.
struct Row {
    segment: u32,
    place: usize,
    /// The place of its cells in the list of all, and their number.
    start: usize,
    width: usize,
    cost: f64,
    joints: u8,
    joint_count: usize,
    has_clue: bool,
    divided: Dividers,
}

/// The lines that are rows, of nine or several times nine cells.
pub(super) struct Drawn {
    rows: Vec<Row>,
    /// The cells of all rows.
    cells: Vec<u8>,
    /// The number of rows of each number of cells.
    widths: [usize; 82],
}

impl Drawn {
    pub(super) fn new(text: &Text, drawing: Drawing) -> Option<Self> {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        let (mut segment, mut divided) = (0, Dividers::default());
        // The signs of frames in rows with digits.
        let mut known = 0;
        for &line in &text.lines {
            if line.end - line.start > LONGEST {
                segment += 1;
                continue;
            }
            let bytes = signs::trim(text.line(line));
            let start = all.len();
            let has_text = match read_line(bytes, drawing, &mut all) {
                Read::Nothing => {
                    divided.add(match bytes {
                        [] => Dividers::GAP,
                        _ => Dividers::RULE,
                    });
                    continue;
                }
                Read::Words => {
                    segment += 1;
                    continue;
                }
                Read::Cells { has_text } => has_text,
            };
            let cells = &all[start..];
            let has_clue = cells.iter().any(|&cell| cell != BLANK);
            let (mut joints, mut joint_count) = (0, 0);
            if !has_text {
                for &byte in bytes {
                    let joint = JOINTS[usize::from(byte)];
                    if joint != 0 && !drawing.is_cell(byte) {
                        joints |= joint;
                        joint_count += 1;
                    }
                }
            }
            if has_clue {
                known |= joints;
            }
            let cost = match has_clue {
                // The numbers of the columns.
                _ if cells == b"123456789"
                    && bytes.iter().filter(|&&b| !is_break(b)).eq(b"123456789") =>
                {
                    0.05
                }
                true => 0.2,
                false => 0.15,
            };
            rows.push(Row {
                segment,
                place: line.start,
                start,
                width: cells.len(),
                cost,
                joints,
                joint_count,
                has_clue,
                divided: std::mem::take(&mut divided),
            });
        }
        // A row without digits, whose frame no row with digits has, is a rule.
        // So is a row of blanks that no row with digits has, if rules are made of their sign.
        let is_of_rules = matches!(drawing.blank, b'-' | b'_' | b'*' | b'~' | b'#');
        let cells = |row: &Row| &all[row.start..row.start + row.width];
        let has_blank = |row: &Row| row.has_clue && cells(row).contains(&BLANK);
        if is_of_rules && !rows.iter().any(has_blank) {
            rows.retain(|row| row.has_clue);
        }
        rows.retain(|row| row.has_clue || row.joints & !known == 0 || row.joint_count < 2);
        let mut widths = [0; 82];
        for row in &rows {
            widths[row.width] += 1;
        }
        (rows.len() >= 3).then_some(Self {
            rows,
            cells: all,
            widths,
        })
    }

    /// The usual number of cells of a row.
    pub(super) fn width(&self) -> usize {
        let widths = self.widths.iter().enumerate();
        widths
            .max_by_key(|(width, count)| (**count, usize::MAX - width))
            .map_or(0, |(width, _)| width)
    }

    /// The rows as they are grouped: into nine rows, or into three of 27 cells.
    pub(super) fn rows(&self, per: usize) -> Rows {
        let mut rows = Rows::default();
        for row in &self.rows {
            let width = row.width;
            let fits = match per {
                9 => width <= 36 && self.widths[width] >= 9,
                _ => width == 27,
            };
            if fits {
                let cells = &self.cells[row.start..row.start + width];
                rows.divide(row.divided);
                rows.push(row.segment, (row.place, row.place), cells, row.cost);
            }
        }
        rows
    }
}

/// Adds the cells of a row that has nothing else but signs between them, and returns true. Most rows are such.
fn read_plain(line: &[u8], drawing: Drawing, cells: &mut Vec<u8>) -> bool {
    let start = cells.len();
    for &byte in line {
        if drawing.is_cell(byte) {
            cells.push(signs::cell(byte));
        } else if !is_break(byte) {
            cells.truncate(start);
            return false;
        }
    }
    let count = cells.len() - start;
    let is_row = count > 0 && count.is_multiple_of(9) && count <= 81;
    if !is_row {
        cells.truncate(start);
    }
    is_row
}

/// Reads a line without spaces at its ends, and adds its cells to others.
fn read_line(line: &[u8], drawing: Drawing, cells: &mut Vec<u8>) -> Read {
    let Drawing { blank, labels } = drawing;
    // A hyphen may be a blank and a part of a rule.
    if labels == [false; 2] && blank != b'-' && read_plain(line, drawing, cells) {
        return Read::Cells { has_text: false };
    }
    let is_of_rule = line.iter().all(|&byte| is_rule(byte));
    let has_clue = line.iter().any(|&byte| is_clue(byte));
    let has_blank = blank != 0 && line.contains(&blank);
    if is_blank(line)
        || is_of_rule && !has_clue && !has_blank && !matches!(blank, b'-' | b'=' | b'+')
    {
        return Read::Nothing;
    }
    let breaks = |line: &[u8], is_end: &dyn Fn(u8) -> bool| -> Vec<(usize, usize)> {
        let mut words = Vec::new();
        let mut start = 0;
        for at in 0..=line.len() {
            if at == line.len() || is_end(line[at]) {
                if at > start {
                    words.push((start, at));
                }
                start = at + 1;
            }
        }
        words
    };
    let mut words = breaks(line, &is_break);
    let is_plain = |words: &[(usize, usize)]| {
        words
            .iter()
            .all(|&(from, to)| drawing.are_cells(&line[from..to]))
    };
    if !is_plain(&words) || words.is_empty() {
        words = if blank == b'-' {
            breaks(line, &|byte| is_break(byte) || byte == b'+')
        } else {
            breaks(line, &|byte| {
                is_break(byte) || byte != blank && joint(byte) != 0
            })
        };
    } else if blank == b'-' {
        words = breaks(line, &|byte| is_break(byte) || byte == b'+');
    }
    let is_other = |&(from, to): &(usize, usize)| !drawing.are_cells(&line[from..to]);
    let length = |&(from, to): &(usize, usize)| to - from;
    let mut kept = &words[..];
    match kept {
        [first, _, ..] if labels[0] && length(first) <= 3 => kept = &kept[1..],
        _ if labels[0] => kept = &[],
        [first, rest @ ..] if is_other(first) && length(first) <= 4 => kept = rest,
        _ => {}
    }
    match kept {
        [.., _, last] if labels[1] && length(last) <= 3 => kept = &kept[..kept.len() - 1],
        _ if labels[1] => kept = &[],
        [rest @ .., last] if is_other(last) && length(last) <= 4 => kept = rest,
        _ => {}
    }
    let others = kept.iter().filter(|word| is_other(word)).count();
    let sum: usize = kept.iter().map(length).sum();
    if labels == [false; 2] && (others > 0 || !sum.is_multiple_of(9)) {
        // Text and a row on one line: the last part between signs that is a row.
        let mut end = line.len();
        loop {
            let start = line[..end].iter().rposition(|&byte| signs::is_part(byte));
            let part = &line[start.map_or(0, |start| start + 1)..end];
            let row = part.iter().filter(|&&byte| !is_break(byte)).copied();
            let row: Vec<_> = row.collect();
            if row.len() == 9 && drawing.are_cells(&row) {
                cells.extend(row.into_iter().map(signs::cell));
                return Read::Cells { has_text: true };
            }
            match start {
                Some(start) => end = start,
                None => break,
            }
        }
    }
    if others > 0 || kept.is_empty() {
        let is_short = others == 0 && line.len() < 3;
        return if is_of_rule || is_short {
            Read::Nothing
        } else {
            Read::Words
        };
    }
    if !sum.is_multiple_of(9) || sum > 81 {
        return if !has_clue {
            Read::Nothing
        } else {
            Read::Words
        };
    }
    let bytes = kept.iter().flat_map(|&(from, to)| &line[from..to]);
    cells.extend(bytes.map(|&byte| signs::cell(byte)));
    Read::Cells { has_text: false }
}
