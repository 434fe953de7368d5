//! Notes the compiler, which `sudoku-batch bench` tells beside its figures.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let version = output
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.unwrap_or_default();
    // "rustc 1.95.0 (…)": the bracket says no more than the number.
    let version = version.split(" (").next().unwrap_or_default().trim();
    println!("cargo:rustc-env=SUDOKU_BATCH_COMPILER={version}");
}
