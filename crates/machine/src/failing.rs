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
use norn_program::{Instruction, Loop, Program};

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
        Bodies(program.loops.iter().map(|item| body(program, item)).collect())
    }

    /// Whether the instruction `pc` belongs to loop `index`, whose function starts at `entry`.
    fn has(&self, index: usize, entry: u32, pc: u32) -> bool {
        let offset = pc.wrapping_sub(entry) as usize;
        let word = self.0.get(index).and_then(|bits| bits.get(offset / 64));
        word.is_some_and(|word| word >> (offset % 64) & 1 == 1)
    }
}

fn body(program: &Program, item: &Loop) -> Vec<u64> {
    let function = &program.functions[item.function.index()];
    let (entry, header) = (function.entry, item.header);
    let mut predecessors = vec![Vec::new(); (function.end - entry) as usize];
    let mut link = |from: u32, to: u32| {
        if let Some(list) = predecessors.get_mut(to.wrapping_sub(entry) as usize) {
            list.push(from);
        }
    };
    for pc in entry..function.end {
        let mut instruction = program.code[pc as usize];
        instruction.for_each_target(|target| link(pc, *target));
        if let Instruction::Switch { table, .. } = instruction {
            let switch = &program.switches[table as usize];
            switch.cases.iter().for_each(|case| link(pc, case.1));
            link(pc, switch.default);
        }
        if !instruction.is_terminator() {
            link(pc, pc + 1);
        }
    }
    let mut bits = vec![0u64; predecessors.len() / 64 + 1];
    let mut mark = |pc: u32| {
        let offset = (pc - entry) as usize;
        let fresh = bits[offset / 64] >> (offset % 64) & 1 == 0;
        bits[offset / 64] |= 1 << (offset % 64);
        fresh
    };
    mark(header);
    let mut work: Vec<u32> = predecessors[(header - entry) as usize].clone();
    work.retain(|&pc| pc > header);
    while let Some(pc) = work.pop() {
        if mark(pc) {
            work.extend(&predecessors[(pc - entry) as usize]);
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
