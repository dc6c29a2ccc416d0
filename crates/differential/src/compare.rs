//! Compares what Norn finds with what the interpreter says.
//!
//! Under sc, tso and pso both sets must be the same, for every way of searching. A program that uses
//! freed memory or reads memory that was never written is different: Norn reports that and goes on with
//! what lay there, so it may find more, but not less. Under the other models the interpreter has no say,
//! but whatever happens under sc must be found there too, unless the program has a data race.

use crate::interpret::{Behaviour, Buffers, interpret};
use crate::observe::{Found, Search, Subject};
use crate::print::print;
use crate::tree::Program;
use norn_models::ModelName;
use std::fmt;
use std::time::Duration;

/// Preemptions that no program of this size needs.
const MANY: u32 = 1000;

/// How programs are compared.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Programs with more states than this are not compared.
    pub states: usize,
    /// How long Norn may take for each search.
    pub patience: Duration,
    /// Also under tso and pso.
    pub buffers: bool,
    /// Also the other ways of searching and the models without an interpreter.
    pub thorough: bool,
    /// Whether a deadlock may be called a livelock, and the other way round.
    pub stuck_alike: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        let patience = Duration::from_secs(20);
        Settings { states: 20_000, patience, buffers: true, thorough: true, stuck_alike: false }
    }
}

/// Where Norn and the interpreter do not agree.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The model.
    pub model: String,
    /// How Norn searched.
    pub search: String,
    /// In short: what is missing or too much.
    pub what: Vec<String>,
}

impl Difference {
    /// What stays the same while a program is made smaller: the model, and the first thing that is wrong
    /// without its details.
    pub fn kind(&self) -> (&str, &str) {
        let first = self.what.first().map_or("", String::as_str);
        let is_result = first.contains("result");
        (&self.model, if is_result { first.split(':').next().unwrap_or(first) } else { first })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.model, self.search, self.what.join("; "))
    }
}

/// What came of a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It has too many states.
    TooLarge,
    /// Norn says that it cannot run it, which is no lie.
    Declined(String),
    /// All agree; the number of results and faults under sc.
    Same(usize, usize),
    /// They do not.
    Different(Difference),
}

/// Compares one program.
pub fn compare(program: &Program, settings: &Settings) -> Verdict {
    let judge = Judge { program, settings };
    let Some(sc) = judge.expected(Buffers::None, settings.states) else {
        return Verdict::TooLarge;
    };
    let subject = match load(program) {
        Ok(subject) => subject,
        Err(error) => {
            let what = vec![error];
            let (model, search) = ("front end".to_owned(), String::new());
            return Verdict::Different(Difference { model, search, what });
        }
    };
    match (Trial { judge, subject: &subject }).all(&sc) {
        Some(Trouble::Difference(difference)) => Verdict::Different(difference),
        Some(Trouble::Declined(what)) => Verdict::Declined(what),
        None => Verdict::Same(sc.results.len(), sc.faults.len()),
    }
}

fn load(program: &Program) -> Result<Subject, String> {
    let file = tempfile::Builder::new().prefix("norn-differential-").suffix(".c").tempfile();
    let file = file.map_err(|error| error.to_string())?;
    std::fs::write(file.path(), print(program)).map_err(|error| error.to_string())?;
    Subject::load(file.path())
}

/// Why a comparison ends early.
enum Trouble {
    Difference(Difference),
    Declined(String),
}

#[derive(Clone, Copy)]
struct Judge<'p> {
    program: &'p Program,
    settings: &'p Settings,
}

impl Judge<'_> {
    fn expected(&self, buffers: Buffers, states: usize) -> Option<Behaviour> {
        Some(self.plain(interpret(self.program, buffers, states)?))
    }

    /// A behaviour without what is not compared.
    fn plain(&self, mut behaviour: Behaviour) -> Behaviour {
        if self.settings.stuck_alike && behaviour.faults.remove("livelock") {
            behaviour.faults.insert("deadlock");
        }
        behaviour
    }
}

struct Trial<'p> {
    judge: Judge<'p>,
    subject: &'p Subject,
}

impl Trial<'_> {
    fn found(&self, model: ModelName, search: Search) -> Found {
        let found = self.subject.explore(model, search, self.judge.settings.patience);
        Found { behaviour: self.judge.plain(found.behaviour), ..found }
    }

    /// The first difference.
    fn all(&self, sc: &Behaviour) -> Option<Trouble> {
        let thorough = self.judge.settings.thorough;
        let mut searches = vec![Search::Trust(1), Search::Rf(1)];
        if thorough {
            searches.extend([Search::Trust(2), Search::Bound(MANY), Search::Resumed(2)]);
        }
        let found = |search| self.exactly(ModelName::Sc, search, sc);
        searches.into_iter().find_map(found).or_else(|| {
            let any = thorough.then(|| self.any(sc)).flatten();
            any.or_else(|| self.buffered()).or_else(|| self.weak(sc))
        })
    }

    fn buffered(&self) -> Option<Trouble> {
        let models = [(ModelName::Tso, Buffers::PerThread), (ModelName::Pso, Buffers::PerVariable)];
        let models = models.into_iter().filter(|_| self.judge.settings.buffers);
        for (model, buffers) in models {
            // A program with few states under sc may have many here; it was compared under sc.
            let behaviour = self.judge.expected(buffers, 5 * self.judge.settings.states)?;
            for search in [Search::Trust(1), Search::Rf(1)] {
                if let Some(trouble) = self.exactly(model, search, &behaviour) {
                    return Some(trouble);
                }
            }
        }
        None
    }

    /// The models that only have to allow what others allow.
    fn weak(&self, sc: &Behaviour) -> Option<Trouble> {
        let chains: [&[ModelName]; 2] = [&[ModelName::Ra], &[ModelName::Rc11]];
        let chains = chains.into_iter().filter(|_| self.judge.settings.thorough);
        for chain in chains {
            let mut smaller = sc.clone();
            for &model in chain {
                let search = Search::Trust(1);
                let found = self.found(model, search);
                if found.behaviour.faults.contains("data_race") {
                    break;
                }
                let what = missing(&smaller, &found);
                if let Some(trouble) = trouble(model, search, &found, what) {
                    return Some(trouble);
                }
                smaller = found.behaviour;
            }
        }
        None
    }

    /// A search for any violation finds one if there is one.
    fn any(&self, sc: &Behaviour) -> Option<Trouble> {
        let found = self.found(ModelName::Sc, Search::Any);
        let what = match (sc.faults.is_empty(), found.behaviour.faults.first()) {
            (true, Some(fault)) => vec![format!("a fault that there is not: {fault}")],
            (false, None) => vec!["no fault is found although there are some".to_owned()],
            _ => Vec::new(),
        };
        trouble(ModelName::Sc, Search::Any, &found, what)
    }

    /// Both sets are the same.
    fn exactly(&self, model: ModelName, search: Search, expected: &Behaviour) -> Option<Trouble> {
        let found = self.found(model, search);
        let mut what = Vec::new();
        if !goes_on_after_faults(expected) {
            let extra = |text: &String| format!("a result that there is not: {text:?}");
            let results = found.behaviour.results.difference(&expected.results);
            what.extend(results.map(extra));
            let faults = found.behaviour.faults.difference(&expected.faults);
            what.extend(faults.map(|fault| format!("a fault that there is not: {fault}")));
        }
        what.extend(missing(expected, &found));
        trouble(model, search, &found, what)
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
    let results = expected.results.difference(&found.behaviour.results);
    what.extend(results.map(|text| format!("a result that is missing: {text:?}")));
    let faults = expected.faults.difference(&found.behaviour.faults);
    what.extend(faults.map(|fault| format!("a fault that is missing: {fault}")));
    what
}

fn trouble(model: ModelName, search: Search, found: &Found, what: Vec<String>) -> Option<Trouble> {
    if what.is_empty() {
        return found.declined.clone().map(Trouble::Declined);
    }
    let (model, search) = (model.to_string(), format!("{search:?}"));
    Some(Trouble::Difference(Difference { model, search, what }))
}
