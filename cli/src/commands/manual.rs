//! `sudoku-batch man` and `sudoku-batch completions`.

use super::program;
use crate::driver::report::{plain, print};
use anyhow::Context;
use std::process::ExitCode;

/// The name of the program.
const NAME: &str = "sudoku-batch";

/// Print the manual page of the program or of one command.
///
/// For example: sudoku-batch man solve | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The command.
    #[arg(value_name = "COMMAND")]
    page: Option<String>,
}

impl Man {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        print_page(self.page.as_deref())
    }
}

/// Print the completions for a shell.
///
/// For example: sudoku-batch completions bash > ~/.local/share/bash-completion/completions/sudoku-batch
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

impl Completions {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        print_completions(self.shell)
    }
}

/// Prints the manual page of the program, or of one of its commands.
fn print_page(name: Option<&str>) -> anyhow::Result<ExitCode> {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    let mut command = match name {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .with_context(|| format!("there is no command `{name}`"))?
            .clone(),
    };
    let more = command.get_after_long_help().map(ToString::to_string);
    let usage = command.render_usage().to_string();
    let manual = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    page.extend(synopsis(&usage).into_bytes());
    manual.render_description_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    if name.is_none() {
        manual.render_subcommands_section(&mut page)?;
    }
    page.extend(sections(&more.unwrap_or_default()).into_bytes());
    if name.is_none() {
        manual.render_version_section(&mut page)?;
    }
    print(plain(&String::from_utf8(page)?))
}

/// The ways to call a command, as its help has them. (clap_mangen lists all options there, and none of their values.)
fn synopsis(usage: &str) -> String {
    let ways = usage.trim_start_matches("Usage:").lines();
    let ways = ways.map(|way| escaped(way.trim()) + "\n");
    [".SH SYNOPSIS\n.nf\n", &ways.collect::<String>(), ".fi\n"].concat()
}

/// Turns the end of a help text into sections of a manual page. Blank lines separate its
/// blocks. A block that begins with `Heading:` on a line of its own is a section, and its
/// indented lines keep their line breaks. A paragraph that starts with `Heading: text` is a
/// section too. (clap_mangen joins all lines of all blocks under the heading EXTRA.)
fn sections(help: &str) -> String {
    let mut page = String::new();
    for block in help.split("\n\n") {
        let (first, rest) = block.split_once('\n').unwrap_or((block, ""));
        let mut paragraph = block;
        if let Some((heading, text)) = first.split_once(':')
            && !heading.is_empty()
            && heading.split(' ').count() <= 7
            && (text.is_empty() || heading == "Exit status")
        {
            page += &format!(".SH {}\n", escaped(&heading.to_uppercase()));
            paragraph = if text.is_empty() {
                rest
            } else {
                block[heading.len() + 1..].trim_start()
            };
        } else {
            page += ".PP\n";
        }
        let mut verbatim = false;
        for line in paragraph.lines() {
            if line.starts_with(' ') != verbatim {
                verbatim = !verbatim;
                page += if verbatim { ".nf\n" } else { ".fi\n.PP\n" };
            }
            page += &escaped(line);
            page += "\n";
        }
        page += if verbatim { ".fi\n" } else { "" };
    }
    page
}

/// Escapes a line of text for roff.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}

/// Prints the completions for a shell.
fn print_completions(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program(), NAME, &mut script);
    if shell == clap_complete::Shell::Bash {
        // The script spells the label of a command in two ways if the program's name has a
        // hyphen, and then completes nothing after a command:
        // https://github.com/clap-rs/clap/issues/6421.
        let wrong = NAME.replace('-', "__subcmd__");
        script = String::from_utf8(script)?
            .replace(&wrong, &NAME.replace('-', "__"))
            .into_bytes();
    }
    print(plain(&String::from_utf8(script)?))
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn the_end_of_a_help_text_has_sections() {
        let help = "Examples:\n  a --b\n      .Do\nThe rest\nis text.\n\nExit status: 0 well;\n1 not.\n\nA note: with\na colon.";
        let page = ".SH EXAMPLES\n.nf\n  a \\-\\-b\n      .Do\n.fi\n.PP\nThe rest\nis text.\n\
                    .SH EXIT STATUS\n0 well;\n1 not.\n.PP\nA note: with\na colon.\n";
        assert_eq!(sections(help), page);
        assert_eq!(
            sections("Columns:\n  \\x\n'y"),
            ".SH COLUMNS\n.nf\n  \\ex\n.fi\n.PP\n\\&'y\n"
        );
    }
}
