//! `sudoku-batch drills`: the question, and `--per-technique`, which depends on the records before.

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
    process::ExitCode,
    sync::{PoisonError, RwLock},
};
use sudoku_batch::{
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
  sudoku-batch drills --technique naked-pair puzzles.txt | sudoku-batch show --record 1
      A drawing of the first position, with its candidates.
  sudoku-batch drills --technique pointing --columns candidates puzzles.txt -o pointing.npy
      An array of candidates for numpy.

In the candidates a filled cell and a cell with one candidate look alike; grid has the filled cells.";

/// The drills that are left to give.
struct Quota {
    most: u64,
    /// The number of drills of each technique in the batches before.
    given: Turns<[u64; Technique::ALL.len()]>,
    /// The techniques that have all of theirs: no later batch looks for them.
    full: RwLock<Techniques>,
}

/// The command, as the driver knows it.
struct Drilling {
    asked: questions::Drills,
    quota: Option<Quota>,
}

impl Drills {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let quota = self.per_technique.map(|most| Quota {
            most,
            given: Turns::new([0; Technique::ALL.len()]),
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
        self.given.take(batch, |given| {
            drills.retain(|technique| {
                let given = &mut given[technique as usize];
                *given += 1;
                *given <= self.most
            });
            let is_full = |technique: &Technique| given[*technique as usize] >= self.most;
            let full = Technique::ALL.iter().copied().filter(is_full).collect();
            *self.full.write().unwrap_or_else(PoisonError::into_inner) = full;
        });
    }
}

impl RecordCommand for Drilling {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let columns = DRILLS.columns.iter();
        let columns: Vec<_> = columns
            .map(|column| Added::new(column.name, column.values))
            .collect();
        // A record has some tens of drills, and each is some kilobytes.
        Ok(Plan::new(columns).with_rows(64).taking_long(true))
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

    /// The drills of the records before count.
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
