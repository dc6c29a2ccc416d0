//! Wakeup trees: what is to be explored from a point of the search, in order.
//!
//! A branch is a run of steps with branches at its end; a run that nobody branches off costs one vector.
//!
//! Where a thread is at a choice, nothing else comes next: all branches there are answers of that thread. A
//! line that is inserted has the same choice somewhere, with nothing of its thread before it, and it is moved to
//! where the others have it; no other thread takes part in it.

use super::label::{Effect, Label};

/// A run of steps, and what follows it. Nothing follows a leaf: there threads are scheduled freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// The steps, the next one last. At least one.
    pub run: Vec<Label>,
    pub children: Vec<Branch>,
}

impl Branch {
    /// The leaf at the end of `line`.
    pub(super) fn of(line: &[Label]) -> Branch {
        Branch { run: line.iter().rev().copied().collect(), children: Vec::new() }
    }

    /// Lets `line` branch off before the last `left` steps of the run.
    fn split(&mut self, left: usize, line: &[Label]) {
        let run = self.run.drain(..left).collect();
        let lower = Branch { run, children: std::mem::take(&mut self.children) };
        self.children = vec![lower, Branch::of(line)];
    }

    /// Its first step.
    pub(super) fn first(&self) -> &Label {
        self.run.last().expect("a run has a step")
    }
}

/// Takes the first step of the first branch; what follows it becomes `rest`. None if there is no branch.
pub(super) fn take(tree: &mut Vec<Branch>, rest: &mut Vec<Branch>) -> Option<Label> {
    let label = tree.first_mut()?.run.pop()?;
    let branch = tree.remove(0);
    rest.clear();
    if branch.run.is_empty() {
        *rest = branch.children;
    } else {
        rest.push(branch);
    }
    Some(label)
}

/// Inserts `line`, which has a step, unless what is there has it already (the paper's `insert`). True if
/// there is a new leaf.
pub(super) fn insert(tree: &mut Vec<Branch>, line: &mut Vec<Label>) -> bool {
    if let Some(branch) = tree.first() {
        settle_choice(branch.first(), line);
    }
    match tree.iter().position(|branch| branch.first().is_weak_initial(line)) {
        Some(index) => insert_into(&mut tree[index], line),
        None => {
            tree.push(Branch::of(line));
            true
        }
    }
}

/// All lines from the root to a leaf, in order.
pub(super) fn lines(tree: &[Branch]) -> Vec<Vec<Label>> {
    fn collect(tree: &[Branch], line: &mut Vec<Label>, into: &mut Vec<Vec<Label>>) {
        for branch in tree {
            line.extend(branch.run.iter().rev());
            if branch.children.is_empty() {
                into.push(line.clone());
            }
            collect(&branch.children, line, into);
            line.truncate(line.len() - branch.run.len());
        }
    }
    let mut all = Vec::new();
    collect(tree, &mut Vec::new(), &mut all);
    all
}

/// The way back: adds a line to the tree of those before it.
pub(super) fn graft(tree: &mut Vec<Branch>, line: &[Label]) {
    let begins = |branch: &&mut Branch| Some(branch.first()) == line.first();
    let Some(branch) = tree.iter_mut().find(begins) else {
        if !line.is_empty() {
            tree.push(Branch::of(line));
        }
        return;
    };
    let same = branch.run.iter().rev().zip(line).take_while(|(a, b)| a == b).count();
    let (left, rest) = (branch.run.len() - same, &line[same..]);
    if left == 0 {
        graft(&mut branch.children, rest);
    } else if !rest.is_empty() {
        branch.split(left, rest);
    }
}

/// Inserts `line`, of which the first step of the branch is a weak initial.
fn insert_into(branch: &mut Branch, line: &mut Vec<Label>) -> bool {
    let mut left = branch.run.len();
    loop {
        left -= 1;
        let thread = branch.run[left].thread;
        let Some(at) = line.iter().position(|step| step.thread == thread) else { return false };
        line.remove(at);
        if line.is_empty() {
            return false;
        }
        if left == 0 {
            return !branch.children.is_empty() && insert(&mut branch.children, line);
        }
        let next = branch.run[left - 1];
        settle_choice(&next, line);
        if !next.is_weak_initial(line) {
            branch.split(left, line);
            return true;
        }
    }
}

/// If a choice comes next, `line` has it first.
fn settle_choice(next: &Label, line: &mut [Label]) {
    if next.effect != Effect::Choice {
        return;
    }
    if let Some(at) = line.iter().position(|step| step.thread == next.thread) {
        line[..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::label::tests::label;
    use super::*;

    fn threads(tree: &[Branch]) -> Vec<Vec<u32>> {
        let all = lines(tree);
        let mut again = Vec::new();
        all.iter().for_each(|line| graft(&mut again, line));
        assert_eq!(again, tree, "lines are as good as the tree");
        all.iter().map(|line| line.iter().map(|step| step.thread.0).collect()).collect()
    }

    #[test]
    fn lines_share_what_they_begin_with() {
        let (x, y, read) =
            (label(0, 1, Effect::Write), label(1, 2, Effect::Write), label(2, 1, Effect::Read));
        let mut tree = Vec::new();
        assert!(insert(&mut tree, &mut vec![x, y, read]));
        assert!(!insert(&mut tree, &mut vec![y, x, read]), "the same in another order");
        assert!(!insert(&mut tree, &mut vec![y]), "a part of it");
        let other = label(3, 1, Effect::Write);
        assert!(insert(&mut tree, &mut vec![y, x, other]));
        assert!(insert(&mut tree, &mut vec![other, x]));
        assert_eq!(threads(&tree), [vec![0, 1, 2], vec![0, 1, 3], vec![3, 0]]);
        let mut rest = Vec::new();
        assert_eq!(take(&mut tree, &mut rest), Some(x));
        assert_eq!(threads(&rest), [vec![1, 2], vec![1, 3]]);
        assert_eq!(threads(&tree), [vec![3, 0]]);
    }

    #[test]
    fn choices_come_at_once() {
        let none = norn_graph::LocationId::NONE.0;
        let choice = |answer| Label { answer, ..label(0, none, Effect::Choice) };
        let (start, other) = (label(0, 1, Effect::Write), label(1, 2, Effect::Write));
        let mut tree = vec![Branch::of(&[start, choice(0), other])];
        assert!(!insert(&mut tree, &mut vec![other, start, choice(0)]));
        assert!(insert(&mut tree, &mut vec![other, start, choice(1)]));
        let mut rest = Vec::new();
        take(&mut tree, &mut rest);
        assert_eq!(rest[1], Branch::of(&[choice(1), other]));
    }
}
