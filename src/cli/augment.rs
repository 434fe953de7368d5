//! `sudoku-batch augment`.

use super::records::RecordOptions;
use sudoku_batch::dataset::Operation;

/// Make symmetric images of puzzles, for training sets.
///
/// Every record gives K records: different images of it by renamed digits, transposition, and other
/// orders of bands, stacks, rows and columns, each image as likely as the others. The solution of a
/// record, if it has a column of them, goes through the same operations. Other columns are repeated.
///
/// The images of a record depend on the seed and its cells alone, so the parts of a file give the parts
/// of its images. More copies are the same ones, and more. A record with fewer different images than
/// were asked for gives all it has, and the summary says so.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Augment {
    /// How many images of each record.
    #[arg(short = 'k', long, value_name = "K", default_value_t = 10)]
    pub(crate) copies: usize,

    /// Which images.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The operations that images are made by, with commas between.
    ///
    /// relabelling, transposition, bands (the order of bands and of stacks) and lines (the order of rows
    /// in their bands and of columns in their stacks).
    #[arg(
        long,
        value_name = "OPERATIONS",
        value_delimiter = ',',
        default_value = "relabelling,transposition,bands,lines",
        value_parser = operation
    )]
    pub(crate) include: Vec<Operation>,

    /// Keep each record, before its images, which are different from it then.
    #[arg(long)]
    pub(crate) keep: bool,

    /// Check each image before it is written.
    ///
    /// An image is solved: it must have as many solutions as its record (none, one or several), and its
    /// digits. If the record has a right solution, the image must have one. This costs as much as
    /// solving the images. The first record that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    pub(crate) verify: bool,

    /// The column of solutions.
    ///
    /// Without it: solution, solutions, answer or answers, if there is such a column. In JSON lines the
    /// first object tells which.
    #[arg(long, value_name = "NAME|N")]
    pub(crate) solution_column: Option<String>,

    /// The records, and where the images go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

fn operation(name: &str) -> Result<Operation, String> {
    let found = Operation::ALL
        .iter()
        .find(|operation| operation.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = Operation::ALL
            .iter()
            .map(|operation| operation.name())
            .collect();
        format!("there is: {}", names.join(", "))
    })
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch augment --copies 10 train.csv -o augmented.csv
      Ten images of each puzzle, with their solutions.
  sudoku-batch augment -k 100 --include relabelling puzzles.txt
      Only rename the digits.
  sudoku-batch augment -k 4 --keep --seed 7 puzzles.txt
      Each puzzle and four images of it.

Augment the parts of a split, not the set before it is split: otherwise images of one puzzle are on both
sides. (split --by symmetry keeps them on one side in any case.)

A malformed record has no images: it stands in the output as it is.

Exit status: 0 all records have images; 1 some are malformed; 2 wrong usage, or a file that cannot be
read or written; 130 after Ctrl-C.";
