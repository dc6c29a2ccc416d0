//! Time does not pass by itself: sleeping returns at once, and a thread's clock goes on by a millisecond
//! when it is read, so that every execution is the same. A wait that times out puts the clock to its
//! deadline.
//!
//! Reading the clock is no effect, or every loop around a timed wait would be a new one each time. A loop
//! that could only be left because time passes is given up in [`crate::spin`].

use super::context::int;
use super::{Cx, Entry, threads};
use crate::thread::Stop;
use norn_action::Mode;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("sleep", "returns at once", threads::nothing),
    ("usleep", "returns at once", threads::nothing),
    ("nanosleep", "returns at once", threads::nothing),
    ("clock_nanosleep", "returns at once", threads::nothing),
    ("time", "seconds: a counter of this thread", time),
    ("clock", "processor time: a counter of this thread", clock),
    ("clock_gettime", "a counter of this thread", clock_gettime),
    ("timespec_get", "a counter of this thread", timespec_get),
    ("gettimeofday", "a counter of this thread", gettimeofday),
    ("difftime", "difference of two times", difftime),
];

const SECOND: u64 = 1_000_000_000;
/// What one look at the clock takes.
const LOOK: u64 = 1_000_000;

/// The time in nanoseconds.
pub(crate) fn tick(cx: &mut Cx<'_>) -> Result<u64, Stop> {
    let value = cx.step(|_, t| {
        let rest = t.rest_mut();
        rest.clock += LOOK;
        Ok(rest.clock.into())
    })?;
    Ok(value as u64)
}

/// The time in the structure at `address`, in nanoseconds.
pub(crate) fn at(cx: &mut Cx<'_>, address: u64) -> Result<u64, Stop> {
    if address == 0 {
        return Ok(0);
    }
    let seconds = cx.load(address, 8, Mode::Plain)?;
    let rest = cx.load(address + 8, 8, Mode::Plain)?;
    Ok(seconds.saturating_mul(SECOND).saturating_add(rest).min(u64::MAX / 2))
}

/// Puts the clock to `time`, if that is later.
pub(crate) fn pass(cx: &mut Cx<'_>, time: u64) -> Result<(), Stop> {
    cx.step(|_, t| {
        t.pass_time(time);
        Ok(0)
    })
    .map(drop)
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
