//! Trials within trials: depths 2 and 3.
//!
//! Each position under suppositions is a [`Context`]. The trials that it needs are jobs, and each slot of 64 lanes
//! has a job. A case is a puzzle with its contexts:
//!
//! ```text
//!     root     the puzzle, closed by trials (depth 2)
//!     child    the root with one candidate supposed, closed by trials too (depth 3)
//! ```
//!
//! While there are puzzles, each slot has its own. The last ones share the slots: then several trials of a
//! context are made at once, and some of them turn out to be needless. That changes no answer, because a
//! contradiction stays one when there are fewer candidates.

use super::{
    Task, TrialDepth,
    context::{Context, Place, WIDTH},
    slots::{Event, Field, Marks, Run, Slots, parts},
};
use crate::{
    grid::CELLS,
    order,
    simd::{Isa, run},
    stop,
};

/// The puzzle of a case, and how far it is.
struct Case {
    /// Another number for each case, so that a job knows its own.
    task: usize,
    root: Context,
    /// The rest of the root's candidates when they are supposed and closed by depth 2: the ones that have
    /// not failed.
    survivors: Vec<(Place, Marks)>,
    /// The candidate of the root that is supposed, and its context.
    child: Option<(Place, Context)>,
    /// The number of contexts so far. Jobs of those that are over have another one.
    serial: u32,
}

/// The task of a slot.
struct Job {
    task: usize,
    serial: u32,
    kind: Kind,
    /// The word of the context whose lanes are in the slot.
    word: usize,
    /// The number of words since the last one in which something was struck.
    unmoved: usize,
    marks: Marks,
    run: Run<WIDTH>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It closes the position of the context, and the lanes of all words.
    Renewal,
    /// It closes the position with a supposition.
    Trial(Place),
}

/// The slots and their jobs.
pub(super) struct Nested<I: Isa> {
    isa: I,
    slots: Slots<I, WIDTH>,
    jobs: Vec<Option<Job>>,
    cases: Vec<Case>,
    field: Box<Field>,
}

impl<I: Isa> Nested<I> {
    pub(super) fn new(isa: I) -> Self {
        Self {
            isa,
            slots: Slots::new(isa),
            jobs: (0..Slots::<I, WIDTH>::COUNT).map(|_| None).collect(),
            cases: Vec::new(),
            field: Box::new([[0; CELLS]; 9]),
        }
    }

    /// Finds the depths of tasks that depth 1 does not solve.
    pub(super) fn run(
        &mut self,
        tasks: &[(&Task, Marks)],
        mut answer: impl FnMut(usize, TrialDepth),
    ) {
        self.cases.clear();
        self.jobs.fill_with(|| None);
        let mut next = 0;
        loop {
            stop::check();
            for slot in 0..self.jobs.len() {
                if self.jobs[slot].is_none() {
                    self.employ(slot, tasks, &mut next, &mut answer);
                }
            }
            if self.jobs.iter().all(Option::is_none) {
                return;
            }
            let seen = self.slots.pass();
            for slot in 0..self.jobs.len() {
                let Some(job) = &mut self.jobs[slot] else {
                    continue;
                };
                let end = self.slots.settle(slot, &mut job.run, &seen);
                if end == Event::Busy || end == Event::Closed && self.turn(slot) {
                    continue;
                }
                self.finish(slot, end, &mut answer);
            }
        }
    }

    /// Gives a free slot a job, if there is one.
    fn employ(
        &mut self,
        slot: usize,
        tasks: &[(&Task, Marks)],
        next: &mut usize,
        answer: &mut impl FnMut(usize, TrialDepth),
    ) {
        loop {
            if self.cases.len() < self.jobs.len() && *next < tasks.len() {
                let (task, marks) = &tasks[*next];
                self.cases.push(Case {
                    task: *next,
                    root: Context::new(marks, Some(&task.solution)),
                    survivors: Vec::new(),
                    child: None,
                    serial: 0,
                });
                *next += 1;
            }
            let jobs = self.cases.iter().map(|case| case.context().flying);
            let jobs: Vec<usize> = jobs.collect();
            let mut is_over = false;
            for number in fewest_first(&jobs) {
                let case = &mut self.cases[number];
                if let Some(job) = case.next_job() {
                    self.begin(slot, number, job);
                    return;
                }
                if case.context().flying == 0 {
                    // The root is closed by depth 3.
                    answer(case.task, TrialDepth::Beyond);
                    self.cases.swap_remove(number);
                    is_over = true;
                    break;
                }
            }
            if !is_over {
                return;
            }
        }
    }

    fn begin(&mut self, slot: usize, number: usize, kind: Kind) {
        let (isa, case) = (self.isa, &mut self.cases[number]);
        let (task, serial) = (case.task, case.serial);
        let context = case.context_mut();
        context.flying += 1;
        let marks = match kind {
            Kind::Renewal => {
                context.is_stale = false;
                context.marks
            }
            Kind::Trial(place) => {
                context.words[place.word].flying |= 1 << place.lane;
                run!(isa, || context.trial(place))
            }
        };
        let job = Job {
            task,
            serial,
            kind,
            word: 0,
            unmoved: 0,
            marks,
            run: Run::of(&[]),
        };
        self.jobs[slot] = Some(job);
        self.load(slot);
    }

    /// Loads the word of a job into its slot.
    fn load(&mut self, slot: usize) {
        let job = self.jobs[slot].as_mut().expect("the slot has a job");
        let case = self.cases.iter().find(|case| case.task == job.task);
        let context = case.expect("the case is there").context();
        let word = &context.words[job.word];
        let (isa, field, marks) = (self.isa, &mut self.field, &job.marks);
        run!(isa, || {
            for (digit, (to, from)) in field.iter_mut().zip(&*word.singles).enumerate() {
                for ((to, from), marks) in to.iter_mut().zip(from).zip(marks) {
                    *to = from & 0u64.wrapping_sub(u64::from(marks >> digit & 1));
                }
            }
        });
        job.run.candidates = word.candidates;
        job.run.dead = !(word.lanes_of(&job.marks) | 1);
        job.run.has_struck = false;
        self.slots.load(slot, &self.field);
    }

    /// Goes on with the next word, when one is closed. Returns false if there is none.
    fn turn(&mut self, slot: usize) -> bool {
        let job = self.jobs[slot].as_mut().expect("the slot has a job");
        let case = self.cases.iter_mut().find(|case| case.task == job.task);
        let context = case.expect("the case is there").context_mut();
        let words = context.words.len();
        job.unmoved += 1;
        if job.run.has_struck || job.kind == Kind::Renewal {
            job.marks = self.slots.position(slot);
        }
        if job.kind == Kind::Renewal {
            self.slots.save(slot, &mut context.words[job.word].singles);
        } else if job.run.has_struck {
            job.unmoved = 1;
        }
        if job.kind == Kind::Renewal && !context.is_fresh {
            return false;
        }
        while job.unmoved < words {
            job.word = (job.word + 1) % words;
            if job.kind == Kind::Renewal || context.words[job.word].lanes_of(&job.marks) != 0 {
                self.load(slot);
                return true;
            }
            job.unmoved += 1;
        }
        false
    }

    /// Ends a job.
    fn finish(&mut self, slot: usize, end: Event, answer: &mut impl FnMut(usize, TrialDepth)) {
        let job = self.jobs[slot].take().expect("the slot has a job");
        let number = self.cases.iter().position(|case| case.task == job.task);
        let number = number.expect("the case is there");
        let case = &mut self.cases[number];
        let context = case.context_mut();
        context.flying -= 1;
        match (job.kind, end) {
            (Kind::Renewal, Event::Closed) => {
                context.reduce(&job.marks);
                let words = if context.is_fresh {
                    context.words.len()
                } else {
                    1
                };
                let isa = self.isa;
                run!(isa, || context.renew(words));
            }
            (Kind::Renewal, Event::Solved) => {
                assert!(case.child.is_none(), "no false candidate has a solution");
                // With a child before, depth 2 has not been enough.
                let depth = match case.serial {
                    0 => TrialDepth::Two,
                    _ => TrialDepth::Three,
                };
                answer(case.task, depth);
                self.cases.swap_remove(number);
                self.cancel();
            }
            (Kind::Renewal, Event::Refuted) => {
                let (place, _) = case.child.take().expect("the root has a solution");
                case.serial += 1;
                case.strike(place);
                self.cancel();
            }
            (Kind::Trial(place), Event::Refuted) => {
                context.words[place.word].flying &= !(1 << place.lane);
                case.strike(place);
            }
            (Kind::Trial(place), Event::Closed) => {
                context.words[place.word].flying &= !(1 << place.lane);
                let isa = self.isa;
                run!(isa, || context.close(place, &job.marks));
            }
            (Kind::Trial(_), Event::Solved) => unreachable!("no false candidate has a solution"),
            (_, Event::Busy) => unreachable!("a job ends"),
        }
    }

    /// Takes the jobs of contexts out that are over.
    fn cancel(&mut self) {
        let cases = &self.cases;
        let is_open = |job: &Job| {
            let mut cases = cases.iter();
            cases.any(|case| (case.task, case.serial) == (job.task, job.serial))
        };
        let over = |job: &&mut Option<Job>| job.as_ref().is_some_and(|job| !is_open(job));
        self.jobs
            .iter_mut()
            .filter(over)
            .for_each(|job| *job = None);
    }
}

/// The numbers of cases, those with the fewest jobs first. It is a function of its own, which is compiled once and not
/// for each level.
#[inline(never)]
fn fewest_first(jobs: &[usize]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..jobs.len()).collect();
    order::sort_by_key(&mut numbers, |&number| jobs[number]);
    numbers
}

impl Case {
    /// The context that jobs work on.
    fn context(&self) -> &Context {
        self.child.as_ref().map_or(&self.root, |(_, child)| child)
    }

    fn context_mut(&mut self) -> &mut Context {
        self.child
            .as_mut()
            .map_or(&mut self.root, |(_, child)| child)
    }

    /// Strikes a candidate of the context.
    fn strike(&mut self, place: Place) {
        let context = self.context_mut();
        let (cell, digit) = parts(context.words[place.word].candidates[place.lane]);
        context.strike(cell, digit);
        context.is_stale |= context.has_single(cell, digit);
    }

    /// The next job of the context. If it is closed, and no job of it is left, another one takes its
    /// place. `None` means that there is nothing to do now, or at all.
    fn next_job(&mut self) -> Option<Kind> {
        loop {
            let context = self.context_mut();
            if context.is_stale {
                return Some(Kind::Renewal);
            }
            if context.is_fresh {
                // It is being closed for the first time.
                return None;
            }
            if let Some(place) = context.next_trial() {
                return Some(Kind::Trial(place));
            }
            if context.flying > 0 {
                return None;
            }
            // Nothing of depth 2 fails.
            if let Some((place, child)) = self.child.take() {
                self.survivors.push((place, child.marks));
            }
            let place = self.next_child()?;
            self.serial += 1;
            let marks = self.root.trial(place);
            self.child = Some((place, Context::new(&marks, None)));
        }
    }

    /// The next candidate of the root whose context may fail.
    fn next_child(&mut self) -> Option<Place> {
        let Self {
            root, survivors, ..
        } = self;
        survivors.retain(|(_, marks)| root.holds(marks));
        root.order().find(|&place| {
            let word = &root.words[place.word];
            let (cell, digit) = parts(word.candidates[place.lane]);
            word.alive >> place.lane & 1 != 0
                && survivors.iter().all(|(_, marks)| marks[cell] != 1 << digit)
        })
    }
}
