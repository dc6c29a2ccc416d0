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

impl Keeps {
    #[inline]
    pub(super) fn any(self) -> bool {
        self.forward || self.backward
    }
}

/// Where a side of a relation is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// The node that has it, and which side of that it is.
    pub node: NodeId,
    pub forward: bool,
    /// Whether each event is related to itself, too.
    pub reflexive: bool,
    /// Whether what the node has is transitive.
    pub transitive: bool,
}

impl Side {
    /// That of an inverse is the other side of what it is the inverse of.
    pub(super) fn of(program: &Program, mut node: NodeId, mut forward: bool) -> Side {
        let mut reflexive = false;
        loop {
            match *program.node(node) {
                Node::Inverse(inner) => (node, forward) = (inner, !forward),
                Node::Option(inner) => (node, reflexive) = (inner, true),
                ref found => {
                    let transitive =
                        matches!(found, Node::Plus(_) | Node::BaseRel(BaseRel::Po | BaseRel::Co));
                    return Side { node, forward, reflexive, transitive };
                }
            }
        }
    }
}

/// A node, and what computing it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub id: NodeId,
    pub node: Node,
    pub keeps: Keeps,
    /// Whether events that were there before can become related, or members, by a new one.
    pub gains: bool,
    pub is_set: bool,
    /// Of a sequence `a; b`: the columns of `a`, the rows of `b`. Of others the rows of the parts, or of a closure its own
    /// rows and columns; only where they are kept.
    pub sides: [Side; 2],
    /// Whether they are kept, and looked at for what earlier events win.
    pub looks: bool,
}

impl Step {
    fn of(program: &Program, plan: &Plan, id: NodeId) -> Step {
        let node = *program.node(id);
        let side = |id, forward| Side::of(program, id, forward);
        let sides = match node {
            Node::Sequence(a, b) => [side(a, false), side(b, true)],
            Node::And(a, b) | Node::Minus(a, b) => [side(a, true), side(b, true)],
            Node::From(_, a) => [side(a, true); 2],
            Node::To(a, _) => [side(a, false); 2],
            _ => [side(id, true), side(id, false)],
        };
        let (keeps, gains) = (plan.keeps[id.index()], plan.gains[id.index()]);
        let looks = matches!(
            node,
            Node::Sequence(..) | Node::And(..) | Node::Minus(..) | Node::From(..) | Node::To(..)
        );
        Step { id, node, keeps, gains, is_set: node.is_set(), sides, looks }
    }
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Whole nodes, those first that others are computed from.
    pub steps: Vec<Step>,
    /// After how many steps a check can be answered, and how.
    pub checks: Vec<(usize, Test)>,
    /// Edges, in the same order.
    pub edges: Vec<NodeId>,
    /// What is looked up for them, and for races that are none.
    pub looked: Vec<Side>,
    /// For each node whether it is an edge.
    pub is_edge: Vec<bool>,
    pub keeps: Vec<Keeps>,
    /// For each node whether events that were there before can become related, or members, by a new one.
    gains: Vec<bool>,
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
            looked: Vec::new(),
            is_edge: vec![false; count],
            keeps: vec![Keeps::default(); count],
            gains: known.iter().map(|&known| known != Restricted::Exact).collect(),
        };
        let mut done = vec![false; count];
        let mut order = Vec::new();
        for &test in tests {
            list(program, test.nodes(), &mut done, &mut order);
            plan.checks.push((order.len(), test));
            plan.test(program, test);
        }
        if let Some(hb) = program.hb {
            list(program, [hb], &mut done, &mut order);
            plan.keep(program, hb, true);
        }
        let raced = program.needed(program.races.iter().map(|race| race.node));
        let all = (0..count).filter(|&index| raced[index]).map(|index| NodeId(index as u32));
        let whole = all.clone().filter(|&id| is_whole(program.node(id)));
        list(program, whole, &mut done, &mut order);
        plan.edges = all.filter(|id| !done[id.index()]).collect();
        for &edge in &plan.edges {
            plan.is_edge[edge.index()] = true;
        }
        for edge in plan.edges.clone() {
            for part in program.node(edge).parts() {
                if !plan.is_edge[part.index()] && is_kept(program.node(part)) {
                    plan.look(program, part);
                }
            }
        }
        for race in &program.races {
            if !plan.is_edge[race.node.index()] && is_kept(program.node(race.node)) {
                plan.look(program, race.node);
            }
        }
        order.iter().for_each(|&id| plan.parts(program, id));
        let grows = |id: &NodeId| match program.node(*id) {
            Node::Variable(_) => false,
            _ => known[id.index()] >= Restricted::Shrinks,
        };
        plan.steps = order.iter().map(|&id| Step::of(program, &plan, id)).collect();
        order.iter().all(grows).then_some(plan)
    }

    /// Keeps both sides, for races.
    fn look(&mut self, program: &Program, id: NodeId) {
        for forward in [true, false] {
            self.keep(program, id, forward);
            self.looked.push(Side::of(program, id, forward));
        }
    }

    /// Keeps a side of a relation.
    fn keep(&mut self, program: &Program, id: NodeId, forward: bool) {
        let side = Side::of(program, id, forward);
        let keeps = &mut self.keeps[side.node.index()];
        *(if side.forward { &mut keeps.forward } else { &mut keeps.backward }) = true;
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

/// Lists what is computed on the way to `roots` and not listed yet.
fn list(
    program: &Program,
    roots: impl IntoIterator<Item = NodeId>,
    done: &mut [bool],
    order: &mut Vec<NodeId>,
) {
    let needed = program.needed(roots);
    for index in (0..needed.len()).filter(|&index| needed[index]) {
        if !std::mem::replace(&mut done[index], true) {
            order.push(NodeId(index as u32));
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
