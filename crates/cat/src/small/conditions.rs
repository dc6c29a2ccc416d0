//! The conditions under which a model can be searched under (Kokologiannakis, Raad, Vafeiadis, "Model Checking for
//! Weakly Consistent Libraries", PLDI 2019, section 3), on all small graphs.
//!
//! 1. MM1: no consistent graph has a cycle in `po ∪ rf`. That consistency does not depend on the order in which
//!    events were added holds of every model that is written in cat.
//! 2. MM2: what is left of a consistent graph when an event is taken away that nothing comes after in `po ∪ rf` is
//!    consistent. All prefixes are reached in such steps.
//! 3. MM3 is asked for in the form that `trust` needs (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022):
//!    to a consistent graph, a read from the newest write, a write after all others to its location, and a fence
//!    can be added. That is more than the paper asks for: there, *some* write must do for a read. `trust` takes it
//!    for granted that the newest does.
//! 4. MM4 is about reads that read from nothing, which a model in cat cannot speak of. It holds.
//!
//! What the form of a model shows (see [`crate::form`]) is not looked for.

use super::Limits;
use super::graph::{Small, Without};
use super::skeleton::{Alphabet, Kind, each};
use crate::Definition;
use crate::tiny::Answers;
use std::ops::ControlFlow;

/// A condition of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// No cycle in `po ∪ rf`.
    Acyclic,
    /// Prefixes of consistent graphs are.
    PrefixClosed,
    /// Events can be added at the end.
    Extensible,
}

impl Condition {
    /// What the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Acyclic => "MM1 (porf-acyclic)",
            Condition::PrefixClosed => "MM2 (prefix-closed)",
            Condition::Extensible => "MM3 (extensible)",
        }
    }
}

/// A graph that shows that a condition does not hold.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The condition.
    pub condition: Condition,
    /// What is wrong, and with which graph.
    pub explanation: String,
}

/// What was looked at in vain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How many graphs.
    pub graphs: u64,
    /// Whether time was over before all were.
    pub is_cut: bool,
}

/// Looks for the smallest graph that shows that a model cannot be searched under.
pub fn conditions(model: &Definition, limits: Limits<'_>) -> Result<Held, Broken> {
    let mut judge = Judge {
        answers: Answers::new(&model.schedule),
        model,
        acyclic: model.is_acyclic_by_form(),
        closed: model.is_prefix_closed_by_form(),
        held: Held::default(),
        broken: None,
    };
    let alphabet = Alphabet::of(&[model]);
    for size in 1..=limits.size {
        for special in 0..=limits.special.min(size) {
            let _ = each(&alphabet, size, special, &mut |skeleton| {
                if (limits.is_over)() {
                    judge.held.is_cut = true;
                    return ControlFlow::Break(());
                }
                Small::of(skeleton).each(&mut |small| judge.look_at(small))
            });
            if let Some(broken) = judge.broken {
                return Err(broken);
            }
            if judge.held.is_cut {
                return Ok(judge.held);
            }
        }
    }
    Ok(judge.held)
}

struct Judge<'m> {
    answers: Answers,
    model: &'m Definition,
    /// Whether the form of the model shows MM1, and MM2.
    acyclic: bool,
    closed: bool,
    held: Held,
    broken: Option<Broken>,
}

impl Judge<'_> {
    /// The check that the graph fails, if any, without an event.
    fn failing(&mut self, small: &Small, without: Option<usize>) -> Option<usize> {
        let graph = Without(small, without);
        self.answers.failing(graph.len(), &graph)
    }

    fn look_at(&mut self, small: &Small) -> ControlFlow<()> {
        self.held.graphs += 1;
        let cyclic = small.cyclic;
        if cyclic && self.acyclic {
            return ControlFlow::Continue(());
        }
        let failing = self.failing(small, None);
        let found = match failing {
            None if cyclic => Some(self.cycle(small)),
            None => self.open_prefix(small),
            Some(_) if cyclic => None,
            Some(check) => self.dead_end(small, check),
        };
        match found {
            Some(broken) => {
                self.broken = Some(broken);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn cycle(&self, small: &Small) -> Broken {
        let explanation = format!(
            "it allows a cycle of po and rf, in which a value comes from nowhere; `acyclic po | rf` would forbid \
             it:\n{}",
            small.describe()
        );
        Broken { condition: Condition::Acyclic, explanation }
    }

    fn open_prefix(&mut self, small: &Small) -> Option<Broken> {
        if self.closed {
            return None;
        }
        let last = (small.locations..small.len()).filter(|&number| small.is_last(number));
        for number in last {
            if let Some(check) = self.failing(small, Some(number)) {
                let explanation = format!(
                    "it allows this execution, but not what is left of it without {}, which nothing depends on \
                     ({} fails):\n{}",
                    small.letter(number),
                    self.model.check_name(check),
                    small.describe()
                );
                return Some(Broken { condition: Condition::PrefixClosed, explanation });
            }
        }
        None
    }

    fn dead_end(&mut self, small: &Small, check: usize) -> Option<Broken> {
        let last = (small.locations..small.len()).filter(|&number| small.is_last(number));
        for number in last.filter(|&number| is_newest(small, number)) {
            if self.failing(small, Some(number)).is_none() {
                let what = match small.event(number).kind {
                    Kind::Read => "read the newest write",
                    Kind::Write => "be added after all other writes to its location",
                    _ => "be added",
                };
                let explanation = format!(
                    "it allows this execution without {letter}, but then {letter} cannot {what} ({} fails):\n{}",
                    self.model.check_name(check),
                    small.describe(),
                    letter = small.letter(number),
                );
                return Some(Broken { condition: Condition::Extensible, explanation });
            }
        }
        None
    }
}

/// Whether the event, which is the last of its thread, is added where nothing stands in its way. The write of a
/// read-modify-write has its place after the source of its read.
fn is_newest(small: &Small, number: usize) -> bool {
    let event = small.event(number);
    let newest = small.newest(event.location.min(small.locations.saturating_sub(1)), number);
    match event.kind {
        Kind::Read => small.rf[number] == newest,
        Kind::Write => {
            small.co[event.location].last() == Some(&number)
                && (!event.half || small.rf[number - 1] == newest)
        }
        _ => true,
    }
}
