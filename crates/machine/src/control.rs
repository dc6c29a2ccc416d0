//! Calls, returns, and the life of local variables.

use crate::Vm;
use crate::memory::{Content, List, Object};
use crate::runtime::unknown;
use crate::thread::{Frame, Stop, Thread};
use norn_action::{Action, Address, BadCall, ObjectKind, Obstacle, Undefined};
use norn_program::{ExternalId, FunctionId, GlobalId, Operand, Program};
use smallvec::SmallVec;

type Cells = SmallVec<[u64; 8]>;

/// Of all frames of a thread together. More would be gigabytes, and more than a `u32` can count.
const MOST_REGISTERS: usize = 1 << 25;

impl Vm {
    pub(crate) fn arguments(&self, t: &Thread, args: u32, count: u16) -> Cells {
        let list = &self.program.arguments[args as usize..][..usize::from(count)];
        list.iter().map(|&operand| self.get(t, operand)).collect()
    }

    /// Calls whatever function has this address.
    pub(crate) fn call_address(
        &self,
        t: &mut Thread,
        target: u64,
        cells: &[u64],
        dst: u32,
        results: u8,
    ) -> Result<(), Stop> {
        if let Some(function) = self.program.function_at(target) {
            return self.enter(t, function, cells, dst, results);
        }
        if let Some(external) = self.program.external_at(target) {
            return self.enter_external(t, external, cells, dst, results);
        }
        Err(t.fault(match target {
            0 => BadCall::Null,
            _ => BadCall::NoFunction(Address(target)),
        }))
    }

    /// A runtime function calls a function of the program; its result goes to the log.
    pub(crate) fn call_from_native(
        &self,
        t: &mut Thread,
        address: u64,
        args: &[u64],
        results: u8,
    ) -> Result<(), Stop> {
        self.call_address(t, address, args, 0, results)
    }

    /// Stops the thread if a function that is under way would be called again more often than loops may go
    /// round.
    #[cold]
    fn check_recursion(&self, t: &mut Thread, id: FunctionId) -> Result<(), Stop> {
        let Some(bound) = self.config.unroll else { return Ok(()) };
        let is_same = |frame: &&Frame| !frame.native && frame.function == id.0;
        if t.frames.iter().filter(is_same).count() as u64 > u64::from(bound) {
            let place = t.place();
            return Err(t.ask(Action::Cut(place)));
        }
        Ok(())
    }

    pub(crate) fn enter(
        &self,
        t: &mut Thread,
        id: FunctionId,
        cells: &[u64],
        dst: u32,
        results: u8,
    ) -> Result<(), Stop> {
        let function = &self.program.functions[id.index()];
        let params = function.params as usize;
        if t.frames.len() >= self.config.depth_limit {
            return Err(t.fault(Undefined::TooDeep(self.config.depth_limit as u64)));
        }
        if self.config.unroll.is_some() {
            self.check_recursion(t, id)?;
        }
        self.count_step(t)?;
        if cells.len() < params {
            let address = Address(Program::function_address(id));
            return Err(t.fault(Undefined::TooFewArguments(address)));
        }
        let base = t.registers.len();
        if base + function.registers as usize > MOST_REGISTERS {
            return Err(t.fault(Undefined::StackOverflow));
        }
        let variadic = if function.variadic { &cells[params..] } else { &[] };
        t.registers.extend_from_slice(&cells[..params]);
        t.registers.resize(base + function.registers as usize, 0);
        t.registers.extend_from_slice(variadic);
        t.frames.push(Frame {
            function: id.0,
            pc: function.entry,
            base: base as u32,
            variadic: variadic.len() as u32,
            stack_mark: t.memory.stack_mark(),
            dst,
            results,
            native: false,
        });
        Ok(())
    }

    pub(crate) fn enter_external(
        &self,
        t: &mut Thread,
        id: ExternalId,
        cells: &[u64],
        dst: u32,
        results: u8,
    ) -> Result<(), Stop> {
        let Some(function) = self.externals[id.index()] else {
            return Err(unknown(t, &self.program.externals[id.index()].name));
        };
        match self.program.externals[id.index()].operation {
            None => t.push_native(function, cells, dst, results),
            Some(operation) => {
                let mut all = Cells::from_elem(operation.into(), 1);
                all.extend_from_slice(cells);
                t.push_native(function, &all, dst, results);
            }
        }
        Ok(())
    }

    /// `return`: ends the frame's local variables, then the frame.
    pub(crate) fn ret(&self, t: &mut Thread, count: u16, value: Operand) -> Result<(), Stop> {
        let mark = t.frames[t.frames.len() - 1].stack_mark;
        if t.memory.stack_mark() != mark {
            self.end_stack(t, mark)?;
        }
        let cells: Cells = (0..u32::from(count)).map(|i| self.get(t, value.plus(i))).collect();
        self.leave(t, &cells);
        Ok(())
    }

    /// Ends the topmost frame and gives its results to the one below, whose instruction or step is
    /// thereby complete.
    pub(crate) fn leave(&self, t: &mut Thread, cells: &[u64]) {
        let Some(frame) = t.frames.pop() else { return };
        t.registers.truncate(frame.base as usize);
        t.shadow.truncate(frame.base);
        self.drop_loops_below(t, t.frames.len());
        let Some(below) = t.frames.last_mut() else { return };
        if below.native {
            let low = cells.first().copied().unwrap_or(0);
            if let Some(call) = t.natives.last_mut() {
                call.log.push(low.into());
            }
            return;
        }
        below.pc += 1;
        let dst = (below.base + frame.dst) as usize;
        for i in 0..usize::from(frame.results) {
            t.registers[dst + i] = cells.get(i).copied().unwrap_or(0);
        }
    }

    /// Runs the runtime function on top of the stack.
    pub(crate) fn run_native(&self, t: &mut Thread) -> Result<(), Stop> {
        let Some(call) = t.natives.last() else {
            return Err(t.unsupported(Obstacle::LostCall));
        };
        let (function, args) = (call.function, call.args.clone());
        let value = crate::runtime::enter(self, t, function, &args)?;
        t.natives.pop();
        self.leave(t, &[value as u64, (value >> 64) as u64]);
        Ok(())
    }

    /// Ends the life of the stack objects at or above a mark. Published ones take an action each.
    pub(crate) fn end_stack(&self, t: &mut Thread, mark: u64) -> Result<(), Stop> {
        while t.memory.stack.last().is_some_and(|object| object.start >= mark) {
            let Some(object) = t.memory.stack.pop() else { break };
            end_local(t, &object)?;
        }
        Ok(())
    }

    /// Ends the life of the local variable at `address`, if it is alive.
    pub(crate) fn end_scope(&self, t: &mut Thread, address: u64) -> Result<(), Stop> {
        if !t.memory.owns(address) {
            return Ok(());
        }
        let Some((List::Stack, position)) = t.memory.find_own(address) else { return Ok(()) };
        if t.memory.stack.get(position).start != address {
            return Ok(());
        }
        let object = t.memory.stack.remove(position);
        end_local(t, &object)
    }

    /// The address of this thread's copy of a thread-local global, made at its first use. That is no effect: whoever uses it
    /// first, it is there with its initial value.
    pub(crate) fn thread_local(&self, t: &mut Thread, global: GlobalId) -> Result<u64, Stop> {
        let known = t.rest.thread_locals.iter().find(|entry| entry.0 == global.0);
        if let Some(&(_, address)) = known {
            return Ok(address);
        }
        let declared = &self.program.globals[global.index()];
        let fill = |size| Content::from_bytes(size, &declared.bytes);
        let (size, align) = (declared.size, declared.align);
        let address = self.allocate(t, size, align, ObjectKind::ThreadLocal, fill)?;
        let Some(address) = address else {
            return Err(t.fault(Undefined::NoRoom));
        };
        if let Some((list, position)) = t.memory.find_own(address) {
            debug_assert_eq!(list, List::Heap);
            let place = Program::global_place(global);
            t.memory.list_mut(list).get_mut(position).place = place;
        }
        t.rest_mut().thread_locals.push((global.0, address));
        t.outlives_iterations();
        Ok(address)
    }
}

/// A local variable was taken off the stack. If others may know it, its end is an action.
#[inline]
fn end_local(t: &mut Thread, object: &Object) -> Result<(), Stop> {
    t.check_not_held(object.start, object.size)?;
    if object.content.is_some() {
        return Ok(());
    }
    t.effects += 1;
    let (address, place) = (Address(object.start), t.place());
    Err(t.before(Action::Free { address, by: None, place }))
}
