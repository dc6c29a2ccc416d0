//! What programs say to the checker: assumptions, choices, errors, atomic sections.
//!
//! An atomic section is a lock of its own around which everything inside happens; it excludes other
//! atomic sections, not accesses outside of any.

use super::mutex::Patience;
use super::{Cx, Entry, mutex};
use crate::thread::Stop;
use crate::vm::ATOMIC_SECTION;
use norn_action::{Action, Claim, Obstacle, Undefined};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("norn_assume", "executions in which the condition fails are of no interest", assume),
    ("norn_choose", "a number between two bounds, inclusive; every one is tried", choose),
    ("__VERIFIER_assume", "executions in which the condition fails are of no interest", assume),
    ("__VERIFIER_assert", "the condition must hold", assert),
    ("__VERIFIER_error", "must not be reached", reach_error),
    ("reach_error", "must not be reached", reach_error),
    ("__VERIFIER_nondet_bool", "0 or 1; both are tried", nondet_bool),
    ("__VERIFIER_nondet_int", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_uint", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_long", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_ulong", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_short", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_ushort", "cannot be tried exhaustively: an error if reached", nondet),
    ("__VERIFIER_nondet_char", "every byte is tried", nondet_byte),
    ("__VERIFIER_nondet_uchar", "every byte is tried", nondet_byte),
    ("__VERIFIER_atomic_begin", "enters the atomic section", atomic_begin),
    ("__VERIFIER_atomic_end", "leaves the atomic section", atomic_end),
];

fn assume(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if cx.arg(0) as u32 == 0 {
        let place = cx.t.place();
        return Err(cx.t.ask(Action::Abandon(place)));
    }
    Ok(0)
}

fn choose(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (low, high) = (cx.arg(0) as i64, cx.arg(1) as i64);
    if high < low {
        return Err(cx.fault(Undefined::NothingToChoose { low, high }));
    }
    let count = (high.wrapping_sub(low) as u64).saturating_add(1);
    let chosen = cx.choose_for(count, true)?;
    Ok((low.wrapping_add(chosen as i64) as u64).into())
}

fn assert(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if cx.arg(0) as u32 == 0 {
        return Err(cx.fault(Claim::Condition));
    }
    Ok(0)
}

fn reach_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(Claim::NoError))
}

fn nondet_bool(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.choose_for(2, true)?.into())
}

fn nondet_byte(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.choose_for(256, true)?.into())
}

fn nondet(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.unsupported(Obstacle::UnboundedChoice))
}

/// An event that does nothing: it only says where its thread is. No effect, so that a loop that waits still does.
pub(crate) fn mark(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.step(|_, t| {
        let place = t.place();
        Err(t.ask(Action::Choose { count: 1, asked: false, place }))
    })
}

fn atomic_begin(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    mutex::acquire(cx, ATOMIC_SECTION, Patience::Wait)?;
    Ok(0)
}

fn atomic_end(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    mutex::release(cx, ATOMIC_SECTION)?;
    Ok(0)
}
