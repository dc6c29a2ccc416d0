//! A model as nodes, each with the nodes that it is computed from.

use crate::ast::Property;
use norn_action::Mode;

/// A node: an index into [`Program::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub u32);

impl NodeId {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! base {
    ($(#[$attribute:meta])* $Type:ident { $($(#[$doc:meta])* $Name:ident = $text:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum $Type { $($(#[$doc])* $Name,)* }

        impl $Type {
            pub(crate) const ALL: [$Type; [$($text),*].len()] = [$($Type::$Name),*];

            /// What it is called in a model.
            pub(crate) const fn name(self) -> &'static str {
                match self { $($Type::$Name => $text,)* }
            }

            pub(crate) fn named(name: &str) -> Option<$Type> {
                $Type::ALL.into_iter().find(|base| base.name() == name)
            }

            /// All names, in words.
            pub(crate) fn names() -> String {
                $Type::ALL.map($Type::name).join(", ")
            }
        }
    };
}

base! {
    /// The sets that events are in.
    BaseSet {
        Everything = "_",
        Read = "R",
        Write = "W",
        Fence = "F",
        /// Initial writes.
        Initial = "IW",
        /// What is not plain; initial writes are neither.
        Atomic = "A",
        Plain = "NA",
        Relaxed = "RLX",
        Acquire = "ACQ",
        Release = "REL",
        AcqRel = "ACQ_REL",
        SeqCst = "SC",
        /// Starting and joining threads, arriving at barriers and leaving them.
        Sync = "SYNC",
    }
}

impl BaseSet {
    /// The set of accesses and fences of a mode.
    pub(crate) fn of_mode(mode: Mode) -> BaseSet {
        match mode {
            Mode::Plain => BaseSet::Plain,
            Mode::Relaxed => BaseSet::Relaxed,
            Mode::Acquire => BaseSet::Acquire,
            Mode::Release => BaseSet::Release,
            Mode::AcqRel => BaseSet::AcqRel,
            Mode::SeqCst => BaseSet::SeqCst,
        }
    }
}

base! {
    /// The relations between events.
    BaseRel {
        Po = "po",
        Rf = "rf",
        Co = "co",
        /// The same location.
        Loc = "loc",
        /// The same thread.
        Int = "int",
        /// Different threads; initial writes have none.
        Ext = "ext",
        Id = "id",
        /// From the read of a read-modify-write to its write.
        Rmw = "rmw",
    }
}

/// An expression over other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    BaseSet(BaseSet),
    /// The accesses of an operation of a library.
    Operation(u8),
    SetUnion(NodeId, NodeId),
    SetAnd(NodeId, NodeId),
    SetMinus(NodeId, NodeId),
    Domain(NodeId),
    Range(NodeId),
    NoRel,
    BaseRel(BaseRel),
    /// `[s]`
    Identity(NodeId),
    /// `s * t`
    Product(NodeId, NodeId),
    Union(NodeId, NodeId),
    And(NodeId, NodeId),
    Minus(NodeId, NodeId),
    Sequence(NodeId, NodeId),
    /// `[s]; r`
    From(NodeId, NodeId),
    /// `r; [s]`
    To(NodeId, NodeId),
    Inverse(NodeId),
    Plus(NodeId),
    Option(NodeId),
    /// A relation that is defined by recursion; the number tells them apart.
    Variable(u32),
}

impl Node {
    /// Whether it stands for a set of events.
    pub(crate) fn is_set(&self) -> bool {
        use Node::{BaseSet, Domain, Operation, Range, SetAnd, SetMinus, SetUnion};
        matches!(
            self,
            BaseSet(_)
                | Operation(_)
                | SetUnion(..)
                | SetAnd(..)
                | SetMinus(..)
                | Domain(_)
                | Range(_)
        )
    }

    /// What it is computed from.
    pub(crate) fn parts(&self) -> impl Iterator<Item = NodeId> {
        use Node::{
            And, BaseRel, BaseSet, Domain, From, Identity, Inverse, Minus, NoRel, Operation,
            Option as Maybe, Plus, Product, Range, Sequence, SetAnd, SetMinus, SetUnion, To, Union,
            Variable,
        };
        let (a, b) = match *self {
            BaseSet(_) | Operation(_) | BaseRel(_) | NoRel | Variable(_) => (None, None),
            Domain(a) | Range(a) | Identity(a) | Inverse(a) | Plus(a) | Maybe(a) => (Some(a), None),
            SetUnion(a, b)
            | SetAnd(a, b)
            | SetMinus(a, b)
            | Product(a, b)
            | Union(a, b)
            | And(a, b)
            | Minus(a, b)
            | Sequence(a, b)
            | From(a, b)
            | To(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }
}

/// Something that the model asks of every execution.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub property: Property,
    pub node: NodeId,
    pub name: String,
}

/// Pairs of events that make a program undefined.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    pub node: NodeId,
}

/// Relations that are defined by each other: the least that satisfy their equations.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub vars: Vec<NodeId>,
    pub bodies: Vec<NodeId>,
    /// The nodes from the first variable to the end of the last body.
    pub nodes: (usize, usize),
}

/// A model as nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Children before parents, except that variables stand before their bodies.
    pub nodes: Vec<Node>,
    pub groups: Vec<Group>,
    pub checks: Vec<Check>,
    pub races: Vec<Race>,
    /// The relation that is called `hb`, if any is.
    pub hb: Option<NodeId>,
}

impl Program {
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether more of one of `vars` may make `node` less.
    pub(crate) fn falls(&self, node: NodeId, vars: &[NodeId]) -> bool {
        let mut rests = vec![None; self.nodes.len()];
        self.falls_memo(node, vars, &mut rests)
    }

    fn falls_memo(&self, id: NodeId, vars: &[NodeId], known: &mut [Option<bool>]) -> bool {
        if let Some(falls) = known[id.index()] {
            return falls;
        }
        let falls = match *self.node(id) {
            Node::Minus(a, b) | Node::SetMinus(a, b) => {
                self.falls_memo(a, vars, known) || self.uses(b, vars)
            }
            node => node.parts().any(|part| self.falls_memo(part, vars, known)),
        };
        known[id.index()] = Some(falls);
        falls
    }

    /// Whether `node` is computed from one of `others`, or is one.
    pub(crate) fn uses(&self, node: NodeId, others: &[NodeId]) -> bool {
        let needed = self.needed([node]);
        others.iter().any(|other| needed[other.index()])
    }

    /// Which nodes are computed on the way to these.
    pub(crate) fn needed(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut work: Vec<NodeId> = roots.into_iter().collect();
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            work.extend(self.node(id).parts());
            if let Some(group) = self.groups.iter().find(|group| group.vars.contains(&id)) {
                work.extend(group.bodies.iter().copied());
            }
        }
        needed
    }
}
