//! `sudoku-batch rate`.

mod explain;

use super::generated::at_least_one;
use crate::driver::{
    self, AddedColumns, DIFFICULTIES, Done, Files, Plan, RecordCommand, RecordOptions, RowView,
    Summary, TECHNIQUES, Worker, added, engines::level, job, options::help, status_column,
};
use explain::Explaining;
use std::{process::ExitCode, sync::Arc};
use sudoku_batch::{
    Level,
    format::{Form, Layout, Values},
    questions::{self, Counts, Rated, Team},
    technique::{Difficulty, Rating, Ratings, Technique},
};

/// Rate puzzles by the techniques that a person needs.
///
/// The ratings are those of Sudoku Explainer 1.2.1: ER is the hardest step of a solution that always
/// takes the easiest step, EP the hardest step up to the first digit that is placed, ED the first step.
/// They are exact over the whole scale.
///
/// In lines, every record gives its 81 cells and ER/EP/ED. In the other forms the columns er, ep, ed,
/// beyond, technique, guesses and status are added. In the form text they follow the line, each after a
/// tab, with - for an empty one.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are not rated"))]
pub(crate) struct Rate {
    /// Add a word for the ER: easy, medium, hard, expert or extreme.
    #[arg(long)]
    grade: bool,

    /// Print the steps of each record in order, a row for each step, and why each holds.
    #[arg(long, alias = "steps", conflicts_with = "grade")]
    explain: bool,

    /// Take no step with a rating over X. A puzzle that needs one gets `>X`, or X in the column beyond.
    ///
    /// Up to 4.4 the program rates hundreds of thousands of puzzles a second. Chains take longer.
    #[arg(long, value_name = "X", default_value_t = Rating::HARDEST)]
    up_to: Rating,

    /// Give up on a puzzle when the searches for its chains have done this work.
    ///
    /// N is a number of nodes of chains, with k, M or G after it if you like. So the same puzzles are
    /// given up on every machine, with any number of threads. Their status is gave-up. 100M are some
    /// seconds.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_work: Option<u64>,

    /// Rate with this instruction set: avx512, avx2, neon or portable.
    ///
    /// The best one that the CPU has is the default; one that it lacks is an error. The ratings are the
    /// same with each.
    #[arg(long = "simd", alias = "level", value_name = "NAME", value_parser = level())]
    level: Option<Level>,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    records: RecordOptions,

    /// Whether the output has the form `line`, which does not show guesses.
    #[arg(skip)]
    in_lines: bool,

    /// The threads, which share a puzzle that takes long.
    #[arg(skip = Arc::new(Team::new(1)))]
    team: Arc<Team>,
}

const NOTES: &str = "\
Examples:
  sudoku-batch rate puzzles.txt -o ratings.txt
      Rate a file with all cores: a line `puzzle ER/EP/ED` for each record.
  sudoku-batch rate --up-to 4.4 puzzles.txt
      The same without chains: a harder puzzle gets >4.4.
  sudoku-batch rate --grade puzzles.csv -o graded.csv
      Add the columns er, ep, ed, beyond, technique, guesses, status and grade.
  sudoku-batch rate --explain puzzle.txt
      Print the steps of a solution in words.
  sudoku-batch rate --explain --format jsonl puzzle.txt
      The same for programs: an object for each step.

Techniques and their ratings:
  1.0       last cell of a house
  1.2, 1.5  hidden single in a box, in a row or column
  1.7, 1.9  direct pointing, direct claiming
  2.0       direct hidden pair
  2.3       naked single
  2.5       direct hidden triplet
  2.6, 2.8  pointing, claiming
  3.0-3.4   naked pair, X-wing, hidden pair
  3.6-4.0   naked triplet, swordfish, hidden triplet
  4.2, 4.4  XY-wing, XYZ-wing
  4.5-5.6   unique rectangle, unique loop
  5.0-5.4   naked quad, jellyfish, hidden quad
  5.6-6.2   BUG
  6.2, 7.5  aligned pair exclusion, aligned triplet exclusion
  6.5-7.9   X-cycle, Y-cycle, X-chain, XY-cycle, XY-chain
  7.5-8.4   Nishio
  8.0-8.9   cell and house forcing chains
  8.5-9.9   dynamic forcing chains
  9.0-11.9  dynamic forcing chains +, nested forcing chains level 2 to 5

Grades, as in `puzzles --difficulty`:
  easy     ER up to 1.5
  medium   1.7 to 2.5
  hard     2.6 to 3.4
  expert   3.6 to 4.4
  extreme  above 4.4

technique is the hardest step's. beyond is the bound of --up-to where er, ep or ed is missing for it; the
summary counts these records as beyond.
guesses is how many guesses the reference search needs where er is missing.

Statuses: unique, and for what has no rating: multiple, malformed, row-duplicate, column-duplicate,
box-duplicate, no-solution, and gave-up with --max-work. In lines, such a record gives its status in place of the ratings.";

impl Rate {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let threads = job::threads(&self.records.set.run).count();
        self.team = Arc::new(Team::new(threads));
        let (records, added) = (self.records.clone(), self.added.clone());
        let task = records.task().adding(&added);
        match self.explain {
            true => driver::run(files, &mut Explaining::new(&self), &task),
            false => driver::run(files, &mut self, &task),
        }
    }

    /// The question of a thread.
    fn question(&self) -> questions::Rate {
        let question = questions::Rate::with_level(self.level());
        let question = question.expect("the level was checked by clap");
        let question = question.up_to(self.up_to);
        question.with_max_work(self.max_work.unwrap_or(u64::MAX))
    }

    fn level(&self) -> Level {
        self.level.unwrap_or_else(Level::detect)
    }

    /// Adds the counts of a batch: records that are rated, those of each grade and beyond the bound, and
    /// statuses.
    fn count(&self, rated: &Rated<'_>, counts: &mut Counts) {
        counts.add("rated", rated.counts.get("unique"));
        *counts += rated.grades();
        for (name, count) in rated.counts.iter().filter(|(name, _)| *name != "unique") {
            counts.add(name.to_owned(), count);
        }
    }

    /// The summary, with or without `--explain`.
    fn summary_of(&self, counts: &Counts, done: &Done) -> Summary {
        let among_rated = [&Difficulty::ALL.map(Difficulty::name)[..], &["beyond"]].concat();
        Summary::of_records(done, counts.without(&among_rated))
            .among_first(counts.only(&among_rated))
            .per_second("puzzles")
            .fact("level", self.level().name())
            .failed(done.records - counts.get("rated"), "not rated")
            .listed(done)
    }
}

/// Ratings as text: `2.6`, `>4.4/1.2/1.2`.
///
/// Millions of puzzles a second are shown, so this is no `String`.
pub(super) struct Shown {
    text: [u8; 17],
    length: usize,
}

impl Shown {
    const NOTHING: Self = Self {
        text: [0; 17],
        length: 0,
    };

    fn push(&mut self, text: &[u8]) {
        self.text[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    fn push_rating(&mut self, rating: Rating) {
        let tenths = rating.tenths();
        if tenths >= 100 {
            self.push(b"1");
        }
        let [whole, tenth] = [tenths / 10 % 10, tenths % 10].map(|digit| b'0' + digit);
        self.push(&[whole, b'.', tenth]);
    }
}

impl AsRef<[u8]> for Shown {
    fn as_ref(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

/// A rating, or nothing.
fn shown(rating: Option<Rating>) -> Shown {
    let mut shown = Shown::NOTHING;
    if let Some(rating) = rating {
        shown.push_rating(rating);
    }
    shown
}

/// ER/EP/ED.
fn shown_together(ratings: &Ratings) -> Shown {
    let mut shown = Shown::NOTHING;
    for (separator, rating) in [("", ratings.er), ("/", ratings.ep), ("/", ratings.ed)] {
        shown.push(separator.as_bytes());
        if rating.is_none() {
            shown.push(b">");
        }
        shown.push_rating(rating.unwrap_or(ratings.up_to));
    }
    shown
}

/// What is in the columns, by their numbers. In lines, the first has all three numbers.
const ER: usize = 0;
const STATUS: usize = 6;
const GRADE: usize = 7;

impl RecordCommand for Rate {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.in_lines = output.is_of_lines();
        let mut columns = vec![
            added("er", Values::Numbers),
            added("ep", Values::Numbers),
            added("ed", Values::Numbers),
            added("beyond", Values::Numbers),
            added("technique", TECHNIQUES),
            added("guesses", Values::Numbers),
            status_column(&self.added.status_column),
        ];
        if self.grade {
            columns.push(added("grade", DIFFICULTIES));
        }
        Ok(Plan::new(columns))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.question();
        if !self.in_lines {
            question = question.with_guesses();
        }
        Box::new(move |batch, rows, counts| {
            let rated = question.ask_with(batch.records, &self.team);
            self.count(&rated, counts);
            rows.rejects(rated.rejects);
            for (record, ratings) in rated.ratings.iter().enumerate() {
                let row = rows.row(record);
                let status = rated.statuses[record].name();
                let row = match ratings {
                    // A line shows the three numbers together, and nothing else but the grade.
                    Some(ratings) if self.in_lines && !ratings.gave_up => {
                        let row = row.value(shown_together(ratings)).nothing().nothing();
                        row.nothing().nothing().nothing().nothing()
                    }
                    Some(ratings) if !self.in_lines => {
                        let row = row.value(shown(ratings.er)).value(shown(ratings.ep));
                        let row = row.value(shown(ratings.ed)).value(shown(ratings.beyond()));
                        let row = row.value(ratings.technique.map_or("", Technique::name));
                        row.optional(rated.guesses[record]).value(status)
                    }
                    _ => {
                        let row = row.nothing().nothing().nothing().nothing();
                        row.nothing().nothing().value(status)
                    }
                };
                if self.grade {
                    let grade = ratings.and_then(|ratings| ratings.grade());
                    row.value(grade.map_or("", Difficulty::name));
                }
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        line.extend_from_slice(row.records.own(row.record).as_ref());
        line.push(b' ');
        if row.value(ER).is_empty() {
            line.extend_from_slice(row.value(STATUS));
            return true;
        }
        line.extend_from_slice(row.value(ER));
        if self.grade {
            line.push(b' ');
            line.extend_from_slice(row.value(GRADE));
        }
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        self.summary_of(counts, done)
    }
}
