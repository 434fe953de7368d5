//! The destinations of the rows: one output, one for each input, or one for each part.

use super::{
    Arrays, Job, Rows, Task,
    files::{STANDARD, written_twice},
    job, names,
    options::OutputForm,
};
use crate::pipeline::{
    compression::Packing,
    output::{Ended, Output},
};
use anyhow::bail;
use std::{
    collections::HashSet,
    mem,
    path::{Path, PathBuf},
};
use sudoku_batch::format::{Form, Writer};

/// The place to which the rows of a command go.
#[derive(Clone, Copy, Debug)]
pub enum Sink<'o> {
    /// Nowhere: the command only reads.
    None,
    /// One output for all inputs.
    One(&'o Path),
    /// A file for each input, named after it, in this folder.
    PerInput(&'o Path),
    /// A file for each part, in this folder. [`Answer::parts`](sudoku_batch::questions::Answer::parts) says
    /// where the rows of a record go.
    Parts(&'o Path, &'o [String]),
}

/// The outputs of a command.
pub(super) struct Outputs<'o> {
    task: &'o Task<'o>,
    /// The open outputs: one for each part, or a single one.
    open: Vec<Output>,
    /// For each open output, `true` if it has a record already, here or in an earlier shard.
    has_record: Vec<bool>,
    /// The complete outputs of the inputs before, if each input has its own.
    ended: Vec<Ended>,
}

impl<'o> Outputs<'o> {
    pub(super) fn new(task: &'o Task<'o>) -> Self {
        Self {
            task,
            open: Vec::new(),
            has_record: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Opens the outputs for an input. Returns whether they are new.
    pub(super) fn for_input(
        &mut self,
        job: &mut Job<'_>,
        input: &Path,
        rows: &Rows,
        input_form: Form,
        arrays: Option<&Arrays>,
    ) -> anyhow::Result<bool> {
        if !self.open.is_empty() {
            return Ok(false);
        }
        let form = match arrays {
            Some(_) => OutputForm::Npy,
            None => OutputForm::Text(rows.writer.form()),
        };
        let ending = names::ending_of(form);
        let option = match self.task.sink {
            Sink::One(_) => "--output",
            _ => "--output-dir",
        };
        let mut paths = match self.task.sink {
            Sink::None => Vec::new(),
            Sink::One(path) => vec![path.to_owned()],
            Sink::PerInput(folder) => {
                let is_of_input_form = arrays.is_none() && rows.writer.form() == input_form;
                let other_ending = (!is_of_input_form).then_some(ending);
                let mut name = own_name(input, other_ending, self.task.packing)?;
                if arrays.is_some() && Packing::by_ending(&name).is_some() {
                    name.set_extension("");
                }
                vec![folder.join(name)]
            }
            Sink::Parts(folder, parts) => {
                let packing = self.task.packing.map(|packing| packing.format().ending());
                let name = |part| match packing {
                    None => format!("{part}.{ending}"),
                    Some(packing) => format!("{part}.{ending}.{packing}"),
                };
                parts.iter().map(|part| folder.join(name(part))).collect()
            }
        };
        if let Some(arrays) = arrays {
            paths = arrays.paths(&paths)?;
        }
        if let Sink::PerInput(folder) | Sink::Parts(folder, _) = self.task.sink {
            for path in &paths {
                job.files.claim(option, path)?;
            }
            job.files.make_folder(folder)?;
        }
        for path in paths {
            self.open
                .push(job.create(option, &path, self.task.packing)?);
        }
        if let Some(arrays) = arrays {
            self.open = arrays.with_heads(mem::take(&mut self.open))?;
        }
        let is_shard = self.task.shard.is_some_and(|shard| !shard.is_first());
        let kept = |output: &Output| job.files.kept(output.target()?);
        let has_record = |output| match kept(output) {
            Some(kept) => kept.has_record,
            None => is_shard || arrays.is_some(),
        };
        self.has_record = self.open.iter().map(has_record).collect();
        Ok(true)
    }

    /// Writes the text that comes before the records, unless an earlier shard has it.
    pub(super) fn write_headers(&self, writer: &Writer) -> anyhow::Result<()> {
        let mut header = Vec::new();
        writer.header(&mut header)?;
        let outputs = self.open.iter().zip(&self.has_record);
        for (output, _) in outputs.filter(|(output, has_record)| !**has_record && output.is_new()) {
            output.write_next(&header)?;
        }
        Ok(())
    }

    /// The outputs that are open, whether each has a record already, and those that are complete.
    pub(super) fn open(&mut self) -> (&[Output], &mut [bool], &[Ended]) {
        (&self.open, &mut self.has_record, &self.ended)
    }

    /// Ends an input. An output of its own is complete, and waits for those of the other
    /// inputs.
    pub(super) fn end_input(&mut self) -> anyhow::Result<()> {
        /// The number of waiting outputs that are open files. A process may have 1,024 of them at a
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

/// Refuses inputs without a name, and those of one name, whose outputs would have one name too, before any of them
/// is read.
pub(super) fn check_names(task: &Task<'_>) -> anyhow::Result<()> {
    let Sink::PerInput(folder) = task.sink else {
        return Ok(());
    };
    for path in &task.read.files {
        let nameless = match path.to_str() {
            Some(STANDARD) => "standard input",
            _ if job::literal(path).is_some() => "a puzzle on the command line",
            _ => continue,
        };
        bail!("--output-dir wants inputs with names: {nameless} has none");
    }
    let mut names = HashSet::new();
    let mut given = task.read.files.iter().filter_map(|path| path.file_name());
    match given.find(|name| !names.insert(*name)) {
        Some(name) => Err(written_twice("--output-dir", &folder.join(name))),
        None => Ok(()),
    }
}

/// The name of the output for an input: its own name, with the ending of another format and of the compression that is
/// asked for.
fn own_name(
    input: &Path,
    other_ending: Option<&str>,
    asked: Option<Packing>,
) -> anyhow::Result<PathBuf> {
    let Some(name) = input.file_name().map(Path::new) else {
        bail!(
            "--output-dir wants inputs with names: {} has none",
            input.display()
        );
    };
    let of_name = Packing::by_ending(name);
    let mut stem = match of_name {
        Some(_) => name.with_extension(""),
        None => name.to_owned(),
    };
    if let Some(ending) = other_ending {
        stem.set_extension(ending);
    }
    let packing = asked.or(of_name).map(Packing::format);
    Ok(match packing {
        // The ending may be in capitals.
        _ if other_ending.is_none() && packing == of_name.map(Packing::format) => name.to_owned(),
        Some(packing) => {
            let mut name = stem.into_os_string();
            name.push(".");
            name.push(packing.ending());
            name.into()
        }
        None => stem,
    })
}
