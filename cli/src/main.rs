//! The program `sudoku-batch`. All of it is in the library `sudoku_batch_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sudoku_batch_cli::main()
}
