//! Mutexes, reader-writer locks and semaphores.
//!
//! Error codes are those of Linux, since programs print them.

use super::buffers::write_now;
use super::state::{Cell, State, Value};
use super::{Fault, Interpreter, Steps};
use crate::tree::{Mode, Patience, Statement};

const EPERM: i32 = 1;
const EBUSY: i32 = 16;
const EDEADLK: i32 = 35;
pub(super) const ETIMEDOUT: i32 = 110;

fn failure(patience: Patience) -> i32 {
    if patience == Patience::Timed { ETIMEDOUT } else { EBUSY }
}

impl Interpreter<'_> {
    /// Statements about locks and semaphores; false if it is none.
    pub(super) fn lock_call(
        &self,
        state: &State,
        thread: usize,
        statement: &Statement,
        steps: &mut Steps,
    ) -> bool {
        match statement {
            Statement::Lock { mutex, to } => {
                self.lock(state, thread, *mutex, Patience::Wait, *to, steps);
            }
            Statement::TryLock { mutex, to } => {
                self.lock(state, thread, *mutex, Patience::Try, Some(*to), steps);
            }
            Statement::TimedLock { mutex, to } => {
                self.lock(state, thread, *mutex, Patience::Timed, Some(*to), steps);
            }
            Statement::AwaitLock(mutex) => self.await_lock(state, thread, *mutex, steps),
            Statement::Unlock { mutex, to } => self.advance(state, thread, steps, |next| {
                let code = self.unlock(next, thread, *mutex)?;
                to.iter().for_each(|&to| next.set(thread, to, code));
                Ok(())
            }),
            Statement::RwLock { lock, write, patience, to } => {
                self.rw_lock(state, thread, (*lock, *write), *patience, *to, steps);
            }
            Statement::RwUnlock(lock) => self.rw_unlock(state, thread, *lock, steps),
            Statement::SemWait { semaphore, patience, to } => {
                let free = state.semaphores[*semaphore] > 0;
                let may_fail = *patience != Patience::Wait && !free;
                if may_fail || (free && state.is_drained(thread)) {
                    self.advance(state, thread, steps, |next| {
                        next.semaphores[*semaphore] -= i32::from(free);
                        to.iter().for_each(|&to| next.set(thread, to, free.into()));
                        Ok(())
                    });
                }
            }
            Statement::SemPost(semaphore) => {
                if state.is_drained(thread) {
                    self.advance(state, thread, steps, |next| {
                        next.semaphores[*semaphore] += 1;
                        Ok(())
                    });
                }
            }
            Statement::SemValue { semaphore, to } => self.advance(state, thread, steps, |next| {
                next.set(thread, *to, state.semaphores[*semaphore]);
                Ok(())
            }),
            _ => return false,
        }
        true
    }

    fn lock(
        &self,
        state: &State,
        thread: usize,
        mutex: usize,
        patience: Patience,
        to: Option<usize>,
        steps: &mut Steps,
    ) {
        let Some((code, takes)) = self.try_lock(state, thread, mutex, patience) else { return };
        self.advance(state, thread, steps, |next| {
            to.iter().for_each(|&to| next.set(thread, to, code));
            if takes { self.take(next, thread, mutex) } else { Ok(()) }
        });
    }

    /// What a lock returns now and whether the mutex is taken; none if it has to wait.
    fn try_lock(
        &self,
        state: &State,
        thread: usize,
        mutex: usize,
        patience: Patience,
    ) -> Option<(i32, bool)> {
        let kind = self.program.mutexes[mutex];
        if state.threads[thread].held[mutex] > 0 {
            return match patience {
                _ if kind.is_recursive() => Some((0, true)),
                Patience::Wait | Patience::Timed if kind.is_checked() => Some((EDEADLK, false)),
                Patience::Wait => None,
                _ => Some((failure(patience), false)),
            };
        }
        let owner = self.read(state, thread, Cell::Mutex(mutex)).ok()?.int();
        match (owner, patience) {
            (0, _) => state.is_drained(thread).then_some((0, true)),
            (_, Patience::Wait) => None,
            _ => Some((failure(patience), false)),
        }
    }

    /// The mutex becomes the thread's, once more if it is already.
    fn take(&self, next: &mut State, thread: usize, mutex: usize) -> Result<(), Fault> {
        next.threads[thread].held[mutex] += 1;
        if next.threads[thread].held[mutex] > 1 {
            return Ok(());
        }
        write_now(next, Cell::Mutex(mutex), Value::Int(thread as i32 + 1))
    }

    fn await_lock(&self, state: &State, thread: usize, mutex: usize, steps: &mut Steps) {
        if let Some((_, true)) = self.try_lock(state, thread, mutex, Patience::Try) {
            self.advance(state, thread, steps, |next| self.take(next, thread, mutex));
        }
    }

    /// Gives a mutex back; an error code.
    pub(super) fn unlock(
        &self,
        next: &mut State,
        thread: usize,
        mutex: usize,
    ) -> Result<i32, Fault> {
        let kind = self.program.mutexes[mutex];
        match &mut next.threads[thread].held[mutex] {
            0 if kind.is_checked() || kind.is_recursive() => return Ok(EPERM),
            0 => return Err("unlock_not_held"),
            depth => *depth -= 1,
        }
        if next.threads[thread].held[mutex] == 0 {
            self.write(next, thread, Cell::Mutex(mutex), Value::Int(0), Mode::Release)?;
        }
        Ok(0)
    }

    /// Takes a mutex again after a wait; false if it has to wait.
    pub(super) fn lock_again(&self, next: &mut State, thread: usize, mutex: usize) -> bool {
        let Some((_, takes)) = self.try_lock(next, thread, mutex, Patience::Wait) else {
            return false;
        };
        !takes || self.take(next, thread, mutex).is_ok()
    }

    fn rw_lock(
        &self,
        state: &State,
        thread: usize,
        (lock, write): (usize, bool),
        patience: Patience,
        to: Option<usize>,
        steps: &mut Steps,
    ) {
        let cell = Cell::RwLock(lock);
        let (writes, _) = state.threads[thread].rw_held[lock];
        let seen = self.read(state, thread, cell).expect("a lock is always alive").int();
        let free = if write { seen == 0 } else { seen >= 0 };
        let code = match patience {
            Patience::Wait | Patience::Timed if writes => EDEADLK,
            _ if free && state.is_drained(thread) => 0,
            Patience::Wait => return,
            _ if free => return,
            _ => failure(patience),
        };
        self.advance(state, thread, steps, |next| {
            to.iter().for_each(|&to| next.set(thread, to, code));
            if code != 0 {
                return Ok(());
            }
            let held = &mut next.threads[thread].rw_held[lock];
            *held = if write { (true, held.1) } else { (held.0, held.1 + 1) };
            write_now(next, cell, Value::Int(if write { -1 } else { seen + 1 }))
        });
    }

    fn rw_unlock(&self, state: &State, thread: usize, lock: usize, steps: &mut Steps) {
        let cell = Cell::RwLock(lock);
        let held = state.threads[thread].rw_held[lock];
        // A reader's leaving is a read-modify-write, a writer's a store.
        if !held.0 && held.1 > 0 && !state.is_drained(thread) {
            return;
        }
        self.advance(state, thread, steps, |next| match held {
            (true, reads) => {
                next.threads[thread].rw_held[lock] = (false, reads);
                self.write(next, thread, cell, Value::Int(0), Mode::Release)
            }
            (false, 0) => Err("unlock_not_held"),
            (false, reads) => {
                next.threads[thread].rw_held[lock] = (false, reads - 1);
                let readers = state.number(cell);
                write_now(next, cell, Value::Int(readers - 1))
            }
        });
    }
}
