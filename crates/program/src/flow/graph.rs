//! Directed graphs with an entry, and the order in which a depth-first search leaves their nodes.
//!
//! What holds: parallel edges are kept; edges that come from nodes which the entry does not lead to
//! are nobody's predecessors; every cycle that can be reached holds a head ([`Graph::is_head`]), also
//! in graphs that no structured loop makes.

/// A node: a basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

impl Node {
    /// As an index into tables of nodes.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A graph whose nodes are numbers from 0.
#[derive(Clone, Debug)]
pub struct Graph {
    entry: Node,
    forwards: Edges,
    backwards: Edges,
    order: Vec<Node>,
    positions: Vec<u32>,
    heads: Vec<bool>,
}

/// The position of nodes that the entry does not lead to.
const UNREACHED: u32 = u32::MAX;

impl Graph {
    /// A graph of `count` nodes; the successors of a node are in the order of their edges.
    pub fn new(count: usize, entry: Node, edges: &[(Node, Node)]) -> Graph {
        let forwards = Edges::new(count, edges.iter().copied());
        let (order, heads) = depth_first(count, entry, &forwards);
        let mut positions = vec![UNREACHED; count];
        order.iter().enumerate().for_each(|(at, node)| positions[node.index()] = at as u32);
        let reached = edges.iter().filter(|edge| positions[edge.0.index()] != UNREACHED);
        let backwards = Edges::new(count, reached.map(|&(from, to)| (to, from)));
        Graph { entry, forwards, backwards, order, positions, heads }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// Where control enters.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// Where control may go from a node.
    pub fn successors(&self, node: Node) -> &[Node] {
        self.forwards.of(node)
    }

    /// Where control may come from, as far as the entry leads there.
    pub fn predecessors(&self, node: Node) -> &[Node] {
        self.backwards.of(node)
    }

    /// The nodes that the entry leads to, each after its dominators (reverse post-order).
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// The position of a node in [`Graph::order`], if it has one.
    pub fn position(&self, node: Node) -> Option<usize> {
        let position = self.positions[node.index()];
        (position != UNREACHED).then_some(position as usize)
    }

    /// Whether a retreating edge leads to a node: one from a node that is not before it in
    /// [`Graph::order`].
    pub fn is_head(&self, node: Node) -> bool {
        self.heads[node.index()]
    }

    /// The retreating edges to a node come from these.
    pub fn latches(&self, head: Node) -> impl Iterator<Item = Node> + '_ {
        let first = self.positions[head.index()];
        let retreats = move |from: &Node| self.positions[from.index()] >= first;
        self.predecessors(head).iter().copied().filter(retreats)
    }

    /// Per node, whether it is on the cycles that `head` heads: whether it leads to one of `latches`
    /// through nodes behind the head alone.
    pub fn cycle(&self, head: Node, latches: impl Iterator<Item = Node>) -> Vec<bool> {
        let first = self.positions[head.index()];
        let mut inside = vec![false; self.count()];
        inside[head.index()] = true;
        let mut work: Vec<Node> = latches.collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut inside[node.index()], true) {
                let before = self.predecessors(node).iter();
                work.extend(before.filter(|from| self.positions[from.index()] >= first));
            }
        }
        inside
    }

    /// The graph with its edges turned round, as far as the entry leads to them. It is entered at a
    /// new node, the last one, which leads to all nodes that had no successor.
    pub fn reversed(&self) -> Graph {
        let end = Node(self.count() as u32);
        let mut edges = Vec::new();
        for &node in &self.order {
            edges.extend(self.successors(node).iter().map(|&next| (next, node)));
            if self.successors(node).is_empty() {
                edges.push((end, node));
            }
        }
        Graph::new(self.count() + 1, end, &edges)
    }
}

/// Edges by the node that they leave, in one vector.
#[derive(Clone, Debug)]
struct Edges {
    starts: Vec<u32>,
    ends: Vec<Node>,
}

impl Edges {
    fn new(count: usize, pairs: impl Iterator<Item = (Node, Node)> + Clone) -> Edges {
        let mut starts = vec![0; count + 1];
        pairs.clone().for_each(|(from, _)| starts[from.index() + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut free = starts.clone();
        let mut ends = vec![Node(0); starts[count] as usize];
        for (from, to) in pairs {
            ends[free[from.index()] as usize] = to;
            free[from.index()] += 1;
        }
        Edges { starts, ends }
    }

    fn of(&self, node: Node) -> &[Node] {
        &self.ends[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// Reverse post-order, and the targets of retreating edges. The last successor is visited first.
fn depth_first(count: usize, entry: Node, edges: &Edges) -> (Vec<Node>, Vec<bool>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; count];
    let mut heads = vec![false; count];
    let mut order = Vec::new();
    let mut stack = vec![(entry, edges.of(entry))];
    state[entry.index()] = State::Open;
    while let Some((node, rest)) = stack.last_mut() {
        let Some((&next, others)) = rest.split_last() else {
            state[node.index()] = State::Done;
            order.push(*node);
            stack.pop();
            continue;
        };
        *rest = others;
        match state[next.index()] {
            State::New => {
                state[next.index()] = State::Open;
                stack.push((next, edges.of(next)));
            }
            State::Open => heads[next.index()] = true,
            State::Done => {}
        }
    }
    order.reverse();
    (order, heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_has_a_head_and_dead_nodes_have_no_place() {
        // 0 -> 1 <-> 2, 1 -> 3; 4 leads to 3 and nothing leads to 4.
        let edges = [(0, 1), (1, 2), (2, 1), (1, 3), (4, 3)].map(|(a, b)| (Node(a), Node(b)));
        let graph = Graph::new(5, Node(0), &edges);
        assert_eq!(graph.position(Node(4)), None);
        assert_eq!(graph.predecessors(Node(3)), [Node(1)]);
        assert!((0..5).all(|node| graph.is_head(Node(node)) == (node == 1)));
        let cycle = graph.cycle(Node(1), graph.latches(Node(1)));
        assert_eq!(cycle, [false, true, true, false, false]);
    }
}
