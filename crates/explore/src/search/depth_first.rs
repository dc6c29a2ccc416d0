//! Searching depth-first: down one execution to its end, then back to the latest node that has a branch left.

use super::options::{Observer, tell_branch};
use super::position::Position;
use super::workers::{Explorer, Parts};
use norn_action::Machine;

/// What became of the execution at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// It has more events.
    On,
    /// It is done with: it was visited, or others go on with it, or what comes next is beyond the limits.
    Done,
    /// It has ended, and was not visited because there were enough, or the search is stopped.
    Surplus,
}

/// How far a search has come.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Whether the execution at hand is still to be visited.
    pub at_hand: bool,
    /// Whether the task that was taken over starts with the next branch of its last node.
    pub goes_back: bool,
    /// How often the search came to the end of an execution.
    pub leaves: u64,
}

/// An explorer that searches depth-first.
pub(crate) trait DepthFirst<M: Machine>: Explorer<M> {
    /// Whether going back adds the first event of the branch. Otherwise the next move does.
    const ADDS_BRANCH: bool = true;

    /// How far it has come.
    fn progress(&mut self) -> &mut Progress;

    /// Goes on with the execution at hand, or visits it if nobody can move.
    fn move_someone(&mut self, observer: &mut impl Observer<M>) -> Moved;

    /// Goes back to the latest node that has a branch left. False when there is none, or the search is stopped.
    fn backtrack(&mut self, observer: &mut impl Observer<M>) -> bool;

    /// Looks at what was found in the execution at hand.
    fn judge(&mut self);

    /// The task of the oldest node that is worth sharing, which is shared from now on.
    fn share(&mut self) -> Option<Self::Task>;
}

/// Visits all that can be reached from here, until something stops it.
pub(crate) fn visit_all<M: Machine, E: DepthFirst<M>>(
    explorer: &mut E,
    observer: &mut impl Observer<M>,
) {
    explorer.parts().session.starts();
    let goes_back = std::mem::take(&mut explorer.progress().goes_back);
    let at_hand = !goes_back || explorer.backtrack(observer);
    explorer.progress().at_hand = at_hand;
    if at_hand {
        visit_rest(explorer, observer, goes_back);
    }
    explorer.judge();
    let Parts { session, execution, .. } = explorer.parts();
    session.finish(execution, observer);
}

/// Visits the execution at hand, and all branches that are left.
fn visit_rest<M: Machine, E: DepthFirst<M>>(
    explorer: &mut E,
    observer: &mut impl Observer<M>,
    mut is_branch: bool,
) {
    let is_beyond = explorer.parts().execution.refuse_groups();
    if E::ADDS_BRANCH && is_branch {
        tell_branch(explorer.parts().execution.graph(), observer);
    }
    loop {
        if explorer.parts().session.should_stop(observer, true).0 || is_beyond {
            break;
        }
        let moved = explorer.move_someone(observer);
        if !E::ADDS_BRANCH && std::mem::take(&mut is_branch) {
            tell_branch(explorer.parts().execution.graph(), observer);
        }
        explorer.parts().execution.check_graph();
        if moved == Moved::On {
            continue;
        }
        explorer.progress().leaves += 1;
        if explorer.parts().session.signals.is_asked() {
            hand_over(explorer);
        }
        explorer.progress().at_hand = moved == Moved::Surplus;
        let is_stopped = explorer.parts().session.is_stopped();
        if is_stopped || !explorer.backtrack(observer) {
            break;
        }
        explorer.progress().at_hand = true;
        is_branch = true;
        if E::ADDS_BRANCH {
            tell_branch(explorer.parts().execution.graph(), observer);
        }
    }
}

/// Gives work away, if there are others and there is some.
#[cold]
fn hand_over<M: Machine, E: DepthFirst<M>>(explorer: &mut E) {
    if let Some(queue) = explorer.parts().queue.clone()
        && let Some(task) = explorer.share()
    {
        queue.give((Position::default(), task));
    }
}
