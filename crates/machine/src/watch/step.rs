//! One instruction of a way whose outcome may depend on the value that is not known yet.

use super::symbol::{Outcome, Symbol};
use super::{Followed, Way};
use crate::Vm;
use crate::spin::loop_key;
use crate::thread::{Stop, Thread};
use norn_action::{Action, Rmw, Test, Value};
use norn_program::{BinaryOp, Instruction as I, LoopId, Operand, Register, Switch};
use smallvec::{SmallVec, smallvec};

/// An operand: a number, or what is known of it.
#[derive(Clone, Copy)]
enum Seen {
    Number(u64),
    Symbol(Symbol),
}

/// What an instruction does to a way.
enum Does {
    /// Nothing in particular: the interpreter executes it.
    Runs,
    /// A register gets a number or a symbol.
    Writes(Register, Seen),
    /// Control goes to the first place if it holds, else to the second.
    Goes(Outcome, u32, u32),
    /// A register is overwritten if it holds.
    Moves(Outcome, Register, Operand),
    /// Nobody knows.
    GivesUp,
}

impl Vm {
    /// Goes one instruction further; other ways that part here are added to `ways`.
    pub(super) fn follow(&self, way: &mut Way, ways: &mut Vec<Way>) -> Followed {
        let Some(&top) = way.thread.frames.last() else { return Followed::Ended };
        if top.native {
            return self.run_one(way);
        }
        let instruction = self.program.code[top.pc as usize];
        if let I::LoopHeader { id } = instruction {
            let key = loop_key(way.thread.frames.len(), id);
            if let Some(index) = way.thread.loops.iter().rposition(|state| state.key == key) {
                return self.at_head(way, id, index);
            }
        }
        if let I::Switch { value, table } = instruction
            && let Some(symbol) = way.symbol(value)
        {
            let switch = &self.program.switches[table as usize];
            return match switch_ways(symbol, switch, way, ways) {
                Some(()) => Followed::On,
                None => Followed::Ended,
            };
        }
        if let Some(followed) = self.follow_cells(way, instruction) {
            return followed;
        }
        if let I::Call { .. } | I::Return { .. } | I::MoveMany { .. } = instruction {
            let followed = self.carry(way, instruction);
            if !way.cells.is_empty() {
                self.drop_cells(way);
            }
            return followed;
        }
        let mut depends = false;
        self.program.for_each_read(top.pc, |operand, count| {
            depends |= (0..count).any(|i| way.symbol(operand.plus(i)).is_some());
        });
        let does = if depends { self.does(way, instruction) } else { Does::Runs };
        match does {
            Does::Runs => self.run_one(way),
            Does::Writes(dst, seen) => {
                let register = top.base + dst.0;
                match seen {
                    Seen::Number(number) => {
                        way.thread.registers[register as usize] = number;
                        way.set(register, None);
                    }
                    Seen::Symbol(symbol) => way.set(register, Some(symbol)),
                }
                way.goes_to(top.pc + 1)
            }
            Does::Goes(outcome, then, otherwise) => match outcome {
                Outcome::Known(true) => way.goes_to(then),
                Outcome::Known(false) => way.goes_to(otherwise),
                Outcome::If(test) => {
                    let mut other = way.fork(test.negated());
                    other.goes_to(otherwise);
                    ways.push(other);
                    way.tests.push(test);
                    way.goes_to(then)
                }
            },
            Does::Moves(outcome, dst, src) => {
                let moves = match outcome {
                    Outcome::Known(holds) => holds,
                    Outcome::If(test) => {
                        let mut other = way.fork(test.negated());
                        other.goes_to(top.pc + 1);
                        ways.push(other);
                        way.tests.push(test);
                        true
                    }
                };
                if moves {
                    let value = self.get(&way.thread, src);
                    let symbol = way.symbol(src);
                    let register = top.base + dst.0;
                    way.thread.registers[register as usize] = value;
                    way.set(register, symbol);
                }
                way.goes_to(top.pc + 1)
            }
            Does::GivesUp => Followed::Ended,
        }
    }

    /// The head of a loop that was met before.
    fn at_head(&self, way: &Way, id: LoopId, index: usize) -> Followed {
        let live = &self.program.loops[id.index()].live;
        let overwritten = way.always_writes_any() && self.is_overwritten(way, index, live);
        match way.round(index, live, overwritten) {
            Some(round) => Followed::Round(round),
            None => Followed::Ended,
        }
    }

    /// Lets the interpreter execute what does not depend on the value.
    fn run_one(&self, way: &mut Way) -> Followed {
        let Way { thread: t, symbols, .. } = way;
        let Some(&top) = t.frames.last() else { return Followed::Ended };
        let result = if top.native { self.run_native(t) } else { self.run_code::<true>(t) };
        if !top.native {
            // Where a call under way writes its results is nobody's symbol.
            self.program.code[top.pc as usize].for_each_cell(
                |_, _| {},
                |first, count| {
                    let first = top.base + first.0;
                    symbols.retain(|(at, _)| !(first..first + count).contains(at));
                },
            );
        }
        if let Err(Stop::Unwound) = result {
            // Frames are gone, and what comes in their place has nothing to do with them.
            let left = t.registers.len() as u32;
            symbols.retain(|(at, _)| *at < left);
        }
        match result {
            Ok(()) | Err(Stop::Unwound) if t.shadow.is_empty() => Followed::On,
            Err(Stop::Ask) if way.lets_update && self.updates(t) => Followed::On,
            Err(Stop::Call(call)) => {
                let (address, args, results) = *call;
                match self.call_from_native(t, address, &args, results) {
                    Ok(()) => Followed::On,
                    Err(_) => Followed::Ended,
                }
            }
            _ => Followed::Ended,
        }
    }

    /// Lets a thread that has stopped for a read-modify-write go on with any answer, if it is the same whatever that is.
    fn updates(&self, t: &mut Thread) -> bool {
        let pc = t.frames[t.frames.len() - 1].pc;
        let same = self.program.unused.binary_search(&pc).is_ok();
        let asked = t.outgoing.take();
        let updates = same && matches!(asked, Some(Action::Rmw(Rmw { test: None, .. })));
        updates && self.answer(t, Value::ZERO).is_ok()
    }

    /// Executes an instruction that moves several cells, and lets symbols go along.
    fn carry(&self, way: &mut Way, instruction: I) -> Followed {
        let sources: SmallVec<[Option<Symbol>; 8]> = match instruction {
            I::Call { count, args, .. } => {
                let list = &self.program.arguments[args as usize..][..usize::from(count)];
                list.iter().map(|&operand| way.symbol(operand)).collect()
            }
            I::Return { count, value } => {
                (0..u32::from(count)).map(|i| way.symbol(value.plus(i))).collect()
            }
            I::MoveMany { count, src, .. } => {
                (0..u32::from(count)).map(|i| way.symbol(src.plus(i))).collect()
            }
            _ => return Followed::Ended,
        };
        let frame = way.thread.frames[way.thread.frames.len() - 1];
        let followed = self.run_one(way);
        if !matches!(followed, Followed::On) {
            return followed;
        }
        let Some(now) = way.thread.frames.last() else { return Followed::Ended };
        let (first, most) = match instruction {
            I::Call { function, .. } => {
                (now.base, self.program.functions[function.index()].params as usize)
            }
            I::Return { .. } if now.native => {
                let known = sources.iter().all(Option::is_none);
                way.symbols.retain(|(at, _)| *at < frame.base);
                return if known { Followed::On } else { Followed::Ended };
            }
            I::Return { .. } => (now.base + frame.dst, usize::from(frame.results)),
            I::MoveMany { count, dst, .. } => (frame.base + dst.0, usize::from(count)),
            _ => return Followed::Ended,
        };
        if let I::Return { .. } = instruction {
            way.symbols.retain(|(at, _)| *at < frame.base);
            for index in 0..most {
                way.set(first + index as u32, None);
            }
        }
        if sources.len() > most && sources[most..].iter().any(Option::is_some) {
            // As a variadic argument.
            return Followed::Ended;
        }
        for (index, symbol) in sources.into_iter().enumerate().take(most) {
            way.set(first + index as u32, symbol);
        }
        Followed::On
    }

    /// What an instruction that reads something unknown does.
    fn does(&self, way: &Way, instruction: I) -> Does {
        let pc = way.thread.frames[way.thread.frames.len() - 1].pc;
        let known = self.writes(way, instruction);
        if let Some((dst, seen)) = known {
            return Does::Writes(dst, seen);
        }
        if let Some((outcome, then)) = self.jumps(way, instruction) {
            return Does::Goes(outcome, then, pc + 1);
        }
        match instruction {
            I::Branch { condition, then, otherwise } => match self.is_odd(way, condition) {
                Some(outcome) => Does::Goes(outcome, then, otherwise),
                None => Does::GivesUp,
            },
            I::MoveIf { dst, condition, src } => match self.is_odd(way, condition) {
                Some(outcome) => Does::Moves(outcome, dst, src),
                None => Does::GivesUp,
            },
            _ => Does::GivesUp,
        }
    }

    /// What a register gets, if that can be said.
    fn writes(&self, way: &Way, instruction: I) -> Option<(Register, Seen)> {
        let seen = |operand| self.seen(way, operand);
        let symbol = |operand| way.symbol(operand);
        let size = way.size;
        let (dst, symbol) = match instruction {
            I::Move { dst, src } | I::Freeze { dst, src } => (dst, symbol(src)),
            I::Truncate { width, dst, src } => (dst, symbol(src)?.truncated(width, size)),
            I::SignExtend { from, to, dst, src } => (dst, symbol(src)?.extended(from, to, size)),
            I::And { dst, a, b } => match (seen(a), seen(b)) {
                (Seen::Symbol(symbol), Seen::Number(number))
                | (Seen::Number(number), Seen::Symbol(symbol)) => (dst, symbol.masked(number)),
                _ => return None,
            },
            I::Or { dst, a, b } => match (seen(a), seen(b)) {
                (Seen::Symbol(symbol), Seen::Number(0))
                | (Seen::Number(0), Seen::Symbol(symbol)) => (dst, Some(symbol)),
                _ => return None,
            },
            I::Xor { dst, a, b } => match (seen(a), seen(b)) {
                (Seen::Symbol(symbol), Seen::Number(number))
                | (Seen::Number(number), Seen::Symbol(symbol)) => (dst, symbol.flipped(number)),
                _ => return None,
            },
            I::Binary { op: BinaryOp::LShr, width, dst, a, b } => match (seen(a), seen(b)) {
                (Seen::Symbol(symbol), Seen::Number(by)) if by < u64::from(width) => {
                    (dst, symbol.shifted(by))
                }
                _ => return None,
            },
            I::Equal { dst, a, b } => return truth(dst, self.equal(way, a, b)?),
            I::NotEqual { dst, a, b } => return truth(dst, self.equal(way, a, b)?.negated()),
            I::Below { dst, a, b } => return truth(dst, self.below(way, a, b, false)?),
            I::BelowEqual { dst, a, b } => return truth(dst, self.below(way, a, b, true)?),
            I::Less { width, dst, a, b } => {
                return truth(dst, self.less(way, a, b, (false, width))?);
            }
            I::LessEqual { width, dst, a, b } => {
                return truth(dst, self.less(way, a, b, (true, width))?);
            }
            _ => return None,
        };
        Some((dst, Seen::Symbol(symbol?)))
    }

    /// When a jump is taken, and where to.
    fn jumps(&self, way: &Way, instruction: I) -> Option<(Outcome, u32)> {
        Some(match instruction {
            I::JumpEqual { a, b, target } => (self.equal(way, a, b)?, target),
            I::JumpNotEqual { a, b, target } => (self.equal(way, a, b)?.negated(), target),
            I::JumpBelow { a, b, target } => (self.below(way, a, b, false)?, target),
            I::JumpBelowEqual { a, b, target } => (self.below(way, a, b, true)?, target),
            I::JumpLess { width, a, b, target } => (self.less(way, a, b, (false, width))?, target),
            I::JumpLessEqual { width, a, b, target } => {
                (self.less(way, a, b, (true, width))?, target)
            }
            _ => return None,
        })
    }

    fn seen(&self, way: &Way, operand: Operand) -> Seen {
        match way.symbol(operand) {
            Some(symbol) => Seen::Symbol(symbol),
            None => Seen::Number(self.get(&way.thread, operand)),
        }
    }

    /// Whether the low bit is set.
    fn is_odd(&self, way: &Way, operand: Operand) -> Option<Outcome> {
        match self.seen(way, operand) {
            Seen::Number(number) => Some(Outcome::Known(number & 1 == 1)),
            Seen::Symbol(symbol) => Some(symbol.masked(1)?.equals(1, way.size)),
        }
    }

    fn equal(&self, way: &Way, a: Operand, b: Operand) -> Option<Outcome> {
        match (self.seen(way, a), self.seen(way, b)) {
            (Seen::Symbol(symbol), Seen::Number(number))
            | (Seen::Number(number), Seen::Symbol(symbol)) => Some(symbol.equals(number, way.size)),
            _ => None,
        }
    }

    fn below(&self, way: &Way, a: Operand, b: Operand, equal: bool) -> Option<Outcome> {
        match (self.seen(way, a), self.seen(way, b)) {
            (Seen::Symbol(symbol), Seen::Number(number)) => symbol.compared(true, equal, number),
            (Seen::Number(number), Seen::Symbol(symbol)) => symbol.compared(false, equal, number),
            _ => None,
        }
    }

    fn less(
        &self,
        way: &Way,
        a: Operand,
        b: Operand,
        (equal, width): (bool, u8),
    ) -> Option<Outcome> {
        let (below, symbol, number) = match (self.seen(way, a), self.seen(way, b)) {
            (Seen::Symbol(symbol), Seen::Number(number)) => (true, symbol, number),
            (Seen::Number(number), Seen::Symbol(symbol)) => (false, symbol, number),
            _ => return None,
        };
        symbol.compared_signed((below, equal), number, width, way.size)
    }
}

/// A register that gets the outcome of a comparison.
fn truth(dst: Register, outcome: Outcome) -> Option<(Register, Seen)> {
    Some((
        dst,
        match outcome {
            Outcome::Known(holds) => Seen::Number(holds.into()),
            Outcome::If(test) => Seen::Symbol(Symbol::Truth(test)),
        },
    ))
}

/// One way for each case, and one for all other values.
fn switch_ways(symbol: Symbol, switch: &Switch, way: &mut Way, ways: &mut Vec<Way>) -> Option<()> {
    let mut others: SmallVec<[Test; 4]> = smallvec![];
    for &(case, target) in &switch.cases {
        match symbol.equals(case, way.size) {
            Outcome::Known(false) => {}
            Outcome::Known(true) => return None,
            Outcome::If(test) => {
                let mut taken = way.fork(test);
                taken.goes_to(target);
                ways.push(taken);
                others.push(test.negated());
            }
        }
    }
    way.tests.extend(others);
    way.goes_to(switch.default);
    Some(())
}

impl Way {
    /// What an operand of the topmost frame is, if it depends on the value.
    pub(super) fn symbol(&self, operand: Operand) -> Option<Symbol> {
        let base = self.thread.frames[self.thread.frames.len() - 1].base;
        operand.register().and_then(|register| self.symbol_at(base + register.0))
    }

    pub(super) fn goes_to(&mut self, pc: u32) -> Followed {
        let top = self.thread.frames.len() - 1;
        self.thread.frames[top].pc = pc;
        Followed::On
    }

    /// The same way, on which the value also passes `test`.
    fn fork(&self, test: Test) -> Way {
        let mut way = self.clone();
        way.tests.push(test);
        way
    }
}
