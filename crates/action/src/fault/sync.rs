//! What can be wrong with threads, and with what they synchronise by.

use super::FaultKind;
use crate::{Address, ThreadId};
use serde::{Deserialize, Serialize};

/// What threads synchronise by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SyncObject {
    /// A mutex.
    Mutex,
    /// A lock of many readers or one writer.
    RwLock,
    /// A spin lock.
    SpinLock,
    /// A condition variable.
    Condition,
    /// A semaphore.
    Semaphore,
    /// A barrier.
    Barrier,
}

/// What the cell of such an object says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncState {
    /// It was destroyed.
    Destroyed,
    /// It must be initialised and was not.
    NeverInitialised,
    /// Nobody holds it.
    Free,
    /// This thread holds it.
    Held(ThreadId),
    /// A writer holds it.
    Writer,
    /// That many readers hold it.
    Readers(u64),
    /// The count of a semaphore.
    Count(u64),
    /// That many threads meet at the barrier.
    Meets(u64),
}

/// What is done to an object that it is not in the state for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misuse {
    /// It is initialised while it is in use.
    InitialisedInUse,
    /// It is destroyed while somebody holds it.
    DestroyedHeld,
    /// It is destroyed while somebody waits for it.
    DestroyedAwaited,
    /// It is used after it was destroyed.
    Destroyed,
    /// It is used and was never initialised.
    NeverInitialised,
}

/// A wrong use of a mutex, a barrier, a key and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadSync {
    /// An object is not in the state for what is done to it.
    Misused {
        /// What the object is.
        object: SyncObject,
        /// Where it is.
        address: Address,
        /// What is done.
        how: Misuse,
    },
    /// The attributes of a thread are used without being initialised.
    NoAttributes {
        /// Where they are.
        address: Address,
        /// Whether they were, and then destroyed.
        destroyed: bool,
    },
    /// Threads wait for this condition variable with different mutexes.
    DifferentMutexes(Address),
    /// A lock is given back by a thread that does not hold it.
    NotHeld {
        /// Who.
        thread: ThreadId,
        /// The lock.
        lock: Address,
    },
    /// A mutex of the C++ library ends while this thread holds it.
    EndsHeld(ThreadId),
    /// This thread ends while it holds a mutex of the C++ library.
    HolderEnds(ThreadId),
    /// This thread tries to lock a mutex of the C++ library that it holds.
    LockedAgain(ThreadId),
    /// A number that is no key of thread-specific values.
    NoKey(u32),
    /// A key of thread-specific values that was deleted before.
    KeyDeleted,
}

impl BadSync {
    pub(super) fn address(self) -> Option<Address> {
        match self {
            BadSync::Misused { address, .. }
            | BadSync::NoAttributes { address, .. }
            | BadSync::DifferentMutexes(address)
            | BadSync::NotHeld { lock: address, .. } => Some(address),
            BadSync::EndsHeld(_)
            | BadSync::HolderEnds(_)
            | BadSync::LockedAgain(_)
            | BadSync::NoKey(_)
            | BadSync::KeyDeleted => None,
        }
    }

    pub(super) fn kind(self) -> FaultKind {
        match self {
            BadSync::NotHeld { .. } => FaultKind::UnlockNotHeld,
            BadSync::Misused { .. }
            | BadSync::NoAttributes { .. }
            | BadSync::DifferentMutexes(_)
            | BadSync::EndsHeld(_)
            | BadSync::HolderEnds(_)
            | BadSync::LockedAgain(_)
            | BadSync::NoKey(_)
            | BadSync::KeyDeleted => FaultKind::InvalidSync,
        }
    }
}

/// A join or a detach of what is no thread, or none that can be joined any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadJoin {
    /// A handle that no thread has.
    NoHandle(u64),
    /// The handle of a thread that was never started.
    NoThread(ThreadId),
    /// The thread was joined before.
    Joined(ThreadId),
    /// The thread was joined or detached before.
    Gone(ThreadId),
}

/// Somebody waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stuck {
    /// Threads wait for each other, or for what nobody does.
    Threads,
    /// All who wait look at values again and again that do not change any more.
    Spinning,
    /// A thread waits for its own end.
    OwnEnd,
    /// A thread waits at a barrier that no other thread knows.
    LonelyBarrier(Address),
    /// A thread waits for another value of what no other thread knows.
    LonelyValue,
    /// A thread waits for a lock or a semaphore that no other thread knows.
    LonelyLock(Address),
}

impl Stuck {
    pub(super) fn address(self) -> Option<Address> {
        match self {
            Stuck::LonelyBarrier(address) | Stuck::LonelyLock(address) => Some(address),
            Stuck::Threads | Stuck::Spinning | Stuck::OwnEnd | Stuck::LonelyValue => None,
        }
    }

    pub(super) fn kind(self) -> FaultKind {
        match self {
            Stuck::Spinning => FaultKind::Livelock,
            Stuck::Threads
            | Stuck::OwnEnd
            | Stuck::LonelyBarrier(_)
            | Stuck::LonelyValue
            | Stuck::LonelyLock(_) => FaultKind::Deadlock,
        }
    }
}
