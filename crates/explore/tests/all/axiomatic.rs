//! A model need not know a floor: one that only judges whole graphs, by the axioms of the oracle, is
//! explored like one that finds its sources by clocks. What such a model lets a read see need not be an
//! interval of the coherence order.

use crate::support::differential::{Collect, check_many_by, difference_from_oracle};
use crate::support::engine::Distinguishes;
use crate::support::explore_by;
use norn_explore::{Algorithm, Explorer, Observer, Options, Trust, Visit};
use norn_graph::{EventId, EventKind, Graph};
use norn_litmus::{LitmusMachine, Program, Shape};
use norn_models::{About, C20, Model, ModelName, Named, Ra, Sc};
use norn_oracle::GraphBuilder;
use std::collections::BTreeSet;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 60;

/// A model by its axioms; clocks and races are those of `Mo`.
#[derive(Clone)]
struct Axiomatic<Mo>(Mo);

impl<Mo: Named> Named for Axiomatic<Mo> {
    const ABOUT: About = Mo::ABOUT;

    fn new() -> Self {
        Axiomatic(Mo::new())
    }
}

impl<Mo: Named> Model for Axiomatic<Mo> {
    const LANES: usize = Mo::LANES;
    const HB: usize = Mo::HB;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn added(&mut self, graph: &mut Graph, event: EventId) {
        self.0.added(graph, event);
    }

    fn holds(&mut self, graph: &Graph, _: EventId) -> bool {
        let model = norn_oracle::Model::from_name(Mo::ABOUT.name).expect("a model of the oracle");
        norn_oracle::is_consistent(model, &literal(graph))
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.0.ordered(graph, first, second)
    }
}

/// A graph that may not be complete yet, in the oracle's form.
fn literal(graph: &Graph) -> norn_oracle::Graph {
    literal_part(graph, &|_| true, EventId::NONE, EventId::NONE)
}

/// The part of a graph that is `kept`, in which `read` reads from `source`; if it is half of a read-modify-write, the other
/// half is kept, too.
fn literal_part(
    graph: &Graph,
    kept: &dyn Fn(EventId) -> bool,
    read: EventId,
    source: EventId,
) -> norn_oracle::Graph {
    let is_locked = read.is_real() && graph.has_exclusive_write(read);
    let own = is_locked.then(|| EventId::new(read.thread(), read.position() + 1));
    let kept = |id: EventId| kept(id) || Some(id) == own;
    let locations = graph.touched().iter().map(|location| location.index() + 1).max();
    let mut builder =
        GraphBuilder::new(graph.thread_count().saturating_sub(1), locations.unwrap_or(0));
    let name = |id: EventId| {
        id.is_real()
            .then(|| norn_oracle::EventId { thread: id.thread().0 - 1, index: id.position() })
    };
    for &id in graph.order() {
        let event = graph.event(id);
        if id.thread().index() == 0 || event.is_blocked() || !kept(id) {
            continue;
        }
        let thread = id.thread().index() - 1;
        let location = || norn_litmus::LocationId(event.location.0);
        let value = LitmusMachine::number(event.value);
        match event.kind {
            EventKind::Read => builder.read(
                thread,
                location(),
                value,
                event.mode,
                name(if id == read { source } else { event.rf }),
            ),
            EventKind::Write if event.is_exclusive() => {
                builder.exclusive_write(thread, location(), value, event.mode)
            }
            EventKind::Write => builder.write(thread, location(), value, event.mode),
            EventKind::Fence => builder.fence(thread, event.mode),
            EventKind::Join => builder.join(thread, event.target().index() - 1),
            other => panic!("{other:?} in a litmus thread"),
        };
    }
    for &id in graph.touched() {
        let co = graph.location(id).co.iter().copied();
        let mut co: Vec<EventId> = co.filter(|&write| kept(write) && Some(write) != own).collect();
        if let Some(own) = own.filter(|&own| graph.event(own).location == id) {
            let at = co.iter().position(|&write| write == source).map_or(0, |at| at + 1);
            co.insert(at, own);
        }
        let co = co.into_iter().filter_map(name);
        builder.coherence(norn_litmus::LocationId(id.0), co);
    }
    builder.build()
}

fn difference<Mo: Named>(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let mut collect = Collect::new(&machine);
    let options = Options { keep_going: true, ..Options::default() };
    let summary = Trust::<_, Axiomatic<Mo>>::new(&machine, options).run(&mut collect);
    difference_from_oracle(Distinguishes::Graphs, program, model, collect, &summary)
}

#[test]
fn sources_need_not_come_from_a_floor() {
    let shapes = [
        Shape { max_actions: 8, ..Shape::default() },
        Shape::seq_cst(),
        Shape { max_actions: 8, ..Shape::locks() },
    ];
    for shape in shapes {
        check_many_by(PROGRAMS, &shape, &[ModelName::Sc], &difference::<Sc>);
        check_many_by(PROGRAMS, &shape, &[ModelName::Ra], &difference::<Ra>);
        check_many_by(PROGRAMS, &shape, &[ModelName::C20], &difference::<C20>);
    }
}

/// What depends on `read`: found by going along program order and reads-from, without any clock.
fn dependents(graph: &Graph, read: EventId) -> BTreeSet<EventId> {
    let mut found = BTreeSet::from([read]);
    loop {
        let follows = |id: &EventId| {
            let event = graph.event(*id);
            let above = id.position().checked_sub(1).map(|at| EventId::new(id.thread(), at));
            let last = |thread| graph.last_of(thread);
            above.is_some_and(|above| found.contains(&above))
                || event.is_read() && found.contains(&event.rf)
                || event.kind == EventKind::Join && found.contains(&last(event.target()))
        };
        let more: Vec<EventId> = graph.order().iter().copied().filter(follows).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// Compares what reads of all executions could have read instead with what the axioms say.
struct Instead {
    model: norn_oracle::Model,
    instead: norn_models::Instead,
    reads: u64,
    others: u64,
}

impl Observer<LitmusMachine> for Instead {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        let graph = execution.graph;
        for &read in graph.order().iter().filter(|&&id| graph.event(id).is_read()) {
            let left_out = dependents(graph, read);
            let location = graph.location(graph.event(read).location);
            let kept = |id: EventId| id == read || !left_out.contains(&id);
            let may = |source: &EventId| {
                *source != graph.event(read).rf
                    && (*source == EventId::INIT || kept(*source))
                    && norn_oracle::is_consistent(
                        self.model,
                        &literal_part(graph, &kept, read, *source),
                    )
            };
            let sources = [EventId::INIT].into_iter().chain(location.co.iter().copied());
            let expected: Vec<EventId> = sources.filter(may).collect();
            let found = (self.instead)(graph, execution.locations, read);
            assert_eq!(found, expected, "{read} of {:?}", literal(graph));
            self.reads += 1;
            self.others += found.len() as u64;
        }
    }
}

#[test]
fn what_a_read_could_have_read_instead_is_what_the_axioms_say() {
    let shapes = [Shape { max_actions: 8, ..Shape::default() }, Shape::seq_cst(), Shape::joins()];
    for name in ModelName::ALL {
        let model = norn_oracle::Model::from_name(name.name()).expect("a model of the oracle");
        let instead = name.facts().instead.expect("it is built in");
        let mut all = Instead { model, instead, reads: 0, others: 0 };
        for (seed, shape) in (0..PROGRAMS).flat_map(|seed| shapes.iter().map(move |s| (seed, s))) {
            let machine = LitmusMachine::new(norn_litmus::generate(seed, shape));
            explore_by(Algorithm::Trust, &machine, name, &mut all);
        }
        let (reads, others) = (all.reads, all.others);
        assert!(reads > 1000 && others > reads / 20, "{name}: {others} others of {reads} reads");
    }
}
