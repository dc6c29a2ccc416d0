//! The verifier. What it checks is what the machine relies on, so that it need not look again:
//!
//! 1. Every instruction belongs to exactly one function, functions are non-empty ranges in order,
//!    and there is one location an instruction.
//! 2. The last instruction of a function is a terminator, and all targets, those of switch tables
//!    included, lie within the function.
//! 3. Every register an instruction reads or writes lies within its function's frame, every
//!    constant within the pool, every argument list within its table.
//! 4. Parameters fit in the frame; a call passes at least the callee's parameters, and exactly
//!    those unless the callee is variadic; it takes at most the callee's results.
//! 5. Widths are 1 to 64 (65 to 128 for wide forms, 32 or 64 for floats); sizes are 1, 2, 4, 8, 16.
//! 6. Loads are not release, stores not acquire, fences not plain.
//! 7. Ids (functions, externals, globals, locals, loops, switches, messages) are in range; a loop's
//!    header is its only `LoopHeader` instruction (but for the other one of a turn), in its function, and its live registers lie within
//!    the frame; it is tested if and only if it has a `LoopIteration`.
//! 8. Globals ascend without overlap, below the addresses of functions, are aligned, and hold no more
//!    bytes than their size. No alignment exceeds 2^32.
//! 9. Switch tables are sorted without duplicates.
//! 10. Landing pads ascend by their calls; each is of a call and within its function.
//! 11. `main`, constructors and destructors exist; constructors and destructors take nothing.

use crate::flow::{Graph, Node};
use crate::layout::{FUNCTIONS, GLOBALS};
use crate::{Function, FunctionId, Instruction, Operand, Program, Register, Trap};
use norn_action::Mode;
use thiserror::Error;

/// What is wrong with a program, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("malformed program at {at}: {message}")]
pub struct VerifyError {
    /// The function or instruction.
    pub at: String,
    /// What is wrong.
    pub message: String,
}

fn error(at: impl Into<String>, message: impl Into<String>) -> VerifyError {
    VerifyError { at: at.into(), message: message.into() }
}

impl Program {
    /// Checks the invariants listed at the head of this module's file.
    pub fn verify(&self) -> Result<(), VerifyError> {
        self.verify_ranges()?;
        self.verify_tables()?;
        for function in &self.functions {
            self.verify_function(function)?;
        }
        Ok(())
    }

    fn verify_ranges(&self) -> Result<(), VerifyError> {
        if self.locations.len() != self.code.len() {
            return Err(error("program", "not one location an instruction"));
        }
        let mut ranges: Vec<_> =
            self.functions.iter().map(|f| (f.entry, f.end, f.name.as_str())).collect();
        ranges.sort_unstable();
        let mut next = 0;
        for (entry, end, name) in ranges {
            if entry != next || end <= entry {
                return Err(error(
                    name,
                    format!("its range {entry}..{end} leaves a gap or is empty"),
                ));
            }
            next = end;
        }
        if next as usize != self.code.len() {
            return Err(error("program", "instructions that belong to no function"));
        }
        Ok(())
    }

    fn verify_globals(&self) -> Result<(), VerifyError> {
        let mut end = GLOBALS;
        for global in &self.globals {
            let next = global.address.checked_add(global.size).filter(|&next| next <= FUNCTIONS);
            match next {
                Some(next)
                    if global.address >= end
                        && is_alignment(global.align)
                        && global.address % global.align == 0
                        && global.bytes.len() as u64 <= global.size =>
                {
                    end = next;
                }
                _ => return Err(error(&global.name, "bad address, alignment or size")),
            }
        }
        Ok(())
    }

    fn verify_tables(&self) -> Result<(), VerifyError> {
        self.verify_globals()?;
        for (i, item) in self.loops.iter().enumerate() {
            let at = format!("loop {i}");
            match self.code.get(item.header as usize) {
                Some(Instruction::LoopHeader { id }) if id.index() == i => {}
                _ => return Err(error(at, "its header is another instruction")),
            }
            let function = self.callee(item.function);
            let within = |pc| function.is_some_and(|f| f.entry <= pc && pc < f.end);
            if !within(item.header) {
                return Err(error(at, "its header is in another function"));
            }
            if let Some(turn) = item.turn {
                let of = self.loops.get(turn.of.index());
                if of.is_none_or(|of| of.turn.is_some() || of.function != item.function) {
                    return Err(error(at, "a turn of no loop of its function"));
                }
                match self.code.get(turn.before as usize) {
                    Some(Instruction::LoopHeader { id })
                        if id.index() == i && within(turn.before) => {}
                    _ => return Err(error(at, "its other header is another instruction")),
                }
            }
            let registers = function.map_or(0, |f| f.registers);
            if item.live.iter().any(|register| register.0 >= registers) {
                return Err(error(at, "a live register outside the frame"));
            }
        }
        self.verify_loop_marks()?;
        for (i, switch) in self.switches.iter().enumerate() {
            if !switch.cases.is_sorted_by(|a, b| a.0 < b.0) {
                return Err(error(format!("switch {i}"), "not sorted"));
            }
        }
        if !self.pads.is_sorted_by(|a, b| a.call < b.call) {
            return Err(error("landing pads", "not sorted"));
        }
        if self.pads.last().is_some_and(|pad| pad.call as usize >= self.code.len()) {
            return Err(error("landing pads", "one of no instruction"));
        }
        for local in &self.locals {
            if !is_alignment(local.align) {
                return Err(error(&local.name, "bad alignment"));
            }
        }
        if let Some(main) = self.main {
            self.callee(main).ok_or_else(|| error("main", "no such function"))?;
        }
        for &id in self.constructors.iter().chain(&self.destructors) {
            let function =
                self.callee(id).ok_or_else(|| error("constructor", "no such function"))?;
            if function.params != 0 {
                return Err(error(&function.name, "a constructor with parameters"));
            }
        }
        Ok(())
    }

    /// The instructions that name loops, against the table.
    fn verify_loop_marks(&self) -> Result<(), VerifyError> {
        let mut tested = vec![false; self.loops.len()];
        for (pc, instruction) in self.code.iter().enumerate() {
            match *instruction {
                Instruction::LoopHeader { id } => {
                    let item = self.loops.get(id.index());
                    let turn = item.and_then(|item| item.turn);
                    let is_other = turn.is_some_and(|turn| turn.before as usize == pc);
                    if item.is_some_and(|item| item.header as usize != pc) && !is_other {
                        return Err(error(format!("loop {}", id.0), "it has a second header"));
                    }
                }
                Instruction::LoopIteration { id } if id.index() < tested.len() => {
                    tested[id.index()] = true;
                }
                _ => {}
            }
        }
        match self.loops.iter().zip(tested).position(|(item, tested)| item.tested != tested) {
            Some(i) => {
                Err(error(format!("loop {i}"), "tested without a test, or not tested with one"))
            }
            None => Ok(()),
        }
    }

    fn callee(&self, id: FunctionId) -> Option<&Function> {
        self.functions.get(id.index())
    }

    fn verify_function(&self, function: &Function) -> Result<(), VerifyError> {
        if function.params > function.registers || function.registers > 1 << 24 {
            return Err(error(&function.name, "bad number of registers"));
        }
        let last = &self.code[function.end as usize - 1];
        if !last.is_terminator() {
            return Err(error(&function.name, "its last instruction is no terminator"));
        }
        for pc in function.entry..function.end {
            self.verify_instruction(function, pc).map_err(|message| {
                let shown = self.disassemble_instruction(pc);
                error(format!("{}, {pc}: {shown}", function.name), message)
            })?;
        }
        Ok(())
    }

    /// Checks of a program that is otherwise well-formed that every cycle of a function passes a
    /// `LoopHeader`. There the machine counts steps, so that whatever it runs comes to an end: passes must not
    /// lose a header. Code that is run by no search need not be like that.
    pub fn verify_cycles(&self) -> Result<(), VerifyError> {
        self.functions.iter().try_for_each(|function| self.verify_cycles_of(function))
    }

    /// Looks for a cycle without a loop header: for one that remains when no way leads into a header, but
    /// each is a start of its own.
    fn verify_cycles_of(&self, function: &Function) -> Result<(), VerifyError> {
        let node = |pc: u32| Node(pc - function.entry);
        let start = node(function.end);
        let is_header = |pc: u32| matches!(self.code[pc as usize], Instruction::LoopHeader { .. });
        let mut edges = vec![(start, node(function.entry))];
        for pc in function.entry..function.end {
            if is_header(pc) {
                edges.push((start, node(pc)));
            }
            self.for_each_successor(pc, |next| {
                if !is_header(next) {
                    edges.push((node(pc), node(next)));
                }
            });
        }
        let graph = Graph::new(start.index() + 1, start, &edges);
        match graph.order().iter().find(|node| graph.is_head(**node)) {
            Some(head) => {
                let at = format!("{}, {}", function.name, function.entry + head.0);
                Err(error(at, "a cycle without a loop header"))
            }
            None => Ok(()),
        }
    }

    fn verify_instruction(&self, function: &Function, pc: u32) -> Result<(), String> {
        let mut instruction = self.code[pc as usize];
        self.verify_cells(function, &instruction)?;
        let inside = |target: u32| function.entry <= target && target < function.end;
        let mut targets_inside = true;
        instruction.for_each_target(|target| targets_inside &= inside(*target));
        if let Instruction::Switch { table, .. } = instruction {
            let switch = self.switches.get(table as usize).ok_or("no such switch table")?;
            targets_inside &= switch.cases.iter().all(|case| inside(case.1));
            targets_inside &= inside(switch.default);
        }
        if let Some(pad) = self.pad_at(pc) {
            targets_inside &= inside(pad.target);
            if !instruction.is_call() {
                return Err("a landing pad of something that is no call".into());
            }
        }
        if !targets_inside {
            return Err("a target outside the function".into());
        }
        self.verify_ids(&instruction)?;
        self.verify_call(function, &instruction)?;
        verify_shape(&instruction)
    }

    fn verify_cells(&self, function: &Function, instruction: &Instruction) -> Result<(), String> {
        let mut bad_read = None;
        let mut bad_write = None;
        instruction.for_each_cell(
            |operand, cells| {
                if !self.operand_fits(function, operand, cells) {
                    bad_read = Some(operand);
                }
            },
            |register, cells| {
                if !register_fits(function, register, cells) {
                    bad_write = Some(register);
                }
            },
        );
        // Not written, but marked as undefined.
        if let Instruction::CheckInitialised { register, cells, .. } = *instruction
            && !register_fits(function, register, cells.into())
        {
            bad_write = Some(register);
        }
        match (bad_read, bad_write) {
            (Some(operand), _) => Err(format!("{operand} is outside the frame or pool")),
            (_, Some(register)) => Err(format!("{register} is outside the frame")),
            _ => Ok(()),
        }
    }

    fn operand_fits(&self, function: &Function, operand: Operand, cells: u32) -> bool {
        match (operand.register(), operand.constant_index()) {
            (Some(register), _) => register_fits(function, register, cells),
            (_, Some(index)) => u64::from(index) + u64::from(cells) <= self.constants.len() as u64,
            _ => false,
        }
    }

    fn verify_ids(&self, instruction: &Instruction) -> Result<(), String> {
        let fits = match *instruction {
            Instruction::Alloca { local, .. } => local.index() < self.locals.len(),
            Instruction::LoopHeader { id } | Instruction::LoopIteration { id } => {
                id.index() < self.loops.len()
            }
            Instruction::ThreadLocal { global, .. } => {
                self.globals.get(global.index()).is_some_and(|global| global.thread_local)
            }
            Instruction::CallExternal { external, .. } => {
                self.externals.get(external.index()).is_some_and(|external| {
                    external.operation.is_none_or(|id| (id as usize) < self.operations.len())
                })
            }
            Instruction::Trap(Trap::WrongType(function)) => function.index() < self.functions.len(),
            Instruction::CheckInitialised { message, .. }
            | Instruction::Unsupported { message } => (message as usize) < self.messages.len(),
            _ => true,
        };
        if fits { Ok(()) } else { Err("an id that names nothing".into()) }
    }

    fn verify_call(&self, caller: &Function, instruction: &Instruction) -> Result<(), String> {
        let (args, count) = match *instruction {
            Instruction::Call { args, count, .. }
            | Instruction::CallIndirect { args, count, .. }
            | Instruction::CallExternal { args, count, .. } => (args as usize, usize::from(count)),
            _ => return Ok(()),
        };
        let list = self.arguments.get(args..args + count).ok_or("arguments outside the table")?;
        if let Some(bad) = list.iter().find(|operand| !self.operand_fits(caller, **operand, 1)) {
            return Err(format!("argument {bad} is outside the frame or pool"));
        }
        if let Instruction::Call { function, results, .. } = *instruction {
            let callee = self.callee(function).ok_or("no such function")?;
            let count = count as u32;
            if count < callee.params || (count > callee.params && !callee.variadic) {
                return Err(format!("{} takes {} cells, not {count}", callee.name, callee.params));
            }
            if u32::from(results) > callee.results {
                return Err(format!("{} returns {} cells", callee.name, callee.results));
            }
        }
        Ok(())
    }
}

fn register_fits(function: &Function, register: Register, cells: u32) -> bool {
    u64::from(register.0) + u64::from(cells) <= u64::from(function.registers)
}

fn is_alignment(align: u64) -> bool {
    align.is_power_of_two() && align <= 1 << 32
}

/// Widths, sizes and modes.
fn verify_shape(instruction: &Instruction) -> Result<(), String> {
    use crate::FloatConvert as C;
    use Instruction::*;
    let narrow = |width: u8| (1..=64).contains(&width);
    let wide = |width: u8| (65..=128).contains(&width);
    let any = |width: u8| (1..=128).contains(&width);
    let float = |width: u8| width == 32 || width == 64;
    let sized = |size: u8| matches!(size, 1 | 2 | 4 | 8 | 16);
    let fits = match *instruction {
        Add { width, .. }
        | Sub { width, .. }
        | Mul { width, .. }
        | Truncate { width, .. }
        | Less { width, .. }
        | LessEqual { width, .. }
        | JumpLess { width, .. }
        | JumpLessEqual { width, .. }
        | Binary { width, .. }
        | FunnelLeft { width, .. }
        | FunnelRight { width, .. } => narrow(width),
        SignExtend { from, to, .. } => narrow(from) && narrow(to) && from <= to,
        WideBinary { width, .. } | WideCompare { width, .. } => wide(width),
        Overflow { width, .. } | Unary { width, .. } => any(width),
        FloatBinary { width, .. } | FloatUnary { width, .. } | FloatCompare { width, .. } => {
            float(width)
        }
        FloatConvert { convert, from, to, .. } => match convert {
            C::ToSigned | C::ToUnsigned => float(from) && any(to),
            C::FromSigned | C::FromUnsigned => any(from) && float(to),
            C::Resize => float(from) && float(to),
        },
        Load { size, mode, .. } => sized(size) && !matches!(mode, Mode::Release | Mode::AcqRel),
        Store { size, mode, .. } => sized(size) && !matches!(mode, Mode::Acquire | Mode::AcqRel),
        Rmw { size, mode, .. } | CompareExchange { size, mode, .. } => {
            sized(size) && mode.is_atomic()
        }
        Fence { mode } => mode.is_atomic(),
        CopyMemory { align, .. } | SetMemory { align, .. } => align.is_power_of_two(),
        _ => true,
    };
    if fits { Ok(()) } else { Err("a width, size or mode that it cannot have".into()) }
}
