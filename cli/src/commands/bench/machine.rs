//! The machine that the figures are of: they mean nothing without.

use crate::{driver::words::counted, pipeline::Threads};
use serde::Serialize;
use std::{
    fs,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

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
            cores: Threads::new(0).count(),
            version: env!("CARGO_PKG_VERSION"),
            compiler: env!("SUDOKU_BATCH_COMPILER"),
        }
    }

    /// In one line, with the date.
    pub(super) fn line(&self) -> String {
        format!(
            "{}: {}, {}; sudoku-batch {}, {}",
            today(),
            self.cpu,
            counted(self.cores as u64, "cores"),
            self.version,
            self.compiler,
        )
    }
}

/// The name of the CPU, where the system has it.
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

/// Today, as in 2026-01-31, by the clock of Greenwich.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.unwrap_or_default().as_secs() / (24 * 60 * 60))
}

/// The date `days` after the first of January 1970. Years are counted
/// from March, which puts the leap day last (Howard Hinnant's
/// "chrono-compatible low-level date algorithms").
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{}-{month:02}-{day:02}", 400 * era + year + later)
}

#[cfg(test)]
mod tests {
    use super::date;

    /// The days are those of `date -ud DATE +%s`, by 86,400.
    #[test]
    fn dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_454, "2026-01-01"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
