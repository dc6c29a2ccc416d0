//! Reader-writer locks.
//!
//! One 8-byte cell: the low 31 bits count readers, bit 31 is set while a writer holds it, bit 61 while
//! it is initialised by a call, bit 62 once it was destroyed. Readers come in while there is no writer; a
//! writer while there is nobody. The thread remembers what it holds.
//!
//! POSIX leaves open whether a reader has to wait for writers that wait; it does not here, as with glibc
//! unless a lock is told to prefer writers. So a thread may come in as a reader twice.
//!
//! A reader that leaves orders nothing for readers that come later, only for the next writer. So it
//! leaves by a relaxed read-modify-write, and the roles of the accesses tell the model the rest.

use super::context::{int, test};
use super::mutex::{self, DESTROYED, LIVE, Patience, check_alive};
use super::{Cx, Entry, threads, time};
use crate::access::Target;
use crate::thread::{Held, Stop};
use norn_action::{Compare, Misuse, Mode, Obstacle, RmwOp, Role, SyncObject, SyncState, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_rwlock_init", "makes a reader-writer lock", init),
    ("pthread_rwlock_destroy", "ends a reader-writer lock; its use afterwards is a fault", destroy),
    ("pthread_rwlock_rdlock", "waits until there is no writer and enters as a reader", read_lock),
    ("pthread_rwlock_tryrdlock", "enters as a reader if there is no writer", try_read_lock),
    ("pthread_rwlock_timedrdlock", "enters as a reader, or times out", timed_read_lock),
    ("pthread_rwlock_clockrdlock", "enters as a reader, or times out", clock_read_lock),
    ("pthread_rwlock_wrlock", "waits until nobody is in and enters as the writer", write_lock),
    ("pthread_rwlock_trywrlock", "enters as the writer if nobody is in", try_write_lock),
    ("pthread_rwlock_timedwrlock", "enters as the writer, or times out", timed_write_lock),
    ("pthread_rwlock_clockwrlock", "enters as the writer, or times out", clock_write_lock),
    ("pthread_rwlock_unlock", "leaves", unlock),
    ("pthread_rwlockattr_init", "accepted; has no effect", threads::nothing),
    ("pthread_rwlockattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_rwlockattr_setkind_np", "readers must be preferred, as is usual", set_kind),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] =
    &["pthread_rwlockattr_destroy", "pthread_rwlockattr_init", "pthread_rwlockattr_setkind_np"];

const WRITER: u64 = 1 << 31;
const STATE: u64 = 0xffff_ffff;
const EDEADLK: i32 = 35;

/// Where the C library keeps the kind of a lock that is initialised statically.
const STATIC_KIND: u64 = 48;
/// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; the kind below it is treated like the usual one by the C
/// library too.
const WRITERS_FIRST: u64 = 2;

/// What a cell says.
pub(crate) fn state(cell: u64) -> SyncState {
    match cell & STATE {
        _ if cell & DESTROYED != 0 => SyncState::Destroyed,
        0 => SyncState::Free,
        WRITER.. => SyncState::Writer,
        readers => SyncState::Readers(readers),
    }
}

fn set_kind(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    match cx.arg(1) & 0xffff_ffff {
        0 | 1 => int(0),
        WRITERS_FIRST => Err(writers_first(cx)),
        _ => int(time::EINVAL),
    }
}

fn writers_first(cx: &Cx<'_>) -> Stop {
    cx.unsupported(Obstacle::WritersFirst)
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    mutex::make(cx, address, 0, STATE, SyncObject::RwLock)?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_alive(cx, address, value, SyncObject::RwLock)?;
    if value & STATE != 0 {
        return Err(cx.misused(SyncObject::RwLock, address, Misuse::DestroyedHeld));
    }
    mutex::end(cx, address, 8, DESTROYED)?;
    int(0)
}

fn enter_until(cx: &mut Cx<'_>, write: bool, limit: u64) -> Result<u128, Stop> {
    int(time::limited(cx, limit, |cx| attempt(cx, write, Patience::Timeout))?)
}

fn enter(cx: &mut Cx<'_>, write: bool, patience: Patience) -> Result<u128, Stop> {
    int(attempt(cx, write, patience)?)
}

/// Enters, or tries to; an error code.
fn attempt(cx: &mut Cx<'_>, write: bool, patience: Patience) -> Result<i32, Stop> {
    let address = cx.arg(0);
    if patience == Patience::Wait && mutex::holds(cx, address, Held::WRITE)? {
        return Ok(EDEADLK);
    }
    let (op, operand, condition, kind, role) = if write {
        (RmwOp::Or, WRITER, test(STATE, Compare::Eq, 0), Held::WRITE, Role::WriteLock)
    } else {
        (RmwOp::Add, 1, test(STATE, Compare::Ult, WRITER), Held::READ, Role::ReadLock)
    };
    let target = Target::new(address, 8, Mode::Acquire).of(role);
    let wait = patience.wait(Wait::RwLock);
    let cell = Target::new(address, 8, Mode::Relaxed);
    if patience == Patience::Weak && cx.fails_for_no_reason(cell, condition)? {
        return Ok(patience.failure());
    }
    let (old, entered) = cx.update(target, op, operand, Some(condition), wait)?;
    check_alive(cx, address, old, SyncObject::RwLock)?;
    if old & LIVE == 0 && mutex::static_kind(cx, address, STATIC_KIND)? == WRITERS_FIRST as u8 {
        return Err(writers_first(cx));
    }
    if !entered {
        return Ok(patience.failure());
    }
    mutex::hold(cx, address, kind, old & LIVE != 0)?;
    Ok(0)
}

fn read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, false, Patience::Wait)
}

fn try_read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let patience = mutex::attempt(cx);
    enter(cx, false, patience)
}

fn timed_read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter_until(cx, false, cx.arg(1))
}

fn write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, true, Patience::Wait)
}

fn try_write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let patience = mutex::attempt(cx);
    enter(cx, true, patience)
}

fn clock_read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter_until(cx, false, cx.arg(2))
}

fn clock_write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter_until(cx, true, cx.arg(2))
}

fn timed_write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter_until(cx, true, cx.arg(1))
}

fn unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    if let Some(live) = mutex::unhold(cx, address, Held::WRITE)? {
        let target = Target::new(address, 8, Mode::Release).of(Role::WriteUnlock);
        cx.put(target, if live { LIVE } else { 0 })?;
        return int(0);
    }
    if mutex::unhold(cx, address, Held::READ)?.is_some() {
        let target = Target::new(address, 8, Mode::Relaxed).of(Role::ReadUnlock);
        cx.update(target, RmwOp::Sub, 1, None, None)?;
        return int(0);
    }
    Err(mutex::not_held(cx, address))
}
