//! A model need not know a floor: one that only judges whole graphs, by the axioms of the oracle, is
//! explored like one that finds its sources by clocks. What such a model lets a read see need not be an
//! interval of the coherence order.

use crate::support::differential::{Collect, check_many_by, difference_from_oracle};
use crate::support::engine::Distinguishes;
use norn_explore::{Explorer, Options, Trust};
use norn_graph::{EventId, EventKind, Graph};
use norn_litmus::{LitmusMachine, Program, Shape};
use norn_models::{About, C20, Model, ModelName, Named, Ra, Sc};
use norn_oracle::GraphBuilder;

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
    let locations = graph.touched().iter().map(|location| location.index() + 1).max();
    let mut builder =
        GraphBuilder::new(graph.thread_count().saturating_sub(1), locations.unwrap_or(0));
    let name = |id: EventId| {
        id.is_real()
            .then(|| norn_oracle::EventId { thread: id.thread().0 - 1, index: id.position() })
    };
    for &id in graph.order() {
        let event = graph.event(id);
        if id.thread().index() == 0 || event.is_blocked() {
            continue;
        }
        let thread = id.thread().index() - 1;
        let location = || norn_litmus::LocationId(event.location.0);
        let value = LitmusMachine::number(event.value);
        match event.kind {
            EventKind::Read => builder.read(thread, location(), value, event.mode, name(event.rf)),
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
        let co = graph.location(id).co.iter().filter_map(|&write| name(write));
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
