//! The help that the commands of questions have, and no other interface: examples, notes, the meaning of exit status 1
//! and of `--verify`.

/// The help of the command of a question.
#[derive(Debug)]
pub(super) struct CommandHelp {
    /// The name of the question.
    pub(super) question: &'static str,
    /// Examples and notes. They stand after the options.
    pub(super) notes: &'static str,
    /// The meaning of exit status 1.
    pub(super) failure: &'static str,
    /// The effect of `--verify`. It is empty if answers cannot be checked.
    pub(super) verification: &'static str,
}

impl CommandHelp {
    /// The help of the command of a question. A test fails if the table lacks it.
    pub(super) fn of(question: &str) -> &'static Self {
        let found = HELP.iter().find(|help| help.question == question);
        found.unwrap_or(&Self {
            question: "",
            notes: "",
            failure: "some records failed",
            verification: "",
        })
    }
}

/// The questions without such a command: a command with more options asks each of them.
pub(super) const OF_OTHER_COMMANDS: [&str; 12] = [
    "augment",
    "check",
    "dedup",
    "drills",
    "explain",
    "filter",
    "near",
    "score",
    "split",
    "stats",
    "trace",
    "trace-steps",
];

/// The help of all commands of questions.
static HELP: &[CommandHelp] = &[
    CommandHelp {
        question: "solve",
        notes: "\
Examples:
  sudoku-batch solve puzzles.txt -o solved.txt
      Solve a file with all cores.
  sudoku-batch solve --unique puzzles.txt -o solved.txt --rejects bad.tsv
      Take only proper puzzles, and learn what is wrong with the others.
  sudoku-batch solve sudoku.csv -o solved.csv
      Solve a table: each row gets its solution and its status.
  sudoku-batch solve list.txt --columns name=2,rating=3,solution -o list.csv
      From lines with words after the puzzle to a table of some columns.
  sudoku-batch solve train.csv.gz --puzzle-column question --replace -o train.csv.zst
      Name the column of the puzzles, and write into a column solution that is there.
  sudoku-batch solve -q < puzzles.txt | paste -d, puzzles.txt - > pairs.csv
      Work in a pipe: lines out match records in.
  sudoku-batch solve --max-guesses 10000 crawled.txt -o solved.txt
      Bound the time for a single record.
  sudoku-batch solve puzzles.txt -o /dev/null --summary json
      Only count.
  sudoku-batch solve 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
      One puzzle: an argument of 81 cells that names no file.

Reasons why a record is not solved:
  malformed          not 81 cells: the column, and what stood there
  row-duplicate      a digit twice in a row: the digit and the two cells
  column-duplicate   the same in a column
  box-duplicate      the same in a box
  no-solution        no grid fits the clues
  multiple           more than one does (only with --unique)
  gave-up            it needs more guesses than --max-guesses allows
Standard error reports the first ten with their line numbers, and then the number of all.

Do not write to an input file while it is read. If another program does, that is an error, and output
files stay as they were.",
        failure: "some records are not solved",
        verification: "\
Check each record before it is written, by a method that shares no code with the solver.

A solution must be a grid, and have the clues of its own record. This is read from the 81 characters that \
are about to be written, and costs about 20 ns a record. A record without a solution is solved again by the \
other engine, which costs about 1 to 30 µs. The first record that fails ends the command with exit status 2 \
and no output.",
    },
    CommandHelp {
        question: "count",
        notes: "\
Examples:
  sudoku-batch count puzzles.txt
      1, 0, 2 or 1000000+: a number for each line.
  sudoku-batch count --limit 2 puzzles.csv -o counted.csv
      Only distinguish none, one, two and more (2+), in a column behind the others.
  sudoku-batch count --limit 0 sparse.txt --summary json
      All solutions, however many.

Status of a record: unique, multiple, malformed, row-duplicate, column-duplicate, box-duplicate or
no-solution. A malformed record has no number.",
        failure: "some records are malformed",
        verification: "",
    },
    CommandHelp {
        question: "solutions",
        notes: "\
Examples:
  sudoku-batch solutions puzzles.txt
      The solutions of all records, up to 1000 of each.
  sudoku-batch solutions --limit 2 puzzles.txt | cut -f 1 | uniq -d
      The numbers of the puzzles that have more than one solution.
  sudoku-batch solutions --limit 0 few-clues.txt -o all.txt
      All of them, written as they are found: memory stays flat.

The summary gives the number of records that have more solutions than were listed.",
        failure: "some records have no solution, or are malformed",
        verification: "\
Check each solution before it is written.

It must be a grid, have the clues of its own record, and come after the solution before it. This costs about \
20 ns a solution. A record without a solution is solved again by the other engine. The first record that \
fails ends the command with exit status 2 and no output.",
    },
    CommandHelp {
        question: "true-candidates",
        notes: "\
Examples:
  sudoku-batch true-candidates puzzles.txt
      729 characters for each line: the candidates of each cell, in order.
  sudoku-batch true-candidates puzzles.csv -o true.csv
      Columns behind the others: the candidates, their number, the status.
  sudoku-batch true-candidates --format npy puzzles.txt -o true.npy
      An array of n rows and 729 columns: a digit where the candidate is true, otherwise 0.
  sudoku-batch true-candidates puzzles.txt | sudoku-batch convert --format pencilmarks
      Pencil marks to look at.",
        failure: "some records are malformed, or have no solution",
        verification: "",
    },
    CommandHelp {
        question: "candidate-counts",
        notes: "\
Examples:
  sudoku-batch candidate-counts boards.txt
      81 words for each line, with spaces between.
  sudoku-batch candidate-counts --limit 1 boards.csv -o counted.csv
      Only distinguish none, one and more (1+), in a column behind the others.
  sudoku-batch candidate-counts --format npy boards.txt -o counts.npy
      An array of n * 9 * 9 * 9 numbers of 16 bits.

Status of a record: unique, multiple, malformed, row-duplicate, column-duplicate, box-duplicate or
no-solution. A malformed record has no counts.",
        failure: "some records are malformed",
        verification: "",
    },
    CommandHelp {
        question: "rank",
        notes: "\
Examples:
  sudoku-batch generate 1M --seed 7 | sudoku-batch rank --seed 7 | sort -n | uniq -d
      No grid comes twice: no number is printed.
  sudoku-batch rank --in-order grids.txt -o indices.txt
  sudoku-batch rank solved.csv --puzzle-column solution -o numbered.csv
      The table with two more columns, index and status.

The status of a valid grid is `valid`, whether it is known or not. A record that is no grid (not 81
digits, or a digit twice in a row, column or box) is unknown too. Standard error reports the first ten of
them.",
        failure: "some grids have no number",
        verification: "\
Check each number before it is written: make the grid of that number again.

It must be the grid of the record. This costs about 100 ns a record. The first record that fails ends the \
command with exit status 2 and no output.",
    },
    CommandHelp {
        question: "rate",
        notes: "\
Examples:
  sudoku-batch rate puzzles.txt -o ratings.txt
      Rate a file with all cores: a line `puzzle ER/EP/ED` for each record.
  sudoku-batch rate --up-to 4.4 puzzles.txt
      The same without chains: a harder puzzle gets >4.4.
  sudoku-batch rate --difficulty puzzles.csv -o rated.csv
      Add the columns er, ep, ed, beyond, technique, guesses, status and difficulty.
  sudoku-batch rate puzzles.csv --columns Id,er,technique -o ratings.csv
      Only these columns, in this order.
  sudoku-batch rate --counts puzzles.txt -o counts.csv
      Add a column for each technique, with how often it is used.
  sudoku-batch rate --without uniqueness puzzles.txt
      Rate without unique rectangles, unique loops and BUG.
  sudoku-batch rate --rating-format '%g ED=%r/%p/%d' puzzles.txt
      Write lines as lists of the forum have them.
  sudoku-batch rate --te --up-to 1.0 puzzles.txt
      Add the depth of trial and error, without the work of the ratings.
  sudoku-batch rate --explain puzzle.txt
      Print the steps of a solution in words.
  sudoku-batch rate --explain --format jsonl puzzle.txt
      The same for programs: an object for each step.

Techniques and their ratings:
  1.0       last cell of a house
  1.2, 1.5  hidden single in a box, in a row or column
  1.7, 1.9  direct pointing, direct claiming
  2.0       direct hidden pair
  2.3       naked single
  2.5       direct hidden triplet
  2.6, 2.8  pointing, claiming
  3.0-3.4   naked pair, X-wing, hidden pair
  3.6-4.0   naked triplet, swordfish, hidden triplet
  4.2, 4.4  XY-wing, XYZ-wing
  4.5-5.6   unique rectangle, unique loop
  5.0-5.4   naked quad, jellyfish, hidden quad
  5.6-6.2   BUG
  6.2, 7.5  aligned pair exclusion, aligned triplet exclusion
  6.5-7.9   X-cycle, Y-cycle, X-chain, XY-cycle, XY-chain
  7.5-8.4   Nishio
  8.0-8.9   cell and house forcing chains
  8.5-9.9   dynamic forcing chains
  9.0-11.9  dynamic forcing chains +, nested forcing chains level 2 to 5

Difficulties, as in `puzzles --difficulty`:
  easy     ER up to 1.5
  medium   1.7 to 2.5
  hard     2.6 to 3.4
  expert   3.6 to 4.4
  extreme  above 4.4

technique is the hardest step's. beyond is the bound of --up-to where er, ep or ed is missing for it; the
summary counts these records as beyond.
guesses is how many guesses the reference search needs if er is missing.
te is the depth of trial and error: 0 if naked and hidden singles solve the puzzle, or the smallest n such that \
T&E(n) with singles solves it, 1 to 3, or beyond.

Statuses: unique, and for what has no rating: multiple, malformed, row-duplicate, column-duplicate,
box-duplicate, no-solution, and gave-up with --max-work. In lines, such a record gives its status in place of the ratings.",
        failure: "some records are not rated",
        verification: "",
    },
    CommandHelp {
        question: "backdoors",
        notes: "\
Examples:
  sudoku-batch backdoors puzzles.txt
      A line for each: the size, the number of sets, the first set, the status.
  sudoku-batch backdoors puzzles.csv -o sized.csv
      Columns behind the others.
  sudoku-batch backdoors --list puzzles.txt
      All sets of the smallest size.
  sudoku-batch backdoors --up-to 4.4 --most 1 puzzles.txt
      The cells whose digits leave a puzzle without chains.",
        failure: "some records do not have one solution",
        verification: "",
    },
    CommandHelp {
        question: "features",
        notes: "\
In the format `line` the numbers stand in the order of the columns, with tabs between.

Examples:
  sudoku-batch features puzzles.csv -o features.csv
      All columns behind those of the table.
  sudoku-batch features puzzles.txt --columns puzzle,after_singles,candidates_left --format csv
      These alone.
  sudoku-batch features puzzles.txt -o features.npy
      An array for each column.",
        failure: "some records are malformed, or have no solution",
        verification: "",
    },
    CommandHelp {
        question: "canonical",
        notes: "\
Examples:
  sudoku-batch canonical puzzles.txt | sort -u | wc -l
      How many puzzles are different up to symmetry (dedup is faster and keeps the order).
  sudoku-batch canonical --transformation --automorphisms puzzles.txt
      Canonical form, transformation and automorphisms, with tabs between.
  sudoku-batch canonical puzzles.csv -o canonical.csv
      The canonical form in a column behind the others.
  sudoku-batch canonical --minlex several.txt | sort -u
      The canonical form of the forums, for puzzles with any number of solutions.",
        failure: "some records have no canonical form, or are malformed",
        verification: "\
Check each canonical form before it is written.

A canonical form is solved by the other engine, which costs about 1 to 30 µs: it must have one solution, and the \
digits of its record. With --transformation, the transformation is carried out too. A record without one \
is solved again by the other engine. With --minlex or --maxlex it must have the digits of its record, as \
many solutions (none, one or several), and must not be larger (smaller) than the record with its digits named in order. \
The first record that fails ends the command with exit status 2 and no \
output.",
    },
    CommandHelp {
        question: "minimals",
        notes: "\
Every minimal puzzle gives one line: the number of the record, from 1, a tab and the puzzle. In a table a record is \
repeated for each of them, with the columns record, minimal, number, limited and status.

Examples:
  sudoku-batch minimals puzzles.txt
      The minimal puzzles inside all records, up to 1000 of each.
  sudoku-batch minimals --limit 0 27-clues.txt | cut -f 2 | sudoku-batch rate
      All of them, rated.
  sudoku-batch minimals --limit 1 puzzles.txt
      One for each: each clue in reading order goes if it can.

A puzzle with 35 clues has millions of them. The summary gives the number of records that have more than were \
listed.",
        failure: "some records do not have exactly one solution, or are malformed",
        verification: "",
    },
    CommandHelp {
        question: "expand",
        notes: "\
Examples:
  sudoku-batch expand puzzles.txt | sudoku-batch dedup
      Puzzles that are the same up to symmetry and singles count once.",
        failure: "some records are malformed, or have no solution",
        verification: "",
    },
    CommandHelp {
        question: "classes",
        notes: "\
In the format `line`, the output has one line for each record, in the order of the input, with tabs between: band, gangster, \
automorphisms, and the six numbers of the bands from top to bottom and of the stacks from left to right. A record that \
is no solved grid has an empty line.

Examples:
  sudoku-batch classes grids.txt
      Lines such as 79, 23, 1 and 110 245 183 82 195 79.
  sudoku-batch generate 1M --uniform | sudoku-batch classes | cut -f 1 | sort -n | uniq -c
      How often each band is the least of a grid.
  sudoku-batch classes solved.csv --puzzle-column solution -o numbered.csv
      The numbers in columns behind the others.",
        failure: "some records are no solved grids",
        verification: "",
    },
    CommandHelp {
        question: "patterns",
        notes: "\
In the format `line`, the output has one line for each record, in the order of the input: its pattern. A malformed record has \
an empty line.

Examples:
  sudoku-batch patterns puzzles.txt | sort | uniq -c | sort -rn
      How many puzzles have each pattern, the most frequent first.
  sudoku-batch patterns --format csv puzzles.txt -o with-patterns.csv
      A column behind the puzzles.
  sudoku-batch puzzles 100 --pattern \"$(sudoku-batch patterns -q puzzles.txt | head -n 1)\"
      Puzzles with the pattern of the first.",
        failure: "some records are malformed",
        verification: "",
    },
    CommandHelp {
        question: "unavoidable",
        notes: "\
Examples:
  sudoku-batch unavoidable grids.txt
      A line for each: the number of sets, the bound, sets without a common cell, the status.
  sudoku-batch unavoidable --list --most 8 grids.txt
      All sets of up to 8 cells: the smallest first, then in the order of their cells.
  sudoku-batch unavoidable --most 10 solved.csv --puzzle-column solution -o bounds.csv
      Columns behind the others.

Cells stand as r1c2, with + between the cells of a set. The smallest sets have four cells, and none has five.",
        failure: "some records are no solved grids",
        verification: "",
    },
];

#[cfg(test)]
mod tests {
    use super::{super::definitions, *};
    use sudoku_batch::questions::all;

    #[test]
    fn each_question_has_the_help_of_its_command() {
        let mut of_table: Vec<_> = HELP.iter().map(|help| help.question).collect();
        let mut of_commands: Vec<_> = definitions().map(|question| question.name).collect();
        of_table.sort_unstable();
        of_commands.sort_unstable();
        assert_eq!(of_table, of_commands);
        let known: Vec<_> = all().map(|question| question.name).collect();
        for name in OF_OTHER_COMMANDS {
            assert!(known.contains(&name), "{name}");
        }
    }

    #[test]
    fn help_has_verify_where_answers_can_be_checked() {
        for question in definitions() {
            let help = CommandHelp::of(question.name);
            assert!(!help.notes.is_empty() && !help.failure.is_empty());
            let asked = question.with([]).unwrap();
            let can_be_checked = asked.check().is_some();
            assert_eq!(
                !help.verification.is_empty(),
                can_be_checked,
                "{}",
                question.name
            );
        }
    }
}
