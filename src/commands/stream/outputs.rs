//! The destinations of the rows: one output, one for each input, or one for each part.

use super::Job;
use crate::cli::records::RecordOptions;
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

/// The outputs of a command.
pub(super) struct Outputs<'o> {
    options: &'o RecordOptions,
    /// The names of the parts. It is empty if there are no parts.
    parts: Vec<String>,
    /// The open outputs: one for each part, or a single one.
    open: Vec<Output>,
    /// The complete outputs of the inputs before, if each input has its own.
    ended: Vec<Ended>,
    /// The paths of the outputs in a folder, one for each input.
    paths: HashSet<PathBuf>,
}

impl<'o> Outputs<'o> {
    /// Prepares outputs for these parts.
    pub(super) fn new(options: &'o RecordOptions, parts: Vec<String>) -> anyhow::Result<Self> {
        if !parts.is_empty() && options.output_dir.is_none() {
            bail!("--output-dir DIR is required: it gets a file for each part");
        }
        if let Some(folder) = &options.output_dir {
            let made = fs::create_dir_all(folder);
            made.with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        Ok(Self {
            options,
            parts,
            open: Vec::new(),
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
        is_of_input_form: bool,
    ) -> anyhow::Result<&[Output]> {
        if !self.open.is_empty() {
            return Ok(&self.open);
        }
        let mut paths = Vec::new();
        match &self.options.output_dir {
            None => paths.push(self.options.output.output.clone()),
            Some(folder) if self.parts.is_empty() => {
                let path = folder.join(own_name(input, writer.form(), is_of_input_form)?);
                if !self.paths.insert(path.clone()) {
                    bail!("two inputs would both be written to {}", path.display());
                }
                paths.push(path);
            }
            Some(folder) => {
                let packing = self.options.compression.compress;
                let ending = |part| match packing {
                    None => format!("{part}.{}", ending(writer.form())),
                    Some(packing) => {
                        format!(
                            "{part}.{}.{}",
                            ending(writer.form()),
                            packing.format().ending()
                        )
                    }
                };
                paths.extend(self.parts.iter().map(|part| folder.join(ending(part))));
            }
        }
        let begins = self.options.shard.is_none_or(|shard| shard.is_first());
        for path in paths {
            let output = job.create_packed(&path, self.options.compression.compress)?;
            if begins {
                let mut header = Vec::new();
                writer.header(&mut header)?;
                output.write_next(&header)?;
            }
            self.open.push(output);
        }
        Ok(&self.open)
    }

    /// The outputs that are open.
    pub(super) fn open(&self) -> &[Output] {
        &self.open
    }

    /// Ends an input. An output of its own is complete, and waits for those of the other
    /// inputs.
    pub(super) fn end_input(&mut self) -> anyhow::Result<()> {
        /// How many outputs that wait are open files. A process may have 1,024 of them at a
        /// time on most systems.
        const OPEN: usize = 64;
        if self.options.output_dir.is_some() && self.parts.is_empty() {
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
fn own_name(input: &Path, form: Form, is_of_input_form: bool) -> anyhow::Result<PathBuf> {
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
    let plain = stem.with_extension(ending(form));
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
