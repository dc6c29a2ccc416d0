//! The address map of a checked program.
//!
//! ```text
//! 0                      null page: nothing is ever there
//! 0x1_0000               globals, in order of declaration
//! 0xc_0000_0000          functions with a body, 16 bytes apart
//! 0xe_0000_0000          external functions, 16 bytes apart
//! (1 + t) << 36          region of thread t: heap in the lower half,
//! ... + (1 << 35)        stack objects and thread-locals in the upper half
//! ```
//!
//! An address depends only on the program and, for a thread's region, on the thread and the
//! index of the allocation in that thread; addresses are never used twice. All of them fit in 47
//! bits, so that programs may keep tags in the upper 16 bits of a pointer.

/// First address of a global.
pub const GLOBALS: u64 = 0x1_0000;
/// First address of a function with a body.
pub const FUNCTIONS: u64 = 0xc_0000_0000;
/// First address of an external function.
pub const EXTERNALS: u64 = 0xe_0000_0000;
/// Distance of two functions.
pub const FUNCTION_STEP: u64 = 16;
/// A thread's region has this many address bits.
pub const REGION_BITS: u32 = 36;
/// Offset of the stack half in a thread's region.
pub const STACK_HALF: u64 = 1 << 35;
/// Least distance between the end of an object and the start of the next.
pub const RED_ZONE: u64 = 16;
/// Least alignment of an object.
pub const OBJECT_ALIGN: u64 = 16;

/// First address of the region of a thread.
#[inline]
pub fn region_start(thread: u32) -> u64 {
    (1 + u64::from(thread)) << REGION_BITS
}

/// The thread whose region holds `address`, if any does.
#[inline]
pub fn region_thread(address: u64) -> Option<u32> {
    match address >> REGION_BITS {
        0 => None,
        region if region < 1 << 12 => Some((region - 1) as u32),
        _ => None,
    }
}

/// The first address at or after `from` that is a multiple of `align` (a power of two).
#[inline]
pub fn align_up(from: u64, align: u64) -> u64 {
    let align = align.max(1);
    from.wrapping_add(align - 1) & !(align - 1)
}
