//! Condition variables.
//!
//! A condition variable is one 8-byte cell: bit `i` is set while thread `i` waits; bit 63 is set once
//! it was destroyed. The static initialiser, all zero, is one without waiters.
//!
//! *Wait* enters the set (a read-modify-write), unlocks the mutex, waits until the own bit is clear,
//! and locks the mutex again. It enters before it unlocks, so that no signal given under the mutex is
//! lost. Wake-ups without a signal are not modelled.
//!
//! *Broadcast* clears the cell in one read-modify-write.
//!
//! *Signal* wakes exactly one waiter, any of them, and must be one atomic step; but which bit to clear
//! depends on the value read. So it reads the set, chooses a waiter, and clears that bit by a
//! read-modify-write under the condition that the set is still the one that was read. If it is
//! not, another operation came in between, and the execution is abandoned: the same signal is
//! explored in the execution where the read comes after that operation. Every atomic signal
//! corresponds to the execution in which nothing comes in between, so none is lost and none is
//! visited twice. Trying again instead would visit the same outcomes many times over. If the set that was
//! read is empty, the signal wakes nobody and takes effect at the read.
//!
//! A *timed wait* chooses, once it is in the set, whether it is signalled or times out. When it times out it
//! takes itself out of the set; if it had been taken out by a signal already, it was not a timeout.

use super::context::{int, test};
use super::mutex::{self, Patience};
use super::{Cx, Entry, threads};
use crate::access::Target;
use crate::thread::Stop;
use norn_action::{Action, Compare, FaultKind, Mode, RmwOp, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_cond_init", "makes a condition variable", init),
    ("pthread_cond_destroy", "ends a condition variable; its use afterwards is a fault", destroy),
    ("pthread_cond_wait", "releases the mutex and waits for a signal", wait),
    ("pthread_cond_timedwait", "likewise, or times out", timed_wait),
    ("pthread_cond_clockwait", "likewise, or times out", timed_wait),
    ("pthread_cond_signal", "wakes one waiting thread, if there is one", signal),
    ("pthread_cond_broadcast", "wakes all waiting threads", broadcast),
    ("pthread_condattr_init", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_setclock", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_setpshared", "accepted; has no effect", threads::nothing),
];

const DESTROYED: u64 = 1 << 63;
const ETIMEDOUT: i32 = 110;

fn cell(address: u64, mode: Mode) -> Target {
    Target::new(address, 8, mode)
}

pub(crate) fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.store(address, 8, Mode::Plain, 0)?;
    int(0)
}

pub(crate) fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Relaxed)?;
    check_alive(cx, address, value)?;
    if value != 0 {
        let text = format!("{} is destroyed while threads wait for it", cx.name(address));
        return Err(cx.fault(FaultKind::InvalidSync, text));
    }
    cx.store(address, 8, Mode::Relaxed, DESTROYED)?;
    int(0)
}

fn check_alive(cx: &Cx<'_>, address: u64, value: u64) -> Result<(), Stop> {
    if value & DESTROYED != 0 {
        let text = format!("the condition variable {} was destroyed before", cx.name(address));
        return Err(cx.fault(FaultKind::InvalidSync, text));
    }
    Ok(())
}

/// Waits; whether it was signalled rather than timed out.
pub(crate) fn wait_on(
    cx: &mut Cx<'_>,
    address: u64,
    lock: u64,
    may_time_out: bool,
) -> Result<bool, Stop> {
    if cx.t.id.0 >= 63 {
        return Err(cx.unsupported("condition variables know the first 63 threads only"));
    }
    let bit = 1 << cx.t.id.0;
    let (old, _) = cx.update(cell(address, Mode::Relaxed), RmwOp::Or, bit, None, None)?;
    check_alive(cx, address, old)?;
    mutex::release(cx, lock)?;
    let times_out = may_time_out && cx.choose(2)? == 1;
    let signalled = if times_out {
        let (old, _) = cx.update(cell(address, Mode::Acquire), RmwOp::And, !bit, None, None)?;
        old & bit == 0
    } else {
        let clear = test(bit, Compare::Eq, 0);
        cx.load_when(cell(address, Mode::Acquire), clear, Wait::Condition)?;
        true
    };
    mutex::acquire(cx, lock, Patience::Wait)?;
    Ok(signalled)
}

pub(crate) fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock) = (cx.arg(0), cx.arg(1));
    wait_on(cx, address, lock, false)?;
    int(0)
}

fn timed_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock) = (cx.arg(0), cx.arg(1));
    let signalled = wait_on(cx, address, lock, true)?;
    int(if signalled { 0 } else { ETIMEDOUT })
}

pub(crate) fn signal(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    loop {
        let waiters = cx.load(address, 8, Mode::Relaxed)?;
        check_alive(cx, address, waiters)?;
        if waiters == 0 {
            return int(0);
        }
        let chosen = cx.choose(waiters.count_ones().into())?;
        let bit = nth_bit(waiters, chosen);
        let unchanged = Some(test(u64::MAX, Compare::Eq, waiters));
        let target = cell(address, Mode::AcqRel);
        let (_, woke) = cx.update(target, RmwOp::And, !bit, unchanged, None)?;
        if woke {
            return int(0);
        }
        if !cx.vm.config.retry_lost_wakeups {
            let place = cx.t.place();
            cx.act(Action::Abandon(place))?;
        }
    }
}

pub(crate) fn broadcast(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let (old, _) = cx.update(cell(address, Mode::AcqRel), RmwOp::And, 0, None, None)?;
    check_alive(cx, address, old)?;
    int(0)
}

/// The `n`-th lowest bit that is set.
fn nth_bit(mut bits: u64, n: u64) -> u64 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits & bits.wrapping_neg()
}

#[cfg(test)]
mod tests {
    #[test]
    fn bits_are_numbered_from_the_low_end() {
        assert_eq!(super::nth_bit(0b1010, 0), 0b10);
        assert_eq!(super::nth_bit(0b1010, 1), 0b1000);
    }
}
