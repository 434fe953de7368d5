//! The records of the input that are answered: `--record` and `--sample`.

use super::{
    Files, Purpose, RecordCommand, Sink, Task, Worker,
    files::STANDARD,
    options::{Between, ReadOptions, number_from},
    read_twice::ReadTwice,
    words::counted,
};
use crate::pipeline::output::Output;
use anyhow::bail;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::path::Path;
use sudoku_batch::{dataset, format::Records, questions::Counts, questions::number};

/// Says which records of the input are answered.
#[derive(Clone, Debug, clap::Args)]
pub struct PartOptions {
    /// Answer only these records: 5, 1000.. or 100..200.
    ///
    /// Records are counted from 1, over all inputs: 101.. skips a hundred, and ..100 stops after a hundred. Reading ends behind
    /// the last one.
    #[arg(long, value_name = "A..B")]
    record: Option<Between>,

    /// Answer only N records, chosen at random, in their order.
    ///
    /// The seed and the number of a record decide about it, so the choice is the same each time, and a larger sample holds
    /// the smaller one. The input is read twice, so it must be a file. With --record the sample is of these records.
    #[arg(long, value_name = "N", value_parser = number_from::<usize>(1))]
    sample: Option<usize>,

    #[command(flatten)]
    seed: SampleSeed,
}

impl PartOptions {
    /// The option that is given, if not all records are answered.
    pub fn option(&self) -> Option<&'static str> {
        match (self.record, self.sample) {
            (Some(_), _) => Some("--record"),
            (None, Some(_)) => Some("--sample"),
            (None, None) => None,
        }
    }

    /// All records.
    pub const ALL: Self = Self {
        record: None,
        sample: None,
        seed: SampleSeed(0),
    };
}

/// The seed of a sample: `--seed`, which is that of the command if it has one.
#[derive(Clone, Debug)]
struct SampleSeed(u64);

/// The identifier of the option, and that of the option of a command which has one.
const SEED: &str = "sample_seed";
const OF_COMMAND: &str = "seed";

impl Args for SampleSeed {
    fn augment_args(command: Command) -> Command {
        if command
            .get_arguments()
            .any(|arg| arg.get_id() == OF_COMMAND)
        {
            return command;
        }
        let seed = Arg::new(SEED)
            .long(OF_COMMAND)
            .default_value("0")
            .requires("sample")
            .value_parser(number_from::<u64>(0));
        command.arg(seed)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SampleSeed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        // A question reads the texts of its settings itself.
        let of = |id| matches.try_get_raw(id).ok().flatten();
        let given = of(SEED).or_else(|| of(OF_COMMAND));
        let text = given.and_then(|mut texts| texts.next_back()?.to_str());
        Ok(Self(text.and_then(|text| number(text).ok()).unwrap_or(0)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The records that are answered, by their numbers from 1 over all inputs.
#[derive(Debug, PartialEq)]
pub(super) struct ChosenRecords {
    first: u64,
    /// The last, or the greatest number there is.
    last: u64,
    /// The records of a sample alone, in ascending order.
    sample: Option<Vec<u64>>,
    /// The inputs of a sample before they were counted.
    pub(super) counted: ReadTwice,
}

impl ChosenRecords {
    /// All records.
    pub(super) const ALL: Self = Self {
        first: 1,
        last: u64::MAX,
        sample: None,
        counted: ReadTwice::NO,
    };

    /// The records that the options name. A sample takes a reading of the input.
    ///
    /// # Errors
    ///
    /// The options name no record, or they do not go with the rest. The input of a sample cannot be read twice.
    pub(super) fn of(files: &Files, task: &Task<'_>) -> anyhow::Result<Self> {
        let PartOptions {
            record,
            sample,
            seed: SampleSeed(seed),
        } = &task.read.part;
        let mut chosen = Self::ALL;
        let Some(option) = task.read.part.option().filter(|_| task.made.is_none()) else {
            return Ok(chosen);
        };
        if task.shard.is_some() {
            bail!(
                "{option} does not go with --shard: a part of the bytes does not know the numbers of its records"
            );
        }
        if let Some(range) = record {
            chosen.first = range.from.unwrap_or(1);
            chosen.last = range.to.unwrap_or(u64::MAX);
            if chosen.first == 0 || chosen.last == 0 {
                bail!("--record: records are counted from 1");
            }
        }
        if let Some(size) = *sample {
            let can_be_read_twice = |path: &Path| match path.metadata() {
                _ if path == Path::new(STANDARD) => false,
                // A folder has an error of its own.
                Ok(about) => about.is_file() || about.is_dir(),
                // A puzzle on the command line, or a file that is not there.
                Err(_) => true,
            };
            if !task.read.files.iter().all(|path| can_be_read_twice(path)) {
                bail!(
                    "--sample: the input has to be read twice: give a file in place of standard input or a pipe"
                );
            }
            let counted = ReadTwice::of(&task.read.files);
            let records = count(files, task)?;
            if records == 0 {
                // A range beyond the last record is told of.
                return Ok(chosen);
            }
            let numbers = dataset::sample(records, size, *seed);
            let numbers: Vec<_> = numbers.into_iter().map(|n| chosen.first + n).collect();
            chosen.last = numbers.last().copied().unwrap_or(0);
            (chosen.sample, chosen.counted) = (Some(numbers), counted);
        }
        Ok(chosen)
    }

    /// The number of a record in the input, from 1, by its number among those that are answered, from 0.
    pub(super) fn number(&self, answered: u64) -> u64 {
        match &self.sample {
            Some(numbers) => numbers[answered as usize],
            None => self.first + answered,
        }
    }

    /// Returns true if all records are answered.
    pub(super) fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// Returns true if neither this record nor one after it is answered.
    pub(super) fn ends_before(&self, number: u64) -> bool {
        self.last < number
    }

    /// The warning that the options name records after the last, of so many that there are.
    pub(super) fn warning(&self, records: u64) -> Option<String> {
        let is_open = self.last == u64::MAX;
        let least = if is_open { self.first } else { self.last };
        (least > records && !self.is_all() && self.sample.is_none()).then(|| {
            let last = if is_open {
                String::new()
            } else {
                self.last.to_string()
            };
            format!(
                "sudoku-batch: warning: the input has {}: --record {}..{last} goes beyond the last",
                counted(records, "records"),
                self.first,
            )
        })
    }

    /// Keeps the records that are answered. The first has this number.
    pub(super) fn keep(&self, records: &mut Records, first: u64) {
        let contains = |number: u64| {
            let is_chosen = |numbers: &Vec<u64>| numbers.binary_search(&number).is_ok();
            (self.first..=self.last).contains(&number) && self.sample.as_ref().is_none_or(is_chosen)
        };
        let end = first + records.len() as u64;
        if self.sample.is_some() || first < self.first || self.ends_before(end.saturating_sub(1)) {
            let places = 0..records.len();
            *records = records.part(places.filter(|&place| contains(first + place as u64)));
        }
    }
}

/// Counts the records of the input, or of a range of it.
fn count(files: &Files, task: &Task<'_>) -> anyhow::Result<u64> {
    let read = ReadOptions {
        part: PartOptions {
            record: task.read.part.record,
            ..PartOptions::ALL
        },
        ..task.read.clone()
    };
    let task = Task {
        read: &read,
        purpose: Purpose::Before,
        ..Task::new(&read, task.run, Sink::None)
    };
    let mut counting = Counting(0);
    super::run(files, &mut counting, &task)?;
    Ok(counting.0)
}

/// Counts records.
struct Counting(u64);

impl RecordCommand for Counting {
    fn worker(&self) -> Worker<'_> {
        Box::new(|batch, answer| {
            answer.counts.add("read", batch.records.len() as u64);
            Ok(())
        })
    }

    fn finish(&mut self, counts: &Counts) -> anyhow::Result<Vec<Output>> {
        self.0 = counts.get("read");
        Ok(Vec::new())
    }
}
