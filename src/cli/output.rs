//! What all commands that write a batch have in common.

use std::path::PathBuf;
use sudoku_batch::pipeline::compression::Packing;

/// Where the batch goes, who works on it and what is told about it.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputOptions {
    /// Where to write; `-` is standard output.
    ///
    /// A file appears whole or not at all: it is written out of sight and takes its place, or that of an
    /// existing file, at the end.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,

    /// How many threads work; 0 is one for each core.
    ///
    /// The output is the same for any number.
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) threads: usize,

    /// Print nothing but errors on standard error.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show no progress bar.
    ///
    /// There is one only if standard error is a terminal and the work takes over half a second.
    #[arg(long)]
    pub(crate) no_progress: bool,

    /// What to print on standard error at the end [default: text, or none with --quiet].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) summary: Option<SummaryFormat>,
}

impl OutputOptions {
    /// The format of the summary.
    pub(crate) fn summary_format(&self) -> SummaryFormat {
        self.summary.unwrap_or(if self.quiet {
            SummaryFormat::None
        } else {
            SummaryFormat::Text
        })
    }
}

/// Says how the output of records is compressed.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CompressionOption {
    /// Compress the output: gzip or zstd, with a level after a colon if you like, as in zstd:19
    /// [default: by the ending of its name, .gz or .zst].
    ///
    /// Each piece of the output is a member or frame of its own, so that all threads compress.
    #[arg(long, value_name = "FORMAT[:LEVEL]")]
    pub(crate) compress: Option<Packing>,
}

/// A format of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SummaryFormat {
    /// Two lines to read.
    Text,
    /// One JSON object on a line.
    Json,
    /// Nothing.
    None,
}
