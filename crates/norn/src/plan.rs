//! Which algorithm searches under which model: decided, and refused, before anything runs.

use crate::InputError;
use crate::model::PlannedModel;
use norn_action::Lesson;
use norn_models::ModelName;
use std::fmt;
use std::str::FromStr;

/// What can be asked for on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlgorithmName {
    /// The best one for the model.
    #[default]
    Auto,
    /// Execution graphs, each once.
    Trust,
    /// Reads-from equivalence.
    Rf,
    /// Reads-value-from equivalence.
    Rvf,
    /// Mazurkiewicz traces, with steps that wait.
    Await,
}

impl AlgorithmName {
    /// All of them.
    pub const ALL: [AlgorithmName; 5] = [
        AlgorithmName::Auto,
        AlgorithmName::Trust,
        AlgorithmName::Rf,
        AlgorithmName::Rvf,
        AlgorithmName::Await,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            AlgorithmName::Auto => "auto",
            AlgorithmName::Trust => "trust",
            AlgorithmName::Rf => "rf",
            AlgorithmName::Rvf => "rvf",
            AlgorithmName::Await => "await",
        }
    }

    /// One line of explanation.
    pub fn summary(self) -> &'static str {
        match self {
            AlgorithmName::Auto => {
                "rf under ra, otherwise trust; where that takes long, what may have fewer executions is tried"
            }
            AlgorithmName::Trust => {
                "every execution graph (po, rf, co) once, in memory of one execution; all models"
            }
            AlgorithmName::Rf => {
                "every reads-from relation (po, rf) once, however coherence may be; all models"
            }
            AlgorithmName::Rvf => {
                "every combination of values that are read, wherever they come from; under sc"
            }
            AlgorithmName::Await => {
                "every order of conflicting accesses once, where fetch-adds commute; under sc"
            }
        }
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AlgorithmName {
    type Err = String;

    fn from_str(text: &str) -> Result<AlgorithmName, String> {
        let known = AlgorithmName::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        known.ok_or_else(|| {
            let names = AlgorithmName::ALL.map(AlgorithmName::name).join(", ");
            format!("no algorithm is called `{text}`; there are {names}")
        })
    }
}

/// How many preemptions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundName {
    /// More and more, until that makes no difference.
    Auto,
    /// So many.
    Preemptions(u32),
}

impl FromStr for BoundName {
    type Err = String;

    fn from_str(text: &str) -> Result<BoundName, String> {
        if text == "auto" {
            return Ok(BoundName::Auto);
        }
        let number =
            text.parse().map_err(|_| format!("`{text}` is neither a number nor `auto`"))?;
        Ok(BoundName::Preemptions(number))
    }
}

/// An algorithm that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`norn_explore::Trust`].
    Trust,
    /// [`norn_explore::Rf`].
    Rf,
    /// [`norn_explore::Rvf`].
    Rvf,
    /// [`norn_explore::Awaits`].
    Await,
}

impl Algorithm {
    /// What searches, where nothing is bounded.
    pub(crate) fn explorer(self) -> norn_explore::Algorithm {
        match self {
            Algorithm::Trust => norn_explore::Algorithm::Trust,
            Algorithm::Rf => norn_explore::Algorithm::Rf,
            Algorithm::Rvf => norn_explore::Algorithm::Rvf(norn_explore::Aids::default()),
            Algorithm::Await => norn_explore::Algorithm::Await(norn_explore::Conflicts::default()),
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Trust => "trust",
            Algorithm::Rf => "rf",
            Algorithm::Rvf => "rvf",
            Algorithm::Await => "await",
        }
    }
}

/// A model and an algorithm that supports it. There is no other way to start a search.
#[derive(Clone, Debug)]
pub struct Plan {
    model: PlannedModel,
    algorithm: Algorithm,
    jobs: usize,
    bound: Option<BoundName>,
    strict_bound: bool,
    /// Whether others may be tried, too.
    is_open: bool,
}

impl Plan {
    /// Chooses, or refuses with a sentence that says what works.
    pub fn new(
        model: impl Into<PlannedModel>,
        algorithm: AlgorithmName,
        bound: Option<BoundName>,
    ) -> Result<Plan, InputError> {
        let planned = model.into();
        let is_open = algorithm == AlgorithmName::Auto && bound.is_none();
        let plan = |algorithm| {
            let model = planned.clone();
            Ok(Plan { model, algorithm, jobs: 1, bound, strict_bound: false, is_open })
        };
        let refuse = |text: String| Err(InputError::Refused(text));
        let PlannedModel::Named(model) = planned else {
            return match algorithm {
                _ if bound.is_some() => refuse(format!(
                    "--bound counts preemptions of interleavings, and nobody knows whether {planned} has any; use \
                     it with --model {}",
                    those(ModelName::has_bound)
                )),
                AlgorithmName::Auto | AlgorithmName::Trust => plan(Algorithm::Trust),
                AlgorithmName::Rf | AlgorithmName::Rvf | AlgorithmName::Await => refuse(format!(
                    "--algorithm {algorithm} must know the model, and knows only those that are built in; use --algorithm trust with {planned}"
                )),
            };
        };
        if bound.is_some() && !model.has_bound() {
            return refuse(format!(
                "--bound counts preemptions of interleavings, which {model} does not have; use it \
                 with --model {}",
                those(ModelName::has_bound)
            ));
        }
        match algorithm {
            // Where it takes no search to see whether a reads-from relation is consistent, `rf` never costs
            // much more than `trust`; docs/algorithms.md has the figures.
            AlgorithmName::Auto if bound.is_none() && model.prefers_rf() => plan(Algorithm::Rf),
            AlgorithmName::Auto | AlgorithmName::Trust => plan(Algorithm::Trust),
            AlgorithmName::Rf | AlgorithmName::Rvf | AlgorithmName::Await if bound.is_some() => {
                refuse(
                    "--bound works on execution graphs; use it with --algorithm trust".to_owned(),
                )
            }
            AlgorithmName::Rf if !model.has_rf() => refuse(format!(
                "--algorithm rf does not know {model}; use it with --model {}, or use --algorithm trust",
                those(ModelName::has_rf)
            )),
            AlgorithmName::Rf => plan(Algorithm::Rf),
            AlgorithmName::Rvf if !model.has_rvf() => refuse(format!(
                "--algorithm rvf looks for interleavings, which {model} does not have; use it with \
                 --model {}, or use --algorithm trust",
                those(ModelName::has_rvf)
            )),
            AlgorithmName::Rvf => plan(Algorithm::Rvf),
            AlgorithmName::Await if !model.has_await() => refuse(format!(
                "--algorithm await takes steps of interleavings, which {model} does not have; use it \
                 with --model {}, or use --algorithm trust",
                those(ModelName::has_await)
            )),
            AlgorithmName::Await => plan(Algorithm::Await),
        }
    }

    /// What else may be tried, the coarsest equivalence first: it may be that it has far fewer executions. The last one counts
    /// threads that are alike once.
    pub fn trials(&self) -> impl Iterator<Item = Algorithm> {
        let others =
            [Algorithm::Rvf, Algorithm::Await, Algorithm::Rf, Algorithm::Trust].into_iter();
        let can_try = |other: Algorithm| self.model.is_supported_by(other.explorer());
        others.filter(move |&other| self.is_open && other != self.algorithm && can_try(other))
    }

    /// The same plan with this algorithm, which has shown that it can do it, and no other.
    pub(crate) fn only(self, algorithm: Algorithm) -> Plan {
        Plan { algorithm, is_open: false, ..self }
    }

    /// The same plan for those who look at every graph: `trust`, without a bound.
    pub(crate) fn for_graphs(self) -> Plan {
        Plan { bound: None, ..self.only(Algorithm::Trust) }
    }

    /// The same plan for what `trust` alone can do, such as a search by several processes, where `asked` was asked for.
    pub(crate) fn for_trust(self, asked: AlgorithmName) -> Plan {
        match asked {
            AlgorithmName::Auto => Plan { algorithm: Algorithm::Trust, is_open: false, ..self },
            _ => self,
        }
    }

    /// The same plan with that many workers; 0 means one for each core of the machine.
    pub fn with_jobs(self, jobs: usize) -> Plan {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Plan { jobs: if jobs == 0 { cores() } else { jobs }, ..self }
    }

    /// The same plan after these lessons, where `asked` was asked for: only `trust` knows how to tell whether an access in
    /// parts is one step, and whether somebody has noticed what a thread took back.
    pub fn after(self, lessons: &[Lesson], asked: AlgorithmName) -> Plan {
        let is_for_trust = |lesson: &Lesson| lesson.cut().is_some() || *lesson == Lesson::Rounds;
        match asked {
            AlgorithmName::Auto if lessons.iter().any(is_for_trust) => {
                Plan { algorithm: Algorithm::Trust, is_open: false, ..self }
            }
            _ => self,
        }
    }

    /// The same plan, with violations beyond the bound ignored or not.
    pub fn with_strict_bound(self, strict_bound: bool) -> Plan {
        Plan { strict_bound, ..self }
    }

    /// How many preemptions are looked at; none: all executions are.
    pub fn bound(&self) -> Option<BoundName> {
        self.bound
    }

    /// Whether violations beyond the bound are ignored.
    pub fn strict_bound(&self) -> bool {
        self.strict_bound
    }

    /// How many workers search.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// The memory model.
    pub fn model(&self) -> &PlannedModel {
        &self.model
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

/// The models that can do something, in words.
fn those(can: fn(ModelName) -> bool) -> String {
    ModelName::list(ModelName::ALL.into_iter().filter(|&model| can(model)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_rf_under_ra_and_otherwise_trust() {
        for model in ModelName::ALL {
            let plan = Plan::new(model, AlgorithmName::Auto, None).expect("a plan");
            let expected = if model == ModelName::Ra { Algorithm::Rf } else { Algorithm::Trust };
            assert_eq!((plan.model().name(), plan.algorithm()), (model.name(), expected));
            let plan = plan.with_jobs(4);
            assert_eq!((plan.jobs(), plan.algorithm()), (4, expected));
            assert!(plan.with_jobs(0).jobs() > 0);
        }
    }

    /// What is offered exists, under every model that can do it.
    #[test]
    fn every_name_is_a_plan() {
        for algorithm in AlgorithmName::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
            assert!(Plan::new(ModelName::Sc, algorithm, None).is_ok(), "{algorithm}");
        }
    }

    #[test]
    fn refusals_say_what_works() {
        let refusal = "dpor".parse::<AlgorithmName>().expect_err("a refusal");
        assert!(refusal.ends_with("auto, trust, rf, rvf, await"), "{refusal}");
        let refused = |model, algorithm, bound| {
            Plan::new(model, algorithm, bound).expect_err("a refusal").to_string()
        };
        for model in ModelName::ALL.into_iter().filter(|&model| model != ModelName::Sc) {
            for algorithm in [AlgorithmName::Rvf, AlgorithmName::Await] {
                let text = refused(model, algorithm, None);
                assert!(text.contains("use it with --model sc"), "{text}");
            }
        }
        assert!(Plan::new(ModelName::Sc, AlgorithmName::Rvf, None).is_ok());
        let bound = Some(BoundName::Preemptions(2));
        assert!(refused(ModelName::Rc11, AlgorithmName::Auto, bound).contains("--model sc"));
        for algorithm in [AlgorithmName::Rvf, AlgorithmName::Await] {
            assert!(refused(ModelName::Sc, algorithm, bound).contains("--algorithm trust"));
        }
        assert!(Plan::new(ModelName::Sc, AlgorithmName::Auto, bound).is_ok());
    }

    #[test]
    fn bounds_are_numbers_or_auto() {
        assert_eq!("auto".parse(), Ok(BoundName::Auto));
        assert_eq!("3".parse(), Ok(BoundName::Preemptions(3)));
        assert!("few".parse::<BoundName>().is_err());
    }
}
