//! The list of a class: a table with a row for each student.

use crate::{
    commands::bench::{NO_BYTES, fnv},
    driver::job,
};
use anyhow::{Context, bail};
use std::{collections::HashMap, path::Path};
use sudoku_batch::format::csv;

/// The most bytes of a list.
const MOST: usize = 16 << 20;

/// The names of values that are no columns of a list.
const RESERVED: [&str; 7] = [
    "number", "section", "count", "clues", "puzzle", "solution", "page",
];

/// The students of a class.
#[derive(Debug)]
pub(super) struct Class {
    /// The names of the columns.
    pub(super) columns: Vec<String>,
    pub(super) students: Vec<Student>,
}

/// A student: a value for each column of the list. The first identifies them.
#[derive(Debug)]
pub(super) struct Student {
    pub(super) values: Vec<String>,
}

impl Student {
    pub(super) fn id(&self) -> &str {
        &self.values[0]
    }

    /// The number of the student's first puzzle among all of a seed.
    ///
    /// The number depends on the identity alone: it is the hash FNV-1a (Fowler, Noll and Vo), whose bits the finisher
    /// of SplitMix64 (Steele, Lea and Flood) mixes. In a class of 1,000 with 20 puzzles each, some two students share a
    /// puzzle with a probability of 3·10⁻¹⁰.
    pub(super) fn first_number(&self, capacity: u64) -> u64 {
        let mut hash = fnv(NO_BYTES, self.id().as_bytes());
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // Some are left behind the last, for puzzles in place of those that are left out.
        (hash ^ (hash >> 31)) % (capacity - (1 << 32))
    }
}

impl Class {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// It cannot be read, has no students, or two with one identity, or a row has another number of fields than the
    /// header.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut input = job::open(path)?;
        let name = input.name().to_owned();
        let text = input.peek(MOST + 1, |_| false)?.to_vec();
        if text.len() > MOST {
            bail!("{name}: a list of students has at most {MOST} bytes");
        }
        let text = String::from_utf8(text).ok();
        let text = text
            .with_context(|| format!("{name}: the list is not in UTF-8: save it as CSV UTF-8"))?;
        Self::of(&text).context(name)
    }

    fn of(text: &str) -> anyhow::Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().zip(1..);
        let mut lines = lines.filter(|(line, _)| !line.trim().is_empty());
        let Some((header, _)) = lines.next() else {
            bail!("the list is empty: a header and a row for each student are wanted");
        };
        // Spreadsheets of some countries write semicolons.
        let delimiters = [b'\t', b';', b','];
        let mut used = delimiters.into_iter();
        let delimiter = used.find(|delimiter| header.as_bytes().contains(delimiter));
        let delimiter = delimiter.unwrap_or(b',');
        let fields = |line: &str| -> Vec<String> {
            let row = line.as_bytes();
            let fields = csv::fields(row, delimiter);
            let texts = fields.map(|field| csv::unquoted(&row[field]));
            texts
                .map(|text| String::from_utf8_lossy(&text).trim().to_owned())
                .collect()
        };
        let columns = fields(header);
        if let Some(name) = columns.iter().find(|name| RESERVED.contains(&&name[..])) {
            bail!(
                "the list has a column {name}, which is the name of another value: rename the column"
            );
        }
        let mut students = Vec::<Student>::new();
        let mut places = HashMap::new();
        for (line, number) in lines {
            if line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
                bail!("line {number}: a quotation mark is not closed on its line");
            }
            let values = fields(line);
            if values.len() != columns.len() {
                bail!(
                    "line {number} has {} fields, and the header has {}",
                    values.len(),
                    columns.len()
                );
            }
            let student = Student { values };
            if student.id().is_empty() {
                bail!("line {number}: the student has no {}", columns[0]);
            }
            if let Some(first) = places.insert(student.id().to_owned(), number) {
                bail!(
                    "line {number}: {} {} is on line {first} too",
                    columns[0],
                    student.id()
                );
            }
            students.push(student);
        }
        if students.is_empty() {
            bail!("the list has a header, and no students");
        }
        Ok(Self { columns, students })
    }

    /// Returns true if the list has a column with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    /// The value of a student in a column.
    pub(super) fn value<'s>(&self, student: &'s Student, name: &str) -> Option<&'s str> {
        let place = self.columns.iter().position(|column| column == name);
        place.map(|place| &student.values[place][..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_header_and_a_row_for_each_student() {
        for text in [
            "id,name\n7,Ann\n8,\"Bo, Li\"\n",
            "\u{feff}id;name\r\n7;Ann\r\n\r\n8;Bo, Li\r\n",
            "id\tname\n7\tAnn\n8\tBo, Li",
        ] {
            let class = Class::of(text).unwrap();
            assert_eq!(class.columns, ["id", "name"]);
            let names: Vec<_> = class
                .students
                .iter()
                .map(|s| class.value(s, "name"))
                .collect();
            assert_eq!(names, [Some("Ann"), Some("Bo, Li")]);
            assert_eq!(class.students[1].id(), "8");
        }
    }

    #[test]
    fn a_wrong_list_is_refused_with_its_line() {
        for (text, message) in [
            (
                "",
                "the list is empty: a header and a row for each student are wanted",
            ),
            ("id\n", "the list has a header, and no students"),
            ("id,name\n7\n", "line 2 has 1 fields, and the header has 2"),
            ("id,name\n7,Ann\n\n7,Bo\n", "line 4: id 7 is on line 2 too"),
            (
                "id,number\n7,1\n",
                "the list has a column number, which is the name of another value: rename the column",
            ),
            ("id,name\n,Ann\n", "line 2: the student has no id"),
            (
                "id,name\n7,\"Ann\n",
                "line 2: a quotation mark is not closed on its line",
            ),
        ] {
            assert_eq!(Class::of(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn the_first_number_depends_on_the_identity_alone() {
        let first = |id: &str| {
            let values = vec![id.to_owned(), "x".to_owned()];
            Student { values }.first_number(1 << 56)
        };
        // These stay from version to version: a sheet that is made again is the same.
        assert_eq!(first("2018301780"), first("2018301780"));
        let numbers: std::collections::HashSet<_> =
            (0..2000).map(|n| first(&n.to_string())).collect();
        assert_eq!(numbers.len(), 2000);
        assert!(numbers.iter().all(|number| *number < 1 << 56));
    }
}
