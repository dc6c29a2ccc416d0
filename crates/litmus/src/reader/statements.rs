//! Threads' bodies.

use super::lexer::Token;
use super::{ReadError, Reader};
use crate::{
    Body, Expr, LocationId, LocationKind, Register, RegisterId, Statement, StatementKind, UnaryOp,
};
use norn_action::{Mode, RmwOp};

/// The thread that is being read.
pub(super) struct Scope<'a> {
    pub(super) thread: usize,
    pub(super) parameters: &'a [(LocationId, LocationKind)],
    /// Statements of the innermost block so far.
    pub(super) body: Body,
    /// Set while an operand is read that C might not evaluate.
    pub(super) conditional: bool,
    /// How many registers the reader has made up.
    pub(super) hoisted: u32,
}

impl Reader {
    pub(super) fn thread_body(
        &mut self,
        thread: usize,
        parameters: &[(LocationId, LocationKind)],
    ) -> Result<Body, ReadError> {
        let mut scope =
            Scope { thread, parameters, body: Vec::new(), conditional: false, hoisted: 0 };
        self.expect("{")?;
        while !self.accept("}") {
            self.statement(&mut scope)?;
        }
        Ok(scope.body)
    }

    /// A statement or a block in braces, as a body of its own.
    fn nested(&mut self, scope: &mut Scope) -> Result<Body, ReadError> {
        let outer = std::mem::take(&mut scope.body);
        self.statement(scope)?;
        Ok(std::mem::replace(&mut scope.body, outer))
    }

    fn statement(&mut self, scope: &mut Scope) -> Result<(), ReadError> {
        self.nest(|reader| reader.statement_inside(scope))
    }

    fn statement_inside(&mut self, scope: &mut Scope) -> Result<(), ReadError> {
        if self.accept(";") {
            return Ok(());
        }
        if self.accept("{") {
            while !self.accept("}") {
                self.statement(scope)?;
            }
            return Ok(());
        }
        if matches!(self.peek(), Token::Symbol("*" | "(")) {
            return self.plain_store(scope);
        }
        let Token::Word(word) = self.peek().clone() else {
            return self.fail("expected a statement");
        };
        match word.as_str() {
            "int" | "unsigned" | "bool" | "_Bool" => {
                self.take();
                self.declaration(scope)
            }
            "if" => self.conditional(scope),
            "while" | "for" | "do" | "goto" | "return" | "switch" => {
                self.fail("litmus tests have no loops or jumps; write the iterations out")
            }
            _ if *self.peek_after(1) == Token::Symbol("=") => {
                let register = self.target(scope)?;
                self.expect("=")?;
                self.assignment(scope, register)?;
                self.expect(";")
            }
            _ => self.call_statement(scope, &word),
        }
    }

    fn declaration(&mut self, scope: &mut Scope) -> Result<(), ReadError> {
        loop {
            let register = self.target(scope)?;
            if self.accept("=") {
                self.assignment(scope, register)?;
            }
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    /// A register that is about to be written, new if need be.
    fn target(&mut self, scope: &Scope) -> Result<RegisterId, ReadError> {
        let position = self.position();
        let name = self.word("the name of a register")?;
        if scope.parameter(self, &name).is_some() {
            let message = format!("`{name}` is a shared location; write to it as `*{name} = …`");
            return Err(ReadError::new(position, message));
        }
        let registers = &mut self.program.threads[scope.thread].registers;
        let index = registers.iter().position(|register| register.name == name);
        Ok(RegisterId(index.unwrap_or_else(|| {
            registers.push(Register { name, initial: 0 });
            registers.len() - 1
        }) as u32))
    }

    /// The right side of `register = …`.
    fn assignment(&mut self, scope: &mut Scope, register: RegisterId) -> Result<(), ReadError> {
        let line = self.position().line;
        let hoisted_before = scope.hoisted;
        let value = self.expression(scope)?;
        // An access that was hoisted only to be copied writes to the register itself.
        if let (Expr::Register(hoisted), Some(last)) = (&value, scope.body.last_mut())
            && scope.hoisted > hoisted_before
            && retarget(&mut last.kind, *hoisted, register)
        {
            self.program.threads[scope.thread].registers.pop();
            scope.hoisted -= 1;
            return Ok(());
        }
        scope.body.push(Statement { kind: StatementKind::Assign { register, value }, line });
        Ok(())
    }

    fn conditional(&mut self, scope: &mut Scope) -> Result<(), ReadError> {
        let line = self.position().line;
        self.take();
        self.expect("(")?;
        let condition = self.expression(scope)?;
        self.expect(")")?;
        let then = self.nested(scope)?;
        let otherwise = if self.accept_word("else") { self.nested(scope)? } else { Vec::new() };
        let kind = StatementKind::If { condition, then, otherwise };
        scope.body.push(Statement { kind, line });
        Ok(())
    }

    /// `*x = value;`
    fn plain_store(&mut self, scope: &mut Scope) -> Result<(), ReadError> {
        let line = self.position().line;
        let (location, kind) = self.dereference(scope)?;
        self.expect("=")?;
        let value = self.expression(scope)?;
        self.expect(";")?;
        let kind = StatementKind::Store { location, value, mode: plain_mode(kind) };
        scope.body.push(Statement { kind, line });
        Ok(())
    }

    /// A call whose result, if any, is not used.
    fn call_statement(&mut self, scope: &mut Scope, name: &str) -> Result<(), ReadError> {
        let line = self.position().line;
        let kind = match name {
            "atomic_store" | "atomic_store_explicit" | "WRITE_ONCE" => self.store_call(scope)?,
            "atomic_thread_fence" => {
                self.open_call()?;
                let mode = self.mode()?;
                self.expect(")")?;
                StatementKind::Fence(mode)
            }
            "spin_lock" => StatementKind::Lock(self.mutex_call(scope)?),
            "spin_unlock" => StatementKind::Unlock(self.mutex_call(scope)?),
            "join" => StatementKind::Join(self.join_call(scope)?),
            "assume" | "__VERIFIER_assume" => {
                self.open_call()?;
                let value = self.expression(scope)?;
                self.expect(")")?;
                StatementKind::Assume(value)
            }
            _ => {
                let hoisted_before = scope.hoisted;
                self.expression(scope)?;
                if scope.hoisted == hoisted_before + 1 && forget_result(scope) {
                    self.program.threads[scope.thread].registers.pop();
                    scope.hoisted -= 1;
                }
                return self.expect(";");
            }
        };
        scope.body.push(Statement { kind, line });
        self.expect(";")
    }

    fn store_call(&mut self, scope: &mut Scope) -> Result<StatementKind, ReadError> {
        let name = self.word("a function")?;
        self.expect("(")?;
        let location =
            if name == "WRITE_ONCE" { self.dereference(scope)?.0 } else { self.argument(scope)? };
        self.expect(",")?;
        let value = self.expression(scope)?;
        let mode = match name.as_str() {
            "WRITE_ONCE" => Mode::Relaxed,
            "atomic_store" => Mode::SeqCst,
            _ => {
                self.expect(",")?;
                self.mode_without(&[Mode::Acquire, Mode::AcqRel], "a store")?
            }
        };
        self.expect(")")?;
        Ok(StatementKind::Store { location, value, mode })
    }

    fn mutex_call(&mut self, scope: &mut Scope) -> Result<LocationId, ReadError> {
        self.open_call()?;
        let position = self.position();
        let location = self.any_argument(scope)?;
        if self.program.locations[location.index()].kind != LocationKind::Mutex {
            let name = &self.program.locations[location.index()].name;
            let message = format!("`{name}` is not a mutex; declare it as `spinlock_t* {name}`");
            return Err(ReadError::new(position, message));
        }
        self.expect(")")?;
        Ok(location)
    }

    /// `join(P1)`; that the thread exists is checked when all are known.
    fn join_call(&mut self, scope: &Scope) -> Result<u32, ReadError> {
        self.open_call()?;
        let position = self.position();
        let name = self.word("the name of a thread, as in `join(P1)`")?;
        let Some(thread) = name.strip_prefix('P').and_then(|number| number.parse().ok()) else {
            let message = format!("`{name}` is not the name of a thread; write `join(P1)`");
            return Err(ReadError::new(position, message));
        };
        let twice = self.joined.iter().any(|&(other, _)| other == thread);
        if twice || thread as usize == scope.thread {
            let why = if twice { "is joined twice" } else { "cannot join itself" };
            return Err(ReadError::new(position, format!("P{thread} {why}; remove this")));
        }
        self.joined.push((thread, position));
        self.expect(")")?;
        Ok(thread)
    }

    /// The name of a function and `(`.
    pub(super) fn open_call(&mut self) -> Result<(), ReadError> {
        self.take();
        self.expect("(")
    }

    /// Adds a register for the result of an access within an expression.
    pub(super) fn hoist(
        &mut self,
        scope: &mut Scope,
        line: u32,
        make: impl FnOnce(RegisterId) -> StatementKind,
    ) -> RegisterId {
        let registers = &mut self.program.threads[scope.thread].registers;
        let name = (0..)
            .map(|number| format!("t{number}"))
            .find(|name| registers.iter().all(|register| register.name != *name))
            .expect("there are finitely many registers");
        let register = RegisterId(registers.len() as u32);
        registers.push(Register { name, initial: 0 });
        scope.hoisted += 1;
        scope.body.push(Statement { kind: make(register), line });
        register
    }

    /// The rest of a compare-exchange whose expected value is the shared location `cell`.
    pub(super) fn compare_exchange_in_memory(
        &mut self,
        scope: &mut Scope,
        line: u32,
        cell: LocationId,
        make: impl FnOnce(RegisterId, RegisterId) -> StatementKind,
    ) -> RegisterId {
        let expected = self.hoist(scope, line, |register| StatementKind::Load {
            register,
            location: cell,
            mode: Mode::Plain,
            until: None,
        });
        let succeeded = self.hoist(scope, line, |register| make(register, expected));
        let store_back = StatementKind::Store {
            location: cell,
            value: Expr::Register(expected),
            mode: Mode::Plain,
        };
        let kind = StatementKind::If {
            condition: Expr::unary(UnaryOp::Not, Expr::Register(succeeded)),
            then: vec![Statement { kind: store_back, line }],
            otherwise: Vec::new(),
        };
        scope.body.push(Statement { kind, line });
        succeeded
    }
}

impl Scope<'_> {
    /// The parameter of that name.
    pub(super) fn parameter(
        &self,
        reader: &Reader,
        name: &str,
    ) -> Option<(LocationId, LocationKind)> {
        let is_it = |(id, _): &&(LocationId, _)| reader.program.locations[id.index()].name == name;
        self.parameters.iter().find(is_it).copied()
    }
}

/// The mode of `*x`.
pub(super) fn plain_mode(kind: LocationKind) -> Mode {
    match kind {
        LocationKind::Atomic => Mode::SeqCst,
        LocationKind::Plain | LocationKind::Mutex => Mode::Plain,
    }
}

/// `atomic_fetch_add` and the like.
pub(super) fn rmw_op(function: &str) -> Option<RmwOp> {
    Some(match function {
        "atomic_exchange" => RmwOp::Exchange,
        "atomic_fetch_add" => RmwOp::Add,
        "atomic_fetch_sub" => RmwOp::Sub,
        "atomic_fetch_and" => RmwOp::And,
        "atomic_fetch_or" => RmwOp::Or,
        "atomic_fetch_xor" => RmwOp::Xor,
        _ => return None,
    })
}

/// Makes an access whose result goes to `from` write to `to` instead.
fn retarget(kind: &mut StatementKind, from: RegisterId, to: RegisterId) -> bool {
    let target = match kind {
        StatementKind::Load { register, .. } => register,
        StatementKind::Rmw { register: Some(register), .. } => register,
        StatementKind::CompareExchange { register: Some(register), .. } => register,
        _ => return false,
    };
    let matches = *target == from;
    if matches {
        *target = to;
    }
    matches
}

/// Drops the result of the last statement, if it can do without.
fn forget_result(scope: &mut Scope) -> bool {
    match scope.body.last_mut().map(|statement| &mut statement.kind) {
        Some(
            StatementKind::Rmw { register, .. } | StatementKind::CompareExchange { register, .. },
        ) => register.take().is_some(),
        _ => false,
    }
}
