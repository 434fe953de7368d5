//! Ratings of many puzzles, as the question `rate` gives them.

use sudoku_batch::{
    NotUniqueError,
    format::Records,
    grid::BatchPuzzle,
    questions::{Answer, Data, Question, RateSettings, Status},
    simd::Level,
    technique::{Rating, Ratings, Technique, TrialDepth},
};

/// Asks the question, and keeps its memory from batch to batch.
#[derive(Debug, Default)]
pub struct Rater {
    settings: RateSettings,
    /// The questions without depths and with them.
    questions: [Option<Question>; 2],
}

impl Rater {
    /// Rates at the best level, without a bound.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rates at a level.
    pub fn with_level(level: Level) -> Self {
        let mut rater = Self::new();
        rater.settings.level = Some(level);
        rater
    }

    /// Takes no step with a rating over `up_to`.
    pub fn with_max_rating(mut self, up_to: Rating) -> Self {
        self.settings.up_to = up_to;
        self
    }

    /// Gives up on a puzzle after this work.
    pub fn with_max_work(mut self, max_work: u64) -> Self {
        self.settings.max_work = Some(max_work);
        self
    }

    /// Rates one puzzle.
    pub fn rate(&mut self, puzzle: impl BatchPuzzle) -> Result<Ratings, NotUniqueError> {
        self.rate_batch(&[puzzle.into()])[0]
    }

    /// Rates each puzzle, or says why it has no single solution.
    pub fn rate_batch<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Result<Ratings, NotUniqueError>> {
        let answer = self.ask(puzzles, false);
        let column = |name| match answer.named(name) {
            Data::Ratings(ratings) => ratings,
            _ => unreachable!("ratings"),
        };
        let [er, ep, ed] = ["er", "ep", "ed"].map(column);
        let techniques = names(&answer, "technique");
        let all = (0..puzzles.len()).map(|row| {
            let status = of_status(answer.statuses[row])?;
            Ok(Ratings {
                er: er[row],
                ep: ep[row],
                ed: ed[row],
                technique: Technique::ALL.get(usize::from(techniques[row])).copied(),
                up_to: self.settings.up_to.min(Rating::HARDEST),
                gave_up: status == Status::GaveUp,
            })
        });
        all.collect()
    }

    /// The depth of trial and error of each puzzle.
    pub fn trial_depths<P: BatchPuzzle>(
        &mut self,
        puzzles: &[P],
    ) -> Vec<Result<TrialDepth, NotUniqueError>> {
        let answer = self.ask(puzzles, true);
        let depths = names(&answer, "te").iter().zip(&answer.statuses);
        let all = depths.map(|(depth, status)| {
            of_status(*status)?;
            Ok(TrialDepth::ALL[usize::from(*depth)])
        });
        all.collect()
    }

    fn ask<P: BatchPuzzle>(&mut self, puzzles: &[P], te: bool) -> Answer<'static> {
        let mut records = Records::default();
        for (line, puzzle) in (1..).zip(puzzles) {
            let puzzle = (*puzzle).into();
            records.push_puzzle(line, &puzzle, puzzle.to_string().as_bytes());
        }
        let settings = RateSettings {
            te,
            ..self.settings.clone()
        };
        let new = || Question::new(settings).expect("settings of rate");
        let question = self.questions[usize::from(te)].get_or_insert_with(new);
        question.ask(&records)
    }
}

fn names<'a>(answer: &'a Answer<'_>, name: &str) -> &'a [u8] {
    match answer.named(name) {
        Data::Names(places) => places,
        _ => unreachable!("names"),
    }
}

/// The status of a puzzle with one solution.
fn of_status(status: Status) -> Result<Status, NotUniqueError> {
    match status {
        Status::Unique | Status::GaveUp => Ok(status),
        Status::Multiple => Err(NotUniqueError::Multiple),
        _ => Err(NotUniqueError::NoSolution),
    }
}
