//! The pipeline without Sudoku: what goes in comes out, in order.

use proptest::prelude::*;
use std::{
    collections::HashMap,
    fs,
    io::{self, Cursor, Read, Seek, SeekFrom, Write},
    os::fd::AsRawFd,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};
use sudoku_batch::dataset::FirstSeen;
use sudoku_batch_cli::pipeline::{
    self, Error, Threads,
    identity::Identity,
    input::{Chunk, Cut, Input, LONGEST_LINE, chunk_size},
    output::Output,
    spill::Spill,
    turns::Turns,
};

/// A stream that gives what it has in small bits.
fn bits(text: &[u8], bit: usize) -> impl Read + Send + 'static {
    struct Bits(Cursor<Vec<u8>>, usize);
    impl Read for Bits {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(self.1);
            self.0.read(&mut to[..most])
        }
    }
    Bits(Cursor::new(text.to_vec()), bit)
}

/// The lines of a text, with their ends: LF, CR LF, or CR alone.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let ends = (0..text.len()).filter(|&i| match text[i] {
        b'\n' => true,
        b'\r' => text.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    let mut start = 0;
    let mut lines: Vec<_> = ends
        .map(|end| &text[std::mem::replace(&mut start, end + 1)..=end])
        .collect();
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

/// The rule of chunks in words: as many whole lines as it takes to reach the
/// wished size, and at least one.
fn chunks_by_the_rule(text: &[u8], sizes: &[usize]) -> Vec<Vec<u8>> {
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    let mut open = false;
    for line in lines(text) {
        if !open {
            chunks.push(Vec::new());
        }
        let size = sizes[(chunks.len() - 1) % sizes.len()];
        let chunk = chunks.last_mut().unwrap();
        chunk.extend(line);
        open = chunk.len() < size;
    }
    if let Some(first) = chunks.first_mut() {
        *first = first
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(first)
            .to_vec();
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

/// The chunks of these sizes, over and over.
fn chunks_of<'a>(
    input: &'a mut Input,
    sizes: &'a [usize],
) -> impl Iterator<Item = Result<Chunk, Error>> + use<'a> {
    input.chunks(Cut::default().sizes(|i, _| sizes[i as usize % sizes.len()]))
}

fn cut(mut input: Input, sizes: &[usize]) -> Vec<Vec<u8>> {
    chunks_of(&mut input, sizes)
        .map(|chunk| chunk.unwrap().bytes().to_vec())
        .collect()
}

/// Copies the input to the output in chunks; gives what was folded.
fn copy(mut input: Input, sizes: &[usize], threads: usize, output: &Output) -> Vec<Vec<u8>> {
    let mut folded = Vec::new();
    pipeline::run(
        Threads::new(threads),
        chunks_of(&mut input, sizes),
        Some(output),
        || 0,
        |count, mut chunk, out| {
            // So that threads overtake each other.
            *count += 1;
            if (chunk.len() + *count) % 3 == 0 {
                thread::sleep(Duration::from_micros(200));
            }
            let bytes = chunk.bytes();
            if bytes.len() % 2 == 0 {
                out.exactly(bytes.len()).copy_from_slice(bytes);
            } else {
                let mut out = out.growing();
                for piece in bytes.chunks(*count) {
                    out.extend_from_slice(piece);
                }
            }
            bytes.to_vec()
        },
        |chunk| {
            folded.push(chunk);
            Ok::<(), Error>(())
        },
    )
    .unwrap();
    folded
}

/// The bytes of an item begin at a cache line, however they come, and in buffers of any history.
#[test]
fn bytes_are_aligned_however_they_come() {
    let steps = [1, 7, 4096, usize::MAX];
    let lengths = [0, 1, 63, 64, 1000, 10, 100_000, 5];
    let items = lengths
        .iter()
        .flat_map(|length| steps.map(|step| (*length, step)));
    let mut folded = 0;
    pipeline::run(
        Threads::new(1),
        items.map(Ok),
        None,
        || (),
        |(), (length, step), out| {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            if step == usize::MAX {
                let place = out.exactly(length);
                assert_eq!((place.len(), place.as_ptr().addr() % 64), (length, 0));
                return;
            }
            let mut growing = out.growing();
            for piece in bytes.chunks(step) {
                growing.write_all(piece).unwrap();
            }
            assert_eq!(growing.appended(), bytes);
            assert!(length == 0 || growing.appended().as_ptr().addr() % 64 == 0);
        },
        |()| {
            folded += 1;
            Ok::<(), Error>(())
        },
    )
    .unwrap();
    assert_eq!(folded, lengths.len() * steps.len());
}

/// Lines of many lengths, with all kinds of ends.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        "[a-z]{0,20}",
        prop::sample::select(vec!["\n", "\r\n", "\r"]),
    );
    let lines = prop::collection::vec(line, 0..60);
    (any::<bool>(), lines, "[a-z]{0,3}").prop_map(|(mark, lines, last)| {
        let mut text = if mark { "\u{feff}" } else { "" }.to_owned();
        text.extend(lines.into_iter().map(|(line, end)| line + end));
        (text + &last).into_bytes()
    })
}

proptest! {
    #![proptest_config(crate::support::slow(80))]

    #[test]
    fn chunks_are_cut_by_the_rule_from_files_and_streams(
        text in texts(),
        sizes in prop::collection::vec(1usize..100, 1..5),
        bit in 1usize..50,
    ) {
        let expected = chunks_by_the_rule(&text, &sizes);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, &text).unwrap();
        prop_assert_eq!(&cut(Input::open(&path).unwrap(), &sizes), &expected);
        let stream = Input::stream("bits", bits(&text, bit));
        prop_assert_eq!(&cut(stream, &sizes), &expected);
    }

    #[test]
    fn output_and_folding_are_in_input_order(
        text in texts(),
        sizes in prop::collection::vec(1usize..60, 1..5),
        threads in 1usize..5,
    ) {
        let expected = chunks_by_the_rule(&text, &sizes);

        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::write(&from, &text).unwrap();
        let output = Output::create(&to).unwrap();
        prop_assert!(output.is_file());
        prop_assert_eq!(&copy(Input::open(&from).unwrap(), &sizes, threads, &output), &expected);
        output.commit().unwrap();
        prop_assert_eq!(fs::read(&to).unwrap(), expected.concat());

        let (mut reader, writer) = io::pipe().unwrap();
        // It stands for one that the process inherits: those that it opens itself are not for output.
        let inherited = rustix::io::FdFlags::empty();
        rustix::io::fcntl_setfd(&writer, inherited).unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let output = Output::create(Path::new(&path)).unwrap();
        prop_assert!(!output.is_file());
        let stream = Input::stream("bits", bits(&text, 7));
        prop_assert_eq!(&copy(stream, &sizes, threads, &output), &expected);
        drop((output, writer));
        let mut written = Vec::new();
        reader.read_to_end(&mut written).unwrap();
        prop_assert_eq!(written, expected.concat());
    }
}

#[test]
fn chunks_start_small_and_stay_bounded_in_bytes_and_in_lines() {
    let long = [b"x".repeat(80), b"\n".to_vec()].concat().repeat(50);
    let sizes: Vec<_> = (0..100).map(|i| chunk_size(i, &long)).collect();
    assert!(sizes.is_sorted());
    assert!(sizes[0] <= 82 << 10 && sizes[99] <= 1 << 20);
    assert_eq!(chunk_size(u64::MAX, &long), sizes[99]);
    for line in ["\n", "x\n", "a dozen byte\n", "x\r", "x\r\n"] {
        let size = chunk_size(99, line.repeat(100).as_bytes());
        assert!(size / line.len() <= sizes[99] / 60, "{line:?}: {size}");
        assert!(size > 0);
    }
    assert_eq!(chunk_size(99, b""), sizes[99]);
}

#[test]
fn a_line_without_end_is_an_error_in_files_and_streams() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long");
    for (length, is_error) in [(LONGEST_LINE, false), (LONGEST_LINE + 11, true)] {
        fs::write(&path, vec![b'x'; length]).unwrap();
        let name = path.display().to_string();
        let stream = Input::stream(&name, fs::File::open(&path).unwrap());
        for mut input in [Input::open(&path).unwrap(), stream] {
            let first = chunks_of(&mut input, &[10]).next().unwrap();
            match (first, is_error) {
                (Ok(chunk), false) => assert_eq!(chunk.len(), length),
                (Err(error @ Error::LongLine { position: 10, .. }), true) => {
                    let wanted = format!("{name}:8: no line ends");
                    let error = error.after_lines(7).to_string();
                    assert!(error.starts_with(&wanted), "{error}");
                }
                (other, _) => panic!("{:?}", other.map(|chunk| chunk.len())),
            }
        }
    }
}

/// Many chunks, and a line that is longer than any. More lines find an end that is seldom seen.
#[test]
fn a_large_file_is_cut_by_the_rule() {
    let mut text = Vec::new();
    for i in 0..crate::support::cases(30_000) {
        let end = [&b"\n"[..], b"\r\n", b"\r"][i % 3];
        text.extend(std::iter::repeat_n(b'x', i * i % 300).chain(end.iter().copied()));
    }
    text.extend(std::iter::repeat_n(b'y', LONGEST_LINE).chain(*b"\nz"));
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &text).unwrap();
    let sizes = [1_000_000, 3_000, LONGEST_LINE + 1, 77_777];
    let expected = chunks_by_the_rule(&text, &sizes);
    assert!(cut(Input::open(file.path()).unwrap(), &sizes) == expected);
    let stream = Input::stream("stream", fs::File::open(file.path()).unwrap());
    assert!(cut(stream, &sizes) == expected);
}

/// A chunk ends with a whole CR LF, wherever what is read at a time ends.
#[test]
fn no_chunk_ends_between_cr_and_lf() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    for length in (1..40)
        .chain(1000..1050)
        .chain(2030..2070)
        .chain(4080..4110)
    {
        for end in ["\r\n", "\r"] {
            let text = ["x".repeat(length), "y".into()].join(end).into_bytes();
            fs::write(&path, &text).unwrap();
            let expected = chunks_by_the_rule(&text, &[10]);
            assert_eq!(cut(Input::open(&path).unwrap(), &[10]), expected);
            let stream = Input::stream("bits", bits(&text, 7));
            assert_eq!(cut(stream, &[10]), expected);
        }
    }
}

/// The kernel makes up these files: some have no size, some less than their size.
#[test]
fn files_with_a_wrong_size_are_read() {
    let all = [
        "/proc/version",
        "/sys/kernel/address_bits",
        "/sys/kernel/fscaps",
    ];
    for path in all.map(Path::new).iter().filter(|path| path.exists()) {
        let mut input = Input::open(path).unwrap();
        let mut chunk = input.chunks(Cut::default()).next().unwrap().unwrap();
        assert_eq!(chunk.bytes(), fs::read(path).unwrap(), "{path:?}");
    }
}

/// Events of a file while it is read, and whether they are a change.
#[test]
fn a_change_of_a_file_is_seen_at_the_end() {
    let text = b"line\n".repeat(1000);
    type Change = fn(&Path);
    let changes: [(Change, bool); 6] = [
        (|_| {}, false),
        (|path| drop(fs::read(path).unwrap()), false),
        (
            |path| fs::rename(path, path.with_extension("away")).unwrap(),
            false,
        ),
        (
            |path| {
                let other = path.with_extension("other");
                fs::write(&other, "another").unwrap();
                fs::rename(other, path).unwrap();
            },
            false,
        ),
        (
            |path| {
                let mut file = fs::File::options().write(true).open(path).unwrap();
                file.seek(SeekFrom::Start(2500)).unwrap();
                file.write_all(b"LINE").unwrap();
            },
            true,
        ),
        (
            |path| {
                let mut file = fs::File::options().append(true).open(path).unwrap();
                file.write_all(b"more\n").unwrap();
            },
            true,
        ),
    ];
    for (i, (change, is_change)) in changes.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, &text).unwrap();
        let mut input = Input::open(&path).unwrap();
        // Longer than a tick of the file system's clock.
        thread::sleep(Duration::from_millis(30));
        let mut chunks: Vec<_> = chunks_of(&mut input, &[2000]).collect();
        let mut first = |at: usize| {
            let chunk = chunks[at].as_mut().unwrap();
            chunk.bytes().to_vec()
        };
        let before = [first(0), first(1)];
        change(&path);
        // Bytes that were read stay.
        assert_eq!([first(0), first(1)], before, "change {i}");
        drop(chunks);
        match input.check_unchanged() {
            Ok(()) => assert!(!is_change, "change {i}"),
            Err(Error::Changed { name }) => {
                assert!(is_change, "change {i}");
                assert_eq!(name, path.display().to_string());
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A file that is cut short before its chunks are cut gives an error.
#[test]
fn no_chunk_is_cut_of_a_file_that_was_cut_short() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), b"line\n".repeat(8 << 20)).unwrap();
    let mut input = Input::open(file.path()).unwrap();
    let mut chunks = chunks_of(&mut input, &[1 << 20]);
    chunks.next().unwrap().unwrap();
    file.as_file().set_len(17 << 20).unwrap();
    let error = chunks.find_map(Result::err).unwrap();
    assert!(matches!(error, Error::Changed { .. }), "{error:?}");
}

/// A file that was cut short after its chunks were cut has zeros there, and an error at the end.
#[test]
#[cfg(unix)]
fn bytes_that_a_file_lost_are_zeros_and_an_error() {
    let text = b"line\n".repeat(1 << 20);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &text).unwrap();
    let mut input = Input::open(file.path()).unwrap();
    let chunks = chunks_of(&mut input, &[1 << 20]).take(3);
    let mut chunks: Vec<_> = chunks.map(Result::unwrap).collect();
    let kept = 1_500_000;
    file.as_file().set_len(kept).unwrap();
    let mut at = 0;
    for chunk in &mut chunks {
        for &byte in chunk.bytes() {
            let expected = if at < kept as usize { text[at] } else { 0 };
            assert_eq!(byte, expected, "{at}");
            at += 1;
        }
    }
    assert!(at > 3 << 20);
    drop(chunks);
    let error = input.check_unchanged().unwrap_err();
    assert!(matches!(error, Error::Changed { .. }), "{error:?}");
    // It has its size again: the bytes stay lost.
    file.as_file().set_len(text.len() as u64).unwrap();
    assert!(input.check_unchanged().is_err());
}

/// Runs over numbers, with the nothing that each writes.
fn run_numbers<E: From<Error> + Send>(
    items: impl Iterator<Item = Result<u64, Error>> + Send,
    work: impl Fn(u64) -> u64 + Sync,
    fold: impl FnMut(u64) -> Result<(), E> + Send,
) -> Result<(), E> {
    let output = Output::create(Path::new("/dev/null")).unwrap();
    pipeline::run(
        Threads::new(3),
        items,
        Some(&output),
        || (),
        |(), n, _| work(n),
        fold,
    )
}

#[test]
fn no_thread_runs_far_ahead_of_a_slow_one() {
    let (taken, folded) = (AtomicU64::new(0), AtomicU64::new(0));
    let most_ahead = AtomicU64::new(0);
    let items = (0..500).map(|n| {
        let ahead = taken.fetch_add(1, Ordering::SeqCst) + 1 - folded.load(Ordering::SeqCst);
        most_ahead.fetch_max(ahead, Ordering::SeqCst);
        Ok(n)
    });
    let work = |n| {
        if n % 50 == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        n
    };
    run_numbers(items, work, |n| {
        assert_eq!(n, folded.fetch_add(1, Ordering::SeqCst));
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(folded.into_inner(), 500);
    // Four for each of three threads, and the one that is being folded.
    assert!(most_ahead.into_inner() <= 13);
}

#[test]
fn errors_end_the_run() {
    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("pipeline")]
        Pipeline(#[from] Error),
        #[error("fold")]
        Fold(u64),
    }

    let items = (0..).map(|n| match n {
        100 => Err(Error::Read {
            name: "in".into(),
            source: io::Error::other("torn"),
        }),
        n => Ok(n),
    });
    let error = run_numbers(items, |n| n, |_| Ok(())).unwrap_err();
    assert!(matches!(error, Failure::Pipeline(Error::Read { .. })));

    let fold = |n| {
        if n == 100 {
            Err(Failure::Fold(n))
        } else {
            Ok(())
        }
    };
    let error = run_numbers((0..).map(Ok), |n| n, fold).unwrap_err();
    assert!(matches!(error, Failure::Fold(100)));

    let full = Output::create(Path::new("/dev/full")).unwrap();
    let error = pipeline::run(
        Threads::new(3),
        (0..).map(Ok),
        Some(&full),
        || (),
        |(), n, out| out.exactly(8).copy_from_slice(&u64::to_ne_bytes(n)),
        |()| Ok::<(), Error>(()),
    );
    match error {
        Err(Error::Write { name, .. }) => assert_eq!(name, "/dev/full"),
        other => panic!("{other:?}"),
    }
}

/// A closure of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Closure {
    Items,
    State,
    Work,
    Fold,
}

/// Runs over 0, 1, 2 … until a closure panics at each of some items. Gives what was folded, and
/// the error.
fn run_into_panics(
    at: Closure,
    panics: impl Fn(u64) -> bool + Sync,
    threads: usize,
    edits: bool,
    output: &Output,
) -> (Vec<u64>, Error) {
    let panic_at = |closure, item| {
        if closure == at && panics(item) {
            panic!("this panic is meant: {closure:?} at {item}");
        }
    };
    let mut folded = Vec::new();
    let error = pipeline::run_in_order(
        Threads::new(threads),
        (0..).map(|n| {
            panic_at(Closure::Items, n);
            Ok(Some(n))
        }),
        Some(output),
        // The first item of a thread is one of the first, or comes after the end.
        || panic_at(Closure::State, 0),
        pipeline::whole(|(), n, out| {
            // So that threads overtake each other.
            if n % 7 == 0 {
                thread::sleep(Duration::from_micros(300));
            }
            panic_at(Closure::Work, n);
            out.exactly(8).copy_from_slice(&n.to_ne_bytes());
            n
        }),
        edits,
        |n, bytes: &mut [u8]| {
            panic_at(Closure::Fold, n);
            folded.push(n);
            Ok::<_, Error>(0..bytes.len())
        },
    );
    (folded, error.unwrap_err())
}

/// The first item at which a closure panics ends the run, for any number of threads. All items
/// before it are folded, and none after it. A file does not appear.
#[test]
fn a_panic_is_an_error_in_the_order_of_the_items() {
    use Closure::{Fold, Items, Work};
    let folder = tempfile::tempdir().unwrap();
    for (name, is_file) in [("text", true), ("text.gz", true), ("/dev/null", false)] {
        for closure in [Items, Work, Fold] {
            for threads in [1, 2, 8, 33] {
                for edits in [false, true] {
                    let path = folder.path().join(name);
                    let mut output = Output::create(&path).unwrap();
                    if name.ends_with(".gz") {
                        output = output.compressed("gzip".parse().unwrap()).unwrap();
                    }
                    // Each later item panics too, and some do so sooner.
                    let panics = |n| n >= 100;
                    let (folded, error) = run_into_panics(closure, panics, threads, edits, &output);
                    let Error::Panicked { item, message } = &error else {
                        panic!("{error:?}");
                    };
                    assert_eq!(*item, 100, "{closure:?}, {threads} threads");
                    let expected = format!("this panic is meant: {closure:?} at 100");
                    assert_eq!(*message, expected);
                    assert!(error.to_string().contains(&expected));
                    assert!(folded.iter().copied().eq(0..100), "{folded:?}");
                    drop(output);
                    assert_eq!(path.exists(), !is_file);
                }
            }
        }
    }
    let null = Output::create(Path::new("/dev/null")).unwrap();
    let (folded, error) = run_into_panics(Closure::State, |_| true, 8, false, &null);
    assert!(
        matches!(error, Error::Panicked { item: 0, .. }),
        "{error:?}"
    );
    assert!(folded.is_empty());
}

/// An error before a panic counts, and a panic before an error, whichever comes first in time.
#[test]
fn the_first_of_errors_and_panics_counts() {
    for threads in [1, 2, 8] {
        for (fails, panics) in [(60u64, 61u64), (61, 60), (40, 70), (70, 40)] {
            for slow in [fails, panics] {
                let error = pipeline::run(
                    Threads::new(threads),
                    (0..).map(Ok),
                    Some(&Output::create(Path::new("/dev/null")).unwrap()),
                    || (),
                    |(), n, _| {
                        if n == slow {
                            thread::sleep(Duration::from_millis(3));
                        }
                        assert_ne!(n, panics, "this panic is meant");
                        n
                    },
                    |n| match n == fails {
                        true => Err(Error::Changed { name: "in".into() }),
                        false => Ok(()),
                    },
                );
                let error = error.unwrap_err();
                let is_first = match error {
                    Error::Changed { .. } => fails < panics,
                    Error::Panicked { item, .. } => item == panics && panics < fails,
                    _ => false,
                };
                assert!(is_first, "{error:?}, {fails}, {panics}, {threads} threads");
            }
        }
    }
}

/// A panic whose message is no text.
#[test]
fn a_panic_without_text_is_reported() {
    let work = |_| std::panic::panic_any(7);
    let error = run_numbers((0..).map(Ok), work, |_| Ok::<(), Error>(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a thread panicked at item 0: it gave no message"
    );
}

mod outputs {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The access control list that lets user 1 read too, as the kernel keeps it: a version,
    /// then tag, rights and number of each entry.
    fn access_list() -> Vec<u8> {
        const NOBODY: u32 = u32::MAX;
        let entries = [
            (0x01, 6, NOBODY),
            (0x02, 4, 1),
            (0x04, 4, NOBODY),
            (0x10, 4, NOBODY),
        ];
        let mut list = 2u32.to_le_bytes().to_vec();
        for (tag, rights, number) in entries.into_iter().chain([(0x20, 0, NOBODY)]) {
            list.extend(u16::to_le_bytes(tag));
            list.extend(u16::to_le_bytes(rights));
            list.extend(u32::to_le_bytes(number));
        }
        list
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_belongs_to_the_name_of_a_file_is_kept() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let target = folder.path().join("target");
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        let list = access_list();
        let all = [
            ("user.note", &b"mine"[..]),
            ("system.posix_acl_access", &list),
        ];
        // Not every file system has both.
        let kept = all
            .iter()
            .filter(|(name, value)| setxattr(&target, *name, value, XattrFlags::empty()).is_ok());
        let kept: Vec<_> = kept.collect();
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        let output = Output::create(&target).unwrap();
        output.write_next(b"new").unwrap();
        output.commit().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode(), mode);
        for (name, value) in kept {
            let mut now = [0; 1000];
            let length = getxattr(&target, *name, &mut now[..]).unwrap();
            assert_eq!(now[..length], **value, "{name}");
        }
    }

    #[test]
    fn a_closed_output_takes_its_place_when_it_is_committed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let output = Output::create(&target).unwrap();
        output.write_next(b"all").unwrap();
        let closed = output.end().unwrap().close().unwrap();
        assert!(!target.exists());
        closed.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"all");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn a_target_changes_when_the_output_is_committed_and_no_sooner() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        for before in [None, Some("first")] {
            let output = Output::create(&target).unwrap();
            output.write_next(b"first").unwrap();
            assert_eq!(fs::read_to_string(&target).ok().as_deref(), before);
            output.commit().unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), "first");
        }
        let output = Output::create(&target).unwrap();
        output.write_next(b"second").unwrap();
        drop(output);
        assert_eq!(fs::read_to_string(&target).unwrap(), "first");
        assert_eq!(names(folder.path()), ["target"]);
    }

    #[test]
    fn a_long_file_takes_no_more_room_than_its_bytes() {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let bytes: Vec<u8> = (0..6_000_001u32).map(|n| (n % 251) as u8).collect();
        let output = Output::create(&target).unwrap();
        for part in bytes.chunks(700_000) {
            output.write_next(part).unwrap();
        }
        output.commit().unwrap();
        assert!(fs::read(&target).unwrap() == bytes);
        assert!(fs::metadata(&target).unwrap().blocks() * 512 < 6_100_000);
    }

    #[test]
    fn permissions_and_links_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("target", &link).unwrap();
        let output = Output::create(&link).unwrap();
        output.write_next(b"new").unwrap();
        output.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let about = fs::metadata(folder.path().join(name)).unwrap();
            about.permissions().mode()
        };
        fs::write(folder.path().join("plain"), "").unwrap();
        let output = Output::create(&folder.path().join("ours")).unwrap();
        output.commit().unwrap();
        assert_eq!(mode("ours"), mode("plain"));
    }

    #[test]
    fn a_dangling_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("target", &link).unwrap();
        Output::create(&link).unwrap().commit().unwrap();
        assert_eq!(names(folder.path()), ["link", "target"]);
        symlink("round", folder.path().join("round")).unwrap();
        assert!(Output::create(&folder.path().join("round")).is_err());
    }

    /// Names that lead to one file, whether it exists or not.
    #[test]
    fn a_file_has_one_identity() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| Identity::of(&folder.path().join(name));
        fs::create_dir(folder.path().join("sub")).unwrap();
        symlink("target", folder.path().join("link")).unwrap();
        symlink("sub", folder.path().join("linked")).unwrap();
        for exists in [false, true] {
            if exists {
                fs::write(folder.path().join("target"), "").unwrap();
                fs::hard_link(folder.path().join("target"), folder.path().join("hard")).unwrap();
                assert_eq!(of("hard"), of("target"));
            }
            assert!(of("target").is_some());
            for name in ["./target", "link", "sub/../target", "linked/../target"] {
                assert_eq!(of(name), of("target"), "{name} {exists}");
            }
            for name in ["other", "Target", "sub/target", "sub", "missing/target"] {
                assert_ne!(of(name), of("target"), "{name} {exists}");
            }
        }
        assert_eq!(of("missing/./a/b"), of("linked/../missing/a/b"));
        assert_eq!(of("sub/x"), of("linked/x"));
        assert_eq!(Identity::of(Path::new("/dev/null")), None);
    }
}

#[test]
fn turns_come_in_order() {
    let turns = Turns::new(Vec::new());
    thread::scope(|scope| {
        for first in (0..4).rev() {
            let turns = &turns;
            scope.spawn(move || {
                for number in (first..100).step_by(4) {
                    turns.take(number, |seen| seen.push(number));
                }
            });
        }
    });
    turns.with(|seen| assert!((0..100).eq(seen.iter().copied())));
}

/// Nobody waits for a thread that panicked, before its turn or in it. Earlier turns, which
/// may begin after the panic, go on.
#[test]
fn abandoned_turns_do_not_hang() {
    const BROKEN: u64 = 3;
    for in_turn in [false, true] {
        let turns = Turns::new(Vec::new());
        let ended: Vec<bool> = thread::scope(|scope| {
            let turns = &turns;
            let take = |number| scope.spawn(move || turns.take(number, |seen| seen.push(number)));
            let later: Vec<_> = (BROKEN + 1..7).map(take).collect();
            let broken = scope.spawn(move || {
                struct Guard<'t>(&'t Turns<Vec<u64>>);
                impl Drop for Guard<'_> {
                    fn drop(&mut self) {
                        self.0.abandon(BROKEN);
                    }
                }
                let _guard = Guard(turns);
                match in_turn {
                    true => turns.take(BROKEN, |_| panic!("this panic is meant: in the turn")),
                    false => panic!("this panic is meant: before the turn"),
                }
            });
            let mut earlier = Vec::new();
            if in_turn {
                earlier.extend((0..BROKEN).map(take));
                assert!(broken.join().is_err());
            } else {
                assert!(broken.join().is_err());
                earlier.extend((0..BROKEN).rev().map(take));
            }
            let all = earlier.into_iter().chain(later);
            all.map(|thread| thread.join().is_ok()).collect()
        });
        assert_eq!(ended, [true, true, true, false, false, false]);
        turns.with(|seen| assert_eq!(*seen, [0, 1, 2]));
    }
}

#[test]
fn repeats_are_found_over_all_ranges() {
    // Few bytes of memory make many ranges of numbers.
    let mut spill = Spill::new(32 * 100).unwrap();
    let key = |number: u64| u128::from(number * number % 701) << 117 ^ 5;
    let mut seen = HashMap::new();
    let mut expected = Vec::new();
    for number in 0..3000 {
        // Every seventh record has no key.
        if number % 7 == 0 {
            expected.push(None);
            continue;
        }
        spill.push(key(number), number).unwrap();
        expected.push(seen.get(&key(number)).copied());
        seen.entry(key(number)).or_insert(number);
    }
    let set = || {
        let mut distinct = FirstSeen::new();
        move |key, number| distinct.insert(key, number)
    };
    let mut repeats = spill.find(3000, set).unwrap();
    assert_eq!(repeats.ranges(), 30);
    for (number, expected) in (0..).zip(expected) {
        assert_eq!(repeats.first(number).unwrap(), expected);
    }
}
