//! Mutexes.
//!
//! A mutex is one 8-byte cell at its address: the low 32 bits are the owner's id plus one, or zero
//! when it is free; bits 32 to 39 are its kind (0 normal, 1 recursive, 2 error-checking); bit 61 is set
//! by `pthread_mutex_init`, bit 62 by `pthread_mutex_destroy`. A mutex that was never initialised by a
//! call has its kind where the C library's static initialisers put it, in the word at offset 16.
//!
//! Locking is a read-modify-write that waits for the owner to be zero; unlocking is a store. The
//! thread remembers which mutexes it holds and how often, so that recursion costs no action and an
//! unlock of a mutex that is not held is found at once.
//!
//! Taking a mutex, only looking, and giving it back is no effect (see [`crate::spin`]): a loop that does
//! that until it sees what it waits for is one that waits. What such an iteration leaves behind is an
//! order with other holders of the mutex, and with less of that an execution can do no less. That holds where
//! nobody can tell that a mutex is held: not in a program that tries for locks, or gives up after a time.
//!
//! A timed lock is a lock that does not wait: it fails exactly where a waiting one would have had
//! to, and an execution in which it waited and got the lock in time is the one in which it came later.

use super::context::{int, test};
use super::{Cx, Entry, threads, time};
use crate::Vm;
use crate::access::Target;
use crate::elision::name_of;
use crate::thread::{Held, Stop, Thread};
use crate::vm::ATOMIC_SECTION;
use norn_action::{
    Action, Address, BadSync, Compare, Misuse, Mode, RmwOp, Role, SyncObject, SyncState, Test, Wait,
};
use norn_program::layout;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_mutex_init", "makes a mutex; the type of the attributes counts", init),
    ("pthread_mutex_destroy", "ends a mutex; its use afterwards is a fault", destroy),
    ("pthread_mutex_lock", "waits for a mutex and takes it", lock),
    ("pthread_mutex_trylock", "takes a mutex if it is free", try_lock),
    ("pthread_mutex_timedlock", "takes a mutex, or times out if it is not free", timed_lock),
    ("pthread_mutex_clocklock", "takes a mutex, or times out if it is not free", clock_lock),
    ("pthread_mutex_unlock", "gives a mutex back", unlock),
    ("pthread_mutexattr_init", "attributes of a normal mutex", attribute_init),
    ("pthread_mutexattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_mutexattr_settype", "normal, recursive or error-checking", attribute_set_type),
    ("pthread_mutexattr_setpshared", "accepted; has no effect", threads::nothing),
    ("pthread_mutexattr_setprotocol", "accepted; has no effect", threads::nothing),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] =
    &["pthread_mutexattr_destroy", "pthread_mutexattr_setprotocol", "pthread_mutexattr_setpshared"];

const OWNER: u64 = 0xffff_ffff;
/// Set while an object is initialised by a call.
pub(crate) const LIVE: u64 = 1 << 61;
pub(crate) const DESTROYED: u64 = 1 << 62;
/// Where the C library keeps the kind of a mutex that is initialised statically.
const STATIC_KIND: u64 = 16;
const RECURSIVE: u8 = 1;
const ERROR_CHECK: u8 = 2;
/// The kind with the largest number, an adaptive mutex, which is as good as a normal one.
pub(crate) const LAST_KIND: u64 = 3;

pub(crate) const EPERM: i32 = 1;
const EBUSY: i32 = 16;
const EDEADLK: i32 = 35;

/// What a cell says.
pub(crate) fn state(cell: u64) -> SyncState {
    match (cell & DESTROYED != 0, cell & OWNER) {
        (true, _) => SyncState::Destroyed,
        (false, 0) => SyncState::Free,
        (false, owner) => SyncState::Held(threads::of_handle(owner)),
    }
}

/// How a lock is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    Wait,
    Try,
    /// A try that may fail for no reason.
    Weak,
    Timeout,
}

impl Patience {
    /// The code returned when the lock is not free.
    pub(crate) fn failure(self) -> i32 {
        if self == Patience::Timeout { time::ETIMEDOUT } else { EBUSY }
    }

    pub(crate) fn wait(self, wait: Wait) -> Option<Wait> {
        (self == Patience::Wait).then_some(wait)
    }
}

fn free_test() -> Test {
    test(OWNER, Compare::Eq, 0)
}

fn cell(address: u64, mode: Mode, role: Role) -> Target {
    Target::new(address, 8, mode).of(match role {
        Role::Lock if address == ATOMIC_SECTION => Role::EnterSection,
        Role::Unlock if address == ATOMIC_SECTION => Role::LeaveSection,
        other => other,
    })
}

fn attribute_init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.store(address, 4, Mode::Plain, 0)?;
    int(0)
}

fn attribute_set_type(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, kind) = (cx.arg(0), cx.arg(1) & 0xffff_ffff);
    if kind > LAST_KIND {
        return int(time::EINVAL);
    }
    cx.store(address, 4, Mode::Plain, kind)?;
    int(0)
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, attributes) = (cx.arg(0), cx.arg(1));
    let kind = if attributes == 0 { 0 } else { cx.load(attributes, 4, Mode::Plain)? };
    init_kind(cx, address, kind as u8)
}

/// Makes a mutex of a kind.
pub(crate) fn init_kind(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<u128, Stop> {
    must_not_lack(cx, address)?;
    let value = u64::from(kind) << 32;
    make(cx, address, value, OWNER, SyncObject::Mutex)?;
    if cx.vm.leaves_out_locks {
        cx.put(lasting(address, Mode::Plain).of(Role::Initialise), value | LIVE)?;
    }
    int(0)
}

/// Begins again if the thread would hold the mutex at `address`, but it was left out to take it: its cell does not say so.
fn must_not_lack(cx: &mut Cx<'_>, address: u64) -> Result<(), Stop> {
    if cx.vm.leaves_out_locks && held(cx, address)?.is_some_and(|held| held.left_out.is_some()) {
        return Err(cx.t.ask(Action::LockMatters(name_of(address))));
    }
    Ok(())
}

/// The word of a mutex that only making and ending it writes, if locks are left out.
fn lasting(address: u64, mode: Mode) -> Target {
    Target::new(address + 8, 8, mode).of(Role::Lock)
}

/// Makes an object whose cell holds `value` at first. One that is alive, or in use by those bits, must
/// not be made again.
pub(crate) fn make(
    cx: &mut Cx<'_>,
    address: u64,
    value: u64,
    in_use: u64,
    what: SyncObject,
) -> Result<(), Stop> {
    let before = cx.look(address, 8)?;
    if before & DESTROYED == 0 && before & (LIVE | in_use) != 0 {
        return Err(cx.misused(what, address, Misuse::InitialisedInUse));
    }
    cx.put(Target::new(address, 8, Mode::Plain).of(Role::Initialise), value | LIVE)
}

pub(crate) fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    must_not_lack(cx, address)?;
    let value = cx.load(address, 8, Mode::Plain)?;
    check_alive(cx, address, value, SyncObject::Mutex)?;
    if value & OWNER != 0 {
        return Err(cx.misused(SyncObject::Mutex, address, Misuse::DestroyedHeld));
    }
    end(cx, address, 8, DESTROYED)?;
    if cx.vm.leaves_out_locks {
        cx.put(lasting(address, Mode::Plain).of(Role::Destroy), DESTROYED)?;
    }
    int(0)
}

/// Ends an object: its cell holds `value` from now on.
pub(crate) fn end(cx: &mut Cx<'_>, address: u64, size: u8, value: u64) -> Result<(), Stop> {
    cx.put(Target::new(address, size, Mode::Plain).of(Role::Destroy), value)
}

/// Faults if a cell says that its object was destroyed.
pub(crate) fn check_alive(
    cx: &Cx<'_>,
    address: u64,
    value: u64,
    what: SyncObject,
) -> Result<(), Stop> {
    if value & DESTROYED != 0 {
        return Err(cx.misused(what, address, Misuse::Destroyed));
    }
    Ok(())
}

/// Likewise, of an object that must be initialised by a call, if that was never made.
pub(crate) fn check_made(
    cx: &Cx<'_>,
    address: u64,
    value: u64,
    what: SyncObject,
) -> Result<(), Stop> {
    check_alive(cx, address, value, what)?;
    if value & LIVE == 0 {
        return Err(cx.misused(what, address, Misuse::NeverInitialised));
    }
    Ok(())
}

/// The fault of giving a lock back that the thread does not hold.
pub(crate) fn not_held(cx: &Cx<'_>, address: u64) -> Stop {
    cx.fault(BadSync::NotHeld { thread: cx.t.id, lock: Address(address) })
}

/// Whether the thread holds the lock at `address`, as it was when the call began.
pub(crate) fn held(cx: &mut Cx<'_>, address: u64) -> Result<Option<Held>, Stop> {
    let packed = cx.step(|_, t| {
        let found = t.held.iter().find(|held| held.address == address);
        Ok(found.map_or(0, |held| {
            1 | u128::from(held.live) << 1
                | u128::from(held.library) << 2
                | u128::from(held.left_out.is_some()) << 3
                | u128::from(held.kind) << 8
                | u128::from(held.depth) << 32
        }))
    })?;
    Ok((packed != 0).then_some(Held {
        address,
        depth: (packed >> 32) as u32,
        kind: (packed >> 8) as u8,
        live: packed >> 1 & 1 == 1,
        library: packed >> 2 & 1 == 1,
        effects: (0, 0),
        left_out: (packed >> 3 & 1 == 1).then_some(0),
    }))
}

/// How many effects there were before the lock at `address` was taken, and right after.
pub(crate) fn effects_of(cx: &mut Cx<'_>, address: u64) -> Result<(u64, u64), Stop> {
    let packed = cx.step(|_, t| {
        let found = t.held.iter().find(|held| held.address == address);
        let (before, after) = found.map_or((0, u64::MAX), |held| held.effects);
        Ok(u128::from(after) << 64 | u128::from(before))
    })?;
    Ok((packed as u64, (packed >> 64) as u64))
}

/// The kind of a mutex whose cell holds `value`.
fn kind_of(cx: &mut Cx<'_>, address: u64, value: u64) -> Result<u8, Stop> {
    if value & LIVE != 0 || address < layout::GLOBALS {
        return Ok((value >> 32) as u8);
    }
    static_kind(cx, address, STATIC_KIND)
}

/// What a static initialiser put at an offset of the object at `address`.
pub(crate) fn static_kind(cx: &mut Cx<'_>, address: u64, offset: u64) -> Result<u8, Stop> {
    let program = &cx.vm.program;
    if let Some(id) = program.global_at(address) {
        let global = &program.globals[id.index()];
        let at = (address - global.address + offset) as usize;
        return Ok(global.bytes.get(at).copied().unwrap_or(0));
    }
    Ok(cx.look(address + offset, 4)? as u8)
}

/// Waits for the mutex at `address` and takes it, or leaves that out; an error code.
pub(crate) fn enter(cx: &mut Cx<'_>, address: u64) -> Result<i32, Stop> {
    const SITE: u128 = 1 << 64;
    if !cx.vm.leaves_out_locks {
        return acquire(cx, address, Patience::Wait);
    }
    let leaves_out = |vm: &Vm, t: &mut Thread| {
        let is_held = t.held.iter().any(|held| held.address == address);
        let site = vm.leaves_out_here(t, address).filter(|_| !is_held);
        Ok(site.map_or(0, |site| SITE | u128::from(site)))
    };
    let site = cx.step(leaves_out)?;
    if site == 0 {
        return acquire(cx, address, Patience::Wait);
    }
    let before = cx.step(|_, t| Ok(t.effects.into()))? as u64;
    let value = cx.get(lasting(address, Mode::Relaxed))?;
    check_alive(cx, address, value, SyncObject::Mutex)?;
    let kind = kind_of(cx, address, value)?;
    hold(cx, address, kind, value & LIVE != 0)?;
    cx.step(|_, t| {
        let after = t.effects;
        if let Some(held) = t.held.last_mut() {
            (held.effects, held.left_out) = ((before, after), Some(site as u64));
        }
        Ok(0)
    })?;
    Ok(0)
}

/// Takes the mutex at `address`; an error code, zero if it was taken.
pub(crate) fn acquire(cx: &mut Cx<'_>, address: u64, patience: Patience) -> Result<i32, Stop> {
    if let Some(held) = held(cx, address)? {
        match (held.kind, patience) {
            (RECURSIVE, _) => {
                set_depth(cx, address, held.depth + 1)?;
                return Ok(0);
            }
            (_, Patience::Weak) if held.library => {
                return Err(cx.fault(BadSync::LockedAgain(cx.t.id)));
            }
            (ERROR_CHECK, Patience::Wait | Patience::Timeout) => return Ok(EDEADLK),
            (_, Patience::Wait) => must_not_lack(cx, address)?,
            _ => return Ok(patience.failure()),
        }
    }
    let looks = cell(address, Mode::Relaxed, Role::TryLock);
    if patience == Patience::Weak && cx.fails_for_no_reason(looks, free_test())? {
        return Ok(EBUSY);
    }
    let before = cx.step(|_, t| Ok(t.effects.into()))? as u64;
    let owner = threads::handle(cx.t.id);
    let wait = patience.wait(Wait::Mutex);
    let role = if wait.is_some() { Role::Lock } else { Role::TryLock };
    let target = cell(address, Mode::Acquire, role);
    let (old, taken) = cx.update(target, RmwOp::Or, owner, Some(free_test()), wait)?;
    check_alive(cx, address, old, SyncObject::Mutex)?;
    if !taken {
        return Ok(patience.failure());
    }
    let kind = kind_of(cx, address, old)?;
    hold(cx, address, kind, old & LIVE != 0)?;
    cx.step(|_, t| {
        let after = t.effects;
        if let Some(held) = t.held.last_mut() {
            held.effects = (before, after);
        }
        Ok(0)
    })?;
    Ok(0)
}

/// Whether a function tells its caller that a lock is held by somebody else.
pub(crate) fn tells_held(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "pthread_mutex_trylock",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "mtx_trylock",
        "mtx_timedlock",
    ];
    NAMES.contains(&name)
}

/// Remembers a lock as held; `live` says that its cell was initialised by a call.
pub(crate) fn hold(cx: &mut Cx<'_>, address: u64, kind: u8, live: bool) -> Result<(), Stop> {
    cx.step(|vm, t| {
        t.effects += 1;
        let library = in_library(vm, t);
        let (effects, left_out) = ((0, u64::MAX), None);
        t.held.push(Held { address, depth: 1, kind, live, library, effects, left_out });
        Ok(0)
    })
    .map(drop)
}

/// Whether it is the C++ library that calls, for a mutex of its own.
fn in_library(vm: &Vm, t: &Thread) -> bool {
    let caller = t.frames.iter().rfind(|frame| !frame.native);
    !vm.library_locks.is_empty()
        && caller.is_some_and(|frame| vm.library_locks.binary_search(&frame.function).is_ok())
}

/// Whether a function of the C++ library locks mutexes of its own.
pub(crate) fn locks_library(name: &str) -> bool {
    (name.starts_with("_ZL") && name.contains("__gthread_mutex_"))
        || (name.starts_with("_ZStL") && name.contains("__glibcxx_rwlock_"))
        || name.starts_with("_ZNSt11timed_mutex")
}

/// Whether the thread holds a mutex of the C++ library, as `std::condition_variable` gives it back and
/// takes it again.
pub(crate) fn is_library(cx: &mut Cx<'_>, address: u64) -> Result<bool, Stop> {
    Ok(held(cx, address)?.is_some_and(|held| held.library))
}

pub(crate) fn set_depth(cx: &mut Cx<'_>, address: u64, depth: u32) -> Result<(), Stop> {
    cx.once(|t| {
        if depth == 0 {
            t.held.retain(|held| held.address != address);
        } else if let Some(held) = t.held.iter_mut().find(|held| held.address == address) {
            held.depth = depth;
        }
        0
    })
    .map(drop)
}

/// Whether the thread neither holds the mutex at `address` nor may wait with it, but is only told so.
pub(crate) fn refuses(cx: &mut Cx<'_>, address: u64) -> Result<bool, Stop> {
    if held(cx, address)?.is_some() {
        return Ok(false);
    }
    let value = cx.load(address, 8, Mode::Relaxed)?;
    check_alive(cx, address, value, SyncObject::Mutex)?;
    Ok(kind_of(cx, address, value)? == ERROR_CHECK)
}

/// Gives the mutex at `address` back; an error code.
pub(crate) fn release(cx: &mut Cx<'_>, address: u64) -> Result<i32, Stop> {
    let Some(held) = held(cx, address)? else {
        let value = cx.load(address, 8, Mode::Relaxed)?;
        check_alive(cx, address, value, SyncObject::Mutex)?;
        if matches!(kind_of(cx, address, value)?, RECURSIVE | ERROR_CHECK) {
            return Ok(EPERM);
        }
        return Err(not_held(cx, address));
    };
    let (before, after) = effects_of(cx, address)?;
    let idle = cx.step(|_, t| Ok((t.effects == after).into()))? == 1;
    let is_left_out = held.left_out.is_some();
    if is_left_out && held.depth == 1 {
        let value = cx.get(lasting(address, Mode::Relaxed))?;
        check_alive(cx, address, value, SyncObject::Mutex)?;
    }
    set_depth(cx, address, held.depth - 1)?;
    if held.depth == 1 {
        if !is_left_out {
            let value = if held.live { u64::from(held.kind) << 32 | LIVE } else { 0 };
            cx.put(cell(address, Mode::Release, Role::Unlock), value)?;
        }
        if idle && !cx.vm.tells_held {
            cx.step(|_, t| {
                t.effects = before;
                Ok(0)
            })?;
        }
    }
    Ok(0)
}

pub(crate) fn lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(enter(cx, address)?)
}

fn try_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let patience = attempt(cx);
    int(acquire(cx, address, patience)?)
}

/// How a lock is tried: the standard of C++ allows its mutexes to fail for no reason.
pub(crate) fn attempt(cx: &Cx<'_>) -> Patience {
    if in_library(cx.vm, cx.t) { Patience::Weak } else { Patience::Try }
}

fn timed_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    lock_until(cx, cx.arg(1))
}

fn clock_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    lock_until(cx, cx.arg(2))
}

fn lock_until(cx: &mut Cx<'_>, limit: u64) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(time::limited(cx, limit, |cx| acquire(cx, address, Patience::Timeout))?)
}

pub(crate) fn unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(release(cx, address)?)
}

/// Takes `address` off the list of held locks if it is there with this kind; whether its cell was
/// initialised by a call.
pub(crate) fn unhold(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<Option<bool>, Stop> {
    let found = cx.once(|t| {
        let index = t.held.iter().position(|held| held.address == address && held.kind == kind);
        let Some(index) = index else { return 0 };
        1 | u128::from(t.held.remove(index).live) << 1
    })?;
    Ok((found != 0).then_some(found >> 1 == 1))
}

/// Whether the thread holds the lock at `address` with this kind.
pub(crate) fn holds(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<bool, Stop> {
    let found = cx.step(|_, t| {
        let is = |held: &Held| held.address == address && held.kind == kind;
        Ok(t.held.iter().any(is).into())
    })?;
    Ok(found == 1)
}
