//! The VSC problem: whether threads have an interleaving in which every read sees one of its *good
//! writes*.
//!
//! After `VerifySC` of "Stateless Model Checking under a Reads-Value-From Equivalence" (CAV 2021, section 4
//! and appendix A). The question is an [`Instance`], the answer a line of its steps ([`Verifier`]). It is
//! NP-hard; with n steps, k threads and d locations the search takes O(n^(k+1) · k^(d+1)) steps, since what
//! is still to come depends only on how far each thread has come and which thread wrote each location last
//! (a *witness state*), and each of these is looked at once ([`search`]).
//!
//! The parts of the paper, and where they are:
//!
//! * witness states, executable steps, held locations and the two greedy rules: [`search`];
//! * the closure with its four conditions, a cheap refusal and a restriction of the search: [`close`];
//! * guidance by an auxiliary line that satisfies all reads but the last: [`Verifier::witness`].
//!
//! Where this differs from the paper:
//!
//! 1. A read-modify-write is one step that reads and writes, instead of a pair that is kept together.
//! 2. Events that access nothing (spawns, joins, frees) are steps, too. Each is taken as soon as it can be:
//!    it changes nothing for others but that they may come after it.
//! 3. A mutex needs no rule: to take one is a read-modify-write that reads that it is free. The paper gives
//!    each acquire a single good release, so that closure orders all critical sections; here the caller
//!    decides how many it has.
//! 4. A third greedy rule: the last write to a location that all reads still to come may see is taken. In
//!    any line that has it later, it can be moved to the front: who read an older write then reads it.
//! 5. Of the writes that were last, the key of a witness state names only those that some read still to
//!    come may see. All others are alike.
//! 6. Before the closure is computed, the auxiliary line is followed as far as it goes: the last read is put
//!    into it where that is possible, or else right behind the last of its good writes, with all that must come
//!    before it pulled forward; or else a run of the search is tried that never goes back. Most questions end
//!    there.
//! 7. A read-modify-write, as the last step, each of whose good writes is the only good write of another one
//!    is refused at once: no two read the same write. The closure would find that, too.
//!
//! [`crate::VerifySc`] answers the same question where each read has one good write, and a graph instead of
//! a line is wanted.

mod close;
mod instance;
mod search;

pub use instance::{Good, Instance, NO_LOCATION, Op, Step};

use crate::closure::Closure;
use search::Search;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which of the heuristics are used. All of them leave the answers as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristics {
    /// The closure is computed before the search.
    pub closure: bool,
    /// The auxiliary line is followed.
    pub guidance: bool,
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics { closure: true, guidance: true }
    }
}

/// The decision procedure, with its buffers.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    /// What is used.
    pub heuristics: Heuristics,
    search: Search,
    order: Closure,
    line: Vec<Op>,
    /// The last write to each location in `line`, while that is made.
    last: Vec<Option<Op>>,
}

impl Verifier {
    /// A verifier that gives up while `halt` is set: a hard question can take longer than anybody will wait.
    pub fn new(heuristics: Heuristics, halt: Option<Arc<AtomicBool>>) -> Verifier {
        let mut verifier = Verifier { heuristics, ..Verifier::default() };
        verifier.search.halt = halt;
        verifier
    }

    /// Whether the last question was given up, so that nothing follows from there being no witness.
    pub fn gave_up(&self) -> bool {
        self.search.gave_up
    }

    /// A witness of `instance` in which the first step of each pair in `edges` comes before the second; none if
    /// there is none, or the question was [given up](Verifier::gave_up). `guide` is a witness of all steps but the last, or else any line of all steps.
    pub fn witness(
        &mut self,
        instance: &Instance,
        edges: &[(Op, Op)],
        guide: &[Op],
    ) -> Option<&[Op]> {
        self.search.gave_up = false;
        let Heuristics { closure, guidance } = self.heuristics;
        if closure && instance.last_is_too_late() {
            return None;
        }
        if guidance
            && edges.is_empty()
            && (self.inserts_last(instance, guide) || self.pulls_last(instance, guide))
        {
            return Some(&self.line);
        }
        self.search.start(instance, if guidance { guide } else { &[] });
        if edges.is_empty() {
            let hard = |op: Op| instance.before(op);
            if !closure {
                return self.search.run(instance, hard, false).then_some(self.search.line());
            }
            if guidance {
                self.search.follow(instance, start_of(instance, guide));
                if self.search.run(instance, hard, true) {
                    return Some(self.search.line());
                }
            }
        }
        if !self.restrict(instance, edges) || closure && !close::close(instance, &mut self.order) {
            return None;
        }
        self.search.start(instance, if guidance { guide } else { &[] });
        let order = &self.order;
        self.search
            .run(instance, |op| order.before(op as usize), false)
            .then_some(self.search.line())
    }

    /// Starts the order with what the threads prescribe and with `edges`. False if these are a cycle.
    fn restrict(&mut self, instance: &Instance, edges: &[(Op, Op)]) -> bool {
        self.order.start(instance.len());
        for op in 0..instance.len() as Op {
            self.order.set_before(op as usize, instance.before(op));
        }
        edges.iter().all(|&(a, b)| self.order.add(a as usize, b as usize))
    }

    /// Tries to put the last step, which reads, into the line of all others: a plain read after a good
    /// write, and what also writes at the end only.
    fn inserts_last(&mut self, instance: &Instance, guide: &[Op]) -> bool {
        let last = instance.len() as Op - 1;
        let step = instance.step(last);
        if guide.len() + 1 != instance.len() || !step.reads {
            return false;
        }
        let mut at = guide.len();
        for (index, &op) in guide.iter().enumerate().rev() {
            let other = instance.step(op);
            if other.writes && other.location == step.location {
                if instance.is_good(last, Some(op)) {
                    return self.insert(guide, at, last);
                }
                at = index;
                if step.writes {
                    return false;
                }
            }
            if instance.is_before(op, last) {
                return false;
            }
        }
        instance.is_good(last, None) && self.insert(guide, at, last)
    }

    /// Tries to put the last step, which reads, right behind the last of its good writes in the line of all
    /// others, and what must come before it there, too. False if another read then sees what is not good for it.
    fn pulls_last(&mut self, instance: &Instance, guide: &[Op]) -> bool {
        let read = instance.len() as Op - 1;
        if guide.len() + 1 != instance.len() || !instance.step(read).reads {
            return false;
        }
        self.line.clear();
        self.last.clear();
        self.last.resize(instance.locations.len(), None);
        let (kept, moved) = guide.split_at(start_of(instance, guide).len());
        kept.iter().for_each(|&op| self.put(instance, op));
        for pulled in [true, false] {
            for &op in moved {
                if instance.is_before(op, read) == pulled && !self.put_if_good(instance, op) {
                    return false;
                }
            }
            if pulled && !self.put_if_good(instance, read) {
                return false;
            }
        }
        true
    }

    /// Puts a step at the end of the line that is being made, and says whether it sees what is good for it.
    #[inline]
    fn put_if_good(&mut self, instance: &Instance, op: Op) -> bool {
        let step = instance.step(op);
        let sees = !step.reads || instance.is_good(op, self.last[step.location as usize]);
        self.put(instance, op);
        sees
    }

    /// Puts a step at the end of the line that is being made.
    #[inline]
    fn put(&mut self, instance: &Instance, op: Op) {
        let step = instance.step(op);
        if step.writes {
            self.last[step.location as usize] = Some(op);
        }
        self.line.push(op);
    }

    fn insert(&mut self, guide: &[Op], at: usize, last: Op) -> bool {
        self.line.clear();
        self.line.extend_from_slice(&guide[..at]);
        self.line.push(last);
        self.line.extend_from_slice(&guide[at..]);
        true
    }
}

/// The part of a witness of all steps but the last that the last one, which reads, need not disturb: up to
/// the last of its good writes.
fn start_of<'g>(instance: &Instance, guide: &'g [Op]) -> &'g [Op] {
    let last = instance.len() as Op - 1;
    if guide.len() + 1 != instance.len() || !instance.step(last).reads {
        return &[];
    }
    let end = guide.iter().rposition(|&op| instance.is_good(last, Some(op)));
    &guide[..end.map_or(0, |index| index + 1)]
}
