//! Expressions, and the accesses within them.

use super::lexer::Token;
use super::statements::{Scope, plain_mode, rmw_op};
use super::{ReadError, Reader};
use crate::{
    BinaryOp, Comparison, Expr, LocationId, LocationKind, RegisterId, StatementKind, UnaryOp, Until,
};
use norn_action::{Mode, RmwOp};

impl Reader {
    pub(super) fn expression(&mut self, scope: &mut Scope) -> Result<Expr, ReadError> {
        self.binary(scope, 1)
    }

    /// Operators that bind at least as tightly as `precedence`.
    fn binary(&mut self, scope: &mut Scope, precedence: u8) -> Result<Expr, ReadError> {
        let mut left = self.unary(scope)?;
        while let Some(op) = self.operator().filter(|op| op.precedence() >= precedence) {
            self.take();
            let outer = scope.conditional;
            scope.conditional |= matches!(op, BinaryOp::And | BinaryOp::Or);
            let right = self.binary(scope, op.precedence() + 1)?;
            scope.conditional = outer;
            left = Expr::binary(op, left, right);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<BinaryOp> {
        let Token::Symbol(symbol) = self.peek() else { return None };
        BinaryOp::ALL.into_iter().find(|op| op.symbol() == *symbol)
    }

    fn unary(&mut self, scope: &mut Scope) -> Result<Expr, ReadError> {
        self.nest(|reader| reader.unary_inside(scope))
    }

    fn unary_inside(&mut self, scope: &mut Scope) -> Result<Expr, ReadError> {
        if self.accept("!") {
            return Ok(Expr::unary(UnaryOp::Not, self.unary(scope)?));
        }
        if self.accept("~") {
            return Ok(Expr::unary(UnaryOp::Complement, self.unary(scope)?));
        }
        if self.accept("+") {
            return self.unary(scope);
        }
        let is_negative_number = matches!(self.peek_after(1), Token::Number(_));
        if !is_negative_number && self.accept("-") {
            return Ok(Expr::unary(UnaryOp::Negate, self.unary(scope)?));
        }
        self.primary(scope)
    }

    fn primary(&mut self, scope: &mut Scope) -> Result<Expr, ReadError> {
        let line = self.position().line;
        match self.peek().clone() {
            Token::Number(_) | Token::Symbol("-") => Ok(Expr::Const(self.number()?)),
            Token::Symbol("(") => {
                self.take();
                if self.at_word("int") && *self.peek_after(1) == Token::Symbol(")") {
                    self.take();
                    self.take();
                    return self.unary(scope);
                }
                let inner = self.expression(scope)?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Symbol("*") => {
                self.refuse_conditional(scope)?;
                let (location, kind) = self.dereference(scope)?;
                let mode = plain_mode(kind);
                let load = |register| StatementKind::Load { register, location, mode, until: None };
                Ok(Expr::Register(self.hoist(scope, line, load)))
            }
            Token::Word(name) if *self.peek_after(1) == Token::Symbol("(") => {
                self.refuse_conditional(scope)?;
                self.access_call(scope, &name)
            }
            Token::Word(_) => Ok(Expr::Register(self.register(scope)?)),
            _ => self.fail("expected a register, a number, `*x` or an atomic operation"),
        }
    }

    fn refuse_conditional(&self, scope: &Scope) -> Result<(), ReadError> {
        if scope.conditional {
            return self.fail(
                "an access after `&&` or `||` might not take place; load it into a register in an \
                 `if` first",
            );
        }
        Ok(())
    }

    /// A register that must exist.
    fn register(&mut self, scope: &Scope) -> Result<RegisterId, ReadError> {
        let Token::Word(name) = self.peek() else { return self.fail("expected a register") };
        let registers = &self.program.threads[scope.thread].registers;
        if let Some(index) = registers.iter().position(|register| register.name == *name) {
            self.take();
            return Ok(RegisterId(index as u32));
        }
        if scope.parameter(self, name).is_some() {
            return self.fail("a shared location is read with `*` or an atomic operation");
        }
        self.fail("expected a register that was assigned before, or a parameter of the thread")
    }

    /// `*x` or `(*x)`.
    pub(super) fn dereference(
        &mut self,
        scope: &Scope,
    ) -> Result<(LocationId, LocationKind), ReadError> {
        let brackets = self.accept("(");
        if !self.accept("*") {
            return self.fail("expected `*` and the name of a location");
        }
        let position = self.position();
        let name = self.word("the name of a location")?;
        let Some((location, kind)) = scope.parameter(self, &name) else {
            let message = format!("`{name}` is not a parameter of this thread; add `int* {name}`");
            return Err(ReadError::new(position, message));
        };
        if kind == LocationKind::Mutex {
            let message = format!("`{name}` is a mutex; use spin_lock and spin_unlock");
            return Err(ReadError::new(position, message));
        }
        if brackets {
            self.expect(")")?;
        }
        Ok((location, kind))
    }

    /// The first argument of an atomic operation.
    pub(super) fn argument(&mut self, scope: &Scope) -> Result<LocationId, ReadError> {
        let position = self.position();
        let location = self.any_argument(scope)?;
        if self.program.locations[location.index()].kind == LocationKind::Mutex {
            let message = "this is a mutex; use spin_lock and spin_unlock";
            return Err(ReadError::new(position, message));
        }
        Ok(location)
    }

    /// The first argument of an operation on a location of any kind.
    pub(super) fn any_argument(&mut self, scope: &Scope) -> Result<LocationId, ReadError> {
        if let Token::Word(name) = self.peek()
            && let Some((location, _)) = scope.parameter(self, name)
        {
            self.take();
            return Ok(location);
        }
        self.fail("expected a parameter of this thread")
    }

    /// A call that gives a value.
    fn access_call(&mut self, scope: &mut Scope, name: &str) -> Result<Expr, ReadError> {
        let line = self.position().line;
        if name.starts_with("atomic_compare_exchange_") {
            return self.compare_exchange(scope, name);
        }
        if name.starts_with("await_") {
            return self.waiting_call(scope, name);
        }
        if name == "READ_ONCE" {
            self.open_call()?;
            let (location, _) = self.dereference(scope)?;
            self.expect(")")?;
            let mode = Mode::Relaxed;
            let load = |register| StatementKind::Load { register, location, mode, until: None };
            return Ok(Expr::Register(self.hoist(scope, line, load)));
        }
        let stem = name.strip_suffix("_explicit");
        let explicit = stem.is_some();
        let stem = stem.unwrap_or(name);
        if stem == "atomic_load" {
            self.open_call()?;
            let location = self.argument(scope)?;
            let mode = self.last_mode(explicit, &[Mode::Release, Mode::AcqRel], "a load")?;
            let load = |register| StatementKind::Load { register, location, mode, until: None };
            return Ok(Expr::Register(self.hoist(scope, line, load)));
        }
        let Some(op) = rmw_op(stem) else {
            return self.fail(
                "this function is not supported; use the operations of <stdatomic.h>, spin_lock, \
                 spin_unlock, join, assume or one of await_eq, await_ne, await_lt, await_ge",
            );
        };
        self.open_call()?;
        let location = self.argument(scope)?;
        self.expect(",")?;
        self.rmw_call(scope, line, explicit, (location, op, None))
    }

    /// The operand and the mode of a read-modify-write, whose call is read up to there.
    fn rmw_call(
        &mut self,
        scope: &mut Scope,
        line: u32,
        explicit: bool,
        (location, op, until): (LocationId, RmwOp, Option<Until>),
    ) -> Result<Expr, ReadError> {
        let operand = self.expression(scope)?;
        let mode = self.last_mode(explicit, &[], "a read-modify-write")?;
        let rmw = |register| StatementKind::Rmw {
            register: Some(register),
            location,
            op,
            operand,
            mode,
            until,
        };
        Ok(Expr::Register(self.hoist(scope, line, rmw)))
    }

    /// `await_eq(x, v)` or `await_ne_fetch_sub(x, v, operand)`.
    fn waiting_call(&mut self, scope: &mut Scope, name: &str) -> Result<Expr, ReadError> {
        let line = self.position().line;
        let stem = name.strip_suffix("_explicit");
        let explicit = stem.is_some();
        let stem = stem.unwrap_or(name);
        let split = Comparison::ALL.into_iter().find_map(|comparison| {
            let rest = stem.strip_prefix("await_")?.strip_prefix(comparison.name())?;
            let op = rmw_op(&format!("atomic{rest}"));
            (rest.is_empty() || op.is_some()).then_some((comparison, op))
        });
        let Some((comparison, op)) = split else {
            return self.fail("expected await_eq, _ne, _lt or _ge, and perhaps _fetch_add …");
        };
        self.open_call()?;
        let location = self.argument(scope)?;
        self.expect(",")?;
        let until = Some(Until { comparison, value: self.expression(scope)? });
        let Some(op) = op else {
            let mode = self.last_mode(explicit, &[Mode::Release, Mode::AcqRel], "a load")?;
            let load = |register| StatementKind::Load { register, location, mode, until };
            return Ok(Expr::Register(self.hoist(scope, line, load)));
        };
        self.expect(",")?;
        self.rmw_call(scope, line, explicit, (location, op, until))
    }

    /// `, memory_order_…)` of an `_explicit` function, or just `)`.
    fn last_mode(
        &mut self,
        explicit: bool,
        forbidden: &[Mode],
        what: &str,
    ) -> Result<Mode, ReadError> {
        let mode = if explicit {
            self.expect(",")?;
            self.mode_without(forbidden, what)?
        } else {
            Mode::SeqCst
        };
        self.expect(")")?;
        Ok(mode)
    }

    fn compare_exchange(&mut self, scope: &mut Scope, name: &str) -> Result<Expr, ReadError> {
        let line = self.position().line;
        let (weak, explicit) = match name {
            "atomic_compare_exchange_strong" => (false, false),
            "atomic_compare_exchange_weak" => (true, false),
            "atomic_compare_exchange_strong_explicit" => (false, true),
            "atomic_compare_exchange_weak_explicit" => (true, true),
            _ => return self.fail("this function is not supported"),
        };
        self.open_call()?;
        let location = self.argument(scope)?;
        self.expect(",")?;
        let by_register = self.accept("&");
        let expected_register = if by_register { Some(self.register(scope)?) } else { None };
        let expected_cell = if by_register { None } else { Some(self.argument(scope)?) };
        self.expect(",")?;
        let desired = self.expression(scope)?;
        let (success, failure) = if explicit {
            self.expect(",")?;
            let success = self.mode()?;
            self.expect(",")?;
            let forbidden = [Mode::Release, Mode::AcqRel];
            (success, self.mode_without(&forbidden, "a failed compare-exchange")?)
        } else {
            (Mode::SeqCst, Mode::SeqCst)
        };
        self.expect(")")?;
        let make = |register, expected| StatementKind::CompareExchange {
            register: Some(register),
            location,
            expected,
            desired,
            success,
            failure,
            weak,
        };
        let result = match (expected_register, expected_cell) {
            (Some(expected), _) => self.hoist(scope, line, |register| make(register, expected)),
            (_, Some(cell)) => self.compare_exchange_in_memory(scope, line, cell, make),
            (None, None) => unreachable!("one of them was read"),
        };
        Ok(Expr::Register(result))
    }

    /// `memory_order_…`
    pub(super) fn mode(&mut self) -> Result<Mode, ReadError> {
        let mode = match self.peek() {
            Token::Word(word) => match word.as_str() {
                "memory_order_relaxed" => Some(Mode::Relaxed),
                "memory_order_acquire" | "memory_order_consume" => Some(Mode::Acquire),
                "memory_order_release" => Some(Mode::Release),
                "memory_order_acq_rel" => Some(Mode::AcqRel),
                "memory_order_seq_cst" => Some(Mode::SeqCst),
                _ => None,
            },
            _ => None,
        };
        match mode {
            Some(mode) => {
                self.take();
                Ok(mode)
            }
            None => {
                self.fail("expected memory_order_relaxed, _acquire, _release, _acq_rel or _seq_cst")
            }
        }
    }

    pub(super) fn mode_without(
        &mut self,
        forbidden: &[Mode],
        what: &str,
    ) -> Result<Mode, ReadError> {
        let position = self.position();
        let mode = self.mode()?;
        if forbidden.contains(&mode) {
            let message = format!("{what} cannot be {mode}; C does not allow it");
            return Err(ReadError::new(position, message));
        }
        Ok(mode)
    }
}
