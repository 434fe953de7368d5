//! Suppositions closed by singles: whether depth 1 solves positions.
//!
//! A position has a slot of 16 lanes: itself and fifteen suppositions at a time. Only false candidates
//! are supposed, because no supposition of a true one can fail. Those of cells with two candidates come first: if
//! one fails, its cell is placed. In random minimal puzzles the first fifteen are mostly enough.

use super::{
    Task,
    slots::{Candidate, Event, Marks, Run, Slots},
};
use crate::{
    grid::CELLS,
    simd::{Isa, ones},
    stop,
};

/// The lanes of a slot.
const WIDTH: usize = 16;

/// A position in a slot.
struct Work {
    task: usize,
    marks: Marks,
    /// The false candidates of the position, in the order in which they are supposed: those of cells with up to
    /// `count` candidates.
    order: Vec<Candidate>,
    count: u32,
    /// The number of those that have been supposed since the last one that failed.
    next: usize,
    /// The number of suppositions that have held out, in all runs. A run ends where nothing in its slot changes, so
    /// the order of passes does not matter.
    held: u32,
    run: Run<WIDTH>,
}

/// The end of a position.
pub(super) struct Ended {
    /// The closed position, if it is not solved.
    pub(super) marks: Option<Marks>,
    /// The number of suppositions that held out on the way.
    pub(super) held: u32,
}

/// Closes positions by suppositions: returns the closed position of each that is not solved.
pub(super) struct Once<I: Isa> {
    slots: Slots<I, WIDTH>,
    works: Vec<Option<Work>>,
}

impl<I: Isa> Once<I> {
    pub(super) fn new(isa: I) -> Self {
        Self {
            slots: Slots::new(isa),
            works: (0..Slots::<I, WIDTH>::COUNT).map(|_| None).collect(),
        }
    }

    /// Closes the positions of these tasks. `ended` gets their numbers, in any order.
    pub(super) fn run(&mut self, tasks: &[Task], mut ended: impl FnMut(usize, Ended)) {
        let mut next = 0;
        let mut busy = 0;
        for work in 0..self.works.len() {
            busy += usize::from(self.start(work, tasks, &mut next));
        }
        while busy > 0 {
            stop::check();
            let seen = self.slots.pass();
            for slot in 0..self.works.len() {
                let Some(work) = &mut self.works[slot] else {
                    continue;
                };
                match self.slots.settle(slot, &mut work.run, &seen) {
                    Event::Busy => continue,
                    Event::Closed => {
                        work.held += work.run.held();
                        if work.run.has_struck {
                            work.marks = self.slots.position(slot);
                            work.begin();
                        }
                        if work.suppose(&tasks[work.task]) {
                            self.slots.begin(slot, &work.marks, &work.run);
                            continue;
                        }
                        let marks = Some(work.marks);
                        ended(
                            work.task,
                            Ended {
                                marks,
                                held: work.held,
                            },
                        );
                    }
                    Event::Solved => {
                        ended(
                            work.task,
                            Ended {
                                marks: None,
                                held: work.held,
                            },
                        );
                    }
                    Event::Refuted => unreachable!("the puzzle has a solution"),
                }
                busy -= usize::from(!self.start(slot, tasks, &mut next));
            }
        }
    }

    /// Lets the next task enter a slot. Returns false if there is none.
    fn start(&mut self, slot: usize, tasks: &[Task], next: &mut usize) -> bool {
        let order = self.works[slot].take().map(|work| work.order);
        let Some(task) = tasks.get(*next) else {
            return false;
        };
        let mut work = Work {
            task: *next,
            marks: task.marks,
            order: order.unwrap_or_default(),
            next: 0,
            count: 0,
            held: 0,
            run: Run::of(&[]),
        };
        *next += 1;
        work.begin();
        assert!(
            work.suppose(task),
            "an unsolved position has a false candidate"
        );
        self.slots.begin(slot, &work.marks, &work.run);
        self.works[slot] = Some(work);
        true
    }
}

impl Work {
    /// Begins anew with all false candidates of the position.
    fn begin(&mut self) {
        (self.next, self.count) = (0, 1);
        self.order.clear();
    }

    /// Takes the next suppositions. Returns false if none is left.
    fn suppose(&mut self, task: &Task) -> bool {
        while self.order.len() - self.next < WIDTH - 1 && self.count < 9 {
            self.count += 1;
            for (cell, &marks) in self.marks.iter().enumerate() {
                if marks.count_ones() == self.count {
                    let digits = ones((marks & !task.solution[cell]).into());
                    self.order
                        .extend(digits.map(|digit| (CELLS * digit + cell) as Candidate));
                }
            }
        }
        let rest = &self.order[self.next..];
        let supposed = &rest[..rest.len().min(WIDTH - 1)];
        self.next += supposed.len();
        self.run = Run::of(supposed);
        !supposed.is_empty()
    }
}
