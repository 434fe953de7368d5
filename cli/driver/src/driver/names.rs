//! The names of outputs: an ending is a promise of what is in the file.
//!
//! ```text
//!     NAME.csv  .tsv  .jsonl  .ndjson  .npy       the form of the records
//!     NAME.txt                                    text of any form
//!     NAME.html  .svg                             a page, a picture
//!     NAME.csv.gz  NAME.csv.zst  NAME.gz          the compression, the last ending
//! ```
//!
//! [`ENDINGS`] has these, and those of other formats that people know. An ending of the list that the option does not
//! write is an error, and so is a name that says another thing than an option: who reads the file goes by its name. Any
//! other ending promises nothing: the output has the format of the input, or that of `--format`. (qsv takes the delimiter
//! of an output from its ending in the same way.)

use super::options::OutputForm;
use crate::pipeline::compression::{Format, Packing};
use clap::{ArgMatches, Command, parser::ValueSource};
use std::path::Path;
use sudoku_batch::format::Form;

/// The kind of a file by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Text of any format.
    Text,
    /// Records of a format that has an ending of its own.
    Records(OutputForm),
    /// A page of HTML.
    Page,
    /// A picture of SVG.
    Picture,
    /// A format that is not written, by its name.
    Other(&'static str),
    /// A compression or an archive that is not written, by the program that writes it.
    Packed(&'static str),
}

use Content::{Other, Packed, Page, Picture, Records, Text};

const CSV: Content = Records(OutputForm::Text(Form::Csv));
const TSV: Content = Records(OutputForm::Text(Form::Tsv));
const JSONL: Content = Records(OutputForm::Text(Form::Jsonl));
const NPY: Content = Records(OutputForm::Npy);

/// The promise of each ending. The first ending of a content is its usual one. Those of compressions that are written
/// are in [`Packing::by_ending`].
const ENDINGS: [(&str, Content); 77] = [
    ("csv", CSV),
    ("tsv", TSV),
    ("jsonl", JSONL),
    ("ndjson", JSONL),
    ("npy", NPY),
    ("txt", Text),
    ("text", Text),
    ("html", Page),
    ("htm", Page),
    ("svg", Picture),
    // Data.
    ("json", Other("JSON")),
    ("json5", Other("JSON5")),
    ("parquet", Other("Parquet")),
    ("pq", Other("Parquet")),
    ("arrow", Other("Arrow")),
    ("feather", Other("Feather")),
    ("ipc", Other("Arrow")),
    ("orc", Other("ORC")),
    ("avro", Other("Avro")),
    ("npz", Other("npz")),
    ("mat", Other("MATLAB")),
    ("h5", Other("HDF5")),
    ("hdf5", Other("HDF5")),
    ("hdf", Other("HDF")),
    ("pkl", Other("a pickle")),
    ("pickle", Other("a pickle")),
    ("pt", Other("PyTorch")),
    ("pth", Other("PyTorch")),
    ("safetensors", Other("safetensors")),
    ("tfrecord", Other("TFRecord")),
    ("rds", Other("RDS")),
    ("dta", Other("Stata")),
    ("sav", Other("SPSS")),
    ("db", Other("a database")),
    ("sqlite", Other("SQLite")),
    ("sqlite3", Other("SQLite")),
    ("duckdb", Other("DuckDB")),
    ("sql", Other("SQL")),
    ("xml", Other("XML")),
    ("yaml", Other("YAML")),
    ("yml", Other("YAML")),
    ("toml", Other("TOML")),
    // Documents and tables.
    ("xlsx", Other("Excel")),
    ("xls", Other("Excel")),
    ("ods", Other("OpenDocument")),
    ("odt", Other("OpenDocument")),
    ("docx", Other("Word")),
    ("doc", Other("Word")),
    ("rtf", Other("RTF")),
    ("pdf", Other("PDF")),
    ("ps", Other("PostScript")),
    ("eps", Other("PostScript")),
    ("tex", Other("TeX")),
    ("md", Other("Markdown")),
    // Pictures.
    ("svgz", Other("svgz")),
    ("png", Other("PNG")),
    ("jpg", Other("JPEG")),
    ("jpeg", Other("JPEG")),
    ("gif", Other("GIF")),
    ("webp", Other("WebP")),
    ("bmp", Other("BMP")),
    ("tif", Other("TIFF")),
    ("tiff", Other("TIFF")),
    // Compressions and archives.
    ("bz2", Packed("bzip2")),
    ("xz", Packed("xz")),
    ("lzma", Packed("xz --format=lzma")),
    ("lz4", Packed("lz4")),
    ("lz", Packed("lzip")),
    ("br", Packed("brotli")),
    ("sz", Packed("snzip")),
    ("z", Packed("compress")),
    ("zip", Packed("zip")),
    ("7z", Packed("7z")),
    ("rar", Packed("rar")),
    ("tar", Packed("tar")),
    ("tgz", Packed("tar -z")),
    ("txz", Packed("tar -J")),
];

/// The formats of a book.
const BOOK: &[Content] = &[Other("PDF"), Page, Picture];

/// The content that each option writes, where no other option chooses it.
const WRITTEN: [(&str, &[Content]); 9] = [
    ("rejects", &[TSV, Text]),
    ("duplicates", &[TSV, Text]),
    ("report", &[Page]),
    ("html", &[Page]),
    ("svg", &[Picture]),
    ("out", &[Text]),
    ("book", BOOK),
    ("answers", BOOK),
    ("key", &[CSV]),
];

/// The contents that an option of a command writes.
fn written(command: &Command, id: &str) -> Vec<Content> {
    if let Some((_, contents)) = WRITTEN.iter().find(|(known, _)| *known == id) {
        return contents.to_vec();
    }
    // The records go there, or what a command prints. Text is a format of all that choose a format.
    let mut arguments = command.get_arguments();
    let format = arguments.find(|argument| argument.get_id() == "format");
    let values = format.map_or_else(Vec::new, clap::Arg::get_possible_values);
    let forms = ENDINGS.iter().filter(|(_, content)| match content {
        Records(form) => values.iter().any(|value| value.get_name() == form.name()),
        content => *content == Text,
    });
    forms.map(|(_, content)| *content).collect()
}

/// The usual ending of a content.
fn usual_ending(content: Content) -> &'static str {
    let found = ENDINGS.iter().find(|(_, known)| *known == content);
    found.expect("all that is written has an ending").0
}

/// The usual ending of the records of a format.
pub(super) fn ending_of(form: OutputForm) -> &'static str {
    let mut known = ENDINGS.iter().map(|(_, content)| *content);
    let own = known.find(|content| *content == Records(form));
    usual_ending(own.unwrap_or(Text))
}

/// The ending of a name, without the dot, and the name without it.
fn ending(name: &str) -> Option<(&str, String)> {
    let (plain, ending) = name.rsplit_once('.')?;
    let file = plain.rsplit(['/', '\\']).next().unwrap_or(plain);
    (!file.is_empty()).then(|| (plain, ending.to_ascii_lowercase()))
}

/// The facts that the name of an output says.
struct Said {
    /// The contents of the file, or of the file once it is unpacked.
    content: Option<Content>,
    /// The compression.
    packing: Option<Packing>,
    /// The name without all endings that are known.
    stem: String,
}

impl Said {
    fn by(path: &Path) -> Self {
        let name = path.to_string_lossy();
        let packing = Packing::by_ending(path);
        let unpacked = match ending(&name) {
            Some((plain, _)) if packing.is_some() => plain,
            _ => &name,
        };
        let (plain, content) = match ending(unpacked) {
            Some((plain, ending)) => (plain, content_of(&ending)),
            None => (unpacked, None),
        };
        // Text has no format of its own, and its ending stays.
        let is_known = content.is_some_and(|content| content != Text);
        Self {
            content,
            packing,
            stem: if is_known { plain } else { unpacked }.to_owned(),
        }
    }

    /// The format of the records.
    fn form(&self) -> Option<OutputForm> {
        match self.content {
            Some(Records(form)) => Some(form),
            _ => None,
        }
    }
}

fn content_of(ending: &str) -> Option<Content> {
    let known = ENDINGS.iter().find(|(known, _)| *known == ending);
    known.map(|(_, content)| *content)
}

/// The format that the name of an output asks for.
pub(super) fn form(path: &Path) -> Option<OutputForm> {
    Said::by(path).form()
}

/// The contradiction between the name of an output and the options of the command.
pub(super) fn wrong(
    command: &Command,
    matches: &ArgMatches,
    (id, option): (&str, &str),
    path: &Path,
) -> Option<String> {
    let wrong = not_written(command, matches, (id, option), path);
    wrong.or_else(|| match id {
        "output" => contradiction(command, matches, path),
        _ => None,
    })
}

/// The error of an ending that the option does not write.
fn not_written(
    command: &Command,
    matches: &ArgMatches,
    (id, option): (&str, &str),
    path: &Path,
) -> Option<String> {
    let said = Said::by(path);
    let (name, stem) = (path.display(), &said.stem);
    let content = said.content?;
    if let Packed(program) = content {
        let endings = Format::ALL.iter().map(|format| format.ending());
        let known = endings.map(|ending| format!("{stem}.{ending}"));
        return Some(format!(
            "{option} {name}: {program} is not written: name it {}, or pack {stem} afterwards",
            known.collect::<Vec<_>>().join(" or ")
        ));
    }
    let mut written = written(command, id);
    if written.contains(&content) {
        return None;
    }
    let what = match content {
        Text => "plain text",
        Records(OutputForm::Text(Form::Jsonl)) => "JSON lines",
        Records(form) => &form.name().to_uppercase(),
        Page => "HTML",
        Picture => "SVG",
        Other(what) | Packed(what) => what,
    };
    // The format that is asked for leaves one content.
    if id == "output"
        && let Some(asked) = given(matches, "format")
    {
        let asked = match content_of(&asked) {
            Some(content @ Records(_)) => content,
            _ => Text,
        };
        written.retain(|content| *content == asked);
    }
    written.dedup();
    let stem = stem.strip_suffix(".txt").unwrap_or(stem);
    let end = said.packing.map(|packing| packing.format().ending());
    let names = written
        .iter()
        .filter(|content| end.is_none() || **content != NPY);
    let names = names.map(|content| {
        let ending = usual_ending(*content);
        match end {
            Some(end) => format!("{stem}.{ending}.{end}"),
            None => format!("{stem}.{ending}"),
        }
    });
    let names = match names.collect::<Vec<_>>().split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => return None,
    };
    Some(format!(
        "{option} {name}: {what} is not written here: name it {names}"
    ))
}

/// The text of an option that the command line gives, in lower case.
fn given(matches: &ArgMatches, id: &str) -> Option<String> {
    let is_given = matches.try_contains_id(id).is_ok_and(|is_there| is_there)
        && matches.value_source(id) == Some(ValueSource::CommandLine);
    let value = is_given.then(|| matches.get_raw(id)?.next_back()).flatten();
    value.map(|value| value.to_string_lossy().to_ascii_lowercase())
}

/// The error of a name of the output of records that contradicts another option.
fn contradiction(command: &Command, matches: &ArgMatches, output: &Path) -> Option<String> {
    let raw = |id: &str| given(matches, id);
    let mut arguments = command.get_arguments();
    arguments.find(|argument| argument.get_id() == "format")?;
    let (name, said) = (output.display().to_string(), Said::by(output));
    let of_name = said.form().map(OutputForm::name);
    let (asked, compress) = (raw("format"), raw("compress"));
    let packed = said.packing.map(|packing| packing.format());
    let end = packed.map_or(String::new(), |format| format!(".{}", format.ending()));
    let is_binary = asked.as_deref() == Some(OutputForm::Npy.name());
    if let Some(asked) = &asked
        && (of_name.is_some_and(|of_name| of_name != asked)
            || said.content == Some(Text) && is_binary)
    {
        let stem = said.stem.strip_suffix(".txt").unwrap_or(&said.stem);
        // A format that has an ending of its own is called by it.
        let other = match content_of(asked) {
            Some(Records(_)) => format!("the name {stem}.{asked}{end}"),
            _ => format!("another name, such as {stem}.txt{end}"),
        };
        return Some(format!(
            "--format {asked} contradicts the name {name}: leave --format out, or choose {other}"
        ));
    }
    let is_npy = of_name.or(asked.as_deref()) == Some("npy");
    if is_npy && let Some(format) = packed {
        return Some(format!(
            "--output {name}: arrays are neither compressed nor a pipe, because their heads are written last: \
             leave out .{}",
            format.ending()
        ));
    }
    if let (Some(packed), Some(compress)) = (packed, &compress)
        && compress.split(':').next() != Some(packed.name())
    {
        return Some(format!(
            "--compress {compress} contradicts the name {name}, which is for {packed}: choose another name, or leave \
             --compress out"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_say_the_form_and_the_compression() {
        for (name, form, packing, stem) in [
            ("x.csv", Some("csv"), None, "x"),
            ("a.b/x.CSV", Some("csv"), None, "a.b/x"),
            ("x.tsv.gz", Some("tsv"), Some("gzip"), "x"),
            ("x.jsonl.zst", Some("jsonl"), Some("zstd"), "x"),
            ("x.ndjson", Some("jsonl"), None, "x"),
            ("x.npy", Some("npy"), None, "x"),
            ("x.GZ", None, Some("gzip"), "x"),
            ("x.txt", None, None, "x.txt"),
            ("a.csv/x", None, None, "a.csv/x"),
            (".csv", None, None, ".csv"),
            ("a/.gz", None, None, "a/.gz"),
            ("csv", None, None, "csv"),
            ("-", None, None, "-"),
        ] {
            let said = Said::by(Path::new(name));
            let packing_of_name = said.packing.map(|packing| packing.format().name());
            let found = (
                said.form().map(OutputForm::name),
                packing_of_name,
                &said.stem[..],
            );
            assert_eq!(found, (form, packing, stem), "{name}");
        }
        for (name, content) in [
            ("x.csv.bz2", Packed("bzip2")),
            ("x.XZ", Packed("xz")),
            ("x.JSON.gz", Other("JSON")),
            ("x.txt", Text),
        ] {
            assert_eq!(Said::by(Path::new(name)).content, Some(content), "{name}");
        }
        for name in ["x", "x.sdm", "x.csv.bak", "a.json/x", ".json", "x.1", "-"] {
            assert_eq!(Said::by(Path::new(name)).content, None, "{name}");
        }
    }

    #[test]
    fn each_ending_stands_once_and_none_is_that_of_a_compression() {
        for (n, (ending, _)) in ENDINGS.iter().enumerate() {
            assert!(ENDINGS[..n].iter().all(|(other, _)| other != ending));
            let name = format!("x.{ending}");
            assert!(Packing::by_ending(Path::new(&name)).is_none(), "{ending}");
            assert_eq!(*ending, ending.to_ascii_lowercase());
        }
    }
}
