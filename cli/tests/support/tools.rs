//! Tools that are not on every machine.

use std::env;

/// Whether a program is in one of the folders of `PATH`. Where it is not, this says so, or
/// fails the test: see [`not_run`].
pub(crate) fn has(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_here = env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !is_here {
        not_run(&format!("{program} is not installed"));
    }
    is_here
}

/// Reports that a test leaves something out because of what this machine lacks. Where all
/// checks run (`SUDOKU_BATCH_REQUIRE_TOOLS` is set) the test fails.
#[track_caller]
pub(crate) fn not_run(what: &str) {
    let is_required = env::var_os("SUDOKU_BATCH_REQUIRE_TOOLS").is_some();
    assert!(
        !is_required,
        "not run, with SUDOKU_BATCH_REQUIRE_TOOLS: {what}"
    );
    // The harness would keep what `eprintln` prints.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("NOT RUN: {what}\n").as_bytes(),
    );
}
