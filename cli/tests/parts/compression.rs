//! The names, levels and endings of the compressed formats.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use sudoku_batch_cli::pipeline::{
    Error,
    compression::{Format, Packing},
    input::Input,
    output::Output,
};

#[test]
fn names_and_levels() {
    for (name, format, level) in [
        ("gzip", Format::Gzip, 3),
        ("zstd", Format::Zstd, 1),
        ("gzip:0", Format::Gzip, 0),
        ("gzip:9", Format::Gzip, 9),
        ("zstd:22", Format::Zstd, 22),
        ("zstd:-7", Format::Zstd, -7),
    ] {
        let packing: Packing = name.parse().unwrap();
        assert_eq!(
            (packing.format(), packing.level()),
            (format, level),
            "{name}"
        );
    }
    for (name, error) in [
        (
            "xz",
            "no format of compression is called \"xz\"; one of: gzip, zstd",
        ),
        ("gzip:10", "gzip has the levels 0 to 9"),
        ("gzip:-1", "gzip has the levels 0 to 9"),
        ("zstd:23", "zstd has the levels -7 to 22"),
        ("zstd:", "zstd has the levels -7 to 22"),
        ("zstd:fast", "zstd has the levels -7 to 22"),
    ] {
        let message = name.parse::<Packing>().unwrap_err().to_string();
        assert_eq!(message, error);
    }
}

#[test]
fn endings() {
    for (path, format) in [
        ("a.gz", Some(Format::Gzip)),
        ("a.csv.zst", Some(Format::Zstd)),
        ("a.gz.txt", None),
        ("gz", None),
        (".gz", None),
        ("a.GZ", Some(Format::Gzip)),
    ] {
        let packing = Packing::by_ending(path.as_ref());
        assert_eq!(packing.map(Packing::format), format, "{path}");
    }
}

/// A stream gives a byte at a time, and the input asks for no more of them than it takes to see
/// whether it is compressed.
#[test]
fn no_more_bytes_are_read_than_it_takes_to_decide() {
    struct Counted(&'static [u8], Arc<AtomicUsize>);
    impl Read for Counted {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.read(&mut to[..1])
        }
    }
    for (head, reads, format) in [
        (&b"\x1f\x8b and more"[..], 2, Some(Format::Gzip)),
        (b"\x28\xb5\x2f\xfd and more", 4, Some(Format::Zstd)),
        (b"\x5f*M\x18 and more", 4, Some(Format::Zstd)),
        (b"\x60*M\x18", 1, None),
        (b"4..", 1, None),
        (b"7.", 2, None),
        (b"Pu", 2, None),
        (b"quizzes,solutions", 1, None),
        // A picture may begin so.
        (b"\0", 2, None),
        // These may go on as a compressed stream does, up to their end.
        (b"", 1, None),
        (b"\x1f", 2, None),
        (b"\x28\xb5\x2f", 4, None),
        (b"\x50*M", 4, None),
        (b"7", 2, None),
        (b"P", 2, None),
    ] {
        let count = Arc::new(AtomicUsize::new(0));
        let mut input = Input::stream("it", Counted(head, Arc::clone(&count)));
        assert_eq!(input.compression().unwrap(), format, "{head:?}");
        assert_eq!(count.load(Ordering::Relaxed), reads, "{head:?}");
    }
    let mut zip = Input::stream("it", &b"PK\x03\x04 and more"[..]);
    let error = zip.compression().unwrap_err();
    assert!(matches!(error, Error::Foreign { foreign, .. } if foreign.kind == "a zip archive"));
}

/// RFC 1952, 2.3.1: the tenth byte names the system, and 3 is Unix. The same bytes come from every
/// system, so it is the same on Windows.
#[test]
fn gzip_names_one_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.gz");
    let output = Output::create(&path).unwrap();
    let packing = Packing::by_ending(&path).unwrap();
    let output = output.compressed(packing).unwrap();
    output.write_next(b"text").unwrap();
    output.commit().unwrap();
    let member = std::fs::read(&path).unwrap();
    assert_eq!(member[..4], [0x1f, 0x8b, 8, 0]);
    assert_eq!(member[9], 3);
}
