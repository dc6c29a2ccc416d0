//! The tree of a litmus test.

use crate::condition::{Atom, Condition, FinalCondition, Observed};
use crate::expression::Expr;
use crate::until::Until;
use norn_action::{Mode, RmwOp};

/// A shared location: an index into [`Program::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A register of a thread: an index into [`Thread::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(pub u32);

impl RegisterId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a location is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocationKind {
    /// `atomic_int`: every access is atomic.
    Atomic,
    /// `int`: accesses may be plain or atomic.
    Plain,
    /// `spinlock_t`: only locked and unlocked.
    Mutex,
}

/// A shared location of four bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// How it is declared.
    pub kind: LocationKind,
    /// Its value before any thread runs.
    pub initial: i32,
}

/// A register: a local variable that no other thread sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// Its value before the thread runs.
    pub initial: i32,
}

/// Statements in program order.
pub type Body = Vec<Statement>;

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Its registers.
    pub registers: Vec<Register>,
    /// What it does.
    pub body: Body,
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its line in the text it was read from, from 1; 0 if it was not read. Two statements that
    /// differ only in their lines are equal.
    pub line: u32,
}

impl PartialEq for Statement {
    fn eq(&self, other: &Statement) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Statement {}

impl std::hash::Hash for Statement {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl From<StatementKind> for Statement {
    fn from(kind: StatementKind) -> Statement {
        Statement { kind, line: 0 }
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// `register = *location`, perhaps waiting for a value
    Load {
        /// Where the value goes.
        register: RegisterId,
        /// What is read.
        location: LocationId,
        /// How.
        mode: Mode,
        /// What it waits for.
        until: Option<Until>,
    },
    /// `*location = value`
    Store {
        /// What is written.
        location: LocationId,
        /// The value.
        value: Expr,
        /// How.
        mode: Mode,
    },
    /// An exchange or a fetch-and-something, perhaps waiting for a value: waiting for `!= 0` and
    /// subtracting 1 is the wait of a semaphore.
    Rmw {
        /// Where the old value goes.
        register: Option<RegisterId>,
        /// What is read and written.
        location: LocationId,
        /// How the new value comes from the old one.
        op: RmwOp,
        /// The other operand.
        operand: Expr,
        /// How.
        mode: Mode,
        /// What it waits for.
        until: Option<Until>,
    },
    /// `register = compare_exchange(location, &expected, desired)`. The weak form means the same as
    /// the strong one: spurious failures are not modelled.
    CompareExchange {
        /// Where 1 (success) or 0 goes.
        register: Option<RegisterId>,
        /// What is compared and written.
        location: LocationId,
        /// Holds the expected value; on failure it receives the value read.
        expected: RegisterId,
        /// The value written on success.
        desired: Expr,
        /// Mode on success.
        success: Mode,
        /// Mode of the read on failure.
        failure: Mode,
        /// Whether it is the weak form.
        weak: bool,
    },
    /// A fence.
    Fence(Mode),
    /// `register = value`
    Assign {
        /// Where the value goes.
        register: RegisterId,
        /// The value.
        value: Expr,
    },
    /// `if (condition) { then } else { otherwise }`
    If {
        /// Non-zero: the first branch.
        condition: Expr,
        /// First branch.
        then: Body,
        /// Second branch, perhaps empty.
        otherwise: Body,
    },
    /// Waits until the mutex is free and takes it.
    Lock(LocationId),
    /// Frees the mutex.
    Unlock(LocationId),
    /// Waits until that thread (0 for `P0`) has ended. A thread is joined once.
    Join(u32),
    /// The execution is of no interest if the value is zero.
    Assume(Expr),
}

/// A litmus test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The shared locations.
    pub locations: Vec<Location>,
    /// The threads, `P0` first.
    pub threads: Vec<Thread>,
    /// What an outcome consists of: the `locations` clause.
    pub observed: Vec<Observed>,
    /// Executions whose final state does not satisfy it are of no interest.
    pub filter: Option<Condition>,
    /// The question the test asks.
    pub condition: Option<FinalCondition>,
}

impl Program {
    /// The location of that name.
    pub fn location(&self, name: &str) -> Option<LocationId> {
        let index = self.locations.iter().position(|location| location.name == name)?;
        Some(LocationId(index as u32))
    }

    /// Sorts every thread's registers by name (`r2` before `r10`) and renumbers their uses.
    pub fn normalise(&mut self) {
        for thread in 0..self.threads.len() {
            let names: Vec<_> =
                self.threads[thread].registers.iter().map(|r| register_key(&r.name)).collect();
            let mut order: Vec<usize> = (0..names.len()).collect();
            order.sort_by(|&a, &b| names[a].cmp(&names[b]));
            let mut new_id = vec![RegisterId(0); order.len()];
            for (new, &old) in order.iter().enumerate() {
                new_id[old] = RegisterId(new as u32);
            }
            let mut rename = |register: &mut RegisterId| *register = new_id[register.index()];
            for_each_register(&mut self.threads[thread].body, &mut rename);
            self.for_each_observed_register(thread, &mut rename);
            let registers = &mut self.threads[thread].registers;
            *registers = order.iter().map(|&old| registers[old].clone()).collect();
        }
    }

    /// Calls `visit` for every register of `thread` in the `locations` clause and the conditions.
    pub(crate) fn for_each_observed_register(
        &mut self,
        thread: usize,
        visit: &mut dyn FnMut(&mut RegisterId),
    ) {
        let mut visit_observed = |observed: &mut Observed| match observed {
            Observed::Register(t, register) if *t as usize == thread => visit(register),
            _ => {}
        };
        self.observed.iter_mut().for_each(&mut visit_observed);
        let mut visit_atom = |atom: &mut Atom| visit_observed(&mut atom.observed);
        if let Some(filter) = &mut self.filter {
            filter.for_each_atom(&mut visit_atom);
        }
        if let Some(condition) = &mut self.condition {
            condition.condition.for_each_atom(&mut visit_atom);
        }
    }
}

/// Orders names so that numbers at their end count as numbers.
fn register_key(name: &str) -> (String, usize, String) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[stem.len()..];
    (stem.to_owned(), digits.len(), digits.to_owned())
}

/// Calls `visit` for every use of a register in `body`, targets included.
pub(crate) fn for_each_register(body: &mut Body, visit: &mut dyn FnMut(&mut RegisterId)) {
    for statement in body {
        match &mut statement.kind {
            StatementKind::Load { register, until, .. } => {
                until.iter_mut().for_each(|until| until.value.for_each_register(visit));
                visit(register);
            }
            StatementKind::Store { value, .. } => value.for_each_register(visit),
            StatementKind::Rmw { register, operand, until, .. } => {
                until.iter_mut().for_each(|until| until.value.for_each_register(visit));
                operand.for_each_register(visit);
                register.iter_mut().for_each(&mut *visit);
            }
            StatementKind::CompareExchange { register, expected, desired, .. } => {
                visit(expected);
                desired.for_each_register(visit);
                register.iter_mut().for_each(&mut *visit);
            }
            StatementKind::Assign { register, value } => {
                value.for_each_register(visit);
                visit(register);
            }
            StatementKind::If { condition, then, otherwise } => {
                condition.for_each_register(visit);
                for_each_register(then, visit);
                for_each_register(otherwise, visit);
            }
            StatementKind::Assume(value) => value.for_each_register(visit),
            StatementKind::Fence(_)
            | StatementKind::Lock(_)
            | StatementKind::Unlock(_)
            | StatementKind::Join(_) => {}
        }
    }
}
