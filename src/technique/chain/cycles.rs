//! Cycles: chains from a candidate that is on back to itself.
//!
//! In a cycle, weak and strong links alternate, so every second node is on: either these,
//! or the others. A candidate outside the cells of the cycle that sees both a node that is
//! on and one that is off, all of its digit, is struck.
//!
//! Sudoku Explainer does not find all cycles. It grows one tree from each candidate,
//! breadth first, and takes the branches that lead back to the root. Which branches the
//! tree has depends on the order of the links.

use super::{
    links::{Link, Links, Row, add, and, and_not, each, has, meet, set, unset},
    reach::Net,
    rows::Rows,
};

/// A candidate of the tree that is on: the candidate that is off before it, and the one
/// that is on before that.
#[derive(Clone, Copy)]
struct Branch {
    on: u16,
    /// The weak link from the branch before, and the strong link to this one.
    weak: Link,
    strong: Link,
    before: u16,
    depth: u16,
}

/// The tree from one candidate.
pub(super) struct Tree<const W: usize> {
    branches: Vec<Branch>,
    /// The targets of each candidate in one jump.
    jumps: Rows<W>,
}

/// A cycle as a list: from the root on, each link with the candidate that it leads to. Weak
/// and strong links take turns, and the last leads to the root.
pub(super) type Cycle = Vec<Link>;

impl<const W: usize> Tree<W> {
    pub(super) fn new() -> Self {
        Self {
            branches: Vec::new(),
            jumps: Rows::none(),
        }
    }

    /// Finds the jumps of a net. Trees of other nets cannot grow then.
    #[inline(always)]
    pub(super) fn prepare(&mut self, net: &Net<'_, W>) {
        self.jumps = Rows::empty(net.sees.len());
        for &n in &net.list {
            self.jumps[usize::from(n)] = net.jump(n);
        }
    }

    /// The lengths of closed ways from a candidate, on the shortest ways to their last node that
    /// is on: bit n for 2 n links, and bit 63 for all from there on. There are no cycles of
    /// other lengths up to `most`. Bit 0 is always set.
    #[inline(always)]
    pub(super) fn closed(&self, net: &Net<'_, W>, root: u16, most: u32) -> u64 {
        let end = 1 << (most / 2).min(63);
        let mut lengths = 1;
        each(
            &net.strong[usize::from(root)],
            #[inline(always)]
            |last| {
                // The last node that is off is not the first: the way would lead back on itself.
                let mut off = and(&net.sees[usize::from(root)], &net.ends);
                unset(&mut off, last as u16);
                let mut level = [0; W];
                each(&off, |n| add(&mut level, &net.strong[n]));
                let mut met = level;
                set(&mut met, root);
                unset(&mut level, root);
                let mut bit = 1 << 2;
                while level != [0; W] {
                    if meet(&level, &net.sees[last]) {
                        lengths |= bit;
                    }
                    if bit == end {
                        break;
                    }
                    let mut next = [0; W];
                    each(&level, |n| add(&mut next, &self.jumps[n]));
                    level = and_not(&next, &met);
                    add(&mut met, &level);
                    bit = (bit << 1).max(bit & 1 << 63);
                }
            },
        );
        lengths
    }

    /// Shows the cycles of up to this number of links from a candidate, in the order of the
    /// search. `see` takes the number of links and the cycle, and gives the number of links
    /// that the next may have.
    #[inline(always)]
    pub(super) fn cycles(
        &mut self,
        links: &Links<'_, W>,
        net: &Net<'_, W>,
        root: u16,
        mut most: u32,
        mut see: impl FnMut(u32, Path<'_, W>) -> u32,
    ) {
        let mode = net.mode;
        let strong = &net.strong[usize::from(root)];
        let mut closes = [0; W];
        each(strong, |n| add(&mut closes, &net.sees[n]));
        self.branches.clear();
        let none = Link { to: root, side: 0 };
        self.branches.push(Branch {
            on: root,
            weak: none,
            strong: none,
            before: 0,
            depth: 0,
        });
        let mut met = [0; W];
        set(&mut met, root);
        let mut next = 0;
        while next < self.branches.len() {
            let here = self.branches[next];
            let length = 2 * u32::from(here.depth) + 2;
            if length > most {
                return;
            }
            if length >= 4 && has(&closes, here.on) {
                links.weak(mode, here.on, strong, |weak| {
                    // Strong links lead both ways.
                    let closing = links.strong(mode, root).find(|link| link.to == weak.to);
                    let closing = closing.expect("the link back is strong");
                    let (to, side) = (root, closing.side);
                    let path = Path {
                        tree: self,
                        last: next,
                        weak,
                        closing: Link { to, side },
                    };
                    if !path.has_off(weak.to) {
                        most = see(length, path);
                    }
                    most >= length
                });
                if most < length {
                    return;
                }
            }
            if length < most {
                self.grow(links, net, next, &mut met);
            }
            next += 1;
        }
    }

    /// Adds what a branch leads to, if that is new.
    #[inline(always)]
    fn grow(&mut self, links: &Links<'_, W>, net: &Net<'_, W>, from: usize, met: &mut Row<W>) {
        let Branch { on, depth, .. } = self.branches[from];
        let mut new = and_not(&self.jumps[usize::from(on)], met);
        if new == [0; W] {
            return;
        }
        add(met, &new);
        // Strong links lead both ways.
        let mut off = [0; W];
        each(&new, |n| add(&mut off, &net.strong[n]));
        let branches = &mut self.branches;
        links.weak(net.mode, on, &off, |weak| {
            if !meet(&new, &net.strong[usize::from(weak.to)]) {
                return true;
            }
            for strong in links.strong(net.mode, weak.to) {
                if has(&new, strong.to) {
                    unset(&mut new, strong.to);
                    branches.push(Branch {
                        on: strong.to,
                        weak,
                        strong,
                        before: from as u16,
                        depth: depth + 1,
                    });
                }
            }
            new != [0; W]
        });
    }
}

/// A branch of the tree, and the two links that close the cycle.
#[derive(Clone, Copy)]
pub(super) struct Path<'a, const W: usize> {
    tree: &'a Tree<W>,
    last: usize,
    weak: Link,
    closing: Link,
}

impl<const W: usize> Path<'_, W> {
    /// Its branches, the last first, without the root.
    fn branches(&self) -> impl Iterator<Item = &Branch> {
        let mut at = self.last;
        std::iter::from_fn(move || {
            let branch = &self.tree.branches[at];
            (at != 0).then(|| {
                at = branch.before.into();
                branch
            })
        })
    }

    /// Returns true if a candidate is already off in it.
    fn has_off(&self, candidate: u16) -> bool {
        self.branches().any(|branch| branch.weak.to == candidate)
    }

    /// The strikes of the cycle.
    #[inline(always)]
    pub(super) fn strikes(&self, links: &Links<'_, W>) -> Row<W> {
        let (mut on, mut off, mut own) = ([0; W], [0; W], [0; W]);
        let mut pass = |weak: u16, strong: u16| {
            add(&mut off, &links.same_digit[usize::from(weak)]);
            add(&mut on, &links.same_digit[usize::from(strong)]);
            add(&mut own, links.same_cell(weak));
            add(&mut own, links.same_cell(strong));
        };
        pass(self.weak.to, self.closing.to);
        for branch in self.branches() {
            pass(branch.weak.to, branch.strong.to);
        }
        and_not(&and(&on, &off), &own)
    }

    /// The cycle as a list.
    pub(super) fn cycle(&self) -> Cycle {
        let mut cycle = vec![self.closing, self.weak];
        for branch in self.branches() {
            cycle.extend([branch.strong, branch.weak]);
        }
        cycle.reverse();
        cycle
    }
}
