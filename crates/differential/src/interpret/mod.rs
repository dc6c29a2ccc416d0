//! An interpreter that visits every state of a program.
//!
//! It is the judge of Norn's program side and shares no code with it: states are plain values, every
//! interleaving of the threads' steps is tried, and a state that was seen before is not visited again.
//! Stores wait in buffers under tso (one for each thread) and pso (one for each thread and variable),
//! with the mapping of C11 accesses that the models define: a seq_cst fence or store and every
//! read-modify-write that writes finds the buffer empty, and so does the library wherever it
//! synchronises; unlocking is a release store.
//!
//! What the standards leave open is tried both ways: which waiter a signal wakes, which thread is the
//! serial one at a barrier, when a timed wait times out, whether a wait ends without a signal. Such
//! spurious wake-ups may happen but need not, so a program that needs one to go on has a deadlock.
//!
//! When the process ends, what other threads are about is of no interest. When a thread does something
//! wrong, the execution ends there.

mod buffers;
mod code;
mod locks;
mod process;
mod state;
mod step;
mod waiting;

use crate::tree::{Program, Statement};
use code::{Code, Op};
use rustc_hash::FxHashSet;
use state::{Phase, State};
use std::collections::BTreeSet;

/// When stores reach memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffers {
    /// At once: sequential consistency.
    None,
    /// Later, in order: tso.
    PerThread,
    /// Later, in order for each variable: pso.
    PerVariable,
}

/// What can happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// What the thread that ends the process has printed by then. What others printed is not looked at:
    /// whether it came before the end is nothing that a program can tell.
    pub results: BTreeSet<String>,
    /// What can go wrong, by the names of Norn's kinds of faults.
    pub faults: BTreeSet<&'static str>,
}

/// Visits all states; none if there are more than `limit`.
pub fn interpret(program: &Program, buffers: Buffers, limit: usize) -> Option<Behaviour> {
    let code = code::compile(program);
    let interpreter = Interpreter { program, code, buffers };
    let mut behaviour = Behaviour::default();
    let mut start = State::new(program, &interpreter.code);
    interpreter.settle(&mut start, 0);
    let mut seen = FxHashSet::default();
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        let steps = interpreter.steps(&state);
        behaviour.faults.extend(&steps.faults);
        behaviour.results.extend(steps.results.iter().cloned());
        if steps.is_nothing() {
            behaviour.faults.insert(interpreter.stuck(&state));
        }
        for next in steps.must.into_iter().chain(steps.may) {
            if !seen.contains(&next) {
                seen.insert(next.clone());
                work.push(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(behaviour)
}

/// A fault: its name.
type Fault = &'static str;

/// What can come after a state.
#[derive(Default)]
struct Steps {
    /// By steps that some thread will take in the end.
    must: Vec<State>,
    /// By steps that need never be taken.
    may: Vec<State>,
    faults: BTreeSet<Fault>,
    results: BTreeSet<String>,
}

impl Steps {
    fn take(&mut self, state: State, taken: Result<(), Fault>) {
        match taken {
            Ok(()) => self.must.push(state),
            Err(fault) => drop(self.faults.insert(fault)),
        }
    }

    /// Whether nobody can be expected to move.
    fn is_nothing(&self) -> bool {
        self.must.is_empty() && self.faults.is_empty() && self.results.is_empty()
    }
}

struct Interpreter<'p> {
    program: &'p Program,
    code: Vec<Code>,
    buffers: Buffers,
}

impl Interpreter<'_> {
    fn steps(&self, state: &State) -> Steps {
        let mut steps = Steps::default();
        for thread in 0..state.threads.len() {
            self.flush(state, thread, &mut steps);
            self.step(state, thread, &mut steps);
        }
        steps
    }

    /// The statement that a thread stands before.
    fn statement(&self, state: &State, thread: usize) -> Option<&Statement> {
        let frame = state.threads[thread].frames.last()?;
        match self.code[frame.function].ops.get(frame.pc) {
            Some(Op::Do(statement)) => Some(statement),
            _ => None,
        }
    }

    /// What it is called that nobody can move: waiting for a value that never comes if that is what
    /// all of them do in the end, otherwise a deadlock.
    fn stuck(&self, state: &State) -> Fault {
        let (mut spins, mut waits) = (false, false);
        for (id, thread) in state.threads.iter().enumerate().filter(|(_, t)| !t.is_over()) {
            match (thread.phase, self.statement(state, id)) {
                (
                    Phase::Ready,
                    Some(
                        Statement::Await { .. }
                        | Statement::TestAndSet { .. }
                        | Statement::AwaitBits { .. }
                        | Statement::AwaitSame { .. }
                        | Statement::AwaitCas { .. }
                        | Statement::AwaitKept { .. }
                        | Statement::AwaitAbove { .. }
                        | Statement::TakeBack { .. }
                        | Statement::AwaitLock(_),
                    ),
                ) => spins = true,
                (Phase::Ready, Some(Statement::Join { .. })) => {}
                _ => waits = true,
            }
        }
        if spins && !waits { "livelock" } else { "deadlock" }
    }
}
