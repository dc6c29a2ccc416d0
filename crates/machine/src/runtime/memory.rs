//! Copying, filling and comparing ranges of memory.
//!
//! Ranges that are private are handled in one piece, definedness included. Otherwise a range is
//! taken apart into the accesses that other code would make. If the type of either side is known (a
//! global, a local variable of this thread), these are its scalars, and padding is left out. If not,
//! they are of equal size: the largest of 1, 2, 4 and 8 that divides both addresses and the length
//! and does not exceed the alignment that the source code promises.

use super::{Cx, Entry};
use crate::Vm;
use crate::access::Target;
use crate::memory::List;
use crate::thread::{Stop, Thread};
use norn_action::{ConstantWrite, Mode, Undefined};
use norn_program::{Instruction, TypeId};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("memcpy", "copies memory", memcpy),
    ("mempcpy", "copies memory; the end of the copy", mempcpy),
    ("memmove", "copies memory that may overlap", memmove),
    ("memset", "fills memory", memset),
    ("bzero", "fills memory with zero", bzero),
    ("explicit_bzero", "fills memory with zero", bzero),
    ("memcmp", "compares memory", memcmp),
    ("bcmp", "compares memory", memcmp),
    ("memchr", "finds a byte", memchr),
    ("memrchr", "finds the last such byte", memrchr),
    ("__memcpy_chk", "copies memory", memcpy),
    ("__memmove_chk", "copies memory that may overlap", memmove),
    ("__memset_chk", "fills memory", memset),
];

/// The instruction `CopyMemory`; the arguments are to, from, length, alignment.
pub(crate) fn copy_memory(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    check_apart(cx)?;
    move_memory(cx)
}

/// Likewise, if the ranges may overlap.
pub(crate) fn move_memory(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from, length, align) = (cx.arg(0), cx.arg(1), cx.arg(2), cx.arg(3));
    copy(cx, to, from, length, align)?;
    Ok(0)
}

/// Faults if the ranges of a copy overlap. Copying something to itself does no harm; compilers do
/// it when a structure is assigned to itself.
fn check_apart(cx: &Cx<'_>) -> Result<(), Stop> {
    let (to, from, length) = (cx.arg(0), cx.arg(1), cx.arg(2));
    if to != from && to.abs_diff(from) < length {
        return Err(cx.fault(Undefined::Overlap { length, apart: to.abs_diff(from) }));
    }
    Ok(())
}

/// The instruction `SetMemory`; the arguments are to, value, length, alignment.
pub(crate) fn set_memory(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, value, length, align) = (cx.arg(0), cx.arg(1), cx.arg(2), cx.arg(3));
    fill(cx, to, value as u8, length, align)?;
    Ok(0)
}

fn memcpy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    check_apart(cx)?;
    memmove(cx)
}

fn memmove(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from, length) = (cx.arg(0), cx.arg(1), cx.arg(2));
    copy(cx, to, from, length, 8)?;
    Ok(to.into())
}

fn mempcpy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    memcpy(cx)?;
    Ok((cx.arg(0) + cx.arg(2)).into())
}

fn memset(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, value, length) = (cx.arg(0), cx.arg(1), cx.arg(2));
    fill(cx, to, value as u8, length, 8)?;
    Ok(to.into())
}

fn bzero(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, length) = (cx.arg(0), cx.arg(1));
    fill(cx, to, 0, length, 8)?;
    Ok(0)
}

/// The largest access size that divides all of these.
fn unit(numbers: u64, align: u64) -> u8 {
    let bits = numbers | align.clamp(1, 8) | 8;
    1 << bits.trailing_zeros()
}

/// Copies; the ranges may overlap.
pub(crate) fn copy(
    cx: &mut Cx<'_>,
    to: u64,
    from: u64,
    length: u64,
    align: u64,
) -> Result<(), Stop> {
    if length == 0 || to == from {
        return Ok(());
    }
    let whole = cx.step(|vm, t| copy_private(vm, t, to, from, length).map(u128::from))? == 1;
    if whole {
        return Ok(());
    }
    let mut pieces = pieces(cx, &[to, from], length, align);
    cx.step(|vm, t| escape_range(vm, t, from, length).map(|()| 0))?;
    if to > from && to - from < length {
        pieces.reverse();
    }
    for (offset, size) in pieces {
        let source = Target::new(from + offset, size, Mode::Plain);
        let (value, undefined) = cx.load_bytes(source)?;
        cx.store_bytes(Target::new(to + offset, size, Mode::Plain), value, undefined)?;
    }
    Ok(())
}

/// The accesses that a range of memory is taken apart into, as offsets and sizes; `addresses` are
/// where it starts on each side.
fn pieces(cx: &mut Cx<'_>, addresses: &[u64], length: u64, align: u64) -> Vec<(u64, u8)> {
    for &address in addresses {
        let Some((kind, start)) = type_at(cx, address) else { continue };
        let Some(scalars) = cx.vm.program.types.scalars(kind, start..start + length) else {
            continue;
        };
        let pieces: Vec<_> = scalars.iter().map(|&(at, size)| (at - start, size)).collect();
        let fits = |&(offset, size): &(u64, u8)| {
            addresses.iter().all(|address| (address + offset).is_multiple_of(u64::from(size)))
        };
        if pieces.iter().all(fits) {
            return pieces;
        }
    }
    let size = unit(addresses.iter().fold(length, |all, address| all | address), align);
    (0..length).step_by(usize::from(size)).map(|offset| (offset, size)).collect()
}

/// The type of the variable at an address, and the offset in it. A pure function of the program and
/// of which stack objects the thread has, neither of which changes while the copy is under way.
fn type_at(cx: &mut Cx<'_>, address: u64) -> Option<(TypeId, u64)> {
    let program = &cx.vm.program;
    if !cx.t.memory.owns(address) {
        let global = &program.globals[program.global_at(address)?.index()];
        return Some((global.kind?, address - global.address));
    }
    let (list, position) = cx.t.memory.find_own(address)?;
    let object = cx.t.memory.list(list, &cx.vm.constants).get(position);
    let offset = address - object.start;
    if let Some(global) = program.global_of_place(object.place) {
        return Some((program.globals[global.index()].kind?, offset));
    }
    match program.code.get(object.place.0 as usize) {
        Some(Instruction::Alloca { local, .. }) if list == List::Stack => {
            Some((program.locals[local.index()].kind?, offset))
        }
        _ => None,
    }
}

/// Copies in one piece if both ranges are private; whether it did.
fn copy_private(vm: &Vm, t: &mut Thread, to: u64, from: u64, length: u64) -> Result<bool, Stop> {
    let source = vm.private_range(t, from, length, false)?;
    let target = vm.private_range(t, to, length, false)?;
    let (Some(source), Some(target)) = (source, target) else { return Ok(false) };
    if target.0 == List::Constants {
        return Err(t.fault(ConstantWrite::Copy));
    }
    let object = t.memory.list(source.0, &vm.constants).get(source.1);
    let start = (from - object.start) as usize;
    let content = object.content.as_ref().expect("a private object has content");
    let bytes: Vec<Option<u8>> =
        (start..start + length as usize).map(|i| content.byte(i)).collect();
    let object = t.memory.list_mut(target.0).get_mut(target.1);
    let start = (to - object.start) as usize;
    let content = object.content.as_mut().expect("a private object has content");
    let flat: Vec<u8> = bytes.iter().map(|byte| byte.unwrap_or(0)).collect();
    let mut changed = content.write_bytes(start, &flat);
    for (i, byte) in bytes.iter().enumerate() {
        if byte.is_none() {
            content.undefine(start + i);
            changed = true;
        }
    }
    let start = object.start;
    if changed {
        t.count_write(target.0 == List::Stack, start);
    }
    Ok(true)
}

/// Publishes what a private range points to before it is copied to visible memory piece by piece.
fn escape_range(vm: &Vm, t: &mut Thread, from: u64, length: u64) -> Result<(), Stop> {
    let Some((list, position)) = vm.private_range(t, from, length, false)? else { return Ok(()) };
    let object = t.memory.list(list, &vm.constants).get(position);
    let content = object.content.as_ref().expect("a private object has content");
    let first = from.next_multiple_of(8) - object.start;
    let end = from + length - object.start;
    let mut words = Vec::new();
    for offset in (first..end).step_by(8).filter(|offset| offset + 8 <= end) {
        words.push(content.read(offset, 8).0 as u64);
    }
    t.before_escape_of_words(&words)
}

/// Fills a range with a byte.
fn fill(cx: &mut Cx<'_>, to: u64, value: u8, length: u64, align: u64) -> Result<(), Stop> {
    if length == 0 {
        return Ok(());
    }
    let whole = cx.step(|vm, t| fill_private(vm, t, to, value, length).map(u128::from))? == 1;
    if whole {
        return Ok(());
    }
    let word = u128::from_le_bytes([value; 16]);
    for (offset, size) in pieces(cx, &[to], length, align) {
        let target = Target::new(to + offset, size, Mode::Plain);
        cx.step(|vm, t| vm.store(t, target, word).map(|()| 0))?;
    }
    Ok(())
}

fn fill_private(vm: &Vm, t: &mut Thread, to: u64, value: u8, length: u64) -> Result<bool, Stop> {
    let Some((list, position)) = vm.private_range(t, to, length, false)? else { return Ok(false) };
    if list == List::Constants {
        return Err(t.fault(ConstantWrite::Fill));
    }
    let object = t.memory.list_mut(list).get_mut(position);
    let start = (to - object.start) as usize;
    let content = object.content.as_mut().expect("a private object has content");
    let object = object.start;
    if content.write_bytes(start, &vec![value; length as usize]) {
        t.count_write(list == List::Stack, object);
    }
    Ok(true)
}

fn memcmp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (a, b, length) = (cx.arg(0), cx.arg(1), cx.arg(2));
    for i in 0..length {
        let x = cx.load(a + i, 1, Mode::Plain)?;
        let y = cx.load(b + i, 1, Mode::Plain)?;
        if x != y {
            return super::context::int(if x < y { -1 } else { 1 });
        }
    }
    Ok(0)
}

fn memchr(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, byte, length) = (cx.arg(0), cx.arg(1) & 0xff, cx.arg(2));
    for i in 0..length {
        if cx.load(address + i, 1, Mode::Plain)? == byte {
            return Ok((address + i).into());
        }
    }
    Ok(0)
}

fn memrchr(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, byte, length) = (cx.arg(0), cx.arg(1) & 0xff, cx.arg(2));
    for i in (0..length).rev() {
        if cx.load(address + i, 1, Mode::Plain)? == byte {
            return Ok((address + i).into());
        }
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn pieces_divide_addresses_length_and_alignment() {
        assert_eq!(unit(0x1000 | 0x2000 | 24, 8), 8);
        assert_eq!(unit(0x1000 | 0x2004 | 24, 8), 4);
        assert_eq!(unit(0x1000 | 0x2000 | 24, 4), 4);
        assert_eq!(unit(0x1000 | 0x2000 | 7, 16), 1);
    }
}
