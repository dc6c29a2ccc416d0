//! Random programs.
//!
//! A program is a function of its seed and the features alone. Each uses a few of the features, so
//! that they meet in all combinations while each program stays small. A thread hands what it saw to
//! `main` by its result; `main` joins all threads, reads the variables and prints everything in one
//! line. In a program that ends early, a handler or the last statements of `main` do so.

mod blocks;
mod statements;

use crate::features::{Feature, Features};
use crate::random::Random;
use crate::tree::{
    Array, Body, Expr, Function, FunctionId, Mode, MutexKind, Operator, Place, Program, Role,
    Statement,
};

/// How many features a program uses at most.
const MOST_FEATURES: usize = 5;

/// The program of a seed.
pub fn generate(seed: u64, features: &Features) -> Program {
    let mut random = Random::new(seed);
    let features = choose(&mut random, features);
    let mut program = objects(&mut random, &features);
    let empty = |role| Function { role, locals: 0, pointers: 0, handles: 0, body: Vec::new() };
    program.functions.push(empty(Role::Main));
    let mut generator = Generator { random, features, program, handlers: Vec::new() };
    generator.callees();
    let ends_early = generator.features.has(Feature::EarlyReturn)
        || (generator.features.has(Feature::Exits) && generator.random.one_in(2));
    if ends_early && generator.random.one_in(2) {
        generator.handlers();
    }
    let count = generator.random.between(2, 3);
    let threads = generator.threads(count);
    generator.main(&threads, ends_early);
    generator.program
}

fn choose(random: &mut Random, features: &Features) -> Features {
    let most = MOST_FEATURES.min(features.list().len());
    let count = if most < 2 { most } else { random.between(2, most) };
    let chosen: Vec<Feature> = (0..count).map(|_| random.pick(features.list())).collect();
    Features::of(&chosen)
}

/// The global objects that the features need.
fn objects(random: &mut Random, features: &Features) -> Program {
    let mut program = Program::default();
    let mut some = |most| random.between(1, most);
    program.atomics = vec![0; some(2)];
    if features.has(Feature::TakeBacks) && some(3) > 1 {
        program.has_word = true;
        program.atomics.push(some(3) as i32 - 1);
    }
    program.alike = features.has(Feature::Alike);
    if features.has(Feature::Plain) || features.has(Feature::Conditions) {
        program.plains = vec![0; some(2)];
    }
    if features.has(Feature::Halves) {
        program.words = vec![some(2) as i32 - 1; 1];
    }
    if features.has(Feature::Arrays) {
        let atomic = some(2) == 1;
        program.arrays = vec![Array { atomic, values: vec![0, 1, 2][..some(2) + 1].to_vec() }];
    }
    if features.has(Feature::Boxes) {
        program.boxes = vec![true];
        if features.has(Feature::Mutexes) && some(2) == 1 {
            program.boxes.push(false);
        }
    }
    if features.has(Feature::RwLocks) {
        program.rwlocks = 1;
    }
    if features.has(Feature::Conditions) {
        program.conditions = some(2);
    }
    if features.has(Feature::Semaphores) {
        program.semaphores = (0..some(2)).map(|_| some(3) as i32 - 1).collect();
    }
    if features.has(Feature::Barriers) {
        program.barriers = vec![2];
    }
    if features.has(Feature::Mutexes) {
        let mut kinds = vec![MutexKind::Normal];
        if features.has(Feature::MutexKinds) {
            kinds.extend([MutexKind::Recursive, MutexKind::ErrorCheck]);
        }
        if features.has(Feature::StaticKinds) {
            kinds.extend([MutexKind::StaticRecursive, MutexKind::StaticErrorCheck]);
        }
        program.mutexes = (0..random.between(1, 2)).map(|_| random.pick(&kinds)).collect();
    }
    program
}

struct Generator {
    random: Random,
    features: Features,
    program: Program,
    /// What `atexit` may be given.
    handlers: Vec<FunctionId>,
}

/// A function that is being written.
struct Draft {
    function: Function,
    /// How many more statements it should get.
    budget: usize,
    /// Mutexes that it holds.
    held: Vec<usize>,
    /// Whether it is in a reader-writer lock.
    in_rwlock: bool,
    depth: usize,
    /// Whether it may call helpers, end threads or the process.
    is_thread: bool,
}

impl Draft {
    fn new(role: Role, budget: usize) -> Draft {
        let locals = 1;
        let function = Function { role, locals, pointers: 0, handles: 0, body: Vec::new() };
        let is_thread = matches!(role, Role::Thread | Role::Main);
        Draft { function, budget, held: Vec::new(), in_rwlock: false, depth: 0, is_thread }
    }
}

impl Generator {
    /// Functions that others call, before these.
    fn callees(&mut self) {
        if self.features.has(Feature::Helpers) {
            let mut draft = Draft::new(Role::Helper, 2);
            let mut body = self.body(&mut draft);
            let value = self.value(&draft);
            body.push(Statement::Return(value));
            self.finish(draft, body);
        }
        if self.features.has(Feature::Onces) {
            let function = self.simple_function(Role::Once);
            self.program.onces.push(function);
        }
        if self.features.has(Feature::Keys) {
            let destructor = self.simple_function(Role::Destructor);
            let destructor = (!self.random.one_in(4)).then_some(destructor);
            self.program.keys.push(destructor);
        }
    }

    fn simple_function(&mut self, role: Role) -> FunctionId {
        let budget = self.random.between(1, 2);
        let mut draft = Draft::new(role, budget);
        let body = self.body(&mut draft);
        self.finish(draft, body)
    }

    fn finish(&mut self, draft: Draft, body: Body) -> FunctionId {
        self.program.functions.push(Function { body, ..draft.function });
        self.program.functions.len() - 1
    }

    /// The functions of so many threads; of threads that are alike, some more than once.
    fn threads(&mut self, count: usize) -> Vec<FunctionId> {
        let most = 4 - count / 2;
        if !self.program.alike {
            return (0..count).map(|_| self.thread(most)).collect();
        }
        let one = self.thread(most);
        let mut threads = vec![one; count];
        if count > 2 && self.random.one_in(2) {
            let at = self.random.below(count);
            threads[at] = self.thread(most);
        }
        threads
    }

    /// What a thread gets.
    fn argument(&mut self, otherwise: Expr) -> Expr {
        match self.program.alike {
            true => Expr::Const(i32::from(!self.random.one_in(4))),
            false => otherwise,
        }
    }

    fn thread(&mut self, most: usize) -> FunctionId {
        let budget = self.random.between(1, most);
        let mut draft = Draft::new(Role::Thread, budget);
        let mut body = self.body(&mut draft);
        if self.features.has(Feature::Nesting) && self.random.one_in(2) {
            self.child(&mut draft, &mut body);
        }
        let differ = !self.program.alike || self.random.one_in(4);
        let result = packed(1..if differ { draft.function.locals } else { 1 });
        body.push(match self.features.has(Feature::ThreadExits) && self.random.one_in(2) {
            true => Statement::ThreadExit(result),
            false => Statement::Return(result),
        });
        self.finish(draft, body)
    }

    /// A thread that starts a thread, and mostly joins it.
    fn child(&mut self, draft: &mut Draft, body: &mut Body) {
        let mut small = Draft::new(Role::Thread, 1);
        let mut child = self.body(&mut small);
        child.push(Statement::Return(packed(0..small.function.locals)));
        let thread = self.finish(small, child);
        let argument = self.value(draft);
        let argument = self.argument(argument);
        draft.function.handles = 1;
        let at = self.random.below(body.len() + 1);
        body.insert(at, Statement::Create { handle: 0, thread, argument });
        let to = (!self.program.alike).then(|| self.fresh(draft));
        body.push(Statement::Join { handle: 0, to });
    }

    fn main(&mut self, threads: &[FunctionId], ends_early: bool) {
        let mut draft = Draft::new(Role::Main, 0);
        draft.function.handles = threads.len();
        let mut body = Body::new();
        body.extend(self.handlers.iter().map(|&handler| Statement::AtExit(handler)));
        for (handle, &thread) in threads.iter().enumerate() {
            let argument = self.argument(Expr::Const(handle as i32 + 1));
            body.push(Statement::Create { handle, thread, argument });
        }
        if self.random.one_in(3) {
            draft.budget = 1;
            body.extend(self.body(&mut draft));
        }
        for handle in 0..threads.len() {
            if !ends_early || self.random.one_in(2) {
                let to = (!self.program.alike).then_some(draft.function.locals);
                draft.function.locals += usize::from(to.is_some());
                body.push(Statement::Join { handle, to });
            }
        }
        if self.features.has(Feature::Mistakes) && self.random.one_in(12) {
            let joins = body.iter().rfind(|last| matches!(last, Statement::Join { .. }));
            body.extend(joins.cloned());
        }
        if !self.handlers.is_empty() {
            if self.features.has(Feature::ThreadExits) && self.random.one_in(2) {
                body.push(Statement::ThreadExit(Expr::Const(0)));
            }
        } else {
            self.observe(&mut draft, &mut body, true);
        }
        body.push(Statement::Return(Expr::Const(0)));
        let function = Function { body, ..draft.function };
        self.program.functions[0] = function;
    }

    /// One or two handlers, of which the last to run prints.
    fn handlers(&mut self) {
        let mut draft = Draft::new(Role::Handler, 0);
        let mut body = Body::new();
        self.observe(&mut draft, &mut body, false);
        let printer = self.finish(draft, body);
        self.handlers.push(printer);
        if self.random.one_in(3) {
            let other = self.simple_function(Role::Handler);
            self.handlers.push(other);
        }
    }

    /// Reads the variables and prints them with the locals.
    fn observe(&mut self, draft: &mut Draft, body: &mut Body, with_locals: bool) {
        let first = if with_locals { 1 } else { draft.function.locals };
        let mut places: Vec<(Place, Mode)> = Vec::new();
        let atomics = 0..self.program.atomics.len();
        places.extend(atomics.map(|i| (Place::Atomic(i), Mode::SeqCst)));
        places.extend((0..self.program.plains.len()).map(|i| (Place::Plain(i), Mode::Plain)));
        let words = 0..self.program.words.len();
        places.extend(words.map(|i| (Place::Word(i, None, true), Mode::SeqCst)));
        for (i, array) in self.program.arrays.iter().enumerate() {
            let mode = if array.atomic { Mode::SeqCst } else { Mode::Plain };
            let elements = 0..array.values.len();
            places.extend(elements.map(|at| (Place::Element(i, Expr::Const(at as i32)), mode)));
        }
        for (from, mode) in places {
            let to = draft.function.locals;
            draft.function.locals += 1;
            body.push(Statement::Load { to, from, mode });
        }
        let values = (first..draft.function.locals).map(Expr::Local).collect();
        body.push(Statement::Print(values));
    }
}

/// Several locals in one number.
fn packed(locals: std::ops::Range<usize>) -> Expr {
    let mut result = Expr::Const(0);
    for local in locals {
        let shifted = Expr::binary(Operator::Mul, result, Expr::Const(10));
        result = Expr::binary(Operator::Add, shifted, Expr::Local(local));
    }
    result
}
