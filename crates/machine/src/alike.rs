//! Which threads are alike: started by the same thread, with the same function and argument (or any, if the function does not
//! look at it), in a program in which nothing tells such threads apart but what they read, write and wait for.
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

/// Whether this function of the runtime starts a thread.
pub fn starts_threads(name: &str) -> bool {
    matches!(name, "pthread_create" | "thrd_create") || name.contains("_M_start_thread")
}

/// What may tell threads apart that are started alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Telltale {
    /// Addresses become numbers or are compared for order somewhere.
    Addresses,
    /// Functions are taken from a specification of a library.
    Library,
    /// This function of the runtime is called, of which it is not known that it does not.
    Call(String),
}

/// What may tell threads of this program apart that are started alike; nothing if they are taken for each other.
pub fn telltales(program: &Program) -> Vec<Telltale> {
    let keeps = |name: &str| {
        KEEPS_ALIKE.iter().any(|known| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *known,
        })
    };
    let addresses = program.addresses_are_numbers.then_some(Telltale::Addresses);
    let library = (!program.operations.is_empty()).then_some(Telltale::Library);
    let calls = program.externals.iter().filter(|external| !keeps(&external.name));
    let calls = calls.map(|external| Telltale::Call(external.name.clone()));
    addresses.into_iter().chain(library).chain(calls).collect()
}

/// Whether threads of this program may be alike.
pub(crate) fn has_alike(program: &Program, config: &Config) -> bool {
    config.symmetry && !config.lessons.contains(&Lesson::ToldApart) && telltales(program).is_empty()
}

impl Vm {
    /// The latest thread that `parent` started before and that is like the one it is about to start, by its index.
    pub(crate) fn like(&self, parent: &mut Thread, root: NativeFn, args: [u64; 2]) -> Option<u32> {
        if !self.has_alike {
            return None;
        }
        let ignores = |function| self.program.ignoring.binary_search(&function).is_ok();
        let [function, argument] = args;
        let is_ignored = self.program.function_at(function).is_some_and(ignores);
        let args = [function, if is_ignored { 0 } else { argument }];
        let spawns = &mut parent.rest_mut().spawns;
        let is_like = |&(other, arguments): &(NativeFn, [u64; 2])| {
            std::ptr::fn_addr_eq(other, root) && arguments == args
        };
        let like = spawns.iter().rposition(is_like);
        spawns.push((root, args));
        like.map(|index| index as u32)
    }
}
