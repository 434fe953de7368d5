//! The names, levels and endings of the compressed formats.

use sudoku_batch::pipeline::compression::{Format, Packing};

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
            "'xz' is not a format of compression; there is: gzip, zstd",
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
        ("a.GZ", None),
    ] {
        let packing = Packing::by_ending(path.as_ref());
        assert_eq!(packing.map(Packing::format), format, "{path}");
    }
}
