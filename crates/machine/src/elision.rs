//! Locks that are left out: a critical section whose accesses are ordered anyway with all that conflicts with them need not
//! take its lock, and its order among the others need not be explored.
//!
//! A thread that leaves a lock out reads a word of the mutex that only making and ending it writes, once where it would take the
//! lock and once where it would give it back. So the mutex must be alive, and whoever ends it must come before or after. Nothing
//! else of the section changes.
//!
//! *What is searched is more than what can happen.* An execution of the program is one without these locks, too: what is
//! taken away from it orders something, or keeps somebody from moving. It cannot be a thread that would wait for the lock for
//! ever: what a holder does is never to wait and never to end ([`shows`]), so it always gives the lock back; a
//! lock whose holders may is always taken ([`Lesson::LockMatters`]). Nor
//! somebody who asks whether the lock is free, or gives it back to wait: programs that do ([`asks`]) take all their locks.
//! So if nothing is found, there is nothing.
//!
//! *What is found may be wrong.* Where a fault is found in a graph in which a lock was left out, or accesses of such a section
//! are unordered with others, the search begins again: sections that begin at that site take their locks
//! ([`Lesson::SectionMatters`]), or all do ([`Lesson::LocksMatter`]). Who looks is `explore/src/execution/locks.rs`.
//!
//! A *site* is the chain of calls that leads to the lock, so that it means the same in all threads and executions.

use crate::config::Config;
use crate::runtime::{self, mutex};
use crate::thread::{Held, Thread};
use crate::vm::Vm;
use norn_action::{Action, Lesson, Rmw};
use norn_program::Program;
use norn_program::layout::{self, region_thread};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Functions that wait for a mutex and take it.
const TAKES: &[&str] = &["pthread_mutex_lock", "mtx_lock"];

/// Whether a function can tell whether somebody holds a mutex, or gives one back to wait.
fn asks(name: &str) -> bool {
    runtime::tells_held(name)
        || name.starts_with("pthread_cond_")
        || name.starts_with("cnd_")
        || name.contains("condition_variable")
        || name.starts_with("__VERIFIER_atomic")
}

/// The functions that this program calls and because of which it takes all its locks; none if it has no locks.
pub fn lock_askers(program: &Program) -> Option<Vec<&str>> {
    let names = program.externals.iter().map(|external| external.name.as_str());
    let has_locks = names.clone().any(|name| TAKES.contains(&name));
    has_locks.then(|| names.filter(|name| asks(name)).collect())
}

/// Whether threads of this program may leave out locks.
pub(crate) fn leaves_out_locks(program: &Program, config: &Config) -> bool {
    config.lock_reduction
        && config.detect_spin
        && !config.lessons.contains(&Lesson::LocksMatter)
        && lock_askers(program).is_some_and(|askers| askers.is_empty())
}

/// Whether somebody can tell, by this action, whether the thread holds a lock meanwhile: it waits, or ends, or others begin.
fn shows(action: &Action) -> bool {
    !matches!(
        action,
        Action::Load(_, None)
            | Action::Store(..)
            | Action::Rmw(Rmw { wait: None, .. })
            | Action::Fence(..)
            | Action::Choose { .. }
            | Action::Publish(..)
            | Action::Free { .. }
            | Action::Measure { .. }
            | Action::Interrupted
            | Action::Unsupported(_)
    )
}

/// What a lock is called in all executions: those of objects that threads allocate are one.
pub(crate) fn name_of(lock: u64) -> u64 {
    if region_thread(lock).is_some() { 0 } else { lock }
}

impl Vm {
    /// The site of the lock that the thread is about to take, if it is to be left out.
    pub(crate) fn leaves_out_here(&self, t: &Thread, lock: u64) -> Option<u64> {
        let has_to = |lesson: Lesson| self.config.lessons.contains(&lesson);
        // Whoever may be found to wait here has to.
        if has_to(Lesson::LockMatters(name_of(lock))) || self.may_not_wait(t).is_some() {
            return None;
        }
        let mut hasher = FxHasher::default();
        t.frames.iter().filter(|frame| !frame.native).for_each(|frame| hasher.write_u32(frame.pc));
        let site = hasher.finish();
        (!has_to(Lesson::SectionMatters(site))).then_some(site)
    }

    /// The action that the thread takes next, or that it must not take in the sections that it is in.
    #[inline]
    pub(crate) fn in_sections(&self, t: &Thread, action: Action) -> Action {
        match self.leaves_out_locks && !t.held.is_empty() {
            true => self.unless_it_shows(t, action),
            false => action,
        }
    }

    #[cold]
    fn unless_it_shows(&self, t: &Thread, action: Action) -> Action {
        match self.may_not_wait(t) {
            Some(lock) if shows(&action) => Action::LockMatters(lock),
            _ => action,
        }
    }

    /// A lock that the thread holds and whose holders are thought never to wait.
    pub(crate) fn may_not_wait(&self, t: &Thread) -> Option<u64> {
        let is_known = |&lock: &u64| self.config.lessons.contains(&Lesson::LockMatters(lock));
        let locks = t.held.iter().filter(|held| held.is_mutex()).map(|held| name_of(held.address));
        locks.into_iter().find(|lock| !is_known(lock))
    }
}

impl Thread {
    /// The site of the lock that it left out to take and that it would hold.
    pub(crate) fn left_out(&self) -> Option<u64> {
        self.held.iter().find_map(|held| held.left_out)
    }
}

impl Held {
    /// Whether it is a mutex of the program.
    fn is_mutex(&self) -> bool {
        self.kind <= mutex::LAST_KIND as u8 && self.address >= layout::GLOBALS
    }
}
