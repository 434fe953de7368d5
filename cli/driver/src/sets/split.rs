//! `sudoku-batch split`.

use crate::driver::{
    self, Done, Files, OutputFile, RecordCommand, Sink, Summary, Task, Worker,
    options::{
        ReadOptions, ResumeOptions, RunOptions, ShardOption, WriteOptions, help, number_from, share,
    },
};
use anyhow::{anyhow, bail};
use std::process::ExitCode;
use sudoku_batch::{
    dataset::Equivalence,
    questions::{Counts, Data, Question, REJECTED, SplitSettings},
};

/// Split a set into parts that share nothing equivalent.
///
/// Each record goes to a part by a hash of its canonical form, and of nothing else. So records that are
/// symmetric copies of each other are in one part, also if they are in other files, in other shards or added
/// later. The shares are those of groups of equivalent records, on the average.
///
/// A record that has no canonical form (malformed, no solution, or several) goes to the part `rejected`.
/// With --by equality only malformed records do.
///
/// The folder gets a file for each part, named after it, in the format of the input: train.csv, test.csv,
/// rejected.csv.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are rejected"))]
pub struct Split {
    /// The share of the test set, such as 10% or 0.1. The rest is the training set.
    #[arg(
        long,
        value_name = "SHARE",
        value_parser = share,
        required_unless_present = "parts",
        conflicts_with = "parts"
    )]
    test: Option<f64>,

    /// The parts and their weights: train=80,valid=10,test=10.
    #[arg(long, value_name = "NAME=WEIGHT,…", value_delimiter = ',', value_parser = part)]
    parts: Vec<(String, f64)>,

    // The help of all commands has the text.
    #[arg(long, default_value_t = 0, value_parser = number_from::<u64>(0))]
    seed: u64,

    /// Keep apart: equal cells (equality), symmetric copies (symmetry, minlex), or puzzles whose solutions
    /// are symmetric copies of each other (solution).
    #[arg(long, value_name = "WHAT", default_value = "symmetry")]
    by: Equivalence,

    #[command(flatten)]
    read: ReadOptions,

    #[command(flatten)]
    write: WriteOptions,

    /// Write the parts to this folder.
    #[arg(long, value_name = "DIR")]
    output_dir: Option<OutputFile>,

    #[command(flatten)]
    resume: ResumeOptions,

    #[command(flatten)]
    shard: ShardOption,

    #[command(flatten)]
    run: RunOptions,
}

fn part(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = text.split_once('=').ok_or("it reads NAME=WEIGHT")?;
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(good) || name.starts_with('.') {
        return Err("a name has letters, digits, -, _ and . only".into());
    }
    if name == REJECTED {
        return Err("the part `rejected` is for records without a canonical form".into());
    }
    let weight = weight
        .parse::<f64>()
        .ok()
        .filter(|weight| *weight >= 0.0 && weight.is_finite());
    Ok((name.into(), weight.ok_or("a weight is a number from 0 up")?))
}

const NOTES: &str = "\
Examples:
  sudoku-batch split --test 10% puzzles.csv --output-dir parts
      parts/train.csv and parts/test.csv (and parts/rejected.csv).
  sudoku-batch split --parts train=80,valid=10,test=10 puzzles.jsonl --output-dir parts
  sudoku-batch split --test 0.05 --by solution a.csv b.csv --output-dir parts
      No puzzle of the test set has a solution that is a copy of one in the training set.";

impl Split {
    pub fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let Some(folder) = &self.output_dir else {
            bail!("--output-dir DIR is required: it gets a file for each part");
        };
        let parts = match self.test {
            Some(test) => vec![("train".to_owned(), 1.0 - test), ("test".to_owned(), test)],
            None => self.parts.clone(),
        };
        for (at, (name, _)) in parts.iter().enumerate() {
            if parts[..at].iter().any(|(other, _)| other == name) {
                bail!("there are two parts {name} (--parts)");
            }
        }
        let weights: Vec<f64> = parts.iter().map(|(_, weight)| *weight).collect();
        let question = Question::new(SplitSettings {
            by: self.by,
            seed: self.seed,
            weights,
        });
        let question = question.map_err(|wrong| anyhow!(wrong.message))?;
        let names: Vec<_> = parts.into_iter().map(|(name, _)| name).collect();
        let parts: Vec<_> = names.iter().cloned().chain([REJECTED.into()]).collect();
        let mut splitting = Splitting {
            by: self.by,
            question,
            names,
        };
        let task = Task {
            shard: self.shard.shard,
            resume: Some(&self.resume),
            ..Task::new(&self.read, &self.run, Sink::Parts(folder, &parts)).writing(&self.write)
        };
        driver::run(files, &mut splitting, &task)
    }
}

struct Splitting {
    by: Equivalence,
    question: Question,
    /// The names of the parts, without the part for rejects.
    names: Vec<String>,
}

impl RecordCommand for Splitting {
    fn worker(&self) -> Worker<'_> {
        let mut question = self.question.fork();
        let mut own = question.empty().without_statuses();
        Box::new(move |batch, answer| {
            own.begin(batch.records.len());
            question.fill(batch.records, &mut own);
            let Data::Numbers(parts) = own.named("part") else {
                unreachable!("parts are numbers")
            };
            let parts = parts.iter().flatten().map(|part| *part as usize);
            answer.parts.extend(parts);
            answer.rejects.append(&mut own.rejects);
            for record in 0..batch.records.len() {
                answer.row(record);
            }
            let names = self.names.iter().map(String::as_str).chain([REJECTED]);
            for (part, name) in names.enumerate() {
                let records = answer.parts.iter().filter(|of_record| **of_record == part);
                answer.counts.add(name.to_owned(), records.count() as u64);
            }
            answer.counts += own.counts.without(&[REJECTED]);
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failure = "could not be compared, and are in the part rejected";
        Summary::of_records(done, counts.clone())
            .fact("by", self.by.name())
            .failed(counts.get(REJECTED), failure)
    }
}
