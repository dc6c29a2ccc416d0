//! Time does not pass by itself: a thread's clock goes on by a millisecond when it is read, so that every
//! execution is the same. Sleeping returns at once and puts the clock on by as much, and a wait that times
//! out puts it to its deadline.
//!
//! Reading the clock is no effect, or every loop around a timed wait would be a new one each time. A loop
//! that could only be left because time passes is given up in [`crate::spin`].

use super::context::int;
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::Mode;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("sleep", "returns at once", sleep),
    ("usleep", "returns at once", usleep),
    ("nanosleep", "returns at once; reads the time", nanosleep),
    ("clock_nanosleep", "returns at once; reads the time", clock_nanosleep),
    ("thrd_sleep", "returns at once; reads the time", thrd_sleep),
    ("time", "seconds: a counter of this thread", time),
    ("clock", "processor time: a counter of this thread", clock),
    ("clock_gettime", "a counter of this thread", clock_gettime),
    ("timespec_get", "a counter of this thread", timespec_get),
    ("gettimeofday", "a counter of this thread", gettimeofday),
    ("difftime", "difference of two times", difftime),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &["sleep", "usleep", "clock", "difftime"];

pub(crate) const EINVAL: i32 = 22;
pub(crate) const ETIMEDOUT: i32 = 110;
const SECOND: u64 = 1_000_000_000;
/// The flag of `clock_nanosleep` that says until when rather than how long.
const TIMER_ABSTIME: u64 = 1;
/// Any negative number but -1, which means a signal.
const THRD_SLEEP_ERROR: i32 = -2;
/// What one look at the clock takes.
const LOOK: u64 = 1_000_000;

/// The time in nanoseconds.
pub(crate) fn tick(cx: &mut Cx<'_>) -> Result<u64, Stop> {
    let value = cx.step(|_, t| Ok(t.read_clock(LOOK).into()))?;
    Ok(value as u64)
}

/// The time in the structure at `address`, in nanoseconds; nothing if the part below a second is not one.
pub(crate) fn at(cx: &mut Cx<'_>, address: u64) -> Result<Option<u64>, Stop> {
    let seconds = cx.load(address, 8, Mode::Plain)? as i64;
    let rest = cx.load(address + 8, 8, Mode::Plain)?;
    let time = (seconds.max(0) as u64).saturating_mul(SECOND).saturating_add(rest);
    Ok((rest < SECOND).then_some(time.min(u64::MAX / 2)))
}

/// Asks for a lock until the time at `limit`; `take` gives an error code, zero if the lock was free. POSIX
/// leaves open whether a time that is none is noticed when the lock is free.
pub(crate) fn limited(
    cx: &mut Cx<'_>,
    limit: u64,
    take: impl FnOnce(&mut Cx<'_>) -> Result<i32, Stop>,
) -> Result<i32, Stop> {
    let time = at(cx, limit)?;
    if time.is_none() && cx.choose(2)? == 1 {
        return Ok(EINVAL);
    }
    let code = take(cx)?;
    match time {
        _ if code != ETIMEDOUT => Ok(code),
        None => Ok(EINVAL),
        Some(time) => pass(cx, time).map(|()| code),
    }
}

/// Puts the clock to `time`, if that is later.
pub(crate) fn pass(cx: &mut Cx<'_>, time: u64) -> Result<(), Stop> {
    cx.step(|_, t| {
        t.pass_time(time);
        Ok(0)
    })
    .map(drop)
}

/// The thread slept for so many nanoseconds.
pub(crate) fn slept(cx: &mut Cx<'_>, duration: u64) -> Result<(), Stop> {
    cx.step(|_, t| {
        let now = t.rest.clock;
        t.pass_time(now.saturating_add(duration).min(u64::MAX / 2));
        Ok(0)
    })
    .map(drop)
}

fn sleep(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    slept(cx, (cx.arg(0) & 0xffff_ffff) * SECOND)?;
    int(0)
}

fn usleep(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    slept(cx, (cx.arg(0) & 0xffff_ffff) * 1000)?;
    int(0)
}

/// Sleeps for the time at `address`; whether it is one.
fn sleep_at(cx: &mut Cx<'_>, address: u64) -> Result<bool, Stop> {
    let duration = at(cx, address)?;
    slept(cx, duration.unwrap_or(0))?;
    Ok(duration.is_some())
}

fn nanosleep(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if sleep_at(cx, cx.arg(0))? {
        return int(0);
    }
    cx.set_errno(EINVAL)?;
    int(-1)
}

fn clock_nanosleep(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (flags, address) = (cx.arg(1), cx.arg(2));
    if flags & TIMER_ABSTIME == 0 {
        return int(if sleep_at(cx, address)? { 0 } else { EINVAL });
    }
    let Some(time) = at(cx, address)? else { return int(EINVAL) };
    pass(cx, time)?;
    int(0)
}

fn thrd_sleep(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int(if sleep_at(cx, cx.arg(0))? { 0 } else { THRD_SLEEP_ERROR })
}

fn time(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let out = cx.arg(0);
    let now = tick(cx)? / SECOND;
    if out != 0 {
        cx.store(out, 8, Mode::Plain, now)?;
    }
    Ok(now.into())
}

fn clock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok((tick(cx)? / 1000).into())
}

/// Seconds, and the rest in units of so many nanoseconds.
fn store_pair(cx: &mut Cx<'_>, out: u64, unit: u64) -> Result<(), Stop> {
    let now = tick(cx)?;
    cx.store(out, 8, Mode::Plain, now / SECOND)?;
    cx.store(out + 8, 8, Mode::Plain, now % SECOND / unit)
}

fn clock_gettime(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(1), 1)?;
    int(0)
}

fn timespec_get(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(0), 1)?;
    Ok((cx.arg(1) & 0xffff_ffff).into())
}

fn gettimeofday(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(0), 1000)?;
    int(0)
}

fn difftime(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let difference = (cx.arg(0) as i64).wrapping_sub(cx.arg(1) as i64) as f64;
    Ok(difference.to_bits().into())
}
