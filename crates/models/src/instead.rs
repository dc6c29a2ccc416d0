//! What a read of an execution could have read instead.

use crate::{Named, NewAccess};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, Locations};

/// The writes that `read` could have read from instead of its own, oldest first, if everything is as it is that does not
/// depend on it: what comes after it, by program order and reads-from, is left out. A read-modify-write takes only what
/// no other one took.
///
/// It costs what copying the graph does.
pub fn instead<M: Named>(graph: &Graph, locations: &Locations, read: EventId) -> Vec<EventId> {
    let mut model = M::new();
    let event = *graph.event(read);
    let mut part = Graph::new(M::LANES);
    part.copy_restricted(graph, &independent(graph, read));
    if !part.touch(event.location, locations) {
        return Vec::new();
    }
    let access = NewAccess {
        thread: read.thread(),
        location: event.location,
        write: false,
        locked: graph.has_exclusive_write(read),
        mode: event.mode,
        mutex: event.flags.is_mutex(),
    };
    let newest = part.location(event.location).co.len() as u32;
    let floor = model.floor(&part, &access);
    let sources = (floor..=newest).map(|index| part.co_at(event.location, index));
    let sources: Vec<EventId> = sources.filter(|&source| source != event.rf).collect();
    let is_free =
        |part: &Graph, source| !access.locked || !part.taken_by(source, event.location).is_real();
    let mut fits = |source: &EventId| {
        is_free(&part, *source) && {
            let id = part.add_read(read.thread(), event, *source);
            model.added(&mut part, id);
            let holds = model.holds(&part, id);
            part.pop();
            holds
        }
    };
    sources.into_iter().filter(|source| fits(source)).collect()
}

/// How many events of each thread do not depend on `read`.
fn independent(graph: &Graph, read: EventId) -> Vec<u32> {
    let threads = (0..graph.thread_count() as u32).map(ThreadId);
    let depends = |id: EventId| id == read || Graph::within(graph.clock(0, id), read);
    let of = |thread: ThreadId| {
        let ids = (0..graph.thread_len(thread)).map(|at| EventId::new(thread, at));
        ids.take_while(|&id| !depends(id)).count() as u32
    };
    threads.map(of).collect()
}
