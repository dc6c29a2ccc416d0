//! The ways through a thread.
//!
//! A path fixes the outcome of every branch, compare-exchange, assumption and lock of a thread, and
//! with it the thread's events. What remains is straight-line code that computes values and checks
//! that they agree with the outcomes that were guessed.

use crate::graph::{Event, Kind};
use norn_action::{Mode, RmwOp};
use norn_litmus::{Body, Expr, LocationId, RegisterId, StatementKind, Thread};

/// How a thread ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// After its last statement.
    Finished,
    /// At a lock that is never free for it.
    Waiting(LocationId),
    /// At an assumption that does not hold.
    Abandoned,
}

/// What a write writes.
#[derive(Clone, Debug)]
pub enum Written {
    /// The value of an expression.
    Plain(Expr),
    /// A function of the value that was just read and of an expression.
    Updated(RmwOp, Expr),
}

/// A step of straight-line code. "The last value" is the one that the latest read of the thread
/// returned.
#[derive(Clone, Debug)]
pub enum Step {
    /// The next event reads.
    Read,
    /// The next event writes.
    Write(Written),
    /// The next event is a fence.
    Fence,
    /// The last value goes to a register.
    Keep(RegisterId),
    /// The value of an expression goes to a register.
    Assign(RegisterId, Expr),
    /// The path is wrong unless the truth of the expression is this.
    Expect(Expr, bool),
    /// The path is wrong unless "the last value equals the expression" is this.
    ExpectLast(Expr, bool),
}

/// A way through a thread.
#[derive(Clone, Debug)]
pub struct Path {
    /// What is computed.
    pub steps: Vec<Step>,
    /// The events, with all values 0.
    pub events: Vec<Event>,
    /// How it ends.
    pub end: PathEnd,
}

/// All ways through a thread. `lock_value` is what the thread writes to a mutex that it takes.
pub fn paths(thread: &Thread, lock_value: i32) -> Vec<Path> {
    let empty = Path { steps: Vec::new(), events: Vec::new(), end: PathEnd::Finished };
    let mut walker = Walker { closed: Vec::new(), lock_value };
    let mut all = walker.body(&thread.body, vec![empty]);
    all.append(&mut walker.closed);
    all
}

struct Walker {
    /// Paths that ended early.
    closed: Vec<Path>,
    lock_value: i32,
}

impl Walker {
    /// Extends every open path by `body`.
    fn body(&mut self, body: &Body, mut open: Vec<Path>) -> Vec<Path> {
        for statement in body {
            open =
                open.into_iter().flat_map(|path| self.statement(&statement.kind, path)).collect();
        }
        open
    }

    /// The ways to go on with `path` through a statement.
    fn statement(&mut self, kind: &StatementKind, mut path: Path) -> Vec<Path> {
        match kind.clone() {
            StatementKind::Load { register, location, mode } => {
                path.read(location, mode, false);
                path.steps.push(Step::Keep(register));
            }
            StatementKind::Store { location, value, mode } => {
                path.write(location, mode, false, Written::Plain(value));
            }
            StatementKind::Rmw { register, location, op, operand, mode } => {
                path.read(location, read_part(mode), true);
                path.write(location, write_part(mode), true, Written::Updated(op, operand));
                path.steps.extend(register.map(Step::Keep));
            }
            StatementKind::CompareExchange { .. } => return compare_exchange(kind, path),
            StatementKind::Fence(mode) => path.fence(mode),
            StatementKind::Assign { register, value } => {
                path.steps.push(Step::Assign(register, value));
            }
            StatementKind::If { condition, then, otherwise } => {
                let mut other = path.clone();
                path.steps.push(Step::Expect(condition.clone(), true));
                other.steps.push(Step::Expect(condition, false));
                let mut result = self.body(&then, vec![path]);
                result.append(&mut self.body(&otherwise, vec![other]));
                return result;
            }
            StatementKind::Lock(mutex) => {
                self.closed.push(Path { end: PathEnd::Waiting(mutex), ..path.clone() });
                path.read(mutex, Mode::Acquire, true);
                path.steps.push(Step::ExpectLast(Expr::Const(0), true));
                let held = Written::Plain(Expr::Const(self.lock_value));
                path.write(mutex, Mode::Relaxed, true, held);
            }
            StatementKind::Unlock(mutex) => {
                path.write(mutex, Mode::Release, false, Written::Plain(Expr::Const(0)));
            }
            StatementKind::Assume(condition) => {
                let mut failed = Path { end: PathEnd::Abandoned, ..path.clone() };
                failed.steps.push(Step::Expect(condition.clone(), false));
                self.closed.push(failed);
                path.steps.push(Step::Expect(condition, true));
            }
        }
        vec![path]
    }
}

/// Success and failure.
fn compare_exchange(kind: &StatementKind, path: Path) -> Vec<Path> {
    let StatementKind::CompareExchange {
        register,
        location,
        expected,
        desired,
        success,
        failure,
        ..
    } = kind.clone()
    else {
        unreachable!("only called for a compare-exchange")
    };
    let mut succeeds = path.clone();
    succeeds.read(location, read_part(success), true);
    succeeds.steps.push(Step::ExpectLast(Expr::Register(expected), true));
    succeeds.write(location, write_part(success), true, Written::Plain(desired));
    let mut fails = path;
    fails.read(location, read_part(failure), false);
    fails.steps.push(Step::ExpectLast(Expr::Register(expected), false));
    fails.steps.push(Step::Keep(expected));
    if let Some(register) = register {
        succeeds.steps.push(Step::Assign(register, Expr::Const(1)));
        fails.steps.push(Step::Assign(register, Expr::Const(0)));
    }
    vec![succeeds, fails]
}

impl Path {
    fn read(&mut self, location: LocationId, mode: Mode, exclusive: bool) {
        let location = Some(location);
        self.events.push(Event { kind: Kind::Read, exclusive, location, value: 0, mode });
        self.steps.push(Step::Read);
    }

    fn write(&mut self, location: LocationId, mode: Mode, exclusive: bool, written: Written) {
        let location = Some(location);
        self.events.push(Event { kind: Kind::Write, exclusive, location, value: 0, mode });
        self.steps.push(Step::Write(written));
    }

    fn fence(&mut self, mode: Mode) {
        let (kind, exclusive) = (Kind::Fence, false);
        self.events.push(Event { kind, exclusive, location: None, value: 0, mode });
        self.steps.push(Step::Fence);
    }
}

/// What a mode means for the read of a read-modify-write.
fn read_part(mode: Mode) -> Mode {
    match mode {
        Mode::AcqRel | Mode::Acquire => Mode::Acquire,
        Mode::Release | Mode::Relaxed => Mode::Relaxed,
        Mode::SeqCst | Mode::Plain => mode,
    }
}

/// What a mode means for the write of a read-modify-write.
fn write_part(mode: Mode) -> Mode {
    match mode {
        Mode::AcqRel | Mode::Release => Mode::Release,
        Mode::Acquire | Mode::Relaxed => Mode::Relaxed,
        Mode::SeqCst | Mode::Plain => mode,
    }
}

/// The value a read-modify-write writes.
pub fn update(op: RmwOp, old: i32, operand: i32) -> i32 {
    match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Max => old.max(operand),
        RmwOp::Min => old.min(operand),
        RmwOp::Umax => (old as u32).max(operand as u32) as i32,
        RmwOp::Umin => (old as u32).min(operand as u32) as i32,
        RmwOp::Fadd => {
            (f32::from_bits(old as u32) + f32::from_bits(operand as u32)).to_bits() as i32
        }
        RmwOp::Fsub => {
            (f32::from_bits(old as u32) - f32::from_bits(operand as u32)).to_bits() as i32
        }
    }
}
