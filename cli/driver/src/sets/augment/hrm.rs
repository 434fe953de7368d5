//! The folder that the training programs HRM and TRM read: `augment --format hrm`.
//!
//! ```text
//!     DIR/identifiers.json
//!     DIR/train/dataset.json            what the arrays are
//!     DIR/train/all__inputs.npy         n × 81 uint8: a puzzle, or a symmetric copy of it
//!     DIR/train/all__labels.npy         its solution
//!     DIR/train/all__puzzle_indices.npy, all__group_indices.npy, all__puzzle_identifiers.npy
//!     DIR/test/…                        the same, with each puzzle once
//! ```
//!
//! In their words each row is a puzzle with one example, and the copies of a puzzle are a group.
//! The formats are those of sapientinc/HRM and SamsungSAILMontreal/TinyRecursiveModels
//! (`dataset/build_sudoku_dataset.py`, `puzzle_dataset.py`).

use crate::driver::{
    self, Asking, Done, Files, RecordCommand, Sink, Summary, Task, Worker, job,
    options::{ReadOptions, RunOptions},
};
use crate::pipeline::output::Output;
use anyhow::bail;
use rayon::prelude::*;
use serde_json::json;
use std::{
    mem,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
};
use sudoku_batch::{
    dataset::{Chosen, Operation, TrainingSet, TrainingSets},
    format::{
        Form,
        npy::{HEAD, RowType},
    },
    grid::CELLS,
    questions::{Counts, Question, SolveSettings, solved},
};

/// The folder that is asked for.
pub(super) struct Folder<'o> {
    pub(super) path: &'o Path,
    pub(super) copies: usize,
    pub(super) subsample: Option<usize>,
    /// The share of the test set.
    pub(super) test: f64,
    pub(super) seed: u64,
    pub(super) operations: &'o [Operation],
    pub(super) read: &'o ReadOptions,
    pub(super) run: &'o RunOptions,
}

/// The names of the sets, which are folders.
const SETS: [&str; 2] = ["train", "test"];

/// The names of other files.
const ABOUT: &str = "dataset.json";
const IDENTIFIERS: &str = "identifiers.json";

/// About how many rows a thread makes at a time.
const ROWS: usize = 1 << 16;

/// The arrays of a set.
const ARRAYS: [(&str, RowType); 5] = [
    ("inputs", RowType::u8(&[CELLS as u16])),
    ("labels", RowType::u8(&[CELLS as u16])),
    ("puzzle_indices", RowType::i32(&[])),
    ("group_indices", RowType::i32(&[])),
    ("puzzle_identifiers", RowType::i32(&[])),
];

const OPTION: &str = "--output-dir";

pub(super) fn run(files: &Files, folder: &Folder<'_>) -> anyhow::Result<ExitCode> {
    // The names are known before anything is read.
    for set in SETS {
        let path = folder.path.join(set);
        for (name, ..) in ARRAYS {
            files.claim(OPTION, &array_file(&path, name))?;
        }
        files.claim(OPTION, &path.join(ABOUT))?;
    }
    files.claim(OPTION, &folder.path.join(IDENTIFIERS))?;
    let sets = TrainingSets::new(folder.seed, folder.test, folder.subsample)?;
    let mut making = Making {
        files,
        folder,
        sets: Mutex::new(Some(sets)),
        made: Vec::new(),
    };
    let task = Task {
        // The rows of the folder are cells, so records given by candidates must be cells too.
        form: Some(Form::Line),
        ..Task::new(folder.read, folder.run, Sink::None)
    };
    driver::run(files, &mut making, &task)
}

struct Making<'o> {
    files: &'o Files,
    folder: &'o Folder<'o>,
    /// The candidates, until they are chosen from.
    sets: Mutex<Option<TrainingSets>>,
    /// The contents of the folder, as facts of the summary.
    made: Vec<(&'static str, u64)>,
}

impl RecordCommand for Making<'_> {
    fn worker(&self) -> Worker<'_> {
        let question = Question::new(SolveSettings {
            unique: true,
            ..SolveSettings::default()
        });
        let mut asking = Asking::of(&question.expect("the settings go together"));
        let folder = self.folder;
        // A set of its own, to make candidates without the lock.
        let maker = TrainingSets::new(folder.seed, folder.test, None).expect("it was checked");
        Box::new(move |batch, answer| {
            let solved = solved(batch.records, asking.ask(batch, answer));
            let candidates = solved.map(|(record, puzzle, solution)| {
                let number = batch.number << 32 | record as u64;
                maker.candidate(number, &puzzle, &solution)
            });
            let candidates: Vec<_> = candidates.collect();
            let mut sets = self.sets.lock().expect("no thread panicked with it");
            sets.as_mut()
                .expect("they are chosen at the end")
                .add(candidates);
            Ok(())
        })
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        let folder = self.folder;
        let sets = self.sets.get_mut().expect("no thread panicked with it");
        let sets = mem::take(sets).expect("they are chosen once").chosen();
        let mut outputs = Vec::new();
        for (set, name) in sets.iter().zip(SETS) {
            let path = folder.path.join(name);
            self.files.make_folder(&path)?;
            let copies = if name == SETS[0] { folder.copies } else { 1 };
            outputs.extend(self.write(&path, name, set, copies)?);
        }
        let path = folder.path.join(IDENTIFIERS);
        outputs.push(self.json_file(&path, &json!(["<blank>"]))?);
        Ok(outputs)
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = done.records - counts.get("unique");
        let mut summary = Summary::of_records(done, counts.clone());
        for &(name, count) in &self.made {
            summary = summary.fact(name, count);
        }
        summary.failed(failed, "have not exactly one solution, and are left out")
    }
}

impl Making<'_> {
    /// Writes the arrays of a set.
    fn write(
        &mut self,
        path: &Path,
        name: &str,
        set: &[Chosen],
        copies: usize,
    ) -> anyhow::Result<Vec<Output>> {
        let array = |&(name, row): &(&str, RowType)| {
            let output = self.files.create(OPTION, &array_file(path, name), None)?;
            Ok(output.with_head(HEAD, move |bytes| row.head(bytes).to_vec())?)
        };
        let arrays: Vec<_> = ARRAYS.iter().map(array).collect::<anyhow::Result<_>>()?;
        let [inputs, labels, puzzles, groups, identifiers] = &arrays[..] else {
            unreachable!("there are five");
        };
        let (mut rows, mut fewer) = (0_usize, 0_u64);
        groups.write_next(&0_i32.to_le_bytes())?;
        let threads = job::threads(self.folder.run).count();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let at_once = (ROWS / copies).max(1);
        let Folder {
            seed, operations, ..
        } = *self.folder;
        let make = |chosen: &[Chosen]| TrainingSet::of(chosen, copies, seed, operations);
        for chosen in set.chunks(at_once * threads) {
            let parts: Vec<_> = pool.install(|| chosen.par_chunks(at_once).map(make).collect());
            for part in parts {
                inputs.write_next(&part.inputs)?;
                labels.write_next(&part.labels)?;
                let mut ends = Vec::new();
                for of_puzzle in part.rows {
                    rows += of_puzzle;
                    fewer += u64::from(of_puzzle < copies);
                    let Ok(end) = i32::try_from(rows) else {
                        bail!(
                            "the set {name} has over 2,147,483,647 rows, which these programs cannot count"
                        );
                    };
                    ends.extend(end.to_le_bytes());
                }
                groups.write_next(&ends)?;
            }
        }
        for first in (0..=rows).step_by(ROWS) {
            let numbers = first..(first + ROWS).min(rows + 1);
            let bytes: Vec<_> = numbers.flat_map(|row| (row as i32).to_le_bytes()).collect();
            puzzles.write_next(&bytes)?;
        }
        for first in (0..rows).step_by(ROWS) {
            let bytes = vec![0; 4 * ROWS.min(rows - first)];
            identifiers.write_next(&bytes)?;
        }
        let (puzzles_of_set, rows) = (set.len() as u64, rows as u64);
        self.made.extend(match name {
            "train" => vec![
                ("train_puzzles", puzzles_of_set),
                ("train_rows", rows),
                ("with_fewer_images", fewer),
            ],
            _ => vec![("test_puzzles", puzzles_of_set), ("test_rows", rows)],
        });
        let about = json!({
            "pad_id": 0,
            "ignore_label_id": 0,
            "blank_identifier_id": 0,
            "vocab_size": 11,
            "seq_len": CELLS,
            "num_puzzle_identifiers": 1,
            "total_groups": set.len(),
            "total_puzzles": set.len(),
            "mean_puzzle_examples": 1.0,
            "sets": ["all"],
        });
        let about = self.json_file(&path.join(ABOUT), &about)?;
        Ok(arrays.into_iter().chain([about]).collect())
    }

    fn json_file(&self, path: &Path, value: &serde_json::Value) -> anyhow::Result<Output> {
        let output = self.files.create(OPTION, path, None)?;
        output.write_next(format!("{value}\n").as_bytes())?;
        Ok(output)
    }
}

fn array_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("all__{name}.npy"))
}
