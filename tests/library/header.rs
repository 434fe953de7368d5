//! The header for C, held against the sources without the tool that makes it; and its use in docs/c.md and
//! capi/examples/README.md.

use std::{collections::BTreeMap, fs};

use crate::support::ROOT;

fn read(path: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The package on crates.io lacks the other packages of this repository.
fn is_here() -> bool {
    fs::exists(format!("{ROOT}/capi")).unwrap()
}

/// The sources of the border, without comments.
fn sources() -> String {
    let files = [
        "border/calls",
        "border/tables",
        "border/guard",
        "failure",
        "listing",
    ];
    let texts = files.map(|file| read(&format!("capi/src/{file}.rs")));
    let lines = texts.iter().flat_map(|text| text.lines());
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// The header without comments.
fn header() -> String {
    let text = read("capi/include/sudoku_batch.h");
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// A type of Rust as C has it.
fn in_c(rust: &str) -> String {
    let rust = rust.trim();
    for (pointer, c) in [("*mut ", ""), ("*const ", "const ")] {
        if let Some(to) = rust.strip_prefix(pointer) {
            return if to.starts_with('*') && !c.is_empty() {
                format!("{}const*", in_c(to))
            } else {
                format!("{c}{}*", in_c(to))
            };
        }
    }
    let c = match rust {
        "()" => "void",
        "u8" => "uint8_t",
        "u32" => "uint32_t",
        "i32" => "int32_t",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        "usize" => "size_t",
        "c_int" => "int",
        "c_char" => "char",
        "c_void" => "void",
        "Engine" => "sudoku_batch_engine",
        "Table" => "sudoku_batch_table",
        "Column" => "sudoku_batch_column",
        "Error" => "sudoku_batch_error",
        "ArrowSchema" => "struct ArrowSchema",
        "ArrowArray" => "struct ArrowArray",
        other => panic!("{other} has no type of C here"),
    };
    c.to_owned()
}

/// A type without spaces.
fn squeezed(of: &str) -> String {
    of.split_whitespace().collect()
}

/// A declaration of C, `const char *name`: its type without spaces, and its name.
fn declared(text: &str) -> (String, String) {
    let text = text.trim();
    let start = text.rfind([' ', '*']).map_or(0, |at| at + 1);
    (squeezed(&text[..start]), text[start..].to_owned())
}

/// A function: the type that it gives, and the types and names of its arguments.
type Function = (String, Vec<(String, String)>);

/// The functions of the sources, as C should have them.
fn of_sources() -> BTreeMap<String, Function> {
    let text = sources();
    let parts = text.split("extern \"C\" fn ").skip(1);
    let parts = parts.map(|part| {
        let (name, rest) = part.split_once('(').unwrap();
        let (arguments, rest) = rest.split_once(')').unwrap();
        let gives = rest.split('{').next().unwrap().trim();
        let gives = squeezed(&in_c(gives.strip_prefix("->").unwrap_or("()")));
        let arguments = arguments
            .split(',')
            .map(str::trim)
            .filter(|argument| !argument.is_empty());
        let arguments = arguments.map(|argument| {
            let (name, of) = argument.split_once(':').unwrap();
            (squeezed(&in_c(of)), name.to_owned())
        });
        (name.to_owned(), (gives, arguments.collect()))
    });
    parts.collect()
}

/// The functions of the header.
fn of_header() -> BTreeMap<String, Function> {
    let text = header();
    let (_, text) = text.rsplit_once("extern \"C\" {").unwrap();
    let parts = text
        .split(';')
        .filter(|part| part.contains("sudoku_batch_"));
    let parts = parts.map(|part| {
        let (head, arguments) = part.split_once('(').unwrap();
        let head = head.lines().last().unwrap();
        let (gives, name) = declared(head);
        let arguments = arguments.trim().trim_end_matches(')').split(',');
        let arguments = arguments.filter(|argument| argument.trim() != "void");
        (name, (gives, arguments.map(declared).collect()))
    });
    parts.collect()
}

#[test]
fn the_header_has_the_functions_of_the_sources() {
    if !is_here() {
        return;
    }
    let (header, sources) = (of_header(), of_sources());
    assert!(sources.len() > 15, "functions not found");
    assert_eq!(header, sources, "run scripts/capi.sh header");
}

#[test]
fn the_header_has_the_numbers_and_members_of_the_sources() {
    if !is_here() {
        return;
    }
    let (header, sources) = (header(), sources());
    let numbers = |text: &str, begins: &str, between: &str| -> BTreeMap<String, String> {
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix(begins));
        let lines = lines.filter(|line| line.starts_with("SUDOKU_BATCH_"));
        let pairs = lines.filter_map(|line| {
            let (name, value) = line.split_once(between)?;
            let name = name.split(':').next().unwrap();
            Some((name.to_owned(), value.trim_end_matches(';').to_owned()))
        });
        pairs.collect()
    };
    let of_sources = numbers(&sources, "pub const ", " = ");
    assert!(of_sources.len() > 15, "numbers not found");
    assert_eq!(
        numbers(&header, "#define ", " "),
        of_sources,
        "run scripts/capi.sh header"
    );
    for (rust, c) in [
        ("Column", "sudoku_batch_column"),
        ("Error", "sudoku_batch_error"),
    ] {
        let (_, body) = sources
            .split_once(&format!("pub struct {rust} {{"))
            .unwrap();
        let members = body.split('}').next().unwrap().lines();
        let members = members.filter_map(|line| line.trim().strip_prefix("pub "));
        let members: Vec<_> = members
            .map(|member| {
                let (name, of) = member.trim_end_matches(',').split_once(": ").unwrap();
                match of.strip_prefix('[').and_then(|of| of.strip_suffix(']')) {
                    Some(array) => {
                        let (of, length) = array.split_once("; ").unwrap();
                        (in_c(of), format!("{name}[{length}]"))
                    }
                    None => (squeezed(&in_c(of)), name.to_owned()),
                }
            })
            .collect();
        let (body, _) = header.split_once(&format!("}} {c};")).unwrap();
        let (_, body) = body.rsplit_once('{').unwrap();
        let of_header = body.split(';').filter(|member| !member.trim().is_empty());
        let of_header: Vec<_> = of_header.map(declared).collect();
        assert_eq!(of_header, members, "{c}");
    }
}

/// The pages for C and for the languages that call it.
fn pages() -> String {
    format!("{}\n{}", read("docs/c.md"), read("capi/examples/README.md"))
}

/// The blocks of a language on both pages.
fn blocks(language: &str) -> Vec<String> {
    let page = pages();
    let fence = format!("\n```{language}\n");
    let blocks = page.split(&fence).skip(1);
    blocks
        .map(|block| block.split("\n```").next().unwrap().to_owned())
        .collect()
}

/// `scripts/check_capi.sh` compiles and runs the examples.
#[test]
fn the_page_shows_the_examples() {
    if !is_here() {
        return;
    }
    for (language, example) in [("c", "app.c"), ("cpp", "app.cpp"), ("go", "go/main.go")] {
        let (blocks, example) = (blocks(language), read(&format!("capi/examples/{example}")));
        assert!(!blocks.is_empty(), "{language}");
        for block in blocks {
            assert!(example.contains(&block), "no example has this:\n{block}");
        }
    }
}

/// A type of C, as Java's `ValueLayout` and C# have it.
fn elsewhere(c: &str, language: &str) -> &'static str {
    match (c, language) {
        ("int", "java") => "JAVA_INT",
        ("int", _) => "int",
        ("size_t" | "uint64_t", "java") => "JAVA_LONG",
        ("size_t", _) => "nuint",
        ("uint64_t", _) => "ulong",
        (pointer, "java") if pointer.ends_with('*') => "ADDRESS",
        (pointer, _) if pointer.ends_with("**") => "nint*",
        (pointer, _) if pointer.contains("error") => "Error*",
        (pointer, _) if pointer.contains("char") || pointer.contains("uint8_t") => "byte*",
        (pointer, _) if pointer.ends_with('*') => "nint",
        ("void", _) => "void",
        other => panic!("{other:?} has no type here"),
    }
}

#[test]
fn the_declarations_of_the_page_have_the_types_of_the_header() {
    if !is_here() {
        return;
    }
    let header = of_header();
    let [java, csharp] = ["java", "csharp"].map(|language| blocks(language).concat());
    let mut seen = 0;
    for part in java.split("function(\"").skip(1) {
        let (name, rest) = part.split_once('"').unwrap();
        let (gives, arguments) = &header[name];
        let (kind, rest) = rest
            .split_once("FunctionDescriptor.")
            .unwrap()
            .1
            .split_once('(')
            .unwrap();
        let given = rest.split(')').next().unwrap().split(',').map(str::trim);
        let mut expected: Vec<_> = arguments
            .iter()
            .map(|of| elsewhere(&of.0, "java"))
            .collect();
        if gives == "void" {
            assert_eq!(kind, "ofVoid", "{name}");
        } else {
            assert_eq!(kind, "of", "{name}");
            expected.insert(0, elsewhere(gives, "java"));
        }
        assert_eq!(given.collect::<Vec<_>>(), expected, "{name}");
        seen += 1;
    }
    for part in csharp.split("static extern ").skip(1) {
        let (head, rest) = part.split_once('(').unwrap();
        let (gives, name) = head.split_once(' ').unwrap();
        let (of_header, arguments) = &header[name];
        assert_eq!(elsewhere(of_header, "csharp"), gives, "{name}");
        let given = rest.split(')').next().unwrap().split(',');
        let given: Vec<_> = given
            .map(|argument| argument.trim().split_once(' ').unwrap())
            .collect();
        let expected: Vec<_> = arguments
            .iter()
            .map(|(of, name)| (elsewhere(of, "csharp"), &name[..]))
            .collect();
        assert_eq!(given, expected, "{name}");
        seen += 1;
    }
    assert!(seen > 10, "declarations not found");
    // The room for a message.
    let message = "508";
    assert!(header_has_message_of(message) && java.contains(message) && csharp.contains(message));
}

fn header_has_message_of(bytes: &str) -> bool {
    header().contains(&format!("#define SUDOKU_BATCH_MESSAGE {bytes}\n"))
}

/// Each function that the page names is one of the header, and the page names all that give a code.
#[test]
fn the_page_names_functions_of_the_header() {
    if !is_here() {
        return;
    }
    let (page, header) = (pages(), of_header());
    let words = page.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let types = ["engine", "table", "column", "error"].map(|name| format!("sudoku_batch_{name}"));
    let named: Vec<_> = words
        .filter(|word| word.starts_with("sudoku_batch_") && !types.contains(&(*word).to_owned()))
        .collect();
    assert!(named.len() > 20, "names not found");
    for name in &named {
        assert!(header.contains_key(*name), "{name}");
    }
    for (name, (gives, _)) in &header {
        assert!(
            gives != "int" || named.contains(&&name[..]),
            "the page lacks {name}"
        );
    }
}
