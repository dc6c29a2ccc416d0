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
//! Objects lie far apart (see [`gap`]), so that an access out of bounds hits nothing. What goes further
//! than that may land in another object, and is then not noticed.
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
/// Least distance between the end of an object and the start of the next, as long as there is room.
pub const GAP: u64 = 1 << 16;
/// The same for constants, of which there are many.
pub const CONSTANT_GAP: u64 = 1 << 12;
/// The same where there is no room left.
pub const RED_ZONE: u64 = 16;
/// As long as there is this much room in a region, distances are not saved on.
const AMPLE: u64 = STACK_HALF - (STACK_HALF >> 3);
/// No distance is larger.
const LARGEST_GAP: u64 = 1 << 30;
/// Least alignment of an object.
pub const OBJECT_ALIGN: u64 = 16;

/// How far the object after one of `size` bytes is from it, at least: so far that an index which is
/// wrong by less than the size, or by some thousands, does not reach it. `room` is what is left of the
/// region; after some ten thousands of objects the distances get smaller, so that there is room for many
/// millions.
#[inline]
pub fn gap(size: u64, room: u64) -> u64 {
    let wide = size.clamp(GAP, LARGEST_GAP);
    if room > AMPLE { wide } else { wide.min((room >> 24).max(RED_ZONE)) }
}

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
