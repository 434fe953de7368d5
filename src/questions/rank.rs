//! The number of each solved grid in a sequence.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Responder, RowView, RunOutcome,
    Status,
    columns::{Columns, columns, kind},
    made,
    sets::{WhichGrids, settings_of_grids},
    settings::Settings,
    status::StatusColumn,
    valid_grid,
    verification::Check,
};

settings_of_grids! {
    /// The settings of [`RANK`].
    pub struct RankSettings {}
    in order: #[setting(excludes("seed"))]
}

columns! {
    /// The columns of [`RANK`].
    struct RankColumns, RankRow for RankSettings {
        /// the number of the grid in the sequence
        #[column(renamed())]
        index: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Numbers solved grids.
pub static RANK: Definition = Definition {
    name: "rank",
    about: "Number solved grids: the inverse of generate",
    details: "\
Every record is a solved grid. It gets the number of its grid in the sequence, counted from 0. In the format \
`line`, the output has one line for each record, in the order of the input: the number, or `unknown`. A grid \
is unknown when it is no symmetric copy of one of the 256 base grids, or when its first digit is not the one that \
is fixed.",
    settings: RankSettings::TABLE,
    columns: RankColumns::TABLE,
    make: made::<RankSettings>,
};

#[derive(Clone, Debug, Default)]
struct Ranking {
    grids: WhichGrids,
}

impl Asked for RankSettings {
    fn definition() -> &'static Definition {
        &RANK
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Ranking {
            grids: self.which(),
        })
    }
}

impl Responder for Ranking {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(self.clone())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let (grids, records) = (self.grids.grids(), batch.records);
        let columns = RankColumns::all();
        let mut statuses = StatusColumn::of(answer);
        let [mut known, mut not_grids] = [0, 0];
        for record in 0..records.len() {
            let grid = valid_grid(records, record);
            let number = grid.ok().and_then(|grid| grids.position(&grid));
            known += u64::from(number.is_some());
            not_grids += u64::from(grid.is_err());
            columns.push(answer, record, RankRow { index: number });
            statuses.push(grid.map(|_| Status::Valid));
        }
        statuses.swap(answer);
        answer.counts.add("known", known);
        answer
            .counts
            .add("unknown", records.len() as u64 - known - not_grids);
        answer.counts.add("not-grids", not_grids);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if !row.push(RankColumns::all().index, line) {
            line.extend_from_slice(b"unknown");
        }
        true
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn check(&self) -> Option<Check> {
        Some(Check::Numbers(Box::new(self.grids.grids())))
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = records.saturating_sub(counts.get("known"));
        RunOutcome {
            unit: "grids",
            facts: self.grids.facts(),
            ..RunOutcome::new(counts.clone(), failed, "have no number in this sequence")
        }
    }
}
