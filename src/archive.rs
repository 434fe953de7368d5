//! Archives that are not unpacked here, by their first bytes, whatever their names.

/// A kind of archive that is not unpacked here.
///
/// ```
/// use sudoku_batch::archive::Archive;
/// let found = Archive::of(b"\xfd7zXZ\0\0\x04").flatten().unwrap();
/// assert_eq!(found.to_string(), "an xz archive: unpack it first, as in xz -dc FILE | sudoku-batch …");
/// assert_eq!([Archive::of(b"4..52.7.3\n"), Archive::tar(b"4..52.7.3\n")], [Some(None); 2]);
/// assert_eq!(Archive::of(b"\xfd7"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} {kind} archive: unpack it first, as in {tool} FILE | sudoku-batch …",
    article(kind)
)]
pub struct Archive {
    /// Its name.
    pub kind: &'static str,
    /// The command that unpacks a file of this kind to standard output.
    pub tool: &'static str,
}

const BY_FIRST_BYTES: [(&[u8], Archive); 5] = [
    (b"\xfd7zXZ\0", archive("xz", "xz -dc")),
    (b"BZh", archive("bzip2", "bzip2 -dc")),
    (b"PK\x03\x04", archive("zip", "unzip -p")),
    (b"\x04\x22\x4d\x18", archive("lz4", "lz4 -dc")),
    (b"7z\xbc\xaf\x27\x1c", archive("7z", "7z x -so")),
];

/// The article before the name of a kind as it is spoken: an ex-zet, an el-zet-four.
fn article(kind: &str) -> &'static str {
    if kind.starts_with(['x', 'l']) {
        "an"
    } else {
        "a"
    }
}

const fn archive(kind: &'static str, tool: &'static str) -> Archive {
    Archive { kind, tool }
}

impl Archive {
    /// The kind that the first bytes of an input say: `Some(None)` for none, and nothing if it takes more
    /// bytes to decide. It does not see [`tar`](Self::tar).
    pub fn of(head: &[u8]) -> Option<Option<Self>> {
        let mut kinds = BY_FIRST_BYTES.iter();
        if let Some((_, archive)) = kinds.find(|(bytes, _)| head.starts_with(bytes)) {
            return Some(Some(*archive));
        }
        let mut kinds = BY_FIRST_BYTES.iter();
        (!kinds.any(|(bytes, _)| bytes.starts_with(head))).then_some(None)
    }

    /// The kind `tar`, which a stream of gzip or zstd may hold, too. A whole line, or 512 bytes, decide.
    pub fn tar(head: &[u8]) -> Option<Option<Self>> {
        is_tar(head).map(|is_tar| is_tar.then_some(archive("tar", "tar -xOf")))
    }
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
