//! Conditions on the columns of the input: `rating >= 7 and (clues < 25 or source is missing)`.
//!
//! ```text
//!     any     = all { "or" all }
//!     all     = one { "and" one }
//!     one     = "not" one | "(" any ")" | test
//!     test    = COLUMN ( ("=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=") value
//!                      | [ "not" ] "in" ( range | "(" range { "," range } ")" )
//!                      | "is" ( "missing" | "present" ) )
//!     range   = value | value ".." value | value ".." | ".." value
//!     value   = NUMBER | TEXT
//! ```
//!
//! A test has two results. A comparison with a value that is missing, and one of a number with a text that is no number,
//! is false, whatever its sign: `!=` too. `not` is true where what it stands before is false. (SQL has a third result,
//! which `not` leaves as it is. Few who write a condition know it.)

use super::{
    decimal::Decimal,
    tokens::{Placed, Token, tokens},
};
use std::{borrow::Cow, cell::OnceCell, cmp::Ordering, str::FromStr};

/// A condition that a record may fulfil by its columns.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// The names of the columns, each once.
    columns: Vec<String>,
    whole: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    /// A test of a column, by its number.
    Test(usize, Test),
}

#[derive(Clone, Debug)]
enum Test {
    Missing,
    Present,
    Comparison(Comparison, Literal),
    /// The value is in one of the ranges.
    In(Vec<Range>),
    /// It is in none, and can be compared with all.
    NotIn(Vec<Range>),
}

#[derive(Clone, Copy, Debug)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A value of the expression. It decides how a column is compared with it.
#[derive(Clone, Debug, PartialEq)]
enum Literal {
    Number(Decimal),
    Text(String),
}

/// A range with both ends. One value is both.
#[derive(Clone, Debug)]
struct Range {
    from: Option<Literal>,
    to: Option<Literal>,
}

/// The fault of an expression, and the byte at which it is.
#[derive(Debug)]
pub(super) struct WrongCondition {
    at: usize,
    what: String,
}

impl Condition {
    /// The names of the columns.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns true if a record fulfils it, whose columns have these values. Each is read when it is asked for, and once.
    pub(super) fn holds<'r>(&self, value: impl Fn(usize) -> Option<Cow<'r, [u8]>>) -> bool {
        let values: Vec<_> = self.columns.iter().map(|_| OnceCell::new()).collect();
        self.whole.holds(&|column| {
            let value = values[column].get_or_init(|| value(column)).as_deref();
            // An empty or blank value says nothing.
            value.filter(|value| !value.trim_ascii().is_empty())
        })
    }
}

impl Node {
    fn holds<'r>(&self, value: &dyn Fn(usize) -> Option<&'r [u8]>) -> bool {
        match self {
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(value)),
            Self::All(nodes) => nodes.iter().all(|node| node.holds(value)),
            Self::Not(node) => !node.holds(value),
            Self::Test(column, test) => test.holds(value(*column)),
        }
    }
}

impl Test {
    fn holds(&self, value: Option<&[u8]>) -> bool {
        let Some(value) = value else {
            return matches!(self, Self::Missing);
        };
        match self {
            Self::Missing => false,
            Self::Present => true,
            Self::Comparison(comparison, literal) => {
                let order = literal.order_of(value);
                order.is_some_and(|order| comparison.is_true_of(order))
            }
            Self::In(ranges) => ranges.iter().any(|range| range.has(value) == Some(true)),
            Self::NotIn(ranges) => ranges.iter().all(|range| range.has(value) == Some(false)),
        }
    }
}

impl Comparison {
    /// The comparison that a sign stands for.
    fn of(sign: &str) -> Option<Self> {
        Some(match sign {
            "=" | "==" => Self::Equal,
            "!=" | "<>" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    fn is_true_of(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl Literal {
    /// The order of a value of a column and this one, if they can be compared.
    fn order_of(&self, value: &[u8]) -> Option<Ordering> {
        match self {
            Self::Number(number) => Some(Decimal::read(value)?.cmp(number)),
            // The bytes of UTF-8 have the order of the characters.
            Self::Text(text) => Some(value.cmp(text.as_bytes())),
        }
    }
}

impl Range {
    /// Whether the range has a value of a column, if they can be compared.
    fn has(&self, value: &[u8]) -> Option<bool> {
        let is_over = match &self.from {
            Some(from) => from.order_of(value)?.is_ge(),
            None => true,
        };
        let is_under = match &self.to {
            Some(to) => to.order_of(value)?.is_le(),
            None => true,
        };
        Some(is_over && is_under)
    }
}

impl FromStr for Condition {
    type Err = String;

    /// # Errors
    ///
    /// The fault, with the expression on a line of its own, and a mark below the place.
    fn from_str(expression: &str) -> Result<Self, String> {
        let read = |expression| {
            let mut parser = Parser {
                tokens: tokens(expression)?,
                at: 0,
                depth: 0,
                columns: Vec::new(),
            };
            let whole = parser.any()?;
            parser.end()?;
            Ok(Self {
                columns: parser.columns,
                whole,
            })
        };
        read(expression).map_err(|wrong: WrongCondition| wrong.shown(expression))
    }
}

impl WrongCondition {
    pub(super) fn new(at: usize, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { at, what }
    }

    /// The error as it is printed.
    fn shown(&self, expression: &str) -> String {
        /// The most characters that are shown on each side of the place, so that a line of a terminal holds them.
        const SHOWN: usize = 36;
        let (before, after) = expression.split_at(self.at);
        let count = before.chars().count();
        let is_cut = count > SHOWN;
        let mut line = String::from(if is_cut { "…" } else { "" });
        line.extend(before.chars().skip(count.saturating_sub(SHOWN)));
        let column = line.chars().count();
        line.extend(after.chars().take(SHOWN));
        if after.chars().nth(SHOWN).is_some() {
            line.push('…');
        }
        // A tab or a line feed is one character wide here.
        let line = line.replace(char::is_control, " ");
        let (what, place) = (&self.what, count + 1);
        format!("character {place}: {what}\n\n  {line}\n  {:column$}^", "")
    }
}

/// The number of brackets and of `not` that may stand within each other: each takes a part of the stack.
const DEEPEST: usize = 200;

/// A parser by recursive descent.
struct Parser {
    tokens: Vec<Placed>,
    /// The number of the next token.
    at: usize,
    depth: usize,
    columns: Vec<String>,
}

impl Parser {
    fn next(&self) -> &Token {
        &self.tokens[self.at].token
    }

    /// Takes a token. The end stays.
    fn take(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Takes a word of the language, in any case, if it is next.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.next(), Token::Word(next) if next.eq_ignore_ascii_case(word));
        if is_next {
            self.take();
        }
        is_next
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.next(), Token::Sign(next) if *next == sign);
        if is_next {
            self.take();
        }
        is_next
    }

    /// The error of the next token.
    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, WrongCondition> {
        Err(WrongCondition::new(self.tokens[self.at].start, what))
    }

    fn any(&mut self) -> Result<Node, WrongCondition> {
        self.joined("or", Self::all, Node::Any)
    }

    fn all(&mut self) -> Result<Node, WrongCondition> {
        self.joined("and", Self::one, Node::All)
    }

    /// Parts with a word between them. A single one is itself the node.
    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Node, WrongCondition>,
        join: fn(Vec<Node>) -> Node,
    ) -> Result<Node, WrongCondition> {
        let mut nodes = vec![part(self)?];
        while self.takes_word(word) {
            nodes.push(part(self)?);
        }
        Ok(match nodes.len() {
            1 => nodes.remove(0),
            _ => join(nodes),
        })
    }

    fn one(&mut self) -> Result<Node, WrongCondition> {
        if self.depth == DEEPEST {
            return self.wrong(format!(
                "brackets and words not are nested more than {DEEPEST} deep here"
            ));
        }
        self.depth += 1;
        let node = if self.takes_word("not") {
            Node::Not(Box::new(self.one()?))
        } else if self.takes_sign("(") {
            let node = self.any()?;
            if !self.takes_sign(")") {
                return self.unfinished("and, or or a closing bracket is wanted");
            }
            node
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(node)
    }

    /// The end of the expression.
    fn end(&self) -> Result<(), WrongCondition> {
        match self.next() {
            Token::End => Ok(()),
            Token::Sign(")") => self.wrong("no bracket is open here"),
            _ => self.unfinished("and, or or the end is wanted"),
        }
    }

    /// The error of something behind a test that is whole.
    fn unfinished<T>(&self, wanted: &str) -> Result<T, WrongCondition> {
        match self.next() {
            Token::Sign(",") => self.wrong("several values stand in brackets: clues in (22, 24)"),
            Token::Sign(sign) if Comparison::of(sign).is_some() => self.wrong(
                "a test has one comparison: A <= x and x <= B is two, and x in A..B is a range",
            ),
            _ => self.wrong(wanted),
        }
    }

    fn test(&mut self) -> Result<Node, WrongCondition> {
        let column = self.column()?;
        let test = if self.takes_word("is") {
            if self.takes_word("missing") {
                Test::Missing
            } else if self.takes_word("present") {
                Test::Present
            } else {
                return self.wrong("missing or present is wanted behind is");
            }
        } else if self.takes_word("in") {
            Test::In(self.ranges()?)
        } else if self.takes_word("not") {
            if !self.takes_word("in") {
                return self.wrong("in is wanted behind not");
            }
            Test::NotIn(self.ranges()?)
        } else if let Token::Sign(sign) = *self.next()
            && let Some(comparison) = Comparison::of(sign)
        {
            self.take();
            Test::Comparison(comparison, self.literal()?)
        } else {
            return self.wrong(format!(
                "a comparison such as = or >=, in, or is missing is wanted behind {}",
                self.columns[column]
            ));
        };
        Ok(Node::Test(column, test))
    }

    /// The number of the column that is next.
    fn column(&mut self) -> Result<usize, WrongCondition> {
        const RESERVED: [&str; 4] = ["and", "or", "not", "in"];
        let name = match self.next() {
            Token::Column(name) => name.clone(),
            Token::Word(word)
                if !RESERVED
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known)) =>
            {
                word.clone()
            }
            Token::Word(word) => {
                return self.wrong(format!(
                    "a column is wanted; one that is called {word} stands in brackets: [{word}]"
                ));
            }
            Token::Number(_) => {
                return self.wrong("a column is wanted, and the number behind it: rating >= 7");
            }
            Token::Text(text) => {
                return self.wrong(format!(
                    "a column is wanted; its name stands in brackets and not in quotes: [{text}]"
                ));
            }
            Token::Sign(_) | Token::End => return self.wrong("a column is wanted"),
        };
        self.take();
        let known = self.columns.iter().position(|known| *known == name);
        Ok(known.unwrap_or_else(|| {
            self.columns.push(name);
            self.columns.len() - 1
        }))
    }

    fn literal(&mut self) -> Result<Literal, WrongCondition> {
        let literal = match self.next() {
            Token::Number(number) => Literal::Number(number.clone()),
            Token::Text(text) => Literal::Text(text.clone()),
            Token::Word(word) => {
                return self.wrong(format!(
                    "a number or a text is wanted, and a text stands in quotes: '{word}'"
                ));
            }
            Token::Column(_) => {
                return self.wrong(
                    "a number or a text is wanted: columns are not compared with each other",
                );
            }
            Token::Sign(_) | Token::End => {
                return self.wrong("a number, or a text in quotes, is wanted");
            }
        };
        self.take();
        Ok(literal)
    }

    /// A range, or several in brackets with commas between.
    fn ranges(&mut self) -> Result<Vec<Range>, WrongCondition> {
        if !self.takes_sign("(") {
            return Ok(vec![self.range()?]);
        }
        let mut ranges = vec![self.range()?];
        while self.takes_sign(",") {
            ranges.push(self.range()?);
        }
        if !self.takes_sign(")") {
            return self.wrong("a comma or a closing bracket is wanted");
        }
        Ok(ranges)
    }

    fn range(&mut self) -> Result<Range, WrongCondition> {
        let start = self.at;
        let from = match self.next() {
            Token::Sign(".." | "..=") => None,
            _ => Some(self.literal()?),
        };
        // Rust writes a range with its last value so, and other options read it too.
        if !self.takes_sign("..") && !self.takes_sign("..=") {
            return Ok(Range {
                to: from.clone(),
                from,
            });
        }
        let is_open = match self.next() {
            Token::Sign(_) | Token::End => true,
            Token::Word(word) => ["and", "or"]
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known)),
            _ => false,
        };
        let to = if is_open { None } else { Some(self.literal()?) };
        let place = &self.tokens[start];
        let wrong = |what: &str| Err(WrongCondition::new(place.start, what));
        match (&from, &to) {
            (None, None) => wrong("a range has one end or two"),
            (Some(Literal::Number(from)), Some(Literal::Number(to))) if from > to => {
                wrong("the smaller end of a range comes first")
            }
            (Some(Literal::Text(from)), Some(Literal::Text(to))) if from > to => {
                wrong("the smaller end of a range comes first")
            }
            (Some(Literal::Number(_)), Some(Literal::Text(_)))
            | (Some(Literal::Text(_)), Some(Literal::Number(_))) => {
                wrong("the ends of a range are two numbers or two texts")
            }
            _ => Ok(Range { from, to }),
        }
    }
}
