//! The ways through a thread.
//!
//! A path fixes the outcome of every branch, compare-exchange, assumption and wait of a thread, and
//! with it the thread's events. What remains is straight-line code that computes values and checks
//! that they agree with the outcomes that were guessed.

use crate::graph::{Event, Kind};
use norn_action::{Mode, RmwOp};
use norn_litmus::{Body, Expr, LocationId, RegisterId, StatementKind, Thread, Until};

/// How a thread ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// After its last statement.
    Finished,
    /// At a statement that waits for ever.
    Waiting(Obstacle),
    /// At an assumption that does not hold.
    Abandoned,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A value of a location. A mutex is free when it is 0.
    Value(LocationId, Until),
    /// The end of a litmus thread.
    Thread(u32),
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
    /// The path is wrong unless the truth of this test of the last value is that.
    ExpectLast(Until, bool),
    /// The next event is a join: it waits for the end of a litmus thread.
    Join(u32),
}

/// A way through a thread.
#[derive(Clone, Debug)]
pub struct Path {
    /// What is computed.
    pub steps: Vec<Step>,
    /// The events, with all values 0 but those of joins.
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
            StatementKind::Load { register, location, mode, until } => {
                self.waiting_read(&mut path, location, mode, until, false);
                path.steps.push(Step::Keep(register));
            }
            StatementKind::Store { location, value, mode } => {
                path.write(location, mode, false, Written::Plain(value));
            }
            StatementKind::Rmw { register, location, op, operand, mode, until } => {
                self.waiting_read(&mut path, location, read_part(mode), until, true);
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
                let free = Until::equals(Expr::Const(0));
                self.waiting_read(&mut path, mutex, Mode::Acquire, Some(free), true);
                let held = Written::Plain(Expr::Const(self.lock_value));
                path.write(mutex, Mode::Relaxed, true, held);
            }
            StatementKind::Unlock(mutex) => {
                path.write(mutex, Mode::Release, false, Written::Plain(Expr::Const(0)));
            }
            StatementKind::Join(thread) => {
                self.close(&path, Obstacle::Thread(thread));
                path.events.push(Event::join(thread));
                path.steps.push(Step::Join(thread));
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

    /// A path that waits here for ever.
    fn close(&mut self, path: &Path, obstacle: Obstacle) {
        self.closed.push(Path { end: PathEnd::Waiting(obstacle), ..path.clone() });
    }

    /// A read, and what it waits for.
    fn waiting_read(
        &mut self,
        path: &mut Path,
        location: LocationId,
        mode: Mode,
        until: Option<Until>,
        exclusive: bool,
    ) {
        if let Some(until) = &until {
            self.close(path, Obstacle::Value(location, until.clone()));
        }
        path.read(location, mode, exclusive);
        path.steps.extend(until.map(|until| Step::ExpectLast(until, true)));
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
    let wanted = || Until::equals(Expr::Register(expected));
    succeeds.steps.push(Step::ExpectLast(wanted(), true));
    succeeds.write(location, write_part(success), true, Written::Plain(desired));
    let mut fails = path;
    fails.read(location, read_part(failure), false);
    fails.steps.push(Step::ExpectLast(wanted(), false));
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
        RmwOp::Enlist => unreachable!("litmus tests have no condition variables"),
        RmwOp::Fadd => {
            (f32::from_bits(old as u32) + f32::from_bits(operand as u32)).to_bits() as i32
        }
        RmwOp::Fsub => {
            (f32::from_bits(old as u32) - f32::from_bits(operand as u32)).to_bits() as i32
        }
    }
}
