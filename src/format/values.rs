//! The kinds of values in columns.

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// 81 cells, all of them digits, or nothing.
    Cells,
    /// Puzzles: 81 cells, 729 candidates in the place of a puzzle that is given by them, or nothing.
    Puzzles,
    /// Puzzles that are given by 729 candidates, or nothing.
    Candidates,
    /// Text.
    Text,
    /// Names of a list, or nothing.
    Names(&'static [&'static str]),
    /// Numbers, with a plus sign after one if there may be more.
    Bounds,
    /// Whole numbers. JSON lines have them without quotes, and `null` for an empty value. So they
    /// have ratings, shares and flags.
    Numbers,
    /// Ratings: 2.6.
    Ratings,
    /// Numbers with a fraction or an exponent, such as 3.1e37.
    Reals,
    /// `true` and `false`.
    Flags,
    /// 81 pairs of a cell and a digit, a byte each: for arrays alone.
    Pairs,
    /// For each cell the digits of solutions and the numbers of these solutions: `4:1 6:7/9:100+ …`.
    CandidateCounts,
    /// JSON: a value in JSON lines, with `null` for an empty one, and its text in tables.
    Json,
    /// The number of the record in the whole input, from 1. The caller of the writer must
    /// know it.
    Record,
    /// The status of the record.
    Status,
}

impl Values {
    /// Returns true if they are cells, or candidates in their place.
    #[doc(hidden)]
    pub fn are_cells(self) -> bool {
        matches!(self, Self::Cells | Self::Puzzles | Self::Candidates)
    }

    /// Returns true if JSON has them without quotes.
    #[doc(hidden)]
    pub fn are_bare_in_json(self) -> bool {
        matches!(
            self,
            Self::Numbers | Self::Ratings | Self::Reals | Self::Flags | Self::Json
        )
    }
}
