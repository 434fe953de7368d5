//! Pages as PDF 1.7: vector graphics, subsets of the fonts embedded, no time stamps.
//!
//! ```text
//!     catalog ── page tree ── page … ── content, compressed
//!        └────── outline ── item …          └─ F0 F1 … ── font, subset, widths, ToUnicode
//! ```
//!
//! `pdf-writer` writes the objects, and `subsetter` takes the glyphs that occur from a font. Both are parts of typst.
//! `krilla`, which does all of this and more, was looked at: it shapes texts and reads images, for some 40 crates.

use super::{
    fonts::{Font, Fonts, Glyph},
    layout::PageSink,
    page::{Anchor, Mark, Page, Text},
};
use anyhow::anyhow;
use flate2::{Compression, Crc, write::ZlibEncoder};
use pdf_writer::{
    Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
};
use std::{collections::BTreeMap, io::Write};
use subsetter::GlyphRemapper;
use ttf_parser::{GlyphId, Tag};

/// The facts about a document that a reader of PDF shows.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub title: String,
    pub author: String,
    /// The language, such as `en`.
    pub language: &'static str,
}

/// A PDF that is being written.
pub struct PdfWriter<'f> {
    pdf: Pdf,
    fonts: &'f Fonts,
    used: Vec<Used>,
    width: f64,
    height: f64,
    pages: Vec<Ref>,
    /// The titles of the outline, and the number of the page of each, from 0.
    outline: Vec<(String, usize)>,
    next: i32,
}

/// The glyphs of a font that occur.
#[derive(Default)]
struct Used {
    remapper: GlyphRemapper,
    /// By their numbers in the subset: the glyph and its character.
    glyphs: BTreeMap<u16, (GlyphId, char)>,
}

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const RESOURCES: Ref = Ref::new(3);
const FIRST_FREE: i32 = 4;

/// How glyphs are numbered: by the subset.
const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// A number of hundredths: finer is not seen on paper, and takes more bytes.
fn rounded(number: f64) -> f32 {
    ((number * 100.0).round() / 100.0) as f32
}

/// Bytes, compressed as `FlateDecode` reads them.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

impl<'f> PdfWriter<'f> {
    /// A PDF without pages. A page has this width and height, in points.
    pub fn new(fonts: &'f Fonts, [width, height]: [f64; 2]) -> Self {
        let used = fonts.all.iter().map(|_| Used::default()).collect();
        let mut pdf = Pdf::new();
        pdf.set_version(1, 7);
        Self {
            pdf,
            fonts,
            used,
            width,
            height,
            pages: Vec::new(),
            outline: Vec::new(),
            next: FIRST_FREE,
        }
    }

    fn new_ref(&mut self) -> Ref {
        self.next += 1;
        Ref::new(self.next - 1)
    }

    /// Adds a title to the outline, for the next page.
    pub fn add_bookmark(&mut self, title: &str) {
        self.outline.push((title.to_owned(), self.pages.len()));
    }

    /// Adds a page.
    pub fn add_page(&mut self, page: &Page) {
        let content = self.content(page);
        let (id, content_id) = (self.new_ref(), self.new_ref());
        let packed = packed(&content);
        self.pdf
            .stream(content_id, &packed)
            .filter(Filter::FlateDecode);
        let sides = Rect::new(0.0, 0.0, rounded(self.width), rounded(self.height));
        let mut object = self.pdf.page(id);
        object.parent(PAGES).media_box(sides).trim_box(sides);
        object.contents(content_id);
        object.pair(Name(b"Resources"), RESOURCES);
        object.finish();
        self.pages.push(id);
    }

    /// The operators that draw a page. All texts come last.
    fn content(&mut self, page: &Page) -> Vec<u8> {
        let mut content = Content::new();
        let up = |y: f64| rounded(self.height - y);
        for mark in &page.marks {
            match mark {
                Mark::Area {
                    corner: [x, y],
                    extent: [width, height],
                    ink,
                } => {
                    content.set_fill_gray(rounded(*ink));
                    content.rect(
                        rounded(*x),
                        up(y + height),
                        rounded(*width),
                        rounded(*height),
                    );
                    content.fill_nonzero();
                }
                Mark::Lines { width, ink, lines } => {
                    content.set_stroke_gray(rounded(*ink));
                    content.set_line_width(rounded(*width));
                    for [from, to] in lines {
                        content.move_to(rounded(from[0]), up(from[1]));
                        content.line_to(rounded(to[0]), up(to[1]));
                    }
                    content.stroke();
                }
                Mark::Text(_) => {}
            }
        }
        let texts = page.marks.iter().filter_map(|mark| match mark {
            Mark::Text(text) => Some(text),
            _ => None,
        });
        content.set_fill_gray(0.0);
        content.begin_text();
        let mut font = None;
        for text in texts {
            self.write_text(text, &mut font, &mut content);
        }
        content.end_text();
        content.finish().to_vec()
    }

    /// Writes a text in runs of one font. `set` is the font that is set, with its size.
    fn write_text(&mut self, text: &Text, set: &mut Option<(usize, f32)>, content: &mut Content) {
        let width = || self.fonts.width(&text.text, text.size, text.weight);
        let mut x = match text.anchor {
            Anchor::Start => text.x,
            Anchor::Middle => text.x - width() / 2.0,
            Anchor::End => text.x - width(),
        };
        let size = rounded(text.size);
        let mut run = Vec::new();
        let glyphs = text.text.chars();
        let glyphs = glyphs.filter_map(|c| Some((c, self.fonts.glyph(c, text.weight)?)));
        let mut glyphs = glyphs.peekable();
        let y = rounded(self.height - text.baseline);
        let mut start = x;
        while let Some((character, Glyph { font, id, advance })) = glyphs.next() {
            let used = &mut self.used[font];
            let new = used.remapper.remap(id.0);
            used.glyphs.entry(new).or_insert((id, character));
            run.extend_from_slice(&new.to_be_bytes());
            x += advance * text.size;
            if glyphs.peek().is_none_or(|(_, next)| next.font != font) {
                if *set != Some((font, size)) {
                    content.set_font(Name(font_name(font).as_bytes()), size);
                    *set = Some((font, size));
                }
                content.set_text_matrix([1.0, 0.0, 0.0, 1.0, rounded(start), y]);
                content.show(Str(&run));
                run.clear();
                start = x;
            }
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// A font of the user is damaged.
    pub fn finish(mut self, about: &About) -> anyhow::Result<Vec<u8>> {
        let mut names = Vec::new();
        for number in 0..self.used.len() {
            if !self.used[number].glyphs.is_empty() {
                names.push((font_name(number), self.write_font(number)?));
            }
        }
        let mut resources = self.pdf.indirect(RESOURCES).dict();
        let mut fonts = resources.insert(Name(b"Font")).dict();
        for (name, id) in &names {
            fonts.pair(Name(name.as_bytes()), *id);
        }
        fonts.finish();
        resources.finish();
        let count = self.pages.len() as i32;
        let kids = self.pages.iter().copied();
        self.pdf.pages(PAGES).kids(kids).count(count);
        let outline = self.write_outline();
        let info = self.new_ref();
        let mut object = self.pdf.document_info(info);
        if !about.title.is_empty() {
            object.title(TextStr(&about.title));
        }
        if !about.author.is_empty() {
            object.author(TextStr(&about.author));
        }
        object.producer(TextStr(concat!("sudoku-batch ", env!("CARGO_PKG_VERSION"))));
        object.finish();
        let mut catalog = self.pdf.catalog(CATALOG);
        catalog.pages(PAGES).lang(TextStr(about.language));
        if let Some(outline) = outline {
            catalog.outlines(outline);
        }
        catalog
            .viewer_preferences()
            .pair(Name(b"DisplayDocTitle"), !about.title.is_empty());
        catalog.finish();
        Ok(self.pdf.finish())
    }

    /// Writes a font, as far as it occurs.
    fn write_font(&mut self, number: usize) -> anyhow::Result<Ref> {
        let used = &self.used[number];
        let font = &self.fonts.all[number];
        let subset = subsetter::subset(font.bytes, font.index, &used.remapper);
        let subset = subset.map_err(|error| anyhow!("font {}: {error}", font.name()))?;
        // A font with outlines of PostScript is embedded as its table `CFF`.
        let cff = ttf_parser::RawFace::parse(&subset, 0)
            .ok()
            .and_then(|face| face.table(Tag::from_bytes(b"CFF ")).map(<[u8]>::to_vec));
        let name = format!("{}+{}", tag(used), font.name());
        let units = f32::from(font.face.units_per_em());
        let scaled = |units_of_font: i16| f32::from(units_of_font) * 1000.0 / units;
        let widths: Vec<f32> = std::iter::once(0.0)
            .chain(used.glyphs.values().map(|(glyph, _)| width(font, *glyph)))
            .collect();
        let mut unicode = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (new, (_, character)) in &used.glyphs {
            unicode.pair(*new, *character);
        }
        let unicode = packed(&unicode.finish());
        let [id, cid, descriptor, data, cmap] = std::array::from_fn(|_| self.new_ref());
        self.pdf
            .type0_font(id)
            .base_font(Name(name.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);
        let mut object = self.pdf.cid_font(cid);
        object.subtype(match cff {
            Some(_) => CidFontType::Type0,
            None => CidFontType::Type2,
        });
        object.base_font(Name(name.as_bytes()));
        object.system_info(IDENTITY);
        object.font_descriptor(descriptor);
        object.default_width(0.0);
        if cff.is_none() {
            object.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        object.widths().consecutive(0, widths);
        object.finish();
        let sides = font.face.global_bounding_box();
        let mut object = self.pdf.font_descriptor(descriptor);
        object.name(Name(name.as_bytes()));
        // Symbolic: the characters are no named set of a standard encoding.
        object.flags(FontFlags::SYMBOLIC);
        object.bbox(Rect::new(
            scaled(sides.x_min),
            scaled(sides.y_min),
            scaled(sides.x_max),
            scaled(sides.y_max),
        ));
        object.italic_angle(0.0);
        object.ascent(scaled(font.face.ascender()));
        object.descent(scaled(font.face.descender()));
        let height = font.face.capital_height();
        object.cap_height(scaled(height.unwrap_or(font.face.ascender())));
        object.stem_v(80.0);
        match cff {
            Some(_) => object.font_file3(data),
            None => object.font_file2(data),
        };
        object.finish();
        let bytes = packed(cff.as_ref().unwrap_or(&subset));
        let mut stream = self.pdf.stream(data, &bytes);
        stream.filter(Filter::FlateDecode);
        match cff {
            Some(_) => stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C")),
            None => stream.pair(Name(b"Length1"), subset.len() as i32),
        };
        stream.finish();
        self.pdf.stream(cmap, &unicode).filter(Filter::FlateDecode);
        Ok(id)
    }

    /// Writes the outline, if there is one.
    fn write_outline(&mut self) -> Option<Ref> {
        let items = std::mem::take(&mut self.outline);
        if items.is_empty() {
            return None;
        }
        let id = self.new_ref();
        let ids: Vec<_> = items.iter().map(|_| self.new_ref()).collect();
        self.pdf
            .outline(id)
            .first(ids[0])
            .last(ids[ids.len() - 1])
            .count(ids.len() as i32);
        for (number, (title, page)) in items.iter().enumerate() {
            let mut item = self.pdf.outline_item(ids[number]);
            item.title(TextStr(title)).parent(id);
            if number > 0 {
                item.prev(ids[number - 1]);
            }
            if let Some(next) = ids.get(number + 1) {
                item.next(*next);
            }
            item.dest().page(self.pages[*page]).fit();
        }
        Some(id)
    }
}

/// The width of a glyph in thousandths of the size.
fn width(font: &Font, glyph: GlyphId) -> f32 {
    rounded(font.advance(glyph) * 1000.0)
}

/// The name of a font in the pages.
fn font_name(number: usize) -> String {
    format!("F{number}")
}

/// Six letters for a subset, by the checksum of its glyphs: different subsets have different ones.
fn tag(used: &Used) -> String {
    let mut sum = Crc::new();
    for (glyph, _) in used.glyphs.values() {
        sum.update(&glyph.0.to_be_bytes());
    }
    let mut rest = sum.sum();
    let letter = |_| {
        let letter = b'A' + (rest % 26) as u8;
        rest /= 26;
        char::from(letter)
    };
    (0..6).map(letter).collect()
}

impl PageSink for PdfWriter<'_> {
    fn bookmark(&mut self, title: &str) {
        self.add_bookmark(title);
    }

    fn page(&mut self, page: &Page) {
        self.add_page(page);
    }
}
