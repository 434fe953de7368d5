//! Doubt about the layout that a quick reader found: whether another reading of the text is better.

use super::{
    Detected, Found, Layout, Records,
    block::RowStyle,
    is_cell, text, without_mark,
    written::{self, Chosen},
};
use crate::{
    grid::{AnyPuzzle, BLANK, CELLS, Puzzle},
    solve::{Goal, Solver, gives_up},
};

/// The findings of a quick reader in the first bytes of a text, if they leave doubt.
pub(super) struct Doubt {
    /// The worth of the puzzles, as that of a [reading](Chosen).
    worth: f64,
    puzzles: Vec<[u8; CELLS]>,
    /// The number of malformed records that are text.
    texts: usize,
    kind: Kind,
    /// True if a table has columns besides 81, and no names that tell which hold cells.
    is_open: bool,
}

/// The score that another reading needs to be better.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Nine lines, or 81 columns: records that are no puzzles show that the rows or columns are others.
    Shifted,
    /// Lines that hold a puzzle among other signs, and lines that are text: as good a reading has no errors.
    Text,
    /// Most records are no puzzles.
    Others,
}

/// A malformed record with fewer digits is text, and no damaged puzzle.
const DIGITS_OF_TEXT: usize = 9;

/// The cost of a record that is text.
const COST_OF_TEXT: f64 = 50.0;

impl Doubt {
    /// The doubt about a layout, if the records in a head leave any.
    pub(super) fn of(found: &Detected, head: &[u8]) -> Option<Self> {
        let sample = sample(head);
        let text = sample.get(found.skipped..)?;
        let mut records = Records::default();
        found.layout.read(text, &mut records);
        let may_be_shifted = match &found.layout {
            Layout::Blocks(blocks) => blocks.style != RowStyle::Marks,
            Layout::Table(table) => table.is_spread(),
            _ => false,
        };
        let has_several = has_several(&found.layout, &records);
        if !may_be_shifted && !has_several && records.malformed().is_empty() {
            return None;
        }
        let mut count = records.len();
        // A last record that is cut off tells nothing.
        if count > 1 && sample.len() < head.len() {
            count -= usize::from(records.error(count - 1).is_some());
        }
        let has_rules = matches!(found.layout, Layout::Blocks(_)) && Rules::of(text).are_in(text);
        // A rule or a gap that was read as a row.
        let is_shifted = |puzzle: &Puzzle| {
            let mut rows = puzzle.as_ascii().chunks(9);
            has_rules && rows.any(|row| row == b".........")
        };
        let mut puzzles = Vec::new();
        let (mut improper, mut damaged, mut texts) = (0, 0, 0);
        // Malformed records that may hold a puzzle in another writing.
        let mut hidden = 0;
        // Whether some lines begin with a puzzle, and whether some have one that is not in quotes.
        let (mut begins_with_cells, mut has_bare) = (false, false);
        let column = found.layout.column_of_puzzles();
        let is_of_lines = matches!(found.layout, Layout::Line | Layout::Words(_));
        for record in 0..count {
            match records.puzzle(record) {
                Ok(AnyPuzzle::Cells(puzzle)) if is_shifted(&puzzle) => improper += 1,
                Ok(AnyPuzzle::Cells(puzzle)) => {
                    improper += usize::from(!written::is_proper(puzzle.as_ascii()));
                    puzzles.push(*puzzle.as_ascii());
                    if is_of_lines {
                        let (text, own) = (records.text(record), records.own_cells(record));
                        let place = memchr::memmem::find(text, &own);
                        begins_with_cells |= place == Some(0);
                        let is_quote =
                            |at: usize| matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
                        let is_quoted = place
                            .is_some_and(|at| at > 0 && is_quote(at - 1) && is_quote(at + CELLS));
                        has_bare |= !is_quoted;
                    }
                }
                Ok(AnyPuzzle::Candidates(_)) => return None,
                Err(error) => {
                    // The column of the puzzles alone tells whether a row has one.
                    let text = records.text(record);
                    let field = column
                        .as_ref()
                        .map(|column| found.layout.value(text, column));
                    let text = field
                        .as_ref()
                        .map_or(text, |field| field.as_deref().unwrap_or_default());
                    let digits = text
                        .iter()
                        .filter(|byte| matches!(byte, b'1'..=b'9'))
                        .count();
                    let is_of_rows = matches!(error.found, Found::Rows(_));
                    match digits {
                        0..DIGITS_OF_TEXT if !is_of_rows => texts += 1,
                        _ => damaged += 1,
                    }
                    // Cells alone, but 80 or 82 of them, are a puzzle that is damaged.
                    let word = text.trim_ascii();
                    let is_other = word.len() == CELLS || !word.iter().all(|&byte| is_cell(byte));
                    hidden += usize::from(digits >= DIGITS_OF_TEXT && is_other);
                }
            }
        }
        let bad = improper + damaged + texts;
        let is_number = |text: &[u8]| {
            let text = without_mark(text).trim_ascii();
            text.iter().all(u8::is_ascii_digit)
        };
        let is_count_first = texts == 1 && records.error(0).is_some() && is_number(records.text(0));
        let is_open = match &found.layout {
            Layout::Table(table) if table.is_spread() => {
                table.header().is_none() && table.columns().len() % CELLS > 0
            }
            _ => false,
        };
        let kind = match &found.layout {
            Layout::Blocks(_) if !may_be_shifted || bad == 0 => return None,
            // A text that stands next to few blocks is an error of its own.
            Layout::Blocks(_) if improper + damaged == 0 && 2 * texts <= puzzles.len() => {
                return None;
            }
            Layout::Blocks(_) => Kind::Shifted,
            Layout::Table(_) if may_be_shifted && (bad > 0 || is_open) => Kind::Shifted,
            Layout::Table(_) if may_be_shifted => return None,
            Layout::Line if damaged == 0 && texts > 0 && (!begins_with_cells || is_count_first) => {
                Kind::Text
            }
            _ if has_several => Kind::Text,
            // Code and XML.
            Layout::Words(_) if damaged == 0 && texts > 0 && !has_bare => Kind::Text,
            _ if 2 * hidden > count => Kind::Others,
            _ => return None,
        };
        let mut worth = written::worth(text, &puzzles);
        if kind == Kind::Shifted {
            worth -= COST_OF_TEXT * texts as f64;
        }
        Some(Self {
            worth,
            puzzles,
            texts,
            kind,
            is_open,
        })
    }

    /// Returns true if no record is a puzzle, or if a column more or less is as likely.
    pub(super) fn has_nothing(&self) -> bool {
        self.is_open || !self.puzzles.iter().any(written::is_proper)
    }

    /// Returns true if another reading is better.
    pub(super) fn yields_to(
        &self,
        other: &Chosen,
        judge: &mut dyn FnMut(&[u8; CELLS]) -> Option<bool>,
    ) -> bool {
        /// Of so many records a part that is shifted has a digit twice in a house.
        const MANY: usize = 20;
        let more = other.score - self.worth;
        let proper = self
            .puzzles
            .iter()
            .filter(|cells| written::is_proper(cells));
        let proper = proper.count();
        match self.kind {
            // A row that lacks is damage: another nine of the rows around it are a wrong puzzle.
            Kind::Shifted
                if proper >= MANY
                    && 10 * proper >= 9 * other.puzzles.len()
                    && 10 * self.texts <= proper =>
            {
                false
            }
            Kind::Text => more > -2.0 && other.puzzles.len() >= self.puzzles.len(),
            Kind::Others => more > written::MARGIN && other.puzzles.len() >= self.puzzles.len(),
            Kind::Shifted if more.abs() > written::MARGIN => more > 0.0,
            Kind::Shifted => {
                let most = other.puzzles.len().max(self.puzzles.len());
                let mut share = |puzzles: &[_]| written::share_of_unique(puzzles, most, judge);
                share(&other.puzzles) >= share(&self.puzzles) + 0.3
            }
        }
    }
}

/// Signs of which lines without digits are made, and which no line with a digit has: such a line is a rule or a gap, and
/// no row. Without a row of its own in its place, a shifted grid may have one solution.
struct Rules(Vec<u8>);

impl Rules {
    /// Signs that stand for a blank or are a rule, and delimiters with nothing between.
    const SIGNS: [u8; 3] = *b"-_*";
    const DELIMITERS: [u8; 3] = *b",;\t";

    fn of(text: &[u8]) -> Self {
        let mut signs = [Self::SIGNS, Self::DELIMITERS].concat();
        let rows = text.split(|byte| matches!(byte, b'\n' | b'\r'));
        for row in rows.filter(|row| row.iter().any(|byte| matches!(byte, b'1'..=b'9'))) {
            let has = |sign| match Self::DELIMITERS.contains(&sign) {
                true => row.split(|&byte| byte == sign).any(<[u8]>::is_empty),
                false => row.contains(&sign),
            };
            signs.retain(|&sign| !has(sign));
        }
        Self(signs)
    }

    /// Returns true if a line is a rule.
    fn are_in(&self, text: &[u8]) -> bool {
        let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
        lines.any(|line| {
            let line = line.trim_ascii();
            let is_of = |sign: &u8| line.iter().all(|byte| byte == sign);
            line.len() > 3 && self.0.iter().any(is_of)
        })
    }
}

/// Returns true if most lines of words have several puzzles.
fn has_several(layout: &Layout, records: &Records) -> bool {
    if !matches!(layout, Layout::Words(_)) {
        return false;
    }
    let is_puzzle = |word: &[u8]| {
        word.len() == CELLS
            && word.iter().all(|&byte| is_cell(byte))
            && !word.iter().all(|byte| matches!(byte, b'1'..=b'9'))
    };
    let several = (0..records.len()).filter(|&record| {
        let text = records.text(record);
        text::words(text)
            .filter(|word| is_puzzle(&text[word.clone()]))
            .count()
            > 1
    });
    2 * several.count() > records.len()
}

/// Returns true if no record of a head has a 9, some have a 0 and another sign for blanks, and more of a sample have
/// exactly one solution with 0 for a digit than with 0 for a blank.
pub(super) fn counts_from_zero(found: &Detected, head: &[u8]) -> bool {
    let sample = sample(head);
    // Most texts have a 9 or no 0, and need not be read.
    let Some(text) = sample.get(found.skipped..) else {
        return false;
    };
    if memchr::memchr(b'0', text).is_none() {
        return false;
    }
    let mut records = Records::default();
    found.layout.read(text, &mut records);
    let is_blank = |cell: &u8| !cell.is_ascii_digit();
    let (mut puzzles, mut has_both) = (Vec::new(), false);
    for record in 0..records.len() {
        match records.puzzle(record) {
            Ok(AnyPuzzle::Cells(_)) => {}
            Ok(AnyPuzzle::Candidates(_)) => return false,
            Err(_) => continue,
        }
        let cells = records.cells_as_read(record);
        if cells.contains(&b'9') {
            return false;
        }
        has_both |= cells.contains(&b'0') && cells.iter().any(is_blank);
        puzzles.push(*cells);
    }
    let mut judge = judge();
    let mut share = |puzzles: &[_]| written::share_of_unique(puzzles, puzzles.len(), &mut judge);
    let raised = |cells: [u8; CELLS]| {
        cells.map(|cell| match cell {
            b'0'..=b'8' => cell + 1,
            _ => BLANK,
        })
    };
    let from_zero: Vec<_> = puzzles.iter().map(|&cells| raised(cells)).collect();
    let blanked = |cells: [u8; CELLS]| {
        cells.map(|cell| match cell {
            b'1'..=b'9' => cell,
            _ => BLANK,
        })
    };
    let from_one: Vec<_> = puzzles.iter().map(|&cells| blanked(cells)).collect();
    has_both && share(&from_zero) > share(&from_one)
}

/// The whole lines of the first bytes, which decide how a text is read.
pub(super) fn sample(head: &[u8]) -> &[u8] {
    let Some(first) = head.get(..Layout::HEAD) else {
        return head;
    };
    let end = memchr::memrchr2(b'\n', b'\r', first);
    &first[..end.map_or(first.len(), |end| end + 1)]
}

/// Says whether a puzzle has exactly one solution, or nothing where that takes long.
pub(super) fn judge() -> impl FnMut(&[u8; CELLS]) -> Option<bool> {
    /// The most guesses.
    const MOST: u64 = 10_000;
    let mut solver = Solver::new();
    move |cells| {
        let puzzle = Puzzle::with_blanks_for_others(cells);
        (!gives_up(puzzle, Goal::Count(2), MOST)).then(|| solver.count(puzzle, 2) == 1)
    }
}
