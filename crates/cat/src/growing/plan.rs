//! What of a model is kept while an execution grows: worked out once for each model.
//!
//! A node is *whole* if its relation is kept for all events. What only races ask for is looked at for one event at a
//! time, as far as it is made of rows and columns of others; such nodes are *edges*.

use crate::eval::Test;
use crate::form::{Restricted, restricted};
use crate::program::{BaseRel, Node, NodeId, Program};

/// Which sides of a relation are kept: the rows, and the rows of its inverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keeps {
    pub forward: bool,
    pub backward: bool,
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Whole nodes, those first that others are computed from.
    pub steps: Vec<NodeId>,
    /// After how many steps a check can be answered, and how.
    pub checks: Vec<(usize, Test)>,
    /// Edges, in the same order.
    pub edges: Vec<NodeId>,
    /// For each node whether it is an edge.
    pub is_edge: Vec<bool>,
    pub keeps: Vec<Keeps>,
    /// For each node whether events that were there before can become related, or members, by a new one.
    pub gains: Vec<bool>,
}

impl Plan {
    /// None if something must be whole that may lose pairs when an execution grows, or is defined by itself.
    pub(super) fn of(program: &Program, tests: &[Test]) -> Option<Plan> {
        let known = restricted(program);
        let count = program.nodes.len();
        let mut plan = Plan {
            steps: Vec::new(),
            checks: Vec::new(),
            edges: Vec::new(),
            is_edge: vec![false; count],
            keeps: vec![Keeps::default(); count],
            gains: known.iter().map(|&known| known != Restricted::Exact).collect(),
        };
        let mut done = vec![false; count];
        for &test in tests {
            plan.step(program, test.nodes(), &mut done);
            plan.checks.push((plan.steps.len(), test));
            plan.test(program, test);
        }
        if let Some(hb) = program.hb {
            plan.step(program, [hb], &mut done);
            plan.keep(program, hb, true);
        }
        let raced = program.needed(program.races.iter().map(|race| race.node));
        let all = (0..count).filter(|&index| raced[index]).map(|index| NodeId(index as u32));
        let whole = all.clone().filter(|&id| is_whole(program.node(id)));
        plan.step(program, whole, &mut done);
        plan.edges = all.filter(|id| !done[id.index()]).collect();
        for &edge in &plan.edges {
            plan.is_edge[edge.index()] = true;
        }
        for edge in plan.edges.clone() {
            for part in program.node(edge).parts() {
                if !plan.is_edge[part.index()] && is_kept(program.node(part)) {
                    plan.keep(program, part, true);
                    plan.keep(program, part, false);
                }
            }
        }
        for race in &program.races {
            if !plan.is_edge[race.node.index()] && is_kept(program.node(race.node)) {
                plan.keep(program, race.node, true);
                plan.keep(program, race.node, false);
            }
        }
        for &id in plan.steps.clone().iter() {
            plan.parts(program, id);
        }
        let grows = |id: &NodeId| match program.node(*id) {
            Node::Variable(_) => false,
            _ => known[id.index()] >= Restricted::Shrinks,
        };
        plan.steps.iter().all(grows).then_some(plan)
    }

    /// Takes the steps to `roots`.
    fn step(
        &mut self,
        program: &Program,
        roots: impl IntoIterator<Item = NodeId>,
        done: &mut [bool],
    ) {
        let needed = program.needed(roots);
        for index in (0..needed.len()).filter(|&index| needed[index]) {
            if !std::mem::replace(&mut done[index], true) {
                self.steps.push(NodeId(index as u32));
            }
        }
    }

    /// Keeps a side of a relation. That of an inverse is the other side of what it is the inverse of.
    fn keep(&mut self, program: &Program, id: NodeId, forward: bool) {
        match *program.node(id) {
            Node::Inverse(inner) => self.keep(program, inner, !forward),
            _ if forward => self.keeps[id.index()].forward = true,
            _ => self.keeps[id.index()].backward = true,
        }
    }

    /// What the answer to a check is looked up in.
    fn test(&mut self, program: &Program, test: Test) {
        match test {
            Test::Acyclic(node) => self.keep(program, node, true),
            Test::NoRoundTrip(a, b) => {
                if self.gains[a.index()] {
                    self.keep(program, b, false);
                }
                if self.gains[b.index()] {
                    self.keep(program, a, false);
                }
            }
            Test::Irreflexive(_) | Test::Empty(_) => {}
        }
    }

    /// What a step looks up in the relations that it is computed from.
    fn parts(&mut self, program: &Program, id: NodeId) {
        let gains = |plan: &Plan, id: NodeId| plan.gains[id.index()];
        match *program.node(id) {
            Node::Sequence(a, b) => {
                self.keep(program, a, false);
                self.keep(program, b, true);
            }
            Node::Plus(_) => {
                self.keep(program, id, true);
                self.keep(program, id, false);
            }
            Node::And(a, b) => {
                if gains(self, a) {
                    self.keep(program, b, true);
                }
                if gains(self, b) {
                    self.keep(program, a, true);
                }
            }
            Node::Minus(a, b) if gains(self, a) => self.keep(program, b, true),
            Node::From(set, rel) if gains(self, set) => self.keep(program, rel, true),
            Node::To(rel, set) if gains(self, set) => self.keep(program, rel, false),
            _ => {}
        }
    }
}

/// Whether a row of it takes more than rows and columns of the same event.
fn is_whole(node: &Node) -> bool {
    node.is_set()
        || matches!(node, Node::BaseRel(_) | Node::Sequence(..) | Node::Plus(_) | Node::Variable(_))
}

/// Whether it is looked up where it is kept, and not in the events.
fn is_kept(node: &Node) -> bool {
    use BaseRel::{Ext, Id, Int, Loc};
    !node.is_set() && !matches!(node, Node::BaseRel(Id | Loc | Int | Ext))
}
