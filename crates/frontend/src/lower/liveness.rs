//! Which registers matter at each loop header: a backward analysis of the finished bytecode.

use norn_program::{FunctionId, Instruction, Program, Register};

/// Fills in the live registers of the loops of the function that was lowered last.
pub(super) fn fill(program: &mut Program, function: FunctionId) {
    let others = program.loops.iter().rposition(|l| l.function != function);
    let first = others.map_or(0, |last| last + 1);
    if first == program.loops.len() {
        return;
    }
    let analysis = Liveness::new(program, function);
    for index in first..program.loops.len() {
        let header = program.loops[index].header;
        program.loops[index].live = analysis.live_at(program, header);
    }
}

struct Liveness {
    entry: u32,
    /// First instruction of each basic block, ascending, and the end of the function.
    starts: Vec<u32>,
    /// Registers live at the start of each block, as bits.
    live: Vec<Vec<u64>>,
}

impl Liveness {
    fn new(program: &Program, id: FunctionId) -> Liveness {
        let function = &program.functions[id.index()];
        let (entry, end) = (function.entry, function.end);
        let words = (function.registers as usize).div_ceil(64);
        let starts = block_starts(program, entry, end);
        let mut result = Liveness { entry, live: vec![vec![0; words]; starts.len() - 1], starts };
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..result.live.len()).rev() {
                let live = result.transfer(program, block);
                changed |= live != result.live[block];
                result.live[block] = live;
            }
        }
        result
    }

    fn block_at(&self, pc: u32) -> usize {
        self.starts.partition_point(|&start| start <= pc) - 1
    }

    fn transfer(&self, program: &Program, block: usize) -> Vec<u64> {
        let (start, end) = (self.starts[block], self.starts[block + 1]);
        let mut live = vec![0; self.live[block].len()];
        let last = program.code[end as usize - 1];
        for_each_successor(program, last, end, |next| {
            if next < *self.starts.last().unwrap_or(&0) {
                for (word, &other) in live.iter_mut().zip(&self.live[self.block_at(next)]) {
                    *word |= other;
                }
            }
        });
        for pc in (start..end).rev() {
            step(program, program.code[pc as usize], &mut live);
        }
        live
    }

    fn live_at(&self, program: &Program, pc: u32) -> Vec<Register> {
        debug_assert!(
            pc >= self.entry && matches!(program.code[pc as usize], Instruction::LoopHeader { .. })
        );
        let bits = &self.live[self.block_at(pc)];
        let count = bits.len() as u32 * 64;
        (0..count).filter(|r| bits[*r as usize / 64] >> (r % 64) & 1 == 1).map(Register).collect()
    }
}

fn block_starts(program: &Program, entry: u32, end: u32) -> Vec<u32> {
    let mut is_start = vec![false; (end - entry) as usize + 1];
    is_start[0] = true;
    is_start[(end - entry) as usize] = true;
    for pc in entry..end {
        let instruction = program.code[pc as usize];
        if let Instruction::LoopHeader { .. } = instruction {
            is_start[(pc - entry) as usize] = true;
        }
        let mut jumps = instruction.is_terminator();
        for_each_target(program, instruction, |target| {
            is_start[(target - entry) as usize] = true;
            jumps = true;
        });
        if jumps {
            is_start[(pc + 1 - entry) as usize] = true;
        }
    }
    (entry..=end).filter(|pc| is_start[(pc - entry) as usize]).collect()
}

fn for_each_target(program: &Program, instruction: Instruction, mut f: impl FnMut(u32)) {
    let mut copy = instruction;
    copy.for_each_target(|target| f(*target));
    if let Instruction::Switch { table, .. } = instruction {
        let switch = &program.switches[table as usize];
        switch.cases.iter().for_each(|case| f(case.1));
        f(switch.default);
    }
}

fn for_each_successor(program: &Program, last: Instruction, next: u32, mut f: impl FnMut(u32)) {
    for_each_target(program, last, &mut f);
    if !last.is_terminator() {
        f(next);
    }
}

/// Moves the set of live registers from behind an instruction to before it.
fn step(program: &Program, instruction: Instruction, live: &mut [u64]) {
    let set = |live: &mut [u64], first: u32, count: u32| {
        for r in first..first + count {
            live[r as usize / 64] |= 1 << (r % 64);
        }
    };
    let mut reads = [(0, 0); 4];
    let mut read_count = 0;
    instruction.for_each_cell(
        |operand, count| {
            if let Some(register) = operand.register() {
                reads[read_count] = (register.0, count);
                read_count += 1;
            }
        },
        |register, count| {
            // A conditional move may leave its register as it was.
            if !matches!(instruction, Instruction::MoveIf { .. }) {
                for r in register.0..register.0 + count {
                    live[r as usize / 64] &= !(1 << (r % 64));
                }
            }
        },
    );
    for &(first, count) in &reads[..read_count] {
        set(live, first, count);
    }
    if let Instruction::Call { count, args, .. }
    | Instruction::CallIndirect { count, args, .. }
    | Instruction::CallExternal { count, args, .. } = instruction
    {
        for operand in &program.arguments[args as usize..args as usize + usize::from(count)] {
            if let Some(register) = operand.register() {
                set(live, register.0, 1);
            }
        }
    }
}
