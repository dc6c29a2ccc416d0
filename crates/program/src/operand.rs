//! Registers and operands.

use std::fmt;

/// A cell of the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u32);

impl Register {
    /// The register `n` cells further.
    #[inline]
    pub fn plus(self, n: u32) -> Register {
        Register(self.0 + n)
    }
}

/// What an instruction reads: a register or an entry of the constant pool. A value of several
/// cells is named by its first; the others follow in the same space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand(pub u32);

impl Operand {
    /// The bit that tells the constant pool from registers.
    pub const CONSTANT: u32 = 1 << 31;

    /// Entry `index` of the constant pool.
    pub fn constant(index: u32) -> Operand {
        debug_assert!(index < Operand::CONSTANT);
        Operand(index | Operand::CONSTANT)
    }

    /// The register, if it is one.
    #[inline]
    pub fn register(self) -> Option<Register> {
        (self.0 & Operand::CONSTANT == 0).then_some(Register(self.0))
    }

    /// The index into the constant pool, if it is a constant.
    #[inline]
    pub fn constant_index(self) -> Option<u32> {
        (self.0 & Operand::CONSTANT != 0).then_some(self.0 & !Operand::CONSTANT)
    }

    /// The cell `n` further in the same space.
    #[inline]
    pub fn plus(self, n: u32) -> Operand {
        Operand(self.0 + n)
    }
}

impl From<Register> for Operand {
    fn from(register: Register) -> Operand {
        debug_assert!(register.0 < Operand::CONSTANT);
        Operand(register.0)
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant_index() {
            Some(index) => write!(f, "c{index}"),
            None => write!(f, "r{}", self.0),
        }
    }
}
