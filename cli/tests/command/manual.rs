//! Texts of the program about itself: help, manual pages, completions of shells.

use crate::support::{
    has_turn,
    runner::{Folder, output},
    tools,
};

/// The commands, from the help.
pub(crate) fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.out("--help");
    let list = help.split_once("\n\nSolve and check:\n").unwrap().1;
    let rows = list.lines().take_while(|line| *line != "Options:");
    // The first line of an entry is indented by two.
    let rows = rows.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = rows.map(|line| line.split_whitespace().next().unwrap().to_owned());
    let names: Vec<_> = names.filter(|name| name != "help").collect();
    assert!(names.len() >= 7, "{names:?}");
    names
}

/// The help wraps at the width of the terminal. A line that could have had the first word of
/// the next was not wrapped twice.
#[test]
fn help_fits_any_width() {
    let folder = Folder::new();
    for (row, width) in [60, 80, 100].into_iter().enumerate() {
        for (column, name) in commands(&folder).iter().enumerate() {
            // By default each command has one of the widths.
            if !has_turn(row + column, 3) {
                continue;
            }
            let ran = folder
                .bash(&format!("COLUMNS={width} $P {name} --help"))
                .status(0);
            let lines: Vec<&str> = ran.stdout.lines().collect();
            for line in &lines {
                let length = line.chars().count();
                // The usage of psp is written by hand, for 80 columns.
                let is_usage = line.trim_start().starts_with("sudoku-batch psp [");
                let most = if is_usage { width.max(80) } else { width };
                assert!(
                    length <= most || !line.trim().contains(' '),
                    "{name} at {width}: {line}"
                );
            }
            for pair in lines.windows(2) {
                let [line, next] = [pair[0], pair[1]];
                let is_prose = |line: &str| line.starts_with(|c: char| c.is_alphanumeric());
                if !is_prose(line) || !is_prose(next) || line.ends_with(':') {
                    continue;
                }
                // The name of an option stays with the word before it.
                let mut words = next.split(' ').peekable();
                let mut word = words.next().unwrap().to_owned();
                while let Some(option) = words.next_if(|word| word.starts_with("--")) {
                    word += &format!(" {option}");
                }
                let both = line.chars().count() + 1 + word.chars().count();
                assert!(both > width, "{name} at {width}: {line}\n{next}");
            }
        }
    }
}

/// Headings come in this order, the command's own options first. The short help fits a screen and hides
/// nothing from completions: bash offers all options of the long help.
#[test]
fn the_short_help_fits_a_screen_and_the_long_one_has_headings() {
    let folder = Folder::new();
    const HEADINGS: [&str; 4] = ["Options", "Input", "Output", "Speed and reports"];
    // The words that a shell offers after `--`, command by command.
    let line = format!(
        "source <($P completions bash)
         function=$(complete -p sudoku-batch | sed 's/.*-F \\([^ ]*\\).*/\\1/')
         for name in {}; do
             COMP_WORDS=(sudoku-batch $name --) COMP_CWORD=2 COMPREPLY=()
             $function sudoku-batch -- $name
             printf '\\n== %s\\n' $name
             printf '%s\\n' \"${{COMPREPLY[@]}}\"
         done",
        commands(&folder).join(" ")
    );
    let offered = folder.bash(&line).status(0).stdout;
    for name in commands(&folder) {
        let run = |call: &str| {
            let ran = folder.bash(&format!("COLUMNS=80 $P {name} {call}"));
            ran.status(0).stdout
        };
        let (short, long) = (run("-h"), run("--help"));
        let length = short.lines().count();
        assert!(length <= 40, "{name} -h has {length} lines:\n{short}");
        let heads = long.lines().filter_map(|line| line.strip_suffix(':'));
        let heads: Vec<_> = heads.filter(|head| HEADINGS.contains(head)).collect();
        let sorted = HEADINGS.into_iter().filter(|head| heads.contains(head));
        assert!(sorted.eq(heads.iter().copied()), "{name}: {heads:?}");
        if ["solve", "check", "rate", "filter"].contains(&&*name) {
            assert_eq!(heads, HEADINGS, "{name}");
        }
        let (own, _) = long.split_once("\nOutput:").unwrap_or((&long, ""));
        let own = own.split("\nInput:").next().unwrap();
        assert!(!own.contains("--threads") || name == "bench", "{name}");
        let options = long
            .lines()
            .filter(|line| line.trim_start().starts_with('-'));
        let options = options.flat_map(str::split_whitespace);
        let options: Vec<_> = options.filter(|word| word.starts_with("--")).collect();
        assert!(options.contains(&"--help"), "{name}");
        let offered = offered.split(&format!("\n== {name}\n")).nth(1).unwrap();
        let offered = offered.split("\n== ").next().unwrap();
        for option in options {
            let option = option.trim_end_matches([',', '.', '[', ']']);
            let option = option.split(['=', '[']).next().unwrap();
            assert!(
                offered.lines().any(|o| o == option),
                "{name}: {option} is not in {offered}"
            );
        }
    }
    let length = folder
        .bash("COLUMNS=80 $P -h")
        .status(0)
        .stdout
        .lines()
        .count();
    assert!(length <= 50, "-h has {length} lines");
    // Commands are in groups, in the order of the work, each with its own description.
    let help = folder.bash("COLUMNS=200 $P -h").status(0).stdout;
    let listed: Vec<_> = help.lines().collect();
    let heads = listed.iter().filter_map(|line| line.strip_suffix(':'));
    assert!(
        heads.eq([
            "Solve and check",
            "Make",
            "Rate, explain, play",
            "Sets",
            "Research",
            "Program",
            "Options"
        ]),
        "{help}"
    );
    for definition in sudoku_batch::questions::all() {
        let start = format!("  {} ", definition.name);
        let line = listed.iter().find(|line| line.starts_with(&start));
        let is_said = match definition.name {
            "explain" | "score" | "trace-steps" => line.is_none(),
            // It checks solved grids too.
            "check" => line.is_some(),
            _ => line.is_some_and(|line| line.ends_with(definition.about)),
        };
        assert!(is_said, "{start}");
    }
}

/// Words that people try, and messages that a person reads.
#[test]
fn options_have_the_names_that_people_try() {
    let puzzle =
        "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.";
    let folder = Folder::new()
        .with("p.csv", format!("puzzle\n{puzzle}\n"))
        .with("p.txt", format!("{puzzle}\n"));
    for (one, other) in [
        (
            "solve p.txt --level portable",
            "solve p.txt --simd portable",
        ),
        (
            "rate p.csv --grade --column puzzle",
            "rate p.csv --difficulty --puzzle-column puzzle",
        ),
        (
            "solve p.csv --array solution,status",
            "solve p.csv --columns solution,status",
        ),
        (
            "solve p.txt --output-format csv",
            "solve p.txt --format csv",
        ),
        ("puzzles 2 --output-format csv", "puzzles 2 --format csv"),
    ] {
        let expected = folder.out(other);
        assert!(!expected.is_empty());
        folder.prints(one, &expected);
    }
    for (call, message) in [
        (
            "solve -j x p.txt",
            "invalid value 'x' for '--threads <N>': a whole number is wanted",
        ),
        ("generate 3 --seed 1x", "a whole number is wanted"),
        ("play p.txt --record x", "a whole number is wanted"),
        (
            &format!("solve {}", &puzzle[1..]),
            "no file has that name, and as a puzzle it has 80 of 81 cells",
        ),
    ] {
        let ran = folder.run(call).status(2).says(message);
        assert!(!ran.stderr.contains("invalid digit"), "{}", ran.stderr);
    }
    // Both counts of a set are about repetition.
    let folder = folder.with("two.txt", format!("{puzzle}\n{puzzle}\n"));
    let ran = folder
        .run("dedup two.txt")
        .status(0)
        .says("2 records: 1 kept, 1 repeated\n");
    assert!(!ran.stderr.contains("unique"));
    let grid = folder.run("solve p.txt -q").stdout;
    let folder = folder.with("grids.txt", grid.repeat(2));
    let ran = folder.run("check --grids --distinct grids.txt").status(1);
    ran.says("grids.txt:2: repeated: the same as record 1 of all, counted from 1");
}

/// The synopsis of a page is the usage of the help, with the values of what it names.
#[test]
fn manual_pages_show_how_to_call() {
    let folder = Folder::new();
    for name in commands(&folder) {
        let page = folder.out(&format!("man {name}")).replace("\\-", "-");
        let synopsis = page
            .split(".SH ")
            .find_map(|part| part.strip_prefix("SYNOPSIS\n.nf\n"));
        let synopsis = synopsis.unwrap().split(".fi\n").next().unwrap();
        let help = folder.out(&format!("{name} --help"));
        let usage = help
            .split("\n\n")
            .find_map(|part| part.strip_prefix("Usage: "));
        let usage: Vec<&str> = usage.unwrap().lines().map(str::trim).collect();
        assert_eq!(synopsis.lines().collect::<Vec<_>>(), usage, "{name}");
    }
    let page = folder.out("man psp");
    assert!(
        page.contains("sudoku\\-batch psp [\\-\\-out FILE] \\-s PATH\n"),
        "{page}"
    );
}

#[test]
fn manual_pages_have_sections() {
    let folder = Folder::new();
    let sections = |arguments: &str| {
        let page = folder.out(arguments);
        let heads = page.lines().filter_map(|line| line.strip_prefix(".SH "));
        let heads = heads.map(|head| head.trim_matches('"').to_owned());
        heads.collect::<Vec<_>>()
    };
    for name in commands(&folder) {
        let sections = sections(&format!("man {name}"));
        assert_eq!(sections[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{name}");
        assert!(!sections.iter().any(|name| name == "EXTRA"), "{name}");
        if !["man", "completions"].contains(&&*name) {
            for section in ["OPTIONS", "EXAMPLES", "EXIT STATUS"] {
                assert!(
                    sections.iter().any(|name| name == section),
                    "{name}: no {section}"
                );
            }
        }
    }
    assert!(sections("man").contains(&"EXIT STATUS".to_owned()));
    // Examples keep their lines.
    let page = folder.out("man rank");
    assert!(page.contains("\n.nf\n") && page.contains("\n.fi\n"));
}

/// Whether a shell is here. Where all checks run (SUDOKU_BATCH_REQUIRE_SHELLS) it must be.
fn is_here(shell: &str) -> bool {
    let here = tools::has(shell);
    let required = std::env::var_os("SUDOKU_BATCH_REQUIRE_SHELLS").is_some();
    assert!(here || !required, "{shell} is missing");
    here
}

/// A text that is typed, and the words that its completion must offer.
const CASES: [(&[&str], &[&str]); 10] = [
    (&["so"], &["solve"]),
    (&["solve", "--rej"], &["--rejects"]),
    (&["solve", "--uni"], &["--unique"]),
    (
        &["solve", "--simd", ""],
        &["avx512", "avx2", "neon", "portable"],
    ),
    (&["solve", "--engine", ""], &["auto", "scalar", "sliced"]),
    (&["solve", "--summary", ""], &["text", "json", "none"]),
    (
        &["solve", "--format", ""],
        &["line", "csv", "jsonl", "block"],
    ),
    (&["rate", "--input-format", "a"], &["auto"]),
    (&["generate", "--summary", "j"], &["json"]),
    (&["bench", "--engine", "sl"], &["sliced"]),
];

#[test]
fn bash_completes() {
    let folder = Folder::new();
    for (words, offered) in CASES {
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        let [.., current] = words else { unreachable!() };
        let previous = words
            .len()
            .checked_sub(2)
            .map_or("sudoku-batch", |at| words[at]);
        // Bash does it like this: the function gets the command, the word and the one before it.
        let line = format!(
            "source <($P completions bash)
             COMP_WORDS=(sudoku-batch {}) COMP_CWORD={}
             function=$(complete -p sudoku-batch | sed 's/.*-F \\([^ ]*\\).*/\\1/')
             $function sudoku-batch '{current}' {previous}
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            quoted.join(" "),
            words.len(),
        );
        let ran = folder.bash(&line).status(0);
        let replies: Vec<_> = ran.stdout.lines().collect();
        for word in offered {
            assert!(
                replies.contains(word),
                "{words:?}: {word} is not in {replies:?}"
            );
        }
    }
}

#[test]
fn fish_completes() {
    if !is_here("fish") {
        return;
    }
    let folder = Folder::new();
    for (words, offered) in CASES {
        let typed = format!("sudoku-batch {}", words.join(" "));
        let line = "$P completions fish > c.fish && HOME=$PWD fish --no-config -c 'source c.fish; complete -C $argv[1]' -- \"$T\"";
        let ran = output(folder.shell(line).env("T", &typed));
        let stdout = String::from_utf8(ran.stdout).unwrap();
        let replies: Vec<_> = stdout
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        for word in offered {
            assert!(
                replies.contains(word),
                "{words:?}: {word} is not in {replies:?}"
            );
        }
    }
}

/// `zsh` gives its offers to `compadd`: here to one that prints them.
#[test]
fn zsh_completes() {
    if !is_here("zsh") {
        return;
    }
    const CAPTURE: &str = r#"
        zmodload zsh/zpty
        zpty z zsh -f -i
        zpty -w z "PS1= PS2= HOME=$PWD; autoload -Uz compinit; compinit -C -d ./dump; source ./c.zsh; compdef _sudoku-batch sudoku-batch"
        zpty -w z 'compadd() { [[ ${@[(r)-(O|A|D)]} == "" ]] && print -r -- "<<${(Pj:|:)@[-1]:-$*}>>"; builtin compadd "$@" }'
        zpty -w z 'zstyle ":completion:*" list-separator "  --"; LISTMAX=0; print re""ady'
        zpty -r z seen '*ready*'
        zpty -n -w z "$T"$'\t\t'
        sleep 1
        zpty -n -w z $'\x15print do""ne\n'
        while zpty -r z seen; do print -r -- "$seen"; [[ $seen == *done* ]] && break; done
        zpty -d z
    "#;
    let folder = Folder::new();
    folder.bash("$P completions zsh > c.zsh").status(0);
    // The list of all that shells load takes half a second, so it is made once.
    let dump = "zsh -f -c 'autoload -Uz compinit; compinit -u -d ./dump'";
    folder.bash(dump).status(0);
    let complete = |words: &[&str]| {
        let typed = format!("sudoku-batch {}", words.join(" "));
        let mut zsh = folder.shell("zsh -f -c \"$CAPTURE\"");
        output(zsh.env("CAPTURE", CAPTURE).env("T", &typed)).stdout
    };
    // Each shell waits a second for its answer, so all of them wait at the same time.
    std::thread::scope(|scope| {
        let complete = &complete;
        let shells = CASES
            .iter()
            .map(|(words, _)| scope.spawn(move || complete(words)));
        let shells: Vec<_> = shells.collect();
        for ((words, offered), shell) in CASES.iter().zip(shells) {
            let seen = shell.join().unwrap();
            let seen = String::from_utf8_lossy(&seen);
            for word in *offered {
                assert!(seen.contains(word), "{words:?}: {word} is not in {seen:?}");
            }
        }
    });
}
