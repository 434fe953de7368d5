//! Pages of the command: one file each, that loads nothing.

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --ground: #ffffff; --faint: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --ground: #0d1117; --faint: #3d444d }
}
body { color: var(--ink); background: var(--ground); font: 16px/1.5 system-ui, sans-serif;
       max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--faint); padding: 0.25rem 0.6rem; text-align: left }
.number { text-align: right; white-space: nowrap }
svg { max-width: 100%; height: auto; margin: 1rem 0; display: block }
.narrow { display: none }
@media (max-width: 50rem) {
  body { margin: 1rem auto }
  h1, h2, p { overflow-wrap: anywhere }
  td, th { white-space: nowrap }
  .desktop { display: none } .narrow { display: block }
}
";

/// A page with a title, a heading and more rules of style.
pub(crate) fn page(title: &str, heading: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Text in HTML or SVG.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |c| match c {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '"' => "&quot;".into(),
        c => String::from(c),
    };
    text.chars().map(escape).collect()
}
