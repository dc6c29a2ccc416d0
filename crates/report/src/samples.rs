//! Violations for tests: executions of random litmus tests, as if each were one.

use norn_action::{Claim, Fault, Place, ThreadId};
use norn_explore::{Explorer, Observer, Options, Trust, Violation, Visit};
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::Named;
use std::sync::Arc;

/// Keeps the first executions of a search as violations that are about everything.
#[derive(Default)]
struct Collector(Vec<Violation>);

impl Observer<LitmusMachine> for Collector {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        if self.0.len() < 20 {
            self.0.push(Violation {
                fault: Fault::new(Claim::Condition, Place::NONE),
                thread: ThreadId::MAIN,
                event: None,
                other: None,
                waiting: Vec::new(),
                graph: execution.graph.clone(),
                locations: Arc::new(execution.locations.clone()),
                after: 0,
                beyond_bound: false,
                at: norn_explore::Position::default(),
            });
        }
    }
}

/// The first executions of a random program.
pub(crate) fn executions<Mo: Named>(seed: u64) -> Vec<Violation> {
    let machine = LitmusMachine::new(generate(seed, &Shape::default()));
    let options = Options { keep_going: true, max_executions: Some(1000), ..Options::default() };
    let mut collector = Collector::default();
    Trust::<_, Mo>::new(&machine, options).run(&mut collector);
    collector.0
}
