//! `filter --where`: conditions on the columns of the input. The tests have trees of their own, which they write as
//! expressions and evaluate on the values that they put into the files.

use crate::support::{
    cases, has_turn,
    process::{Ran, ran},
    puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS},
    runner::Folder,
};
use std::{collections::BTreeSet, fmt::Write};
use sudoku_batch_test_support::random_words::Words;

/// Compares what was printed line by line, so that a failure shows the lines that differ.
#[track_caller]
fn are_equal(printed: &str, expected: &str, what: &str) {
    for (number, (line, wanted)) in printed.split('\n').zip(expected.split('\n')).enumerate() {
        assert_eq!(line, wanted, "{what}, line {}", number + 1);
    }
    assert_eq!(printed.len(), expected.len(), "{what}");
}

/// Runs `filter --where` with these arguments.
fn run(folder: &Folder, condition: &str, arguments: &str) -> Ran {
    let mut command = folder.command("filter");
    command.args(["--where", condition]);
    ran(command.args(arguments.split_whitespace()))
}

/// Values of columns, each with the number that it is, in thousandths, if it is one.
const VALUES: &[(&str, Option<i128>)] = &[
    ("7", Some(7_000)),
    ("7.0", Some(7_000)),
    ("007", Some(7_000)),
    ("+7", Some(7_000)),
    (" 7 ", Some(7_000)),
    ("0.7e1", Some(7_000)),
    ("7.001", Some(7_001)),
    ("6.999", Some(6_999)),
    ("1e3", Some(1_000_000)),
    ("1E3", Some(1_000_000)),
    ("1000", Some(1_000_000)),
    ("-0", Some(0)),
    ("0", Some(0)),
    (".0", Some(0)),
    ("-1", Some(-1_000)),
    ("-1.5", Some(-1_500)),
    ("-15e-1", Some(-1_500)),
    ("24", Some(24_000)),
    ("25", Some(25_000)),
    // One more than a number of 64 bits with a fraction can hold.
    ("9007199254740992", Some(9_007_199_254_740_992_000)),
    ("9007199254740993", Some(9_007_199_254_740_993_000)),
    ("18446744073709551616", Some(18_446_744_073_709_551_616_000)),
    (
        "123456789012345678901234567890",
        Some(123_456_789_012_345_678_901_234_567_890_000),
    ),
    (
        "123456789012345678901234567891",
        Some(123_456_789_012_345_678_901_234_567_891_000),
    ),
    ("", None),
    ("  ", None),
    ("unique", None),
    ("Unique", None),
    ("it's", None),
    ("say \"no\"", None),
    ("a, b; c", None),
    ("7,5", None),
    ("1_000", None),
    ("10k", None),
    ("NaN", None),
    ("inf", None),
    ("0x7", None),
    ("größer", None),
    ("数独", None),
    ("null", None),
];

/// Returns true if a value says nothing.
fn is_missing(value: &str) -> bool {
    value.trim().is_empty()
}

/// The columns of the files, without the puzzle: an expression writes each in one of these ways.
const COLUMNS: [&[&str]; 3] = [
    &["er", "ER", "[er]"],
    &["[my clues]", "[My Clues]"],
    &["größe", "GRÖßE", "[größe]"],
];

const NAMES: [&str; 3] = ["er", "my clues", "größe"];

/// A value in an expression: a number, by its place in [`VALUES`], or a text.
#[derive(Clone, Copy, Debug)]
enum Literal {
    Number(usize),
    Text(usize),
}

#[derive(Clone, Debug)]
enum Tree {
    Any(Vec<Tree>),
    All(Vec<Tree>),
    Not(Box<Tree>),
    Missing(usize),
    Present(usize),
    /// A column, a sign and a value.
    Compare(usize, &'static str, Literal),
    /// A column, whether it is `not in`, and ranges.
    In(usize, bool, Vec<[Option<Literal>; 2]>),
}

const SIGNS: [&str; 8] = ["=", "==", "!=", "<>", "<", "<=", ">", ">="];

impl Literal {
    fn random(words: &mut Words) -> Self {
        let at = words.below(VALUES.len());
        match VALUES[at].1 {
            Some(_) if words.below(4) > 0 => Self::Number(at),
            _ => Self::Text(at),
        }
    }

    fn written(self, words: &mut Words) -> String {
        match self {
            Self::Number(at) => VALUES[at].0.trim().to_owned(),
            Self::Text(at) => {
                let quote = ["'", "\""][words.below(2)];
                let doubled = VALUES[at].0.replace(quote, &quote.repeat(2));
                format!("{quote}{doubled}{quote}")
            }
        }
    }

    /// The order of a value of a column and this one, if they can be compared.
    fn order(self, value: usize) -> Option<std::cmp::Ordering> {
        let (text, number) = VALUES[value];
        match self {
            Self::Number(at) => Some(number?.cmp(&VALUES[at].1.unwrap())),
            Self::Text(at) => (!is_missing(text)).then(|| text.chars().cmp(VALUES[at].0.chars())),
        }
    }
}

impl Tree {
    fn random(words: &mut Words, depth: usize) -> Self {
        let column = words.below(COLUMNS.len());
        let below = depth.saturating_sub(1);
        match words.below(if depth == 0 { 5 } else { 9 }) {
            0 => Self::Missing(column),
            1 => Self::Present(column),
            2 | 3 => Self::Compare(column, SIGNS[words.below(8)], Literal::random(words)),
            4 => {
                let count = 1 + words.below(3);
                let ranges = (0..count).map(|_| range(words)).collect();
                Self::In(column, words.below(2) == 0, ranges)
            }
            5 => Self::Not(Self::random(words, below).into()),
            6 => Self::Any(
                (0..2 + words.below(2))
                    .map(|_| Self::random(words, below))
                    .collect(),
            ),
            _ => Self::All(
                (0..2 + words.below(2))
                    .map(|_| Self::random(words, below))
                    .collect(),
            ),
        }
    }

    /// How tightly it binds: `or` the least.
    fn strength(&self) -> u8 {
        match self {
            Self::Any(_) => 0,
            Self::All(_) => 1,
            _ => 2,
        }
    }

    /// Writes it as an expression, with brackets where they are needed and now and then elsewhere.
    fn write(&self, least: u8, words: &mut Words, out: &mut String) {
        if self.strength() < least || words.below(5) == 0 {
            out.push_str(["(", "( "][words.below(2)]);
            self.write_inside(words, out);
            out.push(')');
        } else {
            self.write_inside(words, out);
        }
    }

    fn write_inside(&self, words: &mut Words, out: &mut String) {
        let word = |words: &mut Words, text: &str| match words.below(3) {
            0 => text.to_uppercase(),
            _ => text.to_owned(),
        };
        let column = |words: &mut Words, column: &usize| {
            let names = COLUMNS[*column];
            names[words.below(names.len())].to_owned()
        };
        let space = |words: &mut Words| ["", " ", "  "][words.below(3)];
        match self {
            Self::Any(trees) | Self::All(trees) => {
                let between = ["or", "and"][usize::from(self.strength())];
                for (number, tree) in trees.iter().enumerate() {
                    if number > 0 {
                        write!(out, " {} ", word(words, between)).unwrap();
                    }
                    tree.write(self.strength() + 1, words, out);
                }
            }
            Self::Not(tree) => {
                write!(out, "{} ", word(words, "not")).unwrap();
                tree.write(2, words, out);
            }
            Self::Missing(at) | Self::Present(at) => {
                let state = if matches!(self, Self::Missing(_)) {
                    "missing"
                } else {
                    "present"
                };
                let [is, state] = ["is", state].map(|text| word(words, text));
                write!(out, "{} {is} {state}", column(words, at)).unwrap();
            }
            Self::Compare(at, sign, literal) => {
                let (before, after) = (space(words), space(words));
                let (column, literal) = (column(words, at), literal.written(words));
                write!(out, "{column}{before}{sign}{after}{literal}").unwrap();
            }
            Self::In(at, is_not, ranges) => {
                let not = if *is_not {
                    word(words, "not") + " "
                } else {
                    String::new()
                };
                write!(out, "{} {not}{} ", column(words, at), word(words, "in")).unwrap();
                let needs = ranges.len() > 1 || words.below(2) == 0;
                let mut written = Vec::new();
                for [from, to] in ranges {
                    let ends = [from, to].map(|end| end.map(|end| end.written(words)));
                    written.push(match (ends, from, to) {
                        ([Some(from), Some(to)], Some(a), Some(b))
                            if same(*a, *b) && from == to =>
                        {
                            from
                        }
                        ([from, to], ..) => {
                            let dots = ["..", " .. ", "..="][words.below(3)];
                            format!(
                                "{}{dots}{}",
                                from.unwrap_or_default(),
                                to.unwrap_or_default()
                            )
                        }
                    });
                }
                let written = written.join([",", ", "][words.below(2)]);
                out.push_str(&if needs {
                    format!("({written})")
                } else {
                    written
                });
            }
        }
    }

    /// Returns true if a record fulfils it that has these values.
    fn holds(&self, record: &[usize; 3]) -> bool {
        match self {
            Self::Any(trees) => trees.iter().any(|tree| tree.holds(record)),
            Self::All(trees) => trees.iter().all(|tree| tree.holds(record)),
            Self::Not(tree) => !tree.holds(record),
            Self::Missing(column) => is_missing(VALUES[record[*column]].0),
            Self::Present(column) => !is_missing(VALUES[record[*column]].0),
            Self::Compare(column, sign, literal) => {
                literal
                    .order(record[*column])
                    .is_some_and(|order| match *sign {
                        "=" | "==" => order.is_eq(),
                        "!=" | "<>" => order.is_ne(),
                        "<" => order.is_lt(),
                        "<=" => order.is_le(),
                        ">" => order.is_gt(),
                        _ => order.is_ge(),
                    })
            }
            Self::In(column, is_not, ranges) => {
                let value = record[*column];
                let known =
                    |end: &Option<Literal>| end.is_none_or(|end| end.order(value).is_some());
                let has = |[from, to]: &[Option<Literal>; 2]| {
                    let is_over =
                        from.is_none_or(|from| from.order(value).is_some_and(|o| o.is_ge()));
                    let is_under = to.is_none_or(|to| to.order(value).is_some_and(|o| o.is_le()));
                    is_over && is_under
                };
                if *is_not {
                    ranges
                        .iter()
                        .all(|range| range.iter().all(known) && !has(range))
                } else {
                    ranges.iter().any(has)
                }
            }
        }
    }
}

fn same(a: Literal, b: Literal) -> bool {
    matches!(
        (a, b),
        (Literal::Number(_), Literal::Number(_)) | (Literal::Text(_), Literal::Text(_))
    )
}

/// A range with the smaller end first, or one value.
fn range(words: &mut Words) -> [Option<Literal>; 2] {
    let mut ends = [(); 2].map(|()| Literal::random(words));
    while !same(ends[0], ends[1]) {
        ends[1] = Literal::random(words);
    }
    let is_less = match ends {
        [Literal::Number(a), Literal::Number(b)] => VALUES[a].1 <= VALUES[b].1,
        [Literal::Text(a), Literal::Text(b)] => VALUES[a].0 <= VALUES[b].0,
        _ => unreachable!("they are of one kind"),
    };
    if !is_less {
        ends.swap(0, 1);
    }
    match words.below(4) {
        0 => [Some(ends[0]), None],
        1 => [None, Some(ends[0])],
        2 => [Some(ends[0]); 2],
        _ => ends.map(Some),
    }
}

/// The values of records, by their places in [`VALUES`].
fn records(words: &mut Words, count: usize) -> Vec<[usize; 3]> {
    (0..count)
        .map(|_| [(); 3].map(|()| words.below(VALUES.len())))
        .collect()
}

/// A table of records: its header, and its rows.
fn table(records: &[[usize; 3]], delimiter: char, words: &mut Words) -> (String, Vec<String>) {
    let header = ["id", NAMES[0], "puzzle", NAMES[1], NAMES[2]].join(&delimiter.to_string());
    let rows = records.iter().enumerate().map(|(number, record)| {
        let field = |at: usize, words: &mut Words| {
            let text = VALUES[record[at]].0;
            let needs = text.contains([delimiter, '"']);
            match needs || words.below(3) == 0 {
                true => format!("\"{}\"", text.replace('"', "\"\"")),
                false => text.to_owned(),
            }
        };
        let values = [0, 1, 2].map(|at| field(at, words));
        let puzzle = PUZZLES[number % 2].to_owned();
        [
            number.to_string(),
            values[0].clone(),
            puzzle,
            values[1].clone(),
            values[2].clone(),
        ]
        .join(&delimiter.to_string())
    });
    (header, rows.collect())
}

/// Objects of records: a number of JSON, a string, null for a value that is missing, or no key.
fn objects(records: &[[usize; 3]], words: &mut Words) -> Vec<String> {
    let records = records.iter().enumerate();
    records
        .map(|(number, record)| {
            let mut members = vec![format!("\"id\": {number}")];
            for (at, name) in NAMES.into_iter().enumerate() {
                let text = VALUES[record[at]].0;
                let is_number = serde_json::from_str::<serde_json::Number>(text).is_ok();
                let is_json = is_number && !text.contains(' ');
                let value = match words.below(3) {
                    // The first object gives the columns.
                    0 if is_missing(text) && number > 0 => continue,
                    1 if is_missing(text) => "null".to_owned(),
                    1 if is_json => text.to_owned(),
                    _ => serde_json::to_string(text).unwrap(),
                };
                members.push(format!("\"{name}\":{value}"));
                if at == 0 {
                    members.push(format!("\"puzzle\":\"{}\"", PUZZLES[number % 2]));
                }
            }
            // The key of the puzzle is in each object, also where that of `er` is not.
            if !members
                .iter()
                .any(|member| member.starts_with("\"puzzle\""))
            {
                members.push(format!("\"puzzle\":\"{}\"", PUZZLES[number % 2]));
            }
            format!("{{{}}}", members.join(", "))
        })
        .collect()
}

/// Random expressions on tables and JSON lines of awkward values keep what the trees say that they were written from.
#[test]
fn random_expressions_are_what_they_say() {
    let mut words = Words::new(20);
    let records = records(&mut words, 300);
    let mut files = Vec::new();
    let mut folder = Folder::new();
    for (name, delimiter) in [("c.csv", ','), ("s.csv", ';'), ("t.tsv", '\t')] {
        let (header, rows) = table(&records, delimiter, &mut words);
        folder = folder.with(name, format!("{header}\n{}\n", rows.join("\n")));
        files.push((name, header + "\n", rows));
    }
    let lines = objects(&records, &mut words);
    folder = folder
        .with("o.jsonl", lines.join("\n") + "\n")
        .with("a.json", format!("[\n{}\n]\n", lines.join(",\n")));
    files.push(("o.jsonl", String::new(), lines.clone()));
    files.push(("a.json", String::new(), lines));
    let mut kept = BTreeSet::new();
    for case in 0..cases(24) {
        let tree = Tree::random(&mut words, 3);
        let mut condition = String::new();
        tree.write(0, &mut words, &mut condition);
        let holds: Vec<_> = records.iter().map(|record| tree.holds(record)).collect();
        kept.insert(holds.iter().filter(|holds| **holds).count());
        for (number, (file, header, rows)) in files.iter().enumerate() {
            if !has_turn(case + number, 2) {
                continue;
            }
            for (options, sign) in [("", true), ("--invert -j 1", false), ("-j 8", true)] {
                let rows = rows.iter().zip(&holds).filter(|(_, holds)| **holds == sign);
                let expected: String = rows.map(|(row, _)| format!("{row}\n")).collect();
                let ran = run(&folder, &condition, &format!("-q {options} {file}")).status(0);
                are_equal(
                    &ran.stdout,
                    &format!("{header}{expected}"),
                    &format!("{condition} {options} {file}"),
                );
            }
        }
    }
    assert!(kept.len() > 12, "{kept:?}");
}

/// A table of ids and values, and the ids that conditions keep.
#[track_caller]
fn keeps(values: &[&str], conditions: &[(&str, &[usize])]) {
    let mut text = String::from("id,v,w,puzzle\n");
    for (number, value) in values.iter().enumerate() {
        let value = value.replace('"', "\"\"");
        writeln!(text, "{number},\"{value}\",{},{}", number % 2, PUZZLES[0]).unwrap();
    }
    let folder = Folder::new().with("t.csv", text);
    for (condition, ids) in conditions {
        let ran = run(&folder, condition, "-q t.csv --columns id").status(0);
        let kept: Vec<usize> = ran
            .stdout
            .lines()
            .skip(1)
            .map(|id| id.parse().unwrap())
            .collect();
        assert_eq!(kept, *ids, "{condition}");
    }
}

/// A value that is missing, or is no number, makes every comparison with a number false; `not` turns the result round.
#[test]
fn values_that_cannot_be_compared() {
    keeps(
        &["7", "", "x", "  ", "7.0", "8"],
        &[
            ("v = 7", &[0, 4]),
            ("v != 7", &[5]),
            ("not v = 7", &[1, 2, 3, 5]),
            ("v < 7 or v >= 7", &[0, 4, 5]),
            ("v in 7..", &[0, 4, 5]),
            ("v not in (7, 9..)", &[5]),
            ("not v in (7, 9..)", &[1, 2, 3, 5]),
            ("v = '7'", &[0]),
            ("v != '7'", &[2, 4, 5]),
            ("v = ''", &[]),
            ("v != ''", &[0, 2, 4, 5]),
            ("v is missing", &[1, 3]),
            ("v is present", &[0, 2, 4, 5]),
            ("not v is missing and v >= 'x'", &[2]),
            ("v in ('7', 'x')", &[0, 2]),
            ("v in (7, 'x')", &[0, 2, 4]),
            ("v not in (7, 'x')", &[5]),
        ],
    );
}

/// `not` binds the most, then `and`, then `or`; words are read in any case, and spaces do not matter.
#[test]
fn words_bind_as_usual() {
    keeps(
        &["1", "2", "3", "4"],
        &[
            ("v=1 or v=2 and w=0", &[0]),
            ("(v=1 or v=2) and w=1", &[1]),
            ("not v=1 and w=0", &[2]),
            ("not (v=1 and w=0)", &[1, 2, 3]),
            ("NOT NOT v=1", &[0]),
            ("v=1 OR v=2 Or v=3 oR v=4", &[0, 1, 2, 3]),
            ("V In(1,2..3)AND W Is Present", &[0, 1, 2]),
            ("\tv\n=\n1\n", &[0]),
            ("v in 2..3", &[1, 2]),
            ("v in ..2", &[0, 1]),
            ("v in 3..=4 and w = 1", &[3]),
            ("v in 2.. and w = 1", &[1, 3]),
            ("(v in 3..) or v in 1", &[0, 2, 3]),
            ("[v]=1", &[0]),
            // A table has numbers of columns too.
            ("[2] >= 4", &[3]),
            ("puzzle = 'x' or id = 2", &[2]),
        ],
    );
}

/// Texts keep their quotes, their case and their spaces. They have the order of their characters.
#[test]
fn texts_are_compared_by_characters() {
    keeps(
        &[
            "it's",
            "say \"no\"",
            "Zebra",
            "zebra",
            " zebra",
            "é",
            "😀",
            "2024-05-01",
        ],
        &[
            ("v = 'it''s'", &[0]),
            ("v = \"it's\"", &[0]),
            ("v = \"say \"\"no\"\"\"", &[1]),
            ("v = 'say \"no\"'", &[1]),
            ("v = 'zebra'", &[3]),
            ("v = ' zebra'", &[4]),
            ("v > 'zebra'", &[5, 6]),
            ("v in 'A'..'z'", &[0, 1, 2]),
            ("v >= '2024-01-01' and v < '2025'", &[7]),
            ("v in '2024'..'2024-12-31'", &[7]),
        ],
    );
}

/// The place of an error is marked below the expression, and nothing is read.
#[test]
fn errors_of_an_expression_show_the_place() {
    let folder = Folder::new().with("t.csv", format!("er,puzzle\n7,{}\n", PUZZLES[0]));
    let deep = "(".repeat(20_000);
    let many = "not ".repeat(20_000) + "er = 7";
    for (condition, place, message) in [
        ("", 1, "a column is wanted"),
        (
            "er",
            3,
            "a comparison such as = or >=, in, or is missing is wanted behind er",
        ),
        ("er >", 5, "a number, or a text in quotes, is wanted"),
        ("er => 7", 5, "a number, or a text in quotes, is wanted"),
        ("er = unique", 6, "a text stands in quotes: 'unique'"),
        ("er = [x]", 6, "columns are not compared with each other"),
        (
            "7 <= er",
            1,
            "a column is wanted, and the number behind it: rating >= 7",
        ),
        (
            "'my er' = 7",
            1,
            "its name stands in brackets and not in quotes: [my er]",
        ),
        (
            "and = 7",
            1,
            "one that is called and stands in brackets: [and]",
        ),
        ("er = 7 and", 11, "a column is wanted"),
        ("er = 7 er = 8", 8, "and, or or the end is wanted"),
        (
            "5 < er < 7",
            1,
            "a column is wanted, and the number behind it",
        ),
        ("er > 5 < 7", 8, "a test has one comparison"),
        ("(er = 7", 8, "and, or or a closing bracket is wanted"),
        ("er = 7)", 7, "no bracket is open here"),
        ("er = 7 && er = 8", 8, "&& means nothing here: write and"),
        ("er = 7 | er = 8", 8, "| means nothing here: write or"),
        ("!(er = 7)", 1, "! means nothing here: write not"),
        ("er≥7", 3, "≥ means nothing here: write >="),
        ("er = 7; x = 1", 7, "';' means nothing here"),
        (
            "`er` = 7",
            1,
            "a name with spaces stands in brackets: [my column]",
        ),
        ("er = 'x", 6, "the text has no end: ' is missing"),
        ("er = \"x\"\"", 6, "the text has no end: \" is missing"),
        ("[er = 7", 1, "the name has no end: ] is missing"),
        ("[ ] = 7", 1, "the brackets hold no name"),
        (
            "er = 10k",
            6,
            "10k is no number; a text stands in quotes, '10k'",
        ),
        ("2nd = 7", 1, "in brackets, [2nd]"),
        ("er = 1.2.3", 6, "1.2.3 is no number"),
        ("er is null", 7, "missing or present is wanted behind is"),
        ("er not 7", 8, "in is wanted behind not"),
        (
            "er in 7, 8",
            8,
            "several values stand in brackets: clues in (22, 24)",
        ),
        ("er in (7, 8", 12, "a comma or a closing bracket is wanted"),
        ("er in ()", 8, "a number, or a text in quotes, is wanted"),
        ("er in ..", 7, "a range has one end or two"),
        ("er in 8..7", 7, "the smaller end of a range comes first"),
        (
            "er in 'b'..'a'",
            7,
            "the smaller end of a range comes first",
        ),
        (
            "er in 7..'a'",
            7,
            "the ends of a range are two numbers or two texts",
        ),
        ("er in 0...5", 8, "a range has two dots: 7..8"),
        ("größe größer 7", 7, "is wanted behind größe"),
        (
            &deep,
            201,
            "brackets and words not are nested more than 200 deep",
        ),
        (
            &many,
            801,
            "brackets and words not are nested more than 200 deep",
        ),
    ] {
        let shown = &condition[..condition.len().min(40)];
        let ran = run(&folder, condition, "t.csv -o out.csv")
            .status(2)
            .prints("");
        let ran = ran.says("'--where <EXPR>'").says(message);
        assert!(
            ran.stderr.contains(&format!("character {place}: ")),
            "{shown}: {}",
            ran.stderr
        );
        let mut lines = ran
            .stderr
            .lines()
            .rev()
            .skip_while(|line| line.trim() != "^");
        let (mark, line) = (lines.next().unwrap(), lines.next().unwrap());
        assert!(line.chars().count() <= 80, "{line}");
        // The character above the mark is the one that is meant.
        let above = line.chars().nth(mark.chars().count() - 1).unwrap_or(' ');
        let meant = condition.chars().nth(place - 1).unwrap_or(' ');
        assert_eq!(above, meant, "{shown}\n{}", ran.stderr);
        assert!(!folder.file("out.csv").exists());
    }
}

/// Whatever is written, the program answers or says what is wrong.
#[test]
fn no_expression_ends_the_program() {
    let folder = Folder::new().with("t.csv", format!("er,puzzle\n7,{}\n", PUZZLES[0]));
    let parts = [
        "er",
        "[",
        "]",
        "(",
        ")",
        "'",
        "\"",
        "=",
        "<",
        ">",
        "!",
        "..",
        ".",
        "7",
        "-",
        "+",
        "e",
        "1e9",
        " ",
        " ",
        "and",
        " or ",
        "not ",
        " in ",
        " is ",
        "missing",
        ",",
        "é",
        "😀",
        "\u{a0}",
        "\n",
        "[er]",
        "er=7",
        "er in (1,2)",
    ];
    let mut words = Words::new(21);
    let (mut good, mut wrong) = (0, 0);
    for _ in 0..cases(100) {
        let count = 1 + words.below(8);
        let condition: String = (0..count)
            .map(|_| parts[words.below(parts.len())])
            .collect();
        // An argument that begins with a dash is taken for an option.
        let mut command = folder.command("filter -q t.csv");
        let ran = ran(command.arg(format!("--where={condition}")));
        match ran.status {
            Some(0) => good += 1,
            Some(2) => wrong += 1,
            status => panic!("{condition:?}: {status:?} {}", ran.stderr),
        }
    }
    assert!(good > 0 && wrong > 0, "{good} {wrong}");
}

/// A column that is not there is refused before work begins, with the columns that are there.
#[test]
fn unknown_columns_are_named_with_those_there_are() {
    let [p, q] = PUZZLES;
    let folder = Folder::new()
        .with("t.csv", format!("Id,puzzle,note\n7,{p},x\n"))
        .with("plain.csv", format!("7,{p}\n8,{q}\n"))
        .with("alike.csv", format!("Er,puzzle,ER\n7,{p},8\n"))
        .with("twice.csv", format!("er,puzzle,er\n7,{p},8\n"))
        .with(
            "o.jsonl",
            format!("{{\"id\":1,\"puzzle\":\"{p}\",\"meta\":{{\"er\":7}}}}\n"),
        )
        .with("l.txt", format!("{p}\n{q}\n"))
        .with(
            "b.txt",
            p.as_bytes()
                .chunks(9)
                .map(|row| [row, b"\n"].concat())
                .collect::<Vec<_>>()
                .concat(),
        );
    let rate = "rate makes the column er: sudoku-batch rate FILE --format csv | sudoku-batch filter --where \"er …\"";
    for (file, condition, messages) in [
        (
            "t.csv",
            "er > 7",
            &["there is no column er; one of: Id, puzzle, note; ", rate][..],
        ),
        (
            "t.csv",
            "rating > 7",
            &[
                "there is no column rating; one of: Id, puzzle, note; ",
                rate,
            ],
        ),
        (
            "t.csv",
            "note = 'x' or te > 1",
            &[
                "no column te; one of: Id, puzzle, note; rate --te makes the column te",
                "sudoku-batch rate --te FILE --format csv",
            ],
        ),
        (
            "t.csv",
            "clues > 1",
            &["no column clues;", "--clues A..B needs no column"],
        ),
        (
            "t.csv",
            "nonsense > 1",
            &["there is no column nonsense; one of: Id, puzzle, note\n"],
        ),
        (
            "t.csv",
            "[note ] = 'x' and [no te] = 'x'",
            &["there is no column note ;"],
        ),
        (
            "plain.csv",
            "er > 7",
            &["there is no column er; one of: 1, 2;"],
        ),
        (
            "alike.csv",
            "eR > 7",
            &["the columns Er and ER differ in case alone"],
        ),
        ("twice.csv", "er > 7", &["er"]),
        (
            "o.jsonl",
            "er > 7",
            &["there is no column er; one of: id, puzzle, meta;"],
        ),
        (
            "o.jsonl",
            "meta.er > 6 and meta.ep > 6",
            &["there is no column meta.ep;"],
        ),
        (
            "l.txt",
            "er > 7",
            &[
                "there is no column er; one of: before, puzzle, after, and the number of a word of the line",
                "; the format line has no names of other columns; ",
                rate,
            ],
        ),
        (
            "b.txt",
            "er > 7",
            &["; the format block has no names of other columns; ", rate],
        ),
    ] {
        let ran = run(&folder, condition, &format!("{file} -o out"))
            .status(2)
            .prints("");
        let ran = ran.says(&format!("sudoku-batch: {file}: --where: "));
        for message in messages {
            assert!(
                ran.stderr.contains(message),
                "{file} {condition}: {}",
                ran.stderr
            );
        }
        assert!(!folder.file("out").exists());
    }
}

/// Names are found as `--columns` finds them: in any case, with an exact name first, nested keys with dots, words of
/// lines by their numbers, and titles.
#[test]
fn names_are_those_of_columns() {
    let [p, q] = PUZZLES;
    let block = |puzzle: &str| {
        puzzle
            .as_bytes()
            .chunks(9)
            .map(|row| String::from_utf8_lossy(row) + "\n")
            .collect::<String>()
    };
    let folder = Folder::new()
        .with("exact.csv", format!("Er,er,[x],puzzle\n1,2,3,{p}\n2,1,4,{q}\n"))
        .with("plain.csv", format!("7,{p}\n8,{q}\n"))
        .with(
            "o.jsonl",
            format!("{{\"Puzzle\":\"{p}\",\"Meta\":{{\"Er\":7.2}}}}\n{{\"Puzzle\":\"{q}\",\"Meta\":{{\"Er\":\"8\"}}}}\n"),
        )
        .with("l.txt", format!("{p} easy 1.2\n{q} hard 7.1\n"))
        .with("w.txt", format!("0f {p} 1.2\n0e {q} 7.1\n"))
        .with("b.txt", format!("First one\n{}\nSecond one\n{}", block(p), block(q)));
    for (file, condition, kept) in [
        ("exact.csv", "Er = 1", 0),
        ("exact.csv", "er = 1", 1),
        ("exact.csv", "[[x]]] = 4 and Er > 1 and er < 2", 1),
        ("exact.csv", "[2] = 2", 0),
        ("plain.csv", "[1] = 7", 0),
        ("o.jsonl", "meta.er = 8", 1),
        ("o.jsonl", "META.ER < 8", 0),
        ("l.txt", "[3] >= 7", 1),
        ("l.txt", "[-1] < 7", 0),
        ("l.txt", "after = 'hard 7.1'", 1),
        ("w.txt", "before = '0f'", 0),
        ("w.txt", "[-1] = 7.10", 1),
        ("b.txt", "before = 'Second one'", 1),
    ] {
        let ran = run(
            &folder,
            condition,
            &format!("-q {file} --columns puzzle --format line"),
        )
        .status(0);
        let kept = PUZZLES[kept];
        assert_eq!(ran.stdout.lines().last(), Some(kept), "{file} {condition}");
        assert_eq!(ran.stdout.matches(kept).count(), 1);
        let others = PUZZLES
            .iter()
            .filter(|puzzle| ran.stdout.contains(**puzzle));
        assert_eq!(others.count(), 1, "{file} {condition}");
    }
}

/// Each input has the columns of its own header.
#[test]
fn each_input_has_its_own_columns() {
    let [p, q] = PUZZLES;
    let folder = Folder::new()
        .with("a.csv", format!("er,puzzle\n7,{p}\n2,{q}\n"))
        .with("b.csv", format!("note,puzzle,ER\n1,{q},8\n9,{p},2\n"))
        .with(
            "c.jsonl",
            format!("{{\"puzzle\":\"{q}\",\"er\":9}}\n{{\"puzzle\":\"{p}\",\"er\":null}}\n"),
        )
        .with("d.csv", format!("note,puzzle\n7,{p}\n"));
    let ran = run(&folder, "er > 6", "-q a.csv b.csv c.jsonl --format line").status(0);
    ran.prints(&format!("{p}\n{q}\n{q}\n"));
    let ran = run(&folder, "er > 6", "-q a.csv b.csv --output-dir out")
        .status(0)
        .prints("");
    drop(ran);
    assert_eq!(folder.read("out/a.csv"), format!("er,puzzle\n7,{p}\n"));
    assert_eq!(
        folder.read("out/b.csv"),
        format!("note,puzzle,ER\n1,{q},8\n")
    );
    let ran = run(
        &folder,
        "er > 6",
        "-q a.csv d.csv --format line -o whole.txt",
    )
    .status(2);
    ran.says("d.csv: --where: there is no column er");
    assert!(!folder.file("whole.txt").exists());
}

/// All conditions hold, or with `--invert` not all. Malformed records are reported, and their neighbours stay as they
/// were read, byte for byte.
#[test]
fn it_holds_together_with_the_other_conditions() {
    let [p, q] = PUZZLES;
    // The first has an ER of 4.5, is minimal and takes guesses. Singles solve the second, which is not minimal.
    let hard = |puzzle: &str| puzzle == p;
    let kinds = [p, q, SOLUTIONS[0], TWO_SOLUTIONS, &p[..80], "x"];
    let mut words = Words::new(22);
    let mut text = String::from("id,\"er, old\",puzzle,end\r\n");
    let rows: Vec<_> = (0..120)
        .map(|id| {
            let (kind, er) = (words.below(kinds.len()), words.below(9));
            let row = format!("{id}, \"{er}\" ,{},\"é\"\"\n{er}\"", kinds[kind]);
            // Without a space the quotes are those of the field.
            let row = row.replace(" \"", "\"").replace("\" ", "\"");
            (row, kinds[kind], er)
        })
        .collect();
    for (row, ..) in &rows {
        text += &format!("{row}\r\n");
    }
    text += "torn,7\r\n";
    let folder = Folder::new().with("t.csv", &text);
    let is_malformed = |puzzle: &str| puzzle.len() != 81;
    type Condition<'c> = &'c dyn Fn(&str, usize) -> bool;
    let cases: [(&str, &str, Condition<'_>); 8] = [
        ("[er, old] >= 4", "", &|puzzle, er| {
            !is_malformed(puzzle) && er >= 4
        }),
        ("[er, old] >= 4", "--rating 2.0..", &|puzzle, er| {
            hard(puzzle) && er >= 4
        }),
        (
            "[er, old] < 6",
            "--rating ..1.9 --clues 30..40",
            &|puzzle, er| puzzle == q && er < 6,
        ),
        ("not [er, old] = 3", "--status unique", &|puzzle, er| {
            er != 3 && !is_malformed(puzzle) && puzzle != TWO_SOLUTIONS
        }),
        ("[er, old] in (1, 5..7)", "--minimal", &|puzzle, er| {
            puzzle == p && [1, 5, 6, 7].contains(&er)
        }),
        ("[er, old] = 2", "--status malformed", &|puzzle, er| {
            is_malformed(puzzle) && er == 2
        }),
        ("end is present", "--guesses 1..", &|puzzle, _| hard(puzzle)),
        ("puzzle is missing", "", &|_, _| false),
    ];
    for (condition, options, fulfils) in cases {
        for (invert, sign) in [("", true), ("--invert", false)] {
            let kept = rows
                .iter()
                .filter(|(_, puzzle, er)| fulfils(puzzle, *er) == sign);
            let kept: String = kept.map(|(row, ..)| format!("{row}\r\n")).collect();
            // A row whose fields cannot be told apart is in the column of puzzles, as ever.
            let torn = if sign { "" } else { ",,\"torn,7\",\r\n" };
            let expected = format!("id,\"er, old\",puzzle,end\r\n{kept}{torn}");
            let is_told = sign && !options.contains("malformed");
            for threads in [1, 3] {
                let ran = run(
                    &folder,
                    condition,
                    &format!("-j {threads} {options} {invert} t.csv"),
                );
                let ran = ran.status(i32::from(is_told));
                are_equal(
                    &ran.stdout,
                    &expected,
                    &format!("{condition} {options} {invert}"),
                );
                let told = ran.stderr.contains("malformed: ");
                assert_eq!(told, is_told, "{}", ran.stderr);
            }
        }
    }
}

/// The command that an error names makes the column.
#[test]
fn the_advice_makes_the_column() {
    let table = format!("n,puzzle\n1,{}\n", PUZZLES[0]);
    let folder = Folder::new().with("t.csv", table);
    let mut commands = BTreeSet::new();
    for name in [
        "er",
        "Rating",
        "technique",
        "guesses",
        "difficulty",
        "TE",
        "xy_chain",
        "clues_after_singles",
        "solution",
        "status",
        "clue_count",
        "redundant_clues",
        "solution_count",
        "canonical",
        "transformation",
        "automorphisms",
        "backdoor_size",
        "answer_status",
    ] {
        let condition = format!("{name} is present");
        let ran = run(&folder, &condition, "t.csv").status(2).prints("");
        let Some((_, advice)) = ran
            .stderr
            .split_once(": sudoku-batch ")
            .filter(|_| ran.stderr.contains("makes the column"))
        else {
            // Answers stand in a file of their own.
            assert_eq!(name, "answer_status", "{}", ran.stderr);
            continue;
        };
        let (call, column) = advice
            .split_once(" FILE --format csv | sudoku-batch filter --where \"")
            .unwrap();
        let column = column.split(' ').next().unwrap();
        commands.insert(call.to_owned());
        let made = folder.out(&format!("{call} -q t.csv --format csv"));
        let made = Folder::new().with("t.csv", made);
        run(
            &made,
            &format!("{column} is missing or {column} is present"),
            "-q t.csv",
        )
        .status(0);
    }
    assert!(commands.len() > 6, "{commands:?}");
}
