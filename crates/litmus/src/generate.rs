//! Random programs, for comparing explorers with the oracle.
//!
//! A program is a function of the seed and the [`Shape`] alone. Mutexes are locked and unlocked in
//! pairs within one block and never taken twice by one thread, but different threads may nest them
//! in different orders, so deadlocks are possible.

use crate::{
    BinaryOp, Body, Comparison, Condition, Expr, FinalCondition, Location, LocationId,
    LocationKind, Observed, Program, Quantifier, Register, RegisterId, StatementKind, Thread,
    Until,
};
use norn_action::{Mode, RmwOp};

/// A small generator of random numbers (xorshift64*), so that a seed means the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed. Near seeds give unrelated sequences.
    pub fn new(seed: u64) -> Random {
        // The finaliser of splitmix64 spreads the seed over all bits; the state must not be zero.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ (z >> 31)).max(1))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() >> 33) % bound as u64) as usize
    }

    /// A number up to `most`, the larger of two.
    fn mostly_many(&mut self, most: usize) -> usize {
        self.below(most + 1).max(self.below(most + 1))
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// An element of a slice that is not empty.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// What random programs may contain.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Fewest threads.
    pub min_threads: usize,
    /// Most threads.
    pub max_threads: usize,
    /// Most visible actions over all threads and branches; a read-modify-write is one action.
    pub max_actions: usize,
    /// Most locations that are not mutexes.
    pub max_locations: usize,
    /// Modes of atomic accesses and fences, weakest first. Where C forbids one, the nearest that it
    /// allows is used.
    pub modes: Vec<Mode>,
    /// Plain accesses, in some programs.
    pub plain: bool,
    /// Read-modify-writes.
    pub rmws: bool,
    /// Fences.
    pub fences: bool,
    /// Conditionals and values that depend on what was read.
    pub dependencies: bool,
    /// Most mutexes.
    pub max_mutexes: usize,
    /// `assume` statements.
    pub assumes: bool,
    /// Loads that wait for a value.
    pub awaits: bool,
    /// Read-modify-writes that wait for a value.
    pub semaphores: bool,
    /// Threads that wait for the end of others.
    pub joins: bool,
}

impl Default for Shape {
    /// Everything but mutexes, assumptions and waiting.
    fn default() -> Shape {
        Shape {
            min_threads: 2,
            max_threads: 4,
            max_actions: 10,
            max_locations: 3,
            modes: vec![Mode::Relaxed, Mode::Acquire, Mode::Release, Mode::AcqRel, Mode::SeqCst],
            plain: true,
            rmws: true,
            fences: true,
            dependencies: true,
            max_mutexes: 0,
            assumes: false,
            awaits: false,
            semaphores: false,
            joins: false,
        }
    }
}

impl Shape {
    /// Atomic accesses that are all seq_cst.
    pub fn seq_cst() -> Shape {
        Shape { modes: vec![Mode::SeqCst], plain: false, ..Shape::default() }
    }

    /// Two threads that release and acquire two locations many times: what belongs to a release
    /// sequence matters in some of them.
    pub fn release_sequences() -> Shape {
        Shape {
            max_threads: 2,
            max_actions: 10,
            max_locations: 2,
            modes: vec![Mode::Relaxed, Mode::AcqRel],
            plain: false,
            fences: false,
            dependencies: false,
            ..Shape::default()
        }
    }

    /// Atomic accesses and up to two mutexes.
    pub fn locks() -> Shape {
        Shape { plain: false, max_threads: 3, max_actions: 12, max_mutexes: 2, ..Shape::default() }
    }

    /// Loads that wait.
    pub fn awaits() -> Shape {
        Shape { max_actions: 8, awaits: true, ..Shape::default() }
    }

    /// Read-modify-writes that wait, on few locations.
    pub fn semaphores() -> Shape {
        let semaphores = true;
        Shape { plain: false, max_actions: 8, max_locations: 2, semaphores, ..Shape::default() }
    }

    /// Threads that join others.
    pub fn joins() -> Shape {
        Shape { max_actions: 8, joins: true, ..Shape::default() }
    }

    /// Everything that waits: a mutex, loads, read-modify-writes and joins.
    pub fn waiting() -> Shape {
        let (awaits, semaphores, joins) = (true, true, true);
        Shape { max_actions: 9, max_mutexes: 1, awaits, semaphores, joins, ..Shape::default() }
    }
}

/// The program of a seed.
pub fn generate(seed: u64, shape: &Shape) -> Program {
    let mut random = Random::new(seed);
    let thread_count = shape.min_threads + random.below(shape.max_threads - shape.min_threads + 1);
    let mut program = Program {
        name: format!("random-{seed}"),
        locations: locations(&mut random, shape),
        condition: Some(FinalCondition {
            quantifier: Quantifier::Exists,
            condition: Condition::True,
        }),
        ..Program::default()
    };
    let spare = shape.max_actions.saturating_sub(thread_count);
    let actions = thread_count + random.mostly_many(spare);
    let mut budgets = vec![1; thread_count];
    for _ in thread_count..actions {
        budgets[random.below(thread_count)] += 1;
    }
    let data = program.locations.iter().filter(|l| l.kind != LocationKind::Mutex).count() as u32;
    let chain = (shape.semaphores && random.one_in(2)).then(|| LocationId(data - 1));
    let mut joinable = Joinable::new(&mut random, shape, thread_count);
    for (number, budget) in budgets.into_iter().enumerate() {
        let mut writer = Writer {
            random: &mut random,
            shape,
            locations: &program.locations,
            thread: Thread::default(),
            budget,
            held: Vec::new(),
            chain,
            number,
            joinable: &mut joinable,
        };
        let mut body = Vec::new();
        while writer.budget > 0 {
            writer.statement(&mut body, 0);
        }
        let registers = writer.thread.registers;
        program.threads.push(Thread { registers, body });
    }
    observe_everything(&mut program);
    program.normalise();
    program
}

fn locations(random: &mut Random, shape: &Shape) -> Vec<Location> {
    let count = 1 + random.mostly_many(shape.max_locations - 1);
    let has_plain = shape.plain && random.one_in(4);
    let mut locations: Vec<Location> = (0..count)
        .map(|index| Location {
            name: ["x", "y", "z", "v", "w"].get(index).map_or(format!("x{index}"), |&n| n.into()),
            kind: LocationKind::Atomic,
            initial: if random.one_in(8) { 1 } else { 0 },
        })
        .collect();
    if has_plain {
        locations[count - 1].kind = LocationKind::Plain;
    }
    let mutexes = shape.max_mutexes.min(1 + random.mostly_many(shape.max_mutexes.max(1) - 1));
    locations.extend((0..mutexes).map(|index| Location {
        name: format!("m{index}"),
        kind: LocationKind::Mutex,
        initial: 0,
    }));
    locations
}

fn observe_everything(program: &mut Program) {
    for (number, thread) in program.threads.iter().enumerate() {
        let registers = (0..thread.registers.len() as u32).map(RegisterId);
        program.observed.extend(registers.map(|r| Observed::Register(number as u32, r)));
    }
    let locations = (0..program.locations.len() as u32).map(LocationId);
    program.observed.extend(locations.map(Observed::Location));
}

/// Who may still be joined. All joins go in one direction, so that they alone cannot deadlock.
struct Joinable {
    /// Whether threads join those of smaller numbers.
    backwards: bool,
    /// Threads that nobody joins yet.
    left: Vec<usize>,
}

impl Joinable {
    fn new(random: &mut Random, shape: &Shape, threads: usize) -> Joinable {
        let backwards = shape.joins && random.one_in(2);
        Joinable { backwards, left: if shape.joins { (0..threads).collect() } else { Vec::new() } }
    }

    /// Takes a thread that thread `number` may join.
    fn take(&mut self, random: &mut Random, number: usize) -> Option<u32> {
        let allowed =
            |other: &usize| if self.backwards { *other < number } else { *other > number };
        let targets: Vec<usize> = self.left.iter().copied().filter(allowed).collect();
        if targets.is_empty() || !random.one_in(4) {
            return None;
        }
        let target = random.pick(&targets);
        self.left.retain(|&other| other != target);
        Some(target as u32)
    }
}

/// Writes one thread.
struct Writer<'a> {
    random: &'a mut Random,
    shape: &'a Shape,
    locations: &'a [Location],
    thread: Thread,
    /// How many actions may still be added.
    budget: usize,
    /// Mutexes that the thread holds here.
    held: Vec<LocationId>,
    /// A location that only read-modify-writes write to.
    chain: Option<LocationId>,
    /// Which thread it is.
    number: usize,
    joinable: &'a mut Joinable,
}

impl Writer<'_> {
    /// Adds a statement that takes at least one action of the budget.
    fn statement(&mut self, body: &mut Body, depth: usize) {
        let has_registers = !self.thread.registers.is_empty();
        if self.shape.dependencies && has_registers && depth < 2 && self.random.one_in(5) {
            return self.conditional(body, depth);
        }
        if self.shape.assumes && has_registers && self.random.one_in(8) {
            let condition = self.test();
            body.push(StatementKind::Assume(condition).into());
        }
        if self.budget >= 2
            && self.random.one_in(3)
            && let Some(mutex) = self.free_mutex()
        {
            return self.critical_section(body, mutex, depth);
        }
        self.budget -= 1;
        if let Some(target) = self.joinable.take(self.random, self.number) {
            return body.push(StatementKind::Join(target).into());
        }
        let kind = self.access();
        if let StatementKind::CompareExchange { expected, .. } = kind {
            let value = self.value();
            body.push(StatementKind::Assign { register: expected, value }.into());
        }
        body.push(kind.into());
    }

    fn conditional(&mut self, body: &mut Body, depth: usize) {
        let condition = self.test();
        let mut then = Vec::new();
        self.statement(&mut then, depth + 1);
        if self.budget > 0 && self.random.one_in(2) {
            self.statement(&mut then, depth + 1);
        }
        let mut otherwise = Vec::new();
        if self.budget > 0 && self.random.one_in(3) {
            self.statement(&mut otherwise, depth + 1);
        }
        body.push(StatementKind::If { condition, then, otherwise }.into());
    }

    fn critical_section(&mut self, body: &mut Body, mutex: LocationId, depth: usize) {
        self.budget -= 2;
        body.push(StatementKind::Lock(mutex).into());
        self.held.push(mutex);
        if self.budget >= 2
            && self.random.one_in(2)
            && let Some(inner) = self.free_mutex()
        {
            self.critical_section(body, inner, depth);
        }
        while self.budget > 0 && !self.random.one_in(3) {
            self.statement(body, depth);
        }
        self.held.pop();
        body.push(StatementKind::Unlock(mutex).into());
    }

    fn free_mutex(&mut self) -> Option<LocationId> {
        let free: Vec<LocationId> = (0..self.locations.len() as u32)
            .map(LocationId)
            .filter(|id| self.locations[id.index()].kind == LocationKind::Mutex)
            .filter(|id| !self.held.contains(id))
            .collect();
        if free.is_empty() { None } else { Some(self.random.pick(&free)) }
    }

    fn access(&mut self) -> StatementKind {
        let (location, plain) = self.location();
        let mode = |writer: &mut Self, forbidden: &[Mode]| writer.mode(forbidden);
        let load_modes = [Mode::Release, Mode::AcqRel];
        if self.shape.awaits && self.random.one_in(3) {
            let (until, mode) = (Some(self.until()), mode(self, &load_modes));
            return StatementKind::Load { register: self.register(), location, mode, until };
        }
        if self.shape.semaphores && self.random.one_in(3) {
            return self.semaphore(location);
        }
        let store_modes = [Mode::Acquire, Mode::AcqRel];
        match self.random.below(10) {
            0 if self.shape.fences => {
                let mode = self.random.pick(&self.shape.modes);
                StatementKind::Fence(mode)
            }
            1 | 2 if self.shape.rmws && !plain => {
                let ops =
                    [RmwOp::Exchange, RmwOp::Add, RmwOp::Sub, RmwOp::Or, RmwOp::And, RmwOp::Xor];
                let op = self.random.pick(&ops);
                let operand = self.value();
                let mode = mode(self, &[]);
                let register = if self.random.one_in(4) { None } else { Some(self.register()) };
                StatementKind::Rmw { register, location, op, operand, mode, until: None }
            }
            3 if self.shape.rmws && !plain => {
                let desired = self.value();
                let expected = self.register();
                let register = if self.random.one_in(2) { None } else { Some(self.register()) };
                let (success, failure) = (mode(self, &[]), mode(self, &load_modes));
                let weak = self.random.one_in(3);
                StatementKind::CompareExchange {
                    register,
                    location,
                    expected,
                    desired,
                    success,
                    failure,
                    weak,
                }
            }
            0..=6 => {
                let mode = if plain { Mode::Plain } else { mode(self, &load_modes) };
                StatementKind::Load { register: self.register(), location, mode, until: None }
            }
            _ if self.chain == Some(location) => {
                let (op, operand, mode) = (RmwOp::Add, Expr::Const(1), mode(self, &[]));
                StatementKind::Rmw { register: None, location, op, operand, mode, until: None }
            }
            _ => {
                let mode = if plain { Mode::Plain } else { mode(self, &store_modes) };
                StatementKind::Store { location, value: self.value(), mode }
            }
        }
    }

    /// A read-modify-write that waits: mostly those of semaphores and of locks that are built from
    /// atomics, as these meet each other.
    fn semaphore(&mut self, location: LocationId) -> StatementKind {
        let one = || Expr::Const(1);
        let zero = |comparison| Until { comparison, value: Expr::Const(0) };
        let (op, operand, until) = match self.random.below(6) {
            0..3 => (RmwOp::Sub, one(), zero(Comparison::Ne)),
            3 => (RmwOp::Exchange, one(), zero(Comparison::Eq)),
            4 => (RmwOp::Add, one(), zero(Comparison::Ge)),
            _ => {
                let op = self.random.pick(&[RmwOp::Add, RmwOp::Sub, RmwOp::Exchange]);
                (op, self.value(), self.until())
            }
        };
        let mode = self.mode(&[]);
        let register = if self.random.one_in(2) { None } else { Some(self.register()) };
        StatementKind::Rmw { register, location, op, operand, mode, until: Some(until) }
    }

    fn until(&mut self) -> Until {
        Until { comparison: self.random.pick(&Comparison::ALL), value: self.value() }
    }

    /// A location that is no mutex, and whether the access is plain.
    fn location(&mut self) -> (LocationId, bool) {
        let data = self.locations.iter().filter(|l| l.kind != LocationKind::Mutex).count();
        let index = self.random.below(data);
        let plain = self.locations[index].kind == LocationKind::Plain && !self.random.one_in(4);
        (LocationId(index as u32), plain)
    }

    /// A mode, weaker where C forbids the one that was picked. The weakest is picked more often,
    /// because it has the most behaviours.
    fn mode(&mut self, forbidden: &[Mode]) -> Mode {
        let modes = &self.shape.modes;
        let mode = if self.random.one_in(3) { modes[0] } else { self.random.pick(modes) };
        match mode {
            _ if !forbidden.contains(&mode) => mode,
            Mode::AcqRel if forbidden.contains(&Mode::Release) => Mode::Acquire,
            Mode::AcqRel => Mode::Release,
            _ => Mode::Relaxed,
        }
    }

    fn register(&mut self) -> RegisterId {
        let registers = &mut self.thread.registers;
        registers.push(Register { name: format!("r{}", registers.len()), initial: 0 });
        RegisterId(registers.len() as u32 - 1)
    }

    fn some_register(&mut self) -> Expr {
        Expr::Register(RegisterId(self.random.below(self.thread.registers.len()) as u32))
    }

    /// Few different numbers, so that equal values from different writes are common.
    fn constant(&mut self) -> Expr {
        Expr::Const(self.random.below(4) as i32)
    }

    fn value(&mut self) -> Expr {
        let dependent = self.shape.dependencies && !self.thread.registers.is_empty();
        if !dependent || !self.random.one_in(4) {
            return self.constant();
        }
        let register = self.some_register();
        if self.random.one_in(2) {
            return register;
        }
        let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::Eq];
        let op = self.random.pick(&ops);
        Expr::binary(op, register, self.constant())
    }

    fn test(&mut self) -> Expr {
        let ops = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Ge];
        let op = self.random.pick(&ops);
        Expr::binary(op, self.some_register(), self.constant())
    }
}

#[cfg(test)]
mod tests;
