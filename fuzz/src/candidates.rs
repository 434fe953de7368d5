//! Records of 729 candidates: every format both ways, one byte changed against the rule of
//! `docs/using.md` written once more, and both engines against each other.

use sudoku_batch::{
    Candidates, Engine, Solver,
    format::{Form, Layout, Records, Writer},
    grid::Digits,
};

/// Makes up candidates, and a change of their text.
pub fn run(data: &[u8]) {
    let byte = |at: usize| data.get(at).copied().unwrap_or(0);
    let cells = std::array::from_fn(|cell| {
        let bits = u16::from(byte(2 * cell)) | u16::from(byte(2 * cell + 1)) << 8;
        let digits = Digits::from_bits(bits);
        if digits.is_empty() {
            Digits::ALL
        } else {
            digits
        }
    });
    let candidates = Candidates::from_cells(&cells);
    let text = candidates.to_string();
    assert_eq!(text.parse(), Ok(candidates));
    let mut records = Records::default();
    Layout::Line.read(text.as_bytes(), &mut records);
    for form in [
        Form::Candidates,
        Form::Line,
        Form::Csv,
        Form::Jsonl,
        Form::Text,
        Form::Pencilmarks,
    ] {
        let writer = Writer::new(form, Layout::Line, Vec::new(), "\n");
        let mut written = Vec::new();
        writer.header(&mut written).expect("memory");
        let row = writer.row(&records, 0, |_| b"", &mut written);
        row.expect("memory");
        let found = Layout::detect(&written, Some(form), None).expect("it was written so");
        let mut again = Records::default();
        found.layout.read(&written[found.skipped..], &mut again);
        assert_eq!(
            (again.len(), again.candidates(0)),
            (1, Some(&candidates)),
            "{form}"
        );
    }
    let mut changed = text.into_bytes();
    let place = usize::from(u16::from_le_bytes([byte(162), byte(163)])) % 729;
    changed[place] = byte(164);
    let mut again = Records::default();
    Layout::Line.read(&changed, &mut again);
    if let Some(error) = malformed(&changed).filter(|_| again.len() == 1) {
        assert_eq!(again.error(0).map(|error| error.column), Some(error));
    }
    let counts = [Engine::Scalar, Engine::Sliced].map(|engine| {
        let mut solver = Solver::new().with_engine(engine);
        solver.count_batch(&[candidates], 3)
    });
    assert_eq!(counts[0], counts[1], "{candidates}");
}

/// The column of the first byte that is neither its digit nor a blank, or of the first cell without a
/// candidate, where a line of 729 bytes is one word that begins with more than 81 cells.
fn malformed(line: &[u8]) -> Option<usize> {
    let is_cell = |c: &u8| c.is_ascii_digit() || *c == b'.';
    let wrong = |place: &usize| {
        !matches!(line[*place], b'.' | b'0') && usize::from(line[*place]) != 49 + place % 9
    };
    let run = line.iter().take_while(|c| is_cell(c)).count();
    let word = line
        .iter()
        .take_while(|c| c.is_ascii_graphic() && !b",;:#".contains(c))
        .count();
    if run <= 81 || word <= 405 {
        return None;
    }
    if let Some(place) = (0..line.len()).find(wrong) {
        return Some(place + 1);
    }
    let empty = line
        .chunks(9)
        .position(|cell| cell.iter().all(|c| matches!(c, b'.' | b'0')));
    empty.map(|cell| 9 * cell + 1)
}
