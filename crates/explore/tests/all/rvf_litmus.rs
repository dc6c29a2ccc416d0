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

/// Programs in which a read must not read writes that need not be overwritten where it is tried, although others
/// write after them: whoever takes them for overwritten loses what is named.
const BARRED: [(&str, u64); 3] = [
    (
        "C none_overwritten
{ }
P0 (atomic_int* x) { atomic_store(x, 1); int r0 = atomic_load(x); }
P1 (atomic_int* x) { atomic_store(x, 1); int r0 = atomic_load(x); atomic_store(x, 0); }
P2 (atomic_int* x) { int r0 = atomic_exchange(x, 0); int r1 = atomic_load(x); }
exists (0:r0=0 /\\ 1:r0=0 /\\ 2:r0=1 /\\ 2:r1=1)",
        16,
    ),
    (
        "C some_overwritten
{ }
P0 (atomic_int* x) { int r0 = atomic_fetch_xor(x, 2); int r1 = atomic_load(x); }
P1 (atomic_int* x) { atomic_store(x, 0); int r0 = atomic_load(x); atomic_store(x, 1); }
P2 (atomic_int* x) { atomic_store(x, 2); }
P3 (atomic_int* x, atomic_int* y) { atomic_store(y, 1); int r0 = atomic_load(x); }
P4 (atomic_int* x, atomic_int* y) {
  atomic_store(x, 0); int r0 = atomic_load(y); atomic_store(x, 1); int r1 = atomic_load(y);
}
exists (0:r0=2 /\\ 0:r1=1 /\\ 1:r0=1 /\\ 3:r0=0 /\\ 4:r0=0 /\\ 4:r1=0)",
        385,
    ),
    (
        "C last_overwritten
{ }
P0 (atomic_int* x) { atomic_store(x, 1); int r0 = atomic_load(x); }
P1 (atomic_int* x) {
  atomic_store(x, 0); int r0 = atomic_exchange(x, 0); int r1 = atomic_load(x); atomic_store(x, 0);
}
P2 (atomic_int* x) { int r0 = atomic_exchange(x, 2); int r1 = atomic_load(x); }
exists (0:r0=0 /\\ 1:r0=0 /\\ 1:r1=2 /\\ 2:r0=0 /\\ 2:r1=1)",
        88,
    ),
];

#[test]
fn writes_that_a_read_must_not_read_may_come_last() {
    for (text, executions) in BARRED {
        let program = norn_litmus::read(text).expect("a litmus test");
        let name = text.lines().next().expect("a name");
        assert_eq!(against_trust(&program), Ok(()), "{name}");
        let machine = LitmusMachine::new(program);
        let rvf = Algorithm::Rvf(Aids::default());
        let mut found = Asked { machine: &machine, satisfied: 0 };
        assert_eq!(
            explore_by(rvf, &machine, ModelName::Sc, &mut found).executions,
            executions,
            "{name}"
        );
        assert!(found.satisfied > 0, "{name}");
    }
}

/// Counts the executions that satisfy the condition, which asks for registers alone.
struct Asked<'m> {
    machine: &'m LitmusMachine,
    satisfied: u64,
}

impl Observer<LitmusMachine> for Asked<'_> {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        let threads = execution.threads().map(|(_, thread, _)| thread);
        let state = self.machine.final_state(threads, |_, address| last_value(execution, address));
        let question = self.machine.program().condition.as_ref().expect("a condition");
        self.satisfied += u64::from(question.condition.holds(&state));
    }
}
