//! `sudoku-batch drills`: the question, and `--per-technique` and `--per-solution`, which depend on the records before.

use super::{generated::at_least_one, question};
use crate::driver::settings::{Defined, Settings};
use crate::{
    driver::{
        self, AddedColumns, Continuation, Done, Files, Plan, RecordCommand, SetOptions, Summary,
        Worker, options::help,
    },
    pipeline::turns::Turns,
};
use anyhow::bail;
use std::{
    collections::HashMap,
    process::ExitCode,
    sync::{PoisonError, RwLock},
};
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{Equivalence, PuzzleHasher},
    format::{Added, Form, Layout},
    questions::{self, Counts, DRILLS, DrillsSettings, RowView},
    technique::{Technique, Techniques},
};

/// List the positions just before a step, with the step as the answer.
///
/// The steps are those of rate --explain: always the first of the easiest. So no easier step is in sight in a position.
///
/// In a table or JSON lines each position is a row behind the columns of its record: step, technique, rating, grid,
/// candidates, and the answer: cells, digits, places, strikes and words. In lines it is the 729 candidates, the technique
/// and the answer, with tabs between; such a line is a record for solve, show and book.
///
/// A record without exactly one solution has no row.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no whole path"))]
pub(crate) struct Drills {
    #[command(flatten)]
    settings: Settings<Self>,

    /// List at most N drills of each technique, the first ones of the whole input.
    ///
    /// So a set is balanced. The summary gives the number of each technique.
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    per_technique: Option<u64>,

    /// List at most N drills of each technique with the same solution, up to symmetry.
    ///
    /// Positions with different solutions differ, also up to symmetry. With 1 no drill of a technique comes twice, whatever
    /// puzzles the input has.
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    per_solution: Option<u64>,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    records: SetOptions,
}

/// The settings are those of the definition.
impl Defined for Drills {
    type Typed = DrillsSettings;
}

const NOTES: &str = "\
Examples:
  sudoku-batch drills --technique X-wing puzzles.txt -o x-wings.csv
      The position before each X-wing, and what it eliminates.
  sudoku-batch puzzles 20k --contains swordfish | sudoku-batch drills --technique swordfish --per-technique 1000 -o fish.jsonl
      A thousand swordfish from puzzles that have one.
  sudoku-batch drills --up-to 4.4 --per-technique 1000 puzzles.txt -o drills.csv
      A balanced set of the techniques up to 4.4, from the fast part of the search.
  sudoku-batch puzzles 300k | sudoku-batch drills --technique hidden-quad --up-to 5.4 --relatives 20 --per-technique 1000 --per-solution 1 -o quads.csv
      Fifty of the puzzles have a hidden quad. Up to twenty relatives of each have one too.
  sudoku-batch drills --technique naked-pair puzzles.txt | sudoku-batch show --record 1
      A drawing of the first position, with its candidates.
  sudoku-batch drills --technique pointing --columns candidates puzzles.txt -o pointing.npy
      An array of candidates for numpy.

In the candidates a filled cell and a cell with one candidate look alike; grid has the filled cells.";

/// The drills that are left to give.
struct Quota {
    per_technique: u64,
    per_solution: Option<u64>,
    hasher: PuzzleHasher,
    /// The drills of the batches before.
    given: Turns<Given>,
    /// The techniques that have all of theirs: no later batch looks for them.
    full: RwLock<Techniques>,
}

/// The numbers of drills.
struct Given {
    of_techniques: [u64; Technique::ALL.len()],
    /// By the technique and the key of the canonical form of the solution, if these are asked for.
    of_solutions: HashMap<(Technique, u128), u64>,
}

/// The command, as the driver knows it.
struct Drilling {
    asked: questions::Drills,
    quota: Option<Quota>,
}

impl Drills {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let is_bounded = self.per_technique.is_some() || self.per_solution.is_some();
        let quota = is_bounded.then(|| Quota {
            per_technique: self.per_technique.unwrap_or(u64::MAX),
            per_solution: self.per_solution,
            hasher: PuzzleHasher::random(),
            given: Turns::new(Given {
                of_techniques: [0; Technique::ALL.len()],
                of_solutions: HashMap::new(),
            }),
            full: RwLock::default(),
        });
        let mut drilling = Drilling {
            asked: questions::Drills::new(self.settings.typed().clone()),
            quota,
        };
        if !Technique::ALL
            .iter()
            .any(|one| drilling.asked.asks_for(*one))
        {
            bail!("no technique of --technique has a rating up to --up-to");
        }
        let task = self.records.task().adding(&self.added);
        driver::run(files, &mut drilling, &task)
    }
}

impl Quota {
    fn full(&self) -> Techniques {
        *self.full.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the drills of a batch that are still wanted.
    fn keep(&self, batch: u64, drills: &mut questions::Drills) {
        let keys = self.keys(drills);
        self.given.take(batch, |given| {
            drills.retain(|place| {
                let (technique, key) = keys[place];
                let of_solution = key.map(|key| given.of_solutions.entry((technique, key)));
                let mut of_solution = of_solution.map(|entry| entry.or_default());
                let of_technique = &mut given.of_techniques[technique as usize];
                let per_solution = self.per_solution.unwrap_or(u64::MAX);
                let keeps = *of_technique < self.per_technique
                    && of_solution.as_ref().is_none_or(|n| **n < per_solution);
                if keeps {
                    *of_technique += 1;
                    of_solution.iter_mut().for_each(|n| **n += 1);
                }
                keeps
            });
            let is_full =
                |one: &Technique| given.of_techniques[*one as usize] >= self.per_technique;
            let full = Technique::ALL.iter().copied().filter(is_full).collect();
            *self.full.write().unwrap_or_else(PoisonError::into_inner) = full;
        });
    }

    /// The technique of each drill, and the key of its solution up to symmetry if that matters.
    fn keys(&self, drills: &questions::Drills) -> Vec<(Technique, Option<u128>)> {
        let mut last: Option<(&Grid, u128)> = None;
        let mut keys = Vec::new();
        for (technique, solution) in drills.found() {
            if self.per_solution.is_none() {
                keys.push((technique, None));
                continue;
            }
            // Many drills in a row have one solution.
            let key = match last.filter(|(before, _)| *before == solution) {
                Some((_, key)) => key,
                None => {
                    let form = Equivalence::Solution.form(Puzzle::from(*solution), solution);
                    self.hasher.key(form)
                }
            };
            last = Some((solution, key));
            keys.push((technique, Some(key)));
        }
        keys
    }
}

impl RecordCommand for Drilling {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let columns = DRILLS.columns.iter();
        let columns: Vec<_> = columns
            .map(|column| Added::new(column.name, column.values))
            .collect();
        // A record has some tens of drills, and each is some kilobytes. Relatives have many more.
        let rows = if self.asked.has_relatives() { 4 } else { 64 };
        Ok(Plan::new(columns).with_rows(rows).taking_long(true))
    }

    fn worker(&self) -> Worker<'_> {
        let mut drills = self.asked.forked();
        Box::new(move |batch, answer| {
            let full = self.quota.as_ref().map(Quota::full).unwrap_or_default();
            drills.find(batch.records, |technique| full.contains(technique));
            if let Some(quota) = &self.quota {
                quota.keep(batch.number, &mut drills);
            }
            if !batch.is_replayed {
                drills.give(answer);
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        questions::Drills::show(row, line);
        true
    }

    fn abandon(&self, batch: u64) {
        if let Some(quota) = &self.quota {
            quota.given.abandon(batch);
        }
    }

    /// The drills of the records before count, for `--per-solution` too.
    fn continuation(&self) -> Continuation {
        match self.quota {
            Some(_) => Continuation::Replay,
            None => Continuation::Skip,
        }
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        question::summary_of(questions::Drills::sum_up(counts, done.records), done)
    }
}
