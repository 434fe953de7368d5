//! `sudoku-batch filter`.

mod condition;
mod decimal;
mod tokens;

use super::prompts::PromptOptions;
use crate::driver::{
    self, Files, Plan, RecordCommand, RecordOptions, Worker, WrongInput,
    listed::ListedName,
    options::{Between, help},
};
use anyhow::bail;
use clap::builder::{PossibleValue, TypedValueParser};
use condition::Condition;
use std::{borrow::Cow, process::ExitCode};
use sudoku_batch::{
    NameError,
    format::{ChoiceError, ColumnReader, Form, Layout, Records},
    grid::{AnyPuzzle, CELLS},
    puzzle::{PathReader, PathWishes, Symmetry},
    questions::{
        self, Answer, Audience, BACKDOORS, CANONICAL, CHECK, COUNT, Data, Kind, Question, RATE,
        RateSettings, Reason, SOLVE, SettingError, Status,
    },
    solve::guesses,
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
};

/// Keep the records that meet all conditions, as they are.
///
/// A record that does not meet them is left out. --invert keeps exactly the records that would be left
/// out without it. Nothing is computed that no condition needs.
///
/// A malformed record meets no condition but --status malformed. One that is left out is reported, unless
/// --status names malformed.
///
/// Ranges include both ends. A.. and ..B are open.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some malformed records are left out, and --status does not name them"))]
pub struct Filter {
    /// Keep records with these statuses, such as unique.
    ///
    /// One of: unique, multiple, malformed, row-duplicate, column-duplicate, box-duplicate, no-solution.
    #[arg(long, value_name = "STATUS,…", value_delimiter = ',', value_parser = status)]
    status: Vec<Status>,

    /// Keep records with this many clues.
    #[arg(long, value_name = "A..B")]
    clues: Option<Between<u64>>,

    #[command(flatten)]
    hard: HowHard,

    /// Keep puzzles by guesses of the reference search.
    ///
    /// They have one solution, and the search takes this many guesses to find it.
    #[arg(long, value_name = "A..B")]
    guesses: Option<Between<u64>>,

    /// Keep only minimal puzzles: each clue is needed.
    ///
    /// They have one solution.
    #[arg(long)]
    minimal: bool,

    /// Keep symmetric puzzles.
    ///
    /// The pattern of their clues has one of these symmetries.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = symmetry())]
    symmetry: Vec<Symmetry>,

    /// Keep records by their own columns: "rating>=7".
    ///
    /// A test is a column, one of = != < <= > >= and a number, or a text in quotes: status = 'unique'. It may be
    /// clues in 22..24 (a range), clues in (17, 20..22), rating is missing, or rating is present. There are and, or, not and brackets.
    ///
    /// The columns are those that --columns takes. A name with spaces stands in brackets: [my column].
    ///
    /// A comparison with a number takes the value as a number: 7 is 7.0. One with a text takes its characters. A value that is empty, and one that
    /// is no number where a number is wanted, make it false, that of != too.
    #[arg(long = "where", id = "where", value_name = "EXPR")]
    condition: Option<Condition>,

    /// Keep the records that would be left out instead.
    #[arg(long)]
    invert: bool,

    /// The columns of the condition in the input that is read.
    #[arg(skip)]
    columns: Vec<ColumnReader>,

    #[command(flatten)]
    prompts: PromptOptions,

    #[command(flatten)]
    records: RecordOptions,
}

/// Conditions of puzzles that are to be rated for them.
#[derive(Clone, Debug, clap::Args)]
pub struct HowHard {
    /// Keep puzzles of these difficulties.
    ///
    /// They have one solution.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = difficulty())]
    difficulty: Vec<Difficulty>,

    /// Keep puzzles with this ER, as rate gives it.
    ///
    /// They have one solution.
    #[arg(long, value_name = "A..B")]
    pub rating: Option<Between<Rating>>,

    /// Keep puzzles of this depth of trial and error.
    ///
    /// They have one solution, and the depth is that of rate --te. Depths are 0 to 3, and beyond, which is more than 3.
    #[arg(long, value_name = "A..B")]
    pub te: Option<Between<TrialDepth>>,

    /// Keep puzzles whose hardest step is this: X-wing.
    ///
    /// The names are those of rate and of families, as in puzzles. Several have commas between them.
    #[arg(long, alias = "needs", value_name = "NAME,…", value_parser = techniques)]
    hardest: Option<Techniques>,

    /// Keep puzzles with a step of one of these techniques.
    ///
    /// The steps are those of rate --explain: always the first of the easiest.
    #[arg(long, value_name = "NAME,…", value_parser = techniques)]
    contains: Option<Techniques>,

    /// Keep puzzles whose first hard step is this.
    ///
    /// A hard step has a rating above 2.3, that of a naked single.
    #[arg(long, value_name = "NAME,…", value_parser = techniques)]
    first_hard: Option<Techniques>,

    /// Keep puzzles that these techniques solve.
    ///
    /// Direct pointing goes with pointing, and so do the other direct techniques.
    #[arg(long, value_name = "NAME,…", value_parser = techniques)]
    only: Option<Techniques>,

    /// Keep puzzles with this many hard steps.
    #[arg(long, value_name = "A..B")]
    steps: Option<Between<u64>>,
}

impl HowHard {
    /// Returns true if the ER of puzzles is a condition.
    fn has_rating(&self) -> bool {
        self.rating.is_some() || !self.difficulty.is_empty() || self.hardest.is_some()
    }

    /// The conditions on the path of puzzles.
    pub fn path(&self) -> PathWishes {
        let steps = self.steps.map(|range| {
            let (from, to) = (range.from.unwrap_or(0), range.to);
            from..=to.unwrap_or(u64::MAX)
        });
        PathWishes {
            contains: self.contains.unwrap_or_default(),
            first_hard: self.first_hard.unwrap_or_default(),
            only: self.only.unwrap_or_default(),
            steps,
        }
    }

    /// The highest ER that a puzzle may have.
    fn most(&self) -> Rating {
        let of_rating = self.rating.and_then(|range| range.to);
        let of_word = self.difficulty.iter().map(|word| *word.ratings().end());
        let of_technique = self.hardest.and_then(Techniques::most);
        let ends = [of_rating, of_word.max(), of_technique];
        let most = ends.into_iter().flatten().min().unwrap_or(Rating::HARDEST);
        // Without chains it is known that a puzzle is extreme.
        if self.rating.is_none() && self.hardest.is_none() {
            return most.min(Rating::IN_PLANES);
        }
        most
    }

    /// The rating up to which steps decide about the conditions. One above 4.4 need not be known where all such ratings are
    /// wanted.
    fn decides(&self) -> Rating {
        let next = Rating::from_tenths(Rating::IN_PLANES.tenths() + 1);
        let is_open = |range: Between<Rating>| {
            range.to.is_none() && range.from.is_none_or(|from| from <= next)
        };
        match self.hardest.is_none() && self.rating.is_none_or(is_open) {
            true => self.most().min(Rating::IN_PLANES),
            false => self.most(),
        }
    }

    /// Refuses conditions that no puzzle fulfils: what is wrong, and which ratings there are.
    pub fn check(&self) -> Result<(), SettingError> {
        let of_range = self.rating.map(|range| {
            let (from, to) = (range.from.unwrap_or(Rating::NONE), range.to);
            from..=to.unwrap_or(Rating::HARDEST)
        });
        let holds_grids = of_range
            .as_ref()
            .is_some_and(|range| range.contains(&Rating::NONE));
        let may_be_easy = self.difficulty.is_empty() || self.difficulty.contains(&Difficulty::Easy);
        let path = self.path();
        let asks_for_steps = !path.contains.is_empty()
            || !path.first_hard.is_empty()
            || path.steps.as_ref().is_some_and(|steps| *steps.start() > 0);
        if holds_grids && may_be_easy && self.hardest.is_none() && !asks_for_steps {
            // A solved grid takes no step.
            return Ok(());
        }
        let hardest = self.hardest.unwrap_or_default();
        questions::check_how_hard(of_range, &self.difficulty, hardest, &path)
    }

    /// The question that rates puzzles, if there is a condition. `shows_rating`: the command also shows
    /// their ER.
    pub fn rate(&self, shows_rating: bool) -> Option<Question> {
        let (has_rating, te) = (self.has_rating(), self.te.is_some());
        let up_to = match (has_rating, shows_rating) {
            (true, true) => self.most(),
            (true, false) => self.decides(),
            (false, _) => Rating::NONE,
        };
        // The path of a puzzle is read where it has one solution.
        (has_rating || te || !self.path().is_empty()).then(|| {
            let settings = RateSettings {
                up_to,
                te,
                ..RateSettings::default()
            };
            Question::new(settings).expect("conditions are settings")
        })
    }

    /// The ratings in an answer to the question.
    pub fn rated<'a>(&self, answer: &'a Answer<'_>) -> RatedBatch<'a> {
        let names = |column: &str| match answer.named(column) {
            Data::Names(places) => &places[..],
            _ => unreachable!("the column has names"),
        };
        let Data::Ratings(er) = answer.named("er") else {
            unreachable!("the column has ratings")
        };
        RatedBatch {
            statuses: &answer.statuses,
            er,
            techniques: names("technique"),
            depths: self.te.map_or(&[], |_| names("te")),
        }
    }

    /// Returns true if a record that is rated fulfils the conditions.
    pub fn fulfils(&self, rated: &RatedBatch<'_>, record: usize) -> bool {
        let is_rated = rated.is_rated(record);
        let er = rated.er[record];
        let has_depth =
            |range: Between<TrialDepth>| rated.depth(record).is_some_and(|n| range.contains(&n));
        let has_rating = |range: Between<Rating>| match er {
            Some(er) => range.contains(&er),
            None => is_rated && range.to.is_none(),
        };
        let technique = rated.technique(record);
        self.rating.is_none_or(has_rating)
            && self.te.is_none_or(has_depth)
            && (self.difficulty.is_empty()
                || is_rated && self.difficulty.contains(&Difficulty::of(er)))
            && (self.hardest).is_none_or(|set| technique.is_some_and(|used| set.contains(used)))
    }

    /// Finds out whether the path of a record that is rated fulfils the conditions.
    pub fn paths(&self) -> impl FnMut(&RatedBatch<'_>, &Records, usize) -> bool + use<> {
        let (wishes, mut reader) = (self.path(), PathReader::default());
        move |rated, records, record| {
            if wishes.is_empty() {
                return true;
            }
            let puzzle = records.puzzle(record).ok();
            let puzzle = puzzle.filter(|_| rated.is_rated(record));
            puzzle.is_some_and(|puzzle| reader.fulfils(puzzle, &wishes))
        }
    }
}

/// The ratings of the records of a batch.
#[derive(Clone, Copy, Debug)]
pub struct RatedBatch<'a> {
    statuses: &'a [Status],
    /// The ER of each record.
    pub er: &'a [Option<Rating>],
    techniques: &'a [u8],
    /// The depths of trial and error, if there is a condition.
    depths: &'a [u8],
}

impl RatedBatch<'_> {
    /// Returns true if a record has one solution, so that it is rated.
    fn is_rated(&self, record: usize) -> bool {
        self.statuses[record] == Status::Unique
    }

    /// The technique of the hardest step of a record.
    fn technique(&self, record: usize) -> Option<Technique> {
        Technique::ALL
            .get(usize::from(self.techniques[record]))
            .copied()
    }

    /// The depth of trial and error of a record.
    pub fn depth(&self, record: usize) -> Option<TrialDepth> {
        TrialDepth::ALL
            .get(usize::from(*self.depths.get(record)?))
            .copied()
    }
}

fn difficulty() -> impl TypedValueParser<Value = Difficulty> {
    let value = |word: &Difficulty| PossibleValue::new(word.name()).help(word.range());
    ListedName::of(Difficulty::ALL.iter().map(value)).try_map(|name| name.parse())
}

/// Reads a symmetry: all puzzles have none.
fn symmetry() -> impl TypedValueParser<Value = Symmetry> {
    let value = |known: &Symmetry| PossibleValue::new(known.name()).help(known.about());
    let known = Symmetry::ALL
        .iter()
        .filter(|known| **known != Symmetry::None);
    ListedName::of(known.map(value)).try_map(|name| name.parse())
}

/// Reads techniques, as the settings of puzzles do.
fn techniques(names: &str) -> Result<Techniques, String> {
    Techniques::named(names).map_err(|wrong| wrong.to_string())
}

const NOTES: &str = r#"Examples:
  sudoku-batch filter --status unique --clues ..24 puzzles.csv -o few-clues.csv
  sudoku-batch filter --difficulty hard --minimal puzzles.txt -o hard.txt
  sudoku-batch filter --hardest X-wing --symmetry rotate180 puzzles.txt -o x-wings.txt
  sudoku-batch filter --contains X-wing,swordfish --rating ..4.4 puzzles.txt -o fish.txt
  sudoku-batch filter --te 2.. puzzles.txt -o deep.txt
  sudoku-batch filter --where "er >= 7 and technique != 'X-wing'" rated.csv -o hard.csv
      Ratings that are in the file are not computed again.
  sudoku-batch rate puzzles.txt --format csv | sudoku-batch filter --where "er in 2.0..4.4 or er is missing"
  sudoku-batch filter --where "source = 'forum' and [my rank] <= 100" --rating 9.0.. puzzles.jsonl
      Only records that fulfil the condition are rated.
  sudoku-batch filter --guesses 10.. --rating 4.5.. puzzles.txt -o extreme.txt
  sudoku-batch filter --status unique --invert puzzles.txt -o not-proper.txt
      All that is no proper puzzle: several solutions, none, or malformed."#;

/// A status that a puzzle may have here.
fn status(name: &str) -> Result<Status, String> {
    match name.parse().map_err(|error: NameError| error.to_string())? {
        Status::GaveUp | Status::Valid => Err("no record of this command has this status".into()),
        status => Ok(status),
    }
}

impl Filter {
    pub fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        self.hard.check()?;
        let least = self.clues.and_then(|range| range.from);
        if let Some(least) = least.filter(|least| *least > CELLS as u64) {
            bail!("no puzzle has {least} clues: a puzzle has {CELLS} cells");
        }
        let records = self.records.clone();
        let prompts = self.prompts.read()?;
        prompts.run(&mut self, |command| {
            driver::run(files, command, &records.task())
        })
    }
}

/// These records alone. All of them are not copied.
fn chosen<'r>(records: &'r Records, numbers: &[usize]) -> Cow<'r, Records> {
    if numbers.len() == records.len() {
        return Cow::Borrowed(records);
    }
    Cow::Owned(records.part(numbers.iter().copied()))
}

/// The numbers of the records, out of these, for which `keep` returns true. It takes a place among them and the number.
fn retain(numbers: &mut Vec<usize>, mut keep: impl FnMut(usize, usize) -> bool) {
    let mut place = 0;
    numbers.retain(|&number| {
        place += 1;
        keep(place - 1, number)
    });
}

/// The questions that give a record one row, with what is known of it.
const OF_RECORDS: [&questions::Definition; 6] =
    [&RATE, &SOLVE, &CHECK, &COUNT, &CANONICAL, &BACKDOORS];

/// The advice to someone who asks for a column that the input does not have: the command that makes it.
fn advice(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let wanted = match name.as_str() {
        "clues" => return "; --clues A..B needs no column".into(),
        // The rating of a puzzle is its ER.
        "rating" => "er",
        name => name,
    };
    let option = |definition: &questions::Definition, column: &questions::Column| {
        let Some(when) = column.when else {
            return Some(String::new());
        };
        let mut settings = definition.settings.iter();
        let setting = settings.find(|setting| setting.name == when)?;
        match setting.audience {
            // The command always sets it.
            Audience::Calls | Audience::Written => Some(String::new()),
            _ => (setting.kind == Kind::Flag).then(|| format!(" --{when}")),
        }
    };
    let found = OF_RECORDS.into_iter().find_map(|definition| {
        let mut columns = definition.columns.iter();
        let column = columns.find(|column| column.name == wanted)?;
        Some((definition.name, column.name, option(definition, column)?))
    });
    found.map_or_else(String::new, |(command, column, option)| {
        format!(
            "; {command}{option} makes the column {column}: sudoku-batch {command}{option} FILE --format csv | \
             sudoku-batch filter --where \"{column} …\""
        )
    })
}

impl Filter {
    /// Returns true if the columns of a record fulfil the condition. A malformed record may have columns that cannot be
    /// told apart.
    fn has_columns(&self, records: &Records, record: usize) -> bool {
        self.condition.as_ref().is_none_or(|condition| {
            let value = |column: usize| self.columns[column].value(records, record);
            !records.is_torn(record) && condition.holds(value)
        })
    }

    /// The numbers of the records that fulfil all conditions that need no search.
    fn with_all_that_is_quick(&self, records: &Records) -> Vec<usize> {
        let all = 0..records.len();
        all.filter(|&record| self.has_all_that_is_quick(records, record))
            .collect()
    }

    fn has_all_that_is_quick(&self, records: &Records, record: usize) -> bool {
        let puzzle = records.puzzle(record);
        let clues = puzzle.ok().map(|puzzle| puzzle.clue_count() as u64);
        let has_clues = |range: Between<u64>| clues.is_some_and(|n| range.contains(&n));
        let has_symmetry = |puzzle: &AnyPuzzle| {
            let clues = puzzle.clues();
            let mut wanted = self.symmetry.iter();
            wanted.any(|symmetry| symmetry.is_kept_by(&clues))
        };
        (puzzle.is_ok() || self.names_malformed())
            && self.clues.is_none_or(has_clues)
            && (self.symmetry.is_empty() || puzzle.is_ok_and(|puzzle| has_symmetry(&puzzle)))
            && self.has_columns(records, record)
    }

    fn names_malformed(&self) -> bool {
        self.status.contains(&Status::Malformed)
    }
}

impl RecordCommand for Filter {
    fn plan(&mut self, input: &Layout, _: Form) -> anyhow::Result<Plan> {
        let names = self.condition.iter().flat_map(Condition::columns);
        let columns = names.map(|name| {
            ColumnReader::find(input, name).map_err(|wrong| {
                let advice = match &wrong {
                    ChoiceError::Unknown { .. } => advice(name),
                    _ => String::new(),
                };
                let form = match input {
                    Layout::Table(_) | Layout::Objects(_) => String::new(),
                    _ => format!(
                        "; the format {} has no names of other columns",
                        input.form()
                    ),
                };
                WrongInput(format!("--where: {wrong}{form}{advice}"))
            })
        });
        self.columns = columns.collect::<Result<_, _>>()?;
        let takes_chains = self.hard.has_rating() && self.hard.most() > Rating::IN_PLANES
            || !self.hard.path().is_empty();
        let takes_long =
            takes_chains || self.hard.te.is_some() || self.minimal || self.guesses.is_some();
        Ok(Plan::new([]).taking_long(takes_long))
    }

    fn worker(&self) -> Worker<'_> {
        let (mut rate, mut has_path) = (self.hard.rate(false), self.hard.paths());
        let minimal = self.minimal.then_some(("minimal", "true"));
        let mut check = CHECK.with(minimal).expect("a setting of check");
        let is_solved = !self.status.is_empty() || self.minimal || self.guesses.is_some();
        let names_malformed = self.names_malformed();
        let is_quick = !is_solved && rate.is_none() && self.guesses.is_none();
        Box::new(move |batch, answer| {
            let records = batch.records;
            // A question that takes long is asked of the records that fulfil all that is quicker. Without one, no list is
            // made: with it, `filter --clues` took 1.1 times as long.
            let mut left = match is_quick {
                true => Vec::new(),
                false => self.with_all_that_is_quick(records),
            };
            if is_solved {
                let chosen = chosen(records, &left);
                let checked = check.ask(&*chosen);
                let rejected = checked.rejects.iter().map(|reject| reject.record);
                let mut rejected = rejected.peekable();
                retain(&mut left, |place, _| {
                    let status = checked.statuses[place];
                    // All others are rejects of the question.
                    let is_minimal = rejected.next_if_eq(&place).is_none();
                    (self.status.is_empty() || self.status.contains(&status))
                        && (self.guesses.is_none() || status == Status::Unique)
                        && (!self.minimal || is_minimal)
                });
            }
            if let Some(rate) = &mut rate {
                let chosen = chosen(records, &left);
                let answer = rate.ask(&*chosen);
                let rated = self.hard.rated(&answer);
                retain(&mut left, |place, _| {
                    self.hard.fulfils(&rated, place) && has_path(&rated, &chosen, place)
                });
            }
            if let Some(range) = self.guesses {
                let most = range.to.unwrap_or(u64::MAX);
                retain(&mut left, |_, record| {
                    let puzzle = records.puzzle(record).ok();
                    let guesses = puzzle.and_then(|puzzle| guesses(&puzzle, most));
                    guesses.is_some_and(|n| range.contains(&n))
                });
            }
            let [mut kept, mut malformed] = [0; 2];
            let mut fulfilling = left.into_iter().peekable();
            for record in 0..records.len() {
                let fulfils = match is_quick {
                    true => self.has_all_that_is_quick(records, record),
                    false => fulfilling.next_if_eq(&record).is_some(),
                };
                if fulfils != self.invert {
                    answer.row(record);
                    kept += 1;
                } else if let (Some(error), false) = (records.error(record), names_malformed) {
                    answer.reject(record, Reason::Malformed(error));
                    malformed += 1;
                }
            }
            answer.counts.add("kept", kept);
            answer
                .counts
                .add("left-out", records.len() as u64 - kept - malformed);
            answer.counts.add("malformed", malformed);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    /// The options of the command.
    #[derive(clap::Parser)]
    struct Options {
        #[command(flatten)]
        filter: Filter,
    }

    /// Records that a condition on columns refuses are in no question: they are neither solved nor rated.
    #[test]
    fn a_record_that_is_refused_is_in_no_question() {
        let puzzle =
            "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        let rows = (0..100).map(|number| match number % 10 {
            3 => format!("{number},1{},{}\n", &puzzle[1..], number % 4),
            5 => format!("{number},{},{}\n", &puzzle[1..], number % 4),
            7 => format!("{number},{},{}\n", ".".repeat(81), number % 4),
            _ => format!("{number},{puzzle},{}\n", number % 4),
        });
        let text: String = iter::once("id,puzzle,n\n".to_owned()).chain(rows).collect();
        let found = Layout::detect(text.as_bytes(), None, None).unwrap();
        let mut records = Records::default();
        found
            .layout
            .read(&text.as_bytes()[found.skipped..], &mut records);
        let arguments = "filter --rating 4.5 --status unique,malformed --where";
        let arguments = arguments.split(' ').chain(["n = 1 or id in 90..95"]);
        let mut filter = <Options as clap::Parser>::parse_from(arguments).filter;
        filter.plan(&found.layout, Form::Csv).unwrap();
        let left = filter.with_all_that_is_quick(&records);
        let is_wanted = |id: &usize| id % 4 == 1 || (90..=95).contains(id);
        assert!(left.iter().copied().eq((0..100).filter(is_wanted)));
        let asked = chosen(&records, &left);
        assert_eq!(asked.len(), left.len());
        for (place, number) in left.into_iter().enumerate() {
            assert_eq!(asked.puzzle(place), records.puzzle(number));
        }
    }
}
