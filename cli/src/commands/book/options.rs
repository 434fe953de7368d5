//! The options of `book`.

use crate::{
    driver::{
        InputFile, OutputFile,
        options::{FormOptions, RunOptions, help, number_from},
    },
    print::{
        layout::{Givens, PerPage},
        paper::{Length, Paper},
    },
};
use sudoku_batch::{
    draw::language::{LANGUAGES, Language, Word},
    puzzle::Symmetry,
    technique::Difficulty,
};

/// Print puzzles as books and work sheets, to PDF, HTML or SVG.
///
/// The puzzles come from files, or are made. They get running numbers, and the answers stand at the end. The ending of
/// the output chooses the format: a PDF with its fonts embedded, a page of HTML, or pictures of pages (SVG).
///
/// Each input file and each difficulty is a section, which begins on a page of its own. A puzzle without exactly one
/// solution is left out, and so is a symmetric copy of a puzzle before it. Standard error reports these.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(EXAMPLES, "some puzzles are left out: malformed, without exactly one solution, or symmetric copies of others"))]
pub(crate) struct Book {
    /// Files of puzzles, or puzzles; `-` is standard input.
    #[arg(value_name = "FILE", required_unless_present = "difficulty")]
    pub(crate) files: Vec<InputFile>,

    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Make puzzles: easy:40,medium:60,hard:20.
    ///
    /// The difficulties are those of `puzzles`: easy, medium, hard, expert and extreme. The solutions of the puzzles are
    /// different grids, up to symmetry.
    #[arg(long, value_name = "NAME:N,…", value_delimiter = ',', value_parser = level)]
    pub(crate) difficulty: Vec<Level>,

    /// Seed of the puzzles.
    ///
    /// They are those of `puzzles --difficulty NAME --seed N`. A later number takes the place of one that is left
    /// out, or stands in a file of --against.
    #[arg(long, default_value_t = 0, requires = "difficulty")]
    pub(crate) seed: u64,

    /// Make puzzles whose clues have this symmetry.
    #[arg(long, value_name = "NAME", value_parser = symmetry(), requires = "difficulty")]
    pub(crate) symmetry: Option<Symmetry>,

    /// Print also puzzles with several solutions or none.
    ///
    /// Their answers say so.
    #[arg(long)]
    pub(crate) not_unique: bool,

    /// Print symmetric copies too.
    #[arg(long)]
    pub(crate) repeats: bool,

    /// Leave out symmetric copies of puzzles in these files, such as last year's books.
    ///
    /// All files up to the next option are compared with, so name the puzzles first.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "repeats")]
    pub(crate) against: Vec<InputFile>,

    /// Make a sheet for each student of a table.
    ///
    /// Each student gets puzzles of their own. The table has a header. It is CSV or TSV. Its first column identifies a student: the puzzles depend on it, the seed and the
    /// difficulties, and not on the other rows. All columns are placeholders for --section, --label and --output.
    /// `-o 'sheets/{id}.pdf'` writes a file for each student.
    #[arg(long, value_name = "FILE", requires = "difficulty", conflicts_with_all = ["files", "not_unique", "repeats"])]
    pub(crate) per_student: Option<InputFile>,

    /// The file to write: NAME.pdf, NAME.html or NAME.svg.
    ///
    /// `-` is a PDF on standard output.
    /// A book of several pages takes a name such as page-{page}.svg, and each page is a file then.
    // The name of this argument is its own: the names of outputs of records choose a file format of records.
    #[arg(id = "book", short = 'o', long = "output", value_name = "FILE")]
    pub(crate) output: OutputFile,

    /// The place of the answers: end, back, none or FILE [default: end].
    ///
    /// end: on the last pages. back: behind each page of puzzles, for printing on both sides. FILE: in a file of their
    /// own. With --per-student the default is none.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<OutputFile>,

    /// Write a table with the number, section, puzzle and solution of each puzzle, which `check` reads.
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<OutputFile>,

    /// Puzzles on a page, such as 6 or 3x2.
    ///
    /// 3x2 is three rows of two.
    #[arg(long, value_name = "N | RxC", help_heading = LAYOUT, default_value = "6", default_value_if("large", "true", "1"))]
    pub(crate) per_page: PerPage,

    /// The paper: a4, a5, letter, or a size such as 6x9in.
    ///
    /// The names are a3, a4, a5, a6, letter and legal.
    #[arg(long, value_name = "SIZE", help_heading = LAYOUT, default_value = "a4")]
    pub(crate) paper: Paper,

    /// Turn the paper on its side.
    #[arg(long, help_heading = LAYOUT)]
    pub(crate) landscape: bool,

    /// The margins.
    #[arg(long, value_name = "LENGTH", help_heading = LAYOUT, default_value = "15mm")]
    pub(crate) margin: Length,

    /// Widen the inner margin for binding.
    ///
    /// The inner margin is left on odd pages and right on even ones.
    #[arg(long, value_name = "LENGTH", help_heading = LAYOUT, default_value = "0mm")]
    pub(crate) gutter: Length,

    /// The side of a cell, such as 14mm [default: the largest that fits, up to 20 mm].
    #[arg(long, value_name = "LENGTH", help_heading = LAYOUT)]
    pub(crate) cell_size: Option<Length>,

    /// Large print: one puzzle on a page.
    ///
    /// Its cells have at least 14 mm.
    #[arg(long, help_heading = LAYOUT, conflicts_with = "cell_size")]
    pub(crate) large: bool,

    /// How clues look.
    #[arg(long, value_enum, value_name = "LOOK", help_heading = LAYOUT, default_value_t = Givens::Bold)]
    pub(crate) givens: Givens,

    /// Print the candidates of blank cells as pencil marks.
    ///
    /// A record that is given by candidates, such as a line of drills, always has its own.
    #[arg(long, help_heading = LAYOUT)]
    pub(crate) candidates: bool,

    /// How many answers are on a page: a number, or rows of columns [default: grids of 42 mm].
    #[arg(long, value_name = "N | RxC", help_heading = LAYOUT)]
    pub(crate) answers_per_page: Option<PerPage>,

    /// The title, at the top of each page.
    #[arg(long, value_name = "TEXT", help_heading = WORDS)]
    pub(crate) title: Option<String>,

    /// Begin with a title page.
    #[arg(long, help_heading = WORDS, requires = "title")]
    pub(crate) title_page: bool,

    /// A line below the title of the title page.
    #[arg(long, value_name = "TEXT", help_heading = WORDS, requires = "title_page")]
    pub(crate) subtitle: Option<String>,

    /// The author, on the title page and in the properties of a PDF.
    #[arg(long, value_name = "TEXT", help_heading = WORDS)]
    pub(crate) author: Option<String>,

    /// The date on the title page. Nothing else has a date: the output is the same on any day.
    #[arg(long, value_name = "TEXT", help_heading = WORDS, requires = "title_page")]
    pub(crate) date: Option<String>,

    /// The text at the top of each page [default: the title].
    #[arg(long, value_name = "TEXT", help_heading = WORDS)]
    pub(crate) header: Option<String>,

    /// A text at the bottom of each page.
    #[arg(long, value_name = "TEXT", help_heading = WORDS)]
    pub(crate) footer: Option<String>,

    /// Leave out the numbers of pages.
    #[arg(long, help_heading = WORDS)]
    pub(crate) no_page_numbers: bool,

    /// Lines for a name and a date on each page of puzzles.
    #[arg(long, help_heading = WORDS)]
    pub(crate) name_line: bool,

    /// The number of the first puzzle.
    #[arg(long, value_name = "N", help_heading = WORDS, default_value_t = 1, value_parser = number_from::<u64>(0))]
    pub(crate) first_number: u64,

    /// The text above each puzzle.
    ///
    /// It may have placeholders. {number}: the running number. {section}: the heading of the section. {clues}: the number of clues. {er} and
    /// {difficulty}: the rating. The name of a column of the input, or of the list of students, is a placeholder too. A
    /// column `er` or `difficulty` of the input replaces the rating that `book` finds.
    #[arg(long, value_name = "TEXT", help_heading = WORDS, default_value = "{number}")]
    pub(crate) label: String,

    /// The heading of each section, with placeholders [default: the name of the file, or the difficulty].
    ///
    /// {section}: the default. {count}: the number of its puzzles. A column of the list of students has its name. With
    /// one section there is no default.
    #[arg(long, value_name = "TEXT", help_heading = WORDS)]
    pub(crate) section: Option<String>,

    /// The language: en, zh, de, es or fr.
    #[arg(long, value_name = "CODE", help_heading = WORDS, default_value = "en", value_parser = language)]
    pub(crate) language: &'static Language,

    /// Replace a word that is printed: answers=Solutions.
    ///
    /// The words are answers, several, unsolvable, name, date, easy, medium, hard, expert and extreme. `several` and
    /// `unsolvable` stand behind the number of an answer that is one of several, or that a puzzle lacks.
    #[arg(long, value_name = "WORD=TEXT", help_heading = WORDS, value_parser = word)]
    pub(crate) word: Vec<(usize, String)>,

    /// A font for the characters that Noto Sans lacks.
    ///
    /// Chinese characters need one. The first font that has a character prints it. Of a collection, --language zh takes the
    /// font for simplified Chinese.
    #[arg(long, value_name = "FILE", help_heading = WORDS)]
    pub(crate) font: Vec<InputFile>,

    #[command(flatten)]
    pub(crate) run: RunOptions,
}

const LAYOUT: &str = "Layout";
const WORDS: &str = "Texts";

const EXAMPLES: &str = "\
Examples:
  sudoku-batch book puzzles.txt -o book.pdf
      Six puzzles on a page of A4, and the answers at the end.
  sudoku-batch book --difficulty easy:40,medium:60,hard:20 --seed 7 -o book.pdf --title 'Sudoku 7' --title-page
      A book of three sections whose puzzles are made.
  sudoku-batch book puzzles.csv -o book.pdf --paper 6x9in --gutter 10mm --per-page 1 --label '{number} ({difficulty})'
      For a printer: one puzzle on a page, and an inner margin for the binding.
  sudoku-batch book puzzles.txt -o sheet.pdf --large --answers answers.pdf
      Large print, with the answers in a file of their own.
  sudoku-batch book --difficulty medium:4 --per-student class.csv -o 'sheets/{id}.pdf' --name-line --answers key.pdf
      A sheet for each student of a class, and the answers for the teacher.
  sudoku-batch book puzzles.txt -o 书.pdf --language zh --title 数独 --font NotoSansCJK-Regular.ttc
      A book in Chinese.";

/// Puzzles to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) difficulty: Difficulty,
    pub(crate) count: u64,
}

/// The most puzzles of a difficulty.
const MOST: u64 = 1_000_000;

fn level(text: &str) -> Result<Level, String> {
    let wanted = "a difficulty and a number are wanted, such as easy:40";
    let (name, count) = text.trim().split_once(':').ok_or(wanted)?;
    let difficulty = name
        .parse::<Difficulty>()
        .map_err(|error| error.to_string())?;
    let count = number_from::<u64>(1)(count)?;
    if count > MOST {
        return Err(format!("a book has at most {MOST} puzzles of a difficulty"));
    }
    Ok(Level { difficulty, count })
}

fn symmetry() -> impl clap::builder::TypedValueParser<Value = Symmetry> {
    use clap::builder::TypedValueParser;
    let names = Symmetry::ALL.iter().map(|symmetry| symmetry.name());
    crate::driver::listed::ListedName::of(names)
        .map(|name| name.parse().expect("a name of the list"))
}

fn language(text: &str) -> Result<&'static Language, String> {
    let code = text.to_ascii_lowercase();
    let found = LANGUAGES.iter().find(|language| language.code == code);
    let codes = || LANGUAGES.map(|language| language.code).join(", ");
    found.copied().ok_or_else(|| {
        format!(
            "no language is called {text}; there is: {}; --word replaces words",
            codes()
        )
    })
}

/// A word by its place in [`Word::ALL`], and the text for it.
fn word(text: &str) -> Result<(usize, String), String> {
    let names = || Word::ALL.map(|(name, _)| name).join(", ");
    let (name, text) = text.split_once('=').ok_or("WORD=TEXT is wanted")?;
    let place = Word::ALL.iter().position(|(known, _)| *known == name);
    let place = place.ok_or_else(|| format!("no word is called {name}; there is: {}", names()))?;
    Ok((place, text.to_owned()))
}

impl Book {
    /// A word of the book.
    pub(crate) fn word(&self, word: Word) -> &str {
        let replaced = self.word.iter().rev();
        let mut replaced = replaced.filter(|(place, _)| Word::ALL[*place].1 == word);
        match replaced.next() {
            Some((_, text)) => text,
            None => self.language.word(word),
        }
    }
}
