//! What threads, variables, values and waits of a violation are called.

use crate::messages::Lookup;
use crate::names::Names;
use crate::step::{Awaited, Stuck, Target};
use norn_action::{Address, RmwOp, Role, ThreadId, Wait};
use norn_explore::{Violation, Waiting};
use norn_graph::{Event, Graph, LocationId, Locations};

/// Gives names.
pub(crate) struct Describer<'a> {
    graph: &'a Graph,
    locations: &'a Locations,
    names: &'a dyn Names,
}

impl<'a> Describer<'a> {
    pub(crate) fn new(violation: &'a Violation, names: &'a dyn Names) -> Describer<'a> {
        Describer { graph: &violation.graph, locations: &violation.locations, names }
    }

    /// What the program's author calls things.
    pub(crate) fn names(&self) -> &'a dyn Names {
        self.names
    }

    pub(crate) fn thread(&self, thread: ThreadId) -> String {
        self.names.thread(self.graph, thread)
    }

    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup { names: self.names, graph: self.graph }
    }

    /// The name of a thread without what it runs: `thread 2` for `thread 2 (worker)`.
    pub(crate) fn short_thread(&self, thread: ThreadId) -> String {
        self.names.short_thread(thread)
    }

    /// A thread that another one starts or waits for.
    pub(crate) fn target(&self, thread: ThreadId) -> Target {
        Target { target: thread.0, target_name: self.short_thread(thread) }
    }

    /// The name of a location.
    pub(crate) fn variable(&self, location: LocationId) -> String {
        let info = self.locations.info(location);
        self.names.variable(self.graph, info.address, info.size)
    }

    /// The name of the object at an address.
    pub(crate) fn object(&self, address: Address) -> String {
        self.names.variable(self.graph, address, 1)
    }

    /// The name of what starts at an address: a barrier, or what is freed.
    pub(crate) fn start(&self, address: Address) -> String {
        self.names.variable(self.graph, address, 0)
    }

    /// What an access reads or writes.
    pub(crate) fn value(&self, event: &Event) -> String {
        if event.flags.is_like(Role::Condition) {
            return self.waiters(event);
        }
        let info = self.locations.info(event.location);
        self.names.value(self.graph, info.address, info.size, event.value)
    }

    /// Who waits for a condition variable.
    fn waiters(&self, event: &Event) -> String {
        let set = event.value.low() & ((1 << RmwOp::MEMBERS) - 1);
        let members = (0..RmwOp::MEMBERS).filter(|t| set >> t & 1 == 1);
        let names: Vec<String> = members.map(|t| self.short_thread(ThreadId(t))).collect();
        match names.len() {
            0 => "nobody waits".to_owned(),
            1 => format!("{} waits", names[0]),
            _ => format!("{} wait", names.join(", ")),
        }
    }

    /// What a thread waits for, for ever.
    pub(crate) fn stuck(&self, waiting: &Waiting) -> Stuck {
        Stuck {
            variable: self.waited_for(waiting),
            awaits: match (waiting.wait, waiting.holders.first()) {
                (Some(Wait::Mutex), _) => Awaited::Mutex,
                (Some(Wait::RwLock), _) => Awaited::RwLock,
                (Some(Wait::Semaphore), _) => Awaited::Semaphore,
                (Some(Wait::Condition | Wait::TimedCondition), _) => Awaited::Condition,
                (Some(Wait::Once), _) => Awaited::Once,
                (Some(Wait::Value), _) => Awaited::Value,
                (None, Some(_)) => Awaited::Thread,
                (None, None) => Awaited::Barrier,
            },
            holders: waiting.holders.iter().map(|&holder| self.target(holder)).collect(),
        }
    }

    /// What a thread waits for: what it is about to access, or what its last event, a read of a loop that
    /// spins, has read.
    fn waited_for(&self, waiting: &Waiting) -> Option<String> {
        waiting.wait?;
        if let Some(address) = waiting.address {
            return Some(self.object(address));
        }
        let last = self.graph.threads_last(waiting.thread)?;
        last.is_read().then(|| self.variable(last.location))
    }
}
