//! Conditions on records: which of them are kept.
//!
//! Conditions are tried from the quick ones to the slow ones, and each question is asked about the records that are left:
//!
//! ```text
//!     clues, symmetry     →  statuses, minimal  →  rating, depth, path  →  guesses
//!     nothing is solved      microseconds          up to seconds           up to seconds
//! ```

use super::{
    Answer, Asked, Batch, CheckSettings, Column, Counts, Data, Definition, Question, RateSettings,
    Reason, Responder, RunOutcome, SettingError, Status, Uniqueness,
    columns::{Columns, columns, kind},
    definition::QUICK_BATCH,
    made,
    puzzles::check_how_hard,
    settings::{AnyTechniques, Depths, NumberRange, Settings, settings},
};
use crate::{
    format::Records,
    grid::{AnyPuzzle, CELLS},
    puzzle::{PathReader, PathWishes, Symmetry},
    solve::guesses,
    technique::{Difficulty, Rating, Technique, Techniques, TrialDepth},
};
use std::ops::RangeInclusive;

settings! {
    /// The settings of [`FILTER`]. One that is not given is no condition.
    pub struct FilterSettings {
        /// Keep records with these statuses, such as unique.
        ///
        /// One of: unique, multiple, malformed, row-duplicate, column-duplicate, box-duplicate, no-solution.
        pub status: Vec<Status>,
        /// Keep records with this many clues.
        pub clues: Option<RangeInclusive<u64>> as Option<NumberRange<{ CELLS as u64 }, 0, { CELLS as u64 }>>,
        /// Keep puzzles of these difficulties.
        ///
        /// They have one solution.
        pub difficulty: Vec<Difficulty>,
        /// Keep puzzles with this ER, as `rate` gives it.
        ///
        /// They have one solution. A range that ends at 11.9 is open.
        pub rating: Option<RangeInclusive<Rating>>,
        /// Keep puzzles of this depth of trial and error.
        ///
        /// They have one solution. Depths are 0 to 3, as `rate` gives them, and beyond, which is more than 3.
        pub te: Option<RangeInclusive<TrialDepth>> as Option<Depths>,
        /// Keep puzzles whose hardest step is this: X-wing.
        ///
        /// The names are those of `rate` and of families, as in `puzzles`. Several have commas between them.
        #[setting(alias("needs"))]
        pub hardest: Techniques as AnyTechniques,
        /// Keep puzzles with a step of one of these techniques.
        ///
        /// The steps are those of `rate` with explanations: always the first of the easiest.
        pub contains: Techniques as AnyTechniques,
        /// Keep puzzles whose first hard step is this.
        ///
        /// A hard step has a rating above 2.3, that of a naked single.
        pub first_hard: Techniques as AnyTechniques,
        /// Keep puzzles that these techniques solve.
        ///
        /// Direct pointing goes with pointing, and so do the other direct techniques.
        pub only: Techniques as AnyTechniques,
        /// Keep puzzles with this many hard steps.
        pub steps: Option<RangeInclusive<u64>> as Option<NumberRange<999, 0, 999>>,
        /// Keep puzzles by guesses of the reference search.
        ///
        /// They have one solution, and the search takes this many guesses to find it.
        pub guesses: Option<RangeInclusive<u64>> as Option<NumberRange<{ u64::MAX }, 0, { u64::MAX }>>,
        /// Keep only minimal puzzles: each clue is needed.
        ///
        /// They have one solution.
        pub minimal: bool,
        /// Keep symmetric puzzles.
        ///
        /// The pattern of their clues has one of these symmetries.
        pub symmetry: Vec<Symmetry>,
        /// Keep the records that would be left out instead.
        pub invert: bool,
        /// Add the columns er and technique. Records that fail a quicker condition have nothing there.
        #[setting(at(super::Audience::Bindings))]
        pub ratings: bool,
    }
    checked by check_conditions
}

columns! {
    /// The columns of [`FILTER`].
    struct FilterColumns, FilterRow for FilterSettings {
        /// whether the record meets all conditions
        kept: kind::Flags,
        /// the rating of the hardest step, where it was asked for
        er if ratings: Option<kind::Ratings>,
        /// the technique of the hardest step
        technique if ratings: Option<kind::Names<Technique>>,
        /// the depth of trial and error, where it was asked for
        te if te: Option<kind::Names<TrialDepth>>,
        status = Column::STATUS,
    }
}

/// Says which records meet all conditions. With [`invert`](FilterSettings::invert) exactly the others are kept.
///
/// Nothing is computed that no condition needs: statuses are only where a condition needs them or
/// [somebody reads](Answer::leave_out) them. A malformed record meets no condition but the status malformed. One that is not kept is
/// a reject, unless that status is a condition.
///
/// ```
/// use sudoku_batch::{
///     format::{Records, line},
///     questions::{Data, FilterSettings, Question, Status},
/// };
/// let mut records = Records::default();
/// let puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
/// line::read(format!("{puzzle}\n.{}\n11\n", &puzzle[1..]).as_bytes(), &mut records);
/// let status = vec![Status::Unique];
/// let settings = FilterSettings { status, clues: Some(22..=26), ..FilterSettings::default() };
/// let answer = Question::new(settings)?.ask(&records);
/// let Data::Flags(kept) = answer.named("kept") else { unreachable!() };
/// assert_eq!(kept[..], [Some(true), Some(false), Some(false)]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
///
/// Conditions that no puzzle can meet are refused:
///
/// ```
/// use sudoku_batch::questions::FILTER;
/// let error = FILTER.with([("rating", "1.0..2.0"), ("hardest", "X-wing")]).unwrap_err();
/// assert_eq!(error.to_string(), "the difficulty, the rating and the technique have no ER in common");
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static FILTER: Definition = Definition {
    name: "filter",
    about: "Keep the records that meet all conditions, as they are",
    details: "\
A malformed record meets no condition but the status malformed. Nothing is computed that no condition needs.",
    settings: FilterSettings::TABLE,
    columns: FilterColumns::TABLE,
    make: made::<FilterSettings>,
};

impl FilterSettings {
    /// Returns true if the ER of puzzles is a condition.
    fn has_rating(&self) -> bool {
        self.rating.is_some() || !self.difficulty.is_empty() || !self.hardest.is_empty()
    }

    fn names_malformed(&self) -> bool {
        self.status.contains(&Status::Malformed)
    }

    /// Returns true if a record with this status meets the conditions on statuses.
    fn has_status(&self, status: Status) -> bool {
        (self.status.is_empty() || self.status.contains(&status))
            && (self.guesses.is_none() || status == Status::Unique)
    }

    /// The conditions on the path of puzzles.
    fn path(&self) -> PathWishes {
        PathWishes {
            contains: self.contains,
            first_hard: self.first_hard,
            only: self.only,
            steps: self.steps.clone(),
        }
    }

    /// The highest ER that a puzzle may have.
    fn most(&self) -> Rating {
        let of_rating = self.rating.as_ref().map(|range| *range.end());
        let of_difficulty = self.difficulty.iter().map(|known| *known.ratings().end());
        let ends = [of_rating, of_difficulty.max(), self.hardest.most()];
        ends.into_iter().flatten().min().unwrap_or(Rating::HARDEST)
    }

    /// The rating up to which steps decide about the conditions. One above 4.4 need not be known where all such ratings are
    /// wanted: without chains it is known that a puzzle is extreme.
    fn decides(&self) -> Rating {
        let next = Rating::from_tenths(Rating::IN_PLANES.tenths() + 1);
        let has_all = |range: &RangeInclusive<Rating>| is_open(range) && *range.start() <= next;
        let are_all_wanted = self.hardest.is_empty() && self.rating.as_ref().is_none_or(has_all);
        match are_all_wanted {
            true => self.most().min(Rating::IN_PLANES),
            false => self.most(),
        }
    }

    /// The rating up to which puzzles are rated, if a condition or a column needs that.
    fn rated_up_to(&self) -> Option<Rating> {
        let has_others = self.te.is_some() || !self.path().is_empty();
        match (self.ratings, self.has_rating()) {
            (true, _) => Some(self.most()),
            (false, true) => Some(self.decides()),
            (false, false) => has_others.then_some(Rating::NONE),
        }
    }

    /// The question that rates puzzles. The path of a puzzle is read where it has one solution, which this question says.
    fn rate(&self) -> Option<Question> {
        let settings = RateSettings {
            up_to: self.rated_up_to()?,
            te: self.te.is_some(),
            ..RateSettings::default()
        };
        Some(Question::new(settings).expect("conditions are settings"))
    }

    /// Refuses conditions that no puzzle can meet.
    fn check_conditions(&self) -> Result<(), SettingError> {
        let holds_grids = (self.rating.as_ref()).is_some_and(|range| range.contains(&Rating::NONE));
        let may_be_easy = self.difficulty.is_empty() || self.difficulty.contains(&Difficulty::Easy);
        let path = self.path();
        let asks_for_steps = !path.contains.is_empty()
            || !path.first_hard.is_empty()
            || path.steps.as_ref().is_some_and(|steps| *steps.start() > 0);
        if holds_grids && may_be_easy && self.hardest.is_empty() && !asks_for_steps {
            // A solved grid takes no step.
            return Ok(());
        }
        check_how_hard(self.rating.clone(), &self.difficulty, self.hardest, &path)
    }

    /// Chooses the records that are kept, gives the others that are malformed as rejects unless a condition says so, and counts
    /// them. `find` says whether a record meets all conditions, and what is known of it; `give` gets that with the record, and
    /// whether it is kept.
    // For the command, which has a further condition.
    #[doc(hidden)]
    pub fn choose<'o, T>(
        &self,
        records: &Records,
        answer: &mut Answer<'o>,
        mut find: impl FnMut(usize) -> (bool, T),
        mut give: impl FnMut(&mut Answer<'o>, usize, bool, T),
    ) {
        let names_malformed = self.names_malformed();
        let [mut kept, mut rejected] = [0; 2];
        for record in 0..records.len() {
            let (meets, known) = find(record);
            let is_kept = meets != self.invert;
            give(answer, record, is_kept, known);
            if is_kept {
                kept += 1;
            } else if let (Some(error), false) = (records.error(record), names_malformed) {
                answer.reject(record, Reason::Malformed(error));
                rejected += 1;
            }
        }
        answer.counts.add("kept", kept);
        let left_out = records.len() as u64 - kept - rejected;
        answer.counts.add("left-out", left_out);
        answer.counts.add(Status::Malformed.name(), rejected);
    }

    /// Returns true if a record meets all conditions for which it need not be solved.
    fn meets_all_that_is_quick(&self, records: &Records, record: usize) -> bool {
        let Ok(puzzle) = records.puzzle(record) else {
            return self.names_malformed() && self.clues.is_none() && self.symmetry.is_empty();
        };
        let has_symmetry = |puzzle: &AnyPuzzle| {
            let clues = puzzle.clues();
            let mut wanted = self.symmetry.iter();
            wanted.any(|symmetry| symmetry.is_kept_by(&clues))
        };
        (self.clues.as_ref()).is_none_or(|range| range.contains(&(puzzle.clue_count() as u64)))
            && (self.symmetry.is_empty() || has_symmetry(&puzzle))
    }
}

/// Returns true if a range of ratings has no upper end: no scale goes beyond it.
fn is_open(range: &RangeInclusive<Rating>) -> bool {
    *range.end() == Rating::HARDEST
}

/// The question with its settings.
struct Filtering {
    settings: FilterSettings,
    columns: FilterColumns,
    uniqueness: Uniqueness,
    /// The question whether puzzles are minimal, if that is a condition.
    minimal: Option<Question>,
    rate: Option<Question>,
    path: PathWishes,
    reader: PathReader,
}

impl Asked for FilterSettings {
    fn definition() -> &'static Definition {
        &FILTER
    }

    fn responder(self) -> Box<dyn Responder> {
        let minimal = CheckSettings {
            minimal: true,
            ..CheckSettings::default()
        };
        let minimal = || Question::new(minimal).expect("a setting of check");
        Box::new(Filtering {
            columns: FilterColumns::of(&self),
            uniqueness: Uniqueness::default(),
            minimal: self.minimal.then(minimal),
            rate: self.rate(),
            path: self.path(),
            reader: PathReader::default(),
            settings: self,
        })
    }
}

/// The ratings of a record.
#[derive(Clone, Copy, Default)]
struct Rated {
    er: Option<Rating>,
    technique: Option<Technique>,
    te: Option<TrialDepth>,
}

impl Responder for Filtering {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let with_statuses = answer.is_wanted(self.columns.status);
        let asks_for_statuses = !self.settings.status.is_empty() || self.settings.guesses.is_some();
        let is_quick = self.minimal.is_none() && self.rate.is_none();
        if is_quick && !with_statuses && !asks_for_statuses {
            // Without a list of those that are left: with it, `filter --clues` took 1.1 times as long.
            self.give(records, answer, |settings, record| {
                let meets = settings.meets_all_that_is_quick(records, record);
                (meets, Rated::default())
            });
            return;
        }
        let all = 0..records.len();
        let is_left = |record: &usize| self.settings.meets_all_that_is_quick(records, *record);
        let mut left: Vec<usize> = all.filter(is_left).collect();
        if with_statuses {
            let statuses = self.uniqueness.ask(records).statuses;
            answer.statuses.extend_from_slice(statuses);
            left.retain(|&record| self.settings.has_status(statuses[record]));
        } else if asks_for_statuses {
            let chosen = records.chosen(&left);
            let statuses = self.uniqueness.ask(&chosen).statuses;
            retain(&mut left, |place, _| {
                self.settings.has_status(statuses[place])
            });
        }
        if let Some(minimal) = &mut self.minimal {
            let checked = minimal.ask(&*records.chosen(&left));
            // All others are rejects of the question.
            let mut rejects = checked.rejects.iter().peekable();
            retain(&mut left, |place, _| {
                rejects.next_if(|reject| reject.record == place).is_none()
            });
        }
        let mut rated = self.retain_by_rating(records, &mut left);
        if let Some(range) = &self.settings.guesses {
            retain(&mut left, |_, record| {
                let puzzle = records.puzzle(record).ok();
                let guesses = puzzle.and_then(|puzzle| guesses(&puzzle, *range.end()));
                guesses.is_some_and(|n| range.contains(&n))
            });
        }
        let mut left = left.into_iter().peekable();
        let mut rated = rated.drain(..).peekable();
        self.give(records, answer, |_, record| {
            let meets = left.next_if_eq(&record).is_some();
            let rated = rated.next_if(|(number, _)| *number == record);
            (meets, rated.map(|(_, rated)| rated).unwrap_or_default())
        });
    }

    /// Ratings, depths and guesses may take long.
    fn batch(&self) -> usize {
        let settings = &self.settings;
        let takes_chains = settings.rated_up_to() > Some(Rating::IN_PLANES);
        let takes_searches =
            settings.te.is_some() || settings.guesses.is_some() || settings.minimal;
        match takes_chains || takes_searches || !self.path.is_empty() {
            true => 512,
            false => QUICK_BATCH,
        }
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let failed = counts.get(Status::Malformed.name());
        RunOutcome::new(counts.clone(), failed, "malformed")
    }
}

impl Filtering {
    /// Gives each record its row: `find` says whether it meets the conditions, and what is known of it.
    fn give(
        &self,
        records: &Records,
        answer: &mut Answer<'_>,
        mut find: impl FnMut(&FilterSettings, usize) -> (bool, Rated),
    ) {
        let settings = &self.settings;
        let find = |record| find(settings, record);
        settings.choose(records, answer, find, |answer, record, is_kept, rated| {
            let row = FilterRow {
                kept: Some(is_kept),
                er: settings.ratings.then_some(rated.er),
                technique: settings.ratings.then_some(rated.technique),
                te: settings.te.is_some().then_some(rated.te),
            };
            self.columns.push(answer, record, row);
        });
    }

    /// Keeps the records whose ratings and paths are wanted, if there are such conditions. Returns the numbers of the
    /// records that were rated, with their ratings.
    fn retain_by_rating(
        &mut self,
        records: &Records,
        left: &mut Vec<usize>,
    ) -> Vec<(usize, Rated)> {
        let Self {
            settings,
            rate,
            path,
            reader,
            ..
        } = self;
        let Some(rate) = rate else {
            return Vec::new();
        };
        let chosen = records.chosen(left);
        let answer = rate.ask(&*chosen);
        let ratings = RatedBatch::of(&answer, settings.te.is_some());
        let mut found = Vec::new();
        retain(left, |place, record| {
            let rated = ratings.rated(place);
            found.push((record, rated));
            let is_rated = answer.statuses[place] == Status::Unique;
            let has_rating = |range: &RangeInclusive<Rating>| match rated.er {
                Some(er) => range.contains(&er),
                None => is_rated && is_open(range),
            };
            let mut has_path = || {
                let puzzle = chosen.puzzle(place).ok().filter(|_| is_rated);
                puzzle.is_some_and(|puzzle| reader.fulfils(puzzle, path))
            };
            settings.rating.as_ref().is_none_or(has_rating)
                && (settings.te.as_ref())
                    .is_none_or(|range| rated.te.is_some_and(|te| range.contains(&te)))
                && (settings.difficulty.is_empty()
                    || is_rated && settings.difficulty.contains(&Difficulty::of(rated.er)))
                && (settings.hardest.is_empty()
                    || (rated.technique).is_some_and(|used| settings.hardest.contains(used)))
                && (path.is_empty() || has_path())
        });
        found
    }
}

/// The ratings of the records of a batch.
struct RatedBatch<'a> {
    er: &'a [Option<Rating>],
    techniques: &'a [u8],
    /// Empty if no condition needs them.
    depths: &'a [u8],
}

impl<'a> RatedBatch<'a> {
    /// The ratings in an answer of `RATE`.
    fn of(answer: &'a Answer<'_>, has_depths: bool) -> Self {
        let names = |column| match answer.named(column) {
            Data::Names(places) => &places[..],
            _ => unreachable!("the column has names"),
        };
        let Data::Ratings(er) = answer.named("er") else {
            unreachable!("the column has ratings")
        };
        Self {
            er,
            techniques: names("technique"),
            depths: if has_depths { names("te") } else { &[] },
        }
    }

    fn rated(&self, place: usize) -> Rated {
        let depth = self.depths.get(place);
        Rated {
            er: self.er[place],
            technique: named(Technique::ALL, self.techniques[place]),
            te: depth.and_then(|depth| named(TrialDepth::ALL, *depth)),
        }
    }
}

/// The value at a place in a list of names, if there is one.
fn named<T: Copy>(all: &[T], place: u8) -> Option<T> {
    all.get(usize::from(place)).copied()
}

/// The numbers of the records, out of these, for which `keep` returns true. It takes a place among them and the number.
fn retain(numbers: &mut Vec<usize>, mut keep: impl FnMut(usize, usize) -> bool) {
    let mut place = 0;
    numbers.retain(|&number| {
        place += 1;
        keep(place - 1, number)
    });
}
