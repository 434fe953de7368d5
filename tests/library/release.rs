//! How the scripts make a release.

use std::{fs, process::Command};

use crate::support::ROOT;

fn text(path: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{path}")).unwrap()
}

/// A part that fails at any of its lines ends no other part, and is told at the end.
#[test]
fn a_part_that_fails_does_not_hide_the_others() {
    let script = ". scripts/toolchain.sh
        parts=(one two three four)
        one() { false; echo never; }
        two() { made=2; echo made two; }
        three() { exit 7; }
        four() { [[ ${failed[*]} == 'one three' ]] && echo made four; }
        run_parts
        echo end
        tell_failed";
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", script])
        .current_dir(ROOT);
    let ran = bash.output().unwrap();
    let [printed, told] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(ran.status.code(), Some(1), "{told}");
    let lines: Vec<_> = printed
        .lines()
        .filter(|line| line.starts_with(['m', 'n', 'e']))
        .collect();
    assert_eq!(lines, ["made two", "made four", "end"]);
    assert_eq!(told, "FAILED: one\nFAILED: three\n");
}

/// A build of minutes is told before it begins, and its time at its end. A lock file that names what cannot be had
/// is no end.
#[test]
fn a_tool_is_told_of_when_it_is_built() {
    let script = r#"export SUDOKU_BATCH_TOOLS=$(mktemp -d)
        trap 'rm -r "$SUDOKU_BATCH_TOOLS"' EXIT
        . scripts/toolchain.sh
        cargo() {
            [[ " $* " != *" --locked "* ]] || { echo "no such version" >&2; return 101; }
            mkdir -p "$4/bin" && touch "$4/bin/saw"
        }
        set -- $(cargo_tool saw 1.2.3 --debug) $(cargo_tool saw 1.2.3)
        [[ -e $1/saw && $1 == "$2" ]]"#;
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", script])
        .current_dir(ROOT);
    let ran = bash.output().unwrap();
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{told}");
    let lines: Vec<_> = told.lines().collect();
    assert!(lines[0].starts_with("-- building saw 1.2.3, which takes minutes"));
    assert_eq!(lines[1], "no such version");
    assert!(lines[2].starts_with("-- building saw 1.2.3 without its lock file"));
    assert!(lines[3].starts_with(lines[2].trim_end_matches(" ...")));
    assert!(lines[3].ends_with(" s"));
    // The second time it is there.
    assert_eq!(lines.len(), 4, "{told}");
}

/// The tools of a release have exact versions, and the forge takes the same.
#[test]
fn tools_of_a_release_have_exact_versions() {
    let toolchain = text("scripts/toolchain.sh");
    let workflow = text(".github/workflows/release.yml");
    let packages = toolchain.split_once("packages=(").unwrap().1;
    let packages: Vec<_> = packages
        .split_once(')')
        .unwrap()
        .0
        .split_whitespace()
        .collect();
    assert!(packages.len() > 4);
    for package in &packages {
        let (_, version) = package.split_once("==").expect(package);
        assert!(
            version.split('.').all(|part| part.parse::<u32>().is_ok()),
            "{package}"
        );
    }
    let maturin = packages
        .iter()
        .find(|package| package.starts_with("maturin"))
        .unwrap();
    assert!(workflow.contains(&format!("pip install {maturin}\n")));
    let rust = toolchain.split_once("release_rust=").unwrap().1;
    let rust = rust.lines().next().unwrap();
    assert!(workflow.contains(&format!("RUSTUP_TOOLCHAIN: {rust}\n")));
    let toolchains = workflow.matches("rustup toolchain install ").count();
    assert_eq!(
        toolchains,
        workflow
            .matches(&format!("rustup toolchain install {rust} "))
            .count()
    );
    for script in ["release.sh", "wheels.sh", "web.sh"] {
        for line in text(&format!("scripts/{script}")).lines() {
            if let Some((_, tool)) = line.split_once("cargo_tool ") {
                let version = tool.split([' ', ')']).nth(1).unwrap();
                assert!(
                    version == "\"$version\"" || version.split('.').count() == 3,
                    "{line}"
                );
            }
            assert!(!line.contains("pip install"), "{script}: {line}");
        }
    }
    // That of wasm-bindgen is the version of the crate.
    assert!(text("Cargo.toml").contains("\nwasm-bindgen = \"="));
}
