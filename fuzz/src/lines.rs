//! Lines of 81 cells, against the rule of `docs/using.md` written once more; whole and in pieces.

use super::{
    material,
    oracle::{is_cell, lines, puzzle_of},
    records::{Found, found},
};
use sudoku_batch::{
    Puzzle,
    format::{Layout, Records, line},
};

/// Reads a text, whole, in pieces, and line by line.
pub fn run(data: &[u8]) {
    let text = material::text(data);
    let mut records = Records::default();
    line::read(&text, &mut records);
    let all = lines(&text);
    assert_eq!(records.lines(), all.len() as u64);
    let read = found(&records, 0);
    // Long words may be candidates, which have a target of their own. Arrays have tests of their own.
    let is_other = |number: u64| {
        let (start, end, _) = all[number as usize - 1];
        let line = text[start..end].trim_ascii_start();
        end - start > 405 || line.starts_with(b"[")
    };
    let [of_reader, of_rule] = [&read, &expected(&text)].map(|all| {
        let of_cells = all.iter().filter(|line| !is_other(line.line));
        of_cells.cloned().collect::<Vec<_>>()
    });
    assert_eq!(of_reader, of_rule);

    // In pieces of whole lines, all of which go to one set of records.
    let mut pieces = Records::default();
    let mut start = 0;
    for (number, &(.., next)) in all.iter().enumerate() {
        if number % 3 != 0 || next == text.len() {
            line::read(&text[start..next], &mut pieces);
            start = next;
        }
    }
    assert_eq!(found(&pieces, 0), read);

    // One by one, as `Puzzle` is parsed.
    for record in read {
        let Ok(line) = str::from_utf8(&record.text) else {
            continue;
        };
        let parsed = line.parse::<Puzzle>().map(|puzzle| *puzzle.as_ascii()).ok();
        match record.puzzle {
            Some(_) => assert_eq!(parsed, record.puzzle, "{line:?}"),
            // Another format is read as it is in a file of this line alone.
            None => assert!(
                parsed.is_none_or(|puzzle| only(line) == Some(puzzle)),
                "{line:?}"
            ),
        }
    }
}

/// The puzzle of a file that has one record.
fn only(text: &str) -> Option<[u8; 81]> {
    let (layout, pieces) = Layout::pieces(text.as_bytes(), None, None, usize::MAX).ok()?;
    let mut records = Records::default();
    pieces
        .iter()
        .for_each(|(_, piece)| layout.read(piece, &mut records));
    let puzzle = (records.len() == 1)
        .then(|| records.puzzle_of_cells(0))?
        .ok()?;
    Some(*puzzle.as_ascii())
}

/// The records by the rule: a line that is not blank and does not start with `#` is one. 81 cells come first,
/// and after them the end or one of a few characters. Or the cells stand apart, see [`apart`].
fn expected(text: &[u8]) -> Vec<Found> {
    let mut expected = Vec::new();
    for (number, &(start, end, _)) in lines(text).iter().enumerate() {
        let line = &text[start..end];
        if line.first() == Some(&b'#') || line.iter().all(|c| b" \t\n\x0c\r".contains(c)) {
            continue;
        }
        let cells = line.iter().take(81).take_while(|&&c| is_cell(c)).count();
        let ends = line.get(81).is_none_or(|c| ENDS.contains(c));
        let of_line = match apart(line) {
            _ if cells == 81 && ends => Ok(line.to_vec()),
            Some(of_line) => of_line,
            None => Err(cells + 1),
        };
        expected.push(Found {
            line: number as u64 + 1,
            text: of_line.clone().unwrap_or_else(|_| line.to_vec()),
            puzzle: of_line.as_ref().ok().map(|text| puzzle_of(text)),
            column: of_line.err(),
        });
    }
    expected
}

/// Texts that may stand behind the cells.
const ENDS: &[u8] = b" \t,;:#";

/// The rule of cells that stand apart: words of 1, 3 or 9 cells each, or blanks before one word of 81. Gives the
/// cells with what follows, or the column of the first character that breaks the rule. Nothing if the line is
/// not meant so: it begins without a blank, and at most half of a puzzle stands in such words.
fn apart(line: &[u8]) -> Option<Result<Vec<u8>, usize>> {
    let is_blank = |c: &u8| b" \t".contains(c);
    let mut words = Vec::new();
    let mut place = 0;
    for word in line.split(is_blank) {
        if !word.is_empty() {
            words.push((place, word));
        }
        place += word.len() + 1;
    }
    let cells = |word: &[u8]| word.iter().take_while(|&&c| is_cell(c)).count();
    let &(start, first) = words.first()?;
    let size = cells(first);
    if ![1, 3, 9, 81].contains(&size) {
        return (start > 0).then_some(Err(start + size.min(81) + 1));
    }
    let whole = |word: &[u8]| word.len() == size && cells(word) == size;
    let good = words.iter().filter(|(_, word)| whole(word)).count();
    let is_meant = start > 0 || 2 * good * size > 81;
    let number = 81 / size;
    let mut found = Vec::new();
    for n in 0..number {
        let &(place, word) = words.get(n).unwrap_or(&(line.len(), b""));
        let is_last = n + 1 == number;
        let ends = |at: usize| word.get(at).is_none_or(|c| is_last && ENDS.contains(c));
        if cells(word) < size {
            return is_meant.then_some(Err(place + cells(word) + 1));
        }
        if !ends(size) {
            let is_sure = is_last && cells(word) == size;
            return (is_sure || is_meant).then_some(Err(place + size + 1));
        }
        found.extend(&word[..size]);
        if is_last {
            if size < 81
                && word.len() == size
                && let Some((next, word)) = words.get(number)
                && cells(word) == size
            {
                return Some(Err(next + 1));
            }
            found.extend(&line[place + size..]);
        }
    }
    Some(Ok(found))
}
