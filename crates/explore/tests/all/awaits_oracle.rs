//! Random programs: the classes of executions that `await` visits are those of the oracle's interleavings, each once,
//! where updates whose answers nobody looks at commute; executions in which somebody waits for ever or an
//! assumption fails included.
//!
//! The oracle knows nothing of what commutes. So that its graphs tell, updates of each kind have modes that
//! nothing else has; under sc, modes mean nothing.

use crate::support::differential::{canonical, check_many_by, has};
use norn_action::{Action, FaultKind, Machine, Mode, RmwOp};
use norn_explore::{Awaits, Conflicts, Explorer, Observer, Options, Summary, Visit};
use norn_litmus::{Body, LitmusMachine, Program, Shape, StatementKind};
use norn_models::{ModelName, Sc};
use norn_oracle::{Event, EventId, Graph, Kind, interleavings};
use std::collections::BTreeSet;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 1000;

/// What kinds of updates commute with each other, by the modes of their halves.
fn mode_of(op: RmwOp) -> Option<Mode> {
    match op {
        RmwOp::Add | RmwOp::Sub => Some(Mode::Relaxed),
        RmwOp::Or => Some(Mode::Release),
        RmwOp::And => Some(Mode::Acquire),
        RmwOp::Xor => Some(Mode::AcqRel),
        _ => None,
    }
}

/// Gives updates that commute modes of their own, and all else the same.
fn mark(body: &mut Body) {
    for statement in body {
        match &mut statement.kind {
            StatementKind::Rmw { register: None, op, mode, until: None, .. } => {
                *mode = mode_of(*op).unwrap_or(Mode::SeqCst);
            }
            StatementKind::Rmw { mode, .. }
            | StatementKind::Load { mode, .. }
            | StatementKind::Store { mode, .. } => *mode = Mode::SeqCst,
            StatementKind::CompareExchange { success, failure, .. } => {
                (*success, *failure) = (Mode::SeqCst, Mode::SeqCst);
            }
            StatementKind::If { then, otherwise, .. } => {
                mark(then);
                mark(otherwise);
            }
            _ => {}
        }
    }
}

/// Makes updates of every second store and read-modify-write that does not wait.
fn with_updates(program: &Program) -> Program {
    fn change(body: &mut Body, count: &mut u32) {
        for statement in body {
            *count += 1;
            let odd = *count % 2 == 1;
            match &mut statement.kind {
                StatementKind::Rmw { register, op, until: None, .. } if odd => {
                    *register = None;
                    *op = if *op == RmwOp::Exchange { RmwOp::Add } else { *op };
                }
                StatementKind::Store { location, value, .. } if odd => {
                    let (location, operand) = (*location, value.clone());
                    let (register, op, mode, until) = (None, RmwOp::Add, Mode::SeqCst, None);
                    statement.kind =
                        StatementKind::Rmw { register, location, op, operand, mode, until };
                }
                StatementKind::If { then, otherwise, .. } => {
                    change(then, count);
                    change(otherwise, count);
                }
                _ => {}
            }
        }
    }
    let mut program = program.clone();
    let mut count = 0;
    program.threads.iter_mut().for_each(|thread| change(&mut thread.body, &mut count));
    program
}

fn marked(program: &Program) -> Program {
    let mut program = program.clone();
    program.threads.iter_mut().for_each(|thread| mark(&mut thread.body));
    program
}

/// An access: its first event, whether it reads and writes, what commutes with it, and where in the order of
/// its location it stands: twice the place of the last write, and one more if it only reads.
struct AccessOf {
    id: EventId,
    writes: bool,
    class: Option<(Mode, Mode)>,
    location: u32,
    place: usize,
}

/// A class: the events, but what updates read and write, and the order of what conflicts.
type Class = (Vec<Vec<Event>>, BTreeSet<(EventId, EventId)>);

fn class(graph: &Graph, conflicts: Conflicts) -> Class {
    let mut threads = graph.threads.clone();
    let mut accesses = Vec::new();
    for (thread, events) in graph.threads.iter().enumerate() {
        for (index, event) in events.iter().enumerate() {
            let id = EventId { thread: thread as u32, index: index as u32 };
            let Some(location) = event.location else { continue };
            let second = event.kind == Kind::Write && event.exclusive;
            if second {
                continue;
            }
            let both = event.kind == Kind::Read && event.exclusive;
            let order = &graph.co[location.index()];
            let place_of = |write: EventId| {
                order.iter().position(|&other| other == write).map_or(0, |place| place + 1)
            };
            let (writes, place) = match event.kind {
                Kind::Read if both => (true, 2 * place_of(EventId { index: id.index + 1, ..id })),
                Kind::Read => {
                    let source = graph.rf.iter().find(|(read, _)| *read == id);
                    (false, 2 * source.and_then(|(_, write)| *write).map_or(0, place_of) + 1)
                }
                _ => (true, 2 * place_of(id)),
            };
            let modes = both.then(|| (event.mode, events[index + 1].mode));
            let class = modes.filter(|&(read, write)| {
                conflicts == Conflicts::Weak && (read, write) != (Mode::SeqCst, Mode::SeqCst)
            });
            if class.is_some() {
                threads[thread][index].value = 0;
                threads[thread][index + 1].value = 0;
            }
            accesses.push(AccessOf { id, writes, class, location: location.0, place });
        }
    }
    let mut order = BTreeSet::new();
    for a in &accesses {
        for b in accesses.iter().filter(|b| b.location == a.location && a.place < b.place) {
            let commute = a.class.is_some() && a.class == b.class;
            if (a.writes || b.writes) && !commute {
                order.insert((a.id, b.id));
            }
        }
    }
    (threads, order)
}

/// Collects what is visited, by how it ends.
struct Classes<'m> {
    machine: &'m LitmusMachine,
    complete: Vec<Graph>,
    stuck: Vec<Graph>,
    abandoned: Vec<Graph>,
}

impl<M: Machine> Observer<M> for Classes<'_> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        self.complete.push(canonical(self.machine, execution.graph, execution.locations));
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        let failed = execution.threads().any(|(_, _, action)| matches!(action, Action::Abandon(_)));
        let graph = canonical(self.machine, execution.graph, execution.locations);
        if failed { self.abandoned.push(graph) } else { self.stuck.push(graph) }
    }
}

/// What differs between what was visited and what there is.
fn differ(
    program: &Program,
    what: &str,
    conflicts: Conflicts,
    expected: impl Iterator<Item = Graph>,
    visited: &[Graph],
) -> Option<String> {
    let expected: Vec<Graph> = expected.collect();
    let known: BTreeSet<Class> = expected.iter().map(|graph| class(graph, conflicts)).collect();
    let mut seen = BTreeSet::new();
    let say =
        |how: &str, graph: &Graph| Some(format!("{what}: {how}:\n{}", graph.describe(program)));
    for graph in visited {
        let class = class(graph, conflicts);
        if !known.contains(&class) {
            return say("too much", graph);
        }
        if !seen.insert(class) {
            return say("visited twice", graph);
        }
    }
    let missing = expected.iter().find(|graph| !seen.contains(&class(graph, conflicts)));
    missing.and_then(|graph| say("missing", graph))
}

/// What differs between `await` and the oracle, if anything does.
pub(crate) fn difference(program: &Program, conflicts: Conflicts) -> Option<String> {
    let program = &marked(program);
    let machine = LitmusMachine::new(program.clone());
    let mut classes = Classes {
        machine: &machine,
        complete: Vec::new(),
        stuck: Vec::new(),
        abandoned: Vec::new(),
    };
    let options = Options { keep_going: true, ..Options::default() };
    let summary: Summary = Awaits::<_, Sc>::new(&machine, options, conflicts).run(&mut classes);
    if summary.figures.stale > 0 {
        return Some(format!("{} executions were cut off", summary.figures.stale));
    }
    let all = interleavings(program);
    let reported = has(&summary, FaultKind::Deadlock) || has(&summary, FaultKind::Livelock);
    if reported == all.deadlocks.is_empty() {
        return Some(format!("somebody waits for ever: {reported}"));
    }
    differ(program, "complete", conflicts, all.complete.into_keys(), &classes.complete)
        .or_else(|| {
            differ(program, "waiting", conflicts, all.deadlocks.into_keys(), &classes.stuck)
        })
        .or_else(|| {
            differ(program, "abandoned", conflicts, all.abandoned.into_keys(), &classes.abandoned)
        })
}

fn check(shape: &Shape) {
    let sc = [ModelName::Sc];
    check_many_by(PROGRAMS, shape, &sc, &|program, _| difference(program, Conflicts::Standard));
    check_many_by(PROGRAMS, shape, &sc, &|program, _| difference(program, Conflicts::Weak));
    check_many_by(PROGRAMS, shape, &sc, &|program, _| {
        difference(&with_updates(program), Conflicts::Weak)
    });
}

#[test]
fn programs_of_reads_and_writes() {
    check(&Shape { rmws: false, max_actions: 8, ..Shape::seq_cst() });
}

#[test]
fn programs_with_everything_but_locks() {
    check(&Shape { max_actions: 8, ..Shape::default() });
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
    check(&Shape { max_actions: 8, ..Shape::joins() });
}

#[test]
fn programs_with_semaphores() {
    check(&Shape { max_actions: 8, ..Shape::semaphores() });
}

#[test]
fn programs_with_awaits() {
    check(&Shape { max_actions: 8, ..Shape::awaits() });
}

/// Few locations, so that updates and those who wait for them meet.
#[test]
fn programs_with_awaits_of_one_location() {
    check(&Shape { max_locations: 1, max_actions: 7, max_threads: 5, ..Shape::awaits() });
}

#[test]
fn programs_with_everything_that_waits() {
    check(&Shape { max_actions: 8, ..Shape::waiting() });
    check(&Shape { max_locations: 1, max_actions: 8, ..Shape::waiting() });
}
