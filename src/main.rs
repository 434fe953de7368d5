//! The command `sudoku-batch`: parse, run, exit status.

mod cli;
mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match cli::Cli::of_arguments() {
        Ok(cli) => commands::run(cli),
        Err(message) => commands::tell(&message),
    };
    match done {
        Ok(code) => code,
        Err(error) if commands::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            commands::say(format_args!("sudoku-batch: {error:#}"));
            ExitCode::from(2)
        }
    }
}
