//! Gives the shared library the name that programs look for: with the part of the version within which
//! nothing that a program relies on changes.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = |part: &str| env::var(format!("CARGO_PKG_VERSION_{part}")).expect("set by cargo");
    // Before 1.0 that is a minor version: see CONTRIBUTING.md.
    let kept = match (version("MAJOR").as_str(), version("MINOR")) {
        ("0", minor) => format!("0.{minor}"),
        (major, _) => major.to_owned(),
    };
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => println!(
            "cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsudoku_batch.{kept}.dylib"
        ),
        Ok("windows") => {}
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsudoku_batch.so.{kept}"),
    }
}
