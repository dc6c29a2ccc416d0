//! Barriers.
//!
//! One 8-byte cell holds how many threads meet, with bit 61 set while the barrier is alive and bit 62
//! once it was destroyed; the meeting itself is [`Action::BarrierArrive`] and [`Action::BarrierLeave`]. A
//! round is counted by the thread: how often it has arrived at this barrier before.
//!
//! Any of the threads that meet may be the serial one. In programs that use the result of a call, they
//! decide that by a read-modify-write of a second cell: as many executions as there are threads. They do so
//! before they meet: afterwards any of them may destroy the barrier at once, and free its memory.

use super::context::{int, test};
use super::mutex::{DESTROYED, LIVE, check_made, make};
use super::{Cx, Entry, threads};
use crate::access::Target;
use crate::thread::Stop;
use norn_action::{Action, Address, Barrier, Compare, Mode, RmwOp, Stuck, SyncObject, SyncState};
use norn_program::{ExternalId, Instruction, Program};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_barrier_init", "makes a barrier for a number of threads", init),
    ("pthread_barrier_destroy", "ends a barrier; its use afterwards is a fault", destroy),
    (WAIT, "waits until that many threads have come", wait),
    ("pthread_barrierattr_init", "accepted; has no effect", threads::nothing),
    ("pthread_barrierattr_destroy", "accepted; has no effect", threads::nothing),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &["pthread_barrierattr_destroy", "pthread_barrierattr_init"];

const COUNT: u64 = 0xffff_ffff;
const EINVAL: i32 = 22;
const WAIT: &str = "pthread_barrier_wait";
/// PTHREAD_BARRIER_SERIAL_THREAD
const SERIAL: i32 = -1;
/// Offset of the cell that counts the rounds whose serial thread is known.
const ROUNDS: u64 = 8;

/// What a cell says.
pub(crate) fn state(cell: u64) -> SyncState {
    match (cell & DESTROYED != 0, cell & LIVE != 0) {
        (true, _) => SyncState::Destroyed,
        (false, false) => SyncState::NeverInitialised,
        (false, true) => SyncState::Meets(cell & COUNT),
    }
}

fn init(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, count) = (cx.arg(0), cx.arg(2) & COUNT);
    if count == 0 {
        return int(EINVAL);
    }
    make(cx, address, count, 0, SyncObject::Barrier)?;
    cx.store(address + ROUNDS, 8, Mode::Plain, 0)?;
    int(0)
}

fn destroy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_made(cx, address, value, SyncObject::Barrier)?;
    cx.store(address, 8, Mode::Plain, DESTROYED)?;
    int(0)
}

fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let value = cx.load(address, 8, Mode::Plain)?;
    check_made(cx, address, value, SyncObject::Barrier)?;
    let count = value as u32;
    if count == 1 {
        return int(SERIAL);
    }
    let round = cx.once(|t| {
        let rounds = &mut t.rest_mut().barriers;
        match rounds.iter_mut().find(|entry| entry.0 == address) {
            Some(entry) => {
                entry.1 += 1;
                entry.1.into()
            }
            None => {
                rounds.push((address, 0));
                0
            }
        }
    })?;
    let serial = cx.vm.serial_threads && is_serial(cx, address, round as u64)?;
    let place = cx.t.place();
    let barrier = Barrier { address: Address(address), count, round: round as u32, place };
    cx.step(|_, t| publish_before_meeting(t, address).map(|()| 0))?;
    cx.act(Action::BarrierArrive(barrier))?;
    cx.act(Action::BarrierLeave(barrier))?;
    int(if serial { SERIAL } else { 0 })
}

/// Whether somebody asks who the serial thread of a barrier is.
pub(crate) fn asks_for_serial(program: &Program) -> bool {
    let is_wait = |id: ExternalId| program.externals[id.index()].name == WAIT;
    program.code.iter().any(|instruction| match *instruction {
        Instruction::CallExternal { external, results, .. } => results > 0 && is_wait(external),
        Instruction::CallIndirect { .. } => true,
        _ => false,
    }) && program.externals.iter().any(|external| external.name == WAIT)
}

/// Whether this thread is the one of a round that is told so: whoever comes first to the cell that
/// counts the rounds. Any of them may; the others find the round counted.
fn is_serial(cx: &mut Cx<'_>, address: u64, round: u64) -> Result<bool, Stop> {
    let target = Target::new(address + ROUNDS, 8, Mode::Relaxed);
    let uncounted = Some(test(u64::MAX, Compare::Ule, round));
    let (_, first) = cx.update(target, RmwOp::Exchange, round + 1, uncounted, None)?;
    Ok(first)
}

/// A barrier in private memory has nobody else to meet, but an explorer must know the object.
fn publish_before_meeting(t: &mut crate::thread::Thread, address: u64) -> Result<(), Stop> {
    if !t.memory.shared {
        return Err(t.fault(Stuck::LonelyBarrier(Address(address))));
    }
    t.before_escape_of_words(&[address])
}
