//! Which algorithm searches under which model: decided, and refused, before anything runs.

use crate::InputError;
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
    /// Optimal DPOR with awaits.
    Await,
    /// Reads-value-from equivalence.
    Rvf,
}

impl AlgorithmName {
    /// All of them.
    pub const ALL: [AlgorithmName; 5] = [
        AlgorithmName::Auto,
        AlgorithmName::Trust,
        AlgorithmName::Rf,
        AlgorithmName::Await,
        AlgorithmName::Rvf,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            AlgorithmName::Auto => "auto",
            AlgorithmName::Trust => "trust",
            AlgorithmName::Rf => "rf",
            AlgorithmName::Await => "await",
            AlgorithmName::Rvf => "rvf",
        }
    }

    /// One line of explanation.
    pub fn summary(self) -> &'static str {
        match self {
            AlgorithmName::Auto => "the best algorithm for the model (now: trust)",
            AlgorithmName::Trust => {
                "every execution graph (po, rf, co) once, in memory of one execution; all models"
            }
            AlgorithmName::Rf => "every reads-from relation once; not available yet",
            AlgorithmName::Await => "optimal DPOR with awaits; not available yet",
            AlgorithmName::Rvf => "reads-value-from equivalence; not available yet",
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
            format!("no algorithm is called `{text}`; there are auto, trust, rf, await and rvf")
        })
    }
}

/// An algorithm that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`norn_explore::Trust`].
    Trust,
}

impl Algorithm {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Trust => "trust",
        }
    }
}

/// A model and an algorithm that supports it. There is no other way to start a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    model: ModelName,
    algorithm: Algorithm,
    jobs: usize,
}

impl Plan {
    /// Chooses, or refuses with a sentence that says what works.
    pub fn new(
        model: ModelName,
        algorithm: AlgorithmName,
        bound: Option<u32>,
    ) -> Result<Plan, InputError> {
        let refuse = |text: String| Err(InputError::Refused(text));
        if bound.is_some() {
            return refuse(
                "--bound is not available yet; without it every execution is looked at, and \
                 --max-executions or --timeout limits a search"
                    .to_owned(),
            );
        }
        match algorithm {
            AlgorithmName::Auto | AlgorithmName::Trust => {
                Ok(Plan { model, algorithm: Algorithm::Trust, jobs: 1 })
            }
            AlgorithmName::Rf | AlgorithmName::Await | AlgorithmName::Rvf => refuse(format!(
                "the algorithm {algorithm} is not available yet; use --algorithm trust, which \
                 supports all models (sc, tso, pso, ra, rc11)"
            )),
        }
    }

    /// The same plan with that many workers, at least one.
    pub fn with_jobs(self, jobs: usize) -> Plan {
        Plan { jobs: jobs.max(1), ..self }
    }

    /// How many workers search.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// The memory model.
    pub fn model(&self) -> ModelName {
        self.model
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_trust_under_every_model() {
        for model in ModelName::ALL {
            let plan = Plan::new(model, AlgorithmName::Auto, None).expect("a plan");
            assert_eq!((plan.model(), plan.algorithm()), (model, Algorithm::Trust));
        }
    }

    #[test]
    fn refusals_say_what_works() {
        for algorithm in [AlgorithmName::Rf, AlgorithmName::Await, AlgorithmName::Rvf] {
            let refusal = Plan::new(ModelName::Sc, algorithm, None).expect_err("a refusal");
            let text = refusal.to_string();
            assert!(
                text.contains(algorithm.name()) && text.contains("--algorithm trust"),
                "{text}"
            );
        }
        let refusal =
            Plan::new(ModelName::Sc, AlgorithmName::Auto, Some(2)).expect_err("a refusal");
        assert!(refusal.to_string().contains("--bound"));
    }
}
