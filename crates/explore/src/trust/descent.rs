//! A random way down the search tree of `trust`; see [`Probe`](crate::Probe).
//!
//! The branches of a graph are found one after the other, so they are gone through twice: to count them,
//! and to get to the chosen one. The answers to a choice of the program are not: there may be billions of
//! them, and their number is known.
//!
//! Invariants: between two descents nothing is at hand. What one of them finds wrong with the program is not
//! reported, the search will find it; it is forgotten with the branch that shows it, since it names events of that.

use super::{Next, Prune, Trust};
use crate::execution::AnyExecution;
use crate::search::{Descent, Options, Probe, Random};
use norn_action::{Action, Machine, ThreadId};
use norn_models::{Model, Named};

/// A descent is given up after that many steps: what it would end in is then not known.
const MAX_STEPS: u32 = 20_000;

/// Where the branches of a graph begin.
struct Fork {
    depth: usize,
    choices: usize,
    candidates: usize,
    length: u32,
    half: Option<ThreadId>,
}

impl<'m, M: Machine, Mo: Named> Trust<'m, M, Mo> {
    /// A probe of the tree of `trust`, for an algorithm that visits at most as many executions, and whose own tree
    /// cannot be gone down at random: what a node branches into is known only after a part of it was searched.
    pub(crate) fn upper_probe<'e>(machine: &'m M, options: &Options, seed: u64) -> Probe<'e>
    where
        Self: 'e,
    {
        // The other algorithm knows nothing of threads that are alike.
        let options = Options { symmetry: false, ..options.clone() };
        let search = Trust::<M, Mo>::new(machine, options);
        Probe::new(TrustDescent::new(search), seed, true)
    }
}

/// A search that is used to go down at random.
pub(crate) struct TrustDescent<'m, M: Machine, Mo: Model, P: Prune> {
    search: Trust<'m, M, Mo, P>,
}

impl<M: Machine, Mo: Model, P: Prune> Descent for TrustDescent<'_, M, Mo, P>
where
    Self: Send,
{
    fn descend(&mut self, random: &mut Random) -> Option<f64> {
        self.search.forget();
        self.search.prune.cut(0);
        self.search.execution.clear();
        self.search.execution.begin();
        let mut product = 1.0;
        for _ in 0..MAX_STEPS {
            self.search.execution.found.clear();
            if self.is_halted() {
                return None;
            }
            let fork = self.fork();
            if let Some((thread, answers)) = self.pending_choice() {
                if !self.search.keeps() {
                    return Some(0.0);
                }
                product *= answers as f64;
                let chosen = random.below(answers);
                self.search.answer(thread, chosen);
                self.search.top.choices.truncate(fork.choices);
                continue;
            }
            let before = self.search.session.summary.executions;
            if !self.go_on() {
                let ended = self.search.session.summary.executions > before;
                return Some(if ended { product } else { 0.0 });
            }
            let search = &self.search;
            if search.below.len() == fork.depth && search.top.choices.len() == fork.choices {
                continue;
            }
            let mut count = 1;
            while self.next_branch(&fork) {
                count += 1;
            }
            product *= count as f64;
            self.return_to(&fork);
            let chosen = random.below(count);
            self.go_on();
            for _ in 0..chosen {
                self.next_branch(&fork);
            }
        }
        None
    }

    fn is_halted(&self) -> bool {
        self.search.session.options.is_halted()
    }
}

impl<'m, M: Machine, Mo: Model, P: Prune> TrustDescent<'m, M, Mo, P> {
    /// In the tree of a search that has not begun.
    pub(crate) fn new(mut search: Trust<'m, M, Mo, P>) -> Self {
        search.session.options.keep_going = true;
        search.session.options.max_executions = None;
        TrustDescent { search }
    }

    fn fork(&self) -> Fork {
        let Trust { top, execution, .. } = &self.search;
        Fork {
            depth: self.search.below.len(),
            choices: top.choices.len(),
            candidates: top.candidates.len(),
            length: execution.graph.len() as u32,
            half: execution.half,
        }
    }

    /// The thread that comes next and the number of answers, if it has to choose.
    fn pending_choice(&self) -> Option<(ThreadId, u64)> {
        let Next::Thread(thread) = self.search.next() else { return None };
        match *self.search.execution.action(thread) {
            Action::Choose { count, .. } => Some((thread, count.max(1))),
            _ => None,
        }
    }

    /// The first branch. False if there is none.
    fn go_on(&mut self) -> bool {
        self.search.keeps() && self.search.step(&mut ())
    }

    /// Leaves a branch for the next one. False if there is none.
    fn next_branch(&mut self, fork: &Fork) -> bool {
        let search = &mut self.search;
        search.execution.found.clear();
        loop {
            if search.below.len() > fork.depth {
                search.undo_revisit();
                if search.place_revisit() {
                    return true;
                }
                search.leave_frame();
            } else if search.top.choices.len() > fork.choices {
                let choice = search.top.choices.pop().expect("a choice");
                if search.take_up(choice) {
                    return true;
                }
            } else {
                return false;
            }
        }
    }

    /// Goes back to the graph that branches, after its last branch.
    fn return_to(&mut self, fork: &Fork) {
        self.search.execution.found.clear();
        self.search.cut(fork.length);
        self.search.top.candidates.truncate(fork.candidates);
        self.search.execution.half = fork.half;
    }
}
