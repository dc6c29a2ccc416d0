//! Labels of threads, each arrangement at least once: threads of equal length stand in the order of their labels
//! without locations, and locations are numbered in the order in which they are first met.

use crate::Definition;
use crate::program::{BaseSet, Node};
use norn_action::Mode;
use std::ops::ControlFlow;

/// What a thread does in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Read,
    Write,
    /// A read-modify-write that succeeds.
    Update,
    Fence,
}

/// A step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub kind: Kind,
    pub mode: Mode,
    /// 0 for a fence.
    pub location: usize,
}

/// More locations are never needed by graphs of this size.
pub(super) const MOST_LOCATIONS: usize = 3;

/// The labels there are, without their locations.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    letters: Vec<(Kind, Mode)>,
}

impl Alphabet {
    /// Of modes that none of the models tells apart, one. Plain accesses are there only if all models say what a
    /// race is: where one gives them no meaning, and another does, there is nothing to compare.
    pub(super) fn of(models: &[&Definition]) -> Alphabet {
        use Mode::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};
        let kinds: [(Kind, &[Mode]); 4] = [
            (Kind::Read, &[Relaxed, Acquire, SeqCst, Plain]),
            (Kind::Write, &[Relaxed, Release, SeqCst, Plain]),
            (Kind::Update, &[Relaxed, Acquire, Release, AcqRel, SeqCst]),
            (Kind::Fence, &[Acquire, Release, AcqRel, SeqCst]),
        ];
        let plain = models.iter().all(|model| model.reports_races());
        let mut letters = Vec::new();
        for (kind, modes) in kinds {
            let mut seen = Vec::new();
            for &mode in modes {
                let signature = (
                    sees(models, mode.of_read()),
                    sees(models, mode.of_write()),
                    sees(models, mode),
                );
                let is_known = seen.contains(&signature);
                if !is_known && (plain || mode != Plain) {
                    letters.push((kind, mode));
                }
                seen.push(signature);
            }
        }
        if !models.iter().any(|model| mentions(model, BaseSet::Fence)) {
            letters.retain(|(kind, _)| *kind != Kind::Fence);
        }
        Alphabet { letters }
    }
}

/// What the models see of a mode.
fn sees(models: &[&Definition], mode: Mode) -> Vec<(bool, Option<BaseSet>)> {
    let set = BaseSet::of_mode(mode);
    let of = |model: &&Definition| {
        (mode.is_atomic() && mentions(model, BaseSet::Atomic), mentions(model, set).then_some(set))
    };
    models.iter().map(of).collect()
}

/// Whether what the model checks depends on a set.
fn mentions(model: &Definition, set: BaseSet) -> bool {
    let program = &model.schedule.program;
    let checks = program.checks.iter().map(|check| check.node);
    let needed = program.needed(checks.chain(program.races.iter().map(|race| race.node)));
    let nodes = program.nodes.iter().zip(needed);
    nodes.into_iter().any(|(node, needed)| needed && *node == Node::BaseSet(set))
}

/// Threads of labels.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    pub threads: Vec<Vec<Label>>,
}

impl Skeleton {
    pub(super) fn labels(&self) -> impl Iterator<Item = &Label> {
        self.threads.iter().flatten()
    }

    /// How many locations there are.
    pub(super) fn locations(&self) -> usize {
        let accesses = self.labels().filter(|label| label.kind != Kind::Fence);
        accesses.map(|label| label.location + 1).max().unwrap_or(0)
    }
}

/// Whether a label is anything but a relaxed read or write.
fn is_special((kind, mode): (Kind, Mode)) -> bool {
    !matches!(kind, Kind::Read | Kind::Write) || mode != Mode::Relaxed
}

/// Calls `visit` for all skeletons of `size` labels of which `special` are anything but relaxed reads and writes,
/// until it says that it has seen enough.
pub(super) fn each(
    alphabet: &Alphabet,
    size: usize,
    special: usize,
    visit: &mut dyn FnMut(&Skeleton) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut shapes = Vec::new();
    partitions(size, size, &mut Vec::new(), &mut shapes);
    // Fewer threads first.
    shapes.sort_by_key(Vec::len);
    for shape in shapes {
        let skeleton = Skeleton { threads: vec![Vec::new(); shape.len()] };
        let mut walk = Walk { alphabet, shape: &shape, skeleton, visit };
        walk.extend(0, special, 0)?;
    }
    ControlFlow::Continue(())
}

/// The ways to write a number as a sum of numbers that do not grow.
fn partitions(left: usize, most: usize, so_far: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if left == 0 {
        all.push(so_far.clone());
    }
    for part in (1..=most.min(left)).rev() {
        so_far.push(part);
        partitions(left - part, part, so_far, all);
        so_far.pop();
    }
}

struct Walk<'w> {
    alphabet: &'w Alphabet,
    shape: &'w [usize],
    skeleton: Skeleton,
    visit: &'w mut dyn FnMut(&Skeleton) -> ControlFlow<()>,
}

impl Walk<'_> {
    /// Adds a label to the first thread from `thread` on that lacks one.
    fn extend(&mut self, thread: usize, special: usize, locations: usize) -> ControlFlow<()> {
        let Some(&length) = self.shape.get(thread) else {
            return if special == 0 {
                (self.visit)(&self.skeleton)
            } else {
                ControlFlow::Continue(())
            };
        };
        if self.skeleton.threads[thread].len() == length {
            return match self.is_in_order(thread) {
                true => self.extend(thread + 1, special, locations),
                false => ControlFlow::Continue(()),
            };
        }
        for index in 0..self.alphabet.letters.len() {
            let (kind, mode) = self.alphabet.letters[index];
            let cost = usize::from(is_special((kind, mode)));
            if cost > special {
                continue;
            }
            let choices = if kind == Kind::Fence { 1 } else { (locations + 1).min(MOST_LOCATIONS) };
            for location in 0..choices {
                let known =
                    if kind == Kind::Fence { locations } else { locations.max(location + 1) };
                self.skeleton.threads[thread].push(Label { kind, mode, location });
                let flow = self.extend(thread, special - cost, known);
                self.skeleton.threads[thread].pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the thread may stand after the one before it.
    fn is_in_order(&self, thread: usize) -> bool {
        if thread == 0 || self.shape[thread - 1] != self.shape[thread] {
            return true;
        }
        let code = |label: &Label| {
            let letter = (label.kind, label.mode);
            self.alphabet.letters.iter().position(|&other| other == letter)
        };
        let [one, other] =
            [thread - 1, thread].map(|at| self.skeleton.threads[at].iter().map(code));
        one.le(other)
    }
}
