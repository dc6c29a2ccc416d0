//! Damages programs, and runs what the verifier still accepts: used by the test `damaged` and by
//! the fuzz target `verify_program`. Everything that is done is decided by a string of bytes, so that a
//! fuzzer can search for one that does harm.

mod fields;

use fields::{Field, for_each_field};
use norn_action::{Action, Mode, Saving, Test, ThreadId, Value};
use norn_machine::{Config, Thread, Vm, runtime_functions};
use norn_program::{Operand, Program, Register};
use std::path::Path;
use std::sync::Arc;

/// Decisions. When there are no more bytes, all decisions are zero.
pub struct Bytes<'b>(pub &'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// An index of a list of `length` entries; 0 if there are none.
    fn index(&mut self, length: usize) -> usize {
        let number = usize::from(self.next()) << 8 | usize::from(self.next());
        number % length.max(1)
    }

    /// A number that is likely to be on the edge of something, or near `number`.
    fn near(&mut self, number: u64) -> u64 {
        match self.next() % 16 {
            0 => 0,
            1 => u64::from(self.next()),
            2 => u64::MAX,
            3 => 1 << (self.next() % 64),
            4 => (1u64 << (self.next() % 64)).wrapping_sub(1),
            5 => number.wrapping_neg(),
            6 => number.wrapping_mul(2),
            7 | 8 => number.wrapping_sub(1),
            9 | 10 => number.wrapping_sub(self.next().into()),
            11 | 12 => number.wrapping_add(self.next().into()),
            _ => number.wrapping_add(1),
        }
    }
}

/// The program in a C file.
pub fn load(file: &Path) -> Program {
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &[], provided };
    norn_frontend::load(&[file.to_owned()], &options).expect("a loadable program").program
}

/// Makes up to four changes.
pub fn damage(program: &mut Program, bytes: &mut Bytes<'_>) {
    for _ in 0..=bytes.next() % 4 {
        match bytes.next() % 16 {
            0..=2 => copy_instruction(program, bytes),
            3..=8 => change_instruction(program, bytes),
            9 => change_tables(program, bytes),
            10 => change_loops(program, bytes),
            11 => change_switches(program, bytes),
            12 | 13 => change_functions(program, bytes),
            14 => change_variables(program, bytes),
            _ => change_starts(program, bytes),
        }
    }
}

fn copy_instruction(program: &mut Program, bytes: &mut Bytes<'_>) {
    let (from, to) = (bytes.index(program.code.len()), bytes.index(program.code.len()));
    program.code[to] = program.code[from];
}

/// Changes one field of an instruction.
fn change_instruction(program: &mut Program, bytes: &mut Bytes<'_>) {
    let pc = bytes.index(program.code.len());
    let mut count = 0;
    for_each_field(&mut program.code[pc], &mut |_| count += 1);
    let mut left = bytes.index(count);
    for_each_field(&mut program.code[pc], &mut |field| {
        if left == 0 {
            change_field(field, bytes);
        }
        left = left.wrapping_sub(1);
    });
}

fn change_field(field: Field<'_>, bytes: &mut Bytes<'_>) {
    const MODES: [Mode; 6] =
        [Mode::Plain, Mode::Relaxed, Mode::Acquire, Mode::Release, Mode::AcqRel, Mode::SeqCst];
    match field {
        Field::Register(register) => register.0 = bytes.near(register.0.into()) as u32,
        Field::Operand(operand) => change_operand(operand, bytes),
        Field::Byte(number) => *number = bytes.near((*number).into()) as u8,
        Field::Short(number) => *number = bytes.near((*number).into()) as u16,
        Field::Number(number) => *number = bytes.near((*number).into()) as u32,
        Field::Offset(number) => *number = bytes.near(*number as u64) as i32,
        Field::Mode(mode) => *mode = MODES[bytes.index(MODES.len())],
    }
}

fn change_operand(operand: &mut Operand, bytes: &mut Bytes<'_>) {
    let space = operand.0 & Operand::CONSTANT;
    operand.0 = match bytes.next() % 4 {
        0 => operand.0 ^ Operand::CONSTANT,
        1 => bytes.near(operand.0.into()) as u32,
        _ => space | bytes.near((operand.0 & !space).into()) as u32 & !Operand::CONSTANT,
    };
}

/// Constants, argument lists, locations and what lists program counters.
fn change_tables(program: &mut Program, bytes: &mut Bytes<'_>) {
    let which = bytes.next() % 8;
    let near = |list: &mut [u32], bytes: &mut Bytes<'_>| {
        let index = bytes.index(list.len());
        if let Some(entry) = list.get_mut(index) {
            *entry = bytes.near((*entry).into()) as u32;
        }
    };
    match which {
        0 => {
            program.constants.pop();
        }
        1 => {
            program.arguments.pop();
        }
        2 => {
            let index = bytes.index(program.arguments.len());
            if let Some(operand) = program.arguments.get_mut(index) {
                change_operand(operand, bytes);
            }
        }
        3 => {
            program.locations.pop();
        }
        4 => change_pad(program, bytes),
        5 => near(&mut program.weak_exchanges, bytes),
        _ => {
            let index = bytes.index(program.constants.len());
            if let Some(constant) = program.constants.get_mut(index) {
                *constant = bytes.near(*constant);
            }
        }
    }
}

fn change_pad(program: &mut Program, bytes: &mut Bytes<'_>) {
    let index = bytes.index(program.pads.len());
    let Some(pad) = program.pads.get_mut(index) else { return };
    match bytes.next() % 4 {
        0 => pad.call = bytes.near(pad.call.into()) as u32,
        1 => pad.target = bytes.near(pad.target.into()) as u32,
        2 => pad.cleanup = !pad.cleanup,
        _ => pad.clauses.clear(),
    }
}

fn change_loops(program: &mut Program, bytes: &mut Bytes<'_>) {
    let index = bytes.index(program.loops.len());
    let Some(item) = program.loops.get_mut(index) else { return };
    match bytes.next() % 5 {
        0 => item.header = bytes.near(item.header.into()) as u32,
        1 => item.function.0 = bytes.near(item.function.0.into()) as u32,
        2 => item.tested = !item.tested,
        3 => item.live.push(Register(bytes.near(item.live.len() as u64) as u32)),
        _ => {
            program.loops.pop();
        }
    }
}

fn change_switches(program: &mut Program, bytes: &mut Bytes<'_>) {
    let index = bytes.index(program.switches.len());
    let Some(switch) = program.switches.get_mut(index) else { return };
    let case = bytes.index(switch.cases.len());
    match (bytes.next() % 4, switch.cases.get_mut(case)) {
        (0, _) => switch.default = bytes.near(switch.default.into()) as u32,
        (1, Some(case)) => case.0 = bytes.near(case.0),
        (2, Some(case)) => case.1 = bytes.near(case.1.into()) as u32,
        _ => {
            program.switches.pop();
        }
    }
}

fn change_functions(program: &mut Program, bytes: &mut Bytes<'_>) {
    let index = bytes.index(program.functions.len());
    let next = (index + 1) % program.functions.len();
    let function = &mut program.functions[index];
    match bytes.next() % 8 {
        0 => function.registers = bytes.near(function.registers.into()) as u32,
        1 => function.params = bytes.near(function.params.into()) as u32,
        2 => function.results = bytes.near(function.results.into()) as u32,
        3 => function.variadic = !function.variadic,
        4 => function.entry = bytes.near(function.entry.into()) as u32,
        5 => function.end = bytes.near(function.end.into()) as u32,
        6 => program.functions.swap(index, next),
        // The border to the next function moves, which leaves no gap.
        _ => {
            let end = bytes.near(function.end.into()) as u32;
            function.end = end;
            program.functions[next].entry = end;
        }
    }
}

/// Local and global variables.
fn change_variables(program: &mut Program, bytes: &mut Bytes<'_>) {
    let local = bytes.index(program.locals.len());
    let index = bytes.index(program.globals.len());
    let kind = bytes.next() % 9;
    if let (0, Some(local)) = (kind, program.locals.get_mut(local)) {
        local.align = bytes.near(local.align);
    }
    let Some(global) = program.globals.get_mut(index) else { return };
    match kind {
        1 => global.address = bytes.near(global.address),
        2 => global.size = bytes.near(global.size),
        3 => global.align = bytes.near(global.align),
        4 => global.bytes.push(bytes.next()),
        5 => global.constant = !global.constant,
        6 => global.thread_local = !global.thread_local,
        7 => drop(program.globals.pop()),
        8 => drop(program.locals.pop()),
        _ => {}
    }
}

/// Where the program starts and ends, names of the library, and texts.
fn change_starts(program: &mut Program, bytes: &mut Bytes<'_>) {
    let functions = program.functions.len();
    let function = norn_program::FunctionId(bytes.index(functions + 1) as u32);
    match bytes.next() % 6 {
        0 => program.main = Some(function),
        1 => program.constructors.push(function),
        2 => program.destructors.push(function),
        3 => drop(program.messages.pop()),
        // Another function of the library is called with these arguments.
        _ => {
            let index = bytes.index(program.externals.len());
            let names = runtime_functions();
            let name = names[bytes.index(names.len())].0;
            if let Some(external) = program.externals.get_mut(index) {
                external.name = name.to_owned();
            }
        }
    }
}

/// Threads take at most so many actions, and there are at most so many of them.
const MOST_ACTIONS: u32 = 200;
const MOST_THREADS: u32 = 3;

/// If the verifier accepts a program: runs its threads, one after the other, with answers that the bytes
/// decide. Whether it was accepted.
pub fn run_if_accepted(program: Program, bytes: &mut Bytes<'_>) -> bool {
    if program.verify().and_then(|()| program.verify_cycles()).is_err() {
        return false;
    }
    // Nothing is wrong with large programs, but they take time and memory.
    let bytes_of_globals: u64 = program.globals.iter().map(|global| global.size).sum();
    let registers = program.functions.iter().map(|function| function.registers).max();
    if bytes_of_globals > 1 << 24 || registers > Some(1 << 16) {
        return true;
    }
    let flags = bytes.next();
    let config = Config {
        privatise: flags & 1 == 0,
        unroll: (flags & 2 != 0).then_some(2),
        detect_spin: flags & 4 == 0,
        reuse_memory: flags & 8 != 0,
        step_limit: 1000,
        depth_limit: 100,
        ..Config::default()
    };
    let vm = Vm::new(Arc::new(program), config);
    let mut threads = vec![vm.start()];
    let mut started = 1;
    while let Some((thread, action)) = threads.pop() {
        run_thread(&vm, thread, action, bytes, &mut |parent| {
            if started < MOST_THREADS {
                threads.push(vm.spawn(parent, ThreadId(started)));
                started += 1;
            }
        });
    }
    true
}

fn run_thread(
    vm: &Vm,
    mut thread: Thread,
    mut action: Action,
    bytes: &mut Bytes<'_>,
    spawn: &mut dyn FnMut(&Thread),
) {
    for _ in 0..MOST_ACTIONS {
        if let Action::Spawn { .. } = action {
            spawn(&thread);
        }
        let Some(answer) = answer(&action, bytes) else { return };
        action = match action {
            Action::Load(access, None) if bytes.next() % 8 == 1 => {
                let undefined = bytes.next() & ((1u32 << access.size.min(8)) - 1) as u8;
                vm.resume_partly(&mut thread, answer, undefined, access.address)
            }
            _ => vm.resume(&mut thread, answer),
        };
        vm.take_output(&mut thread);
    }
}

/// An answer that an explorer could give; none if the thread has ended or waits for ever.
fn answer(action: &Action, bytes: &mut Bytes<'_>) -> Option<Value> {
    let number = match bytes.next() % 4 {
        0 | 1 => Value::ZERO,
        2 => Value::from(u64::from(bytes.next())),
        _ => Value::from(bytes.near(0)),
    };
    let passing = |test: Option<Test>, size: u8| {
        let number = number.truncate(size);
        let others = test.map_or(0, |test| test.operand);
        let candidates = [number, Value(others).truncate(size), Value(1)];
        candidates.into_iter().find(|&value| test.is_none_or(|test| test.holds(value, size)))
    };
    match action {
        _ if action.is_final() => None,
        Action::Load(access, wait) => passing(wait.map(|(test, _)| test), access.size),
        Action::Rmw(rmw) => passing(rmw.test.filter(|_| rmw.wait.is_some()), rmw.access.size),
        Action::Spawn { index, .. } => Some(Value::from(u64::from(index + 1))),
        Action::Choose { count, .. } => Some(Value(number.0 % u128::from(*count))),
        Action::Join { .. } | Action::Measure { .. } => Some(number),
        _ => Some(Value::ZERO),
    }
}
