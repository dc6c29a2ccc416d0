//! `await`: every Mazurkiewicz trace once, under sc, without executions that wait in vain.
//!
//! After "Awaiting for Godot: Stateless Model Checking that Avoids Executions where Nothing Happens" (FMCAD
//! 2022), Algorithm 1, Optimal-DPOR-Await. An execution is a sequence of steps; two are equivalent if they
//! have the same steps and order those that conflict in the same way. That is the same as to have the same
//! graph (po, rf, co), except that updates of one location (fetch-adds and the like) whose answers nobody
//! looks at do not conflict with each other.
//!
//! The search goes down one execution. When nobody can move, its races are looked at: pairs of steps that could
//! have come in the other order. For each, a line of steps that leads to the second one without the first is
//! inserted before the first one, unless an execution that begins so is explored anyway. Then the search goes
//! back to the last node that has something left.
//!
//! What holds at a node, the point after the steps `E` ([`node`]):
//!
//! 1. *sleep*: an execution that begins with `E` and then a step that is asleep, or could do so (a weak
//!    initial), is explored elsewhere;
//! 2. *tree*: no line in it begins so, or begins with a step that was taken from here before it. So nothing
//!    is asleep any more at its end: the end can be extended freely, and no execution is found twice or cut
//!    off because of the sleep set. (If one were, it would be counted as `stale`; the tests look.)
//! 3. when the node is left, every execution that begins with `E` and is not excluded by what sleeps was
//!    visited, up to equivalence;
//! 4. *choices*: where a thread is at a choice, it answers it before anybody does anything else. All steps
//!    from there on are answers of that thread, and no line is ever inserted there, since choices do not race.
//!
//! Where this differs from the paper, and why the result stays the same:
//!
//! 1. *A step is an event of the graph*, or both events of a read-modify-write, and threads are not run again:
//!    the graph is cut and the saved states are taken up, as everywhere here.
//! 2. *Whether a compare-exchange writes* depends on what it reads. The line of a reversed race ends in the
//!    second step as it is without the first: its value is computed ([`values`]).
//! 3. *Read-modify-writes that wait* (locks, semaphores, exchange-awaits) conflict with reads, too, which
//!    neither enable nor disable them. The paper treats neither: a pair of a read and such a step is not in a
//!    non-blocking race (Definition 2) and not among those of line 11. Here line 11 goes through all steps
//!    that conflict with the one that waits. It stops early only behind a write that conflicts with all of
//!    them: of two reads that come before a lock is taken, both must be tried.
//! 4. *Joins, barriers, the end of the process*: once they can be taken they always can, and what makes them so
//!    happens before them in every execution. They race with nothing.
//! 5. *Choices* are steps with an answer; different answers are different steps. A line takes the answers of
//!    the execution that it comes from; others have lines of their own. At a free end all answers are explored.
//! 6. *Old races*. A race of which both steps were there when the last execution ended is only looked at
//!    again if there are new steps that do not happen after the first one: otherwise its line is the same.
//! 7. *A thread that spins*, or is in a loop that waits with more than one read, stands still like one whose
//!    assumption failed. The execution is counted as blocked, or reported if the thread spins for ever.
//! 8. *Frees* do not conflict with accesses: what is not ordered with a free by happens-before is a fault,
//!    in whichever order they came ([`model`]).
//! 9. *Several workers* ([`node`]). That a node is complete (3) rests on what was inserted there from below those
//!    that sleep. So a branch is taken only when nobody is below a step that would sleep after it.

mod blocking;
mod label;
mod model;
mod node;
mod race;
mod saved;
mod step;
mod task;
mod trace;
mod tree;
mod values;

use crate::execution::Execution;
use crate::search::{Branching, Loaded, Options, Progress, Queue, Session};
use label::Label;
use model::Traced;
use node::{Node, Work};
use norn_action::Machine;
use norn_models::Interleaving;
use saved::SavedStep;
use std::sync::Arc;
use task::Task;
use trace::StepId;

/// What conflicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflicts {
    /// Accesses of one location of which one writes, but for updates that commute.
    #[default]
    Weak,
    /// All accesses of one location of which one writes.
    Standard,
}

/// The explorer.
pub struct Awaits<'m, M: Machine, Mo: Interleaving> {
    execution: Execution<'m, M, Traced<Mo>>,
    session: Session,
    conflicts: Conflicts,
    /// The node before each step of the trace, and the one at its end.
    nodes: Vec<Node>,
    /// Closed nodes, whose buffers are used again.
    spare: Vec<Node>,
    /// The races of steps below this were looked at in an earlier execution.
    old: StepId,
    /// Scratch: the races, steps that do not happen after another, and the line of a race.
    races: Vec<(StepId, StepId)>,
    apart: Vec<StepId>,
    line: Vec<Label>,
    /// The work at the nodes of tasks that were loaded; each with the node and the step before it.
    loaded: Loaded<Option<(u64, SavedStep)>, Work>,
    /// Where work is handed over to, if there are others.
    queue: Option<Arc<Queue<Task<M>>>>,
    progress: Progress,
}

impl<'m, M: Machine, Mo: Interleaving> Awaits<'m, M, Mo> {
    /// A search of the program that `machine` runs.
    pub fn new(machine: &'m M, options: Options, conflicts: Conflicts) -> Self {
        Awaits {
            execution: Execution::new(machine, &options),
            session: Session::new(options),
            conflicts,
            nodes: Vec::new(),
            spare: Vec::new(),
            old: 0,
            races: Vec::new(),
            apart: Vec::new(),
            line: Vec::new(),
            loaded: Loaded::default(),
            queue: None,
            progress: Progress::default(),
        }
    }

    /// Goes back to the latest node that has a branch left. False when there is none.
    fn go_back(&mut self) -> bool {
        while let Some(node) = self.nodes.last_mut() {
            if !node.is_empty() {
                return true;
            }
            self.close();
        }
        false
    }

    /// Closes the latest node, and takes the step back that led to it.
    fn close(&mut self) {
        let mut node = self.nodes.pop().expect("a node");
        node.clear();
        self.spare.push(node);
        self.take_back();
    }

    /// Takes the last step back, if there is one.
    fn take_back(&mut self) {
        if let Some(node) = self.nodes.last_mut() {
            node.come_back();
        }
        if let Some(step) = self.execution.model.trace.pop() {
            self.execution.cut(step.length);
            self.old = self.old.min(self.execution.model.trace.len());
        }
    }

    /// A node without anything.
    fn new_node(&mut self) -> Node {
        let mut node = self.spare.pop().unwrap_or_default();
        node.opened_at = self.progress.leaves;
        node
    }

    /// Looks at what was found in the execution at hand.
    #[inline]
    fn judge(&mut self, ended: bool) {
        self.session.judge(&mut self.execution, &mut (), ended);
    }
}
