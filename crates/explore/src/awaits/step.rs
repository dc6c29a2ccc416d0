//! Taking steps: at the end of an execution each thread sees the last write to every location.

use super::label::{Effect, Label};
use super::{Awaits, Conflicts};
use crate::execution::{Becomes, Execution, Stance, WaitsFor};
use crate::search::{Moved, Observer};
use norn_action::{Action, Machine, ThreadId};
use norn_graph::{EventId, EventKind, LocationId};
use norn_models::Interleaving;

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// Takes the next step of the tree, or one that is free to choose; or visits an execution that has ended.
    pub(super) fn move_on(&mut self, observer: &mut impl Observer<M>) -> Moved {
        let mut child = self.new_node();
        let node = self.nodes.last_mut().expect("a node for each point");
        if let Some(label) = node.take(&mut child) {
            return self.follow(label, child);
        }
        if !node.is_leaf() {
            // Somebody else has taken the branch that was left.
            self.spare.push(child);
            return Moved::Done;
        }
        if node.has_sleepers() {
            self.session.summary.figures.stale += 1;
            self.spare.push(child);
            return Moved::Done;
        }
        match self.choose() {
            None => {
                self.spare.push(child);
                self.end(observer)
            }
            Some(thread) => {
                if let Action::Choose { count, .. } = *self.execution.action(thread) {
                    self.nodes.last_mut().expect("a node").choose(thread, count);
                    self.spare.push(child);
                    return self.move_on(observer);
                }
                let Some(label) = self.step(thread, 0) else { return self.give_up(child) };
                self.nodes.last_mut().expect("a node").schedule(label, &mut child);
                self.nodes.push(child);
                Moved::On
            }
        }
    }

    /// Takes a step of the tree; `child` is the node after it.
    fn follow(&mut self, label: Label, child: super::Node) -> Moved {
        let Some(taken) = self.step(label.thread, label.answer) else { return self.give_up(child) };
        debug_assert_eq!(taken, label, "a step that is not as it was foreseen");
        self.nodes.push(child);
        Moved::On
    }

    /// A step is beyond the limits.
    fn give_up(&mut self, mut child: super::Node) -> Moved {
        self.judge(false);
        child.clear();
        self.spare.push(child);
        self.nodes.last_mut().expect("a node").come_back();
        Moved::Done
    }

    /// Who moves, where anybody may: the first thread that can, but choices come first.
    fn choose(&self) -> Option<ThreadId> {
        let mut first = None;
        for t in 0..self.execution.current.len() as u32 {
            let thread = ThreadId(t);
            if !self.can_move(thread) {
                continue;
            }
            if matches!(self.execution.action(thread), Action::Choose { .. }) {
                return Some(thread);
            }
            first = first.or(Some(thread));
        }
        first
    }

    /// Whether a thread can take a step now.
    #[inline]
    pub(super) fn can_move(&self, thread: ThreadId) -> bool {
        match self.execution.stance(thread) {
            Stance::Step | Stance::Read(WaitsFor::Nothing) => true,
            Stance::Read(_) => self.execution.newest_passes(thread),
            Stance::Stands | Stance::Joins(_) | Stance::Depends => false,
        }
    }

    /// Nobody can move: counts and reports the execution, and looks at its races.
    fn end(&mut self, observer: &mut impl Observer<M>) -> Moved {
        let ended = self.execution.conclude(false);
        self.session.count(ended, false, &mut self.execution, observer);
        self.judge(true);
        if self.session.is_surplus() {
            return Moved::Surplus;
        }
        self.reverse_races();
        Moved::Done
    }

    /// Lets `thread`, which can move, take a step; a choice is answered with `answer`. None if that is beyond
    /// the limits.
    pub(super) fn step(&mut self, thread: ThreadId, answer: u64) -> Option<Label> {
        let label = self.take(thread, answer)?;
        self.judge(false);
        Some(label)
    }

    /// The same without a look at what was found.
    pub(super) fn take(&mut self, thread: ThreadId, answer: u64) -> Option<Label> {
        if self.execution.gives_up(thread) {
            return None;
        }
        let (length, steps) = (self.execution.graph.len(), self.execution.model.trace.len());
        match self.execution.action(thread) {
            Action::Load(..) | Action::Rmw(_) => self.read(thread),
            Action::Store(..) => self.write(thread),
            Action::Choose { .. } => {
                self.execution.answer(thread, answer);
            }
            _ => {
                if !self.execution.take_other(thread) {
                    return None;
                }
            }
        }
        if self.execution.model.trace.len() == steps {
            let id = self.execution.graph.order()[length];
            self.record(id);
        }
        let steps = self.execution.model.trace.steps();
        steps.last().map(|step| step.label)
    }

    /// Takes an event of the graph up as a step.
    pub(super) fn record(&mut self, id: EventId) {
        let label = self.label(id);
        let Execution { graph, model, .. } = &mut self.execution;
        let waits = graph.event(id).waits();
        model.trace.push(graph, id, label, waits);
    }

    /// What an event of the graph, the first of its step, is as a step.
    fn label(&self, id: EventId) -> Label {
        let (graph, pool) = (&self.execution.graph, &self.execution.pool);
        let event = graph.event(id);
        let label =
            |effect| Label { thread: id.thread(), location: event.location, effect, answer: 0 };
        match event.kind {
            EventKind::Read if graph.has_exclusive_write(id) => {
                label(self.effect_of(&pool.get(event.saved).action))
            }
            EventKind::Read => label(Effect::Read),
            EventKind::Write => label(Effect::Write),
            EventKind::Choose => {
                let (location, answer) = (LocationId::NONE, event.value.low());
                match pool.get(event.saved).action {
                    Action::Choose { .. } => Label { location, answer, ..label(Effect::Choice) },
                    _ => Label { location, ..label(Effect::Nothing) },
                }
            }
            _ => Label { location: LocationId::NONE, ..label(Effect::Nothing) },
        }
    }

    /// The effect of a read-modify-write that writes.
    pub(super) fn effect_of(&self, action: &Action) -> Effect {
        match action {
            Action::Rmw(rmw) if self.conflicts == Conflicts::Weak && rmw.is_blind() => {
                Effect::of_update(rmw.op)
            }
            _ => Effect::Write,
        }
    }

    /// Takes the read that `thread` is paused at, with its write if it has one.
    fn read(&mut self, thread: ThreadId) {
        let execution = &mut self.execution;
        let read = execution.pending_read(thread);
        if !execution.touch(read.location) {
            execution.fault_access(thread);
            return;
        }
        let state = execution.state(thread);
        let source = execution.graph.location(read.location).co.last().copied();
        let source = source.unwrap_or(EventId::INIT);
        let content = execution.graph.content_of(source, read.location);
        let becomes = read.becomes(content);
        let id = execution.graph.add_read(thread, read.event(becomes, state), source);
        let second = (becomes == Becomes::Exclusive).then(|| execution.add_last_write(thread));
        self.record(id);
        let execution = &mut self.execution;
        execution.count_event();
        execution.check_access(id);
        if let Some(id) = second {
            execution.count_event();
            execution.check_access(id);
        }
        execution.advance_partly(thread, state, content.0, content.1);
    }

    /// Takes the store that `thread` is paused at.
    fn write(&mut self, thread: ThreadId) {
        let execution = &mut self.execution;
        let write = execution.pending_write(thread);
        if !execution.touch(write.location) {
            execution.fault_access(thread);
            return;
        }
        let state = execution.state(thread);
        let id = execution.add_last_write(thread);
        self.record(id);
        self.execution.count_event();
        self.execution.check_access(id);
        self.execution.advance(thread, state, write.answer);
    }
}
