//! Thread-specific values.
//!
//! A key is a 32-bit number that carries its destructor, so that every thread knows it without
//! shared state: bits 14 and up are the number of the destructor plus one (zero for none; functions with
//! a body first, then those of the runtime), bits 8 to 13 the creating thread, the low bits its number
//! among that thread's keys.

use super::context::int;
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::{FaultKind, Mode};
use norn_program::{ExternalId, FunctionId, Program};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("pthread_key_create", "makes a key for thread-specific values", create),
    ("pthread_key_delete", "forgets a key", delete),
    ("pthread_setspecific", "sets this thread's value of a key", set),
    ("pthread_getspecific", "this thread's value of a key", get),
    ("tss_create", "makes a key for thread-specific values", create),
    ("tss_delete", "forgets a key", delete),
    ("tss_set", "sets this thread's value of a key", set),
    ("tss_get", "this thread's value of a key", get),
];

/// Rounds of destructors at the end of a thread.
const ROUNDS: u32 = 4;

fn create(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (out, destructor) = (cx.arg(0), cx.arg(1));
    let program = &cx.vm.program;
    let function = if destructor == 0 {
        0
    } else if let Some(id) = program.function_at(destructor) {
        u64::from(id.0) + 1
    } else if let Some(id) = program.external_at(destructor) {
        (program.functions.len() + id.index()) as u64 + 1
    } else {
        let text = "the destructor of a key is no function";
        return Err(cx.fault(FaultKind::WildPointer, text));
    };
    let serial = cx.once(|t| {
        let rest = t.rest_mut();
        rest.next_key += 1;
        u128::from(rest.next_key - 1)
    })? as u64;
    if serial >= 1 << 8 || cx.t.id.0 >= 1 << 6 || function >= 1 << 18 {
        return Err(cx.unsupported("too many keys, threads or functions for keys"));
    }
    let key = function << 14 | u64::from(cx.t.id.0) << 8 | serial;
    cx.store(out, 4, Mode::Plain, key)?;
    int(0)
}

fn delete(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let key = cx.arg(0) as u32;
    cx.once(|t| {
        t.rest_mut().keys.retain(|entry| entry.0 != key);
        0
    })?;
    int(0)
}

fn set(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (key, value) = (cx.arg(0) as u32, cx.arg(1));
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
    cx.step(|_, t| {
        let found = t.rest.keys.iter().find(|entry| entry.0 == key);
        Ok(found.map_or(0, |entry| entry.1.into()))
    })
}

/// The address of the destructor with a number.
fn destructor_address(cx: &Cx<'_>, number: u32) -> u64 {
    let functions = cx.vm.program.functions.len() as u32;
    match number.checked_sub(functions) {
        None => Program::function_address(FunctionId(number)),
        Some(external) => Program::external_address(ExternalId(external)),
    }
}

/// Calls the destructors of values that are not null, as a thread ends.
pub(crate) fn run_destructors(cx: &mut Cx<'_>) -> Result<(), Stop> {
    for _ in 0..ROUNDS {
        let mut called = false;
        loop {
            let next = cx.step(|_, t| {
                let ready = |entry: &(u32, u64)| entry.0 >> 14 != 0 && entry.1 != 0;
                let Some(index) = t.rest.keys.iter().position(ready) else { return Ok(0) };
                let (key, value) = std::mem::take(&mut t.rest_mut().keys[index]);
                t.effects += 1;
                Ok(u128::from(value) << 64 | u128::from(key))
            })?;
            if next == 0 {
                break;
            }
            called = true;
            cx.call(destructor_address(cx, (next as u32 >> 14) - 1), &[(next >> 64) as u64])?;
        }
        if !called {
            break;
        }
    }
    Ok(())
}
