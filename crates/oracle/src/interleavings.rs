//! Sequential consistency by running the threads in every order.
//!
//! This shares nothing with the axiomatic enumeration but the form of the result: memory is an array
//! of values, and one thread takes one step at a time. A read-modify-write is one step. States that
//! agree on their graph and on the thread that moved last are merged, which loses nothing: a thread
//! is a function of what it read.
//!
//! A *preemption* is a switch away from a thread that could have taken another step. A thread that
//! waits (for a mutex that is not free, a value, the end of a thread) cannot; a thread without further
//! events cannot either.

use crate::enumerate::lock_value;
use crate::graph::{Event, EventId, Graph, Kind};
use norn_action::{Mode, RmwOp};
use norn_litmus::{
    Body, Expr, FinalState, LocationId, Program, RegisterId, Statement, StatementKind,
};
use std::collections::BTreeMap;

/// The executions that interleavings give.
#[derive(Clone, Debug, Default)]
pub struct Interleavings {
    /// Every thread ends.
    pub complete: BTreeMap<Graph, Scheduled>,
    /// Deadlocks: some threads wait and no thread can move.
    pub deadlocks: BTreeMap<Graph, Scheduled>,
    /// Some assumption fails; the other threads run on as far as they can.
    pub abandoned: BTreeMap<Graph, Scheduled>,
}

/// What is known of an execution beyond its graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// The least number of preemptions over all interleavings with this graph.
    pub preemptions: usize,
    /// What the registers and the memory hold at the end.
    pub state: FinalState,
}

/// Runs `program` in every order.
pub fn interleavings(program: &Program) -> Interleavings {
    let mut result = Interleavings::default();
    let mut layer = BTreeMap::from([((Graph::default(), None), State::new(program))]);
    // Graphs grow with every step, so all states of a layer have taken the same number of steps.
    while !layer.is_empty() {
        let mut next: BTreeMap<(Graph, Option<usize>), State> = BTreeMap::new();
        for ((_, last), state) in &layer {
            if !(0..program.threads.len()).any(|thread| state.can_move(thread)) {
                state.record(&mut result);
                continue;
            }
            for thread in (0..program.threads.len()).filter(|&thread| state.can_move(thread)) {
                let preempts = last.is_some_and(|last| last != thread && state.can_move(last));
                let mut after = state.clone();
                after.take_step(thread);
                after.preemptions += usize::from(preempts);
                let fewest = next
                    .entry((after.graph.clone(), Some(thread)))
                    .or_insert_with(|| after.clone());
                fewest.preemptions = fewest.preemptions.min(after.preemptions);
            }
        }
        layer = next;
    }
    result
}

#[derive(Clone)]
struct State<'a> {
    threads: Vec<ThreadState<'a>>,
    memory: Vec<Cell>,
    graph: Graph,
    preemptions: usize,
}

#[derive(Clone, Copy)]
struct Cell {
    value: i32,
    writer: Option<EventId>,
}

#[derive(Clone)]
struct ThreadState<'a> {
    registers: Vec<i32>,
    /// Statements to run, the next one last. Branches and assignments are taken at once, so the
    /// next one always is an event.
    todo: Vec<&'a Statement>,
    abandoned: bool,
}

impl<'a> ThreadState<'a> {
    fn push(&mut self, body: &'a Body) {
        self.todo.extend(body.iter().rev());
    }

    /// Runs up to the next event.
    fn settle(&mut self) {
        while let Some(statement) = self.todo.last() {
            match &statement.kind {
                StatementKind::Assign { register, value } => {
                    self.registers[register.index()] = value.evaluate(&self.registers);
                    self.todo.pop();
                }
                StatementKind::If { condition, then, otherwise } => {
                    self.todo.pop();
                    let taken = condition.evaluate(&self.registers) != 0;
                    self.push(if taken { then } else { otherwise });
                }
                StatementKind::Assume(condition) => {
                    self.todo.pop();
                    if condition.evaluate(&self.registers) == 0 {
                        self.todo.clear();
                        self.abandoned = true;
                    }
                }
                _ => return,
            }
        }
    }
}

impl<'a> State<'a> {
    fn new(program: &'a Program) -> State<'a> {
        let thread = |thread: &'a norn_litmus::Thread| {
            let registers = thread.registers.iter().map(|register| register.initial).collect();
            let mut state = ThreadState { registers, todo: Vec::new(), abandoned: false };
            state.push(&thread.body);
            state.settle();
            state
        };
        let cell =
            |location: &norn_litmus::Location| Cell { value: location.initial, writer: None };
        let graph = Graph {
            threads: vec![Vec::new(); program.threads.len()],
            rf: Vec::new(),
            co: vec![Vec::new(); program.locations.len()],
        };
        State {
            threads: program.threads.iter().map(thread).collect(),
            memory: program.locations.iter().map(cell).collect(),
            graph,
            preemptions: 0,
        }
    }

    /// Whether a thread has a further event and does not wait.
    fn can_move(&self, thread: usize) -> bool {
        match self.threads[thread].todo.last().map(|statement| &statement.kind) {
            None => false,
            Some(StatementKind::Lock(mutex)) => self.memory[mutex.index()].value == 0,
            Some(
                StatementKind::Load { location, until: Some(until), .. }
                | StatementKind::Rmw { location, until: Some(until), .. },
            ) => until.holds(self.memory[location.index()].value, &self.threads[thread].registers),
            Some(StatementKind::Join(other)) => {
                let other = &self.threads[*other as usize];
                other.todo.is_empty() && !other.abandoned
            }
            Some(_) => true,
        }
    }

    fn take_step(&mut self, thread: usize) {
        let statement = self.threads[thread].todo.pop().expect("the thread can move");
        match &statement.kind {
            StatementKind::Load { register, location, mode, .. } => {
                let value = self.read(thread, *location, *mode, false);
                self.set(thread, Some(*register), value);
            }
            StatementKind::Store { location, value, mode } => {
                let value = self.evaluate(thread, value);
                self.write(thread, *location, *mode, false, value);
            }
            StatementKind::Rmw { register, location, op, operand, mode, .. } => {
                let old = self.read(thread, *location, mode.of_read(), true);
                let new = apply(*op, old, self.evaluate(thread, operand));
                self.write(thread, *location, mode.of_write(), true, new);
                self.set(thread, *register, old);
            }
            StatementKind::CompareExchange { .. } => self.compare_exchange(thread, statement),
            StatementKind::Fence(mode) => {
                self.graph.threads[thread].push(Event {
                    kind: Kind::Fence,
                    exclusive: false,
                    location: None,
                    value: 0,
                    mode: *mode,
                });
            }
            StatementKind::Lock(mutex) => {
                self.read(thread, *mutex, Mode::Acquire, true);
                self.write(thread, *mutex, Mode::Relaxed, true, lock_value(thread));
            }
            StatementKind::Join(other) => {
                self.graph.threads[thread].push(Event::join(*other));
            }
            StatementKind::Unlock(mutex) => self.write(thread, *mutex, Mode::Release, false, 0),
            StatementKind::Assign { .. } | StatementKind::If { .. } | StatementKind::Assume(_) => {
                unreachable!("settle() takes these")
            }
        }
        self.threads[thread].settle();
    }

    fn compare_exchange(&mut self, thread: usize, statement: &Statement) {
        let StatementKind::CompareExchange {
            register,
            location,
            expected,
            desired,
            success,
            failure,
            ..
        } = &statement.kind
        else {
            unreachable!("only called for a compare-exchange")
        };
        let wanted = self.threads[thread].registers[expected.index()];
        let succeeds = self.memory[location.index()].value == wanted;
        if succeeds {
            self.read(thread, *location, success.of_read(), true);
            let value = self.evaluate(thread, desired);
            self.write(thread, *location, success.of_write(), true, value);
        } else {
            let value = self.read(thread, *location, failure.of_read(), false);
            self.set(thread, Some(*expected), value);
        }
        self.set(thread, *register, i32::from(succeeds));
    }

    fn evaluate(&self, thread: usize, expression: &Expr) -> i32 {
        expression.evaluate(&self.threads[thread].registers)
    }

    fn set(&mut self, thread: usize, register: Option<RegisterId>, value: i32) {
        if let Some(register) = register {
            self.threads[thread].registers[register.index()] = value;
        }
    }

    fn add(&mut self, thread: usize, event: Event) -> EventId {
        let events = &mut self.graph.threads[thread];
        events.push(event);
        EventId { thread: thread as u32, index: events.len() as u32 - 1 }
    }

    fn read(&mut self, thread: usize, location: LocationId, mode: Mode, exclusive: bool) -> i32 {
        let Cell { value, writer } = self.memory[location.index()];
        let event = Event { kind: Kind::Read, exclusive, location: Some(location), value, mode };
        let id = self.add(thread, event);
        let position = self.graph.rf.partition_point(|(read, _)| *read < id);
        self.graph.rf.insert(position, (id, writer));
        value
    }

    fn write(
        &mut self,
        thread: usize,
        location: LocationId,
        mode: Mode,
        exclusive: bool,
        value: i32,
    ) {
        let event = Event { kind: Kind::Write, exclusive, location: Some(location), value, mode };
        let id = self.add(thread, event);
        self.graph.co[location.index()].push(id);
        self.memory[location.index()] = Cell { value, writer: Some(id) };
    }

    /// Keeps the state as an execution in which no thread can move.
    fn record(&self, result: &mut Interleavings) {
        let list = if self.threads.iter().any(|thread| thread.abandoned) {
            &mut result.abandoned
        } else if self.threads.iter().any(|thread| !thread.todo.is_empty()) {
            &mut result.deadlocks
        } else {
            &mut result.complete
        };
        let state = FinalState {
            registers: self.threads.iter().map(|thread| thread.registers.clone()).collect(),
            memory: self.memory.iter().map(|cell| cell.value).collect(),
        };
        let scheduled = list
            .entry(self.graph.clone())
            .or_insert(Scheduled { preemptions: self.preemptions, state });
        scheduled.preemptions = scheduled.preemptions.min(self.preemptions);
    }
}

fn apply(op: RmwOp, old: i32, operand: i32) -> i32 {
    let value = |number: i32| norn_action::Value(u128::from(number as u32));
    op.apply(value(old), value(operand), 4).low() as u32 as i32
}

#[cfg(test)]
mod tests;
