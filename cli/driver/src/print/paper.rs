//! Lengths and sizes of paper, as users write them.

use std::{fmt, str::FromStr};

/// The units of lengths, in points.
const UNITS: [(&str, f64); 4] = [
    ("mm", 72.0 / 25.4),
    ("cm", 720.0 / 25.4),
    ("in", 72.0),
    ("pt", 1.0),
];

/// A length with its unit, such as `14mm`, `1.5cm`, `0.5in` or `36pt`. The number is in points.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Length(pub f64);

impl Length {
    pub const fn of_mm(mm: f64) -> Self {
        Self(mm * 72.0 / 25.4)
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |(unit, points): &(&str, f64)| {
            let number = text.strip_suffix(unit)?.trim_end().parse::<f64>().ok()?;
            Some(Self(number * points))
        };
        let length = UNITS.iter().find_map(read);
        let length = length.filter(|length| (0.0..=LONGEST).contains(&length.0));
        length.ok_or_else(|| {
            "a length with its unit is wanted, such as 14mm, 1.5cm, 0.5in or 36pt".into()
        })
    }
}

/// The longest side of a page of PDF 1.7, in points: 200 inches.
const LONGEST: f64 = 14_400.0;

/// The shortest side of a page, in points: an inch.
const SHORTEST: f64 = 72.0;

/// Millimetres, with a decimal where there is one.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 254.0 / 72.0).round();
        write!(f, "{} mm", tenths / 10.0)
    }
}

/// A size of paper, upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    pub width: f64,
    pub height: f64,
}

/// The sizes that have a name: their sides, as lengths.
const NAMED: [(&str, &str, &str); 6] = [
    ("a3", "297mm", "420mm"),
    ("a4", "210mm", "297mm"),
    ("a5", "148mm", "210mm"),
    ("a6", "105mm", "148mm"),
    ("letter", "8.5in", "11in"),
    ("legal", "8.5in", "14in"),
];

impl FromStr for Paper {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.to_ascii_lowercase();
        let named = NAMED.iter().find(|(name, ..)| *name == text);
        let sides = match named {
            Some((_, width, height)) => Some(((*width).to_owned(), *height)),
            // `6x9in` has its unit once.
            None => text.split_once('x').map(|(width, height)| {
                let unit = height.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let has_unit = width.ends_with(|c: char| c.is_ascii_alphabetic());
                let unit = if has_unit { "" } else { unit };
                (format!("{}{unit}", width.trim()), height.trim())
            }),
        };
        let side = |text: &str| text.parse::<Length>().ok().map(|length| length.0);
        let sides = sides.and_then(|(width, height)| Some((side(&width)?, side(height)?)));
        let Some((width, height)) = sides else {
            let names: Vec<_> = NAMED.iter().map(|(name, ..)| *name).collect();
            let names = names.join(", ");
            return Err(format!(
                "a size of paper is wanted: {names}, or width and height, such as 6x9in or 148x210mm"
            ));
        };
        if [width, height].iter().any(|side| *side < SHORTEST) {
            return Err(format!("a side has at least {}", Length(SHORTEST)));
        }
        Ok(Self { width, height })
    }
}

impl Paper {
    /// The sheet on its side.
    pub fn turned(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        let points = |text: &str| text.parse::<Length>().map(|length| length.0);
        assert_eq!(points("1in"), Ok(72.0));
        assert_eq!(points("36pt"), Ok(36.0));
        assert!((points("25.4mm").unwrap() - 72.0).abs() < 1e-9);
        assert!((points("2.54 cm").unwrap() - 72.0).abs() < 1e-9);
        assert_eq!("14mm".parse::<Length>().unwrap().to_string(), "14 mm");
        assert_eq!("0.25in".parse::<Length>().unwrap().to_string(), "6.4 mm");
        for wrong in ["", "14", "mm", "-1mm", "1e9mm", "NaNmm", "1 furlong"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn paper_has_a_name_or_two_sides() {
        let sides = |text: &str| {
            let paper = text.parse::<Paper>()?;
            Ok::<_, String>([paper.width, paper.height].map(f64::round))
        };
        // ISO 216: A4 has 595 x 842 points.
        assert_eq!(sides("A4"), Ok([595.0, 842.0]));
        assert_eq!(sides("letter"), Ok([612.0, 792.0]));
        assert_eq!(sides("6x9in"), Ok([432.0, 648.0]));
        assert_eq!(sides("8.5x11in"), sides("letter"));
        assert_eq!(sides("210mmx29.7cm"), sides("a4"));
        for wrong in ["", "a", "6x9", "6in", "0x9in", "6x9ells", "1x1mm"] {
            assert!(sides(wrong).is_err(), "{wrong}");
        }
    }
}
