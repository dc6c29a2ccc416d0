//! Reader-writer locks.
//!
//! One 8-byte cell: the low 31 bits count readers, bit 31 is set while a writer holds it, bit 62
//! once it was destroyed. Readers come in while there is no writer; a writer while there is nobody.
//! Neither is preferred. The thread remembers what it holds.

use super::context::{int, test};
use super::mutex::{self, DESTROYED, Patience, check_alive};
use super::{Cx, Entry, threads};
use crate::access::Target;
use crate::thread::{Held, Stop};
use norn_action::{Compare, FaultKind, Mode, RmwOp, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_rwlock_init", "makes a reader-writer lock", init),
    ("pthread_rwlock_destroy", "ends a reader-writer lock; its use afterwards is a fault", destroy),
    ("pthread_rwlock_rdlock", "waits until there is no writer and enters as a reader", read_lock),
    ("pthread_rwlock_tryrdlock", "enters as a reader if there is no writer", try_read_lock),
    ("pthread_rwlock_timedrdlock", "enters as a reader, or times out", timed_read_lock),
    ("pthread_rwlock_wrlock", "waits until nobody is in and enters as the writer", write_lock),
    ("pthread_rwlock_trywrlock", "enters as the writer if nobody is in", try_write_lock),
    ("pthread_rwlock_timedwrlock", "enters as the writer, or times out", timed_write_lock),
    ("pthread_rwlock_unlock", "leaves", unlock),
    ("pthread_rwlockattr_init", "accepted; has no effect", threads::nothing),
    ("pthread_rwlockattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_rwlockattr_setkind_np", "accepted; has no effect", threads::nothing),
];

const WRITER: u64 = 1 << 31;
const STATE: u64 = 0xffff_ffff;
const EDEADLK: i32 = 35;

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.store(address, 8, Mode::Plain, 0)?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_alive(cx, address, value, "reader-writer lock")?;
    if value & STATE != 0 {
        let text = format!("{} is destroyed while it is held", cx.name(address));
        return Err(cx.fault(FaultKind::InvalidSync, text));
    }
    cx.store(address, 8, Mode::Plain, DESTROYED)?;
    int(0)
}

fn enter(cx: &mut Cx<'_>, write: bool, patience: Patience) -> Result<u128, Stop> {
    let address = cx.arg(0);
    if patience == Patience::Wait && mutex::holds(cx, address, Held::WRITE)? {
        return int(EDEADLK);
    }
    let (op, operand, condition, kind) = if write {
        (RmwOp::Or, WRITER, test(STATE, Compare::Eq, 0), Held::WRITE)
    } else {
        (RmwOp::Add, 1, test(STATE, Compare::Ult, WRITER), Held::READ)
    };
    let target = Target::new(address, 8, Mode::Acquire);
    let wait = patience.wait(Wait::RwLock);
    let (old, entered) = cx.update(target, op, operand, Some(condition), wait)?;
    check_alive(cx, address, old, "reader-writer lock")?;
    if !entered {
        return int(patience.failure());
    }
    mutex::hold(cx, address, kind)?;
    int(0)
}

fn read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, false, Patience::Wait)
}

fn try_read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, false, Patience::Try)
}

fn timed_read_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, false, Patience::Timeout)
}

fn write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, true, Patience::Wait)
}

fn try_write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, true, Patience::Try)
}

fn timed_write_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    enter(cx, true, Patience::Timeout)
}

fn unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    if mutex::unhold(cx, address, Held::WRITE)? > 0 {
        cx.store(address, 8, Mode::Release, 0)?;
        return int(0);
    }
    if mutex::unhold(cx, address, Held::READ)? > 0 {
        let target = Target::new(address, 8, Mode::Release);
        cx.update(target, RmwOp::Sub, 1, None, None)?;
        return int(0);
    }
    let text = format!("{} unlocks {} but does not hold it", cx.t.id, cx.name(address));
    Err(cx.fault(FaultKind::UnlockNotHeld, text))
}
