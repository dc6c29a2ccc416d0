//! Statements that belong together: what is done under a lock, with a box, in a branch.

use super::{Draft, Generator};
use crate::features::Feature;
use crate::tree::{Body, Expr, Mode, Operator, Patience, Place, Role, Statement};

/// What the next statement is about.
#[derive(Clone, Copy)]
enum Topic {
    Atomic,
    Fence,
    Plain,
    Word,
    Array,
    Box,
    Helper,
    If,
    Loop,
    Await,
    TakeBack,
    Mutex,
    RwLock,
    Condition,
    Notify,
    Semaphore,
    Barrier,
    Once,
    SetKey,
    GetKey,
    Assertion,
    Mistake,
    AtExit,
    Exit,
}

impl Generator {
    fn topics(&mut self, draft: &Draft) -> Vec<Topic> {
        let fences = self.random.one_in(8);
        let has = |feature| self.features.has(feature);
        let mut topics = vec![Topic::Atomic, Topic::Atomic];
        let mut add = |wanted: bool, topic: &[Topic]| {
            if wanted {
                topics.extend(topic);
            }
        };
        add(draft.depth < 2, &[Topic::If]);
        add(fences, &[Topic::Fence]);
        add(has(Feature::Plain), &[Topic::Plain, Topic::Plain]);
        add(has(Feature::Halves), &[Topic::Word, Topic::Word, Topic::Word, Topic::Word]);
        add(has(Feature::Arrays), &[Topic::Array, Topic::Array]);
        add(has(Feature::Boxes), &[Topic::Box, Topic::Box, Topic::Box]);
        add(has(Feature::Loops) && draft.depth < 2, &[Topic::Loop]);
        add(has(Feature::Assertions), &[Topic::Assertion]);
        add(has(Feature::Mistakes) && has(Feature::Mutexes), &[Topic::Mistake]);
        // What waits or ends something is for threads alone: helpers and handlers stay simple.
        let free = draft.is_thread && draft.held.is_empty();
        add(free && has(Feature::Helpers), &[Topic::Helper, Topic::Helper]);
        add(free && has(Feature::Awaits), &[Topic::Await]);
        let whole = self.program.words.is_empty();
        add(free && whole && has(Feature::TakeBacks), &[Topic::TakeBack]);
        // What an owner gets that locks a reader-writer lock again is left open by POSIX.
        add(free && !draft.in_rwlock && has(Feature::RwLocks), &[Topic::RwLock, Topic::RwLock]);
        add(free && has(Feature::Conditions), &[Topic::Condition, Topic::Condition]);
        add(draft.is_thread && has(Feature::Conditions), &[Topic::Notify, Topic::Notify]);
        add(draft.is_thread && has(Feature::Semaphores), &[Topic::Semaphore, Topic::Semaphore]);
        let in_thread = draft.function.role == Role::Thread && draft.depth == 0;
        add(free && in_thread && has(Feature::Barriers), &[Topic::Barrier, Topic::Barrier]);
        add(draft.is_thread && has(Feature::Onces), &[Topic::Once, Topic::Once]);
        add(draft.is_thread && has(Feature::Keys), &[Topic::SetKey, Topic::SetKey, Topic::GetKey]);
        let sets_again = draft.function.role == Role::Destructor && has(Feature::KeyRounds);
        add(sets_again, &[Topic::SetKey]);
        add(draft.is_thread && has(Feature::Exits), &[Topic::Exit]);
        let registers = draft.function.role == Role::Thread && !self.handlers.is_empty();
        add(registers, &[Topic::AtExit]);
        let locks = has(Feature::Mutexes) && draft.held.len() < 2 && draft.depth < 3;
        add(locks, &[Topic::Mutex, Topic::Mutex, Topic::Mutex]);
        topics
    }

    /// A statement, or a few that belong together.
    pub(super) fn statement(&mut self, draft: &mut Draft, body: &mut Body) {
        draft.budget = draft.budget.saturating_sub(1);
        let topics = self.topics(draft);
        match self.random.pick(&topics) {
            Topic::Atomic => {
                let place = self.atomic();
                let access = self.atomic_access(draft, place);
                body.push(access);
            }
            Topic::Fence => {
                let modes = [Mode::Release, Mode::AcqRel, Mode::SeqCst];
                body.push(Statement::Fence(self.random.pick(&modes)));
            }
            Topic::Plain => self.plain(draft, body),
            Topic::Word => {
                let access = self.word_access(draft);
                body.push(access);
            }
            Topic::Array => {
                let access = self.array_access(draft);
                body.push(access);
            }
            Topic::Box => self.boxes(draft, body),
            Topic::Helper => {
                let function = self.helper();
                let argument = self.value(draft);
                body.push(Statement::Call { to: self.fresh(draft), function, argument });
            }
            Topic::If => self.branch(draft, body),
            Topic::Loop => {
                let inner = self.inner(draft, 1);
                body.push(Statement::Repeat { count: 2, body: inner });
            }
            Topic::Await if !self.program.words.is_empty() && self.random.one_in(2) => {
                let half = self.random.pick(&[None, Some(0), Some(1)]);
                let (value, mode) = (self.random.between(0, 1) as i32, self.load_mode());
                body.push(Statement::Await { place: Place::Word(0, half, true), value, mode });
            }
            Topic::Await if self.random.between(0, 2) == 0 => {
                let (place, mode) = (self.atomic(), self.rmw_mode());
                let value = self.random.between(0, 1) as i32;
                body.push(Statement::TestAndSet { place, value, mode });
            }
            Topic::Await if self.random.between(0, 1) == 0 => {
                let statement = self.rare_await(draft);
                body.push(statement);
            }
            Topic::Await => {
                let (place, mode) = (self.atomic(), self.load_mode());
                let value = self.random.between(1, 2) as i32;
                body.push(Statement::Await { place, value, mode });
            }
            Topic::TakeBack => {
                let (place, mode) = (self.word(), self.rmw_mode());
                let taken = self.random.between(1, 2) as i32;
                if self.random.one_in(2) {
                    body.push(Statement::Give { place, value: taken, mode });
                    return;
                }
                let above = self.random.between(0, 2) as i32 - 1;
                let waits = self.program.has_word && self.random.one_in(2);
                body.push(Statement::TakeBack { place, taken, above, mode, waits });
            }
            Topic::Mutex => self.locked(draft, body),
            Topic::RwLock => self.rw_locked(draft, body),
            Topic::Condition => self.wait(draft, body),
            Topic::Notify => self.set_and_notify(draft, body),
            Topic::Semaphore => {
                let statement = self.semaphore(draft);
                body.push(statement);
            }
            Topic::Barrier => {
                let serial = self.features.has(Feature::SerialThread);
                let to = serial.then(|| self.fresh(draft));
                body.push(Statement::Barrier { barrier: 0, to });
            }
            Topic::Once => body.push(Statement::Once(0)),
            Topic::SetKey => body.push(Statement::SetKey { key: 0, value: self.value(draft) }),
            Topic::GetKey => body.push(Statement::GetKey { to: self.fresh(draft), key: 0 }),
            Topic::Assertion => body.push(Statement::Assert(self.condition(draft))),
            Topic::Mistake => {
                let mutex = self.random.below(self.program.mutexes.len());
                let to = self.fresh(draft);
                body.push(Statement::Unlock { mutex, to: Some(to) });
            }
            Topic::AtExit => body.push(Statement::AtExit(self.random.pick(&self.handlers))),
            Topic::Exit => body.push(Statement::If {
                condition: self.condition(draft),
                then: vec![Statement::Exit],
                otherwise: Vec::new(),
            }),
        }
    }

    fn helper(&self) -> usize {
        let helper = |function: &crate::tree::Function| function.role == Role::Helper;
        self.program.functions.iter().position(helper).expect("the feature comes with a helper")
    }

    /// A body of so many statements within the present one.
    fn inner(&mut self, draft: &mut Draft, budget: usize) -> Body {
        let outer = std::mem::replace(&mut draft.budget, budget);
        draft.depth += 1;
        let body = self.body(draft);
        draft.depth -= 1;
        draft.budget = outer;
        body
    }

    fn branch(&mut self, draft: &mut Draft, body: &mut Body) {
        if self.random.one_in(2) {
            let (place, mode) = (self.atomic(), self.load_mode());
            body.push(Statement::Load { to: self.fresh(draft), from: place, mode });
        }
        let condition = self.condition(draft);
        let then = self.inner(draft, 1);
        let otherwise = if self.random.one_in(3) { self.inner(draft, 1) } else { Vec::new() };
        body.push(Statement::If { condition, then, otherwise });
    }

    /// A plain access, mostly under the mutex of the variable.
    fn plain(&mut self, draft: &mut Draft, body: &mut Body) {
        let access = self.plain_access(draft);
        let guarded =
            !self.program.mutexes.is_empty() && !draft.held.contains(&0) && !self.random.one_in(5);
        if guarded {
            body.push(Statement::Lock { mutex: 0, to: None });
            body.push(access);
            body.push(Statement::Unlock { mutex: 0, to: None });
        } else {
            body.push(access);
        }
    }

    /// Something under a mutex.
    fn locked(&mut self, draft: &mut Draft, body: &mut Body) {
        let mutex = self.random.below(self.program.mutexes.len());
        let twice = self.program.mutexes[mutex] != crate::tree::MutexKind::Normal;
        if draft.held.contains(&mutex) && !twice && !self.random.one_in(6) {
            return;
        }
        let tries = self.features.has(Feature::TryLocks);
        let unlock = Statement::Unlock { mutex, to: None };
        draft.held.push(mutex);
        let budget = self.random.between(1, 2);
        let mut inner = self.inner(draft, budget);
        draft.held.pop();
        inner.push(unlock);
        let way = self.random.below(6);
        match way {
            0 | 1 if tries => {
                let to = self.fresh(draft);
                let timed = self.features.has(Feature::Timeouts) && self.random.one_in(2);
                body.push(match timed {
                    true => Statement::TimedLock { mutex, to },
                    false => Statement::TryLock { mutex, to },
                });
                let condition = Expr::binary(Operator::Eq, Expr::Local(to), Expr::Const(0));
                body.push(Statement::If { condition, then: inner, otherwise: Vec::new() });
                return;
            }
            2 if tries && draft.held.is_empty() => body.push(Statement::AwaitLock(mutex)),
            3 if self.program.mutexes[mutex].is_checked() => {
                let to = self.fresh(draft);
                body.push(Statement::Lock { mutex, to: Some(to) });
            }
            _ => body.push(Statement::Lock { mutex, to: None }),
        }
        body.extend(inner);
    }

    fn rw_locked(&mut self, draft: &mut Draft, body: &mut Body) {
        let lock = self.random.below(self.program.rwlocks);
        let write = self.random.one_in(2);
        let mut patience = vec![Patience::Wait, Patience::Wait, Patience::Try];
        if self.features.has(Feature::Timeouts) {
            patience.push(Patience::Timed);
        }
        let patience = self.random.pick(&patience);
        draft.in_rwlock = true;
        let mut inner = self.inner(draft, 1);
        draft.in_rwlock = false;
        inner.push(Statement::RwUnlock(lock));
        if patience == Patience::Wait {
            body.push(Statement::RwLock { lock, write, patience, to: None });
            body.extend(inner);
            return;
        }
        let to = self.fresh(draft);
        body.push(Statement::RwLock { lock, write, patience, to: Some(to) });
        let condition = Expr::binary(Operator::Eq, Expr::Local(to), Expr::Const(0));
        body.push(Statement::If { condition, then: inner, otherwise: Vec::new() });
    }

    /// Waits for a plain variable to change.
    fn wait(&mut self, draft: &mut Draft, body: &mut Body) {
        let condition = self.random.below(self.program.conditions);
        let plain = self.random.below(self.program.plains.len());
        let mutex = 0;
        body.push(Statement::Lock { mutex, to: None });
        let timed = self.features.has(Feature::Timeouts) && self.random.one_in(2);
        if !timed && self.random.one_in(2) {
            body.push(Statement::WaitWhile { plain, value: 0, condition, mutex });
        } else {
            let seen = self.fresh(draft);
            body.push(Statement::Load { to: seen, from: Place::Plain(plain), mode: Mode::Plain });
            let to = timed.then(|| self.fresh(draft));
            let unset = Expr::binary(Operator::Eq, Expr::Local(seen), Expr::Const(0));
            let then = vec![Statement::Wait { condition, mutex, timed, to }];
            body.push(Statement::If { condition: unset, then, otherwise: Vec::new() });
        }
        let to = self.fresh(draft);
        body.push(Statement::Load { to, from: Place::Plain(plain), mode: Mode::Plain });
        body.push(Statement::Unlock { mutex, to: None });
    }

    /// Changes a plain variable and wakes whoever waits for it.
    fn set_and_notify(&mut self, draft: &mut Draft, body: &mut Body) {
        let notify = self.notify();
        if draft.held.contains(&0) || self.random.one_in(4) {
            body.push(notify);
            return;
        }
        let plain = self.random.below(self.program.plains.len());
        let value = Expr::Const(self.random.between(1, 2) as i32);
        body.push(Statement::Lock { mutex: 0, to: None });
        body.push(Statement::Store { to: Place::Plain(plain), value, mode: Mode::Plain });
        let unlock = Statement::Unlock { mutex: 0, to: None };
        match self.random.one_in(2) {
            true => body.extend([notify, unlock]),
            false => body.extend([unlock, notify]),
        }
    }

    /// Makes a box and hands it over, or takes one and looks into it.
    fn boxes(&mut self, draft: &mut Draft, body: &mut Body) {
        let global = self.random.below(self.program.boxes.len());
        let atomic = self.program.boxes[global];
        let pointer = 0;
        draft.function.pointers = draft.function.pointers.max(1);
        let guarded = !atomic && !draft.held.contains(&0);
        if guarded {
            body.push(Statement::Lock { mutex: 0, to: None });
        }
        if self.random.one_in(2) {
            let values = [self.value(draft), self.value(draft)];
            body.push(Statement::New { to: pointer, values });
            let mode = if atomic { self.store_mode() } else { Mode::Plain };
            body.push(Statement::StoreBox { to: global, value: Some(pointer), mode });
        } else {
            self.take_box(draft, body, global, pointer);
        }
        if guarded {
            body.push(Statement::Unlock { mutex: 0, to: None });
        }
    }

    fn take_box(&mut self, draft: &mut Draft, body: &mut Body, global: usize, pointer: usize) {
        let atomic = self.program.boxes[global];
        let mut frees = self.features.has(Feature::Mistakes) && self.random.one_in(3);
        if atomic && self.random.one_in(2) {
            let mode = self.rmw_mode();
            body.push(Statement::SwapBox { to: pointer, place: global, value: None, mode });
            frees = !self.random.one_in(3);
        } else {
            let mode = if atomic { self.load_mode() } else { Mode::Plain };
            body.push(Statement::LoadBox { to: pointer, from: global, mode });
            if !atomic && self.random.one_in(2) {
                let mode = Mode::Plain;
                body.push(Statement::StoreBox { to: global, value: None, mode });
                frees = !self.random.one_in(3);
            }
        }
        let mut then = Body::new();
        let field = self.random.below(2);
        let place = Place::Field(pointer, field);
        then.push(match field {
            0 => self.atomic_access(draft, place),
            _ if self.random.one_in(3) => {
                Statement::Store { to: place, value: self.value(draft), mode: Mode::Plain }
            }
            _ => Statement::Load { to: self.fresh(draft), from: place, mode: Mode::Plain },
        });
        if frees {
            then.push(Statement::Free(pointer));
        }
        if self.features.has(Feature::Mistakes) && self.random.one_in(6) {
            body.extend(then);
            return;
        }
        body.push(Statement::If { condition: Expr::IsSet(pointer), then, otherwise: Vec::new() });
    }
}
