//! Pages to print: paper, text that is measured, puzzles laid out, and three writers of the same pages.
//!
//! ```text
//!     layout        pages of puzzles, answers and titles   -> Page: lines, areas and texts with their places
//!     pdf, svg      a Page -> PDF, or an element of SVG     (fonts measures texts for both)
//! ```
//!
//! All measures are points: 72 of them are an inch. A page has its origin in the top left corner.

pub(crate) mod fonts;
pub(crate) mod layout;
pub(crate) mod page;
pub(crate) mod paper;
pub(crate) mod pdf;
pub(crate) mod svg;
