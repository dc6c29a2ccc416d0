//! The evaluator for executions that grow and shrink by an event at a time, which is what explorers do to them.
//!
//! It says what [`crate::eval`] says of the same events, which the tests hold it to, and costs what an event changes:
//! `execution` finds out which events have come and gone, `relations` keeps the nodes of the model up to date, as
//! `plan` has worked out.

mod execution;
mod plan;
mod relations;
mod row;

use crate::ast::Property;
use crate::eval::Schedule;
use crate::model::Key;
use crate::program::{BaseRel, Node, NodeId, Program};
use crate::view::Operations;
use execution::{Execution, Named};
use norn_graph::{EventId, Graph};
use plan::{Plan, Side};
use row::Row;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many graphs are kept at hand: an explorer goes to a part of a graph and comes back.
const MOST: usize = 4;

/// Executions, in rows of as many bits as they need.
#[derive(Clone, Debug)]
enum Width {
    Narrow(Pool<1>),
    Middle(Pool<2>),
    Wide(Pool<4>),
    Widest(Pool<16>),
}

/// The executions of the graphs that were asked for most recently.
#[derive(Clone, Debug)]
struct Pool<const W: usize> {
    /// The one at hand first, the one that was not used for longest last.
    executions: Vec<Box<Execution<W>>>,
}

impl<const W: usize> Pool<W> {
    fn new(program: &Program, operations: &Operations) -> Pool<W> {
        Pool { executions: vec![Box::new(Execution::new(program, operations))] }
    }

    /// The one at hand.
    fn first(&mut self) -> &mut Execution<W> {
        &mut self.executions[0]
    }

    /// That of a graph: the one that has followed it, or else the one that is missed least.
    fn of(
        &mut self,
        graph: &Graph,
        program: &Program,
        operations: &Operations,
    ) -> &mut Execution<W> {
        let is_it = |execution: &Execution<W>| execution.has_followed(graph);
        if !is_it(&self.executions[0]) {
            let found = self.executions.iter().position(|execution| is_it(execution));
            if found.is_none() && self.executions.len() < MOST {
                self.executions.push(Box::new(Execution::new(program, operations)));
            }
            let index = found.unwrap_or(self.executions.len() - 1);
            self.executions[..=index].rotate_right(1);
        }
        &mut self.executions[0]
    }

    fn event_added(&mut self, graph: &Graph, event: EventId) {
        let found = self.executions.iter_mut().find(|execution| execution.has_followed(graph));
        if let Some(execution) = found {
            execution.event_added(event);
        }
    }
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    schedule: Arc<Schedule>,
    plan: Arc<Plan>,
    operations: Operations,
    width: Width,
    /// The graph that it was brought up to date with, if nothing has happened since.
    followed: Option<Key>,
}

/// The number of the next lineage of a graph.
static LINEAGES: AtomicU64 = AtomicU64::new(1);

/// Does the same with executions of whatever width.
macro_rules! with_width {
    ($width:expr, $pool:ident => $body:expr) => {
        match $width {
            Width::Narrow($pool) => $body,
            Width::Middle($pool) => $body,
            Width::Wide($pool) => $body,
            Width::Widest($pool) => $body,
        }
    };
}

impl Growing {
    /// None if the model is not one that this can compute.
    pub(crate) fn new(schedule: &Arc<Schedule>, operations: &Operations) -> Option<Growing> {
        let plan = Plan::of(&schedule.program, &schedule.tests().collect::<Vec<_>>())?;
        let width = Width::Narrow(Pool::new(&schedule.program, operations));
        let operations = operations.clone();
        let (schedule, plan) = (Arc::clone(schedule), Arc::new(plan));
        Some(Growing { schedule, plan, operations, width, followed: None })
    }

    /// Whether the graph is consistent; none if it is too large.
    pub(crate) fn is_consistent(&mut self, graph: &Graph) -> Option<bool> {
        self.follow(graph, true)
    }

    /// Says that an event was added to the graph.
    pub(crate) fn event_added(&mut self, graph: &mut Graph, event: EventId) {
        self.followed = None;
        with_width!(&mut self.width, pool => pool.event_added(graph, event));
        if graph.lineage() == 0 {
            graph.set_lineage(LINEAGES.fetch_add(1, Ordering::Relaxed));
        }
    }

    /// Brings all up to date.
    fn see(&mut self, graph: &Graph) -> Option<()> {
        if self.followed != Some(Key::of(graph)) {
            self.follow(graph, false)?;
        }
        Some(())
    }

    fn follow(&mut self, graph: &Graph, gives_up: bool) -> Option<bool> {
        let program = &self.schedule.program;
        let has_room = |width: &Width| Execution::<1>::most(graph) <= width.room();
        while !has_room(&self.width) {
            self.width = match self.width {
                Width::Narrow(_) => Width::Middle(Pool::new(program, &self.operations)),
                Width::Middle(_) => Width::Wide(Pool::new(program, &self.operations)),
                Width::Wide(_) => Width::Widest(Pool::new(program, &self.operations)),
                Width::Widest(_) => return None,
            };
        }
        let plan = &self.plan;
        let passes = with_width!(&mut self.width, pool => {
            pool.of(graph, program, &self.operations).follow(program, plan, graph, gives_up)
        });
        // What was given up is not there.
        self.followed = (passes || !gives_up).then(|| Key::of(graph));
        Some(passes)
    }

    /// What an event races with, in a consistent graph.
    pub(crate) fn race(&mut self, graph: &Graph, event: EventId) -> Option<Option<Named>> {
        self.see(graph)?;
        let (program, plan) = (&self.schedule.program, &self.plan);
        Some(with_width!(&mut self.width, pool => race(pool.first(), program, plan, event)))
    }

    /// Whether the model puts an event before another one. Events without a number stand between those of their
    /// thread that have one.
    pub(crate) fn ordered(
        &mut self,
        graph: &Graph,
        first: EventId,
        second: EventId,
    ) -> Option<bool> {
        self.see(graph)?;
        let program = &self.schedule.program;
        Some(with_width!(&mut self.width, pool => ordered(pool.first(), program, first, second)))
    }
}

impl Width {
    /// How many events it has room for.
    fn room(&self) -> usize {
        match self {
            Width::Narrow(_) => 64,
            Width::Middle(_) => 128,
            Width::Wide(_) => 256,
            Width::Widest(_) => 1024,
        }
    }
}

fn ordered<const W: usize>(
    execution: &mut Execution<W>,
    program: &Program,
    first: EventId,
    second: EventId,
) -> bool {
    let (starts, ends) = (execution.around(first, true), execution.around(second, false));
    let relations = &mut execution.relations;
    let leads = |from: Row<W>| from.meets(ends);
    if starts.meets(ends) {
        return true;
    }
    if let Some(hb) = program.hb {
        relations.settle(Side::of(program, hb, true));
        return starts.members().any(|i| leads(relations.look(program, hb, true, i)));
    }
    let checks = program.checks.iter().filter(|check| check.property == Property::Acyclic);
    checks.into_iter().any(|check| {
        relations.settle(Side::of(program, check.node, true));
        let steps = |i| relations.look(program, check.node, true, i);
        let next = starts.members().fold(Row::EMPTY, |all, i| all | steps(i));
        leads(relations.reach(program, check.node, next))
    })
}

/// Looks at the rows and columns of one event.
fn race<const W: usize>(
    execution: &mut Execution<W>,
    program: &Program,
    plan: &Plan,
    event: EventId,
) -> Option<Named> {
    let number = execution.number(event)?;
    if number + 1 < execution.len() {
        plan.looked.iter().for_each(|&side| execution.relations.settle(side));
    }
    let mut ends = std::mem::take(&mut execution.edges);
    ends.resize(program.nodes.len(), (Row::EMPTY, Row::EMPTY));
    for &edge in &plan.edges {
        ends[edge.index()] = edge_of(execution, program, plan, &ends, edge, number);
    }
    let found = program.races.iter().find_map(|race| {
        let (row, column) = look_at(execution, program, plan, &ends, race.node, number);
        // The order does not depend on that in which events were added.
        let first =
            |row: Row<W>| row.members().map(|number| execution.name(number)).min_by_key(key);
        first(row).or_else(|| first(column))
    });
    execution.edges = ends;
    found
}

/// Initial writes come first.
fn key(named: &Named) -> (bool, usize, Option<EventId>) {
    match *named {
        Err(location) => (false, location.index(), None),
        Ok(id) => (true, 0, Some(id)),
    }
}

type Ends<const W: usize> = (Row<W>, Row<W>);

/// The row and the column of an event in a relation.
fn look_at<const W: usize>(
    execution: &Execution<W>,
    program: &Program,
    plan: &Plan,
    ends: &[Ends<W>],
    id: NodeId,
    number: usize,
) -> Ends<W> {
    let twice = |row: Row<W>| (row, row);
    match *program.node(id) {
        _ if plan.is_edge[id.index()] => ends[id.index()],
        Node::BaseRel(BaseRel::Id) => twice(Row::one(number)),
        Node::BaseRel(BaseRel::Loc) => twice(execution.same(number)),
        Node::BaseRel(BaseRel::Int) => twice(execution.thread(number)),
        Node::BaseRel(BaseRel::Ext) => {
            twice(Row::below(execution.len()) & !execution.thread(number))
        }
        _ => {
            let look = |forward| execution.relations.look(program, id, forward, number);
            (look(true), look(false))
        }
    }
}

fn edge_of<const W: usize>(
    execution: &Execution<W>,
    program: &Program,
    plan: &Plan,
    ends: &[Ends<W>],
    id: NodeId,
    number: usize,
) -> Ends<W> {
    let of = |id: NodeId| look_at(execution, program, plan, ends, id, number);
    let set = |id: NodeId| execution.relations.set(id);
    let when = |is: bool, row: Row<W>| if is { row } else { Row::EMPTY };
    let both = |a: NodeId, b: NodeId, with: fn(Row<W>, Row<W>) -> Row<W>| {
        let (a, b) = (of(a), of(b));
        (with(a.0, b.0), with(a.1, b.1))
    };
    match *program.node(id) {
        Node::Identity(s) => {
            let own = when(set(s).has(number), Row::one(number));
            (own, own)
        }
        Node::Product(s, t) => (when(set(s).has(number), set(t)), when(set(t).has(number), set(s))),
        Node::Union(a, b) => both(a, b, |a, b| a | b),
        Node::And(a, b) => both(a, b, |a, b| a & b),
        Node::Minus(a, b) => both(a, b, |a, b| a & !b),
        Node::From(s, a) => {
            let (row, column) = of(a);
            (when(set(s).has(number), row), column & set(s))
        }
        Node::To(a, s) => {
            let (row, column) = of(a);
            (row & set(s), when(set(s).has(number), column))
        }
        Node::Inverse(a) => {
            let (row, column) = of(a);
            (column, row)
        }
        Node::Option(a) => {
            let (row, column) = of(a);
            (row | Row::one(number), column | Row::one(number))
        }
        _ => (Row::EMPTY, Row::EMPTY),
    }
}
