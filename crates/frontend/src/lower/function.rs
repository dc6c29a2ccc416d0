//! One function: its values in registers, and how blocks are written.
//!
//! Registers of values that are only used in their own block are taken again after the last use.
//! A value may be another name of registers that hold something else (the parts of an aggregate, a
//! no-op conversion, a variable that was loaded); the owner of the registers counts the uses of all
//! its names. A name for a variable's register is only given where no store to that variable comes
//! before its last use; otherwise the content is copied.

mod operands;

use super::analysis::{Analysis, analyse, stored_variable};
use super::cells;
use super::debug::Debug;
use super::symbols::Symbols;
use norn_llvm::{
    BlockId, Body, ConstId, Function, Instruction as Ir, Linkage, LocalId, MetadataId, Module, Op,
    Operand as IrOperand, debug,
};
use norn_program::{
    FunctionBuilder, FunctionId, Instruction, Label, LocationId, Operand, ProgramBuilder, Register,
};
use rustc_hash::FxHashMap;

/// A definition that is further than this from its store is not looked for.
const FAR: usize = 64;

/// What cannot be lowered, in a sentence.
pub(super) type Lowered<T> = Result<T, String>;

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Its first cell.
    pub operand: Operand,
    /// To be added to it: the folded part of an address.
    pub offset: i32,
    /// The value whose registers these are.
    pub owner: Option<LocalId>,
    /// The variable whose registers these are.
    pub variable: Option<u32>,
}

pub(super) struct FunctionLowerer<'a, 'b> {
    pub module: &'a Module,
    pub index: u32,
    pub function: &'a Function,
    pub body: &'a Body,
    pub symbols: &'a Symbols,
    pub debug: &'b mut Debug,
    pub b: FunctionBuilder<'b>,
    pub analysis: Analysis,
    slots: Vec<Option<Slot>>,
    /// Per value: uses of it and its other names still to come, and whether one is far away.
    remaining: Vec<u32>,
    pinned: Vec<bool>,
    /// Free registers by number of cells, and those to be freed after this instruction.
    free: FxHashMap<u32, Vec<Register>>,
    temporaries: Vec<(Register, u32)>,
    owned: Vec<Option<(Register, u32)>>,
    constants: FxHashMap<ConstId, Operand>,
    /// Registers of variables, and of the flags of those that may be read before a store.
    pub variables: Vec<Register>,
    pub flags: Vec<Option<Register>>,
    /// Locals in memory whose scope begins later than the function: how each is made.
    pub scoped: FxHashMap<LocalId, Instruction>,
    pub labels: Vec<Label>,
    /// In the current block: its id, the position, where variables are written, and the values that
    /// are written to their variable at once.
    pub block: BlockId,
    pub position: u32,
    pub writes: FxHashMap<u32, Vec<u32>>,
    pub direct: FxHashMap<LocalId, u32>,
    pub next_block: Option<BlockId>,
}

impl<'a, 'b> FunctionLowerer<'a, 'b> {
    pub fn lower(
        module: &'a Module,
        module_index: u32,
        index: u32,
        id: FunctionId,
        symbols: &'a Symbols,
        builder: &'b mut ProgramBuilder,
        debug: &'b mut Debug,
    ) {
        let function = &module.functions[index as usize];
        let Some(body) = &function.body else { return };
        let analysis = analyse(module, body, function.params.len());
        let location = builder.program().functions[id.index()].location;
        let locals = body.locals.len();
        let lowerer = FunctionLowerer {
            module,
            index: module_index,
            function,
            body,
            symbols,
            debug,
            b: builder.define(id),
            slots: vec![None; locals],
            remaining: analysis.uses.iter().map(|u| u.count).collect(),
            pinned: analysis.uses.iter().map(|u| !u.local).collect(),
            analysis,
            free: FxHashMap::default(),
            temporaries: Vec::new(),
            owned: vec![None; locals],
            constants: FxHashMap::default(),
            variables: Vec::new(),
            flags: Vec::new(),
            scoped: FxHashMap::default(),
            labels: Vec::new(),
            block: body.order[0],
            position: 0,
            writes: FxHashMap::default(),
            direct: FxHashMap::default(),
            next_block: None,
        };
        lowerer.run(location);
    }

    fn run(mut self, location: LocationId) {
        self.b.set_location(location);
        self.labels = self.body.blocks.iter().map(|_| self.b.label()).collect();
        match self.prologue() {
            Ok(()) => self.blocks(),
            Err(message) => {
                self.b.unsupported(&message);
                // Labels must be bound, though nothing goes there.
                for i in 0..self.labels.len() {
                    self.b.bind(self.labels[i]);
                }
                self.b.unsupported(&message);
            }
        }
        self.b.finish();
    }

    // --- setting up ---------------------------------------------------------------------------

    fn prologue(&mut self) -> Lowered<()> {
        let mut register = 0;
        for (i, param) in self.function.params.iter().enumerate() {
            let Some(count) = cells::cells(self.module, param.ty) else {
                return Err(format!("parameter {} has a type that is not supported", i + 1));
            };
            let operand = Operand::from(Register(register));
            let slot = Slot { operand, offset: 0, owner: None, variable: None };
            self.slots[i] = Some(slot);
            register += count;
        }
        if self.function.ret != norn_llvm::Types::VOID
            && cells::cells(self.module, self.function.ret).is_none_or(|count| count > 255)
        {
            return Err("the result has a type that is not supported".into());
        }
        self.place_variables();
        self.place_phis();
        self.copy_arguments()
    }

    fn place_variables(&mut self) {
        let entry = self.body.block(self.body.order[0]);
        let mut homes: Vec<Option<Register>> = vec![None; self.analysis.variables.len()];
        // A parameter that is only stored to its variable already is where it belongs.
        for instruction in &entry.instructions {
            if let (Some(v), Op::Store { value: IrOperand::Local(local), .. }) =
                (stored_variable(&instruction.op, &self.analysis.variable_of), &instruction.op)
                && (local.0 as usize) < self.function.params.len()
                && self.function.params[local.0 as usize].attributes.byval.is_none()
                && self.analysis.uses[local.0 as usize].count == 1
                && homes[v as usize].is_none()
                && !self.analysis.variables[v as usize].checked
                && let Some(slot) = self.slots[local.0 as usize]
            {
                homes[v as usize] = slot.operand.register();
            }
        }
        for (i, home) in homes.into_iter().enumerate() {
            let variable = self.analysis.variables[i];
            let count = cells::cells(self.module, variable.ty).unwrap_or(1);
            self.variables.push(home.unwrap_or_else(|| self.b.registers(count)));
            self.flags.push(variable.checked.then(|| self.b.register()));
        }
        self.name_variables();
    }

    /// Tells what the variables in registers are called in the source, for what is said of loops. Inline functions
    /// of C++ without a loop, of which headers have thousands, are left out.
    fn name_variables(&mut self) {
        let is_inline = self.function.linkage == Linkage::LinkOnce;
        if is_inline && !self.analysis.is_header.contains(&true) {
            return;
        }
        for known in &self.body.debug_variables {
            let place = self.analysis.variable_of.get(known.local.0 as usize).copied().flatten();
            if let (true, Some(place)) = (known.is_address, place)
                && let Some(found) = debug::variable(self.module, known.variable)
            {
                let program = self.b.program().program();
                let kind = found.ty.map(|ty| self.debug.ty(self.index, self.module, ty, program));
                // So that what is behind the pointer has a name: `node->next`.
                if let Some(pointee) = found.ty.and_then(|ty| debug::pointee(self.module, ty)) {
                    self.debug.ty(self.index, self.module, pointee, program);
                }
                self.b.name_variable(self.variables[place as usize], found.name, kind);
            }
        }
    }

    fn place_phis(&mut self) {
        for i in 0..self.analysis.order.len() {
            let id = self.analysis.order[i];
            for instruction in &self.body.block(id).instructions {
                let (Op::Phi { ty, .. }, Some(result)) = (&instruction.op, instruction.result)
                else {
                    break;
                };
                let count = cells::cells(self.module, *ty).unwrap_or(1);
                let register = self.b.registers(count);
                self.pinned[result.0 as usize] = true;
                self.set_slot(result, register.into(), Some(result));
            }
        }
    }

    /// A `byval` argument is the address of the caller's object; the copy is made here.
    fn copy_arguments(&mut self) -> Lowered<()> {
        for (i, param) in self.function.params.iter().enumerate() {
            let (Some(ty), Some(slot)) = (param.attributes.byval, self.slots[i]) else { continue };
            let Some(layout) = self.module.layout.of(ty) else { continue };
            let align = param.attributes.align.unwrap_or(layout.align);
            let copy = self.b.register();
            let size = self.b.constant(layout.size);
            let local = self.memory_local(LocalId(i as u32), align);
            self.b.emit(Instruction::Alloca { dst: copy, size, local });
            self.b.emit(Instruction::CopyMemory {
                overlap: false,
                align: align.clamp(1, 16) as u8,
                to: copy.into(),
                from: slot.operand,
                length: size,
            });
            self.slots[i] = Some(Slot { operand: copy.into(), ..slot });
        }
        Ok(())
    }

    // --- registers ------------------------------------------------------------------------------

    /// Registers that are free, or new ones.
    fn allocate(&mut self, count: u32) -> Register {
        match self.free.get_mut(&count).and_then(Vec::pop) {
            Some(register) => register,
            None => self.b.registers(count),
        }
    }

    fn blocks(&mut self) {
        let order = std::mem::take(&mut self.analysis.order);
        let mut loops = Vec::new();
        for (i, &id) in order.iter().enumerate() {
            self.block = id;
            self.next_block = order.get(i + 1).copied();
            self.plan_block(id);
            self.b.bind(self.labels[id.0 as usize]);
            let block = self.body.block(id);
            if self.analysis.is_header[id.0 as usize] {
                if let Some(debug) = block.instructions.iter().find_map(|i| i.debug) {
                    self.set_location(debug);
                }
                let id = self.b.loop_header(Vec::new());
                loops.push((self.block, id));
            }
            for header in std::mem::take(&mut self.analysis.starts[self.block.0 as usize]) {
                if let Some(&(_, id)) = loops.iter().find(|(block, _)| *block == header) {
                    self.b.loop_iteration(id);
                }
            }
            let fused =
                super::analysis::fused_compare(block, |l| self.analysis.uses[l.0 as usize].count);
            for (position, instruction) in block.instructions.iter().enumerate() {
                self.position = position as u32;
                if fused.is_none() || instruction.result != fused {
                    self.instruction(instruction);
                }
            }
        }
        // Blocks that nothing reaches have labels too.
        let mut reached = vec![false; self.labels.len()];
        order.iter().for_each(|id| reached[id.0 as usize] = true);
        if reached.iter().any(|r| !r) {
            for (i, _) in reached.iter().enumerate().filter(|(_, reached)| !**reached) {
                self.b.bind(self.labels[i]);
            }
            self.b.unsupported("code that nothing leads to");
        }
    }

    /// Finds where this block writes variables, and which results can be written there at once: those
    /// whose only use is a store to the variable, with no access to it in between.
    fn plan_block(&mut self, id: BlockId) {
        self.writes.clear();
        self.direct.clear();
        let instructions = &self.body.block(id).instructions;
        let variable_of = &self.analysis.variable_of;
        for (position, instruction) in instructions.iter().enumerate() {
            let Some(v) = stored_variable(&instruction.op, variable_of) else { continue };
            let mut at = position;
            if let Op::Store { value: IrOperand::Local(local), .. } = instruction.op
                && self.analysis.uses[local.0 as usize].count == 1
            {
                // Backwards to the definition, as long as nothing touches the variable.
                for earlier in (0..position).rev().take(FAR) {
                    let candidate = &instructions[earlier];
                    if candidate.result == Some(local) {
                        if writes_once(candidate) {
                            at = earlier;
                            self.direct.insert(local, v);
                        }
                        break;
                    }
                    if touched_variable(&candidate.op, variable_of) == Some(v) {
                        break;
                    }
                }
            }
            self.writes.entry(v).or_default().push(at as u32);
        }
    }

    fn set_location(&mut self, debug: MetadataId) {
        let location = self.debug.location(self.module, debug, self.b.program().program());
        self.b.set_location(location);
    }

    fn instruction(&mut self, instruction: &Ir) {
        if let Some(debug) = instruction.debug {
            self.set_location(debug);
        }
        if let Err(message) = self.operation(instruction) {
            self.b.unsupported(&message);
            if let Some(result) = instruction.result
                && self.slots[result.0 as usize].is_none()
                && let Ok(count) = self.cells(self.body.local(result).ty)
            {
                let dst = self.b.registers(count.max(1));
                self.result_is(result, dst.into());
            }
        }
        self.release(&instruction.op);
        if let Some(result) = instruction.result
            && self.remaining[result.0 as usize] == 0
        {
            self.free_owner(result);
        }
    }
}

/// The variable that an instruction loads or stores.
fn touched_variable(op: &Op, variable_of: &[Option<u32>]) -> Option<u32> {
    match op {
        Op::Load { pointer: IrOperand::Local(local), .. } => variable_of[local.0 as usize],
        _ => stored_variable(op, variable_of),
    }
}

/// Whether an instruction reads its operands before its single write, so that its result may go to
/// a register that it also reads. Those that may become several are left out.
fn writes_once(instruction: &Ir) -> bool {
    matches!(instruction.op, Op::Binary { .. } | Op::Icmp { .. } | Op::Call(_) | Op::Load { .. })
}
