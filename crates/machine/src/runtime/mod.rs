//! The runtime: functions that programs call and that have no body.
//!
//! Each is a Rust function over [`Cx`], listed with a one-line summary in its file's `FUNCTIONS`
//! table. What it does to the world goes through steps of `Cx`; see [`crate::thread`] for how a
//! function that stops half-way is run again. So the code between steps must be a pure function of
//! the arguments and the results of earlier steps.

mod alloc;
mod atomics;
mod barrier;
mod c11;
mod condition;
mod context;
mod ctype;
mod cxx;
mod exceptions;
mod format;
mod futex;
mod heap;
mod keys;
mod library;
mod math;
mod memory;
pub(crate) mod mutex;
mod once;
mod process;
mod rwlock;
mod scan;
mod semaphore;
mod sort;
mod spinlock;
mod stdio;
mod stdlib;
mod string;
mod system;
mod threads;
mod time;
mod verifier;

pub(crate) use barrier::asks_for_serial;
pub(crate) use context::{Cx, UNDEFINED_BYTES};
pub(crate) use futex::{FUTEXES_SIZE, WAITERS_SIZE, requeues};
pub(crate) use keys::{KEYS_SIZE, deletes_keys, makes_keys};
pub(crate) use library::operate;
pub(crate) use memory::{copy_memory, move_memory, set_memory};
pub(crate) use mutex::{locks_library, tells_held};
pub(crate) use process::{Exits, HANDLERS_SIZE, main_thread};
pub(crate) use stdio::stream_handle;
pub(crate) use system::SYSCALL;
pub(crate) use threads::{detaches, no_thread};

use crate::Vm;
use crate::thread::{Stop, Thread};
use norn_action::{Obstacle, SyncObject, SyncState};
use std::sync::LazyLock;

/// A runtime function. Its result is up to two cells.
pub(crate) type NativeFn = fn(&mut Cx<'_>) -> Result<u128, Stop>;

/// A line of a `FUNCTIONS` table: name, summary, function.
pub(crate) type Entry = (&'static str, &'static str, NativeFn);

/// Which functions of a table access no memory that they are given, and none of the program's.
enum Apart {
    None,
    These(&'static [&'static str]),
    All,
}

const TABLES: &[(&[Entry], Apart)] = &[
    (alloc::FUNCTIONS, Apart::These(alloc::APART)),
    (atomics::FUNCTIONS, Apart::These(atomics::APART)),
    (barrier::FUNCTIONS, Apart::These(barrier::APART)),
    (c11::FUNCTIONS, Apart::These(c11::APART)),
    (condition::FUNCTIONS, Apart::These(condition::APART)),
    (ctype::FUNCTIONS, Apart::All),
    (cxx::FUNCTIONS, Apart::These(cxx::APART)),
    (exceptions::FUNCTIONS, Apart::These(exceptions::APART)),
    (exceptions::POINTERS, Apart::None),
    (keys::FUNCTIONS, Apart::These(keys::APART)),
    (math::FUNCTIONS, Apart::All),
    (math::SPLITTING, Apart::None),
    (memory::FUNCTIONS, Apart::None),
    (mutex::FUNCTIONS, Apart::These(mutex::APART)),
    (once::FUNCTIONS, Apart::None),
    (process::FUNCTIONS, Apart::These(process::APART)),
    (rwlock::FUNCTIONS, Apart::These(rwlock::APART)),
    (scan::FUNCTIONS, Apart::None),
    (semaphore::FUNCTIONS, Apart::None),
    (sort::FUNCTIONS, Apart::None),
    (spinlock::FUNCTIONS, Apart::None),
    (stdio::FUNCTIONS, Apart::These(stdio::APART)),
    (stdlib::FUNCTIONS, Apart::These(stdlib::APART)),
    (string::FUNCTIONS, Apart::These(string::APART)),
    (system::FUNCTIONS, Apart::These(system::APART)),
    (threads::FUNCTIONS, Apart::These(threads::APART)),
    (time::FUNCTIONS, Apart::These(time::APART)),
    (verifier::FUNCTIONS, Apart::All),
];

/// The name of a function that is an event and nothing else. It is none that a program can write down: whoever asks
/// where threads are puts calls of it into the bytecode.
pub const MARK: &str = "norn.mark";

/// The runtime function of this name.
pub(crate) fn find(name: &str) -> Option<NativeFn> {
    if name == MARK {
        return Some(verifier::mark);
    }
    entries().find(|entry| entry.0 == name).map(|entry| entry.2)
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    let tables = TABLES.iter().map(|(table, _)| *table).chain(exceptions::STANDARD.iter().copied());
    tables.flatten()
}

/// Whether a call of the runtime function of this name may access memory of the program. Of one that is not known nobody
/// can say that it does not.
pub fn may_access(name: &str) -> bool {
    let table = TABLES.iter().find(|(table, _)| table.iter().any(|entry| entry.0 == name));
    match table {
        None => name != MARK && !exceptions::is_apart(name),
        Some((_, Apart::None)) => true,
        Some((_, Apart::These(apart))) => !apart.contains(&name),
        Some((_, Apart::All)) => false,
    }
}

/// The functions that programs may call without defining them, by name, each with a summary.
pub fn runtime_functions() -> &'static [(&'static str, &'static str)] {
    static LIST: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        // Those of Norn itself cannot be called by name.
        let callable = entries().filter(|entry| !entry.0.starts_with("norn."));
        let mut list: Vec<_> = callable.map(|entry| (entry.0, entry.1)).collect();
        list.sort_unstable();
        list
    });
    &LIST
}

/// What the cell of an object says in words that do not depend on how it is kept; that of a condition
/// variable is a set of threads and says it by itself.
pub fn sync_state(object: SyncObject, cell: u64) -> Option<SyncState> {
    match object {
        SyncObject::Mutex => Some(mutex::state(cell)),
        SyncObject::RwLock => Some(rwlock::state(cell)),
        SyncObject::SpinLock => Some(spinlock::state(cell)),
        SyncObject::Semaphore => Some(semaphore::state(cell)),
        SyncObject::Barrier => Some(barrier::state(cell)),
        SyncObject::Condition => None,
    }
}

/// Runs a runtime function from its start.
pub(crate) fn enter(
    vm: &Vm,
    t: &mut Thread,
    function: NativeFn,
    args: &[u64],
) -> Result<u128, Stop> {
    function(&mut Cx::new(vm, t, args))
}

/// A function without a body that is not in the tables was reached.
pub(crate) fn unknown(t: &Thread, name: &str) -> Stop {
    t.unsupported(Obstacle::UnknownFunction(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_listed_once_with_a_summary() {
        let list = runtime_functions();
        assert!(list.windows(2).all(|pair| pair[0].0 < pair[1].0), "a name is there twice");
        assert!(list.iter().all(|(_, summary)| !summary.is_empty()));
        for (name, _) in list {
            assert!(find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn only_functions_of_the_table_are_apart() {
        for (table, apart) in TABLES {
            let Apart::These(apart) = apart else { continue };
            for name in *apart {
                assert!(table.iter().any(|entry| entry.0 == *name), "{name}");
            }
        }
    }
}
