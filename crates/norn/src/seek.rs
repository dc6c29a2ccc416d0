//! Searches that end when enough was seen.
//!
//! What is found must not look as if the user had ended the search, so it has a control of its own, and looks at the
//! user's now and then.

use crate::check::Job;
use crate::control::Control;
use crate::error::InputError;
use crate::lookers::Lookers;
use crate::plan::Algorithm;
use crate::program;
use crate::search::Explored;
use crate::tally::{Listener, Share, Tally};
use norn_explore::{Observer, Summary, Visit};
use norn_machine::{Config, Vm};
use norn_program::Program;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks at executions until it has seen enough.
pub(crate) trait Seek: Send {
    /// Every thread came to its end.
    fn execution(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()>;

    /// Some threads wait for ever.
    fn blocked(&mut self, _: &Visit<'_, Vm>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What ends a search.
pub(crate) struct Ending {
    own: Control,
    user: Arc<AtomicBool>,
}

/// A search that is over.
pub(crate) struct Sought<S> {
    pub(crate) vm: Vm,
    pub(crate) algorithm: Algorithm,
    pub(crate) summary: Summary,
    /// One for each worker.
    pub(crate) seen: Vec<S>,
}

impl Ending {
    pub(crate) fn new(user: &Control) -> Ending {
        Ending { own: Control::default(), user: user.flag() }
    }

    /// The control of the search.
    pub(crate) fn control(&self) -> &Control {
        &self.own
    }

    /// Searches a program, for a job that was made with this control.
    pub(crate) fn search<S: Seek>(
        &self,
        job: &Job<'_>,
        program: &Arc<Program>,
        config: Config,
        progress: &mut Listener<'_>,
        seek: impl Fn() -> S,
    ) -> Result<Sought<S>, InputError> {
        let config = Config { meter: job.meter(), ..config };
        let tally = Tally::new(progress);
        let lookers = Lookers::new();
        let watcher = || lookers.add(Seeker { seek: seek(), ending: self, share: tally.share() });
        let mut store = job.store(String::new())?;
        let (vm, explored) = program::explore(job, program, &config, &tally, &mut store, watcher)?;
        let Explored { summary, observers, algorithm } = explored;
        let seen = lookers.take(observers).map(|seeker| seeker.seek).collect();
        Ok(Sought { vm, algorithm, summary, seen })
    }
}

struct Seeker<'s, 'p, 'f, S> {
    seek: S,
    ending: &'s Ending,
    share: Share<'s, 'p, 'f>,
}

impl<S> Seeker<'_, '_, '_, S> {
    fn end_if(&self, seen: ControlFlow<()>) {
        if seen.is_break() {
            self.ending.own.interrupt();
        }
    }
}

impl<S: Seek> Observer<Vm> for Seeker<'_, '_, '_, S> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        let seen = self.seek.execution(execution);
        self.end_if(seen);
    }

    fn blocked(&mut self, execution: &Visit<'_, Vm>) {
        let seen = self.seek.blocked(execution);
        self.end_if(seen);
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        if self.ending.user.load(Ordering::Relaxed) {
            self.ending.own.interrupt();
        }
        self.share.report(executions, blocked);
    }
}
