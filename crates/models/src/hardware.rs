//! Models of processors: coherence per location, and one global order
//! `acyclic(preserved ∪ (rf ∩ ext) ∪ co ∪ rb)` where `preserved` is a part of program order. Which part
//! is all that tells `tso` and `pso` apart.
//!
//! As under `sc`, the floor of a new access is the last write to its location among its
//! predecessors; see [`crate::backward`].

use crate::backward::{
    Backward, End, Preserved, end_of, is_earlier, is_memory, previous_access, write_of,
};
use crate::floor::coherence_floor;
use crate::forced::is_total_by_threads;
use crate::groups::{coherence_edges, is_acyclic};
use crate::saturate::Saturation;
use crate::{About, Arrange, Groups, Model, Named, NewAccess, Whole};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, LocationId};
use std::fmt::Debug;
use std::marker::PhantomData;

/// The program order that a processor preserves, and what it is called.
pub trait HardwareModel: Preserved + Clone + Debug + Default + Send {
    /// See [`Named::ABOUT`].
    const ABOUT: About;
}

/// The memory model of a processor that preserves the program order `P`.
#[derive(Clone, Debug, Default)]
pub struct Hardware<P> {
    order: HardwareOrder,
    preserved: PhantomData<P>,
}

impl<P: HardwareModel> Named for Hardware<P> {
    const ABOUT: About = P::ABOUT;

    fn new() -> Self {
        Hardware::default()
    }
}

impl<P: HardwareModel> Model for Hardware<P> {
    const LANES: usize = 1;
    const HB: usize = 0;
    const LOCKED_MATTERS: bool = true;
    const UPDATES_ARE_SEEN: bool = true;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        self.order.floor::<P>(graph, access)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.before::<P>(graph, first, second)
    }

    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        match self.order.are_whole::<P>(graph, groups) {
            true => Whole::Yes,
            false => Whole::No,
        }
    }
}

impl<P: HardwareModel> Arrange for Hardware<P> {
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        self.order.arrange::<P>(graph, read)
    }

    fn is_overwritten(
        &self,
        graph: &Graph,
        thread: ThreadId,
        location: LocationId,
        source: EventId,
    ) -> bool {
        overwritten_in_thread(graph, thread, location, source)
    }

    fn retain_readable(
        &mut self,
        graph: &Graph,
        access: &NewAccess,
        floor: u32,
        sources: &mut Vec<EventId>,
    ) {
        self.order.retain_readable::<P>(graph, access, floor, sources);
    }

    fn has_no_choice(&self, graph: &Graph) -> bool {
        is_total_by_threads(graph)
    }

    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.always_before::<P>(graph, first, second)
    }
}

/// The order, with its buffers.
#[derive(Clone, Debug, Default)]
struct HardwareOrder {
    search: Backward,
    known: Vec<EventId>,
    saturation: Saturation,
}

impl HardwareOrder {
    fn floor<P: Preserved>(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        let own = coherence_floor(graph, access.location, |event| event.thread() == access.thread);
        let co = &graph.location(access.location).co;
        if own as usize == co.len() {
            return own;
        }
        let last = co.last().copied().unwrap_or(EventId::INIT);
        self.start_new::<P>(graph, access);
        if self.search.finish_until::<P>(graph, last, Backward::mark_previous) {
            return co.len() as u32;
        }
        let known = co.iter().rposition(|&write| self.search.is_marked(write));
        known.map_or(0, |index| index as u32 + 1).max(own)
    }

    /// Whether `first` comes before `second`.
    fn before<P: Preserved>(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        if is_memory(graph.event(second)) {
            self.search.start(graph);
            self.search.mark(second);
        } else if is_earlier(first, second) {
            return true;
        } else {
            self.search.start_before::<P>(graph, second);
        }
        self.finish::<P>(graph);
        self.search.is_marked(first)
            || (!is_memory(graph.event(first)) && self.passes(graph, first))
    }

    /// Whether the order stays acyclic when each group is one node.
    fn are_whole<P: Preserved>(&mut self, graph: &Graph, groups: &Groups) -> bool {
        is_acyclic(graph, &groups.nodes(graph), &[], |graph, edge| {
            for &id in graph.order().iter().filter(|&&id| is_memory(graph.event(id))) {
                self.search.start(graph);
                self.search.walk::<P>(graph, id.thread(), id.position(), end_of(graph, id));
                let event = graph.event(id);
                if event.is_read() && event.rf.is_real() && event.rf.thread() != id.thread() {
                    self.search.mark(event.rf);
                }
                self.search.work.iter().for_each(|&before| edge(before, id));
                coherence_edges(graph, id, edge);
            }
        })
    }

    /// Gives `graph`, to which `read` was added, a coherence order that it is consistent with. False,
    /// and nothing changed, if there is none.
    fn arrange<P: Preserved>(&mut self, graph: &mut Graph, read: EventId) -> bool {
        if self.is_overwritten::<P>(graph, read) {
            return false;
        }
        self.add_base::<P>(graph);
        if !self.add_coherence(graph) || !self.saturation.decide() {
            return false;
        }
        self.saturation.set_coherence(graph);
        true
    }

    /// Marks what stands before the new access.
    fn start_new<P: Preserved>(&mut self, graph: &Graph, access: &NewAccess) {
        let end = End { write: access.write, locked: access.locked, mode: access.mode };
        self.search.start(graph);
        self.search.walk::<P>(graph, access.thread, graph.thread_len(access.thread), end);
    }

    /// Takes out of `sources` the writes that come, under every coherence order, before a write that comes before the new read. What is `floor` under the present order is most
    /// often known under all of them, and all below it overwritten; that is seen first.
    fn retain_readable<P: Preserved>(
        &mut self,
        graph: &Graph,
        access: &NewAccess,
        floor: u32,
        sources: &mut Vec<EventId>,
    ) {
        let co = &graph.location(access.location).co;
        let own = coherence_floor(graph, access.location, |event| event.thread() == access.thread);
        let newest = graph.co_at(access.location, floor);
        let is_known = own == floor || {
            self.start_new::<P>(graph, access);
            self.search.finish_until::<P>(graph, newest, Backward::mark_forced)
        };
        if is_known {
            self.search.mark_overwritten_by(graph, newest);
            self.retain_unmarked(sources);
            if sources.iter().all(|&source| graph.co_index(source) >= floor) {
                return;
            }
            self.start_new::<P>(graph, access);
            self.search.finish_by::<P>(graph, Backward::mark_forced);
        }
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        known.extend(co.iter().filter(|&&write| self.search.is_marked(write)));
        if !known.is_empty() {
            self.search.start(graph);
            for &write in &known {
                let end = end_of(graph, write);
                self.search.walk::<P>(graph, write.thread(), write.position(), end);
                self.search.mark_forced(graph, write);
            }
            self.search.finish_by::<P>(graph, Backward::mark_forced);
            self.retain_unmarked(sources);
        }
        self.known = known;
    }

    /// Takes the initial write and what is marked out of `sources`.
    fn retain_unmarked(&self, sources: &mut Vec<EventId>) {
        sources.retain(|&source| source.is_real() && !self.search.is_marked(source));
    }

    /// Whether the access `first` comes before `second`, which is no access, under every coherence
    /// order: by what does not depend on coherence, by what coherence within threads forces, or because
    /// no run has it the other way round; the cheapest first.
    fn always_before<P: Preserved>(
        &mut self,
        graph: &Graph,
        first: EventId,
        second: EventId,
    ) -> bool {
        if is_earlier(first, second) {
            return true;
        }
        self.search.start_before::<P>(graph, second);
        self.search.finish_by::<P>(graph, |_, _, _| {});
        if self.search.is_marked(first) {
            return true;
        }
        self.search.start_before::<P>(graph, second);
        self.search.finish_by::<P>(graph, Backward::mark_forced);
        self.search.is_marked(first) || !self.may_follow::<P>(graph, first, second)
    }

    /// Whether some run has the access `first` after all that must come before `second`, which is no
    /// access.
    fn may_follow<P: Preserved>(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.add_base::<P>(graph);
        if !self.add_coherence(graph) {
            return false;
        }
        self.search.start_before::<P>(graph, second);
        let b = self.saturation.index(first);
        while let Some(before) = self.search.work.pop() {
            if !self.saturation.add(self.saturation.index(before), b) {
                return false;
            }
        }
        self.saturation.decide()
    }

    /// Starts over with what does not depend on coherence.
    fn add_base<P: Preserved>(&mut self, graph: &Graph) {
        self.saturation.start(graph);
        for b in 0..self.saturation.nodes.len() {
            let id = self.saturation.nodes[b].id;
            self.search.start(graph);
            self.search.walk::<P>(graph, id.thread(), id.position(), end_of(graph, id));
            let event = *graph.event(id);
            if event.is_read() && event.rf.is_real() && event.rf.thread() != id.thread() {
                self.search.mark(event.rf);
            }
            // The nearest first: most of the others follow from them.
            self.saturation.append(self.search.work.iter().copied(), b);
        }
    }

    /// Whether the source of `read` is overwritten before `read` under every coherence order, as far
    /// as the edges show that coherence within threads forces. Cheaper than to look for an order in
    /// vain.
    fn is_overwritten<P: Preserved>(&mut self, graph: &Graph, read: EventId) -> bool {
        let event = graph.event(read);
        self.search.start(graph);
        self.search.mark(read);
        self.search.finish_by::<P>(graph, Backward::mark_forced);
        graph.location(event.location).co.iter().any(|&write| {
            write != event.rf
                && (self.search.is_marked(write) || precedes_in_thread(graph, write, event.rf))
                && (!event.rf.is_real() || precedes_in_thread(graph, event.rf, write))
        })
    }

    /// What coherence forces within each thread: the writes of two accesses of one location are
    /// ordered as the accesses are.
    fn add_coherence(&mut self, graph: &Graph) -> bool {
        for b in 0..self.saturation.nodes.len() {
            let id = self.saturation.nodes[b].id;
            // What comes before the access before this one, follows.
            let Some(previous) = previous_access(graph, id) else { continue };
            let (from, later) = (write_of(graph, previous), write_of(graph, id));
            if from == later || !from.is_real() {
                continue;
            }
            let ordered = later.is_real() && {
                let (a, b) = (self.saturation.index(from), self.saturation.index(later));
                self.saturation.add(a, b)
            };
            if !ordered {
                return false;
            }
        }
        true
    }

    /// Whether something after the barrier-like event `first` is marked.
    fn passes(&self, graph: &Graph, first: EventId) -> bool {
        graph.order().iter().any(|&id| {
            self.search.is_marked(id) && id != first && Graph::within(graph.clock(0, id), first)
        })
    }

    /// Marks the predecessors of all marked events.
    fn finish<P: Preserved>(&mut self, graph: &Graph) {
        self.search.finish_by::<P>(graph, Backward::mark_previous);
    }
}

/// Whether the last write that `thread` wrote or read at `location` comes after `source` in program
/// order, or `source` is the initial write.
fn overwritten_in_thread(
    graph: &Graph,
    thread: ThreadId,
    location: LocationId,
    source: EventId,
) -> bool {
    let events = graph.thread_events(thread);
    let Some(position) = events.iter().rposition(|event| event.location == location) else {
        return false;
    };
    let known = match events[position].is_read() {
        true => events[position].rf,
        false => EventId::new(thread, position as u32),
    };
    known.is_real()
        && known != source
        && (!source.is_real()
            || (known.thread() == source.thread() && known.position() > source.position()))
}

/// Whether `from` or a reader of it comes before `to` or a reader of it in some thread.
fn precedes_in_thread(graph: &Graph, from: EventId, to: EventId) -> bool {
    if !to.is_real() {
        return false;
    }
    let location = graph.event(to).location;
    let after =
        |a: EventId| is_earlier(a, to) || graph.readers(to, location).any(|b| is_earlier(a, b));
    after(from) || graph.readers(from, location).any(after)
}
