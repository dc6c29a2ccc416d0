//! Semaphores.
//!
//! One 8-byte cell: the low 32 bits are the count, bit 61 is set while it is alive, bit 62 once it was
//! destroyed. Waiting is a
//! read-modify-write that subtracts one once the count is not zero. Waits that may time out fail
//! where a plain one would have to wait (see `mutex` for why that is enough).

use super::context::{int, test};
use super::mutex::{DESTROYED, LIVE, check_made, end, make};
use super::{Cx, Entry, time};
use crate::access::Target;
use crate::thread::Stop;
use norn_action::{Compare, Mode, RmwOp, Role, SyncObject, SyncState, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("sem_init", "makes a semaphore with a count", init),
    ("sem_destroy", "ends a semaphore; its use afterwards is a fault", destroy),
    ("sem_wait", "waits until the count is not zero and takes one", wait),
    ("sem_trywait", "takes one if the count is not zero", try_wait),
    ("sem_timedwait", "takes one, or times out", timed_wait),
    ("sem_clockwait", "takes one, or times out", clock_wait),
    ("sem_post", "adds one", post),
    ("sem_getvalue", "the count", get_value),
];

const COUNT: u64 = 0xffff_ffff;
const EAGAIN: i32 = 11;
const EOVERFLOW: i32 = 75;
/// SEM_VALUE_MAX
const MOST: u64 = 0x7fff_ffff;

/// What a cell says.
pub(crate) fn state(cell: u64) -> SyncState {
    match (cell & DESTROYED != 0, cell & LIVE != 0) {
        (true, _) => SyncState::Destroyed,
        (false, false) => SyncState::NeverInitialised,
        (false, true) => SyncState::Count(cell & COUNT),
    }
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, count) = (cx.arg(0), cx.arg(2));
    if count & COUNT > MOST {
        return result(cx, time::EINVAL);
    }
    // A semaphore has no state that says it is in use: a count is no waiter.
    make(cx, address, count & COUNT, 0, SyncObject::Semaphore)?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check(cx, address, value)?;
    // With a count, so that nobody goes on waiting for it.
    end(cx, address, 8, DESTROYED | 1)?;
    int(0)
}

/// Takes one, or tries to; an error code.
fn take(cx: &mut Cx<'_>, wait: Option<Wait>, failure: i32) -> Result<i32, Stop> {
    let address = cx.arg(0);
    let target = Target::new(address, 8, Mode::Acquire).of(Role::SemaphoreWait);
    let some = Some(test(COUNT, Compare::Ne, 0));
    let (old, taken) = cx.update(target, RmwOp::Sub, 1, some, wait)?;
    check(cx, address, old)?;
    Ok(if taken { 0 } else { failure })
}

/// An error code goes to `errno`.
fn result(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    if code == 0 {
        return int(0);
    }
    cx.set_errno(code)?;
    int(-1)
}

fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let code = take(cx, Some(Wait::Semaphore), 0)?;
    result(cx, code)
}

fn try_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let code = take(cx, None, EAGAIN)?;
    result(cx, code)
}

fn timed_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    wait_until(cx, cx.arg(1))
}

fn clock_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    wait_until(cx, cx.arg(2))
}

fn wait_until(cx: &mut Cx<'_>, limit: u64) -> Result<u128, Stop> {
    let code = time::limited(cx, limit, |cx| take(cx, None, time::ETIMEDOUT))?;
    result(cx, code)
}

fn post(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let target = Target::new(address, 8, Mode::Release).of(Role::SemaphorePost);
    let room = Some(test(COUNT, Compare::Ult, MOST));
    let (old, added) = cx.update(target, RmwOp::Add, 1, room, None)?;
    check(cx, address, old)?;
    result(cx, if added { 0 } else { EOVERFLOW })
}

/// Faults if a cell is that of no semaphore.
fn check(cx: &Cx<'_>, address: u64, value: u64) -> Result<(), Stop> {
    check_made(cx, address, value, SyncObject::Semaphore)
}

fn get_value(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, out) = (cx.arg(0), cx.arg(1));
    let value = cx.load(address, 8, Mode::Relaxed)?;
    check(cx, address, value)?;
    cx.store(out, 4, Mode::Plain, value & COUNT)?;
    int(0)
}
