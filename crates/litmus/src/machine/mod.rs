//! Runs a litmus test for an explorer.
//!
//! The main thread publishes the locations, starts the threads in order and finishes without
//! joining them; what is in memory at the end is for the explorer's graph to say. Locations lie 64
//! bytes apart and never depend on the schedule.
//!
//! A read-modify-write that waits, waits as for a semaphore if the location is one: nothing but
//! read-modify-writes writes to it. Otherwise it waits for a value. A mutex is a cell that holds 0 when it is free and the holder's thread id plus one otherwise.

mod code;

use crate::{FinalState, LocationId, Program};
use code::{Instruction, compile};
use norn_action::{
    Access, Action, Address, Compare, Image, Machine, Mode, ObjectKind, Place, Rmw, Role, Saved,
    Saving, Test, ThreadId, Value, Wait,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Width of every location in bytes.
const SIZE: u8 = 4;
/// Address of the first location.
const BASE: u64 = 0x1000;
/// Distance between locations.
const STRIDE: u64 = 64;

/// A litmus test, compiled.
pub struct LitmusMachine {
    program: Program,
    /// Per litmus thread.
    codes: Vec<Vec<Instruction>>,
    /// For each thread the latest one before it that is alike.
    twins: Vec<Option<u32>>,
    /// Per place, the line.
    lines: Vec<u32>,
    images: Arc<[Image]>,
}

/// A paused thread of a [`LitmusMachine`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitmusThread {
    id: ThreadId,
    /// Which litmus thread; `None` for the main thread.
    code: Option<u32>,
    /// The instruction it is paused at. In the main thread: 0 at the publication, `i` at the start
    /// of `P(i-1)`, then at the end.
    position: u32,
    registers: SmallVec<[i32; 6]>,
}

impl LitmusThread {
    /// Which litmus thread it is (0 for `P0`); `None` for the main thread.
    pub fn litmus_thread(&self) -> Option<usize> {
        self.code.map(|code| code as usize)
    }

    /// The registers as they are now.
    pub fn registers(&self) -> &[i32] {
        &self.registers
    }
}

impl LitmusMachine {
    /// Compiles a program.
    pub fn new(program: Program) -> LitmusMachine {
        let mut lines = Vec::new();
        let mut stored = vec![false; program.locations.len()];
        program.threads.iter().for_each(|thread| code::mark_stored(&thread.body, &mut stored));
        let codes: Vec<_> = program
            .threads
            .iter()
            .map(|thread| compile(&thread.body, &stored, &mut lines))
            .collect();
        let images = (0..program.locations.len())
            .map(|index| Image {
                start: address_of(LocationId(index as u32)),
                size: u64::from(SIZE),
                kind: ObjectKind::Global,
                read_only: false,
                bytes: program.locations[index].initial.to_le_bytes().to_vec(),
                undefined: Vec::new(),
                place: Place::NONE,
            })
            .collect();
        let twins = twins(&program, &codes);
        LitmusMachine { program, codes, twins, lines, images }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where a location lies.
    pub fn address(&self, location: LocationId) -> Address {
        address_of(location)
    }

    /// The location at an address.
    pub fn location(&self, address: Address) -> Option<LocationId> {
        let offset = address.0.checked_sub(BASE)?;
        let index = offset / STRIDE;
        let exists = offset % STRIDE == 0 && (index as usize) < self.program.locations.len();
        exists.then_some(LocationId(index as u32))
    }

    /// The thread of the machine that runs litmus thread `index` (0 for `P0`).
    pub fn thread_id(&self, index: usize) -> ThreadId {
        machine_thread(index as u32)
    }

    /// The line of the text at which an action stands, from 1; `None` if it is not known.
    pub fn line(&self, place: Place) -> Option<u32> {
        self.lines.get(place.0 as usize).copied().filter(|&line| line > 0)
    }

    /// A signed number as it is kept in a cell.
    pub fn value(number: i32) -> Value {
        Value(u128::from(number as u32))
    }

    /// The number in a cell.
    pub fn number(value: Value) -> i32 {
        value.low() as u32 as i32
    }

    /// The final state, from the litmus threads as they ended and the last value of each location.
    pub fn final_state<'a>(
        &self,
        threads: impl Iterator<Item = &'a LitmusThread>,
        mut last_value: impl FnMut(LocationId, Address) -> Value,
    ) -> FinalState {
        let mut registers: Vec<Vec<i32>> = (self.program.threads.iter())
            .map(|thread| thread.registers.iter().map(|register| register.initial).collect())
            .collect();
        for thread in threads {
            if let Some(index) = thread.litmus_thread() {
                registers[index] = thread.registers.to_vec();
            }
        }
        let locations = (0..self.program.locations.len() as u32).map(LocationId);
        let memory = locations
            .map(|location| Self::number(last_value(location, address_of(location))))
            .collect();
        FinalState { registers, memory }
    }

    fn main_action(&self, position: u32) -> Action {
        let threads = self.program.threads.len() as u32;
        match position {
            0 => Action::Publish(self.images.clone(), Place::NONE),
            _ if position <= threads => {
                let index = position - 1;
                Action::Spawn { index, like: self.twins[index as usize], place: Place::NONE }
            }
            _ => Action::Finish(Value::ZERO),
        }
    }

    /// Runs from the thread's position up to the next visible action.
    fn run(&self, code: &[Instruction], thread: &mut LitmusThread) -> Action {
        loop {
            match &code[thread.position as usize] {
                Instruction::Assign { register, value } => {
                    thread.registers[register.index()] = value.evaluate(&thread.registers);
                    thread.position += 1;
                }
                Instruction::JumpUnless { condition, target } => {
                    let taken = condition.evaluate(&thread.registers) == 0;
                    thread.position = if taken { *target } else { thread.position + 1 };
                }
                Instruction::Jump { target } => thread.position = *target,
                Instruction::Assume { condition, place } => {
                    if condition.evaluate(&thread.registers) == 0 {
                        return Action::Abandon(*place);
                    }
                    thread.position += 1;
                }
                visible => return action(visible, thread),
            }
        }
    }
}

impl Machine for LitmusMachine {
    type Thread = LitmusThread;
    type States = Saved<Self::Thread>;
}

impl Saving for LitmusMachine {
    fn start(&self) -> (LitmusThread, Action) {
        let main = LitmusThread {
            id: ThreadId::MAIN,
            code: None,
            position: 0,
            registers: SmallVec::new(),
        };
        (main, self.main_action(0))
    }

    fn spawn(&self, parent: &LitmusThread, child: ThreadId) -> (LitmusThread, Action) {
        let index = parent.position - 1;
        let registers = &self.program.threads[index as usize].registers;
        let mut thread = LitmusThread {
            id: child,
            code: Some(index),
            position: 0,
            registers: registers.iter().map(|register| register.initial).collect(),
        };
        let action = self.run(&self.codes[index as usize], &mut thread);
        (thread, action)
    }

    fn resume(&self, thread: &mut LitmusThread, answer: Value) -> Action {
        let Some(index) = thread.code else {
            thread.position += 1;
            return self.main_action(thread.position);
        };
        let code = &self.codes[index as usize];
        finish(&code[thread.position as usize], thread, Self::number(answer));
        thread.position += 1;
        self.run(code, thread)
    }
}

/// For each thread the latest one before it that has the same code. None where threads are told apart: somebody waits
/// for the end of one of them.
fn twins(program: &Program, codes: &[Vec<Instruction>]) -> Vec<Option<u32>> {
    let joins = |instruction: &Instruction| matches!(instruction, Instruction::Join(..));
    let told_apart = codes.iter().flatten().any(joins);
    let twin = |index: usize| {
        let (own, earlier) = (&program.threads[index], &program.threads[..index]);
        earlier.iter().rposition(|other| other == own && !told_apart).map(|other| other as u32)
    };
    (0..codes.len()).map(twin).collect()
}

fn machine_thread(litmus_thread: u32) -> ThreadId {
    ThreadId(litmus_thread + 1)
}

fn address_of(location: LocationId) -> Address {
    Address(BASE + u64::from(location.0) * STRIDE)
}

/// What a visible instruction does, in the state of `thread`.
fn action(instruction: &Instruction, thread: &LitmusThread) -> Action {
    let access = |location, mode, place| Access {
        address: address_of(location),
        size: SIZE,
        mode,
        role: Role::Data,
        undefined: 0,
        place,
    };
    let mutex = |location, mode, role, place| Access { role, ..access(location, mode, place) };
    let value = |number: i32| LitmusMachine::value(number);
    let registers = &thread.registers;
    match instruction {
        Instruction::Load { location, mode, until, place, .. } => {
            let waits = until.as_ref().map(|until| (until.test(registers), Wait::Value));
            Action::Load(access(*location, *mode, *place), waits)
        }
        Instruction::Store { location, value: number, mode, place } => {
            Action::Store(access(*location, *mode, *place), value(number.evaluate(registers)))
        }
        Instruction::Rmw { register, location, op, operand, mode, until, wait, place } => {
            Action::Rmw(Rmw {
                access: access(*location, *mode, *place),
                failure_mode: mode.of_read(),
                op: *op,
                operand: value(operand.evaluate(registers)),
                test: until.as_ref().map(|until| until.test(registers)),
                wait: until.as_ref().map(|_| *wait),
                unused: register.is_none(),
                alike: None,
            })
        }
        Instruction::CompareExchange {
            location,
            expected,
            desired,
            success,
            failure,
            place,
            ..
        } => Action::Rmw(Rmw {
            access: access(*location, *success, *place),
            failure_mode: *failure,
            op: norn_action::RmwOp::Exchange,
            operand: value(desired.evaluate(registers)),
            test: Some(Test::equals(value(registers[expected.index()]))),
            wait: None,
            unused: false,
            alike: None,
        }),
        Instruction::Fence(mode, place) => Action::Fence(*mode, *place),
        Instruction::Lock(location, place) => Action::Rmw(Rmw {
            access: mutex(*location, Mode::Acquire, Role::Lock, *place),
            failure_mode: norn_action::Mode::Acquire,
            op: norn_action::RmwOp::Or,
            operand: Value(u128::from(thread.id.0) + 1),
            test: Some(Test { mask: 0xffff_ffff, compare: Compare::Eq, operand: 0 }),
            wait: Some(Wait::Mutex),
            unused: false,
            alike: None,
        }),
        Instruction::Unlock(location, place) => {
            Action::Store(mutex(*location, Mode::Release, Role::Unlock, *place), Value::ZERO)
        }
        Instruction::Join(thread, place) => {
            Action::Join { thread: machine_thread(*thread), place: *place }
        }
        Instruction::Finish => Action::Finish(Value::ZERO),
        Instruction::Assign { .. }
        | Instruction::JumpUnless { .. }
        | Instruction::Jump { .. }
        | Instruction::Assume { .. } => unreachable!("run() takes these itself"),
    }
}

/// Takes the answer to a visible instruction.
fn finish(instruction: &Instruction, thread: &mut LitmusThread, answer: i32) {
    let registers = &mut thread.registers;
    match instruction {
        Instruction::Load { register, .. } => registers[register.index()] = answer,
        Instruction::Rmw { register: Some(register), .. } => registers[register.index()] = answer,
        Instruction::CompareExchange { register, expected, .. } => {
            let succeeded = registers[expected.index()] == answer;
            registers[expected.index()] = answer;
            if let Some(register) = register {
                registers[register.index()] = i32::from(succeeded);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
