//! From a throw to a handler: the search for one, and the way there.
//!
//! As in the Itanium C++ ABI there are two phases. First all calls under way are asked, innermost first, whether they
//! have a handler; if none has, or the first has none but the end of the program, that is a fault where the exception is
//! thrown, and nothing was left yet. Then calls are left one by one, up to the first that has something to do: its
//! handler, or a cleanup, which comes back by `_Unwind_Resume`.
//!
//! A frame that is left loses its local variables, those that others know by an action each. All of it happens in the
//! runtime function on top of the stack, so that the frames below do not change until its last step.

use super::super::{Cx, once};
use super::descriptions::{Fit, Step, Unknown, fits};
use crate::Vm;
use crate::thread::{Raised, Stop, Thread};
use norn_action::{Ending, Exception, Mode, Obstacle};
use norn_program::{Clause, Instruction, Pad};

/// What the calls under way do with an exception.
enum Found {
    /// The frame with this index goes on at a landing pad: with the selector of a clause, or for a cleanup.
    /// The flags are those of calls of `pthread_once` that are left.
    Frame { index: usize, target: u32, selector: u32, fit: Option<Fit>, flags: Vec<u64> },
    /// Nobody takes it, or only to end the program.
    Nobody,
    /// One would, but it would have to leave a function of the library, which nobody knows how to leave.
    Behind,
}

/// What a landing pad does with an exception.
enum Taken {
    Handled(u32, Option<Fit>),
    Terminates,
    No,
}

/// Goes to the handler of an exception, which is on its way from now on; `what` is said of it if nobody has one.
pub(super) fn raise(cx: &mut Cx<'_>, raised: Raised, what: Exception) -> Result<u128, Stop> {
    let handler = search(cx, raised.description, false);
    match handler.map_err(|Unknown| cx.unsupported(Obstacle::UnknownException))? {
        Found::Frame { .. } => unwind(cx, raised, what),
        Found::Nobody => Err(cx.fault(Ending::Uncaught(what))),
        Found::Behind => Err(cx.unsupported(Obstacle::LeavesLibrary)),
    }
}

/// Goes on from the runtime function on top of the stack to the next cleanup or handler.
pub(super) fn unwind(cx: &mut Cx<'_>, raised: Raised, what: Exception) -> Result<u128, Stop> {
    let next = search(cx, raised.description, true);
    let (index, target, selector, fit, flags) =
        match next.map_err(|Unknown| cx.unsupported(Obstacle::UnknownException))? {
            Found::Frame { index, target, selector, fit, flags } => {
                (index, target, selector, fit, flags)
            }
            Found::Nobody => return Err(cx.fault(Ending::Uncaught(what))),
            Found::Behind => return Err(cx.unsupported(Obstacle::LeavesLibrary)),
        };
    let adjusted = match fit {
        None => None,
        Some(Fit::Null) => Some(0),
        Some(Fit::Object(steps)) => Some(follow(cx, raised.object, &steps)?),
        Some(Fit::Pointer(steps)) => {
            let pointer = cx.load(raised.object, 8, Mode::Plain)?;
            Some(if pointer == 0 { 0 } else { follow(cx, pointer, &steps)? })
        }
    };
    for flag in flags {
        once::give_up(cx, flag)?;
    }
    cx.step(|vm, t| {
        let mark = t.frames[index + 1].stack_mark;
        vm.end_stack(t, mark)?;
        land(vm, t, index, target);
        let rest = t.rest_mut();
        rest.landing = (raised.name, selector);
        let known = rest.exceptions.iter_mut().find(|known| known.name == raised.name);
        if let (Some(known), Some(adjusted)) = (known, adjusted) {
            known.adjusted = adjusted;
        }
        Err(Stop::Unwound)
    })
}

/// Drops the frames above one, which goes on at `target`.
fn land(vm: &Vm, t: &mut Thread, index: usize, target: u32) {
    let end = t.frames[index + 1].base;
    let natives = t.frames[index + 1..].iter().filter(|frame| frame.native).count();
    t.natives.truncate(t.natives.len() - natives);
    t.frames.truncate(index + 1);
    t.registers.truncate(end as usize);
    t.shadow.truncate(end);
    vm.drop_loops_below(t, index + 1);
    t.frames[index].pc = target;
    t.effects += 1;
}

/// Follows the steps to a part of an object.
pub(super) fn follow(cx: &mut Cx<'_>, object: u64, steps: &[Step]) -> Result<u64, Stop> {
    let mut address = object;
    for step in steps {
        let distance = match *step {
            Step::Fixed(distance) => distance,
            Step::Virtual(offset) => {
                let table = cx.load(address, 8, Mode::Plain)?;
                cx.load(table.wrapping_add_signed(offset), 8, Mode::Plain)? as i64
            }
        };
        address = address.wrapping_add_signed(distance);
    }
    Ok(address)
}

/// The innermost call under way that does something with an exception: one with a handler, or also one with a cleanup.
fn search(cx: &Cx<'_>, description: u64, cleanups: bool) -> Result<Found, Unknown> {
    let program = &cx.vm.program;
    let (mut crossed, mut flags) = (false, Vec::new());
    for (index, frame) in cx.t.frames.iter().enumerate().rev().skip(1) {
        if frame.native {
            match once_flag(cx, index) {
                Some(flag) => flags.extend(flag),
                None => crossed |= index > 0,
            }
            continue;
        }
        let Some(pad) = program.pad_at(frame.pc) else { continue };
        let (selector, fit) = match taken(cx, pad, description)? {
            Taken::Handled(selector, fit) => (selector, fit),
            Taken::Terminates => return Ok(Found::Nobody),
            Taken::No if cleanups && pad.cleanup => (0, None),
            Taken::No => continue,
        };
        if crossed {
            return Ok(Found::Behind);
        }
        return Ok(Found::Frame { index, target: pad.target, selector, fit, flags });
    }
    Ok(Found::Nobody)
}

/// If the frame of a runtime function is that of `pthread_once`, its flag; if it is what that calls to call what
/// `std::call_once` was given, nothing. None for any other.
fn once_flag(cx: &Cx<'_>, index: usize) -> Option<Option<u64>> {
    let is_call_of_once = |index: usize| {
        let below = &cx.t.frames[index.checked_sub(1)?];
        let instruction = cx.vm.program.code.get(below.pc as usize).filter(|_| !below.native)?;
        let Instruction::CallExternal { external, .. } = *instruction else { return None };
        once::is_once(&cx.vm.program.externals[external.index()].name).then_some(())
    };
    let native = || cx.t.frames[..index].iter().filter(|frame| frame.native).count();
    if is_call_of_once(index).is_some() {
        return Some(Some(cx.t.natives.get(native())?.args.first().copied()?));
    }
    (index > 0 && is_call_of_once(index - 1).is_some() && cx.t.frames[index - 1].native)
        .then_some(None)
}

fn taken(cx: &Cx<'_>, pad: &Pad, thrown: u64) -> Result<Taken, Unknown> {
    if pad.terminates {
        return Ok(Taken::Terminates);
    }
    let program = &cx.vm.program;
    for clause in &pad.clauses {
        match clause {
            &Clause::Catch { description: 0, selector } => {
                return Ok(Taken::Handled(selector, Some(Fit::Object(Vec::new()))));
            }
            &Clause::Catch { description, selector } => {
                if let Some(fit) = fits(program, thrown, description)? {
                    return Ok(Taken::Handled(selector, Some(fit)));
                }
            }
            Clause::Filter { allowed, selector } => {
                let mut is_allowed = false;
                for &description in allowed {
                    is_allowed |= fits(program, thrown, description)?.is_some();
                }
                if !is_allowed {
                    return Ok(Taken::Handled(*selector, None));
                }
            }
        }
    }
    Ok(Taken::No)
}
