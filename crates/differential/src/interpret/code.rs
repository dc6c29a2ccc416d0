//! Functions as lists of steps: conditions and loops become jumps.

use crate::tree::{Body, Expr, Function, Mode, Operator, Place, Program, RmwOp, Statement};

/// One step of a function.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// A statement that has no statements within.
    Do(Statement),
    /// Goes on at the target unless the condition holds.
    Unless(Expr, usize),
    /// Goes on at the target.
    Jump(usize),
}

/// A function, ready to run.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// How many locals it has, one for its own use among them.
    pub locals: usize,
    pub pointers: usize,
    pub handles: usize,
}

/// All functions of a program.
pub(super) fn compile(program: &Program) -> Vec<Code> {
    program.functions.iter().map(function).collect()
}

fn function(function: &Function) -> Code {
    // The value that a waiting loop tests lies in a local of its own.
    let mut writer = Writer { ops: Vec::new(), spare: function.locals };
    writer.body(&function.body);
    Code {
        ops: writer.ops,
        locals: function.locals + 1,
        pointers: function.pointers,
        handles: function.handles,
    }
}

struct Writer {
    ops: Vec<Op>,
    spare: usize,
}

impl Writer {
    fn body(&mut self, body: &Body) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                let branch = self.hole();
                self.body(then);
                let jump = self.hole();
                self.ops[branch] = Op::Unless(condition.clone(), self.ops.len());
                self.body(otherwise);
                self.ops[jump] = Op::Jump(self.ops.len());
            }
            Statement::Repeat { count, body } => (0..*count).for_each(|_| self.body(body)),
            Statement::WaitWhile { plain, value, condition, mutex } => {
                let start = self.ops.len();
                let (to, from) = (self.spare, Place::Plain(*plain));
                self.ops.push(Op::Do(Statement::Load { to, from, mode: Mode::Plain }));
                let branch = self.hole();
                let (condition, mutex) = (*condition, *mutex);
                let wait = Statement::Wait { condition, mutex, timed: false, to: None };
                self.ops.push(Op::Do(wait));
                self.ops.push(Op::Jump(start));
                let test = Expr::binary(Operator::Eq, Expr::Local(to), Expr::Const(*value));
                self.ops[branch] = Op::Unless(test, self.ops.len());
            }
            // The first read of each round; from the second it may go back to it.
            Statement::AwaitSame { first, mode, .. } => {
                let (to, from) = (self.spare, first.clone());
                self.ops.push(Op::Do(Statement::Load { to, from, mode: *mode }));
                self.ops.push(Op::Do(statement.clone()));
            }
            // Where it fails it goes on to what takes it back, and then begins again; otherwise to what follows.
            Statement::TakeBack { place, taken, above, mode, waits } => {
                let start = self.ops.len();
                self.ops.push(Op::Do(statement.clone()));
                let give = Statement::Give { place: place.clone(), value: *taken, mode: *mode };
                self.statement(&give);
                if *waits {
                    let (place, above) = (place.clone(), *above);
                    let mode = Mode::Relaxed;
                    self.ops.push(Op::Do(Statement::AwaitAbove { place, above, mode }));
                }
                self.ops.push(Op::Jump(start));
            }
            Statement::Give { place, value, mode } => {
                let (to, place, value) = (self.spare, place.clone(), Expr::Const(*value));
                self.ops.push(Op::Do(Statement::Rmw {
                    to,
                    place,
                    op: RmwOp::Add,
                    value,
                    mode: *mode,
                }));
            }
            simple => self.ops.push(Op::Do(simple.clone())),
        }
    }

    /// Room for a jump whose target is not known yet.
    fn hole(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }
}
