//! Litmus tests: outcomes, the question at their end, and their names in reports.

use crate::browse::{End, browse};
use crate::check::{Findings, Job, Outcome};
use crate::error::InputError;
use crate::search::{self, Explored, Inputs};
use crate::store::{Store, Witness};
use crate::tally::{Listener, Share, Tally};
use norn_action::{Address, Claim, Place, ThreadId, Value};
use norn_explore::{Observer, Options, Summary, Violation, Visit};
use norn_graph::{EventId, Graph};
use norn_litmus::{FinalState, LitmusMachine, Quantifier};
use norn_report::{Asked, Names, Question, Sources, Spot};
use std::collections::BTreeSet;
use std::path::Path;

/// Whether a file is a litmus test.
pub(crate) fn is_test(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "litmus")
}

/// Checks a litmus test.
pub(crate) fn check(job: &Job<'_>, progress: &mut Listener<'_>) -> Result<Outcome, InputError> {
    let path = the_file(job)?;
    let text = std::fs::read_to_string(path)
        .map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
    let program = norn_litmus::read(&text).map_err(|error| InputError::Litmus {
        path: path.to_owned(),
        line: error.line,
        column: error.column,
        message: error.message,
    })?;
    let machine = LitmusMachine::new(program);
    let tally = Tally::new(progress);
    // The outcomes of a litmus test tell its threads apart.
    let options = Options { symmetry: false, ..job.search_options() };
    let mut store = Store::new((), String::new(), None, None)?;
    let inputs = Inputs {
        machine: &machine,
        plan: &job.plan,
        options: &options,
        tally: &tally,
        log: &job.options.log,
        store: &mut store,
    };
    let Explored { mut summary, observers, algorithm } = search::explore(inputs, || Watcher {
        machine: &machine,
        share: tally.share(),
        states: States::default(),
    })?;
    let mut states = States::default();
    observers.into_iter().for_each(|watcher| states.add(watcher.states));
    let mut findings = states.finish(&machine, &mut summary);
    findings.progress = tally.now();
    let file = path.display().to_string();
    let names = LitmusNames { machine: &machine, file: &file };
    let report = job.report(&summary, algorithm, &names, findings);
    let mut sources = Sources::default();
    sources.insert(file.as_str(), text);
    let browsed = if job.options.browse {
        let end = |visit: &Visit<'_, LitmusMachine>| end(&machine, visit);
        Some(browse(job, &machine, &names, Some(&end), progress)?)
    } else {
        None
    };
    Ok(Outcome { report, sources, browsed })
}

/// What an execution ends in, and how that answers the question at the end of the test.
fn end(machine: &LitmusMachine, visit: &Visit<'_, LitmusMachine>) -> End {
    let state = state(machine, visit);
    let outcome = machine.program().outcome(&state);
    let Some(question) = &machine.program().condition else {
        return End { outcome, ..End::default() };
    };
    let holds = question.condition.holds(&state);
    let is_wrong = machine.program().is_interesting(&state) && is_wrong(question.quantifier, holds);
    End { outcome, satisfies: Some(holds), is_wrong }
}

/// Whether an execution answers a question the wrong way.
fn is_wrong(quantifier: Quantifier, holds: bool) -> bool {
    match quantifier {
        Quantifier::Exists => false,
        Quantifier::NotExists => holds,
        Quantifier::Forall => !holds,
    }
}

/// What registers and memory hold at the end.
fn state(machine: &LitmusMachine, execution: &Visit<'_, LitmusMachine>) -> FinalState {
    let threads = execution.threads().map(|(_, thread, _)| thread);
    machine.final_state(threads, |_, address| last_value(execution, address))
}

fn the_file<'j>(job: &'j Job<'_>) -> Result<&'j Path, InputError> {
    let refuse = |text: &str| Err(InputError::Refused(text.to_owned()));
    if job.options.checkpoint.is_some() {
        return refuse("--checkpoint is for programs; a litmus test is too small to need one");
    }
    if job.options.profile {
        return refuse("--profile is for programs; it names lines of C");
    }
    if job.options.trace.is_some() {
        return refuse("--trace is for programs; a litmus test shows its executions at once");
    }
    if job.options.minimise {
        return refuse("--minimise is for programs; a litmus test shows its shortest execution");
    }
    if job.options.suggest {
        return refuse("--suggest is for programs; the orders of a litmus test are what it tests");
    }
    match (job.options.files.as_slice(), &job.options.entry) {
        ([path], None) => Ok(path),
        ([_], Some(_)) => {
            refuse("--entry names a C function; a litmus test has none, leave it out")
        }
        _ => refuse("a litmus test is checked alone; give one .litmus file and no others"),
    }
}

/// Collects final states.
struct Watcher<'m, 'p, 'f> {
    machine: &'m LitmusMachine,
    share: Share<'m, 'p, 'f>,
    states: States,
}

/// What is known of the final states.
#[derive(Default)]
struct States {
    outcomes: BTreeSet<String>,
    interesting: u64,
    satisfied: u64,
    /// Of the executions that answer the question the wrong way, the one with the least key: it does
    /// not depend on the order in which they are visited.
    wrong: Option<(WrongKey, Violation)>,
}

/// The final state, and what each event reads from.
type WrongKey = (String, Vec<(EventId, EventId)>);

impl Watcher<'_, '_, '_> {
    fn question(&mut self, state: &FinalState, execution: &Visit<'_, LitmusMachine>) {
        let Some(question) = &self.machine.program().condition else { return };
        let holds = question.condition.holds(state);
        let states = &mut self.states;
        states.satisfied += u64::from(holds);
        if is_wrong(question.quantifier, holds) {
            let outcome = self.machine.program().outcome(state);
            let graph = execution.graph;
            let mut events: Vec<_> =
                graph.order().iter().map(|&id| (id, graph.event(id).rf)).collect();
            events.sort_unstable();
            let key = (outcome, events);
            if states.wrong.as_ref().is_some_and(|(known, _)| *known <= key) {
                return;
            }
            let claim = Claim::FinalState { outcome: key.0.clone(), satisfies: holds };
            let after = states.interesting;
            let violation = Violation { after, ..Violation::at_end(execution, claim) };
            states.wrong = Some((key, violation));
        }
    }
}

impl States {
    fn add(&mut self, other: States) {
        self.outcomes.extend(other.outcomes);
        self.interesting += other.interesting;
        self.satisfied += other.satisfied;
        let both = [self.wrong.take(), other.wrong].into_iter().flatten();
        self.wrong = both.min_by(|(one, _), (two, _)| one.cmp(two));
    }

    fn finish(self, machine: &LitmusMachine, summary: &mut Summary) -> Findings {
        let answered = summary.stopped.is_none();
        let question = machine.program().condition.as_ref().filter(|_| answered);
        let question = question.map(|question| {
            let (quantifier, holds) = match question.quantifier {
                Quantifier::Exists => (Asked::Exists, self.satisfied > 0),
                Quantifier::NotExists => (Asked::NotExists, self.satisfied == 0),
                Quantifier::Forall => (Asked::Forall, self.satisfied == self.interesting),
            };
            Question { quantifier, holds, satisfied: self.satisfied, ends: self.interesting }
        });
        summary.violations.extend(self.wrong.map(|(_, violation)| violation));
        let outcomes = self.outcomes.into_iter().collect();
        Findings { outcomes, question, ..Findings::default() }
    }
}

impl Witness for Watcher<'_, '_, '_> {
    type Seen = ();

    fn seen(_: &[&Self], (): &()) {}
}

impl Observer<LitmusMachine> for Watcher<'_, '_, '_> {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        let state = state(self.machine, execution);
        if self.machine.program().is_interesting(&state) {
            self.states.interesting += 1;
            self.states.outcomes.insert(self.machine.program().outcome(&state));
            self.question(&state, execution);
        }
    }

    fn wants_ends(&self) -> bool {
        true
    }

    fn other_end(&mut self, execution: &Visit<'_, LitmusMachine>) {
        self.execution(execution);
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.share.report(executions, blocked);
    }
}

/// The last value of the location at `address`.
fn last_value(execution: &Visit<'_, LitmusMachine>, address: Address) -> Value {
    let graph = execution.graph;
    let is_it = |id: &&norn_graph::LocationId| execution.locations.info(**id).address == address;
    match graph.touched().iter().find(is_it) {
        Some(&id) => {
            let last = graph.location(id).co.last().copied().unwrap_or(EventId::INIT);
            graph.value_of(last, id)
        }
        None => {
            let resolved = graph.objects().resolve(address, LOCATION_SIZE);
            resolved.map_or(Value::ZERO, |resolved| resolved.initial)
        }
    }
}

/// All locations of a litmus test are ints.
const LOCATION_SIZE: u8 = 4;

/// What things are called in a litmus test.
struct LitmusNames<'m> {
    machine: &'m LitmusMachine,
    file: &'m str,
}

impl Names for LitmusNames<'_> {
    fn spot(&self, place: Place) -> Option<Spot> {
        let line = self.machine.line(place)?;
        Some(Spot { file: self.file.to_owned(), line, column: 0, function: None })
    }

    fn variable(&self, _: &Graph, address: Address, _: u8) -> String {
        match self.machine.location(address) {
            Some(location) => self.machine.program().locations[location.0 as usize].name.clone(),
            None => address.to_string(),
        }
    }

    fn value(&self, _: &Graph, _: Address, _: u8, value: Value) -> String {
        LitmusMachine::number(value).to_string()
    }

    fn is_scaffolding(&self, thread: ThreadId) -> bool {
        thread == ThreadId::MAIN
    }

    fn short_thread(&self, thread: ThreadId) -> String {
        match thread {
            ThreadId::MAIN => "init".to_owned(),
            ThreadId(number) => format!("P{}", number - 1),
        }
    }
}
