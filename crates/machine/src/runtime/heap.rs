//! The heap of the program under test: allocating, measuring and freeing.
//!
//! An address is never used for two objects, so that every use of freed memory is found. What that hides is a
//! new object at the address of an old one, which somebody still compares addresses with (an ABA). With
//! [`crate::Config::reuse_memory`], freeing a visible object is a choice: either it ends, as ever, or the
//! thread keeps it and hands it out again at its next allocation of that size and kind. The object then
//! simply lives on, and holds what it held.
//!
//! Why that misses nothing and invents nothing: an access between such a free and the allocation, or
//! unordered with the free, is found where the object ends instead, since up to the allocation the two
//! executions are the same. Every other one is ordered before the free or after the allocation, and to
//! those the same bytes are there as on a machine. A thread that ends before it allocates abandons its
//! execution: it is the one in which the object ended.

use super::Cx;
use crate::memory::Content;
use crate::thread::{Kept, Stop, Thread};
use norn_action::{Action, Address, BadFree, ObjectKind};
use norn_program::layout::STACK_HALF;

impl Cx<'_> {
    /// A new heap object, zeroed or undefined; 0 if there is no room.
    pub(crate) fn allocate(&mut self, size: u64, align: u64, zero: bool) -> Result<u64, Stop> {
        self.allocate_kind(ObjectKind::Heap, size, align, zero)
    }

    /// Likewise, of a kind.
    pub(crate) fn allocate_kind(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        zero: bool,
    ) -> Result<u64, Stop> {
        if self.vm.config.reuse_memory
            && !zero
            && let Some(address) = self.take_kept(kind, size, align)?
        {
            return Ok(address);
        }
        let fill = if zero { Content::zero } else { Content::undefined };
        let address = self.step(|vm, t| {
            vm.config.count_bytes(size);
            vm.check_halt(t)?;
            Ok(vm.allocate(t, size, align, kind, fill)?.unwrap_or(0).into())
        })?;
        Ok(address as u64)
    }

    /// The address of an object that this thread freed and kept, if there is one that fits.
    fn take_kept(&mut self, kind: ObjectKind, size: u64, align: u64) -> Result<Option<u64>, Stop> {
        let fits = move |kept: &&Kept| {
            kept.kind == kind && kept.size == size && kept.address.is_multiple_of(align.max(1))
        };
        let count = self.step(|_, t| Ok(t.rest.kept.iter().filter(fits).count() as u128))?;
        if count == 0 {
            return Ok(None);
        }
        let chosen = self.choose(count as u64)? as usize;
        let address = self.once(|t| {
            let Some(address) = t.rest.kept.iter().filter(fits).nth(chosen).map(|k| k.address)
            else {
                unreachable!("the choice is among those that fit")
            };
            t.rest_mut().kept.retain(|kept| kept.address != address);
            address.into()
        })?;
        Ok(Some(address as u64))
    }

    /// Ends the life of a heap object, which must be of a kind.
    pub(crate) fn free(&mut self, address: u64, kind: ObjectKind) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        if self.vm.config.reuse_memory
            && self.step(|_, t| Ok(is_visible(t, address).into()))? == 1
            && self.choose(2)? == 1
        {
            let size = self.measure(address, kind, true)?;
            let kept = Kept { address, size, kind };
            return self
                .once(|t| {
                    t.rest_mut().kept.push(kept);
                    0
                })
                .map(drop);
        }
        self.step(|_, t| free(t, address, kind).map(|()| 0)).map(drop)
    }

    /// The size of a visible object that may be freed.
    fn measure(&mut self, address: u64, by: ObjectKind, keeps: bool) -> Result<u64, Stop> {
        let (address, place) = (Address(address), self.t.place());
        Ok(self.act(Action::Measure { address, by, keeps, place })? as u64)
    }

    /// The size of a heap object.
    pub(crate) fn size_of(&mut self, address: u64) -> Result<u64, Stop> {
        if self.step(|_, t| Ok(is_visible(t, address).into()))? == 1 {
            return self.measure(address, ObjectKind::Heap, false);
        }
        let size = self.step(|vm, t| {
            if t.memory.owns(address)
                && let Some((list, position)) = t.memory.find_own(address)
            {
                let object = t.memory.list(list, &vm.constants).get(position);
                if object.start == address && object.kind.is_heap() {
                    return Ok(object.size.into());
                }
            }
            Err(t.fault(BadFree::NotAllocated(Address(address))))
        })?;
        Ok(size as u64)
    }

    /// The thread ends here; what it kept to hand it out again it has not handed out.
    #[inline]
    pub(crate) fn keeps_nothing(&mut self) -> Result<(), Stop> {
        if self.vm.config.reuse_memory { self.check_kept() } else { Ok(()) }
    }

    #[cold]
    fn check_kept(&mut self) -> Result<(), Stop> {
        let empty = self.step(|_, t| Ok(t.rest.kept.is_empty().into()))? == 1;
        let place = self.t.place();
        if empty { Ok(()) } else { self.act(Action::Abandon(place)).map(drop) }
    }
}

/// Whether other threads may know the object at an address.
fn is_visible(t: &mut Thread, address: u64) -> bool {
    if !t.memory.owns(address) {
        return t.memory.shared && address >> 36 != 0;
    }
    let found = t.memory.find_own(address);
    found.is_some_and(|(list, position)| t.memory.list_mut(list).get(position).content.is_none())
}

fn free(t: &mut Thread, address: u64, by: ObjectKind) -> Result<(), Stop> {
    let place = t.place();
    let visible = Action::Free { address: Address(address), by: Some(by), place };
    if !t.memory.owns(address) {
        return if t.memory.shared && address >> 36 != 0 {
            t.effects += 1;
            Err(t.ask(visible))
        } else {
            Err(t.fault(BadFree::NotAllocated(Address(address))))
        };
    }
    if address & STACK_HALF != 0 || !address.is_multiple_of(16) || !t.memory.was_allocated(address)
    {
        return Err(t.fault(BadFree::NotAllocated(Address(address))));
    }
    let Some((list, position)) = t.memory.find_own(address) else {
        return Err(t.fault(BadFree::Twice(Address(address))));
    };
    let object = t.memory.list_mut(list).get(position);
    let (start, size) = (object.start, object.size);
    let inside = address - start < size;
    let private = object.content.is_some();
    if start == address && object.kind.is_heap() {
        let from = object.kind;
        t.check_not_held(start, size)?;
        if !private {
            t.effects += 1;
            return Err(t.ask(visible));
        }
        if from != by {
            let address = Address(address);
            return Err(t.fault(BadFree::Mismatch { address, from, by }));
        }
        t.memory.list_mut(list).remove(position);
        t.count_free(start);
        return Ok(());
    }
    if inside {
        return Err(t.fault(BadFree::NotAllocated(Address(address))));
    }
    Err(t.fault(BadFree::Twice(Address(address))))
}
