//! Private memory that a loop writes in each iteration before it reads it: what an iteration leaves there is of no account.
//!
//! Take an iteration out of an execution that reads visible memory once and then, whatever it has read, writes to private
//! memory. The thread is in the same state without it, but for that memory. If the next iteration comes to the same read
//! without a look there, and writes there whatever it reads, then nobody ever sees the difference: other threads cannot.

use super::cells::Cell;
use super::{Followed, MOST_STEPS, Way};
use crate::Vm;
use norn_program::{Instruction as I, Register};

impl Way {
    pub(super) fn always_writes_any(&self) -> bool {
        self.kept.iter().any(|kept| kept.always)
    }

    /// Whether such memory is written whatever the value is.
    pub(super) fn always_writes(&self, cell: Cell) -> bool {
        self.kept.iter().any(|kept| kept.always && kept.cell.is_of(&cell))
    }
}

impl Vm {
    /// Whether a way that is back at the head of the loop at `index`, where these registers are live, writes whatever it has
    /// always written once more before it reads it.
    pub(super) fn is_overwritten(&self, way: &Way, index: usize, live: &[Register]) -> bool {
        let base = way.thread.frames[way.thread.frames.len() - 1].base;
        if live.iter().any(|register| way.symbol_at(base + register.0).is_some()) {
            return false;
        }
        let mut again = way.clone();
        again.symbols.clear();
        again.stale = way.kept.iter().filter(|kept| kept.always).map(|kept| kept.cell).collect();
        again.cells.retain(|cell| !way.always_writes(*cell));
        self.drop_loops_above(&mut again.thread, index + 1);
        // Behind the head.
        let top = again.thread.frames.len() - 1;
        again.thread.frames[top].pc += 1;
        let is_there = |way: &Way| {
            way.thread.frames.last().map(|frame| (way.thread.frames.len(), frame.pc))
                == Some(way.access)
        };
        if !self.follows_until(&mut again, is_there) {
            return false;
        }
        let (I::Load { dst, size, .. } | I::Rmw { dst, size, .. }) =
            self.instruction(&again.thread)
        else {
            return false;
        };
        let Way { cells, stale, .. } = again;
        let mut behind = Way { cells, stale, ..self.way(&again.thread, dst, size) };
        self.follows_until(&mut behind, |way| way.stale.is_empty())
    }

    /// Follows a way that is to have no branches until something holds.
    fn follows_until(&self, way: &mut Way, holds: impl Fn(&Way) -> bool) -> bool {
        let mut others = Vec::new();
        for _ in 0..MOST_STEPS {
            if holds(way) {
                return true;
            }
            let followed = self.follow(way, &mut others);
            if !matches!(followed, Followed::On) || !others.is_empty() {
                return false;
            }
        }
        false
    }
}
