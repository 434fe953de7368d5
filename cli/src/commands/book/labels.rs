//! Texts with placeholders: labels, headings, and names of files.

use anyhow::anyhow;
use sudoku_batch::format::template::{Source, Template, UnknownPlaceholder};

/// A text with placeholders of some names.
#[derive(Debug)]
pub(super) struct Labels {
    /// The names that stand in the text. Some may be no placeholders, but text in braces.
    pub(super) names: Vec<String>,
    template: Template,
}

/// The names in braces of a text.
pub(super) fn names_in(text: &str) -> Vec<String> {
    let mut names = Vec::<String>::new();
    for part in text.split('{').skip(1) {
        if let Some((name, _)) = part.split_once('}')
            && !name.is_empty()
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
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
        let names = names_in(text);
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
