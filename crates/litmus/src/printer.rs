//! Writes a program as text that reads back to the same program.

use crate::{
    Body, Condition, Expr, LocationId, LocationKind, Observed, Program, Quantifier, RegisterId,
    StatementKind, Thread, Until,
};
use norn_action::{Mode, RmwOp};
use std::fmt::Write;

/// The text of a program.
///
/// It reads back to an equal program if the program is normalised (see [`Program::normalise`]), every
/// statement is one that C can express (no release loads, no plain access of an `atomic_int`), and
/// no register has the name of a location.
pub fn print(program: &Program) -> String {
    let mut text = format!("C {}\n\n{}\n", program.name, init_section(program));
    for (number, thread) in program.threads.iter().enumerate() {
        let parameters: Vec<String> = (program.locations.iter())
            .map(|location| format!("{} {}", pointer_type(location.kind), location.name))
            .collect();
        let body = ThreadPrinter::new(program, thread).print();
        write!(text, "\nP{number} ({}) {{\n{body}}}\n", parameters.join(", ")).unwrap();
    }
    text.push('\n');
    if !program.observed.is_empty() {
        let names: Vec<String> =
            program.observed.iter().map(|&o| format!("{};", program.observed_name(o))).collect();
        writeln!(text, "locations [{}]", names.join(" ")).unwrap();
    }
    if let Some(filter) = &program.filter {
        writeln!(text, "filter ({})", condition_text(program, filter)).unwrap();
    }
    if let Some(question) = &program.condition {
        let quantifier = match question.quantifier {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        };
        writeln!(text, "{quantifier} ({})", condition_text(program, &question.condition)).unwrap();
    }
    text
}

fn init_section(program: &Program) -> String {
    let mut text = String::from("{ ");
    for location in &program.locations {
        write!(text, "[{}] = {}; ", location.name, location.initial).unwrap();
    }
    for (number, thread) in program.threads.iter().enumerate() {
        for register in thread.registers.iter().filter(|register| register.initial != 0) {
            write!(text, "{number}:{} = {}; ", register.name, register.initial).unwrap();
        }
    }
    text.push('}');
    text
}

fn pointer_type(kind: LocationKind) -> &'static str {
    match kind {
        LocationKind::Atomic => "atomic_int*",
        LocationKind::Plain => "int*",
        LocationKind::Mutex => "spinlock_t*",
    }
}

fn condition_text(program: &Program, condition: &Condition) -> String {
    match condition {
        Condition::True => "true".into(),
        Condition::False => "false".into(),
        Condition::Equals(atom) => {
            let name = program.observed_name(atom.observed);
            match atom.observed {
                Observed::Register(..) => format!("{name}={}", atom.value),
                Observed::Location(_) => format!("[{name}]={}", atom.value),
            }
        }
        Condition::Not(a) => format!("~({})", condition_text(program, a)),
        Condition::And(a, b) => {
            format!("({}) /\\ ({})", condition_text(program, a), condition_text(program, b))
        }
        Condition::Or(a, b) => {
            format!("({}) \\/ ({})", condition_text(program, a), condition_text(program, b))
        }
    }
}

struct ThreadPrinter<'a> {
    program: &'a Program,
    thread: &'a Thread,
    /// Per register: already declared.
    declared: Vec<bool>,
    text: String,
}

impl<'a> ThreadPrinter<'a> {
    fn new(program: &'a Program, thread: &'a Thread) -> ThreadPrinter<'a> {
        let declared = thread.registers.iter().map(|register| register.initial != 0).collect();
        ThreadPrinter { program, thread, declared, text: String::new() }
    }

    fn print(mut self) -> String {
        // A register is declared where it is first assigned, if that comes before any other use
        // and in the outermost block; otherwise at the start of the thread.
        let mut assigned_first = vec![false; self.thread.registers.len()];
        let mut used = self.declared.clone();
        for statement in &self.thread.body {
            let target = target(&statement.kind);
            let mut uses = Vec::new();
            let mut one = vec![statement.clone()];
            crate::ast::for_each_register(&mut one, &mut |register| uses.push(register.index()));
            if let Some(target) = target.map(RegisterId::index) {
                let only_target = uses.iter().filter(|&&register| register == target).count() == 1;
                assigned_first[target] |= !used[target] && only_target;
            }
            uses.into_iter().for_each(|register| used[register] = true);
        }
        for (index, register) in self.thread.registers.iter().enumerate() {
            if !assigned_first[index] && !self.declared[index] {
                writeln!(self.text, "  int {};", register.name).unwrap();
                self.declared[index] = true;
            }
        }
        self.body(&self.thread.body, 1);
        self.text
    }

    fn body(&mut self, body: &Body, depth: usize) {
        for statement in body {
            self.text.push_str(&"  ".repeat(depth));
            self.statement(&statement.kind, depth);
            self.text.push('\n');
        }
    }

    fn statement(&mut self, kind: &StatementKind, depth: usize) {
        if let Some(register) = target(kind) {
            let fresh = !std::mem::replace(&mut self.declared[register.index()], true);
            let name = self.register(register);
            let assignment = format!("{}{name} = ", if fresh { "int " } else { "" });
            self.text.push_str(&assignment);
        }
        let text = match kind {
            StatementKind::Load { location, mode, until: Some(until), .. } => format!(
                "{}_explicit({}, {}, {});",
                waiting(until, ""),
                self.location(*location),
                self.expression(&until.value),
                order(*mode)
            ),
            StatementKind::Load { location, mode: Mode::Plain, .. } => {
                format!("*{};", self.location(*location))
            }
            StatementKind::Load { location, mode, .. } => {
                format!("atomic_load_explicit({}, {});", self.location(*location), order(*mode))
            }
            StatementKind::Store { location, value, mode: Mode::Plain } => {
                format!("*{} = {};", self.location(*location), self.expression(value))
            }
            StatementKind::Store { location, value, mode } => format!(
                "atomic_store_explicit({}, {}, {});",
                self.location(*location),
                self.expression(value),
                order(*mode)
            ),
            StatementKind::Rmw { location, op, operand, mode, until: Some(until), .. } => format!(
                "{}_explicit({}, {}, {}, {});",
                waiting(until, function(*op)),
                self.location(*location),
                self.expression(&until.value),
                self.expression(operand),
                order(*mode)
            ),
            StatementKind::Rmw { location, op, operand, mode, .. } => format!(
                "{}_explicit({}, {}, {});",
                function(*op),
                self.location(*location),
                self.expression(operand),
                order(*mode)
            ),
            StatementKind::CompareExchange {
                location,
                expected,
                desired,
                success,
                failure,
                weak,
                ..
            } => format!(
                "atomic_compare_exchange_{}_explicit({}, &{}, {}, {}, {});",
                if *weak { "weak" } else { "strong" },
                self.location(*location),
                self.register(*expected),
                self.expression(desired),
                order(*success),
                order(*failure)
            ),
            StatementKind::Fence(mode) => format!("atomic_thread_fence({});", order(*mode)),
            StatementKind::Assign { value, .. } => format!("{};", self.expression(value)),
            StatementKind::Lock(location) => format!("spin_lock({});", self.location(*location)),
            StatementKind::Unlock(location) => {
                format!("spin_unlock({});", self.location(*location))
            }
            StatementKind::Join(thread) => format!("join(P{thread});"),
            StatementKind::Assume(value) => format!("assume({});", self.expression(value)),
            StatementKind::If { condition, then, otherwise } => {
                return self.conditional(condition, then, otherwise, depth);
            }
        };
        self.text.push_str(&text);
    }

    fn conditional(&mut self, condition: &Expr, then: &Body, otherwise: &Body, depth: usize) {
        let indent = "  ".repeat(depth);
        let head = format!("if ({}) {{\n", self.expression(condition));
        self.text.push_str(&head);
        self.body(then, depth + 1);
        write!(self.text, "{indent}}}").unwrap();
        if !otherwise.is_empty() {
            self.text.push_str(" else {\n");
            self.body(otherwise, depth + 1);
            write!(self.text, "{indent}}}").unwrap();
        }
    }

    fn location(&self, location: LocationId) -> &'a str {
        &self.program.locations[location.index()].name
    }

    fn register(&self, register: RegisterId) -> &'a str {
        &self.thread.registers[register.index()].name
    }

    fn expression(&self, expression: &Expr) -> String {
        match expression {
            Expr::Const(value) => value.to_string(),
            Expr::Register(register) => self.register(*register).to_owned(),
            Expr::Unary(op, a) => format!("{}({})", op.symbol(), self.expression(a)),
            Expr::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.symbol(), self.operand(b))
            }
        }
    }

    fn operand(&self, expression: &Expr) -> String {
        match expression {
            Expr::Binary(..) => format!("({})", self.expression(expression)),
            _ => self.expression(expression),
        }
    }
}

/// The register that a statement assigns.
fn target(kind: &StatementKind) -> Option<RegisterId> {
    match kind {
        StatementKind::Load { register, .. } | StatementKind::Assign { register, .. } => {
            Some(*register)
        }
        StatementKind::Rmw { register, .. } | StatementKind::CompareExchange { register, .. } => {
            *register
        }
        _ => None,
    }
}

fn order(mode: Mode) -> String {
    format!("memory_order_{mode}")
}

/// The function that waits and then does what `function` does; a load if it is empty.
fn waiting(until: &Until, function: &str) -> String {
    format!("await_{}{}", until.comparison.name(), function.trim_start_matches("atomic"))
}

/// The function for an operation. C has no names for the others.
fn function(op: RmwOp) -> &'static str {
    match op {
        RmwOp::Exchange => "atomic_exchange",
        RmwOp::Add => "atomic_fetch_add",
        RmwOp::Sub => "atomic_fetch_sub",
        RmwOp::And => "atomic_fetch_and",
        RmwOp::Or => "atomic_fetch_or",
        RmwOp::Xor => "atomic_fetch_xor",
        other => panic!("{other:?} cannot be written in a litmus test"),
    }
}
