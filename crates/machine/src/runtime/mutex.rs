//! Mutexes and spin locks.
//!
//! A mutex is one 8-byte cell at its address: the low 32 bits are the owner's id plus one, or zero
//! when it is free; bits 32 to 39 are its kind (0 normal, 1 recursive, 2 error-checking); bit 62 is
//! set once it was destroyed. The static initialiser, all zero, is a free normal mutex. A spin lock is
//! the low 4 bytes of that.
//!
//! Locking is a read-modify-write that waits for the owner to be zero; unlocking is a store. The
//! thread remembers which mutexes it holds and how often, so that recursion costs no action and an
//! unlock of a mutex that is not held is found at once.
//!
//! A timed lock is a lock that does not wait: it fails exactly where a waiting one would have had
//! to, and an execution in which it waited and got the lock in time is the one in which it came later.

use super::context::{int, test};
use super::{Cx, Entry, threads};
use crate::access::Target;
use crate::thread::{Held, Stop};
use norn_action::{Compare, FaultKind, Mode, RmwOp, Test, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_mutex_init", "makes a mutex; the type of the attributes counts", init),
    ("pthread_mutex_destroy", "ends a mutex; its use afterwards is a fault", destroy),
    ("pthread_mutex_lock", "waits for a mutex and takes it", lock),
    ("pthread_mutex_trylock", "takes a mutex if it is free", try_lock),
    ("pthread_mutex_timedlock", "takes a mutex, or times out if it is not free", timed_lock),
    ("pthread_mutex_clocklock", "takes a mutex, or times out if it is not free", timed_lock),
    ("pthread_mutex_unlock", "gives a mutex back", unlock),
    ("pthread_mutexattr_init", "attributes of a normal mutex", attribute_init),
    ("pthread_mutexattr_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_mutexattr_settype", "normal, recursive or error-checking", attribute_set_type),
    ("pthread_mutexattr_setpshared", "accepted; has no effect", threads::nothing),
    ("pthread_mutexattr_setprotocol", "accepted; has no effect", threads::nothing),
    ("pthread_spin_init", "makes a spin lock", spin_init),
    ("pthread_spin_destroy", "accepted; has no effect", threads::nothing),
    ("pthread_spin_lock", "waits for a spin lock and takes it", spin_lock),
    ("pthread_spin_trylock", "takes a spin lock if it is free", spin_try_lock),
    ("pthread_spin_unlock", "gives a spin lock back", spin_unlock),
];

const OWNER: u64 = 0xffff_ffff;
pub(crate) const DESTROYED: u64 = 1 << 62;
const RECURSIVE: u8 = 1;
const ERROR_CHECK: u8 = 2;
/// The kind under which spin locks are remembered.
const SPIN: u8 = 0xe0;

const EPERM: i32 = 1;
const EBUSY: i32 = 16;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;

/// How a lock is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    Wait,
    Try,
    Timeout,
}

impl Patience {
    /// The code returned when the lock is not free.
    pub(crate) fn failure(self) -> i32 {
        if self == Patience::Timeout { ETIMEDOUT } else { EBUSY }
    }

    pub(crate) fn wait(self, wait: Wait) -> Option<Wait> {
        (self == Patience::Wait).then_some(wait)
    }
}

fn free_test() -> Test {
    test(OWNER, Compare::Eq, 0)
}

fn cell(address: u64, mode: Mode) -> Target {
    Target::new(address, 8, mode)
}

fn attribute_init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.store(address, 4, Mode::Plain, 0)?;
    int(0)
}

fn attribute_set_type(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, kind) = (cx.arg(0), cx.arg(1));
    cx.store(address, 4, Mode::Plain, kind & 0xff)?;
    int(0)
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, attributes) = (cx.arg(0), cx.arg(1));
    let kind = if attributes == 0 { 0 } else { cx.load(attributes, 4, Mode::Plain)? };
    init_kind(cx, address, kind as u8)
}

/// Makes a mutex of a kind.
pub(crate) fn init_kind(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<u128, Stop> {
    cx.store(address, 8, Mode::Plain, u64::from(kind) << 32)?;
    int(0)
}

pub(crate) fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_alive(cx, address, value, "mutex")?;
    if value & OWNER != 0 {
        let text = format!("the mutex {} is destroyed while it is held", cx.name(address));
        return Err(cx.fault(FaultKind::InvalidSync, text));
    }
    cx.store(address, 8, Mode::Plain, DESTROYED)?;
    int(0)
}

/// Faults if a cell says that its object was destroyed.
pub(crate) fn check_alive(cx: &Cx<'_>, address: u64, value: u64, what: &str) -> Result<(), Stop> {
    if value & DESTROYED != 0 {
        let text = format!("the {what} {} was destroyed before", cx.name(address));
        return Err(cx.fault(FaultKind::InvalidSync, text));
    }
    Ok(())
}

/// Whether the thread holds the lock at `address`, as it was when the call began.
fn held(cx: &mut Cx<'_>, address: u64) -> Result<Option<Held>, Stop> {
    let packed = cx.step(|_, t| {
        let found = t.held.iter().find(|held| held.address == address);
        Ok(found.map_or(0, |held| 1 | u128::from(held.kind) << 8 | u128::from(held.depth) << 32))
    })?;
    Ok((packed != 0).then_some(Held {
        address,
        depth: (packed >> 32) as u32,
        kind: (packed >> 8) as u8,
    }))
}

/// Takes the mutex at `address`; an error code, zero if it was taken.
pub(crate) fn acquire(cx: &mut Cx<'_>, address: u64, patience: Patience) -> Result<i32, Stop> {
    if let Some(held) = held(cx, address)? {
        match (held.kind, patience) {
            (RECURSIVE, _) => {
                set_depth(cx, address, held.depth + 1)?;
                return Ok(0);
            }
            (ERROR_CHECK, Patience::Wait) => return Ok(EDEADLK),
            (_, Patience::Wait) => {}
            _ => return Ok(patience.failure()),
        }
    }
    let owner = threads::handle(cx.t.id);
    let target = cell(address, Mode::Acquire);
    let wait = patience.wait(Wait::Mutex);
    let (old, taken) = cx.update(target, RmwOp::Or, owner, Some(free_test()), wait)?;
    check_alive(cx, address, old, "mutex")?;
    if !taken {
        return Ok(patience.failure());
    }
    hold(cx, address, (old >> 32) as u8)?;
    Ok(0)
}

/// Remembers a lock as held.
pub(crate) fn hold(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<(), Stop> {
    cx.once(|t| {
        t.held.push(Held { address, depth: 1, kind });
        0
    })
    .map(drop)
}

fn set_depth(cx: &mut Cx<'_>, address: u64, depth: u32) -> Result<(), Stop> {
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

/// Gives the mutex at `address` back; an error code.
pub(crate) fn release(cx: &mut Cx<'_>, address: u64) -> Result<i32, Stop> {
    let Some(held) = held(cx, address)? else {
        let value = cx.load(address, 8, Mode::Relaxed)?;
        check_alive(cx, address, value, "mutex")?;
        if (value >> 32) as u8 == ERROR_CHECK {
            return Ok(EPERM);
        }
        let text = format!("{} unlocks {} but does not hold it", cx.t.id, cx.name(address));
        return Err(cx.fault(FaultKind::UnlockNotHeld, text));
    };
    set_depth(cx, address, held.depth - 1)?;
    if held.depth == 1 {
        cx.store(address, 8, Mode::Release, u64::from(held.kind) << 32)?;
    }
    Ok(0)
}

pub(crate) fn lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(acquire(cx, address, Patience::Wait)?)
}

fn try_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(acquire(cx, address, Patience::Try)?)
}

fn timed_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(acquire(cx, address, Patience::Timeout)?)
}

pub(crate) fn unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    int(release(cx, address)?)
}

fn spin_init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.store(address, 4, Mode::Plain, 0)?;
    int(0)
}

fn spin_acquire(cx: &mut Cx<'_>, patience: Patience) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let target = Target::new(address, 4, Mode::Acquire);
    let owner = threads::handle(cx.t.id);
    let wait = patience.wait(Wait::Mutex);
    let (_, taken) = cx.update(target, RmwOp::Or, owner, Some(free_test()), wait)?;
    if !taken {
        return int(patience.failure());
    }
    hold(cx, address, SPIN)?;
    int(0)
}

fn spin_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    spin_acquire(cx, Patience::Wait)
}

fn spin_try_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    spin_acquire(cx, Patience::Try)
}

fn spin_unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    if held(cx, address)?.is_none() {
        let text = format!("{} unlocks {} but does not hold it", cx.t.id, cx.name(address));
        return Err(cx.fault(FaultKind::UnlockNotHeld, text));
    }
    set_depth(cx, address, 0)?;
    cx.store(address, 4, Mode::Release, 0)?;
    int(0)
}

/// Takes `address` off the list of held locks if it is there with this kind; its depth before.
pub(crate) fn unhold(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<u32, Stop> {
    let depth = cx.once(|t| {
        let index = t.held.iter().position(|held| held.address == address && held.kind == kind);
        let Some(index) = index else { return 0 };
        let depth = t.held[index].depth;
        t.held.remove(index);
        depth.into()
    })?;
    Ok(depth as u32)
}

/// Whether the thread holds the lock at `address` with this kind.
pub(crate) fn holds(cx: &mut Cx<'_>, address: u64, kind: u8) -> Result<bool, Stop> {
    let found = cx.step(|_, t| {
        let is = |held: &Held| held.address == address && held.kind == kind;
        Ok(t.held.iter().any(is).into())
    })?;
    Ok(found == 1)
}
