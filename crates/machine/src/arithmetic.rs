//! Integer functions on cells. All are total except divisions and shifts.

use norn_action::{Compare, Division, Value};
use norn_program::{BinaryOp, UnaryOp};

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoResult {
    /// It is a division.
    Division(Division),
    /// A shift by the width of the number or more.
    ShiftedOut,
}

const BY_ZERO: NoResult = NoResult::Division(Division::ByZero);
const OVERFLOWS: NoResult = NoResult::Division(Division::Overflow);

/// The low `width` bits (1 to 64).
#[inline(always)]
pub(crate) fn low(value: u64, width: u8) -> u64 {
    value & (u64::MAX >> ((64 - u32::from(width)) & 63))
}

/// `value`, sign-extended from `width` bits (1 to 64).
#[inline(always)]
pub(crate) fn signed(value: u64, width: u8) -> i64 {
    let shift = (64 - u32::from(width)) & 63;
    ((value << shift) as i64) >> shift
}

fn wide_low(value: u128, width: u8) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn wide_signed(value: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width.min(128));
    ((value << shift) as i128) >> shift
}

/// `op(a, b)` at a width of 1 to 64 bits, for the operations that ordinary loops use; none for the
/// others and for what faults, which [`binary`] knows all about.
#[inline]
pub(crate) fn narrow(op: BinaryOp, width: u8, a: u64, b: u64) -> Option<u64> {
    if width > 64 {
        return None;
    }
    let shift_out = b >= u64::from(width);
    let result = match op {
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if shift_out => return None,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (signed(a, width) >> b) as u64,
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (a, b) = (signed(a, width), signed(b, width));
            if b == 0 || b == -1 {
                return None;
            }
            (if op == BinaryOp::SDiv { a / b } else { a % b }) as u64
        }
        _ => return None,
    };
    Some(low(result, width))
}

/// `op(a, b)` at a width of 1 to 128 bits.
pub(crate) fn binary(op: BinaryOp, width: u8, a: u128, b: u128) -> Result<u128, NoResult> {
    let (sa, sb) = (wide_signed(a, width), wide_signed(b, width));
    let least = wide_signed(1 << (width - 1), width);
    let shift_out = b >= u128::from(width);
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).ok_or(BY_ZERO)?,
        BinaryOp::URem => a.checked_rem(b).ok_or(BY_ZERO)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            if sb == 0 {
                return Err(BY_ZERO);
            }
            if sa == least && sb == -1 {
                return Err(OVERFLOWS);
            }
            if op == BinaryOp::SDiv { (sa / sb) as u128 } else { (sa % sb) as u128 }
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if shift_out => {
            return Err(NoResult::ShiftedOut);
        }
        BinaryOp::Shl => a << b,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (sa >> b) as u128,
        BinaryOp::UMax => a.max(b),
        BinaryOp::UMin => a.min(b),
        BinaryOp::SMax => sa.max(sb) as u128,
        BinaryOp::SMin => sa.min(sb) as u128,
        BinaryOp::UAddSat => match overflowing(BinaryOp::Add, false, width, a, b) {
            (_, true) => u128::MAX,
            (sum, false) => sum,
        },
        BinaryOp::USubSat => a.saturating_sub(b),
        BinaryOp::SAddSat => saturate(BinaryOp::Add, width, a, b),
        BinaryOp::SSubSat => saturate(BinaryOp::Sub, width, a, b),
    };
    Ok(wide_low(result, width))
}

fn saturate(op: BinaryOp, width: u8, a: u128, b: u128) -> u128 {
    let least = wide_signed(1 << (width - 1), width) as u128;
    match overflowing(op, true, width, a, b) {
        (value, false) => value,
        (_, true) if wide_signed(a, width) < 0 => least,
        (_, true) => !least,
    }
}

/// `Add`, `Sub` or `Mul` and whether it overflowed.
pub(crate) fn overflowing(op: BinaryOp, sign: bool, width: u8, a: u128, b: u128) -> (u128, bool) {
    let (sa, sb) = (wide_signed(a, width), wide_signed(b, width));
    let (value, over) = match (op, sign) {
        (BinaryOp::Add, true) => pack(sa.overflowing_add(sb)),
        (BinaryOp::Sub, true) => pack(sa.overflowing_sub(sb)),
        (_, true) => pack(sa.overflowing_mul(sb)),
        (BinaryOp::Add, false) => a.overflowing_add(b),
        (BinaryOp::Sub, false) => a.overflowing_sub(b),
        (_, false) => a.overflowing_mul(b),
    };
    let cut = wide_low(value, width);
    let fits = if sign { wide_signed(cut, width) as u128 == value } else { cut == value };
    (cut, over || !fits)
}

fn pack((value, over): (i128, bool)) -> (u128, bool) {
    (value as u128, over)
}

/// `op(a)` at a width of 1 to 128 bits.
pub(crate) fn unary(op: UnaryOp, width: u8, a: u128) -> u128 {
    // Bits above the width, which well-behaved code does not leave there, must not be counted.
    let (spare, a) = (128 - u32::from(width), wide_low(a, width));
    let result = match op {
        UnaryOp::PopCount => u128::from(a.count_ones()),
        UnaryOp::LeadingZeros => u128::from(a.leading_zeros() - spare),
        UnaryOp::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        UnaryOp::ByteSwap => a.swap_bytes() >> spare,
        UnaryOp::BitReverse => a.reverse_bits() >> spare,
        UnaryOp::Abs => wide_signed(a, width).unsigned_abs(),
    };
    wide_low(result, width)
}

/// `a compare b` at a width of 65 to 128 bits.
pub(crate) fn wide_compare(compare: Compare, width: u8, a: u128, b: u128) -> bool {
    let (a, b) = (wide_signed(a, width), wide_signed(b, width));
    let test = norn_action::Test { mask: u128::MAX, compare, operand: b as u128 };
    test.holds(Value(a as u128), 16)
}

/// The double-width number (high, low) shifted left; its upper half.
pub(crate) fn funnel_left(width: u8, high: u64, low_part: u64, amount: u64) -> u64 {
    let whole = u128::from(high) << width | u128::from(low_part);
    let shifted = whole << (amount % u64::from(width));
    low((shifted >> width) as u64, width)
}

/// The double-width number (high, low) shifted right; its lower half.
pub(crate) fn funnel_right(width: u8, high: u64, low_part: u64, amount: u64) -> u64 {
    let whole = u128::from(high) << width | u128::from(low_part);
    low((whole >> (amount % u64::from(width))) as u64, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_knows_its_two_exceptions() {
        assert_eq!(binary(BinaryOp::SDiv, 32, 7, 0), Err(BY_ZERO));
        assert_eq!(binary(BinaryOp::SDiv, 32, 0x8000_0000, 0xffff_ffff), Err(OVERFLOWS));
        assert_eq!(binary(BinaryOp::SDiv, 32, 0xffff_fff9, 2), Ok(0xffff_fffd));
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 2), Ok(0xff));
        assert_eq!(binary(BinaryOp::UDiv, 128, u128::MAX, 3), Ok(u128::MAX / 3));
    }

    #[test]
    fn shifts_past_the_width_have_no_result() {
        assert_eq!(binary(BinaryOp::Shl, 32, 1, 32), Err(NoResult::ShiftedOut));
        assert_eq!(binary(BinaryOp::AShr, 32, 0x8000_0000, 40), Err(NoResult::ShiftedOut));
        assert_eq!(narrow(BinaryOp::LShr, 32, 1, 32), None);
        assert_eq!(binary(BinaryOp::AShr, 64, 1 << 63, 63), Ok(u128::from(u64::MAX)));
        assert_eq!(binary(BinaryOp::LShr, 128, 1 << 127, 127), Ok(1));
    }

    #[test]
    fn saturation_and_overflow_agree_with_the_width() {
        assert_eq!(binary(BinaryOp::SAddSat, 8, 0x7f, 1), Ok(0x7f));
        assert_eq!(binary(BinaryOp::SSubSat, 8, 0x80, 1), Ok(0x80));
        assert_eq!(binary(BinaryOp::UAddSat, 8, 0xff, 1), Ok(0xff));
        assert_eq!(overflowing(BinaryOp::Add, true, 32, 0x7fff_ffff, 1), (0x8000_0000, true));
        assert_eq!(overflowing(BinaryOp::Sub, false, 32, 0, 1), (0xffff_ffff, true));
        assert_eq!(
            overflowing(BinaryOp::Mul, true, 64, u128::from(u64::MAX), 2),
            (u128::from(u64::MAX - 1), false)
        );
        assert!(overflowing(BinaryOp::Mul, true, 128, 1 << 127, 2).1);
    }

    #[test]
    fn bits_are_counted_within_the_width() {
        assert_eq!(unary(UnaryOp::LeadingZeros, 32, 1), 31);
        assert_eq!(unary(UnaryOp::LeadingZeros, 32, 1 << 40), 32);
        assert_eq!(unary(UnaryOp::TrailingZeros, 16, 0), 16);
        assert_eq!(unary(UnaryOp::ByteSwap, 32, 0x0102_0304), 0x0403_0201);
        assert_eq!(unary(UnaryOp::Abs, 8, 0x80), 0x80);
        assert_eq!(funnel_left(32, 0x8000_0001, 0x8000_0000, 1), 3);
        assert_eq!(funnel_right(32, 1, 2, 1), 0x8000_0001);
        assert_eq!(low(u64::MAX, 64), u64::MAX);
        assert_eq!(low(u64::MAX, 1), 1);
        assert_eq!(signed(1, 1), -1);
    }

    #[test]
    fn the_narrow_operations_agree_with_the_wide_ones() {
        use BinaryOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
        let values = [0, 1, 2, 5, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x8000_0000, 0xffff_ffff];
        for width in [1, 8, 16, 31, 32, 33, 64] {
            for op in [Shl, LShr, AShr, UDiv, URem, SDiv, SRem] {
                for a in values.into_iter().chain([1 << 63, u64::MAX]).map(|v| low(v, width)) {
                    for b in values.into_iter().chain([u64::MAX]).map(|v| low(v, width)) {
                        if let Some(value) = narrow(op, width, a, b) {
                            let wide = binary(op, width, a.into(), b.into());
                            assert_eq!(wide, Ok(value.into()), "{op:?} {width} {a} {b}");
                        }
                    }
                }
            }
        }
    }
}
