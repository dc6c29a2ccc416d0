//! Races: pairs of steps that could have come in the other order, and the lines that lead there.

use super::Awaits;
use super::trace::StepId;
use norn_action::Machine;
use norn_models::Interleaving;

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// Looks at all races of an execution in which nobody can move (Algorithm 1, lines 3 to 22).
    pub(super) fn reverse_races(&mut self) {
        let mut races = std::mem::take(&mut self.races);
        let trace = &self.execution.model.trace;
        races.clear();
        races.extend_from_slice(trace.races());
        // Those with the same first step have all but the last step of their lines in common.
        races.sort_unstable();
        let mut at = 0;
        while let Some(&(first, _)) = races.get(at) {
            let count = races[at..].partition_point(|race| race.0 == first);
            self.reverse_all(first, &races[at..at + count]);
            at += count;
        }
        self.races = races;
        self.reverse_blocking();
        self.old = self.execution.model.trace.len();
    }

    /// Looks at the races with the same first step.
    fn reverse_all(&mut self, first: StepId, races: &[(StepId, StepId)]) {
        let trace = &self.execution.model.trace;
        let old = if trace.all_after(first, self.old) { self.old } else { 0 };
        if races.iter().all(|race| race.1 < old) {
            return;
        }
        trace.not_after(first, &mut self.apart);
        self.line.clear();
        self.line.extend(self.apart.iter().map(|&id| trace.step(id).label));
        for &(_, second) in races.iter().filter(|race| race.1 >= old) {
            let last = self.label_without(first, second);
            self.line.push(last);
            self.nodes[first as usize].insert(&self.line);
            self.line.pop();
        }
    }
}
