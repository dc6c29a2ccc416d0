//! Single statements and small expressions.

use super::{Draft, Generator};
use crate::features::Feature;
use crate::tree::{Body, Expr, Local, Mode, Operator, Patience, Place, RmwOp, Statement};

/// Locals of type `int` that a function has at most, apart from what `main` needs to print.
const MOST_LOCALS: usize = 4;

impl Generator {
    /// A body that spends the draft's budget.
    pub(super) fn body(&mut self, draft: &mut Draft) -> Body {
        let mut body = Body::new();
        while draft.budget > 0 {
            self.statement(draft, &mut body);
        }
        body
    }

    /// A local to write to: a new one, if there are not too many.
    pub(super) fn fresh(&mut self, draft: &mut Draft) -> Local {
        let locals = &mut draft.function.locals;
        if *locals < MOST_LOCALS {
            *locals += 1;
            return *locals - 1;
        }
        self.random.between(1, *locals - 1)
    }

    /// A local or a small constant.
    pub(super) fn value(&mut self, draft: &Draft) -> Expr {
        if self.random.one_in(2) {
            return Expr::Const(self.random.between(1, 3) as i32);
        }
        let local = Expr::Local(self.random.below(draft.function.locals));
        match self.random.one_in(3) {
            true => Expr::binary(Operator::Add, local, Expr::Const(1)),
            false => local,
        }
    }

    /// A question about a local.
    pub(super) fn condition(&mut self, draft: &Draft) -> Expr {
        let local = Expr::Local(self.random.below(draft.function.locals));
        let operator = self.random.pick(&[Operator::Eq, Operator::Ne, Operator::Less]);
        let constant = self.random.below(3) as i32;
        Expr::binary(operator, local, Expr::Const(constant))
    }

    pub(super) fn load_mode(&mut self) -> Mode {
        self.random.pick(&[Mode::Relaxed, Mode::Acquire, Mode::SeqCst, Mode::SeqCst])
    }

    pub(super) fn store_mode(&mut self) -> Mode {
        self.random.pick(&[Mode::Relaxed, Mode::Release, Mode::SeqCst, Mode::SeqCst])
    }

    pub(super) fn rmw_mode(&mut self) -> Mode {
        self.random.pick(&[Mode::Relaxed, Mode::AcqRel, Mode::SeqCst])
    }

    pub(super) fn atomic(&mut self) -> Place {
        let word = usize::from(self.program.has_word);
        Place::Atomic(self.random.below(self.program.atomics.len() - word))
    }

    /// What threads take from and give to.
    pub(super) fn word(&mut self) -> Place {
        match self.program.has_word {
            true => Place::Atomic(self.program.atomics.len() - 1),
            false => self.atomic(),
        }
    }

    /// An access to an atomic variable.
    pub(super) fn atomic_access(&mut self, draft: &mut Draft, place: Place) -> Statement {
        match self.random.below(8) {
            0..3 => {
                let mode = self.load_mode();
                Statement::Load { to: self.fresh(draft), from: place, mode }
            }
            3..6 => {
                let (value, mode) = (self.value(draft), self.store_mode());
                Statement::Store { to: place, value, mode }
            }
            6 => {
                let op = self.random.pick(&[RmwOp::Add, RmwOp::Exchange]);
                let (value, mode) = (self.value(draft), self.rmw_mode());
                Statement::Rmw { to: self.fresh(draft), place, op, value, mode }
            }
            _ => {
                let expected = Expr::Const(self.random.below(2) as i32);
                let (desired, mode) = (self.value(draft), self.rmw_mode());
                Statement::Cas { to: self.fresh(draft), place, expected, desired, mode }
            }
        }
    }

    pub(super) fn plain_access(&mut self, draft: &mut Draft) -> Statement {
        let place = Place::Plain(self.random.below(self.program.plains.len()));
        let mode = Mode::Plain;
        if self.random.one_in(2) {
            Statement::Load { to: self.fresh(draft), from: place, mode }
        } else {
            Statement::Store { to: place, value: self.value(draft), mode }
        }
    }

    /// An access to a word or to a half of it.
    pub(super) fn word_access(&mut self, draft: &mut Draft) -> Statement {
        let word = self.random.below(self.program.words.len());
        let half = self.random.pick(&[None, None, Some(0), Some(1)]);
        let atomic = !self.random.one_in(4);
        let place = Place::Word(word, half, atomic);
        if !atomic {
            let mode = Mode::Plain;
            return match self.random.one_in(2) {
                true => Statement::Load { to: self.fresh(draft), from: place, mode },
                false => Statement::Store { to: place, value: self.word_value(draft), mode },
            };
        }
        match (self.atomic_access(draft, place.clone()), half) {
            // A value of the type of a half has no variable to stand in.
            (Statement::Cas { to, mode, .. }, Some(_)) => {
                let value = self.value(draft);
                Statement::Rmw { to, place, op: RmwOp::Add, value, mode }
            }
            (Statement::Store { to, mode, .. }, None) => {
                Statement::Store { to, value: self.word_value(draft), mode }
            }
            (Statement::Rmw { to, place, op, mode, .. }, None) => {
                Statement::Rmw { to, place, op, value: self.word_value(draft), mode }
            }
            (access, _) => access,
        }
    }

    /// A value for both halves of a word.
    fn word_value(&mut self, draft: &Draft) -> Expr {
        let high = Expr::Const(65_536 * self.random.between(0, 2) as i32);
        Expr::binary(Operator::Add, high, self.value(draft))
    }

    pub(super) fn array_access(&mut self, draft: &mut Draft) -> Statement {
        let array = self.random.below(self.program.arrays.len());
        let local = Expr::Local(self.random.below(draft.function.locals));
        // An array has two or three elements; what lies behind it up to the fourth is no object.
        let mask = if self.features.has(Feature::Mistakes) { 3 } else { 1 };
        let index = match self.random.below(3) {
            0 => Expr::Const(self.random.below(2) as i32),
            _ => Expr::binary(Operator::And, local, Expr::Const(mask)),
        };
        let place = Place::Element(array, index);
        if self.program.arrays[array].atomic {
            return self.atomic_access(draft, place);
        }
        if self.random.one_in(2) {
            Statement::Load { to: self.fresh(draft), from: place, mode: Mode::Plain }
        } else {
            Statement::Store { to: place, value: self.value(draft), mode: Mode::Plain }
        }
    }

    /// A loop that waits for more than one value of one variable.
    pub(super) fn rare_await(&mut self, draft: &mut Draft) -> Statement {
        let (place, number) = (self.atomic(), self.random.between(0, 2) as i32);
        let kinds = if self.features.has(Feature::Kept) { 4 } else { 3 };
        match self.random.below(kinds) {
            0 => {
                let value = self.random.between(0, 1) as i32;
                let mask = self.random.between(1, 2) as i32;
                Statement::AwaitBits { place, mask, value: value * mask, mode: self.load_mode() }
            }
            1 => {
                Statement::AwaitSame { first: place, second: self.atomic(), mode: self.load_mode() }
            }
            2 => {
                let desired = self.random.between(0, 3) as i32;
                Statement::AwaitCas { place, expected: number, desired, mode: self.rmw_mode() }
            }
            _ => {
                let (kept, mode) = (self.fresh(draft), self.load_mode());
                let before = self.random.one_in(2).then(|| self.fresh(draft));
                Statement::AwaitKept { place, value: number, kept, before, mode }
            }
        }
    }

    pub(super) fn semaphore(&mut self, draft: &mut Draft) -> Statement {
        let semaphore = self.random.below(self.program.semaphores.len());
        let mut patience = vec![Patience::Wait, Patience::Wait, Patience::Try];
        if self.features.has(Feature::Timeouts) {
            patience.push(Patience::Timed);
        }
        match self.random.below(6) {
            0..3 => Statement::SemPost(semaphore),
            3 => Statement::SemValue { semaphore, to: self.fresh(draft) },
            _ => {
                let patience = self.random.pick(&patience);
                let to = (patience != Patience::Wait).then(|| self.fresh(draft));
                Statement::SemWait { semaphore, patience, to }
            }
        }
    }

    pub(super) fn notify(&mut self) -> Statement {
        let condition = self.random.below(self.program.conditions);
        Statement::Notify { condition, all: self.random.one_in(3) }
    }
}
