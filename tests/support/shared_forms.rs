//! The forms in which people share a puzzle, each written here by its rule.

/// Forms of one line a record.
pub const NOTATIONS: [&str; 4] = ["link", "sudokuexchange", "hodoku", "s9b"];

/// Forms of several lines a record.
pub const OF_SEVERAL_LINES: [&str; 2] = ["sdk", "box"];

/// A record of 81 cells, with points for blanks, in one of the forms above. No blank line stands beside it.
pub fn shared(form: &str, cells: &str) -> String {
    let zeros = cells.replace('.', "0");
    let rows = || (0..9).map(|row| &cells[9 * row..][..9]);
    match form {
        "link" => format!("https://www.sudokuwiki.org/sudoku.htm?bd={zeros}\n"),
        "sudokuexchange" => format!("https://sudokuexchange.com/play/?s={zeros}\n"),
        "hodoku" => format!(":0000:x:{cells}:::\n"),
        "s9b" => {
            let base_36 = |digit: char| format!("0{digit}");
            format!("S9B{}\n", zeros.chars().map(base_36).collect::<String>())
        }
        "sdk" => format!("[Puzzle]\n{}\n", rows().collect::<Vec<_>>().join("\n")),
        "box" => {
            let rule = |ends: [&str; 3]| {
                let [left, between, right] = ends;
                format!("{left}{}{right}\n", vec!["─".repeat(7); 3].join(between))
            };
            let row = |row: &str| {
                let cells = row.replace("", " ");
                let boxes = [&cells[..7], &cells[6..13], &cells[12..]];
                format!("│{}│\n", boxes.join("│"))
            };
            let rows = rows().map(row).collect::<Vec<_>>();
            let bands = [0, 3, 6].map(|row| rows[row..row + 3].concat());
            let rules = [["┌", "┬", "┐"], ["└", "┴", "┘"]].map(rule);
            let between = rule(["├", "┼", "┤"]);
            format!("{}{}{}", rules[0], bands.join(&between), rules[1])
        }
        other => panic!("no rule for {other}"),
    }
}
