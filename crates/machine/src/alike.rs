//! Which threads are alike: started by the same thread, with the same function and argument, in a program in which
//! nothing tells such threads apart but what they read, write and wait for.
//!
//! What is not known to keep that, does not. A thread has memory of its own, at addresses of its own; so addresses must not
//! become numbers or be compared for order ([`norn_program::Program::addresses_are_numbers`]). And the functions of
//! the runtime that a program calls must not say which thread it is ([`KEEPS_ALIKE`]): an id, a place in line at a barrier, a
//! random number.

use crate::Vm;
use crate::config::Config;
use crate::runtime::NativeFn;
use crate::thread::Thread;
use norn_action::Lesson;
use norn_program::Program;

/// Functions after whose results a thread knows no more of which one it is. With `*`, all that begin so.
const KEEPS_ALIKE: &[&str] = &[
    "pthread_create",
    "pthread_join",
    "pthread_exit",
    "pthread_mutex_*",
    "pthread_mutexattr_*",
    "pthread_rwlock_*",
    "pthread_rwlockattr_*",
    "pthread_spin_*",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_yield",
    "sched_yield",
    "sem_*",
    "thrd_create",
    "thrd_join",
    "thrd_exit",
    "thrd_yield",
    "mtx_*",
    "malloc",
    "calloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fputs",
    "fflush",
    "abort",
    "exit",
    "__assert_fail",
    "norn_assume",
    "norn_choose",
    "__VERIFIER_*",
    "reach_error",
];

/// Whether threads of this program may be alike.
pub(crate) fn has_alike(program: &Program, config: &Config) -> bool {
    let keeps = |name: &str| {
        KEEPS_ALIKE.iter().any(|known| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *known,
        })
    };
    config.symmetry
        && !config.lessons.contains(&Lesson::ToldApart)
        && !program.addresses_are_numbers
        && program.operations.is_empty()
        && program.externals.iter().all(|external| keeps(&external.name))
}

impl Vm {
    /// The latest thread that `parent` started before and that is like the one it is about to start, by its index.
    pub(crate) fn like(&self, parent: &mut Thread, root: NativeFn, args: [u64; 2]) -> Option<u32> {
        if !self.has_alike {
            return None;
        }
        let spawns = &mut parent.rest_mut().spawns;
        let is_like = |&(other, arguments): &(NativeFn, [u64; 2])| {
            std::ptr::fn_addr_eq(other, root) && arguments == args
        };
        let like = spawns.iter().rposition(is_like);
        spawns.push((root, args));
        like.map(|index| index as u32)
    }
}
