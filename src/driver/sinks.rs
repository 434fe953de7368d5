//! The destinations of the rows: one output, one for each input, or one for each part.

use super::{Arrays, Job, Task};
use anyhow::{Context, bail};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};
use sudoku_batch::{
    format::{Form, Writer},
    pipeline::{
        compression::Packing,
        output::{Ended, Output},
    },
};

/// Where the rows of a command go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sink<'o> {
    /// Nowhere: the command only reads.
    None,
    /// One output for all inputs.
    One(&'o Path),
    /// A file for each input, named after it, in this folder.
    PerInput(&'o Path),
    /// A file for each part, in this folder. [`goes_to_part`](super::rows::Row::goes_to_part) says
    /// where a row goes.
    Parts(&'o Path, &'o [String]),
}

/// The outputs of a command.
pub(super) struct Outputs<'o> {
    task: &'o Task<'o>,
    /// The open outputs: one for each part, or a single one.
    open: Vec<Output>,
    /// Whether each open output has a record already, here or in an earlier shard.
    has_record: Vec<bool>,
    /// The complete outputs of the inputs before, if each input has its own.
    ended: Vec<Ended>,
    /// The paths of the outputs in a folder, one for each input.
    paths: HashSet<PathBuf>,
}

impl<'o> Outputs<'o> {
    /// Prepares the outputs, and creates their folder.
    pub(super) fn new(task: &'o Task<'o>) -> anyhow::Result<Self> {
        if let Sink::PerInput(folder) | Sink::Parts(folder, _) = task.sink {
            let made = fs::create_dir_all(folder);
            made.with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        Ok(Self {
            task,
            open: Vec::new(),
            has_record: Vec::new(),
            ended: Vec::new(),
            paths: HashSet::new(),
        })
    }

    /// The outputs for an input, by the number of the part. A new output begins with the
    /// text that comes before the records.
    pub(super) fn for_input(
        &mut self,
        job: &mut Job,
        input: &Path,
        writer: &Writer,
        arrays: Option<&Arrays>,
        is_of_input_form: bool,
    ) -> anyhow::Result<&[Output]> {
        if !self.open.is_empty() {
            return Ok(&self.open);
        }
        let form = match arrays {
            Some(_) => "npy",
            None => ending(writer.form()),
        };
        let paths = match self.task.sink {
            Sink::None => Vec::new(),
            Sink::One(path) => vec![path.to_owned()],
            Sink::PerInput(folder) => {
                let is_of_input_form = is_of_input_form && arrays.is_none();
                let mut path = folder.join(own_name(input, form, is_of_input_form)?);
                if arrays.is_some() && Packing::by_ending(&path).is_some() {
                    path.set_extension("");
                }
                if !self.paths.insert(path.clone()) {
                    bail!("two inputs would both be written to {}", path.display());
                }
                vec![path]
            }
            Sink::Parts(folder, parts) => {
                let packing = self.task.packing.map(|packing| packing.format().ending());
                let name = |part| match packing {
                    None => format!("{part}.{form}"),
                    Some(packing) => format!("{part}.{form}.{packing}"),
                };
                parts.iter().map(|part| folder.join(name(part))).collect()
            }
        };
        let begins = self.task.shard.is_none_or(|shard| shard.is_first());
        if let Some(arrays) = arrays {
            for path in paths {
                self.open.extend(arrays.create(job, &path)?);
            }
            self.has_record.resize(self.open.len(), true);
            return Ok(&self.open);
        }
        for path in paths {
            let output = job.create_packed(&path, self.task.packing)?;
            if begins {
                let mut header = Vec::new();
                writer.header(&mut header)?;
                output.write_next(&header)?;
            }
            self.open.push(output);
            self.has_record.push(!begins);
        }
        Ok(&self.open)
    }

    /// The outputs that are open, and whether each has a record already.
    pub(super) fn open(&mut self) -> (&[Output], &mut [bool]) {
        (&self.open, &mut self.has_record)
    }

    /// Ends an input. An output of its own is complete, and waits for those of the other
    /// inputs.
    pub(super) fn end_input(&mut self) -> anyhow::Result<()> {
        /// How many outputs that wait are open files. A process may have 1,024 of them at a
        /// time on most systems.
        const OPEN: usize = 64;
        if matches!(self.task.sink, Sink::PerInput(_)) {
            self.has_record.clear();
            for output in self.open.drain(..) {
                let ended = output.end()?;
                let is_closed = self.ended.len() >= OPEN;
                self.ended
                    .push(if is_closed { ended.close()? } else { ended });
            }
        }
        Ok(())
    }

    /// All outputs, complete. They still have to move to their targets.
    pub(super) fn into_ended(self) -> anyhow::Result<Vec<Ended>> {
        let mut ended = self.ended;
        for output in self.open {
            ended.push(output.end()?);
        }
        Ok(ended)
    }
}

/// The name of the output for an input. Its ending differs if the form differs.
fn own_name(input: &Path, form: &str, is_of_input_form: bool) -> anyhow::Result<PathBuf> {
    let name = input.file_name().filter(|name| *name != "-");
    let Some(name) = name.map(Path::new) else {
        bail!("--output-dir wants inputs with names: standard input has none");
    };
    if is_of_input_form {
        return Ok(name.into());
    }
    let packing = Packing::by_ending(name);
    let stem = match packing {
        Some(_) => name.with_extension(""),
        None => name.into(),
    };
    let plain = stem.with_extension(form);
    Ok(match packing {
        Some(packing) => {
            let ending = packing.format().ending();
            PathBuf::from(format!("{}.{ending}", plain.display()))
        }
        None => plain,
    })
}

/// The file ending of a form.
fn ending(form: Form) -> &'static str {
    match form {
        Form::Csv | Form::Tsv | Form::Jsonl => form.name(),
        _ => "txt",
    }
}
