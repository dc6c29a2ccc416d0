//! Random models on graphs to which an explorer could do what is done here: both evaluators must agree.

use super::CatModel;
use crate::Definition;
use norn_action::{Address, Image, Mode, ObjectKind, Place, ThreadId};
use norn_graph::{Event, EventId, EventKind, Flags, Graph, LocationId, Locations};
use norn_litmus::Random;
use norn_models::Model;
use std::sync::Arc;

const BASE: u64 = 0x1000;

/// Expressions that only win pairs when an execution grows.
struct Writer<'r>(&'r mut Random);

impl Writer<'_> {
    fn pick(&mut self, list: &[&str]) -> String {
        list[self.0.below(list.len())].to_owned()
    }

    fn base(&mut self) -> String {
        self.pick(&[
            "po", "rf", "co", "fr", "loc", "ext", "int", "id", "rmw", "po-loc", "rfe", "(W * R)",
        ])
    }

    fn set(&mut self, depth: usize) -> String {
        match self.0.below(if depth == 0 { 1 } else { 7 }) {
            0..3 => self.pick(&["R", "W", "F", "IW", "A", "SC", "NA", "SYNC", "M", "_"]),
            3 => format!("domain({})", self.rel(depth - 1)),
            4 => format!("range({})", self.rel(depth - 1)),
            5 => format!("({} | {})", self.set(depth - 1), self.set(depth - 1)),
            _ => {
                let operator = self.pick(&["&", "\\ SC &", "\\ IW &"]);
                format!("({} {operator} {})", self.set(depth - 1), self.set(depth - 1))
            }
        }
    }

    fn rel(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.base();
        }
        let depth = depth - 1;
        match self.0.below(12) {
            0 | 1 => format!("({} | {})", self.rel(depth), self.rel(depth)),
            2 | 3 => format!("({}; {})", self.rel(depth), self.rel(depth)),
            4 => format!("({} & {})", self.rel(depth), self.rel(depth)),
            5 => format!("({} \\ {})", self.rel(depth), self.base()),
            6 => format!("({}+)", self.rel(depth)),
            7 => format!("({}?)", self.rel(depth)),
            8 => format!("({}^-1)", self.rel(depth)),
            9 => format!("([{}]; {})", self.set(depth), self.rel(depth)),
            10 => format!("({}; [{}])", self.rel(depth), self.set(depth)),
            _ => format!("({} * {})", self.set(depth), self.set(depth)),
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::new();
        for property in ["acyclic", "irreflexive", "irreflexive", "empty"] {
            // What fails of two events already says little of larger graphs.
            let part = self.pick(&[
                "rf; [R]; po; [R]; fr; co",
                "co; rf; co; fr",
                "(po-loc; rf; co; po) & rf",
            ]);
            text += &format!("{property} ({}) & ({part} | {})\n", self.rel(3), self.rel(2));
        }
        if self.0.below(3) > 0 {
            text += &format!("let hb = ({} | po)+\n", self.rel(2));
        }
        if self.0.below(4) > 0 {
            let before = self.rel(2);
            text +=
                &format!("undefined_unless empty ({} & ext) \\ ({before} | A * A)\n", self.rel(2));
        }
        text
    }
}

/// Graphs, the last of which is at hand: those before it are those that it is a part of.
struct World {
    graphs: Vec<Graph>,
    locations: Locations,
    ids: Vec<LocationId>,
    threads: u32,
}

impl World {
    fn new(model: &mut CatModel, threads: u32) -> World {
        let mut graph = Graph::new(CatModel::LANES);
        let mut locations = Locations::default();
        let image = Image {
            start: Address(BASE),
            size: 64,
            kind: ObjectKind::Global,
            read_only: false,
            bytes: Vec::new(),
            undefined: Vec::new(),
            place: Place::NONE,
        };
        let id = graph.add_publish(ThreadId::MAIN, Arc::from([image]), Place::NONE);
        model.added(&mut graph, id);
        for thread in 1..=threads {
            let event = Event::new(EventKind::Spawn, Mode::Plain, Place::NONE);
            let id = graph.add_spawn(ThreadId::MAIN, event, ThreadId(thread));
            model.added(&mut graph, id);
        }
        let ids = (0..3).map(|i| locations.intern(Address(BASE + 16 * i), 4)).collect();
        World { graphs: vec![graph], locations, ids, threads }
    }

    fn graph(&mut self) -> &mut Graph {
        self.graphs.last_mut().expect("a graph")
    }

    /// Does something; the event that came by it, if one did.
    fn change(&mut self, model: &mut CatModel, dice: &mut Random) -> Option<EventId> {
        match dice.below(20) {
            0..13 => self.add(model, dice),
            13..15 => {
                let fixed = self.threads as usize + 1;
                let count = dice.below(5);
                for _ in 0..count {
                    if self.graph().len() > fixed {
                        pop(self.graph());
                    }
                }
                None
            }
            15..17 => {
                self.restrict(dice);
                None
            }
            17 if self.graphs.len() > 1 => {
                self.graphs.pop();
                None
            }
            18 => self.join(model, dice),
            _ => self.revisit(model, dice),
        }
    }

    fn thread(&mut self, dice: &mut Random) -> Option<ThreadId> {
        let thread = ThreadId(1 + dice.below(self.threads as usize) as u32);
        let graph = self.graph();
        let ended = graph.threads_last(thread).is_some_and(|last| last.kind == EventKind::Fault);
        (!ended && graph.spawned_by(thread).is_real()).then_some(thread)
    }

    fn access(&mut self, kind: EventKind, dice: &mut Random) -> Event {
        let modes = [Mode::Plain, Mode::Relaxed, Mode::Acquire, Mode::Release, Mode::SeqCst];
        let mut event = Event::new(kind, modes[dice.below(modes.len())], Place::NONE);
        if kind != EventKind::Fence {
            event.location = self.ids[dice.below(self.ids.len())];
            let table = self.locations.clone();
            assert!(self.graph().touch(event.location, &table));
        }
        event
    }

    fn add(&mut self, model: &mut CatModel, dice: &mut Random) -> Option<EventId> {
        let thread = self.thread(dice)?;
        let kinds = [EventKind::Read, EventKind::Write, EventKind::Fence];
        let which = dice.below(9);
        if which == 8 {
            let fault = Event::new(EventKind::Fault, Mode::Plain, Place::NONE);
            if dice.below(4) == 0 {
                // The model is not told of these.
                self.graph().add_other(thread, fault);
            }
            return None;
        }
        let mut event = self.access(kinds[(which / 3).min(2)], dice);
        let graph = self.graph();
        let id = match event.kind {
            EventKind::Read => {
                let count = graph.location(event.location).co.len() as u32;
                let source = graph.co_at(event.location, dice.below(count as usize + 1) as u32);
                let locked =
                    dice.below(4) == 0 && graph.taken_by(source, event.location) == EventId::NONE;
                if locked {
                    event.flags = event.flags.with(Flags::EXCLUSIVE);
                }
                let id = graph.add_read(thread, event, source);
                model.added(graph, id);
                if locked {
                    let at = graph.co_index(source) + 1;
                    let mut write = event;
                    write.kind = EventKind::Write;
                    let id = graph.add_write(thread, write, at);
                    model.added(graph, id);
                    return Some(id);
                }
                return Some(id);
            }
            EventKind::Write => {
                let at = 1 + dice.below(graph.location(event.location).co.len() + 1) as u32;
                graph.add_write(thread, event, at)
            }
            _ => graph.add_other(thread, event),
        };
        model.added(graph, id);
        (event.kind != EventKind::Fence).then_some(id)
    }

    /// Lets a thread come after all that another one has done.
    fn join(&mut self, model: &mut CatModel, dice: &mut Random) -> Option<EventId> {
        let thread = self.thread(dice)?;
        let other = ThreadId(1 + dice.below(self.threads as usize) as u32);
        let graph = self.graph();
        if other == thread || graph.thread_len(other) == 0 {
            return None;
        }
        let last = graph.last_of(other);
        let id = graph.add_other(thread, Event::join(other, Place::NONE));
        model.added(graph, id);
        graph.synchronise(id, last);
        None
    }

    /// A part of the graph at hand: its beginning, and what comes before some later event.
    fn restrict(&mut self, dice: &mut Random) {
        let graph = self.graph();
        let start = dice.below(graph.len()).max(2);
        let chosen = graph.order()[dice.below(graph.len())];
        let mut kept = vec![0; graph.thread_count()];
        let mut keep = |id: EventId| {
            for (kept, &known) in kept.iter_mut().zip(graph.clock(0, id)) {
                *kept = known.max(*kept);
            }
        };
        graph.order()[..start].iter().for_each(|&id| keep(id));
        keep(chosen);
        let mut part = Graph::new(CatModel::LANES);
        part.copy_restricted(graph, &kept);
        self.graphs.push(part);
    }

    /// A write, and a read of it that stands before it in the order of insertion.
    fn revisit(&mut self, model: &mut CatModel, dice: &mut Random) -> Option<EventId> {
        let (writer, reader) = (self.thread(dice)?, self.thread(dice)?);
        if writer == reader {
            return None;
        }
        let mut event = self.access(EventKind::Write, dice);
        let graph = self.graph();
        let at = graph.location(event.location).co.len() as u32 + 1;
        let write = graph.add_write(writer, event, at);
        model.added(graph, write);
        let before = match graph.thread_len(reader) {
            0 => graph.spawned_by(reader),
            _ => graph.last_of(reader),
        };
        let least = graph.event(before).stamp + 1;
        let stamp = least + dice.below((graph.len() as u32 - least) as usize + 1) as u32;
        event.kind = EventKind::Read;
        let id = graph.reinsert_read(reader, event, write, stamp);
        model.added(graph, id);
        if dice.below(2) == 0 {
            model.holds(graph, id);
            graph.take_out(id);
            return Some(write);
        }
        Some(id)
    }
}

/// What an explorer would take back, it takes back here, too, or most graphs would be inconsistent.
fn take_back(world: &mut World, model: &mut CatModel, steps: usize) {
    for _ in 0..steps {
        let graph = world.graph();
        if graph.len() <= 6 || model.is_consistent(graph) {
            return;
        }
        pop(graph);
    }
}

/// Takes the last event back, unless a read that stands before it reads from it.
fn pop(graph: &mut Graph) {
    let last = *graph.order().last().expect("an event");
    let event = graph.event(last);
    if !event.is_write() || graph.readers(last, event.location).next().is_none() {
        graph.pop();
    }
}

#[test]
fn both_evaluators_agree_on_what_grows_and_shrinks() {
    let (mut grown, mut consistent, mut races) = (0, 0, 0);
    for seed in 0..150 {
        let mut dice = Random::new(seed);
        let text = Writer(&mut dice).model();
        let definition = Definition::read("random.cat", &text, &mut |_| None)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut model = definition.instance();
        let mut plain = definition.instance();
        plain.growing = None;
        grown += usize::from(model.growing.is_some());
        let mut world = World::new(&mut model, 3);
        for _ in 0..120 {
            let event = world.change(&mut model, &mut dice);
            let graph = world.graph();
            let holds = model.is_consistent(graph);
            assert_eq!(holds, plain.compute(graph), "seed {seed}:\n{text}{graph:?}");
            if holds {
                consistent += 1;
                let pick = |dice: &mut Random| graph.order()[dice.below(graph.len())];
                let (one, other) = (pick(&mut dice), pick(&mut dice));
                let ordered = plain.computed_before(graph, one, other);
                assert_eq!(model.puts_before(graph, one, other), ordered, "seed {seed}:\n{text}");
                let access = event.filter(|&id| graph.thread_len(id.thread()) > id.position());
                if let Some(id) = access {
                    let race = plain.computed_race(graph, id).is_some();
                    assert_eq!(model.races_with(graph, id).is_some(), race, "seed {seed}:\n{text}");
                    races += usize::from(race);
                }
            } else {
                take_back(&mut world, &mut model, 4);
            }
        }
    }
    assert!(grown > 100 && consistent > 5000 && races > 200, "{grown} {consistent} {races}");
}
