//! Right answers, found naively: by the rules of the game alone, with nothing of the library.

/// Steps after which a search gives up. Then only the engines are compared with each other.
const MOST_STEPS: u32 = 2_000;

/// The solutions of a puzzle, up to `limit`.
pub struct Solutions {
    /// The solutions that were found.
    pub found: Vec<[u8; 81]>,
    /// Whether the search went to its end, or up to the limit.
    pub known: bool,
}

/// The solutions of a puzzle, at most so many, the cell with the fewest digits first.
pub fn solutions(cells: &[u8; 81], limit: usize) -> Solutions {
    search_with(cells, limit, false)
}

/// The solution that is first when all are sorted. Nothing if the search takes too long.
pub fn smallest(cells: &[u8; 81]) -> Option<[u8; 81]> {
    let Solutions { found, known } = search_with(cells, 1, true);
    found.first().copied().filter(|_| known)
}

fn search_with(cells: &[u8; 81], limit: usize, in_order: bool) -> Solutions {
    let mut search = Search {
        cells: *cells,
        seen: [[0; 9]; 3],
        steps: 0,
        limit,
        in_order,
        found: Vec::new(),
    };
    for cell in (0..81).filter(|&cell| cells[cell] != b'.') {
        search.flip(cell, cells[cell]);
    }
    let known = conflict(cells).is_some() || search.run();
    Solutions {
        found: search.found,
        known,
    }
}

struct Search {
    cells: [u8; 81],
    /// The digits that each row, column and box has, a bit each.
    seen: [[u16; 9]; 3],
    steps: u32,
    limit: usize,
    in_order: bool,
    found: Vec<[u8; 81]>,
}

impl Search {
    /// Puts a digit into the houses of a cell, or takes it out of them.
    fn flip(&mut self, cell: usize, digit: u8) {
        for (seen, house) in self.seen.iter_mut().zip(houses(cell)) {
            seen[house] ^= 1 << (digit - b'1');
        }
    }

    /// Goes on from these cells; false if it gives up.
    fn run(&mut self) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        let mut best = None;
        let mut fewest = 10;
        for cell in 0..81 {
            if self.cells[cell] == b'.' {
                let [row, column, in_box] = houses(cell);
                let [rows, columns, boxes] = &self.seen;
                let free = 0x1ff & !(rows[row] | columns[column] | boxes[in_box]);
                // In order: the first cell, unless there is an end of this branch to be seen.
                let count = free.count_ones();
                let count = if self.in_order { count.min(1) } else { count };
                if count < fewest {
                    (best, fewest) = (Some((cell, free)), count);
                }
            }
        }
        let Some((cell, free)) = best else {
            self.found.push(self.cells);
            return true;
        };
        for digit in (b'1'..=b'9').filter(|digit| free >> (digit - b'1') & 1 == 1) {
            if self.found.len() == self.limit {
                break;
            }
            self.cells[cell] = digit;
            self.flip(cell, digit);
            let ended = self.run();
            self.flip(cell, digit);
            self.cells[cell] = b'.';
            if !ended {
                return false;
            }
        }
        true
    }
}

/// The row, the column and the box of a cell.
fn houses(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, column, row / 3 * 3 + column / 3]
}

/// The digits that no cell in the row, column or box of a cell has, a bit each.
pub fn free(cells: &[u8; 81], cell: usize) -> u16 {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    let mut free = 0x1ff;
    for i in 0..9 {
        for seen in [9 * row + i, 9 * i + column, corner + i / 3 * 9 + i % 3] {
            if seen != cell && cells[seen] != b'.' {
                free &= !(1 << (cells[seen] - b'1'));
            }
        }
    }
    free
}

/// The first digit that stands twice in a house: rows first, then columns, then boxes.
pub fn conflict(cells: &[u8; 81]) -> Option<&'static str> {
    let row = |house: usize, i: usize| 9 * house + i;
    let column = |house: usize, i: usize| 9 * i + house;
    let in_box = |house: usize, i: usize| house / 3 * 27 + house % 3 * 3 + i / 3 * 9 + i % 3;
    let twice = |place: &dyn Fn(usize, usize) -> usize| {
        (0..9).any(|house| {
            (0..9).any(|i| {
                let digit = cells[place(house, i)];
                digit != b'.' && (0..i).any(|before| cells[place(house, before)] == digit)
            })
        })
    };
    if twice(&row) {
        Some("row-duplicate")
    } else if twice(&column) {
        Some("column-duplicate")
    } else if twice(&in_box) {
        Some("box-duplicate")
    } else {
        None
    }
}

/// Whether 81 bytes are a grid: each digit once in every house.
pub fn is_grid(cells: &[u8; 81]) -> bool {
    cells.iter().all(|c| (b'1'..=b'9').contains(c)) && conflict(cells).is_none()
}

/// Whether a grid has all the clues of a puzzle.
pub fn fits(grid: &[u8; 81], puzzle: &[u8; 81]) -> bool {
    puzzle
        .iter()
        .zip(grid)
        .all(|(&clue, &cell)| clue == b'.' || clue == cell)
}

/// The lines of a text: a line ends with LF, CR LF or CR. Gives where each begins, where its
/// end begins, and where the next begins.
pub fn lines(text: &[u8]) -> Vec<(usize, usize, usize)> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let end = at;
        match text[at] {
            b'\r' if text.get(at + 1) == Some(&b'\n') => at += 2,
            b'\n' | b'\r' => at += 1,
            _ => {
                at += 1;
                continue;
            }
        }
        lines.push((start, end, at));
        start = at;
    }
    if start < text.len() {
        lines.push((start, text.len(), text.len()));
    }
    lines
}

/// Whether a byte is a digit or one of the characters of a blank.
pub fn is_cell(byte: u8) -> bool {
    matches!(
        byte,
        b'0'..=b'9' | b'.' | b'*' | b'_' | b'-' | b'?' | b'x' | b'X'
    )
}

/// Cells with a point for every blank.
pub fn puzzle_of(cells: &[u8]) -> [u8; 81] {
    std::array::from_fn(|i| {
        if matches!(cells[i], b'1'..=b'9') {
            cells[i]
        } else {
            b'.'
        }
    })
}
