//! How many executions there are, guessed before they are all visited.
//!
//! A *probe* is one way down the search tree of `trust`: at each branch it goes on with one of the
//! branches, all equally likely, and it multiplies their numbers. If it ends in an execution, the
//! product is its guess, otherwise 0. The expected value is the number of executions (Knuth, "Estimating
//! the efficiency of backtrack programs", 1975), whatever the shape of the tree; how far single guesses
//! are from each other tells how far their mean may be off. The branches of a graph are found one
//! after the other, so they are gone through twice: to count them, and to get to the chosen one. The answers
//! to a choice of the program are not: there may be billions of them, and their number is known.
//!
//! Invariant: between probes nothing is at hand; what a probe finds wrong with the program is not
//! reported, the search will find it.

use super::{Next, Prune, Trust};
use norn_action::{Action, Machine, ThreadId};
use norn_models::Model;

/// A probe gives up after that many steps: what it would end in is then not known.
const MAX_STEPS: u32 = 20_000;

/// Guesses the number of executions that a search will visit.
pub struct Probe<'m, M: Machine, Mo: Model, P: Prune> {
    search: Trust<'m, M, Mo, P>,
    random: u64,
    guesses: u64,
    given_up: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    spread: f64,
}

/// A number of executions that is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many there are, about.
    pub executions: f64,
    /// The standard error of that number.
    pub error: f64,
}

/// Where the branches of a graph begin.
struct Fork {
    depth: usize,
    choices: usize,
    candidates: usize,
    length: u32,
    half: Option<ThreadId>,
}

impl<'m, M: Machine, Mo: Model, P: Prune> Probe<'m, M, Mo, P> {
    /// Probes the tree of a search that has not begun. The same seed gives the same guesses.
    pub fn new(mut search: Trust<'m, M, Mo, P>, seed: u64) -> Self {
        search.session.options.keep_going = true;
        search.session.options.max_executions = None;
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Probe { search, random, guesses: 0, given_up: 0, mean: 0.0, spread: 0.0 }
    }

    /// Goes down once more.
    pub fn probe(&mut self) {
        let Some(guess) = self.descend() else {
            self.given_up += 1;
            return;
        };
        self.guesses += 1;
        let off = guess - self.mean;
        self.mean += off / self.guesses as f64;
        self.spread += off * (guess - self.mean);
    }

    /// Whether more probes would help: the search was not stopped, and not all of them were given up.
    pub fn is_useful(&self) -> bool {
        !self.search.session.options.is_halted() && (self.guesses > 0 || self.given_up < 3)
    }

    /// What is known so far; none before there are two guesses, and while all of them are 0.
    pub fn estimate(&self) -> Option<Estimate> {
        let count = self.guesses as f64;
        (self.guesses > 1 && self.mean > 0.0).then(|| Estimate {
            executions: self.mean,
            error: (self.spread / (count - 1.0) / count).sqrt(),
        })
    }

    fn descend(&mut self) -> Option<f64> {
        self.search.forget();
        self.search.prune.cut(0);
        self.search.execution.clear();
        self.search.execution.begin();
        let mut product = 1.0;
        for _ in 0..MAX_STEPS {
            if self.search.session.options.is_halted() {
                return None;
            }
            let fork = self.fork();
            if let Some((thread, answers)) = self.pending_choice() {
                if !self.search.keeps() {
                    return Some(0.0);
                }
                product *= answers as f64;
                let chosen = self.below(answers);
                self.search.answer(thread, chosen);
                self.search.top.choices.truncate(fork.choices);
                continue;
            }
            let before = self.search.session.summary.executions;
            if !self.go_on() {
                let ended = self.search.session.summary.executions > before;
                self.search.execution.found.clear();
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
            let chosen = self.below(count);
            self.go_on();
            for _ in 0..chosen {
                self.next_branch(&fork);
            }
        }
        None
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
        self.search.cut(fork.length);
        self.search.top.candidates.truncate(fork.candidates);
        self.search.execution.half = fork.half;
    }

    /// A random number below `count` (xorshift64*).
    fn below(&mut self, count: u64) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let mixed = self.random.wrapping_mul(0x2545_f491_4f6c_dd1d);
        ((u128::from(mixed) * u128::from(count)) >> 64) as u64
    }
}
