//! A page: marks with their places.

/// The weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// The part of a text that stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A text on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub x: f64,
    /// The line on which the letters stand.
    pub baseline: f64,
    pub size: f64,
    pub weight: Weight,
    pub anchor: Anchor,
    pub text: String,
}

/// Something to see on a page. `ink` is its grey: 0 is black, 1 is white.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Lines of one width, each from `[x, y]` to `[x, y]`.
    Lines {
        width: f64,
        ink: f64,
        lines: Vec<[[f64; 2]; 2]>,
    },
    /// A rectangle: its top left corner, its width and its height.
    Area {
        corner: [f64; 2],
        extent: [f64; 2],
        ink: f64,
    },
    /// A text in black.
    Text(Text),
}

/// A page of a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    pub marks: Vec<Mark>,
}

impl Page {
    pub fn text(
        &mut self,
        (x, baseline): (f64, f64),
        (size, weight): (f64, Weight),
        anchor: Anchor,
        text: impl Into<String>,
    ) {
        let text = text.into();
        if !text.is_empty() {
            self.marks.push(Mark::Text(Text {
                x,
                baseline,
                size,
                weight,
                anchor,
                text,
            }));
        }
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64) {
        self.marks.push(Mark::Lines {
            width,
            ink: 0.0,
            lines: vec![[from, to]],
        });
    }
}
