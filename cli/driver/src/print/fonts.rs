//! Fonts: which one has a character, how wide a text is, and where it breaks into lines.
//!
//! Digits and Latin, Greek and Cyrillic letters are those of Noto Sans, which the program carries. Fonts of the user
//! give the characters that it lacks. A text is set character by character, from left to right: scripts that join
//! their letters, or run from right to left, are not shaped.

use super::page::Weight;
use anyhow::{Context, anyhow, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};
use ttf_parser::{Face, GlyphId};

/// A font.
pub struct Font {
    /// Its bytes, which live as long as the program: a face refers to them.
    pub bytes: &'static [u8],
    /// Its number in a file of several fonts.
    pub index: u32,
    pub face: Face<'static>,
}

impl Font {
    fn new(bytes: &'static [u8], index: u32) -> Result<Self, ttf_parser::FaceParsingError> {
        let face = Face::parse(bytes, index)?;
        Ok(Self { bytes, index, face })
    }

    /// The name that a PDF gives the font.
    pub fn name(&self) -> String {
        let names = self.face.names().into_iter();
        let mut names = names.filter(|name| name.name_id == ttf_parser::name_id::POST_SCRIPT_NAME);
        let name = names.find_map(|name| name.to_string()).unwrap_or_default();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
        let name: String = name.chars().filter(is_plain).collect();
        if name.is_empty() { "Font".into() } else { name }
    }

    fn has(&self, character: char) -> Option<GlyphId> {
        self.face.glyph_index(character).filter(|glyph| glyph.0 > 0)
    }

    /// The width of a glyph, as a part of the size of the font.
    pub fn advance(&self, glyph: GlyphId) -> f64 {
        let width = self.face.glyph_hor_advance(glyph).unwrap_or_default();
        f64::from(width) / f64::from(self.face.units_per_em())
    }
}

/// The height of a digit of Noto Sans, as a part of its size.
pub const DIGIT_HEIGHT: f64 = 0.714;

/// The fonts of a book.
pub struct Fonts {
    /// Noto Sans in both weights, and those of the user.
    pub all: Vec<Font>,
    /// The glyphs of ASCII in Noto Sans, by weight: nearly all that is printed are digits.
    ascii: [[Option<Glyph>; 128]; BUILT_IN],
}

/// A glyph of a font.
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    /// The number of the font.
    pub font: usize,
    pub id: GlyphId,
    /// The width, as a part of the size.
    pub advance: f64,
}

/// The numbers of the built-in fonts.
const REGULAR: usize = 0;
const BOLD: usize = 1;
const BUILT_IN: usize = 2;

impl Fonts {
    /// The built-in fonts, and those of these files, for texts in this language.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is no font that may be embedded.
    pub fn with(
        files: &[impl std::ops::Deref<Target = Path>],
        language: &str,
    ) -> anyhow::Result<Self> {
        let built_in = [notosans::REGULAR_TTF, notosans::BOLD_TTF];
        let built_in = built_in.map(|bytes| Font::new(bytes, 0).expect("Noto Sans is a font"));
        let mut all = Vec::from(built_in);
        for file in files {
            let path: &Path = file;
            let bytes = fs::read(path).with_context(|| format!("--font {}", path.display()))?;
            let bytes: &'static [u8] = bytes.leak();
            let font = Font::new(bytes, face_for(language, bytes));
            let font = font.map_err(|error| anyhow!("--font {}: {error}", path.display()))?;
            let may_embed = font
                .face
                .permissions()
                .is_none_or(|p| p != ttf_parser::Permissions::Restricted);
            if !may_embed || !font.face.is_subsetting_allowed() {
                bail!(
                    "--font {}: its maker does not allow that it is embedded",
                    path.display()
                );
            }
            all.push(font);
        }
        let mut fonts = Self {
            all,
            ascii: [[None; 128]; BUILT_IN],
        };
        for (font, glyphs) in [REGULAR, BOLD].into_iter().zip(0..) {
            let glyph = |code| fonts.glyph_of(font, char::from(code));
            fonts.ascii[glyphs] = std::array::from_fn(|code| glyph(code as u8));
        }
        Ok(fonts)
    }

    /// The glyph of a character in the first font that has it.
    pub fn glyph(&self, character: char, weight: Weight) -> Option<Glyph> {
        let first = match weight {
            Weight::Regular => REGULAR,
            Weight::Bold => BOLD,
        };
        if let Some(glyph) = self.ascii[first].get(character as usize) {
            return *glyph;
        }
        let mut fonts = [first].into_iter().chain(BUILT_IN..self.all.len());
        fonts.find_map(|font| self.glyph_of(font, character))
    }

    /// The glyph of a character in a font.
    fn glyph_of(&self, font: usize, character: char) -> Option<Glyph> {
        let id = self.all[font].has(character)?;
        let advance = self.all[font].advance(id);
        Some(Glyph { font, id, advance })
    }

    /// The width of a text.
    pub fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let glyphs = text.chars().filter_map(|c| self.glyph(c, weight));
        size * glyphs.map(|glyph| glyph.advance).sum::<f64>()
    }

    /// A text in lines of at most this width. It breaks at blanks and between ideographs, and inside a word that is
    /// too long alone. A line feed ends a line.
    pub fn wrapped(&self, text: &str, (size, weight): (f64, Weight), width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.replace('\t', " ").lines() {
            let mut line = String::new();
            for word in words(paragraph) {
                let both = format!("{line}{word}");
                if self.width(both.trim_end(), size, weight) <= width {
                    line = both;
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line).trim_end().to_owned());
                }
                for character in word.chars() {
                    line.push(character);
                    let is_too_long = self.width(line.trim_end(), size, weight) > width;
                    if is_too_long && line.len() > character.len_utf8() {
                        line.pop();
                        lines.push(std::mem::replace(&mut line, character.to_string()));
                    }
                }
            }
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// Checks that each character of a text has a glyph.
    ///
    /// # Errors
    ///
    /// A character has none. The message names a font of this machine that has it, if there is one.
    pub fn check(&self, text: &str) -> anyhow::Result<()> {
        let lacks = |c: &char| !c.is_control() && self.glyph(*c, Weight::Regular).is_none();
        let Some(missing) = text.chars().find(lacks) else {
            return Ok(());
        };
        let code = u32::from(missing);
        let advice = match font_of_machine(missing) {
            Some(path) => format!("--font '{}' has it", path.display()),
            None => "--font FILE names a font that has it".into(),
        };
        bail!(
            "'{missing}' (U+{code:04X}) of '{text}' is in no font of the book, which are Noto Sans and those of --font: \
             {advice}"
        )
    }
}

/// The number of the font of a file that a language takes. Collections such as Noto Sans CJK have a font for each country,
/// whose characters look different; `SC` in a name is simplified Chinese.
fn face_for(language: &str, bytes: &[u8]) -> u32 {
    let count = ttf_parser::fonts_in_collection(bytes).unwrap_or(1);
    let is_simplified = |number: &u32| {
        let face = Face::parse(bytes, *number);
        face.is_ok_and(|face| {
            let names = face.names().into_iter().filter_map(|name| name.to_string());
            let mut words = names.flat_map(|name| {
                let words = name.split([' ', '-']).map(str::to_owned);
                words.collect::<Vec<_>>()
            });
            words.any(|word| word == "SC" || word.ends_with("SC"))
        })
    };
    match language {
        "zh" => (0..count).find(is_simplified).unwrap_or(0),
        _ => 0,
    }
}

/// The words of a line, each with the blanks behind it. An ideograph is a word.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let mut end = rest.len();
        let mut before: Option<char> = None;
        for (at, character) in rest.char_indices() {
            if let Some(before) = before {
                let is_new = before == ' ' && character != ' ';
                let breaks = is_ideograph(before) || is_ideograph(character);
                if is_new || breaks && character != ' ' && !closes(character) {
                    end = at;
                    break;
                }
            }
            before = Some(character);
        }
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// Returns true for the characters of Chinese and Japanese between which a line may end.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns true for marks that begin no line.
fn closes(character: char) -> bool {
    "、。，．：；？！）】》」』,.:;?!)]".contains(character)
}

/// The first font in the folders of the system that has a character, by its name.
fn font_of_machine(character: char) -> Option<PathBuf> {
    const FOLDERS: [&str; 5] = [
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        "/System/Library/Fonts",
        "/Library/Fonts",
        "C:\\Windows\\Fonts",
    ];
    FOLDERS.iter().find_map(|folder| {
        let mut fonts = Vec::new();
        add_fonts(Path::new(folder), 4, &mut fonts);
        fonts.sort();
        fonts.into_iter().find(|path| {
            let bytes = fs::read(path).unwrap_or_default();
            Face::parse(&bytes, 0).is_ok_and(|face| face.glyph_index(character).is_some())
        })
    })
}

/// Adds the files of fonts in a folder and in those inside it.
fn add_fonts(folder: &Path, depth: usize, fonts: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        if path.is_dir() && depth > 0 {
            add_fonts(&path, depth - 1, fonts);
        } else if matches!(&ending[..], "ttf" | "otf" | "ttc" | "otc") {
            fonts.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fonts() -> Fonts {
        Fonts::with(&[] as &[PathBuf], "en").unwrap()
    }

    #[test]
    fn lines_break_at_blanks_and_hold_all_of_the_text() {
        let fonts = fonts();
        let font = (10.0, Weight::Regular);
        let text = "Ein Buch mit zweihundert Sudokus für Kinder und Donaudampfschifffahrtskapitäne";
        for width in [20.0, 40.0, 80.0, 200.0, 1000.0] {
            let lines = fonts.wrapped(text, font, width);
            for line in &lines {
                assert!(fonts.width(line, 10.0, Weight::Regular) <= width, "{line}");
            }
            let joined: String = lines.concat().replace(' ', "");
            assert_eq!(joined, text.replace(' ', ""));
        }
        assert_eq!(fonts.wrapped("a b\nc", font, 1000.0), ["a b", "c"]);
        assert_eq!(fonts.wrapped("ab cd", font, 14.0), ["ab", "cd"]);
    }

    #[test]
    fn ideographs_are_words_and_marks_end_them() {
        let words: Vec<_> = words("数独 book，第1").collect();
        assert_eq!(words, ["数", "独 ", "book，", "第", "1"]);
    }

    #[test]
    fn a_width_is_the_sum_of_the_advances() {
        let fonts = fonts();
        // The table `hmtx` of Noto Sans has 1,171 of 2,048 units for each digit.
        let width = fonts.width("0123456789", 100.0, Weight::Regular);
        assert!((width - 1000.0 * 1171.0 / 2048.0).abs() < 1e-6, "{width}");
    }

    #[test]
    fn a_character_without_a_glyph_is_named() {
        let fonts = fonts();
        fonts.check("Größe, año, œuvre, Σ, Ж").unwrap();
        let error = fonts.check("书 1").unwrap_err().to_string();
        assert!(
            error.starts_with("'书' (U+4E66) of '书 1' is in no font"),
            "{error}"
        );
        assert!(error.contains("--font"), "{error}");
    }
}
