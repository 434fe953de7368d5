//! Pages to print: paper, text that is measured, puzzles laid out, and three writers of the same pages.
//!
//! ```text
//!     layout        pages of puzzles, answers and titles   -> Page: lines, areas and texts with their places
//!     pdf, svg      a Page -> PDF, or an element of SVG     (fonts measures texts for both)
//! ```
//!
//! All measures are points: 72 of them are an inch. A page has its origin in the top left corner.

pub mod fonts;
pub mod layout;
pub mod page;
pub mod paper;
pub mod pdf;
pub mod svg;
