//! Bounded search of programs with barriers: as `bound.rs`, against all interleavings of scripts of loads,
//! stores and barriers. Waiting for a barrier that is not full is no preemption.

use crate::barriers::{Script, X, Y, barrier, load, store};
use crate::support::differential::for_each_seed;
use norn_action::Action;
use norn_explore::{Bound, Explorer, Observer, Options, Trust, Visit};
use norn_graph::{EventId, EventKind, LocationId};
use norn_models::Sc;
use std::collections::{BTreeMap, BTreeSet};

/// Programs in an ordinary run.
const PROGRAMS: u64 = 1000;

/// An event of a script, or none for the initial write.
type Name = Option<(u32, u32)>;

/// Where each read reads from, and the order of the writes to each cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Trace {
    sources: BTreeMap<(u32, u32), Name>,
    orders: BTreeMap<u64, Vec<(u32, u32)>>,
}

/// All interleavings: the fewest preemptions of each trace.
struct Interleave<'s> {
    script: &'s Script,
    done: Vec<usize>,
    trace: Trace,
    fewest: BTreeMap<Trace, u32>,
}

impl Interleave<'_> {
    /// Whether the next action of a thread can be taken; none if it has ended.
    fn is_ready(&self, t: usize) -> Option<bool> {
        let action = self.script.threads[t].get(self.done[t])?;
        let Action::BarrierLeave(barrier) = action else { return Some(true) };
        let arrived = |u: &usize| {
            let past = &self.script.threads[*u][..self.done[*u]];
            past.iter().any(|action| {
                matches!(action, Action::BarrierArrive(other) if other.round == barrier.round)
            })
        };
        let count = (0..self.done.len()).filter(arrived).count();
        Some(count >= barrier.count as usize)
    }

    fn go(&mut self, last: Option<usize>, preemptions: u32) {
        let ready: Vec<Option<bool>> = (0..self.done.len()).map(|t| self.is_ready(t)).collect();
        if ready.iter().all(Option::is_none) {
            let fewest = self.fewest.entry(self.trace.clone()).or_insert(preemptions);
            *fewest = preemptions.min(*fewest);
            return;
        }
        for t in (0..ready.len()).filter(|&t| ready[t] == Some(true)) {
            let cut = last.is_some_and(|last| last != t && ready[last] == Some(true));
            let before = self.trace.clone();
            self.take(t);
            self.go(Some(t), preemptions + u32::from(cut));
            self.done[t] -= 1;
            self.trace = before;
        }
    }

    fn take(&mut self, t: usize) {
        let name = (t as u32 + 1, self.done[t] as u32);
        match &self.script.threads[t][self.done[t]] {
            Action::Load(access, _) => {
                let order = self.trace.orders.get(&access.address.0);
                let newest = order.and_then(|order| order.last().copied());
                self.trace.sources.insert(name, newest);
            }
            Action::Store(access, _) => {
                self.trace.orders.entry(access.address.0).or_default().push(name);
            }
            _ => {}
        }
        self.done[t] += 1;
    }
}

fn interleave(script: &Script) -> BTreeMap<Trace, u32> {
    let done = vec![0; script.threads.len()];
    let (trace, fewest) = (Trace::default(), BTreeMap::new());
    let mut all = Interleave { script, done, trace, fewest };
    all.go(None, 0);
    all.fewest
}

#[derive(Default)]
struct Visited {
    within: Vec<Trace>,
    beyond: Vec<Trace>,
}

impl Observer<Script> for Visited {
    fn execution(&mut self, execution: &Visit<'_, Script>) {
        let graph = execution.graph;
        let name = |id: EventId| (id.thread().0, id.position());
        let mut trace = Trace::default();
        for &id in graph.order() {
            let event = graph.event(id);
            if event.kind == EventKind::Read {
                let source = event.rf.is_real().then(|| name(event.rf));
                trace.sources.insert(name(id), source);
            }
        }
        let address = |id: LocationId| execution.locations.info(id).address.0;
        for &id in graph.touched() {
            let order: Vec<_> = graph.location(id).co.iter().map(|&write| name(write)).collect();
            if !order.is_empty() {
                trace.orders.insert(address(id), order);
            }
        }
        let list = if execution.beyond_bound { &mut self.beyond } else { &mut self.within };
        list.push(trace);
    }
}

/// Two or three threads of a few accesses each, with one or two barriers that all of them pass.
fn generate(seed: u64) -> Script {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % limit
    };
    let count = 2 + below(2) as u32;
    let rounds = if count == 2 { 1 + below(2) as u32 } else { 1 };
    let most = if count == 2 { 3 } else { 2 };
    let threads = (0..count).map(|_| {
        let mut actions = Vec::new();
        for round in 0..=rounds {
            for _ in 0..below(most) {
                let cell = if below(2) == 0 { X } else { Y };
                actions.push(if below(2) == 0 { store(cell) } else { load(cell) });
            }
            if round < rounds {
                actions.extend(barrier(count, round));
            }
        }
        actions
    });
    Script { threads: threads.collect() }
}

fn check(seed: u64) {
    let script = generate(seed);
    let expected = interleave(&script);
    for k in 0..=3 {
        let bound = Bound { preemptions: k, strict: false };
        let options = Options { keep_going: true, ..Options::default() };
        let mut visited = Visited::default();
        let summary = Trust::<_, Sc, _>::bounded(&script, options, bound).run(&mut visited);
        let within: BTreeSet<&Trace> = visited.within.iter().collect();
        let wanted: BTreeSet<&Trace> =
            expected.iter().filter(|(_, fewest)| **fewest <= k).map(|(trace, _)| trace).collect();
        let what = format!("seed {seed}, bound {k}: {:?}", script.threads);
        assert_eq!(within, wanted, "{what}");
        assert_eq!(within.len(), visited.within.len(), "twice: {what}");
        let beyond: BTreeSet<&Trace> = visited.beyond.iter().collect();
        assert!(beyond.iter().all(|trace| expected[*trace] > k), "{what}");
        assert!(summary.violations.is_empty(), "{what}");
        let visits = visited.within.len() + visited.beyond.len();
        assert!(
            summary.figures.bound.unwrap_or_default().discarded > 0 || visits == expected.len(),
            "something is missing: {what}"
        );
    }
}

#[test]
fn what_is_within_the_bound_is_what_interleavings_give() {
    for_each_seed(PROGRAMS, check);
}
