//! Calls of library functions that wait or wake.

use crate::tree::{Local, Patience, Statement};

/// The line of such a call.
pub(super) fn library_call(statement: &Statement) -> String {
    match statement {
        Statement::Lock { mutex, to } => {
            format!("{}pthread_mutex_lock(&m{mutex});", result(*to))
        }
        Statement::TryLock { mutex, to } => format!("r{to} = pthread_mutex_trylock(&m{mutex});"),
        Statement::TimedLock { mutex, to } => {
            format!("r{to} = pthread_mutex_timedlock(&m{mutex}, &soon);")
        }
        Statement::Unlock { mutex, to } => {
            format!("{}pthread_mutex_unlock(&m{mutex});", result(*to))
        }
        Statement::RwLock { lock, write, patience, to } => {
            let which = if *write { "wr" } else { "rd" };
            let (before, after) = patience_words(*patience, "", "timed", ", &soon");
            format!("{}pthread_rwlock_{before}{which}lock(&w{lock}{after});", result(*to))
        }
        Statement::RwUnlock(lock) => format!("pthread_rwlock_unlock(&w{lock});"),
        Statement::Wait { condition, mutex, timed: false, to } => {
            format!("{}pthread_cond_wait(&c{condition}, &m{mutex});", result(*to))
        }
        Statement::Wait { condition, mutex, timed: true, to } => {
            format!("{}pthread_cond_timedwait(&c{condition}, &m{mutex}, &soon);", result(*to))
        }
        Statement::WaitWhile { plain, value, condition, mutex } => {
            format!("while (p{plain} == {value}) pthread_cond_wait(&c{condition}, &m{mutex});")
        }
        Statement::Notify { condition, all: false } => {
            format!("pthread_cond_signal(&c{condition});")
        }
        Statement::Notify { condition, all: true } => {
            format!("pthread_cond_broadcast(&c{condition});")
        }
        Statement::SemWait { semaphore, patience, to } => {
            let (before, after) = patience_words(*patience, "", "timed", ", &soon");
            let compare = if to.is_some() { " == 0" } else { "" };
            format!("{}sem_{before}wait(&s{semaphore}{after}){compare};", result(*to))
        }
        Statement::SemPost(semaphore) => format!("sem_post(&s{semaphore});"),
        Statement::SemValue { semaphore, to } => format!("sem_getvalue(&s{semaphore}, &r{to});"),
        Statement::Barrier { barrier, to: Some(to) } => {
            let call = format!("pthread_barrier_wait(&e{barrier})");
            format!("r{to} = {call} == PTHREAD_BARRIER_SERIAL_THREAD;")
        }
        Statement::Barrier { barrier, to: None } => format!("pthread_barrier_wait(&e{barrier});"),
        other => unreachable!("{other:?} is printed elsewhere"),
    }
}

fn patience_words(
    patience: Patience,
    wait: &'static str,
    timed: &'static str,
    limit: &'static str,
) -> (&'static str, &'static str) {
    match patience {
        Patience::Wait => (wait, ""),
        Patience::Try => ("try", ""),
        Patience::Timed => (timed, limit),
    }
}

fn result(to: Option<Local>) -> String {
    to.map_or(String::new(), |to| format!("r{to} = "))
}
