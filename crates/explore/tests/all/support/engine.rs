//! The algorithms under test, and what each promises. One that is listed here is compared with everything that
//! is known: see [`crate::corpus`].

use super::differential::{Collect, difference_from_oracle, has};
use super::table::Row;
use super::{Outcomes, explore_by};
use norn_action::{FaultKind, Forgetful, Machine};
use norn_explore::{Algorithm, Conflicts, Observer, Summary, Visit};
use norn_litmus::{LitmusMachine, LitmusThread, Program};
use norn_models::ModelName;
use std::collections::BTreeSet;

/// What an algorithm tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinguishes {
    /// Execution graphs: program order, reads-from and coherence.
    Graphs,
    /// Reads-from relations; coherence is a witness.
    Relations,
}

/// An algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    pub algorithm: Algorithm,
    pub distinguishes: Distinguishes,
    /// Random programs of each shape in an ordinary run.
    pub programs: u64,
}

/// Which machine runs the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// One that saves its threads.
    Saving,
    /// One that runs the program again.
    Forgetful,
}

pub const TRUST: Engine =
    Engine { algorithm: Algorithm::Trust, distinguishes: Distinguishes::Graphs, programs: 1500 };

pub const RF: Engine =
    Engine { algorithm: Algorithm::Rf, distinguishes: Distinguishes::Relations, programs: 800 };

/// Where all updates conflict, traces are graphs.
pub const AWAIT: Engine = Engine {
    algorithm: Algorithm::Await(Conflicts::Standard),
    distinguishes: Distinguishes::Graphs,
    programs: 1500,
};

/// What was found, and how a program can end.
pub struct Run {
    pub summary: Summary,
    pub outcomes: BTreeSet<String>,
}

impl Run {
    pub fn raced(&self) -> bool {
        has(&self.summary, FaultKind::DataRace)
    }
}

impl Engine {
    /// The models that it knows.
    pub fn models(self) -> impl Iterator<Item = ModelName> {
        ModelName::ALL.into_iter().filter(move |&model| self.algorithm.supports(model))
    }

    /// Explores a program to the end.
    pub fn explore(
        self,
        on: On,
        litmus: &LitmusMachine,
        model: ModelName,
        observer: &mut (impl Observer<LitmusMachine> + Observer<Forgetful<LitmusMachine>>),
    ) -> Summary {
        match on {
            On::Saving => explore_by(self.algorithm, litmus, model, observer),
            On::Forgetful => {
                let machine = Forgetful(LitmusMachine::new(litmus.program().clone()));
                explore_by(self.algorithm, &machine, model, observer)
            }
        }
    }

    /// Explores a program, and keeps its outcomes.
    pub fn run(self, on: On, program: &Program, model: ModelName) -> Run {
        let machine = LitmusMachine::new(program.clone());
        let mut outcomes = Outcomes { machine: &machine, found: BTreeSet::new() };
        let summary = self.explore(on, &machine, model, &mut outcomes);
        Run { summary, outcomes: outcomes.found }
    }

    /// Compares what is found with the row of a table, if it knows the model.
    pub fn check_row(self, on: On, row: &Row, program: &Program) -> Result<(), String> {
        if !self.algorithm.supports(row.model) {
            return Ok(());
        }
        let found = self.run(on, program, row.model);
        if found.raced() != row.race {
            return Err(format!("race: {} instead of {}", found.raced(), row.race));
        }
        if row.race {
            return Ok(());
        }
        let executions = found.summary.executions;
        let as_many = match self.distinguishes {
            Distinguishes::Graphs => executions == row.executions,
            Distinguishes::Relations => executions <= row.executions,
        };
        if !as_many {
            return Err(format!("{executions} executions of {}", row.executions));
        }
        let outcomes: Vec<&str> = found.outcomes.iter().map(String::as_str).collect();
        if outcomes.join("|") != row.outcomes {
            return Err(format!("outcomes {} instead of {}", outcomes.join("|"), row.outcomes));
        }
        Ok(())
    }

    /// What differs between what it visits and what the oracle enumerates, if anything does.
    pub fn difference(self, on: On, program: &Program, model: ModelName) -> Option<String> {
        let machine = LitmusMachine::new(program.clone());
        let mut collect = Collect::new(&machine);
        let summary = self.explore(on, &machine, model, &mut collect);
        difference_from_oracle(self.distinguishes, program, model, collect, &summary)
    }
}

impl<M: Machine<Thread = LitmusThread>> Observer<M> for Outcomes<'_> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let threads = execution.threads().map(|(_, thread, _)| thread);
        let last = |_, address| super::last_value(execution, address);
        let state = self.machine.final_state(threads, last);
        self.found.insert(self.machine.program().outcome(&state));
    }

    /// An algorithm that does not choose coherence shows all that memory may hold in the end.
    fn wants_ends(&self) -> bool {
        true
    }

    fn other_end(&mut self, execution: &Visit<'_, M>) {
        self.execution(execution);
    }
}
