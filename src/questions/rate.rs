//! How hard each record is for a person.

use super::{
    Answer, Batch, Column, Counts, Definition, Doors, Fact, Kind, Outcome, Question, Reason,
    Reject, RowView, Setting, Status, Team, Value, status::StatusColumn,
};
use crate::{
    format::{Records, Values},
    name::names_of,
    simd::{Level, LevelError},
    solve::{NotUniqueError, guesses},
    technique::{Difficulty, Position, Rater, Rating, Ratings, Step, Steps, Technique},
};
use std::sync::Arc;

/// Rates puzzles.
pub static RATE: Definition = Definition {
    name: "rate",
    about: "Rate puzzles by the techniques that a person needs",
    details: "\
The ratings are those of Sudoku Explainer 1.2.1: ER is the hardest step of a solution that always takes the \
easiest step, EP the hardest step up to the first digit that is placed, ED the first step. They are exact \
over the whole scale.

In lines, every record gives its 81 cells and ER/EP/ED. In the other forms the columns er, ep, ed, beyond, \
technique, guesses and status are added. In the form text they follow the line, each after a tab, with - for \
an empty one.",
    notes: "\
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
box-duplicate, no-solution, and gave-up with --max-work. In lines, such a record gives its status in place of the ratings.",
    failure: "some records are not rated",
    verification: "",
    settings: &[
        Setting::new(
            "grade",
            Kind::Flag,
            "Add a word for the ER: easy, medium, hard, expert or extreme.",
        ),
        Setting::new(
            "up-to",
            Kind::Rating,
            "Take no step with a rating over X. A puzzle that needs one gets `>X`, or X in the column beyond.",
        )
        .usual("11.9")
        .details(
            "Up to 4.4 the program rates hundreds of thousands of puzzles a second. Chains take longer.",
        ),
        Setting::new(
            "max-work",
            Kind::Number(1),
            "Give up on a puzzle when the searches for its chains have done this work.",
        )
        .details(
            "\
N is a number of nodes of chains, with k, M or G after it if you like. So the same puzzles are given up on \
every machine, with any number of threads. Their status is gave-up. 100M are some seconds.",
        ),
        Setting::new(
            "guesses",
            Kind::Flag,
            "Add the guesses of the reference search where there is no ER.",
        )
        .at(Doors::Calls),
        Setting::level(
            "Rate with this instruction set: avx512, avx2, neon or portable.",
            "\
The best one that the CPU has is the default; one that it lacks is an error. The ratings are the same with \
each.",
        ),
    ],
    columns: &[
        Column::new("er", Values::Ratings, "the rating of the hardest step"),
        Column::new("ep", Values::Ratings, "the rating of the hardest step up to the first digit"),
        Column::new("ed", Values::Ratings, "the rating of the first step"),
        Column::new("beyond", Values::Ratings, "the bound, where a rating is missing for it"),
        Column::new("technique", Values::Names(names_of!(Technique)), "the technique of the hardest step"),
        Column::new("guesses", Values::Numbers, "the guesses of the reference search, without ER")
            .when("guesses")
            .not_in_lines(),
        Column::STATUS,
        Column::new("grade", Values::Names(names_of!(Difficulty)), "a word for the ER").when("grade"),
    ],
    make: || Box::new(Grading::default()),
};

/// The question with its settings.
#[derive(Debug)]
struct Grading {
    grade: bool,
    guesses: bool,
    up_to: Rating,
    max_work: u64,
    level: Option<Level>,
    /// The threads, which share a puzzle that takes long.
    team: Arc<Team>,
    /// The memory of the thread, once it has a batch.
    rate: Option<Rate>,
}

impl Default for Grading {
    fn default() -> Self {
        Self {
            grade: false,
            guesses: false,
            up_to: Rating::HARDEST,
            max_work: u64::MAX,
            level: None,
            team: Arc::new(Team::new(1)),
            rate: None,
        }
    }
}

impl Question for Grading {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("grade", Value::Flag(is_set)) => self.grade = is_set,
            ("guesses", Value::Flag(is_set)) => self.guesses = is_set,
            ("up-to", Value::Rating(up_to)) => self.up_to = up_to,
            ("max-work", Value::Number(most)) => self.max_work = most,
            ("simd", Value::Level(level)) => self.level = Some(level),
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

    fn fork(&self) -> Box<dyn Question> {
        Box::new(Self {
            team: Arc::clone(&self.team),
            rate: None,
            ..*self
        })
    }

    /// Chains and guesses may take long.
    fn batch(&self) -> usize {
        match self.guesses || self.up_to > Rating::IN_PLANES {
            true => 512,
            false => 10_240,
        }
    }

    fn share(&mut self, threads: usize) {
        self.team = Arc::new(Team::new(threads));
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        const GUESSES: usize = 5;
        let wants_guesses = self.guesses && answer.is_wanted(GUESSES);
        let rate = self.rate.get_or_insert_with(|| {
            let rate = match self.level {
                Some(level) => Rate::with_level(level).expect("the setting was checked"),
                None => Rate::default(),
            };
            let rate = rate.up_to(self.up_to).with_max_work(self.max_work);
            if wants_guesses {
                rate.with_guesses()
            } else {
                rate
            }
        });
        let rated = rate.ask_with(batch.records, &self.team);
        rated.count(&mut answer.counts);
        for (record, ratings) in rated.ratings.iter().enumerate() {
            let rating = |of: fn(&Ratings) -> Option<Rating>| ratings.as_ref().and_then(of);
            let technique = ratings.and_then(|ratings| ratings.technique);
            let mut row = answer
                .row(record)
                .rating(rating(|ratings| ratings.er))
                .rating(rating(|ratings| ratings.ep))
                .rating(rating(|ratings| ratings.ed))
                .rating(rating(Ratings::beyond))
                .name(technique.map(|technique| technique as usize));
            if self.guesses {
                row = row.number(rated.guesses.get(record).copied().flatten());
            }
            if self.grade {
                let grade = ratings.and_then(|ratings| ratings.grade());
                row.name(grade.map(|grade| grade as usize));
            }
        }
        rate.statuses.swap(answer);
    }

    /// The puzzle and ER/EP/ED: `>4.4` for what is beyond 4.4. A record that is not rated gives its
    /// status in their place.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        const BEYOND: usize = 3;
        let status = 5 + usize::from(self.guesses);
        line.extend_from_slice(row.records.own(row.record).as_ref());
        line.push(b' ');
        if row.status() != Status::Unique {
            row.push(status, line);
            return true;
        }
        for (column, separator) in ["", "/", "/"].iter().enumerate() {
            line.extend_from_slice(separator.as_bytes());
            match row.rating(column) {
                None => {
                    line.push(b'>');
                    row.push(BEYOND, line);
                }
                Some(rating) => rating.write(line),
            }
        }
        if self.grade {
            line.push(b' ');
            row.push(status + 1, line);
        }
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> Outcome {
        let mut among_rated = Vec::from_iter(Difficulty::ALL.iter().map(|known| known.name()));
        among_rated.push("beyond");
        let level = self.level.unwrap_or_else(Level::detect);
        let failed = records.saturating_sub(counts.get("rated"));
        Outcome {
            unit: "puzzles",
            among_first: counts.only(&among_rated),
            facts: vec![("level", Fact::Words(level.name().into()))],
            is_listed: true,
            ..Outcome::new(counts.without(&among_rated), failed, "not rated")
        }
    }
}

/// The reference search stops after this many guesses, which take about a second.
pub const MOST_GUESSES: u64 = 1_000_000;

/// Asks for the ratings of each record with one solution.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Rate, Status}};
/// let mut records = Records::default();
/// let text = b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
/// .................................................................................
/// ";
/// line::read(text, &mut records);
/// let mut question = Rate::default().with_guesses();
/// let rated = question.ask(&records);
/// assert_eq!(rated.ratings[0].unwrap().to_string(), "2.6/1.2/1.2");
/// assert_eq!((rated.guesses[0], rated.statuses[1]), (None, Status::Multiple));
/// assert_eq!(rated.grades().get("hard"), 1);
/// ```
#[derive(Debug)]
pub struct Rate {
    rater: Rater,
    up_to: Rating,
    max_work: u64,
    with_guesses: bool,
    with_steps: bool,
    steps: Vec<Vec<Step>>,
    ratings: Vec<Option<Ratings>>,
    guesses: Vec<Option<u64>>,
    statuses: StatusColumn,
}

/// The answer of [`Rate`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rated<'q> {
    /// The steps of each record, within the bounds; none without a rating. It is empty without
    /// [`Rate::with_steps`].
    pub steps: &'q [Vec<Step>],
    /// The ratings of each record with one solution. Where the status is [`Status::GaveUp`], they may
    /// lack numbers that are not over the bound.
    pub ratings: &'q [Option<Ratings>],
    /// The guesses of the [reference search](crate::solve::guesses) for each record whose ER is not
    /// known, if they are at most [`MOST_GUESSES`]. It is empty without [`Rate::with_guesses`].
    pub guesses: &'q [Option<u64>],
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records without ratings.
    pub rejects: &'q [Reject],
    /// The number of records of each status.
    pub counts: Counts,
}

impl Default for Rate {
    fn default() -> Self {
        Self::of(Rater::new())
    }
}

impl Rate {
    fn of(rater: Rater) -> Self {
        Self {
            rater,
            up_to: Rating::HARDEST,
            max_work: u64::MAX,
            with_guesses: false,
            with_steps: false,
            steps: Vec::new(),
            ratings: Vec::new(),
            guesses: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Rates at a level. The ratings are the same at every level.
    ///
    /// # Errors
    ///
    /// This CPU lacks the level.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        Rater::with_level(level).map(Self::of)
    }

    /// Takes no step with a rating over `up_to`. See [`Rater::with_max_rating`].
    #[must_use]
    pub fn up_to(mut self, up_to: Rating) -> Self {
        // Steps are searched alone. Then the rater only has to find which records have one solution.
        let rated = if self.with_steps { Rating::NONE } else { up_to };
        self.rater = self.rater.with_max_rating(rated);
        self.up_to = up_to;
        self
    }

    /// Gives the steps too.
    #[must_use]
    pub fn with_steps(mut self) -> Self {
        self.with_steps = true;
        let up_to = self.up_to;
        self.up_to(up_to)
    }

    /// Gives up on a record when the searches for its chains have done this work, counted in nodes of
    /// chains. See [`Rater::with_max_work`].
    #[must_use]
    pub fn with_max_work(mut self, max_work: u64) -> Self {
        self.rater = self.rater.with_max_work(max_work);
        self.max_work = max_work;
        self
    }

    /// Counts the guesses for puzzles whose ER is not known.
    #[must_use]
    pub fn with_guesses(mut self) -> Self {
        self.with_guesses = true;
        self
    }

    /// Rates records.
    pub fn ask(&mut self, records: &Records) -> Rated<'_> {
        self.ask_with(records, &Arc::new(Team::new(1)))
    }

    /// Rates records with a team: all of its threads that have nothing else to do share the work on a
    /// record that takes long.
    pub fn ask_with(&mut self, records: &Records, team: &Arc<Team>) -> Rated<'_> {
        let _busy = team.enter();
        self.rater.share_with(Some(Arc::clone(team) as _));
        let Self {
            rater,
            up_to,
            max_work,
            with_guesses,
            with_steps,
            steps: all_steps,
            ratings,
            guesses: all_guesses,
            statuses,
        } = self;
        all_steps.clear();
        ratings.clear();
        all_guesses.clear();
        statuses.clear();
        let (cells, _, candidates) = records.by_kind();
        let mut by_candidates = rater.rate_batch(candidates).into_iter();
        rater.rate_cells(cells, |rating| {
            let record = ratings.len();
            let rating = match records.candidates(record) {
                Some(_) => by_candidates.next().expect("one for each"),
                None => rating,
            };
            let reason = |error| reason(records, record, error);
            let rating = match rating {
                Ok(_) if *with_steps => records.puzzle(record).map_or(rating, |puzzle| {
                    let mut steps = Vec::new();
                    let of_puzzle = Steps::from(Position::new(&puzzle)).with_max_rating(*up_to);
                    let of_puzzle = of_puzzle.with_max_work(*max_work);
                    let of_puzzle = of_puzzle.with_crew(Some(Arc::clone(team) as _));
                    let ratings = of_puzzle.ratings(|step| steps.push(step));
                    all_steps.push(steps);
                    Ok(ratings)
                }),
                rating => rating,
            };
            if *with_steps {
                all_steps.resize_with(ratings.len() + 1, Vec::new);
            }
            statuses.push(match rating {
                Ok(Ratings { gave_up: true, .. }) => Err(Reason::TooMuchWork(*max_work)),
                rating => rating.map(|_| Status::Unique).map_err(reason),
            });
            ratings.push(rating.ok());
        });
        if *with_guesses {
            all_guesses.extend(ratings.iter().enumerate().map(|(record, ratings)| {
                let is_beyond = ratings.is_some_and(|ratings: Ratings| ratings.er.is_none());
                let puzzle = is_beyond.then(|| records.puzzle(record).ok());
                guesses(&puzzle.flatten()?, MOST_GUESSES)
            }));
        }
        Rated {
            steps: all_steps,
            ratings,
            guesses: all_guesses,
            statuses: &statuses.statuses,
            rejects: &statuses.rejects,
            counts: statuses.counts(),
        }
    }
}

fn reason(records: &Records, record: usize, error: NotUniqueError) -> Reason {
    match (records.puzzle(record), error) {
        (Err(error), _) => Reason::Malformed(error),
        (Ok(_), NotUniqueError::Multiple) => Reason::Multiple,
        (Ok(puzzle), NotUniqueError::NoSolution) => Reason::from_unsolvable(&puzzle),
    }
}

impl Rated<'_> {
    /// Adds the counts of the batch: records that are rated, those of each grade and beyond the bound,
    /// and the other statuses.
    pub fn count(&self, counts: &mut Counts) {
        counts.add("rated", self.counts.get("unique"));
        *counts += self.grades();
        for (name, count) in self.counts.iter().filter(|(name, _)| *name != "unique") {
            counts.add(name.to_owned(), count);
        }
    }

    /// The number of records of each difficulty, the easiest first, and `beyond`: of those whose ER is
    /// over the bound.
    pub fn grades(&self) -> Counts {
        let mut tally = [0; Difficulty::ALL.len()];
        for grade in self.ratings.iter().flatten().filter_map(Ratings::grade) {
            tally[grade as usize] += 1;
        }
        let mut counts = Counts::default();
        for (difficulty, n) in Difficulty::ALL.iter().zip(tally) {
            counts.add(difficulty.name(), n);
        }
        let rated = self.ratings.iter().flatten();
        let beyond = rated.filter(|ratings| ratings.beyond().is_some());
        counts.add("beyond", beyond.count() as u64);
        counts
    }
}
