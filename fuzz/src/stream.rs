//! The plumbing: streams and files, plain and compressed, cut into chunks and shards.

use super::{material, oracle::lines};
use std::{
    io::{self, Cursor, Read},
    path::Path,
};
use sudoku_batch::format::{Form, Layout, Records, block};
use sudoku_batch_cli::pipeline::input::{Chunk, Cut, Input, Shard};

/// A stream that gives a few bytes at a time.
pub struct Bits(Cursor<Vec<u8>>, usize);

impl Bits {
    pub fn new(bytes: &[u8], most: usize) -> Self {
        Self(Cursor::new(bytes.to_vec()), most)
    }
}

impl Read for Bits {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = to.len().min(self.1);
        self.0.read(&mut to[..most])
    }
}

/// Cuts a text in all ways that a command does.
pub fn run(data: &[u8]) {
    let Some((&[size, bit, part, form], rest)) = data.split_first_chunk() else {
        return;
    };
    let text = material::text(rest);
    let (size, bit) = (usize::from(size) * 3, usize::from(bit) + 1);
    if text.starts_with(b"\x1f\x8b") || text.starts_with(b"\x28\xb5\x2f\xfd") || is_archive(&text) {
        // The target `unpack` has these.
        return;
    }
    let whole = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let ends: Vec<_> = lines(whole).iter().map(|line| line.2).collect();
    let plain = |input| {
        cut(
            input,
            Cut::default().sizes(move |index, _| size + index as usize),
        )
    };
    let expected = plain(Input::stream("stream", Bits::new(&text, bit)));
    check_chunks(&expected, whole, text.len() - whole.len(), |end| {
        ends.contains(&end)
    });
    let at_once = Cut::default().at_once(true);
    let pieces = cut(Input::stream("stream", Bits::new(&text, bit)), at_once);
    check_chunks(&pieces, whole, text.len() - whole.len(), |end| {
        ends.contains(&end)
    });
    check_records(&text, whole, size, bit, form);
    if part % 4 == 0 && !text.is_empty() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), &text).expect("room for it");
        let of_file = plain(Input::open(file.path()).expect("the file is there"));
        assert_eq!(of_file, expected);
        check_shards(file.path(), &text, part / 4);
    }
}

/// Whether a text begins as something that is not plain, or is too short to tell.
fn is_archive(text: &[u8]) -> bool {
    Input::stream("head", Cursor::new(text.to_vec()))
        .compression()
        .map_or(true, |format| format.is_some())
}

/// The chunks: where each begins, and its bytes.
type Pieces = Vec<(u64, Vec<u8>)>;

fn cut(mut input: Input, cut: Cut<'_>) -> Pieces {
    let of_chunk = |mut chunk: Chunk| (chunk.offset(), chunk.bytes().to_vec());
    let all = input.chunks(cut);
    all.map(|chunk| of_chunk(chunk.expect("a stream of memory")))
        .collect()
}

/// All bytes are there once, in order, and each chunk ends where it may.
fn check_chunks(chunks: &Pieces, whole: &[u8], mark: usize, may_end: impl Fn(usize) -> bool) {
    let mut end = 0;
    for (offset, bytes) in chunks {
        assert_eq!(*offset, (mark + end) as u64);
        assert!(!bytes.is_empty());
        assert!(whole[end..].starts_with(bytes));
        end += bytes.len();
        assert!(end == whole.len() || may_end(end), "a chunk ends at {end}");
    }
    assert_eq!(end, whole.len());
}

/// Chunks of records of a form: they do not depend on how the bytes arrive, and their records
/// are those of the whole.
fn check_records(text: &[u8], whole: &[u8], size: usize, bit: usize, form: u8) {
    let form = Form::ALL[usize::from(form) % Form::ALL.len()];
    let Ok(found) = Layout::detect(whole, Some(form), None) else {
        return;
    };
    if found.layout.is_of_lines() {
        return;
    }
    let by_record = || {
        let cut = Cut::default().sizes(move |index, _| size + index as usize);
        cut.records(found.piece_ends())
    };
    let first = cut(Input::stream("bits", Bits::new(text, bit)), by_record());
    let second = cut(
        Input::stream("all", Bits::new(text, usize::MAX)),
        by_record(),
    );
    assert_eq!(first, second);
    check_chunks(&first, whole, text.len() - whole.len(), |_| true);
    let mut lengths: Vec<_> = first.iter().map(|(_, bytes)| bytes.len()).collect();
    if let Some(first) = lengths.first_mut() {
        // A header, or the number of puzzles.
        *first -= found.skipped;
    }
    let layout = &found.layout;
    super::records::check_pieces(layout, &whole[found.skipped..], lengths);
    // These two read signs that no other block has.
    let is_other = matches!(form, Form::Pencilmarks | Form::Box);
    if let Layout::Blocks(_) = layout
        && !is_other
        && !whole.contains(&b'[')
    {
        // A reader that sees the whole text, the first line too.
        let mut records = Records::default();
        let announced = block::read(whole, false, &mut records);
        let pieces = super::records::read(layout, &whole[found.skipped..]);
        let pieces: Vec<_> = pieces
            .iter()
            .map(|record| (record.line, record.puzzle))
            .collect();
        let of_reader = super::records::found(&records, 0);
        let of_reader = of_reader
            .iter()
            .map(|r| (r.line - found.skipped_lines, r.puzzle));
        assert_eq!(
            pieces,
            Vec::from_iter(of_reader),
            "{}",
            whole.escape_ascii()
        );
        assert_eq!(announced, found.announced);
    }
}

/// The shards of a file hold its lines, each once.
fn check_shards(path: &Path, text: &[u8], part: u8) {
    let parts = u64::from(part) % 7 + 1;
    let mut all = Vec::new();
    for number in 1..=parts {
        let shard: Shard = format!("{number}/{parts}").parse().expect("a shard");
        let mut input = Input::open(path).expect("the file is there");
        let size = input.whole_size().expect("it is no pipe");
        let places = shard.places(&[size])[0];
        input.keep(places, None).expect("the file is there");
        for (_, bytes) in cut(input, Cut::default()) {
            all.extend(bytes);
        }
    }
    assert_eq!(all, text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
}
