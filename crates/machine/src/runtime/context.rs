//! What runtime functions work with.
//!
//! A *step* is anything whose result must not be computed again when the function is: an access, an
//! allocation, a callback, a change of the thread's state. Its result is logged, and taken from the
//! log when the function is run again.

use crate::Vm;
use crate::access::{Modify, Target};
use crate::memory::Content;
use crate::thread::{Stop, Thread};
use norn_action::{
    Action, Address, BadSync, Compare, Misuse, Mode, ObjectKind, Obstacle, RmwOp, SyncObject, Test,
    ThreadId, Value, Wait, Wrong,
};

/// A call of a runtime function.
pub(crate) struct Cx<'a> {
    pub vm: &'a Vm,
    pub t: &'a mut Thread,
    args: &'a [u64],
    cursor: usize,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(vm: &'a Vm, t: &'a mut Thread, args: &'a [u64]) -> Cx<'a> {
        Cx { vm, t, args, cursor: 0 }
    }

    /// Argument cell `i`; zero if it was not passed.
    pub(crate) fn arg(&self, i: usize) -> u64 {
        self.args.get(i).copied().unwrap_or(0)
    }

    /// All argument cells.
    pub(crate) fn args(&self) -> &'a [u64] {
        self.args
    }

    /// A step that touches the thread or may stop it.
    pub(crate) fn step(
        &mut self,
        f: impl FnOnce(&Vm, &mut Thread) -> Result<u128, Stop>,
    ) -> Result<u128, Stop> {
        let index = self.cursor;
        let logged = self.t.natives.last().and_then(|call| call.log.get(index).copied());
        let value = match logged {
            Some(value) => value,
            None => {
                let value = f(self.vm, self.t)?;
                if let Some(call) = self.t.natives.last_mut() {
                    call.log.push(value);
                }
                value
            }
        };
        self.cursor += 1;
        Ok(value)
    }

    /// A change of the thread's own state, made once. It counts as an effect.
    pub(crate) fn once(&mut self, f: impl FnOnce(&mut Thread) -> u128) -> Result<u128, Stop> {
        self.step(|_, t| {
            t.effects += 1;
            Ok(f(t))
        })
    }

    pub(crate) fn load(&mut self, address: u64, size: u8, mode: Mode) -> Result<u64, Stop> {
        self.get(Target::new(address, size, mode))
    }

    /// Reads the cell of an object.
    pub(crate) fn get(&mut self, target: Target) -> Result<u64, Stop> {
        Ok(self.step(|vm, t| vm.load(t, target))? as u64)
    }

    /// Reads bytes to pass them on: the value, and which bytes of it were never written. Two entries of
    /// the log.
    pub(crate) fn load_bytes(&mut self, target: Target) -> Result<(u128, u16), Stop> {
        let index = self.cursor;
        self.cursor += 2;
        let log =
            |t: &Thread, at: usize| t.natives.last().and_then(|call| call.log.get(at).copied());
        if let (Some(value), Some(undefined)) = (log(self.t, index), log(self.t, index + 1)) {
            return Ok((value, undefined as u16));
        }
        let (value, undefined) = self.vm.load_bytes(self.t, target)?;
        if let Some(call) = self.t.natives.last_mut() {
            call.log.push(value);
            call.log.push(undefined.into());
        }
        Ok((value, undefined))
    }

    /// Writes a value of which some bytes were never written.
    pub(crate) fn store_bytes(
        &mut self,
        target: Target,
        value: u128,
        undefined: u16,
    ) -> Result<(), Stop> {
        self.step(|vm, t| {
            t.undefined_bytes = undefined;
            let stored = vm.store(t, target, value);
            t.undefined_bytes = 0;
            stored.map(|()| 0)
        })
        .map(drop)
    }

    pub(crate) fn load_when(
        &mut self,
        target: Target,
        test: Test,
        wait: Wait,
    ) -> Result<u64, Stop> {
        Ok(self.step(|vm, t| vm.load_when(t, target, test, wait))? as u64)
    }

    pub(crate) fn store(
        &mut self,
        address: u64,
        size: u8,
        mode: Mode,
        value: u64,
    ) -> Result<(), Stop> {
        self.put(Target::new(address, size, mode), value)
    }

    /// Writes the cell of an object.
    pub(crate) fn put(&mut self, target: Target, value: u64) -> Result<(), Stop> {
        self.step(|vm, t| vm.store(t, target, value.into()).map(|()| 0)).map(drop)
    }

    /// Reads a cell that may never have been written; zero then.
    pub(crate) fn look(&mut self, address: u64, size: u8) -> Result<u64, Stop> {
        let target = Target::new(address, size, Mode::Plain);
        Ok(self.load_bytes(target)?.0 as u64)
    }

    /// Whether a try to take a lock, which is free if its cell passes a test, fails for no reason; see
    /// [`crate::failing`].
    pub(crate) fn fails_for_no_reason(&mut self, cell: Target, free: Test) -> Result<bool, Stop> {
        let may = self.step(|vm, t| {
            let uses_result = t.frames.last().is_some_and(|frame| frame.results > 0);
            Ok((uses_result && vm.may_fail_to_lock(t)).into())
        })?;
        if may == 0 || self.choose(2)? == 0 {
            return Ok(false);
        }
        self.once(|t| {
            t.failed();
            0
        })?;
        let value = self.get(cell)?;
        if !free.holds(Value(value.into()), cell.size) {
            // It fails for a reason: that is the execution in which it does.
            let place = self.t.place();
            self.act(Action::Abandon(place))?;
        }
        Ok(true)
    }

    pub(crate) fn modify(&mut self, modify: Modify) -> Result<u64, Stop> {
        Ok(self.step(|vm, t| vm.modify(t, modify))? as u64)
    }

    /// An 8-byte read-modify-write of a lock-like cell; the value read, and whether the test held.
    pub(crate) fn update(
        &mut self,
        target: Target,
        op: RmwOp,
        operand: u64,
        test: Option<Test>,
        wait: Option<Wait>,
    ) -> Result<(u64, bool), Stop> {
        let failure = Mode::Relaxed;
        let operand = operand.into();
        let old = self.modify(Modify { target, failure, op, operand, test, wait })?;
        let held = test.is_none_or(|test| test.holds(Value(old.into()), target.size));
        Ok((old, held))
    }

    /// One of `count` answers to a question of the runtime.
    pub(crate) fn choose(&mut self, count: u64) -> Result<u64, Stop> {
        self.choose_for(count, false)
    }

    /// One of `count` answers, which the program may have asked for.
    pub(crate) fn choose_for(&mut self, count: u64, asked: bool) -> Result<u64, Stop> {
        let value = self.step(|_, t| {
            if count <= 1 {
                return Ok(0);
            }
            if count > 1 << 32 {
                return Err(t.unsupported(Obstacle::LargeChoice));
            }
            t.effects += 1;
            let place = t.place();
            Err(t.ask(Action::Choose { count, asked, place }))
        })?;
        Ok(value as u64)
    }

    /// Takes an action that is not an access and answers it.
    pub(crate) fn act(&mut self, action: Action) -> Result<u128, Stop> {
        self.step(|_, t| {
            t.effects += 1;
            Err(t.ask(action))
        })
    }

    /// Where the thread would be if this call returned `result` now, at `time` at the earliest: back at
    /// the head of a loop, in the state in which it was there last, without any effect since? Then how
    /// many visible reads had been made at that time; nothing if it would do anything else first.
    pub(crate) fn comes_back(&mut self, result: i32, time: u64) -> Result<Option<u64>, Stop> {
        let reads = self.step(|vm, t| {
            let mut ahead = t.clone();
            ahead.natives.pop();
            vm.leave(&mut ahead, &[u64::from(result as u32), 0]);
            ahead.pass_time(time);
            Ok(vm.comes_back(ahead).map_or(u128::MAX, u128::from))
        })?;
        Ok((reads != u128::MAX).then_some(reads as u64))
    }

    /// The same for a system call that fails with `code`.
    pub(crate) fn comes_back_failing(&mut self, code: i32, time: u64) -> Result<Option<u64>, Stop> {
        let errno = self.errno()?;
        let reads = self.step(|vm, t| {
            let mut ahead = t.clone();
            ahead.natives.pop();
            let target = Target::new(errno, 4, Mode::Plain);
            if vm.store(&mut ahead, target, u128::from(code as u32)).is_err() {
                return Ok(u128::MAX);
            }
            vm.leave(&mut ahead, &[u64::MAX, 0]);
            ahead.pass_time(time);
            Ok(vm.comes_back(ahead).map_or(u128::MAX, u128::from))
        })?;
        Ok((reads != u128::MAX).then_some(reads as u64))
    }

    /// The thread comes back to the head of a loop at which it had made `before` visible reads, and does
    /// not go on in this execution.
    pub(crate) fn spin(&mut self, before: u64) -> Result<(), Stop> {
        self.step(|_, t| {
            let (reads, place) = ((t.reads - before) as u32, t.place());
            Err(t.ask(Action::Spin { reads, place }))
        })
        .map(drop)
    }

    /// Calls a function of the program, and uses its result if it has one.
    pub(crate) fn call(&mut self, address: u64, args: &[u64]) -> Result<u64, Stop> {
        Ok(self.step(|_, _| Err(Stop::Call(Box::new((address, args.into(), 1)))))? as u64)
    }

    /// Calls the function that a thread runs; its result, and whether it ended by `pthread_exit` rather
    /// than by returning. The result is `used` here, or only passed on, with what is undefined of it (see
    /// [`UNDEFINED_BYTES`]).
    pub(crate) fn call_start(
        &mut self,
        address: u64,
        args: &[u64],
        used: bool,
    ) -> Result<(u128, bool), Stop> {
        let result =
            self.step(|_, _| Err(Stop::Call(Box::new((address, args.into(), used.into())))))?;
        Ok((result & !EXITED, result & EXITED != 0))
    }

    /// Starts a thread that runs the runtime function `root`.
    pub(crate) fn spawn(
        &mut self,
        root: super::NativeFn,
        args: [u64; 2],
    ) -> Result<ThreadId, Stop> {
        let child = self.step(|vm, t| {
            if !t.memory.shared {
                t.share_globals(vm)?;
            }
            t.before_escape_of_words(&args)?;
            t.effects += 1;
            t.spawn = Some((root, args));
            let index = t.spawned;
            t.spawned += 1;
            let place = t.place();
            let like = vm.like(t, root, args);
            Err(t.ask(Action::Spawn { index, like, place }))
        })?;
        Ok(ThreadId(child as u32))
    }

    /// The bytes of a string, without the terminating zero.
    pub(crate) fn string(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        self.string_up_to(address, u64::MAX)
    }

    /// The bytes of a string of at most `limit` bytes.
    pub(crate) fn string_up_to(&mut self, address: u64, limit: u64) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let byte = self.load(address + bytes.len() as u64, 1, Mode::Plain)? as u8;
            if byte == 0 {
                break;
            }
            bytes.push(byte);
        }
        Ok(bytes)
    }

    pub(crate) fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        for (i, &byte) in bytes.iter().enumerate() {
            self.store(address + i as u64, 1, Mode::Plain, byte.into())?;
        }
        Ok(())
    }

    /// The address of this thread's `errno`.
    pub(crate) fn errno(&mut self) -> Result<u64, Stop> {
        let address = self.step(|vm, t| {
            if t.rest.errno == 0 {
                let kind = ObjectKind::ThreadLocal;
                let address = vm.allocate(t, 4, 4, kind, Content::zero)?.unwrap_or(0);
                t.rest_mut().errno = address;
            }
            Ok(t.rest.errno.into())
        })?;
        Ok(address as u64)
    }

    pub(crate) fn set_errno(&mut self, code: i32) -> Result<(), Stop> {
        let address = self.errno()?;
        self.store(address, 4, Mode::Plain, u64::from(code as u32))
    }

    pub(crate) fn fault(&self, what: impl Into<Wrong>) -> Stop {
        self.t.fault(what)
    }

    pub(crate) fn unsupported(&self, what: Obstacle) -> Stop {
        self.t.unsupported(what)
    }

    /// The fault of doing something to a synchronisation object that is not in the state for it.
    pub(crate) fn misused(&self, object: SyncObject, address: u64, how: Misuse) -> Stop {
        self.fault(BadSync::Misused { object, address: Address(address), how })
    }
}

/// Marks the logged result of a start routine that ended by `pthread_exit`.
pub(crate) const EXITED: u128 = 1 << 64;

/// From this bit on, the result of a thread says which of its eight bytes were never written.
pub(crate) const UNDEFINED_BYTES: u32 = 72;

/// The bits of a cell under `mask` compare with `operand`.
pub(crate) fn test(mask: u64, compare: Compare, operand: u64) -> Test {
    Test { mask: mask.into(), compare, operand: operand.into() }
}

/// A C `int` as a result cell.
pub(crate) fn int(value: i32) -> Result<u128, Stop> {
    Ok(u128::from(value as u32))
}
