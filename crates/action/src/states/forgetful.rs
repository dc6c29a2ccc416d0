//! A machine that forgets: another one, whose threads are copied nowhere but in the one live run.

use super::{Answer, Rerun, Running, Saving};
use crate::{Action, Address, Cut, End, Lesson, Machine, ThreadId};

/// Runs the same program as `M`, without its ability to save threads. Whatever a search says of a program
/// it must say of this as well.
pub struct Forgetful<M>(pub M);

impl<M: Saving> Machine for Forgetful<M> {
    type Thread = M::Thread;
    type States = Rerun<Self>;

    fn has_sections(&self) -> bool {
        self.0.has_sections()
    }

    fn is_cut(&self, cut: Cut) -> bool {
        self.0.is_cut(cut)
    }

    fn has_groups(&self) -> bool {
        self.0.has_groups()
    }

    fn knows(&self, lesson: Lesson) -> bool {
        self.0.knows(lesson)
    }

    fn keeps_private(&self, thread: &Self::Thread, address: Address) -> bool {
        self.0.keeps_private(thread, address)
    }

    fn ended(&self, thread: &Self::Thread, address: Address) -> Option<End> {
        self.0.ended(thread, address)
    }

    fn holds(&self, thread: &Self::Thread, address: Address) -> bool {
        self.0.holds(thread, address)
    }
}

impl<M: Saving> Running for Forgetful<M> {
    type Run = Vec<Option<M::Thread>>;

    fn start(&self) -> (Self::Run, Action) {
        let (main, action) = self.0.start();
        (vec![Some(main)], action)
    }

    fn spawn(&self, run: &mut Self::Run, parent: ThreadId, child: ThreadId) -> Action {
        let (thread, action) = self.0.spawn(self.thread(run, parent), child);
        if run.len() <= child.index() {
            run.resize_with(child.index() + 1, || None);
        }
        run[child.index()] = Some(thread);
        action
    }

    fn resume(&self, run: &mut Self::Run, thread: ThreadId, answer: Answer) -> Action {
        let thread = run[thread.index()].as_mut().expect("a thread that was started");
        self.0.answer(thread, answer)
    }

    fn thread<'r>(&self, run: &'r Self::Run, thread: ThreadId) -> &'r M::Thread {
        run[thread.index()].as_ref().expect("a thread that was started")
    }
}
