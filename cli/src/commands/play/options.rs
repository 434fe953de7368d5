//! `sudoku-batch play`.

use crate::{
    commands::show::When,
    driver::{
        InputFile,
        options::{FormOptions, number_from},
        settings::{Defined, Settings},
    },
};
use sudoku_batch::questions::{PUZZLES, PuzzlesSettings, Setting};

/// Play Sudoku on the whole screen of a terminal.
///
/// Without a puzzle it resumes the game that was played last, or makes an easy puzzle. Games are saved
/// when you leave. ? shows all keys.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Play {
    /// A file of records, `-` for standard input, or a puzzle: 81 cells that name no file.
    #[arg(value_name = "FILE | PUZZLE", conflicts_with_all = ["difficulty", "rating"])]
    pub(crate) input: Option<InputFile>,

    /// How the records stand there.
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Begin with this record of the file, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "input", value_parser = number_from::<u64>(1))]
    pub(crate) record: u64,

    /// Make a new puzzle that is as hard as that.
    #[command(flatten)]
    pub(crate) how_hard: Settings<HowHard>,

    /// Seed of new puzzles.
    ///
    /// New puzzles are those of this seed, one after the other. Without it they are other ones each time.
    #[arg(long, value_parser = number_from::<u64>(0))]
    pub(crate) seed: Option<u64>,

    /// Begin with an empty grid to type a puzzle in.
    #[arg(long, conflicts_with_all = ["input", "difficulty", "rating"])]
    pub(crate) edit: bool,

    /// Ignore a saved game of the puzzle.
    #[arg(long, requires = "input")]
    pub(crate) fresh: bool,

    /// Draw with + - | in place of lines that join.
    #[arg(long)]
    pub(crate) ascii: bool,

    /// When to use colours. auto: unless NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) color: When,

    /// The colours. auto: dark, unless COLORFGBG names a light terminal. t changes it.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Theme::Auto)]
    pub(crate) theme: Theme,

    /// Leave the mouse to the terminal.
    #[arg(long)]
    pub(crate) no_mouse: bool,
}

/// The settings of puzzles that say how hard they are.
#[derive(Clone, Debug)]
pub(crate) struct HowHard;

impl Defined for HowHard {
    type Typed = PuzzlesSettings;

    fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
        let settings = PUZZLES.settings.iter();
        settings.filter(|setting| matches!(setting.name, "difficulty" | "rating"))
    }
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch play
      Go on with the last game, or begin an easy one.
  sudoku-batch play --difficulty hard
      A new puzzle; --rating 3.0..3.2 asks for certain techniques.
  sudoku-batch play puzzles.txt --record 4711
      A record of a file; ] and [ go to the next and the previous one.
  sudoku-batch play --edit
      Type a puzzle in, see whether it has one solution, and play it.

Keys: arrows or hjkl move, digits fill, p pencil marks, H hint, u undo, r redo, n new puzzle, q leave, ?
all keys.

Games are saved in $XDG_STATE_HOME/sudoku-batch/games (~/.local/state without it), a file each. A game
ends there when it is solved.

Exit status: 0 you left; 2 wrong usage, no terminal, or a file that cannot be read; on Ctrl-C and on a
signal the game is saved and the program dies of the signal.";

/// The colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Theme {
    /// Dark, unless COLORFGBG names a light terminal.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}
