//! Looking at a trace: while somebody does, the graph at hand is that of the trace.

use super::Rvf;
use crate::execution::{AnyExecution, Execution};
use crate::rvf::container::Container;
use crate::search::Session;
use norn_action::Machine;
use norn_models::Interleaving;
use norn_models::vsc::Op;

impl<M: Machine, Mo: Interleaving> Rvf<'_, M, Mo> {
    /// Lets `look` see the execution whose events are in the order of `line`.
    pub(super) fn look_at<R>(
        &mut self,
        line: &[Op],
        look: impl FnOnce(&mut Execution<'_, M, Container<Mo>>, &mut Session) -> R,
    ) -> R {
        let Rvf { execution, session, steps, aside, .. } = self;
        aside.graph.copy_run(&execution.graph, steps.events(line));
        aside.current.clone_from(&execution.current);
        aside.half = None;
        execution.exchange(aside);
        execution.check_graph();
        execution.model.is_run = true;
        let seen = look(execution, session);
        execution.model.is_run = false;
        execution.exchange(aside);
        seen
    }

    /// Looks at what was found in the execution at hand.
    #[inline]
    pub(super) fn judge(&mut self, ended: bool) {
        if !self.execution.found.is_empty() {
            self.judge_findings(ended);
        }
    }

    #[cold]
    fn judge_findings(&mut self, ended: bool) {
        let line = std::mem::take(&mut self.trace);
        self.look_at(&line, |execution, session| session.judge(execution, &mut (), ended));
        self.trace = line;
    }
}
