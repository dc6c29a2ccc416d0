//! Every litmus test with a known answer, under every model, with each reads-from relation visited
//! once: the same outcomes, the same verdict on races, never more executions than with coherence.

use crate::support::table::{Row, check_all};
use crate::support::{corpus, explore_rf, last_value, run};
use norn_action::FaultKind;
use norn_explore::{Observer, Summary, Visit};
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

fn check(row: &Row, program: &Program) -> Result<(), String> {
    let machine = LitmusMachine::new(program.clone());
    let mut outcomes = Outcomes { machine: &machine, found: BTreeSet::new() };
    let summary = explore_rf(&machine, row.model, &mut outcomes);
    let raced = summary.violations.iter().any(|v| v.fault.kind() == FaultKind::DataRace);
    if raced != row.race {
        return Err(format!("race: {raced} instead of {}", row.race));
    }
    if row.race {
        return Ok(());
    }
    if summary.executions > row.executions {
        return Err(format!("{} executions of {}", summary.executions, row.executions));
    }
    let found: Vec<&str> = outcomes.found.iter().map(String::as_str).collect();
    if found.join("|") != row.outcomes {
        return Err(format!("outcomes {} instead of {}", found.join("|"), row.outcomes));
    }
    Ok(())
}

#[test]
fn all_answers_are_reproduced() {
    check_all(check);
}

/// The kinds of what is wrong with a program.
fn faults(summary: &Summary) -> BTreeSet<String> {
    summary.violations.iter().map(|violation| violation.fault.kind().to_string()).collect()
}

/// How a search by reads-from differs from one by execution graphs, in what it must not.
fn against_trust(program: &Program, model: ModelName) -> Result<(), String> {
    let machine = LitmusMachine::new(program.clone());
    let mut outcomes = Outcomes { machine: &machine, found: BTreeSet::new() };
    let summary = explore_rf(&machine, model, &mut outcomes);
    let trust = run(program, model);
    let (ours, theirs) = (faults(&summary), faults(&trust.summary));
    if ours != theirs {
        return Err(format!("found {ours:?} instead of {theirs:?}"));
    }
    if summary.executions > trust.executions || summary.blocked > trust.summary.blocked {
        return Err(format!("{} executions of {}", summary.executions, trust.executions));
    }
    if outcomes.found != trust.outcomes {
        return Err(format!("outcomes {:?} instead of {:?}", outcomes.found, trust.outcomes));
    }
    Ok(())
}

#[test]
fn never_worse_than_execution_graphs() {
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
        for model in ModelName::ALL {
            if let Err(difference) = against_trust(&program, model) {
                wrong.push(format!("{} under {model}: {difference}", path.display()));
            }
        }
    }
    assert!(tests >= 467, "only {tests} tests");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
