//! Questions about records: their definitions, counts, and a count that stops.

use crate::support::{
    cases, data, has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    rated::Rater,
    reference,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};
use sudoku_batch::{
    Candidates, Puzzle,
    format::{Layout, Records, Values, line},
    grid::AnyPuzzle,
    puzzle::Symmetry,
    questions::{
        self, Answer, Batch, Buffer, COUNT, Counts, Data, Definition, EXPAND, EXPLAIN, GivenAnswer,
        Kind, NO_NAME, Options, PAIRS, PuzzleValue, PuzzlesSettings, Question, RATE, RateSettings,
        RowTexts, SETS, Setting, SettingError, Status, Table, TableColumn, TextPiece, spelled,
    },
    solve::{Counting, Solver},
    technique::{self, Rating, Technique, Techniques},
};

/// A name of an option has as many spellings as people write, in every language that gives options as an object.
#[test]
fn options_have_the_names_that_people_write() {
    for definition in questions::all() {
        for name in definition.settings.iter().map(|setting| setting.name) {
            let words = Vec::from_iter(name.split('-'));
            let first_upper = |word: &&str| word[..1].to_uppercase() + &word[1..];
            let pascal: String = words.iter().map(first_upper).collect();
            let camel = pascal[..1].to_lowercase() + &pascal[1..];
            for spelt in [
                name.to_owned(),
                name.replace('-', "_"),
                name.to_uppercase(),
                name.to_uppercase().replace('-', "_"),
                camel,
                pascal,
            ] {
                let options = Options::parse(&format!("{{\"{spelt}\": 7}}")).unwrap();
                assert_eq!(options.get(name), Some("7"), "{spelt}");
            }
        }
    }
}

/// An error of an option names what was given, what is wanted, and nothing that a call cannot set.
#[test]
fn errors_of_options_send_nobody_astray() {
    let said = |definition: &'static Definition, options: &str| {
        let options = match Options::parse(options) {
            Ok(options) => options,
            Err(error) => return error.to_string(),
        };
        for (name, text) in options.iter() {
            let read = definition
                .setting_of_calls(name)
                .and_then(|setting| setting.check(text));
            if let Err(error) = read {
                return error.to_string();
            }
        }
        String::new()
    };
    for (options, expected) in [
        (r#"{"unique": 1}"#, "unique: true or false is wanted, not 1"),
        (
            r#"{"UNIQUE": "yes"}"#,
            "unique: true or false is wanted, not yes",
        ),
        (
            r#"{"max-guesses": 99999999999999999999}"#,
            "max-guesses: the number is out of range",
        ),
        (
            r#"{"MAX_GUESSES": -1e30}"#,
            "max-guesses: the number is out of range",
        ),
        (
            r#"{"maxGuesses": {}}"#,
            "max-guesses: true or false, a number, a text or two numbers are wanted",
        ),
    ] {
        assert_eq!(said(&questions::SOLVE, options), expected, "{options}");
    }
    for definition in questions::all() {
        let message = said(definition, r#"{"NO-SUCH": 1}"#);
        let (wrong, offered) = message.split_once("; one of: ").unwrap_or((&message, ""));
        let name = definition.name;
        let offered: Vec<_> = offered
            .split(", ")
            .filter(|name| !name.is_empty())
            .collect();
        let of_calls = definition
            .settings
            .iter()
            .filter(|setting| setting.is_for_calls());
        let of_calls: Vec<_> = of_calls.map(|setting| setting.name).collect();
        assert_eq!(offered, of_calls, "{name}");
        let wrong_of = match offered[..] {
            [] => format!("no-such: {name} has no settings"),
            _ => format!("no-such: {name} has no such setting"),
        };
        assert_eq!(wrong, wrong_of);
    }
}

#[test]
fn names_keep_their_order_and_sums_do_not_overflow() {
    let mut counts = Counts::statuses();
    counts.add("over-the-limit", u64::MAX);
    counts.add(String::from("multiple"), 2);
    let mut sum = Counts::statuses();
    sum += counts.clone();
    sum += counts;
    let names: Vec<_> = sum.iter().map(|(name, _)| name).collect();
    let expected = [
        "unique",
        "multiple",
        "malformed",
        "row-duplicate",
        "column-duplicate",
        "box-duplicate",
        "no-solution",
        "over-the-limit",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        (sum.get("multiple"), sum.get("over-the-limit")),
        (4, u64::MAX)
    );
    assert_eq!(sum.get("of no record"), 0);
}

/// A count by any number of threads is that of a single search.
#[test]
fn threads_count_what_one_counts() {
    // A grid with some digits blanked, and one with a band and a half blanked.
    let grid = "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    let digits = grid.replace(['1', '2', '3', '4'], ".");
    let cells = ".".repeat(40) + &grid[40..];
    for text in [digits, cells] {
        let puzzle: Puzzle = text.parse().unwrap();
        let expected = Counting::new(&puzzle).advance(u64::MAX, u64::MAX);
        // More than a batch counts, so that the count is shared.
        assert!(expected > 4000, "{expected}");
        let mut records = Records::default();
        records.push_cells(1, puzzle.as_ascii()).unwrap();
        let check = || {
            for limit in [2000, 2001, expected - 1, expected, expected + 1, u64::MAX] {
                let mut asked = COUNT.with([("limit", &limit.to_string()[..])]).unwrap();
                let answer = asked.ask(&records);
                let Data::Bounds(bounds) = answer.column(0) else {
                    panic!("{answer:?}");
                };
                let answer = bounds[0].unwrap();
                let (number, more) = (expected.min(limit), expected > limit);
                assert_eq!(
                    (answer.number, answer.more),
                    (number, more),
                    "up to {limit}"
                );
            }
        };
        check();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(check);
        }
    }
}

/// The cells of the clues of a puzzle.
const PATTERN: &str =
    "X..XX.X.X.....X...X....X....XX.....XX...X...XX.....XX....X....X...X.....X.X.XX..X";

/// The text of a value that a setting takes.
fn some_value(setting: &Setting) -> &'static str {
    match setting.kind {
        Kind::Flag | Kind::Answers | Kind::Texts => "true",
        // Each is a row.
        Kind::Number(_) if setting.name == "copies" => "7",
        Kind::Number(_) if setting.name == "relatives" => "1",
        // Most records of `many` that have several rows have more.
        Kind::Number(_) if setting.name == "limit" => "60",
        // Sets of many cells take long.
        Kind::Number(_) if setting.name == "most" => "6",
        Kind::Number(_) => "9k",
        // A rating and techniques of this difficulty stand below.
        Kind::Names(_) if setting.name == "difficulty" => "hard",
        Kind::Names(names) => names[0].0,
        Kind::Rating => "4.4",
        Kind::Level => "portable",
        Kind::Engine => "scalar",
        Kind::Digit => "7",
        Kind::Techniques => "uniqueness",
        Kind::Student => "2018301780",
        Kind::Range(..) if setting.name == "guesses" => "1..",
        Kind::Range(most, _) if most < 50 => "1..2",
        Kind::Range(..) => "45..50",
        Kind::Ratings => "2.6..3.4",
        Kind::AnyTechniques if setting.name == "only" => "singles,locked candidates,X-wing",
        Kind::AnyTechniques => "X-wing",
        Kind::Pattern => PATTERN,
        Kind::Weights => "70,20,10",
        // The first is the usual one.
        Kind::Name(known) => known[known.len() - 1].0,
        other => panic!("{other:?}"),
    }
}

/// Every way to ask a question: without a setting, with each alone, and with all that go together.
fn ways(definition: &'static Definition) -> Vec<Vec<(&'static str, &'static str)>> {
    let one = definition
        .settings
        .iter()
        .map(|setting| (setting.name, some_value(setting)));
    let excluded = |name: &str| {
        definition
            .settings
            .iter()
            .any(|setting| setting.excludes == name)
    };
    let needed = |name: &str| {
        let needs = definition.setting(name).unwrap().needs;
        one.clone().find(|(name, _)| *name == needs)
    };
    let goes =
        |name: &str| !excluded(name) && needed(name).is_none_or(|(needed, _)| !excluded(needed));
    let all = one.clone().filter(|(name, _)| goes(name)).collect();
    // Free texts are no choice.
    let texts = definition.takes_texts().then_some(("texts", "true"));
    [Vec::from_iter(texts), all]
        .into_iter()
        .chain(one.clone().map(|one| {
            // Relatives with chains take long.
            let bound = (one.0 == "relatives").then_some(("up-to", "2.6"));
            needed(one.0)
                .into_iter()
                .chain(texts)
                .chain(bound)
                .chain([one])
                .collect()
        }))
        .collect()
}

/// Records of many kinds: puzzles, grids, malformed ones, duplicates, sparse ones, candidates. More hard ones have techniques
/// that few puzzles need.
fn many() -> Records {
    let mut text = String::new();
    for line in PUZZLES.iter().chain(&SOLUTIONS) {
        writeln!(text, "{line}").unwrap();
    }
    let candidates = Candidates::from(PUZZLES[0].parse::<Puzzle>().unwrap())
        .reduced()
        .unwrap();
    let reduced: String = candidates.to_ascii(b'.').map(char::from).iter().collect();
    for line in ["11", &PUZZLES[1][..80], &reduced] {
        writeln!(text, "{line:.<81}").unwrap();
    }
    text += "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642\n";
    text += include_str!("../../data/hard.txt")
        .split_inclusive('\n')
        .take(cases(2).min(9))
        .collect::<String>()
        .as_str();
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    assert!(records.len() > 9, "{}", records.len());
    records
}

/// For each record its status and the values of its rows, as text.
fn texts(asked: &mut Question, records: &Records, answers: Option<&[GivenAnswer]>) -> Vec<String> {
    let cells = |answer: &GivenAnswer| {
        answer
            .puzzle()
            .map(|cells| Cow::Owned(format!("So it is {cells}.").into_bytes()))
    };
    let free: Option<Vec<_>> = answers.map(|answers| answers.iter().map(cells).collect());
    let takes_texts = asked.definition.takes_texts();
    let answer = asked.ask(Batch {
        records,
        answers: answers.filter(|_| !takes_texts),
        texts: free.as_deref().filter(|_| takes_texts),
    });
    let mut statuses = answer.statuses.clone();
    if !answer.kinds().contains(&Values::Status) {
        assert!(statuses.is_empty());
        statuses.resize(records.len(), Status::Unique);
    }
    assert_eq!(statuses.len(), records.len());
    assert!(answer.limited.iter().all(|record| *record < records.len()));
    let statuses = statuses.iter();
    let mut of_records: Vec<_> = statuses.map(|status| status.name().to_owned()).collect();
    add_rows(&answer, &mut of_records);
    of_records
}

/// Adds the values of the rows of an answer to the texts of their records.
fn add_rows(answer: &Answer<'_>, of_records: &mut [String]) {
    let (mut texts, mut last) = (RowTexts::default(), 0);
    for (record, places) in answer.entries() {
        assert!(last <= record, "rows come in the order of records");
        last = record;
        for place in places {
            answer.write_row(place, &mut texts);
            for (column, kind) in answer.kinds().iter().enumerate() {
                let value = match kind {
                    Values::Record => &[],
                    _ => answer.value(record, place, column, &texts),
                };
                let value = str::from_utf8(value).unwrap();
                write!(of_records[record], "|{value}").unwrap();
            }
        }
    }
}

/// Settings take the values of their kinds and no others, and name settings that there are.
fn settings_are_whole<Make, Q>(
    definition: &'static Definition<Make>,
    with: impl Fn(&[(&str, &str)]) -> Result<Q, SettingError>,
) {
    let error = |settings: &[(&str, &str)]| with(settings).err().expect("an error");
    for setting in definition.settings {
        let what = format!("{} {}", definition.name, setting.name);
        assert!(setting.about.ends_with('.'), "{what}");
        setting
            .check(some_value(setting))
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(
            error(&[(setting.name, "none of these")]).setting,
            setting.name
        );
        if !setting.usual.is_empty() {
            setting.check(setting.usual).unwrap();
        }
        // An old name stands for this setting alone.
        if !setting.alias.is_empty() {
            let found = definition.setting(setting.alias).unwrap();
            assert_eq!(found.name, setting.name);
            assert!(
                definition
                    .settings
                    .iter()
                    .all(|other| other.name != setting.alias)
            );
        }
        for other in [setting.excludes, setting.needs] {
            if !other.is_empty() {
                definition.setting(other).unwrap();
            }
        }
        let value = some_value(setting);
        if !setting.excludes.is_empty() {
            let other = definition.setting(setting.excludes).unwrap();
            let both = [(setting.name, value), (other.name, some_value(other))];
            assert_eq!(error(&both).setting, setting.name);
        }
        if !setting.needs.is_empty() {
            assert_eq!(error(&[(setting.name, value)]).setting, setting.name);
        }
    }
    assert_eq!(
        error(&[("no-such-setting", "1")]).setting,
        "no-such-setting"
    );
}

/// Two numbers are a range in options of bindings, and `null` is an open end.
#[test]
fn ranges_may_be_open_in_options() {
    for (value, text) in [
        ("[2, 3]", Some("2..3")),
        ("[100, null]", Some("100..")),
        ("[null, 2.5]", Some("..2.5")),
        ("7", Some("7")),
        ("[1]", None),
        ("[1, true]", None),
    ] {
        let options = Options::parse(&format!("{{\"guesses\": {value}}}"));
        let options = options.ok();
        let found = options.as_ref().and_then(|options| options.get("guesses"));
        assert_eq!(found, text, "{value}");
    }
}

/// The ends of ranges, and names.
#[test]
fn ranges_have_their_ends() {
    let value =
        |name: &'static str, text| questions::PUZZLES.read::<PuzzlesSettings>([(name, text)]);
    for (text, first, last) in [
        ("0", 0, 0),
        ("81", 81, 81),
        ("45..50", 45, 50),
        ("7..7", 7, 7),
        ("45..=50", 45, 50),
        // Open ends are what nearly every puzzle reaches.
        ("30..", 30, 81),
        ("..30", 22, 30),
        ("..20", 20, 20),
    ] {
        let clues = value("clues", text).unwrap().clues;
        assert_eq!(clues, Some(first..=last), "{text}");
    }
    for text in [
        "", "..", "..82", "82", "-1", "5..4", "1..82", "a", "1...2", "1..2..3", "1-2",
    ] {
        assert!(value("clues", text).is_err(), "{text}");
    }
    let tenths = Rating::from_tenths;
    for (text, least, most) in [
        ("2.6", 26, 26),
        ("2", 20, 20),
        ("2.6..3", 26, 30),
        ("..2.5", 0, 25),
        ("9..", 90, 119),
    ] {
        let rating = value("rating", text).unwrap().rating;
        assert_eq!(rating, Some(tenths(least)..=tenths(most)), "{text}");
    }
    for text in ["", "..", "2.65", "12", "3.0..2.0", "easy", "-1"] {
        assert!(value("rating", text).is_err(), "{text}");
    }
    for symmetry in Symmetry::ALL {
        assert_eq!(
            value("symmetry", symmetry.name()).unwrap().symmetry,
            *symmetry
        );
    }
}

/// A definition is whole: so are its settings, columns are asked for by settings that there are, and no two
/// have one name.
#[test]
fn definitions_are_whole() {
    let mut names = Vec::new();
    for definition in questions::all() {
        names.push(definition.name);
        assert!(!definition.about.is_empty() && !definition.about.ends_with('.'));
        settings_are_whole(definition, |settings| {
            definition.with(settings.iter().copied())
        });
        let columns: Vec<_> = definition
            .columns
            .iter()
            .map(|column| column.name)
            .collect();
        // Images are made without a solution of the record.
        let statuses = columns.iter().filter(|name| **name == "status");
        assert_eq!(statuses.count(), usize::from(definition.name != "augment"));
        for (at, column) in definition.columns.iter().enumerate() {
            assert!(!columns[..at].contains(&column.name), "{columns:?}");
            assert!(!column.about.is_empty() && !column.about.ends_with('.'));
            for setting in column.when.iter().chain(&column.unless) {
                definition.setting(setting).unwrap();
            }
        }
    }
    for set in SETS {
        settings_are_whole(set, |settings| set.with(settings.iter().copied()));
        let columns = set.with([]).unwrap().columns();
        let expected: &[&str] = match set.name {
            "generate" => &["index", "grid"],
            _ => &["index", "puzzle", "solution", "clues"],
        };
        assert!(
            columns
                .iter()
                .map(|column| column.name)
                .eq(expected.iter().copied())
        );
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), questions::all().count());
}

/// Returns true if a setting stands for what comes beside the records.
fn is_beside((name, _): &(&str, &str)) -> bool {
    matches!(*name, "answers" | "texts")
}

/// A record by itself.
pub(crate) fn alone(records: &Records, record: usize) -> Records {
    let mut alone = Records::default();
    line::read(records.text(record), &mut alone);
    alone
}

/// Each record has the same answer alone as in its batch, whether the question has been asked before or not. Gives the
/// answers as [`texts`].
pub(crate) fn assert_each_alone(
    asked: &mut Question,
    records: &Records,
    answers: Option<&[GivenAnswer]>,
) -> Vec<String> {
    let whole = texts(asked, records, answers);
    assert_eq!(whole.len(), records.len(), "{asked:?}");
    for record in 0..records.len() {
        let alone = alone(records, record);
        let answer = answers.map(|answers| &answers[record..=record]);
        for row in [
            texts(asked, &alone, answer),
            texts(&mut asked.fork(), &alone, answer),
        ] {
            assert_eq!(row, whole[record..=record], "{asked:?}: record {record}");
        }
    }
    whole
}

/// The answer to a record depends on it alone: not on its batch, on the batches before, nor on the thread
/// that asks. It has a value of the right kind in every column. This holds for every question but those with a step in order.
#[test]
fn an_answer_depends_on_its_record_alone() {
    let records = many();
    let right: Vec<GivenAnswer> = (0..records.len())
        .map(|record| {
            let solution = SOLUTIONS.get(record);
            solution.map_or(GivenAnswer::Missing, |solution| {
                GivenAnswer::Cells(solution.parse().unwrap())
            })
        })
        .collect();
    // By default each third setting alone; without one, and all together, every time.
    for (row, definition) in questions::all().enumerate() {
        for (column, way) in ways(definition).into_iter().enumerate() {
            if column > 1 && !has_turn(row + column, 3) {
                continue;
            }
            let what = format!("{} {way:?}", definition.name);
            let mut asked = definition.with(way.iter().copied()).unwrap();
            // It compares records.
            if asked.needs_order() {
                continue;
            }
            let answers = way.iter().any(is_beside).then_some(&right[..]);
            let whole = assert_each_alone(&mut asked, &records, answers);
            if !definition.has_several_rows() {
                let values = asked.columns.len();
                let is_one = |texts: &String| texts.split('|').count() == 1 + values;
                assert!(whole.iter().all(is_one), "{what}: a row for each record");
            }
            assert_eq!(texts(&mut asked, &records, answers), whole, "{what}: again");
            assert_eq!(
                texts(&mut asked.fork(), &records, answers),
                whole,
                "{what}: forked"
            );
            // Plain cells need no records.
            let cells: Vec<_> = PUZZLES
                .iter()
                .map(|puzzle| *puzzle.as_bytes().first_chunk().unwrap())
                .collect();
            let mut answer = asked.empty();
            answer.begin(cells.len());
            if answers.is_none() && asked.fill_plain(&cells, &mut answer) {
                answer.check();
                let statuses = answer.statuses.iter().map(|status| status.name());
                let expected = whole.iter().map(|row| row.split('|').next().unwrap());
                assert!(statuses.eq(expected.take(cells.len())), "{what}");
            }
        }
    }
}

/// Rows that come in parts are those that come at once, whatever the length of a part. A record without rows
/// has one with nothing in it where its place is kept.
#[test]
fn parts_are_the_whole() {
    let mut records = many();
    records.push_cells(99, &[b'.'; 81]).unwrap();
    let several = questions::all().filter(|definition| definition.has_several_rows());
    let mut parts_seen = 0;
    for definition in several {
        let mut asked = definition.with([]).unwrap();
        let whole = texts(&mut asked, &records, None);
        let at_once = asked.ask(&records);
        assert!(at_once.entries().count() > records.len());
        for bytes in [1, 500, 5000, 1 << 30] {
            let what = format!("{} in parts of {bytes}", definition.name);
            let mut asked = asked.fork();
            let mut answer = asked.empty();
            answer.keep_places(true);
            answer.in_parts_of(bytes);
            let mut of_records: Vec<String> = whole
                .iter()
                .map(|texts| texts.split('|').next().unwrap().to_owned())
                .collect();
            let (mut counts, mut limited, mut rejects) =
                (Counts::default(), Vec::new(), Vec::new());
            loop {
                answer = answer.renewed(None);
                answer.begin(records.len());
                asked.fill(Batch::from(&records), &mut answer);
                answer.check();
                add_rows(&answer, &mut of_records);
                counts += std::mem::take(&mut answer.counts);
                limited.extend_from_slice(&answer.limited);
                rejects.extend_from_slice(&answer.rejects);
                parts_seen += 1;
                if answer.next().is_none() {
                    break;
                }
            }
            assert_eq!(
                (counts, &limited),
                (at_once.counts.clone(), &at_once.limited),
                "{what}"
            );
            assert_eq!(rejects, at_once.rejects, "{what}");
            for (record, (texts, whole)) in of_records.iter().zip(&whole).enumerate() {
                assert!(
                    texts.contains('|'),
                    "{what}: record {record} keeps its place"
                );
                if whole.contains('|') {
                    assert_eq!(texts, whole, "{what}: record {record}");
                }
            }
        }
    }
    assert!(parts_seen > 8, "{parts_seen}");
}

/// A piece of text keeps the counts and the rejects of all its parts. A reject has the line of its record, behind the
/// lines that are skipped.
#[test]
fn a_piece_of_text_adds_up_its_parts() {
    let empty = ".".repeat(81);
    let twice = format!("11{}", &empty[2..]);
    let text = [PUZZLES[0], "12345", &empty, &twice].join("\n");
    let mut asked = questions::SOLUTIONS.with([("limit", "50")]).unwrap();
    let mut answer = asked.empty();
    answer.in_parts_of(500);
    let mut piece = TextPiece::new(answer);
    for most_rejected in [usize::MAX, 0] {
        piece.read(&Layout::Line, text.as_bytes(), 3);
        assert_eq!((piece.records.len(), piece.records.lines()), (4, 7));
        let (mut rows, mut parts) = (0, 0);
        loop {
            let count = piece.records.len();
            piece.answer(count, None, most_rejected, |records, answer| {
                asked.fill(records, answer);
                rows += answer.entries().count();
            });
            parts += 1;
            if !piece.has_more() {
                break;
            }
        }
        assert!(parts > 3, "{parts}");
        assert_eq!(rows, 1 + 50);
        let counts = piece.counts.iter().filter(|(_, count)| *count > 0);
        let counts: BTreeMap<_, _> = counts.collect();
        let expected = [
            ("malformed", 1),
            ("multiple", 1),
            ("over-the-limit", 1),
            ("row-duplicate", 1),
            ("solutions", 51),
            ("unique", 1),
        ];
        assert_eq!(counts, BTreeMap::from(expected));
        let rejects = piece.rejects.iter();
        let rejects: Vec<_> = rejects
            .map(|(line, reason, detail, _)| (line, reason, detail))
            .collect();
        let expected = [
            (
                5,
                "malformed",
                "column 6: end of line where a cell should be",
            ),
            (7, "row-duplicate", "1 at r1c1 and r1c2"),
        ];
        let kept = expected.len().min(most_rejected);
        assert_eq!(rejects, expected[..kept]);
        let texts = [
            "malformed\tcolumn 6: end of line where a cell should be\t12345\n".to_owned(),
            format!("row-duplicate\t1 at r1c1 and r1c2\t{twice}\n"),
        ];
        assert_eq!(piece.rejects.text, texts[..kept].concat().as_bytes());
    }
}

/// An expansion has the clues that the rules of singles give, and the same solutions.
#[test]
fn expansions_are_those_of_the_rules() {
    let mut text = String::new();
    for name in ["easy", "minimal", "hard"] {
        let puzzles = data::puzzles(name).into_iter().take(60);
        puzzles.for_each(|puzzle| text += &format!("{puzzle}\n"));
    }
    text += "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642\n";
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    let mut asked = EXPAND.with([]).unwrap();
    let answer = asked.ask(&records);
    let (Data::Puzzles(expanded), Data::Numbers(added)) = (answer.column(0), answer.column(1))
    else {
        panic!("{answer:?}");
    };
    let (mut solver, mut grown) = (Solver::new(), 0);
    for (record, &added) in added.iter().enumerate() {
        let puzzle = records.puzzle(record).unwrap().clues();
        let PuzzleValue::Cells(cells) = expanded.get(record) else {
            panic!("{puzzle}");
        };
        let ruled = reference::expanded(&puzzle).unwrap();
        assert_eq!(str::from_utf8(cells), str::from_utf8(&ruled), "{puzzle}");
        let clues = cells.iter().filter(|cell| **cell != b'.').count();
        assert_eq!(added, Some((clues - puzzle.clue_count()) as u64));
        grown += usize::from(added > Some(0));
        let expanded: Puzzle = str::from_utf8(cells).unwrap().parse().unwrap();
        assert_eq!(
            solver.count(&expanded, 9),
            solver.count(&puzzle, 9),
            "{puzzle}"
        );
    }
    assert!(grown > 100, "{grown}");

    // Singles that contradict each other: r1c1 has no digit left. And candidates stay candidates.
    let mut records = Records::default();
    let contradiction = format!(
        "...234567{}8{}9{}",
        ".".repeat(9),
        ".".repeat(8),
        ".".repeat(53)
    );
    let candidates: Candidates = PUZZLES[0].parse::<Puzzle>().unwrap().into();
    let text: String = candidates.to_ascii(b'.').map(char::from).iter().collect();
    line::read(
        format!("{contradiction:.<81}\n{text}\n").as_bytes(),
        &mut records,
    );
    let answer = asked.ask(&records);
    let Data::Puzzles(expanded) = answer.column(0) else {
        panic!("{answer:?}");
    };
    let PuzzleValue::Candidates(found, _) = expanded.get(1) else {
        panic!("{expanded:?}");
    };
    assert_eq!(*found, candidates.reduced().unwrap());
    assert!(matches!(records.puzzle(1), Ok(AnyPuzzle::Candidates(_))));
}

/// Some puzzles of each kind, with ratings up to 9.
fn rated() -> Vec<Puzzle> {
    let files = [("easy", 20), ("minimal", 120), ("hard", 6)];
    let puzzles = files.map(|(name, count)| data::puzzles(name)[..count].to_vec());
    puzzles.concat()
}

fn records_of(puzzles: &[Puzzle]) -> Records {
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    records
}

/// The column of each technique has the number of its steps, as the steps of the library have them, and
/// clues after singles are those of the rules.
#[test]
fn counts_of_techniques_are_those_of_the_steps() {
    let puzzles = rated();
    for settings in [
        vec![("counts", "true")],
        vec![("counts", "true"), ("without", "naked pair, uniqueness")],
    ] {
        let without = match settings.get(1) {
            Some((_, text)) => text.parse().unwrap(),
            None => Techniques::NONE,
        };
        let mut asked = RATE.with(settings).unwrap();
        let answer = asked.ask(&records_of(&puzzles));
        let numbers = |name: &str| {
            let column = asked
                .columns
                .iter()
                .position(|column| column.name == name)
                .unwrap();
            match answer.column(column) {
                Data::Numbers(numbers) => numbers.clone(),
                other => panic!("{other:?}"),
            }
        };
        let name = |technique: &Technique| {
            let name = technique
                .name()
                .replace('+', "plus")
                .replace(['-', ' '], "_");
            name.to_lowercase()
        };
        let columns: Vec<_> = Technique::ALL.iter().map(|t| numbers(&name(t))).collect();
        let clues = numbers("clues_after_singles");
        let mut used = BTreeSet::new();
        for (record, puzzle) in puzzles.iter().enumerate() {
            let mut expected = BTreeMap::new();
            for step in technique::steps(puzzle).without(without) {
                *expected.entry(step.technique).or_insert(0) += 1;
            }
            used.extend(expected.keys().copied());
            for (technique, column) in Technique::ALL.iter().zip(&columns) {
                let count = expected.get(technique).copied().unwrap_or(0);
                assert_eq!(column[record], Some(count), "{technique} {puzzle}");
            }
            let expanded = reference::expanded(puzzle).unwrap();
            let singles = expanded.iter().filter(|cell| **cell != b'.').count();
            assert_eq!(clues[record], Some(singles as u64), "{puzzle}");
        }
        assert!(used.len() > 15, "{used:?}");
    }
}

/// Without techniques, no step has them, the ER is that of the steps, and it never falls.
#[test]
fn techniques_that_are_left_out_are_not_used() {
    let puzzles = rated();
    let records = records_of(&puzzles);
    let usual = Rater::new().rate_batch(&puzzles);
    for text in [
        "uniqueness",
        "naked single",
        "hidden single in a box,last cell",
        "pointing,X-wing",
        "X-cycle,Y-cycle,X-chain,XY-cycle,XY-chain",
        "dynamic forcing chains +",
    ] {
        let without: Techniques = text.parse().unwrap();
        let settings = RateSettings {
            without,
            ..RateSettings::default()
        };
        let rated = Question::new(settings).unwrap().ask(&records);
        let ratings_of = |name: &str| match rated.named(name) {
            Data::Ratings(ratings) => ratings,
            other => panic!("{name}: {other:?}"),
        };
        let [er, ep, ed] = ["er", "ep", "ed"].map(ratings_of);
        let Data::Names(techniques) = rated.named("technique") else {
            panic!("the column has names")
        };
        let mut risen = 0;
        for (number, puzzle) in puzzles.iter().enumerate() {
            let mut used = BTreeSet::new();
            let steps = technique::steps(puzzle).without(without);
            let ratings = steps.ratings(|step| _ = used.insert(step.technique));
            assert!(
                used.iter().all(|technique| !without.contains(*technique)),
                "{text}"
            );
            let found = (er[number], ep[number], ed[number]);
            let expected = (ratings.er, ratings.ep, ratings.ed);
            assert_eq!(found, expected, "{text} {puzzle}");
            let hardest = ratings
                .technique
                .map_or(NO_NAME, |technique| technique as u8);
            assert_eq!(techniques[number], hardest, "{text} {puzzle}");
            let (er, before) = (er[number], usual[number].unwrap().er);
            // No rating is beyond all techniques that are left.
            let rank = |er: Option<Rating>| er.map_or(u8::MAX, Rating::tenths);
            assert!(rank(er) >= rank(before), "{text} {puzzle}");
            risen += usize::from(rank(er) > rank(before));
        }
        let is_rare = text.starts_with("dynamic") || text.starts_with("hidden single");
        assert!(risen > 0 || is_rare, "{text}");
    }
    for (wrong, what) in [
        ("cell forcing chains", "one search"),
        ("X-wings", "no technique is called \"X-wings\""),
        ("", "no technique"),
    ] {
        let error = RATE.with([("without", wrong)]).unwrap_err();
        assert!(error.message.contains(what), "{error}");
    }
}

/// The rows are the steps of the search, and together they have the ER that the passes over planes find.
#[test]
fn explained_steps_are_those_of_the_search() {
    let mut puzzles = rated();
    puzzles.truncate(cases(60) as usize);
    let expected = Rater::new().rate_batch(&puzzles);
    let mut records = records_of(&puzzles);
    line::read(&[b'.'; 81], &mut records);
    let answer = EXPLAIN.with([]).unwrap().ask(&records);
    let Data::Numbers(numbers) = answer.named("step") else {
        panic!("the column has numbers")
    };
    let Data::Ratings(ratings) = answer.named("rating") else {
        panic!("the column has ratings")
    };
    let Data::Names(techniques) = answer.named("technique") else {
        panic!("the column has names")
    };
    let [words, strikes] = ["words", "strikes"].map(|name| match answer.named(name) {
        Data::Texts(texts) => texts,
        other => panic!("{name}: {other:?}"),
    });
    let rows = answer.entries();
    let mut rows = rows.flat_map(|(record, places)| places.map(move |place| (record, place)));
    for (record, puzzle) in puzzles.iter().enumerate() {
        let mut steps = Vec::new();
        technique::steps(puzzle).ratings(|step| steps.push(step));
        let mut hardest = None;
        for (number, step) in (1..).zip(&steps) {
            let (of_record, row) = rows.next().unwrap();
            assert_eq!(
                (of_record, numbers[row]),
                (record, Some(number)),
                "{puzzle}"
            );
            assert_eq!(techniques[row], step.technique as u8, "{puzzle}");
            assert_eq!(words.get(row), step.to_string().as_bytes(), "{puzzle}");
            let struck = strikes.get(row).split(|byte| *byte == b' ');
            let struck = struck.filter(|strike| !strike.is_empty()).count();
            assert_eq!(struck, step.strikes.len(), "{puzzle}");
            hardest = hardest.max(ratings[row]);
        }
        assert_eq!(hardest, expected[record].unwrap().er, "{puzzle}");
    }
    assert_eq!(
        rows.next(),
        None,
        "a record with several solutions has no row"
    );
    assert_eq!(answer.statuses.last(), Some(&Status::Multiple));
}

/// A name in braces is a setting of the question, which each interface spells in its way.
#[test]
fn names_in_help_are_settings() {
    fn check<Make>(definition: &Definition<Make>) -> usize {
        let settings = definition.settings.iter();
        let of_settings = settings.flat_map(|setting| [setting.about, setting.details]);
        let of_columns = definition.columns.iter().map(|column| column.about);
        let texts = [definition.about, definition.details].into_iter();
        let mut found = 0;
        for text in texts.chain(of_settings).chain(of_columns) {
            spelled(text, |name| {
                let mut settings = definition.settings.iter();
                let is_known = settings.any(|setting| setting.name == name);
                // The steps are a question of their own, and an option of the command.
                assert!(is_known || name == "explain", "{}: {name}", definition.name);
                found += 1;
                String::new()
            });
            let has_option = text.split(' ').any(|word| {
                let name = word.strip_prefix("--").unwrap_or_default();
                name.starts_with(|c: char| c.is_ascii_lowercase())
            });
            assert!(!has_option, "{}: {text}", definition.name);
        }
        found
    }
    let of_questions: usize = questions::all().map(check).sum();
    let of_sets: usize = SETS.iter().map(|set| check(set)).sum();
    assert!(of_questions > 5 && of_sets > 5);
}

/// The text of a value of a table, or nothing where it has none. Numbers have one decimal.
fn text_in(column: &TableColumn, row: usize) -> String {
    if !column.is_there[row] {
        return String::new();
    }
    match &column.values {
        Buffer::Numbers(numbers) => numbers[row].to_string(),
        Buffer::Reals(numbers) => format!("{:.1}", numbers[row]),
        Buffer::Flags(flags) => flags[row].to_string(),
        Buffer::Names(places, names) => names[usize::from(places[row])].to_owned(),
        Buffer::Texts(offsets, bytes) => {
            let [start, end] = [offsets[row], offsets[row + 1]].map(|end| end as usize);
            String::from_utf8(bytes[start..end].to_vec()).unwrap()
        }
        Buffer::Pairs(bytes) => format!("{:?}", &bytes[PAIRS * row..][..PAIRS]),
        Buffer::CandidateCounts(rows) => format!("{:?}", rows[row]),
    }
}

/// A table of all rows, and one that is joined from tables of parts, has what the writer of rows writes.
#[test]
fn tables_have_the_values_of_the_rows() {
    let records = many();
    let parts: Vec<_> = (0..records.len())
        .map(|record| alone(&records, record))
        .collect();
    let mut seen = 0;
    // By default each third setting alone; without one, and all together, every time.
    for (row, definition) in questions::all().enumerate() {
        for (column, way) in ways(definition)
            .iter()
            .filter(|way| !way.iter().any(is_beside))
            .enumerate()
        {
            if column > 1 && !has_turn(row + column + 1, 3) {
                continue;
            }
            let mut asked = definition.with(way.iter().copied()).unwrap();
            let answer = asked.ask(&records);
            let mut whole = asked.table();
            whole.push(0, &answer);
            // A question with a step in order begins anew.
            let mut asked = definition.with(way.iter().copied()).unwrap();
            let mut joined = asked.table();
            for (number, part) in parts.iter().enumerate() {
                let mut table = asked.table();
                table.push(number as u64, &asked.ask(part));
                joined.append(table);
            }
            let entries = answer.entries();
            let rows: Vec<_> = entries
                .flat_map(|(record, places)| places.map(move |at| (record, at)))
                .collect();
            for table in [whole, joined].map(Table::into_columns) {
                let mut columns = table.iter();
                for (number, kind) in answer.kinds().iter().enumerate() {
                    let column = columns.next().unwrap();
                    let more = (*kind == Values::Bounds).then(|| columns.next().unwrap());
                    assert_eq!(column.name, asked.columns[number].name);
                    let mut texts = RowTexts::default();
                    for (row, &(record, place)) in rows.iter().enumerate() {
                        let found = text_in(column, row);
                        if *kind == Values::Record {
                            assert_eq!(found, record.to_string());
                            continue;
                        }
                        answer.write_row(place, &mut texts);
                        let expected = answer.value(record, place, number, &texts);
                        let mut expected = str::from_utf8(expected).unwrap().to_owned();
                        // They have no text.
                        if let Data::Pairs(pairs) = answer.column(number) {
                            let bytes = pairs[place].as_deref().map(|pairs| pairs.as_flattened());
                            let bytes = bytes.map(|bytes| bytes.iter().map(|&byte| byte as u8));
                            let bytes = bytes.map(Iterator::collect::<Vec<_>>);
                            expected = bytes.map_or(String::new(), |bytes| format!("{bytes:?}"));
                        }
                        // They are numbers, whose text tests of their own read.
                        if let Data::CandidateCounts { numbers, .. } = answer.column(number) {
                            let is_there = !expected.is_empty();
                            assert_eq!(is_there, numbers[place][0] >= 0);
                            let numbers = is_there.then(|| format!("{:?}", numbers[place]));
                            expected = numbers.unwrap_or_default();
                        }
                        if let Some(more) = more {
                            assert_eq!(text_in(more, row) == "true", expected.ends_with('+'));
                            expected.truncate(expected.trim_end_matches('+').len());
                        }
                        let is_nothing = found.is_empty() && expected.bytes().all(|c| c == b'.');
                        assert!(
                            is_nothing || found == expected,
                            "{} {way:?} {}: {found:?} {expected:?}",
                            definition.name,
                            column.name
                        );
                        seen += 1;
                    }
                }
                assert!(columns.next().is_none());
            }
        }
    }
    assert!(seen > 5000, "{seen}");
}
