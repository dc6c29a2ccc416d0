//! The litmus machine means what the oracle means: run through its actions in every order, it gives
//! the oracle's interleavings.

use norn_action::{Access, Action, Rmw, Saving, ThreadId, Value};
use norn_litmus::{FinalState, LitmusMachine, LitmusThread, Shape, generate, print};
use norn_oracle::{EventId, Graph, GraphBuilder, interleavings};
use std::collections::{BTreeMap, BTreeSet};

/// A sequentially consistent run of a machine, up to here.
#[derive(Clone)]
struct Run<'a> {
    machine: &'a LitmusMachine,
    threads: Vec<(LitmusThread, Action)>,
    graph: GraphBuilder,
    memory: BTreeMap<u64, (Value, Option<EventId>)>,
    co: BTreeMap<u64, Vec<EventId>>,
}

#[derive(Default, PartialEq, Debug)]
struct Found {
    complete: BTreeSet<(Graph, FinalState)>,
    deadlocks: BTreeSet<(Graph, FinalState)>,
    abandoned: BTreeSet<(Graph, FinalState)>,
}

impl<'a> Run<'a> {
    /// The state after the main thread has ended.
    fn new(machine: &'a LitmusMachine) -> Run<'a> {
        let (mut main, mut action) = machine.start();
        let program = machine.program();
        let mut run = Run {
            machine,
            threads: Vec::new(),
            graph: GraphBuilder::new(program.threads.len(), program.locations.len()),
            memory: BTreeMap::new(),
            co: BTreeMap::new(),
        };
        loop {
            let answer = match &action {
                Action::Publish(images, _) => {
                    for image in images.iter() {
                        let (value, defined) = image.read(image.start, 4);
                        assert_eq!(defined, 0);
                        run.memory.insert(image.start.0, (Value(value), None));
                    }
                    Value::ZERO
                }
                Action::Spawn { index, .. } => {
                    let child = ThreadId(index + 1);
                    run.threads.push(machine.spawn(&main, child));
                    Value::from(u64::from(child.0))
                }
                Action::Finish(_) => return run,
                other => panic!("the main thread takes {other:?}"),
            };
            action = machine.resume(&mut main, answer);
        }
    }

    fn can_move(&self, thread: usize) -> bool {
        match &self.threads[thread].1 {
            Action::Rmw(Rmw { access, test: Some(test), wait: Some(_), .. })
            | Action::Load(access, Some((test, _))) => {
                test.holds(self.memory[&access.address.0].0, access.size)
            }
            Action::Join { thread, .. } => {
                matches!(self.threads[thread.index() - 1].1, Action::Finish(_))
            }
            action => !action.is_final(),
        }
    }

    fn take_step(&mut self, thread: usize) {
        let answer = match self.threads[thread].1.clone() {
            Action::Load(access, _) => self.read(thread, &access),
            Action::Store(access, value) => {
                self.write(thread, &access, value, false);
                Value::ZERO
            }
            Action::Rmw(rmw) => self.update(thread, &rmw),
            Action::Fence(mode, _) => {
                self.graph.fence(thread, mode);
                Value::ZERO
            }
            Action::Join { thread: other, .. } => {
                self.graph.join(thread, other.index() - 1);
                Value::ZERO
            }
            other => panic!("a litmus thread takes {other:?}"),
        };
        let (state, action) = &mut self.threads[thread];
        *action = self.machine.resume(state, answer);
    }

    fn update(&mut self, thread: usize, rmw: &Rmw) -> Value {
        let old = self.memory[&rmw.access.address.0].0;
        let writes = rmw.test.is_none_or(|test| test.holds(old, rmw.access.size));
        let mode = if writes { rmw.access.mode } else { rmw.failure_mode };
        self.read(thread, &Access { mode: mode.of_read(), ..rmw.access });
        if writes {
            let new = rmw.op.apply(old, rmw.operand, rmw.access.size);
            self.write(thread, &Access { mode: mode.of_write(), ..rmw.access }, new, true);
        }
        old
    }

    fn read(&mut self, thread: usize, access: &Access) -> Value {
        let location = self.machine.location(access.address).unwrap();
        let (value, writer) = self.memory[&access.address.0];
        self.graph.read(thread, location, LitmusMachine::number(value), access.mode, writer);
        value
    }

    fn write(&mut self, thread: usize, access: &Access, value: Value, exclusive: bool) {
        let location = self.machine.location(access.address).unwrap();
        let number = LitmusMachine::number(value);
        let id = if exclusive {
            self.graph.exclusive_write(thread, location, number, access.mode)
        } else {
            self.graph.write(thread, location, number, access.mode)
        };
        self.memory.insert(access.address.0, (value, Some(id)));
        self.co.entry(access.address.0).or_default().push(id);
    }

    fn explore(self, found: &mut Found) {
        let movable: Vec<usize> =
            (0..self.threads.len()).filter(|&thread| self.can_move(thread)).collect();
        for &thread in &movable {
            let mut next = self.clone();
            next.take_step(thread);
            next.explore(found);
        }
        if movable.is_empty() {
            self.record(found);
        }
    }

    fn record(mut self, found: &mut Found) {
        for (address, writes) in &self.co {
            let location = self.machine.location(norn_action::Address(*address)).unwrap();
            self.graph.coherence(location, writes.iter().copied());
        }
        let threads = self.threads.iter().map(|(thread, _)| thread);
        let state = self.machine.final_state(threads, |_, address| self.memory[&address.0].0);
        let actions = || self.threads.iter().map(|(_, action)| action);
        let list = if actions().any(|action| matches!(action, Action::Abandon(_))) {
            &mut found.abandoned
        } else if actions().all(Action::is_final) {
            &mut found.complete
        } else {
            &mut found.deadlocks
        };
        list.insert((self.graph.build(), state));
    }
}

#[test]
fn the_machine_agrees_with_the_oracle() {
    let small = |shape: Shape| Shape { max_actions: 7, max_threads: 3, ..shape };
    let locks = Shape { max_actions: 8, assumes: true, ..Shape::locks() };
    let waiting = Shape { max_actions: 8, assumes: true, ..Shape::waiting() };
    for shape in [small(Shape::default()), locks, small(Shape::semaphores()), waiting] {
        for seed in 0..300 {
            let program = generate(seed, &shape);
            let machine = LitmusMachine::new(program.clone());
            let mut found = Found::default();
            Run::new(&machine).explore(&mut found);
            let expected = interleavings(&program);
            let set = |map: BTreeMap<Graph, norn_oracle::Scheduled>| {
                map.into_iter().map(|(graph, scheduled)| (graph, scheduled.state)).collect()
            };
            let expected = Found {
                complete: set(expected.complete),
                deadlocks: set(expected.deadlocks),
                abandoned: set(expected.abandoned),
            };
            assert_eq!(found, expected, "{}", print(&program));
        }
    }
}
