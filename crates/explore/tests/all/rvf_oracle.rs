//! Random programs: the values that `rvf` lets reads have are those of the oracle's executions, and no class of
//! the reads-value-from equivalence is visited twice.

use crate::support::differential::{Collect, check_many_by, has};
use crate::support::explore_by;
use norn_action::FaultKind;
use norn_explore::{Aids, Algorithm, Summary};
use norn_litmus::{LitmusMachine, Program, Shape};
use norn_models::ModelName;
use norn_models::vsc::Heuristics;
use norn_oracle::{Event, EventId, Graph, Kind, Model, interleavings, is_consistent};
use std::collections::BTreeSet;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 1500;

/// The events of all threads, with their values.
type Events = Vec<Vec<Event>>;

/// What differs between `rvf` and the oracle, if anything does.
fn difference(program: &Program, model: ModelName) -> Option<String> {
    difference_with(program, model, Aids::default())
}

/// The same without what only saves time.
fn difference_unaided(program: &Program, model: ModelName) -> Option<String> {
    let verify = Heuristics { closure: false, guidance: false };
    difference_with(program, model, Aids { verify, signals: false })
}

fn difference_with(program: &Program, model: ModelName, aids: Aids) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let mut collect = Collect::new(&machine);
    let summary = explore_by(Algorithm::Rvf(aids), &machine, model, &mut collect);
    difference_of_values(program, &collect, &summary)
}

/// What differs between the values that were visited and those of the oracle.
pub(crate) fn difference_of_values(
    program: &Program,
    collect: &Collect<'_>,
    summary: &Summary,
) -> Option<String> {
    let visited = collect.complete.iter().chain(&collect.stuck);
    if let Some(wrong) = visited.clone().find(|graph| !is_consistent(Model::Sc, graph)) {
        return Some(format!("no interleaving has this:\n{}", wrong.describe(program)));
    }
    let mut classes = BTreeSet::new();
    if let Some(twice) = visited.clone().find(|graph| !classes.insert(class(graph))) {
        return Some(format!("visited twice:\n{}", twice.describe(program)));
    }
    let expected = norn_oracle::executions(program, Model::Sc).complete;
    let expected = expected.into_iter().map(|execution| execution.graph);
    let complete = differ(program, expected, &collect.complete);
    let deadlocks = interleavings(program).deadlocks;
    let reported = has(summary, FaultKind::Deadlock) || has(summary, FaultKind::Livelock);
    if complete.is_none() && reported == deadlocks.is_empty() {
        return Some(format!("somebody waits for ever: {reported} instead of {}", !reported));
    }
    complete.or_else(|| {
        let waiting = differ(program, deadlocks.into_keys(), &collect.stuck);
        waiting.map(|what| format!("waiting: {what}"))
    })
}

/// An execution whose values nobody has visited, or nobody should have.
fn differ(
    program: &Program,
    expected: impl Iterator<Item = Graph>,
    visited: &[Graph],
) -> Option<String> {
    let expected: Vec<Graph> = expected.collect();
    let values = |graphs: &[Graph]| -> BTreeSet<Events> {
        graphs.iter().map(|graph| graph.threads.clone()).collect()
    };
    let (known, seen) = (values(&expected), values(visited));
    let missing = expected.iter().find(|graph| !seen.contains(&graph.threads));
    let surplus = visited.iter().find(|graph| !known.contains(&graph.threads));
    let say = |what: &str, graph: &Graph| format!("{what}:\n{}", graph.describe(program));
    missing.map(|graph| say("missing", graph)).or(surplus.map(|graph| say("too much", graph)))
}

/// The class of an execution: its events with their values, and which reads causally precede which.
fn class(graph: &Graph) -> (Events, BTreeSet<(EventId, EventId)>) {
    let mut before: BTreeSet<(EventId, EventId)> = BTreeSet::new();
    let id = |thread: usize, index: usize| EventId { thread: thread as u32, index: index as u32 };
    let source = |read: EventId| graph.rf.iter().find(|(other, _)| *other == read)?.1;
    // A read comes after its source, but who is asked first does not matter: until nothing changes.
    loop {
        let count = before.len();
        for (thread, events) in graph.threads.iter().enumerate() {
            for (index, event) in events.iter().enumerate() {
                let mut direct: Vec<EventId> =
                    index.checked_sub(1).map(|i| id(thread, i)).into_iter().collect();
                direct.extend(source(id(thread, index)));
                if event.kind == Kind::Join {
                    let joined = graph.threads[event.value as usize].len();
                    direct.extend(joined.checked_sub(1).map(|last| id(event.value as usize, last)));
                }
                for earlier in direct {
                    let all: Vec<EventId> =
                        before.iter().filter(|pair| pair.1 == earlier).map(|pair| pair.0).collect();
                    let new = all.into_iter().chain([earlier]);
                    before.extend(new.map(|first| (first, id(thread, index))));
                }
            }
        }
        if before.len() == count {
            break;
        }
    }
    before.retain(|(a, b)| [a, b].iter().all(|&&id| graph.event(id).kind == Kind::Read));
    (graph.threads.clone(), before)
}

fn check(shape: &Shape) {
    check_many_by(PROGRAMS, shape, &[ModelName::Sc], &difference);
    check_many_by(PROGRAMS / 3, shape, &[ModelName::Sc], &difference_unaided);
}

#[test]
fn programs_of_reads_and_writes() {
    check(&Shape { rmws: false, ..Shape::seq_cst() });
}

#[test]
fn programs_with_everything_but_locks() {
    check(&Shape::default());
    check(&Shape::seq_cst());
}

#[test]
fn programs_with_locks() {
    check(&Shape { max_actions: 8, ..Shape::locks() });
}

#[test]
fn programs_with_assumptions() {
    check(&Shape { assumes: true, max_actions: 8, ..Shape::default() });
}

#[test]
fn programs_with_joins() {
    check(&Shape::joins());
}

#[test]
fn programs_with_semaphores() {
    check(&Shape::semaphores());
}

#[test]
fn programs_with_awaits() {
    check(&Shape::awaits());
}

#[test]
fn programs_with_everything_that_waits() {
    check(&Shape::waiting());
}
