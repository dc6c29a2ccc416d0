//! Reads and writes: directly where memory is private, as actions where it is visible.
//!
//! Private memory is checked here: bounds, life, definedness, read-only constants. Visible memory is
//! checked by whoever answers the action, except that reading what was never written is no fault: see
//! [`crate::shadow`] for what is done with such values.

use crate::Vm;
use crate::memory::{List, Position, Spot};
use crate::shadow::Origin;
use crate::thread::{Awaiting, Stop, Thread};
use norn_action::{
    Access, Action, Address, ConstantWrite, Mode, Place, Rmw, RmwOp, Role, Stuck, Test, Undefined,
    Value, Wait,
};
use norn_program::layout::{FUNCTIONS, GLOBALS, REGION_BITS};

/// A memory operand: where, how wide, how ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub address: u64,
    pub size: u8,
    pub mode: Mode,
    pub role: Role,
}

impl Target {
    pub(crate) fn new(address: u64, size: u8, mode: Mode) -> Target {
        Target { address, size, mode, role: Role::Data }
    }

    /// The same, as an access of an object's own.
    pub(crate) fn of(self, role: Role) -> Target {
        Target { role, ..self }
    }

    pub(crate) fn access(self, place: Place) -> Access {
        let Target { address, size, mode, role } = self;
        Access { address: Address(address), size, mode, role, undefined: 0, place }
    }
}

/// A read-modify-write as the machine's parts ask for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modify {
    pub target: Target,
    pub failure: Mode,
    pub op: RmwOp,
    pub operand: u128,
    pub test: Option<Test>,
    pub wait: Option<Wait>,
}

impl Vm {
    /// Reads; the value, or the action that asks for it.
    // Not inlined, here and below: the inner loop needs its registers.
    #[inline(never)]
    pub(crate) fn load(&self, t: &mut Thread, target: Target) -> Result<u128, Stop> {
        match self.private_spot(t, target)? {
            Some((list, position)) => self.load_private(t, list, position, target),
            None => {
                if !self.cuts.is_empty()
                    && let Some(stop) = self.load_in_parts(t, target, Awaiting::Answer)
                {
                    return Err(stop);
                }
                if self.is_watched(t) {
                    return Err(self.load_watched(t, target));
                }
                t.count_read();
                let access = target.access(t.place());
                Err(t.ask(Action::Load(access, None)))
            }
        }
    }

    /// Reads a value that passes a test, waiting for it where memory is visible.
    pub(crate) fn load_when(
        &self,
        t: &mut Thread,
        target: Target,
        test: Test,
        wait: Wait,
    ) -> Result<u128, Stop> {
        match self.private_spot(t, target)? {
            Some((list, position)) => {
                let value = self.load_private(t, list, position, target)?;
                if test.holds(Value(value), target.size) {
                    return Ok(value);
                }
                if wait == Wait::TimedCondition {
                    let place = t.place();
                    return Err(t.ask(Action::Abandon(place)));
                }
                Err(t.fault(Stuck::LonelyValue))
            }
            None => {
                t.count_read();
                let access = target.access(t.place());
                Err(t.ask(Action::Load(access, Some((test, wait)))))
            }
        }
    }

    /// Writes the low bytes of `value`.
    #[inline(never)]
    pub(crate) fn store(&self, t: &mut Thread, target: Target, value: u128) -> Result<(), Stop> {
        match self.private_spot(t, target)? {
            Some((list, position)) => self.store_private(t, list, position, target, value),
            None => {
                t.before_escape(value)?;
                t.effects += 1;
                t.stores += u64::from(t.frames.last().is_some_and(|frame| !frame.native));
                let undefined = std::mem::take(&mut t.undefined_bytes);
                if !self.cuts.is_empty()
                    && let Some(stop) = self.store_in_parts(t, target, (value, undefined))
                {
                    return Err(stop);
                }
                let mut access = target.access(t.place());
                access.undefined = undefined as u8;
                let value = Value(value).truncate(target.size);
                Err(t.ask(Action::Store(access, value)))
            }
        }
    }

    /// Reads and perhaps writes at once; the value read.
    pub(crate) fn modify(&self, t: &mut Thread, modify: Modify) -> Result<u128, Stop> {
        let Modify { target, failure, op, operand, test, wait } = modify;
        match self.private_spot(t, target)? {
            Some((list, position)) => {
                let old = match self.load_private(t, list, position, target) {
                    // Padding may never have been written; see `complete_partly`.
                    Err(Stop::Partly(read)) if read.1.count_ones() < target.size.into() => read.0,
                    read => read?,
                };
                if test.is_none_or(|test| test.holds(Value(old), target.size)) {
                    let new = op.apply(Value(old), Value(operand), target.size);
                    self.store_private(t, list, position, target, new.0)?;
                } else if wait.is_some() {
                    return Err(t.fault(Stuck::LonelyLock(Address(target.address))));
                }
                Ok(old)
            }
            None => {
                t.before_escape(operand)?;
                if !self.cuts.is_empty()
                    && let Some(stop) = self.modify_in_parts(t, &modify)
                {
                    t.test = (test, target.size, t.test.2);
                    return Err(stop);
                }
                let watched = self.is_watched(t);
                let (test, wait) =
                    if watched { self.modify_waits(t, &modify) } else { (test, wait) };
                let alike = if test.is_none() { self.alike(t, target.size, watched) } else { None };
                t.count_read();
                let access = target.access(t.place());
                let operand = Value(operand).truncate(target.size);
                let unused = self.is_unused(t, op, operand);
                let rmw =
                    Rmw { access, failure_mode: failure, op, operand, test, wait, unused, alike };
                let stop = t.ask(Action::Rmw(rmw));
                t.awaiting = Awaiting::Rmw;
                t.test = (test, target.size, t.test.2);
                if alike.is_some_and(|alike| alike.both)
                    && let Some(success) = self.attempt(t, &rmw)
                {
                    let (test, wait) = (Some(success), Some(Wait::Attempt));
                    t.outgoing = Some(Action::Rmw(Rmw { test, wait, ..rmw }));
                    t.test.0 = test;
                }
                Err(stop)
            }
        }
    }

    /// Whether the thread goes on in the same way whatever the read-modify-write that it executes reads. In a
    /// loop it may matter whether that changes the value, which must not depend on what is read.
    fn is_unused(&self, t: &Thread, op: RmwOp, operand: Value) -> bool {
        let Some(frame) = t.frames.last().filter(|frame| !frame.native) else { return false };
        let word = self.unused.get(frame.pc as usize / 64);
        let marked = word.is_some_and(|word| word >> (frame.pc % 64) & 1 == 1);
        let always_changes = matches!(op, RmwOp::Add | RmwOp::Sub | RmwOp::Xor) && operand.0 != 0;
        marked && (always_changes || t.loops.is_empty())
    }

    /// Like [`Vm::load`], but for runtime functions that pass bytes on: the value and which bytes of it were
    /// never written.
    pub(crate) fn load_bytes(&self, t: &mut Thread, target: Target) -> Result<(u128, u16), Stop> {
        match self.private_spot(t, target)? {
            Some((list, position)) => {
                let object = t.memory.list(list, &self.constants).get(position);
                let content = object.content.as_ref().expect("a private object has content");
                Ok(content.read(target.address - object.start, target.size))
            }
            None => {
                if !self.cuts.is_empty()
                    && let Some(stop) = self.load_in_parts(t, target, Awaiting::Bytes)
                {
                    return Err(stop);
                }
                t.count_read();
                let access = target.access(t.place());
                let stop = t.ask(Action::Load(access, None));
                t.awaiting = Awaiting::Bytes;
                Err(stop)
            }
        }
    }

    /// The private object that a target lies in, if it is private. Atomic accesses to a private
    /// object publish it first while other threads may exist: privatising atomics would hide weak
    /// behaviours.
    #[inline]
    pub(crate) fn private_spot(
        &self,
        t: &mut Thread,
        target: Target,
    ) -> Result<Option<(List, Position)>, Stop> {
        let atomic = target.mode.is_atomic();
        if atomic && !target.address.is_multiple_of(u64::from(target.size)) {
            return Err(t.fault(Undefined::Misaligned(Address(target.address))));
        }
        if self.is_clearly_visible(t, target.address) {
            return Ok(None);
        }
        self.private_range(t, target.address, u64::from(target.size), atomic)
    }

    /// The common case without a search: a global that is not constant, or an address in another
    /// thread's region, once there are threads.
    #[inline]
    fn is_clearly_visible(&self, t: &Thread, address: u64) -> bool {
        t.memory.shared
            && match address >> REGION_BITS {
                0 => (GLOBALS..FUNCTIONS).contains(&address) && !self.is_constant(address),
                region => !t.memory.owns(address) && region < 1 << 12,
            }
    }

    /// The private object that a range lies in, if it is private.
    #[inline]
    pub(crate) fn private_range(
        &self,
        t: &mut Thread,
        address: u64,
        size: u64,
        atomic: bool,
    ) -> Result<Option<(List, Position)>, Stop> {
        match t.memory.locate(address, size, &self.constants) {
            Spot::Private(list, position) => {
                let public = atomic || !self.config.privatise;
                if public && t.memory.shared && list != List::Constants {
                    t.publish_object(list, position)?;
                }
                Ok(Some((list, position)))
            }
            Spot::Visible => Ok(None),
            Spot::Bad(access) => Err(t.fault(access)),
        }
    }

    #[inline]
    fn load_private(
        &self,
        t: &mut Thread,
        list: List,
        position: Position,
        target: Target,
    ) -> Result<u128, Stop> {
        let object = t.memory.list(list, &self.constants).get(position);
        let offset = target.address - object.start;
        let content = object.content.as_ref().expect("a private object has content");
        let (value, undefined) = content.read(offset, target.size);
        if undefined != 0 {
            let origin = Origin::Object(object.inside(offset));
            return Err(Stop::Partly(Box::new((value, undefined, origin))));
        }
        Ok(value)
    }

    #[inline]
    fn store_private(
        &self,
        t: &mut Thread,
        list: List,
        position: Position,
        target: Target,
        value: u128,
    ) -> Result<(), Stop> {
        if list == List::Constants {
            return Err(t.fault(ConstantWrite::Store(Address(target.address))));
        }
        let object = t.memory.list_mut(list).get_mut(position);
        let offset = target.address - object.start;
        let content = object.content.as_mut().expect("a private object has content");
        let start = object.start;
        let mut changed = content.write(offset, target.size, value);
        if t.undefined_bytes != 0 {
            let bytes = std::mem::take(&mut t.undefined_bytes);
            let undefined = (0..16).filter(|i| bytes >> i & 1 == 1);
            undefined.for_each(|i| content.undefine(offset as usize + i));
            changed = true;
        }
        if changed {
            t.count_write(list == List::Stack, start);
        }
        Ok(())
    }
}
