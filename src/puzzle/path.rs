//! Conditions on the path of a puzzle: the steps of a person who always takes the first of the easiest steps, as
//! `rate --explain` shows them.

use super::RecipeError;
use crate::{
    grid::BatchPuzzle,
    technique::{Rating, Technique, Techniques},
    trace::Tracer,
};
use std::ops::RangeInclusive;

/// The conditions on the path of a puzzle. An empty set of techniques is no condition.
///
/// A *hard step* is one with a rating above 2.3, that of a naked single. Beside singles, direct pointing, direct
/// claiming and direct hidden pairs are no hard steps.
///
/// ```
/// use sudoku_batch::{Puzzle, puzzle::{PathReader, PathWishes}, technique::Techniques};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let wishes = PathWishes { only: Techniques::named("singles, pointing, hidden pair")?, ..PathWishes::default() };
/// assert!(PathReader::default().fulfils(&puzzle, &wishes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathWishes {
    /// Some step is of one of these techniques.
    pub contains: Techniques,
    /// The first hard step is of one of these techniques.
    pub first_hard: Techniques,
    /// Each step is of one of these techniques, or a direct variant of one.
    pub only: Techniques,
    /// The number of hard steps.
    pub steps: Option<RangeInclusive<u64>>,
}

/// The part of its wishes that a path has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathFound {
    /// The technique of the first step that is of a technique of `contains`.
    pub contains: Option<Technique>,
    /// The technique of the first hard step.
    pub first_hard: Option<Technique>,
    /// The number of hard steps. It is known where `steps` is a wish.
    pub steps: u64,
}

/// The answer of some steps, or techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fulfils,
    Fails,
    /// Other steps decide.
    Open,
}

/// Returns true if steps of a technique are hard.
fn is_hard(technique: Technique) -> bool {
    technique.rating() > Technique::NakedSingle.rating()
}

/// Returns true if steps of a technique are taken only where none up to 4.4 is left.
fn is_above_planes(technique: Technique) -> bool {
    technique.rating() > Rating::IN_PLANES
}

impl PathWishes {
    /// Returns true if there is no condition.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The name of the first condition, as a setting has it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            _ if !self.contains.is_empty() => "contains",
            _ if !self.first_hard.is_empty() => "first-hard",
            _ if !self.only.is_empty() => "only",
            _ => "steps",
        }
    }

    /// A text that no other wishes have. Sets of techniques are told by names, as the number of a technique changes with
    /// the list.
    pub(super) fn key(&self) -> String {
        let steps = self.steps.as_ref();
        let steps = steps.map(|steps| format!("{}..{}", steps.start(), steps.end()));
        let Self {
            contains,
            first_hard,
            only,
            ..
        } = self;
        let steps = steps.unwrap_or_default();
        format!("contains {contains}; first-hard {first_hard}; only {only}; steps {steps}")
    }

    /// The ER of puzzles that may fulfil the conditions.
    ///
    /// # Errors
    ///
    /// The conditions contradict each other.
    pub(super) fn ratings(&self) -> Result<RangeInclusive<Rating>, RecipeError> {
        let hardest_easy = Technique::NakedSingle.rating();
        let wrong = |what: String| Err(RecipeError::Path(what));
        let first_hard: Techniques = self.first_hard.iter().filter(|one| is_hard(*one)).collect();
        if let (Some(easy), true) = (self.first_hard.iter().next(), first_hard.is_empty()) {
            return wrong(format!(
                "first-hard cannot be {easy}: a hard step is one above {hardest_easy}"
            ));
        }
        let allowed = self.only.with_direct();
        let (mut least, mut most) = (Rating::NONE, Rating::HARDEST);
        // An easier step is there wherever a direct claiming is: `technique/direct_locking.rs` shows it.
        let never: Techniques = [Technique::DirectClaiming].into_iter().collect();
        for (name, set) in [("contains", self.contains), ("first-hard", first_hard)] {
            if set.is_empty() {
                continue;
            }
            if set.and(never) == set {
                return wrong(format!(
                    "{name} asks for {set}, which is never the easiest step"
                ));
            }
            let possible = match allowed.is_empty() {
                true => set,
                false => set.and(allowed),
            };
            match possible.least() {
                Some(rating) => least = least.max(rating),
                None => return wrong(format!("{name} asks for {set}, which only leaves out")),
            }
        }
        most = most.min(allowed.most().unwrap_or(most));
        if let Some(steps) = &self.steps {
            let (first, last) = (*steps.start(), *steps.end());
            if first > last {
                return wrong(format!("steps {first}..{last} holds no number"));
            }
            if first > 0 {
                least = least.max(Technique::DirectHiddenTriplet.rating());
            }
            if last == 0 {
                most = most.min(hardest_easy);
            }
        }
        if least <= most && !allowed.is_empty() && !allowed.contains(Technique::LastCell) {
            return wrong(format!(
                "only leaves out {}, which places the last digit of each puzzle",
                Technique::LastCell
            ));
        }
        match least <= most {
            true => Ok(least..=most),
            false => wrong(format!(
                "contains, first-hard, only and steps contradict each other: the hardest step would have a rating of at \
                 least {least} and at most {most}"
            )),
        }
    }

    /// Judges the conditions by some steps from the first on. `is_whole`: there are no others.
    fn judge(
        &self,
        techniques: impl Iterator<Item = Technique>,
        is_whole: bool,
    ) -> (PathFound, Verdict) {
        let allowed = self.only.with_direct();
        let (mut found, mut is_allowed) = (PathFound::default(), true);
        for technique in techniques {
            is_allowed &= allowed.is_empty() || allowed.contains(technique);
            if found.contains.is_none() && self.contains.contains(technique) {
                found.contains = Some(technique);
            }
            if is_hard(technique) {
                found.steps += 1;
                found.first_hard = found.first_hard.or(Some(technique));
            }
        }
        let range = self.steps.clone().unwrap_or(0..=u64::MAX);
        let begins_so = found.first_hard.map_or_else(
            // The next step would be one above 4.4.
            || {
                self.first_hard.is_empty()
                    || !is_whole && self.first_hard.iter().any(is_above_planes)
            },
            |first| self.first_hard.is_empty() || self.first_hard.contains(first),
        );
        let may_go_on = is_whole || allowed.is_empty() || allowed.iter().any(is_above_planes);
        if !is_allowed || !begins_so || !may_go_on || found.steps > *range.end() {
            return (found, Verdict::Fails);
        }
        let has_all = (self.contains.is_empty() || found.contains.is_some())
            && (self.first_hard.is_empty() || found.first_hard.is_some())
            && found.steps >= *range.start();
        let verdict = match (is_whole, has_all) {
            (true, true) => Verdict::Fulfils,
            (true, false) => Verdict::Fails,
            // Further steps can add to what is wanted, and fail what bounds all steps.
            (false, true) if allowed.is_empty() && self.steps.is_none() => Verdict::Fulfils,
            (false, _) => Verdict::Open,
        };
        (found, verdict)
    }

    /// Finds out from the techniques of steps other than hidden singles, in order, when no further step changes the verdict.
    fn watch(&self) -> impl FnMut(Technique) -> bool + use<'_> {
        let allowed = self.only.with_direct();
        let most = self.steps.as_ref().map_or(u64::MAX, |steps| *steps.end());
        let (mut hard, mut contains) = (0, self.contains.is_empty());
        move |technique| {
            let is_first = hard == 0 && is_hard(technique);
            hard += u64::from(is_hard(technique));
            contains |= self.contains.contains(technique);
            let begins_so = self.first_hard.is_empty() || self.first_hard.contains(technique);
            let fails = !allowed.is_empty() && !allowed.contains(technique)
                || is_first && !begins_so
                || hard > most;
            let is_bounded = !allowed.is_empty() || self.steps.is_some();
            fails || !is_bounded && contains && (hard > 0 || self.first_hard.is_empty())
        }
    }

    /// The rating up to which a maker looks for techniques in the paths of its puzzles, if none above 4.4 are needed.
    pub(super) fn soon(&self) -> Option<Rating> {
        if self.needs_chains() {
            return None;
        }
        let wanted = self.contains.or(self.first_hard);
        // Locked candidates are found at once.
        let least = Technique::Claiming.rating();
        Some(wanted.most().unwrap_or(least).max(least))
    }

    /// Judges `contains` and `first_hard` by the techniques up to a rating, that of [`soon`](Self::soon), that lead on at
    /// once.
    pub(super) fn judge_leading(&self, leading: Techniques, most: Rating) -> Verdict {
        // The first hard step is taken where all that is easier leads nowhere.
        let first_hard = leading.iter().find(|technique| is_hard(*technique));
        if !self.first_hard.is_empty()
            && !first_hard.is_some_and(|technique| self.first_hard.contains(technique))
        {
            return Verdict::Fails;
        }
        let contains = self.contains;
        if contains.is_empty() || !contains.and(leading).is_empty() {
            return Verdict::Fulfils;
        }
        // A harder one may lead to one that is easier than the bound.
        match contains.least() == Some(most) {
            true => Verdict::Fails,
            false => Verdict::Open,
        }
    }

    /// Returns true if steps above 4.4 alone can have what is missing.
    fn needs_chains(&self) -> bool {
        !self.only.is_empty()
            || self.steps.is_some()
            || (self.contains.or(self.first_hard).iter()).any(is_above_planes)
    }
}

/// Reads the paths of puzzles. It keeps its memory from puzzle to puzzle, and has none before the first.
#[derive(Debug, Default)]
pub struct PathReader {
    /// Takes the steps up to 4.4, some tens of thousands of puzzles a second.
    in_planes: Option<Tracer>,
    /// Takes all steps. Those above 4.4 take milliseconds.
    all: Option<Tracer>,
    /// Takes the steps up to those that a maker wants.
    soon: Option<Tracer>,
}

impl PathReader {
    /// Finds out how much of the wishes the path of a puzzle with one solution has, and whether it fulfils them.
    pub fn find(&mut self, puzzle: impl BatchPuzzle, wishes: &PathWishes) -> (PathFound, bool) {
        let puzzle = puzzle.into();
        let in_planes = || Tracer::default().with_max_rating(Rating::IN_PLANES);
        let in_planes = self.in_planes.get_or_insert_with(in_planes);
        let trace = in_planes.trace_until(puzzle, &mut wishes.watch());
        let (mut found, mut verdict) = wishes.judge(trace.techniques(), trace.is_filled());
        if verdict == Verdict::Open {
            let all = self.all.get_or_insert_default();
            let trace = all.trace_until(puzzle, &mut wishes.watch());
            (found, verdict) = wishes.judge(trace.techniques(), true);
        }
        (found, verdict == Verdict::Fulfils)
    }

    /// Returns true if the path of a puzzle with one solution fulfils the wishes.
    pub fn fulfils(&mut self, puzzle: impl BatchPuzzle, wishes: &PathWishes) -> bool {
        self.find(puzzle, wishes).1
    }

    /// Returns true if the path of a puzzle fulfils the wishes soon, for a maker that may refuse it. Techniques up to 4.4
    /// are looked for only before the first step that is harder than all of them, because harder ones take most of the
    /// time. Such a puzzle is refused in some 10 µs; its chains would take milliseconds.
    pub(super) fn fulfils_soon(&mut self, puzzle: impl BatchPuzzle, wishes: &PathWishes) -> bool {
        let Some(most) = wishes.soon() else {
            return self.fulfils(puzzle, wishes);
        };
        let soon = self.soon.get_or_insert_default();
        soon.bound(most);
        let trace = soon.trace_until(puzzle, &mut wishes.watch());
        wishes.judge(trace.techniques(), trace.is_filled()).1 == Verdict::Fulfils
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::Grids,
        grid::{CELLS, Puzzle},
        puzzle::{Maker, Recipe},
        simd::Level,
        solve::Solver,
        technique::Rater,
    };
    use std::collections::BTreeMap;
    use sudoku_batch_test_support::cases;

    /// The techniques that lead on at once decide as the path does, which is traced step by step.
    #[test]
    fn lanes_decide_as_paths_do() {
        let grids = Grids::uniform(31);
        let mut maker = Maker::new(Solver::new(), grids, 7, Recipe::minimal()).unwrap();
        // They have steps of most techniques. More of them have those that few puzzles need.
        let mut made = vec![None; cases(60)];
        maker.make_batch(0, &mut made);
        let puzzles = made.iter().flatten().map(|made| made.puzzle);
        let cells: Vec<[u8; CELLS]> = puzzles.map(|puzzle| *puzzle.as_ascii()).collect();
        // Unoptimised, the passes over 512 lanes take twice as long as those over 64, and all levels find the same.
        let mut rater = Rater::with_level(Level::Portable).unwrap();
        let mut reader = PathReader::default();
        let in_planes = Technique::ALL
            .iter()
            .copied()
            .filter(|one| !is_above_planes(*one));
        // The sources run unoptimised here, and many techniques have the same rating.
        let mut leading_up_to = BTreeMap::<_, Vec<_>>::new();
        let (mut decided, mut fulfilled) = (0, 0);
        for technique in in_planes {
            let set: Techniques = [technique].into_iter().collect();
            let contains = PathWishes {
                contains: set,
                ..PathWishes::default()
            };
            let first_hard = PathWishes {
                first_hard: set,
                ..PathWishes::default()
            };
            for wishes in [contains, first_hard] {
                let most = wishes.soon().expect("no chains");
                let all = leading_up_to
                    .entry(most)
                    .or_insert_with(|| rater.leading(&cells, most).collect());
                for (cells, (_, leading)) in cells.iter().zip(all) {
                    let puzzle = Puzzle::with_blanks_for_others(cells);
                    let verdict = wishes.judge_leading(*leading, most);
                    if verdict == Verdict::Open {
                        continue;
                    }
                    let by_path = reader.fulfils_soon(&puzzle, &wishes);
                    assert_eq!(verdict == Verdict::Fulfils, by_path, "{technique} {puzzle}");
                    decided += 1;
                    fulfilled += usize::from(by_path);
                }
            }
        }
        // Techniques that no other one leads to are decided for each puzzle.
        assert!(
            decided > 20 * cells.len() && fulfilled > cells.len(),
            "{decided}, {fulfilled}"
        );
    }
}
