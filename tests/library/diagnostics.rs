//! The compiler's words about calls that cannot be meant.

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

/// The library that this test is linked with, or one beside it that is as new.
fn library() -> PathBuf {
    let folder = env::current_exe().unwrap();
    let files = fs::read_dir(folder.parent().unwrap()).unwrap();
    let files = files.map(|entry| entry.unwrap()).filter(|entry| {
        let name = entry.file_name().into_string().unwrap();
        name.starts_with("libsudoku_batch-") && name.ends_with(".rlib")
    });
    let newest = files.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap());
    newest.expect("the library beside its tests").path()
}

/// Messages of the compiler about the body of a function. `None` where it compiles for another system than that of
/// this test.
fn messages(body: &str) -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = Command::new(&rustc).arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find(|line| line.starts_with("host: "));
    if !host.unwrap().contains(env::consts::ARCH) {
        return None;
    }
    let library = library();
    let mut dependencies = std::ffi::OsString::from("dependency=");
    dependencies.push(library.parent().unwrap());
    let mut extern_library = std::ffi::OsString::from("sudoku_batch=");
    extern_library.push(&library);
    // The compiler removes an old output first: as root it would replace `/dev/null` by a file.
    let mut compiler = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata"])
        .arg("--out-dir")
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .arg("-L")
        .arg(dependencies)
        .arg("--extern")
        .arg(extern_library)
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("pub fn call() {{ let mut solver = sudoku_batch::Solver::new(); {body} }}");
    compiler
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = compiler.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.success(),
        !messages.contains("error"),
        "{messages}"
    );
    Some(messages)
}

/// Texts and bytes are no puzzles, and the compiler says how they become one.
#[test]
#[cfg_attr(miri, ignore = "it starts the compiler")]
fn the_compiler_says_how_a_text_becomes_a_puzzle() {
    let Some(right) = messages("_ = solver.solve(&sudoku_batch::Puzzle::EMPTY);") else {
        return;
    };
    assert_eq!(right, "");
    for (call, what) in [
        (r#"solver.solve("4..5")"#, "&str"),
        (r#"solver.count(&String::from("4..5"), 2)"#, "&String"),
        (r#"solver.solve_batch(&["4..5"])"#, "&str"),
        ("solver.solve_batch(&[[b'd'; 81]])", "[u8; 81]"),
        ("solver.solve(&[b'd'; 81])", "&[u8; 81]"),
        (r#"sudoku_batch::technique::rate("4..5")"#, "&str"),
        (r#"sudoku_batch::guide::way("4..5")"#, "&str"),
    ] {
        let messages = messages(&format!("_ = {call};")).unwrap();
        let error = format!("error[E0277]: `{what}` is no puzzle\n");
        for words in [
            error.as_str(),
            "a `Puzzle`, `Candidates` or `AnyPuzzle` is expected here",
            "`.parse::<Puzzle>()?`",
        ] {
            assert!(messages.contains(words), "{call}:\n{messages}");
        }
        // Nothing that sends the reader elsewhere.
        let [of_puzzles, all] = [error.as_str(), "error["].map(|words| messages.matches(words));
        assert_eq!(of_puzzles.count(), all.count(), "{call}:\n{messages}");
    }
}
