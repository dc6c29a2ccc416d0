//! Whether what the program does in one step is one step in a graph: atomic sections, and accesses that the
//! machine makes in several parts.
//!
//! **Parts.** Where accesses of several sizes overlap, the machine makes the larger ones in parts, so that all
//! accesses to a byte are of one location ([`norn_action::Cut`]). The parts of one access are consecutive in
//! program order, the first a [`Role::FirstPart`], the others a [`Role::Part`], and to the search they are
//! accesses like any others. So it visits graphs in which the parts are torn apart, which are dropped when they
//! have ended or when something is wrong with them, as those of sections are. Nothing is lost: a graph in which
//! each access is one event is consistent only if the graph of its parts is. What makes the parts one access
//! is the model's to say ([`Model::whole`]).
//!
//! While parts of a store are still to come, nothing is said of a graph; what is wrong with it is looked for
//! again when it has ended.

use super::{Execution, sections};
use norn_action::{Access, Action, Machine, Role};
use norn_models::{Groups, Model, Whole};

/// Whether all steps of a graph are one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// They are.
    Whole,
    /// Some are not: there is no such execution, or it is too early to tell.
    Torn,
    /// The model does not say.
    Unclear,
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether all steps are one each; `ended` says that nobody will move any more.
    #[inline]
    pub(crate) fn steps(&mut self, ended: bool) -> Steps {
        if !self.machine.has_sections() && !self.machine.has_groups() {
            return Steps::Whole;
        }
        self.steps_closely(ended)
    }

    #[cold]
    fn steps_closely(&mut self, ended: bool) -> Steps {
        let groups = Groups::of(&self.graph);
        if self.machine.has_sections() && !sections::are_atomic(&self.graph, &groups, ended) {
            return Steps::Torn;
        }
        if groups.is_empty() {
            return Steps::Whole;
        }
        if !ended && self.is_amid_parts() {
            return Steps::Torn;
        }
        match self.model.whole(&self.graph, &groups) {
            Whole::Yes => Steps::Whole,
            Whole::No => Steps::Torn,
            Whole::Unclear => Steps::Unclear,
        }
    }

    /// Whether some thread is paused at a part of an access that is not the first.
    fn is_amid_parts(&self) -> bool {
        let is_part = |access: &Access| access.role == Role::Part;
        self.started().any(|thread| match self.action(thread) {
            Action::Load(access, _) | Action::Store(access, _) => is_part(access),
            _ => false,
        })
    }
}
