//! Texts and puzzles out of the bytes that a fuzzer makes up.

use arbitrary::{Result, Unstructured};

/// Puzzles of all kinds: one solution, several, none, hard, and with clues that contradict
/// each other.
pub const PUZZLES: [&[u8; 81]; 8] = [
    b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8",
    b"3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..",
    b"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    b"496528713875143692132967854314289576729654381568731429687492135943815267251376948",
    b"..3456789456789123789123456..4365897365897214897214365531642978642978531978531642",
    b".................................................................................",
    b"5.....2..5.......................................................................",
];

/// A text: the bytes as they are, but some control characters stand for something longer that a
/// fuzzer would hardly make up.
///
/// ```text
///     1 n     puzzle n, with points        5 n     the block of puzzle n
///     2 n     puzzle n, with zeros         6 n     a grid in a frame
///     3 n     81 cells, cell n left out    7 n     the part up to here, as often as n mod 8
///     4 n     row n of a puzzle            14 c    the character c, whatever it is
/// ```
pub fn text(data: &[u8]) -> Vec<u8> {
    const MOST: usize = 1 << 16;
    let mut text = Vec::new();
    let mut rest = data.iter().copied();
    while let Some(byte) = rest.next() {
        if !matches!(byte, 1..=7 | 14) {
            text.push(byte);
            continue;
        }
        let Some(which) = rest.next() else { break };
        let number = usize::from(which);
        let cells = PUZZLES[number % PUZZLES.len()];
        match byte {
            1 => text.extend(cells),
            2 => text.extend(cells.map(|c| if c == b'.' { b'0' } else { c })),
            3 => {
                text.extend(&PUZZLES[0][..number % 81]);
                text.extend(&PUZZLES[0][number % 81 + 1..]);
            }
            4 => {
                let row = &PUZZLES[4][number % 9 * 9..][..9];
                text.extend(row);
            }
            5 => text.extend(block(cells, number / 8)),
            6 => text.extend(pretty(cells)),
            7 => {
                let times = (which % 8).into();
                if text.len() * times <= MOST {
                    text = text.repeat(times);
                }
            }
            _ => text.push(which),
        }
    }
    text
}

/// Nine rows, with spaces between the cells, or none, and one of the ends of lines.
fn block(cells: &[u8; 81], style: usize) -> Vec<u8> {
    let end = ["\n", "\r\n", "\r"][style / 2 % 3].as_bytes();
    let mut text = Vec::new();
    for row in cells.chunks(9) {
        match style % 2 {
            0 => text.extend(row),
            _ => text.extend(row.iter().flat_map(|&c| [c, b' ']).take(17)),
        }
        text.extend(end);
    }
    text
}

fn pretty(cells: &[u8; 81]) -> Vec<u8> {
    let mut text = Vec::new();
    for (number, row) in cells.chunks(9).enumerate() {
        if number % 3 == 0 {
            text.extend(b"+---+---+---+\n");
        }
        for minirow in row.chunks(3) {
            text.push(b'|');
            text.extend(minirow);
        }
        text.extend(b"|\n");
    }
    text
}

/// A grid: an image of one of two.
pub fn grid(from: &mut Unstructured<'_>) -> Result<[u8; 81]> {
    let base = [PUZZLES[4], &PATTERN][usize::from(from.arbitrary::<bool>()?)];
    image(from, base)
}

/// The image of cells under some symmetry: rows, columns and digits in another order.
pub fn image(from: &mut Unstructured<'_>, cells: &[u8; 81]) -> Result<[u8; 81]> {
    let rows = line_order(from)?;
    let columns = line_order(from)?;
    let mut digits = *b"123456789";
    for last in (1..9).rev() {
        digits.swap(last, from.int_in_range(0..=last)?);
    }
    let transposed = from.arbitrary()?;
    Ok(std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let from = if transposed {
            9 * column + row
        } else {
            9 * row + column
        };
        match cells[from] {
            digit @ b'1'..=b'9' => digits[usize::from(digit - b'1')],
            blank => blank,
        }
    }))
}

/// The grid with the most symmetries among those that shifts make of one row.
const PATTERN: [u8; 81] =
    *b"123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// The nine lines of one direction in another order, those of a band together.
pub fn line_order(from: &mut Unstructured<'_>) -> Result<[usize; 9]> {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let bands = *from.choose(&ORDERS)?;
    let mut lines = [0; 9];
    for (place, band) in bands.into_iter().enumerate() {
        for (at, line) in from.choose(&ORDERS)?.iter().enumerate() {
            lines[3 * place + at] = 3 * band + line;
        }
    }
    Ok(lines)
}

/// A puzzle: one of those above or what is left of a grid, and perhaps a few other cells.
pub fn puzzle(from: &mut Unstructured<'_>) -> Result<[u8; 81]> {
    let kind = from.int_in_range(0..=15u8)?;
    let mut cells = match kind {
        0..8 => *PUZZLES[usize::from(kind)],
        _ => {
            let mut cells = grid(from)?;
            let mut kept = from.arbitrary::<u128>()?;
            if kind < 14 {
                // Fewer clues: with half of them nearly every puzzle has one solution.
                kept &= from.arbitrary::<u128>()?;
            }
            for (cell, value) in cells.iter_mut().enumerate() {
                if kept >> cell & 1 == 0 {
                    *value = b'.';
                }
            }
            cells
        }
    };
    let others = from.int_in_range(0..=5u8)?;
    if others < 4 {
        for _ in 0..others {
            let cell = from.int_in_range(0..=80usize)?;
            cells[cell] = *from.choose(b".123456789")?;
        }
    }
    Ok(cells)
}
