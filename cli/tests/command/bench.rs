//! `sudoku-batch bench`, from the outside.

use crate::support::{
    cases,
    registry::registry,
    runner::{self, Folder, PROGRAM, Ran},
};
use serde_json::Value;
use std::fs;
use sudoku_batch::Engine;

/// The built-in classes and how many puzzles each has.
const CLASSES: [(&str, u64); 3] = [("easy", 2000), ("minimal", 2000), ("hard", 600)];

fn data(name: &str) -> String {
    fs::read_to_string(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The first lines of a text.
fn head(text: &str, lines: usize) -> String {
    text.lines()
        .take(lines)
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// 64-bit FNV-1a, from its description.
fn fnv(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

impl Ran {
    /// The objects on standard output.
    fn objects(self) -> Vec<Value> {
        let ran = self.status(0);
        let objects = ran.stdout.lines().map(serde_json::from_str);
        objects.collect::<Result<_, _>>().unwrap()
    }
}

#[test]
fn classes_are_built_in() {
    let call = "bench --format jsonl --puzzles 150 --rounds 1 --threads 1";
    let objects = Folder::new().run(call).objects();
    for (class, _) in CLASSES {
        let solved = head(&data(&format!("{class}.solved.txt")), 150);
        let mine: Vec<_> = objects.iter().filter(|o| o["corpus"] == class).collect();
        assert!(!mine.is_empty(), "{class}");
        for object in mine {
            assert_eq!(object["puzzles"], 150);
            assert_eq!(object["distinct"], 150);
            assert_eq!(object["solved"], 150);
            assert_eq!(object["checksum"], fnv(&solved));
        }
    }
}

#[test]
fn json_has_the_names_that_stay() {
    let call =
        "bench --format jsonl --puzzles 100 --rounds 3 --threads 1,2 --engine all --stop-at first";
    let objects = Folder::new().run(call).objects();
    let combinations = objects.len() / CLASSES.len();
    assert!(combinations >= 2 && objects.len() == combinations * CLASSES.len());
    for object in objects {
        for name in [
            "corpus", "engine", "level", "checksum", "cpu", "version", "compiler",
        ] {
            assert!(
                object[name].as_str().is_some_and(|s| !s.is_empty()),
                "{name}: {object}"
            );
        }
        for name in ["puzzles", "threads", "limit", "solved", "cores", "rounds"] {
            assert!(
                object[name].as_u64().is_some_and(|n| n > 0),
                "{name}: {object}"
            );
        }
        let number = |name: &str| object[name].as_f64().unwrap();
        assert!(number("ns_per_puzzle") > 0.0);
        assert!(number("ns_per_puzzle_median") >= number("ns_per_puzzle"));
        let rate = number("puzzles_per_second") * number("ns_per_puzzle");
        assert!((0.99e9..1.01e9).contains(&rate), "{object}");
        assert_eq!(object["limit"], 1);
        assert_eq!(object["rounds"], 3);
        assert!(number("speedup") > 0.0);
    }
}

#[test]
fn few_puzzles_are_repeated_unless_they_are_not_to_be() {
    let folder = Folder::new().with(
        "few",
        "# a comment\n".to_owned() + &head(&data("easy.txt"), 50),
    );
    let again = head(&data("easy.solved.txt"), 50).repeat(3);
    for (options, puzzles, distinct) in [
        ("", 20_000, 50),
        ("--puzzles 150", 150, 50),
        ("--puzzles 20", 20, 20),
        ("--exact", 50, 50),
        ("--exact --puzzles 20", 20, 20),
        ("--exact --puzzles 80", 50, 50),
    ] {
        let call = format!("bench few --rounds 1 --threads 2 {options}");
        for object in folder.run(&format!("{call} --format jsonl")).objects() {
            assert_eq!(object["corpus"], "few");
            assert_eq!(object["puzzles"], puzzles, "{options}");
            assert_eq!(object["distinct"], distinct, "{options}");
            if puzzles == 150 {
                assert_eq!(object["checksum"], fnv(&again));
            }
        }
        let table = folder.out(&call);
        assert_eq!(
            table.contains(", repeated to"),
            puzzles > distinct,
            "{table}"
        );
        assert!(
            table.contains("corpus") && table.contains("\nfew "),
            "{table}"
        );
    }
}

#[test]
fn puzzles_without_one_solution_are_no_error() {
    let unsolvable = format!("11{}", ".".repeat(79));
    let many = format!("1{}", "x".repeat(80));
    let solvable = head(&data("easy.txt"), 1);
    let folder = Folder::new().with("mixed", format!("{many}\n{unsolvable} note\r\n{solvable}"));
    let points = ".".repeat(81);
    let solution = head(&data("easy.solved.txt"), 1);
    for (limit, solved) in [("first", 2), ("unique", 1), ("5", 1)] {
        let call = format!(
            "bench mixed --format jsonl --exact --rounds 1 --threads 1,3 --stop-at {limit}"
        );
        for object in folder.run(&call).objects() {
            assert_eq!(object["solved"], solved, "{limit}");
            let lines = format!("{points}\n{points}\n{solution}");
            assert_eq!(object["checksum"], fnv(&lines), "{limit}");
        }
    }
}

/// Speed-ups are over one thread with the same engine and level on the same puzzles.
#[test]
fn speed_up_is_over_one_thread() {
    let call = "bench --format jsonl --puzzles 70 --rounds 2 --threads 2,1 --level all";
    let objects = Folder::new().run(call).objects();
    for object in &objects {
        let is_base = |other: &&Value| {
            other["threads"] == 1
                && ["corpus", "engine", "level"]
                    .iter()
                    .all(|k| other[k] == object[k])
        };
        let base = objects.iter().find(is_base).unwrap();
        let time = |object: &Value| object["ns_per_puzzle"].as_f64().unwrap();
        let expected = time(base) / time(object);
        let speedup = object["speedup"].as_f64().unwrap();
        // The times have one digit after the point.
        assert!((speedup / expected - 1.0).abs() < 0.01, "{object}");
    }
    let call = "bench --format jsonl --puzzles 70 --rounds 1 --threads 2";
    for object in Folder::new().run(call).objects() {
        assert_eq!(object["speedup"], Value::Null);
    }
}

/// Words stand to the left, numbers to the right, and times have three digits or more.
#[test]
fn tables_are_aligned() {
    let folder = Folder::new();
    let ran = folder
        .run("bench --puzzles 2k --rounds 1 --threads 1 --engine all")
        .status(0);
    let table: Vec<_> = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("corpus"))
        .take(7)
        .collect();
    assert_eq!(table.len(), 7, "{}", ran.stdout);
    let starts = |line: &str, word: &str| line.find(word).unwrap();
    let ends = |line: &str, word: &str| starts(line, word) + word.len();
    for row in &table[1..] {
        let words: Vec<_> = row.split_whitespace().collect();
        let &[
            corpus,
            puzzles,
            distinct,
            engine,
            level,
            threads,
            time,
            median,
            rate,
            mb,
            speedup,
            checksum,
        ] = &words[..]
        else {
            panic!("{row}");
        };
        for (title, word) in [
            ("corpus", corpus),
            ("engine", engine),
            ("level", level),
            ("checksum", checksum),
        ] {
            assert_eq!(starts(row, word), starts(table[0], title), "{row}");
        }
        let numbers = [
            ("distinct", distinct),
            ("ns/puzzle", time),
            ("median", median),
            ("puzzles/s", rate),
            ("MB/s", mb),
        ];
        for (title, number) in numbers {
            // A number may stand in another column before.
            assert!(row[..ends(table[0], title)].ends_with(number), "{row}");
        }
        assert_eq!((puzzles, threads, speedup), ("2,000", "1", "1.00"));
        for time in [time, median] {
            assert!(
                time.chars().filter(char::is_ascii_digit).count() >= 3,
                "{row}"
            );
        }
    }
}

/// Files are read as `solve` reads them: in every format, with puzzles by candidates too.
#[test]
fn puzzles_of_every_form_and_kind_are_measured() {
    let cells = head(&data("minimal.txt"), 60);
    let folder = Folder::new().with("p.txt", &cells);
    let forms = ["candidates", "csv", "jsonl", "block"];
    let mut files = vec!["p.txt".to_owned(), "mixed.txt".into()];
    for form in forms {
        let name = format!("p.{form}");
        folder
            .run(&format!("convert -q p.txt --format {form} -o {name}"))
            .status(0);
        files.push(name);
    }
    let solved = head(&data("minimal.solved.txt"), 60);
    let mixed = cells + &folder.read("p.candidates");
    let folder = folder.with("mixed.txt", mixed);
    for file in files {
        let call = format!("bench {file} --format jsonl --exact --rounds 1 --threads 1");
        let repeated = usize::from(file == "mixed.txt") + 1;
        for object in folder.run(&call).objects() {
            assert_eq!(object["puzzles"], 60 * repeated);
            assert_eq!(object["distinct"], 60);
            assert_eq!(object["checksum"], fnv(&solved.repeat(repeated)), "{file}");
        }
        let rated = folder.run(&format!("{call} --rate --puzzles 5"));
        assert_eq!(rated.objects()[0]["solved"], 5);
    }
    let ran = folder.run("bench p.csv --puzzle-column nothing --rounds 1");
    assert!(ran.status(2).stderr.contains("nothing"));
    let ran = folder.run("bench --puzzle-column puzzle --rounds 1");
    assert!(
        ran.status(2)
            .stderr
            .contains("--puzzle-column has no effect")
    );
}

#[test]
fn bad_input_is_an_error_and_no_figure() {
    let folder = Folder::new()
        .with("none", "# only a comment\n\n")
        .with("bad", head(&data("easy.txt"), 2) + "12345\n");
    for (arguments, says) in [
        ("missing", "missing"),
        (".", "."),
        ("none", "none has no puzzles"),
        ("bad", "bad:3: column 6: end of line where a cell should be"),
        ("--rounds 0", "--rounds"),
        ("--puzzles 0", "--puzzles"),
        ("--threads 0", "--threads"),
        ("--threads 1,,2", "--threads"),
        ("--threads 5000", "--threads"),
        ("--engine steam", "scalar"),
        ("--level 11", "portable"),
        ("--stop-at 0", "--stop-at"),
        ("--stop-at some", "--stop-at"),
    ] {
        let ran = folder.run(&format!("bench {arguments}"));
        ran.status(2).says(says).prints("");
    }
}

#[test]
fn the_generator_is_measured() {
    let folder = Folder::new();
    let call = "bench --generate 9k --rounds 1 --threads 1,3";
    let objects = folder.run(&format!("{call} --format jsonl")).objects();
    assert_eq!(objects.len(), 12);
    for object in objects {
        let order = match object["corpus"].as_str().unwrap() {
            "grids in order" => "--in-order",
            "grids shuffled" => "",
            "grids uniform" => "--uniform",
            other => panic!("{other}"),
        };
        let made = folder.run(&format!("generate 9k -q {order}")).stdout;
        assert_eq!(object["checksum"], fnv(&made));
        assert_eq!(
            (&object["puzzles"], &object["solved"]),
            (&9000.into(), &9000.into())
        );
        assert!(["memory", "file"].contains(&object["engine"].as_str().unwrap()));
    }
    let table = folder.out(call);
    assert!(
        table.contains("Generating, ") && !table.contains("level"),
        "{table}"
    );
    folder
        .run("bench --generate 999999G")
        .status(2)
        .says("312")
        .prints("");
}

/// A solver in a shell: the answers to the first puzzles of a class.
fn answers(class: &str) -> String {
    format!(
        "cat {}/../../data/{class}.solved.txt",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[test]
fn other_solvers_are_measured_and_checked() {
    let folder = Folder::new().with("it's 50", head(&data("easy.txt"), 50));
    let bench = |against: &str| -> Ran {
        let mut command = folder.command("bench --format jsonl --exact --rounds 2 --threads 1,2");
        command.args(["it's 50", "--solver", against]);
        runner::ran(&mut command)
    };
    let solve = answers("easy");
    let objects = bench(&format!("{solve} | head -n $(wc -l < {{in}}) > {{out}}")).objects();
    let checksum = fnv(&head(&data("easy.solved.txt"), 50));
    let engines: Vec<_> = objects
        .iter()
        .map(|o| o["engine"].as_str().unwrap())
        .collect();
    assert_eq!(engines[..2], ["sudoku-batch solve --unique"; 2]);
    assert!(engines[2].starts_with("cat") && engines.len() == 3);
    assert_eq!(objects[0]["ratio"], 1.0);
    for object in objects {
        assert_eq!(object["checksum"], checksum);
        let time = object["ns_per_puzzle"].as_f64().unwrap();
        assert!(time > 0.0 && object["ratio"].as_f64().unwrap() > 0.0);
    }
    // Puzzles before solutions, and noise on standard output.
    let line = format!("echo noise; {solve} | head -n 50 | paste -d, {{in}} - > {{out}}");
    assert_eq!(bench(&line).objects().len(), 3);
    // The solution is the last of the 81 digits that stand by themselves.
    let ones = "1".repeat(81);
    for edit in [
        r"s/$/\r/".to_owned(),
        format!("s/.*/{ones}:1:&:0.5ms/"),
        format!("s/$/,{ones}1/"),
        format!("s/$/,.{}/", &ones[1..]),
    ] {
        let line = format!("{solve} | head -n 50 | sed '{edit}' > {{out}} # {{in}}");
        assert_eq!(bench(&line).objects().len(), 3);
    }
    // The places may be quoted.
    for (from, to) in [("'{in}'", "'{out}'"), ("\"{in}\"", "\"{out}\"")] {
        let line = format!("{solve} | head -n 50 | paste -d, {from} - > {to}");
        assert_eq!(bench(&line).objects().len(), 3);
    }

    for (against, says) in [
        ("cp {in} {out}", "is wrong about puzzle 1 of it's 50"),
        (
            &format!("{solve} | head -n 49 > {{out}} # {{in}}"),
            "wrote 49 lines for the 50 puzzles",
        ),
        (
            &format!("{solve} | tail -n 50 > {{out}} # {{in}}"),
            "is wrong about puzzle 1 ",
        ),
        (
            &format!("{solve} | head -n 50 | sed s/$/1/ > {{out}} # {{in}}"),
            "is wrong about puzzle 1 ",
        ),
        (
            &format!("{solve} | head -n 50 | sed s/$/,{ones}/ > {{out}} # {{in}}"),
            "is wrong about puzzle 1 ",
        ),
        (": {in} {out}", "wrote no output"),
        (": {in} > {out}", "wrote 0 lines"),
        ("cat {in} > {out}; exit 3", "exit status: 3"),
        ("no-such-program {in} {out}", "failed"),
        ("cat {in}", "{out}"),
        ("cat > {out}", "{in}"),
    ] {
        bench(against).status(2).says(says).prints("");
    }
    // Other forms of puzzles and of answers: this program is a solver of any.
    for (form, answers) in [
        ("csv", "csv"),
        ("jsonl", "grid"),
        ("grid", "block"),
        ("line", "tsv"),
    ] {
        let mut command = folder.command("bench --format jsonl --exact --rounds 1 --threads 1");
        let input = if form == "grid" { "block" } else { form };
        let solver = format!(
            "{PROGRAM} solve -q --input-format {input} --format line {{in}} |
             {PROGRAM} convert -q --format {answers} > {{out}}"
        );
        command.args(["it's 50", "--feed", form, "--solver", &solver]);
        let objects = runner::ran(&mut command).objects();
        assert_eq!(objects.len(), 2, "{form}");
        assert_eq!(objects[1]["checksum"], checksum);
    }
    // All that is wrong with a call is told at once.
    let mut call = folder.command("bench --stop-at 5 --engine scalar --simd all --solver");
    call.args(["cat", "--solver", "cat {in}"]);
    let refused = runner::ran(&mut call).status(2).prints("");
    let refused = refused.says("--stop-at first or unique");
    let refused = refused.says("--engine and --simd have no effect with --solver");
    let refused = refused.says("--solver 'cat' does not say where {in} and {out} go");
    refused.says("--solver 'cat {in}' does not say where {out} goes");
}

#[test]
fn no_temporary_files_are_left() {
    let folder = Folder::new();
    let ran = |arguments: &str| -> Ran {
        let mut command = folder.command("bench --rounds 1");
        let shell = arguments.split('|');
        runner::ran(command.args(shell).env("TMPDIR", folder.path()))
    };
    ran("--generate|5k").status(0);
    ran("--puzzles|9|--solver|cp {in} {out}").status(2);
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn report_and_picture_load_nothing() {
    let name = "<b> & \"quoted\"";
    let folder = Folder::new().with(name, head(&data("easy.txt"), 60));
    let ran: Ran = {
        let mut command = folder.command("bench --exact --rounds 1 --threads 1,2 --generate 2k");
        let cat = format!("{} | head -n 60 > {{out}} # {{in}}", answers("easy"));
        command.args([name, "--solver", &cat, "--report", "page", "--svg", "plot"]);
        runner::ran(&mut command)
    };
    let table = ran.status(0).stdout;
    let page = folder.read("page");
    // Three times throughput, twice scaling, once the distribution, in two widths each.
    assert_eq!(page.matches("<svg ").count(), 12);
    assert_eq!(page.matches("<table>").count(), 3);
    let last_words = table.lines().filter_map(|line| line.split(' ').next_back());
    for checksum in last_words.filter(|word| word.len() == 16) {
        assert!(page.contains(checksum), "{checksum}");
    }
    assert!(page.contains("&lt;b&gt; &amp;") && !page.contains("<b>"));
    let plot = folder.read("plot");
    assert!(plot.starts_with("<svg ") && plot.contains("<style>"));
    for text in [&page, &plot] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for outside in [
            "http", "src=", "href=", "url(", "@import", "<script", "<link",
        ] {
            assert!(!text.contains(outside), "{outside}");
        }
    }
}

#[test]
fn nothing_is_written_after_a_failure() {
    let folder = Folder::new()
        .with("page", "old")
        .with("few", head(&data("easy.txt"), 9));
    let ran =
        folder.run("bench few --exact --rounds 1 --report page --svg plot --solver {in}{out}");
    ran.status(2).prints("");
    assert_eq!(folder.read("page"), "old");
    assert_eq!(folder.names(), ["few", "page"]);
    folder.refuses("bench --rounds 1 --report few/page", "few/page");
}

#[test]
fn engines_and_levels_are_chosen() {
    let folder = Folder::new();
    let sliced = registry().filter(|&(engine, _)| engine == Engine::Sliced);
    let levels: Vec<_> = sliced.map(|(_, level)| level.name()).collect();
    let of = |options: &str| -> Vec<(String, String)> {
        let call = format!("bench --format jsonl --puzzles 70 --rounds 1 --threads 1 {options}");
        let objects = folder.run(&call).objects().into_iter();
        let mine = objects.filter(|o| o["corpus"] == "easy");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        mine.map(|o| (text(&o["engine"]), text(&o["level"])))
            .collect()
    };
    let pair = |engine: &str, level: &str| (engine.to_owned(), level.to_owned());
    let sliced: Vec<_> = levels.iter().map(|level| pair("sliced", level)).collect();
    let scalar = pair("scalar", "portable");
    assert_eq!(of("--engine sliced --level all"), sliced);
    assert_eq!(
        of("--level portable"),
        [pair("sliced", "portable"), scalar.clone()]
    );
    assert_eq!(of(""), [sliced[0].clone(), scalar]);
    assert_eq!(
        of(&format!("--engine sliced --level {}", levels.join(","))),
        sliced
    );
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new().with("in", head(&data("easy.txt"), 9));
    for (options, says) in [
        (
            "--generate 5k in",
            "a file of puzzles has no effect with --generate",
        ),
        ("--generate 5k --puzzles 9", "--puzzles has no effect"),
        ("--generate 5k --exact", "--exact has no effect"),
        ("--generate 5k --stop-at first", "--stop-at has no effect"),
        ("--generate 5k --engine scalar", "--engine has no effect"),
        ("--generate 5k --level portable", "--simd has no effect"),
        (
            "in --solver cp{in}{out} --engine scalar",
            "with --solver: whole processes",
        ),
        (
            "in --solver cp{in}{out} --level all",
            "--simd has no effect",
        ),
        (
            "in --engine scalar --level all",
            "--simd has no effect on the scalar engine",
        ),
        (
            "in --rate --stop-at first",
            "--stop-at has no effect with --rate",
        ),
        ("in --rate --engine scalar", "--engine has no effect"),
        ("in --puzzles-of minimal", "cannot be used with"),
        ("--puzzles-of minimal --exact", "cannot be used with"),
        (
            "--puzzles-of minimal --level portable",
            "cannot be used with",
        ),
        ("--puzzles-of minimal --report page", "cannot be used with"),
    ] {
        let ran = folder.run(&format!("bench {options}")).status(2).prints("");
        ran.says(says).says("Usage: sudoku-batch bench");
    }
}

/// The checksum is that of what `rate` writes behind the puzzles.
#[test]
fn rating() {
    let puzzles = head(&data("easy.txt"), 30) + &head(&data("hard.txt"), 30);
    let folder = Folder::new()
        .with("in", &puzzles)
        .with("one", head(&puzzles, 1));
    let call = "bench --rate in --rounds 1 --threads 1,3 --format jsonl";
    let figures = folder.run(call).objects();
    assert_eq!(figures.len(), 4);
    for (two, (engine, bound)) in figures
        .chunks(2)
        .zip([("rater to 4.4", "--up-to 4.4"), ("rater", "")])
    {
        let rated = folder.run(&format!("rate in -q {bound}")).stdout;
        let ratings: String = rated
            .lines()
            .map(|line| line[82..].to_owned() + "\n")
            .collect();
        for (figures, threads) in two.iter().zip([1, 3]) {
            assert_eq!(figures["engine"], engine);
            assert_eq!(figures["threads"], threads);
            assert_eq!(
                (&figures["puzzles"], &figures["solved"]),
                (&60.into(), &60.into())
            );
            assert_eq!(figures["checksum"], fnv(&ratings), "{engine}");
        }
    }
    // Puzzles are repeated where that is asked for.
    for (options, puzzles) in [("", "one 1"), ("--puzzles 700", "one 700")] {
        let call = format!("bench --rate one --rounds 1 --threads 1 {options}");
        let ran = folder.run(&call).status(0);
        assert!(ran.stdout.contains("Rating in memory"), "{ran:#?}");
        let row = ran.stdout.lines().find(|line| line.starts_with("one"));
        let fields: Vec<_> = row.unwrap().split_whitespace().collect();
        assert_eq!(fields[..2], puzzles.split_whitespace().collect::<Vec<_>>());
    }
}

/// With every level twelve lines come together: none of the same colour in one plot.
#[test]
fn lines_of_a_plot_have_colours_of_their_own() {
    let folder = Folder::new();
    let ran = folder.run("bench --puzzles 70 --rounds 1 --threads 1,2 --level all --report page");
    ran.status(0);
    let page = folder.read("page");
    for plot in page.split("<svg ").skip(1) {
        // The lines of the legend are the thickest.
        let legend = plot.split("<polyline ").skip(1);
        let legend = legend.filter(|line| line.contains("stroke-width=\"3\""));
        let colour = |line: &str| line.split("stroke=\"").nth(1).unwrap()[..7].to_owned();
        let colours: Vec<_> = legend.map(colour).collect();
        let mut different = colours.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), colours.len());
    }
}

/// The checksum is that of the lines that `puzzles` writes.
#[test]
fn making_puzzles() {
    let folder = Folder::new();
    let kinds = [
        ("minimal", ""),
        ("45-blanks", "--blanks 45"),
        ("easy", "--difficulty easy"),
        ("medium", "--difficulty medium"),
        ("hard", "--difficulty hard"),
        ("expert", "--difficulty expert"),
        ("extreme", "--difficulty extreme"),
    ];
    let names = kinds.map(|kind| kind.0).join(",");
    // A puzzle that differs changes the sum. More of them find one that seldom does.
    let count = cases(4);
    let call =
        format!("bench --puzzles-of {names} --puzzles {count} --rounds 2 --threads 1,3 --json");
    let printed = folder.out(&call);
    let figures: Vec<serde_json::Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(figures.len(), 2 * kinds.len());
    for (two, (kind, wanted)) in figures.chunks(2).zip(kinds) {
        let made = folder.run(&format!("puzzles {count} {wanted} -q")).stdout;
        let sum = made.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        for (figures, threads) in two.iter().zip([1, 3]) {
            assert_eq!(figures["corpus"], kind);
            assert_eq!(figures["threads"], threads);
            assert_eq!(figures["checksum"], format!("{sum:016x}"), "{kind}");
            assert!(figures["puzzles_per_second"].as_f64().unwrap() > 0.0);
        }
    }
    folder.refuses(
        "bench --puzzles-of minimal --generate 5k",
        "cannot be used with",
    );
    folder.refuses("bench --puzzles-of hardest", "45-blanks");
}

#[test]
fn a_question_is_measured_by_its_name() {
    let call = "bench --format jsonl --puzzles 150 --rounds 1 --threads 1,2 --ask true-candidates \
                --ask rate:te,up-to=1.2";
    let objects = Folder::new().run(call).objects();
    assert_eq!(objects.len(), CLASSES.len() * 4);
    for (class, _) in CLASSES {
        // The candidates of a puzzle with one solution are the digits of that.
        let solved = head(&data(&format!("{class}.solved.txt")), 150);
        let digits = |line: &str| -> String {
            let marks = line.bytes().flat_map(|digit| {
                (b'1'..=b'9').map(move |other| if other == digit { digit } else { b'.' })
            });
            String::from_utf8(marks.collect()).unwrap()
        };
        let lines = solved.lines();
        let rows: String = lines
            .map(|line| format!("{} 81 unique \n", digits(line)))
            .collect();
        let of_class: Vec<_> = objects.iter().filter(|o| o["corpus"] == class).collect();
        for object in &of_class {
            assert_eq!(
                (&object["puzzles"], &object["solved"]),
                (&150.into(), &150.into())
            );
        }
        let candidates = of_class.iter().filter(|o| o["engine"] == "true-candidates");
        assert_eq!(candidates.clone().count(), 2);
        candidates.for_each(|object| assert_eq!(object["checksum"], fnv(&rows)));
        let depths = of_class
            .iter()
            .filter(|o| o["engine"] == "rate:te,up-to=1.2");
        let sums: Vec<_> = depths.map(|object| &object["checksum"]).collect();
        assert_eq!(sums.len(), 2);
        assert_eq!(sums[0], sums[1], "the number of threads");
    }
}

#[test]
fn a_question_that_is_not_there_is_refused() {
    let folder = Folder::new();
    let said = folder.run("bench --ask depth").status(2).stderr;
    assert!(said.contains("the questions are solve, "), "{said}");
    for beside in ["check:answers", "score:texts"] {
        let said = folder
            .run(&format!("bench --ask {beside}"))
            .status(2)
            .stderr;
        assert!(
            said.contains("a corpus has nothing beside its puzzles"),
            "{said}"
        );
    }
    let said = folder.run("bench --ask rate:depth").status(2).stderr;
    assert!(said.contains("rate has no such setting"), "{said}");
    let said = folder.run("bench --ask solve --simd all").status(2).stderr;
    assert!(said.contains("--simd has no effect with --ask"), "{said}");
}
