//! Private memory that holds what is not known yet.
//!
//! A loop may keep the value that it waits for where only its thread can see it: in a local variable whose address is taken,
//! in a thread-local one. The memory of the copy stays as it is, and what would be there is noted beside it.
//!
//! Such a write is no effect
//!
//! - where nothing was written before (see [`crate::spin`]);
//! - where it writes what is there already: then the value is one more that the round asks for;
//! - where the next iteration writes there again before it reads (see [`super::overwritten`]).

use super::symbol::Symbol;
use super::{Followed, Way};
use crate::Vm;
use crate::access::Target;
use crate::memory::List;
use norn_action::Mode;
use norn_program::{Instruction as I, Operand};

/// Some bytes of private memory, and what they hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    address: u64,
    size: u8,
    pub(super) symbol: Symbol,
}

impl Cell {
    fn meets(&self, address: u64, size: u8) -> bool {
        self.address < address + u64::from(size) && address < self.address + u64::from(self.size)
    }

    pub(super) fn is(&self, address: u64, size: u8) -> bool {
        (self.address, self.size) == (address, size)
    }

    pub(super) fn is_of(&self, other: &Cell) -> bool {
        self.is(other.address, other.size)
    }
}

/// A write of such a value where there was another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) cell: Cell,
    /// What was there.
    pub(super) old: u64,
    /// Whether it is made whatever the value is.
    pub(super) always: bool,
}

impl Vm {
    /// What becomes of an instruction that may have to do with such memory; nothing if it has not.
    pub(super) fn follow_cells(&self, way: &mut Way, instruction: I) -> Option<Followed> {
        if let I::Store { size, mode: Mode::Plain, value, address, offset } = instruction
            && let Some(symbol) = way.symbol(value)
        {
            let kept = self
                .address(way, address, offset)
                .filter(|&address| way.overwrites(address, size))
                .and_then(|address| self.keep(way, (address, size), symbol));
            return Some(kept.map_or(Followed::Ended, |()| way.passes_on()));
        }
        if way.cells.is_empty() && way.stale.is_empty() {
            return None;
        }
        match instruction {
            I::Load { size, mode, dst, address, offset } => {
                let Some(address) = self.address(way, address, offset) else {
                    return Some(Followed::Ended);
                };
                if way.stale.iter().any(|cell| cell.meets(address, size)) {
                    return Some(Followed::Ended);
                }
                let cell = way.cells.iter().copied().find(|cell| cell.meets(address, size))?;
                if mode != Mode::Plain || !cell.is(address, size) {
                    return Some(Followed::Ended);
                }
                let base = way.thread.frames[way.thread.frames.len() - 1].base;
                way.set(base + dst.0, Some(cell.symbol));
                Some(way.passes_on())
            }
            I::Store { size, address, offset, .. } => {
                let address = self.address(way, address, offset);
                let fits = address.is_some_and(|address| way.overwrites(address, size));
                // The interpreter compares what it writes with what was there before.
                if fits { None } else { Some(Followed::Ended) }
            }
            // They may read or write any memory, or make other memory of it.
            I::Rmw { .. }
            | I::CompareExchange { .. }
            | I::CopyMemory { .. }
            | I::SetMemory { .. }
            | I::CallExternal { .. }
            | I::CallIndirect { .. }
            | I::VaStart { .. }
            | I::Alloca { .. }
            | I::StackRestore { .. }
            | I::EndScope { .. } => Some(Followed::Ended),
            _ => None,
        }
    }

    /// Forgets what was in memory that is gone with a function that has returned.
    pub(super) fn drop_cells(&self, way: &mut Way) {
        let Way { thread, cells, .. } = way;
        cells.retain(|cell| {
            let target = Target::new(cell.address, cell.size, Mode::Plain);
            matches!(self.private_spot(thread, target), Ok(Some(_)))
        });
    }

    /// Where an access goes, unless that depends on the value.
    fn address(&self, way: &Way, address: Operand, offset: i32) -> Option<u64> {
        if way.symbol(address).is_some() {
            return None;
        }
        Some(self.get(&way.thread, address).wrapping_add(offset as i64 as u64))
    }

    /// Notes that private memory holds a symbol. Nothing if that cannot be said.
    fn keep(&self, way: &mut Way, (address, size): (u64, u8), symbol: Symbol) -> Option<()> {
        let symbol = symbol.truncated(size.checked_mul(8)?, way.size)?;
        let cell = Cell { address, size, symbol };
        let target = Target::new(address, size, Mode::Plain);
        let (list, position) = self.private_spot(&mut way.thread, target).ok()??;
        if list == List::Constants {
            return None;
        }
        let object = way.thread.memory.list(list, &self.constants).get(position);
        let (old, undefined) = object.content.as_ref()?.read(address - object.start, size);
        match undefined.count_ones() {
            0 => {
                let always = way.tests.len() == way.given;
                way.kept.push(Kept { cell, old: u64::try_from(old).ok()?, always });
            }
            all if all == u32::from(size) => {}
            _ => return None,
        }
        way.cells.push(cell);
        Some(())
    }
}

impl Way {
    /// Whether some bytes are none of those that are noted, or just those of one, which are then forgotten.
    fn overwrites(&mut self, address: u64, size: u8) -> bool {
        let fits = |cell: &Cell| cell.is(address, size) || !cell.meets(address, size);
        let all_fit = self.cells.iter().all(fits) && self.stale.iter().all(fits);
        self.cells.retain(|cell| !cell.is(address, size));
        self.stale.retain(|cell| !cell.is(address, size));
        all_fit
    }

    fn passes_on(&mut self) -> Followed {
        let top = self.thread.frames.len() - 1;
        let pc = self.thread.frames[top].pc + 1;
        self.goes_to(pc)
    }
}
