//! Searching litmus tests under models of files and under those that are built in.

use norn_action::{FaultKind, Machine};
use norn_cat::Definition;
use norn_explore::{
    Algorithm, Explorer, ExplorerVisitor, Observer, Options, Summary, Trust, Visit,
};
use norn_graph::{EventId, Graph};
use norn_litmus::{LitmusMachine, Program};
use norn_models::ModelName;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the project lies.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The model of a file of the project.
pub fn definition(path: &str) -> Definition {
    let text = std::fs::read_to_string(root().join(path)).expect("the model");
    Definition::read(path, &text, &mut |_| None).unwrap_or_else(|error| panic!("{error}"))
}

/// The litmus tests of a folder.
pub fn litmus_tests(folder: &Path) -> Vec<(String, Program)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the litmus tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "litmus") {
            let text = std::fs::read_to_string(&path).expect("the test");
            let program = norn_litmus::read(&text).expect("a litmus test");
            all.push((path.display().to_string(), program));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// What a search has visited: the executions that ended, how often each, and those that did not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub complete: BTreeMap<String, u32>,
    pub blocked: BTreeMap<String, u32>,
    pub races: bool,
    pub waits: bool,
}

impl<M: Machine> Observer<M> for Seen {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        *self.complete.entry(describe(execution)).or_default() += 1;
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        *self.blocked.entry(describe(execution)).or_default() += 1;
    }
}

/// The events with their values and sources, and the coherence orders.
fn describe<M: Machine>(execution: &Visit<'_, M>) -> String {
    let graph = execution.graph;
    let mut parts: Vec<String> = (graph.order().iter())
        .map(|&id| {
            let event = graph.event(id);
            let source = if event.is_read() { name(graph, event.rf) } else { String::new() };
            format!("{}:{:?}:{}:{source}", name(graph, id), event.kind, event.value)
        })
        .collect();
    parts.sort();
    let mut orders: Vec<String> = (graph.touched().iter())
        .map(|&id| {
            let address = execution.locations.info(id).address;
            let co = graph.location(id).co.iter().map(|&write| name(graph, write));
            format!("{address}:{}", co.collect::<Vec<_>>().join(" "))
        })
        .collect();
    orders.sort();
    parts.append(&mut orders);
    parts.join("\n")
}

fn name(_: &Graph, id: EventId) -> String {
    id.to_string()
}

impl Seen {
    fn finish(mut self, summary: &Summary) -> Seen {
        let has = |kind| summary.violations.iter().any(|violation| violation.fault.kind() == kind);
        self.races = has(FaultKind::DataRace);
        self.waits = has(FaultKind::Deadlock) || has(FaultKind::Livelock);
        self
    }
}

fn options() -> Options {
    Options { keep_going: true, ..Options::default() }
}

/// What `trust` visits under a model of a file.
pub fn under(definition: &Definition, program: &Program) -> Seen {
    let machine = LitmusMachine::new(program.clone());
    let mut seen = Seen::default();
    let summary = Trust::under(definition.instance(), &machine, options()).run(&mut seen);
    assert!(!definition.got_stuck(), "{} is extensible", definition.name());
    seen.finish(&summary)
}

/// What `trust` visits under a model that is built in.
pub fn built_in(model: ModelName, program: &Program) -> Seen {
    struct Alone(Seen);

    impl ExplorerVisitor<LitmusMachine> for Alone {
        type Output = Seen;

        fn visit<E: Explorer<LitmusMachine>>(mut self, explorer: impl Fn() -> E) -> Seen {
            let summary = explorer().run(&mut self.0);
            self.0.finish(&summary)
        }
    }

    let machine = LitmusMachine::new(program.clone());
    let visitor = Alone(Seen::default());
    let found = Algorithm::Trust.with(model, &machine, &options(), visitor);
    found.expect("trust knows all models")
}
