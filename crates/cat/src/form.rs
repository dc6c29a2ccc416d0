//! What the form of a model shows without an execution.
//!
//! When an execution is restricted to a prefix, its base relations and sets are restricted, too: they are *exact*.
//! An expression that only makes relations out of parts of paths (`;`, `+`) can lose pairs by that and never wins
//! any: it *shrinks*. What is taken away by `\` must be exact, or the difference may win pairs. A property that
//! holds of a relation holds of every part of it, so a model whose checks are of expressions that shrink is
//! prefix-closed.

use crate::ast::Property;
use crate::program::{BaseRel, Node, NodeId, Program};

/// What becomes of an expression when an execution is restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Restricted {
    /// It may win pairs.
    Unknown,
    Shrinks,
    Exact,
}

/// Whether all that the model checks shrinks with the execution.
pub(crate) fn is_prefix_closed(program: &Program) -> bool {
    let mut known: Vec<Restricted> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let of = |id: &NodeId| known[id.index()];
        let becomes = match node {
            Node::BaseSet(_) | Node::BaseRel(_) | Node::NoRel => Restricted::Exact,
            // Recursion through what is taken away was refused.
            Node::Variable(_) => Restricted::Shrinks,
            Node::Minus(a, b) | Node::SetMinus(a, b) => match of(b) {
                Restricted::Exact => of(a),
                _ => Restricted::Unknown,
            },
            Node::Sequence(a, b) => of(a).min(of(b)).min(Restricted::Shrinks),
            Node::Plus(a) | Node::Domain(a) | Node::Range(a) => of(a).min(Restricted::Shrinks),
            node => node.parts().map(|part| of(&part)).min().unwrap_or(Restricted::Exact),
        };
        known.push(becomes);
    }
    program.checks.iter().all(|check| known[check.node.index()] >= Restricted::Shrinks)
}

/// Whether a check forbids all cycles of `po ∪ rf`.
pub(crate) fn forbids_porf_cycles(program: &Program) -> bool {
    let has = |node, rel| program.includes(node, rel);
    program.checks.iter().any(|check| match (check.property, *program.node(check.node)) {
        (Property::Acyclic, _) => has(check.node, BaseRel::Po) && has(check.node, BaseRel::Rf),
        (Property::Irreflexive, Node::Plus(inner)) => {
            has(inner, BaseRel::Po) && has(inner, BaseRel::Rf)
        }
        _ => false,
    })
}

impl Program {
    /// Whether all of a base relation is in `node`, as far as unions and closures show it.
    fn includes(&self, node: NodeId, rel: BaseRel) -> bool {
        match *self.node(node) {
            Node::BaseRel(base) => base == rel,
            Node::Union(a, b) => self.includes(a, rel) || self.includes(b, rel),
            Node::Plus(a) | Node::Option(a) => self.includes(a, rel),
            _ => false,
        }
    }
}
