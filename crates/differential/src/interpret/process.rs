//! Threads that begin and end, and the end of the process.
//!
//! The process ends when `main` returns or somebody calls `exit`: the handlers run in that thread,
//! newest first, while the others go on; nobody else can end the process any more. It also ends when the
//! last thread does, which then runs the handlers. Destructors of thread-specific values run when a thread
//! ends, not when the process does. The list of handlers is behind a lock, so who changes it finds its
//! buffer empty.

use super::buffers::write_now;
use super::state::{Caller, Cell, Phase, State, Value};
use super::{Interpreter, Steps};
use crate::tree::{Mode, Statement};

impl Interpreter<'_> {
    /// A function returns.
    pub(super) fn give_back(&self, state: &mut State, thread: usize, value: i32) {
        let owner = &mut state.threads[thread];
        let frame = owner.frames.pop().expect("a function that returns was called");
        match frame.caller {
            Caller::Root if thread == 0 => owner.phase = Phase::Returned,
            Caller::Root => {
                owner.result = value;
                owner.phase = Phase::Leaving;
            }
            Caller::Result(to) => state.set(thread, to, value),
            Caller::Once(once) => {
                let done = Value::Int(2);
                let written = self.write(state, thread, Cell::Once(once), done, Mode::Release);
                written.expect("a once flag is always alive");
            }
            Caller::ThreadEnd => owner.phase = Phase::Leaving,
            Caller::ProcessEnd => owner.phase = Phase::Unwinding,
        }
    }

    /// Calls a destructor of a thread that ends, if one is left to be called.
    pub(super) fn destroy_values(&self, state: &mut State, thread: usize) -> bool {
        let owner = &mut state.threads[thread];
        if owner.rounds == 0 {
            return false;
        }
        let keys = self.program.keys.iter().enumerate();
        let mut ready = keys.filter_map(|(key, destructor)| Some((key, (*destructor)?)));
        let Some((key, destructor)) = ready.find(|(key, _)| owner.keys[*key] != 0) else {
            return false;
        };
        owner.rounds -= 1;
        let value = std::mem::take(&mut owner.keys[key]);
        owner.phase = Phase::Ready;
        self.call(owner, destructor, value, Caller::ThreadEnd);
        true
    }

    /// A thread is over.
    pub(super) fn end_thread(&self, state: &State, thread: usize, steps: &mut Steps) {
        if !state.is_drained(thread) {
            return;
        }
        let mut next = state.clone();
        let owner = &mut next.threads[thread];
        owner.phase = Phase::Ended;
        owner.frames.clear();
        if next.threads.iter().all(|thread| thread.is_over()) && !next.exiting {
            next.exiting = true;
            next.threads[thread].phase = Phase::Unwinding;
        }
        steps.must.push(next);
    }

    /// A thread ends the process, unless another one does so already.
    pub(super) fn exit(&self, state: &State, thread: usize, steps: &mut Steps) {
        if !state.is_drained(thread) {
            return;
        }
        let mut next = state.clone();
        let owner = &mut next.threads[thread];
        owner.frames.clear();
        owner.phase = if next.exiting { Phase::Late } else { Phase::Unwinding };
        next.exiting = true;
        steps.must.push(next);
    }

    /// Calls the newest handler that was not called yet. Others may register more until none is left.
    pub(super) fn next_handler(&self, state: &State, thread: usize, steps: &mut Steps) {
        if !state.is_drained(thread) {
            return;
        }
        let mut next = state.clone();
        let owner = &mut next.threads[thread];
        match next.handlers.pop() {
            Some(handler) => {
                owner.phase = Phase::Ready;
                self.call(owner, handler, 0, Caller::ProcessEnd);
            }
            None => owner.phase = Phase::Exiting,
        }
        self.settle(&mut next, thread);
        steps.must.push(next);
    }

    /// Starts a thread.
    pub(super) fn create(
        &self,
        next: &mut State,
        handle: usize,
        thread: usize,
        function: usize,
        argument: i32,
    ) {
        let code = &self.code[function];
        let frame = super::state::Frame::new(function, code, argument, Caller::Root);
        let child = next.threads.len();
        next.threads.push(super::state::Thread::new(self.program, frame));
        next.threads[thread].frame().handles[handle] = Some(child);
        self.settle(next, child);
    }

    /// Statements that start threads or wait for them, or run something once.
    pub(super) fn thread_call(
        &self,
        state: &State,
        thread: usize,
        statement: &Statement,
        steps: &mut Steps,
    ) -> bool {
        let drained = state.is_drained(thread);
        let frame = state.threads[thread].frames.last().expect("it stands before a statement");
        match statement {
            Statement::Create { handle, thread: function, argument } => {
                if drained {
                    let argument = frame.value(argument);
                    self.advance(state, thread, steps, |next| {
                        self.create(next, *handle, thread, *function, argument);
                        Ok(())
                    });
                }
            }
            Statement::Join { handle, to } => {
                let Some(child) = frame.handles[*handle] else {
                    steps.faults.insert("invalid_join");
                    return true;
                };
                match state.threads[child].phase {
                    Phase::Joined => drop(steps.faults.insert("invalid_join")),
                    Phase::Ended if drained => self.advance(state, thread, steps, |next| {
                        next.threads[child].phase = Phase::Joined;
                        let result = next.threads[child].result;
                        to.iter().for_each(|&to| next.set(thread, to, result));
                        Ok(())
                    }),
                    _ => {}
                }
            }
            Statement::AtExit(function) => {
                if drained {
                    self.advance(state, thread, steps, |next| {
                        next.handlers.push(*function);
                        Ok(())
                    });
                }
            }
            Statement::Once(once) => self.once(state, thread, *once, steps),
            _ => return false,
        }
        true
    }

    fn once(&self, state: &State, thread: usize, once: usize, steps: &mut Steps) {
        let cell = Cell::Once(once);
        let seen = self.read(state, thread, cell).expect("a once flag is always alive").int();
        match seen {
            0 if state.is_drained(thread) => {
                let mut next = state.clone();
                next.threads[thread].frame().pc += 1;
                let owner = &mut next.threads[thread];
                self.call(owner, self.program.onces[once], 0, Caller::Once(once));
                let done = write_now(&mut next, cell, Value::Int(1));
                self.settle(&mut next, thread);
                steps.take(next, done);
            }
            2 => self.advance(state, thread, steps, |_| Ok(())),
            _ => {}
        }
    }
}
