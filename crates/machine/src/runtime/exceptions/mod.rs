//! Exceptions of C++: the functions of the Itanium C++ ABI that compiled code calls.
//!
//! An exception lies in memory behind a header of 64 bytes: description of its type, destructor, number of owners, and
//! the 32 bytes of what an unwinder would need. Compiled code knows it by the address of the latter, and takes it for
//! granted that the object lies right behind. Owners are whoever is on the way to a handler or in one, and each
//! `std::exception_ptr`, of any thread; so the number of them is shared memory like any other. `std::rethrow_exception`
//! makes a second name for the same object.
//!
//! What a thread has thrown and caught is its own affair (`Rest::exceptions`): each has its handlers, innermost last,
//! and the exceptions on their way.

mod cast;
mod descriptions;
mod errors;
mod pointer;
mod unwind;

pub(super) use errors::{STANDARD, is_apart, refused, throw_standard};
pub(super) use pointer::FUNCTIONS as POINTERS;

use super::{Cx, Entry};
use crate::access::Target;
use crate::thread::{Raised, Stop};
use norn_action::{Ending, Exception, Mode, ObjectKind, Obstacle, RmwOp};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("__cxa_allocate_exception", "memory for an exception", allocate),
    ("__cxa_free_exception", "ends that memory", free),
    ("__cxa_throw", "throws an exception; a fault if nobody catches it", throw),
    ("__cxa_rethrow", "throws the exception of the innermost handler again", rethrow),
    ("_Unwind_Resume", "goes on to the handler of an exception", resume),
    ("__cxa_begin_catch", "a handler begins: the exception that it gets", begin_catch),
    ("__cxa_end_catch", "a handler ends, and the exception if nobody else has it", end_catch),
    ("__cxa_get_exception_ptr", "the exception that a handler gets", get_exception),
    ("__cxa_call_unexpected", "an exception that a function may not throw: a fault", unexpected),
    ("__dynamic_cast", "dynamic_cast", cast::dynamic_cast),
    ("_ZSt18uncaught_exceptionv", "std::uncaught_exception", is_uncaught),
    ("_ZSt19uncaught_exceptionsv", "std::uncaught_exceptions", count_uncaught),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] =
    &["__cxa_allocate_exception", "_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv"];

/// Bytes before an exception.
const HEADER: u64 = 64;
/// From the name of an exception to the object.
const NAME: u64 = 32;
/// From the start of the header to the destructor and to the number of owners.
const DESTRUCTOR: u64 = 8;
const OWNERS: u64 = 16;

/// Stands for no exception in a log.
const NOTHING: u128 = u128::MAX;
/// Stands for no handler that is under way.
const NOBODY: u128 = u128::MAX - 1;

/// Memory for an exception of so many bytes.
fn memory(cx: &mut Cx<'_>, size: u64) -> Result<u64, Stop> {
    match cx.allocate(size.saturating_add(HEADER), 16, false)? {
        0 => Err(cx.fault(Ending::Terminate)),
        address => Ok(address + HEADER),
    }
}

fn allocate(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = cx.arg(0);
    Ok(memory(cx, size)?.into())
}

fn free(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let object = cx.arg(0);
    cx.free(object.wrapping_sub(HEADER), ObjectKind::Heap)?;
    Ok(0)
}

/// Writes the header of an exception that has so many owners.
fn describe(
    cx: &mut Cx<'_>,
    object: u64,
    description: u64,
    destructor: u64,
    owners: u64,
) -> Result<(), Stop> {
    let header = object.wrapping_sub(HEADER);
    cx.store(header, 8, Mode::Plain, description)?;
    cx.store(header + DESTRUCTOR, 8, Mode::Plain, destructor)?;
    cx.store(header + OWNERS, 8, Mode::Plain, owners)
}

/// Throws an object that lies behind a header which is not written yet.
fn throw_object(
    cx: &mut Cx<'_>,
    object: u64,
    description: u64,
    destructor: u64,
    what: Exception,
) -> Result<u128, Stop> {
    describe(cx, object, description, destructor, 1)?;
    let name = object - NAME;
    let raised = Raised { name, object, description, adjusted: object, handlers: 0 };
    start(cx, raised)?;
    unwind::raise(cx, raised, what)
}

/// Notes that an exception is on its way.
fn start(cx: &mut Cx<'_>, raised: Raised) -> Result<(), Stop> {
    cx.once(|t| {
        let rest = t.rest_mut();
        rest.exceptions.push(raised);
        rest.uncaught += 1;
        0
    })
    .map(drop)
}

fn throw(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (object, description, destructor) = (cx.arg(0), cx.arg(1), cx.arg(2));
    throw_object(cx, object, description, destructor, Exception::Unknown)
}

/// The exception of this name that this thread has thrown.
fn known(cx: &Cx<'_>, name: u64) -> Result<Raised, Stop> {
    let found = cx.t.rest.exceptions.iter().find(|raised| raised.name == name);
    found.copied().ok_or_else(|| cx.unsupported(Obstacle::UnknownException))
}

fn rethrow(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let name = cx.once(|t| {
        let Some(&name) = t.rest.caught.last() else { return NOTHING };
        let rest = t.rest_mut();
        rest.uncaught += 1;
        for raised in rest.exceptions.iter_mut().filter(|raised| raised.name == name) {
            raised.handlers = -raised.handlers;
        }
        name.into()
    })?;
    if name == NOTHING {
        return Err(cx.fault(Ending::Terminate));
    }
    let raised = known(cx, name as u64)?;
    unwind::raise(cx, raised, Exception::Unknown)
}

fn resume(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let raised = known(cx, cx.arg(0))?;
    unwind::unwind(cx, raised, Exception::Unknown)
}

fn begin_catch(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let name = cx.arg(0);
    let adjusted = known(cx, name)?.adjusted;
    cx.once(|t| {
        let rest = t.rest_mut();
        rest.uncaught = rest.uncaught.saturating_sub(1);
        for raised in rest.exceptions.iter_mut().filter(|raised| raised.name == name) {
            raised.handlers = raised.handlers.abs() + 1;
        }
        if rest.caught.last() != Some(&name) {
            rest.caught.push(name);
        }
        adjusted.into()
    })
}

fn get_exception(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(known(cx, cx.arg(0))?.adjusted.into())
}

fn end_catch(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    // What is to be given up: the object in the low half, and its name.
    let ended = cx.once(|t| {
        let Some(&name) = t.rest.caught.last() else { return NOBODY };
        let rest = t.rest_mut();
        let Some(index) = rest.exceptions.iter().position(|raised| raised.name == name) else {
            return NOTHING;
        };
        let raised = &mut rest.exceptions[index];
        let thrown_again = raised.handlers < 0;
        raised.handlers += if thrown_again { 1 } else { -1 };
        if raised.handlers != 0 {
            return NOTHING;
        }
        rest.caught.pop();
        if thrown_again {
            return NOTHING;
        }
        let object = rest.exceptions.remove(index).object;
        u128::from(name) << 64 | u128::from(object)
    })?;
    if ended == NOBODY {
        return Err(cx.unsupported(Obstacle::UnknownException));
    }
    if ended != NOTHING {
        let (name, object) = ((ended >> 64) as u64, ended as u64);
        release(cx, object)?;
        if name != object - NAME {
            cx.free(name - NAME, ObjectKind::Heap)?;
        }
    }
    Ok(0)
}

fn owners(object: u64) -> Target {
    Target::new(object.wrapping_sub(HEADER) + OWNERS, 8, Mode::AcqRel)
}

/// There is one more owner of an exception.
fn keep(cx: &mut Cx<'_>, object: u64) -> Result<(), Stop> {
    cx.update(owners(object), RmwOp::Add, 1, None, None).map(drop)
}

/// There is one less. The last one destroys it.
fn release(cx: &mut Cx<'_>, object: u64) -> Result<(), Stop> {
    let (before, _) = cx.update(owners(object), RmwOp::Sub, 1, None, None)?;
    if before > 1 {
        return Ok(());
    }
    let header = object.wrapping_sub(HEADER);
    let destructor = cx.load(header + DESTRUCTOR, 8, Mode::Plain)?;
    if destructor != 0 {
        cx.call(destructor, &[object])?;
    }
    cx.free(header, ObjectKind::Heap)
}

fn unexpected(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(Ending::Uncaught(Exception::Unknown)))
}

fn is_uncaught(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok((cx.t.rest.uncaught > 0).into())
}

fn count_uncaught(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.t.rest.uncaught.into())
}
