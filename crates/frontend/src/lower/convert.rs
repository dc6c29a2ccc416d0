//! Conversions.

use super::cells::Scalar;
use super::function::{FunctionLowerer, Lowered};
use norn_llvm::{CastOp, LocalId, Operand as IrOperand, TypeId};
use norn_program::{BinaryOp, FloatConvert, Instruction, Operand, Register};

impl FunctionLowerer<'_, '_> {
    pub(super) fn cast(
        &mut self,
        op: CastOp,
        value: IrOperand,
        to: TypeId,
        result: LocalId,
    ) -> Lowered<()> {
        let from = self.type_of(value);
        if op == CastOp::Bitcast && from != to {
            return self.bitcast(value, from, to, result);
        }
        let (source, lanes) = self.lanes(from)?;
        let (target, _) = self.lanes(to)?;
        if matches!(op, CastOp::Ptrtoint | CastOp::Ptrtoaddr) {
            self.b.program().program().addresses_are_numbers = true;
        }
        if lanes == 1 && is_nop(op, source, target) {
            return self.result_alias(result, value, 0, target.cells(), 0);
        }
        let a = self.operand(value)?;
        let dst = self.result(result, target.cells() * lanes);
        for i in 0..lanes {
            let (dst, a) = (dst.plus(i * target.cells()), a.plus(i * source.cells()));
            self.convert(op, source, target, dst, a)?;
        }
        Ok(())
    }

    /// Converts one scalar.
    fn convert(
        &mut self,
        op: CastOp,
        from: Scalar,
        to: Scalar,
        dst: Register,
        src: Operand,
    ) -> Lowered<()> {
        match op {
            _ if is_nop(op, from, to) => self.copy(dst, src, to.cells()),
            CastOp::Trunc | CastOp::Ptrtoint | CastOp::Ptrtoaddr | CastOp::Inttoptr
                if to.bits() <= from.bits() =>
            {
                self.truncate(to.bits(), dst, src);
            }
            CastOp::Zext | CastOp::Ptrtoint | CastOp::Inttoptr => {
                // Only to a pair: within one cell the upper bits are zero already.
                self.b.emit(Instruction::Move { dst, src });
                let zero = self.b.constant(0);
                self.b.emit(Instruction::Move { dst: dst.plus(1), src: zero });
            }
            CastOp::Sext => self.sign_extend(from.bits(), to.bits(), dst, src),
            _ => return self.float_convert(op, from, to, dst, src),
        }
        Ok(())
    }

    fn truncate(&mut self, to: u32, dst: Register, src: Operand) {
        if to > 64 {
            let b = self.ones(to);
            self.b.binary(BinaryOp::And, to as u8, dst, src, b);
        } else {
            self.b.emit(Instruction::Truncate { width: to as u8, dst, src });
        }
    }

    fn sign_extend(&mut self, from: u32, to: u32, dst: Register, src: Operand) {
        if to <= 64 {
            self.b.emit(Instruction::SignExtend { from: from as u8, to: to as u8, dst, src });
            return;
        }
        if from <= 64 {
            self.b.emit(Instruction::SignExtend { from: from as u8, to: 64, dst, src });
            let shift = self.b.constant(63);
            self.b.binary(BinaryOp::AShr, 64, dst.plus(1), dst.into(), shift);
            if to < 128 {
                let b = self.ones(to);
                self.b.binary(BinaryOp::And, to as u8, dst, dst.into(), b);
            }
            return;
        }
        let shift = self.b.program().constant_pair(u128::from(to - from));
        self.b.binary(BinaryOp::Shl, to as u8, dst, src, shift);
        self.b.binary(BinaryOp::AShr, to as u8, dst, dst.into(), shift);
    }

    fn float_convert(
        &mut self,
        op: CastOp,
        from: Scalar,
        to: Scalar,
        dst: Register,
        src: Operand,
    ) -> Lowered<()> {
        let convert = match op {
            CastOp::Fptrunc | CastOp::Fpext => FloatConvert::Resize,
            CastOp::Fptosi => FloatConvert::ToSigned,
            CastOp::Fptoui => FloatConvert::ToUnsigned,
            CastOp::Sitofp => FloatConvert::FromSigned,
            CastOp::Uitofp => FloatConvert::FromUnsigned,
            _ => return Err(format!("the conversion `{}`", op.name())),
        };
        let (from, to) = (from.bits() as u8, to.bits() as u8);
        self.b.emit(Instruction::FloatConvert { convert, from, to, dst, src });
        Ok(())
    }
}

/// Whether the cells stay as they are.
fn is_nop(op: CastOp, from: Scalar, to: Scalar) -> bool {
    match op {
        CastOp::Bitcast | CastOp::Addrspacecast => true,
        CastOp::Ptrtoint | CastOp::Ptrtoaddr | CastOp::Inttoptr | CastOp::Zext => {
            to.bits() >= from.bits() && from.cells() == to.cells()
        }
        CastOp::Trunc => to.bits() == 64 && from.bits() > 64,
        CastOp::Fpext | CastOp::Fptrunc => from.bits() == to.bits(),
        _ => false,
    }
}
