//! Thread-specific values.
//!
//! A key is a 32-bit number that carries its destructor, so that every thread knows it: bits 14 and up are
//! the number of the destructor plus two (one for none; functions with a body first, then those of the
//! runtime), the low 10 bits its slot, those between how often the slot was used before. So zero is no key,
//! and no number names two keys.
//!
//! Each slot has a cell that counts: it is odd while there is a key. Who makes a key looks for a free slot
//! from a place of its own, so that threads do not meet there. The cell is read by those who use a key only
//! in programs that delete keys; a key that was deleted must not be used, and has no destructor any more.

use super::context::{int, test};
use super::{Cx, Entry};
use crate::access::Target;
use crate::thread::{Stop, Thread};
use crate::vm::KEYS;
use norn_action::{BadCall, BadSync, Compare, Mode, Obstacle, RmwOp};
use norn_program::{ExternalId, FunctionId, Program};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_key_create", "makes a key for thread-specific values", create),
    ("pthread_key_delete", "ends a key; its use afterwards is a fault", delete),
    ("pthread_setspecific", "sets this thread's value of a key", set),
    ("pthread_getspecific", "this thread's value of a key", get),
    ("tss_create", "makes a key for thread-specific values", tss_create),
    ("tss_delete", "ends a key; its use afterwards is a fault", delete),
    ("tss_set", "sets this thread's value of a key", set),
    ("tss_get", "this thread's value of a key", get),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    "pthread_key_delete",
    "pthread_setspecific",
    "pthread_getspecific",
    "tss_delete",
    "tss_set",
    "tss_get",
];

/// Rounds of destructors at the end of a thread.
const ROUNDS: u32 = 4;
/// PTHREAD_KEYS_MAX
const SLOTS: u64 = 1024;
/// Slots that a thread finds free if threads make few keys.
const OWN_SLOTS: u64 = 16;
/// Bits of a key below the number of its destructor.
const DESTRUCTOR: u32 = 14;
/// Keys that a slot can have had.
const USES: u64 = 16;
/// Bytes of the cells of all slots.
pub(crate) const KEYS_SIZE: u64 = 2 * SLOTS;

const EAGAIN: i32 = 11;
const THRD_ERROR: i32 = 2;

/// Whether a function makes keys.
pub(crate) fn makes_keys(name: &str) -> bool {
    ["pthread_key_create", "tss_create"].contains(&name)
}

/// Whether a function ends keys.
pub(crate) fn deletes_keys(name: &str) -> bool {
    ["pthread_key_delete", "tss_delete"].contains(&name)
}

fn cell(slot: u64) -> Target {
    Target::new(KEYS + 2 * slot, 2, Mode::Relaxed)
}

fn create(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int(if make(cx)? { 0 } else { EAGAIN })
}

fn tss_create(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int(if make(cx)? { 0 } else { THRD_ERROR })
}

/// Makes a key, if a slot is free.
fn make(cx: &mut Cx<'_>) -> Result<bool, Stop> {
    let (out, destructor) = (cx.arg(0), cx.arg(1));
    let number = destructor_number(cx, destructor)?;
    let serial = cx.once(|t| {
        let rest = t.rest_mut();
        rest.next_key += 1;
        u128::from(rest.next_key - 1)
    })? as u64;
    let first = OWN_SLOTS * u64::from(cx.t.id.0) + serial;
    for slot in (first..first + SLOTS).map(|slot| slot % SLOTS) {
        let free = Some(test(1, Compare::Eq, 0));
        let (old, taken) = cx.update(cell(slot), RmwOp::Add, 1, free, None)?;
        if !taken {
            continue;
        }
        if old / 2 >= USES || number >= 1 << (32 - DESTRUCTOR) {
            return Err(cx.unsupported(Obstacle::TooManyKeys));
        }
        let low = old / 2 * SLOTS + slot;
        let key = number << DESTRUCTOR | low;
        cx.store(out, 4, Mode::Plain, key)?;
        return Ok(true);
    }
    Ok(false)
}

fn destructor_number(cx: &Cx<'_>, destructor: u64) -> Result<u64, Stop> {
    let program = &cx.vm.program;
    if destructor == 0 {
        Ok(1)
    } else if let Some(id) = program.function_at(destructor) {
        Ok(u64::from(id.0) + 2)
    } else if let Some(id) = program.external_at(destructor) {
        Ok((program.functions.len() + id.index()) as u64 + 2)
    } else {
        Err(cx.fault(BadCall::NoDestructor))
    }
}

/// The slot of a key, and what its cell counts while there is the key.
fn slot_of(key: u32) -> (u64, u64) {
    let low = u64::from(key) & ((1 << DESTRUCTOR) - 1);
    (low % SLOTS, low / SLOTS * 2 + 1)
}

/// Whether a key was deleted, as far as this thread knows.
fn is_gone(cx: &mut Cx<'_>, key: u32) -> Result<bool, Stop> {
    if !cx.vm.deletes_keys {
        return Ok(false);
    }
    let (slot, alive) = slot_of(key);
    Ok(cx.get(cell(slot))? > alive)
}

/// Faults if a number is no key, or that of a key that was deleted.
fn check(cx: &mut Cx<'_>, key: u32) -> Result<(), Stop> {
    if key >> DESTRUCTOR == 0 {
        return Err(cx.fault(BadSync::NoKey(key)));
    }
    if is_gone(cx, key)? { Err(deleted(cx)) } else { Ok(()) }
}

fn deleted(cx: &Cx<'_>) -> Stop {
    cx.fault(BadSync::KeyDeleted)
}

fn delete(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let key = cx.arg(0) as u32;
    check(cx, key)?;
    let (slot, alive) = slot_of(key);
    let there = Some(test(0xffff, Compare::Eq, alive));
    let (old, _) = cx.update(cell(slot), RmwOp::Add, 1, there, None)?;
    if old > alive {
        return Err(deleted(cx));
    }
    cx.once(|t| {
        t.rest_mut().keys.retain(|entry| entry.0 != key);
        0
    })?;
    int(0)
}

fn set(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (key, value) = (cx.arg(0) as u32, cx.arg(1));
    check(cx, key)?;
    cx.once(|t| {
        let keys = &mut t.rest_mut().keys;
        match keys.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => entry.1 = value,
            None => keys.push((key, value)),
        }
        0
    })?;
    int(0)
}

fn get(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let key = cx.arg(0) as u32;
    check(cx, key)?;
    cx.step(|_, t| {
        let found = t.rest.keys.iter().find(|entry| entry.0 == key);
        Ok(found.map_or(0, |entry| entry.1.into()))
    })
}

/// The address of the destructor of a key that has one.
fn destructor_address(cx: &Cx<'_>, key: u32) -> u64 {
    let number = (key >> DESTRUCTOR) - 2;
    let functions = cx.vm.program.functions.len() as u32;
    match number.checked_sub(functions) {
        None => Program::function_address(FunctionId(number)),
        Some(external) => Program::external_address(ExternalId(external)),
    }
}

/// Calls the destructors of values that are not null, as a thread ends: in rounds, and in each of them in
/// any order, which POSIX leaves open. A destructor may set its value again; that is for the next round.
pub(crate) fn run_destructors(cx: &mut Cx<'_>) -> Result<(), Stop> {
    for _ in 0..ROUNDS {
        let mut called = Vec::new();
        loop {
            let count = cx.step(|_, t| Ok(due(t, &called).count() as u128))?;
            if count == 0 {
                break;
            }
            let chosen = cx.choose(count as u64)? as usize;
            let next = cx.step(|_, t| {
                let index = due(t, &called).nth(chosen).expect("one of those that are due");
                let (key, value) = t.rest.keys[index];
                t.rest_mut().keys[index].1 = 0;
                t.effects += 1;
                Ok(u128::from(value) << 64 | (index as u128) << 32 | u128::from(key))
            })?;
            called.push((next >> 32) as u32 as usize);
            let key = next as u32;
            if !is_gone(cx, key)? {
                cx.call(destructor_address(cx, key), &[(next >> 64) as u64])?;
            }
        }
        if called.is_empty() {
            break;
        }
    }
    Ok(())
}

/// The values whose destructors are to be called in a round in which those of `called` were.
fn due<'t>(t: &'t Thread, called: &'t [usize]) -> impl Iterator<Item = usize> + 't {
    let ready = |entry: &(u32, u64)| entry.0 >> DESTRUCTOR > 1 && entry.1 != 0;
    let values = t.rest.keys.iter().enumerate().filter(move |(_, entry)| ready(entry));
    values.map(|(index, _)| index).filter(|index| !called.contains(index))
}
