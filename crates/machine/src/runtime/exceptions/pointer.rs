//! `std::exception_ptr` of libstdc++ and of libc++: a pointer to the object that was thrown, one of its owners.

use super::super::{Cx, Entry};
use super::{HEADER, NAME, describe, keep, memory, release, start, unwind};
use crate::thread::{Raised, Stop};
use norn_action::{Ending, Exception, Mode};

const RETHROW: &str = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE";

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("_ZSt17current_exceptionv", "std::current_exception", current),
    (RETHROW, "std::rethrow_exception", rethrow),
    ("_ZSt17rethrow_exceptionSt13exception_ptr", "std::rethrow_exception (libc++)", rethrow),
    ("_ZNSt13exception_ptrC1ERKS_", "std::exception_ptr (libc++)", copy),
    ("_ZNSt13exception_ptrC2ERKS_", "std::exception_ptr (libc++)", copy),
    ("_ZNSt13exception_ptrD1Ev", "end of a std::exception_ptr (libc++)", drop_owner),
    ("_ZNSt13exception_ptrD2Ev", "end of a std::exception_ptr (libc++)", drop_owner),
    ("_ZNSt13exception_ptraSERKS_", "gives a std::exception_ptr another one (libc++)", assign),
    ("__cxa_init_primary_exception", "an exception that is not thrown yet", initialise),
    ("_ZNSt15__exception_ptr13exception_ptrC1EPv", "std::exception_ptr", own),
    ("_ZNSt15__exception_ptr13exception_ptrC2EPv", "std::exception_ptr", own),
    ("_ZNSt15__exception_ptr13exception_ptrC1Ev", "std::exception_ptr", empty),
    ("_ZNSt15__exception_ptr13exception_ptrC2Ev", "std::exception_ptr", empty),
    ("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", "std::exception_ptr", copy),
    ("_ZNSt15__exception_ptr13exception_ptrC2ERKS0_", "std::exception_ptr", copy),
    ("_ZNSt15__exception_ptr13exception_ptrD1Ev", "end of a std::exception_ptr", drop_owner),
    ("_ZNSt15__exception_ptr13exception_ptrD2Ev", "end of a std::exception_ptr", drop_owner),
    ("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", "one more owner", add_owner),
    ("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", "one owner less", drop_owner),
];

/// Writes a pointer to the exception that the innermost handler has, or null.
fn current(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let to = cx.arg(0);
    let rest = &cx.t.rest;
    let found = rest.caught.last().and_then(|&name| {
        rest.exceptions.iter().find(|raised| raised.name == name).map(|raised| raised.object)
    });
    if let Some(object) = found {
        keep(cx, object)?;
    }
    cx.store(to, 8, Mode::Plain, found.unwrap_or(0))?;
    Ok(to.into())
}

/// Throws the same object once more, under a name of its own.
fn rethrow(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let object = cx.load(cx.arg(0), 8, Mode::Plain)?;
    if object == 0 {
        return Err(cx.fault(Ending::Terminate));
    }
    keep(cx, object)?;
    let description = cx.load(object - HEADER, 8, Mode::Plain)?;
    let name = memory(cx, 0)? - NAME;
    let raised = Raised { name, object, description, adjusted: object, handlers: 0 };
    start(cx, raised)?;
    unwind::raise(cx, raised, Exception::Unknown)
}

/// The header of an exception that nobody owns yet. The result is its address.
fn initialise(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (object, description, destructor) = (cx.arg(0), cx.arg(1), cx.arg(2));
    describe(cx, object, description, destructor, 0)?;
    Ok((object - HEADER).into())
}

fn empty(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.store(cx.arg(0), 8, Mode::Plain, 0)?;
    Ok(0)
}

fn own(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, object) = (cx.arg(0), cx.arg(1));
    cx.store(this, 8, Mode::Plain, object)?;
    if object != 0 {
        keep(cx, object)?;
    }
    Ok(0)
}

fn copy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, other) = (cx.arg(0), cx.arg(1));
    let object = cx.load(other, 8, Mode::Plain)?;
    cx.store(this, 8, Mode::Plain, object)?;
    if object != 0 {
        keep(cx, object)?;
    }
    Ok(0)
}

fn assign(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, other) = (cx.arg(0), cx.arg(1));
    let object = cx.load(other, 8, Mode::Plain)?;
    if object != 0 {
        keep(cx, object)?;
    }
    let before = cx.load(this, 8, Mode::Plain)?;
    cx.store(this, 8, Mode::Plain, object)?;
    if before != 0 {
        release(cx, before)?;
    }
    Ok(this.into())
}

fn add_owner(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let object = cx.load(cx.arg(0), 8, Mode::Plain)?;
    if object != 0 {
        keep(cx, object)?;
    }
    Ok(0)
}

fn drop_owner(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let this = cx.arg(0);
    let object = cx.load(this, 8, Mode::Plain)?;
    if object != 0 {
        release(cx, object)?;
        cx.store(this, 8, Mode::Plain, 0)?;
    }
    Ok(0)
}
