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
    links::{Link, Links, Row, add, has, set},
    reach::Jumps,
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
pub(super) struct Tree {
    branches: Vec<Branch>,
}

/// A cycle as a list: from the root on, each link with the candidate that it leads to. Weak
/// and strong links take turns, and the last leads to the root.
pub(super) type Cycle = Vec<Link>;

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            branches: Vec::new(),
        }
    }

    /// Shows the cycles of up to this number of links from a candidate, in the order of the search.
    /// `see` takes the number of links and the cycle, and gives the number of links that the
    /// next may have.
    pub(super) fn cycles<const W: usize>(
        &mut self,
        links: &Links<W>,
        jumps: &Jumps<W>,
        root: u16,
        mut most: u32,
        mut see: impl FnMut(u32, Path<'_>) -> u32,
    ) {
        let mode = jumps.mode;
        let back = links.strong(mode, root);
        let closes = &jumps.closes[usize::from(root)];
        if back.is_empty() || *closes == [0; W] {
            return;
        }
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
            if length >= 4 && has(closes, here.on) {
                for &weak in links.weak(mode, here.on) {
                    // Strong links lead both ways.
                    let Some(closing) = back.iter().find(|link| link.to == weak.to) else {
                        continue;
                    };
                    let (to, side) = (root, closing.side);
                    let path = Path {
                        tree: self,
                        last: next,
                        weak,
                        closing: Link { to, side },
                    };
                    if !path.has_off(weak.to) {
                        most = see(length, path);
                        if most < length {
                            return;
                        }
                    }
                }
            }
            if length < most {
                self.grow(links, jumps, next, &mut met);
            }
            next += 1;
        }
    }

    /// Adds what a branch leads to, if that is new.
    #[inline]
    fn grow<const W: usize>(
        &mut self,
        links: &Links<W>,
        jumps: &Jumps<W>,
        from: usize,
        met: &mut Row<W>,
    ) {
        let Branch { on, depth, .. } = self.branches[from];
        let reached = &jumps.jumps[usize::from(on)];
        let mut new: Row<W> = std::array::from_fn(|w| reached[w] & !met[w]);
        if new == [0; W] {
            return;
        }
        add(met, &new);
        for &weak in links.weak(jumps.mode, on) {
            for &strong in links.strong(jumps.mode, weak.to) {
                if has(&new, strong.to) {
                    new[usize::from(strong.to) / 64] &= !(1 << (strong.to % 64));
                    self.branches.push(Branch {
                        on: strong.to,
                        weak,
                        strong,
                        before: from as u16,
                        depth: depth + 1,
                    });
                }
            }
            if new == [0; W] {
                return;
            }
        }
    }
}

/// A branch of the tree, and the two links that close the cycle.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    tree: &'a Tree,
    last: usize,
    weak: Link,
    closing: Link,
}

impl Path<'_> {
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

    /// Whether a candidate is already off in it.
    fn has_off(&self, candidate: u16) -> bool {
        self.branches().any(|branch| branch.weak.to == candidate)
    }

    /// What the cycle strikes.
    pub(super) fn strikes<const W: usize>(&self, links: &Links<W>) -> Row<W> {
        let (mut on, mut off, mut own) = ([0; W], [0; W], [0; W]);
        let mut pass = |weak: u16, strong: u16| {
            add(&mut off, &links.same_digit[usize::from(weak)]);
            add(&mut on, &links.same_digit[usize::from(strong)]);
            add(&mut own, &links.same_cell[usize::from(weak)]);
            add(&mut own, &links.same_cell[usize::from(strong)]);
        };
        pass(self.weak.to, self.closing.to);
        for branch in self.branches() {
            pass(branch.weak.to, branch.strong.to);
        }
        std::array::from_fn(|w| on[w] & off[w] & !own[w])
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
