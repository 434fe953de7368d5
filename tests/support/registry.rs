//! Engines and levels that tests run over.

use sudoku_batch::{Engine, Level, solve};

/// The registry of the library: every engine at every level of this machine.
/// If `SUDOKU_BATCH_REQUIRE_LEVEL` is set, the level that it names must be
/// one of them: a test then fails where it would leave that level out.
pub fn registry() -> impl Iterator<Item = (Engine, Level)> {
    if let Ok(name) = std::env::var("SUDOKU_BATCH_REQUIRE_LEVEL") {
        let required =
            |&(engine, level): &(_, Level)| engine == Engine::Sliced && level.name() == name;
        assert!(
            solve::registry().any(|entry| required(&entry)),
            "SUDOKU_BATCH_REQUIRE_LEVEL is `{name}`, which this machine lacks"
        );
    }
    solve::registry()
}
