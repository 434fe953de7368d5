//! Standard output and standard error: text, errors and panics.

use crate::pipeline::output::Output;
use anyhow::Error;
use std::{
    fmt,
    io::{self, IsTerminal, Write},
    panic,
    process::{self, ExitCode},
};

/// Returns true if the reader of our output went away (`| head`): it has what it
/// wanted, and nothing is wrong.
pub fn is_closed_pipe(error: &Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints text on standard output. Unlike `print!` it returns an error if the output is closed or
/// full.
pub fn print(text: impl AsRef<[u8]>) -> anyhow::Result<ExitCode> {
    Output::stdout()?.write_next(text.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what clap returns in place of options: help, the version, or a wrong usage.
pub fn print_clap(message: &clap::Error) -> anyhow::Result<ExitCode> {
    if message.use_stderr() {
        // Nobody may be listening.
        let _ = message.print();
        return Ok(ExitCode::from(message.exit_code() as u8));
    }
    let text = message.render();
    if io::stdout().is_terminal() {
        print(plain(&text.ansi().to_string()))
    } else {
        print(plain(&text.to_string()))
    }
}

/// A space at which no line of the help ends. What is shown has [plain](plain) spaces.
pub const NO_BREAK: char = '\u{a0}';

/// A text of the help, the manual page or the completions as it is shown.
pub fn plain(text: &str) -> String {
    text.replace(NO_BREAK, " ")
}

/// Writes a line on standard error, at once. Nobody may be listening: no reason to stop.
pub fn say(message: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{message}\n").as_bytes());
}

/// From now on a panic is reported as a defect of the program, unless its cause is that there is
/// no memory: that ends the process with exit status 2.
///
/// The standard library panics so in a new thread for which there is memory, but none for
/// the stack of its signals, and would then abort the process.
pub fn report_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let text = what.payload_as_str().unwrap_or_default();
        if cfg!(unix) && text.ends_with("(os error 12)") {
            say(format_args!("sudoku-batch: out of memory: {text}"));
            process::exit(2);
        }
        print(what);
        say(
            "sudoku-batch: this is a defect of the program: please report it, with the lines above",
        );
    }));
}
