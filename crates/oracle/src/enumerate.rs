//! All executions of a program under a model.
//!
//! For every combination of paths through the threads, every choice of a source for every read and
//! every coherence order, the axioms decide. What is cut short, and why every model implies it:
//!
//! 1. `po | joined | rf` must be acyclic: ra and rc11 say so; sc contains it; in tso and pso a cycle in
//!    it has only reads at the ends of `rf` edges, and what follows a read in `po` is in `ppo` (an
//!    internal `rf` against `po` breaks coherence), while all that a join orders is in the global
//!    order. So threads can be run in an order in which each read comes after the write it reads
//!    from, and each join after the end of the thread.
//! 2. Coherence of each location, `acyclic (po & loc | rf | co | rb)` on its accesses: part of sc,
//!    tso and pso, and implied by `irreflexive (hb; eco)` and `irreflexive (rmw; eco)`, since `po` is
//!    in `hb` and every path of the other three relations is an `eco` edge.
//! 3. The write of a read-modify-write is right after the write it read from in `co`: atomicity
//!    together with coherence. So no two of them read from the same write.

use crate::axioms::{Axioms, Model};
use crate::graph::{Event, EventId, Graph, Kind};
use crate::paths::{Obstacle, Path, PathEnd, Step, Written, paths, update};
use crate::relation::Relation;
use crate::skeleton::Skeleton;
use norn_litmus::{FinalState, LocationId, LocationKind, Program};

/// A consistent execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Execution {
    /// Events, `rf` and `co`.
    pub graph: Graph,
    /// What the registers and the memory hold at the end.
    pub state: FinalState,
    /// Whether it has a data race (never under sc, tso, pso).
    pub racy: bool,
}

/// The consistent executions of a program, each once.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// Every thread ends.
    pub complete: Vec<Execution>,
    /// Some thread waits for ever, and the others have ended or wait too. A thread that waits for a
    /// value waits for ever if the last write in coherence order does not pass its test.
    pub blocked: Vec<Execution>,
    /// Some assumption fails; the other threads run on as far as they can.
    pub abandoned: Vec<Execution>,
}

/// Enumerates the executions of `program` that `model` allows.
pub fn executions(program: &Program, model: Model) -> Enumeration {
    enumerate(program, model, true)
}

/// Without `prune`, 2 and 3 of the header are left to the axioms; the result must be the same.
fn enumerate(program: &Program, model: Model, prune: bool) -> Enumeration {
    let mut found = Enumeration::default();
    let choices: Vec<Vec<Path>> = (program.threads.iter().enumerate())
        .map(|(number, thread)| paths(thread, lock_value(number)))
        .collect();
    let mut chosen = Vec::new();
    for_each_combination(&choices, &mut chosen, &mut |paths| {
        if waits_are_plausible(program, paths) {
            let combination = Combination::new(program, model, paths);
            Combination { prune, ..combination }.search(&mut found);
        }
    });
    found
}

/// What a litmus thread writes to a mutex that it takes: never 0, different for each thread.
pub fn lock_value(thread: usize) -> i32 {
    thread as i32 + 2
}

fn for_each_combination<'a>(
    choices: &'a [Vec<Path>],
    chosen: &mut Vec<&'a Path>,
    visit: &mut dyn FnMut(&[&'a Path]),
) {
    match choices.get(chosen.len()) {
        None => visit(chosen),
        Some(alternatives) => {
            for path in alternatives {
                chosen.push(path);
                for_each_combination(choices, chosen, visit);
                chosen.pop();
            }
        }
    }
}

/// A thread can only wait for a mutex that is taken more often than it is freed; a join is taken if
/// its thread ends and waited at if it does not.
fn waits_are_plausible(program: &Program, paths: &[&Path]) -> bool {
    let finishes = |thread: i32| paths[thread as usize].end == PathEnd::Finished;
    let is_mutex = |at: LocationId| program.locations[at.index()].kind == LocationKind::Mutex;
    let events = || paths.iter().flat_map(|path| &path.events);
    let ends_are = paths.iter().all(|path| match path.end {
        PathEnd::Waiting(Obstacle::Value(mutex, _)) if is_mutex(mutex) => {
            let writes =
                events().filter(|event| event.kind == Kind::Write && event.location == Some(mutex));
            writes.map(|event| if event.exclusive { 1 } else { -1 }).sum::<i32>() > 0
        }
        PathEnd::Waiting(Obstacle::Thread(thread)) => !finishes(thread as i32),
        _ => true,
    });
    ends_are && events().all(|event| event.kind != Kind::Join || finishes(event.value))
}

/// One path per thread: the events are fixed.
struct Combination<'a> {
    program: &'a Program,
    model: Model,
    paths: &'a [&'a Path],
    skeleton: Skeleton,
    /// All events by number; values are 0.
    events: Vec<Event>,
    names: Vec<EventId>,
    /// Per location, the numbers of its writes; the initial one comes last.
    writes: Vec<Vec<usize>>,
    prune: bool,
}

/// How far the values are known for the sources chosen so far.
#[derive(Clone)]
struct Progress {
    threads: Vec<ThreadProgress>,
    /// Per event: the value read or written, once known. Initial writes included.
    values: Vec<Option<i32>>,
    /// Per event: the source of a read, once chosen.
    sources: Vec<Option<usize>>,
}

#[derive(Clone)]
struct ThreadProgress {
    step: usize,
    /// Number of the next event.
    event: usize,
    registers: Vec<i32>,
    last: i32,
}

/// The guesses contradict each other.
struct Contradiction;

impl<'a> Combination<'a> {
    fn new(program: &'a Program, model: Model, paths: &'a [&'a Path]) -> Combination<'a> {
        let locations = program.locations.len();
        let skeleton = Skeleton::new(paths.iter().map(|path| &path.events[..]), locations);
        let events: Vec<Event> = paths.iter().flat_map(|path| &path.events).copied().collect();
        let name = |(thread, index)| EventId { thread: thread as u32, index: index as u32 };
        let names = (paths.iter().enumerate())
            .flat_map(|(thread, path)| (0..path.events.len()).map(move |i| name((thread, i))))
            .collect();
        let mut writes = vec![Vec::new(); locations];
        for (number, event) in events.iter().enumerate() {
            if let (Kind::Write, Some(location)) = (event.kind, event.location) {
                writes[location.index()].push(number);
            }
        }
        for (location, writes) in writes.iter_mut().enumerate() {
            writes.push(skeleton.init_start + location);
        }
        Combination { program, model, paths, skeleton, events, names, writes, prune: true }
    }

    fn search(&self, found: &mut Enumeration) {
        let thread = |(number, thread): (usize, &norn_litmus::Thread)| ThreadProgress {
            step: 0,
            event: self.skeleton.starts[number],
            registers: thread.registers.iter().map(|register| register.initial).collect(),
            last: 0,
        };
        let mut values = vec![None; self.skeleton.size];
        for (location, declared) in self.program.locations.iter().enumerate() {
            values[self.skeleton.init_start + location] = Some(declared.initial);
        }
        let progress = Progress {
            threads: self.program.threads.iter().enumerate().map(thread).collect(),
            values,
            sources: vec![None; self.skeleton.size],
        };
        self.choose_sources(progress, found);
    }

    /// Runs the threads as far as the chosen sources allow, then tries every source for one read.
    fn choose_sources(&self, mut progress: Progress, found: &mut Enumeration) {
        if self.advance(&mut progress).is_err() {
            return;
        }
        if (0..self.paths.len()).all(|thread| self.has_ended(&progress, thread)) {
            return self.choose_coherence(&progress, found);
        }
        let mut reads = (progress.threads.iter().zip(self.paths))
            .filter(|(thread, path)| matches!(path.steps.get(thread.step), Some(Step::Read)))
            .map(|(thread, _)| thread.event);
        // No read without a source left: the threads wait for each other in a cycle (1).
        let Some(read) = reads.find(|&read| progress.sources[read].is_none()) else { return };
        let location = self.events[read].location.expect("a read has a location");
        for &write in &self.writes[location.index()] {
            if self.may_read_from(&progress, read, write) {
                let mut progress = progress.clone();
                progress.sources[read] = Some(write);
                self.choose_sources(progress, found);
            }
        }
    }

    fn has_ended(&self, progress: &Progress, thread: usize) -> bool {
        progress.threads[thread].step == self.paths[thread].steps.len()
    }

    /// Not a write that follows the read in `po` (1), nor, for the read of a read-modify-write, one
    /// that another such read took (3).
    fn may_read_from(&self, progress: &Progress, read: usize, write: usize) -> bool {
        let takes =
            |other: usize| self.events[other].exclusive && progress.sources[other] == Some(write);
        let exclusive = self.prune && self.events[read].exclusive;
        let taken = exclusive && (0..self.events.len()).any(takes);
        !self.skeleton.po.has(read, write) && !taken
    }

    fn advance(&self, progress: &mut Progress) -> Result<(), Contradiction> {
        let mut moved = true;
        while moved {
            moved = false;
            for thread in 0..self.paths.len() {
                while self.step(thread, progress)? {
                    moved = true;
                }
            }
        }
        Ok(())
    }

    /// One step of a thread; false if it has ended or needs a value that is not known.
    fn step(&self, thread: usize, progress: &mut Progress) -> Result<bool, Contradiction> {
        if let Some(&Step::Join(other)) =
            self.paths[thread].steps.get(progress.threads[thread].step)
            && !self.has_ended(progress, other as usize)
        {
            return Ok(false);
        }
        let Progress { threads, values, sources } = progress;
        let state = &mut threads[thread];
        let Some(step) = self.paths[thread].steps.get(state.step) else { return Ok(false) };
        match step {
            Step::Read => {
                let Some(value) = sources[state.event].and_then(|source| values[source]) else {
                    return Ok(false);
                };
                values[state.event] = Some(value);
                state.last = value;
                state.event += 1;
            }
            Step::Write(written) => {
                values[state.event] = Some(match written {
                    Written::Plain(value) => value.evaluate(&state.registers),
                    Written::Updated(op, operand) => {
                        update(*op, state.last, operand.evaluate(&state.registers))
                    }
                });
                state.event += 1;
            }
            Step::Fence => {
                values[state.event] = Some(0);
                state.event += 1;
            }
            Step::Join(other) => {
                values[state.event] = Some(*other as i32);
                state.event += 1;
            }
            Step::Keep(register) => state.registers[register.index()] = state.last,
            Step::Assign(register, value) => {
                state.registers[register.index()] = value.evaluate(&state.registers);
            }
            Step::Expect(condition, expected) => {
                if (condition.evaluate(&state.registers) != 0) != *expected {
                    return Err(Contradiction);
                }
            }
            Step::ExpectLast(until, expected) => {
                if until.holds(state.last, &state.registers) != *expected {
                    return Err(Contradiction);
                }
            }
        }
        state.step += 1;
        Ok(true)
    }

    /// Tries every coherence order for known sources.
    fn choose_coherence(&self, progress: &Progress, found: &mut Enumeration) {
        let mut rf = Relation::empty(self.skeleton.size);
        for (read, source) in progress.sources.iter().enumerate() {
            source.iter().for_each(|&source| rf.add(source, read));
        }
        let mut orders = Vec::new();
        for location in 0..self.writes.len() {
            let coherent = self.coherent_orders(location, &progress.sources, &rf);
            if coherent.is_empty() {
                return;
            }
            orders.push(coherent);
        }
        self.combine_orders(progress, &rf, &orders, &mut Vec::new(), found);
    }

    /// The orders of a location's writes that keep 2 and 3.
    fn coherent_orders(
        &self,
        location: usize,
        sources: &[Option<usize>],
        rf: &Relation,
    ) -> Vec<Vec<usize>> {
        let (init, writes) = self.writes[location].split_last().expect("the initial write");
        let mut result = Vec::new();
        let mut order = Vec::new();
        self.extend_order(*init, writes, sources, &mut order, &mut |order| {
            let mut co = Relation::empty(self.skeleton.size);
            self.skeleton.add_coherence(&mut co, location, order);
            let accesses = (0..self.events.len())
                .filter(|&e| self.events[e].location == Some(LocationId(location as u32)))
                .fold(1 << init, |set: u64, e| set | 1 << e);
            let here = |relation: &Relation| relation.from(accesses).to(accesses);
            let rf = here(rf);
            let rb = rf.inverse().then(&co);
            let coherent = || here(&self.skeleton.po).or(&rf).or(&co).or(&rb).is_acyclic();
            if !self.prune || coherent() {
                result.push(order.to_vec());
            }
        });
        result
    }

    /// Orders that respect `po` and put the write of a read-modify-write after its source.
    fn extend_order(
        &self,
        init: usize,
        writes: &[usize],
        sources: &[Option<usize>],
        order: &mut Vec<usize>,
        visit: &mut dyn FnMut(&[usize]),
    ) {
        if order.len() == writes.len() {
            return visit(order);
        }
        let last = order.last().copied().unwrap_or(init);
        for &write in writes {
            let placed = |other: &usize| order.contains(other);
            let po_ready =
                || writes.iter().all(|other| !self.skeleton.po.has(*other, write) || placed(other));
            let in_place = || !self.events[write].exclusive || sources[write - 1] == Some(last);
            if !placed(&write) && (!self.prune || po_ready() && in_place()) {
                order.push(write);
                self.extend_order(init, writes, sources, order, visit);
                order.pop();
            }
        }
    }

    fn combine_orders(
        &self,
        progress: &Progress,
        rf: &Relation,
        orders: &[Vec<Vec<usize>>],
        chosen: &mut Vec<usize>,
        found: &mut Enumeration,
    ) {
        if chosen.len() < orders.len() {
            for index in 0..orders[chosen.len()].len() {
                chosen.push(index);
                self.combine_orders(progress, rf, orders, chosen, found);
                chosen.pop();
            }
            return;
        }
        let co_lists: Vec<&[usize]> =
            orders.iter().zip(chosen).map(|(orders, &mut index)| &orders[index][..]).collect();
        let mut co = Relation::empty(self.skeleton.size);
        for (location, order) in co_lists.iter().enumerate() {
            self.skeleton.add_coherence(&mut co, location, order);
        }
        let axioms = Axioms::new(&self.skeleton, rf, &co);
        if axioms.hold(self.model) {
            self.record(progress, &co_lists, axioms.race(self.model), found);
        }
    }

    fn record(
        &self,
        progress: &Progress,
        co_lists: &[&[usize]],
        racy: bool,
        found: &mut Enumeration,
    ) {
        let last_value = |(location, order): (usize, &&[usize])| {
            let last = order.last().copied().unwrap_or(self.skeleton.init_start + location);
            progress.values[last].expect("all values are known")
        };
        let memory: Vec<i32> = co_lists.iter().enumerate().map(last_value).collect();
        let ends = || self.paths.iter().map(|path| &path.end);
        let list = if ends().any(|end| *end == PathEnd::Abandoned) {
            &mut found.abandoned
        } else if ends().any(|end| *end != PathEnd::Finished) {
            &mut found.blocked
        } else {
            &mut found.complete
        };
        let registers: Vec<Vec<i32>> =
            progress.threads.iter().map(|thread| thread.registers.clone()).collect();
        // A thread could have gone on if the last value passes its test.
        let waits_in_vain = |(end, registers): (&PathEnd, &Vec<i32>)| match end {
            PathEnd::Waiting(Obstacle::Value(location, until)) => {
                !until.holds(memory[location.index()], registers)
            }
            _ => true,
        };
        if ends().zip(&registers).all(waits_in_vain) {
            let state = FinalState { registers, memory };
            list.push(Execution { graph: self.graph(progress, co_lists), state, racy });
        }
    }

    fn graph(&self, progress: &Progress, co_lists: &[&[usize]]) -> Graph {
        let mut number = 0;
        let mut label = |event: &Event| {
            let value = progress.values[number].expect("all values are known");
            number += 1;
            Event { value, ..*event }
        };
        let threads =
            self.paths.iter().map(|path| path.events.iter().map(&mut label).collect()).collect();
        let name = |&number: &usize| self.names[number];
        let rf = (progress.sources.iter().enumerate())
            .filter_map(|(read, source)| Some((self.names.get(read)?, (*source)?)))
            .map(|(read, source)| (*read, self.names.get(source).copied()))
            .collect();
        let co = co_lists.iter().map(|order| order.iter().map(name).collect()).collect();
        Graph { threads, rf, co }
    }
}

#[cfg(test)]
mod tests;
