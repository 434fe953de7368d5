//! Files and threads of a command, with errors that name them.

use anyhow::{Context, bail};
use std::{io::IsTerminal, path::Path};
use sudoku_batch::pipeline::{Error, input::Input, output::Output};

/// Opens a file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> anyhow::Result<Input> {
    if path == Path::new("-") {
        if std::io::stdin().is_terminal() {
            super::say("sudoku-batch: reading from the terminal up to Ctrl-D");
        }
        return Input::stdin().context("cannot read <stdin>");
    }
    Input::open(path).with_context(|| format!("cannot open {}", path.display()))
}

/// Creates an output file, or takes standard output for `-`.
pub(crate) fn create(path: &Path) -> anyhow::Result<Output> {
    let output = match path == Path::new("-") {
        true => Output::stdout(),
        false => Output::create(path),
    };
    output.with_context(|| format!("cannot write {}", name_of_output(path)))
}

/// Puts an output in its place.
pub(crate) fn commit(output: Output, path: &Path) -> anyhow::Result<()> {
    output
        .commit()
        .with_context(|| format!("cannot write {}", name_of_output(path)))
}

/// What the input is called in messages.
pub(crate) fn name_of_input(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "<stdin>".into(),
        _ => path.display().to_string(),
    }
}

/// What the output is called in messages.
pub(crate) fn name_of_output(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "<stdout>".into(),
        _ => path.display().to_string(),
    }
}

/// Whether the output is a terminal, where a progress bar would be in its way.
pub(crate) fn is_terminal(path: &Path) -> bool {
    path == Path::new("-") && std::io::stdout().is_terminal()
}

/// So many threads; 0 is one for each core.
pub(crate) fn threads(number: usize) -> anyhow::Result<rayon::ThreadPool> {
    const MOST: usize = 4096;
    if number > MOST {
        bail!("{number} threads are too many: {MOST} at most");
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(number)
        .build()
        .context("cannot start the threads")
}

/// Says which file an error of the pipeline is about.
pub(crate) fn with_names(error: anyhow::Error, input: &Path, output: &Path) -> anyhow::Error {
    match error.downcast::<Error>() {
        Ok(Error::Input(error)) => {
            anyhow::Error::new(error).context(format!("cannot read {}", name_of_input(input)))
        }
        Ok(Error::Output(error)) => {
            anyhow::Error::new(error).context(format!("cannot write {}", name_of_output(output)))
        }
        Ok(error) => anyhow::Error::new(error).context(name_of_input(input)),
        Err(error) => error,
    }
}
