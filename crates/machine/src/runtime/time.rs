//! Time does not pass: sleeping returns at once, and clocks count how often they were read by the
//! thread, so that every execution is the same.

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

fn tick(cx: &mut Cx<'_>) -> Result<u64, Stop> {
    let value = cx.once(|t| {
        let rest = t.rest_mut();
        rest.clock += 1;
        rest.clock.into()
    })?;
    Ok(value as u64)
}

fn time(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let out = cx.arg(0);
    let now = tick(cx)?;
    if out != 0 {
        cx.store(out, 8, Mode::Plain, now)?;
    }
    Ok(now.into())
}

fn clock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(tick(cx)?.into())
}

fn store_pair(cx: &mut Cx<'_>, out: u64) -> Result<(), Stop> {
    let now = tick(cx)?;
    cx.store(out, 8, Mode::Plain, now / 1000)?;
    cx.store(out + 8, 8, Mode::Plain, now % 1000)
}

fn clock_gettime(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(1))?;
    int(0)
}

fn timespec_get(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(0))?;
    Ok((cx.arg(1) & 0xffff_ffff).into())
}

fn gettimeofday(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    store_pair(cx, cx.arg(0))?;
    int(0)
}

fn difftime(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let difference = (cx.arg(0) as i64).wrapping_sub(cx.arg(1) as i64) as f64;
    Ok(difference.to_bits().into())
}
