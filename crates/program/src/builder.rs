//! How lowering makes a [`Program`].
//!
//! Declare everything first (functions, externals, globals: their addresses are final from then
//! on), then define function after function with a [`FunctionBuilder`], then [`ProgramBuilder::finish`].

use crate::layout::{self, CONSTANT_GAP, FUNCTIONS, GLOBALS, OBJECT_ALIGN, align_up};
use crate::verify::VerifyError;
use crate::{
    BinaryOp, Clause, External, ExternalId, Function, FunctionId, Global, GlobalId, Instruction,
    Local, LocalId, LocationId, Loop, LoopId, Operand, Pad, Program, Register, Switch, TypeId,
    Variable,
};
use norn_action::Compare;
use rustc_hash::FxHashMap;

/// Builds a program.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    program: Program,
    constants: FxHashMap<u64, u32>,
    pairs: FxHashMap<u128, u32>,
    externals: FxHashMap<String, ExternalId>,
    messages: FxHashMap<String, u32>,
    selectors: FxHashMap<u64, u32>,
    next_global: u64,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new() -> ProgramBuilder {
        ProgramBuilder { next_global: GLOBALS, ..ProgramBuilder::default() }
    }

    /// The program so far, for its tables (source map, debug types, constructors …).
    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Declares a function with a body, to be defined later. Its address is
    /// [`Program::function_address`].
    pub fn declare_function(
        &mut self,
        name: &str,
        params: u32,
        results: u32,
        variadic: bool,
    ) -> FunctionId {
        self.program.functions.push(Function {
            name: name.to_owned(),
            params,
            results,
            result_bits: None,
            variadic,
            registers: params,
            entry: 0,
            end: 0,
            location: LocationId::NONE,
        });
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    /// Sets the width of the result of a function, if that is one number.
    pub fn set_result_bits(&mut self, id: FunctionId, bits: Option<u8>) {
        self.program.functions[id.index()].result_bits = bits;
    }

    /// Likewise for a function of the runtime.
    pub fn set_external_result_bits(&mut self, name: &str, bits: Option<u8>) {
        let id = self.external(name);
        self.program.externals[id.index()].result_bits = bits;
    }

    /// Sets where a function is defined.
    pub fn set_function_location(&mut self, id: FunctionId, location: LocationId) {
        self.program.functions[id.index()].location = location;
    }

    /// A function of the runtime; the same name gives the same id.
    pub fn external(&mut self, name: &str) -> ExternalId {
        if let Some(&id) = self.externals.get(name) {
            return id;
        }
        let id = ExternalId(self.program.externals.len() as u32);
        self.program.externals.push(External {
            name: name.to_owned(),
            result_bits: None,
            operation: None,
        });
        self.externals.insert(name.to_owned(), id);
        id
    }

    /// Declares a global; its `address` is set here and is final, its `bytes` may be set later.
    pub fn declare_global(&mut self, mut global: Global) -> GlobalId {
        global.address = align_up(self.next_global, global.align.max(OBJECT_ALIGN));
        let end = global.address + global.size;
        let gap = layout::gap(global.size, FUNCTIONS.saturating_sub(end));
        self.next_global = end + if global.constant { CONSTANT_GAP.min(gap) } else { gap };
        self.program.globals.push(global);
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Sets the initial content of a global.
    pub fn set_global_bytes(&mut self, id: GlobalId, bytes: Vec<u8>) {
        self.program.globals[id.index()].bytes = bytes;
    }

    /// The address of a global.
    pub fn global_address(&self, id: GlobalId) -> u64 {
        self.program.globals[id.index()].address
    }

    /// Adds a local variable that lives in memory.
    pub fn local(&mut self, local: Local) -> LocalId {
        self.program.locals.push(local);
        LocalId(self.program.locals.len() as u32 - 1)
    }

    /// A text of the message table; the same text gives the same index.
    pub fn message(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.messages.get(text) {
            return id;
        }
        let id = self.program.messages.len() as u32;
        self.program.messages.push(text.to_owned());
        self.messages.insert(text.to_owned(), id);
        id
    }

    /// What landing pads call the type that is described at an address: the same number in all functions, never
    /// zero nor negative.
    pub fn selector(&mut self, description: u64) -> u32 {
        let next = self.selectors.len() as u32 + 1;
        *self.selectors.entry(description).or_insert(next)
    }

    /// A constant of one cell.
    pub fn constant(&mut self, value: u64) -> Operand {
        let pool = &mut self.program.constants;
        Operand::constant(*self.constants.entry(value).or_insert_with(|| {
            pool.push(value);
            pool.len() as u32 - 1
        }))
    }

    /// A constant of two cells, low half first.
    pub fn constant_pair(&mut self, value: u128) -> Operand {
        let pool = &mut self.program.constants;
        Operand::constant(*self.pairs.entry(value).or_insert_with(|| {
            pool.extend([value as u64, (value >> 64) as u64]);
            pool.len() as u32 - 2
        }))
    }

    /// Constants in consecutive cells.
    pub fn constant_cells(&mut self, values: &[u64]) -> Operand {
        match *values {
            [value] => self.constant(value),
            _ => {
                self.program.constants.extend_from_slice(values);
                Operand::constant((self.program.constants.len() - values.len()) as u32)
            }
        }
    }

    /// Starts the body of a declared function. Registers `0..params` hold its parameters.
    pub fn define(&mut self, id: FunctionId) -> FunctionBuilder<'_> {
        let entry = self.program.code.len() as u32;
        let registers = self.program.functions[id.index()].params;
        let first_switch = self.program.switches.len();
        let first_pad = self.program.pads.len();
        FunctionBuilder {
            builder: self,
            id,
            entry,
            registers,
            labels: Vec::new(),
            first_switch,
            first_pad,
            location: LocationId::NONE,
        }
    }

    /// The finished program, verified.
    pub fn finish(self) -> Result<Program, VerifyError> {
        self.program.verify()?;
        Ok(self.program)
    }
}

/// A place in a function under construction that jumps can name before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(u32);

impl Label {
    /// For the target fields of instructions given to [`FunctionBuilder::emit`].
    pub fn target(self) -> u32 {
        self.0
    }
}

/// Builds the body of one function. Targets of instructions are labels until
/// [`FunctionBuilder::finish`] replaces them by program counters.
#[derive(Debug)]
pub struct FunctionBuilder<'a> {
    builder: &'a mut ProgramBuilder,
    id: FunctionId,
    entry: u32,
    registers: u32,
    labels: Vec<u32>,
    first_switch: usize,
    first_pad: usize,
    location: LocationId,
}

impl FunctionBuilder<'_> {
    /// The builder of the whole program.
    pub fn program(&mut self) -> &mut ProgramBuilder {
        self.builder
    }

    /// Says which variable of the source lives in the registers from this one on.
    pub fn name_variable(&mut self, register: Register, name: String, kind: Option<TypeId>) {
        let variable = Variable { function: self.id, register, name, kind };
        let variables = &mut self.builder.program.variables;
        let place = variables.partition_point(|other| other.function <= self.id);
        variables.insert(place, variable);
    }

    /// A new register.
    pub fn register(&mut self) -> Register {
        self.registers(1)
    }

    /// `count` new consecutive registers.
    pub fn registers(&mut self, count: u32) -> Register {
        self.registers += count;
        Register(self.registers - count)
    }

    /// A constant of one cell.
    pub fn constant(&mut self, value: u64) -> Operand {
        self.builder.constant(value)
    }

    /// A new label, to be bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label names the next instruction.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.pc();
    }

    /// The program counter of the next instruction.
    pub fn pc(&self) -> u32 {
        self.builder.program.code.len() as u32
    }

    /// The source location of the instructions that follow.
    pub fn set_location(&mut self, location: LocationId) {
        self.location = location;
    }

    /// Appends an instruction; its targets are [`Label::target`]s.
    pub fn emit(&mut self, instruction: Instruction) {
        self.builder.program.code.push(instruction);
        self.builder.program.locations.push(self.location);
    }

    /// `dst = op(a, b)`, on pairs for widths above 64.
    pub fn binary(&mut self, op: BinaryOp, width: u8, dst: Register, a: Operand, b: Operand) {
        use Instruction as I;
        self.emit(match op {
            _ if width > 64 => I::WideBinary { op, width, dst, a, b },
            BinaryOp::Add => I::Add { width, dst, a, b },
            BinaryOp::Sub => I::Sub { width, dst, a, b },
            BinaryOp::Mul => I::Mul { width, dst, a, b },
            BinaryOp::And => I::And { dst, a, b },
            BinaryOp::Or => I::Or { dst, a, b },
            BinaryOp::Xor => I::Xor { dst, a, b },
            _ => I::Binary { op, width, dst, a, b },
        });
    }

    /// `dst = a compare b`, on pairs for widths above 64.
    pub fn compare(&mut self, compare: Compare, width: u8, dst: Register, a: Operand, b: Operand) {
        use Instruction as I;
        self.emit(match compare {
            _ if width > 64 => I::WideCompare { compare, width, dst, a, b },
            Compare::Eq => I::Equal { dst, a, b },
            Compare::Ne => I::NotEqual { dst, a, b },
            Compare::Ult => I::Below { dst, a, b },
            Compare::Ule => I::BelowEqual { dst, a, b },
            Compare::Ugt => I::Below { dst, a: b, b: a },
            Compare::Uge => I::BelowEqual { dst, a: b, b: a },
            Compare::Slt => I::Less { width, dst, a, b },
            Compare::Sle => I::LessEqual { width, dst, a, b },
            Compare::Sgt => I::Less { width, dst, a: b, b: a },
            Compare::Sge => I::LessEqual { width, dst, a: b, b: a },
        });
    }

    /// Goes to `label` if `a compare b`, else on (widths up to 64).
    pub fn jump_if(&mut self, compare: Compare, width: u8, a: Operand, b: Operand, label: Label) {
        use Instruction as I;
        let target = label.0;
        self.emit(match compare {
            Compare::Eq => I::JumpEqual { a, b, target },
            Compare::Ne => I::JumpNotEqual { a, b, target },
            Compare::Ult => I::JumpBelow { a, b, target },
            Compare::Ule => I::JumpBelowEqual { a, b, target },
            Compare::Ugt => I::JumpBelow { a: b, b: a, target },
            Compare::Uge => I::JumpBelowEqual { a: b, b: a, target },
            Compare::Slt => I::JumpLess { width, a, b, target },
            Compare::Sle => I::JumpLessEqual { width, a, b, target },
            Compare::Sgt => I::JumpLess { width, a: b, b: a, target },
            Compare::Sge => I::JumpLessEqual { width, a: b, b: a, target },
        });
    }

    /// Goes to `label`.
    pub fn jump(&mut self, label: Label) {
        self.emit(Instruction::Jump { target: label.0 });
    }

    /// Goes to `then` if the low bit of `condition` is set, else to `otherwise`.
    pub fn branch(&mut self, condition: Operand, then: Label, otherwise: Label) {
        self.emit(Instruction::Branch { condition, then: then.0, otherwise: otherwise.0 });
    }

    /// `cells` cells at `dst` = those at `a` or at `b`. `dst` must not overlap `condition` or `a`.
    pub fn select(
        &mut self,
        cells: u32,
        dst: Register,
        condition: Operand,
        a: Operand,
        b: Operand,
    ) {
        for i in 0..cells {
            self.emit(Instruction::Move { dst: dst.plus(i), src: b.plus(i) });
            self.emit(Instruction::MoveIf { dst: dst.plus(i), condition, src: a.plus(i) });
        }
    }

    /// A switch on one cell. Of equal values the first counts.
    pub fn switch(&mut self, value: Operand, cases: &[(u64, Label)], default: Label) {
        let mut cases: Vec<_> = cases.iter().map(|&(value, label)| (value, label.0)).collect();
        cases.sort_by_key(|case| case.0);
        cases.dedup_by_key(|case| case.0);
        self.builder.program.switches.push(Switch { cases, default: default.0 });
        let table = self.builder.program.switches.len() as u32 - 1;
        self.emit(Instruction::Switch { value, table });
    }

    /// Marks the head of a loop.
    pub fn loop_header(&mut self, live: Vec<Register>) -> LoopId {
        let id = LoopId(self.builder.program.loops.len() as u32);
        let header = self.pc();
        self.builder.program.loops.push(Loop {
            function: self.id,
            live,
            header,
            tested: false,
            counter: None,
            turn: None,
        });
        self.emit(Instruction::LoopHeader { id });
        id
    }

    /// Marks where the iterations of a loop start that can be left at its top.
    pub fn loop_iteration(&mut self, id: LoopId) {
        self.builder.program.loops[id.index()].tested = true;
        self.emit(Instruction::LoopIteration { id });
    }

    /// Calls a function with a body.
    pub fn call(&mut self, function: FunctionId, args: &[Operand], results: u8, dst: Register) {
        let (args, count) = self.arguments(args);
        self.emit(Instruction::Call { results, count, function, args, dst });
    }

    /// Calls the function whose address is in `target`.
    pub fn call_indirect(&mut self, target: Operand, args: &[Operand], results: u8, dst: Register) {
        let (args, count) = self.arguments(args);
        self.emit(Instruction::CallIndirect { results, count, target, args, dst });
    }

    /// Calls a function of the runtime.
    pub fn call_external(&mut self, name: &str, args: &[Operand], results: u8, dst: Register) {
        let external = self.builder.external(name);
        let (args, count) = self.arguments(args);
        self.emit(Instruction::CallExternal { results, count, external, args, dst });
    }

    /// If the instruction before is a call: where it goes on if it is left by an exception.
    pub fn pad(&mut self, target: Label, cleanup: bool, terminates: bool, clauses: Vec<Clause>) {
        let program = &mut self.builder.program;
        let last = program.code.len().saturating_sub(1);
        if last < self.entry as usize || !program.code.last().is_some_and(Instruction::is_call) {
            return;
        }
        let call = last as u32;
        program.pads.push(Pad { call, target: target.0, cleanup, terminates, clauses });
    }

    /// Returns `count` cells that start at `value`; for none any operand will do.
    pub fn ret(&mut self, count: u16, value: Operand) {
        self.emit(Instruction::Return { count, value });
    }

    /// Something the lowering cannot express; matters only if it is reached.
    pub fn unsupported(&mut self, text: &str) {
        let message = self.builder.message(text);
        self.emit(Instruction::Unsupported { message });
    }

    /// Ends the body: replaces labels by program counters. Every label must be bound.
    pub fn finish(self) {
        let program = &mut self.builder.program;
        let end = program.code.len() as u32;
        let resolve = |target: &mut u32| *target = self.labels[*target as usize];
        for instruction in &mut program.code[self.entry as usize..] {
            instruction.for_each_target(resolve);
        }
        for switch in &mut program.switches[self.first_switch..] {
            switch.cases.iter_mut().for_each(|(_, target)| resolve(target));
            resolve(&mut switch.default);
        }
        program.pads[self.first_pad..].iter_mut().for_each(|pad| resolve(&mut pad.target));
        let function = &mut program.functions[self.id.index()];
        function.registers = self.registers;
        function.entry = self.entry;
        function.end = end;
    }

    fn arguments(&mut self, args: &[Operand]) -> (u32, u16) {
        let pool = &mut self.builder.program.arguments;
        pool.extend_from_slice(args);
        ((pool.len() - args.len()) as u32, args.len() as u16)
    }
}
