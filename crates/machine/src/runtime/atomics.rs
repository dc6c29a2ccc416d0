//! The library forms of atomic operations, which compilers call when they do not inline them.

use super::{Cx, Entry};
use crate::access::{Modify, Target};
use crate::thread::Stop;
use norn_action::{Action, Address, Mode, Obstacle, RmwOp, Test, Unwritten, Value};

/// Entries for the sizes 1, 2, 4, 8 and 16 of an operation.
macro_rules! sized {
    ($($name:literal, $text:literal, $function:expr;)*) => {
        &[
            $(
                (concat!($name, "_1"), $text, |cx| $function(cx, 1)),
                (concat!($name, "_2"), $text, |cx| $function(cx, 2)),
                (concat!($name, "_4"), $text, |cx| $function(cx, 4)),
                (concat!($name, "_8"), $text, |cx| $function(cx, 8)),
                (concat!($name, "_16"), $text, |cx| $function(cx, 16)),
            )*
            ("__atomic_load", "atomic read of any size", load_any),
            ("__atomic_store", "atomic write of any size", store_any),
            ("__atomic_exchange", "atomic exchange of any size", exchange_any),
            ("__atomic_compare_exchange", "atomic compare-exchange of any size", compare_exchange_any),
            ("__atomic_is_lock_free", "always 1", is_lock_free),
            ("atomic_thread_fence", "a fence", fence),
            ("__atomic_thread_fence", "a fence", fence),
            ("__sync_synchronize", "a sequentially consistent fence", full_fence),
        ]
    };
}

pub(crate) const FUNCTIONS: &[Entry] = sized![
    "__atomic_load", "atomic read", load;
    "__atomic_store", "atomic write", store;
    "__atomic_exchange", "atomic exchange", |cx, size| fetch(cx, size, RmwOp::Exchange);
    "__atomic_compare_exchange", "atomic compare-exchange", compare_exchange;
    "__atomic_fetch_add", "atomic addition", |cx, size| fetch(cx, size, RmwOp::Add);
    "__atomic_fetch_sub", "atomic subtraction", |cx, size| fetch(cx, size, RmwOp::Sub);
    "__atomic_fetch_and", "atomic and", |cx, size| fetch(cx, size, RmwOp::And);
    "__atomic_fetch_or", "atomic or", |cx, size| fetch(cx, size, RmwOp::Or);
    "__atomic_fetch_xor", "atomic exclusive or", |cx, size| fetch(cx, size, RmwOp::Xor);
    "__atomic_fetch_nand", "atomic not-and", |cx, size| fetch(cx, size, RmwOp::Nand);
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    "__atomic_is_lock_free",
    "atomic_thread_fence",
    "__atomic_thread_fence",
    "__sync_synchronize",
];

/// The mode that a number of `memory_order` means.
fn mode(order: u64) -> Mode {
    match order as u32 {
        0 => Mode::Relaxed,
        1 | 2 => Mode::Acquire,
        3 => Mode::Release,
        4 => Mode::AcqRel,
        _ => Mode::SeqCst,
    }
}

/// Cells of a value, and the value that starts at argument `i`.
fn value(cx: &Cx<'_>, i: usize, size: u8) -> (usize, u128) {
    if size == 16 {
        (2, u128::from(cx.arg(i + 1)) << 64 | u128::from(cx.arg(i)))
    } else {
        (1, cx.arg(i).into())
    }
}

/// A size that an access can have.
fn checked(cx: &Cx<'_>, size: u64) -> Result<u8, Stop> {
    match size {
        1 | 2 | 4 | 8 | 16 => Ok(size as u8),
        _ => Err(cx.unsupported(Obstacle::AtomicSize(size))),
    }
}

/// Reads a value, some of which, its padding, may never have been written.
fn read(cx: &mut Cx<'_>, address: u64, size: u8, mode: Mode) -> Result<u128, Stop> {
    let (value, undefined) = cx.load_bytes(Target::new(address, size, mode))?;
    if undefined.count_ones() == size.into() {
        return Err(cx.fault(Unwritten::Shared(Address(address))));
    }
    Ok(value)
}

fn write(cx: &mut Cx<'_>, target: Target, value: u128) -> Result<(), Stop> {
    cx.step(|vm, t| vm.store(t, target, value).map(|()| 0)).map(drop)
}

fn modify(cx: &mut Cx<'_>, modify: Modify) -> Result<u128, Stop> {
    cx.step(|vm, t| vm.modify(t, modify))
}

fn exchange(target: Target, op: RmwOp, operand: u128) -> Modify {
    Modify { target, failure: target.mode.of_read(), op, operand, test: None, wait: None }
}

fn load(cx: &mut Cx<'_>, size: u8) -> Result<u128, Stop> {
    read(cx, cx.arg(0), size, mode(cx.arg(1)))
}

fn store(cx: &mut Cx<'_>, size: u8) -> Result<u128, Stop> {
    let (cells, operand) = value(cx, 1, size);
    let target = Target::new(cx.arg(0), size, mode(cx.arg(1 + cells)));
    write(cx, target, operand)?;
    Ok(0)
}

fn fetch(cx: &mut Cx<'_>, size: u8, op: RmwOp) -> Result<u128, Stop> {
    let (cells, operand) = value(cx, 1, size);
    let target = Target::new(cx.arg(0), size, mode(cx.arg(1 + cells)));
    modify(cx, exchange(target, op, operand))
}

/// Compare-exchange with the expected value in memory, where the value read goes if it differs.
fn compare_with(
    cx: &mut Cx<'_>,
    target: Target,
    failure: Mode,
    expected: u64,
    operand: u128,
) -> Result<u128, Stop> {
    let size = target.size;
    let wanted = read(cx, expected, size, Mode::Plain)?;
    let test = Some(Test::equals(Value(wanted)));
    let old = modify(cx, Modify { test, failure, ..exchange(target, RmwOp::Exchange, operand) })?;
    if old == wanted {
        return Ok(1);
    }
    write(cx, Target::new(expected, size, Mode::Plain), old)?;
    Ok(0)
}

fn compare_exchange(cx: &mut Cx<'_>, size: u8) -> Result<u128, Stop> {
    let (cells, operand) = value(cx, 2, size);
    let target = Target::new(cx.arg(0), size, mode(cx.arg(2 + cells)));
    let failure = mode(cx.arg(3 + cells));
    compare_with(cx, target, failure, cx.arg(1), operand)
}

fn load_any(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = checked(cx, cx.arg(0))?;
    let value = read(cx, cx.arg(1), size, mode(cx.arg(3)))?;
    write(cx, Target::new(cx.arg(2), size, Mode::Plain), value)?;
    Ok(0)
}

fn store_any(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = checked(cx, cx.arg(0))?;
    let value = read(cx, cx.arg(2), size, Mode::Plain)?;
    write(cx, Target::new(cx.arg(1), size, mode(cx.arg(3))), value)?;
    Ok(0)
}

fn exchange_any(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = checked(cx, cx.arg(0))?;
    let value = read(cx, cx.arg(2), size, Mode::Plain)?;
    let target = Target::new(cx.arg(1), size, mode(cx.arg(4)));
    let old = modify(cx, exchange(target, RmwOp::Exchange, value))?;
    write(cx, Target::new(cx.arg(3), size, Mode::Plain), old)?;
    Ok(0)
}

fn compare_exchange_any(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let size = checked(cx, cx.arg(0))?;
    let operand = read(cx, cx.arg(3), size, Mode::Plain)?;
    let target = Target::new(cx.arg(1), size, mode(cx.arg(4)));
    compare_with(cx, target, mode(cx.arg(5)), cx.arg(2), operand)
}

fn is_lock_free(_: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(1)
}

fn fence_of(cx: &mut Cx<'_>, mode: Mode) -> Result<u128, Stop> {
    cx.step(|_, t| {
        if !t.memory.shared || mode == Mode::Relaxed {
            return Ok(0);
        }
        let place = t.place();
        Err(t.ask(Action::Fence(mode, place)))
    })?;
    Ok(0)
}

fn fence(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    fence_of(cx, mode(cx.arg(0)))
}

fn full_fence(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    fence_of(cx, Mode::SeqCst)
}
