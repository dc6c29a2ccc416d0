//! What the form of a model shows without an execution.
//!
//! When an execution is restricted to a prefix, its base relations and sets are restricted, too: they are *exact*.
//! An expression that only makes relations out of parts of paths (`;`, `+`) can lose pairs by that and never wins
//! any: it *shrinks*. What is taken away by `\` must be exact, or the difference may win pairs. A property that
//! holds of a relation holds of every part of it, so a model whose checks are of expressions that shrink is
//! prefix-closed.

use crate::ast::Property;
use crate::program::{BaseRel, Check, Node, NodeId, Program};

/// What becomes of an expression when an execution is restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Restricted {
    /// It may win pairs.
    Unknown,
    Shrinks,
    Exact,
}

/// What becomes of each node.
pub(crate) fn restricted(program: &Program) -> Vec<Restricted> {
    let mut known: Vec<Restricted> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let of = |id: &NodeId| known[id.index()];
        let becomes = match node {
            Node::BaseSet(_) | Node::Operation(_) | Node::BaseRel(_) | Node::NoRel => {
                Restricted::Exact
            }
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
    known
}

/// Whether all that the model checks shrinks with the execution.
pub(crate) fn is_prefix_closed(program: &Program) -> bool {
    may_open(program).is_none()
}

/// The first check that may fail of a prefix though it does not of the whole.
pub(crate) fn may_open(program: &Program) -> Option<&Check> {
    let known = restricted(program);
    program.checks.iter().find(|check| known[check.node.index()] < Restricted::Shrinks)
}

/// Whether a check forbids all cycles of `po ∪ rf`.
pub(crate) fn forbids_porf_cycles(program: &Program) -> bool {
    program.checks.iter().any(|check| match (check.property, *program.node(check.node)) {
        (Property::Acyclic, _) => program.has_porf(check.node),
        (Property::Irreflexive, Node::Plus(inner)) => program.has_porf(inner),
        _ => false,
    })
}

/// What an access comes after, so that it can neither read nor stand before it in coherence order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Knows {
    Nothing,
    /// The accesses before it in `po`.
    Po,
    /// All before it in `(po | rf)+`.
    Porf,
}

/// What the form of the model shows. Let an access `a` come after `w`, or after a reader of `w`, and read what `w`
/// overwrites, or be placed before `w`: then there is a step of `fr` or `co` from `a` to `w`, perhaps one of `rf`
/// to its reader, and the order that leads back to `a`. A check forbids that if it is `acyclic` of all these, or
/// `irreflexive` of the order followed by the closure of the others.
pub(crate) fn knows(program: &Program) -> Knows {
    let of = |check: &Check| match (check.property, *program.node(check.node)) {
        (Property::Acyclic, _) if program.has_communication(check.node) => {
            if program.has_porf(check.node) {
                Knows::Porf
            } else if program.has(check.node, &|node| is_po(node) || program.is_po_loc(node)) {
                Knows::Po
            } else {
                Knows::Nothing
            }
        }
        (Property::Irreflexive, Node::Sequence(order, back)) => {
            let back = match *program.node(back) {
                Node::Option(inner) => *program.node(inner),
                node => node,
            };
            match (back, *program.node(order)) {
                (Node::Plus(all), _) if !program.has_communication(all) => Knows::Nothing,
                (Node::Plus(_), Node::Plus(steps)) if program.has_porf(steps) => Knows::Porf,
                (Node::Plus(_), _) if program.has(order, &is_po) => Knows::Po,
                _ => Knows::Nothing,
            }
        }
        _ => Knows::Nothing,
    };
    program.checks.iter().map(of).max().unwrap_or(Knows::Nothing)
}

fn is_po(node: &Node) -> bool {
    *node == Node::BaseRel(BaseRel::Po)
}

impl Program {
    /// Whether all of a relation is in `node`, as far as unions and closures show it.
    fn has(&self, node: NodeId, is: &dyn Fn(&Node) -> bool) -> bool {
        is(self.node(node))
            || match *self.node(node) {
                Node::Union(a, b) => self.has(a, is) || self.has(b, is),
                Node::Plus(a) | Node::Option(a) => self.has(a, is),
                _ => false,
            }
    }

    fn has_base(&self, node: NodeId, rel: BaseRel) -> bool {
        self.has(node, &|other| *other == Node::BaseRel(rel))
    }

    fn has_porf(&self, node: NodeId) -> bool {
        self.has_base(node, BaseRel::Po) && self.has_base(node, BaseRel::Rf)
    }

    /// `rf`, `co` and `fr`.
    fn has_communication(&self, node: NodeId) -> bool {
        self.has_base(node, BaseRel::Rf)
            && self.has_base(node, BaseRel::Co)
            && self.has(node, &|other| self.is_from_read(other))
    }

    fn is_po_loc(&self, node: &Node) -> bool {
        let base = |id, rel| *self.node(id) == Node::BaseRel(rel);
        match *node {
            Node::And(a, b) => {
                (base(a, BaseRel::Po) && base(b, BaseRel::Loc))
                    || (base(a, BaseRel::Loc) && base(b, BaseRel::Po))
            }
            _ => false,
        }
    }

    /// `rf^-1; co`, without what relates an event to itself or with it.
    fn is_from_read(&self, node: &Node) -> bool {
        match *node {
            Node::Minus(a, b) => {
                *self.node(b) == Node::BaseRel(BaseRel::Id) && self.is_from_read(self.node(a))
            }
            Node::Sequence(a, b) => match *self.node(a) {
                Node::Inverse(rf) => {
                    *self.node(rf) == Node::BaseRel(BaseRel::Rf)
                        && *self.node(b) == Node::BaseRel(BaseRel::Co)
                }
                _ => false,
            },
            _ => false,
        }
    }
}
