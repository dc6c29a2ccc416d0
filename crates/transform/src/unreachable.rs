//! Functions that nothing can call lose their bodies.
//!
//! A function is reachable if it is `main`, a constructor or a destructor, if its address stands in the
//! initial content of a global, or if a reachable function calls it or names its address. An address is
//! any number that lies within a function: lowering leaves no trace of what a number was.
//!
//! The function stays in the table, since its number is its address, with one instruction for a body:
//! a program that computes the address from numbers that are none, such as the distance of two functions,
//! reaches that and is told so. A program without `main` is left alone; whoever looks at it may want
//! any of its functions.
//!
//! Road not taken: asking which globals are reachable as well. An optimiser may name one by an address
//! outside it (`a[i - 1]` becomes `(a - 1)[i]`), so that it would have to be guessed which one is meant.

use crate::{Changed, Pass};
use norn_program::{Edit, FunctionId, Instruction, Operand, Program, layout};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct DropUnreachable;

/// What a dropped function says if it is reached after all.
const MESSAGE: &str = "a function whose address stands nowhere in the program; if it is computed from \
                       other numbers, take it by name";

impl Pass for DropUnreachable {
    const NAME: &'static str = "drop-unreachable";

    fn run(&self, program: &mut Program) -> Changed {
        if program.main.is_none() {
            return Changed::No;
        }
        let reached = Reached::new(program).functions;
        let dropped: Vec<FunctionId> = (0..program.functions.len())
            .filter(|&index| !reached[index] && has_body(program, index))
            .map(|index| FunctionId(index as u32))
            .collect();
        if dropped.is_empty() {
            return Changed::No;
        }
        let mut edit = Edit::new(program);
        let message = edit.message(MESSAGE);
        for id in dropped {
            edit.replace_body(id, &[Instruction::Unsupported { message }]);
        }
        edit.apply();
        Changed::Yes
    }
}

/// The functions of a program that lost their bodies.
pub fn dropped(program: &Program) -> Vec<FunctionId> {
    let is_dropped = |id: &FunctionId| {
        let function = &program.functions[id.index()];
        match program.code.get(function.entry as usize) {
            Some(Instruction::Unsupported { message }) if function.end == function.entry + 1 => {
                program.messages[*message as usize] == MESSAGE
            }
            _ => false,
        }
    };
    (0..program.functions.len() as u32).map(FunctionId).filter(is_dropped).collect()
}

/// Whether there is something to gain: a single instruction is as short as a body can get.
fn has_body(program: &Program, index: usize) -> bool {
    let function = &program.functions[index];
    function.end - function.entry > 1
}

/// The functions that were found, and those whose code was not looked at yet.
struct Reached<'p> {
    program: &'p Program,
    functions: Vec<bool>,
    work: Vec<FunctionId>,
}

impl<'p> Reached<'p> {
    fn new(program: &'p Program) -> Reached<'p> {
        let functions = vec![false; program.functions.len()];
        let mut reached = Reached { program, functions, work: Vec::new() };
        let started = program.constructors.iter().chain(&program.destructors);
        program.main.iter().chain(started).for_each(|&id| reached.note(id));
        program.globals.iter().for_each(|global| reached.note_content(&global.bytes));
        while let Some(id) = reached.work.pop() {
            let function = &program.functions[id.index()];
            (function.entry..function.end).for_each(|pc| reached.note_instruction(pc));
        }
        reached
    }

    /// The initial content of a global, which may be cut short where only zeros follow.
    fn note_content(&mut self, bytes: &[u8]) {
        let mut value = 0;
        for &byte in bytes.iter().rev() {
            value = value << 8 | u64::from(byte);
            self.note_address(value);
        }
    }

    fn note_instruction(&mut self, pc: u32) {
        let program = self.program;
        if let Instruction::Call { function, .. } = program.code[pc as usize] {
            self.note(function);
        }
        program.for_each_read(pc, |operand: Operand, cells| {
            if let Some(first) = operand.constant_index() {
                let values = &program.constants[first as usize..][..cells as usize];
                values.iter().for_each(|&value| self.note_address(value));
            }
        });
    }

    fn note_address(&mut self, value: u64) {
        let index = value.wrapping_sub(layout::FUNCTIONS) / layout::FUNCTION_STEP;
        if index < self.functions.len() as u64 {
            self.note(FunctionId(index as u32));
        }
    }

    fn note(&mut self, id: FunctionId) {
        if !std::mem::replace(&mut self.functions[id.index()], true) {
            self.work.push(id);
        }
    }
}
