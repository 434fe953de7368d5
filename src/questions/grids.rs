//! Whether records are solved grids.

use super::{Answer, Counts, Reason, RunOutcome, Status, status::StatusColumn};
use crate::{
    format::{Expected, Found, ParseError, Records},
    grid::{Cell, Digit, Grid},
};

/// Gives for each grid of a batch the number, from 1, of the first record of the set that is equal.
type Repeats<'r> = &'r mut dyn FnMut(&[Option<Grid>]) -> Vec<Option<u64>>;

/// Checks solved grids: 81 digits, each once in every row, column and box. With `first_digit`, the first cell holds this
/// digit too. With `repeats`, no two are equal: it gets the valid grid of each record, and gives for each the number,
/// from 1, of the first record of the set that is equal.
///
/// The answer has begun as many records. Each gets a row: with `first_digit` a flag, whether the first cell of a valid grid
/// holds the digit; with `repeats` the number that it gives. The status of a valid grid is `valid`. The counts are those of
/// the statuses, and `other-first-digit` and `repeated` where these are asked for.
///
/// ```
/// use sudoku_batch::{Digit, format::{Records, Values, line}, questions::{Answer, Data, check_grids}};
/// let grid = "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
/// let mut records = Records::default();
/// line::read(format!("{grid}\n{grid}\n{}", grid.replace('4', ".")).as_bytes(), &mut records);
/// let mut answer = Answer::new([Values::Flags, Values::Numbers]);
/// answer.begin(records.len());
/// // The two valid grids are equal, which the caller finds out.
/// let mut repeats = |grids: &[Option<_>]| vec![None, grids[1].map(|_| 1), None];
/// check_grids(&records, Digit::new(4), Some(&mut repeats), &mut answer);
/// let names: Vec<_> = answer.rejects.iter().map(|reject| reject.reason.name()).collect();
/// assert_eq!(names, ["repeated", "malformed"]);
/// let Data::Flags(right) = answer.column(0) else { unreachable!() };
/// assert_eq!(right[..], [Some(true), Some(true), None]);
/// ```
pub fn check_grids(
    records: &Records,
    first_digit: Option<Digit>,
    repeats: Option<Repeats<'_>>,
    answer: &mut Answer<'_>,
) {
    let found = (0..records.len()).map(|record| valid_grid(records, record));
    let found: Vec<_> = found.collect();
    let repeats = repeats.map(|repeats| {
        let grids: Vec<_> = found.iter().map(|grid| grid.ok()).collect();
        repeats(&grids)
    });
    let mut statuses = StatusColumn::of(answer);
    let [mut other_first_digit, mut repeated] = [0, 0];
    for (record, grid) in found.into_iter().enumerate() {
        let mut status = grid.map(|_| Status::Valid);
        let mut row = answer.row(record);
        if let Some(digit) = first_digit {
            let right = grid.ok().map(|grid| grid.get(Cell::at(0, 0)) == digit);
            row = row.flag(right);
            if right == Some(false) {
                other_first_digit += 1;
                status = Err(Reason::OtherFirstDigit);
            }
        }
        if let Some(repeats) = &repeats {
            row.number(repeats[record]);
            if let Some(first) = repeats[record] {
                repeated += 1;
                status = status.and(Err(Reason::Repeated(first)));
            }
        }
        statuses.push(status);
    }
    answer.counts += statuses.counts_of_grids();
    if first_digit.is_some() {
        answer.counts.add("other-first-digit", other_first_digit);
    }
    if repeats.is_some() {
        answer.counts.add("repeated", repeated);
    }
    statuses.swap(answer);
}

/// The outcome of a question about solved grids: all other records fail.
pub(super) fn outcome_of_grids(counts: &Counts, records: u64) -> RunOutcome {
    let failed = records.saturating_sub(counts.get(Status::Valid.name()));
    RunOutcome {
        unit: "grids",
        ..RunOutcome::new(counts.clone(), failed, "are no solved grids")
    }
}

/// The valid grid of a record, given by 81 digits or by one candidate for each cell.
///
/// # Errors
///
/// The record is malformed, has a blank or a cell with several candidates (the error names its column), or
/// has a digit twice in a house.
pub fn valid_grid(records: &Records, record: usize) -> Result<Grid, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let clues = puzzle.clues();
    let Ok(grid) = Grid::from_ascii(clues.as_ascii()) else {
        let cell = Cell::all().find(|&cell| clues.get(cell).is_none());
        let cell = cell.expect("a blank");
        return Err(Reason::Malformed(no_digit(records, record, cell)));
    };
    match grid.is_valid() {
        true => Ok(grid),
        false => Err(Reason::from_unsolvable(&puzzle)),
    }
}

/// The error of a record whose first cell without a digit is this: its column in the text of the record.
fn no_digit(records: &Records, record: usize, cell: Cell) -> ParseError {
    let (own, text) = (records.own(record), records.text(record));
    let own = own.as_ref();
    let is_blank = |byte: &u8| !matches!(byte, b'1'..=b'9');
    // The blanks of a record may differ.
    let is_own = |(own, byte): (&u8, &u8)| own == byte || is_blank(own) && is_blank(byte);
    let is_puzzle = |window: &[u8]| own.iter().zip(window).all(is_own);
    let start = text.windows(own.len()).position(is_puzzle);
    let shown = start.map_or(own, |start| &text[start..]);
    let (place, found) = match records.candidates(record) {
        None => {
            let place = cell.index();
            (place, Found::Char(char::from(shown[place])))
        }
        Some(candidates) => {
            let digits = candidates.get(cell);
            (9 * cell.index(), Found::Candidates(cell, digits))
        }
    };
    ParseError {
        column: start.unwrap_or(0) + place + 1,
        found,
        expected: Expected::Digit,
    }
}
