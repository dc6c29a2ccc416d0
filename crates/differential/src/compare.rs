//! Compares what Norn finds with what the interpreter says.
//!
//! Under sc, tso and pso both sets must be the same, for every way of searching. A program that uses
//! freed memory or reads memory that was never written is different: Norn reports that and goes on with
//! what lay there, so it may find more, but not less. Under the other models the interpreter has no say,
//! but what happens under a stronger model must be found under a weaker one too, unless the program has
//! a data race.

use crate::interpret::{Behaviour, Buffers, interpret};
use crate::observe::{Found, Search, Subject};
use crate::print::print;
use crate::tree::{Program, Statement};
use norn_models::ModelName;
use std::fmt;
use std::time::Duration;

/// Models of which the first allows nothing that the second forbids. What is expected of sc, tso and
/// pso is known exactly and needs no line here.
const INCLUSIONS: [(ModelName, ModelName); 3] = [
    (ModelName::Sc, ModelName::Ra),
    (ModelName::Sc, ModelName::Rc11),
    (ModelName::Rc11, ModelName::C20),
];

/// Preemptions that no program of this size needs.
const MANY: u32 = 1000;

/// How programs are compared.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Programs with more states than this under sc are not compared, nor under another model when
    /// they have five times as many there.
    pub states: usize,
    /// How long Norn may take for each search.
    pub patience: Duration,
    /// What is compared, in this order.
    pub checks: Vec<Check>,
    /// Whether a deadlock may be called a livelock, and the other way round.
    pub stuck_alike: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        let patience = Duration::from_secs(60);
        Settings { states: 20_000, patience, checks: Check::all(), stuck_alike: false }
    }
}

/// One comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Norn finds under this model, searching in this way, what the interpreter finds.
    Exact(ModelName, Search),
    /// A search for any violation finds one if there is one.
    Any,
    /// Norn finds under the second model all that happens under the first.
    Includes(ModelName, ModelName),
    /// Norn finds under this model the same whether or not threads that are alike count once.
    Reduced(ModelName),
}

impl Check {
    /// Those that take little time: sc alone.
    pub fn quick() -> Vec<Check> {
        vec![
            Check::Exact(ModelName::Sc, Search::Trust(1)),
            Check::Exact(ModelName::Sc, Search::Rf(1)),
            Check::Exact(ModelName::Sc, Search::Rvf(1)),
            Check::Exact(ModelName::Sc, Search::Await(1)),
            Check::Exact(ModelName::Sc, Search::Alike(1)),
        ]
    }

    /// All there are.
    pub fn all() -> Vec<Check> {
        let mut checks = Check::quick();
        let others = [
            Search::Trust(2),
            Search::Alike(2),
            Search::Rf(2),
            Search::Rvf(2),
            Search::Await(2),
            Search::Bound(MANY),
            Search::Resumed(2),
            Search::ResumedRvf(2),
            Search::ResumedAwait(2),
        ];
        checks.extend(others.map(|search| Check::Exact(ModelName::Sc, search)));
        checks.push(Check::Any);
        for model in [ModelName::Tso, ModelName::Pso] {
            let searches = [Search::Trust(1), Search::Alike(1), Search::Rf(1)];
            checks.extend(searches.map(|search| Check::Exact(model, search)));
        }
        checks.extend(INCLUSIONS.map(|(strong, weak)| Check::Includes(strong, weak)));
        checks.extend([ModelName::Ra, ModelName::Rc11, ModelName::C20].map(Check::Reduced));
        checks
    }

    /// Whether Norn can do it: accesses of several sizes, and loops that take back what they did, are for `trust` alone.
    /// And whether it is worth doing.
    fn is_for(self, program: &Program) -> bool {
        if self.is_for_threads_that_are_alike() {
            return program.alike;
        }
        let takes_back = |statement: &Statement| matches!(statement, Statement::TakeBack { .. });
        let rounds = !program.has_word && program.has(&takes_back);
        let only_trust = !program.words.is_empty() || rounds;
        let Check::Exact(_, search) = self else { return true };
        let is_other = matches!(
            search,
            Search::Rf(_)
                | Search::Rvf(_)
                | Search::ResumedRvf(_)
                | Search::Await(_)
                | Search::ResumedAwait(_)
        );
        !(only_trust && is_other)
    }

    /// Whether it compares what is found where threads that are alike count once.
    pub fn is_for_threads_that_are_alike(self) -> bool {
        matches!(self, Check::Reduced(_) | Check::Exact(_, Search::Alike(_)))
    }

    /// The model that Norn searches under.
    pub fn model(self) -> ModelName {
        match self {
            Check::Exact(model, _) | Check::Includes(_, model) | Check::Reduced(model) => model,
            Check::Any => ModelName::Sc,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Exact(model, search) => write!(f, "{model}, {search:?}"),
            Check::Any => write!(f, "sc, any violation"),
            Check::Includes(strong, weak) => write!(f, "{weak} includes {strong}"),
            Check::Reduced(model) => write!(f, "{model}, threads that are alike"),
        }
    }
}

/// Where Norn and the interpreter do not agree.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What was compared; none if the program could not even be loaded.
    pub check: Option<Check>,
    /// What is missing or too much.
    pub what: Vec<String>,
}

impl Difference {
    /// What stays the same while a program is made smaller: the first thing that is wrong, without the
    /// details of a result.
    pub fn kind(&self) -> &str {
        let first = self.what.first().map_or("", String::as_str);
        if first.contains("result") { first.split(':').next().unwrap_or(first) } else { first }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.check {
            Some(check) => write!(f, "{check}: {}", self.what.join("; ")),
            None => write!(f, "{}", self.what.join("; ")),
        }
    }
}

/// What came of a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It has too many states or executions.
    TooLarge,
    /// Norn says that it cannot run it, which is no lie.
    Declined(String),
    /// All agree; what can happen under sc.
    Same(Behaviour),
    /// They do not.
    Different(Difference),
}

/// Compares one program.
pub fn compare(program: &Program, settings: &Settings) -> Verdict {
    let Some(sc) = interpret(program, Buffers::None, settings.states) else {
        return Verdict::TooLarge;
    };
    let subject = match load(program) {
        Ok(subject) => subject,
        Err(error) => return Verdict::Different(Difference { check: None, what: vec![error] }),
    };
    let trial = Trial { program, settings, subject, sc: settings.plain(sc.clone()) };
    let mut behaviours = Vec::new();
    let mut declined = None;
    for &check in settings.checks.iter().filter(|check| check.is_for(program)) {
        match trial.differs(check, &mut behaviours) {
            Outcome::Same => {}
            Outcome::TooLarge => return Verdict::TooLarge,
            Outcome::Declined(what) => declined = Some(what),
            Outcome::Different(what) => {
                return Verdict::Different(Difference { check: Some(check), what });
            }
        }
    }
    declined.map_or(Verdict::Same(sc), Verdict::Declined)
}

/// Compiles a program.
pub fn load(program: &Program) -> Result<Subject, String> {
    let file = tempfile::Builder::new().prefix("norn-differential-").suffix(".c").tempfile();
    let file = file.map_err(|error| error.to_string())?;
    std::fs::write(file.path(), print(program)).map_err(|error| error.to_string())?;
    Subject::load(file.path())
}

impl Settings {
    /// A behaviour without what is not compared.
    fn plain(&self, mut behaviour: Behaviour) -> Behaviour {
        if self.stuck_alike && behaviour.faults.remove("livelock") {
            behaviour.faults.insert("deadlock");
        }
        behaviour
    }
}

enum Outcome {
    Same,
    TooLarge,
    Declined(String),
    Different(Vec<String>),
}

/// What the interpreter said under each model; none if there were too many states.
type Behaviours = Vec<(ModelName, Option<Behaviour>)>;

struct Trial<'p> {
    program: &'p Program,
    settings: &'p Settings,
    subject: Subject,
    sc: Behaviour,
}

impl Trial<'_> {
    fn differs(&self, check: Check, behaviours: &mut Behaviours) -> Outcome {
        match check {
            Check::Exact(model, search) => match self.expected(model, behaviours) {
                Some(expected) => self.exactly(model, search, &expected),
                None => Outcome::Same,
            },
            Check::Any => self.any(),
            Check::Includes(strong, weak) => {
                let smaller = match strong {
                    ModelName::Sc => self.sc.clone(),
                    _ => self.found(strong, Search::Trust(1)).behaviour,
                };
                let found = self.found(weak, Search::Trust(1));
                if found.behaviour.faults.contains("data_race") {
                    return Outcome::Same;
                }
                outcome(&found, missing(&smaller, &found))
            }
            Check::Reduced(model) => {
                let all = self.found(model, Search::Trust(1));
                match all.too_large || all.declined.is_some() || all.failure.is_some() {
                    true => Outcome::Same,
                    false => self.exactly(model, Search::Alike(1), &all.behaviour),
                }
            }
        }
    }

    /// What the interpreter says; none if there are too many states.
    fn expected(&self, model: ModelName, behaviours: &mut Behaviours) -> Option<Behaviour> {
        if let Some((_, known)) = behaviours.iter().find(|(known, _)| *known == model) {
            return known.clone();
        }
        let buffers = match model {
            ModelName::Sc => return Some(self.sc.clone()),
            ModelName::Tso => Buffers::PerThread,
            ModelName::Pso => Buffers::PerVariable,
            other => unreachable!("the interpreter does not know {other}"),
        };
        let behaviour = interpret(self.program, buffers, 5 * self.settings.states);
        let behaviour = behaviour.map(|behaviour| self.settings.plain(behaviour));
        behaviours.push((model, behaviour.clone()));
        behaviour
    }

    fn found(&self, model: ModelName, search: Search) -> Found {
        let found = self.subject.explore(model, search, self.settings.patience);
        Found { behaviour: self.settings.plain(found.behaviour), ..found }
    }

    fn any(&self) -> Outcome {
        let found = self.found(ModelName::Sc, Search::Any);
        let what = match (self.sc.faults.is_empty(), found.behaviour.faults.first()) {
            (true, Some(fault)) => vec![format!("a fault that there is not: {fault}")],
            (false, None) if found.declined.is_none() => {
                vec!["no fault is found although there are some".to_owned()]
            }
            _ => Vec::new(),
        };
        outcome(&found, what)
    }

    fn exactly(&self, model: ModelName, search: Search, expected: &Behaviour) -> Outcome {
        let found = self.found(model, search);
        let mut what = Vec::new();
        if !goes_on_after_faults(expected) {
            let results = found.behaviour.results.difference(&expected.results);
            what.extend(results.map(|text| format!("a result that there is not: {text:?}")));
            let faults = found.behaviour.faults.difference(&expected.faults);
            what.extend(faults.map(|fault| format!("a fault that there is not: {fault}")));
        }
        what.extend(missing(expected, &found));
        outcome(&found, what)
    }
}

/// Whether something can go wrong that Norn reports and goes on after.
fn goes_on_after_faults(behaviour: &Behaviour) -> bool {
    ["use_after_free", "uninitialised_read"].iter().any(|fault| behaviour.faults.contains(fault))
}

/// What was expected and not found. If Norn says itself that it left something out, that is enough.
fn missing(expected: &Behaviour, found: &Found) -> Vec<String> {
    if found.declined.is_some() {
        return Vec::new();
    }
    let mut what: Vec<String> = found.failure.iter().cloned().collect();
    let faults = expected.faults.difference(&found.behaviour.faults);
    // Norn lets a thread copy what was never written, and complains when something depends on it.
    let faults = faults.filter(|&&fault| fault != "uninitialised_read");
    what.extend(faults.map(|fault| format!("a fault that is missing: {fault}")));
    let results = expected.results.difference(&found.behaviour.results);
    let results = results.filter(|&text| !found.beside_faults.contains(text));
    what.extend(results.map(|text| format!("a result that is missing: {text:?}")));
    what
}

fn outcome(found: &Found, what: Vec<String>) -> Outcome {
    if found.too_large {
        return Outcome::TooLarge;
    }
    match (what.is_empty(), &found.declined) {
        (false, _) => Outcome::Different(what),
        (true, Some(what)) => Outcome::Declined(what.clone()),
        (true, None) => Outcome::Same,
    }
}
