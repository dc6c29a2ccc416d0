//! From a tree to nodes: every expression becomes a node once, children before parents, and what has the same
//! meaning is the same node. Names are resolved, sets and relations told apart, functions expanded.
//!
//! What is a pattern that costs less than its parts is recognised here: `[S]; r` and `r; [S]` only leave rows
//! and columns out, and `r & (S * T)` does both.

use crate::ast::{Binary, Definition, Expr, ExprKind, Property, Statement, Unary};
use crate::error::{At, Problem, problem};
use crate::program::{BaseRel, BaseSet, Check, Group, Node, NodeId, Program, Race};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many expressions may be expanded: functions that call functions can make a short text a long one.
const MOST: usize = 50_000;

/// How deep restrictions to a set are moved into an expression.
const INSIDE: u32 = 6;

/// What a name stands for.
#[derive(Clone)]
enum Meaning {
    Value(Value),
    /// A function, and how many names were known where it was defined.
    Function(Rc<Definition>, usize),
}

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// Nothing: a set or a relation.
    Nothing,
    Set(NodeId),
    Rel(NodeId),
}

type Scope = Vec<(String, Meaning)>;

/// Makes nodes of statements.
pub(crate) struct Compiler {
    program: Program,
    known: FxHashMap<Node, NodeId>,
    scope: Scope,
    expanded: usize,
    /// Where `RMW` is used, and whether `rmw` is.
    both: Option<At>,
    pairs: bool,
}

impl Compiler {
    pub(crate) fn new() -> Compiler {
        Compiler {
            program: Program::default(),
            known: FxHashMap::default(),
            scope: Vec::new(),
            expanded: 0,
            both: None,
            pairs: false,
        }
    }

    pub(crate) fn statement(&mut self, statement: Statement) -> Result<(), Problem> {
        match statement {
            Statement::Let { recursive: true, definitions } => self.recursive(definitions),
            Statement::Let { definitions, .. } => {
                // Definitions that are joined by `and` do not see each other.
                let mut meanings = Vec::new();
                for definition in definitions {
                    meanings.push((definition.name.clone(), self.meaning(definition)?));
                }
                self.scope.extend(meanings);
                Ok(())
            }
            Statement::Check { property, of, name } => {
                let at = of.at;
                let value = self.top(&of)?;
                let node = match (property, value) {
                    (_, Value::Nothing) => return Ok(()),
                    (Property::Empty, Value::Set(set)) => self.node(Node::Identity(set)),
                    (_, Value::Rel(node)) => node,
                    (_, Value::Set(_)) => {
                        return problem(
                            at,
                            "found a set, expected a relation: a set cannot have cycles",
                        );
                    }
                };
                let name = name.unwrap_or_else(|| format!("line {}", at.line));
                self.program.checks.push(Check { property, node, name });
                Ok(())
            }
            Statement::Undefined { of } => {
                let at = of.at;
                match self.top(&of)? {
                    Value::Rel(node) => {
                        self.program.races.push(Race { node });
                        Ok(())
                    }
                    Value::Nothing => Ok(()),
                    Value::Set(_) => {
                        problem(at, "found a set, expected a relation between the events that race")
                    }
                }
            }
            Statement::Include { .. } => Ok(()),
        }
    }

    /// Lets names stand for operations of libraries, by their numbers, until [`Self::forget_operations`].
    pub(crate) fn know_operations(
        &mut self,
        names: impl IntoIterator<Item = (String, u8)>,
    ) -> usize {
        let known = self.scope.len();
        for (name, number) in names {
            let node = self.node(Node::Operation(number));
            self.scope.push((name, Meaning::Value(Value::Set(node))));
        }
        known
    }

    /// Forgets all names from `known` on.
    pub(crate) fn forget_operations(&mut self, known: usize) {
        self.scope.truncate(known);
    }

    /// The whole, once all statements are in.
    pub(crate) fn finish(mut self) -> Result<Program, Problem> {
        if let (Some(at), false) = (self.both, self.pairs) {
            return problem(
                at,
                "`RMW` alone says nothing here: a read-modify-write is a read and a write tied by `rmw`, so no \
                 event is both; write `[RMW] | rmw`",
            );
        }
        if self.program.checks.is_empty() {
            let at = At { file: 0, line: 1, column: 1 };
            return problem(
                at,
                "the model allows everything; expected a check: `acyclic`, `irreflexive` or `empty`",
            );
        }
        if let Some((_, Meaning::Value(Value::Rel(hb)))) =
            self.scope.iter().rev().find(|(name, _)| name == "hb")
        {
            self.program.hb = Some(*hb);
        }
        Ok(self.program)
    }

    fn meaning(&mut self, definition: Definition) -> Result<Meaning, Problem> {
        if definition.parameters.is_some() {
            return Ok(Meaning::Function(Rc::new(definition), self.scope.len()));
        }
        self.top(&definition.body).map(Meaning::Value)
    }

    fn top(&mut self, expr: &Expr) -> Result<Value, Problem> {
        let mut scope = std::mem::take(&mut self.scope);
        let value = self.value(expr, &mut scope);
        self.scope = scope;
        value
    }

    /// The least relations that satisfy the equations. That they exist, and are found by going round, takes
    /// that no relation stands where more of it would make the others less.
    fn recursive(&mut self, definitions: Vec<Definition>) -> Result<(), Problem> {
        let start = self.program.nodes.len();
        let mut vars = Vec::new();
        for definition in &definitions {
            let var = self.fresh(Node::Variable(self.program.nodes.len() as u32));
            vars.push(var);
            self.scope.push((definition.name.clone(), Meaning::Value(Value::Rel(var))));
        }
        let mut bodies = Vec::new();
        for definition in &definitions {
            let body = match self.top(&definition.body)? {
                Value::Rel(body) => body,
                Value::Nothing => self.node(Node::NoRel),
                Value::Set(_) => {
                    return problem(
                        definition.body.at,
                        "found a set, expected a relation: only relations can be recursive",
                    );
                }
            };
            if self.program.falls(body, &vars) {
                return problem(
                    definition.at,
                    format!(
                        "`{}` is recursive through `~` or the right side of `\\`, so that it need not have a least solution",
                        definition.name
                    ),
                );
            }
            bodies.push(body);
        }
        let nodes = (start, self.program.nodes.len());
        self.program.groups.push(Group { vars, bodies, nodes });
        Ok(())
    }

    // ---- expressions -------------------------------------------------------------------------

    fn fresh(&mut self, node: Node) -> NodeId {
        self.program.nodes.push(node);
        NodeId(self.program.nodes.len() as u32 - 1)
    }

    fn node(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = self.fresh(node);
        self.known.insert(node, id);
        id
    }

    fn value(&mut self, expr: &Expr, scope: &mut Scope) -> Result<Value, Problem> {
        self.expanded += 1;
        if self.expanded > MOST {
            return problem(
                expr.at,
                format!(
                    "the model has more than {MOST} expressions once its functions are expanded"
                ),
            );
        }
        match &expr.kind {
            ExprKind::Nothing => Ok(Value::Nothing),
            ExprKind::Everything => Ok(Value::Set(self.node(Node::BaseSet(BaseSet::Everything)))),
            ExprKind::Name(name) => self.named(name, expr.at, scope),
            ExprKind::Identity(set) => match self.value(set, scope)? {
                Value::Nothing => Ok(Value::Nothing),
                Value::Set(set) => Ok(Value::Rel(self.node(Node::Identity(set)))),
                Value::Rel(_) => {
                    problem(set.at, "found a relation, expected a set between `[` and `]`")
                }
            },
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand, scope)?;
                self.unary(*operator, value, operand.at)
            }
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (self.value(left, scope)?, self.value(right, scope)?);
                self.binary(*operator, a, b, left.at, right.at)
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.at, scope),
            ExprKind::Local(definition, body) => {
                let meaning = if definition.parameters.is_some() {
                    Meaning::Function(Rc::new((**definition).clone()), scope.len())
                } else {
                    Meaning::Value(self.value(&definition.body, scope)?)
                };
                scope.push((definition.name.clone(), meaning));
                let value = self.value(body, scope);
                scope.pop();
                value
            }
        }
    }

    fn named(&mut self, name: &str, at: At, scope: &Scope) -> Result<Value, Problem> {
        if let Some((_, meaning)) = scope.iter().rev().find(|(known, _)| known == name) {
            return match meaning {
                Meaning::Value(value) => Ok(*value),
                Meaning::Function(..) => {
                    problem(at, format!("`{name}` is a function; expected `(` and what it is of"))
                }
            };
        }
        if let Some(set) = BaseSet::named(name) {
            return Ok(Value::Set(self.node(Node::BaseSet(set))));
        }
        if let Some(rel) = BaseRel::named(name) {
            self.pairs |= rel == BaseRel::Rmw;
            return Ok(Value::Rel(self.node(Node::BaseRel(rel))));
        }
        match name {
            "RMW" => {
                self.both = Some(at);
                Ok(Value::Nothing)
            }
            "CON" | "emptyset" => Ok(Value::Nothing),
            "addr" | "data" | "ctrl" | "iico_data" | "iico_ctrl" => problem(
                at,
                format!(
                    "`{name}` is a dependency, which Norn does not follow; expected a model over po, rf and co (`acyclic po | rf` is the condition that makes dependencies unnecessary)"
                ),
            ),
            _ => problem(
                at,
                format!(
                    "nothing is called `{name}`; expected a name that is defined above, one of the sets {}, or one of the relations {}",
                    BaseSet::names(),
                    BaseRel::names()
                ),
            ),
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        at: At,
        scope: &mut Scope,
    ) -> Result<Value, Problem> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, scope)?);
        }
        let found = scope.iter().rev().find(|(known, _)| known == name).map(|(_, found)| found);
        let Some(Meaning::Function(function, known)) = found.cloned() else {
            if found.is_none() && values.len() == 1 {
                return self.provided(name, values[0], at, arguments[0].at);
            }
            return problem(
                at,
                format!(
                    "`{name}` is no function; expected an operator, or a function that is defined above"
                ),
            );
        };
        let parameters = function.parameters.as_deref().unwrap_or_default();
        if parameters.len() != values.len() {
            return problem(
                at,
                format!("`{name}` is given {} values, expected {}", values.len(), parameters.len()),
            );
        }
        let mut inside: Scope = scope[..known.min(scope.len())].to_vec();
        let bound = parameters.iter().cloned().zip(values.into_iter().map(Meaning::Value));
        inside.extend(bound);
        self.value(&function.body, &mut inside)
    }

    fn provided(&mut self, name: &str, value: Value, at: At, of: At) -> Result<Value, Problem> {
        match (name, value) {
            ("domain" | "range" | "toid", Value::Nothing) => Ok(Value::Nothing),
            ("domain", Value::Rel(rel)) => Ok(Value::Set(self.node(Node::Domain(rel)))),
            ("range", Value::Rel(rel)) => Ok(Value::Set(self.node(Node::Range(rel)))),
            ("toid", Value::Set(set)) => Ok(Value::Rel(self.node(Node::Identity(set)))),
            ("domain" | "range", Value::Set(_)) => problem(of, "found a set, expected a relation"),
            ("toid", Value::Rel(_)) => problem(of, "found a relation, expected a set"),
            _ => problem(
                at,
                format!(
                    "no function is called `{name}`; expected one that is defined above, or domain, range, toid or fencerel"
                ),
            ),
        }
    }

    fn unary(&mut self, operator: Unary, value: Value, at: At) -> Result<Value, Problem> {
        let node = match (operator, value) {
            (Unary::Complement, Value::Set(set)) => {
                let all = self.node(Node::BaseSet(BaseSet::Everything));
                return Ok(Value::Set(self.node(Node::SetMinus(all, set))));
            }
            (_, Value::Set(_)) => {
                return problem(at, "found a set, expected a relation before this operator");
            }
            (Unary::Complement, Value::Nothing) => {
                return problem(
                    at,
                    "found nothing, expected a set or a relation: its complement could be either",
                );
            }
            (Unary::Inverse | Unary::Plus, Value::Nothing) => return Ok(Value::Nothing),
            (Unary::Star | Unary::Option, Value::Nothing) => Node::BaseRel(BaseRel::Id),
            (Unary::Complement, Value::Rel(rel)) => {
                let all = self.node(Node::BaseSet(BaseSet::Everything));
                let all = self.node(Node::Product(all, all));
                Node::Minus(all, rel)
            }
            (Unary::Inverse, Value::Rel(rel)) => Node::Inverse(rel),
            (Unary::Plus, Value::Rel(rel)) => Node::Plus(rel),
            (Unary::Star, Value::Rel(rel)) => {
                let plus = self.node(Node::Plus(rel));
                Node::Option(plus)
            }
            (Unary::Option, Value::Rel(rel)) => Node::Option(rel),
        };
        Ok(Value::Rel(self.node(node)))
    }

    fn binary(
        &mut self,
        operator: Binary,
        a: Value,
        b: Value,
        left: At,
        right: At,
    ) -> Result<Value, Problem> {
        use Binary::{Difference, Intersection, Product, Sequence, Union};
        use Value::{Nothing, Rel, Set};
        let node = match (operator, a, b) {
            (Union, Nothing, other) | (Union | Difference, other, Nothing) => return Ok(other),
            (_, Nothing, _) | (_, _, Nothing) => return Ok(Nothing),
            (Union, Set(a), Set(b)) => return Ok(Set(self.node(Node::SetUnion(a, b)))),
            (Intersection, Set(a), Set(b)) => return Ok(Set(self.node(Node::SetAnd(a, b)))),
            (Difference, Set(a), Set(b)) => return Ok(Set(self.node(Node::SetMinus(a, b)))),
            (Product, Set(a), Set(b)) => Node::Product(a, b),
            (Union, Rel(a), Rel(b)) => Node::Union(a, b),
            (Difference, Rel(a), Rel(b)) => Node::Minus(a, b),
            (Intersection, Rel(a), Rel(b)) => return Ok(Rel(self.intersection(a, b))),
            (Sequence, Rel(a), Rel(b)) => return Ok(Rel(self.sequence(a, b))),
            (Product, Rel(_), _) => {
                return problem(
                    left,
                    "found a relation, expected a set: `*` between two operands is the product of sets",
                );
            }
            (Product, _, Rel(_)) => {
                return problem(
                    right,
                    "found a relation, expected a set: `*` between two operands is the product of sets",
                );
            }
            (Sequence, Set(_), _) => {
                return problem(
                    left,
                    "found a set, expected a relation before `;`: write `[S]` for the identity on a set",
                );
            }
            (Sequence, _, Set(_)) => {
                return problem(
                    right,
                    "found a set, expected a relation after `;`: write `[S]` for the identity on a set",
                );
            }
            (_, Set(_), Rel(_)) => {
                return problem(right, "found a relation, expected a set as on the other side");
            }
            (_, Rel(_), Set(_)) => {
                return problem(right, "found a set, expected a relation as on the other side");
            }
        };
        Ok(Rel(self.node(node)))
    }

    fn intersection(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let product = |node: &Node| match node {
            Node::Product(from, to) => Some((*from, *to)),
            _ => None,
        };
        let (rel, (from, to)) = match (product(self.program.node(a)), product(self.program.node(b)))
        {
            (_, Some(ends)) => (a, ends),
            (Some(ends), None) => (b, ends),
            (None, None) => return self.node(Node::And(a, b)),
        };
        let rel = self.from(from, rel, 0);
        self.to(rel, to, 0)
    }

    /// `[set]; rel`, with the set as far inside as it goes: what is left out need not be computed.
    fn from(&mut self, set: NodeId, rel: NodeId, depth: u32) -> NodeId {
        let node = match *self.program.node(rel) {
            Node::Union(a, b) if depth < INSIDE => {
                Node::Union(self.from(set, a, depth + 1), self.from(set, b, depth + 1))
            }
            Node::Sequence(a, b) if depth < INSIDE => {
                Node::Sequence(self.from(set, a, depth + 1), b)
            }
            _ => Node::From(set, rel),
        };
        self.node(node)
    }

    /// `rel; [set]` likewise.
    fn to(&mut self, rel: NodeId, set: NodeId, depth: u32) -> NodeId {
        let node = match *self.program.node(rel) {
            Node::Union(a, b) if depth < INSIDE => {
                Node::Union(self.to(a, set, depth + 1), self.to(b, set, depth + 1))
            }
            Node::Sequence(a, b) if depth < INSIDE => Node::Sequence(a, self.to(b, set, depth + 1)),
            _ => Node::To(rel, set),
        };
        self.node(node)
    }

    fn sequence(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (*self.program.node(a), *self.program.node(b)) {
            (Node::Identity(set), _) => self.from(set, b, 0),
            (_, Node::Identity(set)) => self.to(a, set, 0),
            _ => self.node(Node::Sequence(a, b)),
        }
    }
}
