//! Semaphores.
//!
//! One 8-byte cell: the low 32 bits are the count, bit 61 is set while it is alive, bit 62 once it was
//! destroyed. Waiting is a
//! read-modify-write that subtracts one once the count is not zero. Waits that may time out fail
//! where a plain one would have to wait (see `mutex` for why that is enough).

use super::context::{int, test};
use super::mutex::{DESTROYED, check_alive, make};
use super::{Cx, Entry};
use crate::access::Target;
use crate::thread::Stop;
use norn_action::{Compare, Mode, RmwOp, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("sem_init", "makes a semaphore with a count", init),
    ("sem_destroy", "ends a semaphore; its use afterwards is a fault", destroy),
    ("sem_wait", "waits until the count is not zero and takes one", wait),
    ("sem_trywait", "takes one if the count is not zero", try_wait),
    ("sem_timedwait", "takes one, or times out", timed_wait),
    ("sem_clockwait", "takes one, or times out", timed_wait),
    ("sem_post", "adds one", post),
    ("sem_getvalue", "the count", get_value),
];

const COUNT: u64 = 0xffff_ffff;
const EAGAIN: i32 = 11;
const ETIMEDOUT: i32 = 110;

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, count) = (cx.arg(0), cx.arg(2));
    // A semaphore has no state that says it is in use: a count is no waiter.
    make(cx, address, count & COUNT, 0, "semaphore")?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_alive(cx, address, value, "semaphore")?;
    cx.store(address, 8, Mode::Plain, DESTROYED)?;
    int(0)
}

fn take(cx: &mut Cx<'_>, wait: Option<Wait>, failure: i32) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let target = Target::new(address, 8, Mode::Acquire);
    let some = Some(test(COUNT, Compare::Ne, 0));
    let (old, taken) = cx.update(target, RmwOp::Sub, 1, some, wait)?;
    check_alive(cx, address, old, "semaphore")?;
    if taken {
        return int(0);
    }
    cx.set_errno(failure)?;
    int(-1)
}

fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    take(cx, Some(Wait::Semaphore), 0)
}

fn try_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    take(cx, None, EAGAIN)
}

fn timed_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    take(cx, None, ETIMEDOUT)
}

fn post(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let target = Target::new(address, 8, Mode::Release);
    let (old, _) = cx.update(target, RmwOp::Add, 1, None, None)?;
    check_alive(cx, address, old, "semaphore")?;
    int(0)
}

fn get_value(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, out) = (cx.arg(0), cx.arg(1));
    let value = cx.load(address, 8, Mode::Relaxed)?;
    check_alive(cx, address, value, "semaphore")?;
    cx.store(out, 4, Mode::Plain, value & COUNT)?;
    int(0)
}
