//! Streams of the pipeline: compressed input and output, several inputs, shards, and chunks
//! that end as soon as they can. What is compressed or unpacked here is compared with what
//! the tools `gzip` and `zstd` make of it, where they are installed.

use crate::support::{process::Running, tools};
use proptest::prelude::*;
use std::{
    fs,
    io::{self, Cursor, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
};
use sudoku_batch::unpacking::Damage;
use sudoku_batch_cli::pipeline::{
    self, Error, Threads,
    compression::{Format, Packing},
    input::{Chunk, Cut, Input, RecordEnd, Shard},
    output::Output,
};

const FORMATS: [Format; 2] = [Format::Gzip, Format::Zstd];

/// Runs a tool on some bytes: what it writes. Nothing where it is not installed.
fn tool(program: &str, arguments: &[&str], bytes: &[u8]) -> Option<Vec<u8>> {
    if !tools::has(program) {
        return None;
    }
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = Running::start(&mut command);
    let mut to = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    let feeder = thread::spawn(move || to.write_all(&bytes));
    let output = child.output();
    feeder.join().unwrap().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}");
    Some(output.stdout)
}

/// One member or frame, by the crates that the program uses too.
fn pack(format: Format, bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    match format {
        Format::Gzip => {
            let mut encoder = flate2::GzBuilder::new()
                .filename("a name")
                .comment("and a comment")
                .write(&mut packed, flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap();
        }
        Format::Zstd => {
            let mut encoder = zstd::Encoder::new(&mut packed, 3).unwrap();
            encoder.include_checksum(true).unwrap();
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap();
        }
    }
    packed
}

/// A stream that gives what it has in small bits.
fn bits(bytes: &[u8], bit: usize) -> impl Read + Send + 'static {
    struct Bits(Cursor<Vec<u8>>, usize);
    impl Read for Bits {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(self.1);
            self.0.read(&mut to[..most])
        }
    }
    Bits(Cursor::new(bytes.to_vec()), bit)
}

/// All bytes of the chunks of an input, or the error.
fn read(mut input: Input) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    for chunk in input.chunks(Cut::default()) {
        all.extend_from_slice(chunk?.bytes());
    }
    Ok(all)
}

/// Lines of digits that do not repeat, so many bytes.
fn digits(length: usize) -> Vec<u8> {
    let mut random = 1u64;
    let mut byte = |at: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        match at % 82 {
            81 => b'\n',
            _ => b'1' + (random >> 40) as u8 % 9,
        }
    };
    (0..length).map(&mut byte).collect()
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

mod unpacking {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn all_pieces_are_unpacked(
            texts in prop::collection::vec("[a-z\n]{0,300}", 1..6),
            bit in 1usize..400,
            skipped in any::<bool>(),
        ) {
            let whole = texts.concat().into_bytes();
            for format in FORMATS {
                let mut packed: Vec<u8> = Vec::new();
                for text in &texts {
                    if format == Format::Zstd && skipped {
                        // A frame to be skipped: magic, length, and bytes that mean nothing.
                        packed.extend(b"\x53*M\x18\x05\0\0\0hello");
                    }
                    packed.extend(pack(format, text.as_bytes()));
                }
                let stream = Input::stream("bits", bits(&packed, bit));
                prop_assert_eq!(read(stream).unwrap(), whole.clone());
            }
        }
    }

    #[test]
    fn files_and_streams_whatever_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let text = digits(3_000_000);
        for format in FORMATS {
            let packed = pack(format, &text);
            let path = file(folder.path(), "no ending", &packed);
            let mut input = Input::open(&path).unwrap();
            assert_eq!(input.compression().unwrap(), Some(format));
            assert_eq!(input.size(), Some(packed.len() as u64));
            let chunks: Vec<_> = input.chunks(Cut::default()).map(Result::unwrap).collect();
            // The sum of the progress bar.
            let read: u64 = chunks.iter().map(Chunk::source_bytes).sum();
            assert!(read <= packed.len() as u64 && read > packed.len() as u64 / 2);
            let offsets: Vec<_> = chunks.iter().map(Chunk::offset).collect();
            let lengths = chunks.iter().map(Chunk::len);
            let sums = lengths.scan(0, |sum, length| {
                Some(std::mem::replace(sum, *sum + length as u64))
            });
            assert_eq!(offsets, sums.collect::<Vec<_>>());
            drop(chunks);
            input.check_unchanged().unwrap();
        }
        let plain = file(folder.path(), "plain.gz", &text);
        let mut input = Input::open(&plain).unwrap();
        assert_eq!(input.compression().unwrap(), None);
        assert!(read(input).unwrap() == text);
    }

    #[test]
    fn chunks_are_those_of_the_plain_text() {
        let text = digits(5_000_000);
        let lengths = |mut input: Input| -> Vec<_> {
            input
                .chunks(Cut::default())
                .map(|chunk| chunk.unwrap().len())
                .collect()
        };
        let plain = lengths(Input::stream("plain", Cursor::new(text.clone())));
        for format in FORMATS {
            let packed = pack(format, &text);
            assert_eq!(lengths(Input::stream("packed", Cursor::new(packed))), plain);
        }
    }

    #[test]
    fn what_the_tools_make() {
        // Longer than what is read at a time. More of it has longer matches.
        let text = digits(crate::support::cases(400_000).min(2_000_000));
        let empty: &[u8] = b"";
        for (program, arguments) in [
            ("gzip", &["-1"][..]),
            ("gzip", &["-9"]),
            ("zstd", &["-q", "-1"]),
            ("zstd", &["-q", "-19", "--no-check"]),
            ("zstd", &["-q", "--long=27", "-T2"]),
        ] {
            for text in [&text[..], empty] {
                if let Some(packed) = tool(program, arguments, text) {
                    let stream = Input::stream("packed", Cursor::new(packed));
                    assert!(read(stream).unwrap() == text, "{program} {arguments:?}");
                }
            }
        }
    }

    /// A stream that ends anywhere but between pieces is an error that tells where.
    #[test]
    fn a_stream_that_is_cut_short() {
        let text = digits(400_000);
        for format in FORMATS {
            let whole = pack(format, &text);
            let twice = [&whole[..], &whole].concat();
            let cuts = (2..40).chain([whole.len() / 2, whole.len() - 1]);
            let cuts = cuts.chain([whole.len() + 1, whole.len() + 9, twice.len() - 1]);
            for cut in cuts {
                let stream = Input::stream("cut", bits(&twice[..cut], 5000));
                if format == Format::Zstd && cut < 4 {
                    // Too short to be told from text.
                    continue;
                }
                match read(stream) {
                    Err(Error::Damaged { name, damage }) => {
                        let Damage { what, unpacked, .. } = damage;
                        assert_eq!((name.as_str(), damage.format), ("cut", format));
                        assert_eq!(damage.position, cut as u64, "{format}");
                        assert!(what.starts_with("it ends in the middle of a"), "{what}");
                        let least = if cut > whole.len() { text.len() } else { 0 };
                        assert!(unpacked >= least as u64 && unpacked <= 2 * text.len() as u64);
                    }
                    other => panic!("{format}, {cut}: {:?}", other.map(|text| text.len())),
                }
            }
            let between = Input::stream("whole", bits(&twice[..whole.len()], 5000));
            assert!(read(between).unwrap() == text);
        }
    }

    /// Any byte of a stream that is changed gives an error or the same text: never another.
    #[test]
    fn a_stream_with_a_damaged_byte() {
        let text = digits(20_000);
        for format in FORMATS {
            let whole = pack(format, &text);
            let mut errors = 0;
            for at in (0..whole.len()).step_by(7).chain(0..30) {
                let mut damaged = whole.clone();
                damaged[at] ^= 0x14;
                if at < 4 {
                    // No magic bytes, so that it is text.
                    continue;
                }
                match read(Input::stream("damaged", Cursor::new(damaged))) {
                    Ok(unpacked) => assert!(unpacked == text, "{format}, byte {at}"),
                    Err(Error::Damaged { damage, .. }) => {
                        errors += 1;
                        assert!(damage.position <= whole.len() as u64);
                    }
                    Err(other) => panic!("{format}, byte {at}: {other:?}"),
                }
            }
            assert!(errors > 100, "{format}: {errors}");
        }
    }

    /// The message does not depend on how the bytes arrive.
    #[test]
    fn the_place_of_the_damage_in_a_few_bytes_at_a_time() {
        let packed = pack(Format::Zstd, &digits(2000));
        for at in (10..packed.len()).step_by(7) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x14;
            let told = |bit| {
                let read = read(Input::stream("damaged", bits(&damaged, bit)));
                read.map_err(|error| error.to_string())
            };
            let whole = told(usize::MAX);
            for bit in [1, 3, 50, 333] {
                assert_eq!(told(bit), whole, "byte {at}, {bit} at a time");
            }
        }
    }

    /// The position of damage is that of the block or a little behind it.
    #[test]
    fn the_place_of_the_damage() {
        let text = digits(3_000_000);
        for format in FORMATS {
            let mut packed = pack(format, &text);
            let at = packed.len() / 2;
            for byte in &mut packed[at..at + 2000] {
                *byte ^= 0x5a;
            }
            match read(Input::stream("damaged", Cursor::new(packed))) {
                Err(Error::Damaged { damage, .. }) => {
                    let Damage {
                        position, unpacked, ..
                    } = damage;
                    assert!(
                        position.abs_diff(at as u64) < 150_000,
                        "{format}: {position}, {at}"
                    );
                    assert!(
                        unpacked.abs_diff(1_500_000) < 300_000,
                        "{format}: {unpacked}"
                    );
                }
                other => panic!("{format}: {:?}", other.map(|text| text.len())),
            }
        }
    }

    #[test]
    fn what_follows_the_last_piece() {
        let text = digits(1000);
        for format in FORMATS {
            let piece = pack(format, &text);
            let with = |tail: &[u8]| read(Input::stream("x", bits(&[&piece, tail].concat(), 11)));
            for tail in [&b"garbage"[..], b"g", b"\0\0\0g", b"\x1f\x8c1234567890"] {
                match with(tail) {
                    Err(Error::Damaged { damage, .. }) => {
                        let Damage { position, what, .. } = damage;
                        let zeros = match format {
                            Format::Gzip => tail.iter().take_while(|&&b| b == 0).count(),
                            Format::Zstd => 0,
                        };
                        let cut_short = format == Format::Zstd && tail.len() < 4;
                        if !cut_short {
                            assert_eq!(position as usize, piece.len() + zeros, "{format} {tail:?}");
                            assert!(what.contains("begins here"), "{format} {tail:?}: {what}");
                        }
                    }
                    other => panic!("{format} {tail:?}: {other:?}"),
                }
            }
        }
        // Tapes are filled up with zeros.
        let padded = [pack(Format::Gzip, &text), vec![0; 700_000]].concat();
        assert!(read(Input::stream("padded", bits(&padded, 3000))).unwrap() == text);
    }

    #[test]
    fn archives_that_are_not_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        for (head, kind) in [
            (&b"PK\x03\x04\x14\0\0\0"[..], "a zip"),
            (b"\xfd7zXZ\0\0\x04", "an xz"),
            (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z"),
            (b"\x04\x22\x4d\x18d@", "an lz4"),
            (b"BZh91AY&SY", "a bzip2"),
        ] {
            let path = file(folder.path(), "archive", head);
            let error = Input::open(&path).err().unwrap();
            let message = error.to_string();
            assert!(
                message.contains(&format!("is {kind} archive: unpack it")),
                "{message}"
            );
            let stream = Input::stream("stream", bits(head, 1));
            assert!(matches!(read(stream), Err(Error::Foreign { .. })));
        }
    }

    /// The text of a few thousand packed bytes is not held in memory.
    #[test]
    fn a_bomb_is_a_line_without_end() {
        let zeros = vec![0; 1 << 20];
        for format in FORMATS {
            let piece = pack(format, &zeros);
            let bomb = piece.repeat(200);
            match read(Input::stream("bomb", Cursor::new(bomb))) {
                Err(Error::LongLine { name, .. }) => assert_eq!(name, "bomb"),
                other => panic!("{:?}", other.map(|text| text.len())),
            }
        }
    }
}

mod packing {
    use super::*;

    fn packings() -> Vec<Packing> {
        let names = ["gzip", "gzip:0", "gzip:9", "zstd", "zstd:7", "zstd:-5"];
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    /// Copies a text to a compressed file: its bytes.
    fn copy(text: &[u8], packing: Packing, threads: usize) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let output = Output::create(&path).unwrap().compressed(packing).unwrap();
        assert_eq!(output.packing(), Some(packing));
        output.write_next(b"a header\n").unwrap();
        let mut input = Input::stream("text", bits(text, 100_000));
        pipeline::run(
            Threads::new(threads),
            input.chunks(Cut::default()),
            Some(&output),
            || (),
            |(), mut chunk, out| {
                let bytes = chunk.bytes();
                // Items of which nothing comes have no piece.
                if bytes.len() % 3 != 0 {
                    out.exactly(bytes.len()).copy_from_slice(bytes);
                } else {
                    out.growing().extend_from_slice(bytes);
                }
            },
            |()| Ok::<(), Error>(()),
        )
        .unwrap();
        output.write_next(b"a footer\n").unwrap();
        output.commit().unwrap();
        fs::read(&path).unwrap()
    }

    #[test]
    fn the_tools_unpack_it_and_so_do_we_whatever_the_threads() {
        for length in [0, 100, 1_200_000] {
            let text = digits(length);
            let whole = [&b"a header\n"[..], &text, b"a footer\n"].concat();
            for packing in packings() {
                let packed = copy(&text, packing, 1);
                for threads in [2, 5] {
                    assert!(copy(&text, packing, threads) == packed, "{packing:?}");
                }
                let stream = Input::stream("packed", Cursor::new(packed.clone()));
                assert!(read(stream).unwrap() == whole, "{packing:?}");
                let program = packing.format().name();
                if let Some(unpacked) = tool(program, &["-dc"], &packed) {
                    assert!(unpacked == whole, "{packing:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_a_whole_stream_too() {
        let folder = tempfile::tempdir().unwrap();
        for packing in packings() {
            let path = folder.path().join("nothing");
            let output = Output::create(&path).unwrap().compressed(packing).unwrap();
            output.commit().unwrap();
            let packed = fs::read(&path).unwrap();
            assert!(!packed.is_empty());
            assert_eq!(read(Input::open(&path).unwrap()).unwrap(), b"");
            let unpacked = tool(packing.format().name(), &["-dc"], &packed);
            assert!(unpacked.unwrap_or_default().is_empty());
        }
    }

    #[test]
    fn what_is_written_in_order_is_cut_at_fixed_lengths() {
        let folder = tempfile::tempdir().unwrap();
        let length = crate::support::cases(1_200_000).min(2_500_000);
        let text = digits(length);
        for packing in packings() {
            let written = [1, 1000, 77_777, length].map(|step| {
                let path = folder.path().join("out");
                let output = Output::create(&path).unwrap().compressed(packing).unwrap();
                for part in text[..20_000]
                    .chunks(step)
                    .chain(text[20_000..].chunks(step.max(99)))
                {
                    output.write_next(part).unwrap();
                }
                output.commit().unwrap();
                fs::read(&path).unwrap()
            });
            assert!(written.iter().all(|bytes| *bytes == written[0]));
            let stream = Input::stream("packed", Cursor::new(written[0].clone()));
            assert!(read(stream).unwrap() == text);
        }
    }

    #[test]
    fn a_target_stays_as_it_was_without_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "out.gz", b"before");
        let packing = Packing::by_ending(&path).unwrap();
        let output = Output::create(&path).unwrap().compressed(packing).unwrap();
        output.write_next(&digits(3_000_000)).unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
    }
}

/// Lines of many lengths, with all kinds of ends.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let lines = prop::collection::vec(("[a-z]{0,9}", end), 0..30);
    (any::<bool>(), lines, "[a-z]{0,3}").prop_map(|(mark, lines, last)| {
        let mut text = if mark { "\u{feff}" } else { "" }.to_owned();
        text.extend(lines.into_iter().map(|(line, end)| line + end));
        (text + &last).into_bytes()
    })
}

/// Records of several lines: each ends with a line of a point alone, or with the text.
fn end_of_record(bytes: &[u8], least: usize) -> Option<usize> {
    let ends = (0..bytes.len()).filter(|&at| bytes[..at + 1].ends_with(b"\n.\n"));
    let first = bytes.starts_with(b".\n").then_some(2);
    first
        .into_iter()
        .chain(ends.map(|at| at + 1))
        .find(|&end| end >= least)
}

/// Such records.
fn records() -> impl Strategy<Value = Vec<u8>> {
    let record = prop::collection::vec("[a-z]{1,5}", 0..4);
    let all = prop::collection::vec(record, 0..12);
    (any::<bool>(), all, "([a-z]{1,5}\n)?").prop_map(|(mark, records, last)| {
        let mut text = if mark { "\u{feff}" } else { "" }.to_owned();
        for record in records {
            for line in record {
                text += &(line + "\n");
            }
            text += ".\n";
        }
        (text + &last).into_bytes()
    })
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

proptest! {
    #![proptest_config(crate::support::slow(75))]

    #[test]
    fn records_of_several_lines_stay_whole(
        text in records(),
        size in 1usize..40,
        bit in 1usize..30,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "text", &text);
        let inputs = [Input::open(&path).unwrap(), Input::stream("bits", bits(&text, bit))];
        for mut input in inputs {
            let cut = Cut::default().sizes(|_, _| size).records(end_of_record);
            let mut all = Vec::new();
            let mut chunks = input.chunks(cut).peekable();
            while let Some(chunk) = chunks.next() {
                let chunk = chunk.unwrap().bytes().to_vec();
                prop_assert!(chunks.peek().is_none() || chunk.ends_with(b".\n"));
                prop_assert!(chunks.peek().is_none() || chunk.len() + 3 >= size);
                // No record more than it takes.
                let least = size.saturating_sub(3).max(1);
                let first = end_of_record(&chunk, least).unwrap_or(chunk.len());
                prop_assert!(chunk.len() <= end_of_record(&chunk, first + 3).unwrap_or(chunk.len()));
                all.extend(chunk);
            }
            prop_assert_eq!(&all, without_mark(&text));
        }
    }

    #[test]
    fn chunks_know_their_places(text in texts(), size in 1usize..60, packed in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let bytes = if packed { pack(Format::Gzip, &text) } else { text.clone() };
        let mut input = Input::open(&file(folder.path(), "text", &bytes)).unwrap();
        let mark = text.len() - without_mark(&text).len();
        let mut found = Vec::new();
        for chunk in input.chunks(Cut::default().sizes(|_, _| size)) {
            let mut chunk = chunk.unwrap();
            prop_assert_eq!(chunk.offset() as usize, mark + found.len());
            found.extend_from_slice(chunk.bytes());
        }
        prop_assert_eq!(&found[..], without_mark(&text));
    }

    #[test]
    fn shards_are_the_whole(
        texts in prop::collection::vec(texts(), 1..4),
        parts in 1u64..12,
        size in 1usize..60,
    ) {
        shards(&texts, parts, size, false)?;
    }

    #[test]
    fn shards_of_records_of_several_lines_are_the_whole(
        texts in prop::collection::vec(records(), 1..4),
        parts in 1u64..12,
        size in 1usize..60,
    ) {
        shards(&texts, parts, size, true)?;
    }
}

#[test]
fn shards_are_written_and_placed() {
    let shard: Shard = "3/8".parse().unwrap();
    assert_eq!(
        (shard.part(), shard.parts(), shard.to_string()),
        (3, 8, "3/8".into())
    );
    for text in ["0/8", "9/8", "8", "1/", "/8", "1/x"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    let second: Shard = "2/3".parse().unwrap();
    assert_eq!(second.places(&[40, 0, 50]), [[30, 40], [0, 0], [0, 20]]);
}

/// Has inputs, one after the other, keep a part of them, as the driver does.
fn keep(
    inputs: &mut [Input],
    shard: &str,
    mut record_end: Option<&mut RecordEnd<'_>>,
) -> Result<(), Error> {
    let shard: Shard = shard.parse().unwrap();
    let sizes: Result<Vec<_>, _> = inputs.iter_mut().map(Input::whole_size).collect();
    for (input, places) in inputs.iter_mut().zip(shard.places(&sizes?)) {
        match &mut record_end {
            None => input.keep(places, None)?,
            Some(record_end) => input.keep(places, Some(&mut **record_end))?,
        }
    }
    Ok(())
}

/// Checks that each record is in one shard, in order, and that shards are about equal.
fn shards(texts: &[Vec<u8>], parts: u64, size: usize, several: bool) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let open = || -> Vec<Input> {
        let texts = texts.iter().enumerate();
        texts
            .map(|(i, text)| Input::open(&file(folder.path(), &i.to_string(), text)).unwrap())
            .collect()
    };
    let mut all = vec![Vec::new(); texts.len()];
    let mut sizes = 0;
    for part in 1..=parts {
        let mut inputs = open();
        let shard = format!("{part}/{parts}");
        prop_assert_eq!(shard.parse::<Shard>().unwrap().is_first(), part == 1);
        let mut end = end_of_record;
        keep(&mut inputs, &shard, several.then_some(&mut end)).unwrap();
        sizes += inputs.iter().filter_map(Input::size).sum::<u64>();
        for (input, (text, all)) in inputs.iter_mut().zip(texts.iter().zip(&mut all)) {
            let mut cut = Cut::default().sizes(|_, _| size);
            if several {
                cut = cut.records(end_of_record);
            }
            for chunk in input.chunks(cut) {
                let mut chunk = chunk.unwrap();
                let offset = chunk.offset() as usize;
                let bytes = chunk.bytes();
                // The offset is that in the whole file.
                prop_assert_eq!(&text[offset..offset + bytes.len()], bytes);
                // A record begins there.
                let before = &text[text.len() - without_mark(text).len()..offset];
                let is_end = if several {
                    before.ends_with(b".\n")
                } else {
                    before.ends_with(b"\n") || before.ends_with(b"\r") && !bytes.starts_with(b"\n")
                };
                prop_assert!(before.is_empty() || is_end);
                all.extend_from_slice(bytes);
            }
        }
    }
    for (found, text) in all.iter().zip(texts) {
        prop_assert_eq!(&found[..], without_mark(text));
    }
    prop_assert_eq!(
        sizes,
        texts.iter().map(|text| text.len() as u64).sum::<u64>()
    );
    Ok(())
}

/// A file of a byte or two that begins as a compressed one does is a plain file.
#[test]
fn a_tiny_file_has_shards() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["7", "P", "PK", "\x1f"] {
        let path = file(folder.path(), "tiny", text.as_bytes());
        let mut all = Vec::new();
        for shard in ["1/2", "2/2"] {
            let mut inputs = [Input::open(&path).unwrap()];
            keep(&mut inputs, shard, None).unwrap();
            let [input] = inputs;
            all.extend(read(input).unwrap());
        }
        assert_eq!(all, text.as_bytes());
    }
}

#[test]
fn shards_of_a_large_file_are_about_equal() {
    let folder = tempfile::tempdir().unwrap();
    let text = digits(5_000_003);
    let path = file(folder.path(), "text", &text);
    let mut all = Vec::new();
    for part in 1..=7 {
        let mut inputs = [Input::open(&path).unwrap()];
        keep(&mut inputs, &format!("{part}/7"), None).unwrap();
        let size = inputs[0].size().unwrap();
        assert!(size.abs_diff(5_000_003 / 7) < 100);
        let before = all.len();
        for chunk in inputs[0].chunks(Cut::default()) {
            all.extend_from_slice(chunk.unwrap().bytes());
        }
        assert_eq!((all.len() - before) as u64, size);
        inputs[0].check_unchanged().unwrap();
    }
    assert!(all == text);
}

#[test]
fn what_has_no_shards() {
    let folder = tempfile::tempdir().unwrap();
    let packed = file(folder.path(), "packed", &pack(Format::Gzip, b"text\n"));
    for (input, why) in [
        (Input::open(&packed).unwrap(), "is compressed"),
        (Input::stream("pipe", io::empty()), "is no regular file"),
        (
            Input::open(Path::new("/dev/null")).unwrap(),
            "is no regular file",
        ),
    ] {
        let error = keep(&mut [input], "1/2", None).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let long = file(folder.path(), "long", &vec![b'x'; 40 << 20]);
    let error = keep(&mut [Input::open(&long).unwrap()], "1/2", None);
    assert!(matches!(error, Err(Error::LongLine { .. })), "{error:?}");
    let empty = file(folder.path(), "empty", b"");
    let mut inputs = [Input::open(&empty).unwrap()];
    keep(&mut inputs, "1/2", None).unwrap();
    assert!(inputs[0].chunks(Cut::default()).next().is_none());
}

mod at_once {
    use super::*;

    /// A pipe of which each write is one read.
    fn pipe() -> (mpsc::Sender<Vec<u8>>, impl Read + Send + 'static) {
        struct Reader(mpsc::Receiver<Vec<u8>>, Vec<u8>);
        impl Read for Reader {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                if self.1.is_empty() {
                    self.1 = self.0.recv().unwrap_or_default();
                }
                let length = self.1.len().min(to.len());
                to[..length].copy_from_slice(&self.1[..length]);
                self.1.drain(..length);
                Ok(length)
            }
        }
        let (sender, receiver) = mpsc::channel();
        (sender, Reader(receiver, Vec::new()))
    }

    /// Writes texts, and takes the chunks that come after each without waiting for more.
    fn converse(texts: &[(&str, &[&str])], several: bool) {
        let (sender, reader) = pipe();
        let mut input = Input::stream("pipe", reader);
        // The first look at the input must not wait either.
        sender.send(texts[0].0.into()).unwrap();
        input.peek(1 << 16, |bytes| !bytes.is_empty()).unwrap();
        let mut cut = Cut::default().at_once(true);
        if several {
            cut = cut.records(end_of_record);
        }
        let mut chunks = input.chunks(cut);
        for (i, (text, answers)) in texts.iter().enumerate() {
            if i > 0 {
                sender.send((*text).into()).unwrap();
            }
            for answer in *answers {
                let mut chunk = chunks.next().unwrap().unwrap();
                assert_eq!(chunk.bytes(), answer.as_bytes(), "after {text:?}");
            }
        }
        drop(sender);
        assert!(chunks.next().is_none());
    }

    #[test]
    fn a_chunk_for_what_is_there() {
        converse(
            &[
                ("one\n", &["one\n"]),
                ("two\nthree\n", &["two\nthree\n"]),
                ("four\nfi", &["four\n"]),
                ("ve", &[]),
                ("\r\n", &["five\r\n"]),
                ("six\r", &[]),
                ("\nseven\r", &["six\r\n"]),
                ("eight\n", &["seven\reight\n"]),
                ("\n", &["\n"]),
            ],
            false,
        );
        converse(
            &[
                ("one\n", &[]),
                ("two\n.\n", &["one\ntwo\n.\n"]),
                (".\nthree\n.\nfour\n", &[".\nthree\n.\n"]),
                (".\n", &["four\n.\n"]),
            ],
            true,
        );
        converse(
            &[("\u{feff}one\n", &["one\n"]), ("two\n", &["two\n"])],
            false,
        );
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let (sender, reader) = pipe();
        let mut input = Input::stream("pipe", reader);
        sender.send(b"one\ntwo".to_vec()).unwrap();
        drop(sender);
        let cut = Cut::default().at_once(true);
        let chunks = input.chunks(cut);
        let chunks: Vec<_> = chunks
            .map(|chunk| chunk.unwrap().bytes().to_vec())
            .collect();
        assert_eq!(chunks, [&b"one\n"[..], b"two"]);
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let zeros = io::repeat(0).take(20 << 20);
        let mut input = Input::stream("zeros", zeros);
        let cut = Cut::default().at_once(true);
        let mut chunks = input.chunks(cut);
        assert!(matches!(chunks.next(), Some(Err(Error::LongLine { .. }))));
    }

    proptest! {
        #[test]
        fn all_is_read(text in texts(), bit in 1usize..30, packed in any::<bool>()) {
            let bytes = if packed { pack(Format::Zstd, &text) } else { text.clone() };
            let mut input = Input::stream("bits", bits(&bytes, bit));
            let cut = Cut::default().at_once(true);
            let mut all = Vec::new();
            for chunk in input.chunks(cut) {
                all.extend_from_slice(chunk.unwrap().bytes());
            }
            prop_assert_eq!(&all[..], without_mark(&text));
        }
    }
}

#[test]
fn a_look_at_an_input_takes_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = [&b"\xef\xbb\xbf"[..], &digits(300_000)].concat();
    let plain = file(folder.path(), "plain", &text);
    let packed = file(folder.path(), "packed", &pack(Format::Zstd, &text));
    for mut input in [
        Input::open(&plain).unwrap(),
        Input::open(&packed).unwrap(),
        Input::stream("bits", bits(&text, 999)),
    ] {
        let expected = &text[3..][..100_000];
        assert!(input.peek(100_000, |_| false).unwrap() == expected);
        // At least so much, and no more than asked for.
        let some = input.peek(100_000, |bytes| bytes.len() > 50_000).unwrap();
        assert!(some.len() > 50_000 && *some == expected[..some.len()]);
        assert!(read(input).unwrap() == text[3..]);
    }
}
