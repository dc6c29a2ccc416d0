//! Every litmus test under sc, by `rvf`: the outcomes and faults of `trust`, with no more executions.

use crate::support::engine::{On, TRUST};
use crate::support::{corpus, explore_by, last_value};
use norn_explore::{Aids, Algorithm, Observer, Summary, Visit};
use norn_litmus::{LitmusMachine, Program};
use norn_models::ModelName;
use std::collections::BTreeSet;

/// Collects outcomes, with all that memory may hold in the end.
struct Outcomes<'m> {
    machine: &'m LitmusMachine,
    found: BTreeSet<String>,
}

impl Observer<LitmusMachine> for Outcomes<'_> {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        let threads = execution.threads().map(|(_, thread, _)| thread);
        let state = self.machine.final_state(threads, |_, address| last_value(execution, address));
        self.found.insert(self.machine.program().outcome(&state));
    }

    fn wants_ends(&self) -> bool {
        true
    }

    fn other_end(&mut self, execution: &Visit<'_, LitmusMachine>) {
        self.execution(execution);
    }
}

fn faults(summary: &Summary) -> BTreeSet<String> {
    summary.violations.iter().map(|violation| violation.fault.kind().to_string()).collect()
}

fn against_trust(program: &Program) -> Result<(), String> {
    let machine = LitmusMachine::new(program.clone());
    let mut outcomes = Outcomes { machine: &machine, found: BTreeSet::new() };
    let rvf = Algorithm::Rvf(Aids::default());
    let summary = explore_by(rvf, &machine, ModelName::Sc, &mut outcomes);
    let trust = TRUST.run(On::Saving, program, ModelName::Sc);
    let (ours, theirs) = (faults(&summary), faults(&trust.summary));
    if ours != theirs {
        return Err(format!("found {ours:?} instead of {theirs:?}"));
    }
    if summary.executions > trust.summary.executions || summary.blocked > trust.summary.blocked {
        return Err(format!("{} executions of {}", summary.executions, trust.summary.executions));
    }
    if outcomes.found != trust.outcomes {
        return Err(format!("outcomes {:?} instead of {:?}", outcomes.found, trust.outcomes));
    }
    Ok(())
}

#[test]
fn outcomes_and_faults_are_those_of_trust() {
    let mut wrong = Vec::new();
    let mut tests = 0;
    for entry in std::fs::read_dir(corpus()).expect("the litmus tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "litmus") {
            continue;
        }
        tests += 1;
        let text = std::fs::read_to_string(&path).expect("the test");
        let program = norn_litmus::read(&text).expect("a litmus test");
        if let Err(difference) = against_trust(&program) {
            wrong.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(tests >= 467, "only {tests} tests");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
