//! The allocator. Memory is not used twice, unless that is asked for ([`super::heap`]); allocations of more than a gigabyte fail.

use super::context::int;
use super::{Cx, Entry, memory};
use crate::thread::Stop;
use norn_action::{Mode, ObjectKind};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("malloc", "memory with undefined content", malloc),
    ("calloc", "memory with zero content", calloc),
    ("realloc", "moves memory to a new place of another size", realloc),
    ("reallocarray", "likewise, for an array", reallocarray),
    ("aligned_alloc", "memory at a multiple of an alignment", aligned_alloc),
    ("memalign", "memory at a multiple of an alignment", aligned_alloc),
    ("posix_memalign", "memory at a multiple of an alignment", posix_memalign),
    ("valloc", "memory at a multiple of 4096", valloc),
    ("free", "ends the life of memory", free),
    ("cfree", "ends the life of memory", free),
    ("malloc_usable_size", "the size that was asked for", usable_size),
    ("strdup", "a copy of a string", strdup),
    ("strndup", "a copy of the start of a string", strndup),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &["malloc", "calloc", "aligned_alloc", "memalign", "valloc"];

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;

fn allocate(cx: &mut Cx<'_>, size: u64, align: u64, zero: bool) -> Result<u64, Stop> {
    let address = cx.allocate(size, align, zero)?;
    if address == 0 {
        cx.set_errno(ENOMEM)?;
    }
    Ok(address)
}

fn malloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = cx.arg(0);
    Ok(allocate(cx, size, 16, false)?.into())
}

fn calloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = cx.arg(0).saturating_mul(cx.arg(1));
    Ok(allocate(cx, size, 16, true)?.into())
}

fn resize(cx: &mut Cx<'_>, old: u64, size: u64) -> Result<u128, Stop> {
    if old == 0 {
        return Ok(allocate(cx, size, 16, false)?.into());
    }
    let before = cx.size_of(old)?;
    let new = allocate(cx, size, 16, false)?;
    if new != 0 {
        memory::copy(cx, new, old, before.min(size), 8)?;
        cx.free(old, ObjectKind::Heap)?;
    }
    Ok(new.into())
}

fn realloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (old, size) = (cx.arg(0), cx.arg(1));
    resize(cx, old, size)
}

fn reallocarray(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (old, size) = (cx.arg(0), cx.arg(1).saturating_mul(cx.arg(2)));
    resize(cx, old, size)
}

fn aligned_alloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (align, size) = (cx.arg(0), cx.arg(1));
    if !align.is_power_of_two() {
        cx.set_errno(EINVAL)?;
        return Ok(0);
    }
    Ok(allocate(cx, size, align, false)?.into())
}

fn posix_memalign(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (out, align, size) = (cx.arg(0), cx.arg(1), cx.arg(2));
    if !align.is_power_of_two() || align % 8 != 0 {
        return int(EINVAL);
    }
    let address = cx.allocate(size, align, false)?;
    if address == 0 {
        return int(ENOMEM);
    }
    cx.store(out, 8, Mode::Plain, address)?;
    int(0)
}

fn valloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = cx.arg(0);
    Ok(allocate(cx, size, 4096, false)?.into())
}

pub(crate) fn free(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    cx.free(address, ObjectKind::Heap)?;
    Ok(0)
}

fn usable_size(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    match cx.arg(0) {
        0 => Ok(0),
        address => Ok(cx.size_of(address)?.into()),
    }
}

fn duplicate(cx: &mut Cx<'_>, limit: u64) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let mut bytes = cx.string_up_to(address, limit)?;
    bytes.push(0);
    let copy = allocate(cx, bytes.len() as u64, 16, false)?;
    if copy != 0 {
        cx.write_bytes(copy, &bytes)?;
    }
    Ok(copy.into())
}

fn strdup(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    duplicate(cx, u64::MAX)
}

fn strndup(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    duplicate(cx, cx.arg(1))
}
