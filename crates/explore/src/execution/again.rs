//! States that nobody needs any more, but that may come again.
//!
//! Who reverses the order of two steps takes those behind them once more, and most threads then do what they did
//! before. A state follows from the one before it and the answer given there. So a state that was released is still
//! good as long as its place is not used for another, if the thread is given the same answer in the same state
//! again. Places are used again in the order in which they were released, the oldest first.

use norn_action::{Answer, NO_STATE, StateId};
use std::collections::VecDeque;

/// So many released states are kept.
const KEPT: usize = 128;

/// What is known of a place.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The state that this one follows from, with which answer; none if it is not known.
    from: StateId,
    answer: Answer,
    /// The last state that was made from this one.
    next: StateId,
    /// Whether nobody needs it.
    free: bool,
    /// Whether it is in the queue. One that came again stays there until it is its turn.
    queued: bool,
}

impl Known {
    fn new() -> Known {
        let answer = Answer::from(norn_action::Value::ZERO);
        Known { from: NO_STATE, answer, next: NO_STATE, free: false, queued: false }
    }
}

/// The states of one worker that may come again.
#[derive(Debug, Default)]
pub(super) struct Again {
    queue: VecDeque<StateId>,
    known: Vec<Known>,
}

impl Again {
    /// A place for a new state; `count` is a new one.
    pub(super) fn name(&mut self, count: usize) -> StateId {
        while self.queue.len() > KEPT {
            let oldest = self.queue.pop_front().expect("more than none");
            let known = &mut self.known[oldest as usize];
            known.queued = false;
            if known.free {
                *known = Known::new();
                return oldest;
            }
        }
        self.known.resize(count + 1, Known::new());
        count as StateId
    }

    /// The state that follows `from` with an answer, if it is there; it is then needed again.
    #[inline]
    pub(super) fn take(&mut self, from: StateId, answer: Answer) -> Option<StateId> {
        let next = self.known[from as usize].next;
        let known = self.known.get_mut(next as usize)?;
        if !known.free || known.from != from || known.answer != answer {
            return None;
        }
        known.free = false;
        Some(next)
    }

    /// A state was made.
    #[inline]
    pub(super) fn follows(&mut self, state: StateId, from: StateId, answer: Answer) {
        self.known[from as usize].next = state;
        let known = &mut self.known[state as usize];
        (known.from, known.answer) = (from, answer);
    }

    /// A state is not needed any more.
    #[inline]
    pub(super) fn release(&mut self, state: StateId) {
        let known = &mut self.known[state as usize];
        known.free = true;
        if !known.queued {
            known.queued = true;
            self.queue.push_back(state);
        }
    }

    /// No state is needed any more, nor will any of them come again.
    pub(super) fn release_all(&mut self, count: usize) {
        self.known.clear();
        self.known.resize(count, Known { free: true, queued: true, ..Known::new() });
        self.queue.clear();
        self.queue.extend(0..count as StateId);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_action::Value;

    fn answer(number: u64) -> Answer {
        Answer::from(Value::from(number))
    }

    #[test]
    fn a_state_comes_again_until_its_place_is_used() {
        let mut again = Again::default();
        let (first, second) = (again.name(0), again.name(1));
        again.follows(second, first, answer(1));
        assert_eq!(again.take(first, answer(1)), None, "it is needed");
        again.release(second);
        assert_eq!(again.take(first, answer(2)), None, "another answer");
        assert_eq!(again.take(first, answer(1)), Some(second));
        assert_eq!(again.take(first, answer(1)), None, "it is needed again");
        again.release(second);
        let mut count = 2;
        let mut others = Vec::new();
        while others.last() != Some(&second) {
            assert_eq!(again.known[second as usize].from, first);
            others.push(again.name(count));
            count += usize::from(others.last() == Some(&(count as StateId)));
            assert!(others.len() <= KEPT + 3, "its place is not used");
            again.release(others[others.len() - 1]);
        }
        assert_eq!(again.take(first, answer(1)), None, "something else is there");
    }

    #[test]
    fn what_came_again_is_not_taken_for_free() {
        let mut again = Again::default();
        let (first, second) = (again.name(0), again.name(1));
        again.follows(second, first, answer(1));
        again.release(second);
        assert_eq!(again.take(first, answer(1)), Some(second));
        for count in 2..3 * KEPT {
            let other = again.name(count);
            assert_ne!(other, second);
            again.release(other);
        }
    }
}
