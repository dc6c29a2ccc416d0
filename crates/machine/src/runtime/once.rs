//! `pthread_once`, `call_once` and the guards of C++ static locals.
//!
//! A once flag is a 4-byte cell: 0 not yet, 1 under way, 2 done.
//!
//! A guard has two 1-byte cells. Byte 0 is set when the variable is initialised; compiled code reads
//! it by itself, so it must stay zero until then. Byte 1 is a lock for those that come too early.

use super::context::{int, test};
use super::{Cx, Entry};
use crate::access::{Modify, Target};
use crate::thread::Stop;
use norn_action::{Compare, Mode, RmwOp, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_once", "calls a function the first time only", once),
    ("call_once", "calls a function the first time only", once),
    ("__cxa_guard_acquire", "whether a static local is still to be initialised", guard_acquire),
    ("__cxa_guard_release", "a static local is initialised", guard_release),
    ("__cxa_guard_abort", "the initialisation of a static local failed", guard_abort),
];

const RUNNING: u64 = 1;
const DONE: u64 = 2;

fn once(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (flag, function) = (cx.arg(0), cx.arg(1));
    let target = Target::new(flag, 4, Mode::Acquire);
    let first = Some(test(u64::MAX, Compare::Eq, 0));
    let take = Modify {
        target,
        failure: Mode::Acquire,
        op: RmwOp::Exchange,
        operand: RUNNING.into(),
        test: first,
        wait: None,
    };
    loop {
        let old = cx.modify(take)?;
        if old == 0 {
            cx.call(function, &[])?;
            cx.store(flag, 4, Mode::Release, DONE)?;
            return int(0);
        }
        // Whoever calls it may be left by an exception, and then it is the next one's turn.
        let over = test(u64::MAX, Compare::Ne, RUNNING);
        if old == DONE || cx.load_when(target, over, Wait::Once)? != 0 {
            return int(0);
        }
    }
}

/// Whether a function calls another one only once, and calls it again if an exception leaves that.
pub(super) fn is_once(name: &str) -> bool {
    matches!(name, "pthread_once" | "call_once")
}

/// The function that was called the first time is left by an exception.
pub(super) fn give_up(cx: &mut Cx<'_>, flag: u64) -> Result<(), Stop> {
    cx.store(flag, 4, Mode::Release, 0)
}

fn lock_byte(guard: u64) -> Target {
    Target::new(guard + 1, 1, Mode::Acquire)
}

fn guard_acquire(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let guard = cx.arg(0);
    let free = Some(test(u64::MAX, Compare::Eq, 0));
    cx.update(lock_byte(guard), RmwOp::Exchange, 1, free, Some(Wait::Mutex))?;
    let done = cx.load(guard, 1, Mode::Acquire)?;
    if done != 0 {
        cx.store(guard + 1, 1, Mode::Release, 0)?;
        return int(0);
    }
    int(1)
}

fn guard_release(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let guard = cx.arg(0);
    cx.store(guard, 1, Mode::Release, 1)?;
    cx.store(guard + 1, 1, Mode::Release, 0)?;
    int(0)
}

fn guard_abort(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let guard = cx.arg(0);
    cx.store(guard + 1, 1, Mode::Release, 0)?;
    int(0)
}
