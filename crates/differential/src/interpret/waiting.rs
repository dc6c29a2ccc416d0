//! Condition variables and barriers.

use super::locks::ETIMEDOUT;
use super::state::{Phase, State};
use super::{Interpreter, Steps};
use crate::tree::Statement;

impl Interpreter<'_> {
    /// Statements about anything but memory; false if it is none.
    pub(super) fn synchronise(
        &self,
        state: &State,
        thread: usize,
        statement: &Statement,
        steps: &mut Steps,
    ) -> bool {
        match statement {
            Statement::Wait { mutex, .. } => {
                if state.is_drained(thread) {
                    let mut next = state.clone();
                    next.threads[thread].phase = Phase::Waiting;
                    let done = self.unlock(&mut next, thread, *mutex).map(drop);
                    steps.take(next, done);
                }
            }
            Statement::Notify { condition, all } => {
                self.notify(state, thread, *condition, *all, steps);
            }
            Statement::Barrier { barrier, .. } => self.meet(state, thread, *barrier, steps),
            other => {
                return self.lock_call(state, thread, other, steps)
                    || self.thread_call(state, thread, other, steps);
            }
        }
        true
    }

    /// A wait ends without a signal: by its timeout, which comes in the end, or for no reason.
    pub(super) fn wake(&self, state: &State, thread: usize, steps: &mut Steps) {
        let woken = |result| {
            let mut next = state.clone();
            next.threads[thread].phase = Phase::Woken(result);
            next
        };
        steps.may.push(woken(0));
        let timed =
            matches!(self.statement(state, thread), Some(Statement::Wait { timed: true, .. }));
        if timed && state.is_drained(thread) {
            steps.must.push(woken(ETIMEDOUT));
        }
    }

    /// Takes the mutex after a wait and goes on.
    pub(super) fn relock(&self, state: &State, thread: usize, result: i32, steps: &mut Steps) {
        let Some(Statement::Wait { mutex, to, .. }) = self.statement(state, thread) else {
            unreachable!("only a wait is woken");
        };
        let mut next = state.clone();
        if self.lock_again(&mut next, thread, *mutex) {
            to.iter().for_each(|&to| next.set(thread, to, result));
            next.threads[thread].phase = Phase::Ready;
            next.threads[thread].frame().pc += 1;
            self.settle(&mut next, thread);
            steps.must.push(next);
        }
    }

    fn notify(&self, state: &State, thread: usize, condition: usize, all: bool, steps: &mut Steps) {
        let waits = |id: &usize| {
            let waits_here = matches!(
                self.statement(state, *id),
                Some(Statement::Wait { condition: other, .. }) if *other == condition
            );
            waits_here && state.threads[*id].phase == Phase::Waiting
        };
        let waiters: Vec<usize> = (0..state.threads.len()).filter(waits).collect();
        if (all || !waiters.is_empty()) && !state.is_drained(thread) {
            return;
        }
        let groups: Vec<&[usize]> = match (all, waiters.is_empty()) {
            (false, false) => waiters.chunks(1).collect(),
            _ => vec![&waiters],
        };
        for group in groups {
            self.advance(state, thread, steps, |next| {
                group.iter().for_each(|&id| next.threads[id].phase = Phase::Woken(0));
                Ok(())
            });
        }
    }

    fn meet(&self, state: &State, thread: usize, barrier: usize, steps: &mut Steps) {
        if !state.is_drained(thread) {
            return;
        }
        let mut next = state.clone();
        next.threads[thread].phase = Phase::Meeting;
        next.barriers[barrier].push(thread);
        next.barriers[barrier].sort_unstable();
        if next.barriers[barrier].len() < self.program.barriers[barrier] {
            return steps.must.push(next);
        }
        let met = std::mem::take(&mut next.barriers[barrier]);
        for &serial in &met {
            let mut next = next.clone();
            for &id in &met {
                if let Some(Statement::Barrier { to: Some(to), .. }) = self.statement(state, id) {
                    next.set(id, *to, (id == serial).into());
                }
                next.threads[id].phase = Phase::Ready;
                next.threads[id].frame().pc += 1;
                self.settle(&mut next, id);
            }
            steps.must.push(next);
        }
    }
}
