//! Observers behind a pointer. Explorers are compiled once for each kind of observer, under every model; those whose speed
//! does not matter share one kind, and are for `trust` alone.

use crate::store::Witness;
use norn_action::Machine;
use norn_explore::{Observer, Violation, Visit};
use norn_graph::Event;
use std::sync::{Arc, Mutex};

/// The observers of a search.
pub(crate) struct Lookers<O>(Mutex<Vec<Arc<Mutex<O>>>>);

impl<O> Lookers<O> {
    pub(crate) fn new() -> Lookers<O> {
        Lookers(Mutex::new(Vec::new()))
    }

    /// One more, as explorers see it.
    pub(crate) fn add<'o, M: Machine>(&self, observer: O) -> Looker<'o, M>
    where
        O: Observer<M> + Send + 'o,
    {
        let shared = Arc::new(Mutex::new(observer));
        self.0.lock().expect("nobody panics with the lock").push(Arc::clone(&shared));
        Looker(shared)
    }

    /// Those that the search has given back when it was over. There may have been others, of a search that began again.
    pub(crate) fn take<M: Machine>(self, back: Vec<Looker<'_, M>>) -> impl Iterator<Item = O> {
        let kept: Vec<*const ()> = back.iter().map(|one| Arc::as_ptr(&one.0).cast()).collect();
        drop(back);
        let mut all = self.0.into_inner().expect("nobody panics with the lock");
        all.retain(|one| kept.contains(&Arc::as_ptr(one).cast()));
        let own = |one: Arc<Mutex<O>>| {
            let one = Arc::into_inner(one).expect("the search has given all of them back");
            one.into_inner().expect("nobody panics with the lock")
        };
        all.into_iter().map(own)
    }
}

/// An observer. No other worker has it, so that its lock is always free.
pub(crate) struct Looker<'o, M: Machine>(Arc<Mutex<dyn Observer<M> + Send + 'o>>);

impl<M: Machine> Looker<'_, M> {
    fn with<R>(&self, ask: impl FnOnce(&mut dyn Observer<M>) -> R) -> R {
        ask(&mut *self.0.lock().expect("nobody panics with the lock"))
    }
}

impl<M: Machine> Witness for Looker<'_, M> {
    const GRAPHS: bool = true;

    type Seen = ();

    fn seen(_: &[&Self], (): &()) {}
}

impl<M: Machine> Observer<M> for Looker<'_, M> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        self.with(|observer| observer.execution(execution));
    }

    fn wants_order(&self) -> bool {
        self.with(|observer| observer.wants_order())
    }

    fn wants_ends(&self) -> bool {
        self.with(|observer| observer.wants_ends())
    }

    fn other_end(&mut self, execution: &Visit<'_, M>) {
        self.with(|observer| observer.other_end(execution));
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        self.with(|observer| observer.blocked(execution));
    }

    fn violation(&mut self, violation: &Violation) {
        self.with(|observer| observer.violation(violation));
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.with(|observer| observer.progress(executions, blocked));
    }

    fn wants_branches(&self) -> bool {
        self.with(|observer| observer.wants_branches())
    }

    fn branch(&mut self, event: &Event) {
        self.with(|observer| observer.branch(event));
    }

    fn task_begins(&mut self) {
        self.with(|observer| observer.task_begins());
    }

    fn task_ends(&mut self) {
        self.with(|observer| observer.task_ends());
    }
}
