//! Puzzles in any writing. Any text is read alike as a whole and in pieces, and with other line ends. A text that is
//! written by the rule of a format is read as its puzzles or refused, and never as another puzzle.

use super::{
    material,
    records::{self, Found, found},
};
use arbitrary::{Result, Unstructured};
use sudoku_batch::format::{DetectError, Layout, Records};

/// Reads a text, or writes one and reads it.
pub fn run(data: &[u8]) {
    let Some((&[how, size], rest)) = data.split_first_chunk() else {
        return;
    };
    if how % 2 == 0 {
        let mut text = material::text(rest);
        // Drawings are cut between grids, after 64 KiB at the earliest.
        if how % 16 == 2 && !text.is_empty() {
            text = text.repeat(LONG.div_ceil(text.len()));
        }
        check_any(&text, size.into());
    } else if let Ok(page) = Page::new(&mut Unstructured::new(rest)) {
        page.check();
        check_any(&page.text, size.into());
    }
}

/// The length of a text that is cut.
const LONG: usize = 160 << 10;

/// Checks the rules that hold for any text.
fn check_any(text: &[u8], size: usize) {
    let Ok((layout, pieces)) = Layout::pieces(text, None, None, size) else {
        return;
    };
    if !matches!(layout, Layout::Written(_)) {
        return;
    }
    // The first bytes choose as the whole text does.
    if let Some(head) = text.get(..Layout::HEAD)
        && let Ok(of_head) = Layout::detect(head, None, None)
        && of_head.is_certain(head)
    {
        assert_eq!(of_head.layout, layout, "{}", text.escape_ascii());
    }
    let body = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let whole = records::read(&layout, body);
    let mut in_pieces = Vec::new();
    for (lines, piece) in pieces {
        let mut records = Records::default();
        layout.read(piece, &mut records);
        in_pieces.extend(found(&records, lines));
    }
    assert_eq!(in_pieces, whole, "{layout:?}, {}", text.escape_ascii());
    let lengths = records::pieces(&layout, body, size);
    records::check_pieces(&layout, body, lengths);
    let lines = super::oracle::lines(body).len() as u64;
    let mut before = 1;
    for record in &whole {
        let is_there = (before..=lines).contains(&record.line);
        assert!(is_there, "{record:?} of {lines}: {}", text.escape_ascii());
        before = record.line;
        match &record.puzzle {
            Some(cells) => assert!(cells.iter().all(|cell| b".123456789".contains(cell))),
            None => assert!(record.column.is_some()),
        }
    }
    // Of a longer text the first lines choose, and a head has fewer of them if their ends are longer.
    if text.len() < 6 << 10 && !text.contains(&b'\r') {
        let other = with_returns(text);
        let found = Layout::detect(&other, None, None).map(|found| found.layout);
        assert_eq!(found.as_ref(), Ok(&layout), "{}", text.escape_ascii());
        let other = records::read(
            &layout,
            other.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&other),
        );
        let places = |records: &[Found]| -> Vec<_> {
            let places = records.iter().map(|record| (record.line, record.puzzle));
            places.collect()
        };
        assert_eq!(places(&other), places(&whole), "{}", text.escape_ascii());
    }
}

fn with_returns(text: &[u8]) -> Vec<u8> {
    let with_return = |&byte: &u8| match byte {
        b'\n' => b"\r\n".to_vec(),
        byte => vec![byte],
    };
    text.iter().flat_map(with_return).collect()
}

/// A text of puzzles with one solution, by the rule of a format.
struct Page {
    text: Vec<u8>,
    puzzles: Vec<[u8; 81]>,
}

/// The signs for blanks that every format with a sign may have.
const SIGNS: [&str; 12] = ["0", ".", "_", "*", "-", "?", "x", "X", "·", "–", "⬜", "□"];

/// The words for blanks of formats whose cells are apart.
const WORDS: [&str; 10] = [
    "0", ".", "None", "null", "-1", "NaN", "\"\"", "_", "0.0", "''",
];

/// Lines that stand among puzzles.
const JUNK: [&str; 10] = [
    "",
    "Puzzle",
    "# a comment",
    "A text about puzzles, with no digit.",
    "Number 5 was hard.",
    "-----",
    "level: 3",
    "2026-11-28 10:15:00",
    "```",
    "<p>",
];

impl Page {
    fn new(from: &mut Unstructured<'_>) -> Result<Self> {
        let mut puzzles = Vec::new();
        for _ in 0..from.int_in_range(1..=4)? {
            // The first four have one solution, and so have their images.
            let base = material::PUZZLES[from.int_in_range(0..=3usize)?];
            puzzles.push(material::image(from, base)?);
        }
        let format = from.int_in_range(0..=7)?;
        let style = Style::new(from)?;
        let between = *from.choose(&JUNK)?;
        let (first, last) = (*from.choose(&JUNK)?, *from.choose(&JUNK)?);
        let mut text = first.to_owned() + "\n";
        for (number, puzzle) in puzzles.iter().enumerate() {
            if number > 0 {
                text += &format!("{between}\n");
            }
            text += &style.written(puzzle, format);
            text += "\n";
        }
        text += last;
        if from.arbitrary()? {
            text += "\n";
        }
        Ok(Self {
            text: text.into_bytes(),
            puzzles,
        })
    }

    /// The records that are puzzles are those of the page, unless the text is refused. One that is malformed, or left out
    /// with its neighbours, is no other puzzle.
    fn check(&self) {
        let text = self.text.escape_ascii();
        let found = match Layout::detect(&self.text, None, None) {
            Ok(found) => found,
            Err(error) => {
                assert!(!matches!(error, DetectError::Twice { .. }), "{text}");
                return;
            }
        };
        for record in records::read(&found.layout, &self.text[found.skipped..]) {
            if let Some(cells) = record.puzzle {
                let is_its_own = self.puzzles.contains(&cells) || is_blank(&cells);
                assert!(is_its_own, "{:?} {record:?}\n{text}", found.layout);
            }
        }
    }
}

/// Few cells are no puzzle that anyone takes for one: what stands around the puzzles may be such.
fn is_blank(cells: &[u8; 81]) -> bool {
    cells.iter().filter(|&&cell| cell != b'.').count() < 17
}

/// The signs of a format.
struct Style {
    sign: &'static str,
    word: &'static str,
    /// The signs between cells, and between boxes.
    between: [&'static str; 2],
    /// The signs around a row.
    around: [&'static str; 2],
    /// The line between bands, and above and below all rows.
    rules: [&'static str; 2],
    labels: &'static [&'static str; 9],
    brackets: [&'static str; 2],
    name: &'static str,
}

const NO_LABELS: [&str; 9] = [""; 9];
const LABELS: [[&str; 9]; 4] = [
    ["A ", "B ", "C ", "D ", "E ", "F ", "G ", "H ", "I "],
    ["A|", "B|", "C|", "D|", "E|", "F|", "G|", "H|", "I|"],
    [
        "r1 ", "r2 ", "r3 ", "r4 ", "r5 ", "r6 ", "r7 ", "r8 ", "r9 ",
    ],
    [
        "1: ", "2: ", "3: ", "4: ", "5: ", "6: ", "7: ", "8: ", "9: ",
    ],
];

impl Style {
    fn new(from: &mut Unstructured<'_>) -> Result<Self> {
        let labels = [
            &NO_LABELS, &NO_LABELS, &LABELS[0], &LABELS[1], &LABELS[2], &LABELS[3],
        ];
        Ok(Self {
            sign: from.choose(&SIGNS)?,
            word: from.choose(&WORDS)?,
            between: *from.choose(&[
                ["", ""],
                [" ", " "],
                ["", " "],
                ["", "|"],
                [" ", " | "],
                ["  ", "  "],
                [" | ", " | "],
                [" ", " │ "],
            ])?,
            around: *from.choose(&[
                ["", ""],
                ["| ", " |"],
                ["|", "|"],
                ["> ", ""],
                ["  ", ""],
                ["│ ", " │"],
            ])?,
            rules: *from.choose(&[
                ["", ""],
                ["------+-------+------", ""],
                ["+-------+-------+-------+"; 2],
                ["│       │       │       │", ""],
                ["├───┼───┼───┤", "┌───┬───┬───┐"],
                ["===========", ""],
            ])?,
            labels: from.choose(&labels)?,
            brackets: *from.choose(&[["[", "]"], ["{", "}"], ["(", ")"]])?,
            name: from.choose(&[
                "",
                "puzzle = ",
                "no 7: ",
                "- ",
                "\"grid\": ",
                "https://example.org/?bd=",
            ])?,
        })
    }

    fn written(&self, puzzle: &[u8; 81], format: u8) -> String {
        let (sign, word) = (self.sign, self.word);
        let spread = |cells: &[u8], blank: &str, between: &str| {
            let cell = |&cell: &u8| match cell {
                b'.' => blank.to_owned(),
                digit => char::from(digit).to_string(),
            };
            cells.iter().map(cell).collect::<Vec<_>>().join(between)
        };
        let rows = || puzzle.chunks(9);
        match format {
            // 81 cells with a name.
            0 => format!("{}{}", self.name, spread(puzzle, sign, "")),
            // A drawing.
            1..=3 => {
                let [rule, end] = self.rules;
                let mut lines = vec![end.to_owned()];
                for (number, row) in rows().enumerate() {
                    if number == 3 || number == 6 {
                        lines.push(rule.to_owned());
                    }
                    let boxes = row
                        .chunks(3)
                        .map(|three| spread(three, sign, self.between[0]));
                    let boxes = boxes.collect::<Vec<_>>().join(self.between[1]);
                    let [left, right] = self.around;
                    lines.push(format!("{}{left}{boxes}{right}", self.labels[number]));
                }
                lines.push(end.to_owned());
                lines.retain(|line| !line.is_empty());
                lines.join("\n")
            }
            // Arrays.
            4 => {
                let [open, close] = self.brackets;
                let row = |row| format!("{open}{}{close}", spread(row, word, ", "));
                let rows: Vec<_> = rows().map(row).collect();
                format!("{}{open}{}{close}", self.name, rows.join(",\n "))
            }
            // Nine columns, and 81.
            5 => rows()
                .map(|row| spread(row, word, ","))
                .collect::<Vec<_>>()
                .join("\n"),
            6 => spread(puzzle, word, ";"),
            // Cells apart.
            _ => format!("{}{}", self.name, spread(puzzle, sign, " ")),
        }
    }
}
