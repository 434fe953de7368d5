//! The columns of puzzles and of answers in a table or in objects, by their names and their values.

use super::{array, csv, detect::DetectError, is_cell};
use crate::grid::{AnyPuzzle, CELLS, Candidates, Grid};
use crate::order;
use std::borrow::Cow;

/// Names that data sets use for the column of puzzles, in the order of the search.
pub(super) const PUZZLE_NAMES: [&str; 12] = [
    "puzzle", "puzzles", "quizzes", "quiz", "question", "sudoku", "clues", "problem", "givens",
    "board", "grid", "input",
];

/// Words in the names of columns that hold solutions or answers. A column that has one of the first five as its
/// whole name holds them, whatever its values are. Every interface takes the names from here.
pub(super) const ANSWER_WORDS: [&str; 20] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "sol",
    "solved",
    "final",
    "target",
    "targets",
    "output",
    "outputs",
    "label",
    "labels",
    "result",
    "results",
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "preds",
];

/// The number of words in [`ANSWER_WORDS`] that are names of their own.
pub(super) const ANSWER_NAMES: usize = 5;

/// The first word in [`ANSWER_WORDS`] for what a model says. In a file of answers it comes before a solution.
pub(super) const PREDICTIONS: usize = 15;

/// A column that holds solutions or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerColumn {
    /// Its number, from 0, among all columns.
    pub(super) number: usize,
    /// Its name as it is written.
    pub(super) name: String,
    pub(super) evidence: Evidence,
}

/// The evidence that a column holds answers, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// Its name has a word for answers, with this place in [`ANSWER_WORDS`], and it has grids. A name of one word
    /// comes first.
    NameAndGrids { has_more_words: bool, word: usize },
    /// Most of its values are full grids that agree with the puzzles of their records.
    Solutions,
    /// Most of its values are full grids.
    FullGrids,
    /// Its name is one for answers.
    Name(usize),
}

/// The values of a column, counted by kinds over many records.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// The number of puzzles with blanks.
    pub(super) blanks: usize,
    /// The number of full grids.
    pub(super) full: usize,
    /// The number of values that look like a damaged puzzle with blanks.
    pub(super) damaged: usize,
    /// The number of other texts.
    pub(super) other: usize,
    /// The number of full grids that solve the puzzles of their records.
    pub(super) solutions: usize,
}

impl Seen {
    pub(super) fn add(&mut self, value: &[u8]) {
        let value = value.trim_ascii();
        let of_array = array::cells(value).ok().map(|(cells, _)| cells);
        let value = of_array.as_ref().map_or(value, |cells| cells);
        let is_full = || value.iter().filter(|c| matches!(c, b'1'..=b'9')).count() == CELLS;
        *match is_puzzle(value) {
            true if is_full() => &mut self.full,
            true => &mut self.blanks,
            false if value.is_empty() || value == b"null" => return,
            false if is_damaged(value) && !is_full() => &mut self.damaged,
            false => &mut self.other,
        } += 1;
    }

    /// The rank of a column with this name as the column of the puzzles: the least is taken. Two columns
    /// with equal beginnings have one name, and the last part says that it is in another case.
    pub(super) fn rank(&self, name: &str) -> Option<((u8, usize), bool)> {
        let &Self {
            blanks,
            full,
            damaged,
            ..
        } = self;
        let lowercase = name.trim().to_lowercase();
        let is_known = |word: &str| PUZZLE_NAMES.iter().position(|known| *known == word);
        if let Some(place) = is_known(&lowercase) {
            let kind = match self {
                _ if blanks + damaged > full => 1,
                _ if full > 0 => 3,
                Self { other: 0, .. } => 4,
                _ => 6,
            };
            return Some(((kind, place), PUZZLE_NAMES[place] != name));
        }
        let words = words_of_name(name);
        let is_of_answers = are_of_answers(&words);
        let is_of_puzzles = words.iter().any(|word| is_known(word).is_some());
        let kind = match blanks > full {
            _ if blanks + full == 0 => {
                let is_damaged = damaged > self.other && !is_of_answers;
                return is_damaged.then_some(((6, PUZZLE_NAMES.len()), false));
            }
            has_blanks if is_of_answers => return Some(((7, usize::from(!has_blanks)), false)),
            true if is_of_puzzles => 1,
            true => 2,
            false if is_of_puzzles => 3,
            false => 5,
        };
        Some(((kind, PUZZLE_NAMES.len()), false))
    }
}

/// The column that holds the puzzles, by the names of all columns and what they hold. The list at
/// [`Layout::detect`] says which.
pub(super) fn column_of_puzzles(
    names: &[String],
    seen: &[Seen],
) -> Result<Option<usize>, DetectError> {
    let ranks = names.iter().zip(seen).enumerate();
    let ranks = ranks.filter_map(|(number, (name, seen))| {
        let (rank, is_other_case) = seen.rank(name)?;
        Some((
            rank,
            is_other_case,
            usize::MAX - seen.blanks - seen.full,
            number,
        ))
    });
    let ranks = Vec::from_iter(ranks);
    let Some(&(best, is_other_case, _, number)) = ranks.iter().min() else {
        return Ok(None);
    };
    let mut alike = ranks
        .iter()
        .filter(|(rank, ..)| is_other_case && *rank == best);
    match alike.find(|(.., other)| names[*other] != names[number]) {
        Some(&(.., other)) => Err(DetectError::Alike(
            [number, other].map(|n| names[n].clone()),
        )),
        None => Ok(Some(number)),
    }
}

/// Returns true if one of the words of a name says that a column holds solutions.
pub(super) fn are_of_answers(words: &[String]) -> bool {
    place_of_answers(words).is_some()
}

/// The first place in [`ANSWER_WORDS`] of a word of a name.
pub(super) fn place_of_answers(words: &[String]) -> Option<usize> {
    let mut known = ANSWER_WORDS.iter();
    known.position(|known| words.iter().any(|word| word == known))
}

/// Counts the values of a record that solve its puzzle.
pub(super) fn count_solutions<'v, 's>(
    puzzle: &[u8],
    values: impl Iterator<Item = (Cow<'v, [u8]>, &'s mut Seen)>,
) {
    fn text(value: &[u8]) -> &str {
        str::from_utf8(value.trim_ascii()).unwrap_or_default()
    }
    // Every command looks here at its start: most columns have no grid.
    let mut values = values.filter(|(_, seen)| seen.full > 0).peekable();
    if values.peek().is_none() {
        return;
    }
    let Ok(puzzle) = text(puzzle).parse::<AnyPuzzle>() else {
        return;
    };
    for (value, seen) in values {
        let grid = text(&value).parse::<Grid>();
        seen.solutions += usize::from(grid.is_ok_and(|grid| grid.is_solution_of(&puzzle)));
    }
}

/// The columns that hold answers, by the names of all columns and what they hold: the best evidence first.
pub(super) fn columns_of_answers(
    names: &[String],
    seen: &[Seen],
    puzzle: Option<usize>,
) -> Vec<AnswerColumn> {
    let others = names.iter().zip(seen).enumerate();
    let answers = others.filter_map(|(number, (name, seen))| {
        let words = words_of_name(name.trim());
        let known = place_of_answers(&words);
        let has_grids = seen.full + seen.blanks + seen.damaged > 0;
        let of_name = known.filter(|known| *known < ANSWER_NAMES && words.len() == 1);
        let is_full = seen.full > seen.blanks;
        let evidence = match known {
            _ if Some(number) == puzzle => return None,
            Some(word) if has_grids => Evidence::NameAndGrids {
                has_more_words: words.len() > 1,
                word,
            },
            _ if is_full && 2 * seen.solutions > seen.full => Evidence::Solutions,
            _ if is_full => Evidence::FullGrids,
            _ => Evidence::Name(of_name?),
        };
        Some(AnswerColumn {
            number,
            name: name.clone(),
            evidence,
        })
    });
    let mut answers = Vec::from_iter(answers);
    order::sort_by_key(&mut answers, |column| column.evidence);
    answers
}

/// The words of a name, in lower case: `initialBoard` and `initial_board` have two. The words that are known
/// are of ASCII, so other letters are left as they are.
pub(super) fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lowercase = false;
    for character in name.chars() {
        let is_letter = character.is_ascii_alphanumeric() || !character.is_ascii();
        if !is_letter || character.is_ascii_uppercase() && was_lowercase {
            words.push(String::new());
        }
        was_lowercase = character.is_ascii_lowercase();
        let word = words.last_mut().expect("there is one");
        word.extend(is_letter.then(|| character.to_ascii_lowercase()));
    }
    words
}

/// The number of the name that is this one, or that differs from it in case or in white space
/// around it alone.
pub(super) fn named(names: &[impl AsRef<str>], wanted: &str) -> Result<Option<usize>, DetectError> {
    let names = || names.iter().map(AsRef::as_ref).enumerate();
    if let Some((exact, _)) = names().find(|&(_, name)| name == wanted) {
        return Ok(Some(exact));
    }
    let lowercase = wanted.to_lowercase();
    let mut alike = names().filter(|(_, name)| name.trim().to_lowercase() == lowercase);
    let Some((number, name)) = alike.next() else {
        return Ok(None);
    };
    match alike.find(|&(_, other)| other != name) {
        Some((_, other)) => Err(DetectError::Alike([name, other].map(str::to_owned))),
        None => Ok(Some(number)),
    }
}

/// The number of the column of a table that [`named`] finds. No other column may have its name.
pub(super) fn named_once(names: &[String], wanted: &str) -> Result<Option<usize>, DetectError> {
    let found = named(names, wanted)?;
    let other = found.and_then(|first| {
        let mut later = (first + 1..names.len()).filter(|number| names[*number] == names[first]);
        Some((first, later.next()?))
    });
    match other {
        Some((first, other)) => Err(DetectError::Twice {
            name: names[first].clone(),
            numbers: [first + 1, other + 1],
        }),
        None => Ok(found),
    }
}

/// Returns true if a field is a puzzle.
pub(super) fn is_puzzle(field: &[u8]) -> bool {
    let inside = csv::unquoted(field);
    let is_candidates = || {
        let text = inside.trim_ascii().as_array();
        text.is_some_and(|text| Candidates::from_ascii(text).is_ok())
    };
    field.len() >= CELLS && (csv::loose_cells(field).is_ok() || is_candidates())
}

/// Returns true if a field that is no puzzle must have been one. Times and hashes are shorter, and objects have
/// more other characters.
pub(super) fn is_damaged(field: &[u8]) -> bool {
    field.len() > CELLS / 2 && others_than_cells(field) <= 3
}

/// The number of characters of a field that are no cells.
pub(super) fn others_than_cells(field: &[u8]) -> usize {
    field.iter().filter(|&&c| !is_cell(c)).count()
}

/// Returns true if a field looks like cells, or like a part of them.
pub(super) fn looks_like_cells(field: &[u8]) -> bool {
    /// A name of a column is shorter.
    const LEAST: usize = 20;
    field.len() >= LEAST && 4 * others_than_cells(field) <= field.len()
}
