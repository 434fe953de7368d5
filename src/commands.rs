//! One function per subcommand.

mod augment;
mod bench;
mod canonical;
mod check;
mod checker;
mod convert;
mod count;
mod dedup;
mod firsts;
mod generate;
mod interrupt;
mod job;
mod making;
mod manual;
mod page;
#[cfg(feature = "tui")]
mod play;
mod progress;
mod psp;
mod puzzles;
mod rank;
mod rate;
mod show;
mod solutions;
mod solve;
mod source;
mod split;
mod stats;
mod stream;
mod summary;
mod turns;
mod uniqueness;

use crate::cli::{Cli, Command};
use anyhow::bail;
use std::{
    fmt,
    io::{self, IsTerminal, Write},
    panic,
    process::{self, ExitCode},
};
use sudoku_batch::pipeline::output::{self, Output};

/// Runs the command. An error is for exit status 2, unless it is
/// [a closed pipe](is_closed_pipe).
pub(crate) fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let done = run_command(cli);
    interrupt::check();
    match done {
        // The reader of one output has what it wanted, but another output is missing.
        Err(error) if is_closed_pipe(&error) && output::has_unfinished_files() => {
            bail!("{error:#}; output files stay as they were")
        }
        done => done,
    }
}

fn run_command(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Solve(options) => solve::run(&options),
        Command::Convert(options) => convert::run(&options),
        Command::Check(options) => check::run(options),
        Command::Count(options) => count::run(&options),
        Command::Solutions(options) => solutions::run(&options),
        Command::Canonical(options) => canonical::run(&options),
        Command::Dedup(options) => dedup::run(options),
        Command::Augment(options) => augment::run(&options),
        Command::Split(options) => split::run(&options),
        Command::Stats(options) => stats::run(options),
        Command::Generate(options) => generate::run(&options),
        Command::Puzzles(options) => puzzles::run(&options),
        Command::Rank(options) => rank::run(&options),
        Command::Rate(options) => rate::run(&options),
        Command::Psp(options) => psp::run(&options),
        Command::Show(options) => show::run(&options),
        #[cfg(feature = "tui")]
        Command::Play(options) => play::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Man { page } => manual::print_page(page.as_deref()),
        Command::Completions { shell } => manual::print_completions(shell),
    }
}

/// Whether the reader of our output went away (`| head`): it has what it
/// wanted, and nothing is wrong.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints text on standard output. Unlike `print!` it tells of output that is closed or full.
pub(crate) fn print(text: impl AsRef<[u8]>) -> anyhow::Result<ExitCode> {
    Output::stdout()?.write_next(text.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what the flags ask for (help, the version) or what is wrong with them.
pub(crate) fn tell(message: &clap::Error) -> anyhow::Result<ExitCode> {
    if message.use_stderr() {
        // Nobody may be listening.
        let _ = message.print();
        return Ok(ExitCode::from(message.exit_code() as u8));
    }
    let text = message.render();
    match io::stdout().is_terminal() {
        true => print(text.ansi().to_string()),
        false => print(text.to_string()),
    }
}

/// Says something on standard error. Nobody may be listening, which is no
/// reason to stop.
pub(crate) fn say(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// From now on a panic is told as a defect of the program, unless the cause is that there is
/// no memory: that ends the process with exit status 2.
///
/// The standard library panics so in a new thread for which there is memory, but none for
/// the stack of its signals, and would then abort the process.
pub(crate) fn tell_of_panics() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let text = what.payload_as_str().unwrap_or_default();
        if cfg!(unix) && text.ends_with("(os error 12)") {
            say(format_args!("sudoku-batch: out of memory: {text}"));
            process::exit(2);
        }
        tell(what);
        say(
            "sudoku-batch: this is a defect of the program: please report it, with the lines above",
        );
    }));
}
