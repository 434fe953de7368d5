//! What the figures are of: they mean nothing without.

use serde::Serialize;
use std::{fs, process::Command, thread};

/// The machine and the program.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    cpu: String,
    cores: usize,
    version: &'static str,
    compiler: &'static str,
}

impl Machine {
    /// This one.
    pub(super) fn here() -> Self {
        Self {
            cpu: cpu().unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: cores(),
            version: env!("CARGO_PKG_VERSION"),
            compiler: env!("SUDOKU_BATCH_COMPILER"),
        }
    }

    /// In one line.
    pub(super) fn line(&self) -> String {
        format!(
            "{}, {} core{}; sudoku-batch {}, {}",
            self.cpu,
            self.cores,
            if self.cores == 1 { "" } else { "s" },
            self.version,
            self.compiler,
        )
    }
}

/// How many cores this process may use.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What the CPU calls itself, where the system tells.
fn cpu() -> Option<String> {
    let name = match fs::read_to_string("/proc/cpuinfo") {
        Ok(text) => {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            line.split_once(':')?.1.to_owned()
        }
        Err(_) => {
            let mut sysctl = Command::new("sysctl");
            let output = sysctl.args(["-n", "machdep.cpu.brand_string"]).output();
            String::from_utf8(output.ok()?.stdout).ok()?
        }
    };
    Some(name.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
}
