//! Random programs: for how long, and graphs in the oracle's form.

use norn_graph::{EventId, EventKind, Graph, Locations};
use norn_litmus::LitmusMachine;
use norn_oracle::GraphBuilder;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Runs `check` for that many seeds, or for as long as the environment says.
pub fn for_each_seed(programs: u64, check: impl Fn(u64)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("NORN_FUZZ_SECONDS") {
        None => (0..programs).for_each(check),
        Some(seconds) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
            let first = number("NORN_FUZZ_SEED").unwrap_or(now.as_nanos() as u64);
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut done = 0;
            while Instant::now() < end {
                check(first.wrapping_add(done));
                done += 1;
            }
            println!("{done} programs from seed {first}");
        }
    }
}

/// The graph without the main thread, in the oracle's form.
pub fn canonical(
    machine: &LitmusMachine,
    graph: &Graph,
    locations: &Locations,
) -> norn_oracle::Graph {
    let program = machine.program();
    let mut builder = GraphBuilder::new(program.threads.len(), program.locations.len());
    let name = |id: EventId| {
        id.is_real()
            .then(|| norn_oracle::EventId { thread: id.thread().0 - 1, index: id.position() })
    };
    for &id in graph.order() {
        let thread = id.thread().index();
        if thread == 0 {
            continue;
        }
        let event = graph.event(id);
        let location =
            || machine.location(locations.info(event.location).address).expect("a shared location");
        let value = LitmusMachine::number(event.value);
        match event.kind {
            EventKind::Read => {
                builder.read(thread - 1, location(), value, event.mode, name(event.rf))
            }
            EventKind::Write if event.is_exclusive() => {
                builder.exclusive_write(thread - 1, location(), value, event.mode)
            }
            EventKind::Write => builder.write(thread - 1, location(), value, event.mode),
            EventKind::Fence => builder.fence(thread - 1, event.mode),
            other => panic!("{other:?} in a litmus thread"),
        };
    }
    for &id in graph.touched() {
        let location = machine.location(locations.info(id).address).expect("a shared location");
        builder.coherence(location, graph.location(id).co.iter().filter_map(|&w| name(w)));
    }
    builder.build()
}
