//! `rvf`: the reads-value-from equivalence, under sc. Executions in which every read gets the same value, and
//! the same reads causally precede others, are looked at once, whichever writes the values come from.
//!
//! After "Stateless Model Checking under a Reads-Value-From Equivalence" (CAV 2021): Algorithm 2 with causal
//! maps and backtrack signals, over VerifySC ([`norn_models::vsc`]). A *node* of the search is a set of
//! events, with a set of good writes for each read (writes of one value), and a *trace*: an interleaving of
//! the events in which each read sees one of its good writes. From a node, every thread takes all steps that
//! are no reads. Then one of the reads that threads are paused at is chosen, and for each value that it may
//! read there is a child: the writes of that value become its good writes, if VerifySC finds a trace.
//!
//! What holds at a node with the events `X` and the good writes `G`:
//!
//! 1. the trace has each event of `X` once and satisfies `G`. The graph of the execution is a container of
//!    `X`: values and thread states are right, sources and coherence mean nothing. Whoever is to look at an
//!    execution is given the graph of its trace ([`run`]);
//! 2. what a thread does depends on the values that it reads alone, so all traces that satisfy `G` lead
//!    every thread to the same state;
//! 3. *causal map*: a read `r` of `X`'s threads that was dealt with at an ancestor, when that had the first
//!    `n` steps, must not read these writes again ([`Rvf::causal`]). Steps are added and taken back at the
//!    end, so a number says which;
//! 4. *completeness*: every trace of the program that has all of `X`, satisfies `G` and the causal map is
//!    covered below the node: its reads see good writes of some node whose events it has. The first read in
//!    it that is new reads from `X`; take the first in the order of the node that does so. Those before it
//!    read from elsewhere, as the causal map then asks, or are not in the trace;
//! 5. *at most once*: two nodes below which nothing is left to do differ in a value that is read, or in
//!    whether one read causally precedes another. Often one node covers several classes of the paper.
//!
//! *Signals*. Once all values of a read `r` were dealt with at a node, the traces that are left have `r`
//! behind a write that is not there yet, or do not have it. Let `r` be a read that could go on at the end of
//! every trace of the node: it has no entry in the causal map, or all that it must not read is overwritten by
//! what it may read. If no new write to its location is in a trace without `r`, then `r` can be added at the
//! end, and that was dealt with. Otherwise (Lemma 1 of the paper) the first new write `w` to its location is
//! seen below, while `r` reads something that was there: take the trace up to `w`, then what is left of `X`, then
//! `r`, then `w`. What is left out of the trace is no source of a read in `X`, since good writes are in `X`; and
//! `r` reads the last write of a trace of `X`, which is why all that it must not read has to be overwritten.
//! So `w`, when it is found, signals all nodes above whose present read is of that location and
//! of another thread. It does not where `r` must come before it: in the trace of Lemma 1 nothing stands
//! between the two, and no rule puts a read right before a write of another thread.
//!
//! *Givers*. A signal says at which read of the node the thread of `w` was paused, because that read comes
//! before `w`. Take the reads `r1`, `r2`, ... of a node in the order in which they are tried, and a trace in
//! which `rj` is the first of them that reads something that is there. Those before `rj` for which signals
//! count have their first new writes in the trace. Each such write comes after a read of the node: `rj` or
//! one after it; one of which nothing is known, because signals do not count for it or because it is not
//! tried; or one of those before `rj`, which itself comes after its own first new write. So `rj` needs to be
//! tried only if from giver to given all before it can be reached; and if not, then neither does any read
//! after `rj`. In `unverif`, a load gives nothing to the additions that wait for another addition, and is not
//! tried once only loads are left.
//!
//! A read whose causal map rules out all writes that are there is not tried (it is not among the `able`), but it
//! may give to others.
//!
//! Where this differs from the paper, and why the result stays the same:
//!
//! 1. A read-modify-write is one step. One that a thread is paused at counts as a write for signals,
//!    whether or not it would write now: in Lemma 1 it may read another value than the one it wrote for.
//! 2. *Reads that wait* (locks, semaphores, awaits) are tried only with values that let their thread go on.
//!    In a trace that ends, such a read may be missing: its thread waits for ever. Where all threads wait, it
//!    is asked whether some trace has last writes that satisfy none of them, and that is an end of its own
//!    ([`ends`]). So signals count for a waiting read only if no trace of the node has a last write that does
//!    not satisfy it; and not if no value can be read at all.
//! 3. *Mutexes*: an acquire is a read-modify-write of the value that says that it is free, and all
//!    releases are good writes for it. The paper gives it one release each. Values suffice: whether a lock is
//!    held at the end, and by whom, follows from the events, so a deadlock is one in all traces of a node.
//!    What the order of critical sections decides shows in the values that are read in them.
//! 4. *Choices* branch at once; no other thread takes part in them.
//! 5. What is wrong with an execution, beyond what its threads find, can depend on the order of its events in
//!    two ways: an access and the end of the object's life, and threads that spin for ever. Both are asked of
//!    all traces of a node at which nothing is left to do ([`ends`]). Which object an address is of is part
//!    of the value, because no two objects have the same; which bytes were never written is compared with it.
//!    A second free or join is a fault in every order.

mod check;
mod container;
mod ends;
mod extend;
mod node;
mod run;
mod steps;
mod task;

use crate::execution::{Aside, Execution};
use crate::search::{Loaded, Observer, Options, Progress, Queue, Session};
use container::Container;
use node::{Node, Work};
use norn_action::Machine;
use norn_graph::LocationId;
use norn_models::vsc::{Heuristics, Op, Verifier};
use norn_models::{Interleaving, Model};
use std::sync::Arc;
use steps::Steps;
use task::Task;

/// What the algorithm may use. Without it the same is found in more time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aids {
    /// Of VerifySC: closure, and guidance by the trace.
    pub verify: Heuristics,
    /// Backtrack signals.
    pub signals: bool,
}

impl Default for Aids {
    fn default() -> Aids {
        Aids { verify: Heuristics::default(), signals: true }
    }
}

/// No entry in the causal map.
const NOTHING: u32 = u32::MAX;

/// The explorer.
pub struct Rvf<'m, M: Machine, Mo: Interleaving> {
    execution: Execution<'m, M, Container<Mo>>,
    session: Session,
    aids: Aids,
    verifier: Verifier,
    /// The events as steps of VerifySC, with the good writes of reads.
    steps: Steps,
    trace: Vec<Op>,
    /// The trace of the latest node.
    base: Vec<Op>,
    /// Per thread: the read that it is paused at must not read the initial write nor any step below this.
    causal: Vec<u32>,
    /// The open nodes, oldest first.
    nodes: Vec<Node>,
    /// Closed nodes, whose buffers are used again.
    spare: Vec<Node>,
    /// Per location: the open nodes whose present read is of it and waits for a signal.
    watchers: Vec<Vec<u32>>,
    /// The graph of a trace.
    aside: Aside,
    /// The work at the nodes of tasks that were loaded; each with the number of its events, and of its steps.
    loaded: Loaded<(u32, u32), Work>,
    /// Where work is handed over to, if there are others.
    queue: Option<Arc<Queue<Task<M>>>>,
    progress: Progress,
}

impl<'m, M: Machine, Mo: Interleaving> Rvf<'m, M, Mo> {
    /// A search of the program that `machine` runs.
    pub fn new(machine: &'m M, options: Options) -> Self {
        Rvf::with(machine, options, Aids::default())
    }

    /// The same with these aids only.
    pub fn with(machine: &'m M, options: Options, aids: Aids) -> Self {
        let verifier = Verifier::new(aids.verify, options.halt.clone());
        Rvf {
            execution: Execution::new(machine, &options),
            session: Session::new(options),
            aids,
            verifier,
            steps: Steps::default(),
            trace: Vec::new(),
            base: Vec::new(),
            causal: Vec::new(),
            nodes: Vec::new(),
            spare: Vec::new(),
            watchers: Vec::new(),
            aside: Aside::new(Container::<Mo>::LANES),
            loaded: Loaded::default(),
            queue: None,
            progress: Progress::default(),
        }
    }

    /// Goes to the next branch of the latest node that has one. False when there is none, or the search is
    /// stopped.
    fn go_back(&mut self, observer: &mut impl Observer<M>) -> bool {
        while let Some(index) = self.nodes.len().checked_sub(1) {
            self.return_to(index);
            if self.next_branch(index, observer) {
                return true;
            }
            if self.session.is_stopped() {
                return false;
            }
            self.close();
        }
        false
    }

    /// Makes the graph, the trace and the causal map those of a node, which is the latest.
    fn return_to(&mut self, index: usize) {
        self.trace.clone_from(&self.base);
        let node = &mut self.nodes[index];
        self.execution.cut(node.length);
        self.steps.cut(node.ops);
        self.causal.clone_from(&node.causal);
        let done = node.present().unwrap_or(0);
        for &thread in &node.reads[..done] {
            self.causal[thread.index()] = node.ops;
        }
    }

    /// Closes the latest node.
    fn close(&mut self) {
        self.unwatch(self.nodes.len() - 1);
        let mut node = self.nodes.pop().expect("a node");
        node.growth.undo(&mut self.base);
        node.clear();
        self.spare.push(node);
    }

    /// A write to `location` by `thread` is there: `step`; or may come next, and `step` is the last one before it.
    #[inline]
    fn signal(&mut self, location: LocationId, thread: norn_action::ThreadId, step: Option<Op>) {
        let Some(watchers) = self.watchers.get(location.index()) else { return };
        for &index in watchers {
            let node = &mut self.nodes[index as usize];
            // The first step after those of the node is its present read.
            let read = node.ops;
            if step.is_none_or(|step| !self.steps.instance.is_before(read, step)) {
                node.signal(thread);
            }
        }
    }

    /// The present read of a node waits for signals.
    fn watch(&mut self, index: usize, location: LocationId) {
        if self.watchers.len() <= location.index() {
            self.watchers.resize_with(location.index() + 1, Vec::new);
        }
        self.watchers[location.index()].push(index as u32);
        self.nodes[index].watched = Some(location);
    }

    fn unwatch(&mut self, index: usize) {
        if let Some(location) = self.nodes[index].watched.take() {
            let last = self.watchers[location.index()].pop();
            debug_assert_eq!(last, Some(index as u32));
        }
    }
}
