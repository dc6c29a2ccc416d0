//! Failures for no reason: weak compare-exchanges, and tries to lock where a standard allows them to fail
//! although the lock is free.
//!
//! Outside of loops each such failure is explored. In a loop a program mostly tries again, and the execution
//! in which it does is that in which it looks later. So the machine looks ahead with a copy of the thread
//! whose attempt fails. If that comes back to the head of the loop with the same registers, it tries again.
//! If they differ (the next slot of an array, a number of attempts), or the loop is left, or something goes
//! wrong, the failure is explored, up to [`MOST_FAILURES`] of them while the loop is under way, or there
//! would be no end. Where the copy has to read what cannot be known ahead, it is taken to try again.
//!
//! A try to lock in a loop is always taken to be one of many, as in `std::lock`.
//!
//! Looking ahead decides only whether there is a choice. So it may guess: what the attempt has just seen is
//! still there, and results of other read-modify-writes do not matter.

use crate::Vm;
use crate::thread::{NO_LOOP, Stop, Thread};
use norn_action::{Action, Value};
use norn_program::flow::Blocks;
use norn_program::{FunctionId, Loop, Program};

/// In a loop that does not just try again.
const MOST_FAILURES: u8 = 3;
/// Actions and iterations of inner loops that looking ahead goes through.
const MOST_ACTIONS: u32 = 16;
const MOST_ITERATIONS: u64 = 1024;

/// The instructions of each loop.
#[derive(Debug, Default)]
pub(crate) struct Bodies(Vec<Vec<u64>>);

impl Bodies {
    /// The bodies of all loops of a program: what leads back to the head from behind it. Nothing if nobody
    /// will ask.
    pub(crate) fn of(program: &Program) -> Bodies {
        let tries = |name: &str| {
            ["mtx_try", "lock_try", "mutex_try"].iter().any(|part| name.contains(part))
        };
        let mut externals = program.externals.iter().map(|external| &external.name);
        if program.weak_exchanges.is_empty() && !externals.any(|name| tries(name)) {
            return Bodies::default();
        }
        let mut bodies = vec![Vec::new(); program.loops.len()];
        for index in 0..program.functions.len() {
            let function = FunctionId(index as u32);
            let loops = program.loops.iter().zip(&mut bodies);
            let mut own = loops.filter(|(item, _)| item.function == function).peekable();
            if own.peek().is_some() {
                let blocks = Blocks::new(program, function);
                let entry = program.functions[index].entry;
                own.for_each(|(item, bits)| *bits = body(&blocks, item, entry));
            }
        }
        for (index, item) in program.loops.iter().enumerate() {
            if let Some(turn) = item.turn {
                bodies[index] = bodies[turn.of.index()].clone();
            }
        }
        Bodies(bodies)
    }

    /// Whether the instruction `pc` belongs to loop `index`, whose function starts at `entry`.
    fn has(&self, index: usize, entry: u32, pc: u32) -> bool {
        let offset = pc.wrapping_sub(entry) as usize;
        let word = self.0.get(index).and_then(|bits| bits.get(offset / 64));
        word.is_some_and(|word| word >> (offset % 64) & 1 == 1)
    }
}

/// The instructions of a loop, as bits from the entry of its function on.
fn body(blocks: &Blocks, item: &Loop, entry: u32) -> Vec<u64> {
    let graph = blocks.graph();
    let head = blocks.at(item.header);
    let inside = graph.cycle(head, graph.latches(head));
    let mut bits = Vec::new();
    for &node in graph.order().iter().filter(|node| inside[node.index()]) {
        for offset in blocks.range(node).map(|pc| (pc - entry) as usize) {
            bits.resize(bits.len().max(offset / 64 + 1), 0);
            bits[offset / 64] |= 1 << (offset % 64);
        }
    }
    bits
}

impl Vm {
    /// Whether a loop that the thread entered is still under way.
    fn is_under_way(&self, t: &Thread, index: usize) -> bool {
        let Some(state) = t.loops.get(index) else { return false };
        let (depth, id) = ((state.key >> 32) as usize, state.key as u32 as usize);
        let Some(frame) = depth.checked_sub(1).and_then(|depth| t.frames.get(depth)) else {
            return false;
        };
        let entry = self.program.functions[frame.function as usize].entry;
        self.bodies.has(id, entry, frame.pc)
    }

    /// The innermost loop that is under way.
    fn innermost(&self, t: &Thread) -> Option<usize> {
        (0..t.loops.len()).rfind(|&index| self.is_under_way(t, index))
    }

    fn has_failed_enough(&self, t: &Thread) -> bool {
        !self.config.spurious
            || t.looks_ahead > 0
            || t.loops.iter().any(|state| state.failures >= MOST_FAILURES)
    }

    /// Whether to explore that a try to lock fails although the lock is free.
    pub(crate) fn may_fail_to_lock(&self, t: &Thread) -> bool {
        !self.has_failed_enough(t) && self.innermost(t).is_none()
    }

    /// Whether to explore that an attempt of the thread to change the cell at `address` fails although it
    /// sees the `expected` value; `fail` makes it fail.
    pub(crate) fn may_fail(
        &self,
        t: &Thread,
        address: u64,
        expected: Value,
        fail: impl FnOnce(&mut Thread),
    ) -> bool {
        if self.has_failed_enough(t) {
            return false;
        }
        let Some(innermost) = self.innermost(t) else { return true };
        let mut ahead = t.clone();
        self.drop_loops_above(&mut ahead, innermost + 1);
        fail(&mut ahead);
        ahead.looks_ahead = innermost + 1;
        ahead.quiet = NO_LOOP;
        (ahead.fuel, ahead.reserve) = (MOST_ITERATIONS, 0);
        for _ in 0..MOST_ACTIONS {
            match self.run_until_stop(&mut ahead) {
                Stop::CameBack(back) => return back.moved,
                Stop::Fail(_) => return true,
                Stop::Ask | Stop::Again => {}
                _ => return false,
            }
            if !self.is_under_way(&ahead, innermost) {
                return true;
            }
            let answer = match ahead.outgoing.take() {
                Some(Action::Load(access, None)) if access.address.0 == address => expected,
                Some(Action::Store(..) | Action::Fence(..) | Action::Publish(..)) => Value::ZERO,
                Some(Action::Rmw(rmw)) if rmw.test.is_none() => Value::ZERO,
                _ => return false,
            };
            if self.answer(&mut ahead, answer).is_err() {
                return false;
            }
        }
        false
    }
}
