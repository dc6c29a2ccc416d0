//! `threads.h`. Handles, mutexes and condition variables are those of POSIX threads; results are
//! `thrd_success` (0), `thrd_busy` (1), `thrd_error` (2) and `thrd_timedout` (4).

use super::context::int;
use super::mutex::{self, Patience};
use super::{Cx, Entry, condition, threads, time};
use crate::thread::Stop;
use norn_action::Mode;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("thrd_create", "starts a thread", create),
    ("thrd_join", "waits for a thread to end and takes its result", join),
    ("thrd_detach", "gives up the right to join a thread", detach),
    ("thrd_current", "the calling thread's handle", threads::this),
    ("thrd_equal", "whether two handles name the same thread", equal),
    ("thrd_exit", "ends the calling thread", threads::exit),
    ("thrd_yield", "lets other threads run: nothing to do", threads::nothing),
    ("mtx_init", "makes a mutex: plain, timed or recursive", mtx_init),
    ("mtx_destroy", "ends a mutex; its use afterwards is a fault", mutex::destroy),
    ("mtx_lock", "waits for a mutex and takes it", mtx_lock),
    ("mtx_trylock", "takes a mutex if it is free; may fail for no reason", mtx_trylock),
    ("mtx_timedlock", "takes a mutex, or times out if it is not free", mtx_timedlock),
    ("mtx_unlock", "gives a mutex back", mtx_unlock),
    ("cnd_init", "makes a condition variable", condition::init),
    ("cnd_destroy", "ends a condition variable; its use afterwards is a fault", condition::destroy),
    ("cnd_wait", "releases the mutex and waits for a signal", condition::wait),
    ("cnd_timedwait", "likewise, or times out", cnd_timedwait),
    ("cnd_signal", "wakes one waiting thread, if there is one", condition::signal),
    ("cnd_broadcast", "wakes all waiting threads", condition::broadcast),
];

/// Those that access no memory of the program. A join may write what its thread has returned, but only after it has
/// waited, and says nothing of when it was called.
pub(super) const APART: &[&str] =
    &["thrd_join", "thrd_detach", "thrd_current", "thrd_equal", "thrd_exit", "thrd_yield"];

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;
/// The flag of a recursive mutex.
const MTX_RECURSIVE: u64 = 1;

fn create(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (out, function, argument) = (cx.arg(0), cx.arg(1), cx.arg(2));
    let child = cx.spawn(threads::posix_thread, [function, argument])?;
    cx.store(out, 8, Mode::Plain, threads::handle(child))?;
    int(SUCCESS)
}

fn join(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (handle, out) = (cx.arg(0), cx.arg(1));
    let result = threads::join_handle(cx, handle)?;
    if out != 0 {
        threads::hand_over(cx, out, 4, result)?;
    }
    int(SUCCESS)
}

fn detach(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    threads::detach_handle(cx, cx.arg(0))?;
    int(SUCCESS)
}

fn equal(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int((cx.arg(0) == cx.arg(1)).into())
}

fn mtx_init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, flags) = (cx.arg(0), cx.arg(1));
    mutex::init_kind(cx, address, (flags & MTX_RECURSIVE) as u8)
}

fn mtx_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(if mutex::enter(cx, address)? == 0 { SUCCESS } else { ERROR })
}

fn mtx_trylock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(if mutex::acquire(cx, address, Patience::Weak)? == 0 { SUCCESS } else { BUSY })
}

fn mtx_timedlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, limit) = (cx.arg(0), cx.arg(1));
    let code = time::limited(cx, limit, |cx| mutex::acquire(cx, address, Patience::Timeout))?;
    int(match code {
        0 => SUCCESS,
        time::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    })
}

fn mtx_unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(if mutex::release(cx, address)? == 0 { SUCCESS } else { ERROR })
}

fn cnd_timedwait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock, deadline) = (cx.arg(0), cx.arg(1), cx.arg(2));
    condition::wait_until(cx, address, lock, deadline, (TIMED_OUT, ERROR))
}
