//! Pages as SVG: pictures of their own, or elements of one HTML page.
//!
//! The letters are those of Noto Sans where the viewer has it, and of another font without serifs elsewhere. Lines
//! break where they break in a PDF.

use super::page::{Anchor, Mark, Page, Weight};
use std::fmt::Write;
use sudoku_batch::draw::svg::escaped;

/// The fonts of a text, the best first.
const FONTS: &str = "'Noto Sans','Noto Sans CJK SC',Helvetica,Arial,'Liberation Sans',sans-serif";

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A page as an element `svg`. Its sides are points.
pub fn element(page: &Page, [width, height]: [f64; 2]) -> String {
    let (width, height) = (short(width), short(height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" text-anchor=\"middle\">\n"
    );
    for mark in &page.marks {
        write_mark(mark, &mut svg).expect("into memory");
    }
    svg + "</svg>\n"
}

fn write_mark(mark: &Mark, svg: &mut String) -> std::fmt::Result {
    match mark {
        Mark::Area {
            corner: [x, y],
            extent: [width, height],
            ink,
        } => {
            let [x, y, width, height] = [*x, *y, *width, *height].map(short);
            let fill = grey(*ink);
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
            )
        }
        Mark::Lines { width, ink, lines } => {
            svg.write_str("<path d=\"")?;
            for [[x, y], [to_x, to_y]] in lines {
                let [x, y, to_x, to_y] = [*x, *y, *to_x, *to_y].map(short);
                write!(svg, "M{x} {y}L{to_x} {to_y}")?;
            }
            let (stroke, width) = (grey(*ink), short(*width));
            writeln!(svg, "\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>")
        }
        Mark::Text(text) => {
            let [x, y, size] = [text.x, text.baseline, text.size].map(short);
            let weight = match text.weight {
                Weight::Regular => "",
                Weight::Bold => " font-weight=\"bold\"",
            };
            let anchor = match text.anchor {
                Anchor::Start => " text-anchor=\"start\"",
                Anchor::Middle => "",
                Anchor::End => " text-anchor=\"end\"",
            };
            let text = escaped(&text.text);
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{weight}{anchor}>{text}</text>"
            )
        }
    }
}

/// A grey as CSS names it.
fn grey(ink: f64) -> String {
    let part = (ink * 255.0).round() as u8;
    format!("#{part:02x}{part:02x}{part:02x}")
}

/// The elements of all pages as one HTML page that prints a sheet of paper for each.
pub fn html(pages: &str, [width, height]: [f64; 2], (title, language): (&str, &str)) -> String {
    let (width, height) = (short(width), short(height));
    let title = escaped(if title.is_empty() { "Sudoku" } else { title });
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\n\
         <style>@page{{size:{width}pt {height}pt;margin:0}}body{{margin:0;background:#fff}}\
         svg{{display:block;break-after:page;break-inside:avoid}}\
         @media screen{{body{{background:#ddd}}svg{{background:#fff;margin:5mm auto;max-width:100%;height:auto;\
         box-shadow:0 0 2mm #888}}}}</style></head>\n<body>\n{}</body></html>\n",
        pages
    )
}
