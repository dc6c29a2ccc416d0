//! Memory, and the stores that wait before it.
//!
//! Invariants: a thread's buffer is empty under sc; the oldest store of a buffer has epoch 0.

use super::state::{Cell, Object, Pending, State, Value, half_of};
use super::{Buffers, Fault, Interpreter, Steps};
use crate::tree::{Mode, Place};

impl Interpreter<'_> {
    /// Where a place is, for a thread at this moment.
    pub(super) fn cell(&self, state: &State, thread: usize, place: &Place) -> Result<Cell, Fault> {
        let frame = state.threads[thread].frames.last().expect("a place is named in a function");
        match place {
            Place::Atomic(i) => Ok(Cell::Atomic(*i)),
            Place::Plain(i) => Ok(Cell::Plain(*i)),
            Place::Word(i, None, _) => Ok(Cell::Word(*i)),
            Place::Word(i, Some(half), _) => Ok(Cell::Half(*i, *half)),
            Place::Element(i, index) => {
                let index = frame.value(index);
                let length = self.program.arrays[*i].values.len();
                let inside = usize::try_from(index).ok().filter(|&index| index < length);
                inside.map(|index| Cell::Element(*i, index)).ok_or("out_of_bounds")
            }
            Place::Field(pointer, field) => {
                let object = frame.pointers[*pointer].ok_or("null_pointer")?;
                Ok(Cell::Field(object, *field))
            }
        }
    }

    /// What a thread sees in a cell.
    pub(super) fn read(&self, state: &State, thread: usize, cell: Cell) -> Result<Value, Fault> {
        if let Cell::Word(word) = cell {
            // Each half by itself, at one moment.
            let half = |half| Ok(self.read(state, thread, Cell::Half(word, half))?.int());
            return Ok(Value::Int(half(0)? | half(1)? << 16));
        }
        let own = state.threads[thread].buffer.iter().rev().find(|store| store.cell.overlaps(cell));
        if let Some(own) = own {
            return Ok(match (own.cell, cell) {
                (Cell::Word(_), Cell::Half(_, half)) => Value::Int(half_of(own.value.int(), half)),
                _ => own.value,
            });
        }
        check_alive(state, cell)?;
        match state.memory.get(&cell) {
            Some(Value::Nothing) | None => Err("uninitialised_read"),
            Some(value) => Ok(*value),
        }
    }

    /// Whether a store with this mode can be made now.
    pub(super) fn can_write(&self, state: &State, thread: usize, mode: Mode) -> bool {
        mode != Mode::SeqCst || state.is_drained(thread)
    }

    /// Writes, at once or later.
    pub(super) fn write(
        &self,
        state: &mut State,
        thread: usize,
        cell: Cell,
        value: Value,
        mode: Mode,
    ) -> Result<(), Fault> {
        let value = fitting(cell, value);
        if self.buffers == Buffers::None || mode == Mode::SeqCst {
            return write_now(state, cell, value);
        }
        let thread = &mut state.threads[thread];
        let epoch = thread.epoch;
        thread.buffer.push(Pending { cell, value, release: mode.releases(), epoch });
        Ok(())
    }

    /// A fence that keeps earlier stores before later ones.
    pub(super) fn release_fence(&self, state: &mut State, thread: usize) {
        let thread = &mut state.threads[thread];
        // A second fence without a store in between changes nothing.
        if thread.buffer.last().is_some_and(|store| store.epoch == thread.epoch) {
            thread.epoch += 1;
        }
    }

    /// Lets stores of a thread reach memory.
    pub(super) fn flush(&self, state: &State, thread: usize, steps: &mut Steps) {
        for index in 0..state.threads[thread].buffer.len() {
            if !self.can_flush(&state.threads[thread].buffer, index) {
                continue;
            }
            let mut next = state.clone();
            let owner = &mut next.threads[thread];
            let store = owner.buffer.remove(index);
            let oldest = owner.buffer.iter().map(|store| store.epoch).min().unwrap_or(owner.epoch);
            owner.buffer.iter_mut().for_each(|store| store.epoch -= oldest);
            owner.epoch -= oldest;
            let done = write_now(&mut next, store.cell, store.value);
            steps.take(next, done);
        }
    }

    fn can_flush(&self, buffer: &[Pending], index: usize) -> bool {
        let store = &buffer[index];
        let mut earlier = buffer[..index].iter();
        match self.buffers {
            Buffers::PerVariable => !earlier.any(|other| {
                other.cell.overlaps(store.cell) || other.epoch < store.epoch || store.release
            }),
            Buffers::None | Buffers::PerThread => index == 0,
        }
    }
}

impl State {
    /// Whether all stores of a thread have reached memory.
    pub(super) fn is_drained(&self, thread: usize) -> bool {
        self.threads[thread].buffer.is_empty()
    }

    /// What is in memory, of something that is always there.
    pub(super) fn number(&self, cell: Cell) -> i32 {
        self.memory[&cell].int()
    }
}

/// Writes to memory.
pub(super) fn write_now(state: &mut State, cell: Cell, value: Value) -> Result<(), Fault> {
    check_alive(state, cell)?;
    if let Cell::Word(word) = cell {
        for half in 0..2 {
            let value = Value::Int(half_of(value.int(), half));
            state.memory.insert(Cell::Half(word, half), value);
        }
    } else {
        state.memory.insert(cell, fitting(cell, value));
    }
    Ok(())
}

/// What of a value fits into a cell.
fn fitting(cell: Cell, value: Value) -> Value {
    match cell {
        Cell::Half(..) => Value::Int(half_of(value.int(), 0)),
        _ => value,
    }
}

fn check_alive(state: &State, cell: Cell) -> Result<(), Fault> {
    match cell {
        Cell::Field(object, _) if is_freed(state, object) => Err("use_after_free"),
        _ => Ok(()),
    }
}

pub(super) fn is_freed(state: &State, object: Object) -> bool {
    state.objects.get(&object).copied().unwrap_or(false)
}
