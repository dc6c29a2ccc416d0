//! What a waiting access waits for.

use crate::Expr;
use norn_action::{Compare, Test};

/// How the value read is compared, as signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>=`
    Ge,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Comparison; 4] =
        [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Ge];

    /// The name in a waiting function: the `eq` of `await_eq`.
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Eq => "eq",
            Comparison::Ne => "ne",
            Comparison::Lt => "lt",
            Comparison::Ge => "ge",
        }
    }
}

/// A test of the value that an access reads: the access waits until it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Until {
    /// How the value read, on the left, is compared.
    pub comparison: Comparison,
    /// The right side, evaluated when the thread arrives at the access.
    pub value: Expr,
}

impl Until {
    /// `== value`
    pub fn equals(value: Expr) -> Until {
        Until { comparison: Comparison::Eq, value }
    }

    /// Whether a thread with these registers may go on when it reads `read`.
    pub fn holds(&self, read: i32, registers: &[i32]) -> bool {
        let value = self.value.evaluate(registers);
        match self.comparison {
            Comparison::Eq => read == value,
            Comparison::Ne => read != value,
            Comparison::Lt => read < value,
            Comparison::Ge => read >= value,
        }
    }

    /// The same, for a cell of four bytes.
    pub(crate) fn test(&self, registers: &[i32]) -> Test {
        let compare = match self.comparison {
            Comparison::Eq => Compare::Eq,
            Comparison::Ne => Compare::Ne,
            Comparison::Lt => Compare::Slt,
            Comparison::Ge => Compare::Sge,
        };
        let operand = u128::from(self.value.evaluate(registers) as u32);
        Test { mask: 0xffff_ffff, compare, operand }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_test_agree() {
        let numbers = [i32::MIN, -1, 0, 1, i32::MAX];
        for comparison in Comparison::ALL {
            for value in numbers {
                let until = Until { comparison, value: Expr::Const(value) };
                for read in numbers {
                    let cell = norn_action::Value(u128::from(read as u32));
                    assert_eq!(until.holds(read, &[]), until.test(&[]).holds(cell, 4));
                }
            }
        }
    }

    #[test]
    fn numbers_are_signed() {
        let until = |comparison| Until { comparison, value: Expr::Const(0) };
        assert!(until(Comparison::Lt).holds(-1, &[]) && !until(Comparison::Ge).holds(-1, &[]));
    }
}
