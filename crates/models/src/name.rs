//! The registry of models.

use std::fmt;
use std::str::FromStr;

/// The models there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The same with the release sequences of C++20: the weakest, so what it proves holds in all of C.
    #[default]
    C20,
}

/// Why a read may miss a store that another thread has already done, or a store stay behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// It may not: there is one order of everything.
    Never,
    /// Each thread has a buffer for its stores.
    StoreBuffer,
    /// Each thread has one for each variable.
    StoreBuffers,
    /// Stores arrive everywhere in their own time.
    Unordered,
    /// The modes of the two accesses allow it.
    Modes,
}

impl ModelName {
    /// All of them.
    pub const ALL: [ModelName; 6] = [
        ModelName::Sc,
        ModelName::Tso,
        ModelName::Pso,
        ModelName::Ra,
        ModelName::Rc11,
        ModelName::C20,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            ModelName::Sc => "sc",
            ModelName::Tso => "tso",
            ModelName::Pso => "pso",
            ModelName::Ra => "ra",
            ModelName::Rc11 => "rc11",
            ModelName::C20 => "c20",
        }
    }

    /// All names in words.
    pub fn list() -> String {
        let names = ModelName::ALL.map(ModelName::name);
        let (last, others) = names.split_last().expect("there are models");
        format!("{} and {last}", others.join(", "))
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
            ModelName::C20 => {
                "as rc11, with the release sequences of C++20: read-modify-writes only"
            }
        }
    }

    /// Whether data races on plain accesses are violations.
    pub fn has_races(self) -> bool {
        matches!(self, ModelName::Ra | ModelName::Rc11 | ModelName::C20)
    }

    /// Whether an object that one thread alone can reach may be kept out of the graph, with what was
    /// stored in it becoming its initial value when it is published.
    ///
    /// Under pso a store to such an object may be overtaken by the one that publishes it. Where races
    /// are errors a reader to which it is not ordered is reported; if they are ignored, that reader may
    /// see the object as it was before.
    pub fn privatises(self, ignore_races: bool) -> bool {
        self != ModelName::Pso && !(self.has_races() && ignore_races)
    }

    /// Why reads may miss stores.
    pub fn delay(self) -> Delay {
        match self {
            ModelName::Sc => Delay::Never,
            ModelName::Tso => Delay::StoreBuffer,
            ModelName::Pso => Delay::StoreBuffers,
            ModelName::Ra => Delay::Unordered,
            ModelName::Rc11 | ModelName::C20 => Delay::Modes,
        }
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
        let known = ModelName::ALL.into_iter().find(|model| model.name() == text);
        known.ok_or_else(|| format!("no model is called `{text}`; there are {}", ModelName::list()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for model in ModelName::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        let refusal = "c17".parse::<ModelName>().expect_err("no such model");
        assert!(refusal.ends_with("there are sc, tso, pso, ra, rc11 and c20"), "{refusal}");
    }

    #[test]
    fn objects_are_private_where_nobody_can_see_them_half_made() {
        use ModelName::{C20, Ra, Rc11, Sc, Tso};
        let private = |ignore_races| -> Vec<ModelName> {
            ModelName::ALL.into_iter().filter(|model| model.privatises(ignore_races)).collect()
        };
        assert_eq!(private(false), [Sc, Tso, Ra, Rc11, C20]);
        assert_eq!(private(true), [Sc, Tso]);
    }
}
