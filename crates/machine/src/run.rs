//! Runs a program once, under sequential consistency.
//!
//! Threads take turns of [`TURN`] actions each. The driver knows threads only by their actions:
//! published objects live in its own flat memory, where it checks what an explorer checks.

mod memory;

use crate::Vm;
use memory::FlatMemory;
use norn_action::{
    Access, Action, BadJoin, Barrier, Fault, Place, Saving, ThreadId, Unsupported, Value, Wrong,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The process ended with this code.
    Exit(i32),
    /// The program did something wrong.
    Fault(Arc<Fault>),
    /// The machine could not go on.
    Unsupported(Arc<Unsupported>),
    /// Nobody can move: these threads wait, at these places.
    Deadlock(Vec<(ThreadId, Place)>),
    /// An assumption failed.
    Abandoned(Place),
}

/// What a run prints goes here as it is printed: whether to standard error, and the bytes.
pub type Sink<'a> = dyn FnMut(bool, &[u8]) + 'a;

/// Actions of one thread before another has its turn.
const TURN: usize = 50;

/// Runs the program to its end.
pub fn run(vm: &Vm, sink: &mut Sink<'_>) -> Outcome {
    let (thread, action) = vm.start();
    let mut run = Run {
        vm,
        sink,
        threads: vec![Some(Slot { thread, action })],
        results: vec![None],
        memory: FlatMemory::default(),
        barriers: FxHashMap::default(),
    };
    run.drain(0);
    loop {
        match run.round() {
            Ok(true) => {}
            Ok(false) => return run.stuck(),
            Err(outcome) => return outcome,
        }
    }
}

struct Slot {
    thread: crate::Thread,
    action: Action,
}

struct Run<'a, 'b> {
    vm: &'a Vm,
    sink: &'a mut Sink<'b>,
    threads: Vec<Option<Slot>>,
    /// Values of threads that finished.
    results: Vec<Option<Value>>,
    memory: FlatMemory,
    /// Who arrived at a barrier in a round.
    barriers: FxHashMap<(u64, u32), Vec<usize>>,
}

impl Run<'_, '_> {
    /// One turn for each thread; whether any of them moved.
    fn round(&mut self) -> Result<bool, Outcome> {
        let mut moved = false;
        for index in 0..self.threads.len() {
            for _ in 0..TURN {
                if !self.step(index)? {
                    break;
                }
                moved = true;
            }
        }
        Ok(moved)
    }

    fn stuck(&self) -> Outcome {
        let waiting: Vec<_> = (0..self.threads.len())
            .filter_map(|index| {
                let slot = self.threads[index].as_ref()?;
                let place = slot.thread.backtrace().next().unwrap_or(Place::NONE);
                Some((ThreadId(index as u32), place))
            })
            .collect();
        if waiting.is_empty() { Outcome::Exit(0) } else { Outcome::Deadlock(waiting) }
    }

    /// Hands on what a thread printed.
    fn drain(&mut self, index: usize) {
        if let Some(slot) = &mut self.threads[index] {
            let (out, err) = self.vm.take_output(&mut slot.thread);
            if !out.is_empty() {
                (self.sink)(false, &out);
            }
            if !err.is_empty() {
                (self.sink)(true, &err);
            }
        }
    }

    /// Performs the pending action of a thread, if it can be; whether it could. Ending counts.
    fn step(&mut self, index: usize) -> Result<bool, Outcome> {
        let Some(slot) = &self.threads[index] else { return Ok(false) };
        let action = slot.action.clone();
        let Some(answer) = self.answer(index, &action)? else {
            return Ok(self.threads[index].is_none());
        };
        let Some(slot) = &mut self.threads[index] else { return Ok(true) };
        slot.action = self.vm.resume(&mut slot.thread, answer);
        self.drain(index);
        Ok(true)
    }

    /// The answer to an action; `None` if the thread has to wait, or has ended.
    fn answer(&mut self, index: usize, action: &Action) -> Result<Option<Value>, Outcome> {
        let answer = match action {
            Action::Load(access, wait) => {
                let value = self.memory.load(access).map_err(fault_at(access))?;
                let passes = wait.is_none_or(|(test, _)| test.holds(value, access.size));
                return Ok(passes.then_some(value));
            }
            Action::Store(access, value) => {
                self.memory.store(access, *value).map_err(fault_at(access))?;
                Value::ZERO
            }
            Action::Rmw(rmw) => {
                let access = &rmw.access;
                let old = self.memory.load(access).map_err(fault_at(access))?;
                let holds = rmw.test.is_none_or(|test| test.holds(old, access.size));
                if holds {
                    let new = rmw.op.apply(old, rmw.operand, access.size);
                    self.memory.store(access, new).map_err(fault_at(access))?;
                } else if rmw.wait.is_some() {
                    return Ok(None);
                }
                old
            }
            Action::Spawn { .. } => self.spawn(index),
            Action::Join { thread, place } => match self.results.get(thread.index()) {
                Some(Some(value)) => *value,
                Some(None) => return Ok(None),
                None => return Err(fault(BadJoin::NoThread(*thread), *place)),
            },
            Action::Publish(images, _) => {
                images.iter().for_each(|image| self.memory.add(image));
                Value::ZERO
            }
            Action::Free { address, by, place } => {
                self.memory.free(*address, *by).map_err(|what| fault(what, *place))?;
                Value::ZERO
            }
            Action::Measure { address, by, place, .. } => {
                let size = self.memory.measure(*address, Some(*by));
                size.map_err(|what| fault(what, *place))?.into()
            }
            Action::BarrierArrive(barrier) => {
                self.barriers.entry(key(barrier)).or_default().push(index);
                Value::ZERO
            }
            Action::BarrierLeave(barrier) => return Ok(self.leave(index, barrier)),
            Action::Last { value, .. } => {
                self.results[index] = Some(*value);
                let mut others = (0..self.threads.len()).filter(|&other| other != index);
                return Ok(others.all(|t| self.threads[t].is_none()).then_some(Value::ZERO));
            }
            Action::Fence(..) | Action::Choose { .. } | Action::Round { .. } => Value::ZERO,
            _ => return self.end(index, action),
        };
        Ok(Some(answer))
    }

    fn spawn(&mut self, index: usize) -> Value {
        let child = ThreadId(self.threads.len() as u32);
        if let Some(slot) = &self.threads[index] {
            let (thread, action) = self.vm.spawn(&slot.thread, child);
            self.threads.push(Some(Slot { thread, action }));
            self.results.push(None);
            self.drain(child.index());
        }
        Value::from(u64::from(child.0))
    }

    fn leave(&self, index: usize, barrier: &Barrier) -> Option<Value> {
        let arrived = self.barriers.get(&key(barrier))?;
        if arrived.len() < barrier.count as usize {
            return None;
        }
        let position = arrived.iter().position(|&thread| thread == index)?;
        Some(Value::from(position as u64))
    }

    /// A thread takes its last action.
    fn end(&mut self, index: usize, action: &Action) -> Result<Option<Value>, Outcome> {
        self.drain(index);
        match action {
            Action::Exit(code) => Err(Outcome::Exit(*code)),
            Action::Finish(value) => {
                self.results[index] = Some(*value);
                self.threads[index] = None;
                Ok(None)
            }
            Action::Abandon(place) | Action::Cut(place) | Action::Spin { place, .. } => {
                Err(Outcome::Abandoned(*place))
            }
            Action::Fail(fault) => Err(Outcome::Fault(Arc::clone(fault))),
            Action::Unsupported(what) => Err(Outcome::Unsupported(Arc::clone(what))),
            Action::Interrupted => Ok(None),
            other => unreachable!("{other:?} has an answer"),
        }
    }
}

fn key(barrier: &Barrier) -> (u64, u32) {
    (barrier.address.0, barrier.round)
}

fn fault(what: impl Into<Wrong>, place: Place) -> Outcome {
    Outcome::Fault(Arc::new(Fault::new(what, place)))
}

fn fault_at(access: &Access) -> impl FnOnce(Wrong) -> Outcome {
    let place = access.place;
    move |what| fault(what, place)
}
