//! The names of outputs: their endings say the form and the compression.
//!
//! ```text
//!     NAME.csv  .tsv  .jsonl  .ndjson  .npy       the form of the records
//!     NAME.csv.gz  NAME.csv.zst  NAME.gz          the compression, the last ending
//! ```
//!
//! Any other ending says nothing: the output has the form of the input, or that of `--format`. A name that says
//! another thing than an option is an error, and so is the ending of a compression that is not written: who reads
//! the file goes by its name too. (qsv takes the delimiter of an output from its ending in the same way.)

use super::{files::STANDARD, options::OutputForm};
use crate::pipeline::compression::{Format, Packing};
use clap::{ArgMatches, Command, parser::ValueSource};
use std::path::Path;
use sudoku_batch::format::Form;

/// The endings of compressions and archives that are not written, with the program that writes each.
const OTHERS: [(&str, &str); 11] = [
    ("bz2", "bzip2"),
    ("xz", "xz"),
    ("lzma", "xz --format=lzma"),
    ("lz4", "lz4"),
    ("lz", "lzip"),
    ("br", "brotli"),
    ("sz", "snzip"),
    ("z", "compress"),
    ("zip", "zip"),
    ("7z", "7z"),
    ("rar", "rar"),
];

/// The ending of a name, without the dot, and the name without it.
fn ending(name: &str) -> Option<(&str, String)> {
    let (plain, ending) = name.rsplit_once('.')?;
    let file = plain.rsplit(['/', '\\']).next().unwrap_or(plain);
    (!file.is_empty()).then(|| (plain, ending.to_ascii_lowercase()))
}

/// The facts that the name of an output says.
struct Said {
    /// The form of its records.
    form: Option<OutputForm>,
    /// The compression.
    packing: Option<Packing>,
    /// The program that would write it.
    other: Option<&'static str>,
    /// The name without all endings that are known.
    stem: String,
}

impl Said {
    fn by(path: &Path) -> Self {
        let name = path.to_string_lossy();
        let packing = Packing::by_ending(path);
        let last = ending(&name);
        let other = last.as_ref().and_then(|(_, ending)| {
            let other = OTHERS.iter().find(|(known, _)| known == ending);
            other.map(|(_, program)| *program)
        });
        let unpacked = match last {
            Some((plain, _)) if packing.is_some() || other.is_some() => plain,
            _ => &name,
        };
        let (plain, form) = match ending(unpacked) {
            Some((plain, ending)) => (plain, form_of_ending(&ending)),
            None => (unpacked, None),
        };
        let stem = if form.is_some() { plain } else { unpacked };
        Self {
            form,
            packing,
            other,
            stem: stem.to_owned(),
        }
    }
}

fn form_of_ending(ending: &str) -> Option<OutputForm> {
    Some(match ending {
        "csv" => OutputForm::Text(Form::Csv),
        "tsv" => OutputForm::Text(Form::Tsv),
        "jsonl" | "ndjson" => OutputForm::Text(Form::Jsonl),
        "npy" => OutputForm::Npy,
        _ => return None,
    })
}

/// The form that the name of an output asks for.
pub(super) fn form(path: &Path) -> Option<OutputForm> {
    Said::by(path).form
}

/// What is wrong with the name of an output of any kind, named by its option.
pub(super) fn unknown_packing(option: &str, path: &Path) -> Option<String> {
    let (name, said) = (path.display().to_string(), Said::by(path));
    let program = said.other?;
    let (plain, _) = ending(&name)?;
    let endings = Format::ALL.iter().map(|format| format.ending());
    let known: Vec<_> = endings.map(|ending| format!("{plain}.{ending}")).collect();
    Some(format!(
        "{option} {name}: {program} is not written: name it {}, or pack {plain} afterwards",
        known.join(" or ")
    ))
}

/// What is wrong with the name of the output of records, beside the options.
pub(super) fn contradiction(
    command: &Command,
    matches: &ArgMatches,
    output: &Path,
) -> Option<String> {
    let raw = |id: &str| {
        let is_given = matches.try_contains_id(id).is_ok_and(|is_there| is_there)
            && matches.value_source(id) == Some(ValueSource::CommandLine);
        let value = is_given.then(|| matches.get_raw(id)?.next_back());
        value
            .flatten()
            .map(|value| value.to_string_lossy().to_ascii_lowercase())
    };
    let format = command
        .get_arguments()
        .find(|argument| argument.get_id() == "format")?;
    let writes = |form: &str| {
        let mut known = format.get_possible_values().into_iter();
        known.any(|known| known.get_name() == form)
    };
    let (name, said) = (output.display().to_string(), Said::by(output));
    let of_name = said.form.map(OutputForm::name);
    let (asked, compress) = (raw("format"), raw("compress"));
    let packed = said.packing.map(|packing| packing.format());
    let end = packed.map_or(String::new(), |format| format!(".{}", format.ending()));
    if let Some(of_name) = of_name
        && !writes(of_name)
    {
        return Some(format!(
            "--output {name}: this command does not write {of_name}: choose another name, and --format"
        ));
    }
    if let (Some(of_name), Some(asked)) = (of_name, &asked)
        && of_name != asked
    {
        // A form that has an ending of its own is called by it.
        let other = match form_of_ending(asked) {
            Some(_) => format!("the name {}.{asked}{end}", said.stem),
            None => format!("another name, such as {}.txt{end}", said.stem),
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
    if raw("array").is_some() && !is_npy {
        return Some(match of_name.or(asked.as_deref()) {
            Some(form) => format!(
                "--array has no effect: the form is {form}, not npy: name the output {}.npy, or choose columns with \
                 --columns",
                if name == STANDARD { "NAME" } else { &said.stem }
            ),
            None => "--array has no effect without arrays: --output NAME.npy or --format npy writes them, and \
                     --columns chooses columns of other forms"
                .into(),
        });
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
                said.form.map(OutputForm::name),
                packing_of_name,
                &said.stem[..],
            );
            assert_eq!(found, (form, packing, stem), "{name}");
            assert_eq!(said.other, None, "{name}");
        }
        assert_eq!(Said::by(Path::new("x.csv.bz2")).other, Some("bzip2"));
        assert_eq!(Said::by(Path::new("x.XZ")).other, Some("xz"));
    }
}
