//! The steps of the execution at hand in the order in which they were taken, with what happens before each.
//!
//! A step is one event of the graph, or both halves of a read-modify-write. Happens-before is the least
//! transitive relation that has program order, the start, the end and the meetings of threads, and the order
//! of steps that conflict ([`Label::conflicts`]). For each step it is one number a thread: how many of that
//! thread's steps come before or are it.

use super::label::{Effect, Label};
use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

/// A step, by its number in the trace.
pub(super) type StepId = u32;

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub label: Label,
    /// The event, the first of two.
    pub event: EventId,
    /// How many steps its thread had before.
    pub position: u32,
    /// The number of events before it in the graph.
    pub length: u32,
    /// Whether it is a read that waits.
    pub waits: bool,
    /// How many races there were before it.
    races: u32,
}

/// The steps. See the head of this file.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    steps: Vec<Step>,
    clocks: Vec<u32>,
    stride: usize,
    threads: Vec<Vec<StepId>>,
    /// The steps that access each location.
    accesses: Vec<Vec<StepId>>,
    /// Pairs of steps of different threads, adjacent in happens-before, whose second one does not wait.
    races: Vec<(StepId, StepId)>,
    scratch: Vec<u32>,
}

impl Trace {
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.steps.len() as u32
    }

    #[inline]
    pub(super) fn step(&self, id: StepId) -> &Step {
        &self.steps[id as usize]
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of a thread.
    #[inline]
    pub(super) fn of(&self, thread: ThreadId) -> &[StepId] {
        self.threads.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// The steps that access a location.
    #[inline]
    pub(super) fn accesses(&self, location: LocationId) -> &[StepId] {
        self.accesses.get(location.index()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn races(&self) -> &[(StepId, StepId)] {
        &self.races
    }

    /// Whether `first` is `second` or happens before it.
    #[inline]
    pub(super) fn happens_before(&self, first: StepId, second: StepId) -> bool {
        let Step { label, position, .. } = self.step(first);
        self.clocks[second as usize * self.stride + label.thread.index()] > *position
    }

    /// The step that the next one of `thread` comes right after: its last, or the one that started it.
    pub(super) fn before_next(&self, graph: &Graph, thread: ThreadId) -> Option<StepId> {
        let started = || {
            let spawn = graph.spawned_by(thread);
            spawn.is_real().then(|| self.of_event(spawn))
        };
        self.of(thread).last().copied().or_else(started)
    }

    /// The step of an event.
    pub(super) fn of_event(&self, event: EventId) -> StepId {
        self.known(event).expect("a step for each event")
    }

    /// The step of an event, if it was taken up.
    fn known(&self, event: EventId) -> Option<StepId> {
        let steps = self.of(event.thread());
        let after = steps.partition_point(|&id| self.step(id).event.position() <= event.position());
        let step = *steps.get(after.checked_sub(1)?)?;
        let first = self.step(step).event;
        let is_half =
            event.position() == first.position() + 1 && self.step(step).label.effect.writes();
        (first == event || is_half).then_some(step)
    }

    /// Whether an event happens before another. The second one may not have been taken up yet; it is then
    /// no access.
    pub(super) fn ordered(&self, graph: &Graph, first: EventId, second: EventId) -> bool {
        let Some(first) = self.known(first) else { return false };
        let second = self.known(second).or_else(|| self.before_next(graph, second.thread()));
        second.is_some_and(|second| self.happens_before(first, second))
    }

    /// Takes up an event that was just added at the end of the graph, or the second to last if it is the
    /// first half of a read-modify-write.
    pub(super) fn push(&mut self, graph: &Graph, event: EventId, label: Label, waits: bool) {
        let thread = label.thread.index();
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        if self.stride <= thread {
            self.widen((thread + 1).next_power_of_two().max(4));
        }
        let id = self.len();
        let position = self.threads[thread].len() as u32;
        self.start_clock(graph, id, label.thread);
        self.join_others(graph, id, graph.event(event));
        let races = self.races.len() as u32;
        if label.location != LocationId::NONE {
            self.join_conflicts(id, &label, !waits);
        }
        self.clocks[id as usize * self.stride + thread] = position + 1;
        self.threads[thread].push(id);
        let length = graph.event(event).stamp;
        self.steps.push(Step { label, event, position, length, waits, races });
    }

    /// The clock of a new step: that of the one before it in its thread.
    #[inline]
    fn start_clock(&mut self, graph: &Graph, id: StepId, thread: ThreadId) {
        match self.before_next(graph, thread) {
            Some(before) => {
                let start = before as usize * self.stride;
                self.clocks.extend_from_within(start..start + self.stride);
            }
            None => self.clocks.resize((id as usize + 1) * self.stride, 0),
        }
    }

    /// Joins the steps of other threads that a step without a location comes after.
    #[inline]
    fn join_others(&mut self, graph: &Graph, id: StepId, event: &Event) {
        match event.kind {
            EventKind::Join => {
                if let Some(last) = self.before_next(graph, event.target()) {
                    self.join(id, last);
                }
            }
            EventKind::Leave => {
                let threads = (0..graph.thread_count() as u32).map(ThreadId);
                for arrival in threads.filter_map(|thread| graph.arrival(thread, event)) {
                    self.join(id, self.of_event(arrival));
                }
            }
            _ => {}
        }
    }

    /// Joins all that a step conflicts with, latest first. What is not known when its turn comes is adjacent.
    #[inline]
    fn join_conflicts(&mut self, id: StepId, label: &Label, races: bool) {
        let index = label.location.index();
        if self.accesses.len() <= index {
            self.accesses.resize_with(index + 1, Vec::new);
        }
        let mut accesses = std::mem::take(&mut self.accesses[index]);
        for &other in accesses.iter().rev() {
            let step = self.steps[other as usize];
            if step.label.conflicts(label) {
                let known = self.clocks[id as usize * self.stride + step.label.thread.index()];
                if known <= step.position {
                    if races {
                        self.races.push((other, id));
                    }
                    self.join(id, other);
                }
            }
            // All accesses before a write that commutes with nothing happen before it.
            if step.label.effect == Effect::Write {
                break;
            }
        }
        accesses.push(id);
        self.accesses[index] = accesses;
    }

    #[inline]
    fn join(&mut self, into: StepId, from: StepId) {
        let (from, into) = (from as usize * self.stride, into as usize * self.stride);
        let (low, high) = self.clocks.split_at_mut(into);
        for (a, b) in high[..self.stride].iter_mut().zip(&low[from..from + self.stride]) {
            *a = (*a).max(*b);
        }
    }

    #[cold]
    fn widen(&mut self, stride: usize) {
        self.scratch.clear();
        for id in 0..self.len() {
            let clock = &self.clocks[id as usize * self.stride..(id as usize + 1) * self.stride];
            self.scratch.extend_from_slice(clock);
            self.scratch.resize((id as usize + 1) * stride, 0);
        }
        std::mem::swap(&mut self.clocks, &mut self.scratch);
        self.stride = stride;
    }

    /// Takes the last step back.
    pub(super) fn pop(&mut self) -> Option<Step> {
        let step = self.steps.pop()?;
        self.clocks.truncate(self.steps.len() * self.stride);
        self.threads[step.label.thread.index()].pop();
        if step.label.location != LocationId::NONE {
            self.accesses[step.label.location.index()].pop();
        }
        self.races.truncate(step.races as usize);
        Some(step)
    }

    /// Forgets all steps.
    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }

    /// The steps after `first` that do not happen after it, in order.
    pub(super) fn not_after(&self, first: StepId, into: &mut Vec<StepId>) {
        let Step { label, position, .. } = *self.step(first);
        into.clear();
        let clocks = self.clocks.chunks_exact(self.stride.max(1)).enumerate();
        let later = clocks.skip(first as usize + 1);
        let apart = later.filter(|(_, clock)| clock[label.thread.index()] <= position);
        into.extend(apart.map(|(id, _)| id as StepId));
    }

    /// Whether all steps from `from` on happen after `first`.
    pub(super) fn all_after(&self, first: StepId, from: StepId) -> bool {
        let Step { label, position, .. } = *self.step(first);
        let rest = &self.clocks[from as usize * self.stride..];
        rest.chunks_exact(self.stride.max(1)).all(|clock| clock[label.thread.index()] > position)
    }
}
