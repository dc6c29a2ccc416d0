//! A state of a running program: everything that decides what can happen next.

use super::code::Code;
use crate::tree::{Expr, FunctionId, Index, Local, Operator, Pointer, Program};
use std::collections::BTreeMap;

/// An allocated box: the thread that made it and how many it had made before.
pub(super) type Object = (usize, usize);

/// A unit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cell {
    Atomic(Index),
    Plain(Index),
    /// Both halves of a word at once; memory holds the halves.
    Word(Index),
    Half(Index, usize),
    Element(Index, usize),
    Box(Index),
    Field(Object, usize),
    /// The owner's number plus one, or zero.
    Mutex(Index),
    /// -1 for a writer, otherwise the number of readers.
    RwLock(Index),
    /// 0 not yet, 1 under way, 2 done.
    Once(Index),
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Nothing,
    Int(i32),
    Box(Option<Object>),
}

impl Value {
    pub(super) fn int(self) -> i32 {
        match self {
            Value::Int(value) => value,
            other => unreachable!("{other:?} where a number lies"),
        }
    }
}

impl Cell {
    /// Whether they share a byte.
    pub(super) fn overlaps(self, other: Cell) -> bool {
        match (self, other) {
            (Cell::Word(a), Cell::Half(b, _)) | (Cell::Half(b, _), Cell::Word(a)) => a == b,
            _ => self == other,
        }
    }
}

/// A half of a word as a number.
pub(super) fn half_of(word: i32, half: usize) -> i32 {
    word >> (16 * half) & 0xffff
}

/// A store that has not reached memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pending {
    pub cell: Cell,
    pub value: Value,
    /// Whether all earlier stores must have reached memory before.
    pub release: bool,
    /// How many release fences came before it and after the oldest store that still waits.
    pub epoch: usize,
}

/// Who is told when a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    /// The start of a thread, or `main`.
    Root,
    /// A call for a result.
    Result(Local),
    /// `pthread_once`.
    Once(Index),
    /// The end of the thread.
    ThreadEnd,
    /// The end of the process.
    ProcessEnd,
}

/// A function that is being run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub function: FunctionId,
    pub pc: usize,
    pub locals: Vec<i32>,
    pub pointers: Vec<Option<Object>>,
    pub handles: Vec<Option<usize>>,
    pub caller: Caller,
}

impl Frame {
    pub(super) fn new(id: FunctionId, code: &Code, argument: i32, caller: Caller) -> Frame {
        let mut locals = vec![0; code.locals];
        locals[0] = argument;
        Frame {
            function: id,
            pc: 0,
            locals,
            pointers: vec![None; code.pointers],
            handles: vec![None; code.handles],
            caller,
        }
    }

    pub(super) fn value(&self, expr: &Expr) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Local(local) => self.locals[*local],
            Expr::IsSet(pointer) => self.pointers[*pointer].is_some().into(),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match operator {
                    Operator::Add => left.wrapping_add(right),
                    Operator::Sub => left.wrapping_sub(right),
                    Operator::Mul => left.wrapping_mul(right),
                    Operator::And => left & right,
                    Operator::Eq => (left == right).into(),
                    Operator::Ne => (left != right).into(),
                    Operator::Less => (left < right).into(),
                }
            }
        }
    }

    pub(super) fn pointer(&self, pointer: Option<Pointer>) -> Value {
        Value::Box(pointer.and_then(|pointer| self.pointers[pointer]))
    }
}

/// Where a thread is within a statement that takes several steps, or after its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// Before a statement.
    Ready,
    /// In `pthread_cond_wait`, not woken yet.
    Waiting,
    /// Woken, with this result, and in need of the mutex.
    Woken(i32),
    /// At a barrier that others have not reached yet.
    Meeting,
    /// The start function has returned.
    Leaving,
    /// Returned from `main` or is about to call `exit`.
    Returned,
    /// Ends the process, and looks for the next handler to call.
    Unwinding,
    /// No handler is left, and the process ends.
    Exiting,
    /// About to do something wrong that takes no step, such as to fail an assertion. The others can
    /// still move before.
    Failing(&'static str),
    /// Called `exit` after somebody else.
    Late,
    /// Over, not joined yet.
    Ended,
    /// Over and joined.
    Joined,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub phase: Phase,
    pub frames: Vec<Frame>,
    pub buffer: Vec<Pending>,
    /// The epoch of the next store.
    pub epoch: usize,
    /// How often it holds each mutex.
    pub held: Vec<u8>,
    /// How it holds each reader-writer lock: for writing, and how often for reading.
    pub rw_held: Vec<(bool, u8)>,
    pub keys: Vec<i32>,
    /// Rounds of destructors that are left.
    pub rounds: u8,
    pub result: i32,
    /// How many boxes it made.
    pub allocations: usize,
    /// What it printed.
    pub output: String,
}

impl Thread {
    pub(super) fn new(program: &Program, frame: Frame) -> Thread {
        Thread {
            phase: Phase::Ready,
            frames: vec![frame],
            buffer: Vec::new(),
            epoch: 0,
            held: vec![0; program.mutexes.len()],
            rw_held: vec![(false, 0); program.rwlocks],
            keys: vec![0; program.keys.len()],
            rounds: 4,
            result: 0,
            allocations: 0,
            output: String::new(),
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread that runs is in a function")
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended | Phase::Joined)
    }
}

/// A state of the whole program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub memory: BTreeMap<Cell, Value>,
    /// Boxes, and whether they were freed.
    pub objects: BTreeMap<Object, bool>,
    pub threads: Vec<Thread>,
    pub semaphores: Vec<i32>,
    /// Who has come to each barrier and waits.
    pub barriers: Vec<Vec<usize>>,
    /// What `atexit` was given and was not called yet.
    pub handlers: Vec<FunctionId>,
    /// Whether the end of the process has begun.
    pub exiting: bool,
}

impl State {
    pub(super) fn new(program: &Program, code: &[Code]) -> State {
        let mut memory = BTreeMap::new();
        for (i, &value) in program.atomics.iter().enumerate() {
            memory.insert(Cell::Atomic(i), Value::Int(value));
        }
        for (i, &value) in program.plains.iter().enumerate() {
            memory.insert(Cell::Plain(i), Value::Int(value));
        }
        for (i, &value) in program.words.iter().enumerate() {
            for half in 0..2 {
                memory.insert(Cell::Half(i, half), Value::Int(half_of(value, half)));
            }
        }
        for (i, array) in program.arrays.iter().enumerate() {
            for (at, &value) in array.values.iter().enumerate() {
                memory.insert(Cell::Element(i, at), Value::Int(value));
            }
        }
        for i in 0..program.boxes.len() {
            memory.insert(Cell::Box(i), Value::Box(None));
        }
        let locks = (0..program.mutexes.len()).map(Cell::Mutex);
        let locks = locks.chain((0..program.rwlocks).map(Cell::RwLock));
        for cell in locks.chain((0..program.onces.len()).map(Cell::Once)) {
            memory.insert(cell, Value::Int(0));
        }
        State {
            memory,
            objects: BTreeMap::new(),
            threads: vec![Thread::new(program, Frame::new(0, &code[0], 0, Caller::Root))],
            semaphores: program.semaphores.clone(),
            barriers: vec![Vec::new(); program.barriers.len()],
            handlers: Vec::new(),
            exiting: false,
        }
    }
}
