//! The registry of models.

use std::fmt;
use std::str::FromStr;

/// The models there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelName {
    /// Sequential consistency.
    Sc,
    /// Total store order (x86).
    Tso,
    /// Partial store order (SPARC).
    Pso,
    /// Release-acquire.
    Ra,
    /// Repaired C11.
    Rc11,
}

impl ModelName {
    /// All of them.
    pub const ALL: [ModelName; 5] =
        [ModelName::Sc, ModelName::Tso, ModelName::Pso, ModelName::Ra, ModelName::Rc11];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            ModelName::Sc => "sc",
            ModelName::Tso => "tso",
            ModelName::Pso => "pso",
            ModelName::Ra => "ra",
            ModelName::Rc11 => "rc11",
        }
    }

    /// One line of explanation.
    pub fn summary(self) -> &'static str {
        match self {
            ModelName::Sc => {
                "sequential consistency: threads interleave, every read sees the last write"
            }
            ModelName::Tso => "total store order (x86): a store may be delayed past later loads",
            ModelName::Pso => {
                "partial store order: stores to different locations may be reordered too"
            }
            ModelName::Ra => {
                "release-acquire: every access synchronises, but there is no global order"
            }
            ModelName::Rc11 => "C/C++11 as repaired in 2017: all access modes and fences",
        }
    }

    /// Whether data races on plain accesses are violations.
    pub fn has_races(self) -> bool {
        matches!(self, ModelName::Ra | ModelName::Rc11)
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ModelName {
    type Err = String;

    fn from_str(text: &str) -> Result<ModelName, String> {
        ModelName::ALL.into_iter().find(|model| model.name() == text).ok_or_else(|| {
            format!("no model is called `{text}`; there are sc, tso, pso, ra and rc11")
        })
    }
}
