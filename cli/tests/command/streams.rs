//! `sudoku-batch solve` on bytes as they come: compressed, from pipes, damaged, without end.
//! Inputs are compressed by the crates that the program uses too, and outputs are read back by
//! the tools `gzip` and `zstd` where they are installed.

#![cfg(unix)]

use crate::support::{
    cases, has_turn,
    runner::{Folder, Ran, Running},
    tools,
};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

fn data(name: &str) -> String {
    fs::read_to_string(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The puzzles of the data so many times, and their solutions.
fn puzzles(times: usize) -> (String, String) {
    (
        data("easy.txt").repeat(times),
        data("easy.solved.txt").repeat(times),
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

type Pack = fn(&[u8]) -> Vec<u8>;

/// The name of each format, and what packs bytes in it.
const PACKERS: [(&str, Pack); 2] = [("gzip", gzip), ("zstd", zstd)];

/// Runs a line of bash on a folder in which there is an output file already: it must fail with
/// exit status 2, say why, and leave that file as it was.
#[track_caller]
fn fails(folder: &Folder, line: &str, says: &str) {
    fs::write(folder.file("out"), "before").unwrap();
    let ran: Ran = folder.bash(line).status(2).says(says);
    assert_eq!(ran.stdout, "", "{line}");
    assert_eq!(folder.read("out"), "before", "{line}");
    let left = folder.names();
    let hidden = left.iter().find(|name| name.starts_with('.'));
    assert_eq!(hidden, None, "{line}");
}

#[test]
fn compressed_input_from_files_pipes_and_named_pipes() {
    let (text, solved) = puzzles(20);
    for (_, pack) in PACKERS {
        // Two members or frames, cut within a line.
        let (first, last) = text.as_bytes().split_at(text.len() / 3 + 5);
        let packed = [pack(first), pack(last)].concat();
        let folder = Folder::new().with("in", &packed);
        for line in [
            "$P solve in -q",
            "$P solve -q < in",
            "cat in | $P solve -q",
            "mkfifo pipe; cat in > pipe & $P solve -q pipe",
            "$P solve -q -j1 <(cat in)",
        ] {
            let ran = folder.bash(line).status(0);
            assert!(ran.stdout == solved, "{line}");
        }
    }
}

#[test]
fn compressed_output_by_the_ending() {
    let (text, solved) = puzzles(cases(30));
    let folder = Folder::new().with("in", &text);
    for (ending, tool) in [("gz", "gzip"), ("zst", "zstd")] {
        let mut written = Vec::new();
        for threads in [1, 2, 7] {
            folder
                .run(&format!("solve in -q -j {threads} -o out.{ending}"))
                .status(0);
            written.push(fs::read(folder.file(&format!("out.{ending}"))).unwrap());
        }
        assert!(written[0].len() < solved.len() / 2);
        assert!(written.iter().all(|bytes| *bytes == written[0]));
        // From a pipe, and from compressed text.
        fs::write(folder.file("in.packed"), zstd(text.as_bytes())).unwrap();
        for source in ["cat in |", "cat in.packed |", "< in.packed"] {
            folder
                .bash(&format!("{source} $P solve -q -o piped.{ending}"))
                .status(0);
            let piped = fs::read(folder.file(&format!("piped.{ending}"))).unwrap();
            assert!(piped == written[0], "{source}");
        }
        // It is read back by the tool, and by the program: a solved grid is its own solution.
        if tools::has(tool) {
            let line = format!("{tool} -dc out.{ending}");
            assert!(folder.bash(&line).status(0).stdout == solved);
        }
        let again = folder.run(&format!("solve -q out.{ending}")).status(0);
        assert!(again.stdout == solved);
    }
}

#[test]
fn compressed_rejects() {
    let folder = Folder::new().with("in", "123\n456\n");
    folder
        .run("solve in -q --input-format line --rejects bad.gz -o out")
        .status(1);
    let bad = folder.bash("gzip -dc bad.gz");
    if bad.status == Some(0) {
        assert!(bad.stdout.starts_with("1\tmalformed\t"), "{bad:?}");
        assert_eq!(bad.stdout.lines().count(), 2);
    }
}

#[test]
fn a_compressed_input_that_is_cut_short() {
    let (text, _) = puzzles(20);
    for (name, pack) in PACKERS {
        let packed = pack(text.as_bytes());
        let cut = packed.len() / 2;
        let folder = Folder::new().with("in", &packed[..cut]);
        let says = format!("{name} data is damaged at byte {cut}, after ");
        fails(&folder, "$P solve in -o out", &format!("in: its {says}"));
        fails(
            &folder,
            "cat in | $P solve -o out",
            &format!("<stdin>: its {says}"),
        );
        let folder = Folder::new().with("in", &packed[..packed.len() - 1]);
        fails(&folder, "$P solve in -o out", "it ends in the middle of a ");
        // Also where only a pipe is written.
        let ran = folder.bash("$P solve in | tail -c 20").stderr;
        assert!(ran.contains("it ends in the middle of a "), "{ran}");
    }
}

#[test]
fn a_compressed_input_with_damaged_bytes() {
    let (text, _) = puzzles(20);
    for (name, pack) in PACKERS {
        let mut packed = pack(text.as_bytes());
        let middle = packed.len() / 2;
        for byte in &mut packed[middle..middle + 3000] {
            *byte ^= 0x33;
        }
        let folder = Folder::new().with("in", &packed);
        let says = format!("in: its {name} data is damaged at byte ");
        fails(&folder, "$P solve in -o out", &says);
        // Text behind the last member or frame is not left out.
        let folder = Folder::new().with("in", [&pack(text.as_bytes())[..], b"more"].concat());
        fails(&folder, "$P solve in -o out", "begins here");
    }
}

/// A tar with one file: a header by POSIX (or, without the word `ustar`, by Unix of 1979), the content, and
/// two blocks of zeros.
fn tar(content: &str, is_old: bool) -> Vec<u8> {
    let mut header = [0_u8; 512];
    let mut put =
        |at: usize, text: &str| header[at..][..text.len()].copy_from_slice(text.as_bytes());
    put(0, "puzzles.txt");
    put(100, "0000644\x000001750\x000001750\0");
    put(124, &format!("{:011o}\x0014713371337\0", content.len()));
    put(148, "        0");
    if !is_old {
        put(257, "ustar\x0000user");
    }
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut archive = [&header[..], content.as_bytes()].concat();
    archive.resize(archive.len().next_multiple_of(512) + 1024, 0);
    archive
}

/// All that reads a file names the kind of an archive, and what unpacks it.
#[test]
fn an_archive_is_named_wherever_files_are_read() {
    let text = data("easy.txt");
    let few = text.lines().take(3).collect::<Vec<_>>().join("\n") + "\n";
    let mut folder = Folder::new().with("good.txt", &few);
    let mut archives = vec![
        ("zip", "unzip -p", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec()),
        ("xz", "xz -dc", b"\xfd7zXZ\0\0\x04\xe6".to_vec()),
        ("bzip2", "bzip2 -dc", b"BZh91AY&SY\x80".to_vec()),
        ("lz4", "lz4 -dc", b"\x04\x22\x4d\x18d@".to_vec()),
        ("7z", "7z x -so", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec()),
    ];
    for content in [&few, &text] {
        for is_old in [false, true] {
            let tar = tar(content, is_old);
            archives.extend([gzip(&tar), zstd(&tar), tar].map(|tar| ("tar", "tar -xOf", tar)));
        }
    }
    for (kind, tool, bytes) in &archives {
        folder = folder.with("in", bytes);
        let article = if ["xz", "lz4"].contains(kind) {
            "an"
        } else {
            "a"
        };
        let says = format!(
            "in is {article} {kind} archive: unpack it first, as in {tool} FILE | sudoku-batch …"
        );
        fails(&folder, "$P solve in -o out", &says);
        fails(&folder, "$P check good.txt --answers in -o out", &says);
        let says = says.replacen("in is", "<stdin> is", 1);
        fails(&folder, "cat in | $P solve -o out", &says);
    }
    let says = "in is a tar archive: unpack it first";
    for command in [
        "convert",
        "check",
        "count",
        "solutions",
        "canonical",
        "dedup",
        "filter",
        "augment -k 2",
        "stats",
        "rank",
        "rate",
        "trace",
        "check --grids",
        "solve --input-format line",
        "solve good.txt",
        "puzzles 1 --from",
    ] {
        fails(&folder, &format!("$P {command} in -o out"), says);
    }
    fails(&folder, "$P split --test 10% in --output-dir parts", says);
    fails(&folder, "$P show in", says);
    fails(&folder, "$P bench in", says);
    fails(&folder, "$P psp -s in", says);
    // The tool tells the same kinds.
    if tools::has("tar") {
        let folder = Folder::new().with("good.txt", &few);
        fails(
            &folder,
            "tar -cf in.tar good.txt && $P solve in.tar -o out",
            "in.tar is a tar archive",
        );
        fails(
            &folder,
            "tar -czf in.tgz good.txt && $P solve in.tgz -o out",
            "in.tgz is a tar archive",
        );
        let ran = folder.bash("tar -xOf in.tgz | $P convert -q").status(0);
        ran.prints(&few);
    }
}

/// A zip archive of files without content, but for one that is not packed.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = Vec::new();
    for (name, content) in files {
        let [size, length] = [content.len(), name.len()].map(|n| u8::try_from(n).unwrap());
        zip.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0");
        zip.extend([size, 0, 0, 0, size, 0, 0, 0, length, 0, 0, 0]);
        zip.extend(name.as_bytes());
        zip.extend(content.as_bytes());
    }
    zip
}

/// Files of kinds that people have puzzles in, by their first bytes: what each is, and the command that makes a text
/// of it. (A test of the commands would need numpy, pandas and others.)
fn foreign() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let types = ("[Content_Types].xml", "<Types/>");
    let of = "application/vnd.oasis.opendocument";
    let [table, text] = ["spreadsheet", "text"].map(|kind| format!("{of}.{kind}"));
    let npy = b"\x93NUMPY\x01\0v\0{'descr': '<i8', 'fortran_order': False, 'shape': (1, 81), }";
    let old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";
    vec![
        (
            "a numpy array (npy)",
            "numpy.savetxt(sys.stdout, f.reshape(-1, 81), '%g', ',')\" FILE |",
            npy.to_vec(),
        ),
        (
            "a file of numpy arrays (npz)",
            "f[f.files[0]].reshape(-1, 81), '%g', ',')\" FILE |",
            zip(&[("quizzes.npy", "x")]),
        ),
        (
            "a Parquet file",
            "pandas.read_parquet(sys.argv[1]).to_csv(sys.stdout, index=False)\" FILE |",
            b"PAR1\x15\x04\x15\xfe\x03".to_vec(),
        ),
        (
            "an Arrow file (Feather)",
            "pandas.read_feather(sys.argv[1]).to_csv(",
            b"ARROW1\0\0\xff\xff".to_vec(),
        ),
        (
            "an Excel file (xlsx)",
            "soffice --headless --convert-to csv FILE",
            zip(&[types, ("xl/workbook.xml", "")]),
        ),
        (
            "an Excel file (xlsx)",
            "save it as CSV",
            zip(&[("docProps/app.xml", ""), ("xl/styles.xml", "")]),
        ),
        (
            "an Office document",
            "save it as CSV",
            zip(&[types, ("_rels/.rels", "")]),
        ),
        (
            "a Word document (docx)",
            "soffice --headless --convert-to txt:Text FILE",
            zip(&[types, ("word/document.xml", "")]),
        ),
        (
            "an OpenDocument table (ods)",
            "save it as CSV",
            zip(&[("mimetype", &table)]),
        ),
        (
            "an OpenDocument text (odt)",
            "save it as plain text",
            zip(&[("mimetype", &text)]),
        ),
        ("an Excel file (xls)", "save it as CSV", old.to_vec()),
        (
            "a zip archive",
            "unzip -p FILE |",
            zip(&[("puzzles.txt", "1.3"), ("xl/x", "")]),
        ),
        (
            "a rar archive",
            "unrar p -inul FILE |",
            b"Rar!\x1a\x07\x01\0".to_vec(),
        ),
        (
            "a PDF document",
            "pdftotext -layout FILE - |",
            b"%PDF-1.7\n%\xe2\xe3\n".to_vec(),
        ),
        (
            "a pickle of Python",
            "pandas.DataFrame(pandas.read_pickle(sys.argv[1]))",
            b"\x80\x04\x95\x16\0".to_vec(),
        ),
        (
            "an SQLite database",
            "sqlite3 -csv -header FILE",
            b"SQLite format 3\0\x10\0".to_vec(),
        ),
        (
            "a PNG picture",
            "write its 81 cells as text",
            b"\x89PNG\r\n\x1a\n\0\0".to_vec(),
        ),
        (
            "a JPEG picture",
            "write its 81 cells as text",
            b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(),
        ),
        (
            "a GIF picture",
            "write its 81 cells as text",
            b"GIF89a\x01\0".to_vec(),
        ),
        (
            "a WebP picture",
            "write its 81 cells as text",
            b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(),
        ),
        (
            "a BMP picture",
            "write its 81 cells as text",
            b"BM\x46\0\0\0\0\0\0\0\x36".to_vec(),
        ),
    ]
}

/// A file of another kind is named by its first bytes, under any name, from a pipe, and in gzip or zstd. The message
/// has the command that makes a text of it.
#[test]
fn a_file_of_another_kind_is_named_with_its_remedy() {
    let few = data("easy.txt")
        .lines()
        .take(3)
        .collect::<Vec<_>>()
        .join("\n")
        + "\n";
    for (number, (kind, remedy, bytes)) in foreign().into_iter().enumerate() {
        let folder = Folder::new()
            .with("good.txt", &few)
            .with("in.csv", &bytes)
            .with("in.gz", gzip(&bytes))
            .with("in.zst", zstd(&bytes));
        let says = |name: &str, line: &str| {
            fails(&folder, line, &format!("{name} is {kind}"));
            let ran = folder.bash(line).status(2).says(remedy);
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        };
        says("in.csv", "$P solve in.csv -o out");
        says("<stdin>", "cat in.csv | $P solve -o out");
        if !has_turn(number, 8) {
            continue;
        }
        says("in.csv", "$P solve --input-format csv in.csv -o out");
        says("<stdin>", "$P solve -o out < in.csv");
        says(
            "<stdin>",
            "(head -c 3 in.csv; sleep 0.1; tail -c +4 in.csv) | $P solve --line-buffered -o out",
        );
        says("in.csv", "$P solve good.txt in.csv -o out");
        says("in.csv", "$P check good.txt --answers in.csv -o out");
        says("in.csv", "$P dedup good.txt --against in.csv -o out");
        for (name, format) in [("in.gz", "gzip"), ("in.zst", "zstd")] {
            let before = format!("; {format} -dc unpacks FILE before that");
            let ran = folder.bash(&format!("$P solve {name} -o out")).status(2);
            ran.says(&format!("{name} is {kind}"))
                .says(remedy)
                .says(&before);
            says("<stdin>", &format!("cat {name} | $P solve -o out"));
        }
    }
}

/// A text that begins as such a file does is a text.
#[test]
fn texts_that_begin_like_other_kinds() {
    let puzzle = data("easy.txt").lines().next().unwrap().to_owned();
    for before in [
        "PAR1", "PK", "BM", "Rar!", "RIFF", "GIF", "%", "SQLite", "MM", "II*", "LZIP",
    ] {
        let text = format!("{before} {puzzle}\n");
        let folder = Folder::new().with("in", &text);
        for line in ["$P convert -q in", "cat in | $P convert -q"] {
            folder.bash(line).status(0).prints(&text);
        }
        // The first bytes are all there are.
        folder.run_on(before, "solve --input-format line").status(1);
    }
}

/// The memory of the process is limited to less than a tenth of what comes out.
#[test]
fn bombs_take_no_more_memory_than_other_inputs() {
    const LIMIT: &str = "ulimit -v 400000";
    let (text, solved) = puzzles(1);
    for (at, (_, pack)) in PACKERS.into_iter().enumerate() {
        // 4 GiB of zeros: no line ends there.
        let zeros = pack(&vec![0; 1 << 20]).repeat(4096);
        let folder = Folder::new().with("bomb", &zeros);
        let line = format!("{LIMIT}; $P solve --input-format line bomb -o out");
        fails(
            &folder,
            &line,
            "bomb:1: no line ends within 16 MiB of byte ",
        );
        // 4 GiB of zeros among records, as trailers of lines: each is too long.
        let between = [pack(text.as_bytes()), zeros].concat();
        let folder = Folder::new().with("bomb", between);
        let number = text.lines().count() + 1;
        let says = format!("bomb:{number}: no line ends within 16 MiB of byte ");
        fails(&folder, &line, &says);
        // Blank lines, and records after them: one format has as much of them as memory, the other a part. More take
        // seconds, and find what grows slowly.
        let megabytes = cases([80, 16][at]).min(160);
        let blank = pack(&vec![b'\n'; 1 << 20]).repeat(megabytes);
        let folder = Folder::new().with("bomb", [blank, pack(text.as_bytes())].concat());
        // The limit counts 64 MB of addresses that glibc may reserve for a thread, whether or not it needs them: two of 24
        // runs then had too few. One arena has only memory that is needed.
        let ran = folder
            .bash("ulimit -v 100000; MALLOC_ARENA_MAX=1 $P solve -q -j 1 bomb")
            .status(0);
        assert!(ran.stdout == solved);
    }
}

#[test]
fn a_line_of_four_gigabytes() {
    let folder = Folder::new();
    let long = fs::File::create(folder.file("long")).unwrap();
    long.set_len(4 << 30).unwrap();
    let says = "no line ends within 16 MiB of byte ";
    let solve = "$P solve --input-format line -o out";
    let line = format!("ulimit -v 400000; {solve} long");
    fails(&folder, &line, &format!("long:1: {says}"));
    let piped = format!("ulimit -v 400000; head -c 4G /dev/zero | {solve}");
    fails(&folder, &piped, &format!("<stdin>:1: {says}"));
    // Its format cannot be told, and the error comes as soon.
    fails(
        &folder,
        "ulimit -v 400000; $P solve long -o out",
        "long: cannot tell the format",
    );
}

#[test]
fn what_is_no_file_of_records() {
    let folder = Folder::new().with("empty", "");
    fs::create_dir(folder.file("folder")).unwrap();
    fails(&folder, "$P solve folder -o out", "folder: ");
    fails(&folder, "$P solve missing -o out", "missing: ");
    fails(&folder, "$P solve < folder -o out", "<stdin>");
    folder.run("solve empty -o out").status(0);
    assert_eq!(folder.read("out"), "");
    // Nothing in the compressed formats is nothing too.
    for (_, pack) in PACKERS {
        let folder = Folder::new().with("empty", pack(b""));
        folder.run("solve empty -o out").status(0);
        assert_eq!(folder.read("out"), "");
    }
}

/// NUL bytes spoil their record, and no other.
#[test]
fn nul_bytes() {
    let (text, solved) = puzzles(1);
    let (lines, solutions): (Vec<_>, Vec<_>) = (
        text.lines().take(3).collect(),
        solved.lines().take(3).collect(),
    );
    let points = ".".repeat(81);
    let with_nul = lines[1].replacen(['.', '0'], "\0", 1);
    let input = format!("{}\n{with_nul}\n{}\n", lines[0], lines[2]);
    let ran = Folder::new().run_on(input, "solve --input-format line");
    let ran = ran.status(1).says("<stdin>:2: malformed: ");
    ran.prints(&format!("{}\n{points}\n{}\n", solutions[0], solutions[2]));
}

/// A text of records in a form, with one in seven malformed, and one in eleven that needs
/// care: a quoted field with line breaks, or a trailer.
fn records(form: &str, count: usize) -> String {
    let puzzles = data("easy.txt");
    let puzzles: Vec<_> = puzzles.lines().collect();
    let mut text = match form {
        "csv" => "id,puzzle,note\n".to_owned(),
        _ => String::new(),
    };
    for i in 0..count {
        let puzzle = match i % 7 {
            3 => &puzzles[i % puzzles.len()][..80],
            _ => puzzles[i % puzzles.len()],
        };
        text += &match (form, i % 11) {
            ("line", 5) => format!("{puzzle} a trailer\n"),
            ("line", _) => format!("{puzzle}\n"),
            ("csv", 5) => format!("{i},{puzzle},\"several\nlines, \"\"quoted\"\"\n\"\n"),
            ("csv", _) => format!("{i},{puzzle},\n"),
            ("jsonl", 5) => format!("{{\"id\": {i}, \"puzzle\": \"{puzzle}\", \"x\": [1, 2]}}\n"),
            ("jsonl", _) => format!("{{\"puzzle\":\"{puzzle}\",\"id\":{i}}}\n"),
            _ => {
                let rows = puzzle.as_bytes().chunks(9).map(|row| {
                    let row = str::from_utf8(row).unwrap();
                    row.to_owned() + "\n"
                });
                rows.collect::<String>() + "\n"
            }
        };
    }
    text
}

const FORMS: [&str; 4] = ["line", "csv", "jsonl", "block"];

/// The output, the reports and the counts do not depend on the threads, nor on
/// where the bytes come from.
#[test]
fn all_is_the_same_for_any_number_of_threads() {
    for form in FORMS {
        let text = records(form, 9000);
        let folder = Folder::new()
            .with("in", &text)
            .with("packed", zstd(text.as_bytes()));
        let run = |line: &str| {
            let ran = folder.bash(&format!("{line} --summary json")).status(1);
            // All but times and threads.
            let mut told = ran.stderr.replace("<stdin>", "in").replace("packed", "in");
            let end = told.rfind('{').unwrap();
            let summary: serde_json::Value = serde_json::from_str(&told[end..]).unwrap();
            told.truncate(end);
            let mut counts = summary.as_object().unwrap().clone();
            counts.retain(|_, value| value.is_u64());
            counts.remove("threads");
            counts.remove("puzzles_per_second");
            (ran.stdout, told, counts, folder.read("bad"))
        };
        let expected = run("$P solve in -j 1 --rejects bad");
        assert!(
            !expected.0.is_empty() && expected.1.contains("malformed"),
            "{form}"
        );
        for line in [
            "$P solve in -j 2 --rejects bad",
            "$P solve in -j 5 --rejects bad",
            "cat in | $P solve -j 3 --rejects bad",
            "cat in | $P solve -j 3 --line-buffered --rejects bad",
            "$P solve packed -j 2 --rejects bad",
        ] {
            let found = run(line);
            assert!(found.0 == expected.0, "{form}: {line}");
            assert_eq!(found.1, expected.1, "{form}: {line}");
            assert_eq!(found.2, expected.2, "{form}: {line}");
            assert!(found.3 == expected.3, "{form}: {line}");
        }
    }
}

#[test]
fn shards_one_after_the_other_are_the_whole() {
    for form in FORMS {
        // Two records a part, in so small ones that some are within a record. Each part is a process; more of them cut at
        // more places.
        let many = cases(12);
        let (one, other) = (records(form, 2 * many), records(form, 40));
        let folder = Folder::new().with("one", one).with("other", other);
        for (files, all_parts) in [("one", &[1, 2, 7, many][..]), ("one other", &[3])] {
            let whole = folder.run(&format!("solve -q {files}")).status(1).stdout;
            for &parts in all_parts {
                let shards: String = (1..=parts)
                    .map(|part| {
                        let ran = folder.run(&format!("solve -q {files} --shard {part}/{parts}"));
                        assert!(ran.status < Some(2), "{ran:?}");
                        ran.stdout
                    })
                    .collect();
                assert!(shards == whole, "{form}, {files}, {parts} parts");
            }
        }
    }
    let packed = Folder::new().with("in", gzip(puzzles(1).0.as_bytes()));
    fails(
        &packed,
        "$P solve in --shard 1/2 -o out",
        "in is compressed, and only a file that is not compressed can be read in shards",
    );
    let piped = "cat in | $P solve --shard 1/2 -o out";
    fails(&packed, piped, "<stdin>");
    fails(&packed, "$P solve in --shard 3/2 -o out", "K/M is wanted");
}

#[test]
fn compression_that_is_asked_for() {
    let (text, solved) = puzzles(5);
    let folder = Folder::new().with("in", &text);
    for (compress, tool) in [("gzip", "gzip"), ("zstd:-2", "zstd"), ("gzip:9", "gzip")] {
        if !tools::has(tool) {
            continue;
        }
        let line = format!("$P solve -q in --compress {compress} | {tool} -dc");
        assert!(folder.bash(&line).status(0).stdout == solved);
        // Any name will do that is not for another compression.
        let line = format!("$P solve -q in -o out.z1 --compress {compress}; {tool} -dc < out.z1");
        assert!(folder.bash(&line).status(0).stdout == solved);
    }
    fails(
        &folder,
        "$P solve in -o out --compress xz",
        "one of: gzip, zstd",
    );
}

/// A program that asks, and waits for the answer before it asks again.
#[test]
fn a_co_process_is_answered_at_once() {
    let puzzles = data("easy.txt");
    let solved = data("easy.solved.txt");
    let pairs: Vec<_> = puzzles.lines().zip(solved.lines()).take(5).collect();
    type Ask = fn(&str) -> String;
    let forms: [(&str, Ask, usize); 4] = [
        ("", |puzzle| format!("{puzzle}\n"), 1),
        ("puzzle\n", |puzzle| format!("{puzzle}\n"), 1),
        ("", |puzzle| format!("{{\"puzzle\":\"{puzzle}\"}}\n"), 1),
        (
            "",
            |puzzle| {
                let rows = puzzle.as_bytes().chunks(9);
                let rows = rows.map(|row| str::from_utf8(row).unwrap().to_owned() + "\n");
                rows.collect::<String>() + "\n"
            },
            9,
        ),
    ];
    for (header, ask, lines) in forms {
        for options in ["-j 1", "-j 4", "-j 2 --unique"] {
            let folder = Folder::new();
            let mut command = folder.command(&format!("solve -q --line-buffered {options}"));
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = Running::start(&mut command);
            let mut to = child.stdin.take().unwrap();
            let mut from = BufReader::new(child.stdout.take().unwrap());
            to.write_all(header.as_bytes()).unwrap();
            for (i, (puzzle, solution)) in pairs.iter().enumerate() {
                to.write_all(ask(puzzle).as_bytes()).unwrap();
                let mut answer = String::new();
                let header_too = usize::from(i == 0 && !header.is_empty());
                // A blank line stands between blocks.
                let between = usize::from(i > 0 && lines > 1);
                for _ in 0..lines + header_too + between {
                    from.read_line(&mut answer).unwrap();
                }
                let cells: String = match lines {
                    1 => answer.clone(),
                    _ => answer.chars().filter(char::is_ascii_digit).collect(),
                };
                assert!(cells.contains(solution), "{header:?} {puzzle}: {answer}");
            }
            drop(to);
            assert!(child.end().success());
        }
    }
}

/// A header behind so many blank lines that it is not in the first chunk is a header still.
#[test]
fn a_header_behind_many_blank_lines() {
    let puzzles = data("easy.txt");
    let solved = data("easy.solved.txt");
    let (puzzle, solution) = (
        puzzles.lines().next().unwrap(),
        solved.lines().next().unwrap(),
    );
    let text = "\n".repeat(3000) + "id,puzzle\n1," + puzzle + "\n2,x\n";
    let ran = Folder::new().run_on(text, "solve").status(1);
    ran.says("<stdin>:3003: malformed").prints(&format!(
        "id,puzzle,solution,status\n1,{puzzle},{solution},unique\n2,x,,malformed\n"
    ));
}

/// One array of JSON, and an object of several lines, are no JSON lines. A command that is asked for these refuses them
/// with file, line and column: from a file, a pipe, packed, in shards, and as a second input.
#[test]
fn json_that_is_not_lines_is_refused_with_its_place() {
    let text = data("easy.txt");
    let objects = text
        .lines()
        .take(9)
        .map(|line| format!("{{\"puzzle\": \"{line}\"}}"));
    let objects = objects.collect::<Vec<_>>();
    let array = format!("[{}]", objects.join(", "));
    let several = format!("\n{}", objects[0].replace('{', "{\n  "));
    for (text, place, tool) in [
        (array, "1: column 1", "jq -c '.[]' FILE"),
        (several, "2: column 1", "jq -c . FILE"),
    ] {
        let folder = Folder::new()
            .with("in.json", &text)
            .with("in.gz", gzip(text.as_bytes()));
        let folder = folder
            .with("lines.txt", data("easy.txt"))
            .with("lines.jsonl", format!("{}\n", objects[0]));
        for (line, name) in [
            ("$P solve $JSON in.json -o out", "in.json"),
            ("$P solve $JSON in.json --format csv -o out", "in.json"),
            ("$P solve $JSON in.json --shard 2/2 -o out", "in.json"),
            ("$P solve $JSON in.gz -o out", "in.gz"),
            ("cat in.json | $P solve $JSON -j 2 -o out", "<stdin>"),
            ("$P dedup $JSON lines.jsonl in.json -o out", "in.json"),
        ] {
            let line = format!("JSON='--input-format jsonl'; {line}");
            fails(&folder, &line, &format!("{name}:{place}: an"));
            fails(&folder, &line, tool);
        }
        // The puzzles are read if no form is asked for.
        for line in [
            "$P solve -q --format line in.json",
            "$P solve -q --format line in.gz",
            "cat in.json | $P solve -q --format line",
        ] {
            let puzzles = text.matches("\"puzzle\"").count();
            let same = format!("diff <({line}) <(head -n {puzzles} lines.txt | $P solve -q)");
            folder.bash(&same).status(0);
        }
    }
}
