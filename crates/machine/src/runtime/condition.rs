//! Condition variables.
//!
//! A condition variable is one 8-byte cell: bit `i` below 40 is set while thread `i` waits; bits 40 to 60
//! are a mark of the mutex that the waiting threads gave (see [`RmwOp::Enlist`]); bit 61 is set while it
//! is initialised by a call, bit 62 once it was destroyed. The static initialiser, all zero, is one
//! without waiters.
//!
//! *Wait* enters the set (a read-modify-write), unlocks the mutex, waits until the own bit is clear,
//! and locks the mutex again. It enters before it unlocks, so that no signal given under the mutex is
//! lost. Threads that wait at the same time with different mutexes are a fault.
//!
//! *Broadcast* clears the set in one read-modify-write.
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
//! A *spurious* wake-up is one more choice of the wait. The thread does not even enter the set then: a signal
//! that it got while it was there would be the execution in which it waited for that, and a signal that
//! others got is the same without it. It is no choice if the thread would then come back to a loop around
//! the wait in the state in which it was there before (see [`Cx::comes_back`]), as every loop that tests its
//! condition again does.
//!
//! Nothing is missed by that. Take an execution in which such a thread wakes up spuriously. What it did
//! since it last was at the head of the loop is looking at memory, unlocking and locking again. Leave that
//! out: the thread takes the mutex for the first time where it took it the second time. The result is an
//! execution too, its threads compute the same, and less is ordered in it, so that whatever is wrong with
//! the first is with it. A loop that tests its condition after the wait is recognised when it comes back
//! to its head. In a loop that does more than that, up to [`MOST_WAKEUPS`] such wake-ups are explored, or
//! there would be no end.
//!
//! A *timed* wait may also time out, which is a choice like the above. A timeout that leads back to the
//! loop is an iteration without effect: [`norn_action::Action::Spin`]. A timed wait whose signal does not
//! come is no deadlock: the execution in which it times out goes on.

use super::context::{int, test};
use super::mutex::{self, DESTROYED, Patience, check_alive};
use super::{Cx, Entry, threads, time};
use crate::access::Target;
use crate::thread::{Stop, Thread};
use norn_action::{
    Action, Address, BadSync, Compare, Misuse, Mode, Obstacle, RmwOp, Role, SyncObject, Wait,
};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_cond_init", "makes a condition variable", init),
    ("pthread_cond_destroy", "ends a condition variable; its use afterwards is a fault", destroy),
    ("pthread_cond_wait", "releases the mutex and waits for a signal", wait),
    ("pthread_cond_timedwait", "likewise, or times out", timed_wait),
    ("pthread_cond_clockwait", "likewise, or times out", clock_wait),
    ("pthread_cond_signal", "wakes one waiting thread, if there is one", signal),
    ("pthread_cond_broadcast", "wakes all waiting threads", broadcast),
    ("pthread_condattr_init", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_setclock", "accepted; has no effect", threads::nothing),
    ("pthread_condattr_setpshared", "accepted; has no effect", threads::nothing),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    "pthread_condattr_destroy",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
];

const WHAT: SyncObject = SyncObject::Condition;
const WAITERS: u64 = (1 << RmwOp::MEMBERS) - 1;
/// In a loop that does more than test its condition and wait.
const MOST_WAKEUPS: u8 = 3;

/// How often a run of one execution looks for a signal before a wait times out.
const LOOKS: u32 = 1000;

/// What ends a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wakes {
    Signal,
    Timeout,
    Nothing,
}

fn cell(address: u64, mode: Mode) -> Target {
    Target::new(address, 8, mode).of(Role::Condition)
}

pub(crate) fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    mutex::make(cx, address, 0, WAITERS, WHAT)?;
    int(0)
}

pub(crate) fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.get(cell(address, Mode::Relaxed))?;
    check_alive(cx, address, value, WHAT)?;
    if value & WAITERS != 0 {
        return Err(cx.misused(WHAT, address, Misuse::DestroyedAwaited));
    }
    cx.put(cell(address, Mode::Relaxed), DESTROYED)?;
    int(0)
}

/// Enters the set of those who wait with the mutex `lock`.
fn enlist(cx: &mut Cx<'_>, address: u64, lock: u64) -> Result<u64, Stop> {
    if cx.t.id.0 >= RmwOp::MEMBERS {
        return Err(cx.unsupported(Obstacle::LateWaiter));
    }
    let bit = 1 << cx.t.id.0;
    let mark = (lock >> 3 ^ lock >> 24) << RmwOp::MEMBERS & RmwOp::MARK;
    let target = cell(address, Mode::Relaxed);
    let (old, _) = cx.update(target, RmwOp::Enlist, bit | mark, None, None)?;
    check_alive(cx, address, old, WHAT)?;
    if old & WAITERS != 0 && old & RmwOp::MARK != mark {
        return Err(cx.fault(BadSync::DifferentMutexes(Address(address))));
    }
    Ok(bit)
}

/// Waits with the mutex `lock`; an error code. If it may time out, `timeout` is what the call returns then,
/// and what the clock shows.
pub(crate) fn wait_on(
    cx: &mut Cx<'_>,
    address: u64,
    lock: u64,
    timeout: Option<(i32, u64)>,
) -> Result<i32, Stop> {
    if mutex::refuses(cx, lock)? {
        return Ok(mutex::EPERM);
    }
    let library = mutex::is_library(cx, lock)?;
    let effects = cx.step(|_, t| Ok(t.effects.into()))? as u64;
    let mutex = (lock, mutex::effects_of(cx, lock)?);
    let mut ends = vec![Wakes::Signal];
    let mut spins = None;
    if let Some((code, time)) = timeout {
        spins = cx.comes_back(code, time)?;
        ends.push(Wakes::Timeout);
    }
    if cx.vm.config.spurious && cx.comes_back(0, 0)?.is_none() && !woke_enough(cx)? {
        ends.push(Wakes::Nothing);
    }
    // A run that tries one execution only looks for the signal for a while.
    let once = timeout.is_some() && cx.vm.config.retry_lost_wakeups;
    let mut end = if once { Wakes::Signal } else { ends[cx.choose(ends.len() as u64)? as usize] };
    let bit = if end == Wakes::Signal { enlist(cx, address, lock)? } else { 0 };
    mutex::release(cx, lock)?;
    if once && !comes_soon(cx, address, bit)? {
        cx.update(cell(address, Mode::Acquire), RmwOp::And, !bit, None, None)?;
        end = Wakes::Timeout;
    } else if end == Wakes::Signal {
        let clear = test(bit, Compare::Eq, 0);
        let wait = if timeout.is_some() { Wait::TimedCondition } else { Wait::Condition };
        cx.load_when(cell(address, Mode::Acquire), clear, wait)?;
    } else if let (Wakes::Timeout, Some(before)) = (end, spins) {
        cx.spin(before)?;
    }
    mutex::acquire(cx, lock, Patience::Wait)?;
    cx.step(|_, t| {
        if let Some(held) = t.held.iter_mut().find(|held| held.address == lock) {
            held.library |= library;
        }
        if end != Wakes::Signal {
            t.woke_up(effects, mutex, end == Wakes::Nothing);
        }
        Ok(0)
    })?;
    match timeout {
        Some((code, time)) if end == Wakes::Timeout => time::pass(cx, time).map(|()| code),
        _ => Ok(0),
    }
}

/// Whether enough waits have ended for no reason in a loop that is under way. Without a limit, a loop that
/// counts its waits would not end.
fn woke_enough(cx: &mut Cx<'_>) -> Result<bool, Stop> {
    let enough = |t: &Thread| t.loops.iter().any(|state| state.wakeups >= MOST_WAKEUPS);
    Ok(cx.step(|_, t| Ok(enough(t).into()))? == 1)
}

/// Whether a signal comes within so many looks.
fn comes_soon(cx: &mut Cx<'_>, address: u64, bit: u64) -> Result<bool, Stop> {
    for _ in 0..LOOKS {
        if cx.get(cell(address, Mode::Acquire))? & bit == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock) = (cx.arg(0), cx.arg(1));
    int(wait_on(cx, address, lock, None)?)
}

/// Waits until the time at `deadline`; the code that says how it ended, of which two are given: that it
/// timed out, and that the deadline is no time.
pub(crate) fn wait_until(
    cx: &mut Cx<'_>,
    address: u64,
    lock: u64,
    deadline: u64,
    (code, invalid): (i32, i32),
) -> Result<u128, Stop> {
    let Some(time) = time::at(cx, deadline)? else { return int(invalid) };
    int(wait_on(cx, address, lock, Some((code, time)))?)
}

fn timed_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock, deadline) = (cx.arg(0), cx.arg(1), cx.arg(2));
    wait_until(cx, address, lock, deadline, (time::ETIMEDOUT, time::EINVAL))
}

fn clock_wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, lock, deadline) = (cx.arg(0), cx.arg(1), cx.arg(3));
    wait_until(cx, address, lock, deadline, (time::ETIMEDOUT, time::EINVAL))
}

pub(crate) fn signal(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    loop {
        let value = cx.get(cell(address, Mode::Relaxed))?;
        check_alive(cx, address, value, WHAT)?;
        let waiters = value & WAITERS;
        if waiters == 0 {
            return int(0);
        }
        let chosen = cx.choose(waiters.count_ones().into())?;
        let bit = nth_bit(waiters, chosen);
        let unchanged = Some(test(u64::MAX, Compare::Eq, value));
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
    let target = cell(address, Mode::AcqRel);
    let (old, _) = cx.update(target, RmwOp::And, !WAITERS, None, None)?;
    check_alive(cx, address, old, WHAT)?;
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
