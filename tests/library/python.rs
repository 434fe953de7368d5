//! The package for Python, held against the definitions: the keywords of functions, the columns of answers, docstrings, and
//! the tables of functions on pages. `python/sudoku_batch/_questions.py` says what is written.

use std::{fs, iter};
use sudoku_batch::{
    format::Values,
    questions::{Audience, Column, Definition, Kind, STATS, Setting, all, number, spelled},
};

use crate::{
    regions::{compare, tables, written},
    support::ROOT,
};

const QUESTIONS: &str = "python/sudoku_batch/_questions.py";
const OF_LIBRARY: &str = "src/questions.rs";
const MODULE: &str = "python/sudoku_batch/__init__.py";
const PAGE: &str = "python/README.md";
/// The most columns of a line.
const WIDTH: usize = 120;

/// A file, or nothing: the package on crates.io lacks the other packages of this repository.
fn file(path: &str) -> Option<String> {
    fs::read_to_string(format!("{ROOT}/{path}")).ok()
}

/// A name as Python has it: `up_to` for `up-to`.
fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// The name of the class that a question without words of its own has: `TraceSteps` for `trace-steps`.
fn class(name: &str) -> String {
    let word = |word: &str| format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    name.split('-').map(word).collect()
}

/// A text of help with its settings as Python has them. A type says how a range is given.
fn in_python(text: &str) -> String {
    let text = text.replace(": a number, or A..B", "");
    spelled(&text, |name| format!("``{}``", snake(name)))
}

/// A sentence that begins with a capital letter.
fn sentence(text: &str) -> String {
    let text = in_python(text);
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}

/// The words of a text in lines of at most this width, all but the first after an indent.
fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().unwrap();
        match last.trim().is_empty() || last.len() + word.len() < width {
            true if last.trim().is_empty() => *last += word,
            true => *last += &format!(" {word}"),
            false => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

/// The keywords of a question, but for those of a wish.
fn keywords<'w>(name: &str, wishes: &'w [&str]) -> impl Iterator<Item = &'static Setting> + 'w {
    let settings = tables(name).0.iter();
    let is_keyword = |setting: &&Setting| setting.is_for_calls() && !setting.is_beside();
    let is_hidden = |setting: &&Setting| wishes.contains(&&format!("-{}", snake(setting.name))[..]);
    settings.filter(move |setting| is_keyword(setting) && !is_hidden(setting))
}

/// A whole number with `_` between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && digits.len() > 4 {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// The type of a keyword, and the value that it has if nobody gives one.
fn type_and_value(setting: &Setting) -> [String; 2] {
    let usual = setting.usual;
    let own = match setting.kind {
        Kind::Flag => {
            let value = if usual == "true" { "True" } else { "False" };
            return ["bool", value].map(str::to_owned);
        }
        Kind::Names(_) if !usual.is_empty() => {
            let names: Vec<_> = usual.split(',').map(|name| format!("{name:?}")).collect();
            return ["Sequence[str]".into(), format!("({})", names.join(", "))];
        }
        Kind::Number(_) | Kind::Digit => "int".into(),
        Kind::Rating => "float".into(),
        Kind::Range(..) => "Range".into(),
        Kind::Ratings => "float | Sequence[float | None]".into(),
        Kind::Names(_) | Kind::Techniques | Kind::AnyTechniques => "str | Sequence[str]".into(),
        Kind::Name(names) => {
            let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
            format!("Literal[{}]", names.join(", "))
        }
        _ => "str".to_owned(),
    };
    let value = match setting.kind {
        _ if usual.is_empty() => "None".into(),
        Kind::Number(_) => grouped(number(usual).unwrap()),
        Kind::Rating => usual.to_owned(),
        Kind::Name(_) => return [own, format!("{usual:?}")],
        kind => panic!("{kind:?} has no usual value in Python"),
    };
    [format!("{own} | None"), value]
}

/// The lines of the keywords in a signature.
fn of_keywords(name: &str, wishes: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for setting in keywords(name, wishes) {
        let [kind, value] = type_and_value(setting);
        let line = format!("{}: {kind} = {value},", snake(setting.name));
        match kind
            .strip_prefix("Literal[")
            .filter(|_| line.len() + 4 > WIDTH)
        {
            Some(names) => {
                let (names, rest) = names.split_once(']').unwrap();
                lines.push(format!("{}: Literal[", snake(setting.name)));
                lines.push(format!("    {names}"));
                lines.push(format!("]{rest} = {value},"));
            }
            None => lines.push(line),
        }
    }
    lines
}

/// The settings of a call, by their names.
fn of_settings(name: &str, wishes: &[&str]) -> Vec<String> {
    let names = keywords(name, wishes).map(|setting| snake(setting.name));
    names.map(|name| format!("{name:?}: {name},")).collect()
}

/// A column of an answer in Python.
struct Field {
    name: String,
    about: String,
    /// Whether it belongs to the columns of an answer that is unpacked.
    is_unpacked: bool,
    /// Whether it has no value at all if nobody asks for it.
    may_be_missing: bool,
    is_status: bool,
}

/// Returns true if a setting asks for a column together with many others. Without it they are left out.
fn is_one_of_many(columns: &[Column], column: &Column) -> bool {
    let with_it = columns.iter().filter(|other| other.when == column.when);
    column.when.is_some() && with_it.count() > 8
}

/// The columns of a question with the names of Python.
fn fields(name: &str, wishes: &[&str]) -> Vec<Field> {
    let (settings, columns) = tables(name);
    let several = columns.iter().any(|column| column.values == Values::Record);
    let is_written = |when: Option<&str>| {
        let found = settings.iter().find(|setting| Some(setting.name) == when);
        found.is_some_and(|setting| setting.audience == Audience::Written)
    };
    let mut fields = Vec::new();
    for column in columns.iter().filter(|column| !is_written(column.when)) {
        let is_status = column.values == Values::Status;
        let is_conditional = column.when.or(column.unless).is_some();
        let is_alone = column.values.are_cells() || column.values == Values::Pairs;
        let one_of_many = is_one_of_many(columns, column);
        let own = match column.values {
            Values::Record => ", from 0",
            Values::Status if several => ": a value for each record, and not for each row",
            _ => "",
        };
        let more = (column.values == Values::Bounds).then_some("_more");
        for suffix in iter::once("").chain(more) {
            let of_definition = format!("{}{suffix}", column.name);
            let mut renamed = wishes.iter().filter_map(|wish| wish.split_once('='));
            let renamed = renamed.find(|(name, _)| *name == of_definition);
            let about = match suffix {
                "" => format!("{}{own}", column.about),
                _ => "whether there are more than that".into(),
            };
            let is_left_out = one_of_many
                || is_status && several
                || wishes.contains(&&format!("-{of_definition}")[..]);
            fields.push(Field {
                about: sentence(&about),
                is_unpacked: !is_left_out,
                may_be_missing: one_of_many || is_conditional && is_alone,
                is_status,
                name: renamed.map_or(of_definition.clone(), |(_, name)| name.to_owned()),
            });
        }
    }
    if several && settings.iter().any(|setting| setting.name == "limit") {
        fields.push(Field {
            name: "more".into(),
            about: "Whether the record has more rows than the limit: a value for each record."
                .into(),
            is_unpacked: false,
            may_be_missing: false,
            is_status: false,
        });
    }
    if wishes.contains(&"status") {
        let place = fields.iter().position(|field| field.is_status).unwrap();
        let status = fields.remove(place);
        fields.push(status);
    }
    fields
}

/// The lines of a class for its columns.
fn of_columns(name: &str, wishes: &[&str]) -> Vec<String> {
    let fields = fields(name, wishes);
    let unpacked = fields.iter().filter(|field| field.is_unpacked);
    let names: Vec<_> = unpacked.map(|field| format!("{:?}", field.name)).collect();
    let comma = if names.len() == 1 { "," } else { "" };
    let line = format!("_fields: tuple[str, ...] = ({}{comma})", names.join(", "));
    let mut lines = match line.len() + 4 > WIDTH {
        true => {
            let inner = wrapped(&format!("{},", names.join(", ")), WIDTH - 8, "");
            let inner = inner.iter().map(|line| format!("    {line}"));
            iter::once("_fields: tuple[str, ...] = (".to_owned())
                .chain(inner)
                .chain([")".into()])
                .collect()
        }
        false => vec![line],
    };
    lines.push(String::new());
    for field in fields.iter().filter(|field| !field.is_status) {
        lines.push(format!("#: {}", field.about));
        let value = if field.may_be_missing { " = None" } else { "" };
        lines.push(format!("{}: Any{value}", field.name));
    }
    lines
}

/// A list in a docstring: a head, and a text for each name.
fn list(head: &str, items: impl Iterator<Item = (String, String)>) -> Option<String> {
    let mut text = format!("    {head}\n");
    for (name, about) in items {
        let item = format!("* ``{name}``: {about}");
        for line in wrapped(&item, WIDTH - 4, "  ") {
            text += &format!("\n    {line}");
        }
    }
    text.contains('*').then_some(text)
}

/// The comment for a table of a question, and its wishes.
fn wishes<'t>(file: &'t str, table: &str, name: &str) -> Option<Vec<&'t str>> {
    file.lines().find_map(|line| {
        let mut words = line.trim().strip_prefix("# ")?.split(' ');
        let is_it = words.next() == Some(table) && words.next() == Some(name);
        is_it.then(|| words.collect())
    })
}

const KEYWORDS: &str = "Keywords:";
const COLUMNS: &str = "The answer has:";

/// A file with new lists in the docstrings of functions. They stand before the errors.
fn with_lists(file: &str) -> String {
    let (mut new, mut rest) = (String::new(), file);
    while let Some(found) = rest.find("    # keywords ") {
        let comment = rest[found..].lines().next().unwrap();
        let name = comment.trim().split(' ').nth(2).unwrap();
        let open = found + rest[found..].find("\"\"\"").unwrap() + 3;
        let close = open + rest[open..].find("\"\"\"").unwrap();
        let mut parts = Vec::new();
        let mut old = rest[open..close].split("\n\n").peekable();
        let of_keywords = keywords(name, &wishes(file, "keywords", name).unwrap())
            .map(|setting| (snake(setting.name), in_python(setting.about)))
            .collect::<Vec<_>>();
        while let Some(part) = old.next() {
            let is_list = [KEYWORDS, COLUMNS].contains(&part.trim());
            if is_list {
                old.next_if(|part| part.starts_with("    * "));
                continue;
            }
            if part.starts_with("    Errors:") {
                parts.extend(list(KEYWORDS, of_keywords.clone().into_iter()));
                let columns = wishes(file, "columns", name);
                let fields = columns.map(|wishes| fields(name, &wishes));
                let fields = fields.into_iter().flatten();
                // A function says of many columns with one setting what that setting says.
                let many = tables(name).1;
                let is_listed = |field: &Field| {
                    let mut found = many.iter().filter(|column| column.name == field.name);
                    !found
                        .next()
                        .is_some_and(|column| is_one_of_many(many, column))
                };
                parts.extend(list(
                    COLUMNS,
                    (fields.filter(is_listed)).map(|field| (field.name, field.about)),
                ));
            }
            parts.push(part.to_owned());
        }
        let is_of_errors = |part: &&String| part.starts_with("    Errors:");
        assert_eq!(
            parts.iter().filter(is_of_errors).count(),
            1,
            "{name}: errors"
        );
        new += &rest[..open];
        new += &parts.join("\n\n");
        new += "\"\"\"";
        rest = &rest[close + 3..];
    }
    new + rest
}

/// The class and the function of a question that has none. The words are for a person to better.
fn added(definition: &Definition) -> String {
    let Definition {
        name: of_definition,
        about,
        details,
        ..
    } = *definition;
    let has_beside = definition.settings.iter().any(Setting::is_beside);
    assert!(!has_beside, "{of_definition}: write its function by hand");
    let (name, class) = (snake(of_definition), class(of_definition));
    let base = match definition.has_several_rows() {
        true => "AnswersInRows",
        false => "Answers",
    };
    let details = details.split("\n\n").filter(|part| !part.trim().is_empty());
    let details = details.map(|part| {
        let lines = wrapped(&in_python(part), WIDTH - 4, "    ");
        format!("    {}\n\n", lines.join("\n"))
    });
    let details: String = details.collect();
    format!(
        "\n\nclass {class}({base}):
    \"\"\"What `{name}` returns.\"\"\"

    # columns {of_definition}
    # end


def {name}(
    records: Records,
    *,
    # keywords {of_definition}
    # end
    threads: int | None = None,
) -> {class}:
    \"\"\"{about}.

{details}    Errors: as `solve`.
    \"\"\"
    settings: dict[str, Any] = {{
        # settings {of_definition}
        # end
    }}
    return {class}(*ask(\"{of_definition}\", records, threads, **settings))
"
    )
}

/// The functions and classes of a file.
fn names(file: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("def ").or(line.strip_prefix("class "))?;
        Some(rest[..rest.find('(')?].to_owned())
    };
    let mut names: Vec<_> = file.lines().filter_map(name).collect();
    names.sort();
    names
}

/// A file of Python with all that follows from the definitions.
fn new(file: &str) -> String {
    let (text, _) = written(file, ["# ", ""], |comment| {
        let words: Vec<_> = comment.split(' ').collect();
        Some(match words[..] {
            ["functions", "and", "classes"] => {
                let names = names(file);
                names.iter().map(|name| format!("{name:?},")).collect()
            }
            ["keywords", name, ref wishes @ ..] => of_keywords(name, wishes),
            ["settings", name, ref wishes @ ..] => of_settings(name, wishes),
            ["columns", name, ref wishes @ ..] => of_columns(name, wishes),
            _ => return None,
        })
    });
    with_lists(&text)
}

/// The functions of the questions with all that is missing.
fn questions(old: &str) -> String {
    let is_missing = |definition: &&Definition| wishes(old, "keywords", definition.name).is_none();
    let missing: String = all().filter(is_missing).map(added).collect();
    new(&format!("{old}{missing}"))
}

/// With `SUDOKU_BATCH_PAGES=write` it writes them.
#[test]
fn functions_and_answers_are_those_of_the_definitions() {
    let (Some(old), Some(module)) = (file(QUESTIONS), file(MODULE)) else {
        return;
    };
    let right = questions(&old);
    for definition in all() {
        let name = definition.name;
        let has = |table: &str| wishes(&right, table, name).is_some();
        assert!(has("keywords") && has("settings"), "{name}");
        // The sums of columns are a dict.
        assert_eq!(has("columns"), name != STATS.name, "{name}");
    }
    compare(QUESTIONS, &old, &right);
    compare(MODULE, &module, &new(&module));
}

/// The rows of a table of the functions: the call with its usual values, and the first sentence of the docstring.
fn rows(file: &str) -> Vec<String> {
    let row = |definition: &Definition| {
        let name = definition.name;
        let start = format!("\ndef {}(", snake(name));
        let (_, function) = file.split_once(&start).unwrap_or_else(|| panic!("{name}"));
        let (first, rest) = function.split_once("    *,\n").unwrap();
        let first = first.split(',').filter_map(|parameter| {
            let (name, kind) = parameter.trim().split_once(": ")?;
            let value = kind.split_once(" = ");
            Some(value.map_or(name.to_owned(), |(_, value)| format!("{name}={value}")))
        });
        let wishes = wishes(file, "keywords", name).unwrap();
        let keywords = keywords(name, &wishes).map(|setting| {
            let [_, value] = type_and_value(setting);
            format!("{}={value}", snake(setting.name))
        });
        let call: Vec<_> = first.chain(keywords).collect();
        let (_, docstring) = rest.split_once("\"\"\"").unwrap();
        let about = docstring.split_once(".\n").unwrap().0;
        format!("| `{}({})` | {about} |", snake(name), call.join(", "))
    };
    let head = ["| function | what it does for each record |", "|---|---|"];
    let head = head.into_iter().map(str::to_owned);
    head.chain(all().map(row)).collect()
}

/// The table of the definitions for a Rust user.
fn rows_of_library() -> Vec<String> {
    let row = |definition: &Definition| {
        let name = snake(definition.name).to_uppercase();
        format!("//! | [`{name}`] | {} |", definition.about)
    };
    let head = ["//! | definition | what it does |", "//! |---|---|"];
    let head = head.into_iter().map(str::to_owned);
    head.chain(all().map(row)).collect()
}

/// With `SUDOKU_BATCH_PAGES=write` it writes them.
#[test]
fn tables_of_questions_are_those_of_the_definitions() {
    let of_questions = |comment: &str| comment == "questions";
    if let (Some(page), Some(functions)) = (file(PAGE), file(QUESTIONS)) {
        let made_of = |comment: &str| of_questions(comment).then(|| rows(&functions));
        let (new, tables) = written(&page, ["<!-- ", " -->"], made_of);
        assert_eq!(tables.len(), 1, "{PAGE}");
        compare(PAGE, &page, &new);
    }
    let library = file(OF_LIBRARY).unwrap();
    let made_of = |comment: &str| of_questions(comment).then(rows_of_library);
    let (new, tables) = written(&library, ["//! <!-- ", " -->"], made_of);
    assert_eq!(tables.len(), 1, "{OF_LIBRARY}");
    compare(OF_LIBRARY, &library, &new);
}
