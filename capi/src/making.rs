//! Grids and puzzles by number: item i is made from the options and i alone.

use super::{border::memory::RowsOut, failure::Failure, table::Table, workers::Workers};
use sudoku_batch::{
    grid::CELLS,
    questions::{
        self, Answer, Data, GENERATE, MadeSet, MakeRecords, Options, PUZZLES, SetDefinition,
    },
    slices::Kept,
};

/// The maker of records that a thread keeps.
pub(crate) type Maker = MakeRecords;

impl Workers {
    /// Makes the grids with the numbers from `first` on.
    pub(crate) fn generate(
        &self,
        options: &Options,
        first: u64,
        rows: RowsOut<'_>,
    ) -> Result<(), Failure> {
        let count = rows.len();
        let set = set(&GENERATE, options, (first, count))?;
        let slices = self.slices(&*set, (first, count));
        let number = slices.len();
        let mut rest = Some(rows);
        let slices = slices.map_while(|slice| {
            let (now, later) = rest.take()?.split_at(slice.len());
            rest = Some(later);
            Some((first + slice.start as u64, now))
        });
        self.run(slices, number, |(first, mut rows)| {
            let (mut make, mut answer) = (set.worker(), Answer::of(&set.columns()));
            let length = rows.len() as u64;
            if let Some(lines) = rows.as_lines() {
                let mut answer = answer.renewed(Some(lines));
                answer.begin(length as usize);
                make(first..first + length, &mut answer);
                return Ok(());
            }
            // So many lines stay in the second-level cache.
            const AT_ONCE: usize = 512;
            for start in (0..length).step_by(AT_ONCE) {
                let end = length.min(start + AT_ONCE as u64);
                answer.begin((end - start) as usize);
                make(first + start..first + end, &mut answer);
                let Data::Cells(lines) = answer.named("grid") else {
                    return Err(Failure::defect("grids are cells"));
                };
                for (row, line) in (start as usize..).zip(lines) {
                    rows.write(row, &line[..CELLS]);
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Makes the puzzles with the numbers from `first` on. One that cannot be made has no row.
    pub(crate) fn puzzles(
        &self,
        makers: &Kept<Maker>,
        options: &Options,
        first: u64,
        count: usize,
    ) -> Result<Table, Failure> {
        let set = set(&PUZZLES, options, (first, count))?;
        let columns = set.columns();
        let kind = format!("{set:?}");
        let slices = self.slices(&*set, (first, count));
        let number = slices.len();
        let empty = || questions::Table::new(&columns, &columns).with_records();
        let of_slices = self.run(slices, number, |slice| {
            let mut answer = Answer::of(&columns);
            let first = first + slice.start as u64;
            answer.begin(slice.len());
            let make = || set.worker();
            makers.with(self.threads, &kind, make, |maker| {
                maker(first..first + slice.len() as u64, &mut answer);
            });
            let mut table = empty();
            table.push(first, &answer);
            Ok(table)
        })?;
        Ok(Table::new(empty(), of_slices))
    }
}

/// The set that options ask for. It has records with all numbers from the first on.
fn set(
    definition: &'static SetDefinition,
    options: &Options,
    (first, count): (u64, usize),
) -> Result<Box<dyn MadeSet>, Failure> {
    for (name, _) in options.iter() {
        definition.setting_of_calls(name).map_err(Failure::option)?;
    }
    let set = definition.with(options.iter()).map_err(Failure::option)?;
    set.numbers(first, count as u64).map_err(Failure::option)?;
    Ok(set)
}
