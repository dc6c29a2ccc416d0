//! Where the values of a function are: registers for results, operands for what is used.

use super::super::arithmetic::{compare_of, int_op};
use super::super::cells;
use super::super::constants::Evaluator;
use super::{FunctionLowerer, Lowered, Slot};
use norn_llvm::{CastOp, ConstId, ConstantKind, LocalId, Op, Operand as IrOperand, TypeId};
use norn_program::{Instruction, Operand, Register};

impl<'a> FunctionLowerer<'a, '_> {
    /// Registers for the duration of this instruction.
    pub fn temporary(&mut self, count: u32) -> Register {
        let register = self.allocate(count);
        self.temporaries.push((register, count));
        register
    }

    pub(super) fn set_slot(&mut self, local: LocalId, operand: Operand, owner: Option<LocalId>) {
        self.slots[local.0 as usize] = Some(Slot { operand, offset: 0, owner, variable: None });
    }

    /// New registers for the result of the current instruction.
    pub fn result(&mut self, local: LocalId, count: u32) -> Register {
        // In valid IR both agree; otherwise uses must at least stay within the frame.
        let count = count.max(self.cells(self.body.local(local).ty).unwrap_or(1));
        let register = self.allocate(count);
        self.owned[local.0 as usize] = Some((register, count));
        self.set_slot(local, register.into(), Some(local));
        register
    }

    /// The register for a result of one cell that a single instruction writes: the register of the
    /// variable that it is stored to next, if there is one.
    pub fn result_direct(&mut self, local: LocalId) -> Register {
        let Some(&v) = self.direct.get(&local) else { return self.result(local, 1) };
        let register = self.variables[v as usize];
        self.slots[local.0 as usize] =
            Some(Slot { operand: register.into(), offset: 0, owner: None, variable: Some(v) });
        register
    }

    /// The result is constant, or lives in registers that are never taken again.
    pub fn result_is(&mut self, local: LocalId, operand: Operand) {
        self.set_slot(local, operand, None);
    }

    /// The result is the `count` cells of `source` from `cell` on, `offset` added.
    pub fn result_alias(
        &mut self,
        local: LocalId,
        source: IrOperand,
        cell: u32,
        count: u32,
        offset: i32,
    ) -> Lowered<()> {
        let available = self.cells(self.type_of(source))?;
        let needed = self.cells(self.body.local(local).ty)?;
        if cell + count.max(needed) > available {
            return Err("a value of a type that does not fit".into());
        }
        let IrOperand::Local(id) = source else {
            let operand = self.operand(source)?.plus(cell);
            if offset == 0 && operand.register().is_none() {
                self.result_is(local, operand);
            } else if offset == 0 {
                // The address of a thread-local variable, in a register of this instruction only.
                let dst = self.result(local, count);
                self.copy(dst, operand, count);
            } else {
                let dst = self.result(local, 1);
                let b = self.b.constant(i64::from(offset) as u64);
                self.b.emit(Instruction::Add { width: 64, dst, a: operand, b });
            }
            return Ok(());
        };
        let slot = self.slot(id)?;
        let folded = slot.offset.checked_add(offset);
        let stable = slot
            .variable
            .is_none_or(|v| self.is_stable(v, self.analysis.uses[local.0 as usize].last));
        if let (Some(folded), true) = (folded, stable) {
            let uses = self.analysis.uses[local.0 as usize];
            if let Some(owner) = slot.owner {
                self.remaining[owner.0 as usize] += uses.count;
                self.pinned[owner.0 as usize] |= !uses.local;
            }
            let operand = slot.operand.plus(cell);
            self.slots[local.0 as usize] = Some(Slot { operand, offset: folded, ..slot });
            return Ok(());
        }
        let operand = self.operand(source)?.plus(cell);
        let dst = self.result(local, count);
        if offset == 0 {
            self.copy(dst, operand, count);
        } else {
            let b = self.b.constant(i64::from(offset) as u64);
            self.b.emit(Instruction::Add { width: 64, dst, a: operand, b });
        }
        Ok(())
    }

    /// The result is the content of a variable.
    pub fn result_variable(&mut self, local: LocalId, v: u32, register: Register, count: u32) {
        if self.is_stable(v, self.analysis.uses[local.0 as usize].last) {
            let operand = register.into();
            let slot = Slot { operand, offset: 0, owner: None, variable: Some(v) };
            self.slots[local.0 as usize] = Some(slot);
            return;
        }
        let dst = self.result(local, count);
        self.copy(dst, register.into(), count);
    }

    /// Whether no store to a variable comes between here and position `last` of this block.
    pub fn is_stable(&self, variable: u32, last: u32) -> bool {
        let Some(writes) = self.writes.get(&variable) else { return last != u32::MAX };
        let next = writes.partition_point(|&at| at <= self.position);
        last != u32::MAX && writes.get(next).is_none_or(|&at| at >= last)
    }

    pub fn copy(&mut self, dst: Register, src: Operand, count: u32) {
        if count > 2 {
            self.b.emit(Instruction::MoveMany { count: count as u16, dst, src });
            return;
        }
        for i in 0..count {
            if Operand::from(dst.plus(i)) != src.plus(i) {
                self.b.emit(Instruction::Move { dst: dst.plus(i), src: src.plus(i) });
            }
        }
    }

    /// Counts the uses of an instruction as done and frees what is not used any more.
    pub fn release(&mut self, op: &Op) {
        op.for_each_operand(|operand| {
            if let IrOperand::Local(local) = operand
                && let Some(Slot { owner: Some(owner), .. }) = self.slots[local.0 as usize]
            {
                let remaining = &mut self.remaining[owner.0 as usize];
                *remaining = remaining.saturating_sub(1);
                if *remaining == 0 {
                    self.free_owner(owner);
                }
            }
        });
        for (register, count) in std::mem::take(&mut self.temporaries) {
            self.free.entry(count).or_default().push(register);
        }
    }

    pub(super) fn free_owner(&mut self, owner: LocalId) {
        if !self.pinned[owner.0 as usize]
            && let Some((register, count)) = self.owned[owner.0 as usize].take()
        {
            self.free.entry(count).or_default().push(register);
        }
    }

    // --- operands -------------------------------------------------------------------------------

    pub fn slot(&self, local: LocalId) -> Lowered<Slot> {
        self.slots[local.0 as usize].ok_or_else(|| "a value of a type that is not supported".into())
    }

    /// The cells of an operand.
    pub fn operand(&mut self, operand: IrOperand) -> Lowered<Operand> {
        match operand {
            IrOperand::Local(local) => {
                let slot = self.slot(local)?;
                if slot.offset == 0 {
                    return Ok(slot.operand);
                }
                let dst = self.temporary(1);
                let b = self.b.constant(i64::from(slot.offset) as u64);
                self.b.emit(Instruction::Add { width: 64, dst, a: slot.operand, b });
                Ok(dst.into())
            }
            IrOperand::Const(id) => self.constant(id),
            IrOperand::Metadata => Err("metadata used as a value".into()),
        }
    }

    fn constant(&mut self, id: ConstId) -> Lowered<Operand> {
        if let Some(&operand) = self.constants.get(&id) {
            return Ok(operand);
        }
        let evaluator = self.evaluator();
        let scalar = cells::scalar(self.module, self.module.constant(id).ty);
        if let Some(width @ 1..=64) = scalar.map(|scalar| scalar.bits() as u8)
            && let Ok((value, Some(global))) = evaluator.scalar(id, self.b.program())
        {
            let dst = self.temporary(1);
            self.b.emit(Instruction::ThreadLocal { dst, global });
            if value != 0 || width < 64 {
                let b = self.b.constant(value as u64);
                self.b.emit(Instruction::Add { width, dst, a: dst.into(), b });
            }
            return Ok(dst.into());
        }
        let mut values = Vec::new();
        if let Err(message) = evaluator.cells(id, self.b.program(), &mut values) {
            return self.computed(id)?.ok_or(message);
        }
        let operand = match values[..] {
            [low, high] => self.b.program().constant_pair(u128::from(high) << 64 | u128::from(low)),
            _ => self.b.program().constant_cells(&values),
        };
        self.constants.insert(id, operand);
        Ok(operand)
    }

    /// A constant that is computed, since it depends on the address of a thread-local variable: older clangs fold what is
    /// made of one.
    fn computed(&mut self, id: ConstId) -> Lowered<Option<Operand>> {
        let module = self.module;
        let width_of = |id: ConstId| {
            let scalar = cells::scalar(module, module.constant(id).ty);
            scalar.map(|scalar| scalar.bits()).filter(|bits| (1..=64).contains(bits))
        };
        let Some(width) = width_of(id) else { return Ok(None) };
        match &module.constant(id).kind {
            ConstantKind::Binary { op, left, right } => {
                let Some(op) = int_op(*op) else { return Ok(None) };
                let (a, b) = (self.constant(*left)?, self.constant(*right)?);
                let dst = self.temporary(1);
                self.b.binary(op, width as u8, dst, a, b);
                Ok(Some(dst.into()))
            }
            ConstantKind::Icmp { predicate, left, right } => {
                let Some(width) = width_of(*left) else { return Ok(None) };
                let (a, b) = (self.constant(*left)?, self.constant(*right)?);
                let dst = self.temporary(1);
                self.b.compare(compare_of(*predicate), width as u8, dst, a, b);
                Ok(Some(dst.into()))
            }
            ConstantKind::Cast { op: CastOp::Sext, .. } => Ok(None),
            ConstantKind::Cast { value, .. } if width_of(*value).is_some() => {
                let (dst, b) = (self.temporary(1), self.b.constant(0));
                let a = self.constant(*value)?;
                self.b.emit(Instruction::Add { width: width as u8, dst, a, b });
                Ok(Some(dst.into()))
            }
            _ => Ok(None),
        }
    }

    pub fn evaluator(&self) -> Evaluator<'a> {
        Evaluator { module: self.module, index: self.index, symbols: self.symbols, in_code: true }
    }

    /// The value of a constant integer operand.
    pub fn constant_int(&mut self, operand: IrOperand) -> Option<u128> {
        let IrOperand::Const(id) = operand else { return None };
        cells::scalar(self.module, self.module.constant(id).ty)?;
        let (value, thread_local) = self.evaluator().scalar(id, self.b.program()).ok()?;
        thread_local.is_none().then_some(value)
    }

    pub fn type_of(&self, operand: IrOperand) -> TypeId {
        self.module.operand_type(self.body, operand)
    }

    /// The scalar type of an operand.
    pub fn scalar_of(&self, operand: IrOperand) -> Lowered<cells::Scalar> {
        self.scalar(self.type_of(operand))
    }

    pub fn scalar(&self, ty: TypeId) -> Lowered<cells::Scalar> {
        cells::scalar(self.module, ty).ok_or_else(|| "a type that is not supported here".into())
    }

    pub fn cells(&self, ty: TypeId) -> Lowered<u32> {
        cells::cells(self.module, ty)
            .ok_or_else(|| "a value of a type that is not supported".into())
    }

    // --- blocks ---------------------------------------------------------------------------------
}
