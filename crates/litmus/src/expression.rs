//! Expressions over the registers of a thread. They have no side effects and cannot fail.

use crate::RegisterId;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`: 1 for zero, 0 for anything else.
    Not,
    /// `-`
    Negate,
    /// `~`
    Complement,
}

/// An operator with two operands. Comparisons and `&&`, `||` give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

impl UnaryOp {
    /// How it is written in C.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Negate => "-",
            UnaryOp::Complement => "~",
        }
    }
}

impl BinaryOp {
    /// All operators.
    pub const ALL: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
    ];

    /// How it is written in C.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
        }
    }

    /// How tightly it binds in C; larger binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::BitOr => 3,
            BinaryOp::BitXor => 4,
            BinaryOp::BitAnd => 5,
            BinaryOp::Eq | BinaryOp::Ne => 6,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 7,
            BinaryOp::Add | BinaryOp::Sub => 8,
            BinaryOp::Mul => 9,
        }
    }

    /// The result for two values.
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Eq => i32::from(a == b),
            BinaryOp::Ne => i32::from(a != b),
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Ge => i32::from(a >= b),
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::Or => i32::from(a != 0 || b != 0),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The content of a register.
    Register(RegisterId),
    /// An operator and its operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// `op a`
    pub fn unary(op: UnaryOp, a: Expr) -> Expr {
        Expr::Unary(op, Box::new(a))
    }

    /// `a op b`
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// The value, given the content of the registers.
    #[inline]
    pub fn evaluate(&self, registers: &[i32]) -> i32 {
        match self {
            Expr::Const(value) => *value,
            Expr::Register(register) => registers[register.index()],
            _ => self.evaluate_operator(registers),
        }
    }

    fn evaluate_operator(&self, registers: &[i32]) -> i32 {
        match self {
            Expr::Unary(op, a) => {
                let a = a.evaluate(registers);
                match op {
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::Negate => a.wrapping_neg(),
                    UnaryOp::Complement => !a,
                }
            }
            Expr::Binary(op, a, b) => op.apply(a.evaluate(registers), b.evaluate(registers)),
            leaf => leaf.evaluate(registers),
        }
    }

    /// Calls `visit` for every register that occurs.
    pub fn for_each_register(&mut self, visit: &mut dyn FnMut(&mut RegisterId)) {
        match self {
            Expr::Const(_) => {}
            Expr::Register(register) => visit(register),
            Expr::Unary(_, a) => a.for_each_register(visit),
            Expr::Binary(_, a, b) => {
                a.for_each_register(visit);
                b.for_each_register(visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_have_the_meaning_of_c() {
        let r0 = || Expr::Register(RegisterId(0));
        let sum = Expr::binary(BinaryOp::Add, r0(), Expr::Const(1));
        assert_eq!(sum.evaluate(&[i32::MAX]), i32::MIN);
        let not = Expr::unary(UnaryOp::Not, r0());
        assert_eq!((not.evaluate(&[7]), not.evaluate(&[0])), (0, 1));
        assert_eq!(BinaryOp::Lt.apply(-1, 0), 1);
        assert_eq!(BinaryOp::And.apply(2, 4), 1);
        assert_eq!(BinaryOp::BitAnd.apply(2, 4), 0);
    }
}
