//! How hard each record is for a person.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Reason, Responder, RowView,
    RunOutcome, Status, SummaryField, Team,
    columns::{Columns, Handle, NewText, columns, kind},
    made,
    settings::{AtLeast, Settings, settings},
    status::StatusColumn,
};
use crate::{
    format::{Records, Values},
    grid::AnyPuzzle,
    simd::Level,
    solve::{Batch as OfKind, NotUniqueError, guesses},
    technique::{
        Difficulty, Position, Rater, Rating, Ratings, Step, Steps, Technique, Techniques,
        TrialDepth,
    },
};
use std::sync::Arc;

settings! {
    /// The settings of [`RATE`].
    pub struct RateSettings {
        /// Add a word for the ER: easy, medium, hard, expert or extreme.
        #[setting(alias("grade"))]
        pub difficulty: bool,
        /// Add the depth of trial and error, T&E(n).
        ///
        /// It is 0, 1, 2, 3 or beyond. It depends on no rating. {up-to} 1.0 saves most of the work of the ratings.
        pub te: bool,
        /// Add whether the first step is the hardest: diamond, pearl or none.
        ///
        /// A puzzle is a diamond if ED, EP and ER are equal, and a pearl if only EP and ER are. It is beyond where EP is above
        /// {up-to}.
        pub gem: bool,
        /// Stop at steps harder than X: such puzzles are shown as `>X` (column beyond).
        ///
        /// Up to 4.4 the program rates hundreds of thousands of puzzles a second. Chains take longer.
        pub up_to: Rating = "11.9",
        /// Give up on a puzzle after N chain nodes; 100M is some seconds.
        ///
        /// N may have k, M or G after it. It counts work, not time, so the same puzzles are given up on every
        /// machine, with any number of threads. Their status is gave-up.
        pub max_work: Option<u64> as Option<AtLeast<1>>,
        /// Add how often each technique is used.
        ///
        /// A column for each technique has the number of its steps, on the way that always takes the first of the
        /// easiest steps: the steps of {explain}. docs/internals/ratings.md says which of several steps is the first.
        /// clues_after_singles is the number of filled cells where naked and hidden singles lead no further. In
        /// lines, the numbers that are not 0 follow the ratings, as in naked_single=3. Counting takes about twice as
        /// long as rating.
        pub counts: bool,
        /// Take no step of these techniques.
        ///
        /// Names of techniques as in the column technique, with commas between; `uniqueness` stands for unique
        /// rectangles, unique loops and BUG. If such a step would come next, the next other one is taken. Techniques
        /// inside of chains stay. Cycles and chains up to 7.0 come out of one search, and so do cell and house
        /// chains: leave out all of them or none.
        pub without: Techniques,
        /// Add the guesses of the reference search where there is no ER.
        #[setting(at(Audience::Calls))]
        pub guesses: bool,
        /// Rate with this instruction set: avx512, avx2, neon or portable.
        ///
        /// The best one that the CPU has is the default; one that it lacks is an error. The ratings are the same with
        /// each.
        #[setting(named("simd"), alias("level"), at(Audience::Command))]
        pub level: Option<Level>,
    }
}

columns! {
    /// The columns of [`RATE`].
    struct RateColumns, RateRow for RateSettings {
        /// the rating of the hardest step
        er: kind::Ratings,
        /// the rating of the hardest step up to the first digit
        ep: kind::Ratings,
        /// the rating of the first step
        ed: kind::Ratings,
        /// the bound, where a rating is missing for it
        beyond: kind::Ratings,
        /// the technique of the hardest step
        technique: kind::Names<Technique>,
        /// the guesses of the reference search, without ER
        #[column(not_in_lines())]
        guesses if guesses: Option<kind::Numbers>,
        status = Column::STATUS,
        /// a word for the ER
        difficulty if difficulty: Option<kind::Names<Difficulty>>,
        /// the depth of trial and error
        te if te: Option<kind::Names<TrialDepth>>,
        /// whether the first step is the hardest
        gem if gem: Option<kind::Text>,
        /// the number of steps of each technique
        counts if counts: Option<[kind::Numbers; COUNTS.len()]> => COUNTS,
        /// the number of filled cells where singles lead no further
        #[column(up_to(81))]
        clues_after_singles if counts: Option<kind::Numbers>,
    }
}

/// Rates puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, Question, RateSettings, Status}};
/// let mut records = Records::default();
/// let text = b"....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
/// .................................................................................
/// ";
/// line::read(text, &mut records);
/// let mut question = Question::new(RateSettings { guesses: true, ..RateSettings::default() })?;
/// let answer = question.ask(&records);
/// let Data::Ratings(er) = answer.named("er") else { unreachable!() };
/// assert_eq!((er[0], er[1]), (Some("2.6".parse()?), None));
/// let Data::Numbers(guesses) = answer.named("guesses") else { unreachable!() };
/// assert_eq!((guesses[0], answer.statuses[1]), (None, Status::Multiple));
/// assert_eq!(answer.counts.get("hard"), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static RATE: Definition = Definition {
    name: "rate",
    about: "Rate puzzles by the techniques that a person needs",
    details: "\
The ratings are those of Sudoku Explainer 1.2.1: ER is the hardest step of a solution that always takes the \
easiest step, EP the hardest step up to the first digit that is placed, ED the first step. They are exact \
over the whole scale.

In lines, every record gives its 81 cells and ER/EP/ED. In the other formats the columns er, ep, ed, beyond, \
technique, guesses and status are added. In the format text they follow the line, each after a tab, with - for \
an empty one.",
    settings: RateSettings::TABLE,
    columns: RateColumns::TABLE,
    make: made::<RateSettings>,
};

/// The columns of the steps of techniques: `x_wing`, `dynamic_forcing_chains_plus`.
const COUNTS: [Column; Technique::ALL.len()] = {
    let mut columns = [Column::STATUS; Technique::ALL.len()];
    let mut n = 0;
    while n < columns.len() {
        let (name, length) = &NAMES_OF_COUNTS[n];
        let Ok(name) = str::from_utf8(name.split_at(*length).0) else {
            panic!("it is ASCII");
        };
        columns[n] = Column::new(name, Values::Numbers, Technique::ALL[n].name());
        n += 1;
    }
    columns
};

/// The longest name of a column of counts, with room.
const LONGEST: usize = 40;

/// The names of the columns of counts, and their lengths: those of techniques in lower case, with `_` for all
/// but letters and digits, and `plus` for the plus sign.
const NAMES_OF_COUNTS: &[([u8; LONGEST], usize); Technique::ALL.len()] = &{
    let mut names = [([0; LONGEST], 0); Technique::ALL.len()];
    let mut n = 0;
    while n < names.len() {
        let name = Technique::ALL[n].name().as_bytes();
        let (to, length) = &mut names[n];
        let mut from = 0;
        while from < name.len() {
            match name[from] {
                b'+' => {
                    let plus = *b"plus";
                    let mut at = 0;
                    while at < plus.len() {
                        to[*length] = plus[at];
                        *length += 1;
                        at += 1;
                    }
                }
                other => {
                    let is_plain = other.is_ascii_alphanumeric();
                    to[*length] = if is_plain {
                        other.to_ascii_lowercase()
                    } else {
                        b'_'
                    };
                    *length += 1;
                }
            }
            from += 1;
        }
        n += 1;
    }
    names
};

/// The question with its settings.
#[derive(Debug)]
struct Grading {
    columns: RateColumns,
    /// The columns behind the status, with their places. In lines, words follow the ratings, and numbers that are not 0
    /// have the name of their column.
    in_lines: Vec<(usize, &'static Column)>,
    rate: Rate,
}

impl Asked for RateSettings {
    fn definition() -> &'static Definition {
        &RATE
    }

    fn responder(self) -> Box<dyn Responder> {
        let columns = RateColumns::of(&self);
        let all = RateColumns::TABLE.iter();
        let all = all.filter(|column| column.is_there(&self)).enumerate();
        Box::new(Grading {
            columns,
            in_lines: all.skip(usize::from(columns.status) + 1).collect(),
            rate: Rate::new(self),
        })
    }
}

impl Responder for Grading {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            columns: self.columns,
            in_lines: self.in_lines.clone(),
            rate: self.rate.fork(),
        })
    }

    /// Chains, guesses and trials may take long.
    fn batch(&self) -> usize {
        let RateSettings {
            counts, te, up_to, ..
        } = self.rate.settings;
        let has_guesses = self.columns.guesses.is_some();
        match has_guesses || counts || te || up_to > Rating::IN_PLANES {
            true => 512,
            false => 10_240,
        }
    }

    fn share(&mut self, threads: usize) {
        self.rate.share(threads);
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let Self { columns, rate, .. } = self;
        rate.settings.guesses = columns.guesses.is_some_and(|at| answer.is_wanted(at));
        let rated = rate.ask(batch.records);
        rated.count(&mut answer.counts);
        for (record, ratings) in rated.ratings.iter().enumerate() {
            let ratings = ratings.as_ref();
            let rating = |of: fn(&Ratings) -> Option<Rating>| ratings.and_then(of);
            let counts = |technique: usize| {
                ratings.map(|_| rated.technique_counts[record][technique].into())
            };
            let row = RateRow {
                er: rating(|ratings| ratings.er),
                ep: rating(|ratings| ratings.ep),
                ed: rating(|ratings| ratings.ed),
                beyond: rating(Ratings::beyond),
                technique: ratings.and_then(|ratings| ratings.technique),
                guesses: (columns.guesses).map(|_| rated.guesses.get(record).copied().flatten()),
                difficulty: (columns.difficulty).map(|_| ratings.and_then(Ratings::difficulty)),
                te: columns.te.map(|_| rated.depths[record]),
                gem: columns.gem.map(|_| match ratings {
                    None => NewText::Nothing,
                    Some(Ratings { ep: None, .. }) => NewText::from("beyond"),
                    Some(ratings) if ratings.ep != ratings.er => NewText::from("none"),
                    Some(ratings) if ratings.ed != ratings.er => NewText::from("pearl"),
                    Some(_) => NewText::from("diamond"),
                }),
                counts: columns.counts.map(|_| &counts as _),
                clues_after_singles: (columns.clues_after_singles)
                    .map(|_| clues_after_singles(&batch.records.puzzle(record).ok()?)),
            };
            columns.push(answer, record, row);
        }
        rate.give_statuses(answer);
    }

    /// The puzzle and ER/EP/ED: `>4.4` for what is beyond 4.4. A record that is not rated gives its
    /// status in their place.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = &self.columns;
        line.extend_from_slice(row.records.own(row.record).as_ref());
        line.push(b' ');
        let is_rated = row.status() == Status::Unique;
        if is_rated {
            let show = |column: Handle<kind::Ratings>, line: &mut Vec<u8>| match row.rating(column)
            {
                None => {
                    line.push(b'>');
                    row.push(columns.beyond, line);
                }
                Some(rating) => rating.write(line),
            };
            show(columns.er, line);
            line.push(b'/');
            show(columns.ep, line);
            line.push(b'/');
            show(columns.ed, line);
        } else {
            row.push(columns.status, line);
        }
        for (column, about) in &self.in_lines {
            let text = row.text(*column);
            match about.values {
                Values::Numbers if matches!(&text[..], "" | "0") => {}
                Values::Numbers => {
                    line.extend_from_slice(format!(" {}={text}", about.name).as_bytes());
                }
                _ if is_rated || !text.is_empty() => {
                    line.push(b' ');
                    line.extend_from_slice(text.as_bytes());
                }
                _ => {}
            }
        }
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        outcome(self.rate.settings.level, counts, records)
    }
}

/// The outcome of a run that rated records with an instruction set.
pub(super) fn outcome(level: Option<Level>, counts: &Counts, records: u64) -> RunOutcome {
    let mut among_rated = Vec::from_iter(Difficulty::ALL.iter().map(|known| known.name()));
    among_rated.push("beyond");
    let level = level.unwrap_or_else(Level::detect);
    let failed = records.saturating_sub(counts.get("rated"));
    RunOutcome {
        unit: "puzzles",
        among_first: counts.only(&among_rated),
        facts: vec![("level", SummaryField::Words(level.name().into()))],
        is_listed: true,
        ..RunOutcome::new(counts.without(&among_rated), failed, "not rated")
    }
}

/// The number of filled cells where naked and hidden singles lead no further, unless they contradict each
/// other.
fn clues_after_singles(puzzle: &AnyPuzzle) -> Option<u64> {
    let reduced = puzzle.candidates().reduced()?;
    Some(reduced.clues().clue_count() as u64)
}

/// The reference search stops after this many guesses, which take about a second.
const MOST_GUESSES: u64 = 1_000_000;

/// The ratings of each record with one solution, and the memory of a thread that finds them.
#[derive(Debug)]
pub(super) struct Rate {
    settings: RateSettings,
    /// The threads, which share a puzzle that takes long.
    team: Arc<Team>,
    /// It is made for the first batch: much memory comes with it.
    rater: Option<Rater>,
    /// Whether the steps are given too.
    has_steps: bool,
    steps: Vec<Vec<Step>>,
    technique_counts: Vec<TechniqueCounts>,
    ratings: Vec<Option<Ratings>>,
    guesses: Vec<Option<u64>>,
    depths: Vec<Option<TrialDepth>>,
    statuses: StatusColumn,
}

/// The number of steps of each technique, in the order of [`Technique::ALL`].
type TechniqueCounts = [u32; Technique::ALL.len()];

/// The answer of [`Rate`].
#[derive(Clone, Debug)]
pub(super) struct Rated<'q> {
    /// How often each technique is used on the way to the ratings, within the bounds; 0 without a rating. It
    /// is empty without [`RateSettings::counts`].
    pub(super) technique_counts: &'q [[u32; Technique::ALL.len()]],
    /// The steps of each record, within the bounds; none without a rating. It is empty without
    /// [`Rate::with_steps`].
    #[cfg_attr(
        not(feature = "json"),
        expect(dead_code, reason = "EXPLAIN reads them")
    )]
    pub(super) steps: &'q [Vec<Step>],
    /// The ratings of each record with one solution. Where the status is [`Status::GaveUp`], they may
    /// lack numbers that are not over the bound.
    pub(super) ratings: &'q [Option<Ratings>],
    /// The guesses of the [reference search](crate::solve::guesses) for each record whose ER is not
    /// known, if they are at most 1,000,000. It is empty without [`RateSettings::guesses`].
    pub(super) guesses: &'q [Option<u64>],
    /// The depth of trial and error of each record with one solution. It is empty without
    /// [`RateSettings::te`].
    pub(super) depths: &'q [Option<TrialDepth>],
    /// The number of records of each status.
    pub(super) counts: Counts,
}

impl Rate {
    /// Rates with these settings, on one thread.
    pub(super) fn new(settings: RateSettings) -> Self {
        Self {
            settings,
            team: Arc::new(Team::new(1)),
            rater: None,
            has_steps: false,
            steps: Vec::new(),
            technique_counts: Vec::new(),
            ratings: Vec::new(),
            guesses: Vec::new(),
            depths: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Gives the steps too.
    #[cfg(feature = "json")]
    #[must_use]
    pub(super) fn with_steps(mut self) -> Self {
        self.has_steps = true;
        self
    }

    /// A copy for another thread of the team.
    pub(super) fn fork(&self) -> Self {
        Self {
            team: Arc::clone(&self.team),
            has_steps: self.has_steps,
            ..Self::new(self.settings.clone())
        }
    }

    /// Starts a team of this number of threads.
    pub(super) fn share(&mut self, threads: usize) {
        self.team = Arc::new(Team::new(threads));
    }

    /// Gives the statuses of the records that it has rated.
    pub(super) fn give_statuses(&mut self, answer: &mut Answer<'_>) {
        self.statuses.swap(answer);
    }

    /// Returns true if the steps of all puzzles are searched one by one.
    fn searches_steps(&self) -> bool {
        self.has_steps || self.settings.counts
    }

    /// The bound of the rater. Where steps are searched one by one, it only has to find which records have one
    /// solution. If techniques are left out, a puzzle whose ER is below all of theirs is rated as any.
    fn up_to_of_rater(&self) -> Rating {
        let RateSettings { up_to, without, .. } = self.settings;
        match without.least() {
            _ if self.searches_steps() => Rating::NONE,
            Some(least) => {
                let below = Rating::from_tenths(least.tenths().saturating_sub(1));
                up_to.min(below).min(Rating::IN_PLANES)
            }
            None => up_to,
        }
    }

    /// Rates records with the team: all of its threads that have nothing else to do share the work on a
    /// record that takes long.
    ///
    /// # Panics
    ///
    /// This CPU lacks the level.
    pub(super) fn ask(&mut self, records: &Records) -> Rated<'_> {
        let team = Arc::clone(&self.team);
        let _busy = team.enter();
        let searches_steps = self.searches_steps();
        let max_work = self.settings.max_work.unwrap_or(u64::MAX);
        let up_to_of_rater = self.up_to_of_rater();
        let Self {
            settings: wanted,
            rater,
            has_steps,
            steps: all_steps,
            technique_counts,
            ratings,
            guesses: all_guesses,
            depths,
            statuses,
            ..
        } = self;
        let rater = rater.get_or_insert_with(|| match wanted.level {
            Some(level) => Rater::with_level(level).expect("a level of this CPU"),
            None => Rater::new(),
        });
        rater.share_with(Some(Arc::clone(&team) as _));
        rater.bound(up_to_of_rater, max_work);
        all_steps.clear();
        technique_counts.clear();
        ratings.clear();
        all_guesses.clear();
        depths.clear();
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
                Ok(rated) if searches_steps || !wanted.without.is_empty() && rated.er.is_none() => {
                    records.puzzle(record).map_or(rating, |puzzle| {
                        let (mut steps, mut counts) = (Vec::new(), [0; Technique::ALL.len()]);
                        let of_puzzle =
                            Steps::from(Position::new(&puzzle)).with_max_rating(wanted.up_to);
                        let of_puzzle = of_puzzle.with_max_work(max_work).without(wanted.without);
                        let of_puzzle = of_puzzle.with_crew(Some(Arc::clone(&team) as _));
                        let ratings = of_puzzle.ratings(|step| {
                            counts[step.technique as usize] += 1;
                            if *has_steps {
                                steps.push(step);
                            }
                        });
                        all_steps.push(steps);
                        technique_counts.push(counts);
                        Ok(ratings)
                    })
                }
                rating => rating,
            };
            if searches_steps {
                all_steps.resize_with(ratings.len() + 1, Vec::new);
                technique_counts.resize(ratings.len() + 1, [0; Technique::ALL.len()]);
            }
            statuses.push(match rating {
                Ok(Ratings { gave_up: true, .. }) => Err(Reason::TooMuchWork(max_work)),
                rating => rating.map(|_| Status::Unique).map_err(reason),
            });
            ratings.push(rating.ok());
        });
        if wanted.guesses {
            all_guesses.extend(ratings.iter().enumerate().map(|(record, ratings)| {
                let is_beyond = ratings.is_some_and(|ratings: Ratings| ratings.er.is_none());
                let puzzle = is_beyond.then(|| records.puzzle(record).ok());
                guesses(&puzzle.flatten()?, MOST_GUESSES)
            }));
        }
        if !wanted.without.is_empty() {
            // A puzzle that is rated like any other was rated up to the parts that are left out.
            let rated = ratings.iter_mut().flatten();
            rated.for_each(|ratings| ratings.up_to = wanted.up_to.min(Rating::HARDEST));
        }
        if wanted.te {
            let is_rated = |record: &usize| ratings[*record].is_some();
            let (by_candidates, by_cells): (Vec<_>, Vec<_>) = (0..ratings.len())
                .filter(is_rated)
                .partition(|&record| records.candidates(record).is_some());
            let puzzles: Vec<_> = by_cells.iter().map(|&record| cells[record]).collect();
            let found = rater.depths_of(OfKind::Cells(&puzzles));
            let puzzles = by_candidates
                .iter()
                .filter_map(|&record| records.candidates(record));
            let puzzles: Vec<_> = puzzles.copied().collect();
            let found = found.into_iter().chain(rater.trial_depths(&puzzles));
            depths.resize(ratings.len(), None);
            for (record, depth) in by_cells.into_iter().chain(by_candidates).zip(found) {
                depths[record] = depth.ok();
            }
        }
        Rated {
            steps: all_steps,
            technique_counts,
            ratings,
            guesses: all_guesses,
            depths,
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
    /// Adds the counts of the batch: records that are rated, those of each difficulty and beyond the bound,
    /// and the other statuses.
    pub(super) fn count(&self, counts: &mut Counts) {
        counts.add("rated", self.counts.get("unique"));
        *counts += self.difficulties();
        for (name, count) in self.counts.iter().filter(|(name, _)| *name != "unique") {
            counts.add(name.to_owned(), count);
        }
    }

    /// The number of records of each difficulty, the easiest first, and `beyond`: of those whose ER is
    /// over the bound.
    fn difficulties(&self) -> Counts {
        let mut tally = [0; Difficulty::ALL.len()];
        for difficulty in self
            .ratings
            .iter()
            .flatten()
            .filter_map(Ratings::difficulty)
        {
            tally[difficulty as usize] += 1;
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
