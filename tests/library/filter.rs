//! The conditions of `filter`, against the answers of other questions and the rules of the conditions.

use crate::support::{cases, data};
use sudoku_batch::{
    Puzzle,
    format::{Records, line},
    puzzle::Symmetry,
    questions::{Answer, CHECK, Data, EXPLAIN, FILTER, FilterSettings, Question, RATE, Status},
    solve::guesses,
    technique::{Difficulty, Rating, Technique, TrialDepth},
};

/// A record, and all that other questions say of it.
#[derive(Default)]
struct Known {
    puzzle: Option<Puzzle>,
    status: Option<Status>,
    redundant: Option<u64>,
    er: Option<Rating>,
    te: Option<TrialDepth>,
    hardest: Option<Technique>,
    /// The technique of each step.
    path: Vec<Technique>,
}

impl Known {
    fn clues(&self) -> Option<usize> {
        let text = self.puzzle?.to_string();
        Some(text.bytes().filter(u8::is_ascii_digit).count())
    }

    fn is_unique(&self) -> bool {
        self.status == Some(Status::Unique)
    }

    /// The hard steps: those above a naked single.
    fn hard_steps(&self) -> Vec<Technique> {
        let hard = "2.3".parse().unwrap();
        let steps = self.path.iter().copied();
        steps.filter(|step| step.rating() > hard).collect()
    }
}

fn text() -> String {
    let mut puzzles = data::puzzles("minimal");
    puzzles.truncate(cases(40));
    puzzles.extend(&data::puzzles("easy")[..10]);
    puzzles.extend(&data::puzzles("easy.solved")[..2]);
    let mut lines: Vec<_> = puzzles.iter().map(Puzzle::to_string).collect();
    // One clue less leaves several solutions, and a digit twice none.
    let several = lines[0].replacen(|digit: char| digit.is_ascii_digit(), ".", 1);
    let twice = format!("11{}", ".".repeat(79));
    lines.extend([
        several,
        twice,
        ".".repeat(81),
        "1234".into(),
        "x".repeat(81),
    ]);
    lines.join("\n")
}

/// The place of a name in a column of names.
fn place(answer: &Answer<'_>, column: &str, row: usize) -> usize {
    match answer.named(column) {
        Data::Names(places) => places[row].into(),
        _ => unreachable!("names"),
    }
}

fn known(records: &Records) -> Vec<Known> {
    let checked = CHECK.with([("minimal", "true")]).unwrap().ask(records);
    let rated = RATE.with([("te", "true")]).unwrap().ask(records);
    let explained = EXPLAIN.with([]).unwrap().ask(records);
    let Data::Numbers(redundant) = checked.named("redundant_clues") else {
        unreachable!("numbers")
    };
    let Data::Ratings(er) = rated.named("er") else {
        unreachable!("ratings")
    };
    let all = (0..records.len()).map(|record| Known {
        puzzle: records.puzzle_of_cells(record).ok(),
        status: Some(checked.statuses[record]),
        redundant: redundant[record],
        er: er[record],
        te: TrialDepth::ALL.get(place(&rated, "te", record)).copied(),
        hardest: (Technique::ALL.get(place(&rated, "technique", record))).copied(),
        path: Vec::new(),
    });
    let mut all: Vec<_> = all.collect();
    for (record, rows) in explained.entries() {
        let steps = rows.filter_map(|row| Technique::ALL.get(place(&explained, "technique", row)));
        all[record].path.extend(steps);
    }
    all
}

/// Whether each record is kept.
fn kept(answer: &Answer<'_>) -> Vec<bool> {
    match answer.named("kept") {
        Data::Flags(kept) => kept.iter().map(|kept| kept.unwrap()).collect(),
        _ => unreachable!("flags"),
    }
}

type Rule = fn(&Known) -> bool;

/// Settings, and the rule by which they keep a record.
const CONDITIONS: &[(&[(&str, &str)], Rule)] = &[
    (&[], |known| known.puzzle.is_some()),
    (&[("status", "unique")], Known::is_unique),
    (&[("status", "malformed,multiple")], |known| {
        matches!(known.status, Some(Status::Malformed | Status::Multiple))
    }),
    (&[("status", "malformed"), ("clues", "0..")], |_| false),
    (&[("clues", "24..26")], |known| {
        known
            .clues()
            .is_some_and(|clues| (24..=26).contains(&clues))
    }),
    (&[("clues", "..24"), ("status", "unique")], |known| {
        known.is_unique() && known.clues() <= Some(24)
    }),
    (&[("symmetry", "rotate180,diagonal")], |known| {
        let is_kept = |puzzle: &Puzzle| {
            let kinds = [Symmetry::Rotate180, Symmetry::Diagonal];
            kinds.iter().any(|kind| kind.is_kept_by(puzzle))
        };
        known.puzzle.is_some_and(|puzzle| is_kept(&puzzle))
    }),
    (&[("minimal", "true")], |known| {
        known.is_unique() && known.redundant == Some(0)
    }),
    (&[("rating", "..2.6")], |known| {
        known.is_unique() && known.er <= "2.6".parse().ok()
    }),
    (&[("rating", "4.5..")], |known| {
        known.er >= "4.5".parse().ok()
    }),
    (&[("rating", "1.5..7.1"), ("minimal", "true")], |known| {
        let [from, to] = ["1.5", "7.1"].map(|er| er.parse().unwrap());
        known.redundant == Some(0) && known.er.is_some_and(|er| from <= er && er <= to)
    }),
    (&[("difficulty", "medium,extreme")], |known| {
        let wanted = [Difficulty::Medium, Difficulty::Extreme];
        known.is_unique() && wanted.contains(&Difficulty::of(known.er))
    }),
    (&[("te", "1..")], |known| known.te >= Some(TrialDepth::One)),
    (&[("te", "0")], |known| known.te == Some(TrialDepth::Zero)),
    (&[("hardest", "naked single, pointing")], |known| {
        let wanted = [Technique::NakedSingle, Technique::Pointing];
        known
            .hardest
            .is_some_and(|hardest| wanted.contains(&hardest))
    }),
    (&[("contains", "naked pair")], |known| {
        known.path.contains(&Technique::NakedPair)
    }),
    (&[("first-hard", "pointing")], |known| {
        known.hard_steps().first() == Some(&Technique::Pointing)
    }),
    (&[("only", "singles")], |known| {
        let hardest = "2.3".parse().unwrap();
        let mut path = known.path.iter();
        known.is_unique()
            && path.all(|step| {
                step.rating() <= hardest && step.name().contains("single")
                    || *step == Technique::LastCell
            })
    }),
    (&[("steps", "1..3")], |known| {
        (1..=3).contains(&known.hard_steps().len())
    }),
    (&[("guesses", "1..5"), ("clues", "..26")], |known| {
        let guesses = known.puzzle.and_then(|puzzle| guesses(&puzzle, u64::MAX));
        known.is_unique()
            && known.clues() <= Some(26)
            && guesses.is_some_and(|guesses| (1..=5).contains(&guesses))
    }),
];

#[test]
fn conditions_are_the_rules() {
    let mut records = Records::default();
    line::read(text().as_bytes(), &mut records);
    let known = known(&records);
    for (settings, rule) in CONDITIONS {
        let ask = |others: &[(&str, &str)]| {
            let settings = settings.iter().chain(others).copied();
            FILTER.with(settings).unwrap().ask(&records)
        };
        let answer = ask(&[]);
        let kept = kept(&answer);
        let expected: Vec<_> = known.iter().map(rule).collect();
        assert_eq!(kept, expected, "{settings:?}");
        // The statuses are those of all records, whatever the conditions need.
        let statuses = known.iter().map(|known| known.status.unwrap());
        assert!(answer.statuses.iter().copied().eq(statuses), "{settings:?}");
        let rejects = answer.rejects.iter().map(|reject| reject.record);
        let names_malformed = settings.iter().any(|(_, text)| text.contains("malformed"));
        let malformed = known
            .iter()
            .enumerate()
            .filter(|(_, known)| known.status == Some(Status::Malformed) && !names_malformed);
        assert!(
            rejects.eq(malformed.map(|(record, _)| record)),
            "{settings:?}"
        );
        let inverted = ask(&[("invert", "true")]);
        let others: Vec<_> = kept.iter().map(|kept| !kept).collect();
        assert_eq!(self::kept(&inverted), others, "{settings:?}");
        // With ratings the same records are kept, and what they have is what `rate` says.
        let rated = ask(&[("ratings", "true")]);
        assert_eq!(self::kept(&rated), kept, "{settings:?}");
        let Data::Ratings(er) = rated.named("er") else {
            unreachable!("ratings")
        };
        for (record, known) in known.iter().enumerate().filter(|(record, _)| kept[*record]) {
            let hardest = Technique::ALL.get(place(&rated, "technique", record));
            assert_eq!(
                (er[record], hardest),
                (known.er, known.hardest.as_ref()),
                "{settings:?}"
            );
        }
    }
    let kept_by = CONDITIONS
        .iter()
        .map(|(_, rule)| known.iter().filter(|known| rule(known)).count());
    // Nearly each condition divides the records.
    assert!(
        kept_by
            .filter(|kept| (1..known.len()).contains(kept))
            .count()
            + 2
            >= CONDITIONS.len()
    );
}

/// An answer that nobody reads the statuses of has the same rows.
#[test]
fn statuses_that_nobody_reads_change_nothing() {
    let mut records = Records::default();
    line::read(text().as_bytes(), &mut records);
    for settings in [
        &[("clues", "..25")][..],
        &[("status", "unique"), ("rating", "..4.4")],
    ] {
        let mut question = FILTER.with(settings.iter().copied()).unwrap();
        let whole = kept(&question.ask(&records));
        let mut answer = question.empty().without_statuses();
        answer.begin(records.len());
        question.fill(&records, &mut answer);
        assert_eq!(kept(&answer), whole);
        assert!(answer.statuses.is_empty());
    }
}

/// Values that no text has are refused in the words for a text.
#[test]
fn values_without_a_text_are_refused() {
    let usual = FilterSettings::default;
    let status = vec![Status::Unique, Status::GaveUp];
    let symmetry = vec![Symmetry::None];
    let te = Some(TrialDepth::Three..=TrialDepth::One);
    let clues = Some(20..=90);
    for (settings, said) in [
        (
            FilterSettings { status, ..usual() },
            "status: one of: unique, multiple, ",
        ),
        (
            FilterSettings {
                symmetry,
                ..usual()
            },
            "symmetry: one of: rotate180, ",
        ),
        (
            FilterSettings { te, ..usual() },
            "te: a depth from 0 to 3, or beyond, is wanted",
        ),
        (
            FilterSettings { clues, ..usual() },
            "clues: a number from 0 to 81 is wanted",
        ),
    ] {
        let error = Question::new(settings).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}
