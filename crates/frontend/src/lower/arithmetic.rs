//! Arithmetic, comparisons and choices; vectors are done element by element.

use super::cells::Scalar;
use super::function::{FunctionLowerer, Lowered};
use norn_action::Compare;
use norn_llvm::{
    BinaryOp as IrBinary, FloatPredicate, IntPredicate, LocalId, Operand as IrOperand, TypeId,
};
use norn_program::{
    BinaryOp, FloatBinaryOp, FloatCompare, FloatUnaryOp, Instruction, Operand, Register,
};

impl FunctionLowerer<'_, '_> {
    /// The scalar that a type consists of, and how many of them: more than one for a vector.
    pub(super) fn lanes(&self, ty: TypeId) -> Lowered<(Scalar, u32)> {
        match *self.module.types.get(ty) {
            norn_llvm::Type::Vector { len, scalable: false, element } => {
                self.cells(ty)?;
                Ok((self.scalar(element)?, len))
            }
            _ => Ok((self.scalar(ty)?, 1)),
        }
    }

    /// Registers for a result of `lanes` scalars.
    pub(super) fn lane_result(&mut self, result: LocalId, scalar: Scalar, lanes: u32) -> Register {
        match scalar.cells() * lanes {
            1 => self.result_direct(result),
            count => self.result(result, count),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: IrBinary,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(left))?;
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let dst = self.lane_result(result, scalar, lanes);
        let step = scalar.cells();
        for i in (0..lanes).map(|lane| lane * step) {
            let (dst, a, b) = (dst.plus(i), a.plus(i), b.plus(i));
            match (float_op(op), int_op(op), scalar.float_width()) {
                (Some(op), _, Some(width)) => {
                    self.b.emit(Instruction::FloatBinary { op, width, dst, a, b });
                }
                (_, Some(op), None) => self.b.binary(op, scalar.bits() as u8, dst, a, b),
                _ => return Err(format!("`{}` on this type", op.name())),
            }
        }
        Ok(())
    }

    pub(super) fn fneg(&mut self, value: IrOperand, result: LocalId) -> Lowered<()> {
        self.float_unary(FloatUnaryOp::Neg, value, result)
    }

    pub(super) fn float_unary(
        &mut self,
        op: FloatUnaryOp,
        value: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(value))?;
        let width = scalar.float_width().ok_or("a floating-point operation on this type")?;
        let a = self.operand(value)?;
        let dst = self.result(result, lanes);
        for i in 0..lanes {
            let (dst, a) = (dst.plus(i), a.plus(i));
            self.b.emit(Instruction::FloatUnary { op, width, dst, a });
        }
        Ok(())
    }

    pub(super) fn float_binary(
        &mut self,
        op: FloatBinaryOp,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        self.same_types(&[left, right])?;
        let emit = |width, dst, a, b| Instruction::FloatBinary { op, width, dst, a, b };
        self.float_lanes(left, right, result, emit)
    }

    /// The instruction that `emit` makes of a width and its registers, for each lane of two floating-point
    /// operands.
    fn float_lanes(
        &mut self,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
        emit: impl Fn(u8, Register, Operand, Operand) -> Instruction,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(left))?;
        let width = scalar.float_width().ok_or("a floating-point operation on this type")?;
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let dst = self.result(result, lanes);
        for i in 0..lanes {
            self.b.emit(emit(width, dst.plus(i), a.plus(i), b.plus(i)));
        }
        Ok(())
    }

    pub(super) fn icmp(
        &mut self,
        predicate: IntPredicate,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(left))?;
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let dst = self.lane_result(result, Scalar::Int(1), lanes);
        self.note_order(predicate, scalar);
        let step = scalar.cells();
        for i in 0..lanes {
            let (a, b) = (a.plus(i * step), b.plus(i * step));
            self.b.compare(compare_of(predicate), scalar.bits() as u8, dst.plus(i), a, b);
        }
        Ok(())
    }

    /// Notes if it is addresses whose order is asked for.
    pub(super) fn note_order(&mut self, predicate: IntPredicate, scalar: Scalar) {
        if scalar == Scalar::Ptr && !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            self.b.program().program().addresses_are_numbers = true;
        }
    }

    pub(super) fn fcmp(
        &mut self,
        predicate: FloatPredicate,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let compare = float_compare(predicate);
        let emit = |width, dst, a, b| Instruction::FloatCompare { compare, width, dst, a, b };
        self.float_lanes(left, right, result, emit)
    }

    pub(super) fn select(
        &mut self,
        condition: IrOperand,
        then: IrOperand,
        other: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let ty = self.type_of(then);
        let count = self.cells(ty)?;
        let conditions = self.cells(self.type_of(condition))?;
        if conditions == 0 || count % conditions != 0 && conditions != 1 {
            return Err("a choice between values of different shapes".into());
        }
        let (c, a, b) = (self.operand(condition)?, self.operand(then)?, self.operand(other)?);
        let dst = self.result(result, count);
        if conditions == 1 {
            self.b.select(count, dst, c, a, b);
            return Ok(());
        }
        // A vector of conditions: one for each element.
        let step = count / conditions;
        for i in 0..conditions {
            let at = i * step;
            self.b.select(step, dst.plus(at), c.plus(i), a.plus(at), b.plus(at));
        }
        Ok(())
    }

    /// `op` on equal types for an intrinsic, lane by lane.
    pub(super) fn int_binary(
        &mut self,
        op: BinaryOp,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(left))?;
        self.same_types(&[left, right])?;
        if scalar.float_width().is_some() {
            return Err("an integer operation on a floating-point number".into());
        }
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let step = scalar.cells();
        let dst = self.result(result, lanes * step);
        for i in (0..lanes).map(|lane| lane * step) {
            self.b.binary(op, scalar.bits() as u8, dst.plus(i), a.plus(i), b.plus(i));
        }
        Ok(())
    }

    /// Refuses operands of different types, which only IR that is not valid has.
    pub(super) fn same_types(&self, operands: &[IrOperand]) -> Lowered<()> {
        let same = operands.windows(2).all(|pair| self.type_of(pair[0]) == self.type_of(pair[1]));
        if same { Ok(()) } else { Err("operands of different types".into()) }
    }

    /// A constant with the low `bits` bits set, as wide as a scalar of `bits`.
    pub(super) fn ones(&mut self, bits: u32) -> Operand {
        if bits > 64 {
            self.b.program().constant_pair(super::constants::mask(u128::MAX, bits))
        } else {
            self.b.constant(super::constants::mask(u128::MAX, bits) as u64)
        }
    }
}

pub(super) fn compare_of(predicate: IntPredicate) -> Compare {
    match predicate {
        IntPredicate::Eq => Compare::Eq,
        IntPredicate::Ne => Compare::Ne,
        IntPredicate::Ugt => Compare::Ugt,
        IntPredicate::Uge => Compare::Uge,
        IntPredicate::Ult => Compare::Ult,
        IntPredicate::Ule => Compare::Ule,
        IntPredicate::Sgt => Compare::Sgt,
        IntPredicate::Sge => Compare::Sge,
        IntPredicate::Slt => Compare::Slt,
        IntPredicate::Sle => Compare::Sle,
    }
}

fn float_compare(predicate: FloatPredicate) -> FloatCompare {
    match predicate {
        FloatPredicate::False => FloatCompare::False,
        FloatPredicate::Oeq => FloatCompare::Oeq,
        FloatPredicate::Ogt => FloatCompare::Ogt,
        FloatPredicate::Oge => FloatCompare::Oge,
        FloatPredicate::Olt => FloatCompare::Olt,
        FloatPredicate::Ole => FloatCompare::Ole,
        FloatPredicate::One => FloatCompare::One,
        FloatPredicate::Ord => FloatCompare::Ord,
        FloatPredicate::Ueq => FloatCompare::Ueq,
        FloatPredicate::Ugt => FloatCompare::Ugt,
        FloatPredicate::Uge => FloatCompare::Uge,
        FloatPredicate::Ult => FloatCompare::Ult,
        FloatPredicate::Ule => FloatCompare::Ule,
        FloatPredicate::Une => FloatCompare::Une,
        FloatPredicate::Uno => FloatCompare::Uno,
        FloatPredicate::True => FloatCompare::True,
    }
}

fn float_op(op: IrBinary) -> Option<FloatBinaryOp> {
    Some(match op {
        IrBinary::Fadd => FloatBinaryOp::Add,
        IrBinary::Fsub => FloatBinaryOp::Sub,
        IrBinary::Fmul => FloatBinaryOp::Mul,
        IrBinary::Fdiv => FloatBinaryOp::Div,
        IrBinary::Frem => FloatBinaryOp::Rem,
        _ => return None,
    })
}

pub(super) fn int_op(op: IrBinary) -> Option<BinaryOp> {
    Some(match op {
        IrBinary::Add => BinaryOp::Add,
        IrBinary::Sub => BinaryOp::Sub,
        IrBinary::Mul => BinaryOp::Mul,
        IrBinary::Udiv => BinaryOp::UDiv,
        IrBinary::Sdiv => BinaryOp::SDiv,
        IrBinary::Urem => BinaryOp::URem,
        IrBinary::Srem => BinaryOp::SRem,
        IrBinary::Shl => BinaryOp::Shl,
        IrBinary::Lshr => BinaryOp::LShr,
        IrBinary::Ashr => BinaryOp::AShr,
        IrBinary::And => BinaryOp::And,
        IrBinary::Or => BinaryOp::Or,
        IrBinary::Xor => BinaryOp::Xor,
        _ => return None,
    })
}
