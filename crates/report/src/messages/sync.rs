//! Sentences on threads, and on what they synchronise by.

use super::Lookup;
use norn_action::{BadJoin, BadSync, Misuse, Stuck, SyncObject};

pub(super) fn sync(sync: BadSync, lookup: &Lookup<'_>) -> String {
    match sync {
        BadSync::Misused { object, address, how } => {
            format!("the {} {} {}", noun(object), lookup.object(address), misuse(how))
        }
        BadSync::NoAttributes { address, destroyed } => {
            let how = if destroyed { "destroyed before" } else { "never initialised" };
            format!("the attributes {} were {how}", lookup.object(address))
        }
        BadSync::DifferentMutexes(address) => {
            format!("threads wait for {} with different mutexes", lookup.object(address))
        }
        BadSync::NotHeld { thread, lock } => {
            let (thread, lock) = (lookup.thread(thread), lookup.object(lock));
            format!("{thread} unlocks {lock} but does not hold it")
        }
        BadSync::EndsHeld(thread) => {
            format!("a mutex of the C++ library ends while {} holds it", lookup.thread(thread))
        }
        BadSync::HolderEnds(thread) => {
            format!("{} ends while it holds a mutex of the C++ library", lookup.thread(thread))
        }
        BadSync::LockedAgain(thread) => {
            format!("{} tries to lock a mutex that it holds", lookup.thread(thread))
        }
        BadSync::NoKey(key) => {
            format!("{key:#x} is no key: none was made, or its number is not known yet")
        }
        BadSync::KeyDeleted => "the key of a thread-specific value was deleted before".to_owned(),
    }
}

fn noun(object: SyncObject) -> &'static str {
    match object {
        SyncObject::Mutex => "mutex",
        SyncObject::RwLock => "reader-writer lock",
        SyncObject::SpinLock => "spin lock",
        SyncObject::Condition => "condition variable",
        SyncObject::Semaphore => "semaphore",
        SyncObject::Barrier => "barrier",
    }
}

fn misuse(how: Misuse) -> &'static str {
    match how {
        Misuse::InitialisedInUse => "is initialised while it is in use",
        Misuse::DestroyedHeld => "is destroyed while it is held",
        Misuse::DestroyedAwaited => "is destroyed while threads wait for it",
        Misuse::Destroyed => "was destroyed before",
        Misuse::NeverInitialised => "was never initialised",
    }
}

pub(super) fn join(join: BadJoin, lookup: &Lookup<'_>) -> String {
    match join {
        BadJoin::NoHandle(handle) => format!("{handle:#x} names no thread"),
        BadJoin::NoThread(_) => "there is no such thread".to_owned(),
        BadJoin::Joined(thread) => format!("{} was joined before", lookup.thread(thread)),
        BadJoin::Gone(thread) => {
            format!("{} was joined or detached before", lookup.thread(thread))
        }
    }
}

/// What the thread does that waits for ever.
pub(super) fn waits(stuck: Stuck, lookup: &Lookup<'_>) -> String {
    let text = match stuck {
        Stuck::LonelyBarrier(address) => {
            let barrier = lookup.object(address);
            return format!("waits at the barrier {barrier}, which no other thread knows");
        }
        Stuck::LonelyLock(address) => {
            let lock = lookup.object(address);
            return format!("waits for {lock}, which no other thread can release");
        }
        Stuck::Threads => "waits for ever",
        Stuck::Spinning => "waits for a value that never comes",
        Stuck::OwnEnd => "waits for its own end",
        Stuck::LonelyValue => "waits for what no other thread can do",
    };
    text.to_owned()
}
