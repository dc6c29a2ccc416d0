//! What programs ask the kernel for without a function of its own, and what they ask of the machine that they run on.

use super::context::int;
use super::{Cx, Entry, futex, threads, time};
use crate::thread::Stop;
use norn_action::{Mode, Obstacle};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (SYSCALL, "futex, getrandom, gettid, getpid, sched_yield, membarrier", syscall),
    ("gettid", "the number of this thread, from 1", thread_id),
    ("getrandom", "bytes that are the same in each execution", getrandom),
    ("getentropy", "bytes that are the same in each execution", getentropy),
    ("getauxval", "always 0: nothing is known of the machine", threads::nothing),
    ("sched_getcpu", "always 0", threads::nothing),
    ("sched_get_priority_max", "always 0", threads::nothing),
    ("sched_get_priority_min", "always 0", threads::nothing),
    ("poll", "without files: sleeps", poll),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] =
    &["gettid", "getauxval", "sched_getcpu", "sched_get_priority_max", "sched_get_priority_min"];

pub(crate) const SYSCALL: &str = "syscall";

/// The numbers of system calls: on 64-bit Arm, and on x86-64.
struct Numbers {
    futex: u64,
    getrandom: u64,
    gettid: u64,
    getpid: u64,
    sched_yield: u64,
    membarrier: u64,
}

const NUMBERS: Numbers = if cfg!(target_arch = "aarch64") {
    Numbers {
        futex: 98,
        getrandom: 278,
        gettid: 178,
        getpid: 172,
        sched_yield: 124,
        membarrier: 283,
    }
} else {
    Numbers {
        futex: 202,
        getrandom: 318,
        gettid: 186,
        getpid: 39,
        sched_yield: 24,
        membarrier: 324,
    }
};

/// Most bytes that are asked for at once.
const MOST_ENTROPY: u64 = 256;
const EIO: i32 = 5;

fn syscall(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    match cx.arg(0) {
        number if number == NUMBERS.futex => futex::call(cx),
        number if number == NUMBERS.getrandom => random_bytes(cx, cx.arg(1), cx.arg(2)),
        number if number == NUMBERS.gettid => thread_id(cx),
        number if number == NUMBERS.getpid => int(1),
        number if number == NUMBERS.sched_yield => int(0),
        number if number == NUMBERS.membarrier => membarrier(cx),
        number => Err(cx.unsupported(Obstacle::SystemCall(number))),
    }
}

fn thread_id(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int(cx.t.id.0 as i32 + 1)
}

/// Says that it can do nothing: then programs make fences of their own.
fn membarrier(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    const QUERY: u64 = 0;
    const ENOSYS: i32 = 38;
    if cx.arg(1) & 0xffff_ffff == QUERY {
        return int(0);
    }
    cx.set_errno(ENOSYS)?;
    Ok(u128::from(u64::MAX))
}

fn getrandom(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    random_bytes(cx, cx.arg(0), cx.arg(1))
}

fn getentropy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if cx.arg(1) > MOST_ENTROPY {
        cx.set_errno(EIO)?;
        return int(-1);
    }
    random_bytes(cx, cx.arg(0), cx.arg(1))?;
    int(0)
}

/// The same for each thread in each call: who needs others gives them itself.
fn random_bytes(cx: &mut Cx<'_>, buffer: u64, length: u64) -> Result<u128, Stop> {
    for i in 0..length {
        let byte = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        cx.store(buffer + i, 1, Mode::Plain, byte)?;
    }
    Ok(length.into())
}

/// There are no files: whoever waits for some is not understood.
fn poll(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if cx.arg(1) != 0 {
        return Err(cx.unsupported(Obstacle::UnknownFunction("poll".into())));
    }
    let milliseconds = cx.arg(2) as i32;
    time::slept(cx, milliseconds.max(0) as u64 * 1_000_000)?;
    int(0)
}
