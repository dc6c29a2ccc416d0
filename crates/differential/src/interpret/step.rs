//! One step of a thread: the statement it stands before, then all that nobody else can notice.

use super::buffers::{is_freed, write_now};
use super::code::Op;
use super::state::{Caller, Cell, Frame, Phase, State, Thread, Value};
use super::{Fault, Interpreter, Steps};
use crate::tree::{Expr, Local, Mode, Place, RmwOp, Statement};

impl Interpreter<'_> {
    /// Adds what a thread can do next.
    pub(super) fn step(&self, state: &State, thread: usize, steps: &mut Steps) {
        match state.threads[thread].phase {
            Phase::Ready => {
                let statement = self.statement(state, thread);
                let statement = statement.expect("a thread that is ready stands before something");
                if !self.synchronise(state, thread, statement, steps) {
                    self.access(state, thread, statement, steps);
                }
            }
            Phase::Waiting => self.wake(state, thread, steps),
            Phase::Woken(result) => self.relock(state, thread, result, steps),
            Phase::Leaving => self.end_thread(state, thread, steps),
            Phase::Returned => self.exit(state, thread, steps),
            Phase::Unwinding => self.next_handler(state, thread, steps),
            Phase::Failing(fault) => drop(steps.faults.insert(fault)),
            Phase::Exiting => drop(steps.results.insert(state.threads[thread].output.clone())),
            Phase::Meeting | Phase::Late | Phase::Ended | Phase::Joined => {}
        }
    }

    /// Makes a step that changes the state by `change` and goes on behind the statement.
    pub(super) fn advance(
        &self,
        state: &State,
        thread: usize,
        steps: &mut Steps,
        change: impl FnOnce(&mut State) -> Result<(), Fault>,
    ) {
        let mut next = state.clone();
        let done = change(&mut next);
        if done.is_ok() {
            next.threads[thread].frame().pc += 1;
            self.settle(&mut next, thread);
        }
        steps.take(next, done);
    }

    /// The second read of a loop that goes on until both see the same. It goes back to the first if that
    /// would see something new; otherwise nothing comes of another round.
    fn second_look(
        &self,
        state: &State,
        thread: usize,
        (first, second): (&Place, &Place),
        steps: &mut Steps,
    ) {
        let frame = state.threads[thread].frames.last().expect("it stands before a statement");
        let spare = self.code[frame.function].locals - 1;
        let seen = frame.value(&Expr::Local(spare));
        let look = |place| {
            let cell = self.cell(state, thread, place)?;
            Ok(self.read(state, thread, cell)?.int())
        };
        match (look(first), look(second)) {
            (Err(fault), _) | (_, Err(fault)) => drop(steps.faults.insert(fault)),
            (_, Ok(second)) if second == seen => self.advance(state, thread, steps, |_| Ok(())),
            (Ok(first), Ok(_)) if first != seen => {
                let mut next = state.clone();
                next.threads[thread].frame().pc -= 1;
                steps.take(next, Ok(()));
            }
            (Ok(_), Ok(_)) => {}
        }
    }

    /// Takes so much from a variable, if there is more than `above`. If there is not, it need not be done, but may be: it
    /// is then given back in the next step.
    fn take_back(
        &self,
        state: &State,
        thread: usize,
        place: &Place,
        (taken, above, behind): (i32, i32, usize),
        steps: &mut Steps,
    ) {
        let look = self.cell(state, thread, place);
        let look = look.and_then(|cell| Ok((cell, self.read(state, thread, cell)?.int())));
        let (cell, seen) = match look {
            Ok(there) => there,
            Err(fault) => {
                steps.faults.insert(fault);
                return;
            }
        };
        let mut all = Steps::default();
        self.advance(state, thread, &mut all, |next| {
            if seen > above {
                next.threads[thread].frame().pc += behind;
            }
            write_now(next, cell, Value::Int(seen.wrapping_sub(taken)))
        });
        steps.faults.extend(all.faults);
        if seen > above { &mut steps.must } else { &mut steps.may }.extend(all.must);
    }

    /// One look of a loop that keeps what it sees. Where that is not used before it is written again, only the last look
    /// counts.
    fn keep(
        &self,
        state: &State,
        thread: usize,
        (place, value): (&Place, i32),
        (kept, before): (Local, Option<Local>),
        steps: &mut Steps,
    ) {
        let cell = self.cell(state, thread, place);
        let frame = state.threads[thread].frames.last().expect("it stands before a statement");
        let last = frame.value(&Expr::Local(kept));
        match cell.and_then(|cell| Ok(self.read(state, thread, cell)?.int())) {
            Err(fault) => drop(steps.faults.insert(fault)),
            Ok(seen) if seen == value => self.advance(state, thread, steps, |next| {
                if let Some(before) = before {
                    next.set(thread, before, last);
                }
                next.set(thread, kept, seen);
                Ok(())
            }),
            Ok(seen) if before.is_some() && seen != last => {
                let mut next = state.clone();
                next.set(thread, kept, seen);
                steps.take(next, Ok(()));
            }
            Ok(_) => {}
        }
    }

    /// Statements that read and write memory.
    fn access(&self, state: &State, thread: usize, statement: &Statement, steps: &mut Steps) {
        let drained = state.is_drained(thread);
        let frame = state.threads[thread].frames.last().expect("it stands before a statement");
        match statement {
            Statement::Load { to, from, .. } => self.advance(state, thread, steps, |next| {
                let cell = self.cell(state, thread, from)?;
                next.set(thread, *to, self.read(state, thread, cell)?.int());
                Ok(())
            }),
            Statement::Store { to, value, mode } if self.can_write(state, thread, *mode) => {
                let value = Value::Int(frame.value(value));
                self.advance(state, thread, steps, |next| {
                    let cell = self.cell(state, thread, to)?;
                    self.write(next, thread, cell, value, *mode)
                });
            }
            Statement::Rmw { to, place, op, value, .. } if drained => {
                let value = frame.value(value);
                self.advance(state, thread, steps, |next| {
                    let cell = self.cell(state, thread, place)?;
                    let old = self.read(state, thread, cell)?.int();
                    next.set(thread, *to, old);
                    let new = match op {
                        RmwOp::Add => old.wrapping_add(value),
                        RmwOp::Exchange => value,
                    };
                    write_now(next, cell, Value::Int(new))
                });
            }
            Statement::Cas { to, place, expected, desired, .. } => {
                let (expected, desired) = (frame.value(expected), frame.value(desired));
                let cell = self.cell(state, thread, place);
                let seen = cell.and_then(|cell| self.read(state, thread, cell));
                let succeeds = seen.is_ok_and(|seen| seen.int() == expected);
                // One that fails is a load.
                if drained || !succeeds {
                    self.advance(state, thread, steps, |next| {
                        seen?;
                        next.set(thread, *to, succeeds.into());
                        if succeeds {
                            write_now(next, cell?, Value::Int(desired))?;
                        }
                        Ok(())
                    });
                }
            }
            Statement::Fence(mode) if drained || *mode != Mode::SeqCst => {
                self.advance(state, thread, steps, |next| {
                    if mode.releases() {
                        self.release_fence(next, thread);
                    }
                    Ok(())
                });
            }
            other => self.access_box(state, thread, other, steps),
        }
    }

    /// Statements that read and write pointers, and free what they point to.
    fn access_box(&self, state: &State, thread: usize, statement: &Statement, steps: &mut Steps) {
        let drained = state.is_drained(thread);
        let frame = state.threads[thread].frames.last().expect("it stands before a statement");
        match statement {
            Statement::LoadBox { to, from, .. } => self.advance(state, thread, steps, |next| {
                next.set_pointer(thread, *to, self.read(state, thread, Cell::Box(*from))?);
                Ok(())
            }),
            Statement::StoreBox { to, value, mode } if self.can_write(state, thread, *mode) => {
                let value = frame.pointer(*value);
                self.advance(state, thread, steps, |next| {
                    self.write(next, thread, Cell::Box(*to), value, *mode)
                });
            }
            Statement::SwapBox { to, place, value, .. } if drained => {
                let value = frame.pointer(*value);
                self.advance(state, thread, steps, |next| {
                    next.set_pointer(thread, *to, self.read(state, thread, Cell::Box(*place))?);
                    write_now(next, Cell::Box(*place), value)
                });
            }
            Statement::Free(pointer) if drained => {
                let object = frame.pointers[*pointer];
                self.advance(state, thread, steps, |next| match object {
                    Some(object) if is_freed(state, object) => Err("double_free"),
                    Some(object) => {
                        next.objects.insert(object, true);
                        Ok(())
                    }
                    None => Ok(()),
                });
            }
            other => self.wait(state, thread, other, steps),
        }
    }

    /// Statements that go round until they see what they wait for. Going round is no step: it changes nothing, since
    /// writing back what was read does not.
    fn wait(&self, state: &State, thread: usize, statement: &Statement, steps: &mut Steps) {
        let drained = state.is_drained(thread);
        let mut wait = |place: &Place, passes: &dyn Fn(i32) -> bool, write: Option<i32>| {
            let cell = self.cell(state, thread, place);
            match cell.and_then(|cell| Ok((cell, self.read(state, thread, cell)?.int()))) {
                Ok((cell, seen)) if passes(seen) => self.advance(state, thread, steps, |next| {
                    write.map_or(Ok(()), |value| write_now(next, cell, Value::Int(value)))
                }),
                Ok(_) => {}
                Err(fault) => drop(steps.faults.insert(fault)),
            }
        };
        match statement {
            Statement::Await { place, value, .. } => wait(place, &|seen| seen == *value, None),
            Statement::AwaitBits { place, mask, value, .. } => {
                wait(place, &|seen| seen & mask == *value, None);
            }
            Statement::AwaitCas { place, expected, desired, .. } if drained => {
                wait(place, &|seen| seen == *expected, Some(*desired));
            }
            Statement::TestAndSet { place, value, .. } if drained => {
                wait(place, &|seen| seen != *value, Some(*value));
            }
            Statement::AwaitKept { place, value, kept, before, .. } => {
                self.keep(state, thread, (place, *value), (*kept, *before), steps);
            }
            Statement::AwaitAbove { place, above, .. } => wait(place, &|seen| seen > *above, None),
            Statement::TakeBack { place, taken, above, waits, .. } if drained => {
                // What follows comes after what gives it back, the wait, and the jump.
                let behind = 2 + usize::from(*waits);
                self.take_back(state, thread, place, (*taken, *above, behind), steps);
            }
            Statement::AwaitSame { first, second, .. } => {
                self.second_look(state, thread, (first, second), steps);
            }
            // All others wait for the buffer to drain.
            _ => {}
        }
    }

    /// Runs a thread up to the next statement that matters to others.
    pub(super) fn settle(&self, state: &mut State, thread: usize) {
        loop {
            match state.threads[thread].phase {
                Phase::Ready => {}
                Phase::Leaving => {
                    if !self.destroy_values(state, thread) {
                        return;
                    }
                }
                _ => return,
            }
            let function = state.threads[thread].frame().function;
            let pc = state.threads[thread].frame().pc;
            match self.code[function].ops.get(pc) {
                None => self.give_back(state, thread, 0),
                Some(Op::Jump(target)) => state.threads[thread].frame().pc = *target,
                Some(Op::Unless(condition, target)) => {
                    let frame = state.threads[thread].frame();
                    frame.pc = if frame.value(condition) != 0 { pc + 1 } else { *target };
                }
                Some(Op::Do(statement)) => match self.local(state, thread, statement) {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(fault) => state.threads[thread].phase = Phase::Failing(fault),
                },
            }
        }
    }

    /// A statement that nobody else can notice; false if it is none.
    fn local(
        &self,
        state: &mut State,
        thread: usize,
        statement: &Statement,
    ) -> Result<bool, Fault> {
        let frame = state.threads[thread].frame();
        match statement {
            Statement::Assign { to, value } => frame.locals[*to] = frame.value(value),
            Statement::Assert(condition) if frame.value(condition) == 0 => {
                return Err("assertion");
            }
            Statement::Assert(_) => {}
            Statement::Print(values) => {
                let values: Vec<String> =
                    values.iter().map(|value| frame.value(value).to_string()).collect();
                state.threads[thread].output += &(values.join(" ") + "\n");
            }
            Statement::New { to, values } => {
                let values = [frame.value(&values[0]), frame.value(&values[1])];
                let owner = &mut state.threads[thread];
                let object = (thread, owner.allocations);
                owner.allocations += 1;
                owner.frame().pointers[*to] = Some(object);
                state.objects.insert(object, false);
                for (field, value) in values.into_iter().enumerate() {
                    let cell = Cell::Field(object, field);
                    state.memory.insert(cell, Value::Nothing);
                    self.write(state, thread, cell, Value::Int(value), Mode::Plain)?;
                }
            }
            Statement::SetKey { key, value } => {
                let value = frame.value(value);
                state.threads[thread].keys[*key] = value;
            }
            Statement::GetKey { to, key } => {
                let value = state.threads[thread].keys[*key];
                state.set(thread, *to, value);
            }
            Statement::Call { to, function, argument } => {
                let argument = frame.value(argument);
                frame.pc += 1;
                let caller = Caller::Result(*to);
                self.call(&mut state.threads[thread], *function, argument, caller);
                return Ok(true);
            }
            Statement::Return(value) => {
                let value = frame.value(value);
                self.give_back(state, thread, value);
                return Ok(true);
            }
            Statement::ThreadExit(value) => {
                let value = frame.value(value);
                let owner = &mut state.threads[thread];
                owner.frames.clear();
                owner.result = value;
                owner.phase = Phase::Leaving;
                return Ok(true);
            }
            Statement::Exit => {
                state.threads[thread].phase = Phase::Returned;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        state.threads[thread].frame().pc += 1;
        Ok(true)
    }

    pub(super) fn call(&self, thread: &mut Thread, function: usize, argument: i32, by: Caller) {
        thread.frames.push(Frame::new(function, &self.code[function], argument, by));
    }
}

impl State {
    pub(super) fn set(&mut self, thread: usize, local: usize, value: i32) {
        self.threads[thread].frame().locals[local] = value;
    }

    fn set_pointer(&mut self, thread: usize, pointer: usize, value: Value) {
        let Value::Box(object) = value else { unreachable!("{value:?} where a pointer lies") };
        self.threads[thread].frame().pointers[pointer] = object;
    }
}
