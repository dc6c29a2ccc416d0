//! Computes the nodes of a model on an execution.
//!
//! Every node has a buffer that is kept from one execution to the next. Checks are answered one by one, those
//! that need the fewest nodes first, and the first that fails ends it; what a check needs that an earlier one
//! has computed is not computed again.

use crate::ast::Property;
use crate::events::Events;
use crate::matrix::{Size, bits, has};
use crate::program::{Check, Node, NodeId, Program};
use std::sync::Arc;

/// Something to compute.
#[derive(Clone, Copy, Debug)]
enum Step {
    Node(NodeId),
    /// A group of relations that are defined by each other.
    Group(usize),
}

/// What is asked once the steps to it are done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    Acyclic(NodeId),
    Irreflexive(NodeId),
    /// `irreflexive a; b`, for which `a; b` need not be computed.
    NoRoundTrip(NodeId, NodeId),
    Empty(NodeId),
}

impl Test {
    fn of(program: &Program, check: usize) -> Test {
        let check = &program.checks[check];
        match (check.property, *program.node(check.node)) {
            (Property::Acyclic, _) => Test::Acyclic(check.node),
            (Property::Irreflexive, Node::Sequence(a, b)) => Test::NoRoundTrip(a, b),
            (Property::Irreflexive, _) => Test::Irreflexive(check.node),
            (Property::Empty, _) => Test::Empty(check.node),
        }
    }

    pub(crate) fn nodes(self) -> impl Iterator<Item = NodeId> {
        let (a, b) = match self {
            Test::Acyclic(a) | Test::Irreflexive(a) | Test::Empty(a) => (a, None),
            Test::NoRoundTrip(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }
}

/// In which order to compute what.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub program: Program,
    /// For each check, what is to be computed first, and which check it is.
    checks: Vec<(Vec<Step>, Test, usize)>,
    /// The same as plain lists of nodes.
    plain: Vec<(Vec<usize>, usize)>,
    plain_races: Vec<usize>,
    /// What races take after the checks.
    races: Vec<Step>,
    /// What the order of events takes, after the checks and the races.
    order: Vec<Step>,
}

impl Schedule {
    pub(crate) fn new(program: Program) -> Schedule {
        let mut done = vec![false; program.nodes.len()];
        let mut order: Vec<usize> = (0..program.checks.len()).collect();
        let cost = |check: &usize| {
            let needed = program.needed(Test::of(&program, *check).nodes());
            needed.into_iter().filter(|&needed| needed).count()
        };
        order.sort_by_key(cost);
        let mut listed = done.clone();
        let lists = order
            .iter()
            .map(|&check| (plain(&program, [program.checks[check].node], &mut listed), check));
        let lists = lists.collect();
        let plain_races = plain(&program, program.races.iter().map(|race| race.node), &mut listed);
        let checks = order.into_iter().map(|check| {
            let test = Test::of(&program, check);
            (steps(&program, test.nodes(), &mut done), test, check)
        });
        let checks = checks.collect();
        let races = steps(&program, program.races.iter().map(|race| race.node), &mut done);
        let order = steps(&program, program.hb, &mut done);
        Schedule { program, checks, plain: lists, plain_races, races, order }
    }
}

/// For who computes the nodes in another way.
impl Schedule {
    /// What is asked, what takes least first.
    pub(crate) fn tests(&self) -> impl Iterator<Item = Test> {
        self.checks.iter().map(|(_, test, _)| *test)
    }
}

/// For who computes the nodes in another way: no group is among them.
impl Schedule {
    /// Asks `passes` of each check, after `run` has computed the nodes that it takes; the first that fails.
    pub(crate) fn first_failing<T>(
        &self,
        state: &mut T,
        run: impl Fn(&mut T, &[usize]),
        passes: impl Fn(&T, usize, Property) -> bool,
    ) -> Option<usize> {
        self.plain.iter().find_map(|(nodes, check)| {
            run(state, nodes);
            let Check { property, node, .. } = &self.program.checks[*check];
            (!passes(state, node.index(), *property)).then_some(*check)
        })
    }

    /// What races take after all checks.
    pub(crate) fn race_nodes(&self) -> &[usize] {
        &self.plain_races
    }
}

/// What is to be computed for `roots` that is not `done`, base nodes and all.
fn plain(
    program: &Program,
    roots: impl IntoIterator<Item = NodeId>,
    done: &mut [bool],
) -> Vec<usize> {
    let needed = program.needed(roots);
    let new = (0..needed.len()).filter(|&index| needed[index] && !done[index]).collect::<Vec<_>>();
    new.iter().for_each(|&index| done[index] = true);
    new
}

/// What is to be computed for `roots` that is not `done`.
fn steps(
    program: &Program,
    roots: impl IntoIterator<Item = NodeId>,
    done: &mut [bool],
) -> Vec<Step> {
    let needed = program.needed(roots);
    let mut steps = Vec::new();
    let mut index = 0;
    while index < needed.len() {
        let group = program.groups.iter().position(|group| group.nodes.0 == index);
        if let Some(group) = group {
            let (start, end) = program.groups[group].nodes;
            if !done[start] && needed[start..end].contains(&true) {
                // All that bodies are made of stands before the group or in it.
                done[start..end].fill(true);
                steps.push(Step::Group(group));
            }
            index = end.max(index + 1);
            continue;
        }
        if needed[index] && !done[index] {
            done[index] = true;
            if !matches!(program.nodes[index], Node::BaseSet(_) | Node::BaseRel(_)) {
                steps.push(Step::Node(NodeId(index as u32)));
            }
        }
        index += 1;
    }
    steps
}

/// How far the nodes are computed for the execution at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Done {
    Nothing,
    Checks,
    Races,
    Order,
}

/// Computes a model.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    schedule: Arc<Schedule>,
    pub events: Events,
    slots: Vec<Vec<u64>>,
    done: Done,
    order: Vec<u64>,
    left: Vec<u64>,
    ends: Vec<u64>,
}

/// Which events come before which.
pub(crate) struct Order<'e> {
    size: Size,
    rel: &'e [u64],
}

impl Order<'_> {
    pub(crate) fn has(&self, i: usize, j: usize) -> bool {
        has(self.size.row(self.rel, i), j)
    }
}

impl Evaluator {
    pub(crate) fn new(schedule: Arc<Schedule>) -> Evaluator {
        let slots = vec![Vec::new(); schedule.program.nodes.len()];
        let (order, left, ends) = (Vec::new(), Vec::new(), Vec::new());
        let (events, done) = (Events::default(), Done::Nothing);
        Evaluator { schedule, events, slots, done, order, left, ends }
    }

    pub(crate) fn schedule(&self) -> &Arc<Schedule> {
        &self.schedule
    }

    /// The check that the events at hand fail first; none if the model allows them.
    pub(crate) fn failing(&mut self) -> Option<usize> {
        self.done = Done::Nothing;
        let schedule = Arc::clone(&self.schedule);
        for (steps, test, check) in &schedule.checks {
            self.run(&schedule.program, steps);
            if !self.passes(&schedule.program, *test) {
                return Some(*check);
            }
        }
        self.done = Done::Checks;
        None
    }

    /// What makes the program undefined: a pair of which `event` is one, or any pair. The events at hand must
    /// be allowed.
    pub(crate) fn race(&mut self, event: Option<usize>) -> Option<(usize, usize)> {
        let schedule = Arc::clone(&self.schedule);
        if self.done < Done::Races {
            self.compute(Done::Races);
        }
        let size = self.events.size;
        for race in &schedule.program.races {
            let rel = self.rel(&schedule.program, race.node);
            let found = match event {
                Some(event) => {
                    let row = bits(size.row(rel, event)).next().map(|j| (event, j));
                    row.or_else(|| {
                        (0..size.n).find(|&i| has(size.row(rel, i), event)).map(|i| (event, i))
                    })
                }
                None => (0..size.n).find_map(|i| bits(size.row(rel, i)).next().map(|j| (i, j))),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What comes before what in every run of the events at hand, as far as the model says: the relation that
    /// it calls `hb` or, if none is called so, what it forbids cycles of, each made transitive.
    pub(crate) fn order(&mut self) -> Order<'_> {
        let schedule = Arc::clone(&self.schedule);
        if self.done < Done::Order {
            self.compute(Done::Order);
            let (program, size) = (&schedule.program, self.events.size);
            let mut order = std::mem::take(&mut self.order);
            order.clear();
            order.resize(size.cells(), 0);
            let mut more = |rel: &[u64]| order.iter_mut().zip(rel).for_each(|(a, &b)| *a |= b);
            if let Some(hb) = program.hb {
                more(self.rel(program, hb));
            } else {
                let checks = program.checks.iter();
                for check in checks.filter(|check| check.property == Property::Acyclic) {
                    let mut closed = self.rel(program, check.node).to_vec();
                    size.close(&mut closed);
                    more(&closed);
                }
            }
            self.order = order;
        }
        Order { size: self.events.size, rel: &self.order }
    }

    /// Computes what is not computed yet, up to `until`.
    fn compute(&mut self, until: Done) {
        let schedule = Arc::clone(&self.schedule);
        if self.done < Done::Checks {
            for (steps, ..) in &schedule.checks {
                self.run(&schedule.program, steps);
            }
        }
        if self.done < Done::Races && until >= Done::Races {
            self.run(&schedule.program, &schedule.races);
        }
        if self.done < Done::Order && until >= Done::Order {
            self.run(&schedule.program, &schedule.order);
        }
        self.done = until;
    }

    fn passes(&mut self, program: &Program, test: Test) -> bool {
        let size = self.events.size;
        let (mut left, mut ends) = (std::mem::take(&mut self.left), std::mem::take(&mut self.ends));
        let rel = |node| self.rel(program, node);
        let passes = match test {
            Test::Acyclic(node) => size.is_acyclic(rel(node), &mut left, &mut ends),
            Test::Irreflexive(node) => size.is_irreflexive(rel(node)),
            Test::NoRoundTrip(a, b) => !size.has_round_trip(rel(a), rel(b)),
            Test::Empty(node) => rel(node).iter().all(|&row| row == 0),
        };
        (self.left, self.ends) = (left, ends);
        passes
    }

    fn run(&mut self, program: &Program, steps: &[Step]) {
        for &step in steps {
            match step {
                Step::Node(id) => self.node(program, id),
                Step::Group(group) => self.group(program, group),
            }
        }
    }

    /// Goes round until nothing changes. The relations only grow, so that comes to an end.
    fn group(&mut self, program: &Program, group: usize) {
        let group = &program.groups[group];
        for var in &group.vars {
            let slot = &mut self.slots[var.index()];
            slot.clear();
            slot.resize(self.events.size.cells(), 0);
        }
        let (start, end) = group.nodes;
        loop {
            for index in start..end {
                self.node(program, NodeId(index as u32));
            }
            let mut changed = false;
            for (var, body) in group.vars.iter().zip(&group.bodies) {
                let mut slot = std::mem::take(&mut self.slots[var.index()]);
                let body = self.rel(program, *body);
                if slot != body {
                    changed = true;
                    slot.copy_from_slice(body);
                }
                self.slots[var.index()] = slot;
            }
            if !changed {
                return;
            }
        }
    }

    #[inline]
    fn set<'e>(&'e self, program: &Program, id: NodeId) -> &'e [u64] {
        match *program.node(id) {
            Node::BaseSet(set) => self.events.set(set),
            _ => &self.slots[id.index()],
        }
    }

    #[inline]
    fn rel<'e>(&'e self, program: &Program, id: NodeId) -> &'e [u64] {
        match *program.node(id) {
            Node::BaseRel(rel) => self.events.rel(rel),
            _ => &self.slots[id.index()],
        }
    }

    fn node(&mut self, program: &Program, id: NodeId) {
        let mut out = std::mem::take(&mut self.slots[id.index()]);
        let size = self.events.size;
        match *program.node(id) {
            Node::BaseSet(_) | Node::BaseRel(_) | Node::Variable(_) => {}
            Node::Operation(operation) => {
                out.clear();
                out.resize(size.words, 0);
                let of = self.events.operations.iter().enumerate();
                of.filter(|(_, of)| **of == operation)
                    .for_each(|(i, _)| crate::matrix::add(&mut out, i));
            }
            Node::SetUnion(a, b) => {
                join(&mut out, self.set(program, a), self.set(program, b), |a, b| a | b)
            }
            Node::SetAnd(a, b) => {
                join(&mut out, self.set(program, a), self.set(program, b), |a, b| a & b)
            }
            Node::SetMinus(a, b) => {
                join(&mut out, self.set(program, a), self.set(program, b), |a, b| a & !b)
            }
            Node::Domain(rel) => domain(size, &mut out, self.rel(program, rel)),
            Node::Range(rel) => range(size, &mut out, self.rel(program, rel)),
            Node::Union(a, b) => {
                join(&mut out, self.rel(program, a), self.rel(program, b), |a, b| a | b)
            }
            Node::And(a, b) => {
                join(&mut out, self.rel(program, a), self.rel(program, b), |a, b| a & b)
            }
            Node::Minus(a, b) => {
                join(&mut out, self.rel(program, a), self.rel(program, b), |a, b| a & !b)
            }
            node => {
                out.resize(size.cells(), 0);
                self.relation(program, node, &mut out);
            }
        }
        self.slots[id.index()] = out;
    }

    fn relation(&self, program: &Program, node: Node, out: &mut [u64]) {
        let size = self.events.size;
        match node {
            Node::Identity(set) => {
                out.fill(0);
                for i in bits(self.set(program, set)) {
                    crate::matrix::add(&mut out[i * size.words..(i + 1) * size.words], i);
                }
            }
            Node::Product(from, to) => {
                let (from, to) = (self.set(program, from), self.set(program, to));
                out.fill(0);
                for i in bits(from) {
                    out[i * size.words..(i + 1) * size.words].copy_from_slice(to);
                }
            }
            Node::From(set, rel) => {
                let (set, rel) = (self.set(program, set), self.rel(program, rel));
                out.fill(0);
                for i in bits(set) {
                    let row = i * size.words..(i + 1) * size.words;
                    out[row.clone()].copy_from_slice(&rel[row]);
                }
            }
            Node::To(rel, set) => {
                let (set, rel) = (self.set(program, set), self.rel(program, rel));
                let rows = out.chunks_exact_mut(size.words).zip(rel.chunks_exact(size.words));
                for (row, from) in rows {
                    for ((cell, &from), &to) in row.iter_mut().zip(from).zip(set) {
                        *cell = from & to;
                    }
                }
            }
            Node::Sequence(a, b) => size.sequence(out, self.rel(program, a), self.rel(program, b)),
            Node::Inverse(a) => size.inverse(out, self.rel(program, a)),
            Node::Plus(a) => {
                out.copy_from_slice(self.rel(program, a));
                size.close(out);
            }
            Node::Option(a) => {
                out.copy_from_slice(self.rel(program, a));
                for i in 0..size.n {
                    crate::matrix::add(&mut out[i * size.words..(i + 1) * size.words], i);
                }
            }
            _ => out.fill(0),
        }
    }
}

#[inline]
fn join(out: &mut Vec<u64>, a: &[u64], b: &[u64], with: impl Fn(u64, u64) -> u64) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(&a, &b)| with(a, b)));
}

fn domain(size: Size, out: &mut Vec<u64>, rel: &[u64]) {
    out.clear();
    out.resize(size.words, 0);
    for i in 0..size.n {
        if size.row(rel, i).iter().any(|&word| word != 0) {
            crate::matrix::add(out, i);
        }
    }
}

fn range(size: Size, out: &mut Vec<u64>, rel: &[u64]) {
    out.clear();
    out.resize(size.words, 0);
    for row in rel.chunks_exact(size.words) {
        out.iter_mut().zip(row).for_each(|(cell, &word)| *cell |= word);
    }
}
