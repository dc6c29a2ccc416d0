//! Locks that the machine leaves out ([`Machine::leaves_out_locks`]): what has to be known to take them after all.
//!
//! Without these locks a graph may be none of the program: critical sections may overlap, and what only their order keeps
//! apart may meet. Nothing that is found in such a graph is believed; the search begins again with the locks of the accesses
//! that take part, or with all ([`Execution::doubt`]). And at its end, each graph is asked whether it is one of the program.
//! It is if each access of a section of such a lock, whether it was taken there or not, is ordered, by what is left, with
//! every access that conflicts with it, and the graph is an interleaving. Then the section can be made one step of it: what
//! comes between its accesses neither conflicts with them nor comes before one of them by anything but program order, since a
//! section does not wait. The steps stand in some order, in which each section takes its lock.
//!
//! A graph is an interleaving under a model that says so ([`Model::INTERLEAVES`]); where there are neither races nor
//! weak accesses, under those of C; and otherwise if all accesses that conflict are ordered.

use super::Execution;
use super::Finding;
use norn_action::{Lesson, Machine, NO_STATE, Role};
use norn_graph::{EventId, EventKind, Graph, LocationId};
use norn_models::Model;

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether what was just found, in which these events take part, is not to be believed since locks are left out. (It may be
    /// right in this graph; but a report should not depend on which lessons were learned first.)
    #[cold]
    pub(super) fn doubt(&mut self, involved: &[Option<EventId>]) -> bool {
        if !self.machine.leaves_out_locks() {
            return false;
        }
        let involved = involved.iter().copied().flatten().filter(|&id| id.is_real());
        let mut lessons: Vec<Lesson> = involved.filter_map(|id| self.section(id)).collect();
        lessons.retain(is_left_out);
        if lessons.is_empty() {
            lessons.push(Lesson::LocksMatter);
        }
        self.found.push(Finding::Lessons(lessons));
        true
    }

    /// At the end of an execution: which locks have to be taken.
    #[inline]
    pub(super) fn learn_of_locks(&mut self) {
        if self.machine.leaves_out_locks() && self.has_left_out_locks() {
            self.learn_of_sections();
        }
    }

    fn learn_of_sections(&mut self) {
        let mut lessons = Vec::new();
        for &location in self.graph.touched() {
            if self.is_lock(location) || are_ordered::<Mo>(&self.graph, location) {
                continue;
            }
            let accesses = accesses(&self.graph, location);
            let mut here: Vec<Lesson> = accesses.filter_map(|id| self.section(id)).collect();
            // It may be enough that those take their locks that have not.
            if here.iter().any(is_left_out) {
                here.retain(is_left_out);
            }
            let is_interleaving = Mo::INTERLEAVES
                || (self.model.reports_races()
                    && !self.ignores_races
                    && self.graph.weak_count() == 0);
            if here.is_empty() && !is_interleaving {
                here.push(Lesson::LocksMatter);
            }
            lessons.append(&mut here);
        }
        if !lessons.is_empty() {
            self.found.push(Finding::Lessons(lessons));
        }
    }

    /// Whether a lock was left out in the graph.
    fn has_left_out_locks(&self) -> bool {
        let mut events = self.graph.order().iter().map(|&id| self.graph.event(id));
        events.any(|event| {
            let is_lock = event.kind == EventKind::Read && event.flags.is_like(Role::Lock);
            is_lock && !event.is_exclusive() && !event.is_blocked()
        })
    }

    /// What there is to learn of the section that an event is in.
    fn section(&self, id: EventId) -> Option<Lesson> {
        let state = self.graph.event(id).saved;
        let thread =
            (state != NO_STATE).then(|| self.pool.thread(self.machine, id.thread(), state))?;
        self.machine.section(thread)
    }

    /// Whether a location is the cell of a lock that is taken.
    fn is_lock(&self, location: LocationId) -> bool {
        let mut writes = self.graph.location(location).co.iter();
        writes.any(|&write| self.graph.event(write).flags.is_mutex())
    }
}

/// Whether it is of a section whose lock was left out.
fn is_left_out(lesson: &Lesson) -> bool {
    matches!(lesson, Lesson::SectionMatters(_))
}

/// The accesses of a location.
fn accesses(graph: &Graph, location: LocationId) -> impl Iterator<Item = EventId> + '_ {
    let writes = graph.location(location).co.iter().copied();
    let sources = std::iter::once(EventId::INIT).chain(writes.clone());
    writes.chain(sources.flat_map(move |source| graph.readers(source, location)))
}

/// Whether all accesses of a location that conflict are ordered, by more than that one reads from the other.
fn are_ordered<Mo: Model>(graph: &Graph, location: LocationId) -> bool {
    let is_before = |one: EventId, other: EventId| is_before(graph, Mo::HB, one, other);
    let co = &graph.location(location).co;
    let links = std::iter::once(EventId::INIT).chain(co.iter().copied()).enumerate();
    links.into_iter().all(|(index, source)| {
        let next = co.get(index).copied();
        let follows = next.is_none_or(|next| !source.is_real() || is_before(source, next));
        follows
            && graph.readers(source, location).all(|read| {
                (!source.is_real() || is_before(source, read))
                    && next.is_none_or(|next| is_before(read, next))
            })
    })
}

/// Whether `one` happens before what precedes `other` in its thread.
fn is_before(graph: &Graph, hb: usize, one: EventId, other: EventId) -> bool {
    if one.thread() == other.thread() {
        return true;
    }
    let halves = u32::from(graph.event(other).is_write() && graph.event(other).is_exclusive());
    let previous = match other.position() - halves {
        0 => graph.spawned_by(other.thread()),
        position => EventId::new(other.thread(), position - 1),
    };
    previous.is_real() && Graph::within(graph.clock(hb, previous), one)
}
