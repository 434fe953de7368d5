//! Grids of characters, for text and terminals: their lines, and where their cells lie between them.
//!
//! ```
//! use sudoku_batch::{Puzzle, draw::Picture};
//! use sudoku_batch_cli::lattice::{Charset, Lattice, Scale};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let text = Lattice::new(Scale::Small, Charset::Unicode).draw(&Picture::new(&puzzle)).to_string();
//! assert!(text.starts_with("\
//! ┌───────┬───────┬───────┐
//! │ 4 . . │ 5 2 . │ 7 . 3 │
//! │ . . . │ . . 3 │ . . . │
//! │ 1 . . │ . . 7 │ . . . │
//! ├───────┼───────┼───────┤
//! "));
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

mod canvas;

pub use canvas::{Canvas, Glyph, Ink};

use sudoku_batch::{
    draw::{Picture, Square},
    grid::{Cell, Digit},
};

/// The ground that a cell lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// Nothing special.
    #[default]
    Plain,
    /// A house of the chosen cell.
    House,
    /// A cell with the digit of the chosen cell.
    Same,
    /// A cell that a step speaks of.
    Step,
    /// The chosen cell.
    Cursor,
}

/// How large a cell is drawn.
///
/// ```text
///     Small            Medium              Large
///                                          ┏━━━━━━━┯━━━━━━━┯
///     ┌───────┬──      ┌──────────────     ┃       │ 1 2   │
///     │ 4 . . │ 5      │  4   12    1      ┃   4   │       │
///     │ . . . │ .      │        9  67      ┃       │     9 │
///                                          ┠───────┼───────┼
///
///     25 x 13          58 x 22             73 x 37
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// One character, without pencil marks: 25 columns and 13 lines.
    Small,
    /// Five columns and two lines, with pencil marks: 58 columns and 22 lines.
    Medium,
    /// Seven columns and three lines, with pencil marks, and with lines between all
    /// cells: 73 columns and 37 lines.
    Large,
}

/// The characters of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Lines that join: `┌─┬─┐`.
    #[default]
    Unicode,
    /// Plus, minus and bar: `+-+-+`.
    Ascii,
}

/// Places of the cells of a grid on a canvas, and the lines between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    scale: Scale,
    charset: Charset,
    labels: bool,
}

#[derive(Clone, Copy)]
struct Measure {
    cell: usize,
    /// The space before the first cell of a box.
    padding: usize,
    /// Whether there are lines between all cells, and not only between boxes.
    everywhere: bool,
    /// The space that the labels take before the first line.
    labels: usize,
}

impl Measure {
    const fn cell_at(self, n: usize) -> usize {
        let lines = if self.everywhere { n + 1 } else { n / 3 + 1 };
        self.labels + lines + self.padding * (n / 3 + 1) + self.cell * n
    }

    /// The place of line n: that before the nth cell, or the last one for 9.
    const fn line_at(self, n: usize) -> usize {
        match n {
            0 => self.labels,
            n if n.is_multiple_of(3) => self.cell_at(n - 1) + self.cell,
            n => self.cell_at(n) - 1,
        }
    }

    const fn size(self) -> usize {
        self.line_at(9) + 1
    }

    fn lines(self) -> impl Iterator<Item = usize> {
        (0..10).filter(move |n| self.everywhere || n % 3 == 0)
    }

    /// The cell at a place, where it is in one.
    fn cell_of(self, place: usize) -> Option<usize> {
        (0..9).find(|&n| (self.cell_at(n)..self.cell_at(n) + self.cell).contains(&place))
    }
}

impl Lattice {
    /// A lattice without labels.
    pub const fn new(scale: Scale, charset: Charset) -> Self {
        Self {
            scale,
            charset,
            labels: false,
        }
    }

    /// The lattice with the numbers of rows and columns, which take one line more and two
    /// columns more.
    #[must_use]
    pub const fn with_labels(mut self) -> Self {
        self.labels = true;
        self
    }

    const fn horizontal(&self) -> Measure {
        let (cell, padding) = match self.scale {
            Scale::Small => (2, 1),
            Scale::Medium => (6, 0),
            Scale::Large => (7, 0),
        };
        Measure {
            cell,
            padding,
            everywhere: matches!(self.scale, Scale::Large),
            labels: if self.labels { 2 } else { 0 },
        }
    }

    const fn vertical(&self) -> Measure {
        let cell = match self.scale {
            Scale::Small => 1,
            Scale::Medium => 2,
            Scale::Large => 3,
        };
        Measure {
            cell,
            padding: 0,
            everywhere: matches!(self.scale, Scale::Large),
            labels: if self.labels { 1 } else { 0 },
        }
    }

    /// How many columns it takes.
    pub const fn width(&self) -> usize {
        self.horizontal().size()
    }

    /// How many lines it takes.
    pub const fn height(&self) -> usize {
        self.vertical().size()
    }

    /// The cell at a column and a line, or `None` between cells and outside.
    ///
    /// ```
    /// use sudoku_batch::Cell;
    /// use sudoku_batch_cli::lattice::{Charset, Lattice, Scale};
    /// let lattice = Lattice::new(Scale::Small, Charset::Unicode);
    /// assert_eq!(lattice.cell_at(4, 1), Some(Cell::at(0, 1)));
    /// assert_eq!(lattice.cell_at(4, 0), None);
    /// ```
    pub fn cell_at(&self, x: usize, y: usize) -> Option<Cell> {
        let column = self.horizontal().cell_of(x)?;
        let row = self.vertical().cell_of(y)?;
        Some(Cell::at(row, column))
    }

    /// Draws a picture on plain ground.
    pub fn draw(&self, picture: &Picture) -> Canvas {
        self.draw_on(picture, |_| Ground::Plain)
    }

    /// Draws a picture whose cells lie on these grounds.
    pub fn draw_on(&self, picture: &Picture, ground: impl Fn(Cell) -> Ground) -> Canvas {
        let mut canvas = Canvas::new(self.width(), self.height());
        self.draw_lines(&mut canvas);
        if self.labels {
            self.draw_labels(&mut canvas, &ground);
        }
        for cell in Cell::all() {
            let x = self.horizontal().cell_at(cell.column());
            let y = self.vertical().cell_at(cell.row());
            self.draw_ground(&mut canvas, x, y, ground(cell));
            self.draw_square(&mut canvas, x, y, picture.square(cell));
        }
        canvas
    }

    fn draw_lines(&self, canvas: &mut Canvas) {
        let (across, down) = (self.horizontal(), self.vertical());
        let joint = |y: Option<usize>, x: Option<usize>| self.charset.joint(self.scale, y, x);
        for line in down.lines() {
            let y = down.line_at(line);
            for x in across.line_at(0)..across.size() {
                canvas.put(x, y, joint(Some(line), None), Ink::Line);
            }
        }
        for line in across.lines() {
            let x = across.line_at(line);
            for y in down.line_at(0)..down.size() {
                let crossed = down.lines().find(|&line| down.line_at(line) == y);
                canvas.put(x, y, joint(crossed, Some(line)), Ink::Line);
            }
        }
    }

    /// The labels of the row and the column of the chosen cell stand out.
    fn draw_labels(&self, canvas: &mut Canvas, ground: &impl Fn(Cell) -> Ground) {
        let chosen = Cell::all().find(|&cell| ground(cell) == Ground::Cursor);
        let ink = |chosen: bool| if chosen { Ink::Bright } else { Ink::Label };
        let (across, down) = (self.horizontal(), self.vertical());
        for (n, digit) in Digit::all().enumerate() {
            let label = char::from(digit.to_ascii());
            let x = across.cell_at(n) + self.center().0;
            let y = down.cell_at(n) + self.center().1;
            canvas.put(x, 0, label, ink(chosen.is_some_and(|c| c.column() == n)));
            canvas.put(0, y, label, ink(chosen.is_some_and(|c| c.row() == n)));
        }
    }

    const fn center(&self) -> (usize, usize) {
        match self.scale {
            Scale::Small => (0, 0),
            Scale::Medium => (2, 0),
            Scale::Large => (3, 1),
        }
    }

    /// The place of a pencil mark in its cell, if there is space for any.
    const fn mark_at(&self, digit: Digit) -> Option<(usize, usize)> {
        let n = digit.index();
        match self.scale {
            Scale::Small => None,
            Scale::Medium => Some((n % 5, n / 5)),
            Scale::Large => Some((1 + n % 3 * 2, n / 3)),
        }
    }

    fn draw_ground(&self, canvas: &mut Canvas, x: usize, y: usize, ground: Ground) {
        // The blank before the first cell of a box belongs to it as the blank after a
        // digit does, so that a ground is as wide on both sides.
        let (before, width) = match self.scale {
            Scale::Small => (1, 3),
            Scale::Medium => (0, 5),
            Scale::Large => (0, 7),
        };
        for y in y..y + self.vertical().cell {
            for x in x - before..x - before + width {
                let glyph = canvas.glyph_mut(x, y);
                glyph.ground = glyph.ground.max(ground);
            }
        }
    }

    fn draw_square(&self, canvas: &mut Canvas, x: usize, y: usize, square: &Square) {
        let (dx, dy) = self.center();
        match square.digit {
            Some(digit) => {
                let ink = match square.is_clue {
                    _ if square.wrong => Ink::Wrong,
                    true => Ink::Clue,
                    false => Ink::Entry,
                };
                canvas.put(x + dx, y + dy, digit.to_ascii().into(), ink);
                if square.wrong {
                    canvas.put(x + dx + 1, y + dy, '!', ink);
                }
            }
            None => self.draw_marks(canvas, x, y, square),
        }
    }

    fn draw_marks(&self, canvas: &mut Canvas, x: usize, y: usize, square: &Square) {
        let mut drawn = false;
        // A mark that stands alone would look like a digit: it has dots in the places of the other marks.
        let is_alone = square.marks.len() == 1;
        let shown = |digit: &Digit| is_alone || square.marks.contains(*digit);
        for digit in Digit::all().filter(shown) {
            let Some((dx, dy)) = self.mark_at(digit) else {
                break;
            };
            let ink = match digit {
                _ if !square.marks.contains(digit) => {
                    canvas.put(x + dx, y + dy, '.', Ink::Mark);
                    continue;
                }
                _ if square.struck.contains(digit) => Ink::Struck,
                _ if square.bright.contains(digit) => Ink::Bright,
                _ => Ink::Mark,
            };
            canvas.put(x + dx, y + dy, digit.to_ascii().into(), ink);
            drawn = true;
        }
        if !drawn {
            let (dx, dy) = self.center();
            canvas.put(x + dx, y + dy, '.', Ink::Mark);
        }
    }
}

impl Charset {
    /// The character where a horizontal line `y` and a vertical line `x` cross, or that of
    /// one of them alone. Lines are numbered 0 to 9; every third one is that of a box.
    fn joint(self, scale: Scale, y: Option<usize>, x: Option<usize>) -> char {
        // The first line, one between boxes, one between cells, the last line: the kinds
        // of lines, as rows and columns of the tables. Without a line: the last.
        let kind = |line: Option<usize>| match line {
            Some(0) => 0,
            Some(9) => 3,
            Some(line) if line.is_multiple_of(3) => 1,
            Some(_) => 2,
            None => 4,
        };
        let table = match (self, scale) {
            (Self::Unicode, Scale::Large) => ["┏┳┯┓━", "┣╋┿┫━", "┠╂┼┨─", "┗┻┷┛━", "┃┃│┃ "],
            (Self::Unicode, _) => ["┌┬ ┐─", "├┼ ┤─", "     ", "└┴ ┘─", "││ │ "],
            (Self::Ascii, Scale::Large) => ["##=#=", "##=#=", "##+#-", "##=#=", "##|# "],
            (Self::Ascii, _) => ["++ +-", "++ +-", "     ", "++ +-", "|| | "],
        };
        let line = table[kind(y)];
        line.chars().nth(kind(x)).expect("five characters a line")
    }
}
