//! Spin locks.
//!
//! One 4-byte cell: the low 16 bits are the owner's id plus one, or zero when it is free; bit 30 is set while
//! the lock is initialised, bit 31 once it was destroyed. POSIX has no static initialiser for them.

use super::context::{int, test};
use super::mutex::{self, Patience};
use super::{Cx, Entry, threads};
use crate::access::Target;
use crate::thread::Stop;
use norn_action::{Compare, Misuse, Mode, RmwOp, Role, SyncObject, SyncState, Wait};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_spin_init", "makes a spin lock", init),
    ("pthread_spin_destroy", "ends a spin lock; its use afterwards is a fault", destroy),
    ("pthread_spin_lock", "waits for a spin lock and takes it", lock),
    ("pthread_spin_trylock", "takes a spin lock if it is free", try_lock),
    ("pthread_spin_unlock", "gives a spin lock back", unlock),
];

const OWNER: u64 = 0xffff;
const LIVE: u64 = 1 << 30;
const DESTROYED: u64 = 1 << 31;
/// The kind under which spin locks are remembered.
const SPIN: u8 = 0xe0;

/// What a cell says.
pub(crate) fn state(cell: u64) -> SyncState {
    match cell & OWNER {
        _ if cell & DESTROYED != 0 => SyncState::Destroyed,
        _ if cell & LIVE == 0 => SyncState::NeverInitialised,
        0 => SyncState::Free,
        owner => SyncState::Held(threads::of_handle(owner)),
    }
}

fn wrong(cx: &Cx<'_>, how: Misuse) -> Stop {
    cx.misused(SyncObject::SpinLock, cx.arg(0), how)
}

/// Faults if a cell is that of no spin lock.
fn check(cx: &Cx<'_>, value: u64) -> Result<(), Stop> {
    match value {
        _ if value & DESTROYED != 0 => Err(wrong(cx, Misuse::Destroyed)),
        _ if value & LIVE == 0 => Err(wrong(cx, Misuse::NeverInitialised)),
        _ => Ok(()),
    }
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let before = cx.look(address, 4)?;
    if before & LIVE != 0 && before & DESTROYED == 0 {
        return Err(wrong(cx, Misuse::InitialisedInUse));
    }
    cx.put(Target::new(address, 4, Mode::Plain).of(Role::Initialise), LIVE)?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 4, Mode::Plain)?;
    check(cx, value)?;
    if value & OWNER != 0 {
        return Err(wrong(cx, Misuse::DestroyedHeld));
    }
    mutex::end(cx, address, 4, DESTROYED)?;
    int(0)
}

fn acquire(cx: &mut Cx<'_>, patience: Patience) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let owner = threads::handle(cx.t.id);
    let wait = patience.wait(Wait::Mutex);
    let role = if wait.is_some() { Role::Lock } else { Role::TryLock };
    let target = Target::new(address, 4, Mode::Acquire).of(role);
    let free = Some(test(OWNER, Compare::Eq, 0));
    let (old, taken) = cx.update(target, RmwOp::Or, owner, free, wait)?;
    check(cx, old)?;
    if !taken {
        return int(patience.failure());
    }
    mutex::hold(cx, address, SPIN, true)?;
    int(0)
}

fn lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    acquire(cx, Patience::Wait)
}

fn try_lock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    acquire(cx, Patience::Try)
}

fn unlock(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    if mutex::held(cx, address)?.is_none() {
        return Err(mutex::not_held(cx, address));
    }
    mutex::set_depth(cx, address, 0)?;
    cx.put(Target::new(address, 4, Mode::Release).of(Role::Unlock), LIVE)?;
    int(0)
}
