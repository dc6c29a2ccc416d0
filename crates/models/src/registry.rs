//! The registry of models: the one place where names become types.
//!
//! A model is a type; which one a user asks for is known at run time. Whoever wants to do something under
//! the model of a name writes it as a visitor, generic over the type, and hands it to the name. What not
//! every model can do has a visitor of its own ([`RfVisitor`], [`InterleavingVisitor`]) that is only called for
//! those that can, so that there is nothing to refuse once a search runs.

use crate::{
    About, Arrange, C20, Facts, Interleaving, Model, Named, Pso, Ra, Rc11, Sc, Tso, instead,
};
use std::fmt;
use std::str::FromStr;

/// Something to do under a model.
pub trait ModelVisitor {
    /// What comes of it.
    type Output;

    /// Does it under `Mo`.
    fn visit<Mo: Named>(self) -> Self::Output;
}

/// Something to do under a model that finds coherence orders by itself.
pub trait RfVisitor {
    /// What comes of it.
    type Output;

    /// Does it under `Mo`.
    fn visit<Mo: Arrange>(self) -> Self::Output;
}

/// Something to do under a model whose executions are interleavings.
pub trait InterleavingVisitor {
    /// What comes of it.
    type Output;

    /// Does it under `Mo`.
    fn visit<Mo: Interleaving>(self) -> Self::Output;
}

/// `Some($yes)` if the capability is in the list.
macro_rules! if_listed {
    (rf in [rf $($rest:ident)*], $yes:expr) => { Some($yes) };
    (rvf in [rvf $($rest:ident)*], $yes:expr) => { Some($yes) };
    (waits in [waits $($rest:ident)*], $yes:expr) => { Some($yes) };
    (bound in [bound $($rest:ident)*], $yes:expr) => { Some($yes) };
    ($wanted:ident in [$other:ident $($rest:ident)*], $yes:expr) => {
        if_listed!($wanted in [$($rest)*], $yes)
    };
    ($wanted:ident in [], $yes:expr) => { None };
}

/// A line for each model: its name, its type, and what it can do beyond [`Named`]: `rf` ([`Arrange`]), `rvf`,
/// `waits` and `bound` ([`Interleaving`]).
macro_rules! registry {
    ($($(#[$attribute:meta])* $Name:ident: $Type:ty, [$($capability:ident)*];)*) => {
        /// The models there are.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ModelName {
            $($(#[$attribute])* $Name,)*
        }

        impl ModelName {
            /// All of them.
            pub const ALL: [ModelName; [$(stringify!($Name)),*].len()] = [$(ModelName::$Name),*];

            /// What is known of it.
            pub const fn about(self) -> &'static About {
                match self {
                    $(ModelName::$Name => &<$Type as Named>::ABOUT,)*
                }
            }

            /// What a report must know of it.
            pub const fn facts(self) -> Facts {
                match self {
                    $(ModelName::$Name => Facts {
                        delay: <$Type as Named>::ABOUT.delay,
                        hb: <$Type as Model>::HB,
                        instead: Some(instead::<$Type>),
                    },)*
                }
            }

            /// Does something under it.
            pub fn with<V: ModelVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(ModelName::$Name => visitor.visit::<$Type>(),)*
                }
            }

            /// Does something under it if it finds coherence orders by itself.
            pub fn with_rf<V: RfVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(ModelName::$Name => {
                        if_listed!(rf in [$($capability)*], visitor.visit::<$Type>())
                    })*
                }
            }

            /// Does something under it if its executions can be told apart by the values that are read.
            pub fn with_rvf<V: InterleavingVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(ModelName::$Name => {
                        if_listed!(rvf in [$($capability)*], visitor.visit::<$Type>())
                    })*
                }
            }

            /// Does something under it if a step of an interleaving sees the last write to each location.
            pub fn with_await<V: InterleavingVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(ModelName::$Name => {
                        if_listed!(waits in [$($capability)*], visitor.visit::<$Type>())
                    })*
                }
            }

            /// Does something under it if preemptions can be counted.
            pub fn with_bound<V: InterleavingVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(ModelName::$Name => {
                        if_listed!(bound in [$($capability)*], visitor.visit::<$Type>())
                    })*
                }
            }
        }
    };
}

registry! {
    /// Sequential consistency.
    Sc: Sc, [rf rvf waits bound];
    /// Total store order (x86).
    Tso: Tso, [rf];
    /// Partial store order (SPARC).
    Pso: Pso, [rf];
    /// Release-acquire.
    Ra: Ra, [rf];
    /// Repaired C11.
    Rc11: Rc11, [rf];
    /// The same with the release sequences of C++20: the weakest, so what it proves holds in all of C.
    #[default]
    C20: C20, [rf];
}

/// Whether a model can do something.
struct Can;

impl RfVisitor for Can {
    type Output = ();

    fn visit<Mo: Arrange>(self) {}
}

impl InterleavingVisitor for Can {
    type Output = ();

    fn visit<Mo: Interleaving>(self) {}
}

/// Whether the question for a coherence order is cheap.
struct IsCheap;

impl RfVisitor for IsCheap {
    type Output = bool;

    fn visit<Mo: Arrange>(self) -> bool {
        Mo::IS_CHEAP
    }
}

impl ModelName {
    /// The name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// Names in words: "a, b and c".
    pub fn list(models: impl IntoIterator<Item = ModelName>) -> String {
        let names: Vec<&str> = models.into_iter().map(ModelName::name).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "none".to_owned(),
        }
    }

    /// Whether executions can be told apart by reads-from alone.
    pub fn has_rf(self) -> bool {
        self.with_rf(Can).is_some()
    }

    /// Whether executions can be told apart by the values that are read.
    pub fn has_rvf(self) -> bool {
        self.with_rvf(Can).is_some()
    }

    /// Whether a step of an interleaving sees the last write to each location.
    pub fn has_await(self) -> bool {
        self.with_await(Can).is_some()
    }

    /// Whether preemptions can be counted.
    pub fn has_bound(self) -> bool {
        self.with_bound(Can).is_some()
    }

    /// Whether a search by reads-from costs hardly more per execution than one that chooses coherence.
    pub fn prefers_rf(self) -> bool {
        self.with_rf(IsCheap).unwrap_or(false)
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
        known.ok_or_else(|| {
            format!("no model is called `{text}`; there are {}", ModelName::list(ModelName::ALL))
        })
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
    fn lists_read_well() {
        assert_eq!(ModelName::list([]), "none");
        assert_eq!(ModelName::list([ModelName::Sc]), "sc");
        assert_eq!(ModelName::list([ModelName::Sc, ModelName::Ra]), "sc and ra");
    }

    #[test]
    fn who_can_do_what() {
        let those = |can: fn(ModelName) -> bool| {
            ModelName::list(ModelName::ALL.into_iter().filter(|&model| can(model)))
        };
        assert_eq!(those(ModelName::has_rf), "sc, tso, pso, ra, rc11 and c20");
        assert_eq!(those(ModelName::has_rvf), "sc");
        assert_eq!(those(ModelName::has_await), "sc");
        assert_eq!(those(ModelName::has_bound), "sc");
        assert_eq!(those(ModelName::prefers_rf), "ra");
    }

    #[test]
    fn objects_are_private_where_nobody_can_see_them_half_made() {
        let private = |ignore_races| {
            let models = ModelName::ALL.into_iter();
            ModelName::list(models.filter(|model| model.about().privatises(ignore_races)))
        };
        assert_eq!(private(false), "sc, tso, ra, rc11 and c20");
        assert_eq!(private(true), "sc and tso");
    }
}
