//! Natural loops and how they nest.
//!
//! A *back edge* is one whose target, the *header*, dominates its source, a *latch*. The loop of a
//! header is the header and all nodes that lead to one of its latches without passing it. Two loops
//! of a graph are apart from each other, or one lies within the other. A retreating edge that is no
//! back edge belongs to a cycle with several entries, which is no natural loop; such edges are listed
//! ([`LoopForest::irregular`]), so that who relies on having seen all loops can tell.

use super::{Dominators, Graph, Node};

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalLoop {
    /// The only node at which it can be entered.
    pub header: Node,
    /// The nodes from which it goes round, each once.
    pub latches: Vec<Node>,
    /// All its nodes, in the order of the graph: the header is the first.
    pub body: Vec<Node>,
    /// The edges that leave it, each once.
    pub exits: Vec<(Node, Node)>,
    /// The smallest loop around it, as an index into [`LoopForest::loops`].
    pub parent: Option<usize>,
}

/// The natural loops of a graph.
#[derive(Clone, Debug)]
pub struct LoopForest {
    /// All loops, outer ones before inner ones.
    pub loops: Vec<NaturalLoop>,
    /// Retreating edges that are no back edges.
    pub irregular: Vec<(Node, Node)>,
    innermost: Vec<Option<usize>>,
}

impl LoopForest {
    /// The loops of a graph with these dominators.
    pub fn new(graph: &Graph, dominators: &Dominators) -> LoopForest {
        let innermost = vec![None; graph.count()];
        let mut forest = LoopForest { loops: Vec::new(), irregular: Vec::new(), innermost };
        // The header of an outer loop dominates those within, so it comes first.
        for &header in graph.order().iter().filter(|node| graph.is_head(**node)) {
            let sources = distinct(graph.latches(header));
            let (latches, others): (Vec<_>, Vec<_>) =
                sources.into_iter().partition(|&from| dominators.dominates(header, from));
            forest.irregular.extend(others.into_iter().map(|from| (from, header)));
            if !latches.is_empty() {
                forest.add(graph, header, latches);
            }
        }
        forest
    }

    /// The smallest loop that holds a node.
    pub fn innermost(&self, node: Node) -> Option<usize> {
        self.innermost[node.index()]
    }

    /// Whether loop `index` holds a node.
    pub fn contains(&self, index: usize, node: Node) -> bool {
        let around = |&inner: &usize| self.loops[inner].parent;
        std::iter::successors(self.innermost(node), around).any(|found| found == index)
    }

    fn add(&mut self, graph: &Graph, header: Node, latches: Vec<Node>) {
        let inside = graph.cycle(header, latches.iter().copied());
        let holds = |node: &Node| inside[node.index()];
        let body: Vec<Node> = graph.order().iter().copied().filter(holds).collect();
        let leaving = |&from: &Node| {
            let next = distinct(graph.successors(from).iter().copied());
            next.into_iter().filter(|to| !inside[to.index()]).map(move |to| (from, to))
        };
        let exits = body.iter().flat_map(leaving).collect();
        let parent = self.innermost(header);
        body.iter().for_each(|node| self.innermost[node.index()] = Some(self.loops.len()));
        self.loops.push(NaturalLoop { header, latches, body, exits, parent });
    }
}

fn distinct(nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    let mut list: Vec<Node> = nodes.collect();
    list.sort_unstable();
    list.dedup();
    list
}
