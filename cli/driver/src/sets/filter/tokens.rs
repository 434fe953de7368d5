//! The words and signs of a condition, each with its place.

use super::{condition::WrongCondition, decimal::Decimal};

/// A word or a sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word without brackets: a column, or a word of the language.
    Word(String),
    /// A column in brackets.
    Column(String),
    Number(Decimal),
    Text(String),
    Sign(&'static str),
    End,
}

/// A token, and the byte of the expression at which it begins.
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) start: usize,
}

/// The signs. One that is the beginning of another comes behind it.
const SIGNS: [&str; 13] = [
    "==", "!=", "<>", "<=", ">=", "..=", "..", "=", "<", ">", "(", ")", ",",
];

/// Signs of other languages, and what says the same here.
const OTHERS: [(&str, &str); 9] = [
    ("&&", "and"),
    ("||", "or"),
    ("&", "and"),
    ("|", "or"),
    ("!", "not"),
    ("~", "not"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
];

/// The tokens of an expression. The last is its end.
pub(super) fn tokens(expression: &str) -> Result<Vec<Placed>, WrongCondition> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    loop {
        let rest = &expression[at..];
        at += rest.len() - rest.trim_start().len();
        let (token, length) = first(&expression[at..], at)?;
        let is_end = token == Token::End;
        tokens.push(Placed { token, start: at });
        if is_end {
            return Ok(tokens);
        }
        at += length;
    }
}

/// The first token of a text that begins without a space, and its length. `at` is its place in the expression.
fn first(text: &str, at: usize) -> Result<(Token, usize), WrongCondition> {
    let Some(character) = text.chars().next() else {
        return Ok((Token::End, 0));
    };
    if begins_number(text.as_bytes()) {
        return number(text, at);
    }
    if text.starts_with("...") {
        return Err(WrongCondition::new(at, "a range has two dots: 7..8"));
    }
    if let Some(sign) = SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    match character {
        '\'' | '"' => {
            let (inside, length) = quoted(text, character).ok_or_else(|| {
                WrongCondition::new(at, format!("the text has no end: {character} is missing"))
            })?;
            Ok((Token::Text(inside), length))
        }
        '[' => {
            let (name, length) = quoted(text, ']')
                .ok_or_else(|| WrongCondition::new(at, "the name has no end: ] is missing"))?;
            if name.trim().is_empty() {
                return Err(WrongCondition::new(at, "the brackets hold no name"));
            }
            Ok((Token::Column(name), length))
        }
        '`' => Err(WrongCondition::new(
            at,
            "a name with spaces stands in brackets: [my column]",
        )),
        _ if is_of_word(character) => {
            let word = word(text);
            Ok((Token::Word(word.to_owned()), word.len()))
        }
        _ => {
            let other = OTHERS.iter().find(|(sign, _)| text.starts_with(sign));
            Err(WrongCondition::new(
                at,
                match other {
                    Some((sign, word)) => format!("{sign} means nothing here: write {word}"),
                    None => format!("{character:?} means nothing here"),
                },
            ))
        }
    }
}

/// The text between the first character and the last one, which is doubled where it is meant, and the length of all.
fn quoted(text: &str, last: char) -> Option<(String, usize)> {
    let mut inside = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character == last && characters.next_if(|(_, next)| *next == last).is_none() {
            return Some((inside, at + last.len_utf8()));
        }
        inside.push(character);
    }
    None
}

/// Returns true for a character that a name may have without brackets. No letter of any language needs them.
fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '-' | '.')
        || !character.is_ascii() && !character.is_whitespace() && !"≤≥≠".contains(character)
}

/// The word at the start of a text. Two dots are those of a range.
fn word(text: &str) -> &str {
    let end = text.find(|character| !is_of_word(character));
    let word = &text[..end.unwrap_or(text.len())];
    word.split("..").next().unwrap_or(word)
}

/// Returns true if a text begins with a number: a digit, behind a sign or a dot or both.
fn begins_number(text: &[u8]) -> bool {
    let text = match text {
        [b'-' | b'+', rest @ ..] => rest,
        text => text,
    };
    let text = text.strip_prefix(b".").unwrap_or(text);
    text.first().is_some_and(u8::is_ascii_digit)
}

/// The number at the start of a text.
fn number(text: &str, at: usize) -> Result<(Token, usize), WrongCondition> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let mut length = sign + word(&text[sign..]).len();
    // The sign of an exponent: a word has no plus.
    let before = &text[..length];
    if before.ends_with(['e', 'E']) && text[length..].starts_with('+') {
        length += 1 + word(&text[length + 1..]).len();
    }
    let number = &text[..length];
    match Decimal::read(number.as_bytes()) {
        Some(decimal) => Ok((Token::Number(decimal), length)),
        None => Err(WrongCondition::new(
            at,
            format!(
                "{number} is no number; a text stands in quotes, '{number}', and a column whose name begins so \
                 in brackets, [{number}]"
            ),
        )),
    }
}
