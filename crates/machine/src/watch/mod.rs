//! Reads that wait: which values would only send a thread round its loop once more.
//!
//! A thread that is about to read in a loop may be said to wait for the values with which it does anything else
//! than come back to the head of the loop, without an action or an effect, in the state in which it was there
//! last. With any other value it would read again, so that nothing is lost if it does not read that value at
//! all, and waits ([`norn_action::Wait::Loop`]). That is an exact form of what [`crate::spin`] finds out
//! afterwards: there the thread has read, and its execution ends.
//!
//! The machine looks ahead with a copy of the thread, in which the value is a [`Symbol`]. Where control depends
//! on it, both ways are followed, each with the tests of the value that lead there. A way that ends at the
//! head of the loop is a *round*; all others, also those that are given up, are not. What a read waits for is
//! the opposite of one round's tests. If there are several rounds, or one that a single test cannot describe,
//! the others are left to [`crate::spin`]: to wait for more values than need be is right as well.
//!
//! What is right for a load is right for a read-modify-write whose round writes back the value that was read
//! (see [`crate::spin`] for why that is no effect), and for a compare-exchange all of whose failures are rounds.
//!
//! Looking ahead costs as much as the instructions that it runs. It is done only at those reads of which a
//! look at the program says that a round may follow ([`norn_program::Program::watched`]).

mod asked;
mod attempt;
mod cells;
mod overwritten;
mod step;
mod symbol;

pub(crate) use asked::asked;

use crate::Vm;
use crate::access::{Modify, Target};
use crate::thread::{NO_LOOP, Stop, Thread};
use cells::{Cell, Kept};
use norn_action::{Action, Alike, Compare, RmwOp, SmallTest, Test, Value, Wait};
use norn_program::{Instruction as I, Register};
use smallvec::SmallVec;
use symbol::{Outcome, Symbol, together};

/// Instructions, and ways, that one look follows.
const MOST_STEPS: u32 = 400;
const MOST_WAYS: usize = 12;
/// Iterations of inner loops, and calls.
const MOST_ITERATIONS: u64 = 64;

/// A way that is being followed.
#[derive(Clone)]
struct Way {
    thread: Thread,
    /// The access whose value is not known: how many frames there are, and where it stands.
    access: (usize, u32),
    /// Registers, by their index among all of the thread, that depend on the value.
    symbols: SmallVec<[(u32, Symbol); 4]>,
    /// Private memory that depends on it.
    cells: SmallVec<[Cell; 1]>,
    /// Where such memory held something else before.
    kept: SmallVec<[Kept; 1]>,
    /// Private memory that must be written before it is read.
    stale: SmallVec<[Cell; 1]>,
    /// What the value passes on this way.
    tests: SmallVec<[Test; 4]>,
    /// How many of these it began with.
    given: usize,
    size: u8,
    /// Whether it goes on through read-modify-writes whose answers nobody looks at.
    lets_update: bool,
}

/// A way that came back to the head of a loop.
struct Round {
    test: Test,
    /// How many visible reads there were when the thread was there last.
    reads: u64,
}

/// How the search for rounds goes on.
enum Followed {
    /// To the next instruction.
    On,
    /// The way has ended in a round.
    Round(Round),
    /// The way has ended elsewhere.
    Ended,
}

impl Vm {
    /// Whether the thread, about to execute an access of its bytecode, may be in a loop that waits.
    #[inline(always)]
    pub(crate) fn is_watched(&self, t: &Thread) -> bool {
        !self.watched.is_empty() && self.is_marked(t)
    }

    #[inline(never)]
    fn is_marked(&self, t: &Thread) -> bool {
        let pc = t.frames[t.frames.len() - 1].pc;
        let word = self.watched.get(pc as usize / 64);
        word.is_some_and(|word| word >> (pc % 64) & 1 == 1) && self.may_watch(t)
    }

    fn may_watch(&self, t: &Thread) -> bool {
        let native = t.frames.last().is_none_or(|frame| frame.native);
        let ready = t.shadow.is_empty() && t.looks_ahead == 0 && !t.loops.is_empty();
        self.config.detect_spin && !native && ready
    }

    /// Asks for the visible load under way, which waits if it is one of a loop that waits.
    #[cold]
    #[inline(never)]
    pub(crate) fn load_watched(&self, t: &mut Thread, target: Target) -> Stop {
        let waits = match self.instruction(t) {
            I::Load { dst, .. } => self.waits(t, self.way(t, dst, target.size)),
            _ => None,
        };
        t.count_read();
        let access = target.access(t.place());
        t.ask(Action::Load(access, waits))
    }

    /// When the visible read-modify-write under way writes, and what it waits for.
    #[cold]
    #[inline(never)]
    pub(crate) fn modify_waits(&self, t: &Thread, modify: &Modify) -> (Option<Test>, Option<Wait>) {
        match self.modifies_when(t, modify) {
            Some((test, wait)) => (Some(test), Some(wait)),
            None => (modify.test, modify.wait),
        }
    }

    fn modifies_when(&self, t: &Thread, modify: &Modify) -> Option<(Test, Wait)> {
        let size = modify.target.size;
        match self.instruction(t) {
            I::Rmw { dst, .. } => {
                let mut way = self.way(t, dst, size);
                let operand = Value(modify.operand).truncate(size).low();
                match writes_back(modify.op, operand, size)? {
                    Outcome::Known(true) => {}
                    Outcome::Known(false) => return None,
                    Outcome::If(test) => way.tests.push(test),
                }
                self.waits(t, way)
            }
            I::CompareExchange { dst, .. } => {
                let success = modify.test?;
                let mut way = self.way(t, dst, size);
                let base = t.frames[t.frames.len() - 1].base;
                way.thread.registers[(base + dst.0 + 1) as usize] = 0;
                way.tests.push(success.negated());
                // Only if all failures are rounds does it do nothing but succeed or wait.
                self.waits(t, way).filter(|(test, _)| *test == success)
            }
            _ => None,
        }
    }

    fn instruction(&self, t: &Thread) -> I {
        self.program.code[t.frames[t.frames.len() - 1].pc as usize]
    }

    /// The way on from the access under way, whose value goes to `dst`.
    fn way(&self, t: &Thread, dst: Register, size: u8) -> Way {
        let mut thread = t.clone();
        thread.looks_ahead = usize::MAX;
        thread.quiet = NO_LOOP;
        (thread.fuel, thread.reserve) = (MOST_ITERATIONS, 0);
        let top = thread.frames.len() - 1;
        let access = (top + 1, thread.frames[top].pc);
        thread.frames[top].pc += 1;
        let register = thread.frames[top].base + dst.0;
        thread.registers[register as usize] = 0;
        let mut symbols = SmallVec::new();
        symbols.push((register, Symbol::whole(size)));
        Way {
            thread,
            access,
            symbols,
            cells: SmallVec::new(),
            kept: SmallVec::new(),
            stale: SmallVec::new(),
            tests: SmallVec::new(),
            given: 0,
            size,
            lets_update: false,
        }
    }

    /// Which answers to the read-modify-write under way are alike to the thread, where that may matter. `watched`: it may
    /// be in a loop that comes to its head with some of them.
    #[inline]
    pub(crate) fn alike(&self, t: &Thread, size: u8, watched: bool) -> Option<Alike> {
        let may_be = self.has_rounds && (watched || !self.asked.is_empty());
        if may_be { self.alike_now(t, size, watched) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn alike_now(&self, t: &Thread, size: u8, watched: bool) -> Option<Alike> {
        let frame = t.frames.last().filter(|frame| !frame.native)?;
        match self.asked.binary_search_by_key(&frame.pc, |&(pc, _)| pc) {
            Ok(index) => Some(Alike { test: self.asked[index].1, both: true }),
            Err(_) if watched => self.fails(t, size).map(|test| Alike { test, both: false }),
            Err(_) => None,
        }
    }

    /// With which answers to the read-modify-write under way the thread comes to the end of a round, by nothing but others
    /// that are the same whatever they read.
    fn fails(&self, t: &Thread, size: u8) -> Option<SmallTest> {
        let I::Rmw { dst, .. } = self.instruction(t) else { return None };
        let way = Way { lets_update: true, ..self.way(t, dst, size) };
        SmallTest::new(self.first_round(way)?.test, size)
    }

    /// What the opposite of a round is, if there is one.
    fn waits(&self, t: &Thread, way: Way) -> Option<(Test, Wait)> {
        let round = self.first_round(way)?;
        let reads = u32::try_from(t.reads - round.reads).ok()?;
        Some((round.test.negated(), Wait::Loop { reads }))
    }

    /// The first way that turns out to be a round.
    fn first_round(&self, mut way: Way) -> Option<Round> {
        if way.size > 8 {
            return None;
        }
        way.given = way.tests.len();
        let mut ways = vec![way];
        let (mut steps, mut followed) = (MOST_STEPS, 1);
        while let Some(mut way) = ways.pop() {
            loop {
                steps = steps.checked_sub(1)?;
                let before = ways.len();
                match self.follow(&mut way, &mut ways) {
                    Followed::On => {}
                    Followed::Round(round) => return Some(round),
                    Followed::Ended => break,
                }
                followed += ways.len() - before;
                if followed > MOST_WAYS {
                    return None;
                }
            }
        }
        None
    }
}

/// When a read-modify-write of a cell writes what it has read; nothing if that cannot be said.
fn writes_back(op: RmwOp, operand: u64, size: u8) -> Option<Outcome> {
    let whole = Symbol::whole(size);
    let masked = |compare, operand: u64| {
        let mask = u128::from(operand);
        let operand = if compare == Compare::Eq { mask } else { 0 };
        Outcome::If(Test { mask, compare: Compare::Eq, operand }.simplified())
    };
    Some(match op {
        RmwOp::Exchange => whole.equals(operand, size),
        RmwOp::Add | RmwOp::Sub | RmwOp::Xor => Outcome::Known(operand == 0),
        RmwOp::Or if operand == 0 => Outcome::Known(true),
        RmwOp::Or => masked(Compare::Eq, operand),
        RmwOp::And => match Value((!operand).into()).truncate(size).low() {
            0 => Outcome::Known(true),
            cleared => masked(Compare::Ne, cleared),
        },
        RmwOp::Umax => whole.compared(false, true, operand)?,
        RmwOp::Umin => whole.compared(true, true, operand)?,
        RmwOp::Max => whole.compared_signed((false, true), operand, size * 8, size)?,
        RmwOp::Min => whole.compared_signed((true, true), operand, size * 8, size)?,
        RmwOp::Nand | RmwOp::Enlist | RmwOp::Fadd | RmwOp::Fsub => return None,
    })
}

impl Way {
    /// The round that ends here, at the head of a loop that was met before; nothing if it is none. `overwritten`: what it
    /// has always written to private memory is written again before it is read.
    fn round(&self, index: usize, live: &[Register], overwritten: bool) -> Option<Round> {
        let t = &self.thread;
        let state = &t.loops[index];
        let updates = if self.lets_update { t.updates.wrapping_sub(state.updates) } else { 0 };
        let idle = t.effects.wrapping_sub(state.effects) == updates;
        if !state.valid || !idle || state.timed || state.woken {
            return None;
        }
        let base = t.frames[t.frames.len() - 1].base;
        let cells = &t.loop_cells[state.cells as usize..][..live.len()];
        let mut tests = self.tests.clone();
        for (register, &cell) in live.iter().zip(cells) {
            let register = base + register.0;
            match self.symbol_at(register) {
                Some(symbol) => match symbol.equals(cell, self.size) {
                    Outcome::Known(true) => {}
                    Outcome::Known(false) => return None,
                    Outcome::If(test) => tests.push(test),
                },
                None if t.registers[register as usize] == cell => {}
                None => return None,
            }
        }
        let is_gone = |kept: &Kept| overwritten && self.always_writes(kept.cell);
        for kept in self.kept.iter().filter(|kept| !is_gone(kept)) {
            match kept.cell.symbol.equals(kept.old, self.size) {
                Outcome::Known(true) => {}
                Outcome::Known(false) => return None,
                Outcome::If(test) => tests.push(test),
            }
        }
        let test = together(&tests, self.size)?;
        Some(Round { test, reads: state.reads })
    }

    fn symbol_at(&self, register: u32) -> Option<Symbol> {
        self.symbols.iter().find(|(at, _)| *at == register).map(|&(_, symbol)| symbol)
    }

    fn set(&mut self, register: u32, symbol: Option<Symbol>) {
        self.symbols.retain(|(at, _)| *at != register);
        self.symbols.extend(symbol.map(|symbol| (register, symbol)));
    }
}
