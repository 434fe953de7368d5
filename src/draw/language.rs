//! The words of sheets and books, in some languages.

use crate::technique::Difficulty;

/// A word of a sheet or a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The heading over answers.
    Answers,
    /// Behind the label of an answer that is one of several solutions.
    Several,
    /// Behind the label of a puzzle without a solution.
    Unsolvable,
    /// Before the line for a name.
    Name,
    /// Before the line for a date.
    Date,
    /// The first difficulty. The others follow.
    Easy,
    /// A difficulty.
    Medium,
    /// A difficulty.
    Hard,
    /// A difficulty.
    Expert,
    /// A difficulty.
    Extreme,
}

impl Word {
    /// All words, with the names by which users replace them, in order.
    pub const ALL: [(&str, Self); 10] = [
        ("answers", Self::Answers),
        ("several", Self::Several),
        ("unsolvable", Self::Unsolvable),
        ("name", Self::Name),
        ("date", Self::Date),
        ("easy", Self::Easy),
        ("medium", Self::Medium),
        ("hard", Self::Hard),
        ("expert", Self::Expert),
        ("extreme", Self::Extreme),
    ];

    /// The word for a difficulty.
    pub const fn of(difficulty: Difficulty) -> Self {
        match difficulty {
            Difficulty::Easy => Self::Easy,
            Difficulty::Medium => Self::Medium,
            Difficulty::Hard => Self::Hard,
            Difficulty::Expert => Self::Expert,
            Difficulty::Extreme => Self::Extreme,
        }
    }
}

/// The words in a language.
///
/// ```
/// use sudoku_batch::draw::language::{CHINESE, LANGUAGES, Language, Word};
/// assert_eq!(Language::of_title("数独").word(Word::Answers), "答案");
/// assert_eq!(Language::of_title("Monday").word(Word::Answers), "Answers");
/// assert_eq!(LANGUAGES.map(|language| language.code), ["en", "zh", "de", "es", "fr"]);
/// ```
#[derive(Debug)]
pub struct Language {
    /// Its code of two letters (ISO 639).
    pub code: &'static str,
    /// The colon behind a word, with the blank before it if there is one.
    pub colon: &'static str,
    /// The words in the order of [`Word::ALL`].
    words: [&'static str; Word::ALL.len()],
}

/// The languages that there are.
pub static LANGUAGES: [&Language; 5] = [&ENGLISH, &CHINESE, &GERMAN, &SPANISH, &FRENCH];

/// English.
pub static ENGLISH: Language = Language {
    code: "en",
    colon: ":",
    words: [
        "Answers",
        " (one of several solutions)",
        " (no solution)",
        "Name",
        "Date",
        Difficulty::Easy.name(),
        Difficulty::Medium.name(),
        Difficulty::Hard.name(),
        Difficulty::Expert.name(),
        Difficulty::Extreme.name(),
    ],
};

/// Chinese.
pub static CHINESE: Language = Language {
    code: "zh",
    colon: "：",
    words: [
        "答案",
        "（多个解之一）",
        "（无解）",
        "姓名",
        "日期",
        "简单",
        "中等",
        "困难",
        "专家",
        "极难",
    ],
};

static GERMAN: Language = Language {
    code: "de",
    colon: ":",
    words: [
        "Lösungen",
        " (eine von mehreren)",
        " (ohne Lösung)",
        "Name",
        "Datum",
        "leicht",
        "mittel",
        "schwer",
        "sehr schwer",
        "extrem",
    ],
};

static SPANISH: Language = Language {
    code: "es",
    colon: ":",
    words: [
        "Soluciones",
        " (una de varias)",
        " (sin solución)",
        "Nombre",
        "Fecha",
        "fácil",
        "medio",
        "difícil",
        "experto",
        "extremo",
    ],
};

static FRENCH: Language = Language {
    code: "fr",
    colon: " :",
    words: [
        "Solutions",
        " (une parmi plusieurs)",
        " (sans solution)",
        "Nom",
        "Date",
        "facile",
        "moyen",
        "difficile",
        "expert",
        "extrême",
    ],
};

impl Language {
    /// A word.
    pub const fn word(&self, word: Word) -> &'static str {
        self.words[word as usize]
    }

    /// The language of a title: Chinese where it is written in Chinese, else English. Japanese has kana among them.
    pub fn of_title(title: &str) -> &'static Self {
        let has = |range: std::ops::RangeInclusive<char>| title.chars().any(|c| range.contains(&c));
        match has('\u{4e00}'..='\u{9fff}') && !has('\u{3040}'..='\u{30ff}') {
            true => &CHINESE,
            false => &ENGLISH,
        }
    }
}
