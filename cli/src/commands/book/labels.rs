//! Texts with placeholders: labels, headings, and names of files.

use anyhow::anyhow;
use sudoku_batch::format::template::{Source, Template, UnknownPlaceholder};

/// A text with placeholders of some names.
#[derive(Debug)]
pub(super) struct Labels {
    /// The names in braces. Some may be no placeholders, but text.
    pub(super) names: Vec<String>,
    template: Template,
}

impl Labels {
    /// Reads a text of an option. `known` says which names there are.
    ///
    /// # Errors
    ///
    /// A placeholder is none of them.
    pub(super) fn new(
        (option, text): (&str, &str),
        known: impl Fn(&str) -> bool,
        list: &dyn Fn() -> Vec<String>,
    ) -> anyhow::Result<Self> {
        let names: Vec<_> = Template::names(text)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let sources = names.iter().enumerate().filter(|(_, name)| known(name));
        let sources: Vec<_> = sources
            .map(|(number, name)| Source {
                name,
                number,
                has_cells: false,
            })
            .collect();
        let template = Template::new(text, &sources);
        let template = template.map_err(|UnknownPlaceholder { name, .. }| {
            let known = list().join(", ");
            anyhow!("{option}: {{{name}}} stands for nothing here; there is: {known}")
        })?;
        Ok(Self { names, template })
    }

    /// The text with the values of its placeholders.
    pub(super) fn fill(&self, value: impl Fn(&str) -> String) -> String {
        let mut text = Vec::new();
        let put = |number: usize, out: &mut Vec<u8>| {
            out.extend_from_slice(value(&self.names[number]).as_bytes());
        };
        self.template.fill(put, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}
