//! Values in shared memory, tests on them, and the functions of read-modify-writes.

use std::fmt;

/// The content of a memory cell of 1 to 16 bytes, little endian, zero-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u128);

impl Value {
    /// All bits zero.
    pub const ZERO: Value = Value(0);

    /// The low 64 bits.
    #[inline]
    pub fn low(self) -> u64 {
        self.0 as u64
    }

    /// The value cut to `size` bytes.
    #[inline]
    pub fn truncate(self, size: u8) -> Value {
        if size >= 16 { self } else { Value(self.0 & ((1u128 << (u32::from(size) * 8)) - 1)) }
    }

    /// The value as a signed number of `size` bytes.
    #[inline]
    pub fn signed(self, size: u8) -> i128 {
        let shift = 128 - u32::from(size.min(16)) * 8;
        ((self.0 << shift) as i128) >> shift
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Value {
        Value(u128::from(value))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Unsigned greater.
    Ugt,
    /// Unsigned greater or equal.
    Uge,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Signed greater.
    Sgt,
    /// Signed greater or equal.
    Sge,
}

impl Compare {
    /// Whether two numbers of `size` bytes compare so.
    #[inline]
    pub fn holds(self, a: u128, b: u128, size: u8) -> bool {
        let (sa, sb) = (|| Value(a).signed(size), || Value(b).signed(size));
        match self {
            Compare::Eq => a == b,
            Compare::Ne => a != b,
            Compare::Ult => a < b,
            Compare::Ule => a <= b,
            Compare::Ugt => a > b,
            Compare::Uge => a >= b,
            Compare::Slt => sa() < sb(),
            Compare::Sle => sa() <= sb(),
            Compare::Sgt => sa() > sb(),
            Compare::Sge => sa() >= sb(),
        }
    }

    /// The comparison that holds if and only if this one does not.
    pub fn negated(self) -> Compare {
        match self {
            Compare::Eq => Compare::Ne,
            Compare::Ne => Compare::Eq,
            Compare::Ult => Compare::Uge,
            Compare::Ule => Compare::Ugt,
            Compare::Ugt => Compare::Ule,
            Compare::Uge => Compare::Ult,
            Compare::Slt => Compare::Sge,
            Compare::Sle => Compare::Sgt,
            Compare::Sgt => Compare::Sle,
            Compare::Sge => Compare::Slt,
        }
    }
}

/// A test of the value in a cell: `(value & mask) compare operand`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The bits that matter.
    pub mask: u128,
    /// How they are compared.
    pub compare: Compare,
    /// What they are compared with.
    pub operand: u128,
}

impl Test {
    /// The whole cell equals `operand`.
    pub fn equals(operand: Value) -> Test {
        Test { mask: u128::MAX, compare: Compare::Eq, operand: operand.0 }
    }

    /// What holds if and only if this does not.
    pub fn negated(self) -> Test {
        let compare = self.compare.negated();
        Test { compare, ..self }.simplified()
    }

    /// The same test; those of a single bit are written in one way.
    pub fn simplified(self) -> Test {
        let Test { mask, compare, operand } = self;
        if mask.is_power_of_two() && compare == Compare::Ne && operand & !mask == 0 {
            return Test { mask, compare: Compare::Eq, operand: operand ^ mask };
        }
        self
    }

    /// Whether a cell of `size` bytes that holds `value` passes.
    #[inline]
    pub fn holds(&self, value: Value, size: u8) -> bool {
        self.compare.holds(value.0 & self.mask, self.operand, size)
    }
}

/// A test of a cell of at most 8 bytes. Actions are copied all the time, and this is a third of a [`Test`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmallTest {
    mask: [u8; 8],
    operand: [u8; 8],
    compare: Compare,
}

impl SmallTest {
    /// The same test of a cell of `size` bytes; none if that is not small enough.
    pub fn new(test: Test, size: u8) -> Option<SmallTest> {
        let Test { mask, compare, operand } = test;
        let operand = u64::try_from(operand).ok().filter(|_| size <= 8)?.to_ne_bytes();
        // The rest of the mask meets nothing.
        Some(SmallTest { mask: (mask as u64).to_ne_bytes(), operand, compare })
    }

    /// The test.
    pub fn test(&self) -> Test {
        let number = |bytes| u128::from(u64::from_ne_bytes(bytes));
        Test { mask: number(self.mask), compare: self.compare, operand: number(self.operand) }
    }

    /// Whether a cell of `size` bytes that holds `value` passes.
    pub fn holds(&self, value: Value, size: u8) -> bool {
        let number = |bytes| u128::from(u64::from_ne_bytes(bytes));
        self.compare.holds(value.0 & number(self.mask), number(self.operand), size)
    }
}

/// What a read-modify-write does to the value it read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    /// Replaces it by the operand.
    Exchange,
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise not-and.
    Nand,
    /// Signed maximum.
    Max,
    /// Signed minimum.
    Min,
    /// Unsigned maximum.
    Umax,
    /// Unsigned minimum.
    Umin,
    /// Adds a member to a set: the low [`RmwOp::MEMBERS`] bits are the set, the bits of the operand above
    /// them are a mark that the first member leaves. A set that has members keeps its mark.
    Enlist,
    /// Floating-point addition (4 or 8 bytes).
    Fadd,
    /// Floating-point subtraction (4 or 8 bytes).
    Fsub,
}

impl RmwOp {
    /// How many members the set of [`RmwOp::Enlist`] may have.
    pub const MEMBERS: u32 = 40;
    /// The bits of the mark that goes with the set.
    pub const MARK: u64 = ((1 << 21) - 1) << RmwOp::MEMBERS;

    /// The value written when `old` was read from a cell of `size` bytes.
    #[inline]
    pub fn apply(self, old: Value, operand: Value, size: u8) -> Value {
        let (a, b) = (old.0, operand.0);
        let result = match self {
            RmwOp::Exchange => b,
            RmwOp::Add => a.wrapping_add(b),
            RmwOp::Sub => a.wrapping_sub(b),
            RmwOp::And => a & b,
            RmwOp::Or => a | b,
            RmwOp::Xor => a ^ b,
            RmwOp::Nand => !(a & b),
            RmwOp::Max => old.signed(size).max(operand.signed(size)) as u128,
            RmwOp::Min => old.signed(size).min(operand.signed(size)) as u128,
            RmwOp::Umax => a.max(b),
            RmwOp::Umin => a.min(b),
            RmwOp::Enlist => {
                let (set, mark) = ((1u128 << RmwOp::MEMBERS) - 1, u128::from(RmwOp::MARK));
                if a & set == 0 { (a & !mark) | b } else { a | (b & set) }
            }
            RmwOp::Fadd => float(a, b, size, |x, y| x + y, |x, y| x + y),
            RmwOp::Fsub => float(a, b, size, |x, y| x - y, |x, y| x - y),
        };
        Value(result).truncate(size)
    }
}

fn float(a: u128, b: u128, size: u8, f: fn(f32, f32) -> f32, d: fn(f64, f64) -> f64) -> u128 {
    if size == 4 {
        u128::from(f(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits())
    } else {
        u128::from(d(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_the_size_of_the_cell() {
        assert_eq!(RmwOp::Add.apply(Value(255), Value(1), 1), Value(0));
        assert_eq!(RmwOp::Sub.apply(Value(0), Value(1), 4), Value(0xffff_ffff));
        assert_eq!(RmwOp::Nand.apply(Value(3), Value(1), 1), Value(0xfe));
    }

    #[test]
    fn signed_and_unsigned_extremes_differ() {
        let minus_one = Value(0xff);
        assert_eq!(RmwOp::Max.apply(minus_one, Value(1), 1), Value(1));
        assert_eq!(RmwOp::Umax.apply(minus_one, Value(1), 1), minus_one);
    }

    #[test]
    fn a_test_or_its_opposite_holds() {
        use Compare::*;
        for compare in [Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge] {
            for (mask, operand) in [(u128::MAX, 3), (0x80, 0x80), (0x80, 0), (6, 4), (1, 2)] {
                let test = Test { mask, compare, operand };
                for value in (0..256).map(Value) {
                    let holds = test.holds(value, 1);
                    assert_eq!(holds, test.simplified().holds(value, 1), "{test:?} {value}");
                    assert_ne!(holds, test.negated().holds(value, 1), "{test:?} {value}");
                }
            }
        }
    }

    #[test]
    fn tests_mask_before_they_compare() {
        let free = Test { mask: 0xffff, compare: Compare::Eq, operand: 0 };
        assert!(free.holds(Value(0x1_0000), 8));
        assert!(!free.holds(Value(0x1_0001), 8));
        let negative = Test { mask: u128::MAX, compare: Compare::Slt, operand: 0 };
        assert!(negative.holds(Value(0x80), 1));
        assert!(!negative.holds(Value(0x80), 2));
    }
}
