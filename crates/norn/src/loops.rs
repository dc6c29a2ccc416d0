//! What is recognised of the loops of a program, in the names of its source.

use crate::program_names::{cut_library_fields, is_library, places, source_name, spot_of};
use crate::{CheckOptions, InputError};
use norn_action::{Place, RmwOp};
use norn_machine::{Telltale, lock_askers, starts_threads, telltales};
use norn_program::{
    BinaryOp, FunctionId, GlobalId, Instruction, Location, Program, Register, TypeId,
};
use norn_report::loops::{
    Access, Alternative, Cause, Comparison, Expression, Finding, LoopReport, Passes, Relation,
    Threads, Transformed, Why,
};
use norn_report::{Format, Spot};
use norn_transform::{dropped, loops as found, purity};

/// Compiles the program of `options` and says what is recognised of it; the second part are remarks of the
/// front end.
pub fn transform(options: &CheckOptions) -> Result<(Transformed, Vec<String>), InputError> {
    let (program, remarks) = crate::load(options)?;
    let names = LoopNames { program: &program };
    let transformed = Transformed {
        format: Format,
        files: options.files.iter().map(|file| file.display().to_string()).collect(),
        loops: of_program(&program),
        threads: threads(&program),
        passes: Passes {
            dropped: dropped(&program).into_iter().map(|id| names.function(id)).collect(),
            watched: program.watched.len() as u64,
            unused: program.unused.len() as u64,
        },
    };
    let askers = lock_askers(&program).filter(|askers| !askers.is_empty());
    let locks = askers.map(|askers| {
        let named = named(&askers);
        format!("--lock-reduction changes nothing, since the program calls {named}")
    });
    let remarks = remarks.into_iter().map(|warning| warning.message);
    Ok((transformed, remarks.chain(locks).collect()))
}

/// More functions than this are counted.
const MOST_CALLS: usize = 5;

/// Whether threads that are started alike count once; none if no thread is started.
fn threads(program: &Program) -> Option<Threads> {
    if !program.externals.iter().any(|external| starts_threads(&external.name)) {
        return None;
    }
    let all = telltales(program);
    let mut told_apart_by = Vec::new();
    let mut calls = Vec::new();
    for telltale in &all {
        match telltale {
            Telltale::Addresses => told_apart_by
                .push("addresses are converted to numbers or compared for order".to_owned()),
            Telltale::Library => {
                told_apart_by.push("functions are taken from a specification".to_owned());
            }
            Telltale::Call(name) => calls.push(name.as_str()),
        }
    }
    if !calls.is_empty() {
        told_apart_by.push(format!("the program calls {}", named(&calls)));
    }
    Some(Threads { alike: all.is_empty(), told_apart_by })
}

/// The names of some functions.
fn named(calls: &[&str]) -> String {
    let named = calls[..calls.len().min(MOST_CALLS)].join(", ");
    match calls.len().saturating_sub(MOST_CALLS) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What is recognised of the loops of a program, but for those of libraries.
pub(crate) fn of_program(program: &Program) -> Vec<LoopReport> {
    let names = LoopNames { program };
    let all = found::of_program(program);
    let own = all.iter().filter(|facts| !names.is_of_library(facts.function));
    own.map(|facts| names.report(facts)).collect()
}

/// What is recognised of the loop that starts, or one of whose iterations starts, at a place.
pub(crate) fn loop_at(program: &Program, place: Place) -> Option<LoopReport> {
    let (Instruction::LoopHeader { id } | Instruction::LoopIteration { id }) =
        *program.code.get(place.0 as usize)?
    else {
        return None;
    };
    let item = &program.loops[program.whole_loop(id).index()];
    let facts = found::at_header(program, item.header)?;
    Some(LoopNames { program }.report(&facts))
}

struct LoopNames<'p> {
    program: &'p Program,
}

impl LoopNames<'_> {
    fn report(&self, facts: &found::LoopFacts) -> LoopReport {
        let function = facts.function;
        let item = LoopReport {
            spot: self.spot(facts.header),
            depth: facts.depth,
            finding: match facts.finding {
                found::Finding::Await => Finding::Await,
                found::Finding::Assume => Finding::Assume,
                found::Finding::Open => Finding::Open,
                found::Finding::Tries => Finding::Tries,
                found::Finding::Refused => Finding::Refused,
            },
            condition: (facts.alternatives.iter())
                .map(|alternative| self.alternative(alternative))
                .collect(),
            causes: facts.causes.iter().map(|cause| self.cause(function, cause)).collect(),
            message: String::new(),
        };
        item.with_message()
    }

    /// The innermost place of an instruction that is the program's and not a library's. Columns differ from
    /// compiler to compiler, and a loop is known by its line.
    fn spot(&self, pc: u32) -> Option<Spot> {
        let is_own = |location: &&Location| !is_library(self.program.source.string(location.file));
        let mut all = places(self.program, Place(pc));
        let own = all.find(is_own).or_else(|| self.program.location(Place(pc)))?;
        Some(Spot { column: 0, ..spot_of(self.program, own) })
    }

    fn is_of_library(&self, function: FunctionId) -> bool {
        let location = self.program.functions[function.index()].location;
        let location = self.program.source.get(location);
        location.is_some_and(|location| is_library(self.program.source.string(location.file)))
    }

    fn function(&self, id: FunctionId) -> String {
        source_name(self.program, id).to_owned()
    }

    fn alternative(&self, found: &found::Alternative) -> Alternative {
        let comparison = |one: &found::Comparison| Comparison {
            left: self.expression(&one.a),
            relation: relation(one.relation),
            right: self.expression(&one.b),
        };
        Alternative {
            comparisons: found.comparisons.iter().map(comparison).collect(),
            awaits: found.awaits.as_ref().map(|access| self.object(&access.object)),
            not_before: found.not_before.and_then(|pc| self.spot(pc)),
        }
    }

    fn cause(&self, function: FunctionId, found: &found::Cause) -> Cause {
        let reason = match &found.why {
            found::Why::Writes(access) => Why::Writes { variable: self.object(&access.object) },
            found::Why::Calls(callee, effect) => Why::Calls {
                callee: self.function(*callee),
                effect: effect.and_then(|pc| self.spot(pc)),
            },
            found::Why::Runtime(name) => Why::Runtime { callee: name.clone() },
            found::Why::CallsPointer => Why::CallsPointer,
            found::Why::Scope => Why::Scope,
            found::Why::Changes(register) => {
                Why::Changes { variable: self.variable(function, *register) }
            }
            found::Why::Other => Why::Other,
        };
        Cause { reason, certain: found.is_certain, spot: self.spot(found.pc) }
    }

    fn variable(&self, function: FunctionId, register: Register) -> Option<String> {
        self.program.variable(function, register).map(|variable| variable.name.clone())
    }

    fn expression(&self, value: &found::Value) -> Expression {
        use found::Value;
        match value {
            Value::Number(value) => Expression::Number { value: *value },
            Value::Variable(own, register) => match self.variable(*own, *register) {
                Some(name) => Expression::Variable { name },
                None => Expression::Unknown { line: None },
            },
            Value::Address(object) => Expression::Address { variable: self.object(object) },
            Value::Read(access) => Expression::Read {
                access: access_kind(access.kind),
                variable: self.object(&access.object),
                operand: self.operand(access),
            },
            Value::Exchanged(access) => Expression::Exchanged {
                variable: self.object(&access.object),
                operand: self.operand(access),
            },
            Value::Result { function, .. } => {
                Expression::Result { function: self.function(*function) }
            }
            Value::Computed(operation, operands) => Expression::Computed {
                operator: operator(*operation).to_owned(),
                left: Box::new(self.expression(&operands[0])),
                right: Box::new(self.expression(&operands[1])),
            },
            Value::Unknown(pc) => {
                Expression::Unknown { line: pc.and_then(|pc| self.spot(pc)).map(|spot| spot.line) }
            }
        }
    }

    fn operand(&self, access: &found::Access) -> Option<Box<Expression>> {
        access.operand.as_ref().map(|operand| Box::new(self.expression(operand)))
    }

    /// What a part of memory is called.
    fn object(&self, object: &found::Object) -> String {
        use found::Object;
        let mut name = match object {
            Object::Global(id, offset) => self.program.describe_global(*id, *offset),
            Object::Local(id, offset) => self.program.describe_local(*id, *offset),
            Object::Behind(pointer, offset) => self.behind(pointer, *offset),
            Object::Element(first, index) => {
                let first = self.object(first);
                let index = self.expression(index);
                match first.rfind("[0]") {
                    Some(at) => format!("{}[{index}]{}", &first[..at], &first[at + 3..]),
                    None => format!("{first}[{index}]"),
                }
            }
        };
        cut_library_fields(&mut name);
        name
    }

    /// What is behind a pointer: `p->next` if the type is known, else `*p`.
    fn behind(&self, pointer: &found::Value, offset: i64) -> String {
        let name = self.expression(pointer).to_string();
        let path = u64::try_from(offset).ok().and_then(|offset| {
            let kind = self.pointee(&self.pointer_type(pointer)?)?;
            let path = self.program.types.path(kind, offset);
            path.strip_prefix('.').map(str::to_owned)
        });
        match path {
            Some(path) => format!("{name}->{path}"),
            None if offset == 0 => format!("*{name}"),
            None => format!("*({name} + {offset})"),
        }
    }

    /// The name of a pointer's type.
    fn pointer_type(&self, pointer: &found::Value) -> Option<String> {
        let part = |kind: Option<TypeId>, offset: u64| {
            self.program.types.name_of_part(kind?, offset, 8).map(str::to_owned)
        };
        match pointer {
            found::Value::Variable(own, register) => {
                part(self.program.variable(*own, *register)?.kind, 0)
            }
            found::Value::Read(access) => match access.object {
                found::Object::Global(id, offset) => part(self.global_type(id), offset),
                found::Object::Local(id, offset) => {
                    part(self.program.locals[id.index()].kind, offset)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn global_type(&self, id: GlobalId) -> Option<TypeId> {
        self.program.globals[id.index()].kind
    }

    /// The structure that a pointer points to, by the name of the pointer's type.
    fn pointee(&self, pointer: &str) -> Option<TypeId> {
        let name = pointer.trim_end_matches(" _Atomic").trim_end_matches(" const");
        self.program.types.structure(name.strip_suffix(" *")?)
    }
}

fn relation(relation: purity::Relation) -> Relation {
    match relation {
        purity::Relation::Equal => Relation::Equal,
        purity::Relation::NotEqual => Relation::NotEqual,
        purity::Relation::Below | purity::Relation::Less(_) => Relation::Less,
        purity::Relation::BelowEqual | purity::Relation::LessEqual(_) => Relation::LessEqual,
        purity::Relation::Covers => Relation::Covers,
    }
}

fn access_kind(kind: found::AccessKind) -> Access {
    match kind {
        found::AccessKind::Load(true) => Access::Load,
        found::AccessKind::Load(false) | found::AccessKind::Store(_) => Access::PlainLoad,
        found::AccessKind::CompareExchange => Access::CompareExchange,
        found::AccessKind::Rmw(op) => match op {
            RmwOp::Exchange => Access::Exchange,
            RmwOp::Add => Access::FetchAdd,
            RmwOp::Sub => Access::FetchSub,
            RmwOp::Or => Access::FetchOr,
            RmwOp::And => Access::FetchAnd,
            RmwOp::Xor => Access::FetchXor,
            _ => Access::Rmw,
        },
    }
}

/// The sign of an operation in C, or a name.
fn operator(operation: found::Operation) -> &'static str {
    let op = match operation {
        found::Operation::Compare(compared) => {
            return match relation(compared) {
                Relation::Equal => "==",
                Relation::NotEqual => "!=",
                Relation::Less => "<",
                Relation::LessEqual => "<=",
                Relation::Covers => "covers",
            };
        }
        found::Operation::Binary(op) => op,
    };
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::UMax | BinaryOp::SMax => "max",
        BinaryOp::UMin | BinaryOp::SMin => "min",
        BinaryOp::UAddSat | BinaryOp::SAddSat => "add",
        BinaryOp::USubSat | BinaryOp::SSubSat => "sub",
    }
}
