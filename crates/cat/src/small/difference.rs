//! The smallest litmus test whose outcomes tell two models apart.
//!
//! Tests are tried by the number of their accesses and fences, then by how many of these are anything but relaxed
//! reads and writes, then by the number of threads. An outcome is what all reads have read (every write has a value
//! of its own) and what memory holds in the end; coherence that shows in neither is no difference that a program
//! can tell. Left out are tests of which a part would do: every location is written, and accessed by two threads
//! at least, and no thread begins or ends with a fence or is a single read.

use super::Limits;
use super::graph::{Small, Without};
use super::litmus::{Outcome, program};
use super::skeleton::{Alphabet, Kind, Skeleton, each};
use crate::Definition;
use crate::tiny::Answers;
use norn_action::Mode;
use norn_litmus::Program;
use std::ops::ControlFlow;

/// A test that tells two models apart.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The test. It asks whether no execution has the outcome that only one model allows.
    pub program: Program,
    /// Which of the two models allows the outcome, or has the race.
    pub allowed_by: usize,
    /// The models differ in whether the test has a race, and not in its outcomes.
    pub by_race: bool,
    /// How many accesses and fences it has.
    pub size: usize,
}

/// Looks for a test; none if there is none within the limits, with whether time was over.
pub fn difference(models: [&Definition; 2], limits: Limits<'_>) -> (Option<Difference>, bool) {
    let mut search = Search {
        answers: models.map(|model| Answers::new(&model.schedule)),
        races: models.iter().all(|model| model.reports_races()),
        seen: Vec::new(),
        found: None,
    };
    let alphabet = Alphabet::of(&models);
    let mut is_cut = false;
    for size in 2..=limits.size {
        for special in 0..=limits.special.min(size) {
            let flow = each(&alphabet, size, special, &mut |skeleton| {
                if !is_of_use(skeleton) {
                    return ControlFlow::Continue(());
                }
                if (limits.is_over)() {
                    is_cut = true;
                    return ControlFlow::Break(());
                }
                search.compare(skeleton, size)
            });
            if flow.is_break() {
                return (search.found, is_cut);
            }
        }
    }
    (None, false)
}

/// Whether no part of the test is plainly of no use.
fn is_of_use(skeleton: &Skeleton) -> bool {
    let is_fence = |thread: &[super::skeleton::Label], at: usize| thread[at].kind == Kind::Fence;
    let shared = |location: usize| {
        let mut threads = 0;
        let mut written = false;
        for thread in &skeleton.threads {
            let mut here = thread
                .iter()
                .filter(|label| label.kind != Kind::Fence && label.location == location)
                .peekable();
            threads += usize::from(here.peek().is_some());
            written |= here.any(|label| label.kind != Kind::Read);
        }
        threads > 1 && written
    };
    skeleton.threads.len() > 1
        && (skeleton.threads.iter())
            .all(|thread| !is_fence(thread, 0) && !is_fence(thread, thread.len() - 1))
        && (skeleton.threads.iter()).all(|thread| thread.len() > 1 || thread[0].kind != Kind::Read)
        && (0..skeleton.locations()).all(shared)
}

struct Search {
    answers: [Answers; 2],
    /// Whether both models say what a race is.
    races: bool,
    /// The outcomes of the test at hand, and which models allow them.
    seen: Vec<(Outcome, [bool; 2])>,
    found: Option<Difference>,
}

impl Search {
    fn compare(&mut self, skeleton: &Skeleton, size: usize) -> ControlFlow<()> {
        let Search { answers, seen, races, .. } = self;
        seen.clear();
        let mut racy = [false; 2];
        let plain = *races && skeleton.labels().any(|label| label.mode == Mode::Plain);
        let _ = Small::of(skeleton).each(&mut |small| {
            if small.cyclic {
                return ControlFlow::Continue(());
            }
            let outcome = Outcome::of(small);
            let index = match seen.iter().position(|(known, _)| *known == outcome) {
                Some(index) => index,
                None => {
                    seen.push((outcome, [false; 2]));
                    seen.len() - 1
                }
            };
            let allowed = &mut seen[index].1;
            for (model, answers) in answers.iter_mut().enumerate() {
                // What is known to be allowed need not be asked again, unless for races.
                if allowed[model] && !plain {
                    continue;
                }
                let graph = Without(small, None);
                if answers.failing(graph.len(), &graph).is_none() {
                    allowed[model] = true;
                    racy[model] |= plain && answers.has_race();
                }
            }
            ControlFlow::Continue(())
        });
        let made = match racy {
            [true, true] => None,
            [false, false] => self.outcome().map(|(outcome, allowed_by)| Difference {
                program: program(skeleton, Some(outcome)),
                allowed_by,
                by_race: false,
                size,
            }),
            [first, _] => Some(Difference {
                program: program(skeleton, None),
                allowed_by: usize::from(!first),
                by_race: true,
                size,
            }),
        };
        match made {
            Some(difference) => {
                self.found = Some(difference);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// An outcome that one model alone allows, by what is read alone if that is enough.
    fn outcome(&self) -> Option<(Outcome, usize)> {
        let by_one = |by: [bool; 2]| (by[0] != by[1]).then(|| usize::from(by[1]));
        for (outcome, _) in &self.seen {
            let mut by = [false; 2];
            let same = self.seen.iter().filter(|(other, _)| other.read == outcome.read);
            for (_, allowed) in same {
                (0..2).for_each(|model| by[model] |= allowed[model]);
            }
            if let Some(model) = by_one(by) {
                return Some((outcome.without_memory(), model));
            }
        }
        self.seen.iter().find_map(|(outcome, by)| Some((outcome.clone(), by_one(*by)?)))
    }
}
