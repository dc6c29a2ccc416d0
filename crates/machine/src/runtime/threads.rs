//! POSIX threads: create, join, detach, exit, identity.
//!
//! A `pthread_t` is the thread's id plus one, so that zero names no thread. At the root of every
//! thread is a runtime function: it calls the start routine, runs the destructors of
//! thread-specific values, ends published thread-locals and finishes.

use super::context::{EXITED, UNDEFINED_BYTES, int};
use super::{Cx, Entry, keys, process};
use crate::access::Target;
use crate::thread::{NO_LOOP, Stop};
use crate::vm::GONE;
use norn_action::{
    Action, Address, BadJoin, BadSync, Mode, ObjectKind, Obstacle, RmwOp, Stuck, ThreadId, Value,
};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_create", "starts a thread; of attributes, being detached counts", create),
    ("pthread_join", "waits for a thread to end and takes its result", join),
    ("pthread_detach", "gives up the right to join a thread", detach),
    ("pthread_self", "the calling thread's handle", this),
    ("pthread_equal", "whether two handles name the same thread", equal),
    ("pthread_exit", "ends the calling thread", exit),
    ("pthread_attr_init", "attributes of a thread that can be joined", attributes),
    ("pthread_attr_destroy", "ends attributes; their use afterwards is a fault", end_attributes),
    ("pthread_attr_setdetachstate", "whether the thread starts detached", set_detached),
    ("pthread_attr_setstacksize", "accepted; thread attributes have no effect", nothing),
    ("pthread_attr_setscope", "accepted; thread attributes have no effect", nothing),
    ("pthread_setconcurrency", "accepted; has no effect", nothing),
    ("pthread_setcancelstate", "accepted; threads are never cancelled", nothing),
    ("pthread_setcanceltype", "accepted; threads are never cancelled", nothing),
    ("pthread_testcancel", "accepted; threads are never cancelled", nothing),
    ("pthread_yield", "lets other threads run: nothing to do", nothing),
    ("pthread_setname_np", "accepted; has no effect", nothing),
    ("pthread_setaffinity_np", "accepted; has no effect", nothing),
    ("sched_yield", "lets other threads run: nothing to do", nothing),
];

/// Those that access no memory of the program. A join may write what its thread has returned, but only after it has
/// waited, and says nothing of when it was called.
pub(super) const APART: &[&str] = &[
    "pthread_join",
    "pthread_detach",
    "pthread_self",
    "pthread_equal",
    "pthread_exit",
    "pthread_setconcurrency",
    "pthread_testcancel",
    "pthread_yield",
    "sched_yield",
    "pthread_attr_setscope",
    "pthread_attr_setstacksize",
    "pthread_setaffinity_np",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_setname_np",
];

const EINVAL: i32 = 22;
/// PTHREAD_CREATE_DETACHED
const DETACHED: u64 = 1;
/// Bits of attributes that are initialised, and of those that were destroyed.
const ATTRIBUTES: u64 = 1 << 30;
const NO_ATTRIBUTES: u64 = 1 << 31;

/// Succeeds and does nothing.
pub(crate) fn nothing(_: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(0)
}

/// The handle of a thread.
pub(crate) fn handle(thread: ThreadId) -> u64 {
    u64::from(thread.0) + 1
}

/// The thread with that handle.
pub(crate) fn of_handle(handle: u64) -> ThreadId {
    ThreadId(handle as u32 - 1)
}

fn create(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (out, function, argument) = (cx.arg(0), cx.arg(2), cx.arg(3));
    let attributes = cx.arg(1);
    let detached = attributes != 0 && read_attributes(cx, attributes)? == DETACHED;
    let child = cx.spawn(posix_thread, [function, argument])?;
    if detached {
        take(cx, child)?;
    }
    cx.store(out, 8, Mode::Plain, handle(child))?;
    int(0)
}

/// Attributes are one word: whether the thread starts detached.
fn attributes(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.store(cx.arg(0), 4, Mode::Plain, ATTRIBUTES)?;
    int(0)
}

/// Whether the attributes at `address` say that the thread starts detached.
fn read_attributes(cx: &mut Cx<'_>, address: u64) -> Result<u64, Stop> {
    let value = cx.load(address, 4, Mode::Plain)?;
    if value & ATTRIBUTES == 0 {
        let (address, destroyed) = (Address(address), value == NO_ATTRIBUTES);
        return Err(cx.fault(BadSync::NoAttributes { address, destroyed }));
    }
    Ok(value & DETACHED)
}

fn end_attributes(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    read_attributes(cx, cx.arg(0))?;
    cx.store(cx.arg(0), 4, Mode::Plain, NO_ATTRIBUTES)?;
    int(0)
}

fn set_detached(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (attributes, state) = (cx.arg(0), cx.arg(1) & 0xffff_ffff);
    if state > DETACHED {
        return int(EINVAL);
    }
    read_attributes(cx, attributes)?;
    cx.store(attributes, 4, Mode::Plain, state | ATTRIBUTES)?;
    int(0)
}

/// Root of a thread started by `pthread_create` or `thrd_create`.
pub(crate) fn posix_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (function, argument) = (cx.arg(0), cx.arg(1));
    let (result, _) = cx.call_start(function, &[argument], false)?;
    finish(cx, result)
}

/// Root of a thread that cannot run: there are too many, or the driver called out of turn.
pub(crate) fn no_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.unsupported(Obstacle::NoSuchThread))
}

/// The end of every thread that is not the end of the process.
pub(crate) fn finish(cx: &mut Cx<'_>, result: u128) -> Result<u128, Stop> {
    wind_up(cx)?;
    // No step of its own: nothing that follows changes what the thread holds.
    if cx.t.held.iter().any(|held| held.library) {
        return Err(cx.fault(BadSync::HolderEnds(cx.t.id)));
    }
    end(cx, result)
}

/// What happens at the end of a thread: its thread-local objects are destroyed, then the values of
/// keys, then the memory of thread-locals is gone.
pub(crate) fn wind_up(cx: &mut Cx<'_>) -> Result<(), Stop> {
    if cx.step(|_, t| Ok(t.rest.leaves_nothing().into()))? == 1 {
        return Ok(());
    }
    process::run_thread_destructors(cx)?;
    keys::run_destructors(cx)?;
    cx.step(|_, t| {
        let mut published = None;
        for position in t.memory.heap.positions() {
            let object = t.memory.heap.get(position);
            if object.kind == ObjectKind::ThreadLocal && object.content.is_none() {
                published = Some(position);
            }
        }
        let Some(position) = published else { return Ok(0) };
        let object = t.memory.heap.remove(position);
        let (address, place) = (Address(object.start), t.place());
        Err(t.before(Action::Free { address, by: None, place }))
    })
    .map(drop)
}

/// The thread has ended with a result, and what is undefined of it.
pub(crate) fn end(cx: &mut Cx<'_>, result: u128) -> Result<u128, Stop> {
    cx.keeps_nothing()?;
    cx.step(|_, t| {
        t.before_escape(u128::from(result as u64))?;
        Err(t.ask(Action::Finish(Value(result))))
    })
}

fn thread_of(cx: &Cx<'_>, handle: u64) -> Result<ThreadId, Stop> {
    if handle == 0 || handle > ThreadId::MOST as u64 {
        return Err(cx.fault(BadJoin::NoHandle(handle)));
    }
    Ok(ThreadId(handle as u32 - 1))
}

/// Waits for the thread with this handle; its result, and what is undefined of it.
pub(crate) fn join_handle(cx: &mut Cx<'_>, handle: u64) -> Result<u128, Stop> {
    let thread = thread_of(cx, handle)?;
    if thread == cx.t.id {
        return Err(cx.fault(Stuck::OwnEnd));
    }
    let gone = cx.step(|_, t| Ok(t.rest.gone.contains(&thread).into()))? == 1;
    if gone || take(cx, thread)? {
        return Err(cx.fault(BadJoin::Gone(thread)));
    }
    let place = cx.t.place();
    let result = cx.act(Action::Join { thread, place })?;
    cx.once(|t| {
        t.rest_mut().gone.push(thread);
        0
    })?;
    Ok(result)
}

/// Writes the low bytes of the result of a thread for whoever has joined it.
pub(crate) fn hand_over(cx: &mut Cx<'_>, out: u64, size: u8, result: u128) -> Result<(), Stop> {
    let bytes = (result >> UNDEFINED_BYTES) as u16 & ((1 << size) - 1);
    let value = Value(result).truncate(size).0;
    cx.store_bytes(Target::new(out, size, Mode::Plain), value, bytes)
}

fn join(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (handle, out) = (cx.arg(0), cx.arg(1));
    let result = join_handle(cx, handle)?;
    if out != 0 {
        hand_over(cx, out, 8, result)?;
    }
    int(0)
}

/// Whether a function may detach threads.
pub(crate) fn detaches(name: &str) -> bool {
    let names = ["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"];
    names.contains(&name) || name == "_ZNSt6thread6detachEv"
}

/// Takes the right to join or detach a thread, which is there once; whether it was gone. Where nothing
/// detaches threads, explorers see to it that none is joined twice.
fn take(cx: &mut Cx<'_>, thread: ThreadId) -> Result<bool, Stop> {
    if !cx.vm.detaches {
        return Ok(false);
    }
    let target = Target::new(GONE + u64::from(thread.0), 1, Mode::Relaxed);
    let (old, _) = cx.update(target, RmwOp::Exchange, 1, None, None)?;
    Ok(old != 0)
}

/// Notes that a thread cannot be joined any more.
pub(crate) fn detach_handle(cx: &mut Cx<'_>, handle: u64) -> Result<(), Stop> {
    let thread = thread_of(cx, handle)?;
    let fresh = cx.once(|t| {
        let fresh = !t.rest.gone.contains(&thread);
        t.rest_mut().gone.push(thread);
        fresh.into()
    })?;
    if fresh == 0 || take(cx, thread)? {
        return Err(cx.fault(BadJoin::Gone(thread)));
    }
    Ok(())
}

fn detach(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    detach_handle(cx, cx.arg(0))?;
    int(0)
}

pub(crate) fn this(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(handle(cx.t.id).into())
}

fn equal(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int((cx.arg(0) == cx.arg(1)).into())
}

pub(crate) fn exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let value = cx.arg(0);
    exit_with(cx, value)
}

/// Ends all frames but the root's, as if the start routine had returned `value`.
pub(crate) fn exit_with(cx: &mut Cx<'_>, value: u64) -> Result<u128, Stop> {
    cx.step(|vm, t| {
        let mark = t.frames.first().map_or(0, |frame| frame.stack_mark);
        vm.end_stack(t, mark)?;
        t.frames.truncate(1);
        t.natives.truncate(1);
        t.registers.clear();
        t.shadow.truncate(0);
        t.quiet = NO_LOOP;
        t.loops.clear();
        t.loop_cells.clear();
        if let Some(root) = t.natives.first_mut() {
            root.log.push(u128::from(value) | EXITED);
        }
        Err(Stop::Unwound)
    })
}
