//! Dominators, by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").
//!
//! A node dominates another if every way from the entry to the other leads through it; each
//! dominates itself. Nodes that the entry does not lead to dominate nothing and nothing dominates them.

use super::{Graph, Node};

/// The dominator tree of a graph.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Per node its nearest other dominator; the entry has itself.
    immediate: Vec<Option<Node>>,
    /// Distance from the entry in the tree.
    depth: Vec<u32>,
}

impl Dominators {
    /// The dominators of a graph.
    pub fn new(graph: &Graph) -> Dominators {
        let mut immediate: Vec<Option<Node>> = vec![None; graph.count()];
        immediate[graph.entry().index()] = Some(graph.entry());
        let mut changed = true;
        while changed {
            changed = false;
            for &node in graph.order().iter().skip(1) {
                let known = |from: &&Node| immediate[from.index()].is_some();
                let before = graph.predecessors(node).iter().filter(known).copied();
                let nearest = before.reduce(|a, b| common(graph, &immediate, a, b));
                changed |= nearest != immediate[node.index()];
                immediate[node.index()] = nearest;
            }
        }
        let mut depth = vec![0; graph.count()];
        for &node in graph.order().iter().skip(1) {
            depth[node.index()] = immediate[node.index()].map_or(0, |up| depth[up.index()] + 1);
        }
        Dominators { immediate, depth }
    }

    /// The post-dominators of a graph: a node post-dominates another if every way from the other to an
    /// end leads through it. Nodes from which no way leads to an end have none.
    pub fn post(graph: &Graph) -> Dominators {
        let reversed = graph.reversed();
        let end = reversed.entry();
        let mut result = Dominators::new(&reversed);
        // The new end is nobody's post-dominator; what has no other becomes a root.
        result.immediate.truncate(graph.count());
        result.depth.truncate(graph.count());
        for (index, up) in result.immediate.iter_mut().enumerate() {
            if *up == Some(end) {
                *up = Some(Node(index as u32));
            }
        }
        result
    }

    /// The nearest dominator of a node other than itself.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        self.immediate[node.index()].filter(|&up| up != node)
    }

    /// Whether `a` dominates `b`.
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        if self.immediate[a.index()].is_none() || self.immediate[b.index()].is_none() {
            return false;
        }
        let mut node = b;
        while self.depth[node.index()] > self.depth[a.index()] {
            match self.immediate(node) {
                Some(up) => node = up,
                None => return false,
            }
        }
        node == a
    }
}

/// The nearest node that dominates both, as far as is known yet.
fn common(graph: &Graph, immediate: &[Option<Node>], a: Node, b: Node) -> Node {
    let (mut a, mut b) = (a, b);
    while a != b {
        // The later one in the order cannot dominate the earlier one.
        let later = if graph.position(a) > graph.position(b) { &mut a } else { &mut b };
        *later = immediate[later.index()].unwrap_or(graph.entry());
    }
    a
}
