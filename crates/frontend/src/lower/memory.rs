//! Memory: allocas, loads, stores, atomics and address arithmetic.

use super::cells::{self, Leaf, Scalar};
use super::constants::{member_offset, signed};
use super::function::{FunctionLowerer, Lowered};
use norn_action::{Mode, RmwOp};
use norn_llvm::{
    AtomicRmw, CmpXchg, LocalId, MemoryAccess, Operand as IrOperand, Ordering, RmwOperation,
    TypeId, debug,
};
use norn_program::{
    BinaryOp, Instruction, Local, LocalId as MemoryLocal, LocationId, Operand, Register,
};

impl FunctionLowerer<'_, '_> {
    /// The table entry of a local in memory: its name and type in the source.
    pub(super) fn memory_local(&mut self, local: LocalId, align: u32) -> MemoryLocal {
        let known = self.body.debug_variables.iter().find(|v| v.is_address && v.local == local);
        let variable = known.and_then(|v| debug::variable(self.module, v.variable));
        let (mut name, mut kind, mut location) = (String::new(), None, LocationId::NONE);
        if let (Some(variable), Some(known)) = (variable, known) {
            let program = self.b.program().program();
            let found = self.debug.global(self.index, self.module, Some(known.variable), program);
            (name, kind, location) = (variable.name, found.1, found.2);
        } else if let Some(id) = self.body.local(local).name {
            name = self.module.names.text(id).to_owned();
        }
        let align = u64::from(align.max(1).next_power_of_two());
        self.b.program().local(Local { name, align, kind, location })
    }

    pub(super) fn alloca(
        &mut self,
        ty: TypeId,
        count: Option<IrOperand>,
        align: u32,
        result: LocalId,
    ) -> Lowered<()> {
        if self.analysis.variable_of[result.0 as usize].is_some() {
            return Ok(());
        }
        let layout = self.module.layout.of(ty).ok_or("a local variable without a size")?;
        let size = match count {
            None => self.b.constant(layout.size),
            Some(count) => match self.constant_int(count) {
                Some(count) => self.b.constant((count as u64).wrapping_mul(layout.size)),
                None => {
                    let a = self.operand(count)?;
                    let b = self.b.constant(layout.size);
                    let dst = self.temporary(1);
                    self.b.emit(Instruction::Mul { width: 64, dst, a, b });
                    dst.into()
                }
            },
        };
        let local = self.memory_local(result, align.max(layout.align));
        let dst = self.result(result, 1);
        let made = Instruction::Alloca { dst, size, local };
        if count.is_none() && self.analysis.scopes.is_scoped(result) {
            self.scoped.insert(result, made);
        } else {
            self.b.emit(made);
        }
        Ok(())
    }

    /// The scope of a local variable begins: it has no value, and another address than before.
    pub(super) fn begin_scope(&mut self, alloca: LocalId) {
        if let Some(v) = self.analysis.variable_of[alloca.0 as usize] {
            if let Some(flag) = self.flags[v as usize] {
                let zero = self.b.constant(0);
                self.b.emit(Instruction::Move { dst: flag, src: zero });
            }
        } else if let Some(&made) = self.scoped.get(&alloca) {
            self.b.emit(made);
        }
    }

    /// The scope of a local variable ends.
    pub(super) fn end_scope(&mut self, alloca: LocalId) {
        if let Some(&Instruction::Alloca { dst, .. }) = self.scoped.get(&alloca) {
            self.b.emit(Instruction::EndScope { address: dst.into() });
        }
    }

    /// Address and offset of an access.
    fn address(&mut self, pointer: IrOperand) -> Lowered<(Operand, i32)> {
        if let IrOperand::Local(local) = pointer {
            let slot = self.slot(local)?;
            return Ok((slot.operand, slot.offset));
        }
        Ok((self.operand(pointer)?, 0))
    }

    pub(super) fn load(
        &mut self,
        ty: TypeId,
        pointer: IrOperand,
        access: MemoryAccess,
        result: LocalId,
    ) -> Lowered<()> {
        if let IrOperand::Local(local) = pointer
            && let Some(v) = self.analysis.variable_of[local.0 as usize]
        {
            return self.load_variable(v, ty, result);
        }
        let leaves = self.leaves(ty)?;
        let (address, offset) = self.address(pointer)?;
        let mode = mode(access, Mode::Acquire);
        if let [Leaf { scalar, .. }] = leaves[..]
            && scalar.cells() == 1
            && is_access_size(scalar.bytes())
        {
            let dst = self.result_direct(result);
            return self.load_scalar(scalar, dst, address, offset, mode);
        }
        if access.ordering.is_some() && leaves.len() != 1 {
            return Err("an atomic access of this type".into());
        }
        let count = self.cells(ty)?;
        let dst = self.result(result, count);
        for leaf in leaves {
            let offset = add_offset(offset, leaf.offset)?;
            self.load_scalar(leaf.scalar, dst.plus(leaf.cell), address, offset, mode)?;
        }
        Ok(())
    }

    fn load_variable(&mut self, v: u32, ty: TypeId, result: LocalId) -> Lowered<()> {
        if self.analysis.unsure_loads.contains(&(self.block.0, self.position))
            && let Some(flag) = self.flags[v as usize]
        {
            let alloca = self.analysis.variables[v as usize].alloca;
            let name = self.variable_name(alloca);
            let message = self.b.program().message(&name);
            let (register, cells) = (self.variables[v as usize], self.cells(ty)? as u8);
            self.b.emit(Instruction::CheckInitialised { cells, flag, register, message });
        }
        let count = self.cells(ty)?;
        let register = self.variables[v as usize];
        self.result_variable(result, v, register, count);
        Ok(())
    }

    fn variable_name(&self, alloca: LocalId) -> String {
        let known = self.body.debug_variables.iter().find(|v| v.is_address && v.local == alloca);
        let name = known.and_then(|v| debug::variable(self.module, v.variable)).map(|v| v.name);
        name.unwrap_or_else(|| match self.body.local(alloca).name {
            Some(id) => self.module.names.text(id).to_owned(),
            None => "a temporary".to_owned(),
        })
    }

    fn leaves(&self, ty: TypeId) -> Lowered<Vec<Leaf>> {
        let leaves =
            cells::leaves(self.module, ty).ok_or("a value of a type that is not supported")?;
        if leaves.iter().any(|leaf| leaf.offset == u64::MAX) {
            return Err("a vector of truth values in memory".into());
        }
        Ok(leaves)
    }

    fn load_scalar(
        &mut self,
        scalar: Scalar,
        dst: Register,
        address: Operand,
        offset: i32,
        mode: Mode,
    ) -> Lowered<()> {
        let size = scalar.bytes();
        if is_access_size(size) {
            let size = size as u8;
            self.b.emit(Instruction::Load { size, mode, dst, address, offset });
        } else if mode != Mode::Plain {
            return Err("an atomic access of this size".into());
        } else {
            self.load_pieces(scalar, dst, address, offset)?;
        }
        // Bits beyond the width are not part of the value.
        if let Scalar::Int(bits) = scalar
            && bits < 64
            && (bits % 8 != 0 || bits == 1)
        {
            self.b.emit(Instruction::Truncate { width: bits as u8, dst, src: dst.into() });
        }
        Ok(())
    }

    /// An integer whose size no access has: in the pieces that its size is the sum of.
    fn load_pieces(
        &mut self,
        scalar: Scalar,
        dst: Register,
        address: Operand,
        offset: i32,
    ) -> Lowered<()> {
        let piece = self.temporary(1);
        for cell in 0..scalar.cells() {
            let zero = self.b.constant(0);
            self.b.emit(Instruction::Move { dst: dst.plus(cell), src: zero });
        }
        for (at, size) in pieces(scalar.bytes()) {
            let offset = add_offset(offset, u64::from(at))?;
            let mode = Mode::Plain;
            self.b.emit(Instruction::Load { size, mode, dst: piece, address, offset });
            let cell = dst.plus(at / 8);
            let shift = self.b.constant(u64::from(at % 8 * 8));
            self.b.binary(BinaryOp::Shl, 64, piece, piece.into(), shift);
            self.b.emit(Instruction::Or { dst: cell, a: cell.into(), b: piece.into() });
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        value: IrOperand,
        pointer: IrOperand,
        access: MemoryAccess,
    ) -> Lowered<()> {
        let ty = self.type_of(value);
        if let IrOperand::Local(local) = pointer
            && let Some(v) = self.analysis.variable_of[local.0 as usize]
        {
            let source = self.operand(value)?;
            let count = self.cells(ty)?;
            let register = self.variables[v as usize];
            self.copy(register, source, count);
            if let Some(flag) = self.flags[v as usize] {
                let one = self.b.constant(1);
                self.b.emit(Instruction::Move { dst: flag, src: one });
            }
            return Ok(());
        }
        let leaves = self.leaves(ty)?;
        let source = self.operand(value)?;
        let (address, offset) = self.address(pointer)?;
        let mode = mode(access, Mode::Release);
        if access.ordering.is_some() && leaves.len() != 1 {
            return Err("an atomic access of this type".into());
        }
        for leaf in leaves {
            let offset = add_offset(offset, leaf.offset)?;
            self.store_scalar(leaf.scalar, source.plus(leaf.cell), address, offset, mode)?;
        }
        Ok(())
    }

    fn store_scalar(
        &mut self,
        scalar: Scalar,
        value: Operand,
        address: Operand,
        offset: i32,
        mode: Mode,
    ) -> Lowered<()> {
        let size = scalar.bytes();
        if is_access_size(size) {
            let size = size as u8;
            self.b.emit(Instruction::Store { size, mode, value, address, offset });
            return Ok(());
        }
        if mode != Mode::Plain {
            return Err("an atomic access of this size".into());
        }
        let piece = self.temporary(1);
        for (at, size) in pieces(size) {
            let offset = add_offset(offset, u64::from(at))?;
            let shift = self.b.constant(u64::from(at % 8 * 8));
            self.b.binary(BinaryOp::LShr, 64, piece, value.plus(at / 8), shift);
            let value = piece.into();
            self.b.emit(Instruction::Store { size, mode, value, address, offset });
        }
        Ok(())
    }

    pub(super) fn fence(&mut self, access: MemoryAccess) -> Lowered<()> {
        // A fence against signal handlers of the same thread orders nothing between threads.
        if !access.single_thread {
            let mode = access.ordering.map_or(Mode::SeqCst, mode_of);
            self.b.emit(Instruction::Fence { mode });
        }
        Ok(())
    }

    pub(super) fn compare_exchange(&mut self, op: &CmpXchg, result: LocalId) -> Lowered<()> {
        let scalar = self.scalar_of(op.expected)?;
        let size = atomic_size(scalar)?;
        let count = scalar.cells();
        let (expected, new) = (self.operand(op.expected)?, self.operand(op.new)?);
        let address = self.operand(op.pointer)?;
        let operands = self.temporary(2 * count);
        self.copy(operands, expected, count);
        self.copy(operands.plus(count), new, count);
        let dst = self.result(result, count + 1);
        self.b.emit(Instruction::CompareExchange {
            size,
            mode: op.access.ordering.map_or(Mode::SeqCst, mode_of),
            failure: mode_of(op.failure).of_read(),
            dst,
            address,
            operands: operands.into(),
        });
        Ok(())
    }

    pub(super) fn atomic_rmw(&mut self, op: &AtomicRmw, result: LocalId) -> Lowered<()> {
        let operation = match op.operation {
            RmwOperation::Xchg => RmwOp::Exchange,
            RmwOperation::Add => RmwOp::Add,
            RmwOperation::Sub => RmwOp::Sub,
            RmwOperation::And => RmwOp::And,
            RmwOperation::Or => RmwOp::Or,
            RmwOperation::Xor => RmwOp::Xor,
            RmwOperation::Nand => RmwOp::Nand,
            RmwOperation::Max => RmwOp::Max,
            RmwOperation::Min => RmwOp::Min,
            RmwOperation::Umax => RmwOp::Umax,
            RmwOperation::Umin => RmwOp::Umin,
            RmwOperation::Fadd => RmwOp::Fadd,
            RmwOperation::Fsub => RmwOp::Fsub,
            other => return Err(format!("the atomic operation `{}`", other.name())),
        };
        let scalar = self.scalar_of(op.value)?;
        let size = atomic_size(scalar)?;
        let mode = op.access.ordering.map_or(Mode::SeqCst, mode_of);
        let (address, value) = (self.operand(op.pointer)?, self.operand(op.value)?);
        let dst = self.result(result, scalar.cells());
        self.b.emit(Instruction::Rmw { op: operation, size, mode, dst, address, value });
        Ok(())
    }

    pub(super) fn gep(
        &mut self,
        source: TypeId,
        base: IrOperand,
        indices: &[IrOperand],
        result: LocalId,
    ) -> Lowered<()> {
        if self.cells(self.type_of(base))? != 1 {
            return Err("address arithmetic on vectors".into());
        }
        let unsized_type = || String::from("address arithmetic on a type without a size");
        let (mut ty, mut offset) = (source, 0i128);
        let mut variable: Vec<(IrOperand, u64)> = Vec::new();
        for (i, &index) in indices.iter().enumerate() {
            let bits = self.scalar_of(index)?.bits();
            let constant = self.constant_int(index).map(|value| signed(value, bits));
            let (step, next) = if i == 0 {
                let size = self.module.layout.of(ty).ok_or_else(unsized_type)?.size;
                (i128::from(size), ty)
            } else if let Some(constant) = constant {
                let (step, next) =
                    member_offset(self.module, ty, constant).ok_or_else(unsized_type)?;
                offset += step;
                ty = next;
                continue;
            } else {
                member_offset(self.module, ty, 1).ok_or_else(unsized_type)?
            };
            ty = next;
            match constant {
                Some(constant) => offset = offset.wrapping_add(step.wrapping_mul(constant)),
                None => variable.push((index, step as u64)),
            }
        }
        if variable.is_empty()
            && let Ok(offset) = i32::try_from(offset)
        {
            return self.result_alias(result, base, 0, 1, offset);
        }
        self.gep_variable(base, &variable, offset as u64, result)
    }

    fn gep_variable(
        &mut self,
        base: IrOperand,
        variable: &[(IrOperand, u64)],
        offset: u64,
        result: LocalId,
    ) -> Lowered<()> {
        let mut address = self.operand(base)?;
        let mut indices = Vec::with_capacity(variable.len());
        for &(index, step) in variable {
            indices.push((self.index64(index)?, step));
        }
        let dst = self.result(result, 1);
        for (index, step) in indices {
            self.scaled_add(dst, address, index, step);
            address = dst.into();
        }
        if offset != 0 {
            let b = self.b.constant(offset);
            self.b.emit(Instruction::Add { width: 64, dst, a: address, b });
        }
        Ok(())
    }

    fn scaled_add(&mut self, dst: Register, base: Operand, index: Operand, step: u64) {
        match u16::try_from(step) {
            Ok(scale) => self.b.emit(Instruction::Lea { scale, dst, base, index }),
            Err(_) => {
                let product = self.temporary(1);
                let b = self.b.constant(step);
                self.b.emit(Instruction::Mul { width: 64, dst: product, a: index, b });
                let b = product.into();
                self.b.emit(Instruction::Add { width: 64, dst, a: base, b });
            }
        }
    }

    /// An index as a signed number of 64 bits.
    fn index64(&mut self, index: IrOperand) -> Lowered<Operand> {
        let bits = self.scalar_of(index)?.bits();
        let operand = self.operand(index)?;
        if bits >= 64 {
            return Ok(operand);
        }
        let dst = self.temporary(1);
        self.b.emit(Instruction::SignExtend { from: bits as u8, to: 64, dst, src: operand });
        Ok(dst.into())
    }
}

fn is_access_size(bytes: u32) -> bool {
    matches!(bytes, 1 | 2 | 4 | 8 | 16)
}

/// Offset and size of the accesses that together cover `bytes` bytes, none across a cell.
pub(super) fn pieces(bytes: u32) -> Vec<(u32, u8)> {
    let mut list = Vec::new();
    let mut at = 0;
    while at < bytes {
        let size = [8, 4, 2, 1].into_iter().find(|&size| size <= bytes - at && at % 8 + size <= 8);
        let size = size.unwrap_or(1);
        list.push((at, size as u8));
        at += size;
    }
    list
}

fn add_offset(offset: i32, more: u64) -> Lowered<i32> {
    i32::try_from(more)
        .ok()
        .and_then(|more| offset.checked_add(more))
        .ok_or_else(|| "an object that is too large".into())
}

fn atomic_size(scalar: Scalar) -> Lowered<u8> {
    let size = scalar.bytes();
    if is_access_size(size) && scalar != Scalar::Extended {
        return Ok(size as u8);
    }
    Err("an atomic access of this size".into())
}

/// The mode of a load (`strongest` is acquire) or store (release).
fn mode(access: MemoryAccess, strongest: Mode) -> Mode {
    match access.ordering.map(mode_of) {
        None => Mode::Plain,
        Some(Mode::Acquire | Mode::Release | Mode::AcqRel) => strongest,
        Some(mode) => mode,
    }
}

pub(super) fn mode_of(ordering: Ordering) -> Mode {
    match ordering {
        Ordering::Unordered | Ordering::Monotonic => Mode::Relaxed,
        Ordering::Acquire => Mode::Acquire,
        Ordering::Release => Mode::Release,
        Ordering::AcqRel => Mode::AcqRel,
        Ordering::SeqCst => Mode::SeqCst,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sizes_are_sums_of_accesses() {
        assert_eq!(pieces(3), [(0, 2), (2, 1)]);
        assert_eq!(pieces(7), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(pieces(12), [(0, 8), (8, 4)]);
        assert_eq!(pieces(5).iter().map(|p| u32::from(p.1)).sum::<u32>(), 5);
    }
}
