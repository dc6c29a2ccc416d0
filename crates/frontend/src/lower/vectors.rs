//! Aggregates and vectors: their parts lie in consecutive cells, so that most of this is moves.

use super::cells::{self, Scalar};
use super::function::{FunctionLowerer, Lowered};
use norn_action::Compare;
use norn_llvm::{ConstId, LocalId, Operand as IrOperand, TypeId};
use norn_program::{BinaryOp, Instruction, Operand, Register};

impl FunctionLowerer<'_, '_> {
    pub(super) fn extract_value(
        &mut self,
        aggregate: IrOperand,
        indices: &[u32],
        result: LocalId,
    ) -> Lowered<()> {
        let (cell, ty) = self.member(self.type_of(aggregate), indices)?;
        let count = self.cells(ty)?;
        self.result_alias(result, aggregate, cell, count, 0)
    }

    pub(super) fn insert_value(
        &mut self,
        aggregate: IrOperand,
        element: IrOperand,
        indices: &[u32],
        result: LocalId,
    ) -> Lowered<()> {
        let ty = self.type_of(aggregate);
        let (cell, part) = self.member(ty, indices)?;
        let (count, part) = (self.cells(ty)?, self.cells(part)?);
        let (whole, element) = (self.operand(aggregate)?, self.operand(element)?);
        let dst = self.result(result, count);
        self.copy(dst, whole, count);
        self.copy(dst.plus(cell), element, part);
        Ok(())
    }

    fn member(&self, ty: TypeId, indices: &[u32]) -> Lowered<(u32, TypeId)> {
        self.cells(ty)?;
        cells::member(self.module, ty, indices).ok_or_else(|| "a member that does not exist".into())
    }

    pub(super) fn extract_element(
        &mut self,
        vector: IrOperand,
        index: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(vector))?;
        let step = scalar.cells();
        if let Some(index) = self.constant_int(index) {
            // Out of range the result is poison, which is zero here.
            let index = u32::try_from(index).unwrap_or(0).min(lanes.saturating_sub(1));
            return self.result_alias(result, vector, index * step, step, 0);
        }
        let (source, index) = (self.operand(vector)?, self.operand(index)?);
        let dst = self.result(result, step);
        for lane in 0..lanes {
            let flag = self.is_lane(index, lane);
            for i in 0..step {
                let src = source.plus(lane * step + i);
                self.b.emit(Instruction::MoveIf { dst: dst.plus(i), condition: flag, src });
            }
        }
        Ok(())
    }

    pub(super) fn insert_element(
        &mut self,
        vector: IrOperand,
        element: IrOperand,
        index: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(vector))?;
        let step = scalar.cells();
        let constant = self.constant_int(index);
        let (source, element) = (self.operand(vector)?, self.operand(element)?);
        let index = self.operand(index)?;
        let dst = self.result(result, lanes * step);
        self.copy(dst, source, lanes * step);
        if let Some(constant) = constant {
            if constant < u128::from(lanes) {
                self.copy(dst.plus(constant as u32 * step), element, step);
            }
            return Ok(());
        }
        for lane in 0..lanes {
            let flag = self.is_lane(index, lane);
            for i in 0..step {
                let (dst, src) = (dst.plus(lane * step + i), element.plus(i));
                self.b.emit(Instruction::MoveIf { dst, condition: flag, src });
            }
        }
        Ok(())
    }

    fn is_lane(&mut self, index: Operand, lane: u32) -> Operand {
        let flag = self.temporary(1);
        let lane = self.b.constant(u64::from(lane));
        self.b.compare(Compare::Eq, 64, flag, index, lane);
        flag.into()
    }

    pub(super) fn shuffle_vector(
        &mut self,
        left: IrOperand,
        right: IrOperand,
        mask: ConstId,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(left))?;
        let step = scalar.cells();
        let mut lanes_wanted = Vec::new();
        self.evaluator().cells(mask, self.b.program(), &mut lanes_wanted)?;
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let dst = self.result(result, lanes_wanted.len() as u32 * step);
        for (i, &lane) in lanes_wanted.iter().enumerate() {
            let lane = lane as u32;
            let source = if lane < lanes {
                a.plus(lane * step)
            } else {
                b.plus((lane - lanes).min(lanes.saturating_sub(1)) * step)
            };
            self.copy(dst.plus(i as u32 * step), source, step);
        }
        Ok(())
    }

    // --- changing the type of the same bits -----------------------------------------------------

    pub(super) fn bitcast(
        &mut self,
        value: IrOperand,
        from: TypeId,
        to: TypeId,
        result: LocalId,
    ) -> Lowered<()> {
        let ((a, from_lanes), (b, to_lanes)) = (self.lanes(from)?, self.lanes(to)?);
        if from_lanes == to_lanes && a.bits() == b.bits() {
            return self.result_alias(result, value, 0, a.cells() * from_lanes, 0);
        }
        let operand = self.operand(value)?;
        let words = self.packed_words(from, operand)?;
        let bits = b.bits();
        if b.cells() == 1 && (bits == 0 || 64 % bits != 0) {
            return Err("a change of type between vectors of odd widths".into());
        }
        let dst = self.result(result, b.cells() * to_lanes);
        if b.cells() == 2 {
            for (i, &word) in words.iter().enumerate() {
                self.copy(dst.plus(i as u32), word, 1);
            }
            return Ok(());
        }
        for lane in 0..to_lanes {
            let at = lane * bits;
            let word = words[(at / 64) as usize];
            self.shifted(BinaryOp::LShr, dst.plus(lane), word, at % 64);
            if bits < 64 {
                let (dst, width) = (dst.plus(lane), bits as u8);
                self.b.emit(Instruction::Truncate { width, dst, src: dst.into() });
            }
        }
        Ok(())
    }

    fn shifted(&mut self, op: BinaryOp, dst: Register, src: Operand, amount: u32) {
        if amount == 0 {
            self.copy(dst, src, 1);
            return;
        }
        let b = self.b.constant(u64::from(amount));
        self.b.binary(op, 64, dst, src, b);
    }

    /// The bits of a value as they lie in memory, in words of 64 bits.
    pub(super) fn packed_words(&mut self, ty: TypeId, operand: Operand) -> Lowered<Vec<Operand>> {
        let leaves =
            cells::leaves(self.module, ty).ok_or("a value of a type that is not supported")?;
        let size = self.module.layout.of(ty).ok_or("a value without a size")?.size;
        let mut words: Vec<Option<Register>> = vec![None; size.div_ceil(8) as usize];
        for (lane, leaf) in leaves.iter().enumerate() {
            // Elements of less than a byte lie bit by bit.
            let first = match leaf.offset {
                u64::MAX => lane as u64 * u64::from(leaf.scalar.bits()),
                offset => offset * 8,
            };
            for i in 0..leaf.scalar.cells() {
                let at = first + u64::from(i) * 64;
                self.add_to_word(&mut words, leaf.scalar, at, operand.plus(leaf.cell + i))?;
            }
        }
        let zero = self.b.constant(0);
        Ok(words.into_iter().map(|word| word.map_or(zero, Operand::from)).collect())
    }

    /// Adds a scalar at bit `at`.
    fn add_to_word(
        &mut self,
        words: &mut [Option<Register>],
        scalar: Scalar,
        at: u64,
        value: Operand,
    ) -> Lowered<()> {
        let shift = (at % 64) as u32;
        if shift + scalar.bits().min(64) > 64 {
            return Err("a value across two words".into());
        }
        let index = (at / 64) as usize;
        match words.get(index).copied() {
            None => return Err("a value of an odd size as bits".into()),
            Some(None) => {
                let word = self.temporary(1);
                self.shifted(BinaryOp::Shl, word, value, shift);
                words[index] = Some(word);
            }
            Some(Some(word)) => {
                let piece = self.temporary(1);
                self.shifted(BinaryOp::Shl, piece, value, shift);
                self.b.emit(Instruction::Or { dst: word, a: word.into(), b: piece.into() });
            }
        }
        Ok(())
    }
}
