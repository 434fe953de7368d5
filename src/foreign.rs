//! Files of kinds that are not read here, by their first bytes, whatever their names.
//!
//! `KINDS` is the one table of these kinds. Each has the command that makes a text of such a file.

/// A kind of file that is not read here: an archive, a table or an array of another program, a picture.
///
/// ```
/// use sudoku_batch::foreign::Foreign;
/// let found = Foreign::of(b"\xfd7zXZ\0\0\x04", false).flatten().unwrap();
/// assert_eq!(found.to_string(), "an xz archive: unpack it first, as in xz -dc FILE | sudoku-batch …");
/// let text = b"4..52.7.3\n";
/// assert_eq!([Foreign::of(text, false), Foreign::tar(text)], [Some(None); 2]);
/// assert_eq!(Foreign::of(b"\xfd7", false), None);
/// assert_eq!(Foreign::of(b"\xfd7", true), Some(None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {remedy}")]
pub struct Foreign {
    /// Its name, with an article.
    pub kind: &'static str,
    remedy: Remedy,
}

/// The way to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Remedy {
    /// The command that unpacks a file of this kind to standard output.
    #[error("unpack it first, as in {0} FILE | sudoku-batch …")]
    Unpack(&'static str),
    /// The command that writes a text to standard output.
    #[error("convert it first, as in {0} | sudoku-batch …")]
    Convert(&'static str),
    /// Any other advice.
    #[error("{0}")]
    Advice(&'static str),
}

/// The command of Python that writes the records of a file as a table.
macro_rules! pandas {
    ($records:literal) => {
        concat!(
            "python3 -c \"import pandas, sys; ",
            $records,
            ".to_csv(sys.stdout, index=False)\" FILE"
        )
    };
}

/// The command of Python that writes an array of numbers, 81 for each puzzle, as lines with commas.
macro_rules! numpy {
    ($array:literal) => {
        concat!(
            "python3 -c \"import numpy, sys; f = numpy.load(sys.argv[1]); numpy.savetxt(sys.stdout, ",
            $array,
            ".reshape(-1, 81), '%g', ',')\" FILE"
        )
    };
}

/// The advice about a document of an office program, which `soffice` converts to another kind.
macro_rules! office {
    ($kind:literal, $name:literal) => {
        concat!(
            "save it as ",
            $name,
            ", or convert it with soffice --headless --convert-to ",
            $kind,
            " FILE"
        )
    };
}

const SHEET: Remedy = Remedy::Advice(office!("csv", "CSV"));
const DOCUMENT: Remedy = Remedy::Advice(office!("txt:Text", "plain text"));
const PICTURE: Remedy =
    Remedy::Advice("no puzzle is read from a picture: write its 81 cells as text");
const PICKLE: Remedy = Remedy::Advice(concat!(
    "it may run any program when it is loaded. If you trust it, convert it, as in ",
    pandas!("pandas.DataFrame(pandas.read_pickle(sys.argv[1]))"),
    " | sudoku-batch …"
));

const ZIP: Foreign = kind("a zip archive", Remedy::Unpack("unzip -p"));
const NPZ: Foreign = kind(
    "a file of numpy arrays (npz)",
    Remedy::Convert(numpy!("f[f.files[0]]")),
);
const EXCEL: Foreign = kind("an Excel file (xlsx)", SHEET);
const WORD: Foreign = kind("a Word document (docx)", DOCUMENT);
const OFFICE: Foreign = kind("an Office document", SHEET);
const OPEN_SHEET: Foreign = kind("an OpenDocument table (ods)", SHEET);
const OPEN_TEXT: Foreign = kind("an OpenDocument text (odt)", DOCUMENT);
const TAR: Foreign = kind("a tar archive", Remedy::Unpack("tar -xOf"));

/// Bytes at places of a file.
type Signature = &'static [(usize, &'static [u8])];

/// The kinds by their first bytes. [`zipped`] has those that are zip archives, and [`Foreign::tar`] has no such bytes.
const KINDS: [(Signature, Foreign); 29] = [
    // Archives.
    (
        &[(0, b"\xfd7zXZ\0")],
        kind("an xz archive", Remedy::Unpack("xz -dc")),
    ),
    (
        &[(0, b"BZh")],
        kind("a bzip2 archive", Remedy::Unpack("bzip2 -dc")),
    ),
    (&[(0, b"PK\x03\x04")], ZIP),
    (
        &[(0, b"\x04\x22\x4d\x18")],
        kind("an lz4 archive", Remedy::Unpack("lz4 -dc")),
    ),
    (
        &[(0, b"7z\xbc\xaf\x27\x1c")],
        kind("a 7z archive", Remedy::Unpack("7z x -so")),
    ),
    (
        &[(0, b"Rar!\x1a\x07")],
        kind("a rar archive", Remedy::Unpack("unrar p -inul")),
    ),
    (
        &[(0, b"LZIP\x01")],
        kind("an lzip archive", Remedy::Unpack("lzip -dc")),
    ),
    (
        &[(0, b"\x1f\x9d")],
        kind("a file of compress (Z)", Remedy::Unpack("gzip -dc")),
    ),
    // Arrays and tables.
    (
        &[(0, b"\x93NUMPY")],
        kind("a numpy array (npy)", Remedy::Convert(numpy!("f"))),
    ),
    (
        // The first value of Thrift follows: a text may begin with the letters.
        &[(0, b"PAR1\x15")],
        kind(
            "a Parquet file",
            Remedy::Convert(pandas!("pandas.read_parquet(sys.argv[1])")),
        ),
    ),
    (
        &[(0, b"ARROW1\0\0")],
        kind(
            "an Arrow file (Feather)",
            Remedy::Convert(pandas!("pandas.read_feather(sys.argv[1])")),
        ),
    ),
    (
        &[(0, b"\x89HDF\r\n\x1a\n")],
        kind(
            "an HDF5 file",
            Remedy::Advice("write its table of puzzles as CSV"),
        ),
    ),
    (
        &[(0, b"SQLite format 3\0")],
        kind(
            "an SQLite database",
            Remedy::Convert("sqlite3 -csv -header FILE \"SELECT * FROM TABLE\""),
        ),
    ),
    (&[(0, b"\x80\x02")], kind("a pickle of Python", PICKLE)),
    (&[(0, b"\x80\x03")], kind("a pickle of Python", PICKLE)),
    (&[(0, b"\x80\x04")], kind("a pickle of Python", PICKLE)),
    (&[(0, b"\x80\x05")], kind("a pickle of Python", PICKLE)),
    // Documents.
    (
        &[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
        kind("an Excel file (xls) or another old Office document", SHEET),
    ),
    (
        &[(0, b"%PDF-")],
        kind(
            "a PDF document",
            Remedy::Convert("pdftotext -layout FILE -"),
        ),
    ),
    (&[(0, b"{\\rtf")], kind("an RTF document", DOCUMENT)),
    // Pictures.
    (&[(0, b"\x89PNG\r\n\x1a\n")], kind("a PNG picture", PICTURE)),
    (&[(0, b"\xff\xd8\xff")], kind("a JPEG picture", PICTURE)),
    (&[(0, b"GIF87a")], kind("a GIF picture", PICTURE)),
    (&[(0, b"GIF89a")], kind("a GIF picture", PICTURE)),
    (
        &[(0, b"RIFF"), (8, b"WEBP")],
        kind("a WebP picture", PICTURE),
    ),
    (&[(0, b"BM"), (6, &[0; 4])], kind("a BMP picture", PICTURE)),
    (&[(0, b"II*\0")], kind("a TIFF picture", PICTURE)),
    (&[(0, b"MM\0*")], kind("a TIFF picture", PICTURE)),
    (
        &[(0, b"\0\0\0"), (4, b"ftyphei")],
        kind("a HEIC picture", PICTURE),
    ),
];

const fn kind(kind: &'static str, remedy: Remedy) -> Foreign {
    Foreign { kind, remedy }
}

impl Foreign {
    /// The bytes that decide in any case.
    const ENOUGH: usize = 4 << 10;

    /// The kind that the first bytes of an input say: `Some(None)` for none, and nothing if it takes more
    /// bytes to decide. If these bytes are all there are, `is_whole`, they decide. It does not see [`tar`](Self::tar).
    pub fn of(head: &[u8], is_whole: bool) -> Option<Option<Self>> {
        let is_whole = is_whole || head.len() >= Self::ENOUGH;
        let found = KINDS
            .iter()
            .find(|(bytes, _)| has(head, bytes) == Some(true));
        match found {
            Some((_, ZIP)) => zipped(head, is_whole).map(Some),
            Some((_, kind)) => Some(Some(*kind)),
            None => {
                let may_become = |(bytes, _): &(Signature, Self)| has(head, bytes).is_none();
                (is_whole || !KINDS.iter().any(may_become)).then_some(None)
            }
        }
    }

    /// The kind `tar`, which a stream of gzip or zstd may hold, too. A whole line, or 512 bytes, decide.
    pub fn tar(head: &[u8]) -> Option<Option<Self>> {
        is_tar(head).map(|is_tar| is_tar.then_some(TAR))
    }
}

/// Whether a signature is there, or nothing if it takes more bytes to decide.
fn has(head: &[u8], signature: Signature) -> Option<bool> {
    let mut is_all = true;
    for &(at, bytes) in signature {
        let there = head.get(at..).unwrap_or_default();
        if there.len() >= bytes.len() {
            if !there.starts_with(bytes) {
                return Some(false);
            }
        } else if bytes.starts_with(there) {
            is_all = false;
        } else {
            return Some(false);
        }
    }
    is_all.then_some(true)
}

/// The kind of a zip archive, by the names of its first files. Nothing if it takes more bytes to decide.
fn zipped(head: &[u8], is_whole: bool) -> Option<Foreign> {
    const FILE: &[u8] = b"PK\x03\x04";
    /// The place of the two bytes that have the length of the name.
    const LENGTH: usize = 26;
    const NAME: usize = 30;
    let mut kind = ZIP;
    for at in (0..head.len()).filter(|&at| head[at..].starts_with(FILE)) {
        let file = &head[at..];
        let length = file.get(LENGTH..).and_then(<[u8]>::first_chunk);
        let length = length.map(|&two| usize::from(u16::from_le_bytes(two)));
        let Some(name) = length.and_then(|length| file.get(NAME..NAME + length)) else {
            break;
        };
        // The file `mimetype` is not packed, and has no more in its header than a name.
        let content = &file[NAME + name.len()..];
        let is_of = |what: &[u8]| content.starts_with(what);
        match name {
            [.., b'.', b'n', b'p', b'y'] => return Some(NPZ),
            [b'x', b'l', b'/', ..] => return Some(EXCEL),
            [b'w', b'o', b'r', b'd', b'/', ..] => return Some(WORD),
            b"mimetype" if is_of(b"application/vnd.oasis.opendocument.spreadsheet") => {
                return Some(OPEN_SHEET);
            }
            b"mimetype" if is_of(b"application/vnd.oasis.opendocument.text") => {
                return Some(OPEN_TEXT);
            }
            b"mimetype" if content.len() < 64 && !is_whole => return None,
            // These come first in all documents of Office.
            b"[Content_Types].xml" | [b'_', b'r', b'e', b'l', b's', ..] => kind = OFFICE,
            name if name.starts_with(b"docProps/") => kind = OFFICE,
            _ => return Some(kind),
        }
    }
    is_whole.then_some(kind)
}

/// Returns true if a header of tar begins here: a block of 512 bytes in which the sum of all bytes stands, in
/// octal digits, counted with spaces in its place. All kinds of tar have it. Nothing if it takes more
/// bytes to decide.
fn is_tar(head: &[u8]) -> Option<bool> {
    const BLOCK: usize = 512;
    const SUM: std::ops::Range<usize> = 148..156;
    let Some(block) = head.first_chunk::<BLOCK>() else {
        // A header begins with the name of a file.
        return head
            .iter()
            .any(|c| matches!(c, b'\n' | b'\r'))
            .then_some(false);
    };
    let written = str::from_utf8(&block[SUM]).unwrap_or_default();
    let written = u32::from_str_radix(written.trim_matches([' ', '\0']), 8);
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    let spaces = SUM.len() as u32 * u32::from(b' ');
    let sum = sum(block) - sum(&block[SUM]) + spaces;
    Some(block.contains(&0) && written == Ok(sum))
}
