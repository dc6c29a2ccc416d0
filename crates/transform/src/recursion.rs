//! Functions that wait by calling themselves.
//!
//! ```c
//! void wait(void) {
//!     if (!atomic_load(&ready))
//!         wait();
//! }
//! ```
//!
//! Such a call begins the function anew, with the same arguments, and what it returns is returned: it may as well go back to
//! the beginning. Then it is a loop like any other, in which a thread is found to wait; with calls that nest, each is in
//! another place. This pass puts a jump to the head of the function in the place of such calls.
//!
//! It asks that the call hands the parameters on, which nothing in the function writes; that nothing follows it but copies
//! and jumps on the way to a return of just what it has returned; and that whatever may come before it may be without effect
//! and reads something. Other recursion stays what it is: each call takes room on the stack, which may run out.

use crate::body::{may_be_silent, writes};
use crate::{Changed, Pass};
use norn_program::{
    Edit, Function, FunctionId, Instruction, Loop, LoopId, Operand, Program, Register,
};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct LoopRecursion;

impl Pass for LoopRecursion {
    const NAME: &'static str = "loop-recursion";

    fn run(&self, program: &mut Program) -> Changed {
        let mut changed = Changed::No;
        for id in (0..program.functions.len() as u32).map(FunctionId) {
            let calls = calls_that_wait(program, id);
            if !calls.is_empty() {
                make_loop(program, id, &calls);
                changed = Changed::Yes;
            }
        }
        changed
    }
}

fn make_loop(program: &mut Program, function: FunctionId, calls: &[u32]) {
    let entry = program.functions[function.index()].entry;
    let id = LoopId(program.loops.len() as u32);
    program.loops.push(Loop {
        function,
        live: Vec::new(),
        header: entry,
        tested: false,
        counter: None,
        turn: None,
    });
    let mut edit = Edit::new(program);
    edit.insert_before(entry, &[Instruction::LoopHeader { id }]);
    calls.iter().for_each(|&pc| edit.replace(pc, Instruction::Jump { target: entry }));
    edit.apply();
}

/// The calls of a function by itself that may as well go back to its beginning.
fn calls_that_wait(program: &Program, id: FunctionId) -> Vec<u32> {
    let function = &program.functions[id.index()];
    let calls: Vec<u32> =
        (function.entry..function.end).filter(|&pc| calls(program, pc, id)).collect();
    let is_plain = !function.variadic && !calls.is_empty();
    let fits =
        |&pc: &u32| hands_on(program, function, pc) && returns_the_same(program, function, pc);
    if !is_plain || !calls.iter().all(fits) {
        return Vec::new();
    }
    let mut reads = false;
    let before = leads_to(program, function, &calls);
    let silent = before.into_iter().all(|pc| may_be_silent(program, pc, &mut reads, 4));
    if silent && reads { calls } else { Vec::new() }
}

fn calls(program: &Program, pc: u32, id: FunctionId) -> bool {
    matches!(program.code[pc as usize], Instruction::Call { function, .. } if function == id)
        && program.pad_at(pc).is_none()
}

/// Whether a call hands on just the parameters.
fn hands_on(program: &Program, function: &Function, call: u32) -> bool {
    let Instruction::Call { count, args, .. } = program.code[call as usize] else { return false };
    let args = &program.arguments[args as usize..][..usize::from(count)];
    let is_parameter = |(index, operand): (usize, &Operand)| {
        let parameter = Register(index as u32);
        let holds = |register: Register| {
            register == parameter || is_copy(program, function, register, parameter)
        };
        let written = (function.entry..function.end).any(|pc| writes(program, pc, parameter));
        !written && operand.register().is_some_and(holds)
    };
    args.len() == function.params as usize && args.iter().enumerate().all(is_parameter)
}

/// Whether all that is ever written to a register is another.
fn is_copy(program: &Program, function: &Function, register: Register, of: Register) -> bool {
    let mut written = (function.entry..function.end).filter(|&pc| writes(program, pc, register));
    let copies = |pc: u32| match program.code[pc as usize] {
        Instruction::Move { src, .. } => src.register() == Some(of),
        _ => false,
    };
    written.clone().next().is_some() && written.all(copies)
}

/// Whether nothing follows a call but what leads to a return of what it has returned.
fn returns_the_same(program: &Program, function: &Function, call: u32) -> bool {
    let Instruction::Call { results, dst, .. } = program.code[call as usize] else { return false };
    // For each cell of the result, where it is.
    let mut holders: Vec<Vec<Register>> =
        (0..u32::from(results)).map(|index| vec![dst.plus(index)]).collect();
    let mut pc = call + 1;
    for _ in function.entry..function.end {
        match program.code[pc as usize] {
            Instruction::Move { dst, src } => {
                for held in &mut holders {
                    let copies = src.register().is_some_and(|from| held.contains(&from));
                    held.retain(|&register| register != dst);
                    held.extend(copies.then_some(dst));
                }
                pc += 1;
            }
            Instruction::Jump { target } => pc = target,
            Instruction::Return { count, value } => {
                let is_held = |(index, held): (usize, &Vec<Register>)| {
                    let cell = value.plus(index as u32).register();
                    cell.is_some_and(|cell| held.contains(&cell))
                };
                return usize::from(count) == holders.len()
                    && holders.iter().enumerate().all(is_held);
            }
            _ => return false,
        }
    }
    false
}

/// The instructions from which control may come to one of the calls, without those.
fn leads_to(program: &Program, function: &Function, calls: &[u32]) -> Vec<u32> {
    let offset = |pc: u32| (pc - function.entry) as usize;
    let mut leads = vec![false; (function.end - function.entry) as usize];
    calls.iter().for_each(|&pc| leads[offset(pc)] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (function.entry..function.end).rev() {
            let mut there = leads[offset(pc)];
            program.for_each_successor(pc, |next| there |= leads[offset(next)]);
            changed |= there != leads[offset(pc)];
            leads[offset(pc)] = there;
        }
    }
    (function.entry..function.end).filter(|&pc| leads[offset(pc)] && !calls.contains(&pc)).collect()
}
